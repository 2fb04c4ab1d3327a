//! What is proved of a kernel against its launches: no launch that satisfies the preconditions breaks a
//! property that is proved.

use std::path::Path;

use super::sync::{launches, module};
use crate::fuzzing::mutate::Random;
use crate::fuzzing::program::{launches as fuzzing_launches, write};
use a2lint::check::{Settings, check};
use a2lint::frontend::dsl::trace;
use a2lint::ir::Program;
use a2lint::language::Language;
use a2lint::machine::{
    Blind, BoundLaunch, FindingKind, Options, Outcome, SanitizerFinding, simulate,
};
use a2lint::prove::{Precondition, Proof, Proofs, is_broken};
use a2lint::text::SourceText;
use a2lint::verdict::{Property, Status};

/// How much was compared.
#[derive(Debug, Default)]
pub struct Counts {
    programs: usize,
    pub runs: usize,
    /// By property, how often it was proved and tried on a launch.
    tried: [usize; 8],
    proved: [usize; 8],
}

/// Compares what is proved with what a run shows. `is_assumed` says whether the launch is as a proof assumes.
pub fn compare(
    proofs: &Proofs,
    bound: &BoundLaunch,
    outcome: &Outcome,
    is_assumed: impl Fn(Property) -> bool,
    counts: &mut Counts,
) -> Result<(), String> {
    counts.runs += 1;
    let overflows = |seen: &SanitizerFinding| matches!(seen.kind, FindingKind::ScalarOverflow(_));
    let has_wrapped = outcome.findings.iter().any(overflows);
    for property in Property::ALL {
        let Proof::Holds { under, .. } = proofs.get(property) else {
            continue;
        };
        // Nothing is said of numbers that have wrapped but that they may.
        if has_wrapped && property != Property::Scalars {
            continue;
        }
        if !is_assumed(property) || !under.iter().all(|condition| condition.holds_in(bound)) {
            continue;
        }
        counts.tried[property as usize] += 1;
        if is_broken(outcome, property) {
            let name = property.name();
            return Err(format!(
                "{name} is proved, and a launch shows {:?}",
                outcome.findings
            ));
        }
    }
    Ok(())
}

fn compare_all(
    program: &Program,
    bounds: &[BoundLaunch],
    counts: &mut Counts,
) -> Result<(), String> {
    let proofs = Proofs::of(program, bounds.iter());
    counts.programs += 1;
    for property in Property::ALL {
        let is_proved = matches!(proofs.get(property), Proof::Holds { .. });
        counts.proved[property as usize] += usize::from(is_proved);
    }
    for bound in bounds {
        let breaches = program.contract.breaches(&bound.given(program));
        if !breaches.is_empty() {
            continue;
        }
        let outcome = simulate(program, bound, &Options::default(), &mut Blind);
        let extents = bound.globals.iter().flat_map(|global| &global.shape);
        let are_small = |property| {
            let Proof::Holds { under, .. } = proofs.get(property) else {
                return false;
            };
            let most = under.iter().filter_map(|it| it.size()?.most).min();
            most.is_none_or(|most| extents.clone().all(|&extent| extent <= most))
        };
        compare(&proofs, bound, &outcome, are_small, counts)?;
    }
    Ok(())
}

fn compare_file(path: &Path, counts: &mut Counts) {
    let module = module(path);
    for program in &module.programs {
        let own = launches(&module).into_iter();
        let own = own.filter(|(launched, _)| std::ptr::eq(*launched, program));
        let bounds: Vec<BoundLaunch> = own.map(|(_, bound)| bound).collect();
        if let Err(problem) = compare_all(program, &bounds, counts) {
            panic!("{} {}: {problem}", path.display(), program.name);
        }
        if std::env::var_os("A2LINT_PROOF_TABLE").is_some() {
            print(path, program, &Proofs::of(program, bounds.iter()));
        }
    }
}

