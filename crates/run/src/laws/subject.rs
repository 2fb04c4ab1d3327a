//! A kernel with one launch, and the runs that laws make of it.

use std::fmt;
use std::ops::ControlFlow;
use std::time::Instant;

use rayon::prelude::*;

use super::base::Base;
use super::{Breach, Element, Place};
use crate::{Bound, Job, Supervisor, coordinates};
use a2lint_ir::{GlobalId, GlobalKind, Program, StmtId};
use a2lint_machine::cost::Expense;
use a2lint_machine::{
    Access, BoundLaunch, Budget, End, FindingKind, Inspection, Observer, Options, Outcome,
    Progress, SanitizerFinding, Site, SyncOp, simulate,
};

/// Why trying laws ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The test was cancelled.
    Cancelled,
    /// The time was up.
    Time,
}

impl fmt::Display for Cut {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(match self {
            Cut::Cancelled => "interrupted",
            Cut::Time => "the time was up; --max-seconds gives more",
        })
    }
}

/// Enforces the deadline of all runs.
pub struct Watch<'s> {
    deadline: Instant,
    supervisor: &'s mut dyn Supervisor,
    /// Number of runs so far.
    pub runs: u64,
}

impl<'s> Watch<'s> {
    /// Creates a watch over runs that have to end at the deadline.
    pub fn new(deadline: Instant, supervisor: &'s mut dyn Supervisor) -> Watch<'s> {
        Watch {
            deadline,
            supervisor,
            runs: 0,
        }
    }

    /// Checks the deadline and cancellation.
    fn look_up(&mut self) -> Result<(), Cut> {
        match Instant::now() >= self.deadline {
            true => Err(Cut::Time),
            false if self.supervisor.is_cancelled() => Err(Cut::Cancelled),
            false => Ok(()),
        }
    }

    /// Returns the receiver of progress.
    pub fn supervisor(&mut self) -> &mut dyn Supervisor {
        self.supervisor
    }
}

/// Largest work of a run for laws that make many runs.
pub const MAX_WORK_OF_MANY_RUNS: u64 = 4_000_000;

/// Returns the tensors that hold results. Where the kernel does not declare them, what it reads again after it has
/// stored it is taken for a bridge between its cores, unless there is nothing else.
fn results(program: &Program, base: &Base) -> Vec<GlobalId> {
    let mut results = program.results();
    let is_bridge = |id: &GlobalId| base.read_back[id.index()] || program.workspaces.contains(id);
    if program.toolchain.launches.host_chooses_cores && !results.iter().all(is_bridge) {
        results.retain(|id| !is_bridge(id));
    }
    results
}

/// A kernel with one launch, and its run.
pub struct Subject<'a> {
    /// The kernel and the launch.
    pub job: &'a Job<'a>,
    /// The tensors that hold its results.
    pub outputs: Vec<GlobalId>,
    /// The outcome of its run.
    pub outcome: Outcome,
    /// What its run recorded.
    pub base: Base,
}

impl<'a> Subject<'a> {
    /// Runs a launch. The inner error is the reason why its run says nothing about laws.
    pub fn of(job: &'a Job<'a>, watch: &mut Watch) -> Result<Result<Subject<'a>, String>, Cut> {
        let mut recorder = super::base::Recorder::new(job);
        let launch = &job.bound.launch;
        let outcome = run(job, launch, &job.options(), &mut recorder, watch)?;
        if let Some(reason) = obstacle(&outcome) {
            return Ok(Err(reason));
        }
        let base = recorder.finish();
        Ok(Ok(Subject {
            job,
            outputs: results(job.program, &base),
            outcome,
            base,
        }))
    }

    /// Returns the tensors that the caller passes.
    pub fn params(&self) -> Vec<GlobalId> {
        let globals = &self.job.program.globals;
        let all = (0..globals.len() as u32).map(GlobalId);
        all.filter(|id| globals[id.index()].kind == GlobalKind::Param)
            .collect()
    }

    /// Runs the kernel with other arguments.
    pub fn run(
        &self,
        launch: &BoundLaunch,
        options: &Options,
        watch: &mut Watch,
    ) -> Result<Outcome, Cut> {
        run(
            self.job,
            launch,
            options,
            &mut a2lint_machine::NullObserver,
            watch,
        )
    }

    /// As [`Subject::run`], and tells an observer.
    pub fn run_watched(
        &self,
        launch: &BoundLaunch,
        options: &Options,
        observer: &mut dyn Observer,
        watch: &mut Watch,
    ) -> Result<Outcome, Cut> {
        run(self.job, launch, options, observer, watch)
    }

    /// Runs the kernel with each of the arguments, several at a time.
    pub fn runs(
        &self,
        variants: &[(BoundLaunch, Options)],
        watch: &mut Watch,
    ) -> Result<Vec<Outcome>, Cut> {
        let deadline = watch.deadline;
        let mut outcomes = Vec::with_capacity(variants.len());
        // Deadline and cancellation are checked between chunks.
        for chunk in variants.chunks(rayon::current_num_threads()) {
            watch.look_up()?;
            watch.runs += chunk.len() as u64;
            let run = |(launch, options): &(BoundLaunch, Options)| {
                simulate(self.job.program, launch, options, &mut Deadline(deadline))
            };
            let done: Vec<Outcome> = chunk.par_iter().map(run).collect();
            for outcome in done {
                match outcome.end {
                    End::BudgetExhausted(Budget::Time) => return Err(Cut::Time),
                    _ => outcomes.push(outcome),
                }
            }
            watch.supervisor.progress(&Progress {
                instructions: 0,
                finished_cores: 0,
                cores: self.job.bound.launch.cores,
            });
        }
        Ok(outcomes)
    }

    /// Returns the name of a parameter.
    pub fn name(&self, id: GlobalId) -> &str {
        &self.job.program.global(id).name
    }

    /// Creates a breach under this launch.
    pub fn breach(&self, what: String) -> Breach {
        Breach {
            what,
            launch: arguments(self.job),
            places: Vec::new(),
            element: None,
        }
    }

    /// Creates a breach that an element of a tensor shows, with the statement that wrote it under a launch.
    pub fn breach_at(
        &self,
        what: String,
        (id, index): (GlobalId, usize),
        values: Vec<(String, Option<f64>)>,
        launch: &BoundLaunch,
        watch: &mut Watch,
    ) -> Breach {
        let global = &launch.globals[id.index()];
        let element = Element {
            tensor: global.name.clone(),
            dtype: global.dtype,
            at: coordinates(index, &global.shape),
            values,
        };
        let bound = Bound {
            launch: launch.clone(),
            origin: String::new(),
            device: self.job.bound.device,
        };
        let job = Job {
            bound: &bound,
            ..*self.job
        };
        let writer = job.history(id, index, watch.supervisor()).writer;
        let place = writer.map(|writer| Place {
            stmt: writer.stmt,
            lane: writer.lane,
            iterations: writer.iterations,
        });
        Breach {
            element: Some(element),
            places: place
                .map(|place| ("written by", place))
                .into_iter()
                .collect(),
            ..self.breach(what)
        }
    }
}

