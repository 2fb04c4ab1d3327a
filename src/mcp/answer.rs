//! Answers of bounded length.

use crate::text::character_at;

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
    /// Most bytes.
    pub most: usize,
}

impl Answer {
    /// The text; where it is too long, whole lines are left out and counted.
    pub fn text(&self) -> String {
        let end = head(&self.end, self.most / 2);
        let room = self.most.saturating_sub(end.len());
        if self.body.len() <= room {
            return self.body.clone() + &end;
        }
        // Room for the line that says so.
        let kept = head(&self.body, room.saturating_sub(80));
        let dropped = self.body.len() - kept.len();
        format!("{kept}… {dropped} more bytes; ask with a larger max_bytes\n{end}")
    }
}

/// The lines that fit; of a first line that is too long, its beginning.
fn head(text: &str, room: usize) -> String {
    if text.len() <= room {
        return text.to_owned();
    }
    let at = character_at(text, room);
    match text[..at].rfind('\n') {
        Some(line) => text[..=line].to_owned(),
        None => format!("{}…\n", &text[..at]),
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
