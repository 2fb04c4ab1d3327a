//! The fixpipe: moves accumulators out of L0C and converts them.

use half::slice::HalfFloatSliceExt;
use half::{bf16, f16};
use std::ops::{Add, Mul};

use super::access::Rows;
use super::atomics;
use super::exact_cube::Drained;
use super::fractal::Fractals;
use super::memory::{Element, Memory, copy_piece, encode};
use super::moves::{clip, first_undefined};
use super::operation::{Conversion, Drain, Republish, Tile, Window};
use super::ownership::{Claim, Stored};
use super::unit_context::{UnitContext, matrix_rows, takes};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{DType, Layout, Opcode, Position};

impl UnitContext<'_, '_> {
    /// Executes `l0c_to_gm_nz2nd` and `l0c_to_gm_nz2nz`.
    pub(super) fn drain(&mut self, drain: &Drain) {
        let window = &drain.window;
        let extent = [window.rows, window.columns];
        if window.rows == 0 || window.columns == 0 {
            // Even an empty drain takes part in the handshakes of `auto_sync`, so the access is reported.
            self.touch(&drain.tile, 1, false, &[]);
            return;
        }
        if !takes(Opcode::L0cToGmNd.row(), &[window.dtype, drain.tile.dtype]) {
            return self.report_mistyped(window, 1);
        }
        if drain.unconverted {
            let [to, from] = [window.dtype, drain.tile.dtype];
            self.illegal(format!(
                "a store of {from} sums as {to} names no conversion from one to the other"
            ));
        }
        let capacity = drain
            .capacity
            .unwrap_or_else(|| self.core().rows(drain.tile.slot));
        let from = Fractals::of_tile(&drain.tile, capacity);
        if !self.touch_matrix(self.pipe, (&drain.tile, 1, false), &from, extent) {
            return;
        }
        self.check_axes(window, 0, true);
        let target = match drain.layout {
            Layout::Nd | Layout::Linear => Target::Rows(window.bytes()),
            Layout::Nz => Target::Fractals(nz_target(window)),
        };
        self.access_global(window.global, 0, true, &target.rows(extent));
        let matrix = self.converted(&drain.tile, &from, extent, window.dtype, &drain.conversion);
        let reaches_output = self.claims(window);
        let starts = sums_in(&drain.tile, &from, extent);
        self.core()
            .store_sums(drain.tile.slot, starts, reaches_output);
        let outside = self.store(window, &target, &matrix);
        if let Some(element) = first_undefined(&matrix, 0..matrix.capacity()) {
            let element = element * 8 / window.dtype.bits();
            self.store_undefined(window.global, element, &target.rows(extent));
        }
        if let Some(element) = outside {
            self.report_flat(window, 0, true, element);
        }
    }

    /// Executes `l0c_to_l1`.
    pub(super) fn republish(&mut self, republish: &Republish) {
        let (dst, src) = (&republish.dst, &republish.src);
        if !self.has_types(Opcode::L0cToL1.row(), &[dst.dtype, src.dtype]) {
            return self.blank(dst);
        }
        let src_rows = self.core().rows(src.slot);
        let from = Fractals::of_tile(src, republish.src_capacity.unwrap_or(src_rows));
        let to = Fractals::of_tile(dst, republish.dst_capacity);
        self.core().set_rows(dst.slot, republish.dst_capacity);
        let [rows, columns] = republish.extent;
        let reads = self.touch_matrix(self.pipe, (src, 1, false), &from, republish.extent);
        let writes = self.touch_matrix(self.pipe, (dst, 0, true), &to, republish.extent);
        if !reads || !writes || rows == 0 || columns == 0 {
            return;
        }
        let starts = sums_in(src, &from, republish.extent);
        self.core().store_sums(src.slot, starts, false);
        let matrix = self.converted(
            src,
            &from,
            republish.extent,
            dst.dtype,
            &republish.conversion,
        );
        let lane = self.site.lane;
        let l1 = self.core().memory_mut(Position::L1, lane);
        let row_bytes = dst.dtype.bytes_of(columns);
        for row in 0..rows {
            for strip in 0..to.strips(columns) {
                let start = row * row_bytes + strip * to.piece;
                let end = (start + to.piece).min((row + 1) * row_bytes);
                l1.copy_from(
                    to.at(row, strip) as usize,
                    &matrix,
                    start as usize..end as usize,
                );
            }
        }
    }

