//! Findings that a project lives with: the baselines of configurations.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use a2lint_ir::finding::Finding;
use a2lint_lint::baseline::GivenBaseline;
use a2lint_lint::baseline::{Baseline, name_in};
use a2lint_lint::config::ConfigError;
use a2lint_source::text::SourceText;

/// Baselines by path, each read once.
#[derive(Debug, Default)]
pub struct Baselines(Mutex<HashMap<GivenBaseline, Result<Arc<Baseline>, ConfigError>>>);

impl Baselines {
    /// What a baseline knows of a file.
    pub fn of(&self, baseline: &GivenBaseline, file: &Path) -> Result<Known, ConfigError> {
        let mut baselines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let entry = baselines.entry(baseline.clone());
        let known = entry.or_insert_with(|| read(baseline).map(Arc::new));
        Ok(Known {
            baseline: known.clone()?,
            name: name_in(&baseline.path, file),
        })
    }
}

fn read(given: &GivenBaseline) -> Result<Baseline, ConfigError> {
    given.read().map_err(|cause| ConfigError {
        path: given.path.to_string_lossy().into_owned(),
        text: String::new(),
        span: None,
        message: format!("cannot use the baseline: {cause}"),
        help: None,
    })
}

/// What a baseline knows of a document.
#[derive(Debug)]
pub struct Known {
    baseline: Arc<Baseline>,
    name: String,
}

impl Known {
    /// Takes the known ones out of the findings of the document, and hands them over.
    pub fn hide(&self, source: &SourceText, findings: &mut Vec<Finding>) -> Vec<Finding> {
        self.baseline.hide(&self.name, source, findings).hidden
    }
}
