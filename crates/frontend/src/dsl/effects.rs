//! What code that is not followed may change: the objects that it is given, what they lead to, and, where it is given a
//! value that is not known, whatever that may be.

use std::rc::Rc;

use super::branches::declared;
use super::python::ambient::is_modules;
use super::tracer::{Abort, Eval, Tracer};
use super::value::{Frame, Function, Role, Value};
use a2lint_syntax::python::ast::{self, ExprKind, StmtKind};

/// Most objects that are looked at for one call.
const MAX_LOST: usize = 20_000;
/// Most objects that values which are not known may be. Beyond that, what they hold is not known either.
const MAX_HIDDEN: usize = 500;
/// Functions of Python's own that leave alone what they are given.
const HARMLESS: &[&str] = &[
    "abs",
    "all",
    "any",
    "bool",
    "chr",
    "dict",
    "divmod",
    "enumerate",
    "float",
    "format",
    "frozenset",
    "hash",
    "hex",
    "id",
    "int",
    "isinstance",
    "issubclass",
    "len",
    "list",
    "max",
    "min",
    "ord",
    "pow",
    "print",
    "range",
    "repr",
    "reversed",
    "round",
    "set",
    "slice",
    "sorted",
    "str",
    "sum",
    "tuple",
    "type",
    "zip",
];

