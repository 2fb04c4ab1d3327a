//! Where exact values part from a run: decisions that rounding has changed, and floats that are read as bits.
//!
//! Masks, indices and integers are those of the run. Where exact operands would have given others, or where an
//! instruction has no exact model, exact values from there on are not those of exact arithmetic.

use super::VectorFault;
use super::compare::test;
use super::number::scalar;
use super::plan::Plan;
use super::rounding::{Format, round_to_integer};
use crate::memory::Memory;
use crate::numerics::{DepartureKind, Numerics};
use a2lint_isa::{Class, DST, Opcode, SRC, param};

/// Looks at an instruction before it is executed.
pub(super) fn look(
    plan: &Plan,
    memory: &Memory,
    numerics: &mut Numerics,
) -> Result<(), VectorFault> {
    let departs = match plan.row.class {
        Class::Compare => decides(plan, memory)?.then_some(DepartureKind::Decision),
        Class::Cast => makes_another_integer(plan, memory)?.then_some(DepartureKind::Decision),
        Class::Binary | Class::Unary | Class::ScalarOp => {
            reads_bits(plan, memory)?.then_some(DepartureKind::Bits)
        }
        _ => None,
    };
    departs.into_iter().for_each(|kind| numerics.depart(kind));
    Ok(())
}

/// Returns whether a comparison of exact operands gives other bits.
fn decides(plan: &Plan, memory: &Memory) -> Result<bool, VectorFault> {
    let first = plan.tensor(SRC)?;
    if !first.dtype.is_float() {
        return Ok(false);
    }
    let a = first.all_exact(plan, memory, 0..plan.repeats);
    let second = match plan.optional(param!(Compare.src2)) {
        Some(_) => Some(plan.tensor(param!(Compare.src2))?),
        None => None,
    };
    let b = second.map(|second| second.all_exact(plan, memory, 0..plan.repeats));
    if !a.differs && b.as_ref().is_none_or(|b| !b.differs) {
        return Ok(false);
    }
    let one = vec![scalar::<f64>(first.dtype, plan.call.scalar); plan.lanes];
    let mode = plan.call.compare;
    let differs = |repeat: usize| {
        let lanes = repeat * plan.lanes..(repeat + 1) * plan.lanes;
        let (real, exact) = match &b {
            Some(b) => (&b.real[lanes.clone()], &b.exact[lanes.clone()]),
            None => (&one[..], &one[..]),
        };
        let real = test(mode, &a.real[lanes.clone()], real);
        real != test(mode, &a.exact[lanes], exact)
    };
    Ok((0..plan.repeats).any(differs))
}

/// Returns whether a cast of exact operands to integers gives others.
fn makes_another_integer(plan: &Plan, memory: &Memory) -> Result<bool, VectorFault> {
    let (dst, src) = (plan.operand(DST)?.dtype, plan.tensor(SRC)?);
    if !src.dtype.is_float() || dst.is_float() && dst != src.dtype {
        return Ok(false);
    }
    let lanes = src.all_exact(plan, memory, 0..plan.repeats);
    let mode = plan.call.round;
    let round = |value: f64| match Format::of(dst) {
        Some(format) if dst != src.dtype => format.round(value, mode),
        _ => round_to_integer(value, mode),
    };
    let mut pairs = lanes.real.iter().zip(&lanes.exact);
    Ok(lanes.differs && pairs.any(|(&real, &exact)| real != exact && round(real) != round(exact)))
}

/// Returns whether an instruction on integers or bits reads floats whose exact values it does not take along.
fn reads_bits(plan: &Plan, memory: &Memory) -> Result<bool, VectorFault> {
    let is_bitwise = matches!(plan.call.opcode, Opcode::Vand | Opcode::Vor | Opcode::Vnot);
    if plan.operand(DST)?.dtype.is_float() && !is_bitwise {
        return Ok(false);
    }
    for index in SRC..plan.call.operands.len() {
        let Some(sweep) = plan.sweep(index) else {
            continue;
        };
        let mut ranges = sweep
            .runs(0..plan.repeats)
            .filter_map(|run| run.range(memory.capacity()));
        if ranges.any(|range| memory.holds_exact(range)) {
            return Ok(true);
        }
    }
    Ok(false)
}
