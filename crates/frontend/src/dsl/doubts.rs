//! Exceptions of host code, and what is not known to be executed.
//!
//! Where nothing says whether a part of host code is executed, the part is a region: what it changes of objects and
//! scopes that are older than the region is not known afterwards. The names of the scope that the region stands in are
//! kept apart by whoever opens the region, which knows both ways.

use super::items::{Shared, birth};
use super::tracer::{Abort, Eval, Tracer};
use super::value::{Frame, Value};

/// What of host code is not certain.
#[derive(Default)]
pub(super) struct Doubts<'a> {
    /// The exception on its way.
    pub raised: Option<Value<'a>>,
    /// The exceptions that are being handled, innermost last.
    pub handled: Vec<Value<'a>>,
    /// `try` statements with handlers around what is being evaluated, and whether something in them may have raised.
    tries: Vec<Try<'a>>,
    regions: Vec<Region<'a>>,
    /// How often something could not be evaluated, and so may have raised.
    count: u32,
    /// What functions being evaluated may have returned, innermost last.
    pub returns: Vec<Vec<Value<'a>>>,
    /// Loops being evaluated, innermost last, and whether they may have been left.
    pub loops: Vec<bool>,
    /// How often something older than a region was changed in it.
    losses: u32,
    /// Whether what is on its way ends a generator and is caught by nothing.
    pub is_stopping: bool,
    /// Whether that generator is left as it stands: its `finally` blocks are not executed.
    pub is_abandoned: bool,
}

/// A part of a program that may not be executed.
struct Region<'a> {
    start: u64,
    /// The scope whose names are kept apart.
    frame: Frame<'a>,
    /// The `try` whose rest it is.
    of_try: Option<usize>,
}

/// A `try` with handlers.
struct Try<'a> {
    /// The scope that it stands in.
    frame: Frame<'a>,
    /// Whether something in it may have raised.
    is_doubtful: bool,
}

/// How deep the regions are nested, to close those that are opened later.
#[derive(Clone, Copy)]
pub(super) struct Depth(usize);

impl<'a> Doubts<'a> {
    /// Nothing is open.
    pub fn settle(&mut self) {
        self.raised = None;
        self.handled.clear();
        self.tries.clear();
        self.regions.clear();
        self.returns.clear();
        self.loops.clear();
        self.is_stopping = false;
        self.is_abandoned = false;
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    pub fn losses(&self) -> u32 {
        self.losses
    }

    /// Whether a `try` is around what is being evaluated.
    pub fn is_tried(&self) -> bool {
        !self.tries.is_empty()
    }

    pub fn depth(&self) -> Depth {
        Depth(self.regions.len())
    }

    /// Closes the regions that were opened since. What follows in a `try` that is still open stays doubtful.
    pub fn close(&mut self, depth: Depth) {
        let (mut at, tries) = (0, self.tries.len());
        self.regions.retain(|region| {
            at += 1;
            at <= depth.0 || region.of_try.is_some_and(|of| of < tries)
        });
    }

    /// Opens a `try` with handlers that stands in a scope.
    pub fn open_try(&mut self, frame: &Frame<'a>) {
        self.tries.push(Try {
            frame: frame.clone(),
            is_doubtful: false,
        });
    }

    /// Closes it; answers whether something in it may have raised.
    pub fn close_try(&mut self) -> bool {
        self.tries.pop().is_some_and(|it| it.is_doubtful)
    }

    /// Whether an object that is so old may be changed without a doubt.
    pub fn is_certain(&self, born: u64) -> bool {
        self.regions
            .last()
            .is_none_or(|region| born >= region.start)
    }

    pub fn is_in_region(&self) -> bool {
        !self.regions.is_empty()
    }
}

impl<'a> Tracer<'a> {
    /// Opens a region in the current scope.
    pub fn open_region(&mut self) {
        let frame = self.frame.clone();
        let start = birth();
        self.doubts.regions.push(Region {
            start,
            frame,
            of_try: None,
        });
    }

    /// Something could not be evaluated: it may have raised, so that the rest of every `try` around it may not be
    /// executed.
    pub fn doubt(&mut self) {
        self.doubts.count = self.doubts.count.saturating_add(1);
        let in_kernel = self.in_kernel();
        let doubts = &mut self.doubts;
        // Around one that is doubtful, all are.
        let known = doubts.tries.iter().rposition(|it| it.is_doubtful);
        let first = known.map_or(0, |at| at + 1);
        for (at, it) in doubts.tries.iter_mut().enumerate().skip(first) {
            it.is_doubtful = true;
            if !in_kernel {
                doubts.regions.push(Region {
                    start: birth(),
                    frame: it.frame.clone(),
                    of_try: Some(at),
                });
            }
        }
    }

    /// What is not known comes of this; it may raise.
    pub fn doubtful<T>(&mut self, value: T) -> T {
        self.doubt();
        value
    }

    /// The value of an operation that is not followed.
    pub fn not_followed(&mut self) -> Eval<Value<'a>> {
        self.doubt();
        Ok(Value::Unknown)
    }

    /// Whether a container may be changed: what it holds is known, and that the change happens.
    pub fn may_change<T>(&mut self, shared: &Shared<T>) -> bool {
        let is_certain = self.doubts.is_certain(shared.born());
        if !is_certain {
            self.doubts.losses += 1;
        }
        is_certain
    }

    /// Host code raises an exception of Python's. In a kernel, what raises is not known, and tracing goes on.
    pub fn throw<T>(&mut self, class: &'static str, otherwise: T) -> Eval<T> {
        if self.in_kernel() {
            self.doubt();
            return Ok(otherwise);
        }
        let exception = self.exception(class, None);
        self.doubts.raised = Some(exception);
        Err(Abort::Raised)
    }

    /// Runs code whose exceptions end nothing but itself.
    pub fn guarded<T>(&mut self, otherwise: T, run: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let frame = self.frame.clone();
        match run(self) {
            Err(Abort::Raised) => {
                self.doubts.raised = None;
                self.frame = frame;
                Ok(otherwise)
            }
            other => other,
        }
    }

    /// Binds a name in the scope that an assignment there means.
    pub fn bind_name(&mut self, name: &str, value: Value<'a>) {
        let frame = self.frame.binding(name);
        self.bind_in(&frame, name, value);
    }

    /// Binds a name of a scope. Where nothing says whether this is executed, it may be what it was.
    pub fn bind_in(&mut self, frame: &Frame<'a>, name: &str, value: Value<'a>) {
        let region = self.doubts.regions.last();
        let is_certain = region.is_none_or(|region| {
            frame.born() >= region.start || (frame.is(&region.frame) && self.frame.is(frame))
        });
        if is_certain {
            frame.set_own(name, value);
            return;
        }
        self.doubts.losses += 1;
        let former = frame.own(name);
        if former.as_ref().is_some_and(|former| former.is_same(&value)) {
            return;
        }
        self.hidden.add(&value);
        former.iter().for_each(|former| self.hidden.add(former));
        frame.set_own(name, Value::Unknown);
    }

    /// Deletes a name of a scope; `false` where it has none.
    pub fn unbind_in(&mut self, frame: &Frame<'a>, name: &str) -> bool {
        let region = self.doubts.regions.last();
        let is_certain = region.is_none_or(|region| frame.born() >= region.start);
        if frame.own(name).is_none() {
            return false;
        }
        match is_certain {
            true => frame.remove(name),
            false => {
                self.doubts.losses += 1;
                frame.own(name).iter().for_each(|it| self.hidden.add(it));
                frame.set_own(name, Value::Unknown);
                true
            }
        }
    }
}
