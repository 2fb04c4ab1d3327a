use crate::declare_rule;
use crate::performance::gains::{listed, saves};
use crate::{Facts, Sink};
use a2lint_costs::{Same, change};
use a2lint_ir::{GlobalId, ParamKind, View};
use a2lint_machine::cost::GLOBAL_ALIGNMENT;

declare_rule! {
    /// ## What it does
    /// Reports tensors whose rows do not begin at multiples of 512 bytes, where rows padded to that
    /// make the kernel at least 2 % faster by the [cost model](../cost.md), under the launch of the
    /// file that takes longest. It is only said where a kernel takes the padded tensor as it is.
    ///
    /// ## Why is this bad?
    /// Global memory is read and written in lines of 512 bytes; rows that begin inside of one take
    /// up to twice as long.
    ///
    /// ## Example
    /// ```python
    /// x = torch.randn(4096, 264)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// x = torch.randn(4096, 384)[:, :264]
    /// ```
    ///
    /// ## Source
    /// Published measurements of moves with and without alignment.
    "PRF004" "misaligned-rows" Info, basis = CostModel, pedantic = true
}

fn check(facts: &Facts, sink: &mut Sink) {
    let Some(base) = facts.costs.base() else {
        return;
    };
    let params = facts
        .program
        .params
        .iter()
        .filter_map(|param| match param.kind {
            ParamKind::Global(id) => Some(id),
            _ => None,
        });
    let is_slow = |id: &GlobalId| base.misaligned.contains(id);
    let candidates: Vec<GlobalId> = params.filter(is_slow).collect();
    let time = |globals: &[GlobalId]| {
        let padded = globals
            .iter()
            .try_fold(base.launch.clone(), |launch, &global| {
                change::aligned(&launch, global, GLOBAL_ALIGNMENT)
            })?;
        facts.costs.time(facts.program, &padded, Same::Work)
    };
    let Some((chosen, gain)) = facts.costs.fewest(&candidates, &time) else {
        return;
    };
    let moved = facts.instructions().find(|(_, instr)| {
        let mut globals = instr
            .operands()
            .filter_map(|(_, _, view)| View::global(view));
        globals.any(|view| chosen.contains(&view.global))
    });
    let Some((stmt, _)) = moved else { return };
    let names: Vec<&str> = chosen
        .iter()
        .map(|id| facts.program.global(*id).name.as_str())
        .collect();
    let message = format!(
        "rows of {} do not begin at multiples of {GLOBAL_ALIGNMENT} bytes: to pad them {}",
        listed(&names),
        saves(facts, base, &gain, true)
    );
    let padded = chosen.iter().map(|id| {
        let global = &base.launch.globals[id.index()];
        let unit = GLOBAL_ALIGNMENT * 8 / global.dtype.bits();
        let columns = global.shape.last().copied().unwrap_or(0);
        format!(
            "{} columns for `{}`",
            (columns + unit - 1) / unit * unit,
            global.name
        )
    });
    let padded: Vec<String> = padded.collect();
    sink.report_from(stmt.origin, stmt.span, message)
        .help(format!("allocate {}", padded.join(", ")));
}
