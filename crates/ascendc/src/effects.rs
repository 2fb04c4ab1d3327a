//! Calls without an effect on the memory of a kernel.

/// Output of the CPU twin and of the debugger.
const OUTPUT: &[&str] = &["printf", "PRINTF", "DumpTensor"];

/// The workspace of the system is memory that no kernel of its own names.
const WORKSPACE: &[&str] = &["SetSysWorkspace", "SetSysWorkspaceForce"];

/// Caches: global memory is taken as coherent.
const CACHES: &[&str] = &["DataCacheCleanAndInvalid", "icache_preload"];

/// Addresses of the hardware's own tables, which flags between cores are sent through.
const TABLES: &[&str] = &["SetFftsBaseAddr", "set_ffts_base_addr", "SetSyncBaseAddr"];

/// What loads of windows pad images with; images with padding are not followed.
const PADDING: &[&str] = &["SetLoadDataPaddingValue"];

/// In which order products are computed, and factors for conversions that take them from a table: those are not followed.
const CUBE: &[&str] = &[
    "SetMMLayoutTransform",
    "SetMMColumnMajor",
    "SetMMRowMajor",
    "SetFixPipeConfig",
];

/// How results beyond the range of a type are rounded: to infinity or to the largest number. Which of both is set is
/// not followed.
const RANGES: &[&str] = &["SetOverflow"];

/// Whether a function has no effect on memory.
pub fn has_none(name: &str) -> bool {
    [OUTPUT, WORKSPACE, CACHES, TABLES, PADDING, CUBE, RANGES]
        .iter()
        .any(|names| names.contains(&name))
}
