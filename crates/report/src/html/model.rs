//! The data of a page, as one JSON object.

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;
use serde_json::{Value, json};

use super::recorder::Occasion;
use super::{Subject, tiles};
use crate::memory::map_with;
use crate::run::budget_text;
use crate::standing::{self, Found, Standing};
use crate::{examined, fidelity, number_text};
use a2lint_ir::finding::{Finding, Severity};
use a2lint_ir::verdict::Status;
use a2lint_ir::{Instr, MemoryMap, ScalarNames, StmtId};
use a2lint_isa::{Pipe, Position};
use a2lint_machine::{Activity, End, LaneId, LaneKind, Outcome};
use a2lint_replay::Step;
use a2lint_rules::record::KernelRecord;
use a2lint_source::text::{SourceText, Span};

/// Maximum number of slices of the timeline.
const MOST_SLICES: usize = 8_000;
/// Maximum size of all steps with their tiles, in bytes of JSON.
const MOST_BYTES: usize = 900_000;

/// Builds the object.
pub fn object(subject: &Subject) -> Value {
    let teller = Teller::new(subject);
    let (steps, left_out) = teller.steps();
    let (tracks, slices_left_out) = teller.tracks();
    let record = teller.record();
    let findings = subject.findings;
    let verdicts = record.map(|record| record.verdicts(findings));
    let verdicts: Vec<Value> = verdicts.iter().flatten().map(verdict).collect();
    let known = record.map(|it| examined::table(it, subject.source, findings));
    let fidelity = fidelity::Report::of(subject.program, Some(subject.outcome), findings);
    json!({
        "version": 1,
        "path": subject.path,
        "kernel": subject.program.name,
        "device": subject.device.name,
        "launch": { "origin": subject.origin, "arguments": teller.arguments() },
        "summary": teller.summary(),
        "verdicts": verdicts,
        "known": known.unwrap_or_default(),
        "fidelity": fidelity.lines().join("\n"),
        "standing": record.map(|it| teller.standing(it)),
        "files": teller.files(),
        "lineCycles": teller.line_cycles(),
        "lineShares": teller.line_shares(),
        "findings": teller.findings(&steps),
        "memories": teller.memories(),
        "core": subject.recorder.core(),
        "cycles": subject.estimate.cycles,
        "tracks": tracks,
        "slicesLeftOut": slices_left_out,
        "races": super::races::races(&teller),
        "steps": steps,
        "stepsLeftOut": left_out,
        "sweep": subject.sweep.map(|sweep| sweep.json()),
    })
}

fn verdict(verdict: &a2lint_ir::verdict::Verdict) -> Value {
    let why = match &verdict.status {
        Status::Proved { under, assuming } => {
            let assuming = assuming.iter().map(|it| format!("assuming {it}"));
            under
                .iter()
                .cloned()
                .chain(assuming)
                .collect::<Vec<_>>()
                .join(", ")
        }
        Status::Undecided { because, .. } => because.to_string(),
        Status::Tested => "no launch that was simulated breaks it".to_owned(),
        Status::Refuted { .. } => "a finding shows that it does not hold".to_owned(),
    };
    json!({ "property": verdict.property.name(), "status": verdict.status.name(), "why": why })
}

/// Describes how the run ended, as a clause.
fn end(outcome: &Outcome) -> String {
    match &outcome.end {
        End::Finished => "the simulation finished".to_owned(),
        End::Stopped | End::Cancelled => "the simulation was stopped".to_owned(),
        End::Deadlock(_) => "the kernel deadlocks".to_owned(),
        End::BudgetExhausted(budget) => budget_text(*budget).to_owned(),
        End::Refused(refusal) => format!("cannot be executed: {}", refusal.reason),
    }
}

/// Returns the name of a pipe's track in the timeline.
pub(super) fn track_name(kind: LaneKind, pipe: Pipe) -> String {
    format!("{} {pipe}", kind.name())
}

pub(super) struct Teller<'a> {
    /// The subject of the page.
    pub subject: &'a Subject<'a>,
    /// The instructions with their spans.
    pub instructions: FxHashMap<StmtId, (Span, &'a Instr)>,
    /// Start and end in cycles of each execution of a statement on a lane, in order.
    times: FxHashMap<(LaneId, StmtId), Vec<(i64, i64)>>,
}

