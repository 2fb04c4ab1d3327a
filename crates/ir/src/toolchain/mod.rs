//! Defines toolchains: what a compiler of kernels inserts, allocates and rejects.
//!
//! A front end gives each program the value of its toolchain ([`Program::toolchain`](crate::Program)). All readers of
//! the program ask this value, and never which language the kernel was written in: a further toolchain is a further
//! value.

mod ascendc;
mod ascriptor;
mod auto_sync;
mod easyasc;
mod notation;

pub use ascendc::{ASCENDC, ASCENDC_MANUAL};
pub use ascriptor::ASCRIPTOR;
pub use auto_sync::{AutoSync, Barriers, WriteWaits};
pub use easyasc::EASYASC;
pub use notation::Notation;

use crate::SpecialScalar;
use a2lint_isa::device::{Device, FRACTAL};
use a2lint_isa::{DType, Position};

/// The facts of one toolchain.
#[derive(PartialEq)]
pub struct Toolchain {
    /// The name of the toolchain.
    pub name: &'static str,
    /// The language in which advice about its kernels is written.
    pub notation: Notation,
    /// Whether the front end reports the code that makes a number unknown. Otherwise the statements that use the
    /// number are reported.
    pub names_causes: bool,
    /// The rules of its `auto_sync`.
    pub auto_sync: AutoSync,
    /// The layout and allocation of on-chip memories.
    pub memory: MemoryRules,
    /// The ids that authors may use.
    pub ids: Ids,
    /// The rules of launches.
    pub launches: LaunchRules,
    /// The lowering of instructions.
    pub lowering: Lowering,
    /// The errors of its compiler.
    pub refusals: Refusals,
}

/// The layout and allocation of on-chip memories by a toolchain.
#[derive(PartialEq)]
pub struct MemoryRules {
    /// Whether a slot in L0C takes whole fractals of 32-bit elements, whatever its extents and element type are.
    pub pads_accumulators: bool,
    /// The width of the strips of float matrices in L1.
    pub float_strips: FloatStrips,
    /// The size of slots in L0A and L0B is a multiple of this number of bytes.
    pub operand_granule: i64,
    /// The size of slots in L0C is a multiple of this number of bytes.
    pub accumulator_granule: i64,
    /// The usable bytes of the bias table; `None` for all that the device has.
    pub bias_table: Option<i64>,
    /// Bytes at the end of UB and of L1 that the library keeps for itself in a kernel on cube and vec cores.
    pub mixed_tail: i64,
    /// Bytes of each of the two slots of the bias table that `matmul` uses in turn.
    pub bias_slot: i64,
    /// Whether the compiler reserves L0A, L0B and the bias table for the operands of `matmul` in a kernel
    /// that has one.
    pub reserves_operands: bool,
    /// Whether every operand of a vector instruction has to start at a multiple of 32 bytes, whatever the
    /// instruction itself demands.
    pub starts_on_blocks: bool,
    /// The address in UB of the implicit work area of `Select`; `None` if there is no such area.
    pub select_area: Option<i64>,
}

/// The width of a strip of columns in a float matrix in L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatStrips {
    /// C0 like that of any other type: one block of 8 columns.
    Block,
    /// The 16 columns of a fractal.
    Fractal,
}

/// The ids of events and flags that authors may use with a toolchain.
#[derive(PartialEq)]
pub struct Ids {
    /// The number of event ids for each ordered pair of pipes; `None` for all that the device has.
    pub events: Option<i64>,
    /// The number of ids of flags between lanes and cores; `None` for all that the device has.
    pub flags: Option<i64>,
    /// The number of these that are documented for every device; `None` for all of them.
    pub documented_flags: Option<i64>,
    /// The first and the last id of the flags that library functions set and await internally.
    pub library_flags: Option<(i64, i64)>,
    /// Whether ids of events are taken where one is set and given back where it is waited for, so that declarations say
    /// nothing about how many are in use.
    pub are_pooled: bool,
    /// Whether a flag that is still set when a kernel ends is what the next kernel finds.
    pub outlive_kernels: bool,
}

/// The rules of launches.
#[derive(PartialEq)]
pub struct LaunchRules {
    /// Whether the launch of a kernel for vec cores alone counts these, two of which share a core.
    pub counts_vec_cores: bool,
    /// Whether a host chooses the number of cores together with the arguments, and the kernel does not declare which of
    /// these are results.
    pub host_chooses_cores: bool,
    /// Whether signatures of kernels declare the shapes of their tensors, so that these follow the numbers of a
    /// launch.
    pub declares_shapes: bool,
    /// Whether a kernel can read the extents of its tensors; otherwise it receives only their addresses.
    pub reads_extents: bool,
    /// Whether an output that is added to may start with what its caller has in it, where no call says so.
    pub seeds_sums: bool,
    /// The queries that only vec lanes may make: their value on the cube is meaningless.
    pub lane_queries: &'static [SpecialScalar],
    /// Whether a kernel sets the vector mask to all lanes when it starts.
    pub resets_mask: bool,
}

