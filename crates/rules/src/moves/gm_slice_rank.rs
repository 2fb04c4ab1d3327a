use crate::declare_rule;
use crate::wording::{call, operand_text};
use crate::{Facts, Sink};
use a2lint_ir::transfer::RowAxes;
use a2lint_ir::{ArgSource, GlobalView, Instr, Stmt, View};

declare_rule! {
    /// ## What it does
    /// Reports a view of GM with more than two sliced dimensions as operand of a move, and in Ascriptor a view
    /// of two whose rows are further apart than `<<=` takes them to be.
    ///
    /// ## Why is this bad?
    /// A move has rows and columns: two dimensions. All others are indexed by a number, even where
    /// the slice would be one element thick. Ascriptor's `<<=` takes rows to be as far apart as the dimensions
    /// from the second slice on are long: a dimension between the slices that is indexed by a number is
    /// left out, and the rows that are moved are not those of the view. Its simulator moves the right ones.
    ///
    /// ## Example
    /// ```python
    /// ub <<= x[b:b + 1, 0:64, 0:128]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ub <<= x[b, 0:64, 0:128]
    /// ```
    ///
    /// A slice that is not the last dimension is moved as if it were: `x[0, 0:4, 0:8, 3]` is four rows of eight
    /// elements side by side, not every sixteenth one. Ascriptor's compiler refuses it.
    ///
    /// An indexed dimension between two slices needs the call, which computes the distance of rows from the whole
    /// shape: `gm_to_ub_pad(ub, x[t:t + 16, head, 0:64])`.
    ///
    /// ## Source
    /// Public DSL documentation on `GMTensor`: at most two slices. Measured on a 910B3: finite wrong values with an
    /// indexed dimension between the slices (Ascriptor). Columns that are apart: the compiler of Ascriptor, and the
    /// skill documents of TileLang-Ascend.
    "MOV002" "gm-slice-rank" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        for (operand, _, view) in instr.operands() {
            let View::Global(global) = view else { continue };
            if loses_pitch(facts, (instr, operand), global) {
                lost_pitch(facts, stmt, instr, global, sink);
            }
            if let Some(apart) = columns_apart(facts, global) {
                scattered(facts, (stmt, instr), global, apart, sink);
            }
            let slices = global.sliced_axes().count();
            if !global.sliced || slices <= 2 {
                continue;
            }
            let message = format!(
                "`{}` slices {slices} dimensions; {} moves rows and columns of two",
                operand_text(facts, view),
                call(facts, instr)
            );
            sink.report_from(stmt.origin, global.site, message)
                .help(advice(facts, global));
        }
    }
}

/// Returns whether the toolchain assumes a smaller row pitch than a view has, because it skips the axes between the
/// slices. A move to or from UB by an explicit call computes the pitch correctly.
fn loses_pitch(facts: &Facts, (instr, operand): (&Instr, usize), view: &GlobalView) -> bool {
    let by_call = instr.explicit && !instr.row().loads_fractals();
    let skips_axes = facts.program.toolchain.lowering.skips_indexed_axes;
    if !skips_axes || by_call || gives_pitch(instr, operand) {
        return false;
    }
    let Some(RowAxes {
        rows: Some(rows),
        columns: Some(columns),
    }) = view.row_axes()
    else {
        return false;
    };
    let number = |id| facts.program.size(id);
    let between = &view.axes[rows + 1..columns];
    let is_one_row = number(view.axes[rows].span).is_some_and(|count| count <= 1);
    // An unknown extent may be 1, which makes no difference.
    !is_one_row
        && between
            .iter()
            .any(|axis| number(axis.extent).is_some_and(|extent| extent > 1))
}

