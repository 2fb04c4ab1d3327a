//! The supported requests and the capabilities of the adapter. Names are those of the protocol, version 1.66 and
//! later.

use std::collections::BTreeMap;

use a2lint_run::debug::Exception;
use a2lint_source::messages::Broken;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A request of the client.
#[derive(Clone, Debug)]
pub struct Request {
    /// The sequence number.
    pub seq: i64,
    /// The name of the request.
    pub command: String,
    arguments: Value,
}

impl Request {
    /// Reads a request; `None` if the message is a response or an event.
    ///
    /// # Errors
    /// The message does not follow the protocol.
    pub fn of(message: Value) -> Result<Option<Request>, String> {
        #[derive(Deserialize)]
        struct Message {
            seq: i64,
            #[serde(rename = "type")]
            kind: String,
            command: Option<String>,
            #[serde(default)]
            arguments: Value,
        }
        let message: Message = serde_json::from_value(message)
            .map_err(|error| format!("a message is none of the protocol: {error}"))?;
        match (message.kind.as_str(), message.command) {
            ("request", Some(command)) => Ok(Some(Request {
                seq: message.seq,
                command,
                arguments: message.arguments,
            })),
            ("request", None) => Err("a request has no command".to_owned()),
            _ => Ok(None),
        }
    }

    /// Returns what is known of a request that could not be parsed; `None` if its number or name is unknown.
    pub fn unread(broken: &Broken) -> Option<Request> {
        let text = |name| broken.envelope.get(name).and_then(Value::as_str);
        Some(Request {
            seq: broken.envelope.get("seq").and_then(Value::as_i64)?,
            command: text("command")?.to_owned(),
            arguments: Value::Null,
        })
        .filter(|_| text("type").is_none_or(|kind| kind == "request"))
    }

    /// Reads the arguments.
    ///
    /// # Errors
    /// The arguments do not have the type of this request.
    pub fn arguments<T: DeserializeOwned>(&self) -> Result<T, String> {
        let given = match &self.arguments {
            Value::Null => Value::Object(Map::new()),
            given => given.clone(),
        };
        serde_json::from_value(given)
            .map_err(|error| format!("these arguments do not fit: {error}"))
    }
}

const fn yes() -> bool {
    true
}

/// Arguments of `initialize`.
#[derive(Debug, Deserialize)]
pub struct Initialize {
    /// Whether the client counts lines from 1.
    #[serde(rename = "linesStartAt1", default = "yes")]
    pub lines_from_1: bool,
    /// Whether it counts columns from 1.
    #[serde(rename = "columnsStartAt1", default = "yes")]
    pub columns_from_1: bool,
}

/// Arguments of `launch`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Launch {
    /// The path of the file.
    pub program: String,
    /// The name of the kernel; needed if a file has several kernels and launches none of them.
    pub kernel: Option<String>,
    /// The number of the launch in the file, from 1, or "none".
    pub launch: Option<Value>,
    /// Values of scalar parameters and extents by name.
    #[serde(default)]
    pub bind: BTreeMap<String, Value>,
    /// Contents of tensors by name: paths of files, or generators such as `randn:1`.
    #[serde(default)]
    pub inputs: BTreeMap<String, String>,
    /// Shapes of tensors by name.
    #[serde(default)]
    pub shapes: BTreeMap<String, Vec<i64>>,
    /// Element types of tensors by name.
    #[serde(default)]
    pub dtypes: BTreeMap<String, String>,
    /// Number of cube cores.
    pub cores: Option<u32>,
    /// Whether the run stops before its first step.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// A line at which the run stops first.
    pub stop_at_line: Option<usize>,
    /// The execution of that line at which the run stops: `core 0 vec1 iteration 0, 3`.
    #[serde(default)]
    pub stop_at: String,
    /// Whether breakpoints are ignored.
    #[serde(default)]
    pub no_debug: bool,
}

/// A source file.
#[derive(Debug, Deserialize)]
pub struct Source {
    /// The path.
    pub path: Option<String>,
}

/// A requested breakpoint.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceBreakpoint {
    /// The line.
    pub line: usize,
    /// The executions to stop at (`core 0 vec1 iteration 0, 3`), a condition, or both in this order.
    pub condition: Option<String>,
    /// The number of hits at which the run stops: `7`, `>= 7`, `> 7` or `% 7`.
    pub hit_condition: Option<String>,
    /// The text of a log point, which is printed instead of stopping the run.
    pub log_message: Option<String>,
}

