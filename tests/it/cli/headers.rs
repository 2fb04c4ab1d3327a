//! Headers that several checked files include.

use super::{a2lint, json, project, stderr, stdout};

const HEADER: &str = r#"#pragma once
#include "kernel_operator.h"
using namespace AscendC;
template <typename T>
__aicore__ inline void Twice(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 64 * sizeof(T));
    GlobalTensor<T> gx, gy;
    gx.SetGlobalBuffer((__gm__ T *)x, 64);
    gy.SetGlobalBuffer((__gm__ T *)y, 64);
    LocalTensor<T> t = buf.Get<T>();
    DataCopy(t, gx, 64);
    Adds(t, t, (T)1.0f, 64);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gy, t, 64);
}
"#;

fn entry(name: &str, dtype: &str) -> String {
    format!(
        "#include \"common.h\"\n// a2lint: launch(block_dim=1, x={dtype}[64], y={dtype}[64])\n\
         extern \"C\" __global__ __aicore__ void {name}(GM_ADDR x, GM_ADDR y) {{ Twice<{dtype}>(x, y); }}\n"
    )
}

/// The header with two entries, for two element types, and an entry with a mistake of its own.
fn files() -> Vec<(&'static str, String)> {
    let own = entry("third", "float").replace(
        "Twice<float>(x, y);",
        "Twice<float>(x, y);\n    TPipe pipe;\n    TBuf<TPosition::VECCALC> spare;\n    \
         pipe.InitBuffer(spare, 256);\n",
    );
    vec![
        ("common.h", HEADER.to_owned()),
        ("a.cpp", entry("first", "float")),
        ("b.cpp", entry("second", "half")),
        ("c.cpp", own),
    ]
}

fn written() -> tempfile::TempDir {
    let files = files();
    let files: Vec<(&str, &[u8])> = files
        .iter()
        .map(|(path, text)| (*path, text.as_bytes()))
        .collect();
    project(&files)
}

#[test]
fn a_finding_of_a_header_is_shown_once() {
    let project = written();
    let run = |args: &[&str]| {
        let args: Vec<&str> = ["check", "--no-cache"]
            .iter()
            .chain(args)
            .copied()
            .collect();
        a2lint(project.path(), &args)
    };
    let output = run(&["--output-format", "concise", "a.cpp", "b.cpp"]);
    let text = stdout(&output);
    let lines: Vec<&str> = text.lines().filter(|it| it.contains("[race]")).collect();
    assert_eq!(lines.len(), 1, "{text}");
    assert!(lines[0].starts_with("common.h:15:"), "{text}");
    assert!(lines[0].contains("called at a.cpp:3, b.cpp:3"), "{text}");
    let told = stderr(&output) + &text;
    assert!(told.contains("1 error"), "{told}");
    assert!(told.contains("2 kernels in 2 files: 2 wrong"), "{told}");
    assert_eq!(output.status.code(), Some(1));

    let output = run(&["--output-format", "json", "a.cpp", "b.cpp", "c.cpp"]);
    let report = json(&output);
    let races = report["findings"].as_array().expect("findings");
    let races: Vec<_> = races.iter().filter(|it| it["name"] == "race").collect();
    assert_eq!(races.len(), 1, "{report:#}");
    assert_eq!(races[0]["also_in"], serde_json::json!(["second", "third"]));
    let kernels = report["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), 3);

    let report = json(&run(&["--output-format", "sarif", "a.cpp", "b.cpp"]));
    let results = report["runs"][0]["results"].as_array().expect("results");
    assert_eq!(results.len(), 1, "{report:#}");
    // Alone, each file has it.
    let text = stdout(&run(&["--output-format", "concise", "b.cpp"]));
    assert!(
        text.contains("called at b.cpp:3") && !text.contains("a.cpp"),
        "{text}"
    );
}

#[test]
fn baselines_and_comments_know_findings_of_headers() {
    let project = written();
    let check = [
        "check",
        "--no-cache",
        "--baseline",
        "known.json",
        "a.cpp",
        "b.cpp",
    ];
    let args: Vec<&str> = check.iter().chain(&["--write-baseline"]).copied().collect();
    let output = a2lint(project.path(), &args);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let output = a2lint(project.path(), &check);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let silent = HEADER.replace("(T)1.0f, 64);", "(T)1.0f, 64);  // a2lint: ignore[race]");
    std::fs::write(project.path().join("common.h"), silent).expect("a file");
    let output = a2lint(project.path(), &["check", "--no-cache", "a.cpp", "b.cpp"]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

/// The code of a kernel may be in a header: commands name its lines as `common.h:15`, and take such lines.
#[test]
fn commands_show_and_take_lines_of_headers() {
    let project = written();
    let run = |args: &[&str]| a2lint(project.path(), args);
    for args in [
        ["run", "common.h:15"],
        ["run", "a.cpp::first"],
        ["cost", "a.cpp"],
        ["trace", "a.cpp"],
        ["test", "a.cpp"],
    ] {
        let output = run(&args);
        let text = stdout(&output) + &stderr(&output);
        assert!(text.contains("common.h:15"), "{args:?}: {text}");
        // Spans of other files begin far behind those of the checked one.
        let is_inner = |word: &str| word.len() > 5 && word.starts_with("104");
        let mut words = text.split(|c: char| !c.is_ascii_digit());
        assert!(!words.any(is_inner), "{args:?}: {text}");
    }
    let step = stdout(&run(&["run", "common.h:15"]));
    assert!(
        step.contains("common.h:15: Adds(t, t, (T)1.0f, 64)"),
        "{step}"
    );
    let dump = run(&["run", "a.cpp", "--dump", "t@common.h:15"]);
    let told = stdout(&dump);
    assert!(told.contains("t after common.h:15: Adds("), "{told}");
    let none = run(&["run", "a.cpp", "--dump", "t@common.h:2"]);
    assert!(
        stderr(&none).contains("executes no instruction on line 2 of common.h"),
        "{none:?}"
    );
    let outside = stderr(&run(&["run", "common.h:1"]));
    assert!(
        outside.contains("line 1 of") && outside.contains("`first` spans lines 14–17"),
        "{outside}"
    );
}
