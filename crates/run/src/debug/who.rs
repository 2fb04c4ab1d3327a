//! Who wrote bytes last, and who reads them next.

use std::ops::Range;
use std::sync::atomic::AtomicBool;

use super::Instant;
use super::past::LastWrite;
use super::session::{Ended, Session};
use super::stops::{Awaited, Place, Shown, Touching, Watcher};
use a2lint_ir::StmtId;
use a2lint_machine::{Blind, LaneId};

/// An access to bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Touch {
    /// The instant before the step that makes it.
    pub at: Instant,
    /// The statement. Work that was put aside is done in a later step than the one it was issued in.
    pub stmt: StmtId,
    /// The lane.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, outermost first.
    pub iterations: Vec<i64>,
}

/// Why it is not known who accesses bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unknown {
    /// Somebody asked to stop.
    Interrupted,
    /// The search has taken as much as is allowed.
    Budget,
}

impl<'p> Session<'p> {
    /// Who has written one of these bytes last; `None` where nobody has since the run began, or since the
    /// cores of the lane did.
    ///
    /// # Errors
    /// The search has ended before.
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

    /// Who reads one of these bytes next, as the run goes on by itself; `None` where nobody does before it
    /// ends.
    ///
    /// # Errors
    /// The search has ended before.
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
        self.watch(&Blind);
        self.go_to(now);
        found
    }
}

/// Waits for accesses to bytes.
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

/// The last access of a step.
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
