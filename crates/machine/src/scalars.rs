//! The values of scalar expressions on one lane.
//!
//! Every operation is done in its type (`ir::arithmetic`): integers wrap and divide towards zero, as on
//! the device, floats round to `f32` at every operation and assignment. A literal that goes straight
//! into an instruction keeps its double precision until that instruction rounds it to its own type.
//!
//! Beside an integer that has wrapped, the exact one is kept. If both are equal again later (the low bits of
//! a product, a difference that is added back), no wrap is reported.

use std::sync::Arc;

use super::bound::BoundLaunch;
use super::lane_id::{LaneId, LaneKind};
use super::memory::Exactly;
use super::real_scalars::RealScalars;
use super::value::{Absence, Fault, Value, rounded, single};
use a2lint_ir::arithmetic::{
    ScalarType, compare_floats, compare_integers, float, floor_div, floor_mod, integer, wrapped,
};
use a2lint_ir::{
    BinaryOp, CompareOp, Program, Scalar, ScalarId, SpecialScalar, UnaryOp, VariableId,
};
use a2lint_isa::DType;

/// The exact integer beside one that may have wrapped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Exact {
    /// The same integer.
    #[default]
    Same,
    /// A different integer.
    Other(i128),
    /// A different integer that is too large to keep.
    Lost,
}

/// A value with its history.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Traced {
    value: Value,
    /// The integer that it would be without any wrapping.
    exact: Exact,
    /// Whether signed arithmetic of 32 or 64 bits has wrapped in its computation: C leaves that undefined,
    /// and the analysis excludes it where it knows no bounds.
    overflowed: bool,
}

impl Traced {
    /// Creates a value without any history.
    fn plain(value: Value) -> Traced {
        Traced::settled(value, false)
    }

    /// Creates a value that is no integer, or that nothing can wrap.
    fn settled(value: Value, overflowed: bool) -> Traced {
        Traced {
            value,
            exact: Exact::Same,
            overflowed,
        }
    }

    /// Returns the exact integer, or `None` for floats and integers that were too large to keep.
    fn exact(self) -> Option<i128> {
        match self.exact {
            Exact::Same => self.value.as_whole(),
            Exact::Other(value) => Some(value),
            Exact::Lost => None,
        }
    }

    /// Creates an integer result with its exact value.
    fn result(value: i128, exact: Option<i128>, overflowed: bool) -> Traced {
        // Negations and absolute values of exact integers are not checked: below this bound they stay within
        // i128.
        const FAR: i128 = 1 << 100;
        let exact = match exact {
            Some(exact) if exact == value => Exact::Same,
            Some(exact) if exact.abs() < FAR => Exact::Other(exact),
            _ => Exact::Lost,
        };
        Traced {
            value: Value::whole(value),
            exact,
            overflowed,
        }
    }

    /// Converts the value as an assignment to a variable of this type does.
    fn converted(self, dtype: Option<DType>) -> Traced {
        let value = self.value.converted(dtype);
        match (self.value.as_whole(), value.as_whole()) {
            (Some(_), Some(after)) => Traced::result(after, self.exact(), self.overflowed),
            (Some(_), None) | (None, _) => Traced::settled(value, self.overflowed),
        }
    }
}

/// An integer that had wrapped when it was used as an address, a size or a number of iterations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wrap {
    /// The expression.
    pub scalar: ScalarId,
    /// The value of the expression.
    pub value: i64,
    /// The value of the expression without wrapping, if that is known.
    pub exact: Option<i128>,
}

/// A set of variables, one bit for all whose number has the same remainder by 64.
pub type VariableSet = u64;

/// Returns for each scalar, by [`ScalarId`], the variables that it depends on and that a lane may change. Without any,
/// it keeps its value for the whole run of the lane.
pub fn variables_of_scalars(program: &Program) -> Arc<[VariableSet]> {
    let mut sets: Vec<VariableSet> = Vec::with_capacity(program.scalars.len());
    for index in 0..program.scalars.len() {
        let set = match program.scalars.get(ScalarId(index as u32)) {
            Scalar::Variable(id) if is_constant_parameter(program, id) => 0,
            Scalar::Variable(id) => 1 << bit(id),
            Scalar::Unary(_, a) => sets[a.0 as usize],
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                sets[a.0 as usize] | sets[b.0 as usize]
            }
            _ => 0,
        };
        sets.push(set);
    }
    sets.into()
}

