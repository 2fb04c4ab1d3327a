//! Values, and operands: what an expression makes.

use std::rc::Rc;

use a2lint_ir::{ScalarId, ScalarType};
use a2lint_source::text::Span;
use smallvec::SmallVec;

use super::types::{ClosureId, FloatType, IntType, Ty};
use crate::library::LibraryValue;
use crate::syntax::ast::Name;

/// A place in memory. Cells of static storage have the highest bit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct CellId(pub(crate) u32);

/// A function with the context that its names are looked up in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct FunctionId(pub(crate) u32);

/// Scalars of a program with their types.
pub type ScalarList = SmallVec<[(ScalarId, ScalarType); 2]>;

/// A value that a single cell holds.
#[derive(Clone, Debug)]
pub enum Value {
    /// Of `void`.
    Void,
    /// Indeterminate: reading it is undefined behaviour.
    Uninit,
    /// Not known; the place where it got lost is noted.
    Unknown,
    /// An integer, also the value of an enumerator.
    Int(IntType, IntValue),
    /// A floating number.
    Float(FloatType, FloatValue),
    /// A null pointer.
    Null,
    /// A pointer to an object, or a reference that is a member.
    Pointer(Pointer),
    /// A function, or a pointer to one.
    Function(FunctionId),
    /// A lambda.
    Closure(Rc<Closure>),
    /// A string literal.
    String(Name),
    /// A value of the library, or a pointer into memory that the library knows.
    Library(Rc<dyn LibraryValue>),
}

/// The value of an integer type. It lies within the limits of that type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum IntValue {
    /// Known when the kernel is compiled.
    Known(i128),
    /// A scalar of the program. It mentions only variables that are not assigned any more where it is used.
    Scalar(ScalarId),
}

/// The value of a floating type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FloatValue {
    /// Known when the kernel is compiled; a value of the type, exactly.
    Known(f64),
    /// A scalar of the program.
    Scalar(ScalarId),
}

/// Where a pointer points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Pointer {
    /// To an object; an element of an array may be stepped from.
    To(CellId),
    /// One past the last element of an array.
    End(CellId),
}

/// The object that a lambda expression makes.
#[derive(Debug)]
pub struct Closure {
    /// Its type.
    pub(crate) ty: ClosureId,
    /// The captured variables by name; copies are cells of their own.
    pub(crate) captures: Vec<(Name, Captured)>,
    /// `this` of the function around it, where it is captured.
    pub(crate) this: Option<CellId>,
}

/// A captured variable.
#[derive(Clone, Debug)]
pub(crate) enum Captured {
    /// A cell, of the variable itself or of its copy.
    Cell(CellId, Ty),
    /// A reference into memory that the library knows.
    Remote(Value, Ty),
    /// The variables of a pack.
    Pack(Vec<Captured>),
}

/// The result of an expression: a type with a place or value, and the place in the source.
#[derive(Clone, Debug)]
pub struct Operand {
    /// Its type; never a reference.
    pub ty: Ty,
    /// Where it is.
    pub place: Place,
    /// Where the expression stands.
    pub span: Span,
}

/// Where an operand is.
#[derive(Clone, Debug)]
pub enum Place {
    /// A value that no object holds.
    Value(Value),
    /// An object: an lvalue.
    Cell(CellId),
    /// An object that is to be moved from.
    Moved(CellId),
    /// A new object of class type that nothing else names.
    Temporary(CellId),
    /// An lvalue in memory that the library knows.
    Remote(Value),
    /// A list in braces that has no type yet.
    Braces(Rc<[BraceOperand]>),
    /// Functions of one name; which of them, their use decides.
    Overloads(Rc<Overloads>),
}

/// An item of a list in braces.
#[derive(Clone, Debug)]
pub struct BraceOperand {
    /// `.name =`
    pub field: Option<Name>,
    /// The value.
    pub value: Operand,
}

/// Functions of one name.
#[derive(Clone, Debug)]
pub struct Overloads {
    /// The name.
    pub name: Name,
    /// The functions of the sources.
    pub functions: Vec<FunctionId>,
    /// Explicit template arguments.
    pub arguments: Option<Rc<[super::types::TemplateArg]>>,
    /// The object before the name.
    pub object: Option<Operand>,
    /// Whether the library may know the name as well.
    pub is_library: bool,
}

impl Value {
    /// Returns a known integer.
    pub fn int(of: IntType, value: i128) -> Value {
        Value::Int(of, IntValue::Known(value))
    }

    /// Returns `true` or `false` as a value.
    pub fn bool(value: bool) -> Value {
        Value::int(IntType::Bool, value.into())
    }

