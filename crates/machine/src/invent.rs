//! Invented launches: the smallest sensible arguments for kernels without a launch.

use super::Bindings;
use a2lint_ir::arithmetic::whole;
use a2lint_ir::contract::Given;
use a2lint_ir::{GlobalId, ParamKind, Program, VariableId, View};
use a2lint_isa::DType;

/// The value of scalars and of open extents in an invented launch.
const INVENTED: i64 = 128;

impl Bindings {
    /// Gives everything that is still open a value; returns whether anything was.
    pub fn invent(&mut self, program: &Program) -> bool {
        let mut is_invented = false;
        // Scalars first: shapes from contract and signature are evaluated under them.
        for param in &program.params {
            if let ParamKind::Variable(_) = param.kind {
                is_invented |= add(&mut self.scalars, &param.name, || INVENTED as f64);
            }
        }
        for param in &program.params {
            let name = &param.name;
            if let ParamKind::Global(id) = param.kind {
                let given = self.contract_shape(program, name);
                let given = given.or_else(|| self.declared_shape(program, id));
                let shape = || given.unwrap_or_else(|| invented_shape(program, id));
                is_invented |= add(&mut self.shapes, name, shape);
                is_invented |= add(&mut self.dtypes, name, || invented_dtype(program, id));
            }
        }
        is_invented
    }

    /// Returns the shape that the signature gives a tensor under these scalars.
    fn declared_shape(&self, program: &Program, id: GlobalId) -> Option<Vec<i64>> {
        let value = |variable: VariableId| {
            let name = &program.variable(variable).name;
            let (_, value) = self.scalars.iter().find(|(known, _)| known == name)?;
            whole(*value)
        };
        let declared = &program.global(id).shape;
        let extents = declared
            .iter()
            .map(|&extent| program.scalars.evaluated(extent, &value));
        let shape: Option<Vec<i64>> = extents.collect();
        let declares = program.toolchain.launches.declares_shapes;
        shape.filter(|shape| !shape.is_empty() && declares)
    }

    /// Returns the shape that the contract gives a tensor under these scalars.
    fn contract_shape(&self, program: &Program, name: &str) -> Option<Vec<i64>> {
        let given = Given {
            numbers: self.scalars.clone(),
            tensors: Vec::new(),
        };
        let contract = &program.contract;
        contract.shape(name, |name| given.whole(contract, name))
    }

    /// Gives a tensor a shape and a type where it has none yet.
    pub fn adopt(&mut self, name: &str, shape: Vec<i64>, dtype: DType) {
        add(&mut self.shapes, name, || shape);
        add(&mut self.dtypes, name, || dtype);
    }
}

/// Adds a value under a name that has none yet; returns whether it did.
fn add<T>(list: &mut Vec<(String, T)>, name: &str, value: impl FnOnce() -> T) -> bool {
    let is_open = list.iter().all(|(given, _)| given != name);
    if is_open {
        list.push((name.to_owned(), value()));
    }
    is_open
}

/// Returns a shape with as many axes as the kernel uses, long enough for its slices with constant bounds.
fn invented_shape(program: &Program, id: GlobalId) -> Vec<i64> {
    let declared = &program.global(id).shape;
    let mut shape = vec![
        INVENTED;
        if declared.is_empty() {
            2
        } else {
            declared.len()
        }
    ];
    for (extent, &scalar) in shape.iter_mut().zip(declared) {
        *extent = program.size(scalar).unwrap_or(*extent);
    }
    for (_, instr) in program.instructions() {
        let views = instr.operands().filter_map(|(_, _, view)| view.global());
        for axes in views
            .filter(|view| view.global == id)
            .map(|view| &view.axes)
        {
            for (extent, axis) in shape.iter_mut().zip(axes) {
                let start = program.size(axis.start).unwrap_or(0);
                let end = start + program.size(axis.span).unwrap_or(0);
                *extent = end.max(*extent);
            }
        }
    }
    shape
}

/// Returns the type that the contract or the signature gives, else that of the on-chip tensor it is moved to
/// or from.
fn invented_dtype(program: &Program, id: GlobalId) -> DType {
    let moved = program.instructions().into_iter().find_map(|(_, instr)| {
        let views = || instr.operands().map(|(_, _, view)| view);
        let is_moved = views()
            .filter_map(View::global)
            .any(|view| view.global == id);
        views().filter_map(View::local).find(|_| is_moved)
    });
    let contract = program.contract.tensor(&program.global(id).name);
    let known = program.global(id).dtype;
    contract
        .and_then(|tensor| tensor.dtype)
        .or(known)
        .or(moved.map(|view| view.dtype))
        .unwrap_or(DType::Half)
}
