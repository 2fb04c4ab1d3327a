//! Two versions of a kernel: whether the new one computes the same, how exactly, what is proved of it, and its time.
//!
//! Both run under the same launches with the same contents. Results with equal bits are the same. Others are compared
//! as exact arithmetic would have them: order of sums and places of rounding are no difference, all else is one.

mod launches;
mod matching;
mod outputs;
mod verdicts;

use std::time::{Duration, Instant};

use crate::laws::{Cut, hurting, large_integers, obstacle};
use crate::target::Target;
use crate::{Arguments, Bound, History, Job, Limits, Questions, RunError, Supervisor};
use a2lint_ir::finding::Severity;
use a2lint_ir::verdict::Property;
use a2lint_ir::{GlobalId, Program};
use a2lint_isa::DType;
use a2lint_machine::{
    Budget, Departure, DepartureKind, End, Following, Numerics, Observer, Options, Outcome,
    last_place, simulate,
};

pub use launches::{Left, Pair};
pub use matching::{Matching, SIDES};
pub use outputs::{Elements, Errors, Wrong};
pub use verdicts::{Checked, Rank, Standing};

use launches::reseed;
use matching::tensor_name;

/// Seeds that are tried on launches that no file gives.
const TAIL_SEEDS: u64 = 2;
/// Contents of inputs that nothing has changed.
pub const OWN: &str = "inputs as the launch says";
/// Factor from which on the largest error is larger and no accident of the inputs.
const WORSE: f64 = 2.0;
/// Factor from which on the mean error is larger.
const WORSE_MEAN: f64 = 1.5;

/// A version of a kernel.
#[derive(Clone, Copy)]
pub struct Version<'a> {
    /// Its file.
    pub target: &'a Target,
    /// The kernel.
    pub program: &'a Program,
}

/// What to compare, and how much of it.
#[derive(Clone, Debug)]
pub struct Request {
    /// Arguments beside those of the files.
    pub arguments: Arguments,
    /// Parameters that have other names in NEW.
    pub matches: Vec<(String, String)>,
    /// Names of the results that are compared; all if empty.
    pub only: Vec<String>,
    /// Number of seeds.
    pub seeds: u64,
    /// Limits of all runs together.
    pub limits: Limits,
}

/// The comparison of two versions.
pub struct Compared<'a> {
    /// The versions, OLD first.
    pub versions: [Version<'a>; 2],
    /// Which parameter is which.
    pub matching: Matching,
    /// The launches that both ran with, or were to run with.
    pub launches: Vec<Launched>,
    /// Launches that only one version has.
    pub left: Vec<Left>,
    /// The results of both.
    pub outputs: Vec<Output>,
    /// The checks of both.
    pub checked: [Checked; 2],
    /// Positions of the findings that NEW alone has.
    pub new: Vec<usize>,
    /// Positions of the findings that OLD alone has.
    pub gone: Vec<usize>,
    /// Number of contents that were tried, over all launches.
    pub tried: usize,
    /// Number of contents that were to be tried.
    pub planned: usize,
    /// Why not everything was tried.
    pub cut: Option<Cut>,
}

/// A launch of both versions.
pub struct Launched {
    /// The launch.
    pub pair: Pair,
    /// Microseconds on the device by the cost model; `None` if a version has no complete estimate.
    pub times: Option<[f64; 2]>,
    /// Why the run of a version says nothing, as a clause.
    pub obstacles: [Option<String>; 2],
}

/// A result of both versions.
pub struct Output {
    /// The tensor in each version.
    pub ids: [GlobalId; 2],
    /// Its name in each version.
    pub names: [String; 2],
    /// Its type.
    pub dtype: DType,
    /// What the runs show.
    pub sameness: Sameness,
    /// Errors of each version against exact arithmetic; `None` if it holds no floats.
    pub errors: Option<[Errors; 2]>,
    /// Number of elements, over all runs, that are numbers in NEW and not in OLD.
    pub gained: usize,
}

/// How far a result is the same in both versions, over all runs.
pub enum Sameness {
    /// No run compares it.
    Untried,
    /// All bits are equal.
    Bits,
    /// All elements are equal in exact arithmetic.
    Exact,
    /// Exact values do not follow one of the runs, so that equal and different cannot be told apart.
    Unknown(Box<Difference>),
    /// It is different.
    Different(Box<Difference>),
}

