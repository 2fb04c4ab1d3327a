//! The language of the product: words that were hard to understand must not return in any text that people read.

use std::path::Path;

/// Words that are not used, and their replacements.
const GONE: [(&str, &str); 23] = [
    (
        "read it before you keep it",
        "unsafe: apply with `--unsafe-fixes`",
    ),
    ("to be read before it is kept", "an unsafe fix"),
    (
        "all fall on one",
        "each repeat writes the same 32-byte block eight times",
    ),
    ("come out even", "is set more often than it is waited for"),
    ("that nobody takes", "never acquired"),
    ("stays what it was", "is not updated"),
    ("as arguments of the operator", "in the generated operator"),
    (
        "element type is a DT",
        "expected an element type such as DT.float",
    ),
    ("walks contiguous", "processes consecutive elements"),
    ("bytes of a half", "per buffer"),
    (
        "nobody's namesake",
        "extents of 1 are never matched by value",
    ),
    ("beside it\"", "outside the tensor"),
    (" beside it, ", "plus elements outside the tensor"),
    (
        "on the pipe of its argument",
        "on the pipe named by its argument",
    ),
    ("give it as ", "the option or the comment to write"),
    (
        "no kernel executes an instruction",
        "line 3 is outside every kernel",
    ),
    ("never executed on the lane", "where the statement runs"),
    ("was seen on the machine", "confirmed by simulation"),
    ("trip count", "iterations"),
    ("lie over each other", "overlap"),
    ("the last watched statement behind", "after"),
    ("stopped behind", "stopped after"),
    ("answers for NaN", "gives the same answer for NaN"),
];

/// Returns the texts of the product: string literals of the library, documentation, pages of the editors.
fn texts() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for (folder, extensions) in [
        ("src", &["rs"][..]),
        ("crates", &["rs", "js"]),
        ("docs", &["md"]),
        ("editors", &["md", "txt", "json", "ts", "lua"]),
    ] {
        collect(&root.join(folder), extensions, &mut found);
    }
    let readme = std::fs::read_to_string(root.join("README.md")).expect("a README");
    found.push(("README.md".to_owned(), readme));
    found
}

fn collect(folder: &Path, extensions: &[&str], found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        let name = entry.file_name();
        if path.is_dir() && name != "node_modules" && name != "dist" {
            collect(&path, extensions, found);
        } else if path
            .extension()
            .is_some_and(|it| extensions.iter().any(|known| it == *known))
        {
            let text = std::fs::read_to_string(&path).expect("UTF-8");
            found.push((path.display().to_string(), text));
        }
    }
}

/// Whether a line is read by users: documentation of rules is, comments of code are not.
fn is_read(path: &str, line: &str) -> bool {
    let line = line.trim_start();
    !path.ends_with(".rs")
        || !line.starts_with("//")
        || path.contains("/rules/src/") && line.starts_with("///")
}

#[test]
fn words_that_went_do_not_come_back() {
    let texts = texts();
    assert!(texts.len() > 300, "{} texts", texts.len());
    let mut back = Vec::new();
    for (path, text) in &texts {
        for (number, line) in text
            .lines()
            .enumerate()
            .filter(|(_, line)| is_read(path, line))
        {
            for (gone, better) in GONE.iter().filter(|(gone, _)| line.contains(gone)) {
                back.push(format!("{path}:{}: `{gone}`; say `{better}`", number + 1));
            }
        }
    }
    assert!(back.is_empty(), "{}", back.join("\n"));
}

#[test]
fn every_entry_would_be_found() {
    for (gone, _) in GONE {
        let line = format!("    let message = \"it is said that {gone}\";");
        assert!(is_read("/rules/src/x.rs", &line) && line.contains(gone));
    }
    assert!(!is_read("/machine/src/x.rs", "// a trip count"));
    assert!(is_read("/rules/src/x.rs", "    /// a trip count"));
}

/// Phrases that comments of the library must not use, with their replacements. Readers who are new to the project did
/// not understand them.
const GONE_FROM_COMMENTS: [(&str, &str); 15] = [
    (" nobody ", "name who or what does not"),
    (" somebody ", "name who or what does"),
    ("construct at hand", "current"),
    ("stands behind", "the evidence, or the source, of"),
    ("the name is none", "returns `None` for other names"),
    ("is gone back to", "restored"),
    ("gone back to", "restored"),
    ("tells less", "is less exact"),
    ("is given memory", "is initialised"),
    ("What became of", "the result of"),
    ("/// Most bytes", "maximum number of bytes"),
    ("no such one", "none"),
    ("/// As it is written", "its text in the source"),
    ("/// Where it is written", "its place in the source"),
    ("/// Where it is declared", "the place of its declaration"),
];

/// Words with which documentation of a function must not begin: it starts with a verb.
const NO_VERBS: [&str; 7] = ["The", "A", "An", "Whether", "What", "How", "Where"];

/// Returns the lines of the library before its unit tests, with their places.
fn library_lines() -> Vec<(String, String)> {
    let texts = texts().into_iter();
    let rust = texts.filter(|(path, _)| path.ends_with(".rs") && !path.contains("/tests"));
    rust.flat_map(|(path, text)| {
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        let lines = code.lines().map(str::trim).enumerate();
        let placed = lines.map(|(at, line)| (format!("{path}:{}", at + 1), line.to_owned()));
        placed.collect::<Vec<_>>()
    })
    .collect()
}

#[test]
fn comments_use_plain_words() {
    let lines = library_lines();
    // Comments of arguments are descriptions for users, in which a word may be shorter.
    let is_for_users = |place: &str| place.contains("/src/cli/") || place.contains("/arguments.rs");
    let is_comment =
        |(place, line): &&(String, String)| line.starts_with("//") && !is_for_users(place);
    let comments = lines.iter().filter(is_comment);
    let mut back = Vec::new();
    for (place, line) in comments {
        for (gone, better) in GONE_FROM_COMMENTS
            .iter()
            .filter(|(gone, _)| line.contains(gone))
        {
            back.push(format!("{place}: `{gone}`; say `{better}`"));
        }
    }
    assert!(lines.len() > 100_000, "{} lines", lines.len());
    assert!(back.is_empty(), "{}", back.join("\n"));
}

#[test]
fn documentation_of_functions_begins_with_a_verb() {
    let lines = library_lines();
    let is_function = |line: &str| {
        let words = line.split_whitespace();
        let mut words = words.skip_while(|word| {
            word.starts_with("pub")
                || matches!(*word, "const" | "async" | "in" | "super)" | "crate)")
        });
        words.next() == Some("fn")
    };
    let (mut first, mut nouns, mut functions) = (None, Vec::new(), 0);
    for (place, line) in &lines {
        match line.strip_prefix("///") {
            Some(text) => first = first.or(Some((place, text))),
            None if line.starts_with("#[") => {}
            None => {
                if let Some((place, text)) = first.take().filter(|_| is_function(line)) {
                    functions += 1;
                    let word = text.split_whitespace().next().unwrap_or_default();
                    if NO_VERBS.contains(&word) {
                        nouns.push(format!("{place}:{text}"));
                    }
                }
            }
        }
    }
    assert!(
        functions > 5_000,
        "{functions} functions have documentation"
    );
    // Some exceptions are deliberate, such as documentation that names the instruction which a function executes.
    assert!(
        nouns.len() <= 40,
        "{} begin with no verb:\n{}",
        nouns.len(),
        nouns.join("\n")
    );
}
