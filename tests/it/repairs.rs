//! Repairs: the share of bad cases that they leave without findings, and properties that hold for every repair.
//!
//! `A2LINT_REPAIRS=all` fixes every bad case, prints the table by rule family and compares it with `repaired.txt`;
//! `A2LINT_REPAIRS=update` writes that file. By default a sample is tested.
//!
//! Next to each kernel of `tests/trust/fixes` with a safe fix is its text after all of them (`.fixed`), and next to
//! those with unsafe fixes the text after these (`.unsafe`). `A2LINT_FIXES=update` writes both. Kernels whose names
//! begin with `refused_` have no fix at all, since none is right for certain.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use a2lint::check::{Analysis, Settings, check};
use a2lint::fix::Applicability;
use a2lint::language::Language;
use a2lint::laws::{Law, Verdict};
use a2lint::repair::{Outcome, Price, Prices, Workshop, fix_file};
use a2lint::rules;
use a2lint::suppress::Layout;
use a2lint::text::SourceText;
use a2lint::verdict::{Property, Status};

use crate::common;

/// One case in `SAMPLE` is fixed in every build.
const SAMPLE: usize = 24;

/// The rule on buffers that nothing reads, which the cases violate because they are short.
const UNUSED: &str = "unused-buffer";

fn settings(text: &str) -> Settings {
    let first = text.lines().next().unwrap_or_default();
    Settings {
        pedantic: first.trim_start_matches(['#', '/', '~', ' ']).trim() == "pedantic",
        ..Settings::default()
    }
}

fn fixed(text: &str, language: Language, applicability: Applicability) -> (Outcome, Analysis) {
    let settings = settings(text);
    let check = |source: &SourceText| check(source, language, &settings);
    let outcome = fix_file(
        &SourceText::new(text),
        language,
        applicability,
        &check,
        None,
    );
    let analysis = check(&SourceText::new(outcome.fixed.text.as_str()));
    (outcome, analysis)
}

/// Returns every bad case of the rules with its name.
fn cases() -> Vec<(String, PathBuf)> {
    let tests = common::root().join("tests");
    let folders = ["rules", "dialects/ascriptor/rules"].map(|folder| tests.join(folder));
    let files = folders.iter().flat_map(|folder| common::sources(folder));
    let bad = files.filter(|path| name(path).starts_with("bad_"));
    let named = bad.map(|path| {
        let short = path
            .strip_prefix(&tests)
            .unwrap_or(&path)
            .display()
            .to_string();
        (short.replace('\\', "/"), path)
    });
    named.collect()
}

fn name(path: &Path) -> &str {
    path.file_name()
        .and_then(|name| name.to_str())
        .unwrap_or_default()
}

/// Returns the rule of a case, which is the name of its folder.
fn rule(case: &str) -> &str {
    case.rsplit('/').nth(1).unwrap_or_default()
}

/// Whether a case has no findings after all its fixes.
fn is_repaired(case: &str, path: &Path) -> bool {
    let text = common::read(path);
    let (_, after) = fixed(&text, common::language(path), Applicability::Unsafe);
    let counts = |name: &str| name != UNUSED || rule(case) == UNUSED;
    !after.findings.iter().any(|finding| counts(finding.name))
}

/// Returns which cases are repaired. All processors are used.
fn repaired(cases: &[(String, PathBuf)]) -> BTreeMap<String, bool> {
    let (next, all) = (AtomicUsize::new(0), Mutex::new(BTreeMap::new()));
    let work = || {
        while let Some((case, path)) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            let is_repaired = is_repaired(case, path);
            all.lock()
                .expect("no test panics with it")
                .insert(case.clone(), is_repaired);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    all.into_inner().expect("no test panics with it")
}

fn family(case: &str) -> &'static str {
    let rule = rules::find(rule(case)).expect("folders are named after rules");
    rule.group().prefix
}

/// Formats the numbers of repaired cases by rule family.
fn table(repaired: &BTreeMap<String, bool>) -> String {
    let mut families: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for (case, &is_repaired) in repaired {
        for family in [family(case), "all"] {
            let (good, all) = families.entry(family).or_default();
            *good += usize::from(is_repaired);
            *all += 1;
        }
    }
    let line = |(family, (good, all)): (&&str, &(usize, usize))| {
        format!("{family} {good} of {all} ({} %)\n", good * 100 / all)
    };
    families.iter().map(line).collect()
}

const RECORD: &str = "tests/it/repaired.txt";

