//! Finds the parameters of a move that determine its extents: the number of rows, their length and their
//! distance.
//!
//! `transfer` of the crate `ir` evaluates them.

use super::params::{DST, SRC};
use super::signature::Instruction;
use super::table::Opcode;
use super::vocabulary::Layout;
use crate::param;

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
    /// Elements in front of and behind what is moved, which belong to a row.
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
    /// Returns the parameters for the extents in global memory; `None` for instructions without them. Those
    /// of `gm_to_l1` are not documented well enough to be modelled.
    pub fn global_extents(&self) -> Option<GlobalExtents> {
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

#[cfg(test)]
mod tests {
    use super::super::signature::{Class, Place};
    use super::super::table::{INSTRUCTIONS, Opcode};

    #[test]
    fn every_move_of_global_memory_says_what_it_moves() {
        for row in INSTRUCTIONS {
            let is_global = row
                .operands()
                .any(|(_, operand)| operand.places.contains(&Place::Gm));
            let moves = matches!(row.class, Class::Move | Class::Fixpipe);
            assert_eq!(
                row.global_extents().is_some(),
                is_global && moves && row.opcode != Opcode::GmToL1,
                "{}",
                row.name
            );
        }
    }
}
