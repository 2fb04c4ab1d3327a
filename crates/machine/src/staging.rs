//! Moves that stage operands of the cube unit: global memory to L1, and L1 to L0A, L0B and BT.

use smallvec::SmallVec;

use super::access::Rows;
use super::fractal::Fractals;
use super::inputs;
use super::loads::Filled;
use super::memory::{Memory, copy_piece};
use super::moves::{copy_clipped, repeat};
use super::operation::{FractalLoad, MatrixLoad, OperandLoad, Tile, Window};
use super::unit_context::{UnitContext, matrix_rows};
use a2lint_isa::device::{FRACTAL, FRACTAL_BYTES};
use a2lint_isa::{DType, Layout, Position};

impl UnitContext<'_, '_> {
    /// Executes `gm_to_l1_nd2nz`: rows of global memory become strips; the last strip is padded with zeros.
    pub(super) fn load_matrix(&mut self, load: &MatrixLoad) {
        let (tile, window) = (&load.tile, &load.window);
        // Before any check: later instructions address the slot in this layout, whatever becomes of the load.
        self.core().set_rows(tile.slot, load.capacity);
        let fractals = Fractals::of_tile(tile, load.capacity);
        let extent = [window.rows, window.columns];
        let filled = Filled {
            start: fractals.base,
            pitch: fractals.strip,
            extent: [window.rows, window.dtype.bytes_of(window.columns)],
        };
        if window.rows == 0 || window.columns == 0 {
            let lane = self.site.lane;
            // The empty load explains why the slot holds nothing, so reading it is not reported.
            self.core().excuse(tile.slot, lane);
            return self.shorter_load(tile, filled, &[]);
        }
        self.check_axes(window, 1, false);
        if !self.touch_matrix(self.pipe, (tile, 0, true), &fractals, extent) {
            return;
        }
        let [rows, columns] = extent;
        self.shorter_load(tile, filled, &matrix_rows(&fractals, rows, columns));
        let from = window.bytes();
        self.access_global(window.global, 1, false, &[from]);
        let (core, global) = self
            .chip
            .core_and_global(self.site.lane.core, window.global);
        let l1 = core.memory_mut(Position::L1, self.site.lane);
        let outside = match from.bounds() {
            Some((start, end)) if start >= 0 && end <= global.capacity() as i64 => {
                load_inside(l1, &fractals, global, window, from);
                None
            }
            _ => load_clipped(l1, &fractals, global, window, from),
        };
        self.load_carried(tile, window.global, &[from]);
        if let Some(element) = outside {
            self.report_flat(window, 1, false, element);
        }
    }

    /// Executes `gm_to_l1`: rows stay rows.
    pub(super) fn load_plain(&mut self, tile: &Tile, window: &Window) {
        if window.rows <= 0 || window.columns <= 0 {
            let lane = self.site.lane;
            self.core().excuse(tile.slot, lane);
            return;
        }
        self.check_axes(window, 1, false);
        let from = window.bytes();
        let pitch = tile.dtype.bytes_of(tile.shape[1]);
        let to = Rows {
            start: tile.row_major_address(),
            pitch,
            ..from
        };
        if !self.touch(tile, 0, true, &[to]) {
            return;
        }
        let filled = Filled {
            start: to.start,
            pitch,
            extent: [to.count, to.length],
        };
        self.shorter_load(tile, filled, &[to]);
        self.access_global(window.global, 1, false, &[from]);
        let (core, global) = self
            .chip
            .core_and_global(self.site.lane.core, window.global);
        let l1 = core.memory_mut(Position::L1, self.site.lane);
        let mut outside = None;
        for row in 0..from.count {
            let address = (to.start + row * to.pitch) as usize;
            if !copy_clipped(
                l1,
                address,
                global,
                from.start + row * from.pitch,
                from.length,
            ) {
                outside = outside.or(Some(row * window.columns));
            }
        }
        self.load_carried(tile, window.global, &[from]);
        if let Some(element) = outside {
            self.report_flat(window, 1, false, element);
        }
    }

    /// Executes `set_constant_to_l1`: fills the whole slot, or the viewed part of it.
    pub(super) fn fill(&mut self, tile: &Tile, value: f64) {
        let mut element = Vec::new();
        inputs::push(&mut element, tile.dtype, value);
        let whole = tile.offset == [0, 0] && tile.span == tile.shape;
        let runs = match (whole, tile.layout) {
            (true, _) => vec![Rows::run(tile.base, tile.bytes)],
            (false, Layout::Nd | Layout::Linear) => vec![tile_rows(tile)],
            (false, Layout::Nz) => {
                let fractals = Fractals::of_tile(tile, self.core().rows(tile.slot));
                matrix_rows(&fractals, tile.span[0], tile.span[1])
            }
        };
        if !self.touch(tile, 0, true, &runs) {
            return;
        }
        let lane = self.site.lane;
        let l1 = self.core().memory_mut(Position::L1, lane);
        for (start, length) in runs.iter().flat_map(runs_of) {
            let range = start as usize..(start + length) as usize;
            repeat(&element, l1.bytes_mut(range.clone()));
            l1.set_defined(range, true);
        }
    }

