use crate::declare_rule;
use crate::pto::tiles::{compares, only_there};
use crate::{Sink, TileFacts};
use a2lint_ir::tile::CompareMode;
use a2lint_isa::masks::{Element, Target};

declare_rule! {
    /// ## What it does
    /// Reports integer compares whose mode the vector unit of A2 and A3 does not carry out.
    ///
    /// ## Why is this bad?
    /// An int32 compare on A2 and A3 always tests for equality, whatever mode is passed: an error. `TCMPS`
    /// on int16 and uint16 compares the bits as half: order is wrong for negative numbers and for everything
    /// that is a NaN as half, so every mode but EQ and NE is a warning.
    ///
    /// ## Example
    /// ```cpp
    /// Tile<TileType::Vec, int32_t, 16, 64> a, b;
    /// TCMP(mask, a, b, CmpMode::LT);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// Tile<TileType::Vec, float, 16, 64> a, b;           // exact below 2^24
    /// TCMP(mask, a, b, CmpMode::LT);
    /// ```
    ///
    /// ## Source
    /// TCMP and TCMPS, the implementation of A2A3.
    "PTO011" "tcmp-int-mode" Error, basis = Constants, scope = Tiles
}

fn check(facts: &TileFacts, sink: &mut Sink) {
    let Some(verdict) = facts.unit.targets.judge(|target| target == Target::A2A3) else {
        return;
    };
    for (step, compare) in compares(facts) {
        let (Some((mode, span)), Some(element)) = (compare.mode, compare.src0.element()) else {
            continue;
        };
        let is_scalar = compare.src1.is_none();
        match element {
            Element::Int32 if mode != CompareMode::Eq => {
                let message = format!(
                    "{} on int32_t tests for equality on A2/A3 whatever the mode, so {} is not carried out",
                    step.name,
                    mode.name(),
                );
                let report = sink
                    .report(span, message)
                    .label(compare.src0.span, "int32_t")
                    .help("convert both sides to float with TCVT, exact for numbers below 2^24");
                only_there(report, &verdict, step.span);
            }
            Element::Int16 | Element::UInt16
                if is_scalar && !matches!(mode, CompareMode::Eq | CompareMode::Ne) =>
            {
                let message = format!(
                    "TCMPS on {element} compares the bits as half on A2/A3, so {} is wrong for some numbers",
                    mode.name(),
                );
                sink.report(span, message)
                    .label(compare.src0.span, format!("{element}"))
                    .help("convert to half or float with TCVT first")
                    .possible();
            }
            _ => {}
        }
    }
}
