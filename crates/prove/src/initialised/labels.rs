//! Labels: conditions under which a cell of memory is defined.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use a2lint_analysis::{Linear, Meaning, Symbol, Symbols};
use a2lint_ir::BinaryOp;

/// A condition: the conjunction of its guards. For example, the rows of a load are defined if the load has that
/// many.
///
/// Most conditions have at most one guard for the row and one for the column, whose numbers are packed into the
/// label. Others have the number of a list, marked by [`LIST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Label(u32);

/// The bit that marks labels with a list.
const LIST: u32 = 1 << 31;
/// Number of bits of a guard's number in a label.
const BITS: u32 = 15;

/// A guard: the index of a number, and a lower bound that the number has to satisfy.
type Guard = (u16, i64);

/// Guards in ascending order of their numbers.
type Guards = SmallVec<[Guard; 4]>;

/// The result of simplifying one condition.
enum Condition {
    Always,
    Never,
    /// The index of a number, and its lower bound.
    Guard(u16, i64),
    /// The condition is too large to be represented.
    Unknown,
}

impl Label {
    /// The cell is always defined.
    pub const ALWAYS: Label = Label(0);
    /// The cell is not known to be defined.
    pub const NEVER: Label = Label(LIST);

    /// Packs the numbers of two guards. 0 is no guard, and comes first.
    fn of(first: u32, second: u32) -> Label {
        Label(first << BITS | second)
    }

    /// Packs the numbers of two guards, each of which may be 0.
    fn of_either(numbers: [u32; 2]) -> Label {
        match numbers {
            [only, 0] => Label::of(0, only),
            [first, second] => Label::of(first, second),
        }
    }

    /// Returns the numbers of its guards, or the number of its list.
    fn parts(self) -> Result<[u32; 2], usize> {
        match self.0 & LIST {
            0 => Ok([self.0 >> BITS, self.0 & ((1 << BITS) - 1)]),
            _ => Err((self.0 ^ LIST) as usize),
        }
    }
}

/// A cache of one label and the labels that it was computed from. Neighbouring cells mostly have the same ones.
#[derive(Debug)]
pub(super) struct Last<const N: usize>(Option<([Label; N], Label)>);

impl<const N: usize> Last<N> {
    /// An empty cache.
    pub const NONE: Self = Last(None);

    /// Returns the label computed from these labels.
    pub fn get(&mut self, from: [Label; N], make: impl FnOnce() -> Label) -> Label {
        match self.0 {
            Some((known, label)) if known == from => label,
            _ => {
                let label = make();
                self.0 = Some((from, label));
                label
            }
        }
    }
}

/// All labels of a kernel.
#[derive(Debug)]
pub(super) struct Labels<'s> {
    symbols: &'s Symbols,
    /// The linear forms that guards compare, without their constant terms.
    numbers: Vec<Linear>,
    /// By number, its newest symbol that has other values in other iterations.
    newest_of_number: Vec<Option<u32>>,
    /// By list, the newest symbol of its numbers that has other values in other iterations.
    newest: Vec<Option<u32>>,
    number_ids: FxHashMap<Linear, u16>,
    /// By number, whether it depends on the vec lane, if computed.
    by_lane: RefCell<Vec<Option<bool>>>,
    /// Guards that have a number. Numbers start with 1.
    guards: IndexSet<Guard, FxBuildHasher>,
    /// Lists of guards.
    lists: IndexSet<Guards, FxBuildHasher>,
    /// Conjunctions of two labels.
    sums: FxHashMap<[Label; 2], Label>,
    steps: FxHashMap<Steps, Rc<[Label]>>,
    inputs: FxHashMap<Linear, Rc<[Symbol]>>,
}

/// How a number is computed from another one, so that a lower bound of the result implies one of the input.
#[derive(Clone, Debug)]
enum Step {
    /// A multiple, plus a constant.
    Scaled { constant: i64, factor: i64 },
    /// The minimum of the input and a constant.
    Min(i64),
    /// The maximum of the input and a constant.
    Max(i64),
    /// The input rounded up to whole parts of size `by`, each counted as `to`. A bound that is not positive says
    /// nothing about the input, so it is kept for the result itself (`of`).
    Rounded { by: i64, to: i64, of: Linear },
}

/// A number and the steps by which it is computed, the last step first.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    steps: SmallVec<[Step; 2]>,
    number: Linear,
}

/// Key of [`Labels::steps`]: a number, the values of some of its symbols, and its minimum and maximum.
type Steps = (Linear, Values, i64, i64);

