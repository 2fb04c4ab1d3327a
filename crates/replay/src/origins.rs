//! Traces where undefined data comes from.
//!
//! A [`Tracker`] observes a run. For every block of every memory, it records the read of unwritten memory that
//! the undefined contents go back to. A statement with an undefined operand passes the origin of that operand on
//! to what it writes; an operand without an origin is a new origin.

use std::mem::discriminant;

use rustc_hash::FxHashMap;

use super::observation::{Origin, Part, Source};
use a2lint_ir::{GlobalKind, Instr, Program, StmtId, View};
use a2lint_isa::{BLOCK_BYTES, Position};
use a2lint_machine::{
    Access, FindingKind, LaneId, LaneKind, MemoryId, Observer, Rows, SanitizerFinding, Site,
};

/// Upper bound on the stores to workspaces that an origin names.
const MAX_THROUGH: usize = 4;

/// A memory, among those of all cores and lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Place {
    Global(u32),
    /// A memory of a core, or the UB of one of its lanes.
    Local(Position, u32, LaneKind),
}

/// An observation of the sanitizer, with the origin of the undefined data.
#[derive(Clone, Debug)]
pub struct Traced {
    kind: FindingKind,
    stmt: StmtId,
    operand: Option<usize>,
    /// The undefined part of the operand.
    pub part: Part,
    /// Where the data comes from.
    pub origin: Origin,
}

/// A read of undefined bytes.
#[derive(Clone, Copy, Debug)]
struct Read {
    place: Place,
    operand: usize,
    /// Address of the first undefined byte.
    address: i64,
    part: Part,
}

/// The instruction in progress.
#[derive(Debug)]
struct Current {
    stmt: StmtId,
    lane: LaneId,
    iterations: Vec<i64>,
    reads: Vec<Read>,
    writes: Vec<(Place, Rows)>,
}

/// Traces undefined data through a run.
pub struct Tracker<'p> {
    program: &'p Program,
    instructions: Vec<Option<&'p Instr>>,
    current: Option<Current>,
    origins: Vec<Origin>,
    /// Index of the origin of the undefined contents of a block, by memory and block number.
    labels: FxHashMap<(Place, i64), usize>,
    traced: Vec<Traced>,
}

impl<'p> Tracker<'p> {
    /// Creates a tracker before a run.
    pub fn new(program: &'p Program) -> Self {
        let mut instructions = vec![None; program.stmt_count as usize];
        for (stmt, instr) in program.instructions() {
            instructions[stmt.id.index()] = Some(instr);
        }
        Tracker {
            program,
            instructions,
            current: None,
            origins: Vec::new(),
            labels: FxHashMap::default(),
            traced: Vec::new(),
        }
    }

    /// Returns the trace of an observation.
    pub fn trace(&self, seen: &SanitizerFinding) -> Option<&Traced> {
        let mut traced = self.traced.iter();
        traced.find(|traced| {
            traced.stmt == seen.stmt
                && traced.operand == seen.operand
                && discriminant(&traced.kind) == discriminant(&seen.kind)
        })
    }

    /// Returns the instruction at a site, after settling the previous one.
    fn current(&mut self, site: &Site) -> &mut Current {
        let is_same = |current: &Current| {
            current.stmt == site.stmt
                && current.lane == site.lane
                && current.iterations == site.iterations
        };
        if !self.current.as_ref().is_some_and(is_same) {
            self.settle();
        }
        self.current.get_or_insert_with(|| Current {
            stmt: site.stmt,
            lane: site.lane,
            iterations: site.iterations.to_vec(),
            reads: Vec::new(),
            writes: Vec::new(),
        })
    }

