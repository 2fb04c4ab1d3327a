//! How long sources with mask instructions take: `cargo bench --bench masks`.
//!
//! Target: 1,000 files of 300 lines in 2 s on two cores.

use std::path::Path;
use std::time::{Duration, Instant};

use a2lint::check::{Settings, check};
use a2lint::language::Language;
use a2lint::syntax::{cpp, pto, ptx};
use a2lint::text::SourceText;
use rayon::prelude::*;

/// Lines of a file.
const LINES: usize = 300;
/// Files of a project.
const FILES: usize = 1000;

/// Kinds of sources: test files, each again and again until there are lines enough.
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
    divan::main();
}

/// Prints how long a project of all kinds takes, on all cores and on one.
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

/// A file of one kind.
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
        Language::Cpp | Language::Cuda => cpp::parse(&source).map(|unit| unit.items.len()),
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
