//! Decides whether stores reach every element of a tensor.
//!
//! On each axis, the accesses of all lanes and iterations form a chain, in the order of what moves them
//! (loops, outermost first, the vec lane in its core, the stores of one iteration). The first one starts at
//! 0, each begins no later than the one before it ends, and the last one ends where the tensor does. Each of
//! these conditions is a system of inequalities whose negation is refuted. Iterations that are dealt to lanes
//! in turn, or in blocks, count as one loop over all of them. A loop moves at most one axis, unless one axis
//! takes remainders of its counter and the others are moved by its quotients: all pairs of them occur.

use super::disjointness::Disjointness;
use super::pair::{Pair, Relation};
use super::places::{Extent, Places};
use super::system::{Form, System};
use crate::scalar::{Linear, Meaning, Pass, Symbol};
use a2lint_ir::{BinaryOp, StmtId};
use a2lint_isa::Side;

/// Stores to one tensor in one iteration of the same loops.
#[derive(Clone, Debug)]
pub struct Stores<'s> {
    /// Statements and operands, in program order.
    pub all: Vec<(StmtId, usize)>,
    /// The loops around all of them, outermost first.
    pub loops: &'s [StmtId],
    /// The side that executes them.
    pub side: Side,
    /// Numbers that are all non-negative exactly where the stores execute.
    pub guards: Vec<Linear>,
}

/// Something that moves an access along an axis.
#[derive(Clone, Debug)]
enum Driver {
    /// A loop, over the iterations of all lanes that share it.
    Loop(Steps),
    /// The vec lane in its core.
    SubBlock(Linear),
    /// The stores of one iteration.
    Stores,
}

/// The values of a counter.
#[derive(Clone, Debug)]
struct Steps {
    /// The loop that counts.
    pass: StmtId,
    /// The counter.
    value: Linear,
    /// The first value.
    first: Linear,
    /// The increment.
    by: Linear,
    /// The limit, which no value reaches.
    limit: Linear,
    /// Whether its iterations are dealt to lanes.
    is_dealt: bool,
}

/// The two accesses of a system.
const BEFORE: u8 = 1;
const AFTER: u8 = 2;

impl<'p> Disjointness<'p> {
    /// Describes how some stores go through a tensor, or returns `None` if that is too involved.
    pub fn cover<'a>(&'a self, stores: &'a Stores<'a>, axes: usize) -> Option<Cover<'a, 'p>> {
        let mut cover = Cover {
            apart: self,
            places: self.places(),
            stores,
            axes: Vec::new(),
        };
        cover.axes = cover.of_all(axes)?;
        Some(cover)
    }
}

/// The way in which stores go through a tensor.
#[derive(Debug)]
pub struct Cover<'a, 'p> {
    apart: &'a Disjointness<'p>,
    places: &'a Places,
    stores: &'a Stores<'a>,
    /// For each axis, the spans of the stores and what moves them.
    axes: Vec<(Spans, Vec<Driver>)>,
}

/// Start and length of each store on one axis.
type Spans = Vec<[Linear; 2]>;

impl Cover<'_, '_> {
    /// Returns whether the stores reach every element along an axis of this extent, in every launch.
    pub fn reaches(&self, axis: usize, extent: &Linear) -> bool {
        let axis = self.axes.get(axis);
        axis.is_some_and(|(spans, drivers)| self.chain(spans, drivers, extent).is_some())
    }

