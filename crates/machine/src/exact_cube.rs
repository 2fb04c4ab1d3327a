//! Exact values of the sums of the cube unit.
//!
//! A product is computed a second time in double precision, on exact operands. The rounding error of the
//! product itself takes a third computation, on the operands of the run, so only its first row is measured.

use super::cube_scratch::{CubeScratch, Operands, Workspace, accumulator};
use super::fractal::Fractals;
use super::kernel::Order;
use super::memory::number;
use super::memory::{Exactly, Memory};
use super::numerics::{Before, Judged, Numerics, relative};
use super::operation::{Conversion, Product, Tile};
use super::panel::Source;
use a2lint_isa::DType;

/// The expected result of a product.
pub struct Ahead {
    /// The worst error of each row of both operands.
    errors: [Vec<Before>; 2],
    /// The first row of sums in double precision, on the operands of the run.
    row: Vec<f64>,
}

impl Ahead {
    /// Computes a product on exact operands, in `scratch`.
    pub fn of(
        numerics: &Numerics,
        scratch: &mut CubeScratch,
        product: &Product,
        operands: &Operands,
        bias: Option<(Tile, &Memory)>,
        l0c: &Memory,
    ) -> Ahead {
        let exact = &mut scratch.exact;
        exact.prepare(product, operands, bias, l0c);
        let pitch = Workspace::<f64>::pitch(product);
        if !numerics.attributes_errors() {
            exact.multiply(pitch, product.k as usize);
            return Ahead {
                errors: [Vec::new(), Vec::new()],
                row: Vec::new(),
            };
        }
        let place = accumulator(product);
        let start = |column: usize| match (product.init, bias) {
            (false, _) => number(l0c, DType::Float, sum_at(&place, 0, column), 0),
            (true, None) => 0.0,
            (true, Some((tile, memory))) => {
                let at = tile.row_major_address() + tile.dtype.bytes_of(column as i64);
                number(memory, tile.dtype, at as usize, 0)
            }
        };
        let row = (0..product.n as usize).map(start).collect();
        exact.multiply(pitch, product.k as usize);
        let errors = [0, 1].map(|side| errors(operands.memories[side], &operands.sources[side]));
        Ahead { errors, row }
    }

    /// Compares the sums with the expected ones, after they have been written, and records their exact
    /// values.
    pub fn settle(
        &mut self,
        numerics: &mut Numerics,
        scratch: &CubeScratch,
        product: &Product,
        l0c: &mut Memory,
    ) {
        if !numerics.attributes_errors() {
            return settle_values(numerics, scratch, product, l0c);
        }
        let (m, n, k) = (product.m as usize, product.n as usize, product.k as usize);
        let pitch = Workspace::<f64>::pitch(product);
        let place = accumulator(product);
        let [left, right] = scratch.operands();
        let order = Order::right(n, k);
        for (column, sum) in self.row.iter_mut().enumerate() {
            let products = left[..k].iter().enumerate();
            *sum += products
                .map(|(depth, &a)| f64::from(a) * f64::from(right[order.index(column, depth)]))
                .sum::<f64>();
        }
        let real =
            |l0c: &Memory, row, column| number(l0c, DType::Float, sum_at(&place, row, column), 0);
        let of_first = self.row.iter().enumerate();
        let added = of_first.map(|(column, ideal)| (real(l0c, 0, column) - ideal).abs());
        // The rounding error of other rows is estimated by the largest one of the first row.
        let usual = added.filter(|error| error.is_finite()).fold(0.0, f64::max);
        for row in 0..m {
            for column in 0..n {
                let real = real(l0c, row, column);
                let exact = scratch.exact.sums[row * pitch + column];
                let before = worse(&self.errors[0][row], &self.errors[1][column]);
                // A deviation of at most twice that error is attributed to this product, a larger one to its
                // operands.
                let ideal = match row {
                    0 => self.row[column],
                    _ if (real - exact).abs() <= 2.0 * usual => exact,
                    _ => real,
                };
                let judged = Judged { real, ideal, exact };
                let exact = numerics.judge(DType::Float, row * n + column, judged, before);
                let address = sum_at(&place, row, column);
                l0c.set_exactly(address, DType::Float, Some(exact));
            }
        }
    }
}

