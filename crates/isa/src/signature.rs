//! Defines the columns of the instruction table.

use super::role::Role;
use super::table::Opcode;
use super::vocabulary::{DType, Pipe, Position, RoundMode, Side};

/// One row of the instruction table: all properties of an instruction.
#[derive(Debug)]
pub struct Instruction {
    /// The opcode of the instruction.
    pub opcode: Opcode,
    /// The name of the instruction in kernel sources; for methods the method name.
    pub name: &'static str,
    /// The object a method is called on; `None` for functions.
    pub receiver: Option<Receiver>,
    /// The class of the instruction.
    pub class: Class,
    /// The property that distinguishes it in its class.
    pub role: Role,
    /// Leading parameters, in positional order.
    pub head: &'static [Param],
    /// Trailing parameters that several instructions share.
    pub tail: Tail,
    /// The pipe and the side that execute it.
    pub unit: Unit,
    /// How the instruction uses the vector mask.
    pub mask: MaskUse,
    /// Legal element types.
    pub types: TypeRule,
    /// How an omitted repeat count is inferred.
    pub repeat: RepeatFrom,
    /// How omitted strides are inferred.
    pub strides: StrideRule,
    /// One or two sentences for hover and docs.
    pub doc: &'static str,
}

crate::named! {
    /// Objects that have instruction-emitting methods.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
    pub enum Receiver {
        /// `SEvent`, `DEvent`, `TEvent`, `QEvent`.
        Event = "event",
        /// `CvMutex`, `VcMutex` and global tensors that are bound to one.
        Mutex = "mutex",
        /// `Var`.
        Var = "var",
    }
    /// Returns the name of the object in signatures.
    fn name
}

/// Families of instructions, as the docs and the rules group them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Class {
    /// dst = f(src).
    Unary,
    /// dst = f(src1, src2).
    Binary,
    /// dst = f(src, scalar).
    ScalarOp,
    /// dst = scalar.
    Fill,
    /// dst = an arithmetic sequence.
    Sequence,
    /// Element type conversion.
    Cast,
    /// One result per repeat.
    Reduce,
    /// One result per block.
    GroupReduce,
    /// One result per pair of lanes.
    PairReduce,
    /// One result per repeat together with the index of its lane, or the index alone.
    ReduceIndex,
    /// One result in all.
    ReduceAll,
    /// Scalars to blocks.
    Broadcast,
    /// Packed comparison bits.
    Compare,
    /// Choice by packed bits.
    Select,
    /// Indexed access.
    Gather,
    /// Chosen elements, side by side.
    Compact,
    /// Sorting of (value, index) records.
    Sort,
    /// Layout change inside UB.
    Transpose,
    /// Vector mask state.
    Mask,
    /// Data movement between memories.
    Move,
    /// Matrix multiplication.
    Matmul,
    /// L0C drain.
    Fixpipe,
    /// Ordering of one pipe, or of all.
    Barrier,
    /// Events and flags between two pipes of one lane.
    Event,
    /// Flags between lanes and cores.
    CrossFlag,
    /// Tokens between the cube and vec sides.
    Mutex,
    /// Scalar reads and writes of memory, and other scalar work.
    Scalar,
    /// No effect on results: printing, cache hints.
    Debug,
}

/// The place where an instruction is executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// One pipe of one side.
    On(Pipe, Side),
    /// A macro over several cube pipes (`matmul`, `conv2d`).
    CubeMacro,
    /// The pipe is an argument; both sides may run it.
    Argument,
}

impl Unit {
    /// Returns the pipe; `None` if it depends on arguments.
    pub const fn pipe(self) -> Option<Pipe> {
        match self {
            Unit::On(pipe, _) => Some(pipe),
            // A macro runs on several pipes; M is the one that writes its result.
            Unit::CubeMacro => Some(Pipe::M),
            Unit::Argument => None,
        }
    }

    /// Returns the side that executes the instruction; both sides if it depends on arguments.
    pub const fn side(self) -> Side {
        match self {
            Unit::On(_, side) => side,
            Unit::CubeMacro => Side::Cube,
            Unit::Argument => Side::Both,
        }
    }
}

/// The use of the 128-bit vector mask by an instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MaskUse {
    /// Pattern A: masked-off lanes keep the old destination.
    Writeback,
    /// Pattern B: masked-off source lanes count as zero.
    ZeroSource,
    /// Masked-off source lanes count as minus infinity.
    MinusInfinity,
    /// Masked-off source lanes count as plus infinity.
    PlusInfinity,
    /// A vector instruction that ignores the mask.
    Ignored,
    /// Not a vector instruction.
    NotVector,
}

