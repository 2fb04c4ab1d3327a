use std::collections::VecDeque;

use crate::declare_rule;
use crate::types::operands::typed;
use crate::wording::{alternatives, type_name};
use crate::{Facts, Sink};
use a2lint_analysis::{TypeFault, type_fault};
use a2lint_ir::{Instr, Stmt};
use a2lint_isa::{DType, ParamKind, RoundMode, cast_pair, casts_from};

declare_rule! {
    /// ## What it does
    /// Reports a `cast` between types that have no conversion, or with a round mode that the
    /// conversion does not have.
    ///
    /// ## Why is this bad?
    /// There is no such instruction. Some conversions take two steps: 8-bit integers reach float by
    /// way of half.
    ///
    /// ## Example
    /// ```python
    /// cast(x_float, x_uint8)
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// cast(x_half, x_uint8)
    /// cast(x_float, x_half)
    /// ```
    ///
    /// ## Source
    /// Conversion tables of the AscendC `Cast` on Atlas A2.
    "TYP004" "cast-pair" Error, basis = Constants
}

fn check(facts: &Facts, sink: &mut Sink) {
    for (stmt, instr) in facts.instructions() {
        match type_fault(facts.program, instr) {
            Some(TypeFault::CastPair { src, dst }) => pair(facts, stmt, instr, [src, dst], sink),
            Some(TypeFault::CastMode { src, dst, mode }) => {
                round(facts, (stmt, instr), [src, dst], mode, sink);
            }
            _ => {}
        }
    }
}

fn pair(facts: &Facts, stmt: &Stmt, instr: &Instr, [src, dst]: [DType; 2], sink: &mut Sink) {
    let [to, from] = &typed(facts, instr)[..] else {
        return;
    };
    let message = format!(
        "no conversion from {src} to {dst}: `{}` cannot become `{}`",
        from.text, to.text
    );
    let help = match path(src, dst) {
        Some(steps) => by_way_of(&steps),
        None if src.bits() == dst.bits() => format!(
            "no chain of casts leads there; `{}.reinterpret({})` keeps the bits",
            from.text,
            type_name(facts, dst)
        ),
        None => {
            let reachable: Vec<&str> = casts_from(src).map(DType::name).collect();
            match reachable.as_slice() {
                [] => format!("nothing can be cast from {src}"),
                names => format!("{src} can become {}", alternatives(names)),
            }
        }
    };
    let in_cpp = help
        .replace(".reinterpret(DT.", ".ReinterpretCast<")
        .replace(")` keeps", ">()` keeps")
        .replace(
            ONCE,
            &format!("{ONCE} (`SetDeqScale((half)1.0)` before int -> half)"),
        );
    sink.report_from(stmt.origin, stmt.span, message)
        .label(from.declared, format!("{src} here"))
        .label(to.declared, format!("{dst} here"))
        .help(help)
        .in_cpp(in_cpp);
}

/// What is said of a chain that rounds to whole numbers at its first step.
const ONCE: &str = "rounds once";

/// Formats a chain of conversions, and the one that rounds once if this one rounds to a float on its way to an integer.
fn by_way_of(steps: &[DType]) -> String {
    let chain = |steps: &[DType]| {
        let names: Vec<&str> = steps.iter().map(|step| step.name()).collect();
        names.join(" -> ")
    };
    let text = format!("convert in {} steps: {}", steps.len() - 1, chain(steps));
    let [src, between, dst] = *steps else {
        return text;
    };
    if !src.is_float() || !between.is_float() || dst.is_float() || src.bits() <= between.bits() {
        return text;
    }
    // Rounding to an integer comes first; small integers are exact in every float on the way.
    let once = [src, DType::Int, between, dst];
    let is_chain = once
        .windows(2)
        .all(|pair| cast_pair(pair[0], pair[1]).is_some());
    match is_chain {
        true => format!("{text}, which rounds twice; {} {ONCE}", chain(&once)),
        false => text,
    }
}

/// Returns the shortest chain of conversions between two types.
fn path(src: DType, dst: DType) -> Option<Vec<DType>> {
    let mut queue = VecDeque::from([vec![src]]);
    let mut seen = vec![src];
    while let Some(steps) = queue.pop_front() {
        let last = *steps.last()?;
        if last == dst && steps.len() > 1 {
            return Some(steps);
        }
        for next in casts_from(last) {
            if next == dst || !seen.contains(&next) {
                seen.push(next);
                queue.push_back(steps.iter().copied().chain([next]).collect());
            }
        }
    }
    None
}

fn round(
    facts: &Facts,
    (stmt, instr): (&Stmt, &Instr),
    [src, dst]: [DType; 2],
    mode: RoundMode,
    sink: &mut Sink,
) {
    let span = instr.arg(ParamKind::Round).and_then(|arg| arg.span());
    let Some(pair) = cast_pair(src, dst) else {
        return;
    };
    let notation = facts.program.toolchain.notation;
    let modes = pair.modes.iter().map(|mode| notation.round_mode(*mode));
    let modes: Vec<&str> = modes.collect();
    let message = format!(
        "{src} to {dst} cannot round with {}",
        notation.round_mode(mode)
    );
    sink.report_from(stmt.origin, span.unwrap_or(stmt.span), message)
        .advice(format!("it has {}", alternatives(&modes)));
}
