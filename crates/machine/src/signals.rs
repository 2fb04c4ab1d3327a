//! Flags between lanes and events inside a lane.
//!
//! Flags between lanes are counters; an event has one bit for each hardware id. Mutexes are flags: the
//! producer's `lock` waits for free tokens, its `ready` hands data over, the consumer's `wait` takes it and
//! `free` returns the token.

use std::collections::BTreeMap;

use super::lane_id::{LaneId, LaneKind};
use a2lint_ir::sync::Route;
use a2lint_ir::{EventId, Program, StmtId};
use a2lint_isa::Pipe;

/// Highest value of a flag's hardware counter.
// It counts in four bits.
const FLAG_LIMIT: u32 = 15;
/// The counter of a participant on one flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct FlagKey {
    route: Route,
    id: i64,
    /// For counted flags the vec lane at either end, for collective ones the announcing lane.
    lane: LaneId,
}

/// Every flag between lanes.
#[derive(Clone, Debug, Default)]
pub struct Flags {
    /// Tokens that are set and not yet taken, or announcements so far.
    set: BTreeMap<FlagKey, u32>,
    /// Collective waits that lanes have passed so far.
    passed: BTreeMap<FlagKey, u32>,
}

impl Flags {
    /// Posts the free tokens of all mutexes on one core.
    pub fn post_credits(&mut self, program: &Program, core: u32) {
        for mutex in &program.mutexes {
            let Some(id) = mutex.flag_id else {
                continue;
            };
            let route = mutex.credit_route();
            // Each vec lane has a counter of its own, whichever side waits.
            for lane in vec_lanes(core) {
                *self.set.entry(FlagKey { route, id, lane }).or_default() += mutex.credits();
            }
        }
    }

    /// Sets a flag; returns `false` if a counter exceeds its limit.
    pub fn set(&mut self, route: Route, id: i64, lane: LaneId) -> bool {
        let keys = match route {
            // One set reaches both vec lanes, and each of them takes its token by itself.
            Route::CubeToVec => vec_lanes(lane.core).to_vec(),
            _ => vec![lane],
        };
        // Collective flags only compare numbers of announcements; there is no counter to overflow.
        let limited = matches!(route, Route::CubeToVec | Route::VecToCube);
        let mut within = true;
        for lane in keys {
            let count = self.set.entry(FlagKey { route, id, lane }).or_default();
            *count += 1;
            within &= !limited || *count <= FLAG_LIMIT;
        }
        within
    }

    /// Takes the tokens that a lane waits for; returns `false`, and takes none, if one is missing.
    ///
    /// `vecs` is the total number of vec lanes: the last core may have a single one.
    pub fn take(&mut self, route: Route, id: i64, lane: LaneId, [cores, vecs]: [u32; 2]) -> bool {
        match route {
            Route::CubeToVec => self.take_tokens(route, id, &[lane]),
            Route::VecToCube => self.take_tokens(route, id, &vec_lanes(lane.core)),
            Route::CoreVecs => self.pass(route, id, lane, vec_lanes(lane.core).to_vec()),
            Route::AllVecs => {
                let all = (0..cores).flat_map(vec_lanes).take(vecs as usize);
                self.pass(route, id, lane, all.collect())
            }
            Route::AllCubes => self.pass(route, id, lane, (0..cores).map(cube_lane).collect()),
        }
    }

    /// Returns whether a lane that has just taken a collective flag is the first to leave that meeting: all others have
    /// announced it, and none has done anything after it.
    pub fn is_first_to_leave(&self, route: Route, id: i64, lane: LaneId) -> bool {
        let Some(&mine) = self.passed.get(&FlagKey { route, id, lane }) else {
            return false;
        };
        let is_ahead = |(key, &passed): (&FlagKey, &u32)| {
            let is_other = (key.route, key.id) == (route, id) && key.lane != lane;
            let is_present = route != Route::CoreVecs || key.lane.core == lane.core;
            is_other && is_present && passed >= mine
        };
        !self.passed.iter().any(is_ahead)
    }

    fn take_tokens(&mut self, route: Route, id: i64, lanes: &[LaneId]) -> bool {
        let keys = lanes.iter().map(|&lane| FlagKey { route, id, lane });
        // All or none: the token of one vec lane must not be taken while the other one's is missing.
        if !keys
            .clone()
            .all(|key| self.set.get(&key).is_some_and(|&count| count > 0))
        {
            return false;
        }
        for key in keys {
            *self.set.entry(key).or_default() -= 1;
        }
        true
    }

    /// Returns the flags that concern a lane, with their counters.
    pub fn pending_tokens(&self, lane: LaneId) -> impl Iterator<Item = (Route, i64, u32)> {
        let own = self.set.iter().filter(move |(key, _)| key.lane == lane);
        own.map(|(key, &count)| (key.route, key.id, count))
    }

