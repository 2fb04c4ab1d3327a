//! The standing of a kernel after a check: wrong, clean, open. Each kernel has exactly one.

use std::collections::HashMap;

use super::examined::{self, listed, place};
use super::{FileReport, printable};
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::verdict::{Property, Status, Verdict};
use a2lint_ir::{BLOCK_DIM, NotAnalysed};
use a2lint_replay::{LaunchOutcome, LaunchRun};
use a2lint_rules::record::{GapKind, KernelRecord};
use a2lint_source::spelling::count;
use a2lint_source::text::{SourceText, Span};

/// Maximum number of conditions in the sentence about a clean kernel; `-v` shows the others.
const CONDITIONS: usize = 6;

/// Maximum number of properties whose reasons are all given.
const LISTED: usize = 3;

/// Maximum number of arguments of a launch that are named.
const ARGUMENTS: usize = 4;

/// What a check has found in a file, without the records of its kernels.
#[derive(Clone, Copy)]
pub struct Found<'a> {
    /// The text.
    pub source: &'a SourceText,
    /// The shown findings.
    pub findings: &'a [Finding],
    /// The parts that were not analysed.
    pub gaps: &'a [NotAnalysed],
}

impl<'a> From<&'a FileReport> for Found<'a> {
    fn from(report: &'a FileReport) -> Found<'a> {
        Found {
            source: &report.source,
            findings: &report.analysis.findings,
            gaps: &report.analysis.not_analysed,
        }
    }
}

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
    pub fn of<'a>(
        found: impl Into<Found<'a>>,
        record: &KernelRecord,
        verdicts: &[Verdict],
    ) -> Standing {
        let found = found.into();
        let own = found.findings.iter().filter(|it| it.is_in(&record.name));
        match own.map(|finding| finding.severity).max() {
            Some(Severity::Error) => return Standing::Wrong,
            _ if has_error_inside(found, record) => return Standing::Wrong,
            Some(Severity::Warning) => return Standing::Suspect,
            _ if !is_proved(verdicts) => return Standing::Open,
            _ if !record.restrictions(verdicts).is_empty() => return Standing::Open,
            _ if outside(found).is_some() => return Standing::Open,
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
fn outside(found: Found) -> Option<String> {
    let gap = found.gaps.iter().find(|it| it.kernel.is_none());
    if let Some(gap) = gap {
        return Some(format!(
            "a part of its file was not analysed: {}",
            gap.reason
        ));
    }
    let mut errors = found.findings.iter();
    let error = errors.find(|it| it.kernel.is_none() && it.severity == Severity::Error)?;
    Some(format!(
        "`{}` is reported outside of the kernels of its file{}",
        error.name,
        place(found.source, Some(error.span))
    ))
}

/// Returns whether an error that names no kernel, such as one of syntax, is on a line of this kernel that could not be
/// evaluated.
fn has_error_inside(found: Found, record: &KernelRecord) -> bool {
    let line = |span: Span| found.source.line_column(span.start).line;
    let mut errors = found.findings.iter();
    errors.any(|it| {
        let is_nowhere = it.kernel.is_none() && it.severity == Severity::Error;
        let mut unknown = record.unknown.iter();
        is_nowhere && unknown.any(|code| line(code.span) == line(it.span))
    })
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
    let others = match outside(report.into()) {
        Some(_) => Standing::Open,
        None => Standing::Clean,
    };
    add(others, left);
    counts
}

/// The sentence about a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sentence {
    /// The text, which follows the name: `is clean for every launch where …`.
    pub text: String,
    /// Whether conditions or reasons are left out that `-v` shows.
    pub is_short: bool,
}

/// Returns the sentence about a kernel: for which launches it is clean, or what is missing to be clean and what the
/// author can do. `None` if it has errors or warnings, which say more.
pub fn sentence<'a>(
    found: impl Into<Found<'a>>,
    record: &KernelRecord,
    verdicts: &[Verdict],
) -> Option<Sentence> {
    let found = found.into();
    let (word, said) = match Standing::of(found, record, verdicts) {
        Standing::Clean => ("is clean ", launches(record, verdicts)),
        Standing::Noted => ("is proved ", launches(record, verdicts)),
        Standing::Open => ("is open: ", why_open(found, record, verdicts)),
        Standing::Wrong | Standing::Suspect | Standing::NotAnalysed => return None,
    };
    Some(Sentence {
        text: printable(&format!("{word}{}", said.text)).into_owned(),
        ..said
    })
}

