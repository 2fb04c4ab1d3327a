//! Time of checks of sources with mask instructions: `cargo bench --bench masks`.
//!
//! Target: 1,000 files of 300 lines in 2 s on two cores. With headers, each file includes three of 20 headers of 200
//! lines, which include others.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use a2lint::check::{Settings, check};
use a2lint::frontend::is_library;
use a2lint::frontend::syntax_errors;
use a2lint::language::Language;
use a2lint::project::{Files, Folder, Project};
use a2lint::syntax::{pto, ptx};
use a2lint::text::SourceText;
use rayon::prelude::*;

/// Number of lines of a file.
const LINES: usize = 300;
/// Number of files of a project.
const FILES: usize = 1000;

/// Number of headers of a project.
const HEADERS: usize = 20;
/// Number of members of a header, of five lines each.
const MEMBERS: usize = 40;

/// Kinds of sources: test files, repeated up to the number of lines.
const KINDS: [&str; 8] = [
    "gather/split_pairs.cpp",
    "gather/threshold.cpp",
    "tsel/relu_pipeline.cpp",
    "tsel/library_helper.cpp",
    "tsel/level_two_manual.pto",
    "tsel/level_one.mlir",
    "ptx/conv_left_tap.ptx",
    "ptx/mma_wrappers.cuh",
];

fn main() {
    project();
    in_cpp(false);
    in_cpp(true);
    divan::main();
}

/// Prints the time for a project of all kinds, on all cores and on one.
fn project() {
    let sources: Vec<_> = KINDS.iter().map(|kind| source(kind)).collect();
    let lines = sources
        .iter()
        .map(|(source, _)| source.as_str().lines().count());
    let lines = lines.sum::<usize>() / KINDS.len();
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads");
        let best = (0..5).map(|_| pool.install(|| timed(&sources))).min();
        let best = best.unwrap_or_default();
        println!("{FILES} files of {lines} lines, {threads} threads: {best:.2?}");
    }
}

/// Prints the time for a project of the C++ kinds, with or without headers.
fn in_cpp(has_headers: bool) {
    let mut texts: HashMap<PathBuf, String> = (0..HEADERS).map(header).collect();
    let kinds = KINDS.iter().filter(|kind| kind.ends_with(".cpp"));
    let sources: Vec<String> = kinds
        .map(|kind| source(kind).0.as_str().to_owned())
        .collect();
    let paths: Vec<PathBuf> = (0..FILES)
        .map(|at| format!("/p/k{at}.cpp").into())
        .collect();
    for (at, path) in paths.iter().enumerate() {
        let mut text = String::new();
        for header in [at, at + 1, at + 2].into_iter().filter(|_| has_headers) {
            writeln!(text, "#include \"h{}.h\"", header % HEADERS).expect("a text");
        }
        texts.insert(path.clone(), text + &sources[at % sources.len()]);
    }
    let texts = Arc::new(texts);
    let what = match has_headers {
        true => "with headers",
        false => "in C++",
    };
    for threads in [1, 2] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.expect("threads");
        let best = (0..5)
            .map(|_| pool.install(|| timed_in_project(&texts, &paths)))
            .min();
        let best = best.unwrap_or_default();
        println!("{FILES} files {what}, {threads} threads: {best:.2?}");
    }
}

/// Generates a header with constants, classes, templates and includes of other headers.
fn header(at: usize) -> (PathBuf, String) {
    let mut text = String::from("#pragma once\n");
    for other in [at / 2, at / 3] {
        if other != at {
            writeln!(text, "#include \"h{other}.h\"").expect("a text");
        }
    }
    for member in 0..MEMBERS {
        writeln!(
            text,
            "namespace h{at} {{\nconstexpr int C{member} = {member} * 8;\n\
             template <typename T> struct S{member} {{ static constexpr int N = C{member} / sizeof(T); T x[4]; }};\n\
             inline int f{member}(int a) {{ int b = a + C{member}; if (b > 4) {{ b -= 2; }} return b; }}\n}}"
        )
        .expect("a text");
    }
    (format!("/p/h{at}.h").into(), text)
}

fn timed_in_project(texts: &Arc<HashMap<PathBuf, String>>, paths: &[PathBuf]) -> Duration {
    let known = texts.clone();
    let read = move |_: &Path, path: &Path| known.get(path).cloned();
    let files = Arc::new(Files::new(
        Box::new(read),
        Box::new(|_| Folder::default()),
        is_library,
    ));
    let start = Instant::now();
    let findings = paths.par_iter().map(|path| {
        let mut settings = Settings::default();
        settings.trace.project = Some(Project {
            root: "/p".into(),
            here: "/p".into(),
            path: path.clone(),
            files: files.clone(),
        });
        let source = SourceText::new(texts[path].as_str());
        check(&source, Language::Cpp, &settings).findings.len()
    });
    divan::black_box(findings.sum::<usize>());
    start.elapsed()
}

fn timed(sources: &[(SourceText, Language)]) -> Duration {
    let settings = Settings::default();
    let start = Instant::now();
    let findings = (0..FILES).into_par_iter().map(|at| {
        let (source, language) = &sources[at % sources.len()];
        check(source, *language, &settings).findings.len()
    });
    divan::black_box(findings.sum::<usize>());
    start.elapsed()
}

/// Generates a file of one kind.
fn source(kind: &str) -> (SourceText, Language) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/masks")
        .join(kind);
    let text = std::fs::read_to_string(&path).expect("a file of the repository");
    let copies = LINES.div_ceil(text.lines().count());
    let language = Language::of_path(&path).expect("an extension of ours");
    (SourceText::new(text.repeat(copies)), language)
}

#[divan::bench(args = KINDS)]
fn parsing(bencher: divan::Bencher, kind: &str) {
    let (source, language) = source(kind);
    bencher.bench(|| match language {
        Language::Cpp | Language::Cuda => Some(syntax_errors(&source, language)),
        Language::Ptx => Some(ptx::parse(source.as_str()).functions.len()),
        _ => pto::parse(source.as_str()).map(|module| module.ops.len()),
    });
}

#[divan::bench(args = KINDS)]
fn checking(bencher: divan::Bencher, kind: &str) {
    let (source, language) = source(kind);
    let settings = Settings::default();
    bencher.bench(|| check(&source, language, &settings));
}
