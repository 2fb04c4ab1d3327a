//! Concrete arguments of a kernel: from a launch, from the user, or from the device.

use std::cell::LazyCell;

use super::bound::{BoundGlobal, BoundLaunch, Contents};
use super::lane_id::{LaneId, LaneKind};
use super::scalars::{Environment, variables_of_scalars};
use super::value::{Absence, Value};
use a2lint_ir::arithmetic::{limits, whole, wrapped};
use a2lint_ir::contract::Given;
use a2lint_ir::{
    BLOCK_DIM, Global, GlobalId, GlobalKind, Launch, LaunchOrigin, LaunchTensor, Mentions,
    ParamKind, Program, ScalarId, Stmt, StmtKind, TensorInit, VariableId, View, symbols,
};
use a2lint_isa::device::{Device, MAX_CORES, SUB_BLOCKS};
use a2lint_isa::{DST, DType};

/// Values that a user adds to a launch or gives in its place, by parameter name.
#[derive(Clone, Debug, Default)]
pub struct Bindings {
    /// Scalars and symbolic extents.
    pub scalars: Vec<(String, f64)>,
    /// Scalars among them that are floats even if their values are whole.
    pub floats: Vec<String>,
    /// Tensor shapes.
    pub shapes: Vec<(String, Vec<i64>)>,
    /// Tensor element types.
    pub dtypes: Vec<(String, DType)>,
    /// Tensor contents. An output that is named here starts with them.
    pub contents: Vec<(String, Contents)>,
    /// Number of cube cores; `None` leaves it to the launch, the kernel or the device.
    pub cores: Option<u32>,
}

impl Bindings {
    /// Returns the number of cores, if that is bound like a scalar.
    fn block_dim(&self, program: &Program) -> Option<u32> {
        let is_param = program.params.iter().any(|param| param.name == BLOCK_DIM);
        let mut scalars = self.scalars.iter().filter(|_| !is_param);
        let (_, value) = scalars.find(|(name, _)| name == BLOCK_DIM)?;
        Some(*value as u32)
    }
}

/// The reason why a kernel cannot be launched.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LaunchError {
    /// A scalar parameter has no value.
    #[error("the scalar parameter `{0}` has no value: bind it with {0}=…")]
    MissingScalar(String),
    /// A scalar parameter is given an integer that its type does not hold.
    #[error(
        "the scalar parameter `{name}` is {given}, and {dtype} holds {} to {}",
        limits(*dtype).0, limits(*dtype).1
    )]
    ScalarRange {
        /// The parameter.
        name: String,
        /// What the launch gives.
        given: i64,
        /// The type of the parameter.
        dtype: DType,
    },
    /// The launch gives another number of tensors.
    #[error("the kernel takes {expected} tensors and the launch gives {given}")]
    TensorCount {
        /// Tensor parameters of the kernel.
        expected: usize,
        /// Tensors of the launch.
        given: usize,
    },
    /// The shape of a tensor cannot be found.
    #[error(
        "the shape of `{0}` is not known: `run` takes it as `--shape {0}=ROWS,COLUMNS`, a launch \
         comment as `{0}=float[ROWS, COLUMNS]`"
    )]
    MissingShape(String),
    /// The element type of a tensor cannot be found.
    #[error(
        "the element type of `{0}` is not known: `run` takes it as `--dtype {0}=half`, a launch \
         comment as `{0}=half[ROWS, COLUMNS]`"
    )]
    MissingType(String),
    /// A tensor has another number of dimensions than the kernel uses.
    #[error("`{name}` has {given} dimensions and the kernel uses {expected}")]
    Rank {
        /// The tensor.
        name: String,
        /// Dimensions the kernel uses.
        expected: usize,
        /// Dimensions it is given.
        given: usize,
    },
    /// An extent contradicts the scalar it is declared with.
    #[error("axis {axis} of `{name}` is {given} and the scalars make it {expected}")]
    Extent {
        /// The tensor.
        name: String,
        /// The axis.
        axis: usize,
        /// The extent by the scalars.
        expected: i64,
        /// The extent of the tensor.
        given: i64,
    },
    /// An extent is below zero.
    #[error("axis {axis} of `{name}` is negative: {extent}")]
    NegativeExtent {
        /// The tensor.
        name: String,
        /// The axis.
        axis: usize,
        /// The extent of the axis.
        extent: i64,
    },
    /// The extent of a workspace has no value.
    #[error("the shape of the workspace `{name}` is not known: {reason}")]
    Workspace {
        /// The workspace.
        name: String,
        /// The reason.
        reason: String,
    },
    /// The contents do not fill the tensor.
    #[error("`{name}` takes {expected} bytes and its contents are {given}")]
    ContentSize {
        /// The tensor.
        name: String,
        /// Bytes of the tensor.
        expected: usize,
        /// Bytes of the contents.
        given: usize,
    },
    /// The tensors take more memory than allowed.
    #[error("the tensors up to `{name}` take {needed} bytes; the limit is {limit}")]
    TooLarge {
        /// The tensor that crosses the limit.
        name: String,
        /// Bytes in all.
        needed: u128,
        /// The limit.
        limit: u64,
    },
    /// No core.
    #[error("a launch needs at least one core")]
    NoCores,
    /// More cores than are simulated.
    #[error("a launch on {0} cores is not simulated: {MAX_CORES} is the most")]
    TooManyCores(u32),
    /// A parameter that is neither tensor nor scalar.
    #[error("the parameter `{0}` is neither a tensor nor a scalar as far as one can tell")]
    UnknownParameter(String),
}

