//! Members of classes: inheritance, and numbers that never change once they are set.

use rustc_hash::{FxHashMap, FxHashSet};

use super::arguments::Arguments;
use super::collect::{Collected, Member};
use super::dialect::{ClassFacts, Dialect};
use super::environment::{Binding, Entity, Environment};
use super::evaluate::View;
use super::instance::Instances;
use super::walk::root;
use a2lint_syntax::cpp::{
    Expr, ExprKind, Function, Init, Stmt, StmtKind, UnaryOp, visit_expressions,
};

/// Maximum number of base classes.
const MAX_BASES: usize = 16;

/// Returns a class with its bases, bases first, and the arguments of each.
pub fn lineage<'a>(
    view: View<'_, 'a>,
    classes: &[ClassFacts<'a>],
    class: usize,
    arguments: &Arguments<'a>,
) -> Vec<(usize, Arguments<'a>)> {
    let mut found = vec![(class, arguments.clone())];
    let mut at = 0;
    while at < found.len() && found.len() < MAX_BASES {
        let (class, arguments) = found[at].clone();
        at += 1;
        let facts = &classes[class];
        let names =
            super::arguments::bound(&facts.class.parameters, &arguments, facts.class.name_span);
        let frame = view.frame(names);
        let inside = view.within(&frame);
        for base in &facts.class.bases {
            let Some(Entity::Class(family)) =
                inside.find(&inside.resolve(base)).map(|it| it.entity)
            else {
                continue;
            };
            let parameters = view.env.families.get(family).and_then(|it| it.primary());
            let parameters = parameters.map_or(&[][..], |it| &it.parameters);
            let Some(given) = inside.with_defaults(parameters, &inside.resolve(base).arguments)
            else {
                continue;
            };
            let Some(chosen) = inside.choose(family, &given) else {
                continue;
            };
            let is_it = |it: &ClassFacts<'a>| it.class.name_span == chosen.class.name_span;
            if let Some(base) = classes.iter().position(is_it)
                && found.iter().all(|(known, _)| *known != base)
            {
                found.push((base, chosen.arguments));
            }
        }
    }
    found.reverse();
    found
}

/// The value that a member receives, with the number of the writing function.
type Value<'a> = (usize, Option<&'a Expr<'a>>);

/// The writes to members of classes, as far as they are plain.
#[derive(Debug, Default)]
pub struct Writes<'a> {
    /// For each member of each class, the values that it receives in order; `None` for anything that is not plain.
    of_class: Vec<FxHashMap<&'a str, Vec<Value<'a>>>>,
    /// Members that code outside of their class writes.
    outside: FxHashSet<&'a str>,
}

impl<'a> Writes<'a> {
    /// Visits every function of a translation unit.
    pub fn of(
        classes: &[ClassFacts<'a>],
        members: &[Member<'a>],
        dialect: &dyn Dialect<'a>,
    ) -> Writes<'a> {
        let mut writes = Writes {
            of_class: classes.iter().map(|_| FxHashMap::default()).collect(),
            outside: FxHashSet::default(),
        };
        for (facts, known) in classes.iter().zip(&mut writes.of_class) {
            for member in &facts.class.members {
                if let StmtKind::Declare {
                    constant: false,
                    names,
                    ..
                } = &member.kind
                {
                    for name in names {
                        let list = known.entry(name.name).or_default();
                        match &name.init {
                            Init::Default => {}
                            Init::Value(value) => list.push((0, Some(value))),
                            Init::Arguments(values) => match values.as_slice() {
                                [only] => list.push((0, Some(only))),
                                _ => list.push((0, None)),
                            },
                        }
                    }
                }
            }
        }
        for (at, member) in members.iter().enumerate() {
            let function = member.function;
            visit_expressions(&function.body, &mut |expr| {
                if let ExprKind::Assign(assignment) = &expr.kind {
                    let mut target = &assignment.target;
                    while let ExprKind::Index(inner, _) = &target.kind {
                        target = inner;
                    }
                    if let ExprKind::Member { name, .. } = &target.kind
                        && target.plain_name().is_none()
                    {
                        writes.outside.insert(name);
                    }
                }
            });
            let Some(class) = member.class else {
                continue;
            };
            let has_bases = !classes[class].class.bases.is_empty();
            for (name, value) in written_by(function, dialect) {
                let known = writes.of_class[class].get_mut(name);
                match known {
                    Some(list) => list.push((at + 1, value)),
                    // A member of a base class.
                    None if has_bases => drop(writes.outside.insert(name)),
                    None => {}
                }
            }
        }
        writes
    }

    /// Sets the values of the members of an open class that are written exactly once.
    pub fn settle(
        &self,
        env: &mut Environment<'a>,
        class: usize,
        all: &Collected<'a>,
        made: &Instances<'a>,
    ) {
        let Some(known) = self.of_class.get(class) else {
            return;
        };
        let mut once: Vec<_> = known
            .iter()
            .filter_map(|(name, values)| match values.as_slice() {
                [(at, Some(value))] if !self.outside.contains(name) => Some((*name, *at, *value)),
                _ => None,
            })
            .collect();
        once.sort_by_key(|(_, at, value)| (*at, value.span));
        for (name, at, value) in once {
            env.open();
            let method = at.checked_sub(1).and_then(|at| all.members.get(at));
            if let Some(method) = method {
                bind_passed(env, method, made);
            }
            let value = env.int(value);
            env.close();
            env.assign(name, value);
        }
    }
}

/// Binds the parameters of a method to the values on which all visible calls agree.
fn bind_passed<'a>(env: &mut Environment<'a>, method: &Member<'a>, made: &Instances<'a>) {
    let mut passed = made.agreed(method.id()).iter().copied();
    for parameter in &method.function.parameters {
        let value = passed.next().flatten();
        let binding = Binding::of(Entity::Int(value), parameter.span);
        env.bind(parameter.name, binding);
    }
}