    fn of_all(&self, axes: usize) -> Option<Vec<(Spans, Vec<Driver>)>> {
        let spans: Option<Vec<Spans>> = (0..axes).map(|axis| self.spans(axis)).collect();
        let spans = spans?;
        let numbers: Vec<Linear> = spans.iter().flatten().flatten().cloned().collect();
        let used = self.places.symbols.computed_from(&numbers);
        let counters: Option<Vec<Vec<Symbol>>> = self
            .stores
            .loops
            .iter()
            .map(|&id| self.own_symbols(id))
            .collect();
        let counters = counters?.concat();
        let is_known = |&symbol: &Symbol| match self.places.meaning(symbol) {
            Meaning::Some | Meaning::Either(..) => false,
            Meaning::LoopHead(_) => counters.contains(&symbol),
            _ => true,
        };
        if !used.iter().all(is_known) {
            return None;
        }
        let drivers = self.drivers(&spans)?;
        // A store that a branch skips would have had no elements.
        for guard in &self.stores.guards {
            for store in 0..self.stores.all.len() {
                self.fails(&[], self.stores.loops.len(), |query| {
                    query.at_least(&guard.times(-1)?, BEFORE, 1)?;
                    let mut spans = spans.iter();
                    spans.try_for_each(|axis| query.at_least(&axis[store][1], BEFORE, 1))
                })?;
            }
        }
        // A loop that moves no axis must have an iteration.
        let idle = self.stores.loops.iter().enumerate().filter(|&(_, &id)| {
            let mut moving = drivers.iter().flatten();
            !moving.any(|driver| matches!(driver, Driver::Loop(steps) if steps.pass == id))
        });
        for (around, id) in idle {
            let steps = self.steps(self.places.passes.get(id)?)?;
            self.fails(&[], around, |query| {
                let gap = steps.first.minus(&steps.limit)?;
                query.at_least(&gap, BEFORE, 0)
            })?;
        }
        Some(spans.into_iter().zip(drivers).collect())
    }

    /// Returns the symbols that distinguish iterations of a loop: its iteration number, and its counter if
    /// that is a symbol of its own.
    fn own_symbols(&self, id: StmtId) -> Option<Vec<Symbol>> {
        let pass = self.places.passes.get(&id)?;
        let counter = pass.counter.iter().flat_map(Linear::symbols);
        let mut own: Vec<Symbol> = pass.number.symbols().chain(counter).collect();
        own.retain(|symbol| symbol.number() >= pass.mark);
        Some(own)
    }

    fn spans(&self, axis: usize) -> Option<Spans> {
        let of = |&(stmt, operand): &(StmtId, usize)| {
            // Stores with gaps between rows do not reach all elements of their window.
            let place = self.places.at(stmt, operand).filter(|it| it.is_touched)?;
            let Extent::Window(axes) = &place.extent else {
                return None;
            };
            let [start, span, _] = axes.get(axis)?;
            Some([start.clone()?, span.clone()?])
        };
        self.stores.all.iter().map(of).collect()
    }

