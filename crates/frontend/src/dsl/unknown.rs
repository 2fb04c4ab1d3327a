//! Code that cannot be followed, and how far its effects reach.
//!
//! Whatever was given to such code holds anything from there on; nothing else changes. So does what
//! an expression of unknown value may stand for: `buffers[i]` with an unknown `i` is one of them.

use std::rc::Rc;

use super::statements::header_span;
use super::tracer::{Eval, Flow, Tracer};
use super::value::{Context, Frame, Function, Value};
use a2lint_ir::{StmtKind, VariableId, VariableKind, View};
use a2lint_source::text::{Slice, SourceText, Span};
use a2lint_syntax::python::ast::{self, ErrorReason, ExprKind, StmtKind as Python};

/// Most values that are looked at for the objects they hold: lists may hold themselves.
const MAX_REACHED: u32 = 1000;
/// Attributes whose values are numbers and types.
const PLAIN_ATTRIBUTES: &[&str] = &[
    "shape", "span", "dtype", "position", "name", "size", "offset",
];

/// Whether code that is not known may emit instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Emission {
    /// Where it has a tensor, an event or a mutex to do so with.
    Given,
    /// In any case: what is written there is an instruction, for all anybody knows.
    Certain,
    /// It only hands on what it has.
    None,
}

/// Objects of the kernel.
#[derive(Default)]
struct Reach {
    views: Vec<View>,
    variables: Vec<VariableId>,
    /// Whether events or mutexes are among them.
    tokens: bool,
}

impl<'a> Tracer<'a> {
    /// Notes a place that could not be evaluated.
    pub fn note_unknown(&mut self, span: Span, what: impl Into<String>) {
        if let Some(builder) = &mut self.kernel {
            builder.note_unknown(span, what.into());
        }
    }

