//! `textDocument/hover`: what the machine knows of the thing under the cursor, and what it makes
//! of it.

pub mod instruction;
mod mask;
mod picture;
pub mod rule;
mod tensor;
mod values;

use std::sync::{Arc, mpsc};
use std::thread;

use tower_lsp::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::target::{self, Target};
use crate::finding::Finding;
use crate::guard::guard;
use crate::lsp::cancel::Cancel;
use crate::lsp::diagnostics;
use crate::lsp::snapshot::Snapshot;
use crate::report::{Paint, looked_at, number_text, numbers_lines};
use crate::rules;
use crate::text::Span;

/// What a hover does about values.
#[derive(Clone, Copy)]
enum Simulate<'a> {
    /// They are computed, unless nobody waits for them any more.
    Unless(&'a Cancel),
    /// Their time is over.
    TooLate,
    /// Nobody wants them.
    Never,
}

/// The hover at a position. The machine has its own thread and is left behind where it takes too
/// long, whatever it is doing.
pub fn hover(snapshot: &Arc<Snapshot>, position: Position, cancel: &Cancel) -> Option<Hover> {
    if !snapshot.settings.simulate {
        return text(snapshot, position, Simulate::Never);
    }
    if snapshot.settings.budget.is_zero() {
        return text(snapshot, position, Simulate::TooLate);
    }
    let (sender, receiver) = mpsc::channel();
    let (its_snapshot, its_cancel) = (snapshot.clone(), cancel.clone());
    thread::spawn(move || {
        let simulate = Simulate::Unless(&its_cancel);
        // Whoever waited may have left.
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
    let (mut text, span) = rule::in_comment(snapshot, offset)
        .or_else(|| traced(snapshot, offset, simulate))
        .or_else(|| instruction::named(snapshot, offset))
        .or_else(|| mask::at(snapshot, offset))
        .or_else(|| kernel(snapshot, offset))
        .unwrap_or_default();
    let witnessed = snapshot.findings().iter();
    for finding in witnessed.filter(|finding| finding.span.touches(offset)) {
        text.extend(witness(finding));
        text.extend(numbers(finding));
        // Where a link to the rule would lead nowhere, its text is here.
        if diagnostics::link(snapshot, finding).is_none() {
            text.extend(rules::find(finding.name).map(rule::text));
        }
    }
    (!text.is_empty()).then(|| Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: text.join("\n\n"),
        }),
        range: (span != Span::default()).then(|| snapshot.range(span)),
    })
}

/// Paragraphs about something that was traced.
fn traced(snapshot: &Snapshot, offset: u32, simulate: Simulate) -> Option<(Vec<String>, Span)> {
    let (target, span) = target::at(snapshot, offset)?;
    let text = match target {
        // What changes from place to place comes first: editors cut long hovers.
        Target::Instruction(place) => {
            let mut text = values::after(snapshot, &place, None, simulate);
            text.push(instruction::signature(
                place.program.dialect,
                place.first().1.row(),
            ));
            text.extend(instruction::describe(snapshot, &place));
            text
        }
        Target::Operand { place, operand } => {
            let mut text = tensor::operand(snapshot, &place, operand)?;
            let values = values::after(snapshot, &place, Some(operand), simulate);
            text.splice(1..1, values);
            text
        }
        Target::Allocation(program, buffer) => tensor::buffer(snapshot, program, buffer),
    };
    Some((text, span))
}

/// What is known of the kernel whose name stands here.
fn kernel(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let mut records = snapshot.records().iter();
    let record = records.find(|record| record.span.touches(offset))?;
    let table = looked_at::table(record, snapshot.source(), snapshot.findings());
    let text = vec![
        format!("kernel `{}`", record.name),
        format!("```text\n{table}```"),
    ];
    Some((text, record.span))
}

/// The execution that shows a finding.
fn witness(finding: &Finding) -> Option<String> {
    let witness = finding.witness.as_ref()?;
    let launch = witness.launch.iter();
    let launch: Vec<String> = launch
        .map(|(name, value)| format!("{name}={}", number_text(*value)))
        .collect();
    Some(format!(
        "**{}** was seen on the machine: core {}, {}, iteration {:?}, {}: {}",
        finding.name,
        witness.core,
        witness.lane,
        witness.iteration,
        launch.join(", "),
        witness.detail,
    ))
}

/// What the statement read and left in that execution.
fn numbers(finding: &Finding) -> Option<String> {
    let lines = numbers_lines(finding, Paint::Plain);
    (!lines.is_empty()).then(|| format!("```text\n{}\n```", lines.join("\n")))
}
