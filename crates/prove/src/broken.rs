//! What a run shows of properties: the other side of proofs.

use a2lint_ir::verdict::Property;
use a2lint_machine::{End, FindingKind, Illegal, Illegality, Outcome};

/// Whether a run shows that a property does not hold. Of order it shows nothing: a run is one of many
/// orders.
pub fn is_broken(outcome: &Outcome, property: Property) -> bool {
    let seen = |is: fn(&FindingKind) -> bool| outcome.findings.iter().any(|seen| is(&seen.kind));
    match property {
        // Buffers that do not fit are refused before the first statement.
        Property::Capacity => {
            let is_refused =
                matches!(&outcome.end, End::Refused(refusal) if refusal.stmt.is_none());
            is_refused || outcome.illegal.iter().any(is_staging)
        }
        Property::Operands => {
            outcome.illegal.iter().any(|seen| !is_staging(seen)) || seen(is_illegal_operand)
        }
        Property::Bounds => seen(is_outside),
        // What lies outside of a global tensor is undefined, and so is what is computed from rows without data.
        Property::Initialised => !seen(is_outside) && seen(FindingKind::is_undefined_end),
        Property::Order => false,
        Property::Progress => matches!(outcome.end, End::Deadlock(_)) || seen(is_unbalanced),
        Property::Ownership => seen(|kind| matches!(kind, FindingKind::Overlap { .. })),
        Property::Scalars => seen(|kind| matches!(kind, FindingKind::ScalarOverflow(_))),
    }
}

/// Whether a product loads more to L0 than fits there.
fn is_staging(illegal: &Illegal) -> bool {
    matches!(illegal.reason, Illegality::Staging { .. })
}

fn is_outside(kind: &FindingKind) -> bool {
    matches!(kind, FindingKind::GlobalBounds { .. })
}

fn is_unbalanced(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::RepeatedSet(_) | FindingKind::FlagOverflow(_)
    )
}

fn is_illegal_operand(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::Overrun { .. }
            | FindingKind::OutsideMemory(_)
            | FindingKind::Misaligned { .. }
            | FindingKind::TypeMismatch(_)
            | FindingKind::OddOffset { .. }
    )
}
