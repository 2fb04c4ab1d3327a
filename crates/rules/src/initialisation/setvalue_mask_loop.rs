use rustc_hash::FxHashSet;

use crate::declare_rule;
use crate::wording::{call, tensor};
use crate::{Facts, Sink};
use a2lint_ir::{BufferId, Instr, LocalView, Scalar, ScalarId, Stmt, StmtKind, VariableId};
use a2lint_isa::{Class, DType, Opcode, Position, param};

declare_rule! {
    /// ## What it does
    /// Reports a packed mask whose bytes the scalar unit stores one by one in a loop.
    ///
    /// ## Why is this bad?
    /// It is right, and slow: every byte is a store of the scalar unit, with the vector unit waiting
    /// for the last one. One comparison makes a whole row of the mask at once.
    ///
    /// ## Example
    /// ```python
    /// for byte in range(16):
    ///     bits.SetValueTo(keep[0:1, byte:byte + 1])
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// compare_scalar(keep[0:1, 0:16], columns, valid, CompareMode.LT)   # columns: 0, 1, 2, …
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 5.1: a column-index template instead of per-byte stores.
    "INI008" "setvalue-mask-loop" Warning, basis = Shape, property = None, pedantic = true
}

fn check(facts: &Facts, sink: &mut Sink) {
    let masks = controls(facts);
    if !masks.is_empty() {
        block(facts, sink, &masks, &facts.program.body, &mut Vec::new());
    }
}

/// Returns the buffers that selects take their bits from.
fn controls(facts: &Facts) -> FxHashSet<BufferId> {
    let selects = facts
        .instructions()
        .filter(|(_, instr)| instr.row().class == Class::Select);
    selects
        .filter_map(|(_, instr)| Some(instr.local(param!(Select.selmask))?.buffer))
        .collect()
}

fn block(
    facts: &Facts,
    sink: &mut Sink,
    masks: &FxHashSet<BufferId>,
    stmts: &[Stmt],
    counters: &mut Vec<VariableId>,
) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Instr(instr) => {
                if let Some(view) = stored_byte(facts, masks, instr)
                    && view
                        .offset
                        .iter()
                        .any(|&offset| depends(facts, offset, counters))
                {
                    report(facts, sink, stmt, instr, view);
                }
            }
            StmtKind::Loop { variable, body, .. } => {
                counters.push(*variable);
                block(facts, sink, masks, body, counters);
                counters.pop();
            }
            kind => {
                for nested in kind.blocks() {
                    block(facts, sink, masks, nested, counters);
                }
            }
        }
    }
}

/// Returns the byte of a mask that a scalar store writes.
fn stored_byte<'a>(
    facts: &Facts,
    masks: &FxHashSet<BufferId>,
    instr: &'a Instr,
) -> Option<&'a LocalView> {
    let view = instr
        .local(param!(SetValueTo.view))
        .filter(|_| instr.row().writes_scalar())?;
    let byte = matches!(view.dtype, DType::UInt8 | DType::Int8);
    let in_ub = facts.program.buffer(view.buffer).position == Position::Ub;
    (byte && in_ub && masks.contains(&view.buffer)).then_some(view)
}

/// Returns whether an expression contains the counter of a loop around the statement.
fn depends(facts: &Facts, id: ScalarId, counters: &[VariableId]) -> bool {
    match facts.program.scalars.get(id) {
        Scalar::Variable(variable) => counters.contains(&variable),
        Scalar::Unary(_, a) => depends(facts, a, counters),
        Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
            depends(facts, a, counters) || depends(facts, b, counters)
        }
        _ => false,
    }
}

fn report(facts: &Facts, sink: &mut Sink, stmt: &Stmt, instr: &Instr, view: &LocalView) {
    let message = format!(
        "{} fills the packed mask {} byte by byte in a loop",
        call(facts, instr),
        tensor(facts, view)
    );
    sink.report_from(stmt.origin, stmt.span, message).help(format!(
        "make a row of it at once: {}() of a row of column numbers with the number of valid columns",
        facts.program.name_of(Opcode::CompareScalar)
    ));
}
