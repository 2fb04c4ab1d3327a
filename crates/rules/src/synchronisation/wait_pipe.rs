use crate::declare_rule;
use crate::source_forms::replace_pipe;
use crate::wording::call;
use crate::{Facts, Report, Sink};
use a2lint_ir::{ArgValue, Instr, Mutex, Stmt};
use a2lint_isa::{Opcode, ParamKind, Pipe};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Reports a wait for another core, or a start pipe of a mutex, on a pipe other than `S`.
    ///
    /// ## Why is this bad?
    /// On A2 a lane waits for flags of other lanes with its scalar unit, and issues nothing until the
    /// flag has come. There is no wait on another pipe; one that is asked for does not hold back what
    /// it should.
    ///
    /// ## Example
    /// ```python
    /// wait_vec(1, pipe=Pipe.MTE2)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// wait_vec(1)
    /// ```
    ///
    /// ## Fix safety
    /// The pipe is replaced by the only one that can wait; safe where order and progress are proved then.
    ///
    /// ## Source
    /// Public DSL documentation on synchronisation: start pipes and every wait use `Pipe.S` on A2.
    "SYN007" "wait-pipe" Error, basis = Constants, fix = Safe
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if waits(instr.opcode) {
            wait(facts, stmt, instr, sink);
        }
    }
    for mutex in &facts.program.mutexes {
        start_pipes(facts, mutex, sink);
    }
}

/// Returns whether an instruction waits for flags of other lanes.
fn waits(opcode: Opcode) -> bool {
    use Opcode::{AllCubeWait, AllVecWait, IntraVecWait, WaitCube, WaitVec};
    matches!(
        opcode,
        WaitCube | WaitVec | AllCubeWait | AllVecWait | IntraVecWait
    )
}

fn wait(facts: &Facts, stmt: &Stmt, instr: &Instr, sink: &mut Sink) {
    let Some(arg) = instr.arg(ParamKind::Pipe) else {
        return;
    };
    if let (ArgValue::Pipe(pipe), Some(span)) = (&arg.value, arg.span())
        && *pipe != Pipe::S
    {
        let message = format!(
            "{} on {pipe}: a lane waits for other lanes on S",
            call(facts, instr)
        );
        let report = sink.report_from(stmt.origin, span, message);
        finish(facts, span, *pipe, report);
    }
}

fn start_pipes(facts: &Facts, mutex: &Mutex, sink: &mut Sink) {
    let starts = [
        ("src_start_pipe", mutex.src_start, mutex.pipe_spans[0]),
        ("dst_start_pipe", mutex.dst_start, mutex.pipe_spans[1]),
    ];
    for (argument, pipe, span) in starts {
        if let Some(span) = span.filter(|_| pipe != Pipe::S) {
            let message = format!("`{argument}` is {pipe}: a lane waits for other lanes on S");
            finish(facts, span, pipe, sink.report(span, message));
        }
    }
}

fn finish(facts: &Facts, span: Span, pipe: Pipe, report: Report) {
    let report = report.help("leave the argument out, or write Pipe.S");
    if let Some(edit) = replace_pipe(facts, span, pipe, Pipe::S) {
        report.fix("wait on S", true, vec![edit]);
    }
}
