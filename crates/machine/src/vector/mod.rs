//! The vector unit: executes one [`VectorCall`] on one UB.
//!
//! Semantics: `spec/machine.md`, "Vector instructions", and seed 000 for the mask, word for word.
//! `address` says what is touched, `shadow` what of it is defined, `number` how lanes are encoded;
//! the families of instructions stand in one module each.

mod address;
mod bitwise;
mod broadcast;
mod cast;
mod compact;
mod compare;
mod direct;
mod elementwise;
mod engine;
mod exact;
mod flow;
mod gather;
mod lanes;
mod maths;
mod number;
mod plan;
mod reduce;
mod rounding;
mod select;
mod sequence;
mod shadow;
mod sort;
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
pub use plan::Plan;
use std::ops::Range;

/// Switches of the unit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VectorOptions {
    /// Clamp half and bfloat16 results to their largest magnitude and turn NaN into 0, instead of
    /// following IEEE (`spec` decision 19).
    pub saturate: bool,
    /// What the fields of instructions hold on the device.
    pub limits: &'static Limits,
}

/// What a sanitizer wants to know about an instruction that was executed
/// (`spec/machine.md`, "Definedness"). Elements are counted `repeat * E + lane`; of one operand,
/// only the first is reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorEvent {
    /// Of all that was read of an operand, nothing was defined.
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

/// Why an instruction cannot be executed. Memory and mask are as they were, but for offsets that
/// point outside the memory: there, earlier repeats have been executed.
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
        /// As asked for.
        repeats: i64,
    },
    /// A stride that its field does not hold.
    #[error("operand {operand} has stride {stride}, beyond {limit}")]
    Stride {
        /// Index among the tensor operands.
        operand: usize,
        /// As asked for, in blocks (in results, for the destination of a reduction).
        stride: i64,
        /// The largest legal one.
        limit: i64,
    },
    /// A count where the instruction has none, or one that is out of range.
    #[error("illegal length {length:?}")]
    Length {
        /// As asked for.
        length: VectorLength,
    },
    /// An integer parameter out of range.
    #[error("integer parameter {index} is {value}")]
    Parameter {
        /// Index among the integer parameters.
        index: usize,
        /// As asked for.
        value: i64,
    },
    /// A tensor operand that the instruction cannot do without.
    #[error("operand {operand} is missing")]
    MissingOperand {
        /// Index among the tensor operands.
        operand: usize,
    },
    /// Element types that the instruction does not take.
    #[error("illegal element types")]
    Types,
    /// Not an instruction of this unit.
    #[error("not a vector instruction")]
    NotVector,
}

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
/// Instructions with `count=` or `count_per_rep=` leave the mask all ones (`spec` decision 26).
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
    plan.execute(memory, mask, None, events)
}

impl Plan<'_> {
    /// Executes an instruction whose operands lie inside `memory`; `mask` is what the plan was made
    /// with. A tracer follows exact values in a memory that keeps them.
    pub(super) fn execute(
        &self,
        memory: &mut Memory,
        mask: &mut VectorMask,
        tracer: Tracer,
        events: &mut dyn FnMut(VectorEvent),
    ) -> Result<(), VectorFault> {
        self.report_undefined(memory, events);
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
            Class::ReduceIndex | Class::ReduceAll => total::execute(self, memory, events)?,
            Class::Sequence => sequence::execute(self, memory)?,
            Class::Broadcast => broadcast::execute(self, memory)?,
            Class::Compare => compare::execute(self, memory)?,
            Class::Select => select::execute(self, memory)?,
            Class::Gather => gather::execute(self, memory, events)?,
            Class::Compact => compact::execute(self, memory)?,
            Class::Sort => sort::execute(self, memory)?,
            Class::Transpose => transpose::execute(self, memory)?,
            _ => return Err(VectorFault::NotVector),
        }
        if self.call.is_counted() {
            mask.reset_mask();
        }
        Ok(())
    }
}

/// Executes an instruction that works on the mask alone.
pub(super) fn execute_mask(call: &VectorCall, mask: &mut VectorMask) -> Result<(), VectorFault> {
    match call.opcode {
        Opcode::SetMask => {
            let word = |index: usize| call.integers.get(index).copied();
            let missing = VectorFault::MissingOperand { operand: 0 };
            let words = word(0).zip(word(1)).ok_or(missing)?;
            mask.set_mask(words.0 as u64, words.1 as u64);
        }
        Opcode::ResetMask => mask.reset_mask(),
        // The deprecated `set_cmpmask` is kept for compatibility and has no effect (seed 000, §5).
        _ => {}
    }
    Ok(())
}

/// The bytes that one operand of a call touches, in ascending order and merged; without a mask,
/// as if all its slots were set. `None` where they depend on values (gather sources, scatter
/// destinations) or the operand is absent.
pub fn footprint(
    call: &VectorCall,
    operand: usize,
    mask: Option<&VectorMask>,
) -> Result<Option<Vec<Range<i64>>>, VectorFault> {
    Ok(Plan::new(call, mask, VectorOptions::default())?.footprint(operand))
}
