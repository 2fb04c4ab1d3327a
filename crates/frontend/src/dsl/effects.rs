//! Side effects of code that is not followed: it may change the objects that it is given, everything reachable from
//! them, and, if one of them is an unknown value, every object that value may be.

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::branches::{declared, locals_of, names_of};
use super::facade::{Builtin, Namespace};
use super::python::ambient::is_modules;
use super::tracer::{Abort, Eval, Tracer};
use super::value::{Frame, Function, Role, Value};
use a2lint_syntax::python::ast::{self, ExprKind, StmtKind};

/// Maximum number of objects that are visited for one call.
const MAX_LOST: usize = 20_000;
/// Maximum number of objects that unknown values may refer to. Beyond it, the contents of all of them become unknown.
const MAX_HIDDEN: usize = 500;
/// Builtins that change none of their arguments, but that they take the items of iterators.
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
    /// Makes everything unknown that code which is not followed can change through a value.
    pub fn lose(&mut self, value: &Value<'a>) -> Eval<()> {
        // A worklist, not recursion: files can build structures of any depth.
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
                // An unknown value may be any of the hidden objects.
                Value::Unknown => open.append(&mut self.hidden.take()),
                // `give` answers false for objects given away before, which also ends cycles.
                Value::List(items) | Value::Set(items) if items.give() => {
                    open.extend(items.ever().iter().filter(may_change).cloned());
                }
                Value::Dict(entries) | Value::View(entries, _) if entries.give() => {
                    let values = entries.ever();
                    let values = values.iter().map(|(_, value)| value);
                    open.extend(values.filter(may_change).cloned());
                }
                Value::Tuple(items) | Value::FrozenSet(items) => {
                    open.extend(items.iter().filter(may_change).cloned());
                }
                Value::HostTensor(tensor) => tensor.expose(),
                Value::Instance(instance) => {
                    let attributes = &instance.attributes;
                    // Members of enumerations are not changed in practice by the code that receives them: their value
                    // and name are fixed.
                    let is_member = matches!(
                        instance.class.kind,
                        super::python::objects::ClassKind::Enum { .. }
                    );
                    if !is_member && attributes.give() {
                        open.extend(attributes.ever().iter().map(|(_, value)| value.clone()));
                        // Code that has an instance can call its methods, which may change what they name.
                        let methods = instance.class.body.own_names().into_iter();
                        let methods = methods.filter_map(|name| instance.class.body.own(&name));
                        open.extend(methods.filter(|it| matches!(it, Value::Function(_))));
                    }
                }
                Value::Iterator(iterator) => {
                    if !iterator.is_lost() {
                        // Code that is not followed may take items from the iterator, so its position is unknown.
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
                    // Classes have no mark for having been visited, so following classes from classes might not end.
                    open.extend(values.filter(|value| !matches!(value, Value::Class(_))));
                    class.lose();
                }
                // Only of a helper is it known that a call executes its body.
                Value::Function(function) if function.role == Role::Helper => {
                    let is_known = functions.iter().any(|known| Rc::ptr_eq(known, function));
                    if !is_known {
                        functions.push(function.clone());
                        function.attributes.lose();
                        self.effects_of(function, &mut open);
                    }
                }
                Value::Lambda(lambda) => {
                    let mut names = self.no_names(&lambda.closure);
                    let params = lambda.params.iter();
                    names
                        .shadowed
                        .extend(params.map(|param| param.name.text.as_str()));
                    risky(lambda.body, false, &mut names);
                    names.objects_in(&lambda.closure, &mut open);
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Records that an unknown value may be this object, because the object was stored or passed where it cannot be
    /// followed.
    pub fn hide(&mut self, value: &Value<'a>) -> Eval<()> {
        self.hidden.add(value);
        // A bounded set keeps `is_it` below cheap; giving up all of it is sound.
        match self.hidden.is_full() {
            true => self.lose(&Value::Unknown),
            false => Ok(()),
        }
    }

    /// Hides every item of a container, for an access whose index or attribute is unknown.
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

    /// Makes a name of the current scope unknown, and hides the object that it was bound to.
    pub fn forget_name(&mut self, name: &str) -> Eval<()> {
        if let Some(former) = self.frame.binding(name).own(name) {
            self.hide(&former)?;
        }
        self.frame.set(name, Value::Unknown);
        Ok(())
    }

    /// Collects what a call of a function may change, and forgets the names that it declares `global` or `nonlocal`.
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
        // A mutable default keeps its state between calls.
        open.extend(function.defaults.iter().flatten().cloned());
        let mut names = self.no_names(&function.closure);
        names.shadowed.extend(locals_of(function.def));
        risky_in(body, &mut names);
        names.objects_in(&function.closure, open);
    }

    /// Starts the collection of names in a body of this closure.
    fn no_names(&self, closure: &Frame<'a>) -> Named<'a> {
        let builtins = Namespace::Library("builtins");
        let is_python = |name: &str| {
            let is_native = |value: Value<'a>| matches!(value, Value::Builtin(Builtin::Native(_)));
            closure.get(name).is_none() && self.changed_member(builtins, name).is_none_or(is_native)
        };
        let all = HARMLESS.iter().copied();
        Named {
            names: Vec::new(),
            consumed: Vec::new(),
            shadowed: all.filter(|name| !is_python(name)).collect(),
        }
    }
}

/// The names in a body by which it may change objects.
struct Named<'a> {
    names: Vec<&'a str>,
    /// Names of arguments of `HARMLESS` functions, which take the items of iterators.
    consumed: Vec<&'a str>,
    /// Names that may not be Python's builtins, as a scope around them or the body binds them.
    shadowed: FxHashSet<&'a str>,
}

impl<'a> Named<'a> {
    fn push(&mut self, name: &'a str) {
        self.names.push(name);
    }

    /// Returns whether the function of this name changes none of its arguments except iterators.
    fn is_harmless(&self, name: &str) -> bool {
        HARMLESS.contains(&name) && !self.shadowed.contains(name)
    }

    /// Collects the objects of these names in the closure of the body.
    fn objects_in(self, closure: &Frame<'a>, open: &mut Vec<Value<'a>>) {
        open.extend(self.names.into_iter().filter_map(|name| closure.get(name)));
        let consumed = self
            .consumed
            .into_iter()
            .filter_map(|name| closure.get(name));
        open.extend(consumed.filter(|value| matches!(value, Value::Iterator(_))));
    }
}

/// The objects that unknown values may refer to. A change through an unknown value changes one of them, and it is
/// unknown which.
#[derive(Default)]
pub(super) struct Hidden<'a> {
    objects: Vec<Value<'a>>,
    /// Number of times that all hidden objects became unknown at once.
    changes: u32,
}

