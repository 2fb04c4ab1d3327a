//! Kernels on the machine against numpy: every case of `tests/golden/cases.json` is a trial.
//!
//! `tests/golden/generate.py` writes the fixtures. With `GOLDEN_ERRORS=1` in the environment every
//! trial prints its largest errors and its time.
//!
//! Each case runs a second time with exact values beside its floats, which have to be those of numpy:
//! within the tolerance of the fixtures, or, where `GOLDEN_EXACT` names a folder that `generate.py
//! --exact` has written, such that errors are the true ones to 1 %. By how much they differ is then
//! printed by kernel.
//!
//! `mistakes.json` plants mistakes in the logic of these kernels: edits of their text, with the references unchanged.
//! What they compute without rounding has to differ from numpy, or a run has to show another fault.

use bytes::Bytes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::Instant;

use a2lint::check::{self, Settings};
use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::frontend::is_library;
use a2lint::ir::{GlobalId, Module, Number, ParamKind, Program};
use a2lint::isa::DType;
use a2lint::machine::memory::Memory;
use a2lint::machine::{
    Bindings, BoundLaunch, Contents, End, Following, NullObserver, Options, Outcome, last_place,
    number, simulate,
};
use a2lint::project;
use a2lint::run::read_values;
use a2lint::text::SourceText;
use half::f16;
use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;

/// A launch and what it has to produce.
#[derive(Deserialize)]
struct Case {
    kernel: String,
    file: String,
    case: String,
    cores: u32,
    scalars: BTreeMap<String, f64>,
    inputs: BTreeMap<String, Tensor>,
    outputs: BTreeMap<String, Expected>,
    /// Whether `generate.py --exact` writes references for it.
    #[serde(skip)]
    has_exact: bool,
}

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<i64>,
}

#[derive(Deserialize)]
struct Expected {
    #[serde(flatten)]
    tensor: Tensor,
    atol: f64,
    rtol: f64,
}

/// A mistake in the logic of a kernel.
#[derive(Deserialize)]
struct Mistake {
    kernel: String,
    /// What is wrong, as a phrase.
    kind: String,
    old: String,
    new: String,
}

fn main() {
    let mut trials = Vec::new();
    for folder in FOLDERS {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let cases = std::fs::read_to_string(root.join("golden/cases.json"))
            .expect("the cases are part of the repository");
        let cases: Vec<Case> = serde_json::from_str(&cases).expect("the cases are generated");
        trials.extend(planted(folder, &root));
        trials.extend(cases.into_iter().map(|mut case| {
            case.has_exact = folder == FOLDERS[0];
            let name = format!("{folder}/{}/{}", case.kernel, case.case);
            let root = root.clone();
            Trial::test(name, move || case.run(&root))
        }));
    }
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    for (kernel, (share, what)) in DEVIATIONS.lock().iter().flat_map(|it| it.iter()) {
        println!(
            "{kernel}: errors are the true ones to {:.4} % ({what})",
            100.0 * share
        );
    }
    conclusion.exit();
}

/// Returns a trial for each mistake that is planted in the kernels of a folder.
fn planted(folder: &str, root: &Path) -> Vec<Trial> {
    let read = |name: &str| {
        let path = root.join("golden").join(name);
        std::fs::read_to_string(path).expect("it is part of the repository")
    };
    let mistakes: Vec<Mistake> = serde_json::from_str(&read("mistakes.json")).expect("mistakes");
    let trial = |mistake: Mistake| {
        let name = format!("{folder}/mistakes/{}/{}", mistake.kernel, mistake.kind);
        let root = root.to_owned();
        let cases = read("cases.json");
        Trial::test(name, move || {
            let cases: Vec<Case> = serde_json::from_str(&cases)?;
            mistake.is_seen(&root, cases)
        })
    };
    mistakes.into_iter().map(trial).collect()
}

