//! Steps lanes in a fixed order until all have finished, or none can continue.
//!
//! A lane runs until it has to wait, then the next one has its turn: cube, vec 0, vec 1, core by core. Cores
//! that never wait for one another run one after the other in the same memories, or on several threads
//! (`team.rs`) with the same results. With [`Stepping::Drawn`] the order is drawn from a seed instead.

use std::sync::Arc;

use super::allocate::AllocationError;
use super::inputs::{Random, Tensor};
use super::lane::{Halt, Step};
use super::observer::{Observer, Progress};
use super::outcome::{Budget, End, Refusal};
use super::setup::{Options, Setup, Stepping};
use super::shared_state::{ObservedState, Tally};
use super::stepper::{LaneState, Stepper};
use super::team::{SilentObserver, Team, ThreadedRun};
use super::unit_context::Seen;
use a2lint_ir::Program;

/// Effort, in small statements, between two checks of the caller's deadline.
// A check reads a clock, which takes longer than most statements.
const LOOK_INTERVAL: u64 = 256;
/// Number of lengths of a turn: a drawn turn has 1, 2, 4, … statements.
const LONGEST_TURN: u64 = 10;

/// The result of running all cores.
pub struct Run {
    /// The end of the run.
    pub end: End,
    /// Global tensors as it left them.
    pub globals: Vec<Tensor>,
    /// What was recorded during the run.
    pub seen: Seen,
    /// The work that was done.
    pub tally: Tally,
}

impl Run {
    /// Creates the result of a run that cannot begin.
    pub fn refused(program: &Program, error: AllocationError) -> Run {
        let refusal = Refusal::before_the_start(error.message(program));
        Run {
            end: End::Refused(Refusal {
                unplaced: Some(error),
                ..refusal
            }),
            globals: Vec::new(),
            seen: Seen::new(program.stmt_count),
            tally: Tally::default(),
        }
    }
}

/// Runs every core of a launch.
pub fn run(setup: Setup, observer: &mut dyn Observer) -> Run {
    let setup = Arc::new(setup);
    let mut scheduler = Scheduler::new(&setup, observer);
    let end = match scheduler.stepper.fits() {
        true => scheduler.all(observer).err().unwrap_or(End::Finished),
        false => End::BudgetExhausted(Budget::Memory),
    };
    let shared = scheduler.stepper.into_shared();
    Run {
        end,
        globals: shared.chip.globals,
        seen: shared.seen,
        tally: shared.tally,
    }
}

/// Steps lanes of some cores.
pub(super) struct Scheduler<'p> {
    pub(super) stepper: Stepper<'p>,
    pub(super) finished_cores: u32,
    stepping_order: SteppingOrder,
}

/// The end of a lane's turn.
enum Turn {
    Finished,
    Waits(super::Waiting),
    /// The lane could continue.
    Paused,
}

/// The order in which lanes are stepped, and the lengths of their turns: fixed, or drawn from a seed.
struct SteppingOrder(Option<Random>);

impl SteppingOrder {
    fn of(stepping: Stepping) -> SteppingOrder {
        SteppingOrder(match stepping {
            Stepping::InTurn => None,
            Stepping::Drawn(seed) => Some(Random::new(seed)),
        })
    }

    fn shuffle<T>(&mut self, items: &mut [T]) {
        let Some(random) = &mut self.0 else { return };
        for end in (1..items.len()).rev() {
            items.swap(end, (random.next() % (end as u64 + 1)) as usize);
        }
    }

    /// Returns the number of statements of a turn: usually few, sometimes many.
    fn turn(&mut self) -> u64 {
        let random = self.0.as_mut();
        random.map_or(u64::MAX, |random| 1 << (random.next() % LONGEST_TURN))
    }
}

