//! When everything happens: the cost model laid out in time, one track per lane and pipe.
//!
//! A pipe does its work in order. An instruction begins when it has been issued, its pipe is free
//! and, inside `auto_sync`, the slots it works on are: a pair of pipes that `auto_sync` covers
//! waits for each other there and nowhere else, so what a kernel forgets to order overlaps here as
//! it would on silicon. Waits take until what they wait for was set. All cores begin at cycle 0.

use rustc_hash::FxHashMap;

use super::cost::{Cost, Expense, ISSUE, SlotUse};
use super::lane_id::{LaneId, LaneKind};
use super::observer::{Route, Site, SyncOp, Token};
use crate::ir::{Program, StmtId};
use crate::isa::Pipe;

/// Most slices that are kept.
const MAX_SLICES: usize = 500_000;
/// Pipes of a lane.
const PIPES: usize = Pipe::ALL.len();

/// A stretch of time on one pipe of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slice {
    /// The lane.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// The statement that takes it.
    pub stmt: StmtId,
    /// First cycle.
    pub start: i64,
    /// The cycle after the last one.
    pub end: i64,
    /// What the pipe does.
    pub activity: Activity,
}

/// What a pipe does for a while.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// It executes an instruction.
    Work(Cost),
    /// It waits for something that is set elsewhere.
    Await(Token),
    /// It waits for a slot that another pipe works on, as `auto_sync` makes it.
    AutoSync(Pipe),
    /// It waits for all pipes of its lane.
    Barrier,
}

/// Something on one pipe that something on another waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edge {
    /// What is waited for; `None` for a handshake of `auto_sync`.
    pub token: Option<Token>,
    /// Who says that it is done.
    pub from: Moment,
    /// Who goes on then.
    pub to: Moment,
}

/// A point in time on one pipe of one lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    /// The lane.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// The cycle.
    pub at: i64,
}

/// One pipe in total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PipeLoad {
    /// The lane.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// Cycles of work.
    pub busy: i64,
    /// Cycles of waiting for others.
    pub waiting: i64,
}

/// Keeps time for a run. An [`super::Observer`] hands on what it is told.
#[derive(Debug)]
pub struct Clock<'p> {
    program: &'p Program,
    cores: u32,
    lanes: FxHashMap<LaneId, LaneClock>,
    /// When each flag was set, in order, by who set it.
    sets: FxHashMap<(Route, i64, LaneId), Vec<Moment>>,
    /// How often each flag was taken, by who took it.
    taken: FxHashMap<(Route, i64, LaneId), usize>,
    slices: Option<Vec<Slice>>,
    edges: Vec<Edge>,
    dropped: u64,
}

/// The pipes of one lane.
#[derive(Debug, Default)]
struct LaneClock {
    /// When each pipe is free again; that of the scalar unit is the time of issue.
    free: [i64; PIPES],
    busy: [i64; PIPES],
    waiting: [i64; PIPES],
    /// When events and raw flags were set.
    events: FxHashMap<Token, Moment>,
    /// When slots were last worked on.
    slots: FxHashMap<usize, SlotTimes>,
    /// How many `auto_sync` regions are open.
    regions: u32,
}

/// When the pipes were last done with a slot.
#[derive(Clone, Copy, Debug, Default)]
struct SlotTimes {
    read: [i64; PIPES],
    written: [i64; PIPES],
}

impl<'p> Clock<'p> {
    /// A clock at cycle 0, which remembers every slice if it is to be `recording`.
    pub fn new(program: &'p Program, cores: u32, recording: bool) -> Self {
        Clock {
            program,
            cores,
            lanes: FxHashMap::default(),
            sets: FxHashMap::default(),
            taken: FxHashMap::default(),
            slices: recording.then(Vec::new),
            edges: Vec::new(),
            dropped: 0,
        }
    }

    /// The cycle in which the last pipe is done.
    pub fn cycles(&self) -> i64 {
        let free = self.lanes.values().flat_map(|lane| lane.free);
        free.max().unwrap_or(0)
    }

    /// The pipes that did or awaited anything, by lane and pipe.
    pub fn loads(&self) -> Vec<PipeLoad> {
        let mut loads: Vec<PipeLoad> = Vec::new();
        for (&lane, clock) in &self.lanes {
            loads.extend(Pipe::ALL.iter().map(|&pipe| PipeLoad {
                lane,
                pipe,
                busy: clock.busy[pipe as usize],
                waiting: clock.waiting[pipe as usize],
            }));
        }
        loads.retain(|load| load.busy + load.waiting > 0);
        loads.sort_by_key(|load| (load.lane, load.pipe as usize));
        loads
    }

