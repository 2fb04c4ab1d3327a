//! Adding an offset to all spans of typed syntax.

use super::ast::*;
use a2lint_source::text::Span;

/// Syntax with spans that can be moved.
pub(super) trait Shift {
    /// Adds `by` to all offsets; offsets wrap, so a negative distance is given in two's complement.
    fn shift(&mut self, by: u32);
}

impl Shift for Span {
    fn shift(&mut self, by: u32) {
        self.start = self.start.wrapping_add(by);
        self.end = self.end.wrapping_add(by);
    }
}

impl<T: Shift> Shift for Vec<T> {
    fn shift(&mut self, by: u32) {
        self.iter_mut().for_each(|it| it.shift(by));
    }
}

impl<T: Shift> Shift for Option<T> {
    fn shift(&mut self, by: u32) {
        self.iter_mut().for_each(|it| it.shift(by));
    }
}

impl<T: Shift> Shift for Box<T> {
    fn shift(&mut self, by: u32) {
        (**self).shift(by);
    }
}

impl<A: Shift, B: Shift> Shift for (A, B) {
    fn shift(&mut self, by: u32) {
        self.0.shift(by);
        self.1.shift(by);
    }
}

impl Shift for File {
    fn shift(&mut self, by: u32) {
        self.body.shift(by);
        self.errors.shift(by);
        self.comments.shift(by);
    }
}

impl Shift for CompareOp {
    fn shift(&mut self, _: u32) {}
}

impl Shift for SyntaxError {
    fn shift(&mut self, by: u32) {
        self.span.shift(by);
    }
}

impl Shift for Comment {
    fn shift(&mut self, by: u32) {
        self.span.shift(by);
    }
}

impl Shift for Name {
    fn shift(&mut self, by: u32) {
        self.span.shift(by);
    }
}

impl Shift for ImportName {
    fn shift(&mut self, by: u32) {
        self.span.shift(by);
        self.alias.shift(by);
    }
}

impl Shift for FunctionDef {
    fn shift(&mut self, by: u32) {
        self.name.shift(by);
        self.full_span.shift(by);
        self.decorators.shift(by);
        self.params.shift(by);
        self.body.shift(by);
    }
}

impl Shift for Param {
    fn shift(&mut self, by: u32) {
        self.name.shift(by);
        self.annotation.shift(by);
        self.default.shift(by);
    }
}

impl Shift for Handler {
    fn shift(&mut self, by: u32) {
        self.classes.shift(by);
        self.name.shift(by);
    }
}

impl Shift for Pattern {
    fn shift(&mut self, by: u32) {
        match self {
            Pattern::Anything => {}
            Pattern::Value(value) => value.shift(by),
            Pattern::Capture(name) => name.shift(by),
            Pattern::As(inner, name) => {
                inner.shift(by);
                name.shift(by);
            }
            Pattern::Or(all) | Pattern::Sequence(all) => all.shift(by),
            Pattern::Rest(name) => name.shift(by),
            Pattern::Mapping { entries, rest } => {
                entries.shift(by);
                rest.shift(by);
            }
            Pattern::Class {
                class,
                positional,
                keywords,
            } => {
                class.shift(by);
                positional.shift(by);
                keywords.shift(by);
            }
            Pattern::Other(names) => names.shift(by),
        }
    }
}

impl Shift for Clause {
    fn shift(&mut self, by: u32) {
        self.target.shift(by);
        self.iter.shift(by);
        self.conditions.shift(by);
    }
}

