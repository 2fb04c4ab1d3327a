//! Launches: values of symbols from shapes, launches of kernels with constant extents, and literal cases.

use super::super::super::calls::block_dim;
use super::super::super::emit::Arguments;
use super::super::super::function::Role;
use super::super::super::tracer::Tracer;
use super::super::super::value::{Frame, Value};
use a2lint_ir::{
    BLOCK_DIM, GlobalId, Launch, LaunchOrigin, LaunchTensor, Param, ParamKind, Passing, Program,
    TensorInit, symbols,
};
use a2lint_isa::Dialect;
use a2lint_source::text::Span;

/// Names the variable of a module that lists the cases to launch.
const CASES: &str = "CASES";
/// Names the entry of a case that holds its parameters.
const PARAMETERS: &str = "parameters";
/// Maximum number of cases that are read.
const MAX_CASES: usize = 16;

/// Gives the symbols that a launch leaves out the values that follow from its shapes.
pub fn solve(program: &Program, launch: &mut Launch) {
    let tensors = params(program).filter_map(|param| match param.kind {
        ParamKind::Global(id) => Some(id),
        _ => None,
    });
    let shapes: Vec<(GlobalId, Vec<i64>)> = tensors
        .zip(&launch.tensors)
        .filter_map(|(id, tensor)| Some((id, tensor.shape.clone()?)))
        .collect();
    symbols::solve(program, &mut launch.scalars, &shapes);
}

fn params(program: &Program) -> impl Iterator<Item = &Param> {
    program.params.iter()
}

/// Returns the launch that the signature of a kernel determines, if all of its extents are constants.
pub fn of_signature(program: &Program) -> Option<Launch> {
    let is_tensor = |param: &Param| matches!(param.kind, ParamKind::Global(_));
    let is_whole = program.dialect == Dialect::Ascriptor
        && !program.params.is_empty()
        && params(program).all(is_tensor);
    is_whole.then(|| Launch {
        origin: LaunchOrigin::Signature,
        ..launch(program, Some(program.name_span))
    })
}

/// Returns a launch without any arguments.
fn launch(program: &Program, span: Option<Span>) -> Launch {
    let tensors = params(program).filter(|param| matches!(param.kind, ParamKind::Global(_)));
    Launch {
        kernel: program.name.clone(),
        tensors: tensors
            .map(|_| LaunchTensor {
                dtype: None,
                shape: None,
                spelled: Vec::new(),
                init: TensorInit::Normal,
            })
            .collect(),
        scalars: Vec::new(),
        floats: Vec::new(),
        span,
        place: None,
        origin: LaunchOrigin::Importer,
        block_dim: None,
        seeds_outputs: None,
        passing: Passing::default(),
    }
}

/// A literal case of the file or of a file that imports it, or the arguments that a kernel is compiled for.
#[derive(Clone)]
pub struct Case {
    /// The kernel that the case is for; `None` for any kernel with these parameters.
    kernel: Option<String>,
    span: Option<Span>,
    parameters: Vec<(String, f64)>,
    block_dim: Option<u32>,
    origin: LaunchOrigin,
}

impl<'a> Tracer<'a> {
    /// Returns the cases that modules list: `CASES = [{"block_dim": 2, "parameters": {"M": 64}}]`.
    pub fn literal_cases(&self) -> Vec<Case> {
        let own = (self.own_module(), LaunchOrigin::Code);
        let others = self.loaded.iter();
        let others = others.map(|(_, frame)| (frame.clone(), LaunchOrigin::Importer));
        let all = std::iter::once(own).chain(others);
        let cases = all.flat_map(|(frame, origin)| cases_of(&frame, origin));
        cases
            .take(MAX_CASES)
            .chain(self.bindings.iter().cloned())
            .collect()
    }

    /// Evaluates `compile_kernel(kernel, bindings={"M": 64})`, which gives scalars of launches but no shapes.
    pub fn compile_kernel(&mut self, arguments: &Arguments<'a>, span: Span) {
        let Some((Value::Function(kernel), _)) = arguments.positional.first() else {
            return;
        };
        let bindings = arguments.keyword("bindings");
        let parameters = bindings.map(numbers).unwrap_or_default();
        let is_own = self.modules.map.is_own(span);
        // Bounded: a loop may compile a kernel for many sizes.
        if kernel.role == Role::Kernel && self.bindings.len() < MAX_CASES {
            self.bindings.push(Case {
                kernel: Some(kernel.name.to_string()),
                span: is_own.then_some(span),
                parameters,
                block_dim: block_dim(arguments),
                origin: match is_own {
                    true => LaunchOrigin::Code,
                    false => LaunchOrigin::Importer,
                },
            });
        }
    }
}

fn cases_of(frame: &Frame<'_>, origin: LaunchOrigin) -> Vec<Case> {
    // A list that was changed in unknown ways still may hold cases, but none is known.
    let items = match frame.own(CASES) {
        Some(Value::List(items)) => match items.known() {
            Some(items) => items.to_vec(),
            None => vec![Value::Unknown],
        },
        Some(Value::Tuple(items)) => items.to_vec(),
        _ => return Vec::new(),
    };
    let case = |item: &Value<'_>| {
        Some(Case {
            kernel: None,
            span: None,
            parameters: numbers(&entry(item, PARAMETERS)?),
            block_dim: entry(item, BLOCK_DIM)
                .and_then(|cores| cores.as_int())
                .and_then(|cores| u32::try_from(cores).ok()),
            origin,
        })
    };
    items.iter().filter_map(case).collect()
}

/// Returns the numbers of a dictionary, by name.
fn numbers(dict: &Value<'_>) -> Vec<(String, f64)> {
    let Value::Dict(entries) = dict else {
        return Vec::new();
    };
    let number = |(name, value): &(Value<'_>, Value<'_>)| match name {
        Value::Str(name) => Some((name.to_string(), value.as_float()?)),
        _ => None,
    };
    let entries = entries.known();
    entries.map_or_else(Vec::new, |it| it.iter().filter_map(number).collect())
}

fn entry<'a>(dict: &Value<'a>, name: &str) -> Option<Value<'a>> {
    let Value::Dict(entries) = dict else {
        return None;
    };
    let entries = entries.known()?;
    let mut entries = entries.iter();
    let is_it = |key: &Value<'_>| matches!(key, Value::Str(text) if **text == *name);
    let (_, value) = entries.find(|(key, _)| is_it(key))?;
    Some(value.clone())
}

/// Returns the launch of a kernel that a case gives; `None` unless the case names all of its scalars.
pub fn of_case(program: &Program, case: &Case) -> Option<Launch> {
    let is_other = |name: &String| *name != program.name;
    if case.kernel.as_ref().is_some_and(is_other) {
        return None;
    }
    let mut found = Launch {
        origin: case.origin,
        block_dim: case.block_dim,
        ..launch(program, case.span)
    };
    for param in params(program) {
        if matches!(param.kind, ParamKind::Variable(_)) {
            let mut given = case.parameters.iter();
            let (name, value) = given.find(|(name, _)| *name == param.name)?;
            found.scalars.push((name.clone(), *value));
        }
    }
    // A kernel without scalars is launched by its signature.
    (!found.scalars.is_empty() && program.dialect == Dialect::Ascriptor).then_some(found)
}
