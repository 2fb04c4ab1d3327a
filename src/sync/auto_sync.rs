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
//! issued before, inside and outside of the region (`hazards::Tracker::insert_barrier`).
//!
//! Where the documentation leaves room, this reads it in the kernel's favour: expressions that are
//! known to be equal are one, and a vector write waits for what was loaded as a read does.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ir::{
    BufferId, LocalView, Program, SlotKey, StmtId, StmtKind, VariableId, View, slot_key,
};
use crate::isa::Pipe;

/// A producing and a consuming pipe.
pub type Pair = (Pipe, Pipe);

/// The pairs that `auto_sync` covers.
pub const PAIRS: [Pair; 6] = [
    (Pipe::Mte2, Pipe::V),
    (Pipe::V, Pipe::Mte3),
    LOAD_STORE,
    (Pipe::Mte2, Pipe::Mte1),
    (Pipe::Mte1, Pipe::M),
    (Pipe::M, Pipe::Fix),
];

/// Covered only for buffers that no vector instruction of the region touches.
const LOAD_STORE: Pair = (Pipe::Mte2, Pipe::Mte3);

/// Whether `auto_sync` orders work of `consumer` after work of `producer` on the same slot.
pub fn auto_sync_covers(producer: Pipe, consumer: Pipe) -> bool {
    PAIRS.contains(&(producer, consumer))
}

/// What a handshake is about.
pub type Key = (BufferId, Slot);

/// What picks a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// What it is known to be.
    Expression(SlotKey),
    /// The variable that the source names.
    Variable(VariableId),
}

/// The keys of a view.
pub fn keys(program: &Program, view: &LocalView) -> impl Iterator<Item = Key> {
    let buffer = view.buffer;
    let expression = Slot::Expression(slot_key(program, view));
    let variable = view.index.map(Slot::Variable);
    std::iter::once(expression)
        .chain(variable)
        .map(move |slot| (buffer, slot))
}

/// One use of a key by an instruction.
#[derive(Clone, Copy, Debug)]
pub struct Use {
    /// The pipe.
    pub pipe: Pipe,
    /// The key.
    pub key: Key,
    /// Writing rather than reading.
    pub write: bool,
}

/// The two things that a handshake says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Says {
    /// The producer is done with the key.
    Ready,
    /// The consumer is done with the key.
    Free,
}

impl Use {
    /// What of the handshake of a pair it has to wait for.
    pub fn awaits(&self, pair: Pair, says: Says) -> bool {
        match says {
            // What overwrites a load waits for it as what reads it does.
            Says::Ready => pair.1 == self.pipe && (!self.write || pair == (Pipe::Mte2, Pipe::V)),
            Says::Free => pair.0 == self.pipe && self.write,
        }
    }

    /// What it says in the handshake of a pair once it is issued.
    pub fn says(&self, pair: Pair) -> Option<Says> {
        if pair.0 == self.pipe && self.write {
            Some(Says::Ready)
        } else if pair.1 == self.pipe && !self.write {
            Some(Says::Free)
        } else {
            None
        }
    }
}

/// Buffers that vector instructions touch, by `auto_sync` region.
#[derive(Debug)]
pub struct Touched(FxHashMap<StmtId, FxHashSet<BufferId>>);

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

    /// Whether a pair covers a buffer in a region.
    pub fn leaves(&self, pair: Pair, region: StmtId, buffer: BufferId) -> bool {
        let buffers = self.0.get(&region);
        pair != LOAD_STORE || !buffers.is_some_and(|buffers| buffers.contains(&buffer))
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
