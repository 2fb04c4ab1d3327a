//! The machine against the naive reading.

use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::ir::Program;
use a2lint::isa::DType;
use a2lint::machine::memory::Memory as Bytes;
use a2lint::machine::{Bindings, BoundLaunch, Contents, End, NullObserver, Options, simulate};
use a2lint::text::SourceText;

use super::SCALARS;
use super::author::{Choices, plain_body};
use super::naive::{self, COLUMNS, LANE_ROWS, Memory, Stored};
use super::print;

/// Vec lanes of a run with two cores.
const LANES: i64 = 4;
/// Rows of the tensor that is loaded.
const ROWS: i64 = 128;

/// Writes a plain program, runs it, and reads it naively. The number of launches that were compared, or
/// where the two differ.
pub fn differ(choices: &mut dyn Choices) -> Result<usize, String> {
    let body = plain_body(choices);
    let text = print::kernel(&["int"; SCALARS], &body);
    let module = trace(&SourceText::new(text.as_str()));
    let mut compared = 0;
    for program in &module.programs {
        for (n, k) in [(5, 2), (77, 3)] {
            let mut memory = memory(n, k);
            let Some(result) = executed(program, &memory) else {
                continue;
            };
            if naive::run(&body, LANES, &mut memory).is_ok() {
                compare(&result, &memory.y).map_err(|it| format!("N={n}, K={k}: {it}\n{text}"))?;
                compared += 1;
            }
        }
    }
    Ok(compared)
}

fn memory(n: i64, k: i64) -> Memory {
    // Small numbers of either sign, no two neighbours alike.
    let number = |at: i64| ((at * 37 + at / 128 * 11) % 113 - 50) as f32 / 4.0;
    Memory {
        n,
        k,
        x: (0..ROWS * COLUMNS).map(number).collect(),
        z: (0..64).map(|at| at * 7 % 61 - 3).collect(),
        y: vec![Stored::Undefined; (LANES * LANE_ROWS * COLUMNS) as usize],
    }
}

/// The result of a run that came to its end without a mistake of the program.
fn executed(program: &Program, memory: &Memory) -> Option<Bytes> {
    let x: Vec<u8> = memory.x.iter().flat_map(|it| it.to_le_bytes()).collect();
    let z: Vec<u8> = memory.z.iter().flat_map(|it| it.to_le_bytes()).collect();
    let shapes = [
        ("x", vec![ROWS, COLUMNS]),
        ("g", vec![64, COLUMNS]),
        ("z", vec![64, 1]),
        ("y", vec![LANES * LANE_ROWS, COLUMNS]),
    ];
    let types = [
        ("x", DType::Float),
        ("g", DType::Half),
        ("z", DType::Int),
        ("y", DType::Float),
    ];
    let bindings = Bindings {
        floats: Vec::new(),
        scalars: vec![("N".into(), memory.n as f64), ("K".into(), memory.k as f64)],
        shapes: shapes.map(|(name, shape)| (name.to_owned(), shape)).into(),
        dtypes: types.map(|(name, dtype)| (name.to_owned(), dtype)).into(),
        contents: vec![
            ("x".into(), Contents::Bytes(x.into())),
            ("z".into(), Contents::Bytes(z.into())),
        ],
        cores: Some(2),
    };
    let launch = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 28);
    let launch = launch.ok()?;
    let options = Options {
        max_instructions: 20_000,
        ..Options::default()
    };
    let outcome = simulate(program, &launch, &options, &mut NullObserver);
    let at = launch
        .globals
        .iter()
        .position(|global| global.name == "y")?;
    let finished = outcome.end == End::Finished && outcome.faithful && outcome.illegal.is_empty();
    finished
        .then(|| outcome.globals.into_iter().nth(at))
        .flatten()
}

fn compare(result: &Bytes, expected: &[Stored]) -> Result<(), String> {
    for (at, &expected) in expected.iter().enumerate() {
        let address = at * 4;
        let found = match result.all_defined(address..address + 4) {
            true => Stored::Number(result.get::<f32>(address)),
            false => Stored::Undefined,
        };
        let agree = match (found, expected) {
            (Stored::Number(a), Stored::Number(b)) => a == b || a.is_nan() || b.is_nan(),
            (a, b) => a == b,
        };
        if !agree {
            let (row, column) = (at as i64 / COLUMNS, at as i64 % COLUMNS);
            return Err(format!(
                "y[{row}, {column}] is {found:?}, expected {expected:?}"
            ));
        }
    }
    Ok(())
}
