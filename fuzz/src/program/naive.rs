//! A naive reading of random programs: one lane at a time, one element at a time.
//!
//! Written from what the documentation says of the language and the machine; it shares nothing with
//! the front end or the machine. What it has no opinion on (an instruction that reads what it has
//! already written, memory after the end of UB) it fails.

use std::ops::Range;

use a2lint::isa::Opcode;

use super::{BUFFERS, Condition, Expr, Length, Op, SCALARS, Stmt, Tile, Vector, Window};

/// Bytes of UB.
const UB: usize = 192 << 10;
/// Elements of a repeat, and of a block.
const LANES: i64 = 64;
const C0: i64 = 8;
/// Statements that a lane may execute.
const PATIENCE: u32 = 20_000;

/// A kernel's arguments, and what it leaves in its result.
#[derive(Clone, Debug)]
pub struct Memory {
    pub n: i64,
    pub k: i64,
    /// Rows of 128 floats.
    pub x: Vec<f32>,
    /// One number a row.
    pub z: Vec<i32>,
    /// Rows of 128 floats, where they were stored and defined.
    pub y: Vec<Stored>,
}

/// The contents of an element of the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stored {
    /// Nothing, or nothing that is defined.
    Undefined,
    /// A number.
    Number(f32),
}

/// Columns of global tensors.
pub const COLUMNS: i64 = 128;
/// Rows of the result that belong to one lane.
pub const LANE_ROWS: i64 = 128;

/// The program, or the model, does something that the model has no opinion on.
#[derive(Debug)]
pub struct GivesUp;

/// Runs a program on every lane, one after the other: lanes store to different places.
pub fn run(body: &[Stmt], lanes: i64, memory: &mut Memory) -> Result<(), GivesUp> {
    for lane in 0..lanes {
        let mut run = Lane {
            index: lane,
            memory,
            scalars: (0..SCALARS as i64).collect(),
            counters: Vec::new(),
            ub: vec![0xFF; UB],
            defined: vec![0; UB],
            mask: u64::MAX,
            left: PATIENCE,
        };
        run.block(body)?;
    }
    Ok(())
}

struct Lane<'m> {
    index: i64,
    memory: &'m mut Memory,
    scalars: Vec<i64>,
    counters: Vec<i64>,
    ub: Vec<u8>,
    /// Bits of each byte that are defined.
    defined: Vec<u8>,
    mask: u64,
    left: u32,
}

/// How a statement ends.
#[derive(Clone, Copy, PartialEq)]
enum Flow {
    On,
    Break,
    Continue,
}

/// A view with numbers.
struct Place {
    /// Byte at which it starts.
    start: i64,
    /// Elements of a stored row.
    pitch: i64,
    span: [i64; 2],
    /// Whether each viewed extent is a number while the kernel is traced.
    fixed: [bool; 2],
}

/// How an instruction walks an operand, in blocks.
struct Walk {
    start: i64,
    block: i64,
    repeat: i64,
}

impl Walk {
    fn lane(&self, repeat: i64, lane: i64) -> i64 {
        self.start + (repeat * self.repeat + lane / C0 * self.block) * 32 + lane % C0 * 4
    }
}

