//! Attributes of classes, instances and libraries, by Python's descriptor and attribute protocols.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::facade::{Builtin, Namespace, facade_name};
use super::super::tracer::{Abort, Eval, Tracer};
use super::super::unknown::Emission;
use super::super::value::{Frame, Value};
use super::argparse::PARSER;
use super::native::{self, Site};
use super::objects::{Access, Class, ClassKind, Instance, bound};
use a2lint_source::text::Span;

/// Attributes that every object has; their values are not modelled.
const COMMON: &[&str] = &["__doc__", "__module__", "__weakref__", "__qualname__"];

impl<'a> Tracer<'a> {
    /// Returns an attribute of a Python object; `None` if it is none, or has no such attribute.
    pub fn python_attribute(
        &mut self,
        object: &Value<'a>,
        name: &str,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        match object {
            Value::Instance(instance) => self.instance_attribute(instance, name, span),
            Value::Module(module) => match name {
                "__dict__" => Ok(Some(Value::Names(module.clone()))),
                _ => Ok(Some(self.module_attribute(module, name, span))),
            },
            Value::Class(class) => self.class_attribute(class, name, span),
            Value::Function(_) | Value::Lambda(_) => self.function_attribute(object, name),
            Value::Partial(partial) => self.partial_attribute(partial, name),
            Value::Descriptor(descriptor) => Ok(match (descriptor.access, name) {
                // `@x.setter` makes a new property with a further function.
                (Access::Property, "setter" | "deleter") => {
                    let maker = super::objects::Maker::Setter(descriptor.clone(), name == "setter");
                    Some(Value::Maker(Rc::new(maker)))
                }
                (_, "__func__" | "fget" | "func") => Some(descriptor.function.clone()),
                _ => None,
            }),
            Value::Builtin(Builtin::Native(outer)) => {
                if (outer.module, name) == ("", "__name__") {
                    return Ok(Some(Value::str(outer.name)));
                }
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

    /// Returns a name of another file.
    fn module_attribute(&mut self, module: &Frame<'a>, name: &str, span: Span) -> Value<'a> {
        if module.own(name).is_none() {
            self.note_no_member(module, name, span);
        }
        module_member(module, name)
    }

    fn class_attribute(
        &mut self,
        class: &Rc<Class<'a>>,
        name: &str,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        match name {
            "__name__" => return Ok(Some(Value::str(&class.name))),
            // The MRO is known only if every base class is.
            "__mro__" if class.is_whole => {
                let object =
                    native::find("", "object").map(|it| Value::Builtin(Builtin::Native(it)));
                let all = [class]
                    .into_iter()
                    .chain(&class.above)
                    .cloned()
                    .map(Value::Class);
                return Ok(Some(Value::tuple(all.chain(object).collect())));
            }
            // `__class__` of a class is its metaclass.
            "__class__" => return Ok(None),
            _ => {}
        }
        if let ClassKind::Enum { .. } = class.kind
            && name == "__members__"
        {
            return Ok(None);
        }
        let Some(value) = class.lookup(name) else {
            return Ok(None);
        };
        self.read_from_class(class, value, None, span).map(Some)
    }

    /// Reads a value that was found in a class, from the class (`object` is `None`) or from an instance: functions
    /// are bound, and descriptors are called.
    fn read_from_class(
        &mut self,
        class: &Rc<Class<'a>>,
        value: Value<'a>,
        object: Option<&Value<'a>>,
        span: Span,
    ) -> Eval<Value<'a>> {
        // A function is a descriptor: read through an instance, it becomes a bound method.
        Ok(match (value, object) {
            (value @ (Value::Function(_) | Value::Lambda(_)), Some(object)) => {
                bound(value, object.clone())
            }
            (Value::Builtin(Builtin::Native(native)), Some(object)) if native.module == PARSER => {
                bound(Value::Builtin(Builtin::Native(native)), object.clone())
            }
            (Value::Descriptor(descriptor), object) => match (descriptor.access, object) {
                (Access::Static, _) => descriptor.function.clone(),
                (Access::Class, _) => {
                    bound(descriptor.function.clone(), Value::Class(class.clone()))
                }
                (_, Some(object)) => {
                    let given = Arguments::of([object.clone()], span);
                    self.apply(descriptor.function.clone(), given, Site::at(span))?
                }
                // Read through the class, a property is the property object itself.
                (_, None) => Value::Descriptor(descriptor),
            },
            // `dataclass` leaves the default of the field in the class.
            (Value::Field(field), _) => field.default.clone().unwrap_or(Value::Unknown),
            (value @ Value::Instance(_), object) => {
                let owner = Value::Class(class.clone());
                let given = [object.cloned().unwrap_or(Value::None), owner];
                let given = Arguments::of(given, span);
                // An instance with `__get__` is a descriptor; any other instance is a plain class attribute.
                let got = self.call_method(&value, "__get__", given, Site::at(span))?;
                got.unwrap_or(value)
            }
            (value, _) => value,
        })
    }

    fn instance_attribute(
        &mut self,
        instance: &Rc<Instance<'a>>,
        name: &str,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let object = Value::Instance(instance.clone());
        let site = Site::at(span);
        // `__getattribute__` intercepts every lookup; `__getattr__` runs only after a failed one.
        let found = match instance.class.lookup("__getattribute__") {
            None => self.raw_attribute(instance, name, span),
            Some(method) => {
                let given = Arguments::of([Value::str(name)], span);
                let method = bound(method, object.clone());
                self.apply(method, given, site).map(Some)
            }
        };
        let Some(fallback) = instance.class.lookup("__getattr__") else {
            return found;
        };
        match found {
            Ok(Some(value)) => return Ok(Some(value)),
            // Only `AttributeError` triggers the fallback; other exceptions propagate.
            Err(Abort::Raised) if self.is_raised("AttributeError") => self.doubts.raised = None,
            Ok(None) => {}
            other => return other,
        }
        let given = Arguments::of([Value::str(name)], span);
        self.apply(bound(fallback, object), given, site).map(Some)
    }

    /// Returns an attribute as `object.__getattribute__` finds it.
    fn raw_attribute(
        &mut self,
        instance: &Rc<Instance<'a>>,
        name: &str,
        span: Span,
    ) -> Eval<Option<Value<'a>>> {
        let object = Value::Instance(instance.clone());
        let class = &instance.class;
        match name {
            "__class__" => return Ok(Some(class.as_value())),
            // Named tuples have `__slots__ = ()` and so no `__dict__`.
            "__dict__" if instance.as_tuple().is_none() => {
                return Ok(Some(Value::Dict(instance.attributes.clone())));
            }
            _ => {}
        }
        // Order of CPython: data descriptors of the class, then the instance, then other attributes of the class.
        let in_class = class.lookup(name);
        let is_data = match &in_class {
            Some(Value::Descriptor(descriptor)) => descriptor.access == Access::Property,
            // A data descriptor defines `__set__` or `__delete__`; others are overridden by attributes of the
            // instance.
            Some(Value::Instance(descriptor)) => {
                let has = |name: &str| descriptor.class.lookup(name).is_some();
                has("__get__") && (has("__set__") || has("__delete__"))
            }
            _ => false,
        };
        if let (Some(value), true) = (&in_class, is_data) {
            return self
                .read_from_class(class, value.clone(), Some(&object), span)
                .map(Some);
        }
        if let Some(value) = instance.get(name) {
            return Ok(Some(value));
        }
        let Some(value) = in_class else {
            return Ok(match name {
                "_replace" | "_asdict" | "_fields" if instance.as_tuple().is_some() => {
                    Some(self.tuple_attribute(instance, name))
                }
                _ => None,
            });
        };
        // `cached_property` stores its result in the instance, which later lookups find first.
        if let Value::Descriptor(descriptor) = &value
            && descriptor.access == Access::Cached
        {
            let value = self.read_from_class(class, value, Some(&object), span)?;
            let is_certain = self.may_change(&instance.attributes);
            instance.change(name, Some(value.clone()), is_certain);
            return Ok(Some(value));
        }
        self.read_from_class(class, value, Some(&object), span)
            .map(Some)
    }

    fn tuple_attribute(&mut self, instance: &Rc<Instance<'a>>, name: &str) -> Value<'a> {
        match name {
            "_fields" => {
                let fields = instance.class.fields().iter();
                Value::tuple(fields.map(|field| Value::Str(field.name.clone())).collect())
            }
            _ => Value::Method(Rc::new((
                Value::Instance(instance.clone()),
                name.to_owned(),
            ))),
        }
    }

    /// Handles the lookup of an attribute that an object does not have: raises `AttributeError` if that is certain,
    /// else unknown.
    pub fn no_attribute(&mut self, object: &Value<'a>, name: &str) -> Eval<Value<'a>> {
        let is_certain = match object {
            // Without base classes that are unknown, nothing else can define the attribute.
            Value::Instance(instance) => instance.is_bare(),
            Value::Class(class) => class.is_whole && !name.starts_with("__"),
            _ => false,
        };
        // `object` defines many dunder methods that are not modelled.
        let is_common = COMMON.contains(&name) || is_object_method(name);
        match is_certain && !is_common {
            true => self.throw("AttributeError", Value::Unknown),
            false => self.not_followed(),
        }
    }

    /// Evaluates `object.name = value`; returns `false` if the assignment is not followed.
    pub fn set_attribute(
        &mut self,
        object: &Value<'a>,
        name: &str,
        value: Value<'a>,
    ) -> Eval<bool> {
        let span = self.here();
        match object {
            Value::Instance(instance) => {
                if instance.class.lookup("__setattr__").is_some() {
                    let given = Arguments::of([Value::str(name), value], span);
                    self.call_method(object, "__setattr__", given, Site::at(span))?;
                    return Ok(true);
                }
                self.set_plainly(instance, name, value)?;
                Ok(true)
            }
            Value::Class(class) => {
                // Members of an enumeration cannot be reassigned.
                if let ClassKind::Enum { .. } = class.kind
                    && self.member_named(class, name).is_some()
                {
                    return self.throw("AttributeError", true);
                }
                let frame = class.body.clone();
                self.bind_in(&frame, name, value);
                Ok(true)
            }
            Value::Module(module) => {
                let module = module.clone();
                self.bind_in(&module, name, value);
                Ok(true)
            }
            Value::Namespace(namespace) => {
                self.set_in_library(*namespace, name, value);
                Ok(true)
            }
            Value::Function(_) | Value::Lambda(_) => {
                self.set_of_function(object, name, value)?;
                Ok(true)
            }
            Value::Partial(partial) => {
                // A partial function accepts any attribute, a bound method none.
                partial.keywords.lose();
                self.doubt();
                self.lose(&value)?;
                Ok(true)
            }
            other if other.is_plain() => self.throw("AttributeError", true),
            Value::List(_) | Value::Dict(_) | Value::Set(_) | Value::FrozenSet(_) => {
                self.throw("AttributeError", true)
            }
            _ => {
                self.doubt();
                Ok(false)
            }
        }
    }

    /// Sets an attribute as `object.__setattr__` does.
    fn set_plainly(
        &mut self,
        instance: &Rc<Instance<'a>>,
        name: &str,
        value: Value<'a>,
    ) -> Eval<()> {
        let span = self.here();
        let object = Value::Instance(instance.clone());
        let frozen = [&instance.class].into_iter().chain(&instance.class.above);
        let is_frozen = frozen.into_iter().any(|class| class.data.frozen);
        // `object.__setattr__` is the way in which a frozen dataclass sets its own fields in `__post_init__`.
        if is_frozen && !self.is_raw {
            return self.throw("FrozenInstanceError", ());
        }
        match instance.class.lookup(name) {
            Some(Value::Descriptor(descriptor)) if descriptor.access == Access::Property => {
                return match descriptor.setter.clone() {
                    Some(setter) => {
                        let given = Arguments::of([object, value], span);
                        self.apply(setter, given, Site::at(span)).map(drop)
                    }
                    // A property without setter cannot be set.
                    None => self.throw("AttributeError", ()),
                };
            }
            // The unknown class attribute may be a descriptor.
            Some(Value::Unknown | Value::Foreign | Value::Inert) => {
                self.doubt();
                self.lose(&value)?;
                return self.lose(&object);
            }
            Some(descriptor @ Value::Instance(_)) => {
                let given = Arguments::of([object.clone(), value.clone()], span);
                let set = self.call_method(&descriptor, "__set__", given, Site::at(span))?;
                if set.is_some() {
                    return Ok(());
                }
            }
            _ => {}
        }
        // Assigning `__class__` or `__dict__` changes the meaning of every attribute.
        if name == "__class__" || name == "__dict__" {
            self.doubt();
            return self.lose(&object);
        }
        let is_field = |name: &str| {
            let fields = instance.class.fields().iter();
            fields.clone().any(|field| *field.name == *name)
        };
        // With `__slots__` and no `__dict__`, other names cannot be set.
        if let Some(slots) = instance.class.slots() {
            let listed = slots.iter().map(|slot| slot.equals(&Value::str(name)));
            let listed: Vec<Option<bool>> = listed.collect();
            if !listed.contains(&Some(true)) {
                return self.throw("AttributeError", ());
            }
        }
        if instance.as_tuple().is_some() && is_field(name) {
            return self.throw("AttributeError", ());
        }
        if let ClassKind::Enum { .. } = instance.class.kind
            && matches!(name, "name" | "value")
        {
            return self.throw("AttributeError", ());
        }
        // A device object that is stored in an attribute takes its name for messages.
        self.name_object(name, &value);
        if self.may_change(&instance.attributes) {
            instance.change(name, Some(value), true);
            return Ok(());
        }
        if !self.in_kernel() {
            let is_same = instance
                .get(name)
                .is_some_and(|former| former.is_alike(&value));
            let is_known = !instance.attributes.is_lost();
            // In a region, the attribute may have the old or the new value afterwards.
            if !is_same && is_known {
                self.hidden.add(&value);
                instance.get(name).iter().for_each(|it| self.hidden.add(it));
                instance.change(name, Some(Value::Unknown), true);
            }
            return Ok(());
        }
        // In a kernel, whether this is executed is unknown: the attribute has the old or the new value.
        let former = instance.get(name);
        let what = || format!("what `{name}` is, is not known");
        let statement = self.builder().statement;
        let either: Vec<Value<'a>> = former.into_iter().chain([value]).collect();
        either.iter().try_for_each(|value| self.hide(value))?;
        self.unknown_code(statement, what, &either, Emission::None)?;
        instance.change(name, Some(Value::Unknown), true);
        Ok(())
    }

    /// Evaluates `del object.name`.
    pub fn delete_attribute(&mut self, object: &Value<'a>, name: &str, span: Span) -> Eval<()> {
        let site = Site::at(span);
        match object {
            Value::Instance(instance) => {
                if instance.class.lookup("__delattr__").is_some() {
                    let given = Arguments::of([Value::str(name)], span);
                    self.call_method(object, "__delattr__", given, site)?;
                    return Ok(());
                }
                self.delete_plainly(instance, name, span)
            }
            Value::Class(class) => {
                let frame = class.body.clone();
                match self.unbind_in(&frame, name) {
                    true => Ok(()),
                    false => self.throw("AttributeError", ()),
                }
            }
            Value::Module(module) => {
                let module = module.clone();
                if !self.unbind_in(&module, name) {
                    self.doubt();
                }
                Ok(())
            }
            Value::Namespace(namespace) => {
                self.set_in_library(*namespace, name, Value::Unknown);
                self.doubt();
                Ok(())
            }
            other if other.is_plain() => self.throw("AttributeError", ()),
            Value::Function(_) | Value::Lambda(_) => self.delete_of_function(object, name),
            _ => {
                self.doubt();
                self.lose(object)
            }
        }
    }

    // Counterpart of `set_plainly`, with the same order of lookups.
    fn delete_plainly(&mut self, instance: &Rc<Instance<'a>>, name: &str, span: Span) -> Eval<()> {
        let object = Value::Instance(instance.clone());
        match instance.class.lookup(name) {
            Some(Value::Descriptor(descriptor)) if descriptor.access == Access::Property => {
                return match descriptor.deleter.clone() {
                    Some(deleter) => {
                        let given = Arguments::of([object], span);
                        self.apply(deleter, given, Site::at(span)).map(drop)
                    }
                    None => self.throw("AttributeError", ()),
                };
            }
            Some(descriptor @ Value::Instance(_)) => {
                let given = Arguments::of([object.clone()], span);
                let done = self.call_method(&descriptor, "__delete__", given, Site::at(span))?;
                if done.is_some() {
                    return Ok(());
                }
            }
            _ => {}
        }
        if instance.attributes.is_lost() {
            self.doubt();
            return Ok(());
        }
        if instance.get(name).is_none() {
            return self.throw("AttributeError", ());
        }
        let is_certain = self.may_change(&instance.attributes);
        instance.change(name, None, is_certain);
        Ok(())
    }

    /// Evaluates `object.__setattr__(instance, name, value)`.
    pub fn set_raw(&mut self, args: &Arguments<'a>) -> Eval<Value<'a>> {
        match args.plain().as_slice() {
            [Value::Instance(instance), Value::Str(name), value] => {
                let was_raw = std::mem::replace(&mut self.is_raw, true);
                let done = self.set_plainly(instance, name, value.clone());
                self.is_raw = was_raw;
                done.map(|()| Value::None)
            }
            _ => self.lost_call(args),
        }
    }

    /// Evaluates `object.__delattr__(instance, name)`.
    pub fn delete_raw(&mut self, args: &Arguments<'a>) -> Eval<Value<'a>> {
        match args.plain().as_slice() {
            [Value::Instance(instance), Value::Str(name)] => {
                let span = self.here();
                self.delete_plainly(instance, name, span)
                    .map(|()| Value::None)
            }
            _ => self.lost_call(args),
        }
    }

    /// Evaluates `object.__getattribute__(instance, name)`.
    pub fn get_raw(&mut self, args: &Arguments<'a>, site: Site) -> Eval<Value<'a>> {
        match args.plain().as_slice() {
            [object @ Value::Instance(instance), Value::Str(name)] => {
                match self.raw_attribute(instance, name, site.span)? {
                    Some(value) => Ok(value),
                    None => self.no_attribute(object, name),
                }
            }
            _ => self.lost_call(args),
        }
    }

    /// Handles a call that is not followed: it may change everything that it is given.
    pub fn lost_call(&mut self, args: &Arguments<'a>) -> Eval<Value<'a>> {
        for value in args.values() {
            self.lose(value)?;
        }
        self.not_followed()
    }

    /// Evaluates `super()` inside of a method.
    pub fn own_super(&mut self) -> Value<'a> {
        let Some((function, frame)) = self.running.last() else {
            return Value::Unknown;
        };
        // Without arguments, `super()` uses the first argument of the function and the cell `__class__`.
        let first = function.def.params.first();
        let object = first.and_then(|first| frame.own(&first.name.text));
        // `__class__` is found through closures, also from a function nested in the method.
        match (function.closure.get(CLASS_CELL), object) {
            (Some(Value::Class(owner)), Some(object @ (Value::Instance(_) | Value::Class(_)))) => {
                self.super_of(owner, object)
            }
            _ => Value::Unknown,
        }
    }

    /// Evaluates `super(owner, object)`.
    pub fn super_of(&self, owner: Rc<Class<'a>>, object: Value<'a>) -> Value<'a> {
        let pair = Value::tuple(vec![Value::Class(owner), object]);
        Value::Method(Rc::new((pair, SUPER.to_owned())))
    }

    /// Evaluates `super().name`: the search starts after the owner in the MRO of the object's class.
    pub fn super_attribute(&mut self, pair: &Value<'a>, name: &str) -> Eval<Value<'a>> {
        let Value::Tuple(items) = pair else {
            return self.not_followed();
        };
        let [Value::Class(owner), object] = &items[..] else {
            return self.not_followed();
        };
        let (class, instance) = match object {
            Value::Instance(instance) => (instance.class.clone(), Some(object)),
            Value::Class(class) => (class.clone(), None),
            _ => return self.not_followed(),
        };
        // The MRO of the object's class, not of the owner: with multiple inheritance they differ.
        let order: Vec<Rc<Class<'a>>> = [&class].into_iter().chain(&class.above).cloned().collect();
        let is_owner = |it: &Rc<Class<'a>>| it.body.is(&owner.body);
        let Some(at) = order.iter().position(is_owner) else {
            return self.not_followed();
        };
        let span = self.here();
        for above in &order[at + 1..] {
            let Some(value) = above.body.own(name) else {
                // A dataclass generates its `__init__`, which is not in its body.
                let is_generated = name == "__init__" && !above.fields().is_empty();
                if is_generated {
                    return self.not_followed();
                }
                continue;
            };
            return match (value, instance) {
                (Value::Descriptor(descriptor), _) if descriptor.access == Access::Class => Ok(
                    bound(descriptor.function.clone(), Value::Class(class.clone())),
                ),
                // `__new__` is a static method without a decorator, so it is not bound.
                (Value::Descriptor(descriptor), _) if name == "__new__" => {
                    Ok(descriptor.function.clone())
                }
                (value, _) if name == "__new__" => Ok(value),
                // `__init_subclass__` is implicitly a class method.
                (value @ Value::Function(_), None) if name == "__init_subclass__" => {
                    Ok(bound(value, object.clone()))
                }
                (value, instance) => self.read_from_class(&class, value, instance, span),
            };
        }
        let object_has = native::find("object", name);
        Ok(match (object_has, name, instance) {
            (_, "__init__", Some(Value::Instance(it))) if it.class.is_exception() => {
                Value::Method(Rc::new((object.clone(), EXCEPTION_INIT.to_owned())))
            }
            // An unknown base class may define `__init__`.
            (_, "__init__", Some(_)) if !class.is_whole => self.doubtful(Value::Inert),
            (Some(native), "__new__" | "__init_subclass__", _) => {
                Value::Builtin(Builtin::Native(native))
            }
            (Some(native), _, Some(_)) => {
                bound(Value::Builtin(Builtin::Native(native)), object.clone())
            }
            _ => return self.not_followed(),
        })
    }

    /// Evaluates `super().__init__(arguments)` of an exception, which sets `args`.
    pub fn exception_init(&mut self, object: &Value<'a>, args: &Arguments<'a>) -> Value<'a> {
        if let Value::Instance(instance) = object {
            let is_certain = self.may_change(&instance.attributes);
            let given = match args.spread.is_empty() {
                true => Value::tuple(args.plain()),
                false => Value::Unknown,
            };
            instance.change("args", Some(given), is_certain);
        }
        Value::None
    }

    fn set_in_library(&mut self, namespace: Namespace, name: &str, value: Value<'a>) {
        // In a region the member may have the old or the new value.
        let value = match self.doubts.is_in_region() {
            true => Value::Unknown,
            false => value,
        };
        let key = format!("{namespace:?}.{name}");
        self.changed.members.insert(key, value);
    }
}

/// The name of the cell through which methods see the class that defines them.
pub const CLASS_CELL: &str = "__class__";
/// The method name that marks a `super()` object.
pub const SUPER: &str = "super()";
/// The method name that marks `super().__init__` of an exception.
pub const EXCEPTION_INIT: &str = "exception.__init__";

/// Returns whether a name has the form of the methods that every object has.
fn is_object_method(name: &str) -> bool {
    name.starts_with("__") && name.ends_with("__")
}

/// Returns a name of another file; a name of a facade that the file imports by `*` counts as its own.
pub fn module_member<'a>(module: &Frame<'a>, name: &str) -> Value<'a> {
    let of_facade = || facade_name(module.star()?, name);
    module
        .own(name)
        .or_else(of_facade)
        .unwrap_or(Value::Unknown)
}
