//! Class statements and instantiation.

use std::rc::Rc;

use super::super::branches::names_of;
use super::super::emit::Arguments;
use super::super::facade::Builtin;
use super::super::items::Shared;
use super::super::tracer::{Abort, Eval, Flow, Tracer};
use super::super::value::{Frame, Value};
use super::attributes::CLASS_CELL;
use super::native::{Native, Site};
use super::objects::{
    Class, ClassKind, DataField, DataOptions, Field, Instance, MAX_BASES, Maker, MemberType, bound,
};
use a2lint_source::text::Span;
use a2lint_syntax::python::ast::{self, ExprKind, StmtKind};

/// Maximum number of classes in an MRO that is followed.
const MAX_ABOVE: usize = 100;
/// Maximum number of members and fields of a class that are known.
const MAX_FIELDS: usize = 1000;

pub const TABLE: &[Native] = &[
    native("dataclasses", "dataclass", dataclass),
    native("dataclasses", "field", |_, args, _| Ok(field(args))),
    native("enum", "Enum", |_, _, _| Ok(Value::Unknown)),
    native("enum", "IntEnum", |_, _, _| Ok(Value::Unknown)),
    native("enum", "IntFlag", |_, _, _| Ok(Value::Unknown)),
    native("enum", "Flag", |_, _, _| Ok(Value::Unknown)),
    native("enum", "StrEnum", |_, _, _| Ok(Value::Unknown)),
    // What `auto()` gives is decided for each statement of the class body.
    native("enum", "auto", |tracer, _, _| {
        let next = tracer.next_member;
        Ok(next.map_or(Value::Unknown, Value::Int))
    }),
    native("object", "__new__", |tracer, args, _| {
        tracer.bare_instance(args)
    }),
    native("object", "__setattr__", |tracer, args, _| {
        tracer.set_raw(args)
    }),
    native("object", "__getattribute__", |tracer, args, site| {
        tracer.get_raw(args, site)
    }),
    native("object", "__delattr__", |tracer, args, _| {
        tracer.delete_raw(args)
    }),
    native("object", "__init__", |_, _, _| Ok(Value::None)),
    native("object", "__init_subclass__", |_, _, _| Ok(Value::None)),
    native("abc", "ABC", |_, _, _| Ok(Value::Unknown)),
    native("typing", "Protocol", |_, _, _| Ok(Value::Unknown)),
    native("typing", "Generic", |_, _, _| Ok(Value::Unknown)),
    native("typing", "NamedTuple", |_, _, _| Ok(Value::Unknown)),
    native("", "object", |_, _, _| Ok(Value::Unknown)),
];

const fn native(module: &'static str, name: &'static str, call: super::native::Call) -> Native {
    Native { module, name, call }
}

fn dataclass<'a>(tracer: &mut Tracer<'a>, args: &Arguments<'a>, _: Site) -> Eval<Value<'a>> {
    let mut options = DataOptions::default();
    for (name, value, _) in &args.keywords {
        // An option that is unknown may change the generated methods.
        let Some(truth) = value.truth() else {
            return tracer.not_followed();
        };
        match name.as_str() {
            "eq" => options.eq = truth,
            "order" => options.order = truth,
            "frozen" => options.frozen = truth,
            "slots" => options.slots = truth,
            "kw_only" => options.kw_only = truth,
            "unsafe_hash" => options.unsafe_hash = truth,
            // These options do not change anything that is modelled.
            "repr" | "match_args" | "weakref_slot" => {}
            // `init=False` leaves the class with an `__init__` of its base, which is not followed.
            "init" if truth => {}
            _ => return tracer.not_followed(),
        }
    }
    match args.at(0) {
        Some(class) => tracer.as_data(class.clone(), options),
        None => Ok(Value::Maker(Rc::new(Maker::Data(options)))),
    }
}

