//! Messages of the client before the protocol's library sees them: it stops reading at the first one that it
//! cannot read, without a word.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tower_lsp::jsonrpc::{Request, Response};

use a2lint_source::files::MAX_BYTES;
use a2lint_source::messages::{Broken, Frames, without_lone_surrogates};

/// Bytes of the longest message: a text as long as files may be, however JSON writes it.
const MESSAGE_BYTES: usize = 4 * MAX_BYTES as usize;
/// Bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// The method that stands in for a request that cannot be read, so that it is answered.
pub const UNREADABLE_REQUEST: &str = "a2lint/unreadableRequest";
/// The method that stands in for anything else that cannot be read, so that the log has it.
pub const UNREADABLE: &str = "a2lint/unreadable";

/// Why a message was not read.
#[derive(Debug, Deserialize, Serialize)]
pub struct Unreadable {
    /// In words.
    pub reason: String,
}

/// Passes messages on. In place of one that cannot be read, a request or notification goes on that says so.
pub async fn screen(
    mut input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> std::io::Result<()> {
    let mut frames = Frames::new(MESSAGE_BYTES, &["id", "method"]);
    let mut chunk = vec![0; CHUNK];
    let mut is_introduced = false;
    loop {
        let read = input.read(&mut chunk).await?;
        frames.push(chunk.get(..read).unwrap_or_default());
        while let Some(next) = frames.next(parse) {
            let notes = match next {
                Ok(message) => {
                    is_introduced |= message.is_introduction;
                    write(&mut output, &message.bytes).await?;
                    message.note.map(notification)
                }
                Err(broken) => Some(stand_in(&broken)),
            };
            let Some(note) = notes else { continue };
            if !is_introduced {
                // Nothing may be logged yet.
                eprintln!("a2lint: {}", note["params"]["reason"]);
            }
            write(&mut output, note.to_string().as_bytes()).await?;
        }
        if read == 0 {
            break;
        }
    }
    if let Some(broken) = frames.end() {
        eprintln!("a2lint: {}", broken.reason);
    }
    Ok(())
}

/// A message that can be read.
struct Message {
    bytes: Vec<u8>,
    /// Whether the client may be talked to from here on.
    is_introduction: bool,
    /// What had to be changed in it.
    note: Option<String>,
}

/// Reads a message as the protocol's library does.
fn parse(bytes: &[u8]) -> Result<Message, String> {
    let reason = match read(bytes) {
        Ok(is_introduction) => {
            return Ok(Message {
                bytes: bytes.to_vec(),
                is_introduction,
                note: None,
            });
        }
        Err(reason) => reason,
    };
    // Skipping an edit would leave another text in the editor than here.
    let mended = without_lone_surrogates(bytes).filter(|mended| read(mended).is_ok());
    let note = "a message has half a character (a lone surrogate); U+FFFD was read for it";
    mended
        .map(|bytes| Message {
            bytes,
            is_introduction: false,
            note: Some(note.to_owned()),
        })
        .ok_or(reason)
}

/// Whether a message is `initialized`; an error where it is none.
fn read(bytes: &[u8]) -> Result<bool, String> {
    let request = match serde_json::from_slice::<Request>(bytes) {
        Ok(request) => return Ok(request.method() == "initialized"),
        Err(error) => error,
    };
    match serde_json::from_slice::<Response>(bytes) {
        Ok(_) => Ok(false),
        Err(_) => Err(format!("a message cannot be read: {request}")),
    }
}

/// What goes on in place of a message.
fn stand_in(broken: &Broken) -> Value {
    let is_request = broken.envelope.get("method").is_some_and(Value::is_string);
    let id = broken.envelope.get("id").filter(|_| is_request);
    match id.filter(|id| id.is_i64() || id.is_string()) {
        Some(id) => {
            let params = json!({"reason": broken.reason});
            json!({"jsonrpc": "2.0", "id": id, "method": UNREADABLE_REQUEST, "params": params})
        }
        None => notification(broken.reason.clone()),
    }
}

fn notification(reason: String) -> Value {
    json!({"jsonrpc": "2.0", "method": UNREADABLE, "params": {"reason": reason}})
}

async fn write(output: &mut (impl AsyncWrite + Unpin), bytes: &[u8]) -> std::io::Result<()> {
    let header = format!("Content-Length: {}\r\n\r\n", bytes.len());
    output.write_all(header.as_bytes()).await?;
    output.write_all(bytes).await
}