/// Returns the bit of a variable in a [`VariableSet`].
fn bit(id: VariableId) -> usize {
    id.index() % VariableSet::BITS as usize
}

fn is_constant_parameter(program: &Program, id: VariableId) -> bool {
    let variable = program.variable(id);
    variable.kind == a2lint_ir::VariableKind::Param && variable.assignments == 0
}

/// Variables of one lane, and the values of expressions over them.
#[derive(Clone, Debug)]
pub struct Environment<'p> {
    program: &'p Program,
    launch: &'p BoundLaunch,
    /// The variables that each scalar depends on.
    depends: Arc<[VariableSet]>,
    lane: LaneId,
    variables: Vec<Traced>,
    /// Each value with the last epoch in which it was valid; [`FOREVER`] for scalars that keep their value.
    memo: Vec<(u32, Traced)>,
    epoch: u32,
    /// The epoch that the last assignment to a variable began, by its bit.
    changed: [u32; VariableSet::BITS as usize],
    pending: Vec<ScalarId>,
    /// Whether an overflowed value has decided a branch or the bounds of a loop.
    control_overflowed: bool,
    /// The first wrapped integer that was used since the last `take_wrap`.
    wrap: Option<Wrap>,
    /// The exact values of float variables, if they are tracked.
    reals: Option<RealScalars>,
}

const NEVER: u32 = 0;
const FOREVER: u32 = u32::MAX;

