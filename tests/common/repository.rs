//! The repository's files, and checking a text of them, for tests of any crate that uses the check.

#![allow(dead_code, reason = "each harness takes its part")]

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use a2lint_lint::check::{Analysis, Settings, check};
use a2lint_source::language::Language;
use a2lint_source::text::SourceText;

/// Returns the root of the repository. Tests of a crate in `crates` have their own manifest two folders below it.
pub fn root() -> &'static Path {
    let mut folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let workspace = folders.find(|folder| folder.join("Cargo.lock").is_file());
    workspace.expect("a workspace has a lock file")
}

/// The files below a folder with this extension, in order of their paths.
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

/// Kernels of all cases: everything there is to find.
pub fn cases() -> Vec<PathBuf> {
    let tests = root().join("tests");
    let folders = ["rules", "kernels", "sanitizer_cases", "sync"];
    let folders = folders.iter().map(|folder| tests.join(folder));
    folders.flat_map(|folder| files(&folder, "py")).collect()
}

/// The text of a file of the repository.
pub fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("files of the repository are UTF-8")
}

/// The sources of any language below a folder, in order of their paths.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = Language::ALL
        .iter()
        .flat_map(|language| language.extensions())
        .flat_map(|extension| files(folder, extension))
        .collect();
    found.sort();
    found
}

/// The language of a source of the repository.
pub fn language(path: &Path) -> Language {
    Language::of_path(path).expect("an extension of ours")
}

/// Checks a kernel of the DSL, with pedantic rules or without.
pub fn analysis(source: &SourceText, pedantic: bool) -> Analysis {
    analysis_of(source, Language::Easyasc, pedantic)
}

/// Returns the check of a kernel file of the repository under the default settings. With replays it takes a while, so
/// it is done once for each text and shared by all tests.
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

/// A kernel file without its launches, every statement of a kernel where it was.
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
