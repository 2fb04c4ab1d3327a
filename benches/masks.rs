//! How long sources with mask instructions take: `cargo bench --bench masks`.
//!
//! Target: 1,000 files of 300 lines in 2 s on two cores.

use a2lint::check::{Settings, check};
use a2lint::language::Language;
use a2lint::syntax::{cpp, pto};
use a2lint::text::SourceText;
use rayon::prelude::*;

/// Lines of a file.
const LINES: usize = 300;
/// Files of a project.
const FILES: usize = 1000;

/// Kinds of sources.
const KINDS: [&str; 3] = ["gather.cpp", "tsel.cpp", "tsel.pto"];

fn main() {
    divan::main();
}

/// A file of one kind: a test file again and again, until it has enough lines.
fn source(kind: &str) -> (SourceText, Language) {
    let (text, language) = match kind {
        "gather.cpp" => (
            include_str!("../tests/masks/gather/split_pairs.cpp"),
            Language::Cpp,
        ),
        "tsel.cpp" => (
            include_str!("../tests/masks/tsel/relu_pipeline.cpp"),
            Language::Cpp,
        ),
        _ => (
            include_str!("../tests/masks/tsel/level_two.pto"),
            Language::Pto,
        ),
    };
    let lines: Vec<&str> = text.lines().cycle().take(LINES).collect();
    (SourceText::new(lines.join("\n")), language)
}

#[divan::bench(args = KINDS)]
fn parsing(bencher: divan::Bencher, kind: &str) {
    let (source, language) = source(kind);
    bencher.bench(|| match language {
        Language::Cpp => cpp::parse(&source).map(|unit| unit.items.len()),
        _ => pto::parse(source.as_str()).map(|module| module.ops.len()),
    });
}

#[divan::bench(args = KINDS)]
fn checking(bencher: divan::Bencher, kind: &str) {
    let (source, language) = source(kind);
    let settings = Settings::default();
    bencher.bench(|| check(&source, language, &settings));
}

/// All cores at once.
#[divan::bench(sample_count = 5)]
fn a_project(bencher: divan::Bencher) {
    let sources: Vec<_> = KINDS.iter().map(|kind| source(kind)).collect();
    let settings = Settings::default();
    bencher.bench(|| {
        (0..FILES)
            .into_par_iter()
            .map(|at| {
                let (source, language) = &sources[at % sources.len()];
                check(source, *language, &settings).findings.len()
            })
            .sum::<usize>()
    });
}