/// Returns what is known of a kernel in one sentence without its name, in the words of the summary of a check:
/// `clean for every launch; M: any size`, `wrong: race (line 12)`.
pub fn title(found: Found, record: &KernelRecord) -> String {
    let verdicts = record.verdicts(found.findings);
    match sentence(found, record, &verdicts) {
        Some(sentence) => match sentence.text.strip_prefix("is ") {
            Some(text) => text.to_owned(),
            None => sentence.text,
        },
        None => accused(found, record, &verdicts, |finding| {
            format!(
                "{}{}",
                finding.name,
                place(found.source, Some(finding.span))
            )
        }),
    }
}

/// Returns what is known of a kernel in a few words, for a narrow place: `clean`, `open: order is not proved`,
/// `wrong: race`.
pub fn label(found: Found, record: &KernelRecord) -> String {
    let verdicts = record.verdicts(found.findings);
    let standing = Standing::of(found, record, &verdicts);
    match standing {
        Standing::Open => format!("{}: {}", standing.word(), shortly_open(record, &verdicts)),
        Standing::Clean | Standing::Noted | Standing::NotAnalysed => standing.word().to_owned(),
        Standing::Wrong | Standing::Suspect => {
            accused(found, record, &verdicts, |finding| finding.name.to_owned())
        }
    }
}

/// Formats the standing of a kernel with errors or warnings, and those findings.
fn accused(
    found: Found,
    record: &KernelRecord,
    verdicts: &[Verdict],
    text: impl Fn(&Finding) -> String,
) -> String {
    let word = Standing::of(found, record, verdicts).word();
    let own = found.findings.iter().filter(|it| it.is_in(&record.name));
    let worst = own.clone().map(|it| it.severity).max();
    let mut texts: Vec<String> = own
        .filter(|it| Some(it.severity) == worst)
        .map(text)
        .collect();
    texts.dedup();
    match texts.is_empty() {
        true => word.to_owned(),
        false => format!("{word}: {}", listed(&texts, LISTED)),
    }
}

/// Formats what an open kernel lacks, without reasons.
fn shortly_open(record: &KernelRecord, verdicts: &[Verdict]) -> String {
    let missing = verdicts
        .iter()
        .filter(|verdict| !matches!(verdict.status, Status::Proved { .. }));
    let names: Vec<&str> = missing.map(|it| it.property.name()).collect();
    let only = record.restrictions(verdicts);
    match names.len() {
        0 if only.is_empty() => "its file has other gaps".to_owned(),
        0 => format!("it holds only for {}", only.join(", ")),
        _ => format!("{} proved", unproved_names(&names)),
    }
}

/// Formats the subject of a sentence about properties that are not proved: `order is not`, `no property is`.
fn unproved_names(names: &[&str]) -> String {
    match names.len() {
        number if number == Property::COUNT => "no property is".to_owned(),
        1 => format!("{} is not", names[0]),
        number if number <= LISTED => format!("{} are not", names.join(", ")),
        number => format!("{number} of {} properties are not", Property::COUNT),
    }
}

/// Summarises the kernels of a file in one line: `softmax: clean; rows: wrong: race`.
pub fn line(found: Found, records: &[KernelRecord]) -> String {
    let named = records.iter().take(LISTED);
    let known = named.map(|record| format!("{}: {}", record.name, label(found, record)));
    let known: Vec<String> = known.collect();
    let rest = match records.len().saturating_sub(LISTED) {
        0 => String::new(),
        more => format!("; and {}", count(more, "more kernel")),
    };
    known.join("; ") + &rest
}

