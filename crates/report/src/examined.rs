//! Texts about what was examined: the lines below a report, and the table of a kernel.

use super::{FileReport, Paint, printable, standing};
use a2lint_ir::NotAnalysed;
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::verdict::{Property, Status, Verdict};
use a2lint_launches::LaunchSource;
use a2lint_replay::{LaunchOutcome, LaunchRun};
use a2lint_rules::record::{GapKind, KernelRecord, launch_text};
use a2lint_source::spelling::count;
use a2lint_source::text::{SourceText, Span};

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
    /// Whether it says which launches proofs hold for, and not what was left out.
    pub is_restriction: bool,
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
        is_restriction: true,
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

/// Returns the first part of the examination of a kernel that was left out, or its first undecided property.
pub fn open(record: &KernelRecord, findings: &[Finding]) -> Option<Open> {
    if let Some(gap) = record.gap() {
        return Some(Open {
            what: gap.kind.clause().to_owned(),
            because: gap.because,
            at: gap.at,
            is_restriction: false,
        });
    }
    let verdicts = record.verdicts(findings);
    verdicts.into_iter().find_map(|verdict| {
        let Status::Undecided { because, at } = verdict.status else {
            return None;
        };
        let what = format!("{} undecided", verdict.property.name());
        Some(Open {
            what,
            because,
            at,
            is_restriction: false,
        })
    })
}

/// Renders, for each way in which the examination of kernels was incomplete, the number of kernels and the reasons.
pub(super) fn lines(reports: &[FileReport], paint: Paint) -> String {
    let mut out = String::new();
    let mut add = |clause: &str, entries: Vec<Entry>| {
        if !entries.is_empty() {
            let head = format!("{} {clause}:", count(entries.len(), "kernel"));
            out += &paint.severity(Severity::Warning, &head);
            out += &by_reason(&entries);
            out.push('\n');
        }
    };
    for kind in GapKind::ALL {
        add(kind.clause(), entries(reports, kind));
    }
    add("not wholly proved", unproved(reports));
    out
}

/// Counts the reasons of kernels, the most frequent reason first, with one example kernel for each.
fn by_reason(entries: &[Entry]) -> String {
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
    for (reason, number, entry) in &reasons {
        out += &format!("\n  {number:>width$}  {reason} (as {})", entry.kernel);
    }
    out
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

/// Returns the kernels that were examined completely and are not proved, with the reason.
fn unproved(reports: &[FileReport]) -> Vec<Entry> {
    let of_report = |report| {
        let FileReport { analysis, .. }: &FileReport = report;
        let records = analysis.records.iter().filter(|it| it.gap().is_none());
        records.filter_map(move |record| {
            let verdicts = record.verdicts(&analysis.findings);
            let mut reasons = verdicts.iter();
            let (because, _) = reasons.find_map(|verdict| standing::reason(record, verdict))?;
            Some(Entry {
                kernel: kernel(report, record),
                because: printable(&because).into_owned(),
            })
        })
    };
    reports.iter().flat_map(of_report).collect()
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

/// Lists names up to a number: `M, N and 4 more`.
pub(super) fn listed(names: &[String], most: usize) -> String {
    match names.len().checked_sub(most) {
        Some(more @ 1..) => format!("{} and {more} more", names[..most].join(", ")),
        _ => names.join(", "),
    }
}

/// Formats a line number: ` (line 10)`.
pub(super) fn place(source: &SourceText, at: Option<Span>) -> String {
    at.map_or(String::new(), |span| {
        format!(" (line {})", source.line_column(span.start).line)
    })
}

/// Renders the tables of all kernels of a file, and what was not analysed, which `-v` shows.
pub fn tables(report: &FileReport) -> String {
    let table = |record| {
        let rows = table(record, &report.source, &report.analysis.findings);
        format!("{}\n{rows}", kernel(report, record))
    };
    let tables: String = report.analysis.records.iter().map(table).collect();
    let path = printable(&report.path);
    let named = |what: &str, entry: &NotAnalysed| {
        let part = entry
            .kernel
            .as_deref()
            .map(|name| format!("::{}", printable(name)));
        let reason = printable(&entry.reason);
        format!("{path}{}\n  {what}: {reason}\n", part.unwrap_or_default())
    };
    let gaps = report.analysis.not_analysed.iter();
    let gaps: String = gaps.map(|entry| named("not analysed", entry)).collect();
    let others = report.analysis.other_products.iter();
    let others = others.map(|entry| named("for another product", entry));
    tables + &gaps + &others.collect::<String>()
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
    if record.untried > 0 {
        let changes = count(record.untried as usize, "change");
        row(
            "not tried",
            &format!("{changes} that may save time: a run takes too long"),
        );
    }
    let verdicts = record.verdicts(findings);
    for (status, text) in rows(source, findings, &verdicts) {
        row(status, &text);
    }
    let mut unproved: Vec<(String, Vec<&str>)> = Vec::new();
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
            let name = verdict.property.name();
            match unproved.iter_mut().find(|(known, _)| *known == why) {
                Some((_, names)) => names.push(name),
                None => unproved.push((why, vec![name])),
            }
        }
    }
    for (why, names) in unproved {
        let names = match names.len() == Property::ALL.len() {
            true => "all properties".to_owned(),
            false => names.join(", "),
        };
        row("not proved", &format!("{names}: {why}"));
    }
    out
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
    let shared = shared_conditions(verdicts);
    for verdict in verdicts {
        let why = match &verdict.status {
            Status::Proved { under, .. } => {
                let mut own = conditions(verdict);
                // The row of shared conditions is about properties that hold under some.
                own.retain(|condition| under.is_empty() || !shared.contains(condition));
                own.join(", ")
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
    let mut rows: Vec<(&'static str, String)> = rows.into_iter().map(text).collect();
    if !shared.is_empty() {
        let status = Status::Proved {
            under: shared.clone(),
            assuming: Vec::new(),
        };
        let first = rows.iter().position(|row| row.0 == status.name());
        let text = format!("all marked {}: {}", status.name(), shared.join(", "));
        rows.insert(first.unwrap_or(0), (status.name(), text));
    }
    rows
}

/// Returns what the proof of a property holds under.
fn conditions(verdict: &Verdict) -> Vec<String> {
    let Status::Proved { under, assuming } = &verdict.status else {
        return Vec::new();
    };
    let assuming = assuming.iter().map(|what| format!("assuming {what}"));
    under.iter().cloned().chain(assuming).collect()
}

/// Returns the conditions that all properties with preconditions share; empty if fewer than two would repeat them.
fn shared_conditions(verdicts: &[Verdict]) -> Vec<String> {
    let is_conditional = |verdict: &&Verdict| match &verdict.status {
        Status::Proved { under, .. } => !under.is_empty(),
        _ => false,
    };
    let all: Vec<Vec<String>> = verdicts
        .iter()
        .filter(is_conditional)
        .map(conditions)
        .collect();
    let Some((first, others)) = all.split_first() else {
        return Vec::new();
    };
    // Properties with the same conditions are one row as it is.
    if others.iter().all(|other| other == first) {
        return Vec::new();
    }
    let is_shared = |condition: &String| others.iter().all(|other| other.contains(condition));
    first.iter().filter(|it| is_shared(it)).cloned().collect()
}
