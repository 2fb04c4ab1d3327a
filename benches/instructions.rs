//! Instruction counts of seven central cases, compared with recorded ones: `CARGO_INCREMENTAL=0 cargo bench --profile
//! dev --bench instructions`, with `-- --record` after an intended change.
//!
//! On a shared machine times vary, but instruction counts under callgrind do not. A case fails if it needs over five
//! percent more than `benches/instructions.toml` says. The counts hold for one compiler and one kind of build; with
//! others they are printed and not compared. The recorded ones are of the development build, which the tests have
//! built anyway. Needs valgrind.

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::hint::black_box;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use a2lint::analysis::KernelFacts;
use a2lint::check::{Settings, check};
use a2lint::language::Language;
use a2lint::machine::{End, Following, NullObserver, Options, simulate};
use a2lint::prove::Proofs;
use a2lint::text::SourceText;
use common::{FLASH_ATTENTION, LAYER_NORM, Subject, half_matmul, program};
use serde::{Deserialize, Serialize};

// The same allocator as in the binary.
use mimalloc as _;

/// Growth in percent that is not yet a regression.
const TOLERANCE: u64 = 5;

/// Limit on the cost of a run with exact values, in plain runs.
const MOST_FOR_EXACT: u64 = 3;

/// Prepares a case and returns the function that is counted.
type Case = fn() -> Box<dyn FnMut()>;

const CASES: [(&str, Case); 9] = [
    ("check", || checking(false)),
    ("replay", || checking(true)),
    ("prove", proving),
    ("vector", || running(Subject::of_file(LAYER_NORM))),
    ("exact", || {
        following(Subject::of_file(LAYER_NORM), Following::Values)
    }),
    ("numerics", || {
        following(Subject::of_file(LAYER_NORM), Following::Errors)
    }),
    ("cube", || running(half_matmul())),
    ("exact_cube", || following(half_matmul(), Following::Values)),
    ("masks", masks),
];

/// A check of a kernel of 285 lines (trace, analysis and rules), with or without replay.
fn checking(replay: bool) -> Box<dyn FnMut()> {
    let source = SourceText::new(FLASH_ATTENTION);
    let settings = Settings {
        replay,
        prove: false,
        // A small part of the default, because counting is slow.
        replay_work: 20_000,
        ..Settings::default()
    };
    Box::new(move || {
        black_box(check(&source, Language::Easyasc, &settings));
    })
}

/// The proofs of the same kernel without a launch.
fn proving() -> Box<dyn FnMut()> {
    let program = program(FLASH_ATTENTION);
    Box::new(move || {
        black_box(Proofs::of(&KernelFacts::of(&program), std::iter::empty()));
    })
}

/// A simulation of one launch.
fn running(subject: Subject) -> Box<dyn FnMut()> {
    Box::new(move || assert_eq!(subject.run(&mut NullObserver), End::Finished))
}

/// A simulation of one launch with exact values next to floats.
fn following(subject: Subject, following: Following) -> Box<dyn FnMut()> {
    let Subject { program, launch } = subject;
    let options = Options {
        following,
        ..Options::default()
    };
    Box::new(move || {
        let outcome = simulate(&program, &launch, &options, &mut NullObserver);
        assert_eq!(outcome.end, End::Finished);
    })
}

/// A check of one file in each of the other languages.
fn masks() -> Box<dyn FnMut()> {
    let files = [
        (
            include_str!("../tests/masks/tsel/relu_pipeline.cpp"),
            Language::Cpp,
        ),
        (
            include_str!("../tests/masks/tsel/level_two.pto"),
            Language::Pto,
        ),
        (
            include_str!("../tests/masks/ptx/sub_masks.ptx"),
            Language::Ptx,
        ),
    ];
    let sources = files.map(|(text, language)| (SourceText::new(text), language));
    Box::new(move || {
        for (source, language) in &sources {
            black_box(check(source, *language, &Settings::default()));
        }
    })
}

