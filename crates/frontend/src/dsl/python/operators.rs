//! `operator`: Python's operators as functions, and operators of sets and dictionaries.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::facade::Builtin;
use super::super::items::Shared;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::arithmetic::static_binary;
use super::native::{self, Call, Native, Site};
use super::objects::{Binding, Partial};
use a2lint_syntax::python::ast::{BinaryOp, CompareOp, UnaryOp};

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
    operation("and_", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::BitAnd)
    }),
    operation("or_", |tracer, args, site| {
        binary(tracer, args, site, BinaryOp::BitOr)
    }),
    operation("neg", |tracer, args, site| {
        let value = args.at(0).cloned().unwrap_or(Value::Unknown);
        tracer.unary(UnaryOp::Neg, value, site.span)
    }),
    operation("not_", |tracer, args, site| {
        let value = args.at(0).cloned().unwrap_or(Value::Unknown);
        tracer.unary(UnaryOp::Not, value, site.span)
    }),
    operation("eq", |tracer, args, site| {
        compared(tracer, args, site, CompareOp::Eq)
    }),
    operation("ne", |tracer, args, site| {
        compared(tracer, args, site, CompareOp::Ne)
    }),
    operation("lt", |tracer, args, site| {
        compared(tracer, args, site, CompareOp::Lt)
    }),
    operation("le", |tracer, args, site| {
        compared(tracer, args, site, CompareOp::Le)
    }),
    operation("gt", |tracer, args, site| {
        compared(tracer, args, site, CompareOp::Gt)
    }),
    operation("ge", |tracer, args, site| {
        compared(tracer, args, site, CompareOp::Ge)
    }),
    operation("itemgetter", |tracer, args, _| {
        made(tracer, args, "pick items")
    }),
    operation("attrgetter", |tracer, args, _| {
        let is_text = |value: &Value| matches!(value, Value::Str(_));
        match args.plain().iter().all(is_text) {
            true => made(tracer, args, "pick attributes"),
            false => tracer.lost_call(args),
        }
    }),
    operation("methodcaller", |tracer, args, _| match args.at(0) {
        Some(Value::Str(_)) => made(tracer, args, "call a method"),
        _ => tracer.lost_call(args),
    }),
    // The functions that `itemgetter` and the like make. Their names contain spaces, so no program can spell them.
    operation("pick items", |tracer, args, site| {
        picked(tracer, args, |tracer, object, item| {
            let item = item.clone();
            tracer.subscript(object.clone(), item, site.span)
        })
    }),
    operation("pick attributes", |tracer, args, site| {
        picked(tracer, args, |tracer, object, path| {
            let mut object = object.clone();
            if let Value::Str(path) = path {
                for name in path.split('.') {
                    object = tracer.attribute(object, name, site.span)?;
                }
            }
            Ok(object)
        })
    }),
    operation("call a method", |tracer, args, site| {
        let [Value::Str(name), given @ .., object] = &args.plain()[..] else {
            return tracer.throw("TypeError", Value::Unknown);
        };
        let method = tracer.attribute(object.clone(), name, site.span)?;
        let mut arguments = Arguments::of(given.to_vec(), site.span);
        arguments.keywords.clone_from(&args.keywords);
        tracer.apply(method, arguments, site)
    }),
];

const fn operation(name: &'static str, call: Call) -> Native {
    Native {
        module: "operator",
        name,
        call,
    }
}

/// Makes a function that applies `name` to its last argument, with the given arguments bound before it.
fn made<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, name: &'static str) -> Eval<Value<'a>> {
    let native = native::find("operator", name).filter(|_| args.spread.is_empty());
    let Some(native) = native else {
        return tracer.lost_call(args);
    };
    let keywords = args.keywords.iter();
    let keywords: Vec<_> = keywords
        .map(|(name, value, _)| (Value::str(name), value.clone()))
        .collect();
    if args.positional.is_empty() {
        return tracer.throw("TypeError", Value::Unknown);
    }
    Ok(Value::Partial(Rc::new(Partial {
        callee: Value::Builtin(Builtin::Native(native)),
        positional: args.plain().into(),
        keywords: Shared::new(keywords),
        binding: Binding::Made,
    })))
}

