//! Which instances of its templates a file makes: by explicit instantiation, by calls that give
//! template arguments, and by variables of class templates.
//!
//! What a call deduces is not followed, and neither are overloads and branches that are not decided
//! here. Arguments that are not known here make no instance.

use rustc_hash::FxHashMap;

use super::dialect::ClassFacts;
use super::environment::{Binding, Entity, Environment};
use crate::syntax::cpp::{
    Alias, Expr, ExprKind, Function, Init, Path, Stmt, StmtKind, visit_expressions,
};
use crate::text::Span;

/// Instances of one template that are looked at.
pub const MAX_INSTANCES: usize = 16;
/// Bodies that are searched for more.
const MAX_BODIES: usize = 2048;

/// A template argument.
#[derive(Clone, Debug)]
pub enum Argument<'a> {
    /// A type.
    Type(Path<'a>),
    /// A number.
    Int(i128),
}

/// The arguments of one instance.
pub type Arguments<'a> = Vec<Argument<'a>>;

/// Instances by the name of their template.
#[derive(Debug, Default)]
pub struct Instances<'a> {
    found: FxHashMap<&'a str, Vec<Arguments<'a>>>,
    /// Templates of which there are more.
    cut: Vec<&'a str>,
}

impl<'a> Instances<'a> {
    /// The instances of a template.
    pub fn of(&self, name: &str) -> &[Arguments<'a>] {
        self.found.get(name).map_or(&[], |list| list)
    }

    /// Whether there are more of a template than are looked at.
    pub fn is_cut(&self, name: &str) -> bool {
        self.cut.contains(&name)
    }

    fn add(&mut self, name: &'a str, arguments: &Arguments<'a>) -> bool {
        let list = self.found.entry(name).or_default();
        if list
            .iter()
            .any(|known| written(known) == written(arguments))
        {
            return false;
        }
        if list.len() == MAX_INSTANCES {
            if !self.cut.contains(&name) {
                self.cut.push(name);
            }
            return false;
        }
        list.push(arguments.clone());
        true
    }
}

/// `<float, 64>`; nothing without arguments.
pub fn written(arguments: &[Argument]) -> String {
    let list: Vec<String> = arguments
        .iter()
        .map(|argument| match argument {
            Argument::Type(path) => path.segments.join("::"),
            Argument::Int(value) => value.to_string(),
        })
        .collect();
    match list.is_empty() {
        true => String::new(),
        false => format!("<{}>", list.join(", ")),
    }
}

