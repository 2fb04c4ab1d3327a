//! Exact values beside the floats of a memory.
//!
//! An exact value is what a float would be if nothing had been rounded, together with the statement that its
//! error is blamed on. It belongs to the bytes that it was recorded for: it moves with them, and is forgotten
//! when anything else is written there. A float without one is exact.

use std::ops::Range;

/// Number of bytes of a cell: those of the shortest float.
const GRAIN: usize = 2;

/// The exact value of an element.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Exactly {
    /// The value.
    pub value: f64,
    /// The statement that most of the error comes from: its number from 1, or 0 for none.
    pub blame: u16,
}

/// A cell as it is stored: 0 for no value, [`REST`] for the second half of a float of four bytes, else the
/// bits of a value, xored with [`KEY`]. A zeroed memory thus has no values, and takes no room before it is
/// written to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Cell(u64);

const NOTHING: Cell = Cell(0);
const REST: Cell = Cell(1);
/// A NaN that no arithmetic produces, so no value is stored as [`NOTHING`] or [`REST`].
const KEY: u64 = 0x7FF4_A5A5_5A5A_0000;

impl Cell {
    fn of(value: f64) -> Cell {
        // Any other NaN could be `KEY` itself, and would be stored as `NOTHING`.
        let value = if value.is_nan() { f64::NAN } else { value };
        Cell(value.to_bits() ^ KEY)
    }

    fn value(self) -> Option<f64> {
        (self.0 > REST.0).then(|| f64::from_bits(self.0 ^ KEY))
    }
}

/// The exact values of a memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExactValues {
    cells: Vec<u64>,
    /// Empty if errors are not attributed.
    blames: Vec<u16>,
}

impl ExactValues {
    /// Creates the values of a memory of `capacity` bytes, none of which is recorded.
    pub fn new(capacity: usize, is_attributed: bool) -> ExactValues {
        let cells = capacity.div_ceil(GRAIN);
        ExactValues {
            cells: vec![0; cells],
            blames: vec![0; if is_attributed { cells } else { 0 }],
        }
    }

    /// Returns whether the statements that errors are blamed on are kept.
    pub fn are_attributed(&self) -> bool {
        !self.blames.is_empty() || self.cells.is_empty()
    }

    fn cell(&self, index: usize) -> Cell {
        Cell(self.cells.get(index).copied().unwrap_or_default())
    }

    /// Returns the exact value of a float of `size` bytes.
    pub fn get(&self, address: usize, size: usize) -> Option<Exactly> {
        let index = address / GRAIN;
        // A value that was recorded for a float of another size does not apply to this one.
        let is_whole = (self.cell(index + 1) == REST) == (size == 2 * GRAIN);
        if !address.is_multiple_of(GRAIN) || !is_whole {
            return None;
        }
        let value = self.cell(index).value()?;
        let blame = self.blames.get(index).copied().unwrap_or(0);
        Some(Exactly { value, blame })
    }

    /// Calls `each` with the index and the exact value of adjacent floats of `size` bytes that have one.
    pub fn each(&self, range: Range<usize>, size: usize, each: &mut impl FnMut(usize, Exactly)) {
        if !range.start.is_multiple_of(GRAIN) {
            return;
        }
        let cells = self.cells[cells_of(&range)].iter().step_by(size / GRAIN);
        for (number, &cell) in cells.enumerate() {
            // Most floats have no value.
            if cell == NOTHING.0 {
                continue;
            }
            if let Some(exact) = self.get(range.start + number * size, size) {
                each(number, exact);
            }
        }
    }

    /// Replaces the values of adjacent floats of `size` bytes by those that are recorded.
    pub fn replace(&self, range: Range<usize>, size: usize, values: &mut [f64]) {
        if !range.start.is_multiple_of(GRAIN) {
            return;
        }
        let cells = cells_of(&range);
        let next = self.cell(cells.end);
        let cells = &self.cells[cells];
        let put = |value: &mut f64, cell: u64| *value = f64::from_bits(cell ^ KEY);
        if size == 2 * GRAIN {
            for (pair, value) in cells.as_chunks::<2>().0.iter().zip(values) {
                if pair[0] > REST.0 && pair[1] == REST.0 {
                    put(value, pair[0]);
                }
            }
            return;
        }
        let nexts = cells.iter().skip(1).chain([&next.0]);
        for ((&cell, &next), value) in cells.iter().zip(nexts).zip(values) {
            if cell > REST.0 && next != REST.0 {
                put(value, cell);
            }
        }
    }

    /// Records the exact values of adjacent floats of `size` bytes where they differ from the real ones; no values may
    /// be recorded for these bytes.
    pub fn set_all(&mut self, address: usize, size: usize, exact: &[f64], real: &[f64]) {
        if !address.is_multiple_of(GRAIN) {
            return;
        }
        let cells = &mut self.cells[address / GRAIN..];
        let pairs = exact.iter().zip(real);
        if size == 2 * GRAIN {
            for (cells, (&exact, &real)) in cells.as_chunks_mut::<2>().0.iter_mut().zip(pairs) {
                if exact != real {
                    *cells = [Cell::of(exact).0, REST.0];
                }
            }
            return;
        }
        for (cell, (&exact, &real)) in cells.iter_mut().zip(pairs) {
            if exact != real {
                *cell = Cell::of(exact).0;
            }
        }
    }

