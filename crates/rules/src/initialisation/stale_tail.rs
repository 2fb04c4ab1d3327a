use crate::declare_rule;
use crate::observations::Scene;
use crate::wording::{call, declared};
use crate::{Facts, Sink};
use a2lint_ir::finding::Severity;
use a2lint_ir::{GlobalId, View};
use a2lint_machine::Rest;
use a2lint_replay::{Event, Observation};

declare_rule! {
    /// ## What it does
    /// Reports a load that fills less of its slot than it did before, where a run shows that an output
    /// depends on the remains of the older tile in the slot.
    ///
    /// The replay runs the launch again with other values in the bytes that such loads do not fill. A load
    /// is reported only if an output comes out differently, so a tail that is masked, filled, multiplied by
    /// zero or never stored is silent. It is an error under a launch of the file, and a warning under sizes
    /// that the checker chose.
    ///
    /// ## Why is this bad?
    /// The last step of a loop loads only the remaining rows or columns. The rest of the slot still holds
    /// the tile of an earlier step, defined and plausible, and a product or a sum over the whole tile
    /// includes it. With a single step, or with fresh slots, the same kernel fails in another way or not at
    /// all.
    ///
    /// ## Example
    /// ```python
    /// for k0 in range(0, K, 64):
    ///     l1_a[cnt] <<= a[m0:m0 + 64, k0:Min(k0 + 64, K)]
    ///     l1_b[cnt] <<= b[n0:n0 + 64, k0:Min(k0 + 64, K)]
    ///     matmul(l0c, l1_a[cnt], l1_b[cnt], is_init=(k0 == 0))        # always 64 columns
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// for k0 in range(0, K, 64):
    ///     valid = Min(64, K - k0)
    ///     l1_a[cnt] <<= a[m0:m0 + 64, k0:k0 + valid]
    ///     l1_b[cnt] <<= b[n0:n0 + 64, k0:k0 + valid]
    ///     matmul(l0c, l1_a[cnt], l1_b[cnt], is_init=(k0 == 0), k=valid)
    /// ```
    ///
    /// In UB, fill the rest of the tile (`dup`) before the load, or mask it before the reduction.
    ///
    /// ## Source
    /// A2 device constraints, section 6: memory keeps what was last written to it. Only loads are followed:
    /// the remains of older data after a partial store to a workspace, or after a partial vector
    /// instruction in UB, are not examined.
    "INI011" "stale-tail" Warning, basis = Replayed
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut reported: Vec<GlobalId> = Vec::new();
    let scenes = Scene::all(facts, is_stale);
    for scene in &scenes {
        let Event::Stale {
            global,
            extent,
            rest: Rest::Older(before),
        } = scene.observation.event
        else {
            continue;
        };
        // Operands that the same output depends on are cut alike: one mistake.
        if reported.contains(&global) {
            continue;
        }
        reported.push(global);
        let Some(View::Local(view)) = scene.view() else {
            continue;
        };
        let (noun, now, then) = match extent[1] < before[1] {
            true => ("columns", extent[1], before[1]),
            false => ("rows", extent[0], before[0]),
        };
        let [now, then] = match noun {
            "columns" => [now, then].map(|bytes| bytes * 8 / view.dtype.bits()),
            _ => [now, then],
        };
        let tensor = &facts.program.global(global).name;
        let message = format!(
            "{} fills {now} of {then} {noun} of `{}`; the rest is of an older tile, and `{tensor}` depends on it",
            call(facts, scene.instr),
            facts.program.buffer(view.buffer).label()
        );
        let is_invented = facts.replay.execution(scene.observation).is_invented;
        let severity = if is_invented {
            Severity::Warning
        } else {
            Severity::Error
        };
        let mut report = scene.report(facts, sink, message).severity(severity).help(format!(
            "work on the {now} valid {noun} only (`k=`, `m=`, `n=`, a slice, a mask), or fill the rest first"
        ));
        if let Some(view) = scene.view() {
            report = report.label(
                declared(facts, view),
                "its slot keeps what was loaded before",
            );
        }
        for other in scenes.iter().filter(|other| other.stmt.id != scene.stmt.id) {
            report = report.label(other.stmt.span, "this load leaves old data, too");
        }
    }
}

fn is_stale(seen: &Observation) -> bool {
    matches!(
        seen.event,
        Event::Stale {
            rest: Rest::Older(_),
            ..
        }
    )
}
