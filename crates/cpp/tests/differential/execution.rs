//! Execution of the scalar statements of a program.

use a2lint_ir::{
    BinaryOp, CompareOp, Program, Scalar, ScalarId, Stmt, StmtKind, UnaryOp, VariableId,
    arithmetic::{
        ScalarType, compare_floats, compare_integers, float, integer, truncated, wrapped,
    },
};

use crate::Line;

/// Maximum number of statements of a run.
const STEPS: u32 = 2_000_000;

/// A number.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Number {
    Int(i128),
    Float(f32),
    /// It depends on something that could not be evaluated.
    Unknown,
}

/// How a block ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    Normal,
    Break,
    Continue,
}

/// One run.
pub struct Execution<'p> {
    program: &'p Program,
    variables: Vec<Number>,
    lines: Vec<Line>,
    steps: u32,
}

impl<'p> Execution<'p> {
    /// A run with inputs, which are the first variables.
    pub fn of(program: &'p Program, inputs: &[i32]) -> Execution<'p> {
        let mut variables = vec![Number::Unknown; program.variables.len()];
        for (variable, input) in variables.iter_mut().zip(inputs) {
            *variable = Number::Int((*input).into());
        }
        Execution {
            program,
            variables,
            lines: Vec::new(),
            steps: 0,
        }
    }

    /// What it prints.
    pub fn run(mut self) -> Result<Vec<Line>, String> {
        let body: &'p [Stmt] = &self.program.body;
        self.block(body)?;
        Ok(self.lines)
    }

    fn block(&mut self, block: &'p [Stmt]) -> Result<End, String> {
        for stmt in block {
            self.steps += 1;
            if self.steps > STEPS {
                return Err("it runs too long".to_owned());
            }
            match self.stmt(stmt)? {
                End::Normal => {}
                end => return Ok(end),
            }
        }
        Ok(End::Normal)
    }

    fn stmt(&mut self, stmt: &'p Stmt) -> Result<End, String> {
        match &stmt.kind {
            StmtKind::Assign { variable, value } => {
                let value = self.value(*value);
                self.assign(*variable, value);
                Ok(End::Normal)
            }
            StmtKind::If { arms, otherwise } => {
                for arm in arms {
                    match self.truth(arm.condition) {
                        Some(true) => return self.block(&arm.body),
                        Some(false) => {}
                        None => return Err("a condition is unknown".to_owned()),
                    }
                }
                self.block(otherwise)
            }
            StmtKind::Loop {
                variable,
                start,
                stop,
                step,
                body,
            } => {
                let bounds = [start, stop, step].map(|id| self.value(*id));
                let [Number::Int(start), Number::Int(stop), Number::Int(step)] = bounds else {
                    return Err("a bound is unknown".to_owned());
                };
                let mut at = start;
                while if step < 0 { at > stop } else { at < stop } {
                    self.assign(*variable, Number::Int(at));
                    if self.block(body)? == End::Break {
                        break;
                    }
                    at += step;
                    self.steps += 1;
                    if self.steps > STEPS {
                        return Err("it runs too long".to_owned());
                    }
                }
                Ok(End::Normal)
            }
            StmtKind::Break => Ok(End::Break),
            StmtKind::Continue => Ok(End::Continue),
            StmtKind::Opaque => Ok(End::Normal),
            other => Err(format!("unexpected {other:?}")),
        }
    }

    fn assign(&mut self, variable: VariableId, value: Number) {
        let of = self.program.scalars.variable_type(variable);
        let value = converted(of, value);
        self.variables[variable.index()] = value;
        let name = self.program.variable(variable).name.to_string();
        if let Some(name) = name.strip_prefix("out ") {
            let text = match value {
                Number::Int(value) => value.to_string(),
                Number::Float(value) => format!("f{}", value.to_bits()),
                Number::Unknown => "?".to_owned(),
            };
            self.lines.push((name.to_owned(), text));
        }
    }

    fn truth(&self, id: ScalarId) -> Option<bool> {
        match self.value(id) {
            Number::Int(value) => Some(value != 0),
            Number::Float(value) => Some(value != 0.0),
            Number::Unknown => None,
        }
    }

    fn value(&self, id: ScalarId) -> Number {
        let scalars = &self.program.scalars;
        let of = scalars.operation_type(id);
        match scalars.get(id) {
            Scalar::Int(value) => Number::Int(value.into()),
            Scalar::Large(value) => Number::Int(value.into()),
            Scalar::Float(value) => Number::Float(value as f32),
            Scalar::Variable(variable) => self.variables[variable.index()],
            Scalar::Extent(..) | Scalar::Special(_) | Scalar::Unknown(_) => Number::Unknown,
            Scalar::Unary(op, a) => unary(of, op, self.value(a)),
            Scalar::Binary(op, a, b) => binary(of, op, self.value(a), self.value(b)),
            Scalar::Compare(op, a, b) => compare(of, op, self.value(a), self.value(b)),
        }
    }
}

fn converted(of: ScalarType, value: Number) -> Number {
    match (of.dtype.is_float(), value) {
        (_, Number::Unknown) => Number::Unknown,
        (false, Number::Int(value)) => Number::Int(wrapped(of.dtype, value)),
        (false, Number::Float(value)) => Number::Int(truncated(of.dtype, value.into())),
        (true, Number::Int(value)) => Number::Float(value as f32),
        (true, Number::Float(value)) => Number::Float(value),
    }
}

fn unary(of: ScalarType, op: UnaryOp, a: Number) -> Number {
    match (op, a) {
        (_, Number::Unknown) => Number::Unknown,
        (UnaryOp::Not, Number::Int(value)) => Number::Int((value == 0).into()),
        (UnaryOp::Not, Number::Float(value)) => Number::Int((value == 0.0).into()),
        (UnaryOp::Negate, Number::Int(value)) => Number::Int(wrapped(of.dtype, -value)),
        (UnaryOp::Negate, Number::Float(value)) => Number::Float(-value),
        (UnaryOp::Convert, value) => converted(of, value),
        _ => Number::Unknown,
    }
}

fn binary(of: ScalarType, op: BinaryOp, a: Number, b: Number) -> Number {
    if op.is_logical() {
        let truth = |number: Number| match number {
            Number::Int(value) => Some(value != 0),
            Number::Float(value) => Some(value != 0.0),
            Number::Unknown => None,
        };
        let (Some(a), Some(b)) = (truth(a), truth(b)) else {
            return Number::Unknown;
        };
        return Number::Int(
            match op {
                BinaryOp::And => a && b,
                _ => a || b,
            }
            .into(),
        );
    }
    match (converted(of, a), converted(of, b)) {
        (Number::Int(a), Number::Int(b)) => match integer(of.dtype, op, a, b) {
            Some(whole) => Number::Int(whole.value),
            None => Number::Unknown,
        },
        (Number::Float(a), Number::Float(b)) => {
            float(op, a, b).map_or(Number::Unknown, Number::Float)
        }
        _ => Number::Unknown,
    }
}

fn compare(of: ScalarType, op: CompareOp, a: Number, b: Number) -> Number {
    match (converted(of, a), converted(of, b)) {
        (Number::Int(a), Number::Int(b)) => {
            Number::Int(compare_integers(of.dtype, op, a, b).into())
        }
        (Number::Float(a), Number::Float(b)) => Number::Int(compare_floats(op, a, b).into()),
        _ => Number::Unknown,
    }
}
