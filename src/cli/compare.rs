//! `a2lint compare`: whether a new version of a kernel computes the same, and is as good.

use std::path::PathBuf;
use std::time::Instant;

use super::check::write_file;
use super::output::Streams;
use super::run::{InputArgs, LimitArgs, Terminal};
use super::{Command, Failure, Status, parsed};
use a2lint_report::Page;
use a2lint_report::versions::{self as report, VersionReport};
use a2lint_run::target::Target;
use a2lint_run::versions::{Answer, Request, Version, versions};
use a2lint_run::{RunError, kernel, spec};
use a2lint_source::disk::Named;

/// Options of `compare`.
#[derive(Debug, clap::Args)]
pub struct CompareArgs {
    /// The kernel as it was.
    #[arg(value_name = "OLD[::KERNEL]")]
    pub old: String,
    /// The kernel as it is now, in the same or another language.
    #[arg(value_name = "NEW[::KERNEL]")]
    pub new: String,
    /// A parameter of OLD that has another name in NEW; others are matched by name.
    #[arg(long = "match", value_name = "OLD=NEW", value_parser = spec::renaming)]
    pub matches: Vec<(String, String)>,
    /// Compare this result alone; may be repeated [default: all that both have].
    #[arg(long, value_name = "NAME")]
    pub only: Vec<String>,
    /// Number of seeds of random inputs, beside zeros, ones, large and small numbers.
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u64).range(1..=1000))]
    pub seeds: u64,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub inputs: InputArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub limits: LimitArgs,
    /// Write a page of HTML with both versions side by side.
    #[arg(long, value_name = "FILE.html")]
    pub report: Option<PathBuf>,
    /// Show one JSON object.
    #[arg(long)]
    pub json: bool,
}

impl CompareArgs {
    fn request(&self) -> Request {
        Request {
            arguments: self.inputs.arguments(),
            matches: self.matches.clone(),
            only: self.only.clone(),
            seeds: self.seeds,
            limits: self.limits.limits(),
        }
    }

    /// Returns the names of both versions.
    fn names(&self) -> [String; 2] {
        [self.old.clone(), self.new.clone()]
    }
}

/// Returns the kernel that a target names.
fn version(target: &Target) -> Result<Version<'_>, RunError> {
    Ok(Version {
        target,
        program: kernel(target)?,
    })
}

/// Compares two versions of a kernel.
pub fn run(args: &CompareArgs, streams: &Streams) -> Result<Status, Failure> {
    let start = Instant::now();
    let targets = [Target::open(&args.old)?, Target::open(&args.new)?];
    let [old, new] = &targets;
    let both = [version(old)?, version(new)?];
    let mut terminal = Terminal::new();
    let compared = versions(both, &args.request(), &mut terminal)?;
    drop(terminal);
    let report = VersionReport {
        compared: &compared,
        names: args.names(),
        seconds: start.elapsed().as_secs_f64(),
    };
    if let Some(path) = &args.report {
        write_file(path, &Named::ByUser, &report::page(&report))?;
    }
    match args.json {
        true => streams.write(&report::render_json(&report))?,
        false => streams.show(report::render(&report, streams.page))?,
    }
    Ok(match compared.answer() {
        Answer::AsGood => Status::Clean,
        Answer::Open | Answer::Worse => Status::Findings,
    })
}

/// What came of a comparison, for other programs than the command line.
#[derive(Clone, Debug)]
pub struct ComparedFiles {
    /// The JSON object of `--json`.
    pub json: String,
    /// The report for people.
    pub text: String,
    /// The page of `--report`.
    pub page: String,
    /// Whether NEW is as good or better.
    pub is_as_good: bool,
}

/// Compares two versions of a kernel, with the options of `compare`.
///
/// # Errors
/// A message if the options are none of `compare`, or a version cannot be read.
pub fn compare_for_program(
    old: &str,
    new: &str,
    options: &[String],
) -> Result<ComparedFiles, String> {
    a2lint_source::guard::install();
    let start = Instant::now();
    let Command::Compare(args) = parsed("compare", options, &[old, new])? else {
        return Err("these are no options of compare".to_owned());
    };
    let open = |name: &str| Target::open(name).map_err(|error| error.to_string());
    let (old, new) = (open(&args.old)?, open(&args.new)?);
    let of = |target| version(target).map_err(|error| error.to_string());
    let compared = versions([of(&old)?, of(&new)?], &args.request(), &mut ());
    let compared = compared.map_err(|error| error.to_string())?;
    let report = VersionReport {
        compared: &compared,
        names: args.names(),
        seconds: start.elapsed().as_secs_f64(),
    };
    Ok(ComparedFiles {
        json: report::render_json(&report),
        text: Page::PLAIN
            .clean(&report::render(&report, Page::PLAIN))
            .into_owned(),
        page: report::page(&report),
        is_as_good: matches!(compared.answer(), Answer::AsGood),
    })
}
