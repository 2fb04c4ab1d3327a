//! Operands under what is known of their scalars: slots and footprints.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::footprint::{Footprint, Numbers, footprint_of};
use super::moves::{GlobalWindow, block_rows, global_window};
use super::scalar::{Congruence, Interval, Linear, State, Visitor, gcd, walk};
use a2lint_ir::transfer::BlockRows;
use a2lint_ir::{BinaryOp, Instr, LocalView, Program, ScalarId, Stmt, StmtId, StmtKind};
use a2lint_isa::Layout;

/// A set of slots of a buffer, as bits. Those of a buffer with more than [`MOST`] slots are not told apart: each
/// set of them is the full one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Slots(u32);

/// Maximum number of slots that are tracked individually.
const MOST: i64 = 32;

impl Slots {
    /// Returns every slot of a buffer with `slots` slots.
    pub(super) fn all(slots: i64) -> Slots {
        match slots {
            ..MOST => Slots((1 << slots.max(0)) - 1),
            _ => Slots(u32::MAX),
        }
    }

    /// Returns the slots that a view can be in, in any execution.
    pub(super) fn any(program: &Program, view: &LocalView) -> Slots {
        let slots = i64::from(program.buffer(view.buffer).slots);
        match program.scalars.as_int(view.slot) {
            // A constant index picks the same slot in every execution; any other index may pick any slot.
            Some(slot) => Slots::of(slots, Interval::exact(slot), Congruence::ANY),
            None => Slots::all(slots),
        }
    }

    /// Returns the slots that an index with these values picks.
    fn of(slots: i64, index: Interval, class: Congruence) -> Slots {
        // The set is a bit mask: a buffer with more slots than bits is represented by the full set.
        if slots > MOST {
            return Slots::all(slots);
        }
        if let Some(index) = index.as_exact() {
            return Slots(1 << index.rem_euclid(slots));
        }
        // A congruence of the index constrains the slot only modulo a common divisor of its modulus and the number of
        // slots.
        let modulus = gcd(class.modulus, slots);
        let by_class = |slot: &i64| (slot - class.remainder).rem_euclid(modulus.max(1)) == 0;
        let width = index.max.checked_sub(index.min);
        // A longer range reaches every slot.
        let near = width.is_some_and(|width| width < slots);
        let by_range = |slot: &i64| {
            !near || (index.min..=index.max).any(|index| index.rem_euclid(slots) == *slot)
        };
        let bits = (0..slots)
            .filter(|slot| by_class(slot) && by_range(slot))
            .fold(0, |bits, slot| bits | 1 << slot);
        Slots(bits)
    }

    /// Returns the indices of the slots.
    pub fn iter(self) -> impl Iterator<Item = u8> {
        (0..MOST as u8).filter(move |slot| self.0 & 1 << slot != 0)
    }

    /// Returns the slot, if there is only one.
    pub fn only(self) -> Option<u8> {
        let mut slots = self.iter();
        slots.next().filter(|_| slots.next().is_none())
    }

    /// Returns whether the two sets have a slot in common.
    pub fn meets(self, other: Slots) -> bool {
        self.0 & other.0 != 0
    }
}

/// What is known of a local operand, in any execution of its statement.
#[derive(Clone, Debug)]
pub struct OperandExtent {
    /// Parameter index.
    pub operand: usize,
    /// The slots that it can be in.
    pub slots: Slots,
    /// The slots that it can be in during the first pass through every surrounding loop.
    pub first_slots: Slots,
    /// The bytes that it touches.
    pub footprint: Footprint,
    /// Viewed rows and columns.
    pub span: [Interval; 2],
}

/// What is known of the operands and arguments of an instruction.
#[derive(Clone, Debug, Default)]
pub struct InstrExtents {
    /// Local operands, in parameter order.
    pub operands: SmallVec<[OperandExtent; 3]>,
    /// The windows of global operands, by parameter index.
    pub globals: SmallVec<[(usize, GlobalWindow); 1]>,
    /// Scalar arguments that are not constant, by parameter index.
    pub scalars: SmallVec<[(usize, Interval); 2]>,
}

/// Computes what is known of each instruction.
pub(super) fn extents(program: &Program) -> FxHashMap<StmtId, InstrExtents> {
    let mut collect = Collect {
        program,
        found: FxHashMap::default(),
    };
    walk(program, &mut collect);
    collect.found
}

