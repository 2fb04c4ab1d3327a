//! What the front ends other than the DSL's find: mask instructions and what they are given.

use super::{gather, mma, tile};

/// The mask instructions of one file, by the machine they are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaskOperations {
    /// Matrix instructions of PTX, whose columns a descriptor masks.
    pub mma: mma::Unit,
    /// Instructions on PTO tiles.
    pub tiles: tile::Unit,
    /// AscendC `GatherMask`.
    pub gathers: gather::Unit,
}

impl MaskOperations {
    /// Number of functions that hold them.
    pub fn kernels(&self) -> usize {
        self.mma.kernels.len() + self.tiles.functions.len() + self.gathers.functions.len()
    }
}
