//! Help says exactly what to change: a kernel that follows it has no findings.

use crate::common::{read, root};
use a2lint::check::{Settings, check};
use a2lint::finding::Finding;
use a2lint::language::Language;
use a2lint::launches::LaunchSource;
use a2lint::replay::LaunchOutcome;
use a2lint::text::SourceText;

/// A file with one mistake, the help that it has to show, and the edits that follow it.
struct Followed {
    file: &'static str,
    help: &'static str,
    edits: &'static [(&'static str, &'static str)],
}

const FOLLOWED: [Followed; 16] = [
    Followed {
        file: "tests/trust/help/every_block_the_same.cpp",
        help: "the place in `y` does not depend on `GetBlockIdx()`",
        edits: &[("first = 0;", "first = mine * GetBlockIdx();")],
    },
    Followed {
        file: "docs/mistakes/one_row_short.py",
        help: "round the quotient up (`CeilDiv`), and cut the last tile to what is left",
        edits: &[
            ("M // 64", "CeilDiv(M, 64)"),
            (
                "            a <<= x[row:row + 64, 0:64]\n",
                "            n = Min(64, M - row)\n            a[0:n, 0:64] <<= x[row:row + n, 0:64]\n",
            ),
            (
                "y[row:row + 64, 0:64] <<= a\n",
                "y[row:row + n, 0:64] <<= a[0:n, 0:64]\n",
            ),
        ],
    },
    Followed {
        file: "tests/trust/help/never_freed.cpp",
        help: "put `in.FreeTensor(…)` after the last use of the tensor, Adds() in line 22",
        edits: &[(
            "        out.EnQue(b);\n",
            "        in.FreeTensor(a);\n        out.EnQue(b);\n",
        )],
    },
    Followed {
        file: "docs/mistakes/freed_too_early.cpp",
        help: "put its `FreeTensor` after Add() in line 22",
        edits: &[(
            "        in.FreeTensor(a);\n        Add(b, a, a, 64);\n",
            "        Add(b, a, a, 64);\n        in.FreeTensor(a);\n",
        )],
    },
    Followed {
        file: "docs/mistakes/mask_left_on.py",
        help: "put `reset_mask()` before exp() in line 15",
        edits: &[(
            "            exp(b, a)\n",
            "            reset_mask()\n            exp(b, a)\n",
        )],
    },
    Followed {
        file: "docs/mistakes/mask_left_on.py",
        help: "after the last of these that the mask is meant for: adds() (line 14), exp() (line 15)",
        edits: &[(
            "            exp(b, a)\n",
            "            reset_mask()\n            exp(b, a)\n",
        )],
    },
    Followed {
        file: "docs/mistakes/part_of_a_block.cpp",
        help: "DataCopy() fills 16 elements and no more",
        edits: &[(
            "DataCopy(a, gx, 20);",
            "DataCopyPad(a, gx, {1, 20 * sizeof(half), 0, 0, 0}, {false, 0, 0, 0});",
        )],
    },
    Followed {
        file: "docs/mistakes/elements_for_bytes.cpp",
        help: "64 elements take `64 * sizeof(float)`",
        edits: &[("(out, 1, 64)", "(out, 1, 64 * sizeof(float))")],
    },
    Followed {
        file: "tests/trust/help/tail_in_whole_blocks.cpp",
        help: "store any number of elements with `DataCopyPad`, whose length is in bytes",
        edits: &[(
            "DataCopy(yGm[at], y, n);",
            "DataCopyPad(yGm[at], y, {1, n * 2, 0, 0, 0});",
        )],
    },
    Followed {
        file: "tests/rules/output-hole/bad_constant_count.cpp",
        help: "store any number of elements with `DataCopyPad`, whose length is in bytes",
        edits: &[(
            "DataCopy(gy[r * COLS], b, COLS);",
            "DataCopyPad(gy[r * COLS], b, {1, COLS * sizeof(float), 0, 0, 0});",
        )],
    },
    Followed {
        file: "tests/rules/uninitialized-read/bad_compare_count.cpp",
        help: "compare a multiple of 64 elements: `(len + 63) / 64 * 64`",
        edits: &[("CMPMODE::GT, len)", "CMPMODE::GT, (len + 63) / 64 * 64)")],
    },
    Followed {
        file: "tests/rules/uninitialized-read/bad_product_of_rows.py",
        help: "give `l1b[turn].T` if it holds [K,N]",
        edits: &[(
            "matmul(acc, l1a[turn], l1b[turn],",
            "matmul(acc, l1a[turn], l1b[turn].T,",
        )],
    },
    Followed {
        file: "tests/rules/padding-in-reduction/bad_filled_zero.cpp",
        help: "add up the 100 loaded elements alone",
        edits: &[("ReduceSum(m, b, w, WIDTH)", "ReduceSum(m, b, w, COLS)")],
    },
    Followed {
        file: "tests/rules/event-unbalanced/bad_other_id.cpp",
        help: "give both the same id",
        edits: &[("EVENT_ID1", "EVENT_ID0")],
    },
    Followed {
        file: "tests/trust/help/product_that_goes_on.cpp",
        help: "pass `true` for `waitIterateAll`, and call `WaitIterateAll()` before the load",
        edits: &[(
            "mm.IterateAll<false>(gs);\n",
            "mm.IterateAll<false>(gs, 0, false, true);\n    mm.WaitIterateAll();\n",
        )],
    },
    Followed {
        file: "tests/trust/help/one_row_for_all.py",
        help: "so that every repeat reads it, in a call for each 64 columns",
        edits: &[(
            "mul(out[count], tile[count], row)",
            "for c in (0, 64):\n                \
             mul(out[count][:, c:c + 64], tile[count][:, c:c + 64], row[:, c:c + 64], \
             src2_rep_stride=0)",
        )],
    },
];

