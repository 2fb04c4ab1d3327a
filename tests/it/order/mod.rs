//! Proofs of order compared with launches: every hazard of a run is among the pairs that the analysis leaves open,
//! and a kernel whose order is proved has no hazard in either of two engines.
//!
//! `A2LINT_ORDER_PROGRAMS=50000` sets the number of random programs, and `A2LINT_ORDER_FIRST` the first seed.

mod author;

use std::path::Path;

use super::sync::{Freezer, kernels, launches, module};
use crate::fuzzing::mutate::Random;
use a2lint::analysis::{KernelFacts, Order};
use a2lint::frontend::dsl::trace;
use a2lint::hazards::{Hazard, HazardKind, Readings};
use a2lint::ir::Program;
use a2lint::machine::{BoundLaunch, FindingKind, Options, Outcome, Value, simulate};
use a2lint::text::SourceText;

/// Numbers of compared items.
#[derive(Debug, Default)]
pub struct Counts {
    pub programs: u64,
    pub proved: u64,
    pub runs: u64,
    pub hazards: u64,
    pub strays: u64,
}

/// Returns the proof of order of a kernel.
pub fn order(program: &Program) -> Order {
    Order::of(&KernelFacts::of(program))
}

/// Whether a launch satisfies the proof's precondition that some parameters are at least 1.
fn satisfies(bound: &BoundLaunch, order: &Order) -> bool {
    order.under.iter().all(|id| {
        let value = bound.parameters.iter().find(|(other, _)| other == id);
        matches!(value, Some((_, Value::Int(value))) if *value >= 1)
    })
}

/// Whether an access of a run was out of bounds or illegal; order is proved only for other runs.
fn strays(outcome: &Outcome) -> bool {
    use FindingKind::{GlobalBounds, OutsideMemory, Overrun, TypeMismatch};
    !outcome.illegal.is_empty()
        || outcome.findings.iter().any(|seen| {
            matches!(
                seen.kind,
                Overrun { .. } | OutsideMemory(_) | GlobalBounds { .. } | TypeMismatch(_)
            )
        })
}

/// Compares a launch with the proof of order of its kernel.
pub fn compare(
    program: &Program,
    bound: &BoundLaunch,
    order: &Order,
    counts: &mut Counts,
) -> Result<(), String> {
    counts.runs += 1;
    let mut tracker = Readings::new(program, bound.cores);
    let outcome = simulate(program, bound, &Options::default(), &mut tracker);
    let mut hazards = tracker.finish();
    hazards.retain(|hazard| hazard.kind != HazardKind::RingOverrun);
    counts.hazards += hazards.len() as u64;
    if strays(&outcome) {
        counts.strays += 1;
        return Ok(());
    }
    let is_open = |hazard: &&Hazard| {
        let ends = (hazard.first.stmt, hazard.second.stmt);
        order.open.iter().any(|open| {
            let pair = (open.first, open.second);
            pair == ends || hazard.first.lane != hazard.second.lane && pair == (ends.1, ends.0)
        })
    };
    let is_all = order.unfollowed.is_none();
    let holds = satisfies(bound, order) && is_all;
    if let Some(missed) = hazards.iter().find(|hazard| holds && !is_open(hazard)) {
        return Err(format!(
            "{}: {missed:#?} is not among {:?}",
            program.name, order.open
        ));
    }
    if order.is_proved() && holds {
        let mut freezer = Freezer::new(program, bound.cores);
        simulate(program, bound, &Options::default(), &mut freezer);
        let overlaps = freezer.finish();
        if !overlaps.is_empty() {
            return Err(format!("{}: proved, and {overlaps:?}", program.name));
        }
    }
    Ok(())
}

fn compare_file(path: &Path, counts: &mut Counts) {
    let module = module(path);
    for program in &module.programs {
        let order = order(program);
        counts.programs += 1;
        counts.proved += u64::from(order.is_proved());
        if std::env::var_os("A2LINT_ORDER_TABLE").is_some() {
            print(path, program, &order);
        }
        for (launched, bound) in launches(&module) {
            if std::ptr::eq(launched, program)
                && let Err(problem) = compare(program, &bound, &order, counts)
            {
                panic!("{}: {problem}", path.display());
            }
        }
    }
}

fn print(path: &Path, program: &Program, order: &Order) {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let line = |id| {
        let text = crate::common::read(path);
        let stmt = program.statement(id);
        stmt.map_or(0, |stmt| text[..stmt.span.start as usize].lines().count())
    };
    let open: Vec<String> = order
        .open
        .iter()
        .map(|open| format!("{}->{} {:?}", line(open.first), line(open.second), open.why))
        .collect();
    println!(
        "{file} {}: {:?} if {:?} {open:?}",
        program.name, order.unfollowed, order.under
    );
}

#[test]
fn hazards_of_runs_are_among_the_open_pairs() {
    let mut counts = Counts::default();
    for folder in ["kernels", "sync"] {
        kernels(folder)
            .iter()
            .for_each(|path| compare_file(path, &mut counts));
    }
    println!("{counts:?}");
    assert!(counts.hazards > 40 && counts.proved > 55, "{counts:?}");
}

#[test]
fn random_hazards_are_among_the_open_pairs() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let programs = number("A2LINT_ORDER_PROGRAMS").unwrap_or(200);
    let first = number("A2LINT_ORDER_FIRST").unwrap_or(1);
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for seed in first..first + programs {
        let text = author::write(&mut Random::new(seed));
        if let Err(problem) = compare_text(&text, &mut counts) {
            failures.push(format!("seed {seed}: {problem}\n{text}"));
        }
        assert!(failures.len() < 3, "{}", failures.join("\n"));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{counts:?}");
    assert!(counts.hazards > programs / 4, "{counts:?}");
    assert!(counts.proved > programs / 10, "{counts:?}");
}

fn compare_text(text: &str, counts: &mut Counts) -> Result<(), String> {
    let module = trace(&SourceText::new(text.to_owned()));
    for program in &module.programs {
        let order = order(program);
        let is_whole = program.unknown.is_empty() && !program.hides_instructions();
        counts.programs += 1;
        counts.proved += u64::from(order.is_proved() && is_whole);
        for (launched, bound) in launches(&module) {
            if std::ptr::eq(launched, program) {
                let bound = BoundLaunch {
                    cores: 2,
                    vec_lanes: 4,
                    ..bound
                };
                compare(program, &bound, &order, counts)?;
            }
        }
    }
    Ok(())
}
