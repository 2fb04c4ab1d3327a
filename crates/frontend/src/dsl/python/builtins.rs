//! Builtins of Python, above all those of containers.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::facade::Namespace;
use super::super::items::Shared;
use super::super::tracer::{Eval, Tracer};
use super::super::value::{SliceValue, Value};
use super::native::{Call, Native, Site};
use super::objects::{ClassKind, Instance};
use a2lint_source::text::Span;

/// Maximum depth of objects that a copy follows.
const MAX_NESTED: u32 = 60;

pub const TABLE: &[Native] = &[
    native("", "print", |_, _, _| Ok(Value::None)),
    native("", "range", ranged),
    native("", "len", len),
    native("", "list", |tracer, args, _| {
        collected(tracer, args, Value::list)
    }),
    native("", "tuple", |tracer, args, _| {
        collected(tracer, args, Value::tuple)
    }),
    native("", "set", |tracer, args, _| set(tracer, args)),
    native("", "frozenset", |tracer, args, _| {
        Ok(match set(tracer, args)? {
            Value::Set(items) => {
                let items = items.ever().to_vec();
                Value::FrozenSet(Rc::new(items.into()))
            }
            other => other,
        })
    }),
    native("", "dict", dict),
    native("dict", "fromkeys", from_keys),
    native("", "str", |tracer, args, site| {
        string(tracer, args, site, Tracer::text_of)
    }),
    native("", "repr", |tracer, args, site| {
        string(tracer, args, site, Tracer::repr_of)
    }),
    native("", "format", |tracer, args, site| {
        let spec = match args.at(1) {
            None => "".into(),
            Some(Value::Str(spec)) => spec.clone(),
            Some(_) => return tracer.not_followed(),
        };
        match args.at(0) {
            Some(value) => {
                let text = tracer.formatted(&value.clone(), &spec, site.span)?;
                // No value without an argument: unlike `str()`, `format()` raises.
                Ok(text.map_or(Value::Unknown, |text| Value::str(&text)))
            }
            None => tracer.not_followed(),
        }
    }),
    native("", "chr", |_, args, _| Ok(chr(args))),
    native("", "ord", |_, args, _| Ok(ord(args))),
    native("", "slice", |_, args, site| Ok(slice(args, site))),
    native("os", "getenv", |tracer, args, _| {
        Ok(from_environment(tracer, args))
    }),
    native("os.environ", "get", |tracer, args, _| {
        Ok(from_environment(tracer, args))
    }),
    native("os.environ", "setdefault", |tracer, args, _| {
        Ok(environment_default(tracer, args))
    }),
    native("copy", "copy", copied),
    native("copy", "deepcopy", |tracer, args, site| {
        match args.plain().as_slice() {
            [value] => tracer.deep_copy(value, site),
            _ => tracer.lost_call(args),
        }
    }),
    native("typing", "cast", |_, args, _| {
        Ok(args.at(1).cloned().unwrap_or(Value::Unknown))
    }),
    native("contextlib", "suppress", |_, args, _| {
        Ok(Value::Suppressed(Rc::new(args.plain().into())))
    }),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

/// Evaluates Python's `range(…)`; unknown for arguments that are no ints.
pub fn range<'a>(args: &Arguments<'a>) -> Value<'a> {
    let numbers: Option<Vec<i128>> = args.plain().iter().map(|value| value.as_int()).collect();
    match numbers.as_deref() {
        Some([stop]) => Value::Range(0, *stop, 1),
        Some([start, stop]) => Value::Range(*start, *stop, 1),
        Some([start, stop, step]) if *step != 0 => Value::Range(*start, *stop, *step),
        _ => Value::Unknown,
    }
}

fn ranged<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    match range(args) {
        Value::Unknown => match args.plain().as_slice() {
            // `range() arg 3 must not be zero`.
            [_, _, step] if step.as_int() == Some(0) => tracer.throw("ValueError", Value::Unknown),
            all if all
                .iter()
                .any(|it| matches!(it, Value::Float(_) | Value::Str(_) | Value::None)) =>
            {
                tracer.throw("TypeError", Value::Unknown)
            }
            _ => tracer.not_followed(),
        },
        range => Ok(range),
    }
}

