//! What float variables of a lane would hold had nothing been rounded.
//!
//! Kept where exact values are followed: what is read from memory brings such a number with it, and what is
//! computed in scalars is computed once more in double precision.

use rustc_hash::FxHashMap;

use super::memory::Exactly;
use super::value::Value;
use a2lint_ir::{BinaryOp, Scalar, ScalarId, Scalars, UnaryOp, VariableId};

/// Nodes of one expression that are looked at; a larger one is taken as it is.
const MOST: usize = 10_000;

/// Exact values of variables, where they are other numbers than the variables hold.
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
    /// Notes what a variable would hold, or that it holds just that.
    pub fn set(&mut self, id: VariableId, exact: Option<Exactly>) {
        match exact {
            Some(exact) => drop(self.variables.insert(id, exact)),
            None => drop(self.variables.remove(&id)),
        }
    }

    /// What a variable would hold; `None` where it holds just that.
    pub fn of_variable(&self, id: VariableId) -> Option<Exactly> {
        self.variables.get(&id).copied()
    }

    /// What an expression would come to; `None` where nothing in it was rounded. `value` gives what its nodes
    /// come to.
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
            // Whole numbers, and what a comparison comes to, are as in the run.
            let real = value(top);
            let is_other = |exact: &Exactly| is_float(real) && real != Value::Float(exact.value);
            known.insert(top, exact.filter(is_other));
        }
        known[&id]
    }
}

/// An operand: what it would be, and who is to blame for what it is instead; nobody where it is just that.
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
        UnaryOp::Not => return None,
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
