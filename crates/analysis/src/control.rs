//! Decisions of control that follow from scalars: loops that have an iteration in every execution, and
//! branches that are always or never taken, in general or in certain iterations of the surrounding loop.

use rustc_hash::{FxHashMap, FxHashSet};

use super::scalar::{Interval, Linear, Pass, State, Visitor, walk_under};
use a2lint_ir::{Branch, ENDLESS, Program, ScalarId, Stmt, StmtId, StmtKind, VariableId};
use a2lint_isa::ParamKind;

/// The iterations of the innermost loop that are followed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Phase {
    /// Whether they are first iterations; `None` for both kinds.
    pub first: Option<bool>,
    /// Whether they are last iterations, by the loop's counter; `None` for both kinds.
    pub last: Option<bool>,
}

impl Phase {
    /// Any iteration.
    pub const ANY: Phase = Phase::new(None, None);
    /// The first one, with or without others after it.
    pub const FIRST: Phase = Phase::new(Some(true), None);
    /// Any but the first one.
    pub const LATER: Phase = Phase::new(Some(false), None);
    /// The first one of several.
    pub const OPENING: Phase = Phase::new(Some(true), Some(false));
    /// Neither the first nor the last one.
    pub const MIDDLE: Phase = Phase::new(Some(false), Some(false));
    /// The last one of several.
    pub const CLOSING: Phase = Phase::new(Some(false), Some(true));
    /// The only one.
    pub const ONLY: Phase = Phase::new(Some(true), Some(true));

    /// All phases that distinguish iterations.
    const ALL: [Phase; 6] = [
        Phase::FIRST,
        Phase::LATER,
        Phase::OPENING,
        Phase::MIDDLE,
        Phase::CLOSING,
        Phase::ONLY,
    ];

    const fn new(first: Option<bool>, last: Option<bool>) -> Phase {
        Phase { first, last }
    }

    /// Returns the phase without its constraint on being the last iteration.
    fn with_or_without_others(self) -> Phase {
        Phase { last: None, ..self }
    }
}

/// The decisions of control in a program.
#[derive(Debug, Default, PartialEq)]
pub struct ControlFacts {
    entered: FxHashSet<StmtId>,
    /// Loops that have more than one iteration in every execution.
    repeated: FxHashSet<StmtId>,
    /// Loops shown to terminate: their counter approaches a bound by at least 1 per iteration, or an expression in an
    /// exit condition does.
    ending_loops: FxHashSet<StmtId>,
    /// The subset of `ending_loops` whose counter may overflow its unsigned type in the last step.
    wrapping: FxHashSet<StmtId>,
    /// Loops in which some condition is decided in the last iteration alone, or in all before it alone.
    ending: FxHashSet<StmtId>,
    /// By branch and index of the condition, the phases in which it is decided, and how; likewise for flags
    /// of instructions.
    conditions: FxHashMap<(StmtId, usize), Vec<(Phase, bool)>>,
}

impl ControlFacts {
    /// Computes the decisions in a program whose launches give some parameters at least 1.
    pub fn of(program: &Program, positive: &[VariableId]) -> ControlFacts {
        let mut collect = Collect::new(program);
        walk_under(program, positive, &mut collect);
        collect.control
    }

    /// Returns whether every execution of the loop has at least one iteration.
    pub fn enters(&self, id: StmtId) -> bool {
        self.entered.contains(&id)
    }

    /// Returns whether a loop has more than one iteration in every execution.
    pub fn repeats(&self, id: StmtId) -> bool {
        self.repeated.contains(&id)
    }

    /// Returns whether a loop is shown to terminate, provided that its counter does not wrap around.
    pub fn ends(&self, id: StmtId) -> bool {
        self.ending_loops.contains(&id)
    }

    /// Returns whether the counter of a loop may overflow its type and wrap around.
    pub fn may_wrap(&self, id: StmtId) -> bool {
        self.wrapping.contains(&id)
    }

