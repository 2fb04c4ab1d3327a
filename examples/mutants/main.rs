//! Which single mistakes in sound kernels does the checker find?
//!
//! `cargo run --release --example mutants [-- OPERATOR…]` derives mutants from every kernel of `tests/kernels`, one
//! edit each. The simulator decides which of them go wrong under the launches of their files: undefined data reaches
//! an output, a reduction, a scalar or an index, or an access is out of bounds of the operand's tensor or of a global
//! tensor. The table lists, for each kind of edit, how many of those the checker reports. A report counts if it is
//! from a rule on memory, masks, definedness or transfers, and is at a statement that takes part: the edited one, one
//! where the simulator detects the error, or the one that undefined data comes from. Below the table are the rules
//! that reported mutants, and what they miss.
//!
//! Operators of synchronisation remove a set, wait, barrier or call of a mutex, or change a depth, slot or pipe. The
//! simulator shows that such a mutant goes wrong if it deadlocks, sets an event that is already set, or if an
//! instruction can be *frozen*: it begins and never ends, everything else continues as far as tokens, barriers and
//! handshakes permit, and an instruction that works on the same bytes still begins (`sync::freeze`). That oracle
//! shares the run and the documented rules of the pipes with the checker, but no code: it has neither vector clocks
//! nor the checker's record of accesses.
//!
//! The last columns are about authors who launch the kernel nowhere: how many mutants have a finding when the
//! launches of the file are removed; for how many others every violated property is proved under preconditions that
//! exclude the launch; and for how many a violated property is undecided. A property that is proved for a launch that
//! violates it is an error of the proof; those are listed last.
//!
//! `cargo run --example mutants -- study` prints one table over kernels of all three languages (`study`).
//!
//! `A2LINT_MUTANT_KERNELS=tests/dialects/ascriptor/kernels` selects the kernels of another folder.

#[path = "../../tests/it/ascendc_mutants/edits.rs"]
mod cpp_edits;
mod edits;
#[path = "../../tests/common/pairs.rs"]
mod pairs;
mod study;
mod sync;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use a2lint::analysis::KernelFacts;
use a2lint::check::{Settings, check};
use a2lint::device::Device;
use a2lint::finding::{Finding, Severity};
use a2lint::frontend::dsl::trace;
use a2lint::ir::{Module, Program, StmtId};
use a2lint::language::Language;
use a2lint::machine::{Bindings, BoundLaunch, FindingKind, Options, Outcome, simulate};
use a2lint::prove::{Proof, Proofs, is_broken};
use a2lint::replay::Replay;
use a2lint::text::{SourceText, Span};
use a2lint::verdict::Property;
use edits::{Mutant, OPERATORS};
use rayon::prelude::*;

/// Groups of rules that can report the cause of an error.
const GROUPS: [&str; 7] = ["CAP", "DEV", "TYP", "COV", "MSK", "INI", "MOV"];
/// Groups of rules that can report the cause of a synchronisation error.
const SYNC_GROUPS: [&str; 2] = ["SYN", "MOV"];
/// Limits for the simulation of a launch of a mutant: number of instructions, and work.
const LIMITS: (u64, u64) = (4_000_000, 8_000_000);

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).collect();
    if let [first, rest @ ..] = &wanted[..]
        && first == "study"
    {
        return study::run(rest.first().and_then(|number| number.parse().ok()));
    }
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

/// Returns the paths of the sound kernels.
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

/// The result for a mutant.
enum Verdict {
    /// It cannot be traced or run.
    Stillborn,
    /// The simulator detects no error.
    Harmless,
    /// The simulator detects an error.
    Wrong(Wrong),
}

/// A mutant that goes wrong under a launch of its file.
struct Wrong {
    /// A description of the detected error.
    seen: String,
    /// The rules that report it, or a summary of what is reported instead.
    rules: Result<BTreeSet<&'static str>, String>,
    /// What the checker reports if nothing launches the mutant.
    alone: Alone,
    /// Properties that a launch violates although they are proved for it.
    contradicted: Vec<Property>,
}

