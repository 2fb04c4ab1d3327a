//! Certain mistakes of syntax: brackets that do not match, and calls without a semicolon.
//!
//! The parser skips what it does not understand, since it does not know all of C++. What is found here is wrong in
//! every C++: the tokens of a text are judged without any header, and only where no condition of the preprocessor can
//! leave some of them out.

use a2lint_source::text::Span;

use super::symbols::Symbols;
use super::tokens::{Kind, Token, tokens};

/// Words that may follow an operand: operators, and what follows a parameter list.
const FOLLOWS: &[&str] = &[
    "and", "or", "xor", "not_eq", "bitand", "bitor", "and_eq", "or_eq", "xor_eq", "const",
    "noexcept", "override", "final", "mutable", "requires", "volatile",
];
/// Words that begin a statement and take brackets.
const HEADS: &[&str] = &[
    "if",
    "for",
    "while",
    "switch",
    "return",
    "else",
    "do",
    "case",
    "constexpr",
    "catch",
    "sizeof",
];

/// A mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mistake {
    /// Its place.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// A place, and the text that is missing there.
    pub missing: Option<(Span, &'static str)>,
}

/// A bracket that was opened.
struct Open<'t> {
    bracket: &'t str,
    span: Span,
    /// The index of its token.
    at: usize,
}

/// Returns the first mistake of a text. `is_function` tells whether a name is that of a known function, so that no
/// macro is meant.
pub fn first(text: &str, is_function: &dyn Fn(&str) -> bool) -> Option<Mistake> {
    let mut symbols = Symbols::default();
    let all = tokens(text, Some(0), &mut symbols);
    let code: Vec<(&str, Token)> = code(&all, &symbols)?;
    let mut open: Vec<Open> = Vec::new();
    // The first token of the statement.
    let mut start = 0;
    for (at, (text, token)) in code.iter().enumerate() {
        match *text {
            _ if token.kind != Kind::Punct => {}
            "(" | "[" | "{" => {
                open.push(Open {
                    bracket: text,
                    span: token.span,
                    at,
                });
                if *text == "{" {
                    start = at + 1;
                }
            }
            ")" | "]" | "}" => {
                let last = open.pop()?;
                if closing(last.bracket) != *text {
                    return Some(unmatched(&last, text, token.span));
                }
                let is_call = *text == ")" && open.last().is_some_and(|it| it.bracket == "{");
                if is_call
                    // The parts of `for (…; …; …)` are no statements of their own.
                    && code.get(start..last.at).is_some_and(|head| is_call_of(head, is_function))
                    && code.get(at + 1).is_some_and(begins_statement)
                {
                    return Some(unfinished(token.span));
                }
                if *text == "}" {
                    start = at + 1;
                }
            }
            ";" => start = at + 1,
            _ => {}
        }
    }
    let last = open.last()?;
    Some(never_closed(last))
}

/// Returns the tokens outside of directives with their texts; `None` if conditions may leave some of them out. A single
/// `#ifndef` is the guard of a header.
fn code<'s>(all: &[Token], symbols: &'s Symbols) -> Option<Vec<(&'s str, Token)>> {
    let mut code = Vec::new();
    let (mut in_directive, mut guards) = (false, 0);
    for (at, token) in all.iter().enumerate() {
        let text = symbols.text(token.text);
        if token.kind == Kind::End {
            continue;
        }
        if token.starts_line {
            in_directive = text == "#" && token.kind == Kind::Punct;
            let name = all.get(at + 1).map_or("", |next| symbols.text(next.text));
            match name {
                _ if !in_directive => {}
                "if" | "ifdef" | "elif" | "else" | "elifdef" | "elifndef" => return None,
                "ifndef" => guards += 1,
                _ => {}
            }
        }
        if !in_directive {
            code.push((text, *token));
        }
    }
    (guards <= 1).then_some(code)
}

fn closing(bracket: &str) -> &'static str {
    match bracket {
        "(" => ")",
        "[" => "]",
        _ => "}",
    }
}

