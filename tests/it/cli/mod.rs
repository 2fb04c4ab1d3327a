//! The binary: exit status, streams, file discovery.

mod commands;
mod files;
mod headers;
mod input;
mod output;
mod verdicts;

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

const KERNEL: &str = "from easyasc.a2 import *\n\nTILE = 128\n";

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
    let text = stdout(&a2lint(directory, &args));
    text.lines()
        .filter_map(|line| line.strip_prefix("checked ")?.split(':').next())
        .map(str::to_owned)
        .collect()
}
