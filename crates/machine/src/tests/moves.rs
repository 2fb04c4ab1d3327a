use super::kernel::{Kernel, floats, named};
use crate::{End, FindingKind};
use a2lint_ir::StmtKind;
use a2lint_ir::{ArgValue, AtomicKind, BinaryOp, SpecialScalar, VariableKind};
use a2lint_isa::{DType, Opcode, Side};

fn ramp(count: usize) -> Vec<f32> {
    (0..count).map(|value| value as f32).collect()
}

#[test]
fn a_tile_travels_through_ub() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[64, 64]);
    let y = k.output("y", DType::Float, &[64, 64]);
    k.bind_floats("x", &ramp(64 * 64));
    let (a, b) = (
        k.ub("a", DType::Float, [64, 64]),
        k.ub("b", DType::Float, [64, 64]),
    );
    let (from, to) = (
        k.fixed_window(x, &[(0, 64), (0, 64)]),
        k.fixed_window(y, &[(0, 64), (0, 64)]),
    );
    let two = k.float(2.0);
    k.instr(Opcode::GmToUbPad, [a.clone().into(), from.into()]);
    k.instr(Opcode::Muls, [b.clone().into(), a.into(), two.into()]);
    k.instr(Opcode::UbToGmPad, [to.into(), b.into()]);
    let outcome = k.run();
    assert_eq!(outcome.end, End::Finished);
    assert!(
        outcome.findings.is_empty() && outcome.faithful,
        "{:?}",
        outcome.findings
    );
    let expected: Vec<f32> = ramp(64 * 64).iter().map(|value| value * 2.0).collect();
    assert_eq!(floats(&outcome, y), expected);
    assert!(outcome.globals[y.index()].all_defined(0..64 * 64 * 4));
}

#[test]
fn tails_leave_padding_undefined_and_the_rest_alone() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[5, 7]);
    let y = k.output("y", DType::Float, &[5, 7]);
    k.bind_floats("x", &ramp(35));
    let tile = k.ub("tile", DType::Float, [8, 16]);
    let part = k.slice(&tile, [(0, 3), (0, 5)]);
    let (from, to) = (
        k.fixed_window(x, &[(1, 3), (2, 5)]),
        k.fixed_window(y, &[(0, 3), (1, 5)]),
    );
    k.instr(Opcode::GmToUbPad, [part.clone().into(), from.into()]);
    k.instr(Opcode::UbToGmPad, [to.into(), part.into()]);
    let outcome = k.run();
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    let y = &outcome.globals[y.index()];
    assert_eq!(
        (y.get::<f32>(4), y.get::<f32>((2 * 7 + 5) * 4)),
        (9.0, 27.0)
    );
    assert_eq!(y.count_defined(0..35 * 4), 15 * 4);
}

#[test]
fn higher_ranks_use_the_pitch_after_the_first_slice() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[2, 4, 3, 8]);
    let y = k.output("y", DType::Float, &[4, 8]);
    k.bind_floats("x", &ramp(192));
    let tile = k.ub("tile", DType::Float, [4, 8]);
    let mut from = k.fixed_window(x, &[(1, 1), (0, 4), (2, 1), (0, 8)]);
    (from.axes[0].is_slice, from.axes[2].is_slice) = (false, false);
    let to = k.fixed_window(y, &[(0, 4), (0, 8)]);
    k.instr(Opcode::GmToUbPad, [tile.clone().into(), from.into()]);
    k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    let outcome = k.run();
    let expected: Vec<f32> = (0..4)
        .flat_map(|row| (0..8).map(move |c| (96 + row * 24 + 16 + c) as f32))
        .collect();
    assert_eq!(floats(&outcome, y), expected);
}

#[test]
fn lanes_and_cores_share_the_work() {
    let mut k = Kernel::new();
    k.bindings.cores = Some(3);
    let y = k.output("y", DType::Float, &[6, 8]);
    let tile = k.ub("tile", DType::Float, [1, 8]);
    let lane = k.special(SpecialScalar::VecIdx);
    let (one, zero, eight) = (k.int(1), k.int(0), k.int(8));
    k.instr(Opcode::Dup, [tile.clone().into(), lane.into()]);
    let to = k.window(y, &[(lane, one), (zero, eight)]);
    k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    let outcome = k.run();
    let expected: Vec<f32> = (0..48).map(|index| (index / 8) as f32).collect();
    assert_eq!(floats(&outcome, y), expected);
}

