//! `yield`: items of a list, or the body of a `with`.

use std::rc::Rc;

use super::super::builder::Builder;
use super::super::emit::Arguments;
use super::super::tracer::{Eval, Flow, Tracer};
use super::super::value::{Frame, Value};
use super::native::Site;
use super::objects::Managed;
use crate::ir::OriginId;
use crate::syntax::python::ast;
use crate::text::Span;

/// The context expressions of a `with` that are still to come.
type Rest<'a> = &'a [(ast::Expr, Option<ast::Expr>)];

/// What a `yield` of the function being evaluated does.
pub enum Yielding<'a> {
    /// It adds an item to what the generator comes to.
    Collected(Vec<Value<'a>>),
    /// It evaluates the body of a `with`.
    Around(Box<Around<'a>>),
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
        let more = match from {
            true => self.static_items(&value)?.unwrap_or(vec![Value::Unknown]),
            false => vec![value],
        };
        self.charge(more.len())?;
        match self.yields.pop() {
            Some(Yielding::Collected(mut items)) => {
                items.extend(more);
                self.yields.push(Yielding::Collected(items));
                Ok(Value::None)
            }
            Some(Yielding::Around(mut around)) => {
                let value = more.into_iter().next().unwrap_or(Value::Unknown);
                around.flow = Some(self.body_around(&around, value)?);
                self.yields.push(Yielding::Around(around));
                Ok(Value::None)
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
        let flow = self.with(around.rest, around.body)?;
        if let (Some(builder), Some(place)) = (&mut self.kernel, place) {
            builder.go_to(place);
        }
        self.frame = frame;
        self.rewritten = rewritten;
        Ok(flow)
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
        let flow = self.with(rest, body)?;
        let nothing = Arguments::of([Value::None, Value::None, Value::None], span);
        self.call_method(object, "__exit__", nothing, site)?;
        Ok(flow)
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
        self.yields.push(Yielding::Around(Box::new(around)));
        self.run(&managed.function, arguments, site)?;
        match self.yields.pop() {
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
