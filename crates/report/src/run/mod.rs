//! Reports on a run of a kernel: text for people, JSON for programs.

mod comparison;
mod cost;
mod cost_table;
mod history;
mod json;
mod statistics;
mod table;
mod text;
mod timeline;
mod watched;

pub use cost::text as cost_text;
pub use cost_table::{LEGEND as COST_LEGEND, Row, render as render_cost, rows as cost_rows};
pub(super) use history::Narrator;
pub use json::{
    cost_report as cost_json, render as render_json, render_all as render_all_json,
    render_costs as render_costs_json, value as json_value,
};
pub(super) use json::{finite, history as history_json, with_files};
pub use statistics::{Statistics, element};
pub(super) use table::painted_cells;
pub use table::{Cell, Legend, MAX_ROWS, window};
pub use table::{float_text, scalar_text, value_text};
pub use text::{budget_text, render, render_end, render_failure, render_failure_first};
pub use timeline::write as write_timeline;
pub use watched::runs;

use super::{FileReport, fidelity};
use a2lint_ir::finding::Finding;
use a2lint_ir::{GlobalId, Program};
use a2lint_isa::device::Device;
use a2lint_machine::{BoundLaunch, End, Estimate, Outcome};
use a2lint_project::SourceMap;
use a2lint_replay::Step;
use a2lint_run::{Comparison, Dump, Job, Ran, Unseen};

/// A run with everything that was requested about it.
pub struct RunReport<'a> {
    /// The file.
    pub file: &'a FileReport,
    /// The files that the kernel is evaluated with.
    pub map: &'a SourceMap,
    /// The kernel.
    pub program: &'a Program,
    /// The launch.
    pub bound: &'a BoundLaunch,
    /// The origin of the launch, as a clause.
    pub origin: String,
    /// The device.
    pub device: Device,
    /// How the run ended.
    pub outcome: &'a Outcome,
    /// The findings of the run.
    pub findings: &'a [Finding],
    /// The tensors whose results are shown.
    pub outputs: Vec<GlobalId>,
    /// Comparisons with expected results.
    pub comparisons: &'a [Comparison],
    /// The watched statements, with their operands.
    pub steps: &'a [Step],
    /// The watched statements that were not executed where they were watched.
    pub unseen: &'a [Unseen],
    /// The dumped values.
    pub dumps: &'a [Dump],
    /// The estimated time on the device.
    pub estimate: &'a Estimate,
    /// Wall time in seconds.
    pub seconds: f64,
}

impl<'a> RunReport<'a> {
    /// Returns the fidelity of the run's model of the device.
    pub(crate) fn fidelity(&self) -> fidelity::Report {
        fidelity::Report::of(self.program, Some(self.outcome), self.findings)
    }

    /// Creates the report of a run.
    pub fn of(job: &'a Job, ran: &'a Ran, comparisons: &'a [Comparison]) -> RunReport<'a> {
        RunReport {
            file: job.file,
            map: job.map,
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
    /// Returns whether the run ended regularly, without findings, doubts or differences.
    pub fn is_clean(&self) -> bool {
        let ended = matches!(self.outcome.end, End::Finished | End::Stopped);
        let is_sound = self.outcome.doubt().is_none() && self.findings.is_empty();
        ended && is_sound && self.comparisons.iter().all(Comparison::agrees)
    }

    /// Returns the values of the scalar parameters, in order.
    pub fn scalars(&self) -> Vec<(String, f64)> {
        self.bound.scalars(self.program)
    }
}

/// Formats a shape: `[64, 128]`.
fn shape_text(shape: &[i64]) -> String {
    format!("{shape:?}")
}
