//! Vector instructions: which row a call is, and what its form says of lanes, repeats and strides.

mod gather_mask;
mod lanes;
mod merge;
mod reduce;
mod select;

use a2lint_ir::ScalarId;
use a2lint_ir::build::Argument;
use a2lint_isa::{DType, Dialect, Opcode, Pipe, RoundMode};

use super::cx::{Cx, Lowered, lost, take};
use super::emission::Emission;
use super::numbers;
use super::tensors::Local;
use gather_mask::gather_mask;
use lanes::{Lanes, sets_mask};
use reduce::{reduce, reduce_all, reduce_by_register, reduce_with_index, repeat_reduce};
use select::{compare, gather, gather_blocks, select};

/// The parameter names of an element-wise instruction, and the fields of the parameter struct that hold its strides.
struct Form {
    opcode: Opcode,
    /// The names of its operands in the instruction table, in order.
    operands: &'static [&'static str],
    /// The name of its scalar operand, if it has one.
    scalar: Option<&'static str>,
    /// Pairs of a field of the parameter struct and the parameter of the instruction table that takes it.
    strides: &'static [(&'static str, &'static str)],
}

const BINARY: &[(&str, &str)] = &[
    ("dstBlkStride", "dst_blk_stride"),
    ("src0BlkStride", "src1_blk_stride"),
    ("src1BlkStride", "src2_blk_stride"),
    ("dstRepStride", "dst_rep_stride"),
    ("src0RepStride", "src1_rep_stride"),
    ("src1RepStride", "src2_rep_stride"),
];
const UNARY: &[(&str, &str)] = &[
    ("dstBlkStride", "dst_blk_stride"),
    ("srcBlkStride", "src_blk_stride"),
    ("dstRepStride", "dst_rep_stride"),
    ("srcRepStride", "src_rep_stride"),
];

/// Returns the form of an element-wise function by its name.
fn form(name: &str) -> Option<Form> {
    use Opcode::*;
    let binary = |opcode| Form {
        opcode,
        operands: &["dst", "src1", "src2"],
        scalar: None,
        strides: BINARY,
    };
    let unary = |opcode| Form {
        opcode,
        operands: &["dst", "src"],
        scalar: None,
        strides: UNARY,
    };
    let scalar = |opcode, name| Form {
        opcode,
        operands: &["dst", "src"],
        scalar: Some(name),
        strides: UNARY,
    };
    Some(match name {
        "Add" => binary(Add),
        "Sub" => binary(Sub),
        "Mul" => binary(Mul),
        "Div" => binary(Div),
        "Max" => binary(Vmax),
        "Min" => binary(Vmin),
        "And" => binary(Vand),
        "Or" => binary(Vor),
        "MulAddDst" => binary(MulAddDst),
        "AddRelu" => binary(AddRelu),
        "SubRelu" => binary(SubRelu),
        "FusedMulAdd" => binary(MulAdd),
        "FusedMulAddRelu" => binary(MulAddRelu),
        "Exp" => unary(Exp),
        "Ln" => unary(Ln),
        "Abs" => unary(Abs),
        "Reciprocal" => unary(Rec),
        "Sqrt" => unary(Sqrt),
        "Rsqrt" => unary(Rsqrt),
        "Relu" => unary(Relu),
        "Not" => unary(Vnot),
        "Adds" => scalar(Adds, "val"),
        "Muls" => scalar(Muls, "val"),
        "Maxs" => scalar(Vmaxs, "val"),
        "Mins" => scalar(Vmins, "val"),
        "LeakyRelu" => scalar(Lrelu, "val"),
        "Axpy" => scalar(Axpy, "val"),
        "ShiftLeft" => scalar(ShiftLs, "n"),
        "ShiftRight" => scalar(ShiftRs, "n"),
        _ => return None,
    })
}

