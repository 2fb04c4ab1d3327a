//! Launches that both versions run with: those of either file, and their tails.

use super::matching::{Matching, SIDES, scalars, tensor_name};
use super::{Request, Version};
use crate::arguments::tensor_params;
use crate::{Arguments, Bound, RunError, Which, bind};
use a2lint_ir::{Program, TensorInit};
use a2lint_launches::{Invented, Request as Near, Shapes, given, variants};
use a2lint_machine::Contents;

/// Number of launches with tails that are tried.
const TAILS: usize = 6;
/// Work of a run that measures how much of its tensors a kernel touches.
const MEASURING: u64 = 2_000_000;

/// A launch of both versions.
#[derive(Clone)]
pub struct Pair {
    /// The launch of each version.
    pub bounds: [Bound; 2],
    /// Where it comes from: `the launch at line 41 of OLD`.
    pub origin: String,
    /// Whether a file or the user gives it; else its sizes are near those of a given one.
    pub is_given: bool,
}

/// A launch that only one version has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Left {
    /// The launch.
    pub origin: String,
    /// Why it is not one of both, as a clause.
    pub because: String,
}

/// Returns the launches of both versions, the smallest first, given ones before others.
pub fn of(
    versions: [Version; 2],
    matching: &Matching,
    request: &Request,
) -> Result<(Vec<Pair>, Vec<Left>), RunError> {
    let mut found = Found {
        versions,
        matching,
        request,
        pairs: Vec::new(),
        left: Vec::new(),
    };
    let arguments = &request.arguments;
    let is_plain = arguments.launch == Which::First
        && arguments.scalars.is_empty()
        && arguments.shapes.is_empty()
        && arguments.dtypes.is_empty();
    let counts = versions.map(count);
    match is_plain && counts != [0, 0] {
        true => {
            for side in [0, 1] {
                for number in 1..=counts[side] {
                    found.given(side, Which::Number(number), Invented::Natural)?;
                }
            }
            found.tails();
        }
        false => {
            // What the user gives may name parameters of either version.
            let side = usize::from(counts[0] == 0 && counts[1] > 0);
            found.given(side, arguments.launch, Invented::Natural)?;
            if counts == [0, 0] && is_plain {
                found.given(side, arguments.launch, Invented::Repeated)?;
            }
        }
    }
    let bytes = |pair: &Pair| -> usize {
        let all = pair.bounds.iter().flat_map(|bound| &bound.launch.globals);
        all.map(|global| global.bytes).sum()
    };
    let Found {
        mut pairs, left, ..
    } = found;
    pairs.sort_by_key(|pair| (!pair.is_given, bytes(pair)));
    Ok((pairs, left))
}

/// Returns the number of launches that a version's file has of its kernel.
fn count(version: Version) -> usize {
    let launches = version.target.module.launches.iter();
    let own = launches.filter(|launch| launch.kernel == version.program.name);
    own.count()
}

struct Found<'a> {
    versions: [Version<'a>; 2],
    matching: &'a Matching,
    request: &'a Request,
    pairs: Vec<Pair>,
    left: Vec<Left>,
}

