//! Decides whether stores reach every element of a tensor with one axis, of a length that is a polynomial.
//!
//! As in `cover`, the accesses form a chain in the order of what moves them: the lanes or the loop that is dealt to
//! them, loops from the outermost to the innermost, the stores of one iteration. The first access starts at 0, each
//! begins no later than the one before it ends, and the last one ends where the tensor does.

use super::cover::Stores;
use super::pair::Relation;
use super::places::{Extent, Place, Places};
use super::polynomials::Poly;
use super::upper_bounds::{Known, is_zero};
use crate::scalar::{Linear, Meaning, Pass, Symbol};
use a2lint_ir::{Factor, SpecialScalar, Sum, Workers};
use a2lint_isa::Side;

/// The two accesses of a question.
const BEFORE: u8 = 1;
const AFTER: u8 = 2;

/// Something that moves the accesses.
enum Driver {
    /// The index of a lane or core, and the number of them.
    Lanes(Linear, Linear),
    /// A loop whose iterations are dealt to lanes: its counter takes every value from a first one in steps.
    Dealt(Box<Pass>, Linear, i64),
    /// A loop of one lane.
    Loop(Box<Pass>),
}

/// An end of the values of a driver.
#[derive(Clone, Copy)]
enum End {
    First,
    Last,
}

/// Returns whether some stores reach every element of a tensor of this length.
pub(super) fn reaches(places: &Places, stores: &Stores, length: &Sum) -> bool {
    let chain = Chain::new(places, stores);
    chain.is_some_and(|chain| chain.holds(length) == Some(true))
}

struct Chain<'a> {
    places: &'a Places,
    /// Each store, in program order, with its start and length.
    spans: Vec<(&'a Place, [Linear; 2])>,
    /// Outermost first.
    drivers: Vec<Driver>,
    side: Side,
}

