//! Messages as they are read and written: a header with their length, and JSON.

use std::borrow::Cow;
use std::io::{self, Write};

use serde_json::{Value, json};

use super::protocol::Request;
use a2lint_report::printable_lines;

/// Most bytes of a message.
pub const MOST_BYTES: usize = 4 << 20;
/// What is looked for in a message that cannot be read.
pub const MEMBERS: &[&str] = &["seq", "type", "command"];

/// A message as JSON.
///
/// # Errors
/// It is none.
pub fn parse(bytes: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(bytes).map_err(|error| format!("a message is no JSON: {error}"))
}

/// Whom answers and events go to.
pub struct Client {
    output: Box<dyn Write + Send>,
    number: i64,
    /// Where clients begin to count lines and columns.
    first: [usize; 2],
}

impl Client {
    /// A client that has been told nothing.
    pub fn new(output: Box<dyn Write + Send>) -> Client {
        Client {
            output,
            number: 0,
            first: [1, 1],
        }
    }

    /// Whether it counts lines and columns from 1.
    pub fn count_from(&mut self, lines: bool, columns: bool) {
        self.first = [lines.into(), columns.into()];
    }

    /// A line, as the client counts them.
    pub fn line(&self, line: usize) -> usize {
        line - 1 + self.first[0]
    }

    /// A column, as the client counts them.
    pub fn column(&self, column: usize) -> usize {
        column - 1 + self.first[1]
    }

    /// A line that the client has named, counted from 1; no file has one beyond those that offsets can tell.
    pub fn own_line(&self, line: usize) -> usize {
        line.min(u32::MAX as usize) + 1 - self.first[0]
    }

    /// Answers a request.
    pub fn succeed(&mut self, request: &Request, body: Value) -> io::Result<()> {
        self.answer(request, true, body, None)
    }

    /// Says why a request cannot be answered.
    pub fn fail(&mut self, request: &Request, message: &str) -> io::Result<()> {
        let error = json!({
            "id": 1,
            "format": "{message}",
            "variables": { "message": message },
            // Anything else is said where it was asked.
            "showUser": request.command == "launch",
        });
        let body = json!({ "error": error });
        self.answer(request, false, body, Some(message))
    }

    /// Says why a message cannot be read: in an answer where it is known to be a request.
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

    /// Tells of something.
    pub fn event(&mut self, event: &str, body: Value) -> io::Result<()> {
        self.write(json!({ "type": "event", "event": event, "body": body }))
    }

    /// Shows a text in the console.
    pub fn say(&mut self, text: &str) -> io::Result<()> {
        self.event(
            "output",
            json!({ "category": "console", "output": format!("{}\n", printable_lines(text)) }),
        )
    }

    /// Shows what is wrong in the console.
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
/// Members of messages that clients send back, or open: they stay as they are.
const EXACT: [&str; 2] = ["path", "evaluateName"];

/// Replaces characters that an editor would obey instead of showing them, in all that a message shows.
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
