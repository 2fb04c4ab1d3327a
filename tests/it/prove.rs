//! Proofs compared with launches: no launch that satisfies the preconditions violates a property that is proved.

use std::path::Path;

use super::sync::{launches, module};
use crate::fuzzing::mutate::Random;
use crate::fuzzing::program::{launches as fuzzing_launches, write};
use a2lint::analysis::KernelFacts;
use a2lint::check::{Settings, check};
use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::ir::Program;
use a2lint::isa::DType;
use a2lint::language::Language;
use a2lint::machine::{
    Bindings, BoundLaunch, FindingKind, NullObserver, Options, Outcome, SanitizerFinding, simulate,
};
use a2lint::prove::{Precondition, Proof, Proofs, is_broken};
use a2lint::text::SourceText;
use a2lint::verdict::{Property, Status};

/// Numbers of compared items.
#[derive(Debug, Default)]
pub struct Counts {
    programs: usize,
    pub runs: usize,
    /// Number of tries on a launch, and of proofs, by property.
    tried: [usize; Property::COUNT],
    proved: [usize; Property::COUNT],
}

/// Compares proofs with a run. `is_assumed` says whether the launch satisfies the assumptions of the proofs.
pub fn compare(
    proofs: &Proofs,
    bound: &BoundLaunch,
    outcome: &Outcome,
    is_assumed: impl Fn(Property) -> bool,
    counts: &mut Counts,
) -> Result<(), String> {
    counts.runs += 1;
    let overflows = |seen: &SanitizerFinding| matches!(seen.kind, FindingKind::ScalarOverflow(_));
    let has_wrapped = outcome.findings.iter().any(overflows);
    for property in Property::ALL {
        let Proof::Holds { under, .. } = proofs.get(property) else {
            continue;
        };
        // After a wrapped value only the proof of `scalars` applies, which must not say that nothing wraps.
        if has_wrapped && property != Property::Scalars {
            continue;
        }
        if !is_assumed(property) || !under.iter().all(|condition| condition.holds_in(bound)) {
            continue;
        }
        counts.tried[property as usize] += 1;
        if is_broken(outcome, property) {
            let name = property.name();
            return Err(format!(
                "{name} is proved, and a launch shows {:?} {:?} with {:?}",
                outcome.findings, outcome.illegal, bound.parameters
            ));
        }
    }
    Ok(())
}

fn compare_all(
    program: &Program,
    bounds: &[BoundLaunch],
    counts: &mut Counts,
) -> Result<(), String> {
    let proofs = Proofs::of(&KernelFacts::of(program), bounds.iter());
    counts.programs += 1;
    for property in Property::ALL {
        let is_proved = matches!(proofs.get(property), Proof::Holds { .. });
        counts.proved[property as usize] += usize::from(is_proved);
    }
    for bound in bounds {
        let breaches = program.contract.breaches(&bound.given(program));
        if !breaches.is_empty() {
            continue;
        }
        // A counter that wraps runs for ever. Hazards before the limit count, too.
        let options = Options {
            max_instructions: 1_000_000,
            ..Options::default()
        };
        let outcome = simulate(program, bound, &options, &mut NullObserver);
        let extents = bound.globals.iter().flat_map(|global| &global.shape);
        let are_small = |property| {
            let Proof::Holds { under, .. } = proofs.get(property) else {
                return false;
            };
            let most = under.iter().filter_map(|it| it.size()?.most).min();
            most.is_none_or(|most| extents.clone().all(|&extent| extent <= most))
        };
        compare(&proofs, bound, &outcome, are_small, counts)?;
    }
    Ok(())
}

fn compare_file(path: &Path, counts: &mut Counts) {
    let module = module(path);
    for program in &module.programs {
        let own = launches(&module).into_iter();
        let own = own.filter(|(launched, _)| std::ptr::eq(*launched, program));
        let bounds: Vec<BoundLaunch> = own.map(|(_, bound)| bound).collect();
        if let Err(problem) = compare_all(program, &bounds, counts) {
            panic!("{} {}: {problem}", path.display(), program.name);
        }
        if std::env::var_os("A2LINT_PROOF_TABLE").is_some() {
            print(
                path,
                program,
                &Proofs::of(&KernelFacts::of(program), bounds.iter()),
            );
        }
    }
}

