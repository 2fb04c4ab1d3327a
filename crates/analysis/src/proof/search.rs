//! The search for upper bounds of a polynomial, see `upper_bounds`.

use rustc_hash::FxHashMap;

use super::polynomials::{Atom, Monomial, Poly, quotient};
use super::upper_bounds::{FAR, Known};

/// Maximum number of bounds that are tried for one question.
pub(super) const FUEL: u32 = 600;
/// Maximum number of bounds of products that are subtracted, for one question. Most of these do not help.
const LOWERED: u32 = 40;
/// Maximum number of upper bounds among which the smallest is chosen.
const MOST_FOUND: usize = 6;

/// What is wanted of an upper bound.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Goal {
    /// It is at most zero.
    NotPositive,
    /// It consists of numbers that a launch gives.
    OfLaunch,
    /// It consists of numbers with upper bounds.
    Bounded,
}

/// The order in which the bounds of a product are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    /// Those whose newest number is oldest come first.
    Oldest,
    /// Those whose products have few factors come first, since a bound that multiplies by another number of the launch
    /// rarely helps.
    Shortest,
}

/// A search for upper bounds.
pub(super) struct Search<'s, 'a> {
    facts: &'s [Poly],
    /// The facts that bound products with a number, by that number.
    about: FxHashMap<Atom, Vec<usize>>,
    known: &'s Known<'a>,
    goal: Goal,
    pub order: Order,
    pub fuel: u32,
    /// How often products that are subtracted may still be replaced.
    lowered: u32,
    /// What was looked at, without the constant, with the constant and the depth that was left. Facts lead back to what
    /// they came from.
    seen: FxHashMap<Poly, (i64, u32)>,
    /// Maximum number of upper bounds that are collected.
    pub most_found: usize,
    pub found: Vec<Poly>,
}

impl<'s, 'a> Search<'s, 'a> {
    pub fn new(facts: &'s [Poly], known: &'s Known<'a>, goal: Goal) -> Search<'s, 'a> {
        let mut about: FxHashMap<Atom, Vec<usize>> = FxHashMap::default();
        for (at, fact) in facts.iter().enumerate() {
            let bounding = fact.terms().filter(|(_, by)| *by < 0);
            for atom in bounding.flat_map(|(monomial, _)| monomial.iter()) {
                let own = about.entry(*atom).or_default();
                if own.last() != Some(&at) {
                    own.push(at);
                }
            }
        }
        Search {
            facts,
            about,
            known,
            goal,
            order: Order::Oldest,
            fuel: FUEL,
            lowered: LOWERED,
            seen: FxHashMap::default(),
            most_found: match goal {
                Goal::Bounded => 4 * MOST_FOUND,
                Goal::NotPositive | Goal::OfLaunch => MOST_FOUND,
            },
            found: Vec::new(),
        }
    }

    /// Replaces products by upper bounds until nothing is left to replace; returns whether the search is over.
    pub fn descend(&mut self, number: &Poly, depth: u32) -> bool {
        if self.has_seen(number, depth) {
            return false;
        }
        let is_open = |monomial: &Monomial| match self.goal {
            Goal::NotPositive => !monomial.is_empty(),
            Goal::OfLaunch => monomial.iter().any(|atom| atom.rank > 0),
            // The limit of a type bounds a number only if nothing else does.
            Goal::Bounded => monomial
                .iter()
                .any(|atom| self.known.most.get(atom).is_none_or(|&most| most >= FAR)),
        };
        let mut terms = number.terms().rev();
        let open = terms.find(|(monomial, coefficient)| *coefficient > 0 && is_open(monomial));
        let Some((monomial, coefficient)) = open else {
            return match self.goal {
                Goal::NotPositive => self.leaf(number) || self.lowered(number, depth),
                Goal::OfLaunch => self.lowered(number, depth) || self.leaf(number),
                Goal::Bounded => self.leaf(number),
            };
        };
        // Limits of types serve where the search finds nothing better, or runs out of fuel.
        if self.goal == Goal::Bounded && self.leaf(number) {
            return true;
        }
        if depth == 0 {
            return false;
        }
        let mut bounds: Vec<(usize, Option<u32>, usize, Poly)> = Vec::new();
        for at in self.bounding(monomial) {
            let bound = self.bounded(number, (monomial, coefficient), &self.facts[at]);
            if let Some(bound) = bound {
                let positive = || bound.terms().filter(|(_, coefficient)| *coefficient > 0);
                let newest = positive().next_back();
                let rank = newest.and_then(|(monomial, _)| Some(monomial.first()?.rank));
                let factors = match self.order {
                    Order::Oldest => 0,
                    Order::Shortest => positive().map(|it| it.0.len()).max().unwrap_or(0),
                };
                bounds.push((factors, rank, bound.len(), bound));
            }
        }
        bounds.sort_by_key(|it| (it.0, it.1, it.2));
        for (.., bound) in bounds {
            if self.fuel == 0 {
                return false;
            }
            self.fuel -= 1;
            if self.descend(&bound, depth - 1) {
                return true;
            }
        }
        false
    }

    /// Returns whether the search has already looked at a number that differs from this one by a constant and is no
    /// larger, with as much depth left; else notes this one.
    fn has_seen(&mut self, number: &Poly, depth: u32) -> bool {
        let constant = number.constant_part();
        let Some(bare) = number.plus_times(&Poly::constant(constant), -1) else {
            return false;
        };
        match self.seen.get(&bare) {
            Some(&(least, left)) if least <= constant && left >= depth => true,
            _ => {
                self.seen.insert(bare, (constant, depth));
                false
            }
        }
    }

