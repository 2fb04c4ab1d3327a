//! Sources in C++ and PTO assembly as a whole: the forms of the manuals, and text that is no longer
//! what it was.

mod common;

use a2lint::check::{Analysis, Settings, check};
use a2lint::ir::tile::StepKind;
use a2lint::language::Language;
use a2lint::syntax::{cpp, pto};
use a2lint::text::SourceText;
use common::{Random, language, read, root, sources};

/// The manual's C++ examples, without and with addresses; both pass four tiles.
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

/// The manual's assembly, all spellings, with its comments.
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
    common::analysis_of(&SourceText::new(text), language, pedantic)
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
        assert_eq!(cpp::parse(&source).expect("small").errors, []);
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
    // Three inputs in the second level: the current assembler wants four.
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

#[test]
fn device_attributes_move_nothing() {
    let plain = "void kernel(float *x) { uint64_t kept = 0; GatherMask(dst[3], src, 9, false, 0, {1, 1, 8, 0}, kept); }";
    let text = format!(
        "template <typename T>\n__global__ __aicore__ {}\nvoid go() {{ kernel<<<8, nullptr, s>>>(x); }}\n",
        plain.replace("float *x", "__gm__ float *x, __ubuf__ half *y")
    );
    let source = SourceText::new(text.as_str());
    assert_eq!(cpp::parse(&source).expect("small").errors, []);
    let analysis = checked(&text, Language::Cpp, false);
    let finding = analysis
        .findings
        .iter()
        .find(|finding| finding.name == "gather-pattern-range");
    let span = finding.expect("pattern 9").span;
    assert_eq!(source.slice(span), "9");
    assert_eq!(analysis.masks.gathers.functions[0].name, "kernel");
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

/// A text with something cut out, put in or exchanged.
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
