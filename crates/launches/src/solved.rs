//! Chooses sizes with which a launch executes as much of a kernel as possible, by rehearsing many.
//!
//! Fields of tiling data stand in relations that only host code computes: cores times tiles times the elements of a
//! tile, and a tail. These relations are not known, so sizes are scored by what the kernel does with them: each
//! statement should be executed, each loop should run often enough to reuse its buffers, views should stay inside of
//! their buffers, and buffers should fit in memory. The search is a hill climb: it changes one field at a time, in a
//! fixed order, to a plain size or a multiple of another field, and keeps what scores better. It ends when a pass over
//! all fields brings nothing, or when its steps are spent.

use std::ops::RangeInclusive;

use rustc_hash::FxHashMap;

use a2lint_ir::arithmetic::limits;
use a2lint_ir::{Program, Stmt, StmtKind, VariableId};
use a2lint_machine::{BoundLaunch, Value};

use super::rehearsal::{Mark, Rehearsal, Stage};
use super::shrink::rounds;

/// Sizes that every field is tried with.
const PLAIN: [i64; 16] = [
    1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 0, 5,
];
/// Factors by which a field may be larger than another one.
const FACTORS: [i64; 9] = [1, 2, 3, 4, 8, 16, 64, 128, 256];
/// Values of other fields that a field is derived from.
const MOST_OTHERS: usize = 6;
/// Largest size that is tried.
const LARGEST: i64 = 1 << 18;
/// Rounds over all fields.
const MOST_PASSES: usize = 4;
/// Launches that together cover a kernel.
const MOST_LAUNCHES: usize = 4;

/// The gain of a statement whose operands all fit.
const FITTING: i64 = 100;
/// The gain of a statement that is executed with an operand that does not fit.
const UNFITTING: i64 = 20;
/// The gain of a statement that another launch covers.
const COVERED: i64 = 8;
/// The loss by a move of a length that is no multiple of a block.
const RAGGED: i64 = 3;
/// The loss by buffers that do not fit.
const EXCESS: i64 = 300;

/// A field that is chosen.
#[derive(Clone, Debug)]
pub(super) struct Field {
    /// The variable, or those of an array: its elements have one value.
    pub ids: Vec<VariableId>,
    /// Values that the kernel suggests: constants that it is compared with, tiles.
    pub suggested: Vec<i64>,
}

/// Values of the fields, in their order.
pub(super) type Values = Vec<i64>;

/// What a launch is to reach.
struct Goal {
    /// Statements with operands.
    touching: Vec<usize>,
    /// Loops with bounds that depend on the launch, around statements with operands.
    loops: Vec<usize>,
    rounds: i64,
    /// Work of a run that is not too long.
    work: u64,
    /// Statements that earlier launches cover.
    covered: Vec<bool>,
    /// Loops that earlier launches run often enough to reuse every buffer.
    turned: Vec<bool>,
}

impl Goal {
    fn of(program: &Program, work: u64) -> Goal {
        let mut goal = Goal {
            touching: Vec::new(),
            loops: Vec::new(),
            rounds: rounds(program),
            work,
            covered: vec![false; program.stmt_count as usize],
            turned: vec![false; program.stmt_count as usize],
        };
        program.walk(&mut |stmt| match &stmt.kind {
            StmtKind::Instr(instr) if instr.operands().next().is_some() => {
                goal.touching.push(stmt.id.index());
            }
            StmtKind::Loop {
                start, stop, step, ..
            } => {
                let is_fixed = [start, stop, step]
                    .into_iter()
                    .all(|&bound| program.scalars.as_int(bound).is_some());
                if !is_fixed && touches(stmt) {
                    goal.loops.push(stmt.id.index());
                }
            }
            _ => {}
        });
        goal
    }

