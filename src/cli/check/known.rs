//! Hides findings that a baseline counts, and writes and prunes baselines.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;

use super::args::BaselineArgs;
use super::engine::Outcome;
use crate::cli::output::Streams;
use crate::cli::{Failure, files};
use a2lint_lint::baseline::GivenBaseline;
use a2lint_lint::baseline::{Baseline, name_in};
use a2lint_report::printable;
use a2lint_rules::record::{self, HiddenBy};
use a2lint_source::disk::{self, Named};
use a2lint_source::spelling::count;

/// The name of the baseline if none is configured.
const DEFAULT_NAME: &str = "a2lint-baseline.json";

/// The effect of the baselines on a check.
#[derive(Default)]
pub struct Known {
    /// Number of hidden findings.
    pub hidden: usize,
    /// Number of findings that each baseline counts and that no longer exist.
    gone: BTreeMap<GivenBaseline, usize>,
}

impl Known {
    /// Prints a hint to prune the baselines that count findings which no longer exist.
    pub fn remind(&self, streams: &Streams) {
        for (given, &number) in self.gone.iter().filter(|(_, number)| **number > 0) {
            let (path, findings) = (shown(given), count(number, "finding"));
            streams.remark(&format!(
                "{path} counts {findings} no longer there: run `a2lint check --prune-baseline`\n"
            ));
        }
    }
}

/// Hides the findings that the baselines count.
pub fn hide(outcome: &mut Outcome) -> Result<Known, Failure> {
    let mut baselines: BTreeMap<GivenBaseline, Baseline> = BTreeMap::new();
    let mut known = Known::default();
    for file in &mut outcome.files {
        let Some(given) = file.config.baseline.clone() else {
            continue;
        };
        if !baselines.contains_key(&given) {
            baselines.insert(given.clone(), read(&given)?);
        }
        let name = name_in(&given.path, &file.path);
        let findings = &mut file.report.analysis.findings;
        let effect = baselines[&given].hide(&name, &file.report.source, findings);
        known.hidden += effect.hidden.len();
        let records = &mut file.report.analysis.records;
        record::hide(records, &effect.hidden, HiddenBy::Baseline);
        *known.gone.entry(given).or_default() += effect.gone;
    }
    for (given, baseline) in &baselines {
        let vanished = vanished(&given.path, baseline);
        let counted = vanished.iter().map(|name| baseline.count_of(name));
        *known.gone.entry(given.clone()).or_default() += counted.sum::<usize>();
    }
    Ok(known)
}

/// Writes or prunes the baselines of the checked files.
pub fn update(args: &BaselineArgs, outcome: &Outcome, streams: &Streams) -> Result<(), Failure> {
    let mut baselines: BTreeMap<GivenBaseline, (Baseline, usize)> = BTreeMap::new();
    for file in &outcome.files {
        let given = file.config.baseline.clone().unwrap_or_else(default);
        if !baselines.contains_key(&given) {
            let old = match given.path.exists() {
                true => read(&given)?,
                false => Baseline::default(),
            };
            let before = old.len();
            baselines.insert(given.clone(), (old, before));
        }
        let name = name_in(&given.path, &file.path);
        let (source, findings) = (&file.report.source, &file.report.analysis.findings);
        let (baseline, _) = baselines.get_mut(&given).expect("it was just read");
        match args.prune_baseline {
            true => baseline.prune(&name, source, findings),
            false => baseline.record(&name, source, findings),
        }
    }
    for (given, (mut baseline, before)) in baselines {
        for name in vanished(&given.path, &baseline) {
            baseline.forget(&name);
        }
        write(&given, &baseline)?;
        let shown = shown(&given);
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

/// Returns the default baseline, a file in the working directory.
fn default() -> GivenBaseline {
    let here = files::absolute(Path::new("."));
    GivenBaseline {
        path: here.join(DEFAULT_NAME),
        named: Named::In(here),
    }
}

fn shown(given: &GivenBaseline) -> String {
    printable(&files::shown(&given.path)).into_owned()
}

fn read(given: &GivenBaseline) -> Result<Baseline, Failure> {
    given.read().map_err(|cause| Failure::Baseline {
        path: files::shown(&given.path),
        cause,
    })
}

fn write(given: &GivenBaseline, baseline: &Baseline) -> Result<(), Failure> {
    let text = baseline.render();
    let written = disk::replace(&given.path, &given.named, |file| {
        file.write_all(text.as_bytes())
    });
    written.map_err(|cause| Failure::Output {
        path: files::shown(&given.path),
        cause,
    })
}

/// Returns the paths in a baseline that no longer exist.
fn vanished(path: &Path, baseline: &Baseline) -> Vec<String> {
    let folder = path.parent().unwrap_or(path);
    let gone = baseline.paths().filter(|name| !folder.join(name).exists());
    gone.map(str::to_owned).collect()
}
