//! How many logic errors does `a2lint test` detect without a reference?
//!
//! `cargo run --release --example mistakes [-- KIND…]` plants the mistakes of `mistakes.toml` in the kernels of
//! `tests/kernels`, one at a time. Mistakes that change no result under the launches of their file, on all cores and
//! on one, are listed separately. For each kind, the table has the number of mistakes that violate a law, and which
//! one; of those that only cause a note that the sound kernel does not have; and of those that `a2lint check` reports
//! as an error or a warning.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use a2lint::check::{Settings, check};
use a2lint::finding::Severity;
use a2lint::ir::Program;
use a2lint::language::Language;
use a2lint::laws::{self, Request, Tested, Verdict};
use a2lint::machine::{NullObserver, Options, Outcome, simulate};
use a2lint::run::{Arguments, Limits, Which, bind};
use a2lint::target::Target;
use a2lint::text::SourceText;
use serde::Deserialize;

/// Time limit in seconds for the laws of a kernel.
const SECONDS: f64 = 120.0;
/// Number of orders of lanes that are drawn.
const SCHEDULES: u32 = 4;

#[derive(Deserialize)]
struct Mistakes {
    mistake: Vec<Mistake>,
}

#[derive(Deserialize)]
struct Mistake {
    kernel: String,
    kind: String,
    edits: Vec<Edit>,
}

#[derive(Deserialize)]
struct Edit {
    old: String,
    new: String,
}

/// The effect of a mistake.
enum Seen {
    /// The edited text cannot be traced or launched.
    Stillborn(String),
    /// No result changes.
    Harmless,
    /// Results differ.
    Wrong {
        laws: BTreeSet<&'static str>,
        told: Vec<String>,
        is_checked: bool,
    },
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let text = fs::read_to_string(root().join("examples/mistakes/mistakes.toml"));
    let text = text.expect("the list is part of the repository");
    let mut mistakes: Mistakes = toml::from_str(&text).expect("the list is TOML");
    let is_wanted = |mistake: &Mistake| wanted.is_empty() || wanted.contains(&mistake.kind);
    mistakes.mistake.retain(is_wanted);
    let mut known = BTreeMap::new();
    let mut seen = Vec::new();
    for mistake in &mistakes.mistake {
        seen.push(judge(mistake, &mut known));
        eprintln!(
            "{} of {}: {}",
            seen.len(),
            mistakes.mistake.len(),
            mistake.kind
        );
    }
    table(&mistakes.mistake, &seen);
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Tests a mistake; `known` has the notes of sound kernels.
fn judge(mistake: &Mistake, known: &mut BTreeMap<String, BTreeSet<String>>) -> Seen {
    let path: PathBuf = root()
        .join("tests/kernels")
        .join(format!("{}.py", mistake.kernel));
    let sound = fs::read_to_string(&path).expect("the kernel is part of the repository");
    let mut text = sound.clone();
    for edit in &mistake.edits {
        assert!(text.contains(&edit.old), "{}: {}", mistake.kernel, edit.old);
        text = text.replace(&edit.old, &edit.new);
    }
    let [before, after] = [&sound, &text].map(|text| {
        let source = SourceText::new(text.as_str());
        Target::of(&path.display().to_string(), &source, None)
    });
    let (Ok(before), Ok(after)) = (before, after) else {
        return Seen::Stillborn("it is not traced".to_owned());
    };
    match differs(&before, &after) {
        Err(reason) => return Seen::Stillborn(reason),
        Ok(false) => return Seen::Harmless,
        Ok(true) => {}
    }
    let known = known.entry(mistake.kernel.clone());
    let known = known.or_insert_with(|| notes(&tested(&before)));
    let found = tested(&after);
    let told = notes(&found).difference(known).cloned().collect();
    let laws = found.iter().flat_map(|it| &it.laws);
    let violated = laws.filter(|it| matches!(it.verdict, Verdict::Violated(_)));
    let findings = check(
        &SourceText::new(text.as_str()),
        Language::Easyasc,
        &Settings::default(),
    );
    let is_told = |severity: Severity| severity != Severity::Info;
    Seen::Wrong {
        laws: violated.map(|it| it.law.name()).collect(),
        told,
        is_checked: findings.findings.iter().any(|it| is_told(it.severity)),
    }
}

/// Runs the launches of a target as they are and on one core.
fn runs(target: &Target) -> Result<Vec<(&Program, Outcome)>, String> {
    let mut runs = Vec::new();
    for program in target.programs().map_err(|error| error.to_string())? {
        let launches = target.module.launches.iter();
        let count = launches.filter(|it| it.kernel == program.name).count();
        for number in 1..=count {
            let arguments = Arguments {
                launch: Which::Number(number),
                ..Arguments::default()
            };
            let bound = bind(target, program, &arguments, 2 << 30, false);
            let bound = bound.map_err(|error| error.to_string())?;
            // A device with fewer cores is valid as well, and each core then has several tiles.
            let alone = bound.launch.on_cores(program, 1, 2 << 30);
            for launch in [Some(bound.launch), alone.ok()].into_iter().flatten() {
                let outcome = simulate(program, &launch, &Options::default(), &mut NullObserver);
                runs.push((program, outcome));
            }
        }
    }
    Ok(runs)
}

/// Whether a launch ends differently or has other results.
fn differs(before: &Target, after: &Target) -> Result<bool, String> {
    let (before, after) = (runs(before)?, runs(after)?);
    if before.len() != after.len() {
        return Err("it has other launches".to_owned());
    }
    Ok(before
        .iter()
        .zip(&after)
        .any(|((program, one), (_, other))| {
            let mut results = program.results().into_iter().map(|id| id.index());
            one.end != other.end || results.any(|at| one.globals[at] != other.globals[at])
        }))
}

fn notes(tested: &[Tested]) -> BTreeSet<String> {
    let laws = tested.iter().flat_map(|it| &it.laws);
    let notes = laws.flat_map(|it| it.notes.iter().map(|note| note.text.clone()));
    notes.collect()
}

fn tested(target: &Target) -> Vec<Tested<'_>> {
    let all = Arguments {
        launch: Which::All,
        ..Arguments::default()
    };
    let request = Request {
        schedules: SCHEDULES,
        limits: Limits {
            seconds: SECONDS,
            ..Limits::default()
        },
        ..Request::default()
    };
    let programs = target.programs().unwrap_or_default();
    let tested = programs.iter();
    let tested = tested.map(|program| laws::test(target, program, &all, &request, &mut ()));
    tested.collect()
}

