//! The values in on-chip memory, from the writes that a read may find.
//!
//! A [`Value`] describes what one write leaves: whether its lanes are equal, the arrangement of one value per
//! row, the number that all elements are, the layout of a mask. Values pass through instructions until
//! nothing changes; each of their parts can only lose precision, a few times at most. Undefined memory adds
//! nothing: other rules report it.

use super::reaching::{Reaching, Source};
use super::{Analysis, Touch, resolved};
use a2lint_ir::arithmetic::wrapped;
use a2lint_ir::{Instr, Program, ScalarId, StmtId, StmtKind, VariableId};
use a2lint_isa::{Class, DType, Operator, ParamKind, Place, param};

/// Maximum number of rounds; after them all values count as unknown. Values that depend on each other settle in a few.
const MAX_ROUNDS: usize = 64;

/// Whether lanes hold the same value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lanes {
    /// The same value in all lanes of each write.
    Alike,
    /// Some writes leave a different value in each lane, others the same in all.
    Mixed,
    /// A different value in each lane.
    Varied,
    /// Not known.
    Unknown,
}

impl Lanes {
    /// Returns the lanes after either of two writes.
    fn or(self, other: Lanes) -> Lanes {
        match (self, other) {
            (Lanes::Unknown, _) | (_, Lanes::Unknown) => Lanes::Unknown,
            (a, b) if a == b => a,
            _ => Lanes::Mixed,
        }
    }

    /// Returns the lanes of a result computed from both.
    fn with(self, other: Lanes) -> Lanes {
        match (self, other) {
            (Lanes::Unknown, _) | (_, Lanes::Unknown) => Lanes::Unknown,
            (Lanes::Alike, lanes) | (lanes, Lanes::Alike) => lanes,
            (Lanes::Varied, Lanes::Varied) => Lanes::Varied,
            _ => Lanes::Mixed,
        }
    }
}

/// The arrangement of one value per row in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arrangement {
    /// Adjacent, as reductions leave them.
    Packed,
    /// Each in all lanes of a block, as `brcb` leaves them.
    Blocks,
    /// The same value everywhere: compatible with both.
    Uniform,
    /// Anything else.
    Unknown,
}

impl Arrangement {
    /// Returns the arrangement after either of two writes, or of a result computed from both.
    fn with(self, other: Arrangement) -> Arrangement {
        match (self, other) {
            (Arrangement::Uniform, other) | (other, Arrangement::Uniform) => other,
            (a, b) if a == b => a,
            _ => Arrangement::Unknown,
        }
    }
}

/// The meaning of the bytes of a mask; later variants outweigh earlier ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MaskForm {
    /// Zeros, which are the same in both forms.
    Zeros,
    /// One byte for each element: from rows as wide as the tensor, conversions, or single stores of 0 and 1.
    Bytes,
    /// The instruction that wrote the mask does not determine the form.
    Unclear,
    /// One byte for eight elements, or nothing is known.
    Packed,
}

/// A number that all elements are, in the type with which they were written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Number {
    dtype: DType,
    bits: u64,
}

/// What is known of the contents of an operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Value {
    /// Whether lanes are equal.
    pub lanes: Lanes,
    /// The arrangement of one value per row.
    pub arrangement: Arrangement,
    /// The form, if it is a mask.
    pub mask: MaskForm,
    number: Option<Number>,
}

impl Value {
    /// Nothing is known.
    pub const UNKNOWN: Value = Value {
        lanes: Lanes::Unknown,
        arrangement: Arrangement::Unknown,
        mask: MaskForm::Packed,
        number: None,
    };

    /// Returns the number that all elements are when read as this type.
    pub fn number(&self, dtype: DType) -> Option<f64> {
        let number = self.number?;
        let value = f64::from_bits(number.bits);
        (number.dtype == dtype || number.bits == 0).then_some(value)
    }

    /// Returns what either of two writes may have left.
    fn or(self, other: Value) -> Value {
        Value {
            lanes: self.lanes.or(other.lanes),
            arrangement: self.arrangement.with(other.arrangement),
            mask: self.mask.max(other.mask),
            number: self.number.filter(|_| self.number == other.number),
        }
    }

