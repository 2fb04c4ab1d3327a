//! Queries of programs about objects: their types and attributes.

use std::rc::Rc;

use super::super::dialects;
use super::super::emit::Arguments;
use super::super::facade::{Builtin, Facade, Namespace};
use super::super::tracer::{Abort, Eval, Tracer};
use super::super::value::{Role, Value};
use super::native::{Call, Native, Site, find};
use super::objects::MemberType;

pub const TABLE: &[Native] = &[
    native("", "isinstance", isinstance),
    native("", "issubclass", |_, args, _| Ok(issubclass(args))),
    native("", "type", |_, args, _| Ok(type_of(args))),
    native("", "getattr", getattr),
    native("", "hasattr", hasattr),
    native("", "setattr", setattr),
    native("", "delattr", |tracer, args, site| {
        match args.plain().as_slice() {
            [object, Value::Str(name)] => {
                tracer.delete_attribute(object, name, site.span)?;
                Ok(Value::None)
            }
            _ => tracer.lost_call(args),
        }
    }),
    native("importlib", "import_module", import_module),
    native("collections.abc", "Sized", |_, _, _| Ok(Value::Unknown)),
    native("collections.abc", "Container", |_, _, _| Ok(Value::Unknown)),
    native("collections.abc", "Collection", |_, _, _| {
        Ok(Value::Unknown)
    }),
    native("collections.abc", "Iterable", |_, _, _| Ok(Value::Unknown)),
    native("collections.abc", "Sequence", |_, _, _| Ok(Value::Unknown)),
    native("collections.abc", "MutableSequence", |_, _, _| {
        Ok(Value::Unknown)
    }),
    native("collections.abc", "Reversible", |_, _, _| {
        Ok(Value::Unknown)
    }),
    native("collections.abc", "Mapping", |_, _, _| Ok(Value::Unknown)),
    native("collections.abc", "MutableMapping", |_, _, _| {
        Ok(Value::Unknown)
    }),
    native("collections.abc", "Set", |_, _, _| Ok(Value::Unknown)),
    native("collections.abc", "MutableSet", |_, _, _| {
        Ok(Value::Unknown)
    }),
    native("collections.abc", "Iterator", |_, _, _| Ok(Value::Unknown)),
    native("collections.abc", "Callable", |_, _, _| Ok(Value::Unknown)),
    native("collections.abc", "Hashable", |_, _, _| Ok(Value::Unknown)),
];

const fn native(module: &'static str, name: &'static str, call: Call) -> Native {
    Native { module, name, call }
}

fn isinstance<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    match args.plain().as_slice() {
        [value, class] => {
            let answer = tracer.is_instance(value, class)?;
            Ok(answer.map_or(Value::Unknown, Value::Bool))
        }
        _ => tracer.not_followed(),
    }
}

impl<'a> Tracer<'a> {
    /// Evaluates `isinstance` for a class or a tuple of classes; `None` if it is unknown.
    pub fn is_instance(&mut self, value: &Value<'a>, class: &Value<'a>) -> Eval<Option<bool>> {
        // Tuples of classes can nest without bound.
        self.step()?;
        let classes = match class {
            Value::Tuple(items) => items.to_vec(),
            one => vec![one.clone()],
        };
        let mut is_open = false;
        for class in classes {
            let answer = match class {
                Value::Tuple(_) => self.is_instance(value, &class)?,
                class => is_a(value, &class),
            };
            match answer {
                Some(true) => return Ok(Some(true)),
                Some(false) => {}
                None => is_open = true,
            }
        }
        Ok((!is_open).then_some(false))
    }
}

