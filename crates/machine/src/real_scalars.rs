//! Exact values of the float variables of a lane.
//!
//! Used where exact values are tracked: a value read from memory brings its exact value with it, and scalar
//! arithmetic is computed once more in double precision.

use rustc_hash::FxHashMap;

use super::memory::Exactly;
use super::value::Value;
use a2lint_ir::{BinaryOp, Scalar, ScalarId, Scalars, UnaryOp, VariableId};

/// Maximum number of nodes of one expression that are evaluated; the value of a larger one is taken as exact.
const MOST: usize = 10_000;

/// Exact values of variables, where they differ from what the variables hold.
#[derive(Clone, Debug)]
pub struct RealScalars {
    variables: FxHashMap<VariableId, Exactly>,
}

impl FromIterator<(VariableId, Exactly)> for RealScalars {
    fn from_iter<I: IntoIterator<Item = (VariableId, Exactly)>>(variables: I) -> RealScalars {
        RealScalars {
            variables: variables.into_iter().collect(),
        }
    }
}

impl RealScalars {
    /// Sets the exact value of a variable, or that the variable itself is exact.
    pub fn set(&mut self, id: VariableId, exact: Option<Exactly>) {
        match exact {
            Some(exact) => drop(self.variables.insert(id, exact)),
            None => drop(self.variables.remove(&id)),
        }
    }

    /// Returns the exact value of a variable, or `None` if the variable itself is exact.
    pub fn of_variable(&self, id: VariableId) -> Option<Exactly> {
        self.variables.get(&id).copied()
    }

    /// Returns the exact value of an expression, or `None` if nothing in it was rounded. `value` gives the
    /// values of its nodes in the run.
    pub fn of(
        &self,
        id: ScalarId,
        scalars: &Scalars,
        value: &mut dyn FnMut(ScalarId) -> Value,
    ) -> Option<Exactly> {
        let is_float = |value: Value| matches!(value, Value::Float(_));
        if !is_float(value(id)) {
            return None;
        }
        let mut known: FxHashMap<ScalarId, Option<Exactly>> = FxHashMap::default();
        // An explicit stack: expressions may be deeper than the call stack allows.
        let mut pending = vec![id];
        while let Some(&top) = pending.last() {
            let node = scalars.get(top);
            let operands = match node {
                Scalar::Unary(_, a) => [Some(a), None],
                Scalar::Binary(_, a, b) => [Some(a), Some(b)],
                _ => [None, None],
            };
            let operands = operands.into_iter().flatten();
            let open: Vec<ScalarId> = operands.filter(|id| !known.contains_key(id)).collect();
            if !open.is_empty() {
                pending.extend(open);
                if known.len() + pending.len() > MOST {
                    return None;
                }
                continue;
            }
            pending.pop();
            let exact = match node {
                Scalar::Variable(id) => self.variables.get(&id).copied(),
                Scalar::Unary(op, a) => unary(op, Number::of(known[&a], value(a))),
                Scalar::Binary(op, a, b) => {
                    let [a, b] = [a, b].map(|id| Number::of(known[&id], value(id)));
                    binary(op, a, b)
                }
                _ => None,
            };
            // Integers, and results of comparisons, are as in the run.
            let real = value(top);
            let is_other = |exact: &Exactly| is_float(real) && real != Value::Float(exact.value);
            known.insert(top, exact.filter(is_other));
        }
        known[&id]
    }
}

/// An operand: its exact value, and the statement to blame for its error (0 for none).
struct Number {
    value: Option<f64>,
    blame: u16,
}

impl Number {
    fn of(exact: Option<Exactly>, value: Value) -> Number {
        Number {
            value: exact.map_or_else(|| value.as_float().ok(), |exact| Some(exact.value)),
            blame: exact.map_or(0, |exact| exact.blame),
        }
    }
}

fn unary(op: UnaryOp, a: Number) -> Option<Exactly> {
    let value = match op {
        UnaryOp::Negate => -a.value?,
        UnaryOp::Abs => a.value?.abs(),
        UnaryOp::Sqrt => a.value?.sqrt(),
        UnaryOp::Convert => a.value?,
        UnaryOp::Not | UnaryOp::Bits => return None,
    };
    let blame = a.blame;
    Some(Exactly { value, blame })
}

fn binary(op: BinaryOp, a: Number, b: Number) -> Option<Exactly> {
    let blame = if a.blame == 0 { b.blame } else { a.blame };
    let (a, b) = (a.value?, b.value?);
    let value = match op {
        BinaryOp::Add => a + b,
        BinaryOp::Sub => a - b,
        BinaryOp::Mul => a * b,
        BinaryOp::Div => a / b,
        BinaryOp::Min => a.min(b),
        BinaryOp::Max => a.max(b),
        _ => return None,
    };
    Some(Exactly { value, blame })
}
