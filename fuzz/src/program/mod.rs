//! Random kernels with a structure: what the machine does with them is compared with what the
//! analysis says of any run, and with what a naive reading of the program makes of the data.

mod author;
mod contained;
mod differ;
mod naive;
mod print;

use a2lint::frontend::dsl::trace;
use a2lint::isa::Opcode;
use a2lint::text::SourceText;

pub use author::{Bytes, write};
pub use contained::{Counts, launches, run};
pub use differ::differ;

/// Runs the programs that bytes choose.
pub fn execute(data: &[u8]) {
    if let Err(problem) = differ(&mut Bytes(data)) {
        panic!("{problem}");
    }
    let text = write(&mut Bytes(data));
    if let Err(problem) = compare(&text) {
        panic!("{problem}\n{text}");
    }
}

/// Runs a kernel under a few launches, and compares.
pub fn compare(text: &str) -> Result<Counts, String> {
    let module = trace(&SourceText::new(text));
    let mut counts = Counts::default();
    for program in &module.programs {
        for launch in launches(program) {
            counts.add(&run(program, &launch)?);
        }
    }
    Ok(counts)
}

/// A scalar expression. Divisors are constants, so that all of them have values.
#[derive(Clone, Debug)]
pub enum Expr {
    /// A constant.
    Int(i64),
    /// A scalar that the kernel changes.
    Scalar(usize),
    /// The counter of a loop around, by its depth.
    Counter(usize),
    /// A parameter.
    Parameter(&'static str),
    /// A query of the lane.
    Query(&'static str),
    /// An operation.
    Binary(Op, Box<Expr>, Box<Expr>),
}

/// An operation of integers.
#[derive(Clone, Copy, Debug)]
pub enum Op {
    Add,
    Sub,
    Mul,
    Div,
    Mod,
    CeilDiv,
    Min,
    Max,
    And,
    Or,
    Shl,
    Shr,
}

/// What decides a branch.
#[derive(Clone, Debug)]
pub enum Condition {
    Compare(&'static str, Expr, Expr),
    Both(Box<Condition>, Box<Condition>),
    Either(Box<Condition>, Box<Condition>),
}

/// A declared buffer of UB.
#[derive(Debug)]
pub struct Buffer {
    pub name: &'static str,
    pub constructor: &'static str,
    pub dtype: &'static str,
    pub shape: [i64; 2],
    pub slots: i64,
}

/// Buffers of every kernel; together they fit into UB.
pub const BUFFERS: &[Buffer] = &[
    buffer("a", "DBuff", "float", [32, 64], 2),
    buffer("b", "QBuff", "float", [32, 64], 4),
    buffer("c", "Tensor", "float", [32, 128], 1),
    buffer("d", "TBuff", "float", [64, 8], 3),
    buffer("e", "Tensor", "float", [64, 1], 1),
    buffer("m", "Tensor", "uint8", [32, 16], 1),
    buffer("h", "DBuff", "half", [32, 128], 2),
];

const fn buffer(
    name: &'static str,
    constructor: &'static str,
    dtype: &'static str,
    shape: [i64; 2],
    slots: i64,
) -> Buffer {
    Buffer {
        name,
        constructor,
        dtype,
        shape,
        slots,
    }
}

/// A view of a buffer.
#[derive(Clone, Debug)]
pub struct Tile {
    /// Position in [`BUFFERS`].
    pub buffer: usize,
    /// The slot, of buffers with several.
    pub slot: Expr,
    /// Bounds of rows and columns; the whole slot without.
    pub window: Option<[[Expr; 2]; 2]>,
}

/// Rows and columns of a global tensor.
#[derive(Clone, Debug)]
pub struct Window {
    pub rows: [Expr; 2],
    pub columns: [Expr; 2],
}

/// How much a vector instruction works on, where that is said.
#[derive(Clone, Debug)]
pub enum Length {
    Inferred,
    Repeat(Expr),
    Count(Expr),
    CountPerRepeat(Expr),
}

/// A vector instruction.
#[derive(Clone, Debug)]
pub struct Vector {
    pub opcode: Opcode,
    pub operands: Vec<Tile>,
    /// The scalar operand, as it is written.
    pub scalar: Option<String>,
    pub length: Length,
    /// Strides by the name of their parameter.
    pub strides: Vec<(&'static str, i64)>,
}

/// A statement.
#[derive(Clone, Debug)]
pub enum Stmt {
    /// `scalar <<= value`, or `+=`.
    Assign {
        scalar: usize,
        adds: bool,
        value: Expr,
    },
    /// Reads a scalar from global memory.
    Read {
        scalar: usize,
        row: Expr,
    },
    Loop {
        depth: usize,
        bounds: [Expr; 3],
        body: Vec<Stmt>,
    },
    If {
        arms: Vec<(Condition, Vec<Stmt>)>,
        otherwise: Vec<Stmt>,
    },
    /// `break_()` or `continue_()` under a condition.
    Leave {
        condition: Condition,
        is_break: bool,
    },
    Load {
        tile: Tile,
        window: Window,
    },
    Store {
        tile: Tile,
        window: Window,
    },
    Copy {
        to: Tile,
        from: Tile,
    },
    Vector(Vector),
    SetMask {
        high: Expr,
        low: Expr,
    },
    ResetMask,
}

/// Number of scalars that a kernel changes.
pub const SCALARS: usize = 5;

/// Types that the scalars of a kernel have; those of a plain one are all int.
pub const SCALAR_TYPES: &[&str] = &[
    "int", "uint8", "int8", "uint32", "int16", "uint64", "int64", "uint16", "float",
];
