//! Vector instructions: which row a call is, and what its form says of lanes, repeats and strides.

use a2lint_cpp::eval::{IntType, IntValue, Pointer, Value};
use a2lint_cpp::library::Evaluated;
use a2lint_ir::ScalarId;
use a2lint_ir::build::Argument;
use a2lint_isa::{BLOCK_BYTES, DType, Dialect, Opcode, Pipe, SelectMode};

use super::cx::{Cx, Lost, Lowered, lost, take};
use super::emission::Emission;
use super::numbers;
use super::objects::Mask;
use super::tensors::Local;

/// What a call says of the lanes that take part.
#[derive(Clone, Copy, Debug)]
pub enum Lanes {
    /// This number of contiguous elements.
    Count(ScalarId),
    /// Repeats with strides, under the mask that is set.
    Set,
    /// Repeats with strides, in each of which the first lanes take part.
    First(ScalarId),
}

/// How the operands of an instruction are called, and where its strides stand in the parameter struct.
struct Form {
    opcode: Opcode,
    /// Operands in order: their names in the row.
    operands: &'static [&'static str],
    /// The scalar operand, where there is one.
    scalar: Option<&'static str>,
    /// Fields of the struct with the names that the row has for them.
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

/// The row of an element-wise function.
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

/// Lowers a vector instruction; `None` where the name is none.
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
        _ => return None,
    })
}

/// The last template argument of a form with a mask: whether it sets the mask.
fn sets_mask(cx: &Cx<'_, '_, '_>) -> bool {
    let last = cx.call.template.len().wrapping_sub(1);
    cx.template_int(last) != Some(0)
}

