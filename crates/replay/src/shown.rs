//! What is proved of a launch before it runs, so that its run need not look for it.

use a2lint_ir::Program;
use a2lint_ir::verdict::Property;
use a2lint_launches::{Candidate, Request};
use a2lint_machine::BoundLaunch;

/// Tells which properties are proved of a launch.
#[derive(Clone, Copy)]
pub struct Shown<'a>(pub &'a dyn Fn(Property, &BoundLaunch) -> bool);

impl Shown<'_> {
    /// Nothing is proved.
    pub const NOTHING: Shown<'static> = Shown(&nothing);

    /// Returns whether no two accesses of the launch can be in a hazard. The proof of order assumes that accesses stay
    /// inside of their tensors, and that integers keep their values.
    pub(super) fn has_order(self, launch: &BoundLaunch) -> bool {
        let needed = [
            Property::Order,
            Property::Operands,
            Property::Bounds,
            Property::Scalars,
        ];
        needed.into_iter().all(|property| self.0(property, launch))
    }
}

impl Shown<'_> {
    /// Returns whether every property is proved of a launch.
    fn has_all(self, launch: &BoundLaunch) -> bool {
        let mut all = Property::ALL.into_iter();
        all.all(|property| self.0(property, launch))
    }

    /// Separates variants from those that add nothing unless they take a way of their own: every property is proved of
    /// them, and others change the same sizes to larger ones.
    pub(super) fn needed(self, variants: Vec<Candidate>) -> (Vec<Candidate>, Vec<Candidate>) {
        let proved = |it: &Candidate| it.bound.as_ref().is_ok_and(|bound| self.has_all(bound));
        let are_proved: Vec<bool> = variants.iter().map(proved).collect();
        let is_spare = |at: usize| {
            let larger = |other: &Candidate| is_smaller(&variants[at], other);
            are_proved[at] && variants.iter().any(larger)
        };
        let are_spare: Vec<bool> = (0..variants.len()).map(is_spare).collect();
        let (spare, needed): (Vec<_>, Vec<_>) = variants
            .into_iter()
            .zip(are_spare)
            .partition(|(_, is_spare)| *is_spare);
        let only = |pairs: Vec<(Candidate, bool)>| pairs.into_iter().map(|(it, _)| it).collect();
        (only(needed), only(spare))
    }
}

/// Returns whether two variants change the same sizes, and one of them none to a larger one and some to a smaller one.
fn is_smaller(variant: &Candidate, other: &Candidate) -> bool {
    let pairs = || variant.changes.iter().zip(&other.changes);
    other.bound.is_ok()
        && variant.changes.len() == other.changes.len()
        && pairs().all(|((name, value), (known, more))| name == known && value <= more)
        && pairs().any(|((_, value), (_, more))| value < more)
}

/// Returns whether an index of a ring of slots may be above their number. Such a ring may be filled again before its
/// data is read. The hazard tracker sees that, and no proof covers it: all accesses may be in order.
pub(super) fn has_rings(program: &Program) -> bool {
    let instructions = program.instructions().into_iter();
    let mut views = instructions.flat_map(|(_, instr)| instr.operands());
    views.any(|(_, _, view)| {
        view.local().is_some_and(|view| {
            let slots = i64::from(program.buffer(view.buffer).slots);
            let index = program.scalars.as_int(view.slot);
            slots > 1 && index.is_none_or(|index| index >= slots)
        })
    })
}

fn nothing(_: Property, _: &BoundLaunch) -> bool {
    false
}

/// A request for runs, with what they need not look for.
#[derive(Clone, Copy)]
pub(super) struct Task<'a> {
    pub request: &'a Request<'a>,
    pub shown: Shown<'a>,
}
