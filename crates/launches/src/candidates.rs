//! Launches that a user has asked for, and their variants, bound to arguments.

use serde::{Deserialize, Serialize};

use super::contract;
use super::guesses;
use super::neighbours::Given;
use super::request::{MAX_GLOBAL_BYTES, Request};
use super::shrink::{self, Shrunk};
use super::steering::steering;
use super::tails;
use a2lint_ir::{Launch, LaunchOrigin, Module, Param, ParamKind, Program, TensorInit};
use a2lint_isa::DType;
use a2lint_machine::{Bindings, BoundLaunch, LaunchError};
use a2lint_source::text::Span;

/// Where a launch comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum LaunchSource {
    /// Code of the file.
    File,
    /// Code of a file that imports the kernel.
    Importer,
    /// The signature of the kernel, whose extents are all numbers.
    Signature,
    /// A `# a2lint: launch(...)` comment.
    Comment,
    /// The a2lint configuration file.
    Configuration,
    /// `--bind`.
    Bind,
    /// The checker: sizes derived from the kernel's own tiles.
    Guess,
    /// The checker: a launch of the file with other sizes, so that the last tile is incomplete.
    Variant,
}

impl From<LaunchOrigin> for LaunchSource {
    fn from(origin: LaunchOrigin) -> Self {
        match origin {
            LaunchOrigin::Code => LaunchSource::File,
            LaunchOrigin::Importer => LaunchSource::Importer,
            LaunchOrigin::Signature => LaunchSource::Signature,
            LaunchOrigin::Comment => LaunchSource::Comment,
            LaunchOrigin::Configuration => LaunchSource::Configuration,
        }
    }
}

impl LaunchSource {
    /// Returns the name of the source in reports.
    pub fn name(self) -> &'static str {
        match self {
            LaunchSource::File | LaunchSource::Importer | LaunchSource::Signature => "file",
            LaunchSource::Comment => "comment",
            LaunchSource::Configuration => "config",
            LaunchSource::Bind => "bind",
            LaunchSource::Guess => "guess",
            LaunchSource::Variant => "variant",
        }
    }
}

/// Whether the tensors of a launch fit into the address space of a run.
#[derive(Clone, Debug)]
pub enum Room {
    /// The tensors fit, or their sizes are unknown.
    Enough,
    /// The tensors do not fit, so the launch is replaced by a smaller one. Holds the launch itself, or `None` if its
    /// size in bytes overflows 64 bits.
    TooLarge(Option<BoundLaunch>),
}

/// Iterates over the launches among `given` whose extents are known, those too that are too large to run.
pub fn in_sight<'c>(
    program: &'c Program,
    given: &'c [Candidate],
) -> impl Iterator<Item = &'c BoundLaunch> {
    let with_extents = given.iter().filter(|it| it.has_extents && !it.is_invented);
    let small = with_extents.filter_map(|it| it.bound.as_ref().ok());
    let large = given.iter().filter_map(|it| match &it.room {
        Room::TooLarge(Some(bound)) => Some(bound),
        Room::TooLarge(None) | Room::Enough => None,
    });
    small.chain(large.filter(move |it| contract::breach(program, it).is_none()))
}

/// A launch that is worth a run.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Where it comes from.
    pub source: LaunchSource,
    /// The place of the launch in the file.
    pub span: Option<Span>,
    /// Scalars and symbolic extents.
    pub arguments: Vec<(String, f64)>,
    /// The bound arguments, or the reason why they cannot be bound, as a clause.
    pub bound: Result<BoundLaunch, String>,
    /// Whether the checker chose its sizes.
    pub is_invented: bool,
    /// Whether the extents of its tensors were given, so that accesses outside of them and elements that
    /// are never stored are faults.
    pub has_extents: bool,
    /// Whether its tensors fit.
    pub room: Room,
    /// The launch as the file or configuration spells it.
    pub launch: Option<Launch>,
    /// Number of cores, where the checker chose it.
    pub block_dim: Option<u32>,
    /// Whether the contents of its tensors are given, at least as a distribution.
    pub has_data: bool,
    /// The scalars that differ from the given launch that it is a variant of; empty for other launches.
    pub changes: Vec<(String, f64)>,
    /// Whether it is a variant whose sizes only resemble the given ones: what it shows counts inside of all
    /// preconditions.
    pub is_near: bool,
}

