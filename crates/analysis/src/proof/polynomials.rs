//! Polynomials in the numbers of a kernel: shares, rows and tiles whose sizes a launch gives multiply indices.

use smallvec::SmallVec;

use crate::scalar::{Symbol, gcd};

/// A number of a kernel, as one of two accesses has it. The order is that in which numbers are replaced by bounds: a
/// bound of a number is mostly expressed by older ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Atom {
    /// 0 for what a launch gives.
    pub rank: u32,
    pub symbol: Symbol,
    /// The access; 0 where both have the same value.
    pub copy: u8,
}

/// A product of numbers, the newest first; the empty one is 1.
pub(super) type Monomial = SmallVec<[Atom; 4]>;

/// A sum of products with integer coefficients.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Poly {
    /// In ascending order of products, without coefficients of 0, so that equal sums have equal terms.
    terms: Vec<(Monomial, i64)>,
}

/// Maximum number of products in a sum, and of factors in a product.
const MOST_TERMS: usize = 40;
const MOST_FACTORS: usize = 5;

impl Poly {
    pub fn constant(value: i64) -> Poly {
        Poly::default()
            .with(Monomial::new(), value)
            .unwrap_or_default()
    }

    pub fn atom(atom: Atom) -> Poly {
        Poly {
            terms: vec![(Monomial::from_slice(&[atom]), 1)],
        }
    }

    fn with(mut self, monomial: Monomial, coefficient: i64) -> Option<Poly> {
        match self.position(&monomial) {
            Ok(at) => {
                let known = &mut self.terms[at].1;
                *known = known.checked_add(coefficient)?;
                if *known == 0 {
                    self.terms.remove(at);
                }
            }
            Err(at) if coefficient != 0 => self.terms.insert(at, (monomial, coefficient)),
            Err(_) => {}
        }
        Some(self)
    }

    /// Returns where a product is among the terms, or where it would be.
    fn position(&self, monomial: &Monomial) -> Result<usize, usize> {
        self.terms.binary_search_by(|term| term.0.cmp(monomial))
    }

    /// Returns `self + factor * other`, or `None` if numbers get too large.
    pub fn plus_times(&self, other: &Poly, factor: i64) -> Option<Poly> {
        let mut terms: Vec<(Monomial, i64)> =
            Vec::with_capacity(self.terms.len() + other.terms.len());
        let mut mine = self.terms.iter().peekable();
        for (monomial, coefficient) in &other.terms {
            let more = coefficient.checked_mul(factor)?;
            while let Some(term) = mine.next_if(|term| term.0 < *monomial) {
                terms.push(term.clone());
            }
            let sum = match mine.next_if(|term| term.0 == *monomial) {
                Some((_, known)) => known.checked_add(more)?,
                None => more,
            };
            if sum != 0 {
                terms.push((monomial.clone(), sum));
            }
        }
        terms.extend(mine.cloned());
        // Products of sums grow quickly; dropping a longer sum only loses a proof.
        (terms.len() <= MOST_TERMS).then_some(Poly { terms })
    }

    /// Returns the product with a product of numbers.
    pub fn times_monomial(&self, by: &[Atom], factor: i64) -> Option<Poly> {
        self.terms
            .iter()
            .try_fold(Poly::default(), |sum, (monomial, coefficient)| {
                let product = product(monomial, by)?;
                sum.with(product, coefficient.checked_mul(factor)?)
            })
    }

    /// Returns `self * other`.
    pub fn times(&self, other: &Poly) -> Option<Poly> {
        let mut terms = other.terms.iter();
        terms.try_fold(Poly::default(), |sum, (monomial, coefficient)| {
            sum.plus_times(&self.times_monomial(monomial, *coefficient)?, 1)
        })
    }

    /// Returns the number, if the polynomial is that number alone.
    pub fn as_atom(&self) -> Option<Atom> {
        let mut terms = self.terms.iter();
        match (terms.next(), terms.next()) {
            (Some((monomial, 1)), None) if monomial.len() == 1 => monomial.first().copied(),
            _ => None,
        }
    }

