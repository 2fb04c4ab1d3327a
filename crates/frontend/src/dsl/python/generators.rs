//! `yield`: items of a list, or the body of a `with`.

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

/// The context expressions of a `with` that are still to come.
type Rest<'a> = &'a [(ast::Expr, Option<ast::Expr>)];

/// What a `yield` of the function being evaluated does.
pub enum Yielding<'a> {
    /// It adds an item to those of the generator, which ends after so many.
    Collected(Collected<'a>),
    /// It evaluates the body of a `for`.
    Loop(Box<LoopBody<'a>>),
    /// It evaluates the body of a `with`.
    Around(Box<Around<'a>>),
}

/// The items of a generator.
pub struct Collected<'a> {
    pub items: Vec<Value<'a>>,
    /// Ends the generator when there are so many.
    pub most: usize,
    /// Whether some of them are not known.
    pub is_lost: bool,
}

/// The body of a `with`, and where it stands.
pub struct Around<'a> {
    target: Option<&'a ast::Expr>,
    rest: Rest<'a>,
    body: &'a [ast::Stmt],
    frame: Frame<'a>,
    rewritten: bool,
    place: Option<(OriginId, Span)>,
    /// How the body ended, once it has been evaluated.
    flow: Option<Flow<'a>>,
}

impl<'a> Tracer<'a> {
    /// `yield value`
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

    /// Items that are not known, and how many, are handed out.
    pub fn hand_out_unknown(&mut self) {
        self.doubt();
        match self.yields.last_mut() {
            Some(Yielding::Collected(collected)) => collected.is_lost = true,
            Some(Yielding::Loop(around)) => around.is_lost = true,
            _ => {}
        }
    }

    /// `yield` of a value.
    pub fn hand_out(&mut self, value: Value<'a>) -> Eval<Value<'a>> {
        self.charge(4)?;
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
                    // The manager may swallow it.
                    around.flow = Some(if raises { Flow::Normal } else { flow });
                });
                self.yields.push(Yielding::Around(around));
                match (done, raises) {
                    (Ok(()), true) => Err(Abort::Raised),
                    (done, _) => done.map(|()| Value::None),
                }
            }
            None => Ok(Value::Unknown),
        }
    }

    fn body_around(&mut self, around: &Around<'a>, value: Value<'a>) -> Eval<Flow<'a>> {
        let frame = std::mem::replace(&mut self.frame, around.frame.clone());
        let rewritten = std::mem::replace(&mut self.rewritten, around.rewritten);
        let place = self.kernel.as_mut().map(Builder::place);
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

    /// `with object as target:` of an instance with `__enter__`.
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
        if self.in_kernel() {
            let flow = self.with(rest, body)?;
            let nothing = Arguments::of([Value::None, Value::None, Value::None], span);
            self.call_method(object, "__exit__", nothing, site)?;
            return Ok(flow);
        }
        self.exited(object, rest, body, site)
    }

    /// The body of a `with` in host code, then `__exit__`, which may swallow what the body raises.
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
            Some(true) => Ok(Flow::Normal),
            Some(false) => {
                self.doubts.raised = raised;
                Ok(Flow::Raise)
            }
            None => {
                self.doubt();
                Ok(Flow::Normal)
            }
        }
    }

    /// `with manager(...) as target:`
    pub fn with_managed(
        &mut self,
        managed: &Rc<Managed<'a>>,
        (target, rest): (Option<&'a ast::Expr>, Rest<'a>),
        body: &'a [ast::Stmt],
        site: Span,
    ) -> Eval<Flow<'a>> {
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
