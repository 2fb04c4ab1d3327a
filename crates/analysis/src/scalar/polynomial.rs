//! Polynomials in the sizes of a launch.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use smallvec::SmallVec;

use a2lint_ir::VariableId;

/// A product of parameters, ascending; the empty one is a constant.
type Product = SmallVec<[VariableId; 4]>;

/// A sum of products of parameters that are at least 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Polynomial {
    /// Coefficients in units of 1 / [`UNIT`], rounded up. No term means 0.
    terms: BTreeMap<Product, i128>,
}

/// The representation of the coefficient 1.
// A power of two, since sizes are mostly divided by powers of two, which is then exact.
const UNIT: i128 = 1 << 20;
/// Maximum number of products of a polynomial, and of factors of a product.
const MOST_TERMS: usize = 24;
const MOST_FACTORS: usize = 6;
/// The size for which two polynomials are compared.
const USUAL: i64 = 1024;

impl Polynomial {
    pub(super) fn constant(value: i64) -> Polynomial {
        Polynomial::default().with(Product::new(), i128::from(value) * UNIT)
    }

    /// Returns a parameter.
    pub fn parameter(id: VariableId) -> Polynomial {
        Polynomial::default().with(Product::from_slice(&[id]), UNIT)
    }

    /// Returns a constant.
    pub fn of(value: i64) -> Polynomial {
        Polynomial::constant(value)
    }

    /// Returns the sum with another one.
    pub fn sum(self, other: &Polynomial) -> Option<Polynomial> {
        self.plus_times(other, 1)
    }

    /// Returns the sum with a constant.
    pub fn plus(self, value: i64) -> Option<Polynomial> {
        self.plus_times(&Polynomial::constant(value), 1)
    }

    /// Returns the product with a constant.
    pub fn scaled(&self, by: i64) -> Option<Polynomial> {
        Polynomial::default().plus_times(self, by)
    }

    fn with(mut self, product: Product, coefficient: i128) -> Polynomial {
        let sum = self.terms.get(&product).copied().unwrap_or(0) + coefficient;
        match sum {
            0 => self.terms.remove(&product),
            _ => self.terms.insert(product, sum),
        };
        self
    }

    /// Returns `self + factor * other`.
    pub(super) fn plus_times(self, other: &Polynomial, factor: i64) -> Option<Polynomial> {
        let sum = other.terms.iter().try_fold(self, |sum, (product, &it)| {
            Some(sum.with(product.clone(), limited(it.checked_mul(factor.into())?)?))
        })?;
        (sum.terms.len() <= MOST_TERMS).then_some(sum)
    }

    /// Returns `self / by`, rounded up, for a positive `by`.
    pub fn divided(mut self, by: i64) -> Polynomial {
        for coefficient in self.terms.values_mut() {
            *coefficient = div_up(*coefficient, by.into());
        }
        self.terms.retain(|_, coefficient| *coefficient != 0);
        self
    }

    /// Returns a polynomial that is not below this one, nor below 0.
    pub(super) fn positive(mut self) -> Polynomial {
        self.terms.retain(|_, coefficient| *coefficient > 0);
        self
    }

    /// Returns the product of two bounds of numbers that are not negative.
    pub fn times(&self, other: &Polynomial) -> Option<Polynomial> {
        let mut result = Polynomial::default();
        for (a, &x) in &self.terms {
            for (b, &y) in &other.terms {
                let mut product: Product = a.iter().chain(b).copied().collect();
                product.sort_unstable();
                if product.len() > MOST_FACTORS {
                    return None;
                }
                let coefficient = div_up(x.checked_mul(y)?, UNIT);
                result = result.with(product, limited(coefficient)?);
            }
        }
        (result.terms.len() <= MOST_TERMS).then_some(result)
    }

    /// Evaluates the polynomial, in units; `None` if a parameter has no value or the result is too large.
    fn in_units(&self, value: impl Fn(VariableId) -> Option<i64>) -> Option<i128> {
        self.terms.iter().try_fold(0_i128, |sum, (product, &it)| {
            let term = product
                .iter()
                .try_fold(it, |term, &id| term.checked_mul(value(id)?.into()));
            sum.checked_add(term?)
        })
    }

    /// Returns whether it is at most `most` with these values of parameters.
    pub fn is_at_most(&self, most: i64, value: impl Fn(VariableId) -> Option<i64>) -> bool {
        self.in_units(value)
            .is_some_and(|units| units <= i128::from(most) * UNIT)
    }

    /// Returns the largest value that it can have while `other` is at most `allowed`, if `other` grows at
    /// least as fast in everything.
    fn most_where(&self, other: &Polynomial, allowed: i64) -> Option<i128> {
        if other
            .terms
            .iter()
            .any(|(product, &it)| it < 0 && !product.is_empty())
        {
            return None;
        }
        // The largest ratio of a growing term to the same term of `other`, in units.
        let mut share = 0;
        for (product, &it) in &self.terms {
            if it > 0 && !product.is_empty() {
                share = share.max(div_up(it.checked_mul(UNIT)?, *other.terms.get(product)?));
            }
        }
        let grown = i128::from(allowed) * UNIT - other.constant_part();
        let most = div_up(share.checked_mul(grown)?, UNIT) + self.constant_part();
        (share <= UNIT && grown >= 0).then_some(most)
    }

