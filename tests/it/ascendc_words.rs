//! Findings in AscendC kernels: their words are those of C++, sound kernels have none, broken ones have the one that
//! is meant.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::pairs::{self, Pair};
use crate::common::{binary, files, project, read, root};

const FOLDER: &str = "tests/ascendc";

/// Words of the Python dialects.
const FOREIGN: &[&str] = &[
    "dup(",
    "<<=",
    "auto_sync",
    "ub_to_gm",
    "gm_to_ub",
    "bar_v",
    "bar_m",
    "bar_all",
    "setflag(",
    "SEvent",
    "DT.",
    "preset=",
    "the event `",
];

/// Broken kernels of `pairs` whose finding is not there yet, with the reason.
const MISSED: &[(&str, &str)] = &[
    (
        "tests/ascendc/pairs/bridge_last_tile_on_one_side_bad.cpp",
        "contents of `lengths` decide how often lanes wait for each other, and no launch gives them",
    ),
    (
        "tests/ascendc/pairs/index_from_data_bad.cpp",
        "contents of `pick` decide which row is loaded, and no launch gives them",
    ),
];

/// Sound kernels with a finding, with the reason.
const ALARMED: &[(&str, &str)] = &[];

/// The kernels of the repository, with both halves of each pair as a file.
fn folder() -> TempDir {
    let name_and_text = |path: PathBuf| {
        let name = path.strip_prefix(root()).expect("it is inside");
        (name.to_string_lossy().replace('\\', "/"), read(&path))
    };
    let all = ["cpp", "h", "json", "txt"].map(|end| files(&root().join(FOLDER), end));
    let all = all.concat().into_iter().map(name_and_text);
    let mut all: Vec<(String, String)> = all.collect();
    all.retain(|(name, _)| !name.starts_with(pairs::FOLDER));
    for pair in pairs::pairs() {
        let names = ["good", "bad"].map(|which| half(&pair, which));
        all.extend(names.into_iter().zip([pair.good, pair.bad]));
    }
    let all: Vec<(&str, &str)> = all.iter().map(|it| (&*it.0, &*it.1)).collect();
    project(&all)
}

/// The path of a half of a pair.
fn half(pair: &Pair, which: &str) -> String {
    format!("{}/{}_{which}.cpp", pairs::FOLDER, pair.name)
}

fn checked(folder: &TempDir, arguments: &[&str]) -> String {
    let mut command = binary();
    command.current_dir(folder).arg("check").args(arguments);
    let output = command.arg(FOLDER).output().expect("the binary runs");
    let both = [output.stdout, output.stderr].concat();
    String::from_utf8(both).expect("UTF-8")
}

/// Returns the rules of findings with default severity, and the properties that they refute, by file.
fn findings() -> BTreeMap<String, BTreeSet<&'static str>> {
    let text = checked(&folder(), &["--format", "json"]);
    let report: Value = serde_json::from_str(&text).expect("one JSON object");
    let mut found: BTreeMap<_, BTreeSet<_>> = BTreeMap::new();
    for finding in report["findings"].as_array().expect("a list") {
        let path = finding["path"].as_str().expect("a path").to_owned();
        let rule = a2lint::rules::find(finding["name"].as_str().expect("a name")).expect("a rule");
        let property = rule.property.map_or("", |property| property.name());
        let names = found.entry(path).or_default();
        names.extend([property, rule.name]);
    }
    found
}

#[test]
fn words_are_those_of_cpp() {
    let folder = folder();
    for format in ["full", "json", "concise"] {
        let text = checked(&folder, &["--pedantic", "--output-format", format]);
        assert!(text.len() > 1_000, "{format}: {text}");
        let lines = text.lines();
        let foreign: Vec<&str> = lines
            .filter(|line| FOREIGN.iter().any(|word| line.contains(word)))
            .collect();
        assert!(foreign.is_empty(), "{format}: {foreign:#?}");
    }
}

#[test]
fn sound_kernels_have_no_findings() {
    let found = findings();
    let is_sound = |path: &&String| match path.strip_prefix(pairs::FOLDER) {
        Some(name) => name.ends_with("_good.cpp"),
        None => path.starts_with("tests/ascendc/kernels/"),
    };
    let alarmed: Vec<&String> = found.keys().filter(is_sound).collect();
    let known: Vec<&str> = ALARMED.iter().map(|(path, _)| *path).collect();
    assert_eq!(alarmed, known);
}

#[test]
fn broken_kernels_have_the_finding_that_is_meant() {
    let found = findings();
    let mut missed = Vec::new();
    for pair in pairs::pairs() {
        let path = half(&pair, "bad");
        let lines = pair.bad.lines();
        let meant = lines.filter_map(|line| Some(line.split_once("//~ ")?.1.trim()));
        let meant: BTreeSet<&str> = meant.collect();
        assert!(!meant.is_empty(), "{path} says nothing");
        let none = BTreeSet::new();
        if !meant.is_subset(found.get(&path).unwrap_or(&none)) {
            missed.push(path);
        }
    }
    let known: Vec<&str> = MISSED.iter().map(|(path, _)| *path).collect();
    assert_eq!(missed, known, "{found:#?}");
}
