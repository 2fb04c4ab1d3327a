//! Quotients that equal other numbers.

use super::{Meaning, Symbols};
use crate::scalar::linear::Linear;
use a2lint_ir::{BinaryOp, SpecialScalar};
use a2lint_isa::Side;

impl Symbols {
    /// Returns the index that half of the index of a vec lane is, or the rest of that: of its core, or in its core.
    pub(super) fn half_of_lane(
        &self,
        op: BinaryOp,
        a: &Linear,
        b: &Linear,
    ) -> Option<SpecialScalar> {
        let lane = self.named_as(&Meaning::Special(SpecialScalar::VecIdx))?;
        let is_half = self.side == Some(Side::Vec)
            && b.as_constant() == Some(2)
            && *a == Linear::symbol(lane);
        match op {
            BinaryOp::Div if is_half => Some(SpecialScalar::CubeIdx),
            BinaryOp::Mod if is_half => Some(SpecialScalar::SubBlockIdx),
            _ => None,
        }
    }

    /// Returns `a / (x * y)` as the equal `(a / x) / y` if the kernel computes `a / x`, which relates `w // (N * H)` to
    /// `w // H % N`.
    pub(super) fn quotient_of_quotient(
        &mut self,
        op: BinaryOp,
        a: &Linear,
        b: &Linear,
    ) -> Option<Linear> {
        if !matches!(op, BinaryOp::Div | BinaryOp::FloorDiv) {
            return None;
        }
        let (symbol, times) = b.terms().next()?;
        let one = Linear::symbol(symbol);
        if one.times(times)? != *b {
            return None;
        }
        let factors = match self.meaning(symbol) {
            Meaning::Operation(BinaryOp::Mul, x, y) if times == 1 => [x.clone(), y.clone()],
            _ if times > 1 => [one, Linear::constant(times)],
            _ => return None,
        };
        let [x, y] = factors;
        // Successive truncating divisions equal one by the product for any signs; rounding down needs a positive second
        // divisor.
        let is_split = |this: &Symbols, second: &Linear| {
            op == BinaryOp::Div || this.everywhere(second).min >= 1
        };
        let is_natural = |this: &Symbols, first: &Linear| {
            this.everywhere(a).min >= 0 && this.everywhere(first).min >= 0
        };
        for (first, second) in [(&x, &y), (&y, &x)] {
            let named = |this: &Symbols, op: BinaryOp| {
                this.named_as(&Meaning::Operation(op, a.clone(), first.clone()))
            };
            let rounded = named(&*self, op);
            let truncated = || named(&*self, BinaryOp::Div).filter(|_| is_natural(&*self, first));
            if let Some(known) = rounded.or_else(truncated)
                && is_split(&*self, second)
            {
                return Some(self.operation(op, Linear::symbol(known), second.clone()));
            }
        }
        let splits = self.splits_divisors && x.as_constant().is_none() && y.as_constant().is_none();
        (splits && is_split(&*self, &x)).then(|| {
            let inner = self.operation(op, a.clone(), y);
            self.operation(op, inner, x)
        })
    }
}
