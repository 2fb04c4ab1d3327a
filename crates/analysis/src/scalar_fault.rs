//! Integers that may overflow their types, and divisors that may be 0.

use rustc_hash::FxHashSet;

use super::Linear;
use super::preconditions::sizes;
use super::proof::{Disjointness, Places};
use super::scalar::{
    Given, Interval, Number, Polynomial, State, Symbols, Visitor, walk_for_growth, walk_within,
};
use a2lint_ir::{
    BinaryOp, Instr, Program, Scalar, ScalarId, Stmt, StmtId, StmtKind, Sum, UnaryOp, VariableId,
    View,
};
use a2lint_isa::DType;

/// A fault that a scalar may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScalarFault {
    /// The statement that computes it.
    pub stmt: StmtId,
    /// The fault.
    pub kind: ScalarFaultKind,
}

/// The kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarFaultKind {
    /// The scalar may be divided by 0.
    DivisionByZero,
    /// The scalar, an index, may be outside of its array. The intervals contain its values and the length.
    Index(Interval, Interval),
    /// The scalar, a number of bytes, may be no multiple of the size of an element.
    Multiple(i64),
    /// The scalar may overflow its type; the interval contains its values.
    Overflow(Interval, DType),
}

/// Maximum number of expressions that launches are required to keep within their types.
const MOST_REACHES: usize = 16;

/// Limits on the numbers of a launch.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The values of integer parameters.
    pub sizes: Vec<Given>,
    /// The largest extent of tensors.
    pub extents: i64,
}

impl Limits {
    /// Creates the same limit for all; parameters are at least 1.
    pub fn all(program: &Program, limit: i64) -> Limits {
        Limits {
            sizes: positive(program, limit),
            extents: limit,
        }
    }
}

/// Returns all integer parameters with values from 1 to `max`.
pub fn positive(program: &Program, max: i64) -> Vec<Given> {
    let sizes = sizes(program).into_iter();
    let given = |parameter| Given {
        range: Interval { min: 1, max },
        ..Given::at_least_one(parameter)
    };
    sizes.map(given).collect()
}

/// Returns whether proofs about a kernel take some integer to stay inside of its type although its range does not show
/// it. That holds in launches for which [`scalar_fault`] finds nothing.
pub fn relies_on_types(program: &Program) -> bool {
    walk_within(program, &[], None, &mut Evaluate { program }).relies_on_types
}

/// Evaluates every scalar that statements use.
struct Evaluate<'p> {
    program: &'p Program,
}

impl<'p> Visitor<'p> for Evaluate<'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if let StmtKind::Instr(instr) = &stmt.kind {
            for id in used(instr) {
                if !self.program.scalars.operation_type(id).dtype.is_float() {
                    state.number(id);
                }
            }
        }
    }
}

/// Returns the first scalar of a kernel that may be faulty, in launches within limits, or in any.
pub fn scalar_fault(program: &Program, limits: Option<&Limits>) -> Option<ScalarFault> {
    let given = limits.map_or(&[][..], |limits| &limits.sizes);
    let mut collect = Collect::new(program, None);
    let extents = limits.map(|limits| limits.extents);
    let symbols = walk_within(program, given, extents, &mut collect);
    collect.fault(symbols)
}

/// A number that may overflow its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// An upper bound of the number, or of its negation.
    pub growth: Polynomial,
    /// The largest value of the number, or of its negation, that the type can hold.
    pub most: i64,
}

impl Reach {
    /// Returns a bound that implies both this one and `other`: this one, or one whose growth is slightly larger.
    fn covering(&self, other: &Reach) -> Option<Reach> {
        let is_below = other.most >= self.most && other.growth.is_below(&self.growth);
        let growth = match is_below {
            true => self.growth.clone(),
            false => self.growth.covering(self.most, &other.growth, other.most)?,
        };
        Some(Reach { growth, ..*self })
    }
}

/// Returns the numbers that may overflow their types in launches with the parameters `given` and extents of at most
/// `extents`, without numbers whose bounds follow from the bounds of others. `None` if there is any other fault, or if
/// a number grows with a parameter that may be below 1.
pub fn reaches(program: &Program, given: &[Given], extents: i64) -> Option<Vec<Reach>> {
    let mut collect = Collect::new(program, Some(Vec::new()));
    let symbols = walk_for_growth(program, given, Some(extents), &mut collect);
    if collect.fault(symbols).is_some() {
        return None;
    }
    // Inside of a branch a parameter may be at least 1 although launches admit less: polynomials are compared
    // for parameters of at least 1 only.
    let is_low = |id: &VariableId| {
        given
            .iter()
            .any(|it| it.parameter == *id && it.range.min < 1)
    };
    let names_low = |reach: &Reach| {
        let (terms, _) = reach.growth.whole();
        terms.iter().any(|(product, _)| product.iter().any(is_low))
    };
    let reaches = collect.reaches;
    reaches.filter(|all| !all.iter().any(names_low))
}

