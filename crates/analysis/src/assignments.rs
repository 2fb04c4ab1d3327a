//! Lists the values that the scalars of an instruction can have together, if there are few.

use rustc_hash::{FxHashMap, FxHashSet};

use super::preconditions::smallest;
use super::proof::{Disjointness, Places};
use super::scalar::{
    Given, Interval, Linear, Pass, Proved, State, Symbol, Symbols, Unlisted, Visitor, Wanted,
    walk_within,
};
use a2lint_ir::{Instr, Program, ScalarId, Stmt, StmtId, StmtKind, trip_count};

/// Values of some scalars.
#[derive(Clone, Debug)]
pub struct Assignments {
    /// The scalars whose values are listed.
    pub scalars: Vec<ScalarId>,
    /// The value of each requested scalar as a linear expression.
    pub numbers: FxHashMap<ScalarId, Linear>,
    /// Iterations of short loops, and the index of the vec lane in its core, on which some of them depend.
    pub places: Vec<Symbol>,
    /// All combinations that can occur, and perhaps some that never do; in the order of `scalars`, then of
    /// `places`.
    pub rows: Vec<Vec<i64>>,
}

/// The values of the scalars of a program's instructions.
#[derive(Debug, Default)]
pub struct Assigned {
    /// The assignments at each instruction, or the reason why they are not listed.
    pub of: FxHashMap<StmtId, Result<Assignments, Unassigned>>,
    /// The meanings of the symbols in them.
    pub symbols: Symbols,
    /// An arbitrary iteration of each loop.
    pub passes: FxHashMap<StmtId, Pass>,
}

/// Maximum trip count of a loop that is treated as short.
const SHORT: usize = 256;
/// Maximum number of expressions of one instruction for which bounds are searched.
const MOST_OPEN: usize = 8;
/// The largest upper bound that is searched for.
const LARGEST: i64 = 1 << 16;

/// Returns the number of iterations of a loop that has few in every launch.
pub fn short_loop(program: &Program, stmt: &Stmt) -> Option<usize> {
    let StmtKind::Loop {
        start, stop, step, ..
    } = &stmt.kind
    else {
        return None;
    };
    let [start, stop, step] = [start, stop, step].map(|&id| program.scalars.as_int(id));
    let count = trip_count(start?, stop?, step.filter(|&step| step > 0)?)?;
    usize::try_from(count).ok().filter(|&count| count <= SHORT)
}

/// The reason why values are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unassigned {
    /// Nothing is known of this scalar, or nothing bounds it.
    Unbounded(ScalarId),
    /// There are too many combinations.
    TooMany,
}

/// Returns the scalars of an instruction whose values are wanted, and which of the values.
pub type Ask<'a> = &'a dyn Fn(StmtId, &Instr) -> Vec<(ScalarId, Wanted)>;

/// Lists the values that the scalars of each instruction can have if parameters lie in the given ranges, unless there
/// are more than `most` combinations.
pub fn assignments(program: &Program, given: &[Given], most: usize, ask: Ask) -> Assigned {
    let mut short_loops = FxHashSet::default();
    program.walk(&mut |stmt| {
        if short_loop(program, stmt).is_some() {
            short_loops.insert(stmt.id);
        }
    });
    let mut collect = Collect {
        short_loops,
        ask,
        most,
        proved: FxHashMap::default(),
        found: Assigned::default(),
        short: Vec::new(),
        open: Vec::new(),
    };
    let symbols = walk_within(program, given, None, &mut collect);
    if collect.open.is_empty() {
        return Assigned {
            symbols,
            ..collect.found
        };
    }
    // Linear arithmetic may bound numbers whose symbols have no bounded intervals.
    let places = Places::bare(symbols);
    let mut known: FxHashMap<Question, Proved> = FxHashMap::default();
    for (stmt, question) in std::mem::take(&mut collect.open) {
        let proved = match known.get(&question) {
            Some(proved) => proved.clone(),
            None => {
                let proved = question.answer(&places);
                known.insert(question, proved.clone());
                proved
            }
        };
        collect.proved.insert(stmt, proved);
    }
    // A second walk, since the proved bounds change which values are listed.
    let symbols = walk_within(program, given, None, &mut collect);
    Assigned {
        symbols,
        ..collect.found
    }
}

/// Asks for bounds of unbounded numbers at a statement. Neighbouring statements mostly ask the same.
#[derive(PartialEq, Eq, Hash)]
struct Question {
    symbols: Vec<Symbol>,
    /// Unbounded numbers of several symbols that the scalars are computed from.
    numbers: Vec<Linear>,
    /// Expressions that are not negative at the statement.
    facts: Vec<Linear>,
}