    /// Labels the blocks that the current instruction wrote.
    fn settle(&mut self) {
        let Some(current) = self.current.take() else {
            return;
        };
        // One origin per instruction: the first undefined operand.
        let first = current.reads.first();
        let origin = first.and_then(|read| self.origin(&current, read));
        // Nothing is undefined so far, so there are no labels to remove.
        if origin.is_none() && self.labels.is_empty() {
            return;
        }
        for (place, rows) in &current.writes {
            let origin = match origin {
                Some(origin) if self.is_workspace(*place) => {
                    Some(self.carried(origin, current.stmt))
                }
                origin => origin,
            };
            for (start, length) in rows.runs() {
                for block in start / BLOCK_BYTES..=(start + length - 1) / BLOCK_BYTES {
                    match origin {
                        Some(origin) => self.labels.insert((*place, block), origin),
                        None => self.labels.remove(&(*place, block)),
                    };
                }
            }
        }
    }

    /// Returns the index of the origin of a read.
    fn origin(&mut self, current: &Current, read: &Read) -> Option<usize> {
        let block = read.address / BLOCK_BYTES;
        if let Some(&known) = self.labels.get(&(read.place, block)) {
            return Some(known);
        }
        let view = self.instructions[current.stmt.index()]?.view(read.operand)?;
        let source = match view {
            View::Local(view) => Source::Buffer(view.buffer),
            View::Global(view) => Source::Global(view.global),
        };
        // One origin for each statement and memory, so that iterations of a loop do not add more.
        let same = |known: &Origin| {
            known.stmt == current.stmt && known.source == source && known.through.is_empty()
        };
        if let Some(known) = self.origins.iter().position(same) {
            return Some(known);
        }
        self.origins.push(Origin {
            source,
            stmt: current.stmt,
            operand: read.operand,
            part: read.part,
            lane: current.lane,
            through: Vec::new(),
        });
        Some(self.origins.len() - 1)
    }

    /// Returns the origin of data that a statement has stored to a workspace.
    fn carried(&mut self, origin: usize, store: StmtId) -> usize {
        let before = &self.origins[origin];
        // A store in a loop carries the same data again, and would extend the list without end.
        if before.through.contains(&store) || before.through.len() >= MAX_THROUGH {
            return origin;
        }
        let mut carried = before.clone();
        carried.through.push(store);
        let known = self.origins.iter().position(|known| *known == carried);
        known.unwrap_or_else(|| {
            self.origins.push(carried);
            self.origins.len() - 1
        })
    }

    fn is_workspace(&self, place: Place) -> bool {
        match place {
            Place::Global(id) => self.program.globals[id as usize].kind == GlobalKind::Workspace,
            Place::Local(..) => false,
        }
    }
}

impl Observer for Tracker<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn wants_definedness(&self) -> bool {
        true
    }

    fn access(&mut self, site: &Site, access: &Access) {
        let place = place_of(site.lane, access.memory);
        let current = self.current(site);
        if access.write {
            let rows = access.rows.iter().filter(|rows| rows.bounds().is_some());
            current.writes.extend(rows.map(|rows| (place, *rows)));
        } else if let Some(undefined) = access.undefined {
            current.reads.push(Read {
                place,
                operand: access.operand,
                address: undefined.first,
                part: Part::new(undefined, access.base),
            });
        }
    }

    fn observed(&mut self, site: &Site, kind: &FindingKind, operand: Option<usize>) {
        if !kind.is_undefined() {
            return;
        }
        let current = self.current(site);
        let found = current
            .reads
            .iter()
            .find(|read| Some(read.operand) == operand);
        let Some(read) = found.copied() else { return };
        let Some(current) = self.current.take() else {
            return;
        };
        let origin = self.origin(&current, &read);
        self.current = Some(current);
        if let Some(origin) = origin {
            self.traced.push(Traced {
                kind: *kind,
                stmt: site.stmt,
                operand,
                part: read.part,
                origin: self.origins[origin].clone(),
            });
        }
    }
}

fn place_of(lane: LaneId, memory: MemoryId) -> Place {
    match memory {
        MemoryId::Global(id) => Place::Global(id.0),
        MemoryId::Local(Position::Ub) => Place::Local(Position::Ub, lane.core, lane.kind),
        // The memories of the cube are the same for every lane that accesses them.
        MemoryId::Local(position) => Place::Local(position, lane.core, LaneKind::Cube),
    }
}
