//! How the texts of imported files come to the engine, which reads no files itself.

use crate::error::Error;

/// A file that a grammar imports from.
#[derive(Clone, Copy, Debug)]
pub struct ImportRequest<'a> {
    /// The name of the importing file: that of [`ImportedFile`], or of the options for the main file.
    pub from: Option<&'a str>,
    /// Whether the path starts with a dot: the file is looked for beside the importing one.
    pub relative: bool,
    /// The path without its ending, such as `["grammars", "numbers"]`.
    pub path: &'a [&'a str],
}

/// What an import found.
#[derive(Clone, Debug)]
pub struct ImportedFile {
    /// Its name, for messages and for what it imports itself. Equal names are equal files.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Finds the files that a grammar imports from, before Lark's own library is asked.
pub trait ImportResolver {
    /// The file, or none if there is no such file.
    ///
    /// # Errors
    /// Whatever keeps a file that exists from being read.
    fn resolve(&mut self, request: ImportRequest<'_>) -> Result<Option<ImportedFile>, Error>;
}

/// Finds no files: only Lark's library can be imported from.
#[derive(Clone, Copy, Debug, Default)]
pub struct LibraryOnly;

impl ImportResolver for LibraryOnly {
    fn resolve(&mut self, _: ImportRequest<'_>) -> Result<Option<ImportedFile>, Error> {
        Ok(None)
    }
}
