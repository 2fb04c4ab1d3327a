//! `Fixpipe` and `DataCopy` from L0C, which may convert results.

use a2lint_cpp::eval::{Constant, TemplateArg, Value};
use a2lint_ir::build::{Argument, Builder};
use a2lint_ir::{BinaryOp, LocalView, Number, ScalarId, View};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{DType, Opcode};

use super::super::cx::{Cx, Lowered, lost, take};
use super::super::numbers;
use super::super::objects::Object;
use super::super::tensors::{InGlobal, Local};

/// The numbers of `QuantMode_t` in the prelude.
mod quant {
    pub const NONE: i128 = 0;
    pub const TO_HALF: i128 = 1;
    pub const INT_TO_BYTES: i128 = 4;
    pub const INT_TO_HALF: i128 = 11;
    pub const TO_BFLOAT16: i128 = 16;
    pub const FLOAT_TO_BYTES: i128 = 24;
}

/// The conversion of results on their way out of L0C.
enum Conversion {
    /// The conversion that the element types imply.
    Plain,
    /// No conversion, although the element types differ.
    Missing,
    /// A multiplication with this factor.
    Scaled(f32),
}

/// Names of members that differ between the parameter structs of the two functions.
struct Names {
    relu: &'static str,
}

const OF_FIXPIPE: Names = Names { relu: "reluEn" };
const OF_COPY: Names = Names { relu: "reluPre" };

/// The numbers of `CFG_NZ` and `CFG_ROW_MAJOR` in the prelude.
const STRIPS: i128 = 0;
const ROW_MAJOR: i128 = 1;

/// The matrix that a `Fixpipe` reads from L0C: its extents and its layout there.
struct Drained {
    rows: ScalarId,
    columns: ScalarId,
    /// The number of rows from one strip of columns to the next in L0C (`srcStride`).
    strip: ScalarId,
    /// `dstStride`, in the unit of the destination.
    pitch: ScalarId,
    relu: ScalarId,
    src: LocalView,
}

/// Lowers `Fixpipe(gm, c, FixpipeParamsV220)`, `Fixpipe(l1, c, FixpipeParamsV220)`.
pub fn fixpipe(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    if !cx.is_class(2, "FixpipeParamsV220") {
        lost!("`Fixpipe` with these parameters is not followed");
    }
    // Split channels and several matrices in one call have other footprints.
    for (name, value) in [("isChannelSplit", 0), ("ndNum", 1)] {
        take!(cx.must_be(2, name, value));
    }
    match (cx.object(0)?, layout(cx)) {
        (Some(Object::Global(_)), Some(ROW_MAJOR)) => to_rows(cx, &OF_FIXPIPE),
        (Some(Object::Global(_)), Some(STRIPS)) => to_strips(cx),
        (Some(Object::Global(_)), _) => {
            lost!("`Fixpipe` into another layout than rows and NZ is not followed")
        }
        _ => to_l1(cx),
    }
}

/// Lowers `DataCopy(gm, c, DataCopyCO12DstParams)`, which stores one matrix as rows.
pub fn copy(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    if !cx.is_class(2, "DataCopyCO12DstParams") {
        lost!("`DataCopy` from L0C with these parameters is not followed");
    }
    for (name, value) in [("channelSplit", 0), ("nz2ndEn", 1), ("clipReluPre", 0)] {
        take!(cx.must_be(2, name, value));
    }
    match cx.core()?.stores_matrices {
        Some(false) => {}
        Some(true) => lost!("`DataCopy` from L0C of several matrices is not followed"),
        // The register holds what the kernel before has set.
        None => lost!("`DataCopy` from L0C to rows is followed only after `SetFixpipeNz2ndFlag`"),
    }
    to_rows(cx, &OF_COPY)
}

/// Records whether later calls of `DataCopy` store one matrix: `SetFixpipeNz2ndFlag(ndNum, srcNdStride, dstNdStride)`.
pub fn matrices(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let is_one = cx.value(0)?.known_int() == Some(1);
    let mut core = cx.core()?;
    core.stores_matrices = Some(!is_one);
    cx.set_core(core)?;
    Ok(Ok(()))
}