    /// Returns whether any value is recorded in a range.
    pub fn any(&self, range: Range<usize>) -> bool {
        let cells = range.start / GRAIN..range.end.div_ceil(GRAIN);
        self.cells[cells].iter().any(|&cell| cell != NOTHING.0)
    }

    /// Records the exact value of a float of `size` bytes; no value may be recorded for these bytes.
    pub fn set(&mut self, address: usize, size: usize, exact: Exactly) {
        if !address.is_multiple_of(GRAIN) {
            return;
        }
        let index = address / GRAIN;
        self.cells[index] = Cell::of(exact.value).0;
        if let Some(blame) = self.blames.get_mut(index) {
            *blame = exact.blame;
        }
        if size == 2 * GRAIN {
            self.cells[index + 1] = REST.0;
        }
    }

    /// Forgets the values of all floats that overlap a range.
    pub fn forget(&mut self, range: Range<usize>) {
        if range.is_empty() {
            return;
        }
        let (mut start, mut end) = (range.start / GRAIN, range.end.div_ceil(GRAIN));
        if start > 0 && self.cell(start) == REST {
            start -= 1;
        }
        if self.cell(end) == REST {
            end += 1;
        }
        self.cells[start..end].fill(NOTHING.0);
    }

    /// Copies the values of `range` in another memory.
    pub fn copy_from(&mut self, address: usize, source: &ExactValues, range: Range<usize>) {
        self.forget(address..address + range.len());
        // A move by an odd number of bytes does not keep cells apart, so it brings no values.
        if !address.is_multiple_of(GRAIN) || !range.start.is_multiple_of(GRAIN) {
            return;
        }
        let (from, to) = (cells_of(&range), address / GRAIN);
        let to = to..to + from.len();
        self.cells[to.clone()].copy_from_slice(&source.cells[from.clone()]);
        if self.are_attributed() {
            self.blames[to.clone()].copy_from_slice(&source.blames[from]);
        }
        self.mend(to);
    }

    /// Copies the values of `range`; source and destination may overlap.
    pub fn copy_within(&mut self, range: Range<usize>, address: usize) {
        let is_even = address.is_multiple_of(GRAIN) && range.start.is_multiple_of(GRAIN);
        if !is_even {
            return self.forget(address..address + range.len());
        }
        let (from, to) = (cells_of(&range), address / GRAIN);
        let to = to..to + from.len();
        self.cells.copy_within(from.clone(), to.start);
        if self.are_attributed() {
            self.blames.copy_within(from, to.start);
        }
        self.mend(to);
    }

    /// Forgets halves of floats at the ends of a copied range.
    fn mend(&mut self, cells: Range<usize>) {
        if cells.is_empty() {
            return;
        }
        if self.cell(cells.start) == REST {
            self.cells[cells.start] = NOTHING.0;
        }
        if self.cell(cells.end) == REST {
            self.cells[cells.end] = NOTHING.0;
        }
    }
}

/// Returns the cells that lie in a range as a whole.
fn cells_of(range: &Range<usize>) -> Range<usize> {
    range.start / GRAIN..range.end / GRAIN
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exactly(value: f64) -> Exactly {
        Exactly { value, blame: 7 }
    }

    #[test]
    fn values_belong_to_floats_of_their_size() {
        let mut values = ExactValues::new(16, true);
        values.set(4, 4, exactly(0.1));
        values.set(8, 2, exactly(f64::NAN));
        assert_eq!(values.get(4, 4), Some(exactly(0.1)));
        assert_eq!(values.get(4, 2), None);
        assert_eq!((values.get(6, 2), values.get(0, 4)), (None, None));
        assert!(values.get(8, 2).is_some_and(|it| it.value.is_nan()));
        assert_eq!(values.get(8, 4), None);
        values.set(0, 2, exactly(0.0));
        assert_eq!(values.get(0, 2), Some(exactly(0.0)));
    }

    #[test]
    fn partly_overwritten_values_are_forgotten() {
        for range in [4..5, 7..8, 0..5, 6..12] {
            let mut values = ExactValues::new(16, true);
            values.set(4, 4, exactly(0.5));
            values.forget(range.clone());
            assert_eq!(values.get(4, 4), None, "{range:?}");
            assert_eq!(values.cells, [0; 8], "{range:?}");
        }
    }

    #[test]
    fn copies_bring_whole_floats() {
        let mut values = ExactValues::new(32, true);
        (0..4).for_each(|at| values.set(at * 4, 4, exactly(at as f64)));
        let mut other = ExactValues::new(32, true);
        other.copy_from(8, &values, 2..12);
        assert_eq!(other.get(10, 4), Some(exactly(1.0)));
        assert_eq!(other.get(14, 4), Some(exactly(2.0)));
        assert_eq!((other.get(8, 4), other.get(8, 2)), (None, None));
        values.copy_within(0..12, 4);
        let moved = [4, 8, 12].map(|at| values.get(at, 4).map(|it| it.value));
        assert_eq!(moved, [Some(0.0), Some(1.0), Some(2.0)]);
    }
}
