//! The debug adapter: the Debug Adapter Protocol on standard input and output, over `a2lint_run::debug::Session`.
//!
//! Threads of the protocol are lanes. One thread reads messages, one answers them in their order; whatever is read asks
//! the run to pause, so that no client waits for a long one. Requests that only look are answered, and the run goes on.
//!
//! # Modules
//! - `wire`: framing, JSON, lines and columns as the client counts them; texts that an editor would obey are replaced.
//! - `protocol`: the requests that are understood, and the capabilities that are announced.
//! - `launch`: from the arguments of `launch` to a session. `debuggee`: one run and the requests that move it.
//! - `look`: the requests that look at a stopped run: stack, scopes, variables, memory, disassembly, completion.
//!
//! # What it must not know
//! The command line, and how the machine works: values, stops and going back are those of `a2lint_run::debug`, the
//! words those of `a2lint_report::state`.
//!
//! # Where to start reading
//! [`serve`], `Server::run`, `Debuggee::serve`, `Debuggee::answer`, and `Debuggee::run`, which lets a kernel go on. A
//! new kind of stop is an `Exception` in `run/src/debug/stops.rs`; `Debuggee::set_exceptions` takes it from there.
//!
//! # Invariants
//! - A session stops, looks and goes back (`a_session_stops_looks_and_goes_back`), and random sessions end
//!   (`random_sessions_end`, both in `tests/it/debug/dap.rs`; target `debugger` of the fuzzer).
//! - A message that is too long or broken is answered, and reading goes on
//!   (`debuggers_answer_what_is_too_long_or_broken_and_go_on` in `tests/it/clients.rs`).
//! - A client may leave at any time (`a_client_may_leave_at_any_time` in `tests/it/debug/dap.rs`).
//! - Only regular files are opened (`a_debugger_refuses_what_may_have_no_end` in `tests/it/hostile/servers.rs`).
//! - What an editor would obey is replaced, but for what it sends back
//!   (`what_an_editor_would_obey_is_replaced_but_for_what_it_sends_back`).
//!
//! # What it can miss
//! One run at a time, and launching only: nothing can be attached to. Messages above 4 MiB are refused. A session ends
//! after 50,000,000 steps and says so; the limits of going back are those of `a2lint_run::debug`.

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

/// Bytes that are read at once.
const CHUNK: usize = 16 << 10;

/// Serves until the client leaves.
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
/// It cannot be written to.
pub fn serve(input: Box<dyn Read + Send>, output: Box<dyn Write + Send>) -> io::Result<()> {
    let (sender, requests) = channel();
    let asked = Asked::default();
    let reading = asked.clone();
    // Nobody waits for it: a client that has been let go may never close its end.
    thread::spawn(move || forward(input, &sender, &reading));
    let answering = thread::Builder::new().stack_size(STACK_BYTES);
    let served = answering.spawn(move || {
        let mut server = Server {
            client: Client::new(output),
            requests,
            asked,
        };
        server.run()
    })?;
    served
        .join()
        .unwrap_or_else(|_| Err(io::Error::other("the server failed")))
}

/// What the reader tells whoever lets a kernel run.
#[derive(Clone, Debug, Default)]
struct Asked {
    /// There is something to be read.
    any: Arc<AtomicBool>,
    /// It asks for an end of what is being done.
    halt: Arc<AtomicBool>,
}

/// Something that was read.
enum Incoming {
    Request(Request),
    /// What cannot be read, with what is known of the request that it is.
    Broken(Option<Request>, String),
}

fn forward(mut input: impl Read, sender: &Sender<Incoming>, asked: &Asked) {
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
            if !pass_on(incoming, sender, asked) {
                return;
            }
        }
    }
    if let Some(broken) = frames.end() {
        let incoming = Incoming::Broken(Request::unread(&broken), broken.reason);
        pass_on(incoming, sender, asked);
    }
    // Whoever waits for more gets nothing; what runs ends.
    asked.halt.store(true, Ordering::Relaxed);
    asked.any.store(true, Ordering::Relaxed);
}

/// Hands on what was read; `false` where nothing more is wanted.
fn pass_on(incoming: Incoming, sender: &Sender<Incoming>, asked: &Asked) -> bool {
    let halts = match &incoming {
        Incoming::Request(request) => ["pause", "disconnect", "terminate", "cancel", "restart"]
            .contains(&request.command.as_str()),
        Incoming::Broken(..) => false,
    };
    if sender.send(incoming).is_err() {
        return false;
    }
    asked.any.store(true, Ordering::Relaxed);
    if halts {
        asked.halt.store(true, Ordering::Relaxed);
    }
    true
}

/// A client, before and between runs.
struct Server {
    client: Client,
    requests: Receiver<Incoming>,
    asked: Asked,
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

    /// Debugs a kernel until somebody has had enough.
    fn launch(&mut self, request: &Request) -> io::Result<Left> {
        let result =
            guard(|| launch::launch(request, &mut self.client, &self.requests, &self.asked));
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
