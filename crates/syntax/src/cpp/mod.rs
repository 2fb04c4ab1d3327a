//! C++ sources: blanking device attributes, parsing, lowering to typed syntax.

mod ast;
mod blank;
mod lower;
mod parse;

pub use ast::{
    Alias, Assignment, BinaryOp, Branch, BranchKind, Class, Declarator, Enum, Enumerator, Expr,
    ExprKind, Function, Init, Loop, Macro, Parameter, Path, Stmt, StmtKind, TemplateParameter,
    UnaryOp, Unit, visit_expressions,
};
pub use blank::blank;
pub use lower::lower as lower_at;
pub use parse::{MAX_BYTES, parse, parse_tree};

#[cfg(test)]
mod tests;
