//! `LoadData`: fractals from L1 to L0A and L0B.

use a2lint_ir::build::Argument;
use a2lint_ir::{BinaryOp, ScalarId};
use a2lint_isa::{Opcode, Position};

use super::super::cx::{Cx, Lowered, lost, take};
use super::super::emission::Emission;
use super::super::numbers;
use super::super::objects::Object;
use super::super::tensors::Local;

/// Lowers `LoadData(dst, src, LoadData2DParams)`.
pub fn load(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    if cx.is_class(2, "LoadData3DParamsV2") {
        return load_window(cx);
    }
    if !cx.is_class(2, "LoadData2DParams") {
        lost!("`LoadData` with these parameters is not followed");
    }
    if matches!(cx.object(1)?, Some(Object::Global(_))) {
        lost!("`LoadData` from global memory is not followed");
    }
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    take!(cx.must_be(2, "addrMode", 0));
    let count = take!(cx.field(2, "repeatTimes"));
    let start = take!(cx.field(2, "startIndex"));
    let step = take!(cx.field(2, "srcStride"));
    let gap = take!(cx.field(2, "dstGap"));
    let transpose = take!(cx.field(2, "ifTranspose"));
    let span = cx.span(2);
    let builder = cx.builder();
    let one = builder.int(1);
    let copies = Copies {
        count,
        start,
        steps: [numbers::add(builder, gap, one), step],
        lengths: [one, one],
    };
    let emission = fractals(cx, (dst, src), &copies);
    let emission = emission.with("transpose", Argument::Scalar(transpose), span);
    cx.emit(emission)
}

/// Copies of fractals.
struct Copies {
    /// Number of copies.
    count: ScalarId,
    /// The first fractal of the source.
    start: ScalarId,
    /// Fractals from one copy to the next, in the destination and in the source.
    steps: [ScalarId; 2],
    /// Fractals from the first to the last of one copy, both included, in the destination and in the source.
    lengths: [ScalarId; 2],
}

/// Returns an instruction that copies fractals, with views of what it writes and reads.
fn fractals(cx: &mut Cx<'_, '_, '_>, (dst, src): (Local, Local), copies: &Copies) -> Emission {
    let &Copies {
        count,
        start,
        steps: [dst_step, src_step],
        lengths,
    } = copies;
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    let builder = cx.builder();
    let written = super::extent(builder, count, dst_step, lengths[0]);
    let read = super::extent(builder, count, src_step, lengths[1]);
    let read = numbers::add(builder, read, start);
    let (written, read) = (
        super::of_fractals(builder, written, dst.dtype),
        super::of_fractals(builder, read, src.dtype),
    );
    let dst = dst.view(builder, Some(written), dst_site);
    let src = src.view(builder, Some(read), src_site);
    cx.instruction(Opcode::LoadFractals)
        .local("dst", dst)
        .local("src", src)
        .number("repeat", count, span)
        .number("start", start, span)
        .number("src_step", src_step, span)
        .number("dst_step", dst_step, span)
}

/// Lowers `LoadDataWithTranspose(dst, src, LoadData2dTransposeParams)`, which transposes squares of fractals.
pub fn load_transposed(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let parts = match src.dtype.bits() {
        16 => 1,
        8 | 32 => 2,
        bits => lost!("`{}` of {bits}-bit elements is not followed", cx.call.name),
    };
    take!(cx.must_be(2, "addrMode", 0));
    let count = take!(cx.field(2, "repeatTimes"));
    let start = take!(cx.field(2, "startIndex"));
    let step = take!(cx.field(2, "srcStride"));
    let gap = take!(cx.field(2, "dstGap"));
    let part_gap = take!(cx.field(2, "dstFracGap"));
    let span = cx.span(2);
    let builder = cx.builder();
    let one = builder.int(1);
    // Places in the source are squares, those in the destination are fractals.
    let start = numbers::times(builder, start, parts);
    let src_step = numbers::times(builder, step, parts);
    let dst_step = numbers::add(builder, gap, one);
    let part_step = numbers::add(builder, part_gap, one);
    let (all, part_step) = match parts {
        1 => (one, one),
        _ => (numbers::add(builder, part_step, one), part_step),
    };
    let parts = builder.int(parts);
    let copies = Copies {
        count,
        start,
        steps: [dst_step, src_step],
        lengths: [all, parts],
    };
    let emission = fractals(cx, (dst, src), &copies)
        .with("transpose", super::flag(true), span)
        .number("parts", parts, span)
        .number("part_step", part_step, span);
    cx.emit(emission)
}

/// Lowers `LoadData(dst, src, LoadData3DParamsV2)` with a filter of one element, which loads a part of an NZ matrix as
/// an operand of a product.
fn load_window(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    const SINGLE: &[(&str, i128)] = &[
        ("strideW", 1),
        ("strideH", 1),
        ("filterW", 1),
        ("filterH", 1),
        ("dilationFilterW", 1),
        ("dilationFilterH", 1),
        ("enTranspose", 0),
        ("filterSizeW", 0),
        ("filterSizeH", 0),
        ("fMatrixCtrl", 0),
    ];
    for &(name, value) in SINGLE {
        take!(cx.must_be(2, name, value));
    }
    // The last entry of `padList` pads below the image, which moves no row of the image.
    let pads = cx.elements(2, "padList")?;
    if pads.len() != 4 || pads[..3] != [Some(0); 3] {
        lost!("`LoadData` of an image with padding is not followed");
    }
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    if dst.position(&cx.eval.builder) != Position::L0A {
        lost!("`LoadData` of a window to another memory than L0A is not followed");
    }
    let [high, wide] = [take!(cx.field(2, "l1H")), take!(cx.field(2, "l1W"))];
    let [rows, columns] = [
        take!(cx.field(2, "mExtension")),
        take!(cx.field(2, "kExtension")),
    ];
    let [row, column] = [
        take!(cx.field(2, "mStartPt")),
        take!(cx.field(2, "kStartPt")),
    ];
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    let width = src.dtype.c0();
    let builder = cx.builder();
    let all = numbers::mul(builder, high, wide);
    // Rows after the end of the image are padding.
    let left = numbers::sub(builder, all, row);
    let live = builder.binary(BinaryOp::Min, rows, left);
    // Columns start at multiples of the strip width, so the offset of a column is that of its strip.
    let strips = numbers::mul(builder, column, all);
    let start = numbers::times(builder, row, width);
    let start = numbers::add(builder, strips, start);
    let written = super::fractals(builder, rows, columns, width);
    let unit = builder.int(width);
    let count = builder.binary(BinaryOp::CeilDiv, columns, unit);
    let (pitch, length) = (
        numbers::times(builder, all, width),
        numbers::times(builder, live, width),
    );
    let read = super::extent(builder, count, pitch, length);
    let src = src.from(builder, start);
    let dst = dst.view(builder, Some(written), dst_site);
    let src = src.view(builder, Some(read), src_site);
    let emission = cx
        .instruction(Opcode::L1ToL0)
        .local("dst", dst)
        .local("src", src)
        .number("m_dst", live, span)
        .number("n_dst", columns, span)
        .number("m_src", all, span);
    cx.emit(emission)
}
