//! `workspace/executeCommand`: running kernels, drawing memory, explaining rules.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use super::cancel::Cancel;
use super::event::Event;
use super::requests::hover::rule;
use super::server::Asking;
use super::simulation::{self, RUN_MEMORY, bind};
use super::snapshot::Snapshot;
use crate::ir::Program;
use crate::machine::{self, End};
use crate::report::run::{self, RunReport, budget_text};
use crate::report::{Page, html, memory};
use crate::rules;
use crate::run::{Bound, Questions, Supervisor};

/// Simulates a kernel. Argument: `{uri, kernel, launch}`.
pub const RUN: &str = "a2lint.run";
/// Draws the memory of a kernel. Argument: `{uri, kernel}`.
pub const SHOW_MEMORY: &str = "a2lint.showMemory";
/// Answers a page about a kernel.
pub const REPORT: &str = "a2lint.report";
/// Explains a rule. Argument: its name or code.
pub const EXPLAIN: &str = "a2lint.explain";
/// Every command.
pub const NAMES: [&str; 4] = [RUN, SHOW_MEMORY, REPORT, EXPLAIN];

/// Time between two reports of progress.
const REPORT_INTERVAL: Duration = Duration::from_millis(300);

/// A command with its arguments.
pub enum Order {
    /// Something about a kernel of a document.
    About(Target),
    /// The text of a rule.
    Explain(String),
}

/// A kernel, and what is to be done with it.
pub struct Target {
    /// The document.
    pub uri: Uri,
    kernel: String,
    launch: Option<usize>,
    wish: Wish,
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wish {
    /// A run, as text.
    Run,
    /// A page.
    Report,
    /// The memory map, as text.
    Memory,
}

#[derive(Deserialize)]
struct Arguments {
    uri: Uri,
    kernel: String,
    #[serde(default)]
    launch: Option<usize>,
}

impl Order {
    /// Reads a command.
    pub fn read(params: &ExecuteCommandParams) -> Result<Order> {
        let argument = params.arguments.first().cloned().unwrap_or_default();
        match params.command.as_str() {
            RUN | SHOW_MEMORY | REPORT => {
                let read = serde_json::from_value(argument);
                let arguments: Arguments = read.map_err(|error| {
                    Error::invalid_params(format!("expected {{uri, kernel, launch}}: {error}"))
                })?;
                Ok(Order::About(Target {
                    uri: arguments.uri,
                    kernel: arguments.kernel,
                    launch: arguments.launch,
                    wish: match params.command.as_str() {
                        RUN => Wish::Run,
                        REPORT => Wish::Report,
                        _ => Wish::Memory,
                    },
                }))
            }
            EXPLAIN => match argument.as_str() {
                Some(rule) => Ok(Order::Explain(rule.to_owned())),
                None => Err(Error::invalid_params("expected the name of a rule")),
            },
            other => Err(Error::invalid_params(format!("no such command: {other}"))),
        }
    }

    /// The answer to what is about no document.
    pub fn answer(&self) -> Result<Value> {
        match self {
            Order::Explain(name) => match rules::find(name) {
                Some(found) => Ok(json!({"title": found.name, "markdown": rule::text(found)})),
                None => Err(Error::invalid_params(format!("no such rule: {name}"))),
            },
            Order::About(_) => Err(Error::internal_error()),
        }
    }
}

impl Target {
    /// Does what is asked.
    pub fn answer(&self, snapshot: &Snapshot, asking: &Asking, task: Task) -> Result<Value> {
        let mut programs = snapshot.module().programs.iter();
        let program = programs.find(|program| program.name == self.kernel);
        let program = program.ok_or_else(|| {
            Error::invalid_params(format!("there is no kernel `{}`", self.kernel))
        })?;
        match self.wish {
            Wish::Run => self.run(snapshot, program, asking, task),
            Wish::Report => self.report(snapshot, program, asking, task),
            Wish::Memory => Ok(draw(snapshot, program)),
        }
    }

    /// A page about the kernel under the launch.
    fn report(
        &self,
        snapshot: &Snapshot,
        program: &Program,
        asking: &Asking,
        task: Task,
    ) -> Result<Value> {
        let bound = self.bound(snapshot, program)?;
        let questions = Questions::default();
        let job = simulation::job(snapshot, program, &bound, &questions);
        let mut waiting = Waiting::new(asking, &task);
        let page = html::page(&job, &snapshot.known_by_now(), &mut waiting);
        Ok(json!({
            "title": format!("{} – report", program.name),
            "uri": snapshot.uri,
            "html": page,
        }))
    }

    /// The launch that is meant.
    fn bound(&self, snapshot: &Snapshot, program: &Program) -> Result<Bound> {
        let launches = simulation::launches(snapshot, program);
        let launch = launches.get(self.launch.unwrap_or(0)).copied();
        bind(snapshot, program, launch, RUN_MEMORY).map_err(Error::invalid_params)
    }

