//! The symbols of a program, with their meanings and what is known of them.

mod assumptions;
mod entry;
mod quotients;

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::congruence::Congruence;
use super::interval::Interval;
use super::linear::{Linear, Symbol};
use super::polynomial::Polynomial;
use super::walk::Given;
use a2lint_ir::arithmetic::wrapped;
use a2lint_ir::{BinaryOp, GlobalId, SpecialScalar, VariableId, fold_int};
use a2lint_isa::device::MAX_CORES;
use a2lint_isa::{DType, Side};

/// Maximum number of facts that one proof combines.
const PROOF_DEPTH: u32 = 4;
/// Maximum number of combinations that one proof tries.
const PROOF_FUEL: u32 = 60;
/// Maximum number of facts about one symbol that a proof tries, the newest first.
const PROOF_WIDTH: usize = 12;
/// Maximum number of terms of a sum that a proof handles.
const PROOF_TERMS: usize = 8;

/// Ends of intervals from this absolute value on may be those of types.
const FAR: i64 = 1 << 24;

/// Maximum number of facts about one symbol that `facts` returns.
const FACTS_WIDTH: usize = 12;
/// Maximum number of symbols that `facts` covers.
const FACTS_SYMBOLS: usize = 48;

/// The meaning of a symbol.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// A parameter, as the launch gives it.
    Parameter(VariableId),
    /// An extent of a global tensor.
    Extent(GlobalId, u32),
    /// A device query.
    Special(SpecialScalar),
    /// The result of an operation that is not linear.
    Operation(BinaryOp, Linear, Linear),
    /// The number of the current iteration of a loop, from 0.
    Iteration,
    /// A variable at the head of a loop that changes it; in the first pass it has this value.
    LoopHead(Option<Linear>),
    /// One of several values, or an unknown one.
    Some,
    /// The value of a variable after a branch: for each path, its value, and expressions that are non-negative on that
    /// path. The first field identifies the join; all symbols of one join take the values of the same path.
    Either(u32, Vec<(Linear, Rc<Vec<Linear>>)>),
}

/// What is known of a symbol.
#[derive(Clone, Debug)]
struct Known {
    meaning: Meaning,
    /// An interval that contains the value wherever the symbol has one.
    interval: Interval,
    /// A residue class that contains the value wherever the symbol has one.
    congruence: Congruence,
    /// `interval`, narrowed by the surrounding branches.
    here: Interval,
    /// Expressions with this symbol that are not negative wherever they have a value.
    bounds: Vec<Linear>,
    /// Expressions with this symbol that are not negative in the surrounding branches.
    bounds_here: Vec<Linear>,
    /// Expressions that are not negative if one of two guards is not.
    guarded: Vec<Guarded>,
    /// The value it has risen from, if growth is wanted.
    rise: Option<Rise>,
}

/// An upper bound of a symbol: an initial value to which some iterations have added.
#[derive(Clone, Debug)]
pub(super) struct Rise {
    pub entry: Linear,
    pub times: Linear,
    /// Upper bound of what one iteration adds.
    pub each: Polynomial,
}

/// An expression that is not negative if one of the guards is not.
#[derive(Clone, Debug)]
struct Guarded {
    guards: [Linear; 2],
    bound: Linear,
}

/// An assumption that is undone when a branch is left.
#[derive(Debug)]
enum Assumed {
    /// The interval of a symbol before it.
    Interval(Symbol, Interval),
    /// One bound of a symbol.
    Bound(Symbol),
}

/// All symbols of a program.
#[derive(Debug, Default)]
pub struct Symbols {
    known: Vec<Known>,
    /// The symbol of each meaning that denotes the same value wherever it occurs.
    ids: FxHashMap<Meaning, Symbol>,
    assumed: Vec<Assumed>,
    /// Whether launches give the number of vec lanes, which may be odd.
    pub(crate) counts_vec_cores: bool,
    /// The side whose lanes alone are here, if it is one.
    pub(super) side: Option<Side>,
    /// Whether `a / (x * y)` is rewritten as `(a / y) / x` even if the kernel does not compute `a / y`.
    pub(super) splits_divisors: bool,
    /// Whether [`Symbols::growth`] will be used.
    pub(super) wants_growth: bool,
    /// Whether some number was taken to stay inside of its type although nothing shows that it does. The property
    /// `scalars` shows it for launches that satisfy its preconditions.
    pub relies_on_types: bool,
    /// The largest extent of a tensor, if it is limited.
    pub(super) largest_extent: Option<i64>,
    first: FxHashMap<(Symbol, u32), Linear>,
    /// Numbers that are not negative in the launches that are considered.
    demands: Vec<Linear>,
}

