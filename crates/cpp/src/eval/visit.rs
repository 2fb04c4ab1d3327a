//! Walks over expressions and types, for the names in them.

use crate::syntax::ast::{
    Expr, ExprKind, For, If, Init, Name, Path, RangeFor, Stmt, StmtKind, Switch, TemplateArgument,
    Type, TypeKind, Variable,
};

/// Calls `visit` on the first part of every name in an expression.
pub(crate) fn names_in_expr(expr: &Expr, visit: &mut dyn FnMut(&Name)) {
    match &expr.kind {
        ExprKind::Path(path) => names_in_path(path, visit),
        ExprKind::Member { object, member, .. } => {
            names_in_expr(object, visit);
            for segment in &member.segments {
                names_in_arguments(segment.arguments.as_deref(), visit);
            }
        }
        ExprKind::Call { callee, arguments } => {
            names_in_expr(callee, visit);
            names_in_all(arguments, visit);
        }
        ExprKind::Launch {
            callee,
            configuration,
            arguments,
        } => {
            names_in_expr(callee, visit);
            names_in_all(configuration, visit);
            names_in_all(arguments, visit);
        }
        ExprKind::Construct(ty, arguments) => {
            names_in_type(ty, visit);
            names_in_all(arguments, visit);
        }
        ExprKind::Braces(ty, items) => {
            if let Some(ty) = ty {
                names_in_type(ty, visit);
            }
            for item in items {
                names_in_expr(&item.value, visit);
            }
        }
        ExprKind::Index(object, arguments) => {
            names_in_expr(object, visit);
            names_in_all(arguments, visit);
        }
        ExprKind::Unary(_, operand)
        | ExprKind::Step {
            target: operand, ..
        }
        | ExprKind::SizeOf(operand)
        | ExprKind::PackExpansion(operand) => names_in_expr(operand, visit),
        ExprKind::Binary(_, a, b) | ExprKind::Assign(a, _, b) | ExprKind::Comma(a, b) => {
            names_in_expr(a, visit);
            names_in_expr(b, visit);
        }
        ExprKind::Conditional(parts) => names_in_all(parts.as_slice(), visit),
        ExprKind::Cast(_, ty, operand) => {
            names_in_type(ty, visit);
            names_in_expr(operand, visit);
        }
        ExprKind::SizeOfType(ty) | ExprKind::AlignOf(ty) => names_in_type(ty, visit),
        ExprKind::SizeOfPack(name) => visit(name),
        ExprKind::Lambda(lambda) => {
            for capture in &lambda.captures {
                visit(&capture.name);
                if let Some(value) = &capture.value {
                    names_in_expr(value, visit);
                }
            }
            for parameter in &lambda.parameters {
                names_in_variable(parameter, visit);
            }
            names_in_block(&lambda.body, visit);
        }
        ExprKind::Fold { pack, init, .. } => {
            names_in_expr(pack, visit);
            if let Some(init) = init {
                names_in_expr(init, visit);
            }
        }
        ExprKind::MemberPointer { object, member, .. } => {
            names_in_expr(object, visit);
            names_in_expr(member, visit);
        }
        ExprKind::Unknown(_, parts) => names_in_all(parts, visit),
        ExprKind::Int(..)
        | ExprKind::Float(..)
        | ExprKind::Char(_)
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::String(_)
        | ExprKind::This => {}
    }
}

fn names_in_all(exprs: &[Expr], visit: &mut dyn FnMut(&Name)) {
    for expr in exprs {
        names_in_expr(expr, visit);
    }
}

/// Calls `visit` on the first part of every name in a path: its own, and those of its template arguments.
pub(crate) fn names_in_path(path: &Path, visit: &mut dyn FnMut(&Name)) {
    if let Some(first) = path.segments.first().filter(|_| !path.is_absolute) {
        visit(&first.name);
    }
    for segment in &path.segments {
        names_in_arguments(segment.arguments.as_deref(), visit);
        if let Some(of) = &segment.decltype {
            names_in_expr(of, visit);
        }
    }
}

