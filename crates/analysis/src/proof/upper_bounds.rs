//! Upper bounds of polynomials, by which places are shown to end before something.
//!
//! What is known of the numbers of a kernel are facts: polynomials that are not negative. Adding a fact, or its product
//! with numbers that are not negative, gives an upper bound; facts are chosen such that the newest number disappears:
//! `lane * share + i * tile + tile` is at most `lane * share + share`, since `(i + 1) * tile` is at most `share`, and
//! that is at most `lanes * share`. Each bound is a proof by itself, so that the search need not be complete.
//!
//! A number that depends on the path has one of several values (`Meaning::Either`), each of which is a case; all
//! numbers of one branch have the values of one path.

mod cases;
mod demands;
mod differences;
mod elimination;

use rustc_hash::{FxHashMap, FxHashSet};

use super::disjointness::{AtLeast, Meeting};
use super::pair::{Pair, Relation};
use super::places::{Extent, Place, Places};
use super::polynomials::{Atom, Poly};
use super::search::{FUEL, Goal, Order, Search};
use crate::Congruence;
use crate::scalar::{Linear, Meaning, Symbol};
use a2lint_ir::{BinaryOp, Factor, SpecialScalar, StmtId, Sum, Workers};
use a2lint_isa::Side;
use cases::Case;
pub(super) use demands::{demands_apart, demands_inside, demands_natural};

/// Maximum number of facts that are applied in succession.
const DEPTH: u32 = 16;
/// Maximum number of atoms whose defining facts are added.
const MOST_ATOMS: usize = 64;
/// Maximum number of bounds that are tried for the end of one window in all cases. A length that takes more is too
/// complicated for a host to allocate by.
const FUEL_OF_ENDS: u32 = 3 * FUEL;
/// Maximum number of facts.
const MOST_FACTS: usize = 240;
/// Upper bounds from this value on are limits of types.
pub(super) const FAR: i64 = 1 << 20;

/// What is known of the numbers of one or two places.
pub(super) struct Known<'a> {
    places: &'a Places,
    pair: Pair<'a>,
    facts: Vec<Poly>,
    /// Lower and upper bounds of numbers.
    least: FxHashMap<Atom, i64>,
    pub(super) most: FxHashMap<Atom, i64>,
    described: FxHashSet<Atom>,
    /// Atoms whose defining facts have not been added yet.
    open: Vec<Atom>,
    /// Such atoms that occur only in the values of one path of a branch: what their computation assumes need not hold
    /// on other paths.
    open_on_paths: Vec<Atom>,
    /// Whether the current expressions belong to one path of a branch.
    is_on_path: bool,
    /// Products of differences that occur.
    products: Vec<[Poly; 2]>,
    /// Groups of cases; of each group, one case holds.
    groups: Vec<Vec<Case>>,
    joins: FxHashSet<(u32, u8)>,
    /// Cached polynomials by symbol and access: a chain of products mentions each symbol many times.
    polynomials: FxHashMap<(Symbol, u8), Poly>,
    /// Whether linear arithmetic has already failed, so that only products and paths are worth a search.
    is_gated: bool,
}

impl<'a> Known<'a> {
    pub(super) fn new(places: &'a Places, relation: Relation) -> Known<'a> {
        Known {
            places,
            pair: Pair::new(places, relation),
            facts: Vec::new(),
            least: FxHashMap::default(),
            most: FxHashMap::default(),
            described: FxHashSet::default(),
            open: Vec::new(),
            open_on_paths: Vec::new(),
            is_on_path: false,
            products: Vec::new(),
            groups: Vec::new(),
            joins: FxHashSet::default(),
            polynomials: FxHashMap::default(),
            is_gated: false,
        }
    }

    pub(super) fn places(&self) -> &'a Places {
        self.places
    }

    /// Makes both copies share a symbol.
    pub(super) fn fix(&mut self, symbol: Symbol) {
        self.pair.fix(symbol);
    }

    fn atom(&mut self, symbol: Symbol, copy: u8) -> Atom {
        // A symbol that both accesses share must be one atom, or their difference would not cancel.
        let copy = if self.pair.is_private(symbol) {
            copy
        } else {
            0
        };
        // What a launch gives comes first: bounds end in these numbers, so they are never replaced.
        let rank = match self.places.meaning(symbol) {
            Meaning::Parameter(_) | Meaning::Extent(..) => 0,
            Meaning::Special(SpecialScalar::CubeNum | SpecialScalar::VecNum) => 0,
            _ => symbol.number() + 1,
        };
        Atom { rank, symbol, copy }
    }

