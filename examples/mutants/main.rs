//! Which single mistakes in sound kernels does the checker find?
//!
//! `cargo run --release --example mutants [-- OPERATOR…]` derives mutants from every kernel of
//! `tests/kernels`, one edit each, and lets the machine decide which of them really go wrong under
//! the launches of their files: undefined data that reaches an output, a reduction, a scalar or
//! an index, an access outside of the operand's tensor, or outside of a global tensor. The table
//! tells, for each kind of edit, how many of those the checker reports at a statement that takes
//! part (the edited one, one where the machine sees something wrong, the one that undefined data
//! comes from), under a rule about memory, masks, definedness or transfers; below it stand the rules
//! that spoke, and what they miss.
//!
//! Operators of synchronisation leave out a set, wait, barrier or call of a mutex, or change a
//! depth, slot or pipe. There the machine shows that a mutant goes wrong if it gets stuck, if it
//! sets what is still set, or if an instruction can be *frozen*: it begins and never ends, all
//! else goes on as far as tokens, barriers and handshakes let it, and something that works on
//! the same bytes begins all the same (`sync::freeze`). That judge shares the run and the
//! documented rules of the pipes with the checker, and no code: it knows neither vector clocks nor
//! how accesses are kept. The table's last column tells how many are flagged when the file's
//! launches are taken away, so that only what holds for any launch is left.
//!
//! `A2LINT_MUTANT_KERNELS=tests/dialects/ascriptor/kernels` takes the kernels of another folder.

mod edits;
mod sync;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use a2lint::check::{Settings, check};
use a2lint::device::Device;
use a2lint::finding::{Finding, Severity};
use a2lint::frontend::dsl::trace;
use a2lint::ir::{Module, Program, StmtId};
use a2lint::language::Language;
use a2lint::machine::{Bindings, Blind, BoundLaunch, FindingKind, Options, simulate};
use a2lint::prove::{Proof, Proofs};
use a2lint::replay::{Replay, Sighting};
use a2lint::text::{SourceText, Span};
use a2lint::verdict::Property;
use edits::{Mutant, OPERATORS};
use rayon::prelude::*;

/// Groups of rules that can name the cause.
const GROUPS: [&str; 7] = ["CAP", "DEV", "TYP", "COV", "MSK", "INI", "MOV"];
/// Groups of rules that can name what is wrong with an order.
const SYNC_GROUPS: [&str; 2] = ["SYN", "MOV"];
/// What the machine may spend on one launch of a mutant.
const LIMITS: (u64, u64) = (4_000_000, 8_000_000);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    let mut mutants: Vec<(PathBuf, Mutant)> = Vec::new();
    for path in kernels() {
        let text = fs::read_to_string(&path).expect("kernels are UTF-8");
        let found = edits::mutants(&text)
            .into_iter()
            .chain(sync::mutants(&text));
        mutants.extend(found.map(|mutant| (path.clone(), mutant)));
    }
    mutants.retain(|(_, mutant)| {
        wanted.is_empty() || wanted.iter().any(|name| name == mutant.operator)
    });
    let verdicts: Vec<Verdict> = mutants
        .par_iter()
        .map(|(_, mutant)| judge(mutant))
        .collect();
    report(&mutants, &verdicts);
}

/// The sound kernels.
fn kernels() -> Vec<PathBuf> {
    let folder = std::env::var("A2LINT_MUTANT_KERNELS");
    let folder = folder.unwrap_or_else(|_| "tests/kernels".to_owned());
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("the folder is part of the repository");
    let paths = entries.map(|entry| entry.expect("a readable entry").path());
    let mut kernels: Vec<PathBuf> = paths
        .filter(|path| path.extension().is_some_and(|has| has == "py"))
        .collect();
    kernels.sort();
    kernels
}

/// What came of a mutant.
enum Verdict {
    /// It cannot be traced or run.
    Stillborn,
    /// The machine sees nothing wrong.
    Harmless,
    /// It goes wrong, and the checker says so.
    Caught {
        /// By these rules.
        rules: BTreeSet<&'static str>,
        /// Whether it would without the launches, too.
        alone: bool,
    },
    /// It goes wrong as described, and the checker says what stands behind it.
    Missed(String, String),
}

