//! The requests that are understood, and what is told of the adapter. Names are those of the protocol, 1.66
//! and later.

use std::collections::BTreeMap;

use a2lint_run::debug::Exception;
use a2lint_source::messages::Broken;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};

/// A request.
#[derive(Clone, Debug)]
pub struct Request {
    /// Its number.
    pub seq: i64,
    /// What is asked for.
    pub command: String,
    arguments: Value,
}

impl Request {
    /// The request that a message is; `None` of answers.
    ///
    /// # Errors
    /// It is no message of the protocol.
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

    /// The request that a message is which cannot be read, as far as that is known.
    pub fn unread(broken: &Broken) -> Option<Request> {
        let text = |name| broken.envelope.get(name).and_then(Value::as_str);
        Some(Request {
            seq: broken.envelope.get("seq").and_then(Value::as_i64)?,
            command: text("command")?.to_owned(),
            arguments: Value::Null,
        })
        .filter(|_| text("type").is_none_or(|kind| kind == "request"))
    }

    /// Its arguments.
    ///
    /// # Errors
    /// They are not those of this request.
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
    /// The file.
    pub program: String,
    /// The kernel; needed where a file has several and launches none.
    pub kernel: Option<String>,
    /// The launch of the file by its number, from 1, or "none".
    pub launch: Option<Value>,
    /// Values of scalar parameters and of extents.
    #[serde(default)]
    pub bind: BTreeMap<String, Value>,
    /// Contents of tensors: files, or `randn:1`.
    #[serde(default)]
    pub inputs: BTreeMap<String, String>,
    /// Shapes of tensors.
    #[serde(default)]
    pub shapes: BTreeMap<String, Vec<i64>>,
    /// Element types of tensors.
    #[serde(default)]
    pub dtypes: BTreeMap<String, String>,
    /// Number of cube cores.
    pub cores: Option<u32>,
    /// Whether the run stops before its first step.
    #[serde(default)]
    pub stop_on_entry: bool,
    /// A line before which the run stops first.
    pub stop_at_line: Option<usize>,
    /// Which execution of that line: `core 0 vec1 iteration 0, 3`.
    #[serde(default)]
    pub stop_at: String,
    /// Whether breakpoints are ignored.
    #[serde(default)]
    pub no_debug: bool,
}

/// A file.
#[derive(Debug, Deserialize)]
pub struct Source {
    /// Its path.
    pub path: Option<String>,
}

/// A breakpoint that is asked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SourceBreakpoint {
    /// The line.
    pub line: usize,
    /// What has to hold, after which executions are meant.
    pub condition: Option<String>,
    /// Which of the executions stop.
    pub hit_condition: Option<String>,
    /// What is shown in place of a stop.
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
    /// The filters that are on.
    #[serde(default)]
    pub filters: Vec<String>,
}

/// Arguments of `dataBreakpointInfo`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataInfo {
    /// What the name is a part of.
    pub variables_reference: Option<i64>,
    /// The name, or an expression.
    pub name: String,
    /// Whose names are meant.
    pub frame_id: Option<i64>,
}

/// Arguments of `setDataBreakpoints`.
#[derive(Debug, Deserialize)]
pub struct SetData {
    /// All of them.
    pub breakpoints: Vec<DataPoint>,
}

/// A data breakpoint that is asked for.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DataPoint {
    /// What `dataBreakpointInfo` has answered.
    pub data_id: String,
    /// `undefined`, if the bytes have to be that after they are written.
    pub condition: Option<String>,
}

/// Arguments of requests about a thread.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct OfThread {
    /// The lane.
    pub thread_id: i64,
    /// How far a step goes.
    pub granularity: Option<String>,
    /// The first frame that is asked for.
    pub start_frame: Option<usize>,
    /// How many are.
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
    /// What is unfolded.
    pub variables_reference: i64,
    /// The first that is asked for.
    pub start: Option<usize>,
    /// How many are.
    pub count: Option<usize>,
}

/// Arguments of `evaluate` and of the requests of our own.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Evaluate {
    /// The expression.
    pub expression: String,
    /// Whose names are meant.
    pub frame_id: Option<i64>,
    /// Where the answer is shown.
    pub context: Option<String>,
}

/// Arguments of `readMemory`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ReadMemory {
    /// Where.
    pub memory_reference: String,
    /// Bytes from there.
    #[serde(default)]
    pub offset: i64,
    /// How many.
    pub count: i64,
}

/// Arguments of `disassemble`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Disassemble {
    /// A statement.
    pub memory_reference: String,
    /// Bytes from there.
    #[serde(default)]
    pub offset: i64,
    /// Statements from there.
    #[serde(default)]
    pub instruction_offset: i64,
    /// How many.
    pub instruction_count: i64,
}

/// Arguments of `completions`.
#[derive(Debug, Deserialize)]
pub struct Completions {
    /// What is typed.
    pub text: String,
    /// Where the cursor is.
    pub column: usize,
}

/// Arguments of `exceptionInfo` and of `goTo`.
#[derive(Debug, Deserialize)]
pub struct GoTo {
    /// The instant.
    pub instant: u64,
}

/// What is understood.
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
