//! The toolchain of AscendC C++.

use super::{
    AutoSync, Barriers, EqualParameters, FloatStrips, Ids, LaunchRules, Lowering, MemoryRules,
    Notation, Refusals, ScalarStores, Toolchain, WriteWaits, WrongSide,
};
use crate::sync::{Pair, Reading};
use a2lint_isa::{BLOCK_BYTES, Pipe};

/// The compiler of AscendC C++ with its automatic synchronisation, which is on unless a project turns it off.
///
/// Sources: the manual and the headers of the library for A2.
pub static ASCENDC: Toolchain = toolchain(
    "AscendC",
    // Scalar accesses against every pipe that works on UB. V, MTE2 and MTE3 are in order with each other by
    // queues and flags alone.
    &[
        (Pipe::V, Pipe::S),
        (Pipe::S, Pipe::V),
        (Pipe::Mte2, Pipe::S),
        (Pipe::S, Pipe::Mte2),
        (Pipe::Mte3, Pipe::S),
        (Pipe::S, Pipe::Mte3),
    ],
    Barriers::Everywhere,
    ScalarStores::Ordered,
);

/// The same compiler with its automatic synchronisation turned off.
pub static ASCENDC_MANUAL: Toolchain = toolchain(
    "AscendC without automatic synchronisation",
    &[],
    Barriers::Nowhere,
    ScalarStores::Left,
);

const fn toolchain(
    name: &'static str,
    pairs: &'static [Pair],
    barriers: Barriers,
    scalar_stores: ScalarStores,
) -> Toolchain {
    Toolchain {
        name,
        notation: Notation::Cpp,
        names_causes: true,
        auto_sync: AutoSync {
            pairs,
            without_vector: None,
            write_waits: WriteWaits::Always,
            // The whole kernel is one region.
            joins_regions: true,
            barriers,
            repairs_globals: false,
            reading: Reading::Slots,
            other_readings: &[],
        },
        memory: MemoryRules {
            // `InitBuffer` rounds bytes up to whole blocks, in every memory.
            pads_accumulators: false,
            float_strips: FloatStrips::Block,
            operand_granule: BLOCK_BYTES,
            accumulator_granule: BLOCK_BYTES,
            bias_table: None,
            bias_slot: 256,
            reserves_operands: false,
            // Operands start where each instruction needs it.
            starts_on_blocks: false,
            select_area: Some(184 * 1024),
            mixed_tail: 256,
        },
        ids: Ids {
            events: None,
            flags: None,
            documented_flags: None,
            library_flags: Some((11, 14)),
            are_pooled: true,
            outlive_kernels: true,
        },
        launches: LaunchRules {
            counts_vec_cores: true,
            host_chooses_cores: true,
            declares_shapes: false,
            reads_extents: false,
            seeds_sums: true,
            // `GetSubBlockIdx()` is 0 on the cube.
            lane_queries: &[],
            resets_mask: true,
        },
        lowering: Lowering {
            settles_accumulators: false,
            scalar_stores,
            infers_whole_loads: false,
            // `Select` takes a number for what it takes where a bit is 0.
            takes_numbers_as_operands: true,
            rounds_product_extents: false,
            uses_default_rounding: false,
            widens_whatever_mode: false,
            prints_cast_strides: false,
            loads_slices: false,
            skips_indexed_axes: false,
            packs_rows: false,
            aliases_copies: false,
        },
        refusals: Refusals {
            scattered_columns: false,
            equal_parameters: EqualParameters::Kept,
            wide_bias: false,
            wrong_side: WrongSide::LeftOut,
            late_tensors: false,
        },
    }
}
