//! `a2lint compare`: rewritten kernels that compute the same, and wrong rewrites.

use a2lint::ir::verdict::Property;
use a2lint::report::versions::{VersionReport, headline};
use a2lint::run::versions::{Answer, Compared, Request, Sameness, Version, versions};
use a2lint::run::{Arguments, Limits, RunError, kernel};
use a2lint::target::Target;
use a2lint::text::SourceText;

use crate::common::{binary, read, root};

/// What is read of a comparison.
#[derive(Debug)]
struct Seen {
    answer: Answer,
    line: String,
    /// For each result, whether all bits are equal, and whether it is equal in exact arithmetic.
    results: Vec<&'static str>,
    lost: Vec<Property>,
    new_findings: Vec<&'static str>,
}

fn text(name: &str) -> String {
    read(&root().join("tests/versions").join(name))
}

/// Changes a text; every edit has to apply.
fn edited(text: &str, edits: &[(&str, &str)]) -> String {
    let mut text = text.to_owned();
    for (old, new) in edits {
        assert!(text.contains(old), "{old}");
        text = text.replace(old, new);
    }
    text
}

fn target(name: &str, text: &str) -> Target {
    Target::of(name, &SourceText::new(text), None).expect("a kernel")
}

fn request(matches: &[(&str, &str)]) -> Request {
    let owned = |(old, new): &(&str, &str)| ((*old).to_owned(), (*new).to_owned());
    Request {
        arguments: Arguments::default(),
        matches: matches.iter().map(owned).collect(),
        only: Vec::new(),
        seeds: 2,
        limits: Limits::default(),
    }
}

fn word(compared: &Compared, at: usize) -> &'static str {
    match compared.outputs[at].sameness {
        Sameness::Untried => "untried",
        Sameness::Bits => "bits",
        Sameness::Exact => "exact",
        Sameness::Unknown(_) => "unknown",
        Sameness::Different(_) => "different",
    }
}

/// Compares two texts, each with the name of its file.
fn seen(old: (&str, &str), new: (&str, &str), request: &Request) -> Result<Seen, RunError> {
    let targets = [target(old.0, old.1), target(new.0, new.1)];
    let both = [0, 1].map(|side| Version {
        target: &targets[side],
        program: kernel(&targets[side]).expect("one kernel"),
    });
    let compared = versions(both, request, &mut ())?;
    let report = VersionReport {
        compared: &compared,
        names: ["OLD".to_owned(), "NEW".to_owned()],
        seconds: 0.0,
    };
    let names = compared
        .new
        .iter()
        .map(|&at| compared.checked[1].finding(at).name);
    Ok(Seen {
        answer: compared.answer(),
        line: headline(&report),
        results: (0..compared.outputs.len())
            .map(|at| word(&compared, at))
            .collect(),
        lost: compared.lost(),
        new_findings: names.collect(),
    })
}

/// Compares a kernel of `tests/versions` with an edited one.
fn rewritten(name: &str, edits: &[(&str, &str)]) -> Seen {
    let old = text(name);
    let new = edited(&old, edits);
    seen((name, &old), (name, &new), &request(&[])).expect("a comparison")
}

