//! Rings of slots that come round too soon.
//!
//! `buf[i]` is slot `i` modulo the slots. What was written as `buf[2]` and is read as `buf[2]` must
//! not have become `buf[4]` in between: every step of that may be in order, and the data is another
//! tile's all the same. Counters that are taken modulo something themselves say nothing about it,
//! so an index that is no more than the number of slots is not judged.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{End, Place};

/// Earlier indices of a slot that are remembered.
const REMEMBERED: usize = 8;

/// A slot of a ring, as an access picks it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Picked {
    /// Number of the slot among all slots.
    pub slot: usize,
    /// What the source says.
    pub index: i64,
    /// Slots of the ring.
    pub slots: i64,
}

/// Who filled the slots of all rings last.
#[derive(Debug, Default)]
pub(super) struct Rings {
    held: FxHashMap<(Place, usize), Held>,
}

/// What a slot holds.
#[derive(Debug)]
struct Held {
    index: i64,
    by: End,
    bounds: (i64, i64),
    before: SmallVec<[i64; REMEMBERED]>,
}

impl Rings {
    /// Who has overwritten what a read is after.
    pub fn lapped(&self, place: Place, picked: Picked, bounds: (i64, i64)) -> Option<&End> {
        let held = self.held.get(&(place, picked.slot))?;
        let is_judged = picked.index >= picked.slots && held.index > picked.index;
        let is_all_of_it = held.bounds.0 <= bounds.0 && bounds.1 <= held.bounds.1;
        (is_judged && is_all_of_it && held.before.contains(&picked.index)).then_some(&held.by)
    }

    /// A slot is written.
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
