//! Guessed launches, for kernels that no code, comment or configuration launches.
//!
//! No single guess can be trusted, so several are tried: sizes derived from the kernel's own tiles, and
//! one number for every scalar. A tensor gets the extents that a first run touches. For that reason a
//! guess can show a race or undefined data, but never an access outside of a tensor.
//!
//! Where input data selects rows of a global tensor or elements of a gather, all indices are set to 0.
//!
//! A kernel without scalar parameters, or whose scalars the user has bound, has exactly one guess.

use std::cell::OnceCell;

use super::asked::{asked_extents, measured_symbols};
use super::candidates::{Candidate, LaunchSource, Room};
use super::contract;
use super::expressions::Expressions;
use super::measure::{MAX_EXTENT, Measure, Shapes};
use super::open_sizes::{declare, in_contract, is_open, is_partly_open, obstacle};
use super::rehearsal::Stage;
use super::request::{DEFAULT_WORK, MAX_GLOBAL_BYTES, Request, options};
use super::shrink::rounds;
use super::sizes::{COUNT, NARROW, fits, natural, turning};
use super::solved;
use super::steering::steering;
use super::tails;
use a2lint_analysis::{Domains, switches};
use a2lint_ir::arithmetic::limits;
use a2lint_ir::{
    BLOCK_DIM, GlobalId, Launch, LaunchOrigin, Param, ParamKind, Passing, Program, Scalar,
    ScalarId, TensorInit, VariableId,
};
use a2lint_isa::DType;
use a2lint_machine::{AllocationError, Bindings, BoundLaunch, Contents, End, Options, simulate};

/// Values for guesses that give every scalar the same number. All are multiples of a block of any
/// type, so that a guess fails for its size rather than for its alignment.
const UNIFORM: [i64; 3] = [128, 64, 32];
/// The value of a float scalar.
const FLOAT: f64 = 0.5;
/// The value of a named extent that no parameter gives.
const FREE: i64 = 128;
/// Largest number of values that are tried for a parameter that decides branches.
const MOST_ARMS: usize = 6;
/// Cores of a guess where the host chooses their number: one for the first part of the work, one for the last.
const FEW: u32 = 2;
/// One guess should take at most the work of all runs of a kernel divided by this.
const SHARES_OF_WORK: u64 = 16;
/// Guesses that have to remain when expensive ones are dropped: an observation counts if two show it.
const ENOUGH: usize = 2;

pub(super) type Scalars = Vec<(String, f64)>;

/// The numbers of one guessed launch.
#[derive(Clone, Debug, PartialEq)]
pub struct Guess {
    scalars: Scalars,
    /// Number of cores; `None` means all cores of the device.
    block_dim: Option<u32>,
    /// Whether the sizes are chosen for this number of cores, so that no contribution of other cores is missing.
    is_for_cores: bool,
    /// Whether a search has chosen the sizes, see [`solved`].
    is_solved: bool,
}

impl Guess {
    /// Returns whether it runs on fewer cores than its sizes are chosen for.
    pub fn is_narrow(&self) -> bool {
        self.block_dim.is_some() && !self.is_for_cores
    }

    /// Returns whether a search has chosen its sizes, so that it executes as much of the kernel as possible.
    pub fn is_solved(&self) -> bool {
        self.is_solved
    }

    fn arguments(&self) -> Scalars {
        let cores = self
            .block_dim
            .map(|cores| (BLOCK_DIM.to_owned(), f64::from(cores)));
        self.scalars.iter().cloned().chain(cores).collect()
    }
}

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

/// Guesses launches of one kernel.
pub struct Guesser<'a> {
    program: &'a Program,
    launches: &'a [Launch],
    request: &'a Request<'a>,
    /// Symbolic extents whose values a first run measures.
    symbols: Vec<VariableId>,
    expressions: Expressions<'a>,
    /// The parameters that are used only to decide branches.
    switches: OnceCell<Vec<VariableId>>,
}

