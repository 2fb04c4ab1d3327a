//! The inner loops of a matrix product.
//!
//! Every element of the result is its own sum in ascending order of k, the product rounded before
//! the sum: nothing is fused. Speed comes from columns side by side, never from a different
//! order, so results do not depend on the machine.

use pulp::{Arch, NullaryFnOnce};

use super::accumulator::Accumulator;
use super::memory::copy_array;

/// Columns that are computed side by side.
pub const LANES: usize = 16;
/// Rows that share one pass over the right operand.
const ROWS: usize = 4;
/// Elements that most pieces of an operand have: a fractal of halves has so many in a row.
const PIECE: usize = 16;

/// In which order the elements of an operand stand, of so many rows (columns of the result, for the right one)
/// and so much depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    rows: usize,
    depth: usize,
    /// Rows whose elements of one depth stand side by side.
    together: usize,
}

impl Order {
    /// The left operand: row after row.
    pub fn left(rows: usize, depth: usize) -> Order {
        Order {
            rows,
            depth,
            together: 1,
        }
    }

    /// The right operand: [`LANES`] columns side by side.
    pub fn right(columns: usize, depth: usize) -> Order {
        Order {
            rows: columns,
            depth,
            together: LANES,
        }
    }

    /// Elements, with those that fill up the last rows side by side.
    pub fn size(&self) -> usize {
        self.rows.next_multiple_of(self.together) * self.depth
    }

    /// Where an element stands.
    pub fn index(&self, row: usize, depth: usize) -> usize {
        (row / self.together * self.depth + depth) * self.together + row % self.together
    }

    /// Puts elements of one row in their places, from `depth` on.
    pub fn put_row<T: Copy>(&self, values: &mut [T], row: usize, depth: usize, elements: &[T]) {
        let places = &mut values[self.index(row, depth)..];
        if self.together == 1 {
            let places = &mut places[..elements.len()];
            if !copy_array::<_, PIECE>(places, elements) {
                places.copy_from_slice(elements);
            }
            return;
        }
        for (place, &value) in places.chunks_mut(self.together).zip(elements) {
            place[0] = value;
        }
    }

    /// Puts elements of one depth in their places, from `row` on.
    pub fn put_column<T: Copy>(&self, values: &mut [T], row: usize, depth: usize, elements: &[T]) {
        let mut row = row;
        let mut rest = elements;
        while !rest.is_empty() {
            let count = rest.len().min(self.together - row % self.together);
            let (now, later) = rest.split_at(count);
            values[self.index(row, depth)..][..count].copy_from_slice(now);
            (row, rest) = (row + count, later);
        }
    }
}

/// Adds the product of `left` (see [`Order::left`]) and `right` (see [`Order::right`]), both of depth `depth`,
/// to `sums`, row-major with `pitch` columns, a multiple of [`LANES`].
pub fn multiply<T: Accumulator>(
    sums: &mut [T],
    pitch: usize,
    left: &[T],
    right: &[T],
    depth: usize,
) {
    // Wider registers where the processor has them; compilers never fuse product and sum.
    Arch::new().dispatch(Strips {
        sums,
        pitch,
        left,
        right,
        depth,
    });
}

/// What [`multiply`] is asked for. Not a closure: the shim through which those are called is not
/// inlined, and what is not inlined is compiled for the oldest processor.
struct Strips<'a, T> {
    sums: &'a mut [T],
    pitch: usize,
    left: &'a [T],
    right: &'a [T],
    depth: usize,
}

impl<T: Accumulator> NullaryFnOnce for Strips<'_, T> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        let Self { pitch, depth, .. } = self;
        if depth == 0 || pitch == 0 {
            return;
        }
        let panels = self.right.chunks_exact(LANES * depth);
        for (panel, strip) in panels.enumerate() {
            let strip = strip.as_chunks::<LANES>().0;
            let left = self.left.chunks(ROWS * depth);
            for (rows, sums) in left.zip(self.sums.chunks_mut(ROWS * pitch)) {
                let column = panel * LANES;
                if rows.len() == ROWS * depth {
                    multiply_four(rows, strip, sums, pitch, column);
                    continue;
                }
                for (row, sums) in rows.chunks_exact(depth).zip(sums.chunks_mut(pitch)) {
                    multiply_one(row, strip, sums, column);
                }
            }
        }
    }
}

/// Sums of one row in one strip.
type Sums<T> = [T; LANES];

