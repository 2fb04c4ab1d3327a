//! The binary as a team uses it: configuration, suppressions, fixes, baselines and output formats.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A kernel with one error, on line 7.
const BAD: &str = "\
from easyasc.a2 import *


@kernel(mode=\"vec\")
def bias(x: GMTensor, y: GMTensor):
    b = Tensor(DT.float, [64, 8], Position.UB)
    dup(b, 0.25)
    bar_all()
    y[0:64, 0:8] <<= b
    return y
";
/// [`BAD`] without its error.
const GOOD: &str = "\
from easyasc.a2 import *


@kernel(mode=\"vec\")
def bias(x: GMTensor, y: GMTensor):
    b = Tensor(DT.float, [64, 8], Position.UB)
    dup(b, 0.25, count=512)
    bar_all()
    y[0:64, 0:8] <<= b
    return y
";

fn command(directory: &Path, args: &[&str]) -> Command {
    let mut command = crate::common::binary();
    command.current_dir(directory).args(args);
    command
}

fn run(project: &TempDir, args: &[&str]) -> Output {
    command(project.path(), args)
        .output()
        .expect("the binary runs")
}

fn with_stdin(project: &TempDir, args: &[&str], input: &str) -> Output {
    let mut child = command(project.path(), args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut stdin = child.stdin.take().expect("stdin is piped");
    stdin.write_all(input.as_bytes()).expect("the binary reads");
    drop(stdin);
    child.wait_with_output().expect("the binary ends")
}

fn project(files: &[(&str, &str)]) -> TempDir {
    crate::common::project(files)
}

fn read(project: &TempDir, path: &str) -> String {
    fs::read_to_string(project.path().join(path)).expect("a file")
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

fn code(output: &Output) -> Option<i32> {
    output.status.code()
}

/// Formats the exit status and both streams, without what changes from run to run.
fn transcript(output: &Output) -> String {
    let timeless = |text: String| {
        let lines = text.lines().map(|line| match line.rfind('(') {
            Some(at) if line.ends_with(" s)") => format!("{}(TIME)", &line[..at]),
            _ => line.to_owned(),
        });
        lines.map(|line| line + "\n").collect::<String>()
    };
    let status = code(output).unwrap_or(-1);
    let (out, err) = (timeless(out(output)), timeless(err(output)));
    format!("exit {status}\n--- stdout\n{out}--- stderr\n{err}")
}

#[test]
fn a_finding_on_both_streams() {
    let project = project(&[("k.py", BAD)]);
    insta::assert_snapshot!(transcript(&run(&project, &["check", "k.py"])));
    let concise = run(&project, &["check", "--output-format", "concise"]);
    insta::assert_snapshot!(transcript(&concise));
    let agent = run(&project, &["check", "--output-format", "agent"]);
    insta::assert_snapshot!(transcript(&agent));
}

#[test]
fn named_files_are_excluded_and_standard_input_too() {
    let project = project(&[
        ("a2lint.toml", "exclude = [\"vendor\"]\n"),
        ("vendor/k.py", BAD),
        ("k.py", GOOD),
    ]);
    for args in [
        &["check"][..],
        &["check", "vendor/k.py", "k.py"],
        &["check", "vendor"],
    ] {
        assert_eq!(code(&run(&project, args)), Some(0), "{args:?}");
    }
    let named = ["check", "--no-force-exclude", "vendor/k.py"];
    assert_eq!(code(&run(&project, &named)), Some(1));
    let stdin = ["check", "-", "--stdin-filename", "vendor/k.py"];
    assert_eq!(code(&with_stdin(&project, &stdin, BAD)), Some(0));
    let stdin = ["check", "-", "--stdin-filename", "other/k.py"];
    assert_eq!(code(&with_stdin(&project, &stdin, BAD)), Some(1));
    let files = run(&project, &["check", "--show-files"]);
    assert_eq!(out(&files), "k.py\n");
}

#[test]
fn the_nearest_configuration_decides() {
    let project = project(&[
        (
            "pyproject.toml",
            "[tool.a2lint.rules]\ndup-coverage = \"warn\"\n",
        ),
        ("a/a2lint.toml", "ignore = [\"COV001\"]\n"),
        ("a/k.py", BAD),
        ("b/k.py", BAD),
        ("b/pyproject.toml", "[tool.other]\n"),
    ]);
    let output = run(&project, &["check", "--output-format", "concise"]);
    assert_eq!(code(&output), Some(0));
    assert!(
        out(&output).starts_with("b/k.py:7:5: warning[dup-coverage]"),
        "{output:?}"
    );
    assert_eq!(out(&output).lines().count(), 1);
    assert_eq!(code(&run(&project, &["check", "--isolated"])), Some(1));
    assert_eq!(code(&run(&project, &["check", "--error", "COV"])), Some(1));
    let inline = ["check", "--config", "ignore = ['dup-coverage']"];
    assert_eq!(
        out(&run(&project, &inline))
            .matches("[dup-coverage]")
            .count(),
        0
    );
    let file = [
        "check",
        "a/k.py",
        "--config",
        "pyproject.toml",
        "--error-on-warning",
    ];
    assert_eq!(code(&run(&project, &file)), Some(1));
}

#[test]
fn wrong_configuration_is_pointed_at() {
    let project = project(&[
        (
            "a2lint.toml",
            "pedantic = true\nselect = [\n  \"l0c-overfow\",\n]\n",
        ),
        ("k.py", GOOD),
    ]);
    let output = run(&project, &["check"]);
    insta::assert_snapshot!(transcript(&output));
    let output = run(
        &project,
        &["check", "--isolated", "--config", "pedantc = true"],
    );
    insta::assert_snapshot!(transcript(&output));
}

#[test]
fn settings_are_shown() {
    let project = project(&[(
        "a2lint.toml",
        "device = \"a3\"\nexclude = ['third\\party']\n[per-file-ignores]\n\"tests/**\" = [\"COV\"]\n",
    )]);
    let output = run(&project, &["check", "--show-settings", "--pedantic"]);
    insta::assert_snapshot!(transcript(&output));
}

/// A kernel that accesses its tensors out of bounds if the number of rows is no multiple of 64.
const COPY: &str = "\
from easyasc.a2 import *


@kernel(mode=\"vec\")
def copy(x: GMTensor, y: GMTensor, M: Var):
    b = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for i in range(CeilDiv(M, 64)):
            b <<= x[i * 64:i * 64 + 64, 0:64]
            y[i * 64:i * 64 + 64, 0:64] <<= b
    return y
";

#[test]
fn launches_of_the_configuration_are_replayed() {
    let launch = |m| {
        format!("[launches]\ncopy = [{{ M = {m}, x = \"float[M, 64]\", y = \"float[M, 64]\" }}]\n")
    };
    let names = [
        "check",
        "--output-format",
        "concise",
        "--select",
        "gm-out-of-bounds",
    ];
    for (configuration, findings) in [(String::new(), 0), (launch(128), 0), (launch(100), 1)] {
        let project = project(&[("a2lint.toml", &configuration), ("k.py", COPY)]);
        let output = run(&project, &names);
        let found = out(&output).matches("error[gm-out-of-bounds]").count();
        assert_eq!(found, findings, "{configuration}{output:?}");
        let executed = run(&project, &["run", "k.py"]);
        let origin = "a launch of the configuration";
        assert_eq!(
            out(&executed).contains(origin),
            !configuration.is_empty(),
            "{executed:?}"
        );
    }
    let comment = "# a2lint: launch(M=100, x=float[M, 64], y=float[M, 64])\n@kernel";
    let project = project(&[("k.py", &COPY.replace("@kernel", comment))]);
    let found = out(&run(&project, &names));
    // The load and the store leave their tensors by one mistake.
    assert_eq!(found.matches("gm-out-of-bounds").count(), 1, "{found}");
    assert!(found.contains("(the same at line "), "{found}");
}

#[test]
fn names_that_no_kernel_has_are_warned_of() {
    let project = project(&[
        (
            "a2lint.toml",
            "[launches]\ncopy = [{ M = 128, Rows = 4 }]\n",
        ),
        ("k.py", COPY),
        ("other.py", GOOD),
    ]);
    let output = run(&project, &["check", "--bind", "M=64", "--bind", "N=3"]);
    assert_eq!(code(&output), Some(0));
    let text = err(&output);
    let bind = "--bind N: no checked kernel has a scalar parameter or an extent of that name; \
         known are M, block_dim";
    assert!(text.contains(bind), "{text}");
    assert_eq!(text.matches("warning:").count(), 1, "{text}");
    let configured = "warning[launch-unusable]: launches.copy of the configuration: the kernel \
                      `copy` has no parameter `Rows`";
    assert!(out(&output).contains(configured), "{output:?}");
    assert!(
        out(&output).contains("help: known are M, block_dim, x, y"),
        "{output:?}"
    );
}

#[test]
fn the_oldest_rounding_of_repeats_can_be_asked_for() {
    let kernel = GOOD.replace("[64, 8]", "[1, 128]");
    let kernel = kernel.replace("dup(b, 0.25, count=512)", "dup(b[0:1, 0:96], 0.25)");
    let kernel = kernel.replace("y[0:64, 0:8] <<= b", "y[0:1, 0:96] <<= b[0:1, 0:96]");
    let down = "repeat-rounding = \"down\"\n";
    for (configuration, repeat) in [("", "repeat=2"), (down, "repeat=1")] {
        let project = project(&[("a2lint.toml", configuration), ("k.py", &kernel)]);
        let traced = run(&project, &["trace", "k.py"]);
        assert!(out(&traced).contains(repeat), "{traced:?}");
        let checked = run(&project, &["check"]);
        assert_eq!(
            code(&checked),
            Some(i32::from(configuration == down)),
            "{checked:?}"
        );
    }
}

#[test]
fn saturation_can_be_asked_for() {
    let kernel = "\
from easyasc.a2 import *


# a2lint: launch(x=half[1, 128], y=half[1, 128])
@kernel(mode=\"vec\")
def doubled(x: GMTensor, y: GMTensor):
    b = Tensor(DT.half, [1, 128], Position.UB)
    with auto_sync():
        b <<= x[0:1, 0:128]
        add(b, b, b)
        y[0:1, 0:128] <<= b
    return y
";
    for (configuration, result) in [("", "inf"), ("saturate = true\n", "65504")] {
        let project = project(&[("a2lint.toml", configuration), ("k.py", kernel)]);
        let output = run(&project, &["run", "k.py", "--input", "x=full:60000"]);
        assert!(out(&output).contains(result), "{output:?}");
    }
}

#[test]
fn launches_and_roundings_are_validated() {
    for (line, message) in [
        (
            "repeat-rounding = \"sideways\"",
            "unknown variant `sideways`",
        ),
        ("saturate = 1", "invalid type: integer `1`"),
        (
            "launches.k = [{ M = true }]",
            "an argument is a number, or a tensor",
        ),
        (
            "launches.k = [{ x = \"half\" }]",
            "`half` is neither a number nor a tensor",
        ),
        (
            "launches.k = [{ x = \"quarter[4]\" }]",
            "`quarter` is no element type",
        ),
    ] {
        let configuration = format!("pedantic = true\n{line}\n");
        let project = project(&[("a2lint.toml", &configuration), ("k.py", GOOD)]);
        for command in [&["check"][..], &["run", "k.py"], &["mem", "k.py"]] {
            let output = run(&project, command);
            assert_eq!(code(&output), Some(2), "{output:?}");
            assert!(err(&output).contains(message), "{output:?}");
            assert!(err(&output).contains("a2lint.toml:2:"), "{output:?}");
        }
    }
}

#[test]
fn the_device_of_the_configuration_holds_for_runs_too() {
    let project = project(&[("a2lint.toml", "device = \"a3\"\n"), ("k.py", GOOD)]);
    let options = ["run", "k.py", "--shape", "x=64,8", "--shape", "y=64,8"];
    let options = [
        &options[..],
        &["--dtype", "x=float", "--dtype", "y=float", "--json"],
    ]
    .concat();
    let device = |more: &[&'static str]| {
        let output = run(&project, &[&options[..], more].concat());
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        object["device"].clone()
    };
    assert_eq!(device(&[]), "a3");
    assert_eq!(device(&["--device", "b1"]), "b1");
}

#[test]
fn per_file_ignores_take_windows_paths() {
    let project = project(&[
        (
            "a2lint.toml",
            "[per-file-ignores]\n'old\\**\\*.py' = [\"dup-coverage\"]\n",
        ),
        ("old/deep/k.py", BAD),
        ("new/k.py", BAD),
    ]);
    let output = run(&project, &["check", "--output-format", "concise"]);
    assert!(out(&output).starts_with("new/k.py"), "{output:?}");
    assert_eq!(out(&output).lines().count(), 1);
}

/// Silence after `--diff` would be read as an all-clear, and `--fix` must not send the reader back to `--diff`.
#[test]
fn where_no_repair_is_found_that_is_said() {
    let project = project(&[("k.py", include_str!("../../docs/mistakes/last_tile.py"))]);
    let checked = run(&project, &["check"]);
    assert!(
        out(&checked).contains("1 error: see its help; --diff searches for a repair\n"),
        "{checked:?}"
    );
    let diff = run(&project, &["check", "--diff"]);
    assert!(
        err(&diff).starts_with("No repair found for 1 finding: "),
        "{diff:?}"
    );
    let fix = run(&project, &["check", "--fix"]);
    assert!(
        err(&fix).starts_with("No repair found for 1 finding: "),
        "{fix:?}"
    );
    assert!(!out(&fix).contains("--diff"), "{fix:?}");
}

/// A kernel with a line that does not parse is wrong: nothing else is to be said about it.
#[test]
fn a_syntax_error_makes_its_kernel_wrong() {
    let text = BAD.replace("dup(b, 0.25)", "dup(b, 0.25");
    assert_ne!(text, BAD);
    let project = project(&[("k.py", &text)]);
    let output = run(&project, &["check"]);
    let summary: Vec<_> = out(&output)
        .lines()
        .rev()
        .take(2)
        .map(str::to_owned)
        .collect();
    assert!(summary[1].starts_with("1 kernel: wrong ("), "{output:?}");
    assert!(summary[0].starts_with("1 error: "), "{output:?}");
}

#[test]
fn all_that_is_known_was_shown_with_v() {
    let project = project(&[("k.py", include_str!("../kernels/piecewise.py"))]);
    for options in [&["check"][..], &["check", "-v"]] {
        let output = run(&project, options);
        let points = out(&output).contains("-v shows");
        assert_eq!(
            points,
            options.len() == 1 && out(&output).contains("fit an index"),
            "{output:?}"
        );
    }
}

#[test]
fn fixes_are_applied_and_files_keep_their_looks() {
    let text = format!("\u{feff}{}", BAD.replace('\n', "\r\n"));
    let project = project(&[("k.py", &text)]);
    let safe = run(&project, &["check", "--fix"]);
    assert_eq!(code(&safe), Some(1), "{safe:?}");
    let left = "No safe fix; --unsafe-fixes would apply 1\n";
    assert!(err(&safe).starts_with(left), "{safe:?}");
    assert_eq!(read(&project, "k.py"), text);
    let diff = run(&project, &["check", "--diff", "--unsafe-fixes"]);
    assert_eq!(code(&diff), Some(1));
    assert!(
        out(&diff).contains("+    dup(b, 0.25, count=512)\r\n"),
        "{diff:?}"
    );
    assert_eq!(read(&project, "k.py"), text);
    let output = run(&project, &["check", "--fix", "--unsafe-fixes"]);
    assert_eq!(code(&output), Some(0), "{output:?}");
    assert!(
        err(&output).starts_with(
            "k.py:7: dup-coverage: fill all 512 elements (unsafe)\nApplied 1 fix in 1 file\n"
        ),
        "{output:?}"
    );
    let fixed = format!("\u{feff}{}", GOOD.replace('\n', "\r\n"));
    assert_eq!(read(&project, "k.py"), fixed);
    assert_eq!(
        code(&run(&project, &["check", "--diff", "--unsafe-fixes"])),
        Some(0)
    );
}

#[test]
fn standard_input_is_fixed_to_standard_output() {
    let project = project(&[("a2lint.toml", "exclude = [\"vendor\"]\n")]);
    let fix = ["check", "-", "--fix", "--unsafe-fixes", "--stdin-filename"];
    let with_name = |name: &'static str| [&fix[..], &[name]].concat();
    let output = with_stdin(&project, &with_name("k.py"), BAD);
    assert_eq!(out(&output), GOOD);
    let plain = "import os\n";
    assert_eq!(out(&with_stdin(&project, &with_name("k.py"), plain)), plain);
    assert_eq!(
        out(&with_stdin(&project, &with_name("vendor/k.py"), BAD)),
        BAD
    );
}

#[test]
fn ignores_are_added_with_a_reason_and_reported_when_idle() {
    let project = project(&[("k.py", BAD)]);
    let output = run(
        &project,
        &["check", "--add-ignore", "from before the linter"],
    );
    assert_eq!(code(&output), Some(0), "{output:?}");
    let line = "    dup(b, 0.25)  # a2lint: ignore[dup-coverage] from before the linter\n";
    assert!(read(&project, "k.py").contains(line));
    assert_eq!(
        code(&run(&project, &["check", "--error-on-warning"])),
        Some(0)
    );
    let repaired = read(&project, "k.py").replace("0.25)", "0.25, count=512)");
    fs::write(project.path().join("k.py"), repaired).expect("a file");
    let output = run(&project, &["check", "--output-format", "concise"]);
    assert!(
        out(&output).contains("warning[unused-suppression]"),
        "{output:?}"
    );
    assert_eq!(code(&run(&project, &["check", "--fix"])), Some(0));
    assert_eq!(read(&project, "k.py"), GOOD);
}

/// Generates a kernel with many findings of one rule.
fn many(values: impl Iterator<Item = usize>) -> String {
    let mut text = String::from("from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n");
    text += "def bias(x: GMTensor, y: GMTensor):\n";
    for value in values {
        text += &format!("    b{value} = Tensor(DT.float, [64, 8], Position.UB)\n");
        text += &format!("    dup(b{value}, {value}.0)\n    y[0:64, 0:8] <<= b{value}\n");
    }
    text + "    return y\n"
}

#[test]
fn a_baseline_hides_what_it_counts_and_nothing_else() {
    let project = project(&[
        ("a2lint.toml", "baseline = \"known.json\"\n"),
        ("k.py", &many(0..100)),
    ]);
    let select = [
        "check",
        "--select",
        "dup-coverage",
        "--output-format",
        "concise",
    ];
    let with = |more: &[&'static str]| [&select[..], more].concat();
    assert_eq!(
        out(&run(&project, &with(&["--isolated"]))).lines().count(),
        100
    );
    let written = run(&project, &with(&["--write-baseline"]));
    assert_eq!(err(&written), "known.json counts 100 findings\n");
    let known = run(&project, &with(&[]));
    assert_eq!((code(&known), out(&known)), (Some(0), String::new()));
    assert!(
        err(&known).contains("100 hidden by the baseline"),
        "{known:?}"
    );

    let text = many([777].into_iter().chain(0..100));
    fs::write(project.path().join("k.py"), text).expect("a file");
    let new = run(&project, &with(&[]));
    assert_eq!(code(&new), Some(1));
    assert_eq!(out(&new).lines().count(), 1);
    assert!(
        out(&new).starts_with("k.py:7:5: error[dup-coverage]"),
        "{new:?}"
    );

    fs::write(project.path().join("k.py"), many(1..100)).expect("a file");
    let fixed = run(&project, &with(&[]));
    assert_eq!(code(&fixed), Some(0));
    let message =
        "known.json counts 1 finding no longer there: run `a2lint check --prune-baseline`";
    assert!(err(&fixed).contains(message), "{fixed:?}");
    let pruned = run(&project, &with(&["--prune-baseline"]));
    assert_eq!(err(&pruned), "Took 1 finding out of known.json\n");
    assert!(!err(&run(&project, &with(&[]))).contains("prune"));
    fs::write(project.path().join("k.py"), many(0..100)).expect("a file");
    assert_eq!(out(&run(&project, &with(&[]))).lines().count(), 1);
}

#[test]
fn formats_for_programs_are_well_formed() {
    let project = project(&[("核 k.py", BAD)]);
    let format = |name| run(&project, &["check", "--output-format", name]);
    for name in ["json", "sarif", "gitlab"] {
        let output = format(name);
        assert_eq!(
            (code(&output), err(&output)),
            (Some(1), String::new()),
            "{name}"
        );
        let value: serde_json::Value = serde_json::from_slice(&output.stdout).expect(name);
        assert!(value.is_object() || value.is_array());
    }
    let sarif: serde_json::Value = serde_json::from_slice(&format("sarif").stdout).expect("JSON");
    let result = &sarif["runs"][0]["results"][0];
    let place = &result["locations"][0]["physicalLocation"];
    assert_eq!(place["artifactLocation"]["uri"], "%E6%A0%B8%20k.py");
    assert!(place["region"]["startLine"].as_u64() > Some(0));
    assert!(
        result["relatedLocations"]
            .as_array()
            .is_some_and(|all| !all.is_empty())
    );
    let absolute = project.path().join("核 k.py");
    let path = absolute.to_string_lossy().into_owned();
    let again = run(&project, &["check", "--output-format", "sarif", &path]);
    assert_eq!(out(&again), out(&format("sarif")));
    assert!(out(&format("junit")).contains("<failure type=\"error\""));
    assert!(out(&format("github")).starts_with("::error file=核 k.py,line=7,"));
}

/// The whole schema is validated by hand, because it is not part of this repository: `a2lint check --exit-zero
/// --output-format sarif tests > log.sarif`, then `python -m jsonschema -i log.sarif sarif-schema-2.1.0.json` with
/// the schema of OASIS.
#[test]
fn sarif_has_what_code_scanning_asks_for() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let race = root.join("tests/rules/race/bad_fill_before_load.py");
    let race = fs::read_to_string(race).expect("a file of the repository");
    let project = project(&[
        ("sub/k.py", BAD),
        ("race.py", &race),
        ("a5.py", "import easyasc.a5\n"),
    ]);
    let sarif = || out(&run(&project, &["check", "--output-format", "sarif"]));
    let text = sarif();
    assert_eq!(text, sarif(), "fingerprints and order are stable");
    let log: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let rules = run["tool"]["driver"]["rules"].as_array().expect("rules");
    let results = run["results"].as_array().expect("results");
    assert!(results.len() >= 2);
    let levels = ["none", "note", "warning", "error"];
    for result in results {
        let rule = &rules[result["ruleIndex"].as_u64().expect("an index") as usize];
        assert_eq!(rule["id"], result["ruleId"]);
        assert!(levels.iter().any(|level| result["level"] == *level));
        assert!(
            result["message"]["text"]
                .as_str()
                .is_some_and(|text| !text.is_empty())
        );
        let prints = result["partialFingerprints"]
            .as_object()
            .expect("fingerprints");
        assert!(
            prints
                .values()
                .all(|print| print.as_str().is_some_and(|it| it.len() >= 16))
        );
        let related = result["relatedLocations"].as_array();
        let places = result["locations"].as_array().expect("places").iter();
        for place in places.chain(related.into_iter().flatten()) {
            let place = &place["physicalLocation"];
            let uri = place["artifactLocation"]["uri"]
                .as_str()
                .expect("an address");
            assert!(
                !uri.starts_with('/') && !uri.contains([':', '\\', ' ']),
                "{uri}"
            );
            let number = |key: &str| place["region"][key].as_u64().expect("a number");
            assert!(number("startLine") >= 1 && number("startColumn") >= 1);
            let start = (number("startLine"), number("startColumn"));
            assert!(start <= (number("endLine"), number("endColumn")));
        }
    }
    let notices = &run["invocations"][0]["toolExecutionNotifications"];
    // One notice for the file, and one for the kernel without a launch.
    assert_eq!(notices.as_array().map(Vec::len), Some(2), "{notices}");
}

#[test]
fn line_ends_and_byte_order_marks_move_nothing() {
    let crlf = format!("\u{feff}{}", BAD.replace('\n', "\r\n"));
    let plain = project(&[("k.py", BAD)]);
    let marked = project(&[("k.py", &crlf)]);
    for format in ["concise", "github", "junit", "gitlab", "agent"] {
        let args = ["check", "--output-format", format, "-q"];
        let shown = |project| {
            let text = out(&run(project, &args));
            let timeless = text.lines().filter(|line| !line.contains(" time=\""));
            timeless.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(shown(&plain), shown(&marked), "{format}");
    }
}

#[test]
fn statistics_count_per_rule() {
    let project = project(&[("a.py", BAD), ("b.py", BAD)]);
    let output = run(&project, &["check", "--statistics", "-q"]);
    assert_eq!(code(&output), Some(1));
    assert_eq!(
        out(&output),
        "2  COV001  dup-coverage  error, 2 can be repaired with --unsafe-fixes\n"
    );
}

#[cfg(unix)]
#[test]
fn unreadable_folders_are_named_and_the_rest_is_checked() {
    use std::os::unix::fs::PermissionsExt;
    let project = project(&[("locked/k.py", GOOD), ("k.py", BAD)]);
    let locked = project.path().join("locked");
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o000)).expect("a mode");
    let readable = fs::read_dir(&locked).is_ok();
    let output = run(&project, &["check", "--output-format", "concise"]);
    fs::set_permissions(&locked, fs::Permissions::from_mode(0o755)).expect("a mode");
    assert!(out(&output).starts_with("k.py:7:5"), "{output:?}");
    // The superuser can read all folders, so there is no error to check for.
    if !readable {
        assert_eq!(code(&output), Some(2));
        assert!(err(&output).contains("cannot walk"), "{output:?}");
    }
}

#[test]
fn files_are_checked_again_when_they_change() {
    let project = project(&[("k.py", GOOD)]);
    let args = ["check", "--watch", "--output-format", "concise"];
    let mut child = command(project.path(), &args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    let mut remarks = std::io::BufReader::new(child.stderr.take().expect("a stream"));
    let mut shown = child.stdout.take().expect("a stream");
    // A watch that prints nothing more is killed, so that the test ends.
    let (done, is_done) = std::sync::mpsc::channel::<()>();
    let ends = std::thread::spawn(move || {
        let _ = is_done.recv_timeout(std::time::Duration::from_secs(120));
        child.kill().expect("the watch ends");
        child.wait().expect("the watch has ended")
    });
    let mut wait_for = |text: &str| {
        let mut line = String::new();
        while !line.contains(text) {
            line.clear();
            let read = std::io::BufRead::read_line(&mut remarks, &mut line).expect("a line");
            assert!(read > 0, "the watch ended before it said {text}");
        }
    };
    wait_for("Waiting for changes");
    fs::write(project.path().join("k.py"), BAD).expect("a file");
    wait_for("1 error");
    wait_for("Waiting for changes");
    drop(done);
    ends.join().expect("the watch has ended");
    let mut output = String::new();
    std::io::Read::read_to_string(&mut shown, &mut output).expect("UTF-8");
    assert!(
        output.contains("k.py:7:5: error[dup-coverage]"),
        "{output:?}"
    );
}

#[test]
fn the_schema_describes_the_keys() {
    let project = project(&[]);
    let schema = run(&project, &["config-schema"]);
    let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).expect("JSON");
    for key in [
        "select",
        "ignore",
        "per-file-ignores",
        "exclude",
        "device",
        "pedantic",
        "rules",
    ] {
        assert!(schema["properties"][key].is_object(), "{key}");
    }
    assert_eq!(schema["additionalProperties"], false);
}

#[test]
fn completions_and_the_manual_are_printed() {
    let project = project(&[]);
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let output = run(&project, &["completions", shell]);
        assert!(out(&output).contains("add-ignore"), "{shell}");
    }
    let manual = out(&run(&project, &["man"]));
    assert!(
        manual.contains(".TH") && manual.contains("\\-\\-add\\-ignore"),
        "{manual}"
    );
}

/// The last line for agents says "clean" only if everything is proved; what was only tested is listed with its
/// reason.
#[test]
fn what_is_only_tested_is_not_clean_for_agents() {
    let agent = |kernel: &str| {
        let mut command = crate::common::binary();
        let options = ["check", "--isolated", "--output-format", "agent"];
        command
            .args(options)
            .arg(crate::common::root().join(kernel));
        let output = command.output().expect("the binary runs");
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let proved = agent("tests/kernels/band_stats.py");
    let last = proved.lines().last().expect("a line");
    assert_eq!(last, "3 kernels: 3 clean; no findings");
    assert!(
        proved.contains("gate_bands is clean for every launch where "),
        "{proved}"
    );
    let tested = agent("tests/kernels/layer_norm.py");
    let last = tested.lines().last().expect("a line");
    assert_eq!(last, "1 kernel: open; no findings");
    assert!(
        tested.contains(
            "layer_norm is open: not proved: bounds: it is proved if M >= 1, which excludes"
        ),
        "{tested}"
    );
}

#[test]
fn a_project_is_set_up_without_questions_and_nothing_is_overwritten() {
    let folder = project(&[("k.py", GOOD)]);
    let names = [
        "a2lint.toml",
        ".pre-commit-config.yaml",
        ".github/workflows/a2lint.yml",
    ];
    let said = out(&run(&folder, &["init", "--dry-run"]));
    assert_eq!(said.matches("would write ").count(), 3, "{said}");
    assert!(names.iter().all(|name| !folder.path().join(name).exists()));
    let output = run(&folder, &["init"]);
    assert_eq!(code(&output), Some(0));
    let said = out(&output);
    for name in names {
        assert!(said.contains(&format!("wrote {name}: ")), "{name}: {said}");
        let text = fs::read_to_string(folder.path().join(name)).expect("the file is there");
        assert!(text.contains("a2lint"), "{name}: {text}");
        fs::write(folder.path().join(name), "# mine\n").expect("the file is written");
    }
    assert!(said.ends_with("next: a2lint check\n"), "{said}");
    let said = out(&run(&folder, &["init"]));
    assert_eq!(said.matches("kept ").count(), 3, "{said}");
    // What a hook needs is said, so that it can be added by hand.
    assert!(said.contains("        - id: a2lint\n"), "{said}");
    for name in names {
        let text = fs::read_to_string(folder.path().join(name)).expect("the file is there");
        assert_eq!(text, "# mine\n", "{name}");
    }
    let table = [("pyproject.toml", "[tool.a2lint]\npedantic = true\n")];
    let configured = project(&table);
    let said = out(&run(&configured, &["init"]));
    assert!(said.contains("kept a2lint.toml: `[tool.a2lint]`"), "{said}");
    assert!(!configured.path().join("a2lint.toml").exists());
    assert_eq!(code(&run(&folder, &["init", "missing"])), Some(2));
}

/// A kernel in C++ with one error, on line 13.
const CPP: &str = r#"#include "kernel_operator.h"
using namespace AscendC;
extern "C" __global__ __aicore__ void fill(GM_ADDR y)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> t = buf.Get<float>();
    Duplicate(t, 1.0f, 64);
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    // The store runs ahead.
    DataCopy(gy, t, 64);
}
"#;

#[test]
fn cpp_kernels_are_adopted_as_python_ones_are() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("fill.cpp");
    let check = |args: &[&str]| {
        let args = [&["check", "fill.cpp"], args].concat();
        command(folder.path(), &args)
            .output()
            .expect("the binary runs")
    };
    fs::write(&path, CPP).expect("the file is written");
    let output = check(&[]);
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("fill.cpp:13:5"), "{said}");
    assert_eq!(output.status.code(), Some(1));
    check(&["--write-baseline"]);
    let known = check(&["--baseline", "a2lint-baseline.json"]);
    assert_eq!(known.status.code(), Some(0), "{known:?}");
    for comment in ["// a2lint: ignore[race] later", "// a2lint: ignore[SYN001]"] {
        let line = "DataCopy(gy, t, 64);";
        let text = CPP.replace(line, &format!("{line}  {comment}"));
        fs::write(&path, text).expect("the file is written");
        let silent = check(&["--select", "SYN,TRC011"]);
        let said = String::from_utf8_lossy(&silent.stdout).into_owned();
        assert!(!said.contains("error["), "{comment}: {said}");
        assert!(!said.contains("unused-suppression"), "{comment}: {said}");
    }
    fs::write(&path, CPP).expect("the file is written");
    check(&["--add-ignore", "later"]);
    let text = fs::read_to_string(&path).expect("the file is there");
    assert!(
        text.contains("DataCopy(gy, t, 64);  // a2lint: ignore[race] later"),
        "{text}"
    );
}