impl BoundLaunch {
    /// Finds a value for everything that `program` leaves to the launch.
    ///
    /// User bindings win over the launch. A launch that gives scalars alone takes its shapes from
    /// the first of `launches` (those of the file) that has them. Returned tensors start undefined
    /// unless their contents are bound. `limit` caps the bytes of all tensors together.
    pub fn bind(
        program: &Program,
        launch: Option<&Launch>,
        launches: &[Launch],
        bindings: &Bindings,
        device: Device,
        limit: u64,
    ) -> Result<BoundLaunch, LaunchError> {
        let launched = launch.and_then(|launch| launch.block_dim);
        // Before the symbols are solved, since those do not replace numbers of the launch.
        let is_changed = !bindings.scalars.is_empty();
        let solved = with_symbols(program, launch, bindings);
        let bindings = solved.as_ref().unwrap_or(bindings);
        // The user's number first, then that of the launch, of the decorator, and at last all cores of the
        // device.
        let bound = bindings.block_dim(program);
        let given = bindings.cores.or(bound).or(launched).or(program.block_dim);
        let given = given.or_else(|| symbolic_cores(program, launch, bindings));
        let all = match program.counts_vec_cores() {
            true => device.cube_cores.saturating_mul(SUB_BLOCKS),
            false => device.cube_cores,
        };
        let (cores, vec_lanes) = cores_of(program, given.unwrap_or(all));
        if cores == 0 {
            return Err(LaunchError::NoCores);
        }
        if cores > MAX_CORES {
            return Err(LaunchError::TooManyCores(cores));
        }
        let others = launches.iter().filter(|other| other.kernel == program.name);
        let binder = Binder {
            program,
            launch,
            is_changed,
            template: launch.into_iter().chain(others).find(has_shapes).or(launch),
            bindings,
        };
        let mut bound = BoundLaunch {
            device,
            cores,
            vec_lanes,
            parameters: binder.parameters()?,
            unrounded: Vec::new(),
            globals: program.globals.iter().map(unbound).collect(),
        };
        bound.unrounded = binder.unrounded(&bound.parameters);
        binder.tensors(&mut bound)?;
        // After the tensors: extents of workspaces may depend on their shapes.
        binder.workspaces(&mut bound)?;
        bound.measure(limit)?;
        binder.check_contents(&bound)?;
        Ok(bound)
    }

    /// Returns the same launch on another number of cores, in the unit that its kernel counts.
    pub fn on_cores(
        &self,
        program: &Program,
        count: u32,
        limit: u64,
    ) -> Result<BoundLaunch, LaunchError> {
        let mut bound = self.clone();
        (bound.cores, bound.vec_lanes) = cores_of(program, count);
        let binder = Binder {
            program,
            launch: None,
            is_changed: false,
            template: None,
            bindings: &Bindings::default(),
        };
        binder.workspaces(&mut bound)?;
        bound.measure(limit)?;
        Ok(bound)
    }

