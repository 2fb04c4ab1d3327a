//! The open `auto_sync` region of a lane, and the clocks that its handshakes carry.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use super::clock::VectorClock;
use a2lint_ir::sync::{AutoSyncCoverage, Key, Message, Pair, Session, Use};
use a2lint_ir::{BufferId, StmtId};

/// The open region of a lane.
#[derive(Debug)]
pub(super) struct Region {
    /// Nesting depth; only the outermost region counts.
    depth: u32,
    /// The statement of the outermost one.
    pub stmt: StmtId,
    handshakes: FxHashMap<(Pair, Key), Handshake>,
    /// Handshakes of buffers whose tokens are counted.
    sessions: FxHashMap<(Pair, BufferId), Session<VectorClock>>,
}

/// The last clocks that the two ends of a handshake have announced.
#[derive(Debug, Default)]
struct Handshake {
    /// The instructions that are complete when the producer is done.
    ready: Option<VectorClock>,
    /// The instructions that are complete when the consumer is done.
    free: Option<VectorClock>,
}

impl Region {
    /// Creates a region that has just begun.
    pub fn new(stmt: StmtId) -> Self {
        Self {
            depth: 1,
            stmt,
            handshakes: FxHashMap::default(),
            sessions: FxHashMap::default(),
        }
    }

    /// Enters a nested region.
    pub fn enter(&mut self) {
        self.depth += 1;
    }

    /// Returns whether no region is open; the handshakes are kept for the next one.
    pub fn is_closed(&self) -> bool {
        self.depth == 0
    }

    /// Leaves a region; returns whether it was the outermost.
    pub fn leave(&mut self) -> bool {
        self.depth -= 1;
        self.depth == 0
    }

    /// Returns what an instruction that uses a key has to wait for.
    pub fn awaited(&self, used: &Use, touched: &AutoSyncCoverage) -> Vec<Cow<'_, VectorClock>> {
        let mut clocks = Vec::new();
        let (buffer, slot) = used.key;
        for &pair in touched.auto_sync.pairs {
            if !touched.covers(pair, self.stmt, buffer) {
                continue;
            }
            for message in [Message::Ready, Message::Free] {
                if !used.awaits(touched.auto_sync, pair, message) {
                    continue;
                }
                clocks.extend(match touched.tokens(buffer) {
                    Some(_) => {
                        let session = self.sessions.get(&(pair, buffer));
                        session.and_then(|session| session.awaited(slot.known(), message))
                    }
                    None => {
                        let handshake = self.handshakes.get(&(pair, used.key));
                        let clock = handshake.and_then(|handshake| handshake.sent(message));
                        clock.map(Cow::Borrowed)
                    }
                });
            }
        }
        clocks
    }

    /// Announces an instruction that uses a key; `done` is the clock of its end.
    pub fn pass(&mut self, used: &Use, touched: &AutoSyncCoverage, done: &VectorClock) {
        let (buffer, slot) = used.key;
        for &pair in touched.auto_sync.pairs {
            let Some(message) = used.sends(pair) else {
                continue;
            };
            if let Some(tokens) = touched.tokens(buffer) {
                let nothing = VectorClock::default();
                let session = self.sessions.entry((pair, buffer));
                let session = session.or_insert_with(|| Session::new(tokens, &nothing));
                session.pass(slot.known(), message, done, &nothing);
                continue;
            }
            let handshake = self.handshakes.entry((pair, used.key)).or_default();
            let clock = match message {
                Message::Ready => &mut handshake.ready,
                Message::Free => &mut handshake.free,
            };
            clock.clone_from(&Some(done.clone()));
        }
    }
}

impl Handshake {
    /// Returns the last announcement of one end.
    fn sent(&self, message: Message) -> Option<&VectorClock> {
        match message {
            Message::Ready => self.ready.as_ref(),
            Message::Free => self.free.as_ref(),
        }
    }
}
