//! Integers that may leave their types, and divisors that may be 0.

use rustc_hash::FxHashSet;

use super::Linear;
use super::scalar::{
    Given, Interval, Number, Polynomial, State, Visitor, walk_for_growth, walk_within,
};
use super::under::sizes;
use a2lint_ir::{
    BinaryOp, Instr, Program, Scalar, ScalarId, Stmt, StmtId, StmtKind, UnaryOp, VariableId, View,
};
use a2lint_isa::DType;

/// Something that may go wrong with a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stray {
    /// The statement that computes it.
    pub stmt: StmtId,
    /// What may happen.
    pub kind: StrayKind,
}

/// What may happen to a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StrayKind {
    /// It is divided by 0.
    DivisionByZero,
    /// It leaves its type: for all that is known, it is one of these.
    Overflow(Interval, DType),
}

/// Most numbers that launches are asked to keep inside of their types.
const MOST_REACHES: usize = 16;

/// How large the numbers of a launch may be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Integer parameters.
    pub sizes: Vec<Given>,
    /// Extents of tensors.
    pub extents: i64,
}

impl Limits {
    /// The same for all; parameters are at least 1.
    pub fn all(program: &Program, limit: i64) -> Limits {
        Limits {
            sizes: positive(program, limit),
            extents: limit,
        }
    }
}

/// Integer parameters of at least 1 and at most so much.
pub fn positive(program: &Program, max: i64) -> Vec<Given> {
    let sizes = sizes(program).into_iter();
    let given = |parameter| Given {
        range: Interval { min: 1, max },
        ..Given::at_least_one(parameter)
    };
    sizes.map(given).collect()
}

/// The first scalar of a kernel that may go wrong, in launches within limits, or in any.
pub fn stray(program: &Program, limits: Option<&Limits>) -> Option<Stray> {
    let given = limits.map_or(&[][..], |limits| &limits.sizes);
    let mut collect = Collect {
        program,
        found: None,
        reaches: None,
    };
    walk_within(
        program,
        given,
        limits.map(|limits| limits.extents),
        &mut collect,
    );
    collect.found
}

/// A number that may leave its type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reach {
    /// What it is never above, or its negation is.
    pub growth: Polynomial,
    /// What its type can hold of that.
    pub most: i64,
}

impl Reach {
    /// It, or a little more, so that launches that keep it keep another one, too.
    fn covering(&self, other: &Reach) -> Option<Reach> {
        let is_below = other.most >= self.most && other.growth.is_below(&self.growth);
        let growth = match is_below {
            true => self.growth.clone(),
            false => self.growth.covering(self.most, &other.growth, other.most)?,
        };
        Some(Reach { growth, ..*self })
    }
}

/// The numbers that may leave their types in launches with such parameters and extents of at most `extents`, those
/// that others include left out. `None` where anything else may go wrong, or where a number grows with a parameter
/// that may be below 1.
pub fn reaches(program: &Program, given: &[Given], extents: i64) -> Option<Vec<Reach>> {
    let mut collect = Collect {
        program,
        found: None,
        reaches: Some(Vec::new()),
    };
    walk_for_growth(program, given, Some(extents), &mut collect);
    // A branch may know more of a parameter than all launches do: which of two numbers is larger is told for
    // parameters of at least 1 alone.
    let is_low = |id: &VariableId| {
        given
            .iter()
            .any(|it| it.parameter == *id && it.range.min < 1)
    };
    let names_low = |reach: &Reach| {
        let (terms, _) = reach.growth.whole();
        terms.iter().any(|(product, _)| product.iter().any(is_low))
    };
    let reaches = collect.reaches.filter(|_| collect.found.is_none());
    reaches.filter(|all| !all.iter().any(names_low))
}

struct Collect<'p> {
    program: &'p Program,
    found: Option<Stray>,
    /// What is asked of launches so that numbers stay inside of their types, if that is wanted.
    reaches: Option<Vec<Reach>>,
}

impl<'p> Visitor<'p> for Collect<'p> {
    fn statement(&mut self, state: &mut State<'p>, stmt: &'p Stmt) {
        if self.found.is_some() {
            return;
        }
        let mut looked_at = FxHashSet::default();
        let kind = match &stmt.kind {
            StmtKind::Instr(instr) => {
                let mut scalars = used(instr).into_iter();
                scalars.find_map(|id| self.look_at(state, id, &mut looked_at))
            }
            StmtKind::Assign { variable, value } => self
                .look_at(state, *value, &mut looked_at)
                .or_else(|| self.kept(state, *variable, *value)),
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                ..
            } => [start, stop, step]
                .into_iter()
                .find_map(|&id| self.look_at(state, id, &mut looked_at))
                .or_else(|| self.last(state, *variable, [*stop, *step])),
            StmtKind::If { arms, .. } => arms
                .iter()
                .find_map(|arm| self.look_at(state, arm.condition, &mut looked_at)),
            _ => None,
        };
        self.found = kind.map(|kind| Stray {
            stmt: stmt.id,
            kind,
        });
    }
}

