//! Trackers for all readings of `auto_sync`, side by side.

use super::{Hazard, HazardKind, Tracker};
use crate::{Access, Observer, Site, SyncOp};
use a2lint_ir::Program;
use a2lint_ir::sync::Reading;

/// Tracks the order of a run under each reading of the toolchain that may make a difference for the kernel.
#[derive(Debug)]
pub struct Readings<'p> {
    first: Tracker<'p>,
    others: Vec<Tracker<'p>>,
}

impl<'p> Readings<'p> {
    /// Creates trackers for a run of `program` on `cores` cores.
    pub fn new(program: &'p Program, cores: u32) -> Self {
        let others = Reading::others(program).into_iter();
        Readings {
            first: Tracker::new(program, cores),
            others: others
                .map(|reading| Tracker::under(reading, program, cores))
                .collect(),
        }
    }

    /// Returns what was dropped for lack of room, as a clause, or `None` if nothing was.
    pub fn forgotten(&mut self) -> Option<String> {
        let mut others = self.others.iter_mut();
        let first = self.first.forgotten();
        first.or_else(|| others.find_map(Tracker::forgotten))
    }

    /// Returns the hazards of the run: those of the first reading, then those of another reading alone. Of
    /// the latter, only hazards within one lane count, since `auto_sync` orders nothing else.
    pub fn finish(self) -> Vec<Hazard> {
        let mut hazards = self.first.finish();
        for other in self.others {
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

    fn each(&mut self) -> impl Iterator<Item = &mut Tracker<'p>> {
        std::iter::once(&mut self.first).chain(&mut self.others)
    }
}

impl Observer for Readings<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn begin(&mut self, site: &Site) {
        self.each().for_each(|tracker| tracker.begin(site));
    }

    fn access(&mut self, site: &Site, access: &Access) {
        self.each().for_each(|tracker| tracker.access(site, access));
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.each()
            .for_each(|tracker| tracker.synchronise(site, operation));
    }
}
