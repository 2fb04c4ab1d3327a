//! Timings, on demand: `cargo test --release --lib machine::tests::speed -- --ignored --nocapture`.

use std::time::{Duration, Instant};

use super::kernel::{Kernel, named};
use crate::ir::{BinaryOp, SpecialScalar};
use crate::isa::{DType, Opcode, Position};
use crate::machine::{Blind, End, Options, simulate};

/// The shortest of several runs.
fn best(mut run: impl FnMut()) -> Duration {
    let timed = (0..20).map(|_| {
        let start = Instant::now();
        run();
        start.elapsed()
    });
    timed.min().unwrap()
}

fn report(name: &str, kernel: &mut Kernel) {
    let mut launch = kernel.finish();
    for (stream, global) in launch.globals.iter_mut().enumerate() {
        if let crate::machine::Contents::Generated(init, _) = global.contents {
            let elements = global.shape.iter().product::<i64>() as usize;
            let bytes = crate::machine::generate(init, stream as u64, global.dtype, elements);
            global.contents = crate::machine::Contents::Bytes(bytes.into());
        }
    }
    let time = best(|| {
        let outcome = simulate(&kernel.program, &launch, &Options::default(), &mut Blind);
        assert_eq!(outcome.end, End::Finished);
        assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    });
    println!("{name}: {:.3} ms", time.as_secs_f64() * 1e3);
}

/// `c[4096, 64] = a[4096, 128] · b[64, 128]ᵀ` in tiles of 128 rows over 20 cores.
#[test]
#[ignore = "a timing"]
fn half_matmul_over_twenty_cores() {
    let mut k = Kernel::new();
    k.bindings.cores = Some(20);
    let (a, b) = (
        k.global("a", DType::Half, &[4096, 128]),
        k.global("b", DType::Half, &[64, 128]),
    );
    let c = k.output("c", DType::Float, &[4096, 64]);
    let l1_a = k.buffer("l1_a", DType::Half, [128, 128], Position::L1, 2);
    let l1_b = k.buffer("l1_b", DType::Half, [64, 128], Position::L1, 2);
    let l0c = k.buffer("l0c", DType::Float, [128, 64], Position::L0C, 2);
    let (core, cores) = (
        k.special(SpecialScalar::CubeIdx),
        k.special(SpecialScalar::CubeNum),
    );
    let (zero, tiles, rows, depth, columns) =
        (k.int(0), k.int(32), k.int(128), k.int(128), k.int(64));
    k.repeat([core, tiles, cores], |k, tile| {
        let m0 = k.op(BinaryOp::Mul, tile, rows);
        let (left, right) = (k.slot(l1_a, tile), k.slot(l1_b, tile));
        let result = k.slot(l0c, tile);
        let from = k.window(a, &[(m0, rows), (zero, depth)]);
        k.instr(Opcode::GmToL1Nz, [left.clone().into(), from.into()]);
        let from = k.window(b, &[(zero, columns), (zero, depth)]);
        k.instr(Opcode::GmToL1Nz, [right.clone().into(), from.into()]);
        k.instr(
            Opcode::Matmul,
            [
                result.clone().into(),
                left.into(),
                right.into(),
                named("m", rows),
                named("n", columns),
                named("k", depth),
            ],
        );
        let to = k.window(c, &[(m0, rows), (zero, columns)]);
        k.instr(Opcode::L0cToGmNd, [to.into(), result.into()]);
    });
    report("half matmul 4096 x 64 x 128, 20 cores", &mut k);
}

/// `y = x * 2 + x` on 64 x 128 tiles, loads and stores included.
#[test]
#[ignore = "a timing"]
fn float_tiles_through_ub() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[64 * 64, 128]);
    let y = k.output("y", DType::Float, &[64 * 64, 128]);
    let (a, b) = (
        k.ub("a", DType::Float, [64, 128]),
        k.ub("b", DType::Float, [64, 128]),
    );
    let (zero, rows, columns, two) = (k.int(0), k.int(64), k.int(128), k.float(2.0));
    let (lane, tiles, lanes) = (k.special(SpecialScalar::VecIdx), k.int(64), k.int(2));
    k.repeat([lane, tiles, lanes], |k, tile| {
        let m0 = k.op(BinaryOp::Mul, tile, rows);
        let from = k.window(x, &[(m0, rows), (zero, columns)]);
        let to = k.window(y, &[(m0, rows), (zero, columns)]);
        k.instr(Opcode::GmToUbPad, [a.clone().into(), from.into()]);
        k.instr(
            Opcode::Muls,
            [b.clone().into(), a.clone().into(), two.into()],
        );
        k.instr(
            Opcode::Add,
            [b.clone().into(), b.clone().into(), a.clone().into()],
        );
        k.instr(Opcode::UbToGmPad, [to.into(), b.clone().into()]);
    });
    report("64 float tiles of 64 x 128: load, muls, add, store", &mut k);
}

/// Statements that only move scalars.
#[test]
#[ignore = "a timing"]
fn scalar_loop() {
    let mut k = Kernel::new();
    let variable = k.variable("v", DType::Int, crate::ir::VariableKind::Declared);
    let zero = k.int(0);
    k.assign(variable, zero);
    k.times(100_000, |k, i| {
        let value = k.value(variable);
        let sum = k.op(BinaryOp::Add, value, i);
        k.assign(variable, sum);
    });
    report("300 000 iterations of one assignment", &mut k);
}