fn field<'a>(args: &Arguments<'a>) -> Value<'a> {
    Value::Field(Rc::new(Field {
        default: args.keyword("default").cloned(),
        factory: args.keyword("default_factory").cloned(),
        in_init: !matches!(args.keyword("init"), Some(Value::Bool(false))),
        is_compared: !matches!(args.keyword("compare"), Some(Value::Bool(false))),
        by_name: args.keyword("kw_only").and_then(|value| value.truth()),
    }))
}

/// The kind of class that the base classes make.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Plain,
    Tuple,
    Enum { type_of: MemberType, is_flag: bool },
}

impl<'a> Tracer<'a> {
    /// Evaluates `class Name(bases): body`.
    pub fn class(
        &mut self,
        name: &'a ast::Name,
        decorators: &'a [ast::Expr],
        (bases, keywords): (&'a [ast::Expr], &'a [(Option<ast::Name>, ast::Expr)]),
        body: &'a [ast::Stmt],
    ) -> Eval<()> {
        let (mut above, mut sort, mut is_whole) = (Vec::new(), Sort::Plain, true);
        let (mut is_abstract, mut is_known) = (false, true);
        let mut is_written_as_number = false;
        for base in bases {
            match self.eval(base)? {
                // `depth` bounds chains of inheritance.
                Value::Class(class) if class.depth < MAX_BASES => {
                    if let ClassKind::Enum { type_of, is_flag } = class.kind {
                        sort = Sort::Enum { type_of, is_flag };
                    }
                    is_whole &= class.is_whole;
                    is_abstract |= class.is_abstract;
                    is_written_as_number |= class.is_written_as_number;
                    class.has_below.set(true);
                    above.push(class);
                }
                Value::Builtin(Builtin::Native(native)) => match (native.module, native.name) {
                    ("enum", "Enum" | "Flag") => {
                        let type_of = match sort {
                            Sort::Enum { type_of, .. } => type_of,
                            _ => MemberType::Object,
                        };
                        let is_flag = native.name == "Flag";
                        sort = Sort::Enum { type_of, is_flag };
                    }
                    ("enum", name) => {
                        let is_flag = name == "IntFlag";
                        is_written_as_number |= is_flag || name == "IntEnum";
                        let type_of = match name {
                            "StrEnum" => MemberType::Str,
                            _ => MemberType::Int,
                        };
                        sort = Sort::Enum { type_of, is_flag };
                    }
                    // `class Mode(str, Enum)`: whether it is an enumeration is checked below.
                    ("", name @ ("int" | "str")) => {
                        let type_of = match name {
                            "str" => MemberType::Str,
                            _ => MemberType::Int,
                        };
                        sort = Sort::Enum {
                            type_of,
                            is_flag: false,
                        };
                    }
                    ("typing", "NamedTuple") => sort = Sort::Tuple,
                    ("abc", _) => is_abstract = true,
                    // `Generic` and `Protocol` add no behaviour at run time.
                    ("", "object") | ("typing", _) => {}
                    _ => is_whole = false,
                },
                // `Base[int]` of a library: a subscripted generic.
                Value::Inert if matches!(base.kind, ExprKind::Subscript { .. }) => {}
                Value::Inert => is_whole = false,
                other => {
                    is_known = false;
                    self.lose(&other)?;
                }
            }
        }
        let mut given = Vec::new();
        for (keyword, value) in keywords {
            let span = value.span;
            let value = self.eval(value)?;
            // `metaclass=ABCMeta` is followed; any other metaclass may do anything with the class.
            let is_usual =
                matches!(&value, Value::Builtin(Builtin::Native(native)) if native.module == "abc");
            match keyword {
                Some(keyword) if keyword.text == "metaclass" && is_usual => is_abstract = true,
                Some(keyword) if keyword.text != "metaclass" => {
                    given.push((keyword.text.clone(), value, span));
                }
                _ => {
                    is_known = false;
                    self.lose(&value)?;
                }
            }
        }
        // `class Mode(str)` alone is a subclass of a builtin, not an enumeration; its inherited methods are not
        // modelled.
        if let Sort::Enum { .. } = sort
            && !self.is_enumeration(bases, &above)?
        {
            (sort, is_whole) = (Sort::Plain, false);
        }
        let frame = self.new_frame_of_class();
        let outer = std::mem::replace(&mut self.frame, frame.clone());
        let mut raised = false;
        for stmt in body {
            if let Sort::Enum { is_flag, .. } = sort {
                // The values so far decide what `auto()` gives in this statement.
                self.next_member = next_member(&frame, body, stmt, is_flag);
            }
            if let Flow::Raise = self.block(std::slice::from_ref(stmt))? {
                raised = true;
                break;
            }
        }
        // The name is bound in the enclosing scope, after the body has run in its own.
        self.frame = outer;
        if raised {
            return match self.in_kernel() {
                // In a kernel exceptions are not propagated; the class stays unbound.
                true => Ok(()),
                false => Err(Abort::Raised),
            };
        }
        let fields = match sort {
            Sort::Tuple => self.own_fields(body, &frame, DataOptions::default()),
            _ => Vec::new(),
        };
        // An inconsistent hierarchy has no MRO, which raises `TypeError`.
        let depth = above.iter().map(|base| base.depth).max().unwrap_or(0) + 1;
        let Some(above) = linear(&above) else {
            return self.throw("TypeError", ());
        };
        is_whole &= above.len() <= MAX_ABOVE;
        if let Sort::Enum { .. } = sort {
            // `__new__`, `_missing_` and the like change how members are made.
            let decides = |name: &String| name == "__new__" || is_of_python(name);
            is_known &= !frame.own_names().iter().any(decides);
            is_known &= has_plain_members(body);
            // A base class with fields makes every member a dataclass object as well.
            let has_fields = |base: &Rc<Class<'a>>| !base.fields().is_empty();
            is_known &= !above.iter().any(has_fields);
        }
        let class = Rc::new(Class {
            statements: body,
            above,
            is_whole,
            depth,
            is_abstract,
            is_written_as_number,
            ..Class::made(
                // The name as written: private names are mangled in the scope, but not in `__name__`.
                self.as_written(name),
                frame,
                match sort {
                    Sort::Plain => ClassKind::Plain,
                    Sort::Tuple => ClassKind::Tuple(fields),
                    Sort::Enum { type_of, is_flag } => ClassKind::Enum { type_of, is_flag },
                },
            )
        });
        // Set before members are made, as their `__init__` may call `super()`.
        if let (Some(cell), true) = (class.body.parent(), is_known) {
            cell.set_own(CLASS_CELL, Value::Class(class.clone()));
        }
        if let Sort::Enum { .. } = sort {
            self.make_members(&class, body)?;
        }
        self.finish_class(&class, given)?;
        let value = match is_known {
            true => Value::Class(class),
            false => {
                // A metaclass or a base class that is unknown has made the class, and may call its functions.
                self.lose(&Value::Class(class))?;
                self.doubtful(Value::Unknown)
            }
        };
        let value = self.decorated(decorators, value)?;
        self.bind_name(&name.text, value);
        Ok(())
    }

