//! What the Python package `a2lint` asks of the library: checking texts and files, opening files, running
//! their kernels. The package's own modules make Python objects of it; this one is private to them.

mod arrays;
mod check;
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
