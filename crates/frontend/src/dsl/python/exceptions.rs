//! Exceptions: raising and catching.

use std::rc::Rc;

use super::super::branches::bound_in;
use super::super::emit::Arguments;
use super::super::tracer::{Abort, Eval, Flow, Tracer};
use super::super::value::{Frame, Value};
use super::native::Site;
use super::objects::{Class, ClassKind};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, Handler, TryPart};

/// The remaining items of a `with` statement.
type Rest<'a> = &'a [(ast::Expr, Option<ast::Expr>)];

/// The exception classes of Python that matter here, each with its base class.
const CLASSES: &[(&str, &str)] = &[
    ("BaseException", ""),
    ("Exception", "BaseException"),
    ("ArithmeticError", "Exception"),
    ("AssertionError", "Exception"),
    ("AttributeError", "Exception"),
    ("BufferError", "Exception"),
    ("EOFError", "Exception"),
    ("FloatingPointError", "ArithmeticError"),
    // Defined by `dataclasses`.
    ("FrozenInstanceError", "AttributeError"),
    ("GeneratorExit", "BaseException"),
    ("ImportError", "Exception"),
    ("IndexError", "LookupError"),
    ("KeyError", "LookupError"),
    ("KeyboardInterrupt", "BaseException"),
    ("LookupError", "Exception"),
    ("MemoryError", "Exception"),
    ("ModuleNotFoundError", "ImportError"),
    ("NameError", "Exception"),
    ("NotImplementedError", "RuntimeError"),
    ("OSError", "Exception"),
    ("OverflowError", "ArithmeticError"),
    ("RecursionError", "RuntimeError"),
    ("RuntimeError", "Exception"),
    ("StopIteration", "Exception"),
    ("SystemExit", "BaseException"),
    ("TypeError", "Exception"),
    ("UnboundLocalError", "NameError"),
    ("UserWarning", "Warning"),
    ("DeprecationWarning", "Warning"),
    ("RuntimeWarning", "Warning"),
    ("Warning", "Exception"),
    ("ValueError", "Exception"),
    ("ZeroDivisionError", "ArithmeticError"),
    ("FileNotFoundError", "OSError"),
    ("TimeoutError", "OSError"),
];

