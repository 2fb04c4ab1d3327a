//! The cube unit: products into L0C.

use half::f16;

use super::exact_cube as exact;
use super::fractal::Fractals;
use super::kernel::{LANES, Order, multiply};
use super::memory::{Memory, encode};
use super::observer::{Access, MemoryId, Rows};
use super::operation::{Product, Tile};
use super::panel::{Accumulator, Panel, Source};
use super::sanitizer::FindingKind;
use super::station::{Station, matrix_rows};
use crate::device::{FRACTAL, L0_SLOT_BYTES, MAX_MMAD_EXTENT};
use crate::isa::{DType, Opcode, Pipe, Position};

/// Operand values that live from one product to the next only to save allocations.
#[derive(Debug, Default)]
pub struct CubeScratch {
    floats: Workspace<f32>,
    /// Of exact values, where these are followed.
    pub(super) exact: Workspace<f64>,
    integers: Workspace<i32>,
    /// Floats of a matrix on its way through the fixpipe.
    pub drained: Vec<f32>,
    /// Halves of one of its rows.
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
    /// Both operands of the last product of floats, as [`Order`] has them.
    pub(super) fn operands(&self) -> [&[f32]; 2] {
        [&self.floats.left.values, &self.floats.right.values]
    }
}

/// Both operands of a product in their memories.
pub(super) struct Operands<'m> {
    pub(super) memories: [&'m Memory; 2],
    pub(super) sources: [Source; 2],
}

impl Station<'_, '_> {
    /// `mmad`: operands in L0A and L0B as `l1_to_l0` laid them out for these extents.
    pub(super) fn multiply(&mut self, product: &Product) {
        if !self.is_legal(product) {
            return;
        }
        let sources =
            [(&product.a, product.m), (&product.b, product.n)].map(|(tile, rows)| Source {
                fractals: Fractals::of_operand(tile, rows, product.k),
                dtype: tile.dtype,
                rows: rows as usize,
                depth: product.k as usize,
                transposed: false,
            });
        if self.touch_operands(product, &sources, Pipe::M) {
            self.accumulate(product, sources);
        }
    }

    /// `matmul`: operands in L1. They pass through L0A and L0B, which nothing can read in between,
    /// so their contents there are not kept: what was in these halves is lost. Splitting k or n
    /// does not change any sum.
    pub(super) fn multiply_l1(&mut self, product: &Product) {
        if !self.is_legal(product) {
            return;
        }
        let sources =
            [(&product.a, product.m), (&product.b, product.n)].map(|(tile, rows)| Source {
                fractals: Fractals::of_tile(tile, self.core().rows(tile.slot)),
                dtype: tile.dtype,
                rows: rows as usize,
                depth: product.k as usize,
                transposed: tile.transposed,
            });
        if self.touch_operands(product, &sources, Pipe::Mte1) {
            self.pass_through_l0(product);
            self.accumulate(product, sources);
        }
    }

    /// Whether there is anything to multiply, with extents the unit has.
    fn is_legal(&mut self, product: &Product) -> bool {
        let types = [product.dst.dtype, product.a.dtype, product.b.dtype];
        if !self.has_types(Opcode::Mmad.row(), &types) {
            self.blank(&product.dst);
            return false;
        }
        if let Some(extent) = product
            .step
            .iter()
            .find(|extent| !(0..=MAX_MMAD_EXTENT).contains(*extent))
        {
            self.illegal(format!(
                "an extent of {extent} is outside 0 to {MAX_MMAD_EXTENT}"
            ));
            self.blank(&product.dst);
            return false;
        }
        product.m > 0 && product.n > 0
    }

    fn touch_operands(&mut self, product: &Product, sources: &[Source; 2], pipe: Pipe) -> bool {
        let stored = sources.map(|source| {
            let (rows, columns) = source.stored();
            [rows as i64, columns as i64]
        });
        let accumulator = accumulator(product);
        let sums = [product.m, product.n];
        let touched = [
            self.touch_matrix(
                pipe,
                (&product.a, 1, false),
                &sources[0].fractals,
                stored[0],
            ),
            self.touch_matrix(
                pipe,
                (&product.b, 2, false),
                &sources[1].fractals,
                stored[1],
            ),
            self.touch_bias(product, pipe),
            product.init
                || self.touch_matrix(Pipe::M, (&product.dst, 0, false), &accumulator, sums),
            self.touch_matrix(Pipe::M, (&product.dst, 0, true), &accumulator, sums),
        ];
        touched.into_iter().all(|is_inside| is_inside)
    }

    fn touch_bias(&mut self, product: &Product, pipe: Pipe) -> bool {
        let Some(bias) = product.bias else {
            return true;
        };
        let operand = if bias.position == Position::Bt { 7 } else { 9 };
        let bytes = bias.dtype.bytes_of(product.n);
        let rows = Rows::run(bias.row_major_address(), bytes);
        self.touch_on(pipe, &bias, operand, false, &[rows])
    }

