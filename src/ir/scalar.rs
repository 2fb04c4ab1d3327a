//! Symbolic scalars: hash-consed expression trees over parameters, loop variables and device state.

use rustc_hash::FxHashMap;

use super::{GlobalId, VariableId};

/// A scalar expression; equal ids mean equal expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScalarId(pub u32);

/// One node of a scalar expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// An integer constant.
    Int(i64),
    /// A floating constant.
    Float(f64),
    /// The current value of a variable.
    Variable(VariableId),
    /// Extent of one axis of a global tensor whose shape the launch decides.
    Extent(GlobalId, u32),
    /// A device query.
    Special(SpecialScalar),
    /// One operand.
    Unary(UnaryOp, ScalarId),
    /// Two operands.
    Binary(BinaryOp, ScalarId, ScalarId),
    /// A comparison; its value is 0 or 1.
    Compare(CompareOp, ScalarId, ScalarId),
    /// Something that could not be evaluated. Each occurrence is its own value.
    Unknown(u32),
}

/// Queries of the executing lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SpecialScalar {
    /// Number of cube cores of the launch.
    CubeNum,
    /// Index of the core.
    CubeIdx,
    /// Number of vec lanes of the launch.
    VecNum,
    /// Index of the vec lane over all cores: `2 * core + sub-block` (on the cube side: the core).
    VecIdx,
    /// 0 or 1 on a vec lane.
    SubBlockIdx,
}

/// Operations with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// Logical negation; 0 or 1.
    Not,
    /// Arithmetic negation.
    Negate,
    /// Absolute value.
    Abs,
    /// Square root of a float.
    Sqrt,
    /// Conversion to float.
    ToFloat,
    /// Conversion to integer, towards zero.
    ToInt,
}

/// Operations with two operands. Integer division truncates towards zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// a + b
    Add,
    /// a - b
    Sub,
    /// a * b
    Mul,
    /// a / b
    Div,
    /// a % b
    Mod,
    /// ceil(a / b)
    CeilDiv,
    /// Smallest multiple of b that is at least a.
    AlignUp,
    /// The smaller one.
    Min,
    /// The larger one.
    Max,
    /// Bitwise and.
    BitAnd,
    /// Bitwise or.
    BitOr,
    /// a << b
    Shl,
    /// a >> b
    Shr,
    /// Logical and; 0 or 1.
    And,
    /// Logical or; 0 or 1.
    Or,
}

/// Comparisons.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CompareOp {
    /// a == b
    Eq,
    /// a != b
    Ne,
    /// a < b
    Lt,
    /// a <= b
    Le,
    /// a > b
    Gt,
    /// a >= b
    Ge,
}

/// Key of hash-consing: floats by their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Int(i64),
    Float(u64),
    Variable(VariableId),
    Extent(GlobalId, u32),
    Special(SpecialScalar),
    Unary(UnaryOp, ScalarId),
    Binary(BinaryOp, ScalarId, ScalarId),
    Compare(CompareOp, ScalarId, ScalarId),
    Unknown(u32),
}

impl From<Scalar> for Key {
    fn from(scalar: Scalar) -> Key {
        match scalar {
            Scalar::Int(value) => Key::Int(value),
            Scalar::Float(value) => Key::Float(value.to_bits()),
            Scalar::Variable(id) => Key::Variable(id),
            Scalar::Extent(global, axis) => Key::Extent(global, axis),
            Scalar::Special(special) => Key::Special(special),
            Scalar::Unary(op, a) => Key::Unary(op, a),
            Scalar::Binary(op, a, b) => Key::Binary(op, a, b),
            Scalar::Compare(op, a, b) => Key::Compare(op, a, b),
            Scalar::Unknown(number) => Key::Unknown(number),
        }
    }
}

/// Deepest expression that is built; what would be deeper is unknown, so that walks over
/// expressions may recurse.
const MAX_DEPTH: u16 = 192;
/// Largest expression that is built, written out: parts are shared, and what doubles with every
/// statement would keep those walks busy for ever.
const MAX_SIZE: u16 = 1024;

