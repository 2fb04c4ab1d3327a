//! The vector unit: executes one [`VectorCall`] on one UB.
//!
//! A [`Plan`] is a call with its operands resolved to sweeps over memory, once; bounds, footprints and execution ask
//! it. `address` says which bytes a sweep touches, `shadow` which of them are defined, `number` how lanes are encoded,
//! `lanes` which of them the mask lets through. `engine` loads a chunk of repeats, computes, and writes back under the
//! mask. Each family of instructions is a module: `elementwise`, `reduce`, `cast`, `compare`, `select`, `bitwise`,
//! `broadcast`, `gather`, `sort`, `transpose`. `flow` says what results are computed from, for proofs; `overlap` which
//! sources the destination overlaps; `exact` computes
//! exact values beside them, `departure` says where these do not follow the run, and
//! `ranges` how near operands come to where floats end.
//!
//! # Semantics
//! - The mask has 256 slots, one for each lane of a repeat of bytes; `set_mask` writes the first 128. It does not
//!   advance with repeats. It gates the write-back of elementwise instructions; masked lanes count as zero in sums and
//!   as the neutral infinity in extremes; a repeat or block that is masked off whole leaves its destination alone, but
//!   for pair sums, which are always written.
//! - `cast` takes the lane domain of its wider type. Instructions with `count=` or `count_per_rep=` leave the mask all
//!   ones.
//! - A lane of a result is defined if all lanes that it is computed from are; bitwise results go bit by bit.
//! - Float arithmetic is computed in single precision (elementary functions in double, rounded once to single) and
//!   rounded once to the type of the result; sums are trees over neighbouring lanes, which round half at every node.
//!   Integers wrap; casts to integers saturate.
//!
//! `tests/it/vector_model` holds every instruction against a naive model and states this contract by name
//! (`contract.rs`).

mod address;
mod bitwise;
mod broadcast;
mod cast;
mod compact;
mod compare;
mod departure;
mod direct;
mod elementwise;
mod engine;
mod exact;
mod flow;
mod gather;
mod lanes;
mod maths;
mod number;
mod overlap;
mod plan;
mod ranges;
mod reduce;
mod rounding;
mod select;
mod sequence;
mod shadow;
pub(crate) mod sort;
mod total;
mod transpose;

pub use flow::{Flow, Repeats};
pub use gather::OFFSETS;
pub use lanes::{MASK_LANES, VectorMask};

use super::memory::Memory;
use super::numerics::Tracer;
use super::{VectorCall, VectorLength};
use a2lint_isa::device::Limits;
use a2lint_isa::{Class, Opcode};
pub use overlap::Overlapping;
pub use plan::Plan;
use std::ops::Range;

/// Switches of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorOptions {
    /// Whether to clamp half and bfloat16 results to their largest magnitude and turn NaN into 0, instead of following
    /// IEEE.
    pub saturate: bool,
    /// The limits of the device's instruction fields.
    pub limits: &'static Limits,
}

/// What a sanitizer wants to know about an instruction that was executed.
///
/// Elements are counted `repeat * E + lane`; of one operand,
/// only the first is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorEvent {
    /// No byte that was read of an operand was defined.
    Undefined {
        /// Index among the tensor operands.
        operand: usize,
    },
    /// An undefined lane entered a reduction together with defined ones.
    MixedReduction {
        /// Index among the tensor operands.
        operand: usize,
        /// The undefined element.
        element: usize,
    },
    /// An undefined element was used as a byte offset. The access was not made.
    UndefinedOffset {
        /// Index among the tensor operands.
        operand: usize,
        /// The undefined element.
        element: usize,
    },
}

/// The reason why an instruction cannot be executed. Memory and mask are unchanged, except for offsets that
/// point outside of the memory: earlier repeats have then been executed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VectorFault {
    /// An access leaves the memory.
    #[error("operand {operand} touches bytes {range:?} of a memory of {capacity}")]
    OutOfBounds {
        /// Index among the tensor operands.
        operand: usize,
        /// The first merged range that leaves the memory, in bytes.
        range: Range<i64>,
        /// Size of the memory in bytes.
        capacity: usize,
    },
    /// More repeats than the field holds, or a negative number.
    #[error("{repeats} repeats")]
    Repeats {
        /// The requested number.
        repeats: i64,
    },
    /// A stride that its field does not hold.
    #[error("operand {operand} has stride {stride}, beyond {limit}")]
    Stride {
        /// Index among the tensor operands.
        operand: usize,
        /// The requested stride, in blocks (in results, for the destination of a reduction).
        stride: i64,
        /// The largest legal stride.
        limit: i64,
    },
    /// A count where the instruction has none, or one that is out of range.
    #[error("illegal length: {length}")]
    Length {
        /// The requested length.
        length: VectorLength,
    },
    /// An integer parameter out of range.
    #[error("integer parameter {index} is {value}")]
    Parameter {
        /// Index among the integer parameters.
        index: usize,
        /// The requested value.
        value: i64,
    },
    /// A required tensor operand is missing.
    #[error("operand {operand} is missing")]
    MissingOperand {
        /// Index among the tensor operands.
        operand: usize,
    },
    /// The instruction does not take these element types.
    #[error("illegal element types")]
    Types,
    /// Not an instruction of this unit.
    #[error("not a vector instruction")]
    NotVector,
}