fn recorded() -> Vec<String> {
    let text = common::read(&common::root().join(RECORD));
    text.lines().map(str::to_owned).collect()
}

#[test]
fn bad_cases_are_repaired_as_recorded() {
    let mut cases = cases();
    let mode = std::env::var("A2LINT_REPAIRS").unwrap_or_default();
    if mode.is_empty() {
        let every = |(at, case)| (at % SAMPLE == 0).then_some(case);
        cases = cases.into_iter().enumerate().filter_map(every).collect();
    }
    let now = repaired(&cases);
    println!("{}", table(&now));
    let good = now.iter().filter(|(_, is_repaired)| **is_repaired);
    let good: Vec<&str> = good.map(|(case, _)| case.as_str()).collect();
    if mode == "update" {
        let text: String = good.iter().map(|case| format!("{case}\n")).collect();
        std::fs::write(common::root().join(RECORD), text).expect("the record");
        return;
    }
    let known = recorded();
    let lost: Vec<&String> = known
        .iter()
        .filter(|case| now.get(*case).is_some_and(|is_repaired| !is_repaired))
        .collect();
    assert!(lost.is_empty(), "no longer repaired: {lost:#?}");
    let new: Vec<&&str> = good
        .iter()
        .filter(|case| !known.iter().any(|it| it == **case))
        .collect();
    assert!(new.is_empty(), "record what is repaired now: {new:#?}");
}

/// The recorded share of repaired cases is the one that issue and documentation promise.
#[test]
fn the_record_has_the_share_that_is_promised() {
    let known = recorded();
    let share = |wanted: &dyn Fn(&str) -> bool| {
        let all = cases().into_iter().filter(|(case, _)| wanted(case)).count();
        let good = known.iter().filter(|case| wanted(case)).count();
        good * 100 / all
    };
    assert!(share(&|case| family(case) == "SYN") >= 60);
    assert!(share(&|_| true) >= 40);
}

fn after(text: &str, applicability: Applicability) -> String {
    fixed(text, Language::Easyasc, applicability).0.fixed.text
}

const RACE: &str = r#"import torch
from easyasc.a2 import *


