//! Steps the lanes of a launch, one statement at a time.
//!
//! Cores that never wait for one another run one after the other in the same memories, so only one group of
//! cores is active at a time. The scheduler steps lanes in its order to the end; a debugger steps any of
//! them, and goes back by images (`image.rs`).

use std::ops::Range;
use std::sync::Arc;

use super::allocate;
use super::bound::BoundLaunch;
use super::chip::Chip;
use super::inspect::Inspection;
use super::lane::{Halt, Lane, Step};
use super::lane_id::{LaneId, LaneKind};
use super::numerics::Numerics;
use super::observer::Observer;
use super::operation::Operation;
use super::outcome::{BlockedLane, Deadlock, End, Refusal, Waiting};
use super::sanitizer::SanitizerFinding;
use super::setup::Setup;
use super::shared_state::{ObservedState, SharedState};
use a2lint_ir::{Program, StmtKind};
use a2lint_isa::device::SUB_BLOCKS;
use a2lint_isa::{Act, Channel};

/// The result of a lane's last step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneState {
    /// The lane can be stepped.
    Ready,
    /// The lane had to wait; steps of other lanes may have ended that since.
    Waits(Waiting),
    /// The lane has finished.
    Finished,
}

/// All lanes of the active cores, with the state that they share.
pub struct Stepper<'p> {
    pub(super) setup: Arc<Setup<'p>>,
    pub(super) shared: SharedState,
    /// Lanes of the active cores, in stepping order.
    pub(super) lanes: Vec<Lane<'p>>,
    /// The result of each lane's last step.
    pub(super) states: Vec<LaneState>,
    /// The active cores.
    pub(super) group: Range<u32>,
    /// Number of cores that run at the same time.
    concurrent_cores: u32,
}

impl<'p> Stepper<'p> {
    /// Creates the machine of a launch before any core begins, and asks the observer which events it wants.
    pub fn new(setup: Arc<Setup<'p>>, observer: &dyn Observer) -> Stepper<'p> {
        // Cores that do not communicate use one set of memories in turn.
        let concurrent_cores = match cores_communicate(setup.program) {
            true => setup.launch.cores,
            false => 1,
        };
        let chip = Chip::new(setup.launch, &setup.allocation, concurrent_cores as usize);
        let numerics = Numerics::new(setup.program, setup.options.following);
        let chip = match &numerics {
            Some(numerics) => chip.followed(numerics.attributes_errors()),
            None => chip,
        };
        let mut shared = SharedState::new(chip, setup.program.stmt_count, setup.options.only_looks);
        shared.ask(&setup, observer);
        shared.seen.numerics = numerics;
        Stepper {
            setup,
            shared,
            lanes: Vec::new(),
            states: Vec::new(),
            group: 0..0,
            concurrent_cores,
        }
    }

    /// Returns whether the memories of the cores that run at the same time fit the limit.
    pub fn fits(&self) -> bool {
        let needed = u64::from(self.concurrent_cores)
            * allocate::core_bytes(self.setup.launch.device) as u64;
        needed <= self.setup.options.max_memory
    }

    /// Returns the number of cores that run at the same time.
    pub fn concurrent_cores(&self) -> u32 {
        self.concurrent_cores
    }

    /// Returns the state that lanes share.
    pub fn into_shared(self) -> SharedState {
        self.shared
    }

    /// Activates the group of cores that begins with `first`.
    pub fn begin(&mut self, first: u32) {
        let (program, launch) = (self.setup.program, self.setup.launch);
        // The first group finds fresh memories.
        if !self.lanes.is_empty() {
            let allocation = &self.setup.allocation;
            self.shared.chip.core(first).reset(allocation, first);
        }
        self.group = first..launch.cores.min(first + self.concurrent_cores);
        let cores = self.group.clone();
        cores
            .clone()
            .for_each(|core| self.shared.flags.post_credits(program, core));
        let ids = cores.flat_map(|core| lanes(program, launch.vec_lanes, core));
        self.lanes = ids.map(|id| Lane::new(&self.setup, id)).collect();
        self.states = vec![LaneState::Ready; self.lanes.len()];
    }

    /// Returns the lanes of the active cores, in stepping order.
    pub fn lanes(&self) -> &[Lane<'p>] {
        &self.lanes
    }

    /// Returns the results of their last steps.
    pub fn states(&self) -> &[LaneState] {
        &self.states
    }

    /// Returns whether a lane has finished.
    pub fn is_finished(&self, at: usize) -> bool {
        self.states[at] == LaneState::Finished
    }

    /// Records the result of a lane's step.
    pub fn note(&mut self, at: usize, state: LaneState) {
        self.states[at] = state;
    }

    /// Returns whether all lanes of the active cores have finished.
    pub fn is_group_finished(&self) -> bool {
        let mut states = self.states.iter();
        states.all(|state| *state == LaneState::Finished)
    }

    /// Returns the active cores, see [`Stepper::begin`].
    pub fn group(&self) -> &Range<u32> {
        &self.group
    }

    /// Steps a lane by one statement, for callers that choose the order themselves. When the last lane of the
    /// active cores finishes, the next cores are activated.
    ///
    /// # Errors
    /// A statement that cannot be executed, or an observer that stops the run.
    pub fn step(&mut self, at: usize, observer: &mut dyn Observer) -> Result<Step, Halt> {
        let (lane, mut shared) = self.lane(at, observer);
        let step = lane.step(&mut shared)?;
        self.note(
            at,
            match step {
                Step::Advanced => LaneState::Ready,
                Step::Blocked(waiting) => LaneState::Waits(waiting),
                Step::Finished => LaneState::Finished,
            },
        );
        if step == Step::Advanced {
            self.shared.tally.instructions += 1;
        }
        if self.is_group_finished() && self.group.end < self.setup.launch.cores {
            self.begin(self.group.end);
        }
        Ok(step)
    }

    /// Asks another observer which events it wants.
    pub fn ask(&mut self, observer: &dyn Observer) {
        self.shared.ask(&self.setup, observer);
    }

    /// Returns the findings so far.
    pub fn findings(&self) -> &[SanitizerFinding] {
        self.shared.seen.findings.so_far()
    }

    /// Calls `look` with the state of the machine as a lane sees it.
    pub fn inspect<R>(&mut self, at: usize, look: impl FnOnce(&mut Inspection<'_, 'p>) -> R) -> R {
        let lane = &mut self.lanes[at];
        look(&mut Inspection {
            setup: &lane.setup,
            environment: &mut lane.environment,
            chip: &mut self.shared.chip,
            mask: &lane.mask,
            operation: &Operation::Nothing,
            lane: lane.id,
        })
    }

    /// Returns the lanes of a core, in stepping order.
    pub fn lanes_of(
        program: &Program,
        launch: &BoundLaunch,
        core: u32,
    ) -> impl Iterator<Item = LaneId> + use<> {
        lanes(program, launch.vec_lanes, core)
    }

    /// Returns the work done so far, in small statements.
    pub fn spent(&self) -> u64 {
        let tally = &self.shared.tally;
        tally.instructions.saturating_add(tally.work)
    }

    /// Returns the number of executed statements, over all lanes.
    pub fn instructions(&self) -> u64 {
        self.shared.tally.instructions
    }

    /// Returns a lane, and the shared state with `observer` attached.
    pub fn lane<'w>(
        &'w mut self,
        at: usize,
        observer: &'w mut dyn Observer,
    ) -> (&'w mut Lane<'p>, ObservedState<'w>) {
        (&mut self.lanes[at], self.shared.observed_by(observer))
    }