impl Candidate {
    /// Returns its place in another file: `tests/test_rows.py:12`.
    pub fn place(&self) -> Option<&str> {
        let launch = self.launch.as_ref()?;
        let is_given = self.source != LaunchSource::Variant;
        launch.place.as_deref().filter(|_| is_given)
    }

    /// Returns whether code of the project starts the kernel with these values.
    pub fn is_by_host(&self) -> bool {
        matches!(self.source, LaunchSource::File | LaunchSource::Importer)
    }

    /// Returns smaller launches that can stand in for this one, the largest first, each with the sizes that were
    /// changed.
    pub fn stand_ins(&self, program: &Program, request: &Request) -> Vec<(Candidate, String)> {
        // `bound_launch` has put the user's bindings into the launch, so they must not be applied again.
        let binder = Binder {
            program,
            all: &[],
            request: &Request {
                bindings: &[],
                ..*request
            },
            shapes: Shapes::Measured,
        };
        let Some(launch) = self.bound_launch(request) else {
            return Vec::new();
        };
        if contract::obstacle(program).is_some() {
            return Vec::new();
        }
        let stand_in = |shrunk: Shrunk| {
            let mut candidate = binder.given(&shrunk.launch, self.source);
            candidate.is_invented = true;
            candidate.has_extents = shrunk.keeps_bounds;
            (candidate, shrunk.reason())
        };
        let all = shrink::all(program, &launch, request.device);
        all.into_iter().map(stand_in).collect()
    }

    /// Returns the launch with the user's bindings applied.
    fn bound_launch(&self, request: &Request) -> Option<Launch> {
        let mut launch = self.launch.clone()?;
        for (name, value) in request.bindings {
            match launch.scalars.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known = *value,
                None => launch.scalars.push((name.clone(), *value)),
            }
        }
        Some(launch)
    }
}

/// What happens to a tensor whose shape the launch does not give.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shapes {
    /// A run measures which part the kernel touches.
    Measured,
    /// The launch is refused; nothing runs.
    AsGiven,
}

/// Returns the launches of the file and the configuration, with the user's bindings applied, in order.
pub fn given(
    program: &Program,
    module: &Module,
    request: &Request,
    shapes: Shapes,
) -> Vec<Candidate> {
    let binder = Binder {
        program,
        all: &module.launches,
        request,
        shapes,
    };
    let of_launch = |launch: &Launch| binder.given(launch, LaunchSource::from(launch.origin));
    let launches = module.launches.iter();
    let own = launches.filter(|launch| launch.kernel == program.name);
    own.map(of_launch).collect()
}

/// Returns variants of the given launches whose sizes leave an incomplete last tile.
pub fn variants(
    program: &Program,
    module: &Module,
    request: &Request,
    given: &[Candidate],
) -> Vec<Candidate> {
    let binder = Binder {
        program,
        all: &module.launches,
        request,
        shapes: Shapes::Measured,
    };
    let has_contract = !program.contract.is_empty();
    if contract::obstacle(program).is_some() {
        return Vec::new();
    }
    let inside = given.iter().filter(|it| !has_contract || it.bound.is_ok());
    let own: Vec<&Launch> = inside.filter_map(|it| it.launch.as_ref()).collect();
    let Some(&base) = own.first() else {
        return Vec::new();
    };
    let known = Given::new(program, &own);
    let of_changes = |changes: Vec<_>| {
        let changes = in_contract(program, base, changes, request.bindings)?;
        Some(binder.variant(base, changes, &known))
    };
    let tails = tails::of(program, &own, request.bindings, request.device);
    let tails = tails.into_iter().filter_map(of_changes);
    let near = tails::near(program, &own, request.bindings);
    let near = near.into_iter().filter_map(of_changes);
    let near = near.filter(|variant| variant.has_extents);
    let near = near.map(|variant| Candidate {
        is_near: true,
        ..variant
    });
    let mut variants: Vec<Candidate> = Vec::new();
    for variant in tails.chain(near) {
        let is_known = variants
            .iter()
            .any(|known| known.changes == variant.changes);
        if !is_known && (!has_contract || variant.bound.is_ok()) {
            variants.push(variant);
        }
    }
    variants
}

