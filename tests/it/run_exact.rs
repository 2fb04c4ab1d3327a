//! `a2lint run --exact`: results without rounding, compared with a reference in float64.

use std::fs;
use std::path::{Path, PathBuf};

use crate::run::{file, json, run, stderr, stdout};

/// Damped exponentials of half inputs; the test replaces `FACTOR`.
const DAMPED: &str = r#"
from easyasc.a2 import *

@kernel(mode="vec")
def damped(x: GMTensor, y: GMTensor):
    short = Tensor(DT.half, [8, 64], Position.UB)
    wide = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            short <<= x[0:8, 0:64]
            cast(wide, short, round_mode=RoundMode.NONE)
            muls(wide, wide, FACTOR)
            exp(wide, wide)
            adds(wide, wide, 1.0)
            cast(short, wide, round_mode=RoundMode.TO_EVEN)
            y[0:8, 0:64] <<= short
    return y
"#;

/// Encodes a `.npy` file of 8 rows of 64 elements.
fn npy(descr: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': (8, 64), }}");
    let padded = format!("{header:<117}\n");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(padded.as_bytes());
    file.extend(bytes);
    file
}

/// The inputs: multiples of 1/256 up to 1, which half holds exactly.
fn inputs() -> impl Iterator<Item = f64> {
    (0..512).map(|index| f64::from(index % 257) / 256.0)
}

/// Writes kernel, input and reference, and returns their folder with the arguments of the run.
fn scene(factor: &str) -> (tempfile::TempDir, PathBuf, Vec<String>) {
    let (directory, path) = file(&DAMPED.replace("FACTOR", factor));
    let halves = inputs().map(|value| half::f16::from_f64(value).to_le_bytes());
    let halves: Vec<u8> = halves.flatten().collect();
    fs::write(directory.path().join("x.npy"), npy("<f2", &halves)).expect("a file");
    let exact = inputs().map(|value| ((value * 0.1).exp() + 1.0).to_le_bytes());
    let exact: Vec<u8> = exact.flatten().collect();
    fs::write(directory.path().join("y.npy"), npy("<f8", &exact)).expect("a file");
    let named =
        |name: &str, file: &str| format!("{name}={}", directory.path().join(file).display());
    let arguments = [
        "--input",
        &named("x", "x.npy"),
        "--shape",
        "y=8,64",
        "--dtype",
        "y=half",
        "--expect",
        &named("y", "y.npy"),
    ];
    let arguments = arguments.map(str::to_owned).to_vec();
    (directory, path, arguments)
}

fn ran(path: &Path, arguments: &[String], more: &[&str]) -> std::process::Output {
    let all: Vec<&str> = arguments
        .iter()
        .map(String::as_str)
        .chain(more.iter().copied())
        .collect();
    run(&path.display().to_string(), &all)
}

#[test]
fn rounding_is_no_difference_and_a_wrong_constant_is_one() {
    let (_kept, path, arguments) = scene("0.1");
    let right = ran(&path, &arguments, &["--exact"]);
    assert_eq!(right.status.code(), Some(0), "{}", stdout(&right));
    assert!(
        stdout(&right).contains("all 512 elements in exact arithmetic"),
        "{}",
        stdout(&right)
    );
    // Rounding to half is a difference at the same tolerance without `--exact`.
    let rounded = ran(&path, &arguments, &["--rtol", "1e-9", "--atol", "1e-12"]);
    assert_eq!(rounded.status.code(), Some(1), "{}", stdout(&rounded));

    // A constant that is wrong by 0.1 % hides in the tolerance for half.
    let (_kept, path, arguments) = scene("0.1001");
    let hidden = ran(&path, &arguments, &[]);
    assert_eq!(hidden.status.code(), Some(0), "{}", stdout(&hidden));
    let found = ran(&path, &arguments, &["--exact", "--json"]);
    assert_eq!(found.status.code(), Some(1), "{}", stdout(&found));
    let comparison = &json(&found)["comparisons"][0];
    assert_eq!(comparison["exact"], true);
    // The first input is 0, which every factor leaves.
    assert_eq!(comparison["first"][0]["index"], serde_json::json!([0, 1]));
    assert_eq!(comparison["rtol"], 1e-9);
}

#[test]
fn a_rounded_reference_and_a_missing_one_are_refused() {
    let (directory, path, mut arguments) = scene("0.1");
    let floats = inputs().map(|value| ((value * 0.1).exp() as f32 + 1.0).to_le_bytes());
    let floats: Vec<u8> = floats.flatten().collect();
    fs::write(directory.path().join("y.npy"), npy("<f4", &floats)).expect("a file");
    let output = ran(&path, &arguments, &["--exact"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(
        stderr(&output).contains("needs a reference in float64"),
        "{}",
        stderr(&output)
    );
    arguments.truncate(6);
    let output = ran(&path, &arguments, &["--exact"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
}
