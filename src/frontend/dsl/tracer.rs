//! The tracer: state of one evaluation, simple statements and assignment.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::builder::{Builder, TooLarge};
use super::dialects;
use super::dialects::ascriptor::control::LoopKind;
use super::dialects::ascriptor::launches::Case;
use super::emit::Arguments;
use super::facade;
use super::host::Results;
use super::modules::Unit;
use super::python::generators::Yielding;
use super::python::native::Site;
use super::value::{Frame, Function, Value, VectorExpr};
use crate::ir::{Launch, NoEffect, Note, NoteKind, OriginId, StmtKind, VariableKind};
use crate::isa::{Dialect, RepeatRounding};
use crate::syntax::python::ast::{self, ExprKind};
use crate::text::{SourceText, Span};

/// Evaluation steps of one kernel, or of the module.
const STEPS: u32 = 2_000_000;
/// Items that are copied or compared in a step.
const ITEMS_PER_STEP: usize = 4;

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
    /// It raises.
    Raise,
}

/// Evaluates one file.
pub(super) struct Tracer<'a> {
    pub source: &'a SourceText,
    pub file: &'a ast::File,
    /// The lines that do not parse, in order.
    pub broken_lines: Vec<Span>,
    pub repeat_rounding: RepeatRounding,
    /// The dialect of the kernel being traced.
    pub dialect: Dialect,
    pub frame: Frame<'a>,
    /// The kernel being traced; `None` at module level and in host code.
    pub kernel: Option<Builder>,
    pub kernels: Vec<Rc<Function<'a>>>,
    /// Definitions that were evaluated, by their whole text.
    pub defined: HashSet<Span>,
    pub launches: Vec<Launch>,
    /// What kernels are compiled for.
    pub bindings: Vec<Case>,
    /// What they have computed.
    pub results: Results,
    /// Why kernels for other devices are not analysed.
    pub obstacles: Vec<String>,
    /// Kernels with launches beyond those that are read.
    pub unread_launches: Vec<String>,
    pub notes: Vec<Note>,
    /// The file with those that it is evaluated with.
    pub unit: &'a Unit,
    /// Other files that have been evaluated, or are being, with their scopes.
    pub loaded: Vec<(&'a Path, Frame<'a>)>,
    /// Files that are being evaluated because another one imports them.
    pub nested_files: usize,
    /// Whether the function being evaluated is a kernel or `@func()`, whose `if` is rewritten for
    /// the device.
    pub rewritten: bool,
    /// Whether the tree of what is being evaluated is compiled.
    pub compiled: bool,
    /// Names that ended regions have bound, with the regions.
    pub gone: FxHashMap<String, Option<Span>>,
    /// Whether an atomic region is around what is being evaluated.
    pub is_in_atomic: bool,
    /// Loops around what is being evaluated, in compiled code.
    pub loop_kinds: Vec<LoopKind>,
    /// Names that something in the file binds, once they have been asked for; `None` where more
    /// may be bound than can be told.
    pub bound: OnceCell<Option<HashSet<String>>>,
    /// Where the kernel uses names that nobody knows.
    pub undefined: HashSet<Span>,
    /// Functions that kernels call, by their whole text.
    pub called: HashSet<Span>,
    /// Vector expressions that were bound to a name: `x = a + b`.
    pub pending: Vec<(Rc<VectorExpr<'a>>, String, Span)>,
    frames: Vec<Frame<'a>>,
    steps: u32,
    pub calls: u32,
    /// The functions being evaluated, with their scopes, outermost first.
    pub running: Vec<(Rc<Function<'a>>, Frame<'a>)>,
    /// What `yield` does, innermost last.
    pub yields: Vec<Yielding<'a>>,
    /// `try` statements around what is being evaluated.
    pub tries: u32,
    /// Blocks of the kernel around what is being evaluated that nobody knows to be executed.
    pub uncertain: u32,
    /// Whether a function that nobody calls is evaluated, for what it defines.
    pub is_looking: bool,
    /// What `auto()` gives to the next member of an enumeration.
    pub next_member: i128,
}

impl<'a> Tracer<'a> {
    pub fn new(unit: &'a Unit, file: &'a ast::File, repeat_rounding: RepeatRounding) -> Self {
        let source = &unit.source;
        let frame = Frame::new(None);
        Tracer {
            source,
            file,
            broken_lines: super::unknown::broken_lines(source, file),
            bound: OnceCell::new(),
            undefined: HashSet::new(),
            called: HashSet::new(),
            repeat_rounding,
            dialect: Dialect::default(),
            frames: vec![frame.clone()],
            frame,
            kernel: None,
            kernels: Vec::new(),
            defined: HashSet::new(),
            launches: Vec::new(),
            bindings: Vec::new(),
            results: Results::default(),
            obstacles: Vec::new(),
            unread_launches: Vec::new(),
            notes: Vec::new(),
            unit,
            loaded: Vec::new(),
            nested_files: 0,
            rewritten: false,
            compiled: false,
            gone: FxHashMap::default(),
            loop_kinds: Vec::new(),
            is_in_atomic: false,
            pending: Vec::new(),
            steps: 0,
            calls: 0,
            running: Vec::new(),
            yields: Vec::new(),
            tries: 0,
            uncertain: 0,
            is_looking: false,
            next_member: 1,
        }
    }