/// The arena of scalars of one program.
#[derive(Clone, Debug, Default)]
pub struct Scalars {
    nodes: Vec<Scalar>,
    /// Depth and size of the tree under each node.
    extents: Vec<(u16, u16)>,
    ids: FxHashMap<Key, ScalarId>,
    unknowns: u32,
}

impl Scalars {
    /// The node behind an id.
    pub fn get(&self, id: ScalarId) -> Scalar {
        self.nodes[id.0 as usize]
    }

    /// Number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Depth of an expression; 1 for a leaf.
    pub fn depth(&self, id: ScalarId) -> u16 {
        self.extents[id.0 as usize].0
    }

    /// Nodes of an expression, written out; 1 for a leaf.
    pub fn size(&self, id: ScalarId) -> u16 {
        self.extents[id.0 as usize].1
    }

    /// The id of a node, without simplification.
    pub fn intern(&mut self, scalar: Scalar) -> ScalarId {
        if let Some(&id) = self.ids.get(&scalar.into()) {
            return id;
        }
        let (depth, size) = match scalar {
            Scalar::Unary(_, a) => (self.depth(a), self.size(a)),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => (
                self.depth(a).max(self.depth(b)),
                self.size(a) + self.size(b),
            ),
            _ => (0, 0),
        };
        if depth >= MAX_DEPTH || size >= MAX_SIZE {
            return self.unknown();
        }
        let id = ScalarId(self.nodes.len() as u32);
        self.nodes.push(scalar);
        self.extents.push((depth + 1, size + 1));
        self.ids.insert(scalar.into(), id);
        id
    }

    /// An integer constant.
    pub fn int(&mut self, value: i64) -> ScalarId {
        self.intern(Scalar::Int(value))
    }

    /// A floating constant.
    pub fn float(&mut self, value: f64) -> ScalarId {
        self.intern(Scalar::Float(value))
    }

    /// A fresh unknown.
    pub fn unknown(&mut self) -> ScalarId {
        self.unknowns += 1;
        self.intern(Scalar::Unknown(self.unknowns))
    }

