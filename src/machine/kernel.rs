//! The inner loops of a matrix product.
//!
//! Every element of the result is its own sum in ascending order of k, the product rounded before
//! the sum (`spec` decision 38). Speed comes from columns side by side, never from a different
//! order, so results do not depend on the machine.

use pulp::{Arch, NullaryFnOnce};

use super::panel::Accumulator;

/// Columns that are computed side by side.
pub const LANES: usize = 16;
/// Rows that share one pass over the right operand.
const ROWS: usize = 4;

/// Position of element (column, k) in a right operand of depth `depth`.
pub fn right_index(column: usize, k: usize, depth: usize) -> usize {
    (column / LANES * depth + k) * LANES + column % LANES
}

/// Values that a right operand of `columns` by `depth` takes.
pub fn right_size(columns: usize, depth: usize) -> usize {
    columns.div_ceil(LANES) * LANES * depth
}

/// Adds the product of `left` (row-major, `depth` columns) and `right` (see [`right_index`]) to
/// `sums`, row-major with `pitch` columns, a multiple of [`LANES`].
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
                match rows.len() / depth {
                    ROWS => multiply_block::<T, ROWS>(rows, strip, sums, pitch, panel * LANES),
                    count => {
                        for row in 0..count {
                            let sums = &mut sums[row * pitch..];
                            let rows = &rows[row * depth..][..depth];
                            multiply_block::<T, 1>(rows, strip, sums, pitch, panel * LANES);
                        }
                    }
                }
            }
        }
    }
}

/// `R` rows times one strip of columns.
#[inline(always)]
fn multiply_block<T: Accumulator, const R: usize>(
    rows: &[T],
    strip: &[[T; LANES]],
    sums: &mut [T],
    pitch: usize,
    column: usize,
) {
    let depth = strip.len();
    let rows: [&[T]; R] = std::array::from_fn(|row| &rows[row * depth..][..depth]);
    let mut totals = [[T::default(); LANES]; R];
    for (row, total) in totals.iter_mut().enumerate() {
        total.copy_from_slice(&sums[row * pitch + column..][..LANES]);
    }
    for k in 0..depth {
        let right = &strip[k];
        for (total, row) in totals.iter_mut().zip(rows) {
            let left = row[k];
            for (sum, &value) in total.iter_mut().zip(right) {
                *sum = sum.multiply_add(left, value);
            }
        }
    }
    for (row, total) in totals.iter().enumerate() {
        sums[row * pitch + column..][..LANES].copy_from_slice(total);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn matches_the_naive_product_bit_for_bit() {
        let (m, n, k) = (7, 19, 33);
        let value = |seed: usize| ((seed * 7919 + 13) % 1009) as f32 / 37.0 - 11.0;
        let left: Vec<f32> = (0..m * k).map(value).collect();
        let plain: Vec<f32> = (0..n * k).map(|index| value(index + 5)).collect();
        let mut right = vec![0.0; right_size(n, k)];
        for column in 0..n {
            for depth in 0..k {
                right[right_index(column, depth, k)] = plain[column * k + depth];
            }
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
