use crate::declare_rule;
use crate::moves::bias_layout::bias;
use crate::wording::{allocated_at, allocation, call};
use crate::{Facts, Sink};
use a2lint_ir::{BufferId, Instr, LocalView, Stmt, View};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{DST, Layout, SRC};

declare_rule! {
    /// ## What it does
    /// Reports an L1 tensor with less room than the matrix that is laid out in it.
    ///
    /// The NZ layout takes `Align16(M_dst)` rows for every strip of columns that is begun, a strip
    /// being 32 bytes wide.
    ///
    /// ## Why is this bad?
    /// The last fractals lie past the tensor, in its neighbour, and the DSL refuses the move because
    /// its footprint exceeds the storage of the tensor.
    ///
    /// ## Example
    /// ```python
    /// l1_a = Tensor(DT.half, [31, 64], Position.L1)
    /// l1_a <<= a[0:31, 0:64]                          # lays out 32 rows
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// l1_a = Tensor(DT.half, [32, 64], Position.L1)
    /// l1_a <<= a[0:31, 0:64]
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on tiling: elements of an NZ matrix in L1.
    "CAP008" "l1-backing-short" Error, basis = Constants, property = Operands
}

fn check(facts: &Facts, sink: &mut Sink) {
    // A bias row in NZ has the wrong layout, which `bias-layout` reports.
    let biases = facts.instructions().filter_map(|(_, instr)| bias(instr));
    let mut reported: Vec<BufferId> = biases.map(|view| view.buffer).collect();
    for (stmt, instr) in facts.instructions() {
        // Only loads with a number of rows lay out a matrix.
        if instr.named("M_dst").is_none() {
            continue;
        }
        let Some(dst) = instr.local(DST) else {
            continue;
        };
        // A transposed load does not exist; `transposed-move` reports it.
        let is_transposed = instr.view(SRC).is_some_and(|view| match view {
            View::Global(view) => view.transposed,
            View::Local(view) => view.transposed,
        });
        if is_transposed {
            continue;
        }
        if !reported.contains(&dst.buffer) && matrix(facts, stmt, instr, dst, sink).is_some() {
            reported.push(dst.buffer);
        }
    }
}

fn matrix(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    dst: &LocalView,
    sink: &mut Sink,
) -> Option<()> {
    let program = facts.program;
    let buffer = program.buffer(dst.buffer);
    let whole = buffer.layout == Layout::Nz && buffer.dtype == dst.dtype;
    if !whole || program.constant_pair(dst.offset)? != [0, 0] {
        return None;
    }
    let number = |name: &str| program.size(instr.scalar_named(name)?);
    let (rows, columns) = (number("M_dst")?, number("N")?);
    let [have_rows, have_columns] = program.constant_pair(buffer.shape)?;
    if rows <= 0 || columns <= 0 || have_rows <= 0 || have_columns <= 0 {
        return None;
    }
    let (padded_rows, padded_columns) = (up(rows, FRACTAL), up(columns, dst.dtype.c0()));
    let (needed, have) = (padded_rows * padded_columns, have_rows * have_columns);
    if needed <= have {
        return None;
    }
    let message = format!(
        "{} has {have} elements; {} lays out {padded_rows} rows of {padded_columns} in NZ, {needed} elements",
        allocation(facts, buffer),
        call(facts, instr)
    );
    let (room_rows, room_columns) = (padded_rows.max(have_rows), padded_columns.max(have_columns));
    sink.report_from(stmt.origin, stmt.span, message)
        .label(allocated_at(facts, dst), "allocated here")
        .help(format!(
            "allocate [{}, {room_columns}]: rows come in sixteens, columns in strips of {}",
            up(room_rows, FRACTAL),
            dst.dtype.c0()
        ));
    Some(())
}

fn up(value: i64, granule: i64) -> i64 {
    (value + granule - 1) / granule * granule
}
