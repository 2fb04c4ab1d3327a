//! Upper bounds of numbers as polynomials in the sizes of a launch.

use smallvec::SmallVec;

use super::linear::{Linear, Symbol};
use super::polynomial::{Polynomial, larger, smaller};
use super::symbols::{Meaning, Rise, Symbols};
use a2lint_ir::BinaryOp;

/// Maximum number of successive replacements of a symbol by an upper bound.
const DEPTH: u32 = 12;
/// Maximum number of replacements that are tried for one expression.
const FUEL: u32 = 300;
/// Maximum number of bounds of a symbol that are tried, the newest first.
const WIDTH: usize = 12;

impl Symbols {
    /// Returns a polynomial that a number never exceeds at the current statement, in launches that give all
    /// of its parameters at least 1.
    pub fn growth(&self, number: &Linear) -> Option<Polynomial> {
        self.growth_within(number, DEPTH, &mut { FUEL })
    }

    fn growth_within(&self, number: &Linear, depth: u32, fuel: &mut u32) -> Option<Polynomial> {
        let mut best = self.growth_of_terms(number, depth, fuel);
        // The newest symbol is replaced by older ones, which terminates.
        let Some((newest, coefficient)) = number.terms().last() else {
            return best;
        };
        if depth == 0 || matches!(self.meaning(newest), Meaning::Parameter(_)) {
            return best;
        }
        if let (Some(rise), 1..) = (self.rise(newest), coefficient) {
            best = smaller(
                best,
                self.risen(number, (newest, coefficient), rise, depth, fuel),
            );
        }
        // Adding something that is not negative gives an upper bound.
        for bound in self.bounds_by_older(newest) {
            let times = coefficient
                .checked_neg()?
                .checked_div(bound.coefficient(newest));
            let Some(times @ 1..) = times else { continue };
            let more = number.plus_times(bound, times);
            let Some(more) = more.filter(|more| more.coefficient(newest) == 0) else {
                continue;
            };
            if *fuel == 0 {
                return best;
            }
            *fuel -= 1;
            best = smaller(best, self.growth_within(&more, depth - 1, fuel));
        }
        best
    }

    /// Bounds a number by replacing a term by what it has risen from.
    fn risen(
        &self,
        number: &Linear,
        (symbol, coefficient): (Symbol, i64),
        rise: &Rise,
        depth: u32,
        fuel: &mut u32,
    ) -> Option<Polynomial> {
        let rest = number.plus_times(&Linear::symbol(symbol), coefficient.checked_neg()?)?;
        let before = rest.plus_times(&rise.entry, coefficient)?;
        let before = self.growth_within(&before, depth - 1, fuel)?;
        let times = self.growth_within(&rise.times, depth - 1, fuel)?;
        let added = times.positive().times(&rise.each.clone().positive())?;
        before.plus_times(&added, coefficient)
    }

    /// Returns the sum of the bounds of all terms.
    fn growth_of_terms(&self, number: &Linear, depth: u32, fuel: &mut u32) -> Option<Polynomial> {
        let sum = Polynomial::constant(number.constant_part());
        number.terms().try_fold(sum, |sum, (symbol, coefficient)| {
            let most = self.growth_of(symbol, coefficient.signum(), depth, fuel)?;
            sum.plus_times(&most, coefficient.checked_abs()?)
        })
    }

    /// Returns a bound of a symbol, or of its negation.
    fn growth_of(
        &self,
        symbol: Symbol,
        sign: i64,
        depth: u32,
        fuel: &mut u32,
    ) -> Option<Polynomial> {
        let meaning = self.meaning(symbol);
        let range = self.range(&Linear::symbol(symbol)).times(sign);
        // Polynomials are compared for parameters of at least 1.
        if let (Meaning::Parameter(id), 1, 1..) = (meaning, sign, range.min) {
            return Some(Polynomial::parameter(*id));
        }
        let mut best = range.most().map(Polynomial::constant);
        if depth == 0 || *fuel == 0 {
            return best;
        }
        *fuel -= 1;
        if let Meaning::Operation(op, a, b) = meaning {
            let of = match sign {
                1 => self.growth_of_operation(*op, [a, b], depth, fuel),
                _ => self.growth_of_negated(*op, [a, b], depth, fuel),
            };
            best = smaller(best, of);
        }
        if let Meaning::Either(_, values) = meaning {
            let mut of = values.iter().map(|(value, _)| {
                let value = value.times(sign)?;
                self.growth_within(&value, depth - 1, fuel)
            });
            // If one path has no bound, the value after the branch has none.
            let first = of.next().flatten();
            best = smaller(best, of.fold(first, larger));
        }
        if let (Some(rise), 1) = (self.rise(symbol), sign) {
            let number = Linear::symbol(symbol);
            best = smaller(best, self.risen(&number, (symbol, 1), rise, depth, fuel));
        }
        for bound in self.bounds_by_older(symbol) {
            let Some(by @ 1..) = bound.coefficient(symbol).checked_mul(-sign) else {
                continue;
            };
            if *fuel == 0 {
                return best;
            }
            *fuel -= 1;
            let rest = bound.plus_times(&Linear::symbol(symbol), sign * by);
            let most = rest.and_then(|rest| self.growth_of_terms(&rest, depth - 1, fuel));
            best = smaller(best, most.map(|most| most.divided(by)));
        }
        best
    }

