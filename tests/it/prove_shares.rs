//! Random kernels whose lanes divide a loop into shares: proofs of `ownership` compared with launches.
//!
//! `A2LINT_SHARES=10000` sets the number of kernels, and `A2LINT_SHARES_FIRST` the first seed.

use super::prove::{Counts, compare};
use super::sync::launches;
use crate::fuzzing::mutate::Random;
use a2lint::analysis::KernelFacts;
use a2lint::frontend::dsl::trace;
use a2lint::machine::{NullObserver, Options, simulate};
use a2lint::prove::{Proof, Proofs, is_broken};
use a2lint::text::SourceText;
use a2lint::verdict::Property;

/// Generates a kernel that divides a loop among lanes or cores, mostly correctly. Each lane stores other values,
/// because a store of equal values would not be visible.
fn kernel(random: &mut Random) -> String {
    let mut pick = |of: &[&str]| of[random.below(of.len())].to_owned();
    let side = pick(&["Vec", "Vec", "Cube"]);
    let (own, all) = (format!("Get{side}Idx()"), format!("Get{side}Num()"));
    let share = pick(&["1", "8", "8", "16", "16", "24", "32"]);
    let factor = match pick(&["same", "same", "same", "other"]).as_str() {
        "same" => share.clone(),
        _ => pick(&["1", "8", "16", "32"]),
    };
    let from = pick(&["", "", "", "8 + ", "S + ", "GetSubBlockIdx() * 8 + "]);
    let more = pick(&["", "", "", "", " + 8", " + S"]);
    let scale = pick(&["", "", " * 8", " * 16", " // 2"]);
    let shift = pick(&["", "", " + 8", " + S", " + GetSubBlockIdx() * 8"]);
    let height = pick(&["8", "8", "16", "16", "32"]);
    let count = pick(&[
        "height",
        "Min(height, M - row)",
        "Min(height, Max(M - at, 1))",
    ]);
    let count = count.replace("height", &height);
    let inner = pick(&["", "", "for j in range(0, 2):"]);
    let [head, indent, by] = match inner.as_str() {
        "" => ["", "", ""],
        _ => ["            for j in range(0, 2):\n", "    ", " + j * 8"],
    };
    format!(
        "import torch\n\nfrom easyasc.a2 import *\n\n\n@kernel(mode=\"vec\")\n\
         def k(x: GMTensor, y: GMTensor, M: Var, S: Var):\n    \
         tile = Tensor(DT.float, [32, 64], Position.UB)\n    \
         lane = Var(GetVecIdx() * 32)\n    \
         with auto_sync():\n        \
         for row in range({from}{own} * {share}, M, {all} * {factor}{more}):\n\
         {head}            {indent}at = Var(row{scale}{shift}{by})\n            \
         {indent}rows = Var({count})\n            \
         {indent}tile[0:rows, 0:64] <<= x[lane : lane + rows, 0:64]\n            \
         {indent}y[at : at + rows, 0:64] <<= tile[0:rows, 0:64]\n\n\n\
         if __name__ == \"__main__\":\n"
    )
}

#[test]
fn what_is_proved_of_shares_is_so() {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let kernels = number("A2LINT_SHARES").unwrap_or(150);
    let first = number("A2LINT_SHARES_FIRST").unwrap_or(1);
    let (mut counts, mut proved, mut broken) = (Counts::default(), 0, 0);
    for seed in first..first + kernels {
        let random = &mut Random::new(seed);
        let mut text = kernel(random);
        for _ in 0..3 {
            let (m, s) = (1 + random.below(120), random.below(24));
            text += &format!(
                "    OpExec(k, \"\", simulator=True)(torch.randn(4096, 64), torch.zeros(4096, 64), \
                 {m}, {s})\n"
            );
        }
        let module = trace(&SourceText::new(text.as_str()));
        let bounds: Vec<_> = launches(&module).into_iter().map(|it| it.1).collect();
        let program = &module.programs[0];
        let proofs = Proofs::of(&KernelFacts::of(program), bounds.iter());
        proved += usize::from(matches!(
            proofs.get(Property::Ownership),
            Proof::Holds { .. }
        ));
        for bound in &bounds {
            let options = Options {
                max_instructions: 200_000,
                ..Options::default()
            };
            let outcome = simulate(program, bound, &options, &mut NullObserver);
            broken += usize::from(is_broken(&outcome, Property::Ownership));
            if let Err(problem) = compare(&proofs, bound, &outcome, |_| true, &mut counts) {
                panic!("seed {seed}: {problem}\n{text}");
            }
        }
    }
    println!("{kernels} kernels, {proved} proved, {broken} launches with an overlap: {counts:?}");
    assert!(proved > 20 && broken > 20, "{proved} {broken}");
}
