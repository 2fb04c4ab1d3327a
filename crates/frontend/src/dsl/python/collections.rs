//! Classes that libraries make (`namedtuple`, `SimpleNamespace`), and functions over the fields of dataclasses.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::{Call, Native, Site};
use super::objects::{Class, ClassKind, DataField, Field};

pub const TABLE: &[Native] = &[
    native("collections", "namedtuple", namedtuple),
    native("typing", "NamedTuple", namedtuple),
    native("types", "SimpleNamespace", |tracer, args, _| {
        Ok(namespace(tracer, args))
    }),
    native("argparse", "Namespace", |tracer, args, _| {
        Ok(namespace(tracer, args))
    }),
    native("dataclasses", "replace", replace),
    native("dataclasses", "asdict", |tracer, args, _| {
        asdict(tracer, args)
    }),
    native("dataclasses", "astuple", |tracer, args, _| {
        astuple(tracer, args)
    }),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

impl<'a> Tracer<'a> {
    /// Calls a method of a named tuple.
    pub fn tuple_method(
        &mut self,
        object: &Value<'a>,
        name: &str,
        mut arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        arguments
            .positional
            .insert(0, (object.clone(), site.receiver));
        match name {
            "_replace" => replace(self, &arguments, site),
            "_asdict" => asdict(self, &arguments),
            "index" | "count" => match object {
                Value::Instance(instance) => match instance.as_tuple() {
                    Some(items) => {
                        let name = name.to_owned();
                        arguments.positional.remove(0);
                        self.container_method(&Value::tuple(items), &name, &arguments, site)
                    }
                    None => self.lost_call(&arguments),
                },
                _ => self.lost_call(&arguments),
            },
            _ => self.lost_call(&arguments),
        }
    }

    /// Creates a class that no class statement makes.
    pub fn made_class(&mut self, name: &str, kind: ClassKind<'a>) -> Rc<Class<'a>> {
        let frame = self.new_frame_of_class();
        Rc::new(Class::made(name, frame, kind))
    }
}

/// Evaluates `namedtuple("Tile", "rows columns", defaults=(64,))`.
fn namedtuple<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let (Some(Value::Str(name)), Some(fields)) = (args.at(0), args.at(1)) else {
        return Ok(Value::Unknown);
    };
    let mut names: Vec<Rc<str>> = Vec::new();
    match fields {
        Value::Str(text) => {
            // `split()` splits at whitespace of any script.
            let words = text.split(|c: char| c == ',' || c.is_whitespace());
            names.extend(words.filter(|word| !word.is_empty()).map(Rc::from));
        }
        other => {
            let Some(items) = tracer.static_items(other)? else {
                return tracer.not_followed();
            };
            for item in items {
                match (&item, tracer.static_items(&item)?) {
                    (Value::Str(name), _) => names.push(name.clone()),
                    // `("rows", int)`, as `typing.NamedTuple` takes its fields.
                    (_, Some(pair)) => match pair.first() {
                        Some(Value::Str(name)) => names.push(name.clone()),
                        _ => return Ok(Value::Unknown),
                    },
                    _ => return Ok(Value::Unknown),
                }
            }
        }
    }
    let defaults = match args.keyword("defaults") {
        None | Some(Value::None) => Some(Vec::new()),
        Some(defaults) => tracer.static_items(defaults)?,
    };
    let is_wrong = |(at, name): (usize, &Rc<str>)| {
        let is_part = |c: char| c.is_alphanumeric() || c == '_';
        let is_first = |c: char| is_part(c) && c != '_' && !c.is_numeric();
        !name.starts_with(is_first) || !name.chars().all(is_part) || names[..at].contains(name)
    };
    // CPython raises for such names, or renames the fields.
    let is_wrong = names.iter().enumerate().any(is_wrong);
    let Some(defaults) = defaults.filter(|it| !is_wrong && it.len() <= names.len()) else {
        return tracer.not_followed();
    };
    // Defaults belong to the last fields.
    let without = names.len().saturating_sub(defaults.len());
    let field = |(at, name): (usize, Rc<str>)| DataField {
        name,
        default: at
            .checked_sub(without)
            .and_then(|at| defaults.get(at))
            .map(|value| Field::with(value.clone())),
        by_name: false,
        is_init_var: false,
    };
    let fields = names.into_iter().enumerate().map(field).collect();
    let class = tracer.made_class(name, ClassKind::Tuple(fields));
    Ok(Value::Class(class))
}

fn namespace<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Value<'a> {
    if !args.spread.is_empty() || !args.positional.is_empty() {
        return Value::Unknown;
    }
    let class = tracer.made_class("SimpleNamespace", ClassKind::Namespace);
    // Two namespaces are equal if their attributes are, which is not modelled.
    class.body.set_own("__eq__", Value::Unknown);
    let instance = tracer.instance(&class);
    for (name, value, _) in &args.keywords {
        instance.set_first(name, value.clone());
    }
    Value::Instance(instance)
}

