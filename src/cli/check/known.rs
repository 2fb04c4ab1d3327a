//! Baselines: hiding, writing and pruning.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::args::BaselineArgs;
use super::engine::Outcome;
use crate::baseline::{Baseline, name_in};
use crate::cli::output::Streams;
use crate::cli::{Failure, files};
use crate::disk;
use crate::record::{self, HiddenBy};
use crate::report::count;

/// Name of the baseline where nothing gives another.
const DEFAULT_NAME: &str = "a2lint-baseline.json";

/// What baselines knew.
#[derive(Default)]
pub struct Known {
    /// Findings that were hidden.
    pub hidden: usize,
    /// Findings that baselines count and that are no longer there.
    gone: BTreeMap<PathBuf, usize>,
}

impl Known {
    /// Asks to prune the baselines that know more than is there.
    pub fn remind(&self, streams: &Streams) {
        for (path, &number) in self.gone.iter().filter(|(_, number)| **number > 0) {
            let (path, findings) = (files::shown(path), count(number, "finding"));
            streams.remark(&format!(
                "{path} counts {findings} no longer there: run `a2lint check --prune-baseline`\n"
            ));
        }
    }
}

/// Hides what baselines know.
pub fn hide(outcome: &mut Outcome) -> Result<Known, Failure> {
    let mut baselines: BTreeMap<PathBuf, Baseline> = BTreeMap::new();
    let mut known = Known::default();
    for file in &mut outcome.files {
        let Some(path) = file.config.baseline.clone() else {
            continue;
        };
        if !baselines.contains_key(&path) {
            baselines.insert(path.clone(), read(&path)?);
        }
        let name = name_in(&path, &file.path);
        let findings = &mut file.report.analysis.findings;
        let effect = baselines[&path].hide(&name, &file.report.source, findings);
        known.hidden += effect.hidden.len();
        let records = &mut file.report.analysis.records;
        record::hide(records, &effect.hidden, HiddenBy::Baseline);
        *known.gone.entry(path).or_default() += effect.gone;
    }
    for (path, baseline) in &baselines {
        let vanished = vanished(path, baseline);
        let counted = vanished.iter().map(|name| baseline.count_of(name));
        *known.gone.entry(path.clone()).or_default() += counted.sum::<usize>();
    }
    Ok(known)
}

/// Writes or prunes the baselines of the checked files.
pub fn update(args: &BaselineArgs, outcome: &Outcome, streams: &Streams) -> Result<(), Failure> {
    let mut baselines: BTreeMap<PathBuf, (Baseline, usize)> = BTreeMap::new();
    for file in &outcome.files {
        let path = file.config.baseline.clone();
        let path = path.unwrap_or_else(|| files::absolute(Path::new(DEFAULT_NAME)));
        if !baselines.contains_key(&path) {
            let old = match path.exists() {
                true => read(&path)?,
                false => Baseline::default(),
            };
            let before = old.len();
            baselines.insert(path.clone(), (old, before));
        }
        let name = name_in(&path, &file.path);
        let (source, findings) = (&file.report.source, &file.report.analysis.findings);
        let (baseline, _) = baselines.get_mut(&path).expect("it was just read");
        match args.prune_baseline {
            true => baseline.prune(&name, source, findings),
            false => baseline.record(&name, source, findings),
        }
    }
    for (path, (mut baseline, before)) in baselines {
        for name in vanished(&path, &baseline) {
            baseline.forget(&name);
        }
        super::publish::write_file(&path, &baseline.render())?;
        let shown = files::shown(&path);
        let message = match args.prune_baseline {
            true => {
                let pruned = before - baseline.len();
                format!("Took {} out of {shown}\n", count(pruned, "finding"))
            }
            false => format!("{shown} counts {}\n", count(baseline.len(), "finding")),
        };
        streams.remark(&message);
        if args.write_baseline
            && outcome
                .files
                .iter()
                .any(|file| file.config.baseline.is_none())
        {
            streams.remark(&format!(
                "To use it, write `baseline = \"{DEFAULT_NAME}\"` into a2lint.toml\n"
            ));
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<Baseline, Failure> {
    let failure = |cause: String| Failure::Baseline {
        path: files::shown(path),
        cause,
    };
    let text = disk::text(path, disk::MAX_BASELINE).map_err(|cause| failure(cause.to_string()))?;
    Baseline::parse(&text).map_err(failure)
}

/// Files that a baseline knows and that are no longer there.
fn vanished(path: &Path, baseline: &Baseline) -> Vec<String> {
    let folder = path.parent().unwrap_or(path);
    let gone = baseline.paths().filter(|name| !folder.join(name).exists());
    gone.map(str::to_owned).collect()
}