    /// Replaces a product that is subtracted, and not one of numbers that a launch gives, by what it is at least;
    /// returns whether the search is over.
    fn lowered(&mut self, number: &Poly, depth: u32) -> bool {
        let is_open = |monomial: &Monomial| monomial.iter().any(|atom| atom.rank > 0);
        let mut terms = number.terms().rev();
        let open = terms.find(|(monomial, by)| *by < 0 && is_open(monomial));
        let Some((monomial, coefficient)) = open.filter(|_| depth > 0) else {
            return false;
        };
        for fact in self.facts {
            let bound = fact.terms().find_map(|(part, by)| {
                if by <= 0 || part.is_empty() || fact.len() < 2 || coefficient % by != 0 {
                    return None;
                }
                let factors = quotient(monomial, part)?;
                self.known.least_of(&factors)?;
                let more = fact.times_monomial(&factors, coefficient.checked_div(-by)?)?;
                let bound = number.plus_times(&more, 1)?;
                (bound.coefficient(monomial) == 0).then_some(bound)
            });
            let Some(bound) = bound else { continue };
            if self.fuel == 0 || self.lowered == 0 {
                return false;
            }
            self.fuel -= 1;
            self.lowered -= 1;
            if self.descend(&bound, depth - 1) {
                return true;
            }
        }
        false
    }

    /// Returns the facts that may bound a product.
    fn bounding(&self, monomial: &Monomial) -> Vec<usize> {
        let newest = monomial.first().filter(|newest| newest.rank > 0);
        let atoms = match newest {
            Some(_) => &monomial[..1],
            // Of numbers that a launch gives, none is newer than the others.
            None => &monomial[..],
        };
        let of = |atom: &Atom| self.about.get(atom).map_or(&[][..], Vec::as_slice);
        let mut all: Vec<usize> = atoms.iter().flat_map(of).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Returns an upper bound without a product: the number plus a multiple of a fact.
    fn bounded(
        &self,
        number: &Poly,
        (monomial, coefficient): (&Monomial, i64),
        fact: &Poly,
    ) -> Option<Poly> {
        let newest = monomial.first()?;
        fact.terms().find_map(|(part, by)| {
            // Of numbers that a launch gives, none is newer than the others.
            let is_about = newest.rank == 0 && !part.is_empty() || part.contains(newest);
            if by >= 0 || !is_about || coefficient.checked_rem(by) != Some(0) {
                return None;
            }
            let factors = quotient(monomial, part)?;
            self.known.least_of(&factors)?;
            let more = fact.times_monomial(&factors, coefficient.checked_div(-by)?)?;
            let bound = number.plus_times(&more, 1)?;
            (bound.coefficient(monomial) == 0).then_some(bound)
        })
    }

    /// Looks for a smaller upper bound of a number whose products all have negative coefficients, by facts about these.
    fn raise(&mut self, number: &Poly) -> bool {
        let negative: Vec<(Monomial, i64)> = number
            .terms()
            .filter(|(monomial, by)| *by < 0 && !monomial.is_empty())
            .map(|(monomial, by)| (monomial.clone(), by))
            .collect();
        for (monomial, coefficient) in negative {
            for fact in self.facts {
                let bound = fact.terms().find_map(|(part, by)| {
                    if by <= 0 || part.is_empty() || coefficient.checked_rem(by) != Some(0) {
                        return None;
                    }
                    let factors = quotient(&monomial, part)?;
                    self.known.least_of(&factors)?;
                    let more = fact.times_monomial(&factors, coefficient.checked_div(-by)?)?;
                    number.plus_times(&more, 1)
                });
                let Some(bound) = bound.filter(|bound| bound != number) else {
                    continue;
                };
                if self.fuel == 0 {
                    return false;
                }
                self.fuel -= 1;
                let is_negative = |(monomial, by): (&Monomial, i64)| by < 0 || monomial.is_empty();
                if bound.terms().all(is_negative)
                    && self.least_value(&bound).is_some_and(|most| most <= 0)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Returns an upper bound of a number whose products have negative coefficients.
    fn least_value(&self, number: &Poly) -> Option<i64> {
        number
            .terms()
            .try_fold(0_i64, |sum, (monomial, coefficient)| {
                let least = self.known.least_of(monomial)?;
                sum.checked_add(least.checked_mul(coefficient)?)
            })
    }

    /// Judges a number whose open products all have negative coefficients.
    fn leaf(&mut self, number: &Poly) -> bool {
        let mut rest = Poly::constant(number.constant_part());
        for (monomial, coefficient) in number.terms() {
            let is_kept = match self.goal {
                Goal::NotPositive => false,
                Goal::OfLaunch => monomial.iter().all(|atom| atom.rank == 0),
                Goal::Bounded => coefficient > 0,
            };
            if monomial.is_empty() {
                continue;
            }
            let term = match is_kept {
                true => Poly::constant(1).times_monomial(monomial, coefficient),
                false => {
                    let least = self.known.least_of(monomial);
                    least.and_then(|least| Some(Poly::constant(least.checked_mul(coefficient)?)))
                }
            };
            let Some(sum) = term.and_then(|term| rest.plus_times(&term, 1)) else {
                return false;
            };
            rest = sum;
        }
        match self.goal {
            Goal::NotPositive if rest.constant_part() <= 0 => true,
            Goal::NotPositive => self.raise(number),
            Goal::OfLaunch | Goal::Bounded => {
                if !self.found.contains(&rest) {
                    self.found.push(rest);
                }
                self.found.len() >= self.most_found
            }
        }
    }
}
