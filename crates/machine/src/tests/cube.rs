use half::{bf16, f16};

use super::kernel::{Kernel, floats, named};
use crate::{Contents, End, FindingKind};
use a2lint_ir::{ArgValue, LocalView};
use a2lint_isa::{DType, Layout, Opcode, Position};

/// Returns a small number that every type represents exactly.
fn value(row: usize, column: usize) -> f32 {
    ((row * 31 + column * 17) % 13) as f32 - 6.0
}

fn bytes(dtype: DType, rows: usize, columns: usize, salt: usize) -> Vec<u8> {
    let mut bytes = Vec::new();
    for row in 0..rows {
        for column in 0..columns {
            let value = value(row + salt, column);
            match dtype {
                DType::Half => bytes.extend(f16::from_f32(value).to_le_bytes()),
                DType::BFloat16 => bytes.extend(bf16::from_f32(value).to_le_bytes()),
                DType::Int8 => bytes.extend((value as i8).to_le_bytes()),
                _ => bytes.extend(value.to_le_bytes()),
            }
        }
    }
    bytes
}

fn expected(m: usize, n: usize, k: usize) -> Vec<f32> {
    let sum = |row, column| {
        (0..k)
            .map(|depth| value(row, depth) * value(column + 5, depth))
            .sum()
    };
    (0..m)
        .flat_map(|row| (0..n).map(move |column| sum(row, column)))
        .collect()
}

struct Shape {
    m: i64,
    n: i64,
    k: i64,
}

/// Returns a kernel with both operands in L1: A `[m, k]` and B `[n, k]`, or transposed.
fn loaded(
    shape: &Shape,
    dtype: DType,
    transposed: bool,
) -> (Kernel, LocalView, LocalView, LocalView, a2lint_ir::GlobalId) {
    let Shape { m, n, k } = *shape;
    let mut kernel = Kernel::new();
    let stored = |rows, columns| {
        if transposed {
            [columns, rows]
        } else {
            [rows, columns]
        }
    };
    let result = if dtype == DType::Int8 {
        DType::Int
    } else {
        DType::Float
    };
    let mut views = Vec::new();
    for (name, rows, salt) in [("a", m, 0), ("b", n, 5)] {
        let extents = stored(rows, k);
        let global = kernel.global(name, dtype, &extents);
        let mut data = bytes(dtype, rows as usize, k as usize, salt);
        if transposed {
            data = turned(&data, rows as usize, k as usize, dtype.bytes_of(1) as usize);
        }
        kernel
            .bindings
            .contents
            .push((name.into(), Contents::Bytes(data.into())));
        let padded = extents.map(|extent| (extent + 31) / 32 * 32);
        let buffer = kernel.buffer(name, dtype, padded, Position::L1, 1);
        let view = kernel.whole(buffer);
        let window = kernel.fixed_window(global, &[(0, extents[0]), (0, extents[1])]);
        kernel.instr(Opcode::GmToL1Nz, [view.clone().into(), window.into()]);
        views.push(LocalView { transposed, ..view });
    }
    let c = kernel.output("c", result, &[m, n]);
    let l0c = kernel.buffer(
        "l0c",
        result,
        [(m + 15) / 16 * 16, (n + 15) / 16 * 16],
        Position::L0C,
        1,
    );
    let l0c = kernel.whole(l0c);
    let b = views.pop().unwrap();
    (kernel, views.pop().unwrap(), b, l0c, c)
}

fn turned(data: &[u8], rows: usize, columns: usize, size: usize) -> Vec<u8> {
    let element = |row: usize, column: usize| &data[(row * columns + column) * size..][..size];
    let mut out = Vec::new();
    for column in 0..columns {
        (0..rows).for_each(|row| out.extend_from_slice(element(row, column)));
    }
    out
}

fn extents(kernel: &mut Kernel, shape: &Shape) -> [super::kernel::Given; 3] {
    [("m", shape.m), ("n", shape.n), ("k", shape.k)]
        .map(|(name, extent)| named(name, kernel.int(extent)))
}

fn store(kernel: &mut Kernel, shape: &Shape, l0c: &LocalView, c: a2lint_ir::GlobalId) {
    let part = kernel.slice(l0c, [(0, shape.m), (0, shape.n)]);
    let window = kernel.fixed_window(c, &[(0, shape.m), (0, shape.n)]);
    kernel.instr(Opcode::L0cToGmNd, [window.into(), part.into()]);
}