/// Arguments of `setBreakpoints`.
#[derive(Debug, Deserialize)]
pub struct SetBreakpoints {
    /// The file.
    pub source: Source,
    /// All breakpoints of the file.
    #[serde(default)]
    pub breakpoints: Vec<SourceBreakpoint>,
}

/// Arguments of `setExceptionBreakpoints`.
#[derive(Debug, Deserialize)]
pub struct SetExceptions {
    /// The names of the enabled filters.
    #[serde(default)]
    pub filters: Vec<String>,
}

/// Arguments of `dataBreakpointInfo`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataInfo {
    /// The container of the name.
    pub variables_reference: Option<i64>,
    /// The name of a variable in the container, or an expression.
    pub name: String,
    /// The frame in which the name is evaluated.
    pub frame_id: Option<i64>,
}

/// Arguments of `setDataBreakpoints`.
#[derive(Debug, Deserialize)]
pub struct SetData {
    /// All data breakpoints.
    pub breakpoints: Vec<DataPoint>,
}

/// A requested data breakpoint.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataPoint {
    /// The identifier from the response to `dataBreakpointInfo`.
    pub data_id: String,
    /// `undefined` if the run is to stop only when the written bytes are undefined.
    pub condition: Option<String>,
}

/// Arguments of requests on a thread.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfThread {
    /// The number of the thread.
    pub thread_id: i64,
    /// The granularity of a step.
    pub granularity: Option<String>,
    /// The first frame of the response.
    pub start_frame: Option<usize>,
    /// Maximum number of frames; 0 for all.
    pub levels: Option<usize>,
}

/// Arguments of `scopes`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfFrame {
    /// The frame.
    pub frame_id: i64,
}

/// Arguments of `variables`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Variables {
    /// The item to expand.
    pub variables_reference: i64,
    /// The index of the first child.
    pub start: Option<usize>,
    /// Maximum number of children; 0 for all.
    pub count: Option<usize>,
}

/// Arguments of `evaluate` and of the adapter's own requests.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate {
    /// The expression.
    pub expression: String,
    /// The frame in which the expression is evaluated.
    pub frame_id: Option<i64>,
    /// The context of the protocol: `repl` permits commands.
    pub context: Option<String>,
}

/// Arguments of `readMemory`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadMemory {
    /// The memory reference of a value.
    pub memory_reference: String,
    /// Offset in bytes.
    #[serde(default)]
    pub offset: i64,
    /// Number of bytes.
    pub count: i64,
}

/// Arguments of `disassemble`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disassemble {
    /// The address of a statement, as the stack trace reports it.
    pub memory_reference: String,
    /// Offset in bytes, which are statements here.
    #[serde(default)]
    pub offset: i64,
    /// Offset in statements.
    #[serde(default)]
    pub instruction_offset: i64,
    /// Number of statements.
    pub instruction_count: i64,
}

/// Arguments of `completions`.
#[derive(Debug, Deserialize)]
pub struct Completions {
    /// The typed text.
    pub text: String,
    /// The column of the cursor.
    pub column: usize,
}

/// Arguments of `a2lint.goTo`.
#[derive(Debug, Deserialize)]
pub struct GoTo {
    /// The instant.
    pub instant: u64,
}

/// Returns the capabilities of the adapter.
pub fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsConditionalBreakpoints": true,
        "supportsHitConditionalBreakpoints": true,
        "supportsLogPoints": true,
        "supportsEvaluateForHovers": true,
        "supportsStepBack": true,
        "supportsRestartRequest": true,
        "supportsExceptionInfoRequest": true,
        "supportsDelayedStackTraceLoading": true,
        "supportsDataBreakpoints": true,
        "supportsReadMemoryRequest": true,
        "supportsDisassembleRequest": true,
        "supportsSteppingGranularity": true,
        "supportsTerminateRequest": true,
        "supportsCancelRequest": true,
        "supportsCompletionsRequest": true,
        "supportTerminateDebuggee": true,
        "exceptionBreakpointFilters": Exception::ALL.map(|it| json!({
            "filter": it.name(),
            "label": it.label(),
            "description": it.description(),
            "default": matches!(it, Exception::Undefined | Exception::Bounds),
        })),
    })
}