impl<'a> Guesser<'a> {
    /// Prepares guesses for a kernel. An error says why its sizes cannot be guessed, as a clause.
    pub fn of(
        program: &'a Program,
        launches: &'a [Launch],
        request: &'a Request<'a>,
    ) -> Result<Self, String> {
        match obstacle(program) {
            Some(reason) => Err(reason),
            None => Ok(Guesser::new(program, launches, request, request.bindings)),
        }
    }

    /// Prepares guesses for a kernel whose numbers `given` are fixed.
    fn new(
        program: &'a Program,
        launches: &'a [Launch],
        request: &'a Request<'a>,
        given: &[(String, f64)],
    ) -> Self {
        Guesser {
            program,
            launches,
            request,
            symbols: measured_symbols(program, given),
            expressions: Expressions::of(program),
            switches: OnceCell::new(),
        }
    }

    /// Returns the guesses to run, the most telling first: sizes that a search has chosen, two tiles of each parameter,
    /// one core that reuses every slot, one tile, and uniform sizes. Unless the search has reached every statement,
    /// each arm that a parameter decides is tried with several sizes.
    pub fn guesses(&self) -> Vec<Guess> {
        let first = self.natural();
        if self.is_determined() {
            return self.inside(first, FREE).into_iter().collect();
        }
        let (solved, is_whole) = self.solved();
        let one = self.wide(self.assignment(|id| natural(&self.expressions, id, 1)));
        let mut all = vec![
            (first, FREE),
            self.turning(0),
            (one, FREE / 2),
            self.turning(1),
        ];
        let uniform = |size| (self.wide(self.assignment(|_| size)), size);
        all.extend(UNIFORM.map(uniform));
        // Launches that reach every arm need no values for them.
        let all = match is_whole {
            true => all,
            false => self.with_arms(all),
        };
        let all = solved.into_iter().map(|guess| (guess, FREE)).chain(all);
        let mut distinct: Vec<Guess> = Vec::new();
        for guess in all.filter_map(|(guess, free)| self.inside(guess, free)) {
            if !distinct.contains(&guess) {
                distinct.push(guess);
            }
        }
        self.affordable(distinct)
    }

    /// Drops guesses whose runs would take long, as a rehearsal says, if enough others remain.
    fn affordable(&self, guesses: Vec<Guess>) -> Vec<Guess> {
        if !self.program.toolchain.launches.host_chooses_cores {
            return guesses;
        }
        let most = self.request.work / SHARES_OF_WORK;
        let mut stage = Stage::new(self.program, self.request.work);
        let mut is_short = |guess: &Guess| {
            let is_open = |id| self.is_open(id, &guess.scalars);
            let measure = Measure::new(self.program, is_open, &self.symbols);
            let launch = self.bind(guess, measure.shapes());
            let seen = launch.ok().and_then(|launch| stage.rehearse(&launch));
            seen.is_none_or(|seen| seen.work <= most)
        };
        let short: Vec<Guess> = guesses.iter().filter(|it| is_short(it)).cloned().collect();
        if short.len() < ENOUGH { guesses } else { short }
    }

