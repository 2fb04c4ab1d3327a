//! What products of operands in L1 load to L0A and L0B.

use super::{Instr, Program};
use crate::device::{FRACTAL, L0_SLOT_BYTES};
use crate::isa::{DType, Position};

/// One operand as a step of `matmul` loads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staged {
    /// L0A or L0B.
    pub position: Position,
    /// `m` or `n`.
    pub extent: &'static str,
    /// Rows of a step.
    pub rows: i64,
    /// How much of `k` a step takes.
    pub depth: i64,
    /// The element type.
    pub dtype: DType,
}

impl Staged {
    /// The left (1) or right (2) operand of a `matmul`; nothing where its extents are not known.
    pub fn of(program: &Program, instr: &Instr, operand: usize) -> Option<Staged> {
        if !instr.row().stages_operands() {
            return None;
        }
        let number = |name: &str| program.scalars.as_int(instr.scalar_named(name)?);
        // Where a split is given but not known, so is the step.
        let cut = |whole: i64, split: &str| match instr.scalar_named(split) {
            Some(_) => Some(number(split)?.clamp(1, whole.max(1))),
            None => Some(whole),
        };
        let depth = cut(number("k")?, "splitk")?;
        let (position, extent, rows) = match operand {
            1 => (Position::L0A, "m", number("m")?),
            _ => (Position::L0B, "n", cut(number("n")?, "splitn")?),
        };
        (rows > 0 && depth > 0).then_some(Staged {
            position,
            extent,
            rows,
            depth,
            dtype: instr.local(operand)?.dtype,
        })
    }

    /// Bytes, in whole fractals.
    pub fn bytes(&self) -> i64 {
        let rows = round_up(self.rows, FRACTAL);
        let depth = round_up(self.depth, self.dtype.c0());
        rows.saturating_mul(depth).saturating_mul(self.dtype.bits()) / 8
    }

    /// Whether one half of the memory holds it.
    pub fn fits(&self) -> bool {
        self.bytes() <= L0_SLOT_BYTES
    }

    /// The deepest step that fits, in whole fractals.
    pub fn deepest(&self) -> i64 {
        let granule = self.dtype.c0().max(FRACTAL);
        let elements = L0_SLOT_BYTES * 8 / self.dtype.bits();
        elements / round_up(self.rows, FRACTAL) / granule * granule
    }
}

/// The next multiple.
pub fn round_up(value: i64, granule: i64) -> i64 {
    value.saturating_add(granule - 1) / granule * granule
}
