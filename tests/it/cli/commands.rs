//! Commands beside `check`.

use std::fs;
use std::process::Command;

use super::{a2lint, json, project, stderr, stdout};

#[test]
fn rules_and_explain_show_the_catalogue() {
    let project = project(&[]);
    let output = a2lint(project.path(), &["rules", "--output-format", "json"]);
    let value = json(&output);
    assert_eq!(value["rules"][0]["name"], "l0c-overflow");
    let output = a2lint(project.path(), &["explain", "CAP001", "l0c-overflow"]);
    let text = stdout(&output);
    assert!(text.starts_with("l0c-overflow (CAP001): error\n"), "{text}");
    let known = "\nA finding is proven from constants\nThe fact behind it is measured on a board\n\
                 Repair: searched for by --diff\n\n";
    assert!(text.contains(known), "{text}");
    assert_eq!(text.matches("What it does").count(), 1, "{text}");
    assert!(!text.contains('\x1b'));
    let output = a2lint(project.path(), &["explain", "CAP001", "--color", "always"]);
    assert!(stdout(&output).contains('\x1b'));
}

#[test]
fn mem_of_what_has_no_kernels_exits_with_2() {
    let project = project(&[("a.py", b"import os\n")]);
    for (target, message) in [
        ("a.py", "a.py: no kernels found"),
        ("a.py::softmax", "a.py: no kernels found"),
        ("gone.py", "gone.py: no such file or directory"),
        (".", ". is a directory; name a file"),
    ] {
        let output = a2lint(project.path(), &["mem", target]);
        assert_eq!(output.status.code(), Some(2), "{target}");
        assert!(stderr(&output).contains(message), "{output:?}");
    }
}

#[test]
fn eval_shows_what_mask_instructions_take() {
    let project = project(&[]);
    let args = [
        "eval",
        "gather-mask",
        "--dtype",
        "uint32_t",
        "--words",
        "0xAAAAAAAA*32",
        "--mask",
        "70",
        "--repeats",
        "2",
        "--repeat-stride",
        "4",
    ];
    let text = stdout(&a2lint(project.path(), &args));
    assert!(text.contains("rsvdCnt      70 of 140 elements"), "{text}");
    let total = [&args[..], &["--target", "310p"]].concat();
    let text = stdout(&a2lint(project.path(), &total));
    assert!(text.contains("rsvdCnt      35 of 70 elements"), "{text}");
    let args = [
        "eval",
        "tsel",
        "--rows",
        "2",
        "--cols",
        "5",
        "--mask-valid-cols",
        "1",
        "--mask",
        "16,09",
    ];
    let text = stdout(&a2lint(project.path(), &args));
    assert!(text.contains("row 1  bytes 09  10010"), "{text}");
    let bad = a2lint(project.path(), &["eval", "gather-mask", "--pattern", "8"]);
    assert_eq!(bad.status.code(), Some(2));
}

#[test]
fn eval_shows_a_zero_column_mask() {
    let directory = project(&[]);
    let arguments = |descriptor, m, n| {
        let fixed = ["eval", "zero-column-mask", "--descriptor"];
        [&fixed[..], &[descriptor, "--m", m, "--n", n]].concat()
    };
    let output = a2lint(
        directory.path(),
        &arguments("0x0003028100000000", "64", "128"),
    );
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    let first = text.lines().next();
    assert_eq!(first, Some("0x70e1c3870e1c3870870e1c3870e1c387"));
    for part in [
        "40-47  skip span      2          runs of 3 columns zeroed",
        "  0 mask0 |███····███····",
        " 64 mask1 |····███····███",
    ] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    for (descriptor, m, n) in [("0xyz", "64", "128"), ("0", "16", "128"), ("0", "64", "32")] {
        let output = a2lint(directory.path(), &arguments(descriptor, m, n));
        assert_eq!(output.status.code(), Some(2), "{descriptor} {m} {n}");
    }
}

/// Runs `tests/corpus/compare.py`, if Python is installed.
#[cfg(unix)]
#[test]
fn the_corpus_script_counts_and_compares() {
    use std::os::unix::fs::PermissionsExt;
    let kernel = include_bytes!("../../kernels/broken/dup_narrow.py");
    let project = project(&[
        ("kernels/k.py", kernel),
        ("kernels/a5.py", b"from easyasc.a5 import *\n"),
    ]);
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/corpus/compare.py");
    let binary = env!("CARGO_BIN_EXE_a2lint");
    let compare = |args: &[&str]| {
        let mut command = Command::new("python3");
        command.current_dir(project.path()).arg(script).args(args);
        command.output().ok()
    };
    let Some(output) = compare(&["kernels", "--new", binary]) else {
        return;
    };
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let table = stdout(&output);
    for row in ["COV001  dup-coverage", "not analysed: ", "total files"] {
        assert!(table.contains(row), "{table}");
    }
    let older = project.path().join("older");
    let wrapper = format!("#!/bin/sh\nexec '{binary}' \"$@\" --ignore COV001\n");
    fs::write(&older, wrapper).expect("a script");
    fs::set_permissions(&older, fs::Permissions::from_mode(0o755)).expect("a mode");
    let output = compare(&["kernels", "--new", binary, "--old", "./older"]).expect("it ran");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let text = stdout(&output);
    assert!(
        text.contains("+ kernels/k.py:26: error[dup-coverage]: dup() writes 64"),
        "{text}"
    );
    let output = compare(&["kernels", "--new", "./nowhere"]).expect("it ran");
    assert_eq!(output.status.code(), Some(2), "{output:?}");
}
