//! The language server: findings while typing, and the machine behind a hover.
//!
//! Requests and notifications do nothing but enqueue: the transport polls all of them on one task
//! and may reorder whatever waits. One worker takes events in the order they came, owns the
//! documents, folds edits that queue up into one, and alone talks to the client. Analyses and
//! answers are computed on other threads, from snapshots; what a newer version has overtaken is
//! taken back or dropped.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod cache;
mod capabilities;
mod command_names;
mod commands;
mod diagnostics;
mod document;
mod event;
mod known;
mod markdown;
mod options;
mod parts;
mod requests;
mod screen;
mod server;
mod session;
mod settings;
mod simulation;
mod snapshot;
mod sweep;
mod tasks;
mod text;
mod worker;

use std::io;
use std::pin::Pin;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite};
use tower_lsp::{LspService, Server};

use server::Entrance;

pub use options::{MOST_WORKSPACE_FILES, Options, Probe, REPLAY};

/// Requests that may be under way at once; what comes behind them waits to be read.
const MOST_REQUESTS: usize = 64;
/// Bytes between what screens messages and what reads them.
const PIPE_BYTES: usize = 64 << 10;
/// Threads of the runtime; analyses and answers have their own.
const THREADS: usize = 2;

/// Serves one client on standard input and output until it leaves.
pub fn serve_stdio() -> io::Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(THREADS)
        .enable_time()
        .build()?;
    runtime.block_on(serve(
        Box::new(tokio::io::stdin()),
        Box::new(tokio::io::stdout()),
        Options::default(),
    ));
    // Standard input may still be waited for.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(())
}

/// Serves one client until it leaves.
///
/// Streams and the future are objects: generic, the server would be compiled again in every program that has one.
pub fn serve(
    input: Box<dyn AsyncRead + Send + Unpin>,
    output: Box<dyn AsyncWrite + Send + Unpin>,
    options: Options,
) -> Pin<Box<dyn Future<Output = ()> + Send>> {
    Box::pin(async move {
        let (service, socket) = LspService::build(|client| Entrance::new(client, options))
            .custom_method("window/workDoneProgress/cancel", Entrance::cancel_progress)
            .custom_method(screen::UNREADABLE_REQUEST, Entrance::unreadable_request)
            .custom_method(screen::UNREADABLE, Entrance::unreadable)
            .finish();
        let (screened, messages) = tokio::io::duplex(PIPE_BYTES);
        let screening = tokio::spawn(screen::screen(input, screened));
        let server = Server::new(messages, output, socket).concurrency_level(MOST_REQUESTS);
        server.serve(service).await;
        // Standard input may still be waited for.
        screening.abort();
    })
}