impl<'a> Chain<'a> {
    fn new(places: &'a Places, stores: &Stores) -> Option<Chain<'a>> {
        let span = |&(stmt, operand): &(_, usize)| {
            let place = places.at(stmt, operand).filter(|place| place.is_touched)?;
            match &place.extent {
                Extent::Window(axes) => match &axes[..] {
                    [[Some(start), Some(span), _]] => Some((place, [start.clone(), span.clone()])),
                    _ => None,
                },
                Extent::Bytes(..) => None,
            }
        };
        let spans: Option<Vec<_>> = stores.all.iter().map(span).collect();
        if !stores.guards.is_empty() {
            return None;
        }
        let mut chain = Chain {
            places,
            spans: spans?,
            drivers: Vec::new(),
            side: stores.side,
        };
        chain.drive(stores)?;
        Some(chain)
    }

    /// Collects what moves the stores.
    fn drive(&mut self, stores: &Stores) -> Option<()> {
        let [core, lane, own] = &self.places.lane;
        let (index, count) = match self.side {
            Side::Vec => (lane, &self.places.vec_lanes),
            _ => (core, &self.places.cores),
        };
        let numbers: Vec<Linear> = self.spans.iter().flat_map(|it| it.1.clone()).collect();
        let used = self.places.symbols.computed_from(&numbers);
        let names = |number: &Linear| number.symbols().any(|it| used.contains(&it));
        let others = match self.side {
            Side::Vec => [core, own],
            _ => [lane, own],
        };
        // Only one index of lanes is followed.
        if others
            .into_iter()
            .any(|other| *other != *index && names(other))
        {
            return None;
        }
        let mut by_lane = names(index);
        for (at, id) in stores.loops.iter().enumerate() {
            let pass = self.places.passes.get(id)?.clone();
            let (start, step) = (pass.start.clone()?, pass.step.clone()?);
            pass.rises.then_some(())?;
            let of = [start.clone(), step.clone(), pass.beyond.clone()?];
            let of = self.places.symbols.computed_from(&of);
            let depends = index.symbols().any(|it| of.contains(&it));
            match self.share(&start, &step, [index, count]) {
                Some((first, share)) if at == 0 && !by_lane => {
                    self.drivers
                        .push(Driver::Dealt(Box::new(pass), first, share));
                }
                _ => {
                    by_lane |= depends;
                    self.drivers.push(Driver::Loop(Box::new(pass)));
                }
            }
        }
        if by_lane {
            // A loop that is dealt, and lanes that matter otherwise, are not followed together.
            let is_dealt = |driver: &Driver| matches!(driver, Driver::Dealt(..));
            if self.drivers.iter().any(is_dealt) {
                return None;
            }
            let lanes = Driver::Lanes(index.clone(), count.clone());
            self.drivers.insert(0, lanes);
        }
        Some(())
    }

    /// Returns the first value, over all lanes, of a counter whose values are dealt to lanes, and their distance.
    fn share(
        &self,
        start: &Linear,
        step: &Linear,
        [own, all]: [&Linear; 2],
    ) -> Option<(Linear, i64)> {
        let (symbol, of_all) = all.terms().next()?;
        let share = step.coefficient(symbol).checked_div(of_all)?;
        let is_all = share > 0 && all.times(share).as_ref() == Some(step);
        let first = start.minus(&own.times(share).filter(|_| is_all)?)?;
        let used = self
            .places
            .symbols
            .computed_from(std::slice::from_ref(&first));
        let is_common = |symbol: &Symbol| match self.places.meaning(*symbol) {
            Meaning::Parameter(_) | Meaning::Operation(..) => true,
            Meaning::Special(special) => {
                matches!(special, SpecialScalar::CubeNum | SpecialScalar::VecNum)
            }
            _ => false,
        };
        used.iter().all(is_common).then_some((first, share))
    }

    fn holds(&self, length: &Sum) -> Option<bool> {
        let last = self.spans.len().checked_sub(1)?;
        // The first store starts at 0.
        let mut known = self.one(0)?;
        for driver in &self.drivers {
            known.at_end(driver, End::First, BEFORE)?;
        }
        let start = known.poly(&self.spans[0].1[0], BEFORE)?;
        if !known.excludes(&[start]) {
            return Some(false);
        }
        // The last store reaches the end.
        let mut known = self.one(last)?;
        for driver in &self.drivers {
            known.at_end(driver, End::Last, BEFORE)?;
        }
        let end = self.end(&mut known, last, BEFORE)?;
        let length = known.length(length)?;
        if !known.excludes(&[length.plus_times(&end, -1)?]) {
            return Some(false);
        }
        for at in 0..self.drivers.len() {
            if !self.has_iteration(at)? || !self.meets(at, last)? {
                return Some(false);
            }
        }
        // The stores of one iteration follow each other.
        for next in 1..self.spans.len() {
            let mut known = self.one(next)?;
            known.add_all(&self.spans[next - 1].0.facts, BEFORE);
            let end = self.end(&mut known, next - 1, BEFORE)?;
            let start = known.poly(&self.spans[next].1[0], BEFORE)?;
            if !known.excludes(&[start.plus_times(&end, -1)?]) {
                return Some(false);
            }
        }
        Some(true)
    }

    /// Returns what is known of one store.
    fn one(&self, store: usize) -> Option<Known<'a>> {
        let mut known = Known::new(self.places, Relation::SameIteration);
        known.add_all(&self.spans[store].0.facts, BEFORE);
        Some(known)
    }

    fn end(&self, known: &mut Known, store: usize, copy: u8) -> Option<Poly> {
        let [start, span] = &self.spans[store].1;
        let start = known.poly(start, copy)?;
        start.plus_times(&known.poly(span, copy)?, 1)
    }

    /// Returns whether a loop certainly has an iteration.
    fn has_iteration(&self, at: usize) -> Option<bool> {
        let (pass, first) = match &self.drivers[at] {
            Driver::Lanes(..) => return Some(true),
            Driver::Dealt(pass, first, _) => (pass, first.clone()),
            Driver::Loop(pass) => (pass, pass.start.clone()?),
        };
        let limit = limit(pass)?;
        // Facts of the stores must not enter: they hold only if the loop has an iteration.
        let mut known = Known::new(self.places, Relation::SameIteration);
        let mut numbers = vec![first.clone(), limit.clone()];
        for driver in &self.drivers[..at] {
            if let Driver::Dealt(pass, ..) | Driver::Loop(pass) = driver {
                let (counter, end) = (pass.counter.clone()?, self::limit(pass)?);
                let bounds = [
                    end.minus(&counter)?.plus(-1)?,
                    counter.minus(pass.start.as_ref()?)?,
                ];
                known.add_all(&bounds, BEFORE);
                numbers.extend([counter, end]);
            }
        }
        known.add_all(&self.places.symbols.facts(&numbers), BEFORE);
        let gap = known
            .poly(&first, BEFORE)?
            .plus_times(&known.poly(&limit, BEFORE)?, -1)?;
        // The counter starts below its limit.
        let gap = gap.plus_times(&Poly::constant(1), 1)?;
        Some(known.excludes(&[gap]))
    }

