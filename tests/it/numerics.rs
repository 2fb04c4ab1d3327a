//! `a2lint test --numerics`: errors are those of the kernel's arithmetic, and are attributed to the statements that
//! cause them. `tests/golden.rs` compares exact values with NumPy.

use a2lint::laws::{OutputPrecision, Request, test};
use a2lint::target::Target;
use a2lint::text::SourceText;

use crate::laws::{ROWS, a2lint, all, edited};
use crate::run::{file, json, stdout};

/// Returns the precision that `--numerics` measures for a kernel's only result.
fn measured(text: &str) -> OutputPrecision {
    let target = Target::of("k.py", &SourceText::new(text), None).expect("a kernel");
    let program = target.programs().expect("a kernel")[0];
    let request = Request {
        laws: Vec::new(),
        numerics: true,
        ..Request::default()
    };
    let tested = test(&target, program, &all(), &request, &mut ());
    let mut precision = tested.numerics.expect("it was asked for");
    assert_eq!((precision.launches, precision.outputs.len()), (2, 1));
    precision.outputs.remove(0)
}

#[test]
fn a_product_by_a_power_of_two_has_no_error() {
    let output = measured(ROWS);
    assert_eq!((output.max_ulp, output.mean_ulp), (0.0, 0.0));
    assert_eq!((output.elements, output.classes[0]), (6400, 6400));
    assert!(output.blamed.is_empty(), "{output:?}");
}

#[test]
fn an_error_is_blamed_on_the_statement_that_adds_it() {
    let text = edited(&[
        (
            "    done = Tensor(",
            "    short = Tensor(DT.half, [8, 64], Position.UB)\n    done = Tensor(",
        ),
        (
            "muls(done, tile, 2.0)",
            "muls(tile, tile, 0.3)\n            cast(short, tile)\n            \
             cast(done, short)\n            muls(done, done, 3.0)",
        ),
    ]);
    let output = measured(&text);
    // Half has 13 bits less than float, and still fewer for subnormal numbers.
    assert!((1000.0..=4096.0).contains(&output.mean_ulp), "{output:?}");
    let target = Target::of("k.py", &SourceText::new(text.as_str()), None).expect("a kernel");
    let program = target.programs().expect("a kernel")[0];
    let stmt = program
        .statement(output.blamed[0].stmt)
        .expect("a statement");
    assert_eq!(
        &text[stmt.span.start as usize..stmt.span.end as usize],
        "cast(short, tile)"
    );
    assert!(output.blamed[0].share > 0.99, "{output:?}");
    assert!(
        (0.4..=0.5).contains(&output.blamed[0].rounding.added),
        "{output:?}"
    );
}

#[test]
fn a_difference_of_near_numbers_cancels() {
    let text = edited(&[(
        "muls(done, tile, 2.0)",
        "adds(done, tile, 1000.0)\n            adds(done, done, -1000.0)\n            \
         sub(done, done, tile)",
    )]);
    let output = measured(&text);
    // The exact result is 0, so all of it is rounding error.
    assert!(output.max_ulp > 1e6, "{output:?}");
    let text = edited(&[(
        "muls(done, tile, 2.0)",
        "muls(done, tile, 1.001)\n            adds(done, done, 1000.0)\n            \
         adds(done, done, -1000.0)",
    )]);
    let output = measured(&text);
    let (_, cancellation) = output.cancellations.first().expect("it cancels");
    assert!(
        cancellation.after > 16.0 * cancellation.before,
        "{cancellation:?}"
    );
    assert!(
        (900.0..1100.0).contains(&cancellation.operand),
        "{cancellation:?}"
    );
}

/// Sums of rows in half, in steps.
#[test]
fn sums_in_a_short_type_are_told() {
    let text = edited(&[
        (
            "    done = Tensor(",
            "    short = Tensor(DT.half, [8, 64], Position.UB)\n    \
             total = Tensor(DT.half, [8, 64], Position.UB)\n    done = Tensor(",
        ),
        (
            "muls(done, tile, 2.0)",
            "cast(short, tile)\n            dup(total, 0.0)\n            \
             for _ in range(0, 50):\n                add(total, total, short)\n            \
             cast(done, total)",
        ),
    ]);
    let output = measured(&text);
    let sums = output.blamed.iter().find(|blame| blame.rounding.sums_short);
    assert!(sums.is_some_and(|blame| blame.share > 0.5), "{output:?}");
}

#[test]
fn the_command_shows_errors() {
    let text = edited(&[("muls(done, tile, 2.0)", "muls(done, tile, 0.3)")]);
    let (_directory, path) = file(&text);
    let path = path.display().to_string();
    let output = a2lint(&["test", &path, "--law", "coverage", "--numerics"]);
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.contains("measured in 2 launches, no bound"), "{text}");
    assert!(
        text.contains("100 % of the error comes from line 14: muls"),
        "{text}"
    );
    let output = a2lint(&["test", &path, "--law", "coverage", "--numerics", "--json"]);
    let object = json(&output);
    let measured = &object["kernels"][0]["numerics"]["outputs"][0];
    assert_eq!(measured["tensor"], "y");
    let largest = measured["maxUlp"].as_f64().expect("a number");
    assert!((0.4..=1.0).contains(&largest), "{measured}");
}