/// Returns the number of items of a range.
pub fn range_length(start: i128, stop: i128, step: i128) -> i128 {
    let (span, step) = match step > 0 {
        true => (stop.saturating_sub(start), step),
        // Saturated: the negation of the smallest int does not fit.
        false => (start.saturating_sub(stop), step.saturating_neg()),
    };
    match span > 0 {
        true => (span - 1) / step + 1,
        false => 0,
    }
}

fn len<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let Some(value) = args.at(0) else {
        return Ok(Value::Unknown);
    };
    let count = match value {
        Value::HostTensor(tensor) => {
            let first = tensor.shape().and_then(|shape| shape.first().copied());
            // The length of a tensor is its first extent.
            return Ok(first.map_or(Value::Unknown, |extent| Value::Int(extent.into())));
        }
        Value::Range(start, stop, step) => {
            let length = range_length(*start, *stop, *step);
            // CPython's `len` must fit a `Py_ssize_t`.
            return match length <= i64::MAX.into() {
                true => Ok(Value::Int(length)),
                false => tracer.throw("OverflowError", Value::Unknown),
            };
        }
        Value::Tuple(items) | Value::FrozenSet(items) => Some(items.len()),
        Value::List(items) | Value::Set(items) => items.known().map(|items| items.len()),
        Value::Dict(entries) | Value::View(entries, _) => entries.known().map(|it| it.len()),
        Value::Str(text) => Some(text.chars().count()),
        Value::Class(class) if matches!(class.kind, ClassKind::Enum { .. }) => {
            tracer.enumerated(class).map(|members| members.len())
        }
        // An unknown base class may have a metaclass with `__len__`.
        Value::Class(class) if !class.is_whole => None,
        Value::None
        | Value::Bool(_)
        | Value::Int(_)
        | Value::Float(_)
        | Value::Iterator(_)
        | Value::Class(_)
        | Value::Function(_)
        | Value::Lambda(_) => {
            return tracer.throw("TypeError", Value::Unknown);
        }
        Value::Instance(instance) => match instance.as_tuple() {
            Some(items) => Some(items.len()),
            None => {
                let length = tracer.call_method(value, "__len__", Arguments::default(), site)?;
                return match length {
                    // A negative or non-integer length raises in CPython; it is left unknown.
                    Some(Value::Int(length)) if length >= 0 => Ok(Value::Int(length)),
                    Some(_) => tracer.not_followed(),
                    None if instance.is_bare() => tracer.throw("TypeError", Value::Unknown),
                    None => tracer.not_followed(),
                };
            }
        },
        _ => None,
    };
    Ok(count.map_or(Value::Unknown, |count| Value::Int(count as i128)))
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
        Some(value) => tracer.unordered_items(value)?,
        None => Some(Vec::new()),
    };
    match items {
        Some(items) => tracer.set_of(items),
        None => Ok(Value::Unknown),
    }
}

fn dict<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let mut entries = Vec::new();
    if let Some(given) = args.at(0)
        && !tracer.take_entries_of(&given.clone(), &mut entries)?
    {
        return Ok(Value::Unknown);
    }
    if !args.spread.is_empty() {
        return Ok(Value::Unknown);
    }
    // Keywords follow the entries of the argument and replace them.
    for (name, value, _) in &args.keywords {
        tracer.insert(&mut entries, Value::str(name), value.clone())?;
    }
    Ok(Value::dict(entries))
}

/// Evaluates `dict.fromkeys(keys, value)`.
fn from_keys<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let keys = match args.at(0) {
        Some(keys) => tracer.static_items(&keys.clone())?,
        None => None,
    };
    let Some(keys) = keys else {
        return tracer.lost_call(args);
    };
    let value = args.at(1).cloned().unwrap_or(Value::None);
    let mut entries = Vec::new();
    // All keys share one value object, as in Python.
    for key in keys {
        if !tracer.insert(&mut entries, key, value.clone())? {
            return Ok(Value::Unknown);
        }
    }
    Ok(Value::dict(entries))
}

