use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::slot_key;
use a2lint_ir::{BinaryOp, Instr, LocalView, Program, Scalar, ScalarId, Stmt, UnaryOp};
use a2lint_isa::{Class, DST, ParamKind, Position};

declare_rule! {
    /// ## What it does
    /// Reports a vector instruction that changes a tensor in place on a length that is rounded down, where the tensor
    /// was filled, and is read afterwards, on the whole length.
    ///
    /// It is silent if another instruction writes the tensor from another element on, which may handle the tail.
    ///
    /// ## Why is this bad?
    /// The elements after the last whole repeat keep what they held before: nothing is undefined and everything is
    /// stored, but the tail lacks a step of the computation.
    ///
    /// ## Example
    /// ```cpp
    /// Exp(w, a, n);
    /// Adds(w, w, 1.0f, n / 64 * 64);
    /// Ln(b, w, n);                       // log(exp(a)) instead of log(exp(a) + 1) in the tail
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Exp(w, a, n);
    /// Adds(w, w, 1.0f, n);
    /// Ln(b, w, n);
    /// ```
    ///
    /// ## Source
    /// A lint of this project.
    "COV017" "tail-skipped" Warning, basis = Shape, evidence = Inferred
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let Some(change) = Change::of(facts.program, instr) else {
            continue;
        };
        let Some((reader, read)) = change.neglected(facts, stmt) else {
            continue;
        };
        let [whole, part] = [change.whole, change.length].map(|id| facts.names.text(id));
        let message = format!(
            "{} changes the first `{part}` of the `{whole}` elements of `{}`: up to {} stay as they were, and {} reads \
             them",
            call(facts, instr),
            view_text(facts, change.view),
            change.unit - 1,
            call(facts, read)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(
                reader.span,
                format!("{} reads all of them here", call(facts, read)),
            )
            .advice(format!(
                "work on all `{whole}` elements, or on the rest with a second instruction"
            ));
    }
}

/// A change in place of a rounded number of elements.
struct Change<'p> {
    view: &'p LocalView,
    length: ScalarId,
    /// The number that is rounded down.
    whole: ScalarId,
    unit: i64,
}

impl<'p> Change<'p> {
    fn of(program: &'p Program, instr: &'p Instr) -> Option<Change<'p>> {
        let is_elementwise = matches!(
            instr.row().class,
            Class::Unary | Class::Binary | Class::ScalarOp | Class::Cast
        );
        let view = instr.local(DST).filter(|_| is_elementwise)?;
        if program.buffer(view.buffer).position != Position::Ub {
            return None;
        }
        let mut sources = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.reads());
        let is_in_place =
            sources.any(|(_, _, source)| source.local().is_some_and(|it| is_at(program, it, view)));
        let length = length(program, instr, view).filter(|_| is_in_place)?;
        let length = bare(program, length);
        let (whole, unit) = rounded_down(program, length)?;
        Some(Change {
            view,
            length,
            whole,
            unit,
        })
    }

    /// Returns the first later instruction that reads the elements left out, if an earlier one has written them and no
    /// instruction writes the tensor from another element on.
    fn neglected<'f>(&self, facts: &Facts<'f>, at: &Stmt) -> Option<(&'f Stmt, &'f Instr)> {
        let program = facts.program;
        let (mut is_filled, mut reader) = (false, None);
        for (stmt, instr) in facts.instructions() {
            for (_, operand, view) in instr.operands() {
                let Some(view) = view.local().filter(|it| it.buffer == self.view.buffer) else {
                    continue;
                };
                let is_there = is_at(program, view, self.view);
                if operand.access.writes() && !is_there {
                    return None;
                }
                let length = length(program, instr, view).map(|id| bare(program, id));
                if !is_there || length != Some(self.whole) {
                    continue;
                }
                is_filled |= operand.access.writes() && stmt.id < at.id;
                if operand.access.reads() && stmt.id > at.id && reader.is_none() {
                    reader = Some((stmt, instr));
                }
            }
        }
        reader.filter(|_| is_filled)
    }
}

/// Returns whether two views start at the same element of the same slot.
fn is_at(program: &Program, view: &LocalView, other: &LocalView) -> bool {
    view.buffer == other.buffer
        && view.offset == other.offset
        && slot_key(program, view) == slot_key(program, other)
}

/// Returns the number of contiguous elements that an instruction accesses through a view of one row.
fn length(program: &Program, instr: &Instr, view: &LocalView) -> Option<ScalarId> {
    let is_one = |id: ScalarId| program.size(id) == Some(1);
    let row = is_one(view.span[0]).then_some(view.span[1]);
    match instr.row().class {
        Class::Move => {
            let is_one_burst = instr.scalar_named("n_burst").is_none_or(is_one);
            let burst = instr.scalar_named("burst_len_element");
            burst.filter(|_| is_one_burst).or(row)
        }
        _ => instr.scalar(ParamKind::Count).or(row),
    }
}

/// Removes conversions, and factors that cancel: `n * 4 / 4`.
fn bare(program: &Program, id: ScalarId) -> ScalarId {
    let scalars = &program.scalars;
    match scalars.get(id) {
        Scalar::Unary(UnaryOp::Convert, inner) => bare(program, inner),
        Scalar::Binary(BinaryOp::Div | BinaryOp::FloorDiv, product, part) => {
            match scalars.get(bare(program, product)) {
                Scalar::Binary(BinaryOp::Mul, whole, factor)
                    if factor == part && scalars.as_int(part).is_some() =>
                {
                    bare(program, whole)
                }
                _ => id,
            }
        }
        _ => id,
    }
}

/// Returns what an expression rounds down to a multiple of a number, and that number: `n / 64 * 64`, `n - n % 64`.
fn rounded_down(program: &Program, id: ScalarId) -> Option<(ScalarId, i64)> {
    let scalars = &program.scalars;
    let (whole, unit) = match scalars.get(id) {
        Scalar::Binary(BinaryOp::Mul, a, b) => {
            let (quotient, unit) = match scalars.as_int(a) {
                Some(unit) => (b, unit),
                None => (a, scalars.as_int(b)?),
            };
            match scalars.get(bare(program, quotient)) {
                Scalar::Binary(BinaryOp::Div | BinaryOp::FloorDiv, whole, part)
                    if scalars.as_int(part) == Some(unit) =>
                {
                    (whole, unit)
                }
                _ => return None,
            }
        }
        Scalar::Binary(BinaryOp::Sub, whole, rest) => match scalars.get(bare(program, rest)) {
            Scalar::Binary(BinaryOp::Mod | BinaryOp::FloorMod, same, unit) if same == whole => {
                (whole, scalars.as_int(unit)?)
            }
            _ => return None,
        },
        _ => return None,
    };
    (unit > 1).then(|| (bare(program, whole), unit))
}