/// Returns sums that launches have to keep from being negative, such that integers are not below the limits of their
/// types, as far as such sums are found.
pub fn demands_of_scalars(program: &Program) -> Vec<Sum> {
    let given = positive(program, i64::MAX);
    let mut collect = Collect::new(program, Some(Vec::new()));
    let symbols = walk_for_growth(program, &given, Some(i64::from(i32::MAX)), &mut collect);
    let places = Places::bare(symbols);
    let apart = Disjointness::new(&places);
    let mut wanted: Vec<Sum> = Vec::new();
    for Doubt { facts, number, .. } in collect.open {
        if !apart.is_natural(&facts, &number) {
            let sums = apart.demands_natural(&facts, &number).unwrap_or_default();
            wanted.extend(
                sums.into_iter()
                    .filter(|sum| !wanted.contains(sum))
                    .collect::<Vec<_>>(),
            );
        }
    }
    // With differences that are not negative, most products of them are not either.
    let is_linear = |sum: &Sum| sum.terms.iter().all(|(factors, _)| factors.len() <= 1);
    if wanted.iter().any(is_linear) {
        wanted.retain(is_linear);
    }
    wanted
}

struct Collect<'p> {
    program: &'p Program,
    found: Option<ScalarFault>,
    /// The bounds that launches have to keep, if these are wanted.
    reaches: Option<Vec<Reach>>,
    /// Numbers that polynomials may show to be in their types.
    open: Vec<Doubt>,
    /// The current statement.
    stmt: StmtId,
}

/// Maximum number of expressions whose bounds are left to polynomials.
const MOST_DOUBTS: usize = 64;

/// A number that may be below the limit of its type, as far as ranges tell.
struct Doubt {
    fault: ScalarFault,
    /// It has to be at least zero: the number minus the limit.
    number: Linear,
    /// Expressions that are not negative at its statement.
    facts: Vec<Linear>,
}

impl<'p> Collect<'p> {
    fn new(program: &'p Program, reaches: Option<Vec<Reach>>) -> Collect<'p> {
        Collect {
            program,
            found: None,
            reaches,
            open: Vec::new(),
            stmt: StmtId(0),
        }
    }

    /// Returns the first fault, given the symbols of the walk.
    fn fault(&mut self, symbols: Symbols) -> Option<ScalarFault> {
        let doubts = std::mem::take(&mut self.open);
        let found = self.found;
        if doubts.is_empty() {
            return found;
        }
        let places = Places::bare(symbols);
        let apart = Disjointness::new(&places);
        let is_low = |doubt: &Doubt| !apart.is_natural(&doubt.facts, &doubt.number);
        // Doubts arise in the order of the statements, before what was found at last.
        doubts
            .into_iter()
            .find(is_low)
            .map(|doubt| doubt.fault)
            .or(found)
    }

    /// Leaves it to polynomials whether a number is at least as large as the limit of its type.
    fn doubt(&mut self, state: &State, number: &Linear, range: Interval, dtype: DType) -> bool {
        let limit = Interval::of(dtype).min;
        let above = limit.checked_neg().and_then(|most| number.plus(most));
        let Some(number) = above.filter(|_| self.open.len() < MOST_DOUBTS) else {
            return false;
        };
        self.open.push(Doubt {
            fault: ScalarFault {
                stmt: self.stmt,
                kind: ScalarFaultKind::Overflow(range, dtype),
            },
            facts: state.facts(std::slice::from_ref(&number)),
            number,
        });
        true
    }
}

impl<'p> Visitor<'p> for Collect<'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if self.found.is_some() {
            return;
        }
        self.stmt = stmt.id;
        let mut visited = FxHashSet::default();
        let kind = match &stmt.kind {
            StmtKind::Instr(instr) => {
                let mut scalars = used(instr).into_iter();
                scalars.find_map(|id| self.look_at(state, id, &mut visited))
            }
            StmtKind::Assign { variable, value } => self
                .look_at(state, *value, &mut visited)
                .or_else(|| self.kept(state, *variable, *value)),
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                ..
            } => [start, stop, step]
                .into_iter()
                .find_map(|&id| self.look_at(state, id, &mut visited))
                .or_else(|| self.last(state, *variable, [*stop, *step])),
            StmtKind::If { arms, .. } => arms
                .iter()
                .find_map(|arm| self.look_at(state, arm.condition, &mut visited)),
            _ => None,
        };
        self.found = kind.map(|kind| ScalarFault {
            stmt: stmt.id,
            kind,
        });
    }
}