    /// Describes a lane that waits.
    pub fn blocked(&self, at: usize, waiting: Waiting) -> BlockedLane {
        let lane = &self.lanes[at];
        BlockedLane {
            lane: lane.id,
            stmt: lane.statement().map(|stmt| stmt.id),
            waiting,
        }
    }

    /// Returns the end of a run in which every unfinished lane waits.
    pub fn standstill(&self, lanes: Vec<BlockedLane>) -> End {
        match self.shared.seen.misses_signals {
            // Code that was not followed may give the signal, so a deadlock is not certain.
            true => End::Refused(unseen_signal(&lanes)),
            false => End::Deadlock(Deadlock { lanes }),
        }
    }
}

/// Returns whether some core waits for another.
fn cores_communicate(program: &Program) -> bool {
    let mut found = false;
    program.walk(&mut |stmt| {
        if let StmtKind::Instr(instr) = &stmt.kind {
            let signal = instr.row().signal();
            found |=
                matches!(signal, Some((Act::Wait, Channel::Flag(route))) if route.joins_cores());
        }
    });
    found
}

/// Returns the refusal of a run whose lanes wait for signals that may come from code that was not followed.
fn unseen_signal(blocked: &[BlockedLane]) -> Refusal {
    let first = blocked.first();
    Refusal {
        stmt: first.and_then(|blocked| blocked.stmt),
        lane: first.map(|blocked| blocked.lane),
        reason: "it waits for a signal that may come from code that is not known".to_owned(),
        fault: None,
        unset: None,
        unplaced: None,
    }
}

/// Returns the lanes of a core, in stepping order.
pub fn lanes(program: &Program, vec_lanes: u32, core: u32) -> impl Iterator<Item = LaneId> + use<> {
    let vec_only = program.vec_only;
    let kinds = LaneKind::ALL.into_iter();
    let exists = move |kind: &LaneKind| match kind {
        LaneKind::Cube => !vec_only,
        LaneKind::Vec(index) => core * SUB_BLOCKS + u32::from(*index) < vec_lanes,
    };
    kinds.filter(exists).map(move |kind| LaneId { core, kind })
}
