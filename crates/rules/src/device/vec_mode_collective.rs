use crate::declare_rule;
use crate::reached::branch;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::{Instr, Notation};
use a2lint_isa::Channel;
use a2lint_source::text::Span;

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
        // What polls memory needs no flag.
        let is_here = |span: &Span| stmt.span.start <= span.start && span.end <= stmt.span.end;
        let is_polled = program.polled_flags.iter().any(is_here);
        if is_collective(instr) && !is_polled {
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
                report
                    .label(branch.span, "if a launch takes this branch")
                    .possible();
            }
        }
    }
}

/// Returns whether an instruction sets or awaits a flag that all cores take part in.
fn is_collective(instr: &Instr) -> bool {
    let signal = instr.row().signal();
    matches!(signal, Some((_, Channel::Flag(route))) if route.joins_cores())
}
