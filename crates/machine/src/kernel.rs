//! The inner loops of a matrix product.
//!
//! Every element of the result is its own sum in ascending order of k, the product rounded before
//! the sum: nothing is fused. Speed comes from columns side by side, never from a different
//! order, so results do not depend on the machine.

use pulp::{Arch, NullaryFnOnce};

use super::accumulator::Accumulator;
use super::memory::copy_array;

/// Number of columns that are computed side by side.
// Sixteen floats fill the widest vector register, of 512 bits.
pub const LANES: usize = 16;
/// Number of rows that share one pass over the right operand.
const ROWS: usize = 4;
/// Number of elements in most pieces of an operand: a row of a fractal in half precision.
const PIECE: usize = 16;

/// The order of the elements of an operand with `rows` rows (for the right one, columns of the result) of
/// `depth` elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Order {
    rows: usize,
    depth: usize,
    /// Number of rows whose elements of one depth are adjacent.
    together: usize,
}

impl Order {
    /// Returns the order of the left operand: row after row.
    pub fn left(rows: usize, depth: usize) -> Order {
        Order {
            rows,
            depth,
            together: 1,
        }
    }

    /// Returns the order of the right operand: the elements of [`LANES`] columns are adjacent.
    pub fn right(columns: usize, depth: usize) -> Order {
        Order {
            rows: columns,
            depth,
            together: LANES,
        }
    }

    /// Returns the number of elements, including those that pad the rows to a multiple of `together`.
    pub fn size(&self) -> usize {
        self.rows.next_multiple_of(self.together) * self.depth
    }

    /// Returns the index of an element.
    pub fn index(&self, row: usize, depth: usize) -> usize {
        (row / self.together * self.depth + depth) * self.together + row % self.together
    }

    /// Stores elements of one row, from `depth` on.
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

    /// Stores elements of one depth, from `row` on.
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
    // Selects the widest registers of the processor; compilers never fuse product and sum by themselves.
    Arch::new().dispatch(Strips {
        sums,
        pitch,
        left,
        right,
        depth,
    });
}

/// The arguments of [`multiply`]. Not a closure: those are called through a shim that is not inlined, and
/// what is not inlined is compiled for the oldest processor.
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
        // `chunks` panics on a length of 0.
        if depth == 0 || pitch == 0 {
            return;
        }
        let panels = self.right.chunks_exact(LANES * depth);
        for (panel, strip) in panels.enumerate() {
            let strip = strip.as_chunks::<LANES>().0;
            let left = self.left.chunks(ROWS * depth);
            for (rows, sums) in left.zip(self.sums.chunks_mut(ROWS * pitch)) {
                let column = panel * LANES;
                // The last rows may be fewer.
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

/// The sums of one row in one strip.
type Sums<T> = [T; LANES];

/// Multiplies four rows by one strip of columns. They are spelled out because the sums would be kept in
/// memory if the compiler chose not to unroll a loop.
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

/// Multiplies one row by one strip of columns.
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
    // No iterators: builds with little optimisation would call them, in the innermost loop of the machine.
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
    fn rows_and_columns_are_stored_in_the_same_places() {
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
    fn registers_of_any_width_give_the_same_bits() {
        use pulp::x86::{V3, V4};
        // No extent is a multiple of the rows or lanes that are computed at once.
        let (m, n, k) = (9, 37, 65);
        let value = |at: usize| {
            let power = (at * 31 % 41) as i32 - 20;
            // Magnitudes far apart, so that another order of the sum would give other bits.
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
        // No extent is a multiple of the rows or lanes that are computed at once.
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
