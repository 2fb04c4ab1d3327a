//! The standing of a kernel after a check: wrong, clean, open. Each kernel has exactly one.

use std::collections::HashMap;

use super::examined::{self, listed, place};
use super::{FileReport, printable};
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::verdict::{Property, Status, Verdict};
use a2lint_ir::{BLOCK_DIM, NotAnalysed};
use a2lint_launches::LaunchSource;
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
    /// The text on one line, which follows the name: `is clean for every launch where …`.
    pub text: String,
    /// What an open kernel lacks, each on a line of its own that begins with its word: `not proved: …`, `tested: …`,
    /// `next: …`. Empty for other kernels.
    pub lines: Vec<String>,
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
    let lines = said.lines.iter();
    Some(Sentence {
        text: printable(&format!("{word}{}", said.text)).into_owned(),
        lines: lines.map(|line| printable(line).into_owned()).collect(),
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

/// Maximum number of characters of the conditions of an open kernel in a narrow place.
const NARROW: usize = 48;

/// Formats what an open kernel lacks, without reasons.
fn shortly_open(record: &KernelRecord, verdicts: &[Verdict]) -> String {
    let missing = verdicts
        .iter()
        .filter(|verdict| !matches!(verdict.status, Status::Proved { .. }));
    let names: Vec<&str> = missing.map(|it| it.property.name()).collect();
    let only = record.restrictions(verdicts);
    match names.len() {
        0 if only.is_empty() => "its file has other gaps".to_owned(),
        0 if only.join(", ").chars().count() > NARROW => "it holds only for some sizes".to_owned(),
        0 => format!("it holds only for {}", only.join(", ")),
        missing if missing > LISTED => {
            format!(
                "{} of {} proved",
                Property::COUNT - missing,
                Property::COUNT
            )
        }
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
        lines: Vec::new(),
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

/// Formats what an open kernel lacks, what was tested, and what its author can do.
fn why_open(found: Found, record: &KernelRecord, verdicts: &[Verdict]) -> Sentence {
    let mut missing = verdicts
        .iter()
        .filter(|verdict| !matches!(verdict.status, Status::Proved { .. }))
        .peekable();
    let only = record.restrictions(verdicts);
    let Some(&first) = missing.peek() else {
        if only.is_empty() {
            return in_lines(vec![outside(found).unwrap_or_default()], false);
        }
        let lacks = format!("it holds only for {}", only.join(", "));
        // A contract is about what a launch passes, and the number of lanes is not passed.
        let next = match only.iter().any(|it| it.contains(BLOCK_DIM)) {
            true => "let the other lanes do nothing, or give each one its part".to_owned(),
            false => format!(
                "handle the other launches, or exclude them by a comment above it: {}",
                contract(record, &[], &only)
            ),
        };
        return in_lines(vec![lacks, format!("next: {next}")], false);
    };
    let missing: Vec<&Verdict> = missing.collect();
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
    // Of many reasons, the first is told.
    let told = if missing.len() <= LISTED {
        reasons.len()
    } else {
        1
    };
    let mut lines: Vec<String> = reasons
        .iter()
        .take(told)
        .map(|(names, text)| {
            let names = match (told, missing.len()) {
                (1, Property::COUNT) => "no property is proved".to_owned(),
                (1, number) if number > LISTED => {
                    format!("not proved: {number} of {} properties", Property::COUNT)
                }
                _ => format!("not proved: {}", names.join(", ")),
            };
            format!("{names}: {text}")
        })
        .collect();
    let advice = advice(record, first, &missing, &only);
    let is_told = advice.is_told();
    lines.extend(advice.tested.map(|text| format!("tested: {text}")));
    lines.extend(advice.next.map(|text| format!("next: {text}")));
    in_lines(lines, !is_told)
}

/// Makes the sentence of an open kernel from its lines.
fn in_lines(lines: Vec<String>, is_short: bool) -> Sentence {
    Sentence {
        text: lines.join("; "),
        lines,
        is_short,
    }
}

/// Formats the comment with a contract: the shapes of tensors, and those conditions that a contract can state.
fn contract(record: &KernelRecord, tensors: &[String], conditions: &[String]) -> String {
    // Contracts have conditions on integers.
    let is_contract = |c: char| c.is_ascii_alphanumeric() || "_. <>=%,".contains(c);
    let can_state = |text: &&String| text.chars().all(is_contract);
    let shapes = tensors.iter().map(|tensor| {
        let mut known = record.extents.iter();
        let extents = known.find(|(name, _)| name == tensor);
        let extents = extents.map_or("[…]", |(_, extents)| extents);
        format!("{tensor}={extents}")
    });
    let shapes: Vec<String> = shapes.collect();
    let stated: Vec<&str> = conditions
        .iter()
        .filter(can_state)
        .map(|it| &**it)
        .collect();
    let stated = match (
        stated.is_empty(),
        conditions.is_empty() || !shapes.is_empty(),
    ) {
        (true, false) => vec!["…"],
        _ => stated,
    };
    let shapes = (!shapes.is_empty()).then(|| format!("shapes({})", shapes.join(", ")));
    let stated = (!stated.is_empty()).then(|| format!("assume({})", stated.join(", ")));
    let parts = shapes.into_iter().chain(stated);
    let mark = &record.comment;
    let comments = parts.map(|part| format!("`{mark} a2lint: {part}`"));
    comments.collect::<Vec<_>>().join(" and ")
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

/// What was tested of a kernel, and what its author can do.
#[derive(Default)]
struct Advice {
    tested: Option<String>,
    next: Option<String>,
}

impl Advice {
    fn next(text: impl Into<String>) -> Advice {
        Advice {
            next: Some(text.into()),
            ..Advice::default()
        }
    }

    fn is_told(&self) -> bool {
        self.tested.is_some() || self.next.is_some()
    }
}

/// Returns what was tested and what the author of a kernel can do about the first property that is not proved. `only`
/// are the launches for which others are.
fn advice(
    record: &KernelRecord,
    verdict: &Verdict,
    missing: &[&Verdict],
    only: &[String],
) -> Advice {
    let gap = record.gap();
    let is_gap = |because: &str| gap.as_ref().is_some_and(|gap| gap.because == because);
    match (&verdict.status, gap.as_ref().map(|gap| gap.kind)) {
        (Status::Undecided { because, .. }, Some(GapKind::PartlyTraced)) if is_gap(because) => {
            let is_elsewhere = because.contains("import") || because.contains("includ");
            match is_elsewhere {
                true => Advice::next("give a2lint the file that this line needs"),
                false => Advice {
                    tested: Some("nothing that depends on this line".to_owned()),
                    next: None,
                },
            }
        }
        (Status::Undecided { because, .. }, Some(GapKind::Guessed | GapKind::PartlyGuessed))
            if is_gap(because)
                || matches!(verdict.property, Property::Bounds | Property::Ownership) =>
        {
            let asks = "say what it is called with, each scalar and tensor, in a comment above it";
            Advice::next(match &record.example {
                Some(launch) => format!("{asks}: `{launch}`, with your sizes"),
                None => asks.to_owned(),
            })
        }
        (Status::Undecided { because, .. }, Some(GapKind::NotReplayed)) if is_gap(because) => {
            Advice::next("give a launch that runs, each scalar and tensor, in a comment above it")
        }
        (Status::Undecided { because, .. }, Some(GapKind::PartlyReplayed))
            if is_gap(because) && !because.contains(" cannot ") =>
        {
            Advice::next(
                "give smaller sizes (`a2lint: launch(…)` above it), or more time (`--work N`)",
            )
        }
        (Status::Undecided { .. }, _) => Advice::default(),
        _ if record.has_proof(verdict.property) => Advice {
            tested: Some(
                "such launches ran without a fault; the proof does not cover them".to_owned(),
            ),
            next: None,
        },
        _ => {
            let tensors = missing.iter().filter_map(|it| lacks_extents(record, it));
            let tensors: Vec<String> = tensors.collect();
            let next = match tensors.is_empty() {
                false => Some(format!(
                    "write above the kernel {}",
                    contract(record, &tensors, only)
                )),
                true if is_limit(record, verdict) => Some(
                    "nothing: this is a limit of a2lint, so there is nothing to change in the kernel"
                        .to_owned(),
                ),
                true => None,
            };
            Advice {
                tested: ran(record),
                next,
            }
        }
    }
}

/// Says which launches ran: `the launch in line 40 (M=64) ran without a fault, and 2 more`. `None` if a finding about
/// the kernel is not shown: one of them may have shown it.
fn ran(record: &KernelRecord) -> Option<String> {
    if !record.hidden.is_empty() {
        return None;
    }
    let finished = record
        .launches
        .iter()
        .filter(|run| run.outcome == LaunchOutcome::Finished);
    // The largest one says most.
    let size = |run: &LaunchRun| run.arguments.iter().map(|it| it.1.abs()).sum::<f64>();
    let first = finished.clone().max_by(|a, b| {
        let is_given = |run: &LaunchRun| !is_chosen(run);
        let given = is_given(a).cmp(&is_given(b));
        given.then(size(a).total_cmp(&size(b)))
    });
    let Some(first) = first else {
        return Some("it ran without a fault".to_owned());
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
    let origin = match (&first.place, is_chosen(first)) {
        (_, true) => "a launch with sizes that a2lint chose",
        (Some(place), _) => place,
        (None, _) => "its launch",
    };
    let arguments = match shown.is_empty() {
        true => String::new(),
        false => format!(" ({}{cut})", shown.join(", ")),
    };
    let others = match finished.count() - 1 {
        0 => String::new(),
        more => format!(", and {more} more"),
    };
    let unstored = match first.unstored.is_empty() {
        true => String::new(),
        false => format!(
            "; it does not store {}, which the host may allocate beyond what is needed",
            listed(&first.unstored, LISTED)
        ),
    };
    Some(format!(
        "{origin}{arguments} ran without a fault{others}{unstored}"
    ))
}

/// Returns whether the checker chose the sizes of a launch.
fn is_chosen(run: &LaunchRun) -> bool {
    matches!(run.source, LaunchSource::Guess | LaunchSource::Variant)
}

/// Returns whether a proof is missing because a2lint does not follow what an instruction does.
fn is_limit(record: &KernelRecord, verdict: &Verdict) -> bool {
    let unproved = record.unproved(verdict.property);
    unproved.is_some_and(|(because, _)| because.contains(" is not followed"))
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
                lines: Vec::new(),
                is_short: false,
            };
            all.push((name, sentence));
        }
    }
    all
}