/// Returns the name of the builtin class that a value belongs to; an empty name for values of other known classes,
/// and `None` if it is unknown.
fn own_class(value: &Value) -> Option<&'static str> {
    use Value::{Bool, Dict, Float, Int, List, None as Nothing, Range, Set, Str, Tuple};
    match value {
        Bool(_)
        | Int(_)
        | Float(_)
        | Str(_)
        | Tuple(_)
        | List(_)
        | Dict(_)
        | Set(_)
        | Nothing
        | Range(..)
        | Value::FrozenSet(_)
        | Value::Names(_) => Some(value.type_name()),
        Value::DType(_) | Value::Function(_) | Value::Lambda(_) | Value::Iterator(_) => Some(""),
        _ => None,
    }
}

/// Abstract classes of `collections.abc`, with the names of the builtin classes that are registered for them.
const ABSTRACT: &[(&str, &[&str])] = &[
    ("Sized", SIZED),
    ("Container", SIZED),
    ("Collection", SIZED),
    ("Iterable", SIZED),
    ("Sequence", &["str", "tuple", "list", "range"]),
    ("MutableSequence", &["list"]),
    ("Reversible", &["str", "tuple", "list", "range", "dict"]),
    ("Mapping", &["dict"]),
    ("MutableMapping", &["dict"]),
    ("Set", &["set", "frozenset"]),
    ("MutableSet", &["set"]),
    ("Iterator", &[]),
    ("Callable", &["function"]),
    (
        "Hashable",
        &[
            "NoneType", "bool", "int", "float", "str", "range", "function",
        ],
    ),
];
/// Builtin classes with a length.
const SIZED: &[&str] = &["str", "tuple", "list", "dict", "set", "frozenset", "range"];

/// Returns whether a value is an instance of an abstract class of `collections.abc`; `None` if it is unknown.
fn is_abstractly(value: &Value, class: &str) -> Option<bool> {
    let (_, concrete) = ABSTRACT.iter().find(|(name, _)| *name == class)?;
    let name = match value {
        Value::Iterator(_) => {
            return match class {
                "Iterator" | "Iterable" | "Hashable" => Some(true),
                // Whether an iterator has a length depends on its class.
                "Sized" | "Container" | "Collection" => None,
                _ => Some(false),
            };
        }
        Value::Function(function) if function.role == Role::Helper => "function",
        Value::Lambda(_) => "function",
        // `Hashable` asks for `__hash__` alone; hashing may still raise for their items.
        Value::Tuple(_) | Value::FrozenSet(_) if class == "Hashable" => return Some(true),
        Value::Function(_) | Value::DType(_) => return None,
        other => own_class(other)?,
    };
    Some(concrete.contains(&name))
}

/// Returns whether a value is an instance of a class; `None` if it is unknown.
fn is_a<'a>(value: &Value<'a>, class: &Value<'a>) -> Option<bool> {
    match (value, class) {
        (Value::Instance(instance), Value::Class(class)) => {
            let is_below = instance.class.is_below(class);
            // With an unknown base class, `True` is certain but `False` is not.
            (is_below || instance.class.is_whole).then_some(is_below)
        }
        // `__subclasshook__` checks for methods, which is not modelled.
        (Value::Instance(_), Value::Builtin(Builtin::Native(native)))
            if native.module == "collections.abc" =>
        {
            None
        }
        (Value::Instance(instance), Value::Builtin(Builtin::Native(native))) => {
            match native.name {
                "int" => (instance.class.is_whole)
                    .then(|| instance.member_type() == Some(MemberType::Int)),
                "str" => (instance.class.is_whole)
                    .then(|| instance.member_type() == Some(MemberType::Str)),
                "tuple" => (instance.class.is_whole).then(|| instance.as_tuple().is_some()),
                "object" => Some(true),
                "float" | "list" | "dict" | "set" => instance.class.is_whole.then_some(false),
                _ => None,
            }
        }
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
        (_, Value::Builtin(Builtin::Native(native))) if native.module == "collections.abc" => {
            is_abstractly(value, native.name)
        }
        (_, Value::Builtin(Builtin::Native(native))) if native.module.is_empty() => {
            let own = own_class(value)?;
            let is_own = own == native.name || native.name == "object";
            // `bool` is the only subclass of another builtin class here.
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
        (Some(Value::Instance(instance)), None) => instance.class.as_value(),
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
        return match tracer.attribute_if_any(object, name, site)? {
            Some(Some(value)) => Ok(value),
            Some(None) => Ok(default.clone()),
            None => Ok(Value::Unknown),
        };
    }
    tracer.attribute(object.clone(), name, site.span)
}