    /// Returns a number as a polynomial, and describes the numbers in it later.
    pub(super) fn poly(&mut self, number: &Linear, copy: u8) -> Option<Poly> {
        let start = Poly::constant(number.constant_part());
        number
            .terms()
            .try_fold(start, |sum, (symbol, coefficient)| {
                let term = self.symbol(symbol, copy)?;
                sum.plus_times(&term, coefficient)
            })
    }

    fn symbol(&mut self, symbol: Symbol, copy: u8) -> Option<Poly> {
        if let Some(known) = self.polynomials.get(&(symbol, copy)) {
            return Some(known.clone());
        }
        let poly = self.composed(symbol, copy)?;
        // The result is cached: one symbol occurs in many accesses, with the same polynomial in each.
        self.polynomials.insert((symbol, copy), poly.clone());
        Some(poly)
    }

    fn composed(&mut self, symbol: Symbol, copy: u8) -> Option<Poly> {
        if let Meaning::Operation(BinaryOp::Mul, a, b) = self.places.meaning(symbol).clone()
            && let Some(product) = self.product(&a, &b, copy)
        {
            return Some(product);
        }
        // A remainder is what the quotient leaves, if the kernel computes both.
        if let Meaning::Operation(op @ (BinaryOp::Mod | BinaryOp::FloorMod), a, b) =
            self.places.meaning(symbol).clone()
            && let Some(quotient) = self.quotient_of(op, &a, &b)
            && let Some(whole) = self.product(&quotient, &b, copy)
        {
            return self.poly(&a, copy)?.plus_times(&whole, -1);
        }
        // A quotient without a remainder.
        if let Meaning::Operation(
            op @ (BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::CeilDiv),
            number,
            by,
        ) = self.places.meaning(symbol).clone()
            && let Some(by @ 1..) = by.as_constant()
            && (op != BinaryOp::CeilDiv || self.places.symbols.range(&number).min >= 0)
            && let Some(quotient) = self.poly(&number, copy).and_then(|it| it.divided(by))
        {
            return Some(quotient);
        }
        let atom = self.atom(symbol, copy);
        // Beyond the limit, atoms get no facts, which can only make a proof fail.
        if self.described.len() < MOST_ATOMS && self.described.insert(atom) {
            match self.is_on_path {
                true => self.open_on_paths.push(atom),
                false => self.open.push(atom),
            }
        }
        Some(Poly::atom(atom))
    }

    /// Returns the quotient that belongs to a remainder, if the kernel computes it.
    fn quotient_of(&self, remainder: BinaryOp, a: &Linear, b: &Linear) -> Option<Linear> {
        let op = match remainder {
            BinaryOp::Mod => BinaryOp::Div,
            _ => BinaryOp::FloorDiv,
        };
        let quotient = Meaning::Operation(op, a.clone(), b.clone());
        let symbol = self.places.symbols.named_as(&quotient)?;
        Some(Linear::symbol(symbol))
    }

    fn product(&mut self, a: &Linear, b: &Linear, copy: u8) -> Option<Poly> {
        let (a, b) = (self.poly(a, copy)?, self.poly(b, copy)?);
        self.note_product(&a, &b);
        a.times(&b)
    }

    /// Adds that a polynomial is not negative.
    pub(super) fn add(&mut self, fact: Poly) {
        // Dividing by the common factor rounds the constant down, which makes the fact stronger for integers.
        let fact = self.least_member(fact.tightened());
        // Constant bounds of single atoms are also stored separately: products need the sign of their factors.
        if let Some((atom, least)) = lower_bound(&fact) {
            let known = self.least.entry(atom).or_insert(i64::MIN);
            *known = (*known).max(least);
        }
        if let Some((atom, most)) = upper_bound(&fact) {
            let known = self.most.entry(atom).or_insert(i64::MAX);
            *known = (*known).min(most);
            // Replacing an atom by the maximum of its type would only waste the budget of the search.
            if most >= FAR {
                return;
            }
        }
        if is_far_product(&fact) {
            return;
        }
        // Of facts that differ by a constant, only the strongest is worth a search.
        let mut facts = self.facts.iter();
        match facts.position(|known| known.differs_by_constant(&fact)) {
            Some(at) if fact.constant_part() < self.facts[at].constant_part() => {
                self.facts[at] = fact;
            }
            Some(_) => {}
            None if self.facts.len() < MOST_FACTS => self.facts.push(fact),
            None => {}
        }
    }

