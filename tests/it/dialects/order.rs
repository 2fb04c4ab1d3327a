//! Proofs of order for Ascriptor kernels.

use super::kernels_in;
use crate::common::read;
use a2lint::analysis::KernelFacts;
use a2lint::frontend::dsl::trace;
use a2lint::ir::Program;
use a2lint::prove::{Proof, Proofs};
use a2lint::text::SourceText;
use a2lint::verdict::Property;

fn is_proved(program: &Program) -> bool {
    let proofs = Proofs::of(&KernelFacts::of(program), std::iter::empty());
    matches!(proofs.get(Property::Order), Proof::Holds { .. })
}

/// Kernels with a race are not proved, with or without a launch.
#[test]
fn races_are_not_proved() {
    let bad = kernels_in("tests/dialects/ascriptor/rules/race").into_iter();
    let bad = bad.filter(|path| {
        path.file_name()
            .is_some_and(|name| name.to_string_lossy().starts_with("bad"))
    });
    let mut compared = 0;
    for path in bad {
        let module = trace(&SourceText::new(read(&path)));
        for program in &module.programs {
            assert!(!is_proved(program), "{}", path.display());
            compared += 1;
        }
    }
    assert!(compared >= 5, "{compared} kernels");
}

/// Returns a kernel whose scalar unit writes a row that V reads, with `between` in between.
fn row_of_numbers(between: &str) -> String {
    format!(
        "from ascriptor.a2 import *

@kernel(mode=\"vec\")
def numbered(x: GM[f32, (8, 64)], y: GM[f32, (8, 64)]):
    ub = Tensor(f32, [8, 64], Position.UB)
    row = Tensor(f32, [1, 64], Position.UB)
    one = Var(1.0)
    for at in range(64):
        one.SetValueTo(row[0:1, at:at + 1])
    {between}
    with auto_sync():
        ub <<= x
        add(ub, ub, row)
        y <<= ub
    return y
"
    )
}

#[test]
fn a_barrier_orders_scalar_stores() {
    for (between, proved) in [
        ("bar_all()", true),
        ("barrier(Pipe.ALL)", true),
        ("bar_v()", false),
        ("adds(row, row, 0.0); bar_all()", false),
    ] {
        let module = trace(&SourceText::new(row_of_numbers(between)));
        assert_eq!(is_proved(&module.programs[0]), proved, "{between}");
    }
}
