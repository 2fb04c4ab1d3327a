//! The binary: exit status, streams, file discovery.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const KERNEL: &str = "from easyasc.a2 import *\n\nTILE = 128\n";

fn a2lint(directory: &Path, args: &[&str]) -> Output {
    command(directory, args).output().expect("the binary runs")
}

fn command(directory: &Path, args: &[&str]) -> Command {
    let mut command = crate::common::binary();
    command.current_dir(directory).args(args);
    command
}

fn with_stdin(directory: &Path, args: &[&str], input: &[u8]) -> Output {
    let mut child = command(directory, args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(input).expect("the binary reads");
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

fn project(files: &[(&str, &[u8])]) -> TempDir {
    crate::common::project(files)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_slice(&output.stdout).expect("one JSON object")
}

/// Returns the files that `check -v` lists.
fn checked(directory: &Path, args: &[&str]) -> Vec<String> {
    let args: Vec<&str> = ["check", "-v"].iter().chain(args).copied().collect();
    let text = stderr(&a2lint(directory, &args));
    text.lines()
        .filter_map(|line| line.strip_prefix("checked ")?.split(':').next())
        .map(str::to_owned)
        .collect()
}

#[test]
fn directories_are_walked_in_order_and_gitignore_is_respected() {
    let project = project(&[
        ("b.py", KERNEL.as_bytes()),
        ("a/z.py", KERNEL.as_bytes()),
        ("a/skipped.py", KERNEL.as_bytes()),
        ("a/plain.py", b"import os\n"),
        ("a/mention.py", b"# not easyasc\n"),
        ("a/text.txt", KERNEL.as_bytes()),
        (".hidden/k.py", KERNEL.as_bytes()),
        (".gitignore", b"skipped.py\n"),
    ]);
    assert_eq!(checked(project.path(), &[]), ["a/z.py", "b.py"]);
    assert_eq!(
        checked(project.path(), &["--jobs", "1"]),
        ["a/z.py", "b.py"]
    );
    let named = ["a/skipped.py", "b.py", "a", "./b.py"];
    assert_eq!(
        checked(project.path(), &named),
        ["a/skipped.py", "b.py", "a/z.py"]
    );
}

#[test]
fn files_of_other_languages_are_found() {
    let project = project(&[
        ("a.ptx", b".version 8.6\n"),
        ("b.cu", b"// tcgen05\n"),
        ("c.hpp", b"AscendC::GatherMask(d, s, 1);\n"),
        ("d.cpp", b"int main() { return 0; }\n"),
        ("e.mlir", b"module {}\n"),
        ("f.pto", b"\n"),
        ("g.rs", b"// tcgen05\n"),
    ]);
    assert_eq!(
        checked(project.path(), &[]),
        ["a.ptx", "b.cu", "c.hpp", "e.mlir", "f.pto"]
    );
}

#[cfg(unix)]
#[test]
fn loops_of_symbolic_links_do_no_harm() {
    let project = project(&[("a/k.py", KERNEL.as_bytes())]);
    let link = project.path().join("a/loop");
    std::os::unix::fs::symlink(project.path(), link).expect("a link");
    assert_eq!(checked(project.path(), &[]), ["a/k.py"]);
}

#[test]
fn nothing_to_check_is_a_friendly_note() {
    let project = project(&[("a.py", b"import os\n")]);
    let output = a2lint(project.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(
        stdout(&output).starts_with("No kernels found"),
        "{output:?}"
    );
    assert_eq!(stderr(&output), "");
}

#[test]
fn functions_that_nothing_makes_kernels_are_named_on_request() {
    let text = "from easyasc.a2 import *\n\n\ndef k(x: GMTensor, y: GMTensor):\n    return y\n\n\n\
                def host(n):\n    return n\n";
    let folder = project(&[("k.py", text.as_bytes())]);
    let told = a2lint(folder.path(), &["check", "-v"]);
    let told = stdout(&told) + &stderr(&told);
    assert!(told.contains("k.py::k\n  no kernel"), "{told}");
    assert!(!told.contains("host"), "{told}");
    let told = a2lint(folder.path(), &["check"]);
    assert!(!(stdout(&told) + &stderr(&told)).contains("k.py::k"));
}

#[test]
fn other_files_that_are_named_are_passed_over() {
    let project = project(&[("a.py", b"import os\n"), ("k.py", KERNEL.as_bytes())]);
    let output = a2lint(project.path(), &["check", "a.py"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stdout(&output),
        "No kernels found: the source here uses neither a kernel DSL nor a mask instruction\n"
    );
    let both = [
        "check",
        "a.py",
        "k.py",
        "--output-format",
        "json",
        "--require-complete",
    ];
    let output = a2lint(project.path(), &both);
    assert_eq!(output.status.code(), Some(0));
    let report = json(&output);
    assert_eq!(report["not_analysed"], serde_json::json!([]));
    assert_eq!(report["summary"]["files"], 1);
}

#[test]
fn unknown_facades_are_named_wherever_they_are() {
    let project = project(&[
        ("a5.py", b"from easyasc.a5 import *\n"),
        ("a9.py", b"from easyasc.a9 import *\n"),
        (
            "both.py",
            b"from easyasc.a2 import *\nimport ascriptor.a2 as asc\n",
        ),
        ("inside.py", b"def build():\n    from easyasc.a2 import *\n"),
        ("k.py", KERNEL.as_bytes()),
        ("tools.py", b"from easyasc.tools import x\n"),
        ("two.py", b"from ascriptor.a3 import kernel\n"),
    ]);
    let named = [
        "check",
        "a5.py",
        "a9.py",
        "both.py",
        "inside.py",
        "k.py",
        "tools.py",
        "two.py",
    ];
    for args in [&["check"][..], &named[..]] {
        let output = a2lint(
            project.path(),
            &[args, &["--output-format", "json"]].concat(),
        );
        let report = json(&output);
        let entries = report["not_analysed"].as_array().expect("a list").iter();
        let entries: Vec<String> = entries
            .map(|it| {
                format!(
                    "{}: {}",
                    it["path"].as_str().unwrap(),
                    it["reason"].as_str().unwrap()
                )
            })
            .collect();
        assert_eq!(
            entries,
            [
                "a5.py: easyasc.a5 targets A5 devices",
                "a9.py: easyasc.a9 is a facade that a2lint does not know",
                "inside.py: easyasc.a2 is imported inside of a function or block",
            ]
        );
        assert_eq!(report["findings"], serde_json::json!([]));
    }
}

/// A kernel that stores what it loads, with a place for a launch comment above it.
const COPY: &str = r#"from easyasc.a2 import *

@kernel(mode="vec")
def copy(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):
            rows = Min(64, M - row)
            tile[0:rows, 0:64] <<= x[row:row + rows, 0:64]
            y[row:row + rows, 0:64] <<= tile[0:rows, 0:64]
    return y
"#;

/// Changes `COPY` so that it cannot be proved that its lanes store different rows.
fn hardly_known(text: &str) -> String {
    text.replace("GetVecNum() * 64", "Max(GetVecNum() * 64, 64)")
}

/// Returns `COPY` under a launch comment.
fn copy_with(launch: &str) -> String {
    COPY.replace("@kernel", &format!("# a2lint: {launch}\n@kernel"))
}

/// Returns the output of `check` for a file, and its exit status with and without `--require-complete`.
fn said_of(text: &str) -> (String, [Option<i32>; 2]) {
    let project = project(&[("k.py", text.as_bytes())]);
    let output = a2lint(project.path(), &["check"]);
    let complete = a2lint(project.path(), &["check", "--require-complete"]);
    let said = stdout(&output);
    let timeless = said.lines().map(|line| match line.ends_with(" s)") {
        true => line.rsplit_once(" (").map_or(line, |(text, _)| text),
        false => line,
    });
    let said: String = timeless.map(|line| format!("{line}\n")).collect();
    (said, [output.status.code(), complete.status.code()])
}

#[test]
fn what_was_not_looked_at_is_said() {
    let whole = copy_with("launch(M=128, x=float[M, 64], y=float[M, 64])");
    assert_eq!(
        said_of(&whole),
        (
            "Clean under preconditions: 1 kernel in 1 file, 4 of 8 properties proved for every \
             launch, 4 proved under preconditions\n\
             1 kernel proved under preconditions: k.py::copy: x is [M, 64], y is [M, 64], \
             M >= 1 (any size that fits an int32 index)\n"
                .to_owned(),
            [Some(0), Some(0)]
        )
    );
    assert_eq!(
        said_of(COPY),
        (
            "Clean under preconditions: 1 kernel in 1 file, 4 of 8 properties proved for every \
             launch, 4 proved under preconditions\n\
             1 kernel replayed with guessed sizes only: k.py::copy: no launch gives the extents \
             of its tensors\n\
             1 kernel proved under preconditions: k.py::copy: x is at least [M, 64], y is [M, 64], \
             M >= 1 (any size that fits an int32 index)\n"
                .to_owned(),
            [Some(0), Some(1)]
        )
    );
    let (said, _) = said_of(&hardly_known(&whole));
    assert!(
        said.starts_with(
            "No findings in 1 kernel in 1 file: 4 of 8 properties proved for every launch, \
             3 proved under preconditions, 1 tested"
        ),
        "{said}"
    );
    // These sizes exercise everything, but the proof of bounds has preconditions on extents.
    let (said, status) = said_of(&copy_with("launch(M=100)"));
    assert!(
        said.starts_with("Clean under preconditions: 1 kernel in 1 file, 4 of 8 properties proved"),
        "{said}"
    );
    assert_eq!(status, [Some(0), Some(0)]);
    // A launch that is too large to simulate is still compared with the preconditions of proofs.
    let (said, _) = said_of(&copy_with(
        "launch(M=100000000, x=float[M, 64], y=float[M, 64])",
    ));
    assert!(
        said.starts_with(
            "Clean under preconditions: 1 kernel in 1 file, 4 of 8 properties proved for every \
             launch, 4 proved under preconditions\n\
             1 kernel replayed at smaller sizes than asked for:"
        ),
        "{said}"
    );
    let (said, _) = said_of(&copy_with(
        "launch(M=100000000, x=float[99999999, 64], y=float[M, 64])",
    ));
    assert!(!said.contains("Clean"), "{said}");
    // The launch is one row short at reduced sizes, too.
    assert!(said.contains("warning[gm-out-of-bounds]"), "{said}");
    // If a launch is unusable, sizes are invented.
    let (said, status) = said_of(&copy_with("launch(rows=100)"));
    assert!(
        said.contains("warning[launch-unusable]: the kernel `copy` has no parameter `rows`"),
        "{said}"
    );
    assert!(
        said.contains("not replayed whole: k.py::copy: the launch cannot be used"),
        "{said}"
    );
    assert_eq!(status, [Some(0), Some(1)]);
    assert!(!said.contains("Clean"));
}

/// A kernel that requires a flag of at least 1, and one that requires a width of at most 64.
const FLAGGED: &str = "from easyasc.a2 import *


@kernel()
def flagged(x: GMTensor, y: GMTensor, R: Var, flag: Var):
    a = DBuff(DT.float, [1, 64], Position.UB)
    b = DBuff(DT.float, [1, 64], Position.UB)
    acc = Tensor(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        if flag > 0:
            dup(acc, 0.0)
        for r in range(GetVecIdx(), R, GetVecNum()):
            a[n] <<= x[r:r + 1, 0:64]
            add(b[n], a[n], acc)
            y[r:r + 1, 0:64] <<= b[n]
            n += 1
    return y


@kernel()
def narrow(x: GMTensor, y: GMTensor, R: Var, D: Var):
    a = DBuff(DT.float, [1, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx(), R, GetVecNum()):
            a[n][0:1, 0:D] <<= x[r:r + 1, 0:D]
            y[r:r + 1, 0:D] <<= a[n][0:1, 0:D]
            n += 1
    return y
";

/// Kernels that are proved for some launches only are not clean in any format, and the preconditions are reported.
#[test]
fn narrow_preconditions_are_said_in_every_format() {
    let both = said_of(FLAGGED).0;
    assert!(
        both.starts_with(
            "No findings; holds only for flag >= 1 (k.py::flagged), and 1 more kernel under other conditions: \
             2 kernels in 1 file, "
        ),
        "{both}"
    );
    assert!(!both.contains("Clean"), "{both}");
    // All kernels share one line.
    assert!(
        both.contains("\n2 kernels proved under preconditions: -v shows them\n"),
        "{both}"
    );
    let alone = FLAGGED.split("\n\n\n@kernel()\ndef narrow").next();
    let alone = format!("{}\n", alone.expect("a kernel"));
    let (said, _) = said_of(&alone);
    assert!(
        said.starts_with("No findings; holds only for flag >= 1: 1 kernel in 1 file, "),
        "{said}"
    );
    let project = project(&[("k.py", alone.as_bytes())]);
    let format = |name: &str| {
        let output = a2lint(project.path(), &["check", "--output-format", name]);
        stdout(&output)
    };
    for name in ["github", "gitlab", "junit", "sarif", "agent"] {
        let text = format(name);
        let is_said = text.contains("holds only for flag >= 1")
            || text.contains("holds only for flag &gt;= 1");
        assert!(is_said, "{name}: {text}");
        assert!(!text.contains("Clean"), "{name}: {text}");
    }
    let report = json(&a2lint(
        project.path(),
        &["check", "--output-format", "json"],
    ));
    assert_eq!(report["summary"]["clean"], false);
    assert_eq!(report["kernels"][0]["holds_only_for"][0], "flag >= 1");
}

/// Launches of the file are compared with the preconditions of proofs even without a replay.
#[test]
fn launches_break_preconditions_without_a_replay() {
    let status = |launch: &str| {
        let text = copy_with(launch);
        let project = project(&[("k.py", text.as_bytes())]);
        let args = ["check", "--no-replay", "--require-proof=bounds"];
        let output = a2lint(project.path(), &args);
        let said = stdout(&output);
        assert_eq!(
            said.contains("Clean"),
            output.status.code() == Some(0),
            "{said}"
        );
        output.status.code()
    };
    assert_eq!(
        status("launch(M=9, x=float[9, 64], y=float[9, 64])"),
        Some(0)
    );
    assert_eq!(
        status("launch(M=9, x=float[9, 64], y=float[8, 64])"),
        Some(1)
    );
}

/// A symbol that only an extent has can be bound; a width that equals the value of a parameter by chance stays.
#[test]
fn what_is_bound_is_what_was_named() {
    let symbol = "from ascriptor.a2 import *


@kernel(mode=\"vec\", block_dim=2)
def k(x: GM[f32, (\"M\", 64)], y: GM[f32, (\"N\", 64)]):
    u = DBuff(f32, [16, 64], Position.UB)
    n = Var(0)
    with auto_sync():
        for r in range(GetVecIdx() * 16, M, GetVecNum() * 16):
            v = Min(16, M - r)
            u[n][0:v, :] <<= x[r:r + v, 0:64]
            y[r:r + v, 0:64] <<= u[n][0:v, :]
            n += 1
    return y
";
    let project = project(&[
        ("symbol.py", symbol.as_bytes()),
        (
            "square.py",
            copy_with("launch(M=64, x=float[64, 64], y=float[64, 64])").as_bytes(),
        ),
    ]);
    let bound = |file: &str, bindings: &[&str]| {
        let options = bindings.iter().flat_map(|binding| ["--bind", binding]);
        let args: Vec<&str> = ["check", file].into_iter().chain(options).collect();
        let output = a2lint(project.path(), &args);
        let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
        (stdout(&output), complaints)
    };
    let (said, complaints) = bound("symbol.py", &["N=32", "M=64"]);
    assert!(!complaints.contains("--bind"), "{complaints}");
    assert!(
        said.contains("error[gm-out-of-bounds]") && said.contains("`y` [32, 64]"),
        "{said}"
    );
    let (said, _) = bound("symbol.py", &["N=64", "M=64"]);
    assert!(!said.contains("gm-out-of-bounds"), "{said}");
    // `M=100` changes the rows but not the columns.
    let (said, _) = bound("square.py", &["M=100"]);
    assert!(said.starts_with("Clean under preconditions"), "{said}");
}

#[test]
fn proofs_can_be_required() {
    let whole = hardly_known(&copy_with("launch(M=128, x=float[M, 64], y=float[M, 64])"));
    let project = project(&[("k.py", whole.as_bytes())]);
    let status = |option: &str| a2lint(project.path(), &["check", option]).status.code();
    assert_eq!(status("--require-proof=order,bounds"), Some(0));
    assert_eq!(status("--require-proof=initialised"), Some(0));
    assert_eq!(status("--require-proof=ownership"), Some(1));
    assert_eq!(status("--require-proof"), Some(1));
    assert_eq!(status("--require-proof=speed"), Some(2));
}

#[test]
fn the_format_has_the_name_that_other_linters_give_it() {
    let project = project(&[("k.py", COPY.as_bytes())]);
    let said = |option: &str| stdout(&a2lint(project.path(), &["check", option, "agent"]));
    assert!(!said("--format").is_empty());
    assert_eq!(said("--format"), said("--output-format"));
}

#[test]
fn every_format_says_what_was_not_looked_at() {
    let project = project(&[("k.py", COPY.as_bytes())]);
    let text = |format: &str| {
        let output = a2lint(project.path(), &["check", "--output-format", format]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        stdout(&output)
    };
    let gap = "replayed with guessed sizes only: no launch gives the extents of its tensors";
    for format in ["sarif", "github", "gitlab", "junit", "agent"] {
        assert!(text(format).contains(gap), "{format}: {}", text(format));
    }
    let report: serde_json::Value = serde_json::from_str(&text("json")).expect("an object");
    assert_eq!(report["summary"]["clean"], true);
    assert_eq!(report["summary"]["proved"], 4);
    assert_eq!(report["summary"]["proved_if"], 4);
    assert_eq!(report["summary"]["tested"], 0);
    assert_eq!(report["summary"]["undecided"], 0);
    let kernel = &report["kernels"][0];
    assert_eq!(kernel["name"], "copy");
    assert_eq!(kernel["dialect"], "easyasc");
    assert_eq!(kernel["traced"], "whole");
    assert_eq!(kernel["range"]["start"]["line"], 4);
    let launches = kernel["launches"].as_array().expect("launches");
    assert!(
        launches.iter().all(|launch| launch["from"] == "guess"),
        "{launches:?}"
    );
    assert!(
        launches
            .iter()
            .any(|launch| launch["outcome"] == "finished"),
        "{launches:?}"
    );
    let keys = [
        "property", "status", "if", "assuming", "because", "range", "findings",
    ];
    let verdicts = kernel["verdicts"].as_array().expect("verdicts");
    assert_eq!(verdicts.len(), 8);
    for verdict in verdicts {
        let mut known: Vec<&str> = verdict
            .as_object()
            .unwrap()
            .keys()
            .map(String::as_str)
            .collect();
        known.sort_by_key(|key| keys.iter().position(|it| it == key));
        assert_eq!(known, keys);
    }
    assert_eq!(verdicts[2]["property"], "bounds");
    assert_eq!(verdicts[2]["status"], "proved-if");
    assert_eq!(verdicts[2]["if"][0], "x is at least [M, 64]");
    let sarif: serde_json::Value = serde_json::from_str(&text("sarif")).expect("an object");
    let properties = &sarif["runs"][0]["properties"];
    assert_eq!(properties["kernels"], report["kernels"]);
    assert_eq!(properties["clean"], true);
    let table = stderr(&a2lint(project.path(), &["check", "-v"]));
    assert!(
        table.contains("k.py::copy\n  traced     whole\n"),
        "{table}"
    );
    assert!(
        table.contains("\n  proved-if  bounds: x is at least [M, 64], y is"),
        "{table}"
    );
}

#[test]
fn mask_instructions_that_cannot_be_read_are_named() {
    let project = project(&[("k.cpp", b"void f() {\n  GatherMask(d, s, 1\n}\n")]);
    let output = a2lint(project.path(), &["check", "--output-format", "json"]);
    let report = json(&output);
    let reason = &report["not_analysed"][0]["reason"];
    assert_eq!(reason, "line 2: `GatherMask` in text that cannot be read");
    assert_eq!(report["summary"]["clean"], false);
}

#[test]
fn findings_refute_and_silence_decides_nothing() {
    let wide = "launch(M=100, x=float[M, 64], y=float[64, 64])";
    let project = project(&[("k.py", copy_with(wide).as_bytes())]);
    let output = a2lint(project.path(), &["check", "--output-format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let report = json(&output);
    let bounds = &report["kernels"][0]["verdicts"][2];
    assert_eq!(bounds["status"], "refuted");
    let at = bounds["findings"][0].as_u64().expect("a position") as usize;
    assert_eq!(report["findings"][at]["name"], "gm-out-of-bounds");
    let off = [
        "check",
        "--ignore",
        "gm-out-of-bounds",
        "--output-format",
        "json",
    ];
    let report = json(&a2lint(project.path(), &off));
    let bounds = &report["kernels"][0]["verdicts"][2];
    assert_eq!(bounds["status"], "undecided");
    assert_eq!(bounds["because"], "`gm-out-of-bounds` is switched off");
    assert_eq!(report["summary"]["clean"], false);
    let bare = |more: &[&str]| {
        let args = ["check", "--no-replay", "--output-format", "json"];
        let report = json(&a2lint(project.path(), &[&args, more].concat()));
        report["kernels"][0]["verdicts"].clone()
    };
    let verdicts = bare(&[]);
    assert_eq!(verdicts[3]["because"], "replay is switched off");
    assert_eq!(verdicts[4]["status"], "undecided");
    // `--require-proof` makes proofs without a replay.
    assert_eq!(bare(&["--require-proof=order"])[4]["status"], "proved");
}

#[test]
fn bad_input_exits_with_2_and_the_rest_is_still_checked() {
    let mut bad = KERNEL.as_bytes().to_vec();
    bad.extend(b"# \xb0\xa1\n");
    let project = project(&[("good.py", KERNEL.as_bytes()), ("bad.py", &bad)]);
    let args = ["check", "-v", "missing.py", "bad.py", "good.py"];
    let output = a2lint(project.path(), &args);
    assert_eq!(output.status.code(), Some(2));
    let text = stderr(&output);
    assert!(
        text.contains("missing.py: no such file or directory"),
        "{text}"
    );
    let offset = KERNEL.len() + 2;
    let message = format!("bad.py: not UTF-8 (byte offset {offset})");
    assert!(text.contains(&message), "{text}");
    assert!(text.contains("checked good.py"), "{text}");
}

#[test]
fn enormous_files_are_refused_by_their_length() {
    let project = project(&[("k.py", KERNEL.as_bytes())]);
    let huge = fs::File::create(project.path().join("huge.py")).expect("a file");
    huge.set_len(50 << 20).expect("a sparse file");
    let output = a2lint(project.path(), &["check", "huge.py"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("huge.py: larger than 32 MiB"),
        "{output:?}"
    );
    assert_eq!(stdout(&output), "");
    let output = a2lint(project.path(), &["check"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("1 file not analysed: huge.py: larger than 32 MiB"));
}

#[test]
fn standard_input_goes_by_its_name() {
    let project = project(&[]);
    let args = ["check", "-", "--stdin-filename", "src/k.py", "-v"];
    let output = with_stdin(project.path(), &args, KERNEL.as_bytes());
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("checked src/k.py"), "{output:?}");
}

#[test]
fn a_byte_order_mark_is_no_obstacle() {
    let text = format!("\u{feff}{KERNEL}");
    let project = project(&[("k.py", text.as_bytes()), ("empty.py", b"")]);
    assert_eq!(checked(project.path(), &["k.py"]), ["k.py"]);
    let output = a2lint(project.path(), &["check", "empty.py"]);
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn bad_options_exit_with_2_and_suggest_a_spelling() {
    let project = project(&[]);
    let output = a2lint(project.path(), &["check", "--select", "l0c-overfow"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        stderr(&output).contains("did you mean `l0c-overflow`?"),
        "{output:?}"
    );
    for args in [
        &["check", "--device", "a5"][..],
        &["check", "--jobs", "0"],
        &["check", "-q", "-v"],
        &["explain", "nothing"],
        &["explain"],
        &["frobnicate"],
        &[],
    ] {
        let output = a2lint(project.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
    }
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

#[test]
fn rules_and_explain_show_the_catalogue() {
    let project = project(&[]);
    let output = a2lint(project.path(), &["rules", "--output-format", "json"]);
    let value = json(&output);
    assert_eq!(value["rules"][0]["name"], "l0c-overflow");
    let output = a2lint(project.path(), &["explain", "CAP001", "l0c-overflow"]);
    let text = stdout(&output);
    let head = "l0c-overflow (CAP001): error, proven from constants, repairs are tried\n";
    assert!(text.starts_with(head), "{text}");
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
    let kernel = include_bytes!("../kernels/broken/dup_narrow.py");
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

#[test]
fn prove_shows_a_table() {
    let project = project(&[("k.py", hardly_known(COPY).as_bytes())]);
    let output = a2lint(project.path(), &["prove"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let text = stdout(&output);
    let mut lines = text.lines();
    let head: Vec<&str> = lines
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    assert_eq!((head.len(), head[0]), (8, "capacity"), "{text}");
    let row: Vec<&str> = lines
        .next()
        .unwrap_or_default()
        .split_whitespace()
        .collect();
    assert_eq!(
        (row.len(), row[0], row[1]),
        (9, "k.py::copy", "proved"),
        "{text}"
    );
    assert!(
        text.contains("of 8 properties of 1 kernel proved"),
        "{text}"
    );
    assert!(
        text.contains("proved-if  bounds:") && text.contains(" is at least ["),
        "{text}"
    );
    for (property, code) in [("bounds", 0), ("ownership", 1)] {
        let required = format!("--require-proof={property}");
        let wanted = a2lint(project.path(), &["prove", "-q", &required]);
        assert_eq!(wanted.status.code(), Some(code), "{property}: {wanted:?}");
    }
    let json = a2lint(project.path(), &["prove", "--output-format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&stdout(&json)).expect("an object");
    assert_eq!(
        json["kernels"][0]["verdicts"][0]["status"], "proved",
        "{json}"
    );
}
