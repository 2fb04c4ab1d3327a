use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::Touch;
use a2lint_ir::finding::Edit;
use a2lint_ir::{BufferId, GlobalId, Instr, LocalView, Stmt, StmtId, View};
use a2lint_isa::{Class, DST, DType, Operator, ParamKind, SRC};
use a2lint_source::text::Span;
use rustc_hash::FxHashSet;

declare_rule! {
    /// ## What it does
    /// Reports scalar operands of vector instructions that are infinite in the element type: a
    /// literal infinity, or a number that the type cannot hold (`-1.0e30` in half); and conversions
    /// of a tensor of such numbers to a type that cannot hold them.
    ///
    /// ## Why is this bad?
    /// Arithmetic on infinite sentinels gives NaN: infinity minus infinity, or infinity times zero. A row
    /// in which everything is masked becomes NaN throughout. Hardware that saturates turns it into a finite
    /// number instead, so simulation and silicon disagree.
    ///
    /// Not reported: an infinity that only maxima, minima, comparisons and sorts use, also after a scalar that is not
    /// infinite is added to it or it is multiplied by a finite number; and a negative infinity that pads rows of data
    /// before their maximum is subtracted.
    ///
    /// ## Example
    /// ```python
    /// dup(row_max, float("-inf"))
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// dup(row_max, -1.0e30)            # half: -65504.0, its lowest number
    /// ```
    ///
    /// ## Fix safety
    /// A finite sentinel of this size loses every maximum and vanishes in every `exp`, as the
    /// infinite one does.
    ///
    /// ## Source
    /// A2 device constraints, section 6: finite sentinels.
    "INI003" "infinite-sentinel" Warning, basis = Shape, property = None, fix = Safe
}

/// Smallest magnitude that rounds to infinity in half: 65504 plus half a step.
const HALF_OVERFLOW: f64 = 65520.0;

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if !instr.row().is_vector() || instr.row().class == Class::Compare {
            continue;
        }
        let infinite = infinite_operands(facts, instr);
        // A number that the type cannot hold is not the infinity that the author means.
        let is_meant = infinite.iter().all(|(value, _)| value.is_infinite());
        if is_meant
            && !infinite.is_empty()
            && orders_alone(instr)
            && !reaches_arithmetic(facts, (stmt, instr), pads(facts, stmt, instr, &infinite))
        {
            continue;
        }
        for (value, span) in infinite {
            report(facts, sink, (stmt, instr), value, span);
        }
        if let Some(value) = overflowing(facts, stmt, instr) {
            report_overflow(facts, sink, (stmt, instr), value);
        }
    }
}

/// Returns whether an instruction stores, orders or selects numbers, so that an infinity stays one.
fn orders_alone(instr: &Instr) -> bool {
    let row = instr.row();
    let bounds = matches!(row.operator(), Some(Operator::Max | Operator::Min));
    match row.class {
        Class::Fill
        | Class::Select
        | Class::Cast
        | Class::Broadcast
        | Class::Gather
        | Class::Compact
        | Class::Transpose
        | Class::Move => true,
        Class::Binary
        | Class::ScalarOp
        | Class::Reduce
        | Class::GroupReduce
        | Class::ReduceIndex
        | Class::ReduceAll => bounds,
        _ => false,
    }
}

/// Returns whether a fill writes negative infinities to some lanes only, or to a part of a tensor of data. They pad
/// rows of data: the maximum of a row is then finite, so `x - max` stays infinite and its exponential is 0.
fn pads(facts: &Facts, stmt: &Stmt, instr: &Instr, infinite: &[(f64, Option<Span>)]) -> bool {
    let dtype = element_type(instr);
    let is_masked = dtype.is_some_and(|it| !facts.analysis.mask_at(stmt.id).is_full_for(it));
    let is_negative = infinite.iter().all(|(value, _)| *value < 0.0);
    instr.row().class == Class::Fill && is_negative && (is_masked || is_beside_data(facts, instr))
}

/// Returns whether an instruction writes a part of a tensor that also holds data, from the start of another part on.
fn is_beside_data(facts: &Facts, instr: &Instr) -> bool {
    let Some(dst) = instr.local(DST).filter(|view| view.sliced) else {
        return false;
    };
    facts.instructions().any(|(_, other)| {
        let holds_data = matches!(other.row().class, Class::Move | Class::Cast);
        let beside = other.local(DST).filter(|_| holds_data);
        beside.is_some_and(|view| view.buffer == dst.buffer && view.offset != dst.offset)
    })
}

/// Where an infinity may be: what statements write on the chip, and tensors in global memory.
#[derive(Default)]
struct Spread {
    statements: FxHashSet<StmtId>,
    /// The buffers that these statements write.
    buffers: FxHashSet<BufferId>,
    globals: FxHashSet<GlobalId>,
}

