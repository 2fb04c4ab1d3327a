//! Conditions under which a part of memory is defined.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use a2lint_analysis::{Linear, Meaning, Symbol, Symbols};
use a2lint_ir::BinaryOp;

/// A condition: of all its guards together. The rows that a load brings are defined where there are so many.
///
/// Most have one guard for the row and one for the column: the numbers of both are in the label. Others have
/// the number of a list, and [`LIST`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Label(u32);

/// What labels with a list have.
const LIST: u32 = 1 << 31;
/// Bits of the number of a guard in a label.
const BITS: u32 = 15;

/// A number that has to be at least so large.
type Guard = (u16, i64);

/// Guards in the order of their numbers.
type Guards = SmallVec<[Guard; 4]>;

/// What a single condition comes to.
enum Condition {
    Always,
    Never,
    /// A number, and how large it has to be.
    Guard(u16, i64),
    /// It is too large for what is kept.
    Unknown,
}

impl Label {
    /// It is defined in any case.
    pub const ALWAYS: Label = Label(0);
    /// Nothing is known to define it.
    pub const NEVER: Label = Label(LIST);

    /// Of guards with these numbers; 0 where there is none, which is the first one then.
    fn of(first: u32, second: u32) -> Label {
        Label(first << BITS | second)
    }

    /// The same, where any of them may be 0.
    fn of_either(numbers: [u32; 2]) -> Label {
        match numbers {
            [only, 0] => Label::of(0, only),
            [first, second] => Label::of(first, second),
        }
    }

    /// The numbers of its guards, or that of its list.
    fn parts(self) -> Result<[u32; 2], usize> {
        match self.0 & LIST {
            0 => Ok([self.0 >> BITS, self.0 & ((1 << BITS) - 1)]),
            _ => Err((self.0 ^ LIST) as usize),
        }
    }
}

/// The last one of some labels, by those that it follows from: neighbours are mostly alike.
#[derive(Debug)]
pub(super) struct Last<const N: usize>(Option<([Label; N], Label)>);

impl<const N: usize> Last<N> {
    /// None yet.
    pub const NONE: Self = Last(None);

    /// What follows from these labels.
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

/// Every label of a kernel.
#[derive(Debug)]
pub(super) struct Labels<'s> {
    symbols: &'s Symbols,
    /// Numbers that guards speak of, without what is added to them.
    numbers: Vec<Linear>,
    /// By number, its newest symbol that has other values in other iterations.
    newest_of_number: Vec<Option<u32>>,
    /// By list, the newest symbol of its numbers that has other values in other iterations.
    newest: Vec<Option<u32>>,
    number_ids: FxHashMap<Linear, u16>,
    /// By number, whether it depends on the vec lane, as far as somebody has asked.
    by_lane: RefCell<Vec<Option<bool>>>,
    /// Guards that have a number; it starts with 1.
    guards: IndexSet<Guard, FxBuildHasher>,
    /// Lists of guards.
    lists: IndexSet<Guards, FxBuildHasher>,
    /// What two labels are together.
    sums: FxHashMap<[Label; 2], Label>,
    steps: FxHashMap<Steps, Rc<[Label]>>,
    inputs: FxHashMap<Linear, Rc<[Symbol]>>,
}

/// How a number follows from another one: what it says of this one that it is at least so large.
#[derive(Clone, Debug)]
enum Step {
    /// So many times it, and a constant.
    Scaled { constant: i64, factor: i64 },
    /// The smaller one of both.
    Min(i64),
    /// The larger one of both.
    Max(i64),
    /// It in whole parts: so large is a part, and so much it counts. Of what is not positive nothing follows but
    /// for the result itself.
    Rounded { by: i64, to: i64, of: Linear },
}

/// A number with what it is computed from: the last step first.
#[derive(Clone, Debug)]
pub(super) struct Reduced {
    steps: SmallVec<[Step; 2]>,
    number: Linear,
}

