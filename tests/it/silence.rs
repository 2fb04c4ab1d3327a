//! A report without findings is a claim. If a kernel file is changed in a way that a2lint cannot follow, either the
//! findings stay the same, or the report names the place that was not analysed.
//!
//! `A2LINT_SILENCE_CASES=20000` sets the number of changed files.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::OnceLock;

use rayon::prelude::*;

use a2lint::check::{Analysis, Settings, check};
use a2lint::finding::Finding;
use a2lint::frontend::dsl::trace;
use a2lint::language::Language;
use a2lint::record::KernelRecord;
use a2lint::text::SourceText;

use crate::common::larger::{OTHERWISE, remaindered};
use crate::common::{Random, files, read, root};

/// Default number of changed files.
const DEFAULT_CASES: usize = 60;

/// At most one clean file in `MOST_ALARMED` may get findings that are unrelated to the change.
const MOST_ALARMED: usize = 1000;

/// The kind of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// A call that cannot be evaluated, without an argument of the kernel.
    UnevaluableLine,
    /// A value from a module that does not exist.
    UnknownImport,
    /// A call of an unknown function with a buffer as argument.
    UnknownCallee,
    /// A name with an additional letter.
    MisspeltName,
    /// A launch comment with a parameter that the kernel does not have.
    UnusableLaunch,
    /// A launch comment whose bracket is never closed.
    BrokenLaunch,
    /// Launches with sizes that are about 64 times as large.
    OversizedLaunch,
    /// An instruction that the simulator does not support.
    UnsupportedInstruction,
    /// No launch.
    NoLaunch,
}

impl Change {
    const ALL: [Change; 9] = [
        Change::UnevaluableLine,
        Change::UnknownImport,
        Change::UnknownCallee,
        Change::MisspeltName,
        Change::UnusableLaunch,
        Change::BrokenLaunch,
        Change::OversizedLaunch,
        Change::UnsupportedInstruction,
        Change::NoLaunch,
    ];

    /// Whether the change must leave every finding as it was: it only adds Python that does not affect the kernel.
    fn is_harmless(self) -> bool {
        matches!(
            self,
            Change::UnevaluableLine
                | Change::UnknownImport
                | Change::UnusableLaunch
                | Change::BrokenLaunch
        )
    }
}

/// A changed file.
struct Changed {
    text: String,
    /// The changed lines, counted from 0.
    lines: Vec<usize>,
    /// The new number of each line of the original file.
    moved: Vec<usize>,
    /// The misspelt word in its original form.
    word: Option<String>,
}

impl Changed {
    /// Whether a line contains the original form of the misspelt word.
    fn is_named_at(&self, line: usize) -> bool {
        let text = self.text.lines().nth(line).unwrap_or_default();
        self.word.as_ref().is_some_and(|word| text.contains(word))
    }
}

