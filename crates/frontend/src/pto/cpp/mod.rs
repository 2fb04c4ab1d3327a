//! Tiles in C++: the functions of a file are evaluated, and [`Tiles`] records what they do with tiles.
//!
//! Every function without template parameters is evaluated with arguments of which nothing is known, and so is, with
//! its arguments, each instance of a template that explicit instantiations, calls and the types of variables make. The
//! functions that those call are entered: with template arguments or numbers that a call passes they are instances of
//! their own. A template without an instance is evaluated with parameters of which nothing is known, and reported.
//!
//! A macro that a condition of the preprocessor asks for and no file defines may be given to the compiler: the file is
//! read without it and with it, and of a step that both have, what is the same is known.

mod conditions;
mod found;
mod instructions;
mod library;
mod shape;
mod types;

use std::cell::{Cell, RefCell};
use std::path::Path;
use std::sync::LazyLock;

use a2lint_cpp::eval::{Eval, FunctionId, STANDARD};
use a2lint_cpp::library::Evaluated;
use a2lint_cpp::syntax::ast::{Function, NoteKind, Stmt, StmtKind, Unit};
use a2lint_cpp::syntax::walk::{self, Node};
use a2lint_cpp::syntax::{Prelude, Reader, Settings, Source, mistakes};
use a2lint_ir::build::Builder;
use a2lint_ir::toolchain::ASCENDC;
use a2lint_ir::{NotAnalysed, tile};
use a2lint_isa::RepeatRounding;
use a2lint_isa::masks::{Target, Targets};
use a2lint_project::{Headers, MAX_BYTES, Project};
use a2lint_source::text::{SourceText, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use self::conditions::Directives;
use self::found::{Instance, MAX_BODIES};
use self::library::Tiles;
use self::shape::Regions;
use super::names::operations;

/// Devices with tiles.
pub(super) const DEVICES: &[Target] = &[Target::A2A3, Target::A5, Target::Kirin];

/// Words of which every function with tiles contains at least one.
const MARKERS: &[&str] = &["TSEL", "TCMP", "TASSIGN", "Tile<", "Event<"];

/// Maximum number of macros that a file is read with and without.
const MAX_ASKED: usize = 6;
/// Maximum number of evaluation steps for all functions of one file together, which take about a second.
const MAX_STEPS: u32 = 2_000_000;
/// Maximum number of evaluation steps of a function with all that it calls.
const MAX_STEPS_OF_ONE: u32 = 400_000;

/// Number of evaluation steps after which a function is evaluated from the beginning again.
const MAX_STEPS_KEPT: u32 = 50_000;

/// Macros of the tile library and of compilers that stand for attributes.
const MACROS: &[(&str, &str)] = &[
    ("AICORE", ""),
    ("PTO_INLINE", ""),
    ("PTO_INST", ""),
    ("PTO_INTERNAL", ""),
    ("TILEOP", ""),
];

fn concerns(text: &str) -> bool {
    MARKERS.iter().any(|marker| text.contains(marker))
}

fn gap(kernel: Option<&str>, reason: impl Into<String>) -> NotAnalysed {
    NotAnalysed {
        kernel: kernel.map(ToOwned::to_owned),
        reason: reason.into(),
    }
}

/// Returns what is read before every file.
fn shared() -> &'static Prelude {
    static TEXT: LazyLock<String> = LazyLock::new(|| {
        let tiles = include_str!("prelude.h");
        let names = operations().join(", ");
        let op = format!("namespace pto {{ enum class Op {{ {names} }}; }}");
        format!("{STANDARD}\n{op}\n{tiles}\n")
    });
    static SHARED: LazyLock<Prelude> = LazyLock::new(|| {
        Prelude::of(Settings {
            macros: MACROS,
            prelude: &TEXT,
            types: &["half", "bfloat16_t", "aclFloat16"],
            templates: &["Tile", "Event", "LocalTensor", "GlobalTensor"],
            functions: &[
                "TASSIGN",
                "TPOP",
                "TALLOC",
                "TLOAD",
                "TSTORE",
                "PipeBarrier",
            ],
        })
    });
    &SHARED
}

