//! Headers of counting loops: bounds and steps with which a loop of the program counts as C++ does.

use a2lint_ir::{self as ir, Scalar, ScalarId, SpecialScalar};
use rustc_hash::FxHashSet;

use super::Eval;
use super::loops::{Compared, Counting, Loop, Stepped, compared, declared_counter, stepped};
use super::types::{IntType, Kind};
use super::values::{IntValue, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{BinaryOp, Expr, StmtKind as Ast};

impl<'u> Eval<'u> {
    /// Returns counter, bounds and step of a loop whose header is that of a counting loop.
    pub(super) fn counting(&mut self, of: Loop<'u>) -> Evaluated<Option<Counting<'u>>> {
        let (Some(condition), Some(step), Ast::For(header)) =
            (of.condition, of.step, &of.stmt.kind)
        else {
            return Ok(None);
        };
        let Some(name) = declared_counter(header) else {
            return Ok(None);
        };
        let Some(Compared { op, bound, factor }) = compared(condition, name) else {
            return Ok(None);
        };
        let Some(Stepped {
            by: step,
            is_negative,
            others,
        }) = stepped(step, name)
        else {
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
        let factor = factor.map(|factor| self.pure(factor, false));
        let reads = self.reads.take().unwrap_or_default();
        let Some((mut bound, step)) = bounds? else {
            return Ok(None);
        };
        if reads.contains(&counter) {
            return Ok(None);
        }
        if let Some(factor) = factor {
            let Some(factor) = factor? else {
                return Ok(None);
            };
            let is_upwards = op == BinaryOp::Lt && !is_negative;
            let divided =
                is_upwards.then(|| self.divided_bound((of_counter, start), &factor, &bound, &step));
            match divided.flatten() {
                Some(divided) => bound = divided,
                None => return Ok(None),
            }
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
            others,
            reads,
        }))
    }

    /// Evaluates bound and step of a loop; returns `None` if the evaluation has side effects.
    pub(super) fn pure_bounds(
        &mut self,
        bound: &'u Expr,
        step: Option<&'u Expr>,
    ) -> Evaluated<Option<(Value, Value)>> {
        // The bound is evaluated before the first iteration in any case, so a division in it may be hoisted. The step
        // may never be evaluated.
        let Some(bound) = self.pure(bound, true)? else {
            return Ok(None);
        };
        let step = match step {
            Some(step) => match self.pure(step, false)? {
                Some(step) => step,
                None => return Ok(None),
            },
            None => Value::int(IntType::Int, 1),
        };
        Ok(Some((bound, step)))
    }

    /// Evaluates an expression; returns `None` if that has side effects, or if it may fail and must not.
    fn pure(&mut self, expr: &'u Expr, may_fail: bool) -> Evaluated<Option<Value>> {
        let work = |eval: &mut Self| {
            let operand = eval.expr(expr)?;
            let operand = eval.promoted(operand)?;
            eval.value_of(&operand)
        };
        self.computed_value(work, may_fail)
    }

    /// Returns the bound of a counter of which a constant multiple is compared: `i * 64 < n` is `i < CeilDiv(n, 64)` as
    /// long as the product does not wrap. It is largest where the loop ends: less than a step past the bound. That sum
    /// is part of the result, so that the proofs of scalars ask for it.
    fn divided_bound(
        &mut self,
        (of, start): (IntType, IntValue),
        factor: &Value,
        bound: &Value,
        step: &Value,
    ) -> Option<Value> {
        let (Value::Int(of_factor, IntValue::Known(factor)), Value::Int(of_bound, bound)) =
            (factor, bound)
        else {
            return None;
        };
        let Value::Int(_, step) = step else {
            return None;
        };
        let compared = of.common(*of_factor).common(*of_bound);
        let fits = |value: i128| of.common(*of_factor).holds(value);
        let is_small = match start {
            IntValue::Known(start) => start >= 0 && start.checked_mul(*factor).is_some_and(fits),
            // The index of a core is so small that no tile on the chip makes the product wrap.
            IntValue::Scalar(id) => *factor < 1 << 20 && self.is_lane_index(id),
        };
        let is_natural = match bound {
            IntValue::Known(bound) => *bound >= 0,
            IntValue::Scalar(id) => !of_bound.is_signed() || self.is_non_negative(*id),
        };
        let is_wide = of.bits() >= 32 && of_bound.bits() >= 32;
        if *factor <= 0 || !is_small || !is_wide || !compared.is_signed() && !is_natural {
            return None;
        }
        let [factor, bound, step] =
            [IntValue::Known(*factor), *bound, *step].map(|value| self.int_scalar(value));
        let product = of.common(*of_factor).scalar();
        let scalars = &mut self.builder.program.scalars;
        let beyond = scalars.binary_as(product, ir::BinaryOp::Mul, factor, step);
        let beyond = scalars.binary_as(product, ir::BinaryOp::Add, bound, beyond);
        let wide = compared.scalar();
        let bound = scalars.binary_as(wide, ir::BinaryOp::Min, bound, beyond);
        let stop = scalars.binary_as(wide, ir::BinaryOp::CeilDiv, bound, factor);
        Some(Value::Int(compared, IntValue::Scalar(stop)))
    }

    /// Returns whether a scalar is the index of a core or lane.
    fn is_lane_index(&self, id: ScalarId) -> bool {
        let scalars = &self.builder.program.scalars;
        match scalars.get(id) {
            Scalar::Special(special) => matches!(
                special,
                SpecialScalar::CubeIdx | SpecialScalar::VecIdx | SpecialScalar::SubBlockIdx
            ),
            Scalar::Unary(ir::UnaryOp::Convert, a) => self.is_lane_index(a),
            Scalar::Variable(variable) => {
                let made = self.builder.meaning_of(variable);
                made.is_some_and(|made| self.is_lane_index(made))
            }
            _ => false,
        }
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