    /// Returns whether conditions in a loop distinguish its last iteration.
    pub fn distinguishes_last(&self, id: StmtId) -> bool {
        self.ending.contains(&id)
    }

    /// Returns whether a condition of a branch, or a flag of an instruction, holds in such an iteration of
    /// the innermost loop around it; `None` if that is not decided.
    pub fn takes(&self, branch: StmtId, arm: usize, phase: Phase) -> Option<bool> {
        let decided = self.conditions.get(&(branch, arm))?;
        let holds_in = |asked: Phase| {
            let mut all = decided.iter();
            Some(all.find(|(known, _)| *known == asked)?.1)
        };
        let less = [phase, phase.with_or_without_others(), Phase::ANY];
        less.into_iter().find_map(holds_in)
    }
}

struct Collect<'a> {
    program: &'a Program,
    /// An arbitrary iteration of each loop.
    passes: FxHashMap<StmtId, Pass>,
    /// The branches that may exit a loop and that every iteration reaches, each with its loop.
    exits: FxHashMap<StmtId, StmtId>,
    control: ControlFacts,
}

impl<'p> Visitor<'p> for Collect<'_> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        match &stmt.kind {
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                self.exits.extend(exits(body).map(|exit| (exit, stmt.id)));
                let (step_range, stop_range) = (state.range(*step), state.range(*stop));
                let limits = self.program.variable(*variable).dtype;
                let limits = limits.filter(|dtype| !dtype.is_signed()).map(Interval::of);
                let is_bounded = self.program.scalars.as_int(*stop) != Some(ENDLESS)
                    && limits.is_none_or(|limits| stop_range.min <= limits.max);
                if is_bounded && (step_range.min >= 1 || step_range.max <= -1) {
                    self.control.ending_loops.insert(stmt.id);
                    // The counter ends at `stop + step - 1` at most; past the maximum of an unsigned type, it wraps
                    // around.
                    let furthest = stop_range.plus(step_range).plus(Interval::exact(-1));
                    if limits.is_some_and(|limits| furthest.max > limits.max) {
                        self.control.wrapping.insert(stmt.id);
                    }
                }
                let [once, twice] = iterates(state, [*start, *stop, *step]);
                if once {
                    self.control.entered.insert(stmt.id);
                }
                if twice {
                    self.control.repeated.insert(stmt.id);
                }
            }
            StmtKind::If { arms, .. } => {
                if let Some(&around) = self.exits.get(&stmt.id)
                    && self.runs_out(state, around, arms)
                {
                    self.control.ending_loops.insert(around);
                }
                for (at, arm) in arms.iter().enumerate() {
                    self.condition(state, (stmt.id, at), arm.condition);
                }
            }
            StmtKind::Instr(instr) => {
                let flags = instr.row().params().zip(&instr.args);
                let flags = flags.filter(|(param, _)| param.kind == ParamKind::Flag);
                let flags = flags.filter_map(|(_, arg)| arg.value.scalar());
                for (at, flag) in flags.enumerate() {
                    self.condition(state, (stmt.id, at), flag);
                }
            }
            _ => {}
        }
    }

    fn body(&mut self, _state: &State<'p>, pass: Pass) {
        self.passes.insert(pass.id, pass);
    }
}