fn print(path: &Path, program: &Program, proofs: &Proofs) {
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let text = crate::common::read(path);
    for property in Property::ALL {
        let what = match proofs.get(property) {
            Proof::Holds { under, assuming } => {
                let under: Vec<String> = under.iter().map(Precondition::to_string).collect();
                format!("proved {under:?} {assuming:?}")
            }
            Proof::Open { because, at } => {
                let line = at.map(|at| text[..at.start as usize].lines().count());
                format!("OPEN {because} {line:?}")
            }
        };
        println!("{file} {} {}: {what}", program.name, property.name());
    }
}

#[test]
fn launches_break_nothing_that_is_proved() {
    let mut counts = Counts::default();
    for folder in ["kernels", "sync"] {
        let folder = crate::common::root().join("tests").join(folder);
        for path in crate::common::files(&folder, "py") {
            compare_file(&path, &mut counts);
        }
    }
    println!("{counts:?}");
    assert!(counts.tried.iter().sum::<usize>() > 400, "{counts:?}");
}

/// The bad cases of the rules violate no property that is proved.
#[test]
fn bad_cases_break_nothing_that_is_proved() {
    let mut counts = Counts::default();
    let folder = crate::common::root().join("tests/rules");
    for path in crate::common::files(&folder, "py") {
        compare_file(&path, &mut counts);
    }
    println!("{counts:?}");
    assert!(counts.programs > 300, "{counts:?}");
}

/// Seeds of programs that once violated a proved property.
const BROKEN_ONCE: [u64; 5] = [202_999, 204_650, 8_110, 1_300_309, 1_302_364];

/// `A2LINT_PROOF_PROGRAMS=100000` sets the number of random programs, `A2LINT_PROOF_FIRST` the first seed.
#[test]
fn random_programs_break_nothing_that_is_proved() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let programs = number("A2LINT_PROOF_PROGRAMS").unwrap_or(150);
    let first = number("A2LINT_PROOF_FIRST").unwrap_or(1);
    let mut counts = Counts::default();
    for seed in BROKEN_ONCE.into_iter().chain(first..first + programs) {
        let text = write(&mut Random::new(seed));
        let module = trace(&SourceText::new(text.as_str()));
        for program in &module.programs {
            let bounds = fuzzing_launches(program);
            if let Err(problem) = compare_all(program, &bounds, &mut counts) {
                panic!("seed {seed}: {problem}\n{text}");
            }
        }
    }
    println!("{programs} programs: {counts:?}");
    assert!(counts.tried[Property::Operands as usize] > 0, "{counts:?}");
}

/// Lanes that divide a loop into shares store disjoint parts, if a store is no larger than a share.
#[test]
fn shares_of_a_loop_are_apart() {
    let is_proved = |range: &str| {
        let text = format!(
            "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
             def scale(x: GMTensor, y: GMTensor, M: Var, S: Var):\n    \
             tile = Tensor(DT.float, [64, 64], Position.UB)\n    \
             with auto_sync():\n        \
             for row in range({range}):\n            \
             rows = Min(64, M - row)\n            \
             tile[0:rows, 0:64] <<= x[row : row + rows, 0:64]\n            \
             y[row : row + rows, 0:64] <<= tile[0:rows, 0:64]\n"
        );
        let module = trace(&SourceText::new(text.as_str()));
        let proofs = Proofs::of(&KernelFacts::of(&module.programs[0]), std::iter::empty());
        matches!(proofs.get(Property::Ownership), Proof::Holds { .. })
    };
    for apart in [
        "GetVecIdx() * 64, M, GetVecNum() * 64",
        "GetVecIdx() * 128, M, GetVecNum() * 128",
        "8 + GetVecIdx() * 64, M, GetVecNum() * 64",
        "S + GetVecIdx() * 64, M, GetVecNum() * 64",
    ] {
        assert!(is_proved(apart), "{apart}");
    }
    for not_apart in [
        "GetVecIdx() * 63, M, GetVecNum() * 63",
        "GetVecIdx() * 64, M, GetVecNum() * 63",
        "GetVecIdx() * 63, M, GetVecNum() * 64",
        "GetVecIdx() * 64, M, 64",
        "GetVecIdx() * -64, M, GetVecNum() * -64",
        "GetVecIdx() * S + GetVecIdx() * 64, M, GetVecNum() * 64",
        "GetVecIdx() * 64, M, GetVecNum() * 64 + 1",
    ] {
        assert!(!is_proved(not_apart), "{not_apart}");
    }
}

