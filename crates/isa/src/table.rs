//! Lists the rows: every instruction of the DSL's module for A2, once.
//!
//! Sources: the public documentation of the DSL for mask and inference, and the AscendC reference for types and
//! operand ranges.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::role::{
    Act::{Set, Wait},
    Channel::{AllOfEvent, Credit, Data, Event, Flag, Raw},
    Operator::{
        Abs, Add, And, Div, Exp as Exponential, Max, Min, Mul, Not, Or, ShiftLeft, ShiftRight, Sub,
    },
    Role::{
        self, Computes, Copies, Fills, Lays, Multiplies, ReadsScalar, ResetsMask, SetsComparison,
        SetsMask, Signals, WritesScalar,
    },
    Route::{AllCubes, AllVecs, CoreVecs, CubeToVec, VecToCube},
};
use super::signature::{
    Access::{Read, ReadWrite, Write},
    COUNT, COUNT_PER_REPEAT, Class, DefaultValue, Instruction, MaskUse, Operand, Param, ParamKind,
    Place, Receiver, RepeatFrom, StrideRule, Tail, TypeRule, Unit, Walk, inferred,
};
use super::vocabulary::{
    DType::{self, *},
    Layout::{Nd, Nz},
    Pipe,
    Position::{self, *},
    RoundMode, Side,
};

/// Expands to the role that follows the class in brackets, or to [`Role::Plain`].
macro_rules! role {
    () => {
        Role::Plain
    };
    ($role:expr) => {
        $role
    };
}

/// Declares the opcodes and their rows from one list.
macro_rules! instructions {
    ($($opcode:ident $name:literal $receiver:expr, $class:ident $(($role:expr))?, [$($param:expr),*], $tail:ident,
       $unit:expr, $mask:ident, $types:expr, $repeat:expr, $strides:ident, $doc:literal;)*) => {
        /// Identity of an instruction.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Opcode { $(#[doc = $doc] $opcode,)* }

        /// Every instruction, in opcode order.
        pub static INSTRUCTIONS: &[Instruction] = &[$(Instruction {
            opcode: Opcode::$opcode,
            name: $name,
            receiver: $receiver,
            class: Class::$class,
            role: role!($($role)?),
            head: { static HEAD: &[Param] = &[$($param),*]; HEAD },
            tail: Tail::$tail,
            unit: $unit,
            mask: MaskUse::$mask,
            types: $types,
            repeat: $repeat,
            strides: StrideRule::$strides,
            doc: $doc,
        },)*];
    };
}

impl Opcode {
    /// Returns the row of the instruction.
    pub fn row(self) -> &'static Instruction {
        &INSTRUCTIONS[self as usize]
    }

    /// Returns the function `name` of any DSL's module for A2.
    pub fn function(name: &str) -> Option<Opcode> {
        static FUNCTIONS: LazyLock<FxHashMap<&str, Opcode>> = LazyLock::new(|| {
            let functions = INSTRUCTIONS.iter().filter(|row| row.receiver.is_none());
            functions.map(|row| (row.name, row.opcode)).collect()
        });
        FUNCTIONS.get(name).copied()
    }

    /// Returns the method `name` of a receiver.
    pub fn method(receiver: Receiver, name: &str) -> Option<Opcode> {
        INSTRUCTIONS
            .iter()
            .find(|row| row.receiver == Some(receiver) && row.name == name)
            .map(|row| row.opcode)
    }
}

const UB: &[Place] = &[Place::Local(Ub)];
const GM: &[Place] = &[Place::Gm];
const L1_ONLY: &[Place] = &[Place::Local(Position::L1)];
const L0: &[Place] = &[Place::Local(L0A), Place::Local(L0B)];
const L0A_ONLY: &[Place] = &[Place::Local(L0A)];
const L0B_ONLY: &[Place] = &[Place::Local(L0B)];
const L0C_ONLY: &[Place] = &[Place::Local(L0C)];
const BT_ONLY: &[Place] = &[Place::Local(Bt)];
const UB_OR_GM: &[Place] = &[Place::Local(Ub), Place::Gm];

const fn operand(
    name: &'static str,
    access: super::Access,
    places: &'static [Place],
    walk: Walk,
) -> Param {
    Param::new(
        name,
        ParamKind::Operand(Operand {
            access,
            places,
            walk,
        }),
        DefaultValue::Required,
    )
}

const fn optional(name: &'static str, places: &'static [Place], walk: Walk) -> Param {
    Param::new(
        name,
        ParamKind::Operand(Operand {
            access: Read,
            places,
            walk,
        }),
        DefaultValue::None,
    )
}

/// Makes a parameter for scratch memory, whose contents before the instruction are not read.
const fn scratch(name: &'static str) -> Param {
    Param::new(
        name,
        ParamKind::Operand(Operand {
            access: Write,
            places: UB,
            walk: Walk::Whole,
        }),
        DefaultValue::None,
    )
}

const fn dst(walk: Walk) -> Param {
    operand("dst", Write, UB, walk)
}

const fn src(name: &'static str, walk: Walk) -> Param {
    operand(name, Read, UB, walk)
}

const fn value(name: &'static str) -> Param {
    Param::new(name, ParamKind::Value, DefaultValue::Required)
}

const fn integer(name: &'static str, default: DefaultValue) -> Param {
    Param::new(name, ParamKind::Integer, default)
}

const fn flag(name: &'static str, default: bool) -> Param {
    Param::new(name, ParamKind::Flag, DefaultValue::Bool(default))
}

const fn pipe(name: &'static str, default: DefaultValue) -> Param {
    Param::new(name, ParamKind::Pipe, default)
}

const DST: Param = dst(Walk::Lanes);
const ACC: Param = operand("dst", ReadWrite, UB, Walk::Lanes);
const SRC: Param = src("src", Walk::Lanes);
const SRC1: Param = src("src1", Walk::Lanes);
const SRC2: Param = src("src2", Walk::Lanes);
const VAL: Param = value("val").alias("value");
const REPEAT: Param = inferred("repeat", ParamKind::Repeat);
const SELF: Param = Param::new("self", ParamKind::Receiver, DefaultValue::Required);
const FLAG_ID: Param =
    Param::new("flag_id", ParamKind::StaticInteger, DefaultValue::Int(0)).alias("id");
const ANY: Param = Param::new("value", ParamKind::Ignored, DefaultValue::None);
/// 0, or how the instruction takes part in the handshake of M and FIX over parts of L0C.
const UNIT_FLAG: Param =
    Param::new("unit_flag", ParamKind::Integer, DefaultValue::Int(0)).keyword();
const OPTIONAL_EXTENT: DefaultValue = DefaultValue::Inferred;

