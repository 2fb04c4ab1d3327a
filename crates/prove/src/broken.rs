//! Decides whether a run refutes a property. Tests compare this with proofs.

use a2lint_ir::verdict::Property;
use a2lint_machine::{End, FindingKind, Illegal, Illegality, Outcome};

/// Returns whether a run shows that a property does not hold. A run never refutes order: it is one of many possible
/// orders.
pub fn is_broken(outcome: &Outcome, property: Property) -> bool {
    let seen = |is: fn(&FindingKind) -> bool| outcome.findings.iter().any(|seen| is(&seen.kind));
    match property {
        // Buffers that do not fit are refused before the first statement runs.
        Property::Capacity => {
            let is_refused =
                matches!(&outcome.end, End::Refused(refusal) if refusal.stmt.is_none());
            is_refused || outcome.illegal.iter().any(is_staging)
        }
        Property::Operands => {
            outcome.illegal.iter().any(|seen| !is_staging(seen)) || seen(is_illegal_operand)
        }
        Property::Bounds => seen(is_outside),
        // Data from outside of a global tensor is undefined, and so are results computed from it. Such a run
        // refutes bounds alone.
        Property::Initialised => !seen(is_outside) && seen(FindingKind::is_undefined_end),
        Property::Order => false,
        Property::Progress => matches!(outcome.end, End::Deadlock(_)) || seen(is_unbalanced),
        Property::Ownership => seen(|kind| matches!(kind, FindingKind::Overlap { .. })),
        Property::Scalars => seen(|kind| matches!(kind, FindingKind::ScalarOverflow(_))),
    }
}

/// Returns whether a product loads more into L0 than fits.
fn is_staging(illegal: &Illegal) -> bool {
    matches!(illegal.reason, Illegality::Staging { .. })
}

fn is_outside(kind: &FindingKind) -> bool {
    matches!(kind, FindingKind::GlobalBounds { .. })
}

fn is_unbalanced(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::RepeatedSet(_)
            | FindingKind::LeftSet(_)
            | FindingKind::FlagOverflow(_)
            | FindingKind::FlagId(_)
    )
}

fn is_illegal_operand(kind: &FindingKind) -> bool {
    matches!(
        kind,
        FindingKind::Overrun { .. }
            | FindingKind::PastLength { .. }
            | FindingKind::OutsideMemory(_)
            | FindingKind::Misaligned { .. }
            | FindingKind::TypeMismatch(_)
            | FindingKind::OddOffset { .. }
            | FindingKind::SharedOperands { .. }
    )
}