/// Returns the instructions that the project's tile library takes without a scratch tile; none if the library is not
/// part of the project.
pub fn without_scratch(project: &Project) -> Vec<&'static str> {
    let header = project.root.join(LIBRARY);
    let Some(header) = project.files.text(&project.root, &header) else {
        return Vec::new();
    };
    let is_without = |name: &&str| {
        let declared = format!("RecordEvent {name}(");
        // Overloads differ: an instruction needs no scratch tile only if no overload names one.
        let heads = header.as_str().split(&declared).skip(1);
        let mut heads = heads.filter_map(|rest| rest.split(')').next()).peekable();
        heads.peek().is_some() && heads.all(|head| !head.contains("tmp"))
    };
    ["TSEL", "TSELS"].into_iter().filter(is_without).collect()
}

/// The header that declares the instructions of the tile library.
const LIBRARY: &str = "include/pto/common/pto_instr.hpp";

/// Returns the number of places of a C++ text that do not parse; `None` if it is too large or too broken.
pub fn syntax_errors(source: &SourceText) -> Option<usize> {
    let text = source.clone();
    if text.as_str().len() > MAX_BYTES {
        return None;
    }
    let own = Source {
        path: Path::new("kernel.cpp").to_owned(),
        text,
        base: 0,
    };
    let unit = Reader::after(shared()).read(own, &Settings::default(), &mut |_, _| None);
    let is_over = unit.notes.iter().any(|note| is_bound(&note.kind));
    let mistake = mistakes::first(source.as_str(), &|_| false);
    (!is_over).then_some(unit.errors.len() + usize::from(mistake.is_some()))
}

/// Returns whether a note says that something was not read.
fn is_bound(kind: &NoteKind) -> bool {
    // What is nested too deeply is a statement that cannot be read.
    !matches!(
        kind,
        NoteKind::ErrorDirective(_) | NoteKind::Preprocessor(_) | NoteKind::TooDeep
    )
}

/// Returns the tiles of a C++ file, the places that do not parse, and what could not be read.
pub fn from_cpp(
    source: &SourceText,
    headers: &Headers,
    project: Option<&Project>,
    folders: Option<&[Target]>,
) -> (tile::Unit, Vec<Span>, Vec<NotAnalysed>) {
    let text = source.as_str();
    let mut targets = Targets::of(Target::named_in(text), folders, DEVICES);
    if text.contains("__CPU_SIM") {
        targets.add(Target::Cpu);
    }
    let file = File {
        source,
        headers,
        path: project.map_or(Path::new("kernel.cpp"), |it| &it.path),
    };
    let product = targets.compiled_for();
    let mut search = Search::of(file, product);
    search.all();
    search.note_left_out(targets.are_said(), product);
    search.note_instances();
    let errors = std::mem::take(&mut search.errors);
    let gaps = search.gaps.take();
    let unit = tile::Unit {
        targets,
        functions: search.functions(),
        ..tile::Unit::default()
    };
    (unit, errors, gaps)
}

/// A file with the files that belong to it.
#[derive(Clone, Copy)]
struct File<'h> {
    source: &'h SourceText,
    headers: &'h Headers,
    path: &'h Path,
}

impl File<'_> {
    fn own(&self) -> Source {
        Source {
            path: self.path.to_owned(),
            text: self.source.clone(),
            base: 0,
        }
    }

    fn find(&self, includer: &Path, name: &str) -> Option<Source> {
        if self.headers.includes_own(includer, name) {
            return Some(self.own());
        }
        let found = self.headers.included(includer, name)?;
        // A file that includes itself would only repeat it.
        if found.path == includer {
            return None;
        }
        Some(Source {
            path: found.path.to_owned(),
            text: found.text.clone(),
            base: u32::try_from(found.base).ok()?,
        })
    }

    /// Returns the main file of a translation unit.
    fn main_of(&self, translation: &[usize]) -> Option<Source> {
        match self.headers.main_of(translation) {
            None => Some(self.own()),
            Some(found) => Some(Source {
                path: found.path.to_owned(),
                text: found.text.clone(),
                base: u32::try_from(found.base).ok()?,
            }),
        }
    }
}

/// Macros with their values.
type Macros = Vec<(String, String)>;

