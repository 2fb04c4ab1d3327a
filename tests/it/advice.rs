//! Rules on speed: the time that advice promises is that of the rewritten kernel.

use std::path::PathBuf;

use a2lint::rules::RULES;
use serde_json::Value;

use crate::common::{checked, costs, costs_of_text, files, read, root};

/// Returns the JSON of `a2lint cost` for the only launch of a rule's test case.
fn cost(rule: &str, case: &str) -> Value {
    only(costs(&root().join("tests/rules").join(rule).join(case)))
}

fn only(mut costs: Vec<Value>) -> Value {
    assert_eq!(costs.len(), 1, "{costs:?}");
    costs.remove(0)
}

fn microseconds(cost: &Value) -> f64 {
    cost["cost"]["microseconds"].as_f64().expect("a time")
}

fn advice<'v>(cost: &'v Value, rule: &str) -> Vec<&'v Value> {
    let findings = cost["advice"].as_array().expect("a list").iter();
    findings.filter(|finding| finding["name"] == rule).collect()
}

/// Returns the time in microseconds that a message promises, and that of the present kernel.
fn promised(message: &str) -> [f64; 2] {
    let (before, after) = message.split_once(" µs in place of ").expect(message);
    let promised = before.rsplit(' ').next().expect("a number");
    let now = after.split(' ').next().expect("a number");
    [promised, now].map(|number| number.parse().expect(message))
}

/// Pairs of a case and a case that follows its advice.
const REWRITTEN: [(&str, &str, &str); 12] = [
    ("bank-conflict", "bad_sources.py", "good_sources.py"),
    (
        "unneeded-barrier",
        "bad_independent.py",
        "good_independent.py",
    ),
    ("single-slot", "bad_tiles.py", "good_tiles.py"),
    ("misaligned-rows", "bad_pitch.py", "good_pitch.py"),
    ("small-moves", "bad_rows.py", "good_rows.py"),
    ("few-cores", "bad_four.py", "good_all.py"),
    ("same-addresses", "bad_tiles.py", "good_tiles.py"),
    ("scalar-loop", "bad_fill.py", "good_fill.py"),
    ("scalar-loop", "bad_copy.py", "good_copy.py"),
    ("scalar-loop", "bad_scaled.py", "good_scaled.py"),
    ("gathered-rows", "bad_rows.py", "good_rows.py"),
    ("float-product", "bad_tiles.py", "good_tiles.py"),
];

/// Cases, and the edits that follow their advice.
type Edits = &'static [(&'static str, &'static str)];
const EDITED: [(&str, &str, Edits); 9] = [
    (
        "bank-conflict",
        "bad_half.py",
        &[(
            "    b = Tensor(",
            "    _apart = Tensor(DT.half, [1, 128], Position.UB)\n    b = Tensor(",
        )],
    ),
    (
        "unneeded-barrier",
        "bad_reads.py",
        &[(
            "        bar_v()  #~ INFO unneeded-barrier: order is proved without bar_v()\n",
            "",
        )],
    ),
    (
        "single-slot",
        "bad_result.py",
        &[
            ("result = Tensor(", "result = DBuff("),
            ("exp(result,", "exp(result[i],"),
            ("<<= result\n", "<<= result[i]\n"),
        ],
    ),
    (
        "misaligned-rows",
        "bad_half.py",
        &[("x=half[2880, 1040]", "x=half[2880, 1280]")],
    ),
    (
        "small-moves",
        "bad_stores.py",
        &[
            ("        for row in range(0, 64):\n", ""),
            (
                "            y[first + row:first + row + 1, 0:64] <<= tile[row:row + 1, 0:64]",
                "        y[first:first + 64, 0:64] <<= tile",
            ),
        ],
    ),
    ("few-cores", "bad_ten.py", &[(", block_dim=10", "")]),
    (
        "same-addresses",
        "bad_blocks.py",
        &[(
            "row = block * ROWS",
            "row = ((block + GetVecIdx()) % 10) * ROWS",
        )],
    ),
    (
        "gathered-rows",
        "bad_middle.py",
        &[
            (
                "    offsets = Tensor(DT.int, [1, WIDTH // 2], Position.UB)\n",
                "",
            ),
            ("    offset = Var(0)\n", ""),
            ("    for at in range(0, LANES):\n", ""),
            ("        offset <<= at * 4 + 4096\n", ""),
            ("        offset.SetValueTo(offsets[0:1, at:at + 1])\n", ""),
            ("    bar_all()\n", ""),
            ("        for step in range(1, WIDTH // 2 // LANES):\n", ""),
            ("            at = step * LANES\n", ""),
            (
                "            adds(offsets[0:1, at:at + LANES], offsets[0:1, 0:LANES], at * 4)\n",
                "",
            ),
            (
                "gather(picked, row, offsets.reinterpret(DT.uint32))",
                "ub_to_ub(picked, row[0:1, 1024:1024 + WIDTH // 2], 1, 512, 0, 0)",
            ),
        ],
    ),
    (
        "float-product",
        "bad_explicit.py",
        &[
            (
                "a=float[1280, 1024], b=float[1280, 1024]",
                "a=half[1280, 1024], b=half[1280, 1024]",
            ),
            ("left = DBuff(DT.float", "left = DBuff(DT.half"),
            ("right = DBuff(DT.float", "right = DBuff(DT.half"),
            ("operand_a = DBuff(DT.float", "operand_a = DBuff(DT.half"),
            ("operand_b = DBuff(DT.float", "operand_b = DBuff(DT.half"),
        ],
    ),
];

