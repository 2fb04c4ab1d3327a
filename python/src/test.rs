//! Laws.

use a2lint::cli::test_for_program;
use pyo3::prelude::*;

use crate::value_error;
use crate::waiting::apart;

/// What came of the laws for the kernels of a file.
#[pyclass(frozen)]
pub struct Tested {
    /// The JSON object of `a2lint test --json`.
    #[pyo3(get)]
    json: String,
    /// The report for people.
    #[pyo3(get)]
    text: String,
    /// Whether a law is violated.
    #[pyo3(get)]
    violated: bool,
    /// Whether nothing could be tried on some kernel.
    #[pyo3(get)]
    untried: bool,
}

/// Tries laws on `FILE[::KERNEL]`, which is not executed by Python.
#[pyfunction]
#[pyo3(signature = (target, options))]
pub fn test(py: Python, target: String, options: Vec<String>) -> PyResult<Tested> {
    let work = move || test_for_program(&target, &options);
    let tested = apart(py, work)?.map_err(value_error)?;
    Ok(Tested {
        json: tested.json,
        text: tested.text,
        violated: tested.is_violated,
        untried: tested.is_untried,
    })
}