/// A search for functions with tiles.
struct Search<'h> {
    file: File<'h>,
    directives: Directives,
    /// The macros that some file defines.
    defined: FxHashSet<String>,
    /// The macros of each reading.
    readings: Vec<Macros>,
    tiles: Tiles<'h>,
    /// For each reading, the parts of the file that were left out.
    skipped: Vec<Vec<Span>>,
    /// The functions of the file that have tiles.
    known: Vec<Known>,
    steps: Cell<u32>,
    errors: Vec<Span>,
    gaps: RefCell<Vec<NotAnalysed>>,
}

/// A function of the file with tiles.
#[derive(Debug, PartialEq)]
struct Known {
    name_span: Span,
    name: String,
    is_template: bool,
}

impl<'h> Search<'h> {
    fn of(file: File<'h>, product: Option<Target>) -> Search<'h> {
        let text = file.source.as_str();
        let directives = Directives::of(text);
        let mut defined = FxHashSet::default();
        for text in file.headers.texts() {
            defined.extend(Directives::of(text).defined);
        }
        let of_product = product.into_iter().flat_map(conditions::of_product);
        let of_product = of_product.filter(|(name, _)| !defined.contains(*name));
        let given: Macros = of_product
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .collect();
        let is_open = |name: &&str| {
            let is_known = product.is_some() && conditions::is_of_product(name);
            !is_known && !defined.contains(*name)
        };
        let mut asked: Vec<&str> = directives.asked().filter(is_open).collect();
        asked.sort_unstable();
        asked.dedup();
        let mut readings = vec![given.clone()];
        for name in asked.iter().take(MAX_ASKED) {
            for value in conditions::values(name) {
                let mut with = given.clone();
                with.push(((*name).to_owned(), value.to_owned()));
                readings.push(with);
            }
        }
        Search {
            file,
            readings,
            tiles: Tiles::of(text, &file.headers.map),
            directives,
            defined,
            skipped: Vec::new(),
            known: Vec::new(),
            steps: Cell::new(0),
            errors: Vec::new(),
            gaps: RefCell::default(),
        }
    }

    fn read(&self, translation: &[usize], macros: &Macros) -> Option<Unit> {
        let macros: Vec<_> = macros
            .iter()
            .map(|(name, value)| (&**name, &**value))
            .collect();
        let settings = Settings {
            macros: &macros,
            ..Settings::default()
        };
        let main = self.file.main_of(translation)?;
        let mut find = |includer: &Path, name: &str| self.file.find(includer, name);
        Some(Reader::after(shared()).read(main, &settings, &mut find))
    }

    fn all(&mut self) {
        let headers = self.file.headers;
        let Some((own, others)) = headers.translations().split_first() else {
            return;
        };
        for macros in self.readings.clone() {
            let Some(unit) = self.read(own, &macros) else {
                continue;
            };
            self.tiles.found.borrow_mut().begin();
            self.look_at(&unit);
            self.evaluate(&unit, true);
            if self.known.iter().any(|it| it.is_template) {
                for other in others {
                    if let Some(unit) = self.read(other, &macros) {
                        self.evaluate(&unit, false);
                    }
                }
            }
            self.rest(&unit);
        }
    }

    /// Notes what a reading of the file shows before anything is evaluated.
    fn look_at(&mut self, unit: &Unit) {
        let tiles = &self.tiles;
        if self.skipped.is_empty() {
            let errors = &mut self.errors;
            unread_in(&unit.items, &mut |span| {
                errors.extend(Some(span).filter(|it| tiles.is_own(*it)));
            });
        }
        self.skipped.push(unit.skipped.clone());
        for note in &unit.notes {
            if is_bound(&note.kind) {
                self.add_gap(gap(
                    None,
                    "too large, or too broken to be read in reasonable time",
                ));
            }
        }
        let known = &mut self.known;
        bodies_in(&unit.items, false, &mut |function, is_template| {
            if !tiles.is_own(function.path.span) {
                return;
            }
            tiles.shape.borrow_mut().add(function);
            if tiles.concerns(function) {
                let last = function.path.segments.last();
                let found = Known {
                    name: last.map_or("", |last| &last.name).to_owned(),
                    name_span: library::name_span(function),
                    is_template,
                };
                if !known.contains(&found) {
                    known.push(found);
                }
            }
        });
    }

    /// Evaluates what a translation unit starts by itself.
    fn evaluate(&self, unit: &Unit, is_own: bool) {
        let mut roots: Vec<Span> = Vec::new();
        functions_in(&unit.items, &mut |function| {
            let name = function.path.span;
            let is_root = function.templates.is_empty() && function.path.segments.len() == 1;
            // Of another file, everything may make instances of templates of this one.
            if is_root && function.body.is_some() && self.tiles.is_own(name) == is_own {
                roots.push(name);
            }
        });
        let mut evaluator = Evaluator::default();
        for name in roots {
            self.run_function(unit, &mut evaluator, name);
        }
        let count = Cell::new(0);
        self.run(unit, &mut evaluator, Span::default(), |eval, _| {
            count.set(eval.instantiated_in(&unit.items)?.len());
            Ok(())
        });
        for at in 0..count.get() {
            self.run(unit, &mut evaluator, Span::default(), |eval, _| {
                let all = eval.instantiated_in(&unit.items)?;
                match all.get(at) {
                    Some((function, template)) => eval.run_open(*function, Some(template), None),
                    None => Ok(()),
                }
            });
        }
    }

    /// Evaluates functions of the file that nothing calls, as far as that does not depend on what they are called with.
    fn rest(&self, unit: &Unit) {
        let mut evaluator = Evaluator::default();
        functions_in(&unit.items, &mut |function| {
            let name = function.path.span;
            if function.path.segments.len() == 1
                && !function.templates.is_empty()
                && self.tiles.concerns(function)
                && self.is_open(library::name_span(function))
            {
                self.run_function(unit, &mut evaluator, name);
            }
        });
        let mut evaluator = Evaluator::default();
        let done = Cell::new(0);
        let is_found = Cell::new(true);
        while is_found.replace(false) {
            self.run(unit, &mut evaluator, Span::default(), |eval, _| {
                eval.name_classes();
                for method in eval.methods()?.into_iter().skip(done.get()) {
                    done.set(done.get() + 1);
                    let Some(body) = eval.body_of(method.function)? else {
                        continue;
                    };
                    if self.tiles.concerns(body) && self.is_open(library::name_span(body)) {
                        is_found.set(true);
                        return eval.run_open(method.function, None, Some(&method.class));
                    }
                }
                Ok(())
            });
        }
    }

    /// Returns whether a function has not been evaluated, or not as a whole.
    fn is_open(&self, name: Span) -> bool {
        let found = self.tiles.found.borrow();
        let is_done = found.has(name) || found.of(name).any(|it| it.is_bound);
        !is_done || found.of(name).any(|it| it.is_cut)
    }

    /// Evaluates a function of a namespace with arguments of which nothing is known.
    fn run_function<'u>(&'u self, unit: &'u Unit, evaluator: &mut Evaluator<'u>, name: Span) {
        self.run(unit, evaluator, name, |eval, functions| {
            match functions.get(&name) {
                Some(function) => eval.run_open(*function, None, None),
                None => Ok(()),
            }
        });
    }