impl<'p> Environment<'p> {
    /// Creates the environment of a lane before its first statement: only parameters have values.
    pub fn new(
        program: &'p Program,
        launch: &'p BoundLaunch,
        depends: &Arc<[VariableSet]>,
        lane: LaneId,
    ) -> Environment<'p> {
        let mut variables: Vec<Traced> = (0..program.variables.len() as u32)
            .map(|id| Traced::plain(Value::Absent(Absence::Unassigned(VariableId(id)))))
            .collect();
        for &(id, value) in &launch.parameters {
            variables[id.index()] = Traced::plain(value);
        }
        let memo = vec![(NEVER, Traced::plain(Value::Int(0))); program.scalars.len()];
        Environment {
            program,
            launch,
            depends: Arc::clone(depends),
            lane,
            variables,
            memo,
            epoch: 1,
            changed: [NEVER; VariableSet::BITS as usize],
            pending: Vec::new(),
            control_overflowed: false,
            wrap: None,
            reals: None,
        }
    }

    /// Makes the environment track the exact values of floats.
    pub fn followed(mut self) -> Self {
        let given = self.launch.unrounded.iter();
        let given = given.map(|&(id, value)| (id, Exactly { value, blame: 0 }));
        self.reals = Some(given.collect());
        self
    }

    /// Returns the exact value of an expression, or `None` if exact values are not tracked, or the value
    /// itself is exact.
    pub fn exactly(&mut self, id: ScalarId) -> Option<Exactly> {
        // Taken out for the time being, since `value` needs all of the environment.
        let reals = self.reals.take()?;
        let exact = reals.of(id, &self.program.scalars, &mut |id| self.value(id));
        self.reals = Some(reals);
        exact
    }

    /// Returns the exact value of a variable, as [`Environment::exactly`].
    pub fn variable_exactly(&self, id: VariableId) -> Option<Exactly> {
        self.reals.as_ref()?.of_variable(id)
    }

    /// Assigns a value and its exact value to a variable.
    pub fn assign_exactly(&mut self, id: VariableId, value: Value, exact: Option<Exactly>) {
        self.assign(id, value);
        self.note_exactly(id, exact);
    }

    fn note_exactly(&mut self, id: VariableId, exact: Option<Exactly>) {
        if let Some(reals) = &mut self.reals {
            let is_float = matches!(self.variables[id.index()].value, Value::Float(_));
            reals.set(id, exact.filter(|_| is_float));
        }
    }

    /// Returns the lane.
    pub(super) fn lane(&self) -> LaneId {
        self.lane
    }

    /// Returns the values of all variables.
    pub(super) fn values(&self) -> Vec<Value> {
        self.variables.iter().map(|traced| traced.value).collect()
    }

    /// Assigns a value to a variable, converted to its type.
    pub fn assign(&mut self, id: VariableId, value: Value) {
        self.replace(id, Traced::plain(value));
        self.note_exactly(id, None);
    }

    /// Gives an expression a value that holds from now on, regardless of its operands.
    pub fn suppose(&mut self, id: ScalarId, value: Value) {
        self.begin_epoch();
        self.changed.fill(self.epoch);
        // Valid for ever, so that no assignment replaces it.
        self.memo[id.0 as usize] = (FOREVER, Traced::plain(value));
    }

    /// Assigns the current value of an expression to a variable, converted to its type.
    pub fn assign_scalar(&mut self, id: VariableId, scalar: ScalarId) {
        let traced = self.traced(scalar);
        let exact = self.exactly(scalar);
        self.replace(id, traced);
        self.note_exactly(id, exact);
    }

    fn replace(&mut self, id: VariableId, traced: Traced) {
        self.variables[id.index()] = traced.converted(self.program.variable(id).dtype);
        self.begin_epoch();
        self.changed[bit(id)] = self.epoch;
    }

    fn begin_epoch(&mut self) {
        self.epoch += 1;
        // `FOREVER` marks scalars that keep their value, so no epoch may reach it.
        if self.epoch == FOREVER {
            self.forget();
        }
    }

    /// Returns the current value of a variable.
    pub fn variable(&self, id: VariableId) -> Value {
        self.variables[id.index()].value
    }

    /// Records that an expression decides a branch or the bounds of a loop.
    pub fn follow(&mut self, id: ScalarId) {
        self.control_overflowed |= self.traced(id).overflowed;
    }

    /// Returns whether signed arithmetic of 32 or 64 bits has overflowed in the computation of an expression,
    /// or of the conditions that led to this place.
    pub fn overflowed(&mut self, id: ScalarId) -> bool {
        self.control_overflowed || self.traced(id).overflowed
    }

    /// Same as `overflowed` for a variable.
    pub fn variable_overflowed(&self, id: VariableId) -> bool {
        self.control_overflowed || self.variables[id.index()].overflowed
    }

    /// Returns, and forgets, the first wrapped integer that was used since the last call.
    pub fn take_wrap(&mut self) -> Option<Wrap> {
        self.wrap.take()
    }

    /// Restarts the epochs.
    fn forget(&mut self) {
        self.epoch = 1;
        self.changed.fill(NEVER);
        self.memo.fill((NEVER, Traced::plain(Value::Int(0))));
    }

    /// Returns the current value of an expression.
    pub fn value(&mut self, id: ScalarId) -> Value {
        self.traced(id).value
    }

    fn traced(&mut self, id: ScalarId) -> Traced {
        if let Some(value) = self.known(id) {
            return value;
        }
        // An explicit stack: expressions may be deeper than the call stack allows.
        self.pending.push(id);
        while let Some(&top) = self.pending.last() {
            let node = self.program.scalars.get(top);
            match self.missing_operand(node) {
                Some(operand) => self.pending.push(operand),
                None => {
                    let value = self.compute(top, node);
                    let epoch = match self.depends[top.0 as usize] {
                        0 => FOREVER,
                        _ => self.epoch,
                    };
                    self.memo[top.0 as usize] = (epoch, value);
                    self.pending.pop();
                }
            }
        }
        self.memo[id.0 as usize].1
    }

    /// Returns the current value as an address, a size or a number of iterations.
    pub fn int(&mut self, id: ScalarId) -> Result<i64, Absence> {
        let traced = self.traced(id);
        let value = traced.value.as_int()?;
        if traced.exact != Exact::Same && self.wrap.is_none() {
            self.wrap = Some(Wrap {
                scalar: id,
                value,
                exact: traced.exact(),
            });
        }
        Ok(value)
    }

    fn known(&mut self, id: ScalarId) -> Option<Traced> {
        let (epoch, value) = &mut self.memo[id.0 as usize];
        if *epoch == self.epoch || *epoch == FOREVER {
            return Some(*value);
        }
        if *epoch == NEVER {
            return None;
        }
        let mut variables = self.depends[id.0 as usize];
        while variables != 0 {
            if self.changed[variables.trailing_zeros() as usize] > *epoch {
                return None;
            }
            variables &= variables - 1;
        }
        *epoch = self.epoch;
        Some(*value)
    }

    fn missing_operand(&mut self, node: Scalar) -> Option<ScalarId> {
        let operands = match node {
            Scalar::Unary(_, a) => [Some(a), None],
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => [Some(a), Some(b)],
            _ => [None, None],
        };
        operands
            .into_iter()
            .flatten()
            .find(|&id| self.known(id).is_none())
    }

    /// Computes a node whose operands are known.
    fn compute(&self, id: ScalarId, node: Scalar) -> Traced {
        let operand = |id: ScalarId| self.memo[id.0 as usize].1;
        let of = self.program.scalars.operation_type(id);
        let value = match node {
            Scalar::Int(value) => Value::Int(value),
            Scalar::Large(value) => Value::Large(value),
            Scalar::Float(value) => Value::Float(value),
            Scalar::Variable(id) => return self.variables[id.index()],
            Scalar::Extent(global, axis) => self.launch.extent(global, axis),
            Scalar::Special(special) => self.special(special),
            Scalar::Unary(op, a) => return unary(of, op, operand(a)),
            Scalar::Binary(op, a, b) => return binary(id, of, op, operand(a), operand(b)),
            Scalar::Compare(op, a, b) => return compare(of, op, operand(a), operand(b)),
            Scalar::Unknown(_) => Value::Absent(Absence::Unknown),
        };
        Traced::plain(value)
    }

    /// Returns the value of a hardware query.
    pub fn special(&self, special: SpecialScalar) -> Value {
        let core = i64::from(self.lane.core);
        let sub_block = match self.lane.kind {
            LaneKind::Cube => None,
            LaneKind::Vec(index) => Some(i64::from(index)),
        };
        Value::Int(match special {
            SpecialScalar::CubeNum => i64::from(self.launch.cores),
            SpecialScalar::CubeIdx => core,
            SpecialScalar::VecNum => i64::from(self.launch.vec_lanes),
            SpecialScalar::VecIdx => sub_block.map_or(core, |index| 2 * core + index),
            SpecialScalar::SubBlockIdx => sub_block.unwrap_or(0),
        })
    }
}

