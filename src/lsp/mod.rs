//! The language server: findings while typing, and the machine behind a hover.
//!
//! Requests and notifications do nothing but enqueue: the transport polls all of them on one task
//! and may reorder whatever waits. One worker takes events in the order they came, owns the
//! documents, folds edits that queue up into one, and alone talks to the client. Analyses and
//! answers are computed on other threads, from snapshots; what a newer version has overtaken is
//! taken back or dropped.

mod cache;
mod cancel;
mod commands;
mod diagnostics;
mod document;
mod event;
mod known;
mod parts;
mod repairs;
mod requests;
mod server;
mod session;
mod settings;
mod simulation;
mod snapshot;
mod sweep;
mod tasks;
mod text;
mod timings;
mod worker;

use std::io;
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::{LspService, Server};

use server::Entrance;

/// Requests that may be under way at once; what comes behind them waits to be read.
const MOST_REQUESTS: usize = 64;
/// Threads of the runtime; analyses and answers have their own.
const THREADS: usize = 2;

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

/// Serves one client on standard input and output until it leaves.
pub fn serve_stdio() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_time()
        .build()?;
    runtime.block_on(serve(
        tokio::io::stdin(),
        tokio::io::stdout(),
        Options::default(),
    ));
    // Standard input may still be waited for.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(())
}

/// Serves one client until it leaves.
pub async fn serve<I, O>(input: I, output: O, options: Options)
where
    I: AsyncRead + Unpin,
    O: AsyncWrite,
{
    let (service, socket) = LspService::build(|client| Entrance::new(client, options))
        .custom_method("window/workDoneProgress/cancel", Entrance::cancel_progress)
        .finish();
    Server::new(input, output, socket)
        .concurrency_level(MOST_REQUESTS)
        .serve(service)
        .await;
}
