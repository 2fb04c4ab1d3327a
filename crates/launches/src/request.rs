//! The request for launches: device, bindings and the budget of their runs.

use a2lint_isa::device::Device;
use a2lint_machine::Options;

/// What launches are chosen for, and what their runs may cost.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The device.
    pub device: Device,
    /// Values of scalars and named extents that the user has bound.
    pub bindings: &'a [(String, f64)],
    /// Whether conversions saturate, see [`Options::saturate`].
    pub saturate: bool,
    /// Work of all runs of a kernel together, see [`Options::max_work`].
    pub work: u64,
}

/// Work of the replays of all kernels of a file together: less than a second on two cores.
pub const DEFAULT_WORK: u64 = 1_600_000;
/// Statements allowed for each unit of work. Scalar statements cost next to no work, so this bounds loops
/// that only count.
const INSTRUCTIONS_PER_WORK: u64 = 2;
/// Maximum number of bytes of the global tensors of one launch. This bounds addresses; memory is taken only for pages
/// that a run touches.
pub(crate) const MAX_GLOBAL_BYTES: u64 = 1 << 30;
/// Maximum number of bytes of on-chip memory: enough for twenty cores that are alive at once because they wait for each
/// other.
const MAX_LOCAL_BYTES: u64 = 64 << 20;

/// Returns the machine's options for a run with this budget of work.
pub fn options(work: u64, saturate: bool) -> Options {
    Options {
        max_instructions: work.saturating_mul(INSTRUCTIONS_PER_WORK),
        max_work: work,
        max_memory: MAX_LOCAL_BYTES,
        saturate,
        leaves_untouched: true,
        ..Options::default()
    }
}
