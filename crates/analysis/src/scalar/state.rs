//! The values of variables and expressions at one place of a program.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::combinations::{Proved, Unlisted, Wanted};
use super::congruence::Congruence;
use super::interval::Interval;
use super::linear::{Linear, Symbol};
use super::polynomial::Polynomial;
use super::symbols::{Meaning, Symbols};
use a2lint_ir::arithmetic::wrapped;
use a2lint_ir::{
    BinaryOp, CompareOp, Factor, GlobalId, GlobalKind, Program, Scalar, ScalarId, SpecialScalar,
    Sum, UnaryOp, VariableId, VariableKind, Workers,
};
use a2lint_isa::{DType, Side};

/// The value of an expression; `None` if it is no integer, or unknown.
pub type Number = Option<Linear>;

/// A value, with its range on the path that it comes from.
pub(super) type Arrival = (Number, Interval);

/// Maximum number of paths whose values are kept separate after a branch.
const MOST_PATHS: usize = 3;

/// A variable with its value on some path.
pub(super) type Binding = (VariableId, Arrival);

/// The variables at the current statement, and what is known of the symbols in their values.
#[derive(Debug)]
pub struct State<'p> {
    pub(super) program: &'p Program,
    pub(super) symbols: Symbols,
    variables: Vec<Number>,
    /// Extents of global tensors that the contract gives.
    pub(super) extents: FxHashMap<(GlobalId, u32), Linear>,
    /// Whether integers are taken to stay inside of their types, see [`Symbols::relies_on_types`].
    pub(super) trusts_types: bool,
    /// The values that assignments have replaced, latest last.
    log: Vec<(VariableId, Number)>,
    /// Values of expressions, by [`ScalarId`], with the epoch in which they are valid.
    memo: Vec<(u32, Number)>,
    epoch: u32,
}