@kernel(mode="vec")
def scaled(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        dup(tile, 0.0)
        tile[0:32, 0:64] <<= x[0:32, 0:64]
        exp(tile, tile)
        y[0:64, 0:64] <<= tile
    return y


if __name__ == "__main__":
    OpExec(scaled, "", simulator=True)(torch.randn(64, 64), torch.zeros(64, 64))
"#;

#[test]
fn a_missing_edge_is_handed_over_by_an_event() {
    let fixed = after(RACE, Applicability::Safe);
    let wanted = "        dup(tile, 0.0)
        computed.set()
        computed.wait()
        tile[0:32, 0:64] <<= x[0:32, 0:64]
";
    assert!(fixed.contains(wanted), "{fixed}");
    let declared = "    computed = SEvent(Pipe.V, Pipe.MTE2)\n    with auto_sync():\n";
    assert!(fixed.contains(declared), "{fixed}");
}

#[test]
fn what_cannot_be_proved_is_unsafe() {
    // It cannot be known whether the sum is meant to start with zeros.
    let text = r#"from easyasc.a2 import *


@kernel(mode="vec")
def stored(x: GMTensor, y: GMTensor):
    part = Tensor(DT.float, [64, 64], Position.UB)
    out = Tensor(DT.float, [64, 64], Position.UB)
    with auto_sync():
        for at in range(0, 256, 64):
            part <<= x[0:64, at:at + 64]
            add(out, out, part)
        y[0:64, 0:64] <<= out
    return y
"#;
    assert_eq!(after(text, Applicability::Safe), text);
    let (outcome, _) = fixed(text, Language::Easyasc, Applicability::Safe);
    assert_eq!(outcome.unsafe_left, 1);
    let fixed = after(text, Applicability::Unsafe);
    assert!(fixed.contains("dup(out, 0.0)"), "{fixed}");
}

#[test]
fn clean_kernels_stay_as_they_are() {
    for path in common::files(&common::root().join("tests/kernels"), "py")
        .iter()
        .step_by(9)
    {
        let text = common::read(path);
        let (outcome, _) = fixed(&text, Language::Easyasc, Applicability::Unsafe);
        assert_eq!(outcome.fixed.text, text, "{}", path.display());
    }
}

/// Returns the smallest kernel with a barrier, with a second, superfluous barrier after it.
fn with_a_superfluous_barrier() -> String {
    let kernels = common::files(&common::root().join("tests/kernels"), "py");
    let texts = kernels.iter().map(|path| common::read(path));
    let with_barriers = texts.filter(|text| text.lines().any(|line| line.trim() == "bar_all()"));
    let text = with_barriers
        .min_by_key(String::len)
        .expect("a kernel has a barrier");
    let line = text
        .lines()
        .find(|line| line.trim() == "bar_all()")
        .expect("it has one");
    let indent = " ".repeat(line.len() - line.trim_start().len());
    text.replacen(
        &format!("{line}\n"),
        &format!("{line}\n{indent}bar_v()\n"),
        1,
    )
}

#[test]
fn removals_leave_outputs_as_they_were() {
    let text = with_a_superfluous_barrier();
    let settings = Settings {
        select: vec!["redundant-barrier".to_owned()],
        ..Settings::default()
    };
    let language = Language::Easyasc;
    let check = |source: &SourceText| check(source, language, &settings);
    let source = SourceText::new(text.as_str());
    let outcome = fix_file(&source, language, Applicability::Safe, &check, None);
    let removed = outcome
        .fixed
        .done
        .iter()
        .filter(|done| done.rule == "redundant-barrier");
    assert!(removed.count() > 0, "{text}");
    let before = crate::simulate::outputs(&text);
    assert!(!before.is_empty(), "{text}");
    assert_eq!(
        before,
        crate::simulate::outputs(&outcome.fixed.text),
        "{text}"
    );
}

/// Returns the time of each launch of a file in microseconds.
fn microseconds(text: &str) -> Vec<f64> {
    let costs = common::costs_of_text(text).into_iter();
    let times = costs.map(|run| run["cost"]["microseconds"].as_f64().expect("a time"));
    times.collect()
}

/// Returns the text after the first repair of a case, and the price of the repair.
fn first_repair(text: &str, pedantic: bool) -> (String, Option<Price>) {
    let settings = Settings {
        pedantic,
        ..Settings::default()
    };
    let check = |source: &SourceText| check(source, Language::Easyasc, &settings);
    let prices = Prices::of(&settings);
    let workshop = Workshop::new(&check, Language::Easyasc, 60);
    let mut workshop = workshop.with_prices(Some(prices));
    let source = SourceText::new(text);
    let analysis = check(&source);
    let mut found = analysis.findings.iter();
    let repair = found.find_map(|finding| {
        let wanted = Applicability::Unsafe;
        workshop.repair(&source, &analysis, finding, wanted).0
    });
    let repair = repair.expect("a repair");
    (repair.text.as_str().to_owned(), repair.price)
}

#[test]
fn repairs_of_synchronisation_say_what_they_cost() {
    let folder = common::root().join("tests/rules");
    let race = common::read(&folder.join("race/bad_reload_of_stored.py"));
    let barrier = with_a_superfluous_barrier();
    for (text, pedantic) in [(&race, false), (&barrier, true)] {
        let (repaired, price) = first_repair(text, pedantic);
        let price = price.expect("a price");
        println!("{}", price.describe());
        // The price is for the kernels as they run under the longest launch.
        let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-6;
        let (before, after) = (microseconds(text), microseconds(&repaired));
        let longest = before.iter().copied().fold(0.0, f64::max);
        assert!(near(price.before, longest), "{price:?} {before:?}");
        let at = before.iter().position(|time| *time == longest);
        let after = after[at.expect("a launch")];
        assert!(near(price.after, after), "{price:?} {after}");
    }
    // The price of an event is the overlap of the pipes that is lost; removing a barrier costs nothing.
    let (_, price) = first_repair(&race, false);
    let text = price.expect("a price").describe();
    assert!(
        text.starts_with("costs ") && text.ends_with("with N=4"),
        "{text}"
    );
    let (_, price) = first_repair(&barrier, true);
    assert!(price.is_some_and(|price| price.after <= price.before));
}

#[test]
fn repairs_of_other_things_and_of_kernels_without_a_launch_have_no_price() {
    let folder = common::root().join("tests/rules");
    let race = common::read(&folder.join("race/bad_reload_of_stored.py"));
    let start = race.find("\n\nif __name__").expect("a launch");
    let unlaunched = format!("{}\n", &race[..start]);
    let findings = |text: &str| {
        let settings = Settings::default();
        check(&SourceText::new(text), Language::Easyasc, &settings)
            .findings
            .len()
    };
    if findings(&unlaunched) > 0 {
        assert_eq!(first_repair(&unlaunched, false).1, None);
    }
    let unset = common::read(&folder.join("uninitialized-read/bad_accumulator.py"));
    assert_eq!(first_repair(&unset, false).1, None);
}

/// Removes the annotations from a kernel file.
fn plain(annotated: &str) -> String {
    let lines = annotated
        .lines()
        .filter_map(|line| match line.split_once("#~") {
            Some((code, _)) if code.trim().is_empty() => None,
            Some((code, _)) => Some(format!("{}\n", code.trim_end())),
            None => Some(format!("{line}\n")),
        });
    lines.collect()
}

/// Returns the comments or strings of a text in alphabetical order.
fn sorted(text: &str, pick: fn(&Layout) -> &[a2lint::text::Span]) -> Vec<String> {
    let source = SourceText::new(text);
    let layout = Layout::of(text, Language::Easyasc);
    let texts = pick(&layout).iter().map(|span| source.slice(*span));
    let mut texts: Vec<String> = texts.map(str::to_owned).collect();
    texts.sort();
    texts
}

/// Returns the proved properties of each kernel.
fn proved(analysis: &Analysis) -> Vec<Vec<Property>> {
    let verdicts = analysis.verdicts().map(|verdicts| {
        let proved = verdicts.iter();
        let proved = proved.filter(|verdict| matches!(verdict.status, Status::Proved { .. }));
        proved.map(|verdict| verdict.property).collect()
    });
    verdicts.collect()
}

/// Checks what must hold for every text after safe fixes.
fn is_sound(path: &Path, text: &str, before: &Analysis, outcome: &Outcome, after: &Analysis) {
    let (fixed, name) = (&outcome.fixed, path.display());
    let pairs: [fn(&Layout) -> &[a2lint::text::Span]; 2] =
        [|layout| &layout.comments, |layout| &layout.quoted];
    for pick in pairs {
        assert_eq!(
            sorted(text, pick),
            sorted(&fixed.text, pick),
            "{name}:\n{}",
            fixed.text
        );
    }
    let (was, is) = (proved(before), proved(after));
    for (was, is) in was.iter().zip(&is) {
        assert!(
            was.iter().all(|property| is.contains(property)),
            "{name}: {was:?} {is:?}"
        );
    }
    let count = |analysis: &Analysis| analysis.findings.len();
    assert!(
        fixed.done.is_empty() || count(after) < count(before),
        "{name}"
    );
    let synchronises =
        |rule: &str| rules::find(rule).is_some_and(|rule| rule.group().prefix == "SYN");
    if fixed.done.iter().any(|done| synchronises(done.rule)) {
        let both = [Property::Order, Property::Progress];
        let proves = |own: &Vec<Property>| both.iter().all(|it| own.contains(it));
        assert!(is.iter().all(proves), "{name}: {is:?}");
    }
}

fn fixes_are_as_recorded(path: &Path, is_update: bool) -> Result<(), String> {
    let annotated = common::read(path);
    let text = plain(&annotated);
    let settings = settings(&annotated);
    let check = |source: &SourceText| check(source, Language::Easyasc, &settings);
    let fix = |text: &str, applicability| {
        let source = SourceText::new(text);
        fix_file(&source, Language::Easyasc, applicability, &check, None)
    };
    let safe = fix(&text, Applicability::Safe);
    let before = check(&SourceText::new(text.as_str()));
    let after = check(&SourceText::new(safe.fixed.text.as_str()));
    is_sound(path, &text, &before, &safe, &after);
    let recorded = |extension: &str, before: &str, now: &str| {
        let place = path.with_extension(extension);
        if is_update {
            let _ = std::fs::remove_file(&place);
            if now != before {
                std::fs::write(&place, now).expect("the record");
            }
            return Ok(());
        }
        let known = std::fs::read_to_string(&place).unwrap_or_else(|_| before.to_owned());
        match known == now {
            true => Ok(()),
            false => Err(format!("{}:\n{now}", place.display())),
        }
    };
    recorded("fixed", &text, &safe.fixed.text)?;
    let is_refused = name(path).starts_with("refused_");
    if is_refused || is_update || path.with_extension("unsafe").exists() {
        let all = fix(&text, Applicability::Unsafe);
        recorded("unsafe", &safe.fixed.text, &all.fixed.text)?;
        if is_refused && all.fixed.text != text {
            return Err(format!("{}: it has a fix", path.display()));
        }
    }
    Ok(())
}

#[test]
fn fixes_under_attack_come_out_as_recorded() {
    let is_update = std::env::var("A2LINT_FIXES").is_ok_and(|mode| mode == "update");
    let files = common::files(&common::root().join("tests/trust/fixes"), "py");
    let (next, wrong) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    let work = || {
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Err(message) = fixes_are_as_recorded(path, is_update) {
                wrong.lock().expect("no test panics with it").push(message);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(work);
        }
    });
    let wrong = wrong.into_inner().expect("no test panics with it");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A running result that starts where a fix says is the same with any number of cores and in any order of pipes.
#[test]
fn results_with_a_start_obey_the_laws() {
    let files = common::files(&common::root().join("tests/trust/fixes"), "unsafe");
    let starts = files.iter().filter(|path| name(path).starts_with("start_"));
    let mut tested = 0;
    for path in starts {
        for law in [Law::Cores, Law::Order] {
            let verdict = crate::laws::tried(&common::read(path), law).verdict;
            assert!(
                matches!(verdict, Verdict::Held(_)),
                "{}: {law:?}: {verdict:?}",
                path.display()
            );
            tested += 1;
        }
    }
    assert_eq!(tested, 6);
}

/// The pairs of AscendC whose bad half is repaired, with what is inserted.
const ORDERED: &[(&str, &str)] = &[
    ("wrong_pair", "WaitFlag<HardEvent::MTE3_V>(eventMte3ToV);"),
    (
        "add_before_load",
        "AscendC::WaitFlag<AscendC::HardEvent::MTE2_V>(eventMte2ToV);",
    ),
    (
        "store_runs_ahead",
        "WaitFlag<HardEvent::V_MTE3>(eventVToMte3);",
    ),
];

#[test]
fn races_of_ascendc_are_repaired_by_flags() {
    for (name, line) in ORDERED {
        let text = common::pairs::pair(name).bad;
        let (outcome, after) = fixed(&text, Language::Cpp, Applicability::Safe);
        let fixed = &outcome.fixed.text;
        assert!(fixed.contains(line), "{name}: {fixed}");
        assert_eq!(after.findings, [], "{name}: {fixed}");
    }
}

/// The tensor of a queue that is freed before its last use: the call moves, and nothing waits for another pipe.
#[test]
fn a_tensor_that_is_freed_too_early_is_freed_later() {
    let path = common::root().join("docs/mistakes/freed_too_early.cpp");
    let text = common::read(&path);
    let (outcome, after) = fixed(&text, Language::Cpp, Applicability::Safe);
    let fixed = &outcome.fixed.text;
    let meant = "        Add(b, a, a, 64);\n        in.FreeTensor(a);\n";
    assert!(
        fixed.contains(meant) && !fixed.contains("SetFlag"),
        "{fixed}"
    );
    assert_eq!(fixed.len(), text.len());
    assert_eq!(after.findings, []);
}

#[test]
fn nothing_is_inserted_where_a_statement_of_cpp_does_not_begin() {
    let text = r#"#include "kernel_operator.h"
using namespace AscendC;
// a2lint: auto-sync off
// a2lint: launch(block_dim=1, y=float[64], n=1)
extern "C" __global__ __aicore__ void fill(GM_ADDR y, int32_t n)
{
    TPipe pipe;
    TBuf<TPosition::VECCALC> buf;
    pipe.InitBuffer(buf, 256);
    LocalTensor<float> t = buf.Get<float>();
    Duplicate(t, 1.0f, 64);
    // One more.
    if (n > 0)
        // Then.
        Adds(t, t, 1.0f, 64);
    PipeBarrier<PIPE_ALL>();
    GlobalTensor<float> gy;
    gy.SetGlobalBuffer((__gm__ float*)y);
    DataCopy(gy, t, 64);
}
"#;
    let (outcome, after) = fixed(text, Language::Cpp, Applicability::Safe);
    assert_eq!(outcome.fixed.text, text);
    assert_eq!(after.findings.len(), 1);
    let braced = text.replace("if (n > 0)\n", "if (n > 0) {\n");
    let braced = braced.replace("1.0f, 64);\n    PipeB", "1.0f, 64);\n    }\n    PipeB");
    let (outcome, after) = fixed(&braced, Language::Cpp, Applicability::Safe);
    let barrier = "        // Then.\n        PipeBarrier<PIPE_V>();\n        Adds(";
    assert!(
        outcome.fixed.text.contains(barrier),
        "{}",
        outcome.fixed.text
    );
    assert_eq!(after.findings, []);
}

/// In order, each tile in the half of `loaded` that nothing reads would be lost without a trace.
#[test]
fn the_wrong_half_of_a_buffer_is_not_put_in_order() {
    let text = |source: &str| {
        format!(
            r#"#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t HALF = 512;
// a2lint: launch(block_dim=2, x=float[6144], y=float[6144])
extern "C" __global__ __aicore__ void roots(GM_ADDR x, GM_ADDR y)
{{
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float *)x + GetBlockIdx() * 6 * HALF, 6 * HALF);
    gy.SetGlobalBuffer((__gm__ float *)y + GetBlockIdx() * 6 * HALF, 6 * HALF);
    TPipe pipe;
    TBuf<> before, after;
    pipe.InitBuffer(before, 2 * HALF * sizeof(float));
    pipe.InitBuffer(after, 2 * HALF * sizeof(float));
    LocalTensor<float> loaded = before.Get<float>(), done = after.Get<float>();
    for (uint32_t side = 0; side < 2; side++) {{
        event_t id = static_cast<event_t>(side);
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::MTE3_V>(id);
    }}
    for (uint32_t i = 0; i < 6; i++) {{
        uint32_t side = i & 1;
        event_t id = static_cast<event_t>(side);
        WaitFlag<HardEvent::V_MTE2>(id);
        DataCopy(loaded[side * HALF], gx[i * HALF], HALF);
        SetFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE2_V>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
        Sqrt(done[side * HALF], {source}, HALF);
        SetFlag<HardEvent::V_MTE2>(id);
        SetFlag<HardEvent::V_MTE3>(id);
        WaitFlag<HardEvent::V_MTE3>(id);
        DataCopy(gy[i * HALF], done[side * HALF], HALF);
        SetFlag<HardEvent::MTE3_V>(id);
    }}
    for (uint32_t side = 0; side < 2; side++) {{
        event_t id = static_cast<event_t>(side);
        WaitFlag<HardEvent::V_MTE2>(id);
        WaitFlag<HardEvent::MTE3_V>(id);
    }}
}}
"#
        )
    };
    let wrong = text("loaded");
    let (outcome, after) = fixed(&wrong, Language::Cpp, Applicability::Safe);
    assert_eq!(outcome.fixed.text, wrong);
    let races = after.findings.iter().filter(|it| it.name == "race");
    assert_eq!(races.count(), 1, "{:?}", after.findings);
    let right = text("loaded[side * HALF]");
    let (_, after) = fixed(&right, Language::Cpp, Applicability::Safe);
    assert_eq!(after.findings, []);
    // A wait that is missing is put in as before.
    let missing = right.replace("        WaitFlag<HardEvent::MTE2_V>(id);\n", "");
    let missing = missing.replace("        SetFlag<HardEvent::MTE2_V>(id);\n", "");
    let (_, after) = fixed(&missing, Language::Cpp, Applicability::Safe);
    assert_eq!(after.findings, []);
}

