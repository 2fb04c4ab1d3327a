//! Divides expressions by each other where the remainder is known to be 0.

use super::builder::Builder;
use crate::{BinaryOp, Scalar, ScalarId};

/// The greatest recursion depth of a division.
const MAX_DIVIDED: u32 = 24;

impl Builder {
    /// Returns the quotient of two expressions; `None` where the remainder is not known to be 0.
    pub fn divided(&mut self, value: ScalarId, by: ScalarId) -> Option<ScalarId> {
        self.divided_within(value, by, MAX_DIVIDED)
    }

    fn divided_within(&mut self, value: ScalarId, by: ScalarId, depth: u32) -> Option<ScalarId> {
        let depth = depth.checked_sub(1)?;
        let scalars = &mut self.program.scalars;
        if value == by {
            return Some(scalars.int(1));
        }
        if let (Some(value), Some(by)) = (scalars.as_int(value), scalars.as_int(by)) {
            let is_whole = value.checked_rem(by)? == 0;
            return is_whole.then(|| scalars.int(value / by));
        }
        if scalars.as_int(by) == Some(1) {
            return Some(value);
        }
        match scalars.get(value) {
            Scalar::Variable(id) => {
                let made = *self.made_of.get(&id)?;
                self.divided_within(made, by, depth)
            }
            Scalar::Binary(BinaryOp::Mul, a, b) => {
                if let Some(rest) = self.divided_within(b, by, depth) {
                    return Some(self.binary(BinaryOp::Mul, a, rest));
                }
                if let Some(rest) = self.divided_within(a, by, depth) {
                    return Some(self.binary(BinaryOp::Mul, rest, b));
                }
                // `M * 64` of `M * 8`: one factor of the divisor after the other.
                match self.program.scalars.get(by) {
                    Scalar::Binary(BinaryOp::Mul, c, d) => {
                        let rest = self.divided_within(value, c, depth)?;
                        self.divided_within(rest, d, depth)
                    }
                    _ => None,
                }
            }
            // Each term has to be divisible: otherwise the rounded quotients do not add up to the quotient of
            // the sum.
            Scalar::Binary(op @ (BinaryOp::Add | BinaryOp::Sub), a, b) => {
                let a = self.divided_within(a, by, depth)?;
                let b = self.divided_within(b, by, depth)?;
                Some(self.binary(op, a, b))
            }
            _ => None,
        }
    }
}