    fn score(&self, seen: &Rehearsal) -> i64 {
        let statements = self.touching.iter().map(|&at| {
            let ragged = if seen.ragged[at] { RAGGED } else { 0 };
            let gain = match (seen.marks[at], self.covered[at]) {
                (Mark::Missed, _) => 0,
                (Mark::Unfit, true) => -UNFITTING,
                (Mark::Unfit, false) => UNFITTING,
                (Mark::Fits, true) => COVERED,
                (Mark::Fits, false) => FITTING,
            };
            gain - ragged
        });
        let loops = self.loops.iter().map(|&at| {
            let trips = seen.trips[at];
            let gain = match trips {
                _ if self.turned[at] => 0,
                _ if trips >= self.rounds => FITTING / 2,
                2.. => FITTING / 4,
                1 => FITTING / 10,
                _ => 0,
            };
            gain - 8 * logarithm(trips / (2 * self.rounds))
        });
        let faults = seen.faults.iter().filter(|&&it| it).count() as i64 * FITTING;
        let excess = match seen.excess {
            0 => 0,
            excess => EXCESS + 10 * logarithm(excess),
        };
        // A factor of two in work is worth less than a statement, unless the run becomes too long.
        let too_long = match seen.work / self.work.max(1) {
            0 => 0,
            times => FITTING / 2 * (1 + logarithm(times as i64)),
        };
        let losses = 2 * logarithm(seen.work as i64) + too_long + excess + faults;
        statements.chain(loops).sum::<i64>() - losses
    }

    /// Returns whether nothing is left to be reached.
    fn is_reached(&self) -> bool {
        self.touching.iter().all(|&at| self.covered[at])
            && self.loops.iter().all(|&at| self.turned[at])
    }

    /// Notes what a launch covers, and returns whether that is more than before.
    fn cover(&mut self, seen: &Rehearsal) -> bool {
        let mut is_new = false;
        let spoilt = seen.is_spoilt();
        for &at in self.touching.iter().filter(|_| !spoilt) {
            is_new |= seen.marks[at] == Mark::Fits && !self.covered[at];
            self.covered[at] |= seen.marks[at] == Mark::Fits;
        }
        for &at in self.loops.iter().filter(|_| !spoilt) {
            is_new |= seen.trips[at] >= self.rounds && !self.turned[at];
            self.turned[at] |= seen.trips[at] >= self.rounds;
        }
        is_new
    }
}

fn touches(stmt: &Stmt) -> bool {
    let mut found = false;
    stmt.walk(&mut |inner| {
        if let StmtKind::Instr(instr) = &inner.kind {
            found |= instr.operands().next().is_some();
        }
    });
    found
}

fn logarithm(value: i64) -> i64 {
    value.checked_ilog2().map_or(0, i64::from)
}

/// A search for the values of fields.
pub(super) struct Search<'p> {
    program: &'p Program,
    fields: Vec<Field>,
    /// The places of each field among the parameters of the launch.
    places: Vec<Vec<usize>>,
    /// The launch whose parameters are replaced.
    launch: BoundLaunch,
    stage: Stage<'p>,
    goal: Goal,
}