/// A barrier between two loads that overlap would hide that the later one replaces what the earlier one has loaded.
#[test]
fn loads_that_overlap_are_not_put_in_order() {
    let text = r#"#include "kernel_operator.h"
using namespace AscendC;
constexpr uint32_t LEN = 1024;
// a2lint: launch(block_dim=1, x=half[1024], y=half[1024], z=half[1024])
extern "C" __global__ __aicore__ void sum(GM_ADDR x, GM_ADDR y, GM_ADDR z)
{
    InitSocState();
    GlobalTensor<half> gx, gy, gz;
    gx.SetGlobalBuffer((__gm__ half*)x);
    gy.SetGlobalBuffer((__gm__ half*)y);
    gz.SetGlobalBuffer((__gm__ half*)z);
    LocalTensor<half> a(TPosition::VECIN, 0, LEN);
    LocalTensor<half> b(TPosition::VECIN, LEN, LEN);
    DataCopy(a, gx, LEN);
    DataCopy(b, gy, LEN);
    PipeBarrier<PIPE_ALL>();
    Add(a, a, b, LEN / 2);
    PipeBarrier<PIPE_ALL>();
    DataCopy(gz, a, LEN / 2);
    PipeBarrier<PIPE_ALL>();
}
"#;
    let (outcome, after) = fixed(text, Language::Cpp, Applicability::Safe);
    assert_eq!(outcome.fixed.text, text);
    assert!(after.findings.iter().any(|finding| finding.name == "race"));
}
