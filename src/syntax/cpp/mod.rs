//! C++ sources: blanking what is not C++, parsing, typed syntax.

mod ast;
mod blank;
mod lower;
mod parse;

pub use ast::{
    Alias, Assignment, BinaryOp, Branch, Class, Declarator, Enumerator, Expr, ExprKind, Function,
    Init, Loop, Parameter, Path, Stmt, StmtKind, UnaryOp, Unit, visit_expressions,
};
pub use blank::blank;
pub use parse::{parse, parse_tree};

#[cfg(test)]
mod tests;