fn unary(of: ScalarType, op: UnaryOp, a: Traced) -> Traced {
    if let Value::Absent(_) = a.value {
        return a;
    }
    let overflowed = a.overflowed;
    match (op, a.value.as_whole()) {
        (UnaryOp::Not, _) => {
            let is_false = a.value.as_bool() == Ok(false);
            Traced::settled(Value::Int(is_false.into()), overflowed)
        }
        (UnaryOp::Convert, None) if of.or_float => a.converted(None),
        (UnaryOp::Convert, _) => a.converted(Some(of.dtype)),
        (UnaryOp::Bits, Some(value)) if of.dtype.is_float() => {
            let value = f32::from_bits(wrapped(DType::UInt32, value) as u32);
            Traced::settled(Value::Float(value.into()), overflowed)
        }
        (UnaryOp::Bits, None) if !of.dtype.is_float() => {
            let bits = single(a.value).to_bits();
            Traced::settled(Value::whole(wrapped(of.dtype, bits.into())), overflowed)
        }
        // A variable holds values of its own type alone.
        (UnaryOp::Bits, _) => Traced::settled(Value::Absent(Absence::Unknown), overflowed),
        (UnaryOp::Negate | UnaryOp::Abs, Some(value)) if !of.dtype.is_float() => {
            let sign = |value: i128| match op {
                UnaryOp::Abs => value.abs(),
                _ => -value,
            };
            let value = wrapped(of.dtype, value);
            let result = wrapped(of.dtype, sign(value));
            let wraps = of.dtype.is_signed() && result != sign(value);
            Traced::result(result, a.exact().map(sign), overflowed || wraps)
        }
        (UnaryOp::Negate, _) => Traced::settled(rounded(-single(a.value)), overflowed),
        (UnaryOp::Abs, _) => Traced::settled(rounded(single(a.value).abs()), overflowed),
        (UnaryOp::Sqrt, _) => Traced::settled(rounded(single(a.value).sqrt()), overflowed),
    }
}

