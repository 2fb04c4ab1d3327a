//! `LoadData`: fractals from L1 to L0A and L0B.

use a2lint_ir::build::Argument;
use a2lint_isa::Opcode;

use super::super::cx::{Cx, Lowered, lost, take};
use super::super::numbers;
use super::super::objects::Object;

/// `LoadData(dst, src, LoadData2DParams)`
pub fn load(cx: &mut Cx<'_, '_, '_>) -> Lowered {
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
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    let builder = cx.builder();
    let one = builder.int(1);
    let dst_step = numbers::add(builder, gap, one);
    let written = super::extent(builder, count, dst_step, one);
    let read = super::extent(builder, count, step, one);
    let read = numbers::add(builder, read, start);
    let (written, read) = (
        super::of_fractals(builder, written, dst.dtype),
        super::of_fractals(builder, read, src.dtype),
    );
    let dst = dst.view(builder, Some(written), dst_site);
    let src = src.view(builder, Some(read), src_site);
    let emission = cx
        .instruction(Opcode::LoadFractals)
        .local("dst", dst)
        .local("src", src)
        .number("repeat", count, span)
        .number("start", start, span)
        .number("src_step", step, span)
        .number("dst_step", dst_step, span)
        .with("transpose", Argument::Scalar(transpose), span);
    cx.emit(emission)
}
