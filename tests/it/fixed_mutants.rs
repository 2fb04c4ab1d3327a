//! Safe fixes of kernels with a missing, duplicate or misplaced synchronisation call. After a fix that is called
//! safe, everything is proved that was proved before the mutation.
//!
//! The kernels are those of the tests, and the short ones of `tests/trust/fixes` after their fixes. By default a few
//! mutants of each kind are tested. `A2LINT_FIXED_MUTANTS=500` sets the number for each kind, `A2LINT_FIXED_SECONDS`
//! a time limit for each kind, `A2LINT_FIXED_BYTES` the maximum length of kernels (long ones take seconds per
//! mutant), and `A2LINT_FIXED_FIRST` selects another sample. The counts are printed.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use a2lint::check::{Analysis, Settings, check};
use a2lint::fix::Applicability;
use a2lint::frontend::dsl::trace;
use a2lint::isa::Class;
use a2lint::language::Language;
use a2lint::repair::fix_file;
use a2lint::text::{SourceText, Span};
use a2lint::verdict::{Property, Status};

use crate::common::{self, Random};

/// Default number of mutants of kernels, and of the short kernels after their fixes.
const FEW: [usize; 2] = [12, 50];
/// Default maximum length of kernels in bytes; longer ones take long to check.
const SHORT: usize = 4_400;

/// A mutant: the kind of edit, its line, and the text.
struct Mutant {
    kernel: PathBuf,
    what: String,
    text: String,
}

/// The lines of a text.
struct Lines<'t>(Vec<&'t str>);

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        Lines(text.split_inclusive('\n').collect())
    }

    fn indent(&self, at: usize) -> usize {
        self.0[at].len() - self.0[at].trim_start().len()
    }

    /// Whether a line contains only white space or a comment.
    fn is_blank(&self, at: usize) -> bool {
        let text = self.0[at].trim();
        text.is_empty() || text.starts_with('#')
    }

    /// Returns the line after the statement that starts at a line, with its block.
    fn end(&self, at: usize) -> usize {
        let inside = |other: &usize| self.is_blank(*other) || self.indent(*other) > self.indent(at);
        let mut end = (at + 1..self.0.len())
            .find(|other| !inside(other))
            .unwrap_or(self.0.len());
        while self.is_blank(end - 1) {
            end -= 1;
        }
        end
    }

    /// Returns the first line of the previous or next statement in the same block.
    fn neighbour(&self, at: usize, is_after: bool) -> Option<usize> {
        if is_after {
            let next = (self.end(at)..self.0.len()).find(|other| !self.is_blank(*other))?;
            return (self.indent(next) == self.indent(at)).then_some(next);
        }
        let mut before = (0..at).rev().filter(|other| !self.is_blank(*other));
        let previous = before.find(|other| self.indent(*other) <= self.indent(at))?;
        (self.indent(previous) == self.indent(at)).then_some(previous)
    }

    fn without(&self, at: usize) -> String {
        let is_only = self.neighbour(at, true).is_none() && self.neighbour(at, false).is_none();
        let instead = match is_only {
            true => format!("{}pass\n", " ".repeat(self.indent(at))),
            false => String::new(),
        };
        [&self.0[..at].concat(), &instead, &self.0[at + 1..].concat()]
            .map(String::as_str)
            .concat()
    }

    fn twice(&self, at: usize) -> String {
        [&self.0[..=at], &self.0[at..]]
            .map(<[&str]>::concat)
            .concat()
    }

    /// Moves the statement at a line up or down by some statements.
    fn moved(&self, at: usize, steps: usize, is_after: bool) -> Option<String> {
        let mut to = at;
        for _ in 0..steps {
            to = self.neighbour(to, is_after)?;
        }
        let (line, mut all) = (self.0[at], self.0.clone());
        match is_after {
            true => {
                all.insert(self.end(to), line);
                all.remove(at);
            }
            false => {
                all.remove(at);
                all.insert(to, line);
            }
        }
        Some(all.concat())
    }
}

/// Returns the lines of a kernel file that contain only a synchronisation call.
fn calls(text: &str) -> BTreeSet<usize> {
    let source = SourceText::new(text);
    let lines = Lines::of(text);
    let mut found = BTreeSet::new();
    for program in &trace(&source).programs {
        for (stmt, instr) in program.instructions() {
            let row = instr.row();
            let is_call = row.signal().is_some() || row.class == Class::Barrier;
            let line = source.line_index(stmt.span.start);
            let whole = source.line_span(line).unwrap_or(Span::new(0, 0));
            let code = source.slice(whole).split('#').next().unwrap_or_default();
            if is_call && code.trim() == source.slice(stmt.span) && !lines.is_blank(line) {
                found.insert(line);
            }
        }
    }
    found
}

fn mutants_of(path: &Path) -> Vec<Mutant> {
    let text = common::read(path);
    let lines = Lines::of(&text);
    let mut all = Vec::new();
    for at in calls(&text) {
        let mut push = |what: &str, text: Option<String>| {
            let what = format!("line {}, {what}: {}", at + 1, lines.0[at].trim());
            let kernel = path.to_owned();
            all.extend(text.map(|text| Mutant { kernel, what, text }));
        };
        push("left out", Some(lines.without(at)));
        push("twice", Some(lines.twice(at)));
        for steps in [1, 2] {
            push(&format!("{steps} up"), lines.moved(at, steps, false));
            push(&format!("{steps} down"), lines.moved(at, steps, true));
        }
    }
    all
}

