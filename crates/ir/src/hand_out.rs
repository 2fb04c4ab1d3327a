//! Where kernels hand out memory while they run, and which buffers one path hands out together.

/// Where a running kernel hands out the memory of a buffer. The default is memory that is handed out before the kernel
/// starts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct HandOut {
    /// The device loops and branches around the call, outermost first.
    pub blocks: Box<[DeviceBlock]>,
    /// Changes wherever the allocator goes back to an earlier address. Buffers of the same number that are handed out
    /// on one path are adjacent.
    pub epoch: u32,
    /// Whether the memory is only lent: buffers that are handed out later get it as well.
    pub is_lent: bool,
}

/// An open device loop, or an open arm of a branch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceBlock {
    /// The number of the block. No other block of the program has it.
    pub number: u32,
    /// The number of the first arm of the branch that the block is an arm of; that of the block itself if it is no
    /// further arm.
    pub first_arm: u32,
    /// Whether it is the body of a loop, so that one path may enter it several times.
    pub is_loop: bool,
}

impl HandOut {
    /// Returns whether no path of the kernel hands out both: they are in different arms of a branch.
    pub fn excludes(&self, other: &HandOut) -> bool {
        let mut pairs = self.blocks.iter().zip(&*other.blocks);
        // A path may take one arm in an iteration of a loop and the other one in the next.
        let split = pairs.find(|(a, b)| a.number != b.number || a.is_loop);
        split.is_some_and(|(a, b)| a.number != b.number && a.first_arm == b.first_arm)
    }

    /// Returns how memory is handed out that this path or another one hands out: by the blocks around both.
    pub fn shared(&self, other: &HandOut) -> HandOut {
        let pairs = self.blocks.iter().zip(&*other.blocks);
        let both = pairs.take_while(|(a, b)| a == b).map(|(a, _)| *a);
        HandOut {
            blocks: both.collect(),
            epoch: self.epoch,
            is_lent: self.is_lent,
        }
    }

    /// Returns whether each path that hands out `other` after this one hands out both, at increasing addresses.
    pub fn is_before(&self, other: &HandOut) -> bool {
        !self.is_lent && self.epoch == other.epoch && other.blocks.starts_with(&self.blocks)
    }
}
