//! Resolves the arguments that a kernel runs with.

use super::array::{Array, describe};
use super::error::{Disagreement, RunError};
use super::npy;
use super::spec::InputSpec;
use crate::target::Target;
use a2lint_ir::{GlobalId, GlobalKind, Launch, ParamKind, Program};
use a2lint_isa::DType;
use a2lint_isa::device::Device;
use a2lint_launches::{self as launches, Incomplete, Invented, Request};
use a2lint_machine::{Bindings, BoundLaunch, Contents, LaunchError};
use a2lint_source::spelling::nearest;

/// Arguments of a launch that are given beside the file.
#[derive(Clone, Debug, Default)]
pub struct Arguments {
    /// Values of scalar parameters and symbolic extents.
    pub scalars: Vec<(String, f64)>,
    /// Names of scalars that are floats even if their values are whole.
    pub floats: Vec<String>,
    /// Contents of tensors.
    pub contents: Vec<(String, InputSpec)>,
    /// Element types of tensors. Contents are converted to them.
    pub dtypes: Vec<(String, DType)>,
    /// Shapes of tensors.
    pub shapes: Vec<(String, Vec<i64>)>,
    /// Number of cube cores.
    pub cores: Option<u32>,
    /// The device; by default that of the configuration.
    pub device: Option<Device>,
    /// The launch of the file that gives the rest.
    pub launch: Which,
    /// Which sizes are invented if none are given.
    pub sizes: Invented,
}

/// Selects launches of the file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Which {
    /// The first one without empty tensors.
    #[default]
    First,
    /// The launch with this number, from 1.
    Number(usize),
    /// All launches in order.
    All,
    /// No launch: only given arguments count.
    None,
}

impl Arguments {
    fn is_empty(&self) -> bool {
        self.scalars.is_empty()
            && self.contents.is_empty()
            && self.dtypes.is_empty()
            && self.shapes.is_empty()
    }

    /// Returns whether the contents of a tensor are given as an array.
    fn has_values(&self) -> bool {
        let is_array = |spec: &InputSpec| !matches!(spec, InputSpec::Generated(..));
        self.contents.iter().any(|(_, spec)| is_array(spec))
    }
}

/// Work of the run that measures which part of its tensors a kernel accesses.
const MEASURING_WORK: u64 = 20_000_000;

/// A launch with all values known.
#[derive(Clone)]
pub struct Bound {
    /// The arguments.
    pub launch: BoundLaunch,
    /// Where they come from, as a clause.
    pub origin: String,
    /// The device.
    pub device: Device,
}

/// Resolves the arguments of a kernel: what is given, then a launch of the file, then the sizes that `check`
/// replays it with. For a snippet, falls back to the smallest sensible values.
pub fn bind(
    target: &Target,
    program: &Program,
    args: &Arguments,
    limit: u64,
    is_snippet: bool,
) -> Result<Bound, RunError> {
    let module = &target.module;
    let launches = module.launches.iter();
    let launches: Vec<&Launch> = launches
        .filter(|launch| launch.kernel == program.name)
        .collect();
    let chosen = chosen(program, &launches, args.launch)?;
    let launch = chosen.map(|chosen| launches[chosen]);
    let device = args.device.unwrap_or(target.settings.trace.device);
    check_names(program, launch, args)?;
    let arrays = arrays(program, launch, args, limit)?;
    let mut bindings = given(program, args, &arrays, launch.is_none());
    let mut origin = match chosen {
        Some(chosen) => launch_text(target, args.launch, chosen, &launches),
        None => "from the command line".to_owned(),
    };
    let others = match args.launch {
        Which::None => &[][..],
        _ => &module.launches[..],
    };
    if launch.is_some() && args.has_values() {
        let plain = bound(others, program, launch, &bindings, device, limit)?;
        agree(program, &plain, &arrays, args, &origin)?;
    }
    add_contents(&mut bindings, args, arrays);
    if args.launch == Which::None {
        // Without a launch of the file, all scalars have to be given; only sizes of tensors are completed.
        match bound(others, program, None, &bindings, device, limit) {
            Err(error) if error.is_about_sizes() => {}
            bound => {
                let launch = bound?;
                let origin = "from the arguments".to_owned();
                return Ok(Bound {
                    launch,
                    origin,
                    device,
                });
            }
        }
    }
    let mut unmeasured = None;
    if launch.is_none() && !is_complete(program, &bindings) {
        let request = Request {
            device,
            bindings: &[],
            work: MEASURING_WORK,
            saturate: false,
        };
        let measured = launches::complete(program, others, &request, args.sizes, &mut bindings);
        let is_measured = measured.is_ok();
        unmeasured = measured.err();
        if is_measured || (is_snippet && bindings.invent(program)) {
            origin = match args.scalars.is_empty() {
                true => "no launch in the file: sizes and types are invented".to_owned(),
                false => "from the command line, tensors as large as what is touched".to_owned(),
            };
        }
    } else if launch.is_some() && !args.is_empty() {
        origin.push_str(", changed by options");
    }
    let launch = bound(others, program, launch, &bindings, device, limit)
        .map_err(|error| with_reason(program, error, unmeasured))?;
    Ok(Bound {
        launch,
        origin,
        device,
    })
}

