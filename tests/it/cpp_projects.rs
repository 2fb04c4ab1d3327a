//! C++ files that include each other: declarations in headers, and template instances in other files.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use a2lint::check::{Analysis, Settings, check};
use a2lint::language::Language;
use a2lint::project::Project;
use a2lint::text::SourceText;

use crate::fuzzing::project::in_memory;

type Texts = BTreeMap<PathBuf, String>;

/// Creates a project in memory, below `/p`.
fn texts(list: &[(&str, &str)]) -> Texts {
    let entries = list.iter();
    let entries = entries.map(|(path, text)| (Path::new("/p").join(path), (*text).to_owned()));
    entries.collect()
}

fn analysed(texts: &Texts, path: &Path) -> Analysis {
    let mut all = analysed_together(texts, &[path]);
    all.remove(0)
}

/// Checks files one after the other in one run.
fn analysed_together(texts: &Texts, paths: &[&Path]) -> Vec<Analysis> {
    let files = in_memory(texts.clone());
    let of = |path: &&Path| {
        let mut settings = Settings::default();
        settings.trace.project = Some(Project {
            root: "/p".into(),
            here: "/p".into(),
            path: path.to_path_buf(),
            files: files.clone(),
        });
        let source = SourceText::new(texts[*path].as_str());
        check(&source, Language::Cpp, &settings)
    };
    paths.iter().map(of).collect()
}

