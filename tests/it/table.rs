//! The results for every kernel and mask source of `tests` as one table, so that the effect of a change is visible in
//! review: findings, verdicts, completed launches, cycles.
//!
//! `UPDATE_TABLE=1 cargo test --test it table` writes the table.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use a2lint::check::Analysis;
use a2lint::device::Device;
use a2lint::finding::Finding;
use a2lint::language::Language;
use a2lint::machine::{Bindings, BoundLaunch, Clock, Options, simulate};
use a2lint::record::KernelRecord;
use a2lint::replay::LaunchOutcome;
use a2lint::text::SourceText;
use a2lint::verdict::{Status, Verdicts};
use rayon::prelude::*;

use super::cost::Timed;
use crate::common::{analysis_of, checked, language, read, root, sources};

/// The path of the table.
const TABLE: &str = "tests/table.txt";
/// The folders in the table.
const FOLDERS: [&str; 5] = [
    "tests/kernels",
    "tests/dialects/ascriptor/kernels",
    "tests/sync",
    "tests/masks",
    "tests/ptx",
];
const HEAD: &str = "\
# What a2lint says of kernels and mask sources: by file its findings, by kernel what is known of capacity, operands,
# bounds, initialised, order, progress, ownership and scalars (P proved, I proved under preconditions, T tested,
# R refuted, - undecided), launches that came to their end, and cycles under the first launch of the file.
# `UPDATE_TABLE=1 cargo test --test it table` writes it.
";

#[test]
fn the_table_is_up_to_date() {
    let paths: Vec<_> = FOLDERS
        .iter()
        .flat_map(|folder| sources(&root().join(folder)))
        .collect();
    let rows: Vec<String> = paths.par_iter().map(|path| row(path)).collect();
    let table = format!("{HEAD}{}", rows.concat());
    let path = root().join(TABLE);
    if std::env::var_os("UPDATE_TABLE").is_some() {
        std::fs::write(&path, &table).expect("a file");
    }
    let known = read(&path).replace("\r\n", "\n");
    let differs = known.lines().zip(table.lines()).find(|(a, b)| a != b);
    if let Some((known, now)) = differs {
        panic!("{TABLE} says\n  {known}\nand it is\n  {now}\nnow: `UPDATE_TABLE=1` writes it");
    }
    assert_eq!(known.len(), table.len(), "{TABLE} has other files");
}

/// Returns the row of a file.
fn row(path: &Path) -> String {
    let text = read(path);
    let mut row = path
        .strip_prefix(root())
        .expect("a file of the repository")
        .to_string_lossy()
        .replace('\\', "/");
    match language(path) {
        Language::Easyasc => {
            let analysis = checked(&text);
            row += &summary(&analysis);
            for (record, verdicts) in analysis.records.iter().zip(analysis.verdicts()) {
                row += &kernel(&analysis, record, &verdicts);
            }
        }
        other => row += &summary(&analysis_of(&SourceText::new(text), other, false)),
    }
    row
}

/// Formats the findings by rule, and the parts that were not analysed.
fn summary(analysis: &Analysis) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let name = |finding: &Finding| finding.name;
    for name in analysis.findings.iter().map(name) {
        *counts.entry(name).or_default() += 1;
    }
    let gaps = analysis.not_analysed().len();
    let mut parts: Vec<String> = counts
        .into_iter()
        .map(|(name, count)| format!("{count} {name}"))
        .collect();
    if gaps > 0 {
        parts.push(format!("{gaps} not analysed"));
    }
    match parts.is_empty() {
        true => ": clean\n".to_owned(),
        false => format!(": {}\n", parts.join(", ")),
    }
}

/// Formats the verdicts and launches of a kernel.
fn kernel(analysis: &Analysis, record: &KernelRecord, verdicts: &Verdicts) -> String {
    let letters: String = verdicts.iter().map(|it| letter(&it.status)).collect();
    let runs = record.launches.iter();
    let ended = runs.filter(|run| run.outcome == LaunchOutcome::Finished);
    let mut row = format!(
        "    {:<28} {letters} {:>3} of {:<3}",
        record.name,
        ended.count(),
        record.launches.len()
    );
    if let Some(cycles) = cycles(analysis, &record.name) {
        write!(row, " {cycles:>10}").expect("text takes text");
    }
    row.trim_end().to_owned() + "\n"
}

fn letter(status: &Status) -> char {
    match status {
        Status::Proved { under, .. } if under.is_empty() => 'P',
        Status::Proved { .. } => 'I',
        Status::Tested => 'T',
        Status::Refuted { .. } => 'R',
        Status::Undecided { .. } => '-',
    }
}

/// Returns the cycles of a kernel under its first launch.
fn cycles(analysis: &Analysis, name: &str) -> Option<i64> {
    let module = &analysis.module;
    let program = module.programs.iter().find(|it| it.name == name)?;
    let launch = module.launches.iter().find(|it| it.kernel == name)?;
    let (none, device) = (Bindings::default(), Device::default());
    let all = &module.launches;
    let bound = BoundLaunch::bind(program, Some(launch), all, &none, device, 1 << 28).ok()?;
    let mut timed = Timed(Clock::new(program, bound.cores, false));
    simulate(program, &bound, &Options::default(), &mut timed);
    Some(timed.0.estimate().cycles)
}
