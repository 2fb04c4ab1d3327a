use crate::declare_rule;
use crate::moves::core_overlap::label_earlier_store;
use crate::moves::workspaces::Workspaces;
use crate::observations::Scene;
use crate::wording::has_lane_blocks;
use crate::wording::{call, snippet};
use crate::{Facts, Sink};
use a2lint_analysis::Dependence;
use a2lint_ir::finding::Severity;
use a2lint_ir::{BinaryOp, Scalar, ScalarId, SpecialScalar};
use a2lint_machine::FindingKind;
use a2lint_replay::Observation;

declare_rule! {
    /// ## What it does
    /// Reports rows of a global tensor that both vec lanes of a core store with different values in a run.
    ///
    /// Warns where the vec lanes split the rows that they store to a workspace at `CeilDiv(valid_m, 2)`,
    /// and the cube loads a tile of fixed height. How the vec lanes divide rows that the cube has stored
    /// does not concern this rule.
    ///
    /// ## Why is this bad?
    /// A core's two vec lanes run the same statements. Without `GetSubBlockIdx()` in the offset, or
    /// with a share that is rounded differently on both sides, they store the same rows, and which of
    /// them wins is a matter of time.
    ///
    /// A split that moves with the height of a tail tile is right as long as nothing counts on halves
    /// of a fixed height: buffers, masks made once for a full tile, rows of the other side.
    ///
    /// ## Example
    /// ```python
    /// local = CeilDiv(valid_m, 2)
    /// start = Var(GetSubBlockIdx() * (local - 1))     # the shares overlap by a row
    /// y[m0 + start:m0 + start + local, 0:N] <<= out[0:local, 0:N]
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// start = Min(GetSubBlockIdx() * HALF_M, valid_m)
    /// local = Min(HALF_M, valid_m - start)
    /// y[m0 + start:m0 + start + local, 0:N] <<= out[0:local, 0:N]
    /// ```
    ///
    /// ## Source
    /// Sub-block partition of the easyasc documentation, pitfall 81.
    "MOV006" "sub-block-split" Error, basis = Shape, property = Ownership,
    causes = ["MOV", "DEV014"]
}

fn check(facts: &Facts, sink: &mut Sink) {
    shared_rows(facts, sink);
    moving_halves(facts, sink);
}

fn shared_rows(facts: &Facts, sink: &mut Sink) {
    if has_lane_blocks(facts.program) {
        return;
    }
    for scene in Scene::all(facts, is_shared) {
        let Some(FindingKind::Overlap {
            global,
            other,
            stmt,
        }) = scene.observation.kind()
        else {
            continue;
        };
        let tensor = &facts.program.global(global).name;
        let message = format!(
            "{} on {} stores other values to rows of `{tensor}` that {} of the same core has stored",
            call(facts, scene.instr),
            scene.observation.lane.kind.name(),
            other.kind.name(),
        );
        let report = scene.report(facts, sink, message).help(
            "give each sub-block rows of its own: `start = sub_block * HALF`, `rows = Min(HALF, valid - start)`",
        );
        label_earlier_store(facts, &scene, stmt, report);
    }
}

fn is_shared(seen: &Observation) -> bool {
    matches!(seen.kind(), Some(FindingKind::Overlap { other, .. }) if other.core == seen.lane.core)
}

/// Reports rows that the vec lanes split at a position which moves with the height of a tile, while the cube
/// loads a constant number of rows.
fn moving_halves(facts: &Facts, sink: &mut Sink) {
    let Some(Workspaces { accesses, .. }) = Workspaces::of(facts.program) else {
        return;
    };
    let sub_block = Dependence::on(facts.program, &[SpecialScalar::SubBlockIdx]);
    let mut reported = Vec::new();
    for access in accesses
        .iter()
        .filter(|access| access.is_vec && access.stores)
    {
        let global = access.view.global;
        let mut axes = access.view.axes.iter();
        let moving =
            axes.position(|axis| sub_block.of(axis.start) && is_moving_half(facts, axis.start));
        let Some(axis) = moving.filter(|_| !reported.contains(&global)) else {
            continue;
        };
        let fixed = accesses.iter().find_map(|other| {
            let rows = other.view.axes.get(axis)?.span;
            let rows = facts
                .program
                .scalars
                .as_int(rows)
                .filter(|&rows| rows > 1)?;
            // The cube stores whole tiles, which the vec lanes may split in any way.
            let is_taken = !other.is_vec && !other.stores && other.view.global == global;
            is_taken.then_some((other, rows))
        });
        let Some((other, rows)) = fixed else { continue };
        reported.push(global);
        let message = format!(
            "{} splits the rows of `{}` where half of the valid rows end, which moves with the height of a \
             tail tile; the cube takes {rows} rows as they lie",
            call(facts, access.instr),
            snippet(facts, access.view.site)
        );
        sink.report_from(access.stmt.origin, access.view.site, message)
            .severity(Severity::Warning)
            .label(
                other.view.site,
                format!("{rows} rows for {}", call(facts, other.instr)),
            )
            .help(
                "split at a fixed height: `start = GetSubBlockIdx() * HALF_M`, \
                 `rows = Min(HALF_M, Max(valid_m - start, 0))`",
            );
    }
}

/// Returns whether an expression contains `CeilDiv(x, 2)` with an `x` that is known but not constant.
fn is_moving_half(facts: &Facts, id: ScalarId) -> bool {
    let scalars = &facts.program.scalars;
    match scalars.get(id) {
        Scalar::Binary(BinaryOp::CeilDiv, x, two) if scalars.as_int(two) == Some(2) => {
            scalars.as_int(x).is_none() && !scalars.has_unknown(x)
        }
        Scalar::Binary(_, a, b) => is_moving_half(facts, a) || is_moving_half(facts, b),
        Scalar::Unary(_, a) => is_moving_half(facts, a),
        _ => false,
    }
}
