//! Texts about what was examined: the lines below a report, and the table of a kernel.

use super::{FileReport, Paint, printable};
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::verdict::{Property, Status, Verdict};
use a2lint_launches::LaunchSource;
use a2lint_replay::{LaunchOutcome, LaunchRun};
use a2lint_rules::record::{GapKind, KernelRecord, launch_text};
use a2lint_source::spelling::count;
use a2lint_source::text::{SourceText, Span};

/// Maximum number of kernels that are named in one line.
const NAMED: usize = 3;
/// Minimum number of kernels for which reasons are counted instead of listed.
pub(super) const LISTED: usize = 8;
/// Maximum number of reasons in such a list.
const REASONS: usize = 10;
/// Width of the first column of a table.
const WIDTH: usize = 11;

/// A part of a kernel that was not examined or decided, and why.
pub struct Open {
    /// The part: `not replayed`, `order undecided`.
    pub what: String,
    /// The reason, as a clause.
    pub because: String,
    /// The place, if there is one.
    pub at: Option<Span>,
}

impl Open {
    /// Formats both: `not replayed: its sizes follow the shape of `x``.
    pub fn text(&self) -> String {
        match self.because.is_empty() {
            true => self.what.clone(),
            false => format!("{}: {}", self.what, self.because),
        }
    }
}

/// Returns what has to be said about a kernel even without findings: that it was not examined completely, and that
/// its proofs hold for some launches only.
pub fn notices(record: &KernelRecord, findings: &[Finding]) -> Vec<Open> {
    let restricted = restriction(record, findings).map(|what| Open {
        what,
        because: String::new(),
        at: None,
    });
    open(record, findings)
        .into_iter()
        .chain(restricted)
        .collect()
}

/// Formats the restriction of a kernel's proofs to some launches, `holds only for N % 64 == 0`; `None` if no
/// restriction has to be said along with the verdicts.
fn restriction(record: &KernelRecord, findings: &[Finding]) -> Option<String> {
    let only = record.restrictions(&record.verdicts(findings));
    (!only.is_empty()).then(|| format!("holds only for {}", only.join(", ")))
}

/// Formats the restrictions of all kernels of a run: `holds only for N % 64 == 0 (k.py::rows), and 2 more kernels`.
pub(super) fn restrictions(reports: &[FileReport]) -> Option<String> {
    let of_report = |report| {
        let FileReport { analysis, .. }: &FileReport = report;
        analysis.records.iter().filter_map(move |record| {
            let text = restriction(record, &analysis.findings)?;
            Some((kernel(report, record), text))
        })
    };
    let all: Vec<(String, String)> = reports.iter().flat_map(of_report).collect();
    let (name, text) = all.first()?;
    let text = printable(text);
    let kernels: usize = reports.iter().map(|it| it.analysis.records.len()).sum();
    let is_one = all.iter().all(|(_, other)| other == &text);
    Some(match all.len() {
        _ if is_one && all.len() == kernels => text.into_owned(),
        1 => format!("{text} ({name})"),
        number if is_one => format!("{text} ({})", count(number, "kernel")),
        number => format!(
            "{text} ({name}), and {} under other conditions",
            count(number - 1, "more kernel")
        ),
    })
}

/// Returns the first part of the examination of a kernel that was left out, or its first undecided property.
pub fn open(record: &KernelRecord, findings: &[Finding]) -> Option<Open> {
    if let Some(gap) = record.gap() {
        return Some(Open {
            what: gap.kind.clause().to_owned(),
            because: gap.because,
            at: gap.at,
        });
    }
    let verdicts = record.verdicts(findings);
    verdicts.into_iter().find_map(|verdict| {
        let Status::Undecided { because, at } = verdict.status else {
            return None;
        };
        let what = format!("{} undecided", verdict.property.name());
        Some(Open { what, because, at })
    })
}

/// Returns the properties of a kernel that are only tested, grouped by the reason why they are not proved. Empty if a
/// property is refuted, which may be the reason and is reported anyway.
pub(super) fn tested(record: &KernelRecord, verdicts: &[Verdict]) -> Vec<Open> {
    let is_refuted = |verdict: &Verdict| matches!(verdict.status, Status::Refuted { .. });
    if verdicts.iter().any(is_refuted) {
        return Vec::new();
    }
    let tested = verdicts.iter().filter(|it| it.status == Status::Tested);
    let mut groups: Vec<(Vec<Property>, String, Option<Span>)> = Vec::new();
    for property in tested.map(|it| it.property) {
        let Some((because, at)) = record.unproved(property) else {
            continue;
        };
        let same = |group: &&mut (_, String, Option<Span>)| (&group.1, group.2) == (&because, at);
        match groups.iter_mut().find(same) {
            Some((properties, ..)) => properties.push(property),
            None => groups.push((vec![property], because, at)),
        }
    }
    let open = |(properties, because, at): (Vec<Property>, String, Option<Span>)| {
        let names = properties.iter().map(|property| property.name());
        let names = match properties.len() == Property::ALL.len() {
            true => "all properties".to_owned(),
            false => names.collect::<Vec<_>>().join(", "),
        };
        let what = format!("{names} tested only");
        Open { what, because, at }
    };
    groups.into_iter().map(open).collect()
}

