//! What the toolchain that compiles a kernel does by itself, hands out and refuses.
//!
//! A front end gives each program the value of its toolchain ([`Program::toolchain`](crate::Program)). Whoever
//! follows the program afterwards asks this value, and never which language the kernel was written in: a further
//! toolchain is a further value.

mod ascendc;
mod ascriptor;
mod auto_sync;
mod easyasc;

pub use ascendc::{ASCENDC, ASCENDC_MANUAL};
pub use ascriptor::ASCRIPTOR;
pub use auto_sync::{AutoSync, Barriers, WriteWaits};
pub use easyasc::EASYASC;

use crate::SpecialScalar;
use a2lint_isa::device::{Device, FRACTAL};
use a2lint_isa::{DType, Position};

/// The facts of one toolchain.
#[derive(PartialEq)]
pub struct Toolchain {
    /// Its name.
    pub name: &'static str,
    /// What its `auto_sync` orders.
    pub auto_sync: AutoSync,
    /// How it lays out and hands out on-chip memories.
    pub memory: MemoryRules,
    /// The ids that it leaves to authors.
    pub ids: Ids,
    /// What a launch may leave out, and how it counts.
    pub launches: LaunchRules,
    /// What its compiler makes of instructions.
    pub lowering: Lowering,
    /// What its compiler refuses.
    pub refusals: Refusals,
}

/// How a toolchain lays out and hands out on-chip memories.
#[derive(PartialEq)]
pub struct MemoryRules {
    /// Whether a slot in L0C takes whole fractals of 32-bit elements, whatever its extents and element type are.
    pub pads_accumulators: bool,
    /// How wide the strips of float matrices in L1 are.
    pub float_strips: FloatStrips,
    /// What slots in L0A and L0B take a multiple of, in bytes.
    pub operand_granule: i64,
    /// What slots in L0C take a multiple of, in bytes.
    pub accumulator_granule: i64,
    /// Bytes of the bias table that are handed out; `None` where it is all that the device has.
    pub bias_table: Option<i64>,
    /// Bytes of each of the two slots of the bias table that `matmul` uses in turn.
    pub bias_slot: i64,
    /// Whether a kernel with products has no room of its own in L0A, L0B and the bias table: the compiler loads the
    /// operands of `matmul` there.
    pub reserves_operands: bool,
    /// Whether every operand of a vector instruction has to start on a block, whatever the instruction itself needs.
    pub starts_on_blocks: bool,
}

/// The width of a strip of columns in a float matrix in L1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FloatStrips {
    /// C0 like that of any other type: one block of 8 columns.
    Block,
    /// The 16 columns of a fractal.
    Fractal,
}

/// The ids of events and flags that a toolchain leaves to authors.
#[derive(PartialEq)]
pub struct Ids {
    /// Event ids for each ordered pair of pipes; `None` where it is all that the device has.
    pub events: Option<i64>,
    /// Ids of flags between lanes and cores; `None` where it is all that the device has.
    pub flags: Option<i64>,
    /// Of these, how many are documented for every device; `None` where it is all of them.
    pub documented_flags: Option<i64>,
}

/// What a launch may leave out, and how it counts.
#[derive(PartialEq)]
pub struct LaunchRules {
    /// Whether the launch of a kernel for vec cores alone counts these, two of which share a core.
    pub counts_vec_cores: bool,
    /// Whether signatures of kernels declare the shapes of their tensors, so that these follow the numbers of a
    /// launch.
    pub declares_shapes: bool,
    /// Whether an output that is added to may start with what its caller has in it, where no call says so.
    pub seeds_sums: bool,
    /// What only vec lanes are told: the cube gets no meaningful answer to these.
    pub lane_queries: &'static [SpecialScalar],
}

/// What a compiler makes of instructions.
#[derive(PartialEq)]
pub struct Lowering {
    /// Whether it puts a barrier of M between products that add to one accumulator.
    pub settles_accumulators: bool,
    /// Whether a scalar store to UB is in order with other pipes only once a barrier of all pipes follows.
    pub leaves_scalar_stores: bool,
    /// Whether a padded load infers all of its extents where a call leaves out one of them.
    pub infers_whole_loads: bool,
    /// Whether a number may stand in the place of an operand of which one element counts.
    pub takes_numbers_as_operands: bool,
    /// Whether the m and n of a single product are rounded up to whole fractals where a call leaves them out.
    pub rounds_product_extents: bool,
    /// Whether a round mode that a cast leaves to its default has to suit the types, like one that is given.
    pub uses_default_rounding: bool,
    /// Whether it prints the strides that it infers for an operand of `cast` even where `count=` would replace them.
    pub prints_cast_strides: bool,
    /// Whether `matmul` loads the part of a tile in L1 that a slice names.
    pub loads_slices: bool,
    /// Whether `<<=` takes rows in GM to be as far apart as the axes from the second slice on are long, so that an axis
    /// between the slices is left out.
    pub skips_indexed_axes: bool,
    /// Whether a narrow column is loaded on purpose where the rows of its destination are blocks.
    pub packs_rows: bool,
    /// Whether versions of it make `Var(v)` another name of the same variable.
    pub aliases_copies: bool,
}

/// What a compiler refuses; where it does not, what is wrong shows later or by chance.
#[derive(PartialEq)]
pub struct Refusals {
    /// Parameters whose names are equal in the operator that it generates.
    pub equal_parameters: bool,
    /// A bias that is wider than a slot of the bias table.
    pub wide_bias: bool,
    /// Instructions of a side that does not execute the block they stand in.
    pub wrong_side: bool,
}

impl Toolchain {
    /// Bytes of a device's memory that are handed out to buffers and products.
    pub fn usable(&self, device: Device, position: Position) -> i64 {
        let own = self.memory.bias_table.filter(|_| position == Position::Bt);
        own.unwrap_or(device.capacity(position))
    }

    /// What a compiler takes of a memory for products: all of L0A and L0B, and of the bias table.
    pub fn reserved(&self, device: Device, position: Position) -> i64 {
        let holds_operands = matches!(position, Position::L0A | Position::L0B | Position::Bt);
        match self.memory.reserves_operands && holds_operands {
            true => self.usable(device, position),
            false => 0,
        }
    }

    /// Event ids that authors may use for each ordered pair of pipes.
    pub fn event_ids(&self, device: Device) -> i64 {
        self.ids.events.unwrap_or(device.limits.event_ids)
    }

    /// Ids of flags that authors may use.
    pub fn flag_ids(&self, device: Device) -> i64 {
        self.ids.flags.unwrap_or(device.limits.cross_flag_ids)
    }

    /// Ids of flags that authors may use on every device.
    pub fn documented_flag_ids(&self, device: Device) -> i64 {
        let all = self.flag_ids(device);
        self.ids.documented_flags.unwrap_or(all)
    }
}

impl MemoryRules {
    /// Columns of a strip of a matrix in L1.
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