/// A finding: its code, line and kernel.
type Identity = (&'static str, usize, String);

/// A test file.
struct Case {
    path: PathBuf,
    text: String,
    /// Lines that start a statement of a kernel, with the first line of the kernel.
    statements: Vec<(usize, usize)>,
    /// On-chip buffers: line of the allocation, first line of the kernel, name.
    buffers: Vec<(usize, usize, String)>,
    before: OnceLock<Vec<Identity>>,
}

impl Case {
    /// Returns the findings in the unchanged file.
    fn before(&self) -> &[Identity] {
        self.before
            .get_or_init(|| identities(&crate::common::checked(&self.text), &self.text))
    }
}

/// Returns the files that are changed.
fn cases() -> Vec<Case> {
    let tests = root().join("tests");
    let folders = ["kernels", "rules", "sync", "sanitizer_cases"];
    let paths = folders
        .iter()
        .flat_map(|folder| files(&tests.join(folder), "py"));
    let paths: Vec<PathBuf> = paths.collect();
    let cases = paths.into_par_iter().filter_map(|path| {
        let text = read(&path);
        let source = SourceText::new(text.clone());
        let module = trace(&source);
        let (mut statements, mut buffers) = (Vec::new(), Vec::new());
        for program in &module.programs {
            let first = source.line_index(program.span.start);
            let end = source.line_index(program.span.end.saturating_sub(1));
            let lines: Vec<&str> = text.lines().collect();
            statements.extend(
                starts(&lines, source.line_index(program.name_span.start), end)
                    .into_iter()
                    .map(|line| (line, first)),
            );
            buffers.extend(
                program
                    .buffers
                    .iter()
                    .filter(|buffer| !buffer.name.is_empty())
                    .map(|buffer| {
                        (
                            source.line_index(buffer.span.end),
                            first,
                            buffer.name.to_string(),
                        )
                    }),
            );
        }
        (!statements.is_empty()).then_some(Case {
            path,
            text,
            statements,
            buffers,
            before: OnceLock::new(),
        })
    });
    cases.collect()
}

/// Returns the lines of a function's body at which a statement starts, outside of brackets and strings.
fn starts(lines: &[&str], head: usize, end: usize) -> Vec<usize> {
    let (mut depth, mut in_text, mut found) = (0i32, false, Vec::new());
    for (at, line) in lines.iter().enumerate().take(end + 1).skip(head) {
        let code = line.trim();
        let is_word = code.starts_with(|c: char| c.is_alphabetic());
        let is_clause = ["else", "elif", "except", "finally", "case "]
            .iter()
            .any(|word| code.starts_with(word));
        if at > head && depth == 0 && !in_text && is_word && !is_clause && line.starts_with(' ') {
            found.push(at);
        }
        if code.matches("\"\"\"").count() % 2 == 1 {
            in_text = !in_text;
        }
        if !in_text {
            let code = line.split('#').next().unwrap_or_default();
            depth += code.matches(['(', '[', '{']).count() as i32;
            depth -= code.matches([')', ']', '}']).count() as i32;
        }
    }
    found
}

fn checked(text: &str) -> Analysis {
    check(
        &SourceText::new(text),
        Language::Easyasc,
        &Settings::default(),
    )
}

/// Returns the findings by rule, line and kernel, without those on suppression comments that have become unused, and
/// without those of proofs.
fn identities(analysis: &Analysis, text: &str) -> Vec<Identity> {
    let source = SourceText::new(text);
    let identity = |finding: &Finding| {
        let line = source.line_index(finding.span.start);
        (
            finding.code,
            line,
            finding.kernel.clone().unwrap_or_default(),
        )
    };
    let findings = analysis.findings.iter();
    findings
        .filter(|finding| !["TRC011", "TRC017"].contains(&finding.code))
        .map(identity)
        .collect()
}

/// Inserts a line before another one, with the same indentation.
fn insert(text: &str, line: usize, new: &str) -> Changed {
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    let indent: String = lines[line].chars().take_while(|c| *c == ' ').collect();
    let count = lines.len();
    lines.insert(line, format!("{indent}{new}"));
    Changed {
        text: lines.join("\n") + "\n",
        lines: vec![line],
        moved: (0..count)
            .map(|old| old + usize::from(old >= line))
            .collect(),
        word: None,
    }
}

fn in_place(text: String, lines: Vec<usize>) -> Changed {
    let count = text.lines().count();
    Changed {
        text,
        lines,
        moved: (0..count).collect(),
        word: None,
    }
}

fn change(case: &Case, change: Change, random: &mut Random) -> Option<Changed> {
    let (line, first) = case.statements[random.below(case.statements.len())];
    let text = &case.text;
    match change {
        Change::UnevaluableLine => {
            let lines = [
                "log.info(\"tile\")",
                "seen = clock.now()",
                "progress.step(3)",
            ];
            Some(insert(text, line, lines[random.below(lines.len())])).map(|changed| {
                // The names have to be imported.
                let import = "from lab_tools import log, clock, progress";
                prefixed(changed, import)
            })
        }
        Change::UnknownImport => {
            let changed = insert(text, line, "setting = chosen_setting");
            Some(prefixed(changed, "from lab_settings import chosen_setting"))
        }
        Change::UnknownCallee => {
            let known = case.buffers.iter();
            let known: Vec<_> = known
                .filter(|(at, kernel, _)| *at < line && *kernel == first)
                .collect();
            let (_, _, name) = known.get(random.below(known.len()))?;
            let changed = insert(text, line, &format!("watch_tile({name})"));
            Some(prefixed(changed, "from lab_tools import watch_tile"))
        }
        Change::MisspeltName => {
            let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let words = words(&lines[line]);
            let &(start, end) = words.get(random.below(words.len()))?;
            let word = lines[line][start..end].to_owned();
            let at = start + random.below(end - start) + 1;
            lines[line].insert(at, 'q');
            let changed = in_place(lines.join("\n") + "\n", vec![line]);
            Some(Changed {
                word: Some(word),
                ..changed
            })
        }
        Change::UnusableLaunch => {
            let comment = "# a2lint: launch(no_such_parameter=3)";
            Some(insert(text, first, comment))
        }
        Change::BrokenLaunch => Some(insert(text, first, "# a2lint: launch(M=3")),
        Change::OversizedLaunch => oversized(text),
        Change::UnsupportedInstruction => {
            let known = case.buffers.iter();
            let known: Vec<_> = known
                .filter(|(at, kernel, _)| *at < line && *kernel == first)
                .collect();
            let (_, _, name) = known.get(random.below(known.len()))?;
            Some(insert(text, line, &format!("img2col({name}, {name})")))
        }
        Change::NoLaunch => {
            let mut lines: Vec<&str> = text.lines().collect();
            let main = lines
                .iter()
                .position(|line| line.starts_with("if __name__"));
            let count = lines.len();
            if let Some(main) = main {
                lines.truncate(main);
            }
            let is_launch = |line: &&str| line.contains("a2lint: launch(");
            let launches = lines.iter().filter(|line| is_launch(line)).count();
            if main.is_none() && launches == 0 {
                return None;
            }
            let kept: Vec<&str> = lines
                .iter()
                .map(|line| if is_launch(line) { "#" } else { line })
                .collect();
            Some(Changed {
                text: kept.join("\n") + "\n",
                lines: Vec::new(),
                moved: (0..count).collect(),
                word: None,
            })
        }
    }
}

/// Inserts a line at the start of the file.
fn prefixed(changed: Changed, line: &str) -> Changed {
    Changed {
        text: format!("{line}\n{}", changed.text),
        lines: changed
            .lines
            .iter()
            .map(|line| line + 1)
            .chain([0])
            .collect(),
        moved: changed.moved.iter().map(|line| line + 1).collect(),
        word: changed.word,
    }
}

/// Returns the words of a line of code as byte ranges.
fn words(line: &str) -> Vec<(usize, usize)> {
    const KEYWORDS: &[&str] = &[
        "for", "in", "if", "with", "as", "return", "and", "or", "not", "None", "True", "False",
        "while", "lambda", "import", "from", "def", "pass",
    ];
    let code = line.split(['#', '"', '\'']).next().unwrap_or_default();
    let (mut found, mut start) = (Vec::new(), None);
    for (at, c) in code.char_indices().chain([(code.len(), ' ')]) {
        match (c.is_alphanumeric() || c == '_', start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                let word = &code[from..at];
                if word.starts_with(|c: char| c.is_alphabetic()) && !KEYWORDS.contains(&word) {
                    found.push((from, at));
                }
                start = None;
            }
            _ => {}
        }
    }
    found
}

