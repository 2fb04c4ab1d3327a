use crate::declare_rule;
use crate::observations::{Cause, narrow_fill, undefined_scenes, use_of, witnessed};
use crate::source_forms::append_argument;
use crate::wording::{allocated_at, allocation, call, elements, elements_in, lanes, tensor};
use crate::{Facts, Report, Sink};
use a2lint_analysis::{Gap, RangeSet, Touch, resolved, view_bytes};
use a2lint_ir::{ArgSource, OriginId};
use a2lint_isa::{BLOCKS_PER_REPEAT, DST, Opcode, ParamKind, param};

declare_rule! {
    /// ## What it does
    /// Reports a `dup` that leaves lanes of its tensor unwritten while a later instruction reads
    /// them, or while nothing is known to read the tensor at all. Where it depends on sizes how much
    /// is read, a replay has to see it.
    ///
    /// A `dup` does not fill a shape. It writes `repeat` times eight blocks, and the block stride
    /// that is inferred for a tensor one block wide is 0: each repeat writes the same 32-byte block
    /// eight times.
    ///
    /// ## Why is this bad?
    /// UB holds arbitrary bits when a kernel starts. Lanes that the fill does not reach keep them,
    /// and they differ from run to run.
    ///
    /// ## Example
    /// ```python
    /// shift = Tensor(DT.float, [64, 8], Position.UB)
    /// dup(shift, 0.5)              # 8 repeats, block stride 0: 64 of 512 elements
    /// sub(y, x, shift)             # y, x are [64, 64]: reads all 512
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(shift, 0.5, count=512)
    /// ```
    /// or keep the scalars as `[64, 1]` and expand them with `brcb`.
    ///
    /// ## Fix safety
    /// Adding `count=` makes the fill contiguous. Lanes that were left alone are overwritten, and
    /// the vector mask no longer takes part, so the result should be read before it is accepted.
    ///
    /// ## Source
    /// A2 device constraints, section 6: coverage of `dup` by shape.
    "COV001" "dup-coverage" Error, basis = AnyLaunch, property = Initialised, fix = Unsafe
}

/// Upper bound on the readers that a finding labels.
const LABELLED_READERS: usize = 3;
/// Width of a coverage map in characters.
const MAP_WIDTH: i64 = 64;

fn check(facts: &Facts, sink: &mut Sink) {
    for gap in &facts.analysis.gaps {
        let unread = facts.analysis.readers(gap.view.buffer).next().is_none();
        let silent = gap.readers.is_empty() && !(unread && gap.readers_known);
        if !silent {
            report(facts, sink, gap);
        }
    }
    // How much is read may depend on sizes; the replay shows whether it is more than was filled.
    for (scene, _) in undefined_scenes(facts, Cause::NarrowFill) {
        if let Some(gap) = narrow_fill(facts, scene.observation) {
            let report = sink.report_seen(gap.stmt.origin, gap.stmt.span, message(facts, gap));
            let report = witnessed(report, facts, scene.observation)
                .help(help(facts, gap))
                .label(scene.stmt.span, use_of(facts, &scene));
            finish(facts, report, gap);
        }
    }
}

fn report(facts: &Facts, sink: &mut Sink, gap: &Gap) {
    let mut report = sink
        .report_from(gap.stmt.origin, gap.stmt.span, message(facts, gap))
        .help(help(facts, gap));
    for &reader in gap.readers.iter().take(LABELLED_READERS) {
        let touch = &facts.analysis.touches[reader];
        report = report.label(touch.stmt.span, reader_text(facts, gap, touch));
    }
    if gap.readers.is_empty() {
        report = report.possible();
    }
    finish(facts, report, gap);
}

/// Formats how many elements are written, and why not all.
fn message(facts: &Facts, gap: &Gap) -> String {
    let dtype = gap.view.dtype;
    let missing = elements_in(gap.missing.len(), dtype);
    let total = elements(facts, gap.view).unwrap_or(missing);
    format!(
        "{} writes {} of {total} elements of {} ({}){}",
        call(facts, gap.instr),
        elements_in(gap.written.len(), dtype),
        tensor(facts, gap.view),
        extent(facts, gap),
        reason(facts, gap)
    )
}

/// Labels the allocation and offers to fill all of the tensor.
fn finish(facts: &Facts, report: Report, gap: &Gap) {
    let buffer = facts.program.buffer(gap.view.buffer);
    let undefined = format!("{} is undefined at the start", allocation(facts, buffer));
    let report = report.label(allocated_at(facts, gap.view), undefined);
    offer_count(facts, report, gap);
}

