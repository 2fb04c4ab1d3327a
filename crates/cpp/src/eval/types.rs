//! Types of C++ after names are resolved.

use std::rc::Rc;

use a2lint_ir::ScalarType;
use a2lint_isa::DType;

use super::values::{CellId, FunctionId};
pub use crate::syntax::ast::AddressSpace;
use crate::syntax::ast::Name;

/// A type with its outermost `const`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ty {
    /// The type itself.
    pub kind: Kind,
    /// Whether it is `const`.
    pub is_const: bool,
}

/// A type without `const`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// `void`
    Void,
    /// `std::nullptr_t`
    Null,
    /// An integer type, `bool` included.
    Int(IntType),
    /// A floating type.
    Float(FloatType),
    /// An enumeration.
    Enum(EnumId),
    /// A class, struct or union; instances of a class template are classes of their own.
    Class(ClassId),
    /// The type of a lambda expression in one instance of the function around it.
    Closure(ClosureId),
    /// A pointer.
    Pointer(Rc<Ty>, AddressSpace),
    /// A reference; `true` for `&&`.
    Reference(Rc<Ty>, bool),
    /// An array; `None` for one of unknown bound.
    Array(Rc<Ty>, Option<u64>),
    /// A function.
    Function(Rc<FunctionType>),
    /// A type that only the library knows.
    Library(Rc<LibraryType>),
    /// A type that could not be determined.
    Unknown,
}

/// The type of a function.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct FunctionType {
    /// The return type.
    pub returns: Ty,
    /// Its parameters.
    pub parameters: Vec<Ty>,
}

/// A type that only the library knows: a name with arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct LibraryType {
    /// Its name.
    pub name: Name,
    /// Its template arguments.
    pub arguments: Vec<TemplateArg>,
}

/// A resolved template argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TemplateArg {
    /// A type.
    Type(Ty),
    /// A constant of a type.
    Value(Ty, Constant),
    /// A class or alias template, by its number.
    Template(TemplateId),
    /// A class template of the library, by its name.
    OfLibrary(Name),
    /// The arguments that a pack stands for.
    Pack(Rc<[TemplateArg]>),
    /// An argument that could not be evaluated.
    Unknown,
}

/// A constant that is a template argument.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Constant {
    /// An integer or enumerator.
    Int(i128),
    /// A function.
    Function(FunctionId),
    /// Functions of one name; which of them, the type of the parameter decides.
    Functions(Rc<[FunctionId]>),
    /// An object with static storage: its address, or for a class the object itself.
    Cell(CellId),
    /// `nullptr`
    Null,
}

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(pub(crate) u32);

        impl $name {
            pub(crate) fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id!(
    /// A class: an instance where it comes from a template.
    ClassId
);
id!(/** An enumeration. */ EnumId);
id!(/** A class or alias template. */ TemplateId);
id!(/** The type of a lambda expression. */ ClosureId);

a2lint_isa::named! {
    /// The integer types of LP64.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum IntType {
        Bool = "bool",
        Char = "char",
        SignedChar = "signed char",
        UnsignedChar = "unsigned char",
        Short = "short",
        UnsignedShort = "unsigned short",
        Int = "int",
        Unsigned = "unsigned int",
        Long = "long",
        UnsignedLong = "unsigned long",
        LongLong = "long long",
        UnsignedLongLong = "unsigned long long",
    }
    /// Returns its spelling in C++.
    fn spelling
}

a2lint_isa::named! {
    /// The floating types. Of `long double` no value is known.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
    #[allow(missing_docs)]
    pub enum FloatType {
        Half = "half",
        BFloat16 = "bfloat16_t",
        Float = "float",
        Double = "double",
    }
    /// Returns its spelling.
    fn spelling
}

impl IntType {
    /// Returns the width in bits; 1 for `bool`.
    pub fn bits(self) -> u32 {
        use IntType::*;
        match self {
            Bool => 1,
            Char | SignedChar | UnsignedChar => 8,
            Short | UnsignedShort => 16,
            Int | Unsigned => 32,
            Long | UnsignedLong | LongLong | UnsignedLongLong => 64,
        }
    }

