//! Statements: the tracer walks Python's control flow and emits device control flow.

use std::collections::HashSet;
use std::rc::Rc;

use super::builder::{Builder, TooLarge};
use super::facade::{self, Facade, Namespace};
use super::value::{Context, Frame, Function, Role, Value, VectorExpr};
use crate::ir::{Branch, Launch, NoEffect, Note, NoteKind, OriginId, Stmt, StmtKind, VariableKind};
use crate::isa::DType;
use crate::syntax::python::ast::{self, ExprKind};
use crate::text::{SourceText, Span};

/// Evaluation steps of one kernel, or of the module.
const STEPS: u32 = 2_000_000;
/// Depth of helper calls.
const MAX_CALLS: u32 = 40;

/// Tracing cannot go on.
pub(super) struct Abort(pub String);

pub(super) type Eval<T> = Result<T, Abort>;

impl From<TooLarge> for Abort {
    fn from(_: TooLarge) -> Abort {
        Abort("the traced program is too large".into())
    }
}

/// How a statement ended.
pub(super) enum Flow<'a> {
    Normal,
    Break,
    Continue,
    Return(Value<'a>),
}

/// Evaluates one file.
pub(super) struct Tracer<'a> {
    pub source: &'a SourceText,
    pub frame: Frame<'a>,
    /// The kernel being traced; `None` at module level and in host code.
    pub kernel: Option<Builder>,
    pub kernels: Vec<Rc<Function<'a>>>,
    pub launches: Vec<Launch>,
    pub notes: Vec<Note>,
    /// Whether `from <A2 facade> import *` was seen.
    pub star: bool,
    /// Vector expressions that were bound to a name: `x = a + b`.
    pub pending: Vec<(Rc<VectorExpr<'a>>, String, Span)>,
    frames: Vec<Frame<'a>>,
    steps: u32,
    calls: u32,
}

impl<'a> Tracer<'a> {
    pub fn new(source: &'a SourceText) -> Self {
        let frame = Frame::new(None);
        Tracer {
            source,
            frames: vec![frame.clone()],
            frame,
            kernel: None,
            kernels: Vec::new(),
            launches: Vec::new(),
            notes: Vec::new(),
            star: false,
            pending: Vec::new(),
            steps: 0,
            calls: 0,
        }
    }

    /// Frees the scopes, which hold each other through closures.
    pub fn dispose(self) {
        self.frames.iter().for_each(Frame::clear);
    }

    pub fn refuel(&mut self) {
        self.steps = 0;
    }

    pub fn step(&mut self) -> Eval<()> {
        self.steps += 1;
        if self.steps > STEPS {
            return Err(Abort(format!("tracing takes more than {STEPS} steps")));
        }
        Ok(())
    }

