//! Attributes of classes, instances and libraries.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::facade::{Builtin, facade_name};
use super::super::tracer::{Eval, Tracer};
use super::super::unknown::Emission;
use super::super::value::{Frame, Value};
use super::argparse::PARSER;
use super::native::{self, Site};
use super::objects::{Access, Class, Instance, bound};
use crate::text::Span;

impl<'a> Tracer<'a> {
    /// An attribute of a Python object; `None` where it is none, or has none of that name.
    pub fn python_attribute(
        &mut self,
        object: &Value<'a>,
        name: &str,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        match object {
            Value::Instance(instance) => self.instance_attribute(instance, name, span),
            Value::Module(module) => Ok(Some(module_member(module, name))),
            Value::Class(class) => Ok(match name {
                "__name__" => Some(Value::str(&class.name)),
                _ => class.lookup(name).map(|value| of_class(class, value)),
            }),
            Value::Function(function) => Ok(match name {
                "__name__" => Some(Value::str(&function.def.name.text)),
                "__wrapped__" => Some(object.clone()),
                _ => None,
            }),
            Value::Partial(partial) => Ok(match name {
                "func" => Some(partial.callee.clone()),
                "args" => Some(Value::tuple(partial.positional.to_vec())),
                _ => None,
            }),
            Value::Builtin(Builtin::Native(outer)) => {
                let path = match outer.module {
                    "" => outer.name.to_owned(),
                    module => format!("{module}.{}", outer.name),
                };
                let inner = native::find(&path, name);
                Ok(inner.map(|inner| Value::Builtin(Builtin::Native(inner))))
            }
            _ => Ok(None),
        }
    }

    fn instance_attribute(
        &mut self,
        instance: &Rc<Instance<'a>>,
        name: &str,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        if let Some(value) = instance.get(name) {
            return Ok(Some(value));
        }
        let object = Value::Instance(instance.clone());
        let class = &instance.class;
        if name == "__class__" {
            return Ok(Some(Value::Class(class.clone())));
        }
        if name == "__dict__" {
            let entries = instance.attributes.borrow();
            return Ok(Some(Value::dict(entries.to_vec())));
        }
        let Some(value) = class.lookup(name) else {
            return Ok(match name {
                "_replace" | "_asdict" if instance.as_tuple().is_some() => {
                    Some(Value::Method(Rc::new((object, name.to_owned()))))
                }
                _ => None,
            });
        };
        Ok(Some(match value {
            Value::Function(_) | Value::Lambda(_) => bound(value, object),
            Value::Builtin(Builtin::Native(native)) if native.module == PARSER => {
                bound(value, object)
            }
            Value::Descriptor(descriptor) => match descriptor.access {
                Access::Static => descriptor.function.clone(),
                Access::Class => bound(descriptor.function.clone(), Value::Class(class.clone())),
                Access::Property => {
                    let arguments = Arguments::of([object], span);
                    self.apply(descriptor.function.clone(), arguments, Site::at(span))?
                }
            },
            other => other,
        }))
    }

    /// `object.name = value`; `false` where nobody follows what becomes of the value.
    pub fn set_attribute(
        &mut self,
        object: &Value<'a>,
        name: &str,
        value: Value<'a>,
    ) -> Eval<bool> {
        match object {
            Value::Instance(instance) => {
                if let Some(Value::Descriptor(_)) = instance.class.lookup(name) {
                    return Ok(false);
                }
                self.name_object(name, &value);
                if instance.born >= self.uncertain || !self.in_kernel() {
                    instance.set(name, value);
                    return Ok(true);
                }
                // Nobody knows whether this is executed: it may be what it was, or the new value.
                let former = instance.get(name);
                let what = || format!("what `{name}` is, is not known");
                let statement = self.builder().statement;
                let either: Vec<Value<'a>> = former.into_iter().chain([value]).collect();
                self.unknown_code(statement, what, &either, Emission::None)?;
                instance.set(name, Value::Unknown);
                Ok(true)
            }
            Value::Class(class) => {
                class.body.set(name, value);
                Ok(true)
            }
            // `function.some_mark = 1`
            Value::Function(_) | Value::Lambda(_) if value.is_plain() => Ok(true),
            _ => Ok(false),
        }
    }

    /// `super()` inside of a method.
    pub fn own_super(&mut self) -> Value<'a> {
        let Some((function, frame)) = self.running.last() else {
            return Value::Unknown;
        };
        let first = function.def.params.first();
        let object = first.and_then(|first| frame.own(&first.name.text));
        let Some(Value::Instance(instance)) = object else {
            return Value::Unknown;
        };
        match owner(&instance.class, function.def.name.text.as_str(), function) {
            Some(class) => Value::Method(Rc::new((
                Value::tuple(vec![Value::Class(class), Value::Instance(instance)]),
                SUPER.to_owned(),
            ))),
            None => Value::Unknown,
        }
    }

    /// `super().name`
    pub fn super_attribute(&mut self, pair: &Value<'a>, name: &str) -> Value<'a> {
        let Value::Tuple(items) = pair else {
            return Value::Unknown;
        };
        let [Value::Class(class), object] = &items[..] else {
            return Value::Unknown;
        };
        match class.lookup_above(name) {
            Some(value @ Value::Function(_)) => bound(value, object.clone()),
            Some(other) => other,
            // What every object has does nothing that matters.
            None if class.is_whole => Value::Inert,
            None => Value::Unknown,
        }
    }
}

/// How `super()` is told from methods.
pub const SUPER: &str = "super()";

/// The class, among a class and those above it, that defines a function.
fn owner<'a>(
    class: &Rc<Class<'a>>,
    name: &str,
    function: &Rc<super::super::value::Function<'a>>,
) -> Option<Rc<Class<'a>>> {
    let own = class.body.own(name);
    let is_own = match own {
        Some(Value::Function(own)) => own.def.full_span == function.def.full_span,
        Some(Value::Descriptor(descriptor)) => match &descriptor.function {
            Value::Function(own) => own.def.full_span == function.def.full_span,
            _ => false,
        },
        _ => false,
    };
    match is_own {
        true => Some(class.clone()),
        false => class
            .above
            .iter()
            .find_map(|base| owner(base, name, function)),
    }
}

/// A name of another file.
pub fn module_member<'a>(module: &Frame<'a>, name: &str) -> Value<'a> {
    let of_facade = || facade_name(module.star()?, name);
    module
        .own(name)
        .or_else(of_facade)
        .unwrap_or(Value::Unknown)
}

/// What an attribute found in a class is, read from the class.
fn of_class<'a>(class: &Rc<Class<'a>>, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Descriptor(descriptor) => match descriptor.access {
            Access::Static => descriptor.function.clone(),
            Access::Class => bound(descriptor.function.clone(), Value::Class(class.clone())),
            Access::Property => Value::Unknown,
        },
        Value::Field(field) => field.default.clone().unwrap_or(Value::Unknown),
        other => other,
    }
}