    /// Executes `l1_to_l0`: L0A holds ZZ, L0B holds NZ, both of the logical matrix.
    pub(super) fn load_operand(&mut self, load: &OperandLoad) {
        let (dst, src) = (&load.dst, &load.src);
        if src.transposed && src.dtype == DType::Int4 {
            self.illegal("4-bit operands cannot be transposed on their way to L0".to_owned());
            return self.blank(dst);
        }
        let capacity = load.capacity.unwrap_or_else(|| self.core().rows(src.slot));
        let from = Fractals::of_tile(src, capacity);
        let [stored_rows, stored_columns] = load.extent;
        let extent = match src.transposed {
            true => [stored_columns, stored_rows],
            false => load.extent,
        };
        let to = Fractals::of_operand(dst, extent[0], extent[1]);
        let reads = self.touch_matrix(self.pipe, (src, 1, false), &from, load.extent);
        let writes = self.touch_matrix(self.pipe, (dst, 0, true), &to, extent);
        if !reads || !writes {
            return;
        }
        let (l0, l1) = self.core().pair(dst.position, Position::L1);
        match src.transposed {
            false => copy_pieces(l0, &to, l1, &from, extent),
            true => transpose(l0, &to, l1, &from, dst, extent),
        }
    }

    /// Executes `l1_to_l0_fractals`: fractals as they are, or each square of them transposed.
    pub(super) fn load_fractals(&mut self, load: &FractalLoad) {
        let (dst, src) = (&load.dst, &load.src);
        let bits = src.dtype.bits();
        let side = FRACTAL.max(src.dtype.c0());
        // The fractals that a transposition takes together are a square.
        if load.transposed && src.dtype.bytes_of(side * side) != load.parts[0] * FRACTAL_BYTES {
            self.illegal(format!(
                "fractals of {bits}-bit elements cannot be transposed on their way to L0"
            ));
            return self.blank(dst);
        }
        let (to, from) = (load.written(), load.read());
        let reads = self.touch(src, 1, false, &[from]);
        let writes = self.touch(dst, 0, true, &to);
        if !reads || !writes {
            return;
        }
        let (l0, l1) = self.core().pair(dst.position, Position::L1);
        for fractal in 0..load.count {
            let from = (from.start + fractal * from.pitch) as usize;
            let starts = to.iter().map(|rows| rows.start + fractal * rows.pitch);
            let to: SmallVec<[usize; 2]> = starts.map(|start| start as usize).collect();
            match load.transposed {
                false => {
                    for (part, to) in to.iter().enumerate() {
                        let from = from + part * FRACTAL_BYTES as usize;
                        l0.copy_from(*to, l1, from..from + FRACTAL_BYTES as usize);
                    }
                }
                true => transpose_square(l0, &to, l1, from, src.dtype),
            }
        }
    }

    /// Executes `l1_to_bt`.
    pub(super) fn load_bias(&mut self, dst: &Tile, src: &Tile) {
        let bytes = src.dtype.bytes_of(src.span[0] * src.span[1]);
        let (to, from) = (dst.row_major_address(), src.row_major_address());
        let reads = self.touch(src, 1, false, &[Rows::run(from, bytes)]);
        let writes = self.touch(dst, 0, true, &[Rows::run(to, bytes)]);
        if reads && writes && bytes > 0 {
            let (bt, l1) = self.core().pair(Position::Bt, Position::L1);
            bt.copy_from(to as usize, l1, from as usize..(from + bytes) as usize);
        }
    }
}

fn tile_rows(tile: &Tile) -> Rows {
    Rows {
        start: tile.row_major_address(),
        length: tile.dtype.bytes_of(tile.span[1]),
        pitch: tile.dtype.bytes_of(tile.shape[1]),
        count: tile.span[0],
    }
}

/// Returns start and length of each run.
fn runs_of(rows: &Rows) -> impl Iterator<Item = (i64, i64)> {
    (0..rows.count).map(|row| (rows.start + row * rows.pitch, rows.length))
}

/// Loads a matrix that lies inside of its tensor.
fn load_inside(l1: &mut Memory, to: &Fractals, global: &Memory, window: &Window, from: Rows) {
    let row_range = |row: i64| {
        let start = (from.start + row * from.pitch) as usize;
        start..start + from.length as usize
    };
    for row in 0..window.rows {
        let bytes = global.bytes(row_range(row));
        for (strip, piece) in bytes.chunks(to.piece as usize).enumerate() {
            let start = to.at(row, strip as i64) as usize;
            let target = l1.bytes_mut(start..start + to.piece as usize);
            let (place, padding) = target.split_at_mut(piece.len());
            copy_piece(place, piece);
            if !padding.is_empty() {
                padding.fill(0);
            }
            if l1.is_followed() {
                let first = row_range(row).start + strip * to.piece as usize;
                l1.copy_exact_from(start, global, first..first + piece.len());
            }
        }
    }
    // Marks everything as defined, and corrects the rows that have undefined bytes: usually there are none.
    for rows in super::unit_context::matrix_rows(to, window.rows, window.columns) {
        for (start, length) in runs_of(&rows) {
            l1.set_defined(start as usize..(start + length) as usize, true);
        }
    }
    // One test over all rows and the bytes between them, which usually are all defined.
    let all = row_range(0).start..row_range(window.rows - 1).end;
    if from.pitch >= 0 && global.all_defined(all) {
        return;
    }
    for row in 0..window.rows {
        if !global.all_defined(row_range(row)) {
            for (strip, start) in row_range(row).step_by(to.piece as usize).enumerate() {
                let end = (start + to.piece as usize).min(row_range(row).end);
                l1.copy_defined_from(to.at(row, strip as i64) as usize, global, start..end);
            }
        }
    }
}