#[test]
fn an_overrun_lands_in_the_neighbour() {
    let mut k = Kernel::new();
    let y = k.output("y", DType::Float, &[1, 64]);
    let small = k.ub("small", DType::Float, [1, 32]);
    let neighbour = k.ub("neighbour", DType::Float, [1, 64]);
    let (seven, nine) = (k.float(7.0), k.float(9.0));
    k.instr(Opcode::Dup, [neighbour.clone().into(), seven.into()]);
    let stmt = k.instr(Opcode::Dup, [small.clone().into(), nine.into()]);
    let to = k.fixed_window(y, &[(0, 1), (0, 64)]);
    k.instr(Opcode::UbToGmPad, [to.into(), neighbour.clone().into()]);
    let outcome = k.run();
    let expected: Vec<f32> = (0..64)
        .map(|lane| if lane < 32 { 9.0 } else { 7.0 })
        .collect();
    assert_eq!(floats(&outcome, y), expected);
    let [finding] = &outcome.findings[..] else {
        panic!("{:?}", outcome.findings)
    };
    assert_eq!(finding.stmt, stmt);
    let neighbour = Some(neighbour.buffer);
    let kind = FindingKind::Overrun {
        buffer: small.buffer,
        neighbour,
        bytes: 128,
        holds: 128,
        write: true,
    };
    assert_eq!((finding.kind, finding.count), (kind, 2));
}

#[test]
fn ub_to_ub_moves_whole_blocks_per_row() {
    let mut k = Kernel::new();
    let (src, dst) = (
        k.ub("src", DType::Float, [64, 1]),
        k.ub("dst", DType::Float, [64, 1]),
    );
    let one = k.float(1.0);
    k.instr(Opcode::Dup, [src.clone().into(), one.into()]);
    k.instr(Opcode::UbToUb, [dst.into(), src.into()]);
    let outcome = k.run();
    let overruns: Vec<i64> = outcome
        .findings
        .iter()
        .filter_map(|finding| match finding.kind {
            FindingKind::Overrun { bytes, .. } => Some(bytes),
            _ => None,
        })
        .collect();
    assert_eq!(overruns, [2048 - 256, 2048 - 256]);
}

#[test]
fn reads_outside_global_memory_are_undefined_and_writes_are_dropped() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[4, 8]);
    let y = k.output("y", DType::Float, &[4, 8]);
    k.bind_floats("x", &ramp(32));
    let tile = k.ub("tile", DType::Float, [4, 8]);
    let (from, to) = (
        k.fixed_window(x, &[(2, 4), (0, 8)]),
        k.fixed_window(y, &[(2, 4), (0, 8)]),
    );
    k.instr(Opcode::GmToUbPad, [tile.clone().into(), from.into()]);
    k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    let outcome = k.run();
    let y = &outcome.globals[y.index()];
    assert_eq!((y.get::<f32>(64), y.count_defined(0..128)), (16.0, 64));
    let bounds = |write| FindingKind::GlobalBounds {
        global: if write {
            a2lint_ir::GlobalId(1)
        } else {
            a2lint_ir::GlobalId(0)
        },
        axis: Some(0),
        write,
    };
    let kinds: Vec<FindingKind> = outcome
        .findings
        .iter()
        .map(|finding| finding.kind)
        .collect();
    assert!(
        kinds.contains(&bounds(false)) && kinds.contains(&bounds(true)),
        "{kinds:?}"
    );
}

#[test]
fn atomic_stores_combine() {
    for (kind, expected) in [
        (AtomicKind::Add, 6.0),
        (AtomicKind::Max, 4.0),
        (AtomicKind::Min, 1.0),
    ] {
        let mut k = Kernel::new();
        let y = k.output("y", DType::Float, &[1, 8]);
        k.bind_floats("y", &[4.0; 8]);
        let tile = k.ub("tile", DType::Float, [1, 8]);
        let one = k.float(1.0);
        k.instr(Opcode::Dup, [tile.clone().into(), one.into()]);
        let to = k.fixed_window(y, &[(0, 1), (0, 8)]);
        k.atomic(kind, |k| {
            k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
        });
        let outcome = k.run();
        assert_eq!(floats(&outcome, y), [expected; 8]);
    }
}

#[test]
fn scalars_travel_between_memory_and_variables() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[8]);
    let y = k.output("y", DType::Float, &[8]);
    k.bind_floats("x", &ramp(8));
    let variable = k.variable("v", DType::Float, VariableKind::Declared);
    let receiver = a2lint_ir::ArgValue::Variable(variable);
    let from = k.fixed_window(x, &[(3, 1)]);
    let to = k.fixed_window(y, &[(5, 1)]);
    k.instr(Opcode::GetValueFrom, [receiver.clone().into(), from.into()]);
    let (value, half) = (k.value(variable), k.float(0.5));
    let sum = k.op(BinaryOp::Add, value, half);
    k.assign(variable, sum);
    k.instr(Opcode::SetValueTo, [receiver.into(), to.into()]);
    let outcome = k.run();
    assert_eq!(floats(&outcome, y)[5], 3.5);
    assert_eq!(outcome.globals[y.index()].count_defined(0..32), 4);
}

