//! Attributes of function objects, and the effect of `functools.wraps` on them.

use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::items::{Entries, Shared};
use super::super::tracer::{Eval, Tracer};
use super::super::value::{Attributes, Function, Role, Value};
use super::native::Site;
use super::objects::{Binding, Partial};
use a2lint_syntax::python::ast::{self, ParamKind};

/// Attributes that every function has, whose values are not modelled.
const UNREAD: &[&str] = &[
    "__annotations__",
    "__class__",
    "__code__",
    "__doc__",
    "__eq__",
    "__hash__",
    "__module__",
    "__ne__",
    "__qualname__",
    "__repr__",
    "__str__",
    "__type_params__",
];

/// Returns the attributes of a function object.
pub fn attributes_of<'v, 'a>(function: &'v Value<'a>) -> Option<&'v Rc<Attributes<'a>>> {
    match function {
        Value::Function(function) => Some(&function.attributes),
        Value::Lambda(lambda) => Some(&lambda.attributes),
        _ => None,
    }
}

fn found<'a>(entries: &Entries<'a>, name: &str) -> Option<Value<'a>> {
    let mut entries = entries.iter();
    let found = entries.find(|(key, _)| matches!(key, Value::Str(key) if **key == *name));
    found.map(|(_, value)| value.clone())
}

