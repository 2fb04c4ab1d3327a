//! Computes when the steps of a run happen: every pipe does its work in order, and lanes share the path to
//! global memory.
//!
//! The scalar unit issues the steps of its lane one after the other; a pipe begins a step when it was issued,
//! the pipe is free and all that the step follows is done. Moves from and to global memory are served
//! concurrently, each with the same share of the chip's bandwidth; a move ends when the chip has moved its
//! bytes, and not before its own lane could have. Loads of the same lines by all lanes take more bandwidth.
//! Stores go to L2: as long as it holds everything that was touched, they have a path of their own, slower
//! while other lanes load from memory; beyond that each store evicts something and takes its share of the
//! path to memory. All lanes begin at cycle 0. Steps that never become ready, because the run ended before,
//! are left out.
//!
//! Times are doubles that are added, multiplied and compared in a fixed order, so they are the
//! same everywhere.

use std::cmp::{Ordering, Reverse};
use std::collections::{BinaryHeap, VecDeque};

use rustc_hash::FxHashMap;

use super::cost::{handshake_cycles, issue_cycles, shared_load_cycles, stores_beside_loads};
use super::estimate::{
    Activity, Edge, Estimate, Moment, PathShare, PipeLoad, Slice, Stall, StatementCost,
};
use super::lane_log::{Act, LaneLog, PIPES, Step, StepRef, Work, lane_at};
use super::observer::Token;
use super::shared_loads::Loads;
use super::spending::Spending;
use a2lint_ir::StmtId;
use a2lint_isa::Pipe;

/// Maximum number of slices of an estimate, and of edges.
const MAX_SLICES: usize = 500_000;
/// Number of stalls in an estimate.
const STALLS: usize = 3;

/// Computes the times of the steps of all lanes.
pub(super) fn lay_out(
    logs: &[LaneLog],
    loads: &Loads,
    holds_stores: bool,
    is_recording: bool,
    missing: u64,
) -> Estimate {
    let mut schedule = Schedule::new(logs, loads, holds_stores);
    schedule.run();
    let mut estimate = schedule.estimate();
    estimate.missing = missing;
    if is_recording {
        schedule.record(&mut estimate);
    }
    estimate
}

/// A time with a total order.
#[derive(Clone, Copy, PartialEq)]
struct Time(f64);

impl Eq for Time {}

