//! Defines the types of tiles.

use a2lint_isa::masks::Element;
use a2lint_source::text::Span;

/// A tile type.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct TileType {
    /// Its place in the source.
    pub span: Span,
    /// The memory that holds it.
    pub memory: Option<Memory>,
    /// Element type.
    pub element: Option<Element>,
    /// Rows and columns.
    pub shape: [Option<i64>; 2],
    /// Order of elements.
    pub layout: Option<Layout>,
    /// Whether tiles consist of fractals.
    pub boxed: Option<bool>,
    /// Bytes of a fractal.
    pub fractal: Option<i64>,
    /// Valid rows and columns.
    pub valid: [Valid; 2],
    /// Whether the source has `...` in place of the type.
    pub placeholder: bool,
}

impl TileType {
    /// Returns the bytes of the whole tile.
    pub fn bytes(&self) -> Option<i64> {
        let [rows, columns] = self.shape;
        rows?
            .checked_mul(columns?)?
            .checked_mul(self.element?.bytes())
    }

    /// Returns the bytes of a row.
    pub fn row_bytes(&self) -> Option<i64> {
        self.shape[1]?.checked_mul(self.element?.bytes())
    }
}

/// A valid extent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Valid {
    /// Part of the type.
    Static(i64),
    /// Decided at run time.
    Dynamic,
    /// Not known.
    #[default]
    Unknown,
}

/// Memories of tiles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Memory {
    Vec,
    Mat,
    Left,
    Right,
    Acc,
    Other,
}

/// Order of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Rows one after the other.
    RowMajor,
    /// Columns one after the other.
    ColMajor,
}