/// The loops over both halves with a maximum of both, which needs no rescaling.
const TWO_PASSES: &[(&str, &str)] = &[
    (
        "brcb(rows8, seen, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            sub(first",
        "brcb(rows8, top, dst_blk_stride=1, dst_rep_stride=8, repeat=ROWS // 8)
            sub(first",
    ),
    (
        "sub(seen, seen, top, count=ROWS)
            exp(seen, seen, count=ROWS)
            mul(total, total, seen, count=ROWS)",
        "",
    ),
    (
        "mul(seen, seen, share, count=ROWS)",
        "muls(seen, share, 1.0, count=ROWS)",
    ),
];

/// The kernel of `gate.py` in the other dialect.
const GATE_IN_ASCRIPTOR: &str = r#"
from ascriptor.a2 import *

# a2lint: launch(rows=10)
@kernel(mode="vec")
def gate(x: GM[f32, ("rows", 256)], y: GM[f32, ("rows", 256)]):
    a = Tensor(f32, [4, 256], Position.UB)
    b = Tensor(f32, [4, 256], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), (rows + 3) // 4, GetVecNum()):
            row = tile * 4
            valid = Min(4, rows - row)
            a[0:valid, :] <<= x[row:row + valid, 0:256]
            muls(b, a, -1.5)
            exp(b, b)
            adds(b, b, 1.0)
            div(b, a, b)
            y[row:row + valid, 0:256] <<= b[0:valid, :]
    return y
"#;

#[test]
fn rewrites_that_compute_the_same_are_told_so() {
    /// A kernel, the replacements of its text, and what the comparison says.
    type Rewritten<'a> = (&'a str, &'a [(&'a str, &'a str)], &'a str);
    let same: &[Rewritten] = &[
        // Other tiles.
        ("softmax.py", &[("ROWS = 32", "ROWS = 16")], "bits"),
        ("product.py", &[("STEP = 32", "STEP = 48")], "bits"),
        // Another order of work.
        (
            "gate.py",
            &[(
                "for tile in range(GetVecIdx(), CeilDiv(rows, ROWS), GetVecNum()):",
                "share = CeilDiv(CeilDiv(rows, ROWS), GetVecNum())
        for tile in range(GetVecIdx() * share, Min((GetVecIdx() + 1) * share, CeilDiv(rows, ROWS))):",
            )],
            "bits",
        ),
        // Another order of sums.
        (
            "totals.py",
            &[("a[slot][at:at + 1, :])", "a[slot][31 - at:32 - at, :])")],
            "exact",
        ),
        // One slot in place of two.
        ("scaled.py", &[("DBuff(", "Tensor("), ("[slot]", "")], "bits"),
        // Factors in another order: the result is rounded to half, which hides the difference.
        (
            "scaled.py",
            &[
                (
                    "mul(wide, wide, wide)\n            muls(wide, wide, a)",
                    "muls(other, wide, a)\n            mul(wide, wide, other)",
                ),
                (
                    "out = DBuff",
                    "other = Tensor(DT.float, [ROWS, COLS], Position.UB)\n    out = DBuff",
                ),
            ],
            "bits",
        ),
        // Steps that are made in one.
        (
            "scaled.py",
            &[
                ("            muls(wide, wide, -1.0)\n", ""),
                ("muls(wide, wide, a)", "muls(wide, wide, a * -1.0)"),
            ],
            "bits",
        ),
        // One maximum for both halves.
        ("softmax.py", TWO_PASSES, "exact"),
    ];
    for (name, edits, result) in same {
        let seen = rewritten(name, edits);
        assert_eq!(seen.results, [*result], "{name} {edits:?}: {seen:?}");
        assert!(seen.line.starts_with("same results"), "{name}: {seen:?}");
        let may_lose = seen.lost.is_empty() || seen.answer == Answer::Worse;
        assert!(
            may_lose && seen.answer != Answer::Open,
            "{name} {edits:?}: {seen:?}"
        );
    }
}

#[test]
fn other_languages_compute_the_same() {
    let (python, cpp) = (text("gate.py"), text("gate.cpp"));
    let names = [("x", "src"), ("y", "dst")];
    let ported =
        seen(("gate.py", &python), ("gate.cpp", &cpp), &request(&names)).expect("it is compared");
    assert_eq!(ported.results, ["bits"], "{ported:?}");
    // The product of the row and its length has 32 bits in C++.
    assert_eq!(ported.lost, [Property::Scalars], "{ported:?}");
    assert_eq!(ported.answer, Answer::Worse);
    let back = names.map(|(old, new)| (new, old));
    let back =
        seen(("gate.cpp", &cpp), ("gate.py", &python), &request(&back)).expect("it is compared");
    assert_eq!(
        (back.answer, &back.results[..]),
        (Answer::AsGood, &["bits"][..]),
        "{back:?}"
    );
    let other = seen(
        ("gate.py", &python),
        ("k.py", GATE_IN_ASCRIPTOR),
        &request(&[]),
    )
    .expect("it is compared");
    assert_eq!(
        (other.answer, &other.results[..]),
        (Answer::AsGood, &["bits"][..]),
        "{other:?}"
    );
    // A mistake in the port is seen as well.
    let wrong = edited(&cpp, &[("-1.5f", "-1.501f")]);
    let wrong =
        seen(("gate.py", &python), ("gate.cpp", &wrong), &request(&names)).expect("it is compared");
    assert_eq!(wrong.results, ["different"], "{wrong:?}");
}

