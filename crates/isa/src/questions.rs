//! Defines the queries on a row that other code makes instead of comparing opcodes.

use super::device::Limits;
use super::params::{DST, SRC};
use super::role::{Act, Channel, Operator, Role};
use super::signature::{Class, Instruction, Operand, ParamKind, Place, Unit, Walk};
use super::table::{INSTRUCTIONS, Opcode};
use super::vocabulary::{DType, Layout};

impl Instruction {
    /// Returns the operator that the instruction applies.
    pub const fn operator(&self) -> Option<Operator> {
        match self.role {
            Role::Computes(operator) => Some(operator),
            _ => None,
        }
    }

    /// Returns whether the instruction applies this operator.
    pub fn computes(&self, operator: Operator) -> bool {
        self.operator() == Some(operator)
    }

    /// Returns the action on a token, and the kind of the token.
    pub const fn signal(&self) -> Option<(Act, Channel)> {
        match self.role {
            Role::Signals(act, channel) => Some((act, channel)),
            _ => None,
        }
    }

    /// Returns whether the instruction moves data from one memory to another.
    pub fn moves(&self, from: Place, to: Place) -> bool {
        let is_in = |place: Place, operand: Option<&Operand>| {
            operand.is_some_and(|operand| operand.places.contains(&place))
        };
        let operand = |at: usize| self.head.get(at).and_then(|param| param.operand());
        matches!(self.class, Class::Move | Class::Fixpipe)
            && is_in(to, operand(DST))
            && is_in(from, operand(SRC))
    }

    /// Returns whether the instruction loads a matrix from GM to L1 in NZ layout.
    pub fn loads_fractals(&self) -> bool {
        self.role == Role::Lays(Layout::Nz) && self.moves(Place::Gm, Place::L1)
    }

    /// Returns whether the instruction multiplies matrices.
    pub fn is_product(&self) -> bool {
        self.role == Role::Multiplies
    }

    /// Returns whether the instruction multiplies matrices in L1, which it loads to L0 itself.
    pub fn stages_operands(&self) -> bool {
        self.is_product() && self.unit == Unit::CubeMacro
    }

    /// Returns whether the instruction reads elements at run-time offsets.
    pub fn gathers(&self) -> bool {
        let mut operands = self.operands();
        self.class == Class::Gather
            && operands.any(|(_, it)| it.walk == Walk::Indexed && it.access.reads())
    }

    /// Returns the number of elements of the work area of a reduction of all repeats, in whole blocks; 0 for other
    /// instructions.
    pub fn work_elements(&self, repeats: i64, dtype: DType) -> i64 {
        whole_blocks(self.work_written(repeats, dtype), dtype)
    }

    /// Returns the number of elements at the start of its work area that a reduction of all repeats overwrites. A sum
    /// takes one element per repeat, a maximum takes two. A maximum with an index stores that of a single repeat at
    /// once; it reduces the pairs of several repeats again, with a work area for each level, until a single repeat is
    /// left.
    pub fn work_written(&self, repeats: i64, dtype: DType) -> i64 {
        let repeats = repeats.max(0);
        if self.class != Class::ReduceAll {
            return 0;
        }
        if self.computes(Operator::Add) {
            return repeats;
        }
        let has_index = self.operands().any(|(_, it)| it.walk == Walk::IndexedTotal);
        match (has_index, repeats) {
            (false, _) => 2 * repeats,
            (true, 0 | 1) => 0,
            (true, _) => {
                let (mut room, mut left) = (2 * repeats, repeats);
                while left > 1 {
                    left = (2 * left + dtype.lanes() - 1) / dtype.lanes();
                    room = whole_blocks(room, dtype) + 2 * left;
                }
                room
            }
        }
    }

    /// Returns whether the instruction gathers whole blocks rather than elements.
    pub fn gathers_blocks(&self) -> bool {
        let mut operands = self.operands();
        self.gathers() && operands.any(|(_, it)| it.walk == Walk::BroadcastSource)
    }

    /// Returns whether the instruction compares elements with one scalar.
    pub fn compares_scalar(&self) -> bool {
        self.class == Class::Compare && self.index_of(ParamKind::Value).is_some()
    }

    /// Returns whether the instruction works on bit patterns rather than numbers.
    pub fn is_bitwise(&self) -> bool {
        self.operator().is_some_and(Operator::is_bitwise)
    }