    /// The integer an id stands for, if it is a constant.
    pub fn as_int(&self, id: ScalarId) -> Option<i64> {
        match self.get(id) {
            Scalar::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Whether an expression has a part of which nothing is known.
    pub fn has_unknown(&self, id: ScalarId) -> bool {
        match self.get(id) {
            Scalar::Unknown(_) => true,
            Scalar::Unary(_, a) => self.has_unknown(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                self.has_unknown(a) || self.has_unknown(b)
            }
            _ => false,
        }
    }

    /// The number an id stands for, if it is a constant.
    pub fn as_float(&self, id: ScalarId) -> Option<f64> {
        match self.get(id) {
            Scalar::Int(value) => Some(value as f64),
            Scalar::Float(value) => Some(value),
            _ => None,
        }
    }

    /// A unary operation, folded where the operand is constant.
    pub fn unary(&mut self, op: UnaryOp, a: ScalarId) -> ScalarId {
        let folded = match (op, self.get(a)) {
            (UnaryOp::Not, Scalar::Int(value)) => Some(Scalar::Int((value == 0) as i64)),
            (UnaryOp::Negate, Scalar::Int(value)) => value.checked_neg().map(Scalar::Int),
            (UnaryOp::Abs, Scalar::Int(value)) => value.checked_abs().map(Scalar::Int),
            (UnaryOp::ToFloat, Scalar::Int(value)) => Some(Scalar::Float(value as f64)),
            (UnaryOp::ToInt, node @ Scalar::Int(_)) => Some(node),
            (UnaryOp::Negate, Scalar::Float(value)) => Some(Scalar::Float(-value)),
            (UnaryOp::Abs, Scalar::Float(value)) => Some(Scalar::Float(value.abs())),
            (UnaryOp::Sqrt, Scalar::Float(value)) => Some(Scalar::Float(value.sqrt())),
            (UnaryOp::ToFloat, node @ Scalar::Float(_)) => Some(node),
            (UnaryOp::ToInt, Scalar::Float(value)) => Some(Scalar::Int(value as i64)),
            _ => None,
        };
        self.intern(folded.unwrap_or(Scalar::Unary(op, a)))
    }

    /// A binary operation, folded where both operands are constant or one is neutral.
    pub fn binary(&mut self, op: BinaryOp, a: ScalarId, b: ScalarId) -> ScalarId {
        match (self.get(a), self.get(b)) {
            (Scalar::Int(x), Scalar::Int(y)) => {
                if let Some(value) = fold_int(op, x, y) {
                    return self.int(value);
                }
            }
            (Scalar::Int(_) | Scalar::Float(_), Scalar::Int(_) | Scalar::Float(_)) => {
                let (x, y) = (self.as_float(a), self.as_float(b));
                if let Some(value) = x.zip(y).and_then(|(x, y)| fold_float(op, x, y)) {
                    return self.float(value);
                }
            }
            (_, Scalar::Int(y)) => {
                if let Some(id) = self.neutral_right(op, a, y) {
                    return id;
                }
            }
            (Scalar::Int(0), _) if op == BinaryOp::Add => return b,
            (Scalar::Int(1), _) if op == BinaryOp::Mul => return b,
            _ => {}
        }
        if op == BinaryOp::Sub {
            if a == b {
                return self.int(0);
            }
            if let Some(rest) = self.cancel(a, b) {
                return rest;
            }
        }
        if a == b && matches!(op, BinaryOp::Min | BinaryOp::Max) {
            return a;
        }
        self.intern(Scalar::Binary(op, a, b))
    }

    /// A comparison, folded where both operands are constant or the same.
    pub fn compare(&mut self, op: CompareOp, a: ScalarId, b: ScalarId) -> ScalarId {
        let ordering = match (self.get(a), self.get(b)) {
            (Scalar::Int(x), Scalar::Int(y)) => Some(x.cmp(&y)),
            _ if a == b && !matches!(self.get(a), Scalar::Float(_)) => {
                Some(std::cmp::Ordering::Equal)
            }
            _ => self
                .as_float(a)
                .zip(self.as_float(b))
                .and_then(|(x, y)| x.partial_cmp(&y)),
        };
        match ordering {
            Some(ordering) => self.int(op.holds(ordering) as i64),
            None => self.intern(Scalar::Compare(op, a, b)),
        }
    }

    fn neutral_right(&mut self, op: BinaryOp, a: ScalarId, y: i64) -> Option<ScalarId> {
        match (op, y) {
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Shl | BinaryOp::Shr, 0) => Some(a),
            (BinaryOp::Mul | BinaryOp::Div | BinaryOp::CeilDiv, 1) => Some(a),
            (BinaryOp::Mul, 0) => Some(self.int(0)),
            _ => None,
        }
    }

    /// `(x + y) - x` and `(x + y) - y`: the spans of slices such as `m : m + TILE`.
    fn cancel(&self, a: ScalarId, b: ScalarId) -> Option<ScalarId> {
        match self.get(a) {
            Scalar::Binary(BinaryOp::Add, x, y) if x == b => Some(y),
            Scalar::Binary(BinaryOp::Add, x, y) if y == b => Some(x),
            _ => None,
        }
    }
}

impl CompareOp {
    /// Whether the comparison holds for operands of this order.
    pub fn holds(self, ordering: std::cmp::Ordering) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match self {
            CompareOp::Eq => ordering == Equal,
            CompareOp::Ne => ordering != Equal,
            CompareOp::Lt => ordering == Less,
            CompareOp::Le => ordering != Greater,
            CompareOp::Gt => ordering == Greater,
            CompareOp::Ge => ordering != Less,
        }
    }

    /// How it is written.
    pub const fn symbol(self) -> &'static str {
        match self {
            CompareOp::Eq => "==",
            CompareOp::Ne => "!=",
            CompareOp::Lt => "<",
            CompareOp::Le => "<=",
            CompareOp::Gt => ">",
            CompareOp::Ge => ">=",
        }
    }
}

