//! What a run does, written down for the cost model: one list of steps per lane.
//!
//! A step names the steps it follows: what it waits for, and inside `auto_sync` the work of other
//! pipes on the same slots. A pair of pipes that `auto_sync` covers waits for each other there and
//! nowhere else, so what a kernel forgets to order overlaps here as it would on silicon. When
//! everything happens follows at the end, in `schedule.rs`, since lanes share the way to memory.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::access::Site;
use super::cost::{self, Expense, GLOBAL_ALIGNMENT, Traffic};
use super::estimate::Estimate;
use super::lane_id::{LaneId, LaneKind};
use super::lane_log::{Act, LaneLog, Step, StepRef, Work, lane_index};
use super::observer::{SyncOp, Token};
use super::schedule;
use super::together::{self, Load, Loads};
use a2lint_ir::sync::Route;
use a2lint_ir::{GlobalId, Program};
use a2lint_isa::Pipe;

/// Most steps that are written down.
const MAX_STEPS: usize = 2_000_000;
/// Writes down a run. An [`super::Observer`] hands on what it is told.
#[derive(Debug)]
pub struct Clock<'p> {
    program: &'p Program,
    cores: u32,
    is_recording: bool,
    lanes: Vec<LaneLog>,
    /// Where each flag was set, in order, by who set it.
    sets: FxHashMap<(Route, i64, LaneId), Vec<StepRef>>,
    /// How often each flag was taken, by who took it.
    taken: FxHashMap<(Route, i64, LaneId), usize>,
    cache: Cache,
    loads: Loads,
    steps: usize,
    /// Steps that were too many.
    dropped: u64,
}

/// Which lines of global memory were touched before, and so are in L2.
#[derive(Debug, Default)]
struct Cache {
    globals: Vec<Vec<u64>>,
    /// Bytes of all lines that were touched.
    bytes: i64,
    /// Tensors that are loaded past it.
    bypassed: Vec<GlobalId>,
}

impl<'p> Clock<'p> {
    /// An empty list; its estimate keeps every slice if it is to be `recording`.
    pub fn new(program: &'p Program, cores: u32, recording: bool) -> Self {
        let lanes = cores as usize * LaneKind::ALL.len();
        Clock {
            program,
            cores,
            is_recording: recording,
            lanes: (0..lanes).map(|_| LaneLog::default()).collect(),
            sets: FxHashMap::default(),
            taken: FxHashMap::default(),
            cache: Cache::default(),
            loads: Loads::default(),
            steps: 0,
            dropped: 0,
        }
    }

    /// When everything happened.
    pub fn estimate(&self) -> Estimate {
        let holds_stores = self.cache.bytes <= cost::cache_bytes();
        let (lanes, loads) = (&self.lanes, &self.loads);
        schedule::lay_out(lanes, loads, holds_stores, self.is_recording, self.dropped)
    }

    /// A tensor is loaded past L2, which then keeps what others left there.
    pub fn bypass(&mut self, global: GlobalId) {
        self.cache.bypassed.push(global);
    }

    /// An instruction is executed.
    pub fn spend(&mut self, site: &Site, expense: &Expense) {
        if !self.has_room() {
            return;
        }
        let index = lane_index(site.lane);
        let auto_sync = &self.program.toolchain.auto_sync;
        let mut before = None;
        for cost in &expense.costs {
            let traffic = cost.traffic.as_ref();
            let loads = traffic.filter(|traffic| traffic.direction.loads());
            let served = traffic.map_or(Served::default(), |traffic| {
                self.cache.serve(traffic, cost.occupancy)
            });
            let work = Work {
                occupancy: cost.occupancy - served.saved,
                latency: cost.latency - served.saved,
                chip: served.chip,
                stores: traffic.is_some() && loads.is_none(),
                from_memory: loads.is_some() && served.share < 0.5,
                load: loads.map(|traffic| self.load(site.lane, traffic)),
                bytes: cost.bytes,
                repeats: cost.repeats,
                operations: cost.operations,
            };
            let lane = &mut self.lanes[index];
            let number = lane.steps.len() as u32;
            let mut after: SmallVec<[u32; 4]> = before.into_iter().collect();
            if lane.regions > 0 {
                let uses = expense.slots.iter().filter(|used| used.pipe == cost.pipe);
                uses.clone()
                    .for_each(|used| lane.follow(auto_sync, used, &mut after));
                uses.for_each(|used| lane.slots.entry(used.slot).or_default().note(used, number));
            }
            let after = after.into_iter().map(|step| StepRef {
                lane: index as u32,
                step,
            });
            let after = after.collect();
            self.push(site, cost.pipe, Act::Work(work), after);
            before = Some(number);
        }
    }

    /// The next load of a lane.
    fn load(&mut self, lane: LaneId, traffic: &Traffic) -> Load {
        let log = &mut self.lanes[lane_index(lane)];
        let number = log.loads;
        log.loads += 1;
        let Traffic { global, rows, .. } = traffic;
        self.loads.note(lane.kind, number, *global, rows)
    }

