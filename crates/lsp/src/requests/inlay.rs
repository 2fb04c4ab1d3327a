//! `textDocument/inlayHint`: resolved sizes, strides and iteration counts, and the verdict on each kernel.

use tower_lsp::ls_types::*;

use crate::settings::Hints;
use crate::snapshot::Snapshot;
use a2lint_analysis::{footprint, view_bytes};
use a2lint_ir::{
    ArgSource, BinaryOp, Buffer, BufferId, Instr, MemoryMap, Program, Scalar, ScalarId,
    ScalarNames, Stmt, StmtKind, trip_count,
};
use a2lint_isa::bytes_text;
use a2lint_isa::{BLOCKS_PER_REPEAT, ParamKind};
use a2lint_report::{examined, standing};
use a2lint_rules::record::KernelRecord;
use a2lint_source::text::Span;

/// Maximum length in characters of a symbolic iteration count.
const LONGEST: usize = 36;

/// Returns the hints in a range.
pub fn inlay_hints(snapshot: &Snapshot, range: Range) -> Vec<InlayHint> {
    let wanted = snapshot.settings.hints;
    if !wanted.any() {
        return Vec::new();
    }
    let shown = snapshot.span(range);
    let mut hints = Vec::new();
    for program in &snapshot.module().programs {
        let hinter = Hinter {
            program,
            names: ScalarNames::new(program),
            map: MemoryMap::of(program),
            wanted,
        };
        if wanted.sizes {
            hinter.allocations(&mut hints);
        }
        program.walk(&mut |stmt| hints.extend(hinter.statement(snapshot, stmt)));
    }
    hints.retain(|(offset, ..)| shown.touches(*offset));
    // A helper is traced at every call. If the calls disagree on the hint at a place, none is shown.
    hints.sort();
    hints.dedup();
    let differs = |at: usize, hints: &[Hint]| {
        let same = |other: usize| hints.get(other).is_some_and(|hint| hint.0 == hints[at].0);
        same(at + 1) || at.checked_sub(1).is_some_and(same)
    };
    let kept = (0..hints.len()).filter(|&at| !differs(at, &hints));
    let kept = kept.map(|at| hint(snapshot, &hints[at]));
    kept.chain(examined(snapshot, shown)).collect()
}

/// Returns a hint with the verdict on each kernel, after the first line of its definition. Clients that show pages
/// have the verdict in a code lens instead.
fn examined(snapshot: &Snapshot, shown: Span) -> impl Iterator<Item = InlayHint> {
    let is_wanted = snapshot.settings.hints.verdicts && !snapshot.links.pages;
    // The definition is in the file that includes a header.
    let records = match snapshot.is_settled() && is_wanted && !snapshot.is_header() {
        true => snapshot.records(),
        false => &[],
    };
    let (source, findings) = (snapshot.source(), snapshot.findings());
    let hint = move |record: &KernelRecord| {
        let offset = head_end(snapshot, record.span);
        let label = standing::label(snapshot.found(), record);
        let table = examined::table(record, source, findings);
        shown.touches(offset).then(|| InlayHint {
            ..hint(snapshot, &(offset, label, table))
        })
    };
    records.iter().filter_map(hint)
}

/// Offset, text and tooltip of a hint.
type Hint = (u32, String, String);

