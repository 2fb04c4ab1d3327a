//! Front ends: sources in, programs and mask operations out.
//!
//! The Python DSLs are traced: [`dsl`] evaluates a file's syntax tree as Python would and never runs it. Each kernel is
//! traced once with symbolic arguments. The other languages are read for their mask instructions alone
//! ([`mask_operations`]).
//!
//! # Modules
//! - `dsl`: the way from a file to a `Module`. `tracer` holds the state; `statements`, `expressions`, `calls`,
//!   `copies`, `views`, `global_views` and `constructors` evaluate; `kernel` traces kernels; `bind` and `emit` hand
//!   calls to `ir::build`; `control` and `branches` decide what the device executes and what Python does; `launches`,
//!   `host` and `contracts` collect launches.
//! - `dsl::python`: the objects, functions and libraries of Python at trace time. A known library function is a row of
//!   a table of functions (`native`). `dsl::tensors`: tensors of host code, which share elements with their views.
//! - `dsl::unknown`, `dsl::doubts`, `dsl::effects`: code that cannot be followed, code that may not be executed, and
//!   what either may have changed.
//! - `dsl::dialects`: what sets the dialects apart (names, compiled control flow, annotated parameters, launches).
//! - `pto`: tiles in C++, which `a2lint-cpp` evaluates, and in assembly.
//! - `ptx`: tensor-core instructions of PTX modules and of `asm` statements in C++ (`ptx::inline`), with descriptors
//!   known bit by bit (`KnownBits`).
//!
//! # What it must not know
//! Analyses, rules and devices. A mistake that it notices is a `Note` or `PythonNote`; rules make findings of them.
//!
//! # Where to start reading
//! `dsl::trace_in`, `trace_file` in `dsl/mod.rs`; `kernel::trace_all`; `Tracer::statement`, `Tracer::eval`,
//! `Tracer::emit_call`. A further library function goes into one of the tables that `dsl/python/native.rs` lists. For
//! C++, [`mask_operations`], then `pto/cpp`; for PTX, `ptx::module` and `ptx/flow.rs`.
//!
//! # Invariants
//! - Evaluation never runs Python, and what it claims to know is what CPython computes
//!   (`what_the_evaluator_knows_is_what_python_computes` in `tests/it/python/differential.rs`; tensors against NumPy:
//!   `random_arrays_are_what_numpy_makes_of_them` in `tests/it/tensors.rs`).
//! - What cannot be evaluated is `Value::Unknown`, stays local, and is listed (`what_is_unknown_stays_local` in
//!   `tests/it/trace.rs`, `nothing_is_lost_in_silence` in `tests/it/silence.rs`, `tests/it/unknown_code.rs`).
//! - Stride inference looks at Python ints alone: `LocalView::static_span` remembers which extents were plain numbers,
//!   even where substitution later shows a variable to be constant (`tests/it/inference.rs`).
//! - One kernel written in both dialects gives the same program, findings and numbers (`tests/it/dialects`).
//! - Evaluation is bounded and nests as deep as CPython, on a stack of its own
//!   (`each_bound_leaves_out_what_comes_after`, `too_much_is_a_named_outcome` in `tests/it/python/hostile.rs`).
//!
//! # What it can miss
//! Loops and calls beyond the budget of steps, classes and library functions that no table knows, and files beyond the
//! bounds of `a2lint-project`: they are unknown, at named places. A
//! template of C++ without an instance in sight is reported as not analysed, and so is code under a condition of the
//! preprocessor that holds neither without nor with the macros that no file defines. `SECURITY.md` lists all bounds.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod dsl;
mod options;
pub mod pto;
pub mod ptx;

pub use dsl::{facade_names, is_library, is_python_builtin, module_dialect};
pub use options::TraceOptions;

use a2lint_ir::{MaskOperations, NotAnalysed, tile};
use a2lint_isa::masks::Target;
use a2lint_project::{Headers, MAX_BYTES, Project, SourceMap};
use a2lint_source::language::Language;
use a2lint_source::text::{SourceText, Span};
use a2lint_syntax as syntax;

/// Returns the number of places that do not parse; the largest number if the parser failed. A fix must not
/// increase it.
pub fn syntax_errors(source: &SourceText, language: Language) -> usize {
    let text = source.as_str();
    let errors = match language {
        Language::Easyasc => return syntax::python::parse(source).errors.len(),
        Language::Ptx => syntax::ptx::errors(text),
        Language::Cpp | Language::Cuda => cpp_errors(source),
        Language::Pto | Language::Mlir => syntax::pto::parse(text).map(|file| file.errors.len()),
    };
    errors.unwrap_or(usize::MAX)
}