    /// Returns the strongest form of the fact that a number is not negative, by the residue class of the number.
    fn least_member(&self, fact: Poly) -> Poly {
        let class = fact
            .terms()
            .fold(Congruence::exact(0), |sum, (monomial, by)| {
                let one = |atom: &Atom| {
                    let number = Linear::symbol(atom.symbol);
                    self.places.symbols.congruence(&number)
                };
                let product = match monomial[..] {
                    [] => Congruence::exact(1),
                    [atom] => one(&atom),
                    // A multiple of what one of its factors is a multiple of.
                    _ => {
                        let mut classes = monomial.iter().map(one);
                        let multiple = classes.find(|it| it.modulus > 1 && it.remainder == 0);
                        multiple.unwrap_or(Congruence::ANY)
                    }
                };
                sum.plus(product.times(by))
            });
        match class.modulus {
            0 | 1 => fact,
            _ => {
                let less = Poly::constant(class.remainder);
                fact.plus_times(&less, -1).unwrap_or(fact)
            }
        }
    }

    /// Adds that a number has a value, which consists of older numbers.
    pub(super) fn set(&mut self, number: &Poly, value: &Poly) -> Option<()> {
        match number.as_atom() {
            Some(atom) => self.groups.push(vec![Case::equal(atom, value.clone())]),
            None => {
                let gap = number.plus_times(value, -1)?;
                is_zero(&gap)?.into_iter().for_each(|fact| self.add(fact));
            }
        }
        Some(())
    }

    /// Adds that numbers are not negative.
    pub(super) fn add_all(&mut self, facts: &[Linear], copy: u8) {
        for fact in facts {
            if let Some(fact) = self.poly(fact, copy) {
                self.add(fact);
            }
        }
    }

    /// Adds what the meanings of the numbers say.
    fn describe(&mut self) {
        // Atoms that occur on all paths come first: their facts hold unconditionally, even if one path mentions them,
        // too.
        while let Some(atom) = self.next_open() {
            let one = Linear::symbol(atom.symbol);
            let range = self.places.symbols.range(&one);
            if range.min != i64::MIN {
                let low = Poly::atom(atom).plus_times(&Poly::constant(range.min), -1);
                low.into_iter().for_each(|fact| self.add(fact));
            }
            match self.places.meaning(atom.symbol).clone() {
                Meaning::Operation(op, a, b) => {
                    self.operation(atom, op, [&a, &b]);
                }
                // The value after a branch is that of one path: the search splits into one case for each.
                Meaning::Either(join, values) => {
                    self.either((join, atom.copy));
                    // The values themselves are described as well, each on its own path.
                    self.is_on_path = true;
                    for (value, _) in &values {
                        self.poly(value, atom.copy);
                    }
                }
                _ => {}
            }
        }
        self.is_on_path = false;
        self.multiply_differences();
    }

    /// Takes the next atom to describe; atoms that occur on all paths come first.
    fn next_open(&mut self) -> Option<Atom> {
        let certain = self.open.pop();
        self.is_on_path = certain.is_none();
        certain.or_else(|| self.open_on_paths.pop())
    }

