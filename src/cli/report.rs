//! `a2lint report`: an HTML page about a kernel.

use std::path::{Path, PathBuf};

use std::time::Instant;

use super::check::write_file;
use super::cost::remark;
use super::output::Streams;
use super::run::{GivenArgs, LimitArgs};
use super::{Failure, Status};
use a2lint_ir::Program;
use a2lint_lint::check::{self, Conclusion};
use a2lint_report::html::{self, Point, Sweep, Time};
use a2lint_report::printable;
use a2lint_report::run::RunReport;
use a2lint_run::target::Target;
use a2lint_run::{Job, Limits, Questions, bind, kernel, sweep};
use a2lint_source::disk::Named;
use a2lint_source::files;
use a2lint_source::language::Language;

/// Options of `report`.
#[derive(Debug, clap::Args)]
pub struct ReportArgs {
    /// A file, or one of its kernels.
    #[arg(value_name = "FILE[::KERNEL]")]
    pub target: String,
    /// The page [default: KERNEL.html].
    #[arg(short, long, value_name = "FILE.html")]
    pub output: Option<PathBuf>,
    /// Value of a scalar parameter or a symbolic extent; several values of one of them to plot the time
    /// over it.
    ///
    /// M=1024..8192:x2 is 1024, 2048, 4096 and 8192; M=100..300:+100 is 100, 200 and 300. The rest of the
    /// page is about the first.
    #[arg(long, value_name = "NAME=VALUE|FIRST..LAST:xN|FIRST..LAST:+N", value_parser = sweep)]
    pub bind: Vec<(String, Vec<f64>)>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub given: GivenArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitArgs,
}

/// Writes the page.
pub fn run(args: &ReportArgs, streams: &Streams) -> Result<Status, Failure> {
    let target = Target::open(&args.target)?;
    let program = kernel(&target)?;
    let swept = swept(&args.bind)?;
    let arguments = args.given.arguments(first_values(&args.bind));
    let bound = bind(&target, program, &arguments, args.limits.max_memory, false)?;
    let known = checked(&args.target, &target)?;
    let questions = Questions::default();
    let limits = args.limits.limits();
    let job = Job::of(&target, program, &bound, &questions, limits);
    let sweep = swept.map(|swept| timed(args, &target, program, swept));
    let page = html::page(&job, &known, sweep.as_ref(), &mut ());
    let (path, named) = match &args.output {
        Some(path) => (path.clone(), Named::ByUser),
        None => {
            let here = files::absolute(Path::new("."));
            let name = format!("{}.html", file_name(&program.name));
            (here.join(name), Named::In(here))
        }
    };
    write_file(&path, &named, &page)?;
    let size = page.len() / 1024;
    let shown = files::shown(&path);
    streams.remark(&format!("{} ({size} KB)\n", printable(&shown)));
    Ok(Status::Clean)
}

type Swept = (String, Vec<f64>);

/// Returns the size with several values, if there is one; more than one is an error.
fn swept(bind: &[Swept]) -> Result<Option<&Swept>, Failure> {
    let mut swept = bind.iter().filter(|(_, values)| values.len() > 1);
    match (swept.next(), swept.next()) {
        (Some((first, _)), Some((second, _))) => Err(Failure::TwoAxes {
            first: first.clone(),
            second: second.clone(),
        }),
        (swept, _) => Ok(swept),
    }
}

/// Returns every size with the first of its values.
fn first_values(bind: &[Swept]) -> Vec<(String, f64)> {
    let firsts = bind.iter().filter_map(|(name, values)| {
        let value = values.first()?;
        Some((name.clone(), *value))
    });
    firsts.collect()
}

/// Estimates the time of the kernel at each value of a size. The limits apply to all runs together.
fn timed(args: &ReportArgs, target: &Target, program: &Program, swept: &Swept) -> Sweep {
    let (name, values) = swept;
    let start = Instant::now();
    let points = values.iter().map(|&value| {
        let left = args.limits.max_seconds - start.elapsed().as_secs_f64();
        let timed = match left > 0.0 {
            true => at(args, target, program, (name, value), left),
            false => Err("not run: the time for all sizes was over (--max-seconds)".to_owned()),
        };
        match timed {
            Ok((time, remark)) => Point {
                value,
                time: Some(time),
                remark,
            },
            Err(reason) => Point {
                value,
                time: None,
                remark: Some(reason),
            },
        }
    });
    Sweep {
        name: name.clone(),
        points: points.collect(),
    }
}

/// Estimates the time at one value. Returns it with a warning, if it is not reliable, or the reason why the kernel
/// was not run.
fn at(
    args: &ReportArgs,
    target: &Target,
    program: &Program,
    (name, value): (&str, f64),
    seconds: f64,
) -> Result<(Time, Option<String>), String> {
    let mut scalars = first_values(&args.bind);
    scalars.retain(|(known, _)| known != name);
    scalars.push((name.to_owned(), value));
    let arguments = args.given.arguments(scalars);
    let not_run = |cause: a2lint_run::RunError| format!("not run: {cause}");
    let bound = bind(target, program, &arguments, args.limits.max_memory, false);
    let bound = bound.map_err(not_run)?;
    let limits = Limits {
        seconds,
        ..args.limits.limits()
    };
    let questions = Questions::default();
    let job = Job::of(target, program, &bound, &questions, limits);
    let ran = job.run(&mut ()).map_err(not_run)?;
    let remark = remark(&RunReport::of(&job, &ran, &[]));
    Ok((Time::of(&ran.estimate), remark))
}

/// Checks and proves the file.
fn checked(path: &str, target: &Target) -> Result<Conclusion, Failure> {
    let path = path.rsplit_once("::").map_or(path, |(path, _)| path);
    let source = files::read_source(Path::new(path))?;
    let mut settings = target.settings.clone();
    settings.prove = true;
    let language = Language::of_path(Path::new(path)).unwrap_or_default();
    let analysis = check::check(&source, language, &settings);
    Ok(Conclusion {
        findings: analysis.findings,
        records: analysis.records,
        excess: 0,
    })
}

/// Replaces characters that are not common in file names: kernels of a factory have names like `build[T=64]`.
fn file_name(kernel: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "_-.=".contains(c);
    kernel
        .chars()
        .map(|c| if is_plain(c) { c } else { '_' })
        .collect()
}