    /// Returns what moves each axis, or `None` if something moves two of them.
    fn drivers(&self, spans: &[Spans]) -> Option<Vec<Vec<Driver>>> {
        let mut drivers: Vec<Vec<Driver>> = vec![Vec::new(); spans.len()];
        let used: Vec<_> = spans
            .iter()
            .map(|spans| {
                let numbers: Vec<Linear> = spans.iter().flatten().cloned().collect();
                self.places.symbols.computed_from(&numbers)
            })
            .collect();
        let [core, lane, own] = self.places.lane.each_ref().map(only_symbol);
        let (mut by_core, mut by_lane) = (0, 0);
        // Counts loops whose iterations depend on the lane, and those of them that move no axis: lanes
        // without an iteration of such a loop store nothing at all.
        let (mut dealt, mut idle) = (0, 0);
        for id in self.stores.loops {
            let pass = self.places.passes.get(id)?;
            let own = self.own_symbols(*id)?;
            let moved: Vec<usize> = (0..used.len())
                .filter(|&axis| own.iter().any(|symbol| used[axis].contains(symbol)))
                .collect();
            if self.depends_on_lanes(pass)? {
                dealt += 1;
                idle += usize::from(moved.is_empty());
            }
            if moved.is_empty() {
                continue;
            }
            let steps = self.steps(pass)?;
            if steps.is_dealt {
                let start = pass.start.as_ref()?;
                let of = self
                    .places
                    .symbols
                    .computed_from(std::slice::from_ref(start));
                by_lane += usize::from(lane.is_some_and(|lane| of.contains(&lane)));
                by_core += usize::from(core.is_some_and(|core| of.contains(&core)));
            }
            match *moved.as_slice() {
                [axis] => drivers[axis].push(Driver::Loop(steps)),
                [_, _, ..] => {
                    for (axis, steps) in self.split_over(&steps, &moved, spans)? {
                        drivers[axis].push(Driver::Loop(steps));
                    }
                }
                [] => {}
            }
        }
        let is_own = |axis: &usize| own.is_some_and(|own| used[*axis].contains(&own));
        let split: Vec<usize> = (0..used.len()).filter(is_own).collect();
        if let [axis] = *split.as_slice() {
            drivers[axis].push(Driver::SubBlock(self.places.lane[2].clone()));
        }
        for (axis, spans) in spans.iter().enumerate() {
            if spans.windows(2).any(|pair| pair[0] != pair[1]) {
                drivers[axis].push(Driver::Stores);
            }
        }
        // If some lanes store nothing, the stores of the others must not depend on which lanes they are.
        let names_lanes = [core, lane, own].into_iter().flatten();
        let mut names_lanes = names_lanes.map(|it| used.iter().any(|used| used.contains(&it)));
        if idle > 0 && (dealt > 1 || names_lanes.any(|is_named| is_named)) {
            return None;
        }
        // The index of a lane deals one loop, and occurs nowhere else.
        let several = drivers.iter().flatten();
        let several = several.filter(|driver| matches!(driver, Driver::Stores));
        let is_vec = self.stores.side == Side::Vec;
        let is_sound = by_core + by_lane <= 1
            && split.len() <= 1
            && (by_lane == 0 || split.is_empty())
            && (is_vec || by_lane == 0 && split.is_empty())
            && several.count() <= 1
            && self.stands_alone(&used, &drivers)
            && self.are_independent(&drivers);
        is_sound.then_some(drivers)
    }

    /// Returns whether the iterations of a loop depend on the core or the vec lane, or `None` if that is
    /// unknown.
    fn depends_on_lanes(&self, pass: &Pass) -> Option<bool> {
        let numbers = [
            pass.start.clone()?,
            pass.step.clone()?,
            pass.beyond.clone()?,
        ];
        let used = self.places.symbols.computed_from(&numbers);
        let lanes = self.places.lane.iter().filter_map(only_symbol);
        Some(lanes.into_iter().any(|lane| used.contains(&lane)))
    }

    /// Returns whether an axis depends on the lane only through a dealt loop that moves it.
    fn stands_alone(
        &self,
        used: &[rustc_hash::FxHashSet<Symbol>],
        drivers: &[Vec<Driver>],
    ) -> bool {
        let [core, lane, _] = self.places.lane.each_ref().map(only_symbol);
        used.iter().zip(drivers).all(|(used, drivers)| {
            let is_used = [core, lane]
                .into_iter()
                .flatten()
                .any(|it| used.contains(&it));
            let mut loops = drivers.iter();
            !is_used || loops.any(|it| matches!(it, Driver::Loop(steps) if steps.is_dealt))
        })
    }

    /// Returns whether the bounds of the loops that move one axis are independent of those that move another
    /// one.
    fn are_independent(&self, drivers: &[Vec<Driver>]) -> bool {
        let loops = |drivers: &[Driver]| -> Vec<Steps> {
            let steps = drivers.iter().filter_map(|driver| match driver {
                Driver::Loop(steps) => Some(steps.clone()),
                _ => None,
            });
            steps.collect()
        };
        let all: Vec<Vec<Steps>> = drivers.iter().map(|drivers| loops(drivers)).collect();
        all.iter().enumerate().all(|(axis, own)| {
            let others = all.iter().enumerate().filter(|(other, _)| *other != axis);
            let others = others.flat_map(|(_, steps)| steps);
            let numbers: Vec<Symbol> = others
                .filter_map(|steps| self.own_symbols(steps.pass))
                .flatten()
                .collect();
            own.iter().all(|steps| {
                let ends = [steps.first.clone(), steps.by.clone(), steps.limit.clone()];
                let used = self.places.symbols.computed_from(&ends);
                numbers.iter().all(|number| !used.contains(number))
            })
        })
    }