fn never_closed(open: &Open) -> Mistake {
    Mistake {
        span: open.span,
        message: format!("`{}` is never closed", open.bracket),
        missing: None,
    }
}

/// Describes two brackets that do not match: a block ends with a bracket that is still open, or something is closed
/// that was not opened.
fn unmatched(open: &Open, close: &str, at: Span) -> Mistake {
    match close {
        "}" => never_closed(open),
        _ => Mistake {
            span: at,
            message: format!("`{close}` closes nothing"),
            missing: None,
        },
    }
}

fn unfinished(close: Span) -> Mistake {
    let end = Span {
        start: close.end,
        end: close.end,
    };
    Mistake {
        span: close,
        message: "a `;` is missing at the end of this line".to_owned(),
        missing: Some((end, ";")),
    }
}

/// Returns whether tokens before a bracket are a function or a member: `Add`, `queue.EnQue`, `this->out.EnQue`.
fn is_call_of(callee: &[(&str, Token)], is_function: &dyn Fn(&str) -> bool) -> bool {
    let is_path = callee
        .iter()
        .enumerate()
        .all(|(at, (text, token))| match at % 2 {
            0 => token.kind == Kind::Word && !HEADS.contains(text),
            _ => matches!(*text, "." | "->"),
        });
    match callee {
        [(name, _)] => is_path && !is_macro(name) && is_function(name),
        _ => is_path && callee.len() % 2 == 1,
    }
}

/// Returns whether a token begins a statement on a line of its own.
fn begins_statement((text, token): &(&str, Token)) -> bool {
    let is_word = token.kind == Kind::Word && !FOLLOWS.contains(text) && !is_macro(text);
    token.starts_line && is_word
}

/// Returns whether a name is written as those of macros are.
fn is_macro(name: &str) -> bool {
    !name.contains(|c: char| c.is_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Option<String> {
        let mistake = first(text, &|name| name == "Add")?;
        let start = mistake.span.start as usize;
        let line = text.get(..start).map_or(0, |before| before.lines().count());
        Some(format!("{line}: {}", mistake.message))
    }

    #[test]
    fn brackets_have_to_match() {
        assert_eq!(
            told("void f() {\n  Add(a, b\n}\n").as_deref(),
            Some("2: `(` is never closed")
        );
        assert_eq!(
            told("void f()\n{\n  if (a) {\n").as_deref(),
            Some("3: `{` is never closed")
        );
        assert_eq!(
            told("void f() {\n  a = b);\n}\n").as_deref(),
            Some("2: `)` closes nothing")
        );
        assert_eq!(told("void f() { a[\"(\"] = '('; /* ( */ } // {\n"), None);
    }

    #[test]
    fn a_call_on_a_line_of_its_own_ends_with_a_semicolon() {
        let missing = Some("2: a `;` is missing at the end of this line");
        assert_eq!(
            told("void f() {\n  Add(a, b)\n  q.EnQue(a);\n}").as_deref(),
            missing
        );
        assert_eq!(
            told("void f() {\n  this->q.EnQue(a)\n  return;\n}").as_deref(),
            missing
        );
        for right in [
            "void f() {\n  LOG(a)\n  q.EnQue(a);\n}",
            "void f() {\n  Macro(a)\n  q.EnQue(a);\n}",
            "bool f() {\n  return q.has(a)\n    and b;\n}",
            "void f() {\n  if (a)\n    b();\n}",
            "class S {\n  S(int a)\n    : a(a) {}\n};",
            "void f() {\n  q.EnQue(a)\n  END;\n}",
        ] {
            assert_eq!(told(right), None, "{right}");
        }
    }

    #[test]
    fn nothing_is_said_where_a_condition_may_leave_tokens_out() {
        assert_eq!(
            told("#ifdef A\nvoid f() {\n#else\nvoid g() {\n#endif\n}\n"),
            None
        );
        assert_eq!(
            told("#ifndef H\n#define H\nvoid f() {\n#endif\n").as_deref(),
            Some("3: `{` is never closed")
        );
    }
}
