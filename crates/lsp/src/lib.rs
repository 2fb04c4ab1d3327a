//! The language server: findings while typing, and hovers with simulated values.
//!
//! Handlers of requests and notifications only enqueue, because the transport polls all of them on one task and may
//! reorder handlers that wait. A single worker processes events in the order in which they came; it owns the
//! documents, merges queued edits, and alone sends to the client. Analyses and answers are computed on other threads
//! from immutable snapshots, and are cancelled or dropped once a newer version exists.
//!
//! # Modules
//! - `screen`: reads messages before the protocol's library, which stops at the first bad one. `server`: handlers that
//!   enqueue.
//! - `worker`: the event loop. `worker::replays` runs kernels some time after an edit, and a second publish of the same
//!   version follows; `worker::neighbours` analyses documents again that are evaluated with a changed one;
//!   `worker::workspace` and `sweep` check files that are not open.
//! - `document`, `text`: open texts and positions as editors count them. `snapshot`: what is known of one version,
//!   immutable. `snapshot::repairs` and `snapshot::timings` are computed when they are first asked for, and kept.
//! - `cache`, `parts`: findings, replays and proofs of kernels by what they depend on: the kernel's text, the
//!   statements that bind what it names, its launches, the settings. A kernel in whose reach nothing has changed is not
//!   analysed again.
//! - `requests`: one file for each kind of request, functions of a snapshot. A hover has at most `LINES` lines of
//!   `WIDTH` columns (`requests/hover/mod.rs`): signature, effect and operands, then values, then time.
//! - `simulation`: runs of a document's kernels. `diagnostics`, `markdown`, `settings`, `session`, `capabilities`: the
//!   protocol's side.
//!
//! # What it must not know
//! The command line. How findings are made is the business of `a2lint_lint::check`; both ways end in
//! `conclude_kernels`.
//!
//! # Where to start reading
//! [`serve`]; `Entrance` in `server.rs`; `Worker::take` and `Worker::analysed`; `Assignment::run` in `snapshot/mod.rs`;
//! `requests::hover::hover`.
//!
//! # Invariants
//! - Any sequence of edits ends where opening the text afresh does
//!   (`ten_thousand_edits_end_where_opening_afresh_does`); every version is answered unless a newer one is
//!   (`every_version_is_answered_unless_a_newer_one_is`, both in `tests/it/lsp/robustness.rs`).
//! - What is remembered is what would be found afresh (`what_is_remembered_is_what_would_be_found_afresh` in
//!   `tests/it/lsp/phases.rs`; `only_what_has_changed_is_checked_again`).
//! - A panic costs one answer, a bad message itself (`a_panic_costs_one_answer`,
//!   `a_bad_message_is_told_and_the_next_one_is_read`), and slow answers hold nothing up
//!   (`slow_answers_hold_nothing_up_and_can_be_cancelled`, all three in the same file).
//! - Text of a file becomes Markdown in `markdown` alone (`markdown_of_the_language_server_is_made_in_one_place` in
//!   `tests/it/tidy.rs`, `no_text_of_a_file_is_markdown` in `tests/it/lsp/hovers.rs`).
//!
//! # What it can miss
//! A hover waits `hover.budgetMs` for the machine and answers without it afterwards; time on the device is left out
//! where it is not known by then. Values come from the first launch that gets to a statement with something to do.
//! Snapshots of the 48 documents used last are kept; others are analysed again when they are asked about.

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

/// Maximum number of requests in progress; further messages are not read until one is answered.
const MOST_REQUESTS: usize = 64;
/// Buffer size in bytes between the screening of messages and the protocol's library.
const PIPE_BYTES: usize = 64 << 10;
/// Number of threads of the runtime, not counting those of analyses and answers.
const THREADS: usize = 2;

/// Serves one client on standard input and output until it disconnects.
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
    // A blocked read of standard input cannot be cancelled, so shutdown must not wait for it.
    runtime.shutdown_timeout(Duration::from_millis(100));
    Ok(())
}

/// Serves one client until it disconnects.
///
/// Streams and the future are trait objects: a generic server would be compiled again in every crate that uses it.
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
        // The screening task may be blocked in a read.
        screening.abort();
    })
}
