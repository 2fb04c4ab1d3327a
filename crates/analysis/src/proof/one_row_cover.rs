//! Decides whether stores reach every element of a tensor with one axis, of a length that is a polynomial.
//!
//! As in `cover`, the accesses form a chain in the order of what moves them: the lanes or the loop that is dealt to
//! them, and in each lane its stores and loops in program order. What a lane stores begins where the chain of the lane
//! before it ends, also where some loop has no iteration or a branch is not taken: whatever is left out, the next
//! access begins no later than the one before it ends. The last access ends where the tensor does.

use std::borrow::Cow;

use rustc_hash::FxHashSet;

use super::pair::Relation;
use super::places::{Extent, Place, Places};
use super::polynomials::Poly;
use super::upper_bounds::Known;
use crate::scalar::{Linear, Meaning, Pass, Symbol};
use a2lint_ir::{Factor, SpecialScalar, StmtId, Sum, Workers};
use a2lint_isa::Side;

/// The two accesses of a question.
const BEFORE: u8 = 1;
const AFTER: u8 = 2;
/// Maximum number of ways in which parts of a sequence are left out.
const MOST_WAYS: usize = 16;

/// Stores to one tensor, as the lanes execute them.
#[derive(Clone, Debug)]
pub struct StoredRow {
    /// The stores, in program order.
    pub parts: Vec<StoredPart>,
    /// The side that executes them.
    pub side: Side,
}

/// A part of what a lane stores.
#[derive(Clone, Debug)]
pub struct StoredPart {
    /// Numbers that are all non-negative exactly where the part executes.
    pub guards: Vec<Linear>,
    /// What it is.
    pub kind: StoredKind,
}

/// A store, or a loop with stores.
#[derive(Clone, Debug)]
pub enum StoredKind {
    /// A statement and its operand.
    Store((StmtId, usize)),
    /// A loop and the parts of its body.
    Loop(StmtId, Vec<StoredPart>),
}

/// Something that moves the accesses of all lanes.
enum Driver {
    /// The index of a lane or core, and the number of them.
    Lanes(Linear, Linear),
    /// A loop whose iterations are dealt to lanes: its counter takes every value from a first one in steps.
    Dealt(Box<Pass>, Linear, i64),
}

/// An end of a sequence or of the values of a driver.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// The only lanes that store something.
#[derive(Clone, Copy, PartialEq, Eq)]
enum First {
    /// Those of the first core.
    Core,
    /// The first vec lane over all cores.
    OfAll,
    /// The first vec lane of each core.
    InCore,
}

/// A part with what is known of it.
struct Part<'a> {
    guards: Cow<'a, [Linear]>,
    kind: Kind<'a>,
}

enum Kind<'a> {
    Store(&'a Place, [Linear; 2]),
    Loop(Box<Pass>, Vec<Part<'a>>),
}

/// A way to the first or the last access of a sequence.
#[derive(Clone)]
struct Way<'s> {
    place: &'s Place,
    span: &'s [Linear; 2],
    /// The loops that are in their first or last iteration, innermost first.
    loops: Vec<&'s Pass>,
    /// Numbers that are not negative: parts are left out, others are executed.
    given: Vec<Linear>,
}

/// The ways to an end of a sequence, and those in which all of it is left out.
struct Ways<'s> {
    to: Vec<Way<'s>>,
    none: Vec<Vec<Linear>>,
}

/// Returns whether some stores reach every element of a tensor of this length.
pub(super) fn reaches(places: &Places, stored: &StoredRow, length: &Sum) -> bool {
    let chain = Chain::new(places, stored);
    chain.is_some_and(|chain| chain.holds(length) == Some(true))
}

struct Chain<'a> {
    places: &'a Places,
    parts: Vec<Part<'a>>,
    driver: Option<Driver>,
    side: Side,
    /// The workers among which the accesses are shared out.
    workers: Workers,
}