/// Returns the cost of a case after some edits.
fn cost_edited(rule: &str, case: &str, edits: Edits) -> Value {
    let mut text = read(&root().join("tests/rules").join(rule).join(case));
    for (old, new) in edits {
        assert_eq!(text.matches(old).count(), 1, "{rule}: {old}");
        text = text.replace(old, new);
    }
    only(costs_of_text(&text))
}

#[test]
fn gains_are_those_of_the_rewritten_kernels() {
    for (rule, bad, good) in REWRITTEN {
        compare(rule, &cost(rule, bad), &cost(rule, good));
    }
    for (rule, bad, edits) in EDITED {
        compare(rule, &cost(rule, bad), &cost_edited(rule, bad, edits));
    }
}

/// Checks that a kernel takes the time that the advice for another one promises, to within 2 %.
fn compare(rule: &str, bad: &Value, good: &Value) {
    let found = advice(bad, rule);
    assert_eq!(found.len(), 1, "{rule}: {bad}");
    let [after, before] = promised(found[0]["message"].as_str().expect("a message"));
    let is_near = |promised: f64, taken: f64| (promised / taken - 1.0).abs() < 0.02;
    let [is, becomes] = [bad, good].map(microseconds);
    println!("{rule}: {before} to {after}, rewritten {becomes:.3}");
    assert!(is_near(before, is), "{rule}: {before}, {is}");
    assert!(is_near(after, becomes), "{rule}: {after}, {becomes}");
    assert!(after < before * 0.98, "{rule}: {before} to {after}");
    assert!(advice(good, rule).is_empty(), "{rule}: {good}");
    assert_eq!(
        (&bad["changes_not_tried"], &bad["end"]["kind"]),
        (&0.into(), &"finished".into())
    );
}

#[test]
fn every_rule_about_speed_is_compared_and_has_near_misses() {
    let rules = RULES.iter().filter(|rule| rule.code.starts_with("PRF"));
    let names: Vec<&str> = rules.map(|rule| rule.name).collect();
    assert!(names.len() >= 10, "{names:?}");
    for name in names {
        let compared = REWRITTEN.iter().map(|(rule, ..)| *rule);
        let compared = compared.chain(EDITED.iter().map(|(rule, ..)| *rule));
        assert!(compared.filter(|rule| *rule == name).count() >= 2, "{name}");
        let folder = root().join("tests/rules").join(name);
        let cases = files(&folder, "py");
        for kind in ["bad_", "good_"] {
            let is_kind = |path: &&PathBuf| {
                let name = path.file_name().and_then(|name| name.to_str());
                name.is_some_and(|name| name.starts_with(kind))
            };
            let count = cases.iter().filter(is_kind).count();
            assert!(count >= 2, "{name}: {count} {kind} cases");
        }
        // Each rule also has a case that is similar but needs no advice.
        let rewritten = REWRITTEN.iter().filter(|(rule, ..)| *rule == name);
        let rewritten: Vec<&str> = rewritten.map(|(.., good)| *good).collect();
        let is_near_miss = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.starts_with("good_") && !rewritten.contains(&name))
        };
        assert!(cases.iter().any(is_near_miss), "{name}");
    }
}

/// Advice is opt-in: neither the command nor its default settings report it.
#[test]
fn a_check_says_nothing_of_speed_unless_it_is_asked() {
    for (rule, bad, _) in REWRITTEN {
        let known = checked(&read(&root().join("tests/rules").join(rule).join(bad)));
        assert!(known.findings.iter().all(|it| it.name != rule), "{rule}");
    }
    let says = |options: &[&str]| {
        let mut command = crate::common::binary();
        let path = "tests/rules/small-moves/bad_rows.py";
        command
            .current_dir(root())
            .args(["check", "--isolated", path]);
        let output = command.args(options).output().expect("the binary runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        text.contains("[small-moves]")
    };
    assert!(!says(&[]));
    assert!(says(&["--select", "PRF"]));
}

/// A kernel with errors gets no advice on speed.
#[test]
fn a_racy_kernel_gets_no_advice() {
    let text = read(&root().join("tests/rules/single-slot/bad_tiles.py"));
    let racy = text.replace("exp(result, loaded)", "exp(loaded, loaded)");
    let racy = racy.replace("<<= result", "<<= loaded");
    let cost = only(costs_of_text(&racy));
    assert_ne!(cost["findings"].as_array().map(Vec::len), Some(0), "{cost}");
    assert_eq!(cost["advice"].as_array().map(Vec::len), Some(0), "{cost}");
}
