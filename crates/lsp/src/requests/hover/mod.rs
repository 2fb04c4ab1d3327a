//! `textDocument/hover`: what is known of the item under the cursor, and its simulated values.

pub mod instruction;
mod links;
mod mask;
mod names;
mod picture;
mod queues;
pub mod rule;
mod tensor;
mod time;
mod values;
mod vocabulary;

use values::Values;

use std::sync::{Arc, mpsc};
use std::thread;
use std::time::Instant;

use tower_lsp::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::target::{self, Place, Target};
use crate::diagnostics;
use crate::markdown;
use crate::simulation::launches;
use crate::snapshot::Snapshot;
use crate::snapshot::timings;
use a2lint_ir::MemoryMap;
use a2lint_ir::finding::{Finding, Severity};
use a2lint_isa as isa;
use a2lint_isa::bytes_text;
use a2lint_report::memory::map_with;
use a2lint_report::{Page, examined, filled, numbers_lines, standing};
use a2lint_rules::record::KernelRecord;
use a2lint_run::Cancel;
use a2lint_source::guard::guard;
use a2lint_source::text::Span;

/// Maximum width of a hover in columns.
const WIDTH: usize = 80;
/// Maximum number of lines of a hover, without the lines that findings add.
const LINES: usize = 25;
/// Maximum number of lines before the fold of a hover: a rule, after which the details follow.
const FOLD: usize = 8;
const RULE: &str = "---";

/// Whether a hover shows simulated values and times.
#[derive(Clone, Copy)]
enum Simulate<'a> {
    /// Simulate until the token is cancelled, and wait for times until the instant.
    Unless(&'a Cancel, Instant),
    /// The time budget is used up: answer with what is available now, and say so.
    TooLate,
    /// Show no values and no times.
    Never,
}

/// Answers a hover request. The simulation runs on a thread of its own: when the budget of the settings is used up,
/// the hover is answered without it, and the thread ends at its next check for cancellation.
pub fn hover(snapshot: &Arc<Snapshot>, position: Position, cancel: &Cancel) -> Option<Hover> {
    if !snapshot.settings.simulate {
        return text(snapshot, position, Simulate::Never);
    }
    if snapshot.settings.budget.is_zero() {
        return text(snapshot, position, Simulate::TooLate);
    }
    let (sender, receiver) = mpsc::channel();
    let (its_snapshot, its_cancel) = (snapshot.clone(), cancel.clone());
    // Half of the budget at most is spent on waiting for times; the rest remains for the values.
    let until = Instant::now() + snapshot.settings.budget / 2;
    if let Some((Target::Instruction(place), _)) = target::at(snapshot, snapshot.offset(position)) {
        timings::begin(snapshot, place.program);
    }
    thread::spawn(move || {
        let simulate = Simulate::Unless(&its_cancel, until);
        // The receiver is gone if the budget was exceeded.
        let _ = sender.send(guard(|| text(&its_snapshot, position, simulate)));
    });
    match receiver.recv_timeout(snapshot.settings.budget) {
        Ok(Ok(hover)) => hover,
        Ok(Err(panic)) => panic!("{panic}"),
        Err(_) => {
            cancel.cancel();
            text(snapshot, position, Simulate::TooLate)
        }
    }
}

