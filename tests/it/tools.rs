//! The tools for coding agents, called without a client.

use a2lint::cli::check_for_program;
use a2lint::mcp;
use a2lint::report::programs::Request;
use serde_json::{Value, json};

const KERNEL: &str = "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
    def bias(x: GMTensor, y: GMTensor):\n    b = Tensor(DT.float, [64, 8], Position.UB)\n    \
    dup(b, 0.25)\n    y[0:64, 0:8] <<= b\n    return y\n";

fn call(tool: &str, arguments: Value) -> Result<String, String> {
    mcp::answer(
        tool,
        arguments.as_object().expect("an object"),
        check_for_program,
    )
}

/// The text of a report in the Python package lists what was not examined, even without findings.
#[test]
fn the_text_of_a_report_ends_as_the_command_line_does() {
    let path = crate::common::root().join("tests/kernels/quantize.py");
    let files = check_for_program(&Request::Path(path.clone()), &[], None).expect("a check");
    let mut command = crate::common::binary();
    let output = command.arg("check").arg(path).output();
    let printed = String::from_utf8(output.expect("the binary runs").stdout).expect("UTF-8");
    let without_first = |text: &str| text.split_once('\n').map(|(_, rest)| rest.to_owned());
    assert_eq!(without_first(&files.text()), without_first(&printed));
    assert!(printed.lines().count() >= 2, "{printed}");
}

#[test]
fn every_tool_answers_about_a_text() {
    let checked = call("check", json!({"source": KERNEL})).expect("an answer");
    assert!(
        checked.contains("kernel.py:7:5 error dup-coverage: "),
        "{checked}"
    );
    let proved = call("prove", json!({"source": KERNEL})).expect("an answer");
    assert!(proved.contains("bias"), "{proved}");
    let run = call("run", json!({"source": KERNEL})).expect("an answer");
    assert!(run.contains("dup-coverage"), "{run}");
    let tested = call("test", json!({"source": KERNEL, "laws": ["coverage"]}));
    let tested = tested.expect("an answer");
    assert!(
        tested.contains("coverage") && tested.contains("not run"),
        "{tested}"
    );
    let cost = call("cost", json!({"source": KERNEL})).expect("an answer");
    assert!(cost.contains("cycles"), "{cost}");
    let fixed = call("fix", json!({"source": KERNEL, "unsafe": true})).expect("an answer");
    assert!(fixed.contains("nothing was written"), "{fixed}");
    let explained = call("explain", json!({"rule": "dup-coverage"})).expect("an answer");
    assert!(explained.len() <= 2_000, "{explained}");
}

/// The answer of `check` on a folder names every finding, whatever the limit leaves of each.
#[test]
fn findings_are_told_in_fewer_words_before_any_is_left_out() {
    let folder = crate::common::root().join("tests/kernels/broken");
    for bytes in [2_000, 64_000] {
        let checked =
            call("check", json!({"path": folder, "max_bytes": bytes})).expect("an answer");
        assert!(checked.len() <= bytes, "{checked}");
        assert_eq!(checked.matches(" error ").count(), 7, "{checked}");
        assert!(checked.contains("`fix` repairs 1"), "{checked}");
    }
    let few = call("check", json!({"path": folder, "max_bytes": 1_000})).expect("an answer");
    assert!(
        few.len() <= 1_000 && few.contains(" more findings: 1 "),
        "{few}"
    );
}

#[test]
fn without_kernels_that_is_said() {
    for tool in ["check", "prove", "fix"] {
        let answer = call(tool, json!({"source": "x = 1\n"})).expect("an answer");
        assert!(answer.contains("No kernels found"), "{tool}: {answer}");
    }
    for tool in ["run", "test", "cost"] {
        let answer = call(tool, json!({"source": "x = 1\n"})).expect_err("no kernel");
        assert!(answer.contains("no kernels found"), "{tool}: {answer}");
    }
}

#[test]
fn a_text_in_cpp_needs_no_path() {
    let source = crate::common::pairs::pair("wrong_pair").bad;
    let checked = call("check", json!({"source": source})).expect("an answer");
    assert!(
        checked.contains("kernel.cpp:15:9 error race: "),
        "{checked}"
    );
    let run = call("run", json!({"source": source, "bind": {"n": 2}})).expect("an answer");
    assert!(run.contains("y  float [1024]"), "{run}");
    let fixed = call("fix", json!({"source": source})).expect("an answer");
    assert!(
        fixed.contains("+        SetFlag<HardEvent::MTE3_V>("),
        "{fixed}"
    );
    for tool in ["prove", "test", "cost"] {
        let answer = call(tool, json!({"source": source})).expect("an answer");
        assert!(
            answer.contains("ramp") || answer.contains("cycles"),
            "{answer}"
        );
    }
}

#[test]
fn wrong_arguments_are_told() {
    let wrong = [
        ("check", json!({})),
        (
            "check",
            json!({"source": KERNEL, "select": ["no-such-rule"]}),
        ),
        ("check", json!({"path": "/no/such/file.py"})),
        ("run", json!({"source": KERNEL, "bind": {"Q": 1}})),
        ("run", json!({"source": KERNEL, "launch": 3})),
        ("run", json!({"source": "x = 1\n"})),
        ("run", json!({"path": "k.py", "sauce": 1})),
        ("test", json!({"source": KERNEL, "laws": ["gravity"]})),
        ("explain", json!({"rule": "zzz"})),
    ];
    for (tool, arguments) in wrong {
        let message = call(tool, arguments.clone()).expect_err(&arguments.to_string());
        assert!(!message.is_empty() && message.len() < 2_000, "{message}");
    }
}