const VEC: Unit = Unit::On(Pipe::V, Side::Vec);
const FIXPIPE: Unit = Unit::On(Pipe::Fix, Side::Cube);
const SCALAR: Unit = Unit::On(Pipe::S, Side::Both);
const VEC_SCALAR: Unit = Unit::On(Pipe::S, Side::Vec);

const FLOATS: &[DType] = &[Half, Float];
const FLOATS_INT: &[DType] = &[Half, Float, Int];
const FLOATS_INTS: &[DType] = &[Half, Float, Int, Int16];
const BITWISE: &[DType] = &[Int16, UInt16, Int, UInt32];
const SHIFTABLE: &[DType] = &[Int16, UInt16, Int, UInt32];
const FILLABLE: &[DType] = &[Half, BFloat16, Float, Int, UInt32, Int16, UInt16];
const MULTIPLY_ADD: &[&[DType]] = &[
    &[Half, Half, Half],
    &[Float, Float, Float],
    &[Float, Half, Half],
];
const AXPY: &[&[DType]] = &[&[Half, Half], &[Float, Float], &[Float, Half]];
const BROADCASTABLE: &[DType] = &[Half, BFloat16, Float, Int, UInt32, Int16, UInt16];
const COMPARABLE: &[&[DType]] = &[
    &[UInt8, Half, Half],
    &[UInt8, Float, Float],
    &[UInt8, Int, Int],
    &[UInt8, Int16, Int16],
    &[Int8, Half, Half],
    &[Int8, Float, Float],
    &[Int8, Int, Int],
    &[Int8, Int16, Int16],
];
const SELECTABLE: &[&[DType]] = &[
    &[Half, UInt8, Half, Half],
    &[Float, UInt8, Float, Float],
    &[Int, UInt8, Int, Int],
    &[Int16, UInt8, Int16, Int16],
    &[Half, Int8, Half, Half],
    &[Float, Int8, Float, Float],
    &[Int, Int8, Int, Int],
    &[Int16, Int8, Int16, Int16],
];
const GATHERABLE: &[&[DType]] = &[
    &[Half, Half, UInt32],
    &[BFloat16, BFloat16, UInt32],
    &[Float, Float, UInt32],
    &[Int, Int, UInt32],
    &[UInt32, UInt32, UInt32],
    &[Int16, Int16, UInt32],
    &[UInt16, UInt16, UInt32],
];
const FUSED: &[DType] = &[Half, Float, Int16];
const INDEXED: &[&[DType]] = &[&[UInt32, Half], &[UInt32, Float]];
const COMPACTED: &[&[DType]] = &[
    &[Half, Half, UInt16],
    &[BFloat16, BFloat16, UInt16],
    &[Int16, Int16, UInt16],
    &[UInt16, UInt16, UInt16],
    &[Float, Float, UInt32],
    &[Int, Int, UInt32],
    &[UInt32, UInt32, UInt32],
];
const SORTABLE: &[&[DType]] = &[&[Float, Float, UInt32], &[Half, Half, UInt32]];
const FIXED_OUT: &[&[DType]] = &[
    &[Float, Float],
    &[Half, Float],
    &[BFloat16, Float],
    &[Int8, Float],
    &[UInt8, Float],
    &[Int, Int],
    &[Int8, Int],
    &[UInt8, Int],
    &[Half, Int],
];
const MATMUL_TYPES: &[&[DType]] = &[
    &[Float, Half, Half],
    &[Float, BFloat16, BFloat16],
    &[Float, Float, Float],
    &[Int, Int8, Int8],
    &[Int, Int4, Int4],
];
/// Element types of matrix products in global memory: of the result and of both factors.
const PRODUCTS: &[&[DType]] = &[
    &[Float, Half, Half],
    &[Half, Half, Half],
    &[Float, BFloat16, BFloat16],
    &[BFloat16, BFloat16, BFloat16],
    &[Float, Float, Float],
    &[Int, Int8, Int8],
];

use RepeatFrom::{Elements, Nothing as NoRepeat, Operand as From, Wider};
use TypeRule::{Any, Cast as CastPairs, Equal, Rows, Same};

