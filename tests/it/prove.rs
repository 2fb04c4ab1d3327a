//! What is proved of a kernel against its launches: no launch that satisfies the preconditions breaks a
//! property that is proved.

use std::path::Path;

use super::sync::{launches, module};
use crate::fuzzing::mutate::Random;
use crate::fuzzing::program::{launches as fuzzing_launches, write};
use a2lint::frontend::dsl::trace;
use a2lint::ir::Program;
use a2lint::machine::{
    Blind, BoundLaunch, End, FindingKind, Options, Outcome, SanitizerFinding, Value, simulate,
};
use a2lint::prove::{Precondition, Proof, Proofs};
use a2lint::text::SourceText;
use a2lint::verdict::Property;

/// How much was compared.
#[derive(Debug, Default)]
struct Counts {
    programs: usize,
    runs: usize,
    /// By property, how often it was proved and tried on a launch.
    tried: [usize; 8],
    proved: [usize; 8],
}

fn satisfies(bound: &BoundLaunch, condition: &Precondition) -> bool {
    let mut values = bound.parameters.iter();
    let value = values.find(|(id, _)| *id == condition.parameter);
    matches!(value, Some((_, Value::Int(value))) if condition.holds_of(*value))
}

/// Whether a run breaks a property. Order has a test of its own.
fn breaks(outcome: &Outcome, property: Property) -> bool {
    let seen = |is: fn(&FindingKind) -> bool| outcome.findings.iter().any(|seen| is(&seen.kind));
    match property {
        // Buffers that do not fit are refused before the first statement.
        Property::Capacity => {
            matches!(&outcome.end, End::Refused(refusal) if refusal.stmt.is_none())
        }
        Property::Bounds => seen(|kind| matches!(kind, FindingKind::GlobalBounds { .. })),
        Property::Ownership => seen(|kind| matches!(kind, FindingKind::Overlap { .. })),
        Property::Scalars => seen(|kind| matches!(kind, FindingKind::ScalarOverflow(_))),
        Property::Progress => {
            matches!(outcome.end, End::Deadlock(_))
                || seen(|kind| {
                    matches!(
                        kind,
                        FindingKind::RepeatedSet(_) | FindingKind::FlagOverflow(_)
                    )
                })
        }
        Property::Operands => {
            !outcome.illegal.is_empty()
                || seen(|kind| {
                    matches!(
                        kind,
                        FindingKind::Overrun { .. }
                            | FindingKind::OutsideMemory(_)
                            | FindingKind::Misaligned { .. }
                            | FindingKind::TypeMismatch(_)
                            | FindingKind::OddOffset { .. }
                    )
                })
        }
        // What lies outside of a global tensor is undefined, and so is what rows without data reduce to.
        Property::Initialised => {
            let is_inside = !seen(|kind| matches!(kind, FindingKind::GlobalBounds { .. }));
            is_inside
                && seen(|kind| kind.is_undefined() && *kind != FindingKind::UndefinedReduction)
        }
        Property::Order => false,
    }
}

fn compare(program: &Program, bounds: &[BoundLaunch], counts: &mut Counts) -> Result<(), String> {
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
        counts.runs += 1;
        let outcome = simulate(program, bound, &Options::default(), &mut Blind);
        let overflows =
            |seen: &SanitizerFinding| matches!(seen.kind, FindingKind::ScalarOverflow(_));
        let has_wrapped = outcome.findings.iter().any(overflows);
        for property in Property::ALL {
            let Proof::Holds { under, .. } = proofs.get(property) else {
                continue;
            };
            let most = under.iter().filter_map(|condition| condition.most).min();
            let extents = bound.globals.iter().flat_map(|global| &global.shape);
            let are_small = most.is_none_or(|most| extents.clone().all(|&extent| extent <= most));
            // Nothing is said of numbers that have wrapped but that they may.
            if has_wrapped && property != Property::Scalars {
                continue;
            }
            if !are_small || !under.iter().all(|condition| satisfies(bound, condition)) {
                continue;
            }
            counts.tried[property as usize] += 1;
            if breaks(&outcome, property) {
                let name = property.name();
                return Err(format!(
                    "{name} is proved, and a launch shows {:?}",
                    outcome.findings
                ));
            }
        }
    }
    Ok(())
}

fn compare_file(path: &Path, counts: &mut Counts) {
    let module = module(path);
    for program in &module.programs {
        let own = launches(&module).into_iter();
        let own = own.filter(|(launched, _)| std::ptr::eq(*launched, program));
        let bounds: Vec<BoundLaunch> = own.map(|(_, bound)| bound).collect();
        if let Err(problem) = compare(program, &bounds, counts) {
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
            if let Err(problem) = compare(program, &bounds, &mut counts) {
                panic!("seed {seed}: {problem}\n{text}");
            }
        }
    }
    println!("{programs} programs: {counts:?}");
    assert!(counts.tried[Property::Operands as usize] > 0, "{counts:?}");
}