    /// Code that cannot be followed was given these values. It has no effect on a kernel of which
    /// it gets nothing.
    pub fn unknown_code<'v>(
        &mut self,
        span: Span,
        what: impl FnOnce() -> String,
        given: impl IntoIterator<Item = &'v Value<'a>>,
        emission: Emission,
    ) -> Eval<()>
    where
        'a: 'v,
    {
        let given: Vec<&Value<'a>> = given.into_iter().collect();
        self.expose(given.iter().copied());
        if !self.in_kernel() {
            self.doubt();
            if emission != Emission::None {
                for value in given {
                    self.lose(value)?;
                }
            }
            return Ok(());
        }
        let given: Vec<&'v Value<'a>> = given.into_iter().collect();
        if emission != Emission::None {
            for value in &given {
                self.lose(value)?;
            }
        }
        let mut reach = Reach::default();
        let mut left = MAX_REACHED;
        for value in given {
            self.reach(value, &mut left, &mut reach);
        }
        let has_tools = !reach.views.is_empty() || reach.tokens;
        let emits = match emission {
            Emission::Given => has_tools,
            Emission::Certain => true,
            Emission::None => false,
        };
        if !emits && reach.views.is_empty() && reach.variables.is_empty() {
            return Ok(());
        }
        self.note_unknown(span, what());
        for variable in reach.variables {
            let unknown = self.builder().unknown();
            self.builder().assign(variable, unknown)?;
        }
        self.havoc(reach.views)?;
        match emits {
            true => self.emit(StmtKind::Opaque),
            false => Ok(()),
        }
    }

    /// The device objects that a value is, or holds. Values may hold themselves, and functions call themselves: they
    /// are taken one after the other, and each function once.
    fn reach(&mut self, value: &Value<'a>, left: &mut u32, reach: &mut Reach) {
        let mut open = vec![value.clone()];
        let mut functions: Vec<*const Function<'a>> = Vec::new();
        while let Some(value) = open.pop() {
            let Some(less) = left.checked_sub(1) else {
                return;
            };
            *left = less;
            if let Value::Function(function) = &value {
                if functions.contains(&Rc::as_ptr(function)) {
                    continue;
                }
                functions.push(Rc::as_ptr(function));
            }
            self.reach_one(&value, reach, &mut open);
        }
    }

    /// The device object that a value is; what it holds is left open.
    fn reach_one(&mut self, value: &Value<'a>, reach: &mut Reach, open: &mut Vec<Value<'a>>) {
        match value {
            Value::Local(view) => reach.views.push(View::Local(view.as_ref().clone())),
            Value::Element(views) => reach.views.push(View::Local(views[0].clone())),
            Value::Drained(drained) => {
                reach.views.push(View::Local(drained.view.as_ref().clone()));
            }
            Value::Ring(buffer) => {
                let builder = self.builder();
                let (slot, site) = (builder.unknown(), builder.statement);
                let view = builder.whole(*buffer, slot, site);
                reach.views.push(View::Local(view));
            }
            Value::Global(view) | Value::GlobalRing(view) => {
                reach.views.push(View::Global(view.as_ref().clone()));
            }
            // Nobody updates a parameter, a loop's counter or the result of an operation.
            Value::Var(id)
                if self.builder().program.variable(*id).kind == VariableKind::Declared =>
            {
                reach.variables.push(*id);
            }
            Value::Event(_) | Value::Mutex(_) => reach.tokens = true,
            Value::Tuple(items) | Value::FrozenSet(items) => open.extend(items.iter().cloned()),
            Value::List(items) | Value::Set(items) => open.extend(items.ever().iter().cloned()),
            Value::Dict(entries) | Value::View(entries, _) => {
                open.extend(entries.ever().iter().map(|(_, value)| value.clone()));
            }
            Value::Vector(vector) => {
                vector.consumed.set(true);
                open.extend(vector.sources.iter().map(|(source, _)| source.clone()));
            }
            Value::Method(method) => open.push(method.0.clone()),
            Value::Context(context) => {
                if let Context::If(condition, _) | Context::Elif(condition, _) = context.as_ref() {
                    open.push(condition.clone());
                }
            }
            Value::Iterator(iterator) => open.extend(iterator.held()),
            Value::Function(function) => {
                open.extend(function.defaults.iter().flatten().cloned());
                let mut named = Vec::new();
                ast::walk_exprs(&function.def.body, &mut |expr| named.push(expr));
                open.extend(named_outside(&function.closure, &named));
            }
            Value::Lambda(lambda) => {
                let mut named = Vec::new();
                ast::walk_expr(lambda.body, &mut |expr| named.push(expr));
                open.extend(named_outside(&lambda.closure, &named));
            }
            Value::Partial(partial) => {
                open.push(partial.callee.clone());
                open.extend(partial.positional.iter().cloned());
                open.push(Value::Dict(partial.keywords.clone()));
            }
            Value::Instance(instance) => {
                let attributes = instance.attributes.ever();
                open.extend(attributes.iter().map(|(_, value)| value.clone()));
            }
            Value::Managed(managed) => open.extend(managed.arguments.borrow().values().cloned()),
            _ => {}
        }
    }

    /// What an expression of unknown value names: it may be any of that.
    pub fn escape(&mut self, expr: &'a ast::Expr) -> Eval<()> {
        let mut named = Vec::new();
        self.named(expr, &mut named);
        self.charge(4 * named.len())?;
        self.hide_named(expr, &named)?;
        if !self.in_kernel() || !may_pick(expr) {
            return Ok(());
        }
        let text = expr.span;
        self.unknown_code(
            text,
            || "what this stands for is not known".to_owned(),
            &named,
            Emission::None,
        )
    }

    /// An expression of unknown value may be what it names, or hold it.
    fn hide_named(&mut self, expr: &'a ast::Expr, named: &[Value<'a>]) -> Eval<()> {
        match &expr.kind {
            // An item alone. An attribute may be a method, which may change its object.
            ExprKind::Subscript { value, .. } if matches!(value.kind, ExprKind::Name(_)) => {
                named.iter().take(1).try_for_each(|of| self.hide_items(of))
            }
            ExprKind::Binary { .. } => named.iter().try_for_each(|value| match value {
                Value::Instance(_) => self.hide(value),
                _ => self.hide_items(value),
            }),
            // What a function returns of its own, it hides.
            ExprKind::Call { func, .. } => {
                let callee = match &func.kind {
                    ExprKind::Name(name) => self.frame.get(name),
                    _ => None,
                };
                let is_callee = |value: &&Value<'a>| {
                    callee.as_ref().is_some_and(|callee| callee.is_same(value))
                };
                let given: Vec<&Value<'a>> = named.iter().filter(|it| !is_callee(it)).collect();
                given.into_iter().try_for_each(|value| self.hide(value))
            }
            _ => named.iter().try_for_each(|value| self.hide(value)),
        }
    }

    /// A value is kept where nobody follows it.
    pub fn hand_on(&mut self, target: &'a ast::Expr, value: &Value<'a>) -> Eval<()> {
        let what = || "what holds this is not known".to_owned();
        self.lose(value)?;
        self.lose(&Value::Unknown)?;
        self.unknown_code(target.span, what, [value], Emission::None)
    }

    /// A statement that does not parse. What it names may be bound by it, and anything may be done
    /// with it.
    pub fn broken(&mut self, span: Span) -> Eval<()> {
        let mut named = Vec::new();
        let lines = whole_lines(self.source.as_str(), span);
        for name in identifiers(self.source.slice(lines)) {
            self.step()?;
            match self.lookup(name) {
                Some(value) => {
                    if !self.in_kernel() && value.is_plain() {
                        self.frame.set(name, Value::Unknown);
                    }
                    named.push(value);
                }
                None => {
                    self.lost_name(span)?;
                    self.frame.set(name, Value::Unknown);
                }
            }
        }
        let what = || "this does not parse".to_owned();
        self.unknown_code(span, what, &named, Emission::Certain)
    }

    /// Whether anything on the lines of a place does not parse.
    pub fn broken_at(&self, span: Span) -> bool {
        let lines = &self.broken_lines;
        let after = lines.partition_point(|lines| lines.end <= span.start);
        lines.get(after).is_some_and(|lines| lines.start < span.end)
    }

    /// Whether a name is among the words of what does not parse.
    pub fn is_in_broken_text(&self, name: &str) -> bool {
        let mut lines = self.broken_lines.iter();
        lines.any(|&lines| identifiers(self.source.slice(lines)).any(|word| word == name))
    }

    /// A statement of which a part does not parse: what the rest of it says cannot be trusted.
    pub fn broken_statement(&mut self, stmt: &'a ast::Stmt) -> Eval<Flow<'a>> {
        let header = header_span(self.source, stmt);
        self.broken(header)?;
        match &stmt.kind {
            Python::For { target, body, .. } => self.unknown_loop(target, body, &[]),
            Python::While { body, .. } => self.traced_once(body, &[]),
            Python::With { body, .. } => match self.in_kernel() {
                // For all anybody knows, it orders what is inside.
                true => self.with_context(&Context::AutoSync, &[], body),
                false => self.block(body),
            },
            Python::If { arms, orelse } => self.unknown_branch(arms, orelse),
            Python::Function(def) => {
                self.define(def)?;
                Ok(Flow::Normal)
            }
            Python::Try {
                blocks,
                parts,
                handlers,
            } => self.try_blocks(blocks, parts, handlers),
            Python::Return(_) => Ok(Flow::Return(Value::Unknown)),
            _ => Ok(Flow::Normal),
        }
    }

    /// A name that nobody knows was used as a value: it may have been meant to be any of what there
    /// is.
    pub fn lost_name(&mut self, span: Span) -> Eval<()> {
        if !self.in_kernel() {
            return Ok(());
        }
        let frame = self.frame.clone();
        let names = frame.names();
        self.charge(names.len())?;
        let visible = names.iter().filter_map(|name| frame.get(name));
        let visible = visible.filter(|value| !matches!(value, Value::Function(_)));
        let visible: Vec<Value<'a>> = visible.collect();
        let what = || "a name here is not known".to_owned();
        self.unknown_code(span, what, &visible, Emission::None)
    }

    fn named(&self, expr: &'a ast::Expr, found: &mut Vec<Value<'a>>) {
        match &expr.kind {
            ExprKind::Name(name) => found.extend(self.frame.get(name)),
            ExprKind::Attribute { attr, .. } if PLAIN_ATTRIBUTES.contains(&attr.text.as_str()) => {}
            _ => ast::children(expr, &mut |child| self.named(child, found)),
        }
    }
}