    fn operation(&mut self, atom: Atom, op: BinaryOp, of: [&Linear; 2]) -> Option<()> {
        let [a, b] = of.map(|number| self.poly(number, atom.copy));
        let (a, b, result) = (a?, b?, Poly::atom(atom));
        let whole = || result.times(&b);
        match op {
            BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::CeilDiv
                if self.is_natural(&a) && self.is_divisor(&b) =>
            {
                let whole = whole()?;
                let below = b.plus_times(&Poly::constant(1), -1)?;
                let gap = match op {
                    BinaryOp::CeilDiv => whole.plus_times(&a, -1)?,
                    _ => a.plus_times(&whole, -1)?,
                };
                self.add(below.plus_times(&gap, -1)?);
                self.add(below);
                self.add(gap);
                self.add(result);
            }
            BinaryOp::Mod | BinaryOp::FloorMod if self.is_natural(&a) && self.is_divisor(&b) => {
                self.add(
                    b.plus_times(&result, -1)?
                        .plus_times(&Poly::constant(1), -1)?,
                );
                self.add(a.plus_times(&result, -1)?);
                self.add(result);
            }
            BinaryOp::Min => {
                self.add(a.plus_times(&result, -1)?);
                self.add(b.plus_times(&result, -1)?);
                if self.is_natural(&a) && self.is_natural(&b) {
                    self.add(result);
                }
            }
            BinaryOp::Max => {
                self.add(result.plus_times(&a, -1)?);
                self.add(result.plus_times(&b, -1)?);
                let cases = [(&a, &b), (&b, &a)].map(|(own, other)| {
                    Some(Case::of(vec![
                        own.plus_times(&result, -1)?,
                        own.plus_times(other, -1)?,
                    ]))
                });
                let [Some(first), Some(second)] = cases else {
                    return None;
                };
                // A maximum equals one of its operands, which no single inequality expresses.
                self.groups.push(vec![first, second]);
            }
            _ => {}
        }
        Some(())
    }

    /// Returns whether a divisor is shown to be at least 1. It is wherever its division was executed, but a path
    /// without the division gives no such guarantee.
    fn is_divisor(&self, number: &Poly) -> bool {
        let below = number.plus_times(&Poly::constant(1), -1);
        below.is_some_and(|below| self.is_natural(&below))
    }

    /// Returns a lower bound of a product, if none of its factors is negative.
    pub(super) fn least_of(&self, monomial: &[Atom]) -> Option<i64> {
        monomial.iter().try_fold(1_i64, |product, atom| {
            let least = self.least.get(atom).copied().filter(|&least| least >= 0)?;
            Some(product.saturating_mul(least))
        })
    }

    /// Returns an upper bound of a polynomial whose numbers have upper bounds.
    fn most_of(&self, number: &Poly) -> Option<i64> {
        number
            .terms()
            .try_fold(0_i64, |sum, (monomial, coefficient)| {
                self.least_of(monomial)?;
                let most = monomial.iter().try_fold(1_i64, |product, atom| {
                    product.checked_mul(*self.most.get(atom)?)
                });
                sum.checked_add(most?.checked_mul(coefficient)?)
            })
    }

    /// Returns whether a polynomial is certainly not negative, by the lower bounds of its numbers or by facts.
    fn is_natural(&self, number: &Poly) -> bool {
        let mut constant = number.constant_part();
        let by_terms = number.terms().all(|(monomial, coefficient)| {
            if monomial.is_empty() {
                return true;
            }
            let least = self.least_of(monomial).filter(|_| coefficient > 0);
            constant = constant.saturating_add(least.unwrap_or(0).saturating_mul(coefficient));
            least.is_some()
        });
        if by_terms && constant >= 0 {
            return true;
        }
        let negated = Poly::default().plus_times(number, -1);
        negated.is_some_and(|negated| {
            let mut search = Search::new(&self.facts, self, Goal::NotPositive);
            search.fuel = FUEL / 8;
            search.descend(&negated, DEPTH / 2)
        })
    }

    /// Returns whether one of some numbers is at most zero in each case; which one may depend on the case.
    pub(super) fn excludes(&mut self, any_of: &[Poly]) -> bool {
        self.describe();
        let is_product = |number: &Poly| number.terms().any(|(monomial, _)| monomial.len() > 1);
        let has_products = any_of.iter().chain(&self.facts).any(is_product);
        if self.is_gated && !has_products && self.joins.is_empty() {
            return false;
        }
        let Some(cases) = self.cases() else {
            return false;
        };
        cases.into_iter().all(|mut case| {
            let known = self.in_case(&mut case);
            let goals: Vec<Poly> = any_of.iter().map(|goal| case.valued(goal)).collect();
            let is_shown = goals.iter().any(|goal| known.is_not_positive(goal));
            is_shown || known.excludes_all(&goals)
        })
    }

    /// Returns whether the facts of one case show that a number is at most zero.
    fn is_not_positive(&self, number: &Poly) -> bool {
        let mut orders = [Order::Oldest, Order::Shortest].into_iter();
        orders
            .find_map(|order| {
                let mut search = Search::new(&self.facts, self, Goal::NotPositive);
                search.order = order;
                let is_shown = search.descend(number, DEPTH);
                // A search that has tried everything finds nothing in another order.
                (is_shown || search.fuel > 0).then_some(is_shown)
            })
            .unwrap_or(false)
    }
}

