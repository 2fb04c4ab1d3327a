//! `a2lint run` on the kernels of `tests/kernels`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

pub fn kernel(name: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/kernels");
    folder.join(name).display().to_string()
}

pub fn run(target: &str, options: &[&str]) -> Output {
    let mut command = crate::common::binary();
    command.args(["run", target]).args(options);
    command.output().expect("the binary runs")
}

pub fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

pub fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

pub fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Writes a file to a temporary directory, which is deleted when the returned value is dropped.
pub fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("k.py");
    fs::write(&path, text).expect("a file");
    (directory, path)
}

/// Returns the line number of the first occurrence of `needle`, counted from 1.
pub fn line_of(path: &str, needle: &str) -> usize {
    let text = fs::read_to_string(path).expect("the kernel is there");
    let found = text.lines().position(|line| line.contains(needle));
    found.expect("the line is there") + 1
}

#[test]
fn a_sound_kernel_finishes() {
    let output = run(&kernel("layer_norm.py"), &["--color", "never"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.starts_with("layer_norm  "), "{text}");
    assert!(
        text.contains("second of")
            && text.contains("the first has an empty tensor")
            && text.contains("device  b3, 20 cores"),
        "{text}"
    );
    assert!(
        text.contains("0 NaN  0 undefined") && text.contains("\nfinished: "),
        "{text}"
    );
}

#[test]
fn undefined_memory_is_found() {
    let output = run(&kernel("broken/uninitialized_ub.py"), &[]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    let message = "error[uninitialized-read]: add() reads `acc` [8,64] (its `src1`), and nothing has written it";
    assert!(text.contains(message), "{text}");
    assert!(
        text.contains("confirmed by simulation (ROWS=256, core 0, vec0"),
        "{text}"
    );
}

#[test]
fn results_go_out_and_are_compared() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("y.npy").display().to_string();
    let target = kernel("rms_norm.py");
    let name = json(&run(&target, &["--json"]))["outputs"][0]["name"].clone();
    let pair = format!("{}={path}", name.as_str().expect("a name"));
    assert_eq!(run(&target, &["--output", &pair]).status.code(), Some(0));
    let agrees = run(&target, &["--expect", &pair, "--rtol", "0", "--atol", "0"]);
    assert_eq!(agrees.status.code(), Some(0), "{}", stdout(&agrees));
    let mut bytes = fs::read(&path).expect("the result is there");
    let last = bytes.len() - 1;
    bytes[last] ^= 0x80;
    fs::write(&path, bytes).expect("a file");
    let differs = run(&target, &["--expect", &pair]);
    assert_eq!(differs.status.code(), Some(1), "{}", stdout(&differs));
    assert!(stdout(&differs).contains(": 1 of "), "{}", stdout(&differs));
}

#[test]
fn json_is_one_object() {
    let report = json(&run(&kernel("broken/uninitialized_ub.py"), &["--json"]));
    assert_eq!(report["version"], 1);
    assert_eq!(report["kernel"], "uninitialized_ub");
    assert_eq!(report["end"]["kind"], "finished");
    assert_eq!(report["launch"]["scalars"]["ROWS"], 256);
    assert_eq!(report["findings"][0]["name"], "uninitialized-read");
    assert_eq!(report["findings"][0]["witness"]["lane"], "vec0");
}

#[test]
fn a_snippet_shows_what_changes() {
    let path = kernel("broken/dup_narrow.py");
    let target = format!("{path}:{}", line_of(&path, "dup(shift8"));
    let output = run(&target, &["--color", "never"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    let note = "shift8 after  float [64, 8]  64 of 512 changed  448 undefined from row 8, column 0";
    assert!(text.contains(note), "{text}");
    assert!(text.contains("0 │ 0.5000*"), "{text}");
    assert!(text.contains("error[dup-coverage]"), "{text}");
    assert!(
        text.contains("stopped after the last watched statement"),
        "{text}"
    );
}

#[test]
fn what_is_possible_is_said() {
    let path = kernel("broken/dup_narrow.py");
    let outside = run(&format!("{path}:3"), &[]);
    let said = stderr(&outside);
    assert_eq!(outside.status.code(), Some(2));
    assert!(
        said.contains("line 3 is outside every kernel; `dup_narrow` spans lines 15–36"),
        "{said}"
    );
    let between = run(&format!("{path}:20"), &[]);
    let said = stderr(&between);
    assert!(
        said.contains("`dup_narrow` executes no instruction on line 20"),
        "{said}"
    );
    let target = format!("{path}:{}", line_of(&path, "sub(ub_y"));
    let elsewhere = run(&target, &["--lane", "cube"]);
    let said = stdout(&elsewhere);
    assert!(said.contains("it runs 1 time, on vec0 of core 0"), "{said}");
}

#[test]
fn a_snippet_chooses_its_execution() {
    let path = kernel("broken/dup_narrow.py");
    let target = format!("{path}:{}", line_of(&path, "sub(ub_y"));
    let second = run(
        &target,
        &["--lane", "vec1", "--core", "0", "--bind", "M=129", "--json"],
    );
    let report = json(&second);
    assert_eq!(report["steps"][0]["lane"], "vec1", "{report}");
    let never = run(&target, &["--core", "19"]);
    assert!(
        stdout(&never).contains("not executed where it was watched"),
        "{}",
        stdout(&never)
    );
    let without_lines = run(&path, &["--core", "19"]);
    assert_eq!(without_lines.status.code(), Some(2));
}

#[test]
fn impossible_launches_are_refused() {
    let path = kernel("broken/dup_narrow.py");
    let huge = run(
        &path,
        &["--shape", "x=400000000,64", "--bind", "M=400000000"],
    );
    assert_eq!(huge.status.code(), Some(2));
    assert!(stderr(&huge).contains("the limit is"), "{}", stderr(&huge));
    let unknown = run(&path, &["--bind", "N=3"]);
    assert_eq!(unknown.status.code(), Some(2));
    assert!(
        stderr(&unknown).contains("no scalar parameter `N`"),
        "{}",
        stderr(&unknown)
    );
    let missing = run(&path, &["--input", "x=missing.npy"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(
        stderr(&missing).contains("cannot read missing.npy"),
        "{}",
        stderr(&missing)
    );
}

const ENDLESS: &str = "\
from easyasc.a2 import *

@kernel()
def endless(x: GMTensor, y: GMTensor, M: Var):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    dup(ub, 0.0)
    for i in range(0, M):
        for j in range(0, 1000000000):
            add(ub, ub, ub)
    y[0:8, 0:64] <<= ub
    return y
";

const SIZED: [&str; 8] = [
    "--shape", "x=8,64", "--shape", "y=8,64", "--dtype", "x=float", "--dtype", "y=float",
];

#[test]
fn every_budget_ends_a_run() {
    let (_directory, path) = file(ENDLESS);
    let target = path.display().to_string();
    for limit in [["--max-instructions", "10000"], ["--max-seconds", "0.2"]] {
        let options = [&SIZED[..], &["--bind", "M=1000000"], &limit].concat();
        let output = run(&target, &options);
        let text = stdout(&output);
        assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
        assert!(text.contains(limit[0]), "{text}");
    }
    let bare = run(&target, &[]);
    assert_eq!(bare.status.code(), Some(2));
    assert!(
        stderr(&bare).contains("cannot be launched"),
        "{}",
        stderr(&bare)
    );
}

#[test]
fn a_snippet_without_a_launch_invents_one() {
    let (_directory, path) = file(ENDLESS);
    let target = format!("{}:6", path.display());
    let output = run(&target, &[]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(text.contains("sizes and types are invented"), "{text}");
    assert!(text.contains("y float [128, 128]"), "{text}");
}

#[test]
fn dumps_show_a_value_after_a_statement() {
    let path = kernel("layer_norm.py");
    let line = line_of(&path, "cadd(dst, fold)");
    let [part, slot, tensor, second, never] = [
        format!("mean@{line}"),
        format!("x_in[1]@{line}"),
        format!("x@{line}"),
        format!("mean@{line}:1"),
        format!("mean@{line}:99"),
    ];
    let options = [
        "--bind", "M=129", "--dump", &part, "--dump", &slot, "--dump", &tensor, "--dump", &second,
        "--dump", &never, "--lane", "vec1", "--json",
    ];
    let output = run(&path, &options);
    let report = json(&output);
    let dumps = report["dumps"].as_array().expect("dumps");
    assert_eq!(output.status.code(), Some(0), "{report}");
    assert_eq!(dumps[0]["lane"], "vec1");
    assert_eq!(
        (&dumps[0]["line"], &dumps[0]["core"]),
        (&line.into(), &0.into())
    );
    let mean = dumps[0]["values"].as_array().expect("values");
    let sum = mean[0].as_f64().expect("a number");
    assert_eq!(dumps[0]["shape"], serde_json::json!([1, 64]));
    assert!(sum != 0.0 && sum.abs() < 128.0, "{sum}");
    assert_eq!(dumps[1]["shape"], serde_json::json!([64, 128]));
    assert!(dumps[1]["values"][0].is_null(), "slot 1 is not loaded yet");
    assert_eq!(dumps[2]["shape"], serde_json::json!([129, 128]));
    assert_eq!(dumps[3]["execution"], 1);
    assert_ne!(dumps[3]["values"], dumps[0]["values"]);
    assert_eq!(dumps[4]["seen"], false);
    let text = run(&path, &["--dump", &part, "--color", "never"]);
    assert!(stdout(&text).contains(&format!("mean after line {line}: cadd(dst, fold)")));
}

#[test]
fn dumps_in_a_helper_of_cpp_show_what_it_is_given() {
    let path = crate::common::root().join("tests/ascendc/kernels/gelu_rows.cpp");
    let path = path.display().to_string();
    let line = line_of(&path, "AscendC::Div(y, x, y, n)");
    let [own, whole] = [format!("y@{line}:1"), format!("out_[0]@{line}")];
    let output = run(&path, &["--dump", &own, "--dump", &whole, "--json"]);
    let report = json(&output);
    assert_eq!(output.status.code(), Some(0), "{report}");
    let dumps = report["dumps"].as_array().expect("dumps");
    // `y` is a row of a queue here, and not the tensor `y` of the kernel.
    assert_eq!(dumps[0]["shape"], serde_json::json!([1, 256]));
    assert!(dumps[0]["values"][0].is_number(), "{report}");
    assert_eq!(dumps[1]["shape"], serde_json::json!([1, 256]));
}

#[test]
fn dumps_of_nothing_are_refused() {
    let path = kernel("layer_norm.py");
    let line = line_of(&path, "cadd(dst, fold)");
    let refused = |dump: String, reason: &str| {
        let output = run(&path, &["--dump", &dump]);
        assert_eq!(output.status.code(), Some(2));
        assert!(stderr(&output).contains(reason), "{}", stderr(&output));
    };
    refused(format!("maen@{line}"), "did you mean `mean`?");
    refused("mean@1".to_owned(), "executes no instruction on line 1");
    refused("mean".to_owned(), "is not NAME@LINE");
}

#[test]
fn timelines_open_in_a_trace_viewer() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = directory.path().join("t.json").display().to_string();
    let output = run(
        &kernel("flash_attention.py"),
        &["--timeline", &path, "--json"],
    );
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let trace: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(&path).expect("a file")).expect("JSON");
    let events = trace["traceEvents"].as_array().expect("events");
    let tracks: Vec<&str> = events
        .iter()
        .filter(|event| event["name"] == "thread_name")
        .filter_map(|event| event["args"]["name"].as_str())
        .collect();
    for track in ["cube MTE1", "cube M", "cube FIX", "vec0 V", "vec1 MTE3"] {
        assert!(tracks.contains(&track), "{tracks:?}");
    }
    let mut ends = std::collections::BTreeMap::new();
    let slices = events.iter().filter(|event| event["ph"] == "X");
    for slice in slices.clone() {
        let [start, length] = ["ts", "dur"].map(|key| slice[key].as_f64().expect("a time"));
        let track = (slice["pid"].as_u64(), slice["tid"].as_u64());
        let end = ends.insert(track, start + length).unwrap_or(0.0);
        assert!(
            start >= end - 1e-6 && length >= 0.0,
            "{slice} begins before {end}"
        );
    }
    assert!(slices.clone().any(|slice| slice["cat"] == "wait"));
    let ends_of = |phase: &str| -> Vec<&serde_json::Value> {
        events.iter().filter(|event| event["ph"] == phase).collect()
    };
    let (starts, finishes) = (ends_of("s"), ends_of("f"));
    assert_eq!(starts.len(), finishes.len());
    for (start, finish) in starts.iter().zip(&finishes) {
        assert_eq!(
            (&start["id"], &start["name"]),
            (&finish["id"], &finish["name"])
        );
        assert!(
            start["ts"].as_f64() <= finish["ts"].as_f64(),
            "{start} {finish}"
        );
    }
    // Handshakes of a lane, and tokens of the bridges between lanes.
    let named = |text: &str| {
        let mut names = starts.iter().filter_map(|start| start["name"].as_str());
        names.any(|name| name.contains(text))
    };
    assert!(named("auto_sync MTE2→V") && named("mutex `score_ready`"));
    let last = ends.into_values().fold(0.0, f64::max);
    let cost = json(&output)["cost"].clone();
    let total = cost["cycles"].as_f64().expect("cycles") / cost["clock_mhz"].as_f64().expect("MHz");
    assert!((last - total).abs() < 0.1, "{last} and {total}");
}

#[test]
fn masked_lanes_have_a_sign_of_their_own() {
    let (_directory, path) = file(
        "\
from easyasc.a2 import *

@kernel()
def masked(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        dup(ub, 1.0)
        set_mask(0, 0xFF0F)
        adds(ub, ub, 1.0)
        reset_mask()
        y[0:1, 0:64] <<= ub
    return y
",
    );
    let target = format!("{}:9", path.display());
    let output = run(&target, &["--color", "never"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}{}", stderr(&output));
    assert!(
        text.contains("12 of 64 changed  52 masked off from row 0, column 4"),
        "{text}"
    );
    assert!(text.contains("2.0000*  1.0000~"), "{text}");
    assert!(text.contains("* changed   ~ masked off\n"), "{text}");
}

/// Waits until a process handles the interrupt signal, if the system tells that, and a little longer.
#[cfg(unix)]
fn wait_until_interruptible(process: u32) {
    let catches = || {
        let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
        let caught = status
            .lines()
            .find_map(|line| line.strip_prefix("SigCgt:"))?;
        let signals = u64::from_str_radix(caught.trim(), 16).ok()?;
        Some(signals >> 1 & 1 == 1)
    };
    for _ in 0..600 {
        if catches().unwrap_or(true) {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    std::thread::sleep(std::time::Duration::from_millis(1000));
}

#[test]
#[cfg(unix)]
fn an_interrupted_run_says_what_it_knows() {
    let (_directory, path) = file(ENDLESS);
    let child = crate::common::binary()
        .args(["run", &path.display().to_string()])
        .args(SIZED)
        .args(["--bind", "M=1000000", "--max-instructions", "1000000000000"])
        .stdout(std::process::Stdio::piped())
        .spawn()
        .expect("the binary runs");
    wait_until_interruptible(child.id());
    let kill = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(kill.expect("kill runs").success());
    let output = child.wait_with_output().expect("it ends");
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(
        text.contains("cancelled: ") && text.contains("512 undefined"),
        "{text}"
    );
}

#[test]
fn convolutions_are_refused_by_name() {
    let (_directory, path) = file(
        "\
from easyasc.a2 import *

@kernel()
def windows(x: GMTensor, y: GMTensor):
    l1 = Tensor(DT.half, [16, 16], Position.L1)
    l0a = Tensor(DT.half, [16, 16], Position.L0A)
    l1 <<= x[0:16, 0:16]
    img2col(l0a, l1)
    return y
",
    );
    let shapes = ["--shape", "x=16,16", "--shape", "y=16,16"];
    let types = ["--dtype", "x=half", "--dtype", "y=half"];
    let output = run(&path.display().to_string(), &[shapes, types].concat());
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(2), "{text}{}", stderr(&output));
    assert!(
        text.contains("img2col is not simulated: its window, stride"),
        "{text}"
    );
}

#[test]
fn a_deadlock_is_an_outcome_of_its_own() {
    let (_directory, path) = file(
        "\
from easyasc.a2 import *

@kernel()
def stuck(x: GMTensor, y: GMTensor):
    ub = Tensor(DT.float, [8, 64], Position.UB)
    ub <<= x[0:8, 0:64]
    wait_cube(3)
    y[0:8, 0:64] <<= ub
    return y
",
    );
    let output = run(&path.display().to_string(), &SIZED);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    let lane = "core 0 vec0 waits for the cube lane on flag 3, at line 7: wait_cube(3)";
    assert!(text.contains("deadlock: ") && text.contains(lane), "{text}");
}

#[test]
fn a_loop_of_a_tebi_of_trips_ends_at_its_limit() {
    let (_directory, path) = file(&ENDLESS.replace("1000000000", "1 << 40"));
    let options = [&SIZED[..], &["--bind", "M=1", "--max-instructions", "5000"]].concat();
    let output = run(&path.display().to_string(), &options);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}{}", stderr(&output));
    assert!(
        text.contains("(--max-instructions)") && text.contains("512 undefined"),
        "{text}"
    );
}

const SHIFTED: &str = r#"
import torch
from easyasc.a2 import *

@kernel(mode="vec")
def shifted(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [1, 128], Position.UB)
    out = Tensor(DT.float, [1, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            tile <<= x[0:1, 0:128]
            adds(out, tile[0:1, 0:64], 1.0)
            if M > 1:
                adds(out, tile[0:1, 4:68], 1.0)
            y[0:1, 0:64] <<= out
    return y

if __name__ == "__main__":
    OpExec(shifted, "", simulator=True)(torch.randn(1, 128), torch.zeros(1, 64), 1)
"#;

#[test]
fn errors_of_the_instructions_that_ran_are_told() {
    let (_directory, path) = file(SHIFTED);
    let target = path.display().to_string();
    let skipped = run(&target, &["--color", "never"]);
    let text = stdout(&skipped);
    assert_eq!(skipped.status.code(), Some(0), "{text}{}", stderr(&skipped));
    assert!(!text.contains("operand-alignment"), "{text}");
    let executed = run(&target, &["--color", "never", "--bind", "M=2"]);
    let text = stdout(&executed);
    assert_eq!(executed.status.code(), Some(1), "{text}");
    assert!(text.contains("operand-alignment"), "{text}");
}

#[test]
fn infinities_of_the_cube_are_told() {
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/rules/nan-produced/bad_drain.py");
    let output = run(&case.display().to_string(), &["--color", "never"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("nan-produced"), "{text}");
}

/// Returns a kernel that multiplies floats or halves, with HF32 on or off.
fn product(dtype: &str, tensor: &str, hf32: &str) -> String {
    format!(
        r#"import torch

from easyasc.a2 import *

@kernel()
def product(a: GMTensor, b: GMTensor, c: GMTensor):
    l1_a = Tensor(DT.{dtype}, [16, 64], Position.L1)
    l1_b = Tensor(DT.{dtype}, [16, 64], Position.L1)
    l0c = Tensor(DT.float, [16, 16], Position.L0C)
    with auto_sync():
        if GetCubeIdx() == 0:
            {hf32}
            l1_a <<= a[0:16, 0:64]
            l1_b <<= b[0:16, 0:64]
            matmul(l0c, l1_a, l1_b)
            c[0:16, 0:16] <<= l0c
    return c

if __name__ == "__main__":
    a = torch.randn(16, 64){tensor}
    OpExec(product, "", simulator=True)(a, a, torch.zeros(16, 16))
"#
    )
}

#[test]
fn products_that_hf32_would_round_are_not_called_exact() {
    let doubts = |dtype, tensor, hf32| {
        let (_directory, path) = file(&product(dtype, tensor, hf32));
        let output = run(&path.display().to_string(), &["--color", "never"]);
        let text = stdout(&output) + &stderr(&output);
        let is_doubted = text.contains("not rounded to HF32");
        // Values that may differ from the device's do not count as success.
        assert_eq!(output.status.code(), Some(i32::from(is_doubted)), "{text}");
        is_doubted
    };
    assert!(doubts("float", "", "set_hf32(True)"));
    assert!(!doubts("float", "", "set_hf32(False)"));
    assert!(!doubts("half", ".half()", "set_hf32(True)"));
}