/// Four rows times one strip of columns. The four are spelled out: as a loop, their sums would be kept
/// in memory whenever the compiler chooses not to unroll it.
#[inline(always)]
fn multiply_four<T: Accumulator>(
    rows: &[T],
    strip: &[[T; LANES]],
    sums: &mut [T],
    pitch: usize,
    column: usize,
) {
    let depth = strip.len();
    let (a, rows) = rows.split_at(depth);
    let (b, rows) = rows.split_at(depth);
    let (c, d) = rows.split_at(depth);
    let place = |row: usize| row * pitch + column..row * pitch + column + LANES;
    let load = |row| -> Sums<T> { std::array::from_fn(|lane| sums[place(row)][lane]) };
    let (mut of_a, mut of_b, mut of_c, mut of_d) = (load(0), load(1), load(2), load(3));
    for ((((right, &a), &b), &c), &d) in strip.iter().zip(a).zip(b).zip(c).zip(d) {
        add_products(&mut of_a, a, right);
        add_products(&mut of_b, b, right);
        add_products(&mut of_c, c, right);
        add_products(&mut of_d, d, right);
    }
    for (row, total) in [of_a, of_b, of_c, of_d].iter().enumerate() {
        sums[place(row)].copy_from_slice(total);
    }
}

/// One row times one strip of columns.
#[inline(always)]
fn multiply_one<T: Accumulator>(row: &[T], strip: &[[T; LANES]], sums: &mut [T], column: usize) {
    let sums = &mut sums[column..column + LANES];
    let mut totals: Sums<T> = std::array::from_fn(|lane| sums[lane]);
    for (right, &left) in strip.iter().zip(row) {
        add_products(&mut totals, left, right);
    }
    sums.copy_from_slice(&totals);
}

#[inline(always)]
fn add_products<T: Accumulator>(totals: &mut Sums<T>, left: T, right: &[T; LANES]) {
    // No iterators: where little is optimised, they would be called, and this is the innermost loop.
    let mut lane = 0;
    while lane < LANES {
        totals[lane] = totals[lane].multiply_add(left, right[lane]);
        lane += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_find_their_places_by_row_and_by_column() {
        for order in [Order::left(37, 9), Order::right(37, 9)] {
            let (mut by_row, mut by_column) = (vec![0; order.size()], vec![0; order.size()]);
            for row in 0..37 {
                let elements: Vec<usize> = (0..9).map(|depth| row * 9 + depth).collect();
                order.put_row(&mut by_row, row, 0, &elements[..4]);
                order.put_row(&mut by_row, row, 4, &elements[4..]);
            }
            for depth in 0..9 {
                let elements: Vec<usize> = (0..37).map(|row| row * 9 + depth).collect();
                order.put_column(&mut by_column, 0, depth, &elements[..5]);
                order.put_column(&mut by_column, 5, depth, &elements[5..]);
            }
            assert_eq!(by_row, by_column);
            assert_eq!(by_row[order.index(36, 8)], 36 * 9 + 8);
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[test]
    fn registers_of_any_width_come_to_the_same() {
        use pulp::x86::{V3, V4};
        let (m, n, k) = (9, 37, 65);
        let value = |at: usize| {
            let power = (at * 31 % 41) as i32 - 20;
            ((at * 7919 + 13) % 1009) as f32 * 2_f32.powi(power) - 11.0
        };
        let left: Vec<f32> = (0..m * k).map(value).collect();
        let right: Vec<f32> = (0..Order::right(n, k).size()).map(value).collect();
        let pitch = n.next_multiple_of(LANES);
        let product = |run: &dyn Fn(Strips<f32>)| -> Vec<u32> {
            let mut sums = vec![0.5; m * pitch];
            run(Strips {
                sums: &mut sums,
                pitch,
                left: &left,
                right: &right,
                depth: k,
            });
            sums.into_iter().map(f32::to_bits).collect()
        };
        let plain = product(&|strips| strips.call());
        if let Some(v3) = V3::try_new() {
            assert_eq!(product(&|strips| v3.vectorize(strips)), plain);
        }
        if let Some(v4) = V4::try_new() {
            assert_eq!(product(&|strips| v4.vectorize(strips)), plain);
        }
    }

    #[test]
    fn matches_the_naive_product_bit_for_bit() {
        let (m, n, k) = (7, 19, 33);
        let value = |seed: usize| ((seed * 7919 + 13) % 1009) as f32 / 37.0 - 11.0;
        let left: Vec<f32> = (0..m * k).map(value).collect();
        let plain: Vec<f32> = (0..n * k).map(|index| value(index + 5)).collect();
        let order = Order::right(n, k);
        let mut right = vec![0.0; order.size()];
        for (column, elements) in plain.chunks_exact(k).enumerate() {
            order.put_row(&mut right, column, 0, elements);
        }
        let pitch = n.div_ceil(LANES) * LANES;
        let mut sums = vec![0.5_f32; m * pitch];
        multiply(&mut sums, pitch, &left, &right, k);
        for row in 0..m {
            for column in 0..n {
                let mut sum = 0.5_f32;
                for depth in 0..k {
                    sum += left[row * k + depth] * plain[column * k + depth];
                }
                assert_eq!(sums[row * pitch + column].to_bits(), sum.to_bits());
            }
        }
    }
}
