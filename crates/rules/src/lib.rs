//! The rule catalogue. A rule is one file: documentation, metadata, check.
//!
//! Rules are pure functions over [`Facts`]; they know nothing of files, options or formats.

// A position that is not checked panics inside of a character: `text::Slice` takes any.
#![cfg_attr(not(test), warn(clippy::string_slice))]

mod coverage;
mod device;
pub mod fix;
mod gather_mask;
mod guards;
mod hazards;
mod initialisation;
mod mask;
mod memory;
mod moves;
mod operand_walks;
mod performance;
mod pto;
mod reconcile;
pub mod record;
mod rule;
mod sightings;
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
    CALLED, Check, Comments, Facts, FileFacts, FixKind, GatherFacts, Group, MmaFacts, RecordFacts,
    Report, Rule, Sink, TileFacts,
};

/// Findings of one file that are kept; what goes beyond says nothing new, and is counted.
pub const MAX_FINDINGS: usize = 2_000;

/// The groups in catalogue order, each with its rules in the order of their codes.
const GROUPS: [&[&Rule]; 13] = [
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
    gather_mask::RULES,
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

/// Every rule, in code order.
pub static RULES: &[&Rule] = &ALL;

/// Advises to use all cores; who says how many a kernel runs on wants no others.
pub static FEW_CORES: &Rule = &performance::few_cores::RULE;

/// The property that a finding speaks against: its rule's, except for advice that no replay has confirmed.
pub fn property_of(finding: &a2lint_ir::finding::Finding) -> Option<a2lint_ir::verdict::Property> {
    let is_advice = finding.ring.is_some() && finding.witness.is_none();
    find(finding.name)?.property.filter(|_| !is_advice)
}

/// The rule with this name or code.
pub fn find(name: &str) -> Option<&'static Rule> {
    RULES
        .iter()
        .copied()
        .find(|rule| rule.name == name || rule.code.eq_ignore_ascii_case(name))
}
