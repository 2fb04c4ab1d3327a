//! The tracer: the state of one evaluation.

use std::cell::OnceCell;
use std::collections::HashSet;
use std::path::Path;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::budget::Budget;
use super::dialects;
use super::dialects::ascriptor::control::LoopKind;
use super::dialects::ascriptor::launches::Case;
use super::doubts::Doubts;
use super::effects::Hidden;
use super::facade;
use super::frame::Found;
use super::host::Results;
use super::python::generators::Yielding;
use super::python::names::Changed;
use super::stack::Stack;
use super::value::{Frame, Function, Value, VectorExpr};
use a2lint_ir::build::{Builder, TooLarge};
use a2lint_ir::{Launch, Note, NoteKind, OriginId, PythonNote, StmtKind};
use a2lint_isa::{DType, Dialect, RepeatRounding};
use a2lint_project::Modules;
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax::python::ast::{self};

/// Maximum number of evaluation steps of one kernel, or of the module.
const STEPS: u32 = 2_000_000;
/// Number of items that are copied or compared in the time of one step.
const ITEMS_PER_STEP: usize = 4;

/// The reason why the evaluation of the current code cannot continue.
pub(super) enum Abort {
    /// A bound was reached, which the text names; the evaluation of the kernel or file ends.
    Limit(String),
    /// A Python exception propagates, which the tracer holds; its handler continues.
    Raised,
}

impl Abort {
    /// Returns the reason in words.
    pub fn reason(self) -> String {
        match self {
            Abort::Limit(reason) => reason,
            Abort::Raised => "it raises an exception".to_owned(),
        }
    }
}

pub(super) type Eval<T> = Result<T, Abort>;

impl From<TooLarge> for Abort {
    fn from(_: TooLarge) -> Abort {
        Abort::Limit("the traced program is too large".into())
    }
}

/// The outcome of a statement.
pub(super) enum Flow<'a> {
    Normal,
    Break,
    Continue,
    Return(Value<'a>),
    /// An exception was raised.
    Raise,
}

/// The evaluation of one file.
pub(super) struct Tracer<'a> {
    pub source: &'a SourceText,
    pub file: &'a ast::File,
    /// The lines that do not parse, in order.
    pub broken_lines: Vec<Span>,
    pub repeat_rounding: RepeatRounding,
    /// The resources used by the kernels traced so far.
    pub budget: Budget,
    /// torch's default float type; `None` if it is unknown.
    pub torch_float: Option<DType>,
    /// The dialect of the kernel that is being traced.
    pub dialect: Dialect,
    pub frame: Frame<'a>,
    /// The kernel that is being traced; `None` at module level and in host code.
    pub kernel: Option<Builder>,
    pub kernels: Vec<Rc<Function<'a>>>,
    /// Definitions that were evaluated, by their full span.
    pub defined: HashSet<Span>,
    pub launches: Vec<Launch>,
    /// The arguments that kernels are compiled for.
    pub bindings: Vec<Case>,
    /// The tensors that launches have computed.
    pub results: Results,
    /// Why kernels for other devices are not analysed.
    pub obstacles: Vec<String>,
    /// Kernels with more launches than are read.
    pub unread_launches: Vec<String>,
    pub notes: Vec<Note>,
    /// The file and the files that it is evaluated with.
    pub modules: &'a Modules,
    /// Other files that have been (or are being) evaluated, with their scopes.
    pub loaded: Vec<(&'a Path, Frame<'a>)>,
    /// Number of files that are being evaluated because another one imports them.
    pub nested_files: usize,
    /// Whether the function being evaluated is a kernel or `@func()`, whose `if` is rewritten for the device.
    pub rewritten: bool,
    /// Whether the code being evaluated is compiled from its syntax tree.
    pub compiled: bool,
    /// Names bound in device regions that have ended, with the regions.
    pub gone: FxHashMap<String, Option<Span>>,
    /// Whether an atomic region encloses the current code.
    pub is_in_atomic: bool,
    /// Loops around the current code, in compiled code.
    pub loop_kinds: Vec<LoopKind>,
    /// Names that something in the file binds, computed on demand; `None` if that cannot be determined.
    pub bound: OnceCell<Option<HashSet<String>>>,
    /// Where the kernel uses undefined names.
    pub undefined: HashSet<Span>,
    /// Functions that kernels call, by their full span.
    pub called: HashSet<Span>,
    /// Vector expressions that were bound to a name: `x = a + b`.
    pub pending: Vec<(Rc<VectorExpr<'a>>, String, Span)>,
    frames: Vec<Frame<'a>>,
    pub steps: u32,
    pub calls: u32,
    /// The limits for nested calls.
    pub stack: Stack,
    /// The functions being evaluated, with their scopes, outermost first.
    pub running: Vec<(Rc<Function<'a>>, Frame<'a>)>,
    /// What `yield` does in each generator being evaluated, innermost last.
    pub yields: Vec<Yielding<'a>>,
    /// Exceptions, and code that may not be executed.
    pub doubts: Doubts<'a>,
    /// Objects that an unknown value may refer to.
    pub hidden: Hidden<'a>,
    /// What the program has changed in Python and its libraries.
    pub changed: Changed<'a>,
    /// Whether a function without callers is being evaluated for its definitions.
    pub is_looking: bool,
    /// The value that `auto()` gives to the next member of an enumeration.
    pub next_member: Option<i128>,
    /// Whether names may be bound without a visible binding, by `from module import *` of an unknown module.
    pub has_open_names: bool,
    /// Number of iterators that are being asked for an item, nested in each other.
    pub nested_iterators: u32,
    /// Whether an attribute is being set by `object.__setattr__`, past the class's own `__setattr__`.
    pub is_raw: bool,
    /// The names that functions bind, by the full span of the function.
    pub locals: FxHashMap<Span, Rc<FxHashSet<&'a str>>>,
}

