//! The oracle for synchronisation: freezes an instruction and observes which others do not wait for it.
//!
//! The checker decides with vector clocks; this oracle answers the opposite question by other means. It takes one
//! execution of an instruction, lets it begin and never end, and lets everything else continue as far as tokens,
//! barriers and handshakes permit. An instruction that begins nevertheless, although it came later in the run and
//! accesses bytes of the frozen one, does not wait for it, so the two may overlap on silicon. Each token has one
//! consumer and is never withdrawn, so what can begin does not depend on the order in which the rest proceeds: one
//! frozen instruction is one question with one answer. Many questions are answered in one pass, because every queue
//! and token carries the set of frozen instructions that delay it.

mod lane;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use a2lint::ir::{Instr, Program, StmtId};
use a2lint::isa::{Pipe, Position};
use a2lint::machine::{
    Access, LaneId, LaneKind, MemoryId, Observer, Route, Rows, Site, SyncOp, Token,
};
use a2lint::sync::{AutoSyncCoverage, Slot, Use};
use lane::{Held, Lane, Operand, WORDS, share_a_byte};

/// Number of executions of a statement that are frozen on each lane of the first core; on other cores, one.
const TURNS: usize = 8;

/// A pair of statements that may overlap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Overlap {
    /// The frozen statement.
    pub first: StmtId,
    /// The pipe of the frozen statement.
    pub first_pipe: Pipe,
    /// The statement that did not wait.
    pub second: StmtId,
    /// The pipe of that statement.
    pub second_pipe: Pipe,
}

/// Observes a run and freezes instructions.
pub struct Freezer<'p> {
    program: &'p Program,
    touched: AutoSyncCoverage,
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

impl<'p> Freezer<'p> {
    /// Creates the observer for a run on `cores` cores.
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
            touched: AutoSyncCoverage::of(program, program.toolchain.auto_sync.reading),
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

    /// Returns the pairs that may overlap.
    pub fn finish(mut self) -> BTreeSet<Overlap> {
        self.settle();
        self.overlaps
    }

    /// Returns the next number of a frozen instruction, if this execution is to be frozen.
    fn freeze(&mut self, stmt: StmtId, lane: LaneId) -> Option<usize> {
        let turns = self.turns.entry((stmt, lane)).or_default();
        *turns += 1;
        let most = if lane.core == 0 { TURNS } else { 1 };
        let chosen = *turns <= most && self.frozen < 64 * WORDS;
        self.frozen += usize::from(chosen);
        chosen.then(|| self.frozen - 1)
    }

    /// Issues the instruction whose operands have all been observed.
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
                lane.separate(&own, &self.program.toolchain.auto_sync);
            }
            let begin = lane.begin(pipe, &own, handed_over, &self.touched);
            let mut end = begin;
            frozen.into_iter().for_each(|frozen| end.add(frozen));
            lane.end(pipe, &own, end, &self.touched);
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

    /// Returns the `auto_sync` uses of an access.
    fn uses(&self, stmt: StmtId, access: &Access) -> Vec<Use> {
        let instr = self.instructions[stmt.index()];
        let view = instr.and_then(|instr| instr.local(access.operand));
        let (Some(view), Some(slot)) = (view, access.slot) else {
            return Vec::new();
        };
        let used = |key| Use {
            pipe: access.pipe,
            key,
            write: access.write,
        };
        let reading = self.touched.reading;
        match reading.names_slots() {
            true => vec![used((view.buffer, Slot::Picked(slot)))],
            false => reading.keys(self.program, view).map(used).collect(),
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

impl Past {
    /// Whether an access conflicts with a frozen one that it did not wait for.
    fn is_disturbed(&self, new: &Operand, lane: LaneId) -> bool {
        let old = &self.operand;
        let conflict = (old.write || new.write) && !(old.atomic && new.atomic);
        let matters = match (self.lane == lane, old.pipe == new.pipe) {
            // Scalar writes are templates, and scalar reads need their data.
            (true, false) if new.pipe == Pipe::S => old.write && !new.write,
            (true, false) => true,
            (true, true) => match new.pipe {
                Pipe::V => true,
                Pipe::Mte2 | Pipe::Mte3 => old.write && new.write,
                _ => false,
            },
            // Two lanes that store the same bytes share the work wrongly, but that is not an error of order.
            (false, _) => old.write != new.write,
        };
        conflict && matters && share_a_byte(&old.rows, &new.rows)
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
            MemoryId::Global(_) if access.overruns => return,
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
            uses: self.uses(site.stmt, access),
            write: access.write,
            atomic: access.atomic,
            // What an overrun meets outside of its tensor is the fault of the overrun.
            rows: Rows::clipped(access.rows, access.base, access.end),
        });
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.settle();
        match *operation {
            SyncOp::Set { token, pipe } => self.set(token, pipe, site.lane),
            SyncOp::Wait { token, pipe } => self.wait(token, pipe, site.lane),
            SyncOp::Barrier(pipe) => self.lanes.entry(site.lane).or_default().bar(pipe),
            SyncOp::Unseen { .. } => self.lanes.entry(site.lane).or_default().bar(Pipe::All),
            SyncOp::EnterAutoSync => self.lanes.entry(site.lane).or_default().enter(site.stmt),
            SyncOp::LeaveAutoSync => {
                let auto_sync = &self.program.toolchain.auto_sync;
                self.lanes.entry(site.lane).or_default().leave(auto_sync);
            }
        }
    }
}
