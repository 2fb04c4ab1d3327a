//! Binding of the launches in host code to programs.

use std::collections::BTreeSet;

use a2lint_cpp::eval::{Constant, IntType, Kind, TemplateArg};
use a2lint_ir::{
    DisplayName, Launch, LaunchOrigin, LaunchTensor, Module, ParamKind, Passing, Program,
    TensorInit,
};
use a2lint_isa::DType;

use super::{Argument, Numbers, Started};
use crate::instances::Instance;
use crate::project::Value;

/// Maximum number of launches of one kernel that are read.
const MAX_LAUNCHES: usize = 16;

/// Adds launches to a module; `instances` has the instance of each program by the program's name.
pub fn add(started: &[Started], instances: &[(String, Instance)], module: &mut Module) {
    for start in started {
        for kernel in meant(start, instances, module) {
            let known = module.launches.iter().filter(|it| it.kernel == kernel);
            if known.count() >= MAX_LAUNCHES {
                module.unread_launches.push(kernel.to_string());
                continue;
            }
            // `bound` returns `None` for a launch with numbers that exist only when the host runs.
            let launch = bound(&kernel, start, module);
            let launch = launch.filter(|it| !module.launches.contains(it));
            module.launches.extend(launch);
        }
    }
}

/// Returns the kernels that a launch starts. If an entry is compiled in several ways, the host selects among them.
fn meant(start: &Started, instances: &[(String, Instance)], module: &Module) -> Vec<DisplayName> {
    let is_it = |program: &&Program| {
        // `entry<half>` and `entry[TILING_KEY=1]` are kernels of the entry that the host names.
        let name = program.name.as_str();
        name == start.kernel || name.split(['<', '[']).next() == Some(&start.kernel)
    };
    let all: Vec<&Program> = module.programs.iter().filter(is_it).collect();
    let instance = |program: &Program| {
        let mut known = instances.iter().filter(|(name, _)| program.name == *name);
        known.next().map(|(_, instance)| instance)
    };
    let is_built = |program: &&&Program| {
        is_of_key(start, program)
            && instance(program)
                .is_none_or(|it| is_of_template(start, it) && is_of_build(start, it))
    };
    let built: Vec<&&Program> = all.iter().filter(is_built).collect();
    // If the host names no element types, the sizes with which it computes allocations tell them.
    let is_several = |programs: &[&Program]| {
        let first = programs.first().map(|first| types_of(first));
        programs.iter().any(|it| Some(types_of(it)) != first)
    };
    let built: Vec<&Program> = built.into_iter().copied().collect();
    let mut meant = built.clone();
    if is_several(&built) {
        meant.retain(|it| fits(it, start, |dtype, size| dtype == size));
    }
    if meant.is_empty() {
        // The host may use an integer of the same size for a type that it lacks, such as `half`.
        meant = built;
        meant.retain(|it| {
            fits(it, start, |dtype, size| {
                dtype.is_float() && !size.is_float()
            })
        });
        if is_several(&meant) {
            meant.clear();
        }
    }
    let meant = meant.iter();
    meant.map(|program| program.name.clone()).collect()
}

/// Returns whether a launch of the host starts an instance of an entry.
pub fn is_started(started: &[Started], kernel: &str, instance: &Instance) -> bool {
    let mut all = started.iter().filter(|it| it.kernel == kernel);
    all.any(|it| is_of_template(it, instance) && is_of_build(it, instance))
}

/// Returns the tiling keys that the host chooses for an entry.
pub fn keys(started: &[Started], kernel: &str) -> BTreeSet<u64> {
    let all = started.iter().filter(|it| it.kernel == kernel);
    all.filter_map(|it| u64::try_from(it.key?).ok()).collect()
}

/// Returns the lists of template arguments with which the host starts an entry; `None` if the host gives none or some
/// are unknown.
pub fn lists(started: &[Started], kernel: &str) -> Option<Vec<Vec<Value>>> {
    let mut found: Vec<Vec<Value>> = Vec::new();
    for start in started
        .iter()
        .filter(|it| it.kernel == kernel && !it.template.is_empty())
    {
        let list = start.template.iter().map(spelled);
        let list: Vec<Value> = list.collect::<Option<_>>()?;
        if !found.contains(&list) {
            found.push(list);
        }
    }
    (!found.is_empty()).then_some(found)
}

/// Returns a template argument with its spelling; `None` if its meaning depends on the translation unit.
fn spelled(argument: &TemplateArg) -> Option<Value> {
    let spelled = match argument {
        TemplateArg::Type(ty) => match ty.kind {
            Kind::Int(of) => of.spelling().to_owned(),
            Kind::Float(of) => of.spelling().to_owned(),
            _ => return None,
        },
        TemplateArg::Value(ty, Constant::Int(value)) => {
            let number = match ty.kind {
                Kind::Int(IntType::Bool) if *value != 0 => "true".to_owned(),
                Kind::Int(IntType::Bool) => "false".to_owned(),
                Kind::Int(_) | Kind::Enum(_) => value.to_string(),
                _ => return None,
            };
            // Enumeration types are local to a translation unit, so the argument is passed as an integer.
            let ty = match ty.kind {
                Kind::Int(of) => of,
                _ => IntType::Long,
            };
            return Some((number, TemplateArg::Value(ty.into(), Constant::Int(*value))));
        }
        _ => return None,
    };
    Some((spelled, argument.clone()))
}

/// Returns the template arguments and macros for which a kernel is compiled, without tiling keys.
fn types_of(program: &Program) -> Vec<&(String, String)> {
    let values = program.built_for.iter();
    values.filter(|(name, _)| name != "TILING_KEY").collect()
}