impl<'a> Tracer<'a> {
    /// Code that is not followed has a value: what it can change is not known from here on.
    pub fn lose(&mut self, value: &Value<'a>) -> Eval<()> {
        let mut open = vec![value.clone()];
        let mut functions: Vec<Rc<Function<'a>>> = Vec::new();
        let mut left = MAX_LOST;
        while let Some(value) = open.pop() {
            let Some(less) = left.checked_sub(1) else {
                let what = "code that is not followed has more than {} objects";
                return Err(Abort::Limit(what.replace("{}", &MAX_LOST.to_string())));
            };
            left = less;
            self.step()?;
            let may_change = |value: &&Value<'a>| value.is_unknown() || is_object(value);
            match &value {
                // It may be any of them.
                Value::Unknown => open.append(&mut self.hidden.take()),
                Value::List(items) | Value::Set(items) => {
                    if items.give() {
                        open.extend(items.ever().iter().filter(may_change).cloned());
                    }
                }
                Value::Dict(entries) | Value::View(entries, _) => {
                    if entries.give() {
                        let values = entries.ever();
                        let values = values.iter().map(|(_, value)| value);
                        open.extend(values.filter(may_change).cloned());
                    }
                }
                Value::Tuple(items) | Value::FrozenSet(items) => {
                    open.extend(items.iter().filter(may_change).cloned());
                }
                Value::HostTensor(tensor) => tensor.expose(),
                Value::Instance(instance) => {
                    let attributes = &instance.attributes;
                    // A member of an enumeration is what it is.
                    let is_member = matches!(
                        instance.class.kind,
                        super::python::objects::ClassKind::Enum { .. }
                    );
                    if !is_member && attributes.give() {
                        open.extend(attributes.ever().iter().map(|(_, value)| value.clone()));
                        let methods = instance.class.body.own_names().into_iter();
                        let methods = methods.filter_map(|name| instance.class.body.own(&name));
                        open.extend(methods.filter(|it| matches!(it, Value::Function(_))));
                    }
                }
                Value::Iterator(iterator) => {
                    if !iterator.is_lost() {
                        open.extend(iterator.held());
                    }
                    iterator.lose();
                }
                Value::Partial(partial) => {
                    open.push(partial.callee.clone());
                    open.extend(partial.positional.iter().cloned());
                    open.push(Value::Dict(partial.keywords.clone()));
                }
                Value::Method(method) => open.push(method.0.clone()),
                Value::Names(frame) | Value::Module(frame) => frame.lose(),
                Value::Namespace(_) if is_modules(&value) => self.lose_scopes(),
                Value::Class(class) => {
                    let names = class.body.own_names().into_iter();
                    let values = names.filter_map(|name| class.body.own(&name));
                    open.extend(values.filter(|value| !matches!(value, Value::Class(_))));
                    class.lose();
                }
                Value::Function(function) if function.role == Role::Helper => {
                    let is_known = functions.iter().any(|known| Rc::ptr_eq(known, function));
                    if !is_known {
                        functions.push(function.clone());
                        function.attributes.lose();
                        self.effects_of(function, &mut open);
                    }
                }
                Value::Lambda(lambda) => {
                    let mut names = Vec::new();
                    risky(lambda.body, false, &mut names);
                    self.named_in(&lambda.closure, names, &mut open);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// A value becomes one that is not known, or goes where nothing shows it: a value that is not known may be it.
    pub fn hide(&mut self, value: &Value<'a>) -> Eval<()> {
        self.hidden.add(value);
        match self.hidden.is_full() {
            true => self.lose(&Value::Unknown),
            false => Ok(()),
        }
    }

    /// What a value holds that is not known which of it is meant: an item of a list, an attribute of an object.
    pub fn hide_items(&mut self, value: &Value<'a>) -> Eval<()> {
        let items: Vec<Value<'a>> = match value {
            Value::List(items) | Value::Set(items) => items.ever().to_vec(),
            Value::Tuple(items) | Value::FrozenSet(items) => items.to_vec(),
            Value::Dict(entries) | Value::View(entries, _) => {
                let entries = entries.ever();
                entries.iter().map(|(_, value)| value.clone()).collect()
            }
            Value::Instance(instance) => {
                let entries = instance.attributes.ever();
                entries.iter().map(|(_, value)| value.clone()).collect()
            }
            _ => return Ok(()),
        };
        self.charge(items.len())?;
        items.iter().try_for_each(|item| self.hide(item))
    }

    /// A name of the current scope may be bound to something else from here on.
    pub fn forget_name(&mut self, name: &str) -> Eval<()> {
        if let Some(former) = self.frame.binding(name).own(name) {
            self.hide(&former)?;
        }
        self.frame.set(name, Value::Unknown);
        Ok(())
    }

    /// What a call of a function may change.
    fn effects_of(&mut self, function: &Rc<Function<'a>>, open: &mut Vec<Value<'a>>) {
        let body = &function.def.body;
        let mut foreign = Vec::new();
        declared(body, &mut foreign);
        // It may be called at any time from here on.
        for name in foreign {
            let mut frame = Some(&function.closure);
            while let Some(one) = frame {
                frame = one.parent();
                if one.own(name).is_some() || frame.is_none() {
                    one.release(name);
                }
            }
        }
        open.extend(function.defaults.iter().flatten().cloned());
        let mut names = Vec::new();
        risky_in(body, &mut names);
        self.named_in(&function.closure, names, open);
    }

    fn named_in(&self, closure: &Frame<'a>, names: Vec<&'a str>, open: &mut Vec<Value<'a>>) {
        open.extend(names.into_iter().filter_map(|name| closure.get(name)));
    }
}

/// Objects that values which are not known may be: where code changes such a value, it changes one of them, and
/// nothing shows which.
#[derive(Default)]
pub(super) struct Hidden<'a> {
    objects: Vec<Value<'a>>,
    /// How often all of them were changed, for all that is known.
    changes: u32,
}

impl<'a> Hidden<'a> {
    /// A value that is not known may be this one.
    pub fn add(&mut self, value: &Value<'a>) {
        if let Value::Iterator(iterator) = value {
            // Whoever asks it for an item changes it.
            iterator.lose();
        }
        // Which module is meant, programs do not leave open.
        let is_module = matches!(value, Value::Module(_) | Value::Namespace(_));
        if is_module || !is_object(value) {
            return;
        }
        let is_it = |known: &Value<'a>| match (known, value) {
            (Value::Tuple(a), Value::Tuple(b)) => Rc::ptr_eq(a, b),
            (Value::FrozenSet(a), Value::FrozenSet(b)) => Rc::ptr_eq(a, b),
            (Value::Tuple(_) | Value::FrozenSet(_), _)
            | (_, Value::Tuple(_) | Value::FrozenSet(_)) => false,
            _ => known.is_same(value),
        };
        if !self.objects.iter().rev().any(is_it) {
            self.objects.push(value.clone());
        }
    }

    fn take(&mut self) -> Vec<Value<'a>> {
        self.changes = self.changes.saturating_add(1);
        std::mem::take(&mut self.objects)
    }

    fn is_full(&self) -> bool {
        self.objects.len() > MAX_HIDDEN
    }

    /// How often they were changed.
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// Whether operators may change one of them.
    pub fn has_instances(&self) -> bool {
        let is_it = |value: &Value<'a>| matches!(value, Value::Instance(_));
        self.objects.iter().any(is_it)
    }
}

