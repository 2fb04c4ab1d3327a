//! `argparse`: the arguments of a program that is called without any.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::{Call, Native, Site};
use super::objects::{Class, ClassKind, Instance};

pub const TABLE: &[Native] = &[
    native("argparse", "ArgumentParser", |tracer, _, _| {
        Ok(parser(tracer))
    }),
    native(PARSER, "add_argument", |tracer, args, _| {
        add_argument(tracer, args)
    }),
    native(PARSER, "set_defaults", |_, args, _| Ok(set_defaults(args))),
    native(PARSER, "parse_args", |tracer, args, _| {
        Ok(parsed(tracer, args))
    }),
    native(PARSER, "parse_known_args", |tracer, args, _| {
        Ok(Value::tuple(vec![
            parsed(tracer, args),
            Value::list(Vec::new()),
        ]))
    }),
    native(PARSER, "add_argument_group", |_, args, _| Ok(itself(args))),
    native(PARSER, "add_mutually_exclusive_group", |_, args, _| {
        Ok(itself(args))
    }),
];

/// The class of parsers.
pub const PARSER: &str = "argparse.ArgumentParser";

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

/// Creates a parser: an object whose attributes are the values of arguments.
fn parser<'a>(tracer: &mut Tracer<'a>) -> Value<'a> {
    let class = tracer.made_class("ArgumentParser", ClassKind::Plain);
    for native in TABLE.iter().filter(|native| native.module == PARSER) {
        let method = super::super::facade::Builtin::Native(native);
        class.body.set(native.name, Value::Builtin(method));
    }
    Value::Instance(tracer.instance(&class))
}

/// Returns the parser whose method is called.
fn own<'v, 'a>(args: &'v Arguments<'a>) -> Option<&'v Rc<Instance<'a>>> {
    match args.at(0) {
        Some(Value::Instance(parser)) => Some(parser),
        _ => None,
    }
}

// Groups add their arguments to the parser itself.
fn itself<'a>(args: &Arguments<'a>) -> Value<'a> {
    args.at(0).cloned().unwrap_or(Value::Unknown)
}

/// Evaluates `parser.add_argument("--rows", "-r", type=int, default=64)`.
fn add_argument<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Eval<Value<'a>> {
    let Some(parser) = own(args) else {
        return Ok(Value::Unknown);
    };
    let flags: Vec<Rc<str>> = args
        .plain()
        .into_iter()
        .skip(1)
        .filter_map(|flag| match flag {
            Value::Str(flag) => Some(flag),
            _ => None,
        })
        .collect();
    // argparse derives the name from the first long option, else from the first option.
    let long = flags.iter().find(|flag| flag.starts_with("--"));
    let Some(flag) = long.or(flags.first()) else {
        return Ok(Value::None);
    };
    let name = match args.keyword("dest") {
        Some(Value::Str(name)) => name.to_string(),
        _ => flag.trim_start_matches('-').replace('-', "_"),
    };
    let is_required = matches!(args.keyword("required"), Some(Value::Bool(true)));
    let is_positional = !flag.starts_with('-') && args.keyword("nargs").is_none();
    let action = match args.keyword("action") {
        Some(Value::Str(action)) => action.to_string(),
        _ => String::new(),
    };
    let value = match (args.keyword("default"), action.as_str()) {
        (Some(default), _) => default.clone(),
        (None, "store_true") => Value::Bool(false),
        (None, "store_false") => Value::Bool(true),
        // The user must give a value, which is unknown.
        (None, _) if is_required || is_positional => Value::Unknown,
        (None, _) => Value::None,
    };
    // argparse applies `type` to a default only if that is a string.
    let value = match (&value, args.keyword("type")) {
        (Value::Str(_), Some(kind)) => {
            let span = args
                .positional
                .first()
                .map_or_else(Default::default, |(_, span)| *span);
            tracer.call_back(kind, vec![value.clone()], Site::at(span))?
        }
        _ => value,
    };
    parser.set_first(&name, value);
    Ok(Value::None)
}

fn set_defaults<'a>(args: &Arguments<'a>) -> Value<'a> {
    if let Some(parser) = own(args) {
        for (name, value, _) in &args.keywords {
            parser.set_first(name, value.clone());
        }
    }
    Value::None
}

/// Returns the values of all arguments; unknown if the program passes arguments of its own.
fn parsed<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>) -> Value<'a> {
    let Some(parser) = own(args) else {
        return Value::Unknown;
    };
    // An explicit empty list is the same as a call without arguments.
    let is_given = match args.at(1).or(args.keyword("args")) {
        None | Some(Value::None) => false,
        Some(Value::List(items)) => items.known().is_none_or(|items| !items.is_empty()),
        Some(_) => true,
    };
    if is_given {
        return Value::Unknown;
    }
    let class: Rc<Class<'a>> = tracer.made_class("Namespace", ClassKind::Plain);
    let values = tracer.instance(&class);
    for (name, value) in parser.attributes.ever().iter() {
        if let Value::Str(name) = name {
            values.set_first(name, value.clone());
        }
    }
    Value::Instance(values)
}
