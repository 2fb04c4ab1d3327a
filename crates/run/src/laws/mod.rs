//! Laws: properties that the results of every sound kernel have, so that faults show without a reference.
//!
//! A law is tried on runs of the embedded machine, with the arguments of a launch. It held in these runs, was
//! violated in one of them, or was not run for a stated reason. None of these is a proof.

mod base;
mod cores;
mod coverage;
mod dependence;
mod difference;
mod influence;
mod inputs;
mod launches;
mod numerics;
mod order;
mod rows;
mod subject;
mod tensors;
mod work;

use std::time::{Duration, Instant};

pub use dependence::{Dependence, Shape};
pub(crate) use inputs::{hurting, large_integers};
pub(crate) use numerics::element;
pub use numerics::{Blame, CLASSES, OutputPrecision, Precision, Widened};
pub(crate) use subject::obstacle;
pub use subject::{Cut, Watch};

use crate::target::{Target, TargetError};
use crate::{Arguments, Job, Limits, Questions, Supervisor};
use a2lint_ir::{Program, StmtId};
use a2lint_isa::DType;
use a2lint_machine::LaneId;
use base::Workload;
use subject::Subject;

a2lint_isa::named! {
    /// A law, in the order in which they are tried.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, clap::ValueEnum)]
    pub enum Law {
        /// Results do not depend on the number of cores.
        Cores = "cores",
        /// Results do not depend on the order in which lanes and pipes go on.
        Order = "order",
        /// All of each returned tensor is written; what is not read of an input is told in a note.
        Coverage = "coverage",
        /// Rows of a result depend on the inputs in the same way, and equal input rows give equal rows.
        Rows = "rows",
        /// What is loaded of an input and changes no result is told in a note; never violated.
        Influence = "influence",
        /// No NaN and no infinity comes out of inputs that are finite.
        Inputs = "inputs",
        /// Slots, cores and instructions without work are told in a note; never violated.
        Work = "work",
    }
    /// Returns its name.
    fn name
}

/// An execution of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The statement.
    pub stmt: StmtId,
    /// The cube or vec core that executed the statement.
    pub lane: LaneId,
    /// Iteration numbers of the loops around it, from 0, outermost first.
    pub iterations: Vec<i64>,
}

/// An element of a tensor, with the values that should be equal.
#[derive(Clone, Debug, PartialEq)]
pub struct Element {
    /// The tensor.
    pub tensor: String,
    /// The type of the tensor.
    pub dtype: DType,
    /// The index of the element.
    pub at: Vec<i64>,
    /// The values of the element, each with the run that it is from; `None` if undefined.
    pub values: Vec<(String, Option<f64>)>,
}

/// The violation of a law.
#[derive(Clone, Debug, PartialEq)]
pub struct Breach {
    /// Description, as a sentence.
    pub what: String,
    /// The arguments of the launch.
    pub launch: String,
    /// The statements that take part, each with its part.
    pub places: Vec<(&'static str, Place)>,
    /// The first element that shows it.
    pub element: Option<Element>,
}

/// The outcome of trying a law.
#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    /// The law held, with a description of the runs.
    Held(String),
    /// The law was violated.
    Violated(Box<Breach>),
    /// The law was not tried, with the reason.
    NotRun(String),
}

/// An observation that violates no law.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The observation, as a sentence.
    pub text: String,
    /// The statement that it is about.
    pub stmt: Option<StmtId>,
}

impl Note {
    fn plain(text: String) -> Note {
        Note { text, stmt: None }
    }
}

/// The outcome of a law under one launch, or under all of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Tried {
    /// The law.
    pub law: Law,
    /// The outcome.
    pub verdict: Verdict,
    /// Further observations.
    pub notes: Vec<Note>,
    /// The measured dependence of results on inputs.
    pub dependence: Vec<Dependence>,
    /// Number of launches under which it held.
    pub launches: usize,
    /// Number of launches under which it was not run, and why the first was not.
    pub left_out: Option<(usize, String)>,
}

