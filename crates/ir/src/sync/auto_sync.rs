//! What `auto_sync` orders.
//!
//! Inside a region, each of six pairs of pipes keeps a ready/valid handshake per key: the consumer
//! waits until the producer is done with the key, and the next producer until the consumer is. A
//! key is a buffer with the expression that picks its slot: a number, or the variable of that
//! name. Both ends have to stand in the region: nothing carries over from one region to the next,
//! or from one iteration of it to the next. Whatever no pair covers stays unordered: a vector
//! write before a load, a load after a store, one slot under two expressions.
//!
//! Between dependent vector instructions of a region stands a barrier of V. It orders all that V has
//! issued before, inside and outside of the region (`hazards::Tracker::insert_barrier`).
//!
//! That is easyasc. Ascriptor makes one set of all regions of a kernel, and keeps a handshake for every two
//! pipes of a side that both work on a buffer, whoever of them came first; the scalar pipe is waited for by
//! nobody. Its barriers of V stand between dependent vector instructions wherever they are. Which toolchain does
//! what, its [`AutoSync`] says.
//!
//! A vector write waits for what was loaded as a read does. Where versions of the documentation differ about
//! what a handshake is about, each is a [`Reading`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::reading::{Reading, rings};
use crate::toolchain::AutoSync;
use crate::{BufferId, Program, SlotKey, StmtId, StmtKind, VariableId, View};
use a2lint_isa::Pipe;

/// A producing and a consuming pipe.
pub type Pair = (Pipe, Pipe);

/// What a handshake is about.
pub type Key = (BufferId, Slot);

/// What picks a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// What it is known to be.
    Expression(SlotKey),
    /// The variable that the source names.
    Variable(VariableId),
    /// The slot itself, in a run.
    Picked(usize),
    /// The one at a distance from what a counter holds, modulo the slots.
    Distance(VariableId, i64),
    /// One that is not known.
    Any,
}

impl Slot {
    /// The slot, if anything is known of it.
    pub fn known(self) -> Option<Slot> {
        (self != Slot::Any).then_some(self)
    }
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
    pub fn awaits(&self, auto_sync: &AutoSync, pair: Pair, says: Says) -> bool {
        match says {
            Says::Ready => pair.1 == self.pipe && (!self.write || auto_sync.holds_writes(pair)),
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

/// What `auto_sync` covers in a program: the pairs of its toolchain, and the buffers that vector
/// instructions touch, by region.
#[derive(Debug)]
pub struct Touched {
    /// What the toolchain does.
    pub auto_sync: &'static AutoSync,
    /// How its documentation is read.
    pub reading: Reading,
    regions: FxHashMap<StmtId, FxHashSet<BufferId>>,
    /// The slots of rings.
    rings: FxHashMap<BufferId, u32>,
}

impl Touched {
    /// Of all regions of a program.
    pub fn of(program: &Program, reading: Reading) -> Self {
        let mut regions = FxHashMap::default();
        program.walk(&mut |stmt| {
            if matches!(stmt.kind, StmtKind::AutoSync { .. }) {
                let mut buffers = FxHashSet::default();
                stmt.walk(&mut |inner| buffers.extend(vector_operands(&inner.kind)));
                regions.insert(stmt.id, buffers);
            }
        });
        Self {
            auto_sync: &program.toolchain.auto_sync,
            reading,
            regions,
            rings: rings(program)
                .into_iter()
                .map(|id| (id, program.buffer(id).slots))
                .collect(),
        }
    }

    /// The number of tokens that handshakes about a buffer have, where they count them.
    pub fn tokens(&self, buffer: BufferId) -> Option<usize> {
        let slots = self
            .rings
            .get(&buffer)
            .filter(|_| self.reading.counts_tokens());
        slots.map(|&slots| slots as usize)
    }

    /// Whether a pair covers a buffer in a region.
    pub fn leaves(&self, pair: Pair, region: StmtId, buffer: BufferId) -> bool {
        let buffers = self.regions.get(&region);
        let is_left_out = self.auto_sync.without_vector == Some(pair);
        !is_left_out || !buffers.is_some_and(|buffers| buffers.contains(&buffer))
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