    /// The recorded slices in the order in which they were executed, and how many were too many.
    pub fn slices(&self) -> (&[Slice], u64) {
        (self.slices.as_deref().unwrap_or_default(), self.dropped)
    }

    /// What waited for what, in the order in which it was executed; recorded with the slices.
    pub fn edges(&self) -> &[Edge] {
        &self.edges
    }

    /// An instruction is executed.
    pub fn spend(&mut self, site: &Site, expense: &Expense) {
        let lane = self.lanes.entry(site.lane).or_default();
        let mut ready = lane.issue();
        let (mut slices, mut edges) = (Vec::new(), Vec::new());
        for cost in &expense.costs {
            let pipe = cost.pipe;
            let uses = expense.slots.iter().filter(|used| used.pipe == pipe);
            let begin = lane.free[pipe as usize].max(ready);
            let (other, until) = match lane.regions {
                0 => (pipe, begin),
                _ => lane.slots_free(pipe, uses.clone()),
            };
            if until > begin {
                lane.waiting[pipe as usize] += until - begin;
                slices.push((pipe, begin, until, Activity::AutoSync(other)));
                let [from, to] = [other, pipe].map(|pipe| Moment {
                    lane: site.lane,
                    pipe,
                    at: until,
                });
                edges.push(Edge {
                    token: None,
                    from,
                    to,
                });
            }
            let start = begin.max(until);
            ready = start + cost.cycles;
            lane.free[pipe as usize] = ready;
            lane.busy[pipe as usize] += cost.cycles;
            uses.for_each(|used| lane.slots.entry(used.slot).or_default().note(used, ready));
            slices.push((pipe, start, ready, Activity::Work(*cost)));
        }
        slices
            .into_iter()
            .for_each(|slice| self.record(site, slice));
        edges.into_iter().for_each(|edge| self.connect(edge));
    }

    /// A lane sets or awaits something, or passes a barrier.
    pub fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        let lane = self.lanes.entry(site.lane).or_default();
        match *operation {
            SyncOp::EnterAutoSync => lane.regions += 1,
            SyncOp::LeaveAutoSync => lane.regions = lane.regions.saturating_sub(1),
            SyncOp::Set { token, pipe } => {
                let at = lane.issue().max(lane.free_at(pipe));
                let pipe = shown(pipe);
                let now = Moment {
                    lane: site.lane,
                    pipe,
                    at,
                };
                match token {
                    Token::Flag { route, id } => {
                        let key = (route, id, site.lane);
                        self.sets.entry(key).or_default().push(now);
                    }
                    token => drop(lane.events.insert(token, now)),
                }
            }
            SyncOp::Wait { token, pipe } => {
                let set = match token {
                    Token::Flag { route, id } => self.flag_set_at(route, id, site.lane),
                    token => lane.events.remove(&token),
                };
                let until = set.map_or(0, |set| set.at);
                let at = self.wait(site, pipe, until, Activity::Await(token));
                if let Some(from) = set {
                    let (lane, pipe) = (site.lane, shown(pipe));
                    let to = Moment { lane, pipe, at };
                    self.connect(Edge {
                        token: Some(token),
                        from,
                        to,
                    });
                }
            }
            SyncOp::Barrier(pipe) => {
                let done = lane.free_at(pipe);
                self.wait(site, pipe, done, Activity::Barrier);
            }
        }
    }

    /// Makes a pipe wait until a cycle; `ALL` makes the whole lane wait. When it goes on.
    fn wait(&mut self, site: &Site, pipe: Pipe, until: i64, activity: Activity) -> i64 {
        let lane = self.lanes.entry(site.lane).or_default();
        let issued = lane.issue();
        let shown = shown(pipe);
        let begin = lane.free[shown as usize].max(issued);
        if pipe == Pipe::All {
            lane.free
                .iter_mut()
                .for_each(|free| *free = until.max(begin));
        }
        if until > begin {
            lane.free[shown as usize] = until;
            lane.waiting[shown as usize] += until - begin;
            self.record(site, (shown, begin, until, activity));
        }
        until.max(begin)
    }

    /// When the flag was set that a lane takes now: the last of those that it needs.
    fn flag_set_at(&mut self, route: Route, id: i64, lane: LaneId) -> Option<Moment> {
        let taken = self.taken.entry((route, id, lane)).or_default();
        let index = *taken;
        *taken += 1;
        let index = index.checked_sub(self.posted(route, id))?;
        let set_at = |setter| {
            let times = self.sets.get(&(route, id, setter))?;
            times.get(index).copied()
        };
        let times = self.setters(route, lane).into_iter().filter_map(set_at);
        times.max_by_key(|set| set.at)
    }

    /// Free tokens of mutexes that were there from the start.
    fn posted(&self, route: Route, id: i64) -> usize {
        let mutexes = self.program.mutexes.iter();
        let feeding =
            mutexes.filter(|mutex| mutex.flag_id == Some(id) && mutex.credit_route() == route);
        feeding.map(|mutex| mutex.credits() as usize).sum()
    }

    /// Who sets the flags that `lane` waits for.
    fn setters(&self, route: Route, lane: LaneId) -> Vec<LaneId> {
        let vecs = |core| {
            [0, 1].map(|index| LaneId {
                core,
                kind: LaneKind::Vec(index),
            })
        };
        let cube = |core| LaneId {
            core,
            kind: LaneKind::Cube,
        };
        match route {
            Route::CubeToVec => vec![cube(lane.core)],
            Route::VecToCube | Route::CoreVecs => vecs(lane.core).to_vec(),
            Route::AllCubes => (0..self.cores).map(cube).collect(),
            Route::AllVecs => (0..self.cores).flat_map(vecs).collect(),
        }
    }

    fn connect(&mut self, edge: Edge) {
        if self.slices.is_some() && self.edges.len() < MAX_SLICES {
            self.edges.push(edge);
        }
    }

    fn record(&mut self, site: &Site, (pipe, start, end, activity): (Pipe, i64, i64, Activity)) {
        match &mut self.slices {
            Some(slices) if slices.len() < MAX_SLICES => slices.push(Slice {
                lane: site.lane,
                pipe,
                stmt: site.stmt,
                start,
                end,
                activity,
            }),
            Some(_) => self.dropped += 1,
            None => {}
        }
    }
}

