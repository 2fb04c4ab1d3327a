//! `operator`: Python's operations as functions, and operations of sets and dictionaries.

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::{Call, Native, Site};
use crate::syntax::python::ast::BinaryOp;

pub const TABLE: &[Native] = &[
    operation("add", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::Add)
    }),
    operation("sub", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::Sub)
    }),
    operation("mul", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::Mul)
    }),
    operation("truediv", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::Div)
    }),
    operation("floordiv", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::FloorDiv)
    }),
    operation("mod", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::Mod)
    }),
    operation("pow", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::Pow)
    }),
];

const fn operation(name: &'static str, call: Call) -> Native {
    Native {
        module: "operator",
        name,
        call,
    }
}

fn binary<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    site: Site,
    op: BinaryOp,
) -> Eval<Value<'a>> {
    match args.positional.as_slice() {
        [a, b] => tracer.binary(op, site.span, a.clone(), b.clone(), site.span),
        _ => Ok(Value::Unknown),
    }
}

impl<'a> Tracer<'a> {
    /// Operations of containers that hold each value once; `None` where it is none.
    pub fn container_binary(
        &mut self,
        op: BinaryOp,
        a: &Value<'a>,
        b: &Value<'a>,
    ) -> Eval<Option<Value<'a>>> {
        Ok(Some(match (op, a, b) {
            (BinaryOp::BitOr, Value::Dict(x), Value::Dict(y)) => {
                let mut entries = x.borrow().to_vec();
                let more = y.borrow().to_vec();
                for (key, value) in more {
                    self.insert(&mut entries, key, value)?;
                }
                Value::dict(entries)
            }
            (BinaryOp::BitOr, Value::Set(x), Value::Set(y)) => {
                let all = x
                    .borrow()
                    .iter()
                    .chain(y.borrow().iter())
                    .cloned()
                    .collect();
                self.set_of(all)?
            }
            (BinaryOp::BitAnd | BinaryOp::Sub, Value::Set(x), Value::Set(_)) => {
                let items = x.borrow().to_vec();
                let mut kept = Vec::new();
                for item in items {
                    match self.is_in(&item, b)? {
                        Some(inside) if inside == (op == BinaryOp::BitAnd) => kept.push(item),
                        Some(_) => {}
                        None => return Ok(Some(Value::Unknown)),
                    }
                }
                self.set_of(kept)?
            }
            _ => return Ok(None),
        }))
    }
}
