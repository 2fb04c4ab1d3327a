//! The kernels of `tests/kernels` in the simulator: they run without findings, and the cube side computes the
//! documented result.

use std::path::{Path, PathBuf};
use std::time::Instant;

use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::ir::{Launch, Module, ParamKind, Program};
use a2lint::isa::DType;
use a2lint::machine::memory::Memory;
use a2lint::machine::{
    Bindings, BoundLaunch, Contents, End, NullObserver, Options, Outcome, generate, number,
    simulate,
};
use a2lint::text::SourceText;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels")
}

fn load(path: &Path) -> Module {
    let text = std::fs::read_to_string(path).expect("the kernel is there");
    trace(&SourceText::new(text.as_str()))
}

fn program<'m>(module: &'m Module, launch: &Launch) -> &'m Program {
    let mut programs = module.programs.iter();
    programs
        .find(|program| program.name == launch.kernel)
        .expect("a launch has its kernel")
}

fn bind(module: &Module, launch: &Launch) -> BoundLaunch {
    let (none, device) = (Bindings::default(), Device::default());
    let program = program(module, launch);
    BoundLaunch::bind(
        program,
        Some(launch),
        &module.launches,
        &none,
        device,
        1 << 30,
    )
    .unwrap_or_else(|error| panic!("{} {:?}: {error}", launch.kernel, launch.scalars))
}

/// Runs a launch, which must have no findings.
fn run(module: &Module, launch: &Launch, bound: &BoundLaunch) -> Outcome {
    let outcome = simulate(
        program(module, launch),
        bound,
        &Options::default(),
        &mut NullObserver,
    );
    let name = format!("{} {:?}", launch.kernel, launch.scalars);
    assert_eq!(outcome.end, End::Finished, "{name}");
    assert!(outcome.faithful, "{name}: {:?}", outcome.illegal);
    assert!(
        outcome.findings.is_empty(),
        "{name}: {:#?}",
        outcome.findings
    );
    outcome
}

#[test]
fn every_launch_of_every_kernel_runs_clean() {
    let mut launches = 0;
    for entry in std::fs::read_dir(folder())
        .expect("kernels are there")
        .flatten()
    {
        if entry
            .path()
            .extension()
            .is_none_or(|extension| extension != "py")
        {
            continue;
        }
        let module = load(&entry.path());
        for launch in &module.launches {
            let bound = bind(&module, launch);
            let outcome = run(&module, launch, &bound);
            for &output in &program(&module, launch).outputs {
                let memory = &outcome.globals[output.index()];
                let name = &bound.globals[output.index()].name;
                let all = memory.all_defined(0..memory.capacity());
                assert!(
                    all,
                    "{} {:?}: {name} has holes",
                    launch.kernel, launch.scalars
                );
            }
            launches += 1;
        }
    }
    assert!(launches > 60, "{launches} launches");
}

/// Returns the outputs of every launch of a text, all of which must run without findings.
pub fn outputs(text: &str) -> Vec<Vec<f64>> {
    let module = trace(&SourceText::new(text));
    let mut all = Vec::new();
    for launch in &module.launches {
        let bound = bind(&module, launch);
        let outcome = run(&module, launch, &bound);
        for output in &program(&module, launch).outputs {
            let (memory, global) = (
                &outcome.globals[output.index()],
                &bound.globals[output.index()],
            );
            all.push(Matrix::of(memory, global.dtype, 1).values);
        }
    }
    all
}

/// A tensor argument as a matrix of numbers.
struct Matrix {
    values: Vec<f64>,
    columns: usize,
}

impl Matrix {
    fn of(memory: &Memory, dtype: DType, columns: usize) -> Matrix {
        let size = dtype.bytes_of(1) as usize;
        let addresses = (0..memory.capacity()).step_by(size);
        Matrix {
            values: addresses.map(|at| number(memory, dtype, at, 0)).collect(),
            columns,
        }
    }

    fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }
}

/// Returns the generated arguments and the results of a launch as matrices of their last axis.
fn matrices(module: &Module, launch: &Launch) -> Vec<Matrix> {
    let bound = bind(module, launch);
    let outcome = run(module, launch, &bound);
    let matrix = |(index, memory): (usize, &Memory)| {
        let global = &bound.globals[index];
        let columns = *global.shape.last().expect("tensors have axes") as usize;
        match &global.contents {
            Contents::Generated(init, stream) => {
                let elements = global.shape.iter().product::<i64>() as usize;
                let bytes = generate(*init, *stream, global.dtype, elements);
                Matrix::of(&Memory::from_bytes(bytes), global.dtype, columns)
            }
            _ => Matrix::of(memory, global.dtype, columns),
        }
    };
    outcome.globals.iter().enumerate().map(matrix).collect()
}

fn scalar(launch: &Launch, name: &str) -> usize {
    let found = launch.scalars.iter().find(|(key, _)| key == name);
    found.expect("the launch gives it").1 as usize
}

fn assert_close(name: &str, actual: f64, expected: f64, tolerance: f64) {
    let error = (actual - expected).abs();
    assert!(
        error <= tolerance * (1.0 + expected.abs()),
        "{name}: {actual} for {expected}"
    );
}