    /// Returns the values of a loop's counter over all lanes.
    fn steps(&self, pass: &Pass) -> Option<Steps> {
        let (start, step) = (pass.start.clone()?, pass.step.clone()?);
        let (counter, beyond) = (pass.counter.clone()?, pass.beyond.clone()?);
        if !pass.rises {
            return None;
        }
        let limit = counter.plus_times(&step, 1)?.minus(&beyond)?;
        let plain = Steps {
            pass: pass.id,
            value: counter,
            first: start.clone(),
            by: step.clone(),
            limit: limit.clone(),
            is_dealt: false,
        };
        let symbols = &self.places.symbols;
        let is_lanes = |number: &Linear| {
            let lanes = self.places.lane.iter().filter_map(only_symbol);
            let used = symbols.computed_from(std::slice::from_ref(number));
            lanes.into_iter().any(|lane| used.contains(&lane))
        };
        let [core, lane, _] = &self.places.lane;
        let all = [(core, &self.places.cores), (lane, &self.places.vec_lanes)];
        if !is_lanes(&start) && !is_lanes(&limit) && !is_lanes(&step) {
            return Some(plain);
        }
        for (own, all) in all {
            if let Some(share) = self.share(&start, &step, [own, all]) {
                let first = start.minus(&own.times(share)?)?;
                let is_shared = !is_lanes(&first) && !is_lanes(&limit);
                return is_shared.then_some(Steps {
                    first,
                    by: Linear::constant(share),
                    is_dealt: true,
                    ..plain
                });
            }
            if let Some(limit) = self.block(&start, &step, &limit, [own, all]) {
                return Some(Steps {
                    first: Linear::constant(0),
                    limit,
                    is_dealt: true,
                    ..plain
                });
            }
        }
        None
    }

    /// Returns the number of iterations that a lane takes in its turn.
    fn share(&self, start: &Linear, step: &Linear, [own, all]: [&Linear; 2]) -> Option<i64> {
        let (symbol, of_all) = all.terms().next()?;
        let share = step.coefficient(symbol) / of_all;
        let is_all = share > 0 && all.times(share).as_ref() == Some(step);
        let (own, of_own) = own.terms().next()?;
        (is_all && start.coefficient(own) == share * of_own).then_some(share)
    }

    /// Returns the limit of a loop that is shared out in blocks: `per * own .. Min(per * own + per, all)`,
    /// where `per` is at least `CeilDiv(all, lanes)`.
    fn block(
        &self,
        start: &Linear,
        step: &Linear,
        limit: &Linear,
        [own, all]: [&Linear; 2],
    ) -> Option<Linear> {
        if step.as_constant() != Some(1) {
            return None;
        }
        let operation = |number: &Linear| {
            let symbol = only_symbol(number)?;
            match self.places.meaning(symbol) {
                Meaning::Operation(op, a, b) => Some((*op, a.clone(), b.clone())),
                _ => None,
            }
        };
        // The start of a lane past the end may be clipped.
        let (clip, first) = match operation(start)? {
            (BinaryOp::Min, a, b) if matches!(operation(&a), Some((BinaryOp::Mul, ..))) => {
                (Some(b), a)
            }
            (BinaryOp::Min, a, b) => (Some(a), b),
            _ => (None, start.clone()),
        };
        let per = match operation(&first)? {
            (BinaryOp::Mul, a, b) if a == *own => b,
            (BinaryOp::Mul, a, b) if b == *own => a,
            _ => return None,
        };
        let (BinaryOp::Min, a, b) = operation(limit)? else {
            return None;
        };
        let end = start.plus_times(&per, 1)?;
        let whole = if a == end { b } else { a.clone() };
        let is_block = a == end || operation(limit)?.2 == end;
        let (BinaryOp::CeilDiv, number, by) = operation(&per)? else {
            return None;
        };
        let is_clip = clip.is_none_or(|clip| clip == whole);
        (is_block && is_clip && number == whole && by == *all).then_some(whole)
    }

