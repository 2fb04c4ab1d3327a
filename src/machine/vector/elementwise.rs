//! Pattern A arithmetic: one or two sources, a scalar, or nothing but a scalar (seed 000, §3.1).

use super::engine::Step;
use super::number::{scalar, scalar_bits};
use super::plan::Plan;
use super::{VectorFault, maths};
use crate::isa::Opcode;
use crate::machine::memory::Memory;

/// Operands that a binary instruction reads.
const BOTH: &[usize] = &[1, 2];
/// Operands that a unary instruction reads.
const ONE: &[usize] = &[1];

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    if matches!(plan.call.opcode, Opcode::Dup) {
        return fill(plan, memory);
    }
    if matches!(plan.call.opcode, Opcode::ShiftLs | Opcode::ShiftRs) {
        return shift(plan, memory);
    }
    match plan.operand(0)?.dtype.is_float() {
        true => floats(plan, memory),
        false => integers(plan, memory),
    }
}

fn fill(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let bits = scalar_bits(plan.operand(0)?.dtype, plan.call.scalar);
    plan.map::<u32>(memory, &[], &|dst, _, _| dst.fill(bits))
}

fn floats(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let value: f32 = scalar(plan.operand(1)?.dtype, plan.call.scalar);
    let mut unary = |step: Step<f32>| plan.map(memory, ONE, step);
    match plan.call.opcode {
        Opcode::Exp => unary(&|dst, _, _| each(dst, maths::exp)),
        Opcode::Ln => unary(&|dst, _, _| each(dst, maths::ln)),
        Opcode::Abs => unary(&|dst, _, _| each(dst, f32::abs)),
        Opcode::Rec => unary(&|dst, _, _| each(dst, |x| 1.0 / x)),
        Opcode::Sqrt => unary(&|dst, _, _| each(dst, f32::sqrt)),
        Opcode::Rsqrt => unary(&|dst, _, _| each(dst, maths::rsqrt)),
        Opcode::Relu => unary(&|dst, _, _| each(dst, |x| maths::max(x, 0.0))),
        Opcode::Adds => unary(&|dst, _, _| each(dst, |x| x + value)),
        Opcode::Muls => unary(&|dst, _, _| each(dst, |x| x * value)),
        Opcode::Vmaxs => unary(&|dst, _, _| each(dst, |x| maths::max(x, value))),
        Opcode::Vmins => unary(&|dst, _, _| each(dst, |x| maths::min(x, value))),
        Opcode::Lrelu => unary(&|dst, _, _| each(dst, |x| if x >= 0.0 { x } else { x * value })),
        Opcode::Axpy => plan.map(memory, &[0, 1], &|dst, x, _| {
            pair(dst, x, |d, x: f32| d + x * value)
        }),
        Opcode::Add => plan.zip(memory, |a, b| a + b),
        Opcode::Sub => plan.zip(memory, |a, b| a - b),
        Opcode::Mul => plan.zip(memory, |a, b| a * b),
        Opcode::Div => plan.zip(memory, |a, b| a / b),
        Opcode::Vmax => plan.zip(memory, maths::max),
        Opcode::Vmin => plan.zip(memory, maths::min),
        Opcode::MulAddDst => plan.map(memory, &[0, 1, 2], &multiply_add),
        _ => Err(VectorFault::Types),
    }
}

/// Product and sum round separately: nothing is fused (as `spec` decision 38 has it for `mmad`).
fn multiply_add(dst: &mut [f32], a: &[f32], b: &[f32]) {
    for ((dst, a), b) in dst.iter_mut().zip(a).zip(b) {
        *dst += a * b;
    }
}

/// 16- and 32-bit integers wrap around.
fn integers(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let value: i32 = scalar(plan.operand(1)?.dtype, plan.call.scalar);
    let mut unary = |step: Step<i32>| plan.map(memory, ONE, step);
    match plan.call.opcode {
        Opcode::Relu => unary(&|dst, _, _| each(dst, |x| x.max(0))),
        Opcode::Adds => unary(&|dst, _, _| each(dst, |x| x.wrapping_add(value))),
        Opcode::Muls => unary(&|dst, _, _| each(dst, |x| x.wrapping_mul(value))),
        Opcode::Vmaxs => unary(&|dst, _, _| each(dst, |x| x.max(value))),
        Opcode::Vmins => unary(&|dst, _, _| each(dst, |x| x.min(value))),
        Opcode::Add => plan.map(memory, BOTH, &|a, b, _| pair(a, b, i32::wrapping_add)),
        Opcode::Sub => plan.map(memory, BOTH, &|a, b, _| pair(a, b, i32::wrapping_sub)),
        Opcode::Mul => plan.map(memory, BOTH, &|a, b, _| pair(a, b, i32::wrapping_mul)),
        Opcode::Vmax => plan.map(memory, BOTH, &|a, b, _| pair(a, b, i32::max)),
        Opcode::Vmin => plan.map(memory, BOTH, &|a, b, _| pair(a, b, i32::min)),
        _ => Err(VectorFault::Types),
    }
}

/// Shifts by 0 to the width of the type. `round_en` adds the last bit that a signed right shift
/// drops.
fn shift(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let dtype = plan.operand(0)?.dtype;
    let by = plan.integer(0, 0..dtype.bits() + 1)? as u32;
    let rounds = plan.call.round_shift && by > 0;
    match (plan.call.opcode, dtype.is_signed()) {
        (Opcode::ShiftLs, _) => plan.map::<u32>(memory, ONE, &|dst, _, _| {
            each(dst, |x| (u64::from(x) << by) as u32)
        }),
        (_, false) => plan.map::<u32>(memory, ONE, &|dst, _, _| {
            each(dst, |x| (u64::from(x) >> by) as u32)
        }),
        (_, true) if rounds => plan.map::<i32>(memory, ONE, &|dst, _, _| {
            each(dst, |x| rounded_shift(x, by))
        }),
        (_, true) => plan.map::<i32>(memory, ONE, &|dst, _, _| {
            each(dst, |x| (i64::from(x) >> by) as i32)
        }),
    }
}

fn rounded_shift(x: i32, by: u32) -> i32 {
    let dropped = i64::from(x) >> (by - 1);
    ((dropped >> 1) + (dropped & 1)) as i32
}

/// Replaces every lane by what it becomes.
#[inline(always)]
pub(super) fn each<T: Copy>(lanes: &mut [T], f: impl Fn(T) -> T) {
    for lane in lanes {
        *lane = f(*lane);
    }
}

/// Replaces every lane of the first slice by what it makes with the second.
#[inline(always)]
pub(super) fn pair<T: Copy>(first: &mut [T], second: &[T], f: impl Fn(T, T) -> T) {
    for (a, &b) in first.iter_mut().zip(second) {
        *a = f(*a, b);
    }
}
