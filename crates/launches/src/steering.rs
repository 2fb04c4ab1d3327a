//! Input data that steers a kernel: values that become addresses, sizes or trip counts.
//!
//! A wrong value of such data makes a right kernel fail. In invented launches it is 0, and only what does not depend on
//! it counts. Data that is only computed with may be random.

use rustc_hash::FxHashSet;

use super::open_sizes::globals;
use a2lint_ir::{
    ArgValue, BufferId, GlobalId, GlobalKind, Instr, Program, Scalar, ScalarId, Stmt, StmtId,
    StmtKind, VariableId, View,
};
use a2lint_isa::{Class, ParamKind};

/// How input values steer a kernel, from the least to the most harmful way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Steered {
    /// Which rows of a global tensor are moved: index 0 is always valid.
    Rows,
    /// Which elements a gather or scatter touches.
    Elements,
    /// Sizes, trip counts, on-chip offsets, branches.
    Way,
}

/// Returns the instruction that reads the steering data, and what that data decides about; `None` if inputs steer
/// nothing. Where several kinds apply, sizes and branches come before gathers, and those before rows.
pub fn steering(program: &Program) -> Option<(&Stmt, Steered)> {
    let instructions = program.instructions();
    let is_risky = |instr: &Instr| {
        let class = instr.row().class;
        instr.row().reads_scalar() || class == Class::Gather
    };
    if !instructions.iter().any(|(_, instr)| is_risky(instr)) {
        return None;
    }
    let inputs = Inputs::of(program);
    let first = |is_meant: &dyn Fn(&Instr) -> bool| {
        let mut instructions = instructions.iter();
        let found = instructions.find(|(_, instr)| is_meant(instr));
        found.map(|(stmt, _)| *stmt)
    };
    let gather = first(&|instr| inputs.reach_offsets(instr));
    let reader = first(&|instr| instr.row().reads_scalar() && inputs.reach(instr));
    let is_used = |expressions: &[ScalarId]| inputs.is_used(program, expressions);
    reader
        .filter(|_| is_used(&sizes(program)))
        .map(|reader| (reader, Steered::Way))
        .or(gather.map(|gather| (gather, Steered::Elements)))
        .or(reader
            .filter(|_| is_used(&rows(program)))
            .map(|reader| (reader, Steered::Rows)))
}

/// Returns the gathers and scatters whose elements inputs select.
pub fn picked(program: &Program) -> FxHashSet<StmtId> {
    let instructions = program.instructions();
    if !instructions
        .iter()
        .any(|(_, it)| it.row().class == Class::Gather)
    {
        return FxHashSet::default();
    }
    let inputs = Inputs::of(program);
    let found = instructions
        .iter()
        .filter(|(_, it)| inputs.reach_offsets(it));
    found.map(|(stmt, _)| stmt.id).collect()
}

/// Where values of inputs may be: a flow-insensitive taint analysis.
#[derive(Default)]
struct Inputs {
    buffers: FxHashSet<BufferId>,
    workspaces: FxHashSet<GlobalId>,
    variables: FxHashSet<VariableId>,
    /// Tensors that the launch passes.
    params: FxHashSet<GlobalId>,
}

impl Inputs {
    fn of(program: &Program) -> Inputs {
        let globals = program.globals.iter().enumerate();
        let params = globals.filter(|(_, global)| global.kind == GlobalKind::Param);
        let mut inputs = Inputs {
            params: params.map(|(at, _)| GlobalId(at as u32)).collect(),
            ..Inputs::default()
        };
        let mut known = usize::MAX;
        while known != inputs.len() {
            known = inputs.len();
            // What this round taints is followed in the next one.
            let mentioning = inputs.mentioning(program);
            let mentions = |id: ScalarId| mentioning[id.0 as usize];
            program.walk(&mut |stmt| match &stmt.kind {
                StmtKind::Assign { variable, value } if mentions(*value) => {
                    inputs.variables.insert(*variable);
                }
                StmtKind::Instr(instr) if inputs.reach(instr) || has_scalar(instr, mentions) => {
                    inputs.follow(instr);
                }
                _ => {}
            });
        }
        inputs
    }

    /// Returns for each expression of a program whether it depends on a tainted variable.
    fn mentioning(&self, program: &Program) -> Vec<bool> {
        let mut found: Vec<bool> = Vec::with_capacity(program.scalars.len());
        for id in (0..program.scalars.len() as u32).map(ScalarId) {
            // An expression comes after its parts.
            let of = |part: ScalarId| found[part.0 as usize];
            let depends = match program.scalars.get(id) {
                Scalar::Variable(variable) => self.variables.contains(&variable),
                Scalar::Unary(_, a) => of(a),
                Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => of(a) || of(b),
                _ => false,
            };
            found.push(depends);
        }
        found
    }