/// What expressions in the body of a function name outside of it.
fn named_outside<'a>(closure: &Frame<'a>, body: &[&'a ast::Expr]) -> Vec<Value<'a>> {
    let names = body.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Name(name) => closure.get(name),
        _ => None,
    });
    names.collect()
}

/// Whether an expression of host code may be one of the objects that it names, or hold some.
pub(super) fn may_hold(expr: &ast::Expr) -> bool {
    let computes = matches!(
        expr.kind,
        ExprKind::Call { .. } | ExprKind::Attribute { .. } | ExprKind::Binary { .. }
    );
    computes || may_pick(expr)
}

/// Whether an expression may be one of the objects that it names, though nobody knows which.
pub(super) fn may_pick(expr: &ast::Expr) -> bool {
    matches!(
        expr.kind,
        ExprKind::Subscript { .. }
            | ExprKind::Conditional { .. }
            | ExprKind::BoolOp { .. }
            | ExprKind::Comprehension { .. }
            | ExprKind::Set(_)
            | ExprKind::Dict(_)
            | ExprKind::Starred(_)
    )
}

/// The lines of a file on which something does not parse, in order.
pub(super) fn broken_lines(source: &SourceText, file: &ast::File) -> Vec<Span> {
    let text = source.as_str();
    let mistakes = file
        .errors
        .iter()
        .filter(|error| !matches!(error.reason, ErrorReason::TooDeep | ErrorReason::TooCostly));
    let mut lines: Vec<Span> = mistakes
        .map(|error| whole_lines(text, error.span))
        .collect();
    lines.sort();
    lines.dedup_by(|next, before| {
        let meets = next.start <= before.end;
        before.end = if meets {
            before.end.max(next.end)
        } else {
            before.end
        };
        meets
    });
    lines
}

/// The lines that a span touches.
pub(super) fn whole_lines(text: &str, span: Span) -> Span {
    let range = span.range();
    let start = text.part(..range.start).rfind('\n').map_or(0, |at| at + 1);
    let end = text
        .part(range.end..)
        .find('\n')
        .map_or(text.len(), |at| range.end + at);
    Span::new(start, end)
}

/// The words of a text that may be names.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(move |c| !is_part(c));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