impl<'a> Chain<'a> {
    fn new(places: &'a Places, stored: &'a StoredRow) -> Option<Chain<'a>> {
        let mut chain = Chain {
            places,
            parts: parts(places, &stored.parts, &[None])?,
            driver: None,
            side: stored.side,
            workers: match stored.side {
                Side::Vec => Workers::VecLanes,
                _ => Workers::Cores,
            },
        };
        let first = chain.leave_to_first_lane();
        if stored.side == Side::Vec && chain.is_by_core() {
            // The last core has one lane where their number is odd.
            (!places.symbols.counts_vec_cores).then_some(())?;
            chain.workers = Workers::Cores;
            // Both lanes of a core take the same way: what one stores is followed by what the other one stores.
            let lanes = match first {
                Some(First::InCore) => &[Some(0)][..],
                _ => &[Some(0), Some(1)],
            };
            chain.parts = parts(places, &stored.parts, lanes)?;
            chain.leave_to_first_lane();
        }
        if let Some(first) = first {
            // Numbers that depend on the lane would have the values of the first one.
            let [core, lane, own] = &places.lane;
            let fixed = match first {
                First::Core => vec![core, lane],
                First::OfAll => vec![core, lane, own],
                First::InCore => vec![lane, own],
            };
            let used = chain.depends(&chain.parts, &[]);
            let mut fixed = fixed.into_iter().flat_map(Linear::symbols);
            (!fixed.any(|index| used.contains(&index))).then_some(())?;
        }
        chain.driver = chain.driver()?;
        Some(chain)
    }

    /// Drops the condition that a lane is the first one from all parts, if all have it: there is such a lane, and it
    /// stores everything. Returns which one that is.
    fn leave_to_first_lane(&mut self) -> Option<First> {
        let firsts = [First::Core, First::OfAll, First::InCore];
        let (first, guards) =
            firsts
                .into_iter()
                .zip(&self.places.lane)
                .find_map(|(first, lane)| {
                    let guard = lane.times(-1)?;
                    let has = |part: &Part| part.guards.contains(&guard);
                    let all = self.parts.iter().all(has);
                    all.then(|| (first, [lane.clone(), guard]))
                })?;
        for part in &mut self.parts {
            part.guards.to_mut().retain(|guard| !guards.contains(guard));
        }
        Some(first)
    }

    /// Returns whether the index of a core, or that of a lane in its core, decides where something is stored.
    fn is_by_core(&self) -> bool {
        let [core, _, own] = &self.places.lane;
        let used = self.depends(&self.parts, &[]);
        let mut indices = core.symbols().chain(own.symbols());
        indices.any(|index| used.contains(&index))
    }

    /// Returns what moves the accesses of all lanes, if anything does; `None` if it is not followed.
    fn driver(&self) -> Option<Option<Driver>> {
        let [core, lane, own] = &self.places.lane;
        let count = self.places.workers(self.workers);
        let (index, others) = match self.workers {
            Workers::VecLanes => (lane, [core, own]),
            Workers::Cores => (core, [lane, own]),
        };
        let used = self.depends(&self.parts, &[]);
        let names = |used: &FxHashSet<Symbol>, number: &Linear| {
            let mut symbols = number.symbols();
            symbols.any(|it| used.contains(&it))
        };
        // Only one index of lanes is followed.
        if others.iter().any(|&it| it != index && names(&used, it)) {
            return None;
        }
        if let [
            Part {
                guards,
                kind: Kind::Loop(pass, _),
            },
        ] = &self.parts[..]
            && guards.is_empty()
        {
            let own = [pass.start.clone()?, pass.step.clone()?];
            let share = self.share(&own[0], &own[1], [index, count]);
            // Every value below a limit that all lanes share is that of some lane.
            let bounds = self.depends(&[], &[limit(pass)?]);
            if let Some((first, share)) = share.filter(|_| !names(&bounds, index)) {
                return Some(Some(Driver::Dealt(pass.clone(), first, share)));
            }
        }
        let is_lanes = names(&used, index);
        Some(is_lanes.then(|| Driver::Lanes(index.clone(), count.clone())))
    }

    /// Returns the symbols from which the numbers of parts and some others are computed, on any path.
    fn depends(&self, parts: &[Part], more: &[Linear]) -> FxHashSet<Symbol> {
        let mut numbers = more.to_vec();
        parts.iter().for_each(|part| part.numbers(&mut numbers));
        let symbols = &self.places.symbols;
        let mut seen = symbols.computed_from(&numbers);
        let mut open: Vec<Symbol> = seen.iter().copied().collect();
        while let Some(symbol) = open.pop() {
            let Meaning::Either(_, values) = symbols.meaning(symbol) else {
                continue;
            };
            let all: Vec<Linear> = values.iter().map(|(value, _)| value.clone()).collect();
            let new = symbols.computed_from(&all).into_iter();
            open.extend(new.filter(|&it| seen.insert(it)));
        }
        seen
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
        let meets = self.all_meet(&self.parts)?;
        let ends = match &self.driver {
            Some(Driver::Dealt(pass, first, _)) => self.dealt(pass, first, length)?,
            _ => self.lanes(length)?,
        };
        Some(meets && ends)
    }

    /// Returns whether the iterations of a loop that is dealt to lanes cover the tensor.
    fn dealt(&self, pass: &Pass, first: &Linear, length: &Sum) -> Option<bool> {
        let [
            Part {
                kind: Kind::Loop(_, body),
                ..
            },
        ] = &self.parts[..]
        else {
            return None;
        };
        let driver = self.driver.as_ref()?;
        let (firsts, lasts) = (ways(body, End::First)?, ways(body, End::Last)?);
        // The first iteration of all exists, and it starts at 0.
        let mut known = self.known(&[]);
        known.add_all(
            &self.places.symbols.facts(&[first.clone(), limit(pass)?]),
            BEFORE,
        );
        let gap = known
            .poly(first, BEFORE)?
            .plus_times(&known.poly(&limit(pass)?, BEFORE)?, -1)?;
        if !known.excludes(&[gap.plus_times(&Poly::constant(1), 1)?]) {
            return Some(false);
        }
        for way in &firsts.to {
            let mut known = self.known(&[]);
            known.at_end(driver, End::First, BEFORE)?;
            let mut goals = known.on(way, End::First, BEFORE)?;
            goals.push(known.poly(&way.span[0], BEFORE)?);
            if !known.excludes(&goals) {
                return Some(false);
            }
        }
        for last in &lasts.to {
            let mut known = self.known(&[]);
            known.at_end(driver, End::Last, BEFORE)?;
            let mut goals = known.on(last, End::Last, BEFORE)?;
            let end = known.end(last, BEFORE)?;
            goals.push(known.length(length)?.plus_times(&end, -1)?);
            if !known.excludes(&goals) {
                return Some(false);
            }
            for way in &firsts.to {
                let mut known = self.known(&[]);
                known.next(driver)?;
                let goals = known.meet(last, way)?;
                if !known.excludes(&goals) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Returns whether the parts of all lanes cover the tensor, one lane after the other.
    fn lanes(&self, length: &Sum) -> Option<bool> {
        let (firsts, lasts) = (
            ways(&self.parts, End::First)?,
            ways(&self.parts, End::Last)?,
        );
        let lanes = self.driver.as_ref();
        // The first lane starts at 0.
        let mut known = self.known(&[]);
        if let Some(lanes) = lanes {
            known.at_end(lanes, End::First, BEFORE)?;
        }
        let start = self.start(&mut known, BEFORE)?;
        if !known.excludes(&[start]) {
            return Some(false);
        }
        // What a lane stores first begins at its start.
        for way in &firsts.to {
            let mut known = self.known(&[]);
            let mut goals = known.on(way, End::First, BEFORE)?;
            let start = self.start(&mut known, BEFORE)?;
            goals.push(known.poly(&way.span[0], BEFORE)?.plus_times(&start, -1)?);
            if !known.excludes(&goals) {
                return Some(false);
            }
        }
        // What it stores last ends at the start of the next lane, or at the end of the tensor.
        let nothing = lasts.none.iter().map(|given| (None, given));
        let something = lasts.to.iter().map(|way| (Some(way), &way.given));
        for (way, given) in nothing.chain(something) {
            for is_last in [true, false] {
                let next = lanes.filter(|_| !is_last);
                if next.is_none() && !is_last {
                    continue;
                }
                let mut known = self.known(&[]);
                match (lanes, next) {
                    (_, Some(lanes)) => known.next(lanes)?,
                    (Some(lanes), None) => known.at_end(lanes, End::Last, BEFORE)?,
                    (None, None) => {}
                }
                let mut goals = match way {
                    Some(way) => known.on(way, End::Last, BEFORE)?,
                    None => known.given(given, BEFORE)?,
                };
                let end = match way {
                    Some(way) => known.end(way, BEFORE)?,
                    None => self.start(&mut known, BEFORE)?,
                };
                let target = match next {
                    Some(_) => self.start(&mut known, AFTER)?,
                    None => known.length(length)?,
                };
                goals.push(target.plus_times(&end, -1)?);
                if !known.excludes(&goals) {
                    return Some(false);
                }
            }
        }
        Some(true)
    }

    /// Returns where a lane starts to store, whether or not its first part is executed.
    fn start(&self, known: &mut Known<'a>, copy: u8) -> Option<Poly> {
        let mut part = self.parts.first()?;
        let mut values: Vec<(Poly, Poly)> = Vec::new();
        let mut mark = u32::MAX;
        loop {
            // The numbers in a branch have values only where it is taken.
            part.guards.is_empty().then_some(())?;
            match &part.kind {
                Kind::Loop(pass, body) => {
                    mark = mark.min(pass.mark);
                    let first = known.poly(pass.start.as_ref()?, copy)?;
                    let counter = known.poly(pass.counter.as_ref()?, copy)?;
                    values.push((known.poly(&pass.number, copy)?, Poly::constant(0)));
                    values.push((counter, first));
                    part = body.first()?;
                }
                Kind::Store(_, [start, _]) => {
                    let mut from = known.poly(start, copy)?;
                    for (number, value) in values {
                        if let Some(atom) = number.as_atom() {
                            from = from.with_value(atom, &value)?;
                        }
                    }
                    // What a loop computes may have no value where the loop has no iteration.
                    let is_older = from
                        .atoms()
                        .all(|atom| atom.symbol.number() < mark || self.is_lane(atom.symbol));
                    is_older.then_some(())?;
                    let symbols = from.atoms().map(|atom| Linear::symbol(atom.symbol));
                    let symbols: Vec<Linear> = symbols.collect();
                    known.add_all(&self.places.symbols.facts(&symbols), copy);
                    return Some(from);
                }
            }
        }
    }

    fn is_lane(&self, symbol: Symbol) -> bool {
        matches!(
            self.places.meaning(symbol),
            Meaning::Special(_) | Meaning::Parameter(_)
        )
    }

    /// Returns what is known of two accesses of lanes, or of one lane in the same iterations of the loops whose symbols
    /// are older than those of the given loops.
    fn known(&self, apart: &[&Pass]) -> Known<'a> {
        let mut known = Known::new(self.places, Relation::Cores(self.side, self.side));
        let Some(mark) = apart.iter().map(|pass| pass.mark).min() else {
            return known;
        };
        let all = self.places.symbols.all();
        let shared = all.filter(|&symbol| symbol.number() < mark || self.is_lane(symbol));
        shared.for_each(|symbol| known.fix(symbol));
        known
    }

    /// Returns whether parts that follow each other in one lane, and the iterations of the loops among them, meet.
    fn all_meet(&self, parts: &[Part<'a>]) -> Option<bool> {
        for (at, part) in parts.iter().enumerate() {
            let rest = parts.get(at + 1..)?;
            let (lasts, firsts) = (part.ways(End::Last)?, ways(rest, End::First)?);
            for last in &lasts {
                for way in &firsts.to {
                    if !self.follow(last, way, None)? {
                        return Some(false);
                    }
                }
            }
            let Kind::Loop(pass, body) = &part.kind else {
                continue;
            };
            if !self.all_meet(body)? {
                return Some(false);
            }
            let is_dealt =
                matches!(&self.driver, Some(Driver::Dealt(dealt, ..)) if dealt.id == pass.id);
            let (lasts, firsts) = (ways(body, End::Last)?, ways(body, End::First)?);
            // An iteration that stores nothing is not followed.
            if !firsts.none.iter().all(|given| self.is_never(given)) {
                return Some(false);
            }
            if is_dealt {
                continue;
            }
            for last in &lasts.to {
                for way in &firsts.to {
                    if !self.follow(last, way, Some(pass))? {
                        return Some(false);
                    }
                }
            }
        }
        Some(true)
    }

    /// Returns whether some numbers are never all non-negative.
    fn is_never(&self, given: &[Linear]) -> bool {
        let mut known = self.known(&[]);
        let impossible = known.given(given, BEFORE);
        impossible.is_some_and(|goals| known.excludes(&goals))
    }

    /// Returns whether an access begins no later than the one before it in its lane ends: in the same iteration of all
    /// loops around both, or in the next one of a loop.
    fn follow(&self, last: &Way, way: &Way, next: Option<&Pass>) -> Option<bool> {
        let own = last.loops.iter().chain(&way.loops).copied();
        let apart: Vec<&Pass> = own.chain(next).collect();
        let mut known = match apart.is_empty() {
            true => Known::new(self.places, Relation::SameIteration),
            false => self.known(&apart),
        };
        if let Some(pass) = next {
            known.next_iteration(pass)?;
        }
        let goals = known.meet(last, way)?;
        Some(known.excludes(&goals))
    }
}

impl Part<'_> {
    /// Adds the numbers that decide where it stores, and how often.
    fn numbers(&self, numbers: &mut Vec<Linear>) {
        numbers.extend(self.guards.iter().cloned());
        match &self.kind {
            Kind::Store(_, span) => numbers.extend(span.iter().cloned()),
            Kind::Loop(pass, body) => {
                let own = [&pass.start, &pass.step, &pass.beyond];
                numbers.extend(own.into_iter().flatten().cloned());
                body.iter().for_each(|part| part.numbers(numbers));
            }
        }
    }

    /// Returns numbers that are not negative where it is executed.
    fn executed(&self) -> Option<Vec<Linear>> {
        let mut given = self.guards.to_vec();
        if let Kind::Loop(pass, _) = &self.kind {
            given.push(limit(pass)?.minus(pass.start.as_ref()?)?.plus(-1)?);
        }
        Some(given)
    }

    /// Returns the ways in which it is left out, as numbers that are not negative then.
    fn left_out(&self) -> Option<Vec<Vec<Linear>>> {
        let needed = self.executed()?.into_iter();
        let fails = needed.map(|number| Some(vec![number.times(-1)?.plus(-1)?]));
        fails.collect()
    }

    /// Returns the ways to its first or last access.
    fn ways(&self, end: End) -> Option<Vec<Way<'_>>> {
        let executed = self.executed()?;
        let mut ways = match &self.kind {
            Kind::Store(place, span) => vec![Way {
                place,
                span,
                loops: Vec::new(),
                given: Vec::new(),
            }],
            Kind::Loop(pass, body) => {
                let mut ways = self::ways(body, end)?.to;
                ways.iter_mut().for_each(|way| way.loops.push(pass));
                ways
            }
        };
        for way in &mut ways {
            way.given.extend(executed.iter().cloned());
        }
        Some(ways)
    }
}

