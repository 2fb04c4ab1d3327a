//! Trials: guesses that have run, and the observations that they agree on.

use rustc_hash::FxHashSet;

use super::Replay;
use super::observation::{Event, Observation};
use super::outcomes::{LaunchOutcome, Shortfall};
use super::relations;
use super::shown::Task;
use a2lint_ir::{Deciding, Program, Stmt, StmtId, StmtKind, Through};
use a2lint_launches::{Candidate, rounds};
use a2lint_machine::hazards::{self, Hazard};
use a2lint_machine::{Access, FindingKind, LaneId, MemoryId, Observer, Site, SyncOp, simulate};
use a2lint_source::text::Span;

/// The properties of a guess that decide which of its observations count.
#[derive(Clone, Copy)]
pub(super) struct Traits {
    /// See [`Trial::is_meant`].
    pub is_meant: bool,
    /// See [`Trial::is_narrow`].
    pub is_narrow: bool,
}

/// A guess that has run.
pub(super) struct Trial {
    pub replay: Replay,
    /// Whether it runs on fewer cores than its sizes are meant for. Contributions of other cores are missing then, so
    /// that only faults that take several iterations are examined.
    is_narrow: bool,
    /// Whether the kernel is written for its sizes, as its tiles and its contract say. Its observations count even
    /// if other guesses do not show them.
    is_meant: bool,
    /// Whether its sizes do not fit together, by what it showed.
    breaks_sizes: bool,
    /// Whether the host never computes its sizes together, so that it shows nothing.
    is_void: bool,
    /// How far each statement got; `None` if it accessed no memory.
    reached: Vec<Option<Reach>>,
}

/// The largest iteration number of each loop around a statement, outermost first, at which a lane executed it.
type Reach = Vec<i64>;

impl Trial {
    pub(super) fn of(
        program: &Program,
        candidate: Candidate,
        Traits {
            is_meant,
            is_narrow,
        }: Traits,
        left: &mut u64,
        task: Task,
    ) -> Trial {
        let mut replay = Replay::default();
        let mut reached = vec![None; program.stmt_count as usize];
        let mut by_lane = FxHashSet::default();
        let taken = replay.run_with(
            program,
            candidate,
            *left,
            task,
            |bound, options, tracker| {
                let mut notes = Notes {
                    tracker,
                    reached: &mut reached,
                    by_lane: &mut by_lane,
                };
                simulate(program, bound, options, &mut notes)
            },
        );
        *left -= taken.min(*left);
        let observations = &mut replay.observations;
        let breaks_sizes = relations::break_sizes(observations);
        observations.retain(|observation| !is_for_lack_of_work(observation, &by_lane));
        if is_narrow {
            observations.retain(|observation| takes_iterations(&observation.event));
        }
        Trial {
            replay,
            is_narrow,
            is_meant,
            breaks_sizes,
            is_void: false,
            reached,
        }
    }

    /// Returns whether the host never computes its sizes together.
    pub(super) fn is_void(&self) -> bool {
        self.is_void
    }

    /// Returns the place of the first observation other than a hazard.
    pub(super) fn first_beyond_order(&self, program: &Program) -> Option<Span> {
        relations::first_beyond_order(program, &self.replay.observations)
    }

    /// Drops what depends on relations between sizes that the host computes and the kernel does not show.
    pub(super) fn keep_any_sizes(&mut self, program: &Program) {
        self.is_void = self.breaks_sizes;
        let observations = &mut self.replay.observations;
        if self.is_void {
            observations.clear();
        }
        relations::keep_any_sizes(program, observations);
    }

    /// Drops all observations but hazards.
    pub(super) fn keep_order_alone(&mut self) {
        let observations = &mut self.replay.observations;
        observations.retain(|observation| matches!(observation.event, Event::Hazard(_)));
    }

    /// Drops hazards in global memory between statements of which data decides what they access: invented indices are
    /// equal, so that accesses overlap which are apart in a real launch.
    pub(super) fn keep_rows_of_their_own(&mut self, program: &Program) {
        self.keep_independent(program, |hazard| {
            matches!(hazard.memory, MemoryId::Global(_))
        });
    }

    /// Returns the place of what other contents of tensors may not show.
    pub(super) fn left_to_data(&self) -> Option<Shortfall> {
        self.replay.shortfall
    }

    /// Drops hazards between statements of which data decides whether they run or what they access.
    pub(super) fn keep_independent_of_data(&mut self, program: &Program) {
        self.keep_independent(program, |_| true);
    }