/// Lowers a call of this group; returns `None` for names of other groups.
pub fn lower(cx: &mut Cx<'_, '_, '_>) -> Option<Lowered> {
    if let Some(form) = form(cx.call.name) {
        return Some(elementwise(cx, &form));
    }
    Some(match cx.call.name {
        "Cast" => cast(cx),
        "Duplicate" => duplicate(cx),
        "Brcb" => brcb(cx),
        "Copy" => copy(cx),
        "CreateVecIndex" | "ArithProgression" | "Arange" => index(cx),
        "WholeReduceSum" => reduce(cx, Opcode::Cadd, false),
        "WholeReduceMax" => {
            reduce_with_index(cx, [Opcode::Cmax, Opcode::CmaxIndex, Opcode::CmaxWhere])
        }
        "WholeReduceMin" => {
            reduce_with_index(cx, [Opcode::Cmin, Opcode::CminIndex, Opcode::CminWhere])
        }
        "BlockReduceSum" => reduce(cx, Opcode::Cgadd, true),
        "BlockReduceMax" => reduce(cx, Opcode::Cgmax, true),
        "BlockReduceMin" => reduce(cx, Opcode::Cgmin, true),
        "vcadd" => reduce_by_register(cx, Opcode::Cadd),
        "PairReduceSum" => reduce(cx, Opcode::Cpadd, true),
        "RepeatReduceSum" => repeat_reduce(cx),
        "ReduceSum" => reduce_all(cx, [Opcode::ReduceSum, Opcode::ReduceSum]),
        "ReduceMax" => reduce_all(cx, [Opcode::ReduceMax, Opcode::ReduceMaxIndex]),
        "ReduceMin" => reduce_all(cx, [Opcode::ReduceMin, Opcode::ReduceMinIndex]),
        "Compare" => compare(cx, Opcode::Compare),
        "CompareScalar" | "Compares" => compare(cx, Opcode::CompareScalar),
        "Select" => select(cx),
        "Gather" => gather(cx),
        "Gatherb" => gather_blocks(cx),
        "GatherMask" => gather_mask(cx),
        "Sort32" => sort32(cx),
        "MrgSort" if cx.count() == 3 => merge::merge(cx),
        "MrgSort" => merge::merge_lists(cx),
        "GetMrgSortResult" => merge::result(cx),
        "A2lintMergeFours" => merge::fours(cx),
        "A2lintMergeQueues" => merge::queues(cx),
        _ => return None,
    })
}

/// Lowers `Add(dst, src0, src1, count)`, `Add(dst, src0, src1, mask, repeatTime, repeatParams)` and the same forms of
/// other element-wise functions.
fn elementwise(cx: &mut Cx<'_, '_, '_>, form: &Form) -> Lowered {
    let operands = form.operands.len();
    let tensors = take!(cx.locals(operands));
    let mut emission = cx.instruction(form.opcode);
    let mut next = operands;
    if let Some(name) = form.scalar {
        let value = take!(cx.argument(next));
        emission = emission.with(name, value, cx.span(next));
        next += 1;
    }
    // The overloads differ in the number of arguments: the form with a count has exactly one more.
    if cx.count() == next + 1 {
        let count = match form.scalar.is_some() && !sets_mask(cx) {
            // The scalar forms run with the mask that is set, whatever count they are given.
            true => match take!(cx.lanes_of_register(widest(&tensors))) {
                Lanes::Count(count) => count,
                _ => lost!("`{}` without a mask of its own", cx.call.name),
            },
            false => take!(cx.number(next)),
        };
        for (tensor, name) in tensors.into_iter().zip(form.operands) {
            let site = cx.span_of(name, form.operands);
            emission = emission.local(name, tensor.view(cx.builder(), Some(count), site));
        }
        emission = emission.number("count", count, cx.span(next));
        // The form with a count sets the mask itself and leaves all lanes on, which later forms without a mask see.
        take!(cx.emit(emission));
        cx.after_count()?;
        return Ok(Ok(()));
    }
    // A repeat of operands of different types has as many lanes as fit with the widest type.
    let lanes = take!(cx.lanes(next, widest(&tensors), sets_mask(cx)));
    if sets_mask(cx) {
        take!(cx.note_counted(lanes, next + 1, widest(&tensors)));
    }
    let repeat = take!(cx.number(next + 1));
    let params = next + 2;
    let dtypes: Vec<DType> = tensors.iter().map(|it| it.dtype).collect();
    if let Lanes::Count(_) = lanes {
        take!(cx.contiguous(params, form.strides, &dtypes));
    }
    for (tensor, name) in tensors.into_iter().zip(form.operands) {
        let site = cx.span_of(name, form.operands);
        emission = emission.local(name, tensor.view(cx.builder(), None, site));
    }
    emission = take!(cx.repeats(emission, lanes, (next, repeat, params), form.strides));
    if form.opcode == Opcode::ShiftRs && cx.count() > params + 1 {
        let rounds = take!(cx.argument(params + 1));
        emission = emission.with("round_en", rounds, cx.span(params + 1));
    }
    cx.emit(emission)
}

fn widest(tensors: &[Local]) -> DType {
    let widest = tensors.iter().map(|it| it.dtype).max_by_key(|it| it.bits());
    widest.unwrap_or(DType::Half)
}