impl<'a> Teller<'a> {
    fn new(subject: &'a Subject<'a>) -> Self {
        let all = subject.program.instructions().into_iter();
        let mut times: FxHashMap<_, Vec<(i64, i64)>> = FxHashMap::default();
        for slice in &subject.estimate.slices {
            if let Activity::Work { done, .. } = slice.activity {
                let of_stmt = times.entry((slice.lane, slice.stmt)).or_default();
                // The result may become visible after the pipe is free for the next instruction.
                of_stmt.push((slice.start, done.max(slice.end)));
            }
        }
        Teller {
            subject,
            instructions: all
                .map(|(stmt, instr)| (stmt.id, (stmt.span, instr)))
                .collect(),
            times,
        }
    }

    /// Returns what is known of the kernel: the word, and the sentence.
    fn standing(&self, record: &KernelRecord) -> Value {
        let found = Found {
            source: self.subject.source,
            findings: self.subject.findings,
            gaps: &[],
        };
        let verdicts = record.verdicts(found.findings);
        json!({
            "name": Standing::of(found, record, &verdicts).name(),
            "text": standing::title(found, record),
        })
    }

    /// Returns the file, and each other one in which something is executed or reported, with the number that its first
    /// line has in this object.
    fn files(&self) -> Vec<Value> {
        let (map, source) = (self.subject.map, self.subject.source);
        let executed = self.subject.estimate.slices.iter();
        let executed = executed.filter_map(|slice| Some(self.instructions.get(&slice.stmt)?.0));
        let reported = self.subject.findings.iter().map(|finding| finding.span);
        let spans: Vec<Span> = executed.chain(reported).collect();
        let files = map.placed().filter(|(base, text)| {
            let end = base + text.as_str().len();
            *base == 0
                || spans
                    .iter()
                    .any(|span| (*base..end).contains(&(span.start as usize)))
        });
        let file = |(base, text): (usize, &SourceText)| {
            let at = Span::new(base, base);
            let other = map.elsewhere(at).filter(|_| base > 0);
            json!({
                "name": other.map(|place| place.shown),
                "first": source.line_column(base as u32).line,
                "lines": text.as_str().lines().collect::<Vec<_>>(),
            })
        };
        files.map(file).collect()
    }

    /// Returns the line of a span.
    pub fn line(&self, span: Span) -> usize {
        self.subject.source.line_column(span.start).line
    }

    /// Returns the line of an instruction.
    pub fn line_of(&self, stmt: StmtId) -> Option<usize> {
        self.instructions
            .get(&stmt)
            .map(|(span, _)| self.line(*span))
    }