/// What the checker reports on a wrong mutant without launches.
#[derive(Clone, Copy, PartialEq)]
enum Alone {
    /// There is a finding.
    Found,
    /// Each property that a launch breaks is proved under preconditions that exclude the launch.
    Excluded,
    /// At least one violated property is undecided.
    Undecided,
    /// No property covers the error.
    Silent,
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
    let mut breaches = Vec::new();
    for program in &module.programs {
        let runs: Vec<Run> = launches(program, &module)
            .map(|bound| Run::of(program, bound))
            .collect();
        let seen = runs.iter().flat_map(|run| match is_sync {
            true => sync::wrongs(program, &run.outcome, &run.overlaps),
            false => run.mishaps(program),
        });
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
        breaches.extend(protection(program, &runs));
    }
    let Some(seen) = first else {
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
    let rules = match rules.is_empty() {
        true => Err(summary(&source, &findings)),
        false => Ok(rules),
    };
    let is_found = !flagged(&without_launches(&mutant.text)).0.is_empty();
    let is_excluded = |it: &(Property, Protection)| it.1 == Protection::Excluded;
    let alone = match is_found {
        true => Alone::Found,
        false if breaches.is_empty() => Alone::Silent,
        false if breaches.iter().all(is_excluded) => Alone::Excluded,
        false => Alone::Undecided,
    };
    let contradicted = breaches
        .iter()
        .filter(|it| it.1 == Protection::Contradicted);
    Verdict::Wrong(Wrong {
        seen,
        rules,
        alone,
        contradicted: contradicted.map(|it| it.0).collect(),
    })
}

/// A run of a launch, observed by the oracle that freezes instructions.
struct Run {
    bound: BoundLaunch,
    outcome: Outcome,
    overlaps: BTreeSet<sync::Overlap>,
}

impl Run {
    fn of(program: &Program, bound: BoundLaunch) -> Run {
        let mut freezer = sync::Freezer::new(program, bound.cores);
        let outcome = simulate(program, &bound, &options(), &mut freezer);
        let overlaps = freezer.finish();
        Run {
            bound,
            outcome,
            overlaps,
        }
    }

    fn breaks(&self, property: Property) -> bool {
        match property {
            Property::Order => !self.overlaps.is_empty(),
            _ => is_broken(&self.outcome, property),
        }
    }

    /// Returns the illegal instructions and the findings of the sanitizer, with the statement that undefined data
    /// comes from. Reads of memory without any defined byte have an empty description: they do no harm by themselves,
    /// but an error may start there.
    fn mishaps(&self, program: &Program) -> Vec<sync::Wrong> {
        let told = Replay::of_run(program, &self.bound, &options(), &self.outcome, Vec::new());
        let wrong = told.observations.into_iter().map(|seen| {
            let kind = seen.kind().filter(is_wrong);
            let what = kind.map_or(String::new(), |kind| format!("{kind:?}"));
            let origin = seen.origin.as_ref().map(|origin| origin.stmt);
            (what, [seen.stmt, origin].into_iter().flatten().collect())
        });
        let illegal = self.outcome.illegal.iter();
        let illegal = illegal.map(|it| (it.reason.to_string(), vec![it.stmt]));
        illegal.chain(wrong).collect()
    }
}

/// The relation of proofs to a launch that violates a property.
#[derive(Clone, Copy, PartialEq)]
enum Protection {
    /// The property is proved for this launch, so the proof is wrong.
    Contradicted,
    /// The property is proved under preconditions that the launch does not satisfy.
    Excluded,
    /// The property is not proved.
    Open,
}

/// Returns each property that a run violates, with what the proofs without a launch say about it.
fn protection(program: &Program, runs: &[Run]) -> Vec<(Property, Protection)> {
    let broken = |property: &Property| runs.iter().any(|run| run.breaks(*property));
    let broken: Vec<Property> = Property::ALL.into_iter().filter(broken).collect();
    if broken.is_empty() {
        return Vec::new();
    }
    let proofs = Proofs::of(&KernelFacts::of(program), std::iter::empty());
    let breaking = |property: Property| runs.iter().filter(move |run| run.breaks(property));
    let protected = broken.iter().map(|&property| {
        let Proof::Holds { under, assuming } = proofs.get(property) else {
            return (property, Protection::Open);
        };
        let stays_inside = assuming
            .iter()
            .any(|what| what.text().contains("stay inside"));
        let leaves = |run: &Run| run.breaks(Property::Bounds) || run.breaks(Property::Operands);
        let satisfies = |run: &Run| {
            let is_assumed = !(stays_inside && leaves(run));
            is_assumed && under.iter().all(|condition| condition.holds_in(&run.bound))
        };
        match breaking(property).any(satisfies) {
            true => (property, Protection::Contradicted),
            false => (property, Protection::Excluded),
        }
    });
    protected.collect()
}

fn is_sync(mutant: &Mutant) -> bool {
    sync::OPERATORS.contains(&mutant.operator)
}

/// Returns a kernel file without the part that launches.
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

/// Returns the launches of the file that can be bound.
fn launches<'m>(
    program: &'m Program,
    module: &'m Module,
) -> impl Iterator<Item = BoundLaunch> + use<'m> {
    let own = module.launches.iter();
    let own = own.filter(|launch| launch.kernel == program.name);
    let (none, device) = (Bindings::default(), Device::default());
    own.filter_map(move |launch| {
        let all = &module.launches;
        BoundLaunch::bind(program, Some(launch), all, &none, device, 1 << 28).ok()
    })
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

