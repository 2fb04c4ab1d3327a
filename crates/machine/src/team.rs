//! Cores that do not meet, on several threads.
//!
//! The first core runs as it would alone; as soon as what it has done tells that the others are worth threads,
//! they begin beside it.
//!
//! Every thread runs cores on global memory of its own, which holds what the launch passes. That comes to what
//! cores one after the other come to wherever no core reads or writes what another one writes, so it is
//! written down what each touches. Cores are looked at in their order; what the observer would have heard of
//! them it is told then, so that it hears what it hears of cores one after the other. Where two have met, or
//! one did not come to its end within the limits, the results are thrown away, and the cores run one after
//! the other. So a run has the same results, findings and events with any number of threads.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::Duration;

use super::chip::Chip;
use super::footprint::Footprint;
use super::observer::{Observer, Progress};
use super::outcome::{Budget, End};
use super::recording::Recording;
use super::scheduler::Scheduler;
use super::setup::{Disturb, Options, Setup, Stepping};
use super::station::{Seen, Wants};
use super::stepper::Stepper;
use super::world::{Shared, Tally};
use a2lint_ir::{Program, StmtKind};

/// Most bytes of global memory of which every thread has its own.
const MAX_GLOBALS: usize = 256 << 20;
/// How long nobody asks the observer whether the run is to go on.
const PATIENCE: Duration = Duration::from_millis(20);

/// Threads that may run the cores of a launch.
pub(super) struct Team {
    threads: u32,
    /// Work left to do from which on they are worth their while.
    least_work: u64,
}

/// What came of cores that ran on several threads.
pub(super) enum Parted {
    /// All have come to their end.
    Finished,
    /// They have to run one after the other. The observer has heard of so many of them.
    Met { told: u32 },
}

/// An observer that hears nothing of what happens, and decides whether the run goes on.
pub(super) struct Deaf<'o>(pub(super) &'o mut dyn Observer);

impl Observer for Deaf<'_> {
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

/// A core that ran on a thread.
struct Ran<'s> {
    core: u32,
    thread: u32,
    end: Result<(), End>,
    footprint: Footprint,
    seen: Seen,
    tally: Tally,
    events: Recording<'s>,
}

/// What the threads share.
struct Desk<'p, 's> {
    setup: Arc<Setup<'p>>,
    wants: Wants,
    /// The core that is run next.
    next: AtomicU32,
    is_stopped: &'s AtomicBool,
}

/// A core that has been looked at.
struct Done {
    thread: u32,
    footprint: Footprint,
}

impl Team {
    /// The threads of a run, where its cores may run side by side. From here on it is written down what they touch.
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
        let is_possible = threads > 1
            && stepper.together() == 1
            && are_in_turn(options)
            && bytes <= MAX_GLOBALS
            && !combines(program)
            && !stepper.shared.is_watched();
        if is_possible {
            stepper.shared.chip.footprint = Some(Footprint::default());
        }
        is_possible.then_some(Team {
            threads,
            least_work,
        })
    }

    /// Whether what is left to do, by what the cores that have begun have done, is worth threads.
    pub fn is_worth_it(&self, scheduler: &Scheduler) -> bool {
        let (finished, cores) = (scheduler.finished_cores, scheduler.cores());
        let begun = u64::from(finished) + 1;
        let left = u64::from(cores) - begun;
        scheduler.stepper.spent() / begun * left >= self.least_work
    }

    /// Runs the core that has begun to its end, and those that are left.
    ///
    /// # Errors
    /// How the run has ended, where not all cores have come to their end.
    pub fn run(
        self,
        scheduler: &mut Scheduler,
        observer: &mut dyn Observer,
    ) -> Result<Parted, End> {
        let is_stopped = AtomicBool::new(false);
        let first = scheduler.finished_cores + 1;
        let desk = Desk {
            setup: Arc::clone(&scheduler.stepper.setup),
            wants: scheduler.stepper.shared.wants(),
            next: AtomicU32::new(first),
            is_stopped: &is_stopped,
        };
        std::thread::scope(|scope| {
            let (sender, receiver) = channel();
            let desk = &desk;
            let start = move |thread| {
                let sender = sender.clone();
                scope.spawn(move || desk.work(thread, &sender))
            };
            let last = self.threads - 1;
            let mut threads: Vec<_> = (0..last).map(&start).collect();
            if let Err(end) = scheduler.finish_group(observer) {
                is_stopped.store(true, Ordering::Relaxed);
                return Err(end);
            }
            scheduler.finished_cores = first;
            // From here on this thread only looks at what the others have done.
            threads.push(start(last));
            drop(start);
            let shared = &mut scheduler.stepper.shared;
            let mut foreman = Foreman {
                setup: &desk.setup,
                observer,
                first,
                next: first,
                done: Vec::new(),
                touched: shared.chip.footprint.take().unwrap_or_default(),
                seen: Seen::new(desk.setup.program.stmt_count),
                tally: shared.tally,
            };
            let outcome = foreman.look_at_all(&receiver);
            is_stopped.store(true, Ordering::Relaxed);
            let chips = threads.into_iter().map(|thread| thread.join());
            let chips: Vec<Chip> = chips
                .map(|chip| chip.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .collect();
            if !matches!(outcome, Ok(Parted::Met { .. })) {
                scheduler.finished_cores = foreman.next;
                foreman.hand_over(&chips, shared);
            }
            outcome
        })
    }
}

