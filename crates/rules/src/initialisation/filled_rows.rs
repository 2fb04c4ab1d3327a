//! Sums over exponentials of a constant that a load of AscendC fills the rest of a row with.

use rustc_hash::FxHashMap;

use crate::initialisation::padding_in_reduction::{NEGLIGIBLE, forget_written, tile_of};
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::SlotKey;
use a2lint_ir::finding::{Basis, Severity};
use a2lint_ir::{BufferId, Instr, LocalView, Notation, Stmt, View};
use a2lint_isa::{Class, DST, Operator, ParamKind, Place, SRC};

/// A row that a load has filled up with a constant.
#[derive(Clone, Copy)]
struct Filled<'a> {
    load: (&'a Stmt, &'a Instr),
    value: f64,
    /// Number of loaded elements, and of all elements with the filled ones.
    extent: [i64; 2],
    /// Whether they are exponentials of what was loaded.
    is_exponential: bool,
}

type Rows<'a> = FxHashMap<(BufferId, SlotKey), Filled<'a>>;

/// Reports sums of exponentials that include what a load has filled the row with.
pub(super) fn check(facts: &Facts, sink: &mut Sink) {
    if facts.program.toolchain.notation != Notation::Cpp {
        return;
    }
    let mut rows = Rows::default();
    for (stmt, instr) in facts.instructions() {
        if let Some((filled, src, summed)) = summed(facts, &rows, instr) {
            report(facts, sink, (stmt, instr, src), filled, summed);
        }
        let known = match instr.local(DST) {
            Some(dst) => loaded(facts, stmt, instr)
                .or_else(|| computed(facts, &rows, instr))
                .map(|known| (tile_of(facts, dst), known)),
            None => None,
        };
        forget_written(facts, &mut rows, instr);
        rows.extend(known);
    }
}

/// Returns the row of a load that fills it up with a constant whose exponential counts.
fn loaded<'a>(facts: &Facts<'a>, stmt: &'a Stmt, instr: &'a Instr) -> Option<Filled<'a>> {
    let program = facts.program;
    let number = |name: &str| instr.scalar_named(name).map(|id| program.size(id));
    let is_whole_row = instr.row().moves(Place::Gm, Place::UB)
        && number("n_burst").is_none_or(|rows| rows == Some(1))
        && number("left_padding").is_none_or(|left| left == Some(0));
    if !is_whole_row {
        return None;
    }
    let value = program.scalars.as_float(instr.scalar_named("pad")?)?;
    let (length, right) = (number("burst_len_element")??, number("right_padding")??);
    (value > NEGLIGIBLE && right > 0).then_some(Filled {
        load: (stmt, instr),
        value,
        extent: [length, length + right],
        is_exponential: false,
    })
}

/// Returns the number of elements of a view from the start of its tensor; `None` if it is not constant.
fn length(facts: &Facts, view: &LocalView) -> Option<i64> {
    let [rows, columns] = facts.program.constant_pair(view.span)?;
    let start = facts.program.constant_pair(view.offset)?;
    (rows == 1 && start == [0, 0]).then_some(columns)
}

/// Returns what a lane-wise operation with one tensor makes of a filled row, if it includes all filled elements.
fn computed<'a>(facts: &Facts<'a>, rows: &Rows<'a>, instr: &Instr) -> Option<Filled<'a>> {
    let row = instr.row();
    if !matches!(row.class, Class::Unary | Class::ScalarOp) {
        return None;
    }
    let src = instr.local(SRC)?;
    let filled = *rows.get(&tile_of(facts, src))?;
    // A constant may take what is filled far below zero.
    let moves = row.params().zip(&instr.args).any(|(param, arg)| {
        let value = arg
            .value
            .scalar()
            .filter(|_| param.kind == ParamKind::Value)
            .and_then(|id| facts.program.scalars.as_float(id));
        value.is_some_and(|value| value.abs() > 1.0)
    });
    let is_whole = length(facts, src)? >= filled.extent[1] && length(facts, instr.local(DST)?)? > 0;
    (is_whole && !moves).then_some(Filled {
        is_exponential: filled.is_exponential || row.computes(Operator::Exp),
        ..filled
    })
}

/// Returns the filled row whose exponentials an instruction sums up, the operand, and the number of elements.
fn summed<'a, 'i>(
    facts: &Facts,
    rows: &Rows<'a>,
    instr: &'i Instr,
) -> Option<(Filled<'a>, &'i LocalView, i64)> {
    let row = instr.row();
    if row.class != Class::ReduceAll || !row.computes(Operator::Add) {
        return None;
    }
    let src = instr.view(SRC).and_then(View::local)?;
    let filled = *rows.get(&tile_of(facts, src))?;
    let summed = length(facts, src)?;
    (filled.is_exponential && summed > filled.extent[0]).then_some((filled, src, summed))
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr, src): (&Stmt, &Instr, &LocalView),
    filled: Filled,
    summed: i64,
) {
    let (load, by) = filled.load;
    let [loaded, end] = filled.extent;
    let (name, by) = (call(facts, instr), call(facts, by));
    let beyond = summed.min(end) - loaded;
    let message = format!(
        "{name} adds up {summed} elements of `{}`, also exponentials of the {beyond} that {by} fills the row of \
         {loaded} up with",
        view_text(facts, src)
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .severity(Severity::Warning)
        .basis(Basis::Shape)
        .label(
            load.span,
            format!("fills with {}, whose exponential counts", filled.value),
        )
        .in_cpp(format!(
            "add up the {loaded} loaded elements alone, or fill with -1e30, whose exponential is 0"
        ));
}