/// A run in which a result is not the same.
pub struct Difference {
    /// The position of the launch.
    pub launch: usize,
    /// The contents of its inputs, as a phrase.
    pub contents: String,
    /// The launch of each version with these contents.
    pub bounds: [Bound; 2],
    /// The elements.
    pub elements: Elements,
    /// Where exact values part from the run of each version.
    pub departures: [Option<Departure>; 2],
    /// How the first wrong element was computed by each version.
    pub histories: [Option<History>; 2],
}

/// The answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answer {
    /// NEW is as good as OLD, or better.
    AsGood,
    /// Something could not be compared.
    Open,
    /// NEW is worse.
    Worse,
}

impl Sameness {
    fn rank(&self) -> u8 {
        match self {
            Sameness::Untried => 0,
            Sameness::Bits => 1,
            Sameness::Exact => 2,
            Sameness::Unknown(_) => 3,
            Sameness::Different(_) => 4,
        }
    }

    fn take(&mut self, other: Sameness) {
        // The first difference stays, because the smallest launches come first.
        if other.rank() > self.rank() {
            *self = other;
        }
    }
}

impl Output {
    /// Returns whether the errors of NEW are larger than those of OLD by more than accident.
    pub fn is_less_accurate(&self) -> bool {
        self.errors
            .is_some_and(|[old, new]| is_larger(self.dtype, new, old))
    }

    /// Returns whether the errors of NEW are smaller by more than accident.
    pub fn is_more_accurate(&self) -> bool {
        self.errors
            .is_some_and(|[old, new]| is_larger(self.dtype, old, new))
    }
}

/// Returns whether errors are larger than others, and larger than a rounding of the result.
fn is_larger(dtype: DType, one: Errors, other: Errors) -> bool {
    let is_above = one.max_relative > last_place(dtype, 1.0) || one.max_ulp > 1.0;
    let is_wider = one.max_relative > WORSE * other.max_relative;
    let is_higher =
        one.mean_ulp() > WORSE_MEAN * other.mean_ulp() && one.max_ulp > WORSE * other.max_ulp;
    is_above && (is_wider || is_higher)
}

impl Compared<'_> {
    /// Returns the properties that are proved of OLD and no longer, or no longer for every launch, of NEW.
    pub fn lost(&self) -> Vec<Property> {
        let all = Property::ALL.into_iter();
        let is_lost = |property: &Property| {
            let ranks = self.ranks(*property);
            ranks[0].is_some_and(Rank::is_proved) && ranks[1] < ranks[0]
        };
        all.filter(is_lost).collect()
    }

    /// Returns the properties that are proved of NEW and were not of OLD.
    pub fn won(&self) -> Vec<Property> {
        let all = Property::ALL.into_iter();
        let is_won = |property: &Property| {
            let ranks = self.ranks(*property);
            ranks[1].is_some_and(Rank::is_proved) && ranks[0] < ranks[1]
        };
        all.filter(is_won).collect()
    }

    fn ranks(&self, property: Property) -> [Option<Rank>; 2] {
        [0, 1].map(|side| Some(self.checked[side].standing(property)?.rank))
    }

    /// Returns the microseconds of each version over all launches that the files or the user give and of which both
    /// have a time.
    pub fn times(&self) -> Option<[f64; 2]> {
        let given = self.launches.iter().filter(|it| it.pair.is_given);
        given
            .filter_map(|it| it.times)
            .reduce(|sum, next| [sum[0] + next[0], sum[1] + next[1]])
    }

    /// Returns the launches that NEW cannot run although OLD can.
    pub fn broken(&self) -> impl Iterator<Item = &Launched> {
        let launches = self.launches.iter();
        launches.filter(|it| it.obstacles[0].is_none() && it.obstacles[1].is_some())
    }

    /// Returns the launches that OLD cannot run.
    pub fn incomparable(&self) -> impl Iterator<Item = &Launched> {
        let launches = self.launches.iter();
        launches.filter(|it| it.obstacles[0].is_some())
    }

    /// Returns the results of OLD that NEW does not have.
    pub fn missing(&self) -> impl Iterator<Item = &str> {
        let missing = self.matching.missing.iter();
        missing
            .filter(|(side, _)| *side == 0)
            .map(|(_, name)| name.as_str())
    }

    /// Returns the number of new errors.
    pub fn new_errors(&self) -> usize {
        self.checked[1].count(&self.new, Severity::Error)
    }

    /// Returns the answer.
    pub fn answer(&self) -> Answer {
        let is_worse = self.missing().next().is_some()
            || self.broken().next().is_some()
            || !self.lost().is_empty()
            || self.new_errors() > 0
            || self.outputs.iter().any(|output| {
                matches!(output.sameness, Sameness::Different(_)) || output.is_less_accurate()
            });
        let is_open = || {
            let is_untold =
                |it: &Output| matches!(it.sameness, Sameness::Untried | Sameness::Unknown(_));
            self.outputs.is_empty()
                || self.outputs.iter().any(is_untold)
                || !self.left.is_empty()
                || self.incomparable().next().is_some()
                || self.checked.iter().any(|it| it.standings.is_empty())
        };
        match is_worse {
            true => Answer::Worse,
            false if is_open() => Answer::Open,
            false => Answer::AsGood,
        }
    }
}