/// Returns whether a kernel is compiled for the tiling key that the host has chosen. A host that chooses no key starts
/// no kernel that has one.
fn is_of_key(start: &Started, program: &Program) -> bool {
    let mut keys = program
        .built_for
        .iter()
        .filter(|(name, _)| name == "TILING_KEY");
    keys.all(|(_, key)| key.parse::<i128>().ok() == start.key)
}

/// Returns whether a kernel is compiled with the template arguments that the host names.
fn is_of_template(start: &Started, instance: &Instance) -> bool {
    // If either side leaves the arguments open, nothing contradicts a match.
    if start.template.is_empty() || instance.arguments.is_empty() {
        return true;
    }
    let is_same = |(a, b): (&TemplateArg, &TemplateArg)| match (a, b) {
        (TemplateArg::Value(_, Constant::Int(a)), TemplateArg::Value(_, Constant::Int(b))) => {
            a == b
        }
        (TemplateArg::Type(a), TemplateArg::Type(b)) => a.kind == b.kind,
        _ => false,
    };
    start.template.len() == instance.arguments.len()
        && start.template.iter().zip(&instance.arguments).all(is_same)
}

/// Returns whether a kernel is compiled with the macros that the build of the host defines.
fn is_of_build(start: &Started, instance: &Instance) -> bool {
    instance.macros.iter().all(|(name, value)| {
        let mut given = start.build.iter().filter(|(given, _)| given == name);
        given.all(|(_, given)| given == value)
    })
}

/// Returns whether the element types with which the host computes allocations fit those of a kernel: `is_it` compares
/// the first pair. Parameters that the kernel does not use are ignored.
fn fits(program: &Program, start: &Started, is_it: impl Fn(DType, DType) -> bool) -> bool {
    let globals = program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Global(global) => Some(global),
        _ => None,
    });
    let mut measured = globals
        .zip(&start.arguments)
        .filter(|(global, _)| program.uses_global(*global))
        .filter_map(|(global, argument)| match argument {
            Argument::Memory { dtype, .. } => Some((program.global(global).dtype?, (*dtype)?)),
            _ => None,
        });
    let Some((dtype, size)) = measured.next() else {
        return false;
    };
    // Only the first tensor decides the type. Masks and indices have other types, so only the element size has to match
    // for the other tensors.
    let is_first = is_it(dtype, size) && dtype.bits() == size.bits();
    is_first && measured.all(|(dtype, size)| dtype.bits() == size.bits())
}

/// Returns a complete launch; `None` if one of its numbers is unknown.
fn bound(kernel: &DisplayName, start: &Started, module: &Module) -> Option<Launch> {
    let mut programs = module.programs.iter();
    let program = programs.find(|program| program.name == *kernel)?;
    let mut tensors = Vec::new();
    let mut scalars = Vec::new();
    let mut left = program.params.iter().peekable();
    for argument in &start.arguments {
        // The program has no parameter for trailing arguments that the kernel does not use.
        let Some(param) = left.next() else { break };
        match param.kind {
            ParamKind::Global(global) => {
                let dtype = program.global(global).dtype;
                let bytes = match argument {
                    Argument::Memory { bytes, .. } => *bytes,
                    _ => None,
                };
                let elements = bytes
                    .zip(dtype)
                    .map(|(bytes, dtype)| bytes * 8 / dtype.bits());
                tensors.push(LaunchTensor {
                    dtype,
                    shape: elements.map(|it| vec![it]),
                    spelled: vec![None; usize::from(elements.is_some())],
                    init: TensorInit::Normal,
                });
            }
            _ => match param.name.as_str().split_once('.') {
                // All members of a struct are one argument.
                Some((object, _)) => {
                    let Argument::Numbers(numbers) = argument else {
                        return None;
                    };
                    // A struct by value is one argument and as many parameters of the program as it has members.
                    let prefix = format!("{object}.");
                    let mut member = Some(param);
                    while let Some(param) = member {
                        let value = number(numbers, object, param.name.as_str())?;
                        scalars.push((param.name.to_string(), value));
                        member = left.next_if(|it| it.name.as_str().starts_with(&prefix));
                    }
                }
                None => match argument {
                    Argument::Number(value) => scalars.push((param.name.to_string(), *value)),
                    _ => return None,
                },
            },
        }
    }
    // Fields of tiling data follow the other parameters; their names start with that of the pointer parameter.
    for param in left {
        let name = param.name.as_str();
        // A parameter that is neither an argument nor a field makes the launch incomplete.
        let end = name.find(['.', '['])?;
        let object = name.get(..end)?;
        let at = program.params.iter().position(|it| it.name == *object)?;
        let Argument::Memory { numbers, .. } = start.arguments.get(at)? else {
            return None;
        };
        scalars.push((param.name.to_string(), number(numbers, object, name)?));
    }
    let is_elsewhere = start.place.is_some();
    Some(Launch {
        kernel: kernel.clone(),
        tensors,
        scalars,
        floats: Vec::new(),
        span: (!is_elsewhere).then_some(start.span),
        place: start.place.clone(),
        origin: match is_elsewhere {
            true => LaunchOrigin::Importer,
            false => LaunchOrigin::Code,
        },
        // A launch needs the number of blocks: otherwise the kernel would run on a guessed number of cores.
        block_dim: Some(start.blocks.filter(|blocks| *blocks > 0)?),
        seeds_outputs: None,
        passing: Passing::default(),
    })
}

/// Returns the number in an object that belongs to a parameter of this name.
fn number(numbers: &Numbers, object: &str, parameter: &str) -> Option<f64> {
    let part = parameter.strip_prefix(object)?;
    let mut known = numbers.iter().filter(|(name, _)| name == part);
    known.next()?.1
}
