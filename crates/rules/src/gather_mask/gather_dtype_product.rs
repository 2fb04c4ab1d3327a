use crate::declare_rule;
use crate::gather_mask::gathers::{calls, only_there};
use crate::{GatherFacts, Sink};
use a2lint_isa::masks::{Element, Target};

declare_rule! {
    /// ## What it does
    /// Reports element types that `GatherMask` does not take on a product that the file is meant for.
    ///
    /// ## Why is this bad?
    /// All products take half, float and the integers of 2 and 4 bytes. bfloat16 needs A2 or later, int8 and
    /// uint8 need 950. No product takes 8-byte elements.
    ///
    /// ## Example
    /// ```cpp
    /// LocalTensor<int8_t> src = queue.DeQue<int8_t>();
    /// GatherMask(dst, src, 1, false, 0, {1, 1, 8, 0}, kept);
    /// ```
    ///
    /// ## Use instead
    /// ```cpp
    /// LocalTensor<half> wide = wideBuf.Get<half>();
    /// Cast(wide, src, RoundMode::CAST_NONE, 256);
    /// GatherMask(dst, wide, 1, false, 0, {1, 2, 8, 0}, kept);
    /// ```
    ///
    /// ## Source
    /// GatherMask, T: products.
    "GMK003" "gather-dtype-product" Error, basis = Constants, scope = Gathers
}

fn check(facts: &GatherFacts, sink: &mut Sink) {
    for (_, call) in calls(facts) {
        let Some(element) = call.element() else {
            continue;
        };
        let Some(verdict) = facts.unit.targets.judge(|target| !takes(target, element)) else {
            continue;
        };
        let target = verdict.example();
        let tensor = match call.src.element {
            Some(_) => &call.src,
            None => &call.dst,
        };
        let message = format!("GatherMask does not take {element} on {}", target.name());
        let help = match element {
            Element::Int8 | Element::UInt8 => "cast to half first, or gather pairs as uint16_t",
            Element::BFloat16 => "reinterpret as uint16_t: the instruction moves bits",
            _ => "reinterpret as a type of 2 or 4 bytes: the instruction moves bits",
        };
        only_there(
            sink.report(tensor.span, message).help(help),
            &verdict,
            call.name_span,
        );
    }
}

fn takes(target: Target, element: Element) -> bool {
    match element {
        Element::BFloat16 => matches!(
            target,
            Target::A2A3 | Target::A5 | Target::Kirin | Target::Cpu
        ),
        Element::Int8 | Element::UInt8 => matches!(target, Target::A5 | Target::Cpu),
        element => element.is_maskable(),
    }
}
