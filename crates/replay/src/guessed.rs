//! Replays kernels without known launches, with guessed sizes.
//!
//! An observation counts if every guess that executes its statement shows it and at least two do. It also counts if a
//! single guess shows it whose sizes the kernel is written for, as its tiles or its contract say, and which
//! satisfies the preconditions of all proofs.
//! Guessing ends when two guesses have executed all instructions and showed the same. If they showed nothing,
//! tails of the tiles are tried. Deadlocks and races count there; everything else only confirms other findings,
//! unless the contract covers the sizes.
//!
//! If data selects rows of global tensors or elements of a gather, all indices are 0. Observations of such a run about
//! elements are dropped, because real indices may select others. Observations that depend on tiling data are dropped as
//! well: the host computes its fields together, while guesses choose each one independently.

use super::Replay;
use super::observation::{Event, Observation};
use super::outcomes::{LaunchRun, Shortfall};
use super::shown::Task;
use super::trials::{Traits, Trial, agreed, counts_alone, shortfall};
use a2lint_ir::{Module, Program};
use a2lint_launches::{Candidate, Guesser, Steered, hidden_relations, steering};

/// Number of guesses that have to agree.
// A single guess may show what only its sizes cause.
const LEAST_WITNESSES: usize = 2;
/// Upper bound on the number of shares that the budget is divided into.
const MOST_SHARES: usize = 3;
/// Reason if no sizes satisfy the contract.
const OUTSIDE: &str = "no sizes were found that its contract allows";

/// Replays a kernel with guessed sizes; `None` if cancelled.
pub(super) fn replay(
    is_cancelled: &dyn Fn() -> bool,
    program: &Program,
    module: &Module,
    task: Task,
) -> Option<Replay> {
    let request = task.request;
    let guesser = match Guesser::of(program, &module.launches, request) {
        Ok(guesser) => guesser,
        Err(reason) => return Some(Replay::unreplayed(reason)),
    };
    let guesses = guesser.guesses();
    if guesses.is_empty() {
        return Some(Replay::unreplayed(OUTSIDE));
    }
    let mut left = request.work;
    let mut trials: Vec<Trial> = Vec::new();
    let picked = steering(program);
    let hidden = hidden_relations(program, request);
    let mut reason = None;
    let mut unrelated = None;
    for (at, guess) in guesses.iter().enumerate() {
        if is_cancelled() {
            return None;
        }
        // The first guesses say the most, so each gets at least a third of what is left; unused work goes to the
        // next.
        let mut share = left / (guesses.len() - at).min(MOST_SHARES) as u64;
        left -= share;
        let candidate = guesser.candidate(guess, &mut share);
        reason = reason.or(candidate.bound.as_ref().err().cloned());
        // If data selects elements, a single guess depends on the invented indices.
        let traits = Traits {
            is_meant: picked.is_none() && guesser.is_meant(&candidate.arguments),
            is_narrow: guess.is_narrow(),
        };
        let mut trial = Trial::of(program, candidate, traits, &mut share, task);
        if matches!(picked, Some((_, Steered::Elements | Steered::Way))) {
            // Real indices may select other elements, but the order of accesses is the same.
            trial.keep_order_alone();
        }
        match picked {
            Some((_, Steered::Way)) => trial.keep_independent_of_data(program),
            Some(_) => trial.keep_rows_of_their_own(program),
            None => {}
        }
        // A relation needs two sizes. A single one may still be too small for what the kernel divides it by, and then
        // some statements are skipped.
        if hidden > 1 || hidden == 1 && !trial.executes_all(program) {
            unrelated = unrelated.or(trial.first_beyond_order(program));
            trial.keep_any_sizes(program);
        }
        trials.push(trial);
        left += share;
        if is_settled(program, &trials, guesses[0].is_solved()) {
            break;
        }
    }
    let mut launches: Vec<LaunchRun> = Vec::new();
    for trial in &mut trials {
        launches.append(&mut trial.replay.launches);
    }
    // `agreed` numbers executions by trial, so each trial has to have one.
    trials.retain(|trial| !trial.replay.executions.is_empty());
    if trials.is_empty() {
        let reason = reason.unwrap_or_else(|| "no sizes fit it".to_owned());
        let mut replay = Replay::unreplayed(reason);
        replay.launches = launches;
        return Some(replay);
    }
    let wanted = LEAST_WITNESSES.min(guesses.len());
    // Tails are tried only if the first guess showed nothing.
    let is_quiet = trials[0].replay.observations.is_empty();
    let left_out = shortfall(program, &trials).filter(|_| !guesser.is_determined());
    let left_out = left_out.or(picked.map(|(stmt, _)| Shortfall::Picked(stmt.span)));
    let left_out = left_out.or(unrelated.map(Shortfall::HiddenRelations));
    let left_out = left_out.or(trials.iter().find_map(Trial::left_to_data));
    let mut replay = agreed(trials, wanted);
    replay.launches = launches;
    replay.shortfall = left_out;
    if is_quiet && picked.is_none() && !guesser.is_determined() {
        for guess in guesser.tails(&guesses[0]) {
            let candidate = guesser.candidate(&guess, &mut left);
            let is_meant = guesser.is_meant(&candidate.arguments);
            let tail = Tail {
                candidate,
                is_meant,
                is_related: hidden > 0,
            };
            let taken = replay.run_tail(program, tail, left, task);
            left -= taken.min(left);
        }
    }
    Some(replay)
}