/// The preconditions of a kernel's proofs.
pub(super) struct Conditions {
    /// Whether all of its properties are proved.
    pub is_whole: bool,
    under: Vec<String>,
}

impl Conditions {
    /// Returns the preconditions of a kernel; `None` if its proofs hold for every launch.
    pub(super) fn of(record: &KernelRecord, verdicts: &[Verdict]) -> Option<Conditions> {
        let is_proved = |verdict: &Verdict| matches!(verdict.status, Status::Proved { .. });
        let conditions = Conditions {
            is_whole: verdicts.iter().all(is_proved),
            under: record.preconditions(verdicts),
        };
        (!conditions.under.is_empty()).then_some(conditions)
    }

    /// Returns the clause before the preconditions: `proved under preconditions`.
    pub(super) fn clause(is_whole: bool) -> &'static str {
        match is_whole {
            true => "proved under preconditions",
            false => "proved in part, under preconditions",
        }
    }

    /// Formats the preconditions: `M >= 1, N >= 1`.
    pub(super) fn text(&self) -> String {
        self.under.join(", ")
    }
}

/// Renders the lines of a summary about incomplete examinations, one for each kind. `all_reasons` lists every reason.
pub(super) fn lines(reports: &[FileReport], all_reasons: bool, paint: Paint) -> String {
    let mut out = String::new();
    for kind in GapKind::ALL {
        let entries: Vec<Entry> = entries(reports, kind);
        let Some(first) = entries.first() else {
            continue;
        };
        let head = format!("{} {}:", count(entries.len(), "kernel"), kind.clause());
        let head = paint.severity(Severity::Warning, &head);
        let is_one_reason = entries.iter().all(|entry| entry.because == first.because);
        let rest = match entries.len() {
            1 => format!("{}: {}", first.kernel, first.because),
            2..=NAMED if is_one_reason => {
                let names: Vec<&str> = entries.iter().map(|it| it.kernel.as_str()).collect();
                format!("{} ({})", first.because, names.join(", "))
            }
            _ if is_one_reason => format!("{} (-v names them)", first.because),
            LISTED.. => by_reason(&entries, all_reasons),
            _ => format!(
                "{}: {}{}",
                first.kernel,
                first.because,
                more(entries.len(), 1)
            ),
        };
        out += &format!("{head} {rest}\n");
    }
    out + &untried_line(reports, paint)
        + &undecided_line(reports, paint)
        + &tested_line(reports, paint)
        + &preconditions_line(reports, paint)
}

/// Counts the reasons of kernels, the most frequent reason first, with one example kernel for each.
fn by_reason(entries: &[Entry], all_reasons: bool) -> String {
    let mut reasons: Vec<(&str, usize, &Entry)> = Vec::new();
    for entry in entries {
        let reason = without_places(&entry.because);
        match reasons.iter_mut().find(|(known, ..)| *known == reason) {
            Some((_, number, _)) => *number += 1,
            None => reasons.push((reason, 1, entry)),
        }
    }
    reasons.sort_by_key(|(_, number, _)| std::cmp::Reverse(*number));
    let width = reasons.first().map_or(0, |it| it.1.to_string().len());
    let mut out = String::new();
    let most = if all_reasons { reasons.len() } else { REASONS };
    for (reason, number, entry) in reasons.iter().take(most) {
        out += &format!("\n  {number:>width$}  {reason} (as {})", entry.kernel);
    }
    match reasons.len().saturating_sub(most) {
        0 => out,
        rest => {
            let rest = count(rest, "other reason");
            out + &format!("\n  and {rest}; --statistics counts all")
        }
    }
}

