use crate::declare_rule;
use crate::reached::branch;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::sync::pipe_of;
use a2lint_ir::{Instr, Note, NoteKind, Program, Stmt, StmtKind};
use a2lint_isa::{Act, Class, Pipe};

declare_rule! {
    /// ## What it does
    /// Reports a kernel of AscendC that places tensors by address, constructs no `TPipe`, and ends while a pipe may
    /// still work.
    ///
    /// ## Why is this bad?
    /// The destructor of a `TPipe` waits for all pipes. Without one nothing does, and the manual asks for a barrier
    /// at the end of such kernels.
    ///
    /// ## Example
    /// ```cpp
    /// LocalTensor<float> x(TPosition::VECIN, 0, 1024);
    /// DataCopy(gy, x, 1024);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// LocalTensor<float> x(TPosition::VECIN, 0, 1024);
    /// DataCopy(gy, x, 1024);
    /// PipeBarrier<PIPE_ALL>();
    /// ```
    ///
    /// ## Source
    /// Stated by the AscendC manual: kernels with tensors by address end with `PipeBarrier<PIPE_ALL>()`.
    "SYN023" "unfinished-work" Warning, basis = AnyLaunch, property = Order
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    let is_placed = |note: &Note| note.kind == NoteKind::WithoutPipe;
    // Code that was not read may wait.
    if !program.unknown.is_empty() || !program.notes.iter().any(is_placed) {
        return;
    }
    let Tail::Works(stmt, instr) = tail(program, &program.body) else {
        return;
    };
    let message = format!(
        "{} may still work when the kernel ends: it has no `TPipe`, whose destructor would wait",
        call(facts, instr)
    );
    let report = sink
        .report_from(stmt.origin, stmt.span, message)
        .advice("end the kernel with `PipeBarrier<PIPE_ALL>()`");
    if let Some(branch) = branch(facts, stmt.id) {
        report
            .label(branch.span, "if a launch takes this branch")
            .possible();
    }
}

/// What the end of a block leaves.
enum Tail<'p> {
    /// The scalar unit has waited for the pipes.
    Waits,
    /// A pipe may work on this instruction.
    Works(&'p Stmt, &'p Instr),
    /// What was before it.
    Nothing,
}

/// Returns what the end of a block leaves.
fn tail<'p>(program: &Program, block: &'p [Stmt]) -> Tail<'p> {
    // Whether some path to the end of the block waits.
    let mut may_wait = false;
    for stmt in block.iter().rev() {
        match &stmt.kind {
            StmtKind::Instr(instr) if waits(program, instr) => return Tail::Waits,
            // The scalar unit ends the kernel itself.
            StmtKind::Instr(instr)
                if instr.operands().next().is_some() && pipe_of(program, instr) != Pipe::S =>
            {
                return Tail::Works(stmt, instr);
            }
            StmtKind::If { arms, otherwise } => {
                let bodies = arms.iter().map(|arm| &arm.body).chain([otherwise]);
                let mut is_empty = false;
                for body in bodies {
                    match tail(program, body) {
                        Tail::Works(stmt, instr) => return Tail::Works(stmt, instr),
                        Tail::Waits => may_wait = true,
                        Tail::Nothing => is_empty = true,
                    }
                }
                if !is_empty {
                    return Tail::Waits;
                }
            }
            StmtKind::Opaque | StmtKind::Havoc(_) => return Tail::Waits,
            kind => {
                for body in kind.blocks() {
                    match tail(program, body) {
                        // A loop that waits is taken to run.
                        Tail::Waits => return Tail::Waits,
                        Tail::Works(stmt, instr) => return Tail::Works(stmt, instr),
                        Tail::Nothing => {}
                    }
                }
            }
        }
    }
    match may_wait {
        true => Tail::Waits,
        false => Tail::Nothing,
    }
}

/// Returns whether the scalar unit waits for all pipes, or for one of them.
fn waits(program: &Program, instr: &Instr) -> bool {
    match instr.row().class {
        Class::Barrier => instr.pipe() == Some(Pipe::All),
        Class::Event => {
            let is_wait = matches!(instr.row().signal(), Some((Act::Wait, _)));
            is_wait && pipe_of(program, instr) == Pipe::S
        }
        _ => false,
    }
}
