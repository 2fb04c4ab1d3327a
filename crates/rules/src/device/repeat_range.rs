use crate::declare_rule;
use crate::observations::Scene;
use crate::wording::{call, counted, operand_text, tensor, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{Field, FieldFault, field_faults};
use a2lint_ir::{ArgSource, Instr, LocalView, Stmt, StmtId};
use a2lint_isa::{DST, RepeatFrom, SRC};
use a2lint_machine::Illegality;
use a2lint_replay::{Event, Observation};

declare_rule! {
    /// ## What it does
    /// Reports repeat counts, strides and burst counts that the instruction has no room for.
    ///
    /// Repeats (65535 for `gather_mask`) and repeat strides end at 255, block strides at 255 (65535 for
    /// `dup`), bursts of a move at 4095, padding of a row at 32 bytes on each side; none of them is
    /// negative. Counts and strides that are inferred from shapes are held to the same limits. So are
    /// those that are seen in a run: `Min(64, M - row)` is negative where a tile begins after the last row.
    ///
    /// ## Why is this bad?
    /// The fields are 8, 16 and 12 bits wide. A larger value is cut, so 256 repeats become none and
    /// the instruction does nothing.
    ///
    /// ## Example
    /// ```python
    /// x = Tensor(DT.float, [64, 512], Position.UB)
    /// exp(x, x)                                          # 64 * 512 / 64 = 512 repeats
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for r in unroll(0, 64, 16):
    ///     exp(x[r:r + 16, 0:512], x[r:r + 16, 0:512])    # 128 repeats
    /// ```
    ///
    /// ## Source
    /// Operand ranges of the AscendC vector and data copy instructions.
    "DEV011" "repeat-range" Error, basis = Constants,
    causes = ["DEV", "TYP", "COV", "CAP"]
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        for fault in field_faults(facts.program, instr) {
            match fault.field {
                Field::Repeat => repeats(facts, stmt, instr, &fault, sink),
                Field::Stride { operand, limit } => {
                    stride(facts, stmt, instr, &fault, (operand, limit), sink);
                }
                Field::Bursts => bursts(facts, stmt, instr, &fault, sink),
                Field::Row => row(facts, stmt, instr, &fault, sink),
                Field::Margin { limit } => margin(facts, stmt, instr, (&fault, limit), sink),
            }
        }
    }
    // `l0ab-overflow` reports operands that do not fit into L0.
    let is_illegal = |seen: &Observation| match &seen.event {
        Event::Illegal(reason) => !matches!(reason, Illegality::Staging { .. }),
        _ => false,
    };
    for scene in Scene::all(facts, is_illegal) {
        let Event::Illegal(reason) = &scene.observation.event else {
            continue;
        };
        let message = format!(
            "the device has no such {}: {reason}",
            call(facts, scene.instr)
        );
        let report = scene.report(facts, sink, message);
        if let Illegality::NegativeLength(_) = reason {
            report.help(CLIP);
        }
    }
}

/// Help for a length or a number of rows that may be negative.
const CLIP: &str = "clip it at 0: `Max(..., 0)`";

/// Returns the statements that this rule explains.
pub(crate) fn explained(facts: &Facts) -> impl Iterator<Item = StmtId> {
    let faulty = |instr: &Instr| field_faults(facts.program, instr).next().is_some();
    let instructions = facts.instructions();
    instructions.filter_map(move |(stmt, instr)| faulty(instr).then_some(stmt.id))
}

fn repeats(facts: &Facts, stmt: &Stmt, instr: &Instr, fault: &FieldFault, sink: &mut Sink) {
    let (name, count) = (call(facts, instr), fault.value);
    let most = instr.row().repeat_limit(facts.program.device.limits);
    let given = instr.args[fault.param].span();
    let limit = match count < 0 {
        true => "a count of repeats is not negative".to_owned(),
        false => format!("an instruction has at most {most}"),
    };
    let counted = given.map_or_else(|| counted_operand(facts, instr), |_| None);
    let message = match given {
        Some(_) => format!("{name} with {count} repeats; {limit}"),
        None => {
            let shape = counted.map(|view| format!(" on {}", tensor(facts, view)));
            let shape = shape.unwrap_or_default();
            format!("{name}{shape} takes {count} repeats; {limit}")
        }
    };
    let span = given.unwrap_or(stmt.span);
    let report = sink.report_from(stmt.origin, span, message);
    if count > 0 {
        let chunks = counted.and_then(|view| in_rows(facts, instr, view));
        report.help(
            chunks
                .unwrap_or_else(|| format!("split the work into calls of at most {most} repeats")),
        );
    }
}

/// Returns the operand from which the repeat count was inferred.
fn counted_operand<'a>(facts: &Facts, instr: &'a Instr) -> Option<&'a LocalView> {
    match facts.program.signature(instr.opcode).repeat {
        RepeatFrom::Nothing => None,
        RepeatFrom::Operand(at)
        | RepeatFrom::Wider(at)
        | RepeatFrom::Elements(at, _)
        | RepeatFrom::WholeElements(at, _) => instr.local(at),
    }
}

