use rustc_hash::FxHashSet;

use crate::coverage::reduce_overrun;
use crate::coverage::reduce_overrun::is_reduced;
use crate::coverage::reduce_row_width;
use crate::coverage::scalars_unbroadcast;
use crate::coverage::wide_narrow;
use crate::declare_rule;
use crate::device::repeat_range;
use crate::mask::select_mask_short;
use crate::observations::{Scene, names};
use crate::wording::{
    allocated_at, allocation, call, counted, declared, elements, elements_in, list, neighbours,
    tensor, view_text,
};
use crate::{Facts, Sink};
use a2lint_analysis::{FaultyOperand, OperandFault, RangeSet, resolved};
use a2lint_ir::finding::Cause;
use a2lint_ir::{BufferId, Deciding, LocalView, Notation, StmtId, Through, View, round_up};
use a2lint_isa::{Access, BLOCK_BYTES, Class, DST, ParamKind};
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports instructions that touch bytes outside of an operand's own allocation. The slots of a
    /// `DBuff`, `TBuff` or `QBuff` count as allocations of their own.
    ///
    /// ## Why is this bad?
    /// A vector instruction works in repeats of 256 bytes, and the number of repeats is rounded up.
    /// Nothing stops it at the end of a tensor: a tensor that does not fill its last repeat loses
    /// the rest of it to whatever was allocated next.
    ///
    /// ## Example
    /// ```python
    /// scale = Tensor(DT.half, [64, 1], Position.UB)     # 128 bytes
    /// muls(scale, scale, 0.5)                           # one repeat: 256 bytes
    /// ```
    ///
    /// ```cpp
    /// pipe.InitBuffer(out, 1, 64);                  // bytes
    /// Add(out.AllocTensor<float>(), x, x, 64);
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// muls(scale, scale, 0.5, count=64)
    /// ```
    ///
    /// ```cpp
    /// pipe.InitBuffer(out, 1, 64 * sizeof(float));
    /// Add(out.AllocTensor<float>(), x, x, 64);
    /// ```
    ///
    /// ## Source
    /// Footprints of vector instructions: element `(r*rep_stride + b*blk_stride)*C0 + l` of each
    /// repeat, repeats rounded up; A2 device constraints, section 6.
    "COV003" "operand-overrun" Error, basis = AnyLaunch,
    causes = [
        "COV", "MSK002", "MSK011", "CAP008", "CAP009", "MOV009", "MOV010", "DEV011", "DEV014",
    ]
}

/// An overrun of an operand. `beyond` and `slot_bytes` are in bytes.
struct Overrun<'a> {
    operand: &'a FaultyOperand<'a>,
    outside: &'a RangeSet,
    beyond: i64,
    slot_bytes: i64,
}

fn check(facts: &Facts, sink: &mut Sink) {
    let explained = explained_elsewhere(facts);
    let overruns: Vec<Overrun> = facts
        .analysis
        .faulty_operands
        .iter()
        .filter(|operand| reduce_overrun::overrun(operand).is_none())
        .filter(|operand| !explained.contains(&operand.stmt.id))
        .filter_map(overrun)
        .collect();
    for group in overruns.chunk_by(|a, b| a.operand.stmt.id == b.operand.stmt.id) {
        report(facts, sink, group);
    }
    let seen = Scene::all(facts, |seen| is_overrun(seen) && !is_reduced(facts, seen));
    for (rank, scene) in seen.iter().enumerate() {
        report_seen(facts, sink, scene, rank);
    }
    let is_past = |seen: &Observation| matches!(seen.kind(), Some(FindingKind::PastLength { .. }));
    for scene in Scene::all(facts, is_past) {
        report_past(facts, sink, &scene);
    }
}

/// Reports a write past the length of a tensor into another tensor of the same memory that is read later. Anything else
/// behind a tensor may belong to it as well.
fn report_past(facts: &Facts, sink: &mut Sink, scene: &Scene) {
    let (Some(FindingKind::PastLength { bytes, write: true }), Some(View::Local(view))) =
        (scene.observation.kind(), scene.view())
    else {
        return;
    };
    let Some(hit) = hit(facts, scene.stmt.id, view, bytes) else {
        return;
    };
    let message = format!(
        "{} writes {bytes} bytes past the length of {}, over a tensor that is read later",
        call(facts, scene.instr),
        tensor(facts, view)
    );
    scene
        .report(facts, sink, message)
        .label(hit.site, "read here")
        .advice("keep the call within the length that the tensor was made with");
}

