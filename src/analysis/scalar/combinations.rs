//! All the values that some numbers may have together.

use rustc_hash::FxHashMap;

use super::congruence::Congruence;
use super::interval::Interval;
use super::linear::{Linear, Symbol};
use super::symbols::{Meaning, Symbols};
use crate::ir::{BinaryOp, fold_int};

/// Symbols that the values of others follow from are taken apart up to this depth.
const DEPTH: u32 = 6;

/// Which values of a number are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All of them.
    All,
    /// The smallest and the largest: whatever holds of both holds of those in between.
    Ends,
    /// None: what the number is will do.
    None,
}

/// Why values cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// Nothing is known to bound these symbols from below, or from above.
    Unbounded(Vec<Symbol>),
    /// There are too many.
    TooMany,
}

/// Lower and upper bounds of symbols that somebody has proved.
pub type Proved = FxHashMap<Symbol, Interval>;

/// What some symbols may be, and what follows from them.
struct Choice<'s> {
    symbols: &'s Symbols,
    proved: &'s Proved,
    /// Symbols that are chosen freely, with what they may be.
    free: Vec<(Symbol, Interval, Congruence)>,
    /// Symbols that follow, each after those that it follows from.
    derived: Vec<Symbol>,
    /// Symbols that may be anything.
    unbounded: Vec<Symbol>,
}

/// How a number depends on a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    Constant,
    Rises,
    Falls,
    Unknown,
}

impl Symbols {
    /// Every combination of values that some numbers may have here, and perhaps some that never occur; of a
    /// number with [`Wanted::Ends`], those that decide.
    pub fn combinations(
        &self,
        numbers: &[(Linear, Wanted)],
        most: usize,
        proved: &Proved,
    ) -> Result<Vec<Vec<i64>>, Unlisted> {
        let mut choice = Choice {
            symbols: self,
            proved,
            free: Vec::new(),
            derived: Vec::new(),
            unbounded: Vec::new(),
        };
        for symbol in numbers.iter().flat_map(|(number, _)| number.symbols()) {
            choice.take(symbol, DEPTH);
        }
        if !choice.unbounded.is_empty() {
            return Err(Unlisted::Unbounded(choice.unbounded));
        }
        choice.list(numbers, most).ok_or(Unlisted::TooMany)
    }
}

impl Choice<'_> {
    fn has(&self, symbol: Symbol) -> bool {
        self.derived.contains(&symbol)
            || self.unbounded.contains(&symbol)
            || self.free.iter().any(|(free, ..)| *free == symbol)
    }

    fn range(&self, symbol: Symbol) -> Interval {
        let known = self.symbols.range(&Linear::symbol(symbol));
        let proved = self.proved.get(&symbol);
        proved
            .and_then(|&proved| known.meet(proved))
            .unwrap_or(known)
    }

    /// How many combinations there are of the symbols from one on; a rough count.
    fn size(&self, from: usize) -> u64 {
        let sizes = self.free[from..]
            .iter()
            .map(|&(_, range, class)| size(range, class));
        sizes.fold(1, u64::saturating_mul)
    }

    /// Sees to it that a symbol gets a value: from what it is computed from, where that gives no more
    /// combinations than its own range.
    fn take(&mut self, symbol: Symbol, depth: u32) {
        if self.has(symbol) {
            return;
        }
        let (range, class) = (
            self.range(symbol),
            self.symbols.congruence(&Linear::symbol(symbol)),
        );
        let own = size(range, class);
        if let Meaning::Operation(_, a, b) = self.symbols.meaning(symbol)
            && depth > 0
        {
            let before = [self.free.len(), self.derived.len(), self.unbounded.len()];
            for operand in a.symbols().chain(b.symbols()) {
                self.take(operand, depth - 1);
            }
            if self.unbounded.len() == before[2] && self.size(before[0]) <= own {
                self.derived.push(symbol);
                return;
            }
            self.free.truncate(before[0]);
            self.derived.truncate(before[1]);
            self.unbounded.truncate(before[2]);
        }
        match range.is_bounded() {
            true => self.free.push((symbol, range, class)),
            false => self.unbounded.push(symbol),
        }
    }

    fn list(&self, numbers: &[(Linear, Wanted)], most: usize) -> Option<Vec<Vec<i64>>> {
        let mut values = Vec::new();
        let mut count = 1_usize;
        let mut is_exact = true;
        for &(symbol, range, class) in &self.free {
            let courses = numbers
                .iter()
                .map(|(number, wanted)| (self.course(number, symbol), wanted));
            let mut deciding = courses.filter(|(course, _)| *course != Course::Constant);
            let by_ends =
                deciding.all(|(course, &wanted)| wanted == Wanted::Ends && course == Course::Rises);
            // The largest of all together may never occur and stands for what does.
            is_exact &= !by_ends;
            let list = match by_ends {
                true => ends(range, class),
                false => all(range, class, most)?,
            };
            count = count.checked_mul(list.len())?;
            if count > most {
                return None;
            }
            values.push(list);
        }
        let mut found = Vec::with_capacity(count);
        let mut at = vec![0; values.len()];
        if count == 0 {
            // Where nothing is left for a symbol, the place is never reached.
            return Some(found);
        }
        loop {
            let symbols = self.free.iter().map(|free| free.0);
            let mut chosen: FxHashMap<Symbol, i64> = symbols
                .zip(values.iter().zip(&at).map(|(values, &at)| values[at]))
                .collect();
            if self.complete(&mut chosen, is_exact) {
                let row = numbers.iter().map(|(number, _)| value(number, &chosen));
                found.push(row.collect::<Option<_>>()?);
            }
            if !advance(&mut at, &values) {
                break;
            }
        }
        found.sort_unstable();
        found.dedup();
        Some(found)
    }

    /// Computes what follows. `false` where a choice has no results or, if `excludes`, what is known of the
    /// symbols excludes it.
    fn complete(&self, chosen: &mut FxHashMap<Symbol, i64>, excludes: bool) -> bool {
        for &symbol in &self.derived {
            let Meaning::Operation(op, a, b) = self.symbols.meaning(symbol) else {
                continue;
            };
            let operands = value(a, chosen).zip(value(b, chosen));
            // What has no value is not reached.
            let Some(result) = operands.and_then(|(a, b)| fold_int(*op, a, b)) else {
                return false;
            };
            let range = self.range(symbol);
            if excludes && (result < range.min || result > range.max) {
                return false;
            }
            chosen.insert(symbol, result);
        }
        if !excludes {
            return true;
        }
        let mut known = chosen
            .keys()
            .flat_map(|&symbol| self.symbols.bounds_of(symbol));
        known.all(|bound| value(bound, chosen).is_none_or(|value| value >= 0))
    }

    /// How a number depends on a symbol.
    fn course(&self, number: &Linear, symbol: Symbol) -> Course {
        let terms = number.terms().map(|(term, coefficient)| {
            let course = match term == symbol {
                true => Course::Rises,
                false => self.course_of_result(term, symbol),
            };
            if coefficient < 0 {
                course.reversed()
            } else {
                course
            }
        });
        terms.fold(Course::Constant, Course::and)
    }

    fn course_of_result(&self, result: Symbol, symbol: Symbol) -> Course {
        let Meaning::Operation(op, a, b) = self.symbols.meaning(result) else {
            return Course::Constant;
        };
        if !self.derived.contains(&result) {
            return Course::Constant;
        }
        let (first, second) = (self.course(a, symbol), self.course(b, symbol));
        let by_constant = b.as_constant().is_some_and(|by| by > 0);
        match op {
            BinaryOp::Min | BinaryOp::Max => first.and(second),
            BinaryOp::CeilDiv | BinaryOp::AlignUp | BinaryOp::Div if by_constant => first,
            _ if first == Course::Constant && second == Course::Constant => Course::Constant,
            _ => Course::Unknown,
        }
    }
}