fn print(path: &Path, program: &Program, proofs: &Proofs) {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let text = crate::common::read(path);
    for property in Property::ALL {
        let what = match proofs.get(property) {
            Proof::Holds { under, assuming } => {
                let under: Vec<String> = under.iter().map(Precondition::to_string).collect();
                format!("proved {under:?} {assuming:?}")
            }
            Proof::Open { because, at } => {
                let line = at.map(|at| text[..at.start as usize].lines().count());
                format!("OPEN {because} {line:?}")
            }
        };
        println!("{file} {} {}: {what}", program.name, property.name());
    }
}

#[test]
fn launches_break_nothing_that_is_proved() {
    let mut counts = Counts::default();
    for folder in ["kernels", "sync"] {
        let folder = crate::common::root().join("tests").join(folder);
        for path in crate::common::files(&folder, "py") {
            compare_file(&path, &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts.tried.iter().sum::<usize>() > 400, "{counts:?}");
}

/// The cases of the rules do all that kernels can do wrong.
#[test]
fn bad_cases_break_nothing_that_is_proved() {
    let mut counts = Counts::default();
    let folder = crate::common::root().join("tests/rules");
    for path in crate::common::files(&folder, "py") {
        compare_file(&path, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.programs > 300, "{counts:?}");
}

/// `A2LINT_PROOF_PROGRAMS=100000` sets the number of random programs, `A2LINT_PROOF_FIRST` the first seed.
#[test]
fn random_programs_break_nothing_that_is_proved() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let programs = number("A2LINT_PROOF_PROGRAMS").unwrap_or(150);
    let first = number("A2LINT_PROOF_FIRST").unwrap_or(1);
    let mut counts = Counts::default();
    for seed in first..first + programs {
        let text = write(&mut Random::new(seed));
        let module = trace(&SourceText::new(text.as_str()));
        for program in &module.programs {
            let bounds = fuzzing_launches(program);
            if let Err(problem) = compare_all(program, &bounds, &mut counts) {
                panic!("seed {seed}: {problem}\n{text}");
            }
        }
    }
    println!("{programs} programs: {counts:?}");
    assert!(counts.tried[Property::Operands as usize] > 0, "{counts:?}");
}

/// What is proved under preconditions is not said of launches that they exclude.
#[test]
fn a_launch_outside_of_the_preconditions_is_tested() {
    let kernel = |launches: &str| {
        format!(
            "from easyasc.a2 import *\n\n\n{launches}@kernel()\n\
             def scale(x: GMTensor, y: GMTensor, M: Var):\n    \
             tile = Tensor(DT.float, [8, 64], Position.UB)\n    \
             with auto_sync():\n        \
             for row in range(0, M, 8):\n            \
             rows = Min(8, M - row)\n            \
             tile[0:rows, 0:64] <<= x[row : row + rows, 0:64]\n            \
             muls(tile, tile, 2.0)\n            \
             y[row : row + rows, 0:64] <<= tile[0:rows, 0:64]\n"
        )
    };
    let scalars = |launches: &str| {
        let source = SourceText::new(kernel(launches).as_str());
        let analysis = check(&source, Language::Easyasc, &Settings::default());
        let verdicts = analysis.verdicts().next().expect("one kernel");
        let status = verdicts[Property::Scalars as usize].status.clone();
        (status, analysis.records[0].unproved(Property::Scalars))
    };
    let inside = "# a2lint: launch(M=20, x=float[20, 64], y=float[20, 64])\n";
    let outside = "# a2lint: launch(M=0, x=float[1, 64], y=float[1, 64])\n";
    let (status, unproved) = scalars(inside);
    assert!(matches!(status, Status::Proved { .. }), "{status:?}");
    assert_eq!(unproved, None);
    let (status, unproved) = scalars(&format!("{inside}{outside}"));
    assert_eq!(status, Status::Tested);
    let (because, at) = unproved.expect("a reason");
    assert!(because.contains("excludes launch(M=0"), "{because}");
    assert!(at.is_some());
}
