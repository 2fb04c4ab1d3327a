//! `a2lint cost`: estimates of the time on the device.

use serde_json::{Value, json};

use super::output::Streams;
use super::run::{GivenArgs, LimitArgs, Terminal, status};
use super::target::Target;
use super::{Failure, Status};
use a2lint_ir::finding::Finding;
use a2lint_ir::{ParamKind, Program};
use a2lint_isa::DType;
use a2lint_lint::check::Advice;
use a2lint_machine::{End, Estimate};
use a2lint_report::run::{self, Row, RunReport};
use a2lint_rules::FEW_CORES;
use a2lint_run::{
    Arguments, Bound, Job, Questions, Ran, Which, any_tensor, bind, each_launch, kernel, sweep,
};

/// Maximum number of runs in a comparison.
const MOST_RUNS: usize = 256;

/// Options of `cost`.
#[derive(Debug, clap::Args)]
pub struct CostArgs {
    /// Kernels; of several, each is compared with the first.
    #[arg(value_name = "FILE[::KERNEL]", required = true)]
    pub targets: Vec<String>,
    /// Value of a scalar parameter or a symbolic extent, or several of them to compare.
    ///
    /// M=1024..8192:x2 is 1024, 2048, 4096 and 8192; M=100..300:+100 is 100, 200 and 300.
    #[arg(long, value_name = "NAME=VALUE|FIRST..LAST:xN|FIRST..LAST:+N", value_parser = sweep)]
    pub bind: Vec<(String, Vec<f64>)>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub given: GivenArgs,
    /// Estimate the time as if a tensor was loaded past L2, which the operator's code may ask for.
    #[arg(long, value_name = "NAME")]
    pub bypass_l2: Vec<String>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitArgs,
    /// Show one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Estimates the time of each launch of a kernel, or compares kernels and sizes.
pub fn run(args: &CostArgs, streams: &Streams) -> Result<Status, Failure> {
    let targets = args.targets.iter().map(|target| Ok(Target::open(target)?));
    let targets: Vec<Target> = targets.collect::<Result<_, Failure>>()?;
    let face = Face::new(args, streams);
    let sizes = points(&args.bind)?;
    match (&targets[..], &sizes[..]) {
        ([target], [scalars]) => face.one(target, scalars),
        _ => face.compared(&targets, &sizes),
    }
}

type Scalars = Vec<(String, f64)>;

/// Returns all combinations of the values.
fn points(sweeps: &[(String, Vec<f64>)]) -> Result<Vec<Scalars>, Failure> {
    let mut points: Vec<Scalars> = vec![Vec::new()];
    for (name, values) in sweeps {
        let count = points.len() * values.len();
        if count > MOST_RUNS {
            let most = MOST_RUNS;
            return Err(Failure::TooManyRuns { count, most });
        }
        let extended = points.iter().flat_map(|point| {
            let with = |value: &f64| [&point[..], &[(name.clone(), *value)]].concat();
            values.iter().map(with).collect::<Vec<_>>()
        });
        points = extended.collect();
    }
    Ok(points)
}

/// The input of a launch by position: scalar values, element types and shapes. Only launches with equal input are
/// compared.
#[derive(PartialEq)]
struct Work {
    scalars: Vec<f64>,
    tensors: Vec<(DType, Vec<i64>)>,
}

impl Work {
    fn of(program: &Program, bound: &Bound) -> Work {
        let scalars = bound.launch.scalars(program).into_iter();
        let tensors = program.params.iter().filter_map(|param| match param.kind {
            ParamKind::Global(id) => {
                let global = &bound.launch.globals[id.index()];
                Some((global.dtype, global.shape.clone()))
            }
            _ => None,
        });
        Work {
            scalars: scalars.map(|(_, value)| value).collect(),
            tensors: tensors.collect(),
        }
    }
}

/// The command: its options, its output and what is asked of each run.
struct Face<'a> {
    args: &'a CostArgs,
    streams: &'a Streams,
    questions: Questions,
}

/// A run in a comparison.
struct Measured {
    work: Work,
    estimate: Estimate,
    remark: Option<String>,
    status: Status,
    json: Value,
}

impl<'a> Face<'a> {
    fn new(args: &'a CostArgs, streams: &'a Streams) -> Self {
        let questions = Questions {
            bypass_l2: args.bypass_l2.clone(),
            ..Questions::default()
        };
        Face {
            args,
            streams,
            questions,
        }
    }

