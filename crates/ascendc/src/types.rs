//! Types of the API: element types, and which memory a position of a queue is in.

use a2lint_cpp::eval::{FloatType, IntType, Kind, Ty};
use a2lint_ir::sync::Pair;
use a2lint_isa::{DType, Pipe, Position};

/// Returns the element type of a C++ type.
pub fn dtype(ty: &Ty) -> Option<DType> {
    Some(match &ty.kind {
        Kind::Int(of) => match of {
            IntType::Bool => DType::UInt8,
            IntType::Char | IntType::SignedChar => DType::Int8,
            IntType::UnsignedChar => DType::UInt8,
            IntType::Short => DType::Int16,
            IntType::UnsignedShort => DType::UInt16,
            IntType::Int => DType::Int,
            IntType::Unsigned => DType::UInt32,
            IntType::Long | IntType::LongLong => DType::Int64,
            IntType::UnsignedLong | IntType::UnsignedLongLong => DType::UInt64,
        },
        Kind::Float(of) => match of {
            FloatType::Half => DType::Half,
            FloatType::BFloat16 => DType::BFloat16,
            FloatType::Float => DType::Float,
            FloatType::Double => return None,
        },
        Kind::Library(of) if &*of.name == "int4b_t" => DType::Int4,
        _ => return None,
    })
}

/// Returns the C++ type of an element type.
pub fn ty(dtype: DType) -> Option<Ty> {
    let int = |of: IntType| Some(Ty::from(of));
    let float = |of: FloatType| Some(Ty::from(of));
    match dtype {
        DType::Half => float(FloatType::Half),
        DType::BFloat16 => float(FloatType::BFloat16),
        DType::Float => float(FloatType::Float),
        DType::Int => int(IntType::Int),
        DType::Int8 => int(IntType::SignedChar),
        DType::Int16 => int(IntType::Short),
        DType::Int64 => int(IntType::Long),
        DType::UInt8 => int(IntType::UnsignedChar),
        DType::UInt16 => int(IntType::UnsignedShort),
        DType::UInt32 => int(IntType::Unsigned),
        DType::UInt64 => int(IntType::UnsignedLong),
        DType::Bool => int(IntType::Bool),
        DType::Int4 => None,
    }
}

/// The numbers of `TPosition` in the prelude.
pub mod place {
    #![allow(missing_docs)]
    pub const GM: i64 = 0;
    pub const A1: i64 = 1;
    pub const A2: i64 = 2;
    pub const B1: i64 = 3;
    pub const B2: i64 = 4;
    pub const C1: i64 = 5;
    pub const C2: i64 = 6;
    pub const CO1: i64 = 7;
    pub const VECIN: i64 = 9;
    pub const VECOUT: i64 = 10;
    pub const VECCALC: i64 = 11;
    pub const TSCM: i64 = 13;
}

/// Returns the memory of a `TPosition`.
pub fn position(number: i64) -> Option<Position> {
    Some(match number {
        place::VECIN | place::VECOUT | place::VECCALC => Position::Ub,
        place::A1 | place::B1 | place::C1 | place::TSCM => Position::L1,
        place::A2 => Position::L0A,
        place::B2 => Position::L0B,
        place::C2 => Position::Bt,
        place::CO1 => Position::L0C,
        _ => return None,
    })
}

/// Returns the memory with this number in `Hardware`.
pub fn hardware(number: i64) -> Option<Position> {
    Some(match number {
        1 => Position::Ub,
        2 => Position::L1,
        3 => Position::L0A,
        4 => Position::L0B,
        5 => Position::L0C,
        6 => Position::Bt,
        _ => return None,
    })
}