    fn len(&self) -> usize {
        self.buffers.len() + self.workspaces.len() + self.variables.len()
    }

    fn holds(&self, view: &View) -> bool {
        match view {
            View::Local(view) => self.buffers.contains(&view.buffer),
            View::Global(view) => {
                self.params.contains(&view.global) || self.workspaces.contains(&view.global)
            }
        }
    }

    /// Returns whether an instruction reads a value of an input.
    fn reach(&self, instr: &Instr) -> bool {
        // A scalar from a register of the vector unit: the records of a merge decide how many are taken.
        if instr.row().reads_scalar() && instr.operands().next().is_none() {
            return true;
        }
        let mut sources = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.reads());
        sources.any(|(_, _, view)| self.holds(view))
    }

    /// Returns whether an input value selects the elements that a gather or scatter accesses.
    fn reach_offsets(&self, instr: &Instr) -> bool {
        let row = instr.row();
        row.class == Class::Gather
            && instr.operands().any(|(index, _, view)| {
                row.param(index).is_some_and(|param| param.name == "offset") && self.holds(view)
            })
    }

    /// Taints everything that an instruction writes.
    fn follow(&mut self, instr: &Instr) {
        self.variables.extend(instr.reads_into());
        for (_, operand, view) in instr.operands() {
            if !operand.access.writes() {
                continue;
            }
            match view {
                View::Local(view) => {
                    self.buffers.insert(view.buffer);
                }
                View::Global(view) if !self.params.contains(&view.global) => {
                    self.workspaces.insert(view.global);
                }
                View::Global(_) => {}
            }
        }
    }

    /// Returns whether one of these expressions depends on a tainted variable.
    fn is_used(&self, program: &Program, expressions: &[ScalarId]) -> bool {
        if self.variables.is_empty() {
            return false;
        }
        let mut pending = expressions.to_vec();
        let mut seen = FxHashSet::default();
        while let Some(id) = pending.pop() {
            if !seen.insert(id) {
                continue;
            }
            match program.scalars.get(id) {
                Scalar::Variable(variable) if self.variables.contains(&variable) => return true,
                Scalar::Unary(_, a) => pending.push(a),
                Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => pending.extend([a, b]),
                _ => {}
            }
        }
        false
    }
}

/// Returns whether one of the scalars of an instruction is meant.
fn has_scalar(instr: &Instr, is_meant: impl Fn(ScalarId) -> bool) -> bool {
    let mut scalars = instr.args.iter().filter_map(|arg| arg.value.scalar());
    scalars.any(is_meant)
}

/// Returns the start indices of all views of global tensors.
fn rows(program: &Program) -> Vec<ScalarId> {
    let instructions = program.instructions().into_iter();
    let views = instructions.flat_map(|(_, instr)| globals(instr));
    views
        .flat_map(|view| view.axes.iter().map(|axis| axis.start))
        .collect()
}

/// Returns the expressions that decide about on-chip offsets, sizes, masks, loops and branches.
fn sizes(program: &Program) -> Vec<ScalarId> {
    let mut sizes = Vec::new();
    program.walk(&mut |stmt| match &stmt.kind {
        StmtKind::Loop {
            start, stop, step, ..
        } => sizes.extend([start, stop, step]),
        StmtKind::If { arms, .. } => sizes.extend(arms.iter().map(|arm| arm.condition)),
        StmtKind::Instr(instr) => {
            for (_, _, view) in instr.operands() {
                match view {
                    View::Local(view) => {
                        sizes.push(view.slot);
                        sizes.extend(view.offset.into_iter().chain(view.span));
                    }
                    View::Global(view) => {
                        sizes.extend(view.axes.iter().map(|axis| axis.span));
                    }
                }
            }
            let is_mask = instr.row().class == Class::Mask;
            for (index, arg) in instr.args.iter().enumerate() {
                let kind = instr.row().param(index).map(|param| param.kind);
                let is_operand = matches!(
                    kind,
                    Some(
                        ParamKind::Value
                            | ParamKind::Step
                            | ParamKind::OperandOrValue(_)
                            | ParamKind::Ignored
                    )
                );
                if let ArgValue::Scalar(id) = arg.value
                    && (is_mask || !is_operand)
                {
                    sizes.push(id);
                }
            }
        }
        _ => {}
    });
    sizes
}