impl Cx<'_, '_, '_> {
    /// Returns the first `count` arguments as tensors on the chip.
    fn locals(&mut self, count: usize) -> Lowered<Vec<Local>> {
        let mut tensors = Vec::with_capacity(count);
        for at in 0..count {
            tensors.push(take!(self.local(at)));
        }
        Ok(Ok(tensors))
    }

    fn span_of(&self, name: &str, operands: &[&str]) -> a2lint_source::text::Span {
        let at = operands.iter().position(|it| *it == name).unwrap_or(0);
        self.span(at)
    }

    /// Refuses strides with which the elements of counter mode are not contiguous. `strides` are those of the blocks of
    /// all operands, then those of their repeats.
    fn contiguous(&mut self, params: usize, strides: &[(&str, &str)], dtypes: &[DType]) -> Lowered {
        let widest = dtypes.iter().map(|it| it.bits()).max().unwrap_or(1);
        let of_blocks = dtypes.iter().map(|_| 1);
        // A repeat has as many elements of each operand, which are half as many blocks of half the width.
        let of_repeats = dtypes.iter().map(|it| 8 * it.bits() / widest);
        let wanted: Vec<i64> = of_blocks.chain(of_repeats).collect();
        for ((field, _), wanted) in strides.iter().zip(wanted) {
            let stride = take!(self.field(params, field));
            take!(self.is_plain_stride(stride, wanted));
        }
        Ok(Ok(()))
    }

    fn is_plain_stride(&mut self, stride: ScalarId, wanted: i64) -> Lowered {
        match numbers::known(&self.eval.builder, stride) == Some(wanted) {
            true => Ok(Ok(())),
            false => lost!("strides in counter mode are not followed"),
        }
    }

    /// Adds repeat, strides and lanes to an instruction. In counter mode the elements are counted instead.
    fn repeats(
        &mut self,
        mut emission: Emission,
        lanes: Lanes,
        (mask, repeat, params): (usize, ScalarId, usize),
        strides: &[(&str, &str)],
    ) -> Lowered<Emission> {
        let mut values = Vec::new();
        for (field, name) in strides {
            values.push((*name, take!(self.field(params, field))));
        }
        // Counter mode ignores the number of repeats.
        if matches!(lanes, Lanes::Count(_)) {
            return Ok(Ok(self.with_lanes(emission, lanes, mask)));
        }
        emission = emission.number("repeat", repeat, self.span(mask + 1));
        for (name, value) in values {
            emission = emission.number(name, value, self.span(params));
        }
        Ok(Ok(self.with_lanes(emission, lanes, mask)))
    }
}

/// Returns whether the scale of `SetDeqScale` is 1, which changes nothing.
fn has_unit_scale(cx: &mut Cx<'_, '_, '_>) -> Lowered<bool> {
    let register = cx.core()?.deq_scale;
    let scale = cx.register(register)?;
    let scalars = &cx.builder().program.scalars;
    let is_one = scale.is_some_and(|it| scalars.as_float(it) == Some(1.0));
    Ok(Ok(is_one))
}

/// Lowers `Cast(dst, src, roundMode, count)` and its masked forms.
fn cast(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let tensors = take!(cx.locals(2));
    let round = take!(cx.round(2));
    let (to, from) = (tensors[0].dtype, tensors[1].dtype);
    let is_unsettled =
        a2lint_isa::cast_pair(from, to).is_some() && Dialect::AscendC.cast_pair(from, to).is_none();
    let rounds = from == DType::Float && round != RoundMode::None;
    let round = match (from, to) == (DType::Int, DType::Half) {
        // The device ignores the rounding mode and scales the result. A kernel that does not set the scale finds the
        // one of the kernel before.
        true if take!(has_unit_scale(cx)) => RoundMode::None,
        true => lost!("`Cast` from {from} to {to} is followed only after `SetDeqScale(1)`"),
        false if from == to && !rounds || is_unsettled => {
            lost!("`Cast` from {from} to {to} is not followed")
        }
        false => round,
    };
    let mut emission =
        cx.instruction(Opcode::Cast)
            .with("round_mode", Argument::Round(round), cx.span(2));
    let (dst, src) = (cx.span(0), cx.span(1));
    if cx.count() == 4 {
        let count = take!(cx.number(3));
        emission = emission
            .local("dst", tensors[0].view(cx.builder(), Some(count), dst))
            .local("src", tensors[1].view(cx.builder(), Some(count), src))
            .number("count", count, cx.span(3));
        take!(cx.emit(emission));
        cx.after_count()?;
        return Ok(Ok(()));
    }
    let lanes = take!(cx.lanes(3, widest(&tensors), sets_mask(cx)));
    if sets_mask(cx) {
        take!(cx.note_counted(lanes, 4, widest(&tensors)));
    }
    let repeat = take!(cx.number(4));
    if let Lanes::Count(_) = lanes {
        take!(cx.contiguous(5, UNARY, &[to, from]));
    }
    emission = emission
        .local("dst", tensors[0].view(cx.builder(), None, dst))
        .local("src", tensors[1].view(cx.builder(), None, src));
    emission = take!(cx.repeats(emission, lanes, (3, repeat, 5), UNARY));
    cx.emit(emission)
}

