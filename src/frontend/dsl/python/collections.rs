//! Classes that libraries make: `namedtuple`, `SimpleNamespace`, and what asks dataclasses for their
//! fields.

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
    native("dataclasses", "asdict", |_, args, _| Ok(asdict(args))),
    native("dataclasses", "astuple", |_, args, _| Ok(astuple(args))),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

impl<'a> Tracer<'a> {
    /// Methods of named tuples.
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
            "_asdict" => Ok(asdict(&arguments)),
            _ => Ok(Value::Unknown),
        }
    }

    /// A class that no statement makes.
    pub fn made_class(&mut self, name: &str, kind: ClassKind<'a>) -> Rc<Class<'a>> {
        Rc::new(Class {
            name: name.to_owned(),
            body: self.new_frame_of_class(),
            statements: &[],
            above: Vec::new(),
            kind,
            is_whole: true,
            depth: 1,
        })
    }
}

/// `namedtuple("Tile", "rows columns", defaults=(64,))`
fn namedtuple<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let (Some(Value::Str(name)), Some(fields)) = (args.at(0), args.at(1)) else {
        return Ok(Value::Unknown);
    };
    let mut names: Vec<Rc<str>> = Vec::new();
    match fields {
        Value::Str(text) => {
            let words = text.split([',', ' ']).filter(|word| !word.is_empty());
            names.extend(words.map(Rc::from));
        }
        other => {
            for item in tracer.static_items(other)?.unwrap_or_default() {
                match (&item, tracer.static_items(&item)?) {
                    (Value::Str(name), _) => names.push(name.clone()),
                    // `("rows", int)`
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
        Some(defaults) => tracer.static_items(defaults)?.unwrap_or_default(),
        None => Vec::new(),
    };
    let without = names.len().saturating_sub(defaults.len());
    let field = |(at, name): (usize, Rc<str>)| DataField {
        name,
        default: at
            .checked_sub(without)
            .and_then(|at| defaults.get(at))
            .map(|value| Field {
                default: Some(value.clone()),
                factory: None,
                in_init: true,
            }),
    };
    let fields = names.into_iter().enumerate().map(field).collect();
    let class = tracer.made_class(name, ClassKind::Tuple(fields));
    Ok(Value::Class(class))
}

fn namespace<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Value<'a> {
    if !args.spread.is_empty() || !args.positional.is_empty() {
        return Value::Unknown;
    }
    let class = tracer.made_class("SimpleNamespace", ClassKind::Plain);
    let instance = tracer.instance(&class);
    for (name, value, _) in &args.keywords {
        instance.set(name, value.clone());
    }
    Value::Instance(instance)
}

/// `dataclasses.replace(object, field=value)`
fn replace<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let Some(Value::Instance(former)) = args.at(0) else {
        return Ok(Value::Unknown);
    };
    if !args.spread.is_empty() {
        return Ok(Value::Unknown);
    }
    let instance = tracer.instance(&former.class);
    for (name, value) in former.attributes.borrow().iter() {
        if let Value::Str(name) = name {
            instance.set(name, value.clone());
        }
    }
    for (name, value, _) in &args.keywords {
        instance.set(name, value.clone());
    }
    let object = Value::Instance(instance);
    tracer.call_method(&object, "__post_init__", Arguments::default(), site)?;
    Ok(object)
}

/// A dictionary of the fields of an object.
fn asdict<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0) {
        Some(Value::Instance(instance)) => Value::dict(instance.attributes.borrow().to_vec()),
        _ => Value::Unknown,
    }
}

fn astuple<'a>(args: &Arguments<'a>) -> Value<'a> {
    match args.at(0) {
        Some(Value::Instance(instance)) => {
            let fields = instance.class.fields().iter();
            let values = fields.map(|field| instance.get(&field.name).unwrap_or(Value::Unknown));
            Value::tuple(values.collect())
        }
        _ => Value::Unknown,
    }
}
