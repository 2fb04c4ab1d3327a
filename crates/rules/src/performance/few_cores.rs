use crate::declare_rule;
use crate::performance::gains::saves;
use crate::{Facts, Sink};

declare_rule! {
    /// ## What it does
    /// Reports a kernel that is launched on fewer cores than the device has, where all of them
    /// compute the same at least 2 % faster by the [cost model](../cost.md), under the launch of
    /// the file that takes longest.
    ///
    /// ## Why is this bad?
    /// Cores that take no part are idle.
    ///
    /// ## Example
    /// ```python
    /// # a2lint: launch(x=float[2560, 64], y=float[2560, 64], block_dim=4)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// # a2lint: launch(x=float[2560, 64], y=float[2560, 64])
    /// ```
    ///
    /// ## Source
    /// Cores of the device.
    "PRF006" "few-cores" Info, basis = CostModel, evidence = Stated, pedantic = true
}

fn check(facts: &Facts, sink: &mut Sink) {
    let Some(base) = facts.costs.base() else {
        return;
    };
    let Some(all) = facts.costs.on_all_cores(&base.launch) else {
        return;
    };
    let Some(gain) = facts.costs.gain(facts.program, &all) else {
        return;
    };
    let (some, most) = (
        base.launch.block_dim(facts.program),
        all.block_dim(facts.program),
    );
    let message = format!(
        "`{}` runs on {some} of {most} cores: all of them {}",
        facts.program.name,
        saves(facts, base, &gain, false)
    );
    sink.report(facts.program.name_span, message)
        .advice(format!("launch it on {most} cores"));
}