impl Lane<'_> {
    fn block(&mut self, body: &[Stmt]) -> Result<Flow, GivesUp> {
        for stmt in body {
            let flow = self.statement(stmt)?;
            if flow != Flow::On {
                return Ok(flow);
            }
        }
        Ok(Flow::On)
    }

    fn statement(&mut self, stmt: &Stmt) -> Result<Flow, GivesUp> {
        self.left = self.left.checked_sub(1).ok_or(GivesUp)?;
        match stmt {
            Stmt::Assign {
                scalar,
                adds,
                value,
            } => {
                let value = self.value(value)?;
                let before = if *adds { self.scalars[*scalar] } else { 0 };
                self.scalars[*scalar] = before.checked_add(value).ok_or(GivesUp)?;
            }
            Stmt::Read { scalar, row } => {
                let row = usize::try_from(self.value(row)?).map_err(|_| GivesUp)?;
                self.scalars[*scalar] = i64::from(*self.memory.z.get(row).ok_or(GivesUp)?);
            }
            Stmt::Loop { bounds, body, .. } => self.repeat(bounds, body)?,
            Stmt::If { arms, otherwise } => {
                for (condition, body) in arms {
                    if self.holds(condition)? {
                        return self.block(body);
                    }
                }
                return self.block(otherwise);
            }
            Stmt::Leave {
                condition,
                is_break,
            } => {
                if self.holds(condition)? {
                    return Ok(if *is_break {
                        Flow::Break
                    } else {
                        Flow::Continue
                    });
                }
            }
            Stmt::Load { tile, window } => self.load(tile, window)?,
            Stmt::Store { tile, window } => self.store(tile, window)?,
            Stmt::Copy { to, from } => self.copy(to, from)?,
            Stmt::Vector(vector) => self.vector(vector)?,
            Stmt::SetMask { low, .. } => self.mask = self.value(low)? as u64,
            Stmt::ResetMask => self.mask = u64::MAX,
        }
        Ok(Flow::On)
    }

    fn repeat(&mut self, bounds: &[Expr; 3], body: &[Stmt]) -> Result<(), GivesUp> {
        let mut at = self.value(&bounds[0])?;
        let (stop, step) = (self.value(&bounds[1])?, self.value(&bounds[2])?);
        while step > 0 && at < stop || step < 0 && at > stop {
            self.counters.push(at);
            let flow = self.block(body)?;
            self.counters.pop();
            if flow == Flow::Break {
                break;
            }
            at += step;
        }
        Ok(())
    }

    fn value(&self, expr: &Expr) -> Result<i64, GivesUp> {
        let value = match expr {
            Expr::Int(value) => Some(*value),
            Expr::Scalar(at) => Some(self.scalars[*at]),
            Expr::Counter(depth) => Some(self.counters[*depth]),
            Expr::Parameter("N") => Some(self.memory.n),
            Expr::Parameter(_) => Some(self.memory.k),
            Expr::Query("GetSubBlockIdx") => Some(self.index % 2),
            Expr::Query("GetVecIdx") => Some(self.index),
            Expr::Query(_) => Some(self.index / 2),
            Expr::Binary(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match op {
                    Op::Add => a.checked_add(b),
                    Op::Sub => a.checked_sub(b),
                    Op::Mul => a.checked_mul(b),
                    Op::Div => a.checked_div(b),
                    Op::Mod => a.checked_rem(b),
                    Op::CeilDiv => (a + b - 1).checked_div(b),
                    Op::Min => Some(a.min(b)),
                    Op::Max => Some(a.max(b)),
                    Op::And => Some(a & b),
                    Op::Or => Some(a | b),
                    // Counts are constants below 32.
                    Op::Shl => Some(a << b),
                    Op::Shr => Some(a >> b),
                }
            }
        };
        // What wraps is compared elsewhere, with types.
        let value = value.filter(|&value| i32::try_from(value).is_ok());
        value.ok_or(GivesUp)
    }

    fn holds(&self, condition: &Condition) -> Result<bool, GivesUp> {
        Ok(match condition {
            Condition::Compare(op, a, b) => {
                let (a, b) = (self.value(a)?, self.value(b)?);
                match *op {
                    "<" => a < b,
                    "<=" => a <= b,
                    ">" => a > b,
                    ">=" => a >= b,
                    "==" => a == b,
                    _ => a != b,
                }
            }
            Condition::Both(a, b) => self.holds(a)? && self.holds(b)?,
            Condition::Either(a, b) => self.holds(a)? || self.holds(b)?,
        })
    }

    fn place(&self, tile: &Tile) -> Result<Place, GivesUp> {
        let buffer = &BUFFERS[tile.buffer];
        let size = match buffer.dtype {
            "float" => 4,
            "uint8" => 1,
            _ => return Err(GivesUp),
        };
        let slot_bytes = |it: &super::Buffer| {
            let bytes = it.shape[0] * it.shape[1] * bytes_of(it.dtype);
            (bytes + 31) / 32 * 32
        };
        let before = BUFFERS[..tile.buffer].iter();
        let base: i64 = before.map(|it| slot_bytes(it) * it.slots).sum();
        let slot = self.value(&tile.slot)?.rem_euclid(buffer.slots);
        let [rows, columns] = buffer.shape;
        let whole = [
            [Expr::Int(0), Expr::Int(rows)],
            [Expr::Int(0), Expr::Int(columns)],
        ];
        let [down, across] = tile.window.as_ref().unwrap_or(&whole);
        let [top, bottom] = [self.value(&down[0])?, self.value(&down[1])?];
        let [left, right] = [self.value(&across[0])?, self.value(&across[1])?];
        let first = top * columns + left;
        Ok(Place {
            start: base + slot * slot_bytes(buffer) + first * size,
            pitch: columns,
            span: [bottom - top, right - left],
            fixed: [down, across].map(|[a, b]| is_fixed(a) && is_fixed(b)),
        })
    }

    /// Rows and columns of a window of a global tensor: the first element and the extents.
    fn window(&self, window: &Window) -> Result<(i64, [i64; 2]), GivesUp> {
        let [top, bottom] = [self.value(&window.rows[0])?, self.value(&window.rows[1])?];
        let [left, right] = [
            self.value(&window.columns[0])?,
            self.value(&window.columns[1])?,
        ];
        Ok((top * COLUMNS + left, [bottom - top, right - left]))
    }

    fn load(&mut self, tile: &Tile, window: &Window) -> Result<(), GivesUp> {
        let (place, (first, [rows, length])) = (self.place(tile)?, self.window(window)?);
        let pitch = row_pitch(&place);
        for row in 0..rows.max(0) {
            let start = place.start + row * pitch;
            let padded = (length.max(0) + C0 - 1) / C0 * 32;
            let bytes = range(start, padded)?;
            self.defined[bytes].fill(0);
            for column in 0..length.max(0) {
                let at = usize::try_from(first + row * COLUMNS + column).map_err(|_| GivesUp)?;
                let number = *self.memory.x.get(at).ok_or(GivesUp)?;
                self.put(start + column * 4, Some(number))?;
            }
        }
        Ok(())
    }

    fn store(&mut self, tile: &Tile, window: &Window) -> Result<(), GivesUp> {
        let (place, (first, [rows, length])) = (self.place(tile)?, self.window(window)?);
        let pitch = row_pitch(&place);
        for row in 0..rows.max(0) {
            for column in 0..length.max(0) {
                let number = self.get(place.start + row * pitch + column * 4)?;
                let at = usize::try_from(first + row * COLUMNS + column).map_err(|_| GivesUp)?;
                let stored = number.map_or(Stored::Undefined, Stored::Number);
                *self.memory.y.get_mut(at).ok_or(GivesUp)? = stored;
            }
        }
        Ok(())
    }

    /// Whole blocks, row by row.
    fn copy(&mut self, to: &Tile, from: &Tile) -> Result<(), GivesUp> {
        let (to, from) = (self.place(to)?, self.place(from)?);
        let bytes = blocks(to.span[1]) * 32;
        let rows = |it: &Place, row: i64| range(it.start + row * row_pitch(it), bytes);
        let mut touched = Vec::new();
        for row in 0..to.span[0].max(0) {
            let (into, out) = (rows(&to, row)?, rows(&from, row)?);
            for (bytes, writes) in [(into.clone(), true), (out.clone(), false)] {
                touched.push(Touched {
                    part: row,
                    bytes,
                    writes,
                });
            }
            self.ub.copy_within(out.clone(), into.start);
            self.defined.copy_within(out, into.start);
        }
        disjoint(&touched)
    }

    fn vector(&mut self, vector: &Vector) -> Result<(), GivesUp> {
        let places: Vec<Place> = vector
            .operands
            .iter()
            .map(|tile| self.place(tile))
            .collect::<Result<_, _>>()?;
        let scalar: f32 = match &vector.scalar {
            Some(text) => text.parse().map_err(|_| GivesUp)?,
            None => 0.0,
        };
        let measured = match vector.opcode {
            Opcode::CompareScalar | Opcode::Relu | Opcode::Abs => 1,
            Opcode::Adds | Opcode::Muls | Opcode::Vmaxs | Opcode::Vmins => 1,
            _ => 0,
        };
        let [rows, columns] = places[measured].span;
        let inferred = (rows * columns + LANES - 1).div_euclid(LANES);
        let (repeats, live) = match &vector.length {
            Length::Inferred => (inferred, None),
            Length::Repeat(repeat) => (self.value(repeat)?, None),
            Length::Count(count) => {
                let count = self.value(count)?;
                ((count + LANES - 1).div_euclid(LANES), Some(count))
            }
            Length::CountPerRepeat(count) => (inferred, Some(self.value(count)?)),
        };
        let counted = matches!(vector.length, Length::Count(_));
        let walks: Vec<Walk> = places
            .iter()
            .enumerate()
            .map(|(at, place)| walk(vector, at, place, counted))
            .collect();
        let ignores_mask = matches!(vector.opcode, Opcode::CompareScalar | Opcode::Select);
        let mask = self.mask;
        let is_live = |repeat: i64, lane: i64| match (&vector.length, live) {
            (Length::Count(_), Some(count)) => repeat * LANES + lane < count,
            (_, Some(count)) => lane < count,
            _ => ignores_mask || mask >> lane & 1 == 1,
        };
        let mut touched = Vec::new();
        for repeat in 0..repeats {
            for lane in 0..LANES {
                if is_live(repeat, lane) {
                    self.lane(vector.opcode, &walks, repeat, lane, scalar, &mut touched)?;
                }
            }
        }
        if live.is_some() {
            self.mask = u64::MAX;
        }
        disjoint(&touched)
    }

    /// One lane of one repeat.
    fn lane(
        &mut self,
        opcode: Opcode,
        walks: &[Walk],
        repeat: i64,
        lane: i64,
        scalar: f32,
        touched: &mut Vec<Touched>,
    ) -> Result<(), GivesUp> {
        let at = |operand: usize| walks[operand].lane(repeat, lane);
        let bit = repeat * LANES + lane;
        let mut touch_bytes = |start: i64, length: i64, writes: bool| -> Result<(), GivesUp> {
            touched.push(Touched {
                part: bit,
                bytes: range(start, length)?,
                writes,
            });
            Ok(())
        };
        if opcode == Opcode::CompareScalar {
            let source = self.get(at(1))?;
            touch_bytes(at(1), 4, false)?;
            if bit % 8 == 0 {
                touch_bytes(walks[0].start + bit / 8, 1, true)?;
            }
            return self.put_bit(walks[0].start, bit, source.map(|it| it < scalar));
        }
        if opcode == Opcode::Select {
            touch_bytes(walks[1].start + bit / 8, 1, false)?;
        }
        let mut touch = |operand: usize, writes: bool| touch_bytes(at(operand), 4, writes);
        let result = match opcode {
            Opcode::Dup => Some(scalar),
            Opcode::Select => {
                touch(2, false)?;
                match self.get_bit(walks[1].start, bit)? {
                    Some(true) => self.get(at(2))?,
                    Some(false) => Some(scalar),
                    None => None,
                }
            }
            _ => {
                touch(1, false)?;
                let a = self.get(at(1))?;
                let b = match walks.get(2) {
                    Some(_) => {
                        touch(2, false)?;
                        self.get(at(2))?
                    }
                    None => Some(scalar),
                };
                match (a, b) {
                    (Some(a), Some(b)) => Some(compute(opcode, a, b)?),
                    _ => None,
                }
            }
        };
        touch(0, true)?;
        self.put(at(0), result)
    }

    fn get(&self, address: i64) -> Result<Option<f32>, GivesUp> {
        let bytes = range(address, 4)?;
        let defined = self.defined[bytes.clone()].iter().all(|&bits| bits == 0xFF);
        let bytes = self.ub[bytes].try_into().map_err(|_| GivesUp)?;
        Ok(defined.then(|| f32::from_le_bytes(bytes)))
    }

    fn put(&mut self, address: i64, number: Option<f32>) -> Result<(), GivesUp> {
        let bytes = range(address, 4)?;
        let defined = if number.is_some() { 0xFF } else { 0 };
        self.defined[bytes.clone()].fill(defined);
        let number = number.unwrap_or(f32::NAN);
        self.ub[bytes].copy_from_slice(&number.to_le_bytes());
        Ok(())
    }

    fn get_bit(&self, start: i64, bit: i64) -> Result<Option<bool>, GivesUp> {
        let byte = range(start + bit / 8, 1)?.start;
        let mask = 1 << (bit % 8);
        Ok((self.defined[byte] & mask != 0).then(|| self.ub[byte] & mask != 0))
    }

    fn put_bit(&mut self, start: i64, bit: i64, value: Option<bool>) -> Result<(), GivesUp> {
        let byte = range(start + bit / 8, 1)?.start;
        let mask = 1_u8 << (bit % 8);
        let set = |bits: u8, on: bool| if on { bits | mask } else { bits & !mask };
        self.defined[byte] = set(self.defined[byte], value.is_some());
        self.ub[byte] = set(self.ub[byte], value.unwrap_or(true));
        Ok(())
    }
}