    /// Returns the values that advance each of several axes: one axis follows the remainders of a counter, the others
    /// follow its quotients.
    fn split_over(
        &self,
        steps: &Steps,
        axes: &[usize],
        spans: &[Spans],
    ) -> Option<Vec<(usize, Steps)>> {
        if let [only] = *axes {
            return Some(vec![(only, steps.clone())]);
        }
        axes.iter().find_map(|&last| {
            let others: Vec<usize> = axes.iter().copied().filter(|&axis| axis != last).collect();
            let of_others: Vec<&Spans> = others.iter().map(|&axis| &spans[axis]).collect();
            let (quotients, remainders) = self.split(steps, &of_others, &spans[last])?;
            let mut all = self.split_over(&quotients, &others, spans)?;
            all.push((last, remainders));
            Some(all)
        })
    }

    /// Splits a counter that takes each value below a product into its quotients, which advance some axes, and its
    /// remainders, which advance another one.
    fn split(
        &self,
        steps: &Steps,
        of_quotients: &[&Spans],
        last: &Spans,
    ) -> Option<(Steps, Steps)> {
        let is_plain = steps.first.as_constant() == Some(0) && steps.by.as_constant() == Some(1);
        let find = |spans: &Spans, wanted: BinaryOp| {
            let numbers: Vec<Linear> = spans.iter().flatten().cloned().collect();
            let used = self.places.symbols.computed_from(&numbers);
            let mut found = used.into_iter().filter_map(|symbol| {
                let Meaning::Operation(op, a, b) = self.places.meaning(symbol) else {
                    return None;
                };
                (*op == wanted && *a == steps.value).then(|| (symbol, b.clone()))
            });
            let only = found.next()?;
            found.next().is_none().then_some(only)
        };
        if !is_plain {
            return None;
        }
        let (quotient, by) = find(of_quotients.first()?, BinaryOp::Div)?;
        // The counter may occur in quotients and remainders alone.
        let own = self.own_symbols(steps.pass)?;
        let hides = |spans: &Spans, kept: Symbol| {
            let mut numbers = spans.iter().flatten();
            numbers.all(|it| own.iter().all(|&symbol| self.is_within(it, symbol, kept)))
        };
        if !of_quotients.iter().all(|spans| hides(spans, quotient)) {
            return None;
        }
        let remainder = find(last, BinaryOp::Mod)
            .filter(|(remainder, same)| by == *same && hides(last, *remainder))
            .map(|(remainder, _)| Linear::symbol(remainder));
        let rest = || {
            let whole = self.whole(quotient, &by)?;
            let value = only_symbol(&steps.value)?;
            let mut numbers = last.iter().flatten();
            let is_rest = numbers.all(|it| self.is_of_rest(it, &own, [value, whole]));
            let rest = steps.value.minus(&Linear::symbol(whole))?;
            is_rest.then_some(rest)
        };
        let remainder = remainder.or_else(rest)?;
        let most = self.divided(&steps.limit, &by)?;
        let of = |value: Linear, limit: Linear| Steps {
            value,
            limit,
            ..steps.clone()
        };
        Some((of(Linear::symbol(quotient), most), of(remainder, by)))
    }

    /// Returns the product of a quotient and its divisor, if the kernel computes it.
    fn whole(&self, quotient: Symbol, by: &Linear) -> Option<Symbol> {
        let quotient = Linear::symbol(quotient);
        let product = |a: &Linear, b: &Linear| {
            let product = Meaning::Operation(BinaryOp::Mul, a.clone(), b.clone());
            self.places.symbols.named_as(&product)
        };
        product(&quotient, by).or_else(|| product(by, &quotient))
    }

    /// Returns whether a number depends on the counter of a loop only through `value - whole`.
    fn is_of_rest(&self, number: &Linear, own: &[Symbol], [value, whole]: [Symbol; 2]) -> bool {
        let is_balanced = number.coefficient(value) == -number.coefficient(whole);
        let mut others = number.symbols().filter(|&it| it != value && it != whole);
        is_balanced
            && others.all(|it| {
                let parts = match self.places.meaning(it) {
                    Meaning::Operation(_, a, b) => [Some(a), Some(b)],
                    _ => [None, None],
                };
                let mut parts = parts.into_iter().flatten();
                !own.contains(&it) && parts.all(|it| self.is_of_rest(it, own, [value, whole]))
            })
    }