    /// Returns guesses whose sizes fit together, for kernels whose host computes them, and whether they execute
    /// everything. See [`solved`].
    fn solved(&self) -> (Vec<Guess>, bool) {
        let program = self.program;
        let is_computed =
            program.toolchain.launches.host_chooses_cores && program.contract.is_empty();
        let Some(blocks) = self.blocks().filter(|_| is_computed) else {
            return (Vec::new(), false);
        };
        let guess = |scalars| Guess {
            scalars,
            block_dim: Some(blocks),
            is_for_cores: true,
            is_solved: true,
        };
        let fields = self.fields();
        let natural = guess(self.natural().scalars);
        let measure = Measure::new(
            program,
            |id| self.is_open(id, &natural.scalars),
            &self.symbols,
        );
        let Ok(launch) = self.bind(&natural, measure.shapes()) else {
            return (Vec::new(), false);
        };
        let values = |scalars: Scalars| {
            let of = |field: &solved::Field| {
                let name = &program.variable(field.ids[0]).name;
                let value = scalars.iter().find(|(known, _)| known == name);
                value.map_or(COUNT, |(_, value)| *value as i64)
            };
            fields.iter().map(of).collect::<solved::Values>()
        };
        let uniform = [64, 1].map(|size| values(self.assignment(|_| size)));
        let starts: Vec<_> = [values(natural.scalars.clone())]
            .into_iter()
            .chain(uniform)
            .collect();
        // A step costs a small part of a unit of work.
        let (steps, work) = (self.request.work, self.request.work / SHARES_OF_WORK);
        let mut search = solved::Search::new(program, fields.clone(), launch, steps, work);
        let found = search.launches(&starts);
        let all = found.into_iter().map(|values| {
            let mut scalars = natural.scalars.clone();
            for (field, value) in fields.iter().zip(values) {
                for &id in &field.ids {
                    let name = &program.variable(id).name;
                    if let Some((_, known)) = scalars.iter_mut().find(|(known, _)| known == name) {
                        *known = value as f64;
                    }
                }
            }
            guess(scalars)
        });
        (all.collect(), search.is_reached())
    }

    /// Returns the integers that the kernel reads and that the user does not bind.
    fn fields(&self) -> Vec<solved::Field> {
        let program = self.program;
        let mut fields: Vec<(&str, solved::Field)> = Vec::new();
        for param in &program.params {
            let ParamKind::Variable(id) = param.kind else {
                continue;
            };
            let is_bound = self
                .request
                .bindings
                .iter()
                .any(|(name, _)| *name == param.name);
            let is_float = program.variable(id).dtype.is_some_and(DType::is_float);
            if is_bound || is_float || program.scalars.variable_id(id).is_none() {
                continue;
            }
            let array = array_of(&param.name);
            let mut known = fields.iter_mut();
            match known.find(|(name, _)| array == Some(*name)) {
                Some((_, field)) => field.ids.push(id),
                None => fields.push((array.unwrap_or(&param.name), self.field(id))),
            }
        }
        fields.into_iter().map(|(_, field)| field).collect()
    }

    fn field(&self, id: VariableId) -> solved::Field {
        let expressions = &self.expressions;
        let tiles = expressions.tile(id).or(expressions.remainder(id));
        let tiles = tiles.or(expressions.unit(id)).into_iter();
        let sizes = tiles.flat_map(|tile| {
            let [two, three] = [2, 3].map(|count| tile.saturating_mul(count));
            [two, three, two.saturating_add(tile / 2)]
        });
        solved::Field {
            ids: vec![id],
            suggested: expressions.compared(id).into_iter().chain(sizes).collect(),
        }
    }

    /// Returns guesses in which the parameters that only decide branches have values that the kernel compares them
    /// with, so that every arm runs with all kinds of sizes. A kernel without such parameters keeps its guesses.
    fn with_arms(&self, guesses: Vec<(Guess, i64)>) -> Vec<(Guess, i64)> {
        let is_given = |name: &str| self.request.bindings.iter().any(|(known, _)| known == name);
        let arms = self.switches().iter().filter_map(|&id| {
            let name = self.program.variable(id).name.as_str();
            let values = self.expressions.compared(id);
            (!values.is_empty() && !is_given(name)).then_some((name, values))
        });
        let arms: Vec<(&str, Vec<i64>)> = arms.collect();
        let count = arms.iter().map(|(_, values)| values.len()).max();
        let count = count.unwrap_or(0).min(MOST_ARMS);
        if count == 0 {
            return guesses;
        }
        let of_arm = |(guess, free): &(Guess, i64), arm: usize| {
            let mut guess = guess.clone();
            for (name, value) in &mut guess.scalars {
                if let Some((_, values)) = arms.iter().find(|(switch, _)| switch == name) {
                    *value = values[arm % values.len()] as f64;
                }
            }
            (guess, *free)
        };
        let all = guesses.iter();
        all.flat_map(|guess| (0..count).map(move |arm| (guess, arm)))
            .map(|(guess, arm)| of_arm(guess, arm))
            .collect()
    }