/// Makes the sizes of launches about 64 times as large, keeping the remainder of a tile.
fn oversized(text: &str) -> Option<Changed> {
    let (mut is_main, mut lines, mut touched) = (false, Vec::new(), Vec::new());
    for (at, line) in text.lines().enumerate() {
        is_main |= line.starts_with("if __name__");
        let is_launch = line.contains("a2lint: launch(")
            || is_main
                && ["OpExec", "rand", "zeros", "ones", "="]
                    .iter()
                    .any(|word| line.contains(word));
        if !is_launch {
            lines.push(line.to_owned());
            continue;
        }
        let (mut new, mut number) = (String::new(), String::new());
        let mut before = ' ';
        for c in line.chars().chain(['\n']) {
            match c.is_ascii_digit()
                && (!number.is_empty()
                    || !(before.is_alphanumeric() || before == '_' || before == '.'))
            {
                true => number.push(c),
                false => {
                    match number.parse::<i64>() {
                        Ok(size) if size >= 8 && c != '.' => {
                            new.push_str(&remaindered(size).to_string());
                        }
                        _ => new.push_str(&number),
                    }
                    number.clear();
                    new.push(c);
                }
            }
            before = c;
        }
        let new = new.trim_end().to_owned();
        if new != line.trim_end() {
            touched.push(at);
        }
        lines.push(new);
    }
    (!touched.is_empty()).then(|| in_place(lines.join("\n") + "\n", touched))
}