fn hasattr<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
    let (Some(object), Some(Value::Str(name))) = (args.at(0), args.at(1)) else {
        return Ok(Value::Unknown);
    };
    let found = tracer.attribute_if_any(object, name, site)?;
    Ok(found.map_or(Value::Unknown, |found| Value::Bool(found.is_some())))
}

fn import_module<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let Some(Value::Str(name)) = args.at(0).cloned() else {
        let facade = tracer.facade_of_some_device(args);
        if facade.is_unknown() {
            tracer.lose_scopes();
        }
        return Ok(facade);
    };
    let name = &name;
    if name.starts_with('.') || args.at(1).is_some() || args.keyword("package").is_some() {
        return tracer.not_followed();
    }
    match Facade::from_module(name) {
        Some(Facade::A2(dialect)) => return Ok(Value::Namespace(Namespace::Facade(dialect))),
        Some(facade) => {
            tracer.obstacles.extend(facade.obstacle(name));
            return Ok(Value::Unknown);
        }
        None if dialects::is_runtime(name) => return Ok(Value::Namespace(Namespace::Runtime)),
        None => {}
    }
    if let Some(module) = tracer.load(name)? {
        return Ok(Value::Module(module));
    }
    Ok(tracer.imported_by_name(&Value::Str(name.clone())))
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
    /// Returns the facade for `import_module("ascriptor." + device)` with an unknown device: that of A2.
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

    /// Returns an attribute of an object, and `Some(None)` if it has no such attribute; `None` if that is unknown.
    fn attribute_if_any(
        &mut self,
        object: &Value<'a>,
        name: &Rc<str>,
        site: Site,
    ) -> Eval<Option<Option<Value<'a>>>> {
        if self.in_kernel() {
            return self.attribute_in_kernel(object, name, site);
        }
        let doubts = self.doubts.count();
        match self.attribute(object.clone(), name, site.span) {
            // The methods of Python's own types are not listed, so whether this one exists is unknown.
            Ok(Value::Method(_)) if !matches!(object, Value::Instance(_) | Value::Class(_)) => {
                Ok(None)
            }
            Ok(value) if self.doubts.count() == doubts && !value.is_unknown() => {
                Ok(Some(Some(value)))
            }
            Ok(_) => Ok(None),
            Err(Abort::Raised) if self.is_raised("AttributeError") => {
                self.doubts.raised = None;
                Ok(Some(None))
            }
            Err(other) => Err(other),
        }
    }

    /// Looks up an attribute in a kernel, where no AttributeError is modelled: `Some(None)` if it is absent, `None` if
    /// that is unknown.
    fn attribute_in_kernel(
        &mut self,
        object: &Value<'a>,
        name: &Rc<str>,
        site: Site,
    ) -> Eval<Option<Option<Value<'a>>>> {
        Ok(match object {
            Value::Instance(instance) => {
                let found = self.python_attribute(object, name, site.span)?;
                let is_open = !instance.is_bare() || instance.class.lookup("__getattr__").is_some();
                match found {
                    Some(value) => Some(Some(value)),
                    None => (!is_open).then_some(None),
                }
            }
            Value::Class(class) => match self.python_attribute(object, name, site.span)? {
                Some(value) => Some(Some(value)),
                None => (class.is_whole && !name.starts_with("__")).then_some(None),
            },
            Value::Namespace(_) => {
                let found = self.attribute(object.clone(), name, site.span)?;
                (!found.is_unknown()).then_some(Some(found))
            }
            _ => None,
        })
    }
}