    fn constant_part(&self) -> i128 {
        self.terms.get(&Product::new()).copied().unwrap_or(0)
    }

    /// Returns this polynomial, or one that is slightly larger, such that `other` is at most `most` wherever
    /// the result is at most `allowed`.
    pub fn covering(&self, allowed: i64, other: &Polynomial, most: i64) -> Option<Polynomial> {
        let excess = other.most_where(self, allowed)? - i128::from(most) * UNIT;
        let is_little = excess <= i128::from(allowed) * UNIT / 1000;
        is_little.then(|| {
            let added = div_up(excess.max(0), UNIT) * UNIT;
            self.clone().with(Product::new(), added)
        })
    }

    /// Returns the largest value of its only parameter for which it is at most `most`, if it is that
    /// parameter times a number plus a constant.
    pub fn as_limit(&self, most: i64) -> Option<(VariableId, i64)> {
        let mut grows = self.terms.iter().filter(|(product, _)| !product.is_empty());
        let (Some((product, &by)), None) = (grows.next(), grows.next()) else {
            return None;
        };
        let left = i128::from(most) * UNIT - self.constant_part();
        match (&product[..], by) {
            (&[id], 1..) => Some((id, i64::try_from(left.div_euclid(by)).ok()?)),
            _ => None,
        }
    }

    /// Returns whether it is never above another one, as far as coefficients show.
    pub fn is_below(&self, other: &Polynomial) -> bool {
        let Some(gap) = other.clone().plus_times(self, -1) else {
            return false;
        };
        // With 1 + t for each parameter, no coefficient may be negative.
        let mut shifted = Polynomial::default();
        for (product, &coefficient) in &gap.terms {
            for chosen in 0..1_u32 << product.len() {
                let part = product.iter().enumerate();
                let part = part.filter(|(at, _)| chosen >> at & 1 == 1);
                shifted = shifted.with(part.map(|(_, &id)| id).collect(), coefficient);
            }
        }
        shifted.terms.values().all(|&coefficient| coefficient > 0)
    }

    /// Returns its products with integer coefficients, and the number by which the sum has to be divided.
    pub fn whole(&self) -> (Vec<(&[VariableId], i128)>, i128) {
        let common = self
            .terms
            .values()
            .fold(UNIT, |common, &it| gcd(common, it.abs()));
        let mut terms: Vec<(&[VariableId], i128)> = self
            .terms
            .iter()
            .map(|(product, it)| (product.as_slice(), it / common))
            .collect();
        terms.sort_by_key(|(product, _)| std::cmp::Reverse(product.len()));
        (terms, UNIT / common)
    }
}

/// Returns a coefficient, if it leaves room in 128 bits for the products of evaluation.
fn limited(coefficient: i128) -> Option<i128> {
    (coefficient.abs() < 1 << 90).then_some(coefficient)
}

fn div_up(a: i128, by: i128) -> i128 {
    a.div_euclid(by) + i128::from(a.rem_euclid(by) != 0)
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// Returns a polynomial that neither ever exceeds.
pub(super) fn larger(a: Option<Polynomial>, b: Option<Polynomial>) -> Option<Polynomial> {
    let (a, b) = (a?, b?);
    match (a.is_below(&b), b.is_below(&a)) {
        (true, _) => Some(b),
        (_, true) => Some(a),
        _ => a.positive().plus_times(&b.positive(), 1),
    }
}

/// Returns the one that is smaller for usual sizes.
pub(super) fn smaller(a: Option<Polynomial>, b: Option<Polynomial>) -> Option<Polynomial> {
    let (Some(a), Some(b)) = (&a, &b) else {
        return a.or(b);
    };
    let usual = |it: &Polynomial| it.in_units(|_| Some(USUAL)).unwrap_or(i128::MAX);
    Some(if usual(b) < usual(a) { b } else { a }.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polynomials_are_compared_by_their_coefficients() {
        let [m, n] = [0, 1].map(|id| Polynomial::parameter(VariableId(id)));
        let both = m.times(&n).unwrap();
        assert!(m.is_below(&both) && both.is_below(&both));
        assert!(!both.is_below(&m));
        let next = m.clone().plus_times(&Polynomial::constant(1), 1).unwrap();
        assert!(m.is_below(&next) && !next.is_below(&both));
    }

    #[test]
    fn division_rounds_up() {
        let third = Polynomial::parameter(VariableId(0)).divided(3);
        let at = |value: i64| move |_| Some(value);
        assert!(third.is_at_most(34, at(100)) && !third.is_at_most(33, at(100)));
        assert!(!third.is_at_most(32, at(99)));
    }
}
