//! The command line: the only place, beside the language server, that knows files and clocks.

mod args;
mod check;
mod cost;
mod debug;
mod eval;
mod explain;
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

/// How a command ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Status {
    /// Nothing to complain about.
    #[default]
    Clean,
    /// Findings at the failing level.
    Findings,
    /// Bad options or unreadable input.
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

/// Reads the command line, does what it says and returns the exit status.
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
        // Help and version.
        Err(error) => error.exit(),
    };
    let streams = Streams::new(args.color);
    let outcome = match args.command {
        Command::Check(args) => check::run(&args, &streams),
        Command::Rules(args) => rules::run(&args, &streams),
        Command::Explain(args) => explain::run(&args, &streams),
        Command::Prove(args) => prove::run(*args, &streams),
        Command::Run(args) => run::run(&args, &streams),
        Command::Test(args) => test::run(&args, &streams),
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

/// Says what is wrong with the options.
fn misused(error: &clap::Error) -> ExitCode {
    let streams = Streams::new(ColorChoice::Auto);
    let text = error.render();
    streams.remark(&match streams.error_page.paint {
        Paint::Coloured => text.ansi().to_string(),
        Paint::Plain => text.to_string(),
    });
    Status::Unusable.into()
}

/// Serves an editor until it leaves.
fn serve() -> Result<Status, Failure> {
    a2lint_lsp::serve_stdio().map_err(Failure::Server)?;
    Ok(Status::Clean)
}

/// Why a command could not do its work.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// The input.
    #[error(transparent)]
    Input(#[from] files::InputError),
    /// The configuration.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A baseline.
    #[error("cannot use the baseline {path}: {cause}")]
    Baseline {
        /// The file.
        path: String,
        /// What is wrong with it.
        cause: String,
    },
    /// Watching files.
    #[error("cannot watch the files: {cause}")]
    Watch {
        /// What the system says.
        cause: notify::Error,
    },
    /// The output, a file.
    #[error("cannot write {path}: {cause}")]
    Output {
        /// The file.
        path: String,
        /// What the system says.
        cause: std::io::Error,
    },
    /// The file or the kernel that was named.
    #[error(transparent)]
    Target(TargetError),
    /// A kernel that cannot be run.
    #[error(transparent)]
    Run(RunError),
    /// A plot over two sizes.
    #[error("a plot has one size on its axis: give several values to `{first}` or to `{second}`")]
    TwoAxes {
        /// A size with several values.
        first: String,
        /// Another one.
        second: String,
    },
    /// A comparison that is too large.
    #[error("{count} runs are more than the {most} that are compared at once")]
    TooManyRuns {
        /// How many were asked for.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// The language server.
    #[error("cannot serve: {0}")]
    Server(std::io::Error),
    /// Threads.
    #[error("cannot start {jobs} threads: {cause}")]
    Threads {
        /// How many were asked for.
        jobs: usize,
        /// What the system says.
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
    /// Tells the user.
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
