//! Numerics by name: overflow, NaN, zeros, subnormals, ties, saturation.

use super::contract::{call, operand, run};
use a2lint::isa::{DType, Opcode, RoundMode};
use a2lint::machine::memory::{Element, Memory};
use a2lint::machine::vector::{VectorMask, VectorOptions, execute_with};
use a2lint::machine::{VectorCall, VectorLength};
use half::{bf16, f16};

const ONE_KB: usize = 1024;

/// Runs an instruction over contiguous sources and returns the destination.
fn apply<S: Element, D: Element>(
    template: VectorCall,
    types: (DType, DType),
    sources: &[&[S]],
    saturate: bool,
) -> Vec<D> {
    let mut memory = Memory::from_bytes(vec![0; 4 * ONE_KB]);
    let mut operands = vec![operand(0, types.0)];
    for (index, source) in sources.iter().enumerate() {
        memory.write((index + 1) * ONE_KB, source);
        operands.push(operand(((index + 1) * ONE_KB) as i64, types.1));
    }
    let count = sources[0].len();
    let call = VectorCall {
        operands,
        length: VectorLength::Count(count as i64),
        ..template
    };
    let options = VectorOptions {
        saturate,
        ..VectorOptions::default()
    };
    execute_with(
        options,
        &call,
        &mut memory,
        &mut VectorMask::default(),
        &mut |_| {},
    )
    .unwrap();
    let mut result = vec![D::default(); count];
    memory.read(0, &mut result);
    result
}

fn halves(values: &[f32]) -> Vec<f16> {
    values.iter().map(|&value| f16::from_f32(value)).collect()
}

/// Runs a binary instruction on halves and returns bit patterns.
fn half_op(opcode: Opcode, a: &[f32], b: &[f32], saturate: bool) -> Vec<u16> {
    let (a, b) = (halves(a), halves(b));
    let result: Vec<f16> = apply(
        call(opcode),
        (DType::Half, DType::Half),
        &[&a, &b],
        saturate,
    );
    result.into_iter().map(f16::to_bits).collect()
}

fn cast<S: Element, D: Element>(types: (DType, DType), mode: RoundMode, source: &[S]) -> Vec<D> {
    apply(
        VectorCall {
            round: mode,
            ..call(Opcode::Cast)
        },
        types,
        &[source],
        false,
    )
}

#[test]
fn half_overflow_is_infinite_or_saturates() {
    let (a, b) = ([60000.0, -60000.0, 65504.0], [60000.0, -60000.0, 15.0]);
    assert_eq!(
        half_op(Opcode::Add, &a, &b, false),
        [0x7C00, 0xFC00, 0x7BFF]
    );
    assert_eq!(half_op(Opcode::Add, &a, &b, true), [0x7BFF, 0xFBFF, 0x7BFF]);
}

#[test]
fn nan_is_canonical_or_zero_under_saturation() {
    let (a, b) = (
        [f32::INFINITY, f32::NAN, 0.0],
        [f32::NEG_INFINITY, 1.0, 0.0],
    );
    assert_eq!(half_op(Opcode::Add, &a, &b, false), [0x7E00, 0x7E00, 0]);
    assert_eq!(half_op(Opcode::Add, &a, &b, true), [0, 0, 0]);
    let quiet: Vec<f32> = apply(
        call(Opcode::Sub),
        (DType::Float, DType::Float),
        &[&[f32::INFINITY], &[f32::INFINITY]],
        false,
    );
    assert_eq!(quiet[0].to_bits(), 0x7FC0_0000);
    let loaded: Vec<f32> = cast(
        (DType::Float, DType::Half),
        RoundMode::None,
        &[f16::from_bits(0xFC01)],
    );
    assert_eq!(loaded[0].to_bits(), 0x7FC0_0000);
}

