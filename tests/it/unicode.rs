//! Characters of every length in every place of every kind of statement, in every language: nothing panics, and spans
//! are on character boundaries.

use rayon::prelude::*;

use a2lint::check::{Settings, check};
use a2lint::language::Language;
use a2lint::text::{SourceText, Span};

use crate::common::root;
use crate::fuzzing::{seeds, target};
use crate::robustness::{boundaries, is_thorough};

/// Characters of two, three and four bytes, combining marks, characters without width, changes of the writing
/// direction, unusual line ends, and letters that are allowed in names.
const PIECES: &[&str] = &[
    "é",
    "行",
    "\u{fffd}",
    "🙂",
    "𝒳",
    "e\u{301}\u{302}",
    "\u{200b}\u{2060}",
    "\u{202e}\u{2066}",
    "\u{2028}",
    "\u{e0041}",
    "\u{feff}",
    " \u{a0}\u{3000} ",
];

/// All kinds of statements and expressions.
const STATEMENTS: &str = r#"from easyasc.a2 import *
import os as o, sys
SIZE: int = 64; HALF = SIZE // 2

# a2lint: launch(x=float[64, 64], y=float[64, 64], M=2)
# a2lint: assume(M >= 1)
@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor, M: Var, *rest, key=1, **more):
    """text"""
    global SIZE
    t = Tensor(DT.float, [SIZE, 64], Position.UB, name="t")
    e = SEvent(Pipe.V, Pipe.MTE3)
    with auto_sync() as a, open("x"):
        for i in range(0, M, 1):
            t[0:8, 0:64] <<= x[i * 8:i * 8 + 8, 0:64]
            while i < 3 and not M:
                muls(t, t, 2.0 if M else -1.5e3); break
            else:
                pass
        else:
            continue
    if M == 1 or i in (1, 2):
        e.set(); e.wait()  # a2lint: ignore[dup-coverage]
    elif (n := 3) > 2:
        raise ValueError(f"{n!r:>{SIZE}} {{x}}") from None
    try:
        assert t, "no"
        del t[0], n
    except (KeyError, OSError) as error:
        nonlocal q
    finally:
        g = lambda a, b=1: [c async for c in a if c] + {**{}, 'a': 0x1F}["a"]
    match M:
        case [1, *z] | {"a": 2}:
            yield z
        case _ if True:
            return await y
    class C(object, metaclass=M):
        x = """a
        b""" 'c' b"d"
    y[0:8, 0:64] <<= t @ ~t ** 2 >> 1
    return y
"#;

/// A shorter example in the second dialect.
const DIALECT: &str = r#"from ascriptor.a2 import *

