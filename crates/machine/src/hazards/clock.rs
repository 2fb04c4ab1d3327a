//! Vector clocks over the pipes of a launch.

use a2lint_ir::sync::Knowledge;

/// For every pipe of every lane, the number of its instructions that are known to be complete. Pipes past the
/// end count as 0: most pipes are unused, so clocks are short.
#[derive(Clone, Debug, Default)]
pub(super) struct VectorClock(Vec<u32>);

/// The index of a pipe among all pipes of a launch.
pub(super) type Thread = usize;

impl VectorClock {
    /// Returns whether the `epoch`-th instruction of `thread` is known to be complete.
    pub fn covers(&self, thread: Thread, epoch: u32) -> bool {
        self.0.get(thread).copied().unwrap_or(0) >= epoch
    }

    /// Learns that the first `epoch` instructions of `thread` are complete.
    pub fn advance(&mut self, thread: Thread, epoch: u32) {
        if self.0.len() <= thread {
            self.0.resize(thread + 1, 0);
        }
        self.0[thread] = self.0[thread].max(epoch);
    }

    /// Learns everything that `other` knows.
    pub fn join(&mut self, other: &VectorClock) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }
}

impl Knowledge for VectorClock {
    fn keep_common(&mut self, other: &Self) {
        // Pipes past the end of the shorter clock count as 0 there, so their minimum is 0.
        self.0.truncate(other.0.len());
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).min(*theirs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_join_knows_what_either_knew() {
        let (mut a, mut b) = (VectorClock::default(), VectorClock::default());
        a.advance(0, 3);
        b.advance(0, 1);
        b.advance(1, 2);
        a.join(&b);
        assert!(a.covers(0, 3) && a.covers(1, 2));
        assert!(!a.covers(0, 4) && !b.covers(0, 3));
        assert!(a.covers(7, 0) && !a.covers(7, 1));
        b.join(&VectorClock::default());
        assert!(b.covers(1, 2));
        a.keep_common(&b);
        assert!(a.covers(0, 1) && a.covers(1, 2) && !a.covers(0, 2));
    }
}
