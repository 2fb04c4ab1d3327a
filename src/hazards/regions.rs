//! The open `auto_sync` region of a lane, and what its handshakes stand for in a run.

use rustc_hash::FxHashMap;

use super::clock::VectorClock;
use crate::ir::StmtId;
use crate::sync::{Key, Pair, Says, Touched, Use, pairs};

/// The open region of a lane.
#[derive(Debug)]
pub(super) struct Region {
    /// Regions that are open inside each other; the outermost one counts.
    depth: u32,
    /// The outermost one.
    pub stmt: StmtId,
    handshakes: FxHashMap<(Pair, Key), Handshake>,
}

/// What the two ends of a handshake have said last.
#[derive(Debug, Default)]
struct Handshake {
    /// The producer is done.
    ready: Option<VectorClock>,
    /// The consumer is done.
    free: Option<VectorClock>,
}

impl Region {
    /// A region that has just begun.
    pub fn new(stmt: StmtId) -> Self {
        Self {
            depth: 1,
            stmt,
            handshakes: FxHashMap::default(),
        }
    }

    /// A region inside begins.
    pub fn enter(&mut self) {
        self.depth += 1;
    }

    /// Whether none of them is open: what was said is kept for the next.
    pub fn is_closed(&self) -> bool {
        self.depth == 0
    }

    /// A region ends; whether it was the outermost.
    pub fn leave(&mut self) -> bool {
        self.depth -= 1;
        self.depth == 0
    }

    /// What an instruction that uses a key has to wait for.
    pub fn awaited(&self, used: &Use, touched: &Touched) -> Vec<&VectorClock> {
        let mut clocks = Vec::new();
        for &pair in pairs(touched.dialect) {
            let Some(handshake) = self.handshakes.get(&(pair, used.key)) else {
                continue;
            };
            if !touched.leaves(pair, self.stmt, used.key.0) {
                continue;
            }
            for (says, clock) in [
                (Says::Ready, &handshake.ready),
                (Says::Free, &handshake.free),
            ] {
                clocks.extend(
                    clock
                        .as_ref()
                        .filter(|_| used.awaits(touched.dialect, pair, says)),
                );
            }
        }
        clocks
    }

    /// An instruction that uses a key is issued; `done` stands for its end.
    pub fn pass(&mut self, used: &Use, touched: &Touched, done: &VectorClock) {
        for &pair in pairs(touched.dialect) {
            let Some(says) = used.says(pair) else {
                continue;
            };
            let handshake = self.handshakes.entry((pair, used.key)).or_default();
            let said = match says {
                Says::Ready => &mut handshake.ready,
                Says::Free => &mut handshake.free,
            };
            said.clone_from(&Some(done.clone()));
        }
    }
}
