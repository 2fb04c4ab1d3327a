//! Evaluation against a compiler: programs are compiled with g++ and run, and traced and executed; what both print must
//! be equal.
//!
//! A program is a function `void program()` in a namespace of its own. It prints with `out(name, value)` and asks for
//! inputs with `in(k)`. Traced, an input is a parameter of the program, and `out` assigns to another one.
//!
//! `A2LINT_PROGRAM=NAME` runs one of the programs written by hand, `A2LINT_PROGRAM_FILE=PATH` a file instead of them,
//! and `A2LINT_SHOW_TIME=1` (with `--nocapture`) prints how long each evaluation takes.

mod compiler;
mod execution;
mod generator;
mod tracing;

use std::collections::BTreeMap;

use compiler::Compiler;
use tracing::Traced;

/// Values that `in(0)`, `in(1)`, … have, for each run.
pub const INPUTS: [[i32; 4]; 6] = [
    [0, 0, 0, 0],
    [1, 2, 3, 4],
    [7, 3, 12, 5],
    [-5, 20, 1, -1],
    [16, 16, 2, 9],
    [3, 0, 100, -30],
];

/// One printed line: a name and a value.
pub type Line = (String, String);

/// Programs written by hand, by name.
const PROGRAMS: &[(&str, &str)] = &[
    ("numbers", include_str!("programs/numbers.cpp")),
    ("templates", include_str!("programs/templates.cpp")),
    ("classes", include_str!("programs/classes.cpp")),
    ("lambdas", include_str!("programs/lambdas.cpp")),
    ("control", include_str!("programs/control.cpp")),
    ("symbolic", include_str!("programs/symbolic.cpp")),
    ("library", include_str!("programs/library.cpp")),
    ("layout", include_str!("programs/layout.cpp")),
    ("enumerations", include_str!("programs/enumerations.cpp")),
    ("unions", include_str!("programs/unions.cpp")),
    ("comparisons", include_str!("programs/comparisons.cpp")),
    ("decltypes", include_str!("programs/decltypes.cpp")),
    ("views", include_str!("programs/views.cpp")),
    ("chosen", include_str!("programs/chosen.cpp")),
    ("substitution", include_str!("programs/substitution.cpp")),
];

/// Compares what programs print; returns how many values there were, and how many of them were unknown.
fn compare(compiler: &Compiler, programs: &[(String, String)]) -> (usize, usize) {
    let printed = compiler.run(programs);
    let (mut values, mut unknown) = (0, 0);
    let mut wrong: BTreeMap<String, String> = BTreeMap::new();
    for (name, text) in programs {
        let traced = Traced::of(text);
        for (run, inputs) in INPUTS.iter().enumerate() {
            let expected = &printed[&(name.clone(), run)];
            let lines = traced.lines(inputs);
            values += expected.len();
            match lines {
                Err(why) => {
                    unknown += expected.len();
                    if std::env::var_os("A2LINT_SHOW_UNKNOWN").is_some() {
                        println!("{name} run {run}: {why} {:?}", traced.unknown());
                    }
                }
                Ok(lines) => {
                    unknown += lines.iter().filter(|(_, value)| value == "?").count();
                    if std::env::var_os("A2LINT_SHOW_UNKNOWN").is_some()
                        && lines.iter().any(|(_, value)| value == "?")
                    {
                        println!("{name} run {run}: {:?}", traced.unknown());
                    }
                    let differs = lines.len() != expected.len()
                        || lines
                            .iter()
                            .zip(expected)
                            .any(|(own, line)| own.0 != line.0 || own.1 != "?" && own.1 != line.1);
                    if differs && traced.is_known_so_far(&lines) {
                        let at = lines
                            .iter()
                            .zip(expected)
                            .position(|(own, line)| own != line && own.1 != "?");
                        wrong.entry(name.clone()).or_insert_with(|| {
                            format!(
                                "{name}, inputs {inputs:?}: line {at:?}\n compiler: {:?}\n traced:   {:?}\n \
                                    unknown: {:?}\n{}",
                                near(expected, at),
                                near(&lines, at),
                                traced.unknown(),
                                match std::env::var_os("A2LINT_SHOW_PROGRAMS") {
                                    Some(_) => format!("{text}\n{}", traced.print()),
                                    None => String::new(),
                                }
                            )
                        });
                    }
                }
            }
        }
    }
    let all: Vec<String> = wrong.into_values().collect();
    assert!(all.is_empty(), "{} differ\n{}", all.len(), all.join("\n"));
    (values, unknown)
}

fn near(lines: &[Line], at: Option<usize>) -> &[Line] {
    let at = at.unwrap_or(lines.len().min(lines.len().saturating_sub(1)));
    &lines[at.saturating_sub(1)..lines.len().min(at + 2)]
}

/// Runs a test with a compiler and a stack as the tracer has it.
fn with_compiler(test: impl FnOnce(&Compiler) + Send) {
    let Some(compiler) = Compiler::find() else {
        println!("skipped: there is no g++");
        return;
    };
    a2lint_source::guard::with_stack(a2lint_source::guard::STACK_BYTES, |_| test(&compiler));
}

#[test]
fn programs_by_hand_print_what_a_compiler_makes_of_them() {
    with_compiler(|compiler| {
        let only = std::env::var("A2LINT_PROGRAM").ok();
        let file = std::env::var_os("A2LINT_PROGRAM_FILE");
        let mut programs: Vec<(String, String)> = PROGRAMS
            .iter()
            .filter(|(name, _)| only.as_ref().is_none_or(|only| only == name))
            .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()))
            .collect();
        if let Some(file) = file {
            let text = std::fs::read_to_string(file).expect("the file of the program");
            programs = vec![("file".to_owned(), text)];
        }
        let (values, unknown) = compare(compiler, &programs);
        println!("{values} values, {unknown} of them unknown");
        assert!(unknown * 50 <= values, "{unknown} of {values} are unknown");
    });
}

#[test]
fn random_programs_print_what_a_compiler_makes_of_them() {
    with_compiler(|compiler| {
        let count = std::env::var("A2LINT_RANDOM_PROGRAMS").ok();
        let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(100);
        let seed = std::env::var("A2LINT_SEED").ok();
        let first: u64 = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
        let (mut values, mut unknown) = (0, 0);
        let seeds: Vec<u64> = (first..first + count).collect();
        for chunk in seeds.chunks(100) {
            let programs: Vec<(String, String)> = chunk
                .iter()
                .map(|&seed| (format!("random{seed}"), generator::program(seed)))
                .collect();
            let (more, more_unknown) = compare(compiler, &programs);
            values += more;
            unknown += more_unknown;
        }
        println!("{count} programs, {values} values, {unknown} of them unknown");
        assert!(unknown * 50 <= values, "{unknown} of {values} are unknown");
    });
}
