//! `a2lint test`: a kernel with one mistake violates each law, and sound kernels satisfy all.
//!
//! `A2LINT_LAWS=all` tests every kernel of `tests/kernels` and of the other dialect, under `A2LINT_LAW_SEEDS` seeds.

use std::path::PathBuf;
use std::process::Output;

use a2lint::laws::{Law, Request, Shape, Tested, Tried, Verdict, test};
use a2lint::run::{Arguments, Which};
use a2lint::target::{Target, TargetError};
use a2lint::text::SourceText;

use crate::common::{files, root};
use crate::run::{file, json, stdout};

/// A kernel that doubles its input row by row.
pub const ROWS: &str = r#"
from easyasc.a2 import *
import torch

@kernel(mode="vec")
def rows(x: GMTensor, y: GMTensor, M: Var):
    tile = Tensor(DT.float, [8, 64], Position.UB)
    done = Tensor(DT.float, [8, 64], Position.UB)
    with auto_sync():
        for at in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):
            row0 = Var(at * 8)
            live = Min(8, M - row0)
            tile[0:live, 0:64] <<= x[row0:row0 + live, 0:64]
            muls(done, tile, 2.0)
            y[row0:row0 + live, 0:64] <<= done[0:live, 0:64]
    return y

if __name__ == "__main__":
    for M in [100, 400]:
        x = torch.randn(M, 64)
        OpExec(rows, "", simulator=True)(x, torch.zeros(M, 64), M)
"#;

/// Small kernels, which are tested in every build.
const SMALL: [&str; 5] = ["rms_norm", "rope", "topk", "tile_trend", "layer_norm"];

