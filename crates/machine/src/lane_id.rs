//! Identities of the lanes that execute a kernel.

use a2lint_isa::{Position, Side};

/// One lane of one core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LaneId {
    /// Index of the cube core.
    pub core: u32,
    /// The lane of that core.
    pub kind: LaneKind,
}

/// The lanes of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum LaneKind {
    /// The cube lane.
    Cube,
    /// A vec lane: sub-block 0 or 1.
    Vec(u8),
}

impl LaneKind {
    /// Every lane of a core, in the order in which they are stepped.
    pub const ALL: [LaneKind; 3] = [LaneKind::Cube, LaneKind::Vec(0), LaneKind::Vec(1)];

    /// Returns the index in [`LaneKind::ALL`].
    pub const fn index(self) -> usize {
        match self {
            LaneKind::Cube => 0,
            LaneKind::Vec(sub_block) => 1 + sub_block as usize,
        }
    }

    /// Returns the side whose instructions the lane executes.
    pub const fn side(self) -> Side {
        match self {
            LaneKind::Cube => Side::Cube,
            LaneKind::Vec(_) => Side::Vec,
        }
    }

    /// Returns whether lanes of the kind use the buffers of a memory.
    pub fn uses(self, position: Position) -> bool {
        (position == Position::Ub) == (self.side() == Side::Vec)
    }

    /// Returns the name for reports: `cube`, `vec0`, `vec1`.
    pub const fn name(self) -> &'static str {
        match self {
            LaneKind::Cube => "cube",
            LaneKind::Vec(0) => "vec0",
            LaneKind::Vec(_) => "vec1",
        }
    }
}
