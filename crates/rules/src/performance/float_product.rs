use crate::declare_rule;
use crate::performance::gains::{listed, saves};
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_costs::{Same, change};
use a2lint_isa::{DType, SRC};

declare_rule! {
    /// ## What it does
    /// Reports products of floats that the launch gives, where halves make the kernel at least 2 %
    /// faster by the [cost model](../cost.md), under the launch of the file that takes longest.
    /// Whether eleven bits of precision are enough for them is left to the author: sums stay floats.
    ///
    /// ## Why is this bad?
    /// The cube multiplies 16 x 16 x 16 halves in a cycle, and 16 x 16 x 8 floats in two; floats take
    /// twice the room in L1, L0A and L0B and on the way there.
    ///
    /// ## Example
    /// ```python
    /// l1_a = DBuff(DT.float, [128, 64], Position.L1)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// l1_a = DBuff(DT.half, [128, 64], Position.L1)
    /// ```
    ///
    /// ## Source
    /// Published rates of the cube.
    "PRF010" "float-product" Info, basis = CostModel, pedantic = true
}

fn check(facts: &Facts, sink: &mut Sink) {
    let mut products = facts.instructions();
    let Some((stmt, instr)) = products.find(|(_, instr)| {
        let is_product = instr.row().is_product();
        is_product
            && instr
                .local(SRC)
                .is_some_and(|view| view.dtype == DType::Float)
    }) else {
        return;
    };
    let Some(base) = facts.costs.base() else {
        return;
    };
    let Some(halved) = change::halved(facts.program, &base.launch) else {
        return;
    };
    let gain = facts
        .costs
        .gain_of(&halved.program, &halved.launch, Same::Operations);
    let Some(gain) = gain else { return };
    let names = halved
        .globals
        .iter()
        .map(|&id| facts.program.global(id).name.as_str());
    let names: Vec<&str> = names.collect();
    let message = format!(
        "{} takes floats: halves in {}, where their precision is enough, {}",
        call(facts, instr),
        listed(&names),
        saves(facts, base, &gain, false)
    );
    sink.report_from(stmt.origin, stmt.span, message)
        .help("pass halves and declare the tiles in L1 with `DT.half`; sums in L0C stay floats");
}
