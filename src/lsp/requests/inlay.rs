//! `textDocument/inlayHint`: what was resolved, behind what was written.

use tower_lsp::ls_types::*;

use crate::ir::{
    ArgSource, BinaryOp, Buffer, BufferId, Instr, MemoryMap, Program, Scalar, ScalarId,
    ScalarNames, Stmt, StmtKind,
};
use crate::isa::ParamKind;
use crate::lsp::snapshot::Snapshot;
use crate::record::KernelRecord;
use crate::report::looked_at;
use crate::report::memory::bytes_text;
use crate::text::Span;

/// Longest text of a symbolic shape.
const LONGEST: usize = 36;

/// The hints of a range.
pub fn inlay_hints(snapshot: &Snapshot, range: Range) -> Vec<InlayHint> {
    if !snapshot.settings.inlay_hints {
        return Vec::new();
    }
    let shown = snapshot.text.span(range);
    let mut hints = Vec::new();
    for program in &snapshot.module().programs {
        let hinter = Hinter {
            program,
            names: ScalarNames::new(program),
            map: MemoryMap::of(program),
        };
        hinter.allocations(&mut hints);
        program.walk(&mut |stmt| hints.extend(hinter.statement(snapshot, stmt)));
    }
    hints.retain(|(offset, _)| shown.touches(*offset));
    // A helper is traced at every call: what differs from call to call has no one hint.
    hints.sort();
    hints.dedup();
    let differs = |at: usize, hints: &[(u32, String)]| {
        let same = |other: usize| hints.get(other).is_some_and(|hint| hint.0 == hints[at].0);
        same(at + 1) || at.checked_sub(1).is_some_and(same)
    };
    let kept = (0..hints.len()).filter(|&at| !differs(at, &hints));
    let kept = kept.map(|at| hint(snapshot, &hints[at]));
    kept.chain(looked_at(snapshot, shown)).collect()
}

/// What is known of each kernel, after the first line of its definition.
fn looked_at(snapshot: &Snapshot, shown: Span) -> impl Iterator<Item = InlayHint> {
    let records = match snapshot.is_settled() {
        true => snapshot.records(),
        false => &[],
    };
    let (source, findings) = (snapshot.source(), snapshot.findings());
    let hint = move |record: &KernelRecord| {
        let offset = head_end(snapshot, record.span);
        let label = looked_at::label(record, findings);
        let table = looked_at::table(record, source, findings);
        shown.touches(offset).then(|| InlayHint {
            tooltip: Some(InlayHintTooltip::String(table)),
            ..hint(snapshot, &(offset, label))
        })
    };
    records.iter().filter_map(hint)
}

fn hint(snapshot: &Snapshot, (offset, text): &(u32, String)) -> InlayHint {
    InlayHint {
        position: snapshot.text.position(*offset as usize),
        label: InlayHintLabel::String(text.clone()),
        kind: None,
        text_edits: None,
        tooltip: None,
        padding_left: Some(true),
        padding_right: None,
        data: None,
    }
}

struct Hinter<'a> {
    program: &'a Program,
    names: ScalarNames<'a>,
    map: MemoryMap,
}

impl Hinter<'_> {
    /// Bytes, and the shape where names hide it.
    fn allocations(&self, hints: &mut Vec<(u32, String)>) {
        for (index, buffer) in self.program.buffers.iter().enumerate() {
            let placement = self.map.get(BufferId(index as u32));
            let size = match (placement.slots, placement.slot_bytes) {
                (_, None) => continue,
                (1, Some(bytes)) => bytes_text(bytes),
                (slots, Some(bytes)) => format!("{slots}×{}", bytes_text(bytes)),
            };
            hints.push((buffer.span.end, format!("{} {size}", self.shape(buffer))));
        }
    }

    fn shape(&self, buffer: &Buffer) -> String {
        let [rows, columns] = buffer.shape.map(|extent| self.names.text(extent));
        format!("[{rows}, {columns}]")
    }

    fn statement(&self, snapshot: &Snapshot, stmt: &Stmt) -> Option<(u32, String)> {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instruction(stmt, instr),
            StmtKind::Loop {
                start, stop, step, ..
            } => {
                let trips = self.trips(*start, *stop, *step)?;
                Some((head_end(snapshot, stmt.span), trips))
            }
            _ => None,
        }
    }

    /// Repeats and strides that the call leaves open.
    fn instruction(&self, stmt: &Stmt, instr: &Instr) -> Option<(u32, String)> {
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
        let mut parts = Vec::new();
        if let Some(repeat) = inferred(ParamKind::Repeat) {
            parts.push(format!("repeat {repeat}"));
        }
        let strides = |kind: fn(usize) -> ParamKind| {
            let operands = row.operands().map(|(index, _)| inferred(kind(index)));
            let values: Vec<String> = operands.flatten().map(|value| value.to_string()).collect();
            (!values.is_empty()).then(|| values.join("/"))
        };
        parts.extend(strides(ParamKind::BlockStride).map(|text| format!("blk {text}")));
        parts.extend(strides(ParamKind::RepeatStride).map(|text| format!("rep {text}")));
        (!parts.is_empty()).then(|| (stmt.span.end, parts.join(", ")))
    }

    /// How often a loop runs.
    fn trips(&self, start: ScalarId, stop: ScalarId, step: ScalarId) -> Option<String> {
        let int = |id| self.program.size(id);
        if let (Some(start), Some(stop), Some(step)) = (int(start), int(stop), int(step)) {
            let trips = match step {
                0 => return None,
                step => (stop - start + step - step.signum()) / step,
            };
            return Some(times(&trips.max(0).to_string()));
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
        is_telling.then(|| times(&text))
    }
}

fn times(count: &str) -> String {
    format!("× {count}")
}

/// The end of the first line of a statement.
fn head_end(snapshot: &Snapshot, span: Span) -> u32 {
    let source = snapshot.source();
    let line = source.line_span(source.line_index(span.start));
    let text = line.map_or("", |line| source.slice(line));
    let start = line.map_or(span.start, |line| line.start);
    // In front of a comment, behind the colon.
    let head = text.split('#').next().unwrap_or(text).trim_end();
    start + head.len() as u32
}
