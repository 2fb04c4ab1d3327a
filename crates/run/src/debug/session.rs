//! Steps a run forwards and backwards.

use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Instant;
use super::expression::{Answer, EvalError, Expression, Scope};
use super::history::{Images, Known, Log};
use super::past::{LastExecution, LastStep, LastStop, Made, Past};
use super::races::Races;
use super::stops::{
    Change, DataBreakpoint, Exception, Place, Shown, Stops, Watcher, has_undefined,
};
use super::who::Unknown;
use a2lint_ir::{Program, Stmt, StmtId};
use a2lint_machine::hazards::Hazard;
use a2lint_machine::{
    BoundLaunch, End, FindingKind, Halt, Inspection, LaneId, LaneState, NullObserver, Observer,
    Options, PendingToken, QueuedWork, Refusal, SanitizerFinding, Setup, Site, Step, Stepper,
    Waiting,
};
use a2lint_project::SourceMap;

/// Limits of a session.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Upper bound on the steps of a run.
    pub steps: u64,
    /// Upper bound on the bytes of images, beside the memories of the run itself.
    pub kept: usize,
    /// Work between two images of the machine. With a smaller value, steps back are faster.
    pub interval: u64,
    /// Upper bound on the bytes of on-chip memories of the cores that run at the same time.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            steps: 50_000_000,
            kept: 256 << 20,
            interval: 20_000,
            memory: 1 << 30,
        }
    }
}

/// Direction of a search for a stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Forwards in time.
    Forward,
    /// Backwards in time.
    Backward,
}

/// How far a step goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stride {
    /// To the next statement of the program.
    Statement,
    /// To another place in the source, stepping over helpers.
    Source,
    /// Out of the current helper.
    Out,
}

/// The reason why a session has stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Reason {
    /// The step is complete.
    Step,
    /// A breakpoint, given by its number.
    Breakpoint(u32),
    /// A breakpoint whose condition has no value: its number, and the reason.
    Condition(u32, EvalError),
    /// A data breakpoint, given by its number, with the statement that changed the bytes.
    Data(u32, StmtId),
    /// The sanitizer reported a finding at a statement.
    Observed(StmtId, FindingKind),
    /// A statement has computed a value that is not finite.
    NonFinite(StmtId, f64),
    /// The next access is not ordered after an earlier one.
    Race(Box<Hazard>),
    /// The lane has finished, but others have not.
    Finished,
    /// The start of the run is reached.
    Start,
    /// The run has ended, or cannot continue.
    End(End),
    /// The lane is not running: its core has not started, or has finished.
    Absent,
    /// An interrupt was requested.
    Interrupted,
    /// The limit on steps is reached.
    Budget,
}

/// A stop of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct Stopped {
    /// The instant.
    pub at: Instant,
    /// The lane that the reason concerns.
    pub lane: Option<LaneId>,
    /// The reason.
    pub reason: Reason,
}

/// The state of a lane.
#[derive(Clone, Debug)]
pub struct LaneView<'p> {
    /// The cube or vec core.
    pub id: LaneId,
    /// The position of the lane.
    pub at: Where<'p>,
    /// Iteration numbers of the loops around it, outermost first.
    pub iterations: Vec<i64>,
}

/// The position of a lane.
#[derive(Clone, Copy, Debug)]
pub enum Where<'p> {
    /// The core of the lane has not started.
    NotBegun,
    /// Before a statement, or at the end of a block.
    At(Option<&'p Stmt>),
    /// Before a statement at which it had to wait when it was last stepped.
    Waits(Option<&'p Stmt>, Waiting),
    /// The lane has finished.
    Finished,
}

/// The reason why a session cannot continue.
#[derive(Clone, Debug)]
pub(super) enum Ended {
    Run(End),
    Budget,
}

impl Ended {
    fn reason(self) -> Reason {
        match self {
            Ended::Run(end) => Reason::End(end),
            Ended::Budget => Reason::Budget,
        }
    }
}

/// A run that can be stopped anywhere and reversed.
pub struct Session<'p> {
    program: &'p Program,
    map: &'p SourceMap,
    launch: &'p BoundLaunch,
    limits: Limits,
    stepper: Stepper<'p>,
    log: Log,
    images: Images<'p>,
    now: Instant,
    /// The lane whose turn it is if the log ends here.
    turn: usize,
    /// Lanes that had to wait since a lane last advanced.
    idle: Vec<usize>,
    /// Where and how the run ends, once known.
    over: Option<(Instant, End)>,
    /// The races of the launch, once requested.
    races: Option<Races>,
}

