//! Defines the toolchain of Ascriptor.

use super::{
    AutoSync, Barriers, EqualParameters, FloatStrips, Ids, LaunchRules, Lowering, MemoryRules,
    Notation, Refusals, ScalarStores, Toolchain, WriteWaits, WrongSide,
};
use crate::SpecialScalar;
use crate::sync::Reading;
use a2lint_isa::Pipe;

/// Ascriptor, which compiles the syntax tree of kernels.
///
/// Sources: the lowering, the allocator and the synchronisation pass of its compiler, and measurements of the
/// code that it generates on a 910B3. `docs/dialects.md` describes them to users.
pub static ASCRIPTOR: Toolchain = Toolchain {
    name: "ascriptor",
    notation: Notation::Python,
    names_causes: false,
    auto_sync: AutoSync {
        // All pipes of a side, whichever of two comes first, and the scalar pipe as the later one.
        pairs: &[
            (Pipe::Mte2, Pipe::V),
            (Pipe::V, Pipe::Mte2),
            (Pipe::Mte2, Pipe::Mte3),
            (Pipe::Mte3, Pipe::Mte2),
            (Pipe::V, Pipe::Mte3),
            (Pipe::Mte3, Pipe::V),
            (Pipe::Mte2, Pipe::S),
            (Pipe::V, Pipe::S),
            (Pipe::Mte3, Pipe::S),
            (Pipe::Mte2, Pipe::Mte1),
            (Pipe::Mte1, Pipe::Mte2),
            (Pipe::Mte2, Pipe::M),
            (Pipe::M, Pipe::Mte2),
            (Pipe::Mte2, Pipe::Fix),
            (Pipe::Fix, Pipe::Mte2),
            (Pipe::Mte1, Pipe::M),
            (Pipe::M, Pipe::Mte1),
            (Pipe::Mte1, Pipe::Fix),
            (Pipe::Fix, Pipe::Mte1),
            (Pipe::M, Pipe::Fix),
            (Pipe::Fix, Pipe::M),
        ],
        without_vector: None,
        write_waits: WriteWaits::Always,
        joins_regions: true,
        barriers: Barriers::Everywhere,
        repairs_globals: false,
        reading: Reading::Slots,
        other_readings: &[],
    },
    memory: MemoryRules {
        // The allocator rounds the plain product of the extents up to what each memory takes a multiple of.
        pads_accumulators: false,
        float_strips: FloatStrips::Fractal,
        operand_granule: 512,
        accumulator_granule: 1024,
        // Half of the device's 1 KB.
        bias_table: Some(512),
        bias_slot: 256,
        reserves_operands: true,
        starts_on_blocks: true,
        select_area: None,
        mixed_tail: 0,
    },
    ids: Ids {
        events: None,
        flags: Some(8),
        documented_flags: None,
        library_flags: None,
        are_pooled: false,
        outlive_kernels: false,
    },
    launches: LaunchRules {
        counts_vec_cores: true,
        host_chooses_cores: false,
        // `GM[f32, ("N", 64)]`.
        declares_shapes: true,
        reads_extents: true,
        seeds_sums: true,
        lane_queries: &[
            SpecialScalar::SubBlockIdx,
            SpecialScalar::VecIdx,
            SpecialScalar::VecNum,
        ],
        resets_mask: false,
    },
    lowering: Lowering {
        // Since 2026-09-18 also for `splitk` of two-byte types with fewer than 64 rows.
        settles_accumulators: true,
        // The scalar pipe is the earlier one of no pair of `auto_sync`.
        scalar_stores: ScalarStores::Left,
        infers_whole_loads: true,
        takes_numbers_as_operands: false,
        rounds_product_extents: false,
        uses_default_rounding: true,
        widens_whatever_mode: true,
        // Measured on a 910B3: every row becomes a copy of the first one.
        prints_cast_strides: true,
        loads_slices: true,
        // Its simulator moves the right rows.
        skips_indexed_axes: true,
        packs_rows: true,
        aliases_copies: false,
    },
    refusals: Refusals {
        scattered_columns: true,
        equal_parameters: EqualParameters::Rejected,
        wide_bias: true,
        // On silicon such a launch ends with fault 507035 (910B3).
        wrong_side: WrongSide::Faults,
        late_tensors: true,
    },
};
