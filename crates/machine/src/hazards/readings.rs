//! Trackers for all readings of `auto_sync`, side by side.

use super::{Hazard, HazardKind, Tracker};
use crate::{Access, Observer, Site, SyncOp};
use a2lint_ir::Program;
use a2lint_ir::sync::Reading;

/// Tracks the order of a run under each reading of the toolchain that may make a difference for the kernel.
#[derive(Debug, Default)]
pub struct Readings<'p> {
    /// That of the first reading comes first.
    trackers: Vec<Tracker<'p>>,
}

impl<'p> Readings<'p> {
    /// Creates trackers for a run of `program` on `cores` cores.
    pub fn new(program: &'p Program, cores: u32) -> Self {
        let others = Reading::others(program).into_iter();
        let others = others.map(|reading| Tracker::under(reading, program, cores));
        Readings {
            trackers: std::iter::once(Tracker::new(program, cores))
                .chain(others)
                .collect(),
        }
    }

    /// Creates trackers that follow nothing, for a run whose order is known to be right.
    pub fn of_nothing() -> Self {
        Readings::default()
    }

    /// Returns what was dropped for lack of room, as a clause, or `None` if nothing was.
    pub fn forgotten(&mut self) -> Option<String> {
        self.trackers.iter_mut().find_map(Tracker::forgotten)
    }

    /// Returns the hazards of the run: those of the first reading, then those of another reading alone. Of
    /// the latter, only hazards within one lane count, since `auto_sync` orders nothing else.
    pub fn finish(self) -> Vec<Hazard> {
        let mut trackers = self.trackers.into_iter();
        let mut hazards = trackers.next().map_or_else(Vec::new, Tracker::finish);
        for other in trackers {
            let mut more = other.finish();
            more.retain(|hazard| {
                hazard.is_within_lane()
                    // Rings do not depend on the reading, so the first tracker has reported their hazards.
                    && hazard.kind != HazardKind::RingOverrun
                    && !hazards.iter().any(|known| known.is_like(hazard))
            });
            hazards.append(&mut more);
        }
        hazards
    }
}

impl Observer for Readings<'_> {
    fn wants_accesses(&self) -> bool {
        !self.trackers.is_empty()
    }

    fn begin(&mut self, site: &Site) {
        for tracker in &mut self.trackers {
            tracker.begin(site);
        }
    }

    fn access(&mut self, site: &Site, access: &Access) {
        for tracker in &mut self.trackers {
            tracker.access(site, access);
        }
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        for tracker in &mut self.trackers {
            tracker.synchronise(site, operation);
        }
    }
}
