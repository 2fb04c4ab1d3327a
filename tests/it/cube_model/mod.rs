//! Random kernels of the cube side against [`model`]: loads from the middle of a tensor, `matmul` and `mmad`,
//! transposed operands, split products, accumulation over several steps, bias, and all ways out of L0C. Sums are
//! equal bit for bit.

mod model;

use std::fmt::Write as _;

use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::isa::DType;
use a2lint::machine::{
    Bindings, BoundLaunch, Contents, End, NullObserver, Options, Outcome, number, simulate,
};
use a2lint::text::SourceText;
use model::{Fixpipe, Matrix, Sums, encode, round};
use proptest::prelude::*;
use proptest::sample::select;

/// A kernel with its arguments.
#[derive(Clone, Debug)]
struct Case {
    dtype: DType,
    m: usize,
    n: usize,
    /// The depth (K) of each step; the first one initialises the sums.
    steps: Vec<usize>,
    /// Whether A is stored as `[k, m]`, and B as `[k, n]`.
    transposed: [bool; 2],
    product: ProductForm,
    /// First row and column of the operands in their tensors.
    origin: [usize; 2],
    bias: bool,
    /// The value of B if it is a constant, which the kernel writes to L1.
    constant: Option<i32>,
    way: Way,
    out: DType,
    fixpipe: Fixpipe,
    seed: u64,
}

/// The instruction that computes the product.
#[derive(Clone, Copy, Debug, PartialEq)]
enum ProductForm {
    /// `l1_to_l0` and `mmad`.
    Mmad,
    /// `matmul`, with or without a split.
    Matmul,
    SplitK(usize),
    SplitN(usize),
}

/// The way of results out of L0C.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Way {
    /// Row-major to GM.
    Rows,
    /// NZ to GM.
    Fractals,
    /// To L1, where they are the left operand of another product.
    Republished,
}

fn cases() -> impl Strategy<Value = Case> {
    let types = [
        DType::Half,
        DType::BFloat16,
        DType::Float,
        DType::Int8,
        DType::Int4,
    ];
    (
        select(types.to_vec()),
        select(vec![Way::Rows, Way::Fractals, Way::Republished]),
    )
        .prop_flat_map(|(dtype, way)| {
            let extents = (
                1_usize..70,
                1_usize..70,
                prop::collection::vec(1_usize..50, 1..4),
            );
            let product = prop_oneof![
                Just(ProductForm::Mmad),
                Just(ProductForm::Matmul),
                select(vec![16, 32, 64]).prop_map(ProductForm::SplitK),
                select(vec![16, 32, 64]).prop_map(ProductForm::SplitN),
            ];
            let outs = outs(dtype, way);
            let form = (
                any::<[bool; 2]>(),
                product,
                [0_usize..5, 0..5],
                any::<bool>(),
            );
            let scalar = || prop::option::of(select(vec![0.5_f32, -1.25, 0.03, 3.0]));
            let fixpipe = (any::<bool>(), scalar(), scalar());
            let constant = prop::option::weighted(0.15, -3_i32..4);
            (extents, form, select(outs), fixpipe, constant, any::<u64>()).prop_map(
                move |(
                    (m, n, steps),
                    (transposed, product, origin, bias),
                    out,
                    fixpipe,
                    constant,
                    seed,
                )| {
                    let (relu, scale, offset) = fixpipe;
                    Case {
                        dtype,
                        m,
                        n,
                        steps,
                        transposed,
                        product,
                        origin,
                        bias,
                        constant,
                        way,
                        out,
                        fixpipe: Fixpipe {
                            relu,
                            scale,
                            offset,
                        },
                        seed,
                    }
                    .legal()
                },
            )
        })
}

/// Returns the types to which accumulators of products of `dtype` can be converted on the way out of L0C.
fn outs(dtype: DType, way: Way) -> Vec<DType> {
    use DType::{BFloat16, Float, Half, Int, Int8, UInt8};
    match (dtype, way) {
        // The second product is of halves, or of bytes.
        (DType::Int8 | DType::Int4, Way::Republished) => vec![Half, Int8],
        (_, Way::Republished) => vec![Half, BFloat16],
        (DType::Int8 | DType::Int4, _) => vec![Int, Int8, UInt8, Half],
        _ => vec![Float, Half, BFloat16, Int8, UInt8],
    }
}

