use crate::declare_rule;
use crate::reached::branch;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_analysis::sizes;
use a2lint_ir::finding::Severity;
use a2lint_ir::{Instr, Notation, Program, Stmt, StmtKind};
use a2lint_isa::Channel;

declare_rule! {
    /// ## What it does
    /// Reports flags between all cores in a kernel of `mode="vec"`, and in AscendC in one of type `AIV_ONLY` or
    /// `AIC_ONLY`.
    ///
    /// ## Why is this bad?
    /// These flags count on a launch that holds every core at once, which only `mode="mix"` promises.
    /// In a vec-only launch lanes wait for lanes that have not started, for ever.
    ///
    /// ## Example
    /// ```python
    /// @kernel(mode="vec")
    /// def total(x: GMTensor, y: GMTensor):
    ///     allvec_ready(0)
    ///     allvec_wait(0)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// @kernel(mode="mix")
    /// def total(x: GMTensor, y: GMTensor):
    ///     allvec_ready(0)
    ///     allvec_wait(0)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on synchronisation, section 6: collectives in vec mode. AscendC manual: types of
    /// kernels, and the flags that each has.
    "DEV010" "vec-mode-collective" Error, basis = Assumption, property = Progress
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    if !program.starts_in_parts {
        return;
    }
    for (stmt, instr) in facts.instructions() {
        if is_collective(instr) && !program.polled_meetings.contains(&instr.name_span) {
            let kind = match program.toolchain.notation {
                Notation::Python => "mode=\"vec\"",
                Notation::Cpp => "a type without flags between cores",
            };
            let message = format!(
                "{} in a kernel of {kind}: not every lane need be running, and the wait may never end",
                call(facts, instr)
            );
            let report = sink
                .report_from(stmt.origin, stmt.span, message)
                .label(program.name_span, "the kernel")
                .help("make it `@kernel(mode=\"mix\")`, or end the kernel here and launch a second one")
                .in_cpp("make it of a MIX type (`KERNEL_TYPE_MIX_AIV_1_0`), or launch a second kernel");
            if let Some(branch) = branch(facts, stmt.id) {
                let report = report
                    .label(branch.span, "if a launch takes this branch")
                    .possible();
                // Host code may take this kind of kernel for launches that do not take the branch.
                if is_launched(program, branch) {
                    report.severity(Severity::Info);
                }
            }
        }
    }
}

/// Returns whether numbers that a launch gives decide a branch.
fn is_launched(program: &Program, branch: &Stmt) -> bool {
    let StmtKind::If { arms, .. } = &branch.kind else {
        return false;
    };
    let scalars = &program.scalars;
    let numbers = sizes(program);
    arms.iter().any(|arm| {
        let mut numbers = numbers.iter();
        numbers.any(|&number| scalars.mentions(arm.condition, number))
    })
}

/// Returns whether an instruction sets or awaits a flag that all cores take part in.
fn is_collective(instr: &Instr) -> bool {
    let signal = instr.row().signal();
    matches!(signal, Some((_, Channel::Flag(route))) if route.joins_cores())
}
