//! Computes the sizes of the operands that products of tensors in L1 load to L0A and L0B.

use super::{Instr, Program, ScalarId};
use a2lint_isa::device::{Device, FRACTAL};
use a2lint_isa::{DType, Position};

/// The part of an operand that one step of `matmul` loads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Staged {
    /// L0A or L0B.
    pub position: Position,
    /// `m` or `n`.
    pub extent: &'static str,
    /// Rows of a step.
    pub rows: i64,
    /// The part of `k` in a step.
    pub depth: i64,
    /// The element type.
    pub dtype: DType,
    /// Bytes of one half of the memory.
    pub room: i64,
}

impl Staged {
    /// Returns the left (1) or right (2) operand of a `matmul`; `None` where its extents are not known.
    pub fn of(program: &Program, instr: &Instr, operand: usize) -> Option<Staged> {
        Staged::with(program.device, instr, operand, |id| {
            program.scalars.as_int(id)
        })
    }

    /// Returns the part of an operand that one step of a product loads, with the values that `number` gives to scalars;
    /// `None` if a size is unknown. With upper bounds of all scalars, the result is an upper bound.
    pub fn with(
        device: Device,
        instr: &Instr,
        operand: usize,
        mut number: impl FnMut(ScalarId) -> Option<i64>,
    ) -> Option<Staged> {
        if !instr.row().stages_operands() {
            return None;
        }
        let mut number = |name: &str| number(instr.scalar_named(name)?);
        // The step is not known where a split is given whose value is not known.
        let mut step = |whole: &str, split: Option<&str>| {
            let whole = number(whole)?;
            match split.filter(|split| instr.scalar_named(split).is_some()) {
                Some(split) => Some(number(split)?.clamp(1, whole.max(1))),
                None => Some(whole),
            }
        };
        let depth = step("k", Some("splitk"))?;
        let (position, extent, rows) = match operand {
            1 => (Position::L0A, "m", step("m", None)?),
            _ => (Position::L0B, "n", step("n", Some("splitn"))?),
        };
        (rows > 0 && depth > 0).then_some(Staged {
            position,
            extent,
            rows,
            depth,
            dtype: instr.local(operand)?.dtype,
            room: device.l0_half(),
        })
    }

    /// Returns the bytes of the part, in whole fractals.
    pub fn bytes(&self) -> i64 {
        let rows = round_up(self.rows, FRACTAL);
        let depth = round_up(self.depth, self.dtype.c0());
        rows.saturating_mul(depth).saturating_mul(self.dtype.bits()) / 8
    }

    /// Returns whether the part fits one half of the memory.
    pub fn fits(&self) -> bool {
        self.bytes() <= self.room
    }

    /// Returns the greatest depth of a step that fits, in whole fractals.
    pub fn deepest(&self) -> i64 {
        let granule = self.dtype.c0().max(FRACTAL);
        let elements = self.room * 8 / self.dtype.bits();
        elements / round_up(self.rows, FRACTAL) / granule * granule
    }
}

/// Returns `value` rounded up to a multiple of `granule`.
pub fn round_up(value: i64, granule: i64) -> i64 {
    value.saturating_add(granule - 1) / granule * granule
}
