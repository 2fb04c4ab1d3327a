use crate::declare_rule;
use crate::mask::lane_notes::noted;
use crate::wording::{call, counted};
use crate::{Facts, Sink};
use a2lint_analysis::{CountFault, count_fault};
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, LaneFault, Stmt};
use a2lint_isa::ParamKind;

declare_rule! {
    /// ## What it does
    /// Reports `count=` together with `count_per_rep=`, a negative count, and a `count_per_rep` of
    /// more lanes than a repeat has.
    ///
    /// ## Why is this bad?
    /// `count` replaces repeats and strides, `count_per_rep` the mask inside each repeat: an
    /// instruction cannot work both ways. A repeat has 256 bytes, that is 64 lanes of 4 bytes or
    /// 128 of 2.
    ///
    /// ## Example
    /// ```python
    /// exp(y, x, count_per_rep=512)         # float: a repeat has 64 lanes
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// exp(y, x, count=512)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on vector instructions: count modes.
    "COV012" "count-modes" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let argument = |at| facts.analysis.argument(facts.program, stmt.id, instr, at);
        if let Some(fault) = count_fault(instr, argument) {
            report(facts, sink, (stmt, instr), fault);
        }
    }
    for (note, name, fault) in noted(facts) {
        let LaneFault::TooMany { asked, lanes } = *fault else {
            continue;
        };
        let message = format!(
            "{name} is to use {asked} lanes of each repeat, which has {}",
            counted(lanes, "lane")
        );
        // The API clamps the mask to the lanes of a repeat: the call is well-defined, hence only a warning.
        sink.report_from(note.origin, note.span, message)
            .severity(Severity::Warning)
            .help("use more repeats, or the form with a count");
    }
}

fn report(facts: &Facts, sink: &mut Sink, (stmt, instr): (&Stmt, &Instr), fault: CountFault) {
    let name = call(facts, instr);
    let (span, message, help) = match fault {
        CountFault::Both => (
            None,
            format!("{name} takes either `count` or `count_per_rep`, not both"),
            "`count` for contiguous elements, `count_per_rep` for the first lanes of each repeat"
                .to_owned(),
        ),
        CountFault::Negative { kind, value } => (
            instr.arg(kind).and_then(|arg| arg.span()),
            format!("{name} cannot work on {value} elements"),
            "a count is 0 or more".to_owned(),
        ),
        CountFault::TooManyLanes { value, lanes } => (
            instr
                .arg(ParamKind::CountPerRepeat)
                .and_then(|arg| arg.span()),
            format!(
                "{name} is to use {value} lanes of each repeat, which has {}",
                counted(lanes, "lane")
            ),
            match instr.row().index_of(ParamKind::Count) {
                Some(_) => format!("use `count={value}` for {value} contiguous elements"),
                None => format!("reduce {lanes} lanes at a time"),
            },
        ),
    };
    sink.report_from(stmt.origin, span.unwrap_or(stmt.span), message)
        .help(help);
}