/// Evaluates `dataclasses.replace(object, field=value)`.
fn replace<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let Some(Value::Instance(former)) = args.at(0) else {
        return tracer.lost_call(args);
    };
    let is_data = !former.class.fields().is_empty();
    // The class is called with all fields, which a custom `__init__` may not take.
    if !args.spread.is_empty() || !is_data || former.class.lookup("__init__").is_some() {
        return tracer.lost_call(args);
    }
    let mut keywords = args.keywords.clone();
    for field in former.class.fields() {
        let is_given = keywords.iter().any(|(name, _, _)| **name == *field.name);
        match (is_given, field.in_init(), field.is_init_var) {
            // A field with `init=False` cannot be replaced.
            (true, false, _) => return tracer.throw("ValueError", Value::Unknown),
            (false, true, false) => {
                let value = former.get(&field.name).unwrap_or(Value::Unknown);
                keywords.push((field.name.to_string(), value, site.span));
            }
            // An `InitVar` without a new value has none to take over.
            (false, true, true) => return tracer.lost_call(args),
            _ => {}
        }
    }
    let arguments = Arguments {
        keywords,
        ..Arguments::default()
    };
    let class = former.class.clone();
    tracer.instantiate(&class, arguments, site)
}

/// Evaluates `dataclasses.asdict` and `_asdict`.
fn asdict<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    match args.plain().as_slice() {
        [Value::Instance(instance)] => {
            let known = fields_of(instance, MAX_NESTED);
            Ok(known.map_or(Value::Unknown, Value::dict))
        }
        _ => tracer.lost_call(args),
    }
}

/// Maximum depth of objects that `asdict` takes apart.
const MAX_NESTED: u32 = 10;

fn fields_of<'a>(
    instance: &super::objects::Instance<'a>,
    nested: u32,
) -> Option<Vec<(Value<'a>, Value<'a>)>> {
    let nested = nested.checked_sub(1)?;
    let is_tuple = matches!(instance.class.kind, ClassKind::Tuple(_));
    let fields = instance
        .class
        .fields()
        .iter()
        .filter(|field| !field.is_init_var);
    let entry = |field: &DataField<'a>| {
        let value = instance.get(&field.name)?;
        // `_asdict` of a named tuple does not convert nested objects.
        let value = if is_tuple {
            value
        } else {
            taken_apart(&value, nested)?
        };
        Some((Value::Str(field.name.clone()), value))
    };
    fields.map(entry).collect()
}

/// Returns the form of a value in `asdict`: nested dataclasses become dictionaries, and containers are copied.
fn taken_apart<'a>(value: &Value<'a>, nested: u32) -> Option<Value<'a>> {
    let nested = nested.checked_sub(1)?;
    let all = |items: &[Value<'a>]| -> Option<Vec<Value<'a>>> {
        items.iter().map(|item| taken_apart(item, nested)).collect()
    };
    Some(match value {
        Value::Instance(inner) if matches!(inner.class.kind, ClassKind::Data(_)) => {
            Value::dict(fields_of(inner, nested)?)
        }
        Value::List(items) => Value::list(all(&items.known()?)?),
        Value::Tuple(items) => Value::tuple(all(items)?),
        Value::Dict(entries) => {
            let entries = entries.known()?;
            let pair = |(key, value): &(Value<'a>, Value<'a>)| {
                Some((taken_apart(key, nested)?, taken_apart(value, nested)?))
            };
            Value::dict(entries.iter().map(pair).collect::<Option<_>>()?)
        }
        Value::DType(_) | Value::Function(_) | Value::Class(_) => value.clone(),
        plain if plain.is_plain() => plain.clone(),
        Value::Instance(inner) if matches!(inner.class.kind, ClassKind::Enum { .. }) => {
            value.clone()
        }
        _ => return None,
    })
}

fn astuple<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let Value::Dict(entries) = asdict(tracer, args)? else {
        return Ok(Value::Unknown);
    };
    // Nested dataclasses become tuples, not dictionaries, so the dictionary form gives a wrong answer for them.
    let entries = entries.ever().to_vec();
    let is_nested = entries.iter().any(|(_, value)| !value.is_plain());
    Ok(match is_nested {
        true => Value::Unknown,
        false => Value::tuple(entries.into_iter().map(|(_, value)| value).collect()),
    })
}