impl Cx<'_, '_, '_> {
    /// The two words of a mask that is an array.
    fn words(&mut self, at: usize) -> Lowered<[ScalarId; 2]> {
        let value = self.value(at)?;
        let Value::Pointer(Pointer::To(_)) = value else {
            lost!("the mask of `{}` is not known", self.call.name);
        };
        let mut words = Vec::new();
        for index in 0..2 {
            let word = match self.eval.element_at(&value, index)? {
                Some(cell) => self.eval.read(cell)?,
                None => Value::Unknown,
            };
            match word {
                Value::Int(..) => words.push(self.eval.scalar(&word)),
                _ => lost!("the mask of `{}` is not known", self.call.name),
            }
        }
        Ok(Ok([words[0], words[1]]))
    }

    /// Returns the lanes of a call whose mask is argument `at`, for elements of `dtype`, and records the mask that the
    /// call leaves set. If it sets no mask (`sets_mask`), the lanes are those of the mask register.
    fn lanes(&mut self, at: usize, dtype: DType, sets_mask: bool) -> Lowered<Lanes> {
        let mut core = self.core()?;
        if !sets_mask {
            return self.lanes_of_register();
        }
        if self.is_array(at) {
            let [low, high] = take!(self.words(at));
            let wide = dtype.bits() >= 32;
            let bits = |cx: &Self, id| cx.eval.builder.program.scalars.as_word(id);
            let known = bits(self, low).zip(match wide {
                true => Some(0),
                false => bits(self, high),
            });
            if let Some(lanes) = known.and_then(|(low, high)| prefix(low, high)) {
                let lanes = self.builder().int(lanes);
                core.mask = Mask::Words(high, low);
                core.register = Mask::All;
                self.set_core(core)?;
                return Ok(Ok(Lanes::First(lanes)));
            }
            core.mask = Mask::Words(high, low);
            self.set_core(core)?;
            return self.lanes_of_register();
        }
        let lanes = take!(self.number(at));
        if core.counts {
            core.mask = Mask::Count(lanes);
            self.set_core(core)?;
            return Ok(Ok(Lanes::Count(lanes)));
        }
        core.mask = Mask::Lanes(lanes);
        core.register = Mask::All;
        self.set_core(core)?;
        let most = dtype.lanes();
        let lanes = match numbers::known(&self.eval.builder, lanes) {
            Some(known) if known > most => self.builder().int(most),
            _ => lanes,
        };
        Ok(Ok(Lanes::First(lanes)))
    }

    /// The lanes of a form that leaves the mask as it is.
    fn lanes_of_register(&mut self) -> Lowered<Lanes> {
        let core = self.core()?;
        if core.counts {
            return match core.mask {
                Mask::Count(count) => Ok(Ok(Lanes::Count(count))),
                _ => lost!("how many elements counter mode has is not known"),
            };
        }
        take!(self.set_register());
        Ok(Ok(Lanes::Set))
    }

    /// Makes the mask of the program what the API has it be.
    pub fn set_register(&mut self) -> Lowered {
        let mut core = self.core()?;
        if core.mask == core.register {
            return Ok(Ok(()));
        }
        let span = self.call.span;
        let emission = match core.mask {
            Mask::All => self.instruction(Opcode::ResetMask),
            Mask::Words(high, low) => self
                .instruction(Opcode::SetMask)
                .number("mask_high", high, span)
                .number("mask_low", low, span),
            Mask::Lanes(lanes) => {
                let Some([high, low]) = self.words_of(lanes) else {
                    lost!("the mask that an earlier call left is not known");
                };
                self.instruction(Opcode::SetMask)
                    .number("mask_high", high, span)
                    .number("mask_low", low, span)
            }
            Mask::Count(_) | Mask::Unknown => {
                lost!("the mask that an earlier call left is not known")
            }
        };
        take!(self.emit(emission));
        core.register = core.mask.clone();
        self.set_core(core)?;
        Ok(Ok(()))
    }

    /// The words of a mask whose first lanes are on.
    fn words_of(&mut self, lanes: ScalarId) -> Option<[ScalarId; 2]> {
        let lanes = numbers::known(&self.eval.builder, lanes)?;
        let word = |lanes: i64| match lanes {
            ..=0 => 0,
            64.. => i128::from(u64::MAX),
            _ => (1_i128 << lanes) - 1,
        };
        let scalars = &mut self.eval.builder.program.scalars;
        Some([scalars.whole(word(lanes - 64)), scalars.whole(word(lanes))])
    }

    /// A call with a count leaves every lane on, in normal mode.
    pub fn after_count(&mut self) -> Evaluated<()> {
        let mut core = self.core()?;
        core.counts = false;
        core.mask = Mask::All;
        core.register = Mask::All;
        self.set_core(core)
    }

    /// Adds what a form says of lanes to an instruction whose row has both ways to say it.
    fn with_lanes(&mut self, emission: Emission, lanes: Lanes, at: usize) -> Emission {
        let span = self.span(at);
        match lanes {
            Lanes::Count(count) => emission.number("count", count, span),
            Lanes::First(lanes) => emission.number("count_per_rep", lanes, span),
            Lanes::Set => emission,
        }
    }
}

/// The number of lanes of a mask whose first lanes are on and no other.
fn prefix(low: u64, high: u64) -> Option<i64> {
    let bits = u128::from(low) | u128::from(high) << 64;
    let lanes = bits.trailing_ones();
    (bits.count_ones() == lanes && lanes > 0).then_some(i64::from(lanes))
}

/// `Add(dst, src0, src1, count)`, `Add(dst, src0, src1, mask, repeatTime, repeatParams)`, and kin.
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
    if cx.count() == next + 1 {
        let count = match form.scalar.is_some() && !sets_mask(cx) {
            // The scalar forms run with the mask that is set, whatever count they are given.
            true => match take!(cx.lanes_of_register()) {
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
        take!(cx.emit(emission));
        cx.after_count()?;
        return Ok(Ok(()));
    }
    let lanes = take!(cx.lanes(next, widest(&tensors), sets_mask(cx)));
    let repeat = take!(cx.number(next + 1));
    let params = next + 2;
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
    /// The first arguments, which are tensors on the chip.
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

    /// Repeats and strides of a form, and its lanes. In counter mode the elements are counted instead.
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
        if matches!(lanes, Lanes::Count(_)) {
            let is_plain = values.iter().all(|(name, value)| {
                let wanted = if name.ends_with("blk_stride") { 1 } else { 8 };
                numbers::known(&self.eval.builder, *value) == Some(wanted)
            });
            if !is_plain {
                lost!("strides in counter mode are not followed");
            }
            return Ok(Ok(self.with_lanes(emission, lanes, mask)));
        }
        emission = emission.number("repeat", repeat, self.span(mask + 1));
        for (name, value) in values {
            emission = emission.number(name, value, self.span(params));
        }
        Ok(Ok(self.with_lanes(emission, lanes, mask)))
    }
}