    /// Evaluates something, and then the methods of the instances of classes that it has named.
    fn run<'u>(
        &'u self,
        unit: &'u Unit,
        evaluator: &mut Evaluator<'u>,
        name: Span,
        work: impl FnOnce(&mut Eval<'u>, &Functions) -> Evaluated<()>,
    ) {
        if self.steps.get() >= MAX_STEPS {
            let reason = format!("evaluation of its functions takes more than {MAX_STEPS} steps");
            return self.add_gap(gap(None, reason));
        }
        let tiles = &self.tiles;
        tiles.start();
        let mut eval = evaluator.take(unit, tiles);
        let (before, classes) = (eval.steps_taken(), eval.classes_named());
        eval.limit_steps(before.saturating_add(MAX_STEPS_OF_ONE));
        let mut run = work(&mut eval, &evaluator.functions);
        if run.is_ok() && eval.classes_named() > classes {
            run = methods_of_instances(tiles, &mut eval);
        }
        let taken = eval.steps_taken() - before;
        self.steps.set(self.steps.get().saturating_add(taken));
        match run {
            Ok(()) => evaluator.keep(eval),
            Err(abort) => {
                let name = tiles.is_own(name).then(|| tiles.text_of(name));
                self.add_gap(gap(name, abort.reason()));
            }
        }
    }

