//! How a server is set up.

use std::sync::Arc;

/// Called with the method of a request before it is answered, and with [`REPLAY`] before kernels are
/// replayed.
pub type Probe = Arc<dyn Fn(&'static str) + Send + Sync>;

/// What a [`Probe`] is called with before kernels are replayed.
pub const REPLAY: &str = "a2lint/replay";

/// How a server is set up.
#[derive(Clone, Default)]
pub struct Options {
    /// Looks at every request before it is answered; tests delay answers and break them with it.
    pub probe: Option<Probe>,
    /// Most files of the workspace that are checked unopened; nothing stands for
    /// [`MOST_WORKSPACE_FILES`].
    pub most_workspace_files: Option<usize>,
}

/// Files of the workspace that are checked though nobody has opened them.
pub const MOST_WORKSPACE_FILES: usize = 2_000;
