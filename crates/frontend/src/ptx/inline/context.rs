//! The function around a token, and whether a condition guards the token.

use super::tokens::{Kind, Token, Tokens};
use a2lint_source::text::Span;

/// The place of a token.
#[derive(Clone, Copy, Debug)]
pub struct Place<'t> {
    /// The name of the function or macro.
    pub name: &'t str,
    /// The span of the name in its definition.
    pub name_span: Span,
    /// The tokens of the function's body.
    pub body: (usize, usize),
    /// Whether a branch or `#if` inside the function guards the token.
    pub conditional: bool,
}

/// A pair of braces.
struct Block<'t> {
    close: usize,
    kind: BlockKind<'t>,
}

enum BlockKind<'t> {
    Function { name: &'t str, name_span: Span },
    Conditional,
    Other,
}

/// Returns the place of each token in `wanted`, which is sorted; `None` outside of functions and macros.
pub fn places<'t>(tokens: &Tokens<'t>, wanted: &[usize]) -> Vec<Option<Place<'t>>> {
    let mut found = Vec::new();
    let mut stack: Vec<(usize, Block<'t>)> = Vec::new();
    let mut macro_end = 0;
    let mut defined: Option<(usize, Span)> = None;
    // Number of open `#if` inside the current function.
    let mut branches = 0usize;
    let mut wanted = wanted.iter().copied().peekable();
    for at in 0..tokens.len() {
        let Some(token) = tokens.get(at) else {
            break;
        };
        while stack.last().is_some_and(|(_, block)| block.close <= at) {
            stack.pop();
            if stack.is_empty() {
                branches = 0;
            }
        }
        let in_macro = token.span.start < macro_end;
        match token.kind {
            Kind::Directive { end } => match tokens.word(at).trim_start_matches(['#', ' ', '\t']) {
                "define" => {
                    macro_end = end;
                    defined = Some((at + 1, tokens.span(at + 1)));
                }
                // A condition around the whole function, such as an include guard, does not guard the token.
                "if" | "ifdef" | "ifndef" if !stack.is_empty() => branches += 1,
                "endif" => branches = branches.saturating_sub(1),
                _ => {}
            },
            Kind::Mark(b'{') if !in_macro => {
                if let Some(close) = tokens.partner(at) {
                    // A lambda inside of a function belongs to it.
                    let in_function = stack.iter().any(|(_, block)| block.is_function());
                    let kind = kind(tokens, at, in_function);
                    stack.push((at, Block { close, kind }));
                }
            }
            _ => {}
        }
        if wanted.next_if_eq(&at).is_some() {
            found.push(match defined.filter(|_| in_macro) {
                Some((name, name_span)) => Some(Place {
                    name: tokens.word(name),
                    name_span,
                    body: (at, at),
                    // Whether and where the macro is used is unknown.
                    conditional: true,
                }),
                None => place(tokens, &stack, at, branches > 0),
            });
        }
    }
    found
}

impl Block<'_> {
    fn is_function(&self) -> bool {
        matches!(self.kind, BlockKind::Function { .. })
    }
}

fn place<'t>(
    tokens: &Tokens<'t>,
    stack: &[(usize, Block<'t>)],
    at: usize,
    preprocessed: bool,
) -> Option<Place<'t>> {
    let (depth, open, close, name, name_span) =
        stack
            .iter()
            .enumerate()
            .find_map(|(depth, (open, block))| match block.kind {
                BlockKind::Function { name, name_span } => {
                    Some((depth, *open, block.close, name, name_span))
                }
                _ => None,
            })?;
    let inner = stack[depth..].iter();
    let branch = inner
        .map(|(_, block)| &block.kind)
        .any(|kind| matches!(kind, BlockKind::Conditional));
    Some(Place {
        name,
        name_span,
        body: (open, close),
        conditional: branch || preprocessed || is_branch(tokens, at),
    })
}

/// Returns whether the token at `at` begins the only statement of an `if` or `else`.
fn is_branch(tokens: &Tokens, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    tokens.word(before) == "else" || matches!(head(tokens, before), Some(head) if head.word == "if")
}

/// The words before a pair of parentheses.
pub struct Head<'t> {
    /// The word: `if` for `if constexpr (x)`, or the name of a function.
    pub word: &'t str,
    /// Index of the token of the word.
    pub at: usize,
    /// Index of the token that opens the parentheses.
    pub open: usize,
}