    fn ran<'j>(
        &'j self,
        target: &'j Target,
        program: &'j Program,
        bound: &'j Bound,
    ) -> Result<(Job<'j>, Ran), Failure> {
        let limits = self.args.limits.limits();
        for name in &self.questions.bypass_l2 {
            any_tensor(program, name)?;
        }
        let job = Job::of(target, program, bound, &self.questions, limits);
        let ran = job.run(&mut Terminal::new())?;
        Ok((job, ran))
    }

    /// Estimates the launch that the options select, or every launch of the file.
    fn one(&self, target: &Target, scalars: &Scalars) -> Result<Status, Failure> {
        let arguments = self.args.given.arguments(scalars.clone());
        let (mut worst, mut texts, mut values) = (Status::Clean, Vec::new(), Vec::new());
        let mut show = |program: &Program, bound: &Bound| {
            let (job, ran) = self.ran(target, program, bound)?;
            let report = RunReport::of(&job, &ran, &[]);
            worst = worst.max(status(&report));
            let mut advice = job.advice(&ran);
            // The user has chosen the number of cores, so advice to use more is left out.
            if self.args.given.cores.is_some() {
                let is_other = |finding: &Finding| finding.name != FEW_CORES.name;
                advice.findings.retain(is_other);
            }
            match self.args.json {
                true => values.push(run::cost_json(&report, &advice)),
                false => {
                    let text = run::render_cost(&report, &advice, self.streams.page);
                    texts.push(target.map.in_words(&text));
                }
            }
            Ok::<_, Failure>(ran.outcome)
        };
        let limit = self.args.limits.max_memory;
        if self.shows_all(target, &arguments)? {
            each_launch(target, &arguments, limit, &mut show)?;
        } else {
            let program = kernel(target)?;
            let bound = bind(target, program, &arguments, limit, false)?;
            show(program, &bound)?;
        }
        self.show(texts.join("\n") + run::COST_LEGEND, values)?;
        Ok(worst)
    }

    /// Returns whether all launches of the file are estimated: on `--launch all`, or if no option selects or changes
    /// one.
    fn shows_all(&self, target: &Target, arguments: &Arguments) -> Result<bool, Failure> {
        let programs = target.programs().map_err(a2lint_run::RunError::from)?;
        let mut launches = target.module.launches.iter();
        let is_launched = launches.any(|launch| programs.iter().any(|it| it.name == launch.kernel));
        let is_plain = self.args.given.launch.is_none()
            && arguments.scalars.is_empty()
            && arguments.shapes.is_empty();
        Ok(arguments.launch == Which::All || is_plain && is_launched)
    }

    /// Prints a table of all kernels at all sizes.
    fn compared(&self, targets: &[Target], sizes: &[Scalars]) -> Result<Status, Failure> {
        let (mut rows, mut values, mut worst) = (Vec::new(), Vec::new(), Status::Clean);
        let mut base: Option<Measured> = None;
        for scalars in sizes {
            // Several kernels are compared with the first one at each size, and a single kernel with its first size.
            if targets.len() > 1 {
                base = None;
            }
            for (name, target) in self.args.targets.iter().zip(targets) {
                let measured = self.measured(target, scalars)?;
                worst = worst.max(measured.status);
                let row = row(
                    label(name, scalars, [targets.len(), sizes.len()]),
                    &measured,
                );
                let row = with_ratio(row, &measured, base.as_ref(), targets.len() > 1);
                let mut value = measured.json.clone();
                value["ratio"] = json!(row.ratio);
                values.push(value);
                rows.push(row);
                base = base.or(Some(measured));
            }
        }
        self.show(run::cost_rows(&rows, self.streams.page), values)?;
        Ok(worst)
    }

    fn measured(&self, target: &Target, scalars: &Scalars) -> Result<Measured, Failure> {
        let arguments = self.args.given.arguments(scalars.clone());
        let program = kernel(target)?;
        let limit = self.args.limits.max_memory;
        let bound = bind(target, program, &arguments, limit, false)?;
        let (job, ran) = self.ran(target, program, &bound)?;
        let report = RunReport::of(&job, &ran, &[]);
        Ok(Measured {
            work: Work::of(program, &bound),
            remark: remark(&report),
            status: status(&report),
            json: run::cost_json(&report, &Advice::default()),
            estimate: ran.estimate,
        })
    }

    fn show(&self, text: String, values: Vec<Value>) -> Result<(), Failure> {
        match self.args.json {
            true => {
                let text = run::render_costs_json(values);
                self.streams.write(&text)
            }
            false => self.streams.show(text),
        }
    }
}

/// Returns a warning if the estimate of a run is not reliable.
pub(super) fn remark(report: &RunReport) -> Option<String> {
    if !matches!(report.outcome.end, End::Finished) {
        return Some("the run did not finish: this is a part of it; see `a2lint run`".to_owned());
    }
    if report.estimate.missing > 0 {
        return Some("a lower bound: the run has too many steps".to_owned());
    }
    (!report.is_clean()).then(|| "something is wrong with this run: see `a2lint run`".to_owned())
}

fn label(name: &str, scalars: &Scalars, [targets, sizes]: [usize; 2]) -> String {
    let values = scalars
        .iter()
        .map(|(name, value)| format!("{name}={value}"));
    let values = values.collect::<Vec<_>>().join(" ");
    match (targets, sizes) {
        (1, _) => values,
        (_, 1) => name.to_owned(),
        _ => format!("{name} {values}"),
    }
}

fn row(label: String, measured: &Measured) -> Row {
    let estimate = &measured.estimate;
    let bound = estimate.bound().map(|bound| bound.describe());
    Row {
        label,
        time: estimate.microseconds(),
        cycles: estimate.cycles,
        bound: bound.unwrap_or_else(|| "nothing".to_owned()),
        ratio: None,
        remark: measured.remark.clone(),
    }
}

/// Adds the time as a multiple of that of `base`. It is left out if two kernels were launched with different input,
/// or if one of the runs was not complete.
fn with_ratio(row: Row, measured: &Measured, base: Option<&Measured>, are_variants: bool) -> Row {
    let Some(base) = base else {
        let ratio = row.remark.is_none().then_some(1.0);
        return Row { ratio, ..row };
    };
    if are_variants && base.work != measured.work {
        let remark = "not compared: other scalars, shapes or types than the first".to_owned();
        let remark = Some(row.remark.unwrap_or(remark));
        return Row { remark, ..row };
    }
    let is_whole = base.remark.is_none() && row.remark.is_none();
    let ratio = is_whole.then(|| row.time / base.estimate.microseconds());
    Row { ratio, ..row }
}
