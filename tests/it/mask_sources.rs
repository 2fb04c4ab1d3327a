//! Sources in C++ and PTO assembly as a whole: the forms of the manuals, and mangled text.

use crate::common::{Random, language, read, root, sources};
use a2lint::check::{Analysis, Settings, check};
use a2lint::frontend::syntax_errors;
use a2lint::ir::tile::StepKind;
use a2lint::language::Language;
use a2lint::masks::Target;
use a2lint::masks::gather::{Extent, FixedPattern, Gather, Pattern};
use a2lint::syntax::pto;
use a2lint::text::SourceText;

/// The manual's C++ examples, without and with addresses. Both pass four tiles.
const AUTO: &str = "#include <pto/pto-inst.hpp>

using namespace pto;

void select_auto() {
  using DataT = Tile<TileType::Vec, float, 16, 16>;
  using BitsT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
  DataT a, b, out;
  BitsT bits(16, 2);
  TSEL(out, bits, a, b);
}
";
const MANUAL: &str = "#include <pto/pto-inst.hpp>

using namespace pto;

void select_manual() {
  using DataT = Tile<TileType::Vec, float, 16, 16>;
  using BitsT = Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1>;
  DataT a, b, out;
  BitsT bits(16, 2);
  TASSIGN(a, 0x1000);
  TASSIGN(b, 0x2000);
  TASSIGN(out,  0x3000);
  TASSIGN(bits, 0x4000);
  TSEL(out, bits, a, b);
}
";

