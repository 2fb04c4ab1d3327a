//! The instances that a translation unit makes of its templates: by explicit instantiation, by calls with arguments
//! that are given, deduced or left to defaults, and by variables of class templates.
//!
//! Unknown arguments make no instance, and neither do calls that may mean several overloads.

use std::collections::VecDeque;

use rustc_hash::FxHashSet;

use super::arguments::{bound, written};
use super::collect::{Collected, Making, Member};
use super::environment::{Binding, Entity, Environment};
use super::evaluate::View;
use super::instance::{Instance, Instances};
use super::members::lineage;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{BranchKind, Expr, ExprKind, Init, Path, Stmt, StmtKind};

/// Maximum number of bodies that are searched for instances.
pub(super) const MAX_BODIES: usize = 4096;

/// Searches a translation unit, starting from the functions for which `is_root` holds.
pub fn instances<'a>(
    collected: &mut Collected<'a>,
    is_root: &dyn Fn(Span) -> bool,
) -> Instances<'a> {
    let mut env = std::mem::take(&mut collected.env);
    let mut search = Search {
        env: &mut env,
        all: collected,
        found: Instances::default(),
        waiting: VecDeque::new(),
        class: None,
        bodies: FxHashSet::default(),
        expanding: false,
    };
    search.roots(is_root);
    for _ in 0..MAX_BODIES {
        let Some((at, instance)) = search.waiting.pop_front() else {
            break;
        };
        search.body(at, &instance);
    }
    search.found.is_unfinished = !search.waiting.is_empty();
    let found = search.found;
    collected.env = env;
    found
}

pub(super) struct Search<'s, 'a> {
    env: &'s mut Environment<'a>,
    pub(super) all: &'s Collected<'a>,
    pub(super) found: Instances<'a>,
    pub(super) waiting: VecDeque<(usize, Instance<'a>)>,
    /// The class of the body that is being searched, with its arguments.
    pub(super) class: Option<(usize, Instance<'a>)>,
    /// Classes whose methods are queued or have been searched.
    bodies: FxHashSet<(usize, String)>,
    /// Whether a macro is being expanded.
    expanding: bool,
}

impl<'a> Search<'_, 'a> {
    pub(super) fn view(&self) -> View<'_, 'a> {
        View::of(self.env)
    }

    fn roots(&mut self, is_root: &dyn Fn(Span) -> bool) {
        let all = self.all;
        for making in &all.makings {
            self.making(making);
        }
        for (at, member) in all.members.iter().enumerate() {
            let class = member.class.map(|at| &all.classes[at].class);
            let of_template = class
                .is_some_and(|class| !class.parameters.is_empty() && class.specialises.is_empty());
            let of_part = class
                .is_some_and(|class| !class.parameters.is_empty() && !class.specialises.is_empty());
            if !of_template && !of_part && !member.is_template() && is_root(member.id()) {
                self.waiting.push_back((at, Instance::default()));
            }
        }
    }

    fn making(&mut self, making: &Making<'a>) {
        let before = self.env.enter_namespace(making.namespace.clone());
        self.env.open();
        for (name, argument) in &making.names {
            let binding = Binding::of(argument.entity(name), Span::default());
            self.env.bind(name, binding);
        }
        self.class_of(&making.path);
        self.function_named(&making.path, None);
        self.env.close();
        self.env.enter_namespace(before);
    }

    /// Searches the body of a function.
    fn body(&mut self, at: usize, instance: &Instance<'a>) {
        let member = &self.all.members[at];
        let before = self.env.enter_namespace(member.namespace.clone());
        self.env.open();
        if let Some(class) = member.class {
            for (class, arguments) in
                lineage(self.view(), &self.all.classes, class, &instance.outer)
            {
                let class = &self.all.classes[class].class;
                for base in &class.bases {
                    let path = self.env.closed(base);
                    self.class_of(&path);
                }
                self.bind_all(bound(&class.parameters, &arguments, class.name_span));
                class
                    .members
                    .iter()
                    .for_each(|member| self.declaration(member));
            }
        }
        let outer = Instance {
            own: Vec::new(),
            passed: Vec::new(),
            ..instance.clone()
        };
        self.class = member.class.map(|class| (class, outer));
        let function = &member.function;
        self.env.open();
        let own = match member.parameters_are_of_class() {
            true => &instance.outer,
            false => &instance.own,
        };
        let names = bound(&function.template_parameters, own, function.name_span);
        self.bind_all(names);
        for (at, parameter) in function.parameters.iter().enumerate() {
            let ty = self.env.resolve(&parameter.ty);
            let passed = instance.passed.get(at).copied().flatten();
            let binding = Binding {
                entity: Entity::Int(passed.filter(|_| self.keeps(function, parameter.name))),
                ty: (!parameter.pointer).then_some(ty),
                span: parameter.span,
                constant: false,
            };
            self.env.bind(parameter.name, binding);
        }
        self.statements(&function.body);
        self.env.close();
        self.env.close();
        self.class = None;
        self.env.enter_namespace(before);
    }

    fn bind_all(&mut self, names: Vec<(&'a str, Binding<'a>)>) {
        for (name, binding) in names {
            self.env.bind(name, binding);
        }
    }

    fn statements(&mut self, stmts: &'a [Stmt<'a>]) {
        for stmt in stmts {
            self.statement(stmt);
        }
    }

