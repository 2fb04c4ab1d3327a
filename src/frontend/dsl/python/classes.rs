//! Class statements, and what making an instance means.

use std::cell::RefCell;
use std::rc::Rc;

use super::super::emit::Arguments;
use super::super::facade::Builtin;
use super::super::tracer::{Eval, Tracer};
use super::super::value::{Frame, Value};
use super::native::{Native, Site};
use super::objects::{Class, ClassKind, DataField, Field, Instance, MAX_BASES, Maker};
use crate::syntax::python::ast::{self, ExprKind, StmtKind};

/// Most classes above one that are looked at.
const MAX_ABOVE: usize = 100;
/// Most members and fields of a class that are known.
const MAX_FIELDS: usize = 1000;

pub const TABLE: &[Native] = &[
    native("dataclasses", "dataclass", dataclass),
    native("dataclasses", "field", |_, args, _| Ok(field(args))),
    native("enum", "Enum", |_, _, _| Ok(Value::Unknown)),
    native("enum", "IntEnum", |_, _, _| Ok(Value::Unknown)),
    native("enum", "IntFlag", |_, _, _| Ok(Value::Unknown)),
    native("enum", "Flag", |_, _, _| Ok(Value::Unknown)),
    native("enum", "StrEnum", |_, _, _| Ok(Value::Unknown)),
    native("enum", "auto", |tracer, _, _| {
        Ok(Value::Int(tracer.next_member))
    }),
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
    match args.at(0) {
        Some(class) => tracer.as_data(class.clone()),
        None => Ok(Value::Maker(Rc::new(Maker::Data))),
    }
}

fn field<'a>(args: &Arguments<'a>) -> Value<'a> {
    Value::Field(Rc::new(Field {
        default: args.keyword("default").cloned(),
        factory: args.keyword("default_factory").cloned(),
        in_init: !matches!(args.keyword("init"), Some(Value::Bool(false))),
    }))
}

/// What the base classes of a class make of it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Plain,
    Tuple,
    Enum { is_value: bool },
}

impl<'a> Tracer<'a> {
    /// `class Name(bases): body`
    pub fn class(
        &mut self,
        name: &'a ast::Name,
        (decorators, bases): (&'a [ast::Expr], &'a [ast::Expr]),
        body: &'a [ast::Stmt],
    ) -> Eval<()> {
        let (mut above, mut sort, mut is_whole) = (Vec::new(), Sort::Plain, true);
        for base in bases {
            match self.eval(base)? {
                Value::Class(class) if class.depth < MAX_BASES => {
                    if let ClassKind::Enum { is_value } = class.kind {
                        sort = Sort::Enum { is_value };
                    }
                    is_whole &= class.is_whole;
                    above.push(class);
                }
                Value::Builtin(Builtin::Native(native)) => match (native.module, native.name) {
                    ("enum", "Enum" | "Flag") => {
                        let is_value = matches!(sort, Sort::Enum { is_value: true });
                        sort = Sort::Enum { is_value };
                    }
                    ("enum", _) | ("", "int" | "str") => sort = Sort::Enum { is_value: true },
                    ("typing", "NamedTuple") => sort = Sort::Tuple,
                    ("abc", _) | ("", "object") | ("typing", _) => {}
                    _ => is_whole = false,
                },
                Value::Inert if matches!(base.kind, ExprKind::Subscript { .. }) => {}
                _ => is_whole = false,
            }
        }
        // `class Mode(str)` alone is no enumeration.
        if let Sort::Enum { .. } = sort
            && !self.is_enumeration(bases, &above)?
        {
            (sort, is_whole) = (Sort::Plain, false);
        }
        let frame = self.new_frame_of_class();
        let outer = std::mem::replace(&mut self.frame, frame.clone());
        for stmt in body {
            if let Sort::Enum { .. } = sort {
                self.next_member = last_member(&frame, body, stmt) + 1;
            }
            self.block(std::slice::from_ref(stmt))?;
        }
        self.frame = outer;
        let fields = match sort {
            Sort::Tuple => self.own_fields(body, &frame),
            _ => Vec::new(),
        };
        let depth = above.iter().map(|base| base.depth).max().unwrap_or(0) + 1;
        let above = linear(&above);
        is_whole &= above.len() <= MAX_ABOVE;
        let class = Rc::new(Class {
            name: name.text.clone(),
            body: frame,
            statements: body,
            above,
            kind: match sort {
                Sort::Plain => ClassKind::Plain,
                Sort::Tuple => ClassKind::Tuple(fields),
                Sort::Enum { is_value } => ClassKind::Enum { is_value },
            },
            is_whole,
            depth,
        });
        if let Sort::Enum { .. } = sort {
            make_members(&class, body);
        }
        let value = self.decorated(decorators, Value::Class(class))?;
        self.frame.set(&name.text, value);
        Ok(())
    }

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

