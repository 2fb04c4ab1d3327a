//! Generated files are up to date: the pages of rules with the output for an example, the contents of the book, and
//! the schema of the configuration. Links have targets.
//!
//! `UPDATE_DOCS=1 cargo test --test it docs` writes the files.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2lint::config;
use a2lint::finding::Severity;
use a2lint::report::pages::pages;
use a2lint::report::{FileReport, Page, Paint, Run, full};
use a2lint::rules::{Group, RULES, Rule};
use a2lint::text::SourceText;

/// Width of the output of examples.
const COLUMNS: usize = 84;
/// Folders with test cases of rules.
const CASES: [&str; 2] = ["tests/rules", "tests/dialects/ascriptor/rules"];

/// Compares the files below a folder with the expected ones, or writes them.
pub(crate) fn compare(folder: &Path, expected: &BTreeMap<String, String>) {
    let update = std::env::var_os("UPDATE_DOCS").is_some();
    if update {
        fs::create_dir_all(folder).expect("a folder");
    }
    let mut stale = Vec::new();
    for (name, text) in expected {
        let path = folder.join(name);
        if fs::read_to_string(&path).is_ok_and(|old| old.replace("\r\n", "\n") == *text) {
            continue;
        }
        match update {
            true => fs::write(&path, text).expect("a file"),
            false => stale.push(name.clone()),
        }
    }
    assert!(
        stale.is_empty(),
        "stale: {}; run `UPDATE_DOCS=1 cargo test --test it docs`",
        stale.join(", ")
    );
}

#[test]
fn rules_have_their_pages_and_no_others() {
    let folder = crate::common::root().join("docs/rules");
    let expected = with_examples(pages());
    compare(&folder, &expected);
    for path in crate::common::files(&folder, "md") {
        let name = path
            .file_name()
            .expect("a file")
            .to_string_lossy()
            .into_owned();
        if expected.contains_key(&name) {
            continue;
        }
        match std::env::var_os("UPDATE_DOCS") {
            Some(_) => fs::remove_file(&path).expect("a file to remove"),
            None => panic!("{name} has no rule; run `UPDATE_DOCS=1 cargo test --test it docs`"),
        }
    }
}

/// Returns the pages; those of rules contain the output for an example.
fn with_examples(pages: Vec<(String, String)>) -> BTreeMap<String, String> {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some((name, text)) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            let rule = RULES
                .iter()
                .find(|it| it.name == name.trim_end_matches(".md"));
            let text = match rule.map(|rule| (rule.name, example(rule))) {
                None => text.clone(),
                Some((name, None)) => panic!("no bad case of {name} shows its finding"),
                Some((_, Some(example))) => with_example(text, &example),
            };
            all.lock().unwrap().insert(name.clone(), text);
        }
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..threads.min(4) {
            scope.spawn(work);
        }
    });
    all.into_inner().unwrap()
}

/// Inserts the example before the paragraph on the origin of the rule.
fn with_example(page: &str, example: &str) -> String {
    let section = format!(
        "## What a2lint says\n```text\n{}\n```\n",
        example.trim_end()
    );
    match page.find("## Source\n") {
        Some(at) => format!("{}{section}\n{}", &page[..at], &page[at..]),
        None => format!("{page}\n{section}"),
    }
}

/// Returns the output for the smallest bad case of a rule that has the rule's severity.
fn example(rule: &Rule) -> Option<String> {
    let root = crate::common::root();
    let folders = CASES.iter().map(|cases| root.join(cases).join(rule.name));
    for folder in folders.filter(|folder| folder.is_dir()) {
        let mut cases: Vec<PathBuf> = crate::common::sources(&folder);
        cases.retain(|path| {
            path.file_name()
                .unwrap()
                .to_string_lossy()
                .starts_with("bad")
        });
        // Mistakes in helpers have longer output, and are the last choice.
        cases.sort_by_key(|path| {
            let is_helper = path.to_string_lossy().contains("helper");
            let length = fs::metadata(path).map_or(0, |it| it.len());
            (is_helper, length, path.clone())
        });
        let mut any = None;
        for (severity, text) in cases.iter().filter_map(|path| shown(path, rule.name)) {
            if severity == rule.severity {
                return Some(text);
            }
            any.get_or_insert(text);
        }
        if any.is_some() {
            return any;
        }
    }
    None
}

/// Returns the severity and output of a rule for a file.
fn shown(path: &Path, rule: &str) -> Option<(Severity, String)> {
    let text = crate::common::read(path);
    let language = crate::common::language(path);
    let mark = format!("{}~", language.line_comment());
    let is_pedantic = text.starts_with(&format!("{mark} pedantic"));
    // The expectations of the tests are removed from the example.
    let lines = text.lines().map(|line| match line.find(&mark) {
        Some(at) => line[..at].trim_end(),
        None => line,
    });
    let text: String = lines.flat_map(|line| [line, "\n"]).collect();
    let source = SourceText::new(text);
    let mut analysis = crate::common::analysis_of(&source, language, is_pedantic);
    analysis.findings.retain(|finding| finding.name == rule);
    analysis.findings.truncate(1);
    let severity = analysis.findings.first()?.severity;
    let below = path.strip_prefix(crate::common::root()).unwrap_or(path);
    let report = FileReport {
        path: below.to_string_lossy().replace('\\', "/"),
        source,
        analysis: analysis.into(),
    };
    let page = Page {
        paint: Paint::Plain,
        columns: Some(COLUMNS),
    };
    Some((severity, full::render(&[report], &Run::default(), page)))
}

