//! Contradictions that the search for bounds does not find, by elimination: each product of numbers is an unknown of
//! linear inequalities. A case that cannot occur is found as well: the last lane is not followed by another one.

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::polynomials::{Monomial, quotient};
use super::super::system::{Form, System};
use super::{Known, Poly};

/// Maximum number of facts that are multiplied by numbers.
const MOST_PRODUCTS: usize = 60;
/// How often products of products are made.
const ROUNDS: usize = 2;

impl Known<'_> {
    /// Returns whether some numbers cannot all be positive.
    pub(super) fn excludes_all(&self, numbers: &[Poly]) -> bool {
        let positive = numbers.iter();
        let positive = positive.filter_map(|it| it.plus_times(&Poly::constant(1), -1));
        let mut facts: Vec<Poly> = positive.collect();
        facts.extend(self.products(numbers));
        facts.extend(self.facts.iter().cloned());
        let mut unknowns: FxHashMap<Monomial, Form> = FxHashMap::default();
        let mut system = System::default();
        for fact in &facts {
            let form = fact
                .terms()
                .try_fold(Form::default(), |sum, (monomial, by)| {
                    let next = unknowns.len() as u32;
                    match monomial.is_empty() {
                        true => sum.plus(&Form::constant(1), by),
                        false => {
                            let unknown = unknowns.entry(monomial.clone());
                            sum.plus(unknown.or_insert_with(|| Form::unknown(next)), by)
                        }
                    }
                });
            form.into_iter().for_each(|form| system.add(form));
        }
        system.is_impossible()
    }

    /// Returns facts times numbers that are not negative, such that products of the given numbers occur in them.
    fn products(&self, numbers: &[Poly]) -> Vec<Poly> {
        let is_product = |monomial: &&Monomial| monomial.len() > 1;
        let monomials = |number: &Poly| -> Vec<Monomial> {
            let all = number.terms().map(|(monomial, _)| monomial);
            all.filter(is_product).cloned().collect()
        };
        let mut found: Vec<Poly> = Vec::new();
        let mut open: Vec<Monomial> = numbers.iter().flat_map(monomials).collect();
        let mut seen: FxHashSet<Monomial> = open.iter().cloned().collect();
        for _ in 0..ROUNDS {
            let mut next = Vec::new();
            for (monomial, fact) in open
                .iter()
                .flat_map(|it| self.facts.iter().map(move |f| (it, f)))
            {
                let factors = fact
                    .terms()
                    .filter_map(|(part, _)| quotient(monomial, part));
                let mut factors = factors.filter(|it| !it.is_empty() && it.len() < monomial.len());
                let Some(more) = factors
                    .find(|it| self.least_of(it).is_some())
                    .and_then(|it| fact.times_monomial(&it, 1))
                else {
                    continue;
                };
                if found.len() == MOST_PRODUCTS {
                    return found;
                }
                if !found.contains(&more) {
                    next.extend(
                        monomials(&more)
                            .into_iter()
                            .filter(|it| seen.insert(it.clone())),
                    );
                    found.push(more);
                }
            }
            open = next;
        }
        found
    }
}
