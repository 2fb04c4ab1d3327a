//! `DataCopy` to L1, to the bias table and from L0C.

use a2lint_cpp::eval::Kind;
use a2lint_ir::{BinaryOp, ScalarId, View};
use a2lint_isa::{DType, Opcode, Position};

use super::super::cx::{Cx, Lowered, lost, take};
use super::super::moves::End;
use super::super::numbers;
use super::super::tensors::{InGlobal, Local};
use super::results;

/// The unit of copies to the bias table, in bytes.
const BIAS_UNIT: i64 = 64;

/// Lowers a copy to or from a memory of the cube; returns `None` for other copies.
pub fn copy(cx: &mut Cx<'_, '_, '_>, dst: &End, src: &End) -> Option<Lowered> {
    let place = |end: &End, cx: &Cx<'_, '_, '_>| match end {
        End::Local(tensor) => Some(tensor.position(&cx.eval.builder)),
        End::Global(_) => None,
    };
    // The parameter struct alone chooses between the layouts; the tensors look the same.
    let is_nz = cx.is_class(2, "Nd2NzParams");
    Some(match (place(dst, cx), place(src, cx), dst, src) {
        (Some(Position::L1), None, End::Local(dst), End::Global(src)) if is_nz => {
            strips(cx, *dst, *src)
        }
        (Some(Position::L1), None, End::Local(dst), End::Global(src)) => rows(cx, *dst, *src),
        (None, Some(Position::L0C), ..) => results::copy(cx),
        (Some(Position::Bt), Some(Position::L1), End::Local(dst), End::Local(src)) => {
            bias(cx, *dst, *src)
        }
        // Moves between UB and global memory are lowered with those of the vec side.
        (Some(Position::Ub) | None, Some(Position::Ub) | None, ..) => return None,
        (to, from, ..) => unknown(cx, to, from),
    })
}

fn unknown(cx: &Cx<'_, '_, '_>, to: Option<Position>, from: Option<Position>) -> Lowered {
    let name = |place: Option<Position>| place.map_or("global memory", Position::name);
    lost!(
        "`{}` from {} to {} is not followed",
        cx.call.name,
        name(from),
        name(to)
    )
}

/// Lowers `DataCopy(l1, gm, Nd2NzParams)`, which turns row-major matrices into NZ layout.
fn strips(cx: &mut Cx<'_, '_, '_>, dst: Local, src: InGlobal) -> Lowered {
    let field = |cx: &mut Cx<'_, '_, '_>, name| cx.field(2, name);
    let count = take!(field(cx, "ndNum"));
    let rows = take!(field(cx, "nValue"));
    let columns = take!(field(cx, "dValue"));
    let pitch = take!(field(cx, "srcDValue"));
    let strip = take!(field(cx, "dstNzC0Stride"));
    let [from, to] = [
        take!(field(cx, "srcNdMatrixStride")),
        take!(field(cx, "dstNzMatrixStride")),
    ];
    // Any other value leaves gaps between rows in L1, which the instruction of the program cannot express.
    take!(cx.must_be(2, "dstNzNStride", 1));
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    // One call moves several matrices, but one instruction moves one: the call becomes a loop.
    cx.each(count, |cx, index| {
        let builder = cx.builder();
        let width = dst.dtype.c0();
        let unit = builder.int(width);
        let all = builder.binary(BinaryOp::CeilDiv, columns, unit);
        let (high, apart) = (
            numbers::times(builder, rows, width),
            numbers::times(builder, strip, width),
        );
        let local = super::extent(builder, all, apart, high);
        let global = super::extent(builder, rows, pitch, columns);
        let (to, from) = (
            numbers::mul(builder, index, to),
            numbers::mul(builder, index, from),
        );
        let (dst, src) = (dst.from(builder, to), src.from(builder, from));
        let dst = dst.view(builder, Some(local), dst_site);
        let src = src.view(builder, global, src_site);
        let emission = cx
            .instruction(Opcode::GmToL1Nz)
            .local("dst", dst)
            .view("src", View::Global(src))
            .number("M", rows, span)
            .number("N", columns, span)
            .number("N_src", pitch, span)
            .number("M_dst", strip, span);
        cx.emit(emission)
    })
}

