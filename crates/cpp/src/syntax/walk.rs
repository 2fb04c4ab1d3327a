//! A walk over statements and all that is in them, lambdas included.

use super::ast::{Expr, ExprKind, Init, Stmt, StmtKind, Variable};

/// A part of a body.
#[derive(Clone, Copy, Debug)]
pub enum Node<'u> {
    /// A statement or declaration.
    Stmt(&'u Stmt),
    /// An expression.
    Expr(&'u Expr),
}

/// Calls `see` with every statement and expression of a body, each before what is in it. Local classes are left out.
pub fn body<'u>(statements: &'u [Stmt], see: &mut dyn FnMut(Node<'u>)) {
    for stmt in statements {
        statement(stmt, see);
    }
}

fn statement<'u>(stmt: &'u Stmt, see: &mut dyn FnMut(Node<'u>)) {
    see(Node::Stmt(stmt));
    match &stmt.kind {
        StmtKind::Variables(variables) => variables.iter().for_each(|it| variable(it, see)),
        StmtKind::Expr(value)
        | StmtKind::Return(Some(value))
        | StmtKind::Bindings { value, .. } => expression(value, see),
        StmtKind::Block(block) => body(block, see),
        StmtKind::If(branch) => {
            branch.init.iter().for_each(|it| statement(it, see));
            expressions(&branch.condition, see);
            statement(&branch.then, see);
            branch.otherwise.iter().for_each(|it| statement(it, see));
        }
        StmtKind::Switch(switch) => {
            expression(&switch.value, see);
            for group in &switch.groups {
                body(&group.body, see);
            }
        }
        StmtKind::For(header) => {
            header.init.iter().for_each(|it| statement(it, see));
            expressions(&header.condition, see);
            expressions(&header.step, see);
            statement(&header.body, see);
        }
        StmtKind::RangeFor(header) => {
            variable(&header.variable, see);
            expression(&header.range, see);
            statement(&header.body, see);
        }
        StmtKind::While(condition, inner) | StmtKind::DoWhile(inner, condition) => {
            expression(condition, see);
            statement(inner, see);
        }
        _ => {}
    }
}

fn variable<'u>(variable: &'u Variable, see: &mut dyn FnMut(Node<'u>)) {
    match &variable.init {
        Init::None => {}
        Init::Assign(value) => expression(value, see),
        Init::Parens(values) | Init::Braces(values) => expressions(values, see),
    }
}

fn expressions<'u>(all: impl IntoIterator<Item = &'u Expr>, see: &mut dyn FnMut(Node<'u>)) {
    all.into_iter().for_each(|it| expression(it, see));
}

fn expression<'u>(expr: &'u Expr, see: &mut dyn FnMut(Node<'u>)) {
    see(Node::Expr(expr));
    match &expr.kind {
        ExprKind::Member { object, .. } => expression(object, see),
        ExprKind::Call { callee, arguments } => {
            expression(callee, see);
            expressions(arguments, see);
        }
        ExprKind::Launch {
            callee,
            configuration,
            arguments,
        } => {
            expression(callee, see);
            expressions(configuration, see);
            expressions(arguments, see);
        }
        ExprKind::Construct(_, arguments) | ExprKind::Unknown(_, arguments) => {
            expressions(arguments, see);
        }
        ExprKind::Braces(_, items) => expressions(items.iter().map(|it| &it.value), see),
        ExprKind::Index(object, arguments) => {
            expression(object, see);
            expressions(arguments, see);
        }
        ExprKind::Unary(_, operand)
        | ExprKind::Step {
            target: operand, ..
        }
        | ExprKind::SizeOf(operand)
        | ExprKind::Cast(_, _, operand)
        | ExprKind::PackExpansion(operand) => expression(operand, see),
        ExprKind::Binary(_, a, b)
        | ExprKind::Assign(a, _, b)
        | ExprKind::Comma(a, b)
        | ExprKind::MemberPointer {
            object: a,
            member: b,
            ..
        } => {
            expression(a, see);
            expression(b, see);
        }
        ExprKind::Conditional(parts) => expressions(parts.as_slice(), see),
        ExprKind::Lambda(lambda) => {
            let values = lambda.captures.iter().flat_map(|it| &it.value);
            expressions(values, see);
            body(&lambda.body, see);
        }
        ExprKind::Fold { pack, init, .. } => {
            expression(pack, see);
            init.iter().for_each(|it| expression(it, see));
        }
        _ => {}
    }
}