/// Returns changes of a launch that satisfy the contract and are as near as possible to the wanted ones.
fn in_contract(
    program: &Program,
    base: &Launch,
    changes: Vec<(String, f64)>,
    fixed: &[(String, f64)],
) -> Option<Vec<(String, f64)>> {
    if program.contract.is_empty() {
        return Some(changes);
    }
    let value = |name: &str| base.scalars.iter().find(|(known, _)| known == name);
    let is_fixed = |name: &str| fixed.iter().any(|(known, _)| known == name);
    let is_changed = |name: &str| changes.iter().any(|(known, _)| known == name);
    let others = base.scalars.iter().filter(|(name, _)| !is_changed(name));
    let wanted = changes.iter().chain(others).cloned().collect();
    let mut found = contract::nearest(program, &wanted, &is_fixed, 1)?;
    // Named extents without a parameter follow from the tensors of the launch, which do not change.
    found.retain(|(name, number)| value(name).is_some_and(|(_, known)| known != number));
    Some(found)
}

struct Binder<'a> {
    program: &'a Program,
    /// All launches of the file: one that gives scalars alone takes its shapes from another.
    all: &'a [Launch],
    request: &'a Request<'a>,
    shapes: Shapes,
}

impl Binder<'_> {
    /// Binds a given launch.
    fn given(&self, launch: &Launch, source: LaunchSource) -> Candidate {
        let bindings = Bindings {
            scalars: self.request.bindings.to_vec(),
            ..Bindings::default()
        };
        self.candidate(launch, bindings, source, true)
    }

    /// Binds a given launch with other values of some scalars. Its extents count as given where they follow from the
    /// scalars as in all `known` launches.
    fn variant(&self, launch: &Launch, changes: Vec<(String, f64)>, known: &Given) -> Candidate {
        let mut scalars = changes.clone();
        scalars.extend(self.request.bindings.iter().cloned());
        // Bound numbers replace those of the launches, from which the extents would follow.
        let is_as_given = self.request.bindings.is_empty();
        let shapes = known.shapes(&changes).filter(|_| is_as_given);
        let has_extents = shapes.is_some();
        let bindings = Bindings {
            scalars,
            shapes: shapes.unwrap_or_default(),
            ..Bindings::default()
        };
        Candidate {
            changes,
            ..self.candidate(launch, bindings, LaunchSource::Variant, has_extents)
        }
    }

    /// Binds a launch under `bindings`.
    fn candidate(
        &self,
        launch: &Launch,
        bindings: Bindings,
        source: LaunchSource,
        mut has_extents: bool,
    ) -> Candidate {
        let launch = Some(launch);
        let within = |most_bytes| {
            BoundLaunch::bind(
                self.program,
                launch,
                self.all,
                &bindings,
                self.request.device,
                most_bytes,
            )
        };
        let bound = within(MAX_GLOBAL_BYTES);
        let is_open = |cause: &LaunchError| {
            matches!(
                cause,
                LaunchError::MissingShape(_) | LaunchError::MissingType(_)
            )
        };
        let room = match &bound {
            Err(LaunchError::TooLarge { .. }) => Room::TooLarge(within(u64::MAX).ok()),
            _ => Room::Enough,
        };
        let bound = match bound {
            Err(cause) if is_open(&cause) => {
                has_extents = false;
                match self.shapes {
                    Shapes::Measured => self.touched(launch, bindings.clone()),
                    Shapes::AsGiven => Err(cause.to_string()),
                }
            }
            bound => bound.map_err(|cause| cause.to_string()),
        };
        let bound = bound.and_then(|bound| self.with_known_data(launch, bound));
        let bound = bound.and_then(|bound| match contract::breach(self.program, &bound) {
            Some(reason) => Err(reason),
            None => Ok(bound),
        });
        Candidate {
            source,
            span: launch
                .filter(|_| source != LaunchSource::Variant)
                .and_then(|launch| launch.span),
            arguments: self.arguments(launch, &bindings.scalars),
            room,
            bound,
            launch: launch.cloned(),
            is_invented: source == LaunchSource::Variant,
            has_extents,
            block_dim: None,
            has_data: launch.is_some_and(|launch| {
                let mut tensors = launch.tensors.iter();
                matches!(launch.origin, LaunchOrigin::Code | LaunchOrigin::Importer)
                    && !tensors.any(|it| matches!(it.init, TensorInit::Computed | TensorInit::Any))
            }),
            changes: Vec::new(),
            is_near: false,
        }
    }

    /// Refuses a launch whose integer data steers the kernel but is computed by code that is not followed.
    fn with_known_data(
        &self,
        launch: Option<&Launch>,
        bound: BoundLaunch,
    ) -> Result<BoundLaunch, String> {
        let mut tensors = launch.into_iter().flat_map(|launch| &launch.tensors);
        let is_computed = tensors.any(|tensor| {
            tensor.init == TensorInit::Computed && !tensor.dtype.is_some_and(DType::is_float)
        });
        match steering(self.program).filter(|_| is_computed) {
            Some(_) => Err(
                "its data decides where it goes, and is computed in a way that is not followed"
                    .to_owned(),
            ),
            None => Ok(bound),
        }
    }

    /// Binds a launch whose missing shapes are measured by a run.
    fn touched(
        &self,
        launch: Option<&Launch>,
        mut bindings: Bindings,
    ) -> Result<BoundLaunch, String> {
        let (program, request) = (self.program, self.request);
        let given = launch.map_or(&[][..], |launch| &launch.scalars);
        for (name, value) in given {
            if bindings.scalars.iter().all(|(known, _)| known != name) {
                bindings.scalars.push((name.clone(), *value));
            }
        }
        // What the launch touches depends on how many cores it has.
        let cores = launch.and_then(|launch| launch.block_dim);
        bindings.cores = bindings.cores.or(cores);
        let is_tensor = |param: &&Param| matches!(param.kind, ParamKind::Global(_));
        let params = program.params.iter().filter(is_tensor);
        let tensors = launch.into_iter().flat_map(|launch| &launch.tensors);
        for (param, tensor) in params.zip(tensors) {
            let shape = tensor.shape.clone();
            bindings
                .shapes
                .extend(shape.map(|shape| (param.name.to_string(), shape)));
        }
        guesses::complete(
            program,
            self.all,
            request,
            guesses::Invented::Natural,
            &mut bindings,
        )?;
        BoundLaunch::bind(
            program,
            launch,
            self.all,
            &bindings,
            request.device,
            MAX_GLOBAL_BYTES,
        )
        .map_err(|cause| cause.to_string())
    }

    /// Returns scalars and named extents for reports: bound values first, then those of the launch.
    fn arguments(&self, launch: Option<&Launch>, bound: &[(String, f64)]) -> Vec<(String, f64)> {
        let given = launch.map_or(&[][..], |launch| &launch.scalars);
        let names = self
            .program
            .bindable(launch.map_or(&[], std::slice::from_ref));
        let params = self.program.params.iter().map(|param| param.name.as_str());
        let mut names: Vec<&str> = names.into_iter().collect();
        let order: Vec<&str> = params.collect();
        names.sort_by_key(|name| {
            let place = order.iter().position(|param| param == name);
            place.unwrap_or(order.len())
        });
        let extent = |name: &str| {
            let mut tensors = launch.into_iter().flat_map(|launch| &launch.tensors);
            tensors.find_map(|tensor| {
                let is_it = |spelled: &Option<String>| spelled.as_deref() == Some(name);
                let axis = tensor.spelled.iter().position(is_it)?;
                Some(*tensor.shape.as_ref()?.get(axis)? as f64)
            })
        };
        let value = |name: &str| {
            let mut values = bound.iter().chain(given);
            let value = values.find(|(key, _)| key == name).map(|(_, value)| *value);
            value.or_else(|| extent(name))
        };
        names
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), value(name)?)))
            .collect()
    }
}
