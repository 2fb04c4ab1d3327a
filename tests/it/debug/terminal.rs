//! `a2lint debug`.

use std::io::Write;
use std::process::Stdio;

use super::KERNEL;

/// Returns the standard output, standard error and exit status of a session with these commands.
fn says(target: &str, commands: &[&str]) -> (String, String, Option<i32>) {
    let mut child = crate::common::binary()
        .args(["debug", target])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    // The write may fail, because a session that has ended reads nothing more.
    let _ = stdin.write_all(commands.join("\n").as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("text");
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.code(),
    )
}

fn file() -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("rows.py");
    std::fs::write(&path, KERNEL).expect("the file is written");
    let path = path.display().to_string();
    (folder, path)
}

fn line_of(text: &str) -> usize {
    let start = KERNEL.find(text).expect("it is there");
    KERNEL[..=start].lines().count()
}

#[test]
fn a_session_goes_forwards_and_back() {
    let (_folder, path) = file();
    let (add, store) = (line_of("add(done"), line_of("y[row0"));
    let target = format!("{path}:{add}");
    let commands = [
        "print all(done[at] == 2 * tile)",
        "next",
        "print all(done[at] == 3 * tile)",
        "who done[at][0, 0]",
        "reads done[at][0, 0]",
        "back",
        "print all(done[at] == 2 * tile)",
        &format!("print all(done[at] == 3 * tile) @ {add}"),
        "goto end",
        "print undefined(y)",
        "reverse",
        "quit",
        "print 1",
    ];
    let (out, err, code) = says(&target, &commands);
    assert_eq!((err.as_str(), code), ("", Some(0)));
    let lines: Vec<&str> = out.lines().collect();
    let statement = |line: usize| {
        let text = KERNEL.lines().nth(line - 1).expect("a line").trim();
        format!("  {line}: {text}")
    };
    assert_eq!(lines[2], statement(add), "{out}");
    assert_eq!(lines[3], "True", "{out}");
    assert_eq!(lines[5], statement(store), "{out}");
    assert_eq!(lines[6], "True", "{out}");
    assert_eq!(lines[7], format!("line {}", statement(add).trim()), "{out}");
    assert_eq!(
        lines[9],
        format!("line {}", statement(store).trim()),
        "{out}"
    );
    assert_eq!(lines[12], statement(add), "{out}");
    assert_eq!(lines[13], "True", "{out}");
    assert_eq!(
        lines[14],
        format!("line {add} has not been executed on this lane"),
        "{out}"
    );
    assert_eq!(lines[15], "the kernel has finished", "{out}");
    assert_eq!(lines[18], "0", "{out}");
    assert_eq!(lines[19], "at the start", "{out}");
    assert!(!out.ends_with("1\n"), "{out}");
}