impl<'a> Tracer<'a> {
    /// Returns an attribute of a function; `None` if it has no such attribute.
    pub fn function_attribute(
        &mut self,
        object: &Value<'a>,
        name: &str,
    ) -> Eval<Option<Value<'a>>> {
        let Some(attributes) = attributes_of(object).cloned() else {
            return Ok(None);
        };
        let is_opaque =
            matches!(object, Value::Function(function) if function.role == Role::Opaque);
        match name {
            // An unknown decorator may have returned another object.
            _ if is_opaque => return self.not_followed().map(Some),
            "__name__" => return Ok(Some(self.function_name(object, &attributes))),
            "__dict__" => return Ok(Some(Value::Dict(attributes.dict.clone()))),
            "__call__" => return Ok(Some(object.clone())),
            "__defaults__" if !attributes.is_replaced.get() => {
                return Ok(Some(defaults(object)));
            }
            _ => {}
        }
        // `__dict__` was given to code that is not followed.
        let Some(known) = attributes.dict.known().map(|known| found(&known, name)) else {
            return self.not_followed().map(Some);
        };
        if let Some(value) = known {
            return Ok(Some(value));
        }
        match name {
            name if UNREAD.contains(&name) => self.not_followed().map(Some),
            "__kwdefaults__" | "__defaults__" => {
                // The caller may change the defaults through the returned object, so later calls are not followed.
                attributes.is_replaced.set(true);
                self.not_followed().map(Some)
            }
            "__closure__" => {
                // A closure cell gives write access to the variables of the enclosing functions.
                self.lose(object)?;
                if let Value::Function(function) = object {
                    function.closure.lose_all();
                }
                self.not_followed().map(Some)
            }
            // Other dunder attributes may lead anywhere (`__globals__` and so on).
            name if name.starts_with("__") => {
                self.lose(object)?;
                self.not_followed().map(Some)
            }
            "cache_clear" if is_cached(object) => {
                let method = (object.clone(), name.to_owned());
                Ok(Some(Value::Method(Rc::new(method))))
            }
            _ if is_plain_function(object) => self.throw("AttributeError", None),
            _ => Ok(None),
        }
    }

    fn function_name(&self, object: &Value<'a>, attributes: &Attributes<'a>) -> Value<'a> {
        let Some(known) = attributes.special.known() else {
            return Value::Unknown;
        };
        found(&known, "__name__").unwrap_or_else(|| match object {
            // The name as written, without the mangling of private names.
            Value::Function(function) => Value::str(self.as_written(&function.def.name)),
            _ => Value::str("<lambda>"),
        })
    }

    /// Returns a name as it is written, without the prefix that its class gives a private name.
    pub fn as_written(&self, name: &'a ast::Name) -> &'a str {
        let written = self.source.slice(name.span);
        // Names that are not ASCII are compared in normalised form.
        match written.is_ascii() {
            true => written,
            false => &name.text,
        }
    }

    /// Evaluates `function.name = value`.
    pub fn set_of_function(
        &mut self,
        object: &Value<'a>,
        name: &str,
        value: Value<'a>,
    ) -> Eval<()> {
        let Some(attributes) = attributes_of(object).cloned() else {
            return Ok(());
        };
        match name {
            // "__name__ must be set to a string object".
            "__name__" if value.is_plain() && !matches!(value, Value::Str(_)) => {
                self.throw("TypeError", ())
            }
            "__name__" => {
                self.change_entry(&attributes.special, name, Some(value));
                Ok(())
            }
            "__dict__" => {
                attributes.dict.lose();
                self.doubt();
                self.lose(&value)
            }
            // These attributes change neither the code nor the lookups that are modelled.
            "__annotations__" | "__doc__" | "__module__" | "__qualname__" | "__type_params__" => {
                self.lose(&value)
            }
            // Read-only attributes.
            "__builtins__" | "__closure__" | "__globals__" => self.throw("AttributeError", ()),
            // The function does something else from here on.
            "__class__" | "__code__" | "__defaults__" | "__kwdefaults__" => {
                attributes.is_replaced.set(true);
                self.doubt();
                self.lose(object)?;
                self.lose(&value)
            }
            _ => {
                self.change_entry(&attributes.dict, name, Some(value));
                Ok(())
            }
        }
    }

    /// Evaluates `del function.name`.
    pub fn delete_of_function(&mut self, object: &Value<'a>, name: &str) -> Eval<()> {
        let Some(attributes) = attributes_of(object).cloned() else {
            return Ok(());
        };
        if name.starts_with("__") && name != "__wrapped__" {
            attributes.is_replaced.set(true);
            self.doubt();
            return self.lose(object);
        }
        let known = attributes
            .dict
            .known()
            .map(|known| found(&known, name).is_some());
        match known {
            Some(true) => self.change_entry(&attributes.dict, name, None),
            Some(false) => return self.throw("AttributeError", ()),
            None => self.doubt(),
        }
        Ok(())
    }

    // Keeps the order of the entries, as `__dict__` does.
    fn change_entry(
        &mut self,
        entries: &Rc<Shared<Entries<'a>>>,
        name: &str,
        value: Option<Value<'a>>,
    ) {
        let is_certain = self.may_change(entries);
        let Some(mut known) = entries.change(is_certain) else {
            return;
        };
        let is_it =
            |(key, _): &(Value<'a>, Value<'a>)| matches!(key, Value::Str(key) if **key == *name);
        match (known.iter().position(is_it), value) {
            (Some(at), Some(value)) => known[at].1 = value,
            (Some(at), None) => drop(known.remove(at)),
            (None, Some(value)) => known.push((Value::str(name), value)),
            (None, None) => {}
        }
    }

    /// Evaluates `functools.update_wrapper(wrapper, wrapped)`. `is_usual` says that no further arguments change which
    /// attributes are copied.
    pub fn wrap(&mut self, wrapper: &Value<'a>, wrapped: &Value<'a>, is_usual: bool) -> Eval<()> {
        let attributes = attributes_of(wrapper).cloned();
        let source = match wrapped {
            // A bound method passes attribute lookups on to its function.
            Value::Partial(partial) if partial.binding == Binding::Method => {
                attributes_of(&partial.callee).cloned()
            }
            other => attributes_of(other).cloned(),
        };
        let Some((source, true)) = source.map(|source| (source, is_usual)) else {
            match (&attributes, wrapper) {
                (Some(attributes), _) => attributes.lose(),
                (None, Value::Instance(_)) => self.lose(wrapper)?,
                _ => {}
            }
            self.doubt();
            return Ok(());
        };
        let name = match wrapped {
            Value::Partial(partial) => self.function_name(&partial.callee, &source),
            other => self.function_name(other, &source),
        };
        let Some(entries) = source.dict.known().map(|known| known.to_vec()) else {
            if let Some(attributes) = attributes {
                attributes.lose();
            }
            self.doubt();
            return Ok(());
        };
        if !matches!(
            wrapper,
            Value::Function(_) | Value::Lambda(_) | Value::Instance(_)
        ) {
            self.doubt();
            return Ok(());
        }
        // Copied by `WRAPPER_ASSIGNMENTS` in CPython; their values are not modelled.
        let names = ["__module__", "__qualname__", "__doc__", "__annotations__"];
        if let Value::Instance(_) = wrapper {
            for name in names {
                self.set_attribute(wrapper, name, Value::Unknown)?;
            }
        }
        self.set_attribute(wrapper, "__name__", name)?;
        for (key, value) in entries {
            match (&attributes, &key) {
                (Some(attributes), Value::Str(key)) => {
                    self.change_entry(&attributes.dict, key, Some(value));
                }
                (None, Value::Str(key)) => drop(self.set_attribute(wrapper, key, value)?),
                _ => {}
            }
        }
        // Last, as in CPython, so that it replaces a `__wrapped__` that was copied from `__dict__`.
        self.set_attribute(wrapper, "__wrapped__", wrapped.clone())
            .map(drop)
    }

    /// Returns the attributes of the function that a library's decorator makes of another one (`lru_cache`,
    /// `contextmanager`).
    pub fn wrapping_attributes(&mut self, wrapped: &Rc<Function<'a>>) -> Rc<Attributes<'a>> {
        let made = Attributes::new();
        let former = &wrapped.attributes;
        let own = (former.special.known(), former.dict.known());
        let (Some(special), Some(dict)) = own else {
            made.lose();
            return made;
        };
        if let Some(mut entries) = made.special.change(true) {
            **entries = special.to_vec();
        }
        if let Some(mut entries) = made.dict.change(true) {
            **entries = dict.to_vec();
            entries.retain(|(key, _)| !matches!(key, Value::Str(key) if **key == *"__wrapped__"));
            entries.push((Value::str("__wrapped__"), Value::Function(wrapped.clone())));
        }
        made
    }

    /// Evaluates `function.cache_clear()`.
    pub fn clear_cache(&mut self, function: &Rc<Function<'a>>) -> Value<'a> {
        // The cache may be cleared or not, so which calls run the function is unknown.
        if self.doubts.is_in_region() {
            function.attributes.is_replaced.set(true);
            self.doubt();
        }
        if let Some(cache) = &function.cache {
            cache.calls.borrow_mut().clear();
        }
        Value::None
    }

    /// Returns an attribute of a partial function or a bound method.
    pub fn partial_attribute(
        &mut self,
        partial: &Rc<Partial<'a>>,
        name: &str,
    ) -> Eval<Option<Value<'a>>> {
        if partial.keywords.is_lost() {
            return self.not_followed().map(Some);
        }
        let first = || partial.positional.first().cloned();
        Ok(match (partial.binding, name) {
            (Binding::Partial, "func") => Some(partial.callee.clone()),
            (Binding::Partial, "args") => Some(Value::tuple(partial.positional.to_vec())),
            (Binding::Partial, "keywords") => Some(Value::Dict(partial.keywords.clone())),
            (Binding::Method, "__func__") => Some(partial.callee.clone()),
            (Binding::Method, "__self__") => first(),
            // A bound method shows the attributes of its function.
            (Binding::Method, name) if attributes_of(&partial.callee).is_some() => {
                return self.function_attribute(&partial.callee.clone(), name);
            }
            (Binding::Partial, name) if !name.starts_with("__") => {
                return self.throw("AttributeError", None);
            }
            _ => None,
        })
    }
}

/// Returns `__defaults__`: the defaults of parameters that can be given by position.
fn defaults<'a>(function: &Value<'a>) -> Value<'a> {
    let (params, defaults) = match function {
        Value::Function(function) => (function.def.params.as_slice(), &function.defaults),
        Value::Lambda(lambda) => (lambda.params, &lambda.defaults),
        _ => return Value::Unknown,
    };
    let pairs = params.iter().zip(defaults.iter());
    let by_place = pairs
        .filter(|(param, _)| matches!(param.kind, ParamKind::PositionalOnly | ParamKind::Normal));
    let values: Vec<Value<'a>> = by_place.filter_map(|(_, value)| value.clone()).collect();
    match values.is_empty() {
        true => Value::None,
        false => Value::tuple(values),
    }
}

