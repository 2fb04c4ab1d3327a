//! Numbers that come from tensors: what those hold in a replay says nothing of what they hold on the device.

use a2lint_analysis::Interval;
use a2lint_ir::{
    BinaryOp, GlobalView, Instr, Program, Scalar, ScalarId, StmtKind, UnaryOp, VariableId, View,
};
use a2lint_isa::DType;
use a2lint_machine::BoundLaunch;

/// Returns the variables whose values come from tensors, directly or through other variables.
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

/// Returns whether the slot, offset or span of an operand of an instruction depends on one of these variables.
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

/// Returns whether a view is out of bounds of its tensor in a launch for all values of the loaded variables.
pub fn leaves_always(program: &Program, bound: &BoundLaunch, view: &GlobalView) -> bool {
    view.axes.iter().any(|axis| {
        let [start, span, extent] =
            [axis.start, axis.span, axis.extent].map(|id| range(program, bound, id));
        span.min > 0 && (start.max < 0 || start.min > extent.max.saturating_sub(span.min))
    })
}

/// Returns the interval of a scalar in a launch. Variables that are not parameters may have any value.
fn range(program: &Program, bound: &BoundLaunch, id: ScalarId) -> Interval {
    let scalars = &program.scalars;
    let of = |id| range(program, bound, id);
    let dtype = scalars.type_of(id).and_then(|it| it.known());
    let found = match scalars.get(id) {
        Scalar::Int(value) => return Interval::exact(value),
        Scalar::Variable(variable) => {
            let given = bound.parameters.iter().find(|(of, _)| *of == variable);
            match given.and_then(|(_, value)| value.as_int().ok()) {
                Some(value) => Interval::exact(value),
                None => Interval::ANY,
            }
        }
        Scalar::Extent(global, axis) => {
            let global = bound.globals.get(global.index());
            let extent = global.and_then(|global| global.shape.get(axis as usize));
            extent.map_or(Interval::ANY, |&extent| Interval::exact(extent))
        }
        Scalar::Unary(UnaryOp::Convert, value) if is_integer(program, value) => of(value),
        Scalar::Unary(UnaryOp::Negate, value) => of(value).times(-1),
        // The device converts the operands to the type of the operation, where they may wrap.
        Scalar::Binary(op, a, b) if wraps_as_integers(op) => {
            Interval::binary(op, typed(of(a), dtype), typed(of(b), dtype))
        }
        _ => Interval::ANY,
    };
    typed(found, dtype)
}

/// Returns the interval after conversion to a type: the full range of the type if a bound may wrap.
fn typed(range: Interval, dtype: Option<DType>) -> Interval {
    let Some(dtype) = dtype.filter(|it| !it.is_float()) else {
        return Interval::ANY;
    };
    let all = Interval::of(dtype);
    match all.contains(range.min) && all.contains(range.max) {
        true => range,
        false => all,
    }
}

fn is_integer(program: &Program, id: ScalarId) -> bool {
    let dtype = program.scalars.type_of(id).and_then(|it| it.known());
    dtype.is_some_and(|dtype| !dtype.is_float())
}

fn wraps_as_integers(op: BinaryOp) -> bool {
    use BinaryOp::{Add, Div, Max, Min, Mod, Mul, Sub};
    matches!(op, Add | Sub | Mul | Div | Mod | Min | Max)
}
