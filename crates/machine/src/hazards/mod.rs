//! Hazards: conflicting accesses that nothing orders.
//!
//! A [`Tracker`] listens to a run of the machine and keeps a vector clock for every pipe of every
//! lane. Order comes from events, flags between lanes, mutexes (which are flags), barriers and
//! `auto_sync`, and from nothing else: the order in which the machine happens to execute does not
//! count. So a hazard is found though this run was lucky.
//!
//! Two accesses to common bytes, one of them writing, are a hazard unless the first is known to be
//! complete when the second begins. A pipe completes out of order: vector instructions need
//! `bar_v` between dependent ones, overlapping loads and overlapping stores a barrier of their
//! pipe. Atomic stores do not conflict with each other.

mod clock;
mod log;
mod order;
mod readings;
mod regions;
mod rings;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::{Access, LaneId, LaneKind, MemoryId, Observer, Rows, Site, SyncOp, Token};
use a2lint_ir::sync::{AutoSyncCoverage, Between, Reading, Slot, Use, order_matters, side_of};
use a2lint_ir::toolchain::Barriers;
use a2lint_ir::{GlobalId, Instr, Program, StmtId, View};
use a2lint_isa::{Pipe, Position, Side};
use clock::{Thread, VectorClock};
use log::{Entry, Log};
use order::{Flags, LaneOrder, lane_index, lane_of, pipe_of, thread};
pub use readings::Readings;
use regions::Region;
use rings::{Picked, Rings};

/// Maximum number of distinct hazards of one run.
// More of them set `is_cut`, which `Tracker::forgotten` reports: such a run proves nothing.
const MAX_HAZARDS: usize = 256;

/// What goes wrong if the second access is performed first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum HazardKind {
    /// The second access reads what has not been written yet.
    ReadAfterWrite,
    /// The second access overwrites what is still to be read.
    WriteAfterRead,
    /// The result of the second access is overwritten by the first.
    WriteAfterWrite,
    /// The second access reads a slot of a ring that the first has already refilled: the two are in order,
    /// but the data belongs to a later index.
    RingOverrun,
}

/// One end of a hazard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct End {
    /// The instruction.
    pub stmt: StmtId,
    /// Index of the parameter that names the operand.
    pub operand: usize,
    /// The executing lane.
    pub lane: LaneId,
    /// The pipe.
    pub pipe: Pipe,
    /// Iterations of the loops around it, from 0, outermost first.
    pub iterations: Vec<i64>,
    /// The index that picks its slot of a ring, before it is taken modulo the number of slots.
    pub index: Option<i64>,
}

/// Two accesses that nothing orders.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hazard {
    /// What goes wrong.
    pub kind: HazardKind,
    /// The memory, as the second access sees it.
    pub memory: MemoryId,
    /// Start and end (exclusive) of the first stretch of bytes that both touch.
    pub bytes: (i64, i64),
    /// The access that the machine executed first.
    pub first: End,
    /// The other one.
    pub second: End,
    /// Number of times that these two instructions met in this way.
    pub count: u64,
    /// The reading of `auto_sync` under which the accesses are not ordered.
    pub reading: Reading,
}

impl Hazard {
    /// Returns whether `other` is the same hazard in another launch, or on another core or lane.
    pub fn is_like(&self, other: &Hazard) -> bool {
        let ends = |hazard: &Hazard| {
            [&hazard.first, &hazard.second].map(|end| (end.stmt, end.operand, end.pipe))
        };
        (self.kind, self.memory) == (other.kind, other.memory) && ends(self) == ends(other)
    }

    /// Returns whether one lane makes both accesses.
    pub fn is_within_lane(&self) -> bool {
        self.first.lane == self.second.lane
    }
}

/// The bounds of an access that touches nothing.
const NOTHING: (i64, i64) = (0, 0);

