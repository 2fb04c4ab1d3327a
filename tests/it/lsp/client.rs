//! A client on an in-memory pipe. A test has to read everything that the server sends.

use std::collections::VecDeque;
use std::time::Duration;

use a2lint::lsp::{Options, serve};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream};
use tokio::runtime::Runtime;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

/// Time without a message after which a test fails.
const PATIENCE: Duration = Duration::from_secs(60);

/// Returns the client's response to a request of the server; `None` for no response.
pub type Answers = Box<dyn Fn(&str, &Value) -> Option<Value>>;

/// A client with its own server.
pub struct Client {
    runtime: Runtime,
    writer: Option<DuplexStream>,
    messages: mpsc::UnboundedReceiver<Value>,
    server: Option<JoinHandle<()>>,
    answers: Answers,
    next_id: i64,
    /// Notifications that no test has read yet.
    pub notifications: VecDeque<Value>,
    /// Responses that no test has read yet.
    responses: Vec<Value>,
    /// Requests of the server in order.
    pub asked: Vec<Value>,
    /// Documents and versions whose diagnostics were read.
    read: Vec<(Value, Value)>,
    /// The server's response to `initialize`.
    pub introduction: Value,
}

/// Capabilities of a minimal client, which counts UTF-16.
pub fn plain() -> Value {
    json!({})
}

/// Capabilities of a client that offers position encodings.
pub fn offering(encodings: &[&str]) -> Value {
    json!({"general": {"positionEncodings": encodings}})
}

/// Answers every request with null.
pub fn nods() -> Answers {
    Box::new(|_, _| Some(Value::Null))
}

impl Client {
    /// Starts a minimal client and sends `initialize`.
    pub fn start() -> Client {
        Client::with(plain(), Options::default(), nods())
    }

    /// Starts a client with these capabilities and sends `initialize`.
    pub fn with(capabilities: Value, options: Options, answers: Answers) -> Client {
        let mut client = Client::stranger(options, answers);
        let params = json!({"processId": null, "rootUri": null, "capabilities": capabilities});
        client.introduction = client
            .request("initialize", params)
            .expect("an introduction");
        client.notify("initialized", json!({}));
        client
    }

    /// Starts a client that does not send anything.
    pub fn stranger(options: Options, answers: Answers) -> Client {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        let (writer, input) = tokio::io::duplex(1 << 16);
        let (output, reader) = tokio::io::duplex(1 << 16);
        let server = runtime.spawn(serve(Box::new(input), Box::new(output), options));
        let (sender, messages) = mpsc::unbounded_channel();
        runtime.spawn(read(reader, sender));
        Client {
            runtime,
            writer: Some(writer),
            messages,
            server: Some(server),
            answers,
            next_id: 1,
            notifications: VecDeque::new(),
            responses: Vec::new(),
            asked: Vec::new(),
            read: Vec::new(),
            introduction: Value::Null,
        }
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{text}", text.len()).as_bytes());
    }