/// Loads a matrix that leaves its tensor; returns the first element of the first row that does.
fn load_clipped(
    l1: &mut Memory,
    to: &Fractals,
    global: &Memory,
    window: &Window,
    from: Rows,
) -> Option<i64> {
    let mut outside = None;
    for row in 0..window.rows {
        for strip in 0..to.strips(window.columns) {
            let address = to.at(row, strip) as usize;
            let offset = strip * to.piece;
            let bytes = to.piece.min(from.length - offset);
            let padding = address + bytes as usize..address + to.piece as usize;
            l1.bytes_mut(padding.clone()).fill(0);
            l1.set_defined(padding, true);
            if !copy_clipped(
                l1,
                address,
                global,
                from.start + row * from.pitch + offset,
                bytes,
            ) {
                outside = outside.or(Some(row * window.columns));
            }
        }
    }
    outside
}

/// Copies a matrix piece by piece between two layouts.
fn copy_pieces(
    l0: &mut Memory,
    to: &Fractals,
    l1: &Memory,
    from: &Fractals,
    [rows, columns]: [i64; 2],
) {
    for strip in 0..from.strips(columns) {
        let mut row = 0;
        while row < rows {
            // As many rows at once as are adjacent in both layouts.
            let run = to.run(rows - row).min(from.run(rows - row));
            let start = from.at(row, strip) as usize;
            let bytes = (run * from.piece) as usize;
            l0.copy_from(to.at(row, strip) as usize, l1, start..start + bytes);
            row += run;
        }
    }
}

/// Copies a matrix element by element, transposed: `to` holds `rows` by `columns`.
fn transpose(
    l0: &mut Memory,
    to: &Fractals,
    l1: &Memory,
    from: &Fractals,
    dst: &Tile,
    [rows, columns]: [i64; 2],
) {
    let element = |fractals: &Fractals, row: i64, column: i64| {
        let within = dst.dtype.bytes_of(column % fractals.width);
        (fractals.at(row, column / fractals.width) + within) as usize
    };
    let size = dst.dtype.bytes_of(1) as usize;
    for row in 0..rows {
        for column in 0..columns {
            let start = element(from, column, row);
            l0.copy_from(element(to, row, column), l1, start..start + size);
        }
    }
}

/// Transposes a square of fractals, which lie one after the other at `from`; `to` has the address of each of them in
/// the destination. Fractals have 16 rows of 32 bytes: two of them make up a square of 1-byte elements as its halves
/// of rows, and one of 4-byte elements as its halves of columns.
fn transpose_square(l0: &mut Memory, to: &[usize], l1: &Memory, from: usize, dtype: DType) {
    let (high, wide) = (FRACTAL as usize, dtype.c0() as usize);
    let size = dtype.bytes_of(1) as usize;
    let side = high.max(wide);
    let place = |row: usize, column: usize| {
        let fractal = row / high + column / wide;
        (fractal, (row % high * wide + column % wide) * size)
    };
    for row in 0..side {
        for column in 0..side {
            let (fractal, offset) = place(row, column);
            let start = from + fractal * FRACTAL_BYTES as usize + offset;
            let (fractal, offset) = place(column, row);
            l0.copy_from(to[fractal] + offset, l1, start..start + size);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use a2lint_ir::GlobalId;

    #[test]
    fn the_last_strip_is_padded_where_a_matrix_leaves_its_tensor() {
        let global = Memory::from_bytes(vec![1; 72]);
        let mut l1 = Memory::new(2048);
        l1.bytes_mut(0..2048).fill(0xAA);
        let to = Fractals::nz(0, 16, DType::Half, 16);
        // Two rows of one and a half strips, of which the second one is half outside.
        let window = Window {
            global: GlobalId(0),
            dtype: DType::Half,
            start: 0,
            rows: 2,
            columns: 24,
            pitch: 24,
            outside: None,
        };
        let outside = load_clipped(&mut l1, &to, &global, &window, window.bytes());
        assert_eq!(outside, Some(24));
        for row in 0..2 {
            let padding = to.at(row, 1) as usize + 16..to.at(row, 1) as usize + 32;
            assert!(l1.all_defined(padding.clone()));
            assert_eq!(l1.bytes(padding), [0; 16]);
        }
        // What lies outside stays undefined.
        assert!(!l1.any_defined(to.at(1, 0) as usize + 24..to.at(1, 0) as usize + 32));
    }
}