    /// Converts accumulators to row-major elements of `dtype`; definedness is kept.
    fn converted(
        &mut self,
        tile: &Tile,
        from: &Fractals,
        extent: [i64; 2],
        dtype: DType,
        conversion: &Conversion,
    ) -> Memory {
        let [rows, columns] = extent.map(|extent| extent as usize);
        let lane = self.site.lane;
        let l0c = self.chip.core(lane.core).memory(Position::L0C, lane);
        let bytes = match (tile.dtype, dtype) {
            // Bytes are copied where nothing is computed: int32 would lose low bits in a float.
            (DType::Int, DType::Int) if !conversion.scales() => {
                let bytes = gather_bytes(l0c, from, rows, columns);
                if conversion.relu {
                    positive(bytes)
                } else {
                    bytes
                }
            }
            (DType::Float, DType::Float) if !conversion.scales() && !conversion.relu => {
                gather_bytes(l0c, from, rows, columns)
            }
            (source, _) => {
                let floats = &mut self.scratch.drained;
                floats.clear();
                floats.resize(rows * columns, 0.0);
                gather_floats(l0c, from, source, floats, columns);
                conversion.convert(floats, dtype, &mut self.scratch.halves)
            }
        };
        let mut matrix = Memory::from_bytes(bytes);
        if let Some(numerics) = self.monitor.trace(&self.site)
            && dtype.is_float()
        {
            matrix = matrix.followed(numerics.attributes_errors());
            let drained = Drained {
                l0c,
                from,
                source: tile.dtype,
                columns,
            };
            drained.follow(&mut matrix, dtype, conversion, numerics);
        }
        // One test for all: only a matrix with an undefined accumulator is looked at element by element.
        let whole = matrix_rows(from, extent[0], extent[1]).iter().all(|runs| {
            (0..runs.count).all(|run| {
                let start = (runs.start + run * runs.pitch) as usize;
                l0c.all_defined(start..start + runs.length as usize)
            })
        });
        if !whole {
            mark_undefined(&mut matrix, l0c, from, [rows, columns], dtype);
        }
        matrix
    }

    /// Writes a row-major matrix to global memory; returns the first element of the first row that reaches
    /// outside.
    pub(super) fn store(
        &mut self,
        window: &Window,
        target: &Target,
        matrix: &Memory,
    ) -> Option<i64> {
        let (atomic, lane, stmt) = (self.atomic, self.site.lane, self.site.stmt);
        let claims = self.claims(window);
        let (_, global, ownership) = self.chip.for_store(lane.core, window.global);
        let (mut overlap, mut unseeded) = (None, None);
        let row_bytes = window.dtype.bytes_of(window.columns) as usize;
        let mut outside = None;
        for row in 0..window.rows {
            let first = row as usize * row_bytes;
            for (address, part) in target.parts(row, row_bytes) {
                let range = first + part.start..first + part.end;
                let (address, inside) = clip(address, range.clone(), global.capacity());
                if inside != range {
                    outside = outside.or(Some(row * window.columns));
                }
                match atomic {
                    Some(kind) => {
                        let seeded = global.all_defined(address..address + inside.len());
                        unseeded = unseeded.or((!seeded).then_some(row * window.columns));
                        atomics::combine(kind, window.dtype, global, address, matrix, inside);
                    }
                    None => {
                        // Atomic stores commute, so only plain ones claim their elements.
                        if claims {
                            let stored = Stored {
                                global: window.global,
                                target: global,
                                address,
                                source: matrix,
                                start: inside.start,
                                bytes: inside.len(),
                                size: window.dtype.bytes_of(1) as usize,
                            };
                            let hit = ownership.claim(Claim { lane, stmt }, &stored);
                            overlap =
                                overlap.or(hit.map(|(_, other)| (row * window.columns, other)));
                        }
                        global.copy_from(address, matrix, inside);
                    }
                }
            }
        }
        self.report_clashes(window, overlap, unseeded);
        outside
    }
}