    fn block(&mut self, stmts: &'a [Stmt<'a>]) {
        self.env.open();
        self.statements(stmts);
        self.env.close();
    }

    fn statement(&mut self, stmt: &'a Stmt<'a>) {
        match &stmt.kind {
            StmtKind::Branch(branch) => {
                let condition = branch.at_run_time();
                condition.into_iter().for_each(|it| self.expression(it));
                match self.env.decided(branch) {
                    Some(holds) if branch.kind == BranchKind::Preprocessor => {
                        self.statements(branch.side(holds));
                    }
                    Some(holds) => self.block(branch.side(holds)),
                    // The branch may not be compiled, so it makes no instances.
                    None if branch.kind == BranchKind::Constexpr => {}
                    None => {
                        self.block(&branch.then);
                        self.block(&branch.otherwise);
                    }
                }
            }
            StmtKind::Loop(turns) => {
                self.env.open();
                self.statements(&turns.init);
                turns.control.iter().for_each(|it| self.expression(it));
                self.block(&turns.body);
                self.env.close();
            }
            StmtKind::Block(body) => self.block(body),
            StmtKind::Expr(expr) | StmtKind::Exit(Some(expr)) => self.expression(expr),
            _ => self.declaration(stmt),
        }
    }

    /// Reads constants, types and class instances from a declaration.
    fn declaration(&mut self, stmt: &'a Stmt<'a>) {
        let StmtKind::Declare {
            ty,
            constant,
            names,
        } = &stmt.kind
        else {
            return self.env.learn(stmt);
        };
        let ty = self.env.resolve(ty);
        self.class_of(&ty);
        for name in names {
            match &name.init {
                Init::Default => {}
                Init::Value(value) => self.expression(value),
                Init::Arguments(list) => {
                    list.iter().for_each(|it| self.expression(it));
                }
            }
            let mut binding = self
                .env
                .number(ty.clone(), *constant, &name.init, name.span);
            if name.pointer || name.array {
                binding = Binding::opaque(name.span);
            } else if !constant {
                binding.entity = Entity::Int(None);
            }
            self.env.bind(name.name, binding);
        }
    }

    fn expression(&mut self, expr: &'a Expr<'a>) {
        if let ExprKind::Lambda(body) = &expr.kind {
            return self.block(body);
        }
        if let ExprKind::Call {
            callee, arguments, ..
        } = &expr.kind
        {
            match &callee.kind {
                ExprKind::Path(path) => {
                    self.expanded(path, arguments);
                    self.class_of(path);
                    self.function_named(path, Some(arguments));
                    self.plain_function(path, arguments);
                }
                ExprKind::Member {
                    object,
                    name,
                    arguments: given,
                } => self.method(object, name, given, arguments),
                _ => {}
            }
        }
        for child in expr.children() {
            self.expression(child);
        }
    }

    /// Visits the statements that a macro expands to.
    fn expanded(&mut self, path: &Path<'a>, passed: &[Expr<'a>]) {
        let known = self.env.get(path.name()).map(|binding| &binding.entity);
        let Some(&Entity::Macro(known)) = known else {
            return;
        };
        let parameters = known.parameters.as_deref().unwrap_or(&[]);
        if known.items.is_empty() || parameters.len() != passed.len() || self.expanding {
            return;
        }
        let view = self.view();
        let values = passed.iter().map(|argument| {
            let value = view.argument_or_unknown(argument);
            move |name| Binding::of(value.entity(name), Span::default())
        });
        let names = parameters.iter().zip(values);
        let names: Vec<_> = names.map(|(name, value)| (*name, value(name))).collect();
        self.expanding = true;
        self.env.open();
        self.bind_all(names);
        self.statements(&known.items);
        self.env.close();
        self.expanding = false;
    }

    /// Adds the instance of a class template, or a class with template methods.
    fn class_of(&mut self, path: &Path<'a>) {
        let Some((class, instance)) = self.class_at(path) else {
            return;
        };
        let key = (class, written(&instance.of_class));
        if instance.of_class.is_empty() || !self.bodies.insert(key) {
            return;
        }
        for (at, member) in self.all.members.iter().enumerate() {
            if member.class == Some(class)
                && !member.is_template()
                && self.found.add(member.id(), instance.clone())
            {
                self.waiting.push_back((at, instance.clone()));
            }
        }
    }

    /// Returns the class that a type names, with its arguments.
    fn class_at(&self, path: &Path<'a>) -> Option<(usize, Instance<'a>)> {
        let view = self.view();
        let path = view.resolve(path);
        let Entity::Class(family) = view.find(&path)?.entity else {
            return None;
        };
        let parameters = match self.env.families.get(family)?.primary() {
            Some(primary) => &primary.parameters[..],
            None => &[],
        };
        let arguments = view.with_defaults(parameters, &path.arguments)?;
        let chosen = view.choose(family, &arguments)?;
        let named = self.all.classes_named(chosen.class.name).iter().copied();
        let mut named =
            named.filter(|&at| self.all.classes[at].class.name_span == chosen.class.name_span);
        let instance = Instance {
            of_class: arguments,
            outer: chosen.arguments,
            ..Instance::default()
        };
        Some((named.next()?, instance))
    }

    /// Handles a call of a function by name, or its explicit instantiation.
    fn function_named(&mut self, path: &Path<'a>, passed: Option<&[Expr<'a>]>) {
        let name = path.name();
        let around = self.class.as_ref().map(|(class, _)| *class);
        let all = self.all;
        let fits = |member: &Member<'a>| {
            let enough = passed.is_none_or(|it| it.len() <= member.function.parameters.len());
            let here = member.class.is_none() || member.class == around;
            here && enough && member.is_template()
        };
        let candidates = all.members_named(name);
        let mut candidates: Vec<_> = candidates.filter(|(_, member)| fits(member)).collect();
        // Parameters may have defaults; an overload that needs none fits better.
        if let Some(passed) = passed {
            let exact = |member: &Member<'a>| member.function.parameters.len() == passed.len();
            if candidates.iter().any(|(_, member)| exact(member)) {
                candidates.retain(|(_, member)| exact(member));
            }
        }
        let view = self.view();
        let deduced = candidates.into_iter().filter_map(|(at, member)| {
            let passed = passed.unwrap_or(&[]);
            let own = view.deduced(member.function, &path.arguments, passed)?;
            Some((at, own))
        });
        let deduced: Vec<_> = deduced.collect();
        if let [(at, own)] = deduced.as_slice() {
            let outer = self.outer_of(*at);
            self.call(*at, outer, own.clone(), passed.unwrap_or(&[]));
        }
    }

    /// Handles `object.method<arguments>(passed)`.
    fn method(&mut self, object: &Expr<'a>, name: &str, given: &[Expr<'a>], passed: &[Expr<'a>]) {
        self.note_calls(name, passed);
        let found = match object.plain_name() {
            Some("this") => self.class.clone(),
            _ => {
                let ty = self.view().type_of(object);
                ty.and_then(|ty| self.class_at(&ty))
            }
        };
        let Some((class, outer)) = found else {
            return;
        };
        let all = self.all;
        let fits = |member: &Member<'a>| {
            member.class == Some(class)
                && member.is_template()
                && passed.len() <= member.function.parameters.len()
        };
        let view = self.view();
        let candidates = all.members_named(name).filter(|(_, member)| fits(member));
        let deduced = candidates.filter_map(|(at, member)| {
            let own = view.deduced(member.function, given, passed)?;
            Some((at, own))
        });
        let deduced: Vec<_> = deduced.collect();
        if let [(at, own)] = deduced.as_slice() {
            return self.call(*at, outer, own.clone(), passed);
        }
        let is_it = |member: &Member<'a>| member.class == Some(class);
        if let Some(at) = self.only_plain(name, passed, is_it) {
            self.passed_to(at, outer, passed);
        }
    }
}