fn string<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    site: Site,
    of: fn(&mut Tracer<'a>, &Value<'a>, Span) -> Eval<Option<String>>,
) -> Eval<Value<'a>> {
    match args.plain().as_slice() {
        [value] => {
            let text = of(tracer, value, site.span)?;
            Ok(text.map_or(Value::Unknown, |text| Value::str(&text)))
        }
        [] => Ok(Value::str("")),
        _ => tracer.not_followed(),
    }
}

fn chr<'a>(args: &Arguments<'a>) -> Value<'a> {
    let code = args.at(0).and_then(|value| value.as_int());
    // Surrogates are strings in Python, but no `char`.
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
        // `None` as a bound is the same as no bound.
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

/// Evaluates `os.environ.get(name, default)`: the value that the program has set, else the default. The environment
/// is taken to be empty.
fn from_environment<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Value<'a> {
    let Some(Value::Str(name)) = args.at(0) else {
        return Value::Unknown;
    };
    // The program passed `os.environ` to code that is not followed.
    if tracer.changed.is_environment_lost {
        return Value::Unknown;
    }
    let set = tracer.changed.environment.get(&**name).cloned();
    let default = args.at(1).or(args.keyword("default"));
    set.or(default.cloned()).unwrap_or(Value::Unknown)
}

/// Evaluates `os.environ.setdefault(name, value)`.
fn environment_default<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Value<'a> {
    let (Some(name @ Value::Str(_)), Some(value)) = (args.at(0), args.at(1)) else {
        tracer.changed.is_environment_lost = true;
        return Value::Unknown;
    };
    let set = from_environment(tracer, args);
    let environment = Value::Namespace(Namespace::Library("os.environ"));
    if !set.is_unknown() {
        tracer.set_environment(&environment, &name.clone(), set.clone());
    }
    let _ = value;
    set
}

/// Evaluates `copy.copy(object)`.
fn copied<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let Some(value) = args.at(0) else {
        return Ok(Value::Unknown);
    };
    Ok(match value {
        Value::List(items) => match items.known() {
            Some(items) => Value::list(items.to_vec()),
            None => Value::Unknown,
        },
        Value::Set(items) => match items.known() {
            Some(items) => Value::set(items.to_vec()),
            None => Value::Unknown,
        },
        Value::Dict(entries) => match entries.known() {
            Some(entries) => Value::dict(entries.to_vec()),
            None => Value::Unknown,
        },
        Value::Instance(instance) if is_copied_plainly(instance) => {
            let Some(attributes) = instance.attributes.known().map(|it| it.to_vec()) else {
                return Ok(Value::Unknown);
            };
            Value::Instance(Rc::new(Instance {
                class: instance.class.clone(),
                attributes: Shared::new(attributes),
            }))
        }
        // Immutable values and definitions are their own copies.
        other if other.is_plain() => other.clone(),
        Value::Function(_) | Value::Class(_) | Value::Lambda(_) => value.clone(),
        _ => return tracer.lost_call(args),
    })
}

/// Returns whether copying an object copies its attributes and nothing else: no class of it defines the copy protocol.
fn is_copied_plainly(instance: &Instance) -> bool {
    const OWN: &[&str] = &[
        "__copy__",
        "__deepcopy__",
        "__reduce__",
        "__reduce_ex__",
        "__getstate__",
        "__setstate__",
    ];
    let is_enum = matches!(instance.class.kind, ClassKind::Enum { .. });
    instance.class.is_whole
        && !is_enum
        && OWN.iter().all(|name| instance.class.lookup(name).is_none())
}

