//! A line-by-line scanner of strings, brackets and continued lines, which finds out where statements may end.

/// The bytes that the scanner examines; it skips all others.
const MARKS: [bool; 256] = {
    let mut marks = [false; 256];
    let bytes = b"#\\\"'()[]{}";
    let mut at = 0;
    while at < bytes.len() {
        marks[bytes[at] as usize] = true;
        at += 1;
    }
    marks
};

/// The state of the scanner after a line.
#[derive(Default)]
pub(super) struct Scan {
    /// The number of open brackets.
    pub depth: usize,
    /// The quote character of an open triple-quoted string.
    triple: Option<u8>,
    /// Whether the last line ended in a backslash, which continues it.
    pub continued: bool,
    /// Whether the last line contained code, including parts of strings.
    pub had_code: bool,
    /// Whether the code of the last line ended in a colon.
    pub ends_in_colon: bool,
    /// Offset in the last line at which its code ended.
    pub code_end: usize,
}

impl Scan {
    /// Returns whether the next line starts inside of a triple-quoted string.
    pub fn in_string(&self) -> bool {
        self.triple.is_some()
    }

    /// Returns whether a statement may end after the last line.
    pub fn may_end(&self) -> bool {
        self.depth == 0 && !self.in_string() && !self.continued
    }

    /// Treats open brackets as closed, and the last line as ended.
    pub fn close_all(&mut self) {
        self.depth = 0;
        self.continued = false;
    }

    /// Scans the next line, including its line break.
    pub fn line(&mut self, line: &[u8]) {
        self.continued = false;
        self.had_code = self.in_string();
        let end = self.read(line);
        let code = line[..end].trim_ascii_end();
        self.code_end = code.len();
        let code = code.trim_ascii_start();
        self.had_code |= !code.is_empty();
        self.ends_in_colon = !self.in_string() && code.ends_with(b":");
    }

    /// Scans a line up to its comment, and returns the offset of that.
    fn read(&mut self, line: &[u8]) -> usize {
        let mut at = 0;
        while let Some(rest) = line.get(at..)
            && let Some(skipped) = rest.iter().position(|&byte| MARKS[usize::from(byte)])
        {
            at += skipped;
            at = match self.triple {
                Some(quote) => self.inside_triple(line, at, quote),
                None if line[at] == b'#' => return at,
                None => self.code(line, at),
            };
        }
        line.len()
    }

    fn inside_triple(&mut self, line: &[u8], at: usize, quote: u8) -> usize {
        if line[at] == b'\\' {
            return at + 2;
        }
        if line[at..].starts_with(&[quote; 3]) {
            self.triple = None;
            return at + 3;
        }
        at + 1
    }

    fn code(&mut self, line: &[u8], at: usize) -> usize {
        match line[at] {
            b'(' | b'[' | b'{' => self.depth += 1,
            b')' | b']' | b'}' => self.depth = self.depth.saturating_sub(1),
            b'\\' => self.continued = true,
            quote @ (b'"' | b'\'') if line[at..].starts_with(&[quote; 3]) => {
                self.triple = Some(quote);
                return at + 3;
            }
            quote @ (b'"' | b'\'') => return self.after_string(line, at + 1, quote),
            _ => {}
        }
        at + 1
    }

    /// Returns the offset after a string. A string that is not closed on its line continues on the next one only
    /// after a backslash.
    fn after_string(&mut self, line: &[u8], mut at: usize, quote: u8) -> usize {
        while let Some(&byte) = line.get(at) {
            match byte {
                b'\\' => at += 2,
                _ if byte == quote => return at + 1,
                _ => at += 1,
            }
        }
        self.continued = line.trim_ascii_end().ends_with(b"\\");
        at
    }
}