    /// Frees the scopes, which hold each other through closures.
    pub fn dispose(self) {
        self.frames.iter().for_each(Frame::clear);
    }

    /// Nothing is left open of what was traced, however it ended.
    pub fn after_trace(&mut self) {
        self.frame = self.own_module();
        self.nested_files = 0;
        self.rewritten = false;
        self.compiled = false;
        self.gone.clear();
        self.loop_kinds.clear();
        self.is_in_atomic = false;
        self.calls = 0;
        self.tries = 0;
        self.uncertain = 0;
        self.is_looking = false;
        self.running.clear();
        self.yields.clear();
    }

    pub fn refuel(&mut self) {
        self.steps = 0;
    }

    pub fn step(&mut self) -> Eval<()> {
        self.steps = self.steps.saturating_add(1);
        if self.steps > STEPS {
            return Err(Abort(format!("tracing takes more than {STEPS} steps")));
        }
        Ok(())
    }

    /// Accounts for work on so many items, of which several are as quick as one step.
    pub fn charge(&mut self, items: usize) -> Eval<()> {
        self.steps = self.steps.saturating_add((items / ITEMS_PER_STEP) as u32);
        match self.steps > STEPS {
            true => self.step(),
            false => Ok(()),
        }
    }

    pub fn new_frame(&mut self, parent: Frame<'a>) -> Frame<'a> {
        let frame = Frame::new(Some(parent));
        self.frames.push(frame.clone());
        frame
    }

    /// The scope of another file.
    pub fn new_root(&mut self) -> Frame<'a> {
        let frame = Frame::new(None);
        self.frames.push(frame.clone());
        frame
    }

