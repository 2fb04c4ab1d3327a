//! The mutation study: single mistakes in sound kernels of all three languages, judged in one way, in one table.
//!
//! `cargo run --example mutants -- study` prints it; `-- study 50` takes at most 50 mutants of each kind. Every mutant runs
//! under the launches of its file. It is *wrong* if the machine sees a fault, a hazard, a deadlock, a buffer without a
//! place or a hole in an output; *killed* if it is wrong and the checker has a warning or an error; *missed* if it is
//! wrong and the checker has none. It is *equivalent* if nothing is seen and all outputs are the same. A mutant whose
//! outputs merely have other values or extents computes something else, and is counted apart: without an expectation
//! nothing is wrong with it.
//!
//! The kind of a mistake in order is that of the first hazard which the machine sees. Mutants therefore run first, in an
//! order that mixes files and edits, until there are enough of each kind; only those that are taken are checked. The
//! machine is also what the checker replays launches with: `mutants` without `study` judges order by an oracle that
//! shares no code with it.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use a2lint::check::{Settings, check, trace_ascendc};
use a2lint::device::Device;
use a2lint::finding::Severity;
use a2lint::frontend::dsl::trace;
use a2lint::frontend::is_library;
use a2lint::ir::Program;
use a2lint::language::Language;
use a2lint::machine::hazards::{HazardKind, Tracker};
use a2lint::machine::{Bindings, BoundLaunch, End, FindingKind, Outcome, simulate};
use a2lint::project;
use a2lint::text::SourceText;
use rayon::prelude::*;

use crate::{cpp_edits, edits, options, pairs, sync};

/// Mutants of each kind that are checked where the command line says nothing.
const WANTED: usize = 200;
/// Mutants of a group of edits that run, for each that is wanted of a kind.
const RUNS: usize = 16;
/// Mutants that run before it is seen which kinds are still wanted.
const ROUND: usize = 64;

/// Kernels of a language: its name, the folder, the extension of its files.
const SETS: [(&str, &str, &str); 4] = [
    ("easyasc", "tests/kernels", "py"),
    ("Ascriptor", "tests/dialects/ascriptor/kernels", "py"),
    ("AscendC", "tests/ascendc/kernels", "cpp"),
    ("AscendC", pairs::FOLDER, "cpp"),
];

/// Kinds of mistakes, in the order of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    WriteRead,
    ReadWrite,
    WriteWrite,
    Balance,
    /// Synchronisation is changed, and a run shows nothing.
    Order,
    Masks,
    Capacity,
    Data,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::WriteRead => "write→read",
            Kind::ReadWrite => "read→write",
            Kind::WriteWrite => "write→write",
            Kind::Balance => "event balance",
            Kind::Order => "order, no effect seen",
            Kind::Masks => "masks",
            Kind::Capacity => "capacity",
            Kind::Data => "data and extents",
        }
    }

    /// The name of a group of edits.
    fn edits(self) -> &'static str {
        match self {
            Kind::Order => "synchronisation",
            kind => kind.name(),
        }
    }

    /// The kinds that mutants of a group of edits are run for; others are taken as they come.
    fn wanted_of(self) -> &'static [Kind] {
        match self {
            Kind::Order => &[Kind::WriteRead, Kind::ReadWrite, Kind::Balance, Kind::Order],
            Kind::Masks => &[Kind::Masks],
            Kind::Capacity => &[Kind::Capacity],
            _ => &[Kind::Data],
        }
    }

    /// The kind of an edit, before a run shows what it does.
    fn of(operator: &str) -> Kind {
        const MASKS: [&str; 5] = [
            "swap-set-mask",
            "drop-set-mask",
            "drop-reset-mask",
            "expand-flag",
            "drop mask call",
        ];
        const CAPACITY: [&str; 4] = [
            "larger-tile",
            "larger buffer",
            "half a buffer",
            "elements as bytes",
        ];
        const ORDER: [&str; 12] = [
            "drop flag",
            "repeat flag",
            "drop barrier",
            "drop queue call",
            "repeat queue call",
            "swap statements",
            "other direction",
            "other pipe",
            "other id",
            "other queue",
            "one buffer",
            "one turn more",
        ];
        match operator {
            it if MASKS.contains(&it) => Kind::Masks,
            it if CAPACITY.contains(&it) => Kind::Capacity,
            it if ORDER.contains(&it) || sync::OPERATORS.contains(&it) => Kind::Order,
            _ => Kind::Data,
        }
    }
}

/// What became of a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Fate {
    /// It cannot be read whole, or no launch fits it.
    Unread,
    Equivalent,
    OtherValues,
    Wrong(Kind),
}