/// Maximum number of tokens of template arguments and return types that are skipped.
const MAX_PASSED: usize = 60;

/// Returns what precedes the parentheses that close at `at`.
fn head<'t>(tokens: &Tokens<'t>, at: usize) -> Option<Head<'t>> {
    if !tokens.is(at, b')') {
        return None;
    }
    let open = tokens.partner(at)?;
    let before = open.checked_sub(1)?;
    let found = |word, at| Some(Head { word, at, open });
    // `operator()(…)`, `name<arguments>(…)`, `name = [captures](…)`.
    if tokens.is(before, b')') && tokens.word(before.checked_sub(2)?) == "operator" {
        return found("operator()", before - 2);
    }
    if tokens.is(before, b'>') {
        let name = template_name(tokens, before)?;
        return found(tokens.word(name), name);
    }
    if tokens.is(before, b']') {
        let captures = tokens.partner(before)?;
        let name = captures.checked_sub(2)?;
        return match tokens.is(captures - 1, b'=') && tokens.is_word(name) {
            true => found(tokens.word(name), name),
            false => found("lambda", captures),
        };
    }
    match tokens.word(before) {
        "constexpr" => found(tokens.word(before.checked_sub(1)?), before - 1),
        name => found(name, before),
    }
}

/// Returns the name whose template arguments close at `at`.
fn template_name(tokens: &Tokens, at: usize) -> Option<usize> {
    let mut depth = 0usize;
    for back in 0..MAX_PASSED {
        let here = at.checked_sub(back)?;
        if tokens.is(here, b'>') {
            depth += 1;
        } else if tokens.is(here, b'<') {
            depth -= 1;
            if depth == 0 {
                return here.checked_sub(1).filter(|&name| tokens.is_word(name));
            }
        } else if tokens.is(here, b';') || tokens.is(here, b'{') {
            return None;
        }
    }
    None
}

/// Returns the last token of a function's parameters, before the brace at `at`. Specifiers and a trailing return type
/// may be in between.
fn end_of_parameters(tokens: &Tokens, at: usize) -> usize {
    let is_specifier = |at: usize| {
        matches!(
            tokens.word(at),
            "const" | "noexcept" | "override" | "final" | "mutable"
        )
    };
    let mut before = at.saturating_sub(1);
    while before > 0 && is_specifier(before) {
        before -= 1;
    }
    // Searches backwards for the arrow of a trailing return type.
    let mut arrow = before;
    for _ in 0..MAX_PASSED {
        let number = |token: Token| token.kind == Kind::Number;
        let is_part = tokens.is_word(arrow)
            || tokens.get(arrow).is_some_and(number)
            || [b':', b'<', b'>', b'*', b'&', b',']
                .iter()
                .any(|&mark| tokens.is(arrow, mark));
        if arrow < 2 || !is_part {
            break;
        }
        if tokens.is(arrow, b'>') && tokens.is(arrow - 1, b'-') {
            before = arrow - 2;
            while before > 0 && is_specifier(before) {
                before -= 1;
            }
            break;
        }
        arrow -= 1;
    }
    before
}

/// Returns the head of the function whose body the brace at `at` opens; `None` if the brace opens something else.
pub fn function_head<'t>(tokens: &Tokens<'t>, at: usize) -> Option<Head<'t>> {
    let head = head(tokens, end_of_parameters(tokens, at))?;
    let is_name = tokens.is_word(head.at) || head.word == "lambda";
    let is_statement = matches!(head.word, "if" | "switch" | "for" | "while" | "catch");
    (is_name && !is_statement).then_some(head)
}

/// Returns what a brace opens.
fn kind<'t>(tokens: &Tokens<'t>, at: usize, in_function: bool) -> BlockKind<'t> {
    let before = end_of_parameters(tokens, at);
    if matches!(tokens.word(before), "else" | "do") {
        return BlockKind::Conditional;
    }
    let word = head(tokens, before).map(|head| head.word);
    if matches!(word, Some("if" | "switch")) {
        return BlockKind::Conditional;
    }
    match function_head(tokens, at).filter(|_| !in_function) {
        Some(head) => BlockKind::Function {
            name: head.word,
            name_span: tokens.span(head.at),
        },
        None => BlockKind::Other,
    }
}