fn binary(id: ScalarId, of: ScalarType, op: BinaryOp, a: Traced, b: Traced) -> Traced {
    if let Value::Absent(_) = a.value {
        return a;
    }
    // The right operand of `a && b` and `a || b` is not evaluated if the left one decides.
    let decides = |truth: bool| op.is_logical() && truth != (op == BinaryOp::And);
    if let Ok(truth) = a.value.as_bool()
        && decides(truth)
    {
        return Traced::settled(Value::Int(truth.into()), a.overflowed);
    }
    if let Value::Absent(_) = b.value {
        return b;
    }
    let overflowed = a.overflowed || b.overflowed;
    if op.is_logical() {
        let (x, y) = (a.value.as_bool() == Ok(true), b.value.as_bool() == Ok(true));
        let truth = if op == BinaryOp::And { x && y } else { x || y };
        return Traced::settled(Value::Int(truth.into()), overflowed);
    }
    match (a.value.as_whole(), b.value.as_whole()) {
        (Some(x), Some(y)) if !of.dtype.is_float() => match integer(of.dtype, op, x, y) {
            Some(result) => {
                let exact = a.exact().zip(b.exact()).and_then(|(x, y)| exact(op, x, y));
                let wraps = result.wraps && of.dtype.is_signed();
                Traced::result(result.value, exact, overflowed || wraps)
            }
            None => {
                // For the message alone, so operands beyond i64 may be cut.
                let shown = |value: i128| i64::try_from(value).unwrap_or(i64::MAX);
                let fault = Fault {
                    scalar: id,
                    left: shown(x),
                    right: shown(y),
                };
                Traced::settled(Value::Absent(Absence::Fault(fault)), overflowed)
            }
        },
        _ => {
            let result = float(op, single(a.value), single(b.value));
            let value = result.map_or(Value::Absent(Absence::FloatOperation), rounded);
            Traced::settled(value, overflowed)
        }
    }
}

/// Computes an operation on integers of unlimited width; `None` if it has no result, or leaves 128 bits.
fn exact(op: BinaryOp, x: i128, y: i128) -> Option<i128> {
    match op {
        BinaryOp::Add => x.checked_add(y),
        BinaryOp::Sub => x.checked_sub(y),
        BinaryOp::Mul => x.checked_mul(y),
        BinaryOp::Div => x.checked_div(y),
        BinaryOp::Mod => x.checked_rem(y),
        BinaryOp::FloorDiv => floor_div(x, y),
        BinaryOp::FloorMod => floor_mod(x, y),
        BinaryOp::CeilDiv => x.checked_add(y)?.checked_sub(1)?.checked_div(y),
        BinaryOp::AlignUp => exact(BinaryOp::CeilDiv, x, y)?.checked_mul(y),
        BinaryOp::Min => Some(x.min(y)),
        BinaryOp::Max => Some(x.max(y)),
        BinaryOp::BitAnd => Some(x & y),
        BinaryOp::BitOr => Some(x | y),
        BinaryOp::BitXor => Some(x ^ y),
        BinaryOp::Shl => 1_i128.checked_shl(u32::try_from(y).ok()?)?.checked_mul(x),
        BinaryOp::Shr => x.checked_shr(u32::try_from(y).ok()?),
        BinaryOp::Index => (0..y).contains(&x).then_some(x),
        BinaryOp::Multiple => (x.checked_rem(y)? == 0).then_some(x),
        BinaryOp::And | BinaryOp::Or => None,
    }
}

fn compare(of: ScalarType, op: CompareOp, a: Traced, b: Traced) -> Traced {
    let holds = match (a.value, b.value) {
        (Value::Absent(_), _) => return a,
        (_, Value::Absent(_)) => return b,
        (x, y) => match x.as_whole().zip(y.as_whole()) {
            Some((x, y)) if !of.dtype.is_float() => compare_integers(of.dtype, op, x, y),
            _ => compare_floats(op, single(x), single(y)),
        },
    };
    let overflowed = a.overflowed || b.overflowed;
    Traced::settled(Value::Int(holds.into()), overflowed)
}