impl Fate {
    /// The kind that a mutant is counted as: a run shows it, or else the edit says it.
    fn kind(self, mutant: &Mutant) -> Kind {
        match self {
            Fate::Wrong(kind) => kind,
            _ => Kind::of(mutant.operator),
        }
    }
}

/// A sound kernel file.
struct Source {
    language: &'static str,
    path: PathBuf,
    text: String,
    /// The outputs of its launches.
    outputs: Outputs,
}

struct Mutant {
    operator: &'static str,
    line: usize,
    text: String,
}

struct Verdict {
    fate: Fate,
    is_found: bool,
    /// Seconds that the check took.
    seconds: f64,
}

/// The bytes of all tensors of all launches, with whether each is defined.
type Outputs = Vec<(Vec<u8>, Vec<bool>)>;

/// What the runs of a file show.
enum Runs {
    Unread,
    Wrong(Option<Kind>),
    Values(Outputs),
}

/// Runs the study and prints its tables.
pub fn run(wanted: Option<usize>) {
    let wanted = wanted.unwrap_or(WANTED).max(1);
    let sources: Vec<Source> = SETS.iter().flat_map(|&set| sources(set)).collect();
    let mut groups: BTreeMap<Kind, Vec<(&Source, Mutant)>> = BTreeMap::new();
    for source in &sources {
        for mutant in mutants(source) {
            let group = groups.entry(Kind::of(mutant.operator)).or_default();
            group.push((source, mutant));
        }
    }
    let mut taken = Vec::new();
    for (group, mutants) in groups {
        let all = mutants.len();
        let (ran, of_group) = take(group, mixed(mutants), wanted);
        println!(
            "{}: {ran} of {all} mutants run, {} taken",
            group.edits(),
            of_group.len()
        );
        taken.extend(of_group);
    }
    println!();
    let verdicts: Vec<Verdict> = taken
        .par_iter()
        .map(|(source, mutant, fate)| judge(source, mutant, *fate))
        .collect();
    print(&sources, &taken, &verdicts);
}

/// A mutant that is checked, and what its run has shown.
type Taken<'s> = (&'s Source, Mutant, Fate);

/// Runs mutants of a group of edits until enough of each kind are found. Returns the number of runs and the mutants.
fn take<'s>(
    group: Kind,
    mutants: Vec<(&'s Source, Mutant)>,
    wanted: usize,
) -> (usize, Vec<Taken<'s>>) {
    let (mut ran, mut taken) = (0, Vec::new());
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    let mut rest = mutants.into_iter().take(RUNS * wanted).peekable();
    let is_open = |counts: &BTreeMap<Kind, usize>, kind: &Kind| {
        counts.get(kind).is_none_or(|&count| count < wanted)
    };
    while rest.peek().is_some() && group.wanted_of().iter().any(|kind| is_open(&counts, kind)) {
        let round: Vec<(&Source, Mutant)> = rest.by_ref().take(ROUND).collect();
        ran += round.len();
        let fates: Vec<Fate> = round
            .par_iter()
            .map(|(source, mutant)| fate(source, mutant))
            .collect();
        for ((source, mutant), fate) in round.into_iter().zip(fates) {
            let kind = fate.kind(&mutant);
            if is_open(&counts, &kind) {
                *counts.entry(kind).or_default() += 1;
                taken.push((source, mutant, fate));
            }
        }
    }
    (ran, taken)
}

/// Mutants in an order that mixes files and operators, the same in each run.
fn mixed(mutants: Vec<(&Source, Mutant)>) -> Vec<(&Source, Mutant)> {
    let mut numbered: Vec<_> = (0_u32..).zip(mutants).collect();
    // Multiples of the golden ratio are spread evenly.
    numbered.sort_by_key(|(at, _)| at.wrapping_mul(2_654_435_769));
    numbered.into_iter().map(|(_, it)| it).collect()
}

/// The kernels of a folder that are read whole and run without a fault.
fn sources((language, folder, extension): (&'static str, &str, &str)) -> Vec<Source> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(folder).expect("the folder is part of the repository");
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.expect("an entry").path())
        .collect();
    paths.retain(|path| path.extension().is_some_and(|it| it == extension));
    paths.sort();
    let whole = paths.into_iter().filter_map(|path| {
        let text = pairs::good(&fs::read_to_string(&path).expect("kernels are UTF-8"));
        match runs(&path, &text) {
            Runs::Values(outputs) if !outputs.is_empty() => Some(Source {
                language,
                path,
                text,
                outputs,
            }),
            _ => None,
        }
    });
    whole.collect()
}

fn is_cpp(path: &Path) -> bool {
    path.extension().is_some_and(|end| end == "cpp")
}

