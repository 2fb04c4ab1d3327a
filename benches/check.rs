//! Time of a check, including the trace: `cargo bench --bench check`.
//!
//! Targets on one core: a 300-line kernel in 3 ms, in 60 ms with its launches replayed.

use std::time::{Duration, Instant};

use a2lint::check::{Settings, check};
use a2lint::frontend::dsl::trace;
use a2lint::language::Language;
use a2lint::syntax::python::parse;
use a2lint::text::SourceText;

// The same allocator as in the binary.
use mimalloc as _;

/// Sources of 285, 250, 103 and 123 lines.
const KERNELS: [&str; 4] = [
    "flash_attention",
    "running_attention",
    "matmul_splitn",
    "layer_norm",
];

fn source(kernel: &str) -> SourceText {
    SourceText::new(match kernel {
        "flash_attention" => include_str!("../tests/kernels/flash_attention.py"),
        "running_attention" => include_str!("../tests/kernels/running_attention.py"),
        "matmul_splitn" => include_str!("../tests/kernels/matmul_splitn.py"),
        _ => include_str!("../tests/kernels/layer_norm.py"),
    })
}

/// Sizes in lines of the generated kernels. The time should grow linearly.
const LINES: [usize; 4] = [1000, 2000, 4000, 8000];

fn main() {
    growth();
    divan::main();
}

/// Prints how the time of a check grows with the lines of a kernel.
fn growth() {
    let settings = Settings {
        replay: false,
        ..Settings::default()
    };
    let mut before = None;
    for lines in LINES {
        let source = generated(lines);
        let best = (0..5)
            .map(|_| {
                let start = Instant::now();
                divan::black_box(check(&source, Language::Easyasc, &settings));
                start.elapsed()
            })
            .min()
            .unwrap_or_default();
        let ratio = before.map_or(String::new(), |before: Duration| {
            let ratio = best.as_secs_f64() / before.as_secs_f64();
            format!(", {ratio:.2} times the line above")
        });
        println!("{lines} lines: {best:.2?}{ratio}");
        before = Some(best);
    }
}

/// Generates a kernel of about `lines` lines: it loads tiles, computes on them in loops and branches, and stores
/// them.
fn generated(lines: usize) -> SourceText {
    const BLOCK: &str = "
        for i@ in range(CeilDiv(N, 64)):
            n@ = Var(i@ * 64)
            rows@ = Min(64, N - n@)
            a[cnt][0:rows@, 0:64] <<= x[n@:n@ + rows@, 0:64]
            muls(a[cnt], a[cnt], 2.0)
            cmax(row, a[cnt])
            brcb(wide, row, dst_blk_stride=1, dst_rep_stride=8, repeat=8)
            sub(b[cnt], a[cnt], wide)
            if N > @:
                compare_scalar(keep, b[cnt], 0.0, CompareMode.GT)
                select(b[cnt], keep, b[cnt], 0.0, SelectMode.TENSOR_SCALAR)
            set_mask(0, 0xFFFF)
            adds(b[cnt], b[cnt], 1.0)
            reset_mask()
            y[n@:n@ + rows@, 0:64] <<= b[cnt][0:rows@, 0:64]
            cnt += 1
";
    let mut text = String::from(
        "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
         def generated(x: GMTensor, y: GMTensor, N: Var):\n    \
         a = DBuff(DT.float, [64, 64], Position.UB)\n    \
         b = DBuff(DT.float, [64, 64], Position.UB)\n    \
         wide = Tensor(DT.float, [64, 8], Position.UB)\n    \
         row = Tensor(DT.float, [64, 1], Position.UB)\n    \
         keep = Tensor(DT.uint8, [64, 8], Position.UB)\n    \
         cnt = Var(0)\n    with auto_sync():\n",
    );
    let blocks = lines / BLOCK.lines().count();
    for block in 0..blocks {
        text.push_str(&BLOCK.replace('@', &block.to_string()));
    }
    text.push_str("    return y\n");
    SourceText::new(text)
}

/// Measures the share of tree-sitter in `parsing`.
#[divan::bench(args = KERNELS)]
fn growing_the_tree(bencher: divan::Bencher, kernel: &str) {
    let source = source(kernel);
    let mut parser = tree_sitter::Parser::new();
    let language = tree_sitter_python::LANGUAGE.into();
    parser.set_language(&language).expect("a version it reads");
    bencher.bench_local(|| parser.parse(source.as_str(), None));
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
    let settings = Settings {
        replay: false,
        ..Settings::default()
    };
    bencher.bench(|| check(&source, Language::Easyasc, &settings));
}

/// Measures a check without proofs.
#[divan::bench(args = KERNELS)]
fn checking_without_proofs(bencher: divan::Bencher, kernel: &str) {
    let source = source(kernel);
    let settings = Settings {
        replay: false,
        prove: false,
        ..Settings::default()
    };
    bencher.bench(|| check(&source, Language::Easyasc, &settings));
}

#[divan::bench(args = KERNELS)]
fn checking_and_replaying(bencher: divan::Bencher, kernel: &str) {
    let source = source(kernel);
    let settings = Settings::default();
    bencher.bench(|| check(&source, Language::Easyasc, &settings));
}
