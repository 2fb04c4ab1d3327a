//! Statements that the compiler rejects, and names that end with a region.

use super::super::super::branches::bound_in;
use super::super::super::emit::Arguments;
use super::super::super::facade::{self, Builtin, Namespace};
use super::super::super::statements::header_span;
use super::super::super::tracer::{Abort, Eval, Flow, Tracer};
use super::super::super::value::{Frame, Function, Value};
use super::control::LoopKind;
use a2lint_ir::{self as ir, PythonNote, VariableId, VariableKind};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind, StmtKind};

/// Error codes of the compiler for code that it does not accept.
const UNSUPPORTED: &str = "E0201";
const REBOUND: &str = "E0110";
const GONE: &str = "E0111";

/// The bindings of names before a region.
pub struct Before<'a> {
    names: Vec<(&'a str, Option<Value<'a>>)>,
    body: &'a [ast::Stmt],
}

impl<'a> Tracer<'a> {
    /// Notes a statement that is not part of the language.
    pub fn refuse(&mut self, stmt: &'a ast::Stmt) {
        let Some(what) = refused(stmt) else {
            return;
        };
        let span = header_span(self.source, stmt);
        let message = format!("{what} in compiled code");
        self.raise(span, UNSUPPORTED, message);
    }

    /// Records the bindings of the names that a region may bind.
    pub fn before_region(&self, body: &'a [ast::Stmt]) -> Before<'a> {
        let names = bound_in(body).into_iter();
        Before {
            names: names.map(|name| (name, self.frame.own(name))).collect(),
            body,
        }
    }

    /// Restores the bindings after a region: a name gets back what it was bound to before, or becomes unbound.
    pub fn after_region(&mut self, before: Before<'a>, header: Span) {
        for (name, old) in before.names {
            let new = self.frame.own(name);
            // The compiler scopes names to the region that binds them first; a later use is noted (`note_gone`).
            let Some(old) = old else {
                if new.is_some() {
                    self.frame.remove(name);
                    self.gone.insert(name.to_owned(), Some(header));
                }
                continue;
            };
            let is_same = new.as_ref().is_some_and(|new| new.is_alike(&old));
            let is_device = |value: &Value<'a>| {
                let Value::Var(id) = value else {
                    return matches!(value, Value::Local(_) | Value::Global(_));
                };
                let builder = self.kernel.as_ref();
                // A cell may be updated in the region; only its rebinding to something new is lost.
                builder.is_some_and(|it| it.program.variable(*id).kind != VariableKind::Declared)
            };
            // An expression in vectors that was moved from here is noted already: it should have been an instruction.
            let is_noted = matches!(&new, Some(Value::Vector(vector)) if vector.consumed.get());
            if !is_same && !is_noted && is_device(&old) {
                let message = format!("`{name}` is bound again inside of a region");
                let help =
                    format!("make it a cell before the region, `{name} = Var(…)`, and update that");
                let at = binding(before.body, name).unwrap_or(header);
                self.raise_with(at, REBOUND, message, Some(help));
            }
            self.frame.set(name, old);
        }
    }

    /// Makes the counter of a loop unknown after it; its name may be bound to something else.
    pub fn after_loop(&mut self, target: &'a ast::Expr) {
        if let ExprKind::Name(name) = &target.kind {
            self.frame.set(name, Value::Unknown);
        }
    }

    /// Notes the use of a name whose region has ended; returns whether there was such a region.
    pub fn note_gone(&mut self, name: &str, span: Span) -> bool {
        let Some(region) = self.gone.get_mut(name) else {
            return false;
        };
        // One note for each name: further uses have the same cause.
        let Some(region) = region.take() else {
            return true;
        };
        let line = self.source.line_index(region.start) + 1;
        let message = format!("`{name}` was bound in the region of line {line}, which has ended");
        self.raise(span, GONE, message);
        true
    }