impl<'a> Hidden<'a> {
    /// Records that an unknown value may be this object.
    pub fn add(&mut self, value: &Value<'a>) {
        if let Value::Iterator(iterator) = value {
            // Taking an item advances the iterator, and an unknown value may be used for that.
            iterator.lose();
        }
        // Programs do not choose modules at run time in ways that matter here, and losing a module would lose all of
        // its names.
        let is_module = matches!(value, Value::Module(_) | Value::Namespace(_));
        if is_module || !is_object(value) {
            return;
        }
        // Tuples are compared by identity: equal tuples can hold different lists.
        let is_it = |known: &Value<'a>| match (known, value) {
            (Value::Tuple(a), Value::Tuple(b)) => Rc::ptr_eq(a, b),
            (Value::FrozenSet(a), Value::FrozenSet(b)) => Rc::ptr_eq(a, b),
            (Value::Tuple(_) | Value::FrozenSet(_), _)
            | (_, Value::Tuple(_) | Value::FrozenSet(_)) => false,
            _ => known.is_alike(value),
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

    /// Returns the number of times that all hidden objects became unknown at once.
    pub fn changes(&self) -> u32 {
        self.changes
    }

    /// Returns whether a hidden object, or an object inside of one, may change in place when a number is added to it: a
    /// tensor, or an instance of a class, whose operators the file can define.
    pub fn can_add_numbers(&self) -> bool {
        let is_it = |value: &Value<'a>| matches!(value, Value::Instance(_) | Value::HostTensor(_));
        let leads_on = |value: &Value<'a>| value.is_unknown() || is_object(value);
        self.objects.iter().any(|value| match value {
            Value::List(items) | Value::Set(items) => items.ever().iter().any(leads_on),
            Value::Tuple(items) | Value::FrozenSet(items) => items.iter().any(leads_on),
            Value::Dict(entries) | Value::View(entries, _) => {
                entries.ever().iter().any(|(_, value)| leads_on(value))
            }
            value => is_it(value),
        })
    }
}

/// Returns whether code that receives a value can change something through it.
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
            // A tuple of plain values leads to nothing that can change.
            use Value::{Bool, Float, Int, None as Nothing, Str};
            let is_whole =
                |item: &Value| matches!(item, Nothing | Bool(_) | Int(_) | Float(_) | Str(_));
            !items.iter().all(is_whole)
        }
        _ => false,
    }
}

/// Collects the names in a body whose objects it may change or pass on.
fn risky_in<'a>(body: &'a [ast::Stmt], names: &mut Named<'a>) {
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
                    // `x += …` changes the object in place if its class defines `__iadd__`.
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
            StmtKind::Function(def) => {
                names.shadowed.extend(locals_of(def));
                risky_in(&def.body, names);
            }
            StmtKind::Class { body, .. } | StmtKind::Error(body) => risky_in(body, names),
            _ => {}
        }
    }
}

/// Collects the name whose object an assignment to a target changes. Rebinding a local name changes no object.
fn changed<'a>(target: &'a ast::Expr, names: &mut Named<'a>) {
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

/// Collects the names in an expression whose objects may be changed or passed on. With `is_read`, plain names only
/// are read and so are left out.
fn risky<'a>(expr: &'a ast::Expr, is_read: bool, names: &mut Named<'a>) {
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
            let is_harmless = matches!(&func.kind, ExprKind::Name(name) if names.is_harmless(name));
            risky(func, false, names);
            for arg in args {
                if let (true, ExprKind::Name(name)) = (is_harmless, &arg.kind) {
                    names.consumed.push(name);
                }
                risky(arg, is_harmless, names);
            }
            // `sorted(…, key=f)` calls a function, and `print(…, file=f)` writes to a file.
            keywords
                .iter()
                .for_each(|(_, arg)| risky(arg, false, names));
        }
        ExprKind::Lambda { params, body } => {
            names
                .shadowed
                .extend(params.iter().map(|param| param.name.text.as_str()));
            risky(body, is_read, names);
        }
        ExprKind::Comprehension { clauses, .. } => {
            for clause in clauses {
                names.shadowed.extend(names_of(&clause.target));
            }
            ast::children(expr, &mut |child| risky(child, is_read, names));
        }
        // Operators, comparisons and formatting read their operands; their methods are taken to have no effects.
        ExprKind::Compare { .. }
        | ExprKind::Binary { .. }
        | ExprKind::Unary { .. }
        | ExprKind::Format(_) => {
            ast::children(expr, &mut |child| risky(child, true, names));
        }
        _ => ast::children(expr, &mut |child| risky(child, is_read, names)),
    }
}
