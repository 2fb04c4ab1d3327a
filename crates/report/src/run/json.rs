//! The JSON of a run: one object, with the same version as that of `check`.

use serde::Serialize;
use serde_json::{Map, Value, json};

use super::RunReport;
use super::history::Narrator;
use super::statistics::{Statistics, element, element_count};
use super::text::budget_text;
use crate::Page;
use crate::json::{self, VERSION, json_text};
use a2lint_ir::finding::Finding;
use a2lint_ir::{GlobalId, StmtId};
use a2lint_lint::check::Advice;
use a2lint_machine::cost::{clock_mhz, launch_microseconds, start_cycles};
use a2lint_machine::{
    BlockedLane, Bound, BoundGlobal, End, PathShare, PipeLoad, Snapshot, Stall, StatementCost,
};
use a2lint_project::SourceMap;
use a2lint_replay::{OperandValues, ScalarValue, Step};
use a2lint_run::{Comparison, Differences, Dump, History, Verdict};

/// Number of elements of a tensor that are listed.
const FIRST_ELEMENTS: usize = 16;
/// Maximum number of elements of a dumped value, row by row.
const MAX_DUMPED: usize = 1 << 16;

/// Renders the report as JSON.
pub fn render(report: &RunReport) -> String {
    json_text(&value(report))
}

/// Renders several runs as one JSON object.
pub fn render_all(runs: Vec<Value>) -> String {
    json_text(&json!({ "version": VERSION, "runs": runs }))
}

/// Renders the costs of several runs as one JSON object.
pub fn render_costs(costs: Vec<Value>) -> String {
    json_text(&json!({ "version": VERSION, "costs": costs }))
}

/// Builds the object of a run.
pub fn value(report: &RunReport) -> Value {
    let object = json!({
        "version": VERSION,
        "path": report.file.path,
        "kernel": report.program.name,
        "launch": launch(report),
        "device": report.device.name,
        "cores": report.bound.cores,
        "end": end(report),
        "outputs": report.outputs.iter().filter_map(|&id| output(report, id)).collect::<Vec<_>>(),
        "comparisons": report.comparisons.iter().map(|it| comparison(report, it)).collect::<Vec<_>>(),
        "steps": report.steps.iter().map(|taken| step(&narrator(report), taken)).collect::<Vec<_>>(),
        "unseen": report.unseen.iter().map(|unseen| line(report, unseen.stmt)).collect::<Vec<_>>(),
        "dumps": report.dumps.iter().map(|asked| dump(report, asked)).collect::<Vec<_>>(),
        "cost": cost(report),
        "findings": findings(report, report.findings),
        "fidelity": report.fidelity().json(),
        "faithful": report.outcome.doubt().is_none(),
        "instructions": report.outcome.instructions,
        "seconds": report.seconds,
    });
    with_files(report.map, object)
}

/// Names the file of each line that is in another file than the kernel's entry, such as a header.
pub fn with_files(map: &SourceMap, mut value: Value) -> Value {
    match &mut value {
        Value::Array(all) => {
            for item in all {
                *item = with_files(map, item.take());
            }
        }
        Value::Object(object) => {
            for item in object.values_mut() {
                *item = with_files(map, item.take());
            }
            for (line, file) in [("line", "file"), ("waits_for_line", "waits_for_file")] {
                let number = object.get(line).and_then(Value::as_u64);
                let place = number.and_then(|number| map.place_of_line(number as usize));
                if let Some((path, number)) = place {
                    object.insert(line.to_owned(), json!(number));
                    object.insert(file.to_owned(), json!(path));
                }
            }
        }
        _ => {}
    }
    value
}

/// Builds the object of the costs of a run.
pub fn cost_report(report: &RunReport, advice: &Advice) -> Value {
    let object = json!({
        "path": report.file.path,
        "kernel": report.program.name,
        "launch": launch(report),
        "device": report.device.name,
        "cores": report.bound.cores,
        "end": end(report),
        "findings": findings(report, report.findings),
        "cost": cost(report),
        "advice": findings(report, &advice.findings),
        "changes_not_tried": advice.untried,
    });
    with_files(report.map, object)
}

fn findings(report: &RunReport, findings: &[Finding]) -> Vec<Value> {
    let findings = findings.iter();
    let placed = findings.map(|finding| report.file.place(finding));
    placed
        .map(|placed| written(json::Finding::new(&placed)))
        .collect()
}

fn written(object: impl Serialize) -> Value {
    serde_json::to_value(object).expect("every key is a string")
}

fn launch(report: &RunReport) -> Value {
    let scalars = report.scalars();
    let scalars: Map<String, Value> = scalars
        .into_iter()
        .map(|(name, value)| (name, finite(value)))
        .collect();
    let tensors: Vec<Value> = report.bound.globals.iter().map(tensor).collect();
    json!({ "origin": report.origin, "scalars": scalars, "tensors": tensors })
}

