//! Device profiles: capacities, limits and core counts.
//!
//! Figures: the seed on A2 device constraints, the platform files of the Ascend 910B family and
//! the AscendC data sheets.

use crate::{Pipe, Position};

/// One kilobyte.
const KB: i64 = 1024;

/// One A2 (or A3) device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Device {
    /// The name that `--device` takes.
    pub name: &'static str,
    /// Cube cores; each has two vector sub-blocks.
    pub cube_cores: u32,
}

/// Every profile; the first is the default.
pub const DEVICES: &[Device] = &[
    Device {
        name: "b3",
        cube_cores: 20,
    },
    Device {
        name: "b1",
        cube_cores: 24,
    },
    Device {
        name: "b2",
        cube_cores: 24,
    },
    Device {
        name: "b4",
        cube_cores: 20,
    },
    Device {
        name: "a3",
        cube_cores: 20,
    },
];

impl Default for Device {
    fn default() -> Self {
        DEVICES[0]
    }
}

impl Device {
    /// The profile called `name`.
    pub fn from_name(name: &str) -> Option<Device> {
        DEVICES.iter().copied().find(|device| device.name == name)
    }
}

/// Most cores of a launch.
pub const MAX_CORES: u32 = 1024;
/// Vector sub-blocks (vec lanes) beside each cube core.
pub const SUB_BLOCKS: u32 = 2;
/// Highest repeat count of a vector instruction (an 8-bit field).
pub const MAX_REPEAT: i64 = 255;
/// Highest repeat stride in blocks.
pub const MAX_REPEAT_STRIDE: i64 = 255;
/// Highest block stride in blocks; `dup` has a 16-bit field instead.
pub const MAX_BLOCK_STRIDE: i64 = 255;
/// Highest block stride of `dup`.
pub const MAX_DUP_BLOCK_STRIDE: i64 = 65_535;
/// Highest burst count of a padded move.
pub const MAX_BURSTS: i64 = 4095;
/// Highest m, n and k of `mmad`.
pub const MAX_MMAD_EXTENT: i64 = 4095;
/// Rows and columns of one L0C fractal.
pub const FRACTAL: i64 = 16;
/// Bytes of one half of L0A or L0B, as `matmul` uses them in turn.
pub const L0_SLOT_BYTES: i64 = 32 * KB;
/// Bytes of one of the two slots of the bias table that `matmul` uses in turn.
pub const BIAS_SLOT_BYTES: i64 = 256;
/// Event ids per ordered pair of pipes.
pub const EVENT_IDS: i64 = 8;
/// Event ids that the toolchain leaves to authors.
pub const USER_EVENT_IDS: i64 = 6;
/// Ids of flags between lanes and cores.
pub const CROSS_FLAG_IDS: i64 = 16;
/// Ids of such flags that every reference knows.
pub const DOCUMENTED_CROSS_FLAG_IDS: i64 = 11;

/// Ids of such flags that the Ascriptor compiler gives to authors.
pub const ASCRIPTOR_FLAG_IDS: i64 = 8;

/// Bytes of the bias table that the Ascriptor compiler hands out, of the device's 1 KB.
pub const ASCRIPTOR_BIAS_TABLE_BYTES: i64 = 512;

/// Capacity of an on-chip memory in bytes: per cube core, or per vector sub-block for UB.
pub const fn capacity(position: Position) -> i64 {
    match position {
        Position::L1 => 512 * KB,
        Position::L0A | Position::L0B => 64 * KB,
        Position::L0C => 128 * KB,
        Position::Ub => 192 * KB,
        Position::Bt => KB,
    }
}

/// Alignment in bytes that an instruction needs of an address in this memory.
pub const fn alignment(position: Position) -> i64 {
    match position {
        Position::L1 | Position::Ub => 32,
        Position::L0A | Position::L0B => 512,
        Position::L0C | Position::Bt => 64,
    }
}

/// Pipes that carry out vector-side work and so exist on vec lanes only.
pub const fn is_vec_pipe(pipe: Pipe) -> bool {
    matches!(pipe, Pipe::V | Pipe::Mte3)
}

/// Pipes that exist on the cube lane only.
pub const fn is_cube_pipe(pipe: Pipe) -> bool {
    matches!(pipe, Pipe::M | Pipe::Mte1 | Pipe::Fix)
}
