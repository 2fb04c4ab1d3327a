//! Defines symbolic scalars: hash-consed expressions over parameters, loop variables and device state.

use rustc_hash::FxHashMap;

use super::arithmetic::{
    self, ScalarType, compare_floats, compare_integers, float, integer, truncated, wrapped,
};
use super::{GlobalId, VariableId};
use a2lint_isa::DType;

/// A scalar expression; equal ids mean equal expressions.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScalarId(pub u32);

/// One node of a scalar expression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// An integer constant.
    Int(i64),
    /// An integer constant from 2^63 on: a uint64.
    Large(u64),
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

a2lint_isa::named! {
    /// Queries of the executing lane.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum SpecialScalar {
        /// Number of cube cores of the launch.
        CubeNum = "GetCubeNum",
        /// Index of the core.
        CubeIdx = "GetCubeIdx",
        /// Number of vec lanes of the launch.
        VecNum = "GetVecNum",
        /// Index of the vec lane over all cores: `2 * core + sub-block` (on the cube side: the core).
        VecIdx = "GetVecIdx",
        /// 0 or 1 on a vec lane.
        SubBlockIdx = "GetSubBlockIdx",
    }
    /// Returns the function that reads it in kernel sources.
    fn name
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
    /// Conversion to the type of the operation: floats are cut towards zero, integers wrap.
    Convert,
    /// The value of the operation's type that has the bits of the operand: of an int32 or uint32 as a float, or of a
    /// float as one of those.
    Bits,
}

a2lint_isa::named! {
    /// Operations with two operands. Integer division truncates towards zero.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum BinaryOp {
        /// a + b
        Add = "+",
        /// a - b
        Sub = "-",
        /// a * b
        Mul = "*",
        /// a / b
        Div = "/",
        /// a % b, with the sign of a.
        Mod = "%",
        /// The largest integer that is at most a / b.
        FloorDiv = "//",
        /// The remainder of a division that rounds down; it has the sign of b.
        FloorMod = "%",
        /// ceil(a / b)
        CeilDiv = "CeilDiv",
        /// Smallest multiple of b that is at least a.
        AlignUp = "AlignUp",
        /// The smaller one.
        Min = "Min",
        /// The larger one.
        Max = "Max",
        /// Bitwise and.
        BitAnd = "&",
        /// Bitwise or.
        BitOr = "|",
        /// Bitwise exclusive or.
        BitXor = "^",
        /// a << b
        Shl = "<<",
        /// a >> b
        Shr = ">>",
        /// Logical and; 0 or 1.
        And = "and",
        /// Logical or; 0 or 1.
        Or = "or",
        /// a, as an index of an array of b elements; without a value where there is no such element.
        Index = "Index",
        /// a, as a multiple of b; without a value where it is none.
        Multiple = "Multiple",
    }
    /// Returns the operator between the operands, or the function before them.
    fn symbol
}

a2lint_isa::named! {
    /// Comparisons.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum CompareOp {
        /// a == b
        Eq = "==",
        /// a != b
        Ne = "!=",
        /// a < b
        Lt = "<",
        /// a <= b
        Le = "<=",
        /// a > b
        Gt = ">",
        /// a >= b
        Ge = ">=",
    }
    /// Returns the operator in source text.
    fn symbol
}

/// Key of hash-consing: floats by their bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    Int(i64),
    Large(u64),
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
            Scalar::Large(value) => Key::Large(value),
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

impl Scalar {
    /// Returns the operands of an operation.
    fn operands(self) -> impl Iterator<Item = ScalarId> {
        let operands = match self {
            Scalar::Unary(_, a) => [Some(a), None],
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => [Some(a), Some(b)],
            _ => [None, None],
        };
        operands.into_iter().flatten()
    }

    /// Returns the same operation with its operands renumbered.
    fn renumbered(self, numbers: &[ScalarId]) -> Scalar {
        let new = |id: ScalarId| numbers[id.0 as usize];
        match self {
            Scalar::Unary(op, a) => Scalar::Unary(op, new(a)),
            Scalar::Binary(op, a, b) => Scalar::Binary(op, new(a), new(b)),
            Scalar::Compare(op, a, b) => Scalar::Compare(op, new(a), new(b)),
            leaf => leaf,
        }
    }
}