impl<'p> Scheduler<'p> {
    /// Creates the lanes before their first step, and asks the observer which events it wants.
    pub(super) fn new(setup: &Arc<Setup<'p>>, observer: &dyn Observer) -> Scheduler<'p> {
        Scheduler {
            stepping_order: SteppingOrder::of(setup.options.stepping),
            finished_cores: 0,
            stepper: Stepper::new(Arc::clone(setup), observer),
        }
    }

    /// Runs all cores; those that communicate run at the same time.
    fn all(&mut self, observer: &mut dyn Observer) -> Result<(), End> {
        let (cores, concurrent) = (self.cores(), self.stepper.concurrent_cores());
        let mut groups: Vec<u32> = (0..cores).step_by(concurrent as usize).collect();
        self.stepping_order.shuffle(&mut groups);
        let mut team = Team::of(&mut self.stepper);
        // Cores whose events the team has already reported.
        let mut heard = 0;
        for (at, &first) in groups.iter().enumerate() {
            // The events of these cores must not be reported twice.
            let mut silent = SilentObserver(observer);
            let observer: &mut dyn Observer = match first < heard {
                true => &mut silent,
                false => silent.0,
            };
            self.stepper.begin(first);
            let mut order = self.order();
            while !self.stepper.is_group_finished() {
                self.round(&mut order, observer)?;
                let Some(team) = team.take_if(|team| team.is_worth_it(self)) else {
                    continue;
                };
                match team.run(self, observer)? {
                    ThreadedRun::Finished => return Ok(()),
                    ThreadedRun::Met { told } => heard = first + 1 + told,
                }
            }
            self.finished_cores = cores.min((at as u32 + 1) * concurrent);
        }
        Ok(())
    }

    /// Runs the group of cores that begins with `first`.
    pub(super) fn run_group(&mut self, first: u32, observer: &mut dyn Observer) -> Result<(), End> {
        self.stepper.begin(first);
        self.finish_group(observer)
    }

    /// Steps the lanes of the current cores until all have finished.
    pub(super) fn finish_group(&mut self, observer: &mut dyn Observer) -> Result<(), End> {
        let mut order = self.order();
        while !self.stepper.is_group_finished() {
            self.round(&mut order, observer)?;
        }
        Ok(())
    }

    /// Returns the number of cores of the launch.
    pub(super) fn cores(&self) -> u32 {
        self.stepper.setup.launch.cores
    }

    /// Returns the initial order of the lanes of the current cores.
    fn order(&self) -> Vec<usize> {
        (0..self.stepper.lanes().len()).collect()
    }

    /// Gives every lane of the current cores one turn.
    fn round(&mut self, order: &mut [usize], observer: &mut dyn Observer) -> Result<(), End> {
        let mut progress = false;
        let mut blocked = Vec::new();
        self.stepping_order.shuffle(order);
        for &at in &*order {
            if self.stepper.is_finished(at) {
                continue;
            }
            let before = self.stepper.instructions();
            match self.turn(at, observer)? {
                Turn::Finished => {
                    self.stepper.note(at, LaneState::Finished);
                    progress = true;
                }
                Turn::Paused => {}
                Turn::Waits(waiting) => blocked.push(self.stepper.blocked(at, waiting)),
            }
            // A lane that waits may have advanced before it had to.
            progress |= self.stepper.instructions() > before;
        }
        match progress {
            true => Ok(()),
            false => Err(self.stepper.standstill(blocked)),
        }
    }

    /// Steps a lane until it waits, finishes, or its turn is over.
    fn turn(&mut self, at: usize, observer: &mut dyn Observer) -> Result<Turn, End> {
        let cores = (self.finished_cores, self.cores());
        let options = self.stepper.setup.options;
        let (lane, mut shared) = self.stepper.lane(at, observer);
        for _ in 0..self.stepping_order.turn() {
            match lane.step(&mut shared) {
                Ok(Step::Advanced) => count(&mut shared, &options, cores)?,
                Ok(Step::Blocked(waiting)) => return Ok(Turn::Waits(waiting)),
                Ok(Step::Finished) => return Ok(Turn::Finished),
                Err(Halt::Refused(refusal)) => return Err(End::Refused(refusal)),
                Err(Halt::Stopped) => return Err(End::Stopped),
            }
        }
        Ok(Turn::Paused)
    }
}

/// Counts a statement, and ends the run at its limits.
fn count(shared: &mut ObservedState, options: &Options, cores: (u32, u32)) -> Result<(), End> {
    let tally = &mut *shared.tally;
    tally.instructions += 1;
    if tally.instructions > options.max_instructions {
        return Err(End::BudgetExhausted(Budget::Instructions));
    }
    if tally.work > options.max_work {
        return Err(End::BudgetExhausted(Budget::Work));
    }
    tally.effort += 1;
    if tally.effort < LOOK_INTERVAL {
        return Ok(());
    }
    tally.effort = 0;
    look_up(shared, cores)
}

/// Reports progress to the observer, and asks whether the run should continue.
fn look_up(shared: &mut ObservedState, (finished_cores, cores): (u32, u32)) -> Result<(), End> {
    let observer = &mut *shared.monitor.observer;
    observer.progress(&Progress {
        instructions: shared.tally.instructions,
        finished_cores,
        cores,
    });
    if observer.is_cancelled() {
        return Err(End::Cancelled);
    }
    match observer.is_expired() {
        true => Err(End::BudgetExhausted(Budget::Time)),
        false => Ok(()),
    }
}
