//! Calls without an effect on the memory of a kernel.

/// Functions without effect on tensors: output of the CPU twin debugger.
const OUTPUT: &[&str] = &["printf", "PRINTF", "DumpTensor"];

/// Functions that set the workspace of the system, which kernels do not access.
const WORKSPACE: &[&str] = &["SetSysWorkspace", "SetSysWorkspaceForce"];

/// Functions that manage caches. They have no effect here, since global memory is modelled as coherent.
const CACHES: &[&str] = &["DataCacheCleanAndInvalid", "icache_preload"];

/// Functions that set the addresses of the tables through which the hardware sends flags between cores.
const TABLES: &[&str] = &["SetFftsBaseAddr", "set_ffts_base_addr", "SetSyncBaseAddr"];

/// Functions that set the padding value of image loads. Loads with padding are not supported, so the value has no
/// effect.
const PADDING: &[&str] = &["SetLoadDataPaddingValue"];

/// Functions that choose the order in which products are computed, and a table of factors for conversions that are not
/// supported.
const CUBE: &[&str] = &[
    "SetMMLayoutTransform",
    "SetMMColumnMajor",
    "SetMMRowMajor",
    "SetFixPipeConfig",
];

/// Functions that choose whether results beyond the range of a type become infinite or the largest number. The choice
/// is not modelled.
const RANGES: &[&str] = &["SetOverflow"];

/// Returns whether a function has no effect on memory.
pub fn has_none(name: &str) -> bool {
    [OUTPUT, WORKSPACE, CACHES, TABLES, PADDING, CUBE, RANGES]
        .iter()
        .any(|names| names.contains(&name))
}