    /// Drops those of some hazards whose statements depend on data.
    fn keep_independent(&mut self, program: &Program, concerns: impl Fn(&Hazard) -> bool) {
        let is_independent = |stmt: StmtId| {
            let mut deciding = Deciding::new(program, Through::Control);
            deciding.statement(stmt);
            !deciding.reads_memory()
        };
        let observations = &mut self.replay.observations;
        observations.retain(|observation| match &observation.event {
            Event::Hazard(hazard) if concerns(hazard) => {
                is_independent(hazard.first.stmt) && is_independent(hazard.second.stmt)
            }
            _ => true,
        });
    }

    /// Returns whether all of its launches finished.
    pub(super) fn is_finished(&self) -> bool {
        let mut launches = self.replay.launches.iter();
        launches.all(|launch| launch.outcome == LaunchOutcome::Finished)
    }

    /// Returns whether it showed nothing.
    pub(super) fn is_quiet(&self) -> bool {
        self.replay.observations.is_empty()
    }

    fn executes(&self, stmt: Option<StmtId>) -> bool {
        stmt.is_none_or(|stmt| self.reached[stmt.index()].is_some())
    }

    /// Returns whether every instruction with operands accessed memory.
    pub(super) fn executes_all(&self, program: &Program) -> bool {
        touching(program).all(|stmt| self.executes(Some(stmt.id)))
    }

    fn shows(&self, observation: &Observation) -> bool {
        let mut all = self.replay.observations.iter();
        all.any(|other| other.is_like(observation))
    }

    /// Returns whether another trial shows all observations of this one.
    pub(super) fn shows_no_more_than(&self, other: &Trial) -> bool {
        self.replay.observations.iter().all(|it| other.shows(it))
    }

    /// Returns whether this trial reaches the observation's statements and iterations, on enough cores, so that not
    /// showing it means the fault does not occur at this trial's sizes.
    fn could_show(&self, observation: &Observation) -> bool {
        !self.is_void && self.reaches(observation)
    }

    fn reaches(&self, observation: &Observation) -> bool {
        match &observation.event {
            Event::Deadlock(_) => self.executes(observation.stmt),
            // Whether accesses are in order may depend on the number of iterations of a lane.
            Event::Hazard(hazard) => [&hazard.first, &hazard.second]
                .iter()
                .all(|end| self.gets_to(end.stmt, &end.iterations)),
            event if takes_iterations(event) => observation
                .stmt
                .is_some_and(|stmt| self.gets_to(stmt, &observation.iterations)),
            _ => !self.is_narrow && self.executes(observation.stmt),
        }
    }

    fn gets_to(&self, stmt: StmtId, iterations: &[i64]) -> bool {
        let reach = self.reached[stmt.index()].as_ref();
        reach.is_some_and(|reach| reach.iter().zip(iterations).all(|(last, at)| last >= at))
    }

    /// Returns the largest iteration number of a loop in which a statement accesses memory; `depth` loops are
    /// around it.
    fn last_iteration(&self, stmt: &Stmt, depth: usize) -> Option<i64> {
        let mut last = None;
        stmt.walk(&mut |inner| {
            let reach = self.reached[inner.id.index()].as_ref();
            last = last.max(reach.and_then(|reach| reach.get(depth).copied()));
        });
        last
    }
}

/// Returns the first part of a kernel that no trial covers. Trials on fewer cores only show the order of
/// accesses, so another one has to execute each instruction.
pub(super) fn shortfall(program: &Program, trials: &[Trial]) -> Option<Shortfall> {
    let is_executed = |stmt: &&Stmt| {
        let mut wide = trials.iter().filter(|trial| !trial.is_narrow);
        wide.any(|trial| trial.executes(Some(stmt.id)))
    };
    if let Some(skipped) = touching(program).find(|stmt| !is_executed(stmt)) {
        return Some(Shortfall::NotExecuted(skipped.span));
    }
    let least = rounds(program);
    let mut body = program.body.iter();
    let short = body.find_map(|stmt| short_loop(program, trials, stmt, 0, least));
    short.map(Shortfall::NotRepeated)
}

/// Returns the outermost loop in a statement that accesses memory but has fewer than `least` iterations on every
/// lane of every trial, although its bounds are not constant; `depth` loops are around the statement.
fn short_loop(
    program: &Program,
    trials: &[Trial],
    stmt: &Stmt,
    depth: usize,
    least: i64,
) -> Option<Span> {
    let mut inside = depth;
    if let StmtKind::Loop {
        start, stop, step, ..
    } = stmt.kind
    {
        inside += 1;
        let mut bounds = [start, stop, step].into_iter();
        let is_fixed = bounds.all(|bound| program.scalars.as_int(bound).is_some());
        let lasts = trials.iter().map(|trial| trial.last_iteration(stmt, depth));
        let last = lasts.max().flatten();
        // A loop with constant bounds has no more iterations in any other launch.
        if !is_fixed && last.is_some_and(|last| last + 1 < least) {
            return Some(stmt.span);
        }
    }
    let mut inner = stmt.kind.blocks().flatten();
    inner.find_map(|stmt| short_loop(program, trials, stmt, inside, least))
}

