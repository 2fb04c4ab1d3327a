use crate::declare_rule;
use crate::wording::{allocated_at, call, view_text};
use crate::{Facts, Sink};
use a2lint_ir::{BufferId, Instr, LocalView, Stmt};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{Layout, Role};

declare_rule! {
    /// ## What it does
    /// Reports a slice of an L1 tensor as operand of `matmul`, and an `m`, `n` or `k` above the rows
    /// that the loads of the operand laid out. Ascriptor's `matmul` takes slices.
    ///
    /// ## Why is this bad?
    /// Operands lie in L1 in strips of columns whose height is that of the load (`M_dst`, rounded up
    /// to 16). A slice is not a matrix of that layout, and with more rows than were laid out the
    /// product takes rows of the next strip for its own.
    ///
    /// ## Example
    /// ```python
    /// matmul(acc, l1_a, l1_w[0:valid_n, 0:64], m=128, n=128, k=64)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// matmul(acc, l1_a, l1_w, m=128, n=valid_n, k=64)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on tiling: operands are whole tiles, extents are arguments.
    "MOV009" "l1-operand-slice" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if !instr.row().stages_operands() {
            continue;
        }
        for (index, rows_name) in [(1, "m"), (2, "n")] {
            let Some(view) = instr.local(index) else {
                continue;
            };
            if is_part(facts, view) {
                if facts.program.toolchain.lowering.loads_slices {
                    continue;
                }
                sliced(facts, stmt, instr, view, rows_name, sink);
            } else {
                let rows_name = if view.transposed { "k" } else { rows_name };
                short_load(facts, stmt, instr, view, rows_name, sink);
            }
        }
    }
}

/// Returns whether a view is not known to be the whole tile.
fn is_part(facts: &Facts, view: &LocalView) -> bool {
    let start = facts.program.constant_pair(view.offset);
    view.sliced && (view.span != view.shape || start != Some([0, 0]))
}

fn sliced(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    view: &LocalView,
    rows: &str,
    sink: &mut Sink,
) {
    let whole = whole_text(facts, view);
    let columns = "k";
    let (first, second) = match view.transposed {
        true => (columns, rows),
        false => (rows, columns),
    };
    let [height, width] = view.span.map(|extent| facts.names.text(extent));
    let message = format!(
        "{} takes whole L1 tiles; `{}` is a slice, and its strips are as high as the tile",
        call(facts, instr),
        view_text(facts, view)
    );
    let help = match facts.program.constant_pair(view.offset) {
        Some([0, 0]) => format!("pass `{whole}` with {first}={height}, {second}={width}"),
        _ => format!(
            "load that part into a tile of its own, and pass it with {first}={height}, {second}={width}"
        ),
    };
    sink.report_from(stmt.origin, view.site, message)
        .label(allocated_at(facts, view), "the tile")
        .help(help);
}

/// Formats a sliced view without its last subscript.
fn whole_text(facts: &Facts, view: &LocalView) -> String {
    let buffer = facts.program.buffer(view.buffer);
    match buffer.slots {
        1 => buffer.label().to_owned(),
        _ => format!("{}[{}]", buffer.label(), facts.names.text(view.slot)),
    }
}

fn short_load(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    view: &LocalView,
    name: &str,
    sink: &mut Sink,
) {
    let wanted = instr
        .scalar_named(name)
        .and_then(|id| facts.program.size(id));
    let (Some(wanted), Some(load)) = (wanted, tallest_load(facts, view.buffer)) else {
        return;
    };
    if wanted <= load.rows {
        return;
    }
    let message = format!(
        "{} with {name}={wanted} on `{}`, whose load lays out {} rows",
        call(facts, instr),
        view_text(facts, view),
        load.rows
    );
    let span = instr.named(name).and_then(|arg| arg.span());
    sink.report_from(stmt.origin, span.unwrap_or(stmt.span), message)
        .label(load.stmt.span, format!("lays out {} rows", load.rows))
        .help(format!(
            "load with M_dst={wanted}, or multiply {name}={} rows",
            load.rows
        ));
}

struct Load<'p> {
    stmt: &'p Stmt,
    rows: i64,
}

/// Returns the load with most rows, if every writer of the buffer is a load with a known number of rows.
fn tallest_load<'p>(facts: &Facts<'p>, buffer: BufferId) -> Option<Load<'p>> {
    let nz = facts.program.buffer(buffer).layout == Layout::Nz;
    if !nz || facts.analysis.obscured.contains(&buffer) {
        return None;
    }
    let mut tallest: Option<Load> = None;
    for writer in facts.analysis.writers(buffer) {
        if writer.instr.row().role == Role::Fills {
            continue;
        }
        if !writer.instr.row().loads_fractals() {
            return None;
        }
        let rows = facts.program.size(writer.instr.scalar_named("M_dst")?)?;
        let rows = (rows + FRACTAL - 1) / FRACTAL * FRACTAL;
        if tallest.as_ref().is_none_or(|load| load.rows < rows) {
            let stmt = writer.stmt;
            tallest = Some(Load { stmt, rows });
        }
    }
    tallest
}
