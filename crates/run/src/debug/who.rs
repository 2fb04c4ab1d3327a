//! Finds the last write to bytes, and the next read of them.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::Instant;
use super::past::LastWrite;
use super::session::{Ended, Session};
use super::stops::{Awaited, Place, Shown, Touching, Watcher};
use a2lint_ir::StmtId;
use a2lint_machine::{LaneId, NullObserver};

/// An access to bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The instant before the step that makes the access.
    pub at: Instant,
    /// The statement. Pending work of a pipe is done in a later step than the one that issued it.
    pub stmt: StmtId,
    /// The cube or vec core that executed the statement.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, outermost first.
    pub iterations: Vec<i64>,
}

/// The reason why a search for accesses has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// The search was interrupted.
    Interrupted,
    /// The limit on steps was reached.
    Budget,
}

impl<'p> Session<'p> {
    /// Returns the last write to one of these bytes; `None` if there was none since the run started, or since the
    /// cores of the lane did.
    ///
    /// # Errors
    /// The search ended early.
    pub fn who_wrote(
        &mut self,
        place: Place,
        bytes: Range<usize>,
        interrupt: &AtomicBool,
    ) -> Result<Option<Touch>, Unknown> {
        let now = self.now();
        let mut last = LastWrite::new(place, bytes);
        self.search_back(&mut last, interrupt)?;
        self.go_to(now);
        Ok(last.found)
    }

    /// Returns the next read of one of these bytes if the run continues on its own; `None` if there is none
    /// before it ends.
    ///
    /// # Errors
    /// The search ended early.
    pub fn next_read(
        &mut self,
        place: Place,
        bytes: Range<usize>,
        interrupt: &AtomicBool,
    ) -> Result<Option<Touch>, Unknown> {
        let now = self.now();
        let mut watcher = waiting(place, bytes, false);
        self.watch(&watcher);
        let found = loop {
            if self.is_interrupted(interrupt) {
                break Err(Unknown::Interrupted);
            }
            let at = self.now();
            match self.tick(&mut watcher) {
                Ok(()) => {}
                Err(Ended::Budget) => break Err(Unknown::Budget),
                Err(Ended::Run(_)) => break Ok(None),
            }
            if let Some(site) = touched(&mut watcher) {
                break Ok(Some(touch(at, site)));
            }
        };
        self.watch(&NullObserver);
        self.go_to(now);
        found
    }
}

/// Creates an observer of accesses to bytes.
pub(super) fn waiting<'p>(place: Place, bytes: Range<usize>, write: bool) -> Watcher<'p> {
    Watcher {
        awaited: vec![Awaited {
            place,
            bytes,
            write,
        }],
        ..Watcher::default()
    }
}

/// Returns the last access of a step.
pub(super) fn touched(watcher: &mut Watcher) -> Option<Touching> {
    let shown = watcher.shown.drain(..).rev();
    let mut sites = shown.filter_map(|shown| match shown {
        Shown::Touched { site, .. } => Some(site),
        Shown::Observed { .. } | Shown::NonFinite { .. } => None,
    });
    sites.next()
}

pub(super) fn touch(at: Instant, site: Touching) -> Touch {
    Touch {
        at,
        stmt: site.stmt,
        lane: site.lane,
        iterations: site.iterations,
    }
}
