//! `yield`: collects items, or evaluates the body of a `for` or a `with`.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Abort, Eval, Flow, Tracer};
use super::super::value::{Frame, Value};
use super::generated::LoopBody;
use super::iterators::Step;
use super::native::Site;
use super::objects::Managed;
use a2lint_ir::OriginId;
use a2lint_ir::build::Builder;
use a2lint_source::text::Span;
use a2lint_syntax::python::ast;

/// The remaining items of a `with` statement.
type Rest<'a> = &'a [(ast::Expr, Option<ast::Expr>)];

/// The effect of a `yield` in the function being evaluated.
pub enum Yielding<'a> {
    /// Adds an item to those of the generator.
    Collected(Collected<'a>),
    /// Evaluates the body of a `for`.
    Loop(Box<LoopBody<'a>>),
    /// Evaluates the body of a `with`.
    Around(Box<Around<'a>>),
}

/// The items of a generator so far.
pub struct Collected<'a> {
    pub items: Vec<Value<'a>>,
    /// Number of items after which the generator is stopped.
    pub most: usize,
    /// Whether some items are unknown.
    pub is_lost: bool,
}

/// The body of a `with` over a `@contextmanager`, with the state of its surroundings.
pub struct Around<'a> {
    target: Option<&'a ast::Expr>,
    rest: Rest<'a>,
    body: &'a [ast::Stmt],
    frame: Frame<'a>,
    rewritten: bool,
    place: Option<(OriginId, Span)>,
    /// The outcome of the body, once it has been evaluated.
    flow: Option<Flow<'a>>,
}

impl<'a> Tracer<'a> {
    /// Evaluates `yield value` and `yield from value`.
    pub fn yielded(&mut self, value: Option<&'a ast::Expr>, from: bool) -> Eval<Value<'a>> {
        let value = match value {
            Some(value) => self.eval(value)?,
            None => Value::None,
        };
        if !from {
            return self.hand_out(value);
        }
        let Some(iterator) = self.iterator_of(&value)? else {
            self.hand_out_unknown();
            return Ok(Value::Unknown);
        };
        if let Some(generator) = iterator.take_unstarted() {
            return self.run_inside(*generator);
        }
        loop {
            match self.next_item(&iterator)? {
                Step::Item(item) => self.hand_out(item)?,
                Step::End => return Ok(Value::None),
                Step::Unknown => {
                    self.hand_out_unknown();
                    return Ok(Value::Unknown);
                }
            };
        }
    }

    /// Passes an unknown number of unknown items to the consumer.
    pub fn hand_out_unknown(&mut self) {
        self.doubt();
        match self.yields.last_mut() {
            Some(Yielding::Collected(collected)) => collected.is_lost = true,
            Some(Yielding::Loop(around)) => around.is_lost = true,
            _ => {}
        }
    }

    /// Passes a value to the consumer of the generator.
    pub fn hand_out(&mut self, value: Value<'a>) -> Eval<Value<'a>> {
        self.charge(4)?;
        // Taken from the stack, since the body of the loop may contain generators of its own.
        match self.yields.pop() {
            Some(Yielding::Collected(mut collected)) => {
                collected.items.push(value);
                let is_enough = collected.items.len() >= collected.most;
                self.yields.push(Yielding::Collected(collected));
                if is_enough {
                    self.doubts.raised = Some(self.exception("GeneratorExit", None));
                    self.doubts.is_stopping = true;
                    self.doubts.is_abandoned = true;
                    return Err(Abort::Raised);
                }
                Ok(Value::None)
            }
            Some(Yielding::Loop(mut around)) => {
                let done = self.body_of_loop(&mut around, value);
                self.yields.push(Yielding::Loop(around));
                done.map(|()| Value::None)
            }
            Some(Yielding::Around(mut around)) => {
                let flow = self.body_around(&around, value);
                let raises = matches!(flow, Ok(Flow::Raise)) && !self.in_kernel();
                let done = flow.map(|flow| {
                    // The manager may suppress the exception.
                    around.flow = Some(if raises { Flow::Normal } else { flow });
                });
                self.yields.push(Yielding::Around(around));
                match (done, raises) {
                    (Ok(()), true) => Err(Abort::Raised),
                    (done, _) => done.map(|()| Value::None),
                }
            }
            // A `yield` outside of any consumer, as in a coroutine.
            None => Ok(Value::Unknown),
        }
    }

    fn body_around(&mut self, around: &Around<'a>, value: Value<'a>) -> Eval<Flow<'a>> {
        let frame = std::mem::replace(&mut self.frame, around.frame.clone());
        let rewritten = std::mem::replace(&mut self.rewritten, around.rewritten);
        let place = self.kernel.as_mut().map(Builder::place);
        // Statements of the body point at the loop's own source, not at the generator's.
        if let (Some(builder), Some(place)) = (&mut self.kernel, around.place) {
            builder.go_to(place);
        }
        if let Some(target) = around.target {
            self.assign(target, value, target.span)?;
        }
        let flow = self.with(around.rest, around.body);
        if let (Some(builder), Some(place)) = (&mut self.kernel, place) {
            builder.go_to(place);
        }
        self.frame = frame;
        self.rewritten = rewritten;
        flow
    }

    /// Evaluates `with object as target:` for an instance with `__enter__`.
    pub fn with_instance(
        &mut self,
        object: &Value<'a>,
        (target, rest): (Option<&'a ast::Expr>, Rest<'a>),
        body: &'a [ast::Stmt],
        span: Span,
    ) -> Eval<Flow<'a>> {
        let site = Site::at(span);
        let entered = self.call_method(object, "__enter__", Arguments::default(), site)?;
        if let Some(target) = target {
            self.assign(target, entered.unwrap_or(Value::Unknown), target.span)?;
        }
        // In a kernel exceptions are not followed, so `__exit__` runs after a normal end.
        if self.in_kernel() {
            let flow = self.with(rest, body)?;
            let nothing = Arguments::of([Value::None, Value::None, Value::None], span);
            self.call_method(object, "__exit__", nothing, site)?;
            return Ok(flow);
        }
        self.exited(object, rest, body, site)
    }

