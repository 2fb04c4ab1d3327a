//! What tests of the command line share: the binary, projects, the library's files.

#![allow(dead_code, reason = "each harness takes its part")]

pub mod larger;
pub mod pairs;
mod repository;
mod work;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

pub use repository::*;
pub use work::{processor_time, within};

/// The binary. It keeps no results in the folders that tests are about.
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

/// The Rust files of all crates, each with its path below the `src` of its crate: `ir/print.rs`, `a2lint/cli/mod.rs`.
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
