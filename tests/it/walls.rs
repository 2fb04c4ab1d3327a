//! Dependencies between crates are those of the table in ARCHITECTURE.md, and all code is formatted.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

use crate::common::{files, read, root};

type Uses = BTreeMap<String, BTreeSet<String>>;

/// Returns the dependencies between crates of the workspace without those of tests, as Cargo reads the manifests.
fn manifests() -> Uses {
    let output = Command::new(env!("CARGO"))
        .args([
            "metadata",
            "--no-deps",
            "--offline",
            "--format-version",
            "1",
        ])
        .current_dir(root())
        .output()
        .expect("cargo");
    assert!(output.status.success(), "{output:?}");
    let metadata: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let own = |name: &Value| {
        let name = name.as_str().expect("a name");
        (name == "a2lint" || name.starts_with("a2lint-")).then(|| name.to_owned())
    };
    let mut uses = Uses::new();
    for package in metadata["packages"].as_array().expect("packages") {
        let Some(name) = own(&package["name"]) else {
            continue;
        };
        let dependencies = package["dependencies"].as_array().expect("dependencies");
        let normal = dependencies.iter().filter(|it| it["kind"].is_null());
        uses.insert(name, normal.filter_map(|it| own(&it["name"])).collect());
    }
    uses
}

/// Returns the dependencies in the table of ARCHITECTURE.md. Its rows have the crate, its contents, the used crates,
/// and more.
fn table() -> Uses {
    let text = read(&root().join("ARCHITECTURE.md"));
    let rows = text.lines().filter(|line| line.starts_with("| `a2lint"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').collect();
        let named = |cell: &str| -> Vec<String> {
            let names = cell.split('`').skip(1).step_by(2);
            names.map(str::to_owned).collect()
        };
        let uses = named(cells[3])
            .into_iter()
            .map(|name| format!("a2lint-{name}"));
        (named(cells[1])[0].clone(), uses.collect())
    };
    rows.map(row).collect()
}

#[test]
fn crates_use_what_the_table_says() {
    let (manifests, table) = (manifests(), table());
    let library = manifests
        .iter()
        .filter(|(name, _)| *name != "a2lint-python");
    for (name, uses) in library {
        let said = table.get(name);
        assert_eq!(
            said,
            Some(uses),
            "{name}: the table of ARCHITECTURE.md has the left side"
        );
    }
    assert_eq!(
        table.len(),
        manifests.len() - 1,
        "the table has crates that are gone"
    );
}

/// The cache does not return results of another build, so its key must include everything that they depend on.
#[test]
fn the_cache_follows_all_that_results_depend_on() {
    let manifests = manifests();
    let mut needed = BTreeSet::from(["a2lint-lint".to_owned()]);
    while let Some(more) = needed
        .iter()
        .flat_map(|name| &manifests[name])
        .find(|name| !needed.contains(*name))
    {
        needed.insert(more.clone());
    }
    let script = read(&root().join("crates/lint/build.rs"));
    let parts = script.split("\"../").skip(1);
    let parts: BTreeSet<String> = parts
        .filter_map(|part| part.split('"').next())
        .filter(|part| !part.starts_with(".."))
        .map(|part| format!("a2lint-{part}"))
        .collect();
    assert_eq!(parts, needed);
}

/// `cargo fmt` follows `mod` lines, but not those that a macro generates.
#[test]
fn every_file_is_formatted() {
    let mut all: Vec<_> = [
        "benches",
        "crates",
        "examples",
        "fuzz",
        "python/src",
        "src",
        "tests",
    ]
    .iter()
    .flat_map(|folder| files(&root().join(folder), "rs"))
    .filter(|path| !path.components().any(|part| part.as_os_str() == "target"))
    .collect();
    all.push(root().join("build.rs"));
    let mut rustfmt = Command::new("rustfmt");
    rustfmt.args([
        "--edition",
        "2024",
        "--check",
        "-l",
        "--config",
        "skip_children=true",
    ]);
    let Ok(output) = rustfmt.args(&all).output() else {
        eprintln!("no rustfmt here: formatting was not looked at");
        return;
    };
    let listed = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    if errors.contains("is not installed") {
        eprintln!("no rustfmt here: formatting was not looked at");
        return;
    }
    assert!(output.status.success(), "not formatted:\n{listed}{errors}");
}