fn result(outcome: &crate::Outcome, c: a2lint_ir::GlobalId, dtype: DType) -> Vec<f32> {
    if dtype != DType::Int8 {
        return floats(outcome, c);
    }
    let memory = &outcome.globals[c.index()];
    let mut values = vec![0_i32; memory.capacity() / 4];
    memory.read(0, &mut values);
    values.into_iter().map(|value| value as f32).collect()
}

const SHAPES: [Shape; 4] = [
    Shape {
        m: 16,
        n: 16,
        k: 16,
    },
    Shape {
        m: 65,
        n: 127,
        k: 33,
    },
    Shape { m: 1, n: 63, k: 64 },
    // Floats fill one half of L0A with it.
    Shape {
        m: 128,
        n: 64,
        k: 64,
    },
];

#[test]
fn matmul_matches_the_naive_product() {
    for shape in &SHAPES {
        for dtype in [DType::Half, DType::BFloat16, DType::Float, DType::Int8] {
            for transposed in [false, true] {
                let (mut k, a, b, l0c, c) = loaded(shape, dtype, transposed);
                let [m, n, depth] = extents(&mut k, shape);
                k.instr(
                    Opcode::Matmul,
                    [l0c.clone().into(), a.into(), b.into(), m, n, depth],
                );
                store(&mut k, shape, &l0c, c);
                let outcome = k.run();
                assert_eq!(outcome.end, End::Finished);
                assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
                let expected = expected(shape.m as usize, shape.n as usize, shape.k as usize);
                assert_eq!(result(&outcome, c, dtype), expected, "{dtype} {transposed}");
                assert!(outcome.globals[c.index()].all_defined(0..expected.len() * 4));
            }
        }
    }
}

#[test]
fn splitting_does_not_change_the_result() {
    for name in ["splitk", "splitn"] {
        let shape = &SHAPES[1];
        let (mut k, a, b, l0c, c) = loaded(shape, DType::Half, false);
        let [m, n, depth] = extents(&mut k, shape);
        let split = named(name, k.int(16));
        k.instr(
            Opcode::Matmul,
            [l0c.clone().into(), a.into(), b.into(), split, m, n, depth],
        );
        store(&mut k, shape, &l0c, c);
        let outcome = k.run();
        assert_eq!(floats(&outcome, c), expected(65, 127, 33));
    }
}

#[test]
fn mmad_reads_what_l1_to_l0_wrote_and_accumulates() {
    for transposed in [false, true] {
        let shape = &SHAPES[1];
        let (mut k, a, b, l0c, c) = loaded(shape, DType::Half, transposed);
        let mut operands = Vec::new();
        for (name, view, rows, position) in [
            ("l0a", a, shape.m, Position::L0A),
            ("l0b", b, shape.n, Position::L0B),
        ] {
            let buffer = k.buffer(name, DType::Half, [128, 48], position, 1);
            let l0 = k.whole(buffer);
            let span = if transposed {
                [shape.k, rows]
            } else {
                [rows, shape.k]
            };
            let mut part = k.slice(&view, [(0, span[0]), (0, span[1])]);
            part.transposed = transposed;
            k.instr(Opcode::L1ToL0, [l0.clone().into(), part.into()]);
            operands.push(l0);
        }
        let [l0a, l0b] = &operands[..] else { panic!() };
        for init in [true, false] {
            let [m, n, depth] = [("M", shape.m), ("N", shape.n), ("K", shape.k)]
                .map(|(name, extent)| named(name, k.int(extent)));
            let init = named("is_init", ArgValue::Bool(init));
            let args = [
                l0c.clone().into(),
                l0a.clone().into(),
                l0b.clone().into(),
                m,
                n,
                depth,
                init,
            ];
            k.instr(Opcode::Mmad, args);
        }
        store(&mut k, shape, &l0c, c);
        let outcome = k.run();
        assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
        let twice: Vec<f32> = expected(65, 127, 33)
            .iter()
            .map(|value| value * 2.0)
            .collect();
        assert_eq!(floats(&outcome, c), twice);
    }
}