    /// Calls the hooks that run when a class has been made: `__set_name__`, then `__init_subclass__`.
    fn finish_class(
        &mut self,
        class: &Rc<Class<'a>>,
        keywords: Vec<(String, Value<'a>, Span)>,
    ) -> Eval<()> {
        let span = self.here();
        // In the order of the body, as CPython does.
        for name in class.body.names_in_order() {
            if let Some(value @ Value::Instance(_)) = class.body.own(&name) {
                let given = [Value::Class(class.clone()), Value::str(&name)];
                let given = Arguments::of(given, span);
                self.call_method(&value, "__set_name__", given, Site::at(span))?;
            }
        }
        // The hook of the class itself is for its subclasses; it runs the one that it inherits.
        let Some(method) = class.lookup_above("__init_subclass__") else {
            if !keywords.is_empty() {
                self.doubt();
            }
            return Ok(());
        };
        let function = match &method {
            Value::Descriptor(descriptor) => descriptor.function.clone(),
            _ => method,
        };
        let method = bound(function, Value::Class(class.clone()));
        let arguments = Arguments {
            keywords,
            ..Arguments::default()
        };
        self.apply(method, arguments, Site::at(span)).map(drop)
    }

    // The bases are evaluated a second time, which has no effect: they are names or attributes.
    fn is_enumeration(&mut self, bases: &'a [ast::Expr], above: &[Rc<Class<'a>>]) -> Eval<bool> {
        let below = above
            .iter()
            .any(|base| matches!(base.kind, ClassKind::Enum { .. }));
        for base in bases {
            if let Value::Builtin(Builtin::Native(native)) = self.eval(base)?
                && native.module == "enum"
            {
                return Ok(true);
            }
        }
        Ok(below)
    }

