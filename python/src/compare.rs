//! Comparisons of two versions of a kernel.

use a2lint::cli::compare_for_program;
use pyo3::prelude::*;

use crate::value_error;
use crate::waiting::apart;

/// What came of a comparison.
#[pyclass(frozen)]
pub struct Compared {
    /// The JSON object of `a2lint compare --json`.
    #[pyo3(get)]
    json: String,
    /// The report for people.
    #[pyo3(get)]
    text: String,
    /// The page of `a2lint compare --report`.
    #[pyo3(get)]
    page: String,
    /// Whether the new version is as good or better.
    #[pyo3(get)]
    as_good: bool,
}

/// Compares `OLD[::KERNEL]` with `NEW[::KERNEL]`; neither is executed by Python.
#[pyfunction]
#[pyo3(signature = (old, new, options))]
pub fn compare(py: Python, old: String, new: String, options: Vec<String>) -> PyResult<Compared> {
    let work = move || compare_for_program(&old, &new, &options);
    let compared = apart(py, work)?.map_err(value_error)?;
    Ok(Compared {
        json: compared.json,
        text: compared.text,
        page: compared.page,
        as_good: compared.is_as_good,
    })
}
