//! Simulation of whole kernels, on one thread unless stated otherwise: `cargo bench --bench machine`.

mod common;

use std::ops::ControlFlow;

use a2lint::hazards::Tracker;
use a2lint::ir::{Program, StmtId, View};
use a2lint::isa::DType;
use a2lint::machine::{End, Inspection, NullObserver, Observer, Options, Site, Threads};
use common::{FLASH_ATTENTION, LAYER_NORM, Subject, Tensor, half_matmul};
use divan::counter::ItemsCount;
use divan::{AllocProfiler, Bencher};

#[global_allocator]
static ALLOCATIONS: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

/// One head of 1024 queries, keys and values of 128 elements.
fn flash_attention() -> Subject {
    attention(&[1, 1024, 128])
}

/// A head with queries, keys and values of a shape.
fn attention(shape: &'static [i64; 3]) -> Subject {
    let length = shape[1] as f64;
    let scale = 1.0 / 128_f64.sqrt();
    Subject::new(
        FLASH_ATTENTION,
        20,
        &[
            ("BH", 1.0),
            ("S1", length),
            ("S2", length),
            ("scale", scale),
        ],
        &["q", "k", "v", "out"].map(|name| (name, DType::Half, shape.as_slice())),
    )
}

/// `c[4096, 64] = a[4096, 128] · b[64, 128]ᵀ` over 20 cores.
#[divan::bench(name = "half_matmul")]
fn half_matmul_over_twenty_cores(bencher: Bencher) {
    let subject = half_matmul();
    bencher.bench_local(|| assert_eq!(subject.run(&mut NullObserver), End::Finished));
}

/// Products of 128 x 128 x 128 halves on one core. Prints floating-point operations per second; the target is 25 G.
#[divan::bench]
fn half_products(bencher: Bencher) {
    const PRODUCTS: i64 = 64;
    let shape: &'static [i64] = &[128, 128];
    let subject = Subject::new(
        include_str!("kernels/half_products.py"),
        1,
        &[("P", PRODUCTS as f64)],
        &[
            ("a", DType::Half, shape),
            ("b", DType::Half, shape),
            ("c", DType::Float, shape),
        ],
    );
    bencher
        .counter(ItemsCount::new(2 * 128_u64.pow(3) * PRODUCTS as u64))
        .bench_local(|| assert_eq!(subject.run(&mut NullObserver), End::Finished));
}

#[divan::bench(name = "flash_attention")]
fn flash_attention_of_one_head(bencher: Bencher) {
    let subject = flash_attention();
    bencher.bench_local(|| assert_eq!(subject.run(&mut NullObserver), End::Finished));
}

/// One head of 4096 queries, which `benches/against_numpy.py` compares with NumPy.
#[divan::bench(args = [1, 2, 4])]
fn long_attention(bencher: Bencher, threads: u32) {
    let subject = attention(&[1, 4096, 128]);
    let threads = Threads {
        most: threads,
        ..Threads::ONE
    };
    let options = Options {
        threads,
        ..Options::default()
    };
    bencher
        .bench_local(|| assert_eq!(subject.run_with(&options, &mut NullObserver), End::Finished));
}

/// `flash_attention` with hazard detection; the target is three times as long.
#[divan::bench]
fn flash_attention_with_hazards(bencher: Bencher) {
    let subject = flash_attention();
    bencher.bench_local(|| {
        let mut tracker = Tracker::new(&subject.program, subject.launch.cores);
        assert_eq!(subject.run(&mut tracker), End::Finished);
        assert!(tracker.finish().is_empty());
    });
}

/// 64 tiles of 64 x 128 floats, each with a load, two instructions and a store.
#[divan::bench]
fn float_tiles(bencher: Bencher) {
    let shape: &'static [i64] = &[4096, 128];
    let subject = Subject::new(
        include_str!("kernels/float_tiles.py"),
        1,
        &[("M", 4096.0)],
        &["x", "y"].map(|name| (name, DType::Float, shape)),
    );
    bencher.bench_local(|| assert_eq!(subject.run(&mut NullObserver), End::Finished));
}

/// 100 000 assignments on each of three lanes.
#[divan::bench]
fn scalar_loop(bencher: Bencher) {
    let tensors: &[Tensor] = &[("y", DType::Float, &[1, 8])];
    let subject = Subject::new(include_str!("kernels/scalar_loop.py"), 1, &[], tensors);
    bencher.bench_local(|| assert_eq!(subject.run(&mut NullObserver), End::Finished));
}

/// Records the operands of a statement at its first execution, and ends the run.
struct Hover {
    stmt: StmtId,
    operands: Vec<View>,
    seen: usize,
}

impl Hover {
    /// Creates the observer for the last instruction that computes.
    fn over(program: &Program) -> Hover {
        let mut instructions = program.instructions();
        instructions.retain(|(_, instr)| instr.operands().count() > 2);
        let (stmt, instr) = instructions.last().expect("the kernel computes");
        Hover {
            stmt: stmt.id,
            operands: instr.operands().map(|(_, _, view)| view.clone()).collect(),
            seen: 0,
        }
    }
}

impl Observer for Hover {
    fn watches(&self, stmt: StmtId) -> bool {
        stmt == self.stmt
    }

    fn after(&mut self, _: &Site, _: u64, inspection: &mut Inspection) -> ControlFlow<()> {
        let values = self
            .operands
            .iter()
            .filter_map(|view| inspection.view(view));
        self.seen = values.count();
        ControlFlow::Break(())
    }
}

/// Measures a hover without the trace: the first launch of the file on one core, up to the first execution of the
/// last statement that computes.
#[divan::bench(args = ["layer_norm", "flash_attention"])]
fn hover(bencher: Bencher, kernel: &str) {
    let subject = match kernel {
        "layer_norm" => Subject::of_file(LAYER_NORM),
        _ => Subject::of_file(FLASH_ATTENTION),
    };
    bencher.bench_local(|| {
        let mut hover = Hover::over(&subject.program);
        assert_eq!(subject.run(&mut hover), End::Stopped);
        assert!(hover.seen > 0);
    });
}
