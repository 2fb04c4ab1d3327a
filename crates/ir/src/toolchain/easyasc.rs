//! Defines the toolchain of easyasc.

use super::{
    AutoSync, Barriers, EqualParameters, FloatStrips, Ids, LaunchRules, Lowering, MemoryRules,
    Notation, Refusals, ScalarStores, Toolchain, WriteWaits, WrongSide,
};
use crate::SpecialScalar;
use crate::sync::{Pair, Reading};
use a2lint_isa::{BLOCK_BYTES, Pipe};

/// A load and a store of the same buffer.
const LOAD_STORE: Pair = (Pipe::Mte2, Pipe::Mte3);

/// easyasc, which traces kernels and generates AscendC.
///
/// Sources: its public documentation on synchronisation, tiling and tensors, its authoring rules, and code that its
/// versions generate.
pub static EASYASC: Toolchain = Toolchain {
    name: "easyasc",
    notation: Notation::Python,
    names_causes: false,
    auto_sync: AutoSync {
        // The manual names these six.
        pairs: &[
            (Pipe::Mte2, Pipe::V),
            (Pipe::V, Pipe::Mte3),
            LOAD_STORE,
            (Pipe::Mte2, Pipe::Mte1),
            (Pipe::Mte1, Pipe::M),
            (Pipe::M, Pipe::Fix),
        ],
        without_vector: Some(LOAD_STORE),
        write_waits: WriteWaits::AfterLoads,
        joins_regions: false,
        barriers: Barriers::InRegions,
        repairs_globals: true,
        reading: Reading::Expressions,
        // By the code that an older version generates.
        other_readings: &[Reading::Names, Reading::Tokens],
    },
    memory: MemoryRules {
        pads_accumulators: true,
        float_strips: FloatStrips::Block,
        operand_granule: BLOCK_BYTES,
        accumulator_granule: BLOCK_BYTES,
        bias_table: None,
        // 64 values of 4 bytes, by the documentation of `matmul`.
        bias_slot: 256,
        reserves_operands: false,
        starts_on_blocks: false,
        select_area: None,
        mixed_tail: 0,
    },
    ids: Ids {
        // The toolchain keeps the last two of eight for itself.
        events: Some(6),
        flags: None,
        // Hardware references disagree: ids 0 to 10 in the older one, 0 to 15 in the newer.
        documented_flags: Some(11),
        library_flags: None,
        are_pooled: false,
        outlive_kernels: false,
    },
    launches: LaunchRules {
        counts_vec_cores: false,
        host_chooses_cores: false,
        declares_shapes: false,
        reads_extents: true,
        seeds_sums: false,
        lane_queries: &[SpecialScalar::SubBlockIdx],
        resets_mask: false,
    },
    lowering: Lowering {
        settles_accumulators: false,
        scalar_stores: ScalarStores::Assumed,
        infers_whole_loads: false,
        takes_numbers_as_operands: true,
        rounds_product_extents: true,
        uses_default_rounding: false,
        widens_whatever_mode: true,
        prints_cast_strides: false,
        loads_slices: false,
        skips_indexed_axes: false,
        packs_rows: false,
        // Observed in the public version of 2026-02.
        aliases_copies: true,
    },
    refusals: Refusals {
        scattered_columns: false,
        equal_parameters: EqualParameters::Merged,
        wide_bias: false,
        wrong_side: WrongSide::Doubtful,
        late_tensors: true,
    },
};
