//! Runs cores that do not communicate on several threads.
//!
//! The first core runs alone; as soon as its work shows that the others are worth threads, they begin beside
//! it.
//!
//! Every thread runs cores on its own copy of global memory, as the launch passes it. That gives the results
//! of cores that run one after the other if no core reads or writes what another one writes, so the accesses
//! of each are recorded. The recordings are examined in the order of the cores, and replayed to the observer
//! then, so it receives the same events as from cores that run one after the other. If two cores touch the
//! same bytes, or one exceeds the limits, their results are thrown away, and they run one after the other. A
//! run therefore has the same results, findings and events with any number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::chip::Chip;
use super::footprint::Footprint;
use super::numerics::Numerics;
use super::observer::{Observer, Progress};
use super::outcome::{Budget, End};
use super::recording::Recording;
use super::scheduler::Scheduler;
use super::setup::{Following, Options, PerturbedLoads, Setup, Stepping};
use super::shared_state::{SharedState, Tally};
use super::stepper::Stepper;
use super::unit_context::{Seen, Wants};
use a2lint_ir::{Program, StmtKind};

/// Maximum number of bytes of global memory for which threads are used.
// Each thread has its own copy.
const MAX_GLOBALS: usize = 256 << 20;
/// Longest time between two questions to the observer whether the run should continue.
const PATIENCE: Duration = Duration::from_millis(20);

/// The threads that may run the cores of a launch.
pub(super) struct Team {
    threads: u32,
    /// Remaining work from which on they are used.
    least_work: u64,
}

/// The result of cores that ran on several threads.
pub(super) enum ThreadedRun {
    /// All cores have finished.
    Finished,
    /// A core has accessed memory in conflict with earlier ones, or exceeded a limit. It and all later cores have to
    /// run again, one after the other; the events of the first `told` cores have been reported.
    Met { told: u32 },
}

/// An observer that receives no events, but still decides whether the run continues.
pub(super) struct SilentObserver<'o>(pub(super) &'o mut dyn Observer);

impl Observer for SilentObserver<'_> {
    fn is_expired(&mut self) -> bool {
        self.0.is_expired()
    }

    fn is_cancelled(&mut self) -> bool {
        self.0.is_cancelled()
    }

    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }
}

/// The result of a core that ran on a thread.
struct Ran<'s> {
    core: u32,
    thread: u32,
    end: Result<(), End>,
    footprint: Footprint,
    seen: Seen,
    tally: Tally,
    events: Recording<'s>,
}

/// The state that the threads share.
struct WorkQueue<'p, 's> {
    setup: Arc<Setup<'p>>,
    wants: Wants,
    /// The core that is started next.
    next: AtomicU32,
    is_stopped: &'s AtomicBool,
}

/// A core whose results have been accepted.
struct Done {
    thread: u32,
    footprint: Footprint,
}

impl Team {
    /// Creates the threads of a run if its cores may run side by side. From now on accesses are recorded.
    pub fn of(stepper: &mut Stepper) -> Option<Team> {
        let Setup {
            options,
            launch,
            program,
            ..
        } = &*stepper.setup;
        let bytes: usize = launch.globals.iter().map(|global| global.bytes).sum();
        let threads = options.threads.most.min(launch.cores);
        let least_work = options.threads.least_work;
        // Each condition excludes something that depends on the order of cores, or on more than one of them.
        let is_possible = threads > 1
            && stepper.concurrent_cores() == 1
            && are_in_turn(options)
            && bytes <= MAX_GLOBALS
            && !combines(program)
            && !stepper.shared.is_watched();
        // From the first core on, since the other ones are compared with it.
        if is_possible {
            stepper.shared.chip.footprint = Some(Footprint::default());
        }
        is_possible.then_some(Team {
            threads,
            least_work,
        })
    }