    /// Computes the size of every tensor.
    fn measure(&mut self, limit: u64) -> Result<(), LaunchError> {
        let mut needed = 0_u128;
        for global in &mut self.globals {
            // Even an empty tensor must not have huge extents: pitches are products of them.
            let volume = |least: i64| {
                let extents = global.shape.iter().map(|&extent| extent.max(least) as u128);
                extents
                    .fold(global.dtype.bits() as u128, u128::saturating_mul)
                    .div_ceil(8)
            };
            let bytes = if volume(1) > u128::from(limit) {
                volume(1)
            } else {
                volume(0)
            };
            needed = needed.saturating_add(bytes);
            if needed > u128::from(limit) {
                let name = global.name.clone();
                return Err(LaunchError::TooLarge {
                    name,
                    needed,
                    limit,
                });
            }
            global.bytes = bytes as usize;
        }
        Ok(())
    }
}

/// Returns cube cores and vec lanes for a number of cores in the unit that the kernel counts.
fn cores_of(program: &Program, count: u32) -> (u32, u32) {
    match program.counts_vec_cores() {
        true => (count.div_ceil(SUB_BLOCKS), count),
        false => (count, count.saturating_mul(SUB_BLOCKS)),
    }
}

fn unbound(global: &Global) -> BoundGlobal {
    BoundGlobal {
        name: global.name.to_string(),
        dtype: global.dtype.unwrap_or(DType::UInt8),
        shape: Vec::new(),
        bytes: 0,
        contents: Contents::Undefined,
    }
}

/// Returns the bindings with the symbols that shapes determine, or `None` if the kernel has no symbols.
fn with_symbols(
    program: &Program,
    launch: Option<&Launch>,
    bindings: &Bindings,
) -> Option<Bindings> {
    if program.implicit.is_empty() {
        return None;
    }
    let mut tensors = launch.map_or(&[][..], |launch| &launch.tensors).iter();
    let (mut bound, mut launched) = (Vec::new(), Vec::new());
    for param in &program.params {
        if let ParamKind::Global(id) = param.kind {
            let own = tensors.next().and_then(|tensor| tensor.shape.clone());
            match named(&bindings.shapes, &param.name) {
                Some(shape) => bound.push((id, shape.clone())),
                None => launched.extend(own.map(|shape| (id, shape))),
            }
        }
    }
    let given = launch.map_or(&[][..], |launch| &launch.scalars);
    let is_symbol = |name: &str| {
        let mut symbols = program.implicit.iter();
        symbols.any(|&id| program.variable(id).name == name)
    };
    let mut numbers = bindings.scalars.clone();
    let declared = given.iter().filter(|(name, _)| !is_symbol(name));
    let is_new = |(name, _): &&(String, f64)| named(&bindings.scalars, name).is_none();
    numbers.extend(declared.filter(is_new).cloned());
    // Shapes that the user gives determine their symbols, even where the launch has other values for them.
    symbols::solve(program, &mut numbers, &bound);
    let open = given
        .iter()
        .filter(|(name, _)| named(&numbers, name).is_none());
    let open: Vec<(String, f64)> = open.cloned().collect();
    numbers.extend(open);
    symbols::solve(program, &mut numbers, &launched);
    let is_known = |name: &str| named(&bindings.scalars, name).is_some();
    numbers.retain(|(name, _)| is_symbol(name) && !is_known(name));
    let mut bindings = bindings.clone();
    bindings.scalars.extend(numbers);
    Some(bindings)
}

/// Returns the number of cores that the decorator computes from the scalars.
fn symbolic_cores(program: &Program, launch: Option<&Launch>, bindings: &Bindings) -> Option<u32> {
    let value = |id: VariableId| {
        let name = &program.variable(id).name;
        let given = launch.and_then(|launch| named(&launch.scalars, name));
        let value = *named(&bindings.scalars, name).or(given)?;
        whole(value)
    };
    let cores = program
        .scalars
        .evaluated(program.block_dim_scalar?, &value)?;
    u32::try_from(cores).ok().filter(|&cores| cores > 0)
}

