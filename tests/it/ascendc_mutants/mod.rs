//! Mutation tests of sound AscendC kernels: which mutants that fail on the machine does the checker report?
//!
//! Every mutant of `tests/ascendc/kernels` runs with the inputs of its first fixture. It is *wrong* if the machine sees
//! a fault, a hazard or a deadlock, or leaves a part of an output undefined that the kernel writes. A mutant whose
//! outputs only have other values is counted apart: without an expectation nothing is wrong with it.
//! `A2LINT_MUTANTS=all` takes every mutant, `A2LINT_MUTANTS=60` a sample of 60, which is the default, and
//! `A2LINT_MUTANTS_OF=cube` those of the kernels that use the cube; `cargo test --test it -- ascendc_mutants --nocapture`
//! prints the table.

mod edits;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use a2lint::check::{self, Settings};
use a2lint::device::Device;
use a2lint::finding::Severity;
use a2lint::frontend::is_library;
use a2lint::ir::{ParamKind, Program};
use a2lint::isa::DType;
use a2lint::language::Language;
use a2lint::machine::hazards::Tracker;
use a2lint::machine::{Bindings, BoundLaunch, Contents, End, Options, simulate};
use a2lint::project;
use a2lint::text::SourceText;
use edits::Mutant;
use rayon::prelude::*;
use serde::Deserialize;

use crate::common::root;

const FOLDER: &str = "tests/ascendc";
/// The size of the sample unless `A2LINT_MUTANTS` gives another one.
const SAMPLE: usize = 60;
/// Limits of a run, since a mutant may not terminate.
const LIMITS: (u64, u64) = (1_000_000, 4_000_000);

/// A launch of a kernel with its inputs.
#[derive(Deserialize)]
struct Case {
    kernel: String,
    file: String,
    case: String,
    cores: u32,
    scalars: BTreeMap<String, f64>,
    inputs: BTreeMap<String, Tensor>,
    outputs: BTreeMap<String, Tensor>,
}

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<i64>,
}

/// The result of running a kernel.
enum Run {
    /// The kernel was not read completely, or the launch does not fit it.
    Unread,
    /// A fault, as text.
    Wrong(String),
    /// The bytes of its outputs, with whether they are defined.
    Values(Vec<(Vec<u8>, Vec<bool>)>),
}

impl Case {
    /// The first case of every kernel.
    fn all() -> Vec<Case> {
        let text = fs::read_to_string(root().join(FOLDER).join("golden/cases.json"));
        let cases: Vec<Case> = serde_json::from_str(&text.expect("the cases")).expect("JSON");
        let mut seen = BTreeSet::new();
        let first = cases
            .into_iter()
            .filter(|case| seen.insert(case.kernel.clone()));
        first.collect()
    }

    fn path(&self) -> PathBuf {
        root().join(FOLDER).join("kernels").join(&self.file)
    }

    fn bindings(&self) -> Bindings {
        let mut bindings = Bindings {
            scalars: self
                .scalars
                .iter()
                .map(|(name, value)| (name.clone(), *value))
                .collect(),
            cores: Some(self.cores),
            ..Bindings::default()
        };
        for (name, tensor) in self.inputs.iter().chain(&self.outputs) {
            let dtype = DType::from_name(&tensor.dtype).expect("a type");
            bindings.shapes.push((name.clone(), tensor.shape.clone()));
            bindings.dtypes.push((name.clone(), dtype));
        }
        let folder = root()
            .join(FOLDER)
            .join("golden")
            .join(&self.kernel)
            .join(&self.case);
        for name in self.inputs.keys() {
            let file = fs::read(folder.join(format!("{name}.npy"))).expect("a fixture");
            let header = usize::from(u16::from_le_bytes([file[8], file[9]]));
            let contents = Contents::Bytes(file[10 + header..].to_vec().into());
            bindings.contents.push((name.clone(), contents));
        }
        bindings
    }

    fn run(&self, settings: &Settings, text: &str) -> Run {
        let module = check::trace_ascendc(&SourceText::new(text), settings).0;
        let program = module.programs.iter().find(|it| it.name == self.kernel);
        let Some(program) = program.filter(|it| it.unknown.is_empty()) else {
            return Run::Unread;
        };
        let (bindings, device) = (self.bindings(), Device::default());
        let Ok(bound) = BoundLaunch::bind(program, None, &[], &bindings, device, 1 << 28) else {
            return Run::Unread;
        };
        let options = Options {
            max_instructions: LIMITS.0,
            max_work: LIMITS.1,
            ..Options::default()
        };
        let mut tracker = Tracker::new(program, bound.cores);
        let outcome = simulate(program, &bound, &options, &mut tracker);
        let hazards = tracker.finish();
        if outcome.end != End::Finished {
            return Run::Wrong(format!("{:?}", outcome.end));
        }
        if let Some(finding) = outcome.findings.first() {
            return Run::Wrong(format!("{:?}", finding.kind));
        }
        if let Some(illegal) = outcome.illegal.first() {
            return Run::Wrong(format!("{illegal:?}"));
        }
        if let Some(hazard) = hazards.first() {
            return Run::Wrong(format!("hazard {:?}", hazard.kind));
        }
        Run::Values(
            self.outputs
                .keys()
                .map(|name| output(program, &outcome.globals, name))
                .collect(),
        )
    }
}