    /// Returns whether the remaining work, estimated from the cores that have begun, is worth threads.
    pub fn is_worth_it(&self, scheduler: &Scheduler) -> bool {
        let (finished, cores) = (scheduler.finished_cores, scheduler.cores());
        let begun = u64::from(finished) + 1;
        let left = u64::from(cores) - begun;
        scheduler.stepper.spent() / begun * left >= self.least_work
    }

    /// Runs the active core to its end, and all cores that are left.
    ///
    /// # Errors
    /// The end of the run, if not all cores have finished.
    pub fn run(
        self,
        scheduler: &mut Scheduler,
        observer: &mut dyn Observer,
    ) -> Result<ThreadedRun, End> {
        let is_stopped = AtomicBool::new(false);
        let first = scheduler.finished_cores + 1;
        let queue = WorkQueue {
            setup: Arc::clone(&scheduler.stepper.setup),
            wants: scheduler.stepper.shared.wants(),
            next: AtomicU32::new(first),
            is_stopped: &is_stopped,
        };
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let queue = &queue;
            let start = move |thread| {
                let sender = sender.clone();
                scope.spawn(move || queue.work(thread, &sender))
            };
            // One thread fewer at first, since this one still runs the active core.
            let last = self.threads - 1;
            let mut threads: Vec<_> = (0..last).map(&start).collect();
            if let Err(end) = scheduler.finish_group(observer) {
                is_stopped.store(true, Ordering::Relaxed);
                return Err(end);
            }
            scheduler.finished_cores = first;
            // From here on this thread only examines the results of the others.
            threads.push(start(last));
            drop(start);
            let shared = &mut scheduler.stepper.shared;
            let mut collector = Collector {
                setup: &queue.setup,
                observer,
                first,
                next: first,
                done: Vec::new(),
                touched: shared.chip.footprint.take().unwrap_or_default(),
                seen: queue.seen(),
                tally: shared.tally,
            };
            let outcome = collector.look_at_all(&receiver);
            is_stopped.store(true, Ordering::Relaxed);
            let chips = threads.into_iter().map(|thread| thread.join());
            let chips: Vec<Chip> = chips
                .map(|chip| chip.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect();
            if !matches!(outcome, Ok(ThreadedRun::Met { .. })) {
                scheduler.finished_cores = collector.next;
                collector.hand_over(&chips, shared);
            }
            outcome
        })
    }
}

impl<'s> WorkQueue<'_, 's> {
    /// Runs cores until none is left; returns the memories of the thread.
    fn work(&self, thread: u32, sender: &Sender<Ran<'s>>) -> Chip {
        let mut events = self.recording();
        let mut scheduler = Scheduler::new(&self.setup, &events);
        let shared = &mut scheduler.stepper.shared;
        shared.chip.footprint = Some(Footprint::default());
        let cores = self.setup.launch.cores;
        while !self.is_stopped.load(Ordering::Relaxed) {
            let core = self.next.fetch_add(1, Ordering::Relaxed);
            if core >= cores {
                break;
            }
            let end = scheduler.run_group(core, &mut events);
            let shared = &mut scheduler.stepper.shared;
            let ran = Ran {
                core,
                thread,
                end,
                footprint: shared
                    .chip
                    .footprint
                    .replace(Footprint::default())
                    .unwrap_or_default(),
                seen: std::mem::replace(&mut shared.seen, self.seen()),
                tally: std::mem::take(&mut shared.tally),
                events: std::mem::replace(&mut events, self.recording()),
            };
            if sender.send(ran).is_err() {
                break;
            }
        }
        scheduler.stepper.into_shared().chip
    }

    /// Returns the record of a core that has not begun.
    fn seen(&self) -> Seen {
        Seen {
            numerics: Numerics::new(self.setup.program, self.setup.options.following),
            ..Seen::new(self.setup.program.stmt_count)
        }
    }

    fn recording(&self) -> Recording<'s> {
        Recording::new(self.wants, self.is_stopped)
    }
}