impl<'a> Tracer<'a> {
    /// Returns one of Python's exception classes, which is made on first use; `None` if the name is no class of the
    /// table.
    pub fn exception_class(&self, name: &str) -> Option<Rc<Class<'a>>> {
        // Made on demand: most files use few of them.
        let known = self.changed.exceptions.borrow().get(name).cloned();
        if known.is_some() {
            return known;
        }
        let (name, base) = CLASSES.iter().find(|(known, _)| *known == name)?;
        let above = self.exception_class(base);
        let linear = above
            .iter()
            .flat_map(|base| [base.clone()].into_iter().chain(base.above.iter().cloned()));
        let class = Rc::new(Class {
            above: linear.collect(),
            depth: above.as_ref().map_or(0, |base| base.depth) + 1,
            ..Class::made(
                name,
                Frame::of_class(Frame::new(None)),
                ClassKind::Exception,
            )
        });
        let mut exceptions = self.changed.exceptions.borrow_mut();
        exceptions.insert(name, class.clone());
        Some(class)
    }

    /// Creates an exception of one of Python's classes; its arguments are unknown unless one is given.
    pub fn exception(&self, class: &'static str, argument: Option<Value<'a>>) -> Value<'a> {
        let Some(class) = self.exception_class(class) else {
            return Value::Unknown;
        };
        let instance = self.instance(&class);
        let arguments = match argument {
            Some(argument) => Value::tuple(vec![argument]),
            // The message of CPython differs between versions, so it is not modelled.
            None => Value::Unknown,
        };
        instance.set_first("args", arguments);
        Value::Instance(instance)
    }

    /// Raises `KeyError(key)`.
    pub fn throw_key<T>(&mut self, key: &Value<'a>, otherwise: T) -> Eval<T> {
        if self.in_kernel() {
            self.doubt();
            return Ok(otherwise);
        }
        self.doubts.raised = Some(self.exception("KeyError", Some(key.clone())));
        Err(Abort::Raised)
    }

    /// Evaluates `raise exception`.
    pub fn raise_exception(&mut self, exception: Option<&'a ast::Expr>) -> Eval<Flow<'a>> {
        let value = match exception {
            Some(exception) => self.eval(exception)?,
            // A bare `raise` re-raises the exception that is being handled.
            None => match self.doubts.handled.last() {
                Some(handled) => handled.clone(),
                None => self.exception("RuntimeError", None),
            },
        };
        let site = Site::at(exception.map_or(Span::default(), |it| it.span));
        // `raise ValueError` instantiates the class.
        let value = match value {
            Value::Class(class) => self.instantiate(&class, Arguments::default(), site)?,
            other => other,
        };
        self.doubts.raised = Some(match &value {
            Value::Instance(instance) if instance.class.is_exception() => value,
            Value::Unknown | Value::Foreign | Value::Inert => Value::Unknown,
            Value::Instance(instance) if !instance.class.is_whole => Value::Unknown,
            // Raising anything but an exception is a `TypeError`.
            _ => self.exception("TypeError", None),
        });
        // A handler that may catch another exception as well has an unknown one, which leads to the same objects.
        if let (true, Some(raised)) = (self.doubts.is_tried(), self.doubts.raised.clone()) {
            self.hide_items(&raised)?;
        }
        Ok(Flow::Raise)
    }

    /// Returns whether classes catch an exception; `None` if it is unknown.
    fn catches(&mut self, classes: &Value<'a>, raised: &Value<'a>) -> Eval<Option<bool>> {
        let classes = match classes {
            Value::Tuple(items) => items.to_vec(),
            one => vec![one.clone()],
        };
        let Value::Instance(raised) = raised else {
            return Ok(None);
        };
        let mut is_open = false;
        for class in classes {
            match class {
                Value::Class(class) if raised.class.is_below(&class) => return Ok(Some(true)),
                // Both hierarchies are known, so the class does not match.
                Value::Class(class) if raised.class.is_whole && class.is_whole => {}
                Value::Tuple(_) => match self.catches(&class, &Value::Instance(raised.clone()))? {
                    Some(true) => return Ok(Some(true)),
                    Some(false) => {}
                    None => is_open = true,
                },
                _ => is_open = true,
            }
        }
        Ok((!is_open).then_some(false))
    }

    /// Evaluates a `try` statement.
    pub fn try_blocks(
        &mut self,
        blocks: &'a [Vec<ast::Stmt>],
        parts: &[TryPart],
        handlers: &'a [Handler],
    ) -> Eval<Flow<'a>> {
        let block = |part: TryPart| {
            let at = parts.iter().position(|it| *it == part);
            at.and_then(|at| blocks.get(at))
                .map_or(&[][..], Vec::as_slice)
        };
        let bodies = parts
            .iter()
            .zip(blocks)
            .filter(|(part, _)| **part == TryPart::Handler);
        let bodies: Vec<&'a [ast::Stmt]> = bodies.map(|(_, body)| body.as_slice()).collect();
        let flow = self.tried(
            block(TryPart::Body),
            block(TryPart::Else),
            handlers,
            &bodies,
        )?;
        let last = block(TryPart::Finally);
        // A generator that is abandoned is not closed here: CPython would run its `finally` at some later time.
        if last.is_empty() || self.doubts.is_abandoned {
            return Ok(flow);
        }
        // The exception is set aside while `finally` runs.
        let raised = self.doubts.raised.take();
        Ok(match self.block(last)? {
            Flow::Normal => {
                self.doubts.raised = raised;
                flow
            }
            // `return`, `break` or an exception in `finally` replaces the earlier outcome.
            other => other,
        })
    }

    /// Evaluates the body of a `try`, its handlers and its `else`.
    fn tried(
        &mut self,
        body: &'a [ast::Stmt],
        orelse: &'a [ast::Stmt],
        handlers: &'a [Handler],
        bodies: &[&'a [ast::Stmt]],
    ) -> Eval<Flow<'a>> {
        // `try`/`finally` without handlers.
        if bodies.is_empty() {
            return match self.block(body)? {
                Flow::Normal => self.block(orelse),
                flow => Ok(flow),
            };
        }
        let depth = self.doubts.depth();
        let before = self.values_of(&bound_in(body));
        let frame = self.frame.clone();
        self.doubts.open_try(&frame);
        let flow = self.block(body);
        let is_doubtful = self.doubts.close_try();
        let mut flow = flow?;
        if self.in_kernel() {
            return self.tried_in_kernel(flow, is_doubtful, orelse, bodies);
        }
        // Nothing in the body was doubtful, so the outcome is certain.
        if !is_doubtful {
            flow = match flow {
                Flow::Normal => return self.block(orelse),
                // A generator that is being closed passes through the handlers of its body.
                Flow::Raise if !self.doubts.is_stopping => Flow::Raise,
                flow => return Ok(flow),
            };
            // Handlers are tried in order; the first that matches runs.
            for (handler, body) in handlers.iter().zip(bodies) {
                let raised = self.doubts.raised.clone().unwrap_or(Value::Unknown);
                let caught = match &handler.classes {
                    None => Some(true),
                    Some(classes) => match self.eval(classes)? {
                        // `except*` splits exception groups, which is not modelled.
                        classes if !handler.is_group => self.catches(&classes, &raised)?,
                        _ => None,
                    },
                };
                match caught {
                    Some(true) => return self.handle(handler, body, raised),
                    Some(false) => {}
                    None => {
                        let names = all_names(body, orelse, bodies);
                        return self.one_of_handlers(&names, None, handlers, bodies);
                    }
                }
            }
            return Ok(flow);
        }
        // `GeneratorExit` of the loop around: no handler of the file is meant to catch it.
        if self.doubts.is_stopping {
            self.doubts.close(depth);
            return Ok(flow);
        }
        // The body may have run to its end, so `else` may run as well.
        let ended = match flow {
            Flow::Normal => self.block(orelse)?,
            flow => flow,
        };
        self.doubts.close(depth);
        let names = all_names(body, orelse, bodies);
        let after = (ended, self.values_of(&names));
        // The body may have been left at any statement that may have raised.
        for name in bound_in(body) {
            let former = before.iter().find(|(known, _)| *known == name);
            let now = self.frame.get(name);
            let is_same = former.zip(now).is_some_and(|((_, a), b)| a.is_alike(&b));
            if !is_same {
                if let Some((_, former)) = former {
                    self.hide(former)?;
                }
                self.forget_name(name)?;
            }
        }
        self.one_of_handlers(&names, Some(after), handlers, bodies)
    }

    /// Evaluates every handler as a possible path. `without` is the outcome if nothing is raised, if that is possible.
    fn one_of_handlers(
        &mut self,
        names: &[&'a str],
        without: Option<(Flow<'a>, Vec<(&'a str, Value<'a>)>)>,
        handlers: &'a [Handler],
        bodies: &[&'a [ast::Stmt]],
    ) -> Eval<Flow<'a>> {
        let start = self.values_of(names);
        let mut ways: Vec<_> = without.into_iter().collect();
        for (handler, body) in handlers.iter().zip(bodies) {
            // Each handler starts from the same bindings.
            self.rebind(names, &start);
            let depth = self.doubts.depth();
            self.open_region();
            let flow = self.handle(handler, body, Value::Unknown);
            self.doubts.close(depth);
            let flow = flow?;
            ways.push((flow, self.values_of(names)));
        }
        self.doubts.raised = None;
        // Perhaps no handler catches the exception.
        self.doubts.raised = Some(Value::Unknown);
        self.joined(names, ways)
    }

    fn handle(
        &mut self,
        handler: &'a Handler,
        body: &'a [ast::Stmt],
        raised: Value<'a>,
    ) -> Eval<Flow<'a>> {
        self.doubts.raised = None;
        if let Some(name) = &handler.name {
            self.bind_name(&name.text, raised.clone());
        }
        let depth = self.doubts.handled.len();
        self.doubts.handled.push(raised);
        let flow = self.block(body)?;
        self.doubts.handled.truncate(depth);
        // CPython deletes the name of the exception at the end of the handler.
        if let Some(name) = &handler.name {
            let frame = self.frame.binding(&name.text);
            frame.remove(&name.text);
        }
        Ok(flow)
    }

    /// Evaluates a `try` in a kernel: the body is taken to succeed unless it raises itself.
    fn tried_in_kernel(
        &mut self,
        flow: Flow<'a>,
        is_doubtful: bool,
        orelse: &'a [ast::Stmt],
        bodies: &[&'a [ast::Stmt]],
    ) -> Eval<Flow<'a>> {
        // Following both ways would emit the instructions of both.
        if is_doubtful {
            let statement = self.builder().statement;
            self.note_unknown(statement, "whether this raises an exception is not known");
        }
        match flow {
            Flow::Normal => self.block(orelse),
            Flow::Raise => match bodies {
                // With a single handler there is no choice to make.
                [only] => self.block(only),
                _ => {
                    let statement = self.builder().statement;
                    self.note_unknown(statement, "which handler catches this is not known");
                    self.block(bodies[0])
                }
            },
            flow => Ok(flow),
        }
    }

    /// Evaluates `with contextlib.suppress(classes):`.
    pub fn with_suppressed(
        &mut self,
        classes: &Value<'a>,
        rest: Rest<'a>,
        body: &'a [ast::Stmt],
    ) -> Eval<Flow<'a>> {
        let flow = self.with_doubts(rest, body)?;
        let (flow, is_doubtful) = flow;
        if is_doubtful || self.doubts.is_stopping {
            return Ok(flow);
        }
        let raised = match flow {
            Flow::Raise => self.doubts.raised.clone().unwrap_or(Value::Unknown),
            flow => return Ok(flow),
        };
        match self.catches(classes, &raised)? {
            Some(true) => {
                self.doubts.raised = None;
                Ok(Flow::Normal)
            }
            Some(false) => Ok(Flow::Raise),
            // Either the exception is suppressed, or nothing after the statement runs; so the code after it goes on
            // as if it was.
            None => {
                self.doubt();
                Ok(Flow::Normal)
            }
        }
    }

    /// Evaluates the body of a `with` that may suppress exceptions. If one may have been raised, the names that the
    /// body binds are unknown, and it may have ended early.
    pub fn with_doubts(&mut self, rest: Rest<'a>, body: &'a [ast::Stmt]) -> Eval<(Flow<'a>, bool)> {
        let depth = self.doubts.depth();
        let frame = self.frame.clone();
        self.doubts.open_try(&frame);
        let flow = self.with(rest, body);
        let is_doubtful = self.doubts.close_try();
        let flow = flow?;
        if !is_doubtful || self.in_kernel() {
            return Ok((flow, is_doubtful));
        }
        self.doubts.close(depth);
        for name in bound_in(body) {
            self.forget_name(name)?;
            self.bind_name(name, Value::Unknown);
        }
        let flow = match flow {
            Flow::Raise => {
                self.doubts.raised = None;
                Flow::Normal
            }
            // The body may have returned or broken out, or an exception before that was suppressed.
            flow => self.perhaps(flow),
        };
        Ok((flow, true))
    }

    /// Evaluates a `with` of an unknown object, which may suppress exceptions.
    pub fn with_unknown(&mut self, rest: Rest<'a>, body: &'a [ast::Stmt]) -> Eval<Flow<'a>> {
        self.doubt();
        match self.with_doubts(rest, body)? {
            (Flow::Raise, false) if !self.doubts.is_stopping => {
                // If the exception is not suppressed, nothing after the statement is executed; so the code after it
                // may assume that it is.
                self.doubts.raised = None;
                Ok(Flow::Normal)
            }
            (flow, _) => Ok(flow),
        }
    }
}

/// Returns the names that the blocks of a `try` bind.
fn all_names<'a>(
    body: &'a [ast::Stmt],
    orelse: &'a [ast::Stmt],
    bodies: &[&'a [ast::Stmt]],
) -> Vec<&'a str> {
    let handlers = bodies.iter().flat_map(|body| bound_in(body));
    let mut names: Vec<&str> = bound_in(body)
        .into_iter()
        .chain(bound_in(orelse))
        .chain(handlers)
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}
