use crate::declare_rule;
use crate::pto::tiles::only_there;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Address, Select, StepKind};
use a2lint_isa::masks::Target;

declare_rule! {
    /// ## What it does
    /// Reports a tile that is used before `TASSIGN` has placed it, in a function that places its tiles
    /// itself.
    ///
    /// ## Why is this bad?
    /// In manual mode nothing but `TASSIGN` gives a tile an address. A tile without an address is wherever
    /// its uninitialised pointer points, usually over the first tile of UB.
    ///
    /// ## Example
    /// ```cpp
    /// TASSIGN(src0, 0x1000);
    /// TASSIGN(dst, 0x3000);
    /// TSEL(dst, mask, src0, src1, tmp);                  // where is src1?
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// TASSIGN(src0, 0x1000);
    /// TASSIGN(src1, 0x2000);
    /// TASSIGN(dst, 0x3000);
    /// TSEL(dst, mask, src0, src1, tmp);
    /// ```
    ///
    /// ## Source
    /// TASSIGN, manual mode.
    "PTO016" "tile-unassigned" Error, basis = Shape, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    if !facts.function.manual || facts.function.assembly {
        return;
    }
    let places = facts
        .function
        .steps
        .iter()
        .filter(|step| matches!(step.kind, StepKind::Assign(_)));
    // A function that only sets flags may leave the placement of tiles to a compiler.
    let Some(example) = places.clone().next() else {
        return;
    };
    let mut reported = Vec::new();
    for step in &facts.function.steps {
        for operand in step.operands() {
            let Some(tile) = operand.tile.and_then(|at| facts.function.tiles.get(at)) else {
                continue;
            };
            if !tile.own
                || operand.address != Address::Unassigned
                || reported.contains(&operand.tile)
            {
                continue;
            }
            // Not every target accesses the scratch tile, and for other instructions the scratch operands are
            // unknown.
            let scratch = match &step.kind {
                StepKind::Select(Select { tmp, .. }) | StepKind::SelectScalar { tmp, .. } => {
                    tmp.as_ref().is_some_and(|tmp| tmp.span == operand.span)
                }
                StepKind::Other(operands) => {
                    operands.first().is_none_or(|dst| dst.span != operand.span)
                }
                _ => false,
            };
            let matters = |target: Target| match step.kind {
                StepKind::Other(_) => !scratch,
                _ => !scratch || target.selects_with_scratch(),
            };
            let Some(verdict) = facts.unit.targets.judge(matters) else {
                continue;
            };
            reported.push(operand.tile);
            let later = places.clone().find(|place| {
                place.operands().first().map(|placed| placed.tile) == Some(operand.tile)
            });
            let message = format!(
                "`{}` is used by {} before TASSIGN has placed it",
                operand.text, step.name
            );
            let report = sink
                .report(operand.span, message)
                .label(tile.span, "declared here");
            let report = only_there(report, &verdict, step.span);
            match later {
                Some(later) => report
                    .label(later.span, "placed only here")
                    .help("place it first"),
                None => report
                    .label(example.span, "this function places its tiles itself")
                    .help(format!("add `TASSIGN({}, address);`", tile.name)),
            };
        }
    }
}
