//! The judge of synchronisation: freeze an instruction, and see who walks past it.
//!
//! The checker decides with vector clocks; this judge asks the opposite question with other means.
//! It takes an execution of one instruction, lets it begin and never end, and lets everything else
//! go on as far as tokens, barriers and handshakes allow. An instruction that begins all the same,
//! although it came later in the run and touches bytes that the frozen one works on, does not wait
//! for it: on silicon the two may overlap. Tokens have one taker each and are never withdrawn, so
//! what can begin does not depend on the order in which the rest moves, and one frozen instruction
//! is one question with one answer. Many are asked in one pass: every queue and token carries the
//! set of frozen instructions that hold it up.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use a2lint::ir::{BufferId, Instr, Program, ScalarId, StmtId, StmtKind, VariableId};
use a2lint::isa::{Pipe, Position};
use a2lint::machine::{
    Access, LaneId, LaneKind, MemoryId, Observer, Route, Rows, Site, SyncOp, Token,
};

/// Machine words of a set.
const WORDS: usize = 16;
/// Executions of a statement that are frozen on each lane of the first core; of others, one.
const TURNS: usize = 8;
/// Pipes of a lane.
const PIPES: usize = Pipe::ALL.len();

/// The frozen instructions that hold something up.
#[derive(Clone, Copy, Default)]
struct Held([u64; WORDS]);

impl Held {
    fn join(&mut self, other: &Held) {
        self.0.iter_mut().zip(other.0).for_each(|(a, b)| *a |= b);
    }

    fn add(&mut self, frozen: usize) {
        self.0[frozen / 64] |= 1 << (frozen % 64);
    }

    fn has(&self, frozen: usize) -> bool {
        self.0[frozen / 64] >> (frozen % 64) & 1 != 0
    }
}

/// A pair of statements that may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overlap {
    /// The one that was frozen.
    pub first: StmtId,
    /// Its pipe.
    pub first_pipe: Pipe,
    /// The one that did not wait.
    pub second: StmtId,
    /// Its pipe.
    pub second_pipe: Pipe,
}

/// Freezes instructions of a run.
pub struct Freezer<'p> {
    program: &'p Program,
    instructions: Vec<Option<&'p Instr>>,
    lanes: BTreeMap<LaneId, Lane>,
    flags: BTreeMap<(Route, i64, LaneId), VecDeque<Held>>,
    announced: BTreeMap<(Route, i64, LaneId), Held>,
    frozen: usize,
    turns: BTreeMap<(StmtId, LaneId), usize>,
    past: BTreeMap<(MemoryId, Option<LaneId>), Vec<Past>>,
    current: Option<(StmtId, LaneId)>,
    operands: Vec<Operand>,
    overlaps: BTreeSet<Overlap>,
}

/// An access of a frozen instruction.
struct Past {
    frozen: usize,
    lane: LaneId,
    operand: Operand,
    stmt: StmtId,
}

/// An access of the instruction at hand.
#[derive(Clone)]
struct Operand {
    pipe: Pipe,
    place: (MemoryId, Option<LaneId>),
    keys: Vec<Key>,
    write: bool,
    atomic: bool,
    rows: Vec<Rows>,
}

/// What a handshake of `auto_sync` is about.
type Key = (BufferId, Slot);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Slot {
    Constant(i64),
    Expression(ScalarId),
    Variable(VariableId),
}

#[derive(Default)]
struct Lane {
    /// What holds up the scalar unit, and so everything that is issued later.
    issue: Held,
    /// What holds up the next instruction of each pipe.
    gates: [Held; PIPES],
    /// What keeps each pipe from being done with all it has.
    pending: [Held; PIPES],
    events: BTreeMap<Token, VecDeque<Held>>,
    regions: Vec<Region>,
    /// Operands of the vector instructions that no barrier of V has followed yet, with the region
    /// that each stands in.
    unbarred: Vec<(StmtId, Operand)>,
}

