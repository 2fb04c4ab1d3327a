//! What programs ask of objects: their types and attributes.

use std::rc::Rc;

use super::super::dialects;
use super::super::emit::Arguments;
use super::super::facade::{Builtin, Facade, Namespace};
use super::super::tracer::{Eval, Tracer};
use super::super::value::Value;
use super::native::{Call, Native, Site, find};

pub const TABLE: &[Native] = &[
    native("", "isinstance", isinstance),
    native("", "issubclass", |_, args, _| Ok(issubclass(args))),
    native("", "type", |_, args, _| Ok(type_of(args))),
    native("", "getattr", getattr),
    native("", "hasattr", hasattr),
    native("", "setattr", setattr),
    native("importlib", "import_module", import_module),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

fn isinstance<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let (Some(value), Some(class)) = (args.at(0), args.at(1)) else {
        return Ok(Value::Unknown);
    };
    let classes = match class {
        Value::Tuple(_) => tracer.static_items(class)?.unwrap_or_default(),
        other => vec![other.clone()],
    };
    let answers: Vec<Option<bool>> = classes.iter().map(|class| is_a(value, class)).collect();
    Ok(
        match (answers.contains(&Some(true)), answers.contains(&None)) {
            (true, _) => Value::Bool(true),
            (false, true) => Value::Unknown,
            (false, false) => Value::Bool(false),
        },
    )
}

/// The name of the class of Python's own that a value belongs to.
fn own_class(value: &Value) -> Option<&'static str> {
    use Value::{Bool, Dict, Float, Int, List, None as Nothing, Range, Set, Str, Tuple};
    match value {
        Bool(_) | Int(_) | Float(_) | Str(_) | Tuple(_) | List(_) | Dict(_) | Set(_) | Nothing
        | Range(..) => Some(value.type_name()),
        Value::DType(_) | Value::Function(_) | Value::Lambda(_) => Some(""),
        _ => None,
    }
}

/// Whether a value is an instance of a class; `None` where that is not known.
fn is_a<'a>(value: &Value<'a>, class: &Value<'a>) -> Option<bool> {
    match (value, class) {
        (Value::Instance(instance), Value::Class(class)) => {
            let is_below = instance.class.is_below(class);
            (is_below || instance.class.is_whole).then_some(is_below)
        }
        (Value::Instance(instance), Value::Builtin(Builtin::Native(native))) => match native.name {
            "int" => (instance.class.is_whole).then(|| instance.as_int().is_some()),
            "str" => (instance.class.is_whole).then(|| instance.text().is_some()),
            "tuple" => (instance.class.is_whole).then(|| instance.as_tuple().is_some()),
            "object" => Some(true),
            "float" | "list" | "dict" => instance.class.is_whole.then_some(false),
            _ => None,
        },
        (Value::Var(_), Value::Builtin(Builtin::Var)) => Some(true),
        (Value::Local(_), Value::Builtin(Builtin::Tensor)) => Some(true),
        (Value::Global(_), Value::Builtin(Builtin::GlobalTensor)) => Some(true),
        (Value::Var(_) | Value::Local(_) | Value::Global(_) | Value::Ring(_), other) => {
            matches!(other, Value::Builtin(Builtin::Native(_)) | Value::Class(_)).then_some(false)
        }
        (_, Value::Class(_)) => own_class(value).map(|_| false),
        (_, Value::Builtin(Builtin::Var | Builtin::Tensor | Builtin::GlobalTensor)) => {
            own_class(value).map(|_| false)
        }
        (_, Value::Builtin(Builtin::Native(native))) if native.module.is_empty() => {
            let own = own_class(value)?;
            let is_own = own == native.name || native.name == "object";
            Some(is_own || (own, native.name) == ("bool", "int"))
        }
        _ => None,
    }
}

fn issubclass<'a>(args: &Arguments<'a>) -> Value<'a> {
    match (args.at(0), args.at(1)) {
        (Some(Value::Class(a)), Some(Value::Class(b))) if a.is_whole || a.is_below(b) => {
            Value::Bool(a.is_below(b))
        }
        _ => Value::Unknown,
    }
}