/// Known values of symbols, in the order of the symbols.
pub(super) type Values = SmallVec<[(Symbol, i64); 2]>;

/// Upper bound on the operations that are taken apart.
const DEPTH: u32 = 6;

/// Upper bound on the lists. Cells whose label would exceed it count as undefined.
const MOST: usize = 1 << 20;

impl<'s> Labels<'s> {
    /// Creates the labels of a kernel, with [`Label::ALWAYS`] and [`Label::NEVER`] alone.
    pub fn new(symbols: &'s Symbols) -> Self {
        // [`Labels::number_id`] never returns `u16::MAX`, so this guard is never implied.
        let never: Guards = smallvec![(u16::MAX, i64::MAX)];
        Labels {
            symbols,
            numbers: Vec::new(),
            newest_of_number: Vec::new(),
            newest: vec![None],
            number_ids: FxHashMap::default(),
            by_lane: RefCell::default(),
            guards: IndexSet::default(),
            lists: [never].into_iter().collect(),
            sums: FxHashMap::default(),
            steps: FxHashMap::default(),
            inputs: FxHashMap::default(),
        }
    }

    /// Returns the condition that a number is at least `least`.
    fn at_least(&mut self, number: &Reduced, least: i64) -> Label {
        match self.condition(number, least) {
            Condition::Always => Label::ALWAYS,
            // An unknown condition counts as one that never holds: cells with it are treated as undefined, which is
            // safe.
            Condition::Never | Condition::Unknown => Label::NEVER,
            Condition::Guard(number, least) => self.intern(&[(number, least)]),
        }
    }

    /// Returns a condition that holds wherever a number is at least `least`.
    pub fn implied(&mut self, number: &Reduced, least: i64) -> Label {
        match self.condition(number, least) {
            Condition::Never => Label::NEVER,
            // At the limit of lists, interning may return `NEVER`, which would claim too much here.
            Condition::Guard(number, least) if self.lists.len() < MOST => {
                self.intern(&[(number, least)])
            }
            _ => Label::ALWAYS,
        }
    }

    /// Returns, for each index up to `most`, the condition that the number is larger, with these values of
    /// symbols. The number is known to be at least `least`.
    pub fn steps(
        &mut self,
        number: &Linear,
        values: &Values,
        least: i64,
        most: i64,
    ) -> Rc<[Label]> {
        let inputs = self.inputs(number);
        // Only symbols in the number can change the result, so the key leaves out the values of all others.
        let values = values.iter().filter(|known| inputs.contains(&known.0));
        let key = (number.clone(), values.copied().collect(), least, most);
        if let Some(known) = self.steps.get(&key) {
            return known.clone();
        }
        let reduced = self.reduced(&key.0, &key.1);
        let step = |at: i64| match at < least {
            true => Label::ALWAYS,
            false => self.at_least(&reduced, at + 1),
        };
        let steps: Rc<[Label]> = (0..most).map(step).collect();
        self.steps.insert(key, steps.clone());
        steps
    }

    /// Returns the symbols that a number is computed from.
    fn inputs(&mut self, number: &Linear) -> Rc<[Symbol]> {
        if let Some(known) = self.inputs.get(number) {
            return known.clone();
        }
        let inputs = self.symbols.computed_from(std::slice::from_ref(number));
        let inputs: Rc<[Symbol]> = inputs.into_iter().collect();
        self.inputs.insert(number.clone(), inputs.clone());
        inputs
    }

    /// Returns the input that a number is computed from, with these values of symbols.
    pub fn reduced(&self, number: &Linear, values: &Values) -> Reduced {
        let mut steps = SmallVec::new();
        let mut number = self.symbols.with_values(number, values);
        for _ in 0..DEPTH {
            let constant = number.constant_part();
            // Only positive factors: a negative one would turn a lower bound into an upper one.
            let Some((symbol, factor @ 1..)) = only_term(&number) else {
                break;
            };
            steps.push(Step::Scaled { constant, factor });
            let only = Linear::symbol(symbol);
            let Some((step, inner)) = self.step(symbol, values) else {
                number = only;
                break;
            };
            steps.push(match step {
                Step::Rounded { by, to, .. } => Step::Rounded { by, to, of: only },
                other => other,
            });
            number = inner;
        }
        Reduced { steps, number }
    }

