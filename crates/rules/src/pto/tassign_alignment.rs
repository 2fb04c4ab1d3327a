use crate::declare_rule;
use crate::pto::tiles::hex;
use crate::{Sink, TileFacts};
use a2lint_ir::tile::{Address, StepKind};

declare_rule! {
    /// ## What it does
    /// Reports tiles at addresses that are no multiple of 32.
    ///
    /// ## Why is this bad?
    /// Vector instructions and moves address blocks of 32 bytes. `TASSIGN(tile, address)` checks nothing,
    /// neither on the device nor in a release build of the CPU simulator.
    ///
    /// ## Example
    /// ```cpp
    /// TASSIGN(mask, 0x1010);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// TASSIGN(mask, 0x1020);
    /// ```
    ///
    /// ## Source
    /// TASSIGN, alignment.
    "PTO015" "tassign-alignment" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    for step in &facts.function.steps {
        let StepKind::Assign(tile) = &step.kind else {
            continue;
        };
        let Address::At(address, span) = tile.address else {
            continue;
        };
        let over = address.rem_euclid(32);
        if over == 0 {
            continue;
        }
        let message = format!(
            "`{}` is placed at {}, {over} bytes past a multiple of 32",
            tile.text,
            hex(address),
        );
        let (below, above) = (address - over, (address - over).saturating_add(32));
        sink.report(span, message)
            .help(format!("use {} or {}", hex(below), hex(above)));
    }
}
