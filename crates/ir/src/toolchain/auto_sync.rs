//! What `auto_sync` of a toolchain orders.

use crate::sync::{Pair, Reading};
use a2lint_isa::Pipe;

/// What `auto_sync` of a toolchain orders.
#[derive(Debug, PartialEq)]
pub struct AutoSync {
    /// The pairs of pipes that a region keeps a handshake for.
    pub pairs: &'static [Pair],
    /// A pair that it keeps a handshake for only about buffers that no vector instruction of the region touches.
    pub without_vector: Option<Pair>,
    /// Which writes of the later pipe wait for the earlier one, as its reads do.
    pub write_waits: WriteWaits,
    /// Whether all regions of a kernel are one: what is said in one holds in the next.
    pub joins_regions: bool,
    /// Where barriers stand between dependent vector instructions.
    pub barriers: Barriers,
    /// Whether one region around both is the repair of two accesses to a global tensor without order, too, as it is
    /// for those to a buffer.
    pub repairs_globals: bool,
    /// How its documentation is read: the reading by which a kernel is right or wrong.
    pub reading: Reading,
    /// Other readings, of other versions. What is wrong under one of these alone depends on the version.
    pub other_readings: &'static [Reading],
}

/// Which writes of a later pipe wait for the handshake of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteWaits {
    /// Those of V after a load: what overwrites a load waits for it as what reads it does.
    AfterLoads,
    /// All.
    Always,
}

/// Where a toolchain puts barriers of V between dependent vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barriers {
    /// In regions of `auto_sync`.
    InRegions,
    /// Everywhere.
    Everywhere,
    /// Nowhere: authors write all of them.
    Nowhere,
}

impl AutoSync {
    /// Whether it orders work of `consumer` after work of `producer` on the same slot.
    pub fn covers(&self, producer: Pipe, consumer: Pipe) -> bool {
        self.pairs.contains(&(producer, consumer))
    }

    /// Whether writes of the later pipe of a pair wait for the earlier one.
    pub fn holds_writes(&self, pair: Pair) -> bool {
        match self.write_waits {
            WriteWaits::AfterLoads => pair == (Pipe::Mte2, Pipe::V),
            WriteWaits::Always => true,
        }
    }

    /// Whether barriers of V stand between dependent vector instructions outside of regions, too.
    pub fn bars_everywhere(&self) -> bool {
        self.barriers == Barriers::Everywhere
    }
}