impl<'a> Tracer<'a> {
    /// Evaluates `copy.deepcopy(object)`.
    fn deep_copy(&mut self, value: &Value<'a>, site: Site) -> Eval<Value<'a>> {
        let mut made = Vec::new();
        match self.deep(value, &mut made, MAX_NESTED)? {
            Some(copy) => Ok(copy),
            None => self.lost_call(&Arguments::of([value.clone()], site.span)),
        }
    }

    /// Returns a deep copy. `made` is the memo: an object that occurs several times is copied once.
    fn deep(
        &mut self,
        value: &Value<'a>,
        made: &mut Vec<(Value<'a>, Value<'a>)>,
        nested: u32,
    ) -> Eval<Option<Value<'a>>> {
        self.charge(4 + made.len())?;
        let Some(nested) = nested.checked_sub(1) else {
            return Ok(None);
        };
        if let Some((_, copy)) = made.iter().find(|(known, _)| same_object(known, value)) {
            return Ok(Some(copy.clone()));
        }
        Ok(match value {
            Value::Tuple(items) => {
                let mut copies = Vec::new();
                for item in items.iter() {
                    match self.deep(item, made, nested)? {
                        Some(copy) => copies.push(copy),
                        None => return Ok(None),
                    }
                }
                // CPython returns the tuple itself if no item was copied to another object.
                let is_same = items.iter().zip(&copies).all(|(a, b)| {
                    same_object(a, b) || a.is_plain() && !matches!(a, Value::Tuple(_))
                });
                Some(if is_same {
                    value.clone()
                } else {
                    Value::tuple(copies)
                })
            }
            Value::List(items) | Value::Set(items) => {
                let Some(items) = items.known().map(|items| items.to_vec()) else {
                    return Ok(None);
                };
                // The copy is recorded before its items, since they may refer back to it.
                let copy = match value {
                    Value::Set(_) => Value::set(Vec::new()),
                    _ => Value::list(Vec::new()),
                };
                made.push((value.clone(), copy.clone()));
                let mut copies = Vec::new();
                for item in &items {
                    match self.deep(item, made, nested)? {
                        Some(copy) => copies.push(copy),
                        None => return Ok(None),
                    }
                }
                if let Value::List(place) | Value::Set(place) = &copy
                    && let Some(mut place) = place.change(true)
                {
                    **place = copies;
                }
                Some(copy)
            }
            Value::Dict(entries) => {
                let Some(entries) = entries.known().map(|entries| entries.to_vec()) else {
                    return Ok(None);
                };
                let copy = Value::dict(Vec::new());
                made.push((value.clone(), copy.clone()));
                let mut copies = Vec::new();
                for (key, item) in &entries {
                    let pair = (
                        self.deep(key, made, nested)?,
                        self.deep(item, made, nested)?,
                    );
                    match pair {
                        (Some(key), Some(item)) => copies.push((key, item)),
                        _ => return Ok(None),
                    }
                }
                if let Value::Dict(place) = &copy
                    && let Some(mut place) = place.change(true)
                {
                    **place = copies;
                }
                Some(copy)
            }
            Value::Instance(instance) if is_copied_plainly(instance) => {
                let copy = self.instance(&instance.class);
                made.push((value.clone(), Value::Instance(copy.clone())));
                let attributes = Value::Dict(instance.attributes.clone());
                let Some(Value::Dict(attributes)) = self.deep(&attributes, made, nested)? else {
                    return Ok(None);
                };
                if let (Some(mut place), Some(all)) =
                    (copy.attributes.change(true), attributes.known())
                {
                    **place = all.to_vec();
                }
                Some(Value::Instance(copy))
            }
            // Members of enumerations define `__deepcopy__` to return themselves.
            Value::Instance(instance) if matches!(instance.class.kind, ClassKind::Enum { .. }) => {
                Some(value.clone())
            }
            Value::Function(_) | Value::Class(_) | Value::Lambda(_) | Value::DType(_) => {
                Some(value.clone())
            }
            other if other.is_plain() => Some(other.clone()),
            _ => None,
        })
    }
}

fn same_object<'a>(a: &Value<'a>, b: &Value<'a>) -> bool {
    match (a, b) {
        (Value::Instance(a), Value::Instance(b)) => Rc::ptr_eq(a, b),
        _ => a.is_same_object(b),
    }
}
