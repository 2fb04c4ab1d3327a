//! The same kernel in two dialects has the same program, findings, verdicts and results.

mod coverage;
mod order;
mod reading;
mod translate;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use crate::common::{analysis, files, read, root};
use a2lint::check::Analysis;
use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::ir::{GlobalKind, Module};
use a2lint::machine::{BoundLaunch, End, NullObserver, Options, simulate};
use a2lint::text::SourceText;
use translate::translated;

/// Rules that one of the dialects does not have, or defines differently.
const OTHER_RULES: &[&str] = &[
    "accumulate-settle",
    "auto-sync-scope",
    "bias-overflow",
    "event-budget",
    "flag-id",
    "illegal-move",
    "kernel-name",
    "l0ab-overflow",
    "l0c-overflow",
    "mutex-protocol",
    "narrow-cast",
    "narrow-destination",
    "operand-alignment",
    "race",
    "redundant-barrier",
    "scalar-hazard",
    "sub-block-column",
    "sub-block-in-cube",
    "unused-buffer",
    "var-alias",
    "wrong-side",
];

/// Cases, or rules, whose code has another meaning in the other dialect: it refuses more types and updates, copies
/// inside of UB, takes repeats from destinations, lays out plain products, and its compiler inserts barriers
/// everywhere.
const OTHER_MEANINGS: &[&str] = &[
    "bitwise-width",
    "cast-pair",
    "dup-dtype",
    "illegal-move",
    "l0c-to-l1-float",
    "l1-operand-slice",
    "lost-update",
    "unneeded-barrier",
    "bad_rows.py",
    "bad_smaller_source.py",
    "empty_move.py",
    "good_smaller_source.py",
    "good_split.py",
];

/// Lines of findings, with severity and name.
type Findings = Vec<(usize, String)>;