/// `Cast(dst, src, roundMode, count)` and its masked forms.
fn cast(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let tensors = take!(cx.locals(2));
    let round = take!(cx.round(2));
    let (to, from) = (tensors[0].dtype, tensors[1].dtype);
    if from == to || Dialect::AscendC.cast_pair(from, to).is_none() {
        lost!("`Cast` from {from} to {to} is not followed");
    }
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
    let repeat = take!(cx.number(4));
    emission = emission
        .local("dst", tensors[0].view(cx.builder(), None, dst))
        .local("src", tensors[1].view(cx.builder(), None, src));
    emission = take!(cx.repeats(emission, lanes, (3, repeat, 5), UNARY));
    cx.emit(emission)
}

/// `Duplicate(dst, value, count)` and `Duplicate(dst, value, mask, repeatTime, dstBlockStride, dstRepeatStride)`.
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
    let [repeat, block, rep] = [3, 4, 5].map(|at| cx.number(at));
    let (repeat, block, rep) = (take!(repeat), take!(block), take!(rep));
    let view = dst.view(cx.builder(), None, site);
    let mut emission = emission.local("dst", view);
    if !matches!(lanes, Lanes::Count(_)) {
        emission = emission
            .number("repeat", repeat, cx.span(3))
            .number("dst_blk_stride", block, cx.span(4))
            .number("dst_rep_stride", rep, cx.span(5));
    }
    let emission = cx.with_lanes(emission, lanes, 2);
    cx.emit(emission)
}

/// `Brcb(dst, src, repeatTime, {dstBlkStride, dstRepStride})`
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

/// `WholeReduceSum(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride)`; the reductions of blocks and
/// pairs have the repeat before the mask.
fn reduce(cx: &mut Cx<'_, '_, '_>, opcode: Opcode, repeat_first: bool) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let (mask, repeat) = if repeat_first { (3, 2) } else { (2, 3) };
    let lanes = take!(cx.lanes(mask, src.dtype, sets_mask(cx)));
    let repeat_count = take!(cx.number(repeat));
    let (result, block, rep) = (
        take!(cx.number(4)),
        take!(cx.number(5)),
        take!(cx.number(6)),
    );
    let sites = [cx.span(0), cx.span(1)];
    let emission = cx
        .instruction(opcode)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat_count, cx.span(repeat))
        .number("dst_rep_stride", result, cx.span(4))
        .number("src_blk_stride", block, cx.span(5))
        .number("src_rep_stride", rep, cx.span(6));
    let emission = match lanes {
        Lanes::First(lanes) => emission.number("count_per_rep", lanes, cx.span(mask)),
        Lanes::Set => emission,
        Lanes::Count(_) => lost!("`{}` in counter mode is not followed", cx.call.name),
    };
    cx.emit(emission)
}

/// `WholeReduceMax(dst, src, mask, repeatTime, dstRepStride, srcBlkStride, srcRepStride, order)`: of a value alone, of
/// a value with its index, of the index alone.
fn reduce_with_index(cx: &mut Cx<'_, '_, '_>, [value, both, index]: [Opcode; 3]) -> Lowered {
    let order = take!(cx.known(7));
    if order == 2 {
        return reduce(cx, value, false);
    }
    let opcode = if order == 3 { index } else { both };
    let (mut dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    if opcode == index {
        dst = dst.reinterpreted(cx.builder(), DType::UInt32);
    }
    let lanes = take!(cx.lanes(2, src.dtype, sets_mask(cx)));
    let repeat = take!(cx.number(3));
    let (result, block, rep) = (
        take!(cx.number(4)),
        take!(cx.number(5)),
        take!(cx.number(6)),
    );
    let sites = [cx.span(0), cx.span(1)];
    let mut emission = cx
        .instruction(opcode)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat, cx.span(3))
        .number("dst_rep_stride", result, cx.span(4))
        .number("src_blk_stride", block, cx.span(5))
        .number("src_rep_stride", rep, cx.span(6));
    if opcode == both {
        let first = Argument::Number(a2lint_ir::Number::Int((order == 1).into()));
        emission = emission.with("index_first", first, cx.span(7));
    }
    let emission = match lanes {
        Lanes::First(lanes) => emission.number("count_per_rep", lanes, cx.span(2)),
        Lanes::Set => emission,
        Lanes::Count(_) => lost!("`{}` in counter mode is not followed", cx.call.name),
    };
    cx.emit(emission)
}

