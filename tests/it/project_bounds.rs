//! Projects that are broken, large, or larger than the limits on what is read.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use rayon::prelude::*;

use crate::common::Random;
use crate::projects::{check_changed, checked, kernel, names};
use crate::robustness::{BOUND, boundaries, is_thorough, mangled};
use a2lint::check::{Analysis, Settings};
use a2lint::text::{SourceText, Span};

/// Number of mutations of each file of the library.
const ROUNDS: usize = 24;
/// One mutation in `REPLAYED` is replayed as well.
const REPLAYED: usize = 12;

/// Checks every file of the library after the text of one of them has changed.
fn library_survives(root: &Path, edited: &Path, text: &str, replay: bool, what: &str) {
    for path in crate::common::files(root, "py") {
        let start = Instant::now();
        let settings = Settings {
            pedantic: true,
            replay,
            replay_work: 50_000,
            ..Settings::default()
        };
        let edit = (edited.to_owned(), text.to_owned());
        let change = move |path: &Path, text: String| match path == edit.0 {
            true => edit.1.clone(),
            false => text,
        };
        let own = change(&path, crate::common::read(&path));
        let analysis = check_changed(root, &path, change, settings);
        stays_inside(&SourceText::new(own), &analysis, what);
        assert!(start.elapsed() < BOUND, "{what} took {:?}", start.elapsed());
    }
}

/// Whether every span of a report is in the file itself.
fn stays_inside(source: &SourceText, analysis: &Analysis, what: &str) {
    let is_inside = |span: Span| source.as_str().get(span.range()).is_some();
    for finding in &analysis.findings {
        let labels = finding.labels.iter().map(|label| label.span);
        let trail = finding.witness.iter().flat_map(|witness| &witness.trail);
        let edits = finding.fix.iter().flat_map(|fix| &fix.edits);
        let spans = labels.chain([finding.span]).chain(trail.copied());
        let mut spans = spans.chain(edits.map(|edit| edit.span));
        assert!(
            spans.all(is_inside),
            "{what}: {} points outside",
            finding.name
        );
    }
    for record in &analysis.records {
        let unknown = record.unknown.iter().map(|code| code.span);
        let launches = record.launches.iter().filter_map(|run| run.span);
        let mut spans = unknown.chain(launches).chain([record.span]);
        assert!(
            spans.all(is_inside),
            "{what}: {} points outside",
            record.name
        );
    }
}

#[test]
fn a_mangled_library_is_checked_within_bounds() {
    let root = crate::common::root().join("tests/projects/attention_lib");
    let rounds = if is_thorough() { 20 * ROUNDS } else { ROUNDS };
    let files: Vec<(usize, PathBuf)> = crate::common::files(&root, "py")
        .into_iter()
        .enumerate()
        .collect();
    let rounds = files
        .iter()
        .flat_map(|file| (0..rounds).map(move |round| (file, round)));
    let rounds: Vec<_> = rounds.collect();
    rounds.par_iter().for_each(|((number, path), round)| {
        let text = crate::common::read(path);
        let mut random = Random(0x51_7CC1 + (number * 10_007 + round) as u64);
        let edited = match round % 4 {
            3 => {
                let cuts = boundaries(&text);
                Some(text[..cuts[random.below(cuts.len())]].to_owned())
            }
            kind => mangled(&text, &mut random, kind),
        };
        let what = format!("{} round {round}", path.display());
        if let Some(edited) = edited {
            library_survives(&root, path, &edited, round % REPLAYED == 0, &what);
        }
    });
}

/// Number of packages of the large project.
const PACKAGES: usize = 50;
/// Number of kernels in each package, one per file.
const KERNELS: usize = 10;
/// Number of files without kernels in each package.
const OTHERS: usize = 87;

/// Generates a kernel with a buffer of `R` KB that a test launches.
fn launched_kernel(package: usize, number: usize) -> String {
    let import = format!("from pkg{package}.tiles import rows");
    kernel(&import, &format!("rows({number})")).replace("def k(", &format!("def k{number}("))
}

fn write_large(root: &Path) {
    fs::write(root.join("pyproject.toml"), "[project]\nname = 'p'\n").expect("a file");
    for package in 0..PACKAGES {
        let folder = root.join(format!("pkg{package}"));
        fs::create_dir_all(folder.join("tests")).expect("a folder");
        let write = |name: &str, text: &str| fs::write(folder.join(name), text).expect("a file");
        write("__init__.py", "");
        // One kernel of each package has a buffer that is too large.
        write(
            "tiles.py",
            "def rows(n):\n    return 256 if n == 3 else 8\n",
        );
        let mut test = String::from("import torch\n");
        for number in 0..KERNELS {
            write(
                &format!("kernel{number}.py"),
                &launched_kernel(package, number),
            );
            let _ = writeln!(
                test,
                "from pkg{package}.kernel{number} import k{number}\n\ndef test_{number}():\n    \
                 OpExec(k{number}, '')(torch.ones(8, 256), torch.ones(8, 256))\n"
            );
        }
        test.insert_str(0, "from easyasc.a2 import *\n");
        write("tests/test_all.py", &test);
        for number in 0..OTHERS {
            write(
                &format!("other{number}.py"),
                "import os\n\n\ndef name():\n    return os.sep\n",
            );
        }
    }
}