impl LaneClock {
    /// The scalar unit issues an instruction: when it is done with that.
    fn issue(&mut self) -> i64 {
        self.free[Pipe::S as usize] += ISSUE;
        self.busy[Pipe::S as usize] += ISSUE;
        self.free[Pipe::S as usize]
    }

    /// When a pipe is done with what it has; `ALL` when every pipe is.
    fn free_at(&self, pipe: Pipe) -> i64 {
        match pipe {
            Pipe::All => self.free.into_iter().max().unwrap_or(0),
            pipe => self.free[pipe as usize],
        }
    }

    /// When slots are free for a pipe, and the pipe that has the last of them.
    fn slots_free<'u>(&self, pipe: Pipe, uses: impl Iterator<Item = &'u SlotUse>) -> (Pipe, i64) {
        let mut latest = (pipe, 0);
        for used in uses {
            let Some(times) = self.slots.get(&used.slot) else {
                continue;
            };
            for &other in Pipe::ALL.iter().filter(|&&other| is_covered(pipe, other)) {
                let mut done = times.written[other as usize];
                if used.write {
                    done = done.max(times.read[other as usize]);
                }
                if done > latest.1 {
                    latest = (other, done);
                }
            }
        }
        latest
    }
}

impl SlotTimes {
    fn note(&mut self, used: &SlotUse, done: i64) {
        let times = if used.write {
            &mut self.written
        } else {
            &mut self.read
        };
        times[used.pipe as usize] = done;
    }
}

/// The track that shows a pipe: everything at once is the matter of the scalar unit.
fn shown(pipe: Pipe) -> Pipe {
    if pipe == Pipe::All { Pipe::S } else { pipe }
}

/// Whether `auto_sync` orders two pipes.
fn is_covered(a: Pipe, b: Pipe) -> bool {
    const PAIRS: [(Pipe, Pipe); 6] = [
        (Pipe::Mte2, Pipe::V),
        (Pipe::V, Pipe::Mte3),
        (Pipe::Mte2, Pipe::Mte3),
        (Pipe::Mte2, Pipe::Mte1),
        (Pipe::Mte1, Pipe::M),
        (Pipe::M, Pipe::Fix),
    ];
    PAIRS.contains(&(a, b)) || PAIRS.contains(&(b, a))
}
