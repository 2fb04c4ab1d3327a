use crate::declare_rule;
use crate::memory::capacity::{Overflow, overflows, report_launched};
use crate::source_forms::extents;
use crate::{Facts, Sink};
use a2lint_ir::Buffer;
use a2lint_isa::Position;
use a2lint_isa::device::FRACTAL;

declare_rule! {
    /// ## What it does
    /// Adds up the L0C tensors of a kernel and reports a tensor, or a sum, above 128 KB.
    ///
    /// Rows and columns count in multiples of 16 and elements take 4 bytes; the slots of a ring
    /// count one by one.
    ///
    /// ## Why is this bad?
    /// The accumulator memory of an A2 cube core holds 128 KB; tiles that fit the 256 KB of an A5
    /// core overflow it, and what lies past the end is lost.
    ///
    /// ## Example
    /// ```python
    /// acc = DBuff(DT.float, [128, 256], Position.L0C)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// acc = DBuff(DT.float, [128, 128], Position.L0C)
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 1: `TILE_M * TILE_N * 4 * 2 <= 128 KB`. Measured on a 910B3: kernels that a
    /// simulation with 192 KB of L0C passes do not run.
    "CAP001" "l0c-overflow" Error, basis = Constants, evidence = Measured
}

fn check(facts: &Facts, sink: &mut Sink) {
    for overflow in overflows(facts, Position::L0C) {
        let report = sink.report(overflow.span(), overflow.message(facts));
        overflow.label(report).help(help(facts, &overflow));
    }
    report_launched(facts, Position::L0C, sink);
}

fn help(facts: &Facts, overflow: &Overflow) -> String {
    let buffer = overflow.culprit.buffer;
    let tile = advice(facts, buffer, overflow.room());
    match overflow.others.is_empty() {
        true => format!("keep {}; {tile}", limit(facts, buffer)),
        false => format!(
            "largest first: {}; beside the others {tile}",
            overflow.list()
        ),
    }
}

/// Formats the condition on the extents: `TILE_M*TILE_N*8 <= 131072`.
fn limit(facts: &Facts, buffer: &Buffer) -> String {
    let written =
        extents(facts, buffer).unwrap_or_else(|| buffer.shape.map(|id| facts.names.text(id)));
    let whole = buffer.shape.map(|extent| {
        let value = facts.program.scalars.as_int(extent);
        value.is_some_and(|value| value % FRACTAL == 0)
    });
    let [rows, columns] = [0, 1].map(|axis| factor(&written[axis], whole[axis]));
    let bytes = element_bytes(buffer);
    let room = facts.program.device.capacity(Position::L0C);
    format!("{rows}*{columns}*{bytes} <= {room}")
}

/// Formats an extent as a factor of a product of padded extents.
fn factor(text: &str, whole: bool) -> String {
    let atom = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
    match (whole, text.chars().all(atom)) {
        (false, _) => format!("Align16({text})"),
        (true, true) => text.to_owned(),
        (true, false) => format!("({text})"),
    }
}

/// Returns the bytes of one element in all slots. Accumulators are float or int32.
fn element_bytes(buffer: &Buffer) -> i64 {
    4 * i64::from(buffer.slots)
}

/// Formats the largest tile that fits, in multiples of 16 columns or rows.
fn advice(facts: &Facts, buffer: &Buffer, room: i64) -> String {
    let Some([rows, columns]) = facts.program.constant_pair(buffer.shape) else {
        return "no tile fits".into();
    };
    let elements = room / element_bytes(buffer);
    let widest = |rows: i64| {
        let padded = (rows + FRACTAL - 1) / FRACTAL * FRACTAL;
        elements / padded.max(FRACTAL) / FRACTAL * FRACTAL
    };
    let whole = match buffer.slots {
        1 => "",
        _ => " in each slot",
    };
    if widest(rows) >= FRACTAL {
        let width = widest(rows);
        return format!("the largest tile with {rows} rows that fits is [{rows}, {width}]{whole}");
    }
    if widest(columns) >= FRACTAL {
        let height = widest(columns);
        return format!(
            "the largest tile with {columns} columns that fits is [{height}, {columns}]{whole}"
        );
    }
    "no tile with these rows or columns fits".into()
}
