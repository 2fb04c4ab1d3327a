//! `Fixpipe`: what leaves L0C, converted on the way.

use a2lint_cpp::eval::{Constant, TemplateArg};
use a2lint_ir::build::Argument;
use a2lint_ir::{BinaryOp, View};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{DType, Opcode};

use super::super::cx::{Cx, Lowered, lost, take};
use super::super::numbers;
use super::super::objects::Object;

/// Numbers of `QuantMode_t` in the prelude.
mod quant {
    pub const NONE: i128 = 0;
    pub const TO_HALF: i128 = 1;
    pub const TO_BFLOAT16: i128 = 16;
}

/// The number of `CFG_ROW_MAJOR` in the prelude.
const ROW_MAJOR: i128 = 1;

/// `Fixpipe(gm, c, FixpipeParamsV220)`
pub fn fixpipe(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    if !cx.is_class(2, "FixpipeParamsV220") {
        lost!("`Fixpipe` with these parameters is not followed");
    }
    if !is_row_major(cx) {
        lost!("`Fixpipe` into another layout than rows is not followed");
    }
    if !matches!(cx.object(0)?, Some(Object::Global(_))) {
        lost!("`Fixpipe` to L1 is not followed");
    }
    let (dst, src) = (take!(cx.global(0)), take!(cx.local(1)));
    take!(conversion(cx, dst.dtype, src.dtype));
    let unit_flag = take!(cx.field(2, "unitFlag"));
    for (name, value) in [("isChannelSplit", 0), ("ndNum", 1)] {
        take!(cx.must_be(2, name, value));
    }
    let [rows, columns] = [take!(cx.field(2, "mSize")), take!(cx.field(2, "nSize"))];
    let [strip, pitch] = [
        take!(cx.field(2, "srcStride")),
        take!(cx.field(2, "dstStride")),
    ];
    let relu = take!(cx.field(2, "reluEn"));
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    let builder = cx.builder();
    let stored = super::extent(builder, rows, pitch, columns);
    let sixteen = builder.int(FRACTAL);
    let strips = builder.binary(BinaryOp::CeilDiv, columns, sixteen);
    let apart = numbers::times(builder, strip, FRACTAL);
    let high = numbers::times(builder, rows, FRACTAL);
    let read = super::extent(builder, strips, apart, high);
    let dst = dst.view(builder, stored, dst_site);
    let src = src.view(builder, Some(read), src_site);
    let emission = cx
        .instruction(Opcode::L0cToGmNd)
        .view("dst", View::Global(dst))
        .local("src", src)
        .number("M", rows, span)
        .number("N", columns, span)
        .number("N_dst", pitch, span)
        .number("M_src", strip, span)
        .number("unit_flag", unit_flag, span)
        .with("relu", Argument::Scalar(relu), span);
    cx.store(emission)
}

/// Whether the configuration asks for rows, which is the default.
fn is_row_major(cx: &Cx<'_, '_, '_>) -> bool {
    match cx.call.template.get(2) {
        None => true,
        Some(TemplateArg::Value(_, Constant::Int(value))) => *value == ROW_MAJOR,
        Some(_) => false,
    }
}

/// The conversion has to be that of the element types.
fn conversion(cx: &mut Cx<'_, '_, '_>, dst: DType, src: DType) -> Lowered {
    let Some(mode) = cx.field_value(2, "quantPre")?.known_int() else {
        lost!("the conversion of `Fixpipe` has to be known when the kernel is compiled");
    };
    let own = match (src, dst) {
        (DType::Float, DType::Half) => Some(quant::TO_HALF),
        (DType::Float, DType::BFloat16) => Some(quant::TO_BFLOAT16),
        (DType::Float, DType::Float) | (DType::Int, DType::Int) => Some(quant::NONE),
        _ => None,
    };
    match own == Some(mode) {
        true => Ok(Ok(())),
        false => lost!("`Fixpipe` from {src} to {dst} with this `quantPre` is not followed"),
    }
}