/// Tracks the order of a run, as an observer of it.
#[derive(Debug)]
pub struct Tracker<'p> {
    instructions: Vec<Option<&'p Instr>>,
    program: &'p Program,
    touched: AutoSyncCoverage,
    /// Whether the kernel reads and writes each global tensor.
    globals: Vec<Traffic>,
    lanes: Vec<LaneOrder>,
    flags: Flags,
    logs: FxHashMap<Place, Log>,
    rings: Rings,
    pending: Vec<Pending>,
    /// Whether lanes may have synchronised in code that was not followed.
    misses_signals: bool,
    hazards: Vec<Hazard>,
    known: FxHashMap<Signature, usize>,
    /// Whether there were more hazards than are kept.
    is_cut: bool,
}

/// A memory of the launch, or the part of it in which accesses can conflict.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Global(GlobalId),
    /// A global tensor that the kernel only writes, seen from one lane.
    Output(LaneId, GlobalId),
    Core(u32, Position),
    /// UB of a vec lane.
    Lane(LaneId),
}

/// What a kernel does with a global tensor.
#[derive(Clone, Copy, Debug, Default)]
struct Traffic {
    read: bool,
    written: bool,
    /// Whether some stores are plain, and whether some are sums.
    sums: [bool; 2],
    /// Whether cubes store to it, and whether vec lanes do.
    sides: [bool; 2],
}

impl Traffic {
    /// Takes an operand of an instruction into account.
    fn add(&mut self, program: &Program, stmt: StmtId, instr: &Instr, access: a2lint_isa::Access) {
        self.read |= access.reads();
        if access.writes() {
            self.written = true;
            let side = side_of(program, instr);
            self.sums[usize::from(program.is_atomic(stmt))] = true;
            self.sides[0] |= side != Side::Vec;
            self.sides[1] |= side != Side::Cube;
        }
    }

    /// Returns whether accesses of different lanes to one place may depend on their order: it is read too, plain stores
    /// mix with sums, or both sides store. Other stores are compared by value (`ownership`).
    fn is_ordered(&self) -> bool {
        self.read || self.sums == [true; 2] || self.sides == [true; 2]
    }
}

/// An access of the instruction that is being executed.
#[derive(Debug)]
struct Pending {
    place: Place,
    memory: MemoryId,
    pipe: Pipe,
    lane: LaneId,
    uses: SmallVec<[Use; 2]>,
    picked: Option<Picked>,
    entry: Entry,
}

impl Pending {
    /// Returns whether it touches nothing.
    fn is_empty(&self) -> bool {
        self.entry.bounds == NOTHING
    }
}

/// Identifies a hazard, so that repetitions of it are counted.
type Signature = (HazardKind, MemoryId, [(StmtId, Pipe, LaneKind); 2]);

impl<'p> Tracker<'p> {
    /// Creates a tracker for a run of `program` on `cores` cores.
    ///
    /// It follows the first reading of `auto_sync` that the toolchain has.
    pub fn new(program: &'p Program, cores: u32) -> Self {
        Tracker::under(program.toolchain.auto_sync.reading, program, cores)
    }

    /// Creates a tracker under a given reading of `auto_sync`.
    pub fn under(reading: Reading, program: &'p Program, cores: u32) -> Self {
        let mut instructions = vec![None; program.stmt_count as usize];
        let mut globals = vec![Traffic::default(); program.globals.len()];
        for (stmt, instr) in program.instructions() {
            if let Some(place) = instructions.get_mut(stmt.id.index()) {
                *place = Some(instr);
            }
            for (_, operand, view) in instr.operands() {
                if let Some(view) = View::global(view) {
                    globals[view.global.index()].add(program, stmt.id, instr, operand.access);
                }
            }
        }
        let lanes = (0..cores).flat_map(|core| LaneKind::ALL.map(|kind| LaneId { core, kind }));
        Self {
            instructions,
            program,
            touched: AutoSyncCoverage::of(program, reading),
            globals,
            lanes: lanes.map(LaneOrder::new).collect(),
            flags: Flags::new(program, cores),
            logs: FxHashMap::default(),
            rings: Rings::default(),
            pending: Vec::new(),
            misses_signals: false,
            hazards: Vec::new(),
            known: FxHashMap::default(),
            is_cut: false,
        }
    }

