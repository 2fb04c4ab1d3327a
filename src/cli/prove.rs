//! `a2lint prove`: the properties that are proved for kernels.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use clap::ValueEnum;

use super::args::threads;
use super::check::{
    BaselineArgs, CacheArgs, CheckArgs, CheckFormat, ConfigArgs, EditArgs, RuleArgs, property,
};
use super::output::Streams;
use super::{Failure, Status, check};
use a2lint_ir::verdict::Property;
use a2lint_report::{FileReport, Links, Run, json, proofs};

/// Options of `prove`.
#[derive(Debug, clap::Args)]
pub struct ProveArgs {
    /// Files and directories, as for `check` [default: the current directory].
    #[arg(value_name = "PATH")]
    pub paths: Vec<PathBuf>,
    /// How the result is shown.
    #[arg(long, value_enum, default_value_t, value_name = "FORMAT")]
    #[arg(alias = "format")]
    #[arg(help_heading = "Output")]
    pub output_format: ProveFormat,
    /// Fail if a property of a kernel is not proved, with or without preconditions [default: any of them].
    #[arg(
        long,
        value_name = "PROPERTY",
        value_delimiter = ',',
        num_args = 0..=1,
        require_equals = true,
        value_parser = property
    )]
    #[arg(help_heading = "Exit status")]
    pub require_proof: Option<Vec<Property>>,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub rules: RuleArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub config: ConfigArgs,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub cache: CacheArgs,
    /// Number of threads [default: one per core].
    #[arg(short, long, value_name = "N", value_parser = threads)]
    #[arg(help_heading = "Runs and proofs")]
    pub jobs: Option<NonZeroUsize>,
    /// Show the table alone, without conditions and reasons.
    #[arg(short, long)]
    #[arg(help_heading = "Output")]
    pub quiet: bool,
}

/// Formats of `prove`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ProveFormat {
    /// A table, with conditions and reasons.
    #[default]
    Full,
    /// The JSON object of `check`, whose kernels have their verdicts.
    Json,
}

/// Prints the verdicts on each kernel.
pub fn run(args: ProveArgs, streams: &Streams) -> Result<Status, Failure> {
    let start = Instant::now();
    let (format, quiet) = (args.output_format, args.quiet);
    let wanted = args.require_proof.clone();
    let mut args = check_args(args);
    let configs = check::configs(&args)?;
    let outcome = check::check_all(&args, &configs, streams)?;
    let status = outcome.status;
    let reports: Vec<FileReport> = outcome.files.into_iter().map(|file| file.report).collect();
    let run = Run {
        seconds: start.elapsed().as_secs_f64(),
        candidates: outcome.candidates,
        hidden: 0,
        all_reasons: false,
        is_verbose: false,
        tried_repairs: false,
        links: Links::default(),
    };
    match format {
        ProveFormat::Json => streams.write(&json::render(&reports, &run))?,
        ProveFormat::Full => {
            streams.show(proofs::table(&reports, streams.page))?;
            if !quiet {
                streams.show(proofs::details(&reports))?;
                streams.show(proofs::summary(&reports, &run, streams.page))?;
            }
        }
    }
    args.require_proof = wanted;
    Ok(match check::lacks_proof(&args, &reports) {
        true => status.max(Status::Findings),
        false => status,
    })
}

/// Returns the options of the check whose results are shown.
fn check_args(args: ProveArgs) -> CheckArgs {
    CheckArgs {
        paths: args.paths,
        stdin_filename: None,
        output_format: CheckFormat::Full,
        output_file: None,
        rules: args.rules,
        edits: EditArgs::default(),
        baseline: BaselineArgs::default(),
        config: args.config,
        cache: args.cache,
        statistics: false,
        watch: false,
        exit_zero: false,
        error_on_warning: false,
        require_complete: false,
        require_proof: Some(Vec::new()),
        jobs: args.jobs,
        quiet: args.quiet,
        verbose: false,
    }
}