#[derive(Default)]
struct Row {
    wrong: usize,
    violated: usize,
    told: usize,
    checked: usize,
    laws: BTreeMap<&'static str, usize>,
}

impl Row {
    fn add(&mut self, laws: &BTreeSet<&'static str>, is_told: bool, is_checked: bool) {
        self.wrong += 1;
        self.violated += usize::from(!laws.is_empty());
        self.told += usize::from(laws.is_empty() && is_told);
        self.checked += usize::from(is_checked);
        for law in laws {
            *self.laws.entry(law).or_default() += 1;
        }
    }

    fn print(&self, kind: &str) {
        let laws = self
            .laws
            .iter()
            .map(|(law, count)| format!("{law} {count}"));
        let laws = laws.collect::<Vec<_>>().join(", ");
        println!(
            "{kind:<18} {:>5} {:>8} {:>4} {:>5}  {laws}",
            self.wrong, self.violated, self.told, self.checked
        );
    }
}

fn table(mistakes: &[Mistake], seen: &[Seen]) {
    let (mut rows, mut all) = (BTreeMap::<&str, Row>::new(), Row::default());
    let (mut apart, mut missed) = (Vec::new(), Vec::new());
    for (mistake, seen) in mistakes.iter().zip(seen) {
        let name = format!("{} in {}", mistake.kind, mistake.kernel);
        match seen {
            Seen::Stillborn(reason) => apart.push(format!("{name}: {reason}")),
            Seen::Harmless => apart.push(format!("{name}: no result differs")),
            Seen::Wrong {
                laws,
                told,
                is_checked,
            } => {
                for row in [rows.entry(&mistake.kind).or_default(), &mut all] {
                    row.add(laws, !told.is_empty(), *is_checked);
                }
                if laws.is_empty() {
                    missed.push(format!("{name}: {}", told.join("; ")));
                }
            }
        }
    }
    println!("kind               wrong violated told check  laws");
    rows.iter().for_each(|(kind, row)| row.print(kind));
    all.print("all");
    println!("\nno law is violated, and what is told:");
    missed.iter().for_each(|line| println!("  {line}"));
    println!("\nno mistake under the launches of the file:");
    apart.iter().for_each(|line| println!("  {line}"));
}