/// Returns the number that a fact is about alone, if it bounds it from below, and the bound.
fn lower_bound(fact: &Poly) -> Option<(Atom, i64)> {
    let mut terms = fact.terms().filter(|(monomial, _)| !monomial.is_empty());
    let (Some((monomial, by @ 1..)), None) = (terms.next(), terms.next()) else {
        return None;
    };
    let [atom] = monomial[..] else { return None };
    let least = fact.constant_part().saturating_neg();
    let rounded = i64::from(least.rem_euclid(by) != 0);
    Some((atom, least.div_euclid(by) + rounded))
}

/// Returns the number that a fact is about alone, if it bounds it from above, and the bound.
fn upper_bound(fact: &Poly) -> Option<(Atom, i64)> {
    let mut terms = fact.terms().filter(|(monomial, _)| !monomial.is_empty());
    let (Some((monomial, by @ ..0)), None) = (terms.next(), terms.next()) else {
        return None;
    };
    let [atom] = monomial[..] else { return None };
    Some((atom, fact.constant_part().div_euclid(by.checked_neg()?)))
}

/// Returns whether a fact only limits one product, by what the types of its factors hold.
fn is_far_product(fact: &Poly) -> bool {
    let mut terms = fact.terms().filter(|(monomial, _)| !monomial.is_empty());
    let (Some((monomial, by @ ..0)), None) = (terms.next(), terms.next()) else {
        return false;
    };
    monomial.len() > 1 && fact.constant_part() / by.saturating_neg() >= FAR
}

/// Returns facts by which a number is zero.
fn is_zero(number: &Poly) -> Option<[Poly; 2]> {
    Some([number.clone(), Poly::default().plus_times(number, -1)?])
}

/// Returns whether the polynomials of two places show that they have nothing in common.
pub(super) fn are_apart(places: &Places, (first, second, relation): Meeting) -> bool {
    let place = |at: (StmtId, usize)| places.at(at.0, at.1);
    let (Some(a), Some(b)) = (place(first), place(second)) else {
        return false;
    };
    let mut known = Known::new(places, relation);
    known.is_gated = true;
    let goals = known.apart(a, b, relation).unwrap_or_default();
    !goals.is_empty() && known.excludes(&goals)
}