/// Returns one thing that is picked from the last argument, or a tuple of several.
fn picked<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    mut pick: impl FnMut(&mut Tracer<'a>, &Value<'a>, &Value<'a>) -> Eval<Value<'a>>,
) -> Eval<Value<'a>> {
    let all = args.plain();
    let Some((object, wanted)) = all.split_last() else {
        return tracer.not_followed();
    };
    let mut found = Vec::with_capacity(wanted.len());
    for wanted in wanted {
        found.push(pick(tracer, object, wanted)?);
    }
    // `itemgetter(1)` returns the item, `itemgetter(1, 2)` a tuple.
    Ok(match found.len() {
        1 => found.remove(0),
        _ => Value::tuple(found),
    })
}

fn binary<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    site: Site,
    op: BinaryOp,
) -> Eval<Value<'a>> {
    match args.positional.as_slice() {
        [a, b] => tracer.binary(op, site.span, a.clone(), b.clone(), site.span),
        _ => tracer.lost_call(args),
    }
}

fn compared<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    site: Site,
    op: CompareOp,
) -> Eval<Value<'a>> {
    let [a, b] = args
        .plain()
        .try_into()
        .unwrap_or([Value::Unknown, Value::Unknown]);
    match tracer.class_compare(op, (&a, &b), site.span)? {
        Some(result) => Ok(result),
        None => tracer.compare(op, &a, &b),
    }
}

impl<'a> Tracer<'a> {
    /// Evaluates operators of sets and dictionaries; `None` if the operands are neither.
    pub fn container_binary(
        &mut self,
        op: BinaryOp,
        a: &Value<'a>,
        b: &Value<'a>,
    ) -> Eval<Option<Value<'a>>> {
        if let (BinaryOp::BitOr, Value::Dict(x), Value::Dict(y)) = (op, a, b) {
            let known = x.known().zip(y.known());
            let Some((mut entries, more)) = known.map(|(x, y)| (x.to_vec(), y.to_vec())) else {
                return Ok(Some(Value::Unknown));
            };
            for (key, value) in more {
                if !self.insert(&mut entries, key, value)? {
                    return Ok(Some(Value::Unknown));
                }
            }
            return Ok(Some(Value::dict(entries)));
        }
        // Unlike the methods, the operators require a set on both sides.
        let is_set = |value: &Value| matches!(value, Value::Set(_) | Value::FrozenSet(_));
        if !is_set(a) || !is_set(b) {
            return Ok(None);
        }
        let method = match op {
            BinaryOp::BitOr => "union",
            BinaryOp::BitAnd => "intersection",
            BinaryOp::Sub => "difference",
            BinaryOp::BitXor => "symmetric_difference",
            _ => return Ok(None),
        };
        let span = self.here();
        let given = Arguments::of([b.clone()], span);
        // The result has the type of the left operand.
        let made = match a {
            Value::Set(items) => self.set_method(items, method, &given)?,
            _ => self.common_set_method(a, method, &given)?,
        };
        Ok(Some(made.unwrap_or(Value::Unknown)))
    }

    /// Evaluates `a op= b` of a mutable container in place; returns `false` if it has no such operator.
    pub fn changed_in_place(
        &mut self,
        op: BinaryOp,
        object: &Value<'a>,
        value: &Value<'a>,
        site: Site,
    ) -> Eval<bool> {
        // `list += iterable` is `extend`, which takes any iterable, unlike `list + list`.
        let method = match (op, object) {
            (BinaryOp::Add, Value::List(_)) => "extend",
            (BinaryOp::BitOr, Value::Dict(_) | Value::Set(_)) => "update",
            (BinaryOp::BitAnd, Value::Set(_)) => "intersection_update",
            (BinaryOp::Sub, Value::Set(_)) => "difference_update",
            (BinaryOp::BitXor, Value::Set(_)) => {
                self.lose(object)?;
                self.doubt();
                return Ok(true);
            }
            (BinaryOp::Mul, Value::List(list)) => {
                let changed = static_binary(op, object, value);
                let Value::List(items) = changed else {
                    self.lose(object)?;
                    self.doubt();
                    return Ok(true);
                };
                // The list object stays the same, so its other references see the change.
                let items = items.ever().to_vec();
                let is_certain = self.may_change(list);
                if let Some(mut place) = list.change(is_certain) {
                    **place = items;
                }
                return Ok(true);
            }
            _ => return Ok(false),
        };
        // `set |= iterable` is a `TypeError`, unlike `set.update`.
        let is_set = matches!(value, Value::Set(_) | Value::FrozenSet(_));
        if matches!(object, Value::Set(_)) && !is_set {
            self.lose(object)?;
            self.doubt();
            return Ok(true);
        }
        let given = Arguments::of([value.clone()], site.span);
        self.container_method(object, method, &given, site)?;
        Ok(true)
    }
}
