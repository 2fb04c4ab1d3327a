//! Extents that a kernel computes with.
//!
//! An extent that only locates elements inside of its own tensor (a row pitch) may be measured. One that also
//! decides about loops, branches, offsets or sizes may not: its value changes what the kernel does.

use rustc_hash::FxHashSet;

use super::open_sizes::{globals, in_contract};
use a2lint_analysis::Domains;
use a2lint_ir::{GlobalId, Program, Scalar, ScalarId, StmtKind, VariableId, View};

/// Returns a tensor without a contract whose extents the kernel computes with.
pub(super) fn asked_extent(program: &Program) -> Option<GlobalId> {
    let asked = asked_extents(program);
    asked
        .into_iter()
        .find(|&id| in_contract(program, id).is_none())
}

/// Returns the tensors whose extents the kernel computes with.
pub(super) fn asked_extents(program: &Program) -> Vec<GlobalId> {
    let tensor = |asked| match asked {
        Scalar::Extent(global, _) => Some(global),
        _ => None,
    };
    asked_numbers(program)
        .into_iter()
        .filter_map(tensor)
        .collect()
}

/// Returns the implicit parameters that are whole extents, are not computed with, and have no number in
/// `given` or the contract.
pub(super) fn measured_symbols(program: &Program, given: &[(String, f64)]) -> Vec<VariableId> {
    if program.implicit.is_empty() {
        return Vec::new();
    }
    let asked = asked_numbers(program);
    let domains = Domains::of(&program.contract).unwrap_or_default();
    let is_given = |id: VariableId| {
        let name = &program.variable(id).name;
        given.iter().any(|(known, _)| known == name)
            || domains.names().any(|(known, _)| known == name)
    };
    let shapes = program.globals.iter().flat_map(|global| &global.shape);
    let is_part = |id: VariableId| {
        let is_it = |extent| program.scalars.get(extent) == Scalar::Variable(id);
        let mut shapes = shapes.clone();
        shapes.any(|&extent| !is_it(extent) && program.scalars.mentions(extent, id))
    };
    let decides = |id| asked.contains(&Scalar::Variable(id));
    let symbols = program.implicit.iter().copied();
    symbols
        .filter(|&id| !is_given(id) && !decides(id) && !is_part(id))
        .collect()
}

/// Returns the extents and variables on which loops, branches, assignments, offsets or sizes depend.
fn asked_numbers(program: &Program) -> Vec<Scalar> {
    let mut asked: Vec<ScalarId> = Vec::new();
    program.walk(&mut |stmt| match &stmt.kind {
        StmtKind::Assign { value, .. } => asked.push(*value),
        StmtKind::Loop {
            start, stop, step, ..
        } => asked.extend([start, stop, step]),
        StmtKind::If { arms, .. } => asked.extend(arms.iter().map(|arm| arm.condition)),
        StmtKind::Instr(instr) => {
            let axes = globals(instr).flat_map(|view| &view.axes);
            asked.extend(axes.flat_map(|axis| [axis.start, axis.span]));
            let locals = instr
                .operands()
                .filter_map(|(_, _, view)| View::local(view));
            asked.extend(locals.flat_map(|view| view.offset.into_iter().chain(view.span)));
        }
        _ => {}
    });
    let mut seen = FxHashSet::default();
    let mut found = Vec::new();
    while let Some(id) = asked.pop() {
        if !seen.insert(id) {
            continue;
        }
        match program.scalars.get(id) {
            asked @ (Scalar::Extent(..) | Scalar::Variable(_)) => found.push(asked),
            Scalar::Unary(_, a) => asked.push(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => asked.extend([a, b]),
            _ => {}
        }
    }
    found
}