pub fn edited(edits: &[(&str, &str)]) -> String {
    let mut text = ROWS.to_owned();
    for (old, new) in edits {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    text
}

/// Returns the result of a law for the kernel of a text.
pub fn tried(text: &str, law: Law) -> Tried {
    let target = Target::of("k.py", &SourceText::new(text), None).expect("a kernel");
    let program = target.programs().expect("a kernel")[0];
    let request = Request {
        laws: vec![law],
        ..Request::default()
    };
    let mut tested = test(&target, program, &all(), &request, &mut ());
    tested.laws.remove(0)
}

pub fn all() -> Arguments {
    Arguments {
        launch: Which::All,
        ..Arguments::default()
    }
}

/// Returns the description of how a law is violated.
fn broken(text: &str, law: Law) -> String {
    let tried = tried(text, law);
    match tried.verdict {
        Verdict::Violated(breach) => breach.what,
        verdict => panic!("{law:?}: {verdict:?}"),
    }
}

#[test]
fn a_sound_kernel_holds_under_every_law() {
    for law in Law::ALL {
        let tried = tried(ROWS, law);
        assert!(matches!(tried.verdict, Verdict::Held(_)), "{tried:?}");
        assert_eq!(tried.left_out, None, "{law:?}");
    }
}

#[test]
fn a_split_that_forgets_the_remainder_depends_on_the_number_of_cores() {
    let text = edited(&[
        (
            "for at in range(GetVecIdx(), CeilDiv(M, 8), GetVecNum()):",
            "for at in range(GetVecIdx() * (CeilDiv(M, 8) // GetVecNum()), \
             (GetVecIdx() + 1) * (CeilDiv(M, 8) // GetVecNum())):",
        ),
        ("[100, 400]", "[320]"),
    ]);
    let what = broken(&text, Law::Cores);
    assert!(what.contains("differ between 3 and 20 cores"), "{what}");
}

/// If nothing launches a kernel, the invented sizes give some lane a second tile.
#[test]
fn what_is_left_of_the_tile_before_shows_without_a_launch() {
    let (kernel, _) = ROWS.split_once("if __name__").expect("launches");
    let sum = kernel.replace("muls(done, tile, 2.0)", "add(done, done, tile)");
    let text = sum.replace("    with auto", "    dup(done, 0.0)\n    with auto");
    let what = broken(&text, Law::Cores);
    assert!(what.contains("differ between 1 and 20 cores"), "{what}");
    let inside = "live = Min(8, M - row0)";
    let text = sum.replace(inside, &format!("dup(done, 0.0)\n            {inside}"));
    let verdict = tried(&text, Law::Cores).verdict;
    assert!(matches!(verdict, Verdict::Held(_)), "{verdict:?}");
}

#[test]
fn a_race_depends_on_the_order_of_pipes() {
    let text = edited(&[("with auto_sync():", "if True:")]);
    let Verdict::Violated(breach) = tried(&text, Law::Order).verdict else {
        panic!("it is a race")
    };
    let what = &breach.what;
    assert!(what.contains("a read may come before the write"), "{what}");
    let parts: Vec<&str> = breach.places.iter().map(|(part, _)| *part).collect();
    assert_eq!(parts, ["first", "second"]);
    // The violation shows the effect of a delayed pipe.
    let element = breach.element.expect("an element that differs");
    let [(_, one), (_, other)] = &element.values[..] else {
        panic!("{element:?}")
    };
    assert_eq!(element.tensor, "y");
    assert_ne!(one, other, "{element:?}");
}

#[test]
fn maps_of_dependence_are_told_along_each_axis() {
    let target = Target::of("k.py", &SourceText::new(ROWS), None).expect("a kernel");
    let program = target.programs().expect("a kernel")[0];
    let request = Request {
        laws: vec![Law::Rows],
        dependence: true,
        ..Request::default()
    };
    let tested = test(&target, program, &all(), &request, &mut ());
    let dependence = &tested.laws[0].dependence;
    let along = |axis: usize| {
        let mut all = dependence.iter();
        all.find(|it| it.axes == Some([axis, axis]))
            .expect("a map for each axis")
    };
    // Groups of several rows are independent of each other, and a value affects its own column only.
    for axis in [0, 1] {
        assert_eq!(along(axis).shape, Shape::Block, "{dependence:?}");
        assert_eq!((along(axis).map.len(), along(axis).map[0].len()), (16, 16));
    }
    let text = edited(&[("M in [100, 400]", "M in [16]")]);
    let target = Target::of("k.py", &SourceText::new(text), None).expect("a kernel");
    let program = target.programs().expect("a kernel")[0];
    let tested = test(&target, program, &all(), &request, &mut ());
    let mut maps = tested.laws[0].dependence.iter();
    let rows = maps.find(|it| it.axes == Some([0, 0])).expect("a map");
    assert_eq!(rows.shape, Shape::PerRow, "{rows:?}");
}

#[test]
fn a_causal_axis_is_named() {
    let path = root().join("tests/kernels/causal_attention.py");
    let target = Target::open(&path.display().to_string()).expect("a kernel");
    let program = target.programs().expect("a kernel")[0];
    let request = Request {
        laws: vec![Law::Rows],
        dependence: true,
        ..Request::default()
    };
    let tested = test(&target, program, &Arguments::default(), &request, &mut ());
    let dependence = &tested.laws[0].dependence;
    let shape = |input: &str, axis: usize| {
        let mut all = dependence.iter();
        let found = all.find(|it| it.input == input && it.axes == Some([axis, axis]));
        found.map(|it| it.shape)
    };
    assert_eq!(shape("v", 1), Some(Shape::Causal), "{dependence:?}");
}

/// A load and a store with an event between them, which both pipes have to observe.
#[test]
fn pipes_are_delayed_as_far_as_events_allow() {
    let text = edited(&[
        (
            "with auto_sync():",
            "loaded = SEvent(Pipe.MTE2, Pipe.MTE3)\n    if True:",
        ),
        (
            "            muls(done, tile, 2.0)\n",
            "            loaded.set()\n            loaded.wait()\n",
        ),
        ("<<= done[0:live, 0:64]", "<<= tile[0:live, 0:64]"),
        ("[100, 400]", "[100]"),
    ]);
    let held = tried(&text, Law::Order);
    assert!(matches!(held.verdict, Verdict::Held(_)), "{held:?}");
    let racy = text.replace("            loaded.set()\n            loaded.wait()\n", "");
    let Verdict::Violated(breach) = tried(&racy, Law::Order).verdict else {
        panic!("it is a race")
    };
    assert!(breach.element.is_some(), "{breach:?}");
}

/// Lanes that exchange tiles would deadlock if delayed work was forgotten.
#[test]
fn lanes_that_wait_for_work_that_is_held_back_go_on() {
    let path = root().join("tests/kernels/flash_attention.py");
    let target = Target::open(&path.display().to_string()).expect("a kernel");
    let program = target.programs().expect("a kernel")[0];
    let request = Request {
        laws: vec![Law::Order],
        schedules: 40,
        ..Request::default()
    };
    let tested = test(&target, program, &Arguments::default(), &request, &mut ());
    assert!(
        matches!(tested.laws[0].verdict, Verdict::Held(_)),
        "{tested:?}"
    );
}

#[test]
fn lanes_that_write_the_same_rows_depend_on_their_order() {
    let text = edited(&[
        (
            "range(GetVecIdx(), CeilDiv(M, 8), GetVecNum())",
            "range(0, CeilDiv(M, 8))",
        ),
        (
            "            muls(done, tile, 2.0)\n",
            "            if GetVecIdx() == 3:\n                muls(done, tile, 3.0)\n            \
             else:\n                muls(done, tile, 2.0)\n",
        ),
    ]);
    let what = broken(&text, Law::Order);
    assert!(
        what.contains("depend on the order of lanes and pipes"),
        "{what}"
    );
}

#[test]
fn a_tail_that_is_left_out_is_never_written() {
    let text = edited(&[(
        "range(GetVecIdx(), CeilDiv(M, 8)",
        "range(GetVecIdx(), M // 8",
    )]);
    let what = broken(&text, Law::Coverage);
    assert_eq!(what, "256 of 6400 elements of `y` are never written");
}

#[test]
fn a_tail_of_other_rows_is_an_exception() {
    let text = edited(&[(
        "            tile[0:live, 0:64] <<= x[row0:row0 + live, 0:64]\n",
        "            from_row = Min(row0, M - 8)\n            \
          tile[0:8, 0:64] <<= x[from_row:from_row + 8, 0:64]\n",
    )]);
    let what = broken(&text, Law::Rows);
    assert!(
        what.contains("row 96 of `y` depends on row 92 of `x`"),
        "{what}"
    );
}

#[test]
fn what_is_loaded_in_vain_has_no_influence() {
    let load = "            tile[0:live, 0:64] <<= x[row0:row0 + live, 0:64]\n";
    // The second load overwrites the first one.
    let text = edited(&[(
        load,
        &format!("{load}            tile[0:8, 0:64] <<= x[0:8, 0:64]\n"),
    )]);
    let notes = tried(&text, Law::Influence).notes;
    let expected = "350 of 400 rows of `x` are loaded and change no result, the first is 50";
    assert_eq!(notes[0].text, expected);
    let text = edited(&[("muls(done, tile, 2.0)", "sub(done, tile, tile)")]);
    let notes = tried(&text, Law::Influence).notes;
    assert_eq!(notes[0].text, "`x` is loaded, and changes no result");
}

/// Blocks and tiling data of AscendC come from one host, and bridges between cores are no results.
#[test]
fn kernels_that_a_host_launches_on_its_own_number_of_blocks_are_not_tried_on_others() {
    for kernel in [
        "global_softmax",
        "object_blocks",
        "gated_scan",
        "batched_scores",
    ] {
        let path = root().join(format!("tests/ascendc/kernels/{kernel}.cpp"));
        let target = Target::open(path.to_str().expect("a path")).expect("a kernel");
        let program = target.programs().expect("a kernel")[0];
        let request = Request {
            laws: vec![Law::Cores, Law::Coverage],
            ..Request::default()
        };
        let tested = test(&target, program, &Arguments::default(), &request, &mut ());
        assert!(!tested.is_violated(), "{kernel}: {:?}", tested.laws);
    }
}

#[test]
fn a_quotient_of_overflows_is_not_a_number() {
    let text = edited(&[(
        "muls(done, tile, 2.0)",
        "exp(tile, tile)\n            div(done, tile, tile)",
    )]);
    let tried = tried(&text, Law::Inputs);
    let Verdict::Violated(breach) = tried.verdict else {
        panic!("{tried:?}")
    };
    let what = &breach.what;
    assert!(
        what.starts_with("`y` holds NaN for inputs times 60"),
        "{what}"
    );
    assert!(what.ends_with("becomes inf in float"), "{what}");
    assert_eq!(breach.launch, "M=100");
    let parts: Vec<&str> = breach.places.iter().map(|(part, _)| *part).collect();
    assert_eq!(parts, ["first made by", "written by"]);
    let element = breach.element.expect("an element");
    assert!(element.values[0].1.is_some_and(f64::is_nan), "{element:?}");
    assert_eq!(element.values[1], ("exactly".to_owned(), Some(1.0)));
}

#[test]
fn what_grows_with_its_inputs_may_overflow() {
    let text = edited(&[(
        "muls(done, tile, 2.0)",
        "mul(tile, tile, tile)\n            exp(done, tile)",
    )]);
    let held = tried(&text, Law::Inputs);
    assert!(matches!(held.verdict, Verdict::Held(_)), "{held:?}");
    assert!(held.notes[0].text.contains("times 6000"), "{held:?}");
}

/// Squares in half, whose mean is computed in float.
#[test]
fn squares_that_do_not_fit_half_are_told_with_their_value() {
    let text = edited(&[
        (
            "    done = Tensor(",
            "    short = Tensor(DT.half, [8, 64], Position.UB)\n    done = Tensor(",
        ),
        (
            "muls(done, tile, 2.0)",
            "cast(short, tile)\n            mul(short, short, short)\n            \
             cast(done, short)\n            muls(done, done, 0.001)",
        ),
    ]);
    let tried = tried(&text, Law::Inputs);
    let Verdict::Violated(breach) = tried.verdict else {
        panic!("{tried:?}")
    };
    assert!(
        breach.what.contains("holds inf for inputs times 6000"),
        "{}",
        breach.what
    );
    assert!(
        breach.what.ends_with("becomes inf in half"),
        "{}",
        breach.what
    );
    let element = breach.element.expect("an element");
    assert!(
        element.values[1].1.is_some_and(|exact| exact > 1000.0),
        "{element:?}"
    );
}

#[test]
fn idle_slots_are_told() {
    let text = edited(&[
        ("    tile = Tensor(", "    ring = DBuff("),
        (
            "            row0 =",
            "            tile = ring[0]\n            row0 =",
        ),
        ("[100, 400]", "[8]"),
    ]);
    let tried = tried(&text, Law::Work);
    let notes: Vec<&str> = tried.notes.iter().map(|note| note.text.as_str()).collect();
    assert_eq!(
        notes,
        [
            "`ring` has 2 slots and uses 1",
            "19 of 20 cores have no work"
        ]
    );
}

/// Returns sound kernels with their paths.
fn kernels() -> Vec<PathBuf> {
    let folder = |name: &str| files(&root().join(name), "py");
    let (first, second) = (
        folder("tests/kernels"),
        folder("tests/dialects/ascriptor/kernels"),
    );
    let is_sound = |path: &PathBuf| path.parent().is_some_and(|it| !it.ends_with("broken"));
    let mut all: Vec<PathBuf> = first.into_iter().chain(second).filter(is_sound).collect();
    if std::env::var_os("A2LINT_LAWS").is_none() {
        all.retain(|path| {
            let name = path.file_stem().and_then(|name| name.to_str());
            let is_first = path.starts_with(root().join("tests/kernels"));
            is_first && name.is_some_and(|name| SMALL.contains(&name))
        });
    }
    all
}

fn complaints(tested: &Tested) -> Vec<String> {
    let laws = tested.laws.iter();
    let violated = laws.filter(|tried| matches!(tried.verdict, Verdict::Violated(_)));
    let name = &tested.program.name;
    violated
        .map(|tried| format!("{name}: {:?}", tried.verdict))
        .collect()
}

#[test]
fn sound_kernels_hold() {
    let seeds = std::env::var("A2LINT_LAW_SEEDS").ok();
    let seeds: u64 = seeds.and_then(|count| count.parse().ok()).unwrap_or(1);
    let (mut wrong, mut held) = (Vec::new(), 0);
    for path in kernels() {
        let target = Target::open(&path.display().to_string()).expect("a kernel");
        let programs = match target.programs() {
            // Some folders have references and launches in separate files.
            Err(TargetError::NoKernels { .. }) => continue,
            programs => programs.expect("kernels"),
        };
        for program in programs {
            for seed in 0..seeds {
                let request = Request {
                    seed,
                    limits: a2lint::run::Limits {
                        seconds: 600.0,
                        ..Default::default()
                    },
                    ..Request::default()
                };
                let tested = test(&target, program, &all(), &request, &mut ());
                wrong.extend(complaints(&tested));
                let laws = tested.laws.iter();
                held += laws
                    .filter(|it| matches!(it.verdict, Verdict::Held(_)))
                    .count();
            }
        }
    }
    println!("{held} laws held");
    assert!(wrong.is_empty() && held > 0, "{}", wrong.join("\n"));
}

pub fn a2lint(args: &[&str]) -> Output {
    let mut command = crate::common::binary();
    command.args(args).output().expect("the binary runs")
}

#[test]
fn the_command_says_what_broke() {
    let broken = edited(&[(
        "range(GetVecIdx(), CeilDiv(M, 8)",
        "range(GetVecIdx(), M // 8",
    )]);
    let (_directory, path) = file(&broken);
    let path = path.display().to_string();
    let output = a2lint(&["test", &path, "--law", "coverage,work"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(
        text.contains("256 of 6400 elements of `y` are never written"),
        "{text}"
    );
    assert!(
        text.contains("launch: M=100") && text.contains("y[96, 0]"),
        "{text}"
    );
    let output = a2lint(&["test", &path, "--law", "coverage", "--json"]);
    let object = json(&output);
    let law = &object["kernels"][0]["laws"][0];
    assert_eq!(
        (&law["law"], &law["result"]),
        (&"coverage".into(), &"violated".into())
    );
    assert_eq!(
        law["violation"]["element"]["at"],
        serde_json::json!([96, 0])
    );
}

#[test]
fn the_exit_status_tells_held_from_untried() {
    let (_directory, path) = file(ROWS);
    let path = path.display().to_string();
    let output = a2lint(&["test", &path, "--law", "coverage"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    assert!(stdout(&output).contains("this is no proof"));
    let output = a2lint(&["test", &path, "--max-seconds", "0.000001"]);
    assert_eq!(output.status.code(), Some(2), "{}", stdout(&output));
    assert!(stdout(&output).contains("not everything was tried"));
    assert_eq!(
        a2lint(&["test", &path, "--law", "gravity"]).status.code(),
        Some(2)
    );
}