impl Found<'_> {
    /// Adds a launch of one version.
    fn given(&mut self, side: usize, which: Which, sizes: Invented) -> Result<(), RunError> {
        let version = self.versions[side];
        let arguments = Arguments {
            launch: which,
            sizes,
            ..self.named(side)?
        };
        let bound = bind(
            version.target,
            version.program,
            &arguments,
            self.request.limits.memory,
            false,
        )?;
        let origin = format!("{} of {}", bound.origin, SIDES[side]);
        self.carry(side, bound, origin, true);
        Ok(())
    }

    /// Returns the user's arguments that one version has, by the names that it has for them.
    fn named(&self, side: usize) -> Result<Arguments, RunError> {
        let given = &self.request.arguments;
        Ok(Arguments {
            scalars: self.picked(side, &given.scalars, false)?,
            contents: self.picked(side, &given.contents, true)?,
            dtypes: self.picked(side, &given.dtypes, true)?,
            shapes: self.picked(side, &given.shapes, true)?,
            ..given.clone()
        })
    }

    /// Picks what is given for parameters of one version. A name of the other version stands for its counterpart.
    fn picked<T: Clone>(
        &self,
        side: usize,
        all: &[(String, T)],
        is_tensor: bool,
    ) -> Result<Vec<(String, T)>, RunError> {
        let mut picked = Vec::new();
        for (name, value) in all {
            let own = match [side, 1 - side].map(|side| self.has(side, name, is_tensor)) {
                [true, _] => Some(name.clone()),
                [false, true] => self.counterpart_of(1 - side, name, is_tensor),
                [false, false] => {
                    let kernels = self
                        .versions
                        .map(|version| version.program.name.to_string());
                    return Err(RunError::InNeither {
                        name: name.clone(),
                        kernels: kernels.join("` and `"),
                    });
                }
            };
            picked.extend(own.map(|own| (own, value.clone())));
        }
        Ok(picked)
    }

    /// Returns whether a version has a parameter of this name.
    fn has(&self, side: usize, name: &str, is_tensor: bool) -> bool {
        let Version { target, program } = self.versions[side];
        match is_tensor {
            true => tensor_params(program).any(|(known, _)| known == name),
            false => program.bindable(&target.module.launches).contains(name),
        }
    }

    /// Returns the name that the other version has for a parameter.
    fn counterpart_of(&self, side: usize, name: &str, is_tensor: bool) -> Option<String> {
        if !is_tensor {
            return self.matching.other_scalar(side, name).map(str::to_owned);
        }
        let programs = self.versions.map(|version| version.program);
        let mut pairs = self.matching.tensors.iter();
        let pair = pairs.find(|pair| tensor_name(programs[side], pair[side]) == name)?;
        Some(tensor_name(programs[1 - side], pair[1 - side]).to_owned())
    }

    /// Adds launches near those of OLD's file, at which a last tile is incomplete.
    fn tails(&mut self) {
        let version = self.versions[0];
        let device = self.request.arguments.device;
        let near = Near {
            device: device.unwrap_or(version.target.settings.trace.device),
            bindings: &[],
            saturate: version.target.settings.saturate,
            work: MEASURING,
        };
        let (program, module) = (version.program, &version.target.module);
        let known = given(program, module, &near, Shapes::AsGiven);
        let tails = variants(program, module, &near, &known);
        let sized = tails.into_iter().filter(|it| it.has_extents);
        let launches = sized.filter_map(|it| Some((it.changes, it.bound.ok()?)));
        for (changes, launch) in launches.take(TAILS) {
            let changes = changes
                .iter()
                .map(|(name, value)| format!("{name}={value}"));
            let changes = changes.collect::<Vec<_>>().join(", ");
            let device = launch.device;
            let bound = Bound {
                launch,
                origin: changes.clone(),
                device,
            };
            let origin = changes.clone();
            self.carry(0, bound, origin, false);
        }
    }

    /// Finds the launch of the other version that is this one, and adds both.
    fn carry(&mut self, side: usize, bound: Bound, origin: String, is_given: bool) {
        match self.counterpart(side, &bound) {
            Ok(mut other) => {
                for pair in &self.matching.tensors {
                    let contents = bound.launch.globals[pair[side].index()].contents.clone();
                    other.launch.globals[pair[1 - side].index()].contents = contents;
                }
                let bounds = match side {
                    0 => [bound, other],
                    _ => [other, bound],
                };
                let is_known = |known: &Pair| {
                    known.bounds[0].launch == bounds[0].launch
                        && known.bounds[1].launch == bounds[1].launch
                };
                if !self.pairs.iter().any(is_known) {
                    self.pairs.push(Pair {
                        bounds,
                        origin,
                        is_given,
                    });
                }
            }
            // A launch that nothing gives is worth no word.
            Err(_) if !is_given => {}
            Err(because) => self.left.push(Left { origin, because }),
        }
    }

    /// Binds the other version with the same scalars, shapes and types. What it takes beyond these comes from the
    /// user, or from a launch of its own file that is the same otherwise.
    fn counterpart(&self, side: usize, bound: &Bound) -> Result<Bound, String> {
        let other = self.versions[1 - side];
        let mut arguments = self.named(1 - side).map_err(|error| error.to_string())?;
        let own = bound.launch.scalars(self.versions[side].program);
        for (name, value) in own {
            if let Some(name) = self.matching.other_scalar(side, &name) {
                arguments.scalars.retain(|(known, _)| known != name);
                arguments.scalars.push((name.to_owned(), value));
            }
        }
        let same = self.same(side, bound);
        for pair in &self.matching.tensors {
            let global = &bound.launch.globals[pair[side].index()];
            let name = tensor_name(other.program, pair[1 - side]).to_owned();
            arguments.dtypes.retain(|(known, _)| *known != name);
            arguments.dtypes.push((name.clone(), global.dtype));
            match in_rank(
                &global.shape,
                other.program.global(pair[1 - side]).shape.len(),
            ) {
                Some(shape) => {
                    arguments.shapes.retain(|(known, _)| *known != name);
                    arguments.shapes.push((name, shape));
                }
                None if same.is_some()
                    || arguments.shapes.iter().any(|(known, _)| *known == name) => {}
                None => {
                    return Err(format!(
                        "`{name}` of {} has other dimensions than {:?}, and no launch of {} gives its shape; --shape {name}=…",
                        SIDES[1 - side],
                        global.shape,
                        SIDES[1 - side],
                    ));
                }
            }
        }
        let open: Vec<&str> = scalars(other.program)
            .filter(|name| !arguments.scalars.iter().any(|(known, _)| known == name))
            .collect();
        let symbols: Vec<&str> = other
            .program
            .implicit
            .iter()
            .map(|&id| other.program.variable(id).name.as_str())
            .collect();
        let open = open
            .into_iter()
            .filter(|name| !symbols.contains(name))
            .collect::<Vec<_>>();
        if same.is_none() && !open.is_empty() {
            let names = open.join("`, `");
            return Err(format!(
                "{} also takes `{names}`, which no launch of these shapes gives; --bind {}=VALUE, or a launch in its file",
                SIDES[1 - side],
                open[0],
            ));
        }
        arguments.launch = same.unwrap_or(Which::None);
        if same.is_none() && arguments.cores.is_none() {
            arguments.cores = self.cores(side, bound);
        }
        let found = bind(
            other.target,
            other.program,
            &arguments,
            self.request.limits.memory,
            false,
        );
        found.map_err(|error| error.to_string())
    }

    /// Returns a launch of the other version's file that is this one.
    fn same(&self, side: usize, bound: &Bound) -> Option<Which> {
        let other = self.versions[1 - side];
        (1..=count(other)).map(Which::Number).find(|&launch| {
            let plain = Arguments {
                launch,
                ..Arguments::default()
            };
            let limit = self.request.limits.memory;
            let found = bind(other.target, other.program, &plain, limit, false);
            found.is_ok_and(|found| self.is_same(side, bound, &found))
        })
    }

    /// Returns the number of cores for the other version, if both count the same cores and nothing else says it.
    fn cores(&self, side: usize, bound: &Bound) -> Option<u32> {
        let programs = self.versions.map(|version| version.program);
        let counts = programs.map(Program::counts_vec_cores);
        let is_open =
            programs[1 - side].block_dim.is_none() && programs[1 - side].block_dim_scalar.is_none();
        (counts[0] == counts[1] && is_open).then(|| bound.launch.block_dim(programs[side]))
    }

    /// Returns whether a launch of the other version has the same scalars, shapes and types.
    fn is_same(&self, side: usize, bound: &Bound, other: &Bound) -> bool {
        let scalars = [
            bound.launch.scalars(self.versions[side].program),
            other.launch.scalars(self.versions[1 - side].program),
        ];
        let value = |which: usize, name: &str| {
            let found = scalars[which].iter().find(|(known, _)| known == name);
            found.map(|(_, value)| *value)
        };
        let same_scalars = self
            .matching
            .scalars
            .iter()
            .all(|pair| value(0, &pair[side]) == value(1, &pair[1 - side]));
        same_scalars
            && self.matching.tensors.iter().all(|pair| {
                let one = &bound.launch.globals[pair[side].index()];
                let two = &other.launch.globals[pair[1 - side].index()];
                let is_like = match one.shape.len() == two.shape.len() {
                    true => one.shape == two.shape,
                    false => volume(&one.shape) == volume(&two.shape),
                };
                one.dtype == two.dtype && is_like
            })
    }
}

