use crate::declare_rule;
use crate::device::illegal_moves::illegal_moves;
use crate::wording::declared;
use crate::{Facts, Sink};
use a2lint_isa::Position;

declare_rule! {
    /// ## What it does
    /// Reports a move from L0C to an L1 tensor of float elements.
    ///
    /// ## Why is this bad?
    /// On A2 the drain from L0C to L1 converts to a narrower type; it does not write float.
    ///
    /// ## Example
    /// ```python
    /// l1_s = Tensor(DT.float, [128, 128], Position.L1)
    /// l1_s <<= l0c
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// l1_s = Tensor(DT.half, [128, 128], Position.L1)
    /// l1_s <<= l0c
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, sections 1 and 3a: `l0c_to_l1(float)` is blocked.
    "DEV004" "l0c-to-l1-float" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    let path = (Some(Position::L1), Some(Position::L0C));
    for bad in illegal_moves(facts).filter(|bad| bad.path() == path) {
        let message = format!(
            "L0C cannot be moved to L1 as float: `{}` cannot receive `{}`",
            bad.dst_text, bad.src_text
        );
        let help = format!(
            "make `{0}` half or bfloat16; where the next product needs float, take a GM workspace: \
             `ws[...] <<= {1}`, then `{0} <<= ws[...]`",
            bad.dst_text, bad.src_text
        );
        sink.report_from(bad.origin, bad.span, message)
            .label(declared(facts, bad.dst_view), "float in L1")
            .help(help);
    }
}