fn judge(mutant: &Mutant) -> Verdict {
    let source = SourceText::new(mutant.text.as_str());
    let module = trace(&source);
    if module.programs.is_empty() || !module.not_analysed.is_empty() {
        return Verdict::Stillborn;
    }
    let mut lines = BTreeSet::from([source.line_column(mutant.at).line]);
    let is_sync = is_sync(mutant);
    let mut first = None;
    for program in &module.programs {
        let seen = match is_sync {
            true => sync::wrongs(program, &module, &options()),
            false => mishaps(program, &module),
        };
        if is_sync {
            contradict(program, mutant, &seen);
        }
        for (what, stmts) in seen {
            for &stmt in &stmts {
                lines.extend(lines_of(&source, program, stmt));
            }
            if !what.is_empty() {
                let places = stmts.iter().filter_map(|&stmt| span_of(program, stmt));
                let places: Vec<usize> = places
                    .map(|span| source.line_column(span.start).line)
                    .collect();
                first.get_or_insert_with(|| format!("{what} at lines {places:?}"));
            }
        }
    }
    let Some(first) = first else {
        return Verdict::Harmless;
    };
    let groups: &[&str] = if is_sync { &SYNC_GROUPS } else { &GROUPS };
    let flagged = |source: &SourceText| {
        let findings = check(source, Language::Easyasc, &Settings::default()).findings;
        let telling = findings
            .iter()
            .filter(|finding| names_cause(source, finding, &lines, groups));
        let rules: BTreeSet<&'static str> = telling.map(|finding| finding.name).collect();
        (rules, findings)
    };
    let (rules, findings) = flagged(&source);
    if rules.is_empty() {
        return Verdict::Missed(first, summary(&source, &findings));
    }
    let alone = is_sync && !flagged(&without_launches(&mutant.text)).0.is_empty();
    Verdict::Caught { rules, alone }
}

/// Wrong mutants of which the broken property is proved, and proved under preconditions: there should be none
/// of the first kind.
static CONTRADICTED: Mutex<[Vec<String>; 2]> = Mutex::new([Vec::new(), Vec::new()]);

/// Takes note of a mutant that goes wrong in a property that is proved.
fn contradict(program: &Program, mutant: &Mutant, seen: &[sync::Wrong]) {
    if seen.is_empty() {
        return;
    }
    let proofs = Proofs::of(program, std::iter::empty());
    for (what, _) in seen {
        let property = match what.contains("may overlap") {
            true => Property::Order,
            false => Property::Progress,
        };
        if let Proof::Holds { under, .. } = proofs.get(property) {
            let text = format!(
                "{}: {}: {} ({what})",
                program.name, mutant.operator, mutant.what
            );
            let mut found = CONTRADICTED.lock().expect("nobody panics with it");
            found[usize::from(!under.is_empty())].push(text);
        }
    }
}

fn is_sync(mutant: &Mutant) -> bool {
    sync::OPERATORS.contains(&mutant.operator)
}

/// A kernel file without the part that launches.
fn without_launches(text: &str) -> SourceText {
    let end = text.find("\nif __name__").unwrap_or(text.len());
    SourceText::new(&text[..end])
}

fn options() -> Options {
    Options {
        max_instructions: LIMITS.0,
        max_work: LIMITS.1,
        ..Options::default()
    }
}

/// What the sanitizer sees, with the statement that undefined data comes from. Reads of memory
/// without any defined byte do no harm by themselves, but where harm follows they are where it
/// starts: they have no words.
fn mishaps(program: &Program, module: &Module) -> Vec<sync::Wrong> {
    let seen = sightings(program, module).into_iter();
    let wrong = seen.map(|seen| {
        let kind = seen.kind().filter(is_wrong);
        let what = kind.map_or(String::new(), |kind| format!("{kind:?}"));
        let origin = seen.origin.as_ref().map(|origin| origin.stmt);
        (what, [seen.stmt, origin].into_iter().flatten().collect())
    });
    wrong.collect()
}

/// What the machine sees under the launches of the file.
fn sightings(program: &Program, module: &Module) -> Vec<Sighting> {
    let own = module
        .launches
        .iter()
        .filter(|launch| launch.kernel == program.name);
    let mut seen = Vec::new();
    for launch in own {
        let bindings = Bindings::default();
        let device = Device::default();
        let bound = BoundLaunch::bind(
            program,
            Some(launch),
            &module.launches,
            &bindings,
            device,
            1 << 28,
        );
        if let Ok(bound) = bound {
            let outcome = simulate(program, &bound, &options(), &mut Blind);
            let told = Replay::of_run(program, &bound, &options(), &outcome, Vec::new());
            seen.extend(told.sightings);
        }
    }
    seen
}

fn is_wrong(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::UndefinedStore(_)
            | FindingKind::UndefinedReduction
            | FindingKind::UndefinedScalar
            | FindingKind::UndefinedIndex
            | FindingKind::Overrun { .. }
            | FindingKind::OutsideMemory(_)
            | FindingKind::GlobalBounds { .. }
    )
}

/// The lines that a statement stands on.
fn lines_of(source: &SourceText, program: &Program, id: StmtId) -> RangeInclusive<usize> {
    let span = span_of(program, id).unwrap_or_default();
    source.line_column(span.start).line..=source.line_column(span.end).line
}

