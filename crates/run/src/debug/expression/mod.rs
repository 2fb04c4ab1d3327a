//! Expressions over what a halted run holds, in the syntax of kernels: evaluated, never executed.
//!
//! Names are those of the kernel: `ub_s[cnt][0:4, 0:8]` is a part of a slot, `x[3, 0:16]` one of a global
//! tensor. Arithmetic is Python's, on numbers and element by element; `undefined(x)` and `isnan(x)` count
//! elements, and `sum`, `mean`, `min` and `max` are those of the defined ones.

mod array;
mod evaluate;
mod region;

pub use array::Array;
pub use evaluate::FUNCTIONS;
pub use region::{Axis, Base, Region};

pub use a2lint_ir::Number;
use a2lint_ir::{BufferId, Program, Stmt};
use a2lint_isa::DType;
use a2lint_machine::Inspection;
use a2lint_source::text::SourceText;
use a2lint_syntax::python::ast::{Expr, StmtKind};
use a2lint_syntax::python::parse;

/// Most bytes of the text of an expression.
const MOST_TEXT: usize = 4096;

/// An expression that has been read.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    tree: Expr,
    line: Option<usize>,
}

/// Why an expression has no value, as a clause.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct EvalError(pub String);

impl EvalError {
    fn new(message: impl Into<String>) -> EvalError {
        EvalError(message.into())
    }
}

/// What an expression comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A number, of a type where it is that of a variable or an element.
    Number(Number, Option<DType>),
    /// A buffer with several slots, of which none is chosen.
    Slots(BufferId),
    /// A part of a memory.
    Region(Region),
    /// Elements that were computed.
    Array(Array),
}

/// Where an expression is looked at: whose names it uses, and which statement comes next.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'p> {
    /// The kernel.
    pub program: &'p Program,
    /// The statement that the lane is at.
    pub at: Option<&'p Stmt>,
}

impl Expression {
    /// Reads an expression. With ` @ 41` or ` @ line 41` after it, it is meant as it was when that line was
    /// executed last.
    ///
    /// # Errors
    /// It is no expression.
    pub fn parse(text: &str) -> Result<Expression, EvalError> {
        if text.len() > MOST_TEXT {
            return Err(EvalError::new("the expression is too long"));
        }
        let (text, line) = split_line(text.trim());
        let source = SourceText::new(text);
        let file = parse(&source);
        let mut body = file.body.into_iter();
        match (body.next().map(|stmt| stmt.kind), body.next()) {
            (Some(StmtKind::Expr(tree)), None) if file.errors.is_empty() => Ok(Expression {
                text: text.to_owned(),
                tree,
                line,
            }),
            (None, _) => Err(EvalError::new("there is no expression")),
            _ => Err(EvalError::new(format!("`{text}` is no expression"))),
        }
    }

    /// Its text, without the line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The line after which it is meant.
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// What it comes to now.
    ///
    /// # Errors
    /// It has no value; why, as a clause.
    pub fn evaluate(&self, scope: Scope, inspection: &mut Inspection) -> Result<Answer, EvalError> {
        evaluate::evaluate(&self.tree, scope, inspection)
    }

    /// Whether it holds now: whether it is a number other than 0.
    ///
    /// # Errors
    /// It has no value, or is no single number.
    pub fn holds(&self, scope: Scope, inspection: &mut Inspection) -> Result<bool, EvalError> {
        let answer = self.evaluate(scope, inspection)?;
        let number = evaluate::number(answer, scope, inspection)?;
        Ok(number.as_float() != 0.0)
    }
}

/// The text before ` @ line 41`, and the line.
fn split_line(text: &str) -> (&str, Option<usize>) {
    let split = || {
        let (before, after) = text.rsplit_once('@')?;
        let after = after.trim();
        let line = after.strip_prefix("line").unwrap_or(after).trim();
        Some((before.trim(), line.parse().ok()?))
    };
    match split() {
        Some((before, line)) => (before, Some(line)),
        None => (text, None),
    }
}
