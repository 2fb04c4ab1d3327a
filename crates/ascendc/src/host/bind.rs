//! Binding of the launches in host code to programs.

use std::collections::BTreeSet;

use a2lint_cpp::eval::{Constant, IntType, Kind, TemplateArg};
use a2lint_ir::{
    DisplayName, Launch, LaunchOrigin, LaunchTensor, Mentions, Module, Param, ParamKind, Passing,
    Program, TILING_KEY, TensorInit,
};
use a2lint_isa::DType;

use super::{Argument, Numbers, Started};
use crate::instances::Instance;
use crate::project::Value;

/// Maximum number of launches of one kernel that are read.
const MAX_LAUNCHES: usize = 16;

/// Adds launches to a module; `instances` has the instance of each program by the program's name. A launch that is not
/// used is named in `module.not_read`, with the reason.
pub fn add(started: &[Started], instances: &[(String, Instance)], module: &mut Module) {
    let mut left_out: Vec<(&Started, String)> = Vec::new();
    let mut used = BTreeSet::new();
    for start in started {
        let of_entry = |program: &Program| is_of_entry(program, &start.kernel);
        if !module.programs.iter().any(of_entry) {
            continue;
        }
        let kernels = match meant(start, instances, module) {
            Ok(kernels) => kernels,
            Err(reason) => {
                left_out.push((start, reason));
                continue;
            }
        };
        for kernel in kernels {
            let known = module.launches.iter().filter(|it| it.kernel == kernel);
            if known.count() >= MAX_LAUNCHES {
                module.unread_launches.push(kernel.to_string());
                continue;
            }
            match bound(&kernel, start, module) {
                Ok(launch) => {
                    used.insert(&start.place);
                    if !module.launches.contains(&launch) {
                        module.launches.push(launch);
                    }
                }
                Err(reason) => left_out.push((start, reason)),
            }
        }
    }
    // A function that several tests call is also evaluated alone, with unknown arguments.
    left_out.retain(|(start, _)| !used.contains(&start.place));
    let mut said: Vec<LeftOut> = Vec::new();
    for (start, reason) in left_out {
        let place = start
            .place
            .as_deref()
            .and_then(|place| place.rsplit_once(':'));
        let kernel = start.kernel.as_str();
        let file = place.map(|(file, _)| file);
        let line = place.map_or("", |(_, line)| line);
        let is_it = |it: &&mut LeftOut| (it.kernel, it.file, &it.reason) == (kernel, file, &reason);
        match said.iter_mut().find(is_it) {
            Some(known) if known.lines.contains(&line) => {}
            Some(known) => known.lines.push(line),
            None => said.push(LeftOut {
                kernel,
                file,
                reason,
                lines: vec![line],
            }),
        }
    }
    for left_out in said {
        let clause = left_out.clause();
        if !module.not_read.contains(&clause) {
            module.not_read.push(clause);
        }
    }
}

/// The launches of a kernel in one file that are not used for the same reason.
struct LeftOut<'s> {
    kernel: &'s str,
    /// The file; `None` for that of the kernel.
    file: Option<&'s str>,
    reason: String,
    lines: Vec<&'s str>,
}

impl LeftOut<'_> {
    fn clause(&self) -> String {
        let (kernel, reason) = (self.kernel, &self.reason);
        match (self.file, self.lines.as_slice()) {
            (Some(file), [line]) => {
                format!("the launch of `{kernel}` at {file}:{line}: {reason}")
            }
            (Some(file), [line, more @ ..]) => {
                let more = more.len();
                format!("the launch of `{kernel}` at {file}:{line} and {more} more: {reason}")
            }
            _ => format!("the launch of `{kernel}`: {reason}"),
        }
    }
}

/// Returns whether a program is one of those for which an entry is compiled: `entry<half>`, `entry[TILING_KEY=1]`.
fn is_of_entry(program: &Program, entry: &str) -> bool {
    let name = program.name.as_str();
    name == entry || name.split(['<', '[']).next() == Some(entry)
}