    /// Returns what was dropped for lack of room, as a clause: hazards may have been missed. `None` if
    /// nothing was.
    pub fn forgotten(&mut self) -> Option<String> {
        self.settle();
        let logs = self.logs.values().any(|log| log.is_cut);
        let all = [
            (logs, "accesses"),
            (self.flags.is_cut, "flags"),
            (self.is_cut, "hazards"),
        ];
        let cut: Vec<&str> = all
            .into_iter()
            .filter_map(|(is_cut, what)| is_cut.then_some(what))
            .collect();
        (!cut.is_empty()).then(|| format!("more {} than are kept apart", cut.join(" and ")))
    }

    /// Returns the hazards of the run, in the order in which they were found.
    pub fn finish(mut self) -> Vec<Hazard> {
        self.settle();
        self.hazards
    }

    /// Returns the memory in which an access can conflict with others, or `None` if it cannot.
    fn place(&self, lane: LaneId, access: &Access) -> Option<Place> {
        Some(match access.memory {
            MemoryId::Global(_) if access.overruns => return None,
            MemoryId::Global(id) => match self.globals[id.index()] {
                // Reads alone conflict with nothing.
                Traffic { written: false, .. } => return None,
                // Stores of different lanes to one output are compared by value (`ownership`), and reported
                // there.
                traffic if !traffic.is_ordered() => Place::Output(lane, id),
                _ => Place::Global(id),
            },
            // A macro orders what it stages in L0 by itself.
            MemoryId::Local(_) if access.slot.is_none() => return None,
            // Each vec lane has a UB of its own.
            MemoryId::Local(Position::Ub) => Place::Lane(lane),
            MemoryId::Local(position) => Place::Core(lane.core, position),
        })
    }

    /// Returns the handshakes of `auto_sync` that an access may take part in.
    fn uses(&self, site: &Site, access: &Access) -> SmallVec<[Use; 2]> {
        let mut uses = SmallVec::new();
        let in_region = self.lanes[lane_index(site.lane)].open_region().is_some();
        let Some(slot) = access.slot.filter(|_| in_region) else {
            return uses;
        };
        let instr = self.instructions.get(site.stmt.index()).copied().flatten();
        let Some(view) = instr.and_then(|instr| instr.local(access.operand)) else {
            return uses;
        };
        let used = |key| Use {
            pipe: access.pipe,
            key,
            write: access.write,
        };
        let reading = self.touched.reading;
        match reading.names_slots() {
            true => uses.push(used((view.buffer, Slot::Picked(slot)))),
            false => uses.extend(reading.keys(self.program, view).map(used)),
        }
        uses
    }

    /// Returns the slot of a ring that an access picks.
    fn picked(&self, site: &Site, access: &Access) -> Option<Picked> {
        let slot = access.slot?;
        let instr = self
            .instructions
            .get(site.stmt.index())
            .copied()
            .flatten()?;
        let slots = self
            .program
            .buffer(instr.local(access.operand)?.buffer)
            .slots;
        (slots > 1).then_some(Picked {
            slot,
            index: access.index,
            slots: i64::from(slots),
        })
    }

