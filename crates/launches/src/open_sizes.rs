//! What a launch leaves open: extents and types that neither the user nor the kernel gives.

use super::asked::asked_extent;
use super::contract;
use super::guesses::Scalars;
use a2lint_ir::arithmetic::whole;
use a2lint_ir::contract::TensorForm;
use a2lint_ir::{
    GlobalId, GlobalKind, GlobalView, Instr, Param, ParamKind, Program, Scalar, ScalarId,
    VariableId, View,
};
use a2lint_isa::DType;

/// Returns why the sizes of a kernel cannot be guessed, as a clause.
pub(super) fn obstacle(program: &Program) -> Option<String> {
    if let Some(reason) = contract::obstacle(program) {
        return Some(reason);
    }
    let unknown = |param: &&Param| param.kind == ParamKind::Unknown;
    if let Some(param) = program.params.iter().find(unknown) {
        return Some(format!("nothing tells what `{}` is", param.name));
    }
    let instructions = program.instructions();
    if let Some(id) = asked_extent(program) {
        let name = &program.global(id).name;
        return Some(format!(
            "its sizes follow the shape of `{name}`, which no launch gives"
        ));
    }
    if let Some(id) = mixed_type(program) {
        let name = &program.global(id).name;
        return Some(format!("nothing tells the element type of `{name}`"));
    }
    let mut ranks: Vec<Option<usize>> = vec![None; program.globals.len()];
    for view in instructions.iter().flat_map(|(_, instr)| globals(instr)) {
        let global = program.global(view.global);
        let rank = &mut ranks[view.global.index()];
        let is_known = view.sliced && rank.is_none_or(|rank| rank == view.axes.len());
        if !is_known && is_open(program, view.global) && in_contract(program, view.global).is_none()
        {
            return Some(format!("nothing tells the shape of `{}`", global.name));
        }
        *rank = Some(view.axes.len());
    }
    None
}

/// Returns whether some extents of a tensor are declared and the others can be measured.
pub(super) fn is_partly_open(program: &Program, id: GlobalId) -> bool {
    let shape = &program.global(id).shape;
    let is_extent = |&extent: &ScalarId| matches!(program.scalars.get(extent), Scalar::Extent(..));
    let instructions = program.instructions();
    let mut views = instructions.iter().flat_map(|(_, instr)| globals(instr));
    shape.iter().any(is_extent)
        && !shape.iter().all(is_extent)
        && views.all(|view| view.global != id || view.sliced)
}

/// Overwrites the measured extents of a tensor with those that its signature declares.
pub(super) fn declare(program: &Program, name: &str, shape: &mut [i64], scalars: &Scalars) {
    let value = |id: VariableId| {
        let name = &program.variable(id).name;
        let (_, value) = scalars.iter().find(|(known, _)| known == name)?;
        whole(*value)
    };
    let Some(global) = program.globals.iter().find(|global| global.name == name) else {
        return;
    };
    for (extent, &declared) in shape.iter_mut().zip(&global.shape) {
        *extent = program
            .scalars
            .evaluated(declared, &value)
            .unwrap_or(*extent);
    }
}

/// Finds a tensor that is moved to or from on-chip tensors of different element types, so that its own
/// type cannot be told.
fn mixed_type(program: &Program) -> Option<GlobalId> {
    let mut types: Vec<Option<DType>> = vec![None; program.globals.len()];
    for (_, instr) in program.instructions() {
        let local = instr.operands().find_map(|(_, _, view)| View::local(view));
        let Some(dtype) = local.map(|view| view.dtype) else {
            continue;
        };
        for view in globals(instr) {
            let known = types[view.global.index()].replace(dtype);
            if program.global(view.global).dtype.is_some() {
                continue;
            }
            let given = in_contract(program, view.global).and_then(|tensor| tensor.dtype);
            if given.is_none() && known.is_some_and(|known| known != dtype) {
                return Some(view.global);
            }
        }
    }
    None
}

/// Returns the form that the contract demands of a tensor.
pub(super) fn in_contract(program: &Program, id: GlobalId) -> Option<&TensorForm> {
    program.contract.tensor(&program.global(id).name)
}

/// Returns whether a tensor declares symbolic extents only, so that its shape comes from a launch or the contract.
pub(super) fn is_open(program: &Program, id: GlobalId) -> bool {
    let global = program.global(id);
    let is_extent = |&extent: &ScalarId| matches!(program.scalars.get(extent), Scalar::Extent(..));
    global.kind == GlobalKind::Param && global.shape.iter().all(is_extent)
}

/// Returns the views on global tensors among the operands of an instruction.
pub(super) fn globals(instr: &Instr) -> impl Iterator<Item = &GlobalView> {
    instr
        .operands()
        .filter_map(|(_, _, view)| View::global(view))
}
