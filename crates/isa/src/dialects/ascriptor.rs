//! Defines the spellings of Ascriptor on A2 and A3: keyword-only products, other orders in gathers, repeats
//! of one-source instructions from the destination, narrower lists of types.

use super::super::signature::{DefaultValue, RepeatFrom, TypeRule};
use super::super::table::Opcode as O;
use super::super::vocabulary::DType::{self, *};
use super::{
    Change::{self, Default, KeywordOnly, Order, Positional, Renamed, Repeat, Types, Without},
    OF_ASCENDC, ROW_FILLS, Spellings,
};

const FLOATS: TypeRule = TypeRule::Same(&[Half, Float]);
const FLOATS_INT: TypeRule = TypeRule::Same(&[Half, Float, Int]);
const FLOATS_INTS: TypeRule = TypeRule::Same(&[Half, Float, Int, Int16]);
const BITWISE: TypeRule = TypeRule::Same(&[Int16, UInt16]);
const SELECTED: &[&[DType]] = &[&[Half, UInt8, Half, Half], &[Float, UInt8, Float, Float]];
const SORTED: &[&[DType]] = &[&[Float, Float, UInt32]];

const ARITHMETIC: &[Change] = &[Types(FLOATS_INT)];
const FROM_DST: &[Change] = &[Repeat(RepeatFrom::Operand(0))];
const SCALED: &[Change] = &[Repeat(RepeatFrom::Operand(0)), Types(FLOATS_INT)];
/// The code printer of Ascriptor has no form of these instructions for integers.
const CLAMPED: &[Change] = &[Repeat(RepeatFrom::Operand(0)), Types(FLOATS)];
const SHIFTED: &[Change] = &[Repeat(RepeatFrom::Operand(0)), Renamed("n", "val")];
const DRAINED: &[Change] = &[
    Positional(&["relu", "scale", "offset"]),
    Without(&["unit_flag", "unconverted"]),
];

pub(super) const SPELLINGS: Spellings = Spellings {
    absent: &[&[O::SetCmpMask], OF_ASCENDC],
    spelled: &[
        (O::Add, ARITHMETIC),
        (O::Sub, ARITHMETIC),
        (O::Mul, ARITHMETIC),
        (O::Vmax, &[Types(FLOATS_INTS)]),
        (O::Vmin, ARITHMETIC),
        (O::Vand, &[Types(BITWISE)]),
        (O::Vor, &[Types(BITWISE)]),
        (O::Exp, FROM_DST),
        (O::Ln, FROM_DST),
        (O::Abs, FROM_DST),
        (O::Rec, FROM_DST),
        (O::Sqrt, FROM_DST),
        (O::Rsqrt, FROM_DST),
        (O::Relu, CLAMPED),
        (O::Vnot, &[Repeat(RepeatFrom::Operand(0)), Types(BITWISE)]),
        (O::Adds, SCALED),
        (O::Muls, SCALED),
        (O::Vmaxs, CLAMPED),
        (O::Vmins, CLAMPED),
        (O::Lrelu, FROM_DST),
        (O::Axpy, FROM_DST),
        (O::ShiftLs, SHIFTED),
        (O::ShiftRs, SHIFTED),
        (
            O::Dup,
            &[Types(TypeRule::Same(&[Half, Float, Int, UInt32]))],
        ),
        (O::GmToUbPad, &[Without(ROW_FILLS)]),
        (O::Brcb, &[Repeat(RepeatFrom::WholeElements(1, 8))]),
        (
            O::Sort32,
            &[
                Repeat(RepeatFrom::WholeElements(1, 32)),
                Types(TypeRule::Rows(SORTED)),
            ],
        ),
        (
            O::MergeSort4,
            &[
                Renamed("length_per_blk", "length_per_seq"),
                Types(TypeRule::Same(&[Float])),
            ],
        ),
        (O::MergeSort2, &[Types(TypeRule::Same(&[Float]))]),
        (
            O::Select,
            &[
                Default("mode", DefaultValue::Required),
                Types(TypeRule::Rows(SELECTED)),
            ],
        ),
        (
            O::Gather,
            &[Order(&[
                "dst",
                "src",
                "offset",
                "start_idx",
                "repeat",
                "dst_rep_stride",
            ])],
        ),
        (
            O::Scatter,
            &[Order(&[
                "dst",
                "src",
                "offset",
                "start_idx",
                "repeat",
                "src_rep_stride",
            ])],
        ),
        (
            O::TransData,
            &[
                Default("repeat", DefaultValue::Inferred),
                Default("src_row_stride", DefaultValue::Inferred),
                Default("dst_row_stride", DefaultValue::Inferred),
                Renamed("src_rep", "src_rep_stride"),
                Renamed("dst_rep", "dst_rep_stride"),
            ],
        ),
        (
            O::Matmul,
            &[
                Order(&[
                    "dst", "l1a", "l1b", "m", "n", "k", "is_init", "splitn", "splitk", "bias",
                ]),
                KeywordOnly(&["is_init", "splitn", "splitk"]),
                Renamed("l1a", "a"),
                Renamed("l1b", "b"),
            ],
        ),
        (O::Mmad, &[Renamed("src_a", "a"), Renamed("src_b", "b")]),
        (O::L0cToGmNd, DRAINED),
        (
            O::L0cToGmNz,
            &[
                Order(&[
                    "dst", "src", "m_pad", "relu", "scale", "offset", "M", "N", "N_dst", "M_src",
                ]),
                Positional(&["m_pad", "relu", "scale", "offset"]),
            ],
        ),
    ],
    has_rows: true,
    counts_from_zero: false,
    without_casts: &[(Int16, Int8), (Int16, UInt8), (Int, Half)],
    short_types: &[
        (Half, "f16"),
        (BFloat16, "bf16"),
        (Float, "f32"),
        (Int8, "i8"),
        (UInt8, "u8"),
        (Int16, "i16"),
        (UInt16, "u16"),
        (Int, "i32"),
        (UInt32, "u32"),
    ],
    fills: "half, float, int and uint32",
};
