//! The debug adapter: the Debug Adapter Protocol on standard input and output, over `a2lint_run::debug::Session`.
//!
//! Each lane is a thread of the protocol. One thread reads messages, another one answers them in order. Every message
//! that is read interrupts a running kernel, so that no client waits for the end of a run. If the request only
//! inspects the run, it is answered and the run continues.
//!
//! # Modules
//! - `wire`: framing, JSON, lines and columns as the client counts them; control characters in texts are replaced.
//! - `protocol`: the supported requests, and the capabilities of the adapter.
//! - `launch`: from the arguments of `launch` to a session. `debuggee`: one run, and the requests that step or resume
//!   it.
//! - `look`: the requests that inspect a stopped run: stack, scopes, variables, memory, disassembly, completion.
//!
//! # What it must not know
//! The command line, and how the simulator works: values, stops and steps back are those of `a2lint_run::debug`, and
//! texts are those of `a2lint_report::state`.
//!
//! # Where to start reading
//! [`serve`], `Server::run`, `Debuggee::serve`, `Debuggee::answer`, and `Debuggee::run`, which resumes a kernel. A
//! new kind of stop is an `Exception` in `run/src/debug/stops.rs`, which `Debuggee::set_exceptions` reads.
//!
//! # Invariants
//! - Stops, inspection and steps back work in a session (`a_session_stops_looks_and_goes_back`), and random sessions
//!   end (`random_sessions_end`, both in `tests/it/debug/dap.rs`; target `debugger` of the fuzzer).
//! - A message that is too long or malformed is answered, and the next one is read
//!   (`debuggers_answer_what_is_too_long_or_broken_and_go_on` in `tests/it/clients.rs`).
//! - A client may disconnect at any time (`a_client_may_leave_at_any_time` in `tests/it/debug/dap.rs`).
//! - Only regular files are opened (`a_debugger_refuses_what_may_have_no_end` in `tests/it/hostile/servers.rs`).
//! - Characters that an editor would interpret are replaced, except in members that it sends back
//!   (`what_an_editor_would_obey_is_replaced_but_for_what_it_sends_back`).
//!
//! # What it can miss
//! There is one run at a time, and `attach` is not supported. Messages above 4 MiB are refused. A session ends after
//! 50,000,000 steps with a message; the limits of steps back are those of `a2lint_run::debug`.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod debuggee;
mod launch;
mod look;
mod protocol;
mod wire;

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use serde_json::{Value, json};

use a2lint_source::guard::{STACK_BYTES, guard, install};
use a2lint_source::messages::Frames;
use debuggee::Left;
use protocol::{Initialize, Request, capabilities};
use wire::{Client, MEMBERS, MOST_BYTES, parse};

/// Number of bytes that are read at once.
const CHUNK: usize = 16 << 10;

/// Serves a client on standard input and output until it disconnects.
///
/// # Errors
/// The client cannot be written to.
pub fn serve_stdio() -> io::Result<()> {
    install();
    serve(Box::new(io::stdin()), Box::new(io::stdout()))
}

/// Serves one client.
///
/// # Errors
/// The client cannot be written to.
pub fn serve(input: Box<dyn Read + Send>, output: Box<dyn Write + Send>) -> io::Result<()> {
    let (sender, requests) = channel();
    let interrupts = Interrupts::default();
    let reading = interrupts.clone();
    // The thread is not joined: a client that has disconnected may never close its end of the stream.
    thread::spawn(move || forward(input, &sender, &reading));
    let answering = thread::Builder::new().stack_size(STACK_BYTES);
    let served = answering.spawn(move || {
        let mut server = Server {
            client: Client::new(output),
            requests,
            interrupts,
        };
        server.run()
    })?;
    served
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("the server failed")))
}

/// Flags by which the reader interrupts a running kernel.
#[derive(Clone, Debug, Default)]
struct Interrupts {
    /// A message has been read.
    any: Arc<AtomicBool>,
    /// The message asks to end the present operation: a pause, a disconnect and the like.
    halt: Arc<AtomicBool>,
}