fn settings_of(path: &Path) -> Settings {
    let mut settings = Settings::default();
    settings.trace.project = project::of(path, &project::files(is_library), None);
    settings
}

fn mutants(source: &Source) -> Vec<Mutant> {
    let text = source.text.as_str();
    if is_cpp(&source.path) {
        let found = cpp_edits::mutants(text).into_iter();
        return found
            .map(|it| Mutant {
                operator: it.operator,
                line: it.line,
                text: it.text,
            })
            .collect();
    }
    let found = edits::mutants(text).into_iter().chain(sync::mutants(text));
    let line = |at: u32| 1 + text[..at as usize].matches('\n').count();
    found
        .map(|it| Mutant {
            operator: it.operator,
            line: line(it.at),
            text: it.text,
        })
        .collect()
}

/// Runs all launches of a file.
fn runs(path: &Path, text: &str) -> Runs {
    let source = SourceText::new(text);
    let module = match is_cpp(path) {
        true => trace_ascendc(&source, &settings_of(path)).0,
        false => trace(&source),
    };
    if module.programs.is_empty() || !module.not_analysed.is_empty() {
        return Runs::Unread;
    }
    let mut outputs = Outputs::new();
    for program in &module.programs {
        if !program.unknown.is_empty() {
            return Runs::Unread;
        }
        for launch in module
            .launches
            .iter()
            .filter(|launch| launch.kernel == program.name)
        {
            let (none, device) = (Bindings::default(), Device::default());
            let bound = BoundLaunch::bind(
                program,
                Some(launch),
                &module.launches,
                &none,
                device,
                1 << 28,
            );
            let Ok(bound) = bound else {
                return Runs::Unread;
            };
            let mut tracker = Tracker::new(program, bound.cores);
            let outcome = simulate(program, &bound, &options(), &mut tracker);
            let hazards = tracker.finish();
            if let Some(hazard) = hazards.first() {
                return Runs::Wrong(Some(match hazard.kind {
                    HazardKind::ReadAfterWrite | HazardKind::RingOverrun => Kind::WriteRead,
                    HazardKind::WriteAfterRead => Kind::ReadWrite,
                    HazardKind::WriteAfterWrite => Kind::WriteWrite,
                }));
            }
            if let Some(kind) = wrong(&outcome) {
                return Runs::Wrong(kind);
            }
            outputs.extend(stored(program, &outcome));
        }
    }
    Runs::Values(outputs)
}

/// Whether a run went wrong, with the kind of mistake where the fault says it.
fn wrong(outcome: &Outcome) -> Option<Option<Kind>> {
    match &outcome.end {
        End::Finished => {}
        End::Deadlock(_) => return Some(Some(Kind::Balance)),
        End::Refused(refusal) if refusal.unplaced.is_some() => return Some(Some(Kind::Capacity)),
        _ => return Some(None),
    }
    let is_signal = |kind: &FindingKind| {
        matches!(
            kind,
            FindingKind::RepeatedSet(_) | FindingKind::LeftSet(_) | FindingKind::FlagOverflow(_)
        )
    };
    match outcome.findings.first() {
        Some(finding) if is_signal(&finding.kind) => Some(Some(Kind::Balance)),
        Some(_) => Some(None),
        None => outcome.illegal.first().map(|_| None),
    }
}

/// The tensors of a launch after its run.
fn stored(program: &Program, outcome: &Outcome) -> Outputs {
    let results: BTreeSet<usize> = program.results().into_iter().map(|id| id.index()).collect();
    let memories = outcome.globals.iter().enumerate();
    let memories = memories.filter(|(at, _)| results.contains(at));
    memories
        .map(|(_, memory)| {
            let all = 0..memory.capacity();
            let defined = all
                .clone()
                .map(|at| memory.all_defined(at..at + 1))
                .collect();
            (memory.bytes(all).to_vec(), defined)
        })
        .collect()
}

/// What a run of a mutant shows.
fn fate(source: &Source, mutant: &Mutant) -> Fate {
    let kind = Kind::of(mutant.operator);
    match runs(&source.path, &mutant.text) {
        Runs::Unread => Fate::Unread,
        // What a run shows names the kind of a mistake in order; the others are named by the edit.
        Runs::Wrong(seen) if kind == Kind::Order => Fate::Wrong(seen.unwrap_or(Kind::Data)),
        Runs::Wrong(_) => Fate::Wrong(kind),
        Runs::Values(now) if now.len() != source.outputs.len() => Fate::Unread,
        Runs::Values(now) => {
            let pairs = || now.iter().zip(&source.outputs);
            // Extents that the edit changes for kernel and launch alike are no hole.
            let has_hole = pairs().any(|((_, now), (_, before))| {
                now.len() == before.len()
                    && before.iter().zip(now).any(|(before, now)| *before && !now)
            });
            match (has_hole, pairs().all(|(now, before)| now.0 == before.0)) {
                (true, _) if kind == Kind::Order => Fate::Wrong(Kind::Data),
                (true, _) => Fate::Wrong(kind),
                (false, true) => Fate::Equivalent,
                (false, false) => Fate::OtherValues,
            }
        }
    }
}

