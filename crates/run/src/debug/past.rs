//! Searches the past: parts of a run are executed again, the latest part first.

use super::session::{Session, Spot, Stride, has_arrived};
use super::stops::{Place, Watcher};
use super::who::{Touch, touch, touched, waiting};
use super::{Instant, session::Stopped};
use a2lint_ir::{Stmt, StmtId};
use a2lint_machine::LaneId;

/// A step that was executed again.
pub(super) struct Made<'p> {
    /// The instant before it.
    pub at: Instant,
    /// The cube or vec core that made the step.
    pub lane: LaneId,
    /// The statement that the lane was at.
    pub stmt: Option<&'p Stmt>,
    /// The place of the lane in the source.
    pub spot: Option<Spot>,
    /// Whether it had to wait.
    pub waits: bool,
}

/// A search in the past. In each part, the last match counts.
pub(super) trait Past<'p> {
    /// Returns the observer of the steps.
    fn watcher(&mut self) -> Option<&mut Watcher<'p>> {
        None
    }

    /// Returns whether the search needs all of the past as one part.
    fn counts_from_start(&self) -> bool {
        false
    }

    /// Called at the start of a part.
    fn begins(&mut self, _session: &mut Session<'p>) {}

    /// Called after each step.
    fn made(&mut self, session: &mut Session<'p>, made: &Made<'p>);

    /// Called at the end of a part. Returns whether the search has succeeded.
    fn is_found(&mut self) -> bool;
}

/// Searches for the start of the last step of a lane that ended at a place, where a step is one stride.
pub(super) struct LastStep {
    lane: LaneId,
    stride: Stride,
    /// The place where the step ended.
    from: Option<Spot>,
    /// Steps of the lane in the current part.
    steps: Vec<(Instant, Option<Spot>)>,
    found: Option<(Instant, Option<Spot>)>,
}

impl LastStep {
    pub fn new(lane: LaneId, stride: Stride, from: Option<Spot>) -> LastStep {
        LastStep {
            lane,
            stride,
            from,
            steps: Vec::new(),
            found: None,
        }
    }

    pub fn found(&self) -> Option<Instant> {
        self.found.map(|found| found.0)
    }
}

impl<'p> Past<'p> for LastStep {
    fn made(&mut self, _: &mut Session<'p>, made: &Made<'p>) {
        if made.lane == self.lane && !made.waits {
            self.steps.push((made.at, made.spot));
        }
    }

    fn is_found(&mut self) -> bool {
        for (at, spot) in std::mem::take(&mut self.steps).into_iter().rev() {
            match self.found {
                // Earlier statements of the same place belong to the same step.
                Some((_, there)) if self.stride == Stride::Source && spot == there => {}
                Some(_) => return true,
                None if !has_arrived(self.stride, self.from, spot) => continue,
                None => {}
            }
            self.found = Some((at, spot));
            if self.stride != Stride::Source {
                return true;
            }
        }
        false
    }
}

/// Searches the last execution of one of these statements by a lane; the result is the instant after it.
pub(super) struct LastExecution<'s> {
    pub lane: LaneId,
    pub stmts: &'s [StmtId],
    pub found: Option<Instant>,
}

impl<'p> Past<'p> for LastExecution<'_> {
    fn made(&mut self, session: &mut Session<'p>, made: &Made<'p>) {
        let is_meant = made.stmt.is_some_and(|stmt| self.stmts.contains(&stmt.id));
        if made.lane == self.lane && !made.waits && is_meant {
            self.found = Some(session.now());
        }
    }

    fn is_found(&mut self) -> bool {
        self.found.is_some()
    }
}

/// Searches the last write to some bytes.
pub(super) struct LastWrite<'p> {
    watcher: Watcher<'p>,
    pub found: Option<Touch>,
}

impl LastWrite<'_> {
    pub fn new(place: Place, bytes: std::ops::Range<usize>) -> Self {
        LastWrite {
            watcher: waiting(place, bytes, true),
            found: None,
        }
    }
}

impl<'p> Past<'p> for LastWrite<'p> {
    fn watcher(&mut self) -> Option<&mut Watcher<'p>> {
        Some(&mut self.watcher)
    }

    fn made(&mut self, _: &mut Session<'p>, made: &Made<'p>) {
        if let Some(site) = touched(&mut self.watcher) {
            self.found = Some(touch(made.at, site));
        }
    }

    fn is_found(&mut self) -> bool {
        self.found.is_some()
    }
}

/// Searches the last stop before an instant.
pub(super) struct LastStop<'s, 'b, 'p> {
    pub search: &'b mut super::session::Search<'s, 'p>,
    /// The instant.
    pub here: Instant,
    pub found: Option<Stopped>,
}

impl<'p> Past<'p> for LastStop<'_, '_, 'p> {
    fn watcher(&mut self) -> Option<&mut Watcher<'p>> {
        Some(&mut self.search.watcher)
    }

    /// Hits are counted from the start of the run.
    fn counts_from_start(&self) -> bool {
        self.search.counts_hits()
    }

    fn begins(&mut self, session: &mut Session<'p>) {
        if session.now() == Instant(0) {
            self.found = self.search.stop(session);
        }
    }

    fn made(&mut self, session: &mut Session<'p>, _: &Made<'p>) {
        let stopped = self.search.stop(session);
        if let Some(stopped) = stopped.filter(|_| session.now() < self.here) {
            self.found = Some(stopped);
        }
    }

    fn is_found(&mut self) -> bool {
        self.found.is_some()
    }
}
