//! Helpers of the test programs: files of the repository, and checks of texts.

#![allow(dead_code, reason = "each harness takes its part")]

pub mod larger;

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use a2lint::check::{Analysis, Settings, check};
use a2lint::language::Language;
use a2lint::text::SourceText;
use serde_json::Value;
use tempfile::TempDir;

/// Returns a command of the binary. The cache is off, so that nothing is written to the folders under test.
pub fn binary() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_a2lint"));
    command.env("A2LINT_NO_CACHE", "1");
    command
}

/// Returns the JSON of `a2lint cost` for each launch of a file.
pub fn costs(path: &Path) -> Vec<Value> {
    let output = binary().args(["cost", "--json"]).arg(path).output();
    let output = output.expect("the binary runs").stdout;
    let mut report: Value = serde_json::from_slice(&output).expect("one JSON object");
    match report["costs"].take() {
        Value::Array(costs) => costs,
        other => panic!("{}: {other}", path.display()),
    }
}

/// Returns the JSON of `a2lint cost` for each launch of a text.
pub fn costs_of_text(text: &str) -> Vec<Value> {
    let folder = project(&[("kernel.py", text)]);
    costs(&folder.path().join("kernel.py"))
}

/// Creates a folder with these files, given by their paths in it.
pub fn project(files: &[(&str, impl AsRef<[u8]>)]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary directory");
    for (path, bytes) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().expect("a parent")).expect("directories");
        fs::write(path, bytes).expect("a file");
    }
    folder
}

/// Returns the path of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the files with an extension below a folder, sorted by path.
pub fn files(folder: &Path, extension: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder is part of the repository") {
        let path = entry.expect("a readable entry").path();
        match path.is_dir() {
            true => found.extend(files(&path, extension)),
            false if path.extension().is_some_and(|has| has == extension) => found.push(path),
            false => {}
        }
    }
    found.sort();
    found
}

/// Returns the Rust files of all crates, each with its path below the `src` of its crate: `ir/print.rs`,
/// `a2lint/cli/mod.rs`.
pub fn library() -> Vec<(String, PathBuf)> {
    let below = |folder: &Path, name: &str| -> Vec<(String, PathBuf)> {
        let named = |path: PathBuf| {
            let below = path.strip_prefix(folder).expect("it is inside");
            (format!("{name}/{}", below.display()), path)
        };
        files(folder, "rs").into_iter().map(named).collect()
    };
    let mut found = below(&root().join("src"), "a2lint");
    for entry in std::fs::read_dir(root().join("crates")).expect("crates") {
        let entry = entry.expect("a crate");
        let name = entry.file_name().to_string_lossy().into_owned();
        found.extend(below(&entry.path().join("src"), &name));
    }
    found.sort();
    found
}

/// Whether a file of the library contains tests only.
pub fn is_test(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str() == "tests") || path.ends_with("tests.rs")
}

/// Returns the kernels of all test cases.
pub fn cases() -> Vec<PathBuf> {
    let tests = root().join("tests");
    let folders = ["rules", "kernels", "sanitizer_cases", "sync"];
    let folders = folders.iter().map(|folder| tests.join(folder));
    folders.flat_map(|folder| files(&folder, "py")).collect()
}

/// Returns the text of a file of the repository.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("files of the repository are UTF-8")
}

/// Returns the sources of any language below a folder, sorted by path.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Language::ALL
        .iter()
        .flat_map(|language| language.extensions())
        .flat_map(|extension| files(folder, extension))
        .collect();
    found.sort();
    found
}

/// Returns the language of a source of the repository.
pub fn language(path: &Path) -> Language {
    Language::of_path(path).expect("an extension of ours")
}

/// Checks a kernel of the DSL, with pedantic rules or without.
pub fn analysis(source: &SourceText, pedantic: bool) -> Analysis {
    analysis_of(source, Language::Easyasc, pedantic)
}

/// Checks a kernel file of the repository with the default settings. Replays take long, so results are shared between
/// tests.
pub fn checked(text: &str) -> Arc<Analysis> {
    type Once = Arc<OnceLock<Arc<Analysis>>>;
    static KNOWN: OnceLock<Mutex<HashMap<String, Once>>> = OnceLock::new();
    let known = KNOWN.get_or_init(Mutex::default);
    let once = {
        let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
        known.entry(text.to_owned()).or_default().clone()
    };
    let check = || {
        check(
            &SourceText::new(text),
            Language::Easyasc,
            &Settings::default(),
        )
    };
    once.get_or_init(|| Arc::new(check())).clone()
}

/// Returns a kernel file without its launches; every statement of a kernel keeps its place.
pub fn without_launches(text: &str) -> String {
    let kernels = text.split("if __name__").next().unwrap_or_default();
    let blanked = kernels
        .lines()
        .map(|line| match line.contains("a2lint: launch(") {
            true => "\n".to_owned(),
            false => format!("{line}\n"),
        });
    blanked.collect()
}

/// Checks a text in any language, with pedantic rules or without.
pub fn analysis_of(source: &SourceText, language: Language, pedantic: bool) -> Analysis {
    let settings = Settings {
        pedantic,
        ..Settings::default()
    };
    check(source, language, &settings)
}

/// A fixed pseudo-random sequence, the same on every machine.
pub struct Random(pub u64);

impl Random {
    pub fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}
