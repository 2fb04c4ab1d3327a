//! Lists the values that some numbers can have together.

use rustc_hash::FxHashMap;

use super::congruence::Congruence;
use super::interval::Interval;
use super::linear::{Linear, Symbol};
use super::symbols::{Meaning, Symbols};
use a2lint_ir::{BinaryOp, fold_int};

/// Depth up to which symbols are replaced by those that they are computed from.
const DEPTH: u32 = 6;

/// The values of a number that are wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// All of them.
    All,
    /// The smallest and the largest: a property of both holds for all values in between.
    Ends,
    /// The smallest and the largest, as for [`Wanted::Ends`], whatever the values of the other numbers are.
    EndsAlone,
    /// None: its linear expression suffices.
    None,
}

/// The reason why values cannot be listed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unlisted {
    /// These symbols have no lower bound, or no upper bound.
    Unbounded(Vec<Symbol>),
    /// There are too many.
    TooMany,
}

/// Lower and upper bounds of numbers that were proved elsewhere.
pub type Proved = FxHashMap<Linear, Interval>;

/// A quantity whose value is chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Unit {
    Symbol(Symbol),
    /// A bounded number whose symbols are unbounded.
    Whole(Linear),
}

/// The values of units, and of what is computed from them.
#[derive(Default)]
struct Chosen {
    symbols: FxHashMap<Symbol, i64>,
    wholes: Vec<(Linear, i64)>,
}

impl Chosen {
    fn insert(&mut self, unit: &Unit, value: i64) {
        match unit {
            Unit::Symbol(symbol) => {
                self.symbols.insert(*symbol, value);
            }
            Unit::Whole(number) => self.wholes.push((number.clone(), value)),
        }
    }

    /// Returns the value of a number of which all parts are chosen.
    fn value(&self, number: &Linear) -> Option<i64> {
        if let Some((_, value)) = self.wholes.iter().find(|(whole, _)| whole == number) {
            return Some(*value);
        }
        let mut terms = number.terms();
        terms.try_fold(number.constant_part(), |sum, (symbol, coefficient)| {
            let value = self.symbols.get(&symbol)?;
            sum.checked_add(value.checked_mul(coefficient)?)
        })
    }
}

/// The possible values of some symbols, and those computed from them.
struct Choice<'s> {
    symbols: &'s Symbols,
    proved: &'s Proved,
    /// Whether ranges as wide as those of types count as unbounded, so that tighter ones are requested.
    asks: bool,
    /// The units that are chosen freely, with their possible values.
    free: Vec<(Unit, Interval, Congruence)>,
    /// Symbols that are computed from others, each after those.
    derived: Vec<Symbol>,
    /// Symbols without bounds.
    unbounded: Vec<Symbol>,
}

/// The dependence of a number on a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    Constant,
    Rises,
    Falls,
    Unknown,
}

impl Symbols {
    /// Returns every combination of values that some expressions can have here, and possibly some impossible ones. For
    /// an expression of which the ends are wanted, values strictly between the smallest and the largest may be omitted.
    /// Without proved ranges, symbols that only their types limit count as unbounded.
    pub fn combinations(
        &self,
        numbers: &[(Linear, Wanted)],
        most: usize,
        proved: Option<&Proved>,
    ) -> Result<Vec<Vec<i64>>, Unlisted> {
        let nothing = Proved::default();
        let mut choice = Choice::new(self, proved.unwrap_or(&nothing));
        choice.asks = proved.is_none();
        for (number, _) in numbers {
            choice.take_number(number, DEPTH);
        }
        if !choice.unbounded.is_empty() {
            return Err(Unlisted::Unbounded(choice.unbounded));
        }
        choice.list(numbers, most).ok_or(Unlisted::TooMany)
    }