/// The place of a lane in the source: the depth of helper calls, and the offset of the statement.
pub(super) type Spot = (usize, u32);

impl<'p> Session<'p> {
    /// Starts a session before the first step of a run. Spans of the kernel belong to the texts of `map`.
    ///
    /// # Errors
    /// The machine refuses the launch, or its cores need more memory than allowed.
    pub fn new(
        program: &'p Program,
        map: &'p SourceMap,
        launch: &'p BoundLaunch,
        limits: Limits,
    ) -> Result<Session<'p>, Refusal> {
        let refused = Refusal::before_the_start;
        let options = Options {
            max_memory: limits.memory,
            ..Options::default()
        };
        let setup = Setup::new(program, launch, options);
        let setup = setup.map_err(|error| refused(error.message(program)))?;
        let mut stepper = Stepper::new(Arc::new(setup), &NullObserver);
        if !stepper.fits() {
            return Err(refused("its cores take more memory than is allowed".into()));
        }
        stepper.begin(0);
        let start = Known {
            at: Instant(0),
            image: stepper.image(None),
            turn: 0,
            spent: 0,
        };
        Ok(Session {
            program,
            map,
            launch,
            limits,
            images: Images::new(start, limits.interval, limits.kept),
            stepper,
            log: Log::default(),
            now: Instant(0),
            turn: 0,
            idle: Vec::new(),
            over: None,
            races: None,
        })
    }

    /// Returns the races of the launch. The first call runs it.
    pub fn races(&mut self) -> &Races {
        let (program, launch, memory) = (self.program, self.launch, self.limits.memory);
        self.races
            .get_or_insert_with(|| Races::of(program, launch, memory))
    }

    /// Returns the kernel.
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Returns the current instant.
    pub fn now(&self) -> Instant {
        self.now
    }

    /// Returns the latest instant that the run has reached.
    pub fn latest(&self) -> Instant {
        self.log.end()
    }

    /// Returns the bytes of all images when they were last counted.
    pub fn kept(&self) -> usize {
        self.images.bytes()
    }

    /// Returns the states of all lanes of the launch.
    pub fn lanes(&self) -> Vec<LaneView<'p>> {
        let group = self.stepper.group();
        let cores = (0..self.launch.cores).filter(|core| !group.contains(core));
        let others = cores.flat_map(|core| Stepper::lanes_of(self.program, self.launch, core));
        let others = others.map(|id| LaneView {
            id,
            at: match id.core < group.start {
                true => Where::Finished,
                false => Where::NotBegun,
            },
            iterations: Vec::new(),
        });
        let running = self.stepper.lanes().iter().zip(self.stepper.states());
        let running = running.map(|(lane, state)| LaneView {
            id: lane.id,
            at: match *state {
                LaneState::Ready => Where::At(lane.statement()),
                LaneState::Waits(waiting) => Where::Waits(lane.statement(), waiting),
                LaneState::Finished => Where::Finished,
            },
            iterations: lane.iterations().to_vec(),
        });
        let mut all: Vec<LaneView> = others.chain(running).collect();
        all.sort_by_key(|lane| lane.id);
        all
    }

    /// Returns the lane that is stepped next if the run continues; `None` at its end.
    pub fn next(&self) -> Option<LaneId> {
        let is_over = self.over.as_ref().is_some_and(|over| over.0 == self.now);
        let at = (!is_over).then(|| self.lane_to_step())?;
        Some(self.stepper.lanes()[at].id)
    }

    /// Returns the lane if its core is running, else a lane of the same kind on a running core.
    pub fn near(&self, lane: LaneId) -> LaneId {
        let lanes = self.stepper.lanes();
        let mut alike = lanes.iter().filter(|it| it.id.kind == lane.kind);
        match self.index(lane) {
            Some(_) => lane,
            None => alike.next().map_or(lane, |it| it.id),
        }
    }

    /// Calls `look` with the machine as a lane sees it; `None` if the lane is not running.
    pub fn inspect<R>(
        &mut self,
        lane: LaneId,
        look: impl FnOnce(&mut Inspection<'_, 'p>) -> R,
    ) -> Option<R> {
        let at = self.index(lane)?;
        Some(self.stepper.inspect(at, look))
    }

    /// Evaluates an expression as a lane sees the machine; `None` if the lane is not running.
    pub fn evaluate(
        &mut self,
        lane: LaneId,
        expression: &Expression,
    ) -> Option<Result<Answer, EvalError>> {
        let at = self.index(lane)?;
        let scope = self.scope(at);
        Some(
            self.stepper
                .inspect(at, |inspection| expression.evaluate(scope, inspection)),
        )
    }

    /// Returns the scope for expressions on a lane.
    pub fn scope_of(&self, lane: LaneId) -> Option<Scope<'p>> {
        self.index(lane).map(|at| self.scope(at))
    }

    fn scope(&self, lane: usize) -> Scope<'p> {
        Scope {
            program: self.program,
            map: self.map,
            at: self.stepper.lanes()[lane].statement(),
        }
    }

    /// Returns every event of a lane and the flags that concern it; empty if it is not running.
    pub fn pending_tokens(&self, lane: LaneId) -> Vec<PendingToken> {
        let at = self.index(lane);
        at.map_or_else(Vec::new, |at| self.stepper.pending_tokens(at, self.program))
    }

    /// Returns the work that was issued on a lane and is pending on its pipe.
    pub fn queued_work(&self, lane: LaneId) -> Vec<QueuedWork> {
        let at = self.index(lane);
        at.map_or_else(Vec::new, |at| self.stepper.queued_work(at))
    }

    /// Returns the findings of the sanitizer so far, each kind once per statement.
    pub fn findings(&self) -> &[SanitizerFinding] {
        self.stepper.findings()
    }

    /// Returns a hash of the state of the machine.
    pub fn hash(&self) -> u64 {
        self.stepper.hash()
    }

    /// Moves to an instant: a past one, or a future one as far as the run gets on its own.
    pub fn go_to(&mut self, at: Instant) {
        let known = self.images.before(at);
        // From a later image than the current instant, fewer steps are left.
        if at < self.now || known.at > self.now {
            self.restore(at);
        }
        while self.now < at && self.tick(&mut NullObserver).is_ok() {}
    }

    /// Steps one lane. If it has to wait, other lanes are stepped until it can continue.
    pub fn step(&mut self, lane: LaneId, stride: Stride, interrupt: &AtomicBool) -> Stopped {
        let reason = match self.index(lane) {
            None => Reason::Absent,
            Some(at) => {
                let from = self.spot(at);
                loop {
                    if self.is_interrupted(interrupt) {
                        break Reason::Interrupted;
                    }
                    if let Err(ended) = self.advance(at) {
                        break ended.reason();
                    }
                    // Lanes of later cores take the same indices.
                    let is_over = self.index(lane) != Some(at) || self.stepper.is_finished(at);
                    if is_over {
                        break Reason::Finished;
                    }
                    if has_arrived(stride, from, self.spot(at)) {
                        break Reason::Step;
                    }
                }
            }
        };
        self.stopped(Some(lane), reason)
    }

    /// Moves to the start of the last step of a lane that ended here.
    pub fn step_back(&mut self, lane: LaneId, stride: Stride, interrupt: &AtomicBool) -> Stopped {
        let from = self.index(lane).and_then(|at| self.spot(at));
        let mut last = LastStep::new(lane, stride, from);
        if self.search_back(&mut last, interrupt).is_err() {
            return self.stopped(Some(lane), Reason::Interrupted);
        }
        let (to, reason) = match last.found() {
            Some(at) => (at, Reason::Step),
            None => (Instant(0), Reason::Start),
        };
        self.go_to(to);
        self.stopped(Some(lane), reason)
    }

    /// Returns the instant after the last execution of one of these statements by a lane; `None` if there is
    /// none.
    ///
    /// # Errors
    /// The search was interrupted.
    pub fn last_execution(
        &mut self,
        lane: LaneId,
        stmts: &[StmtId],
        interrupt: &AtomicBool,
    ) -> Result<Option<Instant>, Unknown> {
        let here = self.now;
        let mut last = LastExecution {
            lane,
            stmts,
            found: None,
        };
        self.search_back(&mut last, interrupt)?;
        self.go_to(here);
        Ok(last.found)
    }

    /// Resumes all lanes, forwards or backwards, up to the next stop.
    pub fn resume(
        &mut self,
        direction: Direction,
        stops: &Stops,
        interrupt: &AtomicBool,
    ) -> Stopped {
        let mut search = Search {
            stops,
            watcher: Watcher::of(stops, self.program),
            counts: vec![0; stops.breakpoints.len()],
        };
        if stops.exceptions.contains(&Exception::Race) {
            self.races();
        }
        let stopped = match direction {
            Direction::Forward => self.forward(&mut search, interrupt),
            Direction::Backward => self.backward(&mut search, interrupt),
        };
        self.watch(&NullObserver);
        stopped
    }

    fn forward(&mut self, search: &mut Search<'_, 'p>, interrupt: &AtomicBool) -> Stopped {
        let here = self.now;
        // Hits are counted from the start of the run, so the past is executed again.
        if search.counts_hits() {
            self.go_to(Instant(0));
            search.arrive(self);
            while self.now < here && self.tick(&mut NullObserver).is_ok() {
                search.arrive(self);
                if self.is_interrupted(interrupt) {
                    self.go_to(here);
                    return self.stopped(None, Reason::Interrupted);
                }
            }
        }
        self.watch(&search.watcher);
        loop {
            if self.is_interrupted(interrupt) {
                return self.stopped(None, Reason::Interrupted);
            }
            if let Err(ended) = self.tick(&mut search.watcher) {
                return self.stopped(None, ended.reason());
            }
            if let Some(stopped) = search.stop(self) {
                return stopped;
            }
        }
    }

    fn backward(&mut self, search: &mut Search<'_, 'p>, interrupt: &AtomicBool) -> Stopped {
        let here = self.now;
        let mut last = LastStop {
            search,
            here,
            found: None,
        };
        if self.search_back(&mut last, interrupt).is_err() {
            return self.stopped(None, Reason::Interrupted);
        }
        match last.found {
            Some(stopped) => {
                self.go_to(stopped.at);
                stopped
            }
            None => {
                self.go_to(Instant(0));
                self.stopped(None, Reason::Start)
            }
        }
    }

    /// Executes the past again, part by part, from the last image before the current instant backwards, until the
    /// search succeeds. The session may be at any instant afterwards; after an interrupt it is where it was.
    pub(super) fn search_back(
        &mut self,
        past: &mut dyn Past<'p>,
        interrupt: &AtomicBool,
    ) -> Result<(), Unknown> {
        let here = self.now;
        let mut last = here;
        while last > Instant(0) {
            let first = match past.counts_from_start() {
                true => Instant(0),
                false => self.image_before(last),
            };
            self.go_to(first);
            if let Some(watcher) = past.watcher() {
                self.watch(watcher);
            }
            past.begins(self);
            while self.now < last {
                if self.is_interrupted(interrupt) {
                    self.watch(&NullObserver);
                    self.go_to(here);
                    return Err(Unknown::Interrupted);
                }
                let Some(made) = self.make_again(past.watcher()) else {
                    break;
                };
                past.made(self, &made);
            }
            if past.is_found() {
                break;
            }
            last = first;
        }
        self.watch(&NullObserver);
        Ok(())
    }

    /// Executes one step of the past again.
    fn make_again(&mut self, watcher: Option<&mut Watcher<'p>>) -> Option<Made<'p>> {
        let (at, index) = (self.now, self.lane_to_step());
        let lane = &self.stepper.lanes()[index];
        let (lane, stmt, spot) = (lane.id, lane.statement(), self.spot(index));
        let ticked = match watcher {
            Some(watcher) => self.tick(watcher),
            None => self.tick(&mut NullObserver),
        };
        ticked.ok()?;
        let waits = self.index(lane) == Some(index)
            && matches!(self.stepper.states()[index], LaneState::Waits(_));
        Some(Made {
            at,
            lane,
            stmt,
            spot,
            waits,
        })
    }

    fn stopped(&self, lane: Option<LaneId>, reason: Reason) -> Stopped {
        Stopped {
            at: self.now,
            lane: lane.or_else(|| self.next()),
            reason,
        }
    }

    /// Returns the instant of the last image before an instant.
    fn image_before(&self, at: Instant) -> Instant {
        self.images.before(Instant(at.0.saturating_sub(1))).at
    }

    /// Caches the interests of the observer of the next steps.
    pub(super) fn watch(&mut self, observer: &dyn Observer) {
        self.stepper.ask(observer);
    }

    /// Returns whether an interrupt was requested. Checked on every 64th step only.
    pub(super) fn is_interrupted(&self, interrupt: &AtomicBool) -> bool {
        self.now.0.is_multiple_of(64) && interrupt.load(Ordering::Relaxed)
    }

    /// Executes one step of the lane whose turn it is.
    pub(super) fn tick(&mut self, observer: &mut dyn Observer) -> Result<(), Ended> {
        if let Some((at, end)) = &self.over
            && *at == self.now
        {
            return Err(Ended::Run(end.clone()));
        }
        if self.now.0 >= self.limits.steps {
            return Err(Ended::Budget);
        }
        self.step_lane(self.lane_to_step(), observer)
    }

    /// Returns the lane in the log, or else the one whose turn it is. A lane continues until it has to wait.
    fn lane_to_step(&self) -> usize {
        if let Some(lane) = self.log.lane(self.now) {
            return lane;
        }
        let states = self.stepper.states();
        if states.get(self.turn) == Some(&LaneState::Ready) {
            return self.turn;
        }
        self.other_than(self.turn)
    }

    /// Returns the next lane in order that has not finished.
    fn other_than(&self, lane: usize) -> usize {
        let states = self.stepper.states();
        let after = (lane + 1..states.len()).chain(0..lane);
        let mut open = after.filter(|&at| states[at] != LaneState::Finished);
        open.next().unwrap_or(lane)
    }

    /// Advances a lane by one statement, stepping other lanes as far as necessary.
    fn advance(&mut self, lane: usize) -> Result<(), Ended> {
        let mut other = lane;
        let group = self.stepper.group().clone();
        loop {
            self.choose(lane)?;
            let has_moved = *self.stepper.group() != group
                || !matches!(self.stepper.states()[lane], LaneState::Waits(_));
            if has_moved {
                return Ok(());
            }
            other = match self.other_than(other) {
                other if other == lane => self.other_than(other),
                other => other,
            };
            self.choose(other)?;
        }
    }

    /// Executes one step of a given lane, which may start another future than that in the log.
    fn choose(&mut self, lane: usize) -> Result<(), Ended> {
        let known = self.log.lane(self.now);
        if let Some((at, end)) = &self.over
            && *at == self.now
        {
            return Err(Ended::Run(end.clone()));
        }
        if self.now.0 >= self.limits.steps {
            return Err(Ended::Budget);
        }
        if self.stepper.is_finished(lane) {
            return Err(Ended::Run(End::Finished));
        }
        // Another lane than that in the log starts another future.
        if known.is_some_and(|known| known != lane) {
            self.log.truncate(self.now);
            self.images.truncate(self.now);
            self.over = None;
        }
        self.step_lane(lane, &mut NullObserver)
    }

    fn step_lane(&mut self, lane: usize, observer: &mut dyn Observer) -> Result<(), Ended> {
        let group = self.stepper.group().clone();
        let step = match self.stepper.step(lane, observer) {
            Ok(step) => step,
            Err(halt) => {
                let end = match halt {
                    Halt::Refused(refusal) => End::Refused(refusal),
                    Halt::Stopped => End::Stopped,
                };
                self.over = Some((self.now, end.clone()));
                // A halted statement may be half executed, so the state before it is restored.
                self.restore(self.now);
                return Err(Ended::Run(end));
            }
        };
        let is_new = self.log.end() == self.now;
        if is_new {
            self.log.push(lane);
        }
        self.now.0 += 1;
        self.turn = match *self.stepper.group() == group {
            true => lane,
            false => 0,
        };
        match step {
            Step::Blocked(_) if !self.idle.contains(&lane) => self.idle.push(lane),
            Step::Blocked(_) => {}
            Step::Advanced | Step::Finished => self.idle.clear(),
        }
        if is_new {
            self.note_end();
            self.keep();
        }
        Ok(())
    }

    /// Records the end of the run, if it is reached.
    fn note_end(&mut self) {
        let states = self.stepper.states().iter().enumerate();
        let mut open = states.filter(|(_, state)| **state != LaneState::Finished);
        if self.stepper.is_group_finished() {
            self.over = Some((self.now, End::Finished));
        // Every lane has waited since one last advanced, so none can advance.
        } else if open.all(|(at, _)| self.idle.contains(&at)) {
            let states = self.stepper.states().iter().enumerate();
            let blocked = states.filter_map(|(at, state)| match *state {
                LaneState::Waits(waiting) => Some(self.stepper.blocked(at, waiting)),
                _ => None,
            });
            self.over = Some((self.now, self.stepper.standstill(blocked.collect())));
        }
    }

    /// Keeps an image, if one is due.
    fn keep(&mut self) {
        let spent = self.stepper.spent();
        if self.images.wants(self.now, spent) {
            let image = self.stepper.image(Some(self.images.last()));
            self.images.push(Known {
                at: self.now,
                image,
                turn: self.turn,
                spent,
            });
        }
    }

    /// Restores an instant from the image before it.
    fn restore(&mut self, at: Instant) {
        let known = self.images.before(at);
        self.stepper.restore(&known.image);
        (self.now, self.turn) = (known.at, known.turn);
        self.idle.clear();
        while self.now < at {
            let lane = self.lane_to_step();
            // These steps are in the log.
            if self.step_lane(lane, &mut NullObserver).is_err() {
                break;
            }
        }
    }

    fn index(&self, lane: LaneId) -> Option<usize> {
        self.stepper.lanes().iter().position(|it| it.id == lane)
    }

    /// Returns the place of a lane in the source; `None` at the end of a block, and at statements that only other
    /// lanes execute.
    fn spot(&self, lane: usize) -> Option<Spot> {
        let stmt = self.stepper.lanes()[lane].statement()?;
        self.is_executed(stmt, lane).then_some(())?;
        let depth = self.program.call_chain(stmt.origin).len();
        Some((depth, stmt.span.start))
    }

    /// Returns whether a lane executes a statement. Cube and vec lanes pass all statements, but execute only their own.
    fn is_executed(&self, stmt: &Stmt, lane: usize) -> bool {
        !self.stepper.lanes()[lane].passes_over(stmt)
    }

    fn holds_undefined(&mut self, place: Place, bytes: Range<usize>) -> bool {
        let lane = match place {
            Place::Global(_) => Some(0),
            Place::Local(lane, _) => self.index(lane),
        };
        lane.is_some_and(|lane| {
            self.stepper
                .inspect(lane, |inspection| has_undefined(inspection, place, bytes))
        })
    }
}