    /// Reports the passage of operands through one half of L0A and of L0B.
    fn pass_through_l0(&mut self, product: &Product) {
        let start = self.core().next_l0_half() * L0_SLOT_BYTES;
        for (operand, position, tile, rows) in [
            (1, Position::L0A, &product.a, product.m),
            (2, Position::L0B, &product.b, product.n),
        ] {
            let bytes = tile
                .dtype
                .bytes_of(super::allocate::align(rows, FRACTAL) * product.k);
            let run = Rows::run(start, bytes.min(L0_SLOT_BYTES));
            let runs = [run];
            let through = |pipe, write| Access {
                pipe,
                memory: MemoryId::Local(position),
                slot: None,
                index: 0,
                write,
                atomic: false,
                operand,
                rows: &runs,
                base: 0,
                undefined: None,
            };
            self.access(through(Pipe::Mte1, true));
            self.access(through(Pipe::M, false));
            let lane = self.site.lane;
            let l0 = self.core().memory_mut(position, lane);
            if l0.capacity() > 0 {
                let end = (start + run.length) as usize;
                super::moves::make_fresh(l0, start as usize..end);
            }
        }
    }

    /// Whether any accumulator of a product holds something to add to.
    fn is_seeded(&mut self, product: &Product) -> bool {
        let lane = self.site.lane;
        let runs = matrix_rows(&accumulator(product), product.m, product.n);
        let l0c = self.chip.core(lane.core).memory(Position::L0C, lane);
        runs.iter()
            .flat_map(Rows::runs)
            .any(|(start, length)| l0c.any_defined(start as usize..(start + length) as usize))
    }

    /// Takes down where a sum starts, and reports one that goes on although it has been stored.
    fn follow_sum(&mut self, product: &Product) {
        let (address, iterations) = (accumulator(product).base, self.site.iterations);
        let core = self.chip.core(self.site.lane.core);
        if product.init {
            core.start_sum(address, product.dst.slot, iterations);
        } else if let Some((depth, in_output)) = core.resumed_sum(address, iterations) {
            let kind = FindingKind::StoredAccumulator { depth, in_output };
            self.report(kind, 0, None);
        }
    }

    fn accumulate(&mut self, product: &Product, sources: [Source; 2]) {
        let lane = self.site.lane;
        let is_excused = self.core().is_excused(product.dst.slot, lane);
        if !product.init && !is_excused && !self.is_seeded(product) {
            self.report(FindingKind::UnseededProduct, 0, None);
        }
        self.follow_sum(product);
        let core = self.chip.core(lane.core);
        core.set_rows(product.dst.slot, product.m);
        // Operands are read while L0C is written, so it leaves the core for that time.
        let mut l0c = core.take(Position::L0C);
        let operands = Operands {
            memories: [&product.a, &product.b].map(|tile| core.memory(tile.position, lane)),
            sources,
        };
        let bias = product
            .bias
            .map(|tile| (tile, core.memory(tile.position, lane)));
        let scratch = &mut *self.scratch;
        let mut ahead = match self.monitor.trace(&self.site) {
            Some(numerics) if product.dst.dtype == DType::Float => {
                let ahead = exact::Ahead::of(scratch, product, &operands, bias, &l0c);
                Some((numerics, ahead))
            }
            _ => None,
        };
        let is_whole = if product.dst.dtype == DType::Int {
            scratch.integers.run(product, &operands, bias, &mut l0c)
        } else {
            scratch.floats.run(product, &operands, bias, &mut l0c)
        };
        if let Some((numerics, ahead)) = &mut ahead {
            ahead.settle(numerics, scratch, product, &mut l0c);
        }
        core.put_back(Position::L0C, l0c);
        if !is_whole {
            core.excuse(product.dst.slot, lane);
        }
    }
}

/// Where the accumulators of a product lie: rows rounded up to whole fractals.
pub(super) fn accumulator(product: &Product) -> Fractals {
    Fractals::of_tile(&product.dst, product.m)
}

impl<T: Accumulator> Workspace<T> {
    /// Computes a product; whether both operands were defined throughout.
    fn run(
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

    /// Columns of the sums, those that no result stands in included.
    pub(super) fn pitch(product: &Product) -> usize {
        (product.n as usize).div_ceil(LANES) * LANES
    }

    /// Reads the operands of a product, and the sums that it adds to.
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

    /// Whether both operands are defined throughout.
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
        for sum in &mut self.sums {
            *sum = sum.canonical();
        }
        let all = self.is_whole();
        for strip in 0..place.strips(n as i64) {
            let first = (strip * place.width) as usize;
            let live = (place.width as usize).min(n - first);
            // The rows of a strip stand side by side, so a whole one is one run of bytes.
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

    /// Makes results undefined that an undefined operand went into.
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
