//! `GatherMask`, which compacts the elements that a pattern selects.

use a2lint_cpp::eval::{IntType, IntValue, Value};
use a2lint_ir::build::Argument;
use a2lint_ir::{GatherFault, NoteKind};
use a2lint_isa::{BLOCK_BYTES, Opcode, REPEAT_BYTES};
use a2lint_source::text::Span;

use crate::cx::{Cx, Lowered, lost, take};
use crate::numbers;
use crate::objects::Mask;

/// Lowers `GatherMask(dst, src0, pattern, reduceMode, mask, {src0BlockStride, repeatTimes, …}, rsvdCnt)`.
pub(super) fn gather_mask(cx: &mut Cx<'_, '_, '_>) -> Lowered {
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
            number => {
                let span = cx.span(2);
                noted(cx, span, GatherFault::Pattern(number));
                lost!("there is no pattern {number} of `GatherMask`")
            }
        },
    };
    let known = |cx: &Cx<'_, '_, '_>, id| numbers::known(&cx.eval.builder, id);
    let (repeats, lanes) = (known(cx, repeat), src.dtype.lanes());
    let mode = Mode {
        number,
        reduces,
        mask: known(cx, mask),
        repeats,
        strides: strides.map(|stride| known(cx, stride)),
        lanes,
    };
    for (at, fault) in mode.faults(cx.text(4)) {
        let span = cx.span(at);
        noted(cx, span, fault);
    }
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

fn noted(cx: &mut Cx<'_, '_, '_>, span: Span, fault: GatherFault) {
    cx.builder().note(span, NoteKind::GatherMask(fault));
}

/// The arguments of a call; `None` for values that are not constant.
struct Mode {
    /// The number of a fixed pattern.
    number: Option<i64>,
    /// Whether `mask` is the number of elements (`reduceMode`).
    reduces: bool,
    mask: Option<i64>,
    repeats: Option<i64>,
    /// The strides of blocks, of repeats, and of the pattern.
    strides: [Option<i64>; 3],
    /// Number of elements per repeat in normal mode.
    lanes: i64,
}

impl Mode {
    /// Returns the faults of the arguments with the argument indices; `mask` is the source text of that argument.
    fn faults(&self, mask: &str) -> Vec<(usize, GatherFault)> {
        let mut faults = Vec::new();
        match (self.reduces, self.mask) {
            _ if matches!(mask, "true" | "false") => faults.push((4, GatherFault::Swapped)),
            (true, Some(0)) => faults.push((4, GatherFault::NoElements)),
            (false, Some(mask)) if mask != 0 => {
                let lanes = self.lanes;
                faults.push((4, GatherFault::IgnoredMask { mask, lanes }));
            }
            _ => {}
        }
        faults.extend(self.stride_fault().map(|fault| (5, fault)));
        faults
    }

    fn stride_fault(&self) -> Option<GatherFault> {
        // Callers that do not need the pattern stride leave it at its default.
        const DEFAULT: i64 = 8;
        let [block, repeat, pattern] = self.strides;
        let repeats = self.repeats.filter(|&repeats| repeats > 1)?;
        if let (Some(_), Some(stride)) = (self.number, pattern)
            && stride != 0
            && stride != DEFAULT
        {
            return Some(GatherFault::IgnoredStride(stride));
        }
        if self.reduces {
            return None;
        }
        if self.number.is_none() {
            let (taken, stride) = (self.lanes / 8, pattern? * BLOCK_BYTES);
            let starts_next = taken.max(BLOCK_BYTES);
            return (stride > starts_next).then_some(GatherFault::PatternGap { taken, stride });
        }
        let element = REPEAT_BYTES / self.lanes;
        let stride = repeat? * BLOCK_BYTES / element;
        let overlaps = block == Some(1) && stride < self.lanes;
        overlaps.then_some(GatherFault::ReadTwice {
            repeats,
            stride,
            lanes: self.lanes,
        })
    }
}