    /// The scope of the file that is checked.
    pub fn own_module(&self) -> Frame<'a> {
        self.frames[0].clone()
    }

    pub fn new_frame_of_class(&mut self) -> Frame<'a> {
        let frame = Frame::of_class(self.frame.clone());
        self.frames.push(frame.clone());
        frame
    }

    /// The program under construction. Only called where a kernel is known to be traced.
    pub fn builder(&mut self) -> &mut Builder {
        self.kernel
            .as_mut()
            .expect("device code is traced inside a kernel")
    }

    /// Whether the kernel being traced is of a dialect that is compiled.
    pub fn is_compiled(&self) -> bool {
        self.in_kernel() && dialects::of(self.dialect).is_compiled
    }

    pub fn in_kernel(&self) -> bool {
        self.kernel.is_some()
    }

    pub fn emit(&mut self, kind: StmtKind) -> Eval<()> {
        Ok(self.builder().emit(kind)?)
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
            .or_else(|| facade::facade_name(self.frame.star()?, name))
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
        if self.broken_at(header_span(stmt)) && !matches!(stmt.kind, ast::StmtKind::Error(_)) {
            return self.broken_statement(stmt);
        }
        if self.compiled {
            self.refuse(stmt);
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
            ast::StmtKind::Class {
                name,
                decorators,
                bases,
                body,
                ..
            } => self.class(name, (decorators, bases), body)?,
            ast::StmtKind::Return(value) => {
                let value = match value {
                    Some(value) => self.eval(value)?,
                    None => Value::None,
                };
                return Ok(Flow::Return(value));
            }
            ast::StmtKind::Import(names) => self.import(names)?,
            ast::StmtKind::ImportFrom {
                module,
                names,
                star,
                ..
            } => {
                self.import_from(module, names, *star)?;
            }
            ast::StmtKind::Try { blocks, parts } => return self.try_blocks(blocks, parts),
            ast::StmtKind::Break if self.compiled => return self.compiled_exit(Flow::Break),
            ast::StmtKind::Continue if self.compiled => {
                return self.compiled_exit(Flow::Continue);
            }
            ast::StmtKind::Break => return Ok(Flow::Break),
            ast::StmtKind::Continue => return Ok(Flow::Continue),
            ast::StmtKind::Assert(test) => {
                let condition = self.eval(test)?;
                self.note_truth(test, &condition, "`assert`");
            }
            ast::StmtKind::Error(recovered) => {
                self.broken(stmt.span)?;
                return self.block(recovered);
            }
            ast::StmtKind::Global(names) => {
                for name in names {
                    self.frame.declare_foreign(&name.text);
                }
            }
            // What comes after it at the outermost level is looked at all the same.
            ast::StmtKind::Raise if self.calls > 0 || self.tries > 0 => return Ok(Flow::Raise),
            ast::StmtKind::Raise | ast::StmtKind::Delete(_) | ast::StmtKind::Pass => {}
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
        let carried = match targets {
            [target] if !self.compiled => self.carried_update(target, value),
            _ => None,
        };
        let made_before = self.made_so_far();
        let evaluated = self.eval(value)?;
        if let Some(update) = carried {
            self.note(targets[0].span.to(value.span), update);
        }
        if let (Value::Vector(vector), [target]) = (&evaluated, targets)
            && let ExprKind::Name(name) = &target.kind
        {
            self.pending_expression(vector.clone(), name, target.span.to(value.span));
        }
        for target in targets {
            if self.compiled {
                self.rebound_cell(target, made_before, &evaluated);
            }
            self.assign(target, evaluated.clone(), value.span)?;
        }
        Ok(())
    }

    /// `v = v + 1` where an enclosing device loop runs longer than the variable was made in: every
    /// trip computes from the same old value.
    fn carried_update(&mut self, target: &ast::Expr, value: &ast::Expr) -> Option<NoteKind> {
        let ExprKind::Name(name) = &target.kind else {
            return None;
        };
        let ExprKind::Binary { left, right, .. } = &value.kind else {
            return None;
        };
        let is_target = |side: &ast::Expr| matches!(&side.kind, ExprKind::Name(n) if n == name);
        let in_place = format!("{name} <<= {}", self.text(value.span));
        (is_target(left) || is_target(right))
            .then(|| self.lost_update(name, in_place))
            .flatten()
    }

    /// What is wrong with rebinding a variable's name to a new value of it.
    pub fn lost_update(&mut self, name: &str, in_place: String) -> Option<NoteKind> {
        let Value::Var(variable) = self.frame.get(name)? else {
            return None;
        };
        let builder = self.kernel.as_ref()?;
        let declared = builder.program.variable(variable);
        let device_loop = *builder.loops.last()?;
        let outside = *builder.declared_in.get(&variable)? < builder.loops.len();
        (declared.kind == VariableKind::Declared && outside).then(|| NoteKind::LostUpdate {
            name: name.to_owned(),
            device_loop,
            declared: declared.span,
            in_place,
        })
    }

    /// Notes a device value where Python asks for its truth while tracing.
    pub fn note_truth(&mut self, test: &ast::Expr, value: &Value<'a>, construct: &'static str) {
        if self.in_kernel() && !self.compiled && matches!(value, Value::Var(_)) {
            let comparison = matches!(test.kind, ExprKind::Compare { .. });
            let kind = NoteKind::TruthOfVar {
                construct,
                comparison,
            };
            self.note(test.span, kind);
        }
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
                self.charge(object.size())?;
                if object.is_unknown() {
                    self.hand_on(target, &value)?;
                }
                let given = Arguments::of([index.clone(), value.clone()], target.span);
                let site = Site::at(target.span);
                match self.call_method(&object, "__setitem__", given, site)? {
                    Some(_) => {}
                    None => self.assign_subscript(target, object, index, value),
                }
            }
            ExprKind::Attribute {
                value: object,
                attr,
            } => {
                let object = self.eval(object)?;
                if !self.set_attribute(&object, &attr.text, value.clone())? {
                    self.hand_on(target, &value)?;
                }
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
        let starred = targets
            .iter()
            .position(|t| matches!(t.kind, ExprKind::Starred(_)));
        let further = items
            .as_ref()
            .map_or(0, |items| (items.len() + 1).saturating_sub(targets.len()));
        for (at, target) in targets.iter().enumerate() {
            // What stands after `*rest` takes the last items.
            let place = match starred {
                Some(star) if at > star => at + further - 1.min(further),
                _ => at,
            };
            let item = match (&target.kind, &items) {
                (ExprKind::Starred(inner), Some(items)) => {
                    let rest = items.iter().skip(at).take(further).cloned().collect();
                    self.assign(inner, Value::list(rest), site)?;
                    continue;
                }
                (_, items) => items.as_ref().and_then(|items| items.get(place)).cloned(),
            };
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
}

/// The numbers of a Python range.
pub(super) fn static_range(start: i128, stop: i128, step: i128) -> impl Iterator<Item = i128> {
    let mut next = start;
    std::iter::from_fn(move || {
        let inside = (step > 0 && next < stop) || (step < 0 && next > stop);
        let current = inside.then_some(next)?;
        // Behind the last number that there is, nothing is inside.
        next = next.checked_add(step).unwrap_or(stop);
        Some(current)
    })
}

/// The part of a compound statement before its body, the whole of a simple one.
pub(super) fn header_span(stmt: &ast::Stmt) -> Span {
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
        ast::StmtKind::Function(def) => match def.params.last() {
            Some(last) => last.name.span,
            None => def.name.span,
        },
        ast::StmtKind::Class { name, .. } => name.span,
        ast::StmtKind::Try { .. } => Span {
            start: stmt.span.start,
            end: stmt.span.start + 1,
        },
        _ => return stmt.span,
    };
    Span {
        start: stmt.span.start,
        end: end.end,
    }
}