/// How many records of each queue a merge has taken.
pub type Taken = [u32; 4];

/// Executes one instruction with default [`VectorOptions`].
pub fn execute(
    call: &VectorCall,
    memory: &mut Memory,
    mask: &mut VectorMask,
    events: &mut dyn FnMut(VectorEvent),
) -> Result<(), VectorFault> {
    execute_with(VectorOptions::default(), call, memory, mask, events)
}

/// Executes one instruction.
///
/// `set_mask` takes its words as the bit patterns of `integers[0]` (high) and `integers[1]` (low).
/// Instructions with `count=` or `count_per_rep=` leave the mask all ones.
pub fn execute_with(
    options: VectorOptions,
    call: &VectorCall,
    memory: &mut Memory,
    mask: &mut VectorMask,
    events: &mut dyn FnMut(VectorEvent),
) -> Result<(), VectorFault> {
    if call.opcode.row().class == Class::Mask {
        return execute_mask(call, mask);
    }
    let plan = Plan::new(call, Some(mask), options)?;
    plan.check_bounds(memory.capacity())?;
    plan.execute(memory, mask, None, events).map(|_| ())
}

impl Plan<'_> {
    /// Executes an instruction whose operands lie inside of `memory`; `mask` is the one that the plan was
    /// made with. With a tracer, exact values are tracked in a memory that keeps them.
    pub(super) fn execute(
        &self,
        memory: &mut Memory,
        mask: &mut VectorMask,
        mut tracer: Tracer,
        events: &mut dyn FnMut(VectorEvent),
    ) -> Result<Option<Taken>, VectorFault> {
        let mut taken = None;
        self.report_undefined(memory, events);
        if let Some(numerics) = &mut tracer {
            departure::look(self, memory, numerics)?;
            ranges::look(self, memory, numerics)?;
        }
        match self.row.class {
            Class::Binary | Class::Unary | Class::ScalarOp | Class::Fill => {
                match self.call.opcode {
                    Opcode::Vand | Opcode::Vor | Opcode::Vnot => bitwise::execute(self, memory)?,
                    _ => elementwise::execute(self, memory, tracer)?,
                }
            }
            Class::Cast => cast::execute(self, memory, tracer)?,
            Class::Reduce | Class::GroupReduce | Class::PairReduce => {
                reduce::execute(self, memory, tracer, events)?;
            }
            Class::ReduceIndex | Class::ReduceAll => total::execute(self, memory, tracer, events)?,
            Class::Sequence => sequence::execute(self, memory)?,
            Class::Broadcast => broadcast::execute(self, memory)?,
            Class::Compare => compare::execute(self, memory)?,
            Class::Select => select::execute(self, memory)?,
            Class::Gather => gather::execute(self, memory, events)?,
            Class::Compact => compact::execute(self, memory)?,
            Class::Sort => taken = sort::execute(self, memory)?,
            Class::Transpose => transpose::execute(self, memory)?,
            _ => return Err(VectorFault::NotVector),
        }
        if self.call.is_counted() {
            mask.reset_mask();
        }
        Ok(taken)
    }
}

/// Executes an instruction that only changes the mask.
pub(super) fn execute_mask(call: &VectorCall, mask: &mut VectorMask) -> Result<(), VectorFault> {
    match call.opcode {
        Opcode::SetMask => {
            let word = |index: usize| call.integers.get(index).copied();
            let missing = VectorFault::MissingOperand { operand: 0 };
            let words = word(0).zip(word(1)).ok_or(missing)?;
            mask.set_mask(words.0 as u64, words.1 as u64);
        }
        Opcode::ResetMask => mask.reset_mask(),
        // The deprecated `set_cmpmask` is kept for compatibility and has no effect on results.
        _ => {}
    }
    Ok(())
}

/// Returns the bytes that an operand of a call touches, in ascending order and merged; without a mask, as if
/// all its slots were set. `None` if they depend on values (gather sources, scatter destinations) or the
/// operand is absent.
pub fn footprint(
    call: &VectorCall,
    operand: usize,
    mask: Option<&VectorMask>,
) -> Result<Option<Vec<Range<i64>>>, VectorFault> {
    Ok(Plan::new(call, mask, VectorOptions::default())?.footprint(operand))
}
