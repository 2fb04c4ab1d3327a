//! Functions that nothing calls, run with arguments of which nothing is known.

use a2lint_source::text::Span;

use super::Eval;
use super::functions::own_template;
use super::names::{Entity, NamespaceId};
use super::templates::Bound;
use super::types::{ClassId, Kind, TemplateArg, Ty};
use super::values::{CellId, FunctionId, Operand};
use crate::library::Evaluated;
use crate::syntax::ast::{Class, Function, Name, Path, Stmt, StmtKind, Template};

/// A method of a class that was named.
#[derive(Clone, Debug)]
pub struct Method<'u> {
    /// Its number.
    pub function: FunctionId,
    /// Its declaration in the class.
    pub declaration: &'u Function,
    /// Its class.
    pub class: Ty,
    /// Whether its class is an instance of a template, all of whose arguments are known.
    pub is_of_instance: bool,
}

/// Maximum number of classes that are looked at.
const MAX_CLASSES: usize = 4096;

impl<'u> Eval<'u> {
    /// Makes what `template class C<T>;` and `template void f<T>();` name. Returns the functions with their arguments.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn instantiated_in(
        &mut self,
        items: &'u [Stmt],
    ) -> Evaluated<Vec<(FunctionId, Vec<TemplateArg>)>> {
        let mut found = Vec::new();
        self.instantiate_all(items, NamespaceId(0), &mut found)?;
        Ok(found)
    }

    fn instantiate_all(
        &mut self,
        items: &'u [Stmt],
        within: NamespaceId,
        found: &mut Vec<(FunctionId, Vec<TemplateArg>)>,
    ) -> Evaluated<()> {
        for item in items {
            match &item.kind {
                StmtKind::Instantiate(path) => found.extend(self.instantiate(path, within)?),
                StmtKind::Namespace(names, items) => {
                    let inner = names
                        .iter()
                        .try_fold(within, |space, name| self.inner_namespace(space, name, 0));
                    let inner = inner.unwrap_or(within);
                    self.nested(|eval| eval.instantiate_all(items, inner, found))?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn instantiate(
        &mut self,
        path: &'u Path,
        within: NamespaceId,
    ) -> Evaluated<Option<(FunctionId, Vec<TemplateArg>)>> {
        let context = self.namespaces[within.0 as usize].context.clone();
        self.in_context(context, |eval| {
            let last = path.segments.last().expect("paths are not empty");
            let found = eval.find_path(path)?;
            let functions = eval.functions_of(&found);
            if functions.is_empty() {
                let ty = eval.found_type(found, last.arguments.as_deref(), last.span)?;
                if let Some(Kind::Class(class)) = ty.map(|ty| ty.kind) {
                    eval.complete(class)?;
                }
                return Ok(None);
            }
            let arguments = last.arguments.as_deref().unwrap_or_default();
            let arguments = eval.template_arguments(arguments)?;
            let mut fitting = Vec::new();
            for function in functions {
                let info = eval.info(function);
                let (decl, context) = (info.decl, info.context.clone());
                let Some(template) = own_template(decl).filter(|_| decl.body.is_some()) else {
                    continue;
                };
                let arguments = arguments.clone();
                let bound =
                    eval.in_context(context, |eval| eval.bind_parameters(template, arguments))?;
                fitting.extend(bound.map(|_| function));
            }
            Ok(match fitting.as_slice() {
                [only] => Some((*only, arguments)),
                _ => None,
            })
        })
    }

    /// Returns the methods with bodies of all classes that were named so far, and of the classes in them.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn methods(&mut self) -> Evaluated<Vec<Method<'u>>> {
        let mut all = Vec::new();
        let mut at = 0;
        while at < self.classes.len().min(MAX_CLASSES) {
            let class = ClassId(at as u32);
            at += 1;
            self.complete(class)?;
            let info = &self.classes[class.index()];
            let (members, context) = (info.members.clone(), info.context.clone());
            let is_of_instance = info.template.is_some();
            let names = members.names.values().flatten();
            let mut functions: Vec<&'u Function> = members.constructors.clone();
            functions.extend(members.destructor);
            functions.extend(members.conversions.iter().copied());
            for entity in names {
                match *entity {
                    Entity::Function(decl) => functions.push(decl),
                    Entity::Class(inner) if inner.template.is_none() => {
                        self.class_of(inner, &context);
                    }
                    _ => {}
                }
            }
            functions.sort_by_key(|decl| decl.id);
            functions.dedup_by_key(|decl| decl.id);
            for declaration in functions {
                let function = self.function(declaration, &context, Some(class));
                all.push(Method {
                    function,
                    declaration,
                    class: Kind::Class(class).into(),
                    is_of_instance,
                });
            }
        }
        Ok(all)
    }

    /// Returns the definition of a function or method, if it has a body.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn body_of(&mut self, function: FunctionId) -> Evaluated<Option<&'u Function>> {
        let found = self.definition(function, &Vec::new())?;
        let found = found.map(|it| it.function);
        Ok(found.filter(|it| it.body.is_some()))
    }

    /// Names all classes of namespaces; templates with parameters of which nothing is known.
    pub fn name_classes(&mut self) {
        let mut found: Vec<&'u Class> = Vec::new();
        let mut contexts = Vec::new();
        for namespace in &self.namespaces {
            for entity in namespace.names.values().flatten() {
                if let Entity::Class(class) = *entity
                    && class.members.is_some()
                {
                    found.push(class);
                    contexts.push(namespace.context.clone());
                }
            }
        }
        let mut all: Vec<_> = found.into_iter().zip(contexts).collect();
        all.sort_by_key(|(class, _)| class.id);
        for (class, context) in all {
            match &class.template {
                None => self.class_of(class, &context),
                Some(template) => {
                    let bound = unknown_arguments(template);
                    let arguments = bound.iter().map(|(_, it)| it.clone()).collect();
                    self.class_instance(class, class, &context, None, arguments, &bound)
                }
            };
        }
    }

    /// Runs a function with arguments of which only the types are known, as far as these do not depend on parameters
    /// of templates; a method with an object of its class.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn run_open(
        &mut self,
        function: FunctionId,
        template: Option<&[TemplateArg]>,
        class: Option<&Ty>,
    ) -> Evaluated<()> {
        let info = self.info(function);
        let (decl, context) = (info.decl, info.context.clone());
        let span = decl.path.span;
        let bound = match (own_template(decl), template) {
            (None, _) => Vec::new(),
            (Some(own), None) => unknown_arguments(own),
            (Some(own), Some(given)) => {
                let given = given.to_vec();
                let bound = self.in_context(context, |eval| eval.bind_parameters(own, given))?;
                let Some(bound) = bound else {
                    return Ok(());
                };
                bound
            }
        };
        let signature = self.signature(function, &bound)?;
        let mut arguments = Vec::new();
        for ty in &signature.parameters {
            arguments.push(self.open_operand(ty, span)?);
        }
        let object = match class.filter(|_| !decl.is_static) {
            Some(class) => Some(self.open_operand(class, span)?),
            None => None,
        };
        self.call_function(function, bound, object, arguments, (span, span))?;
        Ok(())
    }

    fn open_operand(&mut self, ty: &Ty, span: Span) -> Evaluated<Operand> {
        let of = ty.referred().clone();
        let is_object = ty.is_reference() || matches!(of.kind, Kind::Class(_) | Kind::Library(_));
        if of.kind == Kind::Unknown || !is_object {
            return Ok(Operand::unknown_of(of, span));
        }
        let cell = self.temporary(&of)?;
        self.forget_object(cell)?;
        Ok(Operand::cell(of, cell, span))
    }

    /// Returns the number of classes that were named so far.
    pub fn classes_named(&self) -> usize {
        self.classes.len()
    }

    /// Makes the variables of static storage unknown again that are not constant.
    ///
    /// # Errors
    /// Evaluation cannot go on.
    pub fn forget_variables(&mut self) -> Evaluated<()> {
        let all = self.static_locals.values().cloned();
        let changing: Vec<_> = all.filter(|(_, ty)| !ty.holds_constants()).collect();
        for (cell, _) in changing {
            self.forget_object(cell)?;
        }
        Ok(())
    }

    /// Forgets what an object of static storage was initialised with, as far as a function that is evaluated may find
    /// it changed: scalars of the program, and everything that other functions can change where any may come first.
    pub(super) fn forget_initial(&mut self, cell: CellId, ty: &Ty) -> Evaluated<()> {
        match self.library.reads_all() && !ty.holds_constants() {
            true => self.forget_object(cell),
            false => self.forget_scalars(cell),
        }
    }

    /// Returns name and place of the local variable or parameter that an object is, or of the data member of `*this`;
    /// `None` for other objects, of which there may be several.
    pub fn variable_of(&self, operand: &Operand) -> Option<(Name, Span)> {
        let cell = operand.object().filter(|cell| !cell.is_static())?;
        if let Some(label) = &self.memory.get(cell).label {
            return Some(label.as_ref().clone());
        }
        let owner = self.memory.parent(cell)?;
        let (this, _) = self.frame.this.as_ref()?;
        let mut object = owner;
        while object != *this {
            object = self
                .memory
                .parent(object)
                .filter(|_| self.memory.get(object).is_base)?;
        }
        let class = self.memory.get(owner).ty.class()?;
        let mut fields = self.classes[class.index()].fields.iter();
        let field = fields.find(|field| owner.plus(field.cell) == cell)?;
        Some((field.name.clone(), field.decl.name_span))
    }
}

/// Binds the parameters of a template to arguments of which nothing is known.
fn unknown_arguments(template: &Template) -> Bound {
    let unknown = |is_pack: bool| match is_pack {
        true => TemplateArg::Pack([].into()),
        false => TemplateArg::Unknown,
    };
    let parameters = template.parameters.iter();
    parameters
        .map(|it| (it.name.clone(), unknown(it.is_pack)))
        .collect()
}
