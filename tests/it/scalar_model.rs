//! Random scalar programs in the simulator against a model of C arithmetic: all widths, signed and unsigned, shifts,
//! division, comparisons, narrowing, f32 rounding, and parameters to which the launch gives floats.
//!
//! The model uses Rust's own integer types and shares no code with the simulator. `A2LINT_SCALAR_PROGRAMS=20000` sets
//! the number of programs.

use std::fmt::Write;

use crate::fuzzing::mutate::Random;
use a2lint::device::Device;
use a2lint::frontend::dsl::trace;
use a2lint::isa::DType;
use a2lint::machine::{Bindings, BoundLaunch, Contents, End, NullObserver, Options, simulate};
use a2lint::text::SourceText;

/// The types of variables.
const TYPES: [DType; 9] = [
    DType::Int8,
    DType::Int16,
    DType::Int,
    DType::Int64,
    DType::UInt8,
    DType::UInt16,
    DType::UInt32,
    DType::UInt64,
    DType::Float,
];
/// The parameters of the launch.
const N: i32 = 77;
const F: f32 = 2.5;
/// Number of rows of the tensors from which scalars are read.
const ROWS: usize = 16;

/// A value in the type of the arithmetic.
#[derive(Clone, Copy, Debug, PartialEq)]
enum V {
    /// A Python integer.
    Constant(i128),
    I32(i32),
    U32(u32),
    I64(i64),
    U64(u64),
    F32(f32),
}