    /// Returns an elementwise result of both, without its number.
    fn with(self, other: Value) -> Value {
        Value {
            lanes: self.lanes.with(other.lanes),
            arrangement: self.arrangement.with(other.arrangement),
            mask: self.mask.max(other.mask),
            number: None,
        }
    }
}

/// The values of a program's writes.
#[derive(Debug)]
pub struct Values {
    reaching: Reaching,
    /// The value of each of [`Reaching::sources`]; `None` if it has written nothing, or has no value yet.
    known: Vec<Option<Value>>,
}

impl Values {
    /// Computes the values of a program.
    pub(super) fn of(program: &Program, analysis: &Analysis) -> Values {
        let reaching = Reaching::of(program, analysis);
        let known = vec![None; reaching.sources.len()];
        let mut values = Values { reaching, known };
        for _ in 0..MAX_ROUNDS {
            if !values.improve(program, analysis) {
                return values;
            }
        }
        // The values have not settled, so none of them is certain.
        values.known.fill(Some(Value::UNKNOWN));
        values
    }

    /// Returns what an operand finds, or `None` if nothing has been written.
    pub fn found_by(&self, stmt: StmtId, operand: usize) -> Option<Value> {
        let sources = self.reaching.sources_of(stmt, operand).iter();
        sources
            .filter_map(|&source| self.known[source as usize])
            .reduce(Value::or)
    }

    /// Returns what a write leaves, by its position in [`Analysis::touches`].
    pub fn left_by(&self, touch: usize) -> Option<Value> {
        let mut sources = self.reaching.sources.iter();
        let source = sources.position(|source| *source == Source::Touch(touch))?;
        self.known[source]
    }

    /// Returns the positions in [`Analysis::touches`] of the writes that an operand may find, in program
    /// order, or `None` if something else may have written what it reads.
    pub fn writers(&self, stmt: StmtId, operand: usize) -> Option<Vec<usize>> {
        self.reaching.writers(stmt, operand)
    }

    /// Returns the same writes; there may be others, of code that was not followed.
    pub fn known_writers(&self, stmt: StmtId, operand: usize) -> Vec<usize> {
        self.reaching.known_writers(stmt, operand).0
    }

    /// Computes all values once; returns whether any has changed.
    fn improve(&mut self, program: &Program, analysis: &Analysis) -> bool {
        let mut changed = false;
        for at in 0..self.known.len() {
            let value = match &self.reaching.sources[at] {
                Source::Unknown => Some(Value::UNKNOWN),
                Source::Join(sources) => sources
                    .iter()
                    .filter_map(|&source| self.known[source as usize])
                    .reduce(Value::or),
                Source::Touch(touch) => self.written(program, analysis, *touch),
            };
            // Joined with the value before, so that a part once lost stays lost and the rounds end.
            let value = match (self.known[at], value) {
                (Some(before), Some(value)) => Some(before.or(value)),
                (before, value) => before.or(value),
            };
            changed |= value != self.known[at];
            self.known[at] = value;
        }
        changed
    }

    /// Returns what a write leaves; `None` while its operands have no value yet.
    fn written(&self, program: &Program, analysis: &Analysis, at: usize) -> Option<Value> {
        let touch = &analysis.touches[at];
        let row = touch.instr.row();
        match row.class {
            Class::Fill => Some(filled(program, touch)),
            Class::Unary | Class::Binary | Class::ScalarOp | Class::Cast | Class::Select => {
                self.computed(program, analysis, touch)
            }
            Class::Move if row.moves(Place::UB, Place::UB) => {
                self.computed(program, analysis, touch)
            }
            Class::Move if row.moves(Place::Gm, Place::UB) => Some(loaded(program, touch)),
            Class::Reduce => Some(reduced(program, touch.instr)),
            Class::Broadcast => Some(Value {
                arrangement: Arrangement::Blocks,
                ..Value::UNKNOWN
            }),
            Class::Scalar => Some(Value {
                mask: stored(program, touch),
                ..Value::UNKNOWN
            }),
            Class::Gather => Some(Value {
                mask: MaskForm::Unclear,
                ..Value::UNKNOWN
            }),
            _ => Some(Value::UNKNOWN),
        }
    }

