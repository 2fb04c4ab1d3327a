//! Code that cannot be followed, and the reach of its effects.
//!
//! Everything that such code receives has unknown contents from there on; nothing else changes. The same holds for
//! the objects that an expression of unknown value may refer to: `buffers[i]` with an unknown `i` is one of the
//! buffers.

use std::rc::Rc;

use super::statements::header_span;
use super::tracer::{Eval, Flow, Tracer};
use super::value::{Context, Frame, Function, Value};
use a2lint_ir::{StmtKind, VariableId, VariableKind, View};
use a2lint_source::text::{Slice, SourceText, Span};
use a2lint_syntax::python::ast::{self, ErrorReason, ExprKind, StmtKind as Python};

/// Maximum number of values that are searched for device objects: lists may hold themselves.
const MAX_REACHED: u32 = 1000;
/// Attributes whose values are numbers and types, so that they lead to no object.
const PLAIN_ATTRIBUTES: &[&str] = &[
    "shape", "span", "dtype", "position", "name", "size", "offset",
];

/// Whether unknown code may emit instructions.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Emission {
    /// The code may emit instructions if it has received a tensor, an event or a mutex.
    Given,
    /// The code counts as an instruction even if it has received no tensor, event or mutex.
    Certain,
    /// The code emits nothing: it only stores or passes on its values.
    None,
}