#[test]
fn products_agree_with_their_definition() {
    for (file, is_transposed, tolerance) in [
        ("matmul_splitk.py", true, 1e-5),
        ("matmul_splitn.py", false, 1e-3),
        ("int8_matmul.py", false, 0.0),
    ] {
        let module = load(&folder().join(file));
        for launch in &module.launches {
            let [m, n, k] = ["M", "N", "K"].map(|name| scalar(launch, name));
            let [a, b, c] = &matrices(&module, launch)[..] else {
                panic!("three tensors")
            };
            for (row, column) in samples(m, n) {
                let right = |k| {
                    if is_transposed {
                        b.at(k, column)
                    } else {
                        b.at(column, k)
                    }
                };
                let expected: f64 = (0..k).map(|k| a.at(row, k) * right(k)).sum();
                assert_close(file, c.at(row, column), expected, tolerance);
            }
        }
    }
}

/// Returns the positions of all corners and of some elements between them.
fn samples(rows: usize, columns: usize) -> impl Iterator<Item = (usize, usize)> {
    let some = |extent: usize| {
        let inner = (0..extent).step_by(extent / 9 + 1);
        inner.chain(extent.checked_sub(1)).collect::<Vec<_>>()
    };
    let columns = some(columns);
    some(rows)
        .into_iter()
        .flat_map(move |row| columns.clone().into_iter().map(move |c| (row, c)))
}

#[test]
fn attention_agrees_with_its_definition() {
    let module = load(&folder().join("flash_attention.py"));
    for launch in &module.launches {
        let [batches, rows, keys] = ["BH", "S1", "S2"].map(|name| scalar(launch, name));
        let tensors = matrices(&module, launch);
        let [q, k, v, out] = &tensors[..4] else {
            panic!("four tensors")
        };
        for (row, _) in samples(batches * rows, 1) {
            let batch = row / rows;
            let score = |key: usize| {
                let dot: f64 = (0..128)
                    .map(|d| q.at(row, d) * k.at(batch * keys + key, d))
                    .sum();
                dot * 0.08838834764831845
            };
            let scores: Vec<f64> = (0..keys).map(score).collect();
            let highest = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let weights: Vec<f64> = scores.iter().map(|score| (score - highest).exp()).collect();
            let sum: f64 = weights.iter().sum();
            for (_, d) in samples(1, 128) {
                let weighted = (0..keys).map(|key| weights[key] * v.at(batch * keys + key, d));
                assert_close(
                    "attention",
                    out.at(row, d),
                    weighted.sum::<f64>() / sum,
                    2e-3,
                );
            }
        }
    }
}

/// Collects the `.py` files below a folder.
fn files_below(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder)
        .expect("the folder is there")
        .flatten()
    {
        let path = entry.path();
        match path.is_dir() {
            true => files_below(&path, found),
            false if path.extension().is_some_and(|extension| extension == "py") => {
                found.push(path)
            }
            false => {}
        }
    }
}

/// Invents the bindings of a launch.
fn invented(program: &Program) -> Bindings {
    let mut bindings = Bindings {
        cores: Some(2),
        ..Bindings::default()
    };
    for param in &program.params {
        match param.kind {
            ParamKind::Variable(_) => bindings.scalars.push((param.name.to_string(), 128.0)),
            ParamKind::Global(id) => {
                let global = program.global(id);
                let rank = if global.shape.is_empty() {
                    2
                } else {
                    global.shape.len()
                };
                bindings
                    .shapes
                    .push((param.name.to_string(), vec![128; rank]));
                let dtype = global.dtype.unwrap_or(DType::Half);
                bindings.dtypes.push((param.name.to_string(), dtype));
            }
            ParamKind::Constant | ParamKind::Unknown => {}
        }
    }
    bindings
}

#[test]
fn kernels_with_mistakes_come_to_some_end() {
    let mut files = Vec::new();
    files_below(&folder().join("broken"), &mut files);
    files_below(&folder().with_file_name("rules"), &mut files);
    let options = Options {
        max_instructions: 3_000,
        ..Options::default()
    };
    let (mut finished, mut runs) = (0, 0);
    for module in files.iter().map(|path| load(path)) {
        for program in &module.programs {
            let (bindings, device) = (invented(program), Device::default());
            let bound = BoundLaunch::bind(program, None, &[], &bindings, device, 1 << 30);
            let Ok(bound) = bound else { continue };
            let outcome = simulate(program, &bound, &options, &mut NullObserver);
            finished += u32::from(outcome.end == End::Finished);
            runs += 1;
        }
    }
    assert!(
        runs > 50 && finished * 2 > runs,
        "{finished} of {runs} finished"
    );
}

/// `cargo test --release --test it simulate -- --ignored --nocapture`
#[test]
#[ignore = "a timing"]
fn attention_of_1024_keys() {
    let module = load(&folder().join("flash_attention.py"));
    let launch = &module.launches[0];
    let scalars = [("BH", 1.0), ("S1", 1024.0), ("S2", 1024.0)];
    let bindings = Bindings {
        scalars: scalars
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
        shapes: ["q", "k", "v", "out"]
            .map(|name| (name.to_owned(), vec![1, 1024, 128]))
            .to_vec(),
        ..Bindings::default()
    };
    let program = program(&module, launch);
    let device = Device::default();
    let bound = BoundLaunch::bind(program, Some(launch), &[], &bindings, device, 1 << 30);
    let bound = bound.expect("the launch is possible");
    let timed = (0..5).map(|_| {
        let start = Instant::now();
        run(&module, launch, &bound);
        start.elapsed()
    });
    println!(
        "flash attention, S = 1024, D = 128, one head: {:?}",
        timed.min()
    );
}