impl<'p> State<'p> {
    /// Creates the state before the first statement.
    pub fn new(program: &'p Program) -> State<'p> {
        let mut symbols = Symbols::default();
        symbols.counts_vec_cores = program.counts_vec_cores();
        symbols.splits_divisors = !takes_remainders_by_products(program);
        let variables = program.variables.iter().enumerate();
        let variables = variables
            .map(|(at, variable)| {
                let is_float = variable.dtype.is_some_and(|dtype| dtype.is_float());
                let is_parameter = variable.kind == VariableKind::Param;
                (is_parameter && !is_float).then(|| symbols.parameter(VariableId(at as u32)))
            })
            .collect();
        let mut state = State {
            program,
            symbols,
            variables,
            extents: FxHashMap::default(),
            trusts_types: false,
            log: Vec::new(),
            memo: vec![(0, None); program.scalars.len()],
            epoch: 1,
        };
        state.record_types();
        state.record_sizes();
        state.record_contract();
        state
    }

    /// Records that parameters of unsigned types are not negative, and of which size at most.
    fn record_types(&mut self) {
        let variables = self.program.variables.iter().enumerate();
        let typed: Vec<(VariableId, DType)> = variables
            .filter(|(_, variable)| variable.kind == VariableKind::Param)
            .filter_map(|(at, variable)| Some((VariableId(at as u32), variable.dtype?)))
            .filter(|(_, dtype)| !dtype.is_float() && !dtype.is_signed())
            .collect();
        for (id, dtype) in typed {
            let parameter = self.symbols.parameter(id);
            let symbols: Vec<Symbol> = parameter.symbols().collect();
            for symbol in symbols {
                self.symbols
                    .know(symbol, Interval::of(dtype), Congruence::ANY);
            }
        }
    }

    /// Records that parameters which are extents of tensors are not negative.
    fn record_sizes(&mut self) {
        let globals = self.program.globals.iter();
        let passed = globals.filter(|global| global.kind == GlobalKind::Param);
        for &extent in passed.flat_map(|global| &global.shape) {
            let Scalar::Variable(id) = self.program.scalars.get(extent) else {
                continue;
            };
            if self.program.variable(id).kind == VariableKind::Param {
                let parameter = self.symbols.parameter(id);
                let symbols: Vec<Symbol> = parameter.symbols().collect();
                for symbol in symbols {
                    self.symbols
                        .know(symbol, Interval::from(0), Congruence::ANY);
                }
            }
        }
    }

    /// Records what the launches that are considered have in common beside the ranges of their parameters, which have
    /// to be known before: the interval of a product is that of its factors at its first use.
    pub(super) fn record_demands(&mut self) {
        let program = self.program;
        for demand in &program.demands {
            if let Some(number) = self.sum(demand) {
                self.symbols.record_demand(&number);
            }
        }
    }

    /// Returns the value of a sum of products.
    fn sum(&mut self, sum: &Sum) -> Number {
        let mut total = Linear::constant(sum.constant);
        for (product, coefficient) in &sum.terms {
            let factors = product.iter().map(|factor| match factor {
                Factor::Parameter(id) => self.symbols.parameter(*id),
                Factor::Workers(Workers::Cores) => self.symbols.special(SpecialScalar::CubeNum),
                Factor::Workers(Workers::VecLanes) => self.symbols.special(SpecialScalar::VecNum),
            });
            let factors: Vec<Linear> = factors.collect();
            let mut product: Number = Some(Linear::constant(1));
            for factor in factors {
                product = self.binary(BinaryOp::Mul, product, Some(factor));
            }
            total = total.plus_times(&product?, *coefficient)?;
        }
        Some(total)
    }

    /// Returns the value of a variable.
    pub(super) fn variable(&self, variable: VariableId) -> Number {
        self.variables[variable.index()].clone()
    }

    /// Assigns a value to a variable.
    pub(super) fn assign(&mut self, variable: VariableId, value: Number) {
        let value = match self.program.variable(variable).dtype {
            Some(dtype) => self.held(value, dtype, true),
            None => value,
        };
        self.replace(variable, value);
    }

    /// Assigns the value of an expression to a variable.
    pub(super) fn assign_scalar(&mut self, variable: VariableId, value: ScalarId) {
        let value = match self.program.variable(variable).dtype {
            Some(dtype) => self.operand(value, dtype),
            None => self.number(value),
        };
        self.replace(variable, value);
    }

    fn replace(&mut self, variable: VariableId, value: Number) {
        let before = std::mem::replace(&mut self.variables[variable.index()], value);
        self.log.push((variable, before));
        // Cached values of expressions may have changed.
        self.epoch += 1;
    }

    /// Returns a mark for `undo`.
    pub(super) fn mark(&self) -> usize {
        self.log.len()
    }

    /// Returns the variables assigned since the mark, with their current values.
    pub(super) fn changed_since(&self, mark: usize) -> Vec<Binding> {
        let mut changed: Vec<VariableId> = self.log[mark..].iter().map(|entry| entry.0).collect();
        changed.sort_unstable();
        changed.dedup();
        let bind = |variable| (variable, self.arrival(self.variable(variable)));
        changed.into_iter().map(bind).collect()
    }

    /// Undoes the assignments since the mark.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.log.len() > mark {
            if let Some((variable, before)) = self.log.pop() {
                self.variables[variable.index()] = before;
            }
        }
        self.epoch += 1;
    }

    /// Joins two values of the paths that meet at a place, each with its range on its path.
    pub(super) fn join(&mut self, (a, from_a): Arrival, (b, from_b): Arrival) -> Arrival {
        let range = from_a.hull(from_b);
        let (Some(a), Some(b)) = (a, b) else {
            return (None, range);
        };
        if a == b {
            return (Some(a), range);
        }
        // The values differ by a constant: the result is the smaller one plus 0 or that constant.
        if let Some(gap) = b.minus(&a).and_then(|gap| gap.as_constant())
            && let Some(size) = gap.checked_abs()
        {
            let (low, gap) = if gap < 0 { (b, size) } else { (a, size) };
            let part = Interval { min: 0, max: gap };
            let part = self.fresh(Meaning::Some, part, Congruence::new(gap, 0));
            return (low.plus_times(&part, 1), range);
        }
        let congruence = self
            .symbols
            .congruence(&a)
            .join(self.symbols.congruence(&b));
        let joined = self.fresh(Meaning::Some, range, congruence);
        for (low, high) in [(&a, &b), (&b, &a)] {
            if self.symbols.is_not_above(low, high) {
                self.symbols.assume_not_above(low, &joined);
                self.symbols.assume_not_above(&joined, high);
            }
        }
        (Some(joined), range)
    }

    /// Joins two values of the paths that meet at a place. If they differ by 1, what tells the paths apart is a number
    /// that is 0 or 1, which ties their conditions to the value: a number of tiles is one larger where there is a rest.
    pub(super) fn join_two(&mut self, [a, b]: [Arrival; 2], paths: [&[Linear]; 2]) -> Arrival {
        let gap = a.0.as_ref().zip(b.0.as_ref());
        let gap = gap.and_then(|(a, b)| b.minus(a)?.as_constant());
        let (lower, paths) = match gap {
            Some(1) => (a.0.clone(), paths),
            Some(-1) => (b.0.clone(), [paths[1], paths[0]]),
            _ => return self.join(a, b),
        };
        let joined = self.join(a, b);
        let taken = joined.0.as_ref().zip(lower);
        let taken = taken.and_then(|(joined, lower)| joined.minus(&lower));
        let other = taken.as_ref().and_then(|taken| taken.times(-1)?.plus(1));
        for (is_taken, facts) in [other, taken].iter().zip(paths) {
            for (is_taken, fact) in is_taken
                .iter()
                .flat_map(|it| facts.iter().map(move |fact| (it, fact)))
            {
                self.symbols.assume_where(is_taken, fact);
            }
        }
        joined
    }

    /// Returns a value with its range where these numbers are not negative.
    pub(super) fn arrival_where(&mut self, value: &Number, facts: &[Linear]) -> Arrival {
        let before = self.symbols.assumptions();
        for fact in facts {
            self.symbols.assume_not_above(&Linear::constant(0), fact);
        }
        let arrival = self.arrival(value.clone());
        self.symbols.forget(before);
        arrival
    }

    /// Returns a value with its current range.
    pub(super) fn arrival(&self, value: Number) -> Arrival {
        let range = value
            .as_ref()
            .map_or(Interval::ANY, |value| self.symbols.range(value));
        (value, range)
    }

    pub(super) fn fresh(
        &mut self,
        meaning: Meaning,
        interval: Interval,
        congruence: Congruence,
    ) -> Linear {
        Linear::symbol(self.symbols.fresh(meaning, interval, congruence))
    }

    /// Returns the value of an expression.
    pub fn number(&mut self, id: ScalarId) -> Number {
        let (epoch, value) = &self.memo[id.0 as usize];
        if *epoch == self.epoch {
            return value.clone();
        }
        let value = self.evaluate(id);
        self.memo[id.0 as usize] = (self.epoch, value.clone());
        value
    }

    /// Goes on with the lanes of a side, or of both; returns what was there before.
    pub(super) fn enter(&mut self, side: Option<Side>) -> Option<Side> {
        // Half of the index of a vec lane is the index of its core, but there only.
        self.epoch += 1;
        std::mem::replace(&mut self.symbols.side, side)
    }

    /// Evaluates an expression. The arena limits the depth of expressions, so recursion is safe.
    fn evaluate(&mut self, id: ScalarId) -> Number {
        let of = self.program.scalars.operation_type(id).dtype;
        match self.program.scalars.get(id) {
            Scalar::Int(value) => Some(Linear::constant(value)),
            // Too large for a constant of a linear expression.
            Scalar::Large(_) => Some(self.some(Interval::of(DType::UInt64))),
            Scalar::Float(_) | Scalar::Unknown(_) => None,
            Scalar::Variable(variable) => self.variable(variable),
            Scalar::Extent(global, axis) => Some(self.extent(global, axis)),
            Scalar::Special(special) => Some(self.symbols.special(special)),
            Scalar::Compare(..)
            | Scalar::Unary(UnaryOp::Not, _)
            | Scalar::Binary(BinaryOp::And | BinaryOp::Or, ..) => Some(self.truth()),
            Scalar::Unary(UnaryOp::Convert, a) => self.operand(a, of),
            Scalar::Unary(UnaryOp::Negate, a) => {
                let negated = self.operand(a, of)?.times(-1);
                self.held(negated, of, true)
            }
            Scalar::Unary(UnaryOp::Abs, a) => {
                let a = self.operand(a, of)?;
                let negated = a.times(-1)?;
                // As max(a, −a), so that what is known of a maximum applies.
                let result = self.symbols.operation(BinaryOp::Max, a, negated);
                self.held(Some(result), of, true)
            }
            Scalar::Unary(UnaryOp::Sqrt, _) => None,
            Scalar::Unary(UnaryOp::Bits, _) => {
                (!of.is_float()).then(|| self.some(Interval::of(of)))
            }
            Scalar::Binary(op, a, b) => {
                let (a, b) = (self.operand(a, of), self.operand(b, of));
                self.binary_in(of, op, a, b)
            }
        }
    }

    /// Returns an extent of a global tensor.
    fn extent(&mut self, global: GlobalId, axis: u32) -> Linear {
        let given = self.extents.get(&(global, axis)).cloned();
        given.unwrap_or_else(|| self.symbols.extent(global, axis))
    }

    /// Returns an operand as an operation in a type uses it.
    fn operand(&mut self, id: ScalarId, dtype: DType) -> Number {
        // A constant beyond all bounds, without a type of its own.
        if let Scalar::Large(value) = self.program.scalars.get(id) {
            return (!dtype.is_float()).then(|| self.constant(dtype, value.into()));
        }
        let value = self.number(id);
        let from = self.program.scalars.type_of(id).map(|from| from.dtype);
        // Conversion to a narrower type, or to one with another sign, is no arithmetic that could be trusted
        // not to overflow.
        let widens = |from: DType| from.is_signed() && from.bits() <= dtype.bits();
        self.held(value, dtype, from.is_none_or(widens))
    }

    /// Returns a number as a type holds it: if it may leave the type, any value of the type. With `trusts`,
    /// numbers without bounds are assumed to stay inside.
    fn held(&mut self, value: Number, dtype: DType, trusts: bool) -> Number {
        let value = value.filter(|_| !dtype.is_float())?;
        if self.symbols.stays(&value, dtype, trusts) {
            if !dtype.is_signed() {
                self.symbols.remember_natural(&value);
            }
            return Some(value);
        }
        match value.as_constant() {
            Some(value) => Some(self.constant(dtype, value.into())),
            None if self.trusts_types => {
                self.symbols.relies_on_types = true;
                if !dtype.is_signed() {
                    self.symbols.assume_not_above(&Linear::constant(0), &value);
                }
                Some(value)
            }
            None => Some(self.some(Interval::of(dtype))),
        }
    }

    /// Returns a constant as an integer type holds it; any value of the type if it is beyond all bounds.
    fn constant(&mut self, dtype: DType, value: i128) -> Linear {
        match i64::try_from(wrapped(dtype, value)) {
            Ok(value) => Linear::constant(value),
            Err(_) => self.some(Interval::of(dtype)),
        }
    }

    /// Creates a number of which only the range is known.
    fn some(&mut self, range: Interval) -> Linear {
        self.fresh(Meaning::Some, range, Congruence::ANY)
    }

    /// Returns the result of an operation in a type.
    fn binary_in(&mut self, dtype: DType, op: BinaryOp, a: Number, b: Number) -> Number {
        // The device adds `b - 1` before it divides, so that sum has to fit the type as well.
        if let (BinaryOp::CeilDiv | BinaryOp::AlignUp, Some(a), Some(b)) = (op, &a, &b) {
            let sum = a.plus_times(b, 1).and_then(|sum| sum.plus(-1));
            if !sum.is_some_and(|sum| self.symbols.stays(&sum, dtype, true)) {
                if !self.trusts_types {
                    return Some(self.some(Interval::of(dtype)));
                }
                self.symbols.relies_on_types = true;
            }
        }
        let result = self.binary(op, a, b);
        self.held(result, dtype, true)
    }

    fn truth(&mut self) -> Linear {
        self.fresh(Meaning::Some, Interval::TRUTH, Congruence::ANY)
    }

    /// Returns the result of an operation on unlimited integers.
    pub fn binary(&mut self, op: BinaryOp, a: Number, b: Number) -> Number {
        let (a, b) = match (a, b) {
            (Some(a), Some(b)) => (a, b),
            (a, b) => return self.half_known(op, a.or(b)),
        };
        match op {
            BinaryOp::Index | BinaryOp::Multiple => Some(a),
            BinaryOp::Add => a.plus_times(&b, 1),
            BinaryOp::Sub => a.minus(&b),
            BinaryOp::Mul => match (a.as_constant(), b.as_constant()) {
                (Some(a), _) => b.times(a),
                (_, Some(b)) => a.times(b),
                _ => Some(self.symbols.operation(op, a, b)),
            },
            _ => Some(self.symbols.operation(op, a, b)),
        }
    }

    /// Returns the minimum or maximum of a number and something unknown.
    fn half_known(&mut self, op: BinaryOp, known: Number) -> Number {
        let range = self.symbols.range(&known?);
        let interval = match op {
            BinaryOp::Min | BinaryOp::Max => Interval::binary(op, range, Interval::ANY),
            _ => return None,
        };
        Some(self.fresh(Meaning::Some, interval, Congruence::ANY))
    }

    /// Returns the values that an expression can have here.
    pub fn range(&mut self, id: ScalarId) -> Interval {
        match self.number(id) {
            Some(number) => self.symbols.range(&number),
            None => Interval::ANY,
        }
    }

    /// Returns the values that a number can have here.
    pub fn range_of(&self, number: &Linear) -> Interval {
        self.symbols.range(number)
    }

    /// Returns an upper bound of a number here, see [`Symbols::growth`].
    pub fn growth(&self, number: &Linear) -> Option<Polynomial> {
        self.symbols.growth(number)
    }

    /// Returns what is known here of the symbols of some numbers, see [`Symbols::facts`].
    pub fn facts(&self, numbers: &[Linear]) -> Vec<Linear> {
        self.symbols.facts(numbers)
    }

    /// Returns the indices of lanes and cores of which a branch or a loop around says something.
    pub(crate) fn narrowed_lanes(&self) -> Vec<Linear> {
        let all = [
            SpecialScalar::CubeIdx,
            SpecialScalar::VecIdx,
            SpecialScalar::SubBlockIdx,
        ];
        let named = all.into_iter();
        let named = named.filter_map(|it| self.symbols.named_as(&Meaning::Special(it)));
        let narrowed = named.filter(|&symbol| self.symbols.is_narrowed(symbol));
        narrowed.map(Linear::symbol).collect()
    }

    /// Returns the symbols from which some numbers are computed, among `symbols` and the index of the vec lane in its
    /// core.
    pub fn places_of(&mut self, numbers: &[Linear], symbols: &[Symbol]) -> Vec<Symbol> {
        let own = self.symbols.special(SpecialScalar::SubBlockIdx);
        let wanted = symbols.iter().copied().chain(own.symbols());
        let used = self.symbols.computed_from(numbers);
        wanted.filter(|symbol| used.contains(symbol)).collect()
    }

    /// Returns the numbers from which some numbers are computed, see [`Symbols::parts_of`].
    pub fn parts_of(&self, numbers: &[Linear]) -> Vec<Linear> {
        self.symbols.parts_of(numbers)
    }

    /// Lists the values that some numbers can have together here, see [`Symbols::combinations`].
    pub fn combinations(
        &self,
        numbers: &[(Linear, Wanted)],
        most: usize,
        proved: Option<&Proved>,
    ) -> Result<Vec<Vec<i64>>, Unlisted> {
        self.symbols.combinations(numbers, most, proved)
    }

    /// Returns the residue class of a number.
    pub fn congruence_of(&self, number: &Linear) -> Congruence {
        self.symbols.congruence(number)
    }

    /// Returns the value of a number in the first pass through every surrounding loop.
    pub fn on_first_pass(&mut self, number: &Linear) -> Linear {
        self.symbols.on_first_pass(number)
    }

    /// Returns whether a condition holds here, in iterations in which none of `facts` is negative; with a
    /// mark, in the iteration in which symbols from the mark on have the values from before the loop. `None`
    /// if undecided.
    pub fn decide(
        &mut self,
        condition: ScalarId,
        entered: Option<u32>,
        facts: &[Linear],
    ) -> Option<bool> {
        match self.program.scalars.get(condition) {
            Scalar::Unary(UnaryOp::Not, a) => self.decide(a, entered, facts).map(|holds| !holds),
            Scalar::Binary(BinaryOp::And, a, b) => {
                match [a, b].map(|it| self.decide(it, entered, facts)) {
                    [Some(false), _] | [_, Some(false)] => Some(false),
                    [Some(true), Some(true)] => Some(true),
                    _ => None,
                }
            }
            Scalar::Binary(BinaryOp::Or, a, b) => {
                match [a, b].map(|it| self.decide(it, entered, facts)) {
                    [Some(true), _] | [_, Some(true)] => Some(true),
                    [Some(false), Some(false)] => Some(false),
                    _ => None,
                }
            }
            Scalar::Compare(op, a, b) => {
                let of = self.program.scalars.operation_type(condition).dtype;
                let (mut a, mut b) = (self.operand(a, of)?, self.operand(b, of)?);
                if let Some(mark) = entered {
                    (a, b) = (
                        self.symbols.on_entry(&a, mark),
                        self.symbols.on_entry(&b, mark),
                    );
                }
                let before = self.symbols.assumptions();
                for fact in facts {
                    let fact = match entered {
                        Some(mark) => self.symbols.on_entry(fact, mark),
                        None => fact.clone(),
                    };
                    let zero = Linear::constant(0);
                    self.symbols.assume_not_above(&zero, &fact);
                }
                let holds = self.holds(op, &a, &b);
                self.symbols.forget(before);
                holds
            }
            _ => None,
        }
    }

    fn holds(&self, op: CompareOp, a: &Linear, b: &Linear) -> Option<bool> {
        let is_below = |a: &Linear, b: &Linear| {
            let next = a.plus(1);
            next.is_some_and(|next| self.symbols.is_not_above(&next, b))
        };
        let order = |holds: bool, fails: bool| match (holds, fails) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        };
        let is_not_above = |a, b| self.symbols.is_not_above(a, b);
        match op {
            CompareOp::Lt => order(is_below(a, b), is_not_above(b, a)),
            CompareOp::Le => order(is_not_above(a, b), is_below(b, a)),
            CompareOp::Gt => order(is_below(b, a), is_not_above(a, b)),
            CompareOp::Ge => order(is_not_above(b, a), is_below(a, b)),
            CompareOp::Eq => order(
                is_not_above(a, b) && is_not_above(b, a),
                is_below(a, b) || is_below(b, a),
            ),
            CompareOp::Ne => self.holds(CompareOp::Eq, a, b).map(|holds| !holds),
        }
    }

    /// Returns whether `a <= b` is certain here.
    pub fn is_not_above(&self, a: &Linear, b: &Linear) -> bool {
        self.symbols.is_not_above(a, b)
    }

    /// Assumes, until the next `forget`, that a condition holds, or that it does not.
    pub(super) fn assume(&mut self, condition: ScalarId, holds: bool) {
        let zero = Linear::constant(0);
        for fact in self.implied(condition, holds) {
            self.symbols.assume_not_above(&zero, &fact);
        }
    }

    /// Returns numbers that are not negative where a condition holds, or where it does not.
    pub fn implied(&mut self, condition: ScalarId, holds: bool) -> Vec<Linear> {
        match self.program.scalars.get(condition) {
            Scalar::Unary(UnaryOp::Not, a) => self.implied(a, !holds),
            // A conjunction that fails, and a disjunction that holds, tell nothing of a single part.
            Scalar::Binary(BinaryOp::And, a, b) if holds => {
                let mut both = self.implied(a, true);
                both.extend(self.implied(b, true));
                both
            }
            Scalar::Binary(BinaryOp::Or, a, b) if !holds => {
                let mut both = self.implied(a, false);
                both.extend(self.implied(b, false));
                both
            }
            Scalar::Compare(op, a, b) => {
                let of = self.program.scalars.operation_type(condition).dtype;
                match (self.operand(a, of), self.operand(b, of)) {
                    (Some(a), Some(b)) => {
                        self.implied_order(if holds { op } else { op.negated() }, &a, &b)
                    }
                    _ => Vec::new(),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Returns numbers that are all non-negative exactly where a condition holds.
    pub fn condition(&mut self, condition: ScalarId) -> Option<Vec<Linear>> {
        match self.program.scalars.get(condition) {
            Scalar::Binary(BinaryOp::And, a, b) => {
                let mut both = self.condition(a)?;
                both.extend(self.condition(b)?);
                Some(both)
            }
            Scalar::Compare(op, a, b) => {
                let of = self.program.scalars.operation_type(condition).dtype;
                let (a, b) = (self.operand(a, of)?, self.operand(b, of)?);
                let (up, down) = (b.minus(&a)?, a.minus(&b)?);
                Some(match op {
                    CompareOp::Le => vec![up],
                    CompareOp::Ge => vec![down],
                    CompareOp::Lt => vec![up.plus(-1)?],
                    CompareOp::Gt => vec![down.plus(-1)?],
                    CompareOp::Eq => vec![up, down],
                    // A conjunction of inequalities only where one of them cannot be larger.
                    CompareOp::Ne => {
                        let differs = self.implied_order(CompareOp::Ne, &a, &b);
                        (!differs.is_empty()).then_some(differs)?
                    }
                })
            }
            _ => None,
        }
    }

    fn implied_order(&self, op: CompareOp, a: &Linear, b: &Linear) -> Vec<Linear> {
        let (up, down) = (b.minus(a), a.minus(b));
        let more = |gap: Option<Linear>| gap.and_then(|gap| gap.plus(-1));
        let facts = match op {
            CompareOp::Le => [up, None],
            CompareOp::Ge => [down, None],
            CompareOp::Lt => [more(up), None],
            CompareOp::Gt => [more(down), None],
            CompareOp::Eq => [up, down],
            // An inequality only where one of them cannot be larger.
            CompareOp::Ne if self.symbols.is_not_above(a, b) => [more(up), None],
            CompareOp::Ne if self.symbols.is_not_above(b, a) => [more(down), None],
            CompareOp::Ne => [None, None],
        };
        facts.into_iter().flatten().collect()
    }

    /// Returns a symbol for the value of the path that a branch has taken, if there are few paths with different
    /// values. `join` numbers the branch.
    pub(super) fn either(
        &mut self,
        join: u32,
        arrivals: &[Arrival],
        paths: &[Rc<Vec<Linear>>],
    ) -> Option<Linear> {
        if !(2..=MOST_PATHS).contains(&arrivals.len()) || arrivals.len() != paths.len() {
            return None;
        }
        let values: Option<Vec<Linear>> = arrivals.iter().map(|it| it.0.clone()).collect();
        let values = values?;
        let first = values.first()?;
        // Values that differ by constants are joined as a sum.
        let differs = |value: &Linear| {
            value
                .minus(first)
                .is_none_or(|it| it.as_constant().is_none())
        };
        if !values.iter().any(differs) {
            return None;
        }
        let ranges = arrivals.iter().map(|it| it.1);
        let range = ranges.reduce(Interval::hull)?;
        let classes = values.iter().map(|value| self.symbols.congruence(value));
        let class = classes.reduce(Congruence::join)?;
        let bounds = |low: bool| {
            let is_end = |value: &&Linear| {
                values.iter().all(|other| match low {
                    true => self.symbols.is_not_above(value, other),
                    false => self.symbols.is_not_above(other, value),
                })
            };
            values.iter().find(is_end).cloned()
        };
        let (lowest, highest) = (bounds(true), bounds(false));
        let all = values.into_iter().zip(paths.iter().cloned()).collect();
        let either = self.fresh(Meaning::Either(join, all), range, class);
        if let Some(lowest) = lowest {
            self.symbols.assume_not_above(&lowest, &either);
        }
        if let Some(highest) = highest {
            self.symbols.assume_not_above(&either, &highest);
        }
        Some(either)
    }
}

/// Returns whether the program may compute a remainder modulo a product of parameters.
fn takes_remainders_by_products(program: &Program) -> bool {
    let mut all = (0..program.scalars.len() as u32).map(ScalarId);
    all.any(|id| match program.scalars.get(id) {
        Scalar::Binary(BinaryOp::Mod | BinaryOp::FloorMod, _, by) => {
            match program.scalars.get(by) {
                Scalar::Int(_) => false,
                Scalar::Variable(id) => program.variable(id).kind != VariableKind::Param,
                _ => true,
            }
        }
        _ => false,
    })
}
