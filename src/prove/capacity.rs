//! Buffers fit into their memories.

use super::Proof;
use crate::device::capacity;
use crate::ir::{MemoryMap, Program};
use crate::isa::Position;

/// Proves it: every size is a number, and the sums are small enough.
pub(super) fn prove(program: &Program) -> Proof {
    let map = MemoryMap::of(program);
    for &position in Position::ALL {
        match map.used(position) {
            Some(used) if used <= capacity(position) => {}
            Some(_) => return Proof::open(format!("its buffers do not fit into {position}")),
            None => {
                let mut unknown = map.in_position(position);
                let at = unknown.find(|placement| placement.total().is_none());
                let at = at.map(|placement| program.buffer(placement.buffer).span);
                return Proof::open_at("the size of a buffer is not a constant", at);
            }
        }
    }
    Proof::holds()
}