/// Formats for which launches the proofs of a kernel hold: `for every launch where x, y are [M, 64]; M: any size`.
/// A contract is named, since what it excludes was not looked at.
fn launches(record: &KernelRecord, verdicts: &[Verdict]) -> Sentence {
    let mut conditions = record.conditions(verdicts);
    let contract = listed(&record.contract, CONDITIONS);
    let mut text = match contract.is_empty() {
        true => "for every launch".to_owned(),
        false => format!("for every launch within its contract ({contract})"),
    };
    let limited = |name: &String| record.contract.iter().any(|text| limits(text, name));
    conditions.any_size.retain(|name| !limited(name));
    let stated = joined(&conditions.stated);
    if !stated.is_empty() {
        let shown: Vec<String> = stated.iter().take(CONDITIONS).cloned().collect();
        text += &format!(" where {}", shown.join(", "));
        if let Some(more @ 1..) = stated.len().checked_sub(CONDITIONS) {
            text += &format!(", and {}", count(more, "more condition"));
        }
    }
    let reach = match conditions.fits_indices {
        true => " whose products fit an index",
        false => "",
    };
    if !conditions.any_size.is_empty() {
        text += &format!(
            "; {}: any size{reach}",
            listed(&conditions.any_size, CONDITIONS)
        );
    } else if conditions.fits_indices {
        text += "; sizes whose products fit an index";
    }
    Sentence {
        text,
        is_short: stated.len() > CONDITIONS || conditions.fits_indices,
    }
}

