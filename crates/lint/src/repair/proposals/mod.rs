//! Proposals: edits that the author may have meant, by rule. The engine checks each one, so a proposal need not be
//! right. It must not remove an instruction that has an effect, nor suppress a finding.

mod buffers;
mod calls;
mod copies;
mod cpp;
mod handover;
mod masks;
mod mma;
mod moves;
mod order;
mod places;
mod python;
mod shares;
mod starts;
mod sums;
mod tile_shapes;
mod tiles;
mod tokens;
mod types;

use a2lint_ir::Notation;

use super::Candidate;
use super::scene::Scene;

type Propose = fn(&Scene) -> Vec<Candidate>;

/// Returns the proposals for a finding, most likely first.
pub(super) fn of(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    let own = table(scene.notation().unwrap_or(Notation::Python));
    for (_, propose) in own.filter(|(name, _)| *name == scene.finding.name) {
        all.append(&mut propose(scene));
    }
    all
}

/// Returns whether there are proposals for a rule, in some language.
pub fn proposes(rule: &str) -> bool {
    let all = [Notation::Python, Notation::Cpp].into_iter();
    all.flat_map(table).any(|(name, _)| name == rule)
}

/// Returns the proposals for kernels in a language. Those for mask instructions, tiles and PTX, which belong to no
/// traced kernel, are in the table of Python.
fn table(notation: Notation) -> impl Iterator<Item = (&'static str, Propose)> {
    let tables: &[&[(&str, Propose)]] = match notation {
        Notation::Python => PYTHON,
        Notation::Cpp => &[cpp::PROPOSALS],
    };
    tables.iter().copied().flatten().copied()
}

const PYTHON: &[&[(&str, Propose)]] = &[
    order::PROPOSALS,
    tokens::PROPOSALS,
    handover::PROPOSALS,
    buffers::PROPOSALS,
    calls::PROPOSALS,
    copies::PROPOSALS,
    shares::PROPOSALS,
    tile_shapes::PROPOSALS,
    sums::PROPOSALS,
    starts::PROPOSALS,
    masks::PROPOSALS,
    types::PROPOSALS,
    moves::PROPOSALS,
    python::PROPOSALS,
    tiles::PROPOSALS,
    mma::PROPOSALS,
];
