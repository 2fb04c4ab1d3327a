//! What the Python package `a2lint` asks of the library: checking texts and files, opening files, running their
//! kernels. The package's own modules in `python/a2lint` make Python objects of it; this one is private to them.
//!
//! The crate is a member of the workspace that is built by itself (it is none of the `default-members`): `cargo test`
//! needs neither Python nor its bindings. `python/build_backend.py` puts the binary of the command line into the same
//! wheel; its allocator is linked by `main.rs` alone. `_standin.py` has the stand-ins of `python -m a2lint.exec`:
//! kernels are found in the text by file and line, and what they do comes from there.
//!
//! # Where to start reading
//! `check` and `File` for what is handed out, `waiting` for long work without the interpreter's lock; `python/tests`
//! for the package.
//!
//! # Invariants
//! - Bytes of arrays are copied on their way in and out, because any thread of Python may write to what NumPy owns.
//! - A run that has ended does not change, so reports of it need no lock; no mutex is held while the interpreter's lock
//!   is taken (`python/tests/test_threads.py`).
//! - There is no `unsafe` (`the_python_package_has_no_unsafe` in `tests/it/tidy.rs`).
//!
//! `tests/package.sh` builds the wheel and tries all of it.

mod arrays;
mod check;
mod compare;
mod file;
mod run;
mod test;
mod waiting;

use pyo3::prelude::*;

#[pymodule]
mod _core {
    #[pymodule_export]
    use super::check::{Checked, check, explain, names};
    #[pymodule_export]
    use super::compare::{Compared, compare};
    #[pymodule_export]
    use super::file::File;
    #[pymodule_export]
    use super::run::Ran;
    #[pymodule_export]
    use super::test::{Tested, test};

    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const version: &str = env!("CARGO_PKG_VERSION");
}

/// An exception that says what went wrong; the package has names for the kinds.
fn value_error(message: impl ToString) -> PyErr {
    pyo3::exceptions::PyValueError::new_err(message.to_string())
}