    fn pass(&mut self, route: Route, id: i64, lane: LaneId, all: Vec<LaneId>) -> bool {
        let count = |map: &BTreeMap<FlagKey, u32>, lane| {
            map.get(&FlagKey { route, id, lane }).copied().unwrap_or(0)
        };
        // The n-th wait needs the n-th announcement of every participant.
        let passed = count(&self.passed, lane);
        let open = all.into_iter().all(|lane| count(&self.set, lane) > passed);
        if open {
            self.passed.insert(FlagKey { route, id, lane }, passed + 1);
        }
        open
    }
}

fn vec_lanes(core: u32) -> [LaneId; 2] {
    [0, 1].map(|sub_block| LaneId {
        core,
        kind: LaneKind::Vec(sub_block),
    })
}

fn cube_lane(core: u32) -> LaneId {
    LaneId {
        core,
        kind: LaneKind::Cube,
    }
}

/// Events and raw flags of one lane.
#[derive(Clone, Debug, Default)]
pub struct Events {
    events: Vec<EventState>,
    raw: BTreeMap<(Pipe, Pipe, i64), bool>,
    /// The last statement that set each event or raw flag.
    setters: Vec<(EventRef, StmtId)>,
}

#[derive(Clone, Debug, Default)]
struct EventState {
    flags: Vec<bool>,
    sets: u64,
    waits: u64,
}

/// The event or raw flag of a set or wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum EventRef {
    /// Names an event, which takes its hardware ids in turn: each set or wait acts on the next one.
    Event(EventId),
    /// A raw flag: the pipe that sets, the pipe that waits, its number.
    Raw(Pipe, Pipe, i64),
}

impl Events {
    /// Creates the events of a lane before its first statement.
    pub fn new(program: &Program) -> Events {
        let state = |event: &a2lint_ir::Event| EventState {
            flags: vec![event.preset; event.ids.max(1) as usize],
            ..EventState::default()
        };
        Events {
            events: program.events.iter().map(state).collect(),
            raw: BTreeMap::new(),
            setters: Vec::new(),
        }
    }

    /// Sets the next id; returns its index, and whether it was clear before.
    pub fn set(&mut self, event: EventRef, stmt: StmtId) -> (u32, bool) {
        match self.setters.iter_mut().find(|(of, _)| *of == event) {
            Some(setter) => setter.1 = stmt,
            None => self.setters.push((event, stmt)),
        }
        match event {
            EventRef::Raw(src, dst, id) => (
                0,
                !std::mem::replace(self.raw.entry((src, dst, id)).or_default(), true),
            ),
            EventRef::Event(id) => {
                let state = &mut self.events[id.index()];
                let slot = (state.sets % state.flags.len() as u64) as usize;
                state.sets += 1;
                (
                    slot as u32,
                    !std::mem::replace(&mut state.flags[slot], true),
                )
            }
        }
    }

    /// Takes the next id if it is set, and returns its index.
    pub fn take(&mut self, event: EventRef) -> Option<u32> {
        match event {
            EventRef::Raw(src, dst, id) => {
                let flag = self.raw.get_mut(&(src, dst, id))?;
                std::mem::take(flag).then_some(0)
            }
            EventRef::Event(id) => {
                let state = &mut self.events[id.index()];
                let slot = (state.waits % state.flags.len() as u64) as usize;
                let taken = std::mem::take(&mut state.flags[slot]);
                // Only a wait that succeeds moves on to the next id.
                state.waits += u64::from(taken);
                taken.then_some(slot as u32)
            }
        }
    }

    /// Returns every event and raw flag with the number of its ids that are set, and of all its ids.
    pub fn pending_tokens(&self) -> impl Iterator<Item = (EventRef, u64, u64)> {
        let count = |flags: &[bool]| flags.iter().filter(|set| **set).count() as u64;
        let events = (0..).zip(&self.events).map(move |(id, state)| {
            let event = EventRef::Event(EventId(id));
            (event, count(&state.flags), state.flags.len() as u64)
        });
        let raw = self
            .raw
            .iter()
            .map(|(&(src, dst, id), &set)| (EventRef::Raw(src, dst, id), u64::from(set), 1));
        events.chain(raw)
    }

    /// Returns every event and raw flag with an id that is set, and the last statement that set it.
    pub fn left_set(&self) -> impl Iterator<Item = (EventRef, StmtId)> {
        let setters = &self.setters;
        self.pending_tokens().filter_map(move |(event, set, _)| {
            let setter = setters.iter().find(|(of, _)| *of == event)?;
            (set > 0).then_some(*setter)
        })
    }

    /// Sets every id of an event; returns whether all were clear before.
    pub fn set_all(&mut self, id: EventId) -> bool {
        let flags = &mut self.events[id.index()].flags;
        let clear = !flags.contains(&true);
        flags.fill(true);
        clear
    }

    /// Clears every id of an event.
    pub fn release(&mut self, id: EventId) {
        self.events[id.index()].flags.fill(false);
    }
}
