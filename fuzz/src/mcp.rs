//! Whole sessions of the server for coding agents.
//!
//! An input holds one message a line. Calls that would read files are left out: what an input may
//! name is a text.

use std::time::Duration;

use a2lint::cli::check_for_program;
use a2lint::mcp;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};

/// A session may take so long; more is a server that hangs.
const PATIENCE: Duration = Duration::from_secs(60);

/// Sends a session and leaves; the server has to leave too, and to report no defect.
pub fn serve(data: &[u8]) {
    let lines = data.split(|&byte| byte == b'\n');
    let messages: Vec<&[u8]> = lines.filter(|line| !names_files(line)).collect();
    let mut input = messages.join(&b'\n');
    input.push(b'\n');
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()
        .expect("a runtime");
    let session = async {
        let (mut writer, inbox) = tokio::io::duplex(1 << 16);
        let (outbox, mut reader) = tokio::io::duplex(1 << 16);
        let server = tokio::spawn(mcp::serve(
            check_for_program,
            Box::new(inbox),
            Box::new(outbox),
        ));
        let listener = tokio::spawn(async move {
            let mut heard = Vec::new();
            let _ = reader.read_to_end(&mut heard).await;
            heard
        });
        // A server that has left reads no more.
        let _ = writer.write_all(&input).await;
        drop(writer);
        // How a session ends that was none is for its client.
        let _ = server.await.expect("the server does not panic");
        listener.await.expect("nor does the client")
    };
    let heard = runtime.block_on(async { tokio::time::timeout(PATIENCE, session).await });
    runtime.shutdown_timeout(Duration::from_secs(1));
    let heard = heard.expect("the server leaves when the client does");
    for line in heard
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let answer: Value = serde_json::from_slice(line).expect("answers are JSON");
        assert!(
            !answer.to_string().contains("a defect of a2lint"),
            "{answer}"
        );
    }
}

/// Whether a message may ask for files on the disk.
fn names_files(line: &[u8]) -> bool {
    let Ok(message) = serde_json::from_slice::<Value>(line) else {
        return false;
    };
    let arguments = &message["params"]["arguments"];
    !arguments["source"].is_string() && !arguments["path"].is_null()
}