/// Returns the findings with their files, the analysed functions, and the parts that were not analysed.
fn checked(texts: &Texts) -> (Vec<(String, &'static str)>, Vec<String>, Vec<String>) {
    let (mut found, mut kernels, mut gaps) = (Vec::new(), Vec::new(), Vec::new());
    for path in texts.keys() {
        let analysis = analysed(texts, path);
        let name = path
            .strip_prefix("/p")
            .expect("inside")
            .display()
            .to_string();
        found.extend(analysis.findings.iter().map(|it| (name.clone(), it.name)));
        let tiles = analysis.masks.tiles.functions.iter().map(|it| &it.name);
        kernels.extend(tiles.cloned());
        gaps.extend(analysis.not_analysed().iter().map(|gap| gap.reason.clone()));
    }
    found.dedup();
    (found, kernels, gaps)
}

fn fixture() -> Texts {
    let root = crate::common::root().join("tests/projects/mask_kernels");
    let mut texts = Texts::new();
    for folder in ["common", "gather", "select"] {
        let entries = fs::read_dir(root.join(folder)).expect("a folder");
        for entry in entries {
            let path = entry.expect("a file").path();
            let inside = path.strip_prefix(&root).expect("inside");
            let text = fs::read_to_string(&path).expect("text");
            texts.insert(Path::new("/p").join(inside), text);
        }
    }
    texts
}

#[test]
fn a_library_in_cpp_is_checked_whole() {
    let (found, kernels, gaps) = checked(&fixture());
    // The kernel around the masks is a fragment: nothing loads its input, and no one takes its result out.
    let split = |name| ("gather/split.cpp".to_owned(), name);
    assert_eq!(
        found,
        ["unused-buffer", "uninitialized-read", "event-unbalanced"].map(split)
    );
    // Two of the headers call the API.
    let gap =
        "it calls AscendC and has no kernel entry: its code is analysed where a kernel includes it";
    assert_eq!(gaps, [gap, gap]);
    assert_eq!(
        kernels,
        [
            "Blend<float, 16, 64>",
            "Blend<half, 16, 128>",
            "Blend<int32_t, 8, 256>",
        ]
    );
}

/// Mistakes in the library, each in one file, with the expected finding and its place.
const MISTAKES: &[(&str, &str, &str, &str, &str)] = &[
    // The mistake and the code that it affects are in different files.
    (
        "common/layout.h",
        "LANES_PER_BYTE = 8",
        "LANES_PER_BYTE = 16",
        "select/blend.h",
        "tsel-mask-too-narrow",
    ),
    (
        "select/blend.h",
        "2 * At::BYTES",
        "At::BYTES + 32",
        "select/blend.h",
        "tassign-overlap",
    ),
    (
        "select/blend.h",
        "MASK = 3 * BYTES",
        "MASK = 3 * BYTES + 8",
        "select/blend.h",
        "tassign-alignment",
    ),
    (
        "select/blend.cpp",
        "int32_t, 8, 256",
        "int32_t, 64, 512",
        "select/blend.h",
        "tassign-out-of-bounds",
    ),
    (
        "select/blend.cpp",
        "int32_t, 8, 256",
        "double, 8, 128",
        "select/blend.h",
        "tsel-element-size",
    ),
];

#[test]
fn a_mistake_in_any_file_is_found_where_it_shows() {
    for (path, before, after, place, rule) in MISTAKES {
        let mut texts = fixture();
        let text = texts.get_mut(&Path::new("/p").join(path)).expect("a file");
        assert!(text.contains(before), "{path}: {before}");
        *text = text.replacen(before, after, 1);
        let (found, ..) = checked(&texts);
        let is_it = |(file, name): &(String, &str)| file == place && name == rule;
        assert!(found.iter().any(is_it), "{before} -> {after}: {found:?}");
    }
}

const HEADER: &str = "#pragma once
template <typename T, int P>
void keep() {
    Tile<TileType::Vec, T, 16, 64> tile;
    TASSIGN(tile, 0x8000 * P);
}
";
const USER: &str = "#include \"keep.h\"
void f() { keep<float, 9>(); }
";

#[test]
fn instances_are_looked_for_beside_and_above_a_header() {
    let places = [
        ("keep.h", "user.cpp", USER.to_owned()),
        (
            "inner/keep.h",
            "user.cpp",
            USER.replace("keep.h", "inner/keep.h"),
        ),
    ];
    for (header, user, text) in places {
        let texts = texts(&[(header, HEADER), (user, &text)]);
        let (found, kernels, gaps) = checked(&texts);
        assert_eq!(found, [(header.to_owned(), "tassign-out-of-bounds")]);
        assert_eq!(
            (kernels, gaps),
            (vec!["keep<float, 9>".to_owned()], Vec::new())
        );
    }
    let through = texts(&[
        ("keep.h", HEADER),
        ("all.h", "#include \"keep.h\"\n#include \"all.h\"\n"),
        ("user.cpp", &USER.replace("keep.h", "all.h")),
    ]);
    assert_eq!(
        checked(&through).0,
        [("keep.h".to_owned(), "tassign-out-of-bounds")]
    );
    let (found, _, gaps) = checked(&texts(&[("keep.h", HEADER), ("user.cpp", "int x;")]));
    assert_eq!((found, gaps.len()), (Vec::new(), 1));
}

#[test]
fn what_a_header_declares_badly_is_told_with_its_place() {
    let texts = texts(&[
        (
            "tiles.h",
            "using Narrow = Tile<TileType::Vec, float, 16, 3>;\n",
        ),
        (
            "user.cpp",
            "#include \"tiles.h\"\nvoid f() { Narrow t; TASSIGN(t, 0); }\n",
        ),
    ]);
    let analysis = analysed(&texts, Path::new("/p/user.cpp"));
    let [finding] = analysis.findings.as_slice() else {
        panic!("{:?}", analysis.findings);
    };
    let place = finding.elsewhere.as_ref().expect("the header");
    assert_eq!(
        (finding.name, place.shown.as_str()),
        ("tile-alignment", "tiles.h")
    );
    let source = SourceText::new(texts[Path::new("/p/user.cpp")].as_str());
    assert_eq!(source.slice(finding.span), "t");
}

#[test]
fn nothing_outside_of_the_project_is_read() {
    let user =
        "#include \"../../etc/keep.h\"\n#include \"/etc/keep.h\"\n#include \"a/../../b.h\"\n";
    let user = format!("{user}{USER}");
    let (found, ..) = checked(&texts(&[("user.cpp", &user), ("keep.h", HEADER)]));
    assert_eq!(found, [("keep.h".to_owned(), "tassign-out-of-bounds")]);
}

const SMALL_UB: &str = "void f() {
    Tile<TileType::Vec, float, 32, 64> t;
    TASSIGN(t, 0x2F800);
}
void g() {
    Tile<TileType::Vec, uint8_t, 1, 512> a, b, d;
    Tile<TileType::Vec, uint8_t, 1, 64, BLayout::RowMajor, -1, -1> m(1, 64);
    Tile<TileType::Vec, uint8_t, 1, 32> tmp;
    TSEL(d, m, a, b, tmp);
}
";