    fn record(&self) -> Option<&'a KernelRecord> {
        let mut records = self.subject.records.iter();
        records.find(|record| record.name == self.subject.program.name)
    }

    /// Returns the cycles at which an execution starts and its result is complete. `None` if its slices cannot be
    /// assigned to executions, as for a macro that occupies a varying number of pipes.
    pub fn time(&self, (lane, stmt, execution): Occasion) -> Option<(i64, i64)> {
        let times = self.times.get(&(lane, stmt))?;
        let executed = *self.subject.recorder.executed.get(&(lane, stmt))? as usize;
        let each = times
            .len()
            .checked_div(executed)
            .filter(|each| each * executed == times.len())?;
        let own = times.get(execution as usize * each..(execution as usize + 1) * each)?;
        Some((own.first()?.0, own.iter().map(|it| it.1).max()?))
    }

    fn arguments(&self) -> Vec<String> {
        let bound = self.subject.bound;
        let scalars = bound.scalars(self.subject.program);
        let scalars = scalars
            .iter()
            .map(|(name, value)| format!("{name}={}", number_text(*value)));
        let globals = bound.globals.iter();
        let tensors = globals.map(|it| format!("{} {} {:?}", it.name, it.dtype, it.shape));
        scalars.chain(tensors).collect()
    }

    fn summary(&self) -> String {
        let estimate = self.subject.estimate;
        let bound = estimate.bound().map(|bound| bound.describe());
        let bound = bound.map_or(String::new(), |bound| format!(", limited by {bound}"));
        format!(
            "{}; {} cycles, {:.1} µs by the cost model{bound}",
            end(self.subject.outcome),
            estimate.cycles,
            estimate.microseconds()
        )
    }

    /// Returns the cycles in which pipes of the shown core work on each line.
    fn line_cycles(&self) -> BTreeMap<usize, i64> {
        let mut cycles = BTreeMap::new();
        for slice in &self.subject.estimate.slices {
            let is_work = matches!(slice.activity, Activity::Work { .. });
            if is_work
                && slice.lane.core == self.subject.recorder.core()
                && let Some(line) = self.line_of(slice.stmt)
            {
                *cycles.entry(line).or_default() += slice.end - slice.start;
            }
        }
        cycles
    }

    /// Returns the share of each line in the critical path, in percent.
    fn line_shares(&self) -> BTreeMap<usize, f64> {
        let path = &self.subject.estimate.path;
        let total: i64 = path.iter().map(|share| share.cycles).sum();
        let mut shares = BTreeMap::new();
        for share in path {
            if let Some(line) = self.line_of(share.stmt) {
                let percent = 100.0 * share.cycles as f64 / total.max(1) as f64;
                *shares.entry(line).or_default() += percent;
            }
        }
        // Smaller shares round to 0 %.
        shares.retain(|_, percent: &mut f64| *percent >= 0.5);
        shares
    }

    fn findings(&self, steps: &[Value]) -> Vec<Value> {
        let kernel = &self.subject.program.name;
        let is_ours = |finding: &&Finding| {
            let own = finding.kernel.as_deref();
            own.is_none_or(|own| own == kernel) || finding.also_in.iter().any(|also| kernel == also)
        };
        let findings = self.subject.findings.iter().filter(is_ours);
        findings
            .map(|finding| self.finding(finding, steps))
            .collect()
    }

    fn finding(&self, finding: &Finding, steps: &[Value]) -> Value {
        let line = self.line(finding.span);
        let labels = finding
            .labels
            .iter()
            .map(|label| json!({ "line": self.line(label.span), "message": label.message }));
        let on_line = || {
            steps
                .iter()
                .enumerate()
                .filter(|(_, step)| step["line"] == line)
        };
        let witnessed = finding.witness.as_ref().and_then(|witness| {
            on_line().find(|(_, step)| {
                step["lane"] == witness.lane.as_str()
                    && step["core"] == witness.core
                    && step["iteration"] == json!(witness.iteration)
            })
        });
        let step = witnessed.or_else(|| on_line().next()).map(|(at, _)| at);
        json!({
            "name": finding.name,
            "severity": match finding.severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "info",
            },
            "message": finding.message,
            "help": finding.help,
            "line": line,
            "labels": labels.collect::<Vec<_>>(),
            "witness": finding.witness.as_ref().map(|it| &it.detail),
            "step": step,
        })
    }

    fn memories(&self) -> Vec<Value> {
        let program = self.subject.program;
        let scalars = self.subject.bound.scalars(program);
        let map = map_with(program, &scalars, self.subject.device);
        let memories = Position::ALL.iter().filter_map(|&position| {
            let slots: Vec<Value> = self.slots(&map, position);
            (!slots.is_empty()).then(|| {
                json!({
                    "name": position.name(),
                    "capacity": self.subject.device.capacity(position),
                    "used": map.known_bytes(position),
                    "slots": slots,
                })
            })
        });
        memories.collect()
    }

    /// Returns the slots of a memory in the order of buffers; those with an unknown address are left out.
    fn slots(&self, map: &MemoryMap, position: Position) -> Vec<Value> {
        let program = self.subject.program;
        let names = ScalarNames::new(program);
        let mut found = Vec::new();
        for placement in map.in_position(position) {
            let buffer = program.buffer(placement.buffer);
            let earlier = &program.buffers[..placement.buffer.index()];
            let first: usize = earlier.iter().map(|it| it.slots as usize).sum();
            let [rows, columns] = buffer.shape.map(|extent| names.text(extent));
            for slot in 0..placement.slots {
                let address = placement.slot_address(i64::from(slot));
                let (Some(start), Some(bytes)) = (address, placement.slot_bytes) else {
                    continue;
                };
                let life = self.subject.recorder.lives.get(&(first + slot as usize));
                let life = life.copied().unwrap_or_default();
                let name = match placement.slots {
                    1 => buffer.label().to_owned(),
                    _ => format!("{}[{slot}]", buffer.label()),
                };
                found.push(json!({
                    "name": name,
                    "buffer": placement.buffer.index(),
                    "type": format!("{} [{rows}, {columns}]", buffer.dtype),
                    "line": self.line(buffer.span),
                    "start": start,
                    "end": start + bytes,
                    "from": life.written.and_then(|it| self.time(it)).map(|it| it.0),
                    "to": life.read.and_then(|it| self.time(it)).map(|it| it.1),
                }));
            }
        }
        found
    }

    /// Returns the pipes of the shown core with their slices, and the number of slices left out.
    fn tracks(&self) -> (Vec<Value>, usize) {
        let core = self.subject.recorder.core();
        let mut tracks: BTreeMap<(usize, usize), (String, Vec<Value>)> = BTreeMap::new();
        let mut number = 0;
        for slice in self
            .subject
            .estimate
            .slices
            .iter()
            .filter(|it| it.lane.core == core)
        {
            number += 1;
            if number > MOST_SLICES {
                continue;
            }
            let kind = match slice.activity {
                Activity::Work { .. } => 0,
                Activity::Await(_) => 1,
                Activity::AutoSync(_) => 2,
                Activity::Barrier => 3,
            };
            let key = (slice.lane.kind.index(), slice.pipe as usize);
            let name = || track_name(slice.lane.kind, slice.pipe);
            let track = tracks.entry(key).or_insert_with(|| (name(), Vec::new()));
            let line = self.line_of(slice.stmt).unwrap_or(0);
            track.1.push(json!([slice.start, slice.end, line, kind]));
        }
        let tracks = tracks.into_values();
        let tracks = tracks.map(|(name, slices)| json!({ "name": name, "slices": slices }));
        (tracks.collect(), number.saturating_sub(MOST_SLICES))
    }

    /// Returns the recorded steps up to the size limit, and the number of steps left out.
    fn steps(&self) -> (Vec<Value>, u64) {
        let recorder = self.subject.recorder;
        let steps: &[Step] = &recorder.steps;
        // First executions of all statements come before second ones, so that each statement has some values.
        let mut rank: FxHashMap<(LaneId, StmtId), usize> = FxHashMap::default();
        let ranks: Vec<usize> = steps
            .iter()
            .map(|step| {
                let seen = rank.entry((step.lane, step.stmt)).or_default();
                *seen += 1;
                *seen
            })
            .collect();
        let mut order: Vec<usize> = (0..steps.len()).collect();
        order.sort_by_key(|&at| (ranks[at], at));
        let mut bytes = 0;
        let mut kept = BTreeMap::new();
        for at in order {
            let value = self.step(&steps[at]);
            bytes += value.to_string().len();
            if bytes > MOST_BYTES {
                break;
            }
            kept.insert(at, value);
        }
        let dropped = steps.len() - kept.len();
        (
            kept.into_values().collect(),
            recorder.left_out + dropped as u64,
        )
    }

    fn step(&self, step: &Step) -> Value {
        let (span, instr) = self.instructions[&step.stmt];
        let text = self.subject.map.text_of(span);
        let operands = step.operands.iter().zip(instr.operands());
        let operands = operands.filter_map(|(values, (_, _, view))| {
            tiles::operand(values, view.local().map(|view| view.buffer.index()))
        });
        let at = self.time((step.lane, step.stmt, step.execution));
        json!({
            "stmt": step.stmt.index(),
            "line": self.line(span),
            "text": text.lines().next().unwrap_or("").trim(),
            "core": step.lane.core,
            "lane": step.lane.kind.name(),
            "iteration": step.iterations,
            "at": at.map(|it| it.0),
            "operands": operands.collect::<Vec<_>>(),
        })
    }
}