    /// Sends bytes that need not be a message.
    pub fn raw(&mut self, bytes: &[u8]) {
        let writer = self.writer.as_mut().expect("the pipe is open");
        let written = async { tokio::time::timeout(PATIENCE, writer.write_all(bytes)).await };
        let written = self.runtime.block_on(written);
        written
            .expect("the server reads")
            .expect("the pipe is open");
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request without waiting, and returns its number.
    pub fn send(&mut self, method: &str, params: Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    /// Sends a request and waits for its result.
    pub fn request(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.send(method, params);
        self.response(id)
    }

    /// Waits for the result of a request.
    pub fn response(&mut self, id: i64) -> Result<Value, Value> {
        loop {
            let found = self
                .responses
                .iter()
                .position(|message| message["id"] == id);
            if let Some(at) = found {
                let message = self.responses.remove(at);
                return match message.get("error") {
                    Some(error) => Err(error.clone()),
                    None => Ok(message["result"].clone()),
                };
            }
            self.take_in();
        }
    }

    /// Waits for the next notification of a method; others are kept.
    pub fn notification(&mut self, method: &str) -> Value {
        loop {
            let found = self
                .notifications
                .iter()
                .position(|it| it["method"] == method);
            if let Some(message) = found.and_then(|at| self.notifications.remove(at)) {
                return message["params"].clone();
            }
            self.take_in();
        }
    }

    /// Waits for a message, and stores it by its kind.
    fn take_in(&mut self) {
        let next = async { tokio::time::timeout(PATIENCE, self.messages.recv()).await };
        let next = self.runtime.block_on(next);
        let message = next
            .expect("the server is silent")
            .expect("the server has left");
        self.sort(message);
    }

    fn sort(&mut self, message: Value) {
        let Some(method) = message["method"].as_str() else {
            return self.responses.push(message);
        };
        if message.get("id").is_none() {
            return self.notifications.push_back(message);
        }
        if let Some(result) = (self.answers)(method, &message["params"]) {
            self.write(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
        }
        self.asked.push(message);
    }

    /// Opens a Python document at version 1.
    pub fn open(&mut self, uri: &str, text: &str) {
        let language = match uri.ends_with(".cpp") || uri.ends_with(".h") {
            true => "cpp",
            false => "python",
        };
        let item = json!({"uri": uri, "languageId": language, "version": 1, "text": text});
        self.notify("textDocument/didOpen", json!({"textDocument": item}));
    }

    /// Sends changes that lead to a version of a document.
    pub fn change(&mut self, uri: &str, version: i32, changes: Value) {
        let document = json!({"uri": uri, "version": version});
        let params = json!({"textDocument": document, "contentChanges": changes});
        self.notify("textDocument/didChange", params);
    }

    /// Waits until the diagnostics of a version are published. Checks that no diagnostics of an older version follow
    /// those of a newer one.
    pub fn diagnostics(&mut self, uri: &str, version: i32) -> Vec<Value> {
        let mut latest = i64::MIN;
        loop {
            let params = self.notification("textDocument/publishDiagnostics");
            if params["uri"] != uri {
                continue;
            }
            let published = params["version"].as_i64().expect("a version");
            assert!(published >= latest, "version {published} behind {latest}");
            latest = published;
            assert!(
                published <= i64::from(version),
                "{published} before {version}"
            );
            if published == i64::from(version) {
                let read = (params["uri"].clone(), params["version"].clone());
                self.read.push(read);
                return params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    /// Switches replays off, so that the first diagnostics are final.
    pub fn without_replay(&mut self) {
        let settings = json!({"a2lint": {"replay": false}});
        self.notify(
            "workspace/didChangeConfiguration",
            json!({"settings": settings}),
        );
    }

    /// Waits until all replays of a version have finished, and returns the last diagnostics that were published for
    /// it. `first` are the diagnostics that were read before.
    pub fn settled(&mut self, uri: &str, version: i32, first: Vec<Value>) -> Vec<Value> {
        let zero = json!({"line": 0, "character": 0});
        let params = json!({
            "textDocument": {"uri": uri},
            "range": {"start": zero, "end": zero},
            "context": {"diagnostics": [], "only": ["source.fixAll.a2lint"]},
        });
        self.request("textDocument/codeAction", params)
            .expect("an answer");
        // A notification that is about to be sent is written before the response to a second request.
        let document = json!({"textDocument": {"uri": uri}});
        self.request("textDocument/foldingRange", document)
            .expect("an answer");
        let mut latest = first;
        self.notifications.retain(|it| {
            let params = &it["params"];
            let is_one = it["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri;
            if is_one {
                assert_eq!(params["version"], version, "{params}");
                latest = params["diagnostics"].as_array().expect("a list").clone();
            }
            !is_one
        });
        latest
    }

    /// Sends a request on a position of a document.
    pub fn at(&mut self, method: &str, uri: &str, position: Value) -> Value {
        let params = json!({"textDocument": {"uri": uri}, "position": position});
        self.request(method, params).expect("an answer")
    }

    /// Sends `shutdown` and `exit`. The test must have read everything that the server has sent.
    pub fn leave(mut self) {
        self.request("shutdown", Value::Null).expect("a goodbye");
        self.end();
    }

    /// Sends `exit` after `shutdown`.
    pub fn end(mut self) {
        self.notify("exit", Value::Null);
        let server = self.server.take().expect("it runs");
        let ended = async { tokio::time::timeout(PATIENCE, server).await };
        let ended = self.runtime.block_on(ended);
        ended.expect("the server ends").expect("it does not panic");
        while let Ok(message) = self.messages.try_recv() {
            self.sort(message);
        }
        // Diagnostics after replays may be published at any time, and so may be those of a file without findings.
        let read = std::mem::take(&mut self.read);
        self.notifications.retain(|it| {
            let params = &it["params"];
            let version = (params["uri"].clone(), params["version"].clone());
            let is_empty = params["diagnostics"].as_array().is_some_and(Vec::is_empty);
            let is_known = is_empty || read.contains(&version);
            it["method"] != "textDocument/publishDiagnostics" || !is_known
        });
        let unread: Vec<&Value> = self.notifications.iter().chain(&self.responses).collect();
        assert!(unread.is_empty(), "left unread: {unread:#?}");
        self.writer = None;
    }
}

async fn read(pipe: DuplexStream, messages: mpsc::UnboundedSender<Value>) {
    let mut pipe = BufReader::new(pipe);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if pipe.read_line(&mut line).await.unwrap_or(0) == 0 {
                return;
            }
            if let Some(value) = line.to_lowercase().strip_prefix("content-length:") {
                length = value.trim().parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        if pipe.read_exact(&mut body).await.is_err() {
            return;
        }
        let message = serde_json::from_slice(&body).expect("JSON");
        if messages.send(message).is_err() {
            return;
        }
    }
}

/// Returns the position of a byte offset in UTF-16, counted naively.
pub fn position(text: &str, offset: usize) -> Value {
    let before = &text[..offset];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |at| at + 1);
    let character = before[start..].encode_utf16().count();
    json!({"line": line, "character": character})
}

/// Returns the position of the first `needle`, moved by `plus` bytes.
pub fn position_of(text: &str, needle: &str, plus: usize) -> Value {
    let at = text.find(needle).unwrap_or_else(|| panic!("no {needle}"));
    position(text, at + plus)
}