/// An integer operation on constants; `None` where it has no value (overflow, division by zero).
pub fn fold_int(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
    match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div => x.checked_div(y),
        BinaryOp::Mod => x.checked_rem(y),
        BinaryOp::CeilDiv => {
            let quotient = x.checked_div_euclid(y)?;
            Some(quotient + (x.checked_rem_euclid(y)? != 0) as i64)
        }
        BinaryOp::AlignUp => fold_int(BinaryOp::CeilDiv, x, y)?.checked_mul(y),
        BinaryOp::Min => Some(x.min(y)),
        BinaryOp::Max => Some(x.max(y)),
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::Shl => u32::try_from(y).ok().and_then(|y| x.checked_shl(y)),
        BinaryOp::Shr => u32::try_from(y).ok().and_then(|y| x.checked_shr(y)),
        BinaryOp::And => Some((x != 0 && y != 0) as i64),
        BinaryOp::Or => Some((x != 0 || y != 0) as i64),
    }
}

/// A floating operation on constants; `None` where it is not defined for floats.
pub fn fold_float(op: BinaryOp, x: f64, y: f64) -> Option<f64> {
    match op {
        BinaryOp::Add => Some(x + y),
        BinaryOp::Sub => Some(x - y),
        BinaryOp::Mul => Some(x * y),
        BinaryOp::Div => Some(x / y),
        BinaryOp::Min => Some(x.min(y)),
        BinaryOp::Max => Some(x.max(y)),
        _ => None,
    }
}

impl BinaryOp {
    /// How the operation is written between operands, or before them.
    pub const fn symbol(self) -> &'static str {
        match self {
            BinaryOp::Add => "+",
            BinaryOp::Sub => "-",
            BinaryOp::Mul => "*",
            BinaryOp::Div => "/",
            BinaryOp::Mod => "%",
            BinaryOp::CeilDiv => "CeilDiv",
            BinaryOp::AlignUp => "AlignUp",
            BinaryOp::Min => "Min",
            BinaryOp::Max => "Max",
            BinaryOp::BitAnd => "&",
            BinaryOp::BitOr => "|",
            BinaryOp::Shl => "<<",
            BinaryOp::Shr => ">>",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_cancel_their_start() {
        let mut scalars = Scalars::default();
        let start = scalars.intern(Scalar::Variable(VariableId(0)));
        let tile = scalars.int(128);
        let stop = scalars.binary(BinaryOp::Add, start, tile);
        assert_eq!(scalars.binary(BinaryOp::Sub, stop, start), tile);
    }

    #[test]
    fn expressions_stay_small_enough_to_walk() {
        let mut scalars = Scalars::default();
        let variable = scalars.intern(Scalar::Variable(VariableId(0)));
        let mut sum = variable;
        for _ in 0..10_000 {
            let product = scalars.binary(BinaryOp::Mul, sum, variable);
            sum = scalars.binary(BinaryOp::Add, product, sum);
            assert!(scalars.depth(sum) <= MAX_DEPTH && scalars.size(sum) <= MAX_SIZE);
        }
        let mut row = variable;
        for _ in 0..10_000 {
            row = scalars.binary(BinaryOp::Add, row, variable);
            assert!(scalars.depth(row) <= MAX_DEPTH && scalars.size(row) <= MAX_SIZE);
        }
    }

    #[test]
    fn integer_division_follows_the_device() {
        assert_eq!(fold_int(BinaryOp::Div, -7, 2), Some(-3));
        assert_eq!(fold_int(BinaryOp::CeilDiv, 65, 64), Some(2));
        assert_eq!(fold_int(BinaryOp::CeilDiv, 0, 64), Some(0));
        assert_eq!(fold_int(BinaryOp::AlignUp, 65, 16), Some(80));
        assert_eq!(fold_int(BinaryOp::Div, 1, 0), None);
    }
}
