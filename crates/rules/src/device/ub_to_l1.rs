use crate::declare_rule;
use crate::device::illegal_moves::illegal_moves;
use crate::wording::declared;
use crate::{Facts, Sink};
use a2lint_isa::Position;

declare_rule! {
    /// ## What it does
    /// Reports a move from UB to L1.
    ///
    /// ## Why is this bad?
    /// The cube and vector cores of A2 share no memory but GM. Results of the vector side reach the
    /// cube through a workspace in GM that a `VcMutex` guards.
    ///
    /// ## Example
    /// ```python
    /// l1_p <<= ub_p
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// vc.lock()
    /// ws[GetCubeIdx(), slot, half_row:half_row + HALF_M, 0:TILE_N] <<= ub_p
    /// vc.ready()
    /// vc.wait()
    /// l1_p <<= ws[GetCubeIdx(), slot, 0:TILE_M, 0:TILE_N]
    /// vc.free()
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 3: vector to cube data path.
    "DEV003" "ub-to-l1" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    let path = (Some(Position::L1), Some(Position::Ub));
    for bad in illegal_moves(facts).filter(|bad| bad.path() == path) {
        let help = format!(
            "go through a GM workspace, with `vc = VcMutex(id, src_end_pipe=Pipe.MTE3, dst_end_pipe=Pipe.FIX)`:\n\
             vec:  `vc.lock(); ws[GetCubeIdx(), slot, ...] <<= {}; vc.ready()`, its half of the rows each\n\
             cube: `vc.wait(); {} <<= ws[GetCubeIdx(), slot, ...]; vc.free()`, the whole tile",
            bad.src_text, bad.dst_text
        );
        sink.report_from(bad.origin, bad.span, bad.message())
            .label(declared(facts, bad.src_view), "this tile is in UB")
            .help(help);
    }
}
