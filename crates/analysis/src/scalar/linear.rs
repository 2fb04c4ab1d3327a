//! Linear expressions over symbols.

use smallvec::SmallVec;

/// A number that is constant while the statement that uses it executes: a parameter, a device query, the
/// iteration of a loop, the result of an operation that is not linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub(super) u32);

impl Symbol {
    /// Returns its number; newer symbols have higher ones.
    pub fn number(self) -> u32 {
        self.0
    }
}

/// Maximum number of terms of a sum.
// Each branch that changes a variable may add a term, and a sum of such sums has up to the square of that.
const MAX_TERMS: usize = 64;

/// `constant + coefficient * symbol + …`, symbols ascending, no coefficient 0.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Linear {
    pub(super) constant: i64,
    pub(super) terms: SmallVec<[(Symbol, i64); 2]>,
}

impl Linear {
    /// Returns a constant.
    pub fn constant(value: i64) -> Linear {
        Linear {
            constant: value,
            terms: SmallVec::new(),
        }
    }

    /// Returns a symbol by itself.
    pub fn symbol(symbol: Symbol) -> Linear {
        Linear {
            constant: 0,
            terms: SmallVec::from_slice(&[(symbol, 1)]),
        }
    }

    /// Returns the number, if it has no symbols.
    pub fn as_constant(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// Returns the constant term.
    pub fn constant_part(&self) -> i64 {
        self.constant
    }

    /// Returns the symbols with their coefficients.
    pub fn terms(&self) -> impl Iterator<Item = (Symbol, i64)> + '_ {
        self.terms.iter().copied()
    }

    /// Returns the symbols.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + '_ {
        self.terms.iter().map(|term| term.0)
    }

    /// Returns the coefficient of a symbol.
    pub fn coefficient(&self, symbol: Symbol) -> i64 {
        let found = self.terms.iter().find(|term| term.0 == symbol);
        found.map_or(0, |term| term.1)
    }

    /// Returns `self + factor * other`, or `None` if a number does not fit into 64 bits or there are more
    /// than [`MAX_TERMS`] terms.
    pub fn plus_times(&self, other: &Linear, factor: i64) -> Option<Linear> {
        let mut sum = Linear::constant(
            self.constant
                .checked_add(other.constant.checked_mul(factor)?)?,
        );
        let (mut mine, mut theirs) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (symbol, coefficient) = match (mine.peek(), theirs.peek()) {
                (Some(&&(a, x)), Some(&&(b, y))) if a == b => {
                    mine.next();
                    theirs.next();
                    (a, x.checked_add(y.checked_mul(factor)?)?)
                }
                (Some(&&(a, x)), Some(&&(b, _))) if a < b => {
                    mine.next();
                    (a, x)
                }
                (_, Some(&&(b, y))) => {
                    theirs.next();
                    (b, y.checked_mul(factor)?)
                }
                (Some(&&(a, x)), None) => {
                    mine.next();
                    (a, x)
                }
                (None, None) => return Some(sum),
            };
            // Terms that cancel are dropped, so equal numbers have equal forms.
            if coefficient != 0 {
                if sum.terms.len() == MAX_TERMS {
                    return None;
                }
                sum.terms.push((symbol, coefficient));
            }
        }
    }

    /// Returns `self - other`.
    pub fn minus(&self, other: &Linear) -> Option<Linear> {
        self.plus_times(other, -1)
    }

    /// Returns `self * factor`.
    pub fn times(&self, factor: i64) -> Option<Linear> {
        Linear::default().plus_times(self, factor)
    }

    /// Returns `self / divisor` for a positive divisor of the constant and of all coefficients.
    pub fn divided(&self, divisor: i64) -> Option<Linear> {
        let quotient = |number: i64| {
            let is_exact = divisor > 0 && number % divisor == 0;
            is_exact.then(|| number / divisor)
        };
        let terms = self.terms.iter();
        Some(Linear {
            constant: quotient(self.constant)?,
            terms: terms
                .map(|&(symbol, coefficient)| Some((symbol, quotient(coefficient)?)))
                .collect::<Option<_>>()?,
        })
    }

    /// Returns `self + number`.
    pub fn plus(&self, number: i64) -> Option<Linear> {
        Some(Linear {
            constant: self.constant.checked_add(number)?,
            terms: self.terms.clone(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_cancel() {
        let (n, k) = (Linear::symbol(Symbol(0)), Linear::symbol(Symbol(1)));
        let start = k.times(128).unwrap();
        let rest = n.minus(&start).unwrap();
        assert_eq!(rest.coefficient(Symbol(1)), -128);
        assert_eq!(rest.plus_times(&start, 1), Some(n));
        assert_eq!(start.minus(&start).unwrap().as_constant(), Some(0));
        assert_eq!(start.times(i64::MAX), None);
    }

    #[test]
    fn sums_are_divided_without_a_remainder() {
        let sum = Linear::symbol(Symbol(0)).times(-8).unwrap();
        let sum = sum.plus(12).unwrap();
        let half = sum.divided(4).unwrap();
        assert_eq!(half.times(4), Some(sum.clone()));
        assert_eq!((half.constant_part(), half.coefficient(Symbol(0))), (3, -2));
        assert_eq!(
            (sum.divided(8), sum.divided(0), sum.divided(-4)),
            (None, None, None)
        );
    }

    /// One term more than is followed makes no sum, whichever side brings it; terms that cancel make room.
    #[test]
    fn sums_have_a_largest_number_of_terms() {
        let symbols = (0..MAX_TERMS as u32).map(|at| Linear::symbol(Symbol(at)));
        let sum = symbols.fold(Linear::default(), |sum, one| {
            sum.plus_times(&one, 2).expect("within the bound")
        });
        assert_eq!(sum.terms().count(), MAX_TERMS);
        let another = Linear::symbol(Symbol(MAX_TERMS as u32));
        assert_eq!(sum.plus_times(&another, 1), None);
        assert_eq!(another.plus_times(&sum, 1), None);
        let rest = sum.plus_times(&Linear::symbol(Symbol(0)), -2);
        let rest = rest.and_then(|rest| rest.plus_times(&another, 1));
        assert_eq!(rest.map(|rest| rest.terms().count()), Some(MAX_TERMS));
    }
}