/// Bytes from one row in UB to the next: the gap of a move makes up for what it leaves out of a row.
fn row_pitch(place: &Place) -> i64 {
    blocks(place.pitch) * 32
}

fn blocks(elements: i64) -> i64 {
    (elements.max(0) + C0 - 1) / C0
}

fn bytes_of(dtype: &str) -> i64 {
    match dtype {
        "float" => 4,
        "half" => 2,
        _ => 1,
    }
}

/// Whether a bound is a number while the kernel is traced.
fn is_fixed(expr: &Expr) -> bool {
    match expr {
        Expr::Int(_) => true,
        Expr::Binary(_, a, b) => is_fixed(a) && is_fixed(b),
        _ => false,
    }
}

/// Strides as they are written, or as the shapes of the documentation give them.
fn walk(vector: &Vector, operand: usize, place: &Place, counted: bool) -> Walk {
    let width = place.fixed[1].then_some(place.span[1]);
    let rows = place.pitch / C0;
    let (mut block, mut repeat) = match width {
        Some(width) if width == 8 * C0 => (1, rows),
        Some(width) if width == C0 => (0, rows),
        _ => (1, 8),
    };
    let matched = matches!(width, Some(width) if width == 8 * C0 || width == C0);
    if matched && place.fixed[0] && place.span[0] == 1 {
        repeat = 0;
    }
    let names: &[&str] = match vector.opcode {
        Opcode::Dup => &["dst"],
        Opcode::CompareScalar => &["dst", "src1"],
        Opcode::Select => &["dst", "mask", "src1"],
        _ if vector.operands.len() == 2 => &["dst", "src"],
        _ => &["dst", "src1", "src2"],
    };
    for (name, stride) in &vector.strides {
        if *name == format!("{}_blk_stride", names[operand]) {
            block = *stride;
        }
        if *name == format!("{}_rep_stride", names[operand]) {
            repeat = *stride;
        }
    }
    if counted {
        (block, repeat) = (1, 8);
    }
    Walk {
        start: place.start,
        block,
        repeat,
    }
}