/// Returns the number of syntax errors of C++, and of the assembly in its strings.
fn cpp_errors(source: &SourceText) -> Option<usize> {
    let (_, gaps) = ptx::inline_assembly(source);
    Some(pto::cpp_errors(source)? + gaps.len())
}

/// Returns the mask instructions of a file in a language other than the DSL, the texts that contain their places, and
/// what could not be read.
pub fn mask_operations(
    source: &SourceText,
    language: Language,
    project: Option<&Project>,
) -> (MaskOperations, SourceMap, Vec<NotAnalysed>) {
    let mut masks = MaskOperations::default();
    let mut map = SourceMap::alone(source);
    let mut gaps = Vec::new();
    let folders = project.and_then(folders);
    match language {
        Language::Ptx => (masks.mma, gaps) = ptx::module(source),
        Language::Cpp | Language::Cuda => {
            (masks.mma, gaps) = ptx::inline_assembly(source);
            map = cpp(source, project, &mut masks, &mut gaps);
        }
        Language::Pto | Language::Mlir => match pto::from_assembly(source, folders.as_deref()) {
            Some((tiles, errors)) => {
                gaps.extend(unread(source, &errors, ASSEMBLY, &tile_steps(&tiles)));
                masks.tiles = tiles;
            }
            None => gaps.push(too_costly()),
        },
        Language::Easyasc => {}
    }
    (masks, map, gaps)
}

/// Reads tiles of a C++ file, together with the files of its project that it is compiled with.
fn cpp(
    source: &SourceText,
    project: Option<&Project>,
    masks: &mut MaskOperations,
    gaps: &mut Vec<NotAnalysed>,
) -> SourceMap {
    let text = source.as_str();
    if !pto::FAMILY.iter().any(|word| text.contains(word)) {
        return SourceMap::alone(source);
    }
    if text.len() > MAX_BYTES {
        gaps.push(too_costly());
        return SourceMap::alone(source);
    }
    let headers = Headers::of(source, project, text.contains("template"));
    let not_read = headers.map.not_read.iter().cloned();
    gaps.extend(not_read.map(|reason| NotAnalysed {
        kernel: None,
        reason,
    }));
    let folders = project.and_then(folders);
    let (tiles, errors, found) = pto::from_cpp(source, &headers, project, folders.as_deref());
    masks.tiles = tiles;
    masks.tiles.without_scratch = project.map(pto::without_scratch).unwrap_or_default();
    gaps.extend(found);
    let read = tile_steps(&masks.tiles);
    gaps.extend(unread(source, &errors, pto::FAMILY, &read));
    headers.map
}

/// Returns the products for which the folders of a file are named, below the root of its project.
fn folders(project: &Project) -> Option<Vec<Target>> {
    Target::of_folders(project.path.strip_prefix(&project.root).ok()?)
}

/// The instructions for which PTO assembly is read.
const ASSEMBLY: &[&str] = &["tsel", "tcmp", "tassign"];

/// Returns the spans of the tile instructions that were read.
fn tile_steps(unit: &tile::Unit) -> Vec<Span> {
    let steps = unit.functions.iter().flat_map(|function| &function.steps);
    let steps = steps.filter(|step| step.kind != tile::StepKind::Unknown);
    steps.map(|step| step.span).collect()
}

/// Returns mentions of instructions in text that does not parse, one for each line, without those that were read
/// nevertheless.
fn unread(
    source: &SourceText,
    errors: &[Span],
    family: &'static [&str],
    read: &[Span],
) -> Vec<NotAnalysed> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    for error in errors {
        let text = source.as_str().get(error.range()).unwrap_or("");
        for word in family {
            let places = text.match_indices(word);
            let places = places.map(|(at, _)| error.start + at as u32);
            let open = places.filter(|&at| !read.iter().any(|span| span.touches(at)));
            lines.extend(open.map(|at| (source.line_column(at).line, *word)));
        }
    }
    lines.sort_unstable();
    lines.dedup();
    let gap = |(line, word): (usize, &str)| NotAnalysed {
        kernel: None,
        reason: format!("line {line}: `{word}` in text that cannot be read"),
    };
    lines.into_iter().map(gap).collect()
}

fn too_costly() -> NotAnalysed {
    NotAnalysed {
        kernel: None,
        reason: "too large, or too broken to be read in reasonable time".to_owned(),
    }
}
