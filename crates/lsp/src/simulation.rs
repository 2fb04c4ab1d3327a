//! Runs kernels of a document in the simulator.

use std::ops::ControlFlow;
use std::time::Duration;

use super::snapshot::Snapshot;
use a2lint_ir::{Instr, Launch, Program, StmtId};
use a2lint_launches::{DEFAULT_WORK, Invented, Request, complete};
use a2lint_machine::{
    Bindings, BoundLaunch, Budget, End, Inspection, Observer, Options, Outcome, Site, Value,
    simulate,
};
use a2lint_replay::Step;
use a2lint_report::run::budget_text;
use a2lint_run::Cancel;
use a2lint_run::{Bound, Job, Limits, Questions};
use a2lint_source::text::SourceText;

/// Maximum total size in bytes of the tensors of a launch that is run on request.
pub const RUN_MEMORY: u64 = 1 << 30;
/// Maximum total size in bytes of the tensors of a launch that a hover runs. All of them are filled before the run
/// starts.
const HOVER_MEMORY: u64 = 64 << 20;
/// Simulator work units per millisecond of the hover budget. This is more than a fast computer does in that time, so
/// that the clock ends the run and the limit only guards against slow checks for cancellation.
const WORK_PER_MILLISECOND: u64 = 20_000;

/// Returns the launches of a kernel in the file, in order.
pub fn launches<'s>(snapshot: &'s Snapshot, program: &Program) -> Vec<&'s Launch> {
    let all = snapshot.module().launches.iter();
    all.filter(|launch| launch.kernel == program.name).collect()
}

/// Binds a launch of a kernel. Without a launch, sizes and types are invented.
pub fn bind(
    snapshot: &Snapshot,
    program: &Program,
    launch: Option<&Launch>,
    limit: u64,
) -> Result<Bound, String> {
    let mut bindings = Bindings::default();
    let origin = match launch {
        Some(launch) => match launch.span {
            Some(span) => format!("the launch at {}", snapshot.place(span)),
            None => launch.elsewhere(),
        },
        None => {
            let request = Request {
                device: snapshot.check.trace.device,
                bindings: &snapshot.check.bindings,
                work: DEFAULT_WORK,
                saturate: snapshot.check.saturate,
            };
            if complete(
                program,
                &snapshot.module().launches,
                &request,
                Invented::Natural,
                &mut bindings,
            )
            .is_err()
            {
                bindings.invent(program);
            }
            let why = match launches(snapshot, program).is_empty() {
                true => "no launch in the file",
                false => "no launch of the file can be simulated here",
            };
            format!("{why}: sizes and types are invented")
        }
    };
    let device = snapshot.check.trace.device;
    let all = &snapshot.module().launches;
    let bound = BoundLaunch::bind(program, launch, all, &bindings, device, limit);
    let launch = bound.map_err(|cause| cause.to_string())?;
    Ok(Bound {
        launch,
        origin,
        device,
    })
}

/// Creates a run of a kernel on request.
pub fn job<'a>(
    snapshot: &'a Snapshot,
    program: &'a Program,
    bound: &'a Bound,
    questions: &'a Questions,
) -> Job<'a> {
    Job {
        file: &snapshot.file,
        module: snapshot.module(),
        map: &snapshot.map,
        settings: &snapshot.check,
        spotless: None,
        program,
        bound,
        questions,
        limits: Limits {
            memory: RUN_MEMORY,
            ..Limits::default()
        },
    }
}

/// Returns the simulator options for a hover.
fn hover_options(snapshot: &Snapshot) -> Options {
    Options {
        max_work: WORK_PER_MILLISECOND * snapshot.settings.budget.as_millis() as u64,
        max_memory: HOVER_MEMORY,
        saturate: snapshot.check.saturate,
        ..Options::default()
    }
}

/// An observed execution of a statement.
pub struct Seen {
    /// The values before and after it.
    pub step: Step,
    /// The launch under which it was observed.
    pub bound: Bound,
    /// Why the values may differ from those of the device, if they may.
    pub doubt: Option<String>,
}

/// Runs a kernel until one of `statements` (those that one place of the source was traced into) has an effect. The
/// launches of the file are tried in order; if no execution has an effect, the first one is returned.
pub fn observe(
    snapshot: &Snapshot,
    program: &Program,
    statements: &[(StmtId, &Instr)],
    cancel: &Cancel,
) -> Result<Seen, String> {
    let options = hover_options(snapshot);
    let mut reason = String::new();
    let mut fallback = None;
    for bound in bindings(snapshot, program) {
        let bound = match bound {
            Ok(bound) => bound,
            Err(cause) => {
                reason = cause;
                continue;
            }
        };
        let mut probe = Probe {
            source: snapshot.source(),
            program,
            statements,
            cancel,
            current: None,
            found: None,
        };
        let outcome = simulate(program, &bound.launch, &options, &mut probe);
        let doubt = outcome.doubt();
        if let Some(step) = probe.found {
            let is_telling = step.is_telling();
            let seen = Seen { step, bound, doubt };
            if is_telling {
                return Ok(seen);
            }
            fallback.get_or_insert(seen);
        } else {
            reason = why_not(&outcome, snapshot.settings.budget);
        }
        if cancel.is_cancelled() {
            break;
        }
    }
    fallback.ok_or(reason)
}

