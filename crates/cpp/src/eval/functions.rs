//! Functions: their signatures, definitions outside of classes, and specialisations.

use std::rc::Rc;

use super::Eval;
use super::frame::inner_context;
use super::names::{ContextKind, Ctx, Entity, Local, NamespaceId, Scope};
use super::templates::{Bound, flattened};
use super::types::{ClassId, Kind, TemplateArg, Ty};
use super::values::{FunctionId, Place, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{
    Function, FunctionKind, Name, Path, Template, TemplateArgument, Type, TypeKind, Variable,
};

/// A declared function.
#[derive(Debug)]
pub(crate) struct FunctionInfo<'u> {
    pub decl: &'u Function,
    /// The scope that it is declared in.
    pub context: Ctx<'u>,
    pub class: Option<ClassId>,
    /// The definition of a member outside of its class, with the scope of its names, once it was looked for.
    definition: Option<Option<(&'u Function, Ctx<'u>)>>,
    /// The types of its parameters and result; for functions that are not templates.
    signature: Option<Rc<Signature>>,
}

/// The types in the declaration of a function.
#[derive(Clone, Debug)]
pub(crate) struct Signature {
    pub parameters: Vec<Ty>,
    /// The return type; `None` for constructors and destructors, and if it is deduced from the body.
    pub returns: Option<Ty>,
}

/// A function whose body is to be evaluated.
#[derive(Clone, Debug)]
pub(crate) struct Definition<'u> {
    pub function: &'u Function,
    /// The scope of its names, its own template arguments included.
    pub context: Ctx<'u>,
}

/// Returns the template header of a function itself, not of its class.
pub(crate) fn own_template(function: &Function) -> Option<&Template> {
    let last = function.templates.last()?;
    if last.parameters.is_empty() {
        return None;
    }
    let headers_of_classes = function.path.segments.len() > 1
        && function.templates.len()
            <= function.path.segments[..function.path.segments.len() - 1]
                .iter()
                .filter(|segment| segment.arguments.is_some())
                .count();
    (!headers_of_classes).then_some(last)
}

/// Returns whether a function specialises a template: `template <> void f<int>()`.
pub(crate) fn is_specialisation(function: &Function) -> bool {
    function
        .templates
        .last()
        .is_some_and(|last| last.parameters.is_empty())
        && function.path.segments.len() == 1
}

impl<'u> Eval<'u> {
    /// Returns the function of a declaration.
    pub(crate) fn function(
        &mut self,
        decl: &'u Function,
        context: &Ctx<'u>,
        class: Option<ClassId>,
    ) -> FunctionId {
        let scope = match class {
            Some(class) => class.index(),
            // Each instance of a class template has its own member functions, so the key contains the scope.
            None => Rc::as_ptr(context) as usize,
        };
        let key = (std::ptr::from_ref(decl) as usize, scope);
        if let Some(&known) = self.function_ids.get(&key) {
            return known;
        }
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(FunctionInfo {
            decl,
            context: context.clone(),
            class,
            definition: None,
            signature: None,
        });
        self.function_ids.insert(key, id);
        id
    }

    /// Returns an instance of a function template as a separate function.
    pub(crate) fn instantiated(&mut self, function: FunctionId, bound: &Bound) -> FunctionId {
        let info = self.info(function);
        let instance = FunctionInfo {
            decl: info.decl,
            context: inner_context(&info.context, bound),
            class: info.class,
            definition: None,
            signature: None,
        };
        let id = FunctionId(self.functions.len() as u32);
        self.functions.push(instance);
        id
    }