#[test]
fn wrong_rewrites_are_different() {
    let wrong: &[(&str, &[(&str, &str)])] = &[
        // A missing rescale, and a sum before exp.
        (
            "softmax.py",
            &[("            mul(total, total, seen, count=ROWS)\n", "")],
        ),
        (
            "softmax.py",
            &[(
                "exp(first, first)\n            cadd(total, first)",
                "cadd(total, first)\n            exp(first, first)",
            )],
        ),
        // A wrong tail, rows in reverse, the wrong batch, a dropped last tile.
        (
            "scaled.py",
            &[
                (
                    "rows = Min(ROWS, M - row)",
                    "rows = Min(ROWS, M - row)\n            batch = Var(batch)",
                ),
                ("x[batch, row:row + rows", "x[batch, 0:rows"),
            ],
        ),
        (
            "softmax.py",
            &[(
                "y[row:row + rows, 0:LANES]",
                "y[M - row - rows:M - row, 0:LANES]",
            )],
        ),
        ("scaled.py", &[("x[batch,", "x[0,")]),
        ("product.py", &[("is_init=(k == 0)", "is_init=True")]),
        ("product.py", &[("b[k:k + STEP", "b[0:STEP")]),
        // A constant that is wrong by 0.1 %.
        ("scaled.py", &[("-1.0", "-1.001")]),
        // A step too many.
        (
            "totals.py",
            &[("range(0, M, ROWS)", "range(ROWS, M, ROWS)")],
        ),
        (
            "gate.py",
            &[(
                "adds(b[slot], b[slot], 1.0)",
                "adds(b[slot], b[slot], 1.0001)",
            )],
        ),
    ];
    for (name, edits) in wrong {
        let seen = rewritten(name, edits);
        assert_eq!(seen.answer, Answer::Worse, "{name} {edits:?}: {seen:?}");
        assert_eq!(seen.results, ["different"], "{name} {edits:?}: {seen:?}");
        assert!(seen.line.starts_with("different results: `"), "{seen:?}");
    }
}

#[test]
fn a_kernel_that_no_longer_writes_all_is_no_good() {
    let seen = rewritten("softmax.py", &[("CeilDiv(M, ROWS)", "M // ROWS")]);
    assert_eq!(seen.answer, Answer::Worse, "{seen:?}");
    assert!(seen.new_findings.contains(&"output-hole"), "{seen:?}");
    // The launch of the file has no incomplete tile: sizes near it show the difference.
    let whole = [("M=70", "M=64"), ("[70, 128]", "[64, 128]")];
    let old = edited(&text("softmax.py"), &whole);
    let new = edited(&old, &[("CeilDiv(M, ROWS)", "M // ROWS")]);
    let seen = seen_of(&old, &new);
    assert_eq!(seen.answer, Answer::Worse, "{seen:?}");
}

fn seen_of(old: &str, new: &str) -> Seen {
    seen(("k.py", old), ("k.py", new), &request(&[])).expect("a comparison")
}

#[test]
fn numbers_that_are_lost_are_a_difference() {
    // The same function, which overflows where the maximum is not subtracted.
    let edits = [
        ("cmax(seen, first)", "dup(seen, 0.0, count=ROWS)"),
        ("cmax(top, part)", "dup(top, 0.0, count=ROWS)"),
    ];
    let seen = rewritten("softmax.py", &edits);
    assert_eq!(seen.results, ["different"], "{seen:?}");
    assert!(seen.line.contains("for inputs times 60"), "{seen:?}");
    // The other way round it is an improvement.
    let old = edited(&text("softmax.py"), &edits);
    let seen = seen_of(&old, &text("softmax.py"));
    assert_eq!(
        (seen.answer, &seen.results[..]),
        (Answer::AsGood, &["exact"][..]),
        "{seen:?}"
    );
}