/// An open `auto_sync` region.
struct Region {
    stmt: StmtId,
    ready: BTreeMap<(Pipe, Pipe, Key), Held>,
    free: BTreeMap<(Pipe, Pipe, Key), Held>,
    /// Buffers that vector instructions of the region touch.
    vectors: BTreeSet<BufferId>,
}

/// Producers and consumers that `auto_sync` makes wait for each other.
const HANDSHAKES: [(Pipe, Pipe); 6] = [
    (Pipe::Mte2, Pipe::V),
    (Pipe::V, Pipe::Mte3),
    (Pipe::Mte2, Pipe::Mte3),
    (Pipe::Mte2, Pipe::Mte1),
    (Pipe::Mte1, Pipe::M),
    (Pipe::M, Pipe::Fix),
];

impl<'p> Freezer<'p> {
    /// Before a run on so many cores.
    pub fn new(program: &'p Program, cores: u32) -> Self {
        let mut instructions = vec![None; program.stmt_count as usize];
        for (stmt, instr) in program.instructions() {
            instructions[stmt.id.index()] = Some(instr);
        }
        let mut flags: BTreeMap<_, VecDeque<Held>> = BTreeMap::new();
        for mutex in &program.mutexes {
            let Some(id) = mutex.flag_id else { continue };
            for lane in (0..cores).flat_map(vec_lanes) {
                let tokens = flags.entry((mutex.credit_route(), id, lane)).or_default();
                tokens.extend((0..mutex.credits()).map(|_| Held::default()));
            }
        }
        Freezer {
            program,
            instructions,
            lanes: BTreeMap::new(),
            flags,
            announced: BTreeMap::new(),
            frozen: 0,
            turns: BTreeMap::new(),
            past: BTreeMap::new(),
            current: None,
            operands: Vec::new(),
            overlaps: BTreeSet::new(),
        }
    }

    /// Pairs that may overlap.
    pub fn finish(mut self) -> BTreeSet<Overlap> {
        self.settle();
        self.overlaps
    }

    /// The next number of a frozen instruction, if this execution is to be one.
    fn freeze(&mut self, stmt: StmtId, lane: LaneId) -> Option<usize> {
        let turns = self.turns.entry((stmt, lane)).or_default();
        *turns += 1;
        let most = if lane.core == 0 { TURNS } else { 1 };
        let chosen = *turns <= most && self.frozen < 64 * WORDS;
        self.frozen += usize::from(chosen);
        chosen.then(|| self.frozen - 1)
    }

    /// Issues the instruction whose operands have all been seen.
    fn settle(&mut self) {
        let operands = std::mem::take(&mut self.operands);
        let Some((stmt, id)) = self.current.take().filter(|_| !operands.is_empty()) else {
            return;
        };
        let mut reads_first: Vec<&Operand> = operands.iter().collect();
        reads_first.sort_by_key(|operand| operand.write);
        let mut pipes: Vec<Pipe> = Vec::new();
        for operand in reads_first {
            if !pipes.contains(&operand.pipe) {
                pipes.push(operand.pipe);
            }
        }
        let frozen = self.freeze(stmt, id);
        let lane = self.lanes.entry(id).or_default();
        let mut handed_over = Held::default();
        let mut begins: BTreeMap<usize, Held> = BTreeMap::new();
        for &pipe in &pipes {
            let own: Vec<&Operand> = operands
                .iter()
                .filter(|operand| operand.pipe == pipe)
                .collect();
            if pipe == Pipe::V {
                lane.separate(&own);
            }
            let begin = lane.begin(pipe, &own, handed_over);
            let mut end = begin;
            frozen.into_iter().for_each(|frozen| end.add(frozen));
            lane.end(pipe, &own, end);
            handed_over = end;
            begins.insert(pipe as usize, begin);
        }
        for operand in &operands {
            let begin = &begins[&(operand.pipe as usize)];
            let past = self.past.entry(operand.place).or_default();
            for old in past.iter().filter(|old| !begin.has(old.frozen)) {
                if Some(old.frozen) != frozen && old.is_disturbed(operand, id) {
                    self.overlaps.insert(Overlap {
                        first: old.stmt,
                        first_pipe: old.operand.pipe,
                        second: stmt,
                        second_pipe: operand.pipe,
                    });
                }
            }
        }
        let Some(frozen) = frozen else { return };
        for operand in operands {
            self.past.entry(operand.place).or_default().push(Past {
                frozen,
                lane: id,
                operand,
                stmt,
            });
        }
    }

