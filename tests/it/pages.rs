//! Commands on the pages of the documentation print what the pages say.
//!
//! A block whose first line begins with `$ ` holds commands and their output. They run in the root of the repository,
//! or, on a page that writes files, in a folder with these files. A comment on the line above a block gives its kind:
//!
//! | comment | the block |
//! |---|---|
//! | `<!-- file: NAME -->` | is the text of a file |
//! | `<!-- edit: NAME -->` | is a diff that changes this file |
//! | `<!-- hover: NAME: TEXT -->` | is what an editor shows on the first TEXT of this file |
//! | `<!-- repair: PATH -->` | is a diff after which this file of the repository is clean |
//! | `<!-- picture -->` | is drawn with characters |
//!
//! `UPDATE_DOCS=1 cargo test --test it -- pages` writes outputs and hovers. Python is not run: `$ python3 make.py`
//! copies the arrays that it has made, from `tests/pages/PAGE`, into the folder.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Seek, Write};
use std::path::{Path, PathBuf};

use crate::common::{binary, project, root};

/// Pages on which every block without a language is run or has a comment that says what it is.
const WHOLLY_RUN: [&str; 3] = [
    "tutorial.md",
    "common-mistakes.md",
    "for-cuda-and-triton.md",
];
/// Options that write files; commands with them run on the files of a page alone.
const WRITING: [&str; 5] = ["--fix", "--unsafe-fixes", "-o", "--output", "--output-file"];

/// A fenced block of a page.
struct Block {
    /// Range of its lines, without the fences.
    lines: std::ops::Range<usize>,
    language: String,
    /// Comment on the line above, without its marks.
    says: Option<String>,
    text: String,
}

fn blocks(page: &str) -> Vec<Block> {
    let lines: Vec<&str> = page.lines().collect();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < lines.len() {
        let fence = lines[at].len() - lines[at].trim_start_matches('`').len();
        if fence >= 3 {
            let (fence, language) = lines[at].split_at(fence);
            let rest = &lines[at + 1..];
            let length = rest.iter().position(|line| *line == fence);
            let length = length.expect("a block ends");
            let above = at.checked_sub(1).map(|above| lines[above]);
            let says = above.and_then(|line| line.strip_prefix("<!-- ")?.strip_suffix(" -->"));
            found.push(Block {
                lines: at + 1..at + 1 + length,
                language: language.to_owned(),
                says: says.map(str::to_owned),
                text: rest[..length]
                    .iter()
                    .flat_map(|line| [line, "\n"])
                    .collect(),
            });
            at += length + 1;
        }
        at += 1;
    }
    found
}

/// Applies a diff: the old lines of each hunk must occur exactly once in the text.
fn edited(text: &str, diff: &str) -> String {
    let mut text = text.to_owned();
    for hunk in diff.split("@@\n") {
        let side = |skipped: char| -> String {
            let lines = hunk.lines().filter(|line| !line.starts_with(skipped));
            lines
                .flat_map(|line| [line.get(1..).unwrap_or(""), "\n"])
                .collect()
        };
        let (old, new) = (side('+'), side('-'));
        assert_eq!(text.matches(&old).count(), 1, "once in the file:\n{old}");
        text = text.replacen(&old, &new, 1);
    }
    text
}

/// Replaces times such as `0.05 s`, which differ from run to run, and drops blanks at the ends of lines.
fn without_times(text: &str) -> String {
    let text: Vec<&str> = text.lines().map(str::trim_end).collect();
    let text = text.join("\n");
    let mut words: Vec<&str> = text.split(' ').collect();
    for at in 1..words.len() {
        let is_unit = words[at]
            .strip_prefix('s')
            .is_some_and(|rest| !rest.starts_with(char::is_alphanumeric));
        let number = words[at - 1].trim_start_matches(|c: char| !c.is_ascii_digit());
        if is_unit && number.contains('.') && number.parse::<f64>().is_ok() {
            words[at - 1] = "TIME";
        }
    }
    words.join(" ")
}

/// The folder in which the commands of a page run, and its arrays.
struct Place {
    folder: PathBuf,
    /// Arrays that scripts of the page have made.
    arrays: PathBuf,
    is_own: bool,
}

impl Place {
    fn read(&self, name: &str) -> String {
        crate::common::read(&self.folder.join(name))
    }

    /// Runs the commands of a block and returns them with their output. Lines at the prompt of the debugger are its
    /// standard input; the output of a line is what a session prints in addition to the session that ends before this
    /// line.
    fn run(&self, block: &str) -> String {
        let mut printed = String::new();
        let (mut command, mut input, mut known) = ("", String::new(), String::new());
        for line in block.lines() {
            if line.starts_with("$ ") {
                (command, input) = (line, String::new());
                known = self.output(command, "");
                printed += &format!("{line}\n{known}");
            } else if let Some(request) = line.strip_prefix("(a2lint) ") {
                input += &format!("{request}\n");
                let output = self.output(command, &input);
                let more = output.strip_prefix(known.as_str());
                printed += &format!("{line}\n{}", more.expect("a longer session"));
                known = output;
            }
        }
        printed
    }