impl Symbols {
    /// Creates a symbol that differs from all others.
    pub fn fresh(
        &mut self,
        meaning: Meaning,
        interval: Interval,
        congruence: Congruence,
    ) -> Symbol {
        let symbol = Symbol(self.known.len() as u32);
        self.known.push(Known {
            meaning,
            interval,
            congruence,
            here: interval,
            bounds: Vec::new(),
            bounds_here: Vec::new(),
            guarded: Vec::new(),
            rise: None,
        });
        symbol
    }

    /// Returns the symbol of a meaning.
    fn named(&mut self, meaning: Meaning, interval: Interval, congruence: Congruence) -> Symbol {
        if let Some(&symbol) = self.ids.get(&meaning) {
            return symbol;
        }
        let symbol = self.fresh(meaning.clone(), interval, congruence);
        self.ids.insert(meaning, symbol);
        symbol
    }

    /// Returns a parameter.
    pub fn parameter(&mut self, variable: VariableId) -> Linear {
        let meaning = Meaning::Parameter(variable);
        Linear::symbol(self.named(meaning, Interval::ANY, Congruence::ANY))
    }

    /// Records an interval and a residue class that contain a symbol in every launch.
    pub fn know(&mut self, symbol: Symbol, interval: Interval, class: Congruence) {
        let known = &mut self.known[symbol.0 as usize];
        known.interval = known.interval.meet(interval).unwrap_or(known.interval);
        known.here = known.interval;
        known.congruence = known.congruence.meet(class).unwrap_or(known.congruence);
    }

    /// Returns an extent of a global tensor.
    pub fn extent(&mut self, global: GlobalId, axis: u32) -> Linear {
        let meaning = Meaning::Extent(global, axis);
        let interval = Interval {
            min: 0,
            max: self.largest_extent.unwrap_or(i64::MAX),
        };
        Linear::symbol(self.named(meaning, interval, Congruence::ANY))
    }

    /// Returns a device query, with the bounds that the machine guarantees.
    pub fn special(&mut self, special: SpecialScalar) -> Linear {
        let meaning = Meaning::Special(special);
        if let Some(&symbol) = self.ids.get(&meaning) {
            return Linear::symbol(symbol);
        }
        if special == SpecialScalar::VecNum && !self.counts_vec_cores {
            // A core has two vec lanes, unless launches count vec cores, whose number may be odd.
            let cores = self.special(SpecialScalar::CubeNum);
            return cores.times(2).unwrap_or(cores);
        }
        let cores = i64::from(MAX_CORES);
        let (min, max) = match special {
            SpecialScalar::CubeNum => (1, cores),
            SpecialScalar::VecNum => (1, 2 * cores),
            SpecialScalar::CubeIdx => (0, cores - 1),
            SpecialScalar::VecIdx => (0, 2 * cores - 1),
            SpecialScalar::SubBlockIdx => (0, 1),
        };
        let interval = Interval { min, max };
        let number = Linear::symbol(self.named(meaning, interval, Congruence::ANY));
        let of = match special {
            SpecialScalar::CubeIdx => Some(SpecialScalar::CubeNum),
            SpecialScalar::VecIdx => Some(SpecialScalar::VecNum),
            _ => None,
        };
        if let Some(of) = of {
            let count = self.special(of);
            self.record_below(&number, &count);
        }
        number
    }