    /// Returns whether a number depends on a symbol only through another one.
    fn is_within(&self, number: &Linear, symbol: Symbol, through: Symbol) -> bool {
        number.symbols().all(|it| {
            it == through
                || it != symbol
                    && match self.places.meaning(it) {
                        Meaning::Operation(_, a, b) => {
                            self.is_within(a, symbol, through) && self.is_within(b, symbol, through)
                        }
                        _ => true,
                    }
        })
    }

    /// Returns a number divided by another one, if it is a product with that.
    fn divided(&self, number: &Linear, by: &Linear) -> Option<Linear> {
        if let Some(by) = by.as_constant().filter(|&by| by > 0) {
            let is_whole = number.terms().all(|(_, coefficient)| coefficient % by == 0);
            let parts = number
                .terms()
                .map(|(symbol, coefficient)| (symbol, coefficient / by));
            let sum = parts.into_iter().try_fold(
                Linear::constant(number.constant_part() / by),
                |sum, (symbol, coefficient)| sum.plus_times(&Linear::symbol(symbol), coefficient),
            );
            return sum.filter(|_| is_whole && number.constant_part() % by == 0);
        }
        let (symbol, coefficient) = number.terms().next()?;
        let is_one = number.times(1)? == Linear::symbol(symbol).times(coefficient)?;
        if let Meaning::Operation(BinaryOp::Mul, a, b) = self.places.meaning(symbol)
            && is_one
            && coefficient == 1
        {
            return match (a == by, b == by) {
                (true, _) => Some(b.clone()),
                (_, true) => Some(a.clone()),
                _ => None,
            };
        }
        // A number times the divisor, if the divisor is one symbol.
        let of = only_symbol(by)?;
        (is_one && symbol == of).then(|| Linear::constant(coefficient))
    }

    /// Proves the chain of one axis.
    fn chain(&self, spans: &Spans, drivers: &[Driver], extent: &Linear) -> Option<()> {
        let (first, last) = (&spans[0], &spans[spans.len() - 1]);
        let inside = self.stores.loops.len();
        // The first store starts at 0.
        self.fails(&[], inside, |query| {
            query.all_at(drivers, End::First, BEFORE)?;
            query.at_least(extent, BEFORE, 1)?;
            query.at_least(&first[0], BEFORE, 1)
        })?;
        // The last store reaches the end of the axis.
        self.fails(&[], inside, |query| {
            query.all_at(drivers, End::Last, BEFORE)?;
            query.at_least(extent, BEFORE, 1)?;
            query.is_short(last, extent, BEFORE)
        })?;
        for (at, driver) in drivers.iter().enumerate() {
            if let Driver::Loop(steps) = driver {
                // The loop has at least one iteration.
                let around = self.stores.loops.iter().position(|&id| id == steps.pass)?;
                self.fails(&[], around, |query| {
                    let gap = steps.first.minus(&steps.limit)?;
                    query.at_least(extent, BEFORE, 1)?;
                    query.at_least(&gap, BEFORE, 0)
                })?;
            }
            let pairs: Vec<[&[Linear; 2]; 2]> = match driver {
                Driver::Stores => spans.windows(2).map(|it| [&it[0], &it[1]]).collect(),
                _ => vec![[last, first]],
            };
            // Only neighbours in the chain have to meet.
            for [before, after] in pairs {
                // A store begins no later than the one before it ends.
                self.fails(drivers, self.stores.loops.len(), |query| {
                    query.same(&drivers[..at])?;
                    query.next(driver)?;
                    query.all_at(&drivers[at + 1..], End::Last, BEFORE)?;
                    query.all_at(&drivers[at + 1..], End::First, AFTER)?;
                    query.is_short(before, extent, BEFORE)?;
                    query.is_short_of(before, &after[0])
                })?;
            }
        }
        Some(())
    }