    /// Applies `@dataclass` to a class.
    pub fn as_data(&mut self, class: Value<'a>, options: DataOptions) -> Eval<Value<'a>> {
        let Value::Class(class) = class else {
            self.lose(&class)?;
            return self.not_followed();
        };
        // Fields of base classes come first, in the order of their definition; an override keeps the place of the
        // inherited field.
        let mut fields: Vec<DataField<'a>> = Vec::new();
        let own = self.own_fields(class.statements, &class.body, options);
        let inherited = class
            .above
            .iter()
            .rev()
            .flat_map(|base| base.fields().to_vec());
        for field in inherited.chain(own) {
            match fields.iter_mut().find(|known| known.name == field.name) {
                Some(known) => *known = field,
                None => fields.push(field),
            }
        }
        self.charge(fields.len())?;
        // A mutable default would be shared by all objects; `dataclasses` rejects it.
        let is_shared = |field: &DataField<'a>| {
            let default = field
                .default
                .as_ref()
                .and_then(|field| field.default.as_ref());
            matches!(
                default,
                Some(Value::List(_) | Value::Dict(_) | Value::Set(_))
            )
        };
        if fields.iter().any(is_shared) {
            return self.throw("ValueError", Value::Unknown);
        }
        for field in &fields {
            // Python leaves the plain default in the class, and deletes a field without one.
            if let Some(Value::Field(given)) = class.body.own(&field.name) {
                match &given.default {
                    Some(default) => class.body.set_own(&field.name, default.clone()),
                    None => drop(class.body.remove(&field.name)),
                }
            }
        }
        // A new class value with the same body: `is_below` compares bodies, so both are the same class.
        Ok(Value::Class(Rc::new(Class {
            statements: class.statements,
            above: class.above.clone(),
            is_whole: class.is_whole,
            depth: class.depth,
            data: options,
            is_abstract: class.is_abstract,
            ..Class::made(&class.name, class.body.clone(), ClassKind::Data(fields))
        })))
    }

