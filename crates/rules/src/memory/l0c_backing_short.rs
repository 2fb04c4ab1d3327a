use crate::declare_rule;
use crate::wording::{allocated_at, allocation, call};
use crate::{Facts, Sink};
use a2lint_ir::{Instr, LocalView, Stmt};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{Class, DST, Layout, SRC};

declare_rule! {
    /// ## What it does
    /// Reports an L0C tensor with less room than the product that is written to it, or the tile that
    /// is drained from it.
    ///
    /// The accumulator holds fractals of 16 by 16: a product takes `Align16(m) * Align16(n)`
    /// elements, however few of them are wanted.
    ///
    /// ## Why is this bad?
    /// The padding rows and columns are written too. They lie past the tensor, in its neighbour, and
    /// the DSL refuses the instruction because its footprint exceeds the storage of the tensor.
    ///
    /// ## Example
    /// ```python
    /// acc = Tensor(DT.float, [5, 64], Position.L0C)
    /// matmul(acc, l1_a, l1_b, m=5, n=64, k=64)        # writes 16 rows
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// acc = Tensor(DT.float, [16, 64], Position.L0C)
    /// matmul(acc, l1_a, l1_b, m=5, n=64, k=64)
    /// out[0:5, 0:64] <<= acc[0:5, 0:64]
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on tiling: elements of an L0C tile.
    "CAP009" "l0c-backing-short" Error, basis = Constants, property = Operands
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut reported = Vec::new();
    for (stmt, instr) in facts.instructions() {
        let Some((tile, [rows, columns])) = tile(facts, instr) else {
            continue;
        };
        let found = !reported.contains(&tile.buffer)
            && short(facts, stmt, instr, tile, [rows, columns], sink).is_some();
        if found {
            reported.push(tile.buffer);
        }
    }
}

/// Returns the L0C operand and the rows and columns that the instruction accesses.
fn tile<'p>(facts: &Facts, instr: &'p Instr) -> Option<(&'p LocalView, [i64; 2])> {
    let number = |name: &str| facts.program.size(instr.scalar_named(name)?);
    let row = instr.row();
    match row.class {
        Class::Matmul if row.stages_operands() => {
            Some((instr.local(DST)?, [number("m")?, number("n")?]))
        }
        Class::Matmul if row.is_product() => {
            Some((instr.local(DST)?, [number("M")?, number("N")?]))
        }
        Class::Fixpipe => Some((instr.local(SRC)?, [number("M_src")?, number("N")?])),
        _ => None,
    }
}

fn short(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    tile: &LocalView,
    [rows, columns]: [i64; 2],
    sink: &mut Sink,
) -> Option<()> {
    let program = facts.program;
    let buffer = program.buffer(tile.buffer);
    // Where elements are addressed, a tensor has no rows and columns of its own.
    if buffer.layout == Layout::Linear {
        return None;
    }
    let [have_rows, have_columns] = program.constant_pair(buffer.shape)?;
    let [first_row, first_column] = program.constant_pair(tile.offset)?;
    if first_row != 0 || first_column < 0 || [rows, columns, have_rows, have_columns].contains(&0) {
        return None;
    }
    let (padded_rows, padded_columns) = (up(rows), up(first_column + columns));
    let (needed, have) = (padded_rows * padded_columns, have_rows * have_columns);
    if needed <= have || have < 0 {
        return None;
    }
    let message = format!(
        "{} has {have} elements; {} takes whole fractals, [{padded_rows},{padded_columns}] or {needed} elements",
        allocation(facts, buffer),
        call(facts, instr)
    );
    let room = [
        padded_rows.max(up(have_rows)),
        padded_columns.max(up(have_columns)),
    ];
    sink.report_from(stmt.origin, stmt.span, message)
        .label(allocated_at(facts, tile), "allocated here")
        .help(format!(
            "allocate [{}, {}]; rows and columns of L0C come in sixteens",
            room[0], room[1]
        ));
    Some(())
}

fn up(value: i64) -> i64 {
    (value + FRACTAL - 1) / FRACTAL * FRACTAL
}