/// Returns a view of another tensor that lies in the bytes behind the end of a tensor, if it is read after a statement
/// before it is written.
fn hit<'a>(facts: &Facts<'a>, after: StmtId, of: &LocalView, bytes: i64) -> Option<&'a LocalView> {
    let end = of.end?;
    let mut written: FxHashSet<i64> = FxHashSet::default();
    let later = facts.instructions().filter(|(stmt, _)| stmt.id > after);
    for (_, instr) in later {
        let inside = instr.operands().filter_map(|(_, operand, view)| {
            let view = view.local().filter(|view| view.buffer == of.buffer)?;
            let start = view.dtype.bytes_of(facts.program.size(view.offset[1])?);
            let is_other = view.end.is_some_and(|other| other > end);
            (is_other && (end..end + bytes).contains(&start)).then_some((operand, view, start))
        });
        let inside: Vec<_> = inside.collect();
        let mut reads = inside
            .iter()
            .filter(|(operand, _, start)| operand.access.reads() && !written.contains(start));
        if let Some(&(_, view, _)) = reads.next() {
            return Some(view);
        }
        written.extend(inside.iter().map(|(_, _, start)| *start));
    }
    None
}

/// Returns whether the replay saw an access outside of its tensor.
pub(crate) fn is_overrun(seen: &Observation) -> bool {
    use FindingKind::{OutsideMemory, Overrun};
    matches!(seen.kind(), Some(Overrun { .. } | OutsideMemory(_)))
}

/// Maximum number of values of a launch that a message names.
const NAMED: usize = 6;

/// Reports an overrun that the replay saw. `rank` is its position among those of the kernel.
pub(crate) fn report_seen(facts: &Facts, sink: &mut Sink, scene: &Scene, rank: usize) {
    let (name, what) = (call(facts, scene.instr), scene.operand(facts));
    let buffer = |id: BufferId| format!("`{}`", facts.program.buffer(id).label());
    let message = match scene.observation.kind() {
        Some(FindingKind::Overrun {
            neighbour,
            bytes,
            holds,
            write,
            ..
        }) => {
            let (verb, onto) = if write {
                ("writes", "over")
            } else {
                ("reads", "from")
            };
            let hit = neighbour.map_or(String::new(), |id| format!(", {onto} {}", buffer(id)));
            format!(
                "{name} {verb} {bytes} bytes outside the tensor of {what}, which has {holds}{hit}"
            )
        }
        _ => {
            let position = scene.view().and_then(View::local);
            let position = position.map(|view| facts.program.buffer(view.buffer).position);
            let memory = position.map_or("the memory".to_owned(), |position| position.to_string());
            format!("{name} reaches past the end of {memory} through {what}")
        }
    };
    let declared = scene.view().map(|view| declared(facts, view));
    let (parameters, values) = decided_by(facts, scene);
    let place = facts.replay.execution(scene.observation).place.as_ref();
    let advice = match place.filter(|_| !parameters.is_empty()) {
        Some(place) => format!(
            "keep the extents within the allocation, or mend the launch at {place} if the host never \
             computes such sizes; what else this overrun does in the launch is not reported"
        ),
        None => match scene.observation.kind() {
            // An access before the start has no element, and no size would hold it.
            Some(FindingKind::Overrun { bytes, holds, .. })
                if scene.observation.element.is_some() =>
            {
                let most = holds + bytes;
                let meant = in_elements(facts, scene, holds, most);
                format!(
                    "keep the extents within the allocation, or allocate at least {most} bytes{meant}"
                )
            }
            _ => "keep the extents within the allocation".to_owned(),
        },
    };
    let mut report = scene
        .report(facts, sink, format!("{message}{values}"))
        .advice(advice);
    if let Some(span) = declared {
        report = report.label(span, "allocated here");
    }
    if !parameters.is_empty() {
        report.cause(Cause::Misfit { parameters, rank });
    }
}