#[test]
fn folders_say_what_a_file_is_meant_for() {
    let found = |path: &str| {
        let texts = texts(&[(path, SMALL_UB)]);
        let (found, ..) = checked(&texts);
        found.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
    };
    assert_eq!(found("k.cpp"), Vec::<&str>::new());
    let a2 = ["tassign-out-of-bounds", "tsel-element-size"];
    assert_eq!(found("npu/a2a3/k.cpp"), a2);
    assert_eq!(found("op_kernel/arch22/inner/k.cpp"), a2);
    assert_eq!(found("npu/a5/k.cpp"), ["tsel-element-size"]);
    assert_eq!(found("a2a3/cpu/k.cpp"), Vec::<&str>::new());
    assert_eq!(found("a2a3/a6/k.cpp"), Vec::<&str>::new());
}

#[test]
fn a_tile_library_of_the_project_says_whether_it_takes_a_scratch_tile() {
    let kernel = "void f() {
    Tile<TileType::Vec, float, 1, 64> a, b, d;
    Tile<TileType::Vec, uint8_t, 1, 32, BLayout::RowMajor, -1, -1> m(1, 8);
    TSEL(d, m, a, b);
}
";
    let found = |path: &str, library: &str| {
        let header =
            format!("PTO_INST RecordEvent TSEL({library}, WaitEvents &... events)\n{{\n}}\n");
        let texts = texts(&[
            (path, kernel),
            ("include/pto/common/pto_instr.hpp", &header),
        ]);
        let (found, ..) = checked(&texts);
        found.into_iter().map(|(_, name)| name).collect::<Vec<_>>()
    };
    let four = "TileData &dst, MaskTile &selMask, TileData &src0, TileData &src1";
    let five = format!("{four}, TmpTile &tmp");
    assert_eq!(found("k.cpp", four), Vec::<&str>::new());
    assert_eq!(found("k.cpp", &five), ["tsel-missing-tmp"]);
    // In code for the CPU simulator, `TSEL` needs no temporary tile.
    assert_eq!(found("tests/cpu/k.cpp", &five), Vec::<&str>::new());
}

#[test]
fn calls_with_numbers_are_bounded_by_name() {
    let gaps = |calls: u32| {
        let mut text = "void pick(uint32_t n) {
    Tile<TileType::Vec, float, 16, 64> tile;
    TASSIGN(tile, 32 * n);
}
void all() {
"
        .to_owned();
        (0..calls).for_each(|at| text += &format!("    pick({});\n", at + 1));
        let (_, _, gaps) = checked(&texts(&[("k.cpp", &(text + "}\n"))]));
        gaps
    };
    assert_eq!(gaps(64), Vec::<String>::new());
    assert_eq!(gaps(65).len(), 1);
}

#[test]
fn a_search_for_instances_ends_by_name() {
    let gaps = |functions: usize| {
        let mut text = String::new();
        for at in 0..functions {
            text += &format!("template <int N> void f{at}() {{ f{at}<N + 1>(); }}\n");
        }
        text += "void all() {\n    Tile<TileType::Vec, float, 16, 64> tile;\n";
        (0..functions).for_each(|at| text += &format!("    f{at}<0>();\n"));
        text += "    TASSIGN(tile, 0);\n}\n";
        let (_, _, gaps) = checked(&texts(&[("k.cpp", &text)]));
        gaps
    };
    assert_eq!(gaps(60), Vec::<String>::new());
    assert_eq!(gaps(70).len(), 1);
}

/// Code for products other than A2 and A3 is left out, and reported as not analysed, unless the file names a product.
#[test]
fn code_for_other_products_is_told_apart() {
    let text = "void f() {
    Tile<TileType::Vec, int32_t, 16, 64> a, b;
    Tile<TileType::Vec, uint8_t, 16, 32, BLayout::RowMajor, -1, -1> m(16, 8);
#ifdef __DAV_V220
    TCMP(m, a, b, CmpMode::EQ);
#else
    TCMP(m, a, b, CmpMode::LT);
#endif
}
";
    let of = |head: &str, text: &str| {
        let text = format!("{head}{text}");
        let (found, _, gaps) = checked(&texts(&[("k.cpp", &text)]));
        (found.len(), gaps.len())
    };
    assert_eq!(of("", text), (0, 1));
    assert_eq!(of("// a2lint: device a2\n", text), (0, 0));
    let swapped = text.replace("ifdef", "ifndef");
    assert_eq!(of("", &swapped), (1, 1));
    assert_eq!(of("// a2lint: device a2\n", &swapped), (1, 0));
    // A macro that the file defines itself does not select a product.
    let defined = "#define __DAV_V220\n";
    assert_eq!(of(defined, text), (0, 0));
    assert_eq!(of(defined, &swapped), (1, 0));
}

