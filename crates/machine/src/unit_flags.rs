//! The unit flags of L0C, by which M and FIX take turns at a part of it without events.
//!
//! Each part has a flag. A product with unit flag 2 or 3 waits until it is clear, and 3 sets it at the end; a copy from
//! L0C with 2 or 3 waits until it is set, and 3 clears it. Parts are told apart by start and size: where two overlap
//! otherwise, or an instruction was left out, nothing waits any more.

use std::collections::BTreeMap;

use super::lane::{Halt, Lane};
use super::operation::{Drain, Operation, Product, Tile, Work};
use super::shared_state::ObservedState;
use super::stalls::Deferred;
use a2lint_ir::{AtomicKind, Program};
use a2lint_isa::Layout;
use a2lint_isa::device::FRACTAL;

/// The unit flag of an instruction that waits and leaves the flag as it is.
const KEEPS: i64 = 2;
/// The unit flag of an instruction that waits and changes the flag.
const CHANGES: i64 = 3;

/// What an instruction does with the flag of a part of L0C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// The address of the part and its fractals.
    part: Option<(i64, i64)>,
    /// Whether it is a copy, which waits for a set flag, rather than a product.
    pub is_copy: bool,
    changes: bool,
}

impl Operation {
    /// Returns what the operation does with a unit flag; `None` if it has none.
    pub fn turn(&self) -> Option<Turn> {
        match self {
            Operation::Multiply(product) if product.unit_flag != 0 => Some(of_product(product)),
            Operation::Drain(drain) if drain.unit_flag != 0 => Some(of_copy(drain)),
            // Its unit flag is not known.
            Operation::Republish(_) => Some(Turn {
                part: None,
                is_copy: true,
                changes: false,
            }),
            _ => None,
        }
    }
}

fn of_product(product: &Product) -> Turn {
    Turn {
        part: part(&product.dst, [product.m, product.n], product.unit_flag),
        is_copy: false,
        changes: product.unit_flag == CHANGES,
    }
}

fn of_copy(drain: &Drain) -> Turn {
    let extents = [drain.window.rows, drain.window.columns];
    Turn {
        part: part(&drain.tile, extents, drain.unit_flag),
        is_copy: true,
        changes: drain.unit_flag == CHANGES,
    }
}

fn part(tile: &Tile, extents: [i64; 2], unit_flag: i64) -> Option<(i64, i64)> {
    let [rows, columns] = extents.map(|extent| (extent + FRACTAL - 1) / FRACTAL);
    let is_known = tile.layout == Layout::Linear && [KEEPS, CHANGES].contains(&unit_flag);
    is_known.then(|| (tile.row_major_address(), rows * columns))
}

/// The unit flags of one cube lane.
#[derive(Clone, Debug, Default)]
pub struct UnitFlags {
    /// The fractals of each part whose flag is set, by address; `None` once that is not known.
    set: Option<BTreeMap<i64, i64>>,
}

/// Bytes of a fractal of L0C.
const FRACTAL_BYTES: i64 = FRACTAL * FRACTAL * 4;

impl UnitFlags {
    /// Returns the flags before the first statement, all of which are clear.
    pub fn of(program: &Program) -> UnitFlags {
        UnitFlags {
            set: (!program.hides_instructions()).then(BTreeMap::new),
        }
    }

    /// Forgets all flags: nothing waits any more.
    pub fn lose(&mut self) {
        self.set = None;
    }

    /// Returns whether an instruction need not wait for its flag.
    pub fn is_ready(&self, turn: Turn) -> bool {
        match (&self.set, turn.part) {
            (Some(set), Some(part)) => match is_set(set, part) {
                Some(is_set) => is_set == turn.is_copy,
                None => true,
            },
            _ => true,
        }
    }

    /// Records that an instruction has been executed.
    pub fn finish(&mut self, turn: Turn) {
        let (Some(set), Some(part)) = (&mut self.set, turn.part) else {
            return self.lose();
        };
        if is_set(set, part).is_none() {
            return self.lose();
        }
        match (turn.changes, turn.is_copy) {
            (true, false) => drop(set.insert(part.0, part.1)),
            (true, true) => drop(set.remove(&part.0)),
            (false, _) => {}
        }
    }
}

/// Returns whether the flag of a part is set; `None` if a part that is set overlaps it in another way.
fn is_set(set: &BTreeMap<i64, i64>, (start, fractals): (i64, i64)) -> Option<bool> {
    let end = start + fractals * FRACTAL_BYTES;
    let mut meeting = set
        .iter()
        .filter(|&(&other, &count)| other < end && start < other + count * FRACTAL_BYTES);
    match meeting.next() {
        None => Some(false),
        Some((&other, &count)) => ((other, count) == (start, fractals)).then_some(true),
    }
}

impl<'p> Lane<'p> {
    /// Returns whether work need not wait for a unit flag.
    pub(super) fn has_its_turn(&self, item: &Deferred<'p>) -> bool {
        match &item.work {
            Work::Unit(operation, _) => {
                let turn = operation.turn();
                turn.is_none_or(|turn| self.unit_flags.is_ready(turn))
            }
            _ => true,
        }
    }

    /// Executes work of a unit, whose turn it is.
    pub(super) fn operate(
        &mut self,
        item: &Deferred<'p>,
        operation: &Operation,
        atomic: Option<AtomicKind>,
        shared: &mut ObservedState,
    ) -> Result<(), Halt> {
        shared.operate(self, item.stmt, item.pipe, operation, atomic)?;
        if let Some(turn) = operation.turn() {
            self.unit_flags.finish(turn);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(part: (i64, i64), is_copy: bool, changes: bool) -> Turn {
        Turn {
            part: Some(part),
            is_copy,
            changes,
        }
    }

    #[test]
    fn products_and_copies_take_turns() {
        let mut flags = UnitFlags {
            set: Some(BTreeMap::new()),
        };
        let [first, second] = [(0, 4), (4096, 4)];
        assert!(flags.is_ready(turn(first, false, false)));
        flags.finish(turn(first, false, false));
        assert!(!flags.is_ready(turn(first, true, true)));
        flags.finish(turn(first, false, true));
        assert!(!flags.is_ready(turn(first, false, true)));
        assert!(flags.is_ready(turn(second, false, true)));
        assert!(flags.is_ready(turn(first, true, true)));
        flags.finish(turn(first, true, true));
        assert!(flags.is_ready(turn(first, false, true)));
        flags.finish(turn(first, false, true));
        // Another part that shares some of the fractals.
        assert!(flags.is_ready(turn((1024, 4), false, true)));
        flags.finish(turn((1024, 4), false, true));
        assert!(flags.is_ready(turn(first, false, true)));
    }
}