/// What to try on a kernel.
#[derive(Clone, Debug)]
pub struct Request {
    /// The laws to try.
    pub laws: Vec<Law>,
    /// Number of orders of lanes and pipes to draw.
    pub schedules: u32,
    /// Seed of the random contents of tensors, and of the orders.
    pub seed: u64,
    /// Whether dependence is also measured along each axis.
    pub dependence: bool,
    /// Whether errors of results are measured against exact arithmetic.
    pub numerics: bool,
    /// Limits of all runs of a kernel together.
    pub limits: Limits,
}

impl Default for Request {
    fn default() -> Request {
        Request {
            laws: Law::ALL.to_vec(),
            schedules: 20,
            seed: 0,
            dependence: false,
            numerics: false,
            limits: Limits::default(),
        }
    }
}

/// The outcome of trying laws on a kernel.
#[derive(Clone, Debug)]
pub struct Tested<'a> {
    /// The kernel.
    pub program: &'a Program,
    /// The laws, in order.
    pub laws: Vec<Tried>,
    /// Errors of results, if requested.
    pub numerics: Option<Precision>,
    /// The launches in the order in which they were tried, each with its origin.
    pub launches: Vec<(String, String)>,
    /// Launches that could not be used, and why.
    pub unusable: Vec<String>,
    /// Number of runs.
    pub runs: u64,
    /// Why not everything was tried.
    pub cut: Option<Cut>,
}

impl Tested<'_> {
    /// Returns whether a law is violated.
    pub fn is_violated(&self) -> bool {
        self.laws.iter().any(Tried::is_violated)
    }

    /// Returns whether no law could be tried.
    pub fn is_untried(&self) -> bool {
        let mut laws = self.laws.iter();
        laws.all(|tried| matches!(tried.verdict, Verdict::NotRun(_)))
    }
}

/// Tries laws on the selected kernels of a target.
pub fn test_all<'a>(
    target: &'a Target,
    arguments: &Arguments,
    request: &Request,
    supervisor: &mut dyn Supervisor,
) -> Result<Vec<Tested<'a>>, TargetError> {
    let programs = target.programs()?.into_iter();
    let tested = programs.map(|program| test(target, program, arguments, request, supervisor));
    Ok(tested.collect())
}

/// Tries laws on one kernel, the smallest launch first. A violated law is not tried further; laws with many runs
/// are tried on a few launches.
pub fn test<'a>(
    target: &'a Target,
    program: &'a Program,
    arguments: &Arguments,
    request: &Request,
    supervisor: &mut dyn Supervisor,
) -> Tested<'a> {
    let (launches, unusable) = launches::of(target, program, arguments, request);
    let questions = Questions::default();
    let seconds = Duration::from_secs_f64(request.limits.seconds);
    let mut watch = Watch::new(Instant::now() + seconds, supervisor);
    let mut tested = Tested {
        program,
        laws: request.laws.iter().map(|&law| untried(law)).collect(),
        numerics: request.numerics.then(Precision::default),
        launches: Vec::new(),
        unusable,
        runs: 0,
        cut: None,
    };
    let mut work = Workload::default();
    for (at, bound) in launches.iter().enumerate() {
        let job = Job::of(target, program, bound, &questions, request.limits);
        tested
            .launches
            .push((subject::arguments(&job), bound.origin.clone()));
        if let Err(cut) = try_launch(
            &mut tested,
            &job,
            request,
            Rank::of(at, launches.len()),
            &mut work,
            &mut watch,
        ) {
            tested.cut = Some(cut);
            break;
        }
    }
    tested.runs = watch.runs;
    let idle = tested.laws.iter_mut().find(|tried| tried.law == Law::Work);
    if let Some(tried) = idle.filter(|_| !work.executed.is_empty()) {
        tried.add(work::of(program, &work));
        tried.launches = tested.launches.len();
    }
    if let Some(cut) = tested.cut {
        for tried in &mut tested.laws {
            tried.was_cut(cut);
        }
    }
    tested
}

fn untried(law: Law) -> Tried {
    Tried {
        law,
        verdict: Verdict::NotRun("there is no launch that can be run".to_owned()),
        notes: Vec::new(),
        dependence: Vec::new(),
        launches: 0,
        left_out: None,
    }
}

/// The place of a launch among those that are tried, the smallest first.
#[derive(Clone, Copy)]
struct Rank {
    /// Whether laws with many runs are tried on it.
    is_sample: bool,
    is_largest: bool,
}

