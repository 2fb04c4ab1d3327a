//! Guesses that have run, and what they agree on.

use rustc_hash::FxHashSet;

use super::Replay;
use super::looked_at::{LaunchOutcome, Shortfall};
use super::sighting::{Event, Sighting};
use a2lint_ir::{Program, Stmt, StmtId, StmtKind};
use a2lint_launches::{Candidate, rounds};
use a2lint_machine::hazards;
use a2lint_machine::{Access, FindingKind, LaneId, Observer, Site, SyncOp, simulate};
use a2lint_source::text::Span;

/// One guess, and what it showed.
pub(super) struct Trial {
    pub replay: Replay,
    /// Whether it runs on fewer cores than the device has: what a kernel takes from other cores is
    /// not there, and only what takes several iterations is looked at.
    is_narrow: bool,
    /// Whether the kernel is written for its sizes, as far as its own tiles and its contract say: then
    /// what it shows counts even if other guesses do not show it.
    is_meant: bool,
    /// For each statement, how far it got; `None` where it touched no memory.
    reached: Vec<Option<Reach>>,
}

/// The largest iteration number of each loop around a statement, outermost first, at which some lane
/// executed it.
type Reach = Vec<i64>;

impl Trial {
    pub(super) fn of(
        program: &Program,
        candidate: Candidate,
        is_meant: bool,
        left: &mut u64,
        saturate: bool,
    ) -> Trial {
        let is_narrow = candidate.block_dim.is_some();
        let mut replay = Replay::default();
        let mut reached = vec![None; program.stmt_count as usize];
        let mut by_lane = FxHashSet::default();
        let taken = replay.run_with(
            program,
            candidate,
            *left,
            saturate,
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
        let sightings = &mut replay.sightings;
        sightings.retain(|sighting| !is_for_lack_of_work(sighting, &by_lane));
        if is_narrow {
            sightings.retain(|sighting| takes_iterations(&sighting.event));
        }
        Trial {
            replay,
            is_narrow,
            is_meant,
            reached,
        }
    }

    /// Leaves out all but the order of accesses.
    pub(super) fn keep_order_alone(&mut self) {
        let sightings = &mut self.replay.sightings;
        sightings.retain(|sighting| matches!(sighting.event, Event::Hazard(_)));
    }

    /// Whether every launch of it came to its end.
    pub(super) fn is_finished(&self) -> bool {
        let mut launches = self.replay.launches.iter();
        launches.all(|launch| launch.outcome == LaunchOutcome::Finished)
    }

    fn executes(&self, stmt: Option<StmtId>) -> bool {
        stmt.is_none_or(|stmt| self.reached[stmt.index()].is_some())
    }

    /// Whether every instruction that can touch memory did.
    pub(super) fn executes_all(&self, program: &Program) -> bool {
        touching(program).all(|stmt| self.executes(Some(stmt.id)))
    }

    fn shows(&self, sighting: &Sighting) -> bool {
        let mut all = self.replay.sightings.iter();
        all.any(|other| other.is_like(sighting))
    }

    /// Whether it shows nothing that another one does not.
    pub(super) fn shows_no_more_than(&self, other: &Trial) -> bool {
        self.replay.sightings.iter().all(|it| other.shows(it))
    }

    /// Whether it would show a sighting if that were there for its sizes, too.
    fn could_show(&self, sighting: &Sighting) -> bool {
        match &sighting.event {
            Event::Deadlock(_) => self.executes(sighting.stmt),
            // Whether accesses are ordered may depend on how many iterations a lane has done.
            Event::Hazard(hazard) => [&hazard.first, &hazard.second]
                .iter()
                .all(|end| self.gets_to(end.stmt, &end.iterations)),
            event if takes_iterations(event) => sighting
                .stmt
                .is_some_and(|stmt| self.gets_to(stmt, &sighting.iterations)),
            _ => !self.is_narrow && self.executes(sighting.stmt),
        }
    }

    fn gets_to(&self, stmt: StmtId, iterations: &[i64]) -> bool {
        let reach = self.reached[stmt.index()].as_ref();
        reach.is_some_and(|reach| reach.iter().zip(iterations).all(|(last, at)| last >= at))
    }

    /// The largest number of an iteration of a loop in which something touches memory; `depth` loops are
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

/// The first part of a kernel that none of the trials shows. Those on fewer cores show the order of
/// accesses alone, so that an instruction has to be executed by another one.
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

/// The outermost loop in a statement that touches memory and that no lane of any trial goes round so
/// often, though it might; `depth` loops are around the statement.
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
        if !is_fixed && last.is_some_and(|last| last + 1 < least) {
            return Some(stmt.span);
        }
    }
    let mut inner = stmt.kind.blocks().flatten();
    inner.find_map(|stmt| short_loop(program, trials, stmt, inside, least))
}

