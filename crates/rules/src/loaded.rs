//! Numbers that come from tensors: what those hold in a replay says nothing of what they hold on the device.

use a2lint_ir::{Instr, Program, ScalarId, StmtKind, VariableId, View};

/// The variables whose values come from tensors, directly or by others.
pub fn variables(program: &Program) -> Vec<VariableId> {
    let mut loaded: Vec<VariableId> = Vec::new();
    let instructions = program.instructions().into_iter();
    loaded.extend(instructions.filter_map(|(_, instr)| instr.reads_into()));
    if loaded.is_empty() {
        return loaded;
    }
    loop {
        let before = loaded.len();
        program.walk(&mut |stmt| {
            if let StmtKind::Assign { variable, value } = stmt.kind
                && !loaded.contains(&variable)
                && loaded.iter().any(|&it| program.scalars.mentions(value, it))
            {
                loaded.push(variable);
            }
        });
        if loaded.len() == before {
            return loaded;
        }
    }
}

/// Whether one of these variables says where an operand of an instruction is.
pub fn places(program: &Program, loaded: &[VariableId], instr: &Instr) -> bool {
    if loaded.is_empty() {
        return false;
    }
    let is_loaded = |id: ScalarId| loaded.iter().any(|&it| program.scalars.mentions(id, it));
    instr.operands().any(|(_, _, view)| match view {
        View::Local(view) => {
            is_loaded(view.slot)
                || view
                    .offset
                    .iter()
                    .chain(&view.span)
                    .any(|&id| is_loaded(id))
        }
        View::Global(view) => {
            let mut axes = view.axes.iter();
            axes.any(|axis| is_loaded(axis.start) || is_loaded(axis.span))
        }
    })
}