    pub(crate) fn info(&self, id: FunctionId) -> &FunctionInfo<'u> {
        &self.functions[id.0 as usize]
    }

    /// Returns the name of a function.
    pub fn function_name(&self, id: FunctionId) -> &'u str {
        let decl = self.info(id).decl;
        decl.path.segments.last().map_or("", |last| &last.name)
    }

    /// Returns the parameter and return types of a function, with its template arguments applied.
    pub(crate) fn signature(&mut self, id: FunctionId, bound: &Bound) -> Evaluated<Rc<Signature>> {
        let info = self.info(id);
        // The types of a template depend on its arguments, so only the types of other functions are cached.
        if let (Some(known), true) = (&info.signature, bound.is_empty()) {
            return Ok(known.clone());
        }
        let (decl, context) = (info.decl, info.context.clone());
        let context = inner_context(&context, bound);
        let signature = self.in_context(context, |eval| {
            let mut parameters = Vec::new();
            for parameter in &decl.parameters {
                eval.parameter_types(parameter, &mut parameters)?;
            }
            let returns = match &decl.returns {
                Some(returns) if !Eval::is_placeholder(returns) => {
                    // A trailing return type may mention the parameters.
                    eval.see_parameters(decl, &parameters);
                    Some(eval.ty(returns)?)
                }
                _ => None,
            };
            Ok(Rc::new(Signature {
                parameters,
                returns,
            }))
        })?;
        if bound.is_empty() {
            self.functions[id.0 as usize].signature = Some(signature.clone());
        }
        Ok(signature)
    }

    /// Declares the parameters of a function as local names without values, for types that mention them: `auto f(T a)
    /// -> decltype(a + 1)`.
    fn see_parameters(&mut self, decl: &'u Function, types: &[Ty]) {
        let mut is_mentioned = false;
        if let Some(returns) = &decl.returns {
            super::visit::names_in_type(returns, &mut |name| {
                is_mentioned |= decl.parameters.iter().any(|it| it.name == *name);
            });
        }
        // Most return types mention no parameter, and declaring the names costs time at every call.
        if !is_mentioned {
            return;
        }
        let object = |ty: &Ty| {
            // The parameter is an lvalue in unknown memory: the expression is not evaluated.
            Local::Object(ty.referred().clone(), Place::Remote(Value::Unknown))
        };
        let mut rest = types.iter();
        for parameter in &decl.parameters {
            let local = match parameter.is_pack {
                true => Local::Pack(rest.by_ref().map(object).collect()),
                false => match rest.next() {
                    Some(ty) => object(ty),
                    None => return,
                },
            };
            self.add_local(&parameter.name, local);
        }
    }

    /// Adds the type of a parameter, or those of the parameters that a pack stands for. Arrays and functions are passed
    /// as pointers.
    fn parameter_types(&mut self, parameter: &'u Variable, types: &mut Vec<Ty>) -> Evaluated<()> {
        if !parameter.is_pack {
            let ty = self.ty(&parameter.ty)?;
            let ty = match parameter.is_const {
                true => ty.constant(),
                false => ty,
            };
            types.push(adjusted(ty));
            return Ok(());
        }
        let mut names = Vec::new();
        super::visit::names_in_type(&parameter.ty, &mut |name| names.push(name.clone()));
        let length = self.pack_length_of(&names)?.unwrap_or(0);
        for at in 0..length {
            let ty = self.at_pack_index(at, |eval| eval.ty(&parameter.ty))?;
            types.push(adjusted(ty));
        }
        Ok(())
    }

    /// Returns the body of a function and the scope of its names; `None` if no body is known.
    pub(crate) fn definition(
        &mut self,
        id: FunctionId,
        bound: &Bound,
    ) -> Evaluated<Option<Definition<'u>>> {
        if !bound.is_empty()
            // A specialisation replaces the body of the template altogether.
            && let Some(special) = self.special_function(id, bound)?
        {
            return Ok(Some(special));
        }
        // A member that is defined in its class may be specialised outside of it, which then comes first.
        let has_special = self.has_special_member(id);
        let info = self.info(id);
        if (info.decl.body.is_some() || info.decl.is_defaulted) && !has_special {
            return Ok(Some(Definition {
                function: info.decl,
                context: inner_context(&info.context, bound),
            }));
        }
        let known = match &info.definition {
            Some(known) => known.clone(),
            None => {
                let found = self.outside_definition(id)?;
                self.functions[id.0 as usize].definition = Some(found.clone());
                found
            }
        };
        let Some((function, context)) = known else {
            let info = self.info(id);
            return Ok(info.decl.body.is_some().then(|| Definition {
                function: info.decl,
                context: inner_context(&info.context, bound),
            }));
        };
        // The definition may call the template parameters by other names.
        let names = own_template(function).map_or(&[][..], |template| &template.parameters);
        let bound: Bound = bound
            .iter()
            .enumerate()
            .map(|(at, (name, argument))| {
                let name = names.get(at).map_or(name, |parameter| &parameter.name);
                (name.clone(), argument.clone())
            })
            .collect();
        let context = inner_context(&context, &bound);
        Ok(Some(Definition { function, context }))
    }

    /// Returns whether a member of a class template is specialised for some arguments.
    fn has_special_member(&self, id: FunctionId) -> bool {
        let info = self.info(id);
        let template = info
            .class
            .and_then(|class| self.classes[class.index()].template);
        let (Some(_), Some(last)) = (template, info.decl.path.segments.last()) else {
            return false;
        };
        let all = self.outside.get(&last.name);
        all.is_some_and(|all| {
            all.iter().any(|(function, _)| {
                function
                    .templates
                    .first()
                    .is_some_and(|it| it.parameters.is_empty())
            })
        })
    }

    /// Returns the definition of a function that is only declared: a member defined outside of its class, or a function
    /// defined later in its namespace.
    fn outside_definition(&mut self, id: FunctionId) -> Evaluated<Option<(&'u Function, Ctx<'u>)>> {
        let info = self.info(id);
        let (decl, context) = (info.decl, info.context.clone());
        let Some(class) = info.class else {
            return Ok(self.later_definition(decl, &context));
        };
        let Some(name) = decl.path.segments.last().map(|last| last.name.clone()) else {
            return Ok(None);
        };
        let class_info = &self.classes[class.index()];
        let owner = class_info.name.clone();
        let arguments = flattened(class_info.arguments.clone());
        let candidates = self.outside.get(&name).cloned().unwrap_or_default();
        let fits = |function: &&'u Function| {
            // Types are compared last, if several candidates remain: resolving types looks up names of the class.
            function.parameters.len() == decl.parameters.len()
                && function.is_const == decl.is_const
                && function.kind == decl.kind
                && own_template(function).is_some() == own_template(decl).is_some()
                && owner_name(&function.path) == Some(&owner)
        };
        let mut candidates: Vec<&'u Function> = candidates
            .into_iter()
            .map(|(function, _)| function)
            .filter(fits)
            .collect();
        // A specialisation of the class has members of its own.
        let special = |function: &&'u Function| {
            function
                .templates
                .first()
                .is_some_and(|it| it.parameters.is_empty())
        };
        if candidates.iter().any(special) {
            let mut own = None;
            for candidate in candidates.iter().copied().filter(special) {
                let segments = &candidate.path.segments;
                let written = segments[segments.len() - 2].arguments.as_deref();
                let written = self.in_context(context.clone(), |eval| {
                    eval.template_arguments(written.unwrap_or_default())
                })?;
                // `template <> void C<int>::f()` defines the member of only one instance.
                if flattened(written) == arguments {
                    own = Some(candidate);
                }
            }
            match own {
                Some(own) => candidates = vec![own],
                None => candidates.retain(|it| !special(it)),
            }
        }
        if candidates.len() > 1 {
            let same: Vec<&'u Function> = candidates
                .iter()
                .copied()
                .filter(|candidate| has_same_parameters(candidate, decl))
                .collect();
            if !same.is_empty() {
                candidates = same;
            }
        }
        let Some(&function) = candidates.first() else {
            return Ok(None);
        };
        let mut bound: Bound = Vec::new();
        if own_template(function).is_none() || function.templates.len() > 1 {
            let header = function.templates.first();
            // The definition outside has its own template header, whose names are bound to the arguments of the class.
            let mut rest = arguments.into_iter();
            for parameter in header.map_or(&[][..], |header| &header.parameters) {
                let argument = match parameter.is_pack {
                    true => TemplateArg::Pack(rest.by_ref().collect()),
                    false => match rest.next() {
                        Some(argument) => argument,
                        None => break,
                    },
                };
                bound.push((parameter.name.clone(), argument));
            }
        }
        Ok(Some((function, inner_context(&context, &bound))))
    }

    fn later_definition(
        &self,
        decl: &'u Function,
        context: &Ctx<'u>,
    ) -> Option<(&'u Function, Ctx<'u>)> {
        let ContextKind::Namespace(id) = context.kind else {
            return None;
        };
        let name = &decl.path.segments.last()?.name;
        let entities = self.namespaces[id.0 as usize].names.get(name)?;
        let found = entities.iter().find_map(|entity| match entity {
            Entity::Function(other)
                if other.body.is_some()
                    && own_template(other).is_some() == own_template(decl).is_some()
                    && !is_specialisation(other)
                    && has_same_parameters(other, decl) =>
            {
                Some(*other)
            }
            _ => None,
        });
        if let Some(found) = found {
            return Some((found, context.clone()));
        }
        let qualified = self.outside.get(name)?.iter().find(|(other, within)| {
            other.body.is_some()
                && has_same_parameters(other, decl)
                && self.qualifiers_name(&other.path, *within, id)
        })?;
        Some((qualified.0, context.clone()))
    }

    /// Returns whether the qualifiers of a definition that stands in one namespace name another one: `Space` of
    /// `void Space::f() {}` may also be a class with a member of that name.
    fn qualifiers_name(&self, path: &Path, within: NamespaceId, namespace: NamespaceId) -> bool {
        let segments = &path.segments[..path.segments.len() - 1];
        let Some((first, rest)) = segments.split_first() else {
            return false;
        };
        let nested = |space: NamespaceId, name: &Name| {
            let entities = self.namespaces[space.0 as usize].names.get(name)?;
            entities.iter().find_map(|entity| match entity {
                Entity::Namespace(id) => Some(*id),
                _ => None,
            })
        };
        let mut from = match path.is_absolute {
            true => &self.namespaces[0].context,
            false => &self.namespaces[within.0 as usize].context,
        };
        let outermost = loop {
            if let ContextKind::Namespace(space) = from.kind
                && let Some(found) = nested(space, &first.name)
            {
                break Some(found);
            }
            match &from.parent {
                Some(parent) => from = parent,
                None => break None,
            }
        };
        let named = rest
            .iter()
            .fold(outermost, |space, segment| nested(space?, &segment.name));
        named == Some(namespace)
    }

    /// Returns the explicit specialisation of a function template for some arguments.
    fn special_function(
        &mut self,
        id: FunctionId,
        bound: &Bound,
    ) -> Evaluated<Option<Definition<'u>>> {
        let info = self.info(id);
        let (decl, context, class) = (info.decl, info.context.clone(), info.class);
        let Some(name) = decl.path.segments.last().map(|last| last.name.clone()) else {
            return Ok(None);
        };
        let found = match &context.kind {
            ContextKind::Namespace(namespace) if class.is_none() => self.namespaces
                [namespace.0 as usize]
                .names
                .get(&name)
                .cloned(),
            ContextKind::Class(class) => self.classes[class.index()]
                .members
                .names
                .get(&name)
                .cloned(),
            _ => None,
        };
        let special = found
            .unwrap_or_default()
            .into_iter()
            .filter_map(|entity| match entity {
                Entity::Function(other) if is_specialisation(other) => Some(other),
                _ => None,
            });
        let special: Vec<&'u Function> = special.collect();
        if special.is_empty() {
            return Ok(None);
        }
        let signature = self.signature(id, bound)?;
        for function in special {
            if function.parameters.len() != signature.parameters.len() {
                continue;
            }
            let written = function
                .path
                .segments
                .last()
                .and_then(|last| last.arguments.as_deref());
            let fits = self.in_context(context.clone(), |eval| {
                let written = eval.template_arguments(written.unwrap_or_default())?;
                let given = bound.iter().map(|(_, argument)| argument.clone()).collect();
                let given = flattened(given);
                let mut fits =
                    written.len() <= given.len() && written.iter().zip(&given).all(|(a, b)| a == b);
                let mut types = Vec::new();
                for parameter in &function.parameters {
                    eval.parameter_types(parameter, &mut types)?;
                }
                fits &= types
                    .iter()
                    .zip(&signature.parameters)
                    .all(|(a, b)| a.is_same(b));
                Ok(fits)
            })?;
            if fits {
                return Ok(Some(Definition { function, context }));
            }
        }
        Ok(None)
    }

    /// Returns the constructors of a class.
    pub(crate) fn constructors(&mut self, class: ClassId) -> Evaluated<Vec<FunctionId>> {
        self.complete(class)?;
        let info = &self.classes[class.index()];
        let (members, context) = (info.members.clone(), info.context.clone());
        let bases = info.bases.clone();
        let mut all = Vec::new();
        for decl in &members.constructors {
            all.push(self.function(decl, &context, Some(class)));
        }
        if !members.inherits_constructors {
            return Ok(all);
        }
        // `using Base::Base;`
        for base in bases {
            for path in members.usings.iter().filter(|it| names_constructors(it)) {
                let scope = self.in_context(context.clone(), |eval| eval.scope_of(path))?;
                if matches!(scope, Scope::Type(ty) if ty.class() == Some(base.class)) {
                    all.extend(self.nested(|eval| eval.constructors(base.class))?);
                }
            }
        }
        Ok(all)
    }
}