fn judge(source: &Source, mutant: &Mutant, fate: Fate) -> Verdict {
    let start = Instant::now();
    let text = SourceText::new(mutant.text.as_str());
    let language = match is_cpp(&source.path) {
        true => Language::Cpp,
        false => Language::Easyasc,
    };
    let findings = check(&text, language, &settings_of(&source.path)).findings;
    Verdict {
        fate,
        is_found: findings
            .iter()
            .any(|finding| finding.severity >= Severity::Warning),
        seconds: start.elapsed().as_secs_f64(),
    }
}

/// Numbers of mutants of one kind.
#[derive(Default)]
struct Row {
    killed: usize,
    missed: usize,
    equivalent: usize,
    other: usize,
    other_found: usize,
    unread: usize,
    seconds: f64,
}

impl Row {
    fn add(&mut self, verdict: &Verdict) {
        self.seconds += verdict.seconds;
        match (verdict.fate, verdict.is_found) {
            (Fate::Wrong(_), true) => self.killed += 1,
            (Fate::Wrong(_), false) => self.missed += 1,
            (Fate::Equivalent, _) => self.equivalent += 1,
            (Fate::OtherValues, found) => {
                self.other += 1;
                self.other_found += usize::from(found);
            }
            (Fate::Unread, _) => self.unread += 1,
        }
    }

    fn text(&self, name: &str) -> String {
        let wrong = self.killed + self.missed;
        let share = match wrong {
            0 => "–".to_owned(),
            wrong => format!("{:.1} %", 100.0 * self.killed as f64 / wrong as f64),
        };
        let all = wrong + self.equivalent + self.other + self.unread;
        format!(
            "| {name} | {all} | {} | {} | {share} | {} | {} ({}) | {} | {:.2} s |",
            self.killed,
            self.missed,
            self.equivalent,
            self.other,
            self.other_found,
            self.unread,
            self.seconds / all.max(1) as f64
        )
    }
}

fn print(sources: &[Source], mutants: &[Taken], verdicts: &[Verdict]) {
    let judged = || mutants.iter().zip(verdicts);
    println!(
        "| kind | mutants | killed | missed | killed of wrong | equivalent | other values (with a finding) | not read \
         | check of a kernel |"
    );
    println!("|---|---|---|---|---|---|---|---|---|");
    let mut rows: BTreeMap<Kind, Row> = BTreeMap::new();
    let mut total = Row::default();
    for ((_, mutant, fate), verdict) in judged() {
        let kind = fate.kind(mutant);
        rows.entry(kind).or_default().add(verdict);
        total.add(verdict);
    }
    for (kind, row) in &rows {
        println!("{}", row.text(kind.name()));
    }
    println!("{}\n", total.text("all"));
    println!(
        "| language | kernel files | mutants | killed | missed | check of a kernel, mean | longest |"
    );
    println!("|---|---|---|---|---|---|---|");
    let languages: BTreeSet<&str> = sources.iter().map(|source| source.language).collect();
    for language in languages {
        let files = sources
            .iter()
            .filter(|source| source.language == language)
            .count();
        let of_it = || judged().filter(|((source, ..), _)| source.language == language);
        let wrong = |found: bool| {
            of_it()
                .filter(|(_, it)| matches!(it.fate, Fate::Wrong(_)) && it.is_found == found)
                .count()
        };
        let all = of_it().count();
        let seconds: f64 = of_it().map(|(_, it)| it.seconds).sum();
        let longest = of_it().map(|(_, it)| it.seconds).fold(0.0, f64::max);
        println!(
            "| {language} | {files} | {all} | {} | {} | {:.2} s | {longest:.1} s |",
            wrong(true),
            wrong(false),
            seconds / all.max(1) as f64
        );
    }
    println!("\nmissed:");
    for ((source, mutant, _), verdict) in judged() {
        if let (Fate::Wrong(kind), false) = (verdict.fate, verdict.is_found) {
            let name = source
                .path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy();
            println!(
                "{name}:{}: {} ({})",
                mutant.line,
                mutant.operator,
                kind.name()
            );
        }
    }
}