/// Whether the report names the place: it names one of the changed lines, or says for every kernel with a lost
/// finding what part was not analysed, such as the line of the lost finding.
fn names_the_place(analysis: &Analysis, text: &str, lines: &[usize], lost: &[Identity]) -> bool {
    let source = SourceText::new(text);
    let is_there = |span: a2lint::text::Span| {
        let (start, end) = (source.line_index(span.start), source.line_index(span.end));
        lines.iter().any(|line| (start..=end).contains(line))
    };
    let is_open = |record: &KernelRecord| {
        let gap = record.gap();
        let mut launches = record.launches.iter();
        record.unknown.iter().any(|code| is_there(code.span))
            || gap.is_some_and(|gap| gap.at.is_none_or(is_there))
            || launches.any(|run| run.reason.is_some() && run.span.is_some_and(is_there))
    };
    let is_found = |finding: &Finding| is_there(finding.span);
    let is_owned = |(_, line, kernel): &Identity| {
        let is_of = |record: &&KernelRecord| kernel.is_empty() || record.name == *kernel;
        let is_left_out = |record: &KernelRecord| {
            let gap = record.gap().and_then(|gap| gap.at);
            gap.is_some_and(|at| source.line_index(at.start) == *line)
        };
        let mut records = analysis.records.iter().filter(is_of);
        records.any(|record| is_open(record) || is_left_out(record))
    };
    analysis.findings.iter().any(is_found)
        || !analysis.not_analysed().is_empty()
        || lost.iter().all(is_owned)
}

/// The effect of a change on the findings of a file.
struct Effect {
    kind: Change,
    place: String,
    /// Findings that have disappeared.
    lost: Vec<Identity>,
    /// Whether the report does not explain the lost findings.
    is_silent: bool,
    /// New findings in other places.
    new: Vec<Identity>,
    /// Whether the original file had no findings.
    was_clean: bool,
}

