//! Values of scalars.

use a2lint_ir::arithmetic::{truncated, wrapped};
use a2lint_ir::{BinaryOp, BufferId, Program, Scalar, ScalarId, ScalarNames, VariableId};
use a2lint_isa::DType;

/// The value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A uint64 of at least 2^63.
    Large(u64),
    /// A float; an `f32` unless it is a literal.
    Float(f64),
    /// No value.
    Absent(Absence),
}

/// The reason why a scalar has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The variable was read before anything was assigned.
    Unassigned(VariableId),
    /// The size of a buffer mentions the variable, which gets its value only while the kernel runs.
    Late(VariableId),
    /// The front end could not evaluate the scalar.
    Unknown,
    /// The scalar is read from memory on the other side only.
    OtherSide(VariableId),
    /// Integer arithmetic has no result.
    Fault(Fault),
    /// Floats do not have the operation.
    FloatOperation,
    /// The number is outside of the range of coordinates of a memory.
    Coordinate(i64),
    /// The buffer does not fit into its memory.
    Unplaced(BufferId),
}

/// Integer arithmetic without a result: a division by 0, a shift by more bits than the type has, or an index outside of
/// its array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The expression.
    pub scalar: ScalarId,
    /// The left operand of the expression.
    pub left: i64,
    /// The right operand of the expression.
    pub right: i64,
}

impl Fault {
    /// Describes it as a clause: `` `64 // ratio` divides 64 by 0 ``. `written` is the expression as the source has it.
    pub fn clause(self, program: &Program, written: Option<&str>) -> String {
        let Fault {
            scalar,
            left,
            right,
        } = self;
        let text = match written {
            Some(text) => text.to_owned(),
            None => ScalarNames::new(program).text(scalar),
        };
        match program.scalars.get(scalar) {
            Scalar::Binary(BinaryOp::Shl | BinaryOp::Shr, ..) => {
                let dtype = program.scalars.operation_type(scalar).dtype;
                format!(
                    "`{text}` shifts {left} by {right} bits; {dtype} has {}",
                    dtype.bits()
                )
            }
            Scalar::Binary(BinaryOp::Index, index, _) => {
                let index = ScalarNames::new(program).text(index);
                let elements = if right == 1 { "element" } else { "elements" };
                format!("the index `{index}` is {left}, and the array has {right} {elements}")
            }
            Scalar::Binary(BinaryOp::Multiple, bytes, _) => {
                let bytes = ScalarNames::new(program).text(bytes);
                format!("`{bytes}` is {left}, no multiple of the {right} bytes of an element")
            }
            _ => format!("`{text}` divides {left} by {right}"),
        }
    }
}

impl Value {
    /// Creates an integer of any type that scalars have.
    pub fn whole(value: i128) -> Value {
        match i64::try_from(value) {
            Ok(value) => Value::Int(value),
            // Scalars have at most 64 bits, so what does not fit into an i64 is a u64.
            Err(_) => Value::Large(value as u64),
        }
    }

    /// Returns the integer, if it is one.
    pub fn as_whole(self) -> Option<i128> {
        match self {
            Value::Int(value) => Some(value.into()),
            Value::Large(value) => Some(value.into()),
            Value::Float(_) | Value::Absent(_) => None,
        }
    }

    /// Returns the value as an address, size or number of iterations. Floats are truncated towards zero;
    /// values that are too large become the largest number.
    pub fn as_int(self) -> Result<i64, Absence> {
        match self {
            Value::Int(value) => Ok(value),
            // No address or size is that large, so the exact number does not matter.
            Value::Large(_) => Ok(i64::MAX),
            Value::Float(value) => Ok(value as i64),
            Value::Absent(absence) => Err(absence),
        }
    }

    /// Returns the value as a word of a mask.
    pub fn as_word(self) -> Result<u64, Absence> {
        match self {
            Value::Int(value) => Ok(value as u64),
            Value::Large(value) => Ok(value),
            Value::Float(value) => Ok(value as u64),
            Value::Absent(absence) => Err(absence),
        }
    }

