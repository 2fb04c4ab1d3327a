//! A vector instruction with every argument resolved to numbers: what the vector unit executes.

use a2lint_isa::{CompareMode, DType, Opcode, RoundMode, SelectMode};

/// One vector instruction, ready to execute on one UB.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorCall {
    /// Which instruction.
    pub opcode: Opcode,
    /// Tensor operands in parameter order; `None` where an optional one is absent or a scalar
    /// stands in its place.
    pub operands: Vec<Option<VectorOperand>>,
    /// How many lanes take part.
    pub length: VectorLength,
    /// Scalar operand as written, in double precision; integers up to 2^53 are exact, and wider
    /// ones do not occur as vector scalars.
    pub scalar: f64,
    /// What it would be had nothing been rounded, where that is another number and is followed.
    pub exactly: Option<f64>,
    /// Distance between results of a reduction, in units of its result.
    pub result_stride: i64,
    /// Rounding of `cast` (already forced to `NONE` for widening pairs) .
    pub round: RoundMode,
    /// Comparison of `compare` and `compare_scalar`.
    pub compare: CompareMode,
    /// Fallback of `select`.
    pub select: SelectMode,
    /// What every lane of a sequence adds to the one before it.
    pub step: f64,
    /// The switch of instructions that have one: `round_en` of right shifts, `index_first`.
    pub switch: bool,
    /// Integer parameters that belong to the instruction alone, in parameter order
    /// (`length_per_blk`, `size1`, `start_idx`, row strides of `transdata5hd`, …).
    pub integers: Vec<i64>,
}

impl VectorCall {
    /// Whether it has no lane to work on.
    pub fn is_empty(&self) -> bool {
        match self.length {
            VectorLength::Repeats(lanes) | VectorLength::Count(lanes) => lanes <= 0,
            VectorLength::CountPerRepeat { repeats, lanes } => repeats <= 0 || lanes <= 0,
        }
    }

    /// Whether its length is a count, after which every lane of the mask is active.
    pub fn is_counted(&self) -> bool {
        !matches!(self.length, VectorLength::Repeats(_))
    }
}

/// One tensor operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VectorOperand {
    /// Byte address of the view's first element in UB.
    pub address: i64,
    /// Element type.
    pub dtype: DType,
    /// Distance between the blocks of a repeat, in blocks.
    pub block_stride: i64,
    /// Distance between repeats, in blocks.
    pub repeat_stride: i64,
}

/// How many lanes an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorLength {
    /// Whole repeats under the vector mask.
    Repeats(i64),
    /// So many contiguous elements; mask, repeats and strides play no part.
    Count(i64),
    /// So many repeats with so many live lanes each; the mask plays no part.
    CountPerRepeat {
        /// Repeats.
        repeats: i64,
        /// Live lanes of each.
        lanes: i64,
    },
}