/// Returns whether more guesses would add nothing: two have shown the same, and each has executed every instruction;
/// or the sizes are chosen for it, and they have shown nothing and executed every instruction often enough together.
fn is_settled(program: &Program, trials: &[Trial], are_solved: bool) -> bool {
    let is_quiet = |trial: &Trial| trial.is_finished() && !trial.is_void() && trial.is_quiet();
    let are_enough = trials.len() >= LEAST_WITNESSES && shortfall(program, trials).is_none();
    if are_solved && are_enough && trials.iter().all(is_quiet) {
        return true;
    }
    // Further guesses run only if the first two disagree, and then all of them run.
    let [first, second] = trials else {
        return false;
    };
    !first.is_void()
        && !second.is_void()
        && first.is_finished()
        && second.is_finished()
        && first.shows_no_more_than(second)
        && second.shows_no_more_than(first)
        && first.executes_all(program)
        && second.executes_all(program)
}

/// A guess whose last tile is incomplete.
struct Tail {
    candidate: Candidate,
    /// Whether the kernel is written for its sizes.
    is_meant: bool,
    /// Whether the host computes its sizes together.
    is_related: bool,
}

impl Replay {
    /// Runs a tail of a guess that showed nothing, and returns the work that it took.
    fn run_tail(&mut self, program: &Program, tail: Tail, work: u64, task: Task) -> u64 {
        let Tail {
            candidate,
            is_meant,
            is_related,
        } = tail;
        let first = self.executions.len();
        let taken = match is_related {
            true => self.run_related(program, candidate, work, task),
            false => self.run(program, candidate, work, task),
        };
        let Some(execution) = self.executions.get_mut(first) else {
            return taken;
        };
        let counting = execution.clone();
        execution.only_confirms = true;
        // A kernel that takes the minimum of a tile and the remainder is written for any size, so that faults of
        // order count.
        let counts = |observation: &mut Observation| {
            let event = &observation.event;
            let is_of_order = matches!(event, Event::Deadlock(_) | Event::Hazard(_));
            observation.execution == first && (is_of_order || is_meant && counts_alone(event))
        };
        let seen: Vec<Observation> = self.observations.extract_if(.., counts).collect();
        if seen.is_empty() {
            return taken;
        }
        // The launch gets a second entry, which does not only confirm, for the observations that count.
        let number = self.executions.len();
        self.executions.push(counting);
        let moved = |observation| Observation {
            execution: number,
            ..observation
        };
        self.partial.extend(seen.into_iter().map(moved));
        taken
    }
}