instructions! {
    // Elementwise, two sources.
    Add "add" None, Binary(Computes(Add)), [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(FLOATS_INTS), From(0), PerOperand,
        "dst = src1 + src2, lane by lane.";
    Sub "sub" None, Binary(Computes(Sub)), [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(FLOATS_INTS), From(0), PerOperand,
        "dst = src1 - src2, lane by lane.";
    Mul "mul" None, Binary(Computes(Mul)), [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(FLOATS_INTS), From(0), PerOperand,
        "dst = src1 * src2, lane by lane.";
    Div "div" None, Binary(Computes(Div)), [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(FLOATS), From(0), PerOperand,
        "dst = src1 / src2, lane by lane; silicon may be one unit in the last place off.";
    Vmax "vmax" None, Binary(Computes(Max)), [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(FLOATS_INTS), From(0), PerOperand,
        "dst = max(src1, src2), lane by lane.";
    Vmin "vmin" None, Binary(Computes(Min)), [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(FLOATS_INTS), From(0), PerOperand,
        "dst = min(src1, src2), lane by lane.";
    Vand "vand" None, Binary(Computes(And)), [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(BITWISE), From(0), PerOperand,
        "dst = src1 & src2, bit by bit; the hardware documents 16-bit types only.";
    Vor "vor" None, Binary(Computes(Or)), [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(BITWISE), From(0), PerOperand,
        "dst = src1 | src2, bit by bit; the hardware documents 16-bit types only.";
    MulAddDst "muladddst" None, Binary, [ACC, SRC1, SRC2], Binary, VEC, Writeback, Rows(MULTIPLY_ADD), From(0), PerOperand,
        "dst += src1 * src2, lane by lane; half sources may accumulate into float.";

    AddRelu "vaddrelu" None, Binary, [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(FUSED), From(0), PerOperand,
        "dst = max(src1 + src2, 0), lane by lane.";
    SubRelu "vsubrelu" None, Binary, [DST, SRC1, SRC2], Binary, VEC, Writeback, Same(FUSED), From(0), PerOperand,
        "dst = max(src1 - src2, 0), lane by lane.";
    MulAdd "vmadd" None, Binary, [ACC, SRC1, SRC2], Binary, VEC, Writeback, Same(FLOATS), From(0), PerOperand,
        "dst = src1 * dst + src2, lane by lane.";
    MulAddRelu "vmaddrelu" None, Binary, [ACC, SRC1, SRC2], Binary, VEC, Writeback, Same(FLOATS), From(0), PerOperand,
        "dst = max(src1 * dst + src2, 0), lane by lane.";

    // Elementwise, one source.
    Exp "exp" None, Unary(Computes(Exponential)), [DST, SRC], Unary, VEC, Writeback, Same(FLOATS), From(1), PerOperand,
        "dst = e^src, lane by lane.";
    Ln "ln" None, Unary, [DST, SRC], Unary, VEC, Writeback, Same(FLOATS), From(1), PerOperand,
        "dst = natural logarithm of src, lane by lane.";
    Abs "abs" None, Unary(Computes(Abs)), [DST, SRC], Unary, VEC, Writeback, Same(FLOATS), From(1), PerOperand,
        "dst = |src|, lane by lane.";
    Rec "rec" None, Unary, [DST, SRC], Unary, VEC, Writeback, Same(FLOATS), From(1), PerOperand,
        "dst = 1 / src, lane by lane; silicon answers with reduced accuracy, div does not.";
    Sqrt "sqrt" None, Unary, [DST, SRC], Unary, VEC, Writeback, Same(FLOATS), From(1), PerOperand,
        "dst = square root of src, lane by lane.";
    Rsqrt "rsqrt" None, Unary, [DST, SRC], Unary, VEC, Writeback, Same(FLOATS), From(1), PerOperand,
        "dst = 1 / sqrt(src), lane by lane; silicon answers with reduced accuracy.";
    Relu "relu" None, Unary, [DST, SRC], Unary, VEC, Writeback, Same(FLOATS_INT), From(1), PerOperand,
        "dst = max(src, 0), lane by lane.";
    Vnot "vnot" None, Unary(Computes(Not)), [DST, SRC], Unary, VEC, Writeback, Same(BITWISE), From(1), PerOperand,
        "dst = ~src, bit by bit; the hardware documents 16-bit types only.";

    CopyLanes "vcopy" None, Unary(Copies), [DST, SRC], Unary, VEC, Writeback, Same(BROADCASTABLE), From(1), PerOperand,
        "dst = src, lane by lane.";

    // Elementwise, one source and a scalar.
    Adds "adds" None, ScalarOp(Computes(Add)), [DST, SRC, VAL], Unary, VEC, Writeback, Same(FLOATS_INTS), From(1), PerOperand,
        "dst = src + val, lane by lane; val is converted to the element type.";
    Muls "muls" None, ScalarOp(Computes(Mul)), [DST, SRC, VAL], Unary, VEC, Writeback, Same(FLOATS_INTS), From(1), PerOperand,
        "dst = src * val, lane by lane; 0 * NaN is NaN, so this does not clear memory.";
    Vmaxs "vmaxs" None, ScalarOp(Computes(Max)), [DST, SRC, VAL], Unary, VEC, Writeback, Same(FLOATS_INTS), From(1), PerOperand,
        "dst = max(src, val), lane by lane.";
    Vmins "vmins" None, ScalarOp(Computes(Min)), [DST, SRC, VAL], Unary, VEC, Writeback, Same(FLOATS_INTS), From(1), PerOperand,
        "dst = min(src, val), lane by lane.";
    Lrelu "lrelu" None, ScalarOp, [DST, SRC, VAL], Unary, VEC, Writeback, Same(FLOATS), From(1), PerOperand,
        "dst = src where src >= 0, else val * src.";
    Axpy "axpy" None, ScalarOp, [ACC, SRC, VAL], Unary, VEC, Writeback, Rows(AXPY), From(1), PerOperand,
        "dst += src * val, lane by lane.";
    ShiftLs "shiftls" None, ScalarOp(Computes(ShiftLeft)), [DST, SRC, integer("n", DefaultValue::Required).alias("val")], Unary, VEC, Writeback, Same(SHIFTABLE), From(1), PerOperand,
        "dst = src << n, lane by lane.";
    ShiftRs "shiftrs" None, ScalarOp(Computes(ShiftRight)), [DST, SRC, integer("n", DefaultValue::Required).alias("val"), flag("round_en", false).keyword()], Unary, VEC, Writeback, Same(SHIFTABLE), From(1), PerOperand,
        "dst = src >> n, lane by lane; arithmetic for signed types, rounded with round_en.";

    Dup "dup" None, Fill, [DST, value("value").alias("src"), REPEAT,
        inferred("dst_blk_stride", ParamKind::BlockStride(0)),
        inferred("dst_rep_stride", ParamKind::RepeatStride(0)), COUNT, COUNT_PER_REPEAT], Empty, VEC, Writeback, Same(FILLABLE), From(0), PerOperand,
        "Fills the lanes of dst with one value. Coverage is repeat * strides, not the shape: a tensor one block wide gets block stride 0 and keeps most of its lanes.";
    Cast "cast" None, Cast, [DST, SRC, REPEAT,
        inferred("dst_blk_stride", ParamKind::BlockStride(0)),
        inferred("src_blk_stride", ParamKind::BlockStride(1)),
        inferred("dst_rep_stride", ParamKind::RepeatStride(0)),
        inferred("src_rep_stride", ParamKind::RepeatStride(1)),
        Param::new("round_mode", ParamKind::Round, DefaultValue::Round(RoundMode::AwayFromZero)),
        COUNT, COUNT_PER_REPEAT], Empty, VEC, Writeback, CastPairs, Wider(0), Cast,
        "Converts element types. Lanes and mask follow the wider type; widening needs no rounding, narrowing saturates.";

    VecIndex "vec_index" None, Sequence, [DST, value("first"), Param::new("step", ParamKind::Step, DefaultValue::Required), COUNT], Empty, VEC, Writeback, Same(FLOATS_INTS), NoRepeat, Nothing,
        "dst = first, first + step, first + 2 * step, ….";

    // Reductions.
    Cadd "cadd" None, Reduce(Computes(Add)), [dst(Walk::RepeatResult), SRC], Reduction, VEC, ZeroSource, Same(FLOATS), From(1), PerOperand,
        "Sum of each 256-byte repeat: one element per repeat. Rows wider than a repeat give partial sums.";
    Cmax "cmax" None, Reduce(Computes(Max)), [dst(Walk::RepeatResult), SRC], Reduction, VEC, MinusInfinity, Same(FLOATS), From(1), PerOperand,
        "Maximum of each 256-byte repeat: one element per repeat.";
    Cmin "cmin" None, Reduce(Computes(Min)), [dst(Walk::RepeatResult), SRC], Reduction, VEC, PlusInfinity, Same(FLOATS), From(1), PerOperand,
        "Minimum of each 256-byte repeat: one element per repeat.";
    Cgadd "cgadd" None, GroupReduce(Computes(Add)), [dst(Walk::BlockResults), SRC], Reduction, VEC, ZeroSource, Same(FLOATS), From(1), PerOperand,
        "Sum of each 32-byte block: eight elements per repeat.";
    Cgmax "cgmax" None, GroupReduce(Computes(Max)), [dst(Walk::BlockResults), SRC], Reduction, VEC, MinusInfinity, Same(FLOATS), From(1), PerOperand,
        "Maximum of each 32-byte block: eight elements per repeat.";
    Cgmin "cgmin" None, GroupReduce(Computes(Min)), [dst(Walk::BlockResults), SRC], Reduction, VEC, PlusInfinity, Same(FLOATS), From(1), PerOperand,
        "Minimum of each 32-byte block: eight elements per repeat.";
    Cpadd "cpadd" None, PairReduce(Computes(Add)), [dst(Walk::PairResults), SRC], Reduction, VEC, ZeroSource, Same(FLOATS), From(1), PerOperand,
        "Sums of neighbouring lanes: half as many elements as were read.";

    // Reductions with the index of the result.
    CmaxIndex "cmax_index" None, ReduceIndex, [dst(Walk::IndexedResult), SRC, flag("index_first", false)], Reduction, VEC, MinusInfinity, Same(FLOATS), From(1), PerOperand,
        "Maximum of each 256-byte repeat and the lane that holds it first, side by side; the lane as an integer.";
    CminIndex "cmin_index" None, ReduceIndex, [dst(Walk::IndexedResult), SRC, flag("index_first", false)], Reduction, VEC, PlusInfinity, Same(FLOATS), From(1), PerOperand,
        "Minimum of each 256-byte repeat and the lane that holds it first, side by side; the lane as an integer.";
    CmaxWhere "cmax_where" None, ReduceIndex, [dst(Walk::RepeatResult), SRC], Reduction, VEC, MinusInfinity, Rows(INDEXED), From(1), PerOperand,
        "The lane that holds the maximum of each 256-byte repeat first.";
    CminWhere "cmin_where" None, ReduceIndex, [dst(Walk::RepeatResult), SRC], Reduction, VEC, PlusInfinity, Rows(INDEXED), From(1), PerOperand,
        "The lane that holds the minimum of each 256-byte repeat first.";

    // Reductions of all repeats.
    ReduceSum "reduce_sum" None, ReduceAll(Computes(Add)), [dst(Walk::Total), SRC], Total, VEC, ZeroSource, Same(FLOATS), From(1), PerOperand,
        "Sum of all live lanes of all repeats.";
    ReduceMax "reduce_max" None, ReduceAll(Computes(Max)), [dst(Walk::Total), SRC], Total, VEC, MinusInfinity, Same(FLOATS), From(1), PerOperand,
        "Maximum of all live lanes of all repeats.";
    ReduceMin "reduce_min" None, ReduceAll(Computes(Min)), [dst(Walk::Total), SRC], Total, VEC, PlusInfinity, Same(FLOATS), From(1), PerOperand,
        "Minimum of all live lanes of all repeats.";
    ReduceMaxIndex "reduce_max_index" None, ReduceAll, [dst(Walk::IndexedTotal), SRC], Total, VEC, MinusInfinity, Same(FLOATS), From(1), PerOperand,
        "Maximum of all live lanes of all repeats, and the element that holds it first, as an integer.";
    ReduceMinIndex "reduce_min_index" None, ReduceAll, [dst(Walk::IndexedTotal), SRC], Total, VEC, PlusInfinity, Same(FLOATS), From(1), PerOperand,
        "Minimum of all live lanes of all repeats, and the element that holds it first, as an integer.";

    Brcb "brcb" None, Broadcast, [dst(Walk::BroadcastResult), src("src", Walk::BroadcastSource),
        inferred("dst_blk_stride", ParamKind::BlockStride(0)),
        inferred("dst_rep_stride", ParamKind::RepeatStride(0)), REPEAT], Empty, VEC, Ignored, Same(BROADCASTABLE), Elements(1, 8), PerOperand,
        "Expands eight scalars per repeat into one block each. dst_blk_stride=1, dst_rep_stride=8 is the useful form.";

    // Comparison and choice.
    Compare "compare" None, Compare, [dst(Walk::PackedBits), SRC1, SRC2,
        Param::new("mode", ParamKind::Compare, DefaultValue::Required)], BinaryNoCount, VEC, Ignored, Rows(COMPARABLE), From(1), PerOperand,
        "One bit per lane, packed from the lowest bit of the first byte; E/8 bytes per repeat without gaps.";
    CompareScalar "compare_scalar" None, Compare, [dst(Walk::PackedBits), SRC1, value("src2").alias("val"),
        Param::new("mode", ParamKind::Compare, DefaultValue::Required), REPEAT,
        inferred("dst_blk_stride", ParamKind::BlockStride(0)),
        inferred("src1_blk_stride", ParamKind::BlockStride(1)),
        inferred("dst_rep_stride", ParamKind::RepeatStride(0)),
        inferred("src1_rep_stride", ParamKind::RepeatStride(1))], Empty, VEC, Ignored, Rows(COMPARABLE), From(1), PerOperand,
        "Compares lanes with one scalar; one bit per lane, packed.";
    SetCmpMask "set_cmpmask" None, Mask(SetsComparison), [src("src", Walk::First)], Empty, VEC, Ignored, Any, NoRepeat, Nothing,
        "Deprecated: loads a comparison mask; compare and compare_scalar write one directly.";
    Select "select" None, Select, [DST, src("selmask", Walk::PackedBits).alias("mask"), SRC1,
        Param::new("src2", ParamKind::OperandOrValue(Operand { access: Read, places: UB, walk: Walk::Lanes }), DefaultValue::Required),
        Param::new("mode", ParamKind::Select, DefaultValue::Inferred), REPEAT,
        inferred("dst_blk_stride", ParamKind::BlockStride(0)),
        inferred("src1_blk_stride", ParamKind::BlockStride(2)),
        inferred("src2_blk_stride", ParamKind::BlockStride(3)),
        inferred("dst_rep_stride", ParamKind::RepeatStride(0)),
        inferred("src1_rep_stride", ParamKind::RepeatStride(2)),
        inferred("src2_rep_stride", ParamKind::RepeatStride(3)),
        scratch("tmp_addr_buf").keyword()], Empty, VEC, Ignored, Rows(SELECTABLE), From(0), PerOperand,
        "Bit 1 takes src1, bit 0 takes src2. The control is packed: one bit per lane, N/8 bytes for N columns.";

    MaskedSelect "masked_select" None, Select, [DST, src("selmask", Walk::PackedBits).alias("mask"), SRC1,
        Param::new("src2", ParamKind::OperandOrValue(Operand { access: Read, places: UB, walk: Walk::Lanes }), DefaultValue::Required),
        Param::new("mode", ParamKind::Select, DefaultValue::Inferred), REPEAT,
        inferred("dst_blk_stride", ParamKind::BlockStride(0)),
        inferred("src1_blk_stride", ParamKind::BlockStride(2)),
        inferred("src2_blk_stride", ParamKind::BlockStride(3)),
        inferred("dst_rep_stride", ParamKind::RepeatStride(0)),
        inferred("src1_rep_stride", ParamKind::RepeatStride(2)),
        inferred("src2_rep_stride", ParamKind::RepeatStride(3)),
        scratch("tmp_addr_buf").keyword(), COUNT], Empty, VEC, Writeback, Rows(SELECTABLE), From(0), PerOperand,
        "Bit 1 takes src1, bit 0 takes src2, in the lanes of the vector mask. The control is packed: one bit per lane.";

    // Indexed access, sorting, layout.
    Gather "gather" None, Gather, [DST, src("src", Walk::Indexed), src("offset", Walk::Offsets), REPEAT,
        inferred("dst_rep_stride", ParamKind::RepeatStride(0)), integer("start_idx", DefaultValue::Int(0))], Empty, VEC, Ignored, Rows(GATHERABLE), From(0), PerOperand,
        "dst lane = the element at a byte offset from src; offsets are uint32 bytes, not element indices.";
    MaskedGather "masked_gather" None, Gather, [DST, src("src", Walk::Indexed), src("offset", Walk::Offsets), REPEAT,
        inferred("dst_rep_stride", ParamKind::RepeatStride(0)), integer("start_idx", DefaultValue::Int(0)), COUNT], Empty, VEC, Writeback, Rows(GATHERABLE), From(0), PerOperand,
        "dst lane = the element at a byte offset from src, in the lanes of the vector mask; offsets are uint32 bytes.";
    Scatter "scatter" None, Gather, [dst(Walk::Indexed), SRC, src("offset", Walk::Offsets), REPEAT,
        inferred("src_rep_stride", ParamKind::RepeatStride(1)), integer("start_idx", DefaultValue::Int(0))], Empty, VEC, Ignored, Rows(GATHERABLE), From(1), PerOperand,
        "Writes each source lane at a byte offset from dst.";
    GatherBlock "gather_block" None, Gather, [DST, src("src", Walk::Indexed), src("offset", Walk::BroadcastSource), REPEAT,
        inferred("dst_blk_stride", ParamKind::BlockStride(0)),
        inferred("dst_rep_stride", ParamKind::RepeatStride(0))], Empty, VEC, Ignored, Rows(GATHERABLE), From(0), PerOperand,
        "Gathers whole 32-byte blocks; one byte offset per block.";
    GatherMask "gather_mask" None, Compact, [dst(Walk::Compacted), SRC, optional("pattern", UB, Walk::PatternBits),
        integer("pattern_number", DefaultValue::Int(0)), REPEAT,
        inferred("src_blk_stride", ParamKind::BlockStride(1)),
        inferred("src_rep_stride", ParamKind::RepeatStride(1)),
        inferred("pattern_rep_stride", ParamKind::RepeatStride(2)), COUNT, COUNT_PER_REPEAT], Empty, VEC, Ignored, Rows(COMPACTED), From(1), PerOperand,
        "Writes the elements that a pattern keeps side by side: one of the patterns 1 to 7, or the bits of a tensor.";
    Sort32 "sort32" None, Sort, [dst(Walk::SortedRecords), src("src", Walk::Records32), src("idx", Walk::Records32), REPEAT], Empty, VEC, Ignored, Rows(SORTABLE), Elements(1, 32), Nothing,
        "Sorts 32 (value, index) pairs per repeat, descending and stable, into 8-byte records.";
    MergeSort4 "mergesort4" None, Sort, [dst(Walk::Merge4), src("src", Walk::Merge4),
        integer("length_per_blk", DefaultValue::Int(32)).alias("length"), integer("repeat", DefaultValue::Int(1))], Empty, VEC, Ignored, Same(FLOATS), NoRepeat, Nothing,
        "Merges four neighbouring sorted queues of records into one.";
    MergeSort2 "mergesort_2seq" None, Sort, [dst(Walk::Merge2), src("src1", Walk::Merge2), src("src2", Walk::Merge2),
        integer("size1", DefaultValue::Required), integer("size2", DefaultValue::Required)], Empty, VEC, Ignored, Same(FLOATS), NoRepeat, Nothing,
        "Merges two sorted queues of size1 and size2 records.";
    MergeQueues "merge_queues" None, Sort, [dst(Walk::MergeQueues), src("src1", Walk::MergeQueues),
        src("src2", Walk::MergeQueues), src("src3", Walk::MergeQueues), src("src4", Walk::MergeQueues),
        integer("size1", DefaultValue::Required), integer("size2", DefaultValue::Required),
        integer("size3", DefaultValue::Required), integer("size4", DefaultValue::Required)], Empty, VEC, Ignored, Same(FLOATS), NoRepeat, Nothing,
        "Merges four sorted queues of as many records as their sizes say, some of them empty.";
    MergeUntil "merge_until" None, Sort, [dst(Walk::MergedUntil), src("src1", Walk::MergeQueues),
        src("src2", Walk::MergeQueues), src("src3", Walk::MergeQueues), src("src4", Walk::MergeQueues),
        integer("size1", DefaultValue::Required), integer("size2", DefaultValue::Required),
        integer("size3", DefaultValue::Required), integer("size4", DefaultValue::Required)], Empty, VEC, Ignored, Same(FLOATS), NoRepeat, Nothing,
        "Merges four sorted queues, some of them empty, until the last record of one has been taken.";
    TransData "transdata5hd" None, Transpose, [dst(Walk::Indexed), src("src", Walk::Indexed),
        integer("repeat", DefaultValue::Required), integer("src_row_stride", DefaultValue::Required),
        integer("dst_row_stride", DefaultValue::Required), integer("src_rep", DefaultValue::Int(1)), integer("dst_rep", DefaultValue::Int(16))], Empty, VEC, Ignored, Equal, NoRepeat, Nothing,
        "Transposes 16x16 tiles of 2-byte elements.";

    SetMask "set_mask" None, Mask(SetsMask), [value("mask_high").alias("high"), value("mask_low").alias("low")], Empty, VEC, Ignored, Any, NoRepeat, Nothing,
        "Sets the vector mask: bit i of low is lane i, bit i of high is lane 64+i. 4-byte types look at low alone.";
    ResetMask "reset_mask" None, Mask(ResetsMask), [], Empty, VEC, Ignored, Any, NoRepeat, Nothing,
        "Makes every lane of the vector mask active again.";

    // Moves of the vec side.
    GmToUbPad "gm_to_ub_pad" None, Move, [operand("dst", Write, UB, Walk::Rows), operand("src", Read, GM, Walk::Rows),
        integer("n_burst", OPTIONAL_EXTENT), integer("burst_len_element", OPTIONAL_EXTENT),
        integer("src_stride_element", OPTIONAL_EXTENT), integer("dst_stride", OPTIONAL_EXTENT),
        Param::new("pad", ParamKind::Value, DefaultValue::None).keyword(),
        integer("left_padding", DefaultValue::None).keyword(), integer("right_padding", DefaultValue::None).keyword(),
        flag("pad_with_first", false).keyword()], Empty,
        Unit::On(Pipe::Mte2, Side::Vec), NotVector, Equal, NoRepeat, Nothing,
        "Loads rows into UB; every row is padded to 32 bytes there. The padding is undefined unless the call gives a value \
         (AscendC without `isPad` and paddings: the row's first element).";
    UbToGmPad "ub_to_gm_pad" None, Move, [operand("dst", Write, GM, Walk::Rows), operand("src", Read, UB, Walk::Rows),
        integer("n_burst", OPTIONAL_EXTENT), integer("burst_len_element", OPTIONAL_EXTENT),
        integer("src_stride", OPTIONAL_EXTENT), integer("dst_stride_element", OPTIONAL_EXTENT)], Empty,
        Unit::On(Pipe::Mte3, Side::Vec), NotVector, Equal, NoRepeat, Nothing,
        "Stores rows to GM; each row starts on a block in UB, and exactly the burst is written.";
    UbToUb "ub_to_ub" None, Move, [operand("dst", Write, UB, Walk::Rows), operand("src", Read, UB, Walk::Rows),
        integer("n_burst", OPTIONAL_EXTENT), integer("burst_len", OPTIONAL_EXTENT),
        integer("src_stride", OPTIONAL_EXTENT), integer("dst_stride", OPTIONAL_EXTENT)], Empty,
        VEC, Ignored, Equal, NoRepeat, Nothing,
        "Copies rows of whole 32-byte blocks; a row narrower than a block still moves one block.";

    // Cube side.
    GmToL1Nz "gm_to_l1_nd2nz" None, Move(Lays(Nz)), [operand("dst", Write, L1_ONLY, Walk::Matrix), operand("src", Read, GM, Walk::Matrix),
        integer("M", OPTIONAL_EXTENT), integer("N", OPTIONAL_EXTENT), integer("N_src", OPTIONAL_EXTENT), integer("M_dst", OPTIONAL_EXTENT)], Empty,
        Unit::On(Pipe::Mte2, Side::Cube), NotVector, Equal, NoRepeat, Nothing,
        "Loads a matrix into L1 in NZ layout with M_dst rows of capacity, rounded up to 16.";
    GmToL1 "gm_to_l1" None, Move(Lays(Nd)), [operand("dst", Write, L1_ONLY, Walk::Matrix), operand("src", Read, GM, Walk::Matrix),
        integer("n_burst", DefaultValue::None), integer("burst_len", DefaultValue::None),
        integer("src_stride", DefaultValue::None), integer("dst_stride", DefaultValue::None)], Empty,
        Unit::On(Pipe::Mte2, Side::Cube), NotVector, Equal, NoRepeat, Nothing,
        "Loads contiguous data into an L1 tensor of ND layout.";
    SetConstantToL1 "set_constant_to_l1" None, Move(Fills), [operand("dst", Write, L1_ONLY, Walk::Whole), value("value"), integer("n_blocks", DefaultValue::None)], Empty,
        Unit::On(Pipe::Mte2, Side::Cube), NotVector, Any, NoRepeat, Nothing,
        "Fills an L1 tensor with one value.";
    L1ToL0 "l1_to_l0" None, Move, [operand("dst", Write, L0, Walk::Matrix), operand("src", Read, L1_ONLY, Walk::Matrix),
        integer("m_dst", OPTIONAL_EXTENT), integer("n_dst", OPTIONAL_EXTENT), integer("m_src", OPTIONAL_EXTENT), integer("n_src", OPTIONAL_EXTENT)], Empty,
        Unit::On(Pipe::Mte1, Side::Cube), NotVector, Equal, NoRepeat, Nothing,
        "Loads a cube operand from L1; a transposed view is transposed on the way.";
    LoadFractals "l1_to_l0_fractals" None, Move, [operand("dst", Write, L0, Walk::Fractals), operand("src", Read, L1_ONLY, Walk::Fractals),
        integer("repeat", DefaultValue::Int(1)), integer("start", DefaultValue::Int(0)),
        integer("src_step", DefaultValue::Int(1)), integer("dst_step", DefaultValue::Int(1)), flag("transpose", false),
        integer("parts", DefaultValue::Int(1)), integer("part_step", DefaultValue::Int(1))], Empty,
        Unit::On(Pipe::Mte1, Side::Cube), NotVector, Equal, NoRepeat, Nothing,
        "Copies fractals of 512 bytes from L1 to an operand of the cube; squares of one fractal (2-byte elements) or two can be transposed on the way.";
    L1ToBt "l1_to_bt" None, Move, [operand("dst", Write, BT_ONLY, Walk::Whole), operand("src", Read, L1_ONLY, Walk::Whole), integer("n", DefaultValue::None)], Empty,
        Unit::On(Pipe::Mte1, Side::Cube), NotVector, Equal, NoRepeat, Nothing,
        "Loads a bias row into the bias table.";
    Img2Col "img2col" None, Move, [operand("dst", Write, L0, Walk::Whole), operand("src", Read, L1_ONLY, Walk::Whole)], Open,
        Unit::On(Pipe::Mte1, Side::Cube), NotVector, Equal, NoRepeat, Nothing,
        "Loads a convolution window from L1 as a matrix.";
    Mmad "mmad" None, Matmul(Multiplies), [operand("dst", ReadWrite, L0C_ONLY, Walk::Matrix),
        operand("src_a", Read, L0A_ONLY, Walk::Matrix).alias("a"), operand("src_b", Read, L0B_ONLY, Walk::Matrix).alias("b"),
        integer("M", OPTIONAL_EXTENT), integer("N", OPTIONAL_EXTENT), integer("K", OPTIONAL_EXTENT),
        flag("is_init", true), optional("bias", BT_ONLY, Walk::Whole), integer("unit_flag", DefaultValue::Int(0))], Empty,
        Unit::On(Pipe::M, Side::Cube), NotVector, Rows(MATMUL_TYPES), NoRepeat, Nothing,
        "dst = (is_init ? 0 : dst) + A * B transposed, of M x K and N x K elements; k ascending in float (int32 for integers).";
    Matmul "matmul" None, Matmul(Multiplies), [operand("dst", ReadWrite, L0C_ONLY, Walk::Matrix),
        operand("l1a", Read, L1_ONLY, Walk::Matrix).alias("a"), operand("l1b", Read, L1_ONLY, Walk::Matrix).alias("b"),
        integer("splitn", DefaultValue::None), integer("splitk", DefaultValue::None), flag("is_init", true),
        integer("m", OPTIONAL_EXTENT).keyword(), integer("n", OPTIONAL_EXTENT).keyword(), integer("k", OPTIONAL_EXTENT).keyword(),
        optional("bias", L1_ONLY, Walk::Whole).keyword()], Empty,
        Unit::CubeMacro, NotVector, Rows(MATMUL_TYPES), NoRepeat, Nothing,
        "Loads both operands to L0 in turn and multiplies; uses two 32 KB halves of L0A and of L0B.";
    MultiplyGm "matmul_gm" None, Move, [operand("dst", Write, GM, Walk::Matrix), operand("a", Read, GM, Walk::Matrix),
        operand("b", Read, GM, Walk::Matrix), pipe("pipe", DefaultValue::Required),
        integer("M", DefaultValue::Required), integer("N", DefaultValue::Required), integer("N_dst", DefaultValue::Required),
        integer("rows_a", DefaultValue::Required), integer("columns_a", DefaultValue::Required), integer("pitch_a", DefaultValue::Required),
        integer("rows_b", DefaultValue::Required), integer("columns_b", DefaultValue::Required), integer("pitch_b", DefaultValue::Required),
        flag("transpose_a", false), flag("transpose_b", false), optional("bias", GM, Walk::Whole)], Empty,
        Unit::Argument, NotVector, Rows(PRODUCTS), NoRepeat, Nothing,
        "dst = A * B + bias, all in GM: the matrices as they lie there, of which either may be transposed; k ascending in float (int32 for integers).";
    Conv2d "conv2d" None, Matmul, [operand("dst", ReadWrite, L0C_ONLY, Walk::Whole),
        operand("src", Read, L1_ONLY, Walk::Whole), operand("weight", Read, L1_ONLY, Walk::Whole),
        optional("bias", L1_ONLY, Walk::Whole).keyword()], Open,
        Unit::CubeMacro, NotVector, Rows(MATMUL_TYPES), NoRepeat, Nothing,
        "Convolution on the cube unit.";
    L0cToGmNd "l0c_to_gm_nz2nd" None, Fixpipe(Lays(Nd)), [operand("dst", Write, GM, Walk::Matrix), operand("src", Read, L0C_ONLY, Walk::Matrix),
        integer("M", OPTIONAL_EXTENT), integer("N", OPTIONAL_EXTENT), integer("N_dst", OPTIONAL_EXTENT), integer("M_src", OPTIONAL_EXTENT),
        flag("relu", false).keyword(), Param::new("scale", ParamKind::Value, DefaultValue::None).keyword(), Param::new("offset", ParamKind::Value, DefaultValue::None).keyword(), flag("hif8_hybrid", false).keyword(), UNIT_FLAG, flag("unconverted", false).keyword()], Empty,
        FIXPIPE, NotVector, Rows(FIXED_OUT), NoRepeat, Nothing,
        "Drains L0C to row-major GM, converting the type on the way.";
    L0cToGmNz "l0c_to_gm_nz2nz" None, Fixpipe(Lays(Nz)), [operand("dst", Write, GM, Walk::Matrix), operand("src", Read, L0C_ONLY, Walk::Matrix),
        integer("M", OPTIONAL_EXTENT), integer("N", OPTIONAL_EXTENT), integer("N_dst", OPTIONAL_EXTENT), integer("M_src", OPTIONAL_EXTENT),
        flag("relu", false).keyword(), Param::new("scale", ParamKind::Value, DefaultValue::None).keyword(), Param::new("offset", ParamKind::Value, DefaultValue::None).keyword(), integer("m_pad", DefaultValue::None).keyword(), UNIT_FLAG], Empty,
        FIXPIPE, NotVector, Rows(FIXED_OUT), NoRepeat, Nothing,
        "Drains L0C to GM in NZ layout, converting the type on the way.";
    L0cToL1 "l0c_to_l1" None, Fixpipe(Lays(Nz)), [operand("dst", Write, L1_ONLY, Walk::Matrix), operand("src", Read, L0C_ONLY, Walk::Matrix),
        integer("M", OPTIONAL_EXTENT), integer("N", OPTIONAL_EXTENT), integer("M_dst", OPTIONAL_EXTENT), integer("M_src", OPTIONAL_EXTENT),
        flag("relu", false)], Empty,
        FIXPIPE, NotVector, Rows(FIXED_OUT), NoRepeat, Nothing,
        "Republishes an accumulator as an L1 operand; the destination cannot be float on A2.";
    SetHf32 "set_hf32" None, Scalar, [flag("enable", true)], Open, Unit::On(Pipe::S, Side::Cube), NotVector, Any, NoRepeat, Nothing,
        "Lets float matmul use the faster HF32 format.";
    ResetCache "reset_cache" None, Debug, [], Empty, SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Rewinds the allocators of the on-chip memories.";

    // Barriers.
    BarV "bar_v" None, Barrier, [], Empty, Unit::On(Pipe::V, Side::Both), NotVector, Any, NoRepeat, Nothing,
        "Later V instructions wait for earlier ones.";
    BarM "bar_m" None, Barrier, [], Empty, Unit::On(Pipe::M, Side::Both), NotVector, Any, NoRepeat, Nothing,
        "Later M instructions wait for earlier ones.";
    BarMte1 "bar_mte1" None, Barrier, [], Empty, Unit::On(Pipe::Mte1, Side::Both), NotVector, Any, NoRepeat, Nothing,
        "Later MTE1 instructions wait for earlier ones.";
    BarMte2 "bar_mte2" None, Barrier, [], Empty, Unit::On(Pipe::Mte2, Side::Both), NotVector, Any, NoRepeat, Nothing,
        "Later MTE2 instructions wait for earlier ones.";
    BarMte3 "bar_mte3" None, Barrier, [], Empty, Unit::On(Pipe::Mte3, Side::Both), NotVector, Any, NoRepeat, Nothing,
        "Later MTE3 instructions wait for earlier ones.";
    BarFix "bar_fix" None, Barrier, [], Empty, Unit::On(Pipe::Fix, Side::Both), NotVector, Any, NoRepeat, Nothing,
        "Later FIX instructions wait for earlier ones.";
    BarAll "bar_all" None, Barrier, [], Empty, Unit::On(Pipe::All, Side::Both), NotVector, Any, NoRepeat, Nothing,
        "Everything later waits for everything earlier in this lane.";
    Barrier "barrier" None, Barrier, [pipe("pipe", DefaultValue::Required)], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Barrier of the named pipe.";

    // Events and flags inside a lane.
    SetFlag "setflag" None, Event(Signals(Set, Raw)), [pipe("src", DefaultValue::Required), pipe("dst", DefaultValue::Required), integer("event_id", DefaultValue::Required).alias("id")], Empty,
        Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Sets a raw event flag once the source pipe has finished what came before.";
    WaitFlag "waitflag" None, Event(Signals(Wait, Raw)), [pipe("src", DefaultValue::Required), pipe("dst", DefaultValue::Required), integer("event_id", DefaultValue::Required).alias("id")], Empty,
        Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Makes the destination pipe wait for a raw event flag and clears it.";
    EventSet "set" Some(Receiver::Event), Event(Signals(Set, Event)), [SELF], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Sets the event once its source pipe has finished what came before.";
    EventWait "wait" Some(Receiver::Event), Event(Signals(Wait, Event)), [SELF], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Makes the event's destination pipe wait, and clears the event.";
    EventSetAll "setall" Some(Receiver::Event), Event(Signals(Set, AllOfEvent)), [SELF], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Sets every hardware id of the event.";
    EventRelease "release" Some(Receiver::Event), Event(Signals(Wait, AllOfEvent)), [SELF], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Waits for what is still set and gives the ids back.";

    // Flags between lanes and cores.
    CubeReady "cube_ready" None, CrossFlag(Signals(Set, Flag(CubeToVec))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::Fix))], Empty, Unit::On(Pipe::Fix, Side::Cube), NotVector, Any, NoRepeat, Nothing,
        "The cube tells both vec lanes of its core.";
    WaitCube "wait_cube" None, CrossFlag(Signals(Wait, Flag(CubeToVec))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::S))], Empty, Unit::On(Pipe::S, Side::Vec), NotVector, Any, NoRepeat, Nothing,
        "A vec lane waits for its cube.";
    VecReady "vec_ready" None, CrossFlag(Signals(Set, Flag(VecToCube))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::Mte3))], Empty, Unit::On(Pipe::Mte3, Side::Vec), NotVector, Any, NoRepeat, Nothing,
        "A vec lane tells its cube.";
    WaitVec "wait_vec" None, CrossFlag(Signals(Wait, Flag(VecToCube))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::S))], Empty, Unit::On(Pipe::S, Side::Cube), NotVector, Any, NoRepeat, Nothing,
        "The cube waits until both of its vec lanes have told it.";
    AllCubeReady "allcube_ready" None, CrossFlag(Signals(Set, Flag(AllCubes))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::Fix))], Empty, Unit::On(Pipe::Fix, Side::Cube), NotVector, Any, NoRepeat, Nothing,
        "Announces this cube to the cubes of all cores.";
    AllCubeWait "allcube_wait" None, CrossFlag(Signals(Wait, Flag(AllCubes))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::S))], Empty, Unit::On(Pipe::S, Side::Cube), NotVector, Any, NoRepeat, Nothing,
        "Waits for the cubes of all cores.";
    AllVecReady "allvec_ready" None, CrossFlag(Signals(Set, Flag(AllVecs))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::Mte3))], Empty, Unit::On(Pipe::Mte3, Side::Vec), NotVector, Any, NoRepeat, Nothing,
        "Announces this vec lane to the vec lanes of all cores.";
    AllVecWait "allvec_wait" None, CrossFlag(Signals(Wait, Flag(AllVecs))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::S))], Empty, Unit::On(Pipe::S, Side::Vec), NotVector, Any, NoRepeat, Nothing,
        "Waits for the vec lanes of all cores.";
    IntraVecReady "intracore_allvec_ready" None, CrossFlag(Signals(Set, Flag(CoreVecs))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::Mte3))], Empty, Unit::On(Pipe::Mte3, Side::Vec), NotVector, Any, NoRepeat, Nothing,
        "Announces this vec lane to the other one of its core.";
    IntraVecWait "intracore_allvec_wait" None, CrossFlag(Signals(Wait, Flag(CoreVecs))), [FLAG_ID, pipe("pipe", DefaultValue::Pipe(Pipe::S))], Empty, Unit::On(Pipe::S, Side::Vec), NotVector, Any, NoRepeat, Nothing,
        "Waits for the other vec lane of the core.";

    // Mutex tokens.
    MutexLock "lock" Some(Receiver::Mutex), Mutex(Signals(Wait, Credit)), [SELF], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Producer: takes a free token before it writes.";
    MutexReady "ready" Some(Receiver::Mutex), Mutex(Signals(Set, Data)), [SELF], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Producer: hands the written data over.";
    MutexWait "wait" Some(Receiver::Mutex), Mutex(Signals(Wait, Data)), [SELF], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Consumer: waits for data.";
    MutexFree "free" Some(Receiver::Mutex), Mutex(Signals(Set, Credit)), [SELF], Empty, Unit::Argument, NotVector, Any, NoRepeat, Nothing,
        "Consumer: gives the token back after the last read.";

    // Scalar access to memory.
    GetValueFrom "GetValueFrom" Some(Receiver::Var), Scalar(ReadsScalar), [SELF, operand("view", Read, UB_OR_GM, Walk::First)], Empty, SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Reads one element. The DSLs do not let the S pipe wait for V or MTE2 before; the AscendC compiler does.";
    ReadCount "ReadCount" Some(Receiver::Var), Scalar(ReadsScalar), [SELF, integer("queue", DefaultValue::Int(0))], Empty, VEC_SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Reads into the Var how many records of a queue the last merge_until has taken.";
    SetValueTo "SetValueTo" Some(Receiver::Var), Scalar(WritesScalar), [SELF, operand("view", Write, UB_OR_GM, Walk::First)], Empty, SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Writes the Var into the first element of a view, and only there.";
    CleanDcache "clean_dcache" None, Scalar, [ANY], Open, SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Writes scalar stores back to global memory.";

    // No effect on results.
    SimPrint "sim_print" None, Debug, [ANY], Open, SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Prints while simulating.";
    KernelPrint "kernel_print" None, Debug, [ANY], Open, SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Prints on the device.";
    SimDump "sim_dump_tensor" None, Debug, [ANY], Open, SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Dumps a tensor while simulating.";
    KernelDump "kernel_dump_tensor" None, Debug, [ANY], Open, SCALAR, NotVector, Any, NoRepeat, Nothing,
        "Dumps a tensor on the device.";
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn rows_stand_in_opcode_order_under_unique_names() {
        let mut names = HashSet::new();
        for (index, row) in INSTRUCTIONS.iter().enumerate() {
            assert_eq!(row.opcode as usize, index);
            assert!(names.insert((row.receiver, row.name)), "{}", row.name);
        }
    }

    #[test]
    fn stride_parameters_point_at_operands() {
        for row in INSTRUCTIONS {
            for param in row.params() {
                if let ParamKind::BlockStride(of) | ParamKind::RepeatStride(of) = param.kind {
                    assert!(row.param(of).unwrap().operand().is_some(), "{}", row.name);
                }
            }
        }
    }

    #[test]
    fn positional_parameters_come_first() {
        for row in INSTRUCTIONS {
            let keyword = row.params().map(|param| param.keyword_only);
            let kinds: Vec<bool> = keyword.collect();
            let first_keyword = kinds.iter().position(|&k| k).unwrap_or(kinds.len());
            let late = kinds[first_keyword..].iter().any(|&k| !k);
            assert!(!late || row.opcode == Opcode::ShiftRs, "{}", row.name);
        }
    }
}
