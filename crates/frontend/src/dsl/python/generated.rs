//! Generators: functions with `yield`, and generator expressions.
//!
//! A `for` over a generator evaluates its body at each `yield`, and a generator that is consumed as a whole runs to
//! its end: both keep the order of Python. Items that are requested one by one are computed ahead. That is the same
//! if nothing can observe it: the generator changes nothing, and nothing that it reads changes in the meantime.
//! Otherwise its items are unknown.

use std::collections::VecDeque;
use std::rc::Rc;

use super::super::dialects::ascriptor::control::LoopKind;
use super::super::emit::Arguments;
use super::super::tracer::{Abort, Eval, Flow, Tracer};
use super::super::value::{Frame, Function, Value};
use super::generators::{Collected, Yielding};
use super::iterators::{Source, Step};
use a2lint_ir::OriginId;
use a2lint_ir::build::Builder;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast;

/// Maximum number of items that are computed ahead.
const MAX_AHEAD: usize = 256;
/// Maximum number of objects that a generator may read and still be computed ahead.
const MAX_WATCHED: usize = 200;

/// A generator.
pub struct Generator<'a> {
    code: Code<'a>,
    /// The items that were computed ahead.
    ahead: Option<Ahead<'a>>,
}

/// The code of a generator.
enum Code<'a> {
    Function(Rc<Function<'a>>, Arguments<'a>, Span),
    /// A generator expression, whose first iterable has been evaluated.
    Expression(Expression<'a>),
}

#[derive(Clone)]
pub struct Expression<'a> {
    pub element: &'a ast::Expr,
    pub clauses: &'a [ast::Clause],
    pub first: Source<'a>,
    pub frame: Frame<'a>,
}

/// Items that were computed before they were requested.
struct Ahead<'a> {
    // In the order of the `yield`s.
    items: VecDeque<Value<'a>>,
    /// Whether the generator has no further items.
    is_whole: bool,
    /// Containers that the generator may read, with their versions at that time.
    objects: Vec<(Value<'a>, u32)>,
    /// Names that the generator reads, with their values at that time.
    names: Vec<(Frame<'a>, String, Value<'a>)>,
}

/// Containers with their versions, and names with their values.
type Watched<'a> = (Vec<(Value<'a>, u32)>, Vec<(Frame<'a>, String, Value<'a>)>);

/// The body of a `for` over a generator, with the state of its surroundings.
pub struct LoopBody<'a> {
    target: &'a ast::Expr,
    body: &'a [ast::Stmt],
    frame: Frame<'a>,
    rewritten: bool,
    compiled: bool,
    kinds: Vec<LoopKind>,
    running: usize,
    loops: usize,
    returns: usize,
    place: Option<(OriginId, Span)>,
    /// How the loop was left, if it was.
    left: Option<Flow<'a>>,
    raised: Option<Value<'a>>,
    /// Whether the generator is still referenced after the loop, so that leaving the loop does not close it.
    is_kept: bool,
    /// Whether there may be further items.
    pub is_lost: bool,
}

impl<'a> Generator<'a> {
    pub fn of_function(
        function: &Rc<Function<'a>>,
        arguments: Arguments<'a>,
        call: Span,
    ) -> Box<Generator<'a>> {
        Box::new(Generator {
            code: Code::Function(function.clone(), arguments, call),
            ahead: None,
        })
    }

    pub fn of_expression(expression: Expression<'a>) -> Box<Generator<'a>> {
        Box::new(Generator {
            code: Code::Expression(expression),
            ahead: None,
        })
    }

    /// Releases the values that the generator holds.
    pub fn give_up(self, pending: &mut Vec<Value<'a>>) {
        match self.code {
            Code::Function(function, arguments, _) => {
                pending.push(Value::Function(function));
                pending.extend(arguments.positional.into_iter().map(|(value, _)| value));
                pending.extend(arguments.keywords.into_iter().map(|(_, value, _)| value));
                pending.extend(arguments.spread);
            }
            Code::Expression(expression) => pending.push(Value::Iterator(expression.first)),
        }
    }

    pub fn has_begun(&self) -> bool {
        self.ahead.is_some()
    }

    /// Returns the values that the generator holds, for questions about what it may refer to.
    pub fn held(&self) -> Vec<Value<'a>> {
        match &self.code {
            Code::Function(function, arguments, _) => {
                let given = arguments.values().cloned();
                given.chain([Value::Function(function.clone())]).collect()
            }
            Code::Expression(expression) => vec![Value::Iterator(expression.first.clone())],
        }
    }
}