impl Key {
    /// Returns the same key with its operands renumbered.
    fn renumbered(self, numbers: &[ScalarId]) -> Key {
        let new = |id: ScalarId| numbers[id.0 as usize];
        match self {
            Key::Unary(op, a) => Key::Unary(op, new(a)),
            Key::Binary(op, a, b) => Key::Binary(op, new(a), new(b)),
            Key::Compare(op, a, b) => Key::Compare(op, new(a), new(b)),
            leaf => leaf,
        }
    }
}

/// The new number of a scalar that was dropped.
pub(crate) const DROPPED: ScalarId = ScalarId(u32::MAX);

/// The greatest depth of an expression. A deeper expression becomes unknown, so that recursive walks over
/// expressions cannot overflow the stack.
const MAX_DEPTH: u16 = 192;
/// The greatest size of an expression as a tree. Subexpressions are shared, so that an expression that
/// doubles with every statement would take walks an exponential time.
const MAX_SIZE: u16 = 1024;

/// The arena of scalars of one program.
#[derive(Clone, Debug, Default)]
pub struct Scalars {
    nodes: Vec<Scalar>,
    /// Depth and size of the tree under each node.
    extents: Vec<(u16, u16)>,
    /// The type in which the operation of each node is computed.
    operations: Vec<ScalarType>,
    ids: FxHashMap<(Key, ScalarType), ScalarId>,
    /// Types of variables.
    variables: Vec<ScalarType>,
    unknowns: u32,
}

/// The type in the key of a node that is no operation.
const LEAF: ScalarType = ScalarType::LAUNCHED;

impl Scalars {
    /// Returns the node of an id.
    pub fn get(&self, id: ScalarId) -> Scalar {
        self.nodes[id.0 as usize]
    }

    /// Returns the id of the node for a variable; `None` if no expression mentions the variable.
    pub fn variable_id(&self, variable: VariableId) -> Option<ScalarId> {
        self.ids.get(&(Key::Variable(variable), LEAF)).copied()
    }

    /// Returns all nodes. Operands precede the operations that use them.
    pub fn nodes(&self) -> impl Iterator<Item = Scalar> {
        self.nodes.iter().copied()
    }

    /// Drops all scalars except the live ones and their operands. Returns the new number of each old scalar;
    /// [`DROPPED`] for a dropped one.
    pub(crate) fn keep(&mut self, mut is_live: Vec<bool>) -> Vec<ScalarId> {
        // Operands have smaller numbers than the operations on them, so one backward pass marks all live scalars.
        for (index, node) in self.nodes.iter().enumerate().rev() {
            if is_live[index] {
                node.operands().for_each(|id| is_live[id.0 as usize] = true);
            }
        }
        let mut numbers = vec![DROPPED; self.nodes.len()];
        let old = std::mem::take(self);
        for (index, node) in old.nodes.into_iter().enumerate() {
            if is_live[index] {
                numbers[index] = ScalarId(self.nodes.len() as u32);
                self.nodes.push(node.renumbered(&numbers));
                self.extents.push(old.extents[index]);
                self.operations.push(old.operations[index]);
            }
        }
        // The keys cannot be recomputed from the nodes: a leaf that became an extent has two keys.
        let ids = old.ids.into_iter();
        let live = ids.filter(|(_, id)| numbers[id.0 as usize] != DROPPED);
        self.ids = live
            .map(|((key, of), id)| ((key.renumbered(&numbers), of), numbers[id.0 as usize]))
            .collect();
        self.variables = old.variables;
        self.unknowns = old.unknowns;
        numbers
    }

    /// Returns the number of nodes.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Returns whether there are no nodes.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// Returns the depth of an expression; 1 for a leaf.
    pub fn depth(&self, id: ScalarId) -> u16 {
        self.extents[id.0 as usize].0
    }

