//! Decides whether accesses touch nothing in common, or stay inside of their tensors, by refuting systems of
//! inequalities case by case.

use std::cell::Cell;

use rustc_hash::FxHashMap;

use super::one_row_cover::{self, StoredRow};
use super::pair::{Pair, Relation};
use super::places::{Extent, Place, Places};
use super::system::{Cases, Form, System};
use super::upper_bounds;
use crate::scalar::Linear;
use a2lint_ir::{StmtId, Sum};

/// Maximum number of systems that are examined for one question.
// Every split into cases multiplies the number of systems.
const FUEL: u32 = 160;
/// Maximum number of systems that are examined for all questions about a kernel.
const FUEL_IN_ALL: u32 = 4_000;

/// Maximum number of bounds that are tried for what ownership asks of launches.
const FUEL_OF_SHARES: u32 = 20_000;

/// Two operands, and the relation of their accesses.
pub type Meeting = ((StmtId, usize), (StmtId, usize), Relation);

/// A lower bound of the length of an axis: a number, rounded up to whole tiles, plus a constant.
#[derive(Clone, Debug)]
pub struct AtLeast {
    /// The number.
    pub number: Linear,
    /// The size of the tiles that it is rounded up to.
    pub tile: Option<i64>,
    /// The constant.
    pub plus: i64,
}

impl AtLeast {
    /// Returns the length as one linear expression, or `None` if it is rounded up to tiles, which is not
    /// linear.
    pub fn exact(&self) -> Option<Linear> {
        match self.tile {
            Some(_) => None,
            None => self.number.plus(self.plus),
        }
    }
}

/// Answers questions about the places of a kernel.
#[derive(Debug)]
pub struct Disjointness<'a> {
    places: &'a Places,
    left: Cell<u32>,
    left_for_shares: Cell<u32>,
}

impl<'a> Disjointness<'a> {
    /// Creates the prover for these places.
    pub fn new(places: &'a Places) -> Self {
        Disjointness {
            places,
            left: Cell::new(FUEL_IN_ALL),
            left_for_shares: Cell::new(FUEL_OF_SHARES),
        }
    }

    /// Returns the places.
    pub(super) fn places(&self) -> &Places {
        self.places
    }

    /// Returns whether two operands touch nothing in common.
    pub fn are_apart(&self, (first, second, relation): Meeting) -> bool {
        let place = |at: (StmtId, usize)| self.places.at(at.0, at.1);
        let (Some(a), Some(b)) = (place(first), place(second)) else {
            return false;
        };
        let mut pair = Pair::new(self.places, relation);
        let mut system = System::default();
        let overlap = pair.overlap(a, b);
        // Without a common description of both places, nothing can be refuted.
        if overlap.is_empty() {
            return false;
        }
        overlap.into_iter().for_each(|form| system.add(form));
        for (copy, place) in [(1, a), (2, b)] {
            for fact in place.facts.iter() {
                pair.form(fact, copy)
                    .into_iter()
                    .for_each(|form| system.add(form));
            }
        }
        let mut splits = pair.relation(&mut system);
        splits.extend(pair.operations(&mut system));
        self.refute(system, splits)
            || upper_bounds::are_apart(self.places, (first, second, relation))
    }
}