impl MaskUse {
    /// Returns whether the result of the instruction depends on the mask.
    pub const fn consumes(self) -> bool {
        !matches!(self, MaskUse::Ignored | MaskUse::NotVector)
    }
}

/// One parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Param {
    /// Keyword name.
    pub name: &'static str,
    /// Another accepted keyword name.
    pub alias: Option<&'static str>,
    /// The kind of the parameter.
    pub kind: ParamKind,
    /// The value if the call leaves it out.
    pub default: DefaultValue,
    /// Whether it cannot be given by position.
    pub keyword_only: bool,
}

/// The kind of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ParamKind {
    /// A tensor view.
    Operand(Operand),
    /// A tensor view or a scalar in its place.
    OperandOrValue(Operand),
    /// A scalar operand: int, float or Var.
    Value,
    /// A second scalar operand, which every lane adds to what the one before it has.
    Step,
    /// A count, length or stride that belongs to this instruction alone: int or Var.
    Integer,
    /// A Python int that must be known while tracing (flag ids).
    StaticInteger,
    /// Number of repeats.
    Repeat,
    /// Distance between blocks inside a repeat, in blocks, of the operand with this index.
    BlockStride(usize),
    /// Distance between repeats, in blocks, of the operand with this index.
    RepeatStride(usize),
    /// Distance between results of consecutive repeats, in units of the reduction's result.
    ResultStride,
    /// Contiguous elements in all; replaces repeats and mask.
    Count,
    /// Live lanes in each repeat; replaces the mask.
    CountPerRepeat,
    /// A `RoundMode`.
    Round,
    /// A `CompareMode`.
    Compare,
    /// A `SelectMode`.
    Select,
    /// A `Pipe`.
    Pipe,
    /// A Python bool, or a Var with a truth value.
    Flag,
    /// The event, mutex or Var a method is called on.
    Receiver,
    /// Anything; it has no effect on results.
    Ignored,
}

/// A tensor operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Operand {
    /// Whether its elements are read or written.
    pub access: Access,
    /// Memories that may hold the operand.
    pub places: &'static [Place],
    /// The elements that are accessed.
    pub walk: Walk,
}

/// The access of an instruction to an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Only read.
    Read,
    /// Only written.
    Write,
    /// Read and written (accumulation).
    ReadWrite,
}

impl Place {
    /// The unified buffer of a vec lane.
    pub const UB: Place = Place::Local(Position::Ub);
    /// The L1 memory of a cube.
    pub const L1: Place = Place::Local(Position::L1);
}

impl Access {
    /// Returns whether the old contents are read.
    pub const fn reads(self) -> bool {
        matches!(self, Access::Read | Access::ReadWrite)
    }

    /// Returns whether the contents are written.
    pub const fn writes(self) -> bool {
        matches!(self, Access::Write | Access::ReadWrite)
    }
}

/// A memory that may hold an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// Global memory.
    Gm,
    /// An on-chip memory.
    Local(Position),
}

/// The elements of an operand that an instruction accesses. `E` is the number of lanes of a repeat, `C0` the
/// number of lanes of a block, `r` the repeat, `rs`/`bs` repeat and block stride in blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Walk {
    /// `(r*rs + b*bs)*C0 + l` for 8 blocks of C0 lanes; in a cast, lane j of the wider type's E at
    /// `(r*rs + (j/C0)*bs)*C0 + j%C0`.
    Lanes,
    /// One element at `r*rs` (unit: one element).
    RepeatResult,
    /// Two elements at `r*rs` (unit: two elements).
    IndexedResult,
    /// One element in all, for at least one live lane.
    Total,
    /// Two elements in all, for at least one live lane.
    IndexedTotal,
    /// Eight elements at `r*rs*8`.
    BlockResults,
    /// E/2 elements at `r*rs*E/2`.
    PairResults,
    /// E bits per repeat, packed: E/8 bytes at `r*E/8`, E of the instruction's data operand.
    PackedBits,
    /// The first element only.
    First,
    /// Eight consecutive elements per repeat, from `8*r`.
    BroadcastSource,
    /// Eight blocks per repeat, each filled with one scalar.
    BroadcastResult,
    /// E consecutive elements per repeat (offsets of gather and scatter).
    Offsets,
    /// Elements that run-time offsets choose: not known without values.
    Indexed,
    /// As many consecutive elements as a pattern keeps.
    Compacted,
    /// E bits per repeat, from `r*rs` blocks on; nothing if the pattern is a fixed one, which a number selects.
    PatternBits,
    /// 32 consecutive elements per repeat.
    Records32,
    /// 32 records of 8 bytes per repeat.
    SortedRecords,
    /// `4 * length * repeat` records of 8 bytes.
    Merge4,
    /// Two queues. The size parameter of a source gives its number of 8-byte records; the destination has the sum of
    /// them.
    Merge2,
    /// Three queues, which may be empty. The size parameter of a source gives its number of 8-byte records; the
    /// destination has the sum of them.
    MergeQueues,
    /// The records of a merge that ends with the last record of a queue: at most as many as the sizes of all queues
    /// say.
    MergedUntil,
    /// Rows of a padded or plain move.
    Rows,
    /// A matrix of the cube side (NZ, or a GM matrix), from the instruction's extents.
    Matrix,
    /// Whole fractals of 512 bytes, evenly spaced.
    Fractals,
    /// The view's whole span.
    Whole,
    /// The work area of a reduction of all repeats: see [`super::Instruction::work_elements`].
    Work,
}

