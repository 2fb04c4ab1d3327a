//! Text about the estimated time of a run on the device.

use super::RunReport;
use a2lint_ir::StmtId;
use a2lint_isa::{Pipe, Side};
use a2lint_machine::cost::launch_microseconds;
use a2lint_machine::{Estimate, LaneId, PathShare, Stall};

/// Number of statements of the critical path that are named.
const PATH_LINES: usize = 3;

/// Describes the time, the limiting resource, the load of pipes, the critical path and the stalls.
pub fn text(report: &RunReport) -> String {
    let estimate = &report.estimate;
    let mut lines = vec![format!(
        "on the device: {} cycles, {:.1} µs by the cost model ({:.1} µs of them for the launch){}",
        estimate.cycles,
        estimate.microseconds(),
        launch_microseconds(),
        bound(estimate)
    )];
    lines.extend(Side::ALL.iter().filter_map(|&side| lanes(estimate, side)));
    lines.extend(path(report));
    lines.extend(estimate.stalls.iter().map(|stall| waits(report, stall)));
    if estimate.missing > 0 {
        lines.push(format!(
            "  the last {} steps of the run are not in this estimate: it is a lower bound",
            estimate.missing
        ));
    }
    lines.join("\n")
}

fn bound(estimate: &Estimate) -> String {
    let bound = estimate.bound().map(|bound| bound.describe());
    bound.map_or_else(String::new, |bound| format!("; limited by {bound}"))
}

/// Describes the load of lanes: `  40 vec lanes: MTE2 60–64 %, V 30 %`.
fn lanes(estimate: &Estimate, side: Side) -> Option<String> {
    let loads = estimate.loads.iter();
    let loads: Vec<_> = loads.filter(|load| load.lane.kind.side() == side).collect();
    let mut lanes: Vec<LaneId> = loads.iter().map(|load| load.lane).collect();
    lanes.dedup();
    let percent = |cycles: i64| 100.0 * cycles as f64 / estimate.cycles.max(1) as f64;
    let shares = Pipe::ALL.iter().filter_map(|&pipe| {
        let busy = loads.iter().filter(|load| load.pipe == pipe);
        let busy: Vec<i64> = busy.map(|load| load.busy).collect();
        let (least, most) = (busy.iter().min()?, busy.iter().max()?);
        // A lane without a load for this pipe does not use it.
        let least = if busy.len() < lanes.len() { &0 } else { least };
        let (least, most) = (percent(*least).round(), percent(*most).round());
        Some(match least == most {
            true => format!("{pipe} {most} %"),
            false => format!("{pipe} {least}–{most} %"),
        })
    });
    let shares: Vec<String> = shares.collect();
    if lanes.is_empty() {
        return None;
    }
    let plural = if lanes.len() == 1 { "" } else { "s" };
    Some(format!(
        "  {} {} lane{plural}: {}",
        lanes.len(),
        side.name(),
        shares.join(", ")
    ))
}

/// Describes the statements with the largest shares of the critical path.
fn path(report: &RunReport) -> Option<String> {
    let total: i64 = report.estimate.path.iter().map(|share| share.cycles).sum();
    let named = report.estimate.path.iter().take(PATH_LINES);
    let named = named.map(|PathShare { stmt, pipe, cycles }| {
        let percent = 100.0 * *cycles as f64 / total.max(1) as f64;
        format!("{} on {pipe} {percent:.0} %", place(report, *stmt))
    });
    let named: Vec<String> = named.collect();
    (!named.is_empty()).then(|| format!("  critical path: {}", named.join(", ")))
}

fn waits(report: &RunReport, stall: &Stall) -> String {
    let share = 100.0 * stall.cycles as f64 / report.estimate.cycles.max(1) as f64;
    format!(
        "  {} waits {} cycles ({share:.0} %) at {} for {} of {}",
        stall.pipe,
        stall.cycles,
        place(report, stall.stmt),
        stall.on,
        place(report, stall.cause)
    )
}

pub(super) fn place(report: &RunReport, stmt: StmtId) -> String {
    let Some(stmt) = report.program.statement(stmt) else {
        return "an unknown line".to_owned();
    };
    report.map.line(stmt.span).words()
}