/// Formats what determines the coverage: `repeat 8, block stride 0`.
fn extent(facts: &Facts, gap: &Gap) -> String {
    let number = |kind| resolved(facts.program, gap.instr, kind);
    if let Some(count) = number(ParamKind::Count) {
        return format!("count {count}");
    }
    let Some(repeat) = number(ParamKind::Repeat) else {
        return "repeats of a type too narrow for their number".to_owned();
    };
    let block = number(ParamKind::BlockStride(0)).unwrap_or(1);
    let stride = number(ParamKind::RepeatStride(0)).unwrap_or(BLOCKS_PER_REPEAT);
    let mut text = format!("repeat {repeat}, block stride {block}");
    if block != 0 && stride != BLOCKS_PER_REPEAT {
        text += &format!(", repeat stride {stride}");
    }
    if let Some(lanes) = number(ParamKind::CountPerRepeat) {
        text += &format!(", {lanes} lanes per repeat");
    }
    text
}

/// Explains a block stride of 0.
fn reason(facts: &Facts, gap: &Gap) -> &'static str {
    match resolved(facts.program, gap.instr, ParamKind::BlockStride(0)) {
        Some(0) => ": each repeat writes the same 32-byte block eight times",
        _ => "",
    }
}

fn reader_text(facts: &Facts, gap: &Gap, touch: &Touch) -> String {
    let bytes = match touch.bytes() {
        Some(bytes) => bytes,
        None => &gap.missing,
    };
    let lost = bytes.intersection(&gap.missing);
    format!(
        "{} reads elements {}; {} of them were never written",
        call(facts, touch.instr),
        lanes(bytes, touch.view.dtype),
        elements_in(lost.len(), touch.view.dtype)
    )
}

fn help(facts: &Facts, gap: &Gap) -> String {
    let name = facts.program.name_of(Opcode::Dup);
    let fill = |count: i64| {
        let [view, value] = [DST, param!(Dup.value)].map(|at| argument(facts, gap, at));
        format!("`{name}({view}, {value}, count={count})`")
    };
    let rewrite = match contiguous_count(facts, gap) {
        Some(count) => format!("fill all of it with {}", fill(count)),
        None => "fill it slice by slice".to_owned(),
    };
    let natural = match facts.program.constant_pair(gap.view.span) {
        Some([rows, columns]) if columns == gap.view.dtype.c0() => format!(
            ", or keep one scalar per row in a [{rows},1] tensor and expand it with {}()",
            facts.program.name_of(Opcode::Brcb)
        ),
        _ => String::new(),
    };
    format!("{rewrite}{natural}\n{}", coverage_map(facts, gap))
}

fn argument<'a>(facts: &Facts<'a>, gap: &Gap, at: usize) -> &'a str {
    match gap.instr.args[at].source {
        ArgSource::Given(span) => facts.source.slice(span),
        _ => "value",
    }
}

/// Formats one line that shows which parts of the view are written: `#` all, `+` some, `.` none.
fn coverage_map(facts: &Facts, gap: &Gap) -> String {
    let Some((start, end)) = view_bytes(facts.program, gap.view).and_then(|view| view.hull())
    else {
        return String::new();
    };
    let size = gap.view.dtype.bytes_of(1);
    let cell = ((end - start) / size + MAP_WIDTH - 1) / MAP_WIDTH * size;
    let mut map = String::new();
    let mut at = start;
    while at < end {
        let cell = RangeSet::span(at, (at + cell).min(end));
        map.push(match cell.intersection(&gap.written).len() {
            0 => '.',
            written if written == cell.len() => '#',
            _ => '+',
        });
        at += cell.len();
    }
    format!("coverage, {} elements each: {map}", cell / size)
}

/// Returns the number of elements of the view, if it is one contiguous range.
fn contiguous_count(facts: &Facts, gap: &Gap) -> Option<i64> {
    let one_run = view_bytes(facts.program, gap.view)?.iter().count() == 1;
    one_run.then(|| elements(facts, gap.view))?
}

fn offer_count(facts: &Facts, report: Report, gap: &Gap) {
    let plain = gap.instr.explicit && gap.stmt.origin == OriginId(0) && !gap.instr.is_counted();
    let Some(count) = contiguous_count(facts, gap).filter(|_| plain) else {
        return;
    };
    if let Some(edit) = append_argument(facts, gap.stmt, &format!("count={count}")) {
        report.fix(format!("fill all {count} elements"), false, vec![edit]);
    }
}