/// Returns a reason without the leading and trailing source locations.
fn without_places(because: &str) -> &str {
    let because = match because.rsplit_once(" (line ") {
        Some((reason, _)) => reason,
        None => because,
    };
    let Some((place, reason)) = because.split_once(": ") else {
        return because;
    };
    let is_place = place.rsplit_once(':').is_some_and(|(path, line)| {
        !path.contains(' ') && !line.is_empty() && line.bytes().all(|it| it.is_ascii_digit())
    });
    if is_place { reason } else { because }
}

/// Renders the line about kernels that are proved under preconditions, completely or in part.
fn preconditions_line(reports: &[FileReport], paint: Paint) -> String {
    let of_report = |report| {
        let FileReport { analysis, .. }: &FileReport = report;
        analysis.records.iter().filter_map(move |record| {
            let conditions = Conditions::of(record, &record.verdicts(&analysis.findings))?;
            Some((kernel(report, record), conditions))
        })
    };
    let all: Vec<(String, Conditions)> = reports.iter().flat_map(of_report).collect();
    let Some((name, first)) = all.first() else {
        return String::new();
    };
    let whole = all.iter().filter(|(_, conditions)| conditions.is_whole);
    let clause = match whole.count() {
        0 => Conditions::clause(false).to_owned(),
        whole if whole == all.len() => Conditions::clause(true).to_owned(),
        whole => format!(
            "{}, {} of them in part",
            Conditions::clause(true),
            all.len() - whole
        ),
    };
    let head = format!("{} {clause}:", count(all.len(), "kernel"));
    let head = paint.severity(Severity::Info, &head);
    let text = first.text();
    let rest = match all.len() {
        1 => format!("{name}: {}", printable(&text)),
        _ if all.iter().all(|(_, other)| other.text() == text) => printable(&text).into_owned(),
        _ => "-v shows them".to_owned(),
    };
    format!("{head} {rest}\n")
}

/// Renders the line about kernels with possible speed-ups that were not measured.
fn untried_line(reports: &[FileReport], paint: Paint) -> String {
    let of_report = |report| {
        let FileReport { analysis, .. }: &FileReport = report;
        let records = analysis.records.iter().filter(|record| record.untried > 0);
        records.map(move |record| (kernel(report, record), record.untried))
    };
    let found: Vec<(String, u32)> = reports.iter().flat_map(of_report).collect();
    let Some((name, _)) = found.first() else {
        return String::new();
    };
    let changes: usize = found.iter().map(|(_, untried)| *untried as usize).sum();
    let head = format!("{} that may save time not tried:", count(changes, "change"));
    let head = paint.severity(Severity::Warning, &head);
    format!(
        "{head} {name} takes too long to run{}\n",
        more(found.len(), 1)
    )
}

/// Renders the line about undecided properties of kernels that were examined completely.
fn undecided_line(reports: &[FileReport], paint: Paint) -> String {
    let mut texts = Vec::new();
    for report in reports {
        let findings = &report.analysis.findings;
        let whole = report.analysis.records.iter();
        for record in whole.filter(|record| record.gap().is_none()) {
            for verdict in record.verdicts(findings) {
                if let Status::Undecided { because, at } = verdict.status {
                    let kernel = kernel(report, record);
                    let (property, place) = (verdict.property.name(), place(&report.source, at));
                    let because = printable(&because);
                    texts.push(format!("{kernel} {property}: {because}{place}"));
                }
            }
        }
    }
    let Some(first) = texts.first() else {
        return String::new();
    };
    let noun = match texts.len() {
        1 => "1 property undecided:".to_owned(),
        n => format!("{n} properties undecided:"),
    };
    let head = paint.severity(Severity::Warning, &noun);
    format!("{head} {first}{}\n", more(texts.len(), 1))
}

/// Renders the line about kernels that are not completely proved.
fn tested_line(reports: &[FileReport], paint: Paint) -> String {
    let of_report = |report| {
        let FileReport {
            source, analysis, ..
        }: &FileReport = report;
        analysis.records.iter().filter_map(move |record| {
            let open = tested(record, &record.verdicts(&analysis.findings));
            let reason =
                |open: &Open| printable(&open.text()).into_owned() + &place(source, open.at);
            let reasons: Vec<String> = open.iter().map(reason).collect();
            let name = kernel(report, record);
            (!reasons.is_empty()).then(|| format!("{name} {}", reasons.join("; ")))
        })
    };
    let texts: Vec<String> = reports.iter().flat_map(of_report).collect();
    let Some(first) = texts.first() else {
        return String::new();
    };
    let head = format!("{} not wholly proved:", count(texts.len(), "kernel"));
    let head = paint.severity(Severity::Info, &head);
    format!("{head} {first}{}\n", more(texts.len(), 1))
}

