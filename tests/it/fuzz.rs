//! A limited run of the fuzzer in every build: each target runs its seeds, with mutations from a fixed random seed.
//!
//! `A2LINT_FUZZ_CASES=5000` sets the number of mutations of each target, `A2LINT_FUZZ_SECONDS=120` the time;
//! `A2LINT_FUZZ_SEEDS=FOLDER` writes the seeds as the initial corpus of the fuzzer.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use crate::common::{root, within};
use crate::fuzzing::mutate::{Random, mutate};
use crate::fuzzing::{TARGETS, seeds, target};
use crate::{python, spellings};

/// No input may take longer than this, in the slowest build.
const BOUND: Duration = Duration::from_secs(30);

/// Returns the number of mutations of a target, which the environment may set.
fn cases(usual: usize) -> usize {
    let given = std::env::var("A2LINT_FUZZ_CASES").ok();
    given.and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Returns the seeds of a target: files, and texts of other tests.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let mut found = seeds::seeds(target, root());
    if matches!(target, "kernel" | "replay") {
        let texts = python::texts().into_iter().chain(spellings::texts());
        found.extend(texts.map(String::into_bytes));
    }
    found
}

/// Runs some of a target's seeds and mutations of them.
fn smoke(name: &'static str, usual: usize) {
    let (target, seeds) = (target(name), seeds(name));
    let words = (target.words)();
    let mut random = Random::new(name.bytes().map(u64::from).sum());
    let seconds = std::env::var("A2LINT_FUZZ_SECONDS").ok();
    let seconds: Option<u64> = seconds.and_then(|text| text.parse().ok());
    let cases = if seconds.is_some() {
        usize::MAX
    } else {
        cases(usual)
    };
    let begun = Instant::now();
    for number in 0..cases {
        if seconds.is_some_and(|seconds| begun.elapsed() > Duration::from_secs(seconds)) {
            println!("{name}: {number} cases");
            break;
        }
        let seed = &seeds[random.below(seeds.len())];
        let input = match number % 16 {
            0 => seed.clone(),
            _ => mutate(seed, &words, &mut random),
        };
        // If the case panics, its input is printed last.
        let shown = Shown {
            name,
            input: &input,
        };
        let (run, given) = (target.run, input.clone());
        within(BOUND, name, move || run(&given));
        drop(shown);
    }
}

/// Prints the input of a case on drop, if the case panics.
struct Shown<'i> {
    name: &'static str,
    input: &'i [u8],
}

impl Drop for Shown<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            println!("{}:\n{}", self.name, String::from_utf8_lossy(self.input));
        }
    }
}

#[test]
fn kernels() {
    smoke("kernel", 250);
}

#[test]
fn replayed_kernels() {
    smoke("replay", 40);
}

#[test]
fn ptx() {
    smoke("ptx", 250);
}

#[test]
fn pto() {
    smoke("pto", 300);
}

#[test]
fn cpp() {
    smoke("cpp", 250);
}

#[test]
fn configurations() {
    smoke("config", 1000);
}

#[test]
fn sessions() {
    smoke("session", 12);
}

#[test]
fn kernels_of_the_second_dialect() {
    smoke("dialect", 40);
}

#[test]
fn sessions_of_the_debugger() {
    smoke("debugger", 60);
}

#[test]
fn projects() {
    smoke("project", 150);
}

#[test]
fn sessions_of_agents() {
    smoke("mcp", 12);
}

#[test]
fn pages() {
    smoke("report", 40);
}

#[test]
fn contracts() {
    smoke("contract", 40);
}

#[test]
fn programs_of_the_machine() {
    smoke("machine", 60);
}

/// Found by fuzzing: the ranges of a header and a bracket that extend into the next statement overlapped.
const TORN: &str = r#"from easyasc.a2 import *