    fn add_gap(&self, found: NotAnalysed) {
        let mut gaps = self.gaps.borrow_mut();
        if !gaps.contains(&found) {
            gaps.push(found);
        }
    }

    /// Adds what no reading of the file has seen.
    fn note_left_out(&self, is_product_said: bool, product: Option<Target>) {
        for part in &self.directives.parts {
            let is_skipped = |skipped: &Vec<Span>| {
                let mut spans = skipped.iter();
                spans.any(|it| it.start <= part.span.start && part.span.end <= it.end)
            };
            let is_seen = self.skipped.is_empty() || !self.skipped.iter().all(is_skipped);
            if is_seen || !concerns(self.tiles.text_of(part.span)) {
                continue;
            }
            let mut names = part.names.iter();
            let is_of_product =
                |name: &String| conditions::is_of_product(name) && !self.defined.contains(name);
            match product.filter(|_| names.clone().any(is_of_product)) {
                Some(product) if !is_product_said => self.add_gap(gap(
                    None,
                    format!(
                        "code for other products than {}: `// a2lint: device …` says which one is meant",
                        product.name()
                    ),
                )),
                Some(_) => {}
                None if names.all(|name| self.defined.contains(name)) => {}
                None => {
                    let line = self.file.source.line_column(part.span.start).line;
                    let what = "code under a condition that no file decides";
                    self.add_gap(gap(None, format!("line {line}: {what}")));
                }
            }
        }
    }

    /// Adds functions that were not evaluated as they are used.
    fn note_instances(&self) {
        let found = self.tiles.found.borrow();
        for known in &self.known {
            let name = known.name_span;
            let of_it = || found.of(name);
            let is_crowded = found.crowded.contains(&name);
            let reason = match known.is_template {
                true if !of_it().any(|it| it.is_bound) => {
                    "template without an instance: what depends on its parameters is not known"
                }
                true if is_crowded => "a template with more instances than are looked at",
                false if is_crowded => {
                    "a function that is called with more numbers than are looked at"
                }
                true if of_it().any(|it| it.is_cut) => {
                    "a branch of `if constexpr` that is not decided: it is read without arguments"
                }
                _ => continue,
            };
            let found = gap(Some(&known.name), reason);
            self.gaps.borrow_mut().push(found);
        }
        if found.is_unfinished && !self.known.is_empty() {
            self.add_gap(gap(
                None,
                format!(
                    "only the first {MAX_BODIES} functions and instances were searched for instances"
                ),
            ));
        }
    }

    /// Returns the functions with tiles in the order of the text.
    fn functions(self) -> Vec<tile::Function> {
        let text = self.tiles.text;
        let is_auto = text.contains("#define __PTO_AUTO__");
        let shape = self.tiles.shape.into_inner();
        let parts = self.directives.parts;
        let mut all = self.tiles.found.into_inner().instances;
        all.sort_by_key(|it| it.function.name_span);
        let finished = all.into_iter().map(|instance| {
            let Instance {
                mut function, span, ..
            } = instance;
            let places = shape
                .bodies
                .iter()
                .copied()
                .chain(parts.iter().map(|it| it.span));
            let regions = Regions::of(span, places);
            for step in &mut function.steps {
                step.region = regions.around(step.span);
            }
            function
                .steps
                .sort_by_key(|step| (step.span.end, step.span.start));
            function.regions = regions.list();
            // With automatic placement the library inserts its own synchronisation.
            function.manual &= !is_auto;
            (function, span)
        });
        let is_of_tiles = |step: &tile::Step| {
            !matches!(step.kind, tile::StepKind::Unknown | tile::StepKind::Sync(_))
        };
        let has_tiles = |(function, span): &(tile::Function, Span)| {
            let is_marked = text.get(span.range()).is_some_and(concerns);
            !function.tiles.is_empty()
                || !function.events.is_empty()
                || function
                    .steps
                    .iter()
                    .any(|step| is_marked || is_of_tiles(step))
        };
        finished
            .filter(has_tiles)
            .map(|(function, _)| function)
            .collect()
    }
}

