//! Assumptions from enclosing branches, which are undone when a branch is left.

use super::{Assumed, FAR, Symbols};
use crate::scalar::interval::Interval;
use crate::scalar::linear::{Linear, Symbol};

impl Symbols {
    /// Assumes `a <= b` until the next `forget`.
    pub fn assume_not_above(&mut self, a: &Linear, b: &Linear) {
        let Some(gap) = b.minus(a) else { return };
        // A bound of a single symbol narrows its interval, which is cheaper than a fact.
        if let [(symbol, coefficient)] = gap.terms[..] {
            self.narrow(symbol, coefficient, gap.constant);
            return;
        }
        // Only the newest facts about a symbol are used, so a redundant fact would displace a useful one.
        if self.is_known(&gap) {
            return;
        }
        for &(symbol, _) in &gap.terms {
            self.known[symbol.0 as usize].bounds_here.push(gap.clone());
            self.assumed.push(Assumed::Bound(symbol));
        }
    }

    /// Records that an expression is non-negative, as a search has shown, unless intervals already imply it.
    pub fn remember_natural(&mut self, number: &Linear) {
        if self.sum(number, |known| known.here).min < 0 {
            self.assume_not_above(&Linear::constant(0), number);
        }
    }

    /// Returns whether a recorded fact implies that an expression of several symbols is non-negative.
    fn is_known(&self, gap: &Linear) -> bool {
        let Some(&(symbol, _)) = gap.terms.first() else {
            return gap.constant >= 0;
        };
        let known = &self.known[symbol.0 as usize];
        let mut facts = known.bounds_here.iter().chain(&known.bounds);
        facts.any(|fact| fact.constant <= gap.constant && fact.terms == gap.terms)
    }

    /// Assumes until the next `forget` that a number is not negative where `is_taken`, which is 0 or 1, is 1.
    pub fn assume_where(&mut self, is_taken: &Linear, number: &Linear) {
        let least = self.everywhere(number).min;
        // A number that is never negative needs no condition, and one without a lower bound cannot be tied to it.
        if (-FAR * FAR..0).contains(&least)
            && let Some(above) = least.checked_neg().and_then(|by| number.plus(by))
            && let Some(tied) = above.plus_times(is_taken, least)
        {
            self.assume_not_above(&Linear::constant(0), &tied);
        }
    }

    /// Assumes `a < b` until the next `forget`.
    pub fn assume_below(&mut self, a: &Linear, b: &Linear) {
        if let Some(next) = a.plus(1) {
            self.assume_not_above(&next, b);
        }
    }

    /// Narrows a symbol such that `coefficient * symbol + constant` is not negative.
    fn narrow(&mut self, symbol: Symbol, coefficient: i64, constant: i64) {
        // coefficient * symbol >= -constant
        let side = match coefficient {
            1.. => constant
                .checked_div_euclid(coefficient)
                .and_then(i64::checked_neg)
                .map(Interval::from),
            _ => constant
                .checked_div_euclid(coefficient.saturating_neg())
                .map(|max| Interval { min: i64::MIN, max }),
        };
        let known = &mut self.known[symbol.0 as usize];
        if let Some(narrowed) = side.and_then(|side| known.here.meet(side)) {
            self.assumed.push(Assumed::Interval(symbol, known.here));
            known.here = narrowed;
        }
    }

    /// Returns a mark for `forget`.
    pub fn assumptions(&self) -> usize {
        self.assumed.len()
    }

    /// Undoes the assumptions since the mark.
    pub fn forget(&mut self, mark: usize) {
        while self.assumed.len() > mark {
            match self.assumed.pop() {
                Some(Assumed::Interval(symbol, before)) => {
                    self.known[symbol.0 as usize].here = before;
                }
                Some(Assumed::Bound(symbol)) => {
                    self.known[symbol.0 as usize].bounds_here.pop();
                }
                None => {}
            }
        }
    }
}