fn text(snapshot: &Snapshot, position: Position, simulate: Simulate) -> Option<Hover> {
    let offset = snapshot.offset(position);
    let explained = rule::in_comment(snapshot, offset);
    // Editors show the first lines of a long hover: what is wrong comes before what is known, but not before the rule
    // that a comment names.
    let first = explained.as_ref().map_or(0, |(text, _)| text.len());
    let findings = snapshot.findings().iter();
    let findings: Vec<&Finding> = findings.filter(|it| it.span.touches(offset)).collect();
    let accused: Vec<String> = findings.iter().map(|finding| witness(finding)).collect();
    let taken: usize = accused.iter().map(|text| visible(text)).sum();
    let space = FOLD.saturating_sub(taken);
    let (mut text, span) = explained
        .or_else(|| names::number(snapshot, offset, simulate))
        .or_else(|| traced(snapshot, offset, simulate, space))
        .or_else(|| instruction::named(snapshot, offset))
        .or_else(|| mask::at(snapshot, offset))
        .or_else(|| kernel(snapshot, offset))
        .or_else(|| vocabulary::at(snapshot, offset))
        .or_else(|| names::at(snapshot, offset, simulate))
        .or_else(|| names::parameters(snapshot, offset))
        .unwrap_or_default();
    text.splice(first..first, accused);
    for finding in findings {
        text.extend(numbers(finding));
        // If no page describes the rule, name the command that does.
        if diagnostics::link(snapshot, finding).is_none() {
            text.push(format!(
                "{} explains the rule",
                markdown::code(&format!("a2lint explain {}", finding.name))
            ));
        }
    }
    (!text.is_empty()).then(|| Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: joined(&text),
        }),
        range: (span != Span::default()).then(|| snapshot.range(span)),
    })
}

/// Returns the paragraphs on a traced instruction, operand or allocation. Values take `space` lines at most.
fn traced(
    snapshot: &Snapshot,
    offset: u32,
    simulate: Simulate,
    space: usize,
) -> Option<(Vec<String>, Span)> {
    let (target, span) = target::at(snapshot, offset)?;
    let mut text = match target {
        Target::Instruction(place) => {
            // Values come first: the time is computed on another thread in the meantime (`timings::begin`).
            let values = values::after(snapshot, &place, None, simulate);
            let time = match simulate {
                Simulate::Unless(_, until) => time::lines(snapshot, &place, until),
                Simulate::TooLate => time::lines(snapshot, &place, Instant::now()),
                Simulate::Never => Vec::new(),
            };
            let text = instruction::describe(snapshot, &place, time);
            with_values(text, &values, &place, space)
        }
        Target::Operand { place, operand } => {
            let mut text = tensor::operand(snapshot, &place, operand)?;
            let values = values::after(snapshot, &place, Some(operand), simulate);
            let space = space.saturating_sub(visible(&text[0]));
            text.splice(1..1, values.within(&place, |values| lines(values) <= space));
            text
        }
        Target::Allocation(program, buffer) => tensor::buffer(snapshot, program, buffer),
    };
    text.extend(links::of_place(snapshot, offset));
    Some((text, span))
}

/// Puts the values after an instruction before its description, with as many rows as fit into `space` and, with the
/// description, into `LINES`: editors show the first lines of a long hover. The reason why there are none comes last.
fn with_values(text: Vec<String>, values: &Values, place: &Place, space: usize) -> Vec<String> {
    let fits = |values: &[String]| {
        let whole = [values.to_vec(), text.clone()].concat();
        lines(values) <= space && joined(&whole).lines().count() <= LINES
    };
    let shown = values.within(place, fits);
    match values {
        Values::Seen(..) => [shown, text].concat(),
        _ => [text, shown].concat(),
    }
}

/// Counts the lines that an editor shows of paragraphs.
fn lines(text: &[String]) -> usize {
    text.iter().map(|part| visible(part)).sum()
}

/// Counts the lines that an editor shows of a paragraph: the marks of a fence are none.
fn visible(text: &str) -> usize {
    let lines = text.lines();
    lines
        .filter(|line| !line.is_empty() && !line.starts_with(markdown::FENCE))
        .count()
}

/// Describes the kernel whose definition is at an offset: its memory use and what was checked.
fn kernel(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let mut records = snapshot.records().iter();
    let record = records.find(|record| record.span.touches(offset))?;
    // While it is replayed, only a mistake is certain.
    let known =
        match snapshot.is_settled() || snapshot.findings().iter().any(|it| is_error(it, record)) {
            true => standing::title(snapshot.found(), record),
            false => "being checked".to_owned(),
        };
    let title = format!(
        "kernel {} — **{}**",
        markdown::code(&record.name),
        markdown::text(&known)
    );
    let mut text = vec![filled(&title, 0, WIDTH)];
    text.extend(memory(snapshot, &record.name));
    if snapshot.is_settled() {
        let space = LINES
            .saturating_sub(joined(&text).lines().count() + 5)
            .max(2);
        text.push(table(snapshot, record, space));
    }
    text.extend(links::of_kernel(snapshot, &record.name));
    Some((text, record.span))
}

