//! The handshakes of `auto_sync` that accesses take part in.

use rustc_hash::{FxHashMap, FxHashSet};

use super::sites::{Site, Sites};
use crate::ir::VariableId;
use crate::isa::Dialect;
use crate::sync::{Key, Pair, Says, Slot, Use, pairs};

/// Which end of which handshake.
type Handshake = (Pair, Key, Says);

/// The ends of handshakes that somebody speaks for and somebody waits for, by their number.
#[derive(Debug, Default)]
pub(super) struct Handshakes {
    at: FxHashMap<Handshake, usize>,
    /// Those of the slots of a ring, by the distance from the counter that picks them.
    rings: Vec<(VariableId, Vec<usize>)>,
}

impl Handshakes {
    /// Of these accesses.
    pub fn new(dialect: Dialect, sites: &Sites) -> Handshakes {
        let (mut said, mut awaited) = (Vec::new(), FxHashSet::default());
        for site in sites.all.iter().filter(|site| site.region.is_some()) {
            for (used, pair) in with_pairs(dialect, site) {
                let end = |says| (pair, any_distance(used.key), says);
                said.extend(used.says(pair).map(|says| (end(says), site.ring.slots)));
                let ends = [Says::Ready, Says::Free];
                let ends = ends
                    .into_iter()
                    .filter(|&says| used.awaits(dialect, pair, says));
                awaited.extend(ends.map(end));
            }
        }
        let mut found = Handshakes::default();
        for (end, slots) in said.into_iter().filter(|(end, _)| awaited.contains(end)) {
            found.add(end, slots);
        }
        found
    }

    fn add(&mut self, end: Handshake, slots: i64) {
        let (pair, (buffer, slot), says) = end;
        if self.at.contains_key(&end) {
            return;
        }
        let Slot::Distance(counter, _) = slot else {
            self.at.insert(end, self.at.len());
            return;
        };
        let all = (0..slots).map(|distance| {
            let next = self.at.len();
            let key = (buffer, Slot::Distance(counter, distance));
            self.at.insert((pair, key, says), next);
            next
        });
        let all = all.collect();
        self.rings.push((counter, all));
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// The number of one.
    pub fn number(&self, pair: Pair, key: Key, says: Says) -> Option<usize> {
        self.at.get(&(pair, key, says)).copied()
    }

    /// Those whose slots a counter picks, by distance.
    pub fn picked_by(&self, counter: VariableId) -> impl Iterator<Item = &[usize]> {
        let own = self.rings.iter().filter(move |ring| ring.0 == counter);
        own.map(|ring| ring.1.as_slice())
    }
}

/// A key that stands for all slots that a counter picks.
fn any_distance((buffer, slot): Key) -> Key {
    match slot {
        Slot::Distance(counter, _) => (buffer, Slot::Distance(counter, 0)),
        slot => (buffer, slot),
    }
}

/// The uses of keys that an access is, with each pair that may be meant.
pub(super) fn with_pairs(dialect: Dialect, site: &Site) -> impl Iterator<Item = (Use, Pair)> {
    uses(site).flat_map(move |used| pairs(dialect).iter().map(move |&pair| (used, pair)))
}

/// The uses of keys that an access is.
fn uses(site: &Site) -> impl Iterator<Item = Use> {
    let part = site.part;
    site.keys.iter().map(move |&key| Use {
        pipe: part.pipe,
        key,
        write: part.write,
    })
}