/// Says that the size of a buffer in AscendC is in bytes, where the number would do as one of elements.
fn in_elements(facts: &Facts, scene: &Scene, holds: i64, most: i64) -> String {
    let view = scene.view().and_then(View::local);
    let Some(dtype) = view.map(|view| view.dtype).filter(|dtype| dtype.bits() > 8) else {
        return String::new();
    };
    let size = dtype.bits() / 8;
    let is_cpp = facts.program.toolchain.notation == Notation::Cpp;
    match is_cpp && most <= holds * size {
        true => format!(
            "; `InitBuffer` counts bytes: {holds} elements take `{holds} * sizeof({dtype})`"
        ),
        false => String::new(),
    }
}

/// Returns the parameters that decide about the extents of the operand to blame and about the size of its tensor, and
/// a clause with their values in the launch.
fn decided_by(facts: &Facts, scene: &Scene) -> (Vec<String>, String) {
    let mut deciding = Deciding::new(facts.program, Through::Data);
    if let Some(operand) = scene.observation.operand {
        deciding.extents(scene.stmt.id, operand);
    }
    let parameters = names(facts.program, deciding);
    let launch = facts
        .replay
        .execution(scene.observation)
        .arguments(facts.program);
    let values = parameters.iter().filter_map(|name| {
        let (_, value) = launch.iter().find(|(known, _)| known == name)?;
        Some(format!("`{name}` is {value}"))
    });
    let values: Vec<String> = values.take(NAMED).collect();
    let clause = match values.as_slice() {
        [] => String::new(),
        values => format!(": {}", values.join(", ")),
    };
    (parameters, clause)
}

/// Returns the statements whose overrun follows from a mistake that another rule reports.
fn explained_elsewhere(facts: &Facts) -> FxHashSet<StmtId> {
    if facts.analysis.faulty_operands.is_empty() {
        return FxHashSet::default();
    }
    let mut explained = wide_narrow::explained(facts);
    explained.extend(scalars_unbroadcast::explained(facts));
    explained.extend(reduce_row_width::explained(facts));
    explained.extend(select_mask_short::explained(facts));
    explained.extend(repeat_range::explained(facts));
    explained
}

fn overrun<'a>(operand: &'a FaultyOperand) -> Option<Overrun<'a>> {
    match &operand.fault {
        OperandFault::Overrun {
            outside,
            beyond,
            slot_bytes,
        } => Some(Overrun {
            operand,
            outside,
            beyond: *beyond,
            slot_bytes: *slot_bytes,
        }),
        _ => None,
    }
}

/// Reports the overruns of one instruction, preferably at a written operand; the others become labels.
fn report(facts: &Facts, sink: &mut Sink, group: &[Overrun]) {
    let chief = group
        .iter()
        .find(|overrun| overrun.operand.access.writes())
        .unwrap_or(&group[0]);
    let operand = chief.operand;
    let message = format!("{} {}", call(facts, operand.instr), clause(facts, chief));
    let holds = format!(
        "{} holds {} bytes",
        allocation(facts, facts.program.buffer(operand.view.buffer)),
        chief.slot_bytes
    );
    let mut report = sink
        .report_from(operand.stmt.origin, operand.stmt.span, message)
        .help(help(facts, operand))
        .in_cpp(cpp_help(facts, chief))
        .label(allocated_at(facts, operand.view), holds)
        .cause(Cause::Overrun {
            bytes: chief.beyond,
        });
    for other in group {
        if other.operand.view.buffer != operand.view.buffer {
            let text = format!("it also {}", clause(facts, other));
            report = report.label(other.operand.view.site, text);
        }
    }
}

/// Formats an overrun: `writes 64 elements past the end of h [64,1] (repeat 1), over other`.
fn clause(facts: &Facts, overrun: &Overrun) -> String {
    let operand = overrun.operand;
    let (verb, onto) = match operand.access {
        Access::Read => ("reads", "from"),
        _ => ("writes", "over"),
    };
    let lost = counted(elements_in(overrun.beyond, operand.view.dtype), "element");
    let names = neighbours(facts, operand.view, overrun.outside);
    let hit = match names.is_empty() {
        true => String::new(),
        false => format!(", {onto} {}", list(&names)),
    };
    let before = overrun.outside.hull().is_some_and(|(start, _)| start < 0);
    let border = if before { "outside" } else { "past the end" };
    let extent = extent(facts, operand);
    if facts.program.dialect.has_rows() {
        let what = tensor(facts, operand.view);
        return format!("{verb} {lost} {border} of {what}{extent}{hit}");
    }
    // In C++ the length of a view is that of the call, which says nothing about the tensor.
    let holds = counted(
        elements_in(overrun.slot_bytes, operand.view.dtype),
        "element",
    );
    let what = view_text(facts, operand.view);
    format!("{verb} {lost} {border} of `{what}`, whose tensor holds {holds}{extent}{hit}")
}