/// Returns the kernels that a launch starts. If an entry is compiled in several ways, the host selects among them.
///
/// # Errors
/// Returns the reason why no kernel is selected.
fn meant(
    start: &Started,
    instances: &[(String, Instance)],
    module: &Module,
) -> Result<Vec<DisplayName>, String> {
    let all = module.programs.iter();
    let all: Vec<&Program> = all.filter(|it| is_of_entry(it, &start.kernel)).collect();
    let instance = |program: &Program| {
        let mut known = instances.iter().filter(|(name, _)| program.name == *name);
        known.next().map(|(_, instance)| instance)
    };
    let keyed: Vec<&Program> = all.into_iter().filter(|it| is_of_key(start, it)).collect();
    if keyed.is_empty() {
        return Err(match start.key {
            Some(key) => format!("no kernel is read for its tiling key {key}"),
            None => "it sets no tiling key that is known".to_owned(),
        });
    }
    let is_built = |program: &&Program| {
        let known = instance(program);
        known.is_none_or(|it| is_of_template(start, it) && is_of_build(start, it))
    };
    let built: Vec<&Program> = keyed.into_iter().filter(is_built).collect();
    if built.is_empty() {
        return Err("no kernel is read for its template arguments or macros".to_owned());
    }
    let is_counted = |program: &&Program| {
        let names = instance(program).map(|it| &it.buffers);
        let mut names = names.into_iter().flatten();
        names.all(|name| has_number(program, start, name))
    };
    let built: Vec<&Program> = built.into_iter().filter(is_counted).collect();
    if built.is_empty() {
        return Err("no kernel is followed for its number of buffers".to_owned());
    }
    let sized: Vec<&Program> = built
        .iter()
        .copied()
        .filter(|it| is_sized(it, start))
        .collect();
    if let (Some(program), true) = (built.first(), sized.is_empty()) {
        return Err(other_sizes(program, start));
    }
    let built = sized;
    // If the host names no element types, the sizes with which it computes allocations tell them.
    let is_several = |programs: &[&Program]| {
        let first = programs.first().map(|first| types_of(first));
        programs.iter().any(|it| Some(types_of(it)) != first)
    };
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
        // Of types of one size, each takes the memory that the host allocates.
        if meant.is_empty() {
            return Err("it does not say for which element types".to_owned());
        }
    }
    let meant = meant.iter();
    Ok(meant.map(|program| program.name.clone()).collect())
}

/// Returns whether the host gives a parameter the value for which a kernel is followed.
fn has_number(program: &Program, start: &Started, name: &str) -> bool {
    let value = program.built_for.iter().find(|(known, _)| known == name);
    let value = value.and_then(|(_, value)| value.parse::<f64>().ok());
    let object = name.split(['.', '[']).next().unwrap_or(name);
    let owner = |param: &Param| {
        let name = param.name.as_str();
        name.split_once('.')
            .map_or(name, |(object, _)| object)
            .to_owned()
    };
    let mut owners: Vec<String> = program.params.iter().map(owner).collect();
    // All members of a struct are one argument.
    owners.dedup();
    let at = owners.iter().position(|owner| owner == object);
    let given = match at.and_then(|at| start.arguments.get(at)) {
        Some(Argument::Memory { numbers, .. } | Argument::Numbers(numbers)) => {
            number(numbers, object, name).ok()
        }
        Some(Argument::Number(number)) => Some(*number),
        _ => None,
    };
    given.is_some() && given == value
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
    values.filter(|(name, _)| name != TILING_KEY).collect()
}

/// Returns whether a kernel is compiled for the tiling key that the host has chosen. A host that chooses no key starts
/// no kernel that has one.
fn is_of_key(start: &Started, program: &Program) -> bool {
    let key = program.tiling_key();
    key.is_none_or(|key| key.parse::<i128>().ok() == start.key)
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

/// Iterates over the tensors of a kernel that the host allocates by the size of an element type: the parameter, its
/// element type, and the type of the host. Parameters that the kernel does not use are left out.
fn measured<'p>(
    program: &'p Program,
    start: &'p Started,
) -> impl Iterator<Item = (&'p str, DType, DType)> {
    let globals = program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Global(global) => Some((param.name.as_str(), global)),
        _ => None,
    });
    globals
        .zip(&start.arguments)
        .filter(|((_, global), _)| program.uses_global(*global))
        .filter_map(|((name, global), argument)| match argument {
            Argument::Memory { dtype, .. } => {
                Some((name, program.global(global).dtype?, (*dtype)?))
            }
            _ => None,
        })
}

/// Returns whether the first tensor that the host allocates by elements has elements of that size in a kernel. A test
/// for half that is built for float starts a kernel, but not one that it is written for. Where the build names the
/// types, a test may allocate more than it needs.
fn is_sized(program: &Program, start: &Started) -> bool {
    let mut measured = measured(program, start);
    let are_named = !start.build.is_empty();
    measured.next().is_none_or(|(_, dtype, size)| {
        dtype.bits() == size.bits() || are_named && dtype.bits() < size.bits()
    })
}