impl Known<'_> {
    /// Adds what is known of two places; returns numbers of which one is at most zero if the places have nothing in
    /// common.
    fn apart(&mut self, a: &Place, b: &Place, relation: Relation) -> Option<Vec<Poly>> {
        // Facts first: they tell which numbers are not negative.
        self.add_all(&a.facts, 1);
        self.add_all(&b.facts, 2);
        let mut goals: Vec<Poly> = Vec::new();
        match (&a.extent, &b.extent) {
            (Extent::Window(mine), Extent::Window(theirs)) if mine.len() == theirs.len() => {
                for (mine, theirs) in mine.iter().zip(theirs) {
                    let starts = [self.of(mine, 0, 1), self.of(theirs, 0, 2)];
                    let spans = [self.of(mine, 1, 1), self.of(theirs, 1, 2)];
                    let ([Some(x), Some(y)], [Some(m), Some(n)]) = (starts, spans) else {
                        continue;
                    };
                    // A window without elements touches nothing.
                    for span in [&m, &n] {
                        let filled = span.plus_times(&Poly::constant(1), -1);
                        filled.into_iter().for_each(|fact| self.add(fact));
                    }
                    let before = x.plus_times(&m, 1).and_then(|end| end.plus_times(&y, -1));
                    let after = y.plus_times(&n, 1).and_then(|end| end.plus_times(&x, -1));
                    goals.extend(before);
                    goals.extend(after);
                }
            }
            (Extent::Bytes(x, m), Extent::Bytes(y, n)) => {
                let (x, y) = (self.poly(x, 1)?, self.poly(y, 2)?);
                goals.extend(x.plus_times(&y, -1)?.plus_times(&Poly::constant(*m), 1));
                goals.extend(y.plus_times(&x, -1)?.plus_times(&Poly::constant(*n), 1));
            }
            _ => return None,
        }
        self.relate(relation)?;
        Some(goals)
    }

    fn of(&mut self, axis: &[Option<Linear>; 3], at: usize, copy: u8) -> Option<Poly> {
        axis[at].as_ref().and_then(|number| self.poly(number, copy))
    }

    /// Adds the relation of the copies.
    fn relate(&mut self, relation: Relation) -> Option<()> {
        let [core, lane, own] = self.places.lane.clone();
        match relation {
            Relation::SameIteration => {}
            Relation::Across(id) => self.across(id)?,
            Relation::Cores(Side::Cube, Side::Cube) => {
                self.order(&[(&core, 1)], &[Workers::Cores])?;
            }
            Relation::Cores(Side::Vec, Side::Vec) => {
                self.add_lanes(&[&core, &lane, &own]);
                let deals = [Workers::VecLanes, Workers::Cores];
                self.order(&[(&core, 1), (&lane, 1)], &deals)?;
            }
            // Lanes of one core may be in any iterations of a loop that is dealt to cores.
            Relation::SubBlocks => {
                self.add_lanes(&[&core, &lane, &own]);
                self.order(&[(&lane, 1), (&own, 1)], &[Workers::VecLanes])?;
            }
            Relation::Cores(..) => return None,
        }
        Some(())
    }

    fn add_lanes(&mut self, lanes: &[&Linear]) {
        let lanes: Vec<Linear> = lanes.iter().map(|&lane| lane.clone()).collect();
        let facts = self.places.symbols.facts(&lanes);
        for copy in [1, 2] {
            self.add_all(&facts, copy);
        }
    }

    /// Adds the cases that some numbers of the first copy are less than those of the second, by at least a distance,
    /// and the other way round; and that the iterations of loops that are dealt to such workers differ.
    fn order(&mut self, numbers: &[(&Linear, i64)], deals: &[Workers]) -> Option<()> {
        let group = self.less(numbers)?;
        self.groups.push(group);
        for (counter, share) in self.dealt(deals) {
            let group = self.less(&[(&counter, share)])?;
            self.groups.push(group);
        }
        Some(())
    }

    fn less(&mut self, numbers: &[(&Linear, i64)]) -> Option<Vec<Case>> {
        let mut cases = vec![Case::default(), Case::default()];
        for &(number, by) in numbers {
            let (a, b) = (self.poly(number, 1)?, self.poly(number, 2)?);
            let gap = |low: &Poly, high: &Poly| {
                high.plus_times(low, -1)?
                    .plus_times(&Poly::constant(by), -1)
            };
            cases[0].facts.push(gap(&a, &b)?);
            cases[1].facts.push(gap(&b, &a)?);
        }
        Some(cases)
    }

    /// Returns the counters of loops whose iterations are dealt to workers in turn, with the iterations of each turn.
    fn dealt(&mut self, deals: &[Workers]) -> Vec<(Linear, i64)> {
        let [core, lane, _] = self.places.lane.clone();
        let deals = deals.iter().map(|&of| {
            let own = match of {
                Workers::Cores => core.clone(),
                Workers::VecLanes => lane.clone(),
            };
            (own, self.places.workers(of).clone())
        });
        let deals: Vec<(Linear, Linear)> = deals.collect();
        let mut passes: Vec<_> = self.places.passes.values().cloned().collect();
        passes.sort_by_key(|pass| pass.id);
        let mut found = Vec::new();
        for pass in passes {
            let (Some(start), Some(step), Some(counter)) = (&pass.start, &pass.step, &pass.counter)
            else {
                continue;
            };
            let takes_part = counter.symbols().any(|symbol| {
                let atom = self.atom(symbol, 1);
                self.described.contains(&atom)
            });
            let share = deals
                .iter()
                .find_map(|(own, all)| self.pair.share(start, step, [own, all]));
            found.extend(
                share
                    .filter(|_| takes_part)
                    .map(|share| (counter.clone(), share)),
            );
        }
        found
    }

    /// Adds that the copies are in different iterations of a loop.
    fn across(&mut self, id: StmtId) -> Option<()> {
        let pass = self.places.passes.get(&id)?.clone();
        let mut group = self.less(&[(&pass.number, 1)])?;
        let step = pass.step.filter(|_| pass.rises);
        let step = step.and_then(|step| self.poly(&step, 0));
        if let (Some(step), Some(counter)) = (step, &pass.counter) {
            let (a, b) = (self.poly(counter, 1)?, self.poly(counter, 2)?);
            for (case, low, high) in [(0, &a, &b), (1, &b, &a)] {
                let gap = high.plus_times(low, -1)?.plus_times(&step, -1);
                group[case].facts.extend(gap);
            }
        }
        self.groups.push(group);
        Some(())
    }

    /// Adds what is known at one place whose window on an axis has elements; returns its start and its end.
    fn window(&mut self, place: &Place, axis: usize) -> Option<[Poly; 2]> {
        let Extent::Window(axes) = &place.extent else {
            return None;
        };
        self.add_all(&place.facts, 0);
        for span in axes.iter().filter_map(|axis| axis[1].as_ref()) {
            let filled = self.poly(span, 0)?.plus_times(&Poly::constant(1), -1);
            filled.into_iter().for_each(|fact| self.add(fact));
        }
        let [Some(start), Some(span), _] = axes.get(axis)? else {
            return None;
        };
        let start = self.poly(start, 0)?;
        let end = start.plus_times(&self.poly(span, 0)?, 1)?;
        Some([start, end])
    }

    fn is_inside(&mut self, place: &Place, axis: usize, least: Option<&AtLeast>) -> Option<bool> {
        let [beyond, before] = self.outside(place, axis, least)?;
        Some(self.excludes(&[beyond]) && self.excludes(&[before]))
    }

    /// Returns two numbers that are at most zero if a window lies inside of its tensor: how far it reaches past the
    /// end, and how far it starts before the first element.
    fn outside(
        &mut self,
        place: &Place,
        axis: usize,
        least: Option<&AtLeast>,
    ) -> Option<[Poly; 2]> {
        let [start, end] = self.window(place, axis)?;
        let length = match (least, &place.extent) {
            (Some(least), _) => self.poly(&least.exact()?, 0)?,
            (None, Extent::Window(axes)) => self.of(axes.get(axis)?, 2, 0)?,
            (None, Extent::Bytes(..)) => return None,
        };
        let beyond = end.plus_times(&length, -1)?;
        let before = Poly::default().plus_times(&start, -1)?;
        Some([beyond, before])
    }

    fn ends(
        &mut self,
        place: &Place,
        axis: usize,
        is_wanted: &dyn Fn(&Sum) -> bool,
    ) -> Option<Vec<Sum>> {
        let [start, end] = self.window(place, axis)?;
        let before = Poly::default().plus_times(&start, -1)?;
        self.excludes(&[before]).then_some(())?;
        let mut ends: Vec<(Poly, Sum)> = Vec::new();
        let mut left = FUEL_OF_ENDS;
        for mut case in self.cases()? {
            let known = self.in_case(&mut case);
            let mut search = Search::new(&known.facts, &known, Goal::OfLaunch);
            search.fuel = left.min(FUEL);
            let given = search.fuel;
            search.descend(&case.valued(&end), DEPTH);
            left -= given - search.fuel;
            let found = search.found.into_iter();
            let found = found.filter_map(|found| Some((self.sum(&found)?, found)));
            let (sum, end) = found.min_by_key(|found| (!is_wanted(&found.0), usual(&found.0)))?;
            if !ends
                .iter()
                .any(|(known, _)| self.is_never_below(known, &end))
            {
                ends.retain(|(known, _)| !self.is_never_below(&end, known));
                ends.push((end, sum));
            }
        }
        Some(ends.into_iter().map(|(_, sum)| sum).collect())
    }

    /// Returns whether a number is never below another one, as far as coefficients tell.
    fn is_never_below(&self, number: &Poly, other: &Poly) -> bool {
        let Some(gap) = number.plus_times(other, -1) else {
            return false;
        };
        let mut terms = gap.terms();
        terms.all(|(monomial, by)| by > 0 && self.least_of(monomial).is_some())
    }

    fn sum(&self, number: &Poly) -> Option<Sum> {
        let factor = |atom: &Atom| match self.places.meaning(atom.symbol) {
            Meaning::Parameter(id) => Some(Factor::Parameter(*id)),
            Meaning::Special(SpecialScalar::CubeNum) => Some(Factor::Workers(Workers::Cores)),
            Meaning::Special(SpecialScalar::VecNum) => Some(Factor::Workers(Workers::VecLanes)),
            _ => None,
        };
        let terms = number.terms().filter(|(monomial, _)| !monomial.is_empty());
        let terms = terms.map(|(monomial, coefficient)| {
            let factors: Option<Vec<Factor>> = monomial.iter().map(factor).collect();
            let mut factors = factors?;
            factors.sort_unstable();
            Some((factors, coefficient))
        });
        let terms: Option<Vec<(Vec<Factor>, i64)>> = terms.collect();
        let mut terms = terms?;
        terms.sort_by(|a, b| (b.0.len(), &a.0).cmp(&(a.0.len(), &b.0)));
        Some(Sum {
            terms,
            constant: number.constant_part(),
        })
    }
}

