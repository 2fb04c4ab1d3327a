//! Expressions over the state of a halted run, in the syntax of kernels. They are evaluated, never executed.
//!
//! Names are those of the kernel: `ub_s[cnt][0:4, 0:8]` is a part of a slot, `x[3, 0:16]` one of a global tensor. In a
//! helper they are what the current statement is given, and `kernel(x)` is the tensor of the kernel.
//! Arithmetic is Python's, on numbers and element by element. `undefined(x)` and `isnan(x)` count elements;
//! `sum`, `mean`, `min` and `max` take the defined ones.

mod array;
mod evaluate;
mod region;

pub use array::Array;
pub use evaluate::FUNCTIONS;
pub use region::{Axis, Base, Region};

use crate::spec::Lines;
pub use a2lint_ir::Number;
use a2lint_ir::{BufferId, Program, Stmt, StmtKind, View};
use a2lint_isa::DType;
use a2lint_machine::Inspection;
use a2lint_project::SourceMap;
use a2lint_source::text::SourceText;
use a2lint_syntax::python::ast::{Expr, StmtKind as Code};
use a2lint_syntax::python::parse;

/// Upper bound on the bytes of the text of an expression.
const MOST_TEXT: usize = 4096;

/// A parsed expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    tree: Expr,
    line: Option<Lines>,
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

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// A number, with the type of the variable or element that it comes from.
    Number(Number, Option<DType>),
    /// A buffer with several slots, without a selected one.
    Slots(BufferId),
    /// A part of a memory.
    Region(Region),
    /// Computed elements.
    Array(Array),
}

/// Where an expression is evaluated: the kernel for names, and the current statement.
#[derive(Clone, Copy, Debug)]
pub struct Scope<'p> {
    /// The kernel.
    pub program: &'p Program,
    /// The texts that its spans belong to.
    pub map: &'p SourceMap,
    /// The statement that the lane is at.
    pub at: Option<&'p Stmt>,
}

impl<'p> Scope<'p> {
    /// Returns the operands of the current statement, each with its text.
    pub fn operands(&self) -> Vec<(&'p str, &'p View)> {
        self.at.map_or_else(Vec::new, |stmt| self.operands_of(stmt))
    }

    fn operands_of(&self, stmt: &'p Stmt) -> Vec<(&'p str, &'p View)> {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return Vec::new();
        };
        let map = self.map;
        let operands = instr.operands().map(|(.., view)| view);
        operands
            .map(|view| (map.text_of(view.site()).trim(), view))
            .collect()
    }

    /// Returns the expression for what has a name in the whole kernel.
    pub fn of_kernel(&self, name: &str) -> String {
        let has_name = |view: &View| match view {
            View::Local(view) => self.program.buffer(view.buffer).name == name,
            View::Global(view) => self.program.global(view.global).name == name,
        };
        match self.is_shadowed(name, has_name) {
            true => format!("kernel({name})"),
            false => name.to_owned(),
        }
    }

    /// Returns whether a name denotes, in the helper of the current statement, a tensor that `is_meant` rejects.
    pub fn is_shadowed(&self, name: &str, is_meant: impl Fn(&View) -> bool) -> bool {
        let Some(here) = self.at else {
            return false;
        };
        let mut found = false;
        self.program.walk(&mut |stmt| {
            if stmt.origin == here.origin {
                let mut operands = self.operands_of(stmt).into_iter();
                found |= operands.any(|(text, view)| head(text) == name && !is_meant(view));
            }
        });
        found
    }
}

/// Returns the name at the start of an expression: `x` of `x[8:16]`.
fn head(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.split(|c| !is_part(c)).next().unwrap_or_default()
}

impl Expression {
    /// Parses an expression. With ` @ 41`, ` @ line 41` or ` @ tiles.h:41` after it, it is to be evaluated at the last
    /// execution of that line.
    ///
    /// # Errors
    /// The text is no expression.
    pub fn parse(text: &str) -> Result<Expression, EvalError> {
        if text.len() > MOST_TEXT {
            return Err(EvalError::new("the expression is too long"));
        }
        let (text, line) = split_line(text.trim());
        let source = SourceText::new(text);
        let file = parse(&source);
        let mut body = file.body.into_iter();
        match (body.next().map(|stmt| stmt.kind), body.next()) {
            (Some(Code::Expr(tree)), None) if file.errors.is_empty() => Ok(Expression {
                text: text.to_owned(),
                tree,
                line,
            }),
            (None, _) => Err(EvalError::new("there is no expression")),
            _ => Err(EvalError::new(format!("`{text}` is no expression"))),
        }
    }

    /// Returns its text, without the line.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the line at whose last execution it is to be evaluated.
    pub fn line(&self) -> Option<&Lines> {
        self.line.as_ref()
    }

    /// Evaluates the expression in the current state.
    ///
    /// # Errors
    /// It has no value; the error is the reason, as a clause.
    pub fn evaluate(&self, scope: Scope, inspection: &mut Inspection) -> Result<Answer, EvalError> {
        evaluate::evaluate(&self.tree, scope, inspection)
    }

    /// Returns whether the expression is a number other than 0 in the current state.
    ///
    /// # Errors
    /// It has no value, or it is not a single number.
    pub fn holds(&self, scope: Scope, inspection: &mut Inspection) -> Result<bool, EvalError> {
        let answer = self.evaluate(scope, inspection)?;
        let number = evaluate::number(answer, scope, inspection)?;
        Ok(number.as_float() != 0.0)
    }
}

/// Splits the text at ` @ line 41`, and returns the line.
fn split_line(text: &str) -> (&str, Option<Lines>) {
    let split = || {
        let (before, after) = text.rsplit_once('@')?;
        let after = after.trim();
        let line = after.strip_prefix("line").unwrap_or(after).trim();
        Some((before.trim(), Lines::line(line)?))
    };
    match split() {
        Some((before, line)) => (before, Some(line)),
        None => (text, None),
    }
}