/// Statements that can touch memory.
fn touching(program: &Program) -> impl Iterator<Item = &Stmt> {
    let instructions = program.instructions().into_iter();
    instructions
        .filter(|(_, instr)| instr.operands().next().is_some())
        .map(|(stmt, _)| stmt)
}

/// Whether something may take several iterations of one lane, and nothing else, to go wrong. Global
/// tensors whose bounds count in a guess are workspaces, and later iterations use other slots.
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

/// Whether undefined data is seen on a core that a guess gave less to do than others: it skips what they
/// execute, and a launch of the author's may give every core its share.
fn is_for_lack_of_work(sighting: &Sighting, by_lane: &FxHashSet<(LaneId, StmtId)>) -> bool {
    let is_undefined = matches!(
        sighting.event,
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
        .filter(|(lane, _)| lane.kind == sighting.lane.kind);
    is_undefined && alike.any(|(_, stmt)| !by_lane.contains(&(sighting.lane, *stmt)))
}

/// Whether what one launch shows is there whatever other launches show. Not finite results and stale data
/// depend on data that was invented, and divisors that are 0 on how sizes belong together.
pub(super) fn counts_alone(event: &Event) -> bool {
    match event {
        // How far a kernel goes follows from sizes that no launch gives.
        Event::Machine(FindingKind::GlobalBounds { .. }) => false,
        Event::Machine(_)
        | Event::Illegal(_)
        | Event::Hazard(_)
        | Event::Deadlock(_)
        | Event::Overflow { .. }
        | Event::Hole { .. } => true,
        Event::Stale { .. } | Event::NonFinite { .. } | Event::Fault(_) => false,
    }
}

/// What every trial shows that could show it; and what one shows whose sizes the kernel is written for.
pub(super) fn agreed(trials: Vec<Trial>, wanted: usize) -> Replay {
    let mut replay = Replay {
        executions: trials
            .iter()
            .flat_map(|trial| trial.replay.executions.clone())
            .collect(),
        ..Replay::default()
    };
    for (number, trial) in trials.iter().enumerate() {
        for sighting in &trial.replay.sightings {
            let mut able = trials.iter().filter(|trial| trial.could_show(sighting));
            let is_agreed = able.all(|trial| trial.shows(sighting));
            let showing = trials.iter().filter(|trial| trial.shows(sighting));
            let is_known = replay.sightings.iter().any(|known| known.is_like(sighting));
            if is_agreed && showing.count() >= wanted && !is_known {
                let mut sighting = sighting.clone();
                sighting.execution = number;
                replay.sightings.push(sighting);
            } else if trial.is_meant && counts_alone(&sighting.event) {
                let mut sighting = sighting.clone();
                sighting.execution = number;
                replay.partial.push(sighting);
            }
        }
    }
    replay
}

/// Takes down how far statements get that touch memory, for a tracker of hazards.
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
        self.reach(site);
        self.tracker.synchronise(site, operation);
    }
}