fn tensor(global: &BoundGlobal) -> Value {
    json!({ "name": global.name, "dtype": global.dtype.name(), "shape": global.shape })
}

fn end(report: &RunReport) -> Value {
    match &report.outcome.end {
        End::Finished => json!({ "kind": "finished" }),
        End::Stopped => json!({ "kind": "stopped" }),
        End::Cancelled => json!({ "kind": "cancelled" }),
        End::BudgetExhausted(budget) => {
            json!({ "kind": "budget-exhausted", "detail": budget_text(*budget) })
        }
        End::Deadlock(deadlock) => {
            let lanes: Vec<Value> = deadlock
                .lanes
                .iter()
                .map(|lane| blocked(report, lane))
                .collect();
            json!({ "kind": "deadlock", "lanes": lanes })
        }
        End::Refused(refusal) => json!({
            "kind": "refused",
            "detail": refusal.reason,
            "line": refusal.stmt.and_then(|id| line(report, id)),
        }),
    }
}

fn blocked(report: &RunReport, blocked: &BlockedLane) -> Value {
    json!({
        "core": blocked.lane.core,
        "lane": blocked.lane.kind.name(),
        "line": blocked.waits_at().and_then(|id| line(report, id)),
        "waits": blocked.waiting.describe(report.program),
    })
}

fn line(report: &RunReport, id: StmtId) -> Option<usize> {
    narrator(report).line(id)
}

fn narrator<'a>(report: &'a RunReport) -> Narrator<'a> {
    Narrator {
        program: report.program,
        map: report.map,
        page: Page::PLAIN,
    }
}

fn output(report: &RunReport, id: GlobalId) -> Option<Value> {
    let global = &report.bound.globals[id.index()];
    let memory = report.outcome.globals.get(id.index())?;
    let statistics = Statistics::of(global, memory);
    let shown = element_count(global).min(FIRST_ELEMENTS);
    let first: Vec<Value> = (0..shown)
        .map(|index| element(memory, global.dtype, index).map_or(Value::Null, finite))
        .collect();
    Some(json!({
        "name": global.name,
        "dtype": global.dtype.name(),
        "shape": global.shape,
        "min": statistics.min.map(finite),
        "max": statistics.max.map(finite),
        "mean": statistics.mean.map(finite),
        "nan": statistics.nan,
        "undefined": statistics.undefined,
        "first": first,
    }))
}

/// Writes a number, or a string for one that JSON does not have.
pub fn finite(value: f64) -> Value {
    match value.is_finite() {
        true if value.fract() == 0.0 && value.abs() < 9e15 => json!(value as i64),
        true => json!(value),
        false => json!(value.to_string().to_lowercase()),
    }
}

fn comparison(report: &RunReport, comparison: &Comparison) -> Value {
    let mut object = json!({
        "name": comparison.name,
        "path": comparison.path,
        "agrees": comparison.agrees(),
        "exact": comparison.is_exact,
    });
    match &comparison.verdict {
        Verdict::Shape { actual, expected } => {
            object["shape"] = json!(actual);
            object["expected_shape"] = json!(expected);
        }
        Verdict::Missing => object["missing"] = json!(true),
        Verdict::Values(values) => differences(values, &mut object),
    }
    if let Some(found) = &comparison.history {
        object["history"] = history(&narrator(report), found);
    }
    object
}

fn differences(values: &Differences, object: &mut Value) {
    object["elements"] = json!(values.elements);
    object["differing"] = json!(values.differing);
    object["undefined"] = json!(values.undefined);
    object["largest"] = finite(values.largest);
    object["largest_relative"] = finite(values.largest_relative);
    object["largest_ulp"] = json!(values.largest_ulp.map(finite));
    object["rtol"] = finite(values.tolerance[0]);
    object["atol"] = finite(values.tolerance[1]);
    object["sufficient_atol"] = json!(values.sufficient.map(finite));
    let first = values.first.iter().map(|difference| {
        json!({
            "index": difference.index,
            "actual": difference.actual.map(finite),
            "expected": finite(difference.expected),
        })
    });
    object["first"] = first.collect();
}

/// Builds the history of the first wrong element.
pub fn history(told: &Narrator, history: &History) -> Value {
    let writer = history.writer.as_ref().map(|writer| {
        json!({
            "line": told.line(writer.stmt),
            "core": writer.lane.core,
            "lane": writer.lane.kind.name(),
            "iteration": writer.iterations,
            "tile": { "first": writer.first, "last": writer.last },
        })
    });
    let object = json!({
        "writer": writer,
        "complete": !history.is_cut,
        "steps": history.steps.iter().map(|taken| step(told, taken)).collect::<Vec<_>>(),
    });
    with_files(told.map, object)
}