    /// A lane sets or awaits something, or passes a barrier.
    pub fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        let index = lane_index(site.lane);
        match *operation {
            // Nobody knows how long it takes.
            SyncOp::Unseen { .. } => {}
            SyncOp::EnterAutoSync => self.lanes[index].regions += 1,
            SyncOp::LeaveAutoSync => {
                let lane = &mut self.lanes[index];
                lane.regions = lane.regions.saturating_sub(1);
                if lane.regions == 0 {
                    lane.slots.clear();
                }
            }
            SyncOp::Set { token, pipe } if self.has_room() => {
                let here = self.push(site, pipe, Act::Set(token), SmallVec::new());
                match token {
                    Token::Flag { route, id } => {
                        let key = (route, id, site.lane);
                        self.sets.entry(key).or_default().push(here);
                    }
                    token => drop(self.lanes[index].events.insert(token, here)),
                }
            }
            SyncOp::Wait { token, pipe } if self.has_room() => {
                let after = match token {
                    Token::Flag { route, id } => self.flag_sets(route, id, site.lane),
                    token => self.lanes[index]
                        .events
                        .remove(&token)
                        .into_iter()
                        .collect(),
                };
                self.push(site, pipe, Act::Wait(token), after);
            }
            SyncOp::Barrier(pipe) if self.has_room() => {
                self.push(site, pipe, Act::Barrier, SmallVec::new());
            }
            _ => {}
        }
    }

    /// Whether another step may be written down.
    fn has_room(&mut self) -> bool {
        if self.steps >= MAX_STEPS {
            self.dropped += 1;
            return false;
        }
        self.steps += 1;
        true
    }

    fn push(
        &mut self,
        site: &Site,
        pipe: Pipe,
        act: Act,
        after: SmallVec<[StepRef; 2]>,
    ) -> StepRef {
        let index = lane_index(site.lane);
        let steps = &mut self.lanes[index].steps;
        steps.push(Step {
            stmt: site.stmt,
            pipe,
            act,
            after,
        });
        StepRef {
            lane: index as u32,
            step: steps.len() as u32 - 1,
        }
    }

    /// Where the flag was set that a lane takes now, by each of those that it needs.
    fn flag_sets(&mut self, route: Route, id: i64, lane: LaneId) -> SmallVec<[StepRef; 2]> {
        let taken = self.taken.entry((route, id, lane)).or_default();
        let index = *taken;
        *taken += 1;
        let Some(index) = index.checked_sub(self.posted(route, id)) else {
            return SmallVec::new();
        };
        let set_at = |setter| self.sets.get(&(route, id, setter))?.get(index).copied();
        let setters = self.setters(route, lane).into_iter();
        setters.filter_map(set_at).collect()
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
}

/// What a move takes for what was in L2.
#[derive(Clone, Copy, Debug, Default)]
struct Served {
    /// Cycles of the whole chip's way to memory.
    chip: f64,
    /// Which part of it is in L2.
    share: f64,
    /// Cycles of its own lane that it does not take for that reason.
    saved: f64,
}

impl Cache {
    /// What a move of so many cycles takes of the chip and its lane; its lines are in L2 from now on.
    fn serve(&mut self, traffic: &Traffic, cycles: f64) -> Served {
        let rows = &traffic.rows;
        let length = rows.length.max(0);
        let bytes = length.saturating_mul(rows.count.max(0));
        if traffic.direction.loads() && self.bypassed.contains(&traffic.global) {
            return Served {
                chip: traffic.chip_cycles(bytes, 0),
                ..Served::default()
            };
        }
        let index = traffic.global.index();
        if self.globals.len() <= index {
            self.globals.resize_with(index + 1, Vec::new);
        }
        let lines = &mut self.globals[index];
        let (mut seen, mut known) = (0, 0);
        let mut before = None;
        for line in together::lines(rows) {
            // Short rows share lines: that one is there now does not mean that it was in L2.
            if before.replace(line) == Some(line) {
                continue;
            }
            let (word, bit) = ((line / 64) as usize, 1u64 << (line % 64));
            if lines.len() <= word {
                lines.resize(word + 1, 0);
            }
            seen += 1;
            if lines[word] & bit == 0 {
                lines[word] |= bit;
                self.bytes += GLOBAL_ALIGNMENT;
            } else {
                known += 1;
            }
        }
        // What was touched long ago has been replaced; how long, nobody has measured.
        let cached = match traffic.direction.loads() && self.bytes <= cost::cache_bytes() {
            true if seen > 0 => bytes / seen * known,
            _ => 0,
        };
        let cached = cached.min(bytes);
        let share = cached as f64 / bytes.max(1) as f64;
        Served {
            chip: traffic.chip_cycles(bytes, cached),
            share,
            saved: (cycles - traffic.cached).max(0.0) * share,
        }
    }
}
