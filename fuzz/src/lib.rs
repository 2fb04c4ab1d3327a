//! What is fuzzed: functions from bytes to nothing, which panic where an invariant does not hold.
//!
//! The fuzzer calls them through `fuzz_targets`; `tests/it/fuzz.rs` runs a fixed number of mutated seeds
//! through the same functions in every build, and writes the seeds.

mod debugger;
mod mcp;
pub mod mutate;
mod page;
pub mod program;
pub mod project;
pub mod seeds;
mod session;
mod settings;
mod source;

use a2lint::language::Language;

/// One function that is fuzzed.
pub struct Target {
    /// Its name, here, under `fuzz_targets` and under `corpus`.
    pub name: &'static str,
    /// What is called.
    pub run: fn(&[u8]),
    /// Words that inputs are made of, besides those that they have.
    pub words: fn() -> Vec<&'static str>,
}

/// Every target.
pub const TARGETS: &[Target] = &[
    Target {
        name: "kernel",
        run: |data| source::check(data, Language::Easyasc, false),
        words: mutate::kernel_words,
    },
    Target {
        name: "replay",
        run: |data| source::check(data, Language::Easyasc, true),
        words: mutate::kernel_words,
    },
    Target {
        name: "ptx",
        run: |data| source::check(data, Language::Ptx, false),
        words: mutate::ptx_words,
    },
    Target {
        name: "pto",
        run: |data| {
            source::check(data, Language::Pto, false);
            source::check(data, Language::Mlir, false);
        },
        words: mutate::pto_words,
    },
    Target {
        name: "cpp",
        run: |data| {
            source::check(data, Language::Cpp, false);
            source::check(data, Language::Cuda, false);
        },
        words: mutate::cpp_words,
    },
    Target {
        name: "config",
        run: settings::read,
        words: mutate::config_words,
    },
    Target {
        name: "session",
        run: session::serve,
        words: mutate::session_words,
    },
    Target {
        name: "dialect",
        run: |data| source::check(data, Language::Easyasc, true),
        words: mutate::kernel_words,
    },
    Target {
        name: "debugger",
        run: debugger::serve,
        words: mutate::debugger_words,
    },
    Target {
        name: "project",
        run: project::check,
        words: mutate::project_words,
    },
    Target {
        name: "mcp",
        run: mcp::serve,
        words: mutate::mcp_words,
    },
    Target {
        name: "report",
        run: page::write,
        words: mutate::kernel_words,
    },
    Target {
        name: "contract",
        run: |data| source::check(data, Language::Easyasc, true),
        words: mutate::contract_words,
    },
    Target {
        name: "machine",
        run: program::execute,
        words: Vec::new,
    },
];

/// The target of a name.
pub fn target(name: &str) -> &'static Target {
    let found = TARGETS.iter().find(|target| target.name == name);
    found.unwrap_or_else(|| panic!("no target is called {name}"))
}