    /// Returns the result of an operation that is not linear in its operands.
    pub fn operation(&mut self, op: BinaryOp, a: Linear, b: Linear) -> Linear {
        if let (Some(x), Some(y)) = (a.as_constant(), b.as_constant())
            && let Some(value) = fold_int(op, x, y)
        {
            return Linear::constant(value);
        }
        // A difference that has the same sign everywhere decides which of the operands it is.
        if matches!(op, BinaryOp::Min | BinaryOp::Max)
            && let Some(gap) = a.minus(&b)
        {
            let gap = self.everywhere(&gap);
            if gap.max <= 0 || gap.min >= 0 {
                return if (gap.max <= 0) == (op == BinaryOp::Min) {
                    a
                } else {
                    b
                };
            }
        }
        // For numbers that are not negative, rounding down is truncation; a division by zero has no result in
        // either case.
        let is_natural = [&a, &b].iter().all(|it| self.everywhere(it).min >= 0);
        let op = match op {
            BinaryOp::FloorDiv if is_natural => BinaryOp::Div,
            BinaryOp::FloorMod if is_natural => BinaryOp::Mod,
            op => op,
        };
        let by_one = b.as_constant() == Some(1);
        if by_one && matches!(op, BinaryOp::Div | BinaryOp::CeilDiv | BinaryOp::AlignUp) {
            return a;
        }
        // A number of bytes divided by the size of an element. Rounding up is right for numbers that are not negative.
        let is_exact = matches!(op, BinaryOp::Div | BinaryOp::FloorDiv)
            || op == BinaryOp::CeilDiv && self.everywhere(&a).min >= 0;
        if let Some(whole) = b.as_constant().and_then(|by| a.divided(by))
            && is_exact
        {
            return whole;
        }
        if let Some(quotient) = self.quotient_of_quotient(op, &a, &b) {
            return quotient;
        }
        if let Some(index) = self.half_of_lane(op, &a, &b) {
            return self.special(index);
        }
        let meaning = Meaning::Operation(op, a, b);
        if let Some(&symbol) = self.ids.get(&meaning) {
            return Linear::symbol(symbol);
        }
        let Meaning::Operation(_, a, b) = &meaning else {
            unreachable!("made above");
        };
        // All places share the symbol, so assumptions of the current branches must not enter.
        let interval = Interval::binary(op, self.everywhere(a), self.everywhere(b));
        let congruence = match (op, b.as_constant()) {
            (BinaryOp::AlignUp, Some(granule)) => Congruence::new(granule, 0),
            (BinaryOp::Min | BinaryOp::Max, _) => self.congruence(a).join(self.congruence(b)),
            _ => Congruence::ANY,
        };
        let (a, b) = (a.clone(), b.clone());
        let symbol = self.named(meaning, interval, congruence);
        self.record_operation(symbol, op, &a, &b);
        Linear::symbol(symbol)
    }

    /// Records the relations of an operation's result to its operands.
    fn record_operation(&mut self, symbol: Symbol, op: BinaryOp, a: &Linear, b: &Linear) {
        let result = Linear::symbol(symbol);
        match (op, b.as_constant()) {
            // The division is exact.
            (BinaryOp::Div | BinaryOp::FloorDiv | BinaryOp::CeilDiv, Some(by @ 1..))
                if self.congruence(a).divided_by(by)
                    // The device adds `by - 1` and truncates, so that -64 by 64 is 0 where it rounds up.
                    && (op != BinaryOp::CeilDiv || self.everywhere(a).min >= 0) =>
            {
                if let Some(whole) = result.times(by) {
                    self.record_not_above(&whole, a);
                    self.record_not_above(a, &whole);
                }
            }
            (BinaryOp::Min, _) => {
                self.record_not_above(&result, a);
                self.record_not_above(&result, b);
            }
            (BinaryOp::Max, _) => {
                self.record_not_above(a, &result);
                self.record_not_above(b, &result);
            }
            (BinaryOp::CeilDiv, Some(by @ 1..)) => {
                if let Some(whole) = result.times(by) {
                    self.record_not_above(a, &whole);
                    self.record_rounded_up(&result, &whole, a, by);
                }
            }
            (BinaryOp::Div, Some(by @ 1..)) if self.everywhere(a).min >= 0 => {
                if let Some(whole) = result.times(by) {
                    self.record_not_above(&whole, a);
                    if let Some(next) = whole.plus(by) {
                        self.record_below(a, &next);
                    }
                }
            }
            (BinaryOp::FloorDiv, Some(by @ 1..)) => {
                if let Some(whole) = result.times(by) {
                    self.record_not_above(&whole, a);
                    if let Some(next) = whole.plus(by) {
                        self.record_below(a, &next);
                    }
                }
            }
            (BinaryOp::Mod, divisor) => {
                if self.everywhere(a).min >= 0 {
                    self.record_not_above(&result, a);
                }
                // With the quotient, it is the dividend minus the whole part. Indices of slots, which differ between
                // iterations, need no quotient.
                if divisor.is_none() || self.newest_local(a).is_none() {
                    let quotient = self.operation(BinaryOp::Div, a.clone(), b.clone());
                    let whole = self.operation(BinaryOp::Mul, quotient, b.clone());
                    if let Some(rest) = a.minus(&whole) {
                        self.record_not_above(&rest, &result);
                        self.record_not_above(&result, &rest);
                    }
                }
            }
            (BinaryOp::AlignUp, Some(by @ 1..)) => {
                self.record_not_above(a, &result);
                self.record_rounded_up(&result, &result, a, by);
            }
            _ => {}
        }
    }