/// Formats the argument that determines the extent of the access.
fn extent(facts: &Facts, operand: &FaultyOperand) -> String {
    let number = |kind| resolved(facts.program, operand.instr, kind);
    if let Some(count) = number(ParamKind::Count) {
        return format!(" (count {count})");
    }
    match number(ParamKind::Repeat) {
        Some(repeat) => format!(" (repeat {repeat})"),
        None => String::new(),
    }
}

fn help(facts: &Facts, operand: &FaultyOperand) -> String {
    if let Some(count) = fitting_count(facts, operand) {
        return format!(
            "add `count={count}`, or allocate whole repeats ({} elements of {} each)",
            operand.view.dtype.lanes(),
            operand.view.dtype
        );
    }
    let dtype = operand.view.dtype;
    if operand.instr.row().class == Class::Move {
        return format!(
            "every row of a move starts on a 32-byte border: allocate rows of a multiple of {} elements",
            dtype.c0()
        );
    }
    let mut operands = operand.instr.operands();
    let place = operands.find(|(_, _, view)| view.local() == Some(operand.view));
    let at = place.map(|(at, ..)| at);
    if let Some(help) = at.and_then(|at| same_row(facts, operand, at)) {
        return help;
    }
    let broadcast =
        at.and_then(|at| resolved(facts.program, operand.instr, ParamKind::BlockStride(at)));
    if broadcast == Some(0) {
        return format!(
            "a one-block row serves one repeat: work on slices of {} columns, so that a repeat is a row",
            dtype.lanes()
        );
    }
    format!(
        "give the tensor room for what the instruction touches: {} bytes",
        needed_bytes(operand)
    )
}

/// Returns how one row serves as the operand at `at` for all rows of the destination.
fn same_row(facts: &Facts, operand: &FaultyOperand, at: usize) -> Option<String> {
    let row = operand.instr.row();
    let stride = row.param(row.index_of(ParamKind::RepeatStride(at))?)?.name;
    let [rows, columns] = facts.program.constant_pair(operand.view.span)?;
    let [all, width] = facts
        .program
        .constant_pair(operand.instr.local(DST)?.span)?;
    if rows != 1 || all == 1 || width != columns || operand.access.writes() {
        return None;
    }
    let lanes = operand.view.dtype.lanes();
    let what = view_text(facts, operand.view);
    let parts = match width > lanes {
        true => format!(", in a call for each {lanes} columns"),
        false => String::new(),
    };
    Some(format!(
        "`{what}` is one row for {all} rows: give `{stride}=0`, so that every repeat reads it{parts}"
    ))
}

/// Returns what to change in AscendC. A buffer of as many bytes as the call has elements was given a number of
/// elements.
fn cpp_help(facts: &Facts, overrun: &Overrun) -> String {
    let operand = overrun.operand;
    let count = resolved(facts.program, operand.instr, ParamKind::Count);
    match count.filter(|&count| count == overrun.slot_bytes && operand.view.dtype.bits() > 8) {
        Some(count) => format!(
            "the size of a buffer is in bytes: {count} elements take `{count} * sizeof({})`",
            operand.view.dtype
        ),
        None => "keep the call within the tensor: the addresses after it belong to other tensors"
            .to_owned(),
    }
}

/// Returns a value for `count=` with which the instruction stays within the operand.
fn fitting_count(facts: &Facts, operand: &FaultyOperand) -> Option<i64> {
    let takes_count = operand.instr.row().index_of(ParamKind::Count).is_some();
    let uncounted = operand.instr.scalar(ParamKind::Count).is_none();
    let count = elements(facts, operand.instr.local(DST)?)?;
    let fits = count <= elements(facts, operand.view)?;
    (takes_count && uncounted && fits).then_some(count)
}

/// Returns the size in bytes of a slot that is large enough, in whole blocks.
fn needed_bytes(operand: &FaultyOperand) -> i64 {
    let OperandFault::Overrun {
        outside,
        slot_bytes,
        ..
    } = &operand.fault
    else {
        return 0;
    };
    let end = outside.hull().map_or(*slot_bytes, |(_, end)| end);
    round_up(end.max(*slot_bytes), BLOCK_BYTES)
}
