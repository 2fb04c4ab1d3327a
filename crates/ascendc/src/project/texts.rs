//! Text search in host code without parsing: what is compiled of it, words, and bracketed text.

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

/// Replaces comments by spaces, and branches that a literal condition excludes: `#if 0`. Lines and byte offsets stay
/// the same. All branches of other conditions stay.
pub fn compiled(text: &str) -> String {
    let text = without_comments(text);
    if !text.contains('#') {
        return text;
    }
    let mut groups: Vec<Group> = Vec::new();
    let mut found = String::with_capacity(text.len());
    let mut continues = false;
    for line in text.split_inclusive('\n') {
        let directive = line.trim_start().strip_prefix('#').filter(|_| !continues);
        continues = line.trim_end().ends_with('\\');
        let is_of_literals = directive.is_some_and(|it| follow(it.trim(), &mut groups));
        match is_of_literals || groups.iter().any(|group| group.is_left_out) {
            true => found.extend(line.bytes().map(|it| if it == b'\n' { '\n' } else { ' ' })),
            false => found.push_str(line),
        }
    }
    found
}

/// A group of branches that begins with `#if`.
struct Group {
    /// Whether an earlier branch is the one that is compiled; `None` if a condition is not a literal.
    is_taken: Option<bool>,
    /// Whether the branch at this place is left out.
    is_left_out: bool,
}

/// Updates the groups after a directive; returns whether the directive belongs to a group that literals decide.
fn follow(directive: &str, groups: &mut Vec<Group>) -> bool {
    let name = first_word(directive);
    let condition = directive.part(name.len()..).trim();
    match (name, groups.last_mut()) {
        ("if" | "ifdef" | "ifndef", _) => {
            let holds = literal(condition).filter(|_| name == "if");
            groups.push(Group {
                is_taken: holds,
                is_left_out: holds == Some(false),
            });
            holds.is_some()
        }
        ("else" | "elif" | "elifdef" | "elifndef", Some(group)) => {
            let holds = match name {
                "else" => Some(true),
                "elif" => literal(condition),
                _ => None,
            };
            let was_decided = group.is_taken.is_some();
            group.is_left_out = group.is_taken == Some(true)
                || group.is_taken == Some(false) && holds == Some(false);
            group.is_taken = match group.is_taken {
                Some(false) => holds,
                taken => taken,
            };
            was_decided && group.is_taken.is_some()
        }
        ("endif", Some(_)) => groups.pop().is_some_and(|group| group.is_taken.is_some()),
        _ => false,
    }
}

/// Returns the value of a condition that is a literal.
fn literal(condition: &str) -> Option<bool> {
    match condition.trim_matches(['(', ')', ' ']) {
        "false" => Some(false),
        "true" => Some(true),
        number => number.parse::<u64>().ok().map(|it| it != 0),
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
    fn branches_that_literals_leave_out_are_blank() {
        let kept = |text: &str| {
            compiled(text)
                .split_whitespace()
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(kept("#if 0\na\n#else\nb\n#endif\nc"), "b c");
        assert_eq!(kept("#if 1 // now\na\n#elif X\nb\n#else\nc\n#endif"), "a");
        assert_eq!(
            kept("#if (0)\n#ifdef Y\na\n#else\nb\n#endif\n#endif\nc"),
            "c"
        );
        assert_eq!(
            kept("#ifdef Y\n#if 0\na\n#endif\nb\n#endif"),
            "#ifdef Y b #endif"
        );
        assert_eq!(
            kept("#if 0\na\n#elif Y\nb\n#else\nc\n#endif"),
            "#elif Y b #else c #endif"
        );
        assert_eq!(
            kept("#if Y > 1\na\n#else\nb\n#endif"),
            "#if Y > 1 a #else b #endif"
        );
        assert_eq!(kept("#endif\n#else\na"), "#endif #else a");
        let text = "#if 0\n\"é\" a\n#endif\nb";
        assert_eq!(compiled(text).len(), text.len());
    }

    #[test]
    fn calls_are_found_with_their_arguments() {
        let text = "F(a, g(b, c), {d, e}) xF(1) F F()";
        let found: Vec<_> = calls(text, "F").collect();
        assert_eq!(found, [vec!["a", "g(b, c)", "{d, e}"], Vec::new()]);
    }
}