/// Returns whether a lane that started a step at one place has completed it at another.
pub(super) fn has_arrived(stride: Stride, from: Option<Spot>, to: Option<Spot>) -> bool {
    match (stride, from, to) {
        (_, _, None) => false,
        (Stride::Statement, _, Some(_)) => true,
        (Stride::Source, Some(from), Some(to)) => to.0 <= from.0 && to != from,
        (Stride::Source, None, Some(_)) => true,
        (Stride::Out, from, Some(to)) => from.is_none_or(|from| from.0 == 0 || to.0 < from.0),
    }
}

/// A search for stops.
pub(super) struct Search<'s, 'p> {
    stops: &'s Stops,
    pub(super) watcher: Watcher<'p>,
    /// The number of hits of each breakpoint.
    counts: Vec<u64>,
}

impl<'p> Search<'_, 'p> {
    /// Returns whether a breakpoint depends on the number of its hits.
    pub(super) fn counts_hits(&self) -> bool {
        let mut breakpoints = self.stops.breakpoints.iter();
        breakpoints.any(|breakpoint| breakpoint.hits != super::Hits::All)
    }

    /// Returns the stop at the current instant, if there is one.
    pub(super) fn stop(&mut self, session: &mut Session<'p>) -> Option<Stopped> {
        let arrived = self.arrive(session);
        let shown: Vec<Shown> = self.watcher.shown.drain(..).collect();
        let mut reasons = shown.into_iter().filter_map(|shown| match shown {
            Shown::Observed { stmt, kind } => Some(Reason::Observed(stmt, kind)),
            Shown::NonFinite { stmt, value } => Some(Reason::NonFinite(stmt, value)),
            Shown::Touched { number, site } => {
                let DataBreakpoint {
                    id,
                    place,
                    bytes,
                    change,
                } = &self.stops.data[number];
                let is_meant =
                    *change == Change::Written || session.holds_undefined(*place, bytes.clone());
                is_meant.then_some(Reason::Data(*id, site.stmt))
            }
        });
        let reason = reasons.next();
        drop(reasons);
        reason
            .map(|reason| session.stopped(None, reason))
            .or_else(|| arrived.map(|reason| session.stopped(None, reason)))
    }

    /// Returns the breakpoint or race that the next lane has reached.
    fn arrive(&mut self, session: &mut Session<'p>) -> Option<Reason> {
        session.next()?;
        let at = session.lane_to_step();
        let lane = &session.stepper.lanes()[at];
        let stmt = lane.statement()?;
        let waits = matches!(session.stepper.states()[at], LaneState::Waits(_));
        if waits || !session.is_executed(stmt, at) {
            return None;
        }
        let (id, iterations) = (lane.id, lane.iterations().to_vec());
        let scope = session.scope(at);
        let mut found = None;
        if self.stops.exceptions.contains(&Exception::Race) {
            let site = Site {
                stmt: stmt.id,
                lane: id,
                iterations: &iterations,
            };
            let races = session.races.as_ref();
            let hazard = races.and_then(|races| races.at(&site));
            found = hazard.map(|hazard| Reason::Race(Box::new(hazard.clone())));
        }
        for (breakpoint, count) in self.stops.breakpoints.iter().zip(&mut self.counts) {
            if !breakpoint.stmts.contains(&stmt.id) || !breakpoint.filter.takes(id, &iterations) {
                continue;
            }
            let holds = breakpoint.condition.as_ref().map_or(Ok(true), |condition| {
                let inspect = |inspection: &mut Inspection| condition.holds(scope, inspection);
                session.stepper.inspect(at, inspect)
            });
            let reason = match holds {
                Ok(true) => {
                    *count += 1;
                    let is_meant = breakpoint.hits.takes(*count);
                    is_meant.then_some(Reason::Breakpoint(breakpoint.id))
                }
                Ok(false) => None,
                Err(error) => Some(Reason::Condition(breakpoint.id, error)),
            };
            found = found.or(reason);
        }
        found
    }
}
