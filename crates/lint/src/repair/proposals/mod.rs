//! Proposals: edits that the author may have meant, by rule. The engine checks each one, so a proposal need not be
//! right. It must not remove an instruction that has an effect, nor suppress a finding.

mod buffers;
mod calls;
mod copies;
mod gathers;
mod handover;
mod masks;
mod mma;
mod moves;
mod order;
mod places;
mod python;
mod shares;
mod starts;
mod tile_shapes;
mod tiles;
mod tokens;
mod types;

use super::Candidate;
use super::scene::Scene;

type Propose = fn(&Scene) -> Vec<Candidate>;

/// Returns the proposals for a finding, most likely first.
pub(super) fn of(scene: &Scene) -> Vec<Candidate> {
    let mut all = Vec::new();
    for (_, propose) in table().filter(|(name, _)| *name == scene.finding.name) {
        all.append(&mut propose(scene));
    }
    all
}

/// Whether the table has proposals for a rule.
pub fn proposes(rule: &str) -> bool {
    table().any(|(name, _)| name == rule)
}

fn table() -> impl Iterator<Item = (&'static str, Propose)> {
    let tables: [&[(&str, Propose)]; 16] = [
        order::PROPOSALS,
        tokens::PROPOSALS,
        handover::PROPOSALS,
        buffers::PROPOSALS,
        calls::PROPOSALS,
        copies::PROPOSALS,
        shares::PROPOSALS,
        tile_shapes::PROPOSALS,
        starts::PROPOSALS,
        masks::PROPOSALS,
        types::PROPOSALS,
        moves::PROPOSALS,
        python::PROPOSALS,
        gathers::PROPOSALS,
        tiles::PROPOSALS,
        mma::PROPOSALS,
    ];
    tables.into_iter().flatten().copied()
}
