//! The handshakes of `auto_sync` that accesses take part in.

use rustc_hash::{FxHashMap, FxHashSet};

use super::sites::Sites;
use a2lint_ir::sync::{Key, Pair, Says, Slot, Touched, Use};
use a2lint_ir::{BufferId, Program, VariableId};

/// Which end of which handshake.
type Handshake = (Pair, Key, Says);

/// The ends of handshakes that somebody speaks for and somebody waits for, by their number.
#[derive(Debug, Default)]
pub(super) struct Handshakes {
    at: FxHashMap<Handshake, usize>,
    /// Those of the slots of a ring, by the distance from the counter that picks them.
    rings: Vec<(VariableId, Vec<usize>)>,
    /// Handshakes that count tokens, by their number, and how many tokens they have.
    sessions: FxHashMap<(Pair, BufferId), (usize, usize)>,
    /// By site, its uses of keys; none outside of regions.
    uses: Vec<Vec<Use>>,
}

impl Handshakes {
    /// Of these accesses.
    pub fn new(program: &Program, touched: &Touched, sites: &Sites) -> Handshakes {
        let mut found = Handshakes {
            uses: sites
                .all
                .iter()
                .map(|site| match site.region {
                    Some(_) => site
                        .keys(program, touched.reading)
                        .into_iter()
                        .map(|key| Use {
                            pipe: site.part.pipe,
                            key,
                            write: site.part.write,
                        })
                        .collect(),
                    None => Vec::new(),
                })
                .collect(),
            ..Handshakes::default()
        };
        let (mut said, mut awaited) = (Vec::new(), FxHashSet::default());
        for (at, site) in sites.all.iter().enumerate() {
            for (used, pair) in found.with_pairs(touched, at) {
                let end = |says| (pair, any_distance(used.key), says);
                said.extend(used.says(pair).map(|says| (end(says), site.ring.slots)));
                let ends = [Says::Ready, Says::Free];
                let ends = ends
                    .into_iter()
                    .filter(|&says| used.awaits(touched.auto_sync, pair, says));
                awaited.extend(ends.map(end));
            }
        }
        // A reading that counts tokens takes part even where no pipe waits for the token.
        for &((pair, (buffer, _), _), _) in &said {
            if let Some(tokens) = touched.tokens(buffer) {
                let next = found.sessions.len();
                found
                    .sessions
                    .entry((pair, buffer))
                    .or_insert((next, tokens));
            }
        }
        for (end, slots) in said.into_iter().filter(|(end, _)| awaited.contains(end)) {
            let (_, (buffer, slot), _) = end;
            if touched.tokens(buffer).is_none() && slot != Slot::Any {
                found.add(end, slots);
            }
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

    /// The number of one that counts tokens.
    pub fn session(&self, pair: Pair, buffer: BufferId) -> Option<usize> {
        self.sessions.get(&(pair, buffer)).map(|session| session.0)
    }

    /// How many tokens those have that count them, by number.
    pub fn tokens(&self) -> Vec<usize> {
        let mut all: Vec<(usize, usize)> = self.sessions.values().copied().collect();
        all.sort_unstable();
        all.into_iter().map(|(_, tokens)| tokens).collect()
    }

    /// The uses of keys that an access is, with each pair that may be meant.
    pub fn with_pairs(&self, touched: &Touched, site: usize) -> impl Iterator<Item = (Use, Pair)> {
        let pairs = touched.auto_sync.pairs;
        let uses = self.uses[site].iter();
        uses.flat_map(move |&used| pairs.iter().map(move |&pair| (used, pair)))
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
