//! Names of commands in lenses, actions and links.

/// Debugs a kernel; clients implement it themselves. Argument: `{uri, kernel, launch, bind, stopAtLine, stopAt}`, the
/// last two as `a2lint dap` takes them.
pub const DEBUG: &str = "a2lint.debug";
/// Simulates a kernel. Argument: `{uri, kernel, launch}`.
pub const RUN: &str = "a2lint.run";
/// Draws the memory map of a kernel. Argument: `{uri, kernel}`.
pub const SHOW_MEMORY: &str = "a2lint.showMemory";
/// Returns the HTML page about a kernel. Argument: `{uri, kernel, launch}`.
pub const REPORT: &str = "a2lint.report";
/// Tests laws of a kernel. Argument: `{uri, kernel}`.
pub const TEST: &str = "a2lint.test";
/// Explains a rule. Argument: its name or code.
pub const EXPLAIN: &str = "a2lint.explain";
/// The commands that the server executes.
pub const NAMES: [&str; 5] = [RUN, SHOW_MEMORY, REPORT, TEST, EXPLAIN];