/// Says why the size of a tensor was not found, if a run was to measure it.
fn with_reason(program: &Program, error: RunError, unmeasured: Option<Incomplete>) -> RunError {
    match (error, unmeasured) {
        (
            RunError::Launch {
                kernel,
                cause: LaunchError::MissingShape(name),
            },
            Some(reason),
        ) => {
            let extents = match program.dialect.has_rows() {
                true => "ROWS,COLUMNS",
                false => "ELEMENTS",
            };
            let reason = match reason {
                Incomplete::NoRoom(reason) => reason,
                Incomplete::Unmeasured(reason) => format!(
                    "cannot determine the size of `{name}`: {reason}; give it with `--shape {name}={extents}`"
                ),
            };
            RunError::Refused { kernel, reason }
        }
        (error, _) => error,
    }
}

/// Returns whether every parameter has a value.
fn is_complete(program: &Program, bindings: &Bindings) -> bool {
    let mut params = program.params.iter();
    params.all(|param| match param.kind {
        ParamKind::Global(_) => bindings.shapes.iter().any(|(name, _)| *name == param.name),
        ParamKind::Variable(_) => bindings.scalars.iter().any(|(name, _)| *name == param.name),
        _ => true,
    })
}

/// Returns the index of the selected launch.
fn chosen(
    program: &Program,
    launches: &[&Launch],
    which: Which,
) -> Result<Option<usize>, RunError> {
    let count = launches.len();
    match which {
        Which::None => Ok(None),
        Which::Number(number) if number > count => Err(RunError::NoLaunch {
            kernel: program.name.to_string(),
            number,
            count,
        }),
        Which::Number(number) => Ok(Some(number - 1)),
        Which::First | Which::All => {
            let first = launches.iter().position(|launch| !is_empty(launch));
            Ok(first.or((count > 0).then_some(0)))
        }
    }
}

fn bound(
    launches: &[Launch],
    program: &Program,
    launch: Option<&Launch>,
    bindings: &Bindings,
    device: Device,
    limit: u64,
) -> Result<BoundLaunch, RunError> {
    BoundLaunch::bind(program, launch, launches, bindings, device, limit).map_err(|cause| {
        RunError::Launch {
            kernel: program.name.to_string(),
            cause,
        }
    })
}

/// Formats where a launch comes from: `the launch at line 41, first of 2`.
fn launch_text(target: &Target, which: Which, chosen: usize, launches: &[&Launch]) -> String {
    let launch = launches[chosen];
    let text = match launch.span {
        Some(span) => {
            let line = target.report.source.line_column(span.start).line;
            format!("the launch at line {line}")
        }
        None => launch.elsewhere(),
    };
    let count = launches.len();
    match (chosen, which) {
        (_, _) if count == 1 => text,
        (_, Which::Number(number)) => format!("{text}, number {number} of {count}"),
        (0, _) => format!("{text}, first of {count}"),
        (1, _) => format!("{text}, second of {count}: the first has an empty tensor"),
        _ => format!(
            "{text}, number {} of {count}: those before have an empty tensor",
            chosen + 1
        ),
    }
}

/// Returns whether a launch has an empty tensor.
fn is_empty(launch: &Launch) -> bool {
    let shapes = launch
        .tensors
        .iter()
        .filter_map(|tensor| tensor.shape.as_ref());
    shapes.flatten().any(|&extent| extent == 0)
}

/// Tensors with given values: name, source and array, in the type that they have in the launch.
type Arrays = Vec<(String, String, Array)>;

fn arrays(
    program: &Program,
    launch: Option<&Launch>,
    args: &Arguments,
    limit: u64,
) -> Result<Arrays, RunError> {
    let mut arrays = Vec::new();
    for (name, spec) in &args.contents {
        let (source, array) = match spec {
            InputSpec::Generated(..) => continue,
            InputSpec::File(path) => (path.display().to_string(), npy::read(path, name, limit)?),
            InputSpec::Array(array) => ("the argument".to_owned(), array.clone()),
        };
        let wanted = args.dtypes.iter().find(|(known, _)| known == name);
        let array = match wanted {
            Some((_, dtype)) => array.converted(*dtype),
            None => {
                let declared = declared_dtype(program, launch, name);
                let dtype = declared.unwrap_or(array.dtype);
                array.into_type(dtype)
            }
        };
        let array = match program.toolchain.launches.reads_extents {
            true => array,
            false => array.flat(),
        };
        arrays.push((name.clone(), source, array));
    }
    Ok(arrays)
}