    /// Returns, of some numbers and the operands that they are computed from, the sums of several symbols and the
    /// products: these may be bounded although their symbols are not.
    pub fn parts_of(&self, numbers: &[Linear]) -> Vec<Linear> {
        let mut found: Vec<Linear> = Vec::new();
        let mut open: Vec<(Linear, u32)> = numbers.iter().map(|it| (it.clone(), DEPTH)).collect();
        while let Some((number, depth)) = open.pop() {
            for symbol in number.symbols() {
                if let Meaning::Operation(_, a, b) = self.meaning(symbol)
                    && depth > 0
                {
                    open.extend([a, b].map(|operand| (operand.clone(), depth - 1)));
                }
            }
            if self.is_composed(&number) && !found.contains(&number) {
                found.push(number);
            }
        }
        found
    }

    /// Returns whether a number has several symbols, or is a product plus a constant.
    fn is_composed(&self, number: &Linear) -> bool {
        let mut symbols = number.symbols();
        let first = symbols.next();
        let is_product = |symbol| {
            let meaning = self.meaning(symbol);
            matches!(meaning, Meaning::Operation(BinaryOp::Mul, ..))
        };
        symbols.next().is_some() || first.is_some_and(is_product)
    }
}

impl<'s> Choice<'s> {
    fn new(symbols: &'s Symbols, proved: &'s Proved) -> Self {
        Choice {
            symbols,
            proved,
            asks: false,
            free: Vec::new(),
            derived: Vec::new(),
            unbounded: Vec::new(),
        }
    }

    fn has(&self, symbol: Symbol) -> bool {
        self.derived.contains(&symbol)
            || self.unbounded.contains(&symbol)
            || self.is_free(&Unit::Symbol(symbol))
    }

    fn is_free(&self, unit: &Unit) -> bool {
        self.free.iter().any(|(free, ..)| free == unit)
    }

    fn is_usable(&self, range: Interval) -> bool {
        match self.asks {
            true => range.is_near(),
            false => range.is_bounded(),
        }
    }

    fn range(&self, number: &Linear) -> Interval {
        let known = self.symbols.range(number);
        let proved = self.proved.get(number);
        proved
            .and_then(|&proved| known.meet(proved))
            .unwrap_or(known)
    }

    /// Returns roughly the number of combinations of the units from `from` on.
    fn size(&self, from: usize) -> u64 {
        let sizes = self.free[from..]
            .iter()
            .map(|&(_, range, class)| size(range, class));
        sizes.fold(1, u64::saturating_mul)
    }

    /// Makes a number computable: from its symbols if they are bounded, since that keeps its relation to
    /// other numbers; else as a unit.
    fn take_number(&mut self, number: &Linear, depth: u32) {
        let range = self.range(number);
        if self.is_usable(range) && self.symbols.is_composed(number) {
            let unit = Unit::Whole(number.clone());
            // A trial, which tells whether the symbols are bounded by themselves.
            let mut alone = Choice::new(self.symbols, self.proved);
            alone.asks = self.asks;
            number
                .symbols()
                .for_each(|symbol| alone.take(symbol, depth));
            if !alone.unbounded.is_empty() {
                if !self.is_free(&unit) {
                    self.free
                        .push((unit, range, self.symbols.congruence(number)));
                }
                return;
            }
        }
        number.symbols().for_each(|symbol| self.take(symbol, depth));
    }

    /// Makes a symbol computable: from its operands, if that gives no more combinations than its own range.
    fn take(&mut self, symbol: Symbol, depth: u32) {
        if self.has(symbol) {
            return;
        }
        let (range, class) = (
            self.range(&Linear::symbol(symbol)),
            self.symbols.congruence(&Linear::symbol(symbol)),
        );
        let own = size(range, class);
        if let Meaning::Operation(_, a, b) = self.symbols.meaning(symbol)
            && depth > 0
        {
            let before = [self.free.len(), self.derived.len(), self.unbounded.len()];
            for operand in [a, b] {
                self.take_number(operand, depth - 1);
            }
            if self.unbounded.len() == before[2] && self.size(before[0]) <= own {
                self.derived.push(symbol);
                return;
            }
            // Choosing the symbol itself is cheaper: undo what its operands have added.
            self.free.truncate(before[0]);
            self.derived.truncate(before[1]);
            self.unbounded.truncate(before[2]);
        }
        match self.is_usable(range) {
            true => self.free.push((Unit::Symbol(symbol), range, class)),
            false => self.unbounded.push(symbol),
        }
    }