fn is_error(finding: &Finding, record: &KernelRecord) -> bool {
    finding.severity == Severity::Error && finding.is_in(&record.name)
}

/// Formats what was examined in a kernel, in at most `most` lines.
fn table(snapshot: &Snapshot, record: &KernelRecord, most: usize) -> String {
    let table = examined::table(record, snapshot.source(), snapshot.findings());
    let lines: Vec<&str> = table.lines().map(str::trim_start).collect();
    let page = Page {
        columns: Some(WIDTH),
        ..Page::PLAIN
    };
    let table = page.fit(lines.join("\n"));
    let mut lines: Vec<&str> = table.lines().filter(|line| !line.is_empty()).collect();
    if lines.len() > most {
        lines.truncate(most - 1);
        lines.push("… a2lint check -v shows all of it");
    }
    markdown::fence("text", &lines.join("\n"))
}

/// Formats the memory use of a kernel under its first launch: `UB 188 of 192 KB, L0C 128 of 128 KB`. `None` if it uses
/// no memory of known size.
fn memory(snapshot: &Snapshot, kernel: &str) -> Option<String> {
    let mut programs = snapshot.module().programs.iter();
    let program = programs.find(|program| program.name == kernel)?;
    let map = match launches(snapshot, program).first() {
        Some(launch) => map_with(program, &launch.scalars, program.device),
        None => MemoryMap::of(program),
    };
    let used = device_positions().filter_map(|position| match map.known_bytes(position) {
        0 => None,
        bytes => Some(format!(
            "{position} {} of {}",
            bytes_text(bytes),
            bytes_text(program.device.capacity(position))
        )),
    });
    let used: Vec<String> = used.collect();
    (!used.is_empty()).then(|| filled(&used.join(", "), 0, WIDTH))
}

fn device_positions() -> impl Iterator<Item = isa::Position> {
    isa::Position::ALL.iter().copied()
}

/// Joins paragraphs as Markdown, with a rule where a long hover is folded. A fenced block needs no empty line before or
/// after it.
fn joined(text: &[String]) -> String {
    let mut out = String::new();
    let mut add = |part: &str| {
        if !out.is_empty() {
            let is_fenced = out.ends_with(markdown::FENCE) || part.starts_with(markdown::FENCE);
            // A rule right after a line of text would make a heading of it.
            let is_after_rule = out.ends_with(RULE);
            out.push_str(if is_fenced || is_after_rule {
                "\n"
            } else {
                "\n\n"
            });
        }
        out.push_str(part);
    };
    let mut shown = Some(0).filter(|_| lines(text) > FOLD);
    for part in text {
        let before = shown;
        shown = before
            .map(|shown| shown + visible(part))
            .filter(|it| *it <= FOLD);
        if shown.is_none() && before.is_some_and(|it| it > 0) {
            add(RULE);
        }
        add(part);
    }
    out
}

/// Describes the execution in which a finding was observed; a finding without one is told in its own words.
fn witness(finding: &Finding) -> String {
    let witness = finding.witness.as_ref();
    let told = witness.map_or(&finding.message, |witness| &witness.detail);
    let text = format!("**{}** — {}", finding.name, markdown::text(told));
    filled(&text, 0, WIDTH)
}

/// Shows the values that the statement read and wrote in that execution.
fn numbers(finding: &Finding) -> Option<String> {
    let page = Page {
        columns: Some(WIDTH),
        ..Page::PLAIN
    };
    let lines = numbers_lines(finding, page);
    (!lines.is_empty()).then(|| markdown::fence("text", &lines.join("\n")))
}