    /// Looks for hazards of the instruction whose accesses have all been reported.
    fn settle(&mut self) {
        let mut pending = std::mem::take(&mut self.pending);
        let Some(lane) = pending.first().map(|access| lane_index(access.lane)) else {
            return;
        };
        // Reads first: of the hazards of an instruction the first one hides the others (`assume_edge`), and
        // wrong data that is read says more than a write that comes too early.
        pending.sort_by_key(|access| access.entry.write);
        let mut pipes: SmallVec<[Pipe; 2]> = SmallVec::new();
        for access in &pending {
            if !pipes.contains(&access.pipe) {
                pipes.push(access.pipe);
            }
        }
        for (at, &pipe) in pipes.iter().enumerate() {
            self.await_region(lane, pipe, &pending);
            // The pipes of a macro hand their work on, one to the next.
            if let Some(&before) = at.checked_sub(1).and_then(|before| pipes.get(before)) {
                let done = self.lanes[lane].done(before);
                self.lanes[lane].learn(pipe, &done);
            }
            self.insert_barrier(lane, pipe, &pending);
            self.judge(lane, pipe, &mut pending);
            self.pass_region(lane, pipe, &pending);
        }
        for access in pending.drain(..).filter(|access| !access.is_empty()) {
            self.turn(&access);
            self.remember(access);
        }
        self.pending = pending;
    }

    /// Updates the rings; reads come before writes (`settle`).
    fn turn(&mut self, access: &Pending) {
        let (Some(picked), bounds) = (access.picked, access.entry.bounds) else {
            return;
        };
        let by = || end(&access.entry, access.picked);
        if access.entry.write {
            self.rings.fill(access.place, picked, bounds, by);
        } else if let Some(first) = self.rings.lapped(access.place, picked, bounds) {
            let hazard = Hazard {
                kind: HazardKind::RingOverrun,
                memory: access.memory,
                bytes: bounds,
                first: first.clone(),
                second: by(),
                count: 1,
                reading: self.touched.reading,
            };
            self.record(hazard);
        }
    }

    fn await_region(&mut self, lane: usize, pipe: Pipe, pending: &[Pending]) {
        let order = &mut self.lanes[lane];
        let Some(region) = order.region.take() else {
            return;
        };
        for used in uses_of(pending, pipe) {
            for clock in region.awaited(used, &self.touched) {
                order.learn(pipe, &clock);
            }
        }
        order.region = Some(region);
    }

    /// Inserts the barrier that `auto_sync` puts before a vector instruction that depends on an earlier one
    /// of its region. Like any barrier it orders all that V has issued, also before the region.
    fn insert_barrier(&mut self, lane: usize, pipe: Pipe, pending: &[Pending]) {
        let order = &self.lanes[lane];
        let region = match self.program.toolchain.auto_sync.barriers {
            Barriers::Everywhere => None,
            Barriers::InRegions => match order.open_region() {
                Some(region) => Some(region.stmt),
                None => return,
            },
            Barriers::Nowhere => return,
        };
        // `auto_sync` inserts barriers for V alone.
        if pipe != Pipe::V {
            return;
        }
        let barred = order.barred(Pipe::V);
        let depends = pending
            .iter()
            .filter(|new| new.pipe == pipe)
            // The dependences of an instruction that touches nothing are not visible, so the barrier is
            // assumed.
            .any(|new| new.is_empty() || self.depends_inside(new, region, barred));
        if depends {
            self.lanes[lane].barrier(Pipe::V);
        }
    }

    /// Returns whether an access depends on one that its pipe has made since its last barrier (the
    /// `barred`-th instruction), in the same region or, if none is given, anywhere.
    fn depends_inside(&self, new: &Pending, region: Option<StmtId>, barred: u32) -> bool {
        let Some(log) = self.logs.get(&new.place) else {
            return false;
        };
        log.near(&new.entry).any(|old| {
            old.thread == new.entry.thread
                && old.epoch > barred
                && (region.is_none() || old.region == region)
                && old.part().conflicts(&new.entry.part())
                && old.overlap(&new.entry).is_some()
        })
    }

    fn pass_region(&mut self, lane: usize, pipe: Pipe, pending: &[Pending]) {
        let order = &mut self.lanes[lane];
        let Some(mut region) = order.region.take() else {
            return;
        };
        if uses_of(pending, pipe).next().is_some() {
            let done = order.done(pipe);
            for used in uses_of(pending, pipe) {
                region.pass(used, &self.touched, &done);
            }
        }
        order.region = Some(region);
    }