/// A proof under preconditions does not count for launches that violate them.
#[test]
fn a_launch_outside_of_the_preconditions_is_tested() {
    let kernel = |launches: &str| {
        format!(
            "from easyasc.a2 import *\n\n\n{launches}@kernel()\n\
             def scale(x: GMTensor, y: GMTensor, M: Var):\n    \
             tile = Tensor(DT.float, [8, 64], Position.UB)\n    \
             with auto_sync():\n        \
             for row in range(0, M, 8):\n            \
             rows = Min(8, M - row)\n            \
             tile[0:rows, 0:64] <<= x[row : row + rows, 0:64]\n            \
             muls(tile, tile, 2.0)\n            \
             y[row : row + rows, 0:64] <<= tile[0:rows, 0:64]\n"
        )
    };
    let scalars = |launches: &str| {
        let source = SourceText::new(kernel(launches).as_str());
        let analysis = check(&source, Language::Easyasc, &Settings::default());
        let verdicts = analysis.verdicts().next().expect("one kernel");
        let status = verdicts[Property::Scalars as usize].status.clone();
        (status, analysis.records[0].unproved(Property::Scalars))
    };
    let inside = "# a2lint: launch(M=20, x=float[20, 64], y=float[20, 64])\n";
    let outside = "# a2lint: launch(M=0, x=float[1, 64], y=float[1, 64])\n";
    let (status, unproved) = scalars(inside);
    assert!(matches!(status, Status::Proved { .. }), "{status:?}");
    assert_eq!(unproved, None);
    let (status, unproved) = scalars(&format!("{inside}{outside}"));
    assert_eq!(status, Status::Tested);
    let (because, at) = unproved.expect("a reason");
    assert!(because.contains("excludes launch(M=0"), "{because}");
    assert!(at.is_some());
}

/// An unsigned operation interprets a negative operand as a large number, even if its exact result is small.
#[test]
fn operands_fit_into_the_type_of_the_operation() {
    let is_proved = |dtype: &str, expression: &str| {
        let text = format!(
            "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
             def pad(x: GMTensor, y: GMTensor, K: Var):\n    \
             tile = Tensor(DT.float, [8, 64], Position.UB)\n    \
             least = Var(2, DT.{dtype})\n    \
             rows = Var({expression})\n    \
             with auto_sync():\n        \
             tile[0:rows, 0:64] <<= x[0:rows, 0:64]\n        \
             y[0:rows, 0:64] <<= tile[0:rows, 0:64]\n"
        );
        let module = trace(&SourceText::new(text.as_str()));
        let proofs = Proofs::of(&KernelFacts::of(&module.programs[0]), std::iter::empty());
        matches!(proofs.get(Property::Scalars), Proof::Holds { .. })
    };
    let clamped = "Min(Max(least, K - 26), 8)";
    assert!(is_proved("int", clamped));
    assert!(!is_proved("uint32", clamped));
    assert!(is_proved("uint32", "Min(Max(least, K + 26), 8)"));
    // The sum is correct modulo 2^32, however its operands are interpreted.
    assert!(is_proved("uint32", "Min(least + (Min(K, 1) - 1), 8)"));
}

