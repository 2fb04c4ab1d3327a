//! Writes random programs out of a sequence of choices.

use a2lint::isa::{Class, INSTRUCTIONS, Instruction, Opcode, ParamKind};

use super::super::mutate::Random;
use super::naive::LANE_ROWS;
use super::{
    BUFFERS, Condition, Expr, Length, Op, SCALAR_TYPES, SCALARS, Stmt, Tile, Vector, Window, print,
};

/// A sequence of choices.
pub trait Choices {
    /// A number below `bound`.
    fn below(&mut self, bound: usize) -> usize;
}

impl Choices for Random {
    fn below(&mut self, bound: usize) -> usize {
        Random::below(self, bound)
    }
}

/// Choices read from bytes; after the last byte, always the first choice.
pub struct Bytes<'a>(pub &'a [u8]);

impl Choices for Bytes<'_> {
    fn below(&mut self, bound: usize) -> usize {
        let Some((&first, rest)) = self.0.split_first() else {
            return 0;
        };
        self.0 = rest;
        usize::from(first) % bound.max(1)
    }
}

/// The text of a random kernel.
pub fn write(choices: &mut dyn Choices) -> String {
    let types = match choices.below(2) {
        0 => ["int"; SCALARS],
        _ => std::array::from_fn(|_| SCALAR_TYPES[choices.below(SCALAR_TYPES.len())]),
    };
    let mut author = Author::new(choices, false);
    author.floats = types.map(|dtype| dtype == "float");
    let body = author.block(3);
    print::kernel(&types, &body)
}

/// The body of a plain random kernel, made of what the naive model has an opinion on.
pub fn plain_body(choices: &mut dyn Choices) -> Vec<Stmt> {
    Author::new(choices, true).block(3)
}

struct Author<'c> {
    choices: &'c mut dyn Choices,
    plain: bool,
    /// Which scalars are floats: those have no remainders and shifts, and are no slots.
    floats: [bool; SCALARS],
    /// Loops around the current statement.
    loops: usize,
    /// Statements that may still be written.
    left: usize,
}

/// Instructions of plain programs.
const PLAIN: &[Opcode] = &[
    Opcode::Add,
    Opcode::Sub,
    Opcode::Mul,
    Opcode::Vmax,
    Opcode::Vmin,
    Opcode::Adds,
    Opcode::Muls,
    Opcode::Vmaxs,
    Opcode::Vmins,
    Opcode::Relu,
    Opcode::Abs,
    Opcode::Dup,
    Opcode::CompareScalar,
    Opcode::Select,
];
const FLOATS: &[usize] = &[0, 1, 2, 3, 4];
const HALVES: &[usize] = &[6];
const CONTROL: usize = 5;

impl<'c> Author<'c> {
    fn new(choices: &'c mut dyn Choices, plain: bool) -> Self {
        Author {
            choices,
            plain,
            floats: [false; SCALARS],
            loops: 0,
            left: 48,
        }
    }

    fn below(&mut self, bound: usize) -> usize {
        self.choices.below(bound)
    }