impl Case {
    /// Returns the most similar case that the hardware supports.
    fn legal(mut self) -> Case {
        if self.dtype == DType::Int4 {
            // A byte holds two elements, which cannot be transposed.
            self.transposed = [false, false];
            self.steps.iter_mut().for_each(|depth| *depth += *depth % 2);
            self.origin[1] &= !1;
            self.constant = None;
        }
        if self.way == Way::Fractals {
            self.n = self.n.next_multiple_of(16);
        }
        if self.way == Way::Republished {
            (self.fixpipe.scale, self.fixpipe.offset) = (None, None);
        }
        if matches!(self.dtype, DType::Int8 | DType::Int4) && self.product == ProductForm::Mmad {
            self.bias = false;
        }
        self
    }

    fn is_float(&self) -> bool {
        self.dtype.is_float()
    }

    /// Returns the accumulator type.
    fn sum(&self) -> DType {
        if self.is_float() {
            DType::Float
        } else {
            DType::Int
        }
    }

    /// Returns the stored rows and columns of an operand of a step.
    fn stored(&self, operand: usize, depth: usize) -> [usize; 2] {
        let rows = [self.m, self.n][operand];
        match self.transposed[operand] {
            true => [depth, rows],
            false => [rows, depth],
        }
    }

    /// Returns a pseudo-random value of the operand type.
    fn value(&self, salt: usize, row: usize, column: usize) -> f64 {
        let mixed = (self.seed ^ (salt as u64) << 48 ^ (row as u64) << 24 ^ column as u64)
            .wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9) >> 32;
        match self.dtype {
            DType::Int8 => f64::from(mixed as u8 as i8),
            DType::Int4 => f64::from((mixed & 0xF) as i32 - 8),
            dtype => round(mixed as f64 / 2_f64.powi(30) - 2.0, dtype),
        }
    }

    /// Returns an operand of a step in mathematical layout: `[m, k]` or `[n, k]`.
    fn operand(&self, operand: usize, step: usize) -> Matrix {
        let (depth, [r0, c0]) = (self.steps[step], self.origin);
        let rows = [self.m, self.n][operand];
        if let (1, Some(constant)) = (operand, self.constant) {
            return Matrix::new(rows, depth, |_, _| f64::from(constant));
        }
        let salt = operand * 8 + step;
        Matrix::new(rows, depth, |row, k| match self.transposed[operand] {
            true => self.value(salt, r0 + k, c0 + row),
            false => self.value(salt, r0 + row, c0 + k),
        })
    }

    /// Returns the tensor that contains an operand of a step, with a margin on all sides.
    fn tensor(&self, operand: usize, step: usize) -> Matrix {
        let [rows, columns] = self.stored(operand, self.steps[step]);
        let [r0, c0] = self.origin;
        let salt = operand * 8 + step;
        let columns = (c0 + columns + 3).next_multiple_of(2);
        Matrix::new(r0 + rows + 2, columns, |row, column| {
            self.value(salt, row, column)
        })
    }

    fn bias(&self) -> Option<Matrix> {
        let columns = self.n.next_multiple_of(16);
        let value = |_, column| self.value(40, 0, column).round();
        self.bias.then(|| Matrix::new(1, columns, value))
    }

    /// Returns the right operand of the second product, `[n, n]` in the type to which L0C was converted.
    fn second(&self) -> Matrix {
        let value = |row, column| (self.value(50, row, column) * 4.0).round().clamp(-8.0, 8.0);
        Matrix::new(self.n, self.n, value)
    }

    /// Returns the number of rows of the result, which is a multiple of the fractal size if the result stays in
    /// fractals.
    fn stored_rows(&self) -> usize {
        match self.way {
            Way::Fractals => self.m.next_multiple_of(16),
            _ => self.m,
        }
    }

    fn result(&self) -> DType {
        match (self.way, self.out) {
            (Way::Republished, DType::Int8) => DType::Int,
            (Way::Republished, _) => DType::Float,
            (_, out) => out,
        }
    }

    fn expected(&self) -> Matrix {
        let mut sums = Sums::start(self.is_float(), self.m, self.n, self.bias().as_ref());
        for step in 0..self.steps.len() {
            sums.add(&self.operand(0, step), &self.operand(1, step));
        }
        let convert = |value| self.fixpipe.convert(self.is_float(), value, self.out);
        let converted = sums.values.map(convert);
        if self.way != Way::Republished {
            return converted;
        }
        let mut sums = Sums::start(self.out.is_float(), self.m, self.n, None);
        sums.add(&converted, &self.second());
        sums.values
    }
}

