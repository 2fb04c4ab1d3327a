//! Projects: imports of other files, and launches in other files.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use a2lint::check::{Analysis, Settings, check};
use a2lint::frontend::is_library;
use a2lint::language::Language;
use a2lint::project::{Files, Folder, Project};
use a2lint::text::SourceText;

use crate::fuzzing::project::in_memory;

/// Creates a project in memory; its paths are below `/p`.
fn files(texts: &[(&str, String)]) -> Arc<Files> {
    let texts = texts.iter();
    in_memory(texts.map(|(path, text)| (Path::new("/p").join(path), text.clone())))
}

pub(crate) fn checked(texts: &[(&str, String)], path: &str) -> Analysis {
    let (_, text) = texts
        .iter()
        .find(|(known, _)| *known == path)
        .expect("a file");
    let mut settings = Settings {
        replay_work: 100_000,
        ..Settings::default()
    };
    settings.trace.project = Some(Project {
        root: "/p".into(),
        here: "/p".into(),
        path: Path::new("/p").join(path),
        files: files(texts),
    });
    check(
        &SourceText::new(text.as_str()),
        Language::Easyasc,
        &settings,
    )
}

pub(crate) fn names(analysis: &Analysis) -> Vec<&'static str> {
    let mut names: Vec<_> = analysis.findings.iter().map(|it| it.name).collect();
    names.dedup();
    names
}

/// Returns a kernel whose buffer has `n` rows of 1 KB.
pub(crate) fn kernel(before: &str, rows: &str) -> String {
    format!(
        "from easyasc.a2 import *\n{before}\n@kernel(mode='vec')\ndef k(x: GMTensor, y: GMTensor):\n    n = {rows}\n    a = Tensor(DT.float, [n, 256], Position.UB)\n    with auto_sync():\n        a[0:8, 0:256] <<= x[0:8, 0:256]\n        y[0:8, 0:256] <<= a[0:8, 0:256]\n    return y\n"
    )
}

