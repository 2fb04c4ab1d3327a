//! Products of matrices in global memory, as one library call computes them.

use super::fixpipe::Target;
use super::memory::{Memory, number};
use super::moves::first_undefined;
use super::operation::{Conversion, GlobalProduct, Window};
use super::unit_context::{UnitContext, takes};
use a2lint_isa::{DST, DType, FACTORS, Opcode, param};

/// The elements of a window, row by row.
struct Elements {
    values: Vec<f64>,
    /// Whether each of them is defined.
    defined: Vec<bool>,
    rows: usize,
    columns: usize,
    /// The first element of the first row that reaches outside of the tensor.
    outside: Option<i64>,
}

impl Elements {
    /// Reads the elements of a window.
    fn of(memory: &Memory, window: &Window) -> Elements {
        let (rows, columns) = (window.rows.max(0) as usize, window.columns.max(0) as usize);
        let size = window.dtype.bytes_of(1);
        let capacity = memory.capacity() as i64;
        let mut elements = Elements {
            values: vec![0.0; rows * columns],
            defined: vec![false; rows * columns],
            rows,
            columns,
            outside: None,
        };
        for row in 0..rows {
            for column in 0..columns {
                let at = window.start + row as i64 * window.pitch + column as i64;
                let address = at * size;
                let index = row * columns + column;
                if address < 0 || address + size > capacity {
                    elements.outside = elements.outside.or(Some((row * columns) as i64));
                    // An element outside of the tensor is reported once. It counts as defined, so that no second
                    // finding follows.
                    elements.defined[index] = true;
                    continue;
                }
                let address = address as usize;
                elements.values[index] = number(memory, window.dtype, address, 0);
                elements.defined[index] = memory.all_defined(address..address + size as usize);
            }
        }
        elements
    }

    /// Returns the same elements with rows and columns swapped.
    fn transposed(self) -> Elements {
        let (rows, columns) = (self.columns, self.rows);
        let order =
            || (0..rows).flat_map(|row| (0..columns).map(move |column| column * rows + row));
        Elements {
            values: order().map(|at| self.values[at]).collect(),
            defined: order().map(|at| self.defined[at]).collect(),
            rows,
            columns,
            outside: self.outside,
        }
    }
}

impl UnitContext<'_, '_> {
    /// Executes `matmul_gm`.
    pub(super) fn multiply_gm(&mut self, product: &GlobalProduct) {
        const BIAS: usize = param!(MultiplyGm.bias);
        let dst = &product.dst;
        // An empty result reads nothing, so no operand can be at fault.
        if dst.rows == 0 || dst.columns == 0 {
            return;
        }
        let [a, b] = &product.factors;
        let types = [dst.dtype, a.dtype, b.dtype];
        if !takes(Opcode::MultiplyGm.row(), &types) {
            let given = product.factors.iter().zip(FACTORS);
            for (window, operand) in given.chain([(dst, DST)]) {
                self.report_mistyped(window, operand);
            }
            return;
        }
        if !product.fits() {
            return self.illegal("the factors of a product do not fit each other".to_owned());
        }
        let read = [(FACTORS[0], a), (FACTORS[1], b)].into_iter();
        for (operand, window) in read.chain(product.bias.iter().map(|bias| (BIAS, bias))) {
            self.check_axes(window, operand, false);
            self.access_global(window.global, operand, false, &[window.bytes()]);
        }
        self.check_axes(dst, DST, true);
        // Stored bytes are recorded even if they are not computed, because order and race checks need them.
        let target = Target::Rows(dst.bytes());
        self.access_global(dst.global, DST, true, &target.rows([dst.rows, dst.columns]));
        // A trial only checks whether the call is legal, and computing the sums would dominate its cost.
        if self.monitor.wants.only_looks {
            return;
        }
        let matrix = self.product(product);
        let outside = self.store(dst, &target, &matrix);
        if let Some(element) = first_undefined(&matrix, 0..matrix.capacity()) {
            let element = element * 8 / dst.dtype.bits();
            self.store_undefined(dst.global, element, &target.rows([dst.rows, dst.columns]));
        }
        if let Some(element) = outside {
            self.report_flat(dst, DST, true, element);
        }
    }