fn findings(file: &str, text: String) -> Vec<Finding> {
    let language = match file.ends_with(".py") {
        true => Language::Easyasc,
        false => Language::Cpp,
    };
    check(&SourceText::new(text), language, &Settings::default()).findings
}

#[test]
fn a_kernel_that_follows_the_help_has_no_findings() {
    for Followed { file, help, edits } in FOLLOWED {
        let mut text = read(&root().join(file));
        let found = findings(file, text.clone());
        let helps: Vec<&str> = found.iter().filter_map(|it| it.help.as_deref()).collect();
        assert!(
            helps.iter().any(|it| it.contains(help)),
            "{file}: {helps:?}"
        );
        for (from, to) in edits {
            assert!(text.contains(from), "{file}: {from}");
            text = text.replace(from, to);
        }
        let left = findings(file, text);
        let left: Vec<&str> = left.iter().map(|it| it.message.as_str()).collect();
        assert!(left.is_empty(), "{file}: {left:?}");
    }
}

#[test]
fn a_hole_names_the_store_before_it() {
    let file = "tests/trust/help/tail_in_whole_blocks.cpp";
    let labels = |text: String| {
        let found = findings(file, text).into_iter();
        let labels = found.flat_map(|it| it.labels).map(|it| it.message);
        labels.collect::<Vec<String>>()
    };
    let text = read(&root().join(file));
    let cut =
        "DataCopy() stores 480 of the 489 elements asked for: it moves whole blocks of 32 bytes";
    assert_eq!(labels(text.clone()), [cut]);
    // A store that ends early because the loop does is named as well, without a reason that it does not have.
    let short = text.replace("at < length;", "at + TILE < length;").replace(
        "DataCopy(yGm[at], y, n)",
        "DataCopyPad(yGm[at], y, {1, n * 2, 0, 0, 0})",
    );
    let before = "DataCopyPad() on block 0 (core 0, vec0) stores up to the hole";
    assert_eq!(labels(short), [before]);
}

#[test]
fn a_call_without_its_destination_is_shown_as_it_is_meant() {
    let file = "tests/trust/first_contact/results_of_instructions.py";
    let found = findings(file, read(&root().join(file)));
    let helps: Vec<&str> = found.iter().filter_map(|it| it.help.as_deref()).collect();
    let wanted = [
        "exp() returns nothing, it writes to its first argument: `exp(b, a)`",
        "relu() returns nothing, it writes to its first argument: `relu(a, a)`",
        "compute it into a tensor in UB: `a <<= a + b`",
        "load it into a tensor in UB first: `ub <<= x`",
    ];
    assert_eq!(helps, wanted);
}

#[test]
fn types_are_named_as_the_dialect_names_them() {
    for (file, help) in [
        (
            "dialects/ascriptor/rules/op-dtype/bad_int_bits.py",
            "`ub.reinterpret(i16)`",
        ),
        ("rules/bitwise-width/bad_and.py", ".reinterpret(DT.int16)`"),
    ] {
        let file = format!("tests/{file}");
        let text = read(&root().join(&file));
        let settings = Settings {
            pedantic: true,
            ..Settings::default()
        };
        let found = check(&SourceText::new(text), Language::Easyasc, &settings).findings;
        let helps: Vec<&str> = found.iter().filter_map(|it| it.help.as_deref()).collect();
        assert!(
            helps.iter().any(|it| it.contains(help)),
            "{file}: {helps:?}"
        );
    }
}

