//! Output for people fits the width of the terminal, tested through a pseudo terminal.
//!
//! `A2LINT_WIDTH=all` uses every file of `tests`; by default, some folders are used. Output for programs (JSON and
//! the like, diffs, schemas) is not covered.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use nix::pty::{Winsize, openpty};
use textwrap::core::display_width;

/// Common terminal widths in columns.
const WIDTHS: [u16; 2] = [80, 120];

/// Returns the output of a command on a terminal with a width.
fn shown(args: &[&str], columns: u16) -> String {
    let size = Winsize {
        ws_row: 40,
        ws_col: columns,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    let pair = openpty(Some(&size), None).expect("a pseudo terminal");
    let error = pair.slave.try_clone().expect("a second handle");
    let mut command = crate::common::binary();
    command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(args)
        .env("TERM", "xterm-256color")
        .env_remove("NO_COLOR")
        .stdin(Stdio::null())
        .stdout(pair.slave)
        .stderr(error);
    let mut child = command.spawn().expect("the binary starts");
    // The reader sees the end of the output only when no process can write any more.
    drop(command);
    let mut bytes = Vec::new();
    let mut terminal = File::from(pair.master);
    let mut chunk = [0; 1 << 14];
    while let Ok(count @ 1..) = terminal.read(&mut chunk) {
        bytes.extend_from_slice(&chunk[..count]);
    }
    child.wait().expect("the binary ends");
    String::from_utf8(bytes).expect("UTF-8")
}

/// Checks that no line is too long.
fn assert_fits(args: &[&str]) {
    for columns in WIDTHS {
        let text = shown(args, columns);
        assert!(!text.is_empty(), "{args:?} shows nothing");
        assert!(!text.contains("panicked"), "{args:?}: {text}");
        // A progress bar overwrites its line.
        for line in text.split(['\r', '\n']) {
            let width = display_width(line);
            assert!(
                width <= columns.into(),
                "{args:?} shows {width} columns on {columns}: {line}"
            );
        }
    }
}

/// Returns the files below a folder.
fn files(folder: &str, extension: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![PathBuf::from(folder)];
    while let Some(folder) = folders.pop() {
        let entries = std::fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(&folder));
        for entry in entries.expect("a folder").flatten() {
            let path = folder.join(entry.file_name());
            match entry.path().is_dir() {
                true => folders.push(path),
                false if path.extension().is_some_and(|it| it == extension) => {
                    found.push(path.to_string_lossy().into_owned());
                }
                false => {}
            }
        }
    }
    found.sort();
    found
}

fn takes_all() -> bool {
    std::env::var("A2LINT_WIDTH").is_ok_and(|it| it == "all")
}

#[test]
fn findings_fit() {
    let folders = match takes_all() {
        true => vec!["tests"],
        false => vec![
            "tests/rules/race",
            "tests/rules/l0c-overflow",
            "tests/rules/tsel-mask-divergence",
        ],
    };
    for folder in folders {
        assert_fits(&["check", "--pedantic", "--isolated", folder]);
        assert_fits(&[
            "check",
            "--no-replay",
            "--isolated",
            "--output-format",
            "concise",
            folder,
        ]);
        assert_fits(&["check", "--no-replay", "--isolated", "--statistics", folder]);
        assert_fits(&["check", "--no-replay", "--isolated", "-v", folder]);
    }
}

#[test]
fn commands_about_a_kernel_fit() {
    let kernels = match takes_all() {
        true => files("tests", "py"),
        false => vec![
            "tests/kernels/gated_matmul.py".to_owned(),
            "tests/kernels/topk.py".to_owned(),
            "tests/rules/deadlock/bad_cycle.py".to_owned(),
        ],
    };
    for kernel in &kernels {
        for command in ["mem", "trace", "run", "cost"] {
            assert_fits(&[command, kernel]);
        }
        assert_fits(&["prove", "--isolated", kernel]);
    }
    assert_fits(&["run", "tests/kernels/topk.py:3"]);
    assert_fits(&[
        "test",
        "tests/kernels/rope.py",
        "--schedules",
        "1",
        "--dependence",
    ]);
}

#[test]
fn words_about_a2lint_fit() {
    for command in [
        "check", "prove", "run", "cost", "test", "debug", "eval", "mem", "rules",
    ] {
        assert_fits(&[command, "--help"]);
    }
    assert_fits(&["rules"]);
    for group in a2lint::rules::Group::ALL {
        if a2lint::rules::RULES
            .iter()
            .any(|rule| rule.group().prefix == group.prefix)
        {
            assert_fits(&["explain", group.prefix]);
        }
    }
    assert_fits(&[
        "explain",
        "no-such-rule-of-a-name-that-is-longer-than-names-of-rules-ever-are-anywhere",
    ]);
}
