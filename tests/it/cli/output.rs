//! Formats, files and streams of output.

use std::fs;
use std::process::Stdio;

use super::{COPY, KERNEL, a2lint, command, json, project, stderr, stdout};

#[test]
fn the_format_has_the_name_that_other_linters_give_it() {
    let project = project(&[("k.py", COPY.as_bytes())]);
    let said = |option: &str| stdout(&a2lint(project.path(), &["check", option, "agent"]));
    assert!(!said("--format").is_empty());
    assert_eq!(said("--format"), said("--output-format"));
}

#[test]
fn json_has_the_documented_shape() {
    let project = project(&[("k.py", KERNEL.as_bytes())]);
    let output = a2lint(project.path(), &["check", "--output-format", "json"]);
    let value = json(&output);
    assert_eq!(value["version"], 1);
    for key in ["findings", "not_analysed", "kernels"] {
        assert!(value[key].is_array(), "{key}");
    }
    assert!(value["summary"]["clean"].is_boolean());
    for key in [
        "files",
        "kernels",
        "analysed",
        "errors",
        "warnings",
        "fixable",
        "fixable_unsafe",
        "proved",
        "tested",
        "undecided",
        "refuted",
        "seconds",
    ] {
        assert!(value["summary"][key].is_number(), "{key}");
    }
    assert_eq!(value["summary"]["files"], 1);
    assert_eq!(stderr(&output), "");
}

#[test]
fn reports_can_go_to_a_file() {
    let project = project(&[("k.py", KERNEL.as_bytes())]);
    let args = [
        "check",
        "--output-format",
        "json",
        "--output-file",
        "out.json",
    ];
    let output = a2lint(project.path(), &args);
    assert_eq!(stdout(&output), "");
    assert!(stderr(&output).contains("1 file"), "{output:?}");
    let text = fs::read_to_string(project.path().join("out.json")).expect("a report");
    assert!(serde_json::from_str::<serde_json::Value>(&text).is_ok());
    let output = a2lint(project.path(), &["check", "-o", "no/such/place"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn quiet_says_nothing_about_clean_files() {
    let project = project(&[("k.py", KERNEL.as_bytes())]);
    for format in ["full", "concise"] {
        let args = ["check", "-q", "--output-format", format];
        let output = a2lint(project.path(), &args);
        assert_eq!(
            (stdout(&output), stderr(&output)),
            (String::new(), String::new())
        );
    }
}

#[cfg(unix)]
#[test]
fn a_broken_pipe_ends_quietly() {
    let project = project(&[]);
    let mut child = command(project.path(), &["rules", "--output-format", "json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("the binary ends");
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(stderr(&output), "");
}
