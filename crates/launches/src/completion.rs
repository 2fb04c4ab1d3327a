//! Sizes and types for what the user, or a guess, leaves open: scalars get sizes that the tiles of the kernel suggest,
//! tensors the extents that a run reaches.

use super::asked::asked_extent;
use super::contract;
use super::guesses::{FREE, Guesser, Scalars};
use super::measure::Measure;
use super::request::{DEFAULT_WORK, Request};
use super::steering::steering;
use a2lint_ir::arithmetic::whole;
use a2lint_ir::contract::TensorForm;
use a2lint_ir::{
    GlobalId, GlobalKind, GlobalView, Instr, Launch, ParamKind, Program, Scalar, ScalarId,
    TensorInit, View,
};
use a2lint_isa::DType;
use a2lint_machine::{Bindings, Contents};

/// How missing sizes are chosen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Invented {
    /// Two tiles of each parameter that the kernel cuts into tiles.
    #[default]
    Natural,
    /// Enough tiles for one core to reuse every slot of every ring.
    Repeated,
}

/// Why sizes cannot be completed, as a clause.
#[derive(Clone, Debug, PartialEq)]
pub enum Incomplete {
    /// Buffers do not fit on the chip: no size of a tensor changes that.
    NoRoom(String),
    /// Sizes of tensors cannot be measured.
    Unmeasured(String),
}

impl From<String> for Incomplete {
    fn from(reason: String) -> Incomplete {
        Incomplete::Unmeasured(reason)
    }
}

impl From<Incomplete> for String {
    fn from(incomplete: Incomplete) -> String {
        let (Incomplete::NoRoom(reason) | Incomplete::Unmeasured(reason)) = incomplete;
        reason
    }
}

/// Fills in every argument that `bindings` leaves open: scalars get the sizes that the kernel's tiles
/// suggest, tensors the shapes that its accesses reach.
pub fn complete(
    program: &Program,
    launches: &[Launch],
    request: &Request,
    sizes: Invented,
    bindings: &mut Bindings,
) -> Result<(), Incomplete> {
    if let Some(reason) = obstacle(program) {
        return Err(reason.into());
    }
    let given = bindings.scalars.clone();
    let guesser = Guesser::new(program, launches, request, &given);
    let (guess, free) = match sizes {
        Invented::Natural => (guesser.natural(), FREE),
        Invented::Repeated => guesser.turning(0),
    };
    let mut scalars = guess.scalars;
    for (name, value) in &mut scalars {
        let known = given.iter().find(|(known, _)| known == name);
        *value = known.map_or(*value, |(_, known)| *known);
    }
    let is_extent = |name: &str| contract::free_names(program).any(|free| free == name);
    let extents = given.iter().filter(|(name, _)| is_extent(name));
    scalars.extend(extents.cloned());
    // The user may ask for numbers that break the contract. No completion satisfies it then, and the
    // others keep the values that they would have without a contract.
    let is_given = |name: &str| given.iter().any(|(known, _)| known == name);
    let inside = contract::nearest(program, &scalars, &is_given, free);
    let mut scalars = guesser.without_measured(inside.unwrap_or(scalars));
    let is_given = |name: &str| bindings.shapes.iter().any(|(known, _)| known == name);
    let is_missing = |param: &Param| match param.kind {
        ParamKind::Global(id) => guesser.is_open(id, &scalars) && !is_given(&param.name),
        _ => false,
    };
    // Measuring costs a run; it is left out where every shape is given.
    let is_open = !guesser.symbols.is_empty() || program.params.iter().any(is_missing);
    let shapes = match is_open {
        true => {
            let guess = Guess {
                scalars: scalars.clone(),
                block_dim: bindings.cores,
                is_for_cores: false,
                is_solved: false,
            };
            let is_given = |(name, _): &(String, f64)| given.iter().any(|(known, _)| known == name);
            // A size of our own choice that needs a long run is a bad choice; sizes of the user may take
            // as long as the request allows.
            let mut work = match scalars.iter().all(is_given) {
                true => request.work,
                false => request.work.min(DEFAULT_WORK),
            };
            let (guess, shapes) = guesser.sized(&guess, &mut work)?;
            scalars = guess.scalars;
            shapes
        }
        false => Vec::new(),
    };
    let mut others = given;
    others.retain(|(name, _)| scalars.iter().all(|(known, _)| known != name));
    bindings.scalars = scalars;
    bindings.scalars.append(&mut others);
    for (name, shape) in shapes {
        if bindings.shapes.iter().all(|(known, _)| *known != name) {
            bindings.shapes.push((name, shape));
        }
    }
    bindings.invent(program);
    pick_the_first(program, bindings);
    Ok(())
}

/// Sets integer inputs without given contents to 0 where data selects rows or elements: index 0 is
/// inside of every tensor, random numbers are not.
fn pick_the_first(program: &Program, bindings: &mut Bindings) {
    if steering(program).is_none() {
        return;
    }
    for (name, dtype) in &bindings.dtypes {
        let is_given = bindings.contents.iter().any(|(given, _)| given == name);
        if !is_given && !dtype.is_float() {
            let zeros = Contents::Generated(TensorInit::Full(0.0), 0);
            bindings.contents.push((name.clone(), zeros));
        }
    }
}

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
fn declare(program: &Program, name: &str, shape: &mut [i64], scalars: &Scalars) {
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

pub(super) fn globals(instr: &Instr) -> impl Iterator<Item = &GlobalView> {
    instr
        .operands()
        .filter_map(|(_, _, view)| View::global(view))
}