/// The kernel.
impl Case {
    fn source(&self) -> String {
        let mut text = String::from("from easyasc.a2 import *\n\n@kernel()\ndef cube(");
        for step in 0..self.steps.len() {
            let _ = write!(text, "a{step}: GMTensor, b{step}: GMTensor, ");
        }
        text.push_str("bias: GMTensor, second: GMTensor, c: GMTensor):\n");
        let mut line = |line: String| {
            let _ = writeln!(text, "    {line}");
        };
        let (m, n) = (self.m, self.n);
        let deepest = self.steps.iter().copied().max().unwrap_or(1);
        let (dtype, sum) = (self.dtype, self.sum());
        for (name, operand) in [("a", 0), ("b", 1)] {
            let [rows, columns] = self
                .stored(operand, deepest)
                .map(|extent| extent.next_multiple_of(64));
            line(format!(
                "l1_{name} = Tensor(DT.{dtype}, [{rows}, {columns}], Position.L1)"
            ));
            let rows = [m, n][operand].next_multiple_of(16);
            let columns = deepest.next_multiple_of(64);
            let position = ["L0A", "L0B"][operand];
            if self.product == ProductForm::Mmad {
                line(format!(
                    "l0_{name} = Tensor(DT.{dtype}, [{rows}, {columns}], Position.{position})"
                ));
            }
        }
        let [m16, n16] = [m, n].map(|extent| extent.next_multiple_of(16));
        line(format!(
            "l0c = Tensor(DT.{sum}, [{m16}, {n16}], Position.L0C)"
        ));
        if self.bias {
            line(format!(
                "l1_bias = Tensor(DT.{sum}, [1, {n16}], Position.L1, layout=Layout.ND)"
            ));
            line("gm_to_l1(l1_bias, bias)".to_owned());
            if self.product == ProductForm::Mmad {
                line(format!("bt = Tensor(DT.{sum}, [1, {n16}], Position.BT)"));
                line("l1_to_bt(bt, l1_bias)".to_owned());
            }
        }
        for (step, &depth) in self.steps.iter().enumerate() {
            self.step(step, depth, &mut line);
        }
        self.leave(&mut line);
        text.push_str("    return c\n");
        text
    }

    fn step(&self, step: usize, depth: usize, line: &mut impl FnMut(String)) {
        let (m, n, [r0, c0]) = (self.m, self.n, self.origin);
        for (operand, name) in ["a", "b"].into_iter().enumerate() {
            let [rows, columns] = self.stored(operand, depth);
            if let (1, Some(constant)) = (operand, self.constant) {
                line(format!("set_constant_to_l1(l1_{name}, {constant})"));
                continue;
            }
            let window = format!("{r0}:{}, {c0}:{}", r0 + rows, c0 + columns);
            line(format!("gm_to_l1_nd2nz(l1_{name}, {name}{step}[{window}])"));
        }
        let turned = |operand: usize| if self.transposed[operand] { ".T" } else { "" };
        let init = if step == 0 { "True" } else { "False" };
        let bias = |name: &str| match self.bias && step == 0 {
            true => format!(", bias={name}"),
            false => String::new(),
        };
        if self.product == ProductForm::Mmad {
            for (operand, name) in ["a", "b"].into_iter().enumerate() {
                let [rows, columns] = self.stored(operand, depth);
                let turned = turned(operand);
                line(format!(
                    "l1_to_l0(l0_{name}, l1_{name}[0:{rows}, 0:{columns}]{turned})"
                ));
            }
            let extents = format!("M={m}, N={n}, K={depth}");
            line(format!(
                "mmad(l0c, l0_a, l0_b, {extents}, is_init={init}{})",
                bias("bt")
            ));
            return;
        }
        let split = match self.product {
            ProductForm::SplitK(split) => format!(", splitk={split}"),
            ProductForm::SplitN(split) => format!(", splitn={split}"),
            _ => String::new(),
        };
        let operands = format!("l1_a{}, l1_b{}", turned(0), turned(1));
        let extents = format!("m={m}, n={n}, k={depth}");
        line(format!(
            "matmul(l0c, {operands}, {extents}{split}, is_init={init}{})",
            bias("l1_bias")
        ));
    }

