//! The instructions that are known to be complete when another one begins.
//!
//! A pipe begins its instructions in order and completes them in any: only a barrier of the pipe,
//! or a token that it set, tells that what it did is done. The scalar unit is in order, and since
//! it issues everything, what it has waited for precedes all that the lane issues later.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::clock::{Thread, VectorClock};
use super::regions::Region;
use crate::{LaneId, LaneKind, Route, Token};
use a2lint_ir::Program;
use a2lint_isa::Pipe;

/// Pipes of a lane.
const PIPES: usize = Pipe::ALL.len();
/// Lanes of a core.
const LANES: usize = LaneKind::ALL.len();
/// Maximum number of tokens of one flag that are kept; beyond, the oldest are dropped and `Flags::is_cut` is set.
const MAX_TOKENS: usize = 256;

/// Returns the index of a lane among all lanes of a launch.
pub(super) fn lane_index(lane: LaneId) -> usize {
    lane.core as usize * LANES + lane.kind.index()
}

/// Returns the index of a pipe among all pipes of a launch.
pub(super) fn thread(lane: LaneId, pipe: Pipe) -> Thread {
    lane_index(lane) * PIPES + pipe as usize
}

/// Returns the lane that a pipe belongs to.
pub(super) fn lane_of(thread: Thread) -> LaneId {
    let lane = thread / PIPES;
    LaneId {
        core: (lane / LANES) as u32,
        kind: LaneKind::ALL[lane % LANES],
    }
}

/// Returns which pipe of its lane a thread is.
pub(super) fn pipe_of(thread: Thread) -> Pipe {
    Pipe::ALL[thread % PIPES]
}

/// The pipes of one lane.
#[derive(Debug)]
pub(super) struct LaneOrder {
    lane: LaneId,
    /// The instructions that are complete before any instruction that is issued from now on.
    dispatched: VectorClock,
    /// Number of changes of `dispatched` so far.
    version: u32,
    pipes: Vec<PipeOrder>,
    events: FxHashMap<Token, VectorClock>,
    /// The open `auto_sync` region, or the last one where the toolchain joins regions.
    pub region: Option<Region>,
}

#[derive(Clone, Debug)]
struct PipeOrder {
    /// The instructions that are complete before any instruction that the pipe begins from now on.
    known: VectorClock,
    /// The `version` that `known` includes.
    version: u32,
    /// Number of instructions so far.
    issued: u32,
    /// Number of instructions before its last barrier.
    barred: u32,
}

impl LaneOrder {
    /// Creates a lane before its first instruction.
    pub fn new(lane: LaneId) -> Self {
        let nothing = VectorClock::default();
        let pipe = PipeOrder {
            known: nothing.clone(),
            version: 0,
            issued: 0,
            barred: 0,
        };
        Self {
            lane,
            dispatched: nothing,
            version: 0,
            pipes: vec![pipe; PIPES],
            events: FxHashMap::default(),
            region: None,
        }
    }

    /// Returns the `auto_sync` region that is open.
    pub fn open_region(&self) -> Option<&Region> {
        self.region.as_ref().filter(|region| !region.is_closed())
    }

    /// Begins an instruction of a pipe, and returns its number (from 1).
    pub fn begin(&mut self, pipe: Pipe) -> u32 {
        let state = &mut self.pipes[pipe as usize];
        state.issued += 1;
        let issued = state.issued;
        // The scalar unit completes in order and issues everything, so its instructions precede all later
        // ones.
        if pipe == Pipe::S {
            self.dispatched.advance(thread(self.lane, pipe), issued);
            self.version += 1;
        }
        issued
    }

    /// Returns what is complete before an instruction that a pipe begins now.
    pub fn known(&mut self, pipe: Pipe) -> &VectorClock {
        let state = &mut self.pipes[pipe as usize];
        // Joined only when asked for: `dispatched` changes with every scalar instruction, and most pipes are
        // idle.
        if state.version != self.version {
            state.known.join(&self.dispatched);
            state.version = self.version;
        }
        &state.known
    }

    /// Makes a pipe wait until all of `clock` is complete.
    pub fn learn(&mut self, pipe: Pipe, clock: &VectorClock) {
        if matches!(pipe, Pipe::S | Pipe::All) {
            self.dispatched.join(clock);
            self.version += 1;
        } else {
            self.pipes[pipe as usize].known.join(clock);
        }
    }

    /// Continues as if a pipe had waited for an instruction before it began its last one: one missing edge
    /// gives one hazard.
    pub fn assume_edge(&mut self, pipe: Pipe, thread: Thread, epoch: u32) {
        let other = pipe_of(thread);
        // Between pipes an event would order all that the other one has issued; within a pipe, the edge is
        // one instruction.
        if lane_of(thread) == self.lane && other != pipe {
            let done = self.done(other);
            self.pipes[pipe as usize].known.join(&done);
        }
        self.pipes[pipe as usize].known.advance(thread, epoch);
    }

    /// Returns what is complete once a pipe has finished all that it has begun.
    pub fn done(&mut self, pipe: Pipe) -> VectorClock {
        if pipe == Pipe::All {
            return self.all_done();
        }
        let mut clock = self.known(pipe).clone();
        let issued = self.pipes[pipe as usize].issued;
        clock.advance(thread(self.lane, pipe), issued);
        clock
    }

    fn all_done(&mut self) -> VectorClock {
        let mut clock = self.dispatched.clone();
        for &pipe in Pipe::ALL.iter().filter(|&&pipe| pipe != Pipe::All) {
            clock.join(&self.done(pipe));
        }
        clock
    }

