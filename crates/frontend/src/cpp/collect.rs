//! Collects the declarations of a translation unit: names into an environment, functions and classes into lists.

use rustc_hash::FxHashMap;

use super::arguments::Argument;
use super::dialect::ClassFacts;
use super::environment::Environment;
use super::walk::declare_number;
use a2lint_source::text::{Slice, Span};
use a2lint_syntax::cpp::{Expr, ExprKind, Function, Path, Stmt, StmtKind, Unit};

/// Maximum number of uses of declaration macros in one file.
const MAX_USES: usize = 1024;

/// A function with its class and namespaces.
#[derive(Debug)]
pub struct Member<'a> {
    /// The function.
    pub function: &'a Function<'a>,
    /// The index of its class.
    pub class: Option<usize>,
    /// The namespaces around it.
    pub namespace: Vec<&'a str>,
}

impl<'a> Member<'a> {
    /// Returns whether the function itself is a template.
    pub fn is_template(&self) -> bool {
        self.function.is_template && !self.parameters_are_of_class() && !self.is_special()
    }

    /// Returns whether its template parameters are those of its class, which a method outside of the class names again.
    pub fn parameters_are_of_class(&self) -> bool {
        self.class.is_some() && self.function.class.is_some()
    }

    /// Returns whether it is an explicit specialisation of a template.
    pub fn is_special(&self) -> bool {
        !self.function.specialises.is_empty()
    }

    /// Identifies the function by the span of its name.
    pub fn id(&self) -> Span {
        self.function.name_span
    }
}

/// A declaration that instantiates a template: a name with template arguments, and the arguments of parameters in
/// them.
#[derive(Debug)]
pub struct Making<'a> {
    pub path: Path<'a>,
    pub names: Vec<(&'a str, Argument<'a>)>,
    pub namespace: Vec<&'a str>,
}

/// The declarations of some files.
#[derive(Debug, Default)]
pub struct Collected<'a> {
    pub env: Environment<'a>,
    pub members: Vec<Member<'a>>,
    pub classes: Vec<ClassFacts<'a>>,
    /// Indices of classes, by name.
    by_name: FxHashMap<&'a str, Vec<usize>>,
    pub makings: Vec<Making<'a>>,
    /// Indices of functions, by name.
    named: FxHashMap<&'a str, Vec<usize>>,
}

impl<'a> Collected<'a> {
    /// Adds the declarations of a file.
    pub fn add(&mut self, unit: &'a Unit<'a>, text: &'a str) {
        for name in &unit.undefined {
            self.env.macros.undefine(name);
        }
        self.items(&unit.items);
        self.uses(&unit.items, text);
    }

    /// Assigns methods to their classes, once every file was added.
    pub fn finish(&mut self) {
        for member in &mut self.members {
            let Some(name) = member.function.class.filter(|_| member.class.is_none()) else {
                continue;
            };
            let found = self.by_name.get(name).map_or(&[][..], |list| list);
            let arguments = &member.function.class_arguments;
            let fits = |at: &&usize| {
                let class = &self.classes[**at].class;
                match class.specialises.is_empty() {
                    true => class.parameters.len() == arguments.len() || arguments.is_empty(),
                    false => is_alike(&class.specialises, arguments),
                }
            };
            let special = |at: &&usize| !self.classes[**at].class.specialises.is_empty();
            let chosen = found.iter().filter(fits);
            let chosen = chosen.max_by_key(special).copied();
            // A specialisation of a single method of a class template.
            let plain = member.function.template_parameters.is_empty() && !arguments.is_empty();
            let is_whole = chosen.is_some_and(|at| !special(&&at));
            member.class = chosen.filter(|_| !(plain && is_whole));
            if let Some(at) = member.class {
                self.classes[at].methods.push(member.function);
            }
        }
    }

    /// Returns the indices of the classes with this name.
    pub fn classes_named(&self, name: &str) -> &[usize] {
        self.by_name.get(name).map_or(&[], |list| list)
    }

    /// Returns the functions with this name, with their indices.
    pub fn members_named(&self, name: &str) -> impl Iterator<Item = (usize, &Member<'a>)> {
        let places = self.named.get(name).map_or(&[][..], |list| list);
        places.iter().map(|&at| (at, &self.members[at]))
    }