    /// Looks for earlier accesses that a pipe's part of an instruction is not ordered after.
    fn judge(&mut self, lane: usize, pipe: Pipe, pending: &mut [Pending]) {
        let order = &mut self.lanes[lane];
        let epoch = order.begin(pipe);
        let region = order.open_region().map(|region| region.stmt);
        let mut found = Vec::new();
        for access in pending.iter_mut().filter(|access| access.pipe == pipe) {
            access.entry.epoch = epoch;
            access.entry.region = region;
            let Some(log) = self.logs.get(&access.place) else {
                continue;
            };
            for old in log.near(&access.entry) {
                if is_hazard(old, &access.entry, order.known(pipe))
                    && let Some(bytes) = old.overlap(&access.entry)
                {
                    found.push(hazard(old, access, bytes, self.touched.reading));
                    order.assume_edge(pipe, old.thread, old.epoch);
                }
            }
        }
        for hazard in found {
            self.record(hazard);
        }
    }

    fn record(&mut self, hazard: Hazard) {
        // In the code that was not followed, lanes may have waited for each other: a hazard between them is
        // not certain.
        if self.misses_signals && !hazard.is_within_lane() {
            return;
        }
        let ends = [&hazard.first, &hazard.second].map(|end| (end.stmt, end.pipe, end.lane.kind));
        let signature = (hazard.kind, hazard.memory, ends);
        if let Some(&at) = self.known.get(&signature) {
            self.hazards[at].count += 1;
        } else if self.hazards.len() < MAX_HAZARDS {
            self.known.insert(signature, self.hazards.len());
            self.hazards.push(hazard);
        } else {
            self.is_cut = true;
        }
    }

    fn remember(&mut self, access: Pending) {
        let order = &mut self.lanes[lane_index(access.lane)];
        let known: &VectorClock = order.known(access.pipe);
        let log = self.logs.entry(access.place).or_default();
        log.push(access.entry, |old| known.covers(old.thread, old.epoch));
    }
}

fn uses_of(pending: &[Pending], pipe: Pipe) -> impl Iterator<Item = &Use> {
    let own = pending.iter().filter(move |access| access.pipe == pipe);
    own.flat_map(|access| &access.uses)
}

/// Joins runs that follow each other.
fn merged(rows: &[Rows]) -> SmallVec<[Rows; 1]> {
    let mut merged: SmallVec<[Rows; 1]> = SmallVec::new();
    for &next in rows {
        match merged.last_mut() {
            Some(last)
                if last.count == 1 && next.count == 1 && last.start + last.length == next.start =>
            {
                last.length += next.length;
                last.pitch = last.length;
            }
            _ => merged.push(next),
        }
    }
    merged
}

fn is_cube(thread: Thread) -> bool {
    lane_of(thread).kind == LaneKind::Cube
}

/// Returns whether `new` may begin before `old` is complete, and their order matters.
fn is_hazard(old: &Entry, new: &Entry, known: &VectorClock) -> bool {
    if known.covers(old.thread, old.epoch) {
        return false;
    }
    let between = match (
        old.thread == new.thread,
        lane_of(old.thread) == lane_of(new.thread),
    ) {
        (true, _) if old.epoch == new.epoch => return false,
        (true, _) => Between::OnePipe,
        (false, true) => Between::OneLane,
        (false, false) if is_cube(old.thread) == is_cube(new.thread) => Between::Lanes,
        (false, false) => Between::Sides,
    };
    order_matters(&old.part(), &new.part(), between)
}

fn hazard(old: &Entry, new: &Pending, bytes: (i64, i64), reading: Reading) -> Hazard {
    Hazard {
        kind: match (old.write, new.entry.write) {
            (true, false) => HazardKind::ReadAfterWrite,
            (false, _) => HazardKind::WriteAfterRead,
            (true, true) => HazardKind::WriteAfterWrite,
        },
        memory: new.memory,
        bytes,
        first: end(old, None),
        second: end(&new.entry, None),
        count: 1,
        reading,
    }
}

