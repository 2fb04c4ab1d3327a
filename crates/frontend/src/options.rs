//! Options of the front ends for a file.

use a2lint_ir::GivenLaunch;
use a2lint_isa::RepeatRounding;
use a2lint_isa::device::Device;
use a2lint_project::Project;

/// What is known about a file beside its text.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TraceOptions {
    /// The device that kernels are meant for.
    pub device: Device,
    /// The rounding of repeat counts that calls leave out.
    pub repeat_rounding: RepeatRounding,
    /// Launches beside those of the file.
    pub launches: Vec<GivenLaunch>,
    /// The file's place in its project; without it, imports are not followed.
    pub project: Option<Project>,
}