    /// Returns the integer, if it is known.
    pub fn known_int(&self) -> Option<i128> {
        match self {
            Value::Int(_, IntValue::Known(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the number, if it is known.
    pub fn known_float(&self) -> Option<f64> {
        match self {
            Value::Float(_, FloatValue::Known(value)) => Some(*value),
            _ => None,
        }
    }

    /// Returns the payload of a library value of a given Rust type.
    pub fn library<T: 'static>(&self) -> Option<&T> {
        match self {
            Value::Library(value) => value.as_any().downcast_ref(),
            _ => None,
        }
    }

    /// Returns whether the value is unknown.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Value::Unknown)
    }

    /// Returns the scalars of the program in the value. A known number has none: its shape is its type.
    pub fn scalars(&self) -> ScalarList {
        match self {
            Value::Int(of, IntValue::Scalar(id)) => ScalarList::from_iter([(*id, of.scalar())]),
            Value::Float(of, FloatValue::Scalar(id)) => {
                of.scalar().map(|of| (*id, of)).into_iter().collect()
            }
            Value::Library(value) => value.scalars().into_iter().collect(),
            _ => ScalarList::new(),
        }
    }

    /// Returns the same value with its scalars replaced, in the order of [`Value::scalars`].
    pub fn with_scalars(&self, scalars: &[ScalarId]) -> Value {
        match (self, scalars) {
            (Value::Int(of, IntValue::Scalar(_)), [id]) => Value::Int(*of, IntValue::Scalar(*id)),
            (Value::Float(of, FloatValue::Scalar(_)), [id]) => {
                Value::Float(*of, FloatValue::Scalar(*id))
            }
            (Value::Library(value), scalars) => Value::Library(value.with_scalars(scalars)),
            _ => self.clone(),
        }
    }

    /// Returns whether two values differ only in their scalars, so that the same variables of the program can hold
    /// either.
    pub fn is_same_shape(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a, IntValue::Scalar(_)), Value::Int(b, IntValue::Scalar(_))) => a == b,
            (Value::Float(a, FloatValue::Scalar(_)), Value::Float(b, FloatValue::Scalar(_))) => {
                a == b
            }
            (Value::Library(a), Value::Library(b)) => a.is_same_shape(b.as_ref()),
            _ => self.is_same(other),
        }
    }

    /// Returns whether both are certainly the same value.
    pub fn is_same(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Void, Value::Void) | (Value::Null, Value::Null) => true,
            (Value::Uninit, Value::Uninit) => true,
            (Value::Int(a, x), Value::Int(b, y)) => a == b && x == y,
            (Value::Float(a, FloatValue::Known(x)), Value::Float(b, FloatValue::Known(y))) => {
                a == b && x.to_bits() == y.to_bits()
            }
            (Value::Float(a, FloatValue::Scalar(x)), Value::Float(b, FloatValue::Scalar(y))) => {
                a == b && x == y
            }
            (Value::Pointer(a), Value::Pointer(b)) => a == b,
            (Value::Function(a), Value::Function(b)) => a == b,
            (Value::Closure(a), Value::Closure(b)) => Rc::ptr_eq(a, b),
            (Value::String(a), Value::String(b)) => a == b,
            (Value::Library(a), Value::Library(b)) => {
                a.is_same_shape(b.as_ref()) && a.scalars() == b.scalars()
            }
            _ => false,
        }
    }
}

impl Operand {
    /// Returns an operand that is a value of a type.
    pub fn value(ty: impl Into<Ty>, value: Value, span: Span) -> Operand {
        let ty = ty.into();
        let place = Place::Value(value);
        Operand { ty, place, span }
    }

    /// Returns an operand that is an object.
    pub fn cell(ty: Ty, cell: CellId, span: Span) -> Operand {
        let place = Place::Cell(cell);
        Operand { ty, place, span }
    }

    /// Returns an operand of unknown type and value.
    pub fn unknown(span: Span) -> Operand {
        Operand::value(Ty::unknown(), Value::Unknown, span)
    }

    /// Returns an operand of a type with an unknown value.
    pub fn unknown_of(ty: Ty, span: Span) -> Operand {
        Operand::value(ty, Value::Unknown, span)
    }

    /// Returns the result of a call that returns nothing.
    pub fn void(span: Span) -> Operand {
        Operand::value(Ty::void(), Value::Void, span)
    }

    /// Returns the cell of an operand that is an object, with a name or without.
    pub fn object(&self) -> Option<CellId> {
        match self.place {
            Place::Cell(cell) | Place::Moved(cell) | Place::Temporary(cell) => Some(cell),
            _ => None,
        }
    }

    /// Returns whether it is an lvalue.
    pub fn is_lvalue(&self) -> bool {
        matches!(self.place, Place::Cell(_) | Place::Remote(_))
    }

    /// Returns the same operand with another place in the source.
    pub fn at(mut self, span: Span) -> Operand {
        self.span = span;
        self
    }
}
