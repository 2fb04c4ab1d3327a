use crate::declare_rule;
use crate::observations::Scene;
use crate::operand_walks::operand_name;
use crate::rule::Report;
use crate::wording::{call, elements_in, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{RangeSet, has_illegal_number, resolved, type_fault, view_bytes};
use a2lint_ir::finding::Severity;
use a2lint_ir::{ArgValue, Instr, LocalView, NoteKind, Stmt};
use a2lint_isa::{Access, Class, DST, MaskUse, Overlap, ParamKind, SelectMode, Sharing};
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports vector instructions whose destination shares memory with a source without being walked
    /// in the same way, provably or in a replay, and those that must not work in place at all: `gather`, `brcb`, the
    /// sorts, and a `select` that chooses between two tensors (a warning where every lane is read where it is
    /// written). So is `Silu` of AscendC, which writes its destination before it reads its source for the last time. A
    /// tensor that all repeats of a call write and read, with a repeat stride of 0, is a warning.
    ///
    /// ## Why is this bad?
    /// Repeats are pipelined: a source element may be read before or after the repeat that overwrites
    /// it. In place works where every lane is read and written by the same lane of the same repeat.
    ///
    /// ## Example
    /// ```python
    /// add(t[0:1, 8:72], t[0:1, 0:64], one)         # shifted by a block
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// add(shifted, t[0:1, 0:64], one)
    /// ```
    ///
    /// ## Source
    /// AscendC reference, general restrictions: operands overlap in full or not at all.
    "COV014" "partial-overlap" Error, basis = AnyLaunch
}

/// A source that overlaps the destination, with the number of bytes that both access.
type Overlapping = (Overlap, i64);

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let is_vector = instr.row().is_vector();
        if !is_vector || !reads_its_destination(instr) || faulty(facts, instr) {
            continue;
        }
        let overlap = instr.operands().find_map(|(index, operand, view)| {
            let view = view.local()?;
            let overlap = match operand.access {
                Access::Read => overlap(facts, stmt, instr, index, view)?,
                Access::ReadWrite
                    if stays(facts, instr) && instr.row().chains(index, view.dtype) =>
                {
                    (Overlap::Chained, 0)
                }
                _ => return None,
            };
            Some((index, view, overlap))
        });
        if let Some((index, view, overlap)) = overlap {
            let message = message(facts, instr, index, view, overlap);
            let report = sink.report_from(stmt.origin, stmt.span, message);
            advise(report, overlap.0);
        }
    }
    for scene in Scene::all(facts, |seen| overlapping(seen).is_some()) {
        if let Some(overlap) = overlapping(scene.observation)
            && let Some(index) = scene.observation.operand
            && let Some(view) = scene.instr.local(index)
        {
            let message = message(facts, scene.instr, index, view, overlap);
            advise(scene.report(facts, sink, message), overlap.0);
        }
    }
    for note in &facts.program.notes {
        let NoteKind::ReadAfterWritten(buffer) = note.kind else {
            continue;
        };
        let message = format!(
            "this function writes `{}` before it has read its source from there",
            facts.program.buffer(buffer).label()
        );
        sink.report_from(note.origin, note.span, message)
            .help("write to a tensor of its own: source and destination must not overlap");
    }
}

/// Returns the overlap that a run has shown.
fn overlapping(seen: &Observation) -> Option<Overlapping> {
    match seen.kind() {
        Some(FindingKind::SharedOperands { overlap, bytes }) => Some((overlap, bytes)),
        _ => None,
    }
}

/// Returns whether a source lies in the buffer of the destination.
fn reads_its_destination(instr: &Instr) -> bool {
    instr.local(DST).is_some_and(|dst| {
        instr.operands().any(|(_, operand, view)| {
            let reads = operand.access.reads();
            reads && view.local().is_some_and(|src| src.buffer == dst.buffer)
        })
    })
}

fn faulty(facts: &Facts, instr: &Instr) -> bool {
    type_fault(facts.program, instr).is_some() || has_illegal_number(facts.program, instr)
}

fn overlap(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    index: usize,
    src: &LocalView,
) -> Option<Overlapping> {
    let dst = instr.local(DST)?;
    // The two views are certain to be in one slot if the slots have equal numbers or equal expressions.
    if dst.buffer != src.buffer || instr.reads_one_element(index) {
        return None;
    }
    let extents = [DST, index].map(|at| facts.analysis.extent(stmt.id, at));
    let [Some(to), Some(from)] = extents else {
        return None;
    };
    let same_slot = dst.slot == src.slot
        || to
            .slots
            .only()
            .is_some_and(|slot| from.slots.only() == Some(slot));
    if !same_slot {
        return None;
    }
    let written = to.footprint.exact()?.clone();
    let read = match from.footprint.exact() {
        Some(read) => read.clone(),
        None if instr.row().class == Class::Gather => reachable(facts, src)?,
        None => return None,
    };
    let shared = written.intersection(&read);
    if shared.is_empty() || !works_on_all_lanes(facts, stmt, instr, dst) {
        return None;
    }
    let sharing = Sharing {
        source: index,
        dtypes: [dst.dtype, src.dtype],
        written: written.hull()?,
        read: read.hull()?,
        shared: shared.hull().map_or(0, |(start, end)| end - start),
        chooses_lanes: chooses_lanes(instr),
        same_strides: has_same_strides(facts, instr, index),
        is_dense: is_dense(facts, instr),
        stays: stays(facts, instr),
    };
    let overlap = instr.row().overlap(&sharing)?;
    Some((overlap, shared.len()))
}