/// `ReduceSum(dst, src, tmp, count)`, `ReduceMax(dst, src, tmp, count, calIndex)` and their forms with repeats. A sum
/// is stored by the scalar unit, in order with V and MTE3.
fn reduce_all(cx: &mut Cx<'_, '_, '_>, [plain, indexed]: [Opcode; 2]) -> Lowered {
    let (dst, src, tmp) = (take!(cx.local(0)), take!(cx.local(1)), take!(cx.local(2)));
    let has_index = plain != Opcode::ReduceSum;
    let operands = cx.count() - 3 - usize::from(has_index);
    let opcode = match has_index && take!(cx.known(cx.count() - 1)) != 0 {
        true => indexed,
        false => plain,
    };
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let results = cx
        .builder()
        .int(if opcode == indexed && has_index { 2 } else { 1 });
    let mut emission = cx
        .instruction(opcode)
        .local("dst", dst.view(cx.builder(), Some(results), sites[0]));
    if plain != Opcode::ReduceSum || operands > 1 {
        let bytes = src.dtype.bits() / 8;
        let repeats = match operands {
            1 => {
                let count = take!(cx.number(3));
                numbers::known(&cx.eval.builder, count)
                    .map(|count| (count + src.dtype.lanes() - 1) / src.dtype.lanes())
            }
            _ => {
                let repeat = take!(cx.number(4));
                numbers::known(&cx.eval.builder, repeat)
            }
        };
        let room = match plain {
            Opcode::ReduceSum => repeats.map(|repeats| whole_blocks(repeats, bytes)),
            _ => repeats.and_then(|repeats| work_elements(repeats, bytes, opcode == indexed)),
        };
        let room = room.map(|room| cx.builder().int(room));
        emission = emission.local("tmp", tmp.view(cx.builder(), room, sites[2]));
    } else {
        cx.builder().program.demanded.push(tmp.buffer);
    }
    if operands == 1 {
        let count = take!(cx.number(3));
        let emission = emission
            .local("src", src.view(cx.builder(), Some(count), sites[1]))
            .number("count", count, cx.span(3));
        take!(cx.emit(emission));
        cx.after_count()?;
        if plain == Opcode::ReduceSum {
            for pipes in [
                (Pipe::V, Pipe::S),
                (Pipe::S, Pipe::V),
                (Pipe::S, Pipe::Mte3),
            ] {
                take!(cx.hand_over(pipes));
            }
        }
        return Ok(Ok(()));
    }
    let lanes = take!(cx.lanes(3, src.dtype, true));
    let (repeat, rep) = (take!(cx.number(4)), take!(cx.number(5)));
    let full = cx.builder().int(src.dtype.lanes());
    if !matches!(lanes, Lanes::First(lanes) if lanes == full) {
        let core = cx.core()?;
        let mut with_mask = core.clone();
        with_mask.register = Mask::All;
        cx.set_core(with_mask)?;
        take!(cx.set_register());
    }
    let emission = emission
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat, cx.span(4))
        .number("src_rep_stride", rep, cx.span(5));
    cx.emit(emission)
}

/// A number of elements as whole blocks.
fn whole_blocks(elements: i64, bytes: i64) -> i64 {
    let block = BLOCK_BYTES / bytes;
    (elements + block - 1) / block * block
}

/// The elements of the work buffer of a maximum or minimum: a pair for each repeat, and with an index as much again
/// for the pairs, until one repeat holds them. `None` where a single repeat needs no pairs.
fn work_elements(repeats: i64, bytes: i64, has_index: bool) -> Option<i64> {
    let lanes = 8 * BLOCK_BYTES / bytes;
    let mut room = (repeats > 1).then(|| whole_blocks(2 * repeats, bytes))?;
    let mut left = repeats;
    while has_index && left > 1 {
        left = (2 * left + lanes - 1) / lanes;
        room += whole_blocks(2 * left, bytes);
    }
    Some(room)
}