/// Compares two versions.
///
/// # Errors
/// An argument or a pair of parameters that does not exist, or an input that only one version has.
pub fn versions<'a>(
    versions: [Version<'a>; 2],
    request: &Request,
    supervisor: &mut dyn Supervisor,
) -> Result<Compared<'a>, RunError> {
    let programs = versions.map(|version| version.program);
    let matching = Matching::of(programs, &request.matches)?;
    let outputs = chosen(programs, &matching, &request.only)?;
    let (pairs, left) = launches::of(versions, &matching, request)?;
    supervisor.stage("checks");
    let (old, new) = rayon::join(|| Checked::of(versions[0]), || Checked::of(versions[1]));
    let mut comparison = Comparison {
        versions,
        request,
        deadline: Instant::now() + Duration::from_secs_f64(request.limits.seconds),
        matching: &matching,
        launches: Vec::new(),
        outputs,
        tried: 0,
        planned: 0,
    };
    let cut = comparison.run(pairs, supervisor)?.err();
    comparison.explain(supervisor);
    let Comparison {
        launches,
        outputs,
        tried,
        planned,
        ..
    } = comparison;
    let mut matching = matching;
    let is_asked = |name: &String| request.only.is_empty() || request.only.contains(name);
    matching.missing.retain(|(_, name)| is_asked(name));
    Ok(Compared {
        versions,
        launches,
        left,
        outputs,
        new: new.beyond(&old),
        gone: old.beyond(&new),
        checked: [old, new],
        matching,
        tried,
        planned,
        cut,
    })
}

/// Returns the results that are compared.
fn chosen(
    programs: [&Program; 2],
    matching: &Matching,
    only: &[String],
) -> Result<Vec<Output>, RunError> {
    let shared = matching.results(programs).into_iter().map(|ids| Output {
        ids,
        names: [0, 1].map(|side| tensor_name(programs[side], ids[side]).to_owned()),
        dtype: DType::Float,
        sameness: Sameness::Untried,
        errors: None,
        gained: 0,
    });
    let shared: Vec<Output> = shared.collect();
    let is_missing = |name: &String| matching.missing.iter().any(|(_, known)| known == name);
    for name in only.iter().filter(|name| !is_missing(name)) {
        if !shared.iter().any(|output| output.names.contains(name)) {
            let shared = shared.iter().map(|output| output.names[0].as_str());
            return Err(RunError::NoResult {
                name: name.clone(),
                shared: shared.collect::<Vec<_>>().join(", "),
            });
        }
    }
    let is_asked =
        |output: &Output| only.is_empty() || output.names.iter().any(|name| only.contains(name));
    Ok(shared.into_iter().filter(is_asked).collect())
}

