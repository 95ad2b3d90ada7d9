//! The Python module `stackmask._native`: exports only.
//!
//! A binding converts its arguments, makes one engine call without the interpreter's lock, and
//! converts the result. What the calls mean is documented in `python/stackmask/_native.pyi`.

mod batch;
mod buffer;
mod cache;
mod cancel;
mod compiled;
mod compiler;
mod compose;
mod convert;
mod diagnostic;
mod draft;
mod errors;
mod flight;
mod forced;
mod grammar;
mod json;
mod lark;
mod limits;
mod matcher;
mod pickle;
mod pieces;
mod pool;
mod rows;
mod schema;
mod vocabulary;

use pyo3::pymodule;

#[pymodule(gil_used = false)]
mod _native {
    #[pymodule_export]
    use crate::batch::fill_batch;
    #[pymodule_export]
    use crate::cache::CacheInfo;
    #[pymodule_export]
    use crate::cancel::Cancellation;
    #[pymodule_export]
    use crate::compiled::CompiledGrammar;
    #[pymodule_export]
    use crate::compiler::GrammarCompiler;
    #[pymodule_export]
    use crate::compose::compose;
    #[pymodule_export]
    use crate::diagnostic::Diagnostic;
    #[pymodule_export]
    use crate::draft::{fill_draft_chain, fill_draft_tree};
    #[pymodule_export]
    use crate::errors::{
        GrammarCancelledError, GrammarError, GrammarSyntaxError, GrammarTooComplexError,
        InvalidSchemaError, MatcherError, RollbackError, UnsatisfiableSchemaError,
        UnsupportedSchemaError, VocabularyError,
    };
    #[pymodule_export]
    use crate::grammar::Grammar;
    #[pymodule_export]
    use crate::limits::Limits;
    #[pymodule_export]
    use crate::matcher::GrammarMatcher;
    #[pymodule_export]
    use crate::pieces::{known_stop_ids, piece_bytes};
    #[pymodule_export]
    use crate::vocabulary::Vocabulary;
    use pyo3::types::{PyModule, PyModuleMethods};
    use pyo3::{Bound, PyResult};

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