fn end(entry: &Entry, picked: Option<Picked>) -> End {
    End {
        stmt: entry.stmt,
        operand: entry.operand,
        lane: lane_of(entry.thread),
        pipe: pipe_of(entry.thread),
        iterations: entry.iterations.to_vec(),
        index: picked.map(|picked| picked.index),
    }
}

impl Observer for Tracker<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn begin(&mut self, _site: &Site) {
        self.settle();
    }

    fn access(&mut self, site: &Site, access: &Access) {
        let Some(place) = self.place(site.lane, access) else {
            return;
        };
        let bounds = |rows: &[Rows]| {
            let bounds = rows.iter().filter_map(Rows::bounds);
            bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
        };
        let mut rows = merged(access.rows);
        let mut touched = bounds(&rows);
        // An overrun is a fault by itself. That it meets what other tensors hold is not one more.
        if touched.is_some_and(|(start, end)| start < access.base || access.end < end) {
            rows = Rows::clipped(&rows, access.base, access.end).into();
            touched = bounds(&rows);
        }
        let uses = self.uses(site, access);
        // An access to nothing, or of an instruction that was left out, still takes part in the handshakes of
        // its region.
        let Some(bounds) = touched.or((!uses.is_empty()).then_some(NOTHING)) else {
            return;
        };
        self.pending.push(Pending {
            place,
            memory: access.memory,
            pipe: access.pipe,
            lane: site.lane,
            uses,
            picked: self.picked(site, access),
            entry: Entry {
                thread: thread(site.lane, access.pipe),
                epoch: 0,
                write: access.write,
                atomic: access.atomic,
                has_unit_flag: access.has_unit_flag,
                region: None,
                stmt: site.stmt,
                operand: access.operand,
                iterations: site.iterations.into(),
                bounds,
                rows,
            },
        });
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.settle();
        let lane = &mut self.lanes[lane_index(site.lane)];
        match *operation {
            // The pipes of the event are not known; a barrier of all pipes orders at least as much.
            SyncOp::Set { token, .. } | SyncOp::Wait { token, .. }
                if lacks_pipe(self.program, token) =>
            {
                lane.barrier(Pipe::All);
            }
            SyncOp::Set { token, pipe } => match token {
                Token::Flag { route, id } => {
                    let done = lane.done(pipe);
                    self.flags.set(route, id, site.lane, &done);
                }
                token => lane.set(token, pipe),
            },
            SyncOp::Wait { token, pipe } => match token {
                Token::Flag { route, id } => {
                    for clock in self.flags.take(route, id, site.lane) {
                        lane.learn(pipe, &clock);
                    }
                }
                token => lane.wait(token, pipe),
            },
            SyncOp::Barrier(pipe) => lane.barrier(pipe),
            SyncOp::EnterAutoSync => match &mut lane.region {
                Some(region) => region.enter(),
                none => *none = Some(Region::new(site.stmt)),
            },
            SyncOp::LeaveAutoSync if self.program.toolchain.auto_sync.joins_regions => {
                lane.region.as_mut().map(Region::leave);
            }
            SyncOp::LeaveAutoSync => {
                lane.region.take_if(Region::leave);
            }
            SyncOp::Unseen { signals } => {
                // The code may have waited for everything and refilled every ring: forgetting all of it gives
                // no false hazard.
                lane.barrier(Pipe::All);
                self.rings = Rings::default();
                self.misses_signals |= signals;
            }
        }
    }
}

/// Returns whether one of the pipes of an event could not be evaluated.
fn lacks_pipe(program: &Program, token: Token) -> bool {
    let Token::Event { event, .. } = token else {
        return false;
    };
    let event = program.event(event);
    event.src.is_none() || event.dst.is_none()
}
