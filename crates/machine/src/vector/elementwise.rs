//! Arithmetic whose masked-off lanes keep the old destination: one or two sources, a scalar, or nothing but a scalar.

use pulp::{Arch, NullaryFnOnce};

use super::VectorFault;
use super::engine::Step;
use super::exact::Followed;
use super::maths::Real;
use super::number::{scalar, scalar_bits};
use super::plan::Plan;
use crate::memory::Memory;
use crate::numerics::Tracer;
use a2lint_isa::{Class, DST, Opcode, Role, SRC, integer, param};

/// Operands that a binary instruction reads.
pub(super) const BOTH: &[usize] = &[SRC, param!(class Binary.src2)];
/// Operands that a unary instruction reads.
pub(super) const ONE: &[usize] = &[SRC];

pub(super) fn execute(plan: &Plan, memory: &mut Memory, tracer: Tracer) -> Result<(), VectorFault> {
    if matches!(plan.call.opcode, Opcode::Dup) {
        return fill(plan, memory, tracer);
    }
    if matches!(plan.call.opcode, Opcode::ShiftLs | Opcode::ShiftRs) {
        return shift(plan, memory);
    }
    if plan.row.role == Role::Copies {
        return copy(plan, memory, tracer);
    }
    match plan.operand(DST)?.dtype.is_float() {
        true => floats(plan, memory, tracer),
        false => integers(plan, memory),
    }
}

fn fill(plan: &Plan, memory: &mut Memory, tracer: Tracer) -> Result<(), VectorFault> {
    let dtype = plan.operand(DST)?.dtype;
    let bits = scalar_bits(dtype, plan.call.scalar);
    let exact = exact_scalar(plan, scalar::<f64>(dtype, plan.call.scalar));
    let mut followed = Followed {
        tracer: tracer.filter(|_| dtype.is_float()),
        step: &|dst, _, _| dst.fill(exact),
        summands: 0,
    };
    plan.map_followed::<u32>(memory, &[], &|dst, _, _| dst.fill(bits), &mut followed)
}

fn copy(plan: &Plan, memory: &mut Memory, tracer: Tracer) -> Result<(), VectorFault> {
    let is_float = plan.operand(DST)?.dtype.is_float();
    let mut followed = Followed {
        tracer: tracer.filter(|_| is_float),
        step: &|_, _, _| {},
        summands: 0,
    };
    plan.map_followed::<u32>(memory, ONE, &|_, _, _| {}, &mut followed)
}

/// Returns the scalar operand without rounding. A scalar that its type rounds to infinity is taken to be meant as
/// infinity.
fn exact_scalar(plan: &Plan, rounded: f64) -> f64 {
    match rounded.is_finite() {
        true => plan.call.exactly.unwrap_or(plan.call.scalar),
        false => rounded,
    }
}

fn floats(plan: &Plan, memory: &mut Memory, tracer: Tracer) -> Result<(), VectorFault> {
    let opcode = plan.call.opcode;
    // Only without a tracer: the direct pass computes no exact values.
    if tracer.is_none()
        && let Ok(done) = pairwise(opcode, Directly { plan, memory })
        && done?
    {
        return Ok(());
    }
    let sources: &[usize] = match opcode {
        Opcode::Axpy => &[DST, SRC],
        Opcode::MulAddDst | Opcode::MulAdd | Opcode::MulAddRelu => {
            &[DST, SRC, param!(class Binary.src2)]
        }
        _ if plan.row.class == Class::Binary => BOTH,
        _ => ONE,
    };
    let value: f32 = scalar(plan.operand(SRC)?.dtype, plan.call.scalar);
    let exact = exact_scalar(plan, value.into());
    // A call without lanes only finds out whether floats have the instruction.
    if !arithmetic::<f32>(opcode, value, &mut [], &[], &[]) {
        return Err(VectorFault::Types);
    }
    let arch = Arch::new();
    let single: Step<f32> = &|dst, second, third| {
        arch.dispatch(Single {
            opcode,
            value,
            dst,
            second,
            third,
        });
    };
    let mut followed = Followed {
        tracer,
        step: &|dst, a, b| {
            arithmetic(opcode, exact, dst, a, b);
        },
        summands: match opcode {
            Opcode::Add | Opcode::Sub | Opcode::AddRelu | Opcode::SubRelu => 2,
            Opcode::Adds | Opcode::Axpy | Opcode::MulAddDst => 1,
            Opcode::MulAdd | Opcode::MulAddRelu => 1,
            _ => 0,
        },
    };
    plan.map_followed(memory, sources, single, &mut followed)
}

/// A computation that can apply a function of two sources.
trait Combine<R> {
    type Output;

    fn combine(self, f: impl Fn(R, R) -> R + Copy) -> Self::Output;
}

/// Applies an instruction that combines two sources; returns the lanes unchanged for any other one.
#[inline(always)]
fn pairwise<R: Real, C: Combine<R>>(opcode: Opcode, lanes: C) -> Result<C::Output, C> {
    Ok(match opcode {
        Opcode::Add => lanes.combine(|a, b| a + b),
        Opcode::Sub => lanes.combine(|a, b| a - b),
        Opcode::Mul => lanes.combine(|a, b| a * b),
        Opcode::Div => lanes.combine(|a, b| a / b),
        Opcode::Vmax => lanes.combine(R::max),
        Opcode::Vmin => lanes.combine(R::min),
        _ => return Err(lanes),
    })
}

