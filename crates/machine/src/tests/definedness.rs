use super::kernel::{Kernel, floats, named};
use crate::{End, FindingKind, LaneKind};
use a2lint_ir::{ArgValue, BinaryOp, SpecialScalar, VariableKind};
use a2lint_isa::{DType, Opcode};

#[test]
fn storing_fresh_memory_is_reported_with_its_place() {
    let mut k = Kernel::new();
    let y = k.output("y", DType::Float, &[4, 64]);
    let tile = k.ub("tile", DType::Float, [4, 64]);
    let part = k.slice(&tile, [(0, 1), (0, 64)]);
    let one = k.float(1.0);
    k.instr(Opcode::Dup, [part.into(), one.into()]);
    let to = k.fixed_window(y, &[(0, 4), (0, 64)]);
    let mut stmt = None;
    k.times(3, |k, _| {
        stmt = Some(k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]))
    });
    let outcome = k.run();
    let [finding] = &outcome.findings[..] else {
        panic!("{:?}", outcome.findings)
    };
    assert_eq!(finding.kind, FindingKind::UndefinedStore(y));
    assert_eq!((Some(finding.stmt), finding.element), (stmt, Some(64)));
    assert_eq!(
        (finding.lane.kind, &finding.iterations[..]),
        (LaneKind::Vec(0), &[0][..])
    );
    assert_eq!(finding.count, 6);
}

#[test]
fn whole_tile_arithmetic_after_a_partial_load_stays_silent() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[5, 60]);
    let y = k.output("y", DType::Float, &[5, 60]);
    let tile = k.ub("tile", DType::Float, [64, 64]);
    let part = k.slice(&tile, [(0, 5), (0, 60)]);
    let (from, to) = (
        k.fixed_window(x, &[(0, 5), (0, 60)]),
        k.fixed_window(y, &[(0, 5), (0, 60)]),
    );
    k.instr(Opcode::GmToUbPad, [part.clone().into(), from.into()]);
    k.instr(Opcode::Exp, [tile.clone().into(), tile.into()]);
    k.instr(Opcode::UbToGmPad, [to.into(), part.into()]);
    let outcome = k.run();
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
}

#[test]
fn reducing_padding_is_reported_and_masking_is_not() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[1, 60]);
    let tile = k.ub("tile", DType::Float, [1, 64]);
    let sum = k.ub("sum", DType::Float, [1, 8]);
    let part = k.slice(&tile, [(0, 1), (0, 60)]);
    let from = k.fixed_window(x, &[(0, 1), (0, 60)]);
    k.instr(Opcode::GmToUbPad, [part.into(), from.into()]);
    let (high, low) = (k.int(0), k.int((1 << 60) - 1));
    k.instr(Opcode::SetMask, [high.into(), low.into()]);
    k.instr(Opcode::Cadd, [sum.clone().into(), tile.clone().into()]);
    k.instr(Opcode::ResetMask, []);
    let bad = k.instr(Opcode::Cadd, [sum.clone().into(), tile.into()]);
    let y = k.global("y", DType::Float, &[1, 1]);
    let (part, to) = (
        k.slice(&sum, [(0, 1), (0, 1)]),
        k.fixed_window(y, &[(0, 1), (0, 1)]),
    );
    k.instr(Opcode::UbToGmPad, [to.into(), part.into()]);
    let outcome = k.run();
    let [finding, ..] = &outcome.findings[..] else {
        panic!("{:?}", outcome.findings)
    };
    assert_eq!(
        (finding.kind, finding.stmt),
        (FindingKind::UndefinedReduction, bad)
    );
    assert_eq!(finding.element, Some(60));
}

#[test]
fn an_operand_without_any_defined_byte_is_reported_unless_an_empty_load_reached_it() {
    for (rows, expected) in [(None, 1), (Some(0), 0)] {
        let mut k = Kernel::new();
        let x = k.global("x", DType::Float, &[4, 64]);
        let (a, b) = (
            k.ub("a", DType::Float, [4, 64]),
            k.ub("b", DType::Float, [4, 64]),
        );
        if let Some(rows) = rows {
            let from = k.fixed_window(x, &[(4, rows), (0, 64)]);
            k.instr(Opcode::GmToUbPad, [a.clone().into(), from.into()]);
        }
        k.instr(Opcode::Exp, [b.clone().into(), a.into()]);
        // What reaches no output is no finding.
        let y = k.global("y", DType::Float, &[4, 64]);
        let to = k.fixed_window(y, &[(0, 4), (0, 64)]);
        k.instr(Opcode::UbToGmPad, [to.into(), b.into()]);
        let outcome = k.run();
        let undefined = |finding: &&_| {
            let finding: &crate::SanitizerFinding = finding;
            finding.kind == FindingKind::UndefinedOperand
        };
        assert_eq!(outcome.findings.iter().filter(undefined).count(), expected);
        let stored = outcome
            .findings
            .iter()
            .filter(|finding| finding.kind.is_undefined_end());
        assert_eq!(stored.count(), 1, "{:?}", outcome.findings);
    }
}

