use crate::declare_rule;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::sync::side_of;
use a2lint_ir::{Instr, Program, Stmt, StmtKind, WrongSide};
use a2lint_isa::{Class, Side};

declare_rule! {
    /// ## What it does
    /// Reports instructions of the cube in an Ascriptor kernel of `mode="vec"` or inside of
    /// `vec_scope()`, and those of the vec cores in one of `mode="cube"` or inside of `cube_scope()`. In easyasc it
    /// warns of instructions of the cube in a kernel of `mode="vec"`.
    ///
    /// ## Why is this bad?
    /// Nothing executes them, and the compiler refuses them. On silicon, a launch of vec cores alone that
    /// touches L1 ends with a fault.
    ///
    /// ## Example
    /// ```python
    /// @kernel(mode="vec")
    /// def scores(a: GM[f16, (64, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    ///     l1 <<= a                      # moves to L1 are the cube's
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// @kernel(mode="mix")
    /// def scores(a: GM[f16, (64, 64)], b: GM[f16, (64, 64)], y: GM[f32, (64, 64)]):
    ///     l1 <<= a
    /// ```
    ///
    /// ## Source
    /// The lowering of the Ascriptor compiler. Measured on a 910B3, in Ascriptor: launch fault 507035.
    /// In easyasc it was not measured.
    "DEV015" "wrong-side" Error, basis = Constants, evidence = Measured
}

fn check(facts: &Facts, sink: &mut Sink) {
    each(facts, &mut |stmt, instr, own, place| {
        let who = match own {
            Side::Cube => "the cube",
            _ => "vec cores",
        };
        let message = format!("{} is for {who}, and stands in {place}", call(facts, instr));
        let severity = match facts.program.toolchain.refusals.wrong_side {
            WrongSide::Faults => Severity::Error,
            _ => Severity::Warning,
        };
        sink.report_from(stmt.origin, stmt.span, message)
            .severity(severity)
            .help("move it to where its side executes");
    });
}

/// Returns whether a kernel has instructions that neither side executes.
pub(crate) fn has_any(facts: &Facts) -> bool {
    if facts.program.toolchain.refusals.wrong_side != WrongSide::Faults {
        return false;
    }
    let mut found = false;
    each(facts, &mut |_, _, _, _| found = true);
    found
}

/// Visitor of an instruction on the wrong side: its statement, its own side, and the text of the construct around
/// it.
type Visit<'v> = &'v mut dyn FnMut(&Stmt, &Instr, Side, &'static str);

fn each(facts: &Facts, visit: Visit) {
    let program = facts.program;
    let mode = program.toolchain.refusals.wrong_side;
    if mode == WrongSide::LeftOut {
        return;
    }
    let only = match (program.vec_only, program.cube_only) {
        (true, _) => Some((Side::Vec, "a kernel of mode=\"vec\"")),
        (_, true) => Some((Side::Cube, "a kernel of mode=\"cube\"")),
        _ => None,
    };
    block(
        program,
        &program.body,
        only,
        &mut |stmt, instr, own, place| {
            // Where the fault was not measured, only cube instructions in a kernel for vec cores are reported: that
            // form faults with another toolchain.
            if mode == WrongSide::Faults || (program.vec_only && own == Side::Cube) {
                visit(stmt, instr, own, place);
            }
        },
    );
}

/// The only side that executes a block, and the text of the construct that says so.
type Only = Option<(Side, &'static str)>;

fn block(program: &Program, stmts: &[Stmt], only: Only, visit: Visit) {
    for stmt in stmts {
        let inside = match &stmt.kind {
            StmtKind::Scope {
                side: Side::Vec, ..
            } => Some((Side::Vec, "vec_scope()")),
            StmtKind::Scope {
                side: Side::Cube, ..
            } => Some((Side::Cube, "cube_scope()")),
            _ => only,
        };
        if let (StmtKind::Instr(instr), Some((side, place))) = (&stmt.kind, only) {
            let own = side_of(program, instr);
            // The scalar unit exists on both sides, so registers can be set anywhere.
            let sets_register = instr.row().class == Class::Scalar;
            if own != side && own != Side::Both && !sets_register {
                visit(stmt, instr, own, place);
            }
        }
        for body in stmt.kind.blocks() {
            block(program, body, inside, visit);
        }
    }
}