    fn run(
        &self,
        snapshot: &Snapshot,
        program: &Program,
        asking: &Asking,
        task: Task,
    ) -> Result<Value> {
        let bound = self.bound(snapshot, program)?;
        let questions = Questions::default();
        let job = simulation::job(snapshot, program, &bound, &questions);
        let mut waiting = Waiting::new(asking, &task);
        waiting.announce(&format!("Simulating {}", program.name));
        let ran = job.run(&mut waiting);
        waiting.conclude();
        let ran = ran.map_err(|error| Error::invalid_params(error.to_string()))?;
        if ran.outcome.end == End::Cancelled {
            return Err(Error::request_cancelled());
        }
        let report = RunReport::of(&job, &ran, &[]);
        let summary = summary(&report);
        let kind = match report.is_clean() {
            true => MessageType::INFO,
            false => MessageType::WARNING,
        };
        let _ = asking.events.send(Event::Told(kind, summary.clone()));
        Ok(json!({
            "title": format!("{} ({})", program.name, bound.origin),
            "summary": summary,
            "clean": report.is_clean(),
            "text": snapshot.unit.in_words(&run::render(&report, Page::PLAIN)),
        }))
    }
}

/// How a run ended, in a line.
fn summary(report: &RunReport) -> String {
    let end = match &report.outcome.end {
        End::Finished | End::Stopped if report.is_clean() => "finished clean",
        End::Finished | End::Stopped => "finished",
        End::Cancelled => "was taken back",
        End::Deadlock(_) => "ended in a deadlock",
        End::BudgetExhausted(budget) => budget_text(*budget),
        End::Refused(refusal) => &refusal.reason,
    };
    let findings = match report.findings.len() {
        0 => String::new(),
        1 => ", 1 finding".to_owned(),
        count => format!(", {count} findings"),
    };
    format!(
        "{}: {end}{findings} ({} instructions, {:.2} s)",
        report.program.name, report.outcome.instructions, report.seconds
    )
}

fn draw(snapshot: &Snapshot, program: &Program) -> Value {
    let device = snapshot.check.device;
    json!({
        "title": format!("Memory of {}", program.name),
        "text": memory::render(&snapshot.file, &[program], device, Page::PLAIN),
    })
}

/// Work that shows its progress and can be taken back through it.
pub struct Task {
    token: Progress,
    cancel: Cancel,
    tasks: Tasks,
}

enum Progress {
    /// The client has named a token with its request.
    Given(ProgressToken),
    /// The client may show a token of ours.
    Own(ProgressToken),
}

impl Task {
    fn token(&self) -> &ProgressToken {
        match &self.token {
            Progress::Given(token) | Progress::Own(token) => token,
        }
    }
}

impl Drop for Task {
    fn drop(&mut self) {
        self.tasks.forget(self.token());
    }
}

/// The work that is under way, by token.
#[derive(Clone, Default)]
pub struct Tasks(Arc<Mutex<Running>>);

#[derive(Default)]
struct Running {
    started: u64,
    tasks: HashMap<ProgressToken, Cancel>,
}

impl Tasks {
    /// Starts a piece of work.
    pub fn start(&self, given: Option<ProgressToken>) -> Task {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.started += 1;
        let token = match given {
            Some(token) => Progress::Given(token),
            None => Progress::Own(ProgressToken::String(format!("a2lint/{}", running.started))),
        };
        let cancel = Cancel::default();
        let task = Task {
            token,
            cancel: cancel.clone(),
            tasks: self.clone(),
        };
        running.tasks.insert(task.token().clone(), cancel);
        task
    }

    /// Takes back the work behind a token.
    pub fn cancel(&self, token: &ProgressToken) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(cancel) = running.tasks.get(token) {
            cancel.cancel();
        }
    }

    /// Takes back everything.
    pub fn cancel_all(&self) {
        let running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.tasks.values().for_each(Cancel::cancel);
    }

    fn forget(&self, token: &ProgressToken) {
        let mut running = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        running.tasks.remove(token);
    }
}

/// A client that waits for a run, is told of it, and may take it back.
struct Waiting<'a> {
    reported: Instant,
    asking: &'a Asking,
    task: &'a Task,
}

impl<'a> Waiting<'a> {
    /// Waits for a run that begins now.
    fn new(asking: &'a Asking, task: &'a Task) -> Self {
        Waiting {
            reported: Instant::now(),
            asking,
            task,
        }
    }

    fn announce(&self, title: &str) {
        let begin = WorkDoneProgressBegin {
            title: title.to_owned(),
            cancellable: Some(true),
            message: None,
            percentage: None,
        };
        self.send(match &self.task.token {
            Progress::Given(token) => {
                Event::Progress(token.clone(), WorkDoneProgress::Begin(begin))
            }
            Progress::Own(token) => Event::OwnProgress(token.clone(), begin),
        });
    }

    fn conclude(&self) {
        let end = WorkDoneProgress::End(WorkDoneProgressEnd { message: None });
        self.send(Event::Progress(self.task.token().clone(), end));
    }

    fn send(&self, event: Event) {
        let _ = self.asking.events.send(event);
    }
}

impl Supervisor for Waiting<'_> {
    fn is_cancelled(&mut self) -> bool {
        self.asking.cancel.is_cancelled() || self.task.cancel.is_cancelled()
    }

    fn progress(&mut self, progress: &machine::Progress) {
        let now = Instant::now();
        if now - self.reported < REPORT_INTERVAL {
            return;
        }
        self.reported = now;
        let (done, cores) = (progress.finished_cores, progress.cores.max(1));
        let report = WorkDoneProgressReport {
            cancellable: Some(true),
            message: Some(format!(
                "{} instructions, {done} of {cores} cores",
                progress.instructions
            )),
            percentage: Some(done * 100 / cores),
        };
        let token = self.task.token().clone();
        self.send(Event::Progress(token, WorkDoneProgress::Report(report)));
    }
}
