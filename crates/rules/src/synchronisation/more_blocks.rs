use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::Instr;
use a2lint_isa::device::{DEVICES, SUB_BLOCKS};
use a2lint_isa::{Act, Channel};

declare_rule! {
    /// ## What it does
    /// Reports a wait for all cores in a kernel that is launched in more blocks than any device of the
    /// family has cores.
    ///
    /// ## Why is this bad?
    /// Blocks beyond the cores start when earlier ones have ended. Those wait for the later ones, for ever.
    ///
    /// ## Example
    /// ```python
    /// @kernel(mode="mix", block_dim=48)
    /// def total(x: GMTensor, y: GMTensor):
    ///     allvec_ready(0)
    ///     allvec_wait(0)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// @kernel(mode="mix", block_dim=20)
    /// ```
    ///
    /// ## Source
    /// Stated: AscendC manual on block numbers. A public project reports 40 blocks without a deadlock on a 910B3,
    /// hence a warning.
    "SYN020" "more-blocks" Warning, basis = Assumption, property = Progress
}

fn check(facts: &Facts, sink: &mut Sink) {
    let program = facts.program;
    let cores = DEVICES.iter().map(|device| device.cube_cores).max();
    let Some(cores) = cores else { return };
    let (most, what) = match program.counts_vec_cores() {
        true => (cores * SUB_BLOCKS, "vec cores"),
        false => (cores, "cores"),
    };
    let launched = facts
        .replay
        .in_sight()
        .map(|bound| bound.block_dim(program));
    let Some(blocks) = launched
        .chain(program.block_dim)
        .max()
        .filter(|&it| it > most)
    else {
        return;
    };
    for (stmt, instr) in facts.instructions() {
        if !waits_for_all(instr) {
            continue;
        }
        let message = format!(
            "{} in {blocks} blocks, and no device of the family has more than {most} {what}: blocks that have not \
             started are waited for",
            call(facts, instr)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(program.name_span, "the kernel")
            .advice(format!(
                "launch {} blocks or fewer, each with a loop over its tiles",
                // The advice has to hold for the device with the fewest cores.
                DEVICES
                    .iter()
                    .map(|device| device.cube_cores)
                    .min()
                    .unwrap_or(cores)
            ));
    }
}

/// Returns whether an instruction waits for a flag of all cores.
fn waits_for_all(instr: &Instr) -> bool {
    matches!(
        instr.row().signal(),
        Some((Act::Wait, Channel::Flag(route))) if route.joins_cores()
    )
}