#[derive(Clone, Debug)]
enum E {
    Int(i128),
    Float(f64),
    Variable(usize),
    N,
    F,
    Unary(&'static str, Box<E>),
    Binary(&'static str, Box<E>, Box<E>),
}

enum S {
    Assign(usize, E),
    Read(usize, usize),
    If(&'static str, E, E, Vec<S>, Vec<S>),
    Loop(usize, Vec<S>),
}

/// The result of a program that has no value, or that the generator rejects. It is not compared.
struct Nothing;

type Maybe<T> = Result<T, Nothing>;

macro_rules! whole {
    ($name:ident, $ty:ty) => {
        fn $name(op: &str, a: $ty, b: $ty) -> Maybe<$ty> {
            let count = u32::try_from(b).ok().filter(|&count| count < <$ty>::BITS);
            let up = |a: $ty| {
                let sum = a.wrapping_add(b).wrapping_sub(1);
                match b {
                    0 => Err(Nothing),
                    b => Ok(sum.wrapping_div(b)),
                }
            };
            Ok(match op {
                "+" => a.wrapping_add(b),
                "-" => a.wrapping_sub(b),
                "*" => a.wrapping_mul(b),
                "//" | "var_mod" if b == 0 => return Err(Nothing),
                "//" => a.wrapping_div(b),
                "var_mod" => a.wrapping_rem(b),
                "var_and" => a & b,
                "var_or" => a | b,
                "var_shl" => a << count.ok_or(Nothing)?,
                "var_shr" => a >> count.ok_or(Nothing)?,
                "Min" => a.min(b),
                "Max" => a.max(b),
                "CeilDiv" => up(a)?,
                "Align16" => up(a)?.wrapping_mul(b),
                _ => unreachable!("{op}"),
            })
        }
    };
}

whole!(i32s, i32);
whole!(u32s, u32);
whole!(i64s, i64);
whole!(u64s, u64);

fn f32s(op: &str, a: f32, b: f32) -> Maybe<f32> {
    Ok(match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "//" => a / b,
        "Min" => {
            if b < a {
                b
            } else {
                a
            }
        }
        "Max" => {
            if b > a {
                b
            } else {
                a
            }
        }
        _ => return Err(Nothing),
    })
}

impl V {
    fn rank(self) -> usize {
        match self {
            V::Constant(_) => 0,
            V::I32(_) => 1,
            V::U32(_) => 2,
            V::I64(_) => 3,
            V::U64(_) => 4,
            V::F32(_) => 5,
        }
    }

    /// Converts a value to the type of `like`.
    fn to(self, like: V) -> V {
        macro_rules! each {
            ($make:expr, $ty:ty) => {
                $make(match self {
                    V::Constant(x) => x as $ty,
                    V::I32(x) => x as $ty,
                    V::U32(x) => x as $ty,
                    V::I64(x) => x as $ty,
                    V::U64(x) => x as $ty,
                    V::F32(x) => x as $ty,
                })
            };
        }
        match like {
            V::Constant(_) => self,
            V::I32(_) => each!(V::I32, i32),
            V::U32(_) => each!(V::U32, u32),
            V::I64(_) => each!(V::I64, i64),
            V::U64(_) => each!(V::U64, u64),
            V::F32(_) => each!(V::F32, f32),
        }
    }

    fn is_float(self) -> bool {
        matches!(self, V::F32(_))
    }
}

fn binary(op: &'static str, a: V, b: V) -> Maybe<V> {
    let is_shift = matches!(op, "var_shl" | "var_shr");
    let like = match is_shift && a.rank() > 0 {
        true => a,
        false if a.rank() >= b.rank() => a,
        false => b,
    };
    if (a.is_float() || b.is_float()) && !matches!(op, "+" | "-" | "*" | "//" | "Min" | "Max") {
        return Err(Nothing);
    }
    Ok(match (a.to(like), b.to(like)) {
        (V::I32(a), V::I32(b)) => V::I32(i32s(op, a, b)?),
        (V::U32(a), V::U32(b)) => V::U32(u32s(op, a, b)?),
        (V::I64(a), V::I64(b)) => V::I64(i64s(op, a, b)?),
        (V::U64(a), V::U64(b)) => V::U64(u64s(op, a, b)?),
        (V::F32(a), V::F32(b)) => V::F32(f32s(op, a, b)?),
        _ => return Err(Nothing),
    })
}

fn compare(op: &str, a: V, b: V) -> Maybe<bool> {
    let like = if a.rank() >= b.rank() { a } else { b };
    let ordering = match (a.to(like), b.to(like)) {
        (V::I32(a), V::I32(b)) => Some(a.cmp(&b)),
        (V::U32(a), V::U32(b)) => Some(a.cmp(&b)),
        (V::I64(a), V::I64(b)) => Some(a.cmp(&b)),
        (V::U64(a), V::U64(b)) => Some(a.cmp(&b)),
        (V::F32(a), V::F32(b)) => a.partial_cmp(&b),
        _ => return Err(Nothing),
    };
    Ok(match op {
        "<" => ordering.is_some_and(|it| it.is_lt()),
        "<=" => ordering.is_some_and(|it| it.is_le()),
        ">" => ordering.is_some_and(|it| it.is_gt()),
        ">=" => ordering.is_some_and(|it| it.is_ge()),
        "==" => ordering.is_some_and(|it| it.is_eq()),
        _ => !ordering.is_some_and(|it| it.is_eq()),
    })
}

/// Stores a value in a variable of a type. Returns the value that arithmetic reads back, and its bytes.
fn kept(dtype: DType, value: V) -> (V, [u8; 8]) {
    let mut bytes = [0; 8];
    macro_rules! narrow {
        ($ty:ty) => {{
            let V::I32(wide) = (match value {
                V::F32(_) => value.to(V::I32(0)),
                V::Constant(x) => V::I32(x as i32),
                V::I32(x) => V::I32(x),
                V::U32(x) => V::I32(x as i32),
                V::I64(x) => V::I32(x as i32),
                V::U64(x) => V::I32(x as i32),
            }) else {
                unreachable!()
            };
            let narrow = wide as $ty;
            bytes[..size_of::<$ty>()].copy_from_slice(&narrow.to_le_bytes());
            V::I32(i32::from(narrow))
        }};
    }
    let kept = match dtype {
        DType::Int8 => narrow!(i8),
        DType::Int16 => narrow!(i16),
        DType::UInt8 => narrow!(u8),
        DType::UInt16 => narrow!(u16),
        DType::Int => value.to(V::I32(0)),
        DType::UInt32 => value.to(V::U32(0)),
        DType::Int64 => value.to(V::I64(0)),
        DType::UInt64 => value.to(V::U64(0)),
        _ => value.to(V::F32(0.0)),
    };
    match kept {
        V::I32(x) if dtype == DType::Int => bytes[..4].copy_from_slice(&x.to_le_bytes()),
        V::U32(x) => bytes[..4].copy_from_slice(&x.to_le_bytes()),
        V::I64(x) => bytes.copy_from_slice(&x.to_le_bytes()),
        V::U64(x) => bytes.copy_from_slice(&x.to_le_bytes()),
        V::F32(x) => bytes[..4].copy_from_slice(&x.to_le_bytes()),
        _ => {}
    }
    (kept, bytes)
}

/// A program and its state in the model.
struct Program {
    /// The type and initial value of each variable.
    variables: Vec<(DType, E)>,
    body: Vec<S>,
}

struct Run<'a> {
    program: &'a Program,
    values: Vec<(V, [u8; 8])>,
    data: &'a [u8],
}

impl Run<'_> {
    fn value(&self, expr: &E) -> Maybe<V> {
        Ok(match expr {
            E::Int(value) => V::Constant(*value),
            E::Float(value) => V::F32(*value as f32),
            E::Variable(at) => self.values[*at].0,
            E::N => V::I32(N),
            E::F => V::F32(F),
            E::Unary(op, a) => match (*op, self.value(a)?) {
                (_, V::Constant(_)) => return Err(Nothing),
                ("-", V::I32(a)) => V::I32(a.wrapping_neg()),
                ("-", V::U32(a)) => V::U32(a.wrapping_neg()),
                ("-", V::I64(a)) => V::I64(a.wrapping_neg()),
                ("-", V::U64(a)) => V::U64(a.wrapping_neg()),
                ("-", V::F32(a)) => V::F32(-a),
                (_, V::I32(a)) => V::I32(a.wrapping_abs()),
                (_, V::I64(a)) => V::I64(a.wrapping_abs()),
                (_, V::F32(a)) => V::F32(a.abs()),
                (_, a) => a,
            },
            E::Binary(op, a, b) => binary(op, self.value(a)?, self.value(b)?)?,
        })
    }