/// The lowering of instructions by a compiler.
#[derive(PartialEq)]
pub struct Lowering {
    /// Whether the compiler inserts a barrier of M between products that add to one accumulator.
    pub settles_accumulators: bool,
    /// How a scalar store to UB is ordered with other pipes.
    pub scalar_stores: ScalarStores,
    /// Whether a padded load infers all of its extents where a call leaves out one of them.
    pub infers_whole_loads: bool,
    /// Whether a number may be passed for an operand of which only one element is read.
    pub takes_numbers_as_operands: bool,
    /// Whether the m and n of a single product are rounded up to whole fractals where a call leaves them out.
    pub rounds_product_extents: bool,
    /// Whether the default round mode of a cast has to be legal for its types, like a given one.
    pub uses_default_rounding: bool,
    /// Whether a lossless widening conversion ignores the round mode of the call. Otherwise the only legal mode is
    /// `NONE`, since the device has no conversion for the others.
    pub widens_whatever_mode: bool,
    /// Whether the generated code of a `cast` has the inferred strides of an operand even where `count=`
    /// would replace them.
    pub prints_cast_strides: bool,
    /// Whether `matmul` loads the part of a tile in L1 that a slice names.
    pub loads_slices: bool,
    /// Whether `<<=` computes the row pitch in GM from the axes from the second slice on, so that an indexed
    /// axis between the slices is ignored.
    pub skips_indexed_axes: bool,
    /// Whether a load of a narrow column is intended where the rows of its destination are blocks.
    pub packs_rows: bool,
    /// Whether versions of the compiler make `Var(v)` an alias of `v`.
    pub aliases_copies: bool,
}

/// How a scalar store to UB is ordered with later instructions of other pipes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStores {
    /// Only a later barrier of all pipes or an event orders them.
    Left,
    /// The library templates are assumed to order them; their source is not available.
    Assumed,
    /// The compiler inserts flags.
    Ordered,
}

/// The effect of instructions in a block that their side does not execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WrongSide {
    /// A launch of the kernel faults.
    Faults,
    /// A launch is expected to fault if a kernel for vec cores alone contains cube instructions; this was not measured.
    Doubtful,
    /// The compiler drops the instructions of the other side.
    LeftOut,
}

/// The errors that a compiler reports. Where it does not report one, the fault shows later or by chance.
#[derive(PartialEq)]
pub struct Refusals {
    /// Whether the compiler rejects, as operand of `<<=`, a view of global memory whose second slice is not its last
    /// axis.
    pub scattered_columns: bool,
    /// What happens to parameters whose names are equal but for their case.
    pub equal_parameters: EqualParameters,
    /// Whether the compiler rejects a bias wider than a slot of the bias table.
    pub wide_bias: bool,
    /// The effect of instructions in a block that their side does not execute.
    pub wrong_side: WrongSide,
    /// Whether the compiler rejects a kernel with a tensor after a scalar among its parameters.
    pub late_tensors: bool,
}

/// What happens to parameters whose names are equal once they are written in one case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EqualParameters {
    /// They keep their names.
    Kept,
    /// They have one name in the operator that the compiler generates.
    Merged,
    /// The compiler rejects them.
    Rejected,
}

impl Toolchain {
    /// Returns the bytes of a device's memory that buffers and products may use.
    pub fn usable(&self, device: Device, position: Position) -> i64 {
        let own = self.memory.bias_table.filter(|_| position == Position::Bt);
        own.unwrap_or(device.capacity(position))
    }

    /// Returns the bytes of a memory that a compiler reserves for products: all of L0A, L0B and the bias
    /// table.
    pub fn reserved(&self, device: Device, position: Position) -> i64 {
        let holds_operands = matches!(position, Position::L0A | Position::L0B | Position::Bt);
        match self.memory.reserves_operands && holds_operands {
            true => self.usable(device, position),
            false => 0,
        }
    }

    /// Returns the number of event ids that authors may use for each ordered pair of pipes.
    pub fn event_ids(&self, device: Device) -> i64 {
        self.ids.events.unwrap_or(device.limits.event_ids)
    }

    /// Returns the number of ids of flags that authors may use.
    pub fn flag_ids(&self, device: Device) -> i64 {
        self.ids.flags.unwrap_or(device.limits.cross_flag_ids)
    }

    /// Returns the number of ids of flags that authors may use on every device.
    pub fn documented_flag_ids(&self, device: Device) -> i64 {
        let all = self.flag_ids(device);
        self.ids.documented_flags.unwrap_or(all)
    }
}

impl MemoryRules {
    /// Returns the columns of a strip of a matrix in L1.
    pub fn strip(&self, dtype: DType) -> i64 {
        match (self.float_strips, dtype) {
            (FloatStrips::Fractal, DType::Float) => FRACTAL,
            _ => dtype.c0(),
        }
    }
}

impl Default for &'static Toolchain {
    fn default() -> Self {
        &EASYASC
    }
}

impl std::fmt::Debug for Toolchain {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Toolchain").field(&self.name).finish()
    }
}
