use crate::declare_rule;
use crate::wording::{call, declared, snippet};
use crate::{Facts, Sink};
use a2lint_ir::{Instr, Stmt, View};
use a2lint_isa::{Class, Opcode, Place, Position, SRC, Walk};

declare_rule! {
    /// ## What it does
    /// Reports `.T` on an operand of a move, except on the L1 operand of a load into L0A or L0B.
    ///
    /// ## Why is this bad?
    /// `.T` is a label that the cube's operand load understands. The moves from GM, to GM and out of L0C
    /// have no transposing form on A2; they move rows as they are stored.
    ///
    /// ## Example
    /// ```python
    /// l1_b <<= b[0:64, 0:128].T
    /// matmul(acc, l1_a, l1_b, m=64, n=128, k=64)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// l1_b <<= b[0:64, 0:128]
    /// matmul(acc, l1_a, l1_b.T, m=64, n=128, k=64)
    /// ```
    ///
    /// ## Source
    /// Public DSL documentation on data paths: transposing loads and drains exist on A5 only.
    "DEV007" "transposed-move" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        if !matches!(instr.row().class, Class::Move | Class::Fixpipe) {
            continue;
        }
        let to_cube = instr.row().moves(Place::L1, Place::Local(Position::L0A));
        for (index, operand, view) in instr.operands() {
            let cube_load = to_cube && index == SRC && operand.walk == Walk::Matrix;
            if transposed(view) && !cube_load {
                report(facts, stmt, instr, view, sink);
            }
        }
    }
}

fn transposed(view: &View) -> bool {
    match view {
        View::Local(view) => view.transposed,
        View::Global(view) => view.transposed,
    }
}

fn report(facts: &Facts, stmt: &Stmt, instr: &Instr, view: &View, sink: &mut Sink) {
    let text = snippet(facts, view.site());
    let message = format!(
        "{} does not transpose: `{text}` is moved as its rows lie",
        call(facts, instr)
    );
    let report = sink
        .report_from(stmt.origin, view.site(), message)
        .label(declared(facts, view), "declared here");
    let row = instr.row();
    match row.class {
        _ if row.moves(Place::Gm, Place::L1) => report.help(format!(
            "load it without `.T`, and take `.T` of the L1 tile as operand of {}()",
            facts.program.name_of(Opcode::Matmul)
        )),
        Class::Fixpipe => report.help(
            "exchange the operands of the product: (A * B) transposed is B transposed * A transposed",
        ),
        _ => report.help("hand the tensor over transposed, or transpose it in UB"),
    };
}
