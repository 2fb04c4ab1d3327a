//! Vector clocks over the pipes of a launch.

/// For every pipe of every lane: up to which of its instructions work is known to be complete.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct VectorClock(Box<[u32]>);

/// A pipe of a lane, by number.
pub(super) type Thread = usize;

impl VectorClock {
    /// Knows of nothing.
    pub fn new(threads: usize) -> Self {
        Self(vec![0; threads].into())
    }

    /// Whether the `epoch`-th instruction of `thread` is known to be complete.
    pub fn covers(&self, thread: Thread, epoch: u32) -> bool {
        self.0[thread] >= epoch
    }

    /// Learns that the first `epoch` instructions of `thread` are complete.
    pub fn advance(&mut self, thread: Thread, epoch: u32) {
        self.0[thread] = self.0[thread].max(epoch);
    }

    /// Learns everything that `other` knows.
    pub fn join(&mut self, other: &VectorClock) {
        for (mine, theirs) in self.0.iter_mut().zip(&*other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_knows_what_either_knew() {
        let (mut a, mut b) = (VectorClock::new(2), VectorClock::new(2));
        a.advance(0, 3);
        b.advance(0, 1);
        b.advance(1, 2);
        a.join(&b);
        assert!(a.covers(0, 3) && a.covers(1, 2));
        assert!(!a.covers(0, 4) && !b.covers(0, 3));
    }
}
