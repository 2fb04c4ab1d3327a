//! Every file under `tests/rules/<rule>/` of the repository is checked and compared with its annotations. The test
//! is one of this crate's, so that after a change it does not wait for servers and the command line.
//!
//! `#~ ERROR rule-name: part of the message` at the end of a line expects a finding on that line; `#~^ WARNING
//! rule-name` expects it one line above (one more `^` for each further line). Languages whose comments start with
//! `//` write `//~`. Severity words are ERROR, WARNING and INFO. Findings that no annotation expects fail the test,
//! and so does a kernel that was not analysed unless the file says `#~ NOT-ANALYSED`.
//!
//! `#~ VERDICT property: status part of the text` expects a verdict of every kernel of the file, `#~ VERDICT
//! kernel.property: …` of one. A status is `proved`, `proved-if`, `refuted`, `tested`, `undecided`, `holds` (one of
//! the first two) or `open` (none of the first two). The text is looked for in the preconditions and assumptions,
//! or in the reason. `#~ PARTLY: part of the text` expects a kernel that was not traced whole, with the place that
//! says why. A file whose first line is `#~ pedantic` is checked with pedantic rules. The files in `tests/kernels`
//! are sound: no finding, and no error of pedantic rules.
//!
//! Three more things have to hold for all files: what is certain is so without replays (`replays.rs`), what a run
//! of a launch shows is said by the check (`runs.rs`), and what replays find is found without launches and under
//! large ones (`launches.rs`; `A2LINT_LAUNCHES=all` has more of them). A check takes a while; here each file is
//! checked once for all of it.

#[path = "../../../../tests/common/larger.rs"]
mod larger;
mod launches;
mod replays;
#[path = "../../../../tests/common/repository.rs"]
mod repository;
mod runs;

use std::path::Path;
use std::sync::Arc;

use a2lint_ir::finding::{Basis, Severity};
use a2lint_ir::verdict::Status;
use a2lint_lint::check::Analysis;
use a2lint_rules::{Evidence, RULES};
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let root = repository::root().join("tests");
    let mut trials = Vec::new();
    for folder in FOLDERS {
        let sources = repository::sources(&root.join(folder)).into_iter();
        for path in sources.filter(|path| is_checked(path)) {
            let name = path
                .strip_prefix(&root)
                .unwrap_or(&path)
                .display()
                .to_string();
            trials.push(Trial::test(name, move || compare(&path)));
        }
    }
    let sound = [
        root.join("kernels"),
        root.join("dialects/ascriptor/kernels"),
    ];
    for path in sound.iter().flat_map(|folder| repository::sources(folder)) {
        if !sound.iter().any(|folder| path.parent() == Some(folder)) {
            continue; // `broken` has what its name says
        }
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        trials.push(Trial::test(format!("pedantic/{name}"), move || {
            no_pedantic_errors(&path)
        }));
    }
    for path in repository::cases() {
        let name = path.strip_prefix(&root).unwrap_or(&path).display();
        trials.push(Trial::test(format!("certain/{name}"), move || {
            replays::certain_without(&path);
            Ok(())
        }));
    }
    for path in repository::cases() {
        let name = path.strip_prefix(&root).unwrap_or(&path).display();
        trials.push(Trial::test(format!("told/{name}"), move || {
            runs::are_told(&path).map_err(Failed::from)
        }));
    }
    let walks: [(&str, fn()); 2] = [
        ("without", launches::found_without_launches),
        ("large", launches::found_under_large_launches),
    ];
    for (name, walk) in walks {
        trials.push(Trial::test(format!("launches/{name}"), move || {
            walk();
            Ok(())
        }));
    }
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// Where annotated files are.
const FOLDERS: [&str; 9] = [
    "ascendc/traced",
    "rules",
    "kernels",
    "masks",
    "sanitizer_cases",
    "sync",
    "trust",
    "dialects/ascriptor/rules",
    "dialects/ascriptor/kernels",
];

/// Of a project, the file with its kernels; references and launches have none.
fn is_checked(path: &Path) -> bool {
    let is_project = path.iter().any(|part| part == "gallery");
    !is_project || path.file_name().is_some_and(|name| name == "kernel.py")
}

fn no_pedantic_errors(path: &Path) -> Result<(), Failed> {
    let source = SourceText::new(repository::read(path));
    let analysis = repository::analysis_of(&source, repository::language(path), true);
    let errors = analysis.findings.iter();
    let errors = errors.filter(|finding| finding.severity == Severity::Error);
    let errors: Vec<String> = errors
        .map(|finding| format!("{}: {}", finding.name, finding.message))
        .collect();
    match errors.is_empty() {
        true => Ok(()),
        false => Err(errors.join("\n").into()),
    }
}

#[derive(Debug)]
struct Expectation {
    line: usize,
    severity: Severity,
    name: String,
    message: String,
}

/// The rule about buffers that nothing reads.
const UNUSED: &str = "unused-buffer";

/// Whether a file is a case of a rule, other than the one about unused buffers.
fn is_cut_down(path: &Path) -> bool {
    let folders = ["tests/rules", "tests/dialects/ascriptor/rules"];
    let mut folders = folders.iter().map(|folder| repository::root().join(folder));
    folders.any(|rules| path.starts_with(&rules) && !path.starts_with(rules.join(UNUSED)))
}

/// Whether the fact behind a rule is an inference, which is a warning at most, whatever severity the check gives.
fn is_inferred(name: &str) -> bool {
    let mut rules = RULES.iter().filter(|rule| rule.name == name);
    rules.any(|rule| rule.evidence == Evidence::Inferred)
}