fn volume(shape: &[i64]) -> i64 {
    shape.iter().product()
}

/// Returns a shape in a number of dimensions (0 is any): the same one, or flat; `None` if there are several ways.
fn in_rank(shape: &[i64], rank: usize) -> Option<Vec<i64>> {
    match rank {
        0 => Some(shape.to_vec()),
        rank if rank == shape.len() => Some(shape.to_vec()),
        1 => Some(vec![volume(shape)]),
        _ => None,
    }
}

/// More than the number of tensors of a kernel, so that seeds give disjoint streams.
const STREAMS: u64 = 1 << 16;

/// Draws other random contents for both launches of a pair; returns whether any are random.
pub fn reseed(pair: &mut Pair, seed: u64) -> bool {
    let mut is_random = false;
    for global in pair
        .bounds
        .iter_mut()
        .flat_map(|bound| &mut bound.launch.globals)
    {
        if let Contents::Generated(init, stream) = &mut global.contents {
            is_random |= is_random_init(*init);
            *stream = stream.wrapping_add(seed.wrapping_mul(STREAMS));
        }
    }
    is_random
}

fn is_random_init(init: TensorInit) -> bool {
    let is_fixed = matches!(
        init,
        TensorInit::Full(_) | TensorInit::Arange | TensorInit::Steps(..) | TensorInit::Empty
    );
    !is_fixed
}