    /// Makes a pipe wait for itself; with `ALL`, all pipes for all others.
    pub fn barrier(&mut self, pipe: Pipe) {
        let done = self.done(pipe);
        self.learn(pipe, &done);
        for barred in Pipe::ALL {
            if pipe == Pipe::All || pipe == barred {
                let state = &mut self.pipes[barred as usize];
                state.barred = state.issued;
            }
        }
    }

    /// Returns the number of instructions that a pipe had begun at its last barrier.
    pub fn barred(&self, pipe: Pipe) -> u32 {
        self.pipes[pipe as usize].barred
    }

    /// Records that a pipe sets an event or raw flag.
    pub fn set(&mut self, token: Token, pipe: Pipe) {
        let done = self.done(pipe);
        self.events.insert(token, done);
    }

    /// Records that a pipe has waited for an event or raw flag. One that was set from the start orders
    /// nothing.
    pub fn wait(&mut self, token: Token, pipe: Pipe) {
        if let Some(clock) = self.events.remove(&token) {
            self.learn(pipe, &clock);
        }
    }
}

/// The tokens of flags between lanes, with what is complete when one is taken.
#[derive(Debug, Default)]
pub(super) struct Flags {
    /// Tokens that are set and not yet taken, by the vec lane at either end; `None` for those posted at the
    /// start.
    tokens: FxHashMap<(Route, i64, LaneId), VecDeque<Option<VectorClock>>>,
    /// The announcements of each lane on each collective flag.
    announced: FxHashMap<(Route, i64, LaneId), Announcements>,
    /// The number of meetings on each collective flag that each lane has left.
    left: FxHashMap<(Route, i64, LaneId), usize>,
    /// Whether tokens were dropped.
    pub is_cut: bool,
}

impl Flags {
    /// Creates the flags of a program, with the free tokens of its mutexes.
    pub fn new(program: &Program, cores: u32) -> Self {
        let mut flags = Self::default();
        for mutex in &program.mutexes {
            let Some(id) = mutex.flag_id else { continue };
            for lane in (0..cores).flat_map(vec_lanes) {
                let key = (mutex.credit_route(), id, lane);
                let free = (0..mutex.credits()).map(|_| None);
                flags.tokens.entry(key).or_default().extend(free);
            }
        }
        flags
    }

    /// Records that a lane sets a flag.
    pub fn set(&mut self, route: Route, id: i64, lane: LaneId, clock: &VectorClock) {
        let ends = match route {
            Route::CubeToVec => vec_lanes(lane.core).to_vec(),
            Route::VecToCube => vec![lane],
            Route::AllCubes | Route::AllVecs | Route::CoreVecs => {
                let announced = self.announced.entry((route, id, lane)).or_default();
                announced.clocks.push_back(clock.clone());
                if announced.clocks.len() > MAX_TOKENS {
                    announced.clocks.pop_front();
                    announced.dropped += 1;
                }
                return;
            }
        };
        for lane in ends {
            let tokens = self.tokens.entry((route, id, lane)).or_default();
            tokens.push_back(Some(clock.clone()));
            if tokens.len() > MAX_TOKENS {
                tokens.pop_front();
                self.is_cut = true;
            }
        }
    }

    /// Returns what a lane knows to be complete after waiting for a flag.
    pub fn take(&mut self, route: Route, id: i64, lane: LaneId) -> Vec<VectorClock> {
        match route {
            Route::CubeToVec => self.pop(route, id, &[lane]),
            Route::VecToCube => self.pop(route, id, &vec_lanes(lane.core)),
            Route::AllCubes | Route::AllVecs => self.heard(route, id, lane, |_| true),
            Route::CoreVecs => self.heard(route, id, lane, |other| other.core == lane.core),
        }
    }

    fn pop(&mut self, route: Route, id: i64, lanes: &[LaneId]) -> Vec<VectorClock> {
        let queues = lanes.iter().map(|&lane| (route, id, lane));
        queues
            .filter_map(|key| self.tokens.get_mut(&key)?.pop_front()?)
            .collect()
    }

    /// Returns the announcements of the next meeting of a lane. Others may have announced later ones already, which say
    /// nothing to it yet.
    fn heard(
        &mut self,
        route: Route,
        id: i64,
        lane: LaneId,
        counts: impl Fn(LaneId) -> bool,
    ) -> Vec<VectorClock> {
        let left = self.left.entry((route, id, lane)).or_default();
        let meeting = *left;
        *left += 1;
        let mut heard = Vec::new();
        for ((other_route, other_id, other), announced) in &self.announced {
            if (*other_route, *other_id) == (route, id) && counts(*other) {
                // Of one that was dropped, the next one kept says at least as much.
                self.is_cut |= meeting < announced.dropped;
                heard.extend(
                    announced
                        .clocks
                        .get(meeting.saturating_sub(announced.dropped))
                        .cloned(),
                );
            }
        }
        heard
    }
}

/// The announcements of a lane on a collective flag, one for each meeting.
#[derive(Debug, Default)]
struct Announcements {
    /// What was complete at each, oldest first.
    clocks: VecDeque<VectorClock>,
    /// Number of announcements before them.
    dropped: usize,
}

fn vec_lanes(core: u32) -> [LaneId; 2] {
    [0, 1].map(|sub_block| LaneId {
        core,
        kind: LaneKind::Vec(sub_block),
    })
}