#[test]
fn negative_zero_survives_where_ieee_says_so() {
    assert_eq!(
        half_op(Opcode::Add, &[-0.0, -0.0], &[-0.0, 0.0], false),
        [0x8000, 0]
    );
    assert_eq!(half_op(Opcode::Mul, &[-1.0], &[0.0], false), [0x8000]);
    assert_eq!(half_op(Opcode::Vmax, &[-0.0], &[0.0], false), [0]);
    assert_eq!(half_op(Opcode::Vmin, &[0.0], &[-0.0], false), [0x8000]);
}

#[test]
fn extremes_propagate_nan() {
    assert_eq!(
        half_op(Opcode::Vmax, &[f32::NAN, 1.0], &[1.0, f32::NAN], false),
        [0x7E00; 2]
    );
    assert_eq!(
        half_op(Opcode::Vmin, &[f32::NAN, 1.0], &[1.0, f32::NAN], false),
        [0x7E00; 2]
    );
}

#[test]
fn half_subnormals_are_not_flushed() {
    let least = f16::from_bits(1).to_f32();
    assert_eq!(half_op(Opcode::Add, &[least], &[least], false), [2]);
    assert_eq!(
        half_op(Opcode::Mul, &[least, 3.0 * least], &[0.5, 0.5], false),
        [0, 2]
    );
}

#[test]
fn half_arithmetic_rounds_ties_to_even() {
    assert_eq!(
        half_op(Opcode::Add, &[2048.0, 2050.0], &[1.0, 1.0], false),
        [0x6800, 0x6802]
    );
}

#[test]
fn float_to_integer_casts_saturate() {
    let source = [1e10_f32, -1e10, f32::NAN, f32::INFINITY];
    let wide: Vec<i32> = cast((DType::Int, DType::Float), RoundMode::ToEven, &source);
    assert_eq!(wide, [i32::MAX, i32::MIN, 0, i32::MAX]);
    let narrow: Vec<i16> = cast((DType::Int16, DType::Float), RoundMode::ToEven, &source);
    assert_eq!(narrow, [i16::MAX, i16::MIN, 0, i16::MAX]);
    let unsigned: Vec<u8> = cast(
        (DType::UInt8, DType::Half),
        RoundMode::ToEven,
        &halves(&[-1.0, 255.5, 300.0]),
    );
    assert_eq!(unsigned, [0, 255, 255]);
}

#[test]
fn integer_to_integer_casts_saturate() {
    let int: Vec<i32> = cast(
        (DType::Int, DType::Int64),
        RoundMode::None,
        &[i64::MAX, i64::MIN, -5],
    );
    assert_eq!(int, [i32::MAX, i32::MIN, -5]);
    let byte: Vec<i8> = cast(
        (DType::Int8, DType::Int16),
        RoundMode::None,
        &[1000_i16, -1000, 7],
    );
    assert_eq!(byte, [127, -128, 7]);
}

#[test]
fn round_modes_differ_on_ties() {
    let source = [0.5_f32, 1.5, 2.5, -0.5, -2.5];
    let by = |mode| cast::<f32, i32>((DType::Int, DType::Float), mode, &source);
    assert_eq!(by(RoundMode::ToEven), [0, 2, 2, 0, -2]);
    assert_eq!(by(RoundMode::AwayFromZero), [1, 2, 3, -1, -3]);
    assert_eq!(by(RoundMode::Floor), [0, 1, 2, -1, -3]);
    assert_eq!(by(RoundMode::Ceil), [1, 2, 3, 0, -2]);
    assert_eq!(by(RoundMode::Trunc), [0, 1, 2, 0, -2]);
}