    fn list(&self, numbers: &[(Linear, Wanted)], most: usize) -> Option<Vec<Vec<i64>>> {
        let mut values = Vec::new();
        let mut count = 1_usize;
        let mut is_exact = true;
        for &(ref unit, range, class) in &self.free {
            let courses = numbers
                .iter()
                .map(|(number, wanted)| (self.course(number, unit), wanted));
            let mut deciding = courses.filter(|(course, _)| *course != Course::Constant);
            let by_ends = deciding.all(|(course, &wanted)| match wanted {
                Wanted::Ends => course == Course::Rises,
                Wanted::EndsAlone => matches!(course, Course::Rises | Course::Falls),
                Wanted::All | Wanted::None => false,
            });
            // The largest values together may never occur; they represent smaller ones that do.
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
            // A symbol without any value means that the place is never reached.
            return Some(found);
        }
        loop {
            let mut chosen = Chosen::default();
            for ((unit, ..), (values, &at)) in self.free.iter().zip(values.iter().zip(&at)) {
                chosen.insert(unit, values[at]);
            }
            if self.complete(&mut chosen, is_exact) {
                let row = numbers.iter().map(|(number, _)| chosen.value(number));
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

    /// Computes the derived symbols. Returns `false` if an operation has no result or, with `excludes`, if
    /// the choice contradicts what is known of the symbols.
    fn complete(&self, chosen: &mut Chosen, excludes: bool) -> bool {
        for &symbol in &self.derived {
            let Meaning::Operation(op, a, b) = self.symbols.meaning(symbol) else {
                continue;
            };
            let operands = chosen.value(a).zip(chosen.value(b));
            // Without a result, the place is not reached.
            let Some(result) = operands.and_then(|(a, b)| fold_int(*op, a, b)) else {
                return false;
            };
            let range = self.range(&Linear::symbol(symbol));
            if excludes && (result < range.min || result > range.max) {
                return false;
            }
            chosen.symbols.insert(symbol, result);
        }
        if !excludes {
            return true;
        }
        let mut known = chosen
            .symbols
            .keys()
            .flat_map(|&symbol| self.symbols.bounds_of(symbol));
        known.all(|bound| chosen.value(bound).is_none_or(|value| value >= 0))
    }

    /// Returns the dependence of a number on a unit.
    fn course(&self, number: &Linear, unit: &Unit) -> Course {
        if matches!(unit, Unit::Whole(whole) if whole == number) {
            return Course::Rises;
        }
        let terms = number.terms().map(|(term, coefficient)| {
            let course = match *unit == Unit::Symbol(term) {
                true => Course::Rises,
                false => self.course_of_result(term, unit),
            };
            if coefficient < 0 {
                course.reversed()
            } else {
                course
            }
        });
        terms.fold(Course::Constant, Course::and)
    }

    fn course_of_result(&self, result: Symbol, unit: &Unit) -> Course {
        let Meaning::Operation(op, a, b) = self.symbols.meaning(result) else {
            return Course::Constant;
        };
        if !self.derived.contains(&result) {
            return Course::Constant;
        }
        let (first, second) = (self.course(a, unit), self.course(b, unit));
        // Only a positive divisor that is constant keeps the direction of the dividend.
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

    /// Returns the dependence of a sum, a minimum or a maximum.
    fn and(self, other: Course) -> Course {
        match (self, other) {
            (Course::Constant, course) | (course, Course::Constant) => course,
            (a, b) if a == b => a,
            _ => Course::Unknown,
        }
    }
}

/// Returns the number of members of a residue class in a range.
fn size(range: Interval, class: Congruence) -> u64 {
    match class.modulus {
        0 => 1,
        _ if !range.is_bounded() => u64::MAX,
        modulus => range.max.abs_diff(range.min) / modulus.unsigned_abs() + 1,
    }
}

/// Returns the first and the last member of a residue class in a range.
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

/// Returns the members of a residue class in a range, if there are at most `most`.
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

/// Advances to the next choice; returns `false` after the last.
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
