//! Values of scalar expressions on one lane.
//!
//! Integers are `i64` and divide towards zero, as on the device. Floats of the device have 32
//! bits: every operation and every assignment rounds to `f32`. A literal that goes straight into
//! an instruction keeps its double precision until that instruction rounds it to its own type.

use super::lane_id::{LaneId, LaneKind};
use super::launch::BoundLaunch;
use crate::ir::{
    BinaryOp, CompareOp, Program, Scalar, ScalarId, SpecialScalar, UnaryOp, VariableId, fold_int,
};
use crate::isa::DType;

/// The value of a scalar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// An integer.
    Int(i64),
    /// A float; an `f32` unless it is a literal.
    Float(f64),
    /// No value.
    Absent(Absence),
}

/// Why a scalar has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Absence {
    /// The variable was read before anything was assigned.
    Unassigned(VariableId),
    /// The front end could not evaluate it.
    Unknown,
    /// It is read from memory on the other side only.
    OtherSide(VariableId),
    /// Division by zero, overflow, or an operation that floats do not have.
    Arithmetic,
}

impl Value {
    /// The value as an integer; floats are cut towards zero.
    pub fn as_int(self) -> Result<i64, Absence> {
        match self {
            Value::Int(value) => Ok(value),
            Value::Float(value) => Ok(value as i64),
            Value::Absent(absence) => Err(absence),
        }
    }

    /// The value as a double.
    pub fn as_float(self) -> Result<f64, Absence> {
        match self {
            Value::Int(value) => Ok(value as f64),
            Value::Float(value) => Ok(value),
            Value::Absent(absence) => Err(absence),
        }
    }

    /// Whether it is not zero.
    pub fn as_bool(self) -> Result<bool, Absence> {
        self.as_float().map(|value| value != 0.0)
    }

    /// The value as a variable of this type holds it.
    pub fn converted(self, dtype: Option<DType>) -> Value {
        match (self, dtype) {
            (Value::Float(value), Some(dtype)) if !dtype.is_float() => Value::Int(value as i64),
            (Value::Int(value), Some(dtype)) if dtype.is_float() => rounded(value as f32),
            (Value::Float(value), _) => rounded(value as f32),
            (value, _) => value,
        }
    }
}

impl Absence {
    /// The reason as a clause.
    pub fn reason(self, program: &Program) -> String {
        let name = |id: VariableId| match program.variable(id).name.as_str() {
            "" => "a scalar".to_owned(),
            name => format!("`{name}`"),
        };
        match self {
            Absence::Unassigned(id) => format!("{} is used before it has a value", name(id)),
            Absence::Unknown => "a value could not be evaluated".to_owned(),
            Absence::OtherSide(id) => {
                format!("{} is read on the other side only", name(id))
            }
            Absence::Arithmetic => {
                "scalar arithmetic has no result (division by zero or overflow)".to_owned()
            }
        }
    }
}

/// Which scalars keep their value for the whole run of a lane, by [`ScalarId`].
pub fn fixed_scalars(program: &Program) -> Vec<bool> {
    let mut fixed: Vec<bool> = Vec::with_capacity(program.scalars.len());
    for index in 0..program.scalars.len() {
        let is_fixed = match program.scalars.get(ScalarId(index as u32)) {
            Scalar::Variable(id) => is_constant_parameter(program, id),
            Scalar::Unary(_, a) => fixed[a.0 as usize],
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                fixed[a.0 as usize] && fixed[b.0 as usize]
            }
            _ => true,
        };
        fixed.push(is_fixed);
    }
    fixed
}

fn is_constant_parameter(program: &Program, id: VariableId) -> bool {
    let variable = program.variable(id);
    variable.kind == crate::ir::VariableKind::Param && variable.assignments == 0
}

/// Variables of one lane, and the values of expressions over them.
#[derive(Debug)]
pub struct Environment<'p> {
    program: &'p Program,
    launch: &'p BoundLaunch,
    fixed: &'p [bool],
    lane: LaneId,
    variables: Vec<Value>,
    /// Value and the epoch it holds for; [`FOREVER`] for fixed scalars.
    memo: Vec<(u32, Value)>,
    epoch: u32,
    pending: Vec<ScalarId>,
}

const NEVER: u32 = 0;
const FOREVER: u32 = u32::MAX;