/// Returns whether all repeats of an instruction write one place.
fn stays(facts: &Facts, instr: &Instr) -> bool {
    let number = |kind| resolved(facts.program, instr, kind);
    let stays = number(ParamKind::RepeatStride(DST)) == Some(0);
    stays && number(ParamKind::Repeat).is_some_and(|repeats| repeats > 1)
}

/// Returns the bytes that a gather reads somewhere in. A source that goes on to the end of its buffer may only name
/// where the data starts.
fn reachable(facts: &Facts, src: &LocalView) -> Option<RangeSet> {
    let bytes = view_bytes(facts.program, src)?;
    let (start, end) = bytes.hull()?;
    let [rows, columns] = facts.program.constant_pair(src.shape)?;
    let buffer = src.dtype.bytes_of(rows.checked_mul(columns)?);
    Some(match end == buffer {
        true => RangeSet::span(start, start + src.dtype.bytes_of(1)),
        false => bytes,
    })
}

/// Returns whether an instruction works on all lanes of its footprint. Under a mask with fewer lanes the operands may
/// have none in common.
fn works_on_all_lanes(facts: &Facts, stmt: &Stmt, instr: &Instr, dst: &LocalView) -> bool {
    let counts = [ParamKind::Count, ParamKind::CountPerRepeat];
    let is_counted = counts.iter().any(|&count| instr.scalar(count).is_some());
    let takes_no_mask = instr.row().mask == MaskUse::Ignored;
    is_counted || takes_no_mask || facts.analysis.mask_at(stmt.id).is_full_for(dst.dtype)
}

/// Returns whether the blocks of a repeat of the destination follow each other without gaps.
fn is_dense(facts: &Facts, instr: &Instr) -> bool {
    let stride = resolved(facts.program, instr, ParamKind::BlockStride(DST));
    stride.is_none_or(|stride| stride == 1)
}

/// Returns whether both operands are accessed with the same strides.
fn has_same_strides(facts: &Facts, instr: &Instr, index: usize) -> bool {
    let number = |kind| resolved(facts.program, instr, kind);
    let counted = instr.scalar(ParamKind::Count).is_some();
    let one_repeat = number(ParamKind::Repeat) == Some(1);
    let blocks = number(ParamKind::BlockStride(DST)) == number(ParamKind::BlockStride(index));
    let repeats = number(ParamKind::RepeatStride(DST)) == number(ParamKind::RepeatStride(index));
    counted || (blocks && (repeats || one_repeat))
}

fn chooses_lanes(instr: &Instr) -> bool {
    let mode = instr.arg(ParamKind::Select).map(|arg| &arg.value);
    instr.row().class == Class::Select && mode == Some(&ArgValue::Select(SelectMode::TensorTensor))
}

fn message(
    facts: &Facts,
    instr: &Instr,
    index: usize,
    view: &LocalView,
    (overlap, bytes): Overlapping,
) -> String {
    let name = call(facts, instr);
    let source = operand_name(instr, index);
    let src = tensor(facts, view);
    let dst = instr
        .local(DST)
        .map_or_else(String::new, |dst| tensor(facts, dst));
    match overlap {
        Overlap::Forbidden | Overlap::InStep => format!(
            "{name} cannot work in place, and its `{source}` {src} shares memory with {dst}"
        ),
        Overlap::Partial => {
            let dtype = instr.local(DST).map_or(view.dtype, |dst| dst.dtype);
            let elements = elements_in(bytes, dtype);
            format!(
                "{name} writes {elements} elements of {dst} that it also reads as `{source}` {src}, in other lanes"
            )
        }
        Overlap::Chained => format!(
            "the repeats of {name} write to {dst}, which they also read: one may read before the one ahead has stored"
        ),
    }
}

fn advise(report: Report, overlap: Overlap) {
    match overlap {
        // The manual says that results may not be as expected.
        Overlap::Chained => report
            .severity(Severity::Warning)
            .advice("make one call for each repeat"),
        // By the general restriction operands may overlap in full; the manual of this call alone forbids it.
        Overlap::InStep => report.severity(Severity::Warning).advice(
            "write to a tensor of its own: the manual does not let this call work in place",
        ),
        _ => report.advice("write to a tensor of its own, or let both operands be the same view"),
    };
}
