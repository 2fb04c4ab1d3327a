//! Scratch space of a product: unpacked operands and sums.

use half::f16;

use super::accumulator::Accumulator;
use super::allocate::align;
use super::fractal::Fractals;
use super::kernel::{LANES, Order, multiply};
use super::memory::{Memory, encode};
use super::operation::{Product, Tile};
use super::panel::{Panel, Source};
use a2lint_isa::DType;
use a2lint_isa::device::FRACTAL;

/// Buffers for operand values, kept from one product to the next to save allocations.
#[derive(Debug, Default)]
pub struct CubeScratch {
    pub(super) floats: Workspace<f32>,
    /// In double precision, where exact values are tracked.
    pub(super) exact: Workspace<f64>,
    pub(super) integers: Workspace<i32>,
    /// Floats of a matrix that passes through the fixpipe.
    pub drained: Vec<f32>,
    /// Holds the values of `drained` while they are converted to half precision.
    pub halves: Vec<f16>,
}

#[derive(Debug, Default)]
pub(super) struct Workspace<T> {
    pub(super) left: Panel<T>,
    pub(super) right: Panel<T>,
    bias: Vec<T>,
    pub(super) sums: Vec<T>,
    halves: Vec<f16>,
}

impl CubeScratch {
    /// Returns both operands of the last product of floats, in their [`Order`]s.
    pub(super) fn operands(&self) -> [&[f32]; 2] {
        [&self.floats.left.values, &self.floats.right.values]
    }
}

/// The memories and the layouts of both operands of a product.
pub(super) struct Operands<'m> {
    pub(super) memories: [&'m Memory; 2],
    pub(super) sources: [Source; 2],
}

/// Returns the layout of the accumulators of a product: rows rounded up to whole fractals.
pub(super) fn accumulator(product: &Product) -> Fractals {
    Fractals::of_tile(&product.dst, align(product.m, FRACTAL))
}

impl<T: Accumulator> Workspace<T> {
    /// Computes a product; returns whether both operands were defined throughout.
    pub(super) fn run(
        &mut self,
        product: &Product,
        operands: &Operands,
        bias: Option<(Tile, &Memory)>,
        l0c: &mut Memory,
    ) -> bool {
        self.prepare(product, operands, bias, l0c);
        self.multiply(Self::pitch(product), product.k as usize);
        self.write_sums(l0c, product);
        self.is_whole()
    }

    /// Returns the columns of a row of sums, padded to a multiple of [`LANES`].
    pub(super) fn pitch(product: &Product) -> usize {
        (product.n as usize).div_ceil(LANES) * LANES
    }

    /// Unpacks the operands of a product, and the sums that it adds to.
    pub(super) fn prepare(
        &mut self,
        product: &Product,
        operands: &Operands,
        bias: Option<(Tile, &Memory)>,
        l0c: &Memory,
    ) {
        let (m, n, k) = (product.m as usize, product.n as usize, product.k as usize);
        let [left, right] = operands.sources;
        self.left
            .fill(operands.memories[0], &left, &Order::left(m, k));
        self.right
            .fill(operands.memories[1], &right, &Order::right(n, k));
        let pitch = Self::pitch(product);
        self.sums.clear();
        self.sums.resize(m * pitch, T::default());
        let place = accumulator(product);
        match product.init {
            false => self.read_sums(l0c, &place, m, n, pitch),
            true => self.start_with_bias(bias, m, n, pitch),
        }
    }

    /// Adds the product to the sums.
    pub(super) fn multiply(&mut self, pitch: usize, depth: usize) {
        let (left, right) = (&self.left.values, &self.right.values);
        multiply(&mut self.sums, pitch, left, right, depth);
    }

    /// Returns whether both operands are defined throughout.
    fn is_whole(&self) -> bool {
        let operands = self.left.defined.iter().chain(&self.right.defined);
        operands.into_iter().all(|&defined| defined)
    }

    fn start_with_bias(&mut self, bias: Option<(Tile, &Memory)>, m: usize, n: usize, pitch: usize) {
        let Some((tile, memory)) = bias else { return };
        let size = tile.dtype.bytes_of(1) as usize;
        let start = tile.row_major_address() as usize;
        self.bias.resize(n, T::default());
        let range = start..start + n * size;
        T::load(memory, tile.dtype, range, &mut self.bias, &mut self.halves);
        for row in 0..m {
            self.sums[row * pitch..][..n].copy_from_slice(&self.bias);
        }
        // An undefined bias makes its column undefined, as an undefined right operand does.
        for column in 0..n {
            let start = start + column * size;
            self.right.defined[column] &= memory.all_defined(start..start + size);
        }
    }

    fn read_sums(&mut self, l0c: &Memory, place: &Fractals, m: usize, n: usize, pitch: usize) {
        for strip in 0..place.strips(n as i64) {
            let first = (strip * place.width) as usize;
            let live = (place.width as usize).min(n - first);
            for row in 0..m {
                let sums = &mut self.sums[row * pitch + first..][..live];
                let start = place.at(row as i64, strip) as usize;
                let range = start..start + live * 4;
                T::load(l0c, DType::Float, range, sums, &mut self.halves);
            }
        }
    }

    fn write_sums(&mut self, l0c: &mut Memory, product: &Product) {
        let (place, pitch, init) = (accumulator(product), Self::pitch(product), product.init);
        let (m, n) = (product.m as usize, product.n as usize);
        // Without this, bits of the result would depend on which NaN the processor produces.
        for sum in &mut self.sums {
            *sum = sum.canonical();
        }
        let all = self.is_whole();
        for strip in 0..place.strips(n as i64) {
            let first = (strip * place.width) as usize;
            let live = (place.width as usize).min(n - first);
            // The rows of a whole strip are adjacent, so it is one run of bytes.
            let (rows_at_once, bytes) = match live as i64 == place.width {
                true => (m, m * live * 4),
                false => (1, live * 4),
            };
            for row in (0..m).step_by(rows_at_once) {
                let start = place.at(row as i64, strip) as usize;
                let pieces = l0c
                    .bytes_mut(start..start + bytes)
                    .chunks_exact_mut(live * 4);
                for (piece, row) in pieces.zip(row..) {
                    encode(&self.sums[row * pitch + first..][..live], piece);
                }
                // Without `init`, a sum that was undefined before stays undefined.
                if init {
                    l0c.set_defined(start..start + bytes, true);
                }
            }
            if !all {
                for row in 0..m {
                    let address = place.at(row as i64, strip) as usize;
                    self.clear_undefined(l0c, address, row, first..first + live);
                }
            }
        }
    }

    /// Marks results as undefined that an undefined operand contributes to.
    fn clear_undefined(
        &self,
        l0c: &mut Memory,
        address: usize,
        row: usize,
        columns: std::ops::Range<usize>,
    ) {
        for (index, column) in columns.enumerate() {
            if !self.left.defined[row] || !self.right.defined[column] {
                l0c.set_defined(address + index * 4..address + index * 4 + 4, false);
            }
        }
    }
}
