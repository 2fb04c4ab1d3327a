//! The cost of each statement on its pipes.

use rustc_hash::FxHashMap;

use super::estimate::StatementCost;
use super::lane_log::{Act, Step};
use a2lint_ir::StmtId;
use a2lint_isa::Pipe;

/// Sums for one statement on one pipe of one lane.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    executions: u64,
    busy: f64,
    shared: f64,
    waiting: f64,
}

/// Adds up the steps of each lane, and keeps for each statement the lane on which it costs most.
#[derive(Debug, Default)]
pub(super) struct Spending {
    lane: FxHashMap<(StmtId, Pipe), Sum>,
    most: FxHashMap<(StmtId, Pipe), Sum>,
}

impl Spending {
    /// Adds a step that occupied its pipe for `taken` cycles, after `waited` cycles of waiting.
    pub fn add(&mut self, step: &Step, taken: f64, waited: f64) {
        let own = match step.act {
            Act::Work(work) => work.occupancy,
            Act::Wait(_) | Act::Barrier => 0.0,
            Act::Set(_) => return,
        };
        let sum = self.lane.entry((step.stmt, step.pipe)).or_default();
        sum.executions += 1;
        sum.busy += taken;
        sum.shared += (taken - own).max(0.0);
        sum.waiting += waited;
    }

    /// Ends the steps of a lane.
    pub fn end_lane(&mut self) {
        for (key, sum) in self.lane.drain() {
            let most = self.most.entry(key).or_default();
            // The first lane counts even if the statement cost nothing there.
            if most.executions == 0 || sum.busy + sum.waiting > most.busy + most.waiting {
                *most = sum;
            }
        }
    }

    /// Returns the statements in program order.
    pub fn finish(self) -> Vec<StatementCost> {
        let whole = |cycles: f64| cycles.round() as i64;
        let costs = self
            .most
            .into_iter()
            .map(|((stmt, pipe), sum)| StatementCost {
                stmt,
                pipe,
                executions: sum.executions,
                busy: whole(sum.busy),
                shared: whole(sum.shared),
                waiting: whole(sum.waiting),
            });
        let mut costs: Vec<StatementCost> = costs.collect();
        costs.sort_by_key(|cost| (cost.stmt.index(), cost.pipe as usize));
        costs
    }
}
