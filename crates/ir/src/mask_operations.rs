//! Collects the mask instructions that the front ends for C++, PTX and PTO find.

use super::{mma, tile};
use a2lint_source::text::Span;

/// The mask instructions of one file, by the machine they are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaskOperations {
    /// Matrix instructions of PTX, whose columns a descriptor masks.
    pub mma: mma::Unit,
    /// Instructions on PTO tiles.
    pub tiles: tile::Unit,
}

impl MaskOperations {
    /// Returns the place of the name of a function in its definition.
    pub fn name_span(&self, name: &str) -> Option<Span> {
        let tiles = self.tiles.functions.iter();
        let mut tiles = tiles.map(|function| (&function.name, function.name_span));
        let found = tiles.find(|(known, _)| *known == name);
        found.map(|(_, span)| span)
    }

    /// Returns the number of functions with mask instructions.
    pub fn kernels(&self) -> usize {
        self.mma.kernels.len() + self.tiles.functions.len()
    }
}