fn span_of(program: &Program, id: StmtId) -> Option<Span> {
    let mut found = None;
    program.walk(&mut |stmt| {
        if stmt.id == id {
            found = Some(stmt.span);
        }
    });
    found
}

/// Whether a finding stands at the edit, or where the machine saw it go wrong, and is about it.
fn names_cause(
    source: &SourceText,
    finding: &Finding,
    lines: &BTreeSet<usize>,
    groups: &[&str],
) -> bool {
    let labels = finding.labels.iter().map(|label| label.span);
    let is_right = finding.severity >= Severity::Warning
        && groups.iter().any(|group| finding.code.starts_with(group));
    let mut spans = std::iter::once(finding.span).chain(labels);
    is_right
        && spans.any(|span| {
            let [start, end] = [span.start, span.end].map(|at| source.line_column(at).line);
            lines.range(start..=end).next().is_some()
        })
}

fn summary(source: &SourceText, findings: &[Finding]) -> String {
    let line = |finding: &Finding| {
        let line = source.line_column(finding.span.start).line;
        format!("{} at line {line}", finding.name)
    };
    findings.iter().map(line).collect::<Vec<_>>().join(", ")
}

#[derive(Default)]
struct Row {
    mutants: usize,
    stillborn: usize,
    bad: usize,
    caught: usize,
    /// How many each rule has caught.
    rules: BTreeMap<&'static str, usize>,
    /// Of those, flagged without the launches of the file.
    alone: usize,
}

fn report(mutants: &[(PathBuf, Mutant)], verdicts: &[Verdict]) {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let mut misses = String::new();
    for ((path, mutant), verdict) in mutants.iter().zip(verdicts) {
        let row = rows.entry(mutant.operator).or_default();
        row.mutants += 1;
        match verdict {
            Verdict::Stillborn => row.stillborn += 1,
            Verdict::Harmless => {}
            Verdict::Caught { rules, alone } => {
                row.bad += 1;
                row.caught += 1;
                row.alone += usize::from(*alone);
                for rule in rules {
                    *row.rules.entry(rule).or_default() += 1;
                }
            }
            Verdict::Missed(seen, said) => {
                row.bad += 1;
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                let line = 1 + mutant.text[..mutant.at as usize].matches('\n').count();
                misses += &format!(
                    "{name}:{line}: {}: {}\n    machine: {seen}\n    checker: {said}\n",
                    mutant.operator, mutant.what
                );
            }
        }
    }
    println!(
        "{:<24} {:>7} {:>9} {:>5} {:>6} {:>8} {:>6}",
        "operator", "mutants", "stillborn", "bad", "caught", "share", "alone"
    );
    for (family, operators) in [("data", &OPERATORS[..]), ("order", &sync::OPERATORS)] {
        let mut total = Row::default();
        for (operator, row) in operators.iter().filter_map(|name| rows.get_key_value(name)) {
            println!("{}", row_text(operator, row));
            total.add(row);
        }
        println!("{}\n", row_text(&format!("all of {family}"), &total));
    }
    for (operator, row) in &rows {
        if !row.rules.is_empty() {
            println!("{operator}: {}", rules_text(&row.rules));
        }
    }
    println!("\n{misses}");
    let contradicted = CONTRADICTED.lock().expect("nobody panics with it");
    for (texts, what) in contradicted
        .iter()
        .zip(["proved", "proved under preconditions"])
    {
        println!(
            "{} wrong mutants are {what} in what goes wrong",
            texts.len()
        );
        texts.iter().for_each(|text| println!("    {text}"));
    }
}

impl Row {
    fn add(&mut self, other: &Row) {
        self.mutants += other.mutants;
        self.stillborn += other.stillborn;
        self.bad += other.bad;
        self.caught += other.caught;
        self.alone += other.alone;
    }
}

/// The rules that have caught something, the most diligent first.
fn rules_text(rules: &BTreeMap<&str, usize>) -> String {
    let mut rules: Vec<_> = rules.iter().collect();
    rules.sort_by_key(|&(name, count)| (std::cmp::Reverse(*count), *name));
    let each = rules.iter().map(|(name, count)| format!("{name} {count}"));
    each.collect::<Vec<_>>().join(", ")
}

fn row_text(name: &str, row: &Row) -> String {
    let share = match row.bad {
        0 => "-".to_owned(),
        bad => format!("{:.1} %", 100.0 * row.caught as f64 / bad as f64),
    };
    format!(
        "{name:<24} {:>7} {:>9} {:>5} {:>6} {share:>8} {:>6}",
        row.mutants, row.stillborn, row.bad, row.caught, row.alone
    )
}
