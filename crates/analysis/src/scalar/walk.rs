//! Follows scalars through assignments, branches and loops.
//!
//! A loop is walked twice: once with nothing known of the variables that its body assigns, to find how each
//! of them changes in an iteration, and once with what follows from that. A variable that grows by a constant
//! is a linear expression in the iteration number, and so is the counter.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::congruence::Congruence;
use super::interval::Interval;
use super::linear::{Linear, Symbol};
use super::polynomial::{Polynomial, larger};
use super::state::{Arrival, Binding, Number, State};
use super::symbols::{Meaning, Symbols};
use a2lint_ir::{BinaryOp, Branch, ENDLESS, Program, Stmt, StmtId, StmtKind, VariableId, assigned};
use a2lint_isa::DType;

/// Visits every statement with the state before it. Statements of loops are visited once, with a state that
/// holds in every iteration.
pub trait Visitor<'p> {
    /// Visits a statement that is about to execute.
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt);

    /// Enters the body of a loop: symbols from `pass.mark` on differ between iterations.
    fn body(&mut self, _state: &State<'p>, _pass: Pass) {}

    /// Enters a block of a branch, or the body of a loop, which may not be executed.
    fn enter_block(&mut self) {}

    /// Leaves such a block.
    fn leave_block(&mut self) {}
}

/// An arbitrary iteration of a loop.
#[derive(Clone, Debug)]
pub struct Pass {
    /// The loop.
    pub id: StmtId,
    /// Number of symbols before its body.
    pub mark: u32,
    /// The iteration number.
    pub number: Linear,
    /// The value of the counter.
    pub counter: Number,
    /// The increment of the counter.
    pub step: Number,
    /// Whether the increment is at least 1.
    pub rises: bool,
    /// The first value of the counter.
    pub start: Number,
    /// Loop-carried symbols that are not linear in the iteration number, with an interval of their change per
    /// iteration.
    pub moving: Vec<(Symbol, Interval)>,
    /// The next value of the counter minus the first value that the loop does not reach (negated for a
    /// falling counter): not negative in the last iteration, and negative before it.
    pub beyond: Number,
}

/// Walks a program; returns its symbols.
pub fn walk<'p>(program: &'p Program, visitor: &mut dyn Visitor<'p>) -> Symbols {
    walk_under(program, &[], visitor)
}

/// Walks a program whose launches give some parameters at least 1.
pub fn walk_under<'p>(
    program: &'p Program,
    positive: &[VariableId],
    visitor: &mut dyn Visitor<'p>,
) -> Symbols {
    let given: Vec<Given> = positive.iter().map(|&id| Given::at_least_one(id)).collect();
    walk_from(State::new(program), program, &given, None, visitor)
}

/// The constraints on the value that launches give a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// The parameter.
    pub parameter: VariableId,
    /// An interval that contains its value.
    pub range: Interval,
    /// A residue class that contains its value.
    pub class: Congruence,
}

impl Given {
    /// Creates the restriction to values of at least 1.
    pub fn at_least_one(parameter: VariableId) -> Given {
        Given {
            parameter,
            range: Interval::from(1),
            class: Congruence::ANY,
        }
    }

    /// Returns whether some value is in the range and in the residue class.
    pub fn is_possible(&self) -> bool {
        self.class.tightened(self.range).is_some()
    }
}

/// Walks a program whose parameters lie in the given ranges, and whose tensors have extents of at most `largest_extent`
/// elements. Integers are assumed not to overflow, see [`Symbols::relies_on_types`].
pub fn walk_within<'p>(
    program: &'p Program,
    given: &[Given],
    largest_extent: Option<i64>,
    visitor: &mut dyn Visitor<'p>,
) -> Symbols {
    let mut state = State::new(program);
    state.trusts_types = true;
    walk_from(state, program, given, largest_extent, visitor)
}

/// Walks a program as [`walk_within`], with all that [`Symbols::growth`] needs.
pub fn walk_for_growth<'p>(
    program: &'p Program,
    given: &[Given],
    largest_extent: Option<i64>,
    visitor: &mut dyn Visitor<'p>,
) -> Symbols {
    let mut state = State::new(program);
    state.trusts_types = true;
    state.symbols.wants_growth = true;
    walk_from(state, program, given, largest_extent, visitor)
}

