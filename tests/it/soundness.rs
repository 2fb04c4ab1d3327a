//! The analysis holds for every run of the simulator, on correct kernels and on random ones: accessed bytes, slots,
//! definedness, scalars, vector masks. Random programs compute what a naive interpretation of them computes.
//!
//! `A2LINT_SOUNDNESS_PROGRAMS=50000` sets the number of random programs, and `A2LINT_SOUNDNESS_FIRST` the first seed.

use crate::fuzzing::mutate::Random;
use crate::fuzzing::program::{Counts, compare, differ, launches, run, write};
use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::machine::{Bindings, BoundLaunch};
use a2lint::text::SourceText;

/// Additional seeds whose programs once contradicted the analysis.
const ONCE_FAILED: [u64; 5] = [637, 5018, 705477, 809605, 825253];

#[test]
fn clean_kernels_do_what_the_analysis_says() {
    let mut counts = Counts::default();
    let few_cores = Bindings {
        cores: Some(2),
        ..Bindings::default()
    };
    for path in crate::common::files(&crate::common::root().join("tests/kernels"), "py") {
        let module = trace(&SourceText::new(crate::common::read(&path)));
        let given = &module.launches;
        for launch in given {
            let mut programs = module.programs.iter();
            let Some(program) = programs.find(|program| program.name == launch.kernel) else {
                continue;
            };
            let device = Device::default();
            let bound =
                BoundLaunch::bind(program, Some(launch), given, &few_cores, device, 1 << 28);
            let Ok(bound) = bound else {
                continue;
            };
            match run(program, &bound) {
                Ok(more) => counts.add(&more),
                Err(problem) => panic!("{} {:?}: {problem}", launch.kernel, launch.scalars),
            }
        }
    }
    assert!(counts.accesses > 5_000, "{counts:?}");
    assert!(counts.inexact > 500, "{counts:?}");
    assert!(counts.bounded > 5_000, "{counts:?}");
}

#[test]
fn random_programs_compute_what_a_naive_reading_does() {
    let programs = number("A2LINT_SOUNDNESS_PROGRAMS").unwrap_or(250);
    let first = number("A2LINT_SOUNDNESS_FIRST").unwrap_or(1);
    let mut compared = 0;
    let mut failures = Vec::new();
    for seed in first..first + programs {
        match differ(&mut Random::new(seed)) {
            Ok(more) => compared += more as u64,
            Err(problem) => failures.push(format!("seed {seed}: {problem}")),
        }
        assert!(failures.len() < 5, "{}", failures.join("\n"));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{programs} programs: {compared} runs compared");
    assert!(
        compared > programs / 4,
        "{compared} runs of {programs} programs"
    );
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn random_programs_do_what_the_analysis_says() {
    let programs = number("A2LINT_SOUNDNESS_PROGRAMS").unwrap_or(250);
    let first = number("A2LINT_SOUNDNESS_FIRST").unwrap_or(1);
    let mut counts = Counts::default();
    let mut failures = Vec::new();
    for seed in (first..first + programs).chain(ONCE_FAILED) {
        let text = write(&mut Random::new(seed));
        match compare(&text) {
            Ok(more) => counts.add(&more),
            Err(problem) => failures.push(format!("seed {seed}: {problem}\n{text}")),
        }
        assert!(failures.len() < 5, "{}", failures.join("\n"));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{programs} programs: {counts:?}");
    assert!(counts.runs > programs, "{counts:?}");
    for (what, found) in [
        ("accesses", counts.accesses),
        ("inexact", counts.inexact),
        ("bounded", counts.bounded),
        ("undefined", counts.undefined),
        ("masks", counts.masks),
    ] {
        assert!(found > programs, "{what}: {counts:?}");
    }
}

/// Returns conditions that a launch satisfies, some of them with equality.
fn satisfied(values: &[(String, f64)], random: &mut Random) -> Vec<String> {
    let mut draw = |below: i64| random.below(below as usize) as i64;
    let mut conditions = Vec::new();
    for (name, value) in values {
        let value = *value as i64;
        let slack = draw(2) * draw(9);
        conditions.push(match draw(5) {
            0 => format!("{name} >= {}", value - slack),
            1 => format!("{name} <= {}", value + slack),
            2 => format!("{} <= {name} < {}", value - slack, value + slack + 1),
            3 => format!("{name} == {value}"),
            _ => {
                let modulus = 1 + draw(64);
                format!("{name} % {modulus} == {}", value.rem_euclid(modulus))
            }
        });
        let (other, known) = &values[draw(values.len() as i64) as usize];
        let (a, b) = (1 + draw(3), draw(5) - 2);
        let sum = a * value + b * *known as i64;
        if b != 0 && other != name && draw(2) == 0 {
            let sign = ["<=", ">=", "=="][draw(3) as usize];
            conditions.push(format!("{a} * {name} + {b} * {other} {sign} {sum}"));
        }
    }
    conditions
}

#[test]
fn contracts_are_facts_of_the_launches_inside() {
    let programs = number("A2LINT_SOUNDNESS_PROGRAMS").unwrap_or(60);
    let first = number("A2LINT_SOUNDNESS_FIRST").unwrap_or(1);
    let (mut with, mut without) = (Counts::default(), Counts::default());
    for seed in first..first + programs {
        let text = write(&mut Random::new(seed));
        let module = trace(&SourceText::new(text.as_str()));
        for (program, which) in module.programs.iter().zip(0..) {
            for launch in launches(program) {
                let values = launch.scalars(program);
                let mut random = Random::new(seed * 31 + which);
                let conditions = satisfied(&values, &mut random).join(", ");
                let comment = format!("# a2lint: assume({conditions})\n@kernel");
                let promised = text.replace("@kernel", &comment);
                let again = trace(&SourceText::new(promised.as_str()));
                let again = &again.programs[which as usize];
                let found = again.contract.breaches(&launch.given(again));
                assert!(found.is_empty(), "seed {seed}: {found:?}");
                let is_read = again.contract.conditions.is_empty() == conditions.is_empty();
                assert!(is_read, "seed {seed}: {conditions}");
                match run(again, &launch) {
                    Ok(more) => with.add(&more),
                    Err(problem) => panic!("seed {seed}: {problem}\n{promised}"),
                }
                if let Ok(more) = run(program, &launch) {
                    without.add(&more);
                }
            }
        }
    }
    println!("{programs} programs: {with:?}, {without:?} without");
    assert!(
        with.runs > programs && with.bounded > without.bounded,
        "{with:?} {without:?}"
    );
}