/// `Copy(dst, src, mask, repeatTime, {dstStride, srcStride, dstRepeatSize, srcRepeatSize})`
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

/// `CreateVecIndex(dst, first, count)`, `ArithProgression(dst, first, step, count)`
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

/// `RepeatReduceSum(dst, src, repeatTime, mask, dstBlkStride, srcBlkStride, dstRepStride, srcRepStride)`
fn repeat_reduce(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let lanes = take!(cx.lanes(3, src.dtype, sets_mask(cx)));
    let (repeat, block) = (take!(cx.number(2)), take!(cx.number(5)));
    let (result, rep) = (take!(cx.number(6)), take!(cx.number(7)));
    let sites = [cx.span(0), cx.span(1)];
    let emission = cx
        .instruction(Opcode::Cadd)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .number("repeat", repeat, cx.span(2))
        .number("dst_rep_stride", result, cx.span(6))
        .number("src_blk_stride", block, cx.span(5))
        .number("src_rep_stride", rep, cx.span(7));
    let emission = match lanes {
        Lanes::First(lanes) => emission.number("count_per_rep", lanes, cx.span(3)),
        Lanes::Set => emission,
        Lanes::Count(_) => lost!("`{}` in counter mode is not followed", cx.call.name),
    };
    cx.emit(emission)
}

/// `Compare(dst, src0, src1, mode, count)`, `CompareScalar(dst, src0, value, mode, count)`, and their forms with
/// repeats. The mask takes no part, and a count is rounded down to whole repeats.
fn compare(cx: &mut Cx<'_, '_, '_>, opcode: Opcode) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let mode = take!(cx.compare(3));
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let is_scalar = opcode == Opcode::CompareScalar;
    let mut emission = cx
        .instruction(opcode)
        .with("mode", Argument::Compare(mode), cx.span(3))
        .local("dst", dst.view(cx.builder(), None, sites[0]));
    let other = match is_scalar {
        true => None,
        false => Some(take!(cx.local(2))),
    };
    let strides: &[(&str, &str)] = match is_scalar {
        true => &[
            ("dstBlkStride", "dst_blk_stride"),
            ("srcBlkStride", "src1_blk_stride"),
            ("dstRepStride", "dst_rep_stride"),
            ("srcRepStride", "src1_rep_stride"),
        ],
        false => BINARY,
    };
    let (repeat, elements) = match cx.count() {
        5 => {
            let count = take!(cx.number(4));
            let lanes = src.dtype.lanes();
            let repeat = numbers::divided(cx.builder(), count, lanes);
            (repeat, Some(numbers::times(cx.builder(), repeat, lanes)))
        }
        _ => (take!(cx.number(5)), None),
    };
    emission = emission
        .local("src1", src.view(cx.builder(), elements, sites[1]))
        .number("repeat", repeat, cx.span(cx.count().min(6) - 1));
    emission = match other {
        Some(other) => emission.local("src2", other.view(cx.builder(), elements, sites[2])),
        None => {
            let value = take!(cx.argument(2));
            emission.with("src2", value, sites[2])
        }
    };
    for (field, name) in strides {
        let value = match cx.count() {
            5 => {
                let plain = if name.ends_with("blk_stride") { 1 } else { 8 };
                cx.builder().int(plain)
            }
            _ => take!(cx.field(6, field)),
        };
        emission = emission.number(name, value, cx.span(cx.count() - 1));
    }
    cx.emit(emission)
}