    /// Returns how the result of an operation is computed from its only input that is not constant.
    fn step(&self, symbol: Symbol, values: &Values) -> Option<(Step, Linear)> {
        let Meaning::Operation(op, a, b) = self.symbols.meaning(symbol) else {
            return None;
        };
        let [a, b] = [a, b].map(|number| self.symbols.with_values(number, values));
        let (number, constant) = match (a.as_constant(), b.as_constant()) {
            (None, Some(constant)) => (a, constant),
            (Some(constant), None) if matches!(op, BinaryOp::Min | BinaryOp::Max) => (b, constant),
            _ => return None,
        };
        let rounded = |to| Step::Rounded {
            by: constant,
            to,
            of: Linear::constant(0),
        };
        let step = match op {
            BinaryOp::Min => Step::Min(constant),
            BinaryOp::Max => Step::Max(constant),
            BinaryOp::CeilDiv if constant > 0 => rounded(1),
            BinaryOp::AlignUp if constant > 0 => rounded(constant),
            _ => return None,
        };
        Some((step, number))
    }

    /// Simplifies the condition that a number is at least `least`.
    fn condition(&mut self, reduced: &Reduced, mut least: i64) -> Condition {
        for step in &reduced.steps {
            let next = match step {
                Step::Scaled { constant, factor } => {
                    least.checked_sub(*constant).map(|it| div_up(it, *factor))
                }
                Step::Min(constant) if least > *constant => return Condition::Never,
                Step::Max(constant) if least <= *constant => return Condition::Always,
                Step::Min(_) | Step::Max(_) => Some(least),
                Step::Rounded { of, .. } if least <= 0 => return self.number(of, least),
                Step::Rounded { by, to, .. } => {
                    let whole = by.checked_mul(div_up(least, *to) - 1);
                    whole.and_then(|whole| whole.checked_add(1))
                }
            };
            match next {
                Some(next) => least = next,
                None => return Condition::Unknown,
            }
        }
        let constant = reduced.number.constant_part();
        match (reduced.number.as_constant(), constant.checked_neg()) {
            (Some(value), _) if value >= least => Condition::Always,
            (Some(_), _) => Condition::Never,
            (None, Some(negated)) => {
                // Guards are about numbers without constant parts, so that bounds of `n` and `n + 1` are
                // comparable.
                let bare = reduced.number.plus(negated);
                let least = least.checked_sub(constant);
                bare.zip(least).map_or(Condition::Unknown, |(bare, least)| {
                    self.number(&bare, least)
                })
            }
            (None, None) => Condition::Unknown,
        }
    }

    fn number(&mut self, number: &Linear, least: i64) -> Condition {
        match self.number_id(number) {
            Some(id) => Condition::Guard(id, least),
            None => Condition::Unknown,
        }
    }

    fn number_id(&mut self, number: &Linear) -> Option<u16> {
        if let Some(&id) = self.number_ids.get(number) {
            return Some(id);
        }
        let id = u16::try_from(self.numbers.len()).ok()?;
        if id == u16::MAX {
            return None;
        }
        self.newest_of_number
            .push(self.symbols.newest_local(number));
        self.numbers.push(number.clone());
        self.number_ids.insert(number.clone(), id);
        Some(id)
    }

    /// Returns the label of these guards.
    fn intern(&mut self, guards: &[Guard]) -> Label {
        let label = match *guards {
            [] => Some(Label::ALWAYS),
            [only] => self.number_of(only).map(|only| Label::of(0, only)),
            [first, second] => {
                let both = self.number_of(first).zip(self.number_of(second));
                both.map(|(first, second)| Label::of(first, second))
            }
            _ => None,
        };
        label.unwrap_or_else(|| self.list(guards))
    }

    /// Returns the number of a guard; `None` if there are too many.
    fn number_of(&mut self, guard: Guard) -> Option<u32> {
        let at = match self.guards.get_index_of(&guard) {
            Some(at) => at,
            None if self.guards.len() + 1 >= 1 << BITS => return None,
            None => self.guards.insert_full(guard).0,
        };
        Some(at as u32 + 1)
    }

    fn list(&mut self, guards: &[Guard]) -> Label {
        let label = |at: usize| Label(LIST | at as u32);
        if self.lists.len() >= MOST {
            // At the limit, a new list counts as undefined. That is sound, and only loses proofs.
            let known = self.lists.get_index_of(guards);
            return known.map_or(Label::NEVER, label);
        }
        let numbers = guards.iter().map(|guard| guard.0 as usize);
        let newest = numbers.filter_map(|at| self.newest_of_number[at]).max();
        let (at, is_new) = self.lists.insert_full(guards.into());
        if is_new {
            self.newest.push(newest);
        }
        label(at)
    }

