//! Operator projects in the forms that repositories have, found and checked from `a2lint check .` alone.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common;

/// The files below a folder.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
}

/// A copy of the projects, changed file by file.
fn copy(change: impl Fn(&Path, String) -> String) -> tempfile::TempDir {
    let root = common::root().join("tests/ascendc/projects");
    let copied = tempfile::tempdir().expect("a temporary directory");
    let mut all = Vec::new();
    files(&root, &mut all);
    for path in all {
        let inside = path.strip_prefix(&root).expect("inside");
        let text = fs::read_to_string(&path).expect("text");
        let to = copied.path().join(inside);
        fs::create_dir_all(to.parent().expect("a folder")).expect("folders");
        fs::write(to, change(inside, text)).expect("a file");
    }
    copied
}

/// The operator that a file belongs to: the folder around its `op_kernel`, or its own.
fn operator(path: &str) -> &str {
    let folders: Vec<&str> = path.split('/').collect();
    let kernels = folders.iter().position(|it| *it == "op_kernel");
    folders[kernels.unwrap_or(folders.len() - 1) - 1]
}

/// The mistake that a comment of a text names: a property, and what to replace by what.
fn mistake(text: &str) -> Option<(&str, &str, &str)> {
    let line = text
        .lines()
        .find_map(|it| it.strip_prefix("// mistake: "))?;
    let (property, change) = line.split_once(": ")?;
    let (old, new) = change.split_once(" =>")?;
    Some((property, old, new.trim_start()))
}

fn checked(folder: &Path) -> Value {
    let output = common::binary()
        .args(["check", "--no-cache", "--output-format", "json", "."])
        .current_dir(folder)
        .output()
        .expect("the binary runs");
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)))
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text<'v>(value: &'v Value, key: &str) -> &'v str {
    value[key].as_str().unwrap_or_default()
}

#[test]
fn sound_operators_are_read_whole_with_their_launches_and_have_no_findings() {
    let folder = copy(|_, text| text);
    let report = checked(folder.path());
    let said: Vec<&str> = list(&report["findings"])
        .iter()
        .map(|it| text(it, "message"))
        .collect();
    assert_eq!(said, [""; 0]);
    assert_eq!(report["not_analysed"], Value::Array(Vec::new()));
    let mut started = BTreeSet::new();
    let mut operators = BTreeSet::new();
    for kernel in list(&report["kernels"]) {
        assert_eq!(text(kernel, "traced"), "whole", "{kernel}");
        let operator = operator(text(kernel, "path"));
        operators.insert(operator);
        let launches = list(&kernel["launches"]);
        if launches.iter().any(|it| text(it, "from") == "file") {
            started.insert(operator);
        }
    }
    assert_eq!(operators.len(), 12, "{operators:?}");
    assert_eq!(started, operators);
    let names: BTreeSet<&str> = list(&report["kernels"])
        .iter()
        .map(|it| text(it, "name"))
        .collect();
    for name in [
        "shift_rows[DTYPE_X=half]",
        "shift_rows[DTYPE_X=int32_t]",
        "clip_rows[TILING_KEY=1]",
        "clip_rows[TILING_KEY=2]",
        "relu_bias[TILING_KEY=3]",
    ] {
        assert!(names.contains(name), "{name} in {names:?}");
    }
}

#[test]
fn the_mistake_of_each_operator_is_found() {
    let folder = copy(|_, text| match mistake(&text) {
        Some((_, old, new)) => {
            // The comment names it as well.
            let head = text.find(" => ").expect("the comment");
            let end = head + text[head..].find('\n').expect("a line");
            let (comment, code) = text.split_at(end);
            assert!(code.contains(old), "{old}");
            format!("{comment}{}", code.replacen(old, new, 1))
        }
        None => text,
    });
    let report = checked(folder.path());
    let mut refuted: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for kernel in list(&report["kernels"]) {
        let verdicts = list(&kernel["verdicts"]).iter();
        let of_kernel = verdicts.filter(|it| text(it, "status") == "refuted");
        let operator = refuted.entry(operator(text(kernel, "path")));
        operator
            .or_default()
            .extend(of_kernel.map(|it| text(it, "property")));
    }
    let mut all = Vec::new();
    files(folder.path(), &mut all);
    let mut mistakes = 0;
    for path in all {
        let source = fs::read_to_string(&path).expect("text");
        let Some((property, ..)) =
            mistake(&source).filter(|_| path.extension() != Some("md".as_ref()))
        else {
            continue;
        };
        mistakes += 1;
        let inside = path.strip_prefix(folder.path()).expect("inside");
        let operator = operator(inside.to_str().expect("a name"));
        let found = &refuted[operator];
        assert!(found.contains(property), "{operator}: {found:?}");
    }
    assert_eq!(mistakes, 12);
}
