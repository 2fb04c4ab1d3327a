//! Defines the ordering by `auto_sync`.
//!
//! Inside a region, each of six pairs of pipes keeps a ready/valid handshake for each key: the consumer waits
//! until the producer is done with the key, and the next producer waits until the consumer is. A key is a
//! buffer with the expression that selects its slot: a number, or the variable of that name. Both ends have
//! to be in the region: no handshake carries over from one region to the next, or from one iteration of it to
//! the next. Accesses that no pair covers are not ordered: a vector write before a load, a load after a
//! store, one slot under two expressions.
//!
//! A barrier of V is inserted between dependent vector instructions of a region. It orders all that V has
//! issued before, inside and outside of the region (`hazards::Tracker::insert_barrier`).
//!
//! These are the rules of easyasc. Ascriptor treats all regions of a kernel as one, and keeps a handshake for
//! every two pipes of a side that both access a buffer, in either order; no pipe waits for the scalar pipe.
//! It inserts barriers of V between dependent vector instructions inside and outside of regions. [`AutoSync`]
//! describes the rules of a toolchain.
//!
//! A vector write waits for a load of the same key, as a read does. Where versions of the documentation
//! define the keys of handshakes differently, each definition is a [`Reading`].

use rustc_hash::{FxHashMap, FxHashSet};

use super::reading::{Reading, rings};
use crate::toolchain::AutoSync;
use crate::{BufferId, Program, SlotKey, StmtId, StmtKind, VariableId, View};
use a2lint_isa::Pipe;

/// A producing and a consuming pipe.
pub type Pair = (Pipe, Pipe);

/// The key of a handshake.
pub type Key = (BufferId, Slot);

/// A slot of a buffer, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Slot {
    /// The expression that selects it.
    Expression(SlotKey),
    /// The variable that indexes it in the source.
    Variable(VariableId),
    /// The slot number in a run.
    Picked(usize),
    /// The slot at a distance from the value of a counter, modulo the number of slots.
    Distance(VariableId, i64),
    /// An unknown slot.
    Any,
}

impl Slot {
    /// Returns the slot; `None` for [`Slot::Any`].
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
    /// Whether it writes rather than reads.
    pub write: bool,
}

/// The two messages of a handshake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Message {
    /// The producer is done with the key.
    Ready,
    /// The consumer is done with the key.
    Free,
}

impl Use {
    /// Returns whether the use has to wait for a message in the handshake of a pair.
    pub fn awaits(&self, auto_sync: &AutoSync, pair: Pair, message: Message) -> bool {
        match message {
            Message::Ready => pair.1 == self.pipe && (!self.write || auto_sync.holds_writes(pair)),
            // A read by the producer's pipe does not overwrite the slot, so it need not wait for the
            // consumer.
            Message::Free => pair.0 == self.pipe && self.write,
        }
    }

    /// Returns the message that the use sends in the handshake of a pair once it is issued.
    pub fn sends(&self, pair: Pair) -> Option<Message> {
        if pair.0 == self.pipe && self.write {
            Some(Message::Ready)
        } else if pair.1 == self.pipe && !self.write {
            Some(Message::Free)
        } else {
            None
        }
    }
}

/// The coverage of `auto_sync` in a program: the pairs of its toolchain, and the buffers that vector
/// instructions access, by region.
#[derive(Debug)]
pub struct AutoSyncCoverage {
    /// The rules of the toolchain.
    pub auto_sync: &'static AutoSync,
    /// The reading of its documentation.
    pub reading: Reading,
    regions: FxHashMap<StmtId, FxHashSet<BufferId>>,
    /// The number of slots of each ring.
    rings: FxHashMap<BufferId, u32>,
}

impl AutoSyncCoverage {
    /// Returns the coverage of all regions of a program.
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

    /// Returns the number of tokens of the handshakes for a buffer; `None` where handshakes do not count
    /// tokens.
    pub fn tokens(&self, buffer: BufferId) -> Option<usize> {
        let slots = self
            .rings
            .get(&buffer)
            .filter(|_| self.reading.counts_tokens());
        slots.map(|&slots| slots as usize)
    }

    /// Returns whether a pair covers a buffer in a region.
    pub fn covers(&self, pair: Pair, region: StmtId, buffer: BufferId) -> bool {
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
