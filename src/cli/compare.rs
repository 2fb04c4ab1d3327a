//! `a2lint compare`: whether a new version of a kernel computes the same, and is as good.

use std::time::Instant;

use super::output::Streams;
use super::run::{InputArgs, LimitArgs, Terminal};
use super::target::Target;
use super::{Failure, Status};
use a2lint_report::versions::{self as report, VersionReport};
use a2lint_run::versions::{Answer, Request, Version, versions};
use a2lint_run::{kernel, spec};

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
    /// Show one JSON object.
    #[arg(long)]
    pub json: bool,
}

/// Compares two versions of a kernel.
pub fn run(args: &CompareArgs, streams: &Streams) -> Result<Status, Failure> {
    let start = Instant::now();
    let targets = [Target::open(&args.old)?, Target::open(&args.new)?];
    let [old, new] = &targets;
    let both = [
        Version {
            target: old,
            program: kernel(old)?,
        },
        Version {
            target: new,
            program: kernel(new)?,
        },
    ];
    let request = Request {
        arguments: args.inputs.arguments(),
        matches: args.matches.clone(),
        only: args.only.clone(),
        seeds: args.seeds,
        limits: args.limits.limits(),
    };
    let mut terminal = Terminal::new();
    let compared = versions(both, &request, &mut terminal)?;
    drop(terminal);
    let report = VersionReport {
        compared: &compared,
        names: [args.old.clone(), args.new.clone()],
        seconds: start.elapsed().as_secs_f64(),
    };
    match args.json {
        true => streams.write(&report::render_json(&report))?,
        false => streams.show(report::render(&report, streams.page))?,
    }
    Ok(match compared.answer() {
        Answer::AsGood => Status::Clean,
        Answer::Open | Answer::Worse => Status::Findings,
    })
}