/// Lowers `DataCopy(l1, gm, count)` and `DataCopy(l1, gm, DataCopyParams)`, which copy rows of blocks.
fn rows(cx: &mut Cx<'_, '_, '_>, dst: Local, src: InGlobal) -> Lowered {
    let in_block = dst.dtype.c0();
    let builder = cx.builder();
    let (one, none) = (builder.int(1), builder.int(0));
    let [count, length, to, from] = match take!(counted(cx)) {
        Some(count) => {
            // As in UB, the device moves whole blocks of 32 bytes and drops the remainder of a count.
            let length = numbers::rounded_down(cx.builder(), count, in_block);
            [one, length, none, none]
        }
        None => {
            let count = take!(cx.field(2, "blockCount"));
            let blocks = take!(cx.field(2, "blockLen"));
            let gaps = [
                take!(cx.field(2, "dstStride")),
                take!(cx.field(2, "srcStride")),
            ];
            let builder = cx.builder();
            // Gaps are counted from the end of a row, offsets of views from the start of the tensor.
            let pitch = |builder: &mut _, gap| {
                let all = numbers::add(builder, blocks, gap);
                numbers::times(builder, all, in_block)
            };
            [
                count,
                numbers::times(builder, blocks, in_block),
                pitch(builder, gaps[0]),
                pitch(builder, gaps[1]),
            ]
        }
    };
    let (dst_site, src_site) = (cx.span(0), cx.span(1));
    cx.each(count, |cx, index| {
        let builder = cx.builder();
        let (to, from) = (
            numbers::mul(builder, index, to),
            numbers::mul(builder, index, from),
        );
        let (dst, src) = (dst.from(builder, to), src.from(builder, from));
        let dst = dst.view(builder, Some(length), dst_site);
        let src = src.view(builder, length, src_site);
        let emission = cx
            .instruction(Opcode::GmToL1)
            .local("dst", dst)
            .view("src", View::Global(src));
        cx.emit(emission)
    })
}

/// Returns the number of elements of a copy without a parameter struct.
fn counted(cx: &mut Cx<'_, '_, '_>) -> Lowered<Option<ScalarId>> {
    let is_count = cx
        .operand(2)
        .is_some_and(|it| matches!(it.ty.kind, Kind::Int(_)));
    Ok(Ok(match is_count {
        true => Some(take!(cx.number(2))),
        false => None,
    }))
}

/// Lowers `DataCopy(bias, l1, count)`, `DataCopy(bias, l1, DataCopyParams)`.
fn bias(cx: &mut Cx<'_, '_, '_>, dst: Local, src: Local) -> Lowered {
    // The instruction of the program has one element type: a conversion during the copy is not modelled.
    if dst.dtype != src.dtype {
        let [to, from] = [dst.dtype, src.dtype].map(DType::name);
        lost!("a copy of {from} into a bias table of {to} is not followed");
    }
    let unit = BIAS_UNIT * 8 / dst.dtype.bits();
    let length = match take!(counted(cx)) {
        Some(count) => match numbers::known(cx.builder(), count) {
            // The table is copied in units of 64 bytes; the manual does not say what happens to a remainder.
            Some(known) if known % unit == 0 => count,
            _ => lost!("a bias of parts of 64 bytes is not followed"),
        },
        None => {
            take!(cx.must_be(2, "blockCount", 1));
            let blocks = take!(cx.field(2, "blockLen"));
            numbers::times(cx.builder(), blocks, unit)
        }
    };
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    let builder = cx.builder();
    let dst = dst.view(builder, Some(length), dst_site);
    let src = src.view(builder, Some(length), src_site);
    let emission = cx
        .instruction(Opcode::L1ToBt)
        .local("dst", dst)
        .local("src", src)
        .number("n", length, span);
    cx.emit(emission)
}

/// Lowers `Fill(l1, InitConstValueParams)`, which writes a constant to runs of blocks.
pub fn fill(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let dst = take!(cx.local(0));
    let position = dst.position(&cx.eval.builder);
    if position != Position::L1 {
        lost!("`{}` of {} is not followed", cx.call.name, position.name());
    }
    let count = take!(cx.field(1, "repeatTimes"));
    let blocks = take!(cx.field(1, "blockNum"));
    let gap = take!(cx.field(1, "dstGap"));
    let value = take!(cx.field(1, "initValue"));
    let (site, span, in_block) = (cx.span(0), cx.span(1), dst.dtype.c0());
    let builder = cx.builder();
    // Runs without gaps are one run; two instructions would need an order.
    let (count, blocks) = match numbers::known(builder, gap) {
        Some(0) => (builder.int(1), numbers::mul(builder, count, blocks)),
        _ => (count, blocks),
    };
    let length = numbers::times(builder, blocks, in_block);
    let all = numbers::add(builder, blocks, gap);
    let pitch = numbers::times(builder, all, in_block);
    cx.each(count, |cx, index| {
        let builder = cx.builder();
        let to = numbers::mul(builder, index, pitch);
        let dst = dst.from(builder, to);
        let dst = dst.view(builder, Some(length), site);
        let emission = cx
            .instruction(Opcode::SetConstantToL1)
            .local("dst", dst)
            .number("value", value, span);
        cx.emit(emission)
    })
}
