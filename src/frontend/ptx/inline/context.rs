//! Which function a token stands in, and under which conditions.

use super::tokens::{Kind, Tokens};
use crate::text::Span;

/// Where a token stands.
#[derive(Clone, Copy, Debug)]
pub struct Place<'t> {
    /// The function, or the macro.
    pub name: &'t str,
    /// The name where it is defined.
    pub name_span: Span,
    /// Tokens of the function's body.
    pub body: (usize, usize),
    /// Whether a branch or `#if` inside the function decides about it.
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

/// The place of each token in `wanted`, which is in order; `None` outside functions and macros.
pub fn places<'t>(tokens: &Tokens<'t>, wanted: &[usize]) -> Vec<Option<Place<'t>>> {
    let mut found = Vec::new();
    let mut stack: Vec<(usize, Block<'t>)> = Vec::new();
    let mut macro_end = 0;
    let mut defined: Option<(usize, Span)> = None;
    // `#if` that stand inside the current function.
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
                "if" | "ifdef" | "ifndef" if !stack.is_empty() => branches += 1,
                "endif" => branches = branches.saturating_sub(1),
                _ => {}
            },
            Kind::Mark(b'{') if !in_macro => {
                if let Some(close) = tokens.partner(at) {
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

/// Whether what starts at `at` is the only statement of an `if` or `else`.
fn is_branch(tokens: &Tokens, at: usize) -> bool {
    let Some(before) = at.checked_sub(1) else {
        return false;
    };
    tokens.word(before) == "else" || matches!(head(tokens, before), Some((word, _)) if word == "if")
}

/// The word in front of the parentheses that close at `at`: `if` of `if constexpr (x)`.
fn head<'t>(tokens: &Tokens<'t>, at: usize) -> Option<(&'t str, usize)> {
    if !tokens.is(at, b')') {
        return None;
    }
    let word = tokens.partner(at)?.checked_sub(1)?;
    match tokens.word(word) {
        "constexpr" => Some((tokens.word(word.checked_sub(1)?), word - 1)),
        name => Some((name, word)),
    }
}

/// What a brace opens.
fn kind<'t>(tokens: &Tokens<'t>, at: usize, in_function: bool) -> BlockKind<'t> {
    // Specifiers may stand between a function's parameters and its body.
    let mut before = at.saturating_sub(1);
    while before > 0
        && matches!(
            tokens.word(before),
            "const" | "noexcept" | "override" | "final"
        )
    {
        before -= 1;
    }
    if matches!(tokens.word(before), "else" | "do") {
        return BlockKind::Conditional;
    }
    let Some((word, name)) = head(tokens, before) else {
        return BlockKind::Other;
    };
    match word {
        "if" | "switch" => BlockKind::Conditional,
        "for" | "while" | "catch" => BlockKind::Other,
        _ if in_function || !tokens.is_word(name) => BlockKind::Other,
        word => BlockKind::Function {
            name: word,
            name_span: tokens.span(name),
        },
    }
}
