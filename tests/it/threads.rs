//! Simulation of cores on several threads has the same results as on one: bytes, findings, limits, and the order of
//! events.
//!
//! `A2LINT_THREADS_PROGRAMS=20000` sets the number of random programs, `A2LINT_THREADS_FIRST` the first seed;
//! `A2LINT_LAUNCHES=all` uses all launches of the kernels.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::fuzzing::mutate::Random;
use crate::fuzzing::program::{launches, write};
use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::hazards::Tracker;
use a2lint::ir::{Module, Program};
use a2lint::machine::cost::Expense;
use a2lint::machine::{
    Access, Bindings, BoundLaunch, Clock, FindingKind, Observer, Options, Outcome, Site, SyncOp,
    Threads, simulate,
};
use a2lint::text::SourceText;

/// An observer that requests all events which may be delivered later, and hashes them.
struct Listener<'p> {
    heard: DefaultHasher,
    events: u64,
    tracker: Tracker<'p>,
    clock: Clock<'p>,
}

impl<'p> Listener<'p> {
    fn new(program: &'p Program, cores: u32) -> Listener<'p> {
        Listener {
            heard: DefaultHasher::new(),
            events: 0,
            tracker: Tracker::new(program, cores),
            clock: Clock::new(program, cores, true),
        }
    }

    fn hear(&mut self, event: impl std::fmt::Debug) {
        self.events += 1;
        format!("{event:?}").hash(&mut self.heard);
    }
}

impl Observer for Listener<'_> {
    fn wants_accesses(&self) -> bool {
        true
    }

    fn wants_definedness(&self) -> bool {
        true
    }

    fn wants_costs(&self) -> bool {
        true
    }

    fn spend(&mut self, site: &Site, expense: &Expense) {
        self.hear((site, expense));
        self.clock.spend(site, expense);
    }

    fn begin(&mut self, site: &Site) {
        self.hear(site);
        self.tracker.begin(site);
    }

    fn access(&mut self, site: &Site, access: &Access) {
        self.hear((site, access));
        self.tracker.access(site, access);
    }

    fn observed(&mut self, site: &Site, kind: &FindingKind, operand: Option<usize>) {
        self.hear((site, kind, operand));
    }

    fn synchronise(&mut self, site: &Site, operation: &SyncOp) {
        self.hear((site, operation));
        self.tracker.synchronise(site, operation);
        self.clock.synchronise(site, operation);
    }
}

/// Returns the outcome of a run and its events.
fn run(program: &Program, launch: &BoundLaunch, options: &Options) -> (Outcome, String) {
    let mut listener = Listener::new(program, launch.cores);
    let outcome = simulate(program, launch, options, &mut listener);
    let (events, heard) = (listener.events, listener.heard.finish());
    let estimate = listener.clock.estimate();
    let hazards = listener.tracker.finish();
    let mut hasher = DefaultHasher::new();
    format!("{estimate:?}").hash(&mut hasher);
    let estimate = hasher.finish();
    let hazards = hazards.len();
    let rest = format!("{events} events {heard:x}, estimate {estimate:x}, {hazards} hazards");
    (outcome, rest)
}

fn assert_same(program: &Program, launch: &BoundLaunch, options: Options, what: &str) {
    let (alone, told_alone) = run(program, launch, &options);
    for most in [2, 3, 7] {
        let threads = Threads {
            most,
            least_work: 0,
        };
        let (outcome, told) = run(program, launch, &Options { threads, ..options });
        let what = format!("{what}, {} with {most} threads", program.name);
        assert_eq!(told, told_alone, "{what}");
        // Memories are compared one by one, because printing them all would be too much.
        for (index, (memory, expected)) in outcome.globals.iter().zip(&alone.globals).enumerate() {
            assert!(memory == expected, "{what}: tensor {index}");
        }
        let rest = |outcome: Outcome| {
            let globals = Vec::new();
            format!("{:?}", Outcome { globals, ..outcome })
        };
        assert_eq!(rest(outcome), rest(clone(&alone)), "{what}");
    }
}

/// Copies an outcome without its memories.
fn clone(outcome: &Outcome) -> Outcome {
    Outcome {
        end: outcome.end.clone(),
        globals: Vec::new(),
        findings: outcome.findings.clone(),
        illegal: outcome.illegal.clone(),
        shorter_loads: outcome.shorter_loads.clone(),
        executed: outcome.executed.clone(),
        faithful: outcome.faithful,
        doubts: outcome.doubts.clone(),
        hf32: outcome.hf32,
        numerics: None,
        instructions: outcome.instructions,
        work: outcome.work,
    }
}

fn options() -> Options {
    Options {
        max_instructions: 300_000,
        max_work: 3_000_000,
        leaves_untouched: true,
        ..Options::default()
    }
}