    /// Reads an operand, and reports rows that reach outside of the tensor.
    fn elements(&mut self, window: &Window, operand: usize) -> Elements {
        let elements = Elements::of(self.chip.globals[window.global.index()].memory(), window);
        if let Some(element) = elements.outside {
            self.report_flat(window, operand, false, element);
        }
        elements
    }

    /// Computes the result, row by row.
    fn product(&mut self, product: &GlobalProduct) -> Memory {
        let mut factors = [0, 1].map(|side| {
            let elements = self.elements(&product.factors[side], FACTORS[side]);
            match product.transposed[side] {
                true => elements.transposed(),
                false => elements,
            }
        });
        let bias = product
            .bias
            .map(|bias| self.elements(&bias, param!(MultiplyGm.bias)));
        let [a, b] = &mut factors;
        let (rows, depth, columns) = (a.rows, a.columns, b.columns);
        let starts = |column: usize| bias.as_ref().map_or(0.0, |bias| bias.values[column]);
        let dtype = product.dst.dtype;
        let bytes = match dtype {
            DType::Int => sums_of_integers(a, b, starts),
            _ => {
                let mut sums = sums_of_floats(a, b, starts);
                let conversion = Conversion {
                    relu: false,
                    scale: None,
                    offset: None,
                    saturate: product.saturate,
                };
                conversion.convert(&mut sums, dtype, &mut self.scratch.halves)
            }
        };
        let mut matrix = Memory::from_bytes(bytes);
        let size = dtype.bytes_of(1) as usize;
        // Definedness is tracked by whole rows and columns of the factors: by element, it would cost as much as the
        // product.
        let row_is_whole = |row: usize| {
            a.defined[row * depth..(row + 1) * depth]
                .iter()
                .all(|it| *it)
        };
        let column_is_whole = |column: usize| {
            let has_bias = bias.as_ref().is_none_or(|bias| bias.defined[column]);
            has_bias && (0..depth).all(|at| b.defined[at * columns + column])
        };
        let whole_columns: Vec<bool> = (0..columns).map(column_is_whole).collect();
        for row in 0..rows {
            let is_whole = row_is_whole(row);
            for (column, column_is_whole) in whole_columns.iter().enumerate() {
                if !is_whole || !column_is_whole {
                    let start = (row * columns + column) * size;
                    matrix.set_defined(start..start + size, false);
                }
            }
        }
        matrix
    }
}

/// Returns sums in float: each product is rounded, and products are added in order of increasing depth.
fn sums_of_floats(a: &Elements, b: &Elements, starts: impl Fn(usize) -> f64) -> Vec<f32> {
    let (rows, depth, columns) = (a.rows, a.columns, b.columns);
    // Converted once: each element takes part in as many products as there are rows.
    let right: Vec<f32> = b.values.iter().map(|value| *value as f32).collect();
    let mut sums = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        let mut line: Vec<f32> = (0..columns).map(|column| starts(column) as f32).collect();
        // The depth loop encloses the column loop, so that the inner loop runs along rows of memory; the order of
        // additions stays the same.
        for at in 0..depth {
            let left = a.values[row * depth + at] as f32;
            let others = &right[at * columns..(at + 1) * columns];
            for (sum, other) in line.iter_mut().zip(others) {
                *sum += left * other;
            }
        }
        sums.extend(line);
    }
    sums
}

/// Returns sums in int32, which wrap.
fn sums_of_integers(a: &Elements, b: &Elements, starts: impl Fn(usize) -> f64) -> Vec<u8> {
    let (rows, depth, columns) = (a.rows, a.columns, b.columns);
    let right: Vec<i32> = b.values.iter().map(|value| *value as i32).collect();
    let mut sums = Vec::with_capacity(rows * columns * 4);
    for row in 0..rows {
        let mut line: Vec<i32> = (0..columns).map(|column| starts(column) as i32).collect();
        for at in 0..depth {
            let left = a.values[row * depth + at] as i32;
            let others = &right[at * columns..(at + 1) * columns];
            for (sum, other) in line.iter_mut().zip(others) {
                *sum = sum.wrapping_add(left.wrapping_mul(*other));
            }
        }
        sums.extend(line.iter().flat_map(|sum| sum.to_le_bytes()));
    }
    sums
}