    /// Returns the annotated names of a class body, with their values.
    fn own_fields(
        &self,
        body: &'a [ast::Stmt],
        frame: &Frame<'a>,
        options: DataOptions,
    ) -> Vec<DataField<'a>> {
        let mut fields = Vec::new();
        let mut by_name = options.kw_only;
        for stmt in body.iter().take(MAX_FIELDS) {
            let StmtKind::AnnAssign {
                target, annotation, ..
            } = &stmt.kind
            else {
                continue;
            };
            let ExprKind::Name(name) = &target.kind else {
                continue;
            };
            // Annotations are compared as text, as `dataclasses` does for strings: evaluating them could run code.
            let annotation = self.source.slice(annotation.span);
            let annotation = annotation.trim_start_matches(['\'', '"']);
            let annotation = annotation
                .rsplit_once('.')
                .map_or(annotation, |(before, last)| match before.contains('[') {
                    true => annotation,
                    false => last,
                });
            // A `ClassVar` is no field, and `KW_ONLY` makes the fields after it keyword-only.
            if annotation.starts_with("ClassVar") {
                continue;
            }
            if annotation.starts_with("KW_ONLY") {
                by_name = true;
                continue;
            }
            let default = frame.own(name).map(|value| match value {
                Value::Field(field) => Field::clone(&field),
                value => Field::with(value),
            });
            fields.push(DataField {
                name: name.as_str().into(),
                by_name: default
                    .as_ref()
                    .and_then(|it| it.by_name)
                    .unwrap_or(by_name),
                is_init_var: annotation.starts_with("InitVar"),
                default,
            });
        }
        fields
    }

    /// Creates an instance without attributes.
    pub fn instance(&self, class: &Rc<Class<'a>>) -> Rc<Instance<'a>> {
        Rc::new(Instance {
            class: class.clone(),
            attributes: Shared::new(Vec::new()),
        })
    }

    /// Evaluates `Class(arguments)`.
    pub fn instantiate(
        &mut self,
        class: &Rc<Class<'a>>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        // Calling an enumeration looks a member up.
        if let ClassKind::Enum { .. } = class.kind {
            return self.member_of_value(class, &arguments);
        }
        if class.is_abstract && self.is_unfinished(class) {
            return self.throw("TypeError", Value::Unknown);
        }
        if let Some(method) = class.lookup("__del__")
            && self.has_finalizer(&method, site)?
        {
            return self.lost_call(&arguments);
        }
        // `__new__` first; `__init__` runs only if it has returned an instance of the class.
        let maker = class.lookup("__new__");
        let instance = match maker {
            None => self.instance(class),
            Some(maker) => {
                let function = match &maker {
                    Value::Descriptor(descriptor) => descriptor.function.clone(),
                    _ => maker,
                };
                let made = bound(function, Value::Class(class.clone()));
                match self.apply(made, arguments.clone(), site)? {
                    Value::Instance(made) if made.class.is_below(class) => made,
                    other => return Ok(other),
                }
            }
        };
        let object = Value::Instance(instance.clone());
        if class.is_exception() && class.lookup("__init__").is_none() {
            let count = arguments.positional.len();
            // CPython makes an instance of a subclass of `OSError`, chosen by the error number.
            let is_picked = class.name == "OSError" && matches!(class.kind, ClassKind::Exception);
            if !arguments.keywords.is_empty() || (is_picked && count > 1) {
                return self.lost_call(&arguments);
            }
        }
        if class.is_exception() {
            // `OSError` keeps two arguments in `args` if it is given more.
            let is_cut = class.is_named_exception("OSError") && arguments.positional.len() > 2;
            let given = match arguments.spread.is_empty() && !is_cut {
                true => Value::tuple(arguments.plain()),
                false => Value::Unknown,
            };
            instance.set_first("args", given);
        }
        // The first class in the MRO that defines construction decides: with an `__init__` in its body, or with
        // fields.
        let classes: Vec<Rc<Class<'a>>> =
            [class].into_iter().chain(&class.above).cloned().collect();
        for class in &classes {
            if class.body.own("__init__").is_some() {
                self.call_method(&object, "__init__", arguments, site)?;
                return Ok(object);
            }
            if let ClassKind::Data(_) | ClassKind::Tuple(_) = class.kind {
                self.fill_fields(&instance, class, arguments, site)?;
                return Ok(object);
            }
        }
        // `object()` takes no arguments, unless `__new__` is overridden.
        let takes_any = class.is_exception() || class.lookup("__new__").is_some();
        if class.is_whole && !takes_any && arguments.values().next().is_some() {
            return self.throw("TypeError", Value::Unknown);
        }
        match class.is_whole {
            true => Ok(object),
            false => {
                for value in arguments.values() {
                    self.lose(value)?;
                }
                self.not_followed()
            }
        }
    }

    /// Returns whether a class has abstract methods that no subclass overrides.
    fn is_unfinished(&self, class: &Rc<Class<'a>>) -> bool {
        let classes = [class].into_iter().chain(&class.above);
        let mut names = classes.flat_map(|class| class.body.own_names());
        names.any(|name| {
            let function = match class.lookup(&name) {
                Some(Value::Function(function)) => function,
                Some(Value::Descriptor(descriptor)) => match &descriptor.function {
                    Value::Function(function) => function.clone(),
                    _ => return false,
                },
                _ => return false,
            };
            // The decorator is read as text, since its value is the function itself.
            let mut decorators = function.def.decorators.iter();
            decorators.any(|it| self.source.slice(it.span).contains("abstractmethod"))
        })
    }

    /// Gives the fields of a dataclass or named tuple their values.
    fn fill_fields(
        &mut self,
        instance: &Rc<Instance<'a>>,
        class: &Rc<Class<'a>>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<()> {
        let is_open = !arguments.spread.is_empty();
        let name = instance.class.name.clone();
        let mut positional = arguments.positional.into_iter();
        let mut keywords = arguments.keywords;
        let mut handed_on = Vec::new();
        for field in class.fields() {
            let in_init = field.in_init();
            // Fields are bound in order: by position, by keyword, then by factory or default.
            let by_place = (in_init && !field.by_name)
                .then(|| positional.next())
                .flatten()
                .map(|(value, _)| value);
            let named = keywords
                .iter()
                .position(|(keyword, _, _)| **keyword == *field.name);
            let by_name = named.filter(|_| in_init).map(|at| keywords.remove(at).1);
            if by_place.is_some() && by_name.is_some() {
                return self.throw("TypeError", ());
            }
            let default = field.default.as_ref();
            let factory = default.and_then(|field| field.factory.clone());
            let plain = default.and_then(|field| field.default.clone());
            let value = match (by_place.or(by_name), factory, plain) {
                (Some(value), _, _) => value,
                _ if is_open => Value::Unknown,
                // The factory runs once for each object.
                (None, Some(factory), _) => self.apply(factory, Arguments::default(), site)?,
                (None, None, Some(value)) => value,
                (None, None, None) => {
                    if !in_init {
                        continue;
                    }
                    let message =
                        format!("{name}() is called without its argument `{}`", field.name);
                    self.raise(site.span, "TypeError", message);
                    self.throw("TypeError", Value::Unknown)?
                }
            };
            // `InitVar` fields are passed to `__post_init__` and not stored.
            if field.is_init_var {
                handed_on.push(value);
                continue;
            }
            self.name_object(&field.name, &value);
            instance.set_first(&field.name, value);
        }
        let is_too_many = positional.next().is_some() || !keywords.is_empty();
        if is_too_many && !is_open {
            return self.throw("TypeError", ());
        }
        let object = Value::Instance(instance.clone());
        let given = Arguments::of(handed_on, site.span);
        self.call_method(&object, "__post_init__", given, site)?;
        Ok(())
    }

    /// Evaluates `Mode(1)`: returns the member with that value.
    fn member_of_value(
        &mut self,
        class: &Rc<Class<'a>>,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let [wanted] = arguments.plain().try_into().unwrap_or([Value::Unknown]);
        let Some(members) = self.members(class) else {
            return self.not_followed();
        };
        self.charge(members.len())?;
        for member in members {
            let Value::Instance(of) = &member else {
                return self.not_followed();
            };
            // `Mode(Mode.A)` returns the member itself.
            if member.is_same(&wanted) {
                return Ok(member);
            }
            match of.get("value").unwrap_or(Value::Unknown).equals(&wanted) {
                Some(true) => return Ok(member),
                Some(false) => {}
                None => return self.not_followed(),
            }
        }
        match class.kind {
            // A flag accepts combinations, and `_missing_` of an unknown base any value.
            ClassKind::Enum { is_flag: false, .. } if class.is_whole => {
                self.throw("ValueError", Value::Unknown)
            }
            _ => self.not_followed(),
        }
    }

    /// Returns the member of an enumeration with this name.
    pub fn member_named(&self, class: &Rc<Class<'a>>, name: &str) -> Option<Value<'a>> {
        let is_member = member_names(class.statements).contains(&name);
        class.body.own(name).filter(|_| is_member)
    }

    /// Returns the members over which an enumeration is iterated, in order; `None` if they are unknown.
    pub fn enumerated(&self, class: &Rc<Class<'a>>) -> Option<Vec<Value<'a>>> {
        let members = self.members(class)?;
        // Versions of Python differ in whether flags that combine others are iterated.
        let is_single = |member: &Value<'a>| match member {
            Value::Instance(of) => matches!(
                of.get("value"),
                Some(Value::Int(value)) if value > 0 && value & (value - 1) == 0
            ),
            _ => false,
        };
        match class.kind {
            ClassKind::Enum { is_flag: true, .. } if !members.iter().all(is_single) => None,
            _ => Some(members),
        }
    }

    /// Returns the members of an enumeration, in order; `None` if one of them may be an alias of an earlier one.
    fn members(&self, class: &Rc<Class<'a>>) -> Option<Vec<Value<'a>>> {
        let mut members: Vec<Value<'a>> = Vec::new();
        for name in member_names(class.statements) {
            // Further names of the same member are aliases and not listed.
            let own = class.body.own(name);
            let is_new = |value: &Value<'a>| !members.iter().any(|known| known.is_same(value));
            members.extend(
                own.filter(|it| matches!(it, Value::Instance(_)))
                    .filter(is_new),
            );
        }
        let is_open = |member: &Value<'a>| match member {
            Value::Instance(of) => of.get("value").is_none_or(|value| value.is_unknown()),
            _ => true,
        };
        let is_sure = members.len() < 2 || !members.iter().any(is_open);
        is_sure.then_some(members)
    }

    /// Makes members of the values that the body of an enumeration binds.
    fn make_members(&mut self, class: &Rc<Class<'a>>, body: &'a [ast::Stmt]) -> Eval<()> {
        let span = self.here();
        let mut made: Vec<(Value<'a>, Value<'a>)> = Vec::new();
        for name in member_names(body) {
            let Some(bound) = class.body.own(name) else {
                continue;
            };
            // Functions and descriptors in the body do not become members.
            if matches!(
                bound,
                Value::Function(_) | Value::Lambda(_) | Value::Descriptor(_)
            ) {
                continue;
            }
            let value = match class.kind {
                ClassKind::Enum { type_of, .. } => type_of.value_of(&bound),
                _ => bound.clone(),
            };
            // An equal value makes an alias of the earlier member.
            let same = made
                .iter()
                .find(|(known, _)| known.equals(&value) == Some(true));
            if let Some((_, member)) = same {
                class.body.set_own(name, member.clone());
                continue;
            }
            let is_open = made.iter().any(|(known, _)| known.equals(&value).is_none());
            let instance = self.instance(class);
            // It may be an alias of an earlier member, so its name and value are unknown.
            let (name_of, held) = match is_open {
                true => (Value::Unknown, Value::Unknown),
                false => (Value::str(name), value.clone()),
            };
            instance.set_first("name", name_of);
            instance.set_first("value", held);
            let member = Value::Instance(instance);
            if class.lookup("__init__").is_some() {
                let given = match &bound {
                    Value::Tuple(items) => items.to_vec(),
                    one => vec![one.clone()],
                };
                let given = Arguments::of(given, span);
                self.call_method(&member, "__init__", given, Site::at(span))?;
            }
            class.body.set_own(name, member.clone());
            made.push((value, member));
        }
        Ok(())
    }

    /// Evaluates `object.__new__(cls)`.
    pub fn bare_instance(&mut self, args: &Arguments<'a>) -> Eval<Value<'a>> {
        match args.at(0) {
            Some(Value::Class(class)) if class.is_whole && class.lookup("__del__").is_none() => {
                Ok(Value::Instance(self.instance(class)))
            }
            _ => self.not_followed(),
        }
    }
}

/// Returns the classes above a class in the order of the C3 linearisation; `None` if it does not exist.
fn linear<'a>(bases: &[Rc<Class<'a>>]) -> Option<Vec<Rc<Class<'a>>>> {
    let is_it = |a: &Rc<Class<'a>>, b: &Rc<Class<'a>>| Rc::ptr_eq(a, b) || a.body.is(&b.body);
    let mut lists: Vec<Vec<Rc<Class<'a>>>> = bases
        .iter()
        .map(|base| [base].into_iter().chain(&base.above).cloned().collect())
        .collect();
    lists.push(bases.to_vec());
    let mut all: Vec<Rc<Class<'a>>> = Vec::new();
    loop {
        lists.retain(|list| !list.is_empty());
        if lists.is_empty() || all.len() > MAX_ABOVE {
            return Some(all);
        }
        // A candidate must not come after another class in any list; the first such head is next.
        let mut heads = lists.iter().map(|list| list[0].clone());
        let next = heads.find(|head| {
            let in_tail = |list: &Vec<Rc<Class<'a>>>| list[1..].iter().any(|it| is_it(it, head));
            !lists.iter().any(in_tail)
        })?;
        // Every list that begins with the chosen class advances.
        for list in &mut lists {
            if is_it(&list[0], &next) {
                list.remove(0);
            }
        }
        all.push(next);
    }
}

