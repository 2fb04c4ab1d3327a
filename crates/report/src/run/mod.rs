//! What a run of the machine showed: text for people, JSON for programs.

mod comparison;
mod cost;
mod cost_table;
mod json;
mod statistics;
mod table;
mod text;
mod timeline;
mod watched;

pub use cost::text as cost_text;
pub use cost_table::{Row, render as render_cost, rows as cost_rows};
pub(super) use json::finite;
pub use json::{
    cost_report as cost_json, render as render_json, render_all as render_all_json,
    render_costs as render_costs_json, value as json_value,
};
pub use statistics::{Statistics, element};
pub(super) use table::painted_cells;
pub use table::{Cell, Legend, MAX_ROWS, window};
pub use table::{float_text, value_text};
pub use text::{budget_text, render, render_end, render_failure};
pub use timeline::write as write_timeline;
pub use watched::runs;

use super::FileReport;
use a2lint_ir::finding::Finding;
use a2lint_ir::{GlobalId, Program};
use a2lint_isa::device::Device;
use a2lint_machine::{BoundLaunch, End, Estimate, Outcome};
use a2lint_replay::Step;
use a2lint_run::{Comparison, Dump, Job, Ran, Unseen};

/// A run and everything that was asked about it.
pub struct RunReport<'a> {
    /// The file.
    pub file: &'a FileReport,
    /// The kernel.
    pub program: &'a Program,
    /// Its arguments.
    pub bound: &'a BoundLaunch,
    /// Where the arguments come from, as a clause.
    pub origin: String,
    /// The device.
    pub device: Device,
    /// How the run ended.
    pub outcome: &'a Outcome,
    /// What was found.
    pub findings: &'a [Finding],
    /// Tensors whose results are shown.
    pub outputs: Vec<GlobalId>,
    /// Comparisons with expected results.
    pub comparisons: &'a [Comparison],
    /// Watched statements.
    pub steps: &'a [Step],
    /// Watched statements that never executed where they were watched.
    pub unseen: &'a [Unseen],
    /// Values that were asked for.
    pub dumps: &'a [Dump],
    /// What the kernel takes on the device, by the cost model.
    pub estimate: &'a Estimate,
    /// Wall time.
    pub seconds: f64,
}

impl<'a> RunReport<'a> {
    /// Everything about a run.
    pub fn of(job: &'a Job, ran: &'a Ran, comparisons: &'a [Comparison]) -> RunReport<'a> {
        RunReport {
            file: job.file,
            program: job.program,
            bound: &job.bound.launch,
            origin: job.bound.origin.clone(),
            device: job.bound.device,
            outcome: &ran.outcome,
            findings: &ran.findings,
            outputs: job.program.results(),
            comparisons,
            steps: &ran.steps,
            unseen: &ran.unseen,
            dumps: &ran.dumps,
            estimate: &ran.estimate,
            seconds: ran.seconds,
        }
    }
}

impl RunReport<'_> {
    /// Whether the kernel went through without any complaint.
    pub fn is_clean(&self) -> bool {
        let ended = matches!(self.outcome.end, End::Finished | End::Stopped);
        let is_sound = self.outcome.doubt().is_none() && self.findings.is_empty();
        ended && is_sound && self.comparisons.iter().all(Comparison::agrees)
    }

    /// Values of the scalar parameters, in order.
    pub fn scalars(&self) -> Vec<(String, f64)> {
        self.bound.scalars(self.program)
    }
}

/// `[64, 128]`.
fn shape_text(shape: &[i64]) -> String {
    format!("{shape:?}")
}