    /// Returns the number of nodes of an expression as a tree; 1 for a leaf.
    pub fn size(&self, id: ScalarId) -> u16 {
        self.extents[id.0 as usize].1
    }

    /// Sets the type of a variable. Variables whose type is never set count as parameters without a type.
    pub fn declare(&mut self, variable: VariableId, of: ScalarType) {
        if self.variables.len() <= variable.index() {
            self.variables
                .resize(variable.index() + 1, ScalarType::LAUNCHED);
        }
        self.variables[variable.index()] = of;
    }

    /// Returns the type of a variable.
    pub fn variable_type(&self, variable: VariableId) -> ScalarType {
        let known = self.variables.get(variable.index());
        known.copied().unwrap_or(ScalarType::LAUNCHED)
    }

    /// Returns the type of an expression; `None` for an integer constant, which takes the type of the other
    /// operand.
    pub fn type_of(&self, id: ScalarId) -> Option<ScalarType> {
        Some(match self.get(id) {
            Scalar::Int(_) | Scalar::Large(_) => return None,
            Scalar::Float(_) => ScalarType::of(DType::Float),
            Scalar::Variable(variable) => self.variable_type(variable),
            Scalar::Extent(..) | Scalar::Special(_) | Scalar::Compare(..) => ScalarType::INT,
            Scalar::Unary(UnaryOp::Not, _) => ScalarType::INT,
            Scalar::Binary(op, ..) if op.is_logical() => ScalarType::INT,
            Scalar::Unary(..) | Scalar::Binary(..) => self.operation_type(id),
            Scalar::Unknown(_) => ScalarType::LAUNCHED,
        })
    }

    /// Returns the type in which the operation of a node is computed, after its operands are converted to it.
    pub fn operation_type(&self, id: ScalarId) -> ScalarType {
        self.operations[id.0 as usize]
    }

    /// Returns the id of a node that is no operation.
    pub fn intern(&mut self, scalar: Scalar) -> ScalarId {
        self.intern_as(LEAF, scalar)
    }

