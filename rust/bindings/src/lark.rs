//! Lark grammars: their files, and the options that Python gives.

use crate::errors::GrammarError;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use stackmask::{
    Ending, Error, ImportRequest, ImportResolver, ImportedFile, Indenter, Limits, Place, RegexFlags,
};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// What a `lark.Lark` object says of its grammar, as `stackmask._lark.read` gives it.
#[derive(FromPyObject)]
pub(crate) struct LarkObject {
    #[pyo3(item)]
    pub(crate) text: String,
    /// Where it was read from, if it was.
    #[pyo3(item)]
    pub(crate) file: Option<PathBuf>,
    /// Where relative imports of a grammar without a file are looked for.
    #[pyo3(item)]
    pub(crate) folder: Option<PathBuf>,
    #[pyo3(item)]
    pub(crate) start: Option<String>,
    #[pyo3(item)]
    pub(crate) lexer: String,
    #[pyo3(item)]
    pub(crate) import_paths: Vec<PathBuf>,
    /// Letters of flags for all terminals.
    #[pyo3(item)]
    pub(crate) flags: String,
}

/// What a `lark.indenter.Indenter`, or an object like one, says.
#[derive(FromPyObject)]
struct IndenterObject {
    #[pyo3(attribute("NL_type"))]
    newline: String,
    #[pyo3(attribute("OPEN_PAREN_types"))]
    open: Vec<String>,
    #[pyo3(attribute("CLOSE_PAREN_types"))]
    close: Vec<String>,
    #[pyo3(attribute("INDENT_type"))]
    indent: String,
    #[pyo3(attribute("DEDENT_type"))]
    dedent: String,
    #[pyo3(attribute("tab_len"))]
    tab: u32,
}

/// The indenter that an object is, or that a class makes.
pub(crate) fn indenter(value: &Bound<'_, PyAny>) -> PyResult<Indenter> {
    let read = value.py().import("stackmask._lark")?.getattr("indenter")?;
    let IndenterObject { newline, open, close, indent, dedent, tab } =
        read.call1((value,))?.extract()?;
    Ok(Indenter { newline, open, close, indent, dedent, tab })
}

/// The options of a `lark.Lark` object, or none if the value is no such object.
pub(crate) fn lark_object(
    value: &Bound<'_, PyAny>,
    start: Option<&str>,
) -> PyResult<Option<LarkObject>> {
    let read = value.py().import("stackmask._lark")?.getattr("read")?;
    let found = read.call1((value, start))?;
    if found.is_none() { Ok(None) } else { found.extract().map(Some) }
}

pub(crate) fn lexer_named(name: &str) -> PyResult<Ending> {
    match name {
        "dynamic" => Ok(Ending::Dynamic),
        "dynamic_complete" => Ok(Ending::DynamicComplete),
        "contextual" | "basic" => Err(GrammarError::new_err(format!(
            "lexer={name:?} is not supported: use \"dynamic\" or \"dynamic_complete\""
        ))),
        _ => Err(PyValueError::new_err(format!(
            "lexer must be \"dynamic\" or \"dynamic_complete\", not {name:?}"
        ))),
    }
}

/// Flags by their letters.
pub(crate) fn flags(letters: &str) -> RegexFlags {
    RegexFlags {
        ignore_case: letters.contains('i'),
        multi_line: letters.contains('m'),
        dot_all: letters.contains('s'),
        verbose: letters.contains('x'),
        ascii: letters.contains('a'),
    }
}

/// Reads a grammar's file as text.
pub(crate) fn read_file(path: &Path, limits: &Limits) -> io::Result<Result<String, Error>> {
    let bytes = read_source(path, limits)?;
    Ok(utf8_source(&bytes, &path.to_string_lossy(), limits).map(universal_newlines))
}

/// Reads no more than one byte beyond the limit: a longer file is refused whatever its length.
fn read_source(path: &Path, limits: &Limits) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(limits.source_bytes as u64 + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn utf8_source(bytes: &[u8], file: &str, limits: &Limits) -> Result<String, Error> {
    let error = match std::str::from_utf8(bytes) {
        Ok(text) => return Ok(text.to_owned()),
        Err(error) => error,
    };
    // The reader may have cut a character in two; the length is what is wrong then.
    let start = error.valid_up_to();
    if bytes.len() > limits.source_bytes && error.error_len().is_none() {
        return Ok(String::from_utf8_lossy(bytes).into_owned());
    }
    let valid = String::from_utf8_lossy(&bytes[..start]);
    let place = Place { file: Some(file.to_owned()), ..Place::at(&valid, start) };
    let message = format!("not UTF-8: byte 0x{:02x}", bytes[start]);
    Err(Error::Syntax { message, place: Some(Box::new(place)) })
}

/// Line breaks as Python reads them from a text file.
fn universal_newlines(text: String) -> String {
    if text.contains('\r') { text.replace("\r\n", "\n").replace('\r', "\n") } else { text }
}

/// Finds imported files where Lark looks: in the import paths, then beside the importing file.
pub(crate) struct Files<'a> {
    pub(crate) paths: &'a [PathBuf],
    /// The folder for relative imports of a grammar that has no file.
    pub(crate) folder: Option<&'a Path>,
    pub(crate) limits: &'a Limits,
}

impl ImportResolver for Files<'_> {
    fn resolve(&mut self, request: ImportRequest<'_>) -> Result<Option<ImportedFile>, Error> {
        // The parts of the path are names, so no path leads out of its folder.
        let mut file: PathBuf = request.path.iter().collect();
        file.set_extension("lark");
        let beside = match (request.relative, request.from) {
            (false, _) => None,
            (true, Some(from)) => Path::new(from).parent(),
            (true, None) => self.folder,
        };
        for folder in self.paths.iter().map(PathBuf::as_path).chain(beside) {
            let path = folder.join(&file);
            let Ok(text) = read_file(&path, self.limits) else { continue };
            let name = path.to_string_lossy().into_owned();
            return Ok(Some(ImportedFile { name, text: text? }));
        }
        Ok(None)
    }
}
