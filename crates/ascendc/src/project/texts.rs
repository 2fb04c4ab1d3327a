//! Text search in host code without parsing: comments, words, and bracketed text.

use a2lint_source::text::Slice;

/// Replaces comments by spaces; lines and byte offsets stay the same.
pub fn without_comments(text: &str) -> String {
    let mut found = String::with_capacity(text.len());
    let mut rest = text;
    loop {
        let Some(at) = rest.find(['/', '"', '\'']) else {
            found.push_str(rest);
            return found;
        };
        found.push_str(rest.part(..at));
        rest = rest.part(at..);
        let length = match rest.as_bytes() {
            [b'/', b'/', ..] => rest.find('\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => rest.find("*/").map_or(rest.len(), |end| end + 2),
            [b'/', ..] => {
                found.push('/');
                rest = rest.part(1..);
                continue;
            }
            [quote, ..] => {
                let length = quoted(rest, *quote);
                found.push_str(rest.part(..length));
                rest = rest.part(length..);
                continue;
            }
            [] => return found,
        };
        let blank = |byte: u8| if byte == b'\n' { '\n' } else { ' ' };
        found.extend(rest.part(..length).bytes().map(blank));
        rest = rest.part(length..);
    }
}

/// Returns the length of the quoted literal at the start of a text; a literal ends at the end of the line at the
/// latest.
fn quoted(text: &str, quote: u8) -> usize {
    let mut is_escaped = true;
    for (at, byte) in text.bytes().enumerate() {
        match byte {
            b'\n' => return at,
            _ if is_escaped => is_escaped = false,
            b'\\' => is_escaped = true,
            _ if byte == quote => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Returns whether a character is part of a word.
pub fn is_part(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// Returns the identifiers and keywords of a text.
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    let words = text.split(|c| !is_part(c));
    words.filter(|it| it.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_'))
}

/// Returns the word at the start of a text.
pub fn first_word(text: &str) -> &str {
    let text = text.trim_start();
    text.part(..text.find(|c| !is_part(c)).unwrap_or(text.len()))
}

/// Returns the offsets at which a word occurs as a whole word.
pub fn places<'t>(text: &'t str, word: &'t str) -> impl Iterator<Item = usize> + 't {
    let found = text.match_indices(word).map(|(at, _)| at);
    found.filter(move |&at| {
        let before = text.part(..at).chars().next_back();
        let after = text.part(at + word.len()..).chars().next();
        !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Returns the text between the bracket at the start of a text and its closing bracket.
pub fn enclosed(text: &str) -> Option<&str> {
    let mut depth = 0_usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' => depth += 1,
            ')' | '}' | ']' => {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(text.part(1..at));
                }
            }
            _ if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

/// Splits a list at the commas outside of brackets.
pub fn parts(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut depth, mut start) = (0_usize, 0);
    for (at, c) in text.char_indices() {
        match c {
            '(' | '{' | '[' | '<' => depth += 1,
            ')' | '}' | ']' | '>' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                found.push(text.part(start..at).trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    found.push(text.part(start..).trim());
    if found.last() == Some(&"") {
        found.pop();
    }
    found
}

/// Returns the arguments of each call of a macro or function in a text.
pub fn calls<'t>(text: &'t str, name: &'t str) -> impl Iterator<Item = Vec<&'t str>> + 't {
    places(text, name).filter_map(|at| {
        let rest = text.part(at + name.len()..).trim_start();
        rest.starts_with('(').then(|| enclosed(rest).map(parts))?
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_blank() {
        let text = "a /* b\n c */ \"// d\" '\"' // e\nf / g";
        let blank = without_comments(text);
        assert_eq!(blank, "a     \n      \"// d\" '\"'     \nf / g");
        assert_eq!(blank.len(), text.len());
        assert_eq!(without_comments("/* é"), "     ");
    }

    #[test]
    fn calls_are_found_with_their_arguments() {
        let text = "F(a, g(b, c), {d, e}) xF(1) F F()";
        let found: Vec<_> = calls(text, "F").collect();
        assert_eq!(found, [vec!["a", "g(b, c)", "{d, e}"], Vec::new()]);
    }
}