impl<'p> Search<'p> {
    /// Prepares a search whose rehearsals together take at most `steps` steps; a run of more than `work` is too long.
    pub(super) fn new(
        program: &'p Program,
        fields: Vec<Field>,
        launch: BoundLaunch,
        steps: u64,
        work: u64,
    ) -> Search<'p> {
        // An array of tiling data may have thousands of elements, and a search rehearses thousands of launches.
        let parameters = launch.parameters.iter().enumerate();
        let by_id: FxHashMap<VariableId, usize> =
            parameters.map(|(at, &(id, _))| (id, at)).collect();
        let place = |id: &VariableId| by_id.get(id).copied();
        let places = fields
            .iter()
            .map(|field| field.ids.iter().filter_map(place).collect())
            .collect();
        Search {
            program,
            fields,
            places,
            launch,
            stage: Stage::new(program, steps),
            goal: Goal::of(program, work),
        }
    }

    /// Returns launches that together execute as much of the kernel as the search finds, each with another one that
    /// has larger sizes and executes the same. `starts` are values to begin with.
    pub(super) fn launches(&mut self, starts: &[Values]) -> Vec<Values> {
        let (mut found, mut larger) = (Vec::new(), Vec::new());
        while found.len() < MOST_LAUNCHES && !self.goal.is_reached() {
            let Some((values, seen)) = self.best(starts) else {
                break;
            };
            if !self.goal.cover(&seen) {
                break;
            }
            larger.extend(self.larger(&values, &seen));
            found.push(values);
        }
        found.extend(larger);
        found
    }

    /// Returns whether the launches that were found execute everything, often enough.
    pub(super) fn is_reached(&self) -> bool {
        self.goal.is_reached()
    }

    /// Rehearses a launch with these values.
    fn rehearse(&mut self, values: &[i64]) -> Option<Rehearsal> {
        for (places, &value) in self.places.iter().zip(values) {
            for &at in places {
                self.launch.parameters[at].1 = Value::Int(value);
            }
        }
        self.stage.rehearse(&self.launch)
    }

    /// Returns the best values that are found from any start.
    fn best(&mut self, starts: &[Values]) -> Option<(Values, Rehearsal)> {
        let mut best: Option<(i64, Values, Rehearsal)> = None;
        for start in starts {
            let Some(seen) = self.rehearse(start) else {
                break;
            };
            let score = self.goal.score(&seen);
            if best.as_ref().is_none_or(|(known, ..)| score > *known) {
                best = Some((score, start.clone(), seen));
            }
        }
        let (mut score, mut values, mut seen) = best?;
        for _ in 0..MOST_PASSES {
            let before = score;
            for at in 0..values.len() {
                for value in self.candidates(at, &values) {
                    let was = std::mem::replace(&mut values[at], value);
                    let tried = self.rehearse(&values);
                    match tried.map(|tried| (self.goal.score(&tried), tried)) {
                        Some((better, tried)) if better > score => (score, seen) = (better, tried),
                        _ => values[at] = was,
                    }
                    if self.stage.steps == 0 {
                        return Some((values, seen));
                    }
                }
            }
            if score == before {
                break;
            }
        }
        Some((values, seen))
    }

    /// Returns the values to try for a field: those that the kernel suggests, plain ones, and multiples of others.
    fn candidates(&self, at: usize, values: &[i64]) -> Vec<i64> {
        let field = &self.fields[at];
        let mut all = field.suggested.clone();
        all.extend(PLAIN);
        let mut others: Vec<i64> = Vec::new();
        for (other, &value) in values.iter().enumerate() {
            if other != at && value > 1 && !others.contains(&value) && others.len() < MOST_OTHERS {
                others.push(value);
            }
        }
        let lanes = i64::from(self.launch.block_dim(self.program));
        for &other in &others {
            all.extend(FACTORS.map(|factor| other.saturating_mul(factor)));
            all.extend([lanes, 2 * lanes].map(|factor| other.saturating_mul(factor)));
            // Whole tiles and a tail of a quarter or a half.
            all.extend([
                2 * other + other / 2,
                2 * other + other / 4,
                other / 2,
                other - 1,
            ]);
        }
        let range = self.range(at);
        let mut distinct: Vec<i64> = Vec::new();
        for value in all {
            if range.contains(&i128::from(value))
                && value != values[at]
                && !distinct.contains(&value)
            {
                distinct.push(value);
            }
        }
        distinct
    }

    /// Returns the values that are tried for a field.
    fn range(&self, at: usize) -> RangeInclusive<i128> {
        let dtype = self.program.variable(self.fields[at].ids[0]).dtype;
        let (least, most) = dtype.map_or((0, i128::from(LARGEST)), limits);
        least.max(0)..=most.min(i128::from(LARGEST))
    }

    /// Returns values of which some are twice as large, with which a launch executes the same.
    fn larger(&mut self, values: &[i64], seen: &Rehearsal) -> Option<Values> {
        let mut larger = values.to_vec();
        for at in 0..larger.len() {
            let was = larger[at];
            let twice = was.saturating_mul(2).min(LARGEST);
            if twice <= was || was < 2 || !self.range(at).contains(&i128::from(twice)) {
                continue;
            }
            larger[at] = twice;
            let is_same = self.rehearse(&larger).is_some_and(|tried| {
                tried.marks == seen.marks
                    && tried.excess <= seen.excess
                    && tried.work <= 4 * seen.work
            });
            if !is_same {
                larger[at] = was;
            }
        }
        (larger != values).then_some(larger)
    }
}