/// Returns the members, or names that may be members, that a method writes.
fn written_by<'a>(
    method: &'a Function<'a>,
    dialect: &dyn Dialect<'a>,
) -> Vec<(&'a str, Option<&'a Expr<'a>>)> {
    let parameters: Vec<&'a str> = method.parameters.iter().map(|it| it.name).collect();
    let mut unsteady = changed(&method.body, dialect);
    unsteady.extend(method.template_parameters.iter().map(|it| it.name));
    let mut locals = parameters.clone();
    locals.extend(method.template_parameters.iter().map(|it| it.name));
    let outer = locals.len();
    declared(&method.body, &mut locals);
    unsteady.extend(&locals[outer..]);
    let is_plain =
        |value: &Expr<'a>| !mentions(value, &unsteady) && !mentions_member(value, &parameters);
    let mut found = Vec::new();
    for (name, values) in &method.initialisers {
        let value = match values.as_slice() {
            [only] if is_plain(only) => Some(only),
            _ => None,
        };
        found.push((*name, value));
    }
    let is_member = |target: &Expr<'a>, name: &str| {
        !locals.contains(&name) || matches!(target.kind, ExprKind::Member { .. })
    };
    let mut top = Vec::new();
    for stmt in &method.body {
        if let StmtKind::Expr(Expr {
            kind: ExprKind::Assign(assignment),
            ..
        }) = &stmt.kind
            && let Some(name) = assignment.target.plain_name()
            && assignment.op.is_none()
            && is_plain(&assignment.value)
        {
            top.push(assignment.target.span);
            if is_member(&assignment.target, name) {
                found.push((name, Some(&assignment.value)));
            }
        }
    }
    visit_expressions(&method.body, &mut |expr| {
        let names = match &expr.kind {
            ExprKind::Assign(assignment) if !top.contains(&assignment.target.span) => {
                let name = root(&assignment.target);
                name.filter(|name| is_member(&assignment.target, name))
                    .into_iter()
                    .collect()
            }
            ExprKind::Unary(UnaryOp::AddressOf, operand) => root(operand).into_iter().collect(),
            ExprKind::Call {
                callee, arguments, ..
            } => dialect.changes(callee, arguments),
            _ => Vec::new(),
        };
        found.extend(names.into_iter().map(|name| (name, None)));
    });
    found
}

/// Returns the variables that statements may change, without members that are named by `this`.
fn changed<'a>(stmts: &[Stmt<'a>], dialect: &dyn Dialect<'a>) -> Vec<&'a str> {
    let mut names = Vec::new();
    let variable = |expr: &Expr<'a>| match expr.kind {
        ExprKind::Member { .. } => None,
        _ => root(expr),
    };
    visit_expressions(stmts, &mut |expr| match &expr.kind {
        ExprKind::Assign(assignment) => names.extend(variable(&assignment.target)),
        ExprKind::Unary(UnaryOp::AddressOf, operand) => names.extend(variable(operand)),
        ExprKind::Call {
            callee, arguments, ..
        } => names.extend(dialect.changes(callee, arguments)),
        _ => {}
    });
    names
}

/// Returns whether an expression contains a member, such as `this->rows`, that one of these names hides.
fn mentions_member(expr: &Expr, names: &[&str]) -> bool {
    let mut found = false;
    expr.visit(&mut |inner| {
        let member = matches!(inner.kind, ExprKind::Member { .. });
        found |= member && inner.plain_name().is_some_and(|name| names.contains(&name));
    });
    found
}

/// Collects the variables that statements declare.
pub fn declared<'a>(stmts: &[Stmt<'a>], names: &mut Vec<&'a str>) {
    for stmt in stmts {
        match &stmt.kind {
            StmtKind::Declare { names: list, .. } => names.extend(list.iter().map(|one| one.name)),
            StmtKind::Block(body) => declared(body, names),
            StmtKind::Branch(branch) => {
                declared(&branch.then, names);
                declared(&branch.otherwise, names);
            }
            StmtKind::Loop(turns) => {
                declared(&turns.init, names);
                declared(&turns.body, names);
            }
            _ => {}
        }
    }
}

/// Returns whether an expression contains any of these names.
pub fn mentions(expr: &Expr, names: &[&str]) -> bool {
    let mut found = false;
    expr.visit(&mut |inner| {
        found |= inner.plain_name().is_some_and(|name| names.contains(&name));
    });
    found
}