fn step(told: &Narrator, step: &Step) -> Value {
    json!({
        "line": told.line(step.stmt),
        "core": step.lane.core,
        "lane": step.lane.kind.name(),
        "iteration": step.iterations,
        "execution": step.execution,
        "masked": step.masked,
        "operands": step.operands.iter().map(operand).collect::<Vec<_>>(),
        "scalars": step.scalars.iter().map(scalar).collect::<Vec<_>>(),
    })
}

fn scalar(scalar: &ScalarValue) -> Value {
    json!({
        "text": scalar.text,
        "value": finite(scalar.value),
        "result": scalar.is_result,
    })
}

fn operand(operand: &OperandValues) -> Value {
    json!({
        "parameter": operand.parameter,
        "text": operand.text,
        "reads": operand.access.reads(),
        "writes": operand.access.writes(),
        "changed": operand.changed(),
        "undefined": operand.undefined().0,
        "masked_off": operand.masked_off().0,
        "before": operand.before.as_ref().map(snapshot),
        "after": operand.after.as_ref().map(snapshot),
    })
}

fn snapshot(snapshot: &Snapshot) -> Value {
    let first = elements(snapshot, FIRST_ELEMENTS);
    json!({ "dtype": snapshot.dtype.name(), "shape": snapshot.shape, "first": first })
}

/// Returns the first elements; `null` if undefined.
fn elements(snapshot: &Snapshot, most: usize) -> Vec<Value> {
    let elements = snapshot.elements().take(most);
    elements
        .map(|value| value.map_or(Value::Null, finite))
        .collect()
}

fn dump(report: &RunReport, dump: &Dump) -> Value {
    let mut object = json!({
        "name": dump.name,
        "line": line(report, dump.stmt),
        "execution": dump.execution,
        "seen": dump.seen.is_some(),
    });
    let Some(seen) = &dump.seen else {
        return object;
    };
    object["core"] = json!(seen.lane.core);
    object["lane"] = json!(seen.lane.kind.name());
    object["iteration"] = json!(seen.iterations);
    if let Some(values) = &seen.values {
        object["dtype"] = json!(values.dtype.name());
        object["shape"] = json!(values.shape);
        object["values"] = json!(elements(values, MAX_DUMPED));
    }
    object
}

/// Builds the object of the estimated time.
fn cost(report: &RunReport) -> Value {
    let load = |load: &PipeLoad| {
        json!({
            "core": load.lane.core,
            "lane": load.lane.kind.name(),
            "pipe": load.pipe.name(),
            "busy": load.busy,
            "waiting": load.waiting,
        })
    };
    let estimate = &report.estimate;
    let share = |share: &PathShare| {
        json!({
            "line": line(report, share.stmt),
            "pipe": share.pipe.name(),
            "cycles": share.cycles,
        })
    };
    let stall = |stall: &Stall| {
        json!({
            "line": line(report, stall.stmt),
            "pipe": stall.pipe.name(),
            "waits_for_line": line(report, stall.cause),
            "waits_for_pipe": stall.on.name(),
            "cycles": stall.cycles,
        })
    };
    let statement = |cost: &StatementCost| {
        json!({
            "line": line(report, cost.stmt),
            "pipe": cost.pipe.name(),
            "executions": cost.executions,
            "busy": cost.busy,
            "shared": cost.shared,
            "waiting": cost.waiting,
        })
    };
    json!({
        "cycles": estimate.cycles,
        "clock_mhz": clock_mhz(),
        "microseconds": estimate.microseconds(),
        "overhead": { "cycles": start_cycles(), "microseconds": launch_microseconds() },
        "bound": estimate.bound().map(Bound::describe),
        "memory_share": estimate.memory,
        "moved_bytes": estimate.moved,
        "operations": estimate.operations,
        "roofline": estimate.roofline().map(|roofline| json!({
            "operations_per_byte": finite(roofline.intensity),
            "ridge": finite(roofline.ridge),
            "unit": roofline.unit.name(),
            "unit_share": finite(roofline.share),
            "roof": if roofline.is_below_ridge() { "memory" } else { "unit" },
        })),
        "complete": estimate.missing == 0,
        "critical_path": estimate.path.iter().map(share).collect::<Vec<_>>(),
        "stalls": estimate.stalls.iter().map(stall).collect::<Vec<_>>(),
        "statements": estimate.statements.iter().map(statement).collect::<Vec<_>>(),
        "pipes": estimate.loads.iter().map(load).collect::<Vec<_>>(),
    })
}
