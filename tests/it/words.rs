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
