use crate::declare_rule;
use crate::wording::{allocated_at, call, view_text};
use crate::{Facts, Sink};
use a2lint_ir::{Instr, LocalView};
use a2lint_isa::{Layout, Place, Position, SRC, param};

declare_rule! {
    /// ## What it does
    /// Reports a bias row in an L1 tensor of NZ layout.
    ///
    /// ## Why is this bad?
    /// The bias table is loaded from a flat row. In NZ, the default layout of L1, a row is cut into strips
    /// of one block with 15 other rows between them: after the first strip, the bias consists of padding.
    ///
    /// ## Example
    /// ```python
    /// l1_bias = Tensor(DT.float, [1, 64], Position.L1)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// l1_bias = Tensor(DT.float, [1, 64], Position.L1, layout=Layout.ND)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on data paths: contiguous loads for bias rows.
    "MOV011" "bias-layout" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        let Some(bias) = bias(instr) else { continue };
        let buffer = facts.program.buffer(bias.buffer);
        let strip = bias.dtype.c0();
        // A row of one strip has the same bytes in both layouts.
        let one_strip = facts
            .program
            .scalars
            .as_int(bias.span[1])
            .is_some_and(|columns| columns <= strip);
        if buffer.layout != Layout::Nz || one_strip {
            continue;
        }
        let message = format!(
            "{} takes the bias from a flat row; `{}` is stored in strips of {strip} columns (NZ)",
            call(facts, instr),
            view_text(facts, bias)
        );
        sink.report_from(stmt.origin, bias.site, message)
            .label(allocated_at(facts, bias), "NZ is the default layout of L1")
            .help("allocate it with `layout=Layout.ND`");
    }
}

/// Returns the L1 row that is loaded into the bias table.
pub(crate) fn bias(instr: &Instr) -> Option<&LocalView> {
    let row = instr.row();
    match row.stages_operands() {
        true => instr.local(param!(Matmul.bias)),
        false if row.moves(Place::L1, Place::Local(Position::Bt)) => instr.local(SRC),
        false => None,
    }
}