#[test]
fn bias_starts_the_sums() {
    let shape = &SHAPES[0];
    let (mut k, a, b, l0c, c) = loaded(shape, DType::Half, false);
    let row = k.global("bias", DType::Float, &[1, 16]);
    k.bind_floats(
        "bias",
        &(0..16)
            .map(|value| value as f32 * 100.0)
            .collect::<Vec<_>>(),
    );
    let buffer = k.buffer("bias", DType::Float, [1, 16], Position::L1, 1);
    k.program.buffers[buffer.index()].layout = Layout::Nd;
    let bias = k.whole(buffer);
    let window = k.fixed_window(row, &[(0, 1), (0, 16)]);
    k.instr(Opcode::GmToL1, [bias.clone().into(), window.into()]);
    let [m, n, depth] = extents(&mut k, shape);
    let args = [
        l0c.clone().into(),
        a.into(),
        b.into(),
        m,
        n,
        depth,
        named("bias", bias),
    ];
    k.instr(Opcode::Matmul, args);
    store(&mut k, shape, &l0c, c);
    let outcome = k.run();
    let plain = expected(16, 16, 16);
    let sums: Vec<f32> = (0..256)
        .map(|at| plain[at] + (at % 16) as f32 * 100.0)
        .collect();
    assert_eq!(floats(&outcome, c), sums);
}

#[test]
fn undefined_rows_and_columns_reach_exactly_their_results() {
    let shape = &Shape {
        m: 32,
        n: 32,
        k: 32,
    };
    let (mut k, a, b, l0c, c) = loaded(shape, DType::Half, false);
    let fresh = k.buffer("fresh", DType::Half, [32, 32], Position::L1, 1);
    let fresh = k.whole(fresh);
    let _ = a;
    let part = k.global("part", DType::Half, &[20, 32]);
    let window = k.fixed_window(part, &[(0, 20), (0, 32)]);
    k.instr(Opcode::GmToL1Nz, [fresh.clone().into(), window.into()]);
    k.instr(Opcode::Matmul, [l0c.clone().into(), fresh.into(), b.into()]);
    store(&mut k, shape, &l0c, c);
    let outcome = k.run();
    let [finding] = &outcome.findings[..] else {
        panic!("{:?}", outcome.findings)
    };
    assert_eq!(
        (finding.kind, finding.element),
        (FindingKind::UndefinedStore(c), Some(20 * 32))
    );
    let memory = &outcome.globals[c.index()];
    assert!(memory.all_defined(0..20 * 32 * 4) && !memory.any_defined(20 * 32 * 4..32 * 32 * 4));
}

#[test]
fn the_fixpipe_converts_on_the_way() {
    let shape = &SHAPES[0];
    let (mut k, a, b, l0c, _) = loaded(shape, DType::Half, false);
    let c = k.output("h", DType::Half, &[16, 16]);
    let [m, n, depth] = extents(&mut k, shape);
    k.instr(
        Opcode::Matmul,
        [l0c.clone().into(), a.into(), b.into(), m, n, depth],
    );
    let window = k.fixed_window(c, &[(0, 16), (0, 16)]);
    let half = k.float(0.5);
    let args = [
        window.into(),
        l0c.into(),
        named("relu", ArgValue::Bool(true)),
        named("scale", half),
    ];
    k.instr(Opcode::L0cToGmNd, args);
    let outcome = k.run();
    let memory = &outcome.globals[c.index()];
    for (index, value) in expected(16, 16, 16).into_iter().enumerate() {
        assert_eq!(
            memory.get::<f16>(index * 2).to_f32(),
            (value * 0.5).max(0.0)
        );
    }
}

#[test]
fn accumulators_become_operands_again() {
    let shape = &SHAPES[0];
    let (mut k, a, b, l0c, c) = loaded(shape, DType::Half, false);
    let next = k.buffer("next", DType::Half, [16, 16], Position::L1, 1);
    let next = k.whole(next);
    let identity = k.global("identity", DType::Half, &[16, 16]);
    let ones =
        (0..256).flat_map(|at| f16::from_f32(if at % 17 == 0 { 1.0 } else { 0.0 }).to_le_bytes());
    let contents = Contents::Bytes(ones.collect::<Vec<u8>>().into());
    k.bindings.contents.push(("identity".into(), contents));
    let eye = k.buffer("eye", DType::Half, [16, 16], Position::L1, 1);
    let eye = k.whole(eye);
    let window = k.fixed_window(identity, &[(0, 16), (0, 16)]);
    k.instr(Opcode::GmToL1Nz, [eye.clone().into(), window.into()]);
    let [m, n, depth] = extents(&mut k, shape);
    k.instr(
        Opcode::Matmul,
        [l0c.clone().into(), a.into(), b.into(), m, n, depth],
    );
    k.instr(Opcode::L0cToL1, [next.clone().into(), l0c.clone().into()]);
    k.instr(
        Opcode::Matmul,
        [l0c.clone().into(), next.into(), eye.into()],
    );
    store(&mut k, shape, &l0c, c);
    let outcome = k.run();
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    assert_eq!(floats(&outcome, c), expected(16, 16, 16));
}
