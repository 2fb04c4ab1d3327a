//! Reads and writes messages: a header with the length, and JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::protocol::Request;
use a2lint_report::printable_lines;

/// Maximum size of a message in bytes.
pub const MOST_BYTES: usize = 4 << 20;
/// The members that are searched for in a message that cannot be parsed.
pub const MEMBERS: &[&str] = &["seq", "type", "command"];

/// Parses a message as JSON.
///
/// # Errors
/// The message is not valid JSON.
pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("a message is no JSON: {error}"))
}

/// The client's end of the connection, for responses and events.
pub struct Client {
    output: Box<dyn Write + Send>,
    number: i64,
    /// Number of the first line and of the first column, as the client counts.
    first: [usize; 2],
}

impl Client {
    /// Creates the state of a client before any message.
    pub fn new(output: Box<dyn Write + Send>) -> Client {
        Client {
            output,
            number: 0,
            first: [1, 1],
        }
    }

    /// Sets whether the client counts lines and columns from 1.
    pub fn count_from(&mut self, lines: bool, columns: bool) {
        self.first = [lines.into(), columns.into()];
    }

    /// Converts a line that is counted from 1 to the client's numbering.
    pub fn line(&self, line: usize) -> usize {
        line - 1 + self.first[0]
    }

    /// Converts a column that is counted from 1 to the client's numbering.
    pub fn column(&self, column: usize) -> usize {
        column - 1 + self.first[1]
    }

    /// Converts a line in the client's numbering to one that is counted from 1. Larger lines than a 32-bit offset can
    /// reach are clamped, so that the sum cannot overflow.
    pub fn own_line(&self, line: usize) -> usize {
        line.min(u32::MAX as usize) + 1 - self.first[0]
    }

    /// Sends a successful response.
    pub fn succeed(&mut self, request: &Request, body: Value) -> io::Result<()> {
        self.answer(request, true, body, None)
    }

    /// Sends an error response.
    pub fn fail(&mut self, request: &Request, message: &str) -> io::Result<()> {
        let error = json!({
            "id": 1,
            "format": "{message}",
            "variables": { "message": message },
            // Clients show other errors at the place of the request.
            "showUser": request.command == "launch",
        });
        let body = json!({ "error": error });
        self.answer(request, false, body, Some(message))
    }

    /// Reports a message that cannot be parsed: as an error response if it is known to be a request.
    pub fn refuse(&mut self, request: Option<&Request>, reason: &str) -> io::Result<()> {
        match request {
            Some(request) => self.fail(request, reason),
            None => self.complain(reason),
        }
    }

    fn answer(
        &mut self,
        request: &Request,
        success: bool,
        body: Value,
        message: Option<&str>,
    ) -> io::Result<()> {
        let mut answer = json!({
            "type": "response",
            "request_seq": request.seq,
            "success": success,
            "command": request.command,
        });
        if !body.is_null() {
            answer["body"] = body;
        }
        if let Some(message) = message {
            answer["message"] = message.into();
        }
        self.write(answer)
    }

    /// Sends an event.
    pub fn event(&mut self, event: &str, body: Value) -> io::Result<()> {
        self.write(json!({ "type": "event", "event": event, "body": body }))
    }

    /// Prints a text to the debug console.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        self.event(
            "output",
            json!({ "category": "console", "output": format!("{}\n", printable_lines(text)) }),
        )
    }

    /// Prints an error to the debug console.
    pub fn complain(&mut self, text: &str) -> io::Result<()> {
        self.event(
            "output",
            json!({ "category": "stderr", "output": format!("a2lint: {}\n", printable_lines(text)) }),
        )
    }

    fn write(&mut self, mut message: Value) -> io::Result<()> {
        self.number += 1;
        message["seq"] = self.number.into();
        clean(&mut message);
        let text = message.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.output.flush()
    }
}
/// Members of messages that clients send back or open, which must stay as they are.
const EXACT: [&str; 2] = ["path", "evaluateName"];

/// Replaces control characters that an editor would interpret in all texts of a message that are shown.
fn clean(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(shown) = printable_lines(text) {
                *text = shown;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(clean),
        Value::Object(members) => {
            let shown = members
                .iter_mut()
                .filter(|(name, _)| !EXACT.contains(&name.as_str()));
            shown.for_each(|(_, value)| clean(value));
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_an_editor_would_obey_is_replaced_but_for_what_it_sends_back() {
        let mut message = json!({
            "body": {"variables": [{"name": "n\u{202e}", "evaluateName": "n\u{202e}", "value": "\u{1b}[2J"}]},
            "path": "/k\u{200b}.py",
        });
        clean(&mut message);
        let expected = json!({
            "body": {"variables": [{"name": "n\u{fffd}", "evaluateName": "n\u{202e}", "value": "\u{fffd}[2J"}]},
            "path": "/k\u{200b}.py",
        });
        assert_eq!(message, expected);
    }
}
