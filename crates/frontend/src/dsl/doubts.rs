//! Exceptions of host code, and code that may not be executed.
//!
//! If it is unknown whether a part of host code is executed, that part is a region: what it changes of objects and
//! scopes older than the region is unknown afterwards. The names of the region's own scope are the exception: the
//! code that opens the region evaluates all ways and joins their bindings itself.

use super::items::{Shared, birth};
use super::tracer::{Abort, Eval, Tracer};
use super::value::{Frame, Value};

/// The uncertainty about the host code that is being evaluated.
#[derive(Default)]
pub(super) struct Doubts<'a> {
    /// The exception that is propagating.
    pub raised: Option<Value<'a>>,
    /// The exceptions that are being handled, innermost last.
    pub handled: Vec<Value<'a>>,
    /// `try` statements with handlers around the current code, and whether something in them may have raised.
    tries: Vec<Try<'a>>,
    regions: Vec<Region<'a>>,
    /// Number of evaluations that failed so far; each of them may have raised.
    count: u32,
    /// For each function being evaluated, innermost last: the values that it may have returned early.
    pub returns: Vec<Vec<Value<'a>>>,
    /// For each loop being evaluated, innermost last: whether it may have ended early.
    pub loops: Vec<bool>,
    /// Number of changes in regions to objects older than the region.
    losses: u32,
    /// Whether the propagating exception is the `GeneratorExit` with which the evaluation stops a generator; no handler
    /// catches it.
    pub is_stopping: bool,
    /// Whether the stopped generator is abandoned without being closed: its `finally` blocks are not executed.
    pub is_abandoned: bool,
}

/// A part of a program that may not be executed.
struct Region<'a> {
    start: u64,
    /// The scope whose names the opener of the region joins itself.
    frame: Frame<'a>,
    /// The index of the `try` whose remaining statements form this region; `None` for any other region.
    of_try: Option<usize>,
}

/// A `try` with handlers.
struct Try<'a> {
    /// The scope of the `try` statement.
    frame: Frame<'a>,
    /// Whether something in it may have raised.
    is_doubtful: bool,
}

/// Number of open regions, so that those opened later can be closed.
#[derive(Clone, Copy)]
pub(super) struct Depth(usize);

impl<'a> Doubts<'a> {
    /// Closes every region, `try`, loop and call, as after an exception that nothing catches.
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

    /// Returns whether a `try` with handlers encloses the current code.
    pub fn is_tried(&self) -> bool {
        !self.tries.is_empty()
    }

    pub fn depth(&self) -> Depth {
        Depth(self.regions.len())
    }

    /// Closes the regions opened since `depth`, except the rest of a `try` that is still open.
    pub fn close(&mut self, depth: Depth) {
        let (mut at, tries) = (0, self.tries.len());
        self.regions.retain(|region| {
            at += 1;
            at <= depth.0 || region.of_try.is_some_and(|of| of < tries)
        });
    }

    /// Opens a `try` with handlers in a scope.
    pub fn open_try(&mut self, frame: &Frame<'a>) {
        self.tries.push(Try {
            frame: frame.clone(),
            is_doubtful: false,
        });
    }

    /// Closes the innermost `try`; returns whether something in it may have raised.
    pub fn close_try(&mut self) -> bool {
        self.tries.pop().is_some_and(|it| it.is_doubtful)
    }

    /// Returns whether an object with this birth number can be changed with certainty: it is younger than the innermost
    /// region.
    pub fn is_certain(&self, born: u64) -> bool {
        self.regions
            .last()
            // Code that reaches a younger object is in the same region, so the change and the object exist together
            // or not at all.
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

    /// Records that something could not be evaluated. It may have raised, so the rest of every enclosing `try` may
    /// not be executed.
    pub fn doubt(&mut self) {
        self.doubts.count = self.doubts.count.saturating_add(1);
        let in_kernel = self.in_kernel();
        let doubts = &mut self.doubts;
        // If a `try` is doubtful, every enclosing one is, so the search can stop there.
        let known = doubts.tries.iter().rposition(|it| it.is_doubtful);
        let first = known.map_or(0, |at| at + 1);
        for (at, it) in doubts.tries.iter_mut().enumerate().skip(first) {
            it.is_doubtful = true;
            // In a kernel, exceptions are not followed, and the whole body is traced as executed.
            if !in_kernel {
                doubts.regions.push(Region {
                    start: birth(),
                    frame: it.frame.clone(),
                    of_try: Some(at),
                });
            }
        }
    }

    /// Records a doubt and returns the value, which cannot be known.
    pub fn doubtful<T>(&mut self, value: T) -> T {
        self.doubt();
        value
    }

    /// Records a doubt and returns unknown: the value of an operation that is not modelled.
    pub fn not_followed(&mut self) -> Eval<Value<'a>> {
        self.doubt();
        Ok(Value::Unknown)
    }

    /// Returns whether a container may be changed in place. If the change may not happen, it is counted as a loss.
    pub fn may_change<T>(&mut self, shared: &Shared<T>) -> bool {
        let is_certain = self.doubts.is_certain(shared.born());
        if !is_certain {
            self.doubts.losses += 1;
        }
        is_certain
    }

    /// Raises a Python exception in host code. In a kernel, it records a doubt and returns `otherwise`, and tracing
    /// goes on.
    pub fn throw<T>(&mut self, class: &'static str, otherwise: T) -> Eval<T> {
        // Evaluation of kernels is approximate (symbolic sizes, both arms of branches), so an exception there may not
        // happen on any real launch.
        if self.in_kernel() {
            self.doubt();
            return Ok(otherwise);
        }
        let exception = self.exception(class, None);
        self.doubts.raised = Some(exception);
        Err(Abort::Raised)
    }

    /// Runs code whose exceptions do not propagate; returns `otherwise` if it raises.
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

    /// Binds a name in the scope in which an assignment binds it (`global`, `nonlocal`).
    pub fn bind_name(&mut self, name: &str, value: Value<'a>) {
        let frame = self.frame.binding(name);
        self.bind_in(&frame, name, value);
    }

    /// Binds a name of a scope. In a region, the name becomes unknown unless its value stays the same: it may be the
    /// old or the new one.
    pub fn bind_in(&mut self, frame: &Frame<'a>, name: &str, value: Value<'a>) {
        let region = self.doubts.regions.last();
        let is_certain = region.is_none_or(|region| {
            // Names of the region's own scope are bound normally, as the opener of the region joins them.
            frame.born() >= region.start || (frame.is(&region.frame) && self.frame.is(frame))
        });
        if is_certain {
            frame.set_own(name, value);
            return;
        }
        self.doubts.losses += 1;
        let former = frame.own(name);
        if former
            .as_ref()
            .is_some_and(|former| former.is_alike(&value))
        {
            return;
        }
        // Either object may be meant by the name from here on, so changes through it may concern both.
        self.hidden.add(&value);
        former.iter().for_each(|former| self.hidden.add(former));
        frame.set_own(name, Value::Unknown);
    }

    /// Deletes a name of a scope; returns `false` if it has no such name.
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