fn drained(cx: &mut Cx<'_, '_, '_>, src: Local, names: &Names) -> Lowered<Drained> {
    let [rows, columns] = [take!(cx.field(2, "mSize")), take!(cx.field(2, "nSize"))];
    let [strip, pitch] = [
        take!(cx.field(2, "srcStride")),
        take!(cx.field(2, "dstStride")),
    ];
    let relu = take!(cx.field(2, names.relu));
    let site = cx.span(1);
    let builder = cx.builder();
    // L0C is in fractals of 16 by 16 results, whatever their type.
    let read = strips(builder, [rows, columns, strip], FRACTAL);
    let src = src.view(builder, Some(read), site);
    Ok(Ok(Drained {
        rows,
        columns,
        strip,
        pitch,
        relu,
        src,
    }))
}

/// Returns the number of elements of an NZ matrix in L0C or L1: strips of `width` columns with `high` rows each.
fn strips(builder: &mut Builder, [rows, columns, high]: [ScalarId; 3], width: i64) -> ScalarId {
    let unit = builder.int(width);
    let count = builder.binary(BinaryOp::CeilDiv, columns, unit);
    let pitch = numbers::times(builder, high, width);
    let length = numbers::times(builder, rows, width);
    super::extent(builder, count, pitch, length)
}

fn to_rows(cx: &mut Cx<'_, '_, '_>, names: &Names) -> Lowered {
    let (dst, src) = (take!(cx.global(0)), take!(cx.local(1)));
    let conversion = take!(conversion(cx, dst.dtype, src.dtype));
    let drained = take!(drained(cx, src, names));
    store(cx, dst, drained, &conversion)
}

/// Lowers a `Fixpipe` into NZ layout of global memory: each strip of 16 columns is a matrix of rows without gaps.
fn to_strips(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.global(0)), take!(cx.local(1)));
    // Strips of bytes have 32 columns, which two strips of L0C make up.
    if dst.dtype.bits() == 8 {
        lost!("`Fixpipe` into NZ layout of {} is not followed", dst.dtype);
    }
    // A call that takes flags from L0C takes them once.
    take!(cx.must_be(2, "unitFlag", 0));
    let conversion = take!(conversion(cx, dst.dtype, src.dtype));
    let all = take!(drained(cx, src, &OF_FIXPIPE));
    let site = cx.span(1);
    let builder = cx.builder();
    let wide = builder.int(FRACTAL);
    let count = builder.binary(BinaryOp::CeilDiv, all.columns, wide);
    // The distance of strips is in blocks of 32 bytes.
    let apart = numbers::times(builder, all.pitch, dst.dtype.c0());
    let strip = numbers::times(builder, all.strip, FRACTAL);
    let length = numbers::times(builder, all.rows, FRACTAL);
    cx.each(count, |cx, index| {
        let builder = cx.builder();
        let to = numbers::mul(builder, index, apart);
        let from = numbers::mul(builder, index, strip);
        let (dst, src) = (dst.from(builder, to), src.from(builder, from));
        let src = src.view(builder, Some(length), site);
        let part = Drained {
            columns: wide,
            pitch: wide,
            src,
            ..all
        };
        store(cx, dst, part, &conversion)
    })
}

/// Emits the store of a matrix as rows of global memory.
fn store(
    cx: &mut Cx<'_, '_, '_>,
    dst: InGlobal,
    drained: Drained,
    conversion: &Conversion,
) -> Lowered {
    let unit_flag = take!(cx.field(2, "unitFlag"));
    let (site, span) = (cx.span(0), cx.span(2));
    let builder = cx.builder();
    let stored = super::extent(builder, drained.rows, drained.pitch, drained.columns);
    let dtype = dst.dtype;
    let dst = dst.view(builder, stored, site);
    let unconverted = matches!(conversion, Conversion::Missing);
    let mut emission = cx
        .instruction(Opcode::L0cToGmNd)
        .view("dst", View::Global(dst))
        .local("src", drained.src)
        .number("M", drained.rows, span)
        .number("N", drained.columns, span)
        .number("N_dst", drained.pitch, span)
        .number("M_src", drained.strip, span)
        .number("unit_flag", unit_flag, span)
        .with("unconverted", super::flag(unconverted), span)
        .with("relu", Argument::Scalar(drained.relu), span);
    if let Conversion::Scaled(factor) = conversion {
        let factor = Argument::Number(Number::Float(f64::from(*factor)));
        emission = emission.with("scale", factor, span);
    }
    cx.store(emission, dtype)
}