@kernel(mode="vec")
def work(x: GM[f32, (M, 64)], y: GM[f32, (M, 64)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        for r in range(0, M // 64):
            u <<= x[r * 64:r * 64 + 64, :]
            u <<= u + 1.0
            y[r * 64:r * 64 + 64, :] <<= u
    return y
"#;

const CPP: &str = r#"// npu: a2
#include "kernel_operator.h"
#define TWICE(x) ((x) * 2)
namespace n { constexpr int N = TWICE(8); enum class E : int { A = 1, B }; }
template <typename T, int P = 3> class Op : public Base<T> {
  __aicore__ inline void Process(GM_ADDR x, uint32_t m) {
    LocalTensor<T> a = q.AllocTensor<T>();
    uint64_t mask = 0, rsvd = 0;
    if (m > n::N && !x) { GatherMask(a, a, P, false, mask, {1, 1, 8, 8}, rsvd); } else { return; }
    for (int i = 0; i < 4; ++i) { a.SetValue(i, static_cast<T>(R"(raw)"[i])); }
    asm volatile("tcgen05.mma.cta_group::1.kind::f16 [%0], %1, %2, %3;" :: "r"(i), "l"(d));
  }
};
extern "C" __global__ __aicore__ void k(GM_ADDR x) { Op<half> op; op.Process(x, 1u); }
"#;

const PTX: &str = r#".version 8.7
.target sm_100a
.visible .entry k(.param .u64 p)
{
  .reg .b32 %r<4>; .reg .pred %p1;
  mov.u32 %r1, 0x08100010; // text
  @%p1 bra DONE;
  tcgen05.mma.cta_group::1.kind::f16 [%r1], %rd1, %rd2, %r1, %p1;
DONE: ret;
}
"#;

const PTO: &str = r#"func.func @k(%a: !pto.tile<16x64xf32>) {
  %0 = tload %mem[0, 0] : (!pto.memref<16x64xf32>) -> !pto.tile<16x64xf32>
  tsel %1, %0, %a : !pto.tile<16x64xf32>  // text
  return "x"
}
"#;

fn checked(text: String, language: Language) {
    let source = SourceText::new(text);
    let settings = Settings {
        pedantic: true,
        replay: false,
        prove: false,
        ..Settings::default()
    };
    let analysis = check(&source, language, &settings);
    let whole = |what: &str, span: Span| {
        let is_whole = source.as_str().get(span.range()).is_some();
        assert!(
            is_whole,
            "{what} is at {span:?} in {language:?}:\n{}",
            source.as_str()
        );
    };
    for finding in &analysis.findings {
        whole(finding.name, finding.span);
        finding
            .labels
            .iter()
            .for_each(|label| whole(finding.name, label.span));
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        edits.for_each(|edit| whole(finding.name, edit.span));
    }
    for record in &analysis.records {
        whole("a kernel", record.span);
        record
            .unknown
            .iter()
            .for_each(|code| whole("unknown code", code.span));
    }
}

/// Inserts a piece in each place of a text, and again after an open bracket, which turns the rest into an error.
fn everywhere(text: &str, language: Language) {
    let places = boundaries(text);
    let step = if is_thorough() { 1 } else { 3 };
    let all: Vec<(usize, &str)> = places
        .iter()
        .enumerate()
        .flat_map(|(number, &at)| {
            let pieces = PIECES.iter().enumerate();
            let mine = pieces.filter(move |(piece, _)| (number + piece) % step == 0);
            mine.map(move |(_, piece)| (at, *piece))
        })
        .collect();
    all.par_iter().for_each(|&(at, piece)| {
        let (before, behind) = text.split_at(at);
        checked(format!("{before}{piece}{behind}"), language);
        checked(format!("{before}({piece}\n {piece}{behind}"), language);
        // Replaces the next character, so that a statement may begin with the piece.
        let next = behind
            .char_indices()
            .nth(1)
            .map_or(behind.len(), |(next, _)| next);
        checked(format!("{before}{piece}{}", &behind[next..]), language);
    });
}

#[test]
fn python() {
    everywhere(STATEMENTS, Language::Easyasc);
    everywhere(DIALECT, Language::Easyasc);
}

#[test]
fn other_languages() {
    everywhere(CPP, Language::Cpp);
    everywhere(CPP, Language::Cuda);
    everywhere(PTX, Language::Ptx);
    everywhere(PTO, Language::Pto);
    everywhere(PTO, Language::Mlir);
}

#[test]
fn configurations() {
    let texts = seeds::seeds("config", root());
    texts.par_iter().for_each(|seed| {
        let text = String::from_utf8_lossy(seed);
        for (number, at) in boundaries(&text).into_iter().enumerate() {
            let (before, behind) = text.split_at(at);
            let piece = PIECES[number % PIECES.len()];
            (target("config").run)(format!("{before}{piece}{behind}").as_bytes());
        }
    });
}

/// Found by an attack: after an open bracket, a statement whose first character is not part of the language.
#[test]
fn a_mistake_inside_of_a_character_is_told() {
    for c in ["\u{fffd}", "é", "🙂"] {
        let text = format!("from easyasc.a2 import*\ndef(Ten:\n if 0:\n {c}\n )\n  [");
        checked(text, Language::Easyasc);
    }
}
