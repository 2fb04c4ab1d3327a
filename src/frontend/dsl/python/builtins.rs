//! Functions that Python has built in, those of containers.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::{SliceValue, Value};
use super::native::{Call, Native, Site};
use super::text;

pub const TABLE: &[Native] = &[
    native("", "print", |_, _, _| Ok(Value::None)),
    native("", "range", |_, args, _| Ok(range(args))),
    native("", "len", len),
    native("", "list", |tracer, args, _| {
        collected(tracer, args, Value::list)
    }),
    native("", "tuple", |tracer, args, _| {
        collected(tracer, args, Value::tuple)
    }),
    native("", "set", |tracer, args, _| set(tracer, args)),
    native("", "frozenset", |tracer, args, _| set(tracer, args)),
    native("", "dict", dict),
    native("collections", "OrderedDict", dict),
    native("collections", "deque", |tracer, args, _| {
        collected(tracer, args, Value::list)
    }),
    native("", "str", |_, args, _| Ok(string(args, text::text_of))),
    native("", "repr", |_, args, _| Ok(string(args, text::repr))),
    native("", "chr", |_, args, _| Ok(chr(args))),
    native("", "ord", |_, args, _| Ok(ord(args))),
    native("", "slice", |_, args, site| Ok(slice(args, site))),
    native("os", "getenv", |_, args, _| Ok(from_environment(args))),
    native("os.environ", "get", |_, args, _| Ok(from_environment(args))),
    native("copy", "copy", |_, args, _| Ok(copied(args))),
    native("copy", "deepcopy", |_, args, _| Ok(copied(args))),
    native("typing", "cast", |_, args, _| {
        Ok(args.at(1).cloned().unwrap_or(Value::Unknown))
    }),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

/// `range(…)` of Python.
pub fn range<'a>(args: &Arguments<'a>) -> Value<'a> {
    let numbers: Option<Vec<i128>> = args.plain().iter().map(|value| value.as_int()).collect();
    match numbers.as_deref() {
        Some([stop]) => Value::Range(0, *stop, 1),
        Some([start, stop]) => Value::Range(*start, *stop, 1),
        Some([start, stop, step]) if *step != 0 => Value::Range(*start, *stop, *step),
        _ => Value::Unknown,
    }
}

fn len<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let Some(value) = args.at(0) else {
        return Ok(Value::Unknown);
    };
    if let Value::HostTensor(tensor) = value {
        let first = tensor.shape().and_then(|shape| shape.first().copied());
        return Ok(first.map_or(Value::Unknown, |extent| Value::Int(extent.into())));
    }
    if let Value::Range(start, stop, step) = *value {
        let (span, step_size) = match step > 0 {
            true => (stop.saturating_sub(start), step),
            false => (start.saturating_sub(stop), step.saturating_neg()),
        };
        let count = match span > 0 {
            true => (span - 1) / step_size + 1,
            false => 0,
        };
        return Ok(Value::Int(count));
    }
    if let Some(length) = tracer.call_method(value, "__len__", Arguments::default(), site)? {
        return Ok(length);
    }
    let items = tracer.static_items(value)?;
    Ok(items.map_or(Value::Unknown, |items| Value::Int(items.len() as i128)))
}

fn collected<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    make: fn(Vec<Value<'a>>) -> Value<'a>,
) -> Eval<Value<'a>> {
    let Some(value) = args.at(0) else {
        return Ok(make(Vec::new()));
    };
    let items = tracer.static_items(value)?;
    Ok(items.map_or(Value::Unknown, make))
}

fn set<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let items = match args.at(0) {
        Some(value) => tracer.static_items(value)?,
        None => Some(Vec::new()),
    };
    match items {
        Some(items) => tracer.set_of(items),
        None => Ok(Value::Unknown),
    }
}

fn dict<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let mut entries = Vec::new();
    if let Some(given) = args.at(0) {
        match given {
            Value::Dict(given) => entries = given.borrow().to_vec(),
            other => {
                let Some(pairs) = tracer.static_items(other)? else {
                    return Ok(Value::Unknown);
                };
                for pair in pairs {
                    match tracer.static_items(&pair)?.as_deref() {
                        Some([key, value]) => {
                            tracer.insert(&mut entries, key.clone(), value.clone())?;
                        }
                        _ => return Ok(Value::Unknown),
                    }
                }
            }
        }
    }
    if !args.spread.is_empty() {
        return Ok(Value::Unknown);
    }
    for (name, value, _) in &args.keywords {
        tracer.insert(&mut entries, Value::str(name), value.clone())?;
    }
    Ok(Value::dict(entries))
}

fn string<'a>(args: &Arguments<'a>, of: fn(&Value) -> Option<String>) -> Value<'a> {
    match args.at(0) {
        Some(value) => of(value).map_or(Value::Unknown, |text| Value::str(&text)),
        None => Value::str(""),
    }
}

fn chr<'a>(args: &Arguments<'a>) -> Value<'a> {
    let code = args.at(0).and_then(|value| value.as_int());
    let char = code.and_then(|code| char::from_u32(u32::try_from(code).ok()?));
    char.map_or(Value::Unknown, |char| Value::str(&char.to_string()))
}

fn ord<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0) {
        Some(Value::Str(text)) if text.chars().count() == 1 => text
            .chars()
            .next()
            .map_or(Value::Unknown, |char| Value::Int(u32::from(char).into())),
        _ => Value::Unknown,
    }
}

fn slice<'a>(args: &Arguments<'a>, site: Site) -> Value<'a> {
    let bound = |at: usize| {
        args.at(at)
            .cloned()
            .filter(|value| !matches!(value, Value::None))
    };
    let (lower, upper, step) = match args.positional.len() {
        1 => (None, bound(0), None),
        2 | 3 => (bound(0), bound(1), bound(2)),
        _ => return Value::Unknown,
    };
    let span = site.span;
    Value::Slice(Rc::new(SliceValue {
        lower,
        upper,
        step,
        span,
    }))
}

/// `os.environ.get(name, default)`: the default, as where nobody has set it.
fn from_environment<'a>(args: &Arguments<'a>) -> Value<'a> {
    let default = args.at(1).or(args.keyword("default"));
    default.cloned().unwrap_or(Value::Unknown)
}

/// A container with the same items.
fn copied<'a>(args: &Arguments<'a>) -> Value<'a> {
    let Some(value) = args.at(0) else {
        return Value::Unknown;
    };
    match value {
        Value::List(items) => Value::list(items.borrow().to_vec()),
        Value::Set(items) => Value::Set(Rc::new(RefCell::new(items.borrow().to_vec().into()))),
        Value::Dict(entries) => Value::dict(entries.borrow().to_vec()),
        Value::Instance(instance) => {
            let copy = super::objects::Instance {
                class: instance.class.clone(),
                attributes: RefCell::new(instance.attributes.borrow().to_vec().into()),
                born: instance.born,
            };
            Value::Instance(Rc::new(copy))
        }
        other => other.clone(),
    }
}