/// A comparison under way.
struct Comparison<'a, 'r> {
    versions: [Version<'a>; 2],
    request: &'r Request,
    deadline: Instant,
    matching: &'r Matching,
    launches: Vec<Launched>,
    outputs: Vec<Output>,
    tried: usize,
    planned: usize,
}

/// Contents of a launch that are tried.
struct Trial {
    launch: usize,
    pair: Pair,
    contents: String,
    /// Whether errors are measured on it, even if all bits are equal.
    is_measured: bool,
}

impl<'a> Comparison<'a, '_> {
    /// Runs all launches. The inner error says that the time was up.
    fn run(
        &mut self,
        pairs: Vec<Pair>,
        supervisor: &mut dyn Supervisor,
    ) -> Result<Result<(), Cut>, RunError> {
        for pair in pairs {
            supervisor.stage("launches");
            let launched = self.launched(pair, supervisor)?;
            // What OLD cannot run near its launches is no matter of NEW.
            let is_idle = launched.obstacles[0].is_some() && !launched.pair.is_given;
            if !is_idle {
                self.launches.push(launched);
            }
        }
        let trials = self.trials();
        self.planned = trials.len();
        for trial in trials {
            if Instant::now() >= self.deadline {
                return Ok(Err(Cut::Time));
            }
            if supervisor.is_cancelled() {
                return Ok(Err(Cut::Cancelled));
            }
            supervisor.stage(&trial.contents);
            if let Err(cut) = self.tried(&trial) {
                return Ok(Err(cut));
            }
            self.tried += 1;
            let is_settled = |output: &Output| matches!(output.sameness, Sameness::Different(_));
            if !self.outputs.is_empty() && self.outputs.iter().all(is_settled) {
                self.planned = self.tried;
                break;
            }
        }
        Ok(Ok(()))
    }

    fn job<'j>(&self, side: usize, bound: &'j Bound, questions: &'j Questions) -> Job<'j>
    where
        'a: 'j,
    {
        let Version { target, program } = self.versions[side];
        Job::of(target, program, bound, questions, self.request.limits)
    }

    /// Runs both versions as the launch says.
    fn launched(&self, pair: Pair, supervisor: &mut dyn Supervisor) -> Result<Launched, RunError> {
        let questions = Questions::default();
        let (mut times, mut obstacles) = ([None; 2], [None, None]);
        for side in [0, 1] {
            let ran = self
                .job(side, &pair.bounds[side], &questions)
                .run(supervisor)?;
            let breach =
                a2lint_launches::breach(self.versions[side].program, &pair.bounds[side].launch);
            obstacles[side] = breach.or_else(|| obstacle(&ran.outcome));
            let is_whole = ran.estimate.missing == 0 && ran.outcome.end == End::Finished;
            times[side] = is_whole.then(|| ran.estimate.microseconds());
        }
        Ok(Launched {
            pair,
            times: times[0].zip(times[1]).map(|(old, new)| [old, new]),
            obstacles,
        })
    }

    /// Returns the contents to try: as the launches say, then such that hurt, then other random numbers.
    fn trials(&self) -> Vec<Trial> {
        let (mut own, mut hurt, mut drawn) = (Vec::new(), Vec::new(), Vec::new());
        let questions = Questions::default();
        for (launch, launched) in self.launches.iter().enumerate() {
            if launched.obstacles.iter().any(Option::is_some) {
                continue;
            }
            let pair = &launched.pair;
            let trial = |pair: Pair, contents: String, is_measured: bool| Trial {
                launch,
                pair,
                contents,
                is_measured,
            };
            own.push(trial(pair.clone(), OWN.to_owned(), true));
            let job = self.job(0, &pair.bounds[0], &questions);
            let others = hurting(&job).into_iter().chain(large_integers(&job));
            for (text, launch) in others.filter(|_| pair.is_given) {
                let mut pair = pair.clone();
                pair.bounds[0].launch = launch;
                self.share(&mut pair);
                hurt.push(trial(pair, format!("inputs {text}"), false));
            }
            let seeds = match pair.is_given {
                true => self.request.seeds,
                false => self.request.seeds.min(TAIL_SEEDS),
            };
            for seed in 1..seeds {
                let mut pair = pair.clone();
                if !reseed(&mut pair, seed) {
                    break;
                }
                drawn.push((
                    seed,
                    trial(pair, format!("inputs of seed {seed}"), seed == 1),
                ));
            }
        }
        drawn.sort_by_key(|(seed, _)| *seed);
        let drawn = drawn.into_iter().map(|(_, trial)| trial);
        own.into_iter().chain(hurt).chain(drawn).collect()
    }

    /// Gives NEW the contents of OLD.
    fn share(&self, pair: &mut Pair) {
        for [old, new] in &self.matching.tensors {
            let contents = pair.bounds[0].launch.globals[old.index()].contents.clone();
            pair.bounds[1].launch.globals[new.index()].contents = contents;
        }
    }