#[test]
fn larger_errors_and_lost_waits_are_worse() {
    let old = text("scaled.py");
    // The square is rounded to half.
    let half = [(
        "cast(wide, short[slot], round_mode=RoundMode.NONE)\n            mul(wide, wide, wide)",
        "mul(short[slot], short[slot], short[slot])\n            cast(wide, short[slot], round_mode=RoundMode.NONE)",
    )];
    let new = edited(&old, &half);
    let worse = seen_of(&old, &new);
    assert_eq!(
        (worse.answer, &worse.results[..]),
        (Answer::Worse, &["exact"][..]),
        "{worse:?}"
    );
    assert!(worse.line.contains("less accurate"), "{worse:?}");
    let better = seen_of(&new, &old);
    assert_eq!(better.answer, Answer::AsGood, "{better:?}");
    assert!(better.line.contains("more accurate"), "{better:?}");
    // Without its queue the load is not awaited; the machine runs in an order that hides it.
    let old = text("gate.cpp");
    let new = edited(
        &old,
        &[("        in.EnQue(x);\n        x = in.DeQue<float>();\n", "")],
    );
    let raced = seen(("k.cpp", &old), ("k.cpp", &new), &request(&[])).expect("a comparison");
    assert_eq!(
        (raced.answer, &raced.results[..]),
        (Answer::Worse, &["bits"][..]),
        "{raced:?}"
    );
    assert!(
        raced.lost.contains(&Property::Order) && raced.line.contains("order"),
        "{raced:?}"
    );
}

/// Sums of rows by the reduction that AscendC has for all of a tensor.
const ROW_SUMS: &str = r#"
#include "kernel_operator.h"
using namespace AscendC;

// a2lint: launch(block_dim=2, x=float[4, 192], y=float[4, 8])
extern "C" __global__ __aicore__ void row_sums(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    TBuf<TPosition::VECCALC> work;
    GlobalTensor<float> from, to;
    from.SetGlobalBuffer((__gm__ float *)x);
    to.SetGlobalBuffer((__gm__ float *)y);
    pipe.InitBuffer(in, 1, 192 * sizeof(float));
    pipe.InitBuffer(out, 1, 32);
    pipe.InitBuffer(work, 192 * sizeof(float));
    for (int32_t row = GetBlockIdx(); row < 4; row += GetBlockNum()) {
        auto a = in.AllocTensor<float>();
        DataCopy(a, from[row * 192], 192);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto sum = out.AllocTensor<float>();
        auto tmp = work.Get<float>();
        Duplicate(sum, 0.0f, 8);
        Exp(a, a, 192);
        STEP
        ReduceSum(sum, a, tmp, 192);
        in.FreeTensor(a);
        out.EnQue(sum);
        sum = out.DeQue<float>();
        DataCopy(to[row * 8], sum, 8);
        out.FreeTensor(sum);
    }
}
"#;

fn sums(old: &str, new: &str) -> Seen {
    let [old, new] = [old, new].map(|step| ROW_SUMS.replace("STEP", step));
    seen(("k.cpp", &old), ("k.cpp", &new), &request(&[])).expect("a comparison")
}

#[test]
fn sums_of_whole_tensors_are_followed_without_rounding() {
    let moved = sums(
        "Mul(a, a, a, 192);",
        "Ln(a, a, 192); Muls(a, a, 2.0f, 192); Exp(a, a, 192);",
    );
    assert_eq!(moved.results, ["exact"], "{moved:?}");
    let wrong = sums("Muls(a, a, 3.0f, 192);", "Muls(a, a, 3.001f, 192);");
    assert_eq!(wrong.results, ["different"], "{wrong:?}");
}

/// A half holds all integers up to 2048, so that small ones hide the way through it.
#[test]
fn integers_are_tried_beyond_what_a_shorter_type_holds() {
    let old = r#"
from easyasc.a2 import *

# a2lint: launch(x=int[80, 64], y=int[80, 64])
@kernel(mode="vec")
def doubled(x: GMTensor, y: GMTensor):
    tile = Tensor(DT.int, [8, 64], Position.UB)
    done = Tensor(DT.int, [8, 64], Position.UB)
    with auto_sync():
        for at in range(GetVecIdx(), 10, GetVecNum()):
            tile <<= x[at * 8:at * 8 + 8, 0:64]
            add(done, tile, tile)
            y[at * 8:at * 8 + 8, 0:64] <<= done
    return y
"#;
    let new = edited(
        old,
        &[
            (
                "    done = Tensor",
                "    short = Tensor(DT.half, [8, 64], Position.UB)\n    done = Tensor",
            ),
            (
                "            add(done, tile, tile)\n",
                "            cast(short, tile)\n            add(short, short, short)\n            \
                 cast(done, short, round_mode=RoundMode.TRUNC)\n",
            ),
        ],
    );
    let seen = seen(("old.py", old), ("new.py", &new), &request(&[])).expect("a comparison");
    assert_eq!(seen.results, ["different"], "{seen:?}");
    assert!(seen.line.contains("integers"), "{seen:?}");
    let sum = edited(old, &[("add(done, tile, tile)", "muls(done, tile, 2)")]);
    let same = self::seen(("old.py", old), ("new.py", &sum), &request(&[])).expect("a comparison");
    assert_eq!(same.results, ["bits"], "{same:?}");
}

