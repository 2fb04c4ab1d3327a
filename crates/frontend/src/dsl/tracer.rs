//! The tracer: state of one evaluation, simple statements and assignment.

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

/// Evaluation steps of one kernel, or of the module.
const STEPS: u32 = 2_000_000;
/// Items that are copied or compared in a step.
const ITEMS_PER_STEP: usize = 4;

/// Evaluation does not go on here.
pub(super) enum Abort {
    /// Nowhere, for this reason.
    Limit(String),
    /// But where the exception is caught that the tracer holds.
    Raised,
}

impl Abort {
    /// The reason, in words.
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

/// How a statement ended.
pub(super) enum Flow<'a> {
    Normal,
    Break,
    Continue,
    Return(Value<'a>),
    /// It raises.
    Raise,
}

/// Evaluates one file.
pub(super) struct Tracer<'a> {
    pub source: &'a SourceText,
    pub file: &'a ast::File,
    /// The lines that do not parse, in order.
    pub broken_lines: Vec<Span>,
    pub repeat_rounding: RepeatRounding,
    /// What the kernels traced until now have taken together.
    pub budget: Budget,
    /// The type of floats that torch makes where nothing says another; `None` where that is not known.
    pub torch_float: Option<DType>,
    /// The dialect of the kernel being traced.
    pub dialect: Dialect,
    pub frame: Frame<'a>,
    /// The kernel being traced; `None` at module level and in host code.
    pub kernel: Option<Builder>,
    pub kernels: Vec<Rc<Function<'a>>>,
    /// Definitions that were evaluated, by their whole text.
    pub defined: HashSet<Span>,
    pub launches: Vec<Launch>,
    /// What kernels are compiled for.
    pub bindings: Vec<Case>,
    /// What they have computed.
    pub results: Results,
    /// Why kernels for other devices are not analysed.
    pub obstacles: Vec<String>,
    /// Kernels with launches beyond those that are read.
    pub unread_launches: Vec<String>,
    pub notes: Vec<Note>,
    /// The file with those that it is evaluated with.
    pub modules: &'a Modules,
    /// Other files that have been evaluated, or are being, with their scopes.
    pub loaded: Vec<(&'a Path, Frame<'a>)>,
    /// Files that are being evaluated because another one imports them.
    pub nested_files: usize,
    /// Whether the function being evaluated is a kernel or `@func()`, whose `if` is rewritten for
    /// the device.
    pub rewritten: bool,
    /// Whether the tree of what is being evaluated is compiled.
    pub compiled: bool,
    /// Names that ended regions have bound, with the regions.
    pub gone: FxHashMap<String, Option<Span>>,
    /// Whether an atomic region is around what is being evaluated.
    pub is_in_atomic: bool,
    /// Loops around what is being evaluated, in compiled code.
    pub loop_kinds: Vec<LoopKind>,
    /// Names that something in the file binds, once they have been asked for; `None` where more
    /// may be bound than can be told.
    pub bound: OnceCell<Option<HashSet<String>>>,
    /// Where the kernel uses names that nobody knows.
    pub undefined: HashSet<Span>,
    /// Functions that kernels call, by their whole text.
    pub called: HashSet<Span>,
    /// Vector expressions that were bound to a name: `x = a + b`.
    pub pending: Vec<(Rc<VectorExpr<'a>>, String, Span)>,
    frames: Vec<Frame<'a>>,
    pub steps: u32,
    pub calls: u32,
    /// How deep calls may be nested.
    pub stack: Stack,
    /// The functions being evaluated, with their scopes, outermost first.
    pub running: Vec<(Rc<Function<'a>>, Frame<'a>)>,
    /// What `yield` does, innermost last.
    pub yields: Vec<Yielding<'a>>,
    /// Exceptions, and what is not known to be executed.
    pub doubts: Doubts<'a>,
    /// Objects that a value which is not known may be.
    pub hidden: Hidden<'a>,
    /// What programs have changed of Python and its libraries.
    pub changed: Changed<'a>,
    /// Whether a function that nobody calls is evaluated, for what it defines.
    pub is_looking: bool,
    /// What `auto()` gives to the next member of an enumeration.
    pub next_member: Option<i128>,
    /// Whether names may be bound that nothing shows: by `from module import *` of what is not known.
    pub has_open_names: bool,
    /// Iterators that are being asked for an item, one inside of the other.
    pub nested_iterators: u32,
    /// Whether an attribute is being set past `__setattr__`.
    pub is_raw: bool,
    /// The names that functions bind, by the whole text of the function.
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

    /// Frees the scopes, which hold each other through closures.
    pub fn dispose(self) {
        self.frames.iter().for_each(Frame::clear);
    }

    /// Nothing is left open of what was traced, however it ended.
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

    /// Accounts for work on so many items, of which several are as quick as one step.
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

    /// The scope of another file.
    pub fn new_root(&mut self) -> Frame<'a> {
        let frame = Frame::new(None);
        self.frames.push(frame.clone());
        frame
    }

    /// The scope of the file that is checked.
    pub fn own_module(&self) -> Frame<'a> {
        self.frames[0].clone()
    }

    pub fn new_frame_of_comprehension(&mut self) -> Frame<'a> {
        let frame = Frame::of_comprehension(self.frame.for_functions());
        self.frames.push(frame.clone());
        frame
    }

    /// The scope of a class body. The scope around it holds `__class__`, which its methods see.
    pub fn new_frame_of_class(&mut self) -> Frame<'a> {
        let cell = self.new_frame(self.frame.for_functions());
        let frame = Frame::of_class(cell);
        self.frames.push(frame.clone());
        frame
    }

    /// The program under construction. Only called where a kernel is known to be traced.
    pub fn builder(&mut self) -> &mut Builder {
        self.kernel
            .as_mut()
            .expect("device code is traced inside a kernel")
    }

    /// Whether the kernel being traced is of a dialect that is compiled.
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

    /// A statement that raises while tracing; only kernels are held to that.
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

    /// A name of a scope that code may have changed which is not known: of a facade, it is taken to be what it was.
    pub fn lost(&self, name: &str) -> Value<'a> {
        let of_facade = || facade::facade_name(self.frame.star()?, name);
        of_facade().unwrap_or(Value::Unknown)
    }

    /// What a name means that no scope of the file binds.
    pub fn outermost(&self, name: &str) -> Option<Value<'a>> {
        let of_facade = || facade::facade_name(self.frame.star()?, name);
        of_facade().or_else(|| self.python_name(name))
    }
}