impl<'a> Tracer<'a> {
    /// Runs a generator; the top entry of `yields` says what its `yield` does.
    fn run_generator(&mut self, code: &Code<'a>) -> Eval<Value<'a>> {
        let done = match code {
            Code::Function(function, arguments, call) => {
                self.run(function, arguments.clone(), *call)
            }
            Code::Expression(expression) => self.run_expression(expression).map(|()| Value::None),
        };
        match done {
            // PEP 479: a `StopIteration` that leaves a generator becomes a `RuntimeError`.
            Err(Abort::Raised) if !self.doubts.is_stopping && self.is_raised("StopIteration") => {
                self.throw("RuntimeError", Value::Unknown)
            }
            other => other,
        }
    }

    fn run_expression(&mut self, expression: &Expression<'a>) -> Eval<()> {
        let frame = self.frame.clone();
        self.frame = expression.frame.clone();
        let done = self.clauses(
            expression.clauses,
            Some(expression.first.clone()),
            &mut |tracer| {
                let item = tracer.eval(expression.element)?;
                tracer.hand_out(item).map(drop)
            },
        );
        self.frame = frame;
        match done? {
            true => Ok(()),
            false => {
                // Either items are missing, or the end is.
                self.hand_out_unknown();
                Ok(())
            }
        }
    }

    /// Evaluates `yield from` a generator: its items are passed to the consumer of the outer one.
    pub fn run_inside(&mut self, generator: Generator<'a>) -> Eval<Value<'a>> {
        self.run_generator(&generator.code)
    }

    /// Returns all items of a generator; `None` if they are unknown.
    pub fn run_to_the_end(&mut self, generator: Generator<'a>) -> Eval<Option<Vec<Value<'a>>>> {
        let depth = self.yields.len();
        self.yields.push(collecting(usize::MAX));
        let before = self.emitted();
        let done = self.run_generator(&generator.code);
        // Entries above are left by code that was aborted.
        self.yields.truncate(depth + 1);
        let Some(Yielding::Collected(collected)) = self.yields.pop() else {
            return Ok(None);
        };
        done?;
        // Instructions would run between the requests of the consumer, at places that are not known here.
        if self.emitted() != before {
            let statement = self.builder().statement;
            let what = "when this generator emits its instructions is not known";
            self.note_unknown(statement, what);
        }
        Ok((!collected.is_lost).then_some(collected.items))
    }

    /// Returns the next item of a generator, which was computed ahead.
    pub fn pull(&mut self, generator: &mut Generator<'a>) -> Eval<Step<'a>> {
        if generator.ahead.is_none() {
            match self.computed_ahead(generator)? {
                Some(ahead) => generator.ahead = Some(ahead),
                None => return Ok(Step::Unknown),
            }
        }
        let Some(ahead) = &mut generator.ahead else {
            return Ok(Step::Unknown);
        };
        let is_same = |(object, version): &(Value<'a>, u32)| version_of(object) == Some(*version);
        let is_bound = |(frame, name, value): &(Frame<'a>, String, Value<'a>)| {
            frame.get(name).is_some_and(|now| now.is_alike(value))
        };
        // Something that the generator reads has changed since, so its further items may differ.
        if !ahead.objects.iter().all(is_same) || !ahead.names.iter().all(is_bound) {
            return Ok(Step::Unknown);
        }
        Ok(match (ahead.items.pop_front(), ahead.is_whole) {
            (Some(item), _) => Step::Item(item),
            (None, true) => Step::End,
            (None, false) => Step::Unknown,
        })
    }

    fn computed_ahead(&mut self, generator: &Generator<'a>) -> Eval<Option<Ahead<'a>>> {
        // Counters before and after show whether the generator had effects or could not be followed.
        let (losses, doubts) = (self.doubts.losses(), self.doubts.count());
        let before = self.emitted();
        let depth = self.yields.len();
        let regions = self.doubts.depth();
        let Some((objects, names)) = self.watched(&generator.code) else {
            return Ok(None);
        };
        // In a region, so that a change of an older object is counted as a loss.
        self.open_region();
        self.yields.push(collecting(MAX_AHEAD));
        let frame = self.frame.clone();
        let done = self.run_generator(&generator.code);
        self.frame = frame;
        self.doubts.close(regions);
        self.yields.truncate(depth + 1);
        let items = match self.yields.pop() {
            Some(Yielding::Collected(collected)) => collected.items,
            _ => Vec::new(),
        };
        let is_stopped = std::mem::take(&mut self.doubts.is_stopping);
        self.doubts.is_abandoned = false;
        match done {
            Ok(_) => {}
            // Stopped by the bound on items, not by an exception of its own.
            Err(Abort::Raised) if is_stopped => self.doubts.raised = None,
            // Some items come before the exception, and the consumer may not request all of them.
            Err(Abort::Raised) => {
                self.doubts.raised = None;
                return Ok(None);
            }
            Err(limit) => return Err(limit),
        }
        let is_quiet = self.doubts.losses() == losses && self.doubts.count() == doubts;
        if self.emitted() != before {
            let statement = self.builder().statement;
            let what = "when this generator emits its instructions is not known";
            self.note_unknown(statement, what);
        }
        Ok(is_quiet.then(|| Ahead {
            items: items.into(),
            is_whole: !is_stopped,
            objects,
            names,
        }))
    }

    /// Returns the containers and names that a generator may read; `None` if there are too many.
    fn watched(&mut self, code: &Code<'a>) -> Option<Watched<'a>> {
        let (mut exprs, mut open) = (Vec::new(), Vec::new());
        let frame = match code {
            Code::Function(function, arguments, _) => {
                ast::walk_exprs(&function.def.body, &mut |expr| exprs.push(expr));
                open.extend(arguments.values().cloned());
                open.extend(function.defaults.iter().flatten().cloned());
                function.closure.clone()
            }
            Code::Expression(expression) => {
                ast::walk_expr(expression.element, &mut |expr| exprs.push(expr));
                for (at, clause) in expression.clauses.iter().enumerate() {
                    // The first iterable was evaluated when the generator was made.
                    if at > 0 {
                        ast::walk_expr(&clause.iter, &mut |expr| exprs.push(expr));
                    }
                    let conditions = clause.conditions.iter();
                    conditions.for_each(|it| ast::walk_expr(it, &mut |expr| exprs.push(expr)));
                }
                open.push(Value::Iterator(expression.first.clone()));
                expression.frame.clone()
            }
        };
        let mut names: Vec<(Frame<'a>, String, Value<'a>)> = Vec::new();
        for expr in exprs {
            if let ast::ExprKind::Name(name) = &expr.kind
                && let Some(value) = frame.get(name)
                && !names.iter().any(|(_, known, _)| known == name)
            {
                open.push(value.clone());
                names.push((frame.clone(), name.clone(), value));
            }
        }
        let mut objects: Vec<(Value<'a>, u32)> = Vec::new();
        // Containers inside of containers count as well.
        while let Some(value) = open.pop() {
            if objects.len() > MAX_WATCHED {
                return None;
            }
            if let Some(version) = version_of(&value) {
                if objects
                    .iter()
                    .any(|(known, _)| known.is_same_object(&value))
                {
                    continue;
                }
                objects.push((value.clone(), version));
            }
            match &value {
                Value::Tuple(items) => open.extend(items.iter().cloned()),
                Value::List(items) | Value::Set(items) => open.extend(items.ever().iter().cloned()),
                Value::Dict(entries) | Value::View(entries, _) => {
                    open.extend(entries.ever().iter().map(|(_, value)| value.clone()));
                }
                Value::Instance(instance) => open.push(Value::Dict(instance.attributes.clone())),
                Value::Iterator(iterator) => open.extend(iterator.held()),
                _ => {}
            }
        }
        Some((objects, names))
    }

    /// Runs a loop over a generator that has not been started. Returns `None` if the iterator is no such generator,
    /// and `Some(None)` if its further items are unknown.
    pub fn generated_loop(
        &mut self,
        target: &'a ast::Expr,
        iterator: &Source<'a>,
        body: &'a [ast::Stmt],
    ) -> Eval<Option<Option<Flow<'a>>>> {
        let Some(generator) = iterator.take_unstarted() else {
            return Ok(None);
        };
        let depth = self.yields.len();
        self.yields.push(Yielding::Loop(Box::new(LoopBody {
            target,
            body,
            frame: self.frame.clone(),
            rewritten: self.rewritten,
            compiled: self.compiled,
            kinds: self.loop_kinds.clone(),
            running: self.running.len(),
            loops: self.doubts.loops.len(),
            returns: self.doubts.returns.len(),
            place: self.kernel.as_mut().map(Builder::place),
            left: None,
            raised: None,
            // Another reference keeps the generator alive, so a `break` suspends it instead of closing it.
            is_kept: Rc::strong_count(iterator) > 1,
            is_lost: false,
        })));
        let frame = self.frame.clone();
        let done = self.run_generator(&generator.code);
        self.frame = frame;
        self.yields.truncate(depth + 1);
        let body = match self.yields.pop() {
            Some(Yielding::Loop(body)) => body,
            _ => return Ok(Some(None)),
        };
        let Some(left) = body.left else {
            done?;
            return Ok(Some((!body.is_lost).then_some(Flow::Normal)));
        };
        self.doubts.is_stopping = false;
        self.doubts.is_abandoned = false;
        match done {
            Err(limit @ Abort::Limit(_)) => return Err(limit),
            Ok(_) | Err(Abort::Raised) => self.doubts.raised = body.raised,
        }
        // The suspended generator cannot be resumed here, so its further items are unknown.
        if body.is_kept {
            iterator.lose();
            for value in generator.held() {
                self.lose(&value)?;
            }
        }
        Ok(Some(Some(left)))
    }

    /// Evaluates the body of the loop with an item. Leaving the loop raises `GeneratorExit` in the generator, as
    /// closing it does.
    pub fn body_of_loop(&mut self, around: &mut LoopBody<'a>, item: Value<'a>) -> Eval<()> {
        // A generator that goes on after `GeneratorExit` must not run the body again.
        if around.left.is_some() {
            return Err(Abort::Raised);
        }
        let frame = std::mem::replace(&mut self.frame, around.frame.clone());
        let rewritten = std::mem::replace(&mut self.rewritten, around.rewritten);
        let compiled = std::mem::replace(&mut self.compiled, around.compiled);
        let kinds = std::mem::replace(&mut self.loop_kinds, around.kinds.clone());
        // The body runs in the frame of the loop, not in that of the generator, which is set aside.
        let running = self
            .running
            .split_off(around.running.min(self.running.len()));
        let place = self.kernel.as_mut().map(Builder::place);
        if let (Some(builder), Some(place)) = (&mut self.kernel, around.place) {
            builder.go_to(place);
        }
        self.doubts.loops.push(false);
        self.doubts.returns.push(Vec::new());
        let flow = self.trip(around, item);
        let returned = self.doubts.returns.pop().unwrap_or_default();
        let is_left = self.doubts.loops.pop().unwrap_or(false);
        if let Some(values) = around
            .returns
            .checked_sub(1)
            .and_then(|at| self.doubts.returns.get_mut(at))
        {
            // A `return` in the body that may have happened belongs to the function of the loop.
            values.extend(returned);
        }
        if let Some(outer) = around
            .loops
            .checked_sub(1)
            .and_then(|at| self.doubts.loops.get_mut(at))
        {
            *outer |= is_left;
        }
        if let (Some(builder), Some(place)) = (&mut self.kernel, place) {
            builder.go_to(place);
        }
        self.running.extend(running);
        self.loop_kinds = kinds;
        self.compiled = compiled;
        self.rewritten = rewritten;
        self.frame = frame;
        match flow? {
            Flow::Normal | Flow::Continue => Ok(()),
            flow => {
                around.raised = self.doubts.raised.take();
                around.left = Some(flow);
                self.doubts.raised = Some(self.exception("GeneratorExit", None));
                self.doubts.is_stopping = true;
                self.doubts.is_abandoned = around.is_kept;
                Err(Abort::Raised)
            }
        }
    }

    fn trip(&mut self, around: &LoopBody<'a>, item: Value<'a>) -> Eval<Flow<'a>> {
        self.step()?;
        match self.assign(around.target, item, around.target.span) {
            Ok(()) => {}
            Err(Abort::Raised) => {
                self.frame = around.frame.clone();
                return Ok(Flow::Raise);
            }
            Err(limit) => return Err(limit),
        }
        let flow = self.block(around.body)?;
        self.forget_if_left(around.target, around.body)?;
        Ok(flow)
    }
}

fn collecting<'a>(most: usize) -> Yielding<'a> {
    Yielding::Collected(Collected {
        items: Vec::new(),
        most,
        is_lost: false,
    })
}

/// Returns the number of changes of a container; `None` for other values.
fn version_of(value: &Value) -> Option<u32> {
    match value {
        Value::List(items) | Value::Set(items) => Some(items.version()),
        Value::Dict(entries) | Value::View(entries, _) => Some(entries.version()),
        _ => None,
    }
}