    /// Evaluates the body of a `with` in host code, then `__exit__`, which may suppress an exception of the body.
    fn exited(
        &mut self,
        object: &Value<'a>,
        rest: Rest<'a>,
        body: &'a [ast::Stmt],
        site: Site,
    ) -> Eval<Flow<'a>> {
        let (flow, is_doubtful) = self.with_doubts(rest, body)?;
        if self.doubts.is_stopping {
            return Ok(flow);
        }
        // `__exit__` must not see the exception as propagating.
        let raised = self.doubts.raised.take();
        let given = match (&flow, is_doubtful, &raised) {
            (_, true, _) => [Value::Unknown, Value::Unknown, Value::Unknown],
            (Flow::Raise, _, Some(Value::Instance(raised))) => [
                Value::Class(raised.class.clone()),
                Value::Instance(raised.clone()),
                Value::Unknown,
            ],
            (Flow::Raise, ..) => [Value::Unknown, Value::Unknown, Value::Unknown],
            _ => [Value::None, Value::None, Value::None],
        };
        let given = Arguments::of(given, site.span);
        let said = self.call_method(object, "__exit__", given, site)?;
        if !matches!(flow, Flow::Raise) {
            return Ok(flow);
        }
        let said = self.condition(said.unwrap_or(Value::Unknown), site.span)?;
        match said.truth() {
            // A true result of `__exit__` suppresses the exception.
            Some(true) => Ok(Flow::Normal),
            Some(false) => {
                self.doubts.raised = raised;
                Ok(Flow::Raise)
            }
            // It is suppressed, or nothing after the statement runs.
            None => {
                self.doubt();
                Ok(Flow::Normal)
            }
        }
    }

    /// Evaluates `with manager(...) as target:`.
    pub fn with_managed(
        &mut self,
        managed: &Rc<Managed<'a>>,
        (target, rest): (Option<&'a ast::Expr>, Rest<'a>),
        body: &'a [ast::Stmt],
        site: Span,
    ) -> Eval<Flow<'a>> {
        // Taken, as a `@contextmanager` object can be entered only once.
        let arguments = std::mem::take(&mut *managed.arguments.borrow_mut());
        let around = Around {
            target,
            rest,
            body,
            frame: self.frame.clone(),
            rewritten: self.rewritten,
            place: self.kernel.as_mut().map(Builder::place),
            flow: None,
        };
        let depth = self.yields.len();
        self.yields.push(Yielding::Around(Box::new(around)));
        let done = self.run(&managed.function, arguments, site);
        self.yields.truncate(depth + 1);
        let around = self.yields.pop();
        done?;
        match around {
            // Without exactly one `yield` the body has not run.
            Some(Yielding::Around(around)) if around.flow.is_some() => {
                Ok(around.flow.unwrap_or(Flow::Normal))
            }
            _ => {
                self.note_unknown(
                    site,
                    "this context manager yields in a way that is not known",
                );
                self.with(rest, body)
            }
        }
    }
}