fn type_of<'a>(args: &Arguments<'a>) -> Value<'a> {
    match (args.at(0), args.at(1)) {
        (Some(Value::Instance(instance)), None) => Value::Class(instance.class.clone()),
        (Some(value), None) => {
            let native = own_class(value).and_then(|name| find("", name));
            native.map_or(Value::Unknown, |native| {
                Value::Builtin(Builtin::Native(native))
            })
        }
        _ => Value::Unknown,
    }
}

fn getattr<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let (Some(object), Some(Value::Str(name))) = (args.at(0), args.at(1)) else {
        return Ok(Value::Unknown);
    };
    if let Some(default) = args.at(2) {
        match tracer.has(object, name, site)? {
            Some(false) => return Ok(default.clone()),
            None => return Ok(Value::Unknown),
            Some(true) => {}
        }
    }
    tracer.attribute(object.clone(), name, site.span)
}

fn hasattr<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let (Some(object), Some(Value::Str(name))) = (args.at(0), args.at(1)) else {
        return Ok(Value::Unknown);
    };
    let has = tracer.has(object, name, site)?;
    Ok(has.map_or(Value::Unknown, Value::Bool))
}

fn import_module<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let Some(Value::Str(name)) = args.at(0) else {
        return Ok(tracer.facade_of_some_device(args));
    };
    match Facade::from_module(name) {
        Some(Facade::A2(dialect)) => return Ok(Value::Namespace(Namespace::Facade(dialect))),
        Some(facade) => {
            tracer.obstacles.extend(facade.obstacle(name));
            return Ok(Value::Unknown);
        }
        None if dialects::is_runtime(name) => return Ok(Value::Namespace(Namespace::Runtime)),
        None => {}
    }
    let module = tracer.load(name)?;
    Ok(module.map_or(Value::Unknown, Value::Module))
}

fn setattr<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let values: Vec<Value<'a>> = args.plain();
    if let [object, Value::Str(name), value] = values.as_slice()
        && tracer.set_attribute(object, name, value.clone())?
    {
        return Ok(Value::None);
    }
    let what = || "what holds this is not known".to_owned();
    let emission = super::super::unknown::Emission::None;
    tracer.unknown_code(site.span, what, args.values(), emission)?;
    Ok(Value::None)
}

impl<'a> Tracer<'a> {
    /// `import_module("ascriptor." + device)` for a device that nobody has named: one of A2.
    fn facade_of_some_device(&self, args: &Arguments<'a>) -> Value<'a> {
        let Some((_, span)) = args.positional.first() else {
            return Value::Unknown;
        };
        let text = self.text(*span);
        let module = text
            .trim_start_matches(['f', 'F'])
            .trim_start_matches(['"', '\'']);
        let package = module.split('.').next().and_then(dialects::of_package);
        match package.filter(|_| module.contains('.')) {
            Some(language) => Value::Namespace(Namespace::Facade(language.dialect)),
            None => Value::Unknown,
        }
    }

    /// Whether an object has an attribute; `None` where that is not known.
    fn has(&mut self, object: &Value<'a>, name: &Rc<str>, site: Site) -> Eval<Option<bool>> {
        Ok(match object {
            Value::Instance(instance) => {
                let found = self.python_attribute(object, name, site.span)?.is_some();
                let is_open =
                    !instance.class.is_whole || instance.class.lookup("__getattr__").is_some();
                match (found, is_open) {
                    (true, _) => Some(true),
                    (false, open) => (!open).then_some(false),
                }
            }
            Value::Class(class) => match class.lookup(name) {
                Some(_) => Some(true),
                None => (class.is_whole && !name.starts_with("__")).then_some(false),
            },
            Value::Namespace(_) => {
                let found = self.attribute(object.clone(), name, site.span)?;
                (!found.is_unknown()).then_some(true)
            }
            _ => None,
        })
    }
}
