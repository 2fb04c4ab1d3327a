//! What is taken down of a run for the sake of its costs.

use rustc_hash::FxHashMap;

use crate::hazards::Tracker;
use crate::ir::{GlobalId, Program, StmtId};
use crate::machine::cost::Expense;
use crate::machine::{Access, Clock, Observer, Site, SyncOp};

/// Watches a run.
pub struct Watch<'p> {
    /// When everything happens.
    pub clock: Clock<'p>,
    /// What nothing orders.
    pub tracker: Tracker<'p>,
    /// Cycles that vector instructions lose where operands meet in UB.
    pub conflicts: FxHashMap<StmtId, f64>,
    /// Tensors with rows that cost more for where they begin, in the order in which they were met.
    pub misaligned: Vec<GlobalId>,
}

impl<'p> Watch<'p> {
    /// Of a run on so many cores.
    pub fn new(program: &'p Program, cores: u32) -> Watch<'p> {
        Watch {
            clock: Clock::new(program, cores, false),
            tracker: Tracker::new(program, cores),
            conflicts: FxHashMap::default(),
            misaligned: Vec::new(),
        }
    }
}

impl Observer for Watch<'_> {
    fn wants_accesses(&self) -> bool {
        self.tracker.wants_accesses()
    }

    fn wants_costs(&self) -> bool {
        true
    }

    fn begin(&mut self, site: &Site) {
        self.tracker.begin(site);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        self.tracker.access(site, access);
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        for cost in &expense.costs {
            if cost.conflicts > 0.0 {
                *self.conflicts.entry(site.stmt).or_default() += cost.conflicts;
            }
            let penalised = cost.traffic.filter(|traffic| traffic.penalty > 1.0);
            let global = penalised.map(|traffic| traffic.global);
            let global = global.filter(|global| !self.misaligned.contains(global));
            self.misaligned.extend(global);
        }
        self.clock.spend(site, expense);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.clock.synchronise(site, operation);
        self.tracker.synchronise(site, operation);
    }
}
