//! What `auto_sync` orders.
//!
//! Inside a region, each of six pairs of pipes keeps a ready/valid handshake per key: the consumer
//! waits until the producer is done with the key, and the next producer until the consumer is. A
//! key is a buffer with the expression that picks its slot: a number, or the variable of that
//! name. Both ends have to stand in the region: nothing carries over from one region to the next,
//! or from one trip through it to the next. Whatever no pair covers stays unordered: a vector
//! write before a load, a load behind a store, one slot under two expressions.
//!
//! Between dependent vector instructions of a region stands a barrier of V. It orders all that V has
//! issued before, inside and outside of the region (`Tracker::insert_barrier`).
//!
//! Where the documentation leaves room, this reads it in the kernel's favour: expressions that are
//! known to be equal are one, and a vector write waits for what was loaded as a read does.

use rustc_hash::{FxHashMap, FxHashSet};

use super::clock::VectorClock;
use crate::analysis::{SlotKey, slot_key};
use crate::ir::{BufferId, LocalView, Program, StmtId, StmtKind, VariableId, View};
use crate::isa::Pipe;

/// A producing and a consuming pipe.
type Pair = (Pipe, Pipe);

/// The pairs that `auto_sync` covers.
const PAIRS: [Pair; 6] = [
    (Pipe::Mte2, Pipe::V),
    (Pipe::V, Pipe::Mte3),
    LOAD_STORE,
    (Pipe::Mte2, Pipe::Mte1),
    (Pipe::Mte1, Pipe::M),
    (Pipe::M, Pipe::Fix),
];

/// Covered only for buffers that no vector instruction of the region touches.
const LOAD_STORE: Pair = (Pipe::Mte2, Pipe::Mte3);

/// Whether `auto_sync` orders work of `consumer` behind work of `producer` on the same slot.
pub fn auto_sync_covers(producer: Pipe, consumer: Pipe) -> bool {
    PAIRS.contains(&(producer, consumer))
}

/// What a handshake is about.
pub(super) type Key = (BufferId, Slot);

/// What picks a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Slot {
    /// What it is known to be.
    Expression(SlotKey),
    /// The variable that the source names.
    Variable(VariableId),
}

/// The keys of a view.
pub(super) fn keys(program: &Program, view: &LocalView) -> impl Iterator<Item = Key> {
    let buffer = view.buffer;
    let expression = Slot::Expression(slot_key(program, view));
    let variable = view.index.map(Slot::Variable);
    std::iter::once(expression)
        .chain(variable)
        .map(move |slot| (buffer, slot))
}

/// One use of a key by an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    /// The pipe.
    pub pipe: Pipe,
    /// The key.
    pub key: Key,
    /// Writing rather than reading.
    pub write: bool,
}

/// The open region of a lane.
#[derive(Debug)]
pub(super) struct Region {
    /// Regions that are open inside each other; the outermost one counts.
    depth: u32,
    /// The outermost one.
    pub stmt: StmtId,
    handshakes: FxHashMap<(Pair, Key), Handshake>,
}

/// What the two ends of a handshake have said last.
#[derive(Debug, Default)]
struct Handshake {
    /// The producer is done.
    ready: Option<VectorClock>,
    /// The consumer is done.
    free: Option<VectorClock>,
}

impl Region {
    /// A region that has just begun.
    pub fn new(stmt: StmtId) -> Self {
        Self {
            depth: 1,
            stmt,
            handshakes: FxHashMap::default(),
        }
    }

    /// A region inside begins.
    pub fn enter(&mut self) {
        self.depth += 1;
    }

    /// A region ends; whether it was the outermost.
    pub fn leave(&mut self) -> bool {
        self.depth -= 1;
        self.depth == 0
    }

    /// What an instruction that uses a key has to wait for.
    pub fn awaited(&self, used: &Use, touched: &Touched) -> Vec<&VectorClock> {
        let mut clocks = Vec::new();
        for pair in PAIRS {
            let Some(handshake) = self.handshakes.get(&(pair, used.key)) else {
                continue;
            };
            if pair == LOAD_STORE && touched.by_vectors(self.stmt, used.key.0) {
                continue;
            }
            // What overwrites a load waits for it as what reads it does.
            if pair.1 == used.pipe && (!used.write || pair == (Pipe::Mte2, Pipe::V)) {
                clocks.extend(&handshake.ready);
            }
            if pair.0 == used.pipe && used.write {
                clocks.extend(&handshake.free);
            }
        }
        clocks
    }

    /// An instruction that uses a key is issued; `done` stands for its end.
    pub fn pass(&mut self, used: &Use, done: &VectorClock) {
        for pair in PAIRS {
            let produces = pair.0 == used.pipe && used.write;
            let consumes = pair.1 == used.pipe && !used.write;
            if produces || consumes {
                let handshake = self.handshakes.entry((pair, used.key)).or_default();
                let said = match produces {
                    true => &mut handshake.ready,
                    false => &mut handshake.free,
                };
                said.clone_from(&Some(done.clone()));
            }
        }
    }
}

/// Buffers that vector instructions touch, by `auto_sync` region.
#[derive(Debug)]
pub(super) struct Touched(FxHashMap<StmtId, FxHashSet<BufferId>>);

impl Touched {
    /// Of all regions of a program.
    pub fn of(program: &Program) -> Self {
        let mut regions = FxHashMap::default();
        program.walk(&mut |stmt| {
            if matches!(stmt.kind, StmtKind::AutoSync { .. }) {
                let mut buffers = FxHashSet::default();
                stmt.walk(&mut |inner| buffers.extend(vector_operands(&inner.kind)));
                regions.insert(stmt.id, buffers);
            }
        });
        Self(regions)
    }

    fn by_vectors(&self, region: StmtId, buffer: BufferId) -> bool {
        let buffers = self.0.get(&region);
        buffers.is_some_and(|buffers| buffers.contains(&buffer))
    }
}

fn vector_operands(kind: &StmtKind) -> Vec<BufferId> {
    match kind {
        StmtKind::Instr(instr) if instr.pipe() == Some(Pipe::V) => {
            let locals = instr
                .operands()
                .filter_map(|(_, _, view)| View::local(view));
            locals.map(|view| view.buffer).collect()
        }
        _ => Vec::new(),
    }
}