    fn output(&self, line: &str, input: &str) -> String {
        let mut words = line.split_whitespace().skip(1);
        match words.next() {
            Some("python3") => {
                for entry in fs::read_dir(&self.arrays).expect("arrays of the page") {
                    let path = entry.expect("a file").path();
                    let name = path.file_name().expect("a name");
                    fs::copy(&path, self.folder.join(name)).expect("a copy");
                }
                String::new()
            }
            Some("a2lint") => {
                let words: Vec<&str> = words.collect();
                let writes = words.iter().any(|word| WRITING.contains(word));
                let is_shown = self.is_own || words.contains(&"--diff");
                assert!(is_shown || !writes, "{line} writes to the repository");
                let mut stdin = tempfile::tempfile().expect("a file");
                stdin.write_all(input.as_bytes()).expect("it is written");
                stdin.rewind().expect("it is read from its start");
                let mut command = binary();
                command.current_dir(&self.folder).args(words).stdin(stdin);
                let output = command.output().expect("the binary runs");
                let both = [output.stdout, output.stderr].concat();
                String::from_utf8(both).expect("UTF-8")
            }
            _ => panic!("{line}: a command of a2lint is expected"),
        }
    }

    /// Returns what an editor shows on the first occurrence of a text in a file.
    fn hover(&self, name: &str, needle: &str) -> String {
        let text = self.read(name);
        crate::lsp::hover_text(&format!("file:///folder/{name}"), &text, needle)
    }

    /// Asserts that a file is clean once a diff is applied.
    fn check_repair(&self, name: &str, diff: &str) {
        let extension = Path::new(name).extension().expect("a kernel");
        let repaired = format!("kernel.{}", extension.display());
        let folder = project(&[(&repaired, edited(&self.read(name), diff))]);
        let mut command = binary();
        command.current_dir(folder.path());
        command.args(["check", "--output-format", "json", &repaired]);
        let output = command.output().expect("the binary runs").stdout;
        let report: serde_json::Value = serde_json::from_slice(&output).expect("JSON");
        let findings = report["findings"].as_array().expect("findings");
        assert!(findings.is_empty(), "{name}, repaired: {findings:?}");
        let summary = &report["summary"];
        assert_eq!(summary["clean"], true, "{name}, repaired: {summary}");
    }
}

/// Returns a page with the outputs of its commands.
fn written(path: &Path) -> String {
    let page = crate::common::read(path);
    let blocks = blocks(&page);
    let says = |block: &Block, what: &str| -> Option<String> {
        let says = block.says.as_ref()?.strip_prefix(what)?;
        Some(says.trim().to_owned())
    };
    let own = blocks
        .iter()
        .any(|block| says(block, "file:").is_some())
        .then(|| tempfile::tempdir().expect("a folder"));
    let stem = path.file_stem().expect("a page");
    let place = Place {
        folder: own.as_ref().map_or(root(), |own| own.path()).to_owned(),
        arrays: root().join("tests/pages").join(stem),
        is_own: own.is_some(),
    };
    let is_wholly_run = WHOLLY_RUN.iter().any(|name| path.ends_with(name));
    let mut lines: Vec<String> = page.lines().map(str::to_owned).collect();
    let mut shown = Vec::new();
    for block in &blocks {
        if let Some(name) = says(block, "file:") {
            fs::write(place.folder.join(name), &block.text).expect("a file");
        } else if let Some(name) = says(block, "edit:") {
            let text = edited(&place.read(&name), &block.text);
            fs::write(place.folder.join(name), text).expect("a file");
        } else if let Some(name) = says(block, "repair:") {
            place.check_repair(&name, &block.text);
        } else if let Some((name, needle)) = says(block, "hover:")
            .as_deref()
            .and_then(|it| it.split_once(": "))
        {
            shown.push((block.lines.clone(), place.hover(name, needle)));
        } else if block.text.starts_with("$ ") {
            shown.push((block.lines.clone(), place.run(&block.text)));
        } else {
            let is_code = !["", "text", "console"].contains(&block.language.as_str());
            let is_known = is_code || says(block, "picture").is_some();
            let first = block.text.lines().next().unwrap_or_default();
            assert!(
                is_known || !is_wholly_run,
                "{}: no test runs `{first}`",
                path.display()
            );
        }
    }
    for (range, text) in shown.into_iter().rev() {
        let old = lines[range.clone()].join("\n");
        if without_times(&old) != without_times(text.trim_end()) {
            let text = text.trim_end().lines();
            lines.splice(range, text.map(|line| line.trim_end().to_owned()));
        }
    }
    lines.join("\n") + "\n"
}

#[test]
fn commands_print_what_the_pages_say() {
    let docs = root().join("docs");
    let mut outputs = BTreeMap::new();
    for entry in fs::read_dir(&docs).expect("pages") {
        let path = entry.expect("a page").path();
        if path.extension().is_some_and(|it| it == "md") {
            let name = path
                .file_name()
                .expect("a name")
                .to_string_lossy()
                .into_owned();
            outputs.insert(name, written(&path));
        }
    }
    crate::docs::compare(&docs, &outputs);
    let readme = root().join("README.md");
    crate::docs::compare(
        root(),
        &BTreeMap::from([("README.md".to_owned(), written(&readme))]),
    );
}

#[test]
fn a_diff_is_applied_where_its_lines_stand() {
    let text = "a\nb\nc\nd\n";
    assert_eq!(edited(text, " a\n-b\n+x\n+y\n@@\n-d\n"), "a\nx\ny\nc\n");
    assert_eq!(without_times("of it (0.05 s) \n"), "of it TIME s)");
    assert_eq!(
        without_times("8.3 µs, 2 s, 1.5 sums"),
        "8.3 µs, 2 s, 1.5 sums"
    );
}
