//! `asm` statements: template, operands and constraints.

use std::ops::Range;

use super::tokens::{Kind, Tokens};

/// An `asm` statement, as indices of tokens.
pub struct Statement {
    /// The keyword.
    pub start: usize,
    /// The pieces of the template.
    pub template: Range<usize>,
    /// Outputs, then inputs; `%0` is the first.
    pub operands: Vec<Operand>,
}

/// An operand such as `[name] "l"(expression)`, as indices of tokens.
pub struct Operand {
    /// Index of the name in brackets; `None` if the operand has no name.
    pub name: Option<usize>,
    /// Index of the token that holds the constraint string.
    pub constraint: usize,
    /// The tokens in parentheses.
    pub expression: Range<usize>,
}

/// Returns every `asm` statement of a text.
pub fn statements(tokens: &Tokens) -> Vec<Statement> {
    (0..tokens.len())
        .filter(|&at| tokens.is_word(at))
        .filter(|&at| matches!(tokens.word(at), "asm" | "__asm__" | "__asm"))
        .filter_map(|at| statement(tokens, at))
        .collect()
}

fn statement(tokens: &Tokens, start: usize) -> Option<Statement> {
    let mut open = start + 1;
    // Qualifiers: `volatile`, `goto`, `inline`.
    while tokens.is_word(open) {
        open += 1;
    }
    if !tokens.is(open, b'(') {
        return None;
    }
    let close = tokens.partner(open)?;
    let mut at = open + 1;
    while at < close && !tokens.is(at, b':') {
        at = skip(tokens, at, close);
    }
    let template = open + 1..at;
    let mut operands = Vec::new();
    // Outputs and inputs; clobbers do not matter here.
    for _ in 0..2 {
        if !tokens.is(at, b':') {
            break;
        }
        at += 1;
        while at < close && !tokens.is(at, b':') {
            let Some((operand, end)) = operand(tokens, at, close) else {
                // An operand that is not understood ends the list, since later numbers would be wrong.
                return Some(Statement {
                    start,
                    template,
                    operands,
                });
            };
            operands.push(operand);
            at = end + usize::from(tokens.is(end, b','));
        }
    }
    Some(Statement {
        start,
        template,
        operands,
    })
}

/// Returns the token after `at`, or after the bracket pair that begins there.
fn skip(tokens: &Tokens, at: usize, close: usize) -> usize {
    match (tokens.get(at).map(|token| token.kind), tokens.partner(at)) {
        (Some(Kind::Mark(b'(' | b'[' | b'{')), Some(end)) if end > at => (end + 1).min(close),
        _ => at + 1,
    }
}

fn operand(tokens: &Tokens, at: usize, close: usize) -> Option<(Operand, usize)> {
    let mut at = at;
    let mut name = None;
    if tokens.is(at, b'[') {
        name = Some(at + 1);
        at = tokens.partner(at)? + 1;
    }
    let open = at + 1;
    if !tokens.is_string(at) || !tokens.is(open, b'(') {
        return None;
    }
    let end = tokens.partner(open).filter(|&end| end < close)?;
    let operand = Operand {
        name,
        constraint: at,
        expression: open + 1..end,
    };
    Some((operand, end + 1))
}