    fn leave(&self, line: &mut impl FnMut(String)) {
        let (m, n) = (self.m, self.n);
        let [m16, n16] = [m, n].map(|extent| extent.next_multiple_of(16));
        let mut options = String::new();
        if self.fixpipe.relu {
            options.push_str(", relu=True");
        }
        for (name, value) in [
            ("scale", self.fixpipe.scale),
            ("offset", self.fixpipe.offset),
        ] {
            if let Some(value) = value {
                let _ = write!(options, ", {name}={value:?}");
            }
        }
        match self.way {
            Way::Rows => line(format!(
                "l0c_to_gm_nz2nd(c[0:{m}, 0:{n}], l0c[0:{m}, 0:{n}]{options})"
            )),
            Way::Fractals => line(format!("l0c_to_gm_nz2nz(c, l0c, M={m}, N={n}{options})")),
            Way::Republished => {
                let (out, sum) = (self.out, self.result());
                let wide = n.next_multiple_of(32);
                line(format!(
                    "l1_c = Tensor(DT.{out}, [{m16}, {wide}], Position.L1)"
                ));
                line(format!(
                    "l1_second = Tensor(DT.{out}, [{wide}, {wide}], Position.L1)"
                ));
                line(format!(
                    "l0c_second = Tensor(DT.{sum}, [{m16}, {n16}], Position.L0C)"
                ));
                line(format!(
                    "l0c_to_l1(l1_c[0:{m}, 0:{n}], l0c[0:{m}, 0:{n}]{options})"
                ));
                line(format!("gm_to_l1_nd2nz(l1_second, second[0:{n}, 0:{n}])"));
                line(format!(
                    "matmul(l0c_second, l1_c, l1_second, m={m}, n={n}, k={n})"
                ));
                line(format!(
                    "l0c_to_gm_nz2nd(c[0:{m}, 0:{n}], l0c_second[0:{m}, 0:{n}])"
                ));
            }
        }
    }

    fn bindings(&self) -> Bindings {
        let mut bindings = Bindings {
            cores: Some(1),
            ..Bindings::default()
        };
        let mut bind = |name: String, dtype: DType, matrix: &Matrix| {
            let shape = vec![matrix.rows as i64, matrix.columns as i64];
            bindings.shapes.push((name.clone(), shape));
            bindings.dtypes.push((name.clone(), dtype));
            let contents = Contents::Bytes(encode(matrix, dtype).into());
            bindings.contents.push((name, contents));
        };
        for step in 0..self.steps.len() {
            for (operand, name) in ["a", "b"].into_iter().enumerate() {
                bind(
                    format!("{name}{step}"),
                    self.dtype,
                    &self.tensor(operand, step),
                );
            }
        }
        let none = Matrix::new(1, 1, |_, _| 0.0);
        bind(
            "bias".into(),
            self.sum(),
            self.bias().as_ref().unwrap_or(&none),
        );
        let second = if self.way == Way::Republished {
            self.out
        } else {
            DType::Half
        };
        bind("second".into(), second, &self.second());
        let shape = vec![self.stored_rows() as i64, self.n as i64];
        bindings.shapes.push(("c".into(), shape));
        bindings.dtypes.push(("c".into(), self.result()));
        bindings
    }

    fn run(&self, source: &str) -> Outcome {
        let module = trace(&SourceText::new(source));
        let program = &module.programs[0];
        let device = Device::default();
        let bound = BoundLaunch::bind(program, None, &[], &self.bindings(), device, 1 << 30);
        let bound = bound.unwrap_or_else(|error| panic!("{error}\n{source}"));
        let outcome = simulate(program, &bound, &Options::default(), &mut NullObserver);
        assert_eq!(outcome.end, End::Finished, "{source}");
        let (illegal, findings) = (&outcome.illegal, &outcome.findings);
        assert!(
            outcome.faithful,
            "{illegal:?} {:?}\n{source}",
            program.notes
        );
        assert!(findings.is_empty(), "{findings:?}\n{source}");
        outcome
    }

    fn check(&self) {
        let source = self.source();
        let outcome = self.run(&source);
        let memory = outcome.globals.last().expect("the kernel has a result");
        let (dtype, expected) = (self.result(), self.expected());
        let size = dtype.bytes_of(1) as usize;
        for row in 0..self.m {
            for column in 0..self.n {
                let index = match self.way {
                    Way::Fractals => ((column / 16) * self.stored_rows() + row) * 16 + column % 16,
                    _ => row * self.n + column,
                };
                assert!(memory.all_defined(index * size..(index + 1) * size));
                let actual = number(memory, dtype, index * size, 0);
                let wanted = expected.at(row, column);
                assert!(
                    actual == wanted || actual.is_nan() && wanted.is_nan(),
                    "[{row}, {column}] is {actual}, expected {wanted}\n{source}"
                );
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, max_shrink_iters: 200,
        failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_cube_side_is_as_the_model_says(case in cases()) {
        case.check();
    }
}
