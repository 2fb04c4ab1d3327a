//! Defines device profiles: capacities, limits and core counts. A further device is a further row of
//! [`DEVICES`].
//!
//! Properties that all devices share, and that the machine depends on, are constants.
//!
//! Sources of the figures: the platform files of the Ascend 910B family and the AscendC data sheets.

use crate::masks::Target;
use crate::{Pipe, Position};

/// One kilobyte.
const KB: i64 = 1024;

/// An on-chip memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// Capacity in bytes: per cube core, or per vector sub-block for UB.
    pub bytes: i64,
    /// Alignment in bytes that an instruction needs of an address in it.
    pub alignment: i64,
}

/// The on-chip memories of a device.
#[derive(Debug, PartialEq, Eq)]
pub struct Memories {
    /// L1.
    pub l1: Memory,
    /// L0A, which holds left operands of the cube.
    pub l0a: Memory,
    /// L0B, which holds right operands of the cube.
    pub l0b: Memory,
    /// L0C, which holds accumulators of the cube.
    pub l0c: Memory,
    /// The unified buffer of one vector sub-block.
    pub ub: Memory,
    /// The bias table.
    pub bt: Memory,
}

/// The largest values of the fields of instructions, and the sizes of synchronisation units.
#[derive(Debug, PartialEq, Eq)]
pub struct Limits {
    /// Repeat count of a vector instruction.
    pub repeat: i64,
    /// Repeat stride in blocks.
    pub repeat_stride: i64,
    /// Block stride in blocks, except for fills.
    pub block_stride: i64,
    /// Block stride of a fill (`dup`) in blocks, which has a wider field.
    pub fill_block_stride: i64,
    /// Repeat stride of a copy of lanes in blocks, which has a wider field.
    pub copy_repeat_stride: i64,
    /// Burst count of a padded move.
    pub bursts: i64,
    /// m, n and k of `mmad`.
    pub product_extent: i64,
    /// Number of event ids per ordered pair of pipes.
    pub event_ids: i64,
    /// Number of ids of flags between lanes and cores.
    pub cross_flag_ids: i64,
}

/// The profile of one device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// The name that `--device` takes.
    pub name: &'static str,
    /// The family of products that it belongs to.
    pub family: Target,
    /// Cube cores; each has two vector sub-blocks.
    pub cube_cores: u32,
    /// The on-chip memories of the device.
    pub memories: &'static Memories,
    /// The limits of its instructions and synchronisation units.
    pub limits: &'static Limits,
}

/// The memories of A2 and A3.
static A2_MEMORIES: Memories = a2_memories(A2_UB_BYTES);

/// Memories in which buffers have room that no launch has at the same time.
static ROOMY_MEMORIES: Memories = a2_memories(64 << 20);

const fn a2_memories(ub_bytes: i64) -> Memories {
    Memories {
        l1: memory(512 * KB, 32),
        l0a: memory(64 * KB, 512),
        l0b: memory(64 * KB, 512),
        l0c: memory(128 * KB, 64),
        ub: memory(ub_bytes, 32),
        bt: memory(KB, 64),
    }
}

/// Bytes of UB on A2 and A3.
const A2_UB_BYTES: i64 = 192 * KB;

/// The limits of A2 and A3: 8-bit repeat counts and strides, 12-bit bursts and extents.
static A2_LIMITS: Limits = Limits {
    repeat: 255,
    repeat_stride: 255,
    block_stride: 255,
    fill_block_stride: 65_535,
    copy_repeat_stride: 4095,
    bursts: 4095,
    product_extent: 4095,
    event_ids: 8,
    cross_flag_ids: 16,
};

const fn memory(bytes: i64, alignment: i64) -> Memory {
    Memory { bytes, alignment }
}

/// Makes the profile of an A2 or A3 device.
const fn a2(name: &'static str, cube_cores: u32) -> Device {
    Device {
        name,
        family: Target::A2A3,
        cube_cores,
        memories: &A2_MEMORIES,
        limits: &A2_LIMITS,
    }
}

/// Every profile; the first is the default.
pub static DEVICES: &[Device] = &[
    a2("b3", 20),
    a2("b1", 24),
    a2("b2", 24),
    a2("b4", 20),
    a2("a3", 20),
];

/// The unified buffer of a family of products, as far as mask instructions need it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnifiedBuffer {
    /// The capacity of the memory in bytes.
    pub bytes: i64,
    /// The bytes at its top that the tile library reserves.
    pub library_scratch: i64,
}

/// Returns the unified buffer of a family of products.
pub(crate) const fn unified_buffer(family: Target) -> UnifiedBuffer {
    let (bytes, library_scratch) = match family {
        Target::A2A3 => (A2_UB_BYTES, 8 * KB),
        Target::Cpu => (A2_UB_BYTES, 0),
        Target::Inference | Target::Edge | Target::A5 => (256 * KB, 0),
        Target::Kirin => (128 * KB, 0),
    };
    UnifiedBuffer {
        bytes,
        library_scratch,
    }
}

impl Default for Device {
    fn default() -> Self {
        DEVICES[0]
    }
}

impl Default for &'static Limits {
    fn default() -> Self {
        Device::default().limits
    }
}

impl Device {
    /// Returns the profile called `name`.
    pub fn from_name(name: &str) -> Option<Device> {
        DEVICES.iter().copied().find(|device| device.name == name)
    }

    /// Returns the device with a UB that has room for all buffers, each with the largest length that it has in any
    /// launch.
    pub fn with_room(self) -> Device {
        Device {
            memories: &ROOMY_MEMORIES,
            ..self
        }
    }

    /// Returns the capacity of an on-chip memory in bytes: per cube core, or per vector sub-block for UB.
    pub const fn capacity(&self, position: Position) -> i64 {
        self.memory(position).bytes
    }

    /// Returns the alignment in bytes that instructions need of addresses in a memory.
    pub const fn alignment(&self, position: Position) -> i64 {
        self.memory(position).alignment
    }

    /// Returns the distance in bytes of the places in a memory where the result of a product may start by address.
    // The manual of `Mmad`: sums start on whole fractals of 4-byte numbers.
    pub const fn alignment_of_sums(&self) -> i64 {
        FRACTAL * FRACTAL * 4
    }

    /// Returns the bytes of one half of L0A or L0B, which are equally large; `matmul` uses the halves in
    /// turn.
    pub const fn l0_half(&self) -> i64 {
        self.memories.l0a.bytes / 2
    }

    const fn memory(&self, position: Position) -> Memory {
        let memories = self.memories;
        match position {
            Position::L1 => memories.l1,
            Position::L0A => memories.l0a,
            Position::L0B => memories.l0b,
            Position::L0C => memories.l0c,
            Position::Ub => memories.ub,
            Position::Bt => memories.bt,
        }
    }
}

/// The largest number of cores of a simulated launch.
pub const MAX_CORES: u32 = 1024;
/// Vector sub-blocks (vec lanes) beside each cube core.
pub const SUB_BLOCKS: u32 = 2;
/// Rows and columns of one L0C fractal.
pub const FRACTAL: i64 = 16;
/// Bytes of one fractal of an operand: sixteen rows of a block.
pub const FRACTAL_BYTES: i64 = 512;
/// Returns whether a pipe exists on vec lanes only.
pub const fn is_vec_pipe(pipe: Pipe) -> bool {
    matches!(pipe, Pipe::V | Pipe::Mte3)
}

/// Returns whether a pipe exists on the cube lane only.
pub const fn is_cube_pipe(pipe: Pipe) -> bool {
    matches!(pipe, Pipe::M | Pipe::Mte1 | Pipe::Fix)
}
