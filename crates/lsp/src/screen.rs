//! Filters the messages of the client before the protocol library reads them, because the library stops without a
//! word at the first message that it cannot parse.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tower_lsp::jsonrpc::{Request, Response};

use a2lint_source::files::MAX_BYTES;
use a2lint_source::messages::{Broken, Frames, without_lone_surrogates};

/// Maximum size of a message in bytes. JSON may escape characters of a file of `MAX_BYTES`, hence the factor.
const MESSAGE_BYTES: usize = 4 * MAX_BYTES as usize;
/// Number of bytes that are read at once.
const CHUNK: usize = 64 << 10;

/// The method that replaces that of a request that cannot be parsed, so that the request gets an answer.
pub const UNREADABLE_REQUEST: &str = "a2lint/unreadableRequest";
/// The method that replaces any other message that cannot be parsed, so that it is logged.
pub const UNREADABLE: &str = "a2lint/unreadable";

/// Parameters of the replacement messages.
#[derive(Debug, Deserialize, Serialize)]
pub struct Unreadable {
    /// Why the message could not be parsed.
    pub reason: String,
}

/// Copies messages from `input` to `output`. A message that cannot be parsed is replaced by one that says so.
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
                // Before `initialized`, the protocol forbids log messages.
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

/// A message that can be parsed.
struct Message {
    bytes: Vec<u8>,
    /// Whether this is `initialized`, from which on the server may send messages.
    is_introduction: bool,
    /// A note on what was changed in the message.
    note: Option<String>,
}

/// Parses a message with the types of the protocol library.
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
    // An edit that is skipped would leave the server with another text than the editor, so a lone surrogate is
    // replaced.
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

/// Returns whether a message is `initialized`; an error if it is no valid message.
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

/// Returns the replacement for a message that cannot be parsed.
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