/// Returns whether a part of a contract is a condition on a parameter. The shape of a tensor names a size without
/// limiting it.
fn limits(part: &str, name: &str) -> bool {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    !part.contains('[') && part.split(|c| !is_name(c)).any(|word| word == name)
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
fn why_open(found: Found, record: &KernelRecord, verdicts: &[Verdict]) -> Sentence {
    let whole = |text: String| Sentence {
        text,
        is_short: false,
    };
    let missing: Vec<&Verdict> = verdicts
        .iter()
        .filter(|verdict| !matches!(verdict.status, Status::Proved { .. }))
        .collect();
    let Some(first) = missing.first() else {
        let only = record.restrictions(verdicts).join(", ");
        if only.is_empty() {
            return whole(outside(found).unwrap_or_default());
        }
        // A contract is about what a launch passes, and the number of lanes is not passed.
        if only.contains(BLOCK_DIM) {
            return whole(format!(
                "it holds only for {only}; let the other lanes do nothing, or give each one its part"
            ));
        }
        // Contracts have conditions on integers.
        let is_contract = |c: char| c.is_ascii_alphanumeric() || "_. <>=%,".contains(c);
        let contract = if only.chars().all(is_contract) {
            &only
        } else {
            "…"
        };
        return whole(format!(
            "it holds only for {only}; handle the other launches, or exclude them by a comment above it: \
             `a2lint: assume({contract})`"
        ));
    };
    let advice = advice(record, first);
    let with_advice = |text: String| Sentence {
        is_short: advice.is_none(),
        text: advice.map_or(text.clone(), |advice| format!("{text}; {advice}")),
    };
    let mut reasons: Vec<(Vec<&str>, String)> = Vec::new();
    for verdict in &missing {
        let (because, at) = reason(record, verdict).unwrap_or_default();
        let text = format!("{}{}", root(&because), place(found.source, at));
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
        return with_advice(reasons.collect::<Vec<_>>().join("; "));
    }
    let names: Vec<&str> = missing.iter().map(|it| it.property.name()).collect();
    let names = unproved_names(&names);
    let text = reasons.first().map_or("", |(_, text)| text);
    with_advice(format!("{names} proved: {text}"))
}

/// Returns why a property is not proved, with the place.
pub(super) fn reason(record: &KernelRecord, verdict: &Verdict) -> Option<(String, Option<Span>)> {
    match &verdict.status {
        Status::Undecided { because, at } => Some((because.clone(), *at)),
        Status::Tested => record.unproved(verdict.property),
        Status::Refuted { .. } => Some(("a finding shows where it may not hold".to_owned(), None)),
        Status::Proved { .. } => None,
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

/// Returns what the author of a kernel can do about a property that is not proved; `None` if nothing is known to help.
fn advice(record: &KernelRecord, verdict: &Verdict) -> Option<String> {
    let gap = record.gap();
    let is_gap = |because: &str| gap.as_ref().is_some_and(|gap| gap.because == because);
    let advice = match (&verdict.status, gap.as_ref().map(|gap| gap.kind)) {
        (Status::Undecided { because, .. }, Some(GapKind::PartlyTraced)) if is_gap(because) => {
            let is_elsewhere = because.contains("import") || because.contains("includ");
            match is_elsewhere {
                true => "give a2lint the file that this line needs",
                false => "what depends on this line is not examined",
            }
        }
        (Status::Undecided { because, .. }, Some(GapKind::Guessed | GapKind::PartlyGuessed))
            if is_gap(because)
                || matches!(verdict.property, Property::Bounds | Property::Ownership) =>
        {
            let asks = "say what it is called with, each scalar and tensor, in a comment above it";
            return Some(match &record.example {
                Some(launch) => format!("{asks}: `{launch}`, with your sizes"),
                None => asks.to_owned(),
            });
        }
        (Status::Undecided { because, .. }, Some(GapKind::NotReplayed)) if is_gap(because) => {
            "give a launch that runs, each scalar and tensor, in a comment above it"
        }
        (Status::Undecided { because, .. }, Some(GapKind::PartlyReplayed))
            if is_gap(because) && !because.contains(" cannot ") =>
        {
            "give smaller sizes (`a2lint: launch(…)` above it), or more time (`--work N`)"
        }
        (Status::Undecided { .. }, _) => return None,
        _ if record.has_proof(verdict.property) => {
            "such launches ran without a fault; the proof does not cover them"
        }
        _ => match lacks_extents(record, verdict) {
            Some(tensor) => {
                return Some(format!(
                    "{}; where the proof lacks the extents of `{tensor}`, a contract above the \
                     kernel gives them: `shapes({tensor}=…)`",
                    ran(record)
                ));
            }
            None if is_limit(record, verdict) => {
                return Some(format!(
                    "{}; this is a limit of a2lint, so there is nothing to change in the kernel",
                    ran(record)
                ));
            }
            None => return Some(ran(record)),
        },
    };
    Some(advice.to_owned())
}

/// Says with which sizes a kernel ran, as a clause: `it ran without a fault with M=64 and in 2 more launches`.
fn ran(record: &KernelRecord) -> String {
    let said = "it ran without a fault".to_owned();
    let finished = record
        .launches
        .iter()
        .filter(|run| run.outcome == LaunchOutcome::Finished);
    // The largest one says most.
    let size = |run: &&LaunchRun| run.arguments.iter().map(|it| it.1.abs()).sum::<f64>();
    let given = finished.clone().filter(|run| !run.arguments.is_empty());
    let Some(first) = given.max_by(|a, b| size(a).total_cmp(&size(b))) else {
        return said;
    };
    let shown = first.arguments.iter().take(ARGUMENTS);
    let shown: Vec<String> = shown
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    let cut = if first.arguments.len() > ARGUMENTS {
        ", …"
    } else {
        ""
    };
    let others = match finished.count() - 1 {
        0 => String::new(),
        1 => " and in 1 more launch".to_owned(),
        more => format!(" and in {more} more launches"),
    };
    format!("{said} with {}{cut}{others}", shown.join(", "))
}

/// Returns whether a proof is missing because a2lint does not follow what an instruction does.
fn is_limit(record: &KernelRecord, verdict: &Verdict) -> bool {
    let unproved = record.unproved(verdict.property);
    unproved.is_some_and(|(because, _)| because.ends_with(" is not followed"))
}

/// Returns the tensor whose extents a proof asks for, which only a contract can give it.
fn lacks_extents(record: &KernelRecord, verdict: &Verdict) -> Option<String> {
    let (because, _) = record.unproved(verdict.property)?;
    let name = match because.split_once(".shape[") {
        Some((before, _)) => before.rsplit('`').next(),
        None => ["every element of `", "an access may leave `"]
            .iter()
            .find_map(|words| {
                let (_, after) = because.split_once(words)?;
                after.split('`').next()
            }),
    };
    let name = name.filter(|name| !name.is_empty())?;
    let start = format!("{name}=");
    let is_known = record.contract.iter().any(|part| part.starts_with(&start));
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    (!is_known && name.chars().all(is_name)).then(|| name.to_owned())
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
pub(super) fn sentences(reports: &[FileReport]) -> Vec<(String, Sentence)> {
    let mut all = Vec::new();
    for report in reports {
        let analysis = &report.analysis;
        for (record, verdicts) in analysis.records.iter().zip(analysis.verdicts()) {
            if let Some(sentence) = sentence(report, record, &verdicts) {
                all.push((examined::kernel(report, record), sentence));
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
            let text = format!("was {part}: {}", printable(&gap.reason));
            let sentence = Sentence {
                text,
                is_short: false,
            };
            all.push((name, sentence));
        }
    }
    all
}
