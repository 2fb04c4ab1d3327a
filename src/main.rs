//! The command line of a2lint.

use std::process::ExitCode;

// Takes the place of `malloc`, for Rust as for the C parsers, which allocate for every node of a tree.
#[cfg(not(windows))]
use mimalloc as _;

/// Where nothing can take the place of `malloc`, Rust alone is served.
#[cfg(windows)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    a2lint::cli::run()
}