/// If a column mask selects only columns that a load has written, the padding of rows does not matter.
#[test]
fn masks_say_where_an_operand_is_taken() {
    let kernel = |limit: &str, mode: &str, first: &str| {
        format!(
            "from easyasc.a2 import *\n\n\n# a2lint: assume(K >= 1, K <= 64)\n@kernel()\n\
             def widen(x: GMTensor, y: GMTensor, K: Var):\n    \
             tile = Tensor(DT.float, [1, 64], Position.UB)\n    \
             nothing = Tensor(DT.float, [1, 64], Position.UB)\n    \
             columns = Tensor(DT.int, [1, 64], Position.UB)\n    \
             mask = Tensor(DT.uint8, [1, 8], Position.UB)\n    \
             dup(columns, {first})\n    \
             for bit in unroll(6):\n        \
             bar_v()\n        \
             set_mask(0, [0xAAAAAAAAAAAAAAAA, 0xCCCCCCCCCCCCCCCC, 0xF0F0F0F0F0F0F0F0,\n            \
             0xFF00FF00FF00FF00, 0xFFFF0000FFFF0000, 0xFFFFFFFF00000000][bit])\n        \
             adds(columns, columns, 1 << bit)\n    \
             reset_mask()\n    \
             bar_v()\n    \
             compare_scalar(mask, columns, {limit}, CompareMode.{mode})\n    \
             dup(nothing, 0.0)\n    \
             bar_all()\n    \
             if GetVecIdx() == 0:\n        \
             with auto_sync():\n            \
             tile[0:1, 0:K] <<= x[0:1, 0:K]\n            \
             select(tile, mask, tile, nothing, SelectMode.TENSOR_SCALAR)\n            \
             y[0:1, 0:64] <<= tile\n    \
             return y\n"
        )
    };
    let is_proved = |limit: &str, mode: &str, first: &str| {
        let text = kernel(limit, mode, first);
        let source = SourceText::new(text.as_str());
        let analysis = check(&source, Language::Easyasc, &Settings::default());
        let verdicts = analysis.verdicts().next().expect("one kernel");
        let initialised = &verdicts[Property::Initialised as usize].status;
        assert_eq!(
            analysis.findings.len(),
            0,
            "{text}: {:?}",
            analysis.findings
        );
        matches!(initialised, Status::Proved { .. })
    };
    assert!(is_proved("K", "LT", "0"));
    assert!(is_proved("K - 1", "LE", "0"));
    assert!(is_proved("K", "LE", "1"));
    assert!(is_proved("K", "LT", "3"), "fewer than there are");
    // One column too many, or the complement.
    assert!(!is_proved("K", "LE", "0"));
    assert!(!is_proved("K + 1", "LT", "0"));
    assert!(!is_proved("K", "LT", "-1"));
    assert!(!is_proved("K", "GE", "0"));
    assert!(!is_proved("K", "NE", "0"));
}

/// A write to one slot does not define another slot of the same tensor.
#[test]
fn slots_of_one_tensor_are_told_apart() {
    let initialised = |source: &str, target: &str, rows: u32| {
        let text = format!(
            "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
             def k(x: GMTensor, y: GMTensor, N: Var):\n    \
             pair = DBuff(DT.float, [64, 64], Position.UB)\n    \
             {target} <<= x[0:64, 0:64]\n    \
             {source}[0:{rows}, 0:64] <<= x[0:{rows}, 0:64]\n    \
             bar_all()\n    \
             exp({target}, {source})\n    \
             bar_all()\n    \
             y[0:64, 0:64] <<= {target}\n    \
             return y\n"
        );
        let module = trace(&SourceText::new(text.as_str()));
        let proofs = Proofs::of(&KernelFacts::of(&module.programs[0]), [].iter());
        match proofs.get(Property::Initialised) {
            Proof::Holds { .. } => Ok(()),
            Proof::Open { because, .. } => Err(because.clone()),
        }
    };
    assert_eq!(initialised("pair[0]", "pair[1]", 64), Ok(()));
    // The target was defined before, and the source except for its first row is not.
    let because = initialised("pair[0]", "pair[1]", 1).expect_err("rows are undefined");
    assert!(because.contains("row 1, column 0"), "{because}");
}