    /// Returns the guard with a number.
    fn guard(&self, number: u32) -> Guard {
        self.guards[number as usize - 1]
    }

    fn guards(&self, label: Label) -> Guards {
        match label.parts() {
            Ok(parts) => {
                let numbers = parts.into_iter().filter(|&number| number != 0);
                numbers.map(|number| self.guard(number)).collect()
            }
            Err(list) => self.lists[list].clone(),
        }
    }

    /// Returns the conjunction of two conditions.
    pub fn and(&mut self, a: Label, b: Label) -> Label {
        if a == b || b == Label::ALWAYS || a == Label::NEVER {
            return a;
        }
        if a == Label::ALWAYS || b == Label::NEVER {
            return b;
        }
        if let (Ok(mine), Ok(theirs)) = (a.parts(), b.parts())
            && let Some(both) = self.few(mine, theirs)
        {
            return both;
        }
        let pair = [a.min(b), a.max(b)];
        if let Some(&sum) = self.sums.get(&pair) {
            return sum;
        }
        let sum = self.intern(&merged(&self.guards(a), &self.guards(b)));
        self.sums.insert(pair, sum);
        sum
    }

    /// Returns the conjunction of these guards, if at most two remain.
    fn few(&self, a: [u32; 2], b: [u32; 2]) -> Option<Label> {
        let mut all = [0; 2];
        let (mut a, mut b) = (a.as_slice(), b.as_slice());
        for at in 0.. {
            a = after_none(a);
            b = after_none(b);
            let next = match (a, b) {
                ([], []) => break,
                ([first, ..], [second, ..]) => {
                    let [(x, least), (y, other)] = [*first, *second].map(|it| self.guard(it));
                    a = if x <= y { &a[1..] } else { a };
                    b = if y <= x { &b[1..] } else { b };
                    match (x.cmp(&y), least >= other) {
                        (Ordering::Less, _) | (Ordering::Equal, true) => *first,
                        _ => *second,
                    }
                }
                ([only, rest @ ..], []) => {
                    a = rest;
                    *only
                }
                ([], [only, rest @ ..]) => {
                    b = rest;
                    *only
                }
            };
            *all.get_mut(at)? = next;
        }
        Some(Label::of_either(all))
    }

    /// Returns what remains of a condition where another one holds.
    pub fn given(&mut self, label: Label, holds: Label) -> Label {
        if label == Label::ALWAYS || label == Label::NEVER || holds == Label::ALWAYS {
            return label;
        }
        if label == holds && label != Label::NEVER {
            return Label::ALWAYS;
        }
        if let (Ok(mine), Ok(known)) = (label.parts(), holds.parts()) {
            let is_implied = |number: u32| {
                let (of, least) = self.guard(number);
                let known = known.into_iter().filter(|&known| known != 0);
                let mut known = known.map(|known| self.guard(known));
                known.any(|known| known.0 == of && known.1 >= least)
            };
            return Label::of_either(mine.map(|number| match number != 0 && is_implied(number) {
                true => 0,
                false => number,
            }));
        }
        let known = self.guards(holds);
        let is_open = |&(number, least): &(u16, i64)| {
            !known
                .iter()
                .any(|guard| guard.0 == number && guard.1 >= least)
        };
        let guards = self.guards(label);
        if guards.iter().all(is_open) {
            return label;
        }
        let guards: Guards = guards.into_iter().filter(is_open).collect();
        self.intern(&guards)
    }

    /// Returns the label of a cell that is overwritten under a condition.
    pub fn written_if(&mut self, condition: Label, new: Label, old: Label) -> Label {
        let new = self.given(new, condition);
        if condition == Label::ALWAYS || old == Label::ALWAYS || new == old {
            return new;
        }
        self.and(condition, new)
    }

    /// Returns the newest symbol of a label that has other values in other iterations.
    pub fn newest(&self, label: Label) -> Option<u32> {
        let of_guard = |number: u32| match number {
            0 => None,
            _ => self.newest_of_number[self.guard(number).0 as usize],
        };
        match label.parts() {
            Ok([first, second]) => of_guard(first).max(of_guard(second)),
            Err(list) => self.newest[list],
        }
    }

    /// Returns what other lanes know of a label: nothing if it depends on the lane.
    pub fn shared(&self, label: Label) -> Label {
        if label == Label::NEVER {
            return label;
        }
        let mut guards = self.guards(label).into_iter();
        match guards.any(|guard| self.depends_on_lane(guard.0.into())) {
            true => Label::NEVER,
            false => label,
        }
    }