    /// Notes `v = <device scalar>` for a cell `v`, which the compiler takes for a lost update.
    pub fn rebound_cell(&mut self, target: &ast::Expr, made_before: usize, new: &Value<'a>) {
        let (ExprKind::Name(name), Value::Var(value)) = (&target.kind, new) else {
            return;
        };
        let Some(Value::Var(cell)) = self.frame.own(name) else {
            return;
        };
        let Some(builder) = self.kernel.as_ref() else {
            return;
        };
        let declared = |id: VariableId| builder.program.variable(id).kind == VariableKind::Declared;
        let is_new_cell = declared(*value) && value.index() >= made_before;
        // Binding the name to a new cell is legal.
        if !declared(cell) || is_new_cell || cell == *value {
            return;
        }
        let kind = PythonNote::ReboundCell {
            name: name.clone(),
            declared: builder.program.variable(cell).span,
        };
        self.note(target.span, kind);
    }

    /// Returns whether a helper's syntax tree is compiled where it is called. A helper that receives numbers alone and
    /// names nothing of the facade is executed by Python.
    pub fn compiles_call(&self, function: &Function<'a>, arguments: &Arguments<'a>) -> bool {
        if function.rewritten || arguments.values().any(is_device) {
            return true;
        }
        let mut is_ours = false;
        ast::walk_exprs(&function.def.body, &mut |expr| {
            if let ExprKind::Name(name) = &expr.kind {
                is_ours |= is_compiled_name(&function.closure, name);
            }
        });
        is_ours
    }

    /// Notes a lambda that names something of the device.
    pub fn refuse_lambda(&mut self, params: &'a [ast::Param], body: &'a ast::Expr) {
        let mut found = None;
        ast::walk_expr(body, &mut |expr| {
            let ExprKind::Name(name) = &expr.kind else {
                return;
            };
            let is_parameter = params.iter().any(|param| param.name.text == *name);
            if !is_parameter && is_compiled_name(&self.frame, name) {
                found.get_or_insert((name, expr.span));
            }
        });
        if let Some((name, span)) = found {
            let message = format!("a lambda cannot name `{name}`, which is of the device");
            self.raise(span, UNSUPPORTED, message);
        }
    }

    /// Notes a device value in an f-string.
    pub fn refuse_formatted(&mut self, value: &Value<'a>, span: Span) {
        if self.compiled && is_device(value) {
            let message = "an f-string cannot hold what the device computes";
            self.raise(span, UNSUPPORTED, message);
        }
    }

    /// Returns whether a statement that leaves a device loop must be the last one of its block that is compiled. The
    /// body of a `with` is a separate block.
    pub fn ends_device_block(&self, stmt: &ast::Stmt) -> bool {
        let is_exit = matches!(
            stmt.kind,
            StmtKind::Break | StmtKind::Continue | StmtKind::If { .. }
        );
        let is_device = matches!(self.loop_kinds.last(), Some(LoopKind::Device));
        self.compiled && is_exit && is_device
    }

    /// Notes the first statement after a device `break` or `continue` that would be compiled.
    pub fn refuse_rest(&mut self, exit: &Flow<'a>, rest: &'a [ast::Stmt]) -> Eval<()> {
        for stmt in rest {
            let state = self.state();
            // Emitted into a block that is thrown away: the statements are never executed.
            self.builder().open_block();
            let flow = self.statement(stmt);
            let emitted = self.builder().close_block();
            let flow = match flow {
                Err(Abort::Raised) => {
                    self.restore(state);
                    Flow::Raise
                }
                flow => flow?,
            };
            // Statements that Python executes at trace time are allowed.
            if emitted.iter().any(|stmt| is_compiled(&stmt.kind)) {
                let exit = match exit {
                    Flow::Continue => "continue",
                    _ => "break",
                };
                let message = format!("the compiler refuses code after `{exit}` in the same block");
                let help = format!("remove it, or move it before the `{exit}`");
                self.raise_with(
                    header_span(self.source, stmt),
                    "ValueError",
                    message,
                    Some(help),
                );
                break;
            }
            if !matches!(flow, Flow::Normal) {
                break;
            }
        }
        Ok(())
    }

    /// Returns the number of variables of the program so far.
    pub fn made_so_far(&self) -> usize {
        let builder = self.kernel.as_ref();
        builder.map_or(0, |builder| builder.program.variables.len())
    }

    /// Notes a `return` that is not the last statement of a kernel or helper.
    pub fn early_return(&mut self, span: Span) {
        let message = "`return` is the last statement of a kernel or helper";
        self.raise(span, "E0130", message);
    }