impl Shift for Stmt {
    fn shift(&mut self, by: u32) {
        self.span.shift(by);
        match &mut self.kind {
            StmtKind::Expr(expr) | StmtKind::Assert(expr) => expr.shift(by),
            StmtKind::Assign { targets, value } => {
                targets.shift(by);
                value.shift(by);
            }
            StmtKind::AnnAssign {
                target,
                annotation,
                value,
            } => {
                target.shift(by);
                annotation.shift(by);
                value.shift(by);
            }
            StmtKind::AugAssign {
                target,
                op: _,
                op_span,
                value,
            } => {
                target.shift(by);
                op_span.shift(by);
                value.shift(by);
            }
            StmtKind::For {
                target,
                iter,
                body,
                orelse,
            } => {
                target.shift(by);
                iter.shift(by);
                body.shift(by);
                orelse.shift(by);
            }
            StmtKind::While { test, body, orelse } => {
                test.shift(by);
                body.shift(by);
                orelse.shift(by);
            }
            StmtKind::If { arms, orelse } => {
                arms.shift(by);
                orelse.shift(by);
            }
            StmtKind::With { items, body } => {
                items.shift(by);
                body.shift(by);
            }
            StmtKind::Function(def) => def.shift(by),
            StmtKind::Class {
                name,
                full_span,
                decorators,
                bases,
                keywords,
                body,
            } => {
                name.shift(by);
                full_span.shift(by);
                decorators.shift(by);
                bases.shift(by);
                keywords.shift(by);
                body.shift(by);
            }
            StmtKind::Return(value) => value.shift(by),
            StmtKind::Import(names) => names.shift(by),
            StmtKind::ImportFrom {
                module: _,
                module_span,
                names,
                star: _,
            } => {
                module_span.shift(by);
                names.shift(by);
            }
            StmtKind::Try {
                blocks,
                parts: _,
                handlers,
            } => {
                blocks.shift(by);
                handlers.shift(by);
            }
            StmtKind::Delete(exprs) => exprs.shift(by),
            StmtKind::Global(names) | StmtKind::Nonlocal(names) => names.shift(by),
            StmtKind::Raise(expr) => expr.shift(by),
            StmtKind::Error(body) => body.shift(by),
            StmtKind::Pass | StmtKind::Break | StmtKind::Continue => {}
        }
    }
}

impl Shift for Expr {
    fn shift(&mut self, by: u32) {
        self.span.shift(by);
        match &mut self.kind {
            ExprKind::Attribute { value, attr } => {
                value.shift(by);
                attr.shift(by);
            }
            ExprKind::Subscript { value, index } => {
                value.shift(by);
                index.shift(by);
            }
            ExprKind::Slice { lower, upper, step } => {
                lower.shift(by);
                upper.shift(by);
                step.shift(by);
            }
            ExprKind::Call {
                func,
                args,
                keywords,
            } => {
                func.shift(by);
                args.shift(by);
                keywords.shift(by);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) | ExprKind::Set(items) => {
                items.shift(by);
            }
            ExprKind::Dict(items) => items.shift(by),
            ExprKind::Unary { op: _, operand } => operand.shift(by),
            ExprKind::Binary {
                op: _,
                op_span,
                left,
                right,
            } => {
                op_span.shift(by);
                left.shift(by);
                right.shift(by);
            }
            ExprKind::BoolOp { and: _, values } => values.shift(by),
            ExprKind::Compare { left, rest } => {
                left.shift(by);
                rest.shift(by);
            }
            ExprKind::Conditional { test, body, orelse } => {
                test.shift(by);
                body.shift(by);
                orelse.shift(by);
            }
            ExprKind::Lambda { params, body } => {
                params.shift(by);
                body.shift(by);
            }
            ExprKind::Comprehension {
                kind: _,
                element,
                value,
                clauses,
            } => {
                element.shift(by);
                value.shift(by);
                clauses.shift(by);
            }
            ExprKind::Starred(inner) => inner.shift(by),
            ExprKind::Named { name, value } => {
                name.shift(by);
                value.shift(by);
            }
            ExprKind::None
            | ExprKind::Bool(_)
            | ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Str(_)
            | ExprKind::OpaqueStr
            | ExprKind::Ellipsis
            | ExprKind::Name(_)
            | ExprKind::Error => {}
            ExprKind::Format(parts) => {
                for part in parts {
                    if let FormatPart::Value { value, .. } = part {
                        value.shift(by);
                    }
                }
            }
            ExprKind::Yield { value, from: _ } => value.shift(by),
            ExprKind::Matches { subject, pattern } => {
                subject.shift(by);
                pattern.shift(by);
            }
        }
    }
}
