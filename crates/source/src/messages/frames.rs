//! Splitting a stream into messages with a `Content-Length` header, as in the language server and debug adapter
//! protocols.

use super::Envelope;

/// Size limit of a header in bytes.
const MOST_HEADER: usize = 4096;
/// The only header field that matters.
const LENGTH: &[u8] = b"content-length:";

/// A message that cannot be read.
#[derive(Clone, Debug)]
pub struct Broken {
    /// The reason for the error.
    pub reason: String,
    /// The members that identify the message, as far as they could be found.
    pub envelope: Envelope,
}

/// Splits a stream into messages, and resynchronises at the next header after a malformed one.
///
/// A wrong length leaves a body that is no valid JSON. JSON has no line breaks inside of its strings, so a line that
/// looks like a header is one, and reading continues there.
#[derive(Debug)]
pub struct Frames {
    limit: usize,
    wanted: &'static [&'static str],
    /// Received bytes, from which the first `at` have been consumed.
    buffer: Vec<u8>,
    /// Start of the unconsumed bytes in `buffer`.
    at: usize,
    state: State,
}

#[derive(Debug)]
enum State {
    Header,
    Body(usize),
    /// Skipping to the next header; the error that is still to be reported, with the members found meanwhile.
    Skipping(Option<Broken>),
}

impl Frames {
    /// Creates a reader for messages of at most `limit` bytes; of broken messages the members `wanted` are looked
    /// for.
    pub fn new(limit: usize, wanted: &'static [&'static str]) -> Frames {
        Frames {
            limit,
            wanted,
            buffer: Vec::new(),
            at: 0,
            state: State::Header,
        }
    }

    /// Feeds received bytes.
    pub fn push(&mut self, bytes: &[u8]) {
        self.buffer.drain(..self.at);
        self.at = 0;
        self.buffer.extend_from_slice(bytes);
    }

    /// Returns the next message, parsed by `parse`, or the error of a broken one; `None` if more bytes are needed.
    pub fn next<T>(
        &mut self,
        parse: impl Fn(&[u8]) -> Result<T, String>,
    ) -> Option<Result<T, Broken>> {
        loop {
            let found = match &mut self.state {
                State::Header => self.header()?,
                &mut State::Body(length) => {
                    let body = self.rest().get(..length)?;
                    let parsed = parse(body);
                    return Some(match parsed {
                        Ok(message) => {
                            self.at += length;
                            self.state = State::Header;
                            Ok(message)
                        }
                        Err(reason) => Err(self.not_read(length, reason)),
                    });
                }
                State::Skipping(_) => self.skip()?,
            };
            if let Some(broken) = found {
                return Some(Err(broken));
            }
        }
    }

    /// Returns the error for an incomplete message at the end of the stream.
    pub fn end(self) -> Option<Broken> {
        let is_empty = self.rest().iter().all(u8::is_ascii_whitespace);
        match self.state {
            State::Skipping(told) => told,
            State::Header if is_empty => None,
            State::Header | State::Body(_) => {
                let mut envelope = Envelope::new(self.wanted);
                envelope.push(self.rest());
                let reason = "the stream ends inside of a message".to_owned();
                Some(Broken { reason, envelope })
            }
        }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.at..]
    }

    fn broken(&self, reason: String) -> Broken {
        Broken {
            reason,
            envelope: Envelope::new(self.wanted),
        }
    }

    /// Reads a header; `None` if it is incomplete, `Some(None)` after a valid one.
    fn header(&mut self) -> Option<Option<Broken>> {
        let blank = self
            .rest()
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace());
        let blank = blank.count();
        self.at += blank;
        let mut length = None;
        // An invalid line discards the valid lines before it as well. Otherwise `skip` would find those again as a
        // header, and fail on the same line for ever.
        let mut taken = 0;
        loop {
            let rest = &self.rest()[taken..];
            // Before the search for a line end: JSON without a header need not contain one.
            if rest.first() == Some(&b'{') {
                return Some(self.no_header("a message has no header".to_owned(), taken));
            }
            let Some(end) = rest.iter().position(|&byte| byte == b'\n') else {
                if rest.len() + taken <= MOST_HEADER {
                    return None;
                }
                return Some(self.no_header("a header is too long".to_owned(), taken));
            };
            let line = String::from_utf8_lossy(&rest[..end]).trim().to_owned();
            let after = taken + end + 1;
            match line.split_once(':') {
                _ if line.is_empty() => {
                    return Some(match length {
                        Some(length) => self.body(length, after),
                        None => self.no_header("a header has no Content-Length".to_owned(), taken),
                    });
                }
                _ if after > MOST_HEADER => {
                    return Some(self.no_header("a header is too long".to_owned(), taken));
                }
                Some((name, value)) if name.trim().eq_ignore_ascii_case("content-length") => {
                    match value.trim().parse::<usize>() {
                        Ok(value) => length = Some(value),
                        Err(_) => {
                            let reason = format!("a header has no length: {:?}", shortened(&line));
                            return Some(self.no_header(reason, taken));
                        }
                    }
                }
                Some((name, _)) if name.bytes().all(is_name) => {}
                _ => {
                    let reason = format!("this is no header: {:?}", shortened(&line));
                    return Some(self.no_header(reason, taken));
                }
            }
            taken = after;
        }
    }

    /// Skips an invalid header together with the `taken` bytes of its valid lines. If the rest starts like a header,
    /// one more byte is skipped, so that it is not found again.
    fn no_header(&mut self, reason: String, taken: usize) -> Option<Broken> {
        let starts_again = next_header(&self.rest()[taken..]).start == Some(0);
        self.give_up(reason, taken + usize::from(starts_again))
    }

    fn body(&mut self, length: usize, after: usize) -> Option<Broken> {
        if length > self.limit {
            let (mib, limit) = (length >> 20, self.limit >> 20);
            let reason = format!("a message of {mib} MiB is above the limit of {limit} MiB");
            return self.give_up(reason, after);
        }
        self.at += after;
        self.state = State::Body(length);
        None
    }

    /// Consumes `after` bytes and skips to the next header; the error is reported once the message has ended.
    fn give_up(&mut self, reason: String, after: usize) -> Option<Broken> {
        self.at += after;
        self.state = State::Skipping(Some(self.broken(reason)));
        None
    }

    /// Leaves a body that `parse` rejects, up to a header inside of it, which a wrong length has hidden.
    fn not_read(&mut self, length: usize, reason: String) -> Broken {
        let mut broken = self.broken(reason);
        let body = &self.rest()[..length];
        // The next header may begin in the last bytes of the body.
        let next = next_header(body);
        let end = next.start.unwrap_or(next.none_before);
        broken.envelope.push(&body[..end]);
        self.at += end;
        let is_whole = end == length && broken.envelope.has_ended();
        self.state = match next.start.is_some() || is_whole {
            true => State::Header,
            // The length may have been too small, so bytes of the message may follow.
            false => State::Skipping(None),
        };
        broken
    }

    /// Skips to the next header, or over all bytes that cannot begin one; `None` if more bytes are needed.
    fn skip(&mut self) -> Option<Option<Broken>> {
        let rest = &self.buffer[self.at..];
        let Found { start, none_before } = next_header(rest);
        let State::Skipping(told) = &mut self.state else {
            return Some(None);
        };
        let skipped = start.unwrap_or(none_before);
        if let Some(broken) = told {
            broken.envelope.push(&rest[..skipped]);
        }
        self.at += skipped;
        if start.is_some() {
            let told = told.take();
            self.state = State::Header;
            return Some(told);
        }
        if told.as_ref().is_some_and(|it| it.envelope.has_ended()) {
            return Some(told.take());
        }
        None
    }
}

