//! A naive model of the cube side: matrices of numbers and three loops, without layouts.

use a2lint::isa::DType;
use half::{bf16, f16};

/// A row-major matrix.
#[derive(Clone, Debug)]
pub struct Matrix {
    pub rows: usize,
    pub columns: usize,
    pub values: Vec<f64>,
}

impl Matrix {
    pub fn new(rows: usize, columns: usize, value: impl Fn(usize, usize) -> f64) -> Matrix {
        let places = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        Matrix {
            rows,
            columns,
            values: places.map(|(row, column)| value(row, column)).collect(),
        }
    }

    pub fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.columns + column]
    }

    pub fn map(&self, value: impl Fn(f64) -> f64) -> Matrix {
        Matrix::new(self.rows, self.columns, |row, column| {
            value(self.at(row, column))
        })
    }
}

/// Accumulators of shape `[m, n]`, float or int32.
pub struct Sums {
    pub is_float: bool,
    pub values: Matrix,
}

impl Sums {
    /// Returns the initial sums of `is_init`: the bias of each column, or 0.
    pub fn start(is_float: bool, m: usize, n: usize, bias: Option<&Matrix>) -> Sums {
        let bias = |column| bias.map_or(0.0, |bias| bias.at(0, column));
        Sums {
            is_float,
            values: Matrix::new(m, n, |_, column| bias(column)),
        }
    }

    /// Adds `a[m, k] · b[n, k]ᵀ` in ascending order of k. Floats are rounded after each product and each sum.
    pub fn add(&mut self, a: &Matrix, b: &Matrix) {
        for row in 0..a.rows {
            for column in 0..b.rows {
                let sum = &mut self.values.values[row * b.rows + column];
                for depth in 0..a.columns {
                    let (x, y) = (a.at(row, depth), b.at(column, depth));
                    *sum = match self.is_float {
                        true => f64::from(*sum as f32 + x as f32 * y as f32),
                        false => *sum + x * y,
                    };
                }
            }
        }
    }
}

/// The operations of the fixpipe on the way out of L0C.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fixpipe {
    pub relu: bool,
    pub scale: Option<f32>,
    pub offset: Option<f32>,
}

impl Fixpipe {
    /// Converts an accumulator to the result type.
    pub fn convert(&self, is_float: bool, value: f64, dtype: DType) -> f64 {
        let relu = |value: f64| if self.relu && value < 0.0 { 0.0 } else { value };
        if !is_float && dtype == DType::Int && self.scale.is_none() && self.offset.is_none() {
            return relu(value);
        }
        let mut value = value as f32;
        if let Some(scale) = self.scale {
            value *= scale;
        }
        if let Some(offset) = self.offset {
            value += offset;
        }
        round(relu(f64::from(value)), dtype)
    }
}

/// Rounds to the nearest number of a type, ties to even; integers saturate.
pub fn round(value: f64, dtype: DType) -> f64 {
    match dtype {
        DType::Half => f16::from_f32(value as f32).to_f64(),
        DType::BFloat16 => bf16::from_f32(value as f32).to_f64(),
        DType::Float => f64::from(value as f32),
        DType::Int8 => f64::from(value.round_ties_even() as i8),
        DType::UInt8 => f64::from(value.round_ties_even() as u8),
        DType::Int => f64::from(value.round_ties_even() as i32),
        DType::Int4 => value.round_ties_even().clamp(-8.0, 7.0),
        _ => value,
    }
}

/// Encodes a matrix as the bytes of a row-major tensor.
pub fn encode(matrix: &Matrix, dtype: DType) -> Vec<u8> {
    if dtype == DType::Int4 {
        let nibble = |value: &f64| (*value as i8 as u8) & 0xF;
        let pairs = matrix.values.chunks(2);
        return pairs
            .map(|pair| nibble(&pair[0]) | nibble(&pair[1]) << 4)
            .collect();
    }
    let mut bytes = Vec::new();
    for &value in &matrix.values {
        match dtype {
            DType::Half => bytes.extend(f16::from_f64(value).to_le_bytes()),
            DType::BFloat16 => bytes.extend(bf16::from_f64(value).to_le_bytes()),
            DType::Float => bytes.extend((value as f32).to_le_bytes()),
            DType::Int8 => bytes.extend((value as i8).to_le_bytes()),
            _ => bytes.extend((value as i32).to_le_bytes()),
        }
    }
    bytes
}