impl<'a> Tracer<'a> {
    pub fn new(
        modules: &'a Modules,
        file: &'a ast::File,
        repeat_rounding: RepeatRounding,
        stack: Stack,
    ) -> Self {
        let source = &modules.map.source;
        let frame = Frame::new(None);
        Tracer {
            source,
            file,
            broken_lines: super::unknown::broken_lines(source, file),
            bound: OnceCell::new(),
            undefined: HashSet::new(),
            called: HashSet::new(),
            repeat_rounding,
            budget: Budget::default(),
            torch_float: Some(DType::Float),
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
            modules,
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
            stack,
            running: Vec::new(),
            yields: Vec::new(),
            doubts: Doubts::default(),
            hidden: Hidden::default(),
            changed: Changed::default(),
            is_looking: false,
            next_member: Some(1),
            has_open_names: false,
            nested_iterators: 0,
            is_raw: false,
            locals: FxHashMap::default(),
        }
    }

    /// Clears the scopes, which hold each other through closures.
    pub fn dispose(self) {
        self.frames.iter().for_each(Frame::clear);
    }

    /// Resets everything that a trace may have left open, however it ended.
    pub fn after_trace(&mut self) {
        self.frame = self.own_module();
        self.nested_files = 0;
        self.rewritten = false;
        self.compiled = false;
        self.gone.clear();
        self.loop_kinds.clear();
        self.is_in_atomic = false;
        self.calls = 0;
        self.nested_iterators = 0;
        self.doubts.settle();
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
            let reason = format!("tracing takes more than {STEPS} steps");
            return Err(Abort::Limit(reason));
        }
        Ok(())
    }

    /// Accounts for work on `items` items; several of them take as long as one step.
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

    /// Creates the scope of another file.
    pub fn new_root(&mut self) -> Frame<'a> {
        let frame = Frame::new(None);
        self.frames.push(frame.clone());
        frame
    }

    /// Returns the scope of the checked file.
    pub fn own_module(&self) -> Frame<'a> {
        self.frames[0].clone()
    }

    pub fn new_frame_of_comprehension(&mut self) -> Frame<'a> {
        // A comprehension in a class body does not see the names of the class.
        let frame = Frame::of_comprehension(self.frame.for_functions());
        self.frames.push(frame.clone());
        frame
    }

    /// Creates the scope of a class body. Its parent holds `__class__`, which methods see.
    pub fn new_frame_of_class(&mut self) -> Frame<'a> {
        let cell = self.new_frame(self.frame.for_functions());
        let frame = Frame::of_class(cell);
        self.frames.push(frame.clone());
        frame
    }

    /// Returns the program under construction; must be called only while a kernel is traced.
    pub fn builder(&mut self) -> &mut Builder {
        self.kernel
            .as_mut()
            .expect("device code is traced inside a kernel")
    }

    /// Returns whether the kernel being traced is of a compiled dialect.
    pub fn is_compiled(&self) -> bool {
        self.in_kernel() && dialects::is_compiled(self.dialect)
    }

    pub fn in_kernel(&self) -> bool {
        self.kernel.is_some()
    }

    pub fn emit(&mut self, kind: StmtKind) -> Eval<()> {
        Ok(self.builder().emit(kind)?)
    }

    pub fn note(&mut self, span: Span, kind: impl Into<NoteKind>) {
        match &mut self.kernel {
            Some(builder) => builder.note(span, kind),
            None => self.notes.push(Note {
                span,
                origin: OriginId(0),
                kind: kind.into(),
            }),
        }
    }

    /// Notes a statement that raises at trace time. Host code is not reported.
    // Host code may catch the exception, or be evaluated with unknown values.
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
        // A handler around the statement may catch the exception, and then it is no mistake.
        if self.in_kernel() && self.doubts.is_tried() && !self.compiled {
            self.doubt();
            return;
        }
        if self.in_kernel() {
            let message = message.into();
            self.note(
                span,
                PythonNote::TraceError {
                    exception,
                    message,
                    help,
                },
            );
        }
    }

    /// Returns whether a statement of the kernel raises.
    pub fn has_raised(&mut self) -> bool {
        let notes = &self.builder().program.notes;
        let raises =
            |note: &Note| matches!(note.kind, NoteKind::Python(PythonNote::TraceError { .. }));
        notes.iter().any(raises)
    }

    // Whitespace is normalised, as the text may span several lines.
    pub fn text(&self, span: Span) -> String {
        self.source
            .slice(span)
            .split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
    }

    pub fn lookup(&self, name: &str) -> Option<Value<'a>> {
        match self.frame.find(name) {
            Found::Bound(value) => Some(value),
            Found::Unbound => None,
            Found::Lost => Some(self.lost(name)),
            Found::Nowhere => self.outermost(name),
        }
    }

    /// Returns the value of a name whose scope may have been changed by unknown code: names of the facade are taken
    /// to be unchanged.
    // Otherwise one call of `exec` would make every instruction of the kernel unknown.
    pub fn lost(&self, name: &str) -> Value<'a> {
        let of_facade = || facade::facade_name(self.frame.star()?, name);
        of_facade().unwrap_or(Value::Unknown)
    }

    /// Returns the value of a name that no scope of the file binds.
    pub fn outermost(&self, name: &str) -> Option<Value<'a>> {
        let of_facade = || facade::facade_name(self.frame.star()?, name);
        of_facade().or_else(|| self.python_name(name))
    }
}