    fn growth_of_operation(
        &self,
        op: BinaryOp,
        [a, b]: [&Linear; 2],
        depth: u32,
        fuel: &mut u32,
    ) -> Option<Polynomial> {
        let least = [a, b].map(|operand| self.range(operand).min);
        let mut of = |operand: &Linear| self.growth_within(operand, depth - 1, fuel);
        match op {
            BinaryOp::Min => smaller(of(a), of(b)),
            // A maximum is no polynomial, but the sum of both is never below either.
            BinaryOp::Max => of(a)?.positive().plus_times(&of(b)?.positive(), 1),
            _ if least.iter().any(|&least| least < 0) => None,
            BinaryOp::Mul => match self.part_of(a, b).or_else(|| self.part_of(b, a)) {
                Some((all, Some(count))) => of(all)?.plus_times(&of(count)?, 1),
                Some((all, None)) => of(all),
                None => of(a)?.times(&of(b)?),
            },
            BinaryOp::AlignUp => of(a)?.plus_times(&of(b)?, 1),
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::CeilDiv if least[1] >= 1 => of(a)?
                .divided(least[1])
                .plus_times(&Polynomial::constant(1), 1),
            BinaryOp::Mod | BinaryOp::FloorMod => smaller(of(a), of(b)),
            _ => None,
        }
    }

    /// For the product of a quotient and another number, returns an upper bound, as a number or the sum of
    /// two: `a / n * n` is at most `a`, and `ceil(a / n) * (n - 1)`, the first item of a lane, is less than
    /// `a + n`.
    fn part_of<'s>(
        &'s self,
        quotient: &Linear,
        by: &Linear,
    ) -> Option<(&'s Linear, Option<&'s Linear>)> {
        let mut terms = quotient.terms();
        let (Some((symbol, 1)), None, 0) = (terms.next(), terms.next(), quotient.constant_part())
        else {
            return None;
        };
        match self.meaning(symbol) {
            Meaning::Operation(BinaryOp::Div, all, count) if count == by => Some((all, None)),
            Meaning::Operation(BinaryOp::CeilDiv, all, count)
                if self.is_not_above(&by.plus(1)?, count) =>
            {
                Some((all, Some(count)))
            }
            _ => None,
        }
    }

    fn growth_of_negated(
        &self,
        op: BinaryOp,
        operands: [&Linear; 2],
        depth: u32,
        fuel: &mut u32,
    ) -> Option<Polynomial> {
        if !matches!(op, BinaryOp::Min | BinaryOp::Max) {
            return None;
        }
        let [a, b] = operands.map(|operand| {
            let negated = operand.times(-1)?;
            self.growth_within(&negated, depth - 1, fuel)
        });
        match op {
            BinaryOp::Min => a?.positive().plus_times(&b?.positive(), 1),
            _ => smaller(a, b),
        }
    }

    /// Returns the bounds of a symbol by older ones, the newest first.
    fn bounds_by_older(&self, symbol: Symbol) -> impl Iterator<Item = &Linear> {
        let bounds = self.bounds_of(symbol);
        // With bounds by newer symbols, replacing might never end.
        let by_older = bounds.filter(move |bound| bound.symbols().last() == Some(symbol));
        let by_older: SmallVec<[&Linear; 16]> = by_older.collect();
        by_older.into_iter().rev().take(WIDTH)
    }
}