#[test]
fn a_project_of_5000_files_is_checked_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    write_large(root);
    assert_eq!(crate::common::files(root, "py").len(), 5_000);
    let start = Instant::now();
    let output = crate::common::binary()
        .args(["check", "--output-format", "json"])
        .arg(root)
        .output()
        .expect("it runs");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    eprintln!("5,000 files in {:?}", start.elapsed());
    assert!(start.elapsed() < BOUND);
    let kernels = report["kernels"].as_array().expect("kernels");
    assert_eq!(kernels.len(), PACKAGES * KERNELS);
    // Each kernel is launched by the test of its package only.
    let from = |kernel: &serde_json::Value| kernel["launches"][0]["from"] == "file";
    let is_launched = |kernel: &&serde_json::Value| {
        let launches = kernel["launches"].as_array().map_or(0, Vec::len);
        launches == 1 && from(kernel) && kernel["not_read"] == serde_json::json!([])
    };
    assert_eq!(kernels.iter().filter(is_launched).count(), kernels.len());
    let findings = report["findings"].as_array().expect("findings");
    let overflows = findings.iter().filter(|it| it["name"] == "ub-overflow");
    assert_eq!((overflows.count(), findings.len()), (PACKAGES, PACKAGES));
}

fn launching(number: usize) -> (String, String) {
    let text = format!(
        "from easyasc.a2 import *\nimport torch\nfrom k import k\n\
         OpExec(k, '')(torch.ones(8, 256), torch.ones({}, 256))\n",
        8 + number
    );
    (format!("main{number:03}.py"), text)
}

/// Returns the parts that the record of the kernel `k` lists as not read.
fn not_read(texts: &[(String, String)]) -> (Vec<String>, usize) {
    let texts: Vec<(&str, String)> = texts
        .iter()
        .map(|(path, text)| (path.as_str(), text.clone()))
        .collect();
    let analysis = checked(&texts, "k.py");
    let record = &analysis.records[0];
    let given = record.launches.iter().filter(|run| run.place.is_some());
    (record.not_read.clone(), given.count())
}

#[test]
fn bounds_of_imports_are_named() {
    let own = ("k.py".to_owned(), kernel("", "8"));
    let with = |others: Vec<(String, String)>| [vec![own.clone()], others].concat();
    let launches = |number: usize| (0..number).map(launching).collect::<Vec<_>>();
    assert_eq!(not_read(&with(launches(20))), (vec![], 20));
    let more = "of the files that import it, only the first 20 were read for launches";
    assert_eq!(not_read(&with(launches(21))), (vec![more.to_owned()], 20));

    let idle = |number: usize| (0..number).map(|n| (format!("idle{n:03}.py"), String::new()));
    assert_eq!(not_read(&with(idle(400).collect())), (vec![], 0));
    let more = "of the files around it, only the first 400 were searched for launches";
    assert_eq!(
        not_read(&with(idle(401).collect())),
        (vec![more.to_owned()], 0)
    );

    let chain = |number: usize| {
        let part = |n: usize| (format!("part{n}.py"), format!("import part{}\n", n + 1));
        (0..number).map(part).collect::<Vec<_>>()
    };
    let own = ("k.py".to_owned(), kernel("import part0", "8"));
    let with = |others: Vec<(String, String)>| [vec![own.clone()], others].concat();
    assert_eq!(not_read(&with(chain(190))).0, Vec::<String>::new());
    let more = "imports lead to more than 200 files".to_owned();
    assert_eq!(not_read(&with(chain(210))).0, [more]);
    let long = |n: usize| {
        (
            format!("long{n}.py"),
            format!("# {}\n", "x".repeat(900 << 10)),
        )
    };
    let own = (
        "k.py".to_owned(),
        kernel("import long0, long1, long2, long3, long4", "8"),
    );
    let more = "imports lead to more than 4 MB of text".to_owned();
    let texts = [vec![own], (0..5).map(long).collect()].concat();
    assert_eq!(not_read(&texts).0, [more]);
}

#[test]
fn launches_of_importers_are_held_against_the_contract() {
    let own = "from easyasc.a2 import *\n# a2lint: assume(M % 64 == 0)\n@kernel(mode='vec')\n\
               def k(x: GMTensor, y: GMTensor, M: Var):\n    a = Tensor(DT.float, [8, 64], Position.UB)\n    \
               with auto_sync():\n        a <<= x[0:8, 0:64]\n        y[0:8, 0:64] <<= a\n    return y\n";
    let main = |rows: i64| {
        format!(
            "from easyasc.a2 import *\nimport torch\nfrom k import k\n\
             OpExec(k, '')(torch.ones(8, 64), torch.ones(8, 64), {rows})\n"
        )
    };
    let texts = |rows| [("k.py", own.to_owned()), ("main.py", main(rows))];
    assert_eq!(names(&checked(&texts(128), "k.py")), Vec::<&str>::new());
    let analysis = checked(&texts(100), "k.py");
    let violated = analysis
        .findings
        .iter()
        .find(|it| it.name == "contract-violated");
    let message = violated
        .map(|finding| finding.message.as_str())
        .unwrap_or_default();
    let lead = "main.py:4: this launch breaks the contract of `k`: `M % 64 == 0`, but M = 100";
    assert_eq!(message, lead);
}