/// Formats the scalar arguments of a launch: `M=300, D=256`. Without scalars, formats the shapes.
pub fn arguments(job: &Job) -> String {
    let scalars = job.bound.launch.scalars(job.program).into_iter();
    let scalars: Vec<String> = scalars
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    match scalars.is_empty() {
        false => scalars.join(", "),
        true => {
            let tensors = job.bound.launch.globals.iter();
            let tensors: Vec<String> = tensors
                .map(|global| format!("{} {:?}", global.name, global.shape))
                .collect();
            tensors.join(", ")
        }
    }
}

/// Returns why the results of a run say nothing about laws.
pub fn obstacle(outcome: &Outcome) -> Option<String> {
    if let Some(doubt) = outcome.doubt() {
        return Some(doubt);
    }
    let reason = match &outcome.end {
        End::Finished => {
            let is_wrong = |seen: &SanitizerFinding| {
                seen.kind.is_undefined_end()
                    || matches!(seen.kind, FindingKind::GlobalBounds { .. })
            };
            let is_wrong = outcome.findings.iter().any(is_wrong);
            let said = "undefined data or data outside of a tensor reaches results: see `a2lint check`, \
                        or give contents that fit with --input";
            return is_wrong.then(|| said.to_owned());
        }
        End::Deadlock(_) => "it hangs, which `a2lint check` explains",
        End::Refused(refusal) => &refusal.reason,
        End::BudgetExhausted(_) => "it takes more than --max-instructions or --max-memory allow",
        End::Stopped | End::Cancelled => "it ended early",
    };
    Some(reason.to_owned())
}

/// Runs a launch under a watch.
fn run(
    job: &Job,
    launch: &BoundLaunch,
    options: &Options,
    observer: &mut dyn Observer,
    watch: &mut Watch,
) -> Result<Outcome, Cut> {
    watch.look_up()?;
    watch.runs += 1;
    let mut overseer = Overseer { observer, watch };
    let outcome = simulate(job.program, launch, options, &mut overseer);
    match outcome.end {
        End::Cancelled => Err(Cut::Cancelled),
        End::BudgetExhausted(Budget::Time) => Err(Cut::Time),
        _ => Ok(outcome),
    }
}

/// Stops a run at a deadline.
struct Deadline(Instant);

impl Observer for Deadline {
    fn is_expired(&mut self) -> bool {
        Instant::now() >= self.0
    }
}

/// Forwards to an observer, and enforces deadline and cancellation.
struct Overseer<'a, 's> {
    observer: &'a mut dyn Observer,
    watch: &'a mut Watch<'s>,
}

impl Observer for Overseer<'_, '_> {
    fn wants_accesses(&self) -> bool {
        self.observer.wants_accesses()
    }

    fn wants_definedness(&self) -> bool {
        self.observer.wants_definedness()
    }

    fn watches(&self, stmt: StmtId) -> bool {
        self.observer.watches(stmt)
    }

    fn wants_costs(&self) -> bool {
        self.observer.wants_costs()
    }

    fn is_expired(&mut self) -> bool {
        Instant::now() >= self.watch.deadline
    }

    fn is_cancelled(&mut self) -> bool {
        self.watch.supervisor.is_cancelled()
    }

    fn progress(&mut self, progress: &Progress) {
        self.watch.supervisor.progress(progress);
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        self.observer.spend(site, expense);
    }

    fn begin(&mut self, site: &Site) {
        self.observer.begin(site);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        self.observer.access(site, access);
    }

    fn observed(&mut self, site: &Site, kind: &FindingKind, operand: Option<usize>) {
        self.observer.observed(site, kind, operand);
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.observer.synchronise(site, operation);
    }

    fn before(&mut self, site: &Site, execution: u64, inspection: &mut Inspection) {
        self.observer.before(site, execution, inspection);
    }

    fn after(
        &mut self,
        site: &Site,
        execution: u64,
        inspection: &mut Inspection,
    ) -> ControlFlow<()> {
        self.observer.after(site, execution, inspection)
    }
}