    /// Records that `whole`, a multiple of `by`, is less than `a + by`. Numbers of at most `-by` are rounded
    /// towards zero instead; their results are not positive.
    fn record_rounded_up(&mut self, result: &Linear, whole: &Linear, a: &Linear, by: i64) {
        let Some(last) = a.plus(by - 1) else { return };
        if self.everywhere(&last).min >= 0 {
            self.record_not_above(whole, &last);
            return;
        }
        let Some((bound, positive)) = last.minus(whole).zip(result.plus(-1)) else {
            return;
        };
        for &(symbol, _) in &bound.terms {
            self.known[symbol.0 as usize].guarded.push(Guarded {
                guards: [positive.clone(), last.clone()],
                bound: bound.clone(),
            });
        }
    }

    /// Returns the numbers that are at least 1 if a number is: itself, and the operands of which it is the
    /// product or the minimum.
    pub fn positive_with(&self, number: &Linear) -> Vec<Linear> {
        let mut found = vec![number.clone()];
        let mut at = 0;
        while let Some(only) = found.get(at).and_then(|number| number.symbols().next()) {
            let is_symbol = found[at] == Linear::symbol(only);
            at += 1;
            let Meaning::Operation(op, a, b) = self.meaning(only) else {
                continue;
            };
            let is_natural = [a, b].into_iter().all(|it| self.range(it).min >= 0);
            let follows = *op == BinaryOp::Min || *op == BinaryOp::Mul && is_natural;
            if is_symbol && follows {
                found.extend([a.clone(), b.clone()]);
            }
        }
        found
    }

    /// Records that `a <= b` wherever both have values. That must follow from their meanings: what holds on
    /// one path alone has to be assumed.
    pub fn record_not_above(&mut self, a: &Linear, b: &Linear) {
        if let Some(gap) = b.minus(a) {
            for &(symbol, _) in &gap.terms {
                self.known[symbol.0 as usize].bounds.push(gap.clone());
            }
        }
    }

    /// Records that a number, which the launch gives, is not negative.
    pub(super) fn record_demand(&mut self, number: &Linear) {
        let zero = Linear::constant(0);
        if let [(symbol, coefficient)] = number.terms[..] {
            self.assume_not_above(&zero, number);
            debug_assert_ne!(coefficient, 0);
            let known = &mut self.known[symbol.0 as usize];
            known.interval = known.here;
            self.assumed.clear();
            return;
        }
        self.record_not_above(&zero, number);
        self.demands.push(number.clone());
    }

    /// Records that `a < b` wherever both have values.
    fn record_below(&mut self, a: &Linear, b: &Linear) {
        if let Some(next) = a.plus(1) {
            self.record_not_above(&next, b);
        }
    }