/// A default value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum DefaultValue {
    /// Must be given.
    Required,
    /// Inferred from operands while tracing.
    Inferred,
    /// Absent.
    None,
    /// An integer.
    Int(i64),
    /// A bool.
    Bool(bool),
    /// A round mode.
    Round(RoundMode),
    /// A pipe.
    Pipe(Pipe),
}

/// Trailing parameters that several instructions share.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tail {
    /// Nothing.
    Empty,
    /// **B**: repeat, three block strides, three repeat strides, counts.
    Binary,
    /// **B** without the counts.
    BinaryNoCount,
    /// **U**: repeat, two block strides, two repeat strides, counts.
    Unary,
    /// repeat, result stride, source strides, `count_per_rep`.
    Reduction,
    /// repeat, source stride, space to work in, `count`.
    Total,
    /// Any further arguments; what they mean is not modelled.
    Open,
}

/// Legal element types of the tensor operands, in parameter order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TypeRule {
    /// No constraint.
    Any,
    /// All operands share one of these types.
    Same(&'static [DType]),
    /// All operands share one type, whichever.
    Equal,
    /// One of these rows; operands beyond a row's end are free.
    Rows(&'static [&'static [DType]]),
    /// The pair table of [`super::cast_pair`].
    Cast,
}

/// The source of an omitted repeat count, which is `ceil(span0 * span1 / E)`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatFrom {
    /// No repeat parameter, or no inference.
    Nothing,
    /// The operand with this index, E of its type.
    Operand(usize),
    /// The operand with this index, E of the wider type of the first two operands.
    Wider(usize),
    /// The operand with this index, with this many elements per repeat.
    Elements(usize, i64),
    /// As [`RepeatFrom::Elements`], rounded down: a rest is left out.
    WholeElements(usize, i64),
}

/// The inference of omitted strides.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StrideRule {
    /// No strides.
    Nothing,
    /// Each operand from its own view ([`super::infer_strides`]).
    PerOperand,
    /// Block strides from the views; repeat strides 8 on the wide side and scaled on the narrow.
    Cast,
}

impl Instruction {
    /// Returns all parameters in positional order.
    pub fn params(&self) -> impl DoubleEndedIterator<Item = &'static Param> + Clone {
        self.head.iter().chain(self.tail.params())
    }

    /// Returns the parameter at `index`.
    pub fn param(&self, index: usize) -> Option<&'static Param> {
        self.head
            .get(index)
            .or_else(|| self.tail.params().get(index.checked_sub(self.head.len())?))
    }

    /// Returns the index of the parameter of this kind.
    pub fn index_of(&self, kind: ParamKind) -> Option<usize> {
        // A fast path: most kinds differ in the discriminant, and the derived comparison is a call that is
        // not inlined.
        let wanted = std::mem::discriminant(&kind);
        let is_wanted =
            |param: &Param| std::mem::discriminant(&param.kind) == wanted && param.kind == kind;
        // Two separate searches are faster than one over the chained iterator.
        let in_head = self.head.iter().position(is_wanted);
        let in_tail = || Some(self.head.len() + self.tail.params().iter().position(is_wanted)?);
        in_head.or_else(in_tail)
    }

    /// Returns the index of the parameter that is called `name`.
    pub fn index_named(&self, name: &str) -> Option<usize> {
        self.params()
            .position(|param| param.name == name || param.alias == Some(name))
    }

    /// Returns the tensor operands with their parameter indices.
    pub fn operands(&self) -> impl Iterator<Item = (usize, &'static Operand)> + Clone {
        self.params()
            .enumerate()
            .filter_map(|(index, param)| Some((index, param.operand()?)))
    }

    /// Returns whether the instruction runs on the vector unit with repeats.
    pub fn is_vector(&self) -> bool {
        self.mask != MaskUse::NotVector
    }

    /// Returns whether the instruction takes further arguments, whose meaning is not modelled.
    pub fn is_open(&self) -> bool {
        self.tail == Tail::Open
    }
}

