//! All the values that the scalars of an instruction may have together, where they are few.

use rustc_hash::FxHashMap;

use super::proof::{Apart, Places};
use super::scalar::{
    Interval, Linear, Proved, State, Symbol, Unlisted, Visitor, Wanted, walk_within,
};
use crate::ir::{Instr, Program, ScalarId, Stmt, StmtId, StmtKind, VariableId};

/// Values of some scalars.
#[derive(Clone, Debug)]
pub struct Assignments {
    /// The scalars.
    pub scalars: Vec<ScalarId>,
    /// All that they may be together, and perhaps some that never occurs; in the order of `scalars`.
    pub rows: Vec<Vec<i64>>,
}

/// Why values are not listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unassigned {
    /// Nothing is known of one of the scalars, or nothing bounds it.
    Unbounded(ScalarId),
    /// There are too many.
    TooMany,
}

/// The scalars of an instruction that somebody asks for.
pub type Ask<'a> = &'a dyn Fn(&Instr) -> Vec<(ScalarId, Wanted)>;

/// What the scalars of each instruction may be, in launches that give parameters values of these ranges, if
/// there are at most `most` combinations.
pub fn assignments(
    program: &Program,
    given: &[(VariableId, Interval)],
    most: usize,
    ask: Ask,
) -> FxHashMap<StmtId, Result<Assignments, Unassigned>> {
    let mut collect = Collect {
        ask,
        most,
        proved: FxHashMap::default(),
        found: FxHashMap::default(),
        open: Vec::new(),
    };
    let symbols = walk_within(program, given, None, &mut collect);
    if collect.open.is_empty() {
        return collect.found;
    }
    // What intervals do not bound, linear arithmetic may.
    let places = Places::bare(symbols);
    for open in std::mem::take(&mut collect.open) {
        let apart = Apart::new(&places);
        for symbol in open.symbols {
            let number = Linear::symbol(symbol);
            let holds = |least: &&i64| apart.is_at_least(&number, **least, &open.facts);
            if let Some(&min) = [1, 0].iter().find(holds) {
                let proved = collect.proved.entry(open.stmt).or_default();
                proved.insert(symbol, Interval::from(min));
            }
        }
    }
    if !collect.proved.is_empty() {
        walk_within(program, given, None, &mut collect);
    }
    collect.found
}

/// Symbols that nothing is known to bound at a statement.
struct Open {
    stmt: StmtId,
    symbols: Vec<Symbol>,
    /// Expressions that are not negative there.
    facts: Vec<Linear>,
}

struct Collect<'a> {
    ask: Ask<'a>,
    most: usize,
    proved: FxHashMap<StmtId, Proved>,
    found: FxHashMap<StmtId, Result<Assignments, Unassigned>>,
    open: Vec<Open>,
}

impl<'p> Visitor<'p> for Collect<'_> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if let StmtKind::Instr(instr) = &stmt.kind {
            let found = self.assignments(state, stmt.id, (self.ask)(instr));
            self.found.insert(stmt.id, found);
        }
    }
}

impl Collect<'_> {
    fn assignments(
        &mut self,
        state: &mut State,
        stmt: StmtId,
        asked: Vec<(ScalarId, Wanted)>,
    ) -> Result<Assignments, Unassigned> {
        let mut numbers = Vec::with_capacity(asked.len());
        for &(id, wanted) in &asked {
            let number = state.number(id).ok_or(Unassigned::Unbounded(id))?;
            numbers.push((number, wanted));
        }
        let nothing = Proved::default();
        let proved = self.proved.get(&stmt).unwrap_or(&nothing);
        let scalars: Vec<ScalarId> = asked.iter().map(|&(id, _)| id).collect();
        match state.combinations(&numbers, self.most, proved) {
            Ok(rows) => Ok(Assignments { scalars, rows }),
            Err(Unlisted::TooMany) => Err(Unassigned::TooMany),
            Err(Unlisted::Unbounded(symbols)) => {
                let open: Vec<Linear> = symbols.iter().map(|&it| Linear::symbol(it)).collect();
                let facts = state.facts(&open);
                let unbounded =
                    |(number, _): &(Linear, Wanted)| !state.range_of(number).is_bounded();
                let at = numbers.iter().position(unbounded).unwrap_or(0);
                self.open.push(Open {
                    stmt,
                    symbols,
                    facts,
                });
                Err(Unassigned::Unbounded(scalars[at]))
            }
        }
    }
}