/// Formats the number of entries that are not shown: `, and 7 more; -v shows all`.
fn more(number: usize, shown: usize) -> String {
    match number.saturating_sub(shown) {
        0 => String::new(),
        rest => format!(", and {rest} more; -v shows all"),
    }
}

struct Entry {
    kernel: String,
    because: String,
}

/// Returns the kernels whose examination was incomplete in the given way.
fn entries(reports: &[FileReport], kind: GapKind) -> Vec<Entry> {
    let of_report = |report| {
        let FileReport {
            source, analysis, ..
        }: &FileReport = report;
        analysis.records.iter().filter_map(move |record| {
            let gap = record.gap().filter(|gap| gap.kind == kind)?;
            Some(Entry {
                kernel: kernel(report, record),
                because: format!("{}{}", printable(&gap.because), place(source, gap.at)),
            })
        })
    };
    reports.iter().flat_map(of_report).collect()
}

/// Formats the name of a kernel: `k.py::softmax`.
pub(super) fn kernel(report: &FileReport, record: &KernelRecord) -> String {
    format!("{}::{}", printable(&report.path), printable(&record.name))
}

/// Formats a line number: ` (line 10)`.
fn place(source: &SourceText, at: Option<Span>) -> String {
    at.map_or(String::new(), |span| {
        format!(" (line {})", source.line_column(span.start).line)
    })
}

/// Renders the tables of all kernels of a file, which `-v` shows.
pub fn tables(report: &FileReport) -> String {
    let table = |record| {
        let rows = table(record, &report.source, &report.analysis.findings);
        format!("{}\n{rows}", kernel(report, record))
    };
    report.analysis.records.iter().map(table).collect()
}

/// Renders the table of a kernel: how it was traced and replayed, and its properties.
pub fn table(record: &KernelRecord, source: &SourceText, findings: &[Finding]) -> String {
    let mut out = String::new();
    let mut row = |head: &str, text: &str| out += &format!("  {head:<WIDTH$}{text}\n");
    match record.unknown.is_empty() {
        true => row("traced", "whole"),
        false => {
            for code in &record.unknown {
                let text = printable(&code.what).into_owned() + &place(source, Some(code.span));
                row("unknown", &text);
            }
        }
    }
    if !record.contract.is_empty() {
        row("contract", &printable(&record.contract.join(", ")));
    }
    for text in launches(source, &record.launches) {
        row("replayed", &text);
    }
    for text in &record.not_read {
        row("not read", &printable(text));
    }
    if let Some(reason) = &record.unreplayed {
        row("replayed", &format!("not: {}", printable(reason)));
    }
    let verdicts = record.verdicts(findings);
    for (status, text) in rows(source, findings, &verdicts) {
        row(status, &text);
    }
    for verdict in &verdicts {
        let said = match &verdict.status {
            Status::Tested => None,
            Status::Undecided { because, .. } => Some(because),
            Status::Proved { .. } | Status::Refuted { .. } => continue,
        };
        if let Some((because, at)) = record.unproved(verdict.property)
            && said != Some(&because)
        {
            let why = printable(&because).into_owned() + &place(source, at);
            row("not proved", &format!("{}: {why}", verdict.property.name()));
        }
    }
    out
}

/// Summarises a kernel in a few words: `8 properties tested`, `not replayed`.
pub fn label(record: &KernelRecord, findings: &[Finding]) -> String {
    let verdicts = record.verdicts(findings);
    let refuted = verdicts.iter().filter(|it| it.status.name() == "refuted");
    let refuted: Vec<&str> = refuted.map(|it| it.property.name()).collect();
    if !refuted.is_empty() {
        return format!("{} refuted", refuted.join(", "));
    }
    let number = |status: &str| {
        let named = verdicts.iter().filter(|it| it.status.name() == status);
        named.count()
    };
    let (always, under) = (number("proved"), number("proved-if"));
    let proved = match (always, under) {
        (0, 0) => None,
        (_, 0) => Some(format!("{always} of {} proved", verdicts.len())),
        _ => Some(format!(
            "{always} of {} proved, {under} under preconditions",
            verdicts.len()
        )),
    };
    let gap = record.gap().map(|gap| gap.kind.label().to_owned());
    let open = gap.or_else(|| open(record, findings).map(|open| open.what));
    let only = restriction(record, findings);
    let said: Vec<String> = proved.into_iter().chain(only).chain(open).collect();
    match said.is_empty() {
        true => format!("{} properties tested", verdicts.len()),
        false => said.join(", "),
    }
}

