use crate::declare_rule;
use crate::observations::Scene;
use crate::wording::call;
use crate::{Facts, Sink};
use a2lint_replay::{Event, Observation};

declare_rule! {
    /// ## What it does
    /// Reports the instruction that produces NaN or an infinity from finite operands in a run, if such a
    /// value reaches an output.
    ///
    /// ## Why is this bad?
    /// Half overflows at 65504, also where a sum in L0C becomes a half on its way out; `exp` of a
    /// float overflows at 88.7, and the reciprocal of zero is infinite.
    /// From there on `inf - inf` and `0 * inf` make NaN, which spreads through every sum.
    ///
    /// ## Example
    /// ```python
    /// exp(p, scores)                      # half: overflows from 11.1 on
    /// ```
    ///
    /// ```cpp
    /// Exp(a, a, 64);                                // overflows above 88.7
    /// Div(a, a, a, 64);                             // infinity by infinity
    /// ```
    ///
    /// ## Use instead
    /// ```python
    /// sub(scores, scores, row_max8)       # no score is above 0 any more
    /// exp(p, scores)
    /// ```
    ///
    /// ```cpp
    /// Adds(a, a, -largest, 64);
    /// Exp(a, a, 64);
    /// ```
    ///
    /// ## Source
    /// IEEE 754 arithmetic of the A2 vector and cube units. The values are those of the launch's generated
    /// inputs.
    "INI010" "nan-produced" Warning, basis = Replayed, property = None,
    causes = ["INI003", "COV", "MSK"]
}

fn check(facts: &Facts, sink: &mut Sink) {
    for scene in Scene::all(facts, is_nonfinite) {
        let Event::NonFinite { value, global } = scene.observation.event else {
            continue;
        };
        let message = format!(
            "{} makes {} of finite operands, and it reaches `{}`",
            call(facts, scene.instr),
            value_text(value),
            facts.program.global(global).name
        );
        scene
            .report(facts, sink, message)
            .advice("bound the operand first, or compute in float");
    }
}

fn is_nonfinite(seen: &Observation) -> bool {
    matches!(seen.event, Event::NonFinite { .. })
}

fn value_text(value: f64) -> &'static str {
    match value {
        value if value.is_nan() => "NaN",
        value if value > 0.0 => "an infinity",
        _ => "a negative infinity",
    }
}