    /// The keys of an operand: what its slot expression is, and what it is called.
    fn keys(&self, stmt: StmtId, access: &Access) -> Vec<Key> {
        let instr = self.instructions[stmt.index()].filter(|_| access.slot.is_some());
        let Some(view) = instr.and_then(|instr| instr.local(access.operand)) else {
            return Vec::new();
        };
        let slots = i64::from(self.program.buffer(view.buffer).slots);
        let slot = match self.program.scalars.as_int(view.slot) {
            Some(slot) => Slot::Constant(slot.rem_euclid(slots)),
            None => Slot::Expression(view.slot),
        };
        let named = view.index.map(Slot::Variable);
        let slots = std::iter::once(slot).chain(named);
        slots.map(|slot| (view.buffer, slot)).collect()
    }

    fn region(&self, stmt: StmtId) -> Region {
        let mut vectors = BTreeSet::new();
        self.program.walk(&mut |found| {
            if found.id == stmt {
                found.walk(&mut |inner| vectors.extend(vector_buffers(&inner.kind)));
            }
        });
        Region {
            stmt,
            ready: BTreeMap::new(),
            free: BTreeMap::new(),
            vectors,
        }
    }

    fn set(&mut self, token: Token, pipe: Pipe, id: LaneId) {
        let lane = self.lanes.entry(id).or_default();
        let done = lane.done(pipe);
        match token {
            Token::Flag {
                route: Route::CubeToVec,
                id: flag,
            } => {
                for taker in vec_lanes(id.core) {
                    let key = (Route::CubeToVec, flag, taker);
                    self.flags.entry(key).or_default().push_back(done);
                }
            }
            Token::Flag {
                route: Route::VecToCube,
                id: flag,
            } => {
                let key = (Route::VecToCube, flag, id);
                self.flags.entry(key).or_default().push_back(done);
            }
            Token::Flag { route, id: flag } => drop(self.announced.insert((route, flag, id), done)),
            token => lane.events.entry(token).or_default().push_back(done),
        }
    }

    fn wait(&mut self, token: Token, pipe: Pipe, id: LaneId) {
        let mut held = Held::default();
        match token {
            Token::Flag {
                route: route @ (Route::CubeToVec | Route::VecToCube),
                id: flag,
            } => {
                let takers = match route {
                    Route::CubeToVec => vec![id],
                    _ => vec_lanes(id.core).to_vec(),
                };
                for taker in takers {
                    let tokens = self.flags.get_mut(&(route, flag, taker));
                    let token = tokens.and_then(VecDeque::pop_front);
                    token.iter().for_each(|token| held.join(token));
                }
            }
            Token::Flag { route, id: flag } => {
                for ((other_route, other_flag, lane), token) in &self.announced {
                    let is_meant = route != Route::CoreVecs || lane.core == id.core;
                    if (*other_route, *other_flag) == (route, flag) && is_meant {
                        held.join(token);
                    }
                }
            }
            token => {
                let lane = self.lanes.entry(id).or_default();
                let tokens = lane.events.entry(token).or_default();
                tokens.pop_front().iter().for_each(|token| held.join(token));
            }
        }
        self.lanes.entry(id).or_default().hold(pipe, &held);
    }
}

