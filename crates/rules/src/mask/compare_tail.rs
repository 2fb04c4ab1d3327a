use crate::declare_rule;
use crate::mask::select_mask_short;
use crate::wording::{call, counted, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{RangeSet, Touch, UndefinedRead, result_escapes, view_start};
use a2lint_ir::LocalView;
use a2lint_isa::{Class, DST, param};

declare_rule! {
    /// ## What it does
    /// Reports a `select` that consumes bits of its mask that no comparison has produced, where the
    /// lanes they decide reach an output, a reduction or a sort. Where an earlier comparison has
    /// left the bits that the last one does not produce, it is a warning: they decide about other data.
    ///
    /// ## Why is this bad?
    /// A comparison gives one bit for each element that it compares, in whole repeats. If it compares fewer
    /// elements than the `select` chooses, or is called with too few repeats, the remaining bits are old
    /// contents of UB: the choice is random.
    ///
    /// ## Example
    /// ```python
    /// compare_scalar(keep, x[0:32, 0:64], 0.0, CompareMode.GT)     # 2048 bits
    /// select(y, keep, x, fill)                                     # y, x are [64,64]: 4096
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// compare_scalar(keep, x, 0.0, CompareMode.GT)
    /// select(y, keep, x, fill)
    /// ```
    ///
    /// ## Source
    /// Vector mask constraints, section 4: packed bits; public DSL documentation: bits per repeat.
    "MSK010" "compare-tail" Error, basis = AnyLaunch, property = Initialised
}

fn check(facts: &Facts, sink: &mut Sink) {
    for read in &facts.analysis.undefined_reads {
        let touch = &facts.analysis.touches[read.touch];
        let is_mask =
            read.instr.row().class == Class::Select && touch.operand == param!(Select.selmask);
        if is_mask
            && !read.entirely
            && select_mask_short::shortage(facts, read.instr).is_none()
            && let Some(comparison) = comparison(facts, touch)
            && reaches_a_result(facts, touch, &read.bytes)
        {
            report(facts, sink, touch, read, comparison);
        }
    }
    for (mask, of) in facts
        .analysis
        .touches
        .iter()
        .filter_map(|touch| Some((touch, left_over(facts, touch)?)))
    {
        report_left_over(facts, sink, mask, &of);
    }
}

/// Bits of the mask of a select that its last comparison does not write and an earlier one has left.
struct LeftOver<'a> {
    last: &'a Touch<'a>,
    earlier: &'a Touch<'a>,
    bytes: RangeSet,
}

/// Returns the bits that are left over if two comparisons write the mask of a select and the second, which
/// replaces the first, has fewer repeats.
fn left_over<'a>(facts: &Facts<'a>, mask: &Touch) -> Option<LeftOver<'a>> {
    let is_mask = mask.instr.row().class == Class::Select && mask.operand == param!(Select.selmask);
    if !is_mask {
        return None;
    }
    let touches = &facts.analysis.touches;
    let writers = facts
        .analysis
        .values(facts.program)
        .writers(mask.stmt.id, mask.operand)?;
    let [earlier, last] = writers.as_slice() else {
        return None;
    };
    let (earlier, last) = (&touches[*earlier], &touches[*last]);
    let compares = |touch: &Touch| touch.instr.row().class == Class::Compare;
    let same_place = |touch: &Touch| {
        let place = |view: &LocalView| (view.buffer, view.slot, view.offset, view.span);
        place(touch.view) == place(mask.view)
    };
    let meant = [earlier, last]
        .into_iter()
        .all(|touch| compares(touch) && same_place(touch));
    let bytes = mask.bytes()?.minus(last.bytes()?);
    let is_left = bytes.intersects(earlier.bytes()?) && last.stmt.id < mask.stmt.id;
    (meant && is_left && reaches_a_result(facts, mask, &bytes)).then_some(LeftOver {
        last,
        earlier,
        bytes,
    })
}

fn report_left_over(facts: &Facts, sink: &mut Sink, mask: &Touch, of: &LeftOver) {
    let message = format!(
        "{} consumes {} bits of {}, and {} of them are left from an earlier comparison",
        call(facts, mask.instr),
        mask.footprint.must().len() * 8,
        tensor(facts, mask.view),
        of.bytes.len() * 8
    );
    let produced = of.last.bytes().map_or(0, |bytes| bytes.len() * 8);
    sink.report_from(mask.stmt.origin, mask.stmt.span, message)
        .possible()
        .help("compare as many elements as are selected")
        .label(
            of.last.stmt.span,
            format!(
                "{} produces {}",
                call(facts, of.last.instr),
                counted(produced, "bit")
            ),
        )
        .label(of.earlier.stmt.span, "the others come from here");
}

/// Returns the last comparison into the mask before the select; `None` if anything else writes the mask.
fn comparison<'a>(facts: &Facts<'a>, mask: &Touch) -> Option<&'a Touch<'a>> {
    let buffer = mask.view.buffer;
    let compares = |touch: &Touch| touch.instr.row().class == Class::Compare;
    let all = facts.analysis.writers(buffer).all(compares);
    let known = all && !facts.analysis.obscured.contains(&buffer);
    let writers = facts.analysis.writers(buffer).filter(|_| known);
    writers
        .filter(|writer| writer.stmt.id < mask.stmt.id)
        .last()
}

/// Returns whether the lanes that undefined bits select reach an output or another result.
fn reaches_a_result(facts: &Facts, mask: &Touch, bits: &RangeSet) -> bool {
    let touches = &facts.analysis.touches;
    let result = touches
        .iter()
        .find(|touch| touch.stmt.id == mask.stmt.id && touch.operand == DST);
    let lanes = result.and_then(|result| {
        let (start, end) = result.bytes()?.hull()?;
        let one_run = result.bytes()?.len() == end - start;
        let first = view_start(facts.program, mask.view)?;
        let size = result.view.dtype.bytes_of(1);
        let mut lanes = RangeSet::default();
        for (from, to) in bits.iter().filter(|_| one_run) {
            let at = |bit: i64| (start + (bit - first) * 8 * size).min(end);
            lanes.insert(at(from), at(to));
        }
        Some((result, lanes))
    });
    lanes.is_some_and(|(result, lanes)| {
        result_escapes(facts.program, facts.analysis, result, &lanes)
    })
}

fn report(facts: &Facts, sink: &mut Sink, mask: &Touch, read: &UndefinedRead, comparison: &Touch) {
    let consumed = mask.footprint.must().len() * 8;
    let message = format!(
        "{} consumes {consumed} bits of {}, and {} of them come from no comparison",
        call(facts, mask.instr),
        tensor(facts, mask.view),
        read.bytes.len() * 8
    );
    let produced = comparison.bytes().map_or_else(String::new, |bytes| {
        format!(" {}", counted(bytes.len() * 8, "bit"))
    });
    sink.report_from(mask.stmt.origin, mask.stmt.span, message)
        .help("compare as many elements as are selected")
        .label(
            comparison.stmt.span,
            format!("{} produces{produced} here", call(facts, comparison.instr)),
        );
}