    /// Returns the size in bytes.
    pub fn bytes(self) -> u64 {
        u64::from(self.bits().div_ceil(8))
    }

    /// Returns whether the type is signed. `char` is signed, as on x86.
    pub fn is_signed(self) -> bool {
        use IntType::*;
        matches!(self, Char | SignedChar | Short | Int | Long | LongLong)
    }

    /// Returns the smallest and the largest value.
    pub fn limits(self) -> (i128, i128) {
        match self.is_signed() {
            true => (-(1 << (self.bits() - 1)), (1 << (self.bits() - 1)) - 1),
            false => (0, (1 << self.bits()) - 1),
        }
    }

    /// Reduces a whole number modulo 2^bits, as a conversion to the type does; for `bool`, returns whether it is not 0.
    pub fn wrap(self, value: i128) -> i128 {
        if self == IntType::Bool {
            return i128::from(value != 0);
        }
        let (min, max) = self.limits();
        if (min..=max).contains(&value) {
            return value;
        }
        let kept = value & ((1_i128 << self.bits()) - 1);
        match kept > max {
            true => kept - (1_i128 << self.bits()),
            false => kept,
        }
    }

    /// Returns whether the type holds a whole number.
    pub fn holds(self, value: i128) -> bool {
        let (min, max) = self.limits();
        (min..=max).contains(&value)
    }

    /// Returns the type after integral promotion.
    pub fn promoted(self) -> IntType {
        match self.bits() < 32 {
            true => IntType::Int,
            false => self,
        }
    }

    /// Returns the conversion rank: `long long` ranks above `long` of the same width.
    fn rank(self) -> u32 {
        use IntType::*;
        match self {
            Bool => 0,
            Char | SignedChar | UnsignedChar => 1,
            Short | UnsignedShort => 2,
            Int | Unsigned => 3,
            Long | UnsignedLong => 4,
            LongLong | UnsignedLongLong => 5,
        }
    }

    /// Returns the unsigned type of the same rank.
    pub fn unsigned(self) -> IntType {
        use IntType::*;
        match self {
            Bool => Bool,
            Char | SignedChar | UnsignedChar => UnsignedChar,
            Short | UnsignedShort => UnsignedShort,
            Int | Unsigned => Unsigned,
            Long | UnsignedLong => UnsignedLong,
            LongLong | UnsignedLongLong => UnsignedLongLong,
        }
    }

    /// Returns the signed type of the same rank.
    pub fn signed(self) -> IntType {
        use IntType::*;
        match self {
            Bool => Bool,
            Char | SignedChar | UnsignedChar => SignedChar,
            Short | UnsignedShort => Short,
            Int | Unsigned => Int,
            Long | UnsignedLong => Long,
            LongLong | UnsignedLongLong => LongLong,
        }
    }

    /// Returns the type that the usual arithmetic conversions give to two operands.
    pub fn common(self, other: IntType) -> IntType {
        let (a, b) = (self.promoted(), other.promoted());
        if a.is_signed() == b.is_signed() {
            return if a.rank() >= b.rank() { a } else { b };
        }
        let (signed, unsigned) = if a.is_signed() { (a, b) } else { (b, a) };
        if unsigned.rank() >= signed.rank() {
            unsigned
        } else if signed.bits() > unsigned.bits() {
            signed
        } else {
            signed.unsigned()
        }
    }

    /// Returns the type of a scalar of a program with the same values.
    pub fn scalar(self) -> ScalarType {
        use IntType::*;
        ScalarType::of(match self {
            Bool => DType::Bool,
            Char | SignedChar => DType::Int8,
            UnsignedChar => DType::UInt8,
            Short => DType::Int16,
            UnsignedShort => DType::UInt16,
            Int => DType::Int,
            Unsigned => DType::UInt32,
            Long | LongLong => DType::Int64,
            UnsignedLong | UnsignedLongLong => DType::UInt64,
        })
    }
}