/// The functions of namespaces that have bodies, by the places of their names.
type Functions = FxHashMap<Span, FunctionId>;

/// An evaluator that is used for one function after the other.
#[derive(Default)]
struct Evaluator<'u> {
    eval: Option<Eval<'u>>,
    functions: Functions,
}

impl<'u> Evaluator<'u> {
    /// Returns an evaluator that has evaluated little.
    fn take(&mut self, unit: &'u Unit, tiles: &'u Tiles<'u>) -> Eval<'u> {
        if let Some(known) = self.eval.take() {
            return known;
        }
        let span = Span::default();
        let builder = Builder::new(String::new(), (span, span), &ASCENDC, RepeatRounding::Up);
        let mut eval = Eval::new(&[unit], tiles, builder);
        let all = eval.all_functions().into_iter();
        let all = all.filter(|(_, decl)| decl.body.is_some());
        self.functions = all.map(|(id, decl)| (decl.path.span, id)).collect();
        eval
    }

    /// Keeps an evaluator for the next function, for which no variable has the value that this one has left.
    fn keep(&mut self, mut eval: Eval<'u>) {
        if eval.steps_taken() < MAX_STEPS_KEPT && eval.forget_variables().is_ok() {
            self.eval = Some(eval);
        }
    }
}

/// Evaluates the methods of instances of class templates that nothing has called.
fn methods_of_instances(tiles: &Tiles<'_>, eval: &mut Eval<'_>) -> Evaluated<()> {
    let mut done = 0;
    loop {
        let all = eval.methods()?;
        let Some(method) = all.get(done).cloned() else {
            return Ok(());
        };
        done += 1;
        let is_plain = method.declaration.templates.is_empty();
        if !method.is_of_instance || !is_plain {
            continue;
        }
        let Some(body) = eval.body_of(method.function)? else {
            continue;
        };
        if tiles.is_own(body.path.span) && !tiles.has_run(eval, body, &method.class) {
            eval.run_open(method.function, None, Some(&method.class))?;
        }
    }
}

/// Calls `see` with the functions of namespaces.
fn functions_in<'u>(items: &'u [Stmt], see: &mut dyn FnMut(&'u Function)) {
    for item in items {
        match &item.kind {
            StmtKind::Function(function) => see(function),
            StmtKind::Namespace(_, items) => functions_in(items, see),
            _ => {}
        }
    }
}

/// Calls `see` with the statements that cannot be read.
fn unread_in(items: &[Stmt], see: &mut dyn FnMut(Span)) {
    for item in items {
        match &item.kind {
            StmtKind::Unknown(_) => see(item.span),
            StmtKind::Namespace(_, items) => unread_in(items, see),
            StmtKind::Class(class) => {
                unread_in(class.members.as_deref().unwrap_or_default(), see);
            }
            StmtKind::Function(function) => {
                let body = function.body.as_deref().unwrap_or_default();
                walk::body(body, &mut |node| match node {
                    Node::Stmt(stmt) if matches!(stmt.kind, StmtKind::Unknown(_)) => {
                        see(stmt.span);
                    }
                    _ => {}
                });
            }
            _ => {}
        }
    }
}

/// Calls `see` with all functions that have bodies, and whether they need arguments of templates.
fn bodies_in<'u>(items: &'u [Stmt], is_of_template: bool, see: &mut dyn FnMut(&'u Function, bool)) {
    for item in items {
        match &item.kind {
            StmtKind::Function(function) if function.body.is_some() => {
                let mut templates = function.templates.iter();
                let is_template = templates.any(|it| !it.parameters.is_empty());
                see(function, is_template || is_of_template);
            }
            StmtKind::Namespace(_, items) => bodies_in(items, is_of_template, see),
            StmtKind::Class(class) => {
                let template = class.template.as_ref();
                let is_template = template.is_some_and(|it| !it.parameters.is_empty());
                let members = class.members.as_deref().unwrap_or_default();
                bodies_in(members, is_template || is_of_template, see);
            }
            _ => {}
        }
    }
}