impl<'a> Collect<'a> {
    fn new(program: &'a Program) -> Collect<'a> {
        Collect {
            program,
            passes: FxHashMap::default(),
            exits: FxHashMap::default(),
            control: ControlFacts::default(),
        }
    }

    /// Returns whether the first condition of a branch becomes true in some iteration of a loop: while it is false,
    /// some expression is non-negative and decreases in each iteration.
    fn runs_out(&self, state: &mut State, around: StmtId, arms: &[Branch]) -> bool {
        let (Some(pass), Some(exit)) = (self.passes.get(&around), arms.first()) else {
            return false;
        };
        let left = state.implied(exit.condition, false);
        left.iter()
            .any(|left| change(pass, left).is_some_and(|change| change.max <= -1))
    }

    fn condition(&mut self, state: &mut State, at: (StmtId, usize), condition: ScalarId) {
        let mut decided = Vec::new();
        let innermost = self.program.loops(at.0).last();
        // Decided in every iteration: phases add nothing to that.
        if let Some(holds) = state.decide(condition, None, &[]) {
            decided.push((Phase::ANY, holds));
        } else if let Some((id, pass)) = innermost.and_then(|id| self.passes.get_key_value(id)) {
            for phase in Phase::ALL {
                let Some(facts) = facts(pass, phase) else {
                    continue;
                };
                // In the first iteration, symbols of the loop have their values from before it.
                let entered = (phase.first == Some(true)).then_some(pass.mark);
                let Some(holds) = state.decide(condition, entered, &facts) else {
                    continue;
                };
                // A decision for all first iterations covers those with and without others after them.
                if decided.contains(&(phase.with_or_without_others(), holds)) {
                    continue;
                }
                decided.push((phase, holds));
                if phase.last.is_some() {
                    self.control.ending.insert(*id);
                }
            }
        }
        if !decided.is_empty() {
            self.control.conditions.insert(at, decided);
        }
    }
}

/// Returns the branches in the body of a loop whose first block ends in `break`, and that every iteration reaches
/// unless it exits the loop earlier.
fn exits(body: &[Stmt]) -> impl Iterator<Item = StmtId> {
    let reached = body.iter().take_while(|stmt| !skips(stmt));
    reached.filter_map(|stmt| {
        let StmtKind::If { arms, .. } = &stmt.kind else {
            return None;
        };
        let last = arms.first()?.body.last()?;
        matches!(last.kind, StmtKind::Break).then_some(stmt.id)
    })
}

/// Returns whether a statement may skip the rest of the current iteration of the enclosing loop.
fn skips(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Continue => true,
        StmtKind::Loop { .. } | StmtKind::UnknownLoop { .. } => false,
        kind => kind.blocks().flatten().any(skips),
    }
}

/// Returns an interval of the change of an expression per iteration of a loop; `None` if the change is unknown.
fn change(pass: &Pass, number: &Linear) -> Option<Interval> {
    let iteration = pass.number.symbols().next()?;
    let mut change = Interval::exact(0);
    for (symbol, factor) in number.terms() {
        // Symbols that were created before the loop are invariant in it.
        if symbol.number() < pass.mark {
            continue;
        }
        let own = match symbol == iteration {
            true => Interval::exact(1),
            false => pass.moving.iter().find(|(it, _)| *it == symbol)?.1,
        };
        change = change.plus(own.times(factor));
    }
    Some(change)
}

/// Returns expressions that are not negative in iterations of this phase. That the first iteration has the values from
/// before the loop is known without them. `None` if the last iteration cannot be recognised.
fn facts(pass: &Pass, phase: Phase) -> Option<Vec<Linear>> {
    let mut facts = Vec::new();
    if phase.first == Some(false) {
        facts.push(pass.number.plus(-1)?);
    }
    if let Some(is_last) = phase.last {
        let beyond = pass.beyond.as_ref()?;
        facts.push(match is_last {
            true => beyond.clone(),
            false => beyond.times(-1)?.plus(-1)?,
        });
    }
    Some(facts)
}

/// Returns whether a loop has a first and a second iteration in every execution.
fn iterates(state: &mut State, bounds: [ScalarId; 3]) -> [bool; 2] {
    let [start, stop, step] = bounds.map(|id| state.number(id));
    let (Some(start), Some(stop), Some(step)) = (start, stop, step) else {
        return [false; 2];
    };
    let direction = match state.range_of(&step) {
        range if range.min >= 1 => 1,
        range if range.max <= -1 => -1,
        _ => return [false; 2],
    };
    let second = start.plus_times(&step, 1);
    [Some(start), second].map(|counter| {
        let gap = counter.and_then(|counter| stop.minus(&counter)?.times(direction)?.plus(-1));
        gap.is_some_and(|gap| state.is_not_above(&Linear::constant(0), &gap))
    })
}