/// Examines the cores in their order, and accepts their results.
struct Collector<'a, 'p> {
    setup: &'a Setup<'p>,
    observer: &'a mut dyn Observer,
    /// The first core that runs on a thread.
    first: u32,
    /// The core that is examined next.
    next: u32,
    /// The accepted cores.
    done: Vec<Done>,
    /// The accesses of the accepted cores and of all before them.
    touched: Footprint,
    /// The record of the accepted cores.
    seen: Seen,
    /// The work of the accepted cores and of all before them.
    tally: Tally,
}

impl Collector<'_, '_> {
    fn look_at_all(&mut self, receiver: &Receiver<Ran>) -> Result<ThreadedRun, End> {
        if !self.touched.finish() {
            return Ok(ThreadedRun::Met { told: 0 });
        }
        // Cores that have finished before one with a lower number.
        let mut early = BTreeMap::new();
        while self.next < self.setup.launch.cores {
            match receiver.recv_timeout(PATIENCE) {
                Ok(ran) => drop(early.insert(ran.core, ran)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(self.met()),
            }
            while let Some(ran) = early.remove(&self.next) {
                if !self.take_over(ran) {
                    return Ok(self.met());
                }
            }
            if let Some(end) = self.look_up() {
                return Err(end);
            }
        }
        Ok(ThreadedRun::Finished)
    }

    fn met(&self) -> ThreadedRun {
        ThreadedRun::Met {
            told: self.next - self.first,
        }
    }

    /// Accepts the results of a core, or returns `false` if it has to run again.
    fn take_over(&mut self, mut ran: Ran) -> bool {
        let is_sound = ran.end.is_ok()
            && ran.seen.stands_alone()
            && ran.events.is_whole()
            && ran.footprint.finish()
            && !ran.footprint.meets(&self.touched)
            && self.has_room(&ran.tally);
        if !is_sound {
            return false;
        }
        self.touched.absorb(&ran.footprint);
        self.tally.add(&ran.tally);
        self.seen.absorb(ran.seen);
        self.next += 1;
        ran.events.tell(self.observer);
        self.done.push(Done {
            thread: ran.thread,
            footprint: ran.footprint,
        });
        true
    }

    /// Returns whether the run stays within its limits with the work of a core.
    fn has_room(&self, tally: &Tally) -> bool {
        let mut all = self.tally;
        all.add(tally);
        let options = &self.setup.options;
        all.instructions <= options.max_instructions && all.work <= options.max_work
    }

    /// Reports progress to the observer; returns the end of the run if it should not continue.
    fn look_up(&mut self) -> Option<End> {
        self.observer.progress(&Progress {
            instructions: self.tally.instructions,
            finished_cores: self.next,
            cores: self.setup.launch.cores,
        });
        if self.observer.is_cancelled() {
            return Some(End::Cancelled);
        }
        let is_expired = self.observer.is_expired();
        is_expired.then_some(End::BudgetExhausted(Budget::Time))
    }

    /// Copies the results of the accepted cores to the run.
    fn hand_over(self, chips: &[Chip], shared: &mut SharedState) {
        shared.tally = self.tally;
        shared.seen.absorb(self.seen);
        let globals = &mut shared.chip.globals;
        for done in &self.done {
            let theirs = &chips[done.thread as usize].globals;
            // Pages that were only read exist after a run of cores in order, too.
            for (id, (start, end)) in done.footprint.read() {
                globals[id.index()].touch(start..end);
            }
            for (id, (start, end)) in done.footprint.written() {
                globals[id.index()].take_over(&theirs[id.index()], start..end);
            }
        }
    }
}

/// Returns whether cores run in order, and nothing tracks all of them together.
fn are_in_turn(options: &Options) -> bool {
    options.stepping == Stepping::InTurn
        && options.disturb == PerturbedLoads::Nothing
        && matches!(options.following, Following::Nothing | Following::Values)
        && !options.only_looks
}

/// Returns whether some stores are combined with the old contents.
fn combines(program: &Program) -> bool {
    let mut found = false;
    program.walk(&mut |stmt| found |= matches!(stmt.kind, StmtKind::Atomic { .. }));
    found
}
