//! `workspace/executeCommand`: simulating and testing kernels, drawing memory, explaining rules.

use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::{Value, json};
use tower_lsp::jsonrpc::{Error, Result};
use tower_lsp::ls_types::*;

use super::command_names::{EXPLAIN, REPORT, RUN, SHOW_MEMORY, TEST};
use super::event::{Asking, Event};
use super::requests::hover::rule;
use super::simulation::{self, RUN_MEMORY, bind};
use super::snapshot::Snapshot;
use super::tasks::{Progress, Task};
use a2lint_ir::Program;
use a2lint_machine::{self as machine, End};
use a2lint_report::laws::LawReport;
use a2lint_report::run::{RunReport, budget_text, render};
use a2lint_report::{self as report, Page, html, memory};
use a2lint_rules as rules;
use a2lint_run::laws::{self, Request, Tested};
use a2lint_run::target::{self, TargetError};
use a2lint_run::{self as run, Bound, Questions, Supervisor, Which};

/// Minimum time between two progress reports.
const REPORT_INTERVAL: Duration = Duration::from_millis(300);

/// A command with its arguments.
pub enum Order {
    /// A command about a kernel of a document.
    About(Target),
    /// A request for the text of a rule.
    Explain(String),
}

/// A kernel with the action to be performed.
pub struct Target {
    /// The document.
    pub uri: Uri,
    kernel: String,
    launch: Option<usize>,
    action: Action,
}

/// The requested action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Action {
    /// Simulates the kernel and returns a text.
    Run,
    /// Returns the page about the kernel.
    Report,
    /// Tests laws and returns a text.
    Test,
    /// Returns the memory map as text.
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
    /// Parses a command.
    pub fn read(params: &ExecuteCommandParams) -> Result<Order> {
        let argument = params.arguments.first().cloned().unwrap_or_default();
        match params.command.as_str() {
            RUN | SHOW_MEMORY | REPORT | TEST => {
                let read = serde_json::from_value(argument);
                let arguments: Arguments = read.map_err(|error| {
                    Error::invalid_params(format!("expected {{uri, kernel, launch}}: {error}"))
                })?;
                Ok(Order::About(Target {
                    uri: arguments.uri,
                    kernel: arguments.kernel,
                    launch: arguments.launch,
                    action: match params.command.as_str() {
                        RUN => Action::Run,
                        REPORT => Action::Report,
                        TEST => Action::Test,
                        _ => Action::Memory,
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

    /// Returns the answer to a command that concerns no document.
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
    /// Performs the action.
    pub fn answer(&self, snapshot: &Snapshot, asking: &Asking, task: Task) -> Result<Value> {
        let mut programs = snapshot.module().programs.iter();
        let program = programs.find(|program| program.name == self.kernel);
        let program = program.ok_or_else(|| {
            Error::invalid_params(format!("there is no kernel `{}`", self.kernel))
        })?;
        match self.action {
            Action::Run => self.run(snapshot, program, asking, task),
            Action::Report => self.report(snapshot, program, asking, task),
            Action::Test => self.test(snapshot, program, asking, task),
            Action::Memory => Ok(draw(snapshot, program)),
        }
    }

    /// Returns the page about the kernel for the launch.
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
        let page = html::page(&job, &snapshot.known_by_now(), None, &mut waiting);
        Ok(json!({
            "title": format!("{} – report", program.name),
            "uri": snapshot.uri,
            "html": page,
        }))
    }

    /// Tests laws of the kernel as it is in the editor, with all launches of its file.
    fn test(
        &self,
        snapshot: &Snapshot,
        program: &Program,
        asking: &Asking,
        task: Task,
    ) -> Result<Value> {
        let source = snapshot.map.own.clone();
        let kernel = Some(program.name.to_string());
        let unusable = |error: TargetError| Error::invalid_params(error.to_string());
        let target = target::Target::of(&snapshot.file.path, &source, kernel).map_err(unusable)?;
        let mut waiting = Waiting::new(asking, &task);
        waiting.announce(&format!("Testing laws of {}", program.name));
        let arguments = run::Arguments {
            launch: Which::All,
            ..run::Arguments::default()
        };
        let tested = laws::test_all(&target, &arguments, &Request::default(), &mut waiting);
        waiting.conclude();
        let report = LawReport::since(waiting.started, &target, tested.map_err(unusable)?);
        let [first, ..] = report.tested.as_slice() else {
            return Err(Error::internal_error());
        };
        let summary = verdict(first);
        let is_violated = first.is_violated();
        let kind = match is_violated {
            true => MessageType::WARNING,
            false => MessageType::INFO,
        };
        let _ = asking.events.send(Event::Told(kind, summary.clone()));
        let text = report::laws::text(&report, Page::PLAIN);
        Ok(json!({
            "title": format!("Laws of {}", program.name),
            "summary": summary,
            "clean": !is_violated,
            "text": target.map.in_words(&text),
        }))
    }

    /// Returns the launch by its index, or an invented one.
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
            "text": snapshot.map.in_words(&render(&report, Page::PLAIN)),
        }))
    }
}

/// Summarises the results of laws on one line.
fn verdict(tested: &Tested) -> String {
    let violated = tested.laws.iter().filter(|it| it.is_violated());
    let names: Vec<&str> = violated.map(|it| it.law.name()).collect();
    let verdict = match (names.as_slice(), tested.cut) {
        (names @ [_, ..], _) => format!("violates {}", names.join(", ")),
        ([], Some(cut)) => format!("no law is violated so far: {cut}"),
        ([], None) if tested.is_untried() => "no law could be tried".to_owned(),
        ([], None) => "no law is violated".to_owned(),
    };
    format!("{}: {verdict}", tested.program.name)
}

/// Summarises a run on one line.
fn summary(report: &RunReport) -> String {
    let end = match &report.outcome.end {
        End::Finished | End::Stopped if report.is_clean() => "finished without a finding",
        End::Finished | End::Stopped => "finished",
        End::Cancelled => "was cancelled",
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
    let device = snapshot.check.trace.device;
    let launches = &snapshot.module().launches;
    json!({
        "title": format!("Memory of {}", program.name),
        "text": memory::render(&snapshot.file, &[program], launches, device, Page::PLAIN),
    })
}

/// A client that waits for a run: it receives progress, and may cancel.
struct Waiting<'a> {
    started: Instant,
    reported: Instant,
    asking: &'a Asking,
    task: &'a Task,
}

impl<'a> Waiting<'a> {
    /// Starts waiting now.
    fn new(asking: &'a Asking, task: &'a Task) -> Self {
        Waiting {
            started: Instant::now(),
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