fn walk_from<'p>(
    mut state: State<'p>,
    program: &'p Program,
    given: &[Given],
    largest_extent: Option<i64>,
    visitor: &mut dyn Visitor<'p>,
) -> Symbols {
    state.symbols.largest_extent = largest_extent;
    take_all(&mut state, given);
    state.record_demands();
    let mut walk = Walk {
        state,
        visitor: Some(visitor),
        summaries: FxHashMap::default(),
        frames: Vec::new(),
    };
    walk.block(&program.body);
    // What was assumed at some statement, such as that a number stays inside of its type, must not be taken as known
    // by those who ask after the walk.
    walk.state.symbols.forget(0);
    walk.state.symbols
}

/// Restricts parameters to the given values.
pub(super) fn take_all(state: &mut State, given: &[Given]) {
    for given in given {
        state.symbols.take(given);
        let dtype = state.program.variable(given.parameter).dtype;
        if let Some(dtype) = dtype.filter(|dtype| !dtype.is_float() && !dtype.is_signed()) {
            state
                .symbols
                .take_type(given.parameter, Interval::of(dtype));
        }
    }
}

struct Walk<'p, 'v> {
    state: State<'p>,
    /// `None` while a loop is walked in advance.
    visitor: Option<&'v mut dyn Visitor<'p>>,
    summaries: FxHashMap<StmtId, Rc<Summary>>,
    /// The loops around the current statement that are being walked in advance.
    frames: Vec<Frame>,
}

/// The entry of a loop, and the ends of its iterations.
#[derive(Default)]
struct Frame {
    mark: usize,
    /// At the end of the body, and at `continue_()`.
    ends: Vec<Vec<Binding>>,
    /// At `break_()`.
    breaks: Vec<Vec<Binding>>,
}

/// Maximum number of symbols in the value of a variable that loops advance.
const LONGEST_SUM: usize = 8;

/// The effect of a loop on each variable that its body assigns.
type Summary = Vec<(VariableId, Effect)>;

/// The change of a variable.
struct Effect {
    /// From the start of an iteration to that of the next one.
    iteration: Change,
    /// From the start of the last iteration to the end of the loop, if it ends by a break.
    leaving: Change,
}

/// The difference of a value from the one before.
#[derive(Clone)]
struct Change {
    /// The constant by which it grows.
    step: Option<i64>,
    /// Whether it never decreases.
    grows: bool,
    /// Whether it never increases.
    shrinks: bool,
    /// An interval of the difference.
    gap: Interval,
    /// An upper bound of the difference, if growth is wanted.
    growth: Option<Polynomial>,
    /// An interval that contains the value.
    interval: Interval,
    /// A residue class that contains the value.
    congruence: Congruence,
}

/// The counter of a loop, before the loop.
struct Header {
    variable: VariableId,
    start: Number,
    stop: Number,
    step: Number,
}