impl Spread {
    /// Adds what an instruction writes; returns whether anything is new.
    fn follow(&mut self, stmt: &Stmt, instr: &Instr) -> bool {
        let mut is_new = self.statements.insert(stmt.id);
        for (_, operand, view) in instr.operands() {
            match view {
                _ if !operand.access.writes() => {}
                View::Local(view) => {
                    self.buffers.insert(view.buffer);
                }
                View::Global(view) => is_new |= self.globals.insert(view.global),
            }
        }
        is_new
    }

    fn has(&self, touch: &Touch) -> bool {
        self.statements.contains(&touch.stmt.id)
    }

    /// Returns whether a vector instruction writes new numbers to the place of an infinity before `reader` runs. How
    /// many it writes may not be known; loads of parts leave what pads them.
    fn is_replaced(&self, facts: &Facts, writers: &[&Touch], from: &Touch, reader: &Stmt) -> bool {
        let starts_first = |view: &LocalView| {
            let mut offset = view.offset.into_iter();
            offset.all(|at| facts.program.scalars.as_int(at) == Some(0))
        };
        let (from_id, reader_id) = (from.stmt.id, reader.id);
        writers.iter().any(|other| {
            let is_between = match from_id < reader_id {
                true => from_id < other.stmt.id && other.stmt.id < reader_id,
                // The infinity is one of the iteration before.
                false => other.stmt.id > from_id || other.stmt.id < reader_id,
            };
            is_between
                && other.instr.row().is_vector()
                && !self.has(other)
                && (other.view.offset == from.view.offset || starts_first(other.view))
        })
    }

    /// Returns whether an instruction may read an infinity.
    fn is_read(&self, facts: &Facts, stmt: &Stmt, instr: &Instr) -> bool {
        let values = facts.analysis.values(facts.program);
        let mut reads = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.reads());
        reads.any(|(at, _, view)| match view {
            View::Global(view) => self.globals.contains(&view.global),
            // What code that was not followed writes is no evidence of an infinity.
            View::Local(view) if self.buffers.contains(&view.buffer) => {
                let writers = values.known_writers(stmt.id, at).into_iter();
                let writers: Vec<&Touch> = writers.map(|it| &facts.analysis.touches[it]).collect();
                let mut infinite = writers.iter().filter(|it| self.has(it));
                infinite.any(|from| !self.is_replaced(facts, &writers, from, stmt))
            }
            View::Local(_) => false,
        })
    }
}

/// Returns whether arithmetic may read what an instruction writes, directly or after it was stored, ordered or
/// selected. Comparisons end in bits, and sorts leave infinite records out. What pads rows may be subtracted from and
/// be an exponent.
fn reaches_arithmetic(facts: &Facts, from: (&Stmt, &Instr), pads: bool) -> bool {
    let mut spread = Spread::default();
    spread.follow(from.0, from.1);
    loop {
        let mut is_new = false;
        for (stmt, instr) in facts.instructions() {
            if !spread.is_read(facts, stmt, instr) {
                continue;
            }
            let row = instr.row();
            match (row.class, row.operator()) {
                (Class::Compare | Class::Sort, _) => {}
                (_, Some(Operator::Exp)) if pads => {}
                (_, Some(Operator::Sub)) if pads => is_new |= spread.follow(stmt, instr),
                _ if orders_alone(instr) || keeps_infinities(facts, instr, pads) => {
                    is_new |= spread.follow(stmt, instr);
                }
                _ if row.is_vector() => return true,
                _ => {}
            }
        }
        if !is_new {
            return false;
        }
    }
}

/// Returns whether an instruction adds a scalar to all elements that is not infinite, or multiplies them by a finite
/// one that is not 0: an infinity stays one.
fn keeps_infinities(facts: &Facts, instr: &Instr, pads: bool) -> bool {
    let row = instr.row();
    let mut params = row.params().zip(&instr.args);
    let value = params.find_map(|(param, arg)| match param.kind {
        ParamKind::Value | ParamKind::OperandOrValue(_) => {
            facts.program.scalars.as_float(arg.value.scalar()?)
        }
        _ => None,
    });
    let is_finite = value.is_some_and(f64::is_finite);
    match (row.class, row.operator()) {
        // A number that is not known, such as a score of the data, is hardly another infinity.
        (Class::ScalarOp, Some(Operator::Add | Operator::Sub)) => value.is_none_or(f64::is_finite),
        // A negative factor makes a pad positive, whose exponential is infinite.
        (Class::ScalarOp, Some(Operator::Mul)) => {
            is_finite && value != Some(0.0) && (!pads || value > Some(0.0))
        }
        _ => false,
    }
}

