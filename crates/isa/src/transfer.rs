//! Finds the parameters of a move that determine its extents: the number of rows, their length and their
//! distance.
//!
//! `transfer` of the crate `ir` evaluates them.

use super::params::{DST, SRC};
use super::signature::Instruction;
use super::table::Opcode;
use super::vocabulary::{BLOCK_BYTES, Layout};
use crate::param;

/// The most bytes that a padded move adds on one side of a row.
pub const MARGIN_BYTES: i64 = BLOCK_BYTES;

/// The unit of a length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountedIn {
    /// Elements of the operand.
    Elements,
    /// Blocks of 32 bytes.
    Blocks,
}

/// The parameter for the distance of rows in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// From the end of a row to the start of the next one.
    Gap(usize),
    /// From the start of a row to the start of the next one.
    Pitch(usize),
}

/// The parameters, by index, that describe the rows of a move in global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalExtents {
    /// Number of rows.
    pub rows: usize,
    /// Length of a row.
    pub columns: usize,
    /// Distance of rows.
    pub spacing: Spacing,
    /// Layout of the matrix in global memory.
    pub layout: Layout,
}

/// The parameters, by index, that describe the rows of a move in UB. Rows start at blocks, and the gap between
/// them is counted in blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockExtents {
    /// Number of rows.
    pub rows: usize,
    /// Length of a row.
    pub length: usize,
    /// The unit of the length.
    pub unit: CountedIn,
    /// Gap between rows.
    pub gap: usize,
    /// The parameters with the elements of padding to the left and right of the data, which count as part of a row.
    pub margins: Option<[usize; 2]>,
}

impl Spacing {
    /// Returns the index of the parameter.
    pub const fn parameter(self) -> usize {
        match self {
            Spacing::Gap(at) | Spacing::Pitch(at) => at,
        }
    }
}

impl Instruction {
    /// Returns the parameters for the extents of an operand in global memory; `None` for operands without them.
    /// Those of `gm_to_l1` are not documented well enough to be modelled.
    pub fn global_extents(&self, operand: usize) -> Option<GlobalExtents> {
        let elements = |rows, columns, spacing| GlobalExtents {
            rows,
            columns,
            spacing,
            layout: Layout::Nd,
        };
        Some(match self.opcode {
            Opcode::GmToUbPad => elements(
                param!(GmToUbPad.n_burst),
                param!(GmToUbPad.burst_len_element),
                Spacing::Gap(param!(GmToUbPad.src_stride_element)),
            ),
            Opcode::UbToGmPad => elements(
                param!(UbToGmPad.n_burst),
                param!(UbToGmPad.burst_len_element),
                Spacing::Gap(param!(UbToGmPad.dst_stride_element)),
            ),
            Opcode::GmToL1Nz => elements(
                param!(GmToL1Nz.M),
                param!(GmToL1Nz.N),
                Spacing::Pitch(param!(GmToL1Nz.N_src)),
            ),
            Opcode::L0cToGmNd | Opcode::L0cToGmNz => GlobalExtents {
                layout: match self.opcode {
                    Opcode::L0cToGmNz => Layout::Nz,
                    _ => Layout::Nd,
                },
                ..elements(
                    param!(L0cToGmNd | L0cToGmNz.M),
                    param!(L0cToGmNd | L0cToGmNz.N),
                    Spacing::Pitch(param!(L0cToGmNd | L0cToGmNz.N_dst)),
                )
            },
            Opcode::MultiplyGm => return product_extents(operand),
            _ => return None,
        })
    }

    /// Returns the parameters for the extents of an on-chip operand; `None` for instructions that do not move
    /// rows of blocks.
    pub fn block_extents(&self, operand: usize) -> Option<BlockExtents> {
        Some(match (self.opcode, operand) {
            (Opcode::GmToUbPad, DST) => BlockExtents {
                rows: param!(GmToUbPad.n_burst),
                length: param!(GmToUbPad.burst_len_element),
                unit: CountedIn::Elements,
                gap: param!(GmToUbPad.dst_stride),
                margins: Some([
                    param!(GmToUbPad.left_padding),
                    param!(GmToUbPad.right_padding),
                ]),
            },
            (Opcode::UbToGmPad, SRC) => BlockExtents {
                rows: param!(UbToGmPad.n_burst),
                length: param!(UbToGmPad.burst_len_element),
                unit: CountedIn::Elements,
                gap: param!(UbToGmPad.src_stride),
                margins: None,
            },
            (Opcode::UbToUb, DST | SRC) => BlockExtents {
                rows: param!(UbToUb.n_burst),
                length: param!(UbToUb.burst_len),
                unit: CountedIn::Blocks,
                gap: match operand {
                    DST => param!(UbToUb.dst_stride),
                    _ => param!(UbToUb.src_stride),
                },
                margins: None,
            },
            _ => return None,
        })
    }
}

/// Returns the parameters for the extents of an operand of a product of matrices in global memory. A bias is one row,
/// which its view describes.
const fn product_extents(operand: usize) -> Option<GlobalExtents> {
    const DST: usize = param!(MultiplyGm.dst);
    const A: usize = param!(MultiplyGm.a);
    const B: usize = param!(MultiplyGm.b);
    let (rows, columns, pitch) = match operand {
        DST => (
            param!(MultiplyGm.M),
            param!(MultiplyGm.N),
            param!(MultiplyGm.N_dst),
        ),
        A => (
            param!(MultiplyGm.rows_a),
            param!(MultiplyGm.columns_a),
            param!(MultiplyGm.pitch_a),
        ),
        B => (
            param!(MultiplyGm.rows_b),
            param!(MultiplyGm.columns_b),
            param!(MultiplyGm.pitch_b),
        ),
        _ => return None,
    };
    Some(GlobalExtents {
        rows,
        columns,
        spacing: Spacing::Pitch(pitch),
        layout: Layout::Nd,
    })
}

#[cfg(test)]
mod tests {
    use super::super::signature::{Class, DefaultValue, Place};
    use super::super::table::{INSTRUCTIONS, Opcode};

    #[test]
    fn every_move_of_global_memory_says_what_it_moves() {
        for row in INSTRUCTIONS {
            let moves = matches!(row.class, Class::Move | Class::Fixpipe);
            for (at, operand) in row.operands() {
                let is_global = operand.places == [Place::Gm];
                let is_required = row
                    .param(at)
                    .is_some_and(|param| param.default == DefaultValue::Required);
                if !is_global || !is_required {
                    continue;
                }
                assert_eq!(
                    row.global_extents(at).is_some(),
                    moves && row.opcode != Opcode::GmToL1,
                    "{}",
                    row.name
                );
            }
        }
    }
}
