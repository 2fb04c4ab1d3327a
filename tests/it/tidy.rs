//! Style that the compiler does not enforce.

use crate::common::{files, read, root};
use a2lint::isa::INSTRUCTIONS;

/// Instruction names that are also everyday words of the code or of Python, so that their
/// appearance in quotes says nothing.
const EVERYDAY: &[&str] = &[
    "abs", "exp", "set", "wait", "free", "lock", "ready", "select", "cast", "add", "sub", "mul",
    "div", "compare", "sqrt",
];

/// The code of a file: without comments, docs and the tests at its end.
fn code(text: &str) -> String {
    text.split("#[cfg(test)]")
        .next()
        .unwrap_or("")
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn instruction_names_stand_in_the_table_alone() {
    let root = root().join("src");
    for path in files(&root, "rs") {
        let inside_isa = path.starts_with(root.join("isa"));
        let is_test = path.components().any(|part| part.as_os_str() == "tests")
            || path.file_name().is_some_and(|name| name == "tests.rs");
        if inside_isa || is_test {
            continue;
        }
        let text = code(&read(&path));
        for row in INSTRUCTIONS
            .iter()
            .filter(|row| !EVERYDAY.contains(&row.name))
        {
            let quoted = format!("\"{}\"", row.name);
            assert!(!text.contains(&quoted), "{} names {quoted}", path.display());
        }
    }
}

#[test]
fn lines_fit_a_screen() {
    let root = root().join("src");
    for path in files(&root, "rs") {
        // Tables of one row per line.
        if path.ends_with("isa/table.rs") || path.ends_with("isa/a5.rs") {
            continue;
        }
        let text = read(&path);
        for (at, line) in text.lines().enumerate() {
            let width = line.chars().count();
            assert!(
                width <= 120,
                "{}:{}: {width} columns",
                path.display(),
                at + 1
            );
        }
    }
}

/// What the binary promises not to do cannot be told from outside; these are the ways to do it.
#[test]
fn no_code_starts_processes_opens_sockets_or_loads_libraries() {
    const WAYS: &[&str] = &[
        "process::Command",
        "process::Child",
        "std::net",
        "tokio::net",
        "tokio::process",
        "TcpStream",
        "TcpListener",
        "UdpSocket",
        "UnixStream",
        "UnixListener",
        "libloading",
    ];
    for path in files(&root().join("src"), "rs") {
        let text = code(&read(&path));
        for way in WAYS {
            assert!(!text.contains(way), "{} has {way}", path.display());
        }
    }
    let manifest = read(&root().join("Cargo.toml"));
    let tokio = manifest.lines().find(|line| line.starts_with("tokio = "));
    let tokio = tokio.expect("tokio is a dependency");
    for feature in ["\"full\"", "\"net\"", "\"process\"", "\"fs\""] {
        assert!(!tokio.contains(feature), "{tokio}");
    }
}
