//! `a2lint run` as a tool: selection of launches, results passed on, checks of inputs, comparisons.

use std::fs;

use a2lint::run::{Arguments, Job, Limits, Questions, Which, bind};
use a2lint::target::Target;

use crate::run::{file, json, kernel, line_of, run, stderr, stdout};

/// Two kernels, the second of which uses the result of the first.
const CHAIN: &str = r#"
from easyasc.a2 import *
import torch

@kernel(mode="vec")
def twice(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0:8, 0:64]
            muls(tile, tile, 2.0)
            y[0:8, 0:64] <<= tile
    return y

@kernel(mode="vec")
def plus(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0:8, 0:64]
            adds(tile, tile, 1.0)
            y[0:8, 0:64] <<= tile
    return y

if __name__ == "__main__":
    x = torch.full((8, 64), 3.0)
    doubled = OpExec(twice, "", simulator=True)(x, torch.zeros(8, 64))
    OpExec(plus, "", simulator=True)(doubled, torch.zeros(8, 64))
    OpExec(plus, "", simulator=True)(x, torch.zeros(8, 64))
"#;

/// Encodes a small version-1 `.npy` file.
fn npy(descr: &str, shape: &str, bytes: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}");
    let padded = format!("{header:<117}\n");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(padded.as_bytes());
    file.extend(bytes);
    file
}

fn floats(value: f32, count: usize) -> Vec<u8> {
    value.to_le_bytes().repeat(count)
}