/// Binds the parameters of a template to the arguments of an instance; those without one are opaque.
pub fn bind<'a>(
    env: &mut Environment<'a>,
    parameters: &[&'a str],
    arguments: &[Argument<'a>],
    span: Span,
) {
    for (at, parameter) in parameters.iter().enumerate() {
        let entity = match arguments.get(at) {
            Some(Argument::Type(path)) => Entity::Type(Alias {
                name: parameter,
                parameters: Vec::new(),
                ty: path.clone(),
            }),
            Some(Argument::Int(value)) => Entity::Int(Some(*value)),
            None => Entity::Opaque,
        };
        let binding = Binding {
            entity,
            ..Binding::opaque(span)
        };
        env.bind(parameter, binding);
    }
}

/// Searches the functions of a file.
pub fn instances<'a>(
    env: &mut Environment<'a>,
    functions: &[Function<'a>],
    classes: &FxHashMap<&'a str, ClassFacts<'a>>,
    explicit: &[Path<'a>],
) -> Instances<'a> {
    let mut search = Search {
        env,
        functions,
        classes,
        found: Instances::default(),
        waiting: Vec::new(),
    };
    for path in explicit {
        search.path(path);
    }
    for function in functions
        .iter()
        .filter(|one| one.template_parameters.is_empty())
    {
        search.waiting.push((function, Vec::new(), None));
    }
    for facts in classes
        .values()
        .filter(|facts| facts.class.parameters.is_empty())
    {
        search.methods(facts, &Vec::new());
    }
    for _ in 0..MAX_BODIES {
        let Some((function, arguments, class)) = search.waiting.pop() else {
            break;
        };
        search.body(function, &arguments, class);
    }
    search.found
}

type Within<'s, 'a> = Option<(&'s ClassFacts<'a>, Arguments<'a>)>;

struct Search<'s, 'a> {
    env: &'s mut Environment<'a>,
    functions: &'s [Function<'a>],
    classes: &'s FxHashMap<&'a str, ClassFacts<'a>>,
    found: Instances<'a>,
    waiting: Vec<(&'s Function<'a>, Arguments<'a>, Within<'s, 'a>)>,
}

impl<'s, 'a> Search<'s, 'a> {
    fn methods(&mut self, facts: &'s ClassFacts<'a>, arguments: &Arguments<'a>) {
        for method in &facts.methods {
            let within = Some((facts, arguments.clone()));
            // Outside of its class a method names the parameters of the class again.
            let own = match method.class {
                Some(_) => arguments.clone(),
                None => Vec::new(),
            };
            self.waiting.push((method, own, within));
        }
    }

    fn body(
        &mut self,
        function: &'s Function<'a>,
        arguments: &Arguments<'a>,
        class: Within<'s, 'a>,
    ) {
        self.env.open();
        if let Some((facts, arguments)) = &class {
            bind(
                self.env,
                &facts.class.parameters,
                arguments,
                function.name_span,
            );
            facts
                .class
                .members
                .iter()
                .for_each(|member| self.declaration(member));
        }
        bind(
            self.env,
            &function.template_parameters,
            arguments,
            function.name_span,
        );
        self.statements(&function.body);
        self.env.close();
    }

    fn statements(&mut self, stmts: &[Stmt<'a>]) {
        for stmt in stmts {
            match &stmt.kind {
                // A branch that may not be compiled says nothing of what is.
                StmtKind::Branch(branch) => {
                    let condition = branch.condition.as_ref();
                    match condition.and_then(|condition| self.env.int(condition)) {
                        Some(0) => self.statements(&branch.otherwise),
                        Some(_) => self.statements(&branch.then),
                        None => {}
                    }
                }
                StmtKind::Block(body) => self.statements(body),
                _ => {
                    self.expressions(stmt);
                    self.declaration(stmt);
                }
            }
        }
    }

    /// What a declaration says of constants, types and instances of classes.
    fn declaration(&mut self, stmt: &Stmt<'a>) {
        let StmtKind::Declare {
            ty,
            constant,
            names,
        } = &stmt.kind
        else {
            return self.env.learn(stmt);
        };
        self.path(&self.env.resolve(ty));
        for name in names.iter().filter(|_| *constant) {
            let binding = self
                .env
                .number(self.env.resolve(ty), true, &name.init, name.span);
            self.env.bind(name.name, binding);
        }
        // `auto kernel = Kernel<float>();`
        for name in names {
            if let Init::Value(Expr {
                kind: ExprKind::Call { callee, .. },
                ..
            }) = &name.init
                && let Some(path) = callee.path()
            {
                self.path(path);
            }
        }
    }

    fn expressions(&mut self, stmt: &Stmt<'a>) {
        let mut paths: Vec<Path<'a>> = Vec::new();
        visit_expressions(std::slice::from_ref(stmt), &mut |expr| {
            if let ExprKind::Call { callee, .. } = &expr.kind
                && let Some(path) = callee.path()
            {
                paths.push(path.clone());
            }
        });
        paths.iter().for_each(|path| self.path(path));
    }

    /// A name with template arguments.
    fn path(&mut self, path: &Path<'a>) {
        let name = path.name();
        // Of overloads, arguments alone do not say which is meant.
        let mut overloads = self.functions.iter().filter(|one| one.name == name);
        let function = overloads.next().filter(|_| overloads.next().is_none());
        let class = self
            .classes
            .get(name)
            .map(|facts| facts.class.parameters.len());
        let parameters = function.map(|one| one.template_parameters.len()).or(class);
        let is_template = parameters.is_some_and(|count| count >= path.arguments.len().max(1));
        if path.arguments.is_empty() || !is_template {
            return;
        }
        let arguments: Option<Arguments<'a>> = path
            .arguments
            .iter()
            .map(|expr| self.argument(expr))
            .collect();
        let Some(arguments) = arguments.filter(|arguments| self.found.add(name, arguments)) else {
            return;
        };
        for function in self.functions.iter().filter(|one| one.name == name) {
            self.waiting.push((function, arguments.clone(), None));
        }
        if let Some(facts) = self.classes.get(name) {
            self.methods(facts, &arguments);
        }
    }

    fn argument(&self, expr: &Expr<'a>) -> Option<Argument<'a>> {
        if let Some(value) = self.env.int(expr) {
            return Some(Argument::Int(value));
        }
        let path = self.env.resolve(expr.path()?);
        match self.env.get(path.name()).map(|binding| &binding.entity) {
            Some(Entity::Opaque | Entity::Int(_) | Entity::Object(_)) => None,
            _ => Some(Argument::Type(path)),
        }
    }
}
