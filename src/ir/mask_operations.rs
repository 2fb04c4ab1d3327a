//! What the front ends other than the DSL's find: mask instructions and what they are given.

use super::mma;

/// The mask instructions of one file, by the machine they are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaskOperations {
    /// Matrix instructions of PTX, whose columns a descriptor masks.
    pub mma: mma::Unit,
}

impl MaskOperations {
    /// Number of functions that hold them.
    pub fn kernels(&self) -> usize {
        self.mma.kernels.len()
    }
}