/// Returns whether a byte may be part of a field name.
fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'-'
}

/// Returns the beginning of a line, for an error message.
fn shortened(line: &str) -> String {
    line.chars().take(60).collect()
}

/// The start of the next header, or the offset before which no header starts.
struct Found {
    start: Option<usize>,
    none_before: usize,
}

/// Looks for `Content-Length: 12` followed by a line end. Searching bytes, not lines, finds a header that follows a
/// cut message without a line break.
fn next_header(bytes: &[u8]) -> Found {
    for at in memchr::memchr2_iter(b'c', b'C', bytes) {
        let rest = &bytes[at..];
        let word = rest.len().min(LENGTH.len());
        if !rest[..word].eq_ignore_ascii_case(&LENGTH[..word]) {
            continue;
        }
        let value = &rest[word..];
        let value = &value[..value.len().min(64)];
        let digits = value
            .iter()
            .position(|byte| !matches!(byte, b' ' | b'0'..=b'9'));
        match digits.map(|end| (&value[..end], value[end])) {
            Some((digits, b'\r' | b'\n')) if digits.iter().any(u8::is_ascii_digit) => {
                return Found {
                    start: Some(at),
                    none_before: at,
                };
            }
            Some(_) => {}
            // The bytes end inside of what may become a header.
            None if value.len() < 64 => {
                return Found {
                    start: None,
                    none_before: at,
                };
            }
            None => {}
        }
    }
    Found {
        start: None,
        none_before: bytes.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    /// Reads a stream that arrives in pieces of `piece` bytes; returns its messages, and for broken ones reason and
    /// id.
    fn read(stream: &str, piece: usize) -> Vec<Value> {
        let mut frames = Frames::new(100, &["id"]);
        let mut found = Vec::new();
        let told = |broken: Broken| json!([broken.reason, broken.envelope.get("id")]);
        for piece in stream.as_bytes().chunks(piece) {
            frames.push(piece);
            let parse = |bytes: &[u8]| {
                serde_json::from_slice::<Value>(bytes).map_err(|_| "no JSON".to_owned())
            };
            while let Some(next) = frames.next(parse) {
                found.push(next.unwrap_or_else(told));
                assert!(found.len() <= stream.len(), "no byte is read: {stream:?}");
            }
        }
        found.extend(frames.end().map(told));
        found
    }

    fn framed(body: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{body}", body.len())
    }

    /// Reads all sequences of these parts; none may make the reader loop for ever.
    #[test]
    fn each_step_reads_a_byte() {
        const PARTS: [&str; 8] = [
            "Content-Length: 8",
            "{\"id\":2}",
            "\n",
            "\r\n\r\n",
            "x y",
            "Content-Type: x",
            "\"",
            "Content-Length: 9\rContent-Length: 120",
        ];
        for number in 0..PARTS.len().pow(5) {
            let part = |place: u32| PARTS[number / PARTS.len().pow(place) % PARTS.len()];
            let stream: String = (0..5).map(part).collect();
            read(&stream, 7);
        }
    }

    #[test]
    fn a_bad_message_costs_itself_alone() {
        let good = framed(r#"{"id":1}"#);
        let long = format!(r#"{{"text":"{}","id":9}}"#, "x".repeat(200));
        let cases = [
            (framed(r#"{"id":2,"x":"\ud800"}"#), json!(["no JSON", 2])),
            (framed(r#"{"id":2,"x":"#), json!(["no JSON", 2])),
            (framed("nonsense"), json!(["no JSON", null])),
            (
                "Content-Length: 4\r\n\r\n{\"id\":2}".to_owned(),
                json!(["no JSON", null]),
            ),
            (
                "Content-Length: 40\r\n\r\n{\"id\":2}".to_owned(),
                json!(["no JSON", 2]),
            ),
            (
                "Content-Length: x\r\n\r\n{\"id\":2}".to_owned(),
                json!(["a header has no length: \"Content-Length: x\"", 2]),
            ),
            (
                "Content-Length: -1\r\n\r\n".to_owned(),
                json!(["a header has no length: \"Content-Length: -1\"", null]),
            ),
            (
                "Content-Type: x\r\n\r\n{\"id\":2}".to_owned(),
                json!(["a header has no Content-Length", 2]),
            ),
            (
                "{\"id\":2}\n".to_owned(),
                json!(["a message has no header", 2]),
            ),
            (
                "Content-Length: 8\n{\"id\":2}\n".to_owned(),
                json!(["a message has no header", 2]),
            ),
            (
                "Content-Length: 8\nx y\n{\"id\":2}\n".to_owned(),
                json!(["this is no header: \"x y\"", 2]),
            ),
            (
                framed(&long),
                json!(["a message of 0 MiB is above the limit of 0 MiB", 9]),
            ),
            (
                "Content-Length: 99999999999999\r\n\r\n{\"id\":2}".to_owned(),
                json!(["a message of 95367431 MiB is above the limit of 0 MiB", 2]),
            ),
            (
                format!("{}\r\n\r\n", "h".repeat(5000)),
                json!(["a header is too long", null]),
            ),
        ];
        for (bad, told) in cases {
            for piece in [1, 7, 4096] {
                let found = read(&format!("{good}{bad}{good}{good}"), piece);
                let one = json!({"id": 1});
                let shown = found.iter().map(Value::to_string).collect::<Vec<_>>();
                let reason = told[0].as_str().expect("a reason");
                let is_same = |it: &Value| it[1] == told[1] && it[0].as_str() == Some(reason);
                assert_eq!(found.first(), Some(&one), "{bad:?}: {shown:?}");
                assert!(found.iter().any(is_same), "{bad:?}: {shown:?}");
                assert_eq!(
                    found.iter().filter(|it| **it == one).count(),
                    3,
                    "{bad:?}: {shown:?}"
                );
                assert_eq!(found.len(), 4, "{bad:?}: {shown:?}");
            }
        }
    }

    #[test]
    fn headers_are_read_as_clients_write_them() {
        let message =
            "\n\ncontent-length:8\nContent-Type: application/json; charset=utf8\n\n{\"id\":1}";
        assert_eq!(read(message, 3), [json!({"id": 1})]);
        let cut = read("Content-Length: 80\r\n\r\n{\"id\":1}", 9);
        assert_eq!(cut, [json!(["the stream ends inside of a message", 1])]);
    }
}
