//! What is proved, under which preconditions, and what was not examined, in every format.

use super::{COPY, a2lint, json, project, stdout};

/// Changes `COPY` so that it cannot be proved that its lanes store different rows.
fn hardly_known(text: &str) -> String {
    text.replace("GetVecNum() * 64", "Max(GetVecNum() * 64, GetVecIdx())")
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
            "1 kernel: clean\n\
             k.py::copy is clean for every launch where x, y are [M, 64]; M: any size\n"
                .to_owned(),
            [Some(0), Some(0)]
        )
    );
    assert_eq!(
        said_of(COPY),
        (
            "1 kernel: clean\n\
             k.py::copy is clean for every launch where x is at least [M, 64], y is [M, 64]; M: any size\n"
                .to_owned(),
            [Some(0), Some(1)]
        )
    );
    let (said, _) = said_of(&hardly_known(&whole));
    assert!(
        said.starts_with("1 kernel: open\nk.py::copy is open\n  not proved: ownership: "),
        "{said}"
    );
    // These sizes exercise everything, but the proof of bounds has preconditions on extents.
    let (said, status) = said_of(&copy_with("launch(M=100)"));
    assert!(said.starts_with("1 kernel: clean\n"), "{said}");
    assert_eq!(status, [Some(0), Some(0)]);
    // A launch that is too large to simulate is still compared with the preconditions of proofs.
    let (said, _) = said_of(&copy_with(
        "launch(M=100000000, x=float[M, 64], y=float[M, 64])",
    ));
    assert!(said.starts_with("1 kernel: clean\n"), "{said}");
    let (said, _) = said_of(&copy_with(
        "launch(M=100000000, x=float[99999999, 64], y=float[M, 64])",
    ));
    assert!(!said.contains("clean"), "{said}");
    // The launch is one row short at reduced sizes, too.
    assert!(said.contains("warning[gm-out-of-bounds]"), "{said}");
    // If a launch is unusable, sizes are invented.
    let (said, status) = said_of(&copy_with("launch(rows=100)"));
    assert!(
        said.contains("warning[launch-unusable]: the kernel `copy` has no parameter `rows`"),
        "{said}"
    );
    assert!(said.contains("\n1 kernel: with warnings\n"), "{said}");
    assert_eq!(status, [Some(0), Some(1)]);
    assert!(!said.contains("clean"));
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
            "2 kernels: 2 open\nk.py::flagged is open\n  it holds only for flag >= 1\n  next: "
        ),
        "{both}"
    );
    assert!(
        both.contains("\nk.py::narrow is open\n  it holds only for "),
        "{both}"
    );
    assert!(!both.contains("clean"), "{both}");
    let alone = FLAGGED.split("\n\n\n@kernel()\ndef narrow").next();
    let alone = format!("{}\n", alone.expect("a kernel"));
    let (said, _) = said_of(&alone);
    assert!(
        said.starts_with(
            "1 kernel: open\nk.py::flagged is open\n  it holds only for flag >= 1\n  next: "
        ),
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
        assert!(
            !text.contains("clean for") && !text.contains("kernel: clean"),
            "{name}: {text}"
        );
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
            said.contains("1 kernel: clean"),
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
    assert!(said.starts_with("1 kernel: clean"), "{said}");
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
    let table = stdout(&a2lint(project.path(), &["check", "-v"]));
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
    let project = project(&[("k.cpp", b"void f() {\n  TSEL(d, s, 1\n}\n")]);
    let output = a2lint(project.path(), &["check", "--output-format", "json"]);
    let report = json(&output);
    let reason = &report["not_analysed"][0]["reason"];
    assert_eq!(reason, "line 2: `TSEL` in text that cannot be read");
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
    assert!(text.contains("\n1 kernel: open ("), "{text}");
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

/// What is missing, what was tried, and the contract to write, with the extents of the launch in sight.
#[test]
fn an_open_kernel_says_what_to_write() {
    let path = crate::common::root().join("tests/trust/help/every_block_the_same.cpp");
    let mut text = crate::common::read(&path);
    for (from, to) in [
        ("half*)x);", "half*)x + mine * GetBlockIdx(), mine);"),
        ("half*)y);", "half*)y + mine * GetBlockIdx(), mine);"),
        (
            "uint32_t at = 0; at < mine; at += TILE",
            "uint32_t i = 0; i < mine / TILE; i++",
        ),
        ("[first + at]", "[i * TILE]"),
    ] {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    let said = |text: &str| {
        let project = project(&[("k.cpp", text.as_bytes())]);
        stdout(&a2lint(project.path(), &["check", "k.cpp"]))
    };
    let missing = "\nk.cpp::twice is open\n  not proved: ownership: not shown: that every element of `y` is stored: \
                   a division leaves its rest out, unless it comes out even (line 20)\n  \
                   tested: its launch (n=8192, block_dim=4) ran without a fault\n";
    let open = said(&text);
    assert!(open.contains(missing), "{open}");
    let next = "  next: write above the kernel `// a2lint: shapes(y=[n])`\n";
    assert!(open.ends_with(next), "{open}");
    // What is written is not asked for again.
    let stated = text.replace("extern \"C\"", "// a2lint: shapes(y=[n])\nextern \"C\"");
    let open = said(&stated);
    assert!(
        open.contains("open") && !open.contains("next: write"),
        "{open}"
    );
}