/// Says that the host allocates for other element types than a kernel has.
fn other_sizes(program: &Program, start: &Started) -> String {
    let first = measured(program, start).next();
    first.map_or(String::new(), |(name, dtype, size)| {
        format!("it allocates `{name}` for elements of type {size}, and the kernel has {dtype}")
    })
}

/// Returns whether the element types with which the host computes allocations fit those of a kernel: `is_it` compares
/// the first pair.
fn fits(program: &Program, start: &Started, is_it: impl Fn(DType, DType) -> bool) -> bool {
    let mut measured = measured(program, start).map(|(_, dtype, size)| (dtype, size));
    let Some((dtype, size)) = measured.next() else {
        return false;
    };
    // Only the first tensor decides the type. Masks and indices have other types, so only the element size has to match
    // for the other tensors.
    let is_first = is_it(dtype, size) && dtype.bits() == size.bits();
    is_first && measured.all(|(dtype, size)| dtype.bits() == size.bits())
}

/// Returns a complete launch.
///
/// # Errors
/// Names the first number that is unknown, such as one that exists only when the host runs.
fn bound(kernel: &DisplayName, start: &Started, module: &Module) -> Result<Launch, String> {
    let unknown = |what: &str| format!("`{what}` is unknown");
    let mut programs = module.programs.iter();
    let program = programs
        .find(|program| program.name == *kernel)
        .ok_or_else(|| unknown(kernel.as_str()))?;
    let mut tensors = Vec::new();
    let mut scalars = Vec::new();
    let read = Mentions::of(program, &program.body);
    // The host may set no field that only other products read.
    let is_read = |param: &Param| match param.kind {
        ParamKind::Variable(id) => !read.lacks_field(&param.name, id),
        _ => true,
    };
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
                    // What the host writes into its memory is not followed.
                    init: TensorInit::Any,
                });
            }
            _ => match param.name.as_str().split_once('.') {
                // All members of a struct are one argument.
                Some((object, _)) => {
                    let Argument::Numbers(numbers) = argument else {
                        return Err(unknown(object));
                    };
                    // A struct by value is one argument and as many parameters of the program as it has members.
                    let prefix = format!("{object}.");
                    let mut member = Some(param);
                    while let Some(param) = member {
                        if is_read(param) {
                            let value = number(numbers, object, param.name.as_str())?;
                            scalars.push((param.name.to_string(), value));
                        }
                        member = left.next_if(|it| it.name.as_str().starts_with(&prefix));
                    }
                }
                None => match argument {
                    Argument::Number(value) => scalars.push((param.name.to_string(), *value)),
                    _ => return Err(unknown(param.name.as_str())),
                },
            },
        }
    }
    let first_field = scalars.len();
    // Fields of tiling data follow the other parameters; their names start with that of the pointer parameter.
    for param in left.filter(|param| is_read(param)) {
        let name = param.name.as_str();
        // A parameter that is neither an argument nor a field makes the launch incomplete.
        let object = name.split(['.', '[']).next().unwrap_or(name);
        let of_object = |argument: &Argument| match argument {
            Argument::Memory { numbers, .. } => Some(numbers.clone()),
            _ => None,
        };
        let at = program.params.iter().position(|it| it.name == *object);
        let argument = at.and_then(|at| start.arguments.get(at));
        let numbers = argument
            .and_then(of_object)
            .ok_or_else(|| unknown(object))?;
        scalars.push((param.name.to_string(), number(&numbers, object, name)?));
    }
    // Memory of the twin starts as zeros; a file or a function that is not read may fill it.
    let fields = scalars.get(first_field..).unwrap_or_default();
    if fields.len() > 1 && fields.iter().all(|(_, value)| *value == 0.0) {
        return Err("nothing that is read writes its tiling data".to_owned());
    }
    // A launch needs the number of blocks: otherwise the kernel would run on a guessed number of cores.
    let blocks = start.blocks.filter(|blocks| *blocks > 0);
    let blocks = blocks.ok_or("the number of cores is unknown")?;
    let is_elsewhere = start.place.is_some();
    Ok(Launch {
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
        block_dim: Some(blocks),
        seeds_outputs: None,
        passing: Passing::default(),
    })
}

/// Returns the number in an object that belongs to a parameter of this name.
fn number(numbers: &Numbers, object: &str, parameter: &str) -> Result<f64, String> {
    let part = parameter.strip_prefix(object).unwrap_or(parameter);
    match numbers.iter().find(|(name, _)| name == part) {
        Some((_, Some(value))) => Ok(*value),
        Some(_) => Err(format!("`{parameter}` is unknown")),
        None => Err(format!(
            "the host's object has no `{part}` for `{parameter}`"
        )),
    }
}
