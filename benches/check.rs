//! How long a check takes, trace included: `cargo bench --bench check`.
//!
//! Target: a 300-line kernel in 3 ms on one core.

use a2lint::check::{Settings, check};
use a2lint::frontend::easyasc::trace;
use a2lint::language::Language;
use a2lint::syntax::python::{parse, parse_tree};
use a2lint::text::SourceText;

/// 285 and 123 lines.
const KERNELS: [&str; 2] = ["flash_attention", "layer_norm"];

fn source(kernel: &str) -> SourceText {
    SourceText::new(match kernel {
        "flash_attention" => include_str!("../tests/kernels/flash_attention.py"),
        _ => include_str!("../tests/kernels/layer_norm.py"),
    })
}

fn main() {
    divan::main();
}

/// The share of tree-sitter in `parsing`.
#[divan::bench(args = KERNELS)]
fn growing_the_tree(bencher: divan::Bencher, kernel: &str) {
    let source = source(kernel);
    bencher.bench(|| parse_tree(source.as_str(), None));
}

#[divan::bench(args = KERNELS)]
fn parsing(bencher: divan::Bencher, kernel: &str) {
    let source = source(kernel);
    bencher.bench(|| parse(&source));
}

#[divan::bench(args = KERNELS)]
fn tracing(bencher: divan::Bencher, kernel: &str) {
    let source = source(kernel);
    bencher.bench(|| trace(&source));
}

#[divan::bench(args = KERNELS)]
fn checking(bencher: divan::Bencher, kernel: &str) {
    let source = source(kernel);
    let settings = Settings::default();
    bencher.bench(|| check(&source, Language::Easyasc, &settings));
}