/// Whether code that has a value can change something through it.
fn is_object(value: &Value) -> bool {
    match value {
        Value::List(_)
        | Value::Dict(_)
        | Value::Set(_)
        | Value::View(..)
        | Value::HostTensor(_)
        | Value::Iterator(_)
        | Value::Partial(_)
        | Value::Method(_)
        | Value::Names(_)
        | Value::Module(_)
        | Value::Class(_)
        | Value::Function(_)
        | Value::Lambda(_)
        | Value::Instance(_)
        | Value::Namespace(_) => true,
        Value::Tuple(items) | Value::FrozenSet(items) => {
            use Value::{Bool, Float, Int, None as Nothing, Str};
            let is_whole =
                |item: &Value| matches!(item, Nothing | Bool(_) | Int(_) | Float(_) | Str(_));
            !items.iter().all(is_whole)
        }
        _ => false,
    }
}

/// The names in a body whose objects it may change, or hand on.
fn risky_in<'a>(body: &'a [ast::Stmt], names: &mut Vec<&'a str>) {
    for stmt in body {
        match &stmt.kind {
            StmtKind::Assign { targets, value } => {
                targets.iter().for_each(|target| changed(target, names));
                risky(value, false, names);
            }
            StmtKind::AnnAssign { target, value, .. } => {
                changed(target, names);
                value.iter().for_each(|value| risky(value, false, names));
            }
            StmtKind::AugAssign { target, value, .. } => {
                changed(target, names);
                if let ExprKind::Name(name) = &target.kind {
                    names.push(name);
                }
                risky(value, true, names);
            }
            StmtKind::Delete(targets) => targets.iter().for_each(|target| changed(target, names)),
            StmtKind::Expr(expr) => risky(expr, true, names),
            StmtKind::Assert(expr) => risky(expr, true, names),
            StmtKind::Return(expr) | StmtKind::Raise(expr) => {
                expr.iter().for_each(|expr| risky(expr, false, names));
            }
            StmtKind::For {
                target,
                iter,
                body,
                orelse,
            } => {
                changed(target, names);
                risky(iter, false, names);
                risky_in(body, names);
                risky_in(orelse, names);
            }
            StmtKind::While { test, body, orelse } => {
                risky(test, true, names);
                risky_in(body, names);
                risky_in(orelse, names);
            }
            StmtKind::If { arms, orelse } => {
                for (test, body) in arms {
                    risky(test, true, names);
                    risky_in(body, names);
                }
                risky_in(orelse, names);
            }
            StmtKind::With { items, body } => {
                items.iter().for_each(|(item, _)| risky(item, false, names));
                risky_in(body, names);
            }
            StmtKind::Try { blocks, .. } => blocks.iter().for_each(|body| risky_in(body, names)),
            StmtKind::Function(def) => risky_in(&def.body, names),
            StmtKind::Class { body, .. } | StmtKind::Error(body) => risky_in(body, names),
            _ => {}
        }
    }
}

/// The object that an assignment to a target changes.
fn changed<'a>(target: &'a ast::Expr, names: &mut Vec<&'a str>) {
    match &target.kind {
        ExprKind::Subscript { value, index } => {
            risky(value, false, names);
            risky(index, true, names);
        }
        ExprKind::Attribute { value, .. } => risky(value, false, names),
        ExprKind::Tuple(items) | ExprKind::List(items) => {
            items.iter().for_each(|item| changed(item, names));
        }
        ExprKind::Starred(inner) => changed(inner, names),
        _ => {}
    }
}

/// The names in an expression whose objects may be changed or handed on; not where it `is_read` alone.
fn risky<'a>(expr: &'a ast::Expr, is_read: bool, names: &mut Vec<&'a str>) {
    match &expr.kind {
        ExprKind::Name(name) if !is_read => names.push(name),
        ExprKind::Name(_) => {}
        ExprKind::Subscript { value, index } => {
            risky(value, is_read, names);
            risky(index, true, names);
        }
        ExprKind::Attribute { value, .. } => risky(value, is_read, names),
        ExprKind::Call {
            func,
            args,
            keywords,
        } => {
            let is_harmless =
                matches!(&func.kind, ExprKind::Name(name) if HARMLESS.contains(&name.as_str()));
            risky(func, false, names);
            args.iter().for_each(|arg| risky(arg, is_harmless, names));
            keywords
                .iter()
                .for_each(|(_, arg)| risky(arg, is_harmless, names));
        }
        ExprKind::Compare { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Unary { .. }
        | ExprKind::Format(_) => {
            ast::children(expr, &mut |child| risky(child, true, names));
        }
        _ => ast::children(expr, &mut |child| risky(child, is_read, names)),
    }
}