impl<'p> Collect<'p> {
    /// Reports that a number may overflow its type, unless a bound on the launch excludes it.
    fn overflow(&mut self, state: &State, number: Number, dtype: DType) -> Option<ScalarFaultKind> {
        let range = number
            .as_ref()
            .map_or(Interval::ANY, |number| state.range_of(number));
        let limits = Interval::of(dtype);
        // A number without a bound may be outside of every type, also of 64 bits.
        let is_low = range.min == i64::MIN || range.min < limits.min;
        let is_high = range.max == i64::MAX || range.max > limits.max;
        let is_asked = |this: &mut Self, is_open: bool, sign: i64, most: i64| {
            !is_open
                || number
                    .as_ref()
                    .and_then(|number| this.ask(state, &number.times(sign)?, most))
                    .is_some()
        };
        // A difference that may not be negative has no polynomial limit that useful sizes keep.
        let is_signed = limits.min < 0;
        let fits = is_asked(self, is_high, 1, limits.max)
            && (!is_low
                || is_signed && is_asked(self, is_low, -1, limits.min.saturating_neg())
                || number
                    .as_ref()
                    .is_some_and(|number| self.doubt(state, number, range, dtype)));
        (!fits).then_some(ScalarFaultKind::Overflow(range, dtype))
    }

    /// Requires of launches that a number is at most `most`.
    fn ask(&mut self, state: &State, number: &Linear, most: i64) -> Option<()> {
        let reaches = self.reaches.as_mut()?;
        let growth = state.growth(number)?;
        // A bound that not even sizes of 1 keep is useless.
        if !growth.is_at_most(most, |_| Some(1)) {
            return None;
        }
        let reach = Reach { growth, most };
        let included = reaches.iter().position(|known| {
            let covering = known.covering(&reach);
            covering.is_some()
        });
        match included {
            Some(at) => reaches[at] = reaches[at].covering(&reach)?,
            None => {
                let covers = |mut reach: Reach, known: &Reach| {
                    if let Some(covering) = reach.covering(known) {
                        reach = covering;
                    }
                    reach
                };
                let whole = reaches.iter().fold(reach, covers);
                reaches.retain(|known| whole.covering(known).as_ref() != Some(&whole));
                reaches.push(whole);
            }
        }
        (reaches.len() <= MOST_REACHES).then_some(())
    }

    /// Returns the fault of an expression. The arena limits the depth of expressions, so recursion is safe.
    fn look_at(
        &mut self,
        state: &mut State<'p>,
        id: ScalarId,
        visited: &mut FxHashSet<ScalarId>,
    ) -> Option<ScalarFaultKind> {
        // Expressions share subexpressions, and each is examined once for a statement.
        if !visited.insert(id) {
            return None;
        }
        let scalars = &self.program.scalars;
        let dtype = scalars.operation_type(id).dtype;
        match scalars.get(id) {
            Scalar::Unary(op, a) => {
                let inner = self.look_at(state, a, visited);
                inner.or_else(|| self.unary(state, op, a, dtype))
            }
            Scalar::Compare(_, a, b) => {
                let first = self.look_at(state, a, visited);
                let inner = first.or_else(|| self.look_at(state, b, visited));
                inner.or_else(|| self.converted(state, &[a, b], dtype))
            }
            Scalar::Binary(op, a, b) => {
                let first = self.look_at(state, a, visited);
                let inner = first.or_else(|| self.look_at(state, b, visited));
                inner.or_else(|| self.binary(state, op, [a, b], dtype))
            }
            _ => None,
        }
    }

    fn unary(
        &mut self,
        state: &mut State<'p>,
        op: UnaryOp,
        a: ScalarId,
        dtype: DType,
    ) -> Option<ScalarFaultKind> {
        if dtype.is_float() || op == UnaryOp::Not {
            return None;
        }
        if op == UnaryOp::Abs
            && let Some(kind) = self.converted(state, &[a], dtype)
        {
            return Some(kind);
        }
        let number = state.number(a);
        let result = match op {
            // An absolute value leaves the type only where the negation of its operand does.
            UnaryOp::Negate | UnaryOp::Abs => number.and_then(|number| number.times(-1)),
            _ => number,
        };
        self.overflow(state, result, dtype)
    }

