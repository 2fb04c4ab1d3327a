//! The command line of a2lint.

use std::process::ExitCode;

// Replaces `malloc` for Rust and for the C parsers, which allocate for each node of a tree.
#[cfg(not(windows))]
use mimalloc as _;

/// On Windows `malloc` cannot be replaced, so the allocator serves Rust only.
#[cfg(windows)]
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    a2lint::cli::run()
}