fn compare(path: &Path) -> Result<(), Failed> {
    let text = repository::read(path);
    let source = SourceText::new(text.as_str());
    let language = repository::language(path);
    let mark = format!("{}~", language.line_comment());
    let pedantic = text
        .lines()
        .next()
        .is_some_and(|line| line.trim() == format!("{mark} pedantic"));
    let analysis = match (language, pedantic) {
        (Language::Easyasc, false) => repository::checked(&text),
        _ => Arc::new(repository::analysis_of(&source, language, pedantic)),
    };
    let mut problems = Vec::new();
    if !text.contains(&format!("{mark} NOT-ANALYSED")) {
        let reasons = analysis.not_analysed().iter();
        problems.extend(reasons.map(|not| format!("not analysed: {}", not.reason)));
        if analysis.kernels() == 0 {
            problems.push("no kernel found".into());
        }
    }
    let mut expected = expectations(&text, &mark)?;
    let cut_down = is_cut_down(path);
    for finding in &analysis.findings {
        if cut_down && finding.name == UNUSED {
            continue;
        }
        let line = source.line_column(finding.span.start).line;
        if finding.severity == Severity::Error && is_inferred(finding.name) {
            problems.push(format!(
                "{} at line {line} is an error by inference",
                finding.name
            ));
        }
        if finding.basis == Basis::Replayed && finding.witness.is_none() {
            problems.push(format!("{} at line {line} shows no run", finding.name));
        }
        let fits = |e: &Expectation| {
            e.line == line
                && e.severity == finding.severity
                && e.name == finding.name
                && finding.message.contains(&e.message)
        };
        match expected.iter().position(fits) {
            Some(at) => drop(expected.remove(at)),
            None => problems.push(format!(
                "unexpected at line {line}: {:?} {}: {}",
                finding.severity, finding.name, finding.message
            )),
        }
    }
    problems.extend(
        expected
            .iter()
            .map(|missing| format!("missing: {missing:?}")),
    );
    problems.extend(verdict_problems(&text, &mark, &analysis));
    match problems.is_empty() {
        true => Ok(()),
        false => Err(problems.join("\n").into()),
    }
}

fn expectations(text: &str, mark: &str) -> Result<Vec<Expectation>, Failed> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        for annotation in line.split(mark).skip(1) {
            let above = annotation.chars().take_while(|&c| c == '^').count();
            let body = annotation[above..].trim();
            let (word, rest) = body.split_once(' ').unwrap_or((body, ""));
            let severity = match word {
                "ERROR" => Severity::Error,
                "WARNING" => Severity::Warning,
                "INFO" => Severity::Info,
                "pedantic" | "NOT-ANALYSED" | "VERDICT" | "PARTLY:" => continue,
                other => return Err(format!("line {}: unknown annotation {other}", at + 1).into()),
            };
            let (name, message) = rest.split_once(':').unwrap_or((rest, ""));
            found.push(Expectation {
                line: at + 1 - above,
                severity,
                name: name.trim().to_owned(),
                message: message.trim().to_owned(),
            });
        }
    }
    Ok(found)
}

/// Compares the verdicts of a file with its `VERDICT` and `PARTLY` annotations.
fn verdict_problems(text: &str, mark: &str, analysis: &Analysis) -> Vec<String> {
    let annotations = |word: &'static str| {
        let after = text.lines().flat_map(move |line| line.split(mark).skip(1));
        after.filter_map(move |annotation| annotation.trim().strip_prefix(word))
    };
    let mut problems = Vec::new();
    for annotation in annotations("VERDICT ") {
        let (place, wanted) = annotation.split_once(": ").unwrap_or((annotation, ""));
        let (kernel, property) = match place.rsplit_once('.') {
            Some((kernel, property)) => (Some(kernel), property),
            None => (None, place),
        };
        let (status, part) = wanted.split_once(' ').unwrap_or((wanted, ""));
        let kernels = analysis.records.iter().zip(analysis.verdicts());
        let mut kernels = kernels
            .filter(|(record, _)| kernel.is_none_or(|name| record.name == name))
            .peekable();
        if kernels.peek().is_none() {
            problems.push(format!("no kernel for `{annotation}`"));
        }
        for (record, verdicts) in kernels {
            let verdict = verdicts
                .iter()
                .find(|verdict| verdict.property.name() == property);
            let fits = verdict.is_some_and(|verdict| is_expected(&verdict.status, status, part));
            if !fits {
                let status = verdict.map(|verdict| &verdict.status);
                problems.push(format!(
                    "{}: `{annotation}`, but it is {status:?}",
                    record.name
                ));
            }
        }
    }
    for part in annotations("PARTLY:") {
        let mut unknown = analysis.records.iter().flat_map(|record| &record.unknown);
        if !unknown.any(|place| format!("{place:?}").contains(part.trim())) {
            problems.push(format!(
                "no kernel is traced partly because of `{}`",
                part.trim()
            ));
        }
    }
    problems
}

/// Whether a verdict has this status, in the words of annotations, and names `part` among its preconditions or reasons.
fn is_expected(status: &Status, wanted: &str, part: &str) -> bool {
    let is_proved = matches!(status, Status::Proved { .. });
    let fits = match wanted {
        "holds" => is_proved,
        "open" => !is_proved,
        name => status.name() == name,
    };
    let text = match status {
        Status::Proved { under, assuming } => [under.as_slice(), assuming].concat().join(", "),
        Status::Undecided { because, .. } => because.clone(),
        Status::Refuted { .. } | Status::Tested => String::new(),
    };
    fits && text.contains(part)
}