    /// Returns the result of an elementwise instruction.
    fn computed(&self, program: &Program, analysis: &Analysis, touch: &Touch) -> Option<Value> {
        let instr = touch.instr;
        let control = |operand: usize| {
            instr.row().class == Class::Select && operand == param!(Select.selmask)
        };
        let mut operands = Vec::new();
        for at in analysis.touches_at(touch.stmt.id) {
            let read = &analysis.touches[at];
            // The control bits of a select choose lanes, but contribute no values.
            if read.access.reads() && !control(read.operand) {
                let found = self.found_by(touch.stmt.id, read.operand)?;
                operands.push((read.view.dtype, found));
            }
        }
        let values = operands.iter().map(|&(_, value)| value);
        let mut value = values.clone().reduce(Value::with)?;
        match instr.row().class {
            // Neighbouring lanes may come from different sources.
            Class::Select => value.lanes = Lanes::Unknown,
            Class::Cast => value = converted(value),
            _ => {}
        }
        let numbers: Option<Vec<f64>> = operands
            .iter()
            .map(|(dtype, value)| value.number(*dtype))
            .collect();
        let dtype = touch.view.dtype;
        let result = numbers.and_then(|numbers| calculated(program, instr, dtype, &numbers));
        value.number = result.map(|result| Number {
            dtype,
            bits: result.to_bits(),
        });
        Some(value)
    }
}

/// Returns the result of a conversion: blocks of one type are none of another, and elements are not packed
/// bits.
fn converted(value: Value) -> Value {
    let arrangement = match value.arrangement {
        Arrangement::Blocks => Arrangement::Unknown,
        other => other,
    };
    Value {
        arrangement,
        mask: MaskForm::Bytes,
        ..value
    }
}

/// Returns the result for operands that are numbers, if all of them are exact in the type of the result.
fn calculated(program: &Program, instr: &Instr, dtype: DType, numbers: &[f64]) -> Option<f64> {
    let scalar = || {
        let value = program.scalars.as_float(instr.scalar(ParamKind::Value)?);
        value.filter(|&value| is_exact(dtype, value))
    };
    let row = instr.row();
    let result = match (row.operator(), numbers) {
        (None, &[a]) if row.moves(Place::UB, Place::UB) => return Some(a),
        _ if !numbers.iter().all(|&number| is_exact(dtype, number)) => return None,
        (Some(Operator::Add), &[a, b]) => a + b,
        (Some(Operator::Sub), &[a, b]) => a - b,
        (Some(Operator::Mul), &[a, b]) => a * b,
        (Some(Operator::Add), &[a]) => a + scalar()?,
        (Some(Operator::Mul), &[a]) => a * scalar()?,
        _ => return None,
    };
    Some(result).filter(|&result| is_exact(dtype, result))
}

/// Returns whether a number is an integer that a type is known to hold as it is.
fn is_exact(dtype: DType, number: f64) -> bool {
    let (least, most) = match dtype {
        DType::Int4 => (-8.0, 7.0),
        DType::Bool => (0.0, 1.0),
        DType::Int8 => (-128.0, 127.0),
        DType::UInt8 => (0.0, 255.0),
        // Eight significant bits.
        DType::BFloat16 => (-256.0, 256.0),
        DType::UInt16 | DType::UInt32 | DType::UInt64 => (0.0, 2048.0),
        // Half has eleven significant bits, and the others more.
        _ => (-2048.0, 2048.0),
    };
    number.fract() == 0.0 && (least..=most).contains(&number)
}

