//! Which kernel runs, and with what.

use std::sync::Arc;

use super::RunError;
use super::args::InputArgs;
use super::npy::{self, Array};
use super::snippet::instructions_on;
use super::spec::{InputSpec, Lines};
use crate::check::nearest;
use crate::cli::Failure;
use crate::cli::target::Target;
use crate::device::Device;
use crate::ir::{GlobalId, Launch, Module, ParamKind, Program, StmtKind};
use crate::isa::DType;
use crate::machine::{Bindings, BoundLaunch, Contents};
use crate::replay::{self, Request};
use crate::text::SourceText;

/// Work of the run that measures what a kernel touches of its tensors.
const MEASURING_WORK: u64 = 20_000_000;

/// The kernel that is meant: the one that the file launches first where it has several.
pub fn kernel(target: &Target) -> Result<&Program, Failure> {
    let programs = target.programs()?;
    let launches = &target.report.analysis.module.launches;
    let launched = |launch: &Launch| {
        programs
            .iter()
            .find(|program| program.name == launch.kernel)
    };
    let first = launches.iter().find_map(launched);
    match (first, &programs[..]) {
        (Some(program), _) => Ok(program),
        (None, [program]) => Ok(program),
        _ => Err(RunError::SeveralKernels {
            path: target.report.path.clone(),
            names: names(&programs),
        }
        .into()),
    }
}

/// The kernel that executes statements on these lines.
pub fn kernel_at(target: &Target, lines: Lines) -> Result<&Program, Failure> {
    let programs = target.programs()?;
    let source = &target.report.source;
    let has = |program: &&&Program| !instructions_on(source, program, lines).is_empty();
    let found = programs.iter().find(has).copied();
    found.ok_or_else(|| {
        let path = target.report.path.clone();
        let reason = no_statements(source, &programs, lines);
        RunError::NoStatements { path, reason }.into()
    })
}

/// Where lines without instructions are: `line 3 is outside every kernel; `softmax` spans lines 5–20`.
fn no_statements(source: &SourceText, programs: &[&Program], lines: Lines) -> String {
    let number = |offset: u32| source.line_column(offset).line;
    let extent = |program: &Program| (number(program.span.start), number(program.span.end));
    let inside = programs.iter().find(|program| {
        let (first, last) = extent(program);
        lines.meet(first, last)
    });
    let Some(program) = inside else {
        let spans = programs.iter().map(|program| {
            let (first, last) = extent(program);
            format!("`{}` spans lines {first}–{last}", program.name)
        });
        let spans: Vec<String> = spans.collect();
        return format!(
            "{} outside every kernel; {}",
            lines.subject(),
            spans.join(", ")
        );
    };
    let mut executed: Vec<usize> = Vec::new();
    program.walk(&mut |stmt| {
        if matches!(stmt.kind, StmtKind::Instr(_)) {
            executed.push(number(stmt.span.start));
        }
    });
    let distance = |line: usize| match line < lines.first {
        true => lines.first - line,
        false => line.saturating_sub(lines.last),
    };
    let nearest = executed
        .into_iter()
        .min_by_key(|&line| (distance(line), line));
    let nearest = nearest.map_or("the kernel has none".to_owned(), |line| {
        format!("the nearest is on line {line}")
    });
    let name = &program.name;
    format!(
        "`{name}` executes no instruction on {}; {nearest}",
        lines.text()
    )
}

fn names(programs: &[&Program]) -> String {
    let names: Vec<&str> = programs
        .iter()
        .map(|program| program.name.as_str())
        .collect();
    names.join(", ")
}

/// A launch with every value known.
pub struct Bound {
    /// The arguments.
    pub launch: BoundLaunch,
    /// Where they come from, as a clause.
    pub origin: String,
}

/// Finds the arguments of a kernel: options, then the file's first launch of it that is not empty,
/// then the sizes that `check` replays it with; for a snippet, whatever is smallest and sensible.
pub fn bind(
    target: &Target,
    program: &Program,
    args: &InputArgs,
    limit: u64,
    is_snippet: bool,
) -> Result<Bound, Failure> {
    let module = &target.report.analysis.module;
    let launches = module.launches.iter();
    let launches: Vec<&Launch> = launches
        .filter(|launch| launch.kernel == program.name)
        .collect();
    let chosen = launches.iter().position(|launch| !is_empty(launch));
    let chosen = chosen.unwrap_or(0);
    let launch = launches.get(chosen).copied();
    let device = args.device.or(&target.settings);
    let mut bindings = given(program, launch, args, limit)?;
    let mut origin = match launch {
        Some(launch) => launch_text(target, launch, chosen, launches.len()),
        None => "from the command line".to_owned(),
    };
    if launch.is_none() {
        let request = Request {
            device,
            bindings: &[],
            work: MEASURING_WORK,
            saturate: false,
        };
        let is_measured =
            replay::complete(program, &module.launches, &request, &mut bindings).is_ok();
        if is_measured || (is_snippet && bindings.invent(program)) {
            origin = match args.bind.is_empty() {
                true => "no launch in the file: sizes and types are invented".to_owned(),
                false => "from the command line, tensors as large as what is touched".to_owned(),
            };
        }
    } else if launch.is_some() && !is_untouched(args) {
        origin.push_str(", changed by options");
    }
    let launch = bound(module, program, launch, &bindings, device, limit)?;
    Ok(Bound { launch, origin })
}