/// Returns whether an output may start with its caller's contents although no call says so: one that atomics
/// add to.
fn may_be_seeded(program: &Program, id: GlobalId) -> bool {
    let mut is_added_to = false;
    program.walk(&mut |stmt| {
        if let StmtKind::Atomic { body, .. } = &stmt.kind {
            let mut look = |stmt: &Stmt| {
                if let StmtKind::Instr(instr) = &stmt.kind {
                    let target = instr.view(DST).and_then(View::global);
                    is_added_to |= target.is_some_and(|view| view.global == id);
                }
            };
            body.iter().for_each(|stmt| stmt.walk(&mut look));
        }
    });
    program.toolchain.launches.seeds_sums && is_added_to
}

struct Binder<'a> {
    program: &'a Program,
    launch: Option<&'a Launch>,
    /// The launch whose tensors are used.
    template: Option<&'a Launch>,
    bindings: &'a Bindings,
    /// Whether scalars of the launch were replaced.
    is_changed: bool,
}

impl Binder<'_> {
    /// Returns the values of the scalar parameters.
    fn parameters(&self) -> Result<Vec<(VariableId, Value)>, LaunchError> {
        let mut parameters = Vec::new();
        let read = LazyCell::new(|| Mentions::of(self.program, &self.program.body));
        for param in &self.program.params {
            match param.kind {
                ParamKind::Variable(id) => {
                    let Some(value) = self.scalar(&param.name) else {
                        if read.lacks_field(&param.name, id) {
                            continue;
                        }
                        return Err(LaunchError::MissingScalar(param.name.to_string()));
                    };
                    let dtype = self.program.variable(id).dtype;
                    let value = self.number(&param.name, value);
                    parameters.push((id, checked(&param.name, value, dtype)?));
                }
                ParamKind::Unknown => {
                    return Err(LaunchError::UnknownParameter(param.name.to_string()));
                }
                ParamKind::Global(_) | ParamKind::Constant => {}
            }
        }
        Ok(parameters)
    }

    /// Returns the float parameters that were changed by rounding to their type, with the values as given.
    fn unrounded(&self, parameters: &[(VariableId, Value)]) -> Vec<(VariableId, f64)> {
        let given = parameters.iter().filter_map(|&(id, value)| {
            let given = self.scalar(&self.program.variable(id).name)?;
            let is_rounded = matches!(value, Value::Float(_)) && value != Value::Float(given);
            is_rounded.then_some((id, given))
        });
        given.collect()
    }

    /// Returns a number as the launch spells it: whole ones are integers unless they are written as floats.
    fn number(&self, name: &str, value: f64) -> Value {
        let is_bound = named(&self.bindings.scalars, name).is_some();
        let spelled = self.launch.and_then(|launch| launch.is_float(name));
        let is_float = match is_bound {
            true => self.bindings.floats.iter().any(|float| float == name),
            false => spelled == Some(true),
        };
        match whole(value).filter(|_| !is_float) {
            Some(value) => Value::Int(value),
            None => Value::Float(value),
        }
    }

    fn scalar(&self, name: &str) -> Option<f64> {
        let from_launch = || self.launch.and_then(|launch| named(&launch.scalars, name));
        named(&self.bindings.scalars, name)
            .or_else(from_launch)
            .copied()
    }

    /// Sets shapes, types and contents of the tensor parameters.
    fn tensors(&self, bound: &mut BoundLaunch) -> Result<(), LaunchError> {
        let globals: Vec<(GlobalId, &str)> = self.tensor_params().collect();
        let given = self.template.map_or(&[][..], |launch| &launch.tensors);
        if !given.is_empty() && given.len() != globals.len() {
            return Err(LaunchError::TensorCount {
                expected: globals.len(),
                given: given.len(),
            });
        }
        for (index, &(id, name)) in globals.iter().enumerate() {
            let shape = self.shape(id, name, index, bound)?;
            check_extents(name, &shape)?;
            bound.globals[id.index()].shape = shape;
        }
        // After all shapes: a declared extent may be that of another tensor.
        for (index, &(id, name)) in globals.iter().enumerate() {
            let tensor = self.tensor(index, |tensor| tensor.dtype.is_some());
            let tensor = tensor
                .or(self.tensor(index, |_| true))
                .map(|(_, tensor)| tensor);
            self.check_declared(id, name, bound)?;
            let own = self.own_tensor(index, |tensor| tensor.dtype.is_some());
            let own = own.and_then(|(_, tensor)| tensor.dtype);
            bound.globals[id.index()].dtype = self.dtype(id, name, own, tensor)?;
            // The index selects the stream of random numbers, so no two tensors have the same contents.
            bound.globals[id.index()].contents = self.contents(id, name, tensor, index as u64);
        }
        Ok(())
    }

    /// Returns the tensor argument for which `states` holds, from the launch or else from its template.
    fn tensor(
        &self,
        index: usize,
        states: impl Fn(&LaunchTensor) -> bool,
    ) -> Option<(&Launch, &LaunchTensor)> {
        let mut launches = self.launch.into_iter().chain(self.template);
        launches.find_map(|launch| {
            let tensor = launch.tensors.get(index).filter(|tensor| states(tensor))?;
            Some((launch, tensor))
        })
    }

    /// Returns the tensor argument of the launch itself, if `states` holds for it.
    fn own_tensor(
        &self,
        index: usize,
        states: impl Fn(&LaunchTensor) -> bool,
    ) -> Option<(&Launch, &LaunchTensor)> {
        let launch = self.launch?;
        let tensor = launch.tensors.get(index).filter(|tensor| states(tensor))?;
        Some((launch, tensor))
    }

    /// Returns the shape that the contract gives a tensor under the numbers of the launch.
    fn contract_shape(&self, name: &str) -> Option<Vec<i64>> {
        let contract = &self.program.contract;
        contract.tensor(name)?;
        let mut given = Given {
            numbers: self.bindings.scalars.clone(),
            tensors: Vec::new(),
        };
        if let Some(launch) = self.launch {
            let own = launch.given(self.program, &[]);
            given.numbers.extend(own.numbers);
            given.tensors = own.tensors;
        }
        contract.shape(name, |name| given.whole(contract, name))
    }

    fn tensor_params(&self) -> impl Iterator<Item = (GlobalId, &str)> {
        self.program
            .params
            .iter()
            .filter_map(|param| match param.kind {
                ParamKind::Global(id) => Some((id, param.name.as_str())),
                _ => None,
            })
    }

    fn shape(
        &self,
        id: GlobalId,
        name: &str,
        index: usize,
        bound: &BoundLaunch,
    ) -> Result<Vec<i64>, LaunchError> {
        let declared = &self.program.global(id).shape;
        let known = named(&self.bindings.shapes, name).cloned();
        // The shapes of the launch belong to its own scalars: if those were replaced, contract and signature
        // go first.
        let known = known.or_else(|| self.contract_shape(name).filter(|_| self.is_changed));
        let is_declared = self.is_changed && self.program.toolchain.launches.declares_shapes;
        let known = known.or_else(|| {
            let declared = self.declared_shape(id, declared, bound);
            declared.filter(|_| is_declared)
        });
        let own = || self.own_tensor(index, |tensor| tensor.shape.is_some());
        let known = known.or_else(|| self.launched_shape(id, own()?));
        let known = known.or_else(|| self.contract_shape(name));
        let launched = || self.tensor(index, |tensor| tensor.shape.is_some());
        let known = known.or_else(|| self.launched_shape(id, launched()?));
        let shape = known.or_else(|| self.declared_shape(id, declared, bound));
        // A tensor that no instruction accesses, such as tiling data whose fields are parameters, may have any shape.
        let reads_extents = self.program.toolchain.launches.reads_extents;
        let is_open = reads_extents || self.program.uses_global(id);
        let shape = shape.or_else(|| (!is_open).then(|| vec![1]));
        let mut shape = shape.ok_or_else(|| LaunchError::MissingShape(name.to_owned()))?;
        for extent in self
            .program
            .extent_names
            .iter()
            .filter(|it| it.global == id)
        {
            let given = named(&self.bindings.scalars, &extent.name);
            if let (Some(own), Some(&given)) = (shape.get_mut(extent.axis), given) {
                *own = given as i64;
            }
        }
        if !declared.is_empty() && declared.len() != shape.len() {
            return Err(LaunchError::Rank {
                name: name.to_owned(),
                expected: declared.len(),
                given: shape.len(),
            });
        }
        Ok(shape)
    }

    /// Returns the shape that a tensor was launched with, where extents follow the scalars that they were
    /// computed from.
    fn launched_shape(
        &self,
        id: GlobalId,
        (launch, tensor): (&Launch, &LaunchTensor),
    ) -> Option<Vec<i64>> {
        let shape = tensor.shape.as_ref()?;
        let follows = |axis: usize| match tensor.spelled.get(axis).and_then(Option::as_deref) {
            Some(name) => Some(name).filter(|name| {
                let launched = named(&launch.scalars, name);
                launched.is_none_or(|&value| value == shape[axis] as f64)
            }),
            None => namesake(launch, shape, axis).filter(|_| !self.has_fixed_windows(id, axis)),
        };
        let extents = shape.iter().enumerate().map(|(axis, &extent)| {
            let value = follows(axis).and_then(|name| self.scalar(name));
            value.map_or(extent, |value| value as i64)
        });
        Some(extents.collect())
    }

    /// Returns whether every access to a tensor has constant bounds on an axis: its extent is then fixed, and
    /// does not follow a scalar that happens to have the same value.
    fn has_fixed_windows(&self, id: GlobalId, axis: usize) -> bool {
        let instructions = self.program.instructions();
        let views = instructions.iter().flat_map(|(_, instr)| {
            let operands = instr.operands();
            operands.filter_map(|(_, _, view)| View::global(view))
        });
        let mut own = views.filter(|view| view.global == id).peekable();
        let is_number = |scalar: ScalarId| self.program.scalars.as_int(scalar).is_some();
        own.peek().is_some()
            && own.all(|view| {
                let window = view.axes.get(axis);
                window.is_some_and(|window| is_number(window.start) && is_number(window.span))
            })
    }

    /// Returns the shape that the signature gives under the bound scalars.
    fn declared_shape(
        &self,
        id: GlobalId,
        declared: &[ScalarId],
        bound: &BoundLaunch,
    ) -> Option<Vec<i64>> {
        if declared.is_empty() {
            return None;
        }
        let depends = variables_of_scalars(self.program);
        let mut environment = Environment::new(self.program, bound, &depends, FIRST_LANE);
        let axes = declared.iter().enumerate();
        axes.map(|(axis, &extent)| {
            let own = environment.int(extent).ok();
            own.or_else(|| self.named_extent(id, axis))
        })
        .collect()
    }

    /// Returns the value of an extent that has a name of its own.
    fn named_extent(&self, id: GlobalId, axis: usize) -> Option<i64> {
        let mut names = self.program.extent_names.iter();
        let extent = names.find(|it| it.global == id && it.axis == axis)?;
        self.scalar(&extent.name).map(|value| value as i64)
    }

    /// Compares a shape with the one that the signature computes from the scalars.
    fn check_declared(
        &self,
        id: GlobalId,
        name: &str,
        bound: &BoundLaunch,
    ) -> Result<(), LaunchError> {
        let depends = variables_of_scalars(self.program);
        let mut environment = Environment::new(self.program, bound, &depends, FIRST_LANE);
        let shape = &bound.globals[id.index()].shape;
        for (axis, (&scalar, &given)) in self.program.global(id).shape.iter().zip(shape).enumerate()
        {
            let Ok(expected) = environment.int(scalar) else {
                continue;
            };
            if expected != given {
                let name = name.to_owned();
                return Err(LaunchError::Extent {
                    name,
                    axis,
                    expected,
                    given,
                });
            }
        }
        Ok(())
    }

    fn dtype(
        &self,
        id: GlobalId,
        name: &str,
        own: Option<DType>,
        tensor: Option<&LaunchTensor>,
    ) -> Result<DType, LaunchError> {
        let contract = self.program.contract.tensor(name);
        named(&self.bindings.dtypes, name)
            .copied()
            .or(own)
            .or_else(|| contract?.dtype)
            .or_else(|| tensor?.dtype)
            .or(self.program.global(id).dtype)
            .ok_or_else(|| LaunchError::MissingType(name.to_owned()))
    }

    fn contents(
        &self,
        id: GlobalId,
        name: &str,
        tensor: Option<&LaunchTensor>,
        stream: u64,
    ) -> Contents {
        if let Some(contents) = named(&self.bindings.contents, name) {
            return contents.clone();
        }
        // Code that was not followed may have stored to it, and the host may have filled it. What code of the host
        // writes to its memory is not followed.
        let init = tensor.map_or(TensorInit::Normal, |tensor| tensor.init);
        let is_passed = self.launch.is_some_and(|launch| {
            matches!(launch.origin, LaunchOrigin::Code | LaunchOrigin::Importer)
        });
        if self.program.workspaces.contains(&id)
            && self.program.unknown.is_empty()
            && !(is_passed && init == TensorInit::Any)
            && !Contents::Generated(init, stream).is_given()
        {
            return Contents::Undefined;
        }
        let said = self.launch.and_then(|launch| launch.seeds_outputs);
        let is_seeded = said.unwrap_or_else(|| may_be_seeded(self.program, id));
        if self.program.outputs.contains(&id) && !is_seeded {
            return Contents::Undefined;
        }
        Contents::Generated(init, stream)
    }

    fn workspaces(&self, bound: &mut BoundLaunch) -> Result<(), LaunchError> {
        let depends = variables_of_scalars(self.program);
        for (index, global) in self.program.globals.iter().enumerate() {
            if global.kind != GlobalKind::Workspace {
                continue;
            }
            let unknown = |absence: Absence| LaunchError::Workspace {
                name: global.name.to_string(),
                reason: absence.reason(self.program),
            };
            let mut environment = Environment::new(self.program, bound, &depends, FIRST_LANE);
            let shape: Result<Vec<i64>, _> = global
                .shape
                .iter()
                .map(|&extent| environment.int(extent))
                .collect();
            let shape = shape.map_err(unknown)?;
            check_extents(&global.name, &shape)?;
            if global.dtype.is_none() {
                return Err(LaunchError::MissingType(global.name.to_string()));
            }
            bound.globals[index].shape = shape;
            if let Some(table) = self.program.table(GlobalId(index as u32)) {
                bound.globals[index].contents = Contents::Bytes(table.bytes.clone().into());
            }
        }
        Ok(())
    }

    fn check_contents(&self, bound: &BoundLaunch) -> Result<(), LaunchError> {
        for global in &bound.globals {
            if let Contents::Bytes(bytes) = &global.contents
                && bytes.len() != global.bytes
            {
                return Err(LaunchError::ContentSize {
                    name: global.name.clone(),
                    expected: global.bytes,
                    given: bytes.len(),
                });
            }
        }
        Ok(())
    }
}