#[test]
fn stops_are_listed_and_forgotten() {
    let (_folder, path) = file();
    let add = line_of("add(done");
    let commands = [
        &format!("break {add} if at == 7"),
        "watch y[199, 0]",
        "watch undefined rest[0]",
        "catch undefined",
        "catch race",
        "stops",
        "continue",
        "print at",
        "continue",
        "delete 2",
        "delete 9",
        "delete",
        "lanes",
        "tokens",
    ];
    let (out, _, code) = says(&path, &commands);
    assert_eq!(code, Some(0));
    for part in [
        &format!("breakpoint 1 on line {add}\n"),
        "watchpoint 2 on 4 bytes of y[199, 0]",
        "watchpoint 3 on 256 bytes of rest[0]",
        "if at == 7\nwatchpoint 2 on 4 bytes: written\nwatchpoint 3 on 256 bytes: written and undefined\nstops at: Undefined data is used\nstops at: Races",
        "breakpoint 1\ncore 3 vec1, iteration 0",
        "\n7 (int)\n",
        &format!(
            "watchpoint 2: written by line {}: y[row0",
            line_of("y[row0")
        ),
        "there is no 9",
        "nothing stops the run",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn what_is_no_command_is_answered() {
    let (_folder, path) = file();
    let commands = [
        "prin x",
        "frobnicate",
        "break",
        "break 1",
        "break x",
        "break 20 if (",
        "watch 1 + 1",
        "watch nothing",
        "print",
        "goto x",
        "lane",
        "lane 99 vec0",
        "step x",
        "catch x",
        "delete x",
        "who tile[0:2, 0:3]",
        "\u{0}",
        "é",
        "list x",
        "lane 1 vec0",
        "print tile",
    ];
    let (out, err, code) = says(&path, &commands);
    assert_eq!((err.as_str(), code), ("", Some(0)), "{out}");
    for part in [
        "there is no command `prin`; did you mean `print`?",
        "there is no command `frobnicate`; `help` lists all",
        "the kernel executes nothing on line 1\n",
        "only elements of tensors are in memory",
        "nothing is called `nothing` here",
        "there is no expression",
        "there is no core 99 vec0",
        "do not follow each other in memory",
        "core 1 vec0 is not running",
    ] {
        assert!(out.contains(part), "{part}\n{out}");
    }
}

#[test]
fn what_cannot_be_debugged_is_said() {
    let (_folder, path) = file();
    let (_, err, code) = says(&format!("{path}:1"), &[]);
    assert_eq!(code, Some(2));
    assert!(
        err.contains("executes no instruction") || err.contains("outside every kernel"),
        "{err}"
    );
    let (_, err, code) = says(&format!("{path}::nothing"), &[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("has no kernel `nothing`"), "{err}");
}

/// Breakpoints, sources and values of a kernel whose code is in a header.
#[test]
fn code_in_headers_is_debugged() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path().join(name), text).expect("the file is written");
    };
    write("a2lint.toml", "");
    write(
        "twice.h",
        "#include \"kernel_operator.h\"\nusing namespace AscendC;\n\
         __aicore__ inline void Twice(GM_ADDR x, GM_ADDR y)\n{\n    TPipe pipe;\n    \
         TBuf<TPosition::VECCALC> buf;\n    pipe.InitBuffer(buf, 256);\n    GlobalTensor<float> gx, gy;\n    \
         gx.SetGlobalBuffer((__gm__ float *)x, 64);\n    gy.SetGlobalBuffer((__gm__ float *)y, 64);\n    \
         LocalTensor<float> t = buf.Get<float>();\n    DataCopy(t, gx, 64);\n    PipeBarrier<PIPE_ALL>();\n    \
         Adds(t, t, 1.0f, 64);\n    PipeBarrier<PIPE_ALL>();\n    DataCopy(gy, t, 64);\n}\n",
    );
    write(
        "twice.cpp",
        "#include \"twice.h\"\n// a2lint: launch(block_dim=1, x=float[64], y=float[64])\n\
         extern \"C\" __global__ __aicore__ void twice(GM_ADDR x, GM_ADDR y) { Twice(x, y); }\n",
    );
    let path = |name: &str| folder.path().join(name).display().to_string();
    let commands = [
        "break 14",
        "break twice.h:14",
        "continue",
        "list",
        "list twice.cpp:3",
        "print t @ twice.h:12",
        "break x.y",
    ];
    let (said, _, status) = says(&path("twice.cpp"), &commands);
    assert_eq!(status, Some(0), "{said}");
    for text in [
        "the kernel executes nothing on line 14; it does on ",
        "breakpoint 1 on line 14 of twice.h",
        "twice.h:14: Adds(t, t, 1.0f, 64)",
        ">  14 │     Adds(t, t, 1.0f, 64);",
        "    3 │ extern \"C\"",
        "`x.y` is no line; say LINE or FILE:LINE",
    ] {
        assert!(said.contains(text), "{text}: {said}");
    }
    let (said, _, status) = says(&format!("{}:14", path("twice.h")), &["lanes"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("twice.h:14: Adds(t, t, 1.0f, 64)"), "{said}");
}