fn findings(analysis: &Analysis, text: &str) -> Findings {
    let source = SourceText::new(text);
    let all = analysis.findings.iter();
    let common = all.filter(|finding| !OTHER_RULES.contains(&finding.name));
    let mut found: Findings = common
        .map(|finding| {
            let line = source.line_column(finding.span.start).line;
            (line, format!("{:?} {}", finding.severity, finding.name))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// Returns the step between tested files: `usual`, or 1 if all are requested. Each comparison needs two checks.
fn step(usual: usize) -> usize {
    match std::env::var_os("A2LINT_ALL_DIALECT_CASES") {
        Some(_) => 1,
        None => usual,
    }
}

/// Returns the kernel files of a folder.
fn kernels_in(folder: &str) -> Vec<PathBuf> {
    files(&root().join(folder), "py")
}

/// Returns the sound kernels of the first dialect.
fn kernels() -> Vec<PathBuf> {
    let all = kernels_in("tests/kernels");
    let is_sound = |path: &PathBuf| !path.iter().any(|part| part == "broken");
    all.into_iter().filter(is_sound).collect()
}

fn cases() -> Vec<PathBuf> {
    let folders = ["tests/rules", "tests/kernels", "tests/sync"];
    let all = folders
        .iter()
        .flat_map(|folder| files(&root().join(folder), "py"));
    all.filter(|path| !path.iter().any(|part| part == "broken"))
        .collect()
}

fn shown(path: &Path) -> String {
    let path = path.strip_prefix(root()).expect("below the root");
    path.display().to_string()
}

#[test]
fn translated_cases_have_the_findings_of_the_first_dialect() {
    let step = step(12);
    let (mut same, mut differ) = (0, Vec::new());
    let mut reasons: BTreeMap<&str, usize> = BTreeMap::new();
    for path in cases().into_iter().step_by(step) {
        let text = read(&path);
        let other = match translated(&text) {
            Ok(other) => other,
            Err(reason) => {
                *reasons.entry(reason).or_default() += 1;
                continue;
            }
        };
        if path
            .iter()
            .any(|part| OTHER_MEANINGS.iter().any(|name| part == *name))
        {
            continue;
        }
        let pedantic = text
            .lines()
            .next()
            .is_some_and(|line| line.contains("~ pedantic"));
        let here = findings(&analysis(&SourceText::new(text.as_str()), pedantic), &text);
        let there = findings(
            &analysis(&SourceText::new(other.as_str()), pedantic),
            &other,
        );
        let refused = |found: &Findings| found.iter().any(|it| it.1.ends_with(" trace-error"));
        if refused(&there) && !refused(&here) {
            *reasons
                .entry("arguments that its compiler refuses")
                .or_default() += 1;
            continue;
        }
        match here == there {
            true => same += 1,
            false => differ.push(format!("{}: {here:?} and {there:?}", shown(&path))),
        }
    }
    println!(
        "{same} the same, {} differ, not translated: {reasons:?}",
        differ.len()
    );
    assert!(differ.is_empty(), "{}", differ.join("\n"));
    assert!(same * step >= 200, "{same} cases translate: {reasons:?}");
}

/// Runs the first launch of a file, and returns the contents of its tensors.
fn run(module: &Module) -> Option<Vec<Vec<u8>>> {
    let program = module.programs.first()?;
    let launch = module
        .launches
        .iter()
        .find(|launch| launch.kernel == program.name)?;
    let bindings = Default::default();
    let limit = 1 << 28;
    let device = Device::default();
    let bound = BoundLaunch::bind(
        program,
        Some(launch),
        &module.launches,
        &bindings,
        device,
        limit,
    );
    let bound = bound.expect("the launches of the repository fit");
    let outcome = simulate(program, &bound, &Options::default(), &mut NullObserver);
    assert_eq!(outcome.end, End::Finished, "{}", program.name);
    let params = program.globals.iter().zip(&outcome.globals);
    let params = params.filter(|(global, _)| global.kind == GlobalKind::Param);
    Some(
        params
            .map(|(_, memory)| memory.bytes(0..memory.capacity()).to_vec())
            .collect(),
    )
}

#[test]
fn translated_kernels_compute_the_same_numbers() {
    let mut compared = 0;
    for path in kernels() {
        let text = read(&path);
        let Ok(other) = translated(&text) else {
            continue;
        };
        let [here, there] = [text.as_str(), other.as_str()].map(|text| {
            let module = trace(&SourceText::new(text));
            run(&module)
        });
        if let Some(numbers) = &here {
            assert!(here == there, "{}: other numbers", shown(&path));
            compared += usize::from(!numbers.is_empty());
        }
    }
    assert!(compared >= 3, "{compared} kernels were compared");
}

#[test]
fn translated_kernels_have_the_same_verdicts() {
    let (mut compared, mut equal, mut all) = (0, 0, 0);
    for path in kernels().into_iter().step_by(step(4)) {
        let text = read(&path);
        let Ok(other) = translated(&text) else {
            continue;
        };
        let [here, there] = [text.as_str(), other.as_str()].map(|text| {
            let analysis = analysis(&SourceText::new(text), false);
            let mut findings = analysis.findings.iter();
            let has_own = findings.any(|finding| OTHER_RULES.contains(&finding.name));
            let verdicts = analysis.verdicts().flatten();
            let named = verdicts.map(|it| (it.property.name(), it.status.name().to_owned()));
            (!has_own).then(|| named.collect::<Vec<_>>())
        });
        // A kernel that is illegal in one dialect has no proofs there.
        let (Some(here), Some(there)) = (here, there) else {
            continue;
        };
        // Regions cover more in one dialect, and its runs may exceed the budget. Verdicts may therefore be open in
        // one of them, but must not contradict each other.
        for (a, b) in here.iter().zip(&there) {
            let contradicts = (a.1 == "refuted") != (b.1 == "refuted");
            assert!(!contradicts, "{}: {a:?} and {b:?}", shown(&path));
            // Preconditions on extents in one dialect are part of the signature in the other.
            let proved = |it: &(&'static str, String)| it.1.starts_with("proved");
            if a == b || proved(a) && proved(b) {
                equal += 1;
            } else {
                println!("{}: {a:?} and {b:?}", shown(&path));
            }
            all += 1;
        }
        compared += 1;
    }
    assert!(compared >= 1, "{compared} kernels were compared");
    println!("{equal} of {all} verdicts are equal");
    assert!(
        equal * 20 >= all * 19,
        "{equal} of {all} verdicts are equal"
    );
}