/// `Select(dst, selMask, src0, src1 or value, mode, count)` and its form with repeats.
fn select(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, control, src) = (take!(cx.local(0)), take!(cx.local(1)), take!(cx.local(2)));
    let is_count = cx.count() == 6;
    let number = take!(cx.known(4));
    let mode = match number {
        1 => SelectMode::TensorScalar,
        _ => SelectMode::TensorTensor,
    };
    let control = control.reinterpreted(cx.builder(), DType::UInt8);
    let sites = [cx.span(0), cx.span(1), cx.span(2), cx.span(3)];
    let amount = take!(cx.number(if is_count { 5 } else { 6 }));
    let elements = is_count.then_some(amount);
    if number == 0 {
        // The bits of the first repeat are those of every one.
        let known = numbers::known(&cx.eval.builder, amount);
        let lanes = if is_count { dst.dtype.lanes() } else { 1 };
        if known.is_none_or(|it| it > lanes) {
            lost!("`Select` of several repeats with the bits of one is not followed");
        }
    }
    let lanes = match is_count {
        true => Lanes::Count(amount),
        false => {
            let lanes = take!(cx.lanes(5, dst.dtype, sets_mask(cx)));
            let full = cx.builder().int(dst.dtype.lanes());
            match lanes {
                Lanes::First(lanes) if lanes == full => {}
                _ => {
                    let mut core = cx.core()?;
                    core.register = Mask::All;
                    cx.set_core(core)?;
                    take!(cx.set_register());
                }
            }
            Lanes::Set
        }
    };
    let mut emission = cx
        .instruction(Opcode::MaskedSelect)
        .with("mode", Argument::Select(mode), cx.span(4))
        .local("dst", dst.view(cx.builder(), elements, sites[0]))
        .local("selmask", control.view(cx.builder(), None, sites[1]))
        .local("src1", src.view(cx.builder(), elements, sites[2]));
    emission = match cx.object(3)? {
        Some(_) => {
            let other = take!(cx.local(3));
            emission.local("src2", other.view(cx.builder(), elements, sites[3]))
        }
        None => {
            let value = take!(cx.argument(3));
            emission.with("src2", value, sites[3])
        }
    };
    if !is_count {
        emission = emission.number("repeat", amount, cx.span(6));
        for (field, name) in BINARY {
            let value = take!(cx.field(7, field));
            emission = emission.number(name, value, cx.span(7));
        }
    }
    let emission = cx.with_lanes(emission, lanes, 5);
    take!(cx.emit(emission));
    if is_count {
        cx.after_count()?;
    } else if number != 0 {
        let mut core = cx.core()?;
        core.mask = Mask::Unknown;
        cx.set_core(core)?;
    }
    Ok(Ok(()))
}

/// `Gather(dst, src, srcOffset, srcBaseAddr, count)` and its form with repeats.
fn gather(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src, offset) = (take!(cx.local(0)), take!(cx.local(1)), take!(cx.local(2)));
    let base = take!(cx.number(3));
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let is_count = cx.count() == 5;
    let elements = match is_count {
        true => Some(take!(cx.number(4))),
        false => None,
    };
    let mut emission = cx
        .instruction(Opcode::MaskedGather)
        .local("dst", dst.view(cx.builder(), elements, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .local("offset", offset.view(cx.builder(), elements, sites[2]))
        .number("start_idx", base, cx.span(3))
        .number_if("count", elements, cx.span(4));
    if !is_count {
        let lanes = take!(cx.lanes(4, dst.dtype, true));
        let full = cx.builder().int(dst.dtype.lanes());
        if !matches!(lanes, Lanes::First(lanes) if lanes == full) {
            let mut core = cx.core()?;
            core.register = Mask::All;
            cx.set_core(core)?;
            take!(cx.set_register());
        }
        let (repeat, rep) = (take!(cx.number(5)), take!(cx.number(6)));
        emission =
            emission
                .number("repeat", repeat, cx.span(5))
                .number("dst_rep_stride", rep, cx.span(6));
    }
    take!(cx.emit(emission));
    if is_count {
        cx.after_count()?;
    }
    Ok(Ok(()))
}

/// `Gatherb(dst, src, offset, repeatTime, {dstBlkStride, dstRepStride})`
fn gather_blocks(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src, offset) = (take!(cx.local(0)), take!(cx.local(1)), take!(cx.local(2)));
    let repeat = take!(cx.number(3));
    let block = take!(cx.field(4, "dstBlkStride"));
    let rep = take!(cx.field(4, "dstRepStride"));
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let emission = cx
        .instruction(Opcode::GatherBlock)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]))
        .local("offset", offset.view(cx.builder(), None, sites[2]))
        .number("repeat", repeat, cx.span(3))
        .number("dst_blk_stride", block, cx.span(4))
        .number("dst_rep_stride", rep, cx.span(4));
    cx.emit(emission)
}