impl Effect {
    fn of(case: &Case, kind: Change, changed: &Changed) -> Effect {
        let analysis = checked(&changed.text);
        let after = identities(&analysis, &changed.text);
        let before: Vec<Identity> = case
            .before()
            .iter()
            .map(|(code, line, kernel)| {
                let line = changed.moved.get(*line).copied().unwrap_or(*line);
                (*code, line, kernel.clone())
            })
            .collect();
        // A launch with other sizes may show a mistake at another statement first.
        let is_like = |known: &Identity, found: &Identity| match kind {
            Change::OversizedLaunch => (known.0, &known.2) == (found.0, &found.2),
            _ => known == found,
        };
        let name = case.path.file_name().unwrap_or_default();
        let is_otherwise = |known: &Identity| {
            let rule = a2lint::rules::find(known.0).map_or("", |rule| rule.name);
            let named = (name.to_str().unwrap_or_default(), rule);
            kind == Change::OversizedLaunch && OTHERWISE.contains(&named)
        };
        let is_lost = |known: &&Identity| {
            // A line that is inserted before a badly indented one, with the same indentation, gets its finding.
            let is_here = |found: &Identity| {
                found.0 == known.0 && known.0 == "TRC012" && changed.lines.contains(&found.1)
            };
            !is_otherwise(known) && !after.iter().any(|it| is_like(known, it) || is_here(it))
        };
        let lost: Vec<_> = before.iter().filter(is_lost).cloned().collect();
        let is_new =
            |found: &&Identity| !before.contains(found) && !changed.lines.contains(&found.1);
        // If a definition is misspelt, every use of the name is undefined.
        let of_name = |found: &&Identity| found.0 == "TRC013" && changed.is_named_at(found.1);
        let is_silent = !lost.is_empty()
            && (kind.is_harmless()
                || !(names_the_place(&analysis, &changed.text, &changed.lines, &lost)
                    || after.iter().any(|found| of_name(&found))));
        Effect {
            kind,
            place: format!(
                "{kind:?} {:?} {:?} {}",
                changed.word,
                changed.lines,
                case.path.display()
            ),
            is_silent,
            new: after
                .iter()
                .filter(|found| is_new(found) && !of_name(found))
                .cloned()
                .collect(),
            lost,
            // A larger launch may be really wrong, and a suppression comment does not suppress other rules.
            was_clean: before.is_empty()
                && kind != Change::OversizedLaunch
                && !case.text.contains("a2lint: ignore")
                && !case.text.contains("a2lint: disable"),
        }
    }
}

#[test]
fn nothing_is_lost_in_silence() {
    let count = std::env::var("A2LINT_SILENCE_CASES").ok();
    let count: usize = count
        .and_then(|text| text.parse().ok())
        .unwrap_or(DEFAULT_CASES);
    let cases = cases();
    let mut random = Random(0x51E7_CE00);
    let mut changes = Vec::new();
    while changes.len() < count {
        let case = &cases[random.below(cases.len())];
        let kind = Change::ALL[random.below(Change::ALL.len())];
        let changed = change(case, kind, &mut random);
        changes.extend(changed.map(|changed| (case, kind, changed)));
    }
    let effects: Vec<Effect> = changes
        .par_iter()
        .map(|(case, kind, changed)| Effect::of(case, *kind, changed))
        .collect();
    let mut tried: BTreeMap<Change, [usize; 4]> = BTreeMap::new();
    let (mut silent, mut alarms) = (Vec::new(), Vec::new());
    for effect in &effects {
        let counts = tried.entry(effect.kind).or_default();
        let said = [
            true,
            !effect.lost.is_empty(),
            effect.is_silent,
            !effect.new.is_empty(),
        ];
        for (count, said) in counts.iter_mut().zip(said) {
            *count += usize::from(said);
        }
        if effect.is_silent {
            silent.push(format!("{}: lost {:?}", effect.place, effect.lost));
        }
        if !effect.new.is_empty() && effect.was_clean {
            alarms.push(format!("{}: new {:?}", effect.place, effect.new));
        }
    }
    println!("change: tried, lost something, lost in silence, new findings elsewhere\n{tried:#?}");
    println!("with new findings elsewhere:\n{}", alarms.join("\n"));
    assert!(
        silent.is_empty(),
        "{} lost:\n{}",
        silent.len(),
        silent.join("\n")
    );
    // A misspelt definition or unknown code may make the kernel really wrong.
    assert!(
        alarms.len() * MOST_ALARMED <= changes.len(),
        "{} with new findings:\n{}",
        alarms.len(),
        alarms.join("\n")
    );
}