    /// `@dataclass` of a class.
    pub fn as_data(&mut self, class: Value<'a>) -> Eval<Value<'a>> {
        let Value::Class(class) = class else {
            return Ok(Value::Unknown);
        };
        let mut fields: Vec<DataField<'a>> = Vec::new();
        let own = self.own_fields(class.statements, &class.body);
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
        Ok(Value::Class(Rc::new(Class {
            name: class.name.clone(),
            body: class.body.clone(),
            statements: class.statements,
            above: class.above.clone(),
            kind: ClassKind::Data(fields),
            is_whole: class.is_whole,
            depth: class.depth,
        })))
    }

    /// The annotated names of a class body, with their values.
    fn own_fields(&self, body: &'a [ast::Stmt], frame: &Frame<'a>) -> Vec<DataField<'a>> {
        let fields = body.iter().filter_map(|stmt| match &stmt.kind {
            StmtKind::AnnAssign {
                target, annotation, ..
            } => {
                let ExprKind::Name(name) = &target.kind else {
                    return None;
                };
                let annotation = self.source.slice(annotation.span);
                let is_field = !annotation
                    .trim_start_matches("typing.")
                    .starts_with("ClassVar");
                let default = frame.own(name).map(|value| match value {
                    Value::Field(field) => Field::clone(&field),
                    value => Field {
                        default: Some(value),
                        factory: None,
                        in_init: true,
                    },
                });
                let default = default.filter(|field| {
                    field.default.is_some() || field.factory.is_some() || !field.in_init
                });
                let name = name.as_str().into();
                is_field.then_some(DataField { name, default })
            }
            _ => None,
        });
        fields.take(MAX_FIELDS).collect()
    }

