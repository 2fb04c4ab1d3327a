//! Scans the outermost members of a JSON message without parsing all of it.

use serde_json::Value;

/// Size limit in bytes of a member value that is kept.
const MOST_BYTES: usize = 256;

/// A scanner for scalar members at the outermost level of a JSON object, fed with bytes as they arrive.
///
/// It finds the id and the method of a message that is malformed or too long, which is enough to answer it. Bytes of
/// other members are dropped, so memory does not grow with the message.
#[derive(Clone, Debug)]
pub struct Envelope {
    wanted: &'static [&'static str],
    found: Vec<(&'static str, Value)>,
    /// Number of open brackets.
    depth: usize,
    in_string: bool,
    is_escaped: bool,
    /// The wanted member whose value is next.
    key: Option<&'static str>,
    /// Bytes of the scalar that is being read at the outermost level.
    token: Vec<u8>,
    /// Whether the value that is being read there is no scalar, or longer than [`MOST_BYTES`].
    is_other: bool,
    state: State,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    Ended,
}

impl Envelope {
    /// Creates a scanner for members of these names.
    pub fn new(wanted: &'static [&'static str]) -> Envelope {
        Envelope {
            wanted,
            found: Vec::new(),
            depth: 0,
            in_string: false,
            is_escaped: false,
            key: None,
            token: Vec::new(),
            is_other: false,
            state: State::Before,
        }
    }

    /// Returns the member of a name if it is a complete number, string or constant.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let mut found = self.found.iter();
        found.find(|(key, _)| *key == name).map(|(_, value)| value)
    }

    /// Returns whether the object is complete.
    pub fn has_ended(&self) -> bool {
        self.state == State::Ended
    }

    /// Feeds the next bytes of the message.
    pub fn push(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            match self.state {
                State::Before if byte == b'{' => {
                    self.state = State::Inside;
                    self.depth = 1;
                }
                // Bytes before the object belong to no message.
                State::Before => {}
                State::Inside => self.step(byte),
                State::Ended => return,
            }
        }
    }

    fn step(&mut self, byte: u8) {
        if self.in_string {
            self.keep(byte);
            match byte {
                _ if self.is_escaped => self.is_escaped = false,
                b'\\' => self.is_escaped = true,
                b'"' => self.in_string = false,
                _ => {}
            }
            return;
        }
        match byte {
            b'"' => {
                self.in_string = true;
                self.keep(byte);
            }
            b'{' | b'[' => {
                self.depth += 1;
                self.is_other = true;
            }
            b'}' | b']' if self.depth == 1 => {
                self.member();
                self.state = State::Ended;
            }
            b'}' | b']' => self.depth -= 1,
            b':' if self.depth == 1 => {
                let name: Option<String> = self.scalar();
                let name = name.as_deref();
                self.key = self.wanted.iter().copied().find(|&it| Some(it) == name);
            }
            b',' if self.depth == 1 => self.member(),
            _ if byte.is_ascii_whitespace() => {}
            _ => self.keep(byte),
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.depth != 1 || self.is_other {
            return;
        }
        match self.token.len() < MOST_BYTES {
            true => self.token.push(byte),
            false => self.is_other = true,
        }
    }

    /// Ends a member, and keeps its value if it is wanted. The first of several members of one name wins.
    fn member(&mut self) {
        let value: Option<Value> = self.scalar();
        if let (Some(key), Some(value)) = (self.key.take(), value)
            && self.get(key).is_none()
        {
            self.found.push((key, value));
        }
    }

    /// Takes the scalar that was read last; `None` if it is no valid scalar.
    fn scalar<T: serde::de::DeserializeOwned>(&mut self) -> Option<T> {
        let token = std::mem::take(&mut self.token);
        let is_other = std::mem::take(&mut self.is_other);
        if is_other {
            return None;
        }
        serde_json::from_slice(&token).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn of(text: &str) -> Envelope {
        let mut envelope = Envelope::new(&["id", "method"]);
        // Byte by byte, since pieces may end anywhere.
        text.bytes().for_each(|byte| envelope.push(&[byte]));
        envelope
    }

    #[test]
    fn outermost_members_are_found_in_what_cannot_be_read() {
        let cut =
            of(r#"{"params": {"id": 3, "x": ["}"]}, "id" : 7, "method": "a\"b", "x": "\ud800"#);
        assert_eq!(cut.get("id"), Some(&json!(7)));
        assert_eq!(cut.get("method"), Some(&json!("a\"b")));
        assert!(!cut.has_ended());
        let late = of(&format!(
            r#"{{"params":"{}","id":"z"}} rest"#,
            "x".repeat(5000)
        ));
        assert_eq!(late.get("id"), Some(&json!("z")));
        assert!(late.has_ended());
        for text in [
            "",
            "[1]",
            "x",
            r#"{"id": {"id": 1}}"#,
            r#"{"id": 1"#,
            r#"{"a": "id", "b": 1}"#,
        ] {
            assert_eq!(of(text).get("id"), None, "{text}");
        }
        assert_eq!(of("x: y\n\n{\"id\": 3}").get("id"), Some(&json!(3)));
    }
}
