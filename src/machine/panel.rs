//! Operands of a matrix product, unpacked from fractals into numbers.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};

use super::fractal::Fractals;
use super::inspect::number;
use super::kernel::Order;
use super::memory::{Memory, decode};
use crate::isa::DType;
use std::ops::Range;

/// A number that the cube unit accumulates.
pub trait Accumulator: Copy + Default + super::memory::Element {
    /// `self + a * b`, the product rounded before the sum.
    fn multiply_add(self, a: Self, b: Self) -> Self;

    /// The number with one representation for all NaNs.
    fn canonical(self) -> Self;

    /// Reads elements of `dtype` from a range of bytes; `halves` is scratch space.
    fn load(
        memory: &Memory,
        dtype: DType,
        range: Range<usize>,
        out: &mut [Self],
        halves: &mut Vec<f16>,
    );
}

impl Accumulator for f32 {
    #[inline(always)]
    fn multiply_add(self, a: f32, b: f32) -> f32 {
        self + a * b
    }

    #[inline(always)]
    fn canonical(self) -> f32 {
        if self.is_nan() { f32::NAN } else { self }
    }

    fn load(
        memory: &Memory,
        dtype: DType,
        range: Range<usize>,
        out: &mut [f32],
        halves: &mut Vec<f16>,
    ) {
        let bytes = memory.bytes(range);
        match dtype {
            DType::Half => {
                halves.resize(out.len(), f16::ZERO);
                decode(bytes, halves);
                halves.convert_to_f32_slice(out);
            }
            DType::BFloat16 => {
                for (value, raw) in out.iter_mut().zip(bytes.as_chunks::<2>().0) {
                    *value = bf16::from_le_bytes(*raw).to_f32();
                }
            }
            _ => decode(bytes, out),
        }
    }
}

/// Exact arithmetic, as far as double precision goes.
impl Accumulator for f64 {
    #[inline(always)]
    fn multiply_add(self, a: f64, b: f64) -> f64 {
        self + a * b
    }

    fn canonical(self) -> f64 {
        self
    }

    fn load(
        memory: &Memory,
        dtype: DType,
        range: Range<usize>,
        out: &mut [f64],
        _halves: &mut Vec<f16>,
    ) {
        let size = dtype.bytes_of(1) as usize;
        for (value, at) in out.iter_mut().zip(range.step_by(size)) {
            let exact = memory.exactly(at, dtype);
            *value = exact.map_or_else(|| number(memory, dtype, at, 0), |exact| exact.value);
        }
    }
}

impl Accumulator for i32 {
    #[inline(always)]
    fn multiply_add(self, a: i32, b: i32) -> i32 {
        self.wrapping_add(a.wrapping_mul(b))
    }

    #[inline(always)]
    fn canonical(self) -> i32 {
        self
    }

    fn load(
        memory: &Memory,
        dtype: DType,
        range: Range<usize>,
        out: &mut [i32],
        _halves: &mut Vec<f16>,
    ) {
        let bytes = memory.bytes(range);
        match dtype {
            DType::Int4 => {
                for (pair, &byte) in out.chunks_mut(2).zip(bytes) {
                    pair[0] = i32::from((byte << 4) as i8 >> 4);
                    if let Some(high) = pair.get_mut(1) {
                        *high = i32::from(byte as i8 >> 4);
                    }
                }
            }
            DType::Int8 => {
                for (value, &byte) in out.iter_mut().zip(bytes) {
                    *value = i32::from(byte as i8);
                }
            }
            _ => decode(bytes, out),
        }
    }
}

/// An operand as the product kernel reads it.
#[derive(Debug, Default)]
pub struct Panel<T> {
    /// Elements in the order that the kernel wants.
    pub values: Vec<T>,
    /// Whether every element of a row (of the left operand) or column (of the result) is defined.
    pub defined: Vec<bool>,
    strip: Vec<T>,
    halves: Vec<f16>,
}

/// Which matrix of a memory a panel is taken from.
#[derive(Clone, Copy, Debug)]
pub struct Source {
    /// Where it lies.
    pub fractals: Fractals,
    /// Its element type.
    pub dtype: DType,
    /// Rows of the operand: those of the left one, or columns of the result.
    pub rows: usize,
    /// Depth of the operand.
    pub depth: usize,
    /// Whether it is stored with the depth along its rows.
    pub transposed: bool,
}

impl<T: Accumulator> Panel<T> {
    /// Unpacks an operand into an order: walks the matrix as it is stored, runs of pieces at a time. What fills
    /// up the last rows may be anything: no result depends on it.
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
                if !memory.all_defined(range) {
                    self.find_undefined(memory, source, strip, row..row + run);
                }
                row += run;
            }
        }
    }

    /// Clears the flags of operand rows with an undefined element among these pieces.
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
    /// Rows and columns as stored.
    pub fn stored(&self) -> (usize, usize) {
        match self.transposed {
            true => (self.depth, self.rows),
            false => (self.rows, self.depth),
        }
    }
}
