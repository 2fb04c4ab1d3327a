//! Headers of counting loops: bounds and steps with which a loop of the program counts as C++ does.

use a2lint_ir::{self as ir, Scalar, ScalarId, SpecialScalar};
use rustc_hash::FxHashSet;

use super::Eval;
use super::loops::{Counting, Loop, compared, declared_counter, stepped};
use super::types::{IntType, Kind};
use super::values::{IntValue, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{BinaryOp, Expr, StmtKind as Ast};

impl<'u> Eval<'u> {
    /// Returns counter, bounds and step of a loop whose header is that of a counting loop.
    pub(super) fn counting(&mut self, of: Loop<'u>) -> Evaluated<Option<Counting>> {
        let (Some(condition), Some(step), Ast::For(header)) =
            (of.condition, of.step, &of.stmt.kind)
        else {
            return Ok(None);
        };
        let Some(name) = declared_counter(header) else {
            return Ok(None);
        };
        let Some((op, bound)) = compared(condition, name) else {
            return Ok(None);
        };
        let Some((step, is_negative)) = stepped(step, name) else {
            return Ok(None);
        };
        let Some((counter, ty)) = self.local_cell(name) else {
            return Ok(None);
        };
        let Kind::Int(of_counter) = ty.kind else {
            return Ok(None);
        };
        let start = match self.load_cell(counter)? {
            Value::Int(_, start) => start,
            _ => return Ok(None),
        };
        // The cells from which the bounds are read are recorded: the loop counts only if its body does not change them.
        self.reads = Some(FxHashSet::default());
        let bounds = self.pure_bounds(bound, step);
        let reads = self.reads.take().unwrap_or_default();
        let Some((bound, step)) = bounds? else {
            return Ok(None);
        };
        if reads.contains(&counter) {
            return Ok(None);
        }
        let Some((stop, step)) =
            self.exact_bounds((of_counter, start), op, &bound, &step, is_negative)?
        else {
            return Ok(None);
        };
        Ok(Some(Counting {
            counter,
            of: of_counter,
            start,
            stop,
            step,
            reads,
        }))
    }

    /// Evaluates bound and step of a loop; returns `None` if the evaluation has side effects.
    pub(super) fn pure_bounds(
        &mut self,
        bound: &'u Expr,
        step: Option<&'u Expr>,
    ) -> Evaluated<Option<(Value, Value)>> {
        let value = |eval: &mut Self, expr: &'u Expr, may_fail: bool| {
            let work = |eval: &mut Self| {
                let operand = eval.expr(expr)?;
                let operand = eval.promoted(operand)?;
                eval.value_of(&operand)
            };
            eval.computed_value(work, may_fail)
        };
        // The bound is evaluated before the first iteration in any case, so a division in it may be hoisted. The step
        // may never be evaluated.
        let Some(bound) = value(self, bound, true)? else {
            return Ok(None);
        };
        let step = match step {
            Some(step) => match value(self, step, false)? {
                Some(step) => step,
                None => return Ok(None),
            },
            None => Value::int(IntType::Int, 1),
        };
        Ok(Some((bound, step)))
    }

    /// Returns the bound and step with which a loop of the program counts exactly as the C++ loop does; `None` if there
    /// are none (the counter may wrap).
    pub(super) fn exact_bounds(
        &mut self,
        (of, start): (IntType, IntValue),
        op: BinaryOp,
        bound: &Value,
        step: &Value,
        is_negative: bool,
    ) -> Evaluated<Option<(ScalarId, ScalarId)>> {
        let (Value::Int(of_bound, bound), Value::Int(of_step, step)) = (bound, step) else {
            return Ok(None);
        };
        let known_step = match step {
            IntValue::Known(step) if *step > 0 && *step < 1 << 40 => Some(*step),
            IntValue::Known(_) => return Ok(None),
            IntValue::Scalar(id) => {
                if !of_step.is_signed() || self.is_non_negative(*id) {
                    None
                } else {
                    return Ok(None);
                }
            }
        };
        let compared = of.common(*of_bound);
        // Both sides are compared as they are: a negative counter does not become a large number.
        let is_natural = |eval: &Self, value: &IntValue, of: IntType| match value {
            IntValue::Known(value) => *value >= 0,
            IntValue::Scalar(id) => !of.is_signed() || eval.is_non_negative(*id),
        };
        if !compared.is_signed()
            && (!is_natural(self, &start, of) || !is_natural(self, bound, *of_bound))
        {
            return Ok(None);
        }
        let is_upwards = matches!(op, BinaryOp::Lt | BinaryOp::Le | BinaryOp::Ne);
        // The counter moves away from the bound: the loop ends after a wrap-around, or never.
        if is_upwards == is_negative {
            return Ok(None);
        }
        // A counter that could pass the end of its type before it passes the bound does not count so.
        if of.bits() < 32 {
            let IntValue::Known(bound) = *bound else {
                return Ok(None);
            };
            let Some(step) = known_step else {
                return Ok(None);
            };
            let end = if is_upwards {
                bound + step
            } else {
                bound - step
            };
            if !of.holds(end) {
                return Ok(None);
            }
        }
        if !of.is_signed() && !is_upwards {
            // Downwards to 0 or below, an unsigned counter wraps unless it meets the bound.
            let reaches = op == BinaryOp::Gt && known_step == Some(1);
            if !reaches {
                return Ok(None);
            }
        }
        // `!=` ends only where the counter meets the bound exactly.
        if op == BinaryOp::Ne {
            let IntValue::Known(from) = start else {
                return Ok(None);
            };
            let starts_below = match bound {
                IntValue::Known(bound) => from <= *bound,
                IntValue::Scalar(_) => from == 0 && is_natural(self, bound, *of_bound),
            };
            if known_step != Some(1) || !starts_below {
                return Ok(None);
            }
        }
        let mut stop = self.int_scalar(*bound);
        let wide = IntType::Long.scalar();
        let scalars = &mut self.builder.program.scalars;
        let one = scalars.int(1);
        match op {
            // In 64 bits, where the largest bound plus 1 does not wrap.
            BinaryOp::Le => stop = scalars.binary_as(wide, ir::BinaryOp::Add, stop, one),
            BinaryOp::Ge => stop = scalars.binary_as(wide, ir::BinaryOp::Sub, stop, one),
            _ => {}
        }
        let mut step = self.int_scalar(*step);
        if is_negative {
            let scalars = &mut self.builder.program.scalars;
            let zero = scalars.int(0);
            step = scalars.binary_as(wide, ir::BinaryOp::Sub, zero, step);
        }
        Ok(Some((stop, step)))
    }

    /// Returns whether a scalar is certainly non-negative.
    pub(super) fn is_non_negative(&self, id: ScalarId) -> bool {
        let scalars = &self.builder.program.scalars;
        match scalars.get(id) {
            Scalar::Int(value) => value >= 0,
            Scalar::Special(
                SpecialScalar::CubeNum
                | SpecialScalar::CubeIdx
                | SpecialScalar::VecNum
                | SpecialScalar::VecIdx
                | SpecialScalar::SubBlockIdx,
            )
            | Scalar::Extent(..)
            | Scalar::Compare(..) => true,
            Scalar::Unary(ir::UnaryOp::Convert, a) => {
                let to = scalars.operation_type(id);
                let own = scalars.type_of(a);
                !to.dtype.is_signed()
                    || self.is_non_negative(a) && own.is_some_and(|own| own.fits(to))
            }
            Scalar::Variable(variable) => {
                let of = scalars.variable_type(variable);
                if !of.or_float && !of.dtype.is_float() && !of.dtype.is_signed() {
                    return true;
                }
                self.builder
                    .meaning_of(variable)
                    .is_some_and(|made| self.is_non_negative(made))
            }
            // Signed arithmetic that overflows is undefined behaviour, unsigned has no negative results.
            Scalar::Binary(op, a, b) => {
                let keeps_sign = matches!(
                    op,
                    ir::BinaryOp::Add
                        | ir::BinaryOp::Mul
                        | ir::BinaryOp::Div
                        | ir::BinaryOp::Mod
                        | ir::BinaryOp::BitAnd
                        | ir::BinaryOp::Shr
                );
                !scalars.operation_type(id).dtype.is_signed()
                    || keeps_sign && self.is_non_negative(a) && self.is_non_negative(b)
            }
            _ => false,
        }
    }
}
