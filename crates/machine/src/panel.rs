//! Operands of a matrix product, unpacked from fractals.

use half::f16;

use super::accumulator::Accumulator;
use super::fractal::Fractals;
use super::kernel::Order;
use super::memory::Memory;
use a2lint_isa::DType;

/// An operand in the order of the product kernel.
#[derive(Debug, Default)]
pub struct Panel<T> {
    /// The elements, in that order.
    pub values: Vec<T>,
    /// Whether all elements of each row of the operand are defined.
    pub defined: Vec<bool>,
    strip: Vec<T>,
    halves: Vec<f16>,
}

/// The matrix in memory that a panel is unpacked from.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// The layout of the matrix.
    pub fractals: Fractals,
    /// The element type of the matrix.
    pub dtype: DType,
    /// Number of rows of the result for the left operand, of columns of the result for the right operand.
    pub rows: usize,
    /// Depth of the operand.
    pub depth: usize,
    /// Whether it is stored transposed.
    pub transposed: bool,
}

impl<T: Accumulator> Panel<T> {
    /// Unpacks an operand in the given order, run by run as it is stored. The values that pad the last rows
    /// are arbitrary, since no result depends on them.
    pub fn fill(&mut self, memory: &Memory, source: &Source, order: &Order) {
        self.values.resize(order.size(), T::default());
        self.defined.clear();
        self.defined.resize(source.rows, true);
        let fractals = &source.fractals;
        let (rows, columns) = source.stored();
        let width = fractals.width as usize;
        for strip in 0..fractals.strips(columns as i64) as usize {
            let first = strip * width;
            let live = width.min(columns - first);
            let mut row = 0;
            while row < rows {
                let run = fractals.run((rows - row) as i64) as usize;
                let start = fractals.at(row as i64, strip as i64) as usize;
                let range = start..start + run * fractals.piece as usize;
                self.strip.resize(run * width, T::default());
                let (out, halves) = (&mut self.strip, &mut self.halves);
                Accumulator::load(memory, source.dtype, range.clone(), out, halves);
                for (piece, row) in self.strip.chunks_exact(width).zip(row..) {
                    let (values, piece) = (&mut self.values, &piece[..live]);
                    match source.transposed {
                        false => order.put_row(values, row, first, piece),
                        true => order.put_column(values, first, row, piece),
                    }
                }
                // One test for a run; single elements are looked at only if it fails.
                if !memory.all_defined(range) {
                    self.find_undefined(memory, source, strip, row..row + run);
                }
                row += run;
            }
        }
    }

    /// Clears the flags of operand rows that have an undefined element among these pieces.
    fn find_undefined(
        &mut self,
        memory: &Memory,
        source: &Source,
        strip: usize,
        rows: std::ops::Range<usize>,
    ) {
        let fractals = &source.fractals;
        let first = strip * fractals.width as usize;
        let live = (fractals.width as usize).min(source.stored().1 - first);
        for row in rows {
            let piece = fractals.at(row as i64, strip as i64);
            for column in 0..live {
                let start = (piece + column as i64 * source.dtype.bits() / 8) as usize;
                let end = start + source.dtype.bytes_of(1) as usize;
                if !memory.all_defined(start..end) {
                    let owner = if source.transposed {
                        first + column
                    } else {
                        row
                    };
                    self.defined[owner] = false;
                }
            }
        }
    }
}

impl Source {
    /// Returns rows and columns as stored.
    pub fn stored(&self) -> (usize, usize) {
        match self.transposed {
            true => (self.depth, self.rows),
            false => (self.rows, self.depth),
        }
    }
}
