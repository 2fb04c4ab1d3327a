//! Reads and writes messages as lines of JSON. Unreadable messages get an error response. The SDK ignores them, so
//! that an agent would wait for ever.

use std::io;
use std::sync::Arc;

use rmcp::RoleServer;
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, mpsc};

use a2lint_source::files::MAX_BYTES;
use a2lint_source::messages::Envelope;

/// Maximum size of a message in bytes. JSON may escape characters of a file of `MAX_BYTES`, hence the factor.
const MESSAGE_BYTES: usize = 4 * MAX_BYTES as usize;
/// Capacity of the queue of parsed messages.
const WAITING: usize = 8;

type Output = Arc<Mutex<Option<Box<dyn AsyncWrite + Send + Sync + Unpin>>>>;

/// The connection to a client over two streams.
pub struct Lines {
    messages: mpsc::Receiver<RxJsonRpcMessage<RoleServer>>,
    output: Output,
}

impl Lines {
    /// Starts to read the input.
    pub fn new(
        input: Box<dyn AsyncRead + Send + Sync + Unpin>,
        output: Box<dyn AsyncWrite + Send + Sync + Unpin>,
    ) -> Lines {
        let (sender, messages) = mpsc::channel(WAITING);
        let output: Output = Arc::new(Mutex::new(Some(output)));
        tokio::spawn(read(BufReader::new(input), sender, output.clone()));
        Lines { messages, output }
    }
}

impl Transport<RoleServer> for Lines {
    type Error = io::Error;

    fn send(
        &mut self,
        item: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let output = self.output.clone();
        async move { write(&output, &item).await }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        self.messages.recv().await
    }

    async fn close(&mut self) -> io::Result<()> {
        self.messages.close();
        drop(self.output.lock().await.take());
        Ok(())
    }
}

async fn write(output: &Output, item: &TxJsonRpcMessage<RoleServer>) -> io::Result<()> {
    let line = serde_json::to_string(item)? + "\n";
    let mut output = output.lock().await;
    let Some(output) = output.as_mut() else {
        return Err(io::ErrorKind::NotConnected.into());
    };
    output.write_all(line.as_bytes()).await?;
    output.flush().await
}

/// Parses lines and queues the messages, until the client disconnects.
async fn read(
    mut input: impl AsyncBufRead + Unpin,
    messages: mpsc::Sender<RxJsonRpcMessage<RoleServer>>,
    output: Output,
) {
    while let Ok(Some(line)) = line(&mut input, MESSAGE_BYTES).await {
        let answered = match line.and_then(|line| parse(&line)) {
            Ok(Some(message)) => messages.send(message).await.is_ok(),
            Ok(None) => true,
            Err(refusal) => {
                let (error, id) = *refusal;
                let answer = TxJsonRpcMessage::<RoleServer>::error(error, id);
                write(&output, &answer).await.is_ok()
            }
        };
        if !answered {
            return;
        }
    }
}

/// An error response, and the identifier of the request that it answers.
type Refusal = Box<(ErrorData, Option<RequestId>)>;

/// Reads the next line; `None` at the end of the input. A line above the limit is consumed, but only its `id` is kept
/// for the error response.
async fn line(
    input: &mut (impl AsyncBufRead + Unpin),
    limit: usize,
) -> io::Result<Option<Result<Vec<u8>, Refusal>>> {
    let mut line = Vec::new();
    let mut envelope = Envelope::new(&["id"]);
    let mut length = 0;
    loop {
        let available = input.fill_buf().await?;
        let end = available.iter().position(|&byte| byte == b'\n');
        let taken = end.map_or(available.len(), |end| end + 1);
        let piece = available.get(..taken).unwrap_or_default();
        length += taken;
        envelope.push(piece);
        match length <= limit {
            true => line.extend_from_slice(piece),
            false => line = Vec::new(),
        }
        input.consume(taken);
        if taken == 0 && length == 0 {
            return Ok(None);
        }
        if end.is_some() || taken == 0 {
            break;
        }
    }
    if length <= limit {
        return Ok(Some(Ok(line)));
    }
    let message = format!(
        "a message of {} MiB is above the limit of {} MiB",
        length >> 20,
        limit >> 20
    );
    let error = ErrorData::invalid_request(message, None);
    Ok(Some(Err(Box::new((error, number(&envelope))))))
}

/// Parses a message; `None` if it is to be ignored: an empty line, or an unreadable message that takes no response.
fn parse(line: &[u8]) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Refusal> {
    let line = line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line);
    if line.iter().all(u8::is_ascii_whitespace) {
        return Ok(None);
    }
    let unread = match serde_json::from_slice(line) {
        Ok(message) => return Ok(Some(message)),
        Err(error) => error,
    };
    let mut envelope = Envelope::new(&["id"]);
    envelope.push(line);
    let id = number(&envelope);
    let error = match serde_json::from_slice::<Value>(line) {
        // Notifications and responses get no response.
        Ok(Value::Object(message))
            if !(message.contains_key("id") && message.contains_key("method")) =>
        {
            return Ok(None);
        }
        Ok(_) => ErrorData::invalid_request(format!("no message of the protocol: {unread}"), None),
        Err(error) => ErrorData::new(ErrorCode::PARSE_ERROR, format!("no JSON: {error}"), None),
    };
    Err(Box::new((error, id)))
}

fn number(envelope: &Envelope) -> Option<RequestId> {
    match envelope.get("id")? {
        Value::Number(number) => number.as_i64().map(RequestId::Number),
        Value::String(text) => Some(RequestId::String(text.as_str().into())),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusals(input: &str) -> Vec<(i32, Option<RequestId>)> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let reading = async {
            let (mut input, mut found) = (input.as_bytes(), Vec::new());
            while let Some(line) = line(&mut input, 100).await.expect("a line") {
                if let Err(refusal) = line.and_then(|line| parse(&line)) {
                    found.push((refusal.0.code.0, refusal.1));
                }
            }
            found
        };
        runtime.expect("a runtime").block_on(reading)
    }

    #[test]
    fn what_cannot_be_read_is_answered() {
        let number = |id| Some(RequestId::Number(id));
        let long = format!("{{\"text\": \"{}\", \"id\": 7}}\n", "x".repeat(300));
        let text = [
            "{\"id\": 3, \"method\": \"x\", nonsense}",
            "not JSON",
            "[1]",
            "{\"jsonrpc\": \"2.0\", \"id\": \"a\", \"method\": 5}",
            "{\"jsonrpc\": \"2.0\", \"method\": \"notifications/unheard\"}",
            "",
            "{\"jsonrpc\": \"2.0\", \"id\": 4, \"method\": \"ping\"}",
        ];
        let found = refusals(&(text.join("\n") + "\n" + &long + "{\"id\": 8, \"method\""));
        let expected = [
            (-32700, number(3)),
            (-32700, None),
            (-32600, None),
            (-32600, Some(RequestId::String("a".into()))),
            (-32600, number(7)),
            (-32700, number(8)),
        ];
        assert_eq!(found, expected);
    }
}
