//! The timeline of a run as Chrome trace events: one process per core, one thread per lane and pipe.
//!
//! The format is that of `chrome://tracing`, which Perfetto reads as well. Times are microseconds of the device's
//! clock. Each slice also contains its cycles and the latency of its result. Arrows (flow events) lead from a signal
//! to the step that waits for it, within a lane or between lanes.

use std::io::{self, Write};

use serde_json::{Value, json};

use super::json::with_files;
use a2lint_ir::{Program, Stmt};
use a2lint_isa::Pipe;
use a2lint_machine::cost::clock_mhz;
use a2lint_machine::{Activity, Edge, Estimate, LaneId, Moment, Slice};
use a2lint_project::SourceMap;

/// Maximum length of the source text of a slice, in characters.
const LONGEST_TEXT: usize = 120;

/// Writes the recorded slices of an estimate as one JSON object.
pub fn write(
    out: &mut impl Write,
    map: &SourceMap,
    program: &Program,
    estimate: &Estimate,
) -> io::Result<()> {
    let teller = Teller { map, program };
    let other = json!({
        "kernel": program.name,
        "clock_mhz": clock_mhz(),
        "cycles": estimate.cycles,
        "slices_left_out": estimate.slices_left_out,
        "steps_left_out": estimate.missing,
    });
    write!(
        out,
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{other},\"traceEvents\":["
    )?;
    let loads = &estimate.loads;
    let mut cores: Vec<u32> = loads.iter().map(|load| load.lane.core).collect();
    cores.dedup();
    let cores = cores.into_iter().map(core_name);
    let tracks = loads
        .iter()
        .flat_map(|load| track_names(load.lane, load.pipe));
    let slices = estimate.slices.iter().map(|slice| teller.slice(slice));
    let edges = estimate.edges.iter().enumerate();
    let arrows = edges.flat_map(|(number, edge)| teller.arrow(number, edge));
    let events = cores.chain(tracks).chain(slices).chain(arrows);
    for (index, event) in events.enumerate() {
        let separator = if index == 0 { "" } else { "," };
        write!(out, "{separator}\n{event}")?;
    }
    writeln!(out, "\n]}}")
}

fn core_name(core: u32) -> Value {
    json!({ "ph": "M", "name": "process_name", "pid": core, "args": { "name": format!("core {core}") } })
}

/// Returns the events for the name and the position of a track.
fn track_names(lane: LaneId, pipe: Pipe) -> [Value; 2] {
    let tid = track(lane, pipe);
    let name = format!("{} {pipe}", lane.kind.name());
    let meta = |key: &str, args: Value| json!({ "ph": "M", "name": key, "pid": lane.core, "tid": tid, "args": args });
    [
        meta("thread_name", json!({ "name": name })),
        meta("thread_sort_index", json!({ "sort_index": tid })),
    ]
}

fn track(lane: LaneId, pipe: Pipe) -> usize {
    lane.kind.index() * Pipe::ALL.len() + pipe as usize
}

/// Converts cycles to microseconds.
fn microseconds(cycles: i64) -> f64 {
    cycles as f64 / clock_mhz() as f64
}

struct Teller<'a> {
    map: &'a SourceMap,
    program: &'a Program,
}

impl Teller<'_> {
    fn slice(&self, slice: &Slice) -> Value {
        let stmt = self.program.statement(slice.stmt);
        let mut args = json!({ "cycles": slice.end - slice.start });
        if let Some(stmt) = stmt {
            let text = self.map.text_of(stmt.span);
            let text = text.lines().next().unwrap_or("").trim();
            args["line"] = json!(self.map.source.line_column(stmt.span.start).line);
            args["source"] = json!(text.chars().take(LONGEST_TEXT).collect::<String>());
            args = with_files(self.map, args);
        }
        if let Activity::Work {
            done,
            bytes,
            repeats,
        } = slice.activity
        {
            args["latency"] = json!(done - slice.start);
            for (key, value) in [("bytes", bytes), ("repeats", repeats)] {
                if value > 0 {
                    args[key] = json!(value);
                }
            }
        }
        json!({
            "ph": "X",
            "name": self.name(slice, stmt),
            "cat": if matches!(slice.activity, Activity::Work { .. }) { "work" } else { "wait" },
            "pid": slice.lane.core,
            "tid": track(slice.lane, slice.pipe),
            "ts": microseconds(slice.start),
            "dur": microseconds(slice.end - slice.start),
            "args": args,
        })
    }

    /// Returns the events for both ends of an arrow. It starts in the last cycle of the awaited work, since viewers
    /// attach it to the slice at that time.
    fn arrow(&self, number: usize, edge: &Edge) -> [Value; 2] {
        let name = match edge.token {
            Some(token) => token.describe(self.program),
            None => format!("auto_sync {}→{}", edge.from.pipe, edge.to.pipe),
        };
        let end = |phase: &str, moment: Moment, at: i64| {
            json!({
                "ph": phase,
                "id": number,
                "name": name,
                "cat": "order",
                "pid": moment.lane.core,
                "tid": track(moment.lane, moment.pipe),
                "ts": microseconds(at),
                "bp": "e",
            })
        };
        let start = end("s", edge.from, (edge.from.at - 1).max(0));
        [start, end("f", edge.to, edge.to.at)]
    }

    fn name(&self, slice: &Slice, stmt: Option<&Stmt>) -> String {
        match slice.activity {
            Activity::Work { .. } => stmt
                .and_then(|stmt| stmt.kind.instr())
                .map_or_else(String::new, |instr| {
                    self.program.call_name(instr).to_owned()
                }),
            Activity::Await(token) => format!("waits for {}", token.describe(self.program)),
            Activity::AutoSync(pipe) => format!("waits for {pipe} (auto_sync)"),
            Activity::Barrier => "waits at a barrier".to_owned(),
        }
    }
}