/// The values of a variable at all executions of a statement.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Values {
    /// The smallest value.
    pub min: f64,
    /// The largest value.
    pub max: f64,
    /// Distinct values in the order of their first occurrence, at most `KEPT`.
    pub first: Vec<f64>,
    /// Number of distinct values, counted up to `KEPT`.
    pub distinct: usize,
    /// Number of executions of the statement on all lanes.
    pub executions: usize,
    /// Whether the run finished, so that all executions are counted.
    pub is_complete: bool,
}

impl Values {
    /// Maximum number of distinct values that are kept.
    const KEPT: usize = 8;

    fn add(&mut self, value: f64) {
        if self.executions == 0 {
            (self.min, self.max) = (value, value);
        }
        self.executions += 1;
        self.min = self.min.min(value);
        self.max = self.max.max(value);
        if !self.first.contains(&value) && self.distinct < Values::KEPT {
            self.first.push(value);
            self.distinct += 1;
        }
    }
}

/// Returns the values of a number before the executions of a statement, under the first launch that executes it, and a
/// description of that launch. `read` returns the number.
pub fn values(
    snapshot: &Snapshot,
    program: &Program,
    stmt: StmtId,
    read: &dyn Fn(&mut Inspection) -> Value,
    cancel: &Cancel,
) -> Result<(Values, String), String> {
    let options = hover_options(snapshot);
    let mut reason = String::new();
    for bound in bindings(snapshot, program) {
        let bound = match bound {
            Ok(bound) => bound,
            Err(cause) => {
                reason = cause;
                continue;
            }
        };
        let mut watch = NumberWatch {
            stmt,
            read,
            cancel,
            values: Values::default(),
            is_reached: false,
        };
        let outcome = simulate(program, &bound.launch, &options, &mut watch);
        if watch.values.executions > 0 {
            watch.values.is_complete = outcome.end == End::Finished;
            return Ok((watch.values, bound.origin));
        }
        reason = match watch.is_reached {
            true => "it is computed where it is used, and nowhere else".to_owned(),
            false => why_not(&outcome, snapshot.settings.budget),
        };
        if cancel.is_cancelled() {
            break;
        }
    }
    Err(reason)
}

struct NumberWatch<'a> {
    stmt: StmtId,
    read: &'a dyn Fn(&mut Inspection) -> Value,
    cancel: &'a Cancel,
    values: Values,
    is_reached: bool,
}

impl Observer for NumberWatch<'_> {
    fn watches(&self, stmt: StmtId) -> bool {
        stmt == self.stmt
    }

    fn is_cancelled(&mut self) -> bool {
        self.cancel.is_cancelled()
    }

    fn before(&mut self, _: &Site, _: u64, inspection: &mut Inspection) {
        self.is_reached = true;
        match (self.read)(inspection) {
            Value::Int(value) => self.values.add(value as f64),
            Value::Large(value) => self.values.add(value as f64),
            Value::Float(value) => self.values.add(value),
            _ => {}
        }
    }
}

/// Binds the launches of the file that a hover can run. If none can be bound, sizes and types are invented.
fn bindings(snapshot: &Snapshot, program: &Program) -> Vec<Result<Bound, String>> {
    let spelled = launches(snapshot, program).into_iter();
    let mut bound: Vec<Result<Bound, String>> = spelled
        .map(|launch| bind(snapshot, program, Some(launch), HOVER_MEMORY))
        .collect();
    if bound.iter().all(Result::is_err) {
        bound.push(bind(snapshot, program, None, HOVER_MEMORY));
    }
    bound
}

/// Returns the message for a hover whose time budget is used up.
pub fn late(budget: Duration) -> String {
    let milliseconds = budget.as_millis();
    format!("the machine did not get here within {milliseconds} ms (`a2lint.hover.budgetMs`)")
}

/// Explains why a statement was not observed.
fn why_not(outcome: &Outcome, budget: Duration) -> String {
    match &outcome.end {
        End::Finished | End::Stopped | End::Cancelled => {
            "the launch never executes this statement".to_owned()
        }
        End::Deadlock(_) => "the kernel deadlocks before this statement".to_owned(),
        End::BudgetExhausted(Budget::Work) => late(budget),
        End::BudgetExhausted(other) => budget_text(*other).to_owned(),
        End::Refused(refusal) => refusal.reason.clone(),
    }
}

struct Probe<'a> {
    source: &'a SourceText,
    program: &'a Program,
    statements: &'a [(StmtId, &'a Instr)],
    cancel: &'a Cancel,
    current: Option<Step>,
    found: Option<Step>,
}

impl Probe<'_> {
    fn instr(&self, stmt: StmtId) -> Option<&Instr> {
        let mut all = self.statements.iter();
        all.find(|(id, _)| *id == stmt).map(|(_, instr)| *instr)
    }
}

impl Observer for Probe<'_> {
    fn watches(&self, stmt: StmtId) -> bool {
        self.instr(stmt).is_some()
    }

    fn is_cancelled(&mut self) -> bool {
        self.cancel.is_cancelled()
    }

    fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        let Some(instr) = self.instr(site.stmt) else {
            return;
        };
        let at = (site, execution);
        self.current = Some(Step::before(
            self.source,
            self.program,
            instr,
            at,
            inspection,
        ));
    }

    fn after(&mut self, site: &Site, _: u64, inspection: &mut Inspection) -> ControlFlow<()> {
        let Some(mut step) = self.current.take() else {
            return ControlFlow::Continue(());
        };
        if let Some(instr) = self.instr(site.stmt) {
            step.complete(self.program, instr, inspection);
        }
        let is_telling = step.is_telling();
        if is_telling || self.found.is_none() {
            self.found = Some(step);
        }
        match is_telling {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }
}