/// Returns the value of a sum for usual numbers, by which sums are compared.
fn usual(sum: &Sum) -> i64 {
    let value = sum.evaluated(|factor| match factor {
        Factor::Parameter(id) => Some(1000 + 17 * i64::from(id.0)),
        Factor::Workers(_) => Some(8),
    });
    value.unwrap_or(i64::MAX)
}

/// Returns whether a range lies in one of some others, where facts hold.
pub(super) fn is_within_one(
    places: &Places,
    facts: &[Linear],
    [start, end]: &[Linear; 2],
    others: &[[Linear; 2]],
) -> bool {
    others.iter().any(|[first, last]| {
        let mut known = Known::new(places, Relation::SameIteration);
        known.add_all(facts, 0);
        let mut gap = |low: &Linear, high: &Linear| {
            let (low, high) = (known.poly(low, 0)?, known.poly(high, 0)?);
            low.plus_times(&high, -1)
        };
        let (Some(before), Some(after), Some(length)) =
            (gap(first, start), gap(end, last), gap(end, start))
        else {
            return false;
        };
        let filled = length.plus_times(&Poly::constant(1), -1);
        filled.into_iter().for_each(|fact| known.add(fact));
        known.excludes(&[before]) && known.excludes(&[after])
    })
}

/// Returns whether a number is certainly not negative where facts hold.
pub(super) fn is_natural(places: &Places, facts: &[Linear], number: &Linear) -> bool {
    let mut known = Known::new(places, Relation::SameIteration);
    known.add_all(facts, 0);
    let negated = known
        .poly(number, 0)
        .and_then(|number| Poly::default().plus_times(&number, -1));
    negated.is_some_and(|negated| known.excludes(&[negated]))
}

