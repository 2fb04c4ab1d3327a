use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::wording::{allocated_at, allocation, call, elements, elements_in, lanes, tensor};
use crate::{Facts, Sink};
use a2lint_analysis::{RangeSet, Touch, escapes, slot_key, view_bytes, view_start};
use a2lint_ir::LocalView;
use a2lint_isa::{Opcode, Position};

declare_rule! {
    /// ## What it does
    /// Reports `SetValueTo` on a view of several elements, where other elements of that view are
    /// read later without having been written and take part in a result.
    ///
    /// ## Why is this bad?
    /// The store writes the first element of the view, and that one alone. The others keep what
    /// UB held when the kernel started.
    ///
    /// ## Example
    /// ```python
    /// scale.SetValueTo(row)            # row is [1, 64]: 63 elements stay undefined
    /// mul(y, x, row)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(row, scale)
    /// mul(y, x, row)
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 5.1: `SetValueTo` writes the first element of the view.
    "INI007" "setvalue-fill" Warning, basis = AnyLaunch
}

/// A scalar store, and a later read of elements that it leaves out.
struct Fill<'a> {
    store: &'a Touch<'a>,
    reader: usize,
    missing: RangeSet,
}

fn check(facts: &Facts, sink: &mut Sink) {
    for fill in fills(facts) {
        report(facts, sink, &fill);
    }
}

/// Returns the indices of the reads that this rule reports.
pub(crate) fn explained_reads(facts: &Facts) -> FxHashSet<usize> {
    fills(facts).iter().map(|fill| fill.reader).collect()
}

fn fills<'a>(facts: &Facts<'a>) -> Vec<Fill<'a>> {
    let stores = facts.analysis.touches.iter().filter(|touch| {
        touch.instr.row().writes_scalar()
            && facts.program.buffer(touch.view.buffer).position == Position::Ub
    });
    stores.flat_map(|store| fills_of(facts, store)).collect()
}

fn fills_of<'a>(facts: &Facts<'a>, store: &'a Touch<'a>) -> Vec<Fill<'a>> {
    let Some(left_out) = left_out(facts, store.view) else {
        return Vec::new();
    };
    let slot = slot_key(facts.program, store.view);
    let reads = facts.analysis.undefined_reads.iter().filter(|read| {
        let touch = &facts.analysis.touches[read.touch];
        touch.stmt.id > store.stmt.id
            && touch.view.buffer == store.view.buffer
            && slot_key(facts.program, touch.view) == slot
            && read.bytes.intersects(&left_out)
    });
    reads
        .map(|read| Fill {
            store,
            reader: read.touch,
            missing: read.bytes.intersection(&left_out),
        })
        .filter(|fill| escapes(facts.program, facts.analysis, fill.reader, &fill.missing))
        .collect()
}

/// Returns the bytes of a view after its first element; `None` if one element was intended (`t[i]` keeps the
/// extent of the tensor).
fn left_out(facts: &Facts, view: &LocalView) -> Option<RangeSet> {
    let picks = view.sliced && view.span == facts.program.buffer(view.buffer).shape;
    if picks || elements(facts, view)? < 2 {
        return None;
    }
    let start = view_start(facts.program, view)?;
    let first = RangeSet::span(start, start + view.dtype.bytes_of(1));
    Some(view_bytes(facts.program, view)?.minus(&first))
}

fn report(facts: &Facts, sink: &mut Sink, fill: &Fill) {
    let view = fill.store.view;
    let reader = &facts.analysis.touches[fill.reader];
    let message = format!(
        "{} writes 1 of {} elements of {}, and the others are read undefined",
        call(facts, fill.store.instr),
        elements(facts, view).unwrap_or(0),
        tensor(facts, view)
    );
    let value = facts.source.slice(fill.store.stmt.span);
    let value = value.split_once('.').map_or("value", |(value, _)| value);
    let lost = elements_in(fill.missing.len(), reader.view.dtype);
    sink.report_from(fill.store.stmt.origin, fill.store.stmt.span, message)
        .help(format!(
            "fill the tensor: `{}({}, {value})`",
            facts.program.name_of(Opcode::Dup),
            facts.source.slice(view.site)
        ))
        .label(
            reader.stmt.span,
            format!(
                "{} reads {lost} of them: elements {}",
                call(facts, reader.instr),
                lanes(&fill.missing, reader.view.dtype)
            ),
        )
        .label(
            allocated_at(facts, view),
            format!(
                "{} is undefined at the start",
                allocation(facts, facts.program.buffer(view.buffer))
            ),
        );
}
