//! The `launch` request: from its arguments to a debug session.

use std::io;
use std::sync::mpsc::Receiver;

use serde_json::{Value, json};

use super::debuggee::{Debuggee, Left};
use super::protocol::{Launch, Request};
use super::wire::Client;
use super::{Incoming, Interrupts};
use a2lint_run::debug::{Limits, Session};
use a2lint_run::target::{Target, TargetError};
use a2lint_run::{Arguments, bind, kernel, spec};

/// Maximum total size in bytes of the tensors of a launch.
const MEMORY: u64 = 1 << 30;

/// Debugs the kernel that a request names, until the client or the run ends.
pub fn launch(
    request: &Request,
    client: &mut Client,
    requests: &Receiver<Incoming>,
    interrupts: &Interrupts,
) -> io::Result<Left> {
    match begin(request, client, requests, interrupts) {
        Ok(left) => left,
        Err(reason) => client.fail(request, &reason).map(|()| Left::Run),
    }
}

/// As [`launch`]; an error is the message of a response that is still to be sent.
fn begin(
    request: &Request,
    client: &mut Client,
    requests: &Receiver<Incoming>,
    interrupts: &Interrupts,
) -> Result<io::Result<Left>, String> {
    let given: Launch = request.arguments()?;
    let target = target(&given).map_err(|error| error.to_string())?;
    let program = kernel(&target).map_err(|error| error.to_string())?;
    let arguments = arguments(&given)?;
    let bound = bind(&target, program, &arguments, MEMORY, false);
    let bound = bound.map_err(|error| error.to_string())?;
    let limits = Limits {
        memory: MEMORY,
        ..Limits::default()
    };
    let session = Session::new(program, &target.map, &bound.launch, limits);
    let session = session.map_err(|refusal| refusal.reason)?;
    let mut debuggee = Debuggee::new(session, &target, &given, client, requests, interrupts)?;
    Ok(debuggee.serve(request, &format!("{} with {}", program.name, bound.origin)))
}

/// Opens the file and selects the kernel, which `program` may also name after `::`.
fn target(given: &Launch) -> Result<Target, TargetError> {
    match (given.program.rsplit_once("::"), &given.kernel) {
        (Some((path, kernel)), None) => Target::open_regular(path, Some(kernel.to_owned())),
        (_, kernel) => Target::open_regular(&given.program, kernel.clone()),
    }
}

/// Formats a value as an option of the command line.
fn plain(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        value => value.to_string(),
    }
}

fn arguments(given: &Launch) -> Result<Arguments, String> {
    let mut arguments = Arguments {
        cores: given.cores,
        ..Arguments::default()
    };
    if let Some(launch) = &given.launch {
        arguments.launch = spec::launch(&plain(launch))?;
    }
    for (name, value) in &given.bind {
        let binding = spec::binding(&format!("{name}={}", plain(value)))?;
        arguments.scalars.push(binding);
    }
    for (name, input) in &given.inputs {
        arguments
            .contents
            .push(spec::input(&format!("{name}={input}"))?);
    }
    for (name, dtype) in &given.dtypes {
        arguments
            .dtypes
            .push(spec::dtype(&format!("{name}={dtype}"))?);
    }
    for (name, shape) in &given.shapes {
        if shape.iter().any(|&extent| extent < 0) {
            return Err(format!("the shape of `{name}` has an extent below 0"));
        }
        arguments.shapes.push((name.clone(), shape.clone()));
    }
    Ok(arguments)
}

/// Answers `launch`, prints what is debugged, and sends `initialized`, after which the client configures breakpoints.
pub fn is_ready(client: &mut Client, request: &Request, what: &str) -> io::Result<()> {
    client.succeed(request, Value::Null)?;
    client.say(what)?;
    client.event("initialized", json!({}))
}