    /// Returns whether the instruction reduces several elements to one.
    pub fn is_reduction(&self) -> bool {
        matches!(
            self.class,
            Class::Reduce
                | Class::GroupReduce
                | Class::PairReduce
                | Class::ReduceIndex
                | Class::ReduceAll
        )
    }

    /// Returns whether the instruction reads an element of a view into a variable.
    pub fn reads_scalar(&self) -> bool {
        self.role == Role::ReadsScalar
    }

    /// Returns whether the instruction writes a variable into an element of a view.
    pub fn writes_scalar(&self) -> bool {
        self.role == Role::WritesScalar
    }

    /// Returns the largest number of repeats. A reduction of all repeats has no limit of its own, and the field of a
    /// compaction has 16 bits.
    pub fn repeat_limit(&self, limits: &Limits) -> i64 {
        match self.class {
            Class::ReduceAll => i32::MAX.into(),
            Class::Compact => u16::MAX.into(),
            _ => limits.repeat,
        }
    }

    /// Returns the largest block stride. Fills and copies have a wider field.
    pub fn block_stride_limit(&self, limits: &Limits) -> i64 {
        match (self.class, self.role) {
            (Class::Fill, _) | (_, Role::Copies) => limits.fill_block_stride,
            _ => limits.block_stride,
        }
    }

    /// Returns the largest repeat stride. Copies have a wider field.
    pub fn repeat_stride_limit(&self, limits: &Limits) -> i64 {
        match self.role {
            Role::Copies => limits.copy_repeat_stride,
            _ => limits.repeat_stride,
        }
    }

    /// Returns whether the instruction sets or resets the vector mask.
    pub fn changes_mask(&self) -> bool {
        self.sets_mask() || self.resets_mask()
    }

    /// Returns whether the instruction sets the words of the vector mask.
    pub fn sets_mask(&self) -> bool {
        self.role == Role::SetsMask
    }

    /// Returns whether the instruction makes all lanes of the vector mask active.
    pub fn resets_mask(&self) -> bool {
        self.role == Role::ResetsMask
    }
}

impl Opcode {
    /// Returns the instruction of a class that applies an operator.
    pub fn computing(class: Class, operator: Operator) -> Option<Opcode> {
        let mut rows = INSTRUCTIONS.iter();
        let found = rows.find(|row| row.class == class && row.computes(operator));
        found.map(|row| row.opcode)
    }
}

/// Rounds a number of elements up to whole blocks.
fn whole_blocks(elements: i64, dtype: DType) -> i64 {
    let block = dtype.c0();
    (elements + block - 1) / block * block
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn an_operator_names_one_instruction_of_a_class() {
        let mut seen = HashSet::new();
        for row in INSTRUCTIONS {
            let operator = row.operator();
            let fresh = operator.is_none_or(|operator| seen.insert((row.class, operator)));
            assert!(fresh, "{}", row.name);
        }
    }

    #[test]
    fn exactly_synchronisation_signals() {
        for row in INSTRUCTIONS {
            let synchronises = matches!(row.class, Class::Event | Class::CrossFlag | Class::Mutex);
            assert_eq!(row.signal().is_some(), synchronises, "{}", row.name);
        }
    }

    #[test]
    fn every_token_is_made_and_taken() {
        let signals: Vec<_> = INSTRUCTIONS
            .iter()
            .filter_map(Instruction::signal)
            .collect();
        for &(_, channel) in &signals {
            for act in [Act::Set, Act::Wait] {
                assert!(signals.contains(&(act, channel)), "{act:?} {channel:?}");
            }
        }
    }

    #[test]
    fn moves_are_told_by_their_memories() {
        let ub = Place::UB;
        let between = |from, to| {
            let rows = INSTRUCTIONS.iter().filter(|row| row.moves(from, to));
            rows.map(|row| row.opcode).collect::<Vec<_>>()
        };
        assert_eq!(between(Place::Gm, ub), [Opcode::GmToUbPad]);
        assert_eq!(between(ub, Place::Gm), [Opcode::UbToGmPad]);
        assert_eq!(between(ub, ub), [Opcode::UbToUb]);
        assert!(between(ub, Place::L1).is_empty());
    }
}