@kernel(mode="vec")
def columnsding:
        for tile in range(GetCubeIdx(), CeilDiv(M2147483648 T), GetCubeNum()):
            l1[0:v, 0:D\ <<= q[m0:m0 + v, :D]
            for step in range(Ceil    y[0:64, 0:64] <<= ub[3:64, 0:6564]
    filled.set()
    y[0:64 64:blk] <<= ub[0:64, 64:128]
    return y
"#;

/// Found by fuzzing: the erroneous text in place of a statement ended inside of its first character.
const CUT_CHARACTER: &str = "from easyasc.a2 import*]\n \u{fffd}(";

/// Found by fuzzing: a line number so large that there is no next one.
const LAST_LINE: &str = r#"{"seq":1,"type":"request","command":"initialize","arguments":{"adapterID":"a2lint"}}
{"seq":2,"type":"request","command":"launch","arguments":{"program":"KERNEL","stopOnEntry":true}}
{"seq":3,"type":"request","command":"setBreakpoints","arguments":{"source":{"path":"KERNEL"},"breakpoints":[{"line":18446744073709551615}]}}
{"seq":4,"type":"request","command":"configurationDone","arguments":{}}
"#;

/// Found by fuzzing: an extent whose negation overflows.
const LEAST_EXTENT: &str = r#"from ascriptor.a2 import *

@kernel(mode="vec")
def work(x: GM[f32, (64, 64)], y: GM[f32, (64, -9223372036854775808)]):
    u = Tensor(f32, [64, 64], Position.UB)
    with auto_sync():
        u <<= x
        y <<= u
    return y
"#;

/// Found by fuzzing: the numbers of a finding contain NaN, which is not equal to itself.
const HALF_TYPED: [&str; 2] = [
    r#"from easyasc.a2 import *

@kernel(mode="vec")
def k(x
    GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    n = Tensor(DT.float, [64, 64], Position.UB)
    dup(n, 0.0)
    div(u, n, n)
    y[0:64, 0:64] <<= u
    return y
"#,
    r#"from easyasc.a2 import *

# a2lint: launch(x=float[64, 64], y=float[64, 64])
@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    u = Tensor(DT.float, [64, 64], Position.UB)
    n = Tensor(DT.float, [64, 64], Position.UB)
    u <<= x[0:64, 0:64]:        dup(n, 0.0, count=512)
    bar_all()
    dup(n, 0.0)
    bar_all()
    div(u, n, n)
    bar_all()
    y[0:64, 0:64] <<= u
    return y
"#,
];

#[test]
fn inputs_that_once_failed() {
    let run = |name, text: &str| (target(name).run)(text.as_bytes());
    run("kernel", TORN);
    run("kernel", CUT_CHARACTER);
    run("dialect", LEAST_EXTENT);
    run("debugger", LAST_LINE);
    for text in HALF_TYPED {
        run("replay", text);
    }
}

/// The seeds of targets that read text have characters of every length in bytes.
#[test]
fn seeds_have_characters_of_every_length() {
    for name in [
        "project", "dialect", "mcp", "debugger", "session", "kernel", "ptx", "pto", "cpp", "config",
    ] {
        let seeds = seeds(name);
        for piece in ["é", "行", "🙂"] {
            let escaped: String = piece
                .encode_utf16()
                .map(|it| format!("\\u{it:04x}"))
                .collect();
            let has = |seed: &Vec<u8>| {
                let text = String::from_utf8_lossy(seed);
                text.contains(piece) || text.contains(&escaped)
            };
            assert!(seeds.iter().any(has), "{name}: no seed has {piece}");
        }
    }
}

/// Every target has seeds. They are written if the environment names a folder.
#[test]
fn seeds_are_there() {
    let folder = std::env::var_os("A2LINT_FUZZ_SEEDS").map(PathBuf::from);
    for target in TARGETS {
        let seeds = seeds(target.name);
        assert!(seeds.len() > 2, "{}: {} seeds", target.name, seeds.len());
        let Some(folder) = folder.as_ref().map(|folder| folder.join(target.name)) else {
            continue;
        };
        std::fs::create_dir_all(&folder).expect("a folder");
        for (number, seed) in seeds.iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number:04}")), seed).expect("a seed");
        }
    }
}