    fn depends_on_lane(&self, number: usize) -> bool {
        let mut known = self.by_lane.borrow_mut();
        known.resize(self.numbers.len(), None);
        let numbers = &self.numbers;
        *known[number].get_or_insert_with(|| self.symbols.depends_on_lane(&numbers[number]))
    }

    /// Returns whether an expression may vary with symbols that were created after a mark.
    pub fn is_local(&self, number: &Linear, mark: u32) -> bool {
        self.symbols.is_local(number, mark)
    }
}

/// Returns the symbol of a number with one term, and its factor.
fn only_term(number: &Linear) -> Option<(Symbol, i64)> {
    let mut terms = number.terms();
    terms.next().filter(|_| terms.next().is_none())
}

/// Drops leading zeros.
fn after_none(numbers: &[u32]) -> &[u32] {
    match numbers {
        [0, rest @ ..] => after_none(rest),
        _ => numbers,
    }
}

/// Merges two lists of guards in the order of their numbers.
fn merged(a: &[Guard], b: &[Guard]) -> Guards {
    let mut all = Guards::with_capacity(a.len() + b.len());
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    while let (Some(&&(first, x)), Some(&&(second, y))) = (a.peek(), b.peek()) {
        if first <= second {
            a.next();
        }
        if second <= first {
            b.next();
        }
        all.push(match first.cmp(&second) {
            Ordering::Less => (first, x),
            Ordering::Equal => (first, x.max(y)),
            Ordering::Greater => (second, y),
        });
    }
    all.extend(a.copied());
    all.extend(b.copied());
    all
}

fn div_up(a: i64, by: i64) -> i64 {
    a.div_euclid(by) + i64::from(a.rem_euclid(by) != 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    /// Labels with few guards and many are what maps of numbers say.
    #[test]
    fn labels_are_their_guards() {
        let symbols = Symbols::default();
        let mut labels = Labels::new(&symbols);
        labels.newest_of_number = (0..6)
            .map(|number| (number % 2 == 0).then_some(number))
            .collect();
        let mut seed = 5_u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        let mut most = 0;
        for _ in 0..3000 {
            let mut map = || -> BTreeMap<u16, i64> {
                let guards = 0..random(5);
                guards
                    .map(|_| (random(6) as u16, random(4) as i64))
                    .collect()
            };
            let (a, b) = (map(), map());
            let [x, y] =
                [&a, &b].map(|map| labels.intern(&map.clone().into_iter().collect::<Guards>()));
            let mut sum = a.clone();
            for (&number, &least) in &b {
                let known = sum.entry(number).or_insert(least);
                *known = least.max(*known);
            }
            let mut open = a.clone();
            open.retain(|number, least| b.get(number).is_none_or(|known| known < least));
            let both = labels.and(x, y);
            let rest = labels.given(x, y);
            for (label, map) in [(x, &a), (y, &b), (both, &sum), (rest, &open)] {
                let guards: BTreeMap<u16, i64> = labels.guards(label).into_iter().collect();
                assert_eq!(guards, *map);
                let newest = map.keys().filter(|&number| number % 2 == 0).max();
                assert_eq!(labels.newest(label), newest.map(|&number| number.into()));
                assert_eq!(labels.intern(&labels.guards(label)), label);
            }
            most = most.max(sum.len());
        }
        assert!(
            most > 4 && labels.lists.len() > 100,
            "{most} {}",
            labels.lists.len()
        );
        assert_eq!(labels.and(Label::NEVER, Label::ALWAYS), Label::NEVER);
        assert_eq!(labels.given(Label::NEVER, Label::NEVER), Label::NEVER);
    }

    /// Guards without a number are in lists.
    #[test]
    fn many_guards_are_told_apart() {
        let symbols = Symbols::default();
        let mut labels = Labels::new(&symbols);
        labels.newest_of_number = vec![None, None];
        let singles: Vec<Label> = (0..40_000)
            .map(|least| labels.intern(&[(0, least)]))
            .collect();
        let other = labels.intern(&[(1, 1)]);
        for at in [0, 32_765, 32_766, 32_767, 39_999] {
            let both = labels.and(other, singles[at]);
            assert_eq!(labels.guards(both)[..], [(0, at as i64), (1, 1)]);
            assert_eq!(labels.and(singles[at], singles[0]), singles[at]);
            assert_eq!(labels.given(both, singles[39_999]), other);
        }
    }
}