/// Computes in one pass from memory to memory, where possible.
struct Directly<'m, 'p> {
    plan: &'m Plan<'p>,
    memory: &'m mut Memory,
}

impl Combine<f32> for Directly<'_, '_> {
    type Output = Result<bool, VectorFault>;

    fn combine(self, f: impl Fn(f32, f32) -> f32 + Copy) -> Self::Output {
        self.plan.zip_directly(self.memory, f)
    }
}

/// Lanes that have been loaded.
struct Slices<'l, R> {
    dst: &'l mut [R],
    second: &'l [R],
}

impl<R: Real> Combine<R> for Slices<'_, R> {
    type Output = ();

    #[inline(always)]
    fn combine(self, f: impl Fn(R, R) -> R + Copy) {
        pair(self.dst, self.second, f);
    }
}

/// [`arithmetic`] in single precision, in wider registers if the processor has them. It is a type rather than a
/// closure, because the compiler uses the wider registers only in functions that are inlined into the dispatched one
/// (see the products of the cube unit in `machine/src/kernel.rs`).
struct Single<'l> {
    opcode: Opcode,
    value: f32,
    dst: &'l mut [f32],
    second: &'l [f32],
    third: &'l [f32],
}

impl NullaryFnOnce for Single<'_> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        arithmetic(self.opcode, self.value, self.dst, self.second, self.third);
    }
}

/// Computes lanes, in single precision or without rounding: the first slice holds the first source and
/// receives the result. Returns `false` if floats have no such instruction.
#[inline(always)]
fn arithmetic<R: Real>(opcode: Opcode, value: R, dst: &mut [R], second: &[R], third: &[R]) -> bool {
    let Err(Slices { dst, second }) = pairwise(opcode, Slices { dst, second }) else {
        return true;
    };
    let (zero, one) = (R::from(0.0), R::from(1.0));
    match opcode {
        Opcode::Exp => each(dst, R::exp),
        Opcode::Ln => each(dst, R::ln),
        Opcode::Abs => each(dst, R::abs),
        Opcode::Rec => each(dst, |x| one / x),
        Opcode::Sqrt => each(dst, R::sqrt),
        Opcode::Rsqrt => each(dst, R::rsqrt),
        Opcode::Relu => each(dst, |x| R::max(x, zero)),
        Opcode::Adds => each(dst, |x| x + value),
        Opcode::Muls => each(dst, |x| x * value),
        Opcode::Vmaxs => each(dst, |x| R::max(x, value)),
        Opcode::Vmins => each(dst, |x| R::min(x, value)),
        Opcode::Lrelu => each(dst, |x| if x >= zero { x } else { x * value }),
        Opcode::Axpy => pair(dst, second, |d, x| d + x * value),
        // Product and sum round separately, as in `mmad`: a fused operation gives other bits on hosts with it than on
        // hosts without.
        Opcode::MulAddDst => triple(dst, second, third, |d, a, b| d + a * b),
        Opcode::MulAdd => triple(dst, second, third, |d, a, b| d * a + b),
        Opcode::MulAddRelu => triple(dst, second, third, |d, a, b| R::max(d * a + b, zero)),
        Opcode::AddRelu => pair(dst, second, |a, b| R::max(a + b, zero)),
        Opcode::SubRelu => pair(dst, second, |a, b| R::max(a - b, zero)),
        _ => return false,
    }
    true
}

/// Executes integer arithmetic of 16 and 32 bits, which wraps around.
fn integers(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let dtype = plan.operand(SRC)?.dtype;
    let value: i32 = scalar(dtype, plan.call.scalar);
    let rest = 32 - dtype.bits() as u32;
    let wrapped = |value: i32| value << rest >> rest;
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
        Opcode::AddRelu => plan.map(memory, BOTH, &|a, b, _| {
            pair(a, b, |a: i32, b| wrapped(a.wrapping_add(b)).max(0))
        }),
        Opcode::SubRelu => plan.map(memory, BOTH, &|a, b, _| {
            pair(a, b, |a: i32, b| wrapped(a.wrapping_sub(b)).max(0))
        }),
        _ => Err(VectorFault::Types),
    }
}

/// Executes a shift by 0 to the width of the type. `round_en` adds the last bit that a signed right shift
/// drops.
fn shift(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let dtype = plan.operand(DST)?.dtype;
    let by = plan.integer(integer!(ShiftLs | ShiftRs.n), 0..dtype.bits() + 1)? as u32;
    let rounds = plan.call.switch && by > 0;
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

/// Replaces every lane by a function of it.
#[inline(always)]
pub(super) fn each<T: Copy>(lanes: &mut [T], f: impl Fn(T) -> T) {
    for lane in lanes {
        *lane = f(*lane);
    }
}

/// Replaces every lane of the first slice by a function of it and of the second one's lane.
#[inline(always)]
pub(super) fn pair<T: Copy>(first: &mut [T], second: &[T], f: impl Fn(T, T) -> T) {
    for (a, &b) in first.iter_mut().zip(second) {
        *a = f(*a, b);
    }
}

/// Replaces every lane of the first slice by what it makes with those of the other two.
#[inline(always)]
fn triple<T: Copy>(first: &mut [T], second: &[T], third: &[T], f: impl Fn(T, T, T) -> T) {
    for ((a, &b), &c) in first.iter_mut().zip(second).zip(third) {
        *a = f(*a, b, c);
    }
}