    /// Returns the value as a double.
    pub fn as_float(self) -> Result<f64, Absence> {
        match self {
            Value::Int(value) => Ok(value as f64),
            Value::Large(value) => Ok(value as f64),
            Value::Float(value) => Ok(value),
            Value::Absent(absence) => Err(absence),
        }
    }

    /// Returns whether the value is not zero.
    pub fn as_bool(self) -> Result<bool, Absence> {
        self.as_float().map(|value| value != 0.0)
    }

    /// Converts the value as an assignment to a variable of this type does.
    pub fn converted(self, dtype: Option<DType>) -> Value {
        match (self, dtype) {
            (Value::Absent(_), _) => self,
            (Value::Float(value), Some(dtype)) if !dtype.is_float() => {
                Value::whole(truncated(dtype, value))
            }
            (Value::Float(_), None | Some(DType::Float)) => rounded(single(self)),
            (_, Some(DType::Half)) => rounded(half::f16::from_f32(single(self)).to_f32()),
            (_, Some(DType::BFloat16)) => rounded(half::bf16::from_f32(single(self)).to_f32()),
            (_, Some(DType::Float)) => rounded(single(self)),
            (Value::Int(_) | Value::Large(_), Some(dtype)) => match self.as_whole() {
                Some(value) => Value::whole(wrapped(dtype, value)),
                None => self,
            },
            (_, None | Some(_)) => self,
        }
    }
}

impl Absence {
    /// Returns the arithmetic without a result, if that is the reason.
    pub fn fault(self) -> Option<Fault> {
        match self {
            Absence::Fault(fault) => Some(fault),
            _ => None,
        }
    }

    /// Returns the variable that nothing has set, if that is the reason.
    pub fn unset(self) -> Option<VariableId> {
        match self {
            Absence::Unassigned(id) => Some(id),
            _ => None,
        }
    }

    /// Returns the buffer that does not fit into its memory, if that is the reason.
    pub fn unplaced(self) -> Option<BufferId> {
        match self {
            Absence::Unplaced(buffer) => Some(buffer),
            _ => None,
        }
    }

    /// Returns the reason as a clause.
    pub fn reason(self, program: &Program) -> String {
        let name = |id: VariableId| match program.variable(id).name.as_str() {
            "" => "a scalar".to_owned(),
            name => format!("`{name}`"),
        };
        match self {
            Absence::Unassigned(id) => program.variable(id).without_value(true),
            Absence::Late(id) => format!(
                "the size of a buffer depends on {}, which could not be computed before the kernel runs",
                name(id)
            ),
            Absence::Unknown => "a value could not be evaluated".to_owned(),
            Absence::OtherSide(id) => {
                format!("{} is read on the other side only", name(id))
            }
            Absence::Fault(fault) => fault.clause(program, None),
            Absence::FloatOperation => "floats do not have an operation that it uses".to_owned(),
            Absence::Coordinate(value) => {
                let negative = value.saturating_sub(1 << 32);
                let meant = match (i64::from(i32::MIN)..0).contains(&negative) {
                    true => format!(" ({negative} in an unsigned type)"),
                    false => String::new(),
                };
                format!("an index or a length is {value}{meant}, which no memory has")
            }
            Absence::Unplaced(buffer) => {
                format!(
                    "{} does not fit into its memory",
                    program.buffer(buffer).label()
                )
            }
        }
    }
}

pub(super) fn rounded(value: f32) -> Value {
    Value::Float(f64::from(value))
}

/// Returns a number as the 32-bit float that the device computes with.
pub(super) fn single(value: Value) -> f32 {
    match value {
        Value::Int(value) => value as f32,
        Value::Large(value) => value as f32,
        Value::Float(value) => value as f32,
        Value::Absent(_) => f32::NAN,
    }
}