/// Device objects that unknown code has received.
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

    /// Handles code that cannot be followed and has received these values. If it receives nothing of the kernel, it
    /// has no effect on the kernel.
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
            // An expression that only selects among objects changes none of them.
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
        // Without a tensor or a token, a call has nothing to put into an instruction.
        let has_tools = !reach.views.is_empty() || reach.tokens;
        let emits = match emission {
            Emission::Given => has_tools,
            Emission::Certain => true,
            Emission::None => false,
        };
        // Silent: the code cannot concern the kernel, so there is no unknown place to report.
        if !emits && reach.views.is_empty() && reach.variables.is_empty() {
            return Ok(());
        }
        self.note_unknown(span, what());
        // Variables are assigned an unknown value rather than dropped, so that later reads are unknown, not
        // undefined.
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

    /// Collects the device objects that a value is or holds. A worklist: values may hold themselves, and functions
    /// may call themselves.
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

    /// Adds a device object to the reach, and what a value holds to the worklist.
    fn reach_one(&mut self, value: &Value<'a>, reach: &mut Reach, open: &mut Vec<Value<'a>>) {
        match value {
            Value::Local(view) => reach.views.push(View::Local(view.as_ref().clone())),
            Value::Element(views) => reach.views.push(View::Local(views[0].clone())),
            Value::Drained(drained) => {
                reach.views.push(View::Local(drained.view.as_ref().clone()));
            }
            // Which slot of the ring is meant is unknown.
            Value::Ring(buffer) => {
                let builder = self.builder();
                let (slot, site) = (builder.unknown(), builder.statement);
                let view = builder.whole(*buffer, slot, site);
                reach.views.push(View::Local(view));
            }
            Value::Global(view) | Value::GlobalRing(view) => {
                reach.views.push(View::Global(view.as_ref().clone()));
            }
            // Parameters, loop counters and results of operations are never updated.
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
            // The unknown code may be the destination that the expression waits for.
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
                // A function can use everything that its body names in its closure.
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

    /// Handles an expression of unknown value: it may be any object that it names.
    pub fn escape(&mut self, expr: &'a ast::Expr) -> Eval<()> {
        let mut named = Vec::new();
        self.named(expr, &mut named);
        // Names are looked up and compared below, which costs more than a step for each.
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

    /// Hides the objects that an expression of unknown value may be or hold.
    fn hide_named(&mut self, expr: &'a ast::Expr, named: &[Value<'a>]) -> Eval<()> {
        match &expr.kind {
            // `x[i]` of a name is an item of it. An attribute may be a method, which can change its object, so the
            // object is hidden.
            ExprKind::Subscript { value, .. } if matches!(value.kind, ExprKind::Name(_)) => {
                named.iter().take(1).try_for_each(|of| self.hide_items(of))
            }
            ExprKind::Binary { .. } => named.iter().try_for_each(|value| match value {
                Value::Instance(_) => self.hide(value),
                _ => self.hide_items(value),
            }),
            // What a followed function returns was hidden when it was evaluated, so only the arguments are left.
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

    /// Handles a value that is stored in an unknown object.
    pub fn hand_on(&mut self, target: &'a ast::Expr, value: &Value<'a>) -> Eval<()> {
        let what = || "what holds this is not known".to_owned();
        self.lose(value)?;
        // The target may be any hidden object, whose contents are then changed.
        self.lose(&Value::Unknown)?;
        self.unknown_code(target.span, what, [value], Emission::None)
    }

    /// Handles a statement that does not parse: it may bind every name in it, and may do anything with their objects.
    pub fn broken(&mut self, span: Span) -> Eval<()> {
        let mut named = Vec::new();
        let lines = whole_lines(self.source.as_str(), span);
        for name in identifiers(self.source.slice(lines)) {
            self.step()?;
            match self.lookup(name) {
                Some(value) => {
                    // In a kernel, plain constants stay known: a kernel with a typing mistake in one line would
                    // otherwise lose all of its sizes.
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

    /// Returns whether something on the lines of a span does not parse.
    pub fn broken_at(&self, span: Span) -> bool {
        let lines = &self.broken_lines;
        // The lines are sorted and disjoint.
        let after = lines.partition_point(|lines| lines.end <= span.start);
        lines.get(after).is_some_and(|lines| lines.start < span.end)
    }

    /// Returns whether a name is among the words of text that does not parse.
    pub fn is_in_broken_text(&self, name: &str) -> bool {
        let mut lines = self.broken_lines.iter();
        lines.any(|&lines| identifiers(self.source.slice(lines)).any(|word| word == name))
    }

    /// Handles a statement of which a part does not parse; its header cannot be trusted, but its body is evaluated.
    pub fn broken_statement(&mut self, stmt: &'a ast::Stmt) -> Eval<Flow<'a>> {
        let header = header_span(self.source, stmt);
        self.broken(header)?;
        match &stmt.kind {
            Python::For { target, body, .. } => self.unknown_loop(target, body, &[]),
            Python::While { body, .. } => self.traced_once(body, &[]),
            Python::With { body, .. } => match self.in_kernel() {
                // A context that does not parse may be `auto_sync`; assuming so avoids reports of races that it would
                // order.
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

    /// Handles an undefined name that was used as a value: it may have been meant as any visible object.
    pub fn lost_name(&mut self, span: Span) -> Eval<()> {
        if !self.in_kernel() {
            return Ok(());
        }
        let frame = self.frame.clone();
        let names = frame.names();
        self.charge(names.len())?;
        let visible = names.iter().filter_map(|name| frame.get(name));
        // Functions would add everything that they name; an undefined operand is most likely a tensor or a number.
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

/// Returns the values that expressions in the body of a function name in its closure.
fn named_outside<'a>(closure: &Frame<'a>, body: &[&'a ast::Expr]) -> Vec<Value<'a>> {
    let names = body.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Name(name) => closure.get(name),
        _ => None,
    });
    names.collect()
}

/// Returns whether an expression of host code may be, or hold, one of the objects that it names.
pub(super) fn may_hold(expr: &ast::Expr) -> bool {
    let computes = matches!(
        expr.kind,
        ExprKind::Call { .. } | ExprKind::Attribute { .. } | ExprKind::Binary { .. }
    );
    computes || may_pick(expr)
}

/// Returns whether an expression may be one of the objects that it names, depending on a choice that is unknown.
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

/// Returns the lines of a file on which something does not parse, merged and in order.
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

/// Extends a span to whole lines.
pub(super) fn whole_lines(text: &str, span: Span) -> Span {
    let range = span.range();
    let start = text.part(..range.start).rfind('\n').map_or(0, |at| at + 1);
    let end = text
        .part(range.end..)
        .find('\n')
        .map_or(text.len(), |at| range.end + at);
    Span::new(start, end)
}

/// Returns the words of a text that can be names.
pub(super) fn identifiers(text: &str) -> impl Iterator<Item = &str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let words = text.split(move |c| !is_part(c));
    words.filter(|word| word.starts_with(|c: char| c.is_alphabetic() || c == '_'))
}
