//! What decides about the launches of a kernel, and what bounds their runs.

use a2lint_isa::device::Device;
use a2lint_machine::Options;

/// What decides about the launches of a kernel and their runs.
#[derive(Clone, Copy, Debug)]
pub struct Request<'a> {
    /// The device.
    pub device: Device,
    /// Values that the user gives scalars and symbolic extents.
    pub bindings: &'a [(String, f64)],
    /// Whether the machine saturates, see [`Options::saturate`].
    pub saturate: bool,
    /// Work that all runs of a kernel may do together, see [`Options::max_work`].
    pub work: u64,
}

/// Work that the replays of all kernels of a file may take together: less than a second on two cores.
pub const DEFAULT_WORK: u64 = 1_600_000;
/// Most statements of one run, for each unit of its work: those that only count take little.
const INSTRUCTIONS_PER_WORK: u64 = 2;
/// Most bytes of the global tensors of one launch: addresses, of which what is touched takes room.
pub(crate) const MAX_GLOBAL_BYTES: u64 = 1 << 30;
/// Most bytes of on-chip memories: those of twenty cores that wait for one another.
const MAX_LOCAL_BYTES: u64 = 64 << 20;

/// The options of the machine for a run of so much work.
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