#[test]
fn values_that_exact_arithmetic_does_not_follow_are_not_called_equal() {
    let bits = "auto bits = a.ReinterpretCast<uint16_t>(); Or(bits, bits, bits, 384);";
    let lost = sums(
        bits,
        &format!("Muls(a, a, 3.0f, 192); Muls(a, a, 0.33333334f, 192); {bits}"),
    );
    assert_eq!(
        (lost.answer, &lost.results[..]),
        (Answer::Open, &["unknown"][..]),
        "{lost:?}"
    );
    assert!(
        lost.line.starts_with("not known whether `y` is the same"),
        "{lost:?}"
    );
    // The same bits need no exact arithmetic.
    assert_eq!(sums(bits, bits).results, ["bits"]);
}

#[test]
fn what_cannot_be_compared_is_said_by_name() {
    let (python, cpp) = (text("gate.py"), text("gate.cpp"));
    let error =
        seen(("gate.py", &python), ("gate.cpp", &cpp), &request(&[])).expect_err("names differ");
    let error = error.to_string();
    assert!(
        error.contains("OLD takes `x`") && error.contains("--match x=src --match y=dst"),
        "{error}"
    );
    let error = seen(
        ("gate.py", &python),
        ("gate.py", &python),
        &request(&[("z", "x")]),
    );
    assert!(
        error
            .expect_err("no such parameter")
            .to_string()
            .contains("OLD has x, y, rows")
    );
    // A size that only NEW has.
    let new = edited(
        &python,
        &[
            ("rows: Var):", "rows: Var, step: Var):"),
            ("GetVecNum()):", "GetVecNum() * step):"),
            ("rows=10, ", "rows=12, step=1, "),
            ("[10, 256]", "[12, 256]"),
        ],
    );
    let open = seen_of(&python, &new);
    assert_ne!(open.answer, Answer::AsGood, "{open:?}");
    assert!(open.line.ends_with("1 launch not compared"), "{open:?}");
    // A launch that NEW cannot run.
    let new = edited(&python, &[("COLS = 256", "COLS = 128")]);
    let broken = seen_of(&python, &new);
    assert!(broken.answer != Answer::AsGood, "{broken:?}");
}

#[test]
fn the_command_answers_in_its_first_line_and_its_status() {
    let folder = root().join("tests/versions");
    let run = |arguments: &[&str]| {
        let mut command = binary();
        command.current_dir(&folder).arg("compare").args(arguments);
        let output = command.output().expect("the binary runs");
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("UTF-8");
        (output.status.code(), text)
    };
    let (status, text) = run(&["softmax.py", "softmax.py", "--seeds", "1"]);
    assert!(
        status == Some(0) && text.starts_with("same results, bit by bit, as fast\n"),
        "{text}"
    );
    let names = ["--match", "x=src", "--match", "y=dst", "--seeds", "1"];
    let (status, text) = run(&[&["gate.py", "gate.cpp"][..], &names].concat());
    let first = "same results, bit by bit, as fast, 1 proof lost (scalars)\n";
    assert!(status == Some(1) && text.starts_with(first), "{text}");
    let (status, text) = run(&["gate.py", "gate.cpp"]);
    assert!(
        status == Some(2) && text.contains("--match x=src"),
        "{text}"
    );
    let (status, text) = run(&[&["gate.py", "gate.cpp", "--json"][..], &names].concat());
    let json: serde_json::Value = serde_json::from_str(&text).expect("one object");
    assert_eq!(status, Some(1));
    assert_eq!(
        (&json["answer"], &json["results"][0]["verdict"]),
        (&"worse".into(), &"same-bits".into())
    );
    let lost = json["proofs"].as_array().expect("a list").iter();
    let lost: Vec<_> = lost
        .filter(|it| it["lost"] == true)
        .map(|it| &it["property"])
        .collect();
    assert_eq!(lost, ["scalars"]);
}
