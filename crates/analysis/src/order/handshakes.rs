//! The handshakes of `auto_sync` in which accesses take part.

use rustc_hash::{FxHashMap, FxHashSet};

use super::sites::Sites;
use a2lint_ir::sync::{AutoSyncCoverage, Key, Message, Pair, Slot, Use};
use a2lint_ir::{BufferId, Program, VariableId};

/// One end of a handshake.
type Handshake = (Pair, Key, Message);

/// The ends of handshakes that some access announces and some access waits for, with their indices.
#[derive(Debug, Default)]
pub(super) struct Handshakes {
    at: FxHashMap<Handshake, usize>,
    /// The ends for slots of a ring, by their distance from the counter that picks the slot.
    rings: Vec<(VariableId, Vec<usize>)>,
    /// Handshakes that count tokens, with their index and number of tokens.
    sessions: FxHashMap<(Pair, BufferId), (usize, usize)>,
    /// For each site, its uses of keys; empty outside of regions.
    uses: Vec<Vec<Use>>,
}

impl Handshakes {
    /// Collects the handshakes of these accesses.
    pub fn new(program: &Program, touched: &AutoSyncCoverage, sites: &Sites) -> Handshakes {
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
                let end = |message| (pair, any_distance(used.key), message);
                said.extend(
                    used.sends(pair)
                        .map(|message| (end(message), site.ring.slots)),
                );
                let ends = [Message::Ready, Message::Free];
                let ends = ends
                    .into_iter()
                    .filter(|&message| used.awaits(touched.auto_sync, pair, message));
                awaited.extend(ends.map(end));
            }
        }
        // Under a reading that counts tokens, a handshake exists even if no pipe waits for a token.
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
        let (pair, (buffer, slot), message) = end;
        // Several accesses announce the same end.
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
            self.at.insert((pair, key, message), next);
            next
        });
        let all = all.collect();
        self.rings.push((counter, all));
    }

    /// Returns their number.
    pub fn len(&self) -> usize {
        self.at.len()
    }

    /// Returns the index of a handshake that counts tokens.
    pub fn session(&self, pair: Pair, buffer: BufferId) -> Option<usize> {
        self.sessions.get(&(pair, buffer)).map(|session| session.0)
    }

    /// Returns the numbers of tokens of the handshakes that count them, by index.
    pub fn tokens(&self) -> Vec<usize> {
        let mut all: Vec<(usize, usize)> = self.sessions.values().copied().collect();
        all.sort_unstable();
        all.into_iter().map(|(_, tokens)| tokens).collect()
    }

    /// Returns the uses of keys of an access, each with every pair of pipes.
    pub fn with_pairs(
        &self,
        touched: &AutoSyncCoverage,
        site: usize,
    ) -> impl Iterator<Item = (Use, Pair)> {
        let pairs = touched.auto_sync.pairs;
        let uses = self.uses[site].iter();
        uses.flat_map(move |&used| pairs.iter().map(move |&pair| (used, pair)))
    }

    /// Returns the index of one end of a handshake.
    pub fn number(&self, pair: Pair, key: Key, message: Message) -> Option<usize> {
        self.at.get(&(pair, key, message)).copied()
    }

    /// Returns the ends whose slots a counter picks, by distance.
    pub fn picked_by(&self, counter: VariableId) -> impl Iterator<Item = &[usize]> {
        let own = self.rings.iter().filter(move |ring| ring.0 == counter);
        own.map(|ring| ring.1.as_slice())
    }
}

/// Returns the key that represents all slots that a counter picks.
fn any_distance((buffer, slot): Key) -> Key {
    match slot {
        Slot::Distance(counter, _) => (buffer, Slot::Distance(counter, 0)),
        slot => (buffer, slot),
    }
}
