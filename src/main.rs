//! The command line of a2lint.

use std::process::ExitCode;

/// Also serves the C parsers, which allocate for every node of a tree.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> ExitCode {
    a2lint::cli::run()
}