/// Returns the finite number in all elements of a conversion's source, if the destination type cannot hold it.
fn overflowing(facts: &Facts, stmt: &Stmt, instr: &Instr) -> Option<f64> {
    let (dst, src) = (instr.local(DST)?, instr.local(SRC)?);
    let narrows = instr.row().class == Class::Cast && dst.dtype.is_float() && src.dtype.is_float();
    if !narrows {
        return None;
    }
    let found = facts
        .analysis
        .values(facts.program)
        .found_by(stmt.id, SRC)?;
    let value = found.number(src.dtype)?;
    (!overflows(src.dtype, value) && overflows(dst.dtype, value)).then_some(value)
}

fn report_overflow(facts: &Facts, sink: &mut Sink, (stmt, instr): (&Stmt, &Instr), value: f64) {
    let Some(dtype) = element_type(instr) else {
        return;
    };
    let sign = if value < 0.0 { "-" } else { "" };
    let name = call(facts, instr);
    let message =
        format!("{name} turns the sentinel {value:e} into {sign}inf: {dtype} cannot hold it");
    let mut report = sink
        .report_from(stmt.origin, stmt.span, message)
        .help(format!(
            "use a sentinel that both types hold: {sign}65504.0 for {}",
            DType::Half
        ));
    let values = facts.analysis.values(facts.program);
    for writer in values
        .writers(stmt.id, SRC)
        .unwrap_or_default()
        .into_iter()
        .take(1)
    {
        let writer = &facts.analysis.touches[writer];
        report = report.label(
            writer.stmt.span,
            format!("{} fills it here", call(facts, writer.instr)),
        );
    }
}

/// Returns the scalar operands that are infinite in the element type, with their places.
fn infinite_operands(facts: &Facts, instr: &Instr) -> Vec<(f64, Option<Span>)> {
    let Some(dtype) = element_type(instr) else {
        return Vec::new();
    };
    instr
        .row()
        .params()
        .zip(&instr.args)
        .filter(|(param, _)| matches!(param.kind, ParamKind::Value | ParamKind::OperandOrValue(_)))
        .filter_map(|(_, arg)| {
            let value = facts.program.scalars.as_float(arg.value.scalar()?)?;
            overflows(dtype, value).then_some((value, arg.span()))
        })
        .collect()
}

fn element_type(instr: &Instr) -> Option<DType> {
    Some(instr.local(DST)?.dtype).filter(|dtype| dtype.is_float())
}

fn overflows(dtype: DType, value: f64) -> bool {
    match dtype {
        DType::Half => value.abs() >= HALF_OVERFLOW,
        _ => (value as f32).is_infinite(),
    }
}

/// Returns a finite number that serves the same purpose. If results are computed from the sentinel, the one for
/// half keeps a distance from the limit of the type.
fn replacement(instr: &Instr, dtype: DType, value: f64) -> &'static str {
    let row = instr.row();
    let bounds = matches!(row.operator(), Some(Operator::Max | Operator::Min));
    let extreme = row.class == Class::Fill || row.class == Class::ScalarOp && bounds;
    match (dtype == DType::Half, extreme, value < 0.0) {
        (false, _, true) => "-1.0e30",
        (false, _, false) => "1.0e30",
        (true, true, true) => "-65504.0",
        (true, true, false) => "65504.0",
        (true, false, true) => "-60000.0",
        (true, false, false) => "60000.0",
    }
}

fn report(
    facts: &Facts,
    sink: &mut Sink,
    (stmt, instr): (&Stmt, &Instr),
    value: f64,
    span: Option<Span>,
) {
    let Some(dtype) = element_type(instr) else {
        return;
    };
    let sign = if value < 0.0 { "-" } else { "" };
    let cause = match value.is_infinite() {
        true => format!("{sign}inf"),
        false => format!("{value:e}, which is {sign}inf in {dtype}"),
    };
    let finite = replacement(instr, dtype, value);
    let message = format!(
        "{} takes the sentinel {cause}: the difference of two infinities is NaN, and so is 0 * inf",
        call(facts, instr)
    );
    let report = sink
        .report_from(stmt.origin, span.unwrap_or(stmt.span), message)
        .help(format!("use a finite sentinel: `{finite}`"));
    if let Some(span) = span.filter(|&span| always(facts, span, value)) {
        let edit = Edit {
            span,
            text: finite.to_owned(),
        };
        report.fix(format!("use {finite}"), true, vec![edit]);
    }
}

/// Returns whether an argument has this value whenever its statement runs. A helper may be called with other values,
/// and an unrolled loop may have others.
fn always(facts: &Facts, span: Span, value: f64) -> bool {
    facts.instructions().all(|(_, instr)| {
        instr.args.iter().all(|arg| {
            let scalar = arg.value.scalar();
            let number = scalar.and_then(|scalar| facts.program.scalars.as_float(scalar));
            arg.span() != Some(span) || number == Some(value)
        })
    })
}