    /// Runs both versions with some contents, and compares all results.
    fn tried(&mut self, trial: &Trial) -> Result<(), Cut> {
        let plain = self.outcomes(&trial.pair, Following::Nothing)?;
        // Contents that lead OLD astray are not those that it is meant for.
        let is_astray = trial.contents != OWN && obstacle(&plain[0]).is_some();
        if plain[0].end != End::Finished || is_astray {
            return Ok(());
        }
        let same: Vec<bool> = self
            .outputs
            .iter()
            .map(|output| {
                let [old, new] = [0, 1].map(|side| &plain[side].globals[output.ids[side].index()]);
                let finished = plain.iter().all(|outcome| outcome.end == End::Finished);
                finished && outputs::have_same_bits(old, new)
            })
            .collect();
        let is_same = same.iter().all(|same| *same);
        let followed = match is_same && !trial.is_measured {
            true => None,
            false => Some(self.outcomes(&trial.pair, Following::Values)?),
        };
        for (output, is_same) in self.outputs.iter_mut().zip(same) {
            let types = [0, 1]
                .map(|side| trial.pair.bounds[side].launch.globals[output.ids[side].index()].dtype);
            output.dtype = types[0];
            let Some(followed) = &followed else {
                output.sameness.take(Sameness::Bits);
                continue;
            };
            let memories = [0, 1].map(|side| &followed[side].globals[output.ids[side].index()]);
            if output.dtype.is_float() {
                let errors = output.errors.get_or_insert_default();
                for side in [0, 1] {
                    errors[side].add(types[side], memories[side]);
                }
            }
            if is_same {
                output.sameness.take(Sameness::Bits);
                continue;
            }
            let elements = outputs::compare(output.dtype, memories[0], memories[1]);
            output.gained += elements.gained;
            let departures = [0, 1].map(|side| first_departure(followed[side].numerics.as_ref()));
            let loses_bits = departures
                .iter()
                .flatten()
                .any(|it| it.kind == DepartureKind::Bits);
            let departs = departures.iter().any(Option::is_some);
            let is_equal = elements.differing == 0;
            let is_doubtful = match is_equal {
                true => loses_bits,
                false => departs && elements.are_near,
            };
            if is_equal && !is_doubtful {
                output.sameness.take(Sameness::Exact);
                continue;
            }
            let difference = Box::new(Difference {
                launch: trial.launch,
                contents: trial.contents.clone(),
                bounds: trial.pair.bounds.clone(),
                elements,
                departures,
                histories: [None, None],
            });
            output.sameness.take(match is_doubtful {
                true => Sameness::Unknown(difference),
                false => Sameness::Different(difference),
            });
        }
        Ok(())
    }

    fn outcomes(&self, pair: &Pair, following: Following) -> Result<[Outcome; 2], Cut> {
        let questions = Questions::default();
        let run = |side: usize| {
            let options = Options {
                following,
                ..self.job(side, &pair.bounds[side], &questions).options()
            };
            let program = self.versions[side].program;
            simulate(
                program,
                &pair.bounds[side].launch,
                &options,
                &mut Deadline(self.deadline),
            )
        };
        let (old, new) = rayon::join(|| run(0), || run(1));
        let is_late = |outcome: &Outcome| outcome.end == End::BudgetExhausted(Budget::Time);
        match is_late(&old) || is_late(&new) {
            true => Err(Cut::Time),
            false => Ok([old, new]),
        }
    }

    /// Finds out how the first wrong elements were computed.
    fn explain(&mut self, supervisor: &mut dyn Supervisor) {
        supervisor.stage("the first wrong element");
        let questions = Questions::default();
        let mut outputs = std::mem::take(&mut self.outputs);
        for output in &mut outputs {
            let ids = output.ids;
            let Sameness::Different(difference) = &mut output.sameness else {
                continue;
            };
            let Some(flat) = difference.elements.first.as_ref().map(|wrong| wrong.flat) else {
                continue;
            };
            difference.histories = [0, 1].map(|side| {
                let job = self.job(side, &difference.bounds[side], &questions);
                Some(job.history(ids[side], flat, supervisor))
            });
        }
        self.outputs = outputs;
    }
}

/// Returns where exact values part from a run first; floats that are read as bits count most.
fn first_departure(numerics: Option<&Numerics>) -> Option<Departure> {
    let all = numerics?.departures();
    let bits = all.iter().find(|it| it.kind == DepartureKind::Bits);
    bits.or(all.first()).copied()
}

/// Stops a run at a deadline.
struct Deadline(Instant);

impl Observer for Deadline {
    fn is_expired(&mut self) -> bool {
        Instant::now() >= self.0
    }
}
