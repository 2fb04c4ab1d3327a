//! Rings of slots that are refilled too soon.
//!
//! `buf[i]` is slot `i` modulo the number of slots. Data that was written as `buf[2]` and is read as `buf[2]`
//! must not have been overwritten as `buf[4]` in between: every step of that may be in order, and the data
//! still belongs to another tile. Counters that are themselves taken modulo something tell nothing about it,
//! so an index below the number of slots is not judged.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{End, Place};

/// Maximum number of earlier indices of a slot that are kept.
// A read with an older index is not judged, so the bound can only miss a hazard, never invent one.
const REMEMBERED: usize = 8;

/// A slot of a ring, and the index that picks it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    /// Index of the slot among the slots of all buffers.
    pub slot: usize,
    /// The index as the source computes it.
    pub index: i64,
    /// Number of slots of the ring.
    pub slots: i64,
}

/// The last writer of each slot of all rings.
#[derive(Debug, Default)]
pub(super) struct Rings {
    held: FxHashMap<(Place, usize), Held>,
}

/// The contents of a slot.
#[derive(Debug)]
struct Held {
    index: i64,
    by: End,
    bounds: (i64, i64),
    before: SmallVec<[i64; REMEMBERED]>,
}

impl Rings {
    /// Returns the access that has overwritten the data which a read expects, if there is one.
    pub fn lapped(&self, place: Place, picked: Picked, bounds: (i64, i64)) -> Option<&End> {
        let held = self.held.get(&(place, picked.slot))?;
        let is_judged = picked.index >= picked.slots && held.index > picked.index;
        // The slot may be refilled piece by piece, so all bytes that are read have to be those of the later
        // index.
        let is_all_of_it = held.bounds.0 <= bounds.0 && bounds.1 <= held.bounds.1;
        (is_judged && is_all_of_it && held.before.contains(&picked.index)).then_some(&held.by)
    }

    /// Records that a slot is written.
    pub fn fill(
        &mut self,
        place: Place,
        picked: Picked,
        bounds: (i64, i64),
        by: impl FnOnce() -> End,
    ) {
        match self.held.entry((place, picked.slot)) {
            std::collections::hash_map::Entry::Occupied(mut entry) => {
                let held = entry.get_mut();
                if held.index == picked.index {
                    held.bounds = (held.bounds.0.min(bounds.0), held.bounds.1.max(bounds.1));
                    return;
                }
                if held.before.len() == REMEMBERED {
                    held.before.remove(0);
                }
                held.before.push(held.index);
                (held.index, held.bounds, held.by) = (picked.index, bounds, by());
            }
            std::collections::hash_map::Entry::Vacant(entry) => {
                entry.insert(Held {
                    index: picked.index,
                    by: by(),
                    bounds,
                    before: SmallVec::new(),
                });
            }
        }
    }
}