fn compute(opcode: Opcode, a: f32, b: f32) -> Result<f32, GivesUp> {
    Ok(match opcode {
        Opcode::Add | Opcode::Adds => a + b,
        Opcode::Sub => a - b,
        Opcode::Mul | Opcode::Muls => a * b,
        Opcode::Vmax | Opcode::Vmaxs => a.max(b),
        Opcode::Vmin | Opcode::Vmins => a.min(b),
        Opcode::Relu => a.max(0.0),
        Opcode::Abs => a.abs(),
        _ => return Err(GivesUp),
    })
}

fn range(start: i64, length: i64) -> Result<Range<usize>, GivesUp> {
    let start = usize::try_from(start).map_err(|_| GivesUp)?;
    let end = start + length as usize;
    if end > UB {
        return Err(GivesUp);
    }
    Ok(start..end)
}

/// Bytes that one part of an instruction (a lane, a row) reads or writes.
struct Touched {
    part: i64,
    bytes: Range<usize>,
    writes: bool,
}

/// Gives up where one part of an instruction touches what another one has written; a part may read
/// where it writes itself, as operations in place do.
fn disjoint(touched: &[Touched]) -> Result<(), GivesUp> {
    let mut owner = std::collections::HashMap::new();
    for it in touched.iter().filter(|it| it.writes) {
        for byte in it.bytes.clone() {
            if owner.insert(byte, it.part).is_some() {
                return Err(GivesUp);
            }
        }
    }
    for it in touched.iter().filter(|it| !it.writes) {
        let foreign = |byte: usize| owner.get(&byte).is_some_and(|&part| part != it.part);
        if it.bytes.clone().any(foreign) {
            return Err(GivesUp);
        }
    }
    Ok(())
}