    fn one_in(&mut self, number: usize) -> bool {
        self.below(number) == number - 1
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len())]
    }

    fn int(&mut self, least: i64, most: i64) -> Expr {
        Expr::Int(least + self.below((most - least + 1) as usize) as i64)
    }

    /// Something that is not constant.
    fn leaf(&mut self) -> Expr {
        match self.below(7) {
            0 if self.loops > 0 => Expr::Counter(self.below(self.loops)),
            1 if self.loops > 0 => Expr::Counter(self.loops - 1),
            2 => Expr::Parameter(self.pick(&["N", "K"])),
            3 => Expr::Query(self.pick(&["GetSubBlockIdx", "GetVecIdx", "GetCubeIdx"])),
            _ => {
                let at = self.below(SCALARS);
                match self.floats[at] {
                    true => Expr::Parameter("N"),
                    false => Expr::Scalar(at),
                }
            }
        }
    }

    fn value(&mut self, depth: usize) -> Expr {
        if depth == 0 || self.one_in(4) {
            return match self.one_in(3) {
                true => self.int(0, 40),
                false => self.leaf(),
            };
        }
        // Operations of constants alone would be Python's, which divides otherwise.
        let (a, small) = (self.leaf(), self.int(1, 33));
        let a = match self.one_in(3) {
            true => binary(Op::Add, a, self.value(depth - 1)),
            false => a,
        };
        match self.below(13) {
            9 => binary(Op::And, a, small),
            10 => binary(Op::Or, a, small),
            11 => binary(Op::Shl, a, self.int(0, 20)),
            12 => binary(Op::Shr, a, self.int(0, 20)),
            0 => binary(Op::Add, a, self.value(depth - 1)),
            1 => binary(Op::Sub, a, self.value(depth - 1)),
            2 => binary(Op::Mul, a, small),
            3 => binary(Op::Div, a, small),
            4 => binary(Op::Mod, a, small),
            5 => binary(Op::CeilDiv, a, small),
            6 => binary(Op::Min, a, self.value(depth - 1)),
            7 => binary(Op::Max, a, self.value(depth - 1)),
            _ => a,
        }
    }

    /// What a scalar is given: an expression, or a number that not every type holds.
    fn assigned(&mut self) -> Expr {
        match self.one_in(6) {
            true => Expr::Int(self.pick(&[200, 255, 256, -1, 70_000, 1 << 31, (1 << 32) - 1])),
            false => self.value(2),
        }
    }

    /// A number between two others, mostly.
    fn within(&mut self, least: i64, most: i64) -> Expr {
        match self.below(6) {
            0 => self.int(least, most),
            1 => Expr::Int(most),
            2 => binary(Op::Mod, self.leaf(), Expr::Int((most - least + 1).max(1))),
            3 => binary(Op::Min, self.leaf(), Expr::Int(most)),
            _ => {
                let value = self.value(1);
                let value = binary(Op::Max, self.leaf(), value);
                let value = binary(Op::Max, value, Expr::Int(least));
                binary(Op::Min, value, Expr::Int(most))
            }
        }
    }

    /// Bounds of one dimension of a view.
    fn bounds(&mut self, extent: i64) -> [Expr; 2] {
        match self.below(5) {
            0 | 1 => [Expr::Int(0), Expr::Int(extent)],
            2 => [Expr::Int(0), self.within(0, extent)],
            3 => {
                let start = self.within(0, (extent - 1).max(0));
                let width = self.pick(&[1, 1, 8, extent / 2]).max(1);
                [start.clone(), binary(Op::Add, start, Expr::Int(width))]
            }
            _ => {
                let start = self.int(0, extent / 2);
                let end = match self.one_in(2) {
                    true => self.within(extent / 2, extent),
                    false => Expr::Int(extent),
                };
                [start, end]
            }
        }
    }

    fn tile(&mut self, buffers: &[usize]) -> Tile {
        let at = self.pick(buffers);
        let [rows, columns] = BUFFERS[at].shape;
        let window = match self.below(3) {
            0 => None,
            1 => Some([self.bounds(rows), [Expr::Int(0), Expr::Int(columns)]]),
            _ => Some([self.bounds(rows), self.bounds(columns)]),
        };
        Tile {
            buffer: at,
            slot: self.value(1),
            window,
        }
    }

    /// Where a tile is stored: in a plain program, each lane has rows of its own.
    fn target(&mut self, tile: &Tile) -> Window {
        let mut window = self.window(tile);
        if self.plain {
            let lane = Expr::Query("GetVecIdx");
            let first = binary(Op::Mul, lane, Expr::Int(LANE_ROWS));
            window.rows = window.rows.map(|row| binary(Op::Add, first.clone(), row));
        }
        window
    }

    /// A part of a tensor of 64 rows and 128 columns, of the extents of a tile where it has some.
    fn window(&mut self, tile: &Tile) -> Window {
        let at = |extent: &[Expr; 2], from: i64| {
            let width = binary(Op::Sub, extent[1].clone(), extent[0].clone());
            let width = match (&extent[0], &extent[1]) {
                (Expr::Int(a), Expr::Int(b)) => Expr::Int(b - a),
                _ => width,
            };
            match width {
                Expr::Int(width) => [Expr::Int(from), Expr::Int(from + width)],
                width => [Expr::Int(from), binary(Op::Add, width, Expr::Int(from))],
            }
        };
        let whole = BUFFERS[tile.buffer]
            .shape
            .map(|extent| [Expr::Int(0), Expr::Int(extent)]);
        let [rows, columns] = tile.window.as_ref().unwrap_or(&whole);
        let from = self.pick(&[0, 0, 0, 16]);
        Window {
            rows: at(rows, from),
            columns: at(columns, 0),
        }
    }

    fn condition(&mut self) -> Condition {
        let op = self.pick(&["<", "<=", ">", ">=", "==", "!="]);
        let simple = Condition::Compare(op, self.leaf(), self.value(1));
        // After the last byte every choice is the first, so the first one must not recurse.
        match self.below(8) {
            6 => Condition::Both(Box::new(simple), Box::new(self.condition())),
            7 => Condition::Either(Box::new(simple), Box::new(self.condition())),
            _ => simple,
        }
    }

    fn block(&mut self, nesting: usize) -> Vec<Stmt> {
        let length = 2 + self.below(5);
        let mut body = Vec::new();
        for _ in 0..length {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            body.push(self.statement(nesting));
        }
        body
    }

    fn statement(&mut self, nesting: usize) -> Stmt {
        let kinds = if nesting > 0 { 16 } else { 12 };
        match self.below(kinds) {
            0 => {
                let halves = if self.plain { 2 } else { 6 };
                let tile = self.tile(&[0, 1, 2, 3, halves]);
                let window = self.window(&tile);
                Stmt::Load { tile, window }
            }
            1 => {
                let tile = self.tile(FLOATS);
                let window = self.target(&tile);
                Stmt::Store { tile, window }
            }
            2 | 3 => Stmt::Assign {
                scalar: self.below(SCALARS),
                adds: false,
                value: self.assigned(),
            },
            4 => Stmt::Assign {
                scalar: self.below(SCALARS),
                adds: true,
                value: self.int(0, 3),
            },
            5 => match self.below(4) {
                0 => Stmt::ResetMask,
                1 if self.loops > 0 => Stmt::Leave {
                    condition: self.condition(),
                    is_break: self.one_in(2),
                },
                2 => Stmt::Read {
                    scalar: self.below(SCALARS),
                    row: self.within(0, 63),
                },
                _ => self.set_mask(),
            },
            6 => {
                let (to, from) = (self.tile(&[0, 1, 2]), self.tile(&[0, 1, 2]));
                Stmt::Copy { to, from }
            }
            7..=11 => Stmt::Vector(self.vector()),
            12 | 13 => {
                let mut arms = vec![(self.condition(), self.block(nesting - 1))];
                if self.one_in(4) {
                    arms.push((self.condition(), self.block(nesting - 1)));
                }
                let otherwise = match self.one_in(2) {
                    true => self.block(nesting - 1),
                    false => Vec::new(),
                };
                Stmt::If { arms, otherwise }
            }
            _ => self.repetition(nesting),
        }
    }

    fn set_mask(&mut self) -> Stmt {
        let mut word = || match self.below(4) {
            0 => Expr::Int(-1),
            1 => Expr::Int(0),
            2 => Expr::Int(0xFF),
            _ => Expr::Int(0x5555_5555),
        };
        let (high, low) = (word(), word());
        let low = match self.one_in(5) {
            true => self.leaf(),
            false => low,
        };
        Stmt::SetMask { high, low }
    }

    fn repetition(&mut self, nesting: usize) -> Stmt {
        let bounds = match self.below(6) {
            0 => [Expr::Int(0), Expr::Int(3), Expr::Int(1)],
            1 => [Expr::Int(0), Expr::Parameter("K"), Expr::Int(1)],
            2 => {
                let tiles = binary(Op::CeilDiv, Expr::Parameter("N"), Expr::Int(32));
                [Expr::Int(0), tiles, Expr::Int(1)]
            }
            3 => [self.leaf(), Expr::Parameter("N"), Expr::Int(32)],
            4 => [
                Expr::Int(0),
                binary(Op::Min, self.leaf(), Expr::Int(4)),
                Expr::Int(1),
            ],
            _ => [Expr::Int(6), self.within(0, 6), Expr::Int(-2)],
        };
        let depth = self.loops;
        self.loops += 1;
        let mut body = self.block(nesting - 1);
        self.loops -= 1;
        if self.one_in(2) {
            body.push(Stmt::Assign {
                scalar: self.below(SCALARS),
                adds: true,
                value: self.int(1, 2),
            });
        }
        Stmt::Loop {
            depth,
            bounds,
            body,
        }
    }

    fn vector(&mut self) -> Vector {
        let known = |row: &&Instruction| match self.plain {
            true => PLAIN.contains(&row.opcode),
            false => simple(row),
        };
        let rows: Vec<&'static Instruction> = INSTRUCTIONS.iter().filter(known).collect();
        let row = self.pick(&rows);
        let floats = match !self.plain && self.one_in(6) {
            true => HALVES,
            false => FLOATS,
        };
        let number = Some(["0.5", "2.0", "-1.0"][self.below(3)].to_owned());
        let (operands, scalar) = match row.class {
            Class::Fill => (vec![self.tile(floats)], number),
            Class::ScalarOp => (vec![self.tile(floats), self.tile(floats)], number),
            Class::Binary => {
                let first = [self.tile(floats), self.tile(floats), self.tile(floats)];
                (first.to_vec(), None)
            }
            Class::Cast => match self.one_in(2) {
                true => (vec![self.tile(HALVES), self.tile(&[0, 1, 2])], None),
                false => (vec![self.tile(&[0, 1, 2]), self.tile(HALVES)], None),
            },
            Class::Compare => {
                let tiles = (row.opcode == Opcode::Compare) as usize + 1;
                let sources = (0..tiles).map(|_| self.tile(floats)).collect::<Vec<_>>();
                let operands = [vec![self.tile(&[CONTROL])], sources].concat();
                (operands, number.filter(|_| tiles == 1))
            }
            Class::Select => {
                let first = [self.tile(floats), self.tile(&[CONTROL]), self.tile(floats)];
                (first.to_vec(), number)
            }
            _ => (vec![self.tile(floats), self.tile(floats)], None),
        };
        let mut vector = Vector {
            opcode: row.opcode,
            operands,
            scalar,
            length: Length::Inferred,
            strides: Vec::new(),
        };
        self.numbers(row, &mut vector);
        vector
    }

    /// Says how long and how wide the instruction walks, now and then.
    fn numbers(&mut self, row: &'static Instruction, vector: &mut Vector) {
        let has = |kind| row.index_of(kind).is_some();
        vector.length = match self.below(8) {
            0 if has(ParamKind::Repeat) => Length::Repeat(self.within(0, 32)),
            1 if has(ParamKind::Count) => Length::Count(self.within(0, 2048)),
            2 if has(ParamKind::CountPerRepeat) => Length::CountPerRepeat(self.within(0, 64)),
            3 if has(ParamKind::Repeat) => Length::Repeat(self.leaf()),
            _ => Length::Inferred,
        };
        if matches!(vector.length, Length::Count(_)) || !self.one_in(4) {
            return;
        }
        for param in row.params() {
            let most = match param.kind {
                ParamKind::BlockStride(_) => 3,
                ParamKind::RepeatStride(_) => 17,
                _ => continue,
            };
            // A cast takes both repeat strides or none.
            if row.class == Class::Cast || self.one_in(2) {
                vector.strides.push((param.name, self.below(most) as i64));
            }
        }
    }
}

/// Instructions that take floats, or halves, and nothing but what the author gives them.
fn simple(row: &Instruction) -> bool {
    use Opcode::{Axpy, MulAddDst, ShiftLs, ShiftRs, Vand, Vnot, Vor};
    let simple = matches!(
        row.class,
        Class::Unary
            | Class::Binary
            | Class::ScalarOp
            | Class::Fill
            | Class::Cast
            | Class::Reduce
            | Class::GroupReduce
            | Class::PairReduce
            | Class::Broadcast
            | Class::Compare
            | Class::Select
    );
    let of_integers = matches!(row.opcode, Vand | Vor | Vnot | ShiftLs | ShiftRs);
    let accumulates = matches!(row.opcode, MulAddDst | Axpy);
    row.receiver.is_none() && simple && !of_integers && (!accumulates || row.is_vector())
}

fn binary(op: Op, a: Expr, b: Expr) -> Expr {
    Expr::Binary(op, Box::new(a), Box::new(b))
}
