//! Options of a server.

use std::sync::Arc;

/// A function that is called with the method of a request before it is answered, and with [`REPLAY`] before kernels
/// are replayed.
pub type Probe = Arc<dyn Fn(&'static str) + Send + Sync>;

/// The argument of a [`Probe`] before kernels are replayed.
pub const REPLAY: &str = "a2lint/replay";

/// Options of a server.
#[derive(Clone, Default)]
pub struct Options {
    /// A hook before each answer, with which tests delay answers or make them panic.
    pub probe: Option<Probe>,
    /// Maximum number of workspace files that are checked without being open; `None` means [`MOST_WORKSPACE_FILES`].
    pub most_workspace_files: Option<usize>,
}

/// Default maximum number of workspace files that are checked without being open.
pub const MOST_WORKSPACE_FILES: usize = 2_000;
