//! Names and their meanings: file-level names by namespace, and the scopes of a function.

use std::cell::Cell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::classes::Family;
use super::evaluate::View;
use super::preprocessor::Macros;
use a2lint_isa::masks::Element;
use a2lint_source::text::Span;
use a2lint_syntax::cpp::{
    Alias, Branch, BranchKind, Class, Expr, Function, Init, Macro, Path, Stmt, StmtKind,
};

/// The namespace of the vendor's library.
const VENDOR: &str = "AscendC";

/// The meaning of a name.
#[derive(Clone, Debug)]
pub enum Entity<'a> {
    /// A number; `None` if its value is unknown.
    Int(Option<i128>),
    /// A type.
    Type(Alias<'a>),
    /// A class, or a class template with its specialisations.
    Class(usize),
    /// An enumeration.
    Enum(Vec<(&'a str, Option<i128>)>),
    /// A macro.
    Macro(&'a Macro<'a>),
    /// A plain structure with its numbers.
    Record(Vec<(&'a str, Option<i128>)>),
    /// An object of the dialect.
    Object(usize),
    /// Anything else, such as a template parameter.
    Opaque,
}

/// A name in a scope.
#[derive(Clone, Debug)]
pub struct Binding<'a> {
    /// The meaning of the name.
    pub entity: Entity<'a>,
    /// The declared type of the name with aliases resolved; `None` for pointers.
    pub ty: Option<Path<'a>>,
    /// The place of its declaration.
    pub span: Span,
    /// Whether it never changes.
    pub constant: bool,
}

impl<'a> Binding<'a> {
    /// Creates a binding of which nothing is known.
    pub fn opaque(span: Span) -> Self {
        Self::of(Entity::Opaque, span)
    }

    /// Creates a binding that never changes.
    pub fn of(entity: Entity<'a>, span: Span) -> Self {
        Self {
            entity,
            ty: None,
            span,
            constant: true,
        }
    }
}

/// A name at file level.
#[derive(Debug)]
struct Global<'a> {
    namespace: Vec<&'a str>,
    binding: Binding<'a>,
}

/// Scopes, the innermost last, over the names at file level.
#[derive(Debug, Default)]
pub struct Environment<'a> {
    globals: FxHashMap<&'a str, Vec<Global<'a>>>,
    scopes: Vec<FxHashMap<&'a str, Binding<'a>>>,
    /// The namespaces around the code that is being read.
    within: Vec<&'a str>,
    /// Functions that can be evaluated at compile time, by name.
    pub(super) functions: FxHashMap<&'a str, Vec<&'a Function<'a>>>,
    pub(super) families: Vec<Family<'a>>,
    /// Functions outside of classes, by name and number of parameters.
    defined: FxHashSet<(&'a str, usize)>,
    /// The macros of the translation unit.
    pub(super) macros: Macros<'a>,
    /// Steps that are left for the current evaluation.
    pub(super) work: Cell<u32>,
}

impl<'a> Environment<'a> {
    /// Opens a scope.
    pub fn open(&mut self) {
        self.scopes.push(FxHashMap::default());
    }

    /// Closes the innermost scope.
    pub fn close(&mut self) {
        self.scopes.pop();
    }

    /// Sets the namespaces of the following code; returns the former ones.
    pub fn enter_namespace(&mut self, namespace: Vec<&'a str>) -> Vec<&'a str> {
        std::mem::replace(&mut self.within, namespace)
    }

    /// Returns the namespaces around the code that is being read.
    pub fn namespace(&self) -> &[&'a str] {
        &self.within
    }

    /// Binds a name in the innermost scope, or at file level without one.
    pub fn bind(&mut self, name: &'a str, binding: Binding<'a>) {
        match self.scopes.last_mut() {
            Some(scope) => drop(scope.insert(name, binding)),
            None => self.bind_globally(name, binding),
        }
    }

    fn bind_globally(&mut self, name: &'a str, mut binding: Binding<'a>) {
        // Macros belong to no namespace.
        let namespace = match binding.entity {
            Entity::Macro(_) => Vec::new(),
            _ => self.within.clone(),
        };
        // Room for one: most names are declared once.
        let known = self.globals.entry(name);
        let known = known.or_insert_with(|| Vec::with_capacity(1));
        match known.iter_mut().find(|it| it.namespace == namespace) {
            // Two different definitions belong to two builds.
            Some(before) if !is_same(&before.binding.entity, &binding.entity) => {
                binding.entity = match (&before.binding.entity, &binding.entity) {
                    (Entity::Int(_), Entity::Int(_)) => Entity::Int(None),
                    _ => Entity::Opaque,
                };
                before.binding = binding;
            }
            Some(_) => {}
            None => known.push(Global { namespace, binding }),
        }
    }

    /// Returns the meaning of a name in the current scope.
    pub fn get(&self, name: &str) -> Option<&Binding<'a>> {
        let scope = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        scope.or_else(|| self.global(name))
    }

    /// Returns the meaning of a name at file level, seen from the current namespace. A name of a single other
    /// namespace is taken to be visible through a `using`.
    pub(super) fn global(&self, name: &str) -> Option<&Binding<'a>> {
        let known = self.globals.get(name)?;
        let around = |it: &&Global| self.within.starts_with(&it.namespace);
        let inner = known.iter().filter(around);
        let inner = inner.max_by_key(|it| it.namespace.len());
        match (inner, known.as_slice()) {
            (Some(global), _) | (None, [global]) => Some(&global.binding),
            _ => None,
        }
    }

    /// Returns the meaning of a name in a namespace of which the last parts are given.
    pub(super) fn in_namespace(&self, qualifier: &[&str], name: &str) -> Option<&Binding<'a>> {
        let known = self.globals.get(name)?.iter();
        let mut known = known.filter(|it| it.namespace.ends_with(qualifier));
        let first = known.next()?;
        known.next().is_none().then_some(&first.binding)
    }

    fn get_mut(&mut self, name: &str) -> Option<&mut Binding<'a>> {
        let scopes = self.scopes.iter_mut().rev();
        scopes.into_iter().find_map(|scope| scope.get_mut(name))
    }

    /// Returns the dialect's object that an expression names.
    pub fn object(&self, expr: &Expr<'a>) -> Option<usize> {
        match self.get(expr.plain_name()?)?.entity {
            Entity::Object(index) => Some(index),
            _ => None,
        }
    }

    /// Sets the value of a variable; `None` makes it unknown.
    pub fn assign(&mut self, name: &str, value: Option<i128>) {
        if let Some(binding) = self.get_mut(name).filter(|binding| !binding.constant) {
            match &mut binding.entity {
                Entity::Int(known) => *known = value,
                Entity::Record(fields) => fields.iter_mut().for_each(|(_, known)| *known = None),
                _ => {}
            }
        }
    }

    /// Sets the value of a structure's field; returns `false` if there is no such field.
    pub fn assign_field(&mut self, name: &str, field: &str, value: Option<i128>) -> bool {
        let binding = self.get_mut(name).filter(|binding| !binding.constant);
        let Some(Entity::Record(fields)) = binding.map(|binding| &mut binding.entity) else {
            return false;
        };
        let mut fields = fields.iter_mut();
        let field = fields.find(|(known, _)| *known == field);
        field.map(|(_, known)| *known = value).is_some()
    }

    /// Returns whether the project defines a function with this name outside of the vendor's namespace.
    pub fn has_own(&self, name: &str, parameters: usize) -> bool {
        self.defined.contains(&(name, parameters))
    }

    /// Records a function, with its body if it can be evaluated at compile time.
    pub fn define(&mut self, function: &'a Function<'a>) {
        if !self.within.contains(&VENDOR) {
            self.defined
                .insert((function.name, function.parameters.len()));
        }
        let is_one = matches!(
            function.body.as_slice(),
            [Stmt {
                kind: StmtKind::Exit(Some(_)),
                ..
            }]
        );
        if (is_one || function.constexpr) && function.specialises.is_empty() {
            let known = self.functions.entry(function.name).or_default();
            known.push(function);
        }
    }

    /// Records a class; a specialisation joins its template.
    pub fn define_class(&mut self, class: &'a Class<'a>, span: Span) {
        let known = self.globals.get(class.name);
        let known = known.and_then(|known| known.iter().find(|it| it.namespace == self.within));
        if let Some(Entity::Class(at)) = known.map(|it| &it.binding.entity) {
            return self.families[*at].add(class);
        }
        let mut family = Family::default();
        family.add(class);
        self.families.push(family);
        let entity = Entity::Class(self.families.len() - 1);
        self.bind(class.name, Binding::of(entity, span));
    }

    /// Binds the names of an alias, an enumeration or a macro.
    pub fn learn(&mut self, stmt: &'a Stmt<'a>) {
        match &stmt.kind {
            StmtKind::Alias(alias) => {
                let mut alias = alias.clone();
                if alias.parameters.is_empty() {
                    alias.ty = self.closed(&alias.ty);
                }
                self.bind(alias.name, Binding::of(Entity::Type(alias), stmt.span));
            }
            StmtKind::Define(known) if known.value.is_some() || !known.items.is_empty() => {
                let entity = Entity::Macro(known);
                self.bind(known.name, Binding::of(entity, stmt.span));
            }
            StmtKind::Enum(list) => {
                let known = View::of(self).enumerators(list);
                if let Some(name) = list.name {
                    let entity = Entity::Enum(known.clone());
                    self.bind(name, Binding::of(entity, stmt.span));
                }
                for (name, value) in known.into_iter().filter(|_| !list.scoped) {
                    self.bind(name, Binding::of(Entity::Int(value), stmt.span));
                }
            }
            _ => {}
        }
    }

    /// Returns the binding of a declared number or plain structure.
    pub fn number(&self, ty: Path<'a>, constant: bool, init: &Init<'a>, span: Span) -> Binding<'a> {
        View::of(self).number(ty, constant, init, span)
    }

    /// Resolves the aliases of a type.
    pub fn resolve(&self, path: &Path<'a>) -> Path<'a> {
        View::of(self).resolve(path)
    }

    /// Resolves a type and its arguments, as far as they are known, so that it means the same in every scope.
    pub fn closed(&self, path: &Path<'a>) -> Path<'a> {
        View::of(self).closed(path)
    }

    /// Returns the element type that a type or template argument names.
    pub fn element(&self, path: &Path<'a>) -> Option<Element> {
        View::of(self).element(path)
    }

    /// Returns whether the condition of a branch holds; `None` if it is unknown.
    pub fn decided(&self, branch: &Branch<'a>) -> Option<bool> {
        let condition = branch.condition.as_ref()?;
        let value = match branch.kind {
            BranchKind::Preprocessor => self.macros.value(condition),
            BranchKind::RunTime | BranchKind::Constexpr => self.int(condition),
        };
        value.map(|value| value != 0)
    }

    /// Returns the value of an integer expression.
    pub fn int(&self, expr: &Expr<'a>) -> Option<i128> {
        View::of(self).int(expr)
    }

    /// Returns the value of an integer expression if it fits 64 bits.
    pub fn int64(&self, expr: &Expr<'a>) -> Option<i64> {
        i64::try_from(self.int(expr)?).ok()
    }
}

/// Returns whether two definitions of one name are equal.
fn is_same(one: &Entity, other: &Entity) -> bool {
    let same_value = |one: &Expr, other: &Expr| match (one.path(), other.path()) {
        (Some(one), Some(other)) => one.segments == other.segments && one.arguments.is_empty(),
        _ => {
            let int = |expr: &Expr| View::of(&Environment::default()).int(expr);
            int(one).is_some() && int(one) == int(other)
        }
    };
    match (one, other) {
        (Entity::Int(one), Entity::Int(other)) => one.is_some() && one == other,
        (Entity::Type(one), Entity::Type(other)) => {
            let plain = one.ty.arguments.is_empty() && one.parameters.is_empty();
            plain && one.ty.segments == other.ty.segments && other.ty.arguments.is_empty()
        }
        (Entity::Enum(one), Entity::Enum(other)) => one == other,
        (Entity::Macro(one), Entity::Macro(other)) => match (&one.value, &other.value) {
            (Some(one), Some(other)) => same_value(one, other),
            _ => false,
        },
        _ => false,
    }
}