    fn switches(&self) -> &[VariableId] {
        self.switches.get_or_init(|| switches(self.program))
    }

    /// Returns the guess with two tiles of each parameter that the kernel cuts into tiles.
    fn natural(&self) -> Guess {
        self.wide(self.assignment(|id| natural(&self.expressions, id, 2)))
    }

    /// Returns a guess whose sizes are chosen for the cores that it runs on.
    fn wide(&self, scalars: Scalars) -> Guess {
        let block_dim = self.blocks();
        Guess {
            scalars,
            block_dim,
            is_for_cores: block_dim.is_some(),
            is_solved: false,
        }
    }

    /// Returns the number of blocks; `None` for all cores. Where the host chooses it, a few lanes show what many would:
    /// the first part of the work and the last. A kernel that never asks which block it is was written for one.
    fn blocks(&self) -> Option<u32> {
        let program = self.program;
        let is_given = |(name, _): &(String, f64)| name == BLOCK_DIM;
        let is_fixed = program.block_dim.is_some() || self.request.bindings.iter().any(is_given);
        if is_fixed {
            return None;
        }
        let launches = &program.toolchain.launches;
        match self.is_alone() {
            true => Some(NARROW),
            false => launches.host_chooses_cores.then_some(FEW),
        }
    }

    /// Returns whether the kernel never asks which block it is.
    fn is_alone(&self) -> bool {
        let program = self.program;
        let asks = (0..program.scalars.len() as u32)
            .any(|id| matches!(program.scalars.get(ScalarId(id)), Scalar::Special(_)));
        program.toolchain.launches.counts_vec_cores && !asks
    }

    /// Returns sizes with which one core reuses every slot of every ring `more + 1` times, and the value
    /// for named extents that no parameter gives.
    fn turning(&self, more: i64) -> (Guess, i64) {
        let rounds = rounds(self.program) + more;
        let guess = Guess {
            scalars: self.assignment(|id| turning(&self.expressions, id, rounds)),
            block_dim: Some(NARROW),
            is_for_cores: self.is_alone(),
            is_solved: false,
        };
        (guess, FREE.saturating_mul(rounds))
    }

    /// Returns the numbers nearest to `guess` that the contract allows; named extents without a parameter
    /// are chosen near `free`. `None` if the search finds none.
    fn inside(&self, guess: Guess, free: i64) -> Option<Guess> {
        let is_fixed = |name: &str| self.request.bindings.iter().any(|(known, _)| known == name);
        let mut scalars = contract::nearest(self.program, &guess.scalars, &is_fixed, free)?;
        let open = scalars.iter_mut().filter(|(name, _)| !is_fixed(name));
        open.for_each(|(name, value)| *value = self.within_type(name, *value));
        Some(Guess {
            scalars: self.without_measured(scalars),
            ..guess
        })
    }

    /// Returns the value next to a guess that the type of the parameter holds: a `bool` is 0 or 1.
    fn within_type(&self, name: &str, value: f64) -> f64 {
        let mut params = self.program.params.iter();
        let param = params.find(|it| it.name == name).map(|it| it.kind);
        let Some(ParamKind::Variable(id)) = param else {
            return value;
        };
        match self.program.variable(id).dtype {
            Some(dtype) if !dtype.is_float() => {
                let (least, most) = limits(dtype);
                value.clamp(least as f64, most as f64)
            }
            _ => value,
        }
    }

    /// Removes the numbers of extents that a first run will measure: those that no parameter gives, unless
    /// the kernel computes with one of them.
    fn without_measured(&self, mut scalars: Scalars) -> Scalars {
        let program = self.program;
        if asked_extents(program).is_empty() {
            let is_bound = |name: &str| self.request.bindings.iter().any(|(it, _)| it == name);
            let free: Vec<&str> = contract::free_names(program).collect();
            scalars.retain(|(name, _)| !free.contains(&name.as_str()) || is_bound(name));
        }
        scalars
    }

