//! `a2lint debug`: the terminal debugger.

mod commands;
mod shell;

use std::io::{BufRead, IsTerminal, Write};

use super::output::Streams;
use super::run::InputArgs;
use super::run::interrupt::Interrupt;
use super::{Failure, Status};
use a2lint_machine::LaneKind;
use a2lint_report::state::statements_on;
use a2lint_run::debug::{Breakpoint, Filter, Hits, Limits, Session};
use a2lint_run::target::Target;
use a2lint_run::{RunError, bind, kernel, kernel_at};
use shell::Shell;

/// Options of `debug`.
#[derive(Debug, clap::Args)]
pub struct DebugArgs {
    /// A file, one of its kernels, or a line of one, where the run stops first.
    ///
    /// Commands are read from standard input; `help` lists them.
    #[arg(value_name = "FILE[::KERNEL][:LINE]")]
    pub target: String,
    #[command(flatten)]
    #[allow(missing_docs)]
    pub inputs: InputArgs,
    /// Most bytes of global tensors, and of on-chip memories (K, M and G are understood).
    #[arg(long, value_name = "BYTES", default_value = "1G", value_parser = a2lint_run::spec::bytes)]
    pub max_memory: u64,
}

/// Reads and executes commands until the end of the input or `quit`.
pub fn run(args: &DebugArgs, streams: &Streams) -> Result<Status, Failure> {
    let (target, lines) = Target::open_at(&args.target)?;
    let program = match &lines {
        Some(lines) => kernel_at(&target, lines)?,
        None => kernel(&target)?,
    };
    let bound = bind(
        &target,
        program,
        &args.inputs.arguments(),
        args.max_memory,
        false,
    )?;
    let limits = Limits {
        memory: args.max_memory,
        ..Limits::default()
    };
    let session = Session::new(program, &target.map, &bound.launch, limits);
    let session = session.map_err(|refusal| {
        Failure::Run(RunError::Refused {
            kernel: program.name.to_string(),
            reason: refusal.reason,
        })
    })?;
    let interrupt = Interrupt::listen();
    let mut shell = Shell::new(session, &target, streams.page, &interrupt);
    let launch = format!("{} with {}", program.name, bound.origin);
    streams.show(format!("{launch}\n"))?;
    let first = match &lines {
        Some(lines) => {
            let stmts = statements_on(program, &target.map, lines);
            shell.run_to(Breakpoint {
                id: 0,
                stmts,
                filter: Filter::default(),
                condition: None,
                hits: Hits::All,
            })
        }
        None => shell.here(),
    };
    streams.show(first)?;
    talk(&mut shell, streams, &interrupt)
}

/// Executes commands line by line; an empty line repeats the last one.
fn talk(shell: &mut Shell, streams: &Streams, interrupt: &Interrupt) -> Result<Status, Failure> {
    let is_terminal = std::io::stdin().is_terminal();
    let mut last = String::new();
    let mut input = std::io::stdin().lock();
    loop {
        if is_terminal {
            let mut stdout = std::io::stdout().lock();
            let _ = stdout.write_all(b"(a2lint) ").and_then(|()| stdout.flush());
        }
        let mut line = String::new();
        // A line that is not UTF-8 ends the session like the end of the input.
        let read = input.read_line(&mut line).unwrap_or(0);
        if read == 0 {
            return Ok(Status::Clean);
        }
        let line = line.trim();
        if !line.is_empty() {
            line.clone_into(&mut last);
        }
        if last.is_empty() {
            continue;
        }
        interrupt.forget();
        match shell.command(&last) {
            Some(text) => streams.show(text)?,
            None => return Ok(Status::Clean),
        }
    }
}

/// Returns whether a lane is shown first, if it exists: the first vector lane.
fn preferred(kind: LaneKind) -> bool {
    kind == LaneKind::Vec(0)
}
