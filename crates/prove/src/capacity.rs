//! Proves that buffers fit into their memories, and that the operands of products fit into L0.

use super::operands::{at_least_one, lengths, limited};
use super::{Precondition, Proof, Subject};
use a2lint_analysis::{Given, Oversized, oversized, weakest_precondition};
use a2lint_ir::{Program, ScalarNames};
use a2lint_isa::Position;

/// Proves the property: all buffers have constant sizes with small enough sums, and the operands of each step of
/// a product fit into the halves of L0A and L0B.
pub(super) fn prove(subject: &Subject) -> Proof {
    let program = subject.program;
    if let Some(open) = buffers(subject) {
        return open;
    }
    let holds = |given: &[Given]| match oversized(program, given) {
        Some(step) => Err((reason(program, &step), step.stmt)),
        None => Ok(()),
    };
    let (outcome, positive) = weakest_precondition(program, |positive| {
        let outcome = holds(&at_least_one(positive));
        (outcome.is_ok(), outcome)
    });
    let sizes = subject.sizes();
    // If positive sizes are not sufficient, an upper limit on one parameter may be.
    let under = match outcome {
        Ok(()) => at_least_one(&positive),
        Err((because, at)) => match limited(&sizes, &sizes, &lengths(program), holds) {
            Some(under) => under,
            None => return Proof::open_at(because, subject.span(at)),
        },
    };
    let under = under.iter().map(|given| Precondition::of(program, given));
    Proof::Holds {
        under: under.collect(),
        assuming: Vec::new(),
    }
}

/// Returns why buffers are not known to fit; `None` if they fit.
fn buffers(subject: &Subject) -> Option<Proof> {
    let (program, map) = (subject.program, subject.kernel.memory());
    Position::ALL
        .iter()
        .find_map(|&position| match map.used(position) {
            Some(used) if used <= program.usable(position) => None,
            Some(_) => Some(Proof::open(format!(
                "its buffers do not fit into {position}"
            ))),
            None => {
                let mut unknown = map.in_position(position);
                let at = unknown.find(|placement| placement.total().is_none());
                let at = at.map(|placement| program.buffer(placement.buffer).span);
                Some(Proof::open_at("the size of a buffer is not a constant", at))
            }
        })
}

/// Formats why a step of a product may not fit, as a clause.
fn reason(program: &Program, step: &Oversized) -> String {
    let names = ScalarNames::new(program);
    let sizes = step.sizes.iter().map(|&id| format!("`{}`", names.text(id)));
    let sizes = sizes.collect::<Vec<String>>().join(", ");
    match (step.staged, sizes.is_empty()) {
        (None, true) => "how much a matmul() loads to L0 is not known".to_owned(),
        (None, false) => format!("nothing limits {sizes}, which a matmul() loads to L0"),
        (Some(staged), true) => format!(
            "{} by k of a matmul() does not fit into {}",
            staged.extent, staged.position
        ),
        (Some(staged), false) => format!(
            "{} by k of a matmul() may be too large for {}: it depends on {sizes}",
            staged.extent, staged.position
        ),
    }
}