    /// Returns whether neither declaration nor contract fixes the shape of a tensor under these numbers.
    fn is_open(&self, id: GlobalId, scalars: &Scalars) -> bool {
        let name = &self.program.global(id).name;
        (is_open(self.program, id) || is_partly_open(self.program, id))
            && !contract::gives_shape(self.program, name, scalars)
    }

    fn assignment(&self, size: impl Fn(VariableId) -> i64) -> Scalars {
        let params = self.program.params.iter();
        let scalars = params.filter_map(|param| match param.kind {
            ParamKind::Variable(id) => {
                let mut given = self.request.bindings.iter();
                let given = given.find(|(name, _)| *name == param.name);
                let dtype = self.program.variable(id).dtype;
                let value = match given {
                    Some((_, value)) => *value,
                    None if dtype.is_some_and(|dtype| dtype.is_float()) => FLOAT,
                    None => size(id) as f64,
                };
                Some((param.name.to_string(), value))
            }
            _ => None,
        });
        let free: Vec<&str> = contract::free_names(self.program).collect();
        let is_extent = |name: &str| self.program.extent_named(name).is_some();
        let bound = self.request.bindings.iter();
        let bound = bound.filter(|(name, _)| free.contains(&name.as_str()) || is_extent(name));
        scalars.chain(bound.cloned()).collect()
    }

    /// Returns whether the user binds a parameter, or the contract mentions it.
    fn is_said(&self, name: &str) -> bool {
        is_said(self.program, self.request, name)
    }

    /// Returns whether the user or the contract fixes every scalar and every named extent.
    pub fn is_determined(&self) -> bool {
        is_determined(self.program, self.request)
    }

    /// Returns whether the user binds a scalar or an extent of the kernel.
    fn is_bound(&self) -> bool {
        let mut bindings = self.request.bindings.iter();
        bindings.any(|(name, _)| {
            let mut params = self.program.params.iter();
            params.any(|param| param.name == *name) || self.program.extent_named(name).is_some()
        })
    }

    /// Binds a guess to a launch. The work of the measuring run is subtracted from `work`.
    pub fn candidate(&self, guess: &Guess, work: &mut u64) -> Candidate {
        let sized = self.sized(guess, work).map_err(String::from);
        let arguments = match &sized {
            Ok((guess, _)) => guess.arguments(),
            Err(_) => guess.arguments(),
        };
        let bound = sized.and_then(|(guess, shapes)| self.bind(&guess, shapes));
        let bound = bound.and_then(|bound| match contract::breach(self.program, &bound) {
            Some(reason) => Err(reason),
            None => Ok(bound),
        });
        Candidate {
            source: match self.is_bound() {
                true => LaunchSource::Bind,
                false => LaunchSource::Guess,
            },
            span: None,
            arguments,
            bound,
            is_invented: !self.is_determined(),
            has_extents: self.has_extents(),
            block_dim: guess.block_dim,
            has_data: false,
            room: Room::Enough,
            launch: None,
            changes: Vec::new(),
            is_near: false,
        }
    }

    /// Returns whether the extents of every tensor are given, so that an access outside of them is a fault.
    fn has_extents(&self) -> bool {
        let program = self.program;
        let globals = || (0..program.globals.len() as u32).map(GlobalId);
        let mut open = globals().filter(|&id| is_open(program, id)).peekable();
        let is_bound = |name: &str| self.request.bindings.iter().any(|(known, _)| known == name);
        // A named extent is given where its name is bound.
        let is_given = |id: GlobalId| {
            let is_extent =
                |&&it: &&ScalarId| matches!(program.scalars.get(it), Scalar::Extent(..));
            let extents = program.global(id).shape.iter().filter(is_extent).count();
            let mut named = program.extent_names.iter().filter(|it| it.global == id);
            named.all(|it| is_bound(&it.name))
                && extents
                    <= program
                        .extent_names
                        .iter()
                        .filter(|it| it.global == id)
                        .count()
        };
        match open.peek() {
            Some(_) => open.all(|id| in_contract(program, id).is_some() || is_given(id)),
            None => {
                let mut partly = globals().filter(|&id| is_partly_open(program, id));
                self.is_determined() && partly.all(is_given)
            }
        }
    }