struct Collect<'p> {
    program: &'p Program,
    found: FxHashMap<StmtId, InstrExtents>,
}

impl<'p> Visitor<'p> for Collect<'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if let StmtKind::Instr(instr) = &stmt.kind {
            let extents = self.instr(state, instr);
            self.found.insert(stmt.id, extents);
        }
    }
}

impl<'p> Collect<'p> {
    fn instr(&self, state: &mut State<'p>, instr: &Instr) -> InstrExtents {
        let mut extents = InstrExtents::default();
        for (operand, _, view) in instr.operands() {
            if let Some(view) = view.local() {
                let mut here = Here {
                    program: self.program,
                    state,
                };
                let footprint = footprint_of(&mut here, instr, operand);
                let (slots, first_slots) = here.slots(view);
                extents.operands.push(OperandExtent {
                    operand,
                    slots,
                    first_slots,
                    footprint,
                    span: view.span.map(|extent| here.range(extent)),
                });
            } else if let Some(window) = global_window(state, instr, operand) {
                extents.globals.push((operand, window));
            }
        }
        for (at, arg) in instr.args.iter().enumerate() {
            if let Some(id) = arg.value.scalar()
                // Constants are read from the program.
                && self.program.scalars.as_float(id).is_none()
            {
                extents.scalars.push((at, state.range(id)));
            }
        }
        extents
    }
}

/// The values of scalars at one statement.
struct Here<'a, 'p> {
    program: &'p Program,
    state: &'a mut State<'p>,
}

impl Here<'_, '_> {
    fn slots(&mut self, view: &LocalView) -> (Slots, Slots) {
        let slots = i64::from(self.program.buffer(view.buffer).slots);
        // The index does not matter.
        if slots == 1 {
            return (Slots::all(1), Slots::all(1));
        }
        let Some(index) = self.state.number(view.slot) else {
            return (Slots::all(slots), Slots::all(slots));
        };
        // Definedness is decided in the first iteration, before any other iteration has written.
        let first = self.state.on_first_pass(&index);
        (self.picked(slots, &index), self.picked(slots, &first))
    }

    fn picked(&self, slots: i64, index: &Linear) -> Slots {
        Slots::of(
            slots,
            self.state.range_of(index),
            self.state.congruence_of(index),
        )
    }
}

impl Numbers for Here<'_, '_> {
    fn range(&mut self, id: ScalarId) -> Interval {
        match self.program.scalars.as_int(id) {
            Some(value) => Interval::exact(value),
            None => self.state.range(id),
        }
    }

    fn start(&mut self, view: &LocalView) -> Interval {
        let [row, column] = view.offset.map(|offset| self.state.number(offset));
        let pitch = self.state.number(view.shape[1]);
        let row = self.state.binary(BinaryOp::Mul, row, pitch);
        match self.state.binary(BinaryOp::Add, row, column) {
            Some(start) => self.state.range_of(&start),
            None => Interval::ANY,
        }
    }

    fn is_addressed(&self, view: &LocalView) -> bool {
        self.program.buffer(view.buffer).layout == Layout::Linear
    }

    fn block_rows(
        &mut self,
        instr: &Instr,
        operand: usize,
        view: &LocalView,
    ) -> Option<BlockRows<Interval>> {
        let rows = block_rows(self.state, (instr, operand), view)?;
        Some(rows.map(|number| self.state.range_of(&number)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exactly(slots: i64, index: i64) -> Slots {
        Slots::of(slots, Interval::exact(index), Congruence::ANY)
    }

    #[test]
    fn slots_are_told_apart_as_far_as_there_are_bits() {
        assert_eq!(Slots::all(16).iter().count(), 16);
        assert_eq!(exactly(16, 28).only(), Some(12));
        assert!(!exactly(16, 3).meets(exactly(16, 11)));
        let odd = Slots::of(16, Interval::ANY, Congruence::new(2, 1));
        assert_eq!(odd.iter().count(), 8);
        assert_eq!(exactly(32, 31).only(), Some(31));
        // Of more slots, none is known to be another one.
        assert!(exactly(100, 1).meets(exactly(100, 99)));
        assert_eq!(exactly(100, 1).only(), None);
    }
}
