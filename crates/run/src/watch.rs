//! The observer of a run.

use std::ops::ControlFlow;
use std::time::Instant;

use super::dump::DumpWatch;
use super::snippet::Snippet;
use a2lint_ir::StmtId;
use a2lint_machine::cost::Expense;
use a2lint_machine::hazards::Readings;
use a2lint_machine::{Access, Clock, Inspection, Observer, Progress, Site, SyncOp};

/// Receives the progress of a run, and may cancel it.
pub trait Supervisor {
    /// Returns whether the run has to end now.
    fn is_cancelled(&mut self) -> bool {
        false
    }

    /// Called before each of several runs with its description.
    fn stage(&mut self, _what: &str) {}

    /// Called with the progress of a run.
    fn progress(&mut self, _progress: &Progress) {}
}

/// Ignores progress and never cancels.
impl Supervisor for () {}

/// Checks the deadline and cancellation, reports progress, counts cycles, tracks hazards, and records what was
/// requested.
pub struct Watcher<'a> {
    /// When the run is stopped.
    pub deadline: Instant,
    /// Receives progress and may cancel.
    pub supervisor: &'a mut dyn Supervisor,
    /// The clock of the cost model.
    pub clock: Clock<'a>,
    /// Statements whose operands are recorded.
    pub snippet: Option<Snippet<'a>>,
    /// Values to record.
    pub dumps: Vec<DumpWatch<'a>>,
    /// The tracker of hazards.
    pub hazards: Readings<'a>,
}

impl Watcher<'_> {
    /// Returns whether the snippet and all values were recorded, so that the run can end.
    fn has_seen_enough(&self) -> bool {
        let snippet = self.snippet.as_ref().is_some_and(Snippet::is_complete);
        snippet && self.dumps.iter().all(DumpWatch::is_complete)
    }
}

impl Observer for Watcher<'_> {
    fn watches(&self, stmt: StmtId) -> bool {
        let in_snippet = self
            .snippet
            .as_ref()
            .is_some_and(|snippet| snippet.watches(stmt));
        in_snippet || self.dumps.iter().any(|dump| dump.watches(stmt))
    }

    fn wants_accesses(&self) -> bool {
        self.hazards.wants_accesses()
    }

    fn wants_costs(&self) -> bool {
        true
    }

    fn begin(&mut self, site: &Site) {
        self.hazards.begin(site);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        self.hazards.access(site, access);
    }

    fn is_expired(&mut self) -> bool {
        Instant::now() >= self.deadline
    }

    fn is_cancelled(&mut self) -> bool {
        self.supervisor.is_cancelled()
    }

    fn progress(&mut self, progress: &Progress) {
        self.supervisor.progress(progress);
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        self.clock.spend(site, expense);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.clock.synchronise(site, operation);
        self.hazards.synchronise(site, operation);
    }

    fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        if let Some(snippet) = &mut self.snippet {
            snippet.before(site, execution, inspection);
        }
    }

    fn after(
        &mut self,
        site: &Site,
        execution: u64,
        inspection: &mut Inspection,
    ) -> ControlFlow<()> {
        for dump in &mut self.dumps {
            dump.after(site, execution, inspection);
        }
        if let Some(snippet) = &mut self.snippet {
            snippet.after(site, inspection);
        }
        match self.has_seen_enough() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