#[test]
fn scopes_restrict_the_side() {
    let mut k = Kernel::new();
    let y = k.output("y", DType::Float, &[2]);
    let variable = k.variable("v", DType::Float, VariableKind::Declared);
    let receiver = a2lint_ir::ArgValue::Variable(variable);
    for (side, index, value) in [(Side::Cube, 0, 1.0), (Side::Vec, 1, 2.0)] {
        let value = k.float(value);
        let to = k.fixed_window(y, &[(index, 1)]);
        let receiver = receiver.clone();
        k.nested(
            |k| {
                k.assign(variable, value);
                k.instr(Opcode::SetValueTo, [receiver.into(), named("view", to)]);
            },
            |body| StmtKind::Scope { side, body },
        );
    }
    let outcome = k.run();
    assert_eq!(floats(&outcome, y), [1.0, 2.0]);
}

/// A padded load of three rows of three numbers, with margins: the contents of UB afterwards, and which of them are
/// defined.
fn padded(left: i64, right: i64, given: &[(&'static str, f64)], first: bool) -> Vec<Option<f32>> {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[3, 8]);
    let y = k.output("y", DType::Float, &[3, 8]);
    k.bind_floats("x", &ramp(24));
    let tile = k.ub("tile", DType::Float, [3, 8]);
    let from = k.fixed_window(x, &[(0, 3), (1, 3)]);
    let to = k.fixed_window(y, &[(0, 3), (0, 8)]);
    let mut arguments = vec![tile.clone().into(), from.into()];
    let (rows, length, gap, none) = (k.int(3), k.int(3), k.int(5), k.int(0));
    arguments.push(named("n_burst", rows));
    arguments.push(named("burst_len_element", length));
    arguments.push(named("src_stride_element", gap));
    arguments.push(named("dst_stride", none));
    for (name, margin) in [("left_padding", left), ("right_padding", right)] {
        let margin = k.int(margin);
        arguments.push(named(name, margin));
    }
    for &(name, value) in given {
        let value = k.float(value);
        arguments.push(named(name, value));
    }
    arguments.push(named("pad_with_first", ArgValue::Bool(first)));
    k.instr(Opcode::GmToUbPad, arguments);
    k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    let outcome = k.run();
    let stored = &outcome.globals[y.index()];
    let element = |at: usize| {
        let is_defined = stored.all_defined(at * 4..at * 4 + 4);
        is_defined.then(|| stored.get::<f32>(at * 4))
    };
    (0..24).map(element).collect()
}

#[test]
fn a_load_fills_the_rest_of_its_blocks_as_it_says() {
    let row = |first: f32| (0..3).map(move |at| Some(first + at as f32));
    let rows = |left: usize, beside: fn(f32) -> Option<f32>| -> Vec<Option<f32>> {
        let of_row = |first: f32| {
            let before = std::iter::repeat_n(beside(first), left);
            let behind = std::iter::repeat_n(beside(first), 5 - left);
            before.chain(row(first)).chain(behind)
        };
        [1.0, 9.0, 17.0].into_iter().flat_map(of_row).collect()
    };
    assert_eq!(padded(0, 0, &[], false), rows(0, |_| None));
    assert_eq!(padded(0, 0, &[], true), rows(0, Some));
    assert_eq!(padded(2, 1, &[], false), rows(2, |_| None));
    assert_eq!(padded(2, 1, &[("pad", 7.5)], false), rows(2, |_| Some(7.5)));
}

/// Padding that makes a row take one more block shifts the rows after it.
#[test]
fn margins_belong_to_rows() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[2, 8]);
    let y = k.output("y", DType::Float, &[4, 8]);
    k.bind_floats("x", &ramp(16));
    let tile = k.ub("tile", DType::Float, [4, 8]);
    let from = k.fixed_window(x, &[(0, 2), (0, 8)]);
    let to = k.fixed_window(y, &[(0, 4), (0, 8)]);
    let [rows, length, none, left] = [2, 8, 0, 1].map(|number| k.int(number));
    let value = k.float(-1.0);
    k.instr(
        Opcode::GmToUbPad,
        [
            tile.clone().into(),
            from.into(),
            named("n_burst", rows),
            named("burst_len_element", length),
            named("src_stride_element", none),
            named("dst_stride", none),
            named("left_padding", left),
            named("pad", value),
        ],
    );
    k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    let outcome = k.run();
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    let row = |first: f32| {
        let mut row = vec![-1.0_f32; 16];
        (0..8).for_each(|at| row[at + 1] = first + at as f32);
        row
    };
    assert_eq!(floats(&outcome, y), [row(0.0), row(8.0)].concat());
}

/// Extents that a kernel computes may have products that do not fit 64 bits.
#[test]
fn views_of_enormous_extents_are_outside() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[2, 2, 2, 8]);
    let tile = k.ub("tile", DType::Float, [1, 8]);
    let mut from = k.fixed_window(x, &[(1, 1), (1, 1), (1, 1), (0, 8)]);
    for axis in 1..3 {
        from.axes[axis].extent = k.int(1 << 40);
    }
    k.instr(Opcode::GmToUbPad, [tile.into(), from.into()]);
    let outcome = k.run();
    assert!(!outcome.findings.is_empty() || !outcome.faithful);
}
