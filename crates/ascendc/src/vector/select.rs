//! Instructions that pick elements: comparisons, `Select` and `Gather`.

use a2lint_cpp::library::Evaluated;
use a2lint_ir::LaneFault;
use a2lint_ir::build::Argument;
use a2lint_isa::{DType, Opcode, SelectMode};

use crate::cx::{Cx, Lowered, lost, take};
use crate::numbers;
use crate::objects::Mask;

use super::BINARY;
use super::lanes::{Lanes, sets_mask};

/// Lowers `Compare(dst, src0, src1, mode, count)`, `CompareScalar(dst, src0, value, mode, count)` and their forms with
/// repeats. The mask has no effect, and a count is rounded down to whole repeats.
pub(super) fn compare(cx: &mut Cx<'_, '_, '_>, opcode: Opcode) -> Lowered {
    let (dst, src) = (take!(cx.local(0)), take!(cx.local(1)));
    // The result consists of bits, whatever integer type the tensor has.
    let dst = match dst.dtype.is_float() {
        true => dst,
        false => dst.reinterpreted(cx.builder(), DType::UInt8),
    };
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
            emission = emission.asked(Some(count));
            let lanes = src.dtype.lanes();
            // `Compare` with a count works on whole repeats: remaining elements are not compared.
            let repeat = numbers::divided(cx.builder(), count, lanes);
            (repeat, Some(numbers::times(cx.builder(), repeat, lanes)))
        }
        _ => {
            ignored_mask(cx, src.dtype)?;
            (take!(cx.number(5)), None)
        }
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

/// Reports a comparison whose mask (argument 4) excludes lanes: comparisons ignore the mask.
fn ignored_mask(cx: &mut Cx<'_, '_, '_>, dtype: DType) -> Evaluated<()> {
    // A call without a mask of its own names `MASK_PLACEHOLDER`.
    if cx.is_array(4) || !sets_mask(cx) {
        return Ok(());
    }
    let lanes = dtype.lanes();
    if let Ok(mask) = cx.number(4)?
        && let Some(asked) = numbers::known(cx.builder(), mask)
        && asked < lanes
        && !cx.core()?.counts
    {
        cx.note_lanes(LaneFault::Ignored { asked, lanes });
    }
    Ok(())
}

/// Lowers `Select(dst, selMask, src0, src1 or value, mode, count)` and its form with repeats.
pub(super) fn select(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, control, src) = (take!(cx.local(0)), take!(cx.local(1)), take!(cx.local(2)));
    let is_count = cx.count() == 6;
    let number = take!(cx.known(4));
    let mode = match number {
        1 => SelectMode::TensorScalar,
        _ => SelectMode::TensorTensor,
    };
    // The mask may be declared with any type: only its bits matter.
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
                // This instruction has no parameter for a count of lanes, so a partial mask is set in the register.
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
        // The API implements modes 1 and 2 as a loop of instructions, which leaves its own mask set.
        core.mask = Mask::Unknown;
        cx.set_core(core)?;
    }
    Ok(Ok(()))
}

/// Lowers `Gather(dst, src, srcOffset, srcBaseAddr, count)` and its form with repeats.
pub(super) fn gather(cx: &mut Cx<'_, '_, '_>) -> Lowered {
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

/// Lowers `Gatherb(dst, src, offset, repeatTime, {dstBlkStride, dstRepStride})`.
pub(super) fn gather_blocks(cx: &mut Cx<'_, '_, '_>) -> Lowered {
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