    /// An instance without attributes.
    pub fn instance(&self, class: &Rc<Class<'a>>) -> Rc<Instance<'a>> {
        Rc::new(Instance {
            class: class.clone(),
            attributes: RefCell::default(),
            born: self.uncertain,
        })
    }

    /// `Class(arguments)`
    pub fn instantiate(
        &mut self,
        class: &Rc<Class<'a>>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<Value<'a>> {
        if let ClassKind::Enum { .. } = class.kind {
            return self.member_of_value(class, &arguments);
        }
        let instance = self.instance(class);
        let object = Value::Instance(instance.clone());
        if class.lookup("__new__").is_some() {
            return Ok(Value::Unknown);
        }
        let own = class.body.own("__init__").is_some();
        if !class.fields().is_empty() && !own {
            self.fill_fields(&instance, arguments, site)?;
            self.call_method(&object, "__post_init__", Arguments::default(), site)?;
            return Ok(object);
        }
        let known = self
            .call_method(&object, "__init__", arguments, site)?
            .is_some();
        Ok(match known || class.is_whole {
            true => object,
            false => Value::Unknown,
        })
    }

    /// Gives the fields of a dataclass their values.
    fn fill_fields(
        &mut self,
        instance: &Rc<Instance<'a>>,
        arguments: Arguments<'a>,
        site: Site,
    ) -> Eval<()> {
        let is_open = !arguments.spread.is_empty();
        let name = instance.class.name.clone();
        let mut positional = arguments.positional.into_iter();
        for field in instance.class.fields() {
            let in_init = field.default.as_ref().is_none_or(|default| default.in_init);
            let by_place = in_init
                .then(|| positional.next())
                .flatten()
                .map(|(value, _)| value);
            let mut keywords = arguments.keywords.iter();
            let by_name = keywords.find(|(keyword, _, _)| **keyword == *field.name);
            let by_name = by_name.map(|(_, value, _)| value.clone());
            let default = field.default.as_ref();
            let value = match (by_place.or(by_name), default) {
                (Some(value), _) => value,
                _ if is_open => Value::Unknown,
                (
                    None,
                    Some(Field {
                        factory: Some(factory),
                        ..
                    }),
                ) => self.apply(factory.clone(), Arguments::default(), site)?,
                (
                    None,
                    Some(Field {
                        default: Some(value),
                        ..
                    }),
                ) => value.clone(),
                (None, _) => {
                    if in_init {
                        let message =
                            format!("{name}() is called without its argument `{}`", field.name);
                        self.raise(site.span, "TypeError", message);
                    }
                    Value::Unknown
                }
            };
            self.name_object(&field.name, &value);
            instance.set(&field.name, value);
        }
        Ok(())
    }

    /// `Mode(1)`
    fn member_of_value(
        &mut self,
        class: &Rc<Class<'a>>,
        arguments: &Arguments<'a>,
    ) -> Eval<Value<'a>> {
        let Some(wanted) = arguments.at(0) else {
            return Ok(Value::Unknown);
        };
        let members = self.members(class);
        self.charge(members.len())?;
        let found = members.into_iter().find(|member| match member {
            Value::Instance(member) => {
                let value = member.get("value");
                value.is_some_and(|value| value.equals(wanted) == Some(true))
            }
            _ => false,
        });
        Ok(found.unwrap_or(Value::Unknown))
    }

    /// The members of an enumeration, in order.
    pub fn members(&self, class: &Rc<Class<'a>>) -> Vec<Value<'a>> {
        let names = member_names(class.statements);
        names
            .into_iter()
            .filter_map(|name| class.body.own(name))
            .collect()
    }
}

/// The classes above one, the nearest first, each once.
fn linear<'a>(bases: &[Rc<Class<'a>>]) -> Vec<Rc<Class<'a>>> {
    let mut all: Vec<Rc<Class<'a>>> = Vec::new();
    for base in bases {
        for class in std::iter::once(base).chain(&base.above) {
            // A class stands after all that are below it.
            all.retain(|known| !Rc::ptr_eq(known, class));
            all.push(class.clone());
        }
    }
    all.truncate(MAX_ABOVE + 1);
    all
}

/// The names that the body of an enumeration assigns.
fn member_names(body: &[ast::Stmt]) -> Vec<&str> {
    let targets = body.iter().filter_map(|stmt| match &stmt.kind {
        StmtKind::Assign { targets, .. } => targets.first(),
        _ => None,
    });
    let names = targets.filter_map(|target| match &target.kind {
        ExprKind::Name(name) if !name.starts_with('_') => Some(name.as_str()),
        _ => None,
    });
    names.take(MAX_FIELDS).collect()
}

/// The value of the last member before a statement.
fn last_member(frame: &Frame, body: &[ast::Stmt], before: &ast::Stmt) -> i128 {
    let earlier = body
        .iter()
        .rposition(|stmt| stmt.span.end <= before.span.start);
    let earlier = &body[..earlier.map_or(0, |at| at + 1)];
    let last = earlier.iter().rev().find_map(|stmt| match &stmt.kind {
        StmtKind::Assign { targets, .. } => targets.first(),
        _ => None,
    });
    match last.map(|target| &target.kind) {
        Some(ExprKind::Name(name)) => frame
            .own(name)
            .and_then(|value| value.as_int())
            .unwrap_or(0),
        _ => 0,
    }
}

/// Makes members of what the body of an enumeration binds.
fn make_members<'a>(class: &Rc<Class<'a>>, body: &'a [ast::Stmt]) {
    for name in member_names(body) {
        let Some(value) = class.body.own(name) else {
            continue;
        };
        let member = Instance {
            class: class.clone(),
            attributes: RefCell::default(),
            born: 0,
        };
        member.set("name", Value::str(name));
        member.set("value", value);
        class.body.set(name, Value::Instance(Rc::new(member)));
    }
}
