use crate::declare_rule;
use crate::gather_mask::gathers::{calls, tensors};
use crate::{GatherFacts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports tensors of `GatherMask` that are not in UB.
    ///
    /// ## Why is this bad?
    /// The vector unit reaches UB alone: the positions VECIN, VECCALC and VECOUT. Tensors at A1, B1 or CO1
    /// belong to the cube side.
    ///
    /// ## Example
    /// ```cpp
    /// TQue<TPosition::A1, 1> queue;
    /// LocalTensor<half> src = queue.DeQue<half>();
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// TQue<TPosition::VECIN, 1> queue;
    /// LocalTensor<half> src = queue.DeQue<half>();
    /// GatherMask(dst, src, 1, false, 0, params, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, TPosition of the operands.
    "GMK021" "gather-position" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        for (role, tensor) in tensors(call) {
            let Some(position) = tensor
                .position
                .as_deref()
                .filter(|position| !in_ub(position))
            else {
                continue;
            };
            let message = format!(
                "{role} is at {position}, and the vector unit reaches VECIN, VECCALC and VECOUT \
                 alone"
            );
            let mut report = sink.report(tensor.span, message);
            if let Some(declared) = tensor.declared {
                report = report.label(declared, "the position is chosen here");
            }
            report.help("keep the tensor in UB; data of the cube side comes through GM");
        }
    }
}

/// Whether a position may be in UB. An unknown name may be a constant of the author.
fn in_ub(position: &str) -> bool {
    !matches!(
        position,
        "A1" | "A2" | "B1" | "B2" | "C1" | "C2" | "CO1" | "CO2" | "GM" | "TSCM" | "C2PIPE2GM"
    )
}