fn hint(snapshot: &Snapshot, (offset, text, meaning): &Hint) -> InlayHint {
    InlayHint {
        position: snapshot
            .range(Span {
                start: *offset,
                end: *offset,
            })
            .start,
        label: InlayHintLabel::String(text.clone()),
        kind: None,
        text_edits: None,
        tooltip: Some(InlayHintTooltip::String(meaning.clone())),
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

struct Hinter<'a> {
    program: &'a Program,
    names: ScalarNames<'a>,
    map: MemoryMap,
    wanted: Hints,
}

impl Hinter<'_> {
    /// Adds the shape and size of each allocation.
    fn allocations(&self, hints: &mut Vec<Hint>) {
        for (index, buffer) in self.program.buffers.iter().enumerate() {
            let placement = self.map.get(BufferId(index as u32));
            let size = match (placement.slots, placement.slot_bytes) {
                (_, None) => continue,
                (1, Some(bytes)) => bytes_text(bytes),
                (slots, Some(bytes)) => format!("{slots}×{}", bytes_text(bytes)),
            };
            let address = placement.address.map_or(String::new(), |address| {
                format!(", from address {address:#07x}")
            });
            let meaning = format!("{size} of {}{address}", buffer.position);
            let text = format!("{} {size}", self.shape(buffer));
            hints.push((buffer.span.end, text, meaning));
        }
    }

    fn shape(&self, buffer: &Buffer) -> String {
        let [rows, columns] = buffer.shape.map(|extent| self.names.text(extent));
        format!("[{rows}, {columns}]")
    }

    fn statement(&self, snapshot: &Snapshot, stmt: &Stmt) -> Option<Hint> {
        match &stmt.kind {
            StmtKind::Instr(instr) if self.wanted.strides => self.instruction(stmt, instr),
            StmtKind::Loop {
                start, stop, step, ..
            } if self.wanted.iterations => {
                let iterations = self.iterations(*start, *stop, *step)?;
                let meaning = "iterations of this loop".to_owned();
                Some((head_end(snapshot, stmt.span), times(&iterations), meaning))
            }
            _ => None,
        }
    }

    /// Describes the repeats and strides that a call leaves to be inferred, if a stride is unusual or the instruction
    /// does not cover its destination.
    fn instruction(&self, stmt: &Stmt, instr: &Instr) -> Option<Hint> {
        let row = instr.row();
        if !row.is_vector() || !instr.explicit || instr.is_counted() {
            return None;
        }
        let inferred = |kind: ParamKind| {
            let arg = instr.arg(kind)?;
            let is_open = !matches!(arg.source, ArgSource::Given(_));
            let value = self.program.size(arg.value.scalar()?)?;
            is_open.then_some(value)
        };
        let uncovered = self.uncovered(instr);
        let mut is_unusual = uncovered.is_some();
        let mut parts = Vec::new();
        if let Some(repeat) = inferred(ParamKind::Repeat) {
            parts.push(format!("repeat {repeat}"));
        }
        let mut strides = |kind: fn(usize) -> ParamKind, name: &str, usual: i64| {
            let operands = row.operands().map(|(index, _)| inferred(kind(index)));
            let values: Vec<i64> = operands.flatten().collect();
            is_unusual |= values.iter().any(|&value| value != usual);
            let texts: Vec<String> = values.iter().map(i64::to_string).collect();
            if !texts.is_empty() {
                parts.push(format!("{name} {}", texts.join("/")));
            }
        };
        strides(ParamKind::BlockStride, "blk", 1);
        strides(ParamKind::RepeatStride, "rep", BLOCKS_PER_REPEAT);
        let mut meaning =
            "Repeats, and strides in 32-byte blocks between blocks and between repeats, \
                           of each operand."
                .to_owned();
        if let Some((touched, all)) = uncovered {
            parts.push(format!("{touched} of {all}"));
            meaning += &format!(" It touches {touched} of the {all} elements of its destination.");
        }
        (is_unusual && !parts.is_empty()).then(|| (stmt.span.end, parts.join(", "), meaning))
    }

    /// Returns the number of elements of its destination that an instruction writes, and the number of all elements,
    /// if they differ.
    fn uncovered(&self, instr: &Instr) -> Option<(i64, i64)> {
        let mut operands = instr.operands();
        let (index, _, view) = operands.find(|(_, operand, _)| operand.access.writes())?;
        let view = view.local()?;
        let own = view_bytes(self.program, view)?;
        let touched = footprint(self.program, instr, index)?.intersection(&own);
        let elements = |bytes: i64| bytes * 8 / view.dtype.bits();
        (touched.len() < own.len()).then(|| (elements(touched.len()), elements(own.len())))
    }

    /// Returns the number of iterations of a loop as a number or an expression; `None` if the expression is unknown
    /// or too long.
    fn iterations(&self, start: ScalarId, stop: ScalarId, step: ScalarId) -> Option<String> {
        let int = |id| self.program.size(id);
        if let (Some(start), Some(stop), Some(step)) = (int(start), int(stop), int(step)) {
            return Some(trip_count(start, stop, step)?.to_string());
        }
        let mut scalars = self.program.scalars.clone();
        let mut span = match int(start) {
            Some(0) => stop,
            _ => scalars.binary(BinaryOp::Sub, stop, start),
        };
        if int(step) != Some(1) {
            span = scalars.binary(BinaryOp::CeilDiv, span, step);
        }
        let is_unknown = matches!(scalars.get(span), Scalar::Unknown(_));
        let text = self.names.text_in(&scalars, span);
        let is_telling = !is_unknown && !text.contains('?') && text.chars().count() <= LONGEST;
        is_telling.then_some(text)
    }
}

fn times(count: &str) -> String {
    format!("× {count}")
}

/// Returns the end of the first line of a statement.
fn head_end(snapshot: &Snapshot, span: Span) -> u32 {
    let (source, base) = snapshot.here();
    let offset = span.start.saturating_sub(base);
    let line = source.line_span(source.line_index(offset));
    let text = line.map_or("", |line| source.slice(line));
    let start = line.map_or(span.start, |line| base + line.start);
    // After the colon, but before a comment.
    let head = text.split('#').next().unwrap_or(text).trim_end();
    start + head.len() as u32
}