    fn items(&mut self, items: &'a [Stmt<'a>]) {
        for item in items {
            match &item.kind {
                StmtKind::Function(function) => self.function(function, None),
                StmtKind::Class(class) => {
                    self.env.define_class(class, item.span);
                    let at = self.classes.len();
                    let methods = class
                        .members
                        .iter()
                        .filter_map(|member| match &member.kind {
                            StmtKind::Function(function) => Some(&**function),
                            _ => None,
                        });
                    let methods: Vec<&'a Function<'a>> = methods.collect();
                    self.by_name.entry(class.name).or_default().push(at);
                    for method in &methods {
                        self.function(method, Some(at));
                    }
                    self.classes.push(ClassFacts { class, methods });
                }
                StmtKind::Instantiate(path) => self.makings.push(Making {
                    path: path.clone(),
                    names: Vec::new(),
                    namespace: self.env.namespace().to_vec(),
                }),
                StmtKind::Namespace(names, inner) => {
                    let mut around = self.env.namespace().to_vec();
                    around.extend(names);
                    let before = self.env.enter_namespace(around);
                    self.items(inner);
                    self.env.enter_namespace(before);
                }
                StmtKind::Block(inner) => self.items(inner),
                StmtKind::Branch(branch) => {
                    let decided = self.env.decided(branch);
                    if decided.is_none() {
                        self.env.macros.enter_undecided();
                    }
                    if decided != Some(false) {
                        self.items(&branch.then);
                    }
                    if decided != Some(true) {
                        self.items(&branch.otherwise);
                    }
                    if decided.is_none() {
                        self.env.macros.leave_undecided();
                    }
                }
                StmtKind::Declare { .. } => declare_number(&mut self.env, item),
                StmtKind::Define(known) => {
                    self.env.macros.define(known, item.span);
                    self.env.learn(item);
                }
                _ => self.env.learn(item),
            }
        }
    }

    fn function(&mut self, function: &'a Function<'a>, class: Option<usize>) {
        if class.is_none() && function.class.is_none() {
            self.env.define(function);
        }
        let place = self.members.len();
        self.named.entry(function.name).or_default().push(place);
        self.members.push(Member {
            function,
            class,
            namespace: self.env.namespace().to_vec(),
        });
    }

    /// Finds uses of macros that expand to explicit instantiations, such as `INSTANTIATE(float, 9)`. The text is
    /// searched, since such a line between declarations is no C++.
    fn uses(&mut self, items: &'a [Stmt<'a>], text: &'a str) {
        let mut macros = Vec::new();
        macros_of(items, &mut macros);
        let mut found = Vec::new();
        for (name, parameters, inside) in macros {
            let places = memchr::memmem::find_iter(text.as_bytes(), name.as_bytes());
            for at in places.take(MAX_USES) {
                let line = text.part(..at).rfind('\n').map_or(0, |at| at + 1);
                let Some(after) = text.part(at + name.len()..).trim_start().strip_prefix('(')
                else {
                    continue;
                };
                if !text.part(line..at).trim().is_empty() {
                    continue;
                }
                let Some(arguments) = arguments(after).filter(|it| it.len() == parameters.len())
                else {
                    continue;
                };
                let names = parameters.iter().copied().zip(arguments);
                found.push((names.collect::<Vec<_>>(), inside.clone()));
            }
        }
        for (names, inside) in found {
            for path in inside {
                self.makings.push(Making {
                    path: path.clone(),
                    names: names.clone(),
                    namespace: Vec::new(),
                });
            }
        }
    }
}

type MacroUse<'a> = (&'a str, &'a [&'a str], Vec<&'a Path<'a>>);

/// Collects the macros that expand to explicit instantiations.
fn macros_of<'a>(items: &'a [Stmt<'a>], found: &mut Vec<MacroUse<'a>>) {
    for item in items {
        match &item.kind {
            StmtKind::Define(known) => {
                let paths = known.items.iter().filter_map(|item| match &item.kind {
                    StmtKind::Instantiate(path) => Some(path),
                    _ => None,
                });
                let paths: Vec<_> = paths.collect();
                if let (Some(parameters), false) = (&known.parameters, paths.is_empty()) {
                    found.push((known.name, parameters, paths));
                }
            }
            StmtKind::Namespace(_, inner) | StmtKind::Block(inner) => macros_of(inner, found),
            StmtKind::Branch(branch) => {
                macros_of(&branch.then, found);
                macros_of(&branch.otherwise, found);
            }
            _ => {}
        }
    }
}

/// Parses plain arguments up to the closing parenthesis.
fn arguments<'a>(text: &'a str) -> Option<Vec<Argument<'a>>> {
    let (inside, _) = text.split_once(')')?;
    let argument = |text: &'a str| {
        let text = text.trim();
        let negative = text.strip_prefix('-');
        let digits = negative.unwrap_or(text);
        if let Ok(value) = digits.parse::<i64>() {
            let value = i128::from(value);
            return Some(Argument::Int(if negative.is_some() {
                -value
            } else {
                value
            }));
        }
        match text {
            "true" => return Some(Argument::Int(1)),
            "false" => return Some(Argument::Int(0)),
            _ => {}
        }
        let is_name = !text.is_empty()
            && !text.starts_with(|c: char| c.is_ascii_digit())
            && text
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | ':'));
        is_name.then(|| {
            Argument::Type(Path {
                span: Span::default(),
                segments: text.split("::").collect(),
                arguments: Vec::new(),
                owner: None,
            })
        })
    };
    inside.split(',').map(argument).collect()
}

/// Returns whether two lists of template arguments are written identically.
fn is_alike(one: &[Expr], other: &[Expr]) -> bool {
    let alike = |(one, other): (&Expr, &Expr)| match (&one.kind, &other.kind) {
        (ExprKind::Int(one), ExprKind::Int(other)) => one == other,
        (ExprKind::Bool(one), ExprKind::Bool(other)) => one == other,
        (ExprKind::Path(one), ExprKind::Path(other)) => {
            one.segments == other.segments && is_alike(&one.arguments, &other.arguments)
        }
        _ => false,
    };
    one.len() == other.len() && one.iter().zip(other).all(alike)
}
