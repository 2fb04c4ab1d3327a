//! `textDocument/hover`: what the machine knows of the thing under the cursor, and what it makes
//! of it.

pub mod instruction;
mod mask;
mod picture;
pub mod rule;
mod tensor;
mod values;

use tower_lsp::ls_types::{Hover, HoverContents, MarkupContent, MarkupKind, Position};

use super::target::{self, Target};
use crate::finding::Finding;
use crate::lsp::cancel::Cancel;
use crate::lsp::snapshot::Snapshot;
use crate::report::{Paint, number_text, numbers_lines};
use crate::text::Span;

/// The hover at a position.
pub fn hover(snapshot: &Snapshot, position: Position, cancel: &Cancel) -> Option<Hover> {
    let offset = snapshot.offset(position);
    let (mut text, span) = rule::in_comment(snapshot, offset)
        .or_else(|| traced(snapshot, offset, cancel))
        .or_else(|| instruction::named(snapshot, offset))
        .or_else(|| mask::at(snapshot, offset))
        .unwrap_or_default();
    let witnessed = snapshot.file.analysis.findings.iter();
    for finding in witnessed.filter(|finding| finding.span.touches(offset)) {
        text.extend(witness(finding));
        text.extend(numbers(finding));
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
fn traced(snapshot: &Snapshot, offset: u32, cancel: &Cancel) -> Option<(Vec<String>, Span)> {
    let (target, span) = target::at(snapshot, offset)?;
    let text = match target {
        // What changes from place to place comes first: editors cut long hovers.
        Target::Instruction(place) => {
            let mut text = vec![instruction::signature(place.first().1.row())];
            text.extend(values::after(snapshot, &place, None, cancel));
            text.extend(instruction::describe(snapshot, &place));
            text
        }
        Target::Operand { place, operand } => {
            let mut text = tensor::operand(snapshot, &place, operand)?;
            let values = values::after(snapshot, &place, Some(operand), cancel);
            text.splice(1..1, values);
            text
        }
        Target::Allocation(program, buffer) => tensor::buffer(snapshot, program, buffer),
    };
    Some((text, span))
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