#[test]
fn float_to_half_rounds_as_asked() {
    let tie = 1.0 + 2.0_f32.powi(-11);
    let by = |mode| {
        cast::<f32, f16>(
            (DType::Half, DType::Float),
            mode,
            &[tie, -tie, tie + 2.0_f32.powi(-20)],
        )
    };
    let bits = |mode| by(mode).into_iter().map(f16::to_bits).collect::<Vec<_>>();
    assert_eq!(bits(RoundMode::None), [0x3C00, 0xBC00, 0x3C01]);
    assert_eq!(bits(RoundMode::AwayFromZero), [0x3C01, 0xBC01, 0x3C01]);
    assert_eq!(bits(RoundMode::Floor), [0x3C00, 0xBC01, 0x3C00]);
    assert_eq!(bits(RoundMode::Ceil), [0x3C01, 0xBC00, 0x3C01]);
    assert_eq!(bits(RoundMode::Odd), [0x3C01, 0xBC01, 0x3C01]);
}

#[test]
fn a_float_cast_to_float_is_rounded_to_an_integer() {
    let rounded: Vec<f32> = cast(
        (DType::Float, DType::Float),
        RoundMode::Floor,
        &[-0.5_f32, 2.7, 1e30],
    );
    assert_eq!(rounded, [-1.0, 2.0, 1e30]);
}

#[test]
fn int4_lanes_share_bytes() {
    let packed: Vec<u8> = cast(
        (DType::Int4, DType::Half),
        RoundMode::None,
        &halves(&[1.0, -1.0, 9.0, -9.0]),
    );
    assert_eq!(packed[..2], [0xF1, 0x87]);
    let back: Vec<f16> = cast(
        (DType::Half, DType::Int4),
        RoundMode::None,
        &[0xF1_u8, 0x87, 0, 0],
    );
    assert_eq!(back, halves(&[1.0, -1.0, 7.0, -8.0]));
}

#[test]
fn bfloat_casts_round_once() {
    let source = [1.0 + 2.0_f32.powi(-8), 1.0 + 3.0 * 2.0_f32.powi(-8), 3.4e38];
    let even: Vec<bf16> = cast((DType::BFloat16, DType::Float), RoundMode::ToEven, &source);
    assert_eq!(
        even.iter().map(|value| value.to_bits()).collect::<Vec<_>>(),
        [0x3F80, 0x3F82, 0x7F80]
    );
}

/// The vendor's example of a saturating tree sum, whose exact result is 35604. The step of half is 32 there.
#[test]
fn half_sums_saturate_at_every_node_of_the_tree() {
    let mut memory = Memory::from_bytes(vec![0; 4 * ONE_KB]);
    memory.write(ONE_KB, &halves(&[60000.0, 60000.0, -30000.0, 100.0]));
    let sum = VectorCall {
        operands: vec![operand(0, DType::Half), operand(ONE_KB as i64, DType::Half)],
        ..call(Opcode::Cadd)
    };
    let mut mask = VectorMask::default();
    execute_with(
        VectorOptions {
            saturate: true,
            ..VectorOptions::default()
        },
        &sum,
        &mut memory,
        &mut mask,
        &mut |_| {},
    )
    .unwrap();
    assert_eq!(memory.get::<f16>(0).to_f32(), 35584.0);
    run(&sum, &mut memory, &mut mask);
    assert_eq!(memory.get::<f16>(0), f16::INFINITY);
}

#[test]
fn integers_wrap_around() {
    let sum: Vec<i32> = apply(
        call(Opcode::Add),
        (DType::Int, DType::Int),
        &[&[i32::MAX], &[1]],
        false,
    );
    assert_eq!(sum, [i32::MIN]);
    let product: Vec<i16> = apply(
        call(Opcode::Mul),
        (DType::Int16, DType::Int16),
        &[&[300_i16], &[300]],
        false,
    );
    assert_eq!(product, [24464]);
    let scaled: Vec<i32> = apply(
        VectorCall {
            scalar: 0.5,
            ..call(Opcode::Muls)
        },
        (DType::Int, DType::Int),
        &[&[8_i32]],
        false,
    );
    assert_eq!(scaled, [0], "the scalar is truncated to the element type");
}
