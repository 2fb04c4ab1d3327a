//! What `a2lint test --numerics` says of a buffer in float is what rewriting the kernel gives.

use a2lint::laws::{OutputPrecision, Request, test};
use a2lint::run::{Arguments, Which};
use a2lint::target::Target;
use a2lint::text::SourceText;

/// A kernel with halves between two steps in float; the test replaces `STEPS`.
const KERNEL: &str = r#"
from easyasc.a2 import *

# a2lint: launch(x=half[32, 64], y=float[32, 64])
@kernel(mode="vec")
def k(x: GMTensor, y: GMTensor):
    load = Tensor(DT.half, [32, 64], Position.UB)
    wide = Tensor(DT.float, [32, 64], Position.UB)
    other = Tensor(DT.float, [32, 64], Position.UB)
    narrow = Tensor(DT.NARROW, [32, 64], Position.UB)
    second = Tensor(DT.half, [32, 64], Position.UB)
    with auto_sync():
        if GetVecIdx() == 0:
            load <<= x[0:32, 0:64]
STEPS
            y[0:32, 0:64] <<= wide
    return y
"#;

/// For each kernel the type of the buffer, the steps with it, and the same steps in float.
const PAIRS: [(&str, &str, &str); 5] = [
    // A square in half.
    (
        "half",
        "mul(narrow, load, load)
         cast(wide, narrow, round_mode=RoundMode.NONE)
         muls(wide, wide, -0.5)
         exp(wide, wide)",
        "cast(wide, load, round_mode=RoundMode.NONE)
         mul(wide, wide, wide)
         muls(wide, wide, -0.5)
         exp(wide, wide)",
    ),
    // Probabilities in half.
    (
        "half",
        "cast(wide, load, round_mode=RoundMode.NONE)
         exp(wide, wide)
         cast(narrow, wide, round_mode=RoundMode.TO_EVEN)
         cast(wide, narrow, round_mode=RoundMode.NONE)
         muls(wide, wide, 0.3)",
        "cast(wide, load, round_mode=RoundMode.NONE)
         exp(wide, wide)
         muls(wide, wide, 0.3)",
    ),
    // A running sum in half.
    (
        "half",
        "dup(wide, 0.0)
         dup(narrow, 0.0)
         for at in range(32):
             add(narrow[0:1, :], narrow[0:1, :], load[at:at + 1, :], count=64)
         cast(wide[0:1, :], narrow[0:1, :], round_mode=RoundMode.NONE, count=64)
         muls(wide, wide, 0.3)",
        "dup(wide, 0.0)
         cast(other, load, round_mode=RoundMode.NONE)
         for at in range(32):
             add(wide[0:1, :], wide[0:1, :], other[at:at + 1, :], count=64)
         muls(wide, wide, 0.3)",
    ),
    // A state in bfloat16.
    (
        "bfloat16",
        "cast(wide, load, round_mode=RoundMode.NONE)
         muls(wide, wide, 1.7)
         cast(narrow, wide, round_mode=RoundMode.TO_EVEN)
         cast(wide, narrow, round_mode=RoundMode.NONE)
         mul(wide, wide, wide)",
        "cast(wide, load, round_mode=RoundMode.NONE)
         muls(wide, wide, 1.7)
         mul(wide, wide, wide)",
    ),
    // Of two short buffers, the one with the larger error: the other keeps its type.
    (
        "half",
        "cast(wide, load, round_mode=RoundMode.NONE)
         mul(wide, wide, wide)
         muls(wide, wide, 40.0)
         cast(narrow, wide, round_mode=RoundMode.TO_EVEN)
         cast(wide, narrow, round_mode=RoundMode.NONE)
         muls(wide, wide, 0.0125)
         exp(wide, wide)
         cast(second, wide, round_mode=RoundMode.TO_EVEN)
         cast(wide, second, round_mode=RoundMode.NONE)",
        "cast(wide, load, round_mode=RoundMode.NONE)
         mul(wide, wide, wide)
         muls(wide, wide, 40.0)
         muls(wide, wide, 0.0125)
         exp(wide, wide)
         cast(second, wide, round_mode=RoundMode.TO_EVEN)
         cast(wide, second, round_mode=RoundMode.NONE)",
    ),
];

/// Measures the errors of the result of a kernel, and returns it with the name of the buffer that gains most.
fn measured(dtype: &str, steps: &str) -> (OutputPrecision, Option<String>) {
    let steps: Vec<String> = steps.lines().map(|line| format!("    {line}")).collect();
    let indented: Vec<String> = steps
        .iter()
        .enumerate()
        .map(|(at, line)| match at {
            0 => format!("        {line}"),
            _ => line[1..].to_owned(),
        })
        .collect();
    let text = KERNEL
        .replace("NARROW", dtype)
        .replace("STEPS", &indented.join("\n"));
    let target = Target::of("k.py", &SourceText::new(text.as_str()), None).expect("a kernel");
    let program = target
        .programs()
        .unwrap_or_else(|error| panic!("{error}\n{text}"))[0];
    let request = Request {
        laws: Vec::new(),
        numerics: true,
        ..Request::default()
    };
    let arguments = Arguments {
        launch: Which::All,
        ..Arguments::default()
    };
    let tested = test(&target, program, &arguments, &request, &mut ());
    let precision = tested.numerics.expect("it is asked for");
    assert_eq!(precision.left_out, None, "{text}");
    let output = precision.outputs.into_iter().next().expect("a result");
    let best = output.widened.first();
    let best = best.map(|it| program.buffer(it.buffer).label().to_owned());
    (output, best)
}

#[test]
fn a_buffer_in_float_gains_what_rewriting_the_kernel_gains() {
    for (dtype, short, wide) in PAIRS {
        let (with, best) = measured(dtype, short);
        let (without, _) = measured(dtype, wide);
        assert_eq!(best.as_deref(), Some("narrow"), "{short}: {with:?}");
        let told = with.widened[0].part;
        assert!(told < 0.95 * with.part, "{short}: {told} of {}", with.part);
        // Far below the error that is removed, both are the rounding of float.
        let gains = (with.part - told, with.part - without.part);
        let ratio = gains.0 / gains.1;
        assert!((0.9..1.1).contains(&ratio), "{short}: {gains:?}");
    }
}
