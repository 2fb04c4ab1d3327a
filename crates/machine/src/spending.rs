//! What each statement takes of its pipes.

use rustc_hash::FxHashMap;

use super::estimate::StatementCost;
use super::lane_log::{Act, Step};
use a2lint_ir::StmtId;
use a2lint_isa::Pipe;

/// Sums of one statement on one pipe of one lane.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    executions: u64,
    busy: f64,
    shared: f64,
    waiting: f64,
}

/// Adds up the steps of lanes, and keeps of each statement the lane that it takes most of.
#[derive(Debug, Default)]
pub(super) struct Spending {
    lane: FxHashMap<(StmtId, Pipe), Sum>,
    most: FxHashMap<(StmtId, Pipe), Sum>,
}

impl Spending {
    /// A step that took its pipe for so long, after waiting for others.
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

    /// The steps of a lane are all there.
    pub fn end_lane(&mut self) {
        for (key, sum) in self.lane.drain() {
            let most = self.most.entry(key).or_default();
            if most.executions == 0 || sum.busy + sum.waiting > most.busy + most.waiting {
                *most = sum;
            }
        }
    }

    /// The statements, in the order of the program.
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