impl FloatType {
    /// Returns the size in bytes.
    pub fn bytes(self) -> u64 {
        match self {
            FloatType::Half | FloatType::BFloat16 => 2,
            FloatType::Float => 4,
            FloatType::Double => 8,
        }
    }

    /// Returns the scalar type of programs with the same values; `double` has none.
    pub fn scalar(self) -> Option<ScalarType> {
        match self {
            FloatType::Half => Some(ScalarType::of(DType::Half)),
            FloatType::BFloat16 => Some(ScalarType::of(DType::BFloat16)),
            FloatType::Float => Some(ScalarType::of(DType::Float)),
            FloatType::Double => None,
        }
    }
}

impl From<Kind> for Ty {
    fn from(kind: Kind) -> Ty {
        let is_const = false;
        Ty { kind, is_const }
    }
}

impl From<IntType> for Ty {
    fn from(of: IntType) -> Ty {
        Kind::Int(of).into()
    }
}

impl From<FloatType> for Ty {
    fn from(of: FloatType) -> Ty {
        Kind::Float(of).into()
    }
}

impl Ty {
    /// Returns the type `void`.
    pub fn void() -> Ty {
        Kind::Void.into()
    }

    /// Returns the unknown type.
    pub fn unknown() -> Ty {
        Kind::Unknown.into()
    }

    /// Returns the type of a pointer to this type, into private memory.
    pub fn pointer_to(self) -> Ty {
        Kind::Pointer(Rc::new(self), AddressSpace::Private).into()
    }

    /// Returns the type of a reference to this type; references to references collapse.
    pub fn reference_to(self, is_rvalue: bool) -> Ty {
        match self.kind {
            Kind::Reference(of, was_rvalue) => Kind::Reference(of, was_rvalue && is_rvalue).into(),
            Kind::Unknown => self,
            _ => Kind::Reference(Rc::new(self), is_rvalue).into(),
        }
    }

    /// Returns the type with `const` added.
    pub fn constant(mut self) -> Ty {
        match &self.kind {
            Kind::Reference(..) => {}
            Kind::Array(of, length) if !of.is_const => {
                let of = of.as_ref().clone().constant();
                self.kind = Kind::Array(Rc::new(of), *length);
            }
            _ => self.is_const = true,
        }
        self
    }

    /// Returns the type without its outermost `const`.
    pub fn unqualified(mut self) -> Ty {
        self.is_const = false;
        self
    }

    /// Returns the type that a reference refers to; returns other types unchanged.
    pub fn referred(&self) -> &Ty {
        match &self.kind {
            Kind::Reference(of, _) => of,
            _ => self,
        }
    }

    /// Returns whether it is a reference.
    pub fn is_reference(&self) -> bool {
        matches!(self.kind, Kind::Reference(..))
    }

    /// Returns the type that a pointer points to.
    pub fn pointee(&self) -> Option<&Rc<Ty>> {
        match &self.kind {
            Kind::Pointer(of, _) => Some(of),
            _ => None,
        }
    }

    /// Returns whether both are the same type but for the outermost `const`.
    pub fn is_same(&self, other: &Ty) -> bool {
        self.kind == other.kind
    }

    /// Returns whether both are the same type but for `const`, that of the elements of an array included.
    pub fn is_like(&self, other: &Ty) -> bool {
        match (&self.kind, &other.kind) {
            (Kind::Array(a, length), Kind::Array(b, other)) => length == other && a.is_like(b),
            _ => self.kind == other.kind,
        }
    }

    /// Returns whether objects of the type are `const`; an array is if its elements are.
    pub fn holds_constants(&self) -> bool {
        match &self.kind {
            Kind::Array(of, _) => self.is_const || of.holds_constants(),
            _ => self.is_const,
        }
    }

    /// Returns the class that it is.
    pub fn class(&self) -> Option<ClassId> {
        match self.kind {
            Kind::Class(id) => Some(id),
            _ => None,
        }
    }
}