impl Question {
    fn answer(&self, places: &Places) -> Proved {
        let mut proved = Proved::default();
        let apart = Disjointness::new(places);
        let mut alone: Vec<Linear> = self.symbols.iter().copied().map(Linear::symbol).collect();
        // A value that depends on the path is one of several, which linear arithmetic does not distinguish.
        alone.retain(|number| match apart.range(&self.facts, number) {
            Some((min, max)) => {
                proved.insert(number.clone(), Interval { min, max });
                false
            }
            None => true,
        });
        let all: Vec<Linear> = alone.iter().chain(&self.numbers).cloned().collect();
        let numbers = apart.given(&self.facts, &all);
        let lower = |number: &Linear| {
            let known = places.symbols.range(number).min;
            let mut tried = [1, 0].into_iter();
            // Sizes are at least 1 and indices at least 0; no other lower bound is tried.
            tried.find(|&least| known >= least || numbers.is_at_least(number, least))
        };
        // The limit of a number is usually a constant of some fact, so `smallest` tries these first.
        let mut marks: Vec<i64> = self
            .facts
            .iter()
            .map(|fact| fact.constant_part().abs())
            .collect();
        marks.retain(|&mark| mark <= LARGEST);
        marks.sort_unstable();
        marks.dedup();
        for number in alone {
            if let Some(min) = lower(&number) {
                proved.insert(number, Interval::from(min));
            }
        }
        for number in &self.numbers {
            let Some(min) = lower(number) else { continue };
            let most = smallest(LARGEST, &marks, |most| numbers.is_at_most(number, most));
            let max = most.unwrap_or(i64::MAX);
            proved.insert(number.clone(), Interval { min, max });
        }
        proved
    }
}

struct Collect<'a> {
    short_loops: FxHashSet<StmtId>,
    ask: Ask<'a>,
    most: usize,
    proved: FxHashMap<StmtId, Proved>,
    found: Assigned,
    /// Iterations of the short loops so far.
    short: Vec<Symbol>,
    open: Vec<(StmtId, Question)>,
}

impl<'p> Visitor<'p> for Collect<'_> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if let StmtKind::Instr(instr) = &stmt.kind {
            let found = self.assignments(state, stmt.id, (self.ask)(stmt.id, instr));
            self.found.of.insert(stmt.id, found);
        }
    }

    fn body(&mut self, _state: &State<'p>, pass: Pass) {
        if self.short_loops.contains(&pass.id) {
            self.short.extend(pass.number.symbols());
        }
        self.found.passes.insert(pass.id, pass);
    }
}

impl Collect<'_> {
    fn assignments(
        &mut self,
        state: &mut State,
        stmt: StmtId,
        asked: Vec<(ScalarId, Wanted)>,
    ) -> Result<Assignments, Unassigned> {
        let mut known = FxHashMap::default();
        let (mut numbers, mut scalars) = (Vec::new(), Vec::new());
        for &(id, wanted) in &asked {
            let number = state.number(id);
            known.extend(number.clone().map(|number| (id, number)));
            if wanted != Wanted::None {
                numbers.push((number.ok_or(Unassigned::Unbounded(id))?, wanted));
                scalars.push(id);
            }
        }
        let all: Vec<Linear> = numbers.iter().map(|(number, _)| number.clone()).collect();
        let places = state.places_of(&all, &self.short);
        numbers.extend(
            places
                .iter()
                .map(|&symbol| (Linear::symbol(symbol), Wanted::All)),
        );
        let proved = self.proved.get(&stmt);
        match state.combinations(&numbers, self.most, proved) {
            Ok(rows) => Ok(Assignments {
                scalars,
                numbers: known,
                places,
                rows,
            }),
            Err(Unlisted::TooMany) => Err(Unassigned::TooMany),
            Err(Unlisted::Unbounded(symbols)) => {
                let unbounded = |number: &Linear| !state.range_of(number).is_near();
                let at = all.iter().position(unbounded).unwrap_or(0);
                let mut numbers = state.parts_of(&all);
                numbers.retain(|number| unbounded(number) || state.range_of(number).min < 0);
                numbers.truncate(MOST_OPEN);
                let alone = symbols.iter().map(|&it| Linear::symbol(it));
                let open: Vec<Linear> = alone.chain(numbers.iter().cloned()).collect();
                let facts = state.facts(&open);
                let question = Question {
                    symbols,
                    numbers,
                    facts,
                };
                self.open.push((stmt, question));
                Err(Unassigned::Unbounded(scalars[at]))
            }
        }
    }
}
