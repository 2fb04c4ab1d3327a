//! Whole sessions of the language server.
//!
//! An input that begins with a header is sent as it is. Any other input holds one message a line,
//! so that a mutation does not cost every message after it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use a2lint::lsp;
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::runtime::Runtime;

/// A session may take so long; more is a server that hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends a session, leaves, and makes sure that the server leaves as well.
pub fn serve(data: &[u8]) {
    let input = match data.starts_with(b"Content-Length") {
        true => data.to_vec(),
        false => framed(data),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let said = talk(&runtime, input);
    runtime.shutdown_timeout(Duration::from_secs(1));
    let said = String::from_utf8(said).expect("the server speaks UTF-8");
    assert!(!said.contains("a defect of a2lint"), "{said}");
}

/// Every line as a message with its header.
fn framed(data: &[u8]) -> Vec<u8> {
    let mut input = Vec::new();
    for line in data.split(|&byte| byte == b'\n') {
        input.extend(format!("Content-Length: {}\r\n\r\n", line.len()).into_bytes());
        input.extend(line);
    }
    input
}

/// Sends everything, waits until the documents of the seeds have been answered for, and leaves.
fn talk(runtime: &Runtime, input: Vec<u8>) -> Vec<u8> {
    let (mut writer, inbox) = tokio::io::duplex(1 << 16);
    let (outbox, mut reader) = tokio::io::duplex(1 << 16);
    let server = runtime.spawn(lsp::serve(
        Box::new(inbox),
        Box::new(outbox),
        lsp::Options::default(),
    ));
    let heard = Arc::new(Mutex::new(Vec::new()));
    let ear = heard.clone();
    let listener = runtime.spawn(async move {
        let mut part = vec![0; 1 << 14];
        while let Ok(length @ 1..) = reader.read(&mut part).await {
            ear.lock().expect("nobody panics").extend(&part[..length]);
        }
    });
    let session = async {
        // A server that has left reads no more.
        let _ = writer.write_all(&[input, last_questions()].concat()).await;
        let answered = || {
            let heard = heard.lock().expect("nobody panics");
            let text = String::from_utf8_lossy(&heard);
            LAST.iter().all(|(id, _)| text.contains(id))
        };
        // Where a broken header has swallowed the questions, nothing is to be waited for.
        for _ in 0..BRIEF {
            if server.is_finished() || answered() {
                break;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
        drop(writer);
        server.await.expect("the server does not panic");
        listener.await.expect("nor does the client");
    };
    let ended = runtime.block_on(async { tokio::time::timeout(PATIENCE, session).await });
    ended.expect("the server leaves when the client does");
    let mut heard = heard.lock().expect("nobody panics");
    std::mem::take(&mut heard)
}

/// How often the answers to the last questions are looked for.
const BRIEF: u32 = 500;

/// Names of the last questions, and the documents they are about.
const LAST: [(&str, &str); 3] = [
    ("last-of-py", "file:///folder/k.py"),
    ("last-of-ptx", "file:///folder/k.ptx"),
    ("last-of-cpp", "file:///folder/k.cpp"),
];

/// Questions that wait for the analysis of a document, where it is open.
fn last_questions() -> Vec<u8> {
    let questions = LAST.map(|(id, uri)| {
        let params = json!({"textDocument": {"uri": uri}});
        let method = "textDocument/documentSymbol";
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string()
    });
    framed(questions.join("\n").as_bytes())
}
