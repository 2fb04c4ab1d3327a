//! The client of a server that runs in its own process.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

/// A server process, which is killed on drop.
pub struct Server {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    next_id: i64,
}

impl Server {
    /// Starts a server and sends `initialize`.
    pub fn start() -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_a2lint"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = child.stdin.take().expect("a pipe");
        let output = BufReader::new(child.stdout.take().expect("a pipe"));
        let mut server = Server {
            child,
            input,
            output,
            next_id: 1,
        };
        server.request("initialize", json!({"capabilities": {}}));
        server.notify("initialized", json!({}));
        server
    }

    fn write(&mut self, message: &Value) {
        let text = message.to_string();
        let sent = write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len());
        sent.and_then(|()| self.input.flush())
            .expect("the server reads");
    }

    /// Sends a notification.
    pub fn notify(&mut self, method: &str, params: Value) {
        self.write(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Sends a request and waits for its result.
    pub fn request(&mut self, method: &str, params: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        self.write(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        loop {
            let message = self.read();
            if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    /// Waits for the next message of the server.
    pub fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("the server writes");
            if let Some(value) = line.strip_prefix("Content-Length:") {
                length = value.trim().parse().expect("a length");
            }
            if line.trim().is_empty() {
                break;
            }
        }
        let mut body = vec![0; length];
        self.output.read_exact(&mut body).expect("a body");
        serde_json::from_slice(&body).expect("JSON")
    }

    /// Waits for the first diagnostics of a version of a document.
    pub fn diagnostics(&mut self, uri: &str, version: i64) {
        loop {
            let message = self.read();
            let params = &message["params"];
            let is_publish = message["method"] == "textDocument/publishDiagnostics";
            if is_publish && params["uri"] == uri && params["version"] == version {
                return;
            }
        }
    }

    /// Returns the resident memory in megabytes.
    pub fn memory(&self) -> Option<f64> {
        let path = format!("/proc/{}/status", self.child.id());
        let status = std::fs::read_to_string(path).ok()?;
        let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
        let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
        Some(kilobytes / 1024.0)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