/// Returns whether a using-declaration names the constructors of a class: `using Base<T>::Base;`.
pub(super) fn names_constructors(path: &Path) -> bool {
    match path.segments.as_slice() {
        [.., class, last] => class.name == last.name,
        _ => false,
    }
}

/// Returns the name of the class in a qualified member name: `C` of `ns::C<T>::f`.
fn owner_name(path: &Path) -> Option<&Name> {
    let at = path.segments.len().checked_sub(2)?;
    Some(&path.segments[at].name)
}

/// Adjusts the type of a parameter as C++ does: arrays and functions become pointers, and the outermost `const` is
/// dropped, since it concerns only the body.
pub(crate) fn adjusted(ty: Ty) -> Ty {
    match &ty.kind {
        Kind::Array(of, _) => of.as_ref().clone().pointer_to(),
        Kind::Function(_) => ty.pointer_to(),
        _ => ty,
    }
}

/// Returns whether two declarations have parameters that are written alike.
pub(crate) fn has_same_parameters(a: &Function, b: &Function) -> bool {
    a.parameters.len() == b.parameters.len()
        && a.kind == b.kind
        && a.parameters.iter().zip(&b.parameters).all(|(x, y)| {
            is_written_alike(&x.ty, &y.ty, &|one, other| {
                one == other || (position(a, one).is_some() && position(b, other).is_some())
            })
        })
        && (a.kind != FunctionKind::Plain || a.is_const == b.is_const)
        && a.callable_on == b.callable_on
}

