//! Defines the spellings of easyasc. The table uses the order and the names of easyasc, so only instructions and
//! parameters that other dialects have added are listed here: those that easyasc lacks.

use super::super::table::Opcode as O;
use super::{Change::Without, OF_ASCENDC, ROW_FILLS, Spellings};

pub(super) const SPELLINGS: Spellings = Spellings {
    absent: &[OF_ASCENDC],
    spelled: &[
        (O::Scatter, &[Without(&["start_idx"])]),
        (O::GmToUbPad, &[Without(&["pad"]), Without(ROW_FILLS)]),
        (
            O::GmToL1,
            &[Without(&[
                "n_burst",
                "burst_len",
                "src_stride",
                "dst_stride",
            ])],
        ),
        (O::SetConstantToL1, &[Without(&["n_blocks"])]),
        (O::L1ToBt, &[Without(&["n"])]),
        (O::Mmad, &[Without(&["unit_flag"])]),
        (
            O::L0cToGmNd,
            &[Without(&["hif8_hybrid", "unit_flag", "unconverted"])],
        ),
        (O::L0cToGmNz, &[Without(&["m_pad", "unit_flag"])]),
    ],
    has_rows: true,
    counts_from_zero: false,
    without_casts: &[],
    short_types: &[],
    fills: "16-bit and 32-bit elements",
};