    /// Returns the id of a node without simplifying it; an unknown where the node is too deep or too large.
    fn intern_as(&mut self, operation: ScalarType, scalar: Scalar) -> ScalarId {
        let key = (scalar.into(), operation);
        if let Some(&id) = self.ids.get(&key) {
            return id;
        }
        let (depth, size) = match scalar {
            Scalar::Unary(_, a) => (self.depth(a), self.size(a)),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => (
                self.depth(a).max(self.depth(b)),
                // Both are at most MAX_SIZE, so that the sum fits 16 bits.
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
        self.operations.push(operation);
        self.ids.insert(key, id);
        id
    }

    /// Returns an integer constant.
    pub fn int(&mut self, value: i64) -> ScalarId {
        self.intern(Scalar::Int(value))
    }

    /// Returns an integer constant; of a number that does not fit 64 bits, the low 64 bits, as in mask words.
    pub fn whole(&mut self, value: i128) -> ScalarId {
        match i64::try_from(value) {
            Ok(value) => self.int(value),
            Err(_) => match i64::try_from(value as u64) {
                Ok(value) => self.int(value),
                Err(_) => self.intern(Scalar::Large(value as u64)),
            },
        }
    }

    /// Returns a floating constant.
    pub fn float(&mut self, value: f64) -> ScalarId {
        self.intern(Scalar::Float(value))
    }

    /// Returns a new unknown, which equals no other scalar.
    pub fn unknown(&mut self) -> ScalarId {
        self.unknowns += 1;
        self.intern(Scalar::Unknown(self.unknowns))
    }

    /// Returns the value of an integer constant of 64 signed bits.
    pub fn as_int(&self, id: ScalarId) -> Option<i64> {
        match self.get(id) {
            Scalar::Int(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the value of an integer constant, including those from 2^63 on.
    pub fn as_whole(&self, id: ScalarId) -> Option<i128> {
        match self.get(id) {
            Scalar::Int(value) => Some(value.into()),
            Scalar::Large(value) => Some(value.into()),
            _ => None,
        }
    }

    /// Returns the 64 bits of an integer constant, as the word of a mask.
    pub fn as_word(&self, id: ScalarId) -> Option<u64> {
        self.as_whole(id).map(|value| value as u64)
    }

    /// Replaces a leaf that is a variable by an extent, in all expressions that contain it.
    pub fn become_extent(&mut self, leaf: ScalarId, (global, axis): (GlobalId, u32)) {
        let extent = Scalar::Extent(global, axis);
        self.nodes[leaf.0 as usize] = extent;
        // A later request for the extent returns this leaf, so that equal expressions still have equal ids.
        self.ids.insert((extent.into(), LEAF), leaf);
    }

    /// Returns whether an expression mentions a variable.
    pub fn mentions(&self, id: ScalarId, variable: VariableId) -> bool {
        match self.get(id) {
            Scalar::Variable(own) => own == variable,
            Scalar::Unary(_, a) => self.mentions(a, variable),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                self.mentions(a, variable) || self.mentions(b, variable)
            }
            _ => false,
        }
    }

    /// Returns the value of an expression of integers where `value` gives variables their values; `None` for
    /// other operations and on overflow.
    pub fn evaluated(
        &self,
        id: ScalarId,
        value: &dyn Fn(VariableId) -> Option<i64>,
    ) -> Option<i64> {
        match self.get(id) {
            Scalar::Int(number) => Some(number),
            Scalar::Variable(variable) => value(variable),
            Scalar::Binary(op, a, b) => {
                fold_int(op, self.evaluated(a, value)?, self.evaluated(b, value)?)
            }
            _ => None,
        }
    }

    /// Returns an expression without conversions to int32 of operands that may be floats. Assignments to
    /// variables add these conversions implicitly, and they do not change integers.
    pub fn without_cut(&self, id: ScalarId) -> ScalarId {
        match self.get(id) {
            Scalar::Unary(UnaryOp::Convert, a)
                if self.operation_type(id) == ScalarType::INT
                    && self.type_of(a) == Some(ScalarType::LAUNCHED) =>
            {
                self.without_cut(a)
            }
            _ => id,
        }
    }

    /// Returns whether an expression has an unknown subexpression.
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

    /// Returns the value of a constant as a double, rounded to nearest.
    pub fn as_float(&self, id: ScalarId) -> Option<f64> {
        match self.get(id) {
            Scalar::Int(value) => Some(value as f64),
            Scalar::Large(value) => Some(value as f64),
            Scalar::Float(value) => Some(value),
            _ => None,
        }
    }

    /// Returns the type of a unary operation: for most that of its promoted operand.
    pub fn unary_type(&self, op: UnaryOp, a: ScalarId) -> ScalarType {
        match op {
            UnaryOp::Sqrt => ScalarType::of(DType::Float),
            UnaryOp::Not => ScalarType::INT,
            _ => ScalarType::common(self.type_of(a), None),
        }
    }

    /// Returns the type of a binary operation: the common type of its operands. For two constants it is the
    /// narrowest of int32, int64 and uint64 that holds them.
    pub fn binary_type(&self, op: BinaryOp, a: ScalarId, b: ScalarId) -> ScalarType {
        let of = op.operation_type(self.type_of(a), self.type_of(b));
        let is_untyped = self.type_of(a).is_none() && self.type_of(b).is_none();
        let is_large = |id| matches!(self.get(id), Scalar::Large(_));
        let is_wide = |id| {
            self.as_int(id)
                .is_some_and(|value| i32::try_from(value).is_err())
        };
        match is_untyped {
            true if is_large(a) || is_large(b) => ScalarType::of(DType::UInt64),
            true if is_wide(a) || is_wide(b) => ScalarType::of(DType::Int64),
            _ => of,
        }
    }

    /// Returns a unary operation in the type of its operand.
    pub fn unary(&mut self, op: UnaryOp, a: ScalarId) -> ScalarId {
        self.unary_as(self.unary_type(op, a), op, a)
    }

    /// Returns a unary operation in a type, folded where the operand is constant.
    pub fn unary_as(&mut self, of: ScalarType, op: UnaryOp, a: ScalarId) -> ScalarId {
        match op {
            UnaryOp::Convert => return self.convert(of, a),
            UnaryOp::Bits => return self.intern_as(of, Scalar::Unary(op, a)),
            _ => {}
        }
        let is_float = of.dtype.is_float() || matches!(self.get(a), Scalar::Float(_));
        let folded = match (op, self.as_whole(a)) {
            (UnaryOp::Not, Some(value)) => Some(i128::from(value == 0)),
            (UnaryOp::Negate, Some(value)) if !is_float => exactly(of.dtype, -value),
            (UnaryOp::Abs, Some(value)) if !is_float => {
                exactly(of.dtype, wrapped(of.dtype, value).abs())
            }
            _ => None,
        };
        if let Some(value) = folded {
            return self.whole(value);
        }
        let number = self.as_float(a).filter(|_| is_float);
        let folded = number.and_then(|value| float_unary(op, value as f32));
        match folded {
            Some(value) => self.float(value.into()),
            None => self.intern_as(of, Scalar::Unary(op, a)),
        }
    }

    /// Returns a scalar converted to a type, as a variable of that type stores it; the scalar itself if the
    /// conversion cannot change it.
    pub fn convert(&mut self, to: ScalarType, a: ScalarId) -> ScalarId {
        let unchanged = match self.type_of(a) {
            Some(of) => of.fits(to),
            None => to.or_float,
        };
        let constant = self.as_float(a);
        match (self.as_whole(a), constant) {
            (Some(value), _) if !to.dtype.is_float() => {
                // A constant that wraps is left as it is, so that the machine sees it; the low bits of
                // an unsigned word are meant.
                let is_word = matches!(to.dtype, DType::UInt32 | DType::UInt64);
                let value = match (to.or_float, is_word) {
                    (true, _) => Some(value),
                    (false, true) => Some(wrapped(to.dtype, value)),
                    (false, false) => exactly(to.dtype, value),
                };
                match value {
                    Some(value) => self.whole(value),
                    None => self.intern_as(to, Scalar::Unary(UnaryOp::Convert, a)),
                }
            }
            (None, Some(value)) if to.or_float => self.float((value as f32).into()),
            (None, Some(value)) if !to.dtype.is_float() => self.whole(truncated(to.dtype, value)),
            (_, Some(value)) if to.dtype == DType::Float => self.float((value as f32).into()),
            _ if unchanged => a,
            _ => self.intern_as(to, Scalar::Unary(UnaryOp::Convert, a)),
        }
    }

    /// Returns a binary operation in the common type of its operands.
    pub fn binary(&mut self, op: BinaryOp, a: ScalarId, b: ScalarId) -> ScalarId {
        self.binary_as(self.binary_type(op, a, b), op, a, b)
    }

    /// Returns a binary operation in a type, folded where both operands are constant or one is neutral.
    pub fn binary_as(
        &mut self,
        of: ScalarType,
        op: BinaryOp,
        a: ScalarId,
        b: ScalarId,
    ) -> ScalarId {
        if let Some(folded) = self.folded(of, op, a, b) {
            return folded;
        }
        // The identities do not hold for floats: `x + 0` loses the sign of -0, `x * 0` and `x - x` are NaN
        // for infinities.
        let is_whole = !of.dtype.is_float();
        if is_whole && let Some(same) = self.neutral(of, op, a, b) {
            return same;
        }
        if op == BinaryOp::Sub && is_whole {
            if a == b {
                return self.int(0);
            }
            if let Some(rest) = self.cancel(of, a, b) {
                return self.convert(of, rest);
            }
        }
        if a == b && matches!(op, BinaryOp::Min | BinaryOp::Max) {
            return self.convert(of, a);
        }
        self.intern_as(of, Scalar::Binary(op, a, b))
    }

    /// Returns the folded value of an operation on constants. An operation that wraps is not folded, so that
    /// the machine reports the overflow; unsigned 64-bit words (masks) are expected to wrap.
    fn folded(
        &mut self,
        of: ScalarType,
        op: BinaryOp,
        a: ScalarId,
        b: ScalarId,
    ) -> Option<ScalarId> {
        // `as_float` accepts integers, too: this tests that both operands are constant.
        let (x, y) = self.as_float(a).zip(self.as_float(b))?;
        if op.is_logical() {
            let truth = match op {
                BinaryOp::And => x != 0.0 && y != 0.0,
                _ => x != 0.0 || y != 0.0,
            };
            return Some(self.int(truth.into()));
        }
        match self.as_whole(a).zip(self.as_whole(b)) {
            Some((x, y)) if !of.dtype.is_float() => {
                let result = integer(of.dtype, op, x, y)?;
                let is_kept = !result.wraps || of.dtype == DType::UInt64;
                is_kept.then(|| self.whole(result.value))
            }
            _ => {
                let result = float(op, x as f32, y as f32)?;
                Some(self.float(result.into()))
            }
        }
    }

    /// Returns whether a scalar checks its operand: an index against the length of its array, or a number of bytes
    /// against the size of an element.
    pub fn is_check(&self, id: ScalarId) -> bool {
        matches!(
            self.get(id),
            Scalar::Binary(BinaryOp::Index | BinaryOp::Multiple, ..)
        )
    }

    /// Returns a comparison in the common type of its operands.
    pub fn compare(&mut self, op: CompareOp, a: ScalarId, b: ScalarId) -> ScalarId {
        let of = ScalarType::common(self.type_of(a), self.type_of(b));
        self.compare_as(of, op, a, b)
    }

    /// Returns a comparison in a type, folded where both operands are constant or equal integers.
    pub fn compare_as(
        &mut self,
        of: ScalarType,
        op: CompareOp,
        a: ScalarId,
        b: ScalarId,
    ) -> ScalarId {
        let truth = match (self.as_whole(a), self.as_whole(b)) {
            (Some(x), Some(y)) if !of.dtype.is_float() => {
                Some(compare_integers(of.dtype, op, x, y))
            }
            // A float may be NaN, which does not equal itself.
            _ if a == b && !of.dtype.is_float() => Some(op.holds(std::cmp::Ordering::Equal)),
            _ => {
                let numbers = self.as_float(a).zip(self.as_float(b));
                numbers.map(|(x, y)| compare_floats(op, x as f32, y as f32))
            }
        };
        match truth {
            Some(truth) => self.int(truth.into()),
            None => self.intern_as(of, Scalar::Compare(op, a, b)),
        }
    }

    /// Returns the result of an operation with a neutral constant (`x + 0`, `x * 1`) or of `x * 0`.
    fn neutral(
        &mut self,
        of: ScalarType,
        op: BinaryOp,
        a: ScalarId,
        b: ScalarId,
    ) -> Option<ScalarId> {
        use BinaryOp::{Add, CeilDiv, Div, Mul, Shl, Shr, Sub};
        let same = match (op, self.as_int(a), self.as_int(b)) {
            (Mul, _, Some(0)) => return Some(self.int(0)),
            (Add | Sub | Shl | Shr, _, Some(0)) | (Mul | Div | CeilDiv, _, Some(1)) => a,
            (Add, Some(0), _) | (Mul, Some(1), _) => b,
            _ => return None,
        };
        Some(self.convert(of, same))
    }

    /// Simplifies `(x + y) - x` and `(x + y) - y`, the spans of slices such as `m : m + TILE`. It holds where
    /// the sum wraps, too, since the difference wraps back.
    fn cancel(&self, of: ScalarType, a: ScalarId, b: ScalarId) -> Option<ScalarId> {
        match self.get(a) {
            _ if self.operation_type(a) != of => None,
            Scalar::Binary(BinaryOp::Add, x, y) if x == b => Some(y),
            Scalar::Binary(BinaryOp::Add, x, y) if y == b => Some(x),
            _ => None,
        }
    }
}

/// Returns a whole number if the type can represent it.
fn exactly(dtype: DType, value: i128) -> Option<i128> {
    (wrapped(dtype, value) == value).then_some(value)
}

fn float_unary(op: UnaryOp, value: f32) -> Option<f32> {
    match op {
        UnaryOp::Negate => Some(-value),
        UnaryOp::Abs => Some(value.abs()),
        UnaryOp::Sqrt => Some(value.sqrt()),
        UnaryOp::Not | UnaryOp::Convert | UnaryOp::Bits => None,
    }
}

impl CompareOp {
    /// Returns whether the comparison holds for operands of this order.
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

    /// Returns the comparison of integers that holds where this one fails.
    pub const fn negated(self) -> CompareOp {
        match self {
            CompareOp::Eq => CompareOp::Ne,
            CompareOp::Ne => CompareOp::Eq,
            CompareOp::Lt => CompareOp::Ge,
            CompareOp::Ge => CompareOp::Lt,
            CompareOp::Le => CompareOp::Gt,
            CompareOp::Gt => CompareOp::Le,
        }
    }
}

/// Computes an integer operation exactly; `None` where it has no value, or where the value does not fit 64
/// bits.
pub fn fold_int(op: BinaryOp, x: i64, y: i64) -> Option<i64> {
    let (x, y) = (i128::from(x), i128::from(y));
    let exact = match op {
        BinaryOp::Mul => x * y,
        BinaryOp::CeilDiv => (x + y - 1).checked_div(y)?,
        BinaryOp::AlignUp => (x + y - 1).checked_div(y)? * y,
        // A 64-bit number that is shifted by less than 64 fits 128 bits; the conversion at the end rejects
        // what exceeds 64 bits.
        BinaryOp::Shl if (0..64).contains(&y) => x << y,
        BinaryOp::Add => x + y,
        BinaryOp::Sub => x - y,
        BinaryOp::Div => x.checked_div(y)?,
        BinaryOp::FloorDiv => arithmetic::floor_div(x, y)?,
        _ => arithmetic::integer(DType::Int64, op, x, y)?.value,
    };
    i64::try_from(exact).ok()
}

/// Returns the number of iterations of a loop; `None` for a step of 0, and where it does not fit 64 bits.
pub fn trip_count(start: i64, stop: i64, step: i64) -> Option<i64> {
    let (start, stop, step) = (i128::from(start), i128::from(stop), i128::from(step));
    let (distance, step) = match step > 0 {
        true => (stop - start, step),
        false => (start - stop, -step),
    };
    let count = (distance.max(0) + step - 1).checked_div(step)?;
    i64::try_from(count).ok()
}

impl BinaryOp {
    /// Returns whether the operation may have no result on integers: a divisor may be 0, a shift too wide.
    pub fn may_have_no_result(self) -> bool {
        use BinaryOp::{AlignUp, CeilDiv, Div, FloorDiv, FloorMod, Index, Mod, Multiple, Shl, Shr};
        matches!(
            self,
            Div | Mod | FloorDiv | FloorMod | CeilDiv | AlignUp | Shl | Shr | Index | Multiple
        )
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
    fn loops_count_up_and_down() {
        assert_eq!(trip_count(0, 10, 3), Some(4));
        assert_eq!(trip_count(0, 1, 2), Some(1));
        assert_eq!(trip_count(3, -1, -1), Some(4));
        assert_eq!(trip_count(3, 4, -1), Some(0));
        assert_eq!(trip_count(4, 3, 1), Some(0));
        assert_eq!(trip_count(0, 10, 0), None);
        assert_eq!(trip_count(i64::MIN, i64::MAX, 1), None);
        assert_eq!(trip_count(i64::MAX, i64::MIN, i64::MIN), Some(2));
    }

    #[test]
    fn integer_division_follows_the_device() {
        assert_eq!(fold_int(BinaryOp::Div, -7, 2), Some(-3));
        assert_eq!(fold_int(BinaryOp::CeilDiv, 65, 64), Some(2));
        assert_eq!(fold_int(BinaryOp::CeilDiv, 0, 64), Some(0));
        assert_eq!(fold_int(BinaryOp::AlignUp, 65, 16), Some(80));
        assert_eq!(fold_int(BinaryOp::CeilDiv, -100, 64), Some(0));
        assert_eq!(fold_int(BinaryOp::Div, 1, 0), None);
    }
}