#[test]
fn an_empty_load_explains_nothing_on_the_other_lane() {
    let mut k = Kernel::new();
    let x = k.global("x", DType::Float, &[4, 64]);
    let (a, b) = (
        k.ub("a", DType::Float, [4, 64]),
        k.ub("b", DType::Float, [4, 64]),
    );
    let is_second = k.special(SpecialScalar::SubBlockIdx);
    let from = k.fixed_window(x, &[(4, 0), (0, 64)]);
    k.when(is_second, |k| {
        k.instr(Opcode::GmToUbPad, [a.clone().into(), from.into()]);
    });
    k.instr(Opcode::Exp, [b.clone().into(), a.into()]);
    let y = k.global("y", DType::Float, &[4, 64]);
    let to = k.fixed_window(y, &[(0, 4), (0, 64)]);
    k.instr(Opcode::UbToGmPad, [to.into(), b.into()]);
    let outcome = k.run();
    let [finding, ..] = &outcome.findings[..] else {
        panic!("{:?}", outcome.findings)
    };
    assert_eq!(finding.kind, FindingKind::UndefinedOperand);
    assert_eq!((finding.lane.kind, finding.count), (LaneKind::Vec(0), 1));
}

#[test]
fn undefined_scalars_are_reported() {
    let mut k = Kernel::new();
    let tile = k.ub("tile", DType::Int, [1, 8]);
    let variable = k.variable("v", DType::Int, VariableKind::Declared);
    k.instr(
        Opcode::GetValueFrom,
        [ArgValue::Variable(variable).into(), tile.into()],
    );
    let outcome = k.run();
    assert_eq!(outcome.findings[0].kind, FindingKind::UndefinedScalar);
}

#[test]
fn illegal_instructions_leave_zeros_and_are_reported() {
    let mut k = Kernel::new();
    let y = k.output("y", DType::Float, &[1, 64]);
    let tile = k.ub("tile", DType::Float, [256, 64]);
    let one = k.float(1.0);
    k.instr(Opcode::Dup, [tile.clone().into(), one.into()]);
    let row = k.slice(&tile, [(0, 1), (0, 64)]);
    let to = k.fixed_window(y, &[(0, 1), (0, 64)]);
    k.instr(Opcode::UbToGmPad, [to.into(), row.into()]);
    let outcome = k.run();
    assert_eq!((outcome.end, outcome.faithful), (End::Finished, false));
    assert!(
        outcome.illegal[0]
            .reason
            .to_string()
            .contains("256 repeats"),
        "{:?}",
        outcome.illegal
    );
    assert!(outcome.findings.is_empty());
}

#[test]
fn an_illegal_statement_is_reported_once_however_its_reasons_differ() {
    let mut k = Kernel::new();
    let tile = k.ub("tile", DType::Float, [1, 64]);
    let one = k.float(1.0);
    k.times(1000, |k, number| {
        let many = k.int(256);
        let repeat = k.op(BinaryOp::Add, many, number);
        let repeat = named("repeat", repeat);
        k.instr(Opcode::Dup, [tile.clone().into(), one.into(), repeat]);
    });
    let outcome = k.run();
    assert_eq!((outcome.illegal.len(), outcome.faithful), (1, false));
    assert!(
        outcome.illegal[0]
            .reason
            .to_string()
            .contains("256 repeats")
    );
}

#[test]
fn a_scalar_that_one_side_needs_is_read_there_alone() {
    let mut k = Kernel::new();
    let ws = k.workspace("ws", DType::Float, &[2, 8]);
    let y = k.output("y", DType::Float, &[2, 8]);
    let tile = k.ub("tile", DType::Float, [1, 8]);
    let variable = k.variable("v", DType::Float, VariableKind::Declared);
    let lane = k.special(SpecialScalar::SubBlockIdx);
    let (two, zero, one, eight) = (k.float(2.0), k.int(0), k.int(1), k.int(8));
    k.instr(Opcode::Dup, [tile.clone().into(), two.into()]);
    let row = k.window(ws, &[(lane, one), (zero, eight)]);
    k.instr(Opcode::UbToGmPad, [row.clone().into(), tile.clone().into()]);
    k.instr(
        Opcode::GetValueFrom,
        [ArgValue::Variable(variable).into(), row.into()],
    );
    let value = k.value(variable);
    k.when(value, |k| {
        k.instr(
            Opcode::Adds,
            [tile.clone().into(), tile.clone().into(), value.into()],
        );
    });
    let to = k.window(y, &[(lane, one), (zero, eight)]);
    k.instr(Opcode::UbToGmPad, [to.into(), tile.into()]);
    let outcome = k.run();
    assert_eq!(outcome.end, End::Finished);
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    assert_eq!(floats(&outcome, y), [4.0; 16]);
}