/// Lowers a `Fixpipe` to L1, whose result is in NZ layout with distances in 32-byte blocks.
fn to_l1(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    // The layout of float results in L1 is not modelled.
    let conversion = take!(conversion(cx, dst.dtype, src.dtype));
    if dst.dtype == DType::Float || !matches!(conversion, Conversion::Plain) {
        lost!(
            "`Fixpipe` from {} to {} in L1 is not followed",
            src.dtype,
            dst.dtype
        );
    }
    take!(cx.must_be(2, "unitFlag", 0));
    let drained = take!(drained(cx, src, &OF_FIXPIPE));
    let (site, span) = (cx.span(0), cx.span(2));
    let builder = cx.builder();
    let extents = [drained.rows, drained.columns, drained.pitch];
    let written = strips(builder, extents, dst.dtype.c0());
    let dst = dst.view(builder, Some(written), site);
    let emission = cx
        .instruction(Opcode::L0cToL1)
        .local("dst", dst)
        .local("src", drained.src)
        .number("M", drained.rows, span)
        .number("N", drained.columns, span)
        .number("M_dst", drained.pitch, span)
        .number("M_src", drained.strip, span)
        .with("relu", Argument::Scalar(drained.relu), span);
    cx.emit(emission)
}

/// Returns the layout that the configuration selects; rows are the default.
fn layout(cx: &Cx<'_, '_, '_>) -> Option<i128> {
    match cx.call.template.get(2) {
        None => Some(ROW_MAJOR),
        Some(TemplateArg::Value(_, Constant::Int(value))) => Some(*value),
        Some(_) => None,
    }
}

/// Returns the conversion that a call selects; fails for conversions that are not supported.
fn conversion(cx: &mut Cx<'_, '_, '_>, dst: DType, src: DType) -> Lowered<Conversion> {
    let name = cx.call.name;
    let Some(mode) = cx.field_value(2, "quantPre")?.known_int() else {
        lost!("the conversion of `{name}` has to be known when the kernel is compiled");
    };
    // The mode that the element types imply. With mode `NONE` the device stores the bits of the results unconverted.
    let own = match (src, dst) {
        (DType::Float, DType::Half) => quant::TO_HALF,
        (DType::Float, DType::BFloat16) => quant::TO_BFLOAT16,
        (DType::Float, DType::Float) | (DType::Int, DType::Int) => quant::NONE,
        (DType::Int, DType::Half) => quant::INT_TO_HALF,
        (DType::Int, DType::Int8) => quant::INT_TO_BYTES,
        (DType::Float, DType::Int8) => quant::FLOAT_TO_BYTES,
        _ => lost!("`{name}` from {src} to {dst} is not followed"),
    };
    let is_scaled = matches!(
        own,
        quant::INT_TO_HALF | quant::INT_TO_BYTES | quant::FLOAT_TO_BYTES
    );
    match mode {
        _ if mode == own && is_scaled => {
            let factor = take!(factor(cx, dst));
            Ok(Ok(Conversion::Scaled(factor)))
        }
        _ if mode == own => Ok(Ok(Conversion::Plain)),
        quant::NONE => Ok(Ok(Conversion::Missing)),
        _ => lost!("`{name}` from {src} to {dst} with this `quantPre` is not followed"),
    }
}

/// Returns the factor in `deqScalar`: its lower half holds the upper 19 bits of a float. For bytes, its upper half
/// holds an offset and a flag for signed results.
fn factor(cx: &mut Cx<'_, '_, '_>, dst: DType) -> Lowered<f32> {
    const FACTOR: i64 = 0xFFFF_E000;
    const OFFSET: i64 = 0x1FF << 37;
    const SIGN: i64 = 1 << 46;
    let name = cx.call.name;
    let value = cx.field_value(2, "deqScalar")?;
    if matches!(value, Value::Uninit) {
        lost!("`deqScalar`, the factor of `{name}`, has no value");
    }
    let known = value.known_int();
    let Some(bits) = known.and_then(|it| i64::try_from(it).ok()) else {
        lost!("the factor of `{name}` has to be known when the kernel is compiled");
    };
    let has_sign = bits & SIGN != 0;
    if dst == DType::Int8 && (bits & OFFSET != 0 || !has_sign) {
        lost!("`{name}` with an offset, or to bytes without a sign, is not followed");
    }
    let bits = u32::try_from(bits & FACTOR).unwrap_or_default();
    Ok(Ok(f32::from_bits(bits)))
}
