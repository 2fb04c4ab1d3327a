//! `functools`: functions of functions.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::items::Shared;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::{Call, Native, Site};
use super::objects::{Binding, Partial};

pub const TABLE: &[Native] = &[
    native("functools", "partial", |_, args, _| Ok(partial(args))),
    native("functools", "reduce", reduce),
    native("", "callable", |_, args, _| Ok(callable(args))),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

fn partial<'a>(args: &Arguments<'a>) -> Value<'a> {
    let Some(callee) = args.at(0) else {
        return Value::Unknown;
    };
    if !args.spread.is_empty() || callee.is_unknown() {
        return Value::Unknown;
    }
    let mut positional = Vec::new();
    let mut keywords = Vec::new();
    let mut callee = callee.clone();
    // CPython flattens nested `partial` objects.
    if let Value::Partial(inner) = &callee.clone()
        && inner.binding == Binding::Partial
    {
        let Some(known) = inner.keywords.known() else {
            return Value::Unknown;
        };
        callee = inner.callee.clone();
        positional.extend(inner.positional.iter().cloned());
        keywords.extend(known.iter().cloned());
    }
    positional.extend(args.plain().split_off(1));
    for (name, value, _) in &args.keywords {
        // A later keyword replaces an earlier one in its place.
        let mut known = keywords.iter_mut();
        let is_it = |(key, _): &&mut (Value<'a>, Value<'a>)| matches!(key, Value::Str(key) if **key == **name);
        match known.find(is_it) {
            Some((_, former)) => *former = value.clone(),
            None => keywords.push((Value::str(name), value.clone())),
        }
    }
    Value::Partial(Rc::new(Partial {
        callee,
        positional: positional.into(),
        keywords: Shared::new(keywords),
        binding: Binding::Partial,
    }))
}

fn reduce<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let (Some(function), Some(items)) = (args.at(0), tracer.items_at(args, 1)?) else {
        return Ok(Value::Unknown);
    };
    let mut items = items.into_iter();
    // `reduce() of empty iterable with no initial value`.
    let Some(mut total) = args.at(2).cloned().or_else(|| items.next()) else {
        return tracer.throw("TypeError", Value::Unknown);
    };
    for item in items {
        total = tracer.call_back(function, vec![total, item], site)?;
    }
    Ok(total)
}

fn callable<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0) {
        Some(
            Value::Function(_)
            | Value::Lambda(_)
            | Value::Partial(_)
            | Value::Class(_)
            | Value::Builtin(_),
        ) => Value::Bool(true),
        // `__call__` counts if the class defines it; an attribute of the instance does not.
        Some(Value::Instance(instance)) if instance.class.is_whole => {
            Value::Bool(instance.class.lookup("__call__").is_some())
        }
        // Values of plain types are never callable.
        Some(value) if value.is_plain() => Value::Bool(false),
        _ => Value::Unknown,
    }
}