/// Returns the smallest and the largest value of a number where facts hold; `None` if it may be negative or is not
/// bounded.
pub(super) fn range(places: &Places, facts: &[Linear], number: &Linear) -> Option<(i64, i64)> {
    let mut known = Known::new(places, Relation::SameIteration);
    known.add_all(facts, 0);
    let number = known.poly(number, 0)?;
    let negated = Poly::default().plus_times(&number, -1)?;
    known.excludes(&[negated]).then_some(())?;
    let positive = Poly::constant(1).plus_times(&number, -1)?;
    let least = i64::from(known.excludes(&[positive]));
    let mut most = least;
    for mut case in known.cases()? {
        let known = known.in_case(&mut case);
        let mut search = Search::new(&known.facts, &known, Goal::Bounded);
        search.descend(&case.valued(&number), DEPTH);
        let found = search.found.iter().filter_map(|found| known.most_of(found));
        most = most.max(found.min()?);
    }
    Some((least, most))
}

/// Returns whether polynomials show that a window lies inside of its tensor on one axis, if the tensor has at least
/// this length there.
pub(super) fn is_inside(
    places: &Places,
    place: &Place,
    axis: usize,
    least: Option<&AtLeast>,
) -> bool {
    let mut known = Known::new(places, Relation::SameIteration);
    known.is_inside(place, axis, least) == Some(true)
}

/// Returns lengths in numbers of the launch such that a window lies inside of a tensor that has all of them on an axis,
/// if possible such that are wanted; `None` if there are no such lengths.
pub(super) fn ends(
    places: &Places,
    place: &Place,
    axis: usize,
    is_wanted: &dyn Fn(&Sum) -> bool,
) -> Option<Vec<Sum>> {
    Known::new(places, Relation::SameIteration).ends(place, axis, is_wanted)
}