    /// Records the value from which a symbol has risen.
    pub(super) fn record_rise(
        &mut self,
        value: &Linear,
        entry: &Linear,
        times: &Linear,
        each: Polynomial,
    ) {
        let (entry, times) = (entry.clone(), times.clone());
        if let [(symbol, 1)] = value.terms[..] {
            self.known[symbol.0 as usize].rise = Some(Rise { entry, times, each });
        }
    }

    pub(super) fn rise(&self, symbol: Symbol) -> Option<&Rise> {
        self.known[symbol.0 as usize].rise.as_ref()
    }

    /// Returns the meaning of a symbol.
    pub fn meaning(&self, symbol: Symbol) -> &Meaning {
        &self.known[symbol.0 as usize].meaning
    }

    /// Returns the symbol of a meaning, if there is one.
    pub fn named_as(&self, meaning: &Meaning) -> Option<Symbol> {
        self.ids.get(meaning).copied()
    }

    /// Returns whether more is known of a symbol at the current statement than wherever it has a value.
    pub fn is_narrowed(&self, symbol: Symbol) -> bool {
        let known = &self.known[symbol.0 as usize];
        known.here != known.interval || !known.bounds_here.is_empty()
    }

    /// Returns every symbol so far.
    pub fn all(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.count()).map(Symbol)
    }

    /// Returns the number of symbols so far; newer ones have at least this number.
    pub fn count(&self) -> u32 {
        self.known.len() as u32
    }

    /// Returns expressions that are not negative at the current statement: facts about the symbols of some
    /// numbers, and about the symbols that those are computed from or compared with.
    pub fn facts(&self, numbers: &[Linear]) -> Vec<Linear> {
        let mut open: Vec<Symbol> = symbols_of(numbers).collect();
        let mut seen: FxHashSet<Symbol> = open.iter().copied().collect();
        // Always, since newer facts about their symbols would displace these, which proofs ask for.
        let mut facts = self.demands.clone();
        open.extend(symbols_of(&facts).filter(|&near| seen.insert(near)));
        while let Some(symbol) = open.pop() {
            let known = &self.known[symbol.0 as usize];
            let first = facts.len();
            let one = Linear::symbol(symbol);
            if known.here.min != i64::MIN {
                facts.extend(one.plus(known.here.min.saturating_neg()));
            }
            if known.here.max != i64::MAX {
                facts.extend(one.times(-1).and_then(|one| one.plus(known.here.max)));
            }
            let newest = known
                .bounds_here
                .iter()
                .rev()
                .chain(known.bounds.iter().rev());
            facts.extend(newest.take(FACTS_WIDTH).map(|fact| self.tightened(fact)));
            for Guarded { guards, bound } in known.guarded.iter().rev().take(FACTS_WIDTH) {
                if guards.iter().any(|guard| self.minimum(guard) >= 0) {
                    facts.push(bound.clone());
                }
            }
            let mut near: Vec<Symbol> = symbols_of(&facts[first..]).collect();
            if let Meaning::Operation(_, a, b) = &known.meaning {
                near.extend(symbols_of(&[a.clone(), b.clone()]));
            }
            if let Meaning::Either(_, values) = &known.meaning {
                for (value, facts) in values {
                    near.extend(value.symbols().chain(symbols_of(facts)));
                }
            }
            open.extend(
                near.into_iter()
                    .filter(|&near| seen.len() < FACTS_SYMBOLS && seen.insert(near)),
            );
        }
        facts
    }

    /// Returns the strongest form of the fact that a number is not negative: of a number of a residue class, the
    /// smallest member that is not negative is the least value. A row below a length is at least a tile below it where
    /// both are multiples of the tile.
    fn tightened(&self, fact: &Linear) -> Linear {
        let class = self.congruence(fact);
        let least = match class.modulus {
            0 | 1 => None,
            _ => fact.plus(class.remainder.saturating_neg()),
        };
        least.unwrap_or_else(|| fact.clone())
    }

    /// Returns the symbols from which numbers are computed.
    pub fn computed_from(&self, numbers: &[Linear]) -> FxHashSet<Symbol> {
        let mut open: Vec<Symbol> = symbols_of(numbers).collect();
        let mut seen: FxHashSet<Symbol> = open.iter().copied().collect();
        while let Some(symbol) = open.pop() {
            if let Meaning::Operation(_, a, b) = self.meaning(symbol) {
                open.extend(a.symbols().chain(b.symbols()).filter(|&it| seen.insert(it)));
            }
        }
        seen
    }

    /// Returns the symbol of the index of the vec lane in its core, if it is used.
    pub fn sub_block(&self) -> Option<Symbol> {
        self.named_as(&Meaning::Special(SpecialScalar::SubBlockIdx))
    }

    /// Returns whether a symbol is the index of the vec lane in its core.
    pub fn is_sub_block(&self, symbol: Symbol) -> bool {
        self.sub_block() == Some(symbol)
    }

    /// Returns whether a number depends on which of the two vec lanes of a core computes it.
    pub fn depends_on_lane(&self, number: &Linear) -> bool {
        let used = self.computed_from(std::slice::from_ref(number));
        let tells_apart = |symbol: Symbol| {
            let special = Meaning::Special;
            let of = [SpecialScalar::SubBlockIdx, SpecialScalar::VecIdx].map(special);
            of.contains(self.meaning(symbol))
        };
        used.into_iter().any(tells_apart)
    }

    /// Returns a number with some symbols replaced by values.
    pub fn with_values(&self, number: &Linear, values: &[(Symbol, i64)]) -> Linear {
        if values.is_empty() {
            return number.clone();
        }
        let mut result = Linear::constant(number.constant);
        for &(symbol, coefficient) in &number.terms {
            let term = self.symbol_with_values(symbol, values);
            match result.plus_times(&term, coefficient) {
                Some(sum) => result = sum,
                None => return number.clone(),
            }
        }
        result
    }

    fn symbol_with_values(&self, symbol: Symbol, values: &[(Symbol, i64)]) -> Linear {
        if let Some(&(_, value)) = values.iter().find(|known| known.0 == symbol) {
            return Linear::constant(value);
        }
        if let Meaning::Operation(op, a, b) = self.meaning(symbol) {
            let operands = [a, b].map(|it| self.with_values(it, values).as_constant());
            if let [Some(a), Some(b)] = operands
                && let Some(value) = fold_int(*op, a, b)
            {
                return Linear::constant(value);
            }
        }
        Linear::symbol(symbol)
    }

    /// Returns whether a number is computed from a symbol created at or after a mark.
    pub fn is_local(&self, number: &Linear, mark: u32) -> bool {
        self.newest_local(number)
            .is_some_and(|newest| newest >= mark)
    }

    /// Returns the newest symbol from which a number is computed and that differs between iterations.
    pub fn newest_local(&self, number: &Linear) -> Option<u32> {
        let used = self.computed_from(std::slice::from_ref(number)).into_iter();
        let local = used.filter(|&symbol| !self.is_fixed(symbol));
        local.map(Symbol::number).max()
    }

    /// Returns whether a symbol has one value in a whole launch, on one lane.
    fn is_fixed(&self, symbol: Symbol) -> bool {
        match self.meaning(symbol) {
            Meaning::Parameter(_) | Meaning::Extent(..) | Meaning::Special(_) => true,
            // Its operands decide.
            Meaning::Operation(..) => true,
            Meaning::Iteration | Meaning::LoopHead(_) | Meaning::Some | Meaning::Either(..) => {
                false
            }
        }
    }

    /// Returns expressions with a symbol that are not negative at the current statement.
    pub fn bounds_of(&self, symbol: Symbol) -> impl Iterator<Item = &Linear> {
        let known = &self.known[symbol.0 as usize];
        known.bounds.iter().chain(&known.bounds_here)
    }

    fn sum(&self, number: &Linear, of: impl Fn(&Known) -> Interval) -> Interval {
        let start = Interval::exact(number.constant);
        number
            .terms
            .iter()
            .fold(start, |sum, &(symbol, coefficient)| {
                sum.plus(of(&self.known[symbol.0 as usize]).times(coefficient))
            })
    }

    /// Returns the values of an expression wherever it has one.
    fn everywhere(&self, number: &Linear) -> Interval {
        self.sum(number, |known| known.interval)
    }

    /// Returns the residue class of an expression.
    pub fn congruence(&self, number: &Linear) -> Congruence {
        let start = Congruence::exact(number.constant);
        number
            .terms
            .iter()
            .fold(start, |sum, &(symbol, coefficient)| {
                sum.plus(self.known[symbol.0 as usize].congruence.times(coefficient))
            })
    }

    /// Returns the values of an expression at the current statement.
    pub fn range(&self, number: &Linear) -> Interval {
        let quick = self.sum(number, |known| known.here);
        // Intervals of the symbols usually suffice. A proof is tried for an end that is open, or so far away that it
        // comes from the limits of types.
        let is_alone = number.terms.len() < 2;
        let is_near = |end: i64| (1 - FAR..FAR).contains(&end);
        let is_open = |end: i64| match end {
            i64::MIN | i64::MAX => true,
            end => !is_alone && !is_near(end),
        };
        let min = match is_open(quick.min) {
            true => self.minimum(number),
            false => quick.min,
        };
        let max = match is_open(quick.max) {
            true => number
                .times(-1)
                .map_or(i64::MIN, |negated| self.minimum(&negated)),
            false => {
                return Interval {
                    min,
                    max: quick.max,
                };
            }
        };
        Interval {
            min,
            max: match max {
                i64::MIN => i64::MAX,
                max => max.saturating_neg(),
            },
        }
    }

    /// Returns whether an integer type holds every value of an expression at the current statement.
    ///
    /// With `trusts`, signed arithmetic of 32 and 64 bits on numbers without bounds is assumed not to
    /// overflow, as C compilers assume it; replays show where it does.
    pub fn stays(&self, number: &Linear, dtype: DType, trusts: bool) -> bool {
        if let Some(value) = number.as_constant() {
            return wrapped(dtype, value.into()) == i128::from(value);
        }
        let quick = self.sum(number, |known| known.here);
        let limits = Interval::of(dtype);
        let (is_wide, is_signed) = (dtype.bits() >= 32, dtype.is_signed());
        let is_open = |of: fn(&Interval) -> bool| {
            let mut terms = number.terms.iter();
            terms.any(|&(symbol, _)| of(&self.known[symbol.0 as usize].here))
        };
        let is_trusted = trusts
            && is_wide
            && is_signed
            && is_open(|here| here.min == i64::MIN || here.max == i64::MAX);
        // A single symbol has a value of some 64-bit type.
        let is_alone = matches!(number.terms[..], [(_, 1)]) && number.constant <= 0;
        let holds_min = match quick.min {
            i64::MIN if is_trusted => true,
            i64::MIN => false,
            min => min >= limits.min,
        };
        let holds_max = match quick.max {
            i64::MAX if is_trusted => true,
            i64::MAX if limits.max == i64::MAX && !is_signed => is_alone,
            i64::MAX => false,
            max => max <= limits.max,
        };
        (holds_min || (limits.min != i64::MIN && self.minimum(number) >= limits.min))
            && (holds_max
                || (limits.max != i64::MAX
                    && number
                        .times(-1)
                        .is_some_and(|negated| self.minimum(&negated) >= -limits.max)))
    }

    /// Returns whether `a <= b` is certain at the current statement.
    pub fn is_not_above(&self, a: &Linear, b: &Linear) -> bool {
        b.minus(a).is_some_and(|gap| self.minimum(&gap) >= 0)
    }

    /// Returns a lower bound of an expression at the current statement.
    pub fn minimum(&self, number: &Linear) -> i64 {
        let mut fuel = PROOF_FUEL;
        self.search(number, PROOF_DEPTH, &mut fuel)
    }

    /// Searches for a lower bound by subtracting expressions that are not negative, so that symbols are
    /// replaced by their bounds.
    fn search(&self, number: &Linear, depth: u32, fuel: &mut u32) -> i64 {
        let mut best = self.sum(number, |known| known.here).min;
        if depth == 0 || number.terms.len() > PROOF_TERMS {
            return best;
        }
        for &(symbol, coefficient) in &number.terms {
            best = best.max(self.split(number, (symbol, coefficient), depth, fuel));
            let known = &self.known[symbol.0 as usize];
            let bounds = known
                .bounds_here
                .iter()
                .rev()
                .chain(known.bounds.iter().rev());
            for bound in bounds.take(PROOF_WIDTH) {
                if *fuel == 0 {
                    return best;
                }
                let Some(rest) = replaced(number, (symbol, coefficient), bound) else {
                    continue;
                };
                *fuel -= 1;
                best = best.max(self.search(&rest, depth - 1, fuel));
            }
            best = best.max(self.guarded(number, (symbol, coefficient), depth, fuel));
        }
        best
    }

    /// Searches with facts that hold under a condition.
    fn guarded(
        &self,
        number: &Linear,
        (symbol, coefficient): (Symbol, i64),
        depth: u32,
        fuel: &mut u32,
    ) -> i64 {
        let mut best = i64::MIN;
        let guarded = &self.known[symbol.0 as usize].guarded;
        for Guarded { guards, bound } in guarded.iter().rev().take(PROOF_WIDTH) {
            let Some(rest) = replaced(number, (symbol, coefficient), bound) else {
                continue;
            };
            if *fuel == 0 {
                return best;
            }
            *fuel -= 1;
            let holds = guards
                .iter()
                .any(|guard| self.search(guard, depth - 1, fuel) >= 0);
            if holds {
                best = best.max(self.search(&rest, depth - 1, fuel));
            }
        }
        best
    }

    /// Searches with both operands of a minimum (or of a maximum with a negative coefficient), and returns
    /// the worse result.
    fn split(
        &self,
        number: &Linear,
        (symbol, coefficient): (Symbol, i64),
        depth: u32,
        fuel: &mut u32,
    ) -> i64 {
        let worst = match coefficient {
            1.. => BinaryOp::Min,
            _ => BinaryOp::Max,
        };
        match &self.known[symbol.0 as usize].meaning {
            Meaning::Operation(op, a, b) if *op == worst && *fuel >= 2 => {
                // Both operands are searched.
                *fuel -= 2;
                let mut with = |part: &Linear| {
                    let rest = number.plus_times(&Linear::symbol(symbol), -coefficient);
                    let rest = rest.and_then(|rest| rest.plus_times(part, coefficient));
                    rest.map_or(i64::MIN, |rest| self.search(&rest, depth - 1, fuel))
                };
                with(a).min(with(b))
            }
            _ => i64::MIN,
        }
    }

    /// Restricts a parameter to the given values.
    pub fn take(&mut self, given: &Given) {
        for (symbol, _) in self.parameter(given.parameter).terms() {
            let known = &mut self.known[symbol.0 as usize];
            (known.interval, known.here) = (given.range, given.range);
            known.congruence = given.class;
        }
    }

    /// Restricts a parameter to the values of its type.
    pub(super) fn take_type(&mut self, parameter: VariableId, values: Interval) {
        for (symbol, _) in self.parameter(parameter).terms() {
            let known = &mut self.known[symbol.0 as usize];
            known.interval = known.interval.meet(values).unwrap_or(known.interval);
            known.here = known.interval;
        }
    }
}

fn symbols_of(numbers: &[Linear]) -> impl Iterator<Item = Symbol> + '_ {
    numbers.iter().flat_map(Linear::symbols)
}

/// Returns a number without a term that a bound is known for: minus the bound times its multiplicity.
fn replaced(
    number: &Linear,
    (symbol, coefficient): (Symbol, i64),
    bound: &Linear,
) -> Option<Linear> {
    let times = multiple(coefficient, bound.coefficient(symbol))?;
    number.plus_times(bound, -times)
}

/// Returns how often `part` divides `whole`, if it does and both have the same sign.
fn multiple(whole: i64, part: i64) -> Option<i64> {
    let fits = part != 0 && whole.checked_rem(part)? == 0;
    let times = whole.checked_div(part).filter(|_| fits)?;
    (times > 0).then_some(times)
}
