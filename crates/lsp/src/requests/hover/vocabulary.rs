//! Hovers on words of the DSL: element types, memories, pipes, modes, and what `auto_sync` covers.

use crate::snapshot::Snapshot;
use a2lint_ir::StmtKind;
use a2lint_ir::sync;
use a2lint_isa::bytes_text;
use a2lint_isa::{CompareMode, DType, Layout, Pipe, Position, RoundMode, SelectMode};
use a2lint_source::text::{Slice, Span};

use super::{WIDTH, instruction};
use a2lint_report::filled;
use a2lint_source::spelling::count;

/// Describes the word at an offset.
pub fn at(snapshot: &Snapshot, offset: u32) -> Option<(Vec<String>, Span)> {
    let span = instruction::word(snapshot, offset)?;
    let text = snapshot.source().as_str();
    let name = snapshot.source().slice(span);
    if snapshot.module().programs.is_empty() {
        return None;
    }
    if name == "auto_sync" {
        return Some((region(snapshot, span)?, span));
    }
    let before = text.part(..span.start as usize).strip_suffix('.')?;
    let start = before.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
    let owner = before.part(start.map_or(0, |at| at + 1)..);
    Some((vec![value(snapshot, owner, name)?], span))
}

/// Describes a value of one of the DSL's enumerations.
fn value(snapshot: &Snapshot, owner: &str, name: &str) -> Option<String> {
    let (doc, more) = match owner {
        "DT" => {
            let dtype = DType::from_name(name)?;
            let more = format!(
                "{} bits: {} elements in a 32-byte block, {} lanes in a 256-byte repeat.",
                dtype.bits(),
                dtype.c0(),
                dtype.lanes()
            );
            (dtype.doc(), more)
        }
        "Position" => {
            let position = Position::from_name(name)?;
            let capacity = snapshot.check.trace.device.capacity(position);
            (position.doc(), bytes_text(capacity) + ".")
        }
        "Pipe" => (Pipe::from_name(name)?.doc(), String::new()),
        "RoundMode" => (RoundMode::from_name(name)?.doc(), String::new()),
        "CompareMode" => (CompareMode::from_name(name)?.doc(), String::new()),
        "SelectMode" => (SelectMode::from_name(name)?.doc(), String::new()),
        "Layout" => (Layout::from_name(name)?.doc(), String::new()),
        _ => return None,
    };
    Some(
        format!("**{owner}.{name}** — {doc}\n\n{more}")
            .trim_end()
            .to_owned(),
    )
}

/// Describes what the `with auto_sync():` block at a span orders.
fn region(snapshot: &Snapshot, span: Span) -> Option<Vec<String>> {
    let programs = snapshot.module().programs.iter();
    let found = programs.flat_map(|program| {
        let mut found = None;
        program.walk(&mut |stmt| {
            if matches!(stmt.kind, StmtKind::AutoSync { .. }) && stmt.span.touches(span.start) {
                found = Some((program, stmt));
            }
        });
        found
    });
    let (program, stmt) = found.last()?;
    let mut pipes: Vec<Pipe> = Vec::new();
    let mut number = 0;
    stmt.walk(&mut |stmt| {
        if let StmtKind::Instr(instr) = &stmt.kind {
            number += 1;
            let pipe = sync::pipe_of(program, instr);
            if !pipes.contains(&pipe) {
                pipes.push(pipe);
            }
        }
    });
    let mut pairs = Vec::new();
    for &from in &pipes {
        let others = pipes.iter().filter(|&&to| to != from);
        pairs.extend(others.filter_map(|&to| {
            let covers = program.toolchain.auto_sync.covers(from, to);
            covers.then(|| format!("{from} → {to}"))
        }));
    }
    let covered = match pairs.is_empty() {
        true => "There is no pair of pipes that it orders here.".to_owned(),
        false => format!("Here it orders {}.", pairs.join(", ")),
    };
    let text = format!(
        "**auto_sync** — {} of this region are ordered where they use the same slot of an \
         on-chip tensor on different pipes. {covered} GM, and lanes among each other, are not covered.",
        count(number, "instruction")
    );
    Some(vec![filled(&text, 0, WIDTH)])
}
