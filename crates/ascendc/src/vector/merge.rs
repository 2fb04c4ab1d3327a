//! `MrgSort`, which merges sorted queues of records.

use a2lint_cpp::eval::{CellId, IntType, IntValue, Operand, Value};
use a2lint_ir::{ArgValue, BinaryOp, ScalarId, VariableKind};
use a2lint_isa::{DType, Opcode, Pipe};

use crate::cx::{Cx, Lowered, follows, lost, take};
use crate::emission::Emission;
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
    let suspends = take!(number(cx, "ifExhaustedSuspension")) != 0;
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
    if suspends {
        return match cx.builder().program.scalars.as_int(repeat) {
            Some(1) => merge_once(cx, Opcode::MergeUntil, dst, &sources),
            _ => lost!("`MrgSort` that repeats until a queue is empty is not followed"),
        };
    }
    if !is_adjacent(cx, &sources) {
        return match cx.builder().program.scalars.as_int(repeat) {
            Some(1) => merge_once(cx, Opcode::MergeQueues, dst, &sources),
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
    merge_once(cx, Opcode::MergeQueues, dst, &sources)
}

/// Lowers `MrgSort<T, isExhaustedSuspension>(dst, {src1, src2, src3, src4}, elementCountList, sortedNum, validBit,
/// repeatTime)`. With suspension the values of the records decide how many of each queue are merged.
pub(super) fn merge_lists(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let dst = take!(cx.local(0));
    let suspends = match (cx.call.template.get(1), cx.template_int(1)) {
        (None, _) => false,
        (Some(_), Some(flag)) => flag != 0,
        (Some(_), None) => {
            lost!("whether `MrgSort` stops where a queue is empty is not known")
        }
    };
    let (valid, repeat) = (take!(cx.number(4)), take!(cx.known(5)));
    if repeat != 1 {
        lost!("`MrgSort` that repeats is followed only with `MrgSort4Info`");
    }
    let lengths = cx.value(2)?;
    let mut sources = Vec::new();
    for at in 0..QUEUES.len() {
        let from = take!(source(cx, at));
        let cell = cx.eval.element_at(&lengths, at as u32)?;
        // A queue that is not valid may have any length.
        let is_valid = valid_queue(cx, valid, at);
        let length = match numbers::known(cx.builder(), is_valid) {
            Some(0) => is_valid,
            _ => {
                let length = take!(number_in(cx, cell));
                numbers::mul(cx.builder(), is_valid, length)
            }
        };
        sources.push((from, length));
    }
    let opcode = match suspends {
        true => Opcode::MergeUntil,
        false => Opcode::MergeQueues,
    };
    take!(merge_once(cx, opcode, dst, &sources));
    if suspends {
        // The function waits for the vector unit before it reads the counts.
        take!(cx.hand_over((Pipe::V, Pipe::S)));
        let merged = cx.value(3)?;
        for at in 0..QUEUES.len() {
            let Some(cell) = cx.eval.element_at(&merged, at as u32)? else {
                lost!("where `MrgSort` stores its counts is not known");
            };
            let count = take!(cx.count_of_last(at, IntType::Unsigned));
            cx.eval.write(cell, count)?;
        }
    }
    Ok(Ok(()))
}

/// Lowers `GetMrgSortResult(n1, n2, n3, n4)`: how many records of each queue the last merge has taken.
pub(super) fn result(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    take!(cx.hand_over((Pipe::V, Pipe::S)));
    for at in 0..QUEUES.len() {
        let Some(cell) = cx.operand(at).and_then(Operand::object) else {
            lost!("where `GetMrgSortResult` stores a count is not known");
        };
        let count = take!(cx.count_of_last(at, IntType::UnsignedShort));
        cx.eval.write(cell, count)?;
    }
    Ok(Ok(()))
}

impl Cx<'_, '_, '_> {
    /// Reads how many records of a queue the last merge has taken.
    fn count_of_last(&mut self, queue: usize, of: IntType) -> Lowered<Value> {
        let (span, name_span) = (self.call.span, self.call.name_span);
        let builder = self.builder();
        let variable = builder.variable(VariableKind::Temporary, "", of.scalar(), span);
        let queue = builder.int(queue as i64);
        let emission = Emission::of(Opcode::ReadCount, name_span)
            .on(ArgValue::Variable(variable))
            .number("queue", queue, span);
        take!(self.emit(emission));
        let count = self.builder().read(variable);
        Ok(Ok(Value::Int(of, IntValue::Scalar(count))))
    }
}

/// Returns 1 if bit `at` of `validBit` is set, else 0.
fn valid_queue(cx: &mut Cx<'_, '_, '_>, valid: ScalarId, at: usize) -> ScalarId {
    let builder = cx.builder();
    let [by, one] = [at as i64, 1].map(|number| builder.int(number));
    let shifted = builder.binary(BinaryOp::Shr, valid, by);
    builder.binary(BinaryOp::BitAnd, shifted, one)
}

fn merge_once(
    cx: &mut Cx<'_, '_, '_>,
    opcode: Opcode,
    dst: Local,
    sources: &[(Local, ScalarId)],
) -> Lowered {
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let mut all = cx.builder().int(0);
    let mut emission = cx.instruction(opcode);
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
    number_in(cx, cell)
}

/// Returns the number that a cell holds.
fn number_in(cx: &mut Cx<'_, '_, '_>, cell: Option<CellId>) -> Lowered<ScalarId> {
    let Some(cell) = cell else {
        follows!("a number is not known");
    };
    let value = cx.eval.read(cell)?;
    Ok(cx.scalar_of(&value))
}