#[test]
fn results_are_passed_from_launch_to_launch() {
    let (_directory, path) = file(CHAIN);
    let target = path.display().to_string();
    let output = run(&target, &["--launch", "all", "--json"]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    let runs = json(&output)["runs"].clone();
    let firsts: Vec<f64> = (0..3)
        .map(|at| {
            runs[at]["outputs"][0]["first"][0]
                .as_f64()
                .expect("a number")
        })
        .collect();
    assert_eq!(firsts, [6.0, 7.0, 4.0]);
    let origin = runs[1]["launch"]["origin"].as_str().expect("a text");
    assert!(origin.ends_with("`x` from an earlier launch"), "{origin}");
}

#[test]
fn launches_go_by_number() {
    let (_directory, path) = file(CHAIN);
    let target = format!("{}::plus", path.display());
    let first = |number: &str| {
        let output = json(&run(&target, &["--launch", number, "--json"]));
        output["outputs"][0]["first"][0].as_f64()
    };
    assert_eq!(first("2"), Some(4.0));
    let output = run(&target, &["--launch", "3"]);
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(
        message.contains("no launch 3 of `plus`: the file has 2"),
        "{message}"
    );
    let output = run(&target, &["--launch", "all", "--output", "y=y.npy"]);
    assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
}

#[test]
fn inputs_have_to_agree_with_the_launch() {
    let (directory, path) = file(CHAIN);
    let target = format!("{}::twice", path.display());
    let write = |name: &str, bytes: Vec<u8>| {
        let path = directory.path().join(name);
        fs::write(&path, bytes).expect("a file");
        format!("x={}", path.display())
    };
    let good = write("good.npy", npy("<f4", "(8, 64)", &floats(1.5, 512)));
    let output = run(&target, &["--input", &good, "--json"]);
    assert_eq!(
        json(&output)["outputs"][0]["first"][0],
        3,
        "{}",
        stderr(&output)
    );
    // As many bytes with another shape, and as many elements with another type.
    let shape = write("shape.npy", npy("<f4", "(16, 32)", &floats(1.5, 512)));
    let message = stderr(&run(&target, &["--input", &shape]));
    assert!(message.contains("`x` is float [16, 32] in "), "{message}");
    assert!(
        message.contains("and float [8, 64] in the launch at line"),
        "{message}"
    );
    let narrow = write(
        "narrow.npy",
        npy("<f2", "(8, 64)", &0x3E00_u16.to_le_bytes().repeat(512)),
    );
    let output = run(&target, &["--input", &narrow]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    let output = run(
        &target,
        &["--input", &narrow, "--dtype", "x=float", "--json"],
    );
    assert_eq!(
        json(&output)["outputs"][0]["first"][0],
        3,
        "{}",
        stderr(&output)
    );
}

#[test]
fn a_mismatch_is_told_in_full() {
    let (directory, path) = file(CHAIN);
    let target = format!("{}::twice", path.display());
    let mut bytes = floats(6.0, 512);
    bytes[4 * 70..4 * 71].copy_from_slice(&6.25_f32.to_le_bytes());
    let expected = directory.path().join("y.npy");
    fs::write(&expected, npy("<f4", "(8, 64)", &bytes)).expect("a file");
    let expect = format!("y={}", expected.display());
    let output = run(&target, &["--expect", &expect, "--color", "never"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let line = line_of(&target.replace("::twice", ""), "y[0:8, 0:64] <<= tile");
    for part in [
        "1 of 512 elements (0.2 %)",
        "largest difference 0.2500, relative 0.0400, 5.2429e5 ULP",
        "it would pass with atol 2.52e-1",
        "[1, 6] is 6.0000, expected 6.2500",
        &format!("y[1, 6] was written last by line {line}: y[0:8, 0:64] <<= tile"),
        "on core 0, vec0, with the tile y[0:8, 0:64]",
        "tile 3.0000 → tile 6.0000",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    let comparison = &json(&run(&target, &["--expect", &expect, "--json"]))["comparisons"][0];
    assert_eq!(comparison["history"]["writer"]["line"], line);
    assert_eq!(comparison["differing"], 1);
    let near = run(&target, &["--expect", &expect, "--atol", "0.3"]);
    assert_eq!(near.status.code(), Some(0), "{}", stdout(&near));
}

#[test]
fn values_on_the_way_are_compared_and_written() {
    let (directory, path) = file(CHAIN);
    let source = path.display().to_string();
    let target = format!("{source}::twice");
    let line = line_of(&source, "muls(tile, tile, 2.0)");
    let dumped = directory.path().join("tile.npy").display().to_string();
    let dump = format!("tile@{line}");
    let output = run(&target, &["--dump", &dump, "--output-dump", &dumped]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    let expect = format!("{dump}={dumped}");
    let same = run(&target, &["--expect", &expect]);
    assert_eq!(
        same.status.code(),
        Some(0),
        "{}{}",
        stdout(&same),
        stderr(&same)
    );
    let other = format!("tile@{}={dumped}", line - 1);
    let differs = run(&target, &["--expect", &other]);
    assert_eq!(differs.status.code(), Some(1), "{}", stdout(&differs));
}

#[test]
fn archives_and_workspaces_are_written() {
    let directory = tempfile::tempdir().expect("a folder");
    let archive = directory.path().join("all.npz").display().to_string();
    let target = kernel("cube_to_vec_bridge.py");
    let text = fs::read_to_string(&target).expect("the kernel is there");
    let workspace = text.lines().find_map(|line| {
        let (name, rest) = line.trim().split_once(" = ")?;
        rest.starts_with("split_workspace(")
            .then(|| name.to_owned())
    });
    let workspace = workspace.expect("a workspace");
    let outputs = [format!("y={archive}"), format!("{workspace}={archive}")];
    let output = run(&target, &["--output", &outputs[0], "--output", &outputs[1]]);
    assert_eq!(
        output.status.code(),
        Some(0),
        "{}{}",
        stdout(&output),
        stderr(&output)
    );
    let same = run(
        &target,
        &[
            "--expect",
            &outputs[0],
            "--expect",
            &outputs[1],
            "--atol",
            "0",
        ],
    );
    let text = stdout(&same);
    // An undefined part of a workspace differs from every value.
    assert!(text.contains("y  agrees with"), "{text}");
    assert!(text.contains(&format!("{workspace}  ")), "{text}");
}

/// Findings that need no run are computed once per kernel, and have to equal those that every run would compute.
#[test]
fn findings_of_a_run_do_not_depend_on_the_runs_before() {
    let broken = fs::read_dir(kernel("broken")).expect("a folder");
    let broken = broken.map(|entry| entry.expect("an entry").path().display().to_string());
    let others = ["rms_norm.py", "layer_norm.py", "band_stats.py"].map(kernel);
    for path in broken.filter(|path| path.ends_with(".py")).chain(others) {
        let open = || Target::open(&path).expect("a file with kernels");
        let shared = open();
        for (at, program) in shared.module.programs.iter().enumerate() {
            for number in 1..=3 {
                let arguments = Arguments {
                    launch: Which::Number(number),
                    ..Arguments::default()
                };
                let found = |target: &Target| {
                    let program = &target.module.programs[at];
                    let bound = bind(target, program, &arguments, 1 << 30, false).ok()?;
                    let (questions, limits) = (Questions::default(), Limits::default());
                    let job = Job::of(target, program, &bound, &questions, limits);
                    Some(job.run(&mut ()).expect("a run").findings)
                };
                assert_eq!(found(&shared), found(&open()), "{path}: {}", program.name);
            }
        }
    }
}

/// A scalar that is read from memory carries what it was computed from, and the host gives rows and columns.
#[test]
fn a_scalar_read_from_memory_is_part_of_the_history() {
    let folder = tempfile::tempdir().expect("a folder");
    let target = kernel("../rules/padding-in-reduction/bad_filled_zero.cpp");
    let x = folder.path().join("x.npy");
    fs::write(&x, npy("<f4", "(10, 100)", &floats(0.5, 1000))).expect("a file");
    let y = folder.path().join("y.npy");
    fs::write(&y, npy("<f4", "(10, 100)", &floats(0.01, 1000))).expect("a file");
    let input = format!("x={}", x.display());
    let expect = format!("y={}", y.display());
    let arguments = ["--input", &input, "--expect", &expect, "--color", "never"];
    let output = run(&target, &arguments);
    let text = stdout(&output);
    assert!(text.contains("differs from"), "{text}{}", stderr(&output));
    for step in [
        "ReduceSum(m, b, w, WIDTH);",
        "float sum = m.GetValue(0);",
        "1.0f / sum 0.0098",
    ] {
        assert!(text.contains(step), "{step}: {text}");
    }
    let shaped = run(
        &target,
        &[
            "--launch", "none", "--bind", "rows=10", "--shape", "x=10,100", "--shape", "y=10,100",
        ],
    );
    assert_eq!(
        shaped.status.code(),
        Some(0),
        "{}{}",
        stdout(&shaped),
        stderr(&shaped)
    );
}
