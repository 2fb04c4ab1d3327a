//! The rule catalogue, and what a check concludes: records, suppressions, fixes.
//!
//! A rule is one file with documentation, metadata and a check. Checks are pure functions over [`Facts`] (one kernel),
//! or over the other kinds of [`Check`]: a file, a record, suppression comments, mask instructions of other languages.
//!
//! # Modules
//! - One folder for each group of the catalogue (`memory`, `device`, `types`, `coverage`, `mask`,
//!   `initialisation`, `moves`, `synchronisation`, `tracing`, `performance`, `pto`,
//!   `zero_column`). The `mod.rs` of a group lists its rules.
//! - `rule`: [`Rule`], [`Group`], `Sink` and `Report`, and the macro `declare_rule!`.
//! - `observations`, `hazards`: how findings describe what a replay saw; which rule reports a race, and its sentence
//!   (`Clash::sentence`). `reconcile`: one mistake is one finding. `trail`: the statements that take part in a
//!   observation.
//! - `wording`, `source_forms`, `operand_walks`, `tokens`: how findings name tensors, instructions, lanes and operands.
//! - `guards`: which mutexes are held where, on every path.
//! - `record`: what was examined of each kernel, and the verdict on each property (`KernelRecord::verdicts`);
//!   preconditions against the contract (`record::contract`).
//! - `suppress`: comments that silence findings, found from the layout of the text alone, in any language.
//! - `fix`: applying fixes: each whole or not at all, without overlaps, and only if the syntax stays intact.
//!
//! # What it must not know
//! Languages and output formats, files and options.
//!
//! # Where to start reading
//! `declare_rule!` and `Sink::report` in `rule.rs`; a short rule, such as `coverage/no_effect.rs` (facts) or
//! `moves/core_overlap.rs` (a replay); [`reconcile`]; `KernelRecord::status`. `CONTRIBUTING.md` says how to add one.
//!
//! # Invariants
//! - Files, registry, codes, documentation and cases agree (`tests/it/registry.rs`); every rule has bad and good cases
//!   on both sides (`every_rule_has_cases_on_both_sides` in the same file), and their pages are those of the code
//!   (`tests/it/docs.rs`).
//! - Sound kernels and those of `tests/rules/silent` have no findings (`tests/rules.rs`, `tests/table.txt`).
//! - Each finding names its basis: constants, any launch, a replay, the shape of the code, an assumption (`Basis`); the
//!   first three refute a property, the others leave it undecided (`Basis::is_proof`).
//! - One broken token is one finding (`one_broken_token_is_one_finding` in `tests/it/mistakes.rs`).
//! - A property is *tested* where runs showed nothing against it and left out nothing that concerns it; the record
//!   tells known launches from smaller ones and guesses. It is *proved* only where no finding, shown or hidden,
//!   speaks against it (`findings_refute_and_silence_decides_nothing` in `tests/it/cli`).
//! - A fix that would break the syntax is left out, in every language
//!   (`a_fix_that_breaks_the_syntax_is_left_out_in_every_language`).
//!
//! # What it can miss
//! An unknown value makes no finding. A file keeps [`MAX_FINDINGS`] findings and counts the rest. What a comment, the
//! baseline or a switched-off rule hides leaves its property undecided (`HiddenBy`). What only the tails of guessed
//! launches show is dropped unless it confirms a finding.

// String slices at unchecked positions panic inside of a character; `text::Slice` accepts any position.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod coverage;
mod device;
pub mod fix;
mod guards;
mod hazards;
mod initialisation;
mod loaded;
mod mask;
mod memory;
mod moves;
mod observations;
mod operand_walks;
mod performance;
mod pto;
mod reached;
mod reconcile;
pub mod record;
mod remainder;
mod rule;
mod source_forms;
pub mod suppress;
mod synchronisation;
mod tokens;
mod tracing;
mod trail;
mod types;
mod wording;
mod zero_column;

pub use reconcile::reconcile;
pub use rule::{
    CALLED, Check, Comments, Evidence, Facts, FileFacts, FixKind, Group, MmaFacts, RecordFacts,
    Report, Rule, Sink, TileFacts,
};

/// Upper bound on the findings of one file that are kept; the others are counted.
pub const MAX_FINDINGS: usize = 2_000;

/// The groups in catalogue order, each with its rules in the order of their codes.
const GROUPS: [&[&Rule]; 12] = [
    memory::RULES,
    device::RULES,
    types::RULES,
    coverage::RULES,
    mask::RULES,
    initialisation::RULES,
    moves::RULES,
    synchronisation::RULES,
    tracing::RULES,
    performance::RULES,
    pto::RULES,
    zero_column::RULES,
];

const COUNT: usize = {
    let mut count = 0;
    let mut at = 0;
    while at < GROUPS.len() {
        count += GROUPS[at].len();
        at += 1;
    }
    count
};

static ALL: [&Rule; COUNT] = {
    let mut all = [GROUPS[0][0]; COUNT];
    let (mut group, mut at, mut next) = (0, 0, 0);
    while next < COUNT {
        if at == GROUPS[group].len() {
            (group, at) = (group + 1, 0);
        } else {
            all[next] = GROUPS[group][at];
            (at, next) = (at + 1, next + 1);
        }
    }
    all
};

/// All rules, in the order of their codes.
pub static RULES: &[&Rule] = &ALL;

/// Advises to use all cores. It is switched off if the user gives the number of cores.
pub static FEW_CORES: &Rule = &performance::few_cores::RULE;

/// Returns the property that a finding speaks against. Advice that no replay has confirmed speaks against none.
pub fn property_of(finding: &a2lint_ir::finding::Finding) -> Option<a2lint_ir::verdict::Property> {
    let is_advice = finding.ring.is_some() && finding.witness.is_none();
    find(finding.name)?.property.filter(|_| !is_advice)
}

/// Returns the rule with this name or code.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.name == name || rule.code.eq_ignore_ascii_case(name))
}
