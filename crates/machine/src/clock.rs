//! Records a run for the cost model: one list of steps per lane.
//!
//! A step names the steps it follows: what it waits for, and inside `auto_sync` the work of other
//! pipes on the same slots. A pair of pipes that `auto_sync` covers waits for each other there and
//! nowhere else, so what a kernel forgets to order overlaps here as it would on silicon. `schedule.rs`
//! computes the times of all steps at the end, since lanes share the path to memory.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::access::Site;
use super::cost::{self, Expense, GLOBAL_ALIGNMENT, Traffic};
use super::estimate::Estimate;
use super::lane_id::{LaneId, LaneKind};
use super::lane_log::{Act, LaneLog, Step, StepRef, Work, lane_index};
use super::observer::{SyncOp, Token};
use super::schedule;
use super::shared_loads::{self, Load, Loads};
use a2lint_ir::sync::Route;
use a2lint_ir::{GlobalId, Program};
use a2lint_isa::Pipe;

/// Maximum number of steps that are recorded.
// Bounds the memory of a recording; further steps are counted and shown as missing from the estimate.
const MAX_STEPS: usize = 2_000_000;
/// Records the steps of a run from the events of an [`super::Observer`].
#[derive(Debug)]
pub struct Clock<'p> {
    program: &'p Program,
    cores: u32,
    is_recording: bool,
    lanes: Vec<LaneLog>,
    /// The steps that set each flag, in order, by setting lane.
    sets: FxHashMap<(Route, i64, LaneId), Vec<StepRef>>,
    /// The number of waits for each flag so far, by waiting lane.
    taken: FxHashMap<(Route, i64, LaneId), usize>,
    cache: Cache,
    loads: Loads,
    steps: usize,
    /// Number of steps that were not recorded.
    dropped: u64,
}

/// Lines of global memory that have been touched, and are therefore taken to be in L2.
#[derive(Debug, Default)]
struct Cache {
    globals: Vec<Vec<u64>>,
    /// Bytes of all lines that were touched.
    bytes: i64,
    /// Tensors whose loads bypass L2.
    bypassed: Vec<GlobalId>,
}

impl<'p> Clock<'p> {
    /// Creates an empty recording. With `recording`, its estimate keeps every slice and edge.
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

    /// Computes the times of all steps.
    pub fn estimate(&self) -> Estimate {
        let holds_stores = self.cache.bytes <= cost::cache_bytes();
        let (lanes, loads) = (&self.lanes, &self.loads);
        schedule::lay_out(lanes, loads, holds_stores, self.is_recording, self.dropped)
    }

    /// Returns whether steps were not recorded for lack of room: the estimate is a lower bound.
    pub fn is_full(&self) -> bool {
        self.dropped > 0
    }

    /// Makes loads of a tensor bypass L2, which then keeps the lines of other tensors.
    pub fn bypass(&mut self, global: GlobalId) {
        self.cache.bypassed.push(global);
    }