    fn bind(&self, guess: &Guess, shapes: Shapes) -> Result<BoundLaunch, String> {
        let mut bindings = Bindings {
            scalars: guess.scalars.clone(),
            shapes,
            cores: guess.block_dim,
            ..Bindings::default()
        };
        bindings.invent(self.program);
        pick_the_first(self.program, &mut bindings);
        let (launches, device) = (self.launches, self.request.device);
        BoundLaunch::bind(
            self.program,
            None,
            launches,
            &bindings,
            device,
            MAX_GLOBAL_BYTES,
        )
        .map_err(|cause| cause.to_string())
    }

    /// Completes a guess with measured extents and returns the shapes of the tensors that it leaves open.
    /// The work of the measuring run is subtracted from `work`.
    fn sized(&self, guess: &Guess, work: &mut u64) -> Result<(Guess, Shapes), Incomplete> {
        let program = self.program;
        let measure = self.measured(guess, work)?;
        let mut shapes = measure.shapes();
        let measured = |name: &str| {
            let tensors = program.contract.tensors.iter();
            let extents = tensors.filter_map(|tensor| {
                let (_, shape) = shapes.iter().find(|(known, _)| *known == tensor.name)?;
                let axis = tensor
                    .extents
                    .iter()
                    .position(|it| it.as_name() == Some(name))?;
                shape.get(axis).copied()
            });
            extents.max()
        };
        let mut scalars = guess.scalars.clone();
        for &symbol in &self.symbols {
            let name = &program.variable(symbol).name;
            scalars.retain(|(known, _)| known != name);
            scalars.push((name.to_string(), measure.symbol(symbol) as f64));
        }
        for name in contract::free_names(program) {
            if scalars.iter().all(|(known, _)| known != name) {
                let extent = measured(name).unwrap_or(FREE);
                scalars.push((name.to_owned(), extent as f64));
            }
        }
        let is_fixed = |name: &str| guess.scalars.iter().any(|(known, _)| known == name);
        if let Some(inside) = contract::nearest(program, &scalars, &is_fixed, FREE) {
            scalars = inside;
        }
        shapes.retain(|(name, _)| !contract::gives_shape(program, name, &scalars));
        for (name, shape) in &mut shapes {
            declare(program, name, shape, &scalars);
        }
        let guess = Guess { scalars, ..*guess };
        Ok((guess, shapes))
    }

