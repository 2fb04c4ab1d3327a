//! Reductions: of each repeat, of all repeats, and with the index of the result.

use a2lint_ir::build::Argument;
use a2lint_isa::{DType, Opcode, Pipe};

use crate::cx::{Cx, Lowered, lost, take};
use crate::elements::Tensor;
use crate::objects::Mask;
use crate::tensors::Local;

use super::lanes::{Lanes, sets_mask};

/// Lowers `WholeReduceSum(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride)`; the reductions of
/// blocks and pairs have the repeat before the mask.
pub(super) fn reduce(cx: &mut Cx<'_, '_, '_>, opcode: Opcode, repeat_first: bool) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    // The signatures of the API differ only in this order.
    let (mask, repeat) = if repeat_first { (3, 2) } else { (2, 3) };
    let lanes = take!(cx.lanes(mask, src.dtype, sets_mask(cx)));
    let repeat_count = take!(cx.number(repeat));
    let (result, block, rep) = (
        take!(cx.number(4)),
        take!(cx.number(5)),
        take!(cx.number(6)),
    );
    let sites = [cx.span(0), cx.span(1)];
    let emission = cx
        .instruction(opcode)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat_count, cx.span(repeat))
        .number("dst_rep_stride", result, cx.span(4))
        .number("src_blk_stride", block, cx.span(5))
        .number("src_rep_stride", rep, cx.span(6));
    let emission = match lanes {
        Lanes::First(lanes) => emission.number("count_per_rep", lanes, cx.span(mask)),
        Lanes::Set => emission,
        Lanes::Count(_) => lost!("`{}` in counter mode is not followed", cx.call.name),
    };
    cx.emit(emission)
}

/// Lowers `vcadd(dst, src, repeat, dstRepStride, srcBlkStride, srcRepStride, mode)`, which works under the mask
/// register.
pub(super) fn reduce_by_register(cx: &mut Cx<'_, '_, '_>, opcode: Opcode) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    if take!(cx.known(6)) != 0 {
        lost!("`{}` into a register is not followed", cx.call.name);
    }
    let lanes = take!(cx.lanes_of_register(src.dtype));
    let numbers = [2, 3, 4, 5].map(|at| cx.number(at));
    let sites = [cx.span(0), cx.span(1)];
    let mut emission = cx
        .instruction(opcode)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]));
    let names = [
        "repeat",
        "dst_rep_stride",
        "src_blk_stride",
        "src_rep_stride",
    ];
    for (at, (name, number)) in names.into_iter().zip(numbers).enumerate() {
        emission = emission.number(name, take!(number), cx.span(2 + at));
    }
    let emission = match lanes {
        Lanes::First(lanes) => emission.number("count_per_rep", lanes, cx.call.span),
        Lanes::Set => emission,
        Lanes::Count(_) => lost!("`{}` in counter mode is not followed", cx.call.name),
    };
    cx.emit(emission)
}

/// Lowers `WholeReduceMax(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order)`, which stores
/// the value, the value with its index, or the index.
pub(super) fn reduce_with_index(
    cx: &mut Cx<'_, '_, '_>,
    [value, both, index]: [Opcode; 3],
) -> Lowered {
    // `ReduceOrder`: 0 value and index, 1 index and value, 2 the value alone, 3 the index alone.
    let order = take!(cx.known(7));
    if order == 2 {
        return reduce(cx, value, false);
    }
    let opcode = if order == 3 { index } else { both };
    let (mut dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    if opcode == index {
        // Indices are stored as 32-bit integers, whatever the element type of the tensor.
        dst = dst.reinterpreted(cx.builder(), DType::UInt32);
    }
    let lanes = take!(cx.lanes(2, src.dtype, sets_mask(cx)));
    let repeat = take!(cx.number(3));
    let (result, block, rep) = (
        take!(cx.number(4)),
        take!(cx.number(5)),
        take!(cx.number(6)),
    );
    let sites = [cx.span(0), cx.span(1)];
    let mut emission = cx
        .instruction(opcode)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat, cx.span(3))
        .number("dst_rep_stride", result, cx.span(4))
        .number("src_blk_stride", block, cx.span(5))
        .number("src_rep_stride", rep, cx.span(6));
    if opcode == both {
        let first = Argument::Number(a2lint_ir::Number::Int((order == 1).into()));
        emission = emission.with("index_first", first, cx.span(7));
    }
    let emission = match lanes {
        Lanes::First(lanes) => emission.number("count_per_rep", lanes, cx.span(2)),
        Lanes::Set => emission,
        Lanes::Count(_) => lost!("`{}` in counter mode is not followed", cx.call.name),
    };
    cx.emit(emission)
}