    /// Returns `Some` if the conditions that `ask` adds to a query contradict each other. The query is about an access
    /// in an iteration of the outermost `loops` loops, and about a second access whose `drivers` may have other values.
    fn fails(
        &self,
        drivers: &[Driver],
        loops: usize,
        ask: impl FnOnce(&mut Query) -> Option<()>,
    ) -> Option<()> {
        let mut query = Query::new(self, drivers, loops)?;
        ask(&mut query)?;
        query.refuted().then_some(())
    }
}

/// An end of a chain.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    First,
    Last,
}

/// A system about two accesses of a chain.
struct Query<'a, 'p> {
    cover: &'a Cover<'a, 'p>,
    pair: Pair<'a>,
    system: System,
}

impl<'a, 'p> Query<'a, 'p> {
    fn new(cover: &'a Cover<'a, 'p>, drivers: &[Driver], loops: usize) -> Option<Self> {
        let places = cover.places;
        let side = cover.stores.side;
        let relation = match drivers {
            [] => Relation::SameIteration,
            _ => Relation::Cores(side, side),
        };
        let mut pair = Pair::new(places, relation);
        let is_dealt = |driver: &Driver| matches!(driver, Driver::Loop(steps) if steps.is_dealt);
        let is_dealt = drivers.iter().any(is_dealt);
        let is_split = drivers.iter().any(|it| matches!(it, Driver::SubBlock(_)));
        let [core, lane, own] = places.lane.each_ref().map(only_symbol);
        let fixed = [
            core.filter(|_| !is_dealt),
            lane.filter(|_| !is_dealt && !is_split),
            own.filter(|_| {
                !is_split && (!is_dealt || side == Side::Vec && by_core(cover, drivers))
            }),
        ];
        if !drivers.is_empty() {
            fixed.into_iter().flatten().for_each(|it| pair.fix(it));
        }
        let loops_of_two = if drivers.is_empty() {
            &[][..]
        } else {
            cover.stores.loops
        };
        for id in loops_of_two {
            let moves = |it: &Driver| matches!(it, Driver::Loop(steps) if steps.pass == *id);
            if !drivers.iter().any(moves) {
                let own = cover.own_symbols(*id)?;
                own.into_iter().for_each(|symbol| pair.fix(symbol));
            }
        }
        let mut query = Query {
            cover,
            pair,
            system: System::default(),
        };
        for id in &cover.stores.loops[..loops] {
            let pass = places.passes.get(id)?;
            let (counter, beyond) = (pass.counter.as_ref()?, pass.beyond.as_ref()?);
            let (step, start) = (pass.step.as_ref()?, pass.start.as_ref()?);
            // The iteration is executed.
            let room = step.minus(beyond)?.plus(-1)?;
            let stop = counter.plus_times(step, 1)?.minus(beyond)?;
            let is_natural = pass.rises && places.symbols.range(start).min >= 0;
            let positive = is_natural.then(|| places.symbols.positive_with(&stop));
            for number in positive.iter().flatten() {
                query.at_least(number, BEFORE, 1)?;
                query.at_least(number, AFTER, 1)?;
            }
            for copy in [BEFORE, AFTER] {
                query.at_least(&room, copy, 0)?;
                query.at_least(&counter.minus(start)?, copy, 0)?;
            }
        }
        Some(query)
    }

    fn form(&mut self, number: &Linear, copy: u8) -> Option<Form> {
        self.pair.form(number, copy)
    }

    /// Adds that a number is at least `least`.
    fn at_least(&mut self, number: &Linear, copy: u8, least: i64) -> Option<()> {
        let form = self.form(number, copy)?.plus_number(-least);
        self.system.add(form);
        Some(())
    }

    /// Adds that a store ends before a number, and starts before it.
    fn is_short(&mut self, [start, span]: &[Linear; 2], of: &Linear, copy: u8) -> Option<()> {
        let gap = of.minus(start)?;
        self.at_least(&gap, copy, 1)?;
        self.at_least(&gap.minus(span)?, copy, 1)
    }