/// Returns the ways to the first or the last access of a sequence; `None` if there are too many.
fn ways<'s>(parts: &'s [Part], end: End) -> Option<Ways<'s>> {
    let mut order: Vec<&Part> = parts.iter().collect();
    if end == End::Last {
        order.reverse();
    }
    let mut found = Ways {
        to: Vec::new(),
        none: vec![Vec::new()],
    };
    for part in order {
        for way in part.ways(end)? {
            for skipped in &found.none {
                let mut way = way.clone();
                way.given.extend(skipped.iter().cloned());
                found.to.push(way);
            }
        }
        let left_out = part.left_out()?;
        let skipped = found.none.iter().flat_map(|skipped| {
            let joined = left_out.iter().map(|more| [&skipped[..], more].concat());
            joined.collect::<Vec<Vec<Linear>>>()
        });
        found.none = skipped.collect();
        if found.to.len() + found.none.len() > MOST_WAYS {
            return None;
        }
    }
    Some(found)
}

/// Describes parts, with each store once for each of some lanes of a core, or for all of them; `None` if the place of a
/// store is not known, or some loop does not count upwards.
fn parts<'a>(
    places: &'a Places,
    stored: &'a [StoredPart],
    lanes: &[Option<i64>],
) -> Option<Vec<Part<'a>>> {
    let mut all = Vec::new();
    for part in stored {
        let kinds = match &part.kind {
            StoredKind::Store(at) => {
                let stores = lanes.iter().map(|&lane| store(places, *at, lane));
                stores.collect::<Option<Vec<Kind>>>()?
            }
            StoredKind::Loop(id, body) => {
                let pass = places.passes.get(id)?.clone();
                pass.rises.then_some(())?;
                vec![Kind::Loop(Box::new(pass), parts(places, body, lanes)?)]
            }
        };
        all.extend(kinds.into_iter().map(|kind| Part {
            guards: Cow::Borrowed(&part.guards),
            kind,
        }));
    }
    Some(all)
}