/// Returns the distance in elements between the columns of a view whose second slice is not its last axis; `None` if
/// the distance is unknown or one element.
fn columns_apart(facts: &Facts, view: &GlobalView) -> Option<i64> {
    let RowAxes {
        rows: Some(_),
        columns: Some(columns),
    } = view.row_axes()?
    else {
        return None;
    };
    let number = |id| facts.program.size(id);
    let is_one_column = number(view.axes[columns].span).is_some_and(|count| count <= 1);
    let behind = columns + 1..view.axes.len();
    let product = |extent: &dyn Fn(usize) -> Option<i64>| {
        let mut behind = behind.clone();
        behind.try_fold(1_i64, |product, axis| product.checked_mul(extent(axis)?))
    };
    let constant = product(&|axis| number(view.axes[axis].extent));
    let launched = || {
        let mut launches = facts.replay.in_sight();
        launches.find_map(|bound| {
            let of_launch = |axis: usize| {
                let axis = u32::try_from(axis).ok()?;
                bound.extent(view.global, axis).as_int().ok()
            };
            product(&of_launch).filter(|&apart| apart > 1)
        })
    };
    let apart = constant.or_else(launched)?;
    (!is_one_column && apart > 1).then_some(apart)
}

/// Reports a view whose columns are not contiguous, which no move supports.
fn scattered(
    facts: &Facts,
    (stmt, instr): (&Stmt, &Instr),
    view: &GlobalView,
    apart: i64,
    sink: &mut Sink,
) {
    let text = operand_text(facts, &View::Global(view.clone()));
    let mover = match instr.explicit {
        true => call(facts, instr),
        false => "`<<=`".to_owned(),
    };
    let report = sink
        .report_from(
            stmt.origin,
            view.site,
            format!(
                "the columns of `{text}` are {apart} elements apart, and {mover} moves elements side by side"
            ),
        )
        .help("let the second slice be the last dimension, or move one column at a time");
    // A compiler that rejects such a view makes the finding certain; otherwise it is inferred from the lowering.
    match facts.program.toolchain.refusals.scattered_columns && !instr.explicit {
        true => drop(report),
        false => drop(report.possible()),
    }
}

/// Returns whether the call of a move gives the row pitch of an operand.
fn gives_pitch(instr: &Instr, operand: usize) -> bool {
    let spacing = instr
        .row()
        .global_extents(operand)
        .map(|extents| extents.spacing.parameter());
    spacing.is_some_and(|at| matches!(instr.args[at].source, ArgSource::Given(_)))
}

fn lost_pitch(facts: &Facts, stmt: &Stmt, instr: &Instr, view: &GlobalView, sink: &mut Sink) {
    let behind = |axis: usize| {
        let mut extents = view.axes[axis..].iter();
        extents.try_fold(1_i64, |product, axis| {
            product.checked_mul(facts.program.size(axis.extent)?)
        })
    };
    let Some(RowAxes {
        rows: Some(rows),
        columns: Some(columns),
    }) = view.row_axes()
    else {
        return;
    };
    let text = operand_text(facts, &View::Global(view.clone()));
    let mover = match instr.explicit {
        true => call(facts, instr),
        false => "`<<=`".to_owned(),
    };
    let apart = match (behind(rows + 1), behind(columns)) {
        (Some(pitch), Some(taken)) => {
            format!("{pitch} elements apart, and {mover} moves rows that are {taken} apart")
        }
        _ => format!(
            "further apart than those that {mover} moves: it leaves out the dimension between the slices"
        ),
    };
    let help = match instr.row().loads_fractals() {
        true => "give the distance of rows: `N_src=`",
        false => {
            "call the move, which computes the distance of rows from the whole shape, or give its stride"
        }
    };
    sink.report_from(
        stmt.origin,
        view.site,
        format!("the rows of `{text}` are {apart}"),
    )
    .help(help);
}

/// Formats which dimension to index by a number.
fn advice(facts: &Facts, view: &GlobalView) -> String {
    let thin = view
        .sliced_axes()
        .find(|(_, axis)| facts.program.scalars.as_int(axis.span) == Some(1));
    match thin {
        Some((number, axis)) => format!(
            "index dimension {number} by its number: `{}` instead of a slice of one",
            facts.names.text(axis.start)
        ),
        None => "loop over one dimension and index it by the counter".to_owned(),
    }
}