impl<'s> Desk<'_, 's> {
    /// Runs cores until there are none left; the memories that they leave.
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
                seen: std::mem::replace(&mut shared.seen, Seen::new(self.setup.program.stmt_count)),
                tally: std::mem::take(&mut shared.tally),
                events: std::mem::replace(&mut events, self.recording()),
            };
            if sender.send(ran).is_err() {
                break;
            }
        }
        scheduler.stepper.into_shared().chip
    }

    fn recording(&self) -> Recording<'s> {
        Recording::new(self.wants, self.is_stopped)
    }
}

/// Who looks at the cores in their order, and takes over what they have done.
struct Foreman<'a, 'p> {
    setup: &'a Setup<'p>,
    observer: &'a mut dyn Observer,
    /// The first core that ran on a thread.
    first: u32,
    /// The core that is looked at next.
    next: u32,
    /// Those that have been looked at.
    done: Vec<Done>,
    /// What they and the cores before have touched.
    touched: Footprint,
    /// What was seen of them.
    seen: Seen,
    /// What they and the cores before have done.
    tally: Tally,
}

impl Foreman<'_, '_> {
    fn look_at_all(&mut self, receiver: &Receiver<Ran>) -> Result<Parted, End> {
        if !self.touched.finish() {
            return Ok(Parted::Met { told: 0 });
        }
        // Cores that came to their end before others that come before them.
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
        Ok(Parted::Finished)
    }

    fn met(&self) -> Parted {
        Parted::Met {
            told: self.next - self.first,
        }
    }

    /// Takes over what a core has done, unless it has to be done again.
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

    /// Whether the run stays inside of its limits with what a core has done.
    fn has_room(&self, tally: &Tally) -> bool {
        let mut all = self.tally;
        all.add(tally);
        let options = &self.setup.options;
        all.instructions <= options.max_instructions && all.work <= options.max_work
    }

    /// Lets the observer know how far the run is; how it ends, where it is not to go on.
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

    /// Hands over what the cores have done to the run.
    fn hand_over(self, chips: &[Chip], shared: &mut Shared) {
        shared.tally = self.tally;
        shared.seen.absorb(self.seen);
        let globals = &mut shared.chip.globals;
        for done in &self.done {
            let theirs = &chips[done.thread as usize].globals;
            for (id, (start, end)) in done.footprint.read() {
                globals[id.index()].touch(start..end);
            }
            for (id, (start, end)) in done.footprint.written() {
                globals[id.index()].take_over(&theirs[id.index()], start..end);
            }
        }
    }
}

/// Whether cores are run in their order, with nothing that looks at all of them.
fn are_in_turn(options: &Options) -> bool {
    options.stepping == Stepping::InTurn
        && options.disturb == Disturb::Nothing
        && !options.follows_exact
        && !options.only_looks
}

/// Whether stores are combined with what is there.
fn combines(program: &Program) -> bool {
    let mut found = false;
    program.walk(&mut |stmt| found |= matches!(stmt.kind, StmtKind::Atomic { .. }));
    found
}