/// `GatherMask(dst, src0, pattern, reduceMode, mask, {src0BlockStride, repeatTimes, …}, rsvdCnt)`
fn gather_mask(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    let reduces = take!(cx.known(3)) != 0;
    let mask = take!(cx.number(4));
    let repeat = take!(cx.field(5, "repeatTimes"));
    let strides = [
        take!(cx.field(5, "src0BlockStride")),
        take!(cx.field(5, "src0RepeatStride")),
        take!(cx.field(5, "src1RepeatStride")),
    ];
    let number = match cx.object(2)? {
        Some(_) => None,
        None => match take!(cx.known(2)) {
            number @ 1..=7 => Some(number),
            number => lost!("there is no pattern {number} of `GatherMask`"),
        },
    };
    let known = |cx: &Cx<'_, '_, '_>, id| numbers::known(&cx.eval.builder, id);
    let (repeats, lanes) = (known(cx, repeat), src.dtype.lanes());
    let sites = [cx.span(0), cx.span(1), cx.span(2)];
    let mut emission = cx
        .instruction(Opcode::GatherMask)
        .local("dst", dst.view(cx.builder(), None, sites[0]))
        .local("src", src.view(cx.builder(), None, sites[1]));
    emission = match number {
        Some(number) => {
            let number = Argument::Number(a2lint_ir::Number::Int(number.into()));
            emission.with("pattern_number", number, sites[2])
        }
        None => {
            let pattern = take!(cx.local(2));
            emission.local("pattern", pattern.view(cx.builder(), None, sites[2]))
        }
    };
    let elements = match (reduces, repeats) {
        (false, _) => {
            emission = emission.number("repeat", repeat, cx.span(5));
            numbers::times(cx.builder(), repeat, lanes)
        }
        (true, Some(1)) if known(cx, strides[0]) == Some(1) => {
            emission = emission.number("count", mask, cx.span(4));
            mask
        }
        (true, _) if known(cx, mask).is_some_and(|it| it <= lanes) => {
            emission = emission.number("repeat", repeat, cx.span(5)).number(
                "count_per_rep",
                mask,
                cx.span(4),
            );
            numbers::mul(cx.builder(), repeat, mask)
        }
        _ => lost!("`GatherMask` of several repeats of so many elements is not followed"),
    };
    let is_count = reduces && repeats == Some(1);
    if !is_count {
        emission = emission
            .number("src_blk_stride", strides[0], cx.span(5))
            .number("src_rep_stride", strides[1], cx.span(5))
            .number("pattern_rep_stride", strides[2], cx.span(5));
    }
    take!(cx.emit(emission));
    let high = cx.builder().int(0);
    let mut core = cx.core()?;
    core.counts = false;
    core.mask = Mask::Words(high, mask);
    if reduces {
        core.register = Mask::All;
    }
    cx.set_core(core)?;
    let selected = match (number, known(cx, elements)) {
        (Some(number), Some(elements)) => selected(number, elements),
        _ => None,
    };
    let selected = match selected {
        Some(selected) => cx.builder().int(selected),
        None => cx.builder().unknown(),
    };
    let of = IntType::UnsignedLong;
    let value = match numbers::known(&cx.eval.builder, selected) {
        Some(known) => Value::int(of, known.into()),
        None => Value::Int(of, IntValue::Scalar(selected)),
    };
    if let Some(cell) = cx.operand(6).and_then(a2lint_cpp::eval::Operand::object) {
        cx.eval.write(cell, value)?;
    }
    Ok(Ok(()))
}

/// Returns how many of `elements` elements a fixed pattern selects.
fn selected(pattern: i64, elements: i64) -> Option<i64> {
    let one_of = |every: i64, at: i64| (elements - at + every - 1).div_euclid(every);
    Some(match pattern {
        1 => one_of(2, 0),
        2 => one_of(2, 1),
        3..=6 => one_of(4, pattern - 3),
        7 => elements,
        _ => return None,
    })
}

/// `Sort32(dst, src, index, repeatTime)`
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

/// The reason why a call of the API is not followed.
pub fn unknown(name: &str) -> Lost {
    Lost(format!("`{name}` is not modelled"))
}
