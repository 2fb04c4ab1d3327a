//! Executions that were requested but did not occur.

use std::collections::BTreeSet;

use a2lint_ir::StmtId;
use a2lint_machine::LaneId;
use a2lint_source::spelling::count;

/// A watched statement without a watched execution.
#[derive(Clone, Debug, PartialEq)]
pub struct Unseen {
    /// The statement.
    pub stmt: StmtId,
    /// The executions of the statement that were not watched.
    pub missed: Missed,
}

/// Executions of a statement that were not watched.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Missed {
    executions: u64,
    lanes: BTreeSet<&'static str>,
    cores: BTreeSet<u32>,
}

impl Missed {
    /// Counts an execution.
    pub fn note(&mut self, lane: LaneId) {
        self.executions += 1;
        self.lanes.insert(lane.kind.name());
        self.cores.insert(lane.core);
    }

    /// Formats the executions: `it runs 480 times, on vec0 and vec1 of cores 0 to 19`.
    pub fn text(&self) -> String {
        let lanes: Vec<&str> = self.lanes.iter().copied().collect();
        let (Some(first), Some(last)) = (self.cores.first(), self.cores.last()) else {
            return "this launch never executes it".to_owned();
        };
        let cores = match (
            first == last,
            (last - first) as usize + 1 == self.cores.len(),
        ) {
            (true, _) => format!("core {first}"),
            (_, true) => format!("cores {first} to {last}"),
            _ => format!("{} cores from {first} to {last}", self.cores.len()),
        };
        format!(
            "it runs {}, on {} of {cores}",
            count(self.executions as usize, "time"),
            lanes.join(" and ")
        )
    }
}
