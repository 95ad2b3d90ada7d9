//! PyO3 bindings.