/// The manual's assembly in all spellings, with its comments.
const ASSEMBLY: &str = "# 自动模式：放置由编译器负责。
%out = pto.tsel %bits, %a, %b : (!pto.tile<...>, !pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>
# 手动模式：
# pto.tassign %arg0, @tile(0x1000)
pto.tassign %a, @tile(0x1000)
pto.tassign %b, @tile(0x2000)
%out = pto.tsel %bits, %a, %b : (!pto.tile<...>, !pto.tile<...>, !pto.tile<...>) -> !pto.tile<...>
%out = tsel %bits, %a, %b : !pto.tile<...>
# AS Level 2 (DPS)
pto.tsel ins(%bits, %a, %b : !pto.tile_buf<...>, !pto.tile_buf<...>, !pto.tile_buf<...>) outs(%out : !pto.tile_buf<...>)
";

fn checked(text: &str, language: Language, pedantic: bool) -> Analysis {
    crate::common::analysis_of(&SourceText::new(text), language, pedantic)
}

fn names(analysis: &Analysis) -> Vec<&str> {
    analysis
        .findings
        .iter()
        .map(|finding| finding.name)
        .collect()
}

#[test]
fn the_manuals_examples_in_cpp_need_a_scratch_tile_and_nothing_else() {
    for text in [AUTO, MANUAL] {
        let source = SourceText::new(text);
        assert_eq!(syntax_errors(&source, Language::Cpp), 0);
        let analysis = checked(text, Language::Cpp, false);
        assert_eq!(names(&analysis), ["tsel-missing-tmp"]);
        let function = &analysis.masks.tiles.functions[0];
        assert_eq!(function.manual, text == MANUAL);
    }
}

#[test]
fn the_scratch_tile_that_the_fix_inserts_is_accepted() {
    for text in [AUTO, MANUAL] {
        let analysis = checked(text, Language::Cpp, false);
        let fix = analysis.findings[0].fix.clone().expect("a fix");
        assert!(!fix.safe);
        let mut fixed = text.to_owned();
        for edit in fix.edits.iter().rev() {
            fixed.replace_range(edit.span.range(), &edit.text);
        }
        let again = checked(&fixed, Language::Cpp, true);
        assert_eq!(names(&again), Vec::<&str>::new(), "{fixed}");
        assert_eq!(
            fixed.contains("TASSIGN(selTmp, 0x4200);"),
            text == MANUAL,
            "{fixed}"
        );
    }
}

#[test]
fn the_manuals_assembly_is_read_in_every_spelling() {
    let module = pto::parse(ASSEMBLY).expect("small");
    assert_eq!(module.errors, []);
    let analysis = checked(ASSEMBLY, Language::Pto, false);
    // Three inputs in the second form; the current assembler requires four.
    assert_eq!(names(&analysis), ["ptoas-arity"]);
    let steps = &analysis.masks.tiles.functions[0].steps;
    let selects = steps
        .iter()
        .filter(|step| matches!(step.kind, StepKind::Select(_)));
    assert_eq!(selects.count(), 4);
    let pedantic = checked(ASSEMBLY, Language::Pto, true);
    let dots = names(&pedantic)
        .into_iter()
        .filter(|name| *name == "ptoas-placeholder");
    assert_eq!(dots.count(), 4);
}

/// A `GatherMask` call: element type, pattern, mode, mask and strides.
struct Gathering {
    element: &'static str,
    pattern: Bits,
    /// The mask of Counter mode.
    mask: Option<u32>,
    /// `{src0BlockStride, repeatTimes, src0RepeatStride, src1RepeatStride}`.
    params: [u32; 4],
}

/// A fixed pattern, or the words of a pattern tensor.
enum Bits {
    Fixed(i64),
    Words(Vec<u32>),
}

impl Gathering {
    fn on(&self, target: Target) -> Gather {
        let [block, repeats, repeat, words] = self.params.map(u64::from);
        Gather {
            element_bytes: match self.element {
                "uint16_t" | "half" => 2,
                _ => 4,
            },
            extent: match self.mask.map(u64::from) {
                None => Extent::Normal { repeats },
                Some(count) if target.counts_in_total() => Extent::Total { count },
                Some(count) => Extent::PerRepeat { repeats, count },
            },
            block_stride: block,
            repeat_stride: repeat,
            pattern_stride: words,
        }
    }

    /// Returns the values that are kept of 1, 2, 3, …, their number by the closed formula, and the number of elements
    /// that are read.
    fn values(&self, target: Target) -> (Vec<u64>, u64, u64) {
        let gather = self.on(target);
        let bytes: Vec<u8> = match &self.pattern {
            Bits::Words(words) => words.iter().flat_map(|word| word.to_le_bytes()).collect(),
            Bits::Fixed(_) => Vec::new(),
        };
        let pattern = match self.pattern {
            Bits::Fixed(number) => Pattern::Fixed(FixedPattern::new(number).expect("1 to 7")),
            Bits::Words(_) => Pattern::Bits(&bytes),
        };
        let kept = gather.kept(pattern).map(|kept| kept.index + 1).collect();
        (kept, gather.count(pattern), gather.source_extent())
    }
}

/// Returns `from`, `from + step`, … up to `last`.
fn every(step: usize, from: u64, last: u64) -> Vec<u64> {
    (from..=last).step_by(step).collect()
}

#[test]
fn the_worked_examples_of_gather_mask_hold_in_both_configurations() {
    let mut sparse = vec![0; 16];
    (sparse[0], sparse[8]) = (0xF, 0x8000_0001);
    let outer = |from: u64, count: u64| {
        let kept = (0..count).filter(|k| matches!(k % 4, 0 | 3));
        kept.map(|k| from + k).collect::<Vec<u64>>()
    };
    let same = |values: Vec<u64>, read: u64| [(values.clone(), read), (values, read)];
    let example = |element, pattern, mask, params| Gathering {
        element,
        pattern,
        mask,
        params,
    };
    let eighth = [
        every(4, 3, 15),
        every(4, 35, 47),
        every(4, 67, 79),
        every(4, 99, 111),
    ];
    let eighth = [
        eighth.concat(),
        [131, 163, 195, 227]
            .iter()
            .flat_map(|&at| every(4, at, at + 12))
            .collect(),
    ]
    .concat();
    // The kept values and the number of read elements, for masks that count per repeat and masks that count all
    // elements.
    let examples = [
        (
            example("uint16_t", Bits::Fixed(2), None, [1, 1, 0, 0]),
            same(every(2, 2, 128), 128),
        ),
        (
            example(
                "uint32_t",
                Bits::Words(vec![0xAAAA_AAAA; 3]),
                Some(70),
                [1, 2, 4, 0],
            ),
            [
                ([every(2, 2, 70), every(2, 34, 102)].concat(), 102),
                ([every(2, 2, 64), vec![34, 36, 38]].concat(), 64),
            ],
        ),
        (
            example("uint32_t", Bits::Fixed(2), None, [1, 4, 8, 0]),
            same(every(2, 2, 256), 256),
        ),
        (
            example("uint32_t", Bits::Fixed(3), None, [1, 2, 1, 0]),
            same([every(4, 1, 61), every(4, 9, 69)].concat(), 72),
        ),
        (
            example("uint32_t", Bits::Fixed(3), Some(1), [1, 8, 1, 0]),
            [(every(8, 1, 57), 57), (vec![1], 1)],
        ),
        (
            example(
                "uint32_t",
                Bits::Words(vec![0x9999_9999; 3]),
                Some(70),
                [1, 2, 4, 0],
            ),
            [
                ([outer(1, 70), outer(33, 70)].concat(), 102),
                ([outer(1, 64), outer(33, 6)].concat(), 64),
            ],
        ),
        (
            example("uint32_t", Bits::Words(sparse), None, [1, 2, 8, 1]),
            same(vec![1, 2, 3, 4, 65, 96], 128),
        ),
        (
            example("uint16_t", Bits::Fixed(5), None, [2, 1, 0, 0]),
            same(eighth, 240),
        ),
    ];
    for (number, (gathering, expected)) in (1..).zip(examples) {
        for (target, (values, read)) in [Target::A2A3, Target::Inference].into_iter().zip(expected)
        {
            let count = values.len() as u64;
            let place = format!("example {number} on {}", target.name());
            assert_eq!(gathering.values(target), (values, count, read), "{place}");
        }
    }
}

#[test]
fn the_seven_patterns_hold_in_every_mode_and_width() {
    for (element, lanes) in [("half", 128), ("float", 64)] {
        for (number, period, residue) in [
            (1, 2, 0),
            (2, 2, 1),
            (3, 4, 0),
            (4, 4, 1),
            (5, 4, 2),
            (6, 4, 3),
            (7, 1, 0),
        ] {
            let kept = |from: u64, count: u64| {
                let elements = (0..count).filter(move |k| k % period == residue);
                elements.map(move |k| from + k + 1)
            };
            let gathering = |mask, params| Gathering {
                element,
                pattern: Bits::Fixed(number),
                mask,
                params,
            };
            let normal = gathering(None, [1, 2, 8, 0]);
            let whole: Vec<u64> = kept(0, lanes).chain(kept(lanes, lanes)).collect();
            let counter = gathering(Some(150), [1, 2, 16, 0]);
            let each: Vec<u64> = kept(0, 150).chain(kept(2 * lanes, 150)).collect();
            let in_all = (0..150_u64.div_ceil(lanes))
                .flat_map(|repeat| kept(2 * lanes * repeat, (150 - repeat * lanes).min(lanes)));
            let in_all: Vec<u64> = in_all.collect();
            for (gathering, target, expected) in [
                (&normal, Target::A2A3, &whole),
                (&normal, Target::Inference, &whole),
                (&counter, Target::A2A3, &each),
                (&counter, Target::Inference, &in_all),
            ] {
                let (values, count, _) = gathering.values(target);
                let place = format!("pattern {number} of {element} on {}", target.name());
                assert_eq!(&values, expected, "{place}");
                assert_eq!(count, expected.len() as u64, "{place}");
            }
        }
    }
}

#[test]
fn cuda_files_are_read_for_tiles() {
    for language in [Language::Cpp, Language::Cuda] {
        let analysis = checked(AUTO, language, false);
        assert_eq!(names(&analysis), ["tsel-missing-tmp"], "{language:?}");
    }
}

#[test]
fn device_attributes_move_nothing() {
    let plain = "void kernel(float *x) { Tile<TileType::Vec, float, 16, 64> tile; TASSIGN(tile, 0x60000); }";
    let text = format!(
        "template <typename T>\n__global__ __aicore__ {}\nvoid go() {{ kernel<<<8, nullptr, s>>>(x); }}\n",
        plain.replace("float *x", "__gm__ float *x, __ubuf__ half *y")
    );
    let source = SourceText::new(text.as_str());
    assert_eq!(syntax_errors(&source, Language::Cpp), 0);
    let analysis = checked(&text, Language::Cpp, false);
    let mut findings = analysis.findings.iter();
    let finding = findings.find(|finding| finding.name == "tassign-out-of-bounds");
    let span = finding.expect("an address outside").span;
    assert!(
        source.slice(span).contains("0x60000"),
        "{}",
        source.slice(span)
    );
    assert_eq!(analysis.masks.tiles.functions[0].name, "kernel");
}

fn texts() -> Vec<(Language, String)> {
    let folders = ["tests/masks", "tests/rules"];
    let paths = folders
        .iter()
        .flat_map(|folder| sources(&root().join(folder)));
    let all = paths.map(|path| (language(&path), read(&path)));
    all.filter(|(language, _)| matches!(language, Language::Cpp | Language::Pto | Language::Mlir))
        .collect()
}

/// Deletes, inserts or replaces a part of a text at random.
fn mangled(text: &str, random: &mut Random) -> String {
    const PIECES: &[&str] = &[
        "(",
        ")",
        "{",
        "}",
        "<",
        ">",
        "<<<",
        ">>>",
        ";",
        ",",
        "\"",
        "'",
        "R\"(",
        "/*",
        "//",
        "#",
        "#if 0\n",
        "-1",
        "0x",
        "9999999999999999999999",
        "99999999",
        "%",
        "@",
        "->",
        ":",
        "=",
        "::",
        "template <",
        "GatherMask(",
        "TSEL(a, a, a, a)",
        "Tile<TileType::Vec, float, 99999999, 99999999>",
        "汉",
        "\u{0}",
        "pto.tsel ins(",
        "outs(",
        "__gm__",
        "?",
        "...",
    ];
    let mut text: Vec<char> = text.chars().collect();
    for _ in 0..1 + random.below(4) {
        let at = random.below(text.len() + 1);
        let end = (at + random.below(20)).min(text.len());
        match random.below(3) {
            0 => drop(text.drain(at..end)),
            1 => text.truncate(at),
            _ => drop(text.splice(at..at, PIECES[random.below(PIECES.len())].chars())),
        }
    }
    text.into_iter().collect()
}

#[test]
fn mangled_text_is_checked_without_harm() {
    let mut random = Random(0x5EED_0007);
    let settings = Settings {
        pedantic: true,
        ..Settings::default()
    };
    for (language, text) in texts() {
        for _ in 0..6 {
            let source = SourceText::new(mangled(&text, &mut random));
            let analysis = check(&source, language, &settings);
            for finding in &analysis.findings {
                assert!(finding.span.end as usize <= source.as_str().len());
            }
        }
    }
}

#[test]
fn deep_nesting_is_no_obstacle() {
    for text in [
        format!("void f() {{ TSEL{} }}", "(".repeat(20_000)),
        format!(
            "void f() {{ TASSIGN(a, {}1{}); }}",
            "(".repeat(3_000),
            ")".repeat(3_000)
        ),
        format!("void f() {}{}", "{".repeat(5_000), "TSEL(a, b, c, d);"),
        format!(
            "using T = {}int{}; void f() {{ GatherMask(a, b, 0, x); }}",
            "A<".repeat(2_000),
            ">".repeat(2_000)
        ),
        format!("int x = {}; // TSEL", "1 + ".repeat(5_000)),
    ] {
        checked(&text, Language::Cpp, true);
    }
    for text in [
        format!("%a = pto.tsel {}", "(".repeat(50_000)),
        "pto.tsel ins(\n".repeat(5_000),
        format!("x {}", "{\n".repeat(50_000)),
    ] {
        checked(&text, Language::Pto, true);
    }
}
