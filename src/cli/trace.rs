//! `a2lint trace`: the traced instruction programs.

use super::args::TraceArgs;
use super::output::Streams;
use super::target::Target;
use super::{Failure, Status};
use a2lint_ir::print;

/// Prints the instruction programs of the kernels of a file.
pub fn run(args: &TraceArgs, streams: &Streams) -> Result<Status, Failure> {
    let target = Target::open(&args.target)?;
    let programs = target.programs()?;
    let texts: Vec<String> = programs
        .iter()
        .map(|program| print(program, |span| target.map.line(span).to_string()))
        .collect();
    streams.show(texts.join("\n"))?;
    Ok(Status::Clean)
}
