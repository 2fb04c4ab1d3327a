//! Says which operands of a vector instruction may share memory.

use super::params::{DST, SRC};
use super::role::Operator;
use super::signature::{Class, Instruction};
use super::vocabulary::{DType, REPEAT_BYTES};
use crate::param;

/// A source and the destination of one instruction, and how they advance over memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sharing {
    /// Index of the parameter of the source.
    pub source: usize,
    /// Element types of destination and source.
    pub dtypes: [DType; 2],
    /// Start and end of the bytes that are written.
    pub written: (i64, i64),
    /// Start and end of the bytes that are read.
    pub read: (i64, i64),
    /// Bytes from the first to the last one that are written and read.
    pub shared: i64,
    /// Whether a bit decides for each lane from which of two tensors it is taken.
    pub chooses_lanes: bool,
    /// Whether both operands advance by the same strides.
    pub same_strides: bool,
    /// Whether the blocks of a repeat of the destination follow each other without gaps.
    pub is_dense: bool,
    /// Whether several repeats write one place.
    pub stays: bool,
}

/// How a source overlaps the destination where it must not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Overlap {
    /// Any overlap is forbidden for this operand.
    Forbidden,
    /// Every lane is read where it is written, which a manual forbids nevertheless.
    InStep,
    /// The operands share bytes without being in step.
    Partial,
    /// Each repeat reads what the repeat before it has written.
    Chained,
}

impl Instruction {
    /// Returns how a source overlaps the destination, if the instruction does not allow for it.
    pub fn overlap(&self, of: &Sharing) -> Option<Overlap> {
        if of.shared <= 0 {
            return None;
        }
        let [to, from] = of.dtypes.map(DType::bits);
        let ((start, written_end), (source, read_end)) = (of.written, of.read);
        let same_steps = to == from && of.same_strides;
        match self.class {
            Class::Gather | Class::Broadcast | Class::Sort | Class::Transpose => {
                Some(Overlap::Forbidden)
            }
            Class::Select if of.chooses_lanes && of.source > param!(Select.selmask) => {
                Some(match start == source && same_steps {
                    true => Overlap::InStep,
                    false => Overlap::Forbidden,
                })
            }
            // The results are narrower than the data: a write that starts no later never reaches elements that are
            // still to be read.
            Class::Reduce | Class::GroupReduce | Class::PairReduce | Class::Compare
                if start <= source =>
            {
                None
            }
            // Compaction moves kept elements towards the start, so no element is overwritten before it is read.
            Class::Compact if of.source == SRC && start == source => None,
            Class::Cast if start <= source && to <= from => None,
            // In-place widening: the source lies at the end of the destination, so a repeat overwrites only elements
            // that have been read.
            Class::Cast if to > from && written_end <= read_end => None,
            _ if start == source && same_steps => {
                (of.stays && self.chains(of.source, of.dtypes[DST])).then_some(Overlap::Chained)
            }
            // Each repeat writes what an earlier one has read.
            _ if start + REPEAT_BYTES <= source && of.is_dense && same_steps => None,
            // The operands start at the same address and share only the first lane, which is read before it is
            // written.
            _ if start == source && of.shared * 8 <= from => None,
            _ => Some(Overlap::Partial),
        }
    }

    /// Returns whether repeats that write one place must not read it through this operand. The device makes an
    /// exception for sums, products and bounds whose second source it is.
    pub fn chains(&self, operand: usize, dtype: DType) -> bool {
        let has_exception = matches!(
            self.operator(),
            Some(Operator::Add | Operator::Sub | Operator::Mul | Operator::Max | Operator::Min)
        ) && self.class == Class::Binary;
        let of_type = matches!(dtype, DType::Half | DType::Int | DType::Float);
        let is_known = self.operator().is_some() || operand == DST;
        let is_excepted = has_exception && of_type && operand != SRC && operand != DST;
        is_known && !is_excepted
    }

    /// Returns whether an instruction that computes lane by lane may always work on a destination that is its source.
    pub fn works_in_place(&self) -> bool {
        matches!(self.class, Class::Unary | Class::Binary | Class::ScalarOp)
    }
}