/// Lowers `ReduceSum(dst, src, tmp, count)`, `ReduceMax(dst, src, tmp, count, calIndex)` and their forms with repeats.
/// The scalar unit stores a sum, in order with V and MTE3.
pub(super) fn reduce_all(cx: &mut Cx<'_, '_, '_>, [plain, indexed]: [Opcode; 2]) -> Lowered {
    let (dst, src, tmp) = (take!(cx.local(0)), take!(cx.local(1)), take!(cx.local(2)));
    let has_index = plain != Opcode::ReduceSum;
    let operands = cx.count() - 3 - usize::from(has_index);
    let opcode = match has_index && take!(cx.known(cx.count() - 1)) != 0 {
        true => indexed,
        false => plain,
    };
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let results = cx
        .builder()
        .int(if opcode == indexed && has_index { 2 } else { 1 });
    let mut emission = cx
        .instruction(opcode)
        .local("dst", dst.view(cx.builder(), Some(results), sites[0]));
    // A sum with a count needs no scratch space, since the hardware accumulates; its `tmp` still has to exist.
    if plain != Opcode::ReduceSum || operands > 1 {
        emission = emission.local("tmp", tmp.view(cx.builder(), None, sites[2]));
    } else {
        cx.builder().program.demanded.push(tmp.buffer);
    }
    if operands == 1 {
        let count = take!(cx.number(3));
        let emission = emission
            .local("src", src.view(cx.builder(), Some(count), sites[1]))
            .number("count", count, cx.span(3));
        take!(cx.emit(emission));
        cx.after_count()?;
        // The scalar unit moves the sum from the accumulator to UB, and the API synchronises that with V and MTE3.
        if plain == Opcode::ReduceSum {
            for pipes in [
                (Pipe::V, Pipe::S),
                (Pipe::S, Pipe::V),
                (Pipe::S, Pipe::Mte3),
            ] {
                take!(cx.hand_over(pipes));
                if pipes == (Pipe::V, Pipe::S) && cx.reads_sum {
                    take!(keep_sum(cx, dst));
                }
            }
        }
        return Ok(Ok(()));
    }
    let lanes = take!(cx.lanes(3, src.dtype, true));
    let (repeat, rep) = (take!(cx.number(4)), take!(cx.number(5)));
    // This instruction has no parameter for a count of lanes, so any mask but the full one must be set before it.
    let full = cx.builder().int(src.dtype.lanes());
    if !matches!(lanes, Lanes::First(lanes) if lanes == full) {
        let core = cx.core()?;
        let mut with_mask = core.clone();
        with_mask.register = Mask::All;
        cx.set_core(with_mask)?;
        take!(cx.set_register());
    }
    let emission = emission
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat, cx.span(4))
        .number("src_rep_stride", rep, cx.span(5));
    cx.emit(emission)
}

/// Saves the sum for a later `GetAccVal`.
fn keep_sum(cx: &mut Cx<'_, '_, '_>, dst: Local) -> Lowered {
    let (site, name_span) = (cx.span(0), cx.call.name_span);
    let sum = Tensor::Local(dst).read(cx.builder(), site, name_span)?;
    let number = match sum {
        Some(sum) if dst.dtype == DType::Float => Some(cx.eval.scalar(&sum)),
        _ => None,
    };
    let register = cx.core()?.sum;
    cx.set_number(register, number)
}

/// Lowers `RepeatReduceSum(dst, src, repeatTime, mask, dstBlkStride, srcBlkStride, dstRepStride, srcRepStride)`.
pub(super) fn repeat_reduce(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let lanes = take!(cx.lanes(3, src.dtype, sets_mask(cx)));
    let (repeat, block) = (take!(cx.number(2)), take!(cx.number(5)));
    let (result, rep) = (take!(cx.number(6)), take!(cx.number(7)));
    let sites = [cx.span(0), cx.span(1)];
    let emission = cx
        .instruction(Opcode::Cadd)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat, cx.span(2))
        .number("dst_rep_stride", result, cx.span(6))
        .number("src_blk_stride", block, cx.span(5))
        .number("src_rep_stride", rep, cx.span(7));
    let emission = match lanes {
        Lanes::First(lanes) => emission.number("count_per_rep", lanes, cx.span(3)),
        Lanes::Set => emission,
        Lanes::Count(_) => lost!("`{}` in counter mode is not followed", cx.call.name),
    };
    cx.emit(emission)
}