/// The tokens that the first and the last iteration leave out are known for any number of iterations.
#[test]
fn tokens_balance_where_iterations_overlap() {
    let progress = |header: &str, waits: &str, sets: &str| {
        let text = format!(
            "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
             def k(x: GMTensor, y: GMTensor, N: Var):\n    \
             tile = DBuff(DT.float, [8, 64], Position.UB)\n    \
             loaded = SEvent(Pipe.MTE2, Pipe.V)\n    \
             for i in {header}:\n        \
             if {waits}:\n            \
             loaded.wait()\n            \
             muls(tile[i + 1], tile[i + 1], 2.0)\n        \
             if {sets}:\n            \
             tile[i] <<= x[0:8, 0:64]\n            \
             loaded.set()\n    \
             y[0:8, 0:64] <<= tile[0]\n    \
             return y\n"
        );
        let module = trace(&SourceText::new(text.as_str()));
        let program = &module.programs[0];
        let proofs = Proofs::of(&KernelFacts::of(program), [].iter());
        match proofs.get(Property::Progress) {
            Proof::Holds { under, .. } => Ok(under.len()),
            Proof::Open { because, .. } => Err(because.clone()),
        }
    };
    assert_eq!(progress("range(0, N + 1)", "i > 0", "i < N"), Ok(0));
    assert_eq!(progress("range(0, N + 1)", "i != 0", "i != N"), Ok(0));
    assert_eq!(
        progress("range(0, N + 1)", "not i == 0", "i + 1 <= N"),
        Ok(0)
    );
    assert_eq!(progress("range(N, -1, -1)", "i < N", "i > 0"), Ok(0));
    assert_eq!(progress("range(3, N + 6, 3)", "i >= 4", "i < N + 3"), Ok(0));
    // One token too few, one iteration too late, steps that pass the end, and the reverse.
    let is_open = |header: &str, waits: &str, sets: &str| {
        let because = progress(header, waits, sets).expect_err("it is not so");
        assert!(
            because.contains("token") || because.contains("set"),
            "{because}"
        );
    };
    is_open("range(0, N + 1)", "i > 0", "i < N - 1");
    is_open("range(0, N + 1)", "i > 1", "i < N");
    is_open("range(0, N + 1, 2)", "i > 0", "i < N");
    is_open("range(0, N + 1)", "i >= 0", "i < N");
    is_open("range(0, N + 2)", "i > 0", "i < N");
}

/// Generates an integer expression of the sizes, counters and variables in `names`.
fn integer(random: &mut Random, names: &[String], depth: u32) -> String {
    let mut atom = || match random.below(4) {
        0 => [1, 2, 3, 7, 16, 64, 100, 128, 4096][random.below(9)].to_string(),
        _ => names[random.below(names.len())].clone(),
    };
    if depth == 0 {
        return atom();
    }
    let divisor = atom();
    let [a, b] = [(); 2].map(|()| integer(random, names, depth - 1));
    match random.below(9) {
        0 | 1 => format!("({a} + {b})"),
        2 => format!("({a} - {b})"),
        3 | 4 => format!("({a} * {b})"),
        5 => format!("Min({a}, {b})"),
        6 => format!("Max({a}, {b})"),
        7 => format!("CeilDiv({a}, {divisor})"),
        _ => format!("({a} // {divisor})"),
    }
}

/// Generates a kernel that only computes integers, in loops of a few iterations.
fn integers(random: &mut Random) -> String {
    let mut names: Vec<String> = ["M", "N", "K"].map(str::to_owned).to_vec();
    let mut text = "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
                    def k(y: GMTensor, M: Var, N: Var, K: Var):\n    count = Var(0)\n"
        .to_owned();
    let mut indent = 4;
    let lines = 3 + random.below(6);
    for line in 0..lines {
        let pad = " ".repeat(indent);
        match random.below(5) {
            0 if indent < 12 => {
                let start = integer(random, &names, 1);
                let stop = match random.below(2) {
                    0 => format!("Min({start} + {}, M * 2)", 1 + random.below(6)),
                    _ => format!("{start} + {}", 1 + random.below(6)),
                };
                text += &format!("{pad}for i{line} in range({start}, {stop}):\n");
                names.push(format!("i{line}"));
                indent += 4;
            }
            1 => {
                let step = integer(random, &names, 1);
                text += &format!("{pad}count += {step}\n");
                names.push("count".to_owned());
            }
            _ => {
                let depth = 1 + random.below(2) as u32;
                text += &format!("{pad}v{line} = Var({})\n", integer(random, &names, depth));
                names.push(format!("v{line}"));
            }
        }
    }
    let last = names.last().expect("a name");
    let pad = " ".repeat(indent);
    text + &format!("{pad}last = Var({last})\n{pad}last.SetValueTo(y[0:1, 0:1])\n    return y\n")
}

