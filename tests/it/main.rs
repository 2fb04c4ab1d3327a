//! The tests of the library and the binary. They are one program, so that the library is linked once.
//!
//! `cargo test --test it trace::` runs one module. What is driven by folders of files is `crates/lint/tests/rules`
//! and `tests/golden.rs`, one test for each file.

#[path = "../common/mod.rs"]
mod common;
#[allow(dead_code, reason = "the fuzzer takes the rest")]
#[path = "../../fuzz/src/lib.rs"]
mod fuzzing;

mod adoption;
mod advice;
mod ascendc;
mod ascendc_mutants;
mod ascendc_proofs;
mod ascendc_twins;
mod ascendc_words;
mod board;
mod cache;
mod cli;
mod clients;
mod contracts;
mod cost;
mod cpp_constants;
mod cpp_projects;
mod cube_model;
mod debug;
mod dialects;
mod docs;
mod encodings;
mod fixed_mutants;
mod fixes;
mod fuzz;
mod help;
#[cfg(target_os = "linux")]
mod hostile;
mod inference;
mod json_page;
mod launches;
mod laws;
mod limits;
mod lsp;
mod mask_sources;
mod mistakes;
mod mma_forms;
mod moves;
mod numerics;
mod operators;
mod order;
mod pages;
mod project_bounds;
mod projects;
mod prove;
mod prove_launches;
mod prove_shares;
mod ptx;
mod python;
mod queues;
mod registry;
mod repairs;
mod replay;
mod report;
mod robustness;
mod run;
mod run_exact;
mod run_tool;
mod scalar_model;
mod shown;
mod silence;
mod simulate;
mod slow_texts;
mod soundness;
mod spellings;
mod stated_facts;
mod sync;
mod syntax;
mod table;
mod tensors;
mod threads;
mod tidy;
mod tools;
mod trace;
mod unicode;
mod unknown_code;
mod vector_model;
mod versions;
#[cfg(unix)]
mod walls;
mod widened;
mod width;
mod words;