impl Lane {
    /// Puts a barrier before a vector instruction of a region that meets the data of an earlier one
    /// of the same region.
    fn separate(&mut self, operands: &[&Operand]) {
        let Some(region) = self.regions.first().map(|region| region.stmt) else {
            return;
        };
        let meets = |(at, old): &(StmtId, Operand)| {
            let same = |new: &&&Operand| {
                new.place == old.place
                    && (new.write || old.write)
                    && share_a_byte(&new.rows, &old.rows)
            };
            *at == region && operands.iter().any(|new| same(&new))
        };
        if self.unbarred.iter().any(meets) {
            self.bar(Pipe::V);
        }
        let own = operands.iter().map(|&operand| (region, operand.clone()));
        self.unbarred.extend(own);
    }

    /// A barrier of a pipe, or of all of them.
    fn bar(&mut self, pipe: Pipe) {
        let done = self.done(pipe);
        self.hold(pipe, &done);
        if matches!(pipe, Pipe::V | Pipe::All) {
            self.unbarred.clear();
        }
    }

    /// What keeps the next instruction of a pipe from beginning.
    fn begin(&mut self, pipe: Pipe, operands: &[&Operand], handed_over: Held) -> Held {
        let mut held = self.gates[pipe as usize];
        held.join(&self.issue);
        held.join(&handed_over);
        if let Some(region) = self.regions.first() {
            for operand in operands {
                region
                    .awaited(operand)
                    .iter()
                    .for_each(|awaited| held.join(awaited));
            }
        }
        // A pipe begins in order: who comes behind waits as well.
        self.gates[pipe as usize] = held;
        held
    }

    /// The instruction that began last ends.
    fn end(&mut self, pipe: Pipe, operands: &[&Operand], end: Held) {
        self.pending[pipe as usize].join(&end);
        if pipe == Pipe::S {
            self.issue.join(&end);
        }
        let done = self.pending[pipe as usize];
        if let Some(region) = self.regions.first_mut() {
            operands
                .iter()
                .for_each(|operand| region.pass(operand, done));
        }
    }

    /// What keeps a pipe from being done with all it has.
    fn done(&self, pipe: Pipe) -> Held {
        let mut done = self.issue;
        for &other in Pipe::ALL
            .iter()
            .filter(|&&other| pipe == Pipe::All || other == pipe)
        {
            done.join(&self.pending[other as usize]);
            done.join(&self.gates[other as usize]);
        }
        done
    }

    /// Makes what a pipe begins from now on wait.
    fn hold(&mut self, pipe: Pipe, held: &Held) {
        match pipe {
            Pipe::S | Pipe::All => self.issue.join(held),
            pipe => self.gates[pipe as usize].join(held),
        }
    }
}

impl Region {
    /// The handshakes that an operand takes part in, as producer or as consumer.
    fn handshakes(&self, operand: &Operand) -> Vec<(Pipe, Pipe, Key)> {
        let load_store = (Pipe::Mte2, Pipe::Mte3);
        let is_ours = |pair: &(Pipe, Pipe)| pair.0 == operand.pipe || pair.1 == operand.pipe;
        let pairs = HANDSHAKES.into_iter().filter(is_ours);
        let all = pairs.flat_map(|(from, to)| operand.keys.iter().map(move |&key| (from, to, key)));
        all.filter(|&(from, to, key)| (from, to) != load_store || !self.vectors.contains(&key.0))
            .collect()
    }

    fn awaited(&self, operand: &Operand) -> Vec<Held> {
        let mut awaited = Vec::new();
        for handshake in self.handshakes(operand) {
            let produces = handshake.0 == operand.pipe && operand.write;
            // A vector instruction that overwrites what was loaded waits for it, too.
            let consumes =
                handshake.1 == operand.pipe && (!operand.write || operand.pipe == Pipe::V);
            awaited.extend(self.ready.get(&handshake).filter(|_| consumes));
            awaited.extend(self.free.get(&handshake).filter(|_| produces));
        }
        awaited
    }

    fn pass(&mut self, operand: &Operand, done: Held) {
        for handshake in self.handshakes(operand) {
            if handshake.0 == operand.pipe && operand.write {
                self.ready.insert(handshake, done);
            }
            if handshake.1 == operand.pipe && !operand.write {
                self.free.insert(handshake, done);
            }
        }
    }
}