    /// Returns whether the accesses of one value of a driver begin no later than those of the value before it end.
    fn meets(&self, at: usize, last: usize) -> Option<bool> {
        let mut known = Known::new(self.places, Relation::Cores(self.side, self.side));
        if let Driver::Loop(pass) = &self.drivers[at] {
            // Both accesses are made by one lane, in the same iterations of the loops around this one.
            let older = self.places.symbols.all();
            older
                .filter(|symbol| symbol.number() < pass.mark)
                .for_each(|symbol| known.fix(symbol));
        }
        known.add_all(&self.spans[last].0.facts, BEFORE);
        known.add_all(&self.spans[0].0.facts, AFTER);
        known.next(&self.drivers[at])?;
        for driver in &self.drivers[at + 1..] {
            known.at_end(driver, End::Last, BEFORE)?;
            known.at_end(driver, End::First, AFTER)?;
        }
        let end = self.end(&mut known, last, BEFORE)?;
        let start = known.poly(&self.spans[0].1[0], AFTER)?;
        Some(known.excludes(&[start.plus_times(&end, -1)?]))
    }
}

/// Returns the first number that the counter of a loop does not reach.
fn limit(pass: &Pass) -> Option<Linear> {
    let next = pass.counter.as_ref()?.plus_times(pass.step.as_ref()?, 1)?;
    next.minus(pass.beyond.as_ref()?)
}

impl Known<'_> {
    /// Adds that a driver has its first or last value.
    fn at_end(&mut self, driver: &Driver, end: End, copy: u8) -> Option<()> {
        let gap = match (driver, end) {
            (Driver::Lanes(index, _), End::First) => self.poly(index, copy)?,
            (Driver::Lanes(index, count), End::Last) => {
                let next = self.poly(index, copy)?.plus_times(&Poly::constant(1), 1)?;
                next.plus_times(&self.poly(count, copy)?, -1)?
            }
            (Driver::Dealt(pass, first, _), End::First) => {
                let counter = self.poly(pass.counter.as_ref()?, copy)?;
                counter.plus_times(&self.poly(first, copy)?, -1)?
            }
            (Driver::Dealt(pass, _, share), End::Last) => {
                let counter = self.poly(pass.counter.as_ref()?, copy)?;
                let next = counter.plus_times(&Poly::constant(*share), 1)?;
                let fact = next.plus_times(&self.poly(&limit(pass)?, copy)?, -1)?;
                self.add(fact);
                return Some(());
            }
            (Driver::Loop(pass), End::First) => self.poly(&pass.number, copy)?,
            (Driver::Loop(pass), End::Last) => {
                let fact = self.poly(pass.beyond.as_ref()?, copy)?;
                self.add(fact);
                return Some(());
            }
        };
        is_zero(&gap)?.into_iter().for_each(|fact| self.add(fact));
        Some(())
    }

    /// Adds that the second access has the next value of a driver.
    fn next(&mut self, driver: &Driver) -> Option<()> {
        let (value, by) = match driver {
            Driver::Lanes(index, _) => (index.clone(), 1),
            Driver::Dealt(pass, _, share) => (pass.counter.clone()?, *share),
            Driver::Loop(pass) => (pass.number.clone(), 1),
        };
        let gap = self
            .poly(&value, AFTER)?
            .plus_times(&self.poly(&value, BEFORE)?, -1)?
            .plus_times(&Poly::constant(by), -1)?;
        is_zero(&gap)?.into_iter().for_each(|fact| self.add(fact));
        if let Driver::Loop(pass) = driver {
            let (counter, step) = (pass.counter.as_ref()?, pass.step.as_ref()?);
            let gap = self
                .poly(counter, AFTER)?
                .plus_times(&self.poly(counter, BEFORE)?, -1)?
                .plus_times(&self.poly(step, BEFORE)?, -1)?;
            is_zero(&gap)?.into_iter().for_each(|fact| self.add(fact));
        }
        Some(())
    }

    /// Returns a length in numbers of the launch as a polynomial.
    fn length(&mut self, length: &Sum) -> Option<Poly> {
        let mut sum = Poly::constant(length.constant);
        for (factors, coefficient) in &length.terms {
            let mut product = Poly::constant(*coefficient);
            for factor in factors {
                let number = match factor {
                    Factor::Parameter(id) => self.places().parameter(*id)?,
                    Factor::Workers(Workers::Cores) => self.places().cores.clone(),
                    Factor::Workers(Workers::VecLanes) => self.places().vec_lanes.clone(),
                };
                product = product.times(&self.poly(&number, 0)?)?;
            }
            sum = sum.plus_times(&product, 1)?;
        }
        Some(sum)
    }
}
