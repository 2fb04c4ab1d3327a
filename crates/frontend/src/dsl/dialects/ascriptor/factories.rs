//! Kernels that functions of a module make from other functions: `import_module("ascriptor." +
//! device).kernel(mode="vec")(body)`.

use super::super::super::function::Making;
use super::super::super::kernel::is_tensor;
use a2lint_isa::Dialect;
use a2lint_syntax::python::ast::{self, Expr, ExprKind, Stmt, StmtKind};

/// Returns the functions of a module that are written as kernels: all parameters are annotated, the first is a global
/// tensor, and the last statement returns a value.
pub fn bodies(module: &[Stmt]) -> impl Iterator<Item = &ast::FunctionDef> {
    module.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Function(def) if is_body(def) => Some(&**def),
        _ => None,
    })
}

fn is_body(def: &ast::FunctionDef) -> bool {
    let returns = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Return(Some(_)));
    def.decorators.is_empty()
        && def.params.first().is_some_and(is_tensor)
        && def.params.iter().all(|param| param.annotation.is_some())
        && def.body.last().is_some_and(returns)
}

/// Returns whether statements contain a call that makes a kernel.
pub fn makes_kernels(body: &[Stmt]) -> bool {
    let mut found = false;
    ast::walk_exprs(body, &mut |expr| found |= is_kernel(expr));
    found
}

fn is_kernel(expr: &Expr) -> bool {
    matches!(&expr.kind, ExprKind::Call { func, .. } if last_name(func) == Some("kernel"))
}

/// Returns how a module makes its kernels. The mode is left out if calls differ in it.
pub fn making(module: &[Stmt]) -> Option<Making> {
    let mut modes: Vec<Option<String>> = Vec::new();
    ast::walk_exprs(module, &mut |expr| {
        if is_kernel(expr) {
            modes.push(mode(expr));
        }
    });
    let first = modes.first()?.clone();
    Some(Making {
        dialect: Dialect::Ascriptor,
        // With several modes, which of them a function gets is unknown.
        mode: first.filter(|first| modes.iter().all(|mode| mode.as_ref() == Some(first))),
        ..Making::default()
    })
}

/// Returns the mode of `kernel(mode="vec")`.
fn mode(call: &Expr) -> Option<String> {
    let ExprKind::Call { keywords, .. } = &call.kind else {
        return None;
    };
    let is_mode = |name: &ast::Name| name.text == "mode";
    let mut keywords = keywords.iter();
    let (_, value) = keywords.find(|(name, _)| name.as_ref().is_some_and(is_mode))?;
    match &value.kind {
        ExprKind::Str(mode) => Some(mode.clone()),
        _ => None,
    }
}

fn last_name(expr: &Expr) -> Option<&str> {
    match &expr.kind {
        ExprKind::Name(name) => Some(name),
        ExprKind::Attribute { attr, .. } => Some(&attr.text),
        _ => None,
    }
}