/// Describes a store, by one lane of a core if that is given.
fn store<'a>(
    places: &'a Places,
    (stmt, operand): (StmtId, usize),
    lane: Option<i64>,
) -> Option<Kind<'a>> {
    let place = places.at(stmt, operand).filter(|it| it.is_touched)?;
    let Extent::Window(axes) = &place.extent else {
        return None;
    };
    let [[Some(start), Some(span), _]] = &axes[..] else {
        return None;
    };
    let symbols = &places.symbols;
    let own = symbols.sub_block().zip(lane);
    let values: Vec<(Symbol, i64)> = own.into_iter().collect();
    let span = [start, span].map(|number| symbols.with_values(number, &values));
    Some(Kind::Store(place, span))
}

/// Returns the first number that the counter of a loop does not reach.
fn limit(pass: &Pass) -> Option<Linear> {
    let next = pass.counter.as_ref()?.plus_times(pass.step.as_ref()?, 1)?;
    next.minus(pass.beyond.as_ref()?)
}

impl Known<'_> {
    /// Adds that a driver has its first or last value.
    fn at_end(&mut self, driver: &Driver, end: End, copy: u8) -> Option<()> {
        match (driver, end) {
            (Driver::Lanes(index, _), End::First) => {
                let index = self.poly(index, copy)?;
                self.set(&index, &Poly::constant(0))
            }
            (Driver::Lanes(index, count), End::Last) => {
                let last = self.poly(count, copy)?;
                let last = last.plus_times(&Poly::constant(1), -1)?;
                let index = self.poly(index, copy)?;
                self.set(&index, &last)
            }
            (Driver::Dealt(pass, first, _), End::First) => {
                let first = self.poly(first, copy)?;
                let counter = self.poly(pass.counter.as_ref()?, copy)?;
                self.set(&counter, &first)
            }
            (Driver::Dealt(pass, _, share), End::Last) => {
                let counter = self.poly(pass.counter.as_ref()?, copy)?;
                let next = counter.plus_times(&Poly::constant(*share), 1)?;
                let fact = next.plus_times(&self.poly(&limit(pass)?, copy)?, -1)?;
                self.add(fact);
                Some(())
            }
        }
    }

    /// Adds that the second access has the next value of a driver.
    fn next(&mut self, driver: &Driver) -> Option<()> {
        let (value, by) = match driver {
            Driver::Lanes(index, _) => (index.clone(), 1),
            Driver::Dealt(pass, _, share) => (pass.counter.clone()?, *share),
        };
        self.differ(&value, &Poly::constant(by))
    }

    /// Adds that the second access is made in the next iteration of a loop.
    fn next_iteration(&mut self, pass: &Pass) -> Option<()> {
        self.differ(&pass.number, &Poly::constant(1))?;
        let counter = pass.counter.as_ref()?;
        // One that is computed from the number of the iteration differs with it.
        if counter
            .symbols()
            .all(|symbol| pass.number.symbols().any(|it| it == symbol))
        {
            return Some(());
        }
        let step = self.poly(pass.step.as_ref()?, BEFORE)?;
        self.differ(counter, &step)
    }

    /// Adds by how much a number of the second access is larger than that of the first one.
    fn differ(&mut self, number: &Linear, by: &Poly) -> Option<()> {
        let value = self.poly(number, BEFORE)?.plus_times(by, 1)?;
        let number = self.poly(number, AFTER)?;
        self.set(&number, &value)
    }

    /// Adds that some numbers are not negative; returns numbers that are at most zero if that is impossible.
    fn given(&mut self, given: &[Linear], copy: u8) -> Option<Vec<Poly>> {
        let mut impossible = Vec::new();
        for number in given {
            let number = self.poly(number, copy)?;
            impossible.push(number.plus_times(&Poly::constant(1), 1)?);
            self.add(number);
        }
        Some(impossible)
    }

    /// Adds that an access is the first or the last one of its sequence; returns numbers that are at most zero if that
    /// is impossible.
    fn on(&mut self, way: &Way, end: End, copy: u8) -> Option<Vec<Poly>> {
        self.add_all(&way.place.facts, copy);
        let impossible = self.given(&way.given, copy)?;
        for pass in &way.loops {
            let counter = pass.counter.as_ref()?;
            match end {
                End::First => {
                    let number = self.poly(&pass.number, copy)?;
                    self.set(&number, &Poly::constant(0))?;
                    let start = self.poly(pass.start.as_ref()?, copy)?;
                    let counter = self.poly(counter, copy)?;
                    if counter.as_atom().is_some() {
                        self.set(&counter, &start)?;
                    }
                }
                End::Last => {
                    let beyond = self.poly(pass.beyond.as_ref()?, copy)?;
                    self.add(beyond);
                }
            }
        }
        Some(impossible)
    }

    fn end(&mut self, way: &Way, copy: u8) -> Option<Poly> {
        let start = self.poly(&way.span[0], copy)?;
        start.plus_times(&self.poly(&way.span[1], copy)?, 1)
    }

    /// Returns numbers of which one is at most zero where the second access begins no later than the first one ends, or
    /// both are not made.
    fn meet(&mut self, last: &Way, way: &Way) -> Option<Vec<Poly>> {
        let mut goals = self.on(last, End::Last, BEFORE)?;
        goals.extend(self.on(way, End::First, AFTER)?);
        let end = self.end(last, BEFORE)?;
        goals.push(self.poly(&way.span[0], AFTER)?.plus_times(&end, -1)?);
        Some(goals)
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