/// Returns the names that the body of an enumeration assigns, without the special ones.
fn member_names(body: &[ast::Stmt]) -> Vec<&str> {
    let targets = body.iter().flat_map(|stmt| match &stmt.kind {
        StmtKind::Assign { targets, .. } => targets.as_slice(),
        StmtKind::AnnAssign {
            target,
            value: Some(_),
            ..
        } => std::slice::from_ref(target),
        _ => &[],
    });
    let is_member = |name: &&str| !name.starts_with("__") && !is_of_python(name);
    let names = targets.flat_map(names_of).filter(is_member);
    names.take(MAX_FIELDS).collect()
}

/// Returns whether a name has the form that enumerations reserve (`_missing_`).
fn is_of_python(name: &str) -> bool {
    let is_double = name.starts_with("__") || name.ends_with("__");
    name.len() > 2 && name.starts_with('_') && name.ends_with('_') && !is_double
}

/// Returns whether the members of an enumeration are exactly what assignments in its body bind, each name once.
fn has_plain_members(body: &[ast::Stmt]) -> bool {
    let is_plain = |stmt: &ast::Stmt| match &stmt.kind {
        StmtKind::Assign { .. } | StmtKind::AnnAssign { .. } | StmtKind::Function(_) => true,
        other => matches!(
            other,
            StmtKind::Expr(_) | StmtKind::Pass | StmtKind::Assert(_)
        ),
    };
    let mut names = member_names(body);
    let count = names.len();
    names.sort_unstable();
    names.dedup();
    count < MAX_FIELDS && names.len() == count && body.iter().all(is_plain)
}

/// Returns the value of `auto()` in a statement; `None` if it is unknown, or differs between versions of Python.
fn next_member(
    frame: &Frame,
    body: &[ast::Stmt],
    before: &ast::Stmt,
    is_flag: bool,
) -> Option<i128> {
    let earlier = body
        .iter()
        .take_while(|stmt| stmt.span.end <= before.span.start);
    let count = earlier.count();
    let names = member_names(&body[..count]);
    let values = names.iter().map(|name| frame.own(name)?.as_int());
    let values: Vec<i128> = values.collect::<Option<_>>()?;
    let Some(&last) = values.last() else {
        return Some(1);
    };
    // Older versions take the last value plus 1, newer ones the largest plus 1.
    if values.iter().any(|&value| value > last || value < 0) {
        return None;
    }
    match is_flag {
        false => last.checked_add(1),
        true => 1i128.checked_shl(128 - last.leading_zeros()),
    }
}
