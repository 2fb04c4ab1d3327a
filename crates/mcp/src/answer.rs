//! Texts for agents, with a limited length.

use serde_json::Value;

use a2lint_report::printable_lines;
use a2lint_source::text::{Slice, character_at};

/// Default limit on the size of an answer in bytes.
pub const USUAL: usize = 2_000;
/// Upper bound of that limit, whatever the client asks for.
pub const MOST: usize = 64_000;

/// The answer of a tool.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The text, which is shortened if the answer is too long.
    pub body: String,
    /// The part that is never left out: counts, and what was not examined.
    pub end: String,
    /// The findings that structured content lists: where, which rule, how bad.
    pub findings: Vec<Value>,
    /// Counts by name, for structured content. It never quotes text of a file, so that a file cannot forge it.
    pub summary: Value,
    /// Limit on the size in bytes.
    pub most: usize,
}

impl Answer {
    /// Returns the body and the end. If they are too long, whole lines of the body are replaced by a count of bytes.
    pub fn text(&self) -> String {
        let (body, end) = (printable_lines(&self.body), printable_lines(&self.end));
        let end = head(&end, self.most / 2);
        let room = self.most.saturating_sub(end.len());
        if body.len() <= room {
            return body.into_owned() + &end;
        }
        // 80 bytes are kept free for the line that gives the count.
        let kept = head(&body, room.saturating_sub(80));
        let dropped = body.len() - kept.len();
        format!("{kept}… {dropped} more bytes; ask with a larger max_bytes\n{end}")
    }
}

/// Returns the leading lines that fit into `room` bytes. If not even the first line fits, its beginning is returned.
fn head(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let at = character_at(text, room);
    match text.part(..at).rfind('\n') {
        Some(line) => text.part(..=line).to_owned(),
        None => format!("{}…\n", text.part(..at)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_looked_at_is_never_left_out() {
        let answer = |most| Answer {
            body: "a finding\n".repeat(500),
            end: "k.py: not analysed\n".to_owned(),
            findings: Vec::new(),
            summary: Value::Null,
            most,
        };
        let short = answer(USUAL).text();
        assert!(short.len() <= USUAL, "{}", short.len());
        assert!(short.contains("more bytes; ask with a larger max_bytes\nk.py: not analysed\n"));
        assert_eq!(answer(MOST).text().len(), 5_000 + 19);
    }

    #[test]
    fn long_lines_are_cut_between_characters() {
        assert_eq!(head("äöü", 3), "ä…\n");
        assert_eq!(head("a\nbcd", 3), "a\n");
    }
}
