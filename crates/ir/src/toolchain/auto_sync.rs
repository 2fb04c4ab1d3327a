//! Defines the rules of a toolchain's `auto_sync`.

use crate::sync::{Pair, Reading};
use a2lint_isa::Pipe;

/// The rules of a toolchain's `auto_sync`.
#[derive(Debug, PartialEq)]
pub struct AutoSync {
    /// The pairs of pipes that a region keeps a handshake for.
    pub pairs: &'static [Pair],
    /// A pair with a handshake only for buffers that no vector instruction of the region accesses.
    pub without_vector: Option<Pair>,
    /// The writes of the later pipe that wait for the earlier one, as its reads do.
    pub write_waits: WriteWaits,
    /// Whether all regions of a kernel are one, so that handshakes carry over to the next region.
    pub joins_regions: bool,
    /// The places of barriers between dependent vector instructions.
    pub barriers: Barriers,
    /// Whether a region around both accesses repairs a missing order also where they access a global tensor
    /// rather than a buffer.
    pub repairs_globals: bool,
    /// The reading of its documentation by which a kernel is right or wrong.
    pub reading: Reading,
    /// Other readings, of other versions. What is wrong under one of these alone depends on the version.
    pub other_readings: &'static [Reading],
}

/// The writes of a later pipe that wait for the handshake of an earlier one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WriteWaits {
    /// Writes of V after a load: an instruction that overwrites loaded data waits for the load, as one that
    /// reads it does.
    AfterLoads,
    /// All writes.
    Always,
}

/// The places where a toolchain inserts barriers of V between dependent vector instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Barriers {
    /// In regions of `auto_sync`.
    InRegions,
    /// Inside and outside of regions.
    Everywhere,
    /// Nowhere: authors write all of them.
    Nowhere,
}

impl AutoSync {
    /// Returns whether a handshake orders `consumer` after `producer` on the same slot.
    pub fn covers(&self, producer: Pipe, consumer: Pipe) -> bool {
        self.pairs.contains(&(producer, consumer))
    }

    /// Returns whether writes of the later pipe of a pair wait for the earlier one.
    pub fn holds_writes(&self, pair: Pair) -> bool {
        match self.write_waits {
            WriteWaits::AfterLoads => pair == (Pipe::Mte2, Pipe::V),
            WriteWaits::Always => true,
        }
    }

    /// Returns whether barriers of V are inserted outside of regions, too.
    pub fn bars_everywhere(&self) -> bool {
        self.barriers == Barriers::Everywhere
    }
}