/// The file with the kernel, its import and its use, and the other files.
type Import = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const IMPORTS: &[Import] = &[
    (
        "k.py",
        "from tiles import R",
        "R",
        &[("tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "import tiles",
        "tiles.R",
        &[("tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "import tiles as t",
        "t.R",
        &[("tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "from tiles import R as rows",
        "rows",
        &[("tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "from tiles import *",
        "R",
        &[("tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "from tiles import *",
        "R",
        &[("tiles.py", "__all__ = ['R']\nR = ROWS\nS = 1")],
    ),
    (
        "k.py",
        "from tiles import pick",
        "pick(2)",
        &[("tiles.py", "def pick(m):\n    return m * ROWS // 2")],
    ),
    (
        "k.py",
        "from lib.tiles import R",
        "R",
        &[("lib/__init__.py", ""), ("lib/tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "import lib.tiles",
        "lib.tiles.R",
        &[("lib/tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "import lib.tiles as t",
        "t.R",
        &[("lib/tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "from lib import tiles",
        "tiles.R",
        &[("lib/__init__.py", ""), ("lib/tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "from lib import R",
        "R",
        &[
            ("lib/__init__.py", "from .tiles import R"),
            ("lib/tiles.py", "R = ROWS"),
        ],
    ),
    (
        "k.py",
        "from lib import R",
        "R",
        &[
            ("lib/__init__.py", "from .tiles import *"),
            ("lib/tiles.py", "R = ROWS"),
        ],
    ),
    (
        "lib/k.py",
        "from .tiles import R",
        "R",
        &[("lib/tiles.py", "R = ROWS")],
    ),
    (
        "lib/k.py",
        "from . import tiles",
        "tiles.R",
        &[("lib/__init__.py", ""), ("lib/tiles.py", "R = ROWS")],
    ),
    (
        "lib/ops/k.py",
        "from ..common.tiles import R",
        "R",
        &[("lib/common/tiles.py", "R = ROWS")],
    ),
    (
        "lib/ops/k.py",
        "from lib.common import tiles",
        "tiles.R",
        &[("lib/common/tiles.py", "R = ROWS")],
    ),
    (
        "src/lib/k.py",
        "from lib.tiles import R",
        "R",
        &[("src/lib/tiles.py", "R = ROWS")],
    ),
    (
        "tests/k.py",
        "from lib.tiles import R",
        "R",
        &[("src/lib/tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "import importlib\ntiles = importlib.import_module('lib.tiles')",
        "tiles.R",
        &[("lib/tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "from a import R",
        "R",
        &[
            ("a.py", "from b import R"),
            ("b.py", "from c import R"),
            ("c.py", "R = ROWS"),
        ],
    ),
    (
        "k.py",
        "from a import R",
        "R",
        &[
            ("a.py", "R = ROWS\nimport b"),
            ("b.py", "import a\nS = a.R"),
        ],
    ),
    (
        "k.py",
        "from a import R",
        "R",
        &[("a.py", "import k\nR = ROWS")],
    ),
    (
        "k.py",
        "try:\n    from tiles import R\nexcept ImportError:\n    R = 1",
        "R",
        &[("tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "def rows():\n    from tiles import R\n    return R",
        "rows()",
        &[("tiles.py", "R = ROWS")],
    ),
    (
        "k.py",
        "from configs import CONFIGS",
        "CONFIGS['big'].rows",
        &[(
            "configs.py",
            "from dataclasses import dataclass\n@dataclass(frozen=True)\nclass C:\n    rows: int = 1\nCONFIGS = {'big': C(rows=ROWS)}",
        )],
    ),
    (
        "k.py",
        "from base import Base\nclass C(Base):\n    pass",
        "C().rows",
        &[("base.py", "class Base:\n    rows = ROWS")],
    ),
    (
        "k.py",
        "from tiles import R",
        "R",
        &[(
            "tiles.py",
            "R = 1\nif __name__ != '__main__':\n    R = ROWS",
        )],
    ),
];

#[test]
fn imports_are_followed() {
    let mut wrong = Vec::new();
    for (path, before, rows, others) in IMPORTS {
        let of = |size: &str| {
            let mut texts: Vec<(&str, String)> = others
                .iter()
                .map(|(path, text)| (*path, text.replace("ROWS", size)))
                .collect();
            texts.push((*path, kernel(before, rows)));
            checked(&texts, path)
        };
        let (bad, good) = (of("256"), of("64"));
        let unknown = bad
            .records
            .iter()
            .flat_map(|record| &record.unknown)
            .count();
        if names(&bad) != ["ub-overflow"] || !names(&good).is_empty() || unknown > 0 {
            wrong.push(format!(
                "{before}\n  {:?} {:?} {unknown}",
                names(&bad),
                names(&good)
            ));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A kernel that takes 64 rows at a time without checking the number of rows.
const COPY: &str = "from easyasc.a2 import *\n\n\n@kernel(mode='vec')\ndef k(x: GMTensor, y: GMTensor, M: Var):\n    tile = Tensor(DT.float, [64, 64], Position.UB)\n    with auto_sync():\n        for row in range(GetVecIdx() * 64, M, GetVecNum() * 64):\n            tile <<= x[row:row + 64, 0:64]\n            y[row:row + 64, 0:64] <<= tile\n    return y\n";

/// The path of the kernel, the file that launches it, and further files.
type Elsewhere = (
    &'static str,
    &'static str,
    &'static str,
    &'static [(&'static str, &'static str)],
);

const LAUNCHES: &[Elsewhere] = &[
    (
        "k.py",
        "main.py",
        "from k import k\nif __name__ == '__main__':\n    OpExec(k)(torch.randn(ROWS, 64), torch.zeros(ROWS, 64), ROWS)",
        &[],
    ),
    (
        "k.py",
        "main.py",
        "import k\nx = torch.randn(ROWS, 64)\nOpExec(k.k)(x, torch.zeros_like(x), ROWS)",
        &[],
    ),
    (
        "k.py",
        "main.py",
        "from k import *\nx = torch.randn(ROWS, 64)\nOpExec(k)(x, torch.zeros_like(x), ROWS)",
        &[],
    ),
    (
        "ops/k.py",
        "tests/test_k.py",
        "import pytest\nfrom ops.k import k\n@pytest.mark.parametrize('M', [ROWS])\ndef test_k(M):\n    x = torch.randn(M, 64)\n    OpExec(k)(x, torch.zeros_like(x), M)",
        &[],
    ),
    (
        "lib/ops/k.py",
        "tests/test_k.py",
        "from lib.ops import k\ndef test_k():\n    x = torch.randn(ROWS, 64)\n    OpExec(k)(x, torch.zeros_like(x), ROWS)",
        &[("lib/ops/__init__.py", "from .k import k")],
    ),
    (
        "lib/k.py",
        "lib/tests/test_k.py",
        "from lib.k import k\nfrom lib.cases import CASES\ndef test_k():\n    for M in CASES:\n        x = torch.randn(M, 64)\n        OpExec(k)(x, torch.zeros_like(x), M)",
        &[("lib/cases.py", "CASES = [ROWS]")],
    ),
];

#[test]
fn launches_of_other_files_are_found() {
    for (path, other, text, others) in LAUNCHES {
        let of = |rows: &str| {
            let launching = format!("from easyasc.a2 import *\nimport torch\n{text}\n");
            let mut texts = vec![
                (*path, COPY.to_owned()),
                (*other, launching.replace("ROWS", rows)),
            ];
            texts.extend(
                others
                    .iter()
                    .map(|(path, text)| (*path, text.replace("ROWS", rows))),
            );
            checked(&texts, path)
        };
        let (bad, good) = (of("100"), of("128"));
        assert_eq!(bad.module.launches.len(), 1, "{text}");
        assert_eq!(names(&bad), ["gm-out-of-bounds"], "{text}");
        assert_eq!(names(&good), Vec::<&str>::new(), "{text}");
        // The record and the witness name the place.
        let place = bad.records[0].launches[0].place.as_deref();
        let place = place.filter(|place| place.starts_with(&format!("{other}:")));
        let place = place.unwrap_or_else(|| panic!("{other}: {:?}", bad.records[0].launches));
        let witness = bad.findings[0].witness.as_ref().expect("a witness");
        assert!(
            witness.detail.contains(&format!(" of {place}, ")),
            "{}",
            witness.detail
        );
    }
}

/// A helper with a race.
const HELPER: &str =
    "from easyasc.a2 import *\n\n\ndef load(t, x):\n    t <<= x[0:64, 0:64]\n    exp(t, t)\n";
/// A kernel that loads with the helper.
const LOADING: &str = "from easyasc.a2 import *\nfrom common.moves import load\n\n\n# a2lint: launch(x=float[64, 64], y=float[64, 64])\n@kernel(mode='vec')\ndef k(x: GMTensor, y: GMTensor):\n    a = Tensor(DT.float, [64, 64], Position.UB)\n    load(a, x)\n    bar_all()\n    y[0:64, 0:64] <<= a\n    return y\n";

#[test]
fn what_is_found_in_a_helper_is_named_by_its_place() {
    let (helper, main) = (HELPER, LOADING);
    let texts = [
        ("k.py", main.to_owned()),
        ("common/moves.py", helper.to_owned()),
    ];
    let analysis = checked(&texts, "k.py");
    assert_eq!(names(&analysis), ["race"]);
    let race = &analysis.findings[0];
    let place = race.elsewhere.as_ref().expect("a place in the helper");
    let line = place.source.line_column(place.span.start).line;
    assert_eq!((place.shown.as_str(), line), ("common/moves.py", 6));
    assert!(
        place
            .labels
            .iter()
            .all(|label| label.span.end as usize <= helper.len())
    );
    assert!(race.span.end as usize <= main.len());
    assert!(
        main[race.span.start as usize..].starts_with("load(a, x)"),
        "{race:?}"
    );
}

#[test]
fn a_mistake_that_kernels_share_is_told_once_and_refutes_all() {
    use a2lint::verdict::Status;
    let second = LOADING.replace("def k(", "def other(");
    let second = &second[second.find("# a2lint").expect("a launch")..];
    let alone =
        format!("{HELPER}\n\n{LOADING}\n\n{second}").replace("from common.moves import load\n", "");
    let helper = ("common/moves.py", HELPER.to_owned());
    let imported = format!("{LOADING}\n\n{second}");
    for texts in [vec![("k.py", alone)], vec![("k.py", imported), helper]] {
        let analysis = checked(&texts, "k.py");
        assert_eq!(analysis.findings.len(), 1, "{:#?}", analysis.findings);
        assert_eq!(analysis.findings[0].also_in, ["other"]);
        let refuted = analysis.verdicts().filter(|verdicts| {
            let mut all = verdicts.iter();
            all.any(|verdict| matches!(verdict.status, Status::Refuted { .. }))
        });
        assert_eq!(refuted.count(), 2);
    }
}

#[test]
fn comments_of_a_helper_silence_what_is_found_there() {
    let silenced = |line: &str, comment: &str| {
        let at = HELPER.find(line).expect("the line") + line.len();
        let helper = format!("{}  # a2lint: {comment}{}", &HELPER[..at], &HELPER[at..]);
        checked(
            &[("k.py", LOADING.to_owned()), ("common/moves.py", helper)],
            "k.py",
        )
    };
    let line = HELPER.lines().nth(5).expect("the line of the race");
    assert_eq!(names(&silenced(line, "ignore[race]")), [""; 0]);
    assert_eq!(names(&silenced(line, "ignore[dup-coverage]")), ["race"]);
}

#[test]
fn a_factory_of_another_file_builds_kernels_there() {
    let factory = "from easyasc.a2 import *\n\n\ndef build(T):\n    @kernel(mode='vec')\n    def k(x: GMTensor, y: GMTensor):\n        a = Tensor(DT.float, [T, 256], Position.UB)\n        with auto_sync():\n            a[0:8, 0:256] <<= x[0:8, 0:256]\n            y[0:8, 0:256] <<= a[0:8, 0:256]\n        return y\n    return k\n";
    let main = "from easyasc.a2 import *\nimport torch\nfrom lib import build\nx = torch.randn(8, 256)\nfor T in [64, 256]:\n    OpExec(build(T))(x, x)\n";
    let texts = [("lib.py", factory.to_owned()), ("main.py", main.to_owned())];
    let analysis = checked(&texts, "lib.py");
    let kernels: Vec<&str> = analysis
        .module
        .programs
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(kernels, ["build[T=64]", "build[T=256]"]);
    assert_eq!(names(&analysis), ["ub-overflow"]);
    // The importing file has no kernels of its own.
    assert_eq!(checked(&texts, "main.py").module.programs.len(), 0);
}

/// Hostile files of the project, which must not cost more than their own contents.
#[test]
fn hostile_neighbours_are_survived() {
    let itself = "import k\n".repeat(10_000);
    let deep: String = (0..300)
        .map(|at| format!("def f{at}(m):\n    return f{}(m)\n", (at + 1) % 300))
        .collect();
    let cases: &[(&str, String, bool)] = &[
        ("from tiles import R", itself.clone() + "R = 64\n", true),
        ("from tiles import R", "def (((\nR = 64\n".to_owned(), false),
        (
            "from tiles import R",
            "from k import n\nfrom tiles import R\nR = 64\n".to_owned(),
            true,
        ),
        ("from tiles import R", format!("{deep}R = f0(1)\n"), false),
        (
            "from tiles import R",
            "R = 1\nwhile True:\n    R += 1\n".to_owned(),
            false,
        ),
        (
            "from tiles import R",
            "from tiles import *\nfrom .tiles import *\nR = 64\n".to_owned(),
            true,
        ),
        (
            "from tiles import R",
            "import os\nos.system('true')\nR = 64\n".to_owned(),
            true,
        ),
        ("from ...tiles import R", "R = 64\n".to_owned(), false),
        ("from tiles.. import R", "R = 64\n".to_owned(), false),
    ];
    for (import, text, is_known) in cases {
        let texts = [("k.py", kernel(import, "R")), ("tiles.py", text.clone())];
        let analysis = checked(&texts, "k.py");
        let known = analysis
            .records
            .iter()
            .all(|record| record.unknown.is_empty());
        let is_whole = known && !analysis.records.is_empty() && analysis.not_analysed().is_empty();
        assert_eq!(is_whole, *is_known, "{import}: {:.60}", text);
        assert!(!names(&analysis).contains(&"unknown-name"), "{import}");
    }
    let chain: Vec<(String, String)> = (0..500)
        .map(|at| (format!("m{at}.py"), format!("from m{} import R\n", at + 1)))
        .collect();
    let mut texts = vec![("k.py", kernel("from m0 import R", "R"))];
    texts.extend(
        chain
            .iter()
            .map(|(path, text)| (path.as_str(), text.clone())),
    );
    let analysis = checked(&texts, "k.py");
    assert_eq!(names(&analysis), Vec::<&str>::new());
}

/// Returns the files of a project on disk.
fn project_files(root: &Path) -> Vec<PathBuf> {
    crate::common::files(root, "py")
}

/// Checks a file of a project on disk whose texts are changed as they are read.
pub(crate) fn check_changed(
    root: &Path,
    path: &Path,
    change: impl Fn(&Path, String) -> String + Clone + Send + Sync + 'static,
    mut settings: Settings,
) -> Analysis {
    let text = change(path, crate::common::read(path));
    let read = move |_: &Path, path: &Path| {
        let text = std::fs::read_to_string(path).ok()?;
        Some(change(path, text))
    };
    let list = |folder: &Path| {
        let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut paths: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
        paths.sort();
        Folder::from(paths)
    };
    settings.trace.project = Some(Project {
        root: root.to_owned(),
        here: root.to_owned(),
        path: path.to_owned(),
        files: Arc::new(Files::new(Box::new(read), Box::new(list), is_library)),
    });
    check(&SourceText::new(text), Language::Easyasc, &settings)
}

fn check_on_disk(root: &Path, path: &Path, changed: Option<(&str, &str)>) -> Analysis {
    let edit = changed.map(|(old, new)| (old.to_owned(), new.to_owned()));
    let change = move |_: &Path, text: String| match &edit {
        Some((old, new)) => text.replace(old.as_str(), new),
        None => text,
    };
    let settings = Settings {
        replay_work: 300_000,
        ..Settings::default()
    };
    check_changed(root, path, change, settings)
}

/// Returns the kernels of a project with the number of their launches, the findings, and the number of gaps.
fn project(changed: Option<(&str, &str)>) -> (Vec<(String, usize)>, Vec<String>, usize) {
    let root = crate::common::root().join("tests/projects/attention_lib");
    let (mut kernels, mut found, mut unknown) = (Vec::new(), Vec::new(), 0);
    for path in project_files(&root) {
        let analysis = check_on_disk(&root, &path, changed);
        for program in &analysis.module.programs {
            let launches = analysis.module.launches.iter();
            let own = launches.filter(|launch| launch.kernel == program.name);
            kernels.push((program.name.to_string(), own.count()));
        }
        found.extend(
            analysis
                .findings
                .iter()
                .map(|finding| finding.name.to_owned()),
        );
        unknown += analysis
            .records
            .iter()
            .flat_map(|record| &record.unknown)
            .count();
        unknown += analysis.not_analysed().len();
    }
    found.dedup();
    (kernels, found, unknown)
}

#[test]
fn a_library_of_kernels_is_checked_whole() {
    let (kernels, found, unknown) = project(None);
    let kernels: Vec<(&str, usize)> = kernels
        .iter()
        .map(|(name, n)| (name.as_str(), *n))
        .collect();
    assert_eq!(
        kernels,
        [
            (
                "build_rescale[tile=Tile(rows=64, columns=64), dtype=float]",
                3
            ),
            (
                "build_rescale[tile=Tile(rows=32, columns=128), dtype=half]",
                2
            ),
            ("row_bias", 3),
            ("shift", 2),
        ]
    );
    assert_eq!(found, Vec::<String>::new());
    assert_eq!(unknown, 0);
}

/// Mistakes in the library, each in one file, with the rule that reports it.
const MUTANTS: &[(&str, &str, &str)] = &[
    ("rows=64, columns=64", "rows=640, columns=64", "ub-overflow"),
    (
        "    return Min(tile.rows, M - row)",
        "    return tile.rows",
        "gm-out-of-bounds",
    ),
    (
        "    with auto_sync():\n        yield",
        "    if True:\n        yield",
        "race",
    ),
    (
        "def rows_of(config):\n    return config.rows",
        "def rows_of(config):\n    return config.rows * 64",
        "ub-overflow",
    ),
    (
        "return GetVecIdx() * step",
        "return (GetVecIdx() + 1) * step",
        "output-hole",
    ),
];

#[test]
fn mutants_of_the_library_are_found() {
    for (old, new, rule) in MUTANTS {
        let (_, found, _) = project(Some((old, new)));
        assert!(
            found.iter().any(|name| name == rule),
            "{old} -> {new}: {found:?}"
        );
    }
}

/// Returns the output of the command line for a folder.
fn said(folder: &Path) -> String {
    let output = crate::common::binary()
        .args(["check", "--output-format", "concise", "-v"])
        .arg(folder)
        .env_remove("NO_COLOR")
        .output()
        .expect("it runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn the_command_line_reads_neighbours_and_nothing_outside() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().join("project");
    let write = |path: PathBuf, text: &str| {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        std::fs::write(path, text).expect("a file");
    };
    write(root.join("pyproject.toml"), "[project]\nname = 'p'\n");
    write(
        root.join("lib/k.py"),
        &kernel("from common.tiles import R", "R"),
    );
    write(root.join("common/tiles.py"), "R = 256\n");
    write(folder.path().join("secret.py"), "R = 256\n");
    assert!(said(&root).contains("ub-overflow"));
    std::fs::remove_file(root.join("common/tiles.py")).expect("it was there");
    assert!(!said(&root).contains("ub-overflow"));
    #[cfg(unix)]
    {
        let link = root.join("common/tiles.py");
        std::os::unix::fs::symlink(folder.path().join("secret.py"), link).expect("a link");
        assert!(!said(&root).contains("ub-overflow"));
    }
    write(
        root.join("lib/k.py"),
        &kernel("from ...secret import R", "R"),
    );
    assert!(!said(&root).contains("ub-overflow"));
}

#[test]
fn runs_follow_imports_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    std::fs::create_dir(root.join("common")).expect("a folder");
    for (path, text) in [
        ("pyproject.toml", "[project]\nname = 'p'\n"),
        ("k.py", LOADING),
        ("common/moves.py", HELPER),
    ] {
        std::fs::write(root.join(path), text).expect("a file");
    }
    let output = crate::common::binary()
        .args(["run", "--json", "k.py"])
        .current_dir(root)
        .output()
        .expect("it runs");
    let report: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("one JSON object");
    let findings = report["findings"].as_array().expect("findings");
    let [found] = &findings[..] else {
        panic!("{report:#}");
    };
    assert_eq!(found["path"], "common/moves.py");
    assert_eq!(found["range"]["start"]["line"], 6, "{report:#}");
    let message = found["message"].as_str().expect("a text");
    assert!(message.ends_with(", called at k.py:9"), "{message}");
}

#[test]
fn a_project_of_many_files_is_read_once() {
    use std::sync::atomic::{AtomicUsize, Ordering};
    let reads = Arc::new(AtomicUsize::new(0));
    let count = reads.clone();
    let helper = "from easyasc.a2 import *\nR = 64\n";
    let read = move |_: &Path, path: &Path| {
        count.fetch_add(1, Ordering::Relaxed);
        match path.file_name()?.to_str()? {
            "tiles.py" => Some(helper.to_owned()),
            name if name.starts_with('k') && name.ends_with(".py") => {
                Some(kernel("from tiles import R", "R"))
            }
            _ => None,
        }
    };
    let list = |folder: &Path| match folder == Path::new("/p") {
        true => (0..5000)
            .map(|at| folder.join(format!("k{at}.py")))
            .collect::<Vec<_>>()
            .into(),
        false => Folder::default(),
    };
    let files = Arc::new(Files::new(Box::new(read), Box::new(list), is_library));
    let text = kernel("from tiles import R", "R");
    for at in 0..20 {
        let mut settings = Settings {
            replay: false,
            ..Settings::default()
        };
        settings.trace.project = Some(Project {
            root: "/p".into(),
            here: "/p".into(),
            path: format!("/p/k{at}.py").into(),
            files: files.clone(),
        });
        let analysis = check(
            &SourceText::new(text.as_str()),
            Language::Easyasc,
            &settings,
        );
        assert!(analysis.records[0].unknown.is_empty());
    }
    // Each of them is read once, with the files that the imports might refer to.
    assert!(reads.load(Ordering::Relaxed) < 1000, "{reads:?}");
}

/// Returns the messages of a rule's findings.
fn of_rule<'f>(analysis: &'f Analysis, rule: &str) -> Vec<&'f str> {
    let found = analysis.findings.iter().filter(|it| it.name == rule);
    found.map(|finding| finding.message.as_str()).collect()
}

#[test]
fn what_is_set_in_a_module_from_outside_is_what_its_functions_see() {
    let config = "W = 8\ndef get():\n    return W\n".to_owned();
    for (set, is_wrong) in [
        ("cfg.W = 512", true),
        ("setattr(cfg, 'W', 512)", true),
        ("vars(cfg)['W'] = 512", true),
        ("cfg.__dict__.update(W=512)", true),
        ("del cfg.W", true),
        ("pass", false),
    ] {
        let text = kernel(&format!("import cfg\n{set}\nR = cfg.get()"), "R");
        let analysis = checked(&[("k.py", text), ("cfg.py", config.clone())], "k.py");
        let is_partly = analysis.records.iter().any(|it| !it.unknown.is_empty());
        let overflows = !of_rule(&analysis, "ub-overflow").is_empty();
        assert_eq!(
            overflows || is_partly,
            is_wrong,
            "{set} {:?}",
            names(&analysis)
        );
    }
}

#[test]
fn a_typo_in_an_imported_helper_is_an_unknown_name() {
    let helper = "from easyasc.a2 import *\ndef bump(dst, src):\n    adds(dsq, src, 1.0)\n";
    let text = "from easyasc.a2 import *\nfrom helper import bump\n\n@kernel()\ndef f(x: GMTensor, y: GMTensor):\n    t = Tensor(DT.float, [8, 64], Position.UB)\n    u = Tensor(DT.float, [8, 64], Position.UB)\n    with auto_sync():\n        t <<= x[0:8, 0:64]\n        bump(u, t)\n        y[0:8, 0:64] <<= u\n    return y\n";
    let files = [("k.py", text.to_owned()), ("helper.py", helper.to_owned())];
    let analysis = checked(&files, "k.py");
    assert_eq!(names(&analysis), ["unknown-name"]);
    assert!(of_rule(&analysis, "unknown-name")[0].contains("dsq"));
}

#[test]
fn a_module_that_was_read_whole_has_no_other_names() {
    let text = kernel("import cfg", "cfg.ROWZ");
    let files = [("k.py", text), ("cfg.py", "ROWS = 8\n".to_owned())];
    let analysis = checked(&files, "k.py");
    assert_eq!(of_rule(&analysis, "unknown-name"), ["cfg has no `ROWZ`"]);
    // Names are not reported as undefined if code may bind them dynamically.
    for open in [
        "from elsewhere import *\n",
        "globals()['ROWZ'] = 8\n",
        "exec('ROWZ = 8')\n",
    ] {
        let text = kernel("import cfg", "cfg.ROWZ");
        let files = [("k.py", text), ("cfg.py", format!("ROWS = 8\n{open}"))];
        let analysis = checked(&files, "k.py");
        assert!(of_rule(&analysis, "unknown-name").is_empty(), "{open}");
    }
}