/// Returns where the sums start that a matrix in L0C holds. Those of a tile are all of its slot; where elements are
/// addressed, several matrices may lie in one slot.
fn sums_in(tile: &Tile, from: &Fractals, [rows, columns]: [i64; 2]) -> std::ops::Range<i64> {
    match tile.layout {
        Layout::Linear => {
            let runs = matrix_rows(from, rows, columns);
            let ends = runs.iter().filter_map(Rows::bounds).map(|(_, end)| end);
            from.base..ends.max().unwrap_or(from.base)
        }
        Layout::Nz | Layout::Nd => i64::MIN..i64::MAX,
    }
}

/// The destination of a matrix.
pub(super) enum Target {
    /// Rows of global memory.
    Rows(Rows),
    /// Fractals in global memory.
    Fractals(Fractals),
}

impl Target {
    pub(super) fn rows(&self, [rows, columns]: [i64; 2]) -> Vec<Rows> {
        match self {
            Target::Rows(rows) => vec![*rows],
            Target::Fractals(fractals) => matrix_rows(fractals, rows, columns),
        }
    }

    /// Returns the pieces of one row: address in global memory, and the bytes of the row.
    fn parts(&self, row: i64, row_bytes: usize) -> Vec<(i64, std::ops::Range<usize>)> {
        match self {
            Target::Rows(rows) => vec![(rows.start + row * rows.pitch, 0..row_bytes)],
            Target::Fractals(fractals) => {
                let piece = fractals.piece as usize;
                let starts = (0..row_bytes).step_by(piece).enumerate();
                starts
                    .map(|(strip, start)| {
                        (
                            fractals.at(row, strip as i64),
                            start..(start + piece).min(row_bytes),
                        )
                    })
                    .collect()
            }
        }
    }
}

/// Returns the NZ layout of a window on global memory: strips of sixteen columns over the rows of the matrix.
fn nz_target(window: &Window) -> Fractals {
    let base = window.dtype.bytes_of(window.start);
    Fractals::nz(base, FRACTAL, window.dtype, window.rows)
}

impl Conversion {
    /// Returns whether values are changed before they are converted, relu apart.
    fn scales(&self) -> bool {
        self.scale.is_some() || self.offset.is_some()
    }

    /// Applies scale, offset and relu, in the precision of `R`.
    pub(super) fn changed<R>(&self, mut value: R) -> R
    where
        R: Copy + PartialOrd + From<f32> + Mul<Output = R> + Add<Output = R>,
    {
        if let Some(scale) = self.scale {
            value = value * scale.into();
        }
        if let Some(offset) = self.offset {
            value = value + offset.into();
        }
        match self.relu && value < 0.0.into() {
            true => 0.0.into(),
            false => value,
        }
    }