impl Rank {
    fn of(at: usize, count: usize) -> Rank {
        Rank {
            is_sample: launches::is_sample(at, count),
            is_largest: at + 1 == count,
        }
    }
}

/// Tries all laws that were not violated so far on one launch.
fn try_launch(
    tested: &mut Tested,
    job: &Job,
    request: &Request,
    rank: Rank,
    work: &mut Workload,
    watch: &mut Watch,
) -> Result<(), Cut> {
    let subject = match Subject::of(job, watch)? {
        Ok(subject) => subject,
        Err(reason) => {
            let laws = tested.laws.iter_mut();
            laws.for_each(|tried| tried.add(Attempt::not_run(reason.clone())));
            if let Some(precision) = &mut tested.numerics {
                precision.left_out.get_or_insert(reason);
            }
            return Ok(());
        }
    };
    work.add(&subject.base.work);
    if let Some(precision) = &mut tested.numerics {
        watch.supervisor().stage("numerics");
        precision.add(&subject, watch)?;
    }
    for tried in &mut tested.laws {
        let is_left_out = match tried.law {
            Law::Rows | Law::Inputs => !rank.is_sample,
            Law::Influence => !rank.is_largest,
            Law::Cores | Law::Order | Law::Coverage | Law::Work => false,
        };
        if matches!(tried.verdict, Verdict::Violated(_)) || is_left_out {
            continue;
        }
        watch.supervisor().stage(tried.law.name());
        let attempt = match tried.law {
            Law::Cores => cores::of(&subject, watch)?,
            Law::Order => order::of(&subject, request, watch)?,
            Law::Coverage => coverage::of(&subject),
            Law::Rows => rows::of(&subject, request, watch)?,
            Law::Influence => influence::of(&subject, watch)?,
            Law::Inputs => inputs::of(&subject, watch)?,
            // Evaluated once, over all launches.
            Law::Work => continue,
        };
        tried.add(attempt);
    }
    Ok(())
}

/// The outcome of a law under one launch.
struct Attempt {
    verdict: Verdict,
    notes: Vec<Note>,
    dependence: Vec<Dependence>,
}

impl Attempt {
    fn of(verdict: Verdict) -> Attempt {
        Attempt {
            verdict,
            notes: Vec::new(),
            dependence: Vec::new(),
        }
    }

    fn held(what: impl Into<String>) -> Attempt {
        Attempt::of(Verdict::Held(what.into()))
    }

    fn not_run(why: impl Into<String>) -> Attempt {
        Attempt::of(Verdict::NotRun(why.into()))
    }

    fn violated(breach: Breach) -> Attempt {
        Attempt::of(Verdict::Violated(Box::new(breach)))
    }
}

impl Tried {
    /// Returns whether it is violated.
    pub fn is_violated(&self) -> bool {
        matches!(self.verdict, Verdict::Violated(_))
    }

    fn add(&mut self, attempt: Attempt) {
        for note in attempt.notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        // The map with most dependences is the most informative one.
        let cells = |all: &[Dependence]| -> usize {
            let cells = all.iter().flat_map(|it| it.map.iter().flatten());
            cells.filter(|&&is_dependent| is_dependent).count()
        };
        if cells(&attempt.dependence) > cells(&self.dependence) {
            self.dependence = attempt.dependence;
        }
        match attempt.verdict {
            Verdict::NotRun(why) => {
                let left_out = self.left_out.get_or_insert((0, why.clone()));
                left_out.0 += 1;
                if self.launches == 0 {
                    self.verdict = Verdict::NotRun(why);
                }
            }
            Verdict::Held(what) => {
                self.launches += 1;
                self.verdict = Verdict::Held(what);
            }
            violated => self.verdict = violated,
        }
    }

    /// Records that time ran out before the law was tried, or before it was tried on all launches.
    fn was_cut(&mut self, cut: Cut) {
        match &mut self.verdict {
            Verdict::NotRun(_) if self.left_out.is_none() => {
                self.verdict = Verdict::NotRun(cut.to_string());
            }
            Verdict::Held(what) => what.push_str(&format!("; not all was tried: {cut}")),
            _ => {}
        }
    }
}