impl Mistake {
    /// Runs the changed kernel on its cases, the smallest first, until exact values show the mistake.
    fn is_seen(&self, root: &Path, mut cases: Vec<Case>) -> Result<(), Failed> {
        let size = |case: &Case| -> i64 {
            let inputs = case.inputs.values();
            inputs.map(|it| it.shape.iter().product::<i64>()).sum()
        };
        cases.retain(|case| case.kernel == self.kernel && size(case) > 0);
        cases.sort_by_key(size);
        for case in &cases {
            let path = root.join("kernels").join(&case.file);
            let text = std::fs::read_to_string(&path)?;
            if !text.contains(&self.old) {
                return Err(format!("no `{}` in {}", self.old, case.file).into());
            }
            let text = text.replacen(&self.old, &self.new, 1);
            if case.shows_a_fault(root, &path, &text)? {
                return Ok(());
            }
        }
        Err("all cases are as in numpy".into())
    }
}

/// By kernel, how much a measured error differs most from the true one, as a share of it, and where.
static DEVIATIONS: Mutex<BTreeMap<String, (f64, String)>> = Mutex::new(BTreeMap::new());

/// Where `kernels` and `golden` are, by dialect.
const FOLDERS: [&str; 3] = ["tests", "tests/dialects/ascriptor", "tests/ascendc"];

/// Traces a file by its language; kernels in C++ with the headers that they include.
fn traced(path: &Path, source: &SourceText) -> Module {
    if path.extension().is_none_or(|it| it != "cpp") {
        return trace(source);
    }
    let mut settings = Settings::default();
    settings.trace.project = project::of(path, &project::files(is_library), None);
    check::trace_ascendc(source, &settings).0
}

impl Case {
    fn run(&self, root: &Path) -> Result<(), Failed> {
        let path = root.join("kernels").join(&self.file);
        let text = std::fs::read_to_string(&path)?;
        let module = traced(&path, &SourceText::new(text.as_str()));
        let program = module
            .programs
            .iter()
            .find(|program| program.name == self.kernel)
            .ok_or("the kernel was not traced")?;
        let bindings = self.bindings(root)?;
        let launch = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 30)?;

        let start = Instant::now();
        let outcome = simulate(program, &launch, &Options::default(), &mut NullObserver);
        let seconds = start.elapsed().as_secs_f64();

        let options = Options {
            following: Following::Errors,
            ..Options::default()
        };
        let start = Instant::now();
        let followed = simulate(program, &launch, &options, &mut NullObserver);
        let followed_seconds = start.elapsed().as_secs_f64();

        let options = Options {
            following: Following::Values,
            ..Options::default()
        };
        let undivided = simulate(program, &launch, &options, &mut NullObserver);