    /// Applies scale, offset and relu, then converts to `dtype`.
    pub(super) fn convert(
        &self,
        floats: &mut [f32],
        dtype: DType,
        halves: &mut Vec<f16>,
    ) -> Vec<u8> {
        if self.scales() || self.relu {
            floats
                .iter_mut()
                .for_each(|value| *value = self.changed(*value));
        }
        if self.saturate {
            floats
                .iter_mut()
                .for_each(|value| *value = clamp(*value, dtype));
        }
        match dtype {
            DType::Half => {
                halves.resize(floats.len(), f16::ZERO);
                halves.convert_from_f32_slice(floats);
                encoded(halves)
            }
            DType::BFloat16 => bytes_of(
                floats
                    .iter()
                    .map(|&value| bf16::from_f32(value).to_le_bytes()),
            ),
            // Rust's casts saturate, and make 0 of NaN.
            DType::Int8 => bytes_of(
                floats
                    .iter()
                    .map(|value| (value.round_ties_even() as i8).to_le_bytes()),
            ),
            DType::UInt8 => bytes_of(
                floats
                    .iter()
                    .map(|value| (value.round_ties_even() as u8).to_le_bytes()),
            ),
            DType::Int => bytes_of(
                floats
                    .iter()
                    .map(|value| (value.round_ties_even() as i32).to_le_bytes()),
            ),
            _ => encoded(floats),
        }
    }
}

/// Replaces overflow by the largest finite value, and NaN by 0.
fn clamp(value: f32, dtype: DType) -> f32 {
    let limit = match dtype {
        DType::Half => f16::MAX.to_f32(),
        DType::BFloat16 => bf16::MAX.to_f32(),
        _ => return value,
    };
    if value.is_nan() {
        0.0
    } else {
        value.clamp(-limit, limit)
    }
}

fn encoded<T: Element>(values: &[T]) -> Vec<u8> {
    let mut bytes = vec![0; values.len() * T::BYTES];
    encode(values, &mut bytes);
    bytes
}

fn bytes_of<const N: usize>(values: impl Iterator<Item = [u8; N]>) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(values.size_hint().0 * N);
    values.for_each(|value| bytes.extend_from_slice(&value));
    bytes
}

/// Gathers accumulators row by row, as floats.
fn gather_floats(l0c: &Memory, from: &Fractals, dtype: DType, floats: &mut [f32], columns: usize) {
    let mut integers = [0_i32; FRACTAL as usize];
    for (row, floats) in floats.chunks_exact_mut(columns).enumerate() {
        for (strip, part) in floats.chunks_mut(from.width as usize).enumerate() {
            let address = from.at(row as i64, strip as i64) as usize;
            if dtype == DType::Int {
                l0c.read(address, &mut integers[..part.len()]);
                part.iter_mut()
                    .zip(integers)
                    .for_each(|(value, integer)| *value = integer as f32);
            } else {
                l0c.read(address, part);
            }
        }
    }
}

/// Gathers accumulators row by row, as bytes.
fn gather_bytes(l0c: &Memory, from: &Fractals, rows: usize, columns: usize) -> Vec<u8> {
    let mut bytes = vec![0; rows * columns * 4];
    let mut rest = &mut bytes[..];
    for row in 0..rows {
        for strip in 0..from.strips(columns as i64) {
            let live = (from.width).min(columns as i64 - strip * from.width) as usize;
            let address = from.at(row as i64, strip) as usize;
            let (place, later) = rest.split_at_mut(live * 4);
            copy_piece(place, l0c.bytes(address..address + live * 4));
            rest = later;
        }
    }
    bytes
}

/// Replaces negative int32 values by 0.
fn positive(mut bytes: Vec<u8>) -> Vec<u8> {
    for value in bytes.as_chunks_mut::<4>().0 {
        *value = i32::from_le_bytes(*value).max(0).to_le_bytes();
    }
    bytes
}

/// Marks elements as undefined whose accumulators are.
fn mark_undefined(
    matrix: &mut Memory,
    l0c: &Memory,
    from: &Fractals,
    [rows, columns]: [usize; 2],
    dtype: DType,
) {
    let size = dtype.bytes_of(1) as usize;
    for row in 0..rows {
        for column in 0..columns {
            let (strip, within) = (column as i64 / from.width, column % from.width as usize);
            let address = from.at(row as i64, strip) as usize + within * 4;
            if !l0c.all_defined(address..address + 4) {
                let start = (row * columns + column) * size;
                matrix.set_defined(start..start + size, false);
            }
        }
    }
}
