//! The command line of a2lint.

use std::process::ExitCode;

fn main() -> ExitCode {
    a2lint::cli::run()
}