    /// Evaluates `static_assert(condition, message)`.
    pub fn static_assert(&mut self, arguments: &Arguments<'a>, span: Span) -> Eval<()> {
        // A condition that is unknown may hold.
        if arguments.at(0).and_then(Value::truth) == Some(false) {
            let message = match arguments.at(1).or(arguments.keyword("msg")) {
                Some(Value::Str(text)) => format!("this static assertion does not hold: {text}"),
                _ => "this static assertion does not hold".to_owned(),
            };
            self.raise(span, "E0501", message);
        }
        Ok(())
    }
}

/// Returns whether a statement certainly comes from compiled code. Code that is not followed may be Python's.
fn is_compiled(kind: &ir::StmtKind) -> bool {
    matches!(
        kind,
        ir::StmtKind::Instr(_)
            | ir::StmtKind::Assign { .. }
            | ir::StmtKind::Loop { .. }
            | ir::StmtKind::If { .. }
            | ir::StmtKind::Break
            | ir::StmtKind::Continue
    )
}

/// Returns whether a value is a device object.
fn is_device(value: &Value) -> bool {
    matches!(
        value,
        Value::Var(_)
            | Value::Local(_)
            | Value::Global(_)
            | Value::GlobalRing(_)
            | Value::Ring(_)
            | Value::Event(_)
            | Value::Mutex(_)
    )
}

/// Returns whether a name, looked up in a scope, makes the code that uses it compiled code.
fn is_compiled_name(frame: &Frame, name: &str) -> bool {
    let value = frame.get(name);
    let value = value.or_else(|| facade::facade_name(frame.star()?, name));
    match value {
        Some(Value::Builtin(Builtin::Native(_))) => false,
        // These functions also compute with Python numbers, so they alone do not make code the compiler's.
        Some(Value::Builtin(
            Builtin::ScalarBinary(_) | Builtin::Align(_) | Builtin::Rounded(_),
        )) => false,
        Some(Value::Builtin(_)) => true,
        Some(Value::Namespace(Namespace::Facade(_))) => true,
        Some(value) => is_device(&value),
        None => false,
    }
}

/// Returns where a body binds a name first.
fn binding(body: &[ast::Stmt], name: &str) -> Option<Span> {
    body.iter().find_map(|stmt| {
        let is_name = |expr: &ast::Expr| matches!(&expr.kind, ExprKind::Name(it) if it == name);
        match &stmt.kind {
            StmtKind::Assign { targets, .. } if targets.iter().any(is_name) => Some(stmt.span),
            StmtKind::AugAssign { target, .. } | StmtKind::AnnAssign { target, .. }
                if is_name(target) =>
            {
                Some(stmt.span)
            }
            StmtKind::For { body, .. } | StmtKind::With { body, .. } => binding(body, name),
            StmtKind::If { arms, orelse } => arms
                .iter()
                .find_map(|(_, body)| binding(body, name))
                .or_else(|| binding(orelse, name)),
            _ => None,
        }
    })
}

/// Returns a description of a statement that the compiler rejects; `None` if it accepts the statement.
fn refused(stmt: &ast::Stmt) -> Option<&'static str> {
    Some(match &stmt.kind {
        StmtKind::While { .. } => "`while` has no meaning",
        StmtKind::Try { .. } => "`try` has no meaning",
        StmtKind::Raise(_) => "`raise` has no meaning",
        StmtKind::Function(_) => "a function cannot be defined",
        StmtKind::Class { .. } => "a class cannot be defined",
        StmtKind::Import(_) | StmtKind::ImportFrom { .. } => "nothing can be imported",
        StmtKind::Global(_) => "names cannot be declared global",
        StmtKind::Delete(_) => "`del` has no meaning",
        StmtKind::For { orelse, .. } if !orelse.is_empty() => "`for` has no `else`",
        StmtKind::With { items, .. } if items.len() > 1 => "`with` takes one context",
        StmtKind::With { items, .. } if items.iter().any(|(_, name)| name.is_some()) => {
            "`with` binds no name"
        }
        StmtKind::Assign { targets, .. } if targets.len() > 1 => "assignments cannot be chained",
        StmtKind::Assign { targets, .. }
            if matches!(targets[0].kind, ExprKind::Subscript { .. }) =>
        {
            "a subscript cannot be assigned to"
        }
        _ => return None,
    })
}
