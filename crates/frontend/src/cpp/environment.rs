//! Names and what they stand for: file-level names by namespace, and the scopes of a function.

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

/// What a name stands for.
#[derive(Clone, Debug)]
pub enum Entity<'a> {
    /// A number; `None` where its value is not known here.
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
    /// Anything else, a template parameter say.
    Opaque,
}

/// A name in a scope.
#[derive(Clone, Debug)]
pub struct Binding<'a> {
    /// What it stands for.
    pub entity: Entity<'a>,
    /// Its declared type, aliases resolved; none for pointers.
    pub ty: Option<Path<'a>>,
    /// Where it is declared.
    pub span: Span,
    /// Whether it never changes.
    pub constant: bool,
}

impl<'a> Binding<'a> {
    /// A name of which nothing is known.
    pub fn opaque(span: Span) -> Self {
        Self::of(Entity::Opaque, span)
    }

    /// A name that never changes.
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
    /// The namespaces around what is being read.
    within: Vec<&'a str>,
    /// Functions that the compiler can evaluate, by name.
    pub(super) functions: FxHashMap<&'a str, Vec<&'a Function<'a>>>,
    pub(super) families: Vec<Family<'a>>,
    /// Functions outside of classes, by name and number of parameters.
    defined: FxHashSet<(&'a str, usize)>,
    /// What the preprocessor knows.
    pub(super) macros: Macros<'a>,
    /// Steps that are left of an evaluation.
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

    /// What follows is in these namespaces; those before.
    pub fn enter_namespace(&mut self, namespace: Vec<&'a str>) -> Vec<&'a str> {
        std::mem::replace(&mut self.within, namespace)
    }

    /// The namespaces around what is being read.
    pub fn namespace(&self) -> &[&'a str] {
        &self.within
    }

    /// Binds a name in the innermost scope, or at file level.
    pub fn bind(&mut self, name: &'a str, binding: Binding<'a>) {
        match self.scopes.last_mut() {
            Some(scope) => drop(scope.insert(name, binding)),
            None => self.bind_globally(name, binding),
        }
    }

    fn bind_globally(&mut self, name: &'a str, mut binding: Binding<'a>) {
        // The preprocessor knows no namespaces.
        let namespace = match binding.entity {
            Entity::Macro(_) => Vec::new(),
            _ => self.within.clone(),
        };
        // Most names are declared once.
        let known = self.globals.entry(name);
        let known = known.or_insert_with(|| Vec::with_capacity(1));
        match known.iter_mut().find(|it| it.namespace == namespace) {
            // Two definitions are for two builds.
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

    /// What a name stands for.
    pub fn get(&self, name: &str) -> Option<&Binding<'a>> {
        let scope = self.scopes.iter().rev().find_map(|scope| scope.get(name));
        scope.or_else(|| self.global(name))
    }

    /// What a name stands for at file level, seen from the namespace here. A name of one other
    /// namespace is taken to have been brought here.
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

    /// What a name stands for in a namespace of which the last parts are given.
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

    /// The object of the dialect behind an expression that names one.
    pub fn object(&self, expr: &Expr<'a>) -> Option<usize> {
        match self.get(expr.plain_name()?)?.entity {
            Entity::Object(index) => Some(index),
            _ => None,
        }
    }

    /// Gives a variable a value, or takes it away.
    pub fn assign(&mut self, name: &str, value: Option<i128>) {
        if let Some(binding) = self.get_mut(name).filter(|binding| !binding.constant) {
            match &mut binding.entity {
                Entity::Int(known) => *known = value,
                Entity::Record(fields) => fields.iter_mut().for_each(|(_, known)| *known = None),
                _ => {}
            }
        }
    }

    /// Gives a field of a structure a value, or takes it away; `false` where it is none.
    pub fn assign_field(&mut self, name: &str, field: &str, value: Option<i128>) -> bool {
        let binding = self.get_mut(name).filter(|binding| !binding.constant);
        let Some(Entity::Record(fields)) = binding.map(|binding| &mut binding.entity) else {
            return false;
        };
        let mut fields = fields.iter_mut();
        let field = fields.find(|(known, _)| *known == field);
        field.map(|(_, known)| *known = value).is_some()
    }

    /// Whether the project has a function of its own of this name, outside of the vendor's namespace.
    pub fn has_own(&self, name: &str, parameters: usize) -> bool {
        self.defined.contains(&(name, parameters))
    }

    /// Remembers a function, and its body where the compiler can evaluate it.
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

    /// Remembers a class; a specialisation joins its template.
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

    /// Binds what a declaration of types and constants, an alias, an enumeration or a macro says.
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

    /// The binding of a declared number or plain structure.
    pub fn number(&self, ty: Path<'a>, constant: bool, init: &Init<'a>, span: Span) -> Binding<'a> {
        View::of(self).number(ty, constant, init, span)
    }

    /// A type with its aliases resolved.
    pub fn resolve(&self, path: &Path<'a>) -> Path<'a> {
        View::of(self).resolve(path)
    }

    /// A type whose arguments mean the same everywhere, as far as they are known.
    pub fn closed(&self, path: &Path<'a>) -> Path<'a> {
        View::of(self).closed(path)
    }

    /// The element type that a type or template argument names.
    pub fn element(&self, path: &Path<'a>) -> Option<Element> {
        View::of(self).element(path)
    }

    /// What the condition of a branch comes to, where that is known here.
    pub fn decided(&self, branch: &Branch<'a>) -> Option<bool> {
        let condition = branch.condition.as_ref()?;
        let value = match branch.kind {
            BranchKind::Preprocessor => self.macros.value(condition),
            BranchKind::RunTime | BranchKind::Constexpr => self.int(condition),
        };
        value.map(|value| value != 0)
    }

    /// The value of an integer expression.
    pub fn int(&self, expr: &Expr<'a>) -> Option<i128> {
        View::of(self).int(expr)
    }

    /// As `int`, for numbers that fit 64 bits.
    pub fn int64(&self, expr: &Expr<'a>) -> Option<i64> {
        i64::try_from(self.int(expr)?).ok()
    }
}

/// Whether two definitions of one name are the same.
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