impl Ord for Time {
    fn cmp(&self, other: &Time) -> Ordering {
        // `f64` has no total order of its own, which the heaps need.
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Time {
    fn partial_cmp(&self, other: &Time) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The times of a step.
#[derive(Clone, Copy)]
struct Placed {
    /// The start of the step; for a wait, the time at which the wait is over.
    start: f64,
    /// When its pipe is free again.
    free: f64,
    /// When its result is visible; NaN while that is unknown.
    done: f64,
    /// Cycles that its pipe waited before it for anything but its own work.
    waited: f64,
    /// The step that determined its start.
    cause: Option<StepRef>,
}

const NOWHERE: Placed = Placed {
    start: 0.0,
    free: 0.0,
    done: f64::NAN,
    waited: 0.0,
    cause: None,
};

/// A time and the step that determined it.
#[derive(Clone, Copy, Default)]
struct Since {
    at: f64,
    cause: Option<StepRef>,
}

impl Since {
    /// Returns the later of two times; `self` if they are equal.
    fn or_later(self, other: Since) -> Since {
        if other.at > self.at { other } else { self }
    }
}

/// A step in the queue of its pipe.
#[derive(Clone, Copy)]
struct Issued {
    step: u32,
    since: Since,
}

/// A pipe of a lane.
#[derive(Default)]
struct PipeState {
    queue: VecDeque<Issued>,
    /// When it can take its next instruction.
    free: Since,
    /// When all its work is done.
    done: Since,
    /// The move that it has begun and whose end is unknown.
    moving: Option<u32>,
    busy: f64,
    waiting: f64,
}

/// A lane.
#[derive(Default)]
struct LaneState {
    /// The step that the scalar unit issues next.
    next: usize,
    /// When the scalar unit is ready for the step `next`.
    scalar: Since,
    pipes: [PipeState; PIPES],
    /// Whether it waits for a flag of another lane.
    is_parked: bool,
}

/// A path to memory, of which each of its moves gets the same part.
// `given` acts as a clock that runs slower the more moves share the path: a move ends at a fixed reading of
// it, so no end has to be updated when another move begins or ends.
struct Shared {
    now: f64,
    /// The usable fraction of its bandwidth.
    speed: f64,
    /// Cycles that each of the moves has received since the start of the run.
    given: f64,
    /// Moves, by the value of `given` at which they end.
    moves: BinaryHeap<Reverse<(Time, u32, usize)>>,
    /// Cycles of all moves so far.
    used: f64,
}

impl Default for Shared {
    fn default() -> Shared {
        Shared {
            now: 0.0,
            speed: 1.0,
            given: 0.0,
            moves: BinaryHeap::new(),
            used: 0.0,
        }
    }
}

impl Shared {
    fn advance(&mut self, now: f64) {
        if !self.moves.is_empty() {
            let passed = (now - self.now).max(0.0);
            self.given += passed * self.speed / self.moves.len() as f64;
        }
        self.now = self.now.max(now);
    }

    fn begin(&mut self, now: f64, cycles: f64, lane: u32, pipe: usize) {
        self.advance(now);
        self.used += cycles;
        self.moves
            .push(Reverse((Time(self.given + cycles), lane, pipe)));
    }

    /// Returns when the next move ends.
    fn next(&self) -> Option<f64> {
        let Reverse((Time(until), ..)) = self.moves.peek()?;
        let left = (until - self.given).max(0.0) * self.moves.len() as f64;
        Some(self.now + left / self.speed)
    }

    /// Ends the next move; returns its lane and pipe.
    fn end(&mut self, now: f64) -> Option<(u32, usize)> {
        self.now = self.now.max(now);
        let Reverse((Time(until), lane, pipe)) = self.moves.pop()?;
        // Rounding must not set the clock back.
        self.given = self.given.max(until);
        Some((lane, pipe))
    }
}

struct Schedule<'a> {
    logs: &'a [LaneLog],
    loads: &'a Loads,
    /// Cycles of the chip that statements lose because all lanes load from the same addresses.
    shared_loads: FxHashMap<StmtId, f64>,
    placed: Vec<Vec<Placed>>,
    lanes: Vec<LaneState>,
    /// Moves whose start is known, by lane and pipe.
    starts: BinaryHeap<Reverse<(Time, u32, usize)>>,
    /// The path to memory, and that of stores into L2.
    shared: [Shared; 2],
    /// Number of loads from memory that have begun and not ended.
    from_memory: usize,
    /// Whether L2 can hold all that is stored.
    holds_stores: bool,
    /// Lanes that may continue.
    ready: Vec<usize>,
}

impl<'a> Schedule<'a> {
    fn new(logs: &'a [LaneLog], loads: &'a Loads, holds_stores: bool) -> Self {
        let placed = logs.iter().map(|log| vec![NOWHERE; log.steps.len()]);
        Schedule {
            logs,
            loads,
            shared_loads: FxHashMap::default(),
            placed: placed.collect(),
            lanes: logs.iter().map(|_| LaneState::default()).collect(),
            starts: BinaryHeap::new(),
            shared: Default::default(),
            from_memory: 0,
            holds_stores,
            // Lanes are popped from the end: lane 0 goes first.
            ready: (0..logs.len()).rev().collect(),
        }
    }

    fn run(&mut self) {
        loop {
            while let Some(lane) = self.ready.pop() {
                self.advance(lane);
            }
            let start = self.starts.peek().map(|Reverse((time, ..))| time.0);
            let [end, stored] = [0, 1].map(|way| self.shared[way].next());
            // Of two moves that end at the same time the load comes first, so that the order is fixed.
            let (way, end) = match (end, stored) {
                (Some(end), Some(stored)) if stored < end => (1, Some(stored)),
                (None, Some(stored)) => (1, Some(stored)),
                (end, _) => (0, end),
            };
            match (start, end) {
                (None, None) => return,
                (Some(start), end) if end.is_none_or(|end| start <= end) => {
                    let Some(Reverse((_, lane, pipe))) = self.starts.pop() else {
                        return;
                    };
                    self.begin_move(start, lane, pipe);
                }
                (_, Some(end)) => {
                    if let Some((lane, pipe)) = self.shared[way].end(end) {
                        self.end_move(end, lane as usize, pipe);
                    }
                }
                (Some(_), None) => return,
            }
        }
    }

    /// Advances a lane as far as possible.
    fn advance(&mut self, lane: usize) {
        loop {
            let mut moved = self.issue(lane);
            for pipe in 0..PIPES {
                while self.step_pipe(lane, pipe) {
                    moved = true;
                }
            }
            if !moved {
                return;
            }
        }
    }

    fn step(&self, lane: usize, step: usize) -> &'a Step {
        &self.logs[lane].steps[step]
    }

    /// Issues what the scalar unit can issue; returns whether that was anything.
    fn issue(&mut self, lane: usize) -> bool {
        let mut moved = false;
        while let Some(step) = self.logs[lane].steps.get(self.lanes[lane].next) {
            let number = self.lanes[lane].next as u32;
            let scalar = self.lanes[lane].scalar;
            let issued = Since {
                at: scalar.at + issue_cycles(),
                cause: scalar.cause,
            };
            // Other pipes execute the step later; the scalar unit only puts it into their queue.
            if !matches!(step.pipe, Pipe::S | Pipe::All) {
                let pipe = &mut self.lanes[lane].pipes[step.pipe as usize];
                pipe.queue.push_back(Issued {
                    step: number,
                    since: issued,
                });
                self.lanes[lane].scalar = issued;
            } else if !self.execute_scalar(lane, number, step, issued) {
                return moved;
            }
            // Issuing keeps the scalar unit busy, whichever pipe the step is for.
            self.lanes[lane].pipes[Pipe::S as usize].busy += issue_cycles();
            self.lanes[lane].next += 1;
            moved = true;
        }
        moved
    }

    /// Executes a step of the scalar unit itself; returns `false` if it has to wait.
    fn execute_scalar(&mut self, lane: usize, number: u32, step: &Step, issued: Since) -> bool {
        let Some(mut awaited) = self.done_of(lane, step) else {
            return false;
        };
        // A barrier of all pipes needs the ends of all earlier work, which are unknown while a queue has steps.
        if step.pipe == Pipe::All {
            let pipes = &self.lanes[lane].pipes;
            if pipes
                .iter()
                .any(|pipe| !pipe.queue.is_empty() || pipe.moving.is_some())
            {
                return false;
            }
            awaited = pipes
                .iter()
                .fold(awaited, |all, pipe| all.or_later(pipe.done));
        }
        let start = issued.or_later(awaited);
        let work = match step.act {
            Act::Work(work) => work.occupancy,
            _ => 0.0,
        };
        let until = start.at + work;
        let lag = match step.act {
            Act::Set(_) => handshake_cycles(),
            _ => 0.0,
        };
        let waited = (awaited.at - issued.at).max(0.0);
        self.placed[lane][number as usize] = Placed {
            start: start.at,
            free: until,
            done: until + lag,
            waited,
            cause: start.cause,
        };
        let here = StepRef {
            lane: lane as u32,
            step: number,
        };
        let state = &mut self.lanes[lane];
        state.pipes[Pipe::S as usize].busy += work;
        state.pipes[Pipe::S as usize].waiting += waited;
        // Only a step that waited belongs to a critical path; any other one passes its own cause on.
        let cause = if waited > 0.0 {
            Some(here)
        } else {
            issued.cause
        };
        state.scalar = Since { at: until, cause };
        self.announce(step);
        true
    }

    /// Returns when all is done that a step follows, or `None` if that is unknown yet.
    fn done_of(&mut self, lane: usize, step: &Step) -> Option<Since> {
        let mut latest = Since::default();
        for &before in &step.after {
            let done = self.placed[before.lane as usize][before.step as usize].done;
            if done.is_nan() {
                // A step of the same lane is found when its pipes advance; one of another lane needs
                // `announce`.
                self.lanes[lane].is_parked |= before.lane as usize != lane;
                return None;
            }
            let other = self.logs[before.lane as usize].steps[before.step as usize].pipe;
            // Work that follows work of another pipe does so by a handshake of `auto_sync`.
            let lag = match step.act {
                Act::Work(_) if other != step.pipe => handshake_cycles(),
                _ => 0.0,
            };
            latest = latest.or_later(Since {
                at: done + lag,
                cause: Some(before),
            });
        }
        Some(latest)
    }

    /// Makes lanes that wait for flags ready again after one was set.
    fn announce(&mut self, step: &Step) {
        if !matches!(step.act, Act::Set(Token::Flag { .. })) {
            return;
        }
        for (index, lane) in self.lanes.iter_mut().enumerate() {
            if std::mem::take(&mut lane.is_parked) {
                self.ready.push(index);
            }
        }
    }

    /// Executes the first step in the queue of a pipe; returns `false` if there is none, or it has to wait.
    fn step_pipe(&mut self, lane: usize, pipe: usize) -> bool {
        let state = &self.lanes[lane].pipes[pipe];
        let Some(&issued) = state.queue.front() else {
            return false;
        };
        if state.moving.is_some() {
            return false;
        }
        let number = issued.step;
        let step = self.step(lane, number as usize);
        let Some(awaited) = self.done_of(lane, step) else {
            return false;
        };
        let here = Some(StepRef {
            lane: lane as u32,
            step: number,
        });
        let state = &mut self.lanes[lane].pipes[pipe];
        let ready = issued.since.or_later(state.free);
        let awaited = match step.act {
            Act::Barrier => awaited.or_later(state.done),
            _ => awaited,
        };
        state.queue.pop_front();
        let mut placed = Placed {
            waited: (awaited.at - ready.at).max(0.0),
            ..NOWHERE
        };
        let begin = match step.act {
            // A token announces all earlier work of its pipe, which has to be done by then.
            Act::Set(_) => issued.since.or_later(state.free).or_later(state.done),
            _ => ready.or_later(awaited),
        };
        (placed.start, placed.free, placed.cause) = (begin.at, begin.at, begin.cause);
        match step.act {
            Act::Set(_) => {
                // It has waited for its own pipe, not for others.
                placed.waited = 0.0;
                placed.done = begin.at + handshake_cycles();
            }
            Act::Wait(_) | Act::Barrier => {
                placed.done = begin.at;
                state.waiting += placed.waited;
                let cause = here;
                state.free = Since {
                    at: begin.at,
                    cause,
                };
            }
            Act::Work(work) => {
                state.waiting += placed.waited;
                // The end of a move depends on the moves beside it: `end_move` computes it.
                if work.chip > 0.0 {
                    state.moving = Some(number);
                    self.starts
                        .push(Reverse((Time(begin.at), lane as u32, pipe)));
                } else {
                    occupy(state, &mut placed, work, 0.0, here);
                }
            }
        }
        self.placed[lane][number as usize] = placed;
        self.announce(step);
        true
    }

    fn begin_move(&mut self, now: f64, lane: u32, pipe: usize) {
        let Some(number) = self.lanes[lane as usize].pipes[pipe].moving else {
            return;
        };
        let step = self.step(lane as usize, number as usize);
        if let Act::Work(work) = step.act {
            let way = usize::from(self.holds_stores && work.stores);
            let cycles = self.chip_cycles(lane as usize, &work);
            if cycles > work.chip {
                *self.shared_loads.entry(step.stmt).or_default() += cycles - work.chip;
            }
            self.shared[way].begin(now, cycles, lane, pipe);
            self.from_memory += usize::from(work.from_memory);
            self.pace_stores(now);
        }
    }

    /// Updates the speed of stores into L2, which is lower the more of the current loads come from memory.
    fn pace_stores(&mut self, now: f64) {
        let [loads, stores] = &mut self.shared;
        let share = self.from_memory as f64 / loads.moves.len().max(1) as f64;
        let speed = 1.0 - share * (1.0 - stores_beside_loads());
        if speed != stores.speed {
            // What was stored until now was stored at the old speed.
            stores.advance(now);
            stores.speed = speed;
        }
    }

    /// Returns the cycles of the chip's path to memory that a move takes.
    fn chip_cycles(&self, lane: usize, work: &Work) -> f64 {
        let kind = lane_at(lane).kind;
        let load = work.load.filter(|load| self.loads.are_together(kind, load));
        let shared = load.map_or(0.0, |load| shared_load_cycles(load.lines));
        work.chip.max(shared)
    }

    fn end_move(&mut self, now: f64, lane: usize, pipe: usize) {
        let state = &mut self.lanes[lane].pipes[pipe];
        let Some(number) = state.moving.take() else {
            return;
        };
        let here = StepRef {
            lane: lane as u32,
            step: number,
        };
        if let Act::Work(work) = self.logs[lane].steps[number as usize].act {
            self.from_memory -= usize::from(work.from_memory);
            let placed = &mut self.placed[lane][number as usize];
            occupy(state, placed, work, now, Some(here));
        }
        self.pace_stores(now);
        self.ready.push(lane);
    }

    fn estimate(&self) -> Estimate {
        let end = |lane: &LaneState| {
            let pipes = lane.pipes.iter();
            let until = pipes.map(|pipe| pipe.done.or_later(pipe.free).at);
            until.fold(lane.scalar.at, f64::max)
        };
        let ends = self.lanes.iter().map(end).enumerate();
        let last = ends.reduce(|a, b| if b.1 > a.1 { b } else { a });
        let Some((last, cycles)) = last else {
            return Estimate::default();
        };
        Estimate {
            cycles: whole(cycles),
            loads: self.pipe_loads(),
            // Both paths work at the same time, so the busier one limits the kernel.
            memory: self.shared[0].used.max(self.shared[1].used) / cycles.max(1.0),
            path: self.path(last),
            statements: self.statements(),
            moved: self.sum(|work| if work.chip > 0.0 { work.bytes } else { 0 }),
            operations: self.sum(|work| work.operations),
            stalls: self.stalls(last),
            shared_loads: self.shared_loads(),
            ..Estimate::default()
        }
    }

    fn shared_loads(&self) -> Vec<StmtId> {
        let mut lost: Vec<(StmtId, f64)> =
            self.shared_loads.iter().map(|(&a, &b)| (a, b)).collect();
        lost.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        lost.into_iter().map(|(stmt, _)| stmt).collect()
    }

    fn pipe_loads(&self) -> Vec<PipeLoad> {
        let lanes = self.lanes.iter().enumerate();
        let loads = lanes.flat_map(|(index, lane)| {
            Pipe::ALL.iter().map(move |&pipe| PipeLoad {
                lane: lane_at(index),
                pipe,
                busy: whole(lane.pipes[pipe as usize].busy),
                waiting: whole(lane.pipes[pipe as usize].waiting),
            })
        });
        loads.filter(|load| load.busy + load.waiting > 0).collect()
    }

    fn statements(&self) -> Vec<StatementCost> {
        let mut spending = Spending::default();
        for (log, placed) in self.logs.iter().zip(&self.placed) {
            for (step, placed) in log.steps.iter().zip(placed) {
                if !placed.done.is_nan() {
                    let taken = (placed.free - placed.start).max(0.0);
                    spending.add(step, taken, placed.waited);
                }
            }
            spending.end_lane();
        }
        spending.finish()
    }

    fn sum(&self, of: impl Fn(&Work) -> i64) -> i64 {
        let steps = self.logs.iter().flat_map(|log| &log.steps);
        let works = steps.filter_map(|step| match &step.act {
            Act::Work(work) => Some(of(work)),
            _ => None,
        });
        works.fold(0, i64::saturating_add)
    }

    /// Returns the steps that determined when the lane ended, from its end to the beginning.
    fn path(&self, lane: usize) -> Vec<PathShare> {
        let state = &self.lanes[lane];
        let mut at = Since {
            at: state.scalar.at,
            cause: state.scalar.cause,
        };
        for pipe in &state.pipes {
            at = at.or_later(pipe.done);
        }
        let mut shares: FxHashMap<(usize, usize), (PathShare, f64)> = FxHashMap::default();
        // No step can be on the path twice; the bound guards against a cycle of causes.
        let mut left = self.placed.iter().map(Vec::len).sum::<usize>();
        while let Some(here) = at.cause.filter(|_| left > 0) {
            left -= 1;
            let placed = &self.placed[here.lane as usize][here.step as usize];
            let step = self.step(here.lane as usize, here.step as usize);
            let key = (step.stmt.index(), step.pipe as usize);
            let share = PathShare {
                stmt: step.stmt,
                pipe: step.pipe,
                cycles: 0,
            };
            shares.entry(key).or_insert((share, 0.0)).1 += (at.at - placed.start).max(0.0);
            at = Since {
                at: at.at.min(placed.start),
                cause: placed.cause,
            };
        }
        let shares = shares.into_values().map(|(share, cycles)| PathShare {
            cycles: whole(cycles),
            ..share
        });
        let mut shares: Vec<PathShare> = shares.filter(|share| share.cycles > 0).collect();
        shares.sort_by_key(|share| {
            (
                Reverse(share.cycles),
                share.stmt.index(),
                share.pipe as usize,
            )
        });
        shares
    }

    /// Returns the longest waits of a lane's pipes.
    fn stalls(&self, lane: usize) -> Vec<Stall> {
        let mut found: FxHashMap<[usize; 4], (Stall, f64)> = FxHashMap::default();
        for (step, placed) in self.logs[lane].steps.iter().zip(&self.placed[lane]) {
            let Some(cause) = placed.cause.filter(|_| placed.waited > 0.0) else {
                continue;
            };
            let (on, because) = self.work_of(cause);
            let key = [
                step.pipe as usize,
                step.stmt.index(),
                on as usize,
                because.stmt.index(),
            ];
            let stall = Stall {
                pipe: step.pipe,
                stmt: step.stmt,
                on,
                cause: because.stmt,
                cycles: 0,
            };
            found.entry(key).or_insert((stall, 0.0)).1 += placed.waited;
        }
        let stalls = found.into_values().map(|(stall, cycles)| Stall {
            cycles: whole(cycles),
            ..stall
        });
        let mut stalls: Vec<Stall> = stalls.filter(|stall| stall.cycles > 0).collect();
        stalls.sort_by_key(|stall| {
            let place = (stall.stmt.index(), stall.cause.index());
            (
                Reverse(stall.cycles),
                place,
                stall.pipe as usize,
                stall.on as usize,
            )
        });
        stalls.truncate(STALLS);
        stalls
    }

    /// Returns the work that a step announces: for a set, the work that it follows.
    fn work_of(&self, mut here: StepRef) -> (Pipe, &'a Step) {
        loop {
            let step = self.step(here.lane as usize, here.step as usize);
            let placed = &self.placed[here.lane as usize][here.step as usize];
            match (step.act, placed.cause) {
                (Act::Set(_), Some(cause)) if cause != here => here = cause,
                _ => return (step.pipe, step),
            }
        }
    }

    /// Adds slices and edges, lane by lane in program order.
    fn record(&self, estimate: &mut Estimate) {
        for (lane, log) in self.logs.iter().enumerate() {
            for (number, step) in log.steps.iter().enumerate() {
                let placed = &self.placed[lane][number];
                if !placed.done.is_nan() {
                    self.record_step(estimate, lane, step, placed);
                }
            }
        }
    }

    fn record_step(&self, estimate: &mut Estimate, lane: usize, step: &Step, placed: &Placed) {
        let pipe = shown(step.pipe);
        let on = placed.cause.map(|cause| self.work_of(cause).0);
        let waits = match step.act {
            Act::Set(_) => None,
            Act::Wait(token) => Some(Activity::Await(token)),
            Act::Barrier => Some(Activity::Barrier),
            Act::Work(_) => on.map(Activity::AutoSync),
        };
        let mut slice = |start: f64, end: f64, activity: Activity| {
            if whole(end) <= whole(start) {
                return;
            }
            if estimate.slices.len() >= MAX_SLICES {
                estimate.slices_left_out += 1;
                return;
            }
            estimate.slices.push(Slice {
                lane: lane_at(lane),
                pipe,
                stmt: step.stmt,
                start: whole(start),
                end: whole(end),
                activity,
            });
        };
        if let Some(waits) = waits.filter(|_| placed.waited > 0.0) {
            slice(placed.start - placed.waited, placed.start, waits);
        }
        if let Act::Work(work) = step.act {
            let activity = Activity::Work {
                done: whole(placed.done),
                bytes: work.bytes,
                repeats: work.repeats,
            };
            slice(placed.start, placed.free, activity);
        }
        self.connect(estimate, lane, step, placed);
    }

    fn connect(&self, estimate: &mut Estimate, lane: usize, step: &Step, placed: &Placed) {
        let token = match step.act {
            Act::Wait(token) => Some(token),
            Act::Work(_) if placed.waited > 0.0 => None,
            _ => return,
        };
        let latest = step.after.iter().copied().max_by(|a, b| {
            let done = |at: &StepRef| self.placed[at.lane as usize][at.step as usize].done;
            done(a).total_cmp(&done(b))
        });
        let Some(from) = latest.filter(|_| estimate.edges.len() < MAX_SLICES) else {
            return;
        };
        let source = &self.placed[from.lane as usize][from.step as usize];
        let at = match token {
            Some(_) => source.start,
            None => source.done,
        };
        estimate.edges.push(Edge {
            token,
            from: Moment {
                lane: lane_at(from.lane as usize),
                pipe: shown(self.step(from.lane as usize, from.step as usize).pipe),
                at: whole(at),
            },
            to: Moment {
                lane: lane_at(lane),
                pipe: shown(step.pipe),
                at: whole(placed.start),
            },
        });
    }
}

/// Ends an instruction that has begun: its pipe is free after its occupancy, but not before `moved`.
fn occupy(
    state: &mut PipeState,
    placed: &mut Placed,
    work: Work,
    moved: f64,
    cause: Option<StepRef>,
) {
    placed.free = (placed.start + work.occupancy).max(moved);
    placed.done = (placed.start + work.latency).max(moved);
    state.busy += placed.free - placed.start;
    let at = placed.free;
    state.free = Since { at, cause };
    let at = placed.done;
    state.done = state.done.or_later(Since { at, cause });
}

/// Rounds a time to whole cycles.
fn whole(cycles: f64) -> i64 {
    cycles.round() as i64
}

/// Returns the track on which a pipe is shown: steps of all pipes are those of the scalar unit.
fn shown(pipe: Pipe) -> Pipe {
    if pipe == Pipe::All { Pipe::S } else { pipe }
}
