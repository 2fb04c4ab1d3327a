//! Baselines of known findings.

use std::collections::HashMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use a2lint_ir::finding::Finding;
use a2lint_lint::baseline::GivenBaseline;
use a2lint_lint::baseline::{Baseline, name_in};
use a2lint_lint::config::ConfigError;
use a2lint_source::text::SourceText;

/// Cached baselines, each read once.
#[derive(Debug, Default)]
pub struct Baselines(Mutex<HashMap<GivenBaseline, Result<Arc<Baseline>, ConfigError>>>);

impl Baselines {
    /// Returns the part of a baseline about a file.
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

/// The known findings of a document.
#[derive(Debug)]
pub struct Known {
    baseline: Arc<Baseline>,
    name: String,
}

impl Known {
    /// Removes known findings from those of the document, and returns them.
    pub fn hide(&self, source: &SourceText, findings: &mut Vec<Finding>) -> Vec<Finding> {
        self.baseline.hide(&self.name, source, findings).hidden
    }
}
