//! `MrgSort`, which merges sorted queues of records.

use a2lint_ir::ScalarId;
use a2lint_isa::{DType, Opcode};

use crate::cx::{Cx, Lowered, follows, lost, take};
use crate::numbers;
use crate::objects::Object;
use crate::tensors::Local;

/// Size of a record (a value and its index) in bytes.
const RECORD: i64 = 8;
/// The names of the source parameters.
const QUEUES: [&str; 4] = ["src1", "src2", "src3", "src4"];
const SIZES: [&str; 4] = ["size1", "size2", "size3", "size4"];

/// Lowers `MrgSort(dst, {src1, src2, src3, src4}, {elementLengths, ifExhaustedSuspension, validBit, repeatTimes})`.
pub(super) fn merge(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let dst = take!(cx.local(0));
    let number = |cx: &mut Cx<'_, '_, '_>, name: &str| -> Lowered<i64> {
        let value = cx.field_value(2, name)?;
        match value.known_int().and_then(|it| i64::try_from(it).ok()) {
            Some(number) => Ok(Ok(number)),
            None if value.is_unknown() => follows!("a number is not known"),
            None => lost!("`{name}` of `MrgSort` has to be known when the kernel is compiled"),
        }
    };
    if take!(number(cx, "ifExhaustedSuspension")) != 0 {
        lost!("`MrgSort` that stops where a queue is empty is not followed");
    }
    let queues = match take!(number(cx, "validBit")) {
        0b11 => 2,
        0b111 => 3,
        0b1111 => 4,
        _ => lost!("`MrgSort` of these queues is not followed"),
    };
    let repeat = take!(cx.field(2, "repeatTimes"));
    let mut sources = Vec::new();
    for at in 0..queues {
        sources.push((take!(source(cx, at)), take!(length(cx, at))));
    }
    if !is_adjacent(cx, &sources) {
        return match cx.builder().program.scalars.as_int(repeat) {
            Some(1) => merge_once(cx, dst, &sources),
            _ if queues < QUEUES.len() => {
                lost!("`MrgSort` that repeats with less than four queues is not followed")
            }
            _ => lost!(
                "`MrgSort` that repeats with queues that do not lie side by side is not followed"
            ),
        };
    }
    let (from, size) = sources[0];
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let emission = cx
        .instruction(Opcode::MergeSort4)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", from.view(cx.builder(), None, sites[1]))
        .number("length_per_blk", size, sites[2])
        .number("repeat", repeat, sites[2]);
    cx.emit(emission)
}

/// Lowers a merge of four queues of the library, which lie side by side: `groups` times.
pub(super) fn fours(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let (length, groups) = (take!(cx.number(2)), take!(cx.number(3)));
    let site = cx.call.span;
    let emission = cx
        .instruction(Opcode::MergeSort4)
        .local("dst", dst.view(cx.builder(), None, site))
        .local("src", src.view(cx.builder(), None, site))
        .number("length_per_blk", length, site)
        .number("repeat", groups, site);
    cx.emit(emission)
}

/// Lowers a merge of up to four queues of the library, some of them empty.
pub(super) fn queues(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let dst = take!(cx.local(0));
    let mut sources = Vec::new();
    for at in 1..=QUEUES.len() {
        let size = take!(cx.number(at + QUEUES.len()));
        sources.push((take!(cx.local(at)), size));
    }
    merge_once(cx, dst, &sources)
}

fn merge_once(cx: &mut Cx<'_, '_, '_>, dst: Local, sources: &[(Local, ScalarId)]) -> Lowered {
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let mut all = cx.builder().int(0);
    let mut emission = cx.instruction(Opcode::MergeQueues);
    let none = (sources[0].0, all);
    for at in 0..SIZES.len() {
        let (from, size) = sources.get(at).unwrap_or(&none);
        let elements = records(cx, *size, from.dtype);
        all = numbers::add(cx.builder(), all, elements);
        let view = from.view(cx.builder(), Some(elements), sites[1]);
        emission = emission
            .local(QUEUES[at], view)
            .number(SIZES[at], *size, sites[2]);
    }
    let dst = dst.view(cx.builder(), Some(all), sites[0]);
    cx.emit(emission.local("dst", dst))
}

/// Returns the number of elements that `count` records take.
fn records(cx: &mut Cx<'_, '_, '_>, count: ScalarId, dtype: DType) -> ScalarId {
    numbers::times(cx.builder(), count, RECORD * 8 / dtype.bits())
}

/// Returns whether there are four queues of equal length that are adjacent in memory.
fn is_adjacent(cx: &mut Cx<'_, '_, '_>, sources: &[(Local, ScalarId)]) -> bool {
    let [(first, size), rest @ ..] = sources else {
        return false;
    };
    let step = records(cx, *size, first.dtype);
    rest.len() == 3
        && (1..).zip(rest).all(|(place, (queue, own))| {
            // One product for each place folds as the offset that the kernel writes does.
            let steps = numbers::times(cx.builder(), step, place);
            let at = numbers::add(cx.builder(), first.offset, steps);
            queue.buffer == first.buffer
                && queue.slot == first.slot
                && queue.offset == at
                && own == size
        })
}

fn source(cx: &mut Cx<'_, '_, '_>, at: usize) -> Lowered<Local> {
    let value = cx.field_value(1, QUEUES[at])?;
    match value.library::<Object>() {
        Some(Object::Local(Some(tensor))) => Ok(Ok(*tensor)),
        Some(Object::Local(None)) => lost!("a tensor without memory is used"),
        _ => follows!("which tensor is meant is not known"),
    }
}

fn length(cx: &mut Cx<'_, '_, '_>, at: usize) -> Lowered<ScalarId> {
    let Some(info) = cx.operand(2).cloned() else {
        follows!("a number is not known");
    };
    let lengths = cx.eval.member_cell(&info, "elementLengths")?;
    let cell = match lengths {
        Some(array) => cx.eval.element_cell(array, at as u64)?,
        None => None,
    };
    let value = match cell {
        Some(cell) => cx.eval.read(cell)?,
        None => follows!("a number is not known"),
    };
    Ok(cx.scalar_of(&value))
}