/// Records the exact values of the sums of a product.
fn settle_values(numerics: &Numerics, scratch: &CubeScratch, product: &Product, l0c: &mut Memory) {
    let pitch = Workspace::<f64>::pitch(product);
    let place = accumulator(product);
    let (n, width) = (product.n as usize, place.width as usize);
    let mut real = vec![0.0_f32; width];
    let [mut reals, mut exacts] = [(); 2].map(|()| vec![0.0_f64; width]);
    for row in 0..product.m as usize {
        for first in (0..n).step_by(width) {
            let count = width.min(n - first);
            let address = sum_at(&place, row, first);
            l0c.read(address, &mut real[..count]);
            for (index, exact) in exacts[..count].iter_mut().enumerate() {
                reals[index] = f64::from(real[index]);
                let sum = scratch.exact.sums[row * pitch + first + index];
                *exact = numerics.third(DType::Float, sum);
            }
            l0c.note_all(address, DType::Float, &exacts[..count], &reals[..count]);
        }
    }
}

/// Accumulators that the fixpipe drains.
pub struct Drained<'m> {
    /// The memory.
    pub l0c: &'m Memory,
    /// The layout of the accumulators.
    pub from: &'m Fractals,
    /// Their type.
    pub source: DType,
    /// Columns of the matrix.
    pub columns: usize,
}

impl Drained<'_> {
    /// Records the exact values of the elements of a matrix.
    pub fn follow(
        &self,
        matrix: &mut Memory,
        dtype: DType,
        conversion: &Conversion,
        numerics: &mut Numerics,
    ) {
        let size = dtype.bytes_of(1) as usize;
        let width = self.from.width as usize;
        for index in 0..matrix.capacity() / size {
            let (row, column) = (index / self.columns, index % self.columns);
            let piece = self.from.at(row as i64, (column / width) as i64) as usize;
            let at = piece + column % width * 4;
            let sum = number(self.l0c, self.source, at, 0);
            let exact = self.l0c.exactly(at, self.source);
            let exact = exact.unwrap_or(Exactly {
                value: sum,
                blame: 0,
            });
            let real = number(matrix, dtype, index * size, 0);
            let changed = conversion.changed(exact.value);
            let exact = match numerics.attributes_errors() {
                false => Exactly {
                    value: numerics.third(dtype, changed),
                    blame: 0,
                },
                true => {
                    let before = Before {
                        blame: exact.blame,
                        error: relative(sum, exact.value),
                        ..Before::default()
                    };
                    let judged = Judged {
                        real,
                        ideal: conversion.changed(sum),
                        exact: changed,
                    };
                    numerics.judge(dtype, index, judged, &before)
                }
            };
            if exact.value != real {
                matrix.note_exactly(index * size, dtype, exact);
            }
        }
    }
}

fn worse<'b>(a: &'b Before, b: &'b Before) -> &'b Before {
    if a.error >= b.error { a } else { b }
}

/// Returns the byte address of an accumulator.
fn sum_at(place: &Fractals, row: usize, column: usize) -> usize {
    let width = place.width as usize;
    place.at(row as i64, (column / width) as i64) as usize + column % width * 4
}

/// Returns the worst relative error of each row of an operand.
fn errors(memory: &Memory, source: &Source) -> Vec<Before> {
    let mut errors = vec![Before::default(); source.rows];
    let (rows, columns) = source.stored();
    let fractals = &source.fractals;
    let width = fractals.width as usize;
    let size = source.dtype.bytes_of(1) as usize;
    for row in 0..rows {
        for column in 0..columns {
            let piece = fractals.at(row as i64, (column / width) as i64) as usize;
            let at = piece + column % width * size;
            let Some(Exactly { value, blame }) = memory.exactly(at, source.dtype) else {
                continue;
            };
            let error = relative(number(memory, source.dtype, at, 0), value);
            // A transposed operand has the rows of the product as columns.
            let owner = if source.transposed { column } else { row };
            if error > errors[owner].error {
                errors[owner] = Before {
                    blame,
                    error,
                    ..Before::default()
                };
            }
        }
    }
    errors
}
