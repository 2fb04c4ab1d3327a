//! What hostile files must not make the binary do: execute them, write files, hang, flood the output, or control the
//! terminal.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::time::{Duration, SystemTime};

use crate::common::project;

fn a2lint(directory: &Path, args: &[&str]) -> Output {
    crate::common::binary()
        .current_dir(directory)
        .args(args)
        .output()
        .expect("the binary runs")
}

fn text(output: &Output) -> String {
    let streams = [output.stdout.clone(), output.stderr.clone()].concat();
    String::from_utf8(streams).expect("UTF-8")
}

/// Returns every file below a folder, with its bytes and modification time.
fn state(folder: &Path) -> BTreeMap<PathBuf, (Vec<u8>, SystemTime)> {
    let mut found = BTreeMap::new();
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            found.extend(state(&path));
            continue;
        }
        let changed = fs::metadata(&path).and_then(|it| it.modified());
        let bytes = fs::read(&path).expect("a file");
        found.insert(path, (bytes, changed.expect("a time")));
    }
    found
}

/// Python that would create a file if it were executed, in every place that Python executes.
const WRITES: &str = "
import os, subprocess
from easyasc.a2 import *
open('pwned-1', 'w').write('x')
os.system('touch pwned-2')
__import__('subprocess').run(['touch', 'pwned-3'])
exec(\"open('pwned-4', 'w')\")
WIDTH = eval(\"open('pwned-5', 'w') and 64\")


def decorate(function):
    subprocess.run('touch pwned-6', shell=True)
    return function


class Side:
    open('pwned-7', 'w')


@decorate
@kernel()
def k(x: GMTensor, M: Var = os.system('touch pwned-8')):
    t = Tensor(DT.float, [64, 64 + os.system('touch pwned-9')], Position.UB)
    print(f\"{open('pwned-10', 'w')}\", file=open('pwned-11', 'w'))
    [open(f'pwned-{n}', 'w') for n in unroll(12, 14)]
    t <<= x[0:64, 0:64]
    return x


if __name__ == '__main__':
    open('pwned-15', 'w')
    OpExec(k, 'pwned-16', simulator=True)(torch.load('pwned-17'), 64)
";

#[test]
fn nothing_is_executed_and_nothing_is_written_unasked() {
    let kernel = include_str!("../kernels/broken/dup_narrow.py");
    let project = project(&[("evil.py", WRITES), ("bad.py", kernel)]);
    let before = state(project.path());
    for args in [
        &["check"][..],
        &["check", "--pedantic", "--output-format", "json"],
        &["check", "--diff", "--unsafe-fixes"],
        &["check", "--statistics", "-v", "evil.py"],
        &["check", "--show-settings"],
        &["check", "--show-files"],
        &["trace", "evil.py"],
        &["mem", "evil.py"],
        &["run", "evil.py"],
        &["run", "bad.py"],
        &["run", "bad.py:26"],
        &["explain", "dup-coverage"],
        &["rules"],
    ] {
        let output = a2lint(project.path(), args);
        assert!(
            output.status.code().is_some_and(|code| code < 3),
            "{args:?}: {output:?}"
        );
        assert_eq!(state(project.path()), before, "{args:?}");
    }
}

#[test]
fn nesting_stops_no_command() {
    let deep = |open: &str, close: &str| {
        let (open, close) = (open.repeat(3_000), close.repeat(3_000));
        format!(
            "from easyasc.a2 import *\n\n\n@kernel()\ndef k(x: GMTensor):\n    a = {open}1{close}\n    return x\n"
        )
    };
    let blocks: String = (0..900)
        .map(|depth| format!("{}if True:\n", " ".repeat(depth)))
        .chain([format!("{}pass\n", " ".repeat(900))])
        .collect();
    let project = project(&[
        ("brackets.py", &deep("(", ")")),
        ("lists.py", &deep("[", "]")),
        ("signs.py", &deep("-", "")),
        ("calls.py", &deep("f(", ")")),
        ("blocks.py", &format!("from easyasc.a2 import *\n{blocks}")),
        (
            "braces.cpp",
            &format!("TASSIGN();\n{}{}", "{".repeat(9_000), "}".repeat(9_000)),
        ),
        ("parens.cu", &format!("tcgen05 {}", "(".repeat(9_000))),
        ("angles.hpp", &format!("TSEL {}", "A<".repeat(9_000))),
        (
            "braces.ptx",
            &format!(".version 8.7\n.entry k() {}", "{".repeat(9_000)),
        ),
        (
            "parens.ptx",
            &format!(".version 8.7\nmov.b64 %a, {}1;", "(".repeat(9_000)),
        ),
        ("angles.pto", &format!("tsel {}", "<(".repeat(9_000))),
        ("regions.mlir", &"module {\n".repeat(9_000)),
    ]);
    let output = a2lint(project.path(), &["check", "-v"]);
    assert!(
        output.status.code().is_some_and(|code| code < 2),
        "{output:?}"
    );
    assert_eq!(text(&output).matches("checked ").count(), 12, "{output:?}");
    for file in [
        "brackets.py",
        "lists.py",
        "signs.py",
        "calls.py",
        "blocks.py",
    ] {
        for command in ["trace", "mem", "run", "cost"] {
            let output = a2lint(project.path(), &[command, file]);
            assert!(
                output.status.code().is_some_and(|code| code < 3),
                "{file}: {output:?}"
            );
        }
    }
}

#[test]
fn findings_of_a_file_are_counted_not_listed_without_end() {
    let mut kernel = String::from(
        "from easyasc.a2 import *\n\n\n@kernel()\ndef k(x: GMTensor):\n    t = Tensor(DT.float, [64, 8], Position.UB)\n",
    );
    for _ in 0..2_500 {
        kernel.push_str("    dup(t, 0.0, repeat=256)\n");
    }
    kernel.push_str("    return x\n");
    let project = project(&[("k.py", &kernel)]);
    let output = a2lint(
        project.path(),
        &["check", "--no-replay", "--output-format", "json"],
    );
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(report["findings"].as_array().expect("a list").len(), 2_000);
    let reason = report["not_analysed"][0]["reason"]
        .as_str()
        .expect("a reason");
    assert!(
        reason.ends_with("findings; the first 2000 are shown"),
        "{reason}"
    );
}

#[test]
fn names_of_files_cannot_steer_the_terminal() {
    let kernel = include_str!("../kernels/broken/dup_narrow.py");
    let name = "k\u{1b}[2J\n::error::x\u{202e}.py";
    let project = project(&[(name, kernel)]);
    for format in ["full", "concise", "agent", "github"] {
        let output = a2lint(project.path(), &["check", "--output-format", format, "-v"]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let text = text(&output);
        assert!(!text.contains('\u{1b}'), "{format}: {text:?}");
        assert!(!text.contains('\u{202e}'), "{format}: {text:?}");
        assert!(!text.contains("\n::error::x"), "{format}: {text:?}");
    }
    for format in ["json", "sarif", "gitlab"] {
        let output = a2lint(project.path(), &["check", "--output-format", format]);
        let parsed = serde_json::from_slice::<serde_json::Value>(&output.stdout);
        assert!(parsed.is_ok(), "{format}: {output:?}");
    }
}

#[test]
fn enormous_configurations_and_baselines_are_refused() {
    let project = project(&[("k.py", "from easyasc.a2 import *\n"), ("sub/k.py", "")]);
    let config = fs::File::create(project.path().join("a2lint.toml")).expect("a file");
    config.set_len(1 << 40).expect("a sparse file");
    let output = a2lint(project.path(), &["check"]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "cannot read the configuration: larger than 1 MiB";
    assert!(text(&output).contains(wanted), "{output:?}");
    fs::remove_file(project.path().join("a2lint.toml")).expect("it is there");
    let baseline = fs::File::create(project.path().join("known.json")).expect("a file");
    baseline.set_len(1 << 40).expect("a sparse file");
    let output = a2lint(project.path(), &["check", "--baseline", "known.json"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output).contains("larger than 64 MiB"), "{output:?}");
}

#[cfg(unix)]
#[test]
fn what_is_no_regular_file_is_not_waited_for() {
    use std::os::unix::fs::symlink;
    let project = project(&[("k.py", "from easyasc.a2 import *\n")]);
    let at = |name: &str| project.path().join(name);
    // Files that are discovered, and configuration files, that are links to an endless device.
    symlink("/dev/zero", at("zero.py")).expect("a link");
    symlink("/dev/zero", at("a2lint.toml")).expect("a link");
    let output = bounded(project.path(), &["check", "-v"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        text(&output).contains("outside of the project"),
        "{output:?}"
    );
    fs::remove_file(at("a2lint.toml")).expect("it is there");
    let output = bounded(project.path(), &["check", "-v"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(!text(&output).contains("zero.py"), "{output:?}");
    // If such a file is named, it is refused: reading it would only end at the limit on sizes, and other devices may
    // block.
    let output = bounded(project.path(), &["check", "zero.py"]);
    assert_eq!(output.status.code(), Some(2));
    let wanted = "zero.py: not a regular file; a device may have no end";
    assert!(text(&output).contains(wanted), "{output:?}");
    for baseline in ["/dev/zero", "."] {
        let output = bounded(project.path(), &["check", "--baseline", baseline]);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

/// Runs the binary, which must end by itself within a time limit.
#[cfg(unix)]
fn bounded(directory: &Path, args: &[&str]) -> Output {
    let mut child = crate::common::binary()
        .current_dir(directory)
        .args(args)
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .expect("the binary starts");
    for _ in 0..600 {
        if child.try_wait().expect("a child").is_some() {
            return child.wait_with_output().expect("its output");
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    child.kill().expect("a child");
    panic!("{args:?} does not end");
}
