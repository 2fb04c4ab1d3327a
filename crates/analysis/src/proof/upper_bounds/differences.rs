//! Products of two differences, such as `(big - small) * (lane - first)`. If neither factor is negative, neither is the
//! product. The search does not find that by itself: it multiplies facts by numbers, and not by other facts.

use super::{Known, Poly};

/// Maximum number of such products.
const MOST: usize = 8;

impl Known<'_> {
    /// Notes a product whose factors are both differences.
    pub(super) fn note_product(&mut self, a: &Poly, b: &Poly) {
        let is_difference =
            |number: &Poly| number.len() > 1 && number.terms().any(|(_, by)| by < 0);
        if self.products.len() < MOST && is_difference(a) && is_difference(b) {
            let both = [a.clone(), b.clone()];
            if !self.products.contains(&both) {
                self.products.push(both);
            }
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
