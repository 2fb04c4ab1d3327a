//! Messages as they are read and written: a header with their length, and JSON.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

use super::protocol::Request;

/// Most bytes of a message.
const MOST_BYTES: usize = 4 << 20;
/// Most bytes of a line of a header.
const MOST_HEADER: u64 = 4096;

/// Why there is no message.
#[derive(Debug)]
pub enum Broken {
    /// What has come is none; others may follow.
    Message(String),
    /// Nothing can be read any more.
    Stream,
}

/// The next message; `None` at the end.
pub fn read(input: &mut impl BufRead) -> Result<Option<Value>, Broken> {
    let mut length = None;
    loop {
        let mut line = Vec::new();
        let mut limited = io::Read::take(&mut *input, MOST_HEADER);
        let read = limited.read_until(b'\n', &mut line);
        match read {
            Ok(0) => return Ok(None),
            Ok(_) => {}
            Err(_) => return Err(Broken::Stream),
        }
        let line = String::from_utf8_lossy(&line);
        let line = line.trim();
        if line.is_empty() {
            match length {
                Some(length) => return body(input, length).map(Some),
                // Empty lines between messages harm nobody.
                None => continue,
            }
        }
        match line.split_once(':') {
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                let value: Result<usize, _> = value.trim().parse();
                length = Some(value.map_err(|_| Broken::Message(format!("no length: {line:?}")))?);
            }
            Some(_) => {}
            None => return Err(Broken::Message(format!("no header: {line:?}"))),
        }
    }
}

fn body(input: &mut impl BufRead, length: usize) -> Result<Value, Broken> {
    if length > MOST_BYTES {
        let mut rest = io::Read::take(&mut *input, length as u64);
        io::copy(&mut rest, &mut io::sink()).map_err(|_| Broken::Stream)?;
        return Err(Broken::Message(format!(
            "a message of {length} bytes is too long"
        )));
    }
    let mut bytes = vec![0; length];
    io::Read::read_exact(input, &mut bytes).map_err(|_| Broken::Stream)?;
    let message = serde_json::from_slice(&bytes);
    message.map_err(|error| Broken::Message(format!("a message is no JSON: {error}")))
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
            json!({ "category": "console", "output": format!("{text}\n") }),
        )
    }

    /// Shows what is wrong in the console.
    pub fn complain(&mut self, text: &str) -> io::Result<()> {
        self.event(
            "output",
            json!({ "category": "stderr", "output": format!("a2lint: {text}\n") }),
        )
    }

    fn write(&mut self, mut message: Value) -> io::Result<()> {
        self.number += 1;
        message["seq"] = self.number.into();
        let text = message.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len())?;
        self.output.flush()
    }
}