/// A file is read without each macro that a condition asks for and no file defines, and with it as 1. Code that neither
/// reading has is reported with its line.
#[test]
fn code_under_a_condition_that_nobody_decides_is_read_or_named() {
    let of = |condition: &str| {
        let text = format!(
            "void f() {{
    Tile<TileType::Vec, float, 16, 64> t;
#{condition}
    TASSIGN(t, 8);
#endif
}}
"
        );
        let (found, _, gaps) = checked(&texts(&[("k.cpp", &text)]));
        (found.len(), gaps)
    };
    for condition in [
        "ifdef LEVEL",
        "ifndef LEVEL",
        "if LEVEL > 0",
        "if !defined(LEVEL)",
    ] {
        assert_eq!(of(condition), (1, Vec::new()), "{condition}");
    }
    let named = "line 4: code under a condition that no file decides";
    assert_eq!(of("if LEVEL == 3"), (0, vec![named.to_owned()]));
    assert_eq!(of("if 0"), (0, Vec::new()));
}

#[test]
fn includes_that_leave_the_project_are_shown() {
    let gaps = |name: &str| {
        let user = format!("#include \"{name}\"\n{USER}// TASSIGN\n");
        let analysis = analysed(&texts(&[("a/user.cpp", &user)]), Path::new("/p/a/user.cpp"));
        let reasons = analysis.not_analysed().iter().map(|gap| &gap.reason);
        reasons.filter(|it| it.contains("outside")).count()
    };
    assert_eq!(gaps("../../common/keep.h"), 1);
    assert_eq!(gaps("../missing.h"), 0);
    assert_eq!(gaps("kernel_operator.h"), 0);
}

#[test]
fn bounds_of_includes_are_shown() {
    let mut project = texts(&[("keep.h", HEADER)]);
    let mut user = USER.to_owned();
    for at in 0..60 {
        let path = format!("/p/h{at}.h");
        project.insert(path.into(), "int x;\n".to_owned());
        user = format!("#include \"h{at}.h\"\n{user}");
    }
    project.insert("/p/user.cpp".into(), format!("{user}// TASSIGN\n"));
    let analysis = analysed(&project, Path::new("/p/user.cpp"));
    let reasons = analysis
        .not_analysed()
        .iter()
        .map(|gap| gap.reason.as_str());
    let reasons: Vec<&str> = reasons.collect();
    assert_eq!(reasons, ["includes lead to more than 48 files"]);
}

#[test]
fn what_instances_share_is_told_once_and_names_them() {
    let text = "template <int N> void f() {
    Tile<TileType::Vec, float, N, 64> t;
    TASSIGN(t, 0x60000);
}
template void f<32>();
template void f<64>();
";
    let analysis = analysed(&texts(&[("a2a3/k.cpp", text)]), Path::new("/p/a2a3/k.cpp"));
    let [finding] = analysis.findings.as_slice() else {
        panic!("{:?}", analysis.findings);
    };
    assert_eq!(finding.kernel.as_deref(), Some("f<32>"));
    assert_eq!(finding.also_in, ["f<64>"]);
}

/// A header is parsed once for all files that include it, although its spans start elsewhere in each of them.
#[test]
fn headers_are_shared_between_files_of_one_run() {
    let project = fixture();
    let [first, second] = ["/p/gather/split.h", "/p/select/blend.h"].map(Path::new);
    let alone = analysed(&project, second);
    let together = analysed_together(&project, &[first, second]);
    assert_eq!(together[1].masks.tiles, alone.masks.tiles);
    assert_eq!(together[1].findings, alone.findings);
    let paths = |analysis: &Analysis| -> Vec<PathBuf> {
        analysis.map.others().map(Path::to_owned).collect()
    };
    assert_eq!(paths(&together[1]), paths(&alone));
    assert!(!paths(&alone).is_empty());
}