/// Returns the lines of a statement.
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

/// Whether a finding is at the edit, or where the simulator detected the error, and from a rule that can report the
/// cause.
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
    /// Number of mutants that each rule has reported.
    rules: BTreeMap<&'static str, usize>,
    /// Number of wrong mutants with a finding although the file launches nothing.
    alone: usize,
    /// Number of the other wrong mutants that preconditions exclude, and number of those that are undecided.
    excluded: usize,
    undecided: usize,
}

fn report(mutants: &[(PathBuf, Mutant)], verdicts: &[Verdict]) {
    let mut rows: BTreeMap<&str, Row> = BTreeMap::new();
    let (mut misses, mut silent, mut contradicted) = (Vec::new(), Vec::new(), Vec::new());
    for ((path, mutant), verdict) in mutants.iter().zip(verdicts) {
        let row = rows.entry(mutant.operator).or_default();
        row.mutants += 1;
        let wrong = match verdict {
            Verdict::Stillborn => {
                row.stillborn += 1;
                continue;
            }
            Verdict::Harmless => continue,
            Verdict::Wrong(wrong) => wrong,
        };
        row.count(wrong);
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let line = 1 + mutant.text[..mutant.at as usize].matches('\n').count();
        let what = format!("{name}:{line}: {}: {}", mutant.operator, mutant.what);
        let seen = &wrong.seen;
        if let Err(said) = &wrong.rules {
            misses.push(format!("{what}\n    machine: {seen}\n    checker: {said}"));
        }
        if matches!(wrong.alone, Alone::Undecided | Alone::Silent) {
            silent.push(format!("{what}\n    machine: {seen}"));
        }
        for property in &wrong.contradicted {
            contradicted.push(format!("{what}: {} ({seen})", property.name()));
        }
    }
    println!(
        "{:<24} {:>7} {:>9} {:>5} {:>6} {:>8} {:>6} {:>8} {:>9} {:>8}",
        "operator",
        "mutants",
        "stillborn",
        "bad",
        "caught",
        "share",
        "alone",
        "excluded",
        "undecided",
        "share"
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
    list("missed", &misses);
    list("not found where nothing launches them", &silent);
    list("proved in what goes wrong", &contradicted);
}

/// Prints a list of wrong mutants.
fn list(what: &str, mutants: &[String]) {
    println!("\n{} wrong mutants are {what}", mutants.len());
    mutants.iter().for_each(|mutant| println!("{mutant}"));
}

impl Row {
    fn count(&mut self, wrong: &Wrong) {
        self.bad += 1;
        self.caught += usize::from(wrong.rules.is_ok());
        for rule in wrong.rules.iter().flatten() {
            *self.rules.entry(rule).or_default() += 1;
        }
        match wrong.alone {
            Alone::Found => self.alone += 1,
            Alone::Excluded => self.excluded += 1,
            Alone::Undecided => self.undecided += 1,
            Alone::Silent => {}
        }
    }

    fn add(&mut self, other: &Row) {
        self.mutants += other.mutants;
        self.stillborn += other.stillborn;
        self.bad += other.bad;
        self.caught += other.caught;
        self.alone += other.alone;
        self.excluded += other.excluded;
        self.undecided += other.undecided;
    }
}

/// Formats the rules by the number of mutants that they reported, in descending order.
fn rules_text(rules: &BTreeMap<&str, usize>) -> String {
    let mut rules: Vec<_> = rules.iter().collect();
    rules.sort_by_key(|&(name, count)| (std::cmp::Reverse(*count), *name));
    let each = rules.iter().map(|(name, count)| format!("{name} {count}"));
    each.collect::<Vec<_>>().join(", ")
}

fn row_text(name: &str, row: &Row) -> String {
    let share = |of: usize| match row.bad {
        0 => "-".to_owned(),
        bad => format!("{:.1} %", 100.0 * of as f64 / bad as f64),
    };
    format!(
        "{name:<24} {:>7} {:>9} {:>5} {:>6} {:>8} {:>6} {:>8} {:>9} {:>8}",
        row.mutants,
        row.stillborn,
        row.bad,
        row.caught,
        share(row.caught),
        row.alone,
        row.excluded,
        row.undecided,
        share(row.alone + row.excluded)
    )
}
