use crate::declare_rule;
use crate::observations::witnessed;
use crate::{Facts, Sink};
use a2lint_ir::{BinaryOp, Notation, NoteKind, Scalar};
use a2lint_machine::Fault;
use a2lint_replay::Event;
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a launch under which a scalar that decides about an address, a size, a branch or an element
    /// is divided by 0, or shifted by a number of bits that its type does not have, and one under which an
    /// index leaves its array.
    ///
    /// ## Why is this bad?
    /// The scalar has no value. The value that the scalar unit computes instead is not specified, and the
    /// kernel continues with it.
    ///
    /// ## Example
    /// ```python
    /// ratio = Var(heads // kv_heads)               # 0 for heads=2, kv_heads=4
    /// group = Var(64 // ratio)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// ratio = Var(Max(heads // kv_heads, 1))
    /// group = Var(64 // ratio)
    /// ```
    ///
    /// ## Severity
    /// An error where a launch of the file shows it, or where nothing had to be guessed because the kernel
    /// takes no number. A warning where sizes were guessed and every guess shows it.
    ///
    /// ## Source
    /// Scalars have the types of C, where both are undefined.
    "DEV016" "undefined-arithmetic" Error, basis = Replayed, property = Scalars, causes = []
}

fn check(facts: &Facts, sink: &mut Sink) {
    for observation in &facts.replay.observations {
        let Event::Fault(fault) = observation.event else {
            continue;
        };
        let asking = observation.stmt.and_then(|id| facts.program.statement(id));
        let asking = asking.map(|stmt| (stmt.origin, stmt.span));
        let computing = facts.program.computed_at.get(&fault.scalar).copied();
        let written = computing.and_then(|(_, span)| written(facts, span));
        let message = fault.clause(facts.program, written);
        let report = match computing.or(asking) {
            Some((origin, span)) => sink.report_seen(origin, span, message),
            None => sink.report(facts.program.name_span, message),
        };
        let report = witnessed(report, facts, observation);
        match absent_cubes(facts, fault) {
            Some(query) => report
                .label(
                    query,
                    "0 in a kernel of mode=\"vec\", which runs on no cube core",
                )
                .help("count the vec cores: `GetVecNum()`"),
            None if is_of(facts, fault, BinaryOp::Multiple) => {
                report.advice("keep addresses and lengths in bytes multiples of the element's size")
            }
            None if is_of(facts, fault, BinaryOp::Index) => report
                .advice("keep the index below the number of elements, or make the array larger"),
            None => report
                .help(
                    "launch it with other values, or keep the right operand in range: `Max(n, 1)`",
                )
                .in_cpp("launch it with other values, or keep the right operand in range"),
        };
    }
}

/// Returns whether an operation has no result.
fn is_of(facts: &Facts, fault: Fault, op: BinaryOp) -> bool {
    matches!(facts.program.scalars.get(fault.scalar), Scalar::Binary(of, ..) if of == op)
}

/// Maximum length in bytes of an expression that a message quotes.
const MAX_QUOTED: usize = 80;

/// Returns an expression as the source writes it, where the place is that of the expression alone.
fn written<'a>(facts: &'a Facts, span: Span) -> Option<&'a str> {
    let text = facts.source.slice(span);
    let is_expression = facts.program.toolchain.notation == Notation::Cpp;
    let is_short = text.len() <= MAX_QUOTED && !text.contains(['\n', ';']);
    (is_expression && is_short && !text.is_empty()).then_some(text)
}

/// Returns where the kernel asks for the number of cube cores, if a scalar is divided by it and it is 0 in every
/// launch.
fn absent_cubes(facts: &Facts, fault: Fault) -> Option<Span> {
    let scalars = &facts.program.scalars;
    let Scalar::Binary(_, _, divisor) = scalars.get(fault.scalar) else {
        return None;
    };
    let is_zero = scalars.as_int(divisor) == Some(0);
    let mut notes = facts.program.notes.iter().filter(|_| is_zero);
    let query = notes.find(|note| note.kind == NoteKind::NoCubes);
    query.map(|note| note.span)
}
