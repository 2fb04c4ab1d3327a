use crate::declare_rule;
use crate::device::illegal_moves::illegal_moves;
use crate::wording::declared;
use crate::{Facts, Sink};
use a2lint_isa::Position;

declare_rule! {
    /// ## What it does
    /// Reports a move from L0C to UB.
    ///
    /// ## Why is this bad?
    /// The cube and vector cores of A2 share no memory but GM. Results of the cube reach the vector
    /// side through a workspace in GM that a `CvMutex` guards.
    ///
    /// ## Example
    /// ```python
    /// ub <<= l0c[count]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cv.lock()
    /// ws[GetCubeIdx(), slot, 0:TILE_M, 0:TILE_N] <<= l0c[count]
    /// cv.ready()
    /// cv.wait()
    /// ub <<= ws[GetCubeIdx(), slot, half_row:half_row + HALF_M, 0:TILE_N]
    /// cv.free()
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 2: cube to vector data path.
    "DEV002" "l0c-to-ub" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    let path = (Some(Position::Ub), Some(Position::L0C));
    for bad in illegal_moves(facts).filter(|bad| bad.path() == path) {
        let help = format!(
            "go through a GM workspace, with `cv = CvMutex(id, src_end_pipe=Pipe.FIX, dst_end_pipe=Pipe.MTE2)`:\n\
             cube: `cv.lock(); ws[GetCubeIdx(), slot, ...] <<= {}; cv.ready()`\n\
             vec:  `cv.wait(); {} <<= ws[GetCubeIdx(), slot, ...]; cv.free()`, its half of the rows each",
            bad.src_text, bad.dst_text
        );
        sink.report_from(bad.origin, bad.span, bad.message())
            .label(declared(facts, bad.src_view), "this tile is in L0C")
            .help(help);
    }
}