impl Disjointness<'_> {
    /// Returns whether a window on a global tensor lies inside of it on one axis, if the tensor has at least
    /// this length there. A window without elements is not accessed.
    pub fn is_inside(&self, at: (StmtId, usize), axis: usize, least: Option<&AtLeast>) -> bool {
        let Some(place) = self.places.at(at.0, at.1) else {
            return false;
        };
        self.is_linearly_inside(place, axis, least)
            || upper_bounds::is_inside(self.places, place, axis, least)
    }

    /// Returns lengths in numbers of the launch, such that the window lies inside of a tensor that has all of them on
    /// an axis; if possible, such that are wanted.
    pub fn ends(
        &self,
        at: (StmtId, usize),
        axis: usize,
        is_wanted: &dyn Fn(&Sum) -> bool,
    ) -> Option<Vec<Sum>> {
        upper_bounds::ends(self.places, self.places.at(at.0, at.1)?, axis, is_wanted)
    }

    /// Returns sums that a launch has to keep from being negative, such that a window lies inside of its tensor.
    pub fn demands_inside(&self, at: (StmtId, usize), axis: usize) -> Option<Vec<Sum>> {
        upper_bounds::demands_inside(self.places, self.places.at(at.0, at.1)?, axis)
    }

    /// Returns sums that a launch has to keep from being negative, such that two operands touch nothing in common.
    pub fn demands_apart(&self, meeting: Meeting) -> Option<Vec<Sum>> {
        let mut fuel = self.left_for_shares.get();
        let wanted = upper_bounds::demands_apart(self.places, meeting, &mut fuel);
        self.left_for_shares.set(fuel);
        wanted
    }

    /// Returns sums that a launch has to keep from being negative, such that a number is not negative where facts hold.
    pub fn demands_natural(&self, facts: &[Linear], number: &Linear) -> Option<Vec<Sum>> {
        upper_bounds::demands_natural(self.places, facts, number)
    }

    /// Returns whether stores reach every element of a tensor with one axis of this length.
    pub fn reaches(&self, stored: &StoredRow, length: &Sum) -> bool {
        one_row_cover::reaches(self.places, stored, length)
    }

    /// Returns whether a range lies in one of some others, where facts hold. An empty range lies in each.
    pub fn is_within_one(
        &self,
        facts: &[Linear],
        range: &[Linear; 2],
        others: &[[Linear; 2]],
    ) -> bool {
        upper_bounds::is_within_one(self.places, facts, range, others)
    }

    /// Returns whether a number is certainly not negative where facts hold.
    pub fn is_natural(&self, facts: &[Linear], number: &Linear) -> bool {
        upper_bounds::is_natural(self.places, facts, number)
    }

    /// Returns the smallest and the largest value of a number where facts hold; `None` if it may be negative or is not
    /// bounded.
    pub fn range(&self, facts: &[Linear], number: &Linear) -> Option<(i64, i64)> {
        upper_bounds::range(self.places, facts, number)
    }

    fn is_linearly_inside(&self, place: &Place, axis: usize, least: Option<&AtLeast>) -> bool {
        let Place {
            extent: Extent::Window(axes),
            facts,
            ..
        } = place
        else {
            return false;
        };
        let Some([Some(start), Some(span), Some(own)]) = axes.get(axis) else {
            return false;
        };
        let mut pair = Pair::new(self.places, Relation::SameIteration);
        let mut system = System::default();
        for fact in facts.iter() {
            pair.form(fact, 0)
                .into_iter()
                .for_each(|form| system.add(form));
        }
        for span in axes.iter().filter_map(|axis| axis[1].as_ref()) {
            let filled = pair.form(span, 0).map(|form| form.plus_number(-1));
            filled.into_iter().for_each(|form| system.add(form));
        }
        let forms = (pair.form(start, 0), pair.form(span, 0), pair.form(own, 0));
        let (Some(start), Some(span), Some(own)) = forms else {
            return false;
        };
        if let Some(least) = least {
            is_at_least(&mut pair, &mut system, &own, least);
        }
        let splits = pair.operations(&mut system);
        pair.classes(&mut system);
        // Outside is before the first element, or past the last one.
        let before = Form::default()
            .plus(&start, -1)
            .map(|form| form.plus_number(-1));
        let after = start.plus(&span, 1).and_then(|end| end.plus(&own, -1));
        let after = after.map(|form| form.plus_number(-1));
        [before, after].into_iter().all(|outside| {
            let Some(outside) = outside else { return false };
            self.excludes(&system, &splits, outside)
        })
    }

    /// Returns numbers under the condition that these expressions are not negative.
    pub fn given(&self, facts: &[Linear], numbers: &[Linear]) -> Numbers<'_> {
        let mut pair = Pair::new(self.places, Relation::SameIteration);
        let mut system = System::default();
        for fact in facts {
            pair.form(fact, 0)
                .into_iter()
                .for_each(|form| system.add(form));
        }
        let form = |number: &Linear| Some((number.clone(), pair.form(number, 0)?));
        let forms = numbers.iter().filter_map(form).collect();
        let splits = pair.operations(&mut system);
        Numbers {
            apart: self,
            forms,
            system,
            splits,
        }
    }

    /// Returns whether a system excludes that a form is not negative.
    fn excludes(&self, system: &System, splits: &[Cases], form: Form) -> bool {
        let mut system = system.clone();
        system.add(form);
        self.refute(system, splits.to_vec())
    }

    /// Returns whether a system has no solution in any case.
    pub(super) fn refute(&self, mut system: System, mut splits: Vec<Cases>) -> bool {
        let given = FUEL.min(self.left.get());
        let mut fuel = given;
        // Before the cases, since each of them copies the system.
        system.simplify(&mut splits);
        let is_refuted = refute(&system, &splits, &mut fuel);
        self.left.set(self.left.get() - (given - fuel));
        is_refuted
    }
}

/// Adds that a length is at least a lower bound.
fn is_at_least(pair: &mut Pair, system: &mut System, own: &Form, least: &AtLeast) -> Option<()> {
    let number = pair.form(&least.number, 0)?;
    let whole = match least.tile {
        None => number,
        Some(tile) => {
            let whole = Form::default().plus(&pair.tiles(), tile)?;
            let rest = whole.plus(&number, -1)?;
            system.add(Form::constant(tile - 1).plus(&rest, -1)?);
            system.add(rest);
            whole
        }
    };
    system.add(own.plus(&whole, -1)?.plus_number(-least.plus));
    Some(())
}

/// Some numbers under a system of inequalities.
pub struct Numbers<'a> {
    apart: &'a Disjointness<'a>,
    forms: FxHashMap<Linear, Form>,
    system: System,
    splits: Vec<Cases>,
}

impl Numbers<'_> {
    /// Returns whether a number is certainly at least `least`.
    pub fn is_at_least(&self, number: &Linear, least: i64) -> bool {
        self.is_within(number, -1, least - 1)
    }

    /// Returns whether a number is certainly at most `most`.
    pub fn is_at_most(&self, number: &Linear, most: i64) -> bool {
        self.is_within(number, 1, -1 - most)
    }

    /// Returns whether the sum of a number, with a sign, and a constant is certainly negative.
    fn is_within(&self, number: &Linear, sign: i64, constant: i64) -> bool {
        let form = self.forms.get(number);
        let form = form.and_then(|form| Form::constant(constant).plus(form, sign));
        form.is_some_and(|form| self.apart.excludes(&self.system, &self.splits, form))
    }
}

/// Returns whether a system has no solution in any case.
fn refute(system: &System, splits: &[Cases], fuel: &mut u32) -> bool {
    if *fuel == 0 {
        return false;
    }
    *fuel -= 1;
    if system.is_impossible() {
        return true;
    }
    let Some((cases, rest)) = splits.split_first() else {
        return false;
    };
    cases.iter().all(|case| {
        let mut narrowed = system.clone();
        case.iter().for_each(|form| narrowed.add(form.clone()));
        refute(&narrowed, rest, fuel)
    })
}