/// The recorded counts.
#[derive(Serialize, Deserialize, PartialEq)]
struct Record {
    /// The output of `rustc --version`.
    compiler: String,
    /// The optimization level of the build.
    opt_level: String,
    /// Instruction counts by case.
    instructions: BTreeMap<String, u64>,
}

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    if let [flag, name] = args.as_slice()
        && flag == "--case"
    {
        let (_, case) = CASES
            .iter()
            .find(|(known, _)| known == name)
            .expect("a case");
        let mut run = case();
        // The first run fills caches that live as long as the process, and is not counted.
        run();
        counted_section(&mut *run);
        return ExitCode::SUCCESS;
    }
    let now = Record {
        compiler: compiler(),
        opt_level: env!("A2LINT_OPT_LEVEL").to_owned(),
        instructions: CASES
            .iter()
            .map(|(name, _)| ((*name).to_owned(), count(name)))
            .collect(),
    };
    if args.iter().any(|arg| arg == "--record") {
        let text = toml::to_string(&now).expect("numbers are representable");
        fs::write(record(), text).expect("the record is writable");
        return ExitCode::SUCCESS;
    }
    let text = fs::read_to_string(record()).expect("the record is part of the repository");
    compare(&toml::from_str(&text).expect("the record is valid"), &now)
}

/// Returns the path of the recorded counts.
fn record() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/instructions.toml")
}

fn compiler() -> String {
    let output = Command::new("rustc").arg("--version").output();
    let version = output.expect("a compiler built this").stdout;
    String::from_utf8_lossy(&version).trim().to_owned()
}

/// Calls the function that is measured. callgrind counts only while this function runs.
#[inline(never)]
fn counted_section(run: &mut dyn FnMut()) {
    run();
}

/// Counts the instructions of a case in a process of its own.
fn count(name: &str) -> u64 {
    let folder = tempfile::tempdir().expect("a folder for the counts");
    let file = folder.path().join("counts");
    let status = Command::new("valgrind")
        .args(["--tool=callgrind", "--toggle-collect=*counted_section*"])
        .arg(format!("--callgrind-out-file={}", file.display()))
        .arg(std::env::current_exe().expect("the path of this program"))
        .args(["--case", name])
        .stderr(Stdio::null())
        .status()
        .expect("valgrind is installed");
    assert!(status.success(), "{name} ran");
    let counts = fs::read_to_string(&file).expect("callgrind wrote its counts");
    let total = counts
        .lines()
        .find_map(|line| line.strip_prefix("totals: "));
    total
        .and_then(|total| total.trim().parse().ok())
        .expect("a total")
}

fn compare(before: &Record, now: &Record) -> ExitCode {
    let comparable = (&before.compiler, &before.opt_level) == (&now.compiler, &now.opt_level);
    if !comparable {
        println!(
            "recorded with {} (level {}), built with {} (level {}): not compared",
            before.compiler, before.opt_level, now.compiler, now.opt_level
        );
    }
    let mut worse = false;
    for (name, &count) in &now.instructions {
        let was = before.instructions.get(name).copied().unwrap_or(0);
        let percent = 100.0 * (count as f64 / was.max(1) as f64 - 1.0);
        let grew = comparable && count * 100 > was * (100 + TOLERANCE);
        let remark = if grew { "  more than it may" } else { "" };
        println!("{name:<8} {count:>12} instructions, {percent:+.1} % of {was}{remark}");
        worse |= grew;
    }
    for (plain, followed) in [("vector", "exact"), ("cube", "exact_cube")] {
        let [plain, count] = [plain, followed].map(|name| now.instructions[name]);
        println!(
            "{followed}: {:.2} times a plain run",
            count as f64 / plain as f64
        );
        worse |= count > MOST_FOR_EXACT * plain;
    }
    ExitCode::from(u8::from(worse))
}
