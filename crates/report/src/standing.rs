//! The standing of a kernel after a check: wrong, clean, open. Each kernel has exactly one.

use std::collections::HashMap;

use super::examined::{self, listed, place};
use super::{FileReport, printable};
use a2lint_ir::finding::Severity;
use a2lint_ir::verdict::{Property, Status, Verdict};
use a2lint_rules::record::{GapKind, KernelRecord};
use a2lint_source::spelling::count;
use a2lint_source::text::Span;

/// Maximum number of conditions in the sentence about a clean kernel; `-v` shows the others.
const CONDITIONS: usize = 6;

/// Maximum number of properties whose reasons are all given.
const LISTED: usize = 3;

/// What is known of a kernel, in one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// It has an error.
    Wrong,
    /// It has a warning, but no error.
    Suspect,
    /// It was not analysed.
    NotAnalysed,
    /// It has no error and no warning, and some property is not proved for every launch that a user would ask for.
    Open,
    /// All properties are proved, and there is a note about it.
    Noted,
    /// All properties are proved, and there are no findings.
    Clean,
}

impl Standing {
    /// Every standing, in the order of the summary.
    pub const ALL: [Standing; 6] = [
        Standing::Wrong,
        Standing::Suspect,
        Standing::Clean,
        Standing::Noted,
        Standing::Open,
        Standing::NotAnalysed,
    ];

    /// Returns the word after the number of such kernels.
    pub fn word(self) -> &'static str {
        match self {
            Standing::Wrong => "wrong",
            Standing::Suspect => "with warnings",
            Standing::NotAnalysed => "not analysed",
            Standing::Open => "open",
            Standing::Noted => "proved, with notes",
            Standing::Clean => "clean",
        }
    }

    /// Returns the name in machine-readable reports.
    pub fn name(self) -> &'static str {
        match self {
            Standing::Wrong => "wrong",
            Standing::Suspect => "warned",
            Standing::NotAnalysed => "not-analysed",
            Standing::Open => "open",
            Standing::Noted => "noted",
            Standing::Clean => "clean",
        }
    }

    /// Returns the standing of a kernel.
    pub fn of(report: &FileReport, record: &KernelRecord, verdicts: &[Verdict]) -> Standing {
        let findings = &report.analysis.findings;
        let own = findings.iter().filter(|it| it.is_in(&record.name));
        match own.map(|finding| finding.severity).max() {
            Some(Severity::Error) => return Standing::Wrong,
            Some(Severity::Warning) => return Standing::Suspect,
            _ if !is_proved(verdicts) => return Standing::Open,
            _ if !record.restrictions(verdicts).is_empty() => return Standing::Open,
            _ if outside(report).is_some() => return Standing::Open,
            Some(Severity::Info) => return Standing::Noted,
            None => {}
        }
        Standing::Clean
    }
}

/// Returns whether all properties are proved, possibly under preconditions.
fn is_proved(verdicts: &[Verdict]) -> bool {
    let mut verdicts = verdicts.iter();
    verdicts.all(|verdict| matches!(verdict.status, Status::Proved { .. }))
}

/// Returns why no kernel of a file can be called clean: a part outside of its kernels was not analysed or is wrong.
fn outside(report: &FileReport) -> Option<String> {
    let analysis = &report.analysis;
    let gap = analysis.not_analysed.iter().find(|it| it.kernel.is_none());
    if let Some(gap) = gap {
        return Some(format!(
            "a part of its file was not analysed: {}",
            gap.reason
        ));
    }
    let mut errors = analysis.findings.iter();
    let error = errors.find(|it| it.kernel.is_none() && it.severity == Severity::Error)?;
    Some(format!(
        "`{}` is reported outside of the kernels of its file{}",
        error.name,
        place(&report.source, Some(error.span))
    ))
}

/// Counts the kernels of a file by standing, in the order of [`Standing::ALL`].
pub fn counts(report: &FileReport) -> [usize; 6] {
    let mut counts = [0; 6];
    let mut add = |standing: Standing, number: usize| {
        let at = Standing::ALL.iter().position(|it| *it == standing);
        counts[at.unwrap_or_default()] += number;
    };
    let analysis = &report.analysis;
    for (record, verdicts) in analysis.records.iter().zip(analysis.verdicts()) {
        add(Standing::of(report, record, &verdicts), 1);
    }
    let gaps = analysis.not_analysed.iter();
    let gaps: Vec<&str> = gaps.filter_map(|gap| gap.kernel.as_deref()).collect();
    add(Standing::NotAnalysed, gaps.len());
    // Kernels with mask instructions of other languages have no record: their findings name them.
    let mut left = analysis.kernels.saturating_sub(analysis.records.len());
    let mut worst: HashMap<&str, Severity> = HashMap::new();
    for finding in &analysis.findings {
        for name in finding.kernel.iter().chain(&finding.also_in) {
            let has_record = analysis.records.iter().any(|record| record.name == *name);
            if !has_record && !gaps.contains(&name.as_str()) {
                let severity = worst.entry(name).or_insert(finding.severity);
                *severity = finding.severity.max(*severity);
            }
        }
    }
    let found = |wanted| worst.values().filter(|it| **it == wanted).count();
    for (severity, standing) in [
        (Severity::Error, Standing::Wrong),
        (Severity::Warning, Standing::Suspect),
        (Severity::Info, Standing::Noted),
    ] {
        let number = found(severity).min(left);
        add(standing, number);
        left -= number;
    }
    let others = match outside(report) {
        Some(_) => Standing::Open,
        None => Standing::Clean,
    };
    add(others, left);
    counts
}