impl<'p> Collect<'p> {
    /// That a number may leave its type, unless that is known by how it grows.
    fn overflow(&mut self, state: &State, number: Number, dtype: DType) -> Option<StrayKind> {
        let range = number
            .as_ref()
            .map_or(Interval::ANY, |number| state.range_of(number));
        let limits = Interval::of(dtype);
        let is_low = range.min == i64::MIN || range.min < limits.min;
        let is_high = range.max == i64::MAX || range.max > limits.max;
        let is_asked = |this: &mut Self, is_open: bool, sign: i64, most: i64| {
            !is_open
                || number
                    .as_ref()
                    .and_then(|number| this.ask(state, &number.times(sign)?, most))
                    .is_some()
        };
        let fits = is_asked(self, is_high, 1, limits.max)
            && is_asked(self, is_low, -1, limits.min.saturating_neg());
        (!fits).then_some(StrayKind::Overflow(range, dtype))
    }

    /// Asks of launches that a number is at most so large.
    fn ask(&mut self, state: &State, number: &Linear, most: i64) -> Option<()> {
        let reaches = self.reaches.as_mut()?;
        let growth = state.growth(number)?;
        // What no launch satisfies is of no use.
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

    /// What may go wrong in an expression. Expressions are at most as deep as the arena allows.
    fn look_at(
        &mut self,
        state: &mut State<'p>,
        id: ScalarId,
        looked_at: &mut FxHashSet<ScalarId>,
    ) -> Option<StrayKind> {
        if !looked_at.insert(id) {
            return None;
        }
        let scalars = &self.program.scalars;
        let dtype = scalars.operation_type(id).dtype;
        match scalars.get(id) {
            Scalar::Unary(op, a) => {
                let inner = self.look_at(state, a, looked_at);
                inner.or_else(|| self.unary(state, op, a, dtype))
            }
            Scalar::Compare(_, a, b) => {
                let first = self.look_at(state, a, looked_at);
                let inner = first.or_else(|| self.look_at(state, b, looked_at));
                inner.or_else(|| self.converted(state, &[a, b], dtype))
            }
            Scalar::Binary(op, a, b) => {
                let first = self.look_at(state, a, looked_at);
                let inner = first.or_else(|| self.look_at(state, b, looked_at));
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
    ) -> Option<StrayKind> {
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
    ) -> Option<StrayKind> {
        if dtype.is_float() || matches!(op, BinaryOp::And | BinaryOp::Or) {
            return None;
        }
        // Of these, the result is right if it fits, whatever its operands were taken for.
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
        let divisor = b.as_ref().map_or(Interval::ANY, |b| state.range_of(b));
        if divides && divisor.contains(0) {
            return Some(StrayKind::DivisionByZero);
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

    /// Whether an operation in a type takes its operands for what they are.
    fn converted(
        &mut self,
        state: &mut State<'p>,
        operands: &[ScalarId],
        dtype: DType,
    ) -> Option<StrayKind> {
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

    /// Whether a variable holds what it is given.
    fn kept(
        &mut self,
        state: &mut State<'p>,
        variable: VariableId,
        value: ScalarId,
    ) -> Option<StrayKind> {
        let dtype = self.program.variable(variable).dtype;
        let dtype = dtype.filter(|dtype| !dtype.is_float())?;
        if self.program.scalars.operation_type(value).dtype.is_float() {
            return None;
        }
        let value = state.number(value);
        self.overflow(state, value, dtype)
    }

    /// Whether a counter holds what ends its loop.
    fn last(
        &mut self,
        state: &mut State<'p>,
        variable: VariableId,
        bounds: [ScalarId; 2],
    ) -> Option<StrayKind> {
        let dtype = self.program.variable(variable).dtype.unwrap_or(DType::Int);
        let [stop, step] = bounds.map(|id| state.number(id));
        let last = state.binary(BinaryOp::Add, stop, step);
        self.overflow(state, last, dtype)
    }
}

/// The scalars of arguments and views.
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
                scalars.extend(view.offset.iter().chain(&view.span));
            }
            View::Global(view) => {
                scalars.extend(view.axes.iter().flat_map(|axis| [axis.start, axis.span]));
            }
        }
    }
    scalars
}