impl<'p> Environment<'p> {
    /// The environment of a lane before its first statement: parameters alone have values.
    pub fn new(
        program: &'p Program,
        launch: &'p BoundLaunch,
        fixed: &'p [bool],
        lane: LaneId,
    ) -> Environment<'p> {
        let mut variables: Vec<Value> = (0..program.variables.len() as u32)
            .map(|id| Value::Absent(Absence::Unassigned(VariableId(id))))
            .collect();
        for &(id, value) in &launch.parameters {
            variables[id.index()] = value;
        }
        let memo = vec![(NEVER, Value::Int(0)); program.scalars.len()];
        Environment {
            program,
            launch,
            fixed,
            lane,
            variables,
            memo,
            epoch: 1,
            pending: Vec::new(),
        }
    }

    /// Gives a variable a value, converted to its type.
    pub fn assign(&mut self, id: VariableId, value: Value) {
        self.variables[id.index()] = value.converted(self.program.variable(id).dtype);
        self.epoch += 1;
        if self.epoch == FOREVER {
            self.forget();
        }
    }

    /// The current value of a variable.
    pub fn variable(&self, id: VariableId) -> Value {
        self.variables[id.index()]
    }

    /// Starts counting epochs anew.
    fn forget(&mut self) {
        self.epoch = 1;
        self.memo.fill((NEVER, Value::Int(0)));
    }

    /// The current value of an expression.
    pub fn value(&mut self, id: ScalarId) -> Value {
        if let Some(value) = self.known(id) {
            return value;
        }
        self.pending.push(id);
        while let Some(&top) = self.pending.last() {
            let node = self.program.scalars.get(top);
            match self.missing_operand(node) {
                Some(operand) => self.pending.push(operand),
                None => {
                    let value = self.compute(node);
                    let epoch = if self.fixed[top.0 as usize] {
                        FOREVER
                    } else {
                        self.epoch
                    };
                    self.memo[top.0 as usize] = (epoch, value);
                    self.pending.pop();
                }
            }
        }
        self.memo[id.0 as usize].1
    }

    /// The current value as an integer.
    pub fn int(&mut self, id: ScalarId) -> Result<i64, Absence> {
        self.value(id).as_int()
    }

    fn known(&self, id: ScalarId) -> Option<Value> {
        let (epoch, value) = self.memo[id.0 as usize];
        (epoch == self.epoch || epoch == FOREVER).then_some(value)
    }

    fn missing_operand(&self, node: Scalar) -> Option<ScalarId> {
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

    /// The value of a node whose operands are known.
    fn compute(&self, node: Scalar) -> Value {
        let operand = |id: ScalarId| self.memo[id.0 as usize].1;
        match node {
            Scalar::Int(value) => Value::Int(value),
            Scalar::Float(value) => Value::Float(value),
            Scalar::Variable(id) => self.variables[id.index()],
            Scalar::Extent(global, axis) => self.launch.extent(global, axis),
            Scalar::Special(special) => self.special(special),
            Scalar::Unary(op, a) => unary(op, operand(a)),
            Scalar::Binary(op, a, b) => binary(op, operand(a), operand(b)),
            Scalar::Compare(op, a, b) => compare(op, operand(a), operand(b)),
            Scalar::Unknown(_) => Value::Absent(Absence::Unknown),
        }
    }

    fn special(&self, special: SpecialScalar) -> Value {
        let core = i64::from(self.lane.core);
        let sub_block = match self.lane.kind {
            LaneKind::Cube => None,
            LaneKind::Vec(index) => Some(i64::from(index)),
        };
        Value::Int(match special {
            SpecialScalar::CubeNum => i64::from(self.launch.cores),
            SpecialScalar::CubeIdx => core,
            SpecialScalar::VecNum => 2 * i64::from(self.launch.cores),
            SpecialScalar::VecIdx => sub_block.map_or(core, |index| 2 * core + index),
            SpecialScalar::SubBlockIdx => sub_block.unwrap_or(0),
        })
    }
}

fn rounded(value: f32) -> Value {
    Value::Float(f64::from(value))
}

fn unary(op: UnaryOp, a: Value) -> Value {
    match (op, a) {
        (_, Value::Absent(_)) => a,
        (UnaryOp::Not, a) => Value::Int((a.as_bool() == Ok(false)) as i64),
        (UnaryOp::Negate, Value::Int(a)) => Value::Int(a.wrapping_neg()),
        (UnaryOp::Abs, Value::Int(a)) => Value::Int(a.wrapping_abs()),
        (UnaryOp::ToInt, Value::Float(a)) => Value::Int(a as i64),
        (UnaryOp::ToInt, a) => a,
        (UnaryOp::ToFloat | UnaryOp::Sqrt, Value::Int(a)) if op == UnaryOp::ToFloat => {
            rounded(a as f32)
        }
        (UnaryOp::Sqrt, Value::Int(a)) => rounded((a as f32).sqrt()),
        (UnaryOp::Negate, Value::Float(a)) => rounded(-(a as f32)),
        (UnaryOp::Abs, Value::Float(a)) => rounded((a as f32).abs()),
        (UnaryOp::Sqrt, Value::Float(a)) => rounded((a as f32).sqrt()),
        (UnaryOp::ToFloat, a) => a,
    }
}

fn binary(op: BinaryOp, a: Value, b: Value) -> Value {
    match (a, b) {
        (Value::Absent(_), _) => a,
        (_, Value::Absent(_)) => b,
        (Value::Int(x), Value::Int(y)) => {
            fold_int(op, x, y).map_or(Value::Absent(Absence::Arithmetic), Value::Int)
        }
        _ => float_binary(op, single(a), single(b)),
    }
}

/// A number as the 32-bit float that the device calculates with.
fn single(value: Value) -> f32 {
    match value {
        Value::Int(value) => value as f32,
        Value::Float(value) => value as f32,
        Value::Absent(_) => f32::NAN,
    }
}

fn float_binary(op: BinaryOp, x: f32, y: f32) -> Value {
    match op {
        BinaryOp::Add => rounded(x + y),
        BinaryOp::Sub => rounded(x - y),
        BinaryOp::Mul => rounded(x * y),
        BinaryOp::Div => rounded(x / y),
        BinaryOp::Min => rounded(if y < x { y } else { x }),
        BinaryOp::Max => rounded(if y > x { y } else { x }),
        BinaryOp::And => Value::Int((x != 0.0 && y != 0.0) as i64),
        BinaryOp::Or => Value::Int((x != 0.0 || y != 0.0) as i64),
        _ => Value::Absent(Absence::Arithmetic),
    }
}

fn compare(op: CompareOp, a: Value, b: Value) -> Value {
    let ordering = match (a, b) {
        (Value::Absent(_), _) => return a,
        (_, Value::Absent(_)) => return b,
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(&y)),
        _ => single(a).partial_cmp(&single(b)),
    };
    let holds = ordering.map_or(op == CompareOp::Ne, |ordering| op.holds(ordering));
    Value::Int(holds as i64)
}