    fn binary(
        &mut self,
        state: &mut State<'p>,
        op: BinaryOp,
        operands: [ScalarId; 2],
        dtype: DType,
    ) -> Option<ScalarFaultKind> {
        if dtype.is_float() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            return None;
        }
        // The result of these is correct modulo the type's size, even if operands have wrapped.
        let is_modular = matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul);
        if !is_modular && let Some(kind) = self.converted(state, &operands, dtype) {
            return Some(kind);
        }
        let [a, b] = operands.map(|id| state.number(id));
        let divides = matches!(
            op,
            BinaryOp::Div
                | BinaryOp::FloorDiv
                | BinaryOp::FloorMod
                | BinaryOp::Mod
                | BinaryOp::CeilDiv
                | BinaryOp::AlignUp
        );
        if op == BinaryOp::Index {
            let at = a.as_ref().map_or(Interval::ANY, |a| state.range_of(a));
            let length = b.as_ref().map_or(Interval::ANY, |b| state.range_of(b));
            let is_inside = at.min >= 0 && at.max < length.min;
            return (!is_inside).then_some(ScalarFaultKind::Index(at, length));
        }
        if op == BinaryOp::Multiple {
            let size = b.as_ref().and_then(|b| b.as_constant()).unwrap_or(0);
            let class = a.as_ref().map(|a| state.congruence_of(a));
            let is_whole = class.is_some_and(|class| class.divided_by(size));
            return (!is_whole).then_some(ScalarFaultKind::Multiple(size));
        }
        let divisor = b.as_ref().map_or(Interval::ANY, |b| state.range_of(b));
        if divides && divisor.contains(0) {
            return Some(ScalarFaultKind::DivisionByZero);
        }
        if matches!(op, BinaryOp::CeilDiv | BinaryOp::AlignUp) {
            let sum = state.binary(BinaryOp::Add, a.clone(), b.clone());
            if let Some(kind) = self.overflow(state, sum, dtype) {
                return Some(kind);
            }
        }
        let result = state.binary(op, a, b);
        self.overflow(state, result, dtype)
    }

    /// Reports an operand that changes its value by conversion to the type of the operation.
    fn converted(
        &mut self,
        state: &mut State<'p>,
        operands: &[ScalarId],
        dtype: DType,
    ) -> Option<ScalarFaultKind> {
        if dtype.is_float() {
            return None;
        }
        let scalars = &self.program.scalars;
        let is_other = |id: &&ScalarId| match scalars.type_of(**id) {
            Some(of) => of.dtype != dtype && !of.dtype.is_float(),
            None => true,
        };
        operands.iter().filter(is_other).find_map(|&id| {
            let number = state.number(id);
            self.overflow(state, number, dtype)
        })
    }

    /// Reports a value that does not fit its variable.
    fn kept(
        &mut self,
        state: &mut State<'p>,
        variable: VariableId,
        value: ScalarId,
    ) -> Option<ScalarFaultKind> {
        let dtype = self.program.variable(variable).dtype;
        let dtype = dtype.filter(|dtype| !dtype.is_float())?;
        if self.program.scalars.operation_type(value).dtype.is_float() {
            return None;
        }
        let value = state.number(value);
        self.overflow(state, value, dtype)
    }

    /// Reports a counter that may overflow when it reaches the end of its loop.
    fn last(
        &mut self,
        state: &mut State<'p>,
        variable: VariableId,
        bounds: [ScalarId; 2],
    ) -> Option<ScalarFaultKind> {
        let dtype = self.program.variable(variable).dtype.unwrap_or(DType::Int);
        let [stop, step] = bounds.map(|id| state.number(id));
        // When the loop ends, the counter is less than a step past the limit.
        let last = state.binary(BinaryOp::Add, stop, step);
        self.overflow(state, last, dtype)
    }
}

/// Returns the scalars of arguments and views.
fn used(instr: &Instr) -> Vec<ScalarId> {
    let mut scalars: Vec<ScalarId> = instr
        .args
        .iter()
        .filter_map(|arg| arg.value.scalar())
        .collect();
    for (_, _, view) in instr.operands() {
        match view {
            View::Local(view) => {
                scalars.push(view.slot);
                scalars.extend(view.offset.iter().chain(&view.span).chain(&view.shape));
            }
            View::Global(view) => {
                scalars.extend(view.axes.iter().flat_map(|axis| [axis.start, axis.span]));
            }
        }
    }
    scalars
}