/// Returns the kernels of the tests, and the short ones after their fixes.
fn kernels() -> [Vec<PathBuf>; 2] {
    let folders = ["tests/kernels", "tests/dialects/ascriptor/kernels"];
    let folders = folders.map(|folder| common::root().join(folder));
    let files = folders.iter().flat_map(|folder| {
        let files = common::files(folder, "py").into_iter();
        files.filter(|path| path.parent() == Some(folder))
    });
    let fixed = common::files(&common::root().join("tests/trust/fixes"), "fixed");
    [files.collect(), fixed]
}

/// Returns the proved properties of each kernel.
fn proved(analysis: &Analysis) -> Vec<Vec<Property>> {
    let verdicts = analysis.verdicts().map(|verdicts| {
        let proved = verdicts
            .iter()
            .filter(|verdict| matches!(verdict.status, Status::Proved { .. }));
        proved.map(|verdict| verdict.property).collect()
    });
    verdicts.collect()
}

/// Returns the properties that were proved before and are not proved after.
fn lost(before: &[Vec<Property>], after: &[Vec<Property>]) -> Vec<&'static str> {
    let pairs = before.iter().enumerate();
    let lost = pairs.flat_map(|(at, proved)| {
        let kept = after.get(at).map_or(&[][..], Vec::as_slice);
        proved.iter().filter(|property| !kept.contains(property))
    });
    lost.map(|property| property.name()).collect()
}

#[derive(Default, Debug)]
struct Figures {
    mutants: usize,
    with_finding: usize,
    fixed: usize,
    clean: usize,
    as_good: usize,
    weaker: Vec<String>,
}

fn check_text(text: &str) -> Analysis {
    check(
        &SourceText::new(text),
        Language::Easyasc,
        &Settings::default(),
    )
}

/// Fixes a mutant and compares the proofs.
fn look(mutant: &Mutant, original: &[Vec<Property>], figures: &mut Figures) {
    figures.mutants += 1;
    let before = check_text(&mutant.text);
    if before.findings.is_empty() {
        return;
    }
    figures.with_finding += 1;
    let source = SourceText::new(mutant.text.as_str());
    let outcome = fix_file(
        &source,
        Language::Easyasc,
        Applicability::Safe,
        &check_text_of,
        None,
    );
    let rules: BTreeSet<&str> = before.findings.iter().map(|it| it.name).collect();
    let titles = outcome.fixed.done.iter().map(|done| done.title.as_str());
    let titles: Vec<&str> = titles.collect();
    let name = mutant.kernel.file_name().unwrap_or_default().display();
    println!("{name}, {}: {rules:?} {titles:?}", mutant.what);
    if outcome.fixed.done.is_empty() {
        return;
    }
    figures.fixed += 1;
    let after = check_text(&outcome.fixed.text);
    figures.clean += usize::from(after.findings.is_empty());
    let is = proved(&after);
    let mut missing = lost(original, &is);
    missing.extend(lost(&proved(&before), &is));
    match missing.is_empty() && after.findings.len() < before.findings.len() {
        true => figures.as_good += 1,
        false => figures.weaker.push(format!(
            "{name}, {}: {:?}\nno longer proved: {missing:?}",
            mutant.what, outcome.fixed.done
        )),
    }
}

fn check_text_of(source: &SourceText) -> Analysis {
    check(source, Language::Easyasc, &Settings::default())
}

#[test]
fn safe_fixes_of_mutants_prove_what_was_proved() {
    let number = |name: &str| std::env::var(name).ok().and_then(|it| it.parse().ok());
    let wanted = number("A2LINT_FIXED_MUTANTS");
    let most_bytes = number("A2LINT_FIXED_BYTES").unwrap_or(SHORT);
    let is_taken = |path: &PathBuf| common::read(path).len() <= most_bytes;
    let mut random = Random(number("A2LINT_FIXED_FIRST").unwrap_or(7) as u64);
    let most = number("A2LINT_FIXED_SECONDS").map(|it| Duration::from_secs(it as u64));
    let mut figures = Figures::default();
    for (kernels, few) in kernels().into_iter().zip(FEW) {
        let kernels = kernels.into_iter().filter(is_taken);
        let mut mutants: Vec<Mutant> = kernels.flat_map(|path| mutants_of(&path)).collect();
        assert!(mutants.len() > few);
        let started = Instant::now();
        for _ in 0..wanted.unwrap_or(few).min(mutants.len()) {
            if most.is_some_and(|most| started.elapsed() > most) {
                break;
            }
            let mutant = mutants.swap_remove(random.below(mutants.len()));
            let original = proved(&common::checked(&common::read(&mutant.kernel)));
            look(&mutant, &original, &mut figures);
        }
    }
    println!("{figures:#?}");
    assert!(figures.fixed > 0, "the sample has nothing to fix");
    assert!(figures.weaker.is_empty(), "{:#?}", figures.weaker);
}
