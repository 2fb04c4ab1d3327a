//! Rules of style that the compiler does not check.

use std::collections::BTreeMap;

use crate::common::{files, is_test, library, read, root};
use a2lint::isa::{Dialect, INSTRUCTIONS};

/// Instruction names that are also common words of the code or of Python, so that quoting them says nothing.
const EVERYDAY: &[&str] = &[
    "abs", "exp", "set", "wait", "free", "lock", "ready", "select", "cast", "add", "sub", "mul",
    "div", "compare", "sqrt", "relu",
];

/// Returns the code of a file without comments, documentation and the tests at its end.
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
    for (name, path) in library() {
        // Functions of torch and NumPy have some of these names.
        let is_of_tensors = name.starts_with("frontend/dsl/tensors");
        if name.starts_with("isa/") || is_test(&path) || is_of_tensors {
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

/// Code that may name opcodes, because it generates, executes or verifies instructions.
const NAMES_OPCODES: &[&str] = &[
    "ascendc/",
    "costs/change",
    "frontend/dsl",
    "ir/build/infer.rs",
    "machine/cube.rs",
    "machine/fixpipe.rs",
    "machine/resolve.rs",
    "machine/vector",
    "prove/initialised",
];

/// Returns the code outside of the instruction table and of tests, as name and text.
fn code_that_reads_the_table() -> impl Iterator<Item = (String, String)> {
    let files = library().into_iter();
    let files = files.filter(|(name, path)| !is_test(path) && !name.starts_with("isa/"));
    files.map(|(name, path)| (name, code(&read(&path))))
}

/// Other code may name an opcode to recommend it or to query its row. The behaviour of an instruction in a program is
/// read from its row.
#[test]
fn instructions_are_told_by_what_they_do() {
    for (path, text) in code_that_reads_the_table() {
        if NAMES_OPCODES.iter().any(|it| path.starts_with(it)) {
            continue;
        }
        for (at, _) in text.match_indices("Opcode::") {
            let (before, after) = (&text[..at], &text[at + "Opcode::".len()..]);
            let name = after.split(|it: char| !it.is_alphanumeric()).next();
            let name = name.unwrap_or_default();
            if !name.starts_with(char::is_uppercase) {
                continue;
            }
            let recommends = after[name.len()..].starts_with(".row()");
            let asks = before.ends_with("accepts(") || before.ends_with("name_of(");
            assert!(recommends || asks, "{path} asks for {name} by its name");
        }
    }
}

#[test]
fn opcodes_are_named_where_the_list_says() {
    for place in NAMES_OPCODES {
        let mut code = code_that_reads_the_table();
        let names =
            |(path, text): (String, String)| path.starts_with(place) && text.contains("Opcode::");
        assert!(code.any(names), "{place} names no opcode");
    }
}

/// Code that may distinguish dialects: it reads their sources, or spells instructions.
const TELLS_DIALECTS: &[&str] = &["ascendc/", "frontend/", "isa/dialects/"];

/// `Program::toolchain` describes a toolchain, so a new front end adds a value there, and no conditions elsewhere.
#[test]
fn dialects_are_told_apart_by_front_ends_alone() {
    let variants = Dialect::ALL
        .iter()
        .map(|dialect| format!("Dialect::{dialect:?}"));
    let comparisons = ["dialect == ", "dialect != ", "dialect {", "dialect() {"];
    let ways: Vec<String> = variants.chain(comparisons.map(str::to_owned)).collect();
    for (name, path) in library() {
        if is_test(&path) || TELLS_DIALECTS.iter().any(|it| name.starts_with(it)) {
            continue;
        }
        let text = code(&read(&path));
        for way in &ways {
            assert!(!text.contains(way), "{name} tells dialects apart: `{way}`");
        }
    }
}

/// Ways to access an argument or operand by its index. Literal indices are reserved for the table; other code uses
/// `DST`, `SRC` and `param!`.
const BY_INDEX: &[&str] = &[
    ".local(",
    ".view(",
    ".pipe_at(",
    ".param(",
    "instr.args[",
    "instr.args.get(",
];

/// Such ways in the simulator.
const BY_INDEX_IN_THE_MACHINE: &[&str] = &[
    ".argument(",
    ".bits(",
    ".cell(",
    ".count_or(",
    ".extent_or(",
    ".flag(",
    ".float(",
    ".int(",
    ".int_or(",
    ".integer(",
    ".operand(",
    ".optional(",
    ".optional_tile(",
    ".pipe(",
    ".regular(",
    ".scalar(",
    ".sweep(",
    ".tensor(",
    ".tile(",
    ".window(",
    ".written(",
];

#[test]
fn arguments_are_read_by_name() {
    // Arguments of C++ calls have positions, not the names of a row.
    let reads_rows = |(path, _): &(String, String)| !path.starts_with("ascendc/");
    for (path, text) in code_that_reads_the_table().filter(reads_rows) {
        let resolves = path.starts_with("machine/resolve") || path.starts_with("machine/vector/");
        let of_machine = BY_INDEX_IN_THE_MACHINE.iter().filter(|_| resolves);
        for way in BY_INDEX.iter().chain(of_machine) {
            for (at, _) in text.match_indices(way) {
                let argument = &text[at + way.len()..];
                let is_number = argument.starts_with(|it: char| it.is_ascii_digit());
                assert!(
                    !is_number,
                    "{path} reads an argument by number: {way}{:.1}…",
                    argument
                );
            }
        }
        assert!(
            !text.contains("instr.args.first()"),
            "{path} reads an argument by number"
        );
    }
}

#[test]
fn lines_fit_a_screen() {
    for (_, path) in library() {
        // Tables with one row per line.
        if path.ends_with("isa/src/table.rs") || path.ends_with("isa/src/a5.rs") {
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

/// All reads and writes of files are in `disk`, which requires the caller to say who named the file. Functions that
/// do not read contents (`metadata`, `read_dir`) are allowed everywhere.
#[test]
fn no_code_but_one_room_opens_files() {
    const WAYS: &[&str] = &[
        "File::open",
        "File::create",
        "File::options",
        "OpenOptions",
        "fs::read(",
        "fs::read_to_string",
        "fs::write",
        "fs::copy",
        "fs::rename",
        "fs::hard_link",
        "fs::create_dir",
        "fs::remove_",
        "fs::set_permissions",
        "fs::symlink(",
        "DirBuilder",
        "tempfile::",
        "persist(",
        "Gitignore::new(",
        "add_ignore(",
    ];
    for (name, path) in library() {
        if name.starts_with("source/disk/") || is_test(&path) {
            continue;
        }
        let text = code(&read(&path));
        for way in WAYS {
            assert!(!text.contains(way), "{} has {way}", path.display());
        }
    }
}

/// Text of a file is converted to Markdown in one module only; elsewhere it could end a fence or a code span.
#[test]
fn markdown_of_the_language_server_is_made_in_one_place() {
    for path in files(&root().join("crates/lsp/src"), "rs") {
        if path.ends_with("lsp/src/markdown.rs") {
            continue;
        }
        let text = read(&path);
        let (text, _) = text.split_once("#[cfg(test)]").unwrap_or((&text, ""));
        for line in text
            .lines()
            .filter(|line| !line.trim_start().starts_with("//"))
        {
            assert!(!line.contains("```"), "{}: a fence: {line}", path.display());
        }
        // These files build Markdown answers.
        if path.to_string_lossy().contains("requests/hover") {
            for line in text
                .lines()
                .filter(|line| !line.trim_start().starts_with("//"))
            {
                let spans = line.contains("`{") || line.contains("}`");
                assert!(!spans, "{}: a code span: {line}", path.display());
            }
        }
    }
}

/// The bindings of the Python package share no memory with the interpreter.
#[test]
fn the_python_package_has_no_unsafe() {
    for path in files(&root().join("python/src"), "rs") {
        let text = code(&read(&path));
        assert!(!text.contains("unsafe"), "{}", path.display());
    }
}

/// The binary's promises cannot be tested from outside. This test searches for the functions that would break them.
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
    for (_, path) in library() {
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

/// The fuzzer is a separate workspace that no other build covers, so its lock file must have the same dependencies.
#[test]
fn the_lock_file_of_the_fuzzer_is_up_to_date() {
    let dependencies = |lock: &str| -> BTreeMap<String, Vec<String>> {
        let lock: toml::Table = read(&root().join(lock)).parse().expect("TOML");
        let packages = lock["package"].as_array().expect("packages");
        let ours = packages.iter().filter_map(|package| {
            let name = package["name"]
                .as_str()
                .filter(|it| it.starts_with("a2lint"))?;
            let known = package.get("dependencies")?.as_array()?;
            let known = known.iter().filter_map(|it| it.as_str());
            // Cargo appends the version to the name if two packages share it.
            let known = known.filter_map(|it| it.split(' ').next());
            Some((name.to_owned(), known.map(str::to_owned).collect()))
        });
        ours.collect()
    };
    let (own, fuzz) = (dependencies("Cargo.lock"), dependencies("fuzz/Cargo.lock"));
    let mut compared = 0;
    for (name, known) in fuzz.iter().filter(|(name, _)| *name != "a2lint-fuzz") {
        let lacking = own[name].iter().filter(|it| !known.contains(it));
        let lacking: Vec<_> = lacking.filter(|it| !is_for_tests(name, it)).collect();
        assert!(
            lacking.is_empty(),
            "fuzz/Cargo.lock: {name} lacks {lacking:?}"
        );
        compared += 1;
    }
    assert!(compared > 10, "{compared} packages");
}

/// Whether a crate needs another one for its tests only; lock files of other workspaces do not list such
/// dependencies.
fn is_for_tests(name: &str, dependency: &str) -> bool {
    let folder = match name.strip_prefix("a2lint-") {
        Some(name) => root().join("crates").join(name),
        None => root().to_owned(),
    };
    let manifest = read(&folder.join("Cargo.toml"));
    let (normal, _) = manifest
        .split_once("[dev-dependencies]")
        .unwrap_or((&manifest, ""));
    !normal
        .lines()
        .any(|line| line.starts_with(&format!("{dependency}.")))
}