impl DefaultValue {
    pub(super) fn text(self) -> String {
        match self {
            DefaultValue::Required => String::new(),
            DefaultValue::Inferred | DefaultValue::None => "=None".into(),
            DefaultValue::Int(value) => format!("={value}"),
            DefaultValue::Bool(true) => "=True".into(),
            DefaultValue::Bool(false) => "=False".into(),
            DefaultValue::Round(mode) => format!("=RoundMode.{mode}"),
            DefaultValue::Pipe(pipe) => format!("=Pipe.{pipe}"),
        }
    }
}

impl Param {
    /// Returns the operand description, for tensor parameters.
    pub const fn operand(&'static self) -> Option<&'static Operand> {
        match &self.kind {
            ParamKind::Operand(operand) | ParamKind::OperandOrValue(operand) => Some(operand),
            _ => None,
        }
    }

    pub(super) const fn new(name: &'static str, kind: ParamKind, default: DefaultValue) -> Param {
        Param {
            name,
            alias: None,
            kind,
            default,
            keyword_only: false,
        }
    }

    pub(super) const fn alias(mut self, name: &'static str) -> Param {
        self.alias = Some(name);
        self
    }

    pub(super) const fn keyword(mut self) -> Param {
        self.keyword_only = true;
        self
    }
}

pub(super) const fn inferred(name: &'static str, kind: ParamKind) -> Param {
    Param::new(name, kind, DefaultValue::Inferred)
}

pub(super) const COUNT: Param = Param::new("count", ParamKind::Count, DefaultValue::None).keyword();
pub(super) const COUNT_PER_REPEAT: Param = Param::new(
    "count_per_rep",
    ParamKind::CountPerRepeat,
    DefaultValue::None,
)
.keyword();

static BINARY_TAIL: [Param; 9] = [
    inferred("repeat", ParamKind::Repeat),
    inferred("dst_blk_stride", ParamKind::BlockStride(0)),
    inferred("src1_blk_stride", ParamKind::BlockStride(1)),
    inferred("src2_blk_stride", ParamKind::BlockStride(2)),
    inferred("dst_rep_stride", ParamKind::RepeatStride(0)),
    inferred("src1_rep_stride", ParamKind::RepeatStride(1)),
    inferred("src2_rep_stride", ParamKind::RepeatStride(2)),
    COUNT,
    COUNT_PER_REPEAT,
];

static UNARY_TAIL: [Param; 7] = [
    inferred("repeat", ParamKind::Repeat),
    inferred("dst_blk_stride", ParamKind::BlockStride(0)),
    inferred("src_blk_stride", ParamKind::BlockStride(1)),
    inferred("dst_rep_stride", ParamKind::RepeatStride(0)),
    inferred("src_rep_stride", ParamKind::RepeatStride(1)),
    COUNT,
    COUNT_PER_REPEAT,
];

static REDUCTION_TAIL: [Param; 5] = [
    inferred("repeat", ParamKind::Repeat),
    Param::new(
        "dst_rep_stride",
        ParamKind::ResultStride,
        DefaultValue::Int(1),
    ),
    inferred("src_blk_stride", ParamKind::BlockStride(1)),
    inferred("src_rep_stride", ParamKind::RepeatStride(1)),
    COUNT_PER_REPEAT,
];

static TOTAL_TAIL: [Param; 4] = [
    inferred("repeat", ParamKind::Repeat),
    inferred("src_rep_stride", ParamKind::RepeatStride(1)),
    Param::new(
        "tmp",
        ParamKind::Operand(Operand {
            access: Access::Write,
            places: &[Place::UB],
            walk: Walk::Work,
        }),
        DefaultValue::None,
    ),
    COUNT,
];

impl Tail {
    /// Returns the parameters of the tail.
    pub const fn params(self) -> &'static [Param] {
        match self {
            Tail::Empty | Tail::Open => &[],
            Tail::Binary => &BINARY_TAIL,
            // All but the last two, `count` and `count_per_rep`.
            Tail::BinaryNoCount => BINARY_TAIL.split_at(7).0,
            Tail::Unary => &UNARY_TAIL,
            Tail::Reduction => &REDUCTION_TAIL,
            Tail::Total => &TOTAL_TAIL,
        }
    }
}