/// Returns the properties of a queue between two positions: the memory of its buffers, the pipes of the event between
/// `EnQue` and `DeQue`, and the pipes of the event between `FreeTensor` and `AllocTensor`.
pub fn queue(from: i64, to: i64) -> Option<(Position, Pair, Pair)> {
    let both = |place, a, b| Some((place, (a, b), (b, a)));
    match (from, to) {
        (place::GM, place::VECIN) => both(Position::Ub, Pipe::Mte2, Pipe::V),
        (place::VECOUT, place::GM) => both(Position::Ub, Pipe::V, Pipe::Mte3),
        (place::VECIN, place::VECOUT) => both(Position::Ub, Pipe::Mte2, Pipe::Mte3),
        (place::GM, place::A1 | place::B1 | place::C1) => {
            both(Position::L1, Pipe::Mte2, Pipe::Mte1)
        }
        (place::A1, place::A2) => both(Position::L0A, Pipe::Mte1, Pipe::M),
        (place::B1, place::B2) => both(Position::L0B, Pipe::Mte1, Pipe::M),
        (place::C1, place::C2) => both(Position::Bt, Pipe::Mte1, Pipe::M),
        (place::CO1, _) => both(Position::L0C, Pipe::M, Pipe::Fix),
        (place::VECOUT, place::A1 | place::B1 | place::C1) => {
            both(Position::L1, Pipe::Mte3, Pipe::Mte1)
        }
        _ => None,
    }
}

/// Returns the name of a queue between two positions: the position that is on the chip, or both.
pub fn queue_name(from: i64, to: i64) -> &'static str {
    let on_chip = if from == place::VECOUT && to == place::GM {
        from
    } else {
        to
    };
    match (from, on_chip) {
        (place::VECIN, place::VECOUT) => "VECIN, VECOUT",
        (place::CO1, _) => "CO1",
        (_, place::A1) => "A1",
        (_, place::B1) => "B1",
        (_, place::C1) => "C1",
        (_, place::A2) => "A2",
        (_, place::B2) => "B2",
        (_, place::C2) => "C2",
        (_, place::VECIN) => "VECIN",
        (_, place::VECOUT) => "VECOUT",
        _ => "queue",
    }
}

/// Returns the source and destination positions of a `TQue` at a position.
pub fn ends(position: i64) -> Option<(i64, i64)> {
    Some(match position {
        place::VECIN => (place::GM, place::VECIN),
        place::VECOUT => (place::VECOUT, place::GM),
        place::A1 | place::B1 | place::C1 => (place::GM, position),
        place::A2 => (place::A1, place::A2),
        place::B2 => (place::B1, place::B2),
        place::C2 => (place::C1, place::C2),
        place::CO1 => (place::CO1, 8),
        _ => return None,
    })
}

/// Number of values of `HardEvent`.
pub const EVENTS: i64 = 35;

/// Pipes of a `HardEvent`, by its number in the prelude.
pub fn event(number: i64) -> Option<(Pipe, Pipe)> {
    use Pipe::{Fix, M, Mte1, Mte2, Mte3, S, V};
    const EVENTS: [(Pipe, Pipe); 35] = [
        (Mte2, Mte1),
        (Mte1, Mte2),
        (Mte1, M),
        (M, Mte1),
        (Mte2, V),
        (V, Mte2),
        (Mte3, V),
        (V, Mte3),
        (M, V),
        (V, M),
        (V, V),
        (Mte3, Mte1),
        (Mte1, Mte3),
        (Mte1, V),
        (Mte2, M),
        (M, Mte2),
        (V, Mte1),
        (M, Fix),
        (Fix, M),
        (Mte3, Mte2),
        (Mte2, Mte3),
        (S, V),
        (V, S),
        (S, Mte2),
        (Mte2, S),
        (S, Mte3),
        (Mte3, S),
        (Mte2, Fix),
        (Fix, Mte2),
        (Fix, S),
        (M, S),
        (Fix, Mte3),
        (Mte1, Fix),
        (Fix, Mte1),
        (Fix, Fix),
    ];
    EVENTS.get(usize::try_from(number).ok()?).copied()
}
