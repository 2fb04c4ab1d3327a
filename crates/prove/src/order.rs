//! Proves that conflicting accesses are in order.

use super::stores::unawaited;
use super::{Assumption, Proof, Subject};
use a2lint_analysis::{MissingCondition, Order, UnorderedPair, unsettled};
use a2lint_ir::{MutexId, Program, ScalarStores, StmtId};

/// Proves the property, or names the first pair without an order.
pub(super) fn prove(subject: &Subject) -> Proof {
    let order = Order::of(subject.kernel);
    if let Some((because, at)) = order.unfollowed {
        return Proof::open_at(because, at.and_then(|at| subject.span(at)));
    }
    if let Some(product) = unsettled(subject.kernel.analysis(), subject.program) {
        let because = "not shown: that the sums to which this product adds are complete";
        return Proof::open_at(because.to_owned(), subject.span(product));
    }
    let is_assumed = subject.program.toolchain.lowering.scalar_stores == ScalarStores::Assumed;
    match order.open.first() {
        Some(open) => Proof::open_at(text(subject.program, open), subject.span(open.second)),
        // In some toolchains no region waits for the scalar pipe, so that its stores need a barrier.
        None => match unawaited(subject.program) {
            Some(store) if !is_assumed => {
                let because = "what follows a scalar store may not wait for it".to_owned();
                Proof::open_at(because, subject.span(store))
            }
            store => {
                let what = "a scalar store to UB has landed before what follows it";
                let assumed = store.map(|_| Assumption::other(what));
                Proof::holds_under(subject.program, &order.under).assuming(assumed)
            }
        },
    }
}

/// Formats the condition that is missing for the order of a pair of accesses.
fn text(program: &Program, open: &UnorderedPair) -> String {
    let [first, second] = [open.first, open.second].map(|id| name(program, id));
    let mutex = |id: MutexId| &program.mutex(id).name;
    let first_reading = program.toolchain.auto_sync.reading;
    let other = open.why.reading().filter(|&it| it != first_reading);
    let clause = other.map_or(String::new(), |reading| format!(" {}", reading.clause()));
    match open.why {
        MissingCondition::Pipes(_) if open.first == open.second => {
            format!("{second} may not wait for itself in an earlier iteration{clause}")
        }
        MissingCondition::Pipes(_) => format!("{second} may not wait for {first}{clause}"),
        MissingCondition::Cores => format!("{first} and {second} may meet on two cores"),
        MissingCondition::SubBlocks => {
            format!("{first} and {second} may meet on the two vec lanes of a core")
        }
        MissingCondition::NoMutex => format!("no mutex is known to order {first} and {second}"),
        MissingCondition::NoFlags => {
            format!("no flags between lanes are known to order {first} and {second}")
        }
        MissingCondition::NotHeld(id) => {
            format!("{second} may run while `{}` is not held", mutex(id))
        }
        MissingCondition::SharedFlag(id) => {
            format!("the flag of `{}` may be used by others", mutex(id))
        }
        MissingCondition::Unpaired(id) => format!("the calls of `{}` do not alternate", mutex(id)),
        MissingCondition::EndPipe(id) => {
            format!(
                "`{}` is closed on a pipe that may not follow {first} or {second}",
                mutex(id)
            )
        }
        MissingCondition::Depth(id) => format!("the depth of `{}` is not known", mutex(id)),
        MissingCondition::Slots(id) => {
            format!(
                "`{}` has more tokens than slots are known to be apart",
                mutex(id)
            )
        }
    }
}

/// Formats the instruction of a statement: `add()`.
fn name(program: &Program, id: StmtId) -> String {
    match program.instruction(id) {
        Some(instr) => format!("{}()", program.call_name(instr)),
        None => "an instruction".to_owned(),
    }
}