/// Iterates over the statements that can access memory.
pub(super) fn touching(program: &Program) -> impl Iterator<Item = &Stmt> {
    let instructions = program.instructions().into_iter();
    instructions
        .filter(|(_, instr)| instr.operands().next().is_some())
        .map(|(stmt, _)| stmt)
}

/// Returns whether a fault may depend on the trip count of one lane, and on nothing else. Guesses count global bounds
/// for workspaces only, where later iterations use other slots.
fn takes_iterations(event: &Event) -> bool {
    matches!(
        event,
        Event::Deadlock(_)
            | Event::Hazard(_)
            | Event::Machine(
                FindingKind::StoredAccumulator { .. } | FindingKind::GlobalBounds { .. }
            )
    )
}

/// Returns whether undefined data occurs on a core with less work than others: the core skips statements that others
/// execute, while a real launch may give work to every core.
fn is_for_lack_of_work(observation: &Observation, by_lane: &FxHashSet<(LaneId, StmtId)>) -> bool {
    let is_undefined = matches!(
        observation.event,
        Event::Machine(
            FindingKind::UndefinedStore(_)
                | FindingKind::UndefinedReduction
                | FindingKind::UndefinedScalar
                | FindingKind::UndefinedIndex
                | FindingKind::UndefinedOperand
                | FindingKind::UnseededProduct
        )
    );
    let mut alike = by_lane
        .iter()
        .filter(|(lane, _)| lane.kind == observation.lane.kind);
    is_undefined && alike.any(|(_, stmt)| !by_lane.contains(&(observation.lane, *stmt)))
}

/// Returns whether an observation counts even if only one launch shows it. Non-finite results and stale data depend on
/// invented data, and zero divisors on relations between sizes.
pub(super) fn counts_alone(event: &Event) -> bool {
    match event {
        // How far accesses go depends on sizes that no launch gives.
        Event::Machine(FindingKind::GlobalBounds { .. }) => false,
        Event::Machine(_)
        | Event::Illegal(_)
        | Event::Hazard(_)
        | Event::Deadlock(_)
        | Event::Overflow { .. }
        | Event::Hole { .. } => true,
        Event::Stale { .. } | Event::NonFinite { .. } => false,
        // A host may give the sizes that belong together, and none of these.
        Event::Fault(_) | Event::Unset(_) => false,
    }
}

/// Returns the observations that occur in every trial that could show them. Observations of single trials with intended
/// sizes become partial ones.
pub(super) fn agreed(trials: Vec<Trial>, wanted: usize) -> Replay {
    let mut replay = Replay {
        executions: trials
            .iter()
            .flat_map(|trial| trial.replay.executions.clone())
            .collect(),
        ..Replay::default()
    };
    for (number, trial) in trials.iter().enumerate() {
        for observation in &trial.replay.observations {
            let mut able = trials.iter().filter(|trial| trial.could_show(observation));
            // Only trials that could show it have a vote.
            let is_agreed = able.all(|trial| trial.shows(observation));
            let showing = trials.iter().filter(|trial| trial.shows(observation));
            let is_known = replay
                .observations
                .iter()
                .any(|known| known.is_like(observation));
            if is_agreed && showing.count() >= wanted && !is_known {
                let mut observation = observation.clone();
                observation.execution = number;
                replay.observations.push(observation);
            } else if trial.is_meant && counts_alone(&observation.event) {
                let mut observation = observation.clone();
                observation.execution = number;
                replay.partial.push(observation);
            }
        }
    }
    replay
}

/// Records how far statements get that access memory, and forwards events to the hazard tracker.
struct Notes<'n, 't, 'p> {
    tracker: &'n mut hazards::Readings<'p>,
    reached: &'t mut Vec<Option<Reach>>,
    by_lane: &'t mut FxHashSet<(LaneId, StmtId)>,
}

impl Notes<'_, '_, '_> {
    fn reach(&mut self, site: &Site) {
        let reach = self.reached[site.stmt.index()].get_or_insert_with(|| site.iterations.to_vec());
        for (reached, &at) in reach.iter_mut().zip(site.iterations) {
            *reached = at.max(*reached);
        }
    }
}

impl Observer for Notes<'_, '_, '_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn begin(&mut self, site: &Site) {
        self.tracker.begin(site);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        if access.rows.iter().any(|rows| rows.bounds().is_some()) {
            self.reach(site);
            self.by_lane.insert((site.lane, site.stmt));
        }
        self.tracker.access(site, access);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        // Sets and waits access no memory, but a lane may block at one.
        self.reach(site);
        self.tracker.synchronise(site, operation);
    }
}
