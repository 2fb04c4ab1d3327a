//! `a2lint mem`: memory maps.

use super::args::MemArgs;
use super::output::Streams;
use super::target::Target;
use super::{Failure, Status};
use a2lint_report::memory;

/// Prints the memory maps of the kernels of a file, or of one kernel.
pub fn run(args: &MemArgs, streams: &Streams) -> Result<Status, Failure> {
    let target = Target::open(&args.target)?;
    let programs = target.programs()?;
    let device = args.device.or(&target.settings);
    let text = memory::render(
        &target.report,
        &programs,
        &target.module.launches,
        device,
        streams.page,
    );
    streams.show(text)?;
    Ok(Status::Clean)
}
