//! The check of a file, repairs, configuration, baselines and the cache.
//!
//! [`check::check`] is the pure function that command line, editors, agents and the Python package call: text,
//! language and [`check::Settings`] in, [`check::Analysis`] out.
//!
//! # Modules
//! - `check`: `check_kernels` for the DSLs, `check_ascendc` and `check_masks` for the others; `KernelCheck`,
//!   `conclude_kernels`. `elsewhere` moves a finding in a helper's file to the call in the checked file. `vocabulary`
//!   spells names in fixes as the file imports them. `advice` applies the rules on speed to one run. `Results` is the
//!   part of an analysis that reports need, without programs.
//! - `repair`: fixes. `proposals` has a table of functions by rule; each takes a `Scene` and returns candidates, the
//!   most likely first. `Workshop` applies a candidate and checks the text again; `judge` compares both checks;
//!   `price` estimates the times of both kernels; `confirm` applies the same comparison to fixes that findings
//!   already have.
//! - `config`: keys (`options`), values, and the file that applies to a folder (`Configs`); files are read by a
//!   function that the caller supplies.
//! - `baseline`: known findings, counted per file and rule, with fingerprints that survive moved code.
//! - `cache`: results of earlier checks. The key is a `Subject` (text and settings); a result is valid while the
//!   answers to the check's questions about other files (`project::Question`) are unchanged. A pack holds rows of
//!   questions, entries and bodies; it is signed with a key of the user (`secret`) and replaced by renaming.
//!   `build.rs` makes the digest of the sources that is part of its key.
//!
//! # What it must not know
//! Output formats and the command line. `check` opens no file: `Settings::trace` carries a project with functions
//! that read.
//!
//! # Where to start reading
//! `check::check`, `check_kernels`, `findings_and_untried` and `conclude_kernels` in `check.rs`; `repair::fix_file`,
//! `Workshop::repair` and `judge::rule_on`; `Cache::get` and `Cache::put`; `Options` in `config/options.rs`.
//!
//! # Invariants
//! - The same input gives the same output, with and without a cache (`what_was_known_is_said_as_if_it_was_new` in
//!   `tests/it/cache.rs`); every setting and every byte counts (`every_setting_matters`, `every_byte_is_looked_at`).
//! - Results that this user's key has not signed are not used (`nobody_else_can_say_what_was_found`).
//! - A fix is offered if its finding is gone, findings per rule and kernel have not grown, as much is examined as
//!   before, and no verdict is weaker. It is safe if the meaning is kept, all that was proved stays proved without
//!   further preconditions, and the property is then proved (`tests/it/fixes.rs`, `tests/it/repairs.rs`,
//!   `safe_fixes_of_mutants_prove_what_was_proved` in `tests/it/fixed_mutants.rs`).
//! - The cache's key follows all crates that results depend on (`the_cache_follows_all_that_results_depend_on` in
//!   `tests/it/walls.rs`).
//! - The contents of a linked or oversized configuration file are never quoted (`nothing_of_a_linked_file_is_said`).
//!
//! # What it can miss
//! Repairs stop after 400 checked texts for a file and 32 for an editor's request; what is not tried is called
//! unsafe. A repair that changes what a kernel computes in a way that no property sees passes the judge, and is
//! offered as unsafe. If two runs write one pack at the same time, the results of one are not cached.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

pub mod baseline;
pub mod cache;
pub mod check;
pub mod config;
pub mod repair;
