//! The log of stepped lanes, and images of the machine at some instants.

use rustc_hash::FxHashMap;

use super::Instant;
use a2lint_machine::Image;

/// The lanes that were stepped, in order. A lane is given by its index among the lanes of the cores that run at
/// that time.
#[derive(Clone, Debug, Default)]
pub struct Log {
    /// Consecutive steps of one lane: the lane, and the instant after the last of them.
    turns: Vec<(usize, u64)>,
}

impl Log {
    /// Returns the instant after the last step.
    pub fn end(&self) -> Instant {
        Instant(self.turns.last().map_or(0, |turn| turn.1))
    }

    /// Returns the lane that is stepped at an instant.
    pub fn lane(&self, at: Instant) -> Option<usize> {
        let turn = self.turns.partition_point(|turn| turn.1 <= at.0);
        Some(self.turns.get(turn)?.0)
    }

    /// Appends a step of a lane.
    pub fn push(&mut self, lane: usize) {
        let end = self.end().0 + 1;
        match self.turns.last_mut() {
            Some(turn) if turn.0 == lane => turn.1 = end,
            _ => self.turns.push((lane, end)),
        }
    }

    /// Removes all steps from an instant on.
    pub fn truncate(&mut self, at: Instant) {
        let kept = self.turns.partition_point(|turn| turn.1 < at.0);
        // The turn that contains the instant is kept and shortened.
        self.turns.truncate(kept + 1);
        if let Some(turn) = self.turns.last_mut() {
            turn.1 = turn.1.min(at.0);
        }
        if at.0 == 0 {
            self.turns.clear();
        }
    }
}

/// The machine at an instant.
pub struct Known<'p> {
    /// The instant.
    pub at: Instant,
    /// The machine.
    pub image: Image<'p>,
    /// The lane whose turn it is if the log ends here.
    pub turn: usize,
    /// Work done until then (`Session::spent`).
    pub spent: u64,
}

/// Images of one run. The first one is at its start.
pub struct Images<'p> {
    list: Vec<Known<'p>>,
    /// Work between two images.
    interval: u64,
    /// Upper bound on the bytes of their pages together.
    most: usize,
    bytes: usize,
}

/// Number of images between two measurements of their size.
const COUNTED: usize = 8;

impl<'p> Images<'p> {
    /// Creates a list with the image at the start.
    pub fn new(start: Known<'p>, interval: u64, most: usize) -> Images<'p> {
        let mut images = Images {
            list: vec![start],
            interval,
            most,
            bytes: 0,
        };
        images.count();
        images
    }

    /// Returns the last image that is not after an instant.
    pub fn before(&self, at: Instant) -> &Known<'p> {
        let after = self.list.partition_point(|known| known.at <= at);
        &self.list[after.max(1) - 1]
    }

    /// Returns whether another image is due.
    pub fn wants(&self, at: Instant, spent: u64) -> bool {
        let last = &self.list[self.list.len() - 1];
        at > last.at && spent >= last.spent.saturating_add(self.interval)
    }

    /// Returns the latest image.
    pub fn last(&self) -> &Image<'p> {
        &self.list[self.list.len() - 1].image
    }

    /// Adds an image later than all others. If all together are too large, every second one is dropped and the
    /// interval is doubled.
    pub fn push(&mut self, known: Known<'p>) {
        self.list.push(known);
        // Counting visits every page of every image, so it is done rarely.
        if !self.list.len().is_multiple_of(COUNTED) {
            return;
        }
        self.count();
        while self.bytes > self.most && self.list.len() > 2 {
            let mut number = 0;
            self.list.retain(|_| {
                number += 1;
                number % 2 == 1
            });
            self.interval = self.interval.saturating_mul(2);
            self.count();
        }
    }

    /// Removes the images after an instant.
    pub fn truncate(&mut self, at: Instant) {
        let kept = self.list.partition_point(|known| known.at <= at);
        self.list.truncate(kept.max(1));
    }

    /// Returns the bytes of all pages when they were last counted.
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    fn count(&mut self) {
        let mut pages = FxHashMap::default();
        self.list
            .iter()
            .for_each(|known| known.image.pages(&mut pages));
        self.bytes = pages.values().sum();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_knows_whose_turn_it_was() {
        let mut log = Log::default();
        for lane in [0, 0, 2, 1, 1, 1] {
            log.push(lane);
        }
        let all = |log: &Log| (0..=6).map(|at| log.lane(Instant(at))).collect::<Vec<_>>();
        let turns = [0, 0, 2, 1, 1, 1].map(Some);
        assert_eq!(all(&log)[..6], turns);
        assert_eq!(all(&log)[6], None);
        for at in (0..=6).rev() {
            log.truncate(Instant(at));
            assert_eq!(log.end(), Instant(at));
            assert_eq!(all(&log)[..at as usize], turns[..at as usize]);
            assert_eq!(log.lane(Instant(at)), None);
        }
        log.push(7);
        assert_eq!(log.lane(Instant(0)), Some(7));
    }
}