fn names_in_arguments(arguments: Option<&[TemplateArgument]>, visit: &mut dyn FnMut(&Name)) {
    for argument in arguments.unwrap_or_default() {
        names_in_argument(argument, visit);
    }
}

/// Calls `visit` on the first part of every name in a template argument.
pub(crate) fn names_in_argument(argument: &TemplateArgument, visit: &mut dyn FnMut(&Name)) {
    match argument {
        TemplateArgument::Type(ty) => names_in_type(ty, visit),
        TemplateArgument::Value(value) => names_in_expr(value, visit),
        TemplateArgument::Pack(pattern) => names_in_argument(pattern, visit),
    }
}

/// Calls `visit` on the first part of every name in a type.
pub(crate) fn names_in_type(ty: &Type, visit: &mut dyn FnMut(&Name)) {
    match &ty.kind {
        TypeKind::Decltype(expr, _) => names_in_expr(expr, visit),
        TypeKind::Path(path) => names_in_path(path, visit),
        TypeKind::Pointer(of, _) | TypeKind::Reference(of) | TypeKind::RvalueReference(of) => {
            names_in_type(of, visit);
        }
        TypeKind::Array(of, length) => {
            names_in_type(of, visit);
            if let Some(length) = length {
                names_in_expr(length, visit);
            }
        }
        TypeKind::Function(returns, parameters) => {
            names_in_type(returns, visit);
            for parameter in parameters {
                names_in_type(parameter, visit);
            }
        }
        _ => {}
    }
}

fn names_in_variable(variable: &Variable, visit: &mut dyn FnMut(&Name)) {
    names_in_type(&variable.ty, visit);
    match &variable.init {
        Init::None => {}
        Init::Assign(value) => names_in_expr(value, visit),
        Init::Parens(values) | Init::Braces(values) => names_in_all(values, visit),
    }
}

/// Calls `visit` on the first part of every name in statements.
pub fn names_in_block(block: &[Stmt], visit: &mut dyn FnMut(&Name)) {
    for stmt in block {
        names_in_stmt(stmt, visit);
    }
}

/// Calls `visit` on the first part of every name in a statement.
pub(crate) fn names_in_stmt(stmt: &Stmt, visit: &mut dyn FnMut(&Name)) {
    match &stmt.kind {
        StmtKind::Variables(variables) => {
            for variable in variables {
                names_in_variable(variable, visit);
            }
        }
        StmtKind::Bindings { value, .. } => names_in_expr(value, visit),
        StmtKind::Expr(expr) | StmtKind::StaticAssert(expr) => names_in_expr(expr, visit),
        StmtKind::Block(block) => names_in_block(block, visit),
        StmtKind::If(branch) => {
            let If {
                init,
                condition,
                then,
                otherwise,
                ..
            } = branch.as_ref();
            for stmt in init.iter().chain([then]).chain(otherwise) {
                names_in_stmt(stmt, visit);
            }
            if let Some(condition) = condition {
                names_in_expr(condition, visit);
            }
        }
        StmtKind::Switch(switch) => {
            let Switch { value, groups } = switch.as_ref();
            names_in_expr(value, visit);
            for group in groups {
                for label in group.labels.iter().flatten() {
                    names_in_expr(label, visit);
                }
                names_in_block(&group.body, visit);
            }
        }
        StmtKind::For(header) => {
            let For {
                init,
                condition,
                step,
                body,
            } = header.as_ref();
            for stmt in init.iter().chain([body]) {
                names_in_stmt(stmt, visit);
            }
            for expr in condition.iter().chain(step) {
                names_in_expr(expr, visit);
            }
        }
        StmtKind::RangeFor(header) => {
            let RangeFor {
                variable,
                range,
                body,
            } = header.as_ref();
            names_in_variable(variable, visit);
            names_in_expr(range, visit);
            names_in_stmt(body, visit);
        }
        StmtKind::While(condition, body) | StmtKind::DoWhile(body, condition) => {
            names_in_expr(condition, visit);
            names_in_stmt(body, visit);
        }
        StmtKind::Return(Some(value)) => names_in_expr(value, visit),
        StmtKind::Alias(alias) => names_in_type(&alias.ty, visit),
        _ => {}
    }
}
