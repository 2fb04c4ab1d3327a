//! What the front ends other than the DSL's find: mask instructions and what they are given.

use std::path::PathBuf;

use super::{gather, mma, tile};
use a2lint_source::text::{SourceText, Span};

/// The mask instructions of one file, by the machine they are for.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MaskOperations {
    /// Matrix instructions of PTX, whose columns a descriptor masks.
    pub mma: mma::Unit,
    /// Instructions on PTO tiles.
    pub tiles: tile::Unit,
    /// AscendC `GatherMask`.
    pub gathers: gather::Unit,
    /// The files that the file was read with.
    pub around: Vec<OtherFile>,
}

/// A file that another one was read with: its places count from `base`.
#[derive(Clone, Debug)]
pub struct OtherFile {
    /// Its absolute path.
    pub path: PathBuf,
    /// Its text.
    pub text: SourceText,
    /// Where its places start.
    pub base: usize,
}

impl PartialEq for OtherFile {
    fn eq(&self, other: &OtherFile) -> bool {
        let text = |file: &OtherFile| file.text.as_str().len();
        (&self.path, self.base, text(self)) == (&other.path, other.base, text(other))
    }
}

impl OtherFile {
    /// A place as one of this file.
    pub fn own(&self, span: Span) -> Option<Span> {
        let (start, end) = (span.start as usize, span.end as usize);
        let inside = self.base <= start && end <= self.base + self.text.as_str().len();
        inside.then(|| Span::new(start - self.base, end - self.base))
    }
}

impl MaskOperations {
    /// Where a function is defined.
    pub fn name_span(&self, name: &str) -> Option<Span> {
        let tiles = self.tiles.functions.iter();
        let tiles = tiles.map(|function| (&function.name, function.name_span));
        let gathers = self.gathers.functions.iter();
        let gathers = gathers.map(|function| (&function.name, function.name_span));
        let mut all = tiles.chain(gathers);
        all.find(|(known, _)| *known == name).map(|(_, span)| span)
    }

    /// Number of functions that hold them.
    pub fn kernels(&self) -> usize {
        self.mma.kernels.len() + self.tiles.functions.len() + self.gathers.functions.len()
    }
}