fn bound(
    module: &Module,
    program: &Program,
    launch: Option<&Launch>,
    bindings: &Bindings,
    device: Device,
    limit: u64,
) -> Result<BoundLaunch, RunError> {
    BoundLaunch::bind(program, launch, &module.launches, bindings, device, limit).map_err(|cause| {
        RunError::Launch {
            kernel: program.name.clone(),
            cause,
        }
    })
}

/// `the launch at line 41, first of 2`.
fn launch_text(target: &Target, launch: &Launch, chosen: usize, count: usize) -> String {
    let text = match launch.span {
        Some(span) => {
            let line = target.report.source.line_column(span.start).line;
            format!("the launch at line {line}")
        }
        None => "a launch of the configuration".to_owned(),
    };
    match (chosen, count) {
        (_, 1) => text,
        (0, _) => format!("{text}, first of {count}"),
        (1, _) => format!("{text}, second of {count}: the first has an empty tensor"),
        _ => format!(
            "{text}, number {} of {count}: those before have an empty tensor",
            chosen + 1
        ),
    }
}

/// Whether a launch has nothing to work on.
fn is_empty(launch: &Launch) -> bool {
    let shapes = launch
        .tensors
        .iter()
        .filter_map(|tensor| tensor.shape.as_ref());
    shapes.flatten().any(|&extent| extent == 0)
}

fn is_untouched(args: &InputArgs) -> bool {
    args.bind.is_empty() && args.input.is_empty() && args.dtype.is_empty() && args.shape.is_empty()
}

/// What the options say.
fn given(
    program: &Program,
    launch: Option<&Launch>,
    args: &InputArgs,
    limit: u64,
) -> Result<Bindings, RunError> {
    check_scalars(program, launch, args)?;
    let tensors = args.input.iter().map(|(name, _)| name);
    let tensors = tensors.chain(args.dtype.iter().map(|(name, _)| name));
    for name in tensors.chain(args.shape.iter().map(|(name, _)| name)) {
        tensor(program, name)?;
    }
    let mut bindings = Bindings {
        scalars: args.bind.clone(),
        shapes: args.shape.clone(),
        dtypes: args.dtype.clone(),
        contents: Vec::new(),
        cores: args.cores,
    };
    for (name, spec) in &args.input {
        let contents = match spec {
            InputSpec::Generated(init, seed) => Contents::Generated(*init, *seed),
            InputSpec::File(path) => {
                let declared = declared_dtype(program, launch, name);
                let array = npy::read(path, limit)?;
                let dtype = declared.unwrap_or(array.dtype);
                adopt(&mut bindings, name, array.into_type(dtype))
            }
        };
        bindings.contents.push((name.clone(), contents));
    }
    Ok(bindings)
}

/// Takes shape and type of a file where no option gives them.
fn adopt(bindings: &mut Bindings, name: &str, array: Array) -> Contents {
    bindings.adopt(name, array.shape, array.dtype);
    Contents::Bytes(Arc::from(array.bytes))
}

/// The element type that the launch, or the kernel, gives a tensor.
fn declared_dtype(program: &Program, launch: Option<&Launch>, name: &str) -> Option<DType> {
    let mut tensors = tensor_params(program);
    let index = tensors.position(|(param, _)| param == name)?;
    let launched = launch.and_then(|launch| launch.tensors.get(index)?.dtype);
    launched.or_else(|| program.global(tensor(program, name).ok()?).dtype)
}

fn tensor_params(program: &Program) -> impl Iterator<Item = (&str, GlobalId)> {
    program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Global(id) => Some((param.name.as_str(), id)),
        _ => None,
    })
}

/// The tensor parameter of this name.
pub fn tensor(program: &Program, name: &str) -> Result<GlobalId, RunError> {
    let found = tensor_params(program).find(|(param, _)| *param == name);
    found
        .map(|(_, id)| id)
        .ok_or_else(|| RunError::NoParameter {
            kernel: program.name.clone(),
            name: name.to_owned(),
            kind: "tensor",
            hint: hint(
                name,
                &tensor_params(program)
                    .map(|(name, _)| name)
                    .collect::<Vec<_>>(),
            ),
        })
}

/// Makes sure that every `--bind` names a scalar parameter, or an extent that the launch spells.
fn check_scalars(
    program: &Program,
    launch: Option<&Launch>,
    args: &InputArgs,
) -> Result<(), RunError> {
    let names = program.bindable(launch.map_or(&[], std::slice::from_ref));
    let unknown = |(name, _): &&(String, f64)| !names.contains(name.as_str());
    match args.bind.iter().find(unknown) {
        Some((name, _)) => Err(RunError::NoParameter {
            kernel: program.name.clone(),
            name: name.clone(),
            kind: "scalar",
            hint: hint(name, &names.into_iter().collect::<Vec<_>>()),
        }),
        None => Ok(()),
    }
}

/// The parameter that was meant, or those that there are.
fn hint(name: &str, names: &[&str]) -> String {
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", names.join(", ")),
    }
}