    /// Records an instruction.
    pub fn spend(&mut self, site: &Site, expense: &Expense) {
        if !self.has_room() {
            return;
        }
        let index = lane_index(site.lane);
        let auto_sync = &self.program.toolchain.auto_sync;
        // The parts of a macro occupy their pipes in turn: each follows the one before it.
        let mut before = None;
        for cost in &expense.costs {
            let traffic = cost.traffic.as_ref();
            let loads = traffic.filter(|traffic| traffic.direction.loads());
            let served = traffic.map_or(CacheEffect::default(), |traffic| {
                self.cache.serve(traffic, cost.occupancy)
            });
            let work = Work {
                occupancy: cost.occupancy - served.saved,
                latency: cost.latency - served.saved,
                chip: served.chip,
                stores: traffic.is_some() && loads.is_none(),
                // A load may hit L2 in part; below half, the time of the shared path to memory dominates.
                from_memory: loads.is_some() && served.share < 0.5,
                load: loads.map(|traffic| self.load(site.lane, traffic)),
                bytes: cost.bytes,
                repeats: cost.repeats,
                operations: cost.operations,
            };
            let lane = &mut self.lanes[index];
            let number = lane.steps.len() as u32;
            let mut after: SmallVec<[u32; 4]> = before.into_iter().collect();
            // Inside of a region the pipes are ordered by the slots they share, outside by events and
            // barriers alone.
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

    /// Records the bytes of a lane's next load, to be compared with the same load of other lanes.
    fn load(&mut self, lane: LaneId, traffic: &Traffic) -> Load {
        let log = &mut self.lanes[lane_index(lane)];
        let number = log.loads;
        log.loads += 1;
        let Traffic { global, rows, .. } = traffic;
        self.loads.note(lane.kind, number, *global, rows)
    }

    /// Records a set, a wait or a barrier of a lane.
    pub fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        let index = lane_index(site.lane);
        match *operation {
            // The time of code that is not followed is unknown, and counted as none.
            SyncOp::Unseen { .. } => {}
            SyncOp::EnterAutoSync => self.lanes[index].regions += 1,
            SyncOp::LeaveAutoSync => {
                let lane = &mut self.lanes[index];
                lane.regions = lane.regions.saturating_sub(1);
                if lane.regions == 0 {
                    // Handshakes do not reach beyond the outermost region.
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

    /// Returns whether another step may be recorded, and counts it.
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

    /// Returns the steps that set the flag which `lane` takes now, one for each lane that has to set it.
    fn flag_sets(&mut self, route: Route, id: i64, lane: LaneId) -> SmallVec<[StepRef; 2]> {
        let taken = self.taken.entry((route, id, lane)).or_default();
        let index = *taken;
        *taken += 1;
        // The first waits take the credits of mutexes, which no step has set.
        let Some(index) = index.checked_sub(self.posted(route, id)) else {
            return SmallVec::new();
        };
        let set_at = |setter| self.sets.get(&(route, id, setter))?.get(index).copied();
        let setters = self.setters(route, lane).into_iter();
        setters.filter_map(set_at).collect()
    }

    /// Returns the number of tokens that mutexes provide at the start.
    fn posted(&self, route: Route, id: i64) -> usize {
        let mutexes = self.program.mutexes.iter();
        let feeding =
            mutexes.filter(|mutex| mutex.flag_id == Some(id) && mutex.credit_route() == route);
        feeding.map(|mutex| mutex.credits() as usize).sum()
    }

    /// Returns the lanes that set the flags which `lane` waits for.
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

/// The effect of L2 on the time of a move.
#[derive(Clone, Copy, Debug, Default)]
struct CacheEffect {
    /// Cycles for which the chip's path to memory is occupied.
    chip: f64,
    /// The fraction of its bytes that are in L2.
    share: f64,
    /// Cycles that the lane of the move saves because these bytes are in L2.
    saved: f64,
}

impl Cache {
    /// Returns the effect of L2 on a move that takes `cycles` without it, and marks its lines as present.
    fn serve(&mut self, traffic: &Traffic, cycles: f64) -> CacheEffect {
        let rows = &traffic.rows;
        let length = rows.length.max(0);
        let bytes = length.saturating_mul(rows.count.max(0));
        if traffic.direction.loads() && self.bypassed.contains(&traffic.global) {
            return CacheEffect {
                chip: traffic.chip_cycles(bytes, 0),
                ..CacheEffect::default()
            };
        }
        let index = traffic.global.index();
        if self.globals.len() <= index {
            self.globals.resize_with(index + 1, Vec::new);
        }
        let lines = &mut self.globals[index];
        let (mut seen, mut known) = (0, 0);
        let mut before = None;
        for line in shared_loads::lines(rows) {
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
        // The replacement policy of L2 is not known: once more bytes have been touched than it holds, no hit
        // is counted.
        let cached = match traffic.direction.loads() && self.bytes <= cost::cache_bytes() {
            true if seen > 0 => bytes / seen * known,
            _ => 0,
        };
        let cached = cached.min(bytes);
        let share = cached as f64 / bytes.max(1) as f64;
        CacheEffect {
            chip: traffic.chip_cycles(bytes, cached),
            share,
            saved: (cycles - traffic.cached).max(0.0) * share,
        }
    }
}