/// Lowers `Duplicate(dst, value, count)` and `Duplicate(dst, value, mask, repeatTime, dstBlockStride,
/// dstRepeatStride)`.
fn duplicate(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let dst = take!(cx.local(0));
    let value = take!(cx.argument(1));
    let site = cx.span(0);
    let emission = cx.instruction(Opcode::Dup).with("value", value, cx.span(1));
    if cx.count() == 3 {
        let count = take!(cx.number(2));
        let view = dst.view(cx.builder(), Some(count), site);
        let emission = emission
            .local("dst", view)
            .number("count", count, cx.span(2));
        take!(cx.emit(emission));
        cx.after_count()?;
        return Ok(Ok(()));
    }
    let lanes = take!(cx.lanes(2, dst.dtype, sets_mask(cx)));
    if sets_mask(cx) {
        take!(cx.note_counted(lanes, 3, dst.dtype));
    }
    let [repeat, block, rep] = [3, 4, 5].map(|at| cx.number(at));
    let (repeat, block, rep) = (take!(repeat), take!(block), take!(rep));
    let view = dst.view(cx.builder(), None, site);
    let mut emission = emission.local("dst", view);
    match lanes {
        Lanes::Count(_) => {
            take!(cx.is_plain_stride(block, 1));
            take!(cx.is_plain_stride(rep, 8));
        }
        Lanes::First(_) | Lanes::Set => {
            emission = emission
                .number("repeat", repeat, cx.span(3))
                .number("dst_blk_stride", block, cx.span(4))
                .number("dst_rep_stride", rep, cx.span(5));
        }
    }
    let emission = cx.with_lanes(emission, lanes, 2);
    cx.emit(emission)
}

/// Lowers `Brcb(dst, src, repeatTime, {dstBlkStride, dstRepStride})`.
fn brcb(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let repeat = take!(cx.number(2));
    let block = take!(cx.field(3, "dstBlkStride"));
    let rep = take!(cx.field(3, "dstRepStride"));
    let sites = [cx.span(0), cx.span(1)];
    let emission = cx
        .instruction(Opcode::Brcb)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat, cx.span(2))
        .number("dst_blk_stride", block, cx.span(3))
        .number("dst_rep_stride", rep, cx.span(3));
    cx.emit(emission)
}

/// Lowers `Copy(dst, src, mask, repeatTime, {dstStride, srcStride, dstRepeatSize, srcRepeatSize})`.
fn copy(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let lanes = match take!(cx.lanes(2, src.dtype, sets_mask(cx))) {
        // In counter mode the elements are those of each repeat.
        Lanes::Count(count) => Lanes::First(count),
        lanes => lanes,
    };
    let repeat = take!(cx.number(3));
    let mut emission = cx.instruction(Opcode::CopyLanes);
    let sites = [cx.span(0), cx.span(1)];
    emission = emission
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]));
    let strides = &[
        ("dstStride", "dst_blk_stride"),
        ("srcStride", "src_blk_stride"),
        ("dstRepeatSize", "dst_rep_stride"),
        ("srcRepeatSize", "src_rep_stride"),
    ];
    let emission = take!(cx.repeats(emission, lanes, (2, repeat, 4), strides));
    cx.emit(emission)
}

/// Lowers `CreateVecIndex(dst, first, count)`, `ArithProgression(dst, first, step, count)`.
fn index(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let dst = take!(cx.local(0));
    let first = take!(cx.argument(1));
    let last = cx.count() - 1;
    let step = match last {
        2 => Argument::Number(a2lint_ir::Number::Int(1)),
        _ => take!(cx.argument(2)),
    };
    let count = take!(cx.number(last));
    let site = cx.span(0);
    take!(cx.hand_over((Pipe::V, Pipe::S)));
    take!(cx.hand_over((Pipe::S, Pipe::V)));
    let emission = cx
        .instruction(Opcode::VecIndex)
        .local("dst", dst.view(cx.builder(), Some(count), site))
        .with("first", first, cx.span(1))
        .with("step", step, cx.span(last - 1))
        .number("count", count, cx.span(last));
    take!(cx.emit(emission));
    cx.after_count()?;
    Ok(Ok(()))
}

/// Lowers `Sort32(dst, src, index, repeatTime)`.
fn sort32(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src, index) = (take!(cx.local(0)), take!(cx.local(1)), take!(cx.local(2)));
    let repeat = take!(cx.number(3));
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let emission = cx
        .instruction(Opcode::Sort32)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .local("idx", index.view(cx.builder(), None, sites[2]))
        .number("repeat", repeat, cx.span(3));
    cx.emit(emission)
}