/// Kernels that no launch starts, with the line where a comment belongs.
const UNLAUNCHED: [(Language, &str); 2] = [
    (
        Language::Cpp,
        "\
#include \"kernel_operator.h\"
using namespace AscendC;
struct Sizes { uint32_t rows; uint32_t cols; float factor; };
LAUNCH
extern \"C\" __global__ __aicore__ void scaled(GM_ADDR x, GM_ADDR y, Sizes tiling)
{
    TPipe pipe;
    TQue<TPosition::VECIN, 1> in;
    TQue<TPosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, tiling.cols * sizeof(float));
    pipe.InitBuffer(out, 1, tiling.cols * sizeof(float));
    GlobalTensor<float> gx, gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ float*)y);
    for (uint32_t row = GetBlockIdx(); row < tiling.rows; row += GetBlockNum()) {
        auto a = in.AllocTensor<float>();
        DataCopy(a, gx[row * tiling.cols], tiling.cols);
        in.EnQue(a);
        a = in.DeQue<float>();
        auto b = out.AllocTensor<float>();
        Muls(b, a, tiling.factor, tiling.cols);
        in.FreeTensor(a);
        out.EnQue(b);
        b = out.DeQue<float>();
        DataCopy(gy[row * tiling.cols], b, tiling.cols);
        out.FreeTensor(b);
    }
}
",
    ),
    (
        Language::Easyasc,
        "\
from easyasc.a2 import *


LAUNCH
@kernel(mode=\"vec\")
def copied(x: GMTensor, y: GMTensor, M: Var):
    part = Tensor(DT.half, [64, 64], Position.UB)
    with auto_sync():
        for tile in range(GetVecIdx(), CeilDiv(M, 64), GetVecNum()):
            row = Var(tile * 64)
            valid = Min(64, M - row)
            part[0:valid, 0:64] <<= x[row:row + valid, 0:64]
            y[row:row + valid, 0:64] <<= part[0:valid, 0:64]
    return y
",
    ),
];

#[test]
fn a_launch_that_is_given_as_an_example_runs() {
    for (language, text) in UNLAUNCHED {
        let examined = |line: &str| {
            let source = SourceText::new(text.replace("LAUNCH\n", line));
            let analysis = check(&source, language, &Settings::default());
            let [record] = analysis.records.as_slice() else {
                panic!("one kernel")
            };
            (record.clone(), analysis.findings.len())
        };
        let (guessed, _) = examined("");
        let example = guessed.example.expect("a launch that ran");
        let (given, findings) = examined(&format!("{example}\n"));
        assert_eq!(findings, 0, "{example}");
        let run = given.launches.first().expect("a launch");
        assert_eq!(
            (run.source, run.outcome),
            (LaunchSource::Comment, LaunchOutcome::Finished),
            "{example}"
        );
        assert_eq!(run.arguments, guessed.launches[0].arguments, "{example}");
        assert_eq!(given.example, None);
    }
}

#[test]
fn a_chain_of_casts_that_rounds_twice_names_one_that_rounds_once() {
    let text = "#include \"kernel_operator.h\"
using namespace AscendC;
// a2lint: launch(block_dim=1, x=float[256], y=int8[256])
extern \"C\" __global__ __aicore__ void k(GM_ADDR x, GM_ADDR y)
{
    TPipe pipe;
    TQue<QuePosition::VECIN, 1> in;
    TQue<QuePosition::VECOUT, 1> out;
    pipe.InitBuffer(in, 1, 1024);
    pipe.InitBuffer(out, 1, 256);
    GlobalTensor<float> gx;
    GlobalTensor<int8_t> gy;
    gx.SetGlobalBuffer((__gm__ float*)x);
    gy.SetGlobalBuffer((__gm__ int8_t*)y);
    auto a = in.AllocTensor<float>();
    DataCopy(a, gx, 256);
    in.EnQue(a);
    a = in.DeQue<float>();
    auto q = out.AllocTensor<int8_t>();
    Cast(q, a, RoundMode::CAST_RINT, 256);
    in.FreeTensor(a);
    out.EnQue(q);
    q = out.DeQue<int8_t>();
    DataCopy(gy, q, 256);
    out.FreeTensor(q);
}
";
    let found = findings("k.cpp", text.to_owned());
    let helps: Vec<&str> = found.iter().filter_map(|it| it.help.as_deref()).collect();
    let wanted = "convert in 2 steps: float -> half -> int8, which rounds twice; float -> int -> half -> int8 rounds \
                  once (`SetDeqScale((half)1.0)` before int -> half)";
    assert!(helps.contains(&wanted), "{helps:?}");
}
