//! The call around the cursor, read from the text: while it is typed, it does not parse.

use a2lint_isa::{INSTRUCTIONS, Instruction, Opcode};
use a2lint_source::text::Slice;

/// How far back a call may start.
const FARTHEST: usize = 4000;

/// A call that has not been closed yet at some offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall<'t> {
    /// The called name.
    pub name: &'t str,
    /// Whether it is called on an object.
    pub is_method: bool,
    /// Number of commas in front of the cursor.
    pub argument: usize,
    /// The keyword whose value the cursor stands in.
    pub keyword: Option<&'t str>,
    /// The text of the first argument, once a comma ends it.
    pub first: Option<&'t str>,
}

impl<'t> OpenCall<'t> {
    /// The innermost open call at an offset.
    pub fn at(text: &'t str, offset: usize) -> Option<OpenCall<'t>> {
        let before = text.get(..offset)?;
        let mut depth = 0_usize;
        let mut argument = 0;
        let mut argument_start = offset;
        for (at, c) in before.char_indices().rev().take(FARTHEST) {
            match c {
                ')' | ']' | '}' => depth += 1,
                '[' | '{' if depth == 0 => {
                    // Inside of a subscript or list: its commas are not those of the call.
                    argument = 0;
                    argument_start = at;
                }
                '[' | '{' => depth -= 1,
                '(' if depth > 0 => depth -= 1,
                '(' => match called(before.get(..at)?) {
                    Some((name, is_method)) => {
                        let arguments = before.get(at + 1..)?;
                        return Some(OpenCall {
                            first: first_argument(arguments),
                            name,
                            is_method,
                            argument,
                            keyword: keyword(arguments, argument_start - at - 1),
                        });
                    }
                    // A parenthesis that only groups.
                    None => {
                        argument = 0;
                        argument_start = at;
                    }
                },
                ',' if depth == 0 => {
                    argument += 1;
                    argument_start =
                        argument_start.min(if argument == 1 { at + 1 } else { usize::MAX });
                }
                '\n' if depth == 0 && is_statement_start(before.part(at + 1..)) => return None,
                _ => {}
            }
        }
        None
    }

    /// The instruction that is called; of methods of one name, the first.
    pub fn instruction(&self) -> Option<&'static Instruction> {
        if let Some(opcode) = Opcode::function(self.name) {
            return Some(opcode.row());
        }
        let mut methods = INSTRUCTIONS.iter().filter(|row| row.receiver.is_some());
        methods.find(|row| self.is_method && row.name == self.name)
    }
}

/// The name in front of a parenthesis.
fn called(before: &str) -> Option<(&str, bool)> {
    let before = before.trim_end_matches(' ');
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let name = before.part(before.trim_end_matches(is_part).len()..);
    let is_method = before.part(..before.len() - name.len()).ends_with('.');
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && !["if", "in", "for", "return", "and", "or", "not"].contains(&name))
        .then_some((name, is_method))
}

/// The `name` of `name=` at the start of an argument.
fn keyword(arguments: &str, start: usize) -> Option<&str> {
    let (name, value) = arguments.get(start..)?.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !value.starts_with('=')).then_some(name)
}

/// The text in front of the first comma of some arguments.
fn first_argument(arguments: &str) -> Option<&str> {
    let mut depth = 0_usize;
    let end = arguments.char_indices().find(|&(_, c)| {
        match c {
            '(' | '[' | '{' => depth += 1,
            ')' | ']' | '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    });
    end.map(|(at, _)| arguments.part(..at).trim())
}

/// Whether a line looks like the start of a statement, so that an open call above it was
/// forgotten rather than continued.
fn is_statement_start(line: &str) -> bool {
    let word = line
        .trim_start()
        .split(|c: char| !c.is_alphanumeric() && c != '_')
        .next();
    matches!(
        word,
        Some("def" | "with" | "for" | "if" | "return" | "class" | "import" | "from")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(text: &str) -> Option<(&str, bool, usize, Option<&str>)> {
        let call = OpenCall::at(text, text.len())?;
        Some((call.name, call.is_method, call.argument, call.keyword))
    }

    #[test]
    fn arguments_are_counted_in_the_innermost_call() {
        assert_eq!(at("add("), Some(("add", false, 0, None)));
        assert_eq!(at("add(a, b[0:1, 2], "), Some(("add", false, 2, None)));
        assert_eq!(at("add(a, Min(x, "), Some(("Min", false, 1, None)));
        assert_eq!(at("add(a, b[0:"), Some(("add", false, 1, None)));
        assert_eq!(at("ev.wait("), Some(("wait", true, 0, None)));
        assert_eq!(at("add(a, (1 + 2"), Some(("add", false, 1, None)));
        assert_eq!(at("add(a)"), None);
    }

    #[test]
    fn the_first_argument_may_hold_commas() {
        let first = |text: &'static str| OpenCall::at(text, text.len()).and_then(|it| it.first);
        assert_eq!(first("add(a[0, 1], b"), Some("a[0, 1]"));
        assert_eq!(first("add(a"), None);
    }

    #[test]
    fn keywords_are_named() {
        assert_eq!(
            at("cast(a, b, round_mode="),
            Some(("cast", false, 2, Some("round_mode")))
        );
        assert_eq!(
            at("cast(a, b, round_mode=x, repeat=1"),
            Some(("cast", false, 3, Some("repeat")))
        );
        assert_eq!(at("f(a == "), Some(("f", false, 0, None)));
    }

    #[test]
    fn a_forgotten_parenthesis_ends_with_the_statement() {
        assert_eq!(at("add(a,\nfor i in x: "), None);
        assert_eq!(at("add(a,\n    b, "), Some(("add", false, 2, None)));
    }
}