    /// Runs a guess and measures what it touches of tensors with unknown shapes.
    fn measured(&self, guess: &Guess, work: &mut u64) -> Result<Measure<'_>, Incomplete> {
        let is_open = |id| self.is_open(id, &guess.scalars);
        let mut measure = Measure::new(self.program, is_open, &self.symbols);
        if measure.is_idle() {
            return Ok(measure);
        }
        let mut shapes = measure.shapes();
        for (name, shape) in &mut shapes {
            declare(self.program, name, shape, &guess.scalars);
        }
        let bound = self.bind(guess, shapes)?;
        // Only addresses matter here, so results need not be computed. `obstacle` has refused kernels in
        // which computed data decides about addresses.
        let options = Options {
            only_looks: true,
            ..options(*work, self.request.saturate)
        };
        let outcome = simulate(self.program, &bound, &options, &mut measure);
        *work -= outcome.work.min(*work);
        if let Some(global) = measure.odd {
            let name = &self.program.global(global).name;
            let reason = format!(
                "no sizes keep it inside of `{name}` with at most {MAX_EXTENT} elements on each axis"
            );
            return Err(reason.into());
        }
        match outcome.end {
            End::BudgetExhausted(_) => Err("it takes too long with small sizes".to_owned().into()),
            End::Refused(refusal) => match refusal.unplaced {
                Some(AllocationError::Overflow { .. }) => Err(Incomplete::NoRoom(refusal.reason)),
                _ => Err(refusal.reason.into()),
            },
            _ => Ok(measure),
        }
    }

    /// Returns variants of a guess whose sizes leave an incomplete last tile.
    pub fn tails(&self, guess: &Guess) -> Vec<Guess> {
        let base = Launch {
            kernel: self.program.name.clone(),
            tensors: Vec::new(),
            scalars: guess.scalars.clone(),
            floats: Vec::new(),
            span: None,
            place: None,
            origin: LaunchOrigin::Configuration,
            block_dim: None,
            seeds_outputs: None,
            passing: Passing::default(),
        };
        let changed = |changes: Vec<(String, f64)>| {
            let mut scalars = guess.scalars.clone();
            for (name, value) in &mut scalars {
                let change = changes.iter().find(|(changed, _)| changed == name);
                *value = change.map_or(*value, |(_, changed)| *changed);
            }
            self.inside(Guess { scalars, ..*guess }, FREE)
        };
        let (fixed, device) = (self.request.bindings, self.request.device);
        let all = tails::of(self.program, &[&base], fixed, device);
        all.into_iter().filter_map(changed).collect()
    }

    /// Returns whether the kernel plausibly supports these sizes: each is a multiple of its tile, equals an on-chip row
    /// length, selects an arm of a branch, is bound by the user, or occurs in the contract.
    pub fn is_meant(&self, arguments: &[(String, f64)]) -> bool {
        let is_said = |name: &str| self.is_said(name);
        self.program.params.iter().all(|param| {
            let ParamKind::Variable(id) = param.kind else {
                return true;
            };
            let is_float = self.program.variable(id).dtype.is_some_and(DType::is_float);
            // Host code keeps fields of tiling data in relations that the kernel does not show.
            if param.is_tiling_field() {
                return is_said(&param.name);
            }
            let value = arguments.iter().find(|(name, _)| *name == param.name);
            let is_arm = |value: f64| {
                self.switches().contains(&id)
                    && self.expressions.compared(id).contains(&(value as i64))
            };
            is_float
                || is_said(&param.name)
                || value.is_some_and(|it| fits(&self.expressions, id, it.1) || is_arm(it.1))
        })
    }
}

/// Returns the array that a field of tiling data is an element of: `tiling.shape` of `tiling.shape[3]`.
fn array_of(name: &str) -> Option<&str> {
    let (array, _) = name.split_once('[')?;
    array.contains('.').then_some(array)
}

/// Returns the number of scalars that host code computes together, in relations that neither the kernel nor its
/// contract shows.
pub fn hidden_relations(program: &Program, request: &Request) -> usize {
    let fields = program.params.iter();
    let is_hidden =
        |param: &&Param| param.is_tiling_field() && !is_said(program, request, &param.name);
    fields.filter(is_hidden).count()
}

/// Returns whether the user binds a parameter, or the contract mentions it.
fn is_said(program: &Program, request: &Request, name: &str) -> bool {
    let conditions = program.contract.conditions.iter();
    let mut names = conditions.flat_map(|condition| condition.form.names());
    names.any(|known| known == name) || request.bindings.iter().any(|(known, _)| known == name)
}

/// Returns whether the user or the contract fixes every scalar and every named extent.
pub fn is_determined(program: &Program, request: &Request) -> bool {
    let domains = Domains::of(&program.contract).unwrap_or_default();
    let is_known = |name: &str| {
        let is_bound = request.bindings.iter().any(|(known, _)| known == name);
        is_bound || domains.domain(name).as_exact().is_some()
    };
    let is_scalar = |param: &&Param| matches!(param.kind, ParamKind::Variable(_));
    let scalars = program.params.iter().filter(is_scalar);
    let mut names = scalars.map(|param| param.name.as_str());
    names.all(is_known) && contract::free_names(program).all(is_known)
}
