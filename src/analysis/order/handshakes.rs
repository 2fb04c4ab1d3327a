//! The handshakes of `auto_sync` that accesses take part in.

use rustc_hash::{FxHashMap, FxHashSet};

use super::sites::{Site, Sites};
use crate::isa::Dialect;
use crate::sync::{Key, Pair, Says, Use, pairs};

/// Which end of which handshake.
pub(super) type Handshake = (Pair, Key, Says);

/// The ends of handshakes that somebody speaks for and somebody waits for.
pub(super) fn handshakes(dialect: Dialect, sites: &Sites) -> FxHashMap<Handshake, usize> {
    let (mut said, mut awaited) = (Vec::new(), FxHashSet::default());
    for site in sites.all.iter().filter(|site| site.region.is_some()) {
        for (used, pair) in with_pairs(dialect, site) {
            said.extend(used.says(pair).map(|says| (pair, used.key, says)));
            let ends = [Says::Ready, Says::Free];
            let ends = ends
                .into_iter()
                .filter(|&says| used.awaits(dialect, pair, says));
            awaited.extend(ends.map(|says| (pair, used.key, says)));
        }
    }
    let mut found = FxHashMap::default();
    for end in said.into_iter().filter(|end| awaited.contains(end)) {
        let next = found.len();
        found.entry(end).or_insert(next);
    }
    found
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
