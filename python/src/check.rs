//! Checking, and what there is to know of rules and names.

use std::path::PathBuf;

use a2lint::cli::check_for_program;
use a2lint::report::programs::{CheckedFiles, Request};
use pyo3::prelude::*;

use crate::value_error;
use crate::waiting::apart;

/// A file, a folder or a text that was checked.
#[pyclass(frozen)]
pub struct Checked {
    /// The JSON object of `a2lint check --output-format json`.
    #[pyo3(get)]
    json: String,
    /// The report for people.
    #[pyo3(get)]
    text: String,
    /// The report for coding agents.
    #[pyo3(get)]
    agent: String,
    /// What is proved of the kernels.
    #[pyo3(get)]
    proofs: String,
    /// What could not be read.
    #[pyo3(get)]
    complaints: Vec<String>,
}

impl From<CheckedFiles> for Checked {
    fn from(files: CheckedFiles) -> Checked {
        Checked {
            json: files.json(),
            text: files.text(),
            agent: files.agent(),
            proofs: files.proofs(),
            complaints: files.complaints,
        }
    }
}

/// Checks a path, or a text as if it stood there. Nothing that is checked is executed.
#[pyfunction]
#[pyo3(signature = (path, source, options))]
pub fn check(
    py: Python,
    path: PathBuf,
    source: Option<String>,
    options: Vec<String>,
) -> PyResult<Checked> {
    let request = match source {
        Some(text) => Request::Text(path, text),
        None => Request::Path(path),
    };
    let work = move || check_for_program(&request, &options, None).map(Checked::from);
    apart(py, work)?.map_err(value_error)
}

/// The documentation of a rule as Markdown; `None` where there is none of this name or code.
#[pyfunction]
pub fn explain(rule: &str) -> Option<String> {
    let mut rules = a2lint::rules::RULES.iter();
    let rule = rules.find(|known| known.name == rule || known.code.eq_ignore_ascii_case(rule))?;
    Some(rule.markdown())
}

/// What the facade of a dialect exports: names of instructions, types and constructors.
#[pyfunction]
pub fn names(dialect: &str) -> Vec<String> {
    let dialect = match dialect {
        "ascriptor" => a2lint::isa::Dialect::Ascriptor,
        _ => a2lint::isa::Dialect::Easyasc,
    };
    a2lint::frontend::facade_names(dialect)
}