/// Returns the sentence about a kernel: for which launches it is clean, or what is missing to be clean and what the
/// author can do. `None` if it has errors or warnings, which say more.
pub fn sentence(
    report: &FileReport,
    record: &KernelRecord,
    verdicts: &[Verdict],
) -> Option<String> {
    let text = match Standing::of(report, record, verdicts) {
        Standing::Clean => format!("clean {}", launches(record, verdicts)),
        Standing::Noted => format!("proved {}", launches(record, verdicts)),
        Standing::Open => format!("open: {}", why_open(report, record, verdicts)),
        Standing::Wrong | Standing::Suspect | Standing::NotAnalysed => return None,
    };
    Some(printable(&text).into_owned())
}

/// Formats for which launches the proofs of a kernel hold: `for every launch where x, y are [M, 64]; M: any size`.
fn launches(record: &KernelRecord, verdicts: &[Verdict]) -> String {
    let conditions = record.conditions(verdicts);
    let mut text = "for every launch".to_owned();
    let stated = joined(&conditions.stated);
    if !stated.is_empty() {
        let shown: Vec<String> = stated.iter().take(CONDITIONS).cloned().collect();
        text += &format!(" where {}", shown.join(", "));
        if let Some(more @ 1..) = stated.len().checked_sub(CONDITIONS) {
            text += &format!(", and {} (-v)", count(more, "more condition"));
        }
    }
    let reach = match conditions.fits_indices {
        true => " whose products fit an index (-v)",
        false => "",
    };
    if !conditions.any_size.is_empty() {
        text += &format!(
            "; {}: any size{reach}",
            listed(&conditions.any_size, CONDITIONS)
        );
    } else if conditions.fits_indices {
        text += "; sizes whose products fit an index (-v)";
    }
    text
}

/// Joins conditions that say the same of several tensors: `x, y are [M, 64]`.
fn joined(stated: &[String]) -> Vec<String> {
    let mut all: Vec<(Vec<&str>, &str)> = Vec::new();
    for text in stated {
        let (name, rest) = text.split_once(" is ").unwrap_or((text, ""));
        match all.iter_mut().find(|it| it.1 == rest && !rest.is_empty()) {
            Some((names, _)) => names.push(name),
            None => all.push((vec![name], rest)),
        }
    }
    let text = |(names, rest): (Vec<&str>, &str)| match (names.len(), rest) {
        (_, "") => names.join(", "),
        (1, rest) => format!("{} is {rest}", names[0]),
        (_, rest) => format!("{} are {rest}", names.join(", ")),
    };
    all.into_iter().map(text).collect()
}

/// Formats what an open kernel lacks, and what its author can do.
fn why_open(report: &FileReport, record: &KernelRecord, verdicts: &[Verdict]) -> String {
    let missing: Vec<&Verdict> = verdicts
        .iter()
        .filter(|verdict| !matches!(verdict.status, Status::Proved { .. }))
        .collect();
    let Some(first) = missing.first() else {
        let only = record.restrictions(verdicts).join(", ");
        if only.is_empty() {
            return outside(report).unwrap_or_default();
        }
        // Contracts have conditions on integers.
        let is_contract = |c: char| c.is_ascii_alphanumeric() || "_ <>=%,".contains(c);
        let contract = if only.chars().all(is_contract) {
            &only
        } else {
            "…"
        };
        return format!(
            "it holds only for {only}; handle the other launches, or exclude them by a comment above it: \
             `a2lint: assume({contract})`"
        );
    };
    let advice = advice(record, first);
    let mut reasons: Vec<(Vec<&str>, String)> = Vec::new();
    for verdict in &missing {
        let (because, at) = reason(record, verdict).unwrap_or_default();
        let text = format!("{}{}", root(&because), place(&report.source, at));
        let name = verdict.property.name();
        match reasons.iter_mut().find(|(_, known)| *known == text) {
            Some((names, _)) => names.push(name),
            None => reasons.push((vec![name], text)),
        }
    }
    // Each reason decides about its own properties alone.
    if reasons.len() > 1 && missing.len() <= LISTED {
        let reasons = reasons.iter().map(|(names, text)| {
            let verb = if names.len() == 1 { "is" } else { "are" };
            format!("{} {verb} not proved: {text}", names.join(", "))
        });
        return format!("{}; {advice}", reasons.collect::<Vec<_>>().join("; "));
    }
    let names: Vec<&str> = missing.iter().map(|it| it.property.name()).collect();
    let names = match names.len() {
        number if number == Property::COUNT => "no property is".to_owned(),
        1 => format!("{} is", names[0]),
        number if number <= LISTED => format!("{} are", names.join(", ")),
        number => format!("{number} of {} properties are", Property::COUNT),
    };
    let not = if missing.len() == Property::COUNT {
        ""
    } else {
        " not"
    };
    let text = reasons.first().map_or("", |(_, text)| text);
    format!("{names}{not} proved: {text}; {advice}")
}

