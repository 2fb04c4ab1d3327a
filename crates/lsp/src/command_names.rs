//! Commands of the editor, as lenses and actions name them.

/// Debugs a kernel; clients do that themselves. Argument: `{uri, kernel, launch, bind, stopAtLine, stopAt}`, the last
/// as `a2lint dap` takes them.
pub const DEBUG: &str = "a2lint.debug";
/// Simulates a kernel. Argument: `{uri, kernel, launch}`.
pub const RUN: &str = "a2lint.run";
/// Draws the memory of a kernel. Argument: `{uri, kernel}`.
pub const SHOW_MEMORY: &str = "a2lint.showMemory";
/// Answers a page about a kernel.
pub const REPORT: &str = "a2lint.report";
/// Tries laws on a kernel. Argument: `{uri, kernel}`.
pub const TEST: &str = "a2lint.test";
/// Explains a rule. Argument: its name or code.
pub const EXPLAIN: &str = "a2lint.explain";
/// Every command.
pub const NAMES: [&str; 5] = [RUN, SHOW_MEMORY, REPORT, TEST, EXPLAIN];
