//! The call around the cursor. It is read from the text, because a call does not parse while it is being typed.

use a2lint_isa::{INSTRUCTIONS, Instruction, Opcode};
use a2lint_source::text::Slice;

/// Maximum distance in characters between the cursor and the start of the call.
const FARTHEST: usize = 4000;

/// A call that is still open at an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenCall<'t> {
    /// The called name.
    pub name: &'t str,
    /// Whether it is called as a method.
    pub is_method: bool,
    /// Number of commas before the cursor.
    pub argument: usize,
    /// The keyword of the argument at the cursor.
    pub keyword: Option<&'t str>,
    /// The text of the first argument, if a comma follows it.
    pub first: Option<&'t str>,
}

impl<'t> OpenCall<'t> {
    /// Returns the innermost open call at an offset.
    pub fn at(text: &'t str, offset: usize) -> Option<OpenCall<'t>> {
        let before = text.get(..offset)?;
        let mut depth = 0_usize;
        let mut argument = 0;
        let mut argument_start = offset;
        for (at, c) in before.char_indices().rev().take(FARTHEST) {
            match c {
                ')' | ']' | '}' => depth += 1,
                '[' | '{' if depth == 0 => {
                    // The cursor is inside of a subscript or list, whose commas do not separate arguments.
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
                    // A parenthesis that only groups an expression.
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

    /// Returns the called instruction; the first one if several methods have the name.
    pub fn instruction(&self) -> Option<&'static Instruction> {
        if let Some(opcode) = Opcode::function(self.name) {
            return Some(opcode.row());
        }
        let mut methods = INSTRUCTIONS.iter().filter(|row| row.receiver.is_some());
        methods.find(|row| self.is_method && row.name == self.name)
    }
}

/// Returns the name before a parenthesis, and whether it is a method.
fn called(before: &str) -> Option<(&str, bool)> {
    let before = before.trim_end_matches(' ');
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let name = before.part(before.trim_end_matches(is_part).len()..);
    let is_method = before.part(..before.len() - name.len()).ends_with('.');
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (is_name && !["if", "in", "for", "return", "and", "or", "not"].contains(&name))
        .then_some((name, is_method))
}

/// Returns the keyword at the start of an argument.
fn keyword(arguments: &str, start: usize) -> Option<&str> {
    let (name, value) = arguments.get(start..)?.split_once('=')?;
    let name = name.trim();
    let is_name = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    (is_name && !value.starts_with('=')).then_some(name)
}

/// Returns the text before the first comma of the arguments.
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

/// Returns whether a line looks like the start of a statement. An open call above it was abandoned, rather than
/// continued.
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
