use crate::declare_rule;
use crate::wording::{call, view_text};
use crate::{Facts, Sink};
use a2lint_analysis::{Definitions, Dependence};
use a2lint_ir::{
    BinaryOp, BufferId, Instr, Scalar, ScalarId, SpecialScalar, Stmt, StmtId, StmtKind, View,
};
use a2lint_isa::{Class, Place, SRC, param};
use a2lint_source::text::Span;

declare_rule! {
    /// ## What it does
    /// Warns about a `select` in a loop whose packed mask was built before the loop for the rows of
    /// each vector lane, where the loop splits tail tiles at a row that depends on the launch.
    ///
    /// ## Why is this bad?
    /// A diagonal mask that is built once holds for lanes that begin at fixed rows, 0 and 64 of a tile
    /// of 128. With `CeilDiv(valid_m, 2)` rows for each lane the second lane of a tail tile begins
    /// higher up: every row of it is masked as if it were a later one.
    ///
    /// ## Example
    /// ```python
    /// half_rows = CeilDiv(valid_m, 2)
    /// row_begin = Var(GetSubBlockIdx() * half_rows)
    /// ub <<= ws[core, slot, row_begin:row_begin + half_rows, 0:128]
    /// select(ub, diagonal, ub, lowest, SelectMode.TENSOR_SCALAR)      # built for rows 64..128
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// row_begin = Var(GetSubBlockIdx() * 64)
    /// ub <<= ws[core, slot, row_begin:row_begin + 64, 0:128]
    /// select(ub, diagonal, ub, lowest, SelectMode.TENSOR_SCALAR)
    /// ```
    ///
    /// ## Source
    /// A2 device constraints, section 5.1: reuse of a diagonal mask.
    "MOV007" "stale-diagonal-mask" Warning, basis = Shape, property = None
}

fn check(facts: &Facts, sink: &mut Sink) {
    if !facts
        .instructions()
        .any(|(_, instr)| instr.row().class == Class::Select)
    {
        return;
    }
    let lanes = Dependence::on(facts.program, &[SpecialScalar::SubBlockIdx]);
    let definitions = Definitions::of(facts.program);
    for stmt in &facts.program.body {
        stmt.walk(&mut |stmt| {
            if let StmtKind::Loop { body, .. } = &stmt.kind {
                tile_loop(facts, &lanes, &definitions, stmt.id, body, sink);
            }
        });
    }
}

/// Reports the unguarded selects of a loop that splits rows at a position that depends on the launch.
fn tile_loop(
    facts: &Facts,
    lanes: &Dependence,
    definitions: &Definitions,
    loop_id: StmtId,
    body: &[Stmt],
    sink: &mut Sink,
) {
    let Some(split) = moving_split(facts, definitions, body) else {
        return;
    };
    for stmt in unguarded(body) {
        let StmtKind::Instr(instr) = &stmt.kind else {
            continue;
        };
        let is_select = instr.row().class == Class::Select;
        let Some(mask) = instr.local(param!(Select.selmask)).filter(|_| is_select) else {
            continue;
        };
        let Some(built) = prebuilt(facts, lanes, mask.buffer, loop_id) else {
            continue;
        };
        let message = format!(
            "{} applies `{}`, built for fixed rows of each lane, to rows that are split by the tail",
            call(facts, instr),
            view_text(facts, mask)
        );
        sink.report_from(stmt.origin, stmt.span, message)
            .label(split, "the second lane begins at a row that the launch decides")
            .label(built, "the mask is built here, once")
            .help("split at a fixed row and clip the lane's share, or build the mask of a tail tile anew");
    }
}

/// Returns a load in the loop whose first row is the lane index times a value that is not constant.
fn moving_split(facts: &Facts, definitions: &Definitions, body: &[Stmt]) -> Option<Span> {
    let mut found = None;
    for stmt in body {
        stmt.walk(&mut |stmt| {
            let StmtKind::Instr(instr) = &stmt.kind else {
                return;
            };
            let source = (instr.row().moves(Place::Gm, Place::UB))
                .then(|| instr.view(SRC))
                .flatten();
            if let Some(View::Global(view)) = source
                && view
                    .axes
                    .iter()
                    .any(|axis| scaled_lane(facts, definitions, axis.start))
            {
                found = found.or(Some(view.site));
            }
        });
    }
    found
}

/// Returns whether an expression contains `GetSubBlockIdx() * x`, where `x` depends on the launch.
fn scaled_lane(facts: &Facts, definitions: &Definitions, id: ScalarId) -> bool {
    let scalars = &facts.program.scalars;
    let is_lane =
        |id: ScalarId| definitions.resolve(id) == Scalar::Special(SpecialScalar::SubBlockIdx);
    let halves = |id: ScalarId| match definitions.resolve(id) {
        Scalar::Binary(BinaryOp::CeilDiv | BinaryOp::Div, a, b) => {
            scalars.as_int(a).is_none() && scalars.as_int(b) == Some(2)
        }
        _ => false,
    };
    match definitions.resolve(id) {
        Scalar::Binary(BinaryOp::Mul, a, b) if is_lane(a) => halves(b),
        Scalar::Binary(BinaryOp::Mul, a, b) if is_lane(b) => halves(a),
        Scalar::Binary(_, a, b) => {
            scaled_lane(facts, definitions, a) || scaled_lane(facts, definitions, b)
        }
        _ => false,
    }
}

/// Returns the statements of a loop body that are not in a branch.
fn unguarded(body: &[Stmt]) -> Vec<&Stmt> {
    let mut found = Vec::new();
    for stmt in body {
        found.push(stmt);
        if !matches!(stmt.kind, StmtKind::If { .. }) {
            for block in stmt.kind.blocks() {
                found.extend(unguarded(block));
            }
        }
    }
    found
}

/// Returns where a mask is built, if that is entirely before the loop and depends on the lane.
fn prebuilt(facts: &Facts, lanes: &Dependence, mask: BufferId, loop_id: StmtId) -> Option<Span> {
    if facts.analysis.obscured.contains(&mask) {
        return None;
    }
    let mut built = None;
    for writer in facts.analysis.writers(mask) {
        if facts.program.order(writer.stmt.id) > facts.program.order(loop_id) {
            return None;
        }
        if depends(writer.instr, lanes) {
            built = built.or(Some(writer.stmt.span));
        }
    }
    built
}

fn depends(instr: &Instr, lanes: &Dependence) -> bool {
    instr
        .args
        .iter()
        .filter_map(|arg| arg.value.scalar())
        .any(|id| lanes.of(id))
}