/// Returns why a property is not proved, with the place.
pub(super) fn reason(record: &KernelRecord, verdict: &Verdict) -> Option<(String, Option<Span>)> {
    match &verdict.status {
        Status::Undecided { because, at } => Some((because.clone(), *at)),
        Status::Tested => record.unproved(verdict.property),
        Status::Proved { .. } | Status::Refuted { .. } => None,
    }
}

/// Returns the reason without the other properties that it passes through: `order is not proved: …`.
fn root(because: &str) -> &str {
    let lead = |property: &Property| {
        let rest = because.strip_prefix(property.name())?;
        rest.strip_prefix(" is not proved: ")
    };
    Property::ALL.iter().find_map(lead).unwrap_or(because)
}

/// Returns what the author of a kernel can do about a property that is not proved.
fn advice(record: &KernelRecord, verdict: &Verdict) -> &'static str {
    let gap = record.gap();
    let is_gap = |because: &str| gap.as_ref().is_some_and(|gap| gap.because == because);
    match (&verdict.status, gap.as_ref().map(|gap| gap.kind)) {
        (Status::Undecided { because, .. }, Some(GapKind::PartlyTraced)) if is_gap(because) => {
            "give a2lint what this line needs: the file it imports, or a value that is known"
        }
        (Status::Undecided { because, .. }, Some(GapKind::Guessed | GapKind::PartlyGuessed))
            if is_gap(because)
                || matches!(verdict.property, Property::Bounds | Property::Ownership) =>
        {
            "say what it is called with, in a comment above it: `a2lint: launch(M=64, x=half[64, 64])`"
        }
        (Status::Undecided { because, .. }, Some(GapKind::NotReplayed)) if is_gap(because) => {
            "give a launch that runs, in a comment above it: `a2lint: launch(M=64, x=half[64, 64])`"
        }
        (Status::Undecided { because, .. }, Some(GapKind::PartlyReplayed)) if is_gap(because) => {
            "give smaller sizes (`a2lint: launch(…)` above it), or more time (`--work N`)"
        }
        (Status::Undecided { .. }, _) => "-v shows all that is known of it",
        _ if record.has_proof(verdict.property) => "handle such launches too, or take them out",
        _ => {
            "it ran without a fault; a contract (`a2lint: assume(…)`) can give the proof what it lacks"
        }
    }
}

/// Counts what the open kernels of a run lack: `7 are tested only, 2 not read whole`.
pub fn shortages(reports: &[FileReport]) -> Vec<(&'static str, usize)> {
    let mut found: Vec<(&'static str, usize)> = Vec::new();
    for report in reports {
        let analysis = &report.analysis;
        for (record, verdicts) in analysis.records.iter().zip(analysis.verdicts()) {
            if Standing::of(report, record, &verdicts) != Standing::Open {
                continue;
            }
            let what = shortage(record, &verdicts);
            match found.iter_mut().find(|(known, _)| *known == what) {
                Some((_, number)) => *number += 1,
                None => found.push((what, 1)),
            }
        }
    }
    found.sort_by_key(|(what, number)| (std::cmp::Reverse(*number), *what));
    found
}

fn shortage(record: &KernelRecord, verdicts: &[Verdict]) -> &'static str {
    if is_proved(verdicts) {
        return match record.restrictions(verdicts).is_empty() {
            true => "in files with other gaps",
            false => "proved for some sizes only",
        };
    }
    let is_undecided = |verdict: &Verdict| matches!(verdict.status, Status::Undecided { .. });
    match record.gap() {
        Some(gap) => gap.kind.label(),
        None if verdicts.iter().any(is_undecided) => "undecided",
        None => "tested, but not proved",
    }
}

/// Returns the sentences about all kernels of a run that have one, and about what was not analysed, each with its
/// name.
pub(super) fn sentences(reports: &[FileReport]) -> Vec<(Standing, String)> {
    let mut all = Vec::new();
    for report in reports {
        let analysis = &report.analysis;
        for (record, verdicts) in analysis.records.iter().zip(analysis.verdicts()) {
            if let Some(text) = sentence(report, record, &verdicts) {
                let standing = Standing::of(report, record, &verdicts);
                let name = examined::kernel(report, record);
                all.push((standing, format!("{name} is {text}")));
            }
        }
        for gap in &analysis.not_analysed {
            let path = printable(&report.path);
            let name = match &gap.kernel {
                Some(kernel) => format!("{path}::{}", printable(kernel)),
                None => path.into_owned(),
            };
            let part = match gap.kernel.is_none() && analysis.kernels > 0 {
                true => "not wholly analysed",
                false => "not analysed",
            };
            let text = format!("{name} was {part}: {}", printable(&gap.reason));
            all.push((Standing::NotAnalysed, text));
        }
    }
    all
}