/// Chapters of the book other than rules, in order.
const CHAPTERS: [&str; 29] = [
    "getting-started.md",
    "tutorial.md",
    "common-mistakes.md",
    "for-cuda-and-triton.md",
    "reading-findings.md",
    "editors.md",
    "report.md",
    "launches.md",
    "contracts.md",
    "proofs.md",
    "repairs.md",
    "simulator.md",
    "board.md",
    "test.md",
    "compare.md",
    "debug.md",
    "cost.md",
    "dialects.md",
    "ascendc.md",
    "python.md",
    "agents.md",
    "json.md",
    "configuration.md",
    "performance.md",
    "adding-a-rule.md",
    "long-tests.md",
    "glossary.md",
    "rules/README.md",
    "SUMMARY.md",
];

#[test]
fn the_contents_of_the_book_name_every_page() {
    let docs = crate::common::root().join("docs");
    let own = crate::common::files(&docs, "md");
    let own = own.iter().filter(|path| path.parent() == Some(&docs));
    let own: BTreeSet<_> = own.filter_map(|path| path.file_name()).collect();
    let known: BTreeSet<_> = CHAPTERS.iter().map(std::ffi::OsStr::new).collect();
    let intro = std::ffi::OsStr::new("README.md");
    let missing: Vec<_> = own
        .iter()
        .filter(|it| **it != intro && !known.contains(*it))
        .collect();
    assert!(missing.is_empty(), "{missing:?} are in no book");
    let title = |page: &str| {
        let text = crate::common::read(&docs.join(page));
        let line = text.lines().next().unwrap_or_default();
        line.trim_start_matches("# ").to_owned()
    };
    let mut text = "# Summary\n\n[a2lint](README.md)\n\n".to_owned();
    for page in CHAPTERS.iter().filter(|page| **page != "SUMMARY.md") {
        text += &format!("- [{}]({page})\n", title(page));
    }
    for group in Group::ALL {
        let rules: Vec<_> = RULES.iter().filter(|rule| rule.group() == group).collect();
        if !rules.is_empty() {
            text += &format!("  - [{}]()\n", group.title);
        }
        for rule in rules {
            text += &format!("    - [{0}](rules/{0}.md)\n", rule.name);
        }
    }
    compare(&docs, &BTreeMap::from([("SUMMARY.md".to_owned(), text)]));
}

#[test]
fn the_schema_is_that_of_the_binary() {
    let schema = ("a2lint.schema.json".to_owned(), config::schema());
    compare(
        &crate::common::root().join("docs"),
        &BTreeMap::from([schema]),
    );
}

#[test]
fn links_between_pages_lead_somewhere() {
    // The pages are being updated by another test.
    if std::env::var_os("UPDATE_DOCS").is_some() {
        return;
    }
    let root = crate::common::root();
    let docs = root.join("docs");
    let mut pages = crate::common::files(&docs, "md");
    pages.extend(["README.md", "editors/README.md", "ARCHITECTURE.md"].map(|it| root.join(it)));
    for page in pages {
        let text = crate::common::read(&page);
        for link in links(&text) {
            let (target, anchor) = link.split_once('#').unwrap_or((link, ""));
            let path = match target.is_empty() {
                true => page.clone(),
                false => page.parent().expect("a folder").join(target),
            };
            let from = page.display();
            assert!(path.exists(), "{from}: {link} leads nowhere");
            let is_inside = path
                .canonicalize()
                .is_ok_and(|path| path.starts_with(&docs));
            assert!(
                is_inside || !page.starts_with(&docs),
                "{from}: {link} leaves the book"
            );
            if !anchor.is_empty() {
                let anchors = anchors(&crate::common::read(&path));
                assert!(anchors.contains(anchor), "{from}: no heading of {link}");
            }
        }
    }
}

/// Returns the links of a page to other places of the repository.
fn links(text: &str) -> impl Iterator<Item = &str> {
    let links = text.split("](").skip(1);
    let links = links.filter_map(|rest| rest.split(')').next());
    links.filter(|link| !link.is_empty() && !link.contains("://"))
}

/// Returns the anchors of the headings of a page.
fn anchors(text: &str) -> BTreeSet<String> {
    let headings = text.lines().filter(|line| line.starts_with('#'));
    let kept = |c: &char| c.is_alphanumeric() || [' ', '-', '_'].contains(c);
    headings
        .map(|line| line.trim_start_matches('#').trim().to_lowercase())
        .map(|heading| heading.chars().filter(kept).collect::<String>())
        .map(|heading| heading.replace(' ', "-"))
        .collect()
}
