//! Products of two differences, as `(big - small) * (lane - first)`. If neither factor is negative, the product is not
//! either, which the search does not see: it multiplies facts by numbers, and not by other facts.

use super::{Known, Poly};

/// Maximum number of such products.
const MOST: usize = 8;

impl Known<'_> {
    /// Notes a product whose factors are both differences.
    pub(super) fn note_product(&mut self, a: &Poly, b: &Poly) {
        let is_difference = |number: &Poly| number.terms().any(|(_, by)| by < 0);
        let is_one = |number: &Poly| is_difference(number) && number.len() > 1;
        let both = [a.clone(), b.clone()];
        if is_one(a) && is_one(b) && self.products.len() < MOST && !self.products.contains(&both) {
            self.products.push(both);
        }
    }

    /// Adds that products of differences are not negative where their factors are not.
    pub(super) fn multiply_differences(&mut self) {
        for [a, b] in std::mem::take(&mut self.products) {
            if self.is_natural(&a)
                && self.is_natural(&b)
                && let Some(product) = a.times(&b)
            {
                self.add(product);
            }
        }
    }
}