    fn block(&mut self, body: &[S]) -> Maybe<()> {
        for stmt in body {
            match stmt {
                S::Assign(at, value) => {
                    let value = self.value(value)?;
                    self.values[*at] = kept(self.program.variables[*at].0, value);
                }
                S::Read(at, row) => {
                    let dtype = self.program.variables[*at].0;
                    let value = read(dtype, &self.data[row * 8..]);
                    self.values[*at] = kept(dtype, value);
                }
                S::If(op, a, b, then, otherwise) => {
                    let holds = compare(op, self.value(a)?, self.value(b)?)?;
                    self.block(if holds { then } else { otherwise })?;
                }
                S::Loop(times, body) => {
                    for _ in 0..*times {
                        self.block(body)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Reads an element of a tensor.
fn read(dtype: DType, bytes: &[u8]) -> V {
    let word = u64::from_le_bytes(bytes[..8].try_into().unwrap());
    match dtype {
        DType::Int8 => V::I32(i32::from(word as i8)),
        DType::Int16 => V::I32(i32::from(word as i16)),
        DType::UInt8 => V::I32(i32::from(word as u8)),
        DType::UInt16 => V::I32(i32::from(word as u16)),
        DType::Int => V::I32(word as i32),
        DType::UInt32 => V::U32(word as u32),
        DType::Int64 => V::I64(word as i64),
        DType::UInt64 => V::U64(word),
        _ => V::F32(f32::from_bits(word as u32)),
    }
}

struct Author<'r> {
    random: &'r mut Random,
    types: Vec<DType>,
}

impl Author<'_> {
    fn below(&mut self, bound: usize) -> usize {
        self.random.below(bound)
    }

    fn constant(&mut self) -> E {
        const EDGES: [i128; 16] = [
            127,
            128,
            200,
            255,
            256,
            32_767,
            65_535,
            65_536,
            (1 << 31) - 1,
            1 << 31,
            (1 << 32) - 1,
            1 << 32,
            (1 << 63) - 1,
            1 << 63,
            (1 << 64) - 1,
            3_000_000_000,
        ];
        match self.below(8) {
            0 => E::Int(EDGES[self.below(EDGES.len())]),
            1 => E::Int(-(self.below(300) as i128)),
            // Values that no f32 represents are small, because a literal is converted to an integer without being
            // rounded to f32.
            2 => E::Float([0.1, 2.5, -3.75, 1e10, 16_777_218.0][self.below(5)]),
            _ => E::Int(self.below(64) as i128),
        }
    }

    fn leaf(&mut self) -> E {
        match self.below(12) {
            0 => E::N,
            1 => E::F,
            _ => E::Variable(self.below(self.types.len())),
        }
    }

    /// Generates an expression that contains a variable, since Python itself evaluates constant expressions.
    fn value(&mut self, depth: usize) -> E {
        if depth == 0 {
            return self.leaf();
        }
        const OPS: [&str; 14] = [
            "+", "-", "*", "//", "+", "-", "var_mod", "var_and", "var_or", "var_shl", "var_shr",
            "Min", "Max", "CeilDiv",
        ];
        let a = self.value(depth - 1);
        match self.below(8) {
            0 => return E::Unary(["-", "scalar_abs"][self.below(2)], Box::new(a)),
            1 => return E::Binary("Align16", Box::new(a), Box::new(E::Int(16))),
            2 => return a,
            _ => {}
        }
        let op = OPS[self.below(OPS.len())];
        let b = match self.below(3) {
            0 => self.value(depth - 1),
            _ => self.constant(),
        };
        match self.below(5) {
            0 => E::Binary(op, Box::new(b), Box::new(a)),
            _ => E::Binary(op, Box::new(a), Box::new(b)),
        }
    }

    fn block(&mut self, length: usize, nesting: usize) -> Vec<S> {
        (0..length).map(|_| self.statement(nesting)).collect()
    }

    fn statement(&mut self, nesting: usize) -> S {
        let target = self.below(self.types.len());
        match self.below(if nesting > 0 { 8 } else { 6 }) {
            0 => S::Read(target, self.below(ROWS)),
            6 => {
                let op = ["<", "<=", ">", ">=", "==", "!="][self.below(6)];
                let (a, b) = (self.value(1), self.value(1));
                let b = if self.below(2) == 0 {
                    self.constant()
                } else {
                    b
                };
                let then = self.block(2, nesting - 1);
                let otherwise = self.block(1, nesting - 1);
                S::If(op, a, b, then, otherwise)
            }
            7 => S::Loop(1 + self.below(4), self.block(2, nesting - 1)),
            _ => {
                let depth = 1 + self.below(3);
                S::Assign(target, self.value(depth))
            }
        }
    }
}

fn author(random: &mut Random) -> Program {
    let types: Vec<DType> = (0..5).map(|_| TYPES[random.below(TYPES.len())]).collect();
    let mut author = Author { random, types };
    let first: Vec<E> = (0..5).map(|_| author.constant()).collect();
    let body = author.block(6, 2);
    let variables = author.types.iter().copied().zip(first).collect();
    Program { variables, body }
}

fn text(expr: &E) -> String {
    match expr {
        E::Int(value) => value.to_string(),
        E::Float(value) => format!("{value:?}"),
        E::Variable(at) => format!("v{at}"),
        E::N => "N".to_owned(),
        E::F => "F".to_owned(),
        E::Unary("-", a) => format!("(-{})", text(a)),
        E::Unary(op, a) => format!("{op}({})", text(a)),
        E::Binary("Align16", a, _) => format!("Align16({})", text(a)),
        E::Binary(op, a, b) => match op.starts_with(char::is_alphabetic) {
            true => format!("{op}({}, {})", text(a), text(b)),
            false => format!("({} {op} {})", text(a), text(b)),
        },
    }
}

fn print(out: &mut String, depth: usize, body: &[S], types: &[DType]) {
    let pad = "    ".repeat(depth);
    for stmt in body {
        let _ = match stmt {
            S::Assign(at, value) => writeln!(out, "{pad}v{at} <<= {}", text(value)),
            S::Read(at, row) => {
                let dtype = types[*at].name();
                writeln!(
                    out,
                    "{pad}v{at}.GetValueFrom(in_{dtype}[{row}:{row} + 1, 0:1])"
                )
            }
            S::If(op, a, b, then, otherwise) => {
                let _ = writeln!(out, "{pad}if {} {op} {}:", text(a), text(b));
                print(out, depth + 1, then, types);
                let _ = writeln!(out, "{pad}else:");
                print(out, depth + 1, otherwise, types);
                Ok(())
            }
            S::Loop(times, body) => {
                let _ = writeln!(out, "{pad}for i{depth} in range({times}):");
                print(out, depth + 1, body, types);
                Ok(())
            }
        };
    }
}

fn kernel(program: &Program) -> String {
    let mut out = String::from("from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\ndef k(");
    for dtype in TYPES {
        let name = dtype.name();
        let _ = write!(out, "in_{name}: GMTensor, out_{name}: GMTensor, ");
    }
    out.push_str("N: Var, F: Var):\n");
    let types: Vec<DType> = program.variables.iter().map(|it| it.0).collect();
    for (at, (dtype, first)) in program.variables.iter().enumerate() {
        let _ = writeln!(out, "    v{at} = Var({}, DT.{})", text(first), dtype.name());
    }
    print(&mut out, 1, &program.body, &types);
    for (at, dtype) in types.iter().enumerate() {
        let _ = writeln!(
            out,
            "    v{at}.SetValueTo(out_{}[{at}:{at} + 1, 0:1])",
            dtype.name()
        );
    }
    out.push_str("    return ");
    let names: Vec<String> = TYPES.map(|dtype| format!("out_{}", dtype.name())).into();
    out.push_str(&names.join(", "));
    out.push('\n');
    out
}

/// Runs the program in the simulator, and returns the final bytes of every variable.
fn executed(source: &str, types: &[DType], data: &[u8]) -> Result<Vec<[u8; 8]>, String> {
    let module = trace(&SourceText::new(source));
    let program = module.programs.first().ok_or("not traced")?;
    let mut bindings = Bindings {
        scalars: vec![("N".into(), N.into()), ("F".into(), F.into())],
        cores: Some(1),
        ..Bindings::default()
    };
    for dtype in TYPES {
        let size = dtype.bytes_of(1) as usize;
        let column: Vec<u8> = data
            .chunks(8)
            .flat_map(|row| row[..size].to_vec())
            .collect();
        for side in ["in", "out"] {
            let name = format!("{side}_{}", dtype.name());
            bindings.shapes.push((name.clone(), vec![ROWS as i64, 1]));
            bindings.dtypes.push((name.clone(), dtype));
            if side == "in" {
                let contents = Contents::Bytes(column.clone().into());
                bindings.contents.push((name, contents));
            }
        }
    }
    let launch = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 28)
        .map_err(|error| error.to_string())?;
    let outcome = simulate(program, &launch, &Options::default(), &mut NullObserver);
    if outcome.end != End::Finished {
        return Err(format!("{:?}", outcome.end));
    }
    let mut found = Vec::new();
    for (at, dtype) in types.iter().enumerate() {
        let name = format!("out_{}", dtype.name());
        let mut globals = launch.globals.iter().zip(&outcome.globals);
        let (_, memory) = globals.find(|it| it.0.name == name).ok_or("no output")?;
        let size = dtype.bytes_of(1) as usize;
        let mut bytes = [0; 8];
        bytes[..size].copy_from_slice(memory.bytes(at * size..(at + 1) * size));
        found.push(bytes);
    }
    Ok(found)
}

/// Compares one program. Returns whether the model has a result.
fn differ(seed: u64) -> Result<bool, String> {
    let mut random = Random::new(seed);
    let program = author(&mut random);
    let data: Vec<u8> = (0..ROWS * 8)
        .map(|at| match (at % 8, random.below(3)) {
            // Not only random bits, but also small floats and small integers.
            (3, 0) => 0x40,
            (2 | 4.., 1) => 0,
            _ => random.below(256) as u8,
        })
        .collect();
    let mut run = Run {
        program: &program,
        values: Vec::new(),
        data: &data,
    };
    for (dtype, first) in &program.variables {
        let Ok(first) = run.value(first) else {
            return Ok(false);
        };
        run.values.push(kept(*dtype, first));
    }
    if run.block(&program.body).is_err() {
        return Ok(false);
    }
    let source = kernel(&program);
    let types: Vec<DType> = program.variables.iter().map(|it| it.0).collect();
    let found = executed(&source, &types, &data).map_err(|it| format!("{it}\n{source}"))?;
    for (at, (found, (value, expected))) in found.iter().zip(&run.values).enumerate() {
        let is_nan = |bytes: &[u8; 8]| {
            types[at] == DType::Float && f32::from_le_bytes(bytes[..4].try_into().unwrap()).is_nan()
        };
        if found != expected && !(is_nan(found) && is_nan(expected)) {
            return Err(format!(
                "v{at} ({}) is {found:x?}, expected {expected:x?} = {value:?}\n{source}",
                types[at]
            ));
        }
    }
    Ok(true)
}

#[test]
fn random_scalar_programs_compute_what_c_does() {
    let programs = std::env::var("A2LINT_SCALAR_PROGRAMS").ok();
    let programs: u64 = programs.and_then(|it| it.parse().ok()).unwrap_or(500);
    let (mut compared, mut seed, mut failures) = (0, 0, Vec::new());
    while compared < programs {
        seed += 1;
        match differ(seed) {
            Ok(is_compared) => compared += u64::from(is_compared),
            Err(problem) => failures.push(format!("seed {seed}: {problem}")),
        }
        assert!(failures.len() < 5, "{}", failures.join("\n"));
        assert!(
            seed < 100 * programs,
            "{compared} of {seed} programs have values"
        );
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    println!("{compared} programs of {seed} have values, and agree");
}

/// Runs a kernel with these lines, and returns the final value of `out`, which has the given type.
fn out(lines: &str, dtype: &str) -> String {
    let body: String = lines.lines().map(|line| format!("    {line}\n")).collect();
    let source = format!(
        "from easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\ndef k(y: GMTensor, F: Var):\n{body}    \
         out.SetValueTo(y[0:1, 0:1])\n    return y\n"
    );
    let module = trace(&SourceText::new(source.as_str()));
    let bindings = Bindings {
        scalars: vec![("F".into(), 2.5)],
        shapes: vec![("y".into(), vec![1, 1])],
        dtypes: vec![("y".into(), DType::from_name(dtype).expect("a type"))],
        cores: Some(1),
        ..Bindings::default()
    };
    let program = &module.programs[0];
    let launch = BoundLaunch::bind(program, None, &[], &bindings, Device::default(), 1 << 20);
    let outcome = simulate(
        program,
        &launch.unwrap(),
        &Options::default(),
        &mut NullObserver,
    );
    assert_eq!(outcome.end, End::Finished, "{lines}");
    let memory = &outcome.globals[0];
    match dtype {
        "uint64" => memory.get::<u64>(0).to_string(),
        "int64" => memory.get::<i64>(0).to_string(),
        "float" => memory.get::<f32>(0).to_string(),
        _ => memory.get::<i32>(0).to_string(),
    }
}

#[test]
fn scalars_have_types() {
    for (lines, dtype, expected) in [
        // A mask of 37 lanes: the shift of a uint64 inserts zeros.
        (
            "m = Var(0xFFFFFFFFFFFFFFFF, DT.uint64)\nout = Var(var_shr(m, 27), DT.uint64)",
            "uint64",
            "137438953471",
        ),
        (
            "one = Var(1, DT.uint64)\nout = Var(var_shl(one, 63) - 1, DT.uint64)",
            "uint64",
            "9223372036854775807",
        ),
        (
            "u = Var(4294967295, DT.uint32)\nout = Var(u + 1, DT.uint32)",
            "int",
            "0",
        ),
        (
            "u = Var(4294967295, DT.uint32)\nout = Var(0)\nif u > 1:\n    out <<= 1",
            "int",
            "1",
        ),
        (
            "i = Var(200, DT.int8)\nout = Var(0)\nout <<= i",
            "int",
            "-56",
        ),
        (
            "i = Var(2147483647)\nout = Var(0, DT.int64)\nout <<= i + 1",
            "int64",
            "-2147483648",
        ),
        (
            "f = Var(16777216.0)\nout = Var(f + 1.0)",
            "float",
            "16777216",
        ),
        ("out = Var(0)\nout <<= 2.5\nout <<= out * 2", "int", "4"),
        ("out = Var(0)\nout <<= F\nout <<= out * 2", "int", "4"),
        ("a = Var(-100)\nout = CeilDiv(a, 64)", "int", "0"),
        ("a = Var(-100)\nout = Align16(a)", "int", "-80"),
    ] {
        assert_eq!(out(lines, dtype), expected, "{lines}");
    }
}