/// Returns the bytes of an output, and whether each is defined.
fn output(
    program: &Program,
    globals: &[a2lint::machine::memory::Memory],
    name: &str,
) -> (Vec<u8>, Vec<bool>) {
    let param = program.params.iter().find(|param| param.name == name);
    let Some(ParamKind::Global(id)) = param.map(|param| param.kind) else {
        return Default::default();
    };
    let memory = &globals[id.index()];
    let all = 0..memory.capacity();
    let defined = all
        .clone()
        .map(|at| memory.all_defined(at..at + 1))
        .collect();
    (memory.bytes(all).to_vec(), defined)
}

/// The classification of a mutant by its run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    Unread,
    Equivalent,
    OtherValues,
    Wrong,
}

struct Verdict {
    fate: Fate,
    is_found: bool,
    seen: String,
}

fn judge(
    case: &Case,
    sound: &[(Vec<u8>, Vec<bool>)],
    settings: &Settings,
    mutant: &Mutant,
) -> Verdict {
    let (fate, seen) = match case.run(settings, &mutant.text) {
        Run::Unread => (Fate::Unread, String::new()),
        Run::Wrong(seen) => (Fate::Wrong, seen),
        Run::Values(values) => {
            let leaves_hole = values.iter().zip(sound).any(|((_, now), (_, before))| {
                before.iter().zip(now).any(|(before, now)| *before && !now)
            });
            let are_equal = values
                .iter()
                .zip(sound)
                .all(|((now, _), (before, _))| now == before);
            match (leaves_hole, are_equal) {
                (true, _) => (Fate::Wrong, "a hole in an output".to_owned()),
                (false, true) => (Fate::Equivalent, String::new()),
                (false, false) => (Fate::OtherValues, String::new()),
            }
        }
    };
    let is_found = matches!(fate, Fate::Wrong | Fate::OtherValues | Fate::Unread) && {
        let source = SourceText::new(mutant.text.as_str());
        let findings = check::check(&source, Language::Cpp, settings).findings;
        findings
            .iter()
            .any(|finding| finding.severity >= Severity::Warning)
    };
    Verdict {
        fate,
        is_found,
        seen,
    }
}

fn settings_of(path: &Path) -> Settings {
    let mut settings = Settings::default();
    settings.trace.project = project::of(path, &project::files(is_library), None);
    settings
}

#[test]
fn wrong_mutants_of_kernels_are_found() {
    let cases = Case::all();
    let only_cube = std::env::var("A2LINT_MUTANTS_OF").is_ok_and(|it| it == "cube");
    let mut mutants = Vec::new();
    for case in &cases {
        let text = fs::read_to_string(case.path()).expect("a kernel");
        if only_cube
            && !["Mmad(", "Matmul<", "MatmulImpl<"]
                .iter()
                .any(|it| text.contains(it))
        {
            continue;
        }
        let settings = settings_of(&case.path());
        let Run::Values(sound) = case.run(&settings, &text) else {
            panic!("{} is not sound", case.kernel);
        };
        let of_case = edits::mutants(&text).into_iter();
        mutants.extend(of_case.map(|mutant| (case, sound.clone(), mutant)));
    }
    let wanted = match std::env::var("A2LINT_MUTANTS").as_deref() {
        Ok("all") => mutants.len(),
        Ok(number) => number.parse().expect("a number of mutants"),
        Err(_) => SAMPLE,
    };
    let step = mutants.len().div_ceil(wanted.max(1)).max(1);
    let chosen: Vec<_> = mutants.into_iter().step_by(step).collect();
    let verdicts: Vec<Verdict> = chosen
        .par_iter()
        .map(|(case, sound, mutant)| judge(case, sound, &settings_of(&case.path()), mutant))
        .collect();
    let judged = chosen.iter().zip(&verdicts);
    let mut table: BTreeMap<&str, BTreeMap<(Fate, bool), usize>> = BTreeMap::new();
    let mut missed = Vec::new();
    for ((case, _, mutant), verdict) in judged {
        let row = table.entry(mutant.operator).or_default();
        *row.entry((verdict.fate, verdict.is_found)).or_default() += 1;
        if verdict.fate == Fate::Wrong && !verdict.is_found {
            let line = mutant
                .text
                .lines()
                .nth(mutant.line - 1)
                .unwrap_or_default()
                .trim();
            let place = format!("{}:{} {}", case.file, mutant.line, mutant.operator);
            missed.push(format!("{place}: {line} ({})", verdict.seen));
        }
    }
    print(&table);
    println!("missed:\n{}", missed.join("\n"));
    let wrong = verdicts.iter().filter(|it| it.fate == Fate::Wrong).count();
    assert!(wrong > 0, "no mutant goes wrong");
    assert!(
        missed.len() * 20 <= wrong.max(20),
        "{} of {wrong} are missed: {missed:#?}",
        missed.len()
    );
}

fn print(table: &BTreeMap<&str, BTreeMap<(Fate, bool), usize>>) {
    println!(
        "operator | wrong, found | wrong, missed | other values (found) | equivalent | not read (found)"
    );
    let mut sums = BTreeMap::new();
    let line = |operator: &str, row: &BTreeMap<(Fate, bool), usize>| {
        let of = |fate, is_found| row.get(&(fate, is_found)).copied().unwrap_or(0);
        let both = |fate| format!("{} ({})", of(fate, true) + of(fate, false), of(fate, true));
        println!(
            "{operator} | {} | {} | {} | {} | {}",
            of(Fate::Wrong, true),
            of(Fate::Wrong, false),
            both(Fate::OtherValues),
            of(Fate::Equivalent, false),
            both(Fate::Unread),
        );
    };
    for (operator, row) in table {
        line(operator, row);
        for (&key, count) in row {
            *sums.entry(key).or_default() += count;
        }
    }
    line("all", &sums);
}
