//! The command line. Besides the servers, this is the only place that accesses files and clocks.

mod args;
mod check;
mod compare;
mod cost;
mod debug;
mod eval;
mod explain;
mod init;
mod markdown;
mod mem;
mod output;
mod print;
mod prove;
mod report;
mod rewrite;
mod rules;
mod run;
mod test;
mod trace;

pub use check::check_for_program;
pub use compare::{ComparedFiles, compare_for_program};
pub use test::{TestedFile, test_for_program};

use std::path::Path;
use std::process::ExitCode;

use args::{Args, ColorChoice, Command};
use clap::Parser;
use output::Streams;

use crate::{files, target};
use a2lint_lint::config::ConfigError;
use a2lint_report::{Paint, config_error};
use a2lint_run::RunError;
use a2lint_run::target::TargetError;

/// The result of a command, which becomes its exit status.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// No findings and no errors.
    #[default]
    Clean,
    /// Findings at a level that fails the command.
    Findings,
    /// Wrong options or unreadable input.
    Unusable,
    /// A defect of a2lint.
    Internal,
}

impl From<Status> for ExitCode {
    fn from(status: Status) -> ExitCode {
        ExitCode::from(match status {
            Status::Clean => 0,
            Status::Findings => 1,
            Status::Unusable => 2,
            Status::Internal => 101,
        })
    }
}

/// Parses the command line, executes the command and returns the exit status.
pub fn run() -> ExitCode {
    a2lint_source::guard::install();
    if let Some(name) = args::file_among_options(std::env::args_os().skip(1)) {
        let name = name.to_string_lossy();
        Streams::new(ColorChoice::Auto).complain(&format!(
            "`{name}` is an option, and a file of this folder has that name: write `--` before names of files"
        ));
        return Status::Unusable.into();
    }
    let args = match Args::try_parse() {
        Ok(args) => args,
        Err(error) if error.use_stderr() => return misused(&error),
        // `--help` and `--version` are reported as errors, too.
        Err(error) => error.exit(),
    };
    let streams = Streams::new(args.color);
    let outcome = match args.command {
        Command::Check(args) => check::run(&args, &streams),
        Command::Init(args) => init::run(&args, &streams),
        Command::Rules(args) => rules::run(&args, &streams),
        Command::Explain(args) => explain::run(&args, &streams),
        Command::Prove(args) => prove::run(*args, &streams),
        Command::Run(args) => run::run(&args, &streams),
        Command::Test(args) => test::run(&args, &streams),
        Command::Compare(args) => compare::run(&args, &streams),
        Command::Debug(args) => debug::run(&args, &streams),
        Command::Cost(args) => cost::run(&args, &streams),
        Command::Report(args) => report::run(&args, &streams),
        Command::Eval(args) => eval::run(&args, &streams),
        Command::Mem(args) => mem::run(&args, &streams),
        Command::Trace(args) => trace::run(&args, &streams),
        Command::Lsp => serve(),
        Command::Dap => a2lint_dap::serve_stdio()
            .map(|()| Status::Clean)
            .map_err(Failure::Server),
        Command::Mcp => a2lint_mcp::serve_stdio(check_for_program)
            .map(|()| Status::Clean)
            .map_err(Failure::Server),
        Command::ConfigSchema => print::config_schema(&streams),
        Command::Completions { shell } => print::completions(shell, &streams),
        Command::Man => print::man(&streams),
    };
    let status = outcome.unwrap_or_else(|failure| {
        failure.show(&streams);
        Status::Unusable
    });
    status.into()
}

/// Prints an error in the options.
fn misused(error: &clap::Error) -> ExitCode {
    let streams = Streams::new(ColorChoice::Auto);
    let text = error.render();
    streams.remark(&match streams.error_page.paint {
        Paint::Coloured => text.ansi().to_string(),
        Paint::Plain => text.to_string(),
    });
    if error.kind() == clap::error::ErrorKind::InvalidSubcommand
        && let Some(path) = std::env::args_os().nth(1)
        && Path::new(&path).exists()
    {
        let path = files::shown(Path::new(&path));
        streams.remark(&format!("\n  tip: to check it, `a2lint check {path}`\n"));
    }
    Status::Unusable.into()
}

/// Serves an editor until it disconnects.
fn serve() -> Result<Status, Failure> {
    a2lint_lsp::serve_stdio().map_err(Failure::Server)?;
    Ok(Status::Clean)
}

/// The reason why a command failed.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// An input cannot be read.
    #[error(transparent)]
    Input(#[from] files::InputError),
    /// The configuration is wrong.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A baseline cannot be read.
    #[error("cannot use the baseline {path}: {cause}")]
    Baseline {
        /// The file.
        path: String,
        /// The cause of the error.
        cause: String,
    },
    /// The file system cannot be watched.
    #[error("cannot watch the files: {cause}")]
    Watch {
        /// The error of the file system.
        cause: notify::Error,
    },
    /// An output file cannot be written.
    #[error("cannot write {path}: {cause}")]
    Output {
        /// The file.
        path: String,
        /// The error of the file system.
        cause: std::io::Error,
    },
    /// The named file or kernel cannot be used.
    #[error(transparent)]
    Target(TargetError),
    /// A kernel cannot be run.
    #[error(transparent)]
    Run(RunError),
    /// A plot was requested over two sizes.
    #[error("a plot has one size on its axis: give several values to `{first}` or to `{second}`")]
    TwoAxes {
        /// A size with several values.
        first: String,
        /// Another one.
        second: String,
    },
    /// A comparison has too many runs.
    #[error("{count} runs are more than the {most} that are compared at once")]
    TooManyRuns {
        /// Number of requested runs.
        count: usize,
        /// Maximum number of runs.
        most: usize,
    },
    /// A server failed.
    #[error("cannot serve: {0}")]
    Server(std::io::Error),
    /// Threads cannot be started.
    #[error("cannot start {jobs} threads: {cause}")]
    Threads {
        /// Number of requested threads.
        jobs: usize,
        /// The error of the system.
        cause: rayon::ThreadPoolBuildError,
    },
}

impl From<TargetError> for Failure {
    fn from(error: TargetError) -> Failure {
        match error {
            TargetError::Input(error) => Failure::Input(error),
            TargetError::Config(error) => Failure::Config(error),
            error => Failure::Target(error),
        }
    }
}

impl From<RunError> for Failure {
    fn from(error: RunError) -> Failure {
        match error {
            RunError::Target(error) => (*error).into(),
            error => Failure::Run(error),
        }
    }
}

impl Failure {
    /// Prints the error.
    fn show(&self, streams: &Streams) {
        match self {
            Failure::Config(error) => {
                let mut error = error.clone();
                error.path = files::shown(Path::new(&error.path));
                streams.remark(&config_error(&error, streams.error_page.paint));
            }
            failure => streams.complain(&failure.to_string()),
        }
    }
}

/// Parses what another program gives to a command: its options and its targets.
fn parsed(command: &str, options: &[String], targets: &[&str]) -> Result<Command, String> {
    let words = ["a2lint", command].into_iter();
    let words = words.chain(options.iter().map(String::as_str));
    let words = words.chain(["--"]).chain(targets.iter().copied());
    let args = Args::try_parse_from(words).map_err(|error| error.to_string())?;
    Ok(args.command)
}