/// Sizes of any magnitude: a value leaves its type only in launches outside of the proved preconditions.
///
/// `A2LINT_GROWTH_PROGRAMS=100000` sets the number of kernels.
#[test]
fn integers_stay_where_that_is_proved() {
    let programs = std::env::var("A2LINT_GROWTH_PROGRAMS").ok();
    let programs: u64 = programs.and_then(|it| it.parse().ok()).unwrap_or(400);
    let mut counts = Counts::default();
    // Numbers of launches inside of the preconditions but near their border, of launches that leave a type, and of
    // kernels with a condition on several sizes.
    let (mut inside, mut wrong, mut several) = (0, 0, 0);
    for seed in 1..=programs {
        let mut random = Random::new(seed);
        let text = integers(&mut random);
        let module = trace(&SourceText::new(text.as_str()));
        let Some(program) = module.programs.first() else {
            continue;
        };
        let proofs = Proofs::of(&KernelFacts::of(program), std::iter::empty());
        if let Proof::Holds { under, .. } = proofs.get(Property::Scalars) {
            several += u32::from(under.iter().any(|it| matches!(it, Precondition::Reach(_))));
        }
        for _ in 0..12 {
            let scalars = ["M", "N", "K"].map(|name| {
                let bits = random.below(31);
                let size = (1_u64 << bits) + random.below(1 << bits) as u64;
                (name.to_owned(), size.min(i32::MAX as u64) as f64)
            });
            let bindings = Bindings {
                scalars: scalars.to_vec(),
                shapes: vec![("y".into(), vec![1, 1])],
                dtypes: vec![("y".into(), DType::Int)],
                cores: Some(1),
                ..Bindings::default()
            };
            let device = Device::default();
            let Ok(bound) = BoundLaunch::bind(program, None, &[], &bindings, device, 1 << 20)
            else {
                continue;
            };
            let options = Options {
                max_instructions: 20_000,
                ..Options::default()
            };
            let outcome = simulate(program, &bound, &options, &mut NullObserver);
            wrong += u32::from(is_broken(&outcome, Property::Scalars));
            let before = counts.tried[Property::Scalars as usize];
            let is_assumed = |property| property == Property::Scalars;
            if let Err(problem) = compare(&proofs, &bound, &outcome, is_assumed, &mut counts) {
                panic!("seed {seed}: {problem}\n{scalars:?}\n{text}");
            }
            inside += counts.tried[Property::Scalars as usize] - before;
        }
    }
    println!(
        "{programs} kernels, {several} with several sizes: {inside} launches inside, {wrong} wrong"
    );
    assert!(
        inside > 100 && wrong > 100 && several > 10,
        "{inside} {wrong} {several}"
    );
}

/// The reason why `ownership` is open names the number of lanes.
#[test]
fn why_ownership_is_open_says_how_many_lanes_there_are() {
    let because = |block_dim: &str, mode: &str| {
        let text = format!(
            "from ascriptor.a2 import *\n\n\n@kernel(mode=\"{mode}\"{block_dim})\n\
             def k(x: GM[f32, (64, 64)], y: GM[f32, (64, 64)]):\n    \
             u = Tensor(f32, [64, 64], Position.UB)\n    with auto_sync():\n        \
             u <<= x\n        y <<= u\n    return y\n"
        );
        let module = trace(&SourceText::new(text.as_str()));
        let proofs = Proofs::of(&KernelFacts::of(&module.programs[0]), std::iter::empty());
        match proofs.get(Property::Ownership) {
            Proof::Open { because, .. } => because.clone(),
            Proof::Holds { under, .. } => {
                let under: Vec<String> = under.iter().map(Precondition::to_string).collect();
                under.join(", ")
            }
        }
    };
    let shared = "that different lanes store different parts of `y`";
    let several = format!("not shown: {shared}");
    assert_eq!(because("", "vec"), several);
    assert_eq!(because(", block_dim=2", "vec"), several);
    assert_eq!(because(", block_dim=1", "vec"), "block_dim == 1");
    // A core has two vector lanes.
    assert_eq!(because(", block_dim=1", "mix"), several);
}