/// A number with what some of its symbols are, how many steps it makes in any case and at most.
type Steps = (Linear, Values, i64, i64);

/// What symbols are known to be, in the order of the symbols.
pub(super) type Values = SmallVec<[(Symbol, i64); 2]>;

/// How deep operations are taken apart.
const DEPTH: u32 = 6;

/// Most lists; what goes beyond is taken for undefined.
const MOST: usize = 1 << 20;

impl<'s> Labels<'s> {
    /// None but [`Label::ALWAYS`] and [`Label::NEVER`].
    pub fn new(symbols: &'s Symbols) -> Self {
        // No number has the guards of what is never defined.
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

    /// That a number is at least so large.
    fn at_least(&mut self, number: &Reduced, least: i64) -> Label {
        match self.condition(number, least) {
            Condition::Always => Label::ALWAYS,
            Condition::Never | Condition::Unknown => Label::NEVER,
            Condition::Guard(number, least) => self.intern(&[(number, least)]),
        }
    }

    /// What holds wherever a number is at least so large.
    pub fn implied(&mut self, number: &Reduced, least: i64) -> Label {
        match self.condition(number, least) {
            Condition::Never => Label::NEVER,
            Condition::Guard(number, least) if self.lists.len() < MOST => {
                self.intern(&[(number, least)])
            }
            _ => Label::ALWAYS,
        }
    }

    /// For each number up to `most`, that the given one is larger, where symbols have these values; it is
    /// at least `least`.
    pub fn steps(
        &mut self,
        number: &Linear,
        values: &Values,
        least: i64,
        most: i64,
    ) -> Rc<[Label]> {
        let inputs = self.inputs(number);
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

    /// The symbols that a number is computed from.
    fn inputs(&mut self, number: &Linear) -> Rc<[Symbol]> {
        if let Some(known) = self.inputs.get(number) {
            return known.clone();
        }
        let inputs = self.symbols.computed_from(std::slice::from_ref(number));
        let inputs: Rc<[Symbol]> = inputs.into_iter().collect();
        self.inputs.insert(number.clone(), inputs.clone());
        inputs
    }

    /// The number that a given one is computed from, as far as that can be said, where symbols have these values.
    pub fn reduced(&self, number: &Linear, values: &Values) -> Reduced {
        let mut steps = SmallVec::new();
        let mut number = self.symbols.with_values(number, values);
        for _ in 0..DEPTH {
            let constant = number.constant_part();
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

    /// How the result of an operation follows from one number that is not constant.
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

    /// That a number is at least so large.
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

    /// The condition of these guards.
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

    /// The number of a guard; `None` where there are too many.
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

    /// The guard with a number.
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

    /// Both conditions.
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

    /// The guards with these numbers together, if there are at most two.
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

    /// What remains of a condition where another one holds.
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

    /// What is defined where something is written over it under a condition.
    pub fn written_if(&mut self, condition: Label, new: Label, old: Label) -> Label {
        let new = self.given(new, condition);
        if condition == Label::ALWAYS || old == Label::ALWAYS || new == old {
            return new;
        }
        self.and(condition, new)
    }

    /// The newest symbol of a label that has other values in other iterations.
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

    /// What other lanes know of it: nothing where it depends on the lane.
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

    /// Whether a number may have another value where symbols from a mark on do.
    pub fn is_local(&self, number: &Linear, mark: u32) -> bool {
        self.symbols.is_local(number, mark)
    }
}

/// The symbol of a number that has no other, and how often it counts.
fn only_term(number: &Linear) -> Option<(Symbol, i64)> {
    let mut terms = number.terms();
    terms.next().filter(|_| terms.next().is_none())
}

/// Numbers from the first one that is not 0.
fn after_none(numbers: &[u32]) -> &[u32] {
    match numbers {
        [0, rest @ ..] => after_none(rest),
        _ => numbers,
    }
}

/// Two lists of guards, each in the order of its numbers, in one.
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
