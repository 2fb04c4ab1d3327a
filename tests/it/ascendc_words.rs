//! Findings in AscendC kernels: their words are those of C++, sound kernels have none, broken ones have the one that
//! is meant.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::common::binary;

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

fn checked(arguments: &[&str]) -> String {
    let mut command = binary();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    command.current_dir(root).arg("check").args(arguments);
    let output = command.arg(FOLDER).output().expect("the binary runs");
    let both = [output.stdout, output.stderr].concat();
    String::from_utf8(both).expect("UTF-8")
}

/// Returns the rules of findings with default severity, and the properties that they refute, by file.
fn findings() -> BTreeMap<String, BTreeSet<&'static str>> {
    let text = checked(&["--format", "json"]);
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

/// The kernels of a folder whose names end so.
fn files(folder: &str, end: &str) -> Vec<String> {
    let folder = format!("{FOLDER}/{folder}");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder);
    let entries = fs::read_dir(root).expect("a folder");
    let names = entries.map(|entry| entry.expect("an entry").file_name());
    let names = names.map(|name| name.into_string().expect("UTF-8"));
    let mut names: Vec<String> = names.filter(|name| name.ends_with(end)).collect();
    names.sort();
    assert!(!names.is_empty(), "{folder} has no {end}");
    names
        .into_iter()
        .map(|name| format!("{folder}/{name}"))
        .collect()
}

#[test]
fn words_are_those_of_cpp() {
    for format in ["full", "json", "concise"] {
        let text = checked(&["--pedantic", "--output-format", format]);
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
    let sound = [files("kernels", ".cpp"), files("pairs", "_good.cpp")].concat();
    let alarmed: Vec<&String> = sound
        .iter()
        .filter(|path| found.contains_key(*path))
        .collect();
    let known: Vec<&str> = ALARMED.iter().map(|(path, _)| *path).collect();
    assert_eq!(alarmed, known);
}

#[test]
fn broken_kernels_have_the_finding_that_is_meant() {
    let found = findings();
    let mut missed = Vec::new();
    for path in files("pairs", "_bad.cpp") {
        let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(&path));
        let text = text.expect("a kernel");
        let meant = text
            .lines()
            .filter_map(|line| Some(line.split_once("//~ ")?.1.trim()));
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
