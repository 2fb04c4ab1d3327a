//! Whether accesses touch nothing in common, or stay inside of their tensors: systems of inequalities that are
//! refuted case by case.

use std::cell::{Cell, RefCell};

use rustc_hash::FxHashMap;

use super::pair::{Cases, Pair, Relation};
use super::places::{Extent, Place, Places};
use super::system::{Form, System};
use crate::analysis::scalar::Linear;
use crate::ir::StmtId;

/// Systems that are looked at for one question.
const FUEL: u32 = 160;
/// Systems that are looked at for all questions about a kernel.
const FUEL_IN_ALL: u32 = 4_000;
/// Answers questions about the places of a kernel.
#[derive(Debug)]
pub struct Apart<'a> {
    places: &'a Places,
    left: Cell<u32>,
    known: RefCell<FxHashMap<Question, bool>>,
}

type Question = ((StmtId, usize), (StmtId, usize), Relation);

impl<'a> Apart<'a> {
    /// About these places.
    pub fn new(places: &'a Places) -> Self {
        Apart {
            places,
            left: Cell::new(FUEL_IN_ALL),
            known: RefCell::default(),
        }
    }

    /// Whether there was not enough time for every question.
    pub fn is_exhausted(&self) -> bool {
        self.left.get() == 0
    }

    /// Whether two operands touch nothing in common.
    pub fn are_apart(
        &self,
        first: (StmtId, usize),
        second: (StmtId, usize),
        relation: Relation,
    ) -> bool {
        let question = (first, second, relation);
        if let Some(&known) = self.known.borrow().get(&question) {
            return known;
        }
        let answer = self.answer(first, second, relation);
        self.known.borrow_mut().insert(question, answer);
        answer
    }

    fn answer(&self, first: (StmtId, usize), second: (StmtId, usize), relation: Relation) -> bool {
        let place = |at: (StmtId, usize)| self.places.at(at.0, at.1);
        let (Some(a), Some(b)) = (place(first), place(second)) else {
            return false;
        };
        let mut pair = Pair::new(self.places, relation);
        let mut system = System::default();
        let overlap = pair.overlap(a, b);
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
        let mut fuel = FUEL.min(self.left.get());
        let before = fuel;
        let is_apart = refute(&system, &splits, &mut fuel);
        self.left.set(self.left.get() - (before - fuel));
        is_apart
    }
}

impl Apart<'_> {
    /// Whether a window on a global tensor lies inside of it on one axis; `extent` is what the extent of the
    /// tensor there is taken for. A window without elements is not accessed.
    pub fn is_inside(&self, at: (StmtId, usize), axis: usize, extent: Option<&Linear>) -> bool {
        let Some(Place {
            extent: Extent::Window(axes),
            facts,
        }) = self.places.at(at.0, at.1)
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
        if let Some(gap) = extent.and_then(|extent| pair.form(extent, 0)?.plus(&own, -1)) {
            system.add_zero(gap);
        }
        let splits = pair.operations(&mut system);
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

    /// Whether a number is at least so large where these expressions are not negative.
    pub fn is_at_least(&self, number: &Linear, least: i64, facts: &[Linear]) -> bool {
        let mut pair = Pair::new(self.places, Relation::SameIteration);
        let mut system = System::default();
        for fact in facts {
            pair.form(fact, 0)
                .into_iter()
                .for_each(|form| system.add(form));
        }
        let number = pair.form(number, 0);
        let splits = pair.operations(&mut system);
        let below = number.and_then(|number| Form::default().plus(&number, -1));
        below.is_some_and(|below| {
            let below = below.plus_number(i128::from(least) - 1);
            self.excludes(&system, &splits, below)
        })
    }

    /// Whether it is impossible that a form is not negative beside a system.
    fn excludes(&self, system: &System, splits: &[Cases], form: Form) -> bool {
        let mut system = system.clone();
        system.add(form);
        let given = FUEL.min(self.left.get());
        let mut fuel = given;
        let is_refuted = refute(&system, splits, &mut fuel);
        self.left.set(self.left.get() - (given - fuel));
        is_refuted
    }
}

/// Whether a system is impossible in all cases.
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