/// The lane for which shapes are evaluated.
const FIRST_LANE: LaneId = LaneId {
    core: 0,
    kind: LaneKind::Cube,
};

/// Returns the scalar that an extent without a name most likely follows: one of equal value. If there are
/// several, the first axis of that extent takes the first. An extent of 1 follows none.
fn namesake<'l>(launch: &'l Launch, shape: &[i64], axis: usize) -> Option<&'l str> {
    let extent = shape[axis];
    if extent <= 1 {
        return None;
    }
    let before = shape[..axis]
        .iter()
        .filter(|&&other| other == extent)
        .count();
    let mut equal = launch
        .scalars
        .iter()
        .filter(|(_, value)| *value == extent as f64);
    let last = equal.clone().next_back();
    let (name, _) = equal.nth(before).or(last)?;
    Some(name)
}

/// Returns whether a launch gives the shape of every tensor.
fn has_shapes(launch: &&Launch) -> bool {
    !launch.tensors.is_empty() && launch.tensors.iter().all(|tensor| tensor.shape.is_some())
}

fn named<'a, T>(list: &'a [(String, T)], name: &str) -> Option<&'a T> {
    list.iter()
        .find(|(key, _)| key == name)
        .map(|(_, value)| value)
}

/// Converts a value to the type of a parameter; an integer out of its range is an error. A parameter without
/// a type is an int32, or a float.
fn checked(name: &str, value: Value, dtype: Option<DType>) -> Result<Value, LaunchError> {
    let integer = dtype.unwrap_or(DType::Int);
    match value {
        Value::Int(given) if !integer.is_float() => {
            match wrapped(integer, given.into()) == given.into() {
                true => Ok(value),
                false => Err(LaunchError::ScalarRange {
                    name: name.to_owned(),
                    given,
                    dtype: integer,
                }),
            }
        }
        value => Ok(value.converted(dtype)),
    }
}

fn check_extents(name: &str, shape: &[i64]) -> Result<(), LaunchError> {
    match shape.iter().position(|&extent| extent < 0) {
        Some(axis) => Err(LaunchError::NegativeExtent {
            name: name.to_owned(),
            axis,
            extent: shape[axis],
        }),
        None => Ok(()),
    }
}