impl Past {
    /// Whether the order of a frozen access and one that walked past it matters.
    fn is_disturbed(&self, new: &Operand, lane: LaneId) -> bool {
        let old = &self.operand;
        let conflict = (old.write || new.write) && !(old.atomic && new.atomic);
        let matters = match (self.lane == lane, old.pipe == new.pipe) {
            // Scalar writes are templates; scalar reads want their data.
            (true, false) if new.pipe == Pipe::S => old.write && !new.write,
            (true, false) => true,
            (true, true) => match new.pipe {
                Pipe::V => true,
                Pipe::Mte2 | Pipe::Mte3 => old.write && new.write,
                _ => false,
            },
            // Who stores what another lane stores is a matter of dividing the work.
            (false, _) => old.write != new.write,
        };
        conflict && matters && share_a_byte(&old.rows, &new.rows)
    }
}

/// Whether two sets of rows have a byte in common.
fn share_a_byte(a: &[Rows], b: &[Rows]) -> bool {
    let bounds = |rows: &[Rows]| {
        let all = rows.iter().filter_map(Rows::bounds);
        all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
    };
    let (Some(a_bounds), Some(b_bounds)) = (bounds(a), bounds(b)) else {
        return false;
    };
    if a_bounds.1 <= b_bounds.0 || b_bounds.1 <= a_bounds.0 {
        return false;
    }
    let runs = |rows: &[Rows]| {
        let mut runs: Vec<(i64, i64)> = rows.iter().flat_map(Rows::runs).collect();
        runs.retain(|run| run.1 > 0);
        runs.sort();
        runs
    };
    let (a, b) = (runs(a), runs(b));
    let (mut i, mut j) = (0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x.0 + x.1 <= y.0 {
            i += 1;
        } else if y.0 + y.1 <= x.0 {
            j += 1;
        } else {
            return true;
        }
    }
    false
}

fn vector_buffers(kind: &StmtKind) -> Vec<BufferId> {
    match kind {
        StmtKind::Instr(instr) if instr.pipe() == Some(Pipe::V) => {
            let views = instr.operands().filter_map(|(_, _, view)| view.local());
            views.map(|view| view.buffer).collect()
        }
        _ => Vec::new(),
    }
}

fn vec_lanes(core: u32) -> [LaneId; 2] {
    [0, 1].map(|sub_block| LaneId {
        core,
        kind: LaneKind::Vec(sub_block),
    })
}

impl Observer for Freezer<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn begin(&mut self, _site: &Site) {
        self.settle();
    }

    fn access(&mut self, site: &Site, access: &Access) {
        let place = match access.memory {
            MemoryId::Global(_) => (access.memory, None),
            MemoryId::Local(_) if access.slot.is_none() => return,
            MemoryId::Local(Position::Ub) => (access.memory, Some(site.lane)),
            MemoryId::Local(_) => {
                let kind = LaneKind::Cube;
                (access.memory, Some(LaneId { kind, ..site.lane }))
            }
        };
        self.current = Some((site.stmt, site.lane));
        self.operands.push(Operand {
            pipe: access.pipe,
            place,
            keys: self.keys(site.stmt, access),
            write: access.write,
            atomic: access.atomic,
            rows: access.rows.to_vec(),
        });
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.settle();
        match *operation {
            SyncOp::Set { token, pipe } => self.set(token, pipe, site.lane),
            SyncOp::Wait { token, pipe } => self.wait(token, pipe, site.lane),
            SyncOp::Barrier(pipe) => self.lanes.entry(site.lane).or_default().bar(pipe),
            SyncOp::Unseen { .. } => self.lanes.entry(site.lane).or_default().bar(Pipe::All),
            SyncOp::EnterAutoSync => {
                let region = self.region(site.stmt);
                self.lanes
                    .entry(site.lane)
                    .or_default()
                    .regions
                    .push(region);
            }
            SyncOp::LeaveAutoSync => {
                self.lanes.entry(site.lane).or_default().regions.pop();
            }
        }
    }
}
