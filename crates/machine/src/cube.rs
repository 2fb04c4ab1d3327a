//! The cube unit: products into L0C.

use super::access::{Access, MemoryId, Rows};
use super::allocate::align;
use super::cube_scratch::{Operands, accumulator};
use super::exact_cube as exact;
use super::fractal::Fractals;
use super::operation::{Product, Tile};
use super::outcome::Illegality;
use super::panel::Source;
use super::sanitizer::FindingKind;
use super::unit_context::{UnitContext, matrix_rows};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{DType, FACTORS, Layout, Opcode, Pipe, Position};

/// Returns whether the left operand of a product is one row without fractal layout (`m == 1`), stored contiguously in
/// L0A.
fn is_vector(tile: &Tile, product: &Product) -> bool {
    tile.layout == Layout::Linear && tile.position == Position::L0A && product.m == 1
}

impl UnitContext<'_, '_> {
    /// Executes `mmad`: operands in L0A and L0B as `l1_to_l0` laid them out for these extents.
    pub(super) fn multiply(&mut self, product: &Product) {
        if !self.is_legal(product) {
            return;
        }
        let sources =
            [(&product.a, product.m), (&product.b, product.n)].map(|(tile, rows)| Source {
                fractals: match is_vector(tile, product) {
                    true => Fractals::vector(tile),
                    false => Fractals::of_operand(tile, rows, product.k),
                },
                dtype: tile.dtype,
                rows: rows as usize,
                depth: product.k as usize,
                transposed: false,
            });
        if self.touch_operands(product, &sources, Pipe::M) {
            self.accumulate(product, sources);
        }
    }

    /// Executes `matmul`: operands in L1. They pass through L0A and L0B, where nothing can read them, so their contents
    /// there are not modelled: the halves that were used become undefined. Splitting k or n does not change any sum.
    pub(super) fn multiply_l1(&mut self, product: &Product) {
        if !self.is_legal(product) || !self.fits_l0(product) {
            return;
        }
        let sources =
            [(&product.a, product.m), (&product.b, product.n)].map(|(tile, rows)| Source {
                // The strips of a slot are as far apart as the rows that it was filled with ask for, which
                // may be more than this product reads.
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

    /// Returns whether there is something to multiply, and whether types and extents are legal.
    fn is_legal(&mut self, product: &Product) -> bool {
        let types = [product.dst.dtype, product.a.dtype, product.b.dtype];
        if !self.has_types(Opcode::Mmad.row(), &types) {
            self.blank(&product.dst);
            return false;
        }
        let limit = self.setup.launch.device.limits.product_extent;
        if let Some(extent) = product
            .step
            .iter()
            .find(|extent| !(0..=limit).contains(*extent))
        {
            self.illegal(format!("an extent of {extent} is outside 0 to {limit}"));
            self.blank(&product.dst);
            return false;
        }
        product.m > 0 && product.n > 0
    }

    /// Returns whether each step's operands fit into one half of L0A and of L0B.
    fn fits_l0(&mut self, product: &Product) -> bool {
        let [rows, columns, depth] = product.step;
        let room = self.setup.launch.device.l0_half();
        let operands = [
            (FACTORS[0], Position::L0A, &product.a, rows),
            (FACTORS[1], Position::L0B, &product.b, columns),
        ];
        for (operand, position, tile, rows) in operands {
            let elements = align(rows, FRACTAL) * align(depth, tile.dtype.c0());
            let bytes = tile.dtype.bytes_of(elements);
            if bytes > room {
                let reason = Illegality::Staging {
                    operand,
                    position,
                    bytes,
                    room,
                };
                self.monitor.seen.illegal(self.site.stmt, reason);
                self.blank(&product.dst);
                return false;
            }
        }
        true
    }

    fn touch_operands(&mut self, product: &Product, sources: &[Source; 2], pipe: Pipe) -> bool {
        let stored = sources.map(|source| {
            let (rows, columns) = source.stored();
            [rows as i64, columns as i64]
        });
        let accumulator = accumulator(product);
        let sums = [product.m, product.n];
        // All operands are touched before the result is looked at, so that each one outside of its buffer is
        // reported.
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

    /// Reports the accesses to one half of L0A and of L0B by which the operands are staged.
    fn pass_through_l0(&mut self, product: &Product) {
        let half = self.setup.launch.device.l0_half();
        let start = self.core().next_l0_half() * half;
        for (operand, position, tile, rows) in [
            (1, Position::L0A, &product.a, product.m),
            (2, Position::L0B, &product.b, product.n),
        ] {
            let bytes = tile.dtype.bytes_of(align(rows, FRACTAL) * product.k);
            let run = Rows::run(start, bytes.min(half));
            let runs = [run];
            let through = |pipe, write| Access {
                pipe,
                memory: MemoryId::Local(position),
                slot: None,
                index: 0,
                write,
                atomic: false,
                has_unit_flag: false,
                operand,
                rows: &runs,
                base: 0,
                end: i64::MAX,
                overruns: false,
                undefined: None,
            };
            self.access(through(Pipe::Mte1, true));
            self.access(through(Pipe::M, false));
            let lane = self.site.lane;
            let l0 = self.core().memory_mut(position, lane);
            if l0.capacity() > 0 {
                let end = (start + run.length) as usize;
                l0.make_fresh(start as usize..end);
            }
        }
    }

    /// Returns whether any accumulator of a product holds a defined value to add to.
    fn is_seeded(&mut self, product: &Product) -> bool {
        let lane = self.site.lane;
        let runs = matrix_rows(&accumulator(product), product.m, product.n);
        let l0c = self.chip.core(lane.core).memory(Position::L0C, lane);
        runs.iter()
            .flat_map(Rows::runs)
            .any(|(start, length)| l0c.any_defined(start as usize..(start + length) as usize))
    }

    /// Records where a sum starts; reports a sum that is continued although it has been stored.
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
                let ahead = exact::Ahead::of(numerics, scratch, product, &operands, bias, &l0c);
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
        // The undefined operand has been reported: its effects in L0C are not reported again.
        if !is_whole {
            core.excuse(product.dst.slot, lane);
        }
    }
}