fn is_cached(object: &Value) -> bool {
    matches!(object, Value::Function(function) if function.cache.is_some())
}

/// Returns whether no decorator has made something else of the function.
fn is_plain_function(object: &Value) -> bool {
    match object {
        Value::Function(function) => {
            function.role == Role::Helper
                && !function.is_manager
                && !function.is_fixture
                && !function.rewritten
                && !function.auto_sync
                && function.cases.is_empty()
                && function.cache.is_none()
        }
        Value::Lambda(_) => true,
        _ => false,
    }
}

/// Returns whether `wraps` or `update_wrapper` is called without arguments that select attributes.
pub fn is_usual(arguments: &Arguments) -> bool {
    arguments.keywords.is_empty() && arguments.spread.is_empty()
}

/// Evaluates a call of `functools.update_wrapper`.
pub fn update_wrapper<'a>(
    tracer: &mut Tracer<'a>,
    args: &Arguments<'a>,
    _: Site,
) -> Eval<Value<'a>> {
    let given = args.plain();
    match given.as_slice() {
        [wrapper, wrapped] => {
            tracer.wrap(wrapper, wrapped, is_usual(args))?;
            Ok(wrapper.clone())
        }
        [wrapper, wrapped, ..] => {
            tracer.wrap(wrapper, wrapped, false)?;
            Ok(wrapper.clone())
        }
        [wrapper] => {
            tracer.wrap(wrapper, &Value::Unknown, false)?;
            Ok(wrapper.clone())
        }
        _ => tracer.lost_call(args),
    }
}
