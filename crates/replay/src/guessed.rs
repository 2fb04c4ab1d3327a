//! Replays of kernels that nothing launches, under guesses.
//!
//! What is seen counts if every guess that executes the statement shows it, and at
//! least two do, or if one guess shows it whose sizes the kernel is written for, as its
//! own tiles or its contract say, and which satisfies the preconditions of all proofs.
//! Guessing ends once two guesses executed all there is and showed the same. If that was nothing, the tails
//! of what the kernel cuts into tiles are tried. A deadlock or a race there counts; other things only confirm
//! what is found otherwise, unless the contract speaks of the sizes.
//!
//! Where data picks rows of global tensors or elements of a gather, all indices are 0; what that shows of
//! elements is left out, for the author's data may pick others.

use super::Replay;
use super::looked_at::{LaunchRun, Shortfall};
use super::sighting::{Event, Sighting};
use super::trials::{Trial, agreed, counts_alone, shortfall};
use a2lint_ir::{Module, Program};
use a2lint_launches::{Candidate, Guesser, Request, Steered, steering};

/// Guesses that have to agree.
const LEAST_WITNESSES: usize = 2;
/// Into how many shares the budget is cut at most.
const MOST_SHARES: usize = 3;
/// Why nothing can be guessed.
const OUTSIDE: &str = "no sizes were found that its contract allows";

/// Replays a kernel under guesses.
pub(super) fn replay(
    is_cancelled: &dyn Fn() -> bool,
    program: &Program,
    module: &Module,
    request: &Request,
) -> Option<Replay> {
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
    let mut reason = None;
    for (at, guess) in guesses.iter().enumerate() {
        if is_cancelled() {
            return None;
        }
        // A large guess leaves the others their share; the first say the most.
        let mut share = left / (guesses.len() - at).min(MOST_SHARES) as u64;
        left -= share;
        let candidate = guesser.candidate(guess, &mut share);
        reason = reason.or(candidate.bound.as_ref().err().cloned());
        let is_meant = picked.is_none() && guesser.is_meant(&candidate.arguments);
        let mut trial = Trial::of(program, candidate, is_meant, &mut share, request.saturate);
        if matches!(picked, Some((_, Steered::Elements))) {
            trial.keep_order_alone();
        }
        trials.push(trial);
        left += share;
        if is_settled(program, &trials) {
            break;
        }
    }
    let mut launches: Vec<LaunchRun> = Vec::new();
    for trial in &mut trials {
        launches.append(&mut trial.replay.launches);
    }
    trials.retain(|trial| !trial.replay.executions.is_empty());
    if trials.is_empty() {
        let reason = reason.unwrap_or_else(|| "no sizes fit it".to_owned());
        let mut replay = Replay::unreplayed(reason);
        replay.launches = launches;
        return Some(replay);
    }
    let wanted = LEAST_WITNESSES.min(guesses.len());
    let is_quiet = trials[0].replay.sightings.is_empty();
    let left_out = shortfall(program, &trials).filter(|_| !guesser.is_determined());
    let left_out = left_out.or(picked.map(|(stmt, _)| Shortfall::Picked(stmt.span)));
    let mut replay = agreed(trials, wanted);
    replay.launches = launches;
    replay.shortfall = left_out;
    if is_quiet && picked.is_none() && !guesser.is_determined() {
        for guess in guesser.tails(&guesses[0]) {
            let candidate = guesser.candidate(&guess, &mut left);
            let is_meant = guesser.is_meant(&candidate.arguments);
            let taken = replay.run_tail(program, candidate, is_meant, left, request.saturate);
            left -= taken.min(left);
        }
    }
    Some(replay)
}

/// Whether more guesses would say nothing new: two have shown the same, and together all there is.
fn is_settled(program: &Program, trials: &[Trial]) -> bool {
    let [first, second] = trials else {
        return false;
    };
    first.is_finished()
        && second.is_finished()
        && first.shows_no_more_than(second)
        && second.shows_no_more_than(first)
        && first.executes_all(program)
        && second.executes_all(program)
}

impl Replay {
    /// Runs a tail of a guess that has shown nothing; the work that it took.
    fn run_tail(
        &mut self,
        program: &Program,
        candidate: Candidate,
        is_meant: bool,
        work: u64,
        saturate: bool,
    ) -> u64 {
        let first = self.executions.len();
        let taken = self.run(program, candidate, work, saturate);
        let Some(execution) = self.executions.get_mut(first) else {
            return taken;
        };
        let counting = execution.clone();
        execution.only_confirms = true;
        // Whoever takes the smaller of a tile and what is left is written for any size.
        let counts = |sighting: &mut Sighting| {
            let event = &sighting.event;
            let is_of_order = matches!(event, Event::Deadlock(_) | Event::Hazard(_));
            sighting.execution == first && (is_of_order || is_meant && counts_alone(event))
        };
        let seen: Vec<Sighting> = self.sightings.extract_if(.., counts).collect();
        if seen.is_empty() {
            return taken;
        }
        let number = self.executions.len();
        self.executions.push(counting);
        let moved = |sighting| Sighting {
            execution: number,
            ..sighting
        };
        self.partial.extend(seen.into_iter().map(moved));
        taken
    }
}