    /// Adds that a store ends before the next one starts.
    fn is_short_of(&mut self, [start, span]: &[Linear; 2], next: &Linear) -> Option<()> {
        let gap = self
            .form(next, AFTER)?
            .plus(&self.pair.form(start, BEFORE)?, -1)?;
        let rest = gap.plus(&self.pair.form(span, BEFORE)?, -1)?;
        self.system.add(gap.plus_number(-1));
        self.system.add(rest.plus_number(-1));
        Some(())
    }

    /// Adds that these drivers have the same value for both accesses.
    fn same(&mut self, drivers: &[Driver]) -> Option<()> {
        for driver in drivers {
            if let Some(value) = driver.value() {
                let gap = self
                    .form(value, AFTER)?
                    .plus(&self.pair.form(value, BEFORE)?, -1)?;
                self.system.add_zero(gap);
            }
        }
        Some(())
    }

    /// Adds that a driver is one step further for the second access.
    fn next(&mut self, driver: &Driver) -> Option<()> {
        let Some(value) = driver.value() else {
            return Some(());
        };
        let gap = self
            .form(value, AFTER)?
            .plus(&self.pair.form(value, BEFORE)?, -1)?;
        let by = match driver {
            Driver::Loop(steps) => self.form(&steps.by, BEFORE)?,
            _ => Form::constant(1),
        };
        self.system.add_zero(gap.plus(&by, -1)?);
        Some(())
    }

    /// Adds that drivers are at one of their ends.
    fn all_at(&mut self, drivers: &[Driver], end: End, copy: u8) -> Option<()> {
        for driver in drivers {
            match (driver, end) {
                (Driver::Loop(steps), End::First) => {
                    let gap = steps.value.minus(&steps.first)?;
                    let gap = self.form(&gap, copy)?;
                    self.system.add_zero(gap);
                }
                (Driver::Loop(steps), End::Last) => {
                    let next = steps.value.plus_times(&steps.by, 1)?;
                    self.at_least(&next.minus(&steps.limit)?, copy, 0)?;
                }
                (Driver::SubBlock(own), End::First) => {
                    let own = self.form(own, copy)?;
                    self.system.add_zero(own);
                }
                (Driver::SubBlock(own), End::Last) => self.at_least(own, copy, 1)?,
                (Driver::Stores, _) => {}
            }
        }
        Some(())
    }

    fn refuted(mut self) -> bool {
        let numbers: Vec<Linear> = self
            .pair
            .order
            .iter()
            .map(|&it| Linear::symbol(it))
            .collect();
        let facts = self.cover.places.symbols.facts(&numbers);
        for fact in &facts {
            for copy in [BEFORE, AFTER] {
                let form = self.pair.form(fact, copy);
                form.into_iter().for_each(|form| self.system.add(form));
            }
        }
        let splits = self.pair.choices(&mut self.system);
        self.cover.apart.refute(self.system, splits)
    }
}

/// Returns whether a dealt loop is dealt by the index of the core.
fn by_core(cover: &Cover, drivers: &[Driver]) -> bool {
    let core = only_symbol(&cover.places.lane[0]);
    let starts = drivers.iter().filter_map(|driver| match driver {
        Driver::Loop(steps) => cover.places.passes.get(&steps.pass)?.start.as_ref(),
        _ => None,
    });
    let mut used = starts.map(|start| {
        cover
            .places
            .symbols
            .computed_from(std::slice::from_ref(start))
    });
    used.any(|used| core.is_some_and(|core| used.contains(&core)))
}

impl Driver {
    fn value(&self) -> Option<&Linear> {
        match self {
            Driver::Loop(steps) => Some(&steps.value),
            Driver::SubBlock(own) => Some(own),
            Driver::Stores => None,
        }
    }
}

/// Returns the symbol that a number consists of.
fn only_symbol(number: &Linear) -> Option<Symbol> {
    let symbol = number.symbols().next()?;
    (*number == Linear::symbol(symbol)).then_some(symbol)
}