impl Course {
    fn reversed(self) -> Course {
        match self {
            Course::Rises => Course::Falls,
            Course::Falls => Course::Rises,
            other => other,
        }
    }

    /// Of a sum, a minimum or a maximum.
    fn and(self, other: Course) -> Course {
        match (self, other) {
            (Course::Constant, course) | (course, Course::Constant) => course,
            (a, b) if a == b => a,
            _ => Course::Unknown,
        }
    }
}

/// How many members of a residue class a range has.
fn size(range: Interval, class: Congruence) -> u64 {
    match class.modulus {
        0 => 1,
        _ if !range.is_bounded() => u64::MAX,
        modulus => range.max.abs_diff(range.min) / modulus.unsigned_abs() + 1,
    }
}

/// The first and the last member of a residue class in a range.
fn ends(range: Interval, class: Congruence) -> Vec<i64> {
    if class.modulus == 0 {
        return vec![class.remainder];
    }
    let step = class.modulus;
    let first = range
        .min
        .saturating_add((class.remainder - range.min % step).rem_euclid(step));
    let last = range
        .max
        .saturating_sub((range.max % step - class.remainder).rem_euclid(step));
    match first.cmp(&last) {
        std::cmp::Ordering::Less => vec![first, last],
        std::cmp::Ordering::Equal => vec![first],
        std::cmp::Ordering::Greater => Vec::new(),
    }
}

/// The members of a residue class in a range, if there are at most `most`.
fn all(range: Interval, class: Congruence, most: usize) -> Option<Vec<i64>> {
    match ends(range, class)[..] {
        [first, last] => {
            let count = last.checked_sub(first)? / class.modulus + 1;
            let step = class.modulus;
            (count <= most as i64).then(|| (0..count).map(|at| first + at * step).collect())
        }
        ref few => Some(few.to_vec()),
    }
}

/// The value of a number whose symbols are all chosen.
fn value(number: &Linear, chosen: &FxHashMap<Symbol, i64>) -> Option<i64> {
    let mut terms = number.terms();
    terms.try_fold(number.constant_part(), |sum, (symbol, coefficient)| {
        sum.checked_add(chosen.get(&symbol)?.checked_mul(coefficient)?)
    })
}

/// Goes on to the next choice; `false` after the last.
fn advance(at: &mut [usize], values: &[Vec<i64>]) -> bool {
    for (at, values) in at.iter_mut().zip(values) {
        *at += 1;
        if *at < values.len() {
            return true;
        }
        *at = 0;
    }
    false
}
