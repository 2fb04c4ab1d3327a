//! Addresses of matrices in fractal layouts.
//!
//! A matrix is cut into *strips* of columns and each strip into *pieces*: one row of one strip,
//! contiguous in memory. A piece holds C0 elements (32 bytes), in L0C sixteen accumulators.

use super::allocate::{align, strip_width};
use super::operation::Tile;
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{DType, Layout, Position};

/// The layout of a matrix in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fractals {
    /// Byte address of the first piece.
    pub base: i64,
    /// Elements of a piece.
    pub width: i64,
    /// Bytes of a piece.
    pub piece: i64,
    /// Bytes from one strip to the next.
    pub strip: i64,
    /// Bytes from one group of sixteen rows to the next.
    pub block: i64,
}

impl Fractals {
    /// Returns the NZ layout: strips one after another, the rows of each adjacent.
    pub fn nz(base: i64, width: i64, dtype: DType, capacity: i64) -> Fractals {
        let piece = dtype.bytes_of(width);
        // Even an empty matrix has a whole fractal, so that its strips have different addresses.
        let strip = align(capacity.max(1), FRACTAL) * piece;
        Fractals {
            base,
            width,
            piece,
            strip,
            block: FRACTAL * piece,
        }
    }

    /// Returns the ZZ layout: groups of sixteen rows one after another, the strips of each adjacent.
    pub fn zz(base: i64, dtype: DType, columns: i64) -> Fractals {
        let width = dtype.c0();
        let piece = dtype.bytes_of(width);
        let strip = FRACTAL * piece;
        Fractals {
            base,
            width,
            piece,
            strip,
            block: align(columns, width) / width * strip,
        }
    }

    /// Returns the layout of one row in L0A, whose pieces are adjacent.
    pub fn vector(tile: &Tile) -> Fractals {
        let width = tile.dtype.c0();
        let piece = tile.dtype.bytes_of(width);
        Fractals {
            base: tile.row_major_address(),
            width,
            piece,
            strip: piece,
            block: FRACTAL * piece,
        }
    }

    /// Returns the NZ layout of a view in L1 or L0C whose matrix was laid out for `capacity` rows: whole fractals, or
    /// exactly as many as the instruction says where elements are addressed.
    pub fn of_tile(tile: &Tile, capacity: i64) -> Fractals {
        let width = strip_width(tile.position, tile.dtype);
        let mut fractals = Fractals::nz(tile.base, width, tile.dtype, capacity);
        if tile.layout == Layout::Linear {
            fractals.base = tile.row_major_address();
            fractals.strip = capacity * fractals.piece;
            return fractals;
        }
        let [row, column] = tile.offset;
        fractals.base += column.div_euclid(width) * fractals.strip
            + row * fractals.piece
            + tile.dtype.bytes_of(column.rem_euclid(width));
        fractals
    }

    /// Returns the layout of a cube operand in L0A (ZZ) or L0B (NZ), `rows` by `depth`.
    pub fn of_operand(tile: &Tile, rows: i64, depth: i64) -> Fractals {
        let base = tile.row_major_address();
        match tile.position {
            Position::L0A => Fractals::zz(base, tile.dtype, depth),
            _ => Fractals::nz(base, tile.dtype.c0(), tile.dtype, rows),
        }
    }

    /// Returns the byte address of a piece.
    pub fn at(&self, row: i64, strip: i64) -> i64 {
        self.base + row / FRACTAL * self.block + row % FRACTAL * self.piece + strip * self.strip
    }

    /// Returns the number of strips of a matrix with `columns` columns.
    pub fn strips(&self, columns: i64) -> i64 {
        align(columns, self.width) / self.width
    }

    /// Returns the number of rows of a strip that are adjacent from a multiple of sixteen on, at most `rows`.
    pub fn run(&self, rows: i64) -> i64 {
        if self.block == FRACTAL * self.piece {
            rows
        } else {
            rows.min(FRACTAL)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nz_strips_hold_all_rows() {
        let fractals = Fractals::nz(64, 16, DType::Half, 20);
        assert_eq!(fractals.at(0, 1), 64 + 32 * 32);
        assert_eq!(fractals.at(17, 1), 64 + 32 * 32 + 17 * 32);
        assert_eq!(fractals.run(20), 20);
    }

    #[test]
    fn zz_blocks_hold_all_strips() {
        let fractals = Fractals::zz(0, DType::Half, 40);
        assert_eq!(fractals.at(3, 2), 2 * 512 + 3 * 32);
        assert_eq!(fractals.at(16, 0), 3 * 512);
        assert_eq!(fractals.run(40), 16);
    }
}
