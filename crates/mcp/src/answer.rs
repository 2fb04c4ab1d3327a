//! Answers of bounded length.

use serde_json::Value;

use a2lint_report::printable_lines;
use a2lint_source::text::{Slice, character_at};

/// Bytes of an answer unless more are asked for.
pub const USUAL: usize = 2_000;
/// Bytes of the longest answer.
pub const MOST: usize = 64_000;

/// A text for an agent.
#[derive(Clone, Debug)]
pub struct Answer {
    /// The text, which may be shortened.
    pub body: String,
    /// What is never left out: counts, and what was not looked at.
    pub end: String,
    /// What a2lint counts, by name: nothing of it is text of a file.
    pub summary: Value,
    /// Most bytes.
    pub most: usize,
}

impl Answer {
    /// The text; where it is too long, whole lines are left out and counted.
    pub fn text(&self) -> String {
        let (body, end) = (printable_lines(&self.body), printable_lines(&self.end));
        let end = head(&end, self.most / 2);
        let room = self.most.saturating_sub(end.len());
        if body.len() <= room {
            return body.into_owned() + &end;
        }
        // Room for the line that says so.
        let kept = head(&body, room.saturating_sub(80));
        let dropped = body.len() - kept.len();
        format!("{kept}… {dropped} more bytes; ask with a larger max_bytes\n{end}")
    }
}

/// The lines that fit; of a first line that is too long, its beginning.
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
