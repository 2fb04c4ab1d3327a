//! Conditions under which a part of memory is defined.

use std::cell::RefCell;
use std::cmp::Ordering;
use std::rc::Rc;

use indexmap::IndexSet;
use rustc_hash::{FxBuildHasher, FxHashMap};
use smallvec::{SmallVec, smallvec};

use crate::analysis::{Linear, Meaning, Symbol, Symbols};
use crate::ir::BinaryOp;

/// A condition: of all its guards together. The rows that a load brings are defined where there are so many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Label(u32);

/// Guards, by the number that has to be at least so large.
type Guards = SmallVec<[(u16, i64); 2]>;

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
    pub const NEVER: Label = Label(1);
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
    /// By label, the newest symbol of its numbers that has other values in other iterations.
    newest: Vec<Option<u32>>,
    number_ids: FxHashMap<Linear, u16>,
    /// By number, whether it depends on the vec lane, as far as somebody has asked.
    by_lane: RefCell<Vec<Option<bool>>>,
    /// By label.
    guards: IndexSet<Guards, FxBuildHasher>,
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

/// Most labels; what goes beyond is taken for undefined.
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
            newest: vec![None; 2],
            number_ids: FxHashMap::default(),
            by_lane: RefCell::default(),
            guards: [Guards::new(), never].into_iter().collect(),
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
            Condition::Guard(number, least) => self.intern([(number, least)].into_iter().collect()),
        }
    }

    /// What holds wherever a number is at least so large.
    pub fn implied(&mut self, number: &Reduced, least: i64) -> Label {
        match self.condition(number, least) {
            Condition::Never => Label::NEVER,
            Condition::Guard(number, least) if self.guards.len() < MOST => {
                self.intern([(number, least)].into_iter().collect())
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

    fn intern(&mut self, guards: Guards) -> Label {
        if self.guards.len() >= MOST {
            return match self.guards.get_index_of(&guards) {
                Some(at) => Label(at as u32),
                None => Label::NEVER,
            };
        }
        let numbers = guards.iter().map(|guard| guard.0 as usize);
        let newest = numbers.filter_map(|at| self.newest_of_number[at]).max();
        let (at, is_new) = self.guards.insert_full(guards);
        if is_new {
            self.newest.push(newest);
        }
        Label(at as u32)
    }

    fn guards(&self, label: Label) -> &Guards {
        &self.guards[label.0 as usize]
    }

    /// Both conditions.
    pub fn and(&mut self, a: Label, b: Label) -> Label {
        if a == b || b == Label::ALWAYS || a == Label::NEVER {
            return a;
        }
        if a == Label::ALWAYS || b == Label::NEVER {
            return b;
        }
        let pair = [a.min(b), a.max(b)];
        if let Some(&sum) = self.sums.get(&pair) {
            return sum;
        }
        let sum = self.intern(merged(self.guards(a), self.guards(b)));
        self.sums.insert(pair, sum);
        sum
    }

    /// What remains of a condition where another one holds.
    pub fn given(&mut self, label: Label, holds: Label) -> Label {
        if label == Label::ALWAYS || label == Label::NEVER || holds == Label::ALWAYS {
            return label;
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
        let guards = guards.iter().copied().filter(is_open).collect();
        self.intern(guards)
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
        self.newest[label.0 as usize]
    }

    /// What other lanes know of it: nothing where it depends on the lane.
    pub fn shared(&self, label: Label) -> Label {
        if label == Label::NEVER {
            return label;
        }
        let mut guards = self.guards(label).iter();
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

/// Two lists of guards, each in the order of its numbers, in one.
fn merged(a: &[(u16, i64)], b: &[(u16, i64)]) -> Guards {
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