/// Summarises the kernels of a file in one line: `softmax: 8 of 8 proved; rows: bounds refuted`.
pub fn line(records: &[KernelRecord], findings: &[Finding]) -> String {
    let named = records.iter().take(NAMED);
    let known = named.map(|record| format!("{}: {}", record.name, label(record, findings)));
    let known: Vec<String> = known.collect();
    let rest = match records.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {}", count(more, "more kernel")),
    };
    known.join("; ") + &rest
}

/// Returns one line for each known launch, and one for each outcome of the guesses and variants.
fn launches(source: &SourceText, runs: &[LaunchRun]) -> Vec<String> {
    let is_invented =
        |run: &&LaunchRun| matches!(run.source, LaunchSource::Guess | LaunchSource::Variant);
    let (invented, asked): (Vec<&LaunchRun>, Vec<&LaunchRun>) = runs.iter().partition(is_invented);
    let mut lines: Vec<String> = Vec::new();
    for run in asked {
        let (text, end) = (launch_text(run), run.outcome.name());
        let from = match &run.place {
            Some(place) => format!("in {}", printable(place)),
            None => origin(run.source).to_owned(),
        };
        let reason = run
            .reason
            .as_ref()
            .map(|reason| format!(": {}", printable(reason)));
        let reason = reason.unwrap_or_default();
        let place = place(source, run.span);
        lines.push(format!("{text} {from}{place}: {end}{reason}"));
    }
    for (from, what) in [
        (LaunchSource::Guess, "guessed launch"),
        (LaunchSource::Variant, "variant"),
    ] {
        let mut ends: Vec<(LaunchOutcome, Option<&str>, usize)> = Vec::new();
        for run in invented.iter().filter(|run| run.source == from) {
            let reason = run.reason.as_deref();
            let known = ends
                .iter_mut()
                .find(|end| (end.0, end.1) == (run.outcome, reason));
            match known {
                Some(end) => end.2 += 1,
                None => ends.push((run.outcome, reason, 1)),
            }
        }
        lines.extend(ends.into_iter().map(|(outcome, reason, number)| {
            let what = match what.strip_suffix("launch") {
                Some(lead) if number > 1 => format!("{number} {lead}launches"),
                _ => count(number, what),
            };
            let reason = reason.map(|reason| format!(": {}", printable(reason)));
            format!("{what} {}{}", outcome.name(), reason.unwrap_or_default())
        }));
    }
    lines
}

/// Returns the origin of a launch, as text after its arguments.
fn origin(source: LaunchSource) -> &'static str {
    match source {
        LaunchSource::File => "in the file",
        LaunchSource::Importer => "in a file that imports it",
        LaunchSource::Signature => "of a signature",
        LaunchSource::Comment => "in a comment",
        LaunchSource::Configuration => "in the configuration",
        LaunchSource::Bind => "of --bind",
        LaunchSource::Guess | LaunchSource::Variant => "of a2lint",
    }
}

/// Groups properties by status and reason.
fn rows(
    source: &SourceText,
    findings: &[Finding],
    verdicts: &[Verdict],
) -> Vec<(&'static str, String)> {
    let mut rows: Vec<(&'static str, String, Vec<&'static str>)> = Vec::new();
    for verdict in verdicts {
        let why = match &verdict.status {
            Status::Proved { under, assuming } => {
                let under = under.iter().cloned();
                let assuming = assuming.iter().map(|what| format!("assuming {what}"));
                under.chain(assuming).collect::<Vec<_>>().join(", ")
            }
            Status::Refuted { findings: found } => {
                let texts = found.iter().filter_map(|&at| {
                    let finding = findings.get(at)?;
                    Some(format!(
                        "{}{}",
                        finding.name,
                        place(source, Some(finding.span))
                    ))
                });
                texts.collect::<Vec<_>>().join(", ")
            }
            Status::Tested => String::new(),
            Status::Undecided { because, at } => {
                printable(because).into_owned() + &place(source, *at)
            }
        };
        let status = verdict.status.name();
        let known = rows
            .iter_mut()
            .find(|row| (row.0, &row.1) == (status, &why));
        match known {
            Some(row) => row.2.push(verdict.property.name()),
            None => rows.push((status, why, vec![verdict.property.name()])),
        }
    }
    let text = |(status, why, properties): (&'static str, String, Vec<&str>)| {
        let properties = match properties.len() == Property::ALL.len() {
            true => "all properties".to_owned(),
            false => properties.join(", "),
        };
        match why.is_empty() {
            true => (status, properties),
            false => (status, format!("{properties}: {why}")),
        }
    };
    rows.into_iter().map(text).collect()
}
