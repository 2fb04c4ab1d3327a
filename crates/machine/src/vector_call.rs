//! Vector instructions with all arguments resolved to numbers, as the vector unit executes them.

use a2lint_isa::{CompareMode, DType, Opcode, RoundMode, SelectMode};

/// One vector instruction, ready to execute on one UB.
#[derive(Clone, Debug, PartialEq)]
pub struct VectorCall {
    /// The instruction.
    pub opcode: Opcode,
    /// Tensor operands in parameter order; `None` if an optional one is absent or a scalar is in its place.
    pub operands: Vec<Option<VectorOperand>>,
    /// The lanes that take part.
    pub length: VectorLength,
    /// Scalar operand as written, in double precision; integers up to 2^53 are exact, and wider
    /// ones do not occur as vector scalars.
    pub scalar: f64,
    /// The exact value of the scalar operand, if that differs and is tracked.
    pub exactly: Option<f64>,
    /// Distance between results of a reduction, in units of its result.
    pub result_stride: i64,
    /// Rounding of `cast` (already forced to `NONE` for widening pairs) .
    pub round: RoundMode,
    /// Comparison of `compare` and `compare_scalar`.
    pub compare: CompareMode,
    /// Fallback of `select`.
    pub select: SelectMode,
    /// The difference between neighbouring lanes of a sequence (`vci`).
    pub step: f64,
    /// The boolean option of instructions that have one: `round_en` of right shifts, `index_first`.
    pub switch: bool,
    /// Integer parameters that belong to the instruction alone, in parameter order
    /// (`length_per_blk`, `size1`, `start_idx`, row strides of `transdata5hd`, …).
    pub integers: Vec<i64>,
}

impl VectorCall {
    /// Returns whether it has no lane to work on.
    pub fn is_empty(&self) -> bool {
        match self.length {
            VectorLength::Repeats(lanes) | VectorLength::Count(lanes) => lanes <= 0,
            VectorLength::CountPerRepeat { repeats, lanes } => repeats <= 0 || lanes <= 0,
        }
    }

    /// Returns whether its length is a count, after which every lane of the mask is active.
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

/// The lanes that an instruction works on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VectorLength {
    /// Whole repeats under the vector mask.
    Repeats(i64),
    /// A number of contiguous elements; mask, repeats and strides have no effect.
    Count(i64),
    /// A number of repeats, each with a number of live lanes; the mask has no effect.
    CountPerRepeat {
        /// Number of repeats.
        repeats: i64,
        /// Live lanes of each repeat.
        lanes: i64,
    },
}

impl std::fmt::Display for VectorLength {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let counted = |count: i64, what: &str| match count {
            1 => format!("1 {what}"),
            _ => format!("{count} {what}s"),
        };
        match *self {
            VectorLength::Repeats(repeats) => f.write_str(&counted(repeats, "repeat")),
            VectorLength::Count(elements) => f.write_str(&counted(elements, "element")),
            VectorLength::CountPerRepeat { repeats, lanes } => write!(
                f,
                "{} of {}",
                counted(repeats, "repeat"),
                counted(lanes, "lane")
            ),
        }
    }
}