/// A message that was read.
enum Incoming {
    Request(Request),
    /// An unreadable message: the request, as far as it could be determined, and the error.
    Broken(Option<Request>, String),
}

fn forward(mut input: impl Read, sender: &Sender<Incoming>, interrupts: &Interrupts) {
    let mut frames = Frames::new(MOST_BYTES, MEMBERS);
    let mut chunk = vec![0; CHUNK];
    while let Ok(read) = input.read(&mut chunk)
        && read > 0
    {
        frames.push(chunk.get(..read).unwrap_or_default());
        while let Some(next) = frames.next(parse) {
            let incoming = match next.map(Request::of) {
                Ok(Ok(Some(request))) => Incoming::Request(request),
                Ok(Ok(None)) => continue,
                Ok(Err(reason)) => Incoming::Broken(None, reason),
                Err(broken) => Incoming::Broken(Request::unread(&broken), broken.reason),
            };
            if !pass_on(incoming, sender, interrupts) {
                return;
            }
        }
    }
    if let Some(broken) = frames.end() {
        let incoming = Incoming::Broken(Request::unread(&broken), broken.reason);
        pass_on(incoming, sender, interrupts);
    }
    // The client has closed the stream: pending operations end.
    interrupts.halt.store(true, Ordering::Relaxed);
    interrupts.any.store(true, Ordering::Relaxed);
}

/// Sends a message to the server; `false` if the server has ended.
fn pass_on(incoming: Incoming, sender: &Sender<Incoming>, interrupts: &Interrupts) -> bool {
    // Before the request is sent: the server takes the flag back when it comes to the request.
    if matches!(&incoming, Incoming::Request(request) if ends_operations(request)) {
        interrupts.halt.store(true, Ordering::SeqCst);
    }
    if sender.send(incoming).is_err() {
        return false;
    }
    interrupts.any.store(true, Ordering::Relaxed);
    true
}

/// Returns whether a request ends the operations of requests before it.
fn ends_operations(request: &Request) -> bool {
    ["pause", "disconnect", "terminate", "cancel", "restart"].contains(&request.command.as_str())
}

/// The state of a connection before and between runs.
struct Server {
    client: Client,
    requests: Receiver<Incoming>,
    interrupts: Interrupts,
}

impl Server {
    fn run(&mut self) -> io::Result<()> {
        while let Ok(incoming) = self.requests.recv() {
            let request = match incoming {
                Incoming::Request(request) => request,
                Incoming::Broken(request, reason) => {
                    self.client.refuse(request.as_ref(), &reason)?;
                    continue;
                }
            };
            match request.command.as_str() {
                "initialize" => match request.arguments::<Initialize>() {
                    Ok(given) => {
                        self.client
                            .count_from(given.lines_from_1, given.columns_from_1);
                        self.client.succeed(&request, capabilities())?;
                    }
                    Err(error) => self.client.fail(&request, &error)?,
                },
                "launch" => {
                    if self.launch(&request)? == Left::Client {
                        return Ok(());
                    }
                }
                "disconnect" => return self.client.succeed(&request, Value::Null),
                "attach" => self
                    .client
                    .fail(&request, "there is nothing to attach to: launch")?,
                _ => self.client.fail(&request, "nothing is being debugged")?,
            }
        }
        Ok(())
    }

    /// Debugs a kernel until the client or the run ends.
    fn launch(&mut self, request: &Request) -> io::Result<Left> {
        let result =
            guard(|| launch::launch(request, &mut self.client, &self.requests, &self.interrupts));
        match result {
            Ok(result) => result,
            Err(panic) => {
                self.client.complain(&format!("internal error: {panic}"))?;
                self.client.event("terminated", json!({}))?;
                Ok(Left::Run)
            }
        }
    }
}
