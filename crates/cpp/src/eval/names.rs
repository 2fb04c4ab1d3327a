//! Declared names and the scopes that hold them.

use std::rc::Rc;

use a2lint_source::text::Span;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Eval;
use super::substitution::Failure;
use super::types::{ClassId, TemplateArg, Ty};
use super::values::{Operand, Place};
use crate::library::Evaluated;
use crate::syntax::ast::{
    Alias, Class, Enum, Expr, Function, Name, Path, Segment, Stmt, StmtKind, TypeKind, Unit,
    Variable,
};

/// A namespace. The first one is the global one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct NamespaceId(pub u32);

/// The scopes that names are looked up in, innermost first.
pub(crate) type Ctx<'u> = Rc<Context<'u>>;

/// One scope in the scopes around it.
#[derive(Debug)]
pub(crate) struct Context<'u> {
    pub parent: Option<Ctx<'u>>,
    pub kind: ContextKind<'u>,
}

/// The kinds of scopes.
#[derive(Debug)]
pub(crate) enum ContextKind<'u> {
    Namespace(NamespaceId),
    Class(ClassId),
    /// Parameters of a template with their arguments.
    Template(Vec<(Name, TemplateArg)>),
    /// Local names of the function around a local class or lambda.
    Block(Vec<(Name, Local<'u>)>),
}

/// A declaration.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Entity<'u> {
    Function(&'u Function),
    Class(&'u Class),
    Enum(&'u Enum),
    Enumerator(&'u Enum, u32),
    Alias(&'u Alias),
    Variable(&'u Variable),
    Namespace(NamespaceId),
    Using(&'u Path),
    /// The name of the class inside its definition (the injected class name).
    Own(ClassId),
}

/// A name of a function that is being evaluated.
#[derive(Clone, Debug)]
pub(crate) enum Local<'u> {
    /// A variable or reference.
    Object(Ty, Place),
    /// A parameter pack.
    Pack(Rc<[Local<'u>]>),
    /// A type.
    Type(Ty),
    /// Declarations of one name, and the scope that contains them.
    Entities(Entities<'u>, Ctx<'u>),
}

/// Declarations of one name.
pub(crate) type Entities<'u> = SmallVec<[Entity<'u>; 2]>;

/// A namespace.
#[derive(Debug)]
pub(crate) struct Namespace<'u> {
    pub names: FxHashMap<Name, Entities<'u>>,
    /// Namespaces whose names it sees: by directives, and inline or unnamed ones.
    pub used: Vec<NamespaceId>,
    /// For each used namespace, the nearest namespace around both, in which its names are seen without qualifiers.
    levels: Vec<(NamespaceId, NamespaceId)>,
    directives: Vec<&'u Path>,
    pub context: Ctx<'u>,
}

/// The result of a lookup.
#[derive(Clone, Debug)]
pub(crate) enum Found<'u> {
    Local(Local<'u>),
    Argument(TemplateArg),
    /// Declarations, the scope that contains them, and the class that they are members of.
    Entities(Entities<'u>, Ctx<'u>, Option<ClassId>),
    /// Functions of several classes.
    Functions(Vec<super::values::FunctionId>),
    /// A name that is not declared: the library may know it.
    Library(Name),
}

/// A scope that a qualified name goes through.
#[derive(Clone, Debug)]
pub(crate) enum Scope {
    Namespace(NamespaceId),
    Type(Ty),
    /// A namespace of the library.
    Library,
    /// Not declared.
    Nothing,
}

/// Maximum number of namespace aliases that lead to one another.
const MAX_ALIASES: u32 = 8;

impl<'u> Eval<'u> {
    /// Declares the names of a unit in the global namespace.
    pub(crate) fn declare_unit(&mut self, unit: &'u Unit) {
        let before = unit.before.as_deref();
        for unit in before.into_iter().chain([unit]) {
            self.declare_all(&unit.items, NamespaceId(0));
        }
        for id in 0..self.namespaces.len() {
            for path in std::mem::take(&mut self.namespaces[id].directives) {
                let used = self.namespace_of(path, NamespaceId(id as u32));
                self.namespaces[id].used.extend(used);
            }
        }
        for id in 0..self.namespaces.len() {
            let used = self.namespaces[id].used.iter();
            let levels =
                used.map(|used| (self.common_namespace(NamespaceId(id as u32), *used), *used));
            self.namespaces[id].levels = levels.collect();
        }
    }

    /// Returns the nearest namespace around two namespaces. A directive in one of them acts as if the names of the
    /// other one were declared there.
    fn common_namespace(&self, a: NamespaceId, b: NamespaceId) -> NamespaceId {
        let around_b: SmallVec<[NamespaceId; 4]> = self.around(b).collect();
        let mut around_a = self.around(a);
        let common = around_a.find(|id| around_b.contains(id));
        common.unwrap_or(NamespaceId(0))
    }

    /// Iterates over a namespace and those around it.
    fn around(&self, id: NamespaceId) -> impl Iterator<Item = NamespaceId> {
        let first = Some(&self.namespaces[id.0 as usize].context);
        let contexts = std::iter::successors(first, |it| it.parent.as_ref());
        contexts.filter_map(|context| match context.kind {
            ContextKind::Namespace(id) => Some(id),
            _ => None,
        })
    }

    fn declare_all(&mut self, items: &'u [Stmt], within: NamespaceId) {
        for item in items {
            self.declare(item, within);
        }
    }

    fn declare(&mut self, item: &'u Stmt, within: NamespaceId) {
        match &item.kind {
            StmtKind::Function(function) => {
                let last = function.path.segments.last();
                let Some(last) = last.map(|segment| segment.name.clone()) else {
                    return;
                };
                match function.path.segments.len() {
                    1 => self.add_name(within, &last, Entity::Function(function)),
                    _ => {
                        let outside = self.outside.entry(last).or_default();
                        outside.push((function, within));
                    }
                }
            }
            StmtKind::Variables(variables) => {
                for variable in variables {
                    match &variable.owner {
                        Some(_) => self.outside_variables.push((variable, within)),
                        None => {
                            self.declare_inline_type(&variable.ty.kind, within);
                            self.add_name(within, &variable.name, Entity::Variable(variable));
                        }
                    }
                }
            }
            StmtKind::Namespace(names, items) => self.declare_namespace(names, items, within),
            StmtKind::UsingNamespace(path) => {
                self.namespaces[within.0 as usize].directives.push(path);
            }
            StmtKind::Class(class) if class.template.is_some() && is_qualified(class) => {
                self.declare_specialisation(class, within);
            }
            _ => declared(item, &mut |name, entity| {
                self.add_name(within, name, entity)
            }),
        }
    }

    /// Declares a specialisation that is written outside of its namespace: `template <> class N::C<int> { … };`.
    fn declare_specialisation(&mut self, class: &'u Class, within: NamespaceId) {
        let segments = class.path.as_ref().map_or(&[][..], |path| &path.segments);
        let Some((last, owners)) = segments.split_last() else {
            return;
        };
        if last.arguments.is_none() {
            return;
        }
        match self.namespace_at(owners, within, 0) {
            Some(home) => self.add_name(home, &last.name, Entity::Class(class)),
            None => drop(self.outside_templates.insert(last.name.clone())),
        }
    }

    /// Names of an enumeration that is defined in the type of a variable.
    fn declare_inline_type(&mut self, ty: &'u TypeKind, within: NamespaceId) {
        inline_type(ty, &mut |name, entity| self.add_name(within, name, entity));
    }

    fn declare_namespace(&mut self, names: &'u [Name], items: &'u [Stmt], within: NamespaceId) {
        let mut inner = within;
        for name in names {
            let known = self.namespaces[inner.0 as usize].names.get(name);
            let known = known.and_then(|entities| {
                entities.iter().find_map(|entity| match entity {
                    Entity::Namespace(id) => Some(*id),
                    _ => None,
                })
            });
            inner = match known {
                Some(known) => known,
                None => {
                    let new = self.new_namespace(Some(inner));
                    self.add_name(inner, name, Entity::Namespace(new));
                    new
                }
            };
        }
        if names.is_empty() {
            inner = self.new_namespace(Some(within));
            self.namespaces[within.0 as usize].used.push(inner);
        }
        self.declare_all(items, inner);
    }

    /// Makes a namespace.
    pub(crate) fn new_namespace(&mut self, parent: Option<NamespaceId>) -> NamespaceId {
        let id = NamespaceId(self.namespaces.len() as u32);
        let parent = parent.map(|id| self.namespaces[id.0 as usize].context.clone());
        let kind = ContextKind::Namespace(id);
        self.namespaces.push(Namespace {
            names: FxHashMap::default(),
            used: Vec::new(),
            levels: Vec::new(),
            directives: Vec::new(),
            context: Rc::new(Context { parent, kind }),
        });
        id
    }

    fn add_name(&mut self, within: NamespaceId, name: &Name, entity: Entity<'u>) {
        let names = &mut self.namespaces[within.0 as usize].names;
        names.entry(name.clone()).or_default().push(entity);
    }

    /// Returns the namespace that a path names from the block that is evaluated. Nothing else is found by a `using`
    /// directive: a parameter or a member of the same name does not hide a namespace.
    pub(crate) fn namespace_from_here(&mut self, path: &'u Path) -> Evaluated<Option<NamespaceId>> {
        let mut at = Some(self.frame.context.clone());
        while let Some(context) = at {
            if let ContextKind::Namespace(id) = context.kind
                && let Some(found) = self.namespace_of(path, id)
            {
                return Ok(Some(found));
            }
            at = context.parent.clone();
        }
        // An alias that the block declares, or a namespace that it uses.
        Ok(match self.find_path(path)? {
            Found::Entities(entities, ..) => namespace_in(&entities),
            Found::Local(Local::Entities(entities, _)) => namespace_in(&entities),
            _ => None,
        })
    }

    /// Returns the namespace that a path names, as seen from another one.
    pub(crate) fn namespace_of(&self, path: &'u Path, from: NamespaceId) -> Option<NamespaceId> {
        self.namespace_at(&path.segments, from, 0)
    }

    fn namespace_at(
        &self,
        segments: &[Segment],
        from: NamespaceId,
        depth: u32,
    ) -> Option<NamespaceId> {
        let (first, rest) = segments.split_first()?;
        let first = &first.name;
        let mut at = Some(self.namespaces[from.0 as usize].context.clone());
        let mut found = None;
        while let Some(context) = at {
            if let ContextKind::Namespace(id) = context.kind {
                found = self.inner_namespace(id, first, depth);
                if found.is_some() {
                    break;
                }
            }
            at = context.parent.clone();
        }
        for segment in rest {
            found = self.inner_namespace(found?, &segment.name, depth);
        }
        found
    }

    /// Returns the namespace of a name in another one. `depth` is the number of aliases that lead here, which may name
    /// each other.
    pub(super) fn inner_namespace(
        &self,
        within: NamespaceId,
        name: &Name,
        depth: u32,
    ) -> Option<NamespaceId> {
        let mut found = Entities::new();
        // An alias means a name in the namespace that declares it.
        let home = self.names_in(within, name, &mut found, 0).unwrap_or(within);
        found.iter().find_map(|entity| match *entity {
            Entity::Namespace(id) => Some(id),
            // `namespace fs = files;`
            Entity::Using(path) if depth < MAX_ALIASES => {
                self.namespace_at(&path.segments, home, depth + 1)
            }
            _ => None,
        })
    }

    /// Adds the declarations of a name in a namespace, and in those that it uses where it has none of its own. Returns
    /// the namespace that has the first of them.
    pub(crate) fn names_in(
        &self,
        within: NamespaceId,
        name: &str,
        found: &mut Entities<'u>,
        depth: u32,
    ) -> Option<NamespaceId> {
        let used = &self.namespaces[within.0 as usize].used;
        self.names_of(within, used, name, found, depth)
    }

    /// Adds the declarations of a name in a namespace, and in others whose names are seen there.
    fn names_of(
        &self,
        within: NamespaceId,
        seen: &[NamespaceId],
        name: &str,
        found: &mut Entities<'u>,
        depth: u32,
    ) -> Option<NamespaceId> {
        let mut home = None;
        if let Some(own) = self.namespaces[within.0 as usize].names.get(name) {
            found.extend(own.iter().copied());
            home = Some(within);
            // Functions of a namespace that is used are overloads of its own ones.
            if !own.iter().any(|own| matches!(own, Entity::Function(_))) {
                return home;
            }
        }
        // Namespaces may name each other in `using` directives.
        if depth > 8 {
            return home;
        }
        for &used in seen {
            let before = found.len();
            let of_used = self.names_in(used, name, found, depth + 1);
            home = home.or(of_used);
            let mut at = before;
            while at < found.len() {
                match found[..before]
                    .iter()
                    .any(|known| known.is_same(&found[at]))
                {
                    true => {
                        found.remove(at);
                    }
                    false => at += 1,
                }
            }
        }
        home
    }

    /// Looks a name up from the scopes of the function that is evaluated.
    pub(crate) fn find(&mut self, name: &Name) -> Evaluated<Found<'u>> {
        if let Some(local) = self.frame.find(name) {
            return Ok(Found::Local(local));
        }
        let context = self.frame.context.clone();
        self.find_from(name, context)
    }

    /// Looks a name up from a scope.
    pub(crate) fn find_from(&mut self, name: &Name, from: Ctx<'u>) -> Evaluated<Found<'u>> {
        let mut at = Some(from);
        let mut used = SmallVec::<[(NamespaceId, NamespaceId); 4]>::new();
        while let Some(context) = at {
            match &context.kind {
                ContextKind::Template(arguments) => {
                    // The header of a member template may use the name of a parameter of its class: the inner one
                    // counts.
                    let found = arguments.iter().rev().find(|(own, _)| own == name);
                    if let Some((_, argument)) = found {
                        return Ok(Found::Argument(argument.clone()));
                    }
                }
                ContextKind::Block(locals) => {
                    let found = locals.iter().rev().find(|(own, _)| own == name);
                    if let Some((_, local)) = found {
                        return Ok(Found::Local(local.clone()));
                    }
                }
                ContextKind::Class(class) => {
                    if let Some(found) = self.find_in_class(*class, name)? {
                        return Ok(found);
                    }
                }
                ContextKind::Namespace(id) => {
                    used.extend_from_slice(&self.namespaces[id.0 as usize].levels);
                    if let Some((found, context)) = self.seen_in(*id, &used, name) {
                        return self.without_using(found, context);
                    }
                }
            }
            at = context.parent.clone();
        }
        // A directive in a block acts as if its names were declared in a namespace around both.
        for used in self.frame.used.clone() {
            if let Some((found, context)) = self.declared_in(used, name) {
                return self.without_using(found, context);
            }
        }
        Ok(Found::Library(name.clone()))
    }

    /// Returns the declarations of a name in a namespace, with the scope that contains them. For a name found by a
    /// `using` directive, that is the scope of the other namespace, so that both spellings of a type give the same
    /// type.
    fn declared_in(&self, id: NamespaceId, name: &Name) -> Option<(Entities<'u>, Ctx<'u>)> {
        let mut found = Entities::new();
        let home = self.names_in(id, name, &mut found, 0)?;
        Some((found, self.namespaces[home.0 as usize].context.clone()))
    }

    /// Returns the declarations of a name that are seen in a namespace without qualifiers, with the scope that contains
    /// them. `used` lists where the names of other namespaces are seen.
    fn seen_in(
        &self,
        id: NamespaceId,
        used: &[(NamespaceId, NamespaceId)],
        name: &Name,
    ) -> Option<(Entities<'u>, Ctx<'u>)> {
        let seen = used.iter().filter(|(level, _)| *level == id);
        let seen: SmallVec<[NamespaceId; 4]> = seen.map(|(_, used)| *used).collect();
        let mut found = Entities::new();
        let home = self.names_of(id, &seen, name, &mut found, 0)?;
        Some((found, self.namespaces[home.0 as usize].context.clone()))
    }

    /// Looks a name up in a namespace.
    pub(crate) fn find_in_namespace(
        &mut self,
        id: NamespaceId,
        name: &Name,
    ) -> Evaluated<Found<'u>> {
        match self.declared_in(id, name) {
            Some((found, context)) => self.without_using(found, context),
            None => Ok(Found::Library(name.clone())),
        }
    }

    /// Replaces `using a::b;` by what it names.
    fn without_using(&mut self, found: Entities<'u>, context: Ctx<'u>) -> Evaluated<Found<'u>> {
        let is_using = |entity: &Entity<'u>| matches!(entity, Entity::Using(_));
        if !found.iter().any(is_using) {
            return Ok(Found::Entities(found, context, None));
        }
        if let [Entity::Using(path)] = found[..] {
            // The declarations that a `using` names keep their scope.
            return self.nested(|eval| eval.find_path_from(path, context));
        }
        let mut all = Entities::new();
        let mut last = None;
        for entity in found {
            let Entity::Using(path) = entity else {
                all.push(entity);
                continue;
            };
            let meant = self.nested(|eval| eval.find_path_from(path, context.clone()))?;
            match meant {
                Found::Entities(more, ..) => {
                    for entity in more {
                        if !all.iter().any(|known| known.is_same(&entity)) {
                            all.push(entity);
                        }
                    }
                }
                other => last = Some(other),
            }
        }
        match (all.is_empty(), last) {
            (true, Some(other)) => Ok(other),
            _ => Ok(Found::Entities(all, context, None)),
        }
    }

    /// Looks up a qualified name from a scope.
    fn find_path_from(&mut self, path: &'u Path, from: Ctx<'u>) -> Evaluated<Found<'u>> {
        let former = std::mem::replace(&mut self.frame.context, from);
        let found = self.find_path(path);
        self.frame.context = former;
        found
    }

    /// Looks up a name with its qualifiers.
    pub(crate) fn find_path(&mut self, path: &'u Path) -> Evaluated<Found<'u>> {
        let (last, qualifiers) = path.segments.split_last().expect("paths are not empty");
        if qualifiers.is_empty() {
            if let Some(of) = &last.decltype {
                return self.find_decltype(of);
            }
            return match path.is_absolute {
                true => self.find_in_namespace(NamespaceId(0), &last.name),
                false => self.find(&last.name),
            };
        }
        match self.scope_of(path)? {
            Scope::Namespace(id) => self.find_in_namespace(id, &last.name),
            Scope::Library | Scope::Nothing => Ok(Found::Library(last.name.clone())),
            Scope::Type(ty) => self.find_in_type(&ty, &last.name),
        }
    }

    /// Returns the type of `decltype(expression)`, in the form of a lookup result.
    fn find_decltype(&mut self, of: &'u Expr) -> Evaluated<Found<'u>> {
        let ty = self.nested(|eval| eval.decltype(of, true))?;
        let ty = ty.referred().clone();
        Ok(Found::Argument(TemplateArg::Type(ty)))
    }

    /// Looks up a member of a class or enumeration by its type.
    pub(crate) fn find_in_type(&mut self, ty: &Ty, name: &Name) -> Evaluated<Found<'u>> {
        use super::types::Kind;
        match &ty.kind {
            Kind::Class(class) => {
                let found = self.find_in_class(*class, name)?;
                Ok(found.unwrap_or_else(|| {
                    self.fails(Failure::IllFormed);
                    Found::Library(name.clone())
                }))
            }
            Kind::Enum(id) => {
                let info = &self.enums[id.index()];
                let context = info.context.clone();
                let names = info.decl.enumerators.as_deref().unwrap_or_default();
                let at = names.iter().position(|(own, _)| own == name);
                Ok(match at {
                    Some(at) => {
                        let entity = Entity::Enumerator(info.decl, at as u32);
                        Found::Entities(Entities::from_iter([entity]), context, None)
                    }
                    None => Found::Library(name.clone()),
                })
            }
            _ => {
                // `typename T::type` of a type without members removes the candidate from overload resolution (SFINAE).
                if ty.kind != Kind::Unknown {
                    self.fails(Failure::IllFormed);
                }
                Ok(Found::Library(name.clone()))
            }
        }
    }

    /// Returns the scope that the qualifiers of a path name.
    pub(crate) fn scope_of(&mut self, path: &'u Path) -> Evaluated<Scope> {
        let qualifiers = &path.segments[..path.segments.len() - 1];
        let mut scope: Option<Scope> = path.is_absolute.then_some(Scope::Namespace(NamespaceId(0)));
        for segment in qualifiers {
            let found = match (&scope, &segment.decltype) {
                (_, Some(of)) => self.find_decltype(of)?,
                (None, None) => self.find(&segment.name)?,
                (Some(Scope::Namespace(id)), None) => {
                    let id = *id;
                    self.find_in_namespace(id, &segment.name)?
                }
                (Some(Scope::Type(ty)), None) => {
                    let ty = ty.clone();
                    self.find_in_type(&ty, &segment.name)?
                }
                (Some(Scope::Library), None) => Found::Library(segment.name.clone()),
                (Some(Scope::Nothing), None) => break,
            };
            scope = Some(self.found_scope(found, segment)?);
        }
        Ok(scope.unwrap_or(Scope::Namespace(NamespaceId(0))))
    }

    fn found_scope(
        &mut self,
        found: Found<'u>,
        segment: &'u crate::syntax::ast::Segment,
    ) -> Evaluated<Scope> {
        if let Found::Entities(entities, ..) = &found {
            for entity in entities {
                if let Entity::Namespace(id) = entity {
                    return Ok(Scope::Namespace(*id));
                }
            }
        }
        if let Found::Library(name) = &found
            && self.library.namespaces().contains(&&**name)
        {
            return Ok(Scope::Library);
        }
        let ty = self.found_type(found, segment.arguments.as_deref(), segment.span)?;
        Ok(match ty {
            Some(ty) => Scope::Type(ty),
            None => Scope::Nothing,
        })
    }

    /// Returns a local variable as an operand.
    pub(crate) fn local_operand(&mut self, local: &Local<'u>, span: Span) -> Option<Operand> {
        match local {
            Local::Object(ty, place) => Some(Operand {
                ty: ty.clone(),
                place: place.clone(),
                span,
            }),
            Local::Pack(items) => {
                let item = items.get(self.pack_index?)?.clone();
                self.local_operand(&item, span)
            }
            Local::Type(_) | Local::Entities(..) => None,
        }
    }
}

/// Returns the namespace among declarations.
fn namespace_in(entities: &[Entity<'_>]) -> Option<NamespaceId> {
    entities.iter().find_map(|entity| match entity {
        Entity::Namespace(id) => Some(*id),
        _ => None,
    })
}

impl Entity<'_> {
    /// Returns whether both are the same declaration.
    pub(crate) fn is_same(&self, other: &Entity<'_>) -> bool {
        use std::ptr::eq;
        match (self, other) {
            (Entity::Function(a), Entity::Function(b)) => eq(*a, *b),
            (Entity::Class(a), Entity::Class(b)) => eq(*a, *b),
            (Entity::Enum(a), Entity::Enum(b)) => eq(*a, *b),
            (Entity::Enumerator(a, x), Entity::Enumerator(b, y)) => eq(*a, *b) && x == y,
            (Entity::Alias(a), Entity::Alias(b)) => eq(*a, *b),
            (Entity::Variable(a), Entity::Variable(b)) => eq(*a, *b),
            (Entity::Namespace(a), Entity::Namespace(b)) => a == b,
            (Entity::Using(a), Entity::Using(b)) => eq(*a, *b),
            (Entity::Own(a), Entity::Own(b)) => a == b,
            _ => false,
        }
    }
}

/// Calls `add` with each name that a class, an enumeration, an alias or a `using` declares.
pub(crate) fn declared<'u>(item: &'u Stmt, add: &mut dyn FnMut(&Name, Entity<'u>)) {
    match &item.kind {
        StmtKind::Class(class) => class_names(class, add),
        StmtKind::Enum(decl) => enum_names(decl, add),
        StmtKind::Alias(alias) => {
            inline_type(&alias.ty.kind, add);
            add(&alias.name, Entity::Alias(alias));
        }
        StmtKind::NamespaceAlias(name, path) => add(name, Entity::Using(path)),
        StmtKind::Using(path) => {
            if let Some(last) = path.segments.last() {
                add(&last.name, Entity::Using(path));
            }
        }
        _ => {}
    }
}

/// Returns whether the name of a class has qualifiers.
fn is_qualified(class: &Class) -> bool {
    class
        .path
        .as_ref()
        .is_some_and(|path| path.segments.len() > 1)
}

fn class_names<'u>(class: &'u Class, add: &mut dyn FnMut(&Name, Entity<'u>)) {
    let path = class.path.as_ref().filter(|path| path.segments.len() == 1);
    if let Some(path) = path {
        add(&path.segments[0].name, Entity::Class(class));
    }
}

fn enum_names<'u>(decl: &'u Enum, add: &mut dyn FnMut(&Name, Entity<'u>)) {
    let path = decl.path.as_ref().filter(|path| path.segments.len() == 1);
    if let Some(path) = path {
        add(&path.segments[0].name, Entity::Enum(decl));
    }
    // The enumerators of an `enum class` are found only through its name.
    if decl.is_scoped {
        return;
    }
    let names = decl.enumerators.as_deref().unwrap_or_default();
    for (at, (name, _)) in names.iter().enumerate() {
        add(name, Entity::Enumerator(decl, at as u32));
    }
}

/// Calls `add` on the names of a class or enumeration that is defined in a type.
pub(crate) fn inline_type<'u>(ty: &'u TypeKind, add: &mut dyn FnMut(&Name, Entity<'u>)) {
    match ty {
        TypeKind::Class(class) => class_names(class, add),
        TypeKind::Enum(decl) => enum_names(decl, add),
        TypeKind::Pointer(of, _) | TypeKind::Array(of, _) => inline_type(&of.kind, add),
        _ => {}
    }
}