/// Calls `each` with the launches of a file, at most `most` of each kernel.
fn each_launch(module: &Module, most: usize, mut each: impl FnMut(&Program, &BoundLaunch)) {
    let mut tried: BTreeMap<&str, usize> = BTreeMap::new();
    for launch in &module.launches {
        let tried = tried.entry(&launch.kernel).or_default();
        let mut programs = module.programs.iter();
        let Some(program) = programs.find(|program| program.name == launch.kernel) else {
            continue;
        };
        let none = Bindings::default();
        let bound = BoundLaunch::bind(
            program,
            Some(launch),
            &module.launches,
            &none,
            Device::default(),
            1 << 26,
        );
        if let Ok(bound) = bound
            && *tried < most
        {
            *tried += 1;
            each(program, &bound);
        }
    }
}

#[test]
fn kernels_come_to_the_same_on_several_threads() {
    let most = match std::env::var_os("A2LINT_LAUNCHES") {
        Some(_) => usize::MAX,
        None => 1,
    };
    let mut runs = 0;
    for folder in ["tests/kernels", "tests/sync", "tests/sanitizer_cases"] {
        for path in crate::common::files(&crate::common::root().join(folder), "py") {
            let module = trace(&SourceText::new(crate::common::read(&path)));
            each_launch(&module, most, |program, launch| {
                let name = path.file_name().expect("a file").to_string_lossy();
                assert_same(program, launch, options(), &name);
                runs += 1;
            });
        }
    }
    assert!(runs > 40, "{runs}");
}

/// A limit is hit at the same statement.
#[test]
fn limits_are_hit_where_they_are_with_one_thread() {
    let path = crate::common::root().join("tests/kernels/layer_norm.py");
    let module = trace(&SourceText::new(crate::common::read(&path)));
    let mut runs = 0;
    each_launch(&module, 1, |program, launch| {
        let (whole, _) = run(program, launch, &options());
        for part in [2, 3, 5] {
            let max_instructions = whole.instructions / part;
            let limited = Options {
                max_instructions,
                ..options()
            };
            assert_same(program, launch, limited, "instructions");
            let limited = Options {
                max_work: whole.work / part,
                ..options()
            };
            assert_same(program, launch, limited, "work");
            runs += 1;
        }
    });
    assert!(runs > 0);
}

#[test]
fn random_programs_come_to_the_same_on_several_threads() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let programs = number("A2LINT_THREADS_PROGRAMS").unwrap_or(60);
    let first = number("A2LINT_THREADS_FIRST").unwrap_or(1);
    for seed in first..first + programs {
        let text = write(&mut Random::new(seed));
        let module = trace(&SourceText::new(text.as_str()));
        for program in &module.programs {
            for mut launch in launches(program) {
                launch.cores = launch.cores.max(4);
                assert_same(program, &launch, options(), &format!("seed {seed}"));
            }
        }
    }
}

/// Cores that access the same bytes, at least one of them writing, cannot run in parallel.
#[test]
fn cores_that_meet_run_one_after_the_other() {
    let kernel = |reads: &str, writes: &str| {
        format!(
            "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
             def pass_on(x: GMTensor, y: GMTensor):\n    \
             tile = Tensor(DT.float, [8, 64], Position.UB)\n    \
             core = GetVecIdx()\n    \
             with auto_sync():\n        \
             for i in range(0, 40):\n            \
             tile <<= {reads}\n            \
             adds(tile, tile, 1.0)\n            \
             {writes} <<= tile\n"
        )
    };
    let own = "y[core * 8 : core * 8 + 8, 0:64]";
    for (reads, writes) in [
        ("x[core * 8 : core * 8 + 8, 0:64]", own),
        (
            "y[Max(core - 1, 0) * 8 : Max(core - 1, 0) * 8 + 8, 0:64]",
            own,
        ),
        ("y[core * 8 + 8 : core * 8 + 16, 0:64]", own),
        (own, "y[core * 4 : core * 4 + 8, 0:64]"),
        ("x[core * 8 : core * 8 + 8, 0:64]", "y[0:8, 0:64]"),
    ] {
        let module = trace(&SourceText::new(kernel(reads, writes).as_str()));
        let program = &module.programs[0];
        let shapes = ["x", "y"].map(|name| (name.to_owned(), vec![512, 64]));
        let dtypes = ["x", "y"].map(|name| (name.to_owned(), a2lint::isa::DType::Float));
        let bindings = Bindings {
            shapes: shapes.into_iter().collect(),
            dtypes: dtypes.into_iter().collect(),
            ..Bindings::default()
        };
        let launch = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 26);
        let launch = launch.expect("the launch is possible");
        assert_same(program, &launch, Options::default(), reads);
    }
}
