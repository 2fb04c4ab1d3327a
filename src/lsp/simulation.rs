//! Running kernels of a document on the machine.

use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use super::cancel::Cancel;
use super::snapshot::Snapshot;
use crate::ir::{Instr, Launch, Program, StmtId};
use crate::machine::{
    Bindings, BoundLaunch, End, Inspection, Observer, Options, Outcome, Site, simulate,
};
use crate::replay::{DEFAULT_WORK, Request, Step, complete};
use crate::report::run::budget_text;
use crate::text::SourceText;

/// Most bytes of the tensors of a launch in the editor.
const MOST_MEMORY: u64 = 1 << 30;

/// A launch with every value known.
pub struct Bound {
    /// The arguments.
    pub launch: BoundLaunch,
    /// Where they come from, as a clause.
    pub origin: String,
}

/// The launches that the file spells out for a kernel, in order.
pub fn launches<'s>(snapshot: &'s Snapshot, program: &Program) -> Vec<&'s Launch> {
    let all = snapshot.module().launches.iter();
    all.filter(|launch| launch.kernel == program.name).collect()
}

/// Binds one launch of a kernel; without any, the smallest sensible one is invented.
pub fn bind(
    snapshot: &Snapshot,
    program: &Program,
    launch: Option<&Launch>,
) -> Result<Bound, String> {
    let mut bindings = Bindings::default();
    let origin = match launch {
        Some(launch) => format!("the launch at line {}", snapshot.line(launch.span.start)),
        None => {
            let request = Request {
                device: snapshot.check.device,
                bindings: &snapshot.check.bindings,
                work: DEFAULT_WORK,
            };
            if complete(program, snapshot.module(), &request, &mut bindings).is_err() {
                bindings.invent(program);
            }
            "no launch in the file: sizes and types are invented".to_owned()
        }
    };
    let device = snapshot.check.device;
    let all = &snapshot.module().launches;
    let bound = BoundLaunch::bind(program, launch, all, &bindings, device, MOST_MEMORY);
    let launch = bound.map_err(|cause| cause.to_string())?;
    Ok(Bound { launch, origin })
}

/// The first execution of a statement that touches anything.
pub struct Seen {
    /// What was seen.
    pub step: Step,
    /// The launch.
    pub bound: Bound,
    /// Whether every value up to here is what the device would compute.
    pub is_faithful: bool,
}

/// Runs a kernel up to one of `statements` (those that one place of the source was traced into),
/// under the first launch that gets there with something to do.
pub fn observe(
    snapshot: &Snapshot,
    program: &Program,
    statements: &[(StmtId, &Instr)],
    cancel: &Cancel,
) -> Result<Seen, String> {
    let deadline = Instant::now() + snapshot.settings.budget;
    let spelled = launches(snapshot, program);
    let candidates: Vec<Option<&Launch>> = match spelled.is_empty() {
        true => vec![None],
        false => spelled.into_iter().map(Some).collect(),
    };
    let mut reason = String::new();
    let mut fallback = None;
    for launch in candidates {
        let bound = match bind(snapshot, program, launch) {
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
            deadline,
            cancel,
            current: None,
            found: None,
        };
        let outcome = simulate(program, &bound.launch, &Options::default(), &mut probe);
        let is_faithful = outcome.faithful;
        if let Some(step) = probe.found {
            let is_telling = step.is_telling();
            let seen = Seen {
                step,
                bound,
                is_faithful,
            };
            if is_telling {
                return Ok(seen);
            }
            fallback.get_or_insert(seen);
        } else {
            reason = why_not(&outcome, snapshot.settings.budget);
        }
        if Instant::now() >= deadline {
            break;
        }
    }
    fallback.ok_or(reason)
}

/// Why a statement was not seen.
fn why_not(outcome: &Outcome, budget: Duration) -> String {
    match &outcome.end {
        End::Finished | End::Stopped | End::Cancelled => {
            "the launch never executes this statement".to_owned()
        }
        End::Deadlock(_) => "the kernel deadlocks before this statement".to_owned(),
        End::BudgetExhausted(crate::machine::Budget::Time) => format!(
            "the machine did not get here within {} ms (`a2lint.hover.budgetMs`)",
            budget.as_millis()
        ),
        End::BudgetExhausted(budget) => budget_text(*budget).to_owned(),
        End::Refused(refusal) => refusal.reason.clone(),
    }
}

struct Probe<'a> {
    source: &'a SourceText,
    program: &'a Program,
    statements: &'a [(StmtId, &'a Instr)],
    deadline: Instant,
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

    fn is_expired(&mut self) -> bool {
        Instant::now() >= self.deadline
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
            step.complete(instr, inspection);
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