/// Converts the given arguments to bindings. Without a launch, shapes and types are those of the arrays.
fn given(program: &Program, args: &Arguments, arrays: &Arrays, adopts: bool) -> Bindings {
    let shapes = args.shapes.iter().map(|(name, shape)| {
        let shape = match program.toolchain.launches.reads_extents {
            true => shape.clone(),
            // The kernel receives an address: its tensors have one axis, whatever shape the host gives them.
            false => vec![
                shape
                    .iter()
                    .fold(1_i64, |all, extent| all.saturating_mul(*extent)),
            ],
        };
        (name.clone(), shape)
    });
    let mut bindings = Bindings {
        scalars: args.scalars.clone(),
        floats: args.floats.clone(),
        shapes: shapes.collect(),
        dtypes: args.dtypes.clone(),
        contents: Vec::new(),
        cores: args.cores,
    };
    for (name, _, array) in arrays.iter().filter(|_| adopts) {
        bindings.adopt(name, array.shape.clone(), array.dtype);
    }
    bindings
}

fn add_contents(bindings: &mut Bindings, args: &Arguments, arrays: Arrays) {
    for (name, spec) in &args.contents {
        if let InputSpec::Generated(init, seed) = spec {
            let contents = Contents::Generated(*init, *seed);
            bindings.contents.push((name.clone(), contents));
        }
    }
    for (name, _, array) in arrays {
        bindings.contents.push((name, Contents::Bytes(array.bytes)));
    }
}

/// Checks that arrays have the shapes and types of the launch. Otherwise an array of equal size but another type
/// would silently be read as different numbers.
fn agree(
    program: &Program,
    launch: &BoundLaunch,
    arrays: &Arrays,
    args: &Arguments,
    origin: &str,
) -> Result<(), RunError> {
    for (name, source, array) in arrays {
        let global = &launch.globals[tensor(program, name)?.index()];
        // An explicit `--shape` is reported as the origin, because the launch cannot contradict it.
        let is_shaped = args.shapes.iter().any(|(known, _)| known == name);
        if global.dtype != array.dtype || global.shape != array.shape {
            return Err(RunError::Disagrees(Box::new(Disagreement {
                name: name.clone(),
                given: array.describe(),
                source_name: source.clone(),
                expected: describe(global.dtype, &global.shape),
                origin: match is_shaped {
                    true => "--shape".to_owned(),
                    false => origin.to_owned(),
                },
            })));
        }
    }
    Ok(())
}

/// Returns the element type that the launch or the kernel gives a tensor.
fn declared_dtype(program: &Program, launch: Option<&Launch>, name: &str) -> Option<DType> {
    let mut tensors = tensor_params(program);
    let index = tensors.position(|(param, _)| param == name)?;
    let launched = launch.and_then(|launch| launch.tensors.get(index)?.dtype);
    launched.or_else(|| program.global(tensor(program, name).ok()?).dtype)
}

pub(super) fn tensor_params(program: &Program) -> impl Iterator<Item = (&str, GlobalId)> {
    program.params.iter().filter_map(|param| match param.kind {
        ParamKind::Global(id) => Some((param.name.as_str(), id)),
        _ => None,
    })
}

/// Returns the tensor parameter with this name.
pub fn tensor(program: &Program, name: &str) -> Result<GlobalId, RunError> {
    let found = tensor_params(program).find(|(param, _)| *param == name);
    found
        .map(|(_, id)| id)
        .ok_or_else(|| RunError::NoParameter {
            kernel: program.name.to_string(),
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

/// Returns the tensor with this name; workspaces count, too.
pub fn any_tensor(program: &Program, name: &str) -> Result<GlobalId, RunError> {
    let workspace = program
        .globals
        .iter()
        .position(|global| global.kind == GlobalKind::Workspace && global.name == name);
    match workspace {
        Some(index) => Ok(GlobalId(index as u32)),
        None => tensor(program, name),
    }
}

/// Checks that every name is that of a tensor, a scalar parameter, or an extent of the launch.
fn check_names(
    program: &Program,
    launch: Option<&Launch>,
    args: &Arguments,
) -> Result<(), RunError> {
    let names = program.bindable(launch.map_or(&[], std::slice::from_ref));
    let unknown = |(name, _): &&(String, f64)| !names.contains(name.as_str());
    if let Some((name, _)) = args.scalars.iter().find(unknown) {
        return Err(RunError::NoParameter {
            kernel: program.name.to_string(),
            name: name.clone(),
            kind: "scalar",
            hint: hint(name, &names.into_iter().collect::<Vec<_>>()),
        });
    }
    let tensors = args.contents.iter().map(|(name, _)| name);
    let tensors = tensors.chain(args.dtypes.iter().map(|(name, _)| name));
    for name in tensors.chain(args.shapes.iter().map(|(name, _)| name)) {
        tensor(program, name)?;
    }
    Ok(())
}

/// Formats the parameter that was probably meant, or all parameters.
fn hint(name: &str, names: &[&str]) -> String {
    match nearest(name, names.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("it has {}", names.join(", ")),
    }
}