    /// Returns whether another polynomial has the same products.
    pub fn differs_by_constant(&self, other: &Poly) -> bool {
        // The constant comes first.
        let products = |it: &Poly| {
            let has_constant = it.terms.first().is_some_and(|term| term.0.is_empty());
            usize::from(has_constant)
        };
        self.terms[products(self)..] == other.terms[products(other)..]
    }

    /// Returns the numbers in it.
    pub fn atoms(&self) -> impl Iterator<Item = Atom> {
        self.terms.iter().flat_map(|term| &term.0).copied()
    }

    /// Returns whether a number occurs in it.
    pub fn has(&self, atom: Atom) -> bool {
        self.terms.iter().any(|term| term.0.contains(&atom))
    }

    /// Returns the polynomial with a value in place of a number; `None` if it gets too large.
    pub fn with_value(&self, atom: Atom, value: &Poly) -> Option<Poly> {
        let terms = self.terms.iter().cloned();
        let (with, without): (Vec<_>, Vec<_>) = terms.partition(|term| term.0.contains(&atom));
        let mut sum = Poly { terms: without };
        for (monomial, coefficient) in &with {
            let mut term = Poly::constant(*coefficient);
            for factor in monomial {
                term = match *factor == atom {
                    true => term.times(value)?,
                    false => term.times_monomial(&[*factor], 1)?,
                };
            }
            sum = sum.plus_times(&term, 1)?;
        }
        Some(sum)
    }

    /// Divides by a positive number; `None` if that leaves a remainder.
    pub fn divided(&self, by: i64) -> Option<Poly> {
        let terms = self.terms.iter().map(|(monomial, coefficient)| {
            let is_whole = coefficient.checked_rem(by)? == 0;
            is_whole.then(|| (monomial.clone(), *coefficient / by))
        });
        let terms = terms.collect::<Option<_>>()?;
        Some(Poly { terms })
    }

    /// Divides a number that is not negative by the common factor of its coefficients.
    pub fn tightened(mut self) -> Poly {
        let products = self.terms.iter().filter(|term| !term.0.is_empty());
        let common = products.fold(0, |common, term| gcd(common, term.1));
        if common > 1 {
            for (monomial, coefficient) in &mut self.terms {
                *coefficient = match monomial.is_empty() {
                    // The sum of the products is a multiple of the factor, so the constant may be rounded down.
                    true => coefficient.div_euclid(common),
                    false => *coefficient / common,
                };
            }
            self.terms.retain(|term| term.1 != 0);
        }
        self
    }

    /// Returns the products with their coefficients, those of the oldest numbers first.
    pub fn terms(&self) -> impl DoubleEndedIterator<Item = (&Monomial, i64)> {
        self.terms.iter().map(|(monomial, it)| (monomial, *it))
    }

    pub fn coefficient(&self, monomial: &Monomial) -> i64 {
        self.position(monomial).map_or(0, |at| self.terms[at].1)
    }

    /// Returns the number that is added to the products.
    pub fn constant_part(&self) -> i64 {
        self.coefficient(&Monomial::new())
    }

    /// Returns the number of products.
    pub fn len(&self) -> usize {
        self.terms.len()
    }
}

fn product(a: &[Atom], b: &[Atom]) -> Option<Monomial> {
    let mut all: Monomial = a.iter().chain(b).copied().collect();
    // Factors are sorted, so that equal products compare equal whatever the order of multiplication.
    all.sort_unstable_by(|a, b| b.cmp(a));
    (all.len() <= MOST_FACTORS).then_some(all)
}

/// Returns the factors that are left of a product without those of a part, if it has all of these.
pub(super) fn quotient(whole: &[Atom], part: &[Atom]) -> Option<Monomial> {
    let mut rest = Monomial::from_slice(whole);
    for atom in part {
        let at = rest.iter().position(|it| it == atom)?;
        rest.remove(at);
    }
    Some(rest)
}