        let mut problems = complaints(program, &outcome, &text);
        let mut errors = Vec::new();
        if problems.is_empty() {
            for (name, expected) in &self.outputs {
                let memory = &outcome.globals[global(program, name)?.index()];
                // What a kernel updates is stored before and after.
                let file = match self.inputs.contains_key(name) {
                    true => format!("{name}.out"),
                    false => name.clone(),
                };
                let values = expected_values(&self.path(root, &file), expected.tensor.dtype()?)?;
                let difference = Difference::of(memory, &values, expected)?;
                problems.extend(difference.problem(name));
                errors.push(format!("{name} {difference}"));
                let exact = &followed.globals[global(program, name)?.index()];
                if exact.bytes(0..exact.capacity()) != memory.bytes(0..memory.capacity()) {
                    problems.push(format!("{name}: following exact values changes results"));
                }
                let other = &undivided.globals[global(program, name)?.index()];
                let dtype = expected.tensor.dtype()?;
                if exact_bits(exact, dtype) != exact_bits(other, dtype) {
                    problems.push(format!(
                        "{name}: exact values depend on what else is recorded"
                    ));
                }
                problems.extend(self.precision(exact, &file, &values, expected)?);
            }
        }
        if std::env::var_os("GOLDEN_ERRORS").is_some() {
            let errors = errors.join(", ");
            let times = format!("{seconds:.4} s, {followed_seconds:.4} s with exact values");
            println!("{}/{}: {errors}, {times}", self.kernel, self.case);
        }
        match problems.is_empty() {
            true => Ok(()),
            false => Err(problems.join("\n").into()),
        }
    }

    /// Returns whether a changed text of the kernel computes anything else than numpy, but for rounding.
    fn shows_a_fault(&self, root: &Path, path: &Path, text: &str) -> Result<bool, Failed> {
        let module = traced(path, &SourceText::new(text));
        let mut programs = module.programs.iter();
        let program = programs.find(|program| program.name == self.kernel);
        let program = program.ok_or("the kernel was not traced")?;
        let bindings = self.bindings(root)?;
        let launch = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 30)?;
        let options = Options {
            following: Following::Values,
            ..Options::default()
        };
        let outcome = simulate(program, &launch, &options, &mut NullObserver);
        if !complaints(program, &outcome, text).is_empty() {
            return Ok(true);
        }
        for (name, expected) in &self.outputs {
            let memory = &outcome.globals[global(program, name)?.index()];
            let file = match self.inputs.contains_key(name) {
                true => format!("{name}.out"),
                false => name.clone(),
            };
            let values = expected_values(&self.path(root, &file), expected.tensor.dtype()?)?;
            let is_float = expected.tensor.dtype()?.is_float();
            let differs = match is_float {
                true => inexact(memory, &values, expected)?.is_some(),
                false => Difference::of(memory, &values, expected)?
                    .problem(name)
                    .is_some(),
            };
            if differs {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn bindings(&self, root: &Path) -> Result<Bindings, Failed> {
        let scalars = self
            .scalars
            .iter()
            .map(|(name, value)| (name.clone(), *value));
        let mut bindings = Bindings {
            scalars: scalars.collect(),
            cores: Some(self.cores),
            ..Bindings::default()
        };
        let outputs = self
            .outputs
            .iter()
            .map(|(name, expected)| (name, &expected.tensor));
        for (name, tensor) in self.inputs.iter().chain(outputs) {
            bindings.shapes.push((name.clone(), tensor.shape.clone()));
            bindings.dtypes.push((name.clone(), tensor.dtype()?));
        }
        for (name, tensor) in &self.inputs {
            let bytes = encode(&values(&self.path(root, name))?, tensor.dtype()?)?;
            bindings
                .contents
                .push((name.clone(), Contents::Bytes(bytes)));
        }
        Ok(bindings)
    }

    /// What is wrong with the exact values of an output.
    fn precision(
        &self,
        exact: &Memory,
        name: &str,
        values: &[f64],
        expected: &Expected,
    ) -> Result<Option<String>, Failed> {
        let dtype = expected.tensor.dtype()?;
        if !dtype.is_float() {
            return Ok(None);
        }
        let folder = std::env::var_os("GOLDEN_EXACT").filter(|_| self.has_exact);
        let Some(folder) = folder else {
            return match ROUNDED_ON_THE_WAY.contains(&self.kernel.as_str()) {
                true => Ok(None),
                false => inexact(exact, values, expected),
            };
        };
        let folder = Path::new(&folder).join(&self.kernel).join(&self.case);
        let values = self::values(&folder.join(format!("{name}.npy")))?;
        let precision = Precision::of(exact, &values, dtype);
        let (share, measure) = precision.deviation();
        if let Ok(mut all) = DEVIATIONS.lock() {
            let known = all.entry(self.kernel.clone()).or_default();
            if known.1.is_empty() || share > known.0 {
                *known = (share, format!("{measure} of {name}, {}", self.case));
            }
        }
        Ok(
            (share > 0.01)
                .then(|| format!("{name}: {measure} is off by {share:.4}: {precision:?}")),
        )
    }

    fn path(&self, root: &Path, name: &str) -> PathBuf {
        let folder = root.join("golden").join(&self.kernel).join(&self.case);
        folder.join(format!("{name}.npy"))
    }
}

/// Returns the bits of the exact values of all floats that have one.
fn exact_bits(memory: &Memory, dtype: DType) -> Vec<Option<u64>> {
    let size = dtype.bits() as usize / 8;
    (0..memory.capacity())
        .step_by(size.max(1))
        .map(|at| memory.exactly(at, dtype).map(|it| it.value.to_bits()))
        .collect()
}

impl Tensor {
    fn dtype(&self) -> Result<DType, Failed> {
        DType::from_name(&self.dtype).ok_or_else(|| format!("unknown type {}", self.dtype).into())
    }
}

/// The numbers of a `.npy` file; of bfloat16 these are its bit patterns.
fn values(path: &Path) -> Result<Vec<f64>, Failed> {
    let (_, values) = read_values(path, "", u64::MAX)?;
    let number = |index| match values.get(index) {
        Number::Float(value) => value,
        Number::Int(value) => value as f64,
    };
    Ok((0..values.len()).map(number).collect())
}

/// Reads the expected values of a `.npy` file. Those of bfloat16 are floats, or bit patterns stored as integers.
fn expected_values(path: &Path, dtype: DType) -> Result<Vec<f64>, Failed> {
    let (_, values) = read_values(path, "", u64::MAX)?;
    let number = |index| match values.get(index) {
        Number::Float(value) => value,
        // bfloat16 is the upper half of a float.
        Number::Int(bits) if dtype == DType::BFloat16 => f32::from_bits((bits as u32) << 16).into(),
        Number::Int(value) => value as f64,
    };
    Ok((0..values.len()).map(number).collect())
}

/// The bytes of a tensor that holds these numbers.
fn encode(values: &[f64], dtype: DType) -> Result<Bytes, Failed> {
    let mut bytes = Vec::new();
    for &value in values {
        match dtype {
            DType::Half => bytes.extend(f16::from_f64(value).to_le_bytes()),
            DType::Float => bytes.extend((value as f32).to_le_bytes()),
            DType::Int8 => bytes.extend((value as i8).to_le_bytes()),
            DType::UInt8 => bytes.extend((value as u8).to_le_bytes()),
            DType::Int => bytes.extend((value as i32).to_le_bytes()),
            DType::BFloat16 => bytes.extend((value as u16).to_le_bytes()),
            other => return Err(format!("no fixture holds {other:?}").into()),
        }
    }
    Ok(bytes.into())
}

fn global(program: &Program, name: &str) -> Result<GlobalId, Failed> {
    let param = program.params.iter().find(|param| param.name == name);
    match param.map(|param| param.kind) {
        Some(ParamKind::Global(id)) => Ok(id),
        _ => Err(format!("the kernel has no tensor `{name}`").into()),
    }
}

/// What went wrong, apart from numbers.
fn complaints(program: &Program, outcome: &Outcome, text: &str) -> Vec<String> {
    let mut complaints = Vec::new();
    match &outcome.end {
        End::Finished => {}
        End::Deadlock(deadlock) => complaints.extend(deadlock.lines(program)),
        end => complaints.push(format!("{end:?}")),
    }
    for finding in &outcome.findings {
        let stmt = program.statement(finding.stmt);
        let line = stmt.map_or(0, |stmt| text[..stmt.span.start as usize].lines().count());
        complaints.push(format!("line {line}: {finding:?}"));
    }
    complaints.extend(outcome.illegal.iter().map(|illegal| format!("{illegal:?}")));
    if complaints.is_empty() && !outcome.faithful {
        complaints.push("the run is not faithful".to_owned());
    }
    complaints
}

/// Cases whose fixtures round something on the way that the kernel rounds, too, because it is meant to.
const ROUNDED_ON_THE_WAY: [&str; 2] = ["causal_mask", "vec_to_cube_bridge"];

/// Errors of an output: each as the machine measures it, and as numpy does.
#[derive(Debug, Default)]
struct Precision {
    /// Errors as they are.
    largest: [f64; 2],
    sum: [f64; 2],
    /// Errors in units in the last place of the exact value.
    largest_ulp: [f64; 2],
    sum_ulp: [f64; 2],
    /// Errors as a share of the exact value.
    largest_relative: [f64; 2],
}

impl Precision {
    fn of(memory: &Memory, values: &[f64], dtype: DType) -> Precision {
        let mut precision = Precision::default();
        for (index, &wanted) in values.iter().enumerate() {
            let (real, exact) = element(memory, index, dtype);
            for (at, value) in [exact, wanted].into_iter().enumerate() {
                let error = (real - value).abs();
                let ulp = error / last_place(dtype, value);
                let relative = if value == 0.0 {
                    0.0
                } else {
                    error / value.abs()
                };
                precision.largest[at] = precision.largest[at].max(error);
                precision.sum[at] += error;
                precision.largest_ulp[at] = precision.largest_ulp[at].max(ulp);
                precision.sum_ulp[at] += ulp;
                precision.largest_relative[at] = precision.largest_relative[at].max(relative);
            }
        }
        precision
    }

    /// The measure that is furthest from the true one, as a share of that.
    fn deviation(&self) -> (f64, &'static str) {
        let measures = [
            (self.largest, "the largest error"),
            (self.sum, "the average error"),
            (self.largest_ulp, "the largest error in ULP"),
            (self.sum_ulp, "the average error in ULP"),
            (self.largest_relative, "the largest relative error"),
        ];
        let shares = measures.map(|([ours, theirs], measure)| match ours == theirs {
            true => (0.0, measure),
            false => ((ours - theirs).abs() / theirs, measure),
        });
        let worst = shares
            .into_iter()
            .max_by(|one, other| one.0.total_cmp(&other.0));
        worst.unwrap_or_default()
    }
}

/// An element as the run has it, and exactly.
fn element(memory: &Memory, index: usize, dtype: DType) -> (f64, f64) {
    let at = index * dtype.bytes_of(1) as usize;
    let real = number(memory, dtype, at, 0);
    let exact = memory.exactly(at, dtype);
    (real, exact.map_or(real, |exact| exact.value))
}

/// Exact values that are further from a fixture than its tolerance and its rounding explain.
fn inexact(memory: &Memory, values: &[f64], expected: &Expected) -> Result<Option<String>, Failed> {
    let dtype = expected.tensor.dtype()?;
    let wrong = values.iter().enumerate().find_map(|(index, &wanted)| {
        let (real, exact) = element(memory, index, dtype);
        let tolerance = expected.atol + expected.rtol * wanted.abs();
        let is_near = (exact - wanted).abs() <= tolerance + last_place(dtype, wanted) / 2.0;
        (!is_near).then_some((index, real, exact, wanted))
    });
    Ok(wrong.map(|(index, real, exact, wanted)| {
        format!("element {index} is {real}, exactly {exact}, and {wanted} in numpy")
    }))
}

/// How far an output is from its fixture.
#[derive(Default)]
struct Difference {
    absolute: f64,
    /// The largest error in units of what is tolerated.
    share: f64,
    undefined: usize,
    wrong: usize,
    first_wrong: Option<(usize, f64, f64)>,
}

impl Difference {
    fn of(memory: &Memory, values: &[f64], expected: &Expected) -> Result<Difference, Failed> {
        let dtype = expected.tensor.dtype()?;
        let size = dtype.bytes_of(1) as usize;
        let length = expected.tensor.shape.iter().product::<i64>() as usize;
        if values.len() != length || memory.capacity() != length * size {
            return Err("the fixture has another size than the output".into());
        }
        let mut difference = Difference::default();
        for (index, &wanted) in values.iter().enumerate() {
            let address = index * size;
            difference.undefined += usize::from(!memory.all_defined(address..address + size));
            let actual = number(memory, dtype, address, 0);
            if actual == wanted {
                continue;
            }
            let error = (actual - wanted).abs();
            let share = error / (expected.atol + expected.rtol * wanted.abs());
            difference.absolute = difference.absolute.max(error);
            difference.share = difference.share.max(share);
            // A NaN is never within.
            let within = share <= 1.0;
            if !within {
                difference.wrong += 1;
                difference
                    .first_wrong
                    .get_or_insert((index, actual, wanted));
            }
        }
        Ok(difference)
    }

    fn problem(&self, name: &str) -> Option<String> {
        if self.undefined > 0 {
            return Some(format!("{name}: {} undefined elements", self.undefined));
        }
        let (index, actual, wanted) = self.first_wrong?;
        Some(format!(
            "{name}: {} elements differ; element {index} is {actual} instead of {wanted}; {self}",
            self.wrong
        ))
    }
}

impl std::fmt::Display for Difference {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(
            f,
            "error {:.1e} ({:.2} of the tolerance)",
            self.absolute, self.share
        )
    }
}