impl<'p> Walk<'p, '_> {
    /// Walks a statement list; returns whether its end is reached.
    fn block(&mut self, block: &'p [Stmt]) -> bool {
        let mut reached = true;
        for stmt in block {
            reached &= self.stmt(stmt);
        }
        reached
    }

    /// Walks the statements of a branch or loop.
    fn inner_block(&mut self, block: &'p [Stmt]) -> bool {
        if let Some(visitor) = &mut self.visitor {
            visitor.enter_block();
        }
        let reached = self.block(block);
        if let Some(visitor) = &mut self.visitor {
            visitor.leave_block();
        }
        reached
    }

    fn stmt(&mut self, stmt: &'p Stmt) -> bool {
        if let Some(visitor) = &mut self.visitor {
            visitor.statement(&mut self.state, stmt);
        }
        match &stmt.kind {
            StmtKind::Instr(instr) => {
                if let Some(variable) = instr.reads_into() {
                    // Data from memory may be any number of the variable's type.
                    let dtype = self.state.program.variable(variable).dtype;
                    let dtype = dtype.filter(|dtype| !dtype.is_float());
                    let read = self.some(dtype.map_or(Interval::ANY, Interval::of));
                    self.state.assign(variable, Some(read));
                }
                true
            }
            StmtKind::Assign { variable, value } => {
                self.state.assign_scalar(*variable, *value);
                true
            }
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                // The stop of a loop that a condition ends is `ENDLESS`. It is not a bound: expressions of the counter
                // would seem to overflow their types.
                let is_bounded = self.state.program.scalars.as_int(*stop) != Some(ENDLESS);
                let header = Header {
                    variable: *variable,
                    start: self.state.number(*start),
                    stop: self.state.number(*stop).filter(|_| is_bounded),
                    step: self.state.number(*step),
                };
                self.iterate(stmt.id, Some(&header), body);
                true
            }
            StmtKind::UnknownLoop { body } => {
                self.iterate(stmt.id, None, body);
                true
            }
            StmtKind::If { arms, otherwise } => self.branch(arms, otherwise),
            StmtKind::Scope { side, body } => {
                let outside = self.state.enter(Some(*side));
                let goes_on = self.block(body);
                self.state.enter(outside);
                goes_on
            }
            StmtKind::AutoSync { body, .. } | StmtKind::Atomic { body, .. } => self.block(body),
            StmtKind::Break | StmtKind::Continue => {
                self.leave(matches!(stmt.kind, StmtKind::Break));
                false
            }
            StmtKind::Havoc(_) | StmtKind::Opaque => true,
        }
    }

    fn some(&mut self, interval: Interval) -> Linear {
        self.state.fresh(Meaning::Some, interval, Congruence::ANY)
    }

    /// Handles `break_()` and `continue_()`.
    fn leave(&mut self, is_break: bool) {
        if let Some(frame) = self.frames.last_mut() {
            let bindings = self.state.changed_since(frame.mark);
            match is_break {
                true => frame.breaks.push(bindings),
                false => frame.ends.push(bindings),
            }
        }
    }

    fn branch(&mut self, arms: &'p [Branch], otherwise: &'p [Stmt]) -> bool {
        let mark = self.state.mark();
        let before = self.state.symbols.assumptions();
        let mut ends = Vec::new();
        // The blocks that reach their ends, by number; the last one is that without a condition.
        let mut reaching = Vec::new();
        for (at, arm) in arms.iter().enumerate() {
            let not_taken = self.state.symbols.assumptions();
            self.state.assume(arm.condition, true);
            if self.inner_block(&arm.body) {
                ends.push(self.state.changed_since(mark));
                reaching.push(at);
            }
            self.state.undo(mark);
            self.state.symbols.forget(not_taken);
            // The next arm is reached only if this condition fails.
            self.state.assume(arm.condition, false);
        }
        if self.inner_block(otherwise) {
            ends.push(self.state.changed_since(mark));
            reaching.push(arms.len());
        }
        self.state.undo(mark);
        self.state.symbols.forget(before);
        let paths = self.paths(arms, &reaching);
        // If only one block does not leave the loop, its conditions hold for what follows.
        if let [only] = reaching[..] {
            for (at, arm) in arms.iter().enumerate().take(only + 1) {
                self.state.assume(arm.condition, at == only);
            }
        }
        let reached = !ends.is_empty();
        self.join(ends, &paths);
        reached
    }

    /// Returns for each of these blocks of a branch numbers that are not negative where it is entered.
    fn paths(&mut self, arms: &'p [Branch], blocks: &[usize]) -> Vec<Rc<Vec<Linear>>> {
        let path = |&block: &usize| {
            let arms = arms.iter().enumerate().take(block + 1);
            let facts = arms.flat_map(|(at, arm)| self.state.implied(arm.condition, at == block));
            Rc::new(facts.collect())
        };
        blocks.iter().map(path).collect()
    }

    /// Joins the values of variables on the paths that meet.
    fn join(&mut self, ends: Vec<Vec<Binding>>, paths: &[Rc<Vec<Linear>>]) {
        let join = self.state.symbols.count();
        let mut changed: Vec<VariableId> = ends.iter().flatten().map(|entry| entry.0).collect();
        changed.sort_unstable();
        changed.dedup();
        for variable in changed {
            let value = self.state.variable(variable);
            let end = |(at, end): (usize, &Vec<Binding>)| match find(end, variable) {
                Some(arrival) => arrival.clone(),
                // Paths that do not assign the variable keep its value, which their conditions may narrow.
                None => {
                    let path = paths.get(at).map_or(&[][..], |path| &path[..]);
                    self.state.arrival_where(&value, path)
                }
            };
            let arrivals: Vec<Arrival> = ends.iter().enumerate().map(end).collect();
            let joined = match self.state.either(join, &arrivals, paths) {
                Some(either) => Some(Some(either)),
                None => {
                    let few = <[Arrival; 2]>::try_from(arrivals.clone())
                        .ok()
                        .zip(two(paths));
                    let joined = match few {
                        Some((arrivals, paths)) => Some(self.state.join_two(arrivals, paths)),
                        None => arrivals.into_iter().reduce(|a, b| self.state.join(a, b)),
                    };
                    joined.map(|(value, _)| value)
                }
            };
            if let Some(value) = joined {
                self.state.assign(variable, value);
            }
        }
    }

    /// Walks a loop: its body once, in the state of an arbitrary iteration, then the state after it.
    fn iterate(&mut self, id: StmtId, header: Option<&Header>, body: &'p [Stmt]) {
        let summary = self.summary(id, header, body);
        let trips = self.trips(header);
        let most = self.state.symbols.range(&trips).max;
        if self.visitor.is_some() {
            self.iteration(id, header, body, &summary, most);
        }
        for (variable, effect) in summary.iter() {
            let entry = self.state.variable(*variable);
            let value = self.after(&entry, &effect.leaving, &trips, Meaning::Some);
            self.state.assign(*variable, value);
        }
        if let Some(header) = header {
            // Nothing is claimed of the counter after its loop.
            self.state.assign(header.variable, None);
        }
    }

    /// Walks the body in the state of an arbitrary iteration.
    fn iteration(
        &mut self,
        id: StmtId,
        header: Option<&Header>,
        body: &'p [Stmt],
        summary: &Summary,
        trips: i64,
    ) {
        let mark = self.state.mark();
        let assumptions = self.state.symbols.assumptions();
        let last = match trips {
            i64::MAX => i64::MAX,
            trips => (trips - 1).max(0),
        };
        let numbers = Interval { min: 0, max: last };
        let loop_mark = self.state.symbols.count();
        let number = self
            .state
            .fresh(Meaning::Iteration, numbers, Congruence::ANY);
        let mut moving = Vec::new();
        for (variable, effect) in summary {
            let entry = self.state.variable(*variable);
            let meaning = Meaning::LoopHead(entry.clone());
            let head = self.after(&entry, &effect.iteration, &number, meaning);
            self.state.assign(*variable, head);
            // A value that is linear in the iteration number already expresses its change.
            let head = self.state.variable(*variable);
            if let Some([(symbol, 1)]) = head.as_ref().map(|head| &head.terms[..])
                && symbol.number() > loop_mark
            {
                moving.push((*symbol, effect.iteration.gap));
            }
        }
        self.count(header, &number);
        if let Some(visitor) = &mut self.visitor {
            let step = header.and_then(|header| header.step.clone());
            let counter = header.and_then(|header| self.state.variable(header.variable));
            let range = step.as_ref().map(|step| self.state.symbols.range(step));
            let rises = range.is_some_and(|range| range.min >= 1);
            let falls = range.is_some_and(|range| range.max <= -1);
            let stop = header.and_then(|header| header.stop.as_ref());
            let beyond = counter.as_ref().zip(step.as_ref()).zip(stop);
            let beyond = beyond.and_then(|((counter, step), stop)| {
                let gap = counter.plus_times(step, 1)?.minus(stop)?;
                gap.times(if falls { -1 } else { 1 })
            });
            let pass = Pass {
                id,
                mark: loop_mark,
                moving,
                // Without a known direction, the last iteration cannot be recognised.
                beyond: beyond.filter(|_| rises || falls),
                counter,
                rises,
                step,
                start: header.and_then(|header| header.start.clone()),
                number,
            };
            visitor.body(&self.state, pass);
        }
        self.inner_block(body);
        self.state.symbols.forget(assumptions);
        self.state.undo(mark);
    }

    /// Returns the value after `times` changes.
    fn after(
        &mut self,
        entry: &Number,
        change: &Change,
        times: &Linear,
        meaning: Meaning,
    ) -> Number {
        let entry = entry.as_ref()?;
        if let Some(step) = change.step {
            let sum = entry.plus_times(times, step)?;
            if sum.terms.len() <= LONGEST_SUM {
                return Some(sum);
            }
            // A counter that many loops advance one after the other.
            let symbols = &self.state.symbols;
            let (range, class) = (symbols.range(&sum), symbols.congruence(&sum));
            return Some(self.state.fresh(Meaning::Some, range, class));
        }
        let symbols = &mut self.state.symbols;
        let start = symbols.range(entry);
        let mut interval = start.hull(change.interval);
        if change.grows {
            interval.min = interval.min.max(start.min);
        }
        if change.shrinks {
            interval.max = interval.max.min(start.max);
        }
        let congruence = symbols.congruence(entry).join(change.congruence);
        // All iterations together change the value by at most their number times the gap of one.
        let most = symbols.range(times).max;
        let furthest = |gap: i64| {
            let is_known = most != i64::MAX && gap != i64::MIN && gap != i64::MAX;
            gap.checked_mul(most.max(0)).filter(|_| is_known)
        };
        let (down, up) = (
            furthest(change.gap.min.min(0)),
            furthest(change.gap.max.max(0)),
        );
        if let Some(down) = down.filter(|_| start.min != i64::MIN) {
            interval.min = interval.min.max(start.min.saturating_add(down));
        }
        if let Some(up) = up.filter(|_| start.max != i64::MAX) {
            interval.max = interval.max.min(start.max.saturating_add(up));
        }
        let value = self.state.fresh(meaning, interval, congruence);
        if let Some(each) = &change.growth {
            let symbols = &mut self.state.symbols;
            symbols.record_rise(&value, entry, times, each.clone());
        }
        if let Some(lowest) = down.and_then(|down| entry.plus(down)) {
            self.state.symbols.assume_not_above(&lowest, &value);
        }
        if let Some(highest) = up.and_then(|up| entry.plus(up)) {
            self.state.symbols.assume_not_above(&value, &highest);
        }
        if change.grows {
            self.state.symbols.assume_not_above(entry, &value);
        }
        if change.shrinks {
            self.state.symbols.assume_not_above(&value, entry);
        }
        Some(value)
    }

    /// Returns the trip count of a loop.
    fn trips(&mut self, header: Option<&Header>) -> Linear {
        self.known_trips(header)
            .unwrap_or_else(|| self.some(Interval::from(0)))
    }

    fn known_trips(&mut self, header: Option<&Header>) -> Option<Linear> {
        let header = header?;
        let (start, stop) = (header.start.as_ref()?, header.stop.as_ref()?);
        let step = header.step.as_ref()?;
        let Some(step) = step.as_constant() else {
            let rises = self.state.symbols.range(step).min >= 1;
            let length = stop.minus(start).filter(|_| rises)?;
            let max = self.state.symbols.range(&length).max.max(0);
            let trips = self.some(Interval { min: 0, max });
            let symbols = &mut self.state.symbols;
            if symbols.wants_growth {
                let most = symbols.operation(BinaryOp::Max, length, Linear::constant(0));
                symbols.record_not_above(&trips, &most);
            }
            return Some(trips);
        };
        let (from, to) = if step > 0 {
            (start, stop)
        } else {
            (stop, start)
        };
        let (length, step) = (
            to.minus(from)?,
            step.checked_abs().filter(|&step| step > 0)?,
        );
        let is_natural =
            self.state.symbols.range(&length).min >= 0 || self.state.symbols.is_not_above(from, to);
        // A loop whose start is past its end has no iteration, not a negative number of them.
        let length = match is_natural {
            true => length,
            false => self
                .state
                .symbols
                .operation(BinaryOp::Max, length, Linear::constant(0)),
        };
        let step = Some(Linear::constant(step));
        self.state.binary(BinaryOp::CeilDiv, Some(length), step)
    }

    /// Gives the counter its value in an iteration.
    fn count(&mut self, header: Option<&Header>, iteration: &Linear) {
        let Some(header) = header else { return };
        let value = self.counter(header, iteration);
        let symbols = &mut self.state.symbols;
        let rises = header
            .step
            .as_ref()
            .is_some_and(|step| symbols.range(step).min >= 1);
        let is_natural = value
            .as_ref()
            .is_some_and(|value| symbols.range(value).min >= 0);
        if let Some(stop) = header.stop.as_ref().filter(|_| rises && is_natural) {
            let one = Linear::constant(1);
            // In an iteration the counter is at least 0 and below the limit, which is then at least 1.
            let positive = symbols.positive_with(stop);
            positive
                .iter()
                .for_each(|number| symbols.assume_not_above(&one, number));
        }
        self.state.assign(header.variable, value);
    }

    fn counter(&mut self, header: &Header, iteration: &Linear) -> Number {
        let start = header.start.as_ref()?;
        let step = header.step.as_ref()?;
        let symbols = &mut self.state.symbols;
        if let Some(step) = step.as_constant() {
            let value = start.plus_times(iteration, step)?;
            if let Some(stop) = &header.stop {
                match step {
                    1.. => symbols.assume_below(&value, stop),
                    _ => symbols.assume_below(stop, &value),
                }
            }
            return Some(value);
        }
        let rises = symbols.range(step).min >= 1;
        let mut interval = Interval::ANY;
        if rises {
            interval.min = symbols.range(start).min;
            if let Some(stop) = &header.stop {
                interval.max = match symbols.range(stop).max {
                    i64::MAX => i64::MAX,
                    max => max.saturating_sub(1).max(interval.min),
                };
            }
        }
        // The counter is the start plus some number of steps.
        let class = symbols.congruence(start);
        let class = class.join(class.plus(symbols.congruence(step)));
        let meaning = Meaning::LoopHead(Some(start.clone()));
        let value = self.state.fresh(meaning, interval, class);
        if rises {
            self.state.symbols.assume_not_above(start, &value);
            if let Some(stop) = &header.stop {
                self.state.symbols.assume_below(&value, stop);
                // Each iteration adds at least 1.
                if let Some(least) = start.plus_times(iteration, 1) {
                    self.state.symbols.assume_below(&least, stop);
                }
            }
        }
        Some(value)
    }

    /// Returns the effect of a loop on variables. It is computed once for each loop, at the first visit: what
    /// holds there also holds later, when more is known.
    fn summary(&mut self, id: StmtId, header: Option<&Header>, body: &'p [Stmt]) -> Rc<Summary> {
        if let Some(summary) = self.summaries.get(&id) {
            return summary.clone();
        }
        let mark = self.state.mark();
        let assumptions = self.state.symbols.assumptions();
        let heads: Vec<(VariableId, Number)> = assigned(body)
            .into_iter()
            .map(|variable| {
                // This pass only finds the change of the value at the loop head, so the value itself is unknown. Unless
                // types are trusted, wrapping arithmetic is followed only within the type, so the value needs the range
                // of its type.
                let meaning = Meaning::LoopHead(None);
                let wraps = |dtype: &DType| !dtype.is_signed() || dtype.bits() < 32;
                let dtype = self.state.program.variable(variable).dtype;
                let dtype = dtype.filter(|dtype| !dtype.is_float() && wraps(dtype));
                let dtype = dtype.filter(|_| !self.state.trusts_types);
                let range = dtype.map_or(Interval::ANY, Interval::of);
                let head = self.state.fresh(meaning, range, Congruence::ANY);
                self.state.assign(variable, Some(head));
                (variable, self.state.variable(variable))
            })
            .collect();
        let iteration = self
            .state
            .fresh(Meaning::Iteration, Interval::from(0), Congruence::ANY);
        self.count(header, &iteration);
        let again = header.and_then(|header| self.again(header));
        let outer = std::mem::replace(
            &mut self.frames,
            vec![Frame {
                mark,
                ..Frame::default()
            }],
        );
        // Nothing is reported: the same statements are visited again, with the summary.
        let visitor = self.visitor.take();
        if self.block(body) {
            self.leave(false);
        }
        self.visitor = visitor;
        let frame = std::mem::replace(&mut self.frames, outer)
            .pop()
            .unwrap_or_default();
        let effects = heads.into_iter().map(|(variable, head)| {
            let ends: Vec<_> = frame
                .ends
                .iter()
                .filter_map(|end| find(end, variable))
                .collect();
            let breaks = frame.breaks.iter().filter_map(|end| find(end, variable));
            // What is assigned in the last iteration alone changes nothing for the next one.
            let followed = ends.iter().map(|end| self.followed(end, again.as_ref()));
            let followed: Vec<Option<Vec<Arrival>>> = followed.collect();
            let is_last_special = followed.iter().any(Option::is_some);
            let repeated = ends.iter().zip(&followed);
            let repeated = repeated.flat_map(|(end, followed)| match followed {
                Some(arrivals) => arrivals.iter().collect(),
                None => vec![*end],
            });
            let iteration = self.change(&head, &repeated.collect::<Vec<_>>());
            let leaving = match frame.breaks.is_empty() && !is_last_special {
                true => iteration.clone(),
                // A break leaves in the middle of an iteration, and the last iteration may differ from the others, so
                // the constant step does not hold.
                false => Change {
                    step: None,
                    ..self.change(
                        &head,
                        &ends.iter().copied().chain(breaks).collect::<Vec<_>>(),
                    )
                },
            };
            (variable, Effect { iteration, leaving })
        });
        let summary: Rc<Summary> = Rc::new(effects.collect());
        self.state.undo(mark);
        self.state.symbols.forget(assumptions);
        self.summaries.insert(id, summary.clone());
        summary
    }

    /// Returns a number that is not negative in the iterations of a loop that another one follows.
    fn again(&self, header: &Header) -> Number {
        let (step, stop) = (header.step.as_ref()?, header.stop.as_ref()?);
        let next = self.state.variable(header.variable)?.plus_times(step, 1)?;
        let range = self.state.symbols.range(step);
        match (range.min, range.max) {
            (1.., _) => stop.minus(&next)?.plus(-1),
            (_, ..=-1) => next.minus(stop)?.plus(-1),
            _ => None,
        }
    }

    /// Returns the values that a variable may have at the end of an iteration that another one follows, if these are
    /// fewer than at the end of any: `again` is not negative there, which excludes paths of the last branch that
    /// assigned it.
    fn followed(&mut self, end: &Arrival, again: Option<&Linear>) -> Option<Vec<Arrival>> {
        let [(symbol, 1)] = end.0.as_ref()?.terms[..] else {
            return None;
        };
        if end.0.as_ref()?.constant_part() != 0 {
            return None;
        }
        let Meaning::Either(_, values) = self.state.symbols.meaning(symbol).clone() else {
            return None;
        };
        let zero = Linear::constant(0);
        let before = self.state.symbols.assumptions();
        self.state.symbols.assume_not_above(&zero, again?);
        let is_possible = |facts: &[Linear]| {
            let mut facts = facts.iter();
            !facts.any(|fact| {
                let next = fact.plus(1);
                next.is_some_and(|next| self.state.symbols.is_not_above(&next, &zero))
            })
        };
        let left = values.iter().filter(|(_, facts)| is_possible(facts));
        let left: Vec<Linear> = left.map(|(value, _)| value.clone()).collect();
        self.state.symbols.forget(before);
        let is_fewer = left.len() < values.len();
        let arrivals = left.into_iter().map(|it| self.state.arrival(Some(it)));
        is_fewer.then(|| arrivals.collect())
    }

    /// Returns the difference of the values at the ends of iterations from the one at their start.
    fn change(&self, head: &Number, ends: &[&Arrival]) -> Change {
        let unknown = Change {
            step: None,
            grows: false,
            shrinks: false,
            gap: Interval::ANY,
            growth: None,
            interval: Interval::ANY,
            congruence: Congruence::ANY,
        };
        let symbols = &self.state.symbols;
        let changes = ends.iter().map(|(end, interval)| {
            let (Some(head), Some(end)) = (head, end) else {
                return unknown.clone();
            };
            let gap = end.minus(head);
            Change {
                step: gap.as_ref().and_then(Linear::as_constant),
                grows: symbols.is_not_above(head, end),
                shrinks: symbols.is_not_above(end, head),
                gap: gap.as_ref().map_or(Interval::ANY, |gap| symbols.range(gap)),
                growth: gap
                    .filter(|_| symbols.wants_growth)
                    .and_then(|gap| symbols.growth(&gap)),
                interval: *interval,
                congruence: symbols.congruence(end),
            }
        });
        // If no path reaches the end of an iteration, there is no next one to change anything.
        changes.reduce(Change::or).unwrap_or(Change {
            step: Some(0),
            ..unknown
        })
    }
}

impl Change {
    fn or(self, other: Change) -> Change {
        Change {
            step: self.step.filter(|step| other.step == Some(*step)),
            grows: self.grows && other.grows,
            shrinks: self.shrinks && other.shrinks,
            gap: self.gap.hull(other.gap),
            growth: larger(self.growth, other.growth),
            interval: self.interval.hull(other.interval),
            congruence: self.congruence.join(other.congruence),
        }
    }
}

/// Returns the conditions of two paths, if there are two.
fn two(paths: &[Rc<Vec<Linear>>]) -> Option<[&[Linear]; 2]> {
    match paths {
        [first, second] => Some([first, second]),
        _ => None,
    }
}

fn find(bindings: &[Binding], variable: VariableId) -> Option<&Arrival> {
    let at = bindings.binary_search_by_key(&variable, |entry| entry.0);
    at.ok().map(|at| &bindings[at].1)
}
