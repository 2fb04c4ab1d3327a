use crate::declare_rule;
use crate::operand_walks::operand_name;
use crate::wording::{call, elements_in, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{RangeSet, has_illegal_number, resolved, type_fault, view_bytes};
use a2lint_ir::finding::Severity;
use a2lint_ir::{ArgValue, Instr, LocalView, NoteKind, Stmt};
use a2lint_isa::{
    Access, Class, DST, DType, MaskUse, Operator, ParamKind, REPEAT_BYTES, SRC, SelectMode, param,
};

declare_rule! {
    /// ## What it does
    /// Reports vector instructions whose destination shares memory with a source without being walked
    /// in the same way, and those that must not work in place at all: `gather`, `brcb`, the sorts,
    /// and a `select` that chooses between two tensors. So is `Silu` of AscendC, which writes its destination before it
    /// reads its source for the last time. A tensor that all repeats of a call write and read, with a repeat
    /// stride of 0, is a warning.
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

/// How a source overlaps the destination.
enum Overlap {
    /// Any overlap is forbidden for this operand.
    Forbidden,
    /// The operands share these bytes without being in step.
    Partial(RangeSet),
    /// Each repeat reads what the repeat before it has written.
    Chained,
}

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
                Access::ReadWrite if is_chained(facts, instr, index, view) => Overlap::Chained,
                _ => return None,
            };
            Some((index, view, overlap))
        });
        if let Some((index, view, overlap)) = overlap {
            report(facts, sink, (stmt, instr), index, view, &overlap);
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
) -> Option<Overlap> {
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
    let ((start, written_end), (from, read_end)) = (written.hull()?, read.hull()?);
    let in_step = start == from && same_steps(facts, instr, index, dst, src);
    match instr.row().class {
        Class::Gather | Class::Broadcast | Class::Sort | Class::Transpose => {
            Some(Overlap::Forbidden)
        }
        Class::Select if index > param!(Select.selmask) && chooses_lanes(instr) => {
            Some(Overlap::Forbidden)
        }
        // The results are narrower than the data: a write that starts no later never reaches elements that are
        // still to be read.
        Class::Reduce | Class::GroupReduce | Class::PairReduce | Class::Compare
            if start <= from =>
        {
            None
        }
        // Compaction moves kept elements towards the start, so no element is overwritten before it is read.
        Class::Compact if index == SRC && start == from => None,
        Class::Cast if start <= from && dst.dtype.bits() <= src.dtype.bits() => None,
        // In-place widening: the source lies at the end of the destination, so a repeat overwrites only elements that
        // have been read.
        Class::Cast if dst.dtype.bits() > src.dtype.bits() && written_end <= read_end => None,
        _ if in_step && is_chained(facts, instr, index, dst) => Some(Overlap::Chained),
        _ if in_step => None,
        // Each repeat writes what an earlier one has read.
        _ if start + REPEAT_BYTES <= from && is_dense(facts, instr, index, dst, src) => None,
        // The operands start at the same address and share only the first lane, which is read before it is written.
        _ if start == from && is_in_one_lane(&shared, src) => None,
        _ => Some(Overlap::Partial(shared)),
    }
}

/// Returns whether all repeats of an instruction write one place that they also read, by a source or the destination
/// itself, and the device makes no exception for it: for sums, products and bounds whose second source it is.
fn is_chained(facts: &Facts, instr: &Instr, index: usize, dst: &LocalView) -> bool {
    let number = |kind| resolved(facts.program, instr, kind);
    let stays = number(ParamKind::RepeatStride(DST)) == Some(0);
    let repeats = number(ParamKind::Repeat).is_some_and(|repeats| repeats > 1);
    let has_exception = matches!(
        instr.row().operator(),
        Some(Operator::Add | Operator::Sub | Operator::Mul | Operator::Max | Operator::Min)
    ) && instr.row().class == Class::Binary;
    let of_type = matches!(dst.dtype, DType::Half | DType::Int | DType::Float);
    let is_known = instr.row().operator().is_some() || index == DST;
    let is_excepted = has_exception && of_type && index != SRC && index != DST;
    stays && repeats && is_known && !is_excepted
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

/// Returns whether the shared bytes span at most one element of the source.
fn is_in_one_lane(shared: &RangeSet, src: &LocalView) -> bool {
    let hull = shared.hull();
    hull.is_some_and(|(start, end)| (end - start) * 8 <= src.dtype.bits())
}

/// Returns whether both operands are accessed with the same strides, and without gaps between the blocks of a repeat.
fn is_dense(facts: &Facts, instr: &Instr, index: usize, dst: &LocalView, src: &LocalView) -> bool {
    let stride = resolved(facts.program, instr, ParamKind::BlockStride(DST));
    stride.is_none_or(|stride| stride == 1) && same_steps(facts, instr, index, dst, src)
}

/// Returns whether both operands are accessed with the same strides and element size.
fn same_steps(
    facts: &Facts,
    instr: &Instr,
    index: usize,
    dst: &LocalView,
    src: &LocalView,
) -> bool {
    let number = |kind| resolved(facts.program, instr, kind);
    let counted = instr.scalar(ParamKind::Count).is_some();
    let one_repeat = number(ParamKind::Repeat) == Some(1);
    let blocks = number(ParamKind::BlockStride(DST)) == number(ParamKind::BlockStride(index));
    let repeats = number(ParamKind::RepeatStride(DST)) == number(ParamKind::RepeatStride(index));
    dst.dtype.bits() == src.dtype.bits() && (counted || (blocks && (repeats || one_repeat)))
}

fn chooses_lanes(instr: &Instr) -> bool {
    let mode = instr.arg(ParamKind::Select).map(|arg| &arg.value);
    instr.row().class == Class::Select && mode == Some(&ArgValue::Select(SelectMode::TensorTensor))
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    index: usize,
    view: &LocalView,
    overlap: &Overlap,
) {
    let Some(dst) = instr.local(DST) else { return };
    let name = call(facts, instr);
    let source = operand_name(instr, index);
    let message = match overlap {
        Overlap::Forbidden => format!(
            "{name} cannot work in place, and its `{source}` {} shares memory with {}",
            tensor(facts, view),
            tensor(facts, dst)
        ),
        Overlap::Partial(shared) => format!(
            "{name} writes {} elements of {} that it also reads as `{source}` {}, in other lanes",
            elements_in(shared.len(), dst.dtype),
            tensor(facts, dst),
            tensor(facts, view)
        ),
        Overlap::Chained => format!(
            "the repeats of {name} write to {}, which they also read: one may read before the one ahead has stored",
            tensor(facts, dst)
        ),
    };
    let report = sink.report_from(stmt.origin, stmt.span, message);
    match overlap {
        // The manual says that results may not be as expected.
        Overlap::Chained => report
            .severity(Severity::Warning)
            .advice("make one call for each repeat"),
        _ => report.advice("write to a tensor of its own, or let both operands be the same view"),
    };
}