/// Formats a split of the work into equal chunks of rows, if a good one exists.
fn in_rows(facts: &Facts, instr: &Instr, view: &LocalView) -> Option<String> {
    let [rows, columns] = facts.program.constant_pair(view.span)?;
    let per_repeat = elements_per_repeat(instr)?;
    let most = facts.program.device.limits.repeat * per_repeat / columns;
    // A chunk divides the rows and fills whole repeats. Below a quarter of the limit, the number of calls would
    // be too large to recommend.
    let chunk = (1..=most.min(rows - 1)).rev().find(|&chunk| {
        rows % chunk == 0 && chunk * columns % per_repeat == 0 && chunk * 4 > most
    })?;
    let (calls, repeats) = (rows / chunk, chunk * columns / per_repeat);
    Some(format!(
        "work on {chunk} rows of `{}` at a time: {calls} calls of {repeats} repeats",
        view_text(facts, view)
    ))
}

fn elements_per_repeat(instr: &Instr) -> Option<i64> {
    Some(match instr.row().repeat {
        RepeatFrom::Nothing => return None,
        RepeatFrom::Operand(at) => instr.local(at)?.dtype.lanes(),
        RepeatFrom::Wider(_) => {
            let (a, b) = (instr.local(DST)?.dtype, instr.local(SRC)?.dtype);
            a.lanes().min(b.lanes())
        }
        RepeatFrom::Elements(_, elements) | RepeatFrom::WholeElements(_, elements) => elements,
    })
}

fn stride(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    fault: &FieldFault,
    (operand, limit): (usize, i64),
    sink: &mut Sink,
) {
    let (arg, value) = (&instr.args[fault.param], fault.value);
    let (Some(param), Some(view)) = (instr.row().param(fault.param), instr.view(operand)) else {
        return;
    };
    let inferred = arg.source == ArgSource::Inferred;
    let bound = match value < 0 {
        true => "below 0".to_owned(),
        false => format!("above {limit}"),
    };
    let message = format!(
        "{}={value} {}of {} is {bound}",
        param.name,
        if inferred { "(inferred) " } else { "" },
        call(facts, instr)
    );
    let span = arg.span().unwrap_or(view.site());
    let name = operand_text(facts, view);
    let help = match (value < 0, inferred) {
        (true, _) => "strides count blocks forward".to_owned(),
        (false, true) => format!(
            "rows of `{name}` are {value} blocks apart; call once per row, \
             or copy the columns into a narrower tensor first"
        ),
        (false, false) => "call once per row, or lay the rows closer together".to_owned(),
    };
    sink.report_from(stmt.origin, span, message).help(help);
}

fn bursts(facts: &Facts, stmt: &Stmt, instr: &Instr, fault: &FieldFault, sink: &mut Sink) {
    let count = fault.value;
    let span = instr.args[fault.param].span().unwrap_or(stmt.span);
    if count < 0 {
        let message = format!(
            "{} of {count} rows; the view ends before it starts",
            call(facts, instr)
        );
        sink.report_from(stmt.origin, span, message).help(CLIP);
        return;
    }
    let most = facts.program.device.limits.bursts;
    let message = format!(
        "{} of {count} rows; a move has at most {most} bursts",
        call(facts, instr)
    );
    let calls = count.saturating_add(most - 1) / most;
    sink.report_from(stmt.origin, span, message)
        .help(format!("move the rows in {calls} parts"));
}

/// Reports rows with more padding than a block on one side.
fn margin(
    facts: &Facts,
    stmt: &Stmt,
    instr: &Instr,
    (fault, limit): (&FieldFault, i64),
    sink: &mut Sink,
) {
    let span = instr.args[fault.param].span().unwrap_or(stmt.span);
    let message = format!(
        "{} pads each row by {} on one side; at most {limit} (32 bytes) fit",
        call(facts, instr),
        counted(fault.value, "element")
    );
    sink.report_from(stmt.origin, span, message)
        .advice("fill the rest of the tile first, and load next to it");
}

/// Reports a negative length of the rows of a move, or a negative gap between them.
fn row(facts: &Facts, stmt: &Stmt, instr: &Instr, fault: &FieldFault, sink: &mut Sink) {
    let arg = &instr.args[fault.param];
    let (Some(param), Some(dst), Some(src)) = (
        instr.row().param(fault.param),
        instr.view(DST),
        instr.view(SRC),
    ) else {
        return;
    };
    let inferred = arg.source == ArgSource::Inferred;
    let message = format!(
        "{}={} {}of {} is below 0",
        param.name,
        fault.value,
        if inferred { "(inferred) " } else { "" },
        call(facts, instr)
    );
    let report = sink.report_from(stmt.origin, arg.span().unwrap_or(stmt.span), message);
    let stride_of = if param.name.starts_with("dst") {
        dst
    } else {
        src
    };
    if inferred && param.name.contains("stride") {
        let name = operand_text(facts, stride_of);
        report.help(format!(
            "the rows that are moved are longer than the rows of `{name}`: move as many columns as it has"
        ));
    }
}