    pub fn new_frame(&mut self, parent: Frame<'a>) -> Frame<'a> {
        let frame = Frame::new(Some(parent));
        self.frames.push(frame.clone());
        frame
    }

    /// The program under construction. Only called where a kernel is known to be traced.
    pub fn builder(&mut self) -> &mut Builder {
        self.kernel
            .as_mut()
            .expect("device code is traced inside a kernel")
    }

    pub fn in_kernel(&self) -> bool {
        self.kernel.is_some()
    }

    pub fn emit(&mut self, kind: StmtKind) -> Eval<()> {
        Ok(self.builder().emit(kind)?)
    }

    /// Unknown code ran that may have touched anything.
    pub fn opaque(&mut self) -> Eval<()> {
        match self.in_kernel() {
            true => self.emit(StmtKind::Opaque),
            false => Ok(()),
        }
    }

    pub fn note(&mut self, span: Span, kind: NoteKind) {
        match &mut self.kernel {
            Some(builder) => builder.note(span, kind),
            None => self.notes.push(Note {
                span,
                origin: OriginId(0),
                kind,
            }),
        }
    }

    /// A statement that raises while tracing; only kernels are held to that.
    pub fn raise(&mut self, span: Span, exception: &'static str, message: impl Into<String>) {
        self.raise_with(span, exception, message, None);
    }

    pub fn raise_with(
        &mut self,
        span: Span,
        exception: &'static str,
        message: impl Into<String>,
        help: Option<String>,
    ) {
        if self.in_kernel() {
            let message = message.into();
            self.note(
                span,
                NoteKind::TraceError {
                    exception,
                    message,
                    help,
                },
            );
        }
    }

    pub fn text(&self, span: Span) -> String {
        self.source
            .slice(span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    pub fn lookup(&self, name: &str) -> Option<Value<'a>> {
        self.frame
            .get(name)
            .or_else(|| {
                if self.star {
                    facade::facade_name(name)
                } else {
                    None
                }
            })
            .or_else(|| facade::python_name(name))
    }

    pub fn block(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        for stmt in body {
            match self.statement(stmt)? {
                Flow::Normal => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::Normal)
    }

    fn statement(&mut self, stmt: &'a ast::Stmt) -> Eval<Flow<'a>> {
        self.step()?;
        if let Some(builder) = &mut self.kernel {
            builder.statement = header_span(stmt);
        }
        match &stmt.kind {
            ast::StmtKind::Expr(expr) => self.expression_statement(expr)?,
            ast::StmtKind::Assign { targets, value } => self.assignment(targets, value)?,
            ast::StmtKind::AnnAssign { target, value, .. } => {
                if let Some(value) = value {
                    self.assignment(std::slice::from_ref(target), value)?;
                }
            }
            ast::StmtKind::AugAssign {
                target,
                op,
                op_span,
                value,
            } => {
                self.augmented(target, *op, *op_span, value)?;
            }
            ast::StmtKind::For {
                target,
                iter,
                body,
                orelse,
            } => {
                return self.for_loop(target, iter, body, orelse);
            }
            ast::StmtKind::While { test, body, orelse } => {
                return self.while_loop(test, body, orelse);
            }
            ast::StmtKind::If { arms, orelse } => return self.branch(arms, orelse),
            ast::StmtKind::With { items, body } => return self.with(items, body),
            ast::StmtKind::Function(def) => self.define(def)?,
            ast::StmtKind::Class { name, .. } => self.frame.set(&name.text, Value::Unknown),
            ast::StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            ast::StmtKind::Import(names) => self.import(names),
            ast::StmtKind::ImportFrom {
                module,
                names,
                star,
                ..
            } => {
                self.import_from(module, names, *star);
            }
            ast::StmtKind::Try(blocks) => return self.try_blocks(blocks),
            ast::StmtKind::Break => return Ok(Flow::Break),
            ast::StmtKind::Continue => return Ok(Flow::Continue),
            ast::StmtKind::Assert(test) => {
                self.eval(test)?;
            }
            ast::StmtKind::Error(recovered) => {
                self.opaque()?;
                return self.block(recovered);
            }
            ast::StmtKind::Raise
            | ast::StmtKind::Delete(_)
            | ast::StmtKind::Global(_)
            | ast::StmtKind::Pass => {}
        }
        Ok(Flow::Normal)
    }

    fn expression_statement(&mut self, expr: &'a ast::Expr) -> Eval<()> {
        let value = self.eval(expr)?;
        if let Value::Vector(vector) = value
            && !vector.consumed.get()
        {
            self.note(expr.span, NoteKind::NoEffect(NoEffect::UnusedExpression));
        }
        Ok(())
    }

    fn assignment(&mut self, targets: &'a [ast::Expr], value: &'a ast::Expr) -> Eval<()> {
        let evaluated = self.eval(value)?;
        if let (Value::Vector(vector), [target]) = (&evaluated, targets)
            && let ExprKind::Name(name) = &target.kind
        {
            self.pending_expression(vector.clone(), name, target.span.to(value.span));
        }
        for target in targets {
            self.assign(target, evaluated.clone(), value.span)?;
        }
        Ok(())
    }

    /// Binds a target to a value.
    pub fn assign(&mut self, target: &'a ast::Expr, value: Value<'a>, site: Span) -> Eval<()> {
        match &target.kind {
            ExprKind::Name(name) => {
                self.name_object(name, &value);
                self.frame.set(name, value);
            }
            ExprKind::Tuple(items) | ExprKind::List(items) => {
                self.unpack(items, value, site)?;
            }
            ExprKind::Starred(inner) => self.assign(inner, Value::Unknown, site)?,
            ExprKind::Subscript {
                value: object,
                index,
            } => {
                let object = self.eval(object)?;
                let index = self.eval(index)?;
                self.assign_subscript(target, object, index, value);
            }
            ExprKind::Attribute { value: object, .. } => {
                self.eval(object)?;
            }
            _ => {}
        }
        Ok(())
    }

    fn unpack(&mut self, targets: &'a [ast::Expr], value: Value<'a>, site: Span) -> Eval<()> {
        let items = self.static_items(&value)?;
        if let Some(items) = &items
            && items.len() != targets.len()
            && !targets
                .iter()
                .any(|t| matches!(t.kind, ExprKind::Starred(_)))
        {
            let (have, want) = (items.len(), targets.len());
            self.raise(
                site,
                "ValueError",
                format!("{have} values for {want} names"),
            );
        }
        for (at, target) in targets.iter().enumerate() {
            let item = items.as_ref().and_then(|items| items.get(at)).cloned();
            self.assign(target, item.unwrap_or(Value::Unknown), site)?;
        }
        Ok(())
    }

    fn assign_subscript(
        &mut self,
        target: &'a ast::Expr,
        object: Value<'a>,
        index: Value<'a>,
        value: Value<'a>,
    ) {
        match object {
            Value::List(items) => {
                let mut items = items.borrow_mut();
                let len = items.len() as i128;
                let at = index.as_int().map(|at| if at < 0 { at + len } else { at });
                match at.and_then(|at| items.get_mut(usize::try_from(at).ok()?)) {
                    Some(item) => *item = value,
                    None => items.iter_mut().for_each(|item| *item = Value::Unknown),
                }
            }
            Value::Dict(items) => {
                let mut items = items.borrow_mut();
                let found = items
                    .iter()
                    .position(|(key, _)| key.equals(&index) == Some(true));
                match found {
                    Some(at) => items[at].1 = value,
                    None => items.push((index, value)),
                }
            }
            Value::Local(_) | Value::Ring(_) | Value::Global(_) if self.in_kernel() => {
                let target = self.text(target.span);
                let span = self.builder().statement;
                self.note(
                    span,
                    NoteKind::NoEffect(NoEffect::SubscriptAssignment { target }),
                );
            }
            _ => {}
        }
    }

    fn for_loop(
        &mut self,
        target: &'a ast::Expr,
        iter: &'a ast::Expr,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let iterable = self.eval(iter)?;
        if let Value::DeviceRange(bounds) = &iterable {
            match self.in_kernel() {
                true => return self.device_loop(target, bounds, iter.span, body),
                false => return self.host_range(target, bounds, body),
            }
        }
        let Some(items) = self.static_items(&iterable)? else {
            return self.unknown_loop(target, body);
        };
        for item in items {
            self.step()?;
            self.assign(target, item, iter.span)?;
            match self.block(body)? {
                Flow::Normal | Flow::Continue => {}
                Flow::Break => return Ok(Flow::Normal),
                Flow::Return(value) => return Ok(Flow::Return(value)),
            }
        }
        self.block(orelse)
    }

    fn device_loop(
        &mut self,
        target: &'a ast::Expr,
        bounds: &[Value<'a>; 3],
        site: Span,
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let builder = self.builder();
        let span = builder.statement;
        let [start, stop, step] = [0, 1, 2].map(|at: usize| builder.scalar(&bounds[at]));
        let name = match &target.kind {
            ExprKind::Name(name) => name.as_str(),
            _ => "",
        };
        let variable = builder.variable(VariableKind::Loop, name, Some(DType::Int), target.span);
        builder.open_block();
        builder.device_depth += 1;
        self.assign(target, Value::Var(variable), site)?;
        let flow = self.block(body)?;
        let builder = self.builder();
        builder.device_depth -= 1;
        let body = builder.close_block();
        builder.statement = span;
        self.emit(StmtKind::Loop {
            variable,
            start,
            stop,
            step,
            body,
        })?;
        Ok(after_device_block(flow))
    }

    /// A facade's `range` outside kernels: host code means Python's.
    fn host_range(
        &mut self,
        target: &'a ast::Expr,
        bounds: &[Value<'a>; 3],
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let [Some(start), Some(stop), Some(step)] = [0, 1, 2].map(|at: usize| bounds[at].as_int())
        else {
            return self.unknown_loop(target, body);
        };
        for number in static_range(start, stop, step) {
            self.step()?;
            self.assign(target, Value::Int(number), target.span)?;
            match self.block(body)? {
                Flow::Normal | Flow::Continue => {}
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
            }
        }
        Ok(Flow::Normal)
    }

    /// A Python loop whose iterable or condition is not known: its body is traced once.
    fn unknown_loop(&mut self, target: &'a ast::Expr, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        self.assign(target, Value::Unknown, target.span)?;
        self.traced_once(body)
    }

    fn traced_once(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        if !self.in_kernel() {
            let flow = self.block(body)?;
            return Ok(after_device_block(flow));
        }
        let span = self.builder().statement;
        self.builder().open_block();
        self.builder().device_depth += 1;
        let flow = self.block(body)?;
        self.builder().device_depth -= 1;
        let body = self.builder().close_block();
        self.builder().statement = span;
        self.emit(StmtKind::UnknownLoop { body })?;
        Ok(after_device_block(flow))
    }

    fn while_loop(
        &mut self,
        test: &'a ast::Expr,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        loop {
            self.step()?;
            match self.eval(test)?.truth() {
                None => return self.traced_once(body),
                Some(false) => return self.block(orelse),
                Some(true) => match self.block(body)? {
                    Flow::Normal | Flow::Continue => {}
                    Flow::Break => return Ok(Flow::Normal),
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                },
            }
        }
    }

    fn branch(
        &mut self,
        arms: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let Some(((test, body), rest)) = arms.split_first() else {
            return self.block(orelse);
        };
        let condition = self.eval(test)?;
        if let Some(taken) = condition.truth() {
            if self.in_kernel() && matches!(condition, Value::Bool(_) | Value::Int(_)) {
                self.note(test.span, NoteKind::StaticIf);
            }
            return match taken {
                true => self.block(body),
                false => self.branch(rest, orelse),
            };
        }
        if !self.in_kernel() {
            return self.both_ways(body, rest, orelse);
        }
        self.device_branch(condition, test.span, body, rest, orelse)
    }

    /// Host code whose condition is not known: what either way binds may hold.
    fn both_ways(
        &mut self,
        body: &'a [ast::Stmt],
        rest: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        self.block(body)?;
        self.branch(rest, orelse)?;
        Ok(Flow::Normal)
    }

    fn device_branch(
        &mut self,
        condition: Value<'a>,
        condition_span: Span,
        body: &'a [ast::Stmt],
        rest: &'a [(ast::Expr, Vec<ast::Stmt>)],
        orelse: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let span = self.builder().statement;
        let condition = self.builder().scalar(&condition);
        let body = self.nested(|tracer| tracer.block(body))?;
        let otherwise = self.nested(|tracer| tracer.branch(rest, orelse))?;
        self.builder().statement = span;
        let first = Branch {
            condition,
            condition_span,
            body,
        };
        let (arms, otherwise) = flatten(first, otherwise);
        self.emit(StmtKind::If { arms, otherwise })?;
        Ok(Flow::Normal)
    }

    /// Traces into a block of its own.
    fn nested(&mut self, trace: impl FnOnce(&mut Self) -> Eval<Flow<'a>>) -> Eval<Vec<Stmt>> {
        self.builder().open_block();
        self.builder().device_depth += 1;
        trace(self)?;
        self.builder().device_depth -= 1;
        Ok(self.builder().close_block())
    }

    fn try_blocks(&mut self, blocks: &'a [Vec<ast::Stmt>]) -> Eval<Flow<'a>> {
        match blocks.first() {
            Some(body) => self.block(body),
            None => Ok(Flow::Normal),
        }
    }

    fn with(
        &mut self,
        items: &'a [(ast::Expr, Option<ast::Expr>)],
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let Some(((expr, target), rest)) = items.split_first() else {
            return self.block(body);
        };
        let value = self.eval(expr)?;
        if let Some(target) = target {
            self.assign(target, Value::Unknown, expr.span)?;
        }
        match (&value, self.in_kernel()) {
            (Value::Context(context), true) => {
                let context = context.clone();
                self.with_context(&context, rest, body)
            }
            _ => self.with(rest, body),
        }
    }

    fn with_context(
        &mut self,
        context: &Context<'a>,
        rest: &'a [(ast::Expr, Option<ast::Expr>)],
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let span = self.builder().statement;
        if let Context::If(..) | Context::Elif(..) | Context::Else = context {
            let reopened = match context {
                Context::If(..) => None,
                _ => self.builder().reopen_branch(),
            };
            let body = self.nested(|tracer| tracer.with(rest, body))?;
            self.builder().statement = span;
            return self.branch_context(context, reopened, body);
        }
        self.builder().open_block();
        let flow = self.with(rest, body)?;
        let body = self.builder().close_block();
        self.builder().statement = span;
        let kind = match context {
            Context::Scope(side) => StmtKind::Scope { side: *side, body },
            Context::Atomic(kind) => StmtKind::Atomic { kind: *kind, body },
            Context::AutoSync(mode) => StmtKind::AutoSync {
                mode: mode.clone(),
                body,
            },
            Context::If(..) | Context::Elif(..) | Context::Else => unreachable!("handled above"),
        };
        self.emit(kind)?;
        Ok(flow)
    }

    fn branch_context(
        &mut self,
        context: &Context<'a>,
        reopened: Option<(Stmt, Vec<Stmt>)>,
        body: Vec<Stmt>,
    ) -> Eval<Flow<'a>> {
        if let Context::If(condition, condition_span) = context {
            let condition = self.builder().scalar(condition);
            let arm = Branch {
                condition,
                condition_span: *condition_span,
                body,
            };
            self.emit(StmtKind::If {
                arms: vec![arm],
                otherwise: Vec::new(),
            })?;
            return Ok(Flow::Normal);
        }
        let Some((mut stmt, behind)) = reopened else {
            let span = self.builder().statement;
            self.raise(span, "RuntimeError", "Elif and Else must follow If or Elif");
            return Ok(Flow::Normal);
        };
        let condition = match context {
            Context::Elif(condition, span) => Some((self.builder().scalar(condition), *span)),
            _ => None,
        };
        if let StmtKind::If { arms, otherwise } = &mut stmt.kind {
            match condition {
                Some((condition, condition_span)) => {
                    arms.push(Branch {
                        condition,
                        condition_span,
                        body,
                    });
                }
                None => *otherwise = body,
            }
        }
        self.builder().extend(behind);
        self.builder().extend([stmt]);
        Ok(Flow::Normal)
    }

    fn define(&mut self, def: &'a ast::FunctionDef) -> Eval<()> {
        let mut role = Role::Helper;
        let mut auto_sync = false;
        for decorator in &def.decorators {
            match self.decorator(decorator)? {
                Decorator::Kernel => role = Role::Kernel,
                Decorator::Func => {}
                Decorator::AutoSync => auto_sync = true,
                Decorator::Other if role == Role::Helper => role = Role::Opaque,
                Decorator::Other => {}
            }
        }
        let closure = self.frame.clone();
        let function = Rc::new(Function {
            def,
            closure,
            role,
            auto_sync,
        });
        if role == Role::Kernel {
            self.kernels.push(function.clone());
        }
        self.frame.set(&def.name.text, Value::Function(function));
        Ok(())
    }

    fn decorator(&mut self, decorator: &'a ast::Expr) -> Eval<Decorator> {
        let callee = match &decorator.kind {
            ExprKind::Call { func, .. } => func,
            _ => decorator,
        };
        Ok(match self.eval(callee)? {
            Value::Builtin(facade::Builtin::KernelDecorator) => Decorator::Kernel,
            Value::Builtin(facade::Builtin::FuncDecorator) => Decorator::Func,
            Value::Builtin(facade::Builtin::AutoSync) => Decorator::AutoSync,
            _ => Decorator::Other,
        })
    }

    fn import(&mut self, names: &'a [ast::ImportName]) {
        for import in names {
            let value = match (import.name.as_str(), Facade::from_module(&import.name)) {
                ("easyasc", _) => Value::Namespace(Namespace::Package),
                (_, Some(Facade::A2)) if import.alias.is_some() => {
                    Value::Namespace(Namespace::Facade)
                }
                (_, Some(Facade::A2)) => Value::Namespace(Namespace::Package),
                ("torch", _) => Value::Namespace(Namespace::Torch),
                ("math", _) => Value::Namespace(Namespace::Math),
                _ => Value::Foreign,
            };
            let root = import.name.split('.').next().unwrap_or_default();
            let name = import
                .alias
                .as_ref()
                .map_or(root, |alias| alias.text.as_str());
            self.frame.set(name, value);
        }
    }

    fn import_from(&mut self, module: &str, names: &'a [ast::ImportName], star: bool) {
        let namespace = match (module, Facade::from_module(module)) {
            ("easyasc", _) => Some(Namespace::Package),
            (_, Some(Facade::A2)) => Some(Namespace::Facade),
            ("torch", _) => Some(Namespace::Torch),
            ("math", _) => Some(Namespace::Math),
            _ => None,
        };
        let is_facade = matches!(namespace, Some(Namespace::Facade | Namespace::Package));
        self.star |= star && is_facade;
        for import in names {
            let value = namespace
                .and_then(|namespace| facade::attribute(namespace, &import.name))
                .unwrap_or(Value::Foreign);
            let name = import
                .alias
                .as_ref()
                .map_or(import.name.as_str(), |alias| &alias.text);
            self.frame.set(name, value);
        }
    }

    /// The body of a function under `@auto_sync()`.
    pub fn auto_synchronised(&mut self, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        self.with_context(&Context::AutoSync(None), &[], body)
    }

    /// Calls a function of the file with bound arguments.
    pub fn inline(
        &mut self,
        function: &Rc<Function<'a>>,
        args: Vec<(Value<'a>, Span)>,
        keywords: Vec<(String, Value<'a>, Span)>,
        call: Span,
    ) -> Eval<Value<'a>> {
        if self.calls >= MAX_CALLS {
            return Err(Abort("helper calls nest too deeply".into()));
        }
        self.calls += 1;
        let frame = self.new_frame(function.closure.clone());
        let caller = std::mem::replace(&mut self.frame, frame);
        let statement = self.kernel.as_ref().map(|builder| builder.statement);
        let origin = self.kernel.as_mut().map(|builder| builder.enter_call(call));
        self.bind_parameters(function.def, args, keywords, call)?;
        let flow = match function.auto_sync && self.in_kernel() {
            true => self.auto_synchronised(&function.def.body)?,
            false => self.block(&function.def.body)?,
        };
        if let (Some(builder), Some(origin), Some(statement)) =
            (&mut self.kernel, origin, statement)
        {
            builder.leave_call(origin);
            builder.statement = statement;
        }
        self.frame = caller;
        self.calls -= 1;
        Ok(match flow {
            Flow::Return(value) => value,
            _ => Value::None,
        })
    }

    fn bind_parameters(
        &mut self,
        def: &'a ast::FunctionDef,
        args: Vec<(Value<'a>, Span)>,
        keywords: Vec<(String, Value<'a>, Span)>,
        call: Span,
    ) -> Eval<()> {
        let mut args = args.into_iter();
        let mut bound = HashSet::new();
        for param in &def.params {
            match param.kind {
                ast::ParamKind::Normal => {
                    if let Some((value, _)) = args.next() {
                        self.frame.set(&param.name.text, value);
                        bound.insert(param.name.text.as_str());
                    }
                }
                ast::ParamKind::Args => {
                    let rest = args.by_ref().map(|(value, _)| value).collect();
                    self.frame.set(&param.name.text, Value::tuple(rest));
                    bound.insert(param.name.text.as_str());
                }
                ast::ParamKind::KeywordOnly => {}
                ast::ParamKind::Kwargs => self.frame.set(&param.name.text, Value::Unknown),
            }
        }
        if args.next().is_some() {
            let name = &def.name.text;
            self.raise(
                call,
                "TypeError",
                format!("{name}() takes fewer positional arguments"),
            );
        }
        for (name, value, _) in &keywords {
            self.frame.set(name, value.clone());
            bound.insert(name.as_str());
        }
        for param in &def.params {
            if bound.contains(param.name.text.as_str()) || param.kind == ast::ParamKind::Kwargs {
                continue;
            }
            let value = match &param.default {
                Some(default) => self.eval(default)?,
                None => {
                    let (function, missing) = (&def.name.text, &param.name.text);
                    let message =
                        format!("{function}() is called without its argument `{missing}`");
                    self.raise(call, "TypeError", message);
                    Value::Unknown
                }
            };
            self.frame.set(&param.name.text, value);
        }
        Ok(())
    }
}

/// What a decorator is.
enum Decorator {
    Kernel,
    Func,
    AutoSync,
    Other,
}

/// `break`, `continue` and `return` inside device blocks end tracing of that block alone.
fn after_device_block(flow: Flow) -> Flow {
    match flow {
        Flow::Return(value) => Flow::Return(value),
        _ => Flow::Normal,
    }
}

/// Turns `else: if …` chains into arms of one branch.
fn flatten(first: Branch, mut otherwise: Vec<Stmt>) -> (Vec<Branch>, Vec<Stmt>) {
    let mut arms = vec![first];
    if otherwise.len() == 1
        && matches!(otherwise[0].kind, StmtKind::If { .. })
        && let Some(StmtKind::If {
            arms: more,
            otherwise: rest,
        }) = otherwise.pop().map(|stmt| stmt.kind)
    {
        arms.extend(more);
        return (arms, rest);
    }
    (arms, otherwise)
}

/// The numbers of a Python range.
pub(super) fn static_range(start: i128, stop: i128, step: i128) -> impl Iterator<Item = i128> {
    let mut next = start;
    std::iter::from_fn(move || {
        let inside = (step > 0 && next < stop) || (step < 0 && next > stop);
        let current = inside.then_some(next)?;
        next += step;
        Some(current)
    })
}

/// The part of a compound statement before its body, the whole of a simple one.
fn header_span(stmt: &ast::Stmt) -> Span {
    let end = match &stmt.kind {
        ast::StmtKind::For { iter, .. } => iter.span,
        ast::StmtKind::While { test, .. } => test.span,
        ast::StmtKind::If { arms, .. } => match arms.first() {
            Some((test, _)) => test.span,
            None => stmt.span,
        },
        ast::StmtKind::With { items, .. } => match items.last() {
            Some((expr, _)) => expr.span,
            None => stmt.span,
        },
        _ => return stmt.span,
    };
    Span {
        start: stmt.span.start,
        end: end.end,
    }
}