fn position(function: &Function, name: &str) -> Option<usize> {
    let parameters = function.templates.iter().flat_map(|it| &it.parameters);
    parameters.into_iter().position(|it| &*it.name == name)
}

/// Returns whether template arguments are written alike, as far as they are types: `Tensor<int>` and `Tensor<float>`
/// differ.
fn has_same_arguments(
    a: &Option<Vec<TemplateArgument>>,
    b: &Option<Vec<TemplateArgument>>,
    is_same: &dyn Fn(&str, &str) -> bool,
) -> bool {
    let (Some(a), Some(b)) = (a, b) else {
        return true;
    };
    a.len() == b.len()
        && a.iter().zip(b).all(|pair| match pair {
            (TemplateArgument::Type(a), TemplateArgument::Type(b)) => {
                is_written_alike(a, b, is_same)
            }
            _ => true,
        })
}

fn is_written_alike(a: &Type, b: &Type, is_same: &dyn Fn(&str, &str) -> bool) -> bool {
    use TypeKind::*;
    if a.is_const != b.is_const {
        return false;
    }
    match (&a.kind, &b.kind) {
        (Void, Void) | (Bool, Bool) | (Float, Float) | (Double, Double) | (Auto, Auto) => true,
        (Integer(x), Integer(y)) => x == y,
        (Pointer(x, _), Pointer(y, _))
        | (Reference(x), Reference(y))
        | (RvalueReference(x), RvalueReference(y))
        | (Array(x, _), Array(y, _)) => is_written_alike(x, y, is_same),
        (Path(x), Path(y)) => match (x.segments.last(), y.segments.last()) {
            (Some(x), Some(y)) => {
                is_same(&x.name, &y.name) && has_same_arguments(&x.arguments, &y.arguments, is_same)
            }
            _ => false,
        },
        (Function(x, xs), Function(y, ys)) => {
            is_written_alike(x, y, is_same)
                && xs.len() == ys.len()
                && xs
                    .iter()
                    .zip(ys)
                    .all(|(x, y)| is_written_alike(x, y, is_same))
        }
        _ => false,
    }
}