fn filled(program: &Program, touch: &Touch) -> Value {
    let value = touch.instr.scalar(ParamKind::Value);
    let number = value.and_then(|value| program.scalars.as_float(value));
    let mask = match value.and_then(|value| program.scalars.as_int(value)) {
        Some(0) => MaskForm::Zeros,
        // A one in each byte, written as 16 or as 32 bits.
        Some(0x0101 | 0x0101_0101) => MaskForm::Bytes,
        _ => MaskForm::Packed,
    };
    Value {
        lanes: Lanes::Alike,
        arrangement: Arrangement::Uniform,
        mask,
        number: number.map(|number| Number {
            dtype: touch.view.dtype,
            bits: number.to_bits(),
        }),
    }
}

/// Returns what a load leaves. Several elements are different values. Rows as wide as the tensor have a byte
/// for each element; narrower ones are bits in a mask that is larger than necessary.
fn loaded(program: &Program, touch: &Touch) -> Value {
    let number = |name| program.scalars.as_int(touch.instr.scalar_named(name)?);
    let (rows, length) = (number("n_burst"), number("burst_len_element"));
    let lanes = match (rows, length) {
        (Some(rows), Some(length)) if rows.saturating_mul(length) > 1 => Lanes::Varied,
        _ => Lanes::Unknown,
    };
    let mask = match (length, program.scalars.as_int(touch.view.shape[1])) {
        (Some(length), Some(width)) if length == width => MaskForm::Bytes,
        (Some(_), Some(_)) => MaskForm::Packed,
        _ => MaskForm::Unclear,
    };
    Value {
        lanes,
        arrangement: Arrangement::Unknown,
        mask,
        number: None,
    }
}

/// Returns what a reduction leaves: one result per repeat, adjacent unless a stride says otherwise.
fn reduced(program: &Program, instr: &Instr) -> Value {
    let lanes = match resolved(program, instr, ParamKind::Repeat) {
        Some(1) => Lanes::Alike,
        Some(_) => Lanes::Varied,
        None => Lanes::Unknown,
    };
    let arrangement = match resolved(program, instr, ParamKind::ResultStride) {
        Some(1) => Arrangement::Packed,
        _ => Arrangement::Unknown,
    };
    Value {
        lanes,
        arrangement,
        ..Value::UNKNOWN
    }
}

/// Returns the form of a mask after a scalar store: bytes for 0 or 1 in a byte.
fn stored(program: &Program, touch: &Touch) -> MaskForm {
    let bytes = matches!(touch.view.dtype, DType::UInt8 | DType::Int8);
    let Some(variable) = touch.instr.variable() else {
        return MaskForm::Packed;
    };
    match constant_values(program, variable) {
        Some(values) if bytes && values.iter().all(|value| *value == 0) => MaskForm::Zeros,
        Some(values) if bytes && values.iter().all(|value| matches!(value, 0 | 1)) => {
            MaskForm::Bytes
        }
        _ => MaskForm::Packed,
    }
}

/// Returns the constants that a variable is ever assigned, or `None` if one of them is not constant.
pub fn constant_values(program: &Program, variable: VariableId) -> Option<Vec<i64>> {
    let mut values: Option<Vec<i64>> = Some(Vec::new());
    let mut read_back = false;
    let dtype = program.variable(variable).dtype;
    program.walk(&mut |stmt| match &stmt.kind {
        StmtKind::Assign {
            variable: assigned,
            value,
        } if *assigned == variable => add(program, &mut values, *value, dtype),
        // Data from memory may be any number.
        StmtKind::Instr(instr) => read_back |= instr.reads_into() == Some(variable),
        _ => {}
    });
    values.filter(|values| !read_back && !values.is_empty())
}

fn add(program: &Program, values: &mut Option<Vec<i64>>, value: ScalarId, dtype: Option<DType>) {
    let value = program.scalars.as_int(value).and_then(|value| match dtype {
        Some(dtype) if dtype.is_float() => None,
        Some(dtype) => i64::try_from(wrapped(dtype, value.into())).ok(),
        None => Some(value),
    });
    match (value, values.as_mut()) {
        (Some(value), Some(values)) => values.push(value),
        _ => *values = None,
    }
}
