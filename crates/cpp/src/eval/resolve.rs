//! Types: what their syntax means in the current scopes.

use std::rc::Rc;

use a2lint_source::text::Span;
use rustc_hash::FxHashMap;

use super::Eval;
use super::names::{Ctx, Entities, Entity, Found, Local};
use super::substitution::{Failure, Special};
use super::types::{
    EnumId, FloatType, FunctionType, IntType, Kind, LibraryType, TemplateArg, TemplateId, Ty,
};
use crate::library::Evaluated;
use crate::syntax::ast::{
    Class, Enum, Expr, Init, IntegerKind, Name, Path, TemplateArgument, Type, TypeKind, Variable,
};

/// An enumeration.
#[derive(Debug)]
pub(crate) struct EnumInfo<'u> {
    pub decl: &'u Enum,
    pub name: Name,
    /// The scope around it.
    pub context: Ctx<'u>,
    pub underlying: Option<IntType>,
    /// Values of the enumerators, once they were asked for; `None` where one is not known.
    pub values: Option<Rc<[Option<i128>]>>,
    /// The types of the first enumerators, while the others are evaluated: inside of its braces an enumerator is no
    /// value of the enumeration.
    pub underway: Option<Vec<IntType>>,
}

/// A class or alias template.
#[derive(Debug)]
pub(crate) struct TemplateInfo<'u> {
    pub entities: Entities<'u>,
    pub context: Ctx<'u>,
    pub name: Name,
}

impl<'u> Eval<'u> {
    /// Returns the type that the syntax of a type means.
    pub(crate) fn ty(&mut self, ty: &'u Type) -> Evaluated<Ty> {
        let kind = self.nested(|eval| eval.type_kind(ty))?;
        Ok(match ty.is_const {
            true => kind.constant(),
            false => kind,
        })
    }

    fn type_kind(&mut self, ty: &'u Type) -> Evaluated<Ty> {
        Ok(match &ty.kind {
            TypeKind::Void => Ty::void(),
            TypeKind::Bool => IntType::Bool.into(),
            TypeKind::Integer(kind) => integer(*kind).into(),
            TypeKind::Float => FloatType::Float.into(),
            TypeKind::Double => FloatType::Double.into(),
            TypeKind::Auto | TypeKind::DecltypeAuto => Ty::unknown(),
            TypeKind::Decltype(expr, is_bare) => self.decltype(expr, *is_bare)?,
            TypeKind::Path(path) => self.path_type(path)?,
            TypeKind::Pointer(of, space) => {
                let of = self.ty(of)?;
                match of.kind {
                    // A pointer to an unknown type would look like a known type and match overloads.
                    Kind::Unknown => of,
                    _ => Kind::Pointer(Rc::new(of), *space).into(),
                }
            }
            TypeKind::Reference(of) => self.ty(of)?.reference_to(false),
            TypeKind::RvalueReference(of) => self.ty(of)?.reference_to(true),
            TypeKind::Array(of, length) => {
                let of = self.ty(of)?;
                let length = match length {
                    None => None,
                    Some(length) => match self.constant_int(length)? {
                        // No device has memory for longer arrays; the bound also keeps cell counts from overflowing
                        // their type.
                        Some(length) if (0..=1 << 31).contains(&length) => Some(length as u64),
                        _ => {
                            let what = "the length of this array is not a constant";
                            self.builder.note_unknown(length.span, what.to_owned());
                            return Ok(Ty::unknown());
                        }
                    },
                };
                Kind::Array(Rc::new(of), length).into()
            }
            TypeKind::Function(returns, parameters) => {
                let returns = self.ty(returns)?;
                let mut all = Vec::new();
                for parameter in parameters {
                    all.push(self.ty(parameter)?);
                }
                Kind::Function(Rc::new(FunctionType {
                    returns,
                    parameters: all,
                }))
                .into()
            }
            TypeKind::Class(class) => {
                let context = self.local_context();
                Kind::Class(self.class_of(class, &context)).into()
            }
            TypeKind::Enum(decl) => {
                let context = self.local_context();
                Kind::Enum(self.enum_of(decl, &context)).into()
            }
            TypeKind::Unknown(what) => {
                let what = format!("{what} is not understood");
                self.builder.note_unknown(ty.span, what);
                Ty::unknown()
            }
        })
    }

    /// Returns the type of a variable, member or parameter, whose initialiser may give the length of an array.
    pub(crate) fn variable_type(&mut self, variable: &'u Variable) -> Evaluated<Ty> {
        let mut ty = self.ty(&variable.ty)?;
        // `int a[] = {1, 2}`: the initialiser gives the length.
        if let Kind::Array(of, None) = &ty.kind {
            let items = match &variable.init {
                Init::Braces(items) => Some(items.len()),
                Init::Assign(expr) => braces_in(expr),
                _ => None,
            };
            if let Some(items) = items {
                ty.kind = Kind::Array(of.clone(), Some(items as u64));
            }
        }
        Ok(match variable.is_const {
            true => ty.constant(),
            false => ty,
        })
    }

    /// Returns whether the type of a variable follows from its initialiser.
    pub(crate) fn is_placeholder(ty: &Type) -> bool {
        match &ty.kind {
            TypeKind::Auto | TypeKind::DecltypeAuto => true,
            TypeKind::Pointer(of, _) | TypeKind::Reference(of) | TypeKind::RvalueReference(of) => {
                Self::is_placeholder(of)
            }
            _ => false,
        }
    }

    /// Returns the type that a name denotes; an unknown type, with a note, if it denotes none.
    pub(crate) fn path_type(&mut self, path: &'u Path) -> Evaluated<Ty> {
        let last = path.segments.last().expect("paths are not empty");
        let found = self.find_path(path)?;
        let found = self.found_type(found, last.arguments.as_deref(), last.span)?;
        match found {
            Some(ty) => Ok(ty),
            None => {
                self.fails(Failure::NotKnown);
                // The library knows why some names have no type, such as the struct of `GET_TILING_DATA`.
                let what = self.library.missing_type(&last.name);
                let what =
                    what.unwrap_or_else(|| format!("`{}` is not a type that is known", last.name));
                self.builder.note_unknown(last.span, what);
                Ok(Ty::unknown())
            }
        }
    }

    /// Returns the type of the declaration that lookup has found, with these template arguments; `None` if it is no
    /// type.
    pub(crate) fn found_type(
        &mut self,
        found: Found<'u>,
        arguments: Option<&'u [TemplateArgument]>,
        span: Span,
    ) -> Evaluated<Option<Ty>> {
        match found {
            Found::Local(Local::Type(ty)) => Ok(Some(ty)),
            Found::Local(Local::Entities(entities, context)) => {
                self.entities_type(&entities, &context, arguments, span)
            }
            Found::Local(_) | Found::Functions(_) => Ok(None),
            Found::Argument(argument) => self.argument_type(argument, arguments, span),
            Found::Entities(entities, context, _) => {
                self.entities_type(&entities, &context, arguments, span)
            }
            Found::Library(name) => {
                // Fixed-width names need no header to be included here: compilers for the device declare them.
                if let Some(of) = builtin(&name) {
                    return Ok(Some(of));
                }
                let arguments = match arguments {
                    Some(arguments) => Some(self.template_arguments(arguments)?),
                    None => None,
                };
                let library = self.library;
                let found = library.find_type(self, &name, arguments.as_deref(), span);
                Ok(found)
            }
        }
    }

    fn argument_type(
        &mut self,
        argument: TemplateArg,
        arguments: Option<&'u [TemplateArgument]>,
        span: Span,
    ) -> Evaluated<Option<Ty>> {
        match argument {
            TemplateArg::Type(ty) => Ok(Some(ty)),
            TemplateArg::Pack(items) => {
                let item = self.pack_index.and_then(|at| items.get(at).cloned());
                match item {
                    Some(item) => self.argument_type(item, arguments, span),
                    None => Ok(None),
                }
            }
            TemplateArg::Template(id) => {
                let arguments = self.template_arguments(arguments.unwrap_or_default())?;
                self.template_instance(id, arguments, span).map(Some)
            }
            TemplateArg::OfLibrary(name) => {
                let arguments = self.template_arguments(arguments.unwrap_or_default())?;
                let library = self.library;
                Ok(library.find_type(self, &name, Some(&arguments), span))
            }
            TemplateArg::Unknown => Ok(Some(Ty::unknown())),
            TemplateArg::Value(..) => Ok(None),
        }
    }

    fn entities_type(
        &mut self,
        entities: &[Entity<'u>],
        context: &Ctx<'u>,
        arguments: Option<&'u [TemplateArgument]>,
        span: Span,
    ) -> Evaluated<Option<Ty>> {
        for entity in entities {
            match *entity {
                // Inside a class template, its name without arguments means the current instance.
                Entity::Own(class) => {
                    let template = self.classes[class.index()].template;
                    return match (arguments, template) {
                        (Some(arguments), Some(template)) => {
                            let arguments = self.template_arguments(arguments)?;
                            self.template_instance(template, arguments, span).map(Some)
                        }
                        _ => Ok(Some(Kind::Class(class).into())),
                    };
                }
                Entity::Class(class) if class.template.is_none() => {
                    // A class may be declared before it is defined: the definition has the members.
                    let decl = definition(entities).unwrap_or(class);
                    return Ok(Some(Kind::Class(self.class_of(decl, context)).into()));
                }
                Entity::Enum(first) => {
                    let defined = entities.iter().find_map(|entity| match entity {
                        Entity::Enum(decl) if decl.enumerators.is_some() => Some(*decl),
                        _ => None,
                    });
                    let decl = defined.unwrap_or(first);
                    return Ok(Some(Kind::Enum(self.enum_of(decl, context)).into()));
                }
                Entity::Alias(alias) if alias.template.is_none() => {
                    let context = context.clone();
                    let ty = self.in_scope_of(context, |eval| eval.ty(&alias.ty))?;
                    return Ok(Some(ty));
                }
                Entity::Class(_) | Entity::Alias(_) => {
                    let template = self.template_of(entities, context);
                    let arguments = self.template_arguments(arguments.unwrap_or_default())?;
                    return self.template_instance(template, arguments, span).map(Some);
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// Evaluates something in a scope, with the local names of the frame out of sight unless the scope is its own.
    fn in_scope_of<T>(
        &mut self,
        context: Ctx<'u>,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        self.in_context(context, work)
    }

    /// Returns the instance of a class template, or the type of an alias template.
    pub(crate) fn template_instance(
        &mut self,
        id: TemplateId,
        arguments: Vec<TemplateArg>,
        span: Span,
    ) -> Evaluated<Ty> {
        self.nested(|eval| eval.template_instance_inner(id, arguments, span))
    }

    fn template_instance_inner(
        &mut self,
        id: TemplateId,
        arguments: Vec<TemplateArg>,
        span: Span,
    ) -> Evaluated<Ty> {
        let info = &self.templates[id.index()];
        let (entities, context) = (info.entities.clone(), info.context.clone());
        let name = info.name.clone();
        // Different unknown arguments would share one instance.
        if arguments.iter().any(is_unknown) {
            return Ok(Ty::unknown());
        }
        if let Some(Entity::Alias(alias)) = entities
            .iter()
            .find(|entity| matches!(entity, Entity::Alias(_)))
            .copied()
        {
            let Some(template) = &alias.template else {
                return Ok(Ty::unknown());
            };
            // Defaults of parameters are looked up where the template is declared, not where it is used.
            let bound = self.in_context(context.clone(), |eval| {
                eval.bind_parameters(template, arguments)
            })?;
            let Some(bound) = bound else {
                return Ok(self.failed_template(&name, span));
            };
            return self.in_context(context, |eval| {
                eval.with_arguments(&bound, |eval| eval.ty(&alias.ty))
            });
        }
        let Some(primary) = primary(&entities) else {
            return Ok(self.failed_template(&name, span));
        };
        let Some(template) = &primary.template else {
            return Ok(self.failed_template(&name, span));
        };
        let bound = self.in_context(context.clone(), |eval| {
            eval.bind_parameters(template, arguments)
        })?;
        let Some(bound) = bound else {
            return Ok(self.failed_template(&name, span));
        };
        let full: Vec<TemplateArg> = bound.iter().map(|(_, it)| it.clone()).collect();
        if full.iter().any(is_unknown) {
            return Ok(Ty::unknown());
        }
        let key = (id, full);
        // Two uses with the same arguments must be one type, so that their objects can be assigned.
        if let Some(known) = self.instances.get(&key) {
            return Ok(known.clone());
        }
        let full = key.1.clone();
        // Specialisations are chosen with all arguments, defaults included.
        let (decl, bound) = match self.specialisation(&entities, &context, &full)? {
            Special::Of(decl, bound) => (decl, bound),
            Special::No => (primary, bound),
            Special::NotKnown => {
                self.fails(Failure::NotKnown);
                let what = format!("which specialisation of `{name}` is meant is not known");
                self.builder.note_unknown(span, what);
                return Ok(Ty::unknown());
            }
        };
        let class = self.class_instance(primary, decl, &context, Some(id), full, &bound);
        let ty: Ty = Kind::Class(class).into();
        self.instances.insert(key, ty.clone());
        Ok(ty)
    }

    fn failed_template(&mut self, name: &str, span: Span) -> Ty {
        self.fails(Failure::IllFormed);
        let what = format!("the template arguments of `{name}` do not fit");
        self.builder.note_unknown(span, what);
        Ty::unknown()
    }

    /// Returns the template that some declarations of one name declare.
    pub(crate) fn template_of(&mut self, entities: &[Entity<'u>], context: &Ctx<'u>) -> TemplateId {
        let first = entities.iter().find_map(|entity| match entity {
            Entity::Class(class) => Some(std::ptr::from_ref(*class) as usize),
            Entity::Alias(alias) => Some(std::ptr::from_ref(*alias) as usize),
            _ => None,
        });
        // Each instance of a class has its own member templates, so the key contains the scope.
        let key = (first.unwrap_or(0), Rc::as_ptr(context) as usize);
        if let Some(&known) = self.template_ids.get(&key) {
            return known;
        }
        let id = TemplateId(self.templates.len() as u32);
        let name = entities.iter().find_map(|entity| match entity {
            Entity::Class(class) => Some(super::classes::class_name(class)),
            Entity::Alias(alias) => Some(alias.name.clone()),
            _ => None,
        });
        self.templates.push(TemplateInfo {
            entities: entities.iter().copied().collect(),
            context: context.clone(),
            name: name.unwrap_or_else(|| "".into()),
        });
        self.template_ids.insert(key, id);
        id
    }

    /// Returns the enumeration of a definition.
    pub(crate) fn enum_of(&mut self, decl: &'u Enum, context: &Ctx<'u>) -> EnumId {
        let key = (
            std::ptr::from_ref(decl) as usize,
            Rc::as_ptr(context) as usize,
        );
        if let Some(&known) = self.enum_ids.get(&key) {
            return known;
        }
        let id = EnumId(self.enums.len() as u32);
        let last = decl.path.as_ref().and_then(|path| path.segments.last());
        self.enums.push(EnumInfo {
            decl,
            name: last.map_or_else(|| "".into(), |last| last.name.clone()),
            context: context.clone(),
            underlying: None,
            values: None,
            underway: None,
        });
        self.enum_ids.insert(key, id);
        id
    }

    /// Returns the integer type of an enumeration's values.
    pub(crate) fn underlying(&mut self, id: EnumId) -> Evaluated<IntType> {
        self.enum_values(id)?;
        Ok(self.enums[id.index()].underlying.unwrap_or(IntType::Int))
    }

    /// Returns the integer type that values of an enumeration without `class` are promoted to.
    pub(crate) fn promoted_enum(&mut self, id: EnumId) -> Evaluated<IntType> {
        let of = self.underlying(id)?;
        let info = &self.enums[id.index()];
        let mut values = info
            .values
            .iter()
            .flat_map(|values| values.iter().flatten());
        // Compilers choose an unsigned type where no value is negative; promotion prefers `int` nevertheless.
        let is_int =
            info.decl.underlying.is_none() && values.all(|&value| IntType::Int.holds(value));
        Ok(if is_int { IntType::Int } else { of.promoted() })
    }

    /// Returns the values of an enumeration.
    pub(crate) fn enum_values(&mut self, id: EnumId) -> Evaluated<Rc<[Option<i128>]>> {
        let info = &self.enums[id.index()];
        if let Some(known) = &info.values {
            return Ok(known.clone());
        }
        let (decl, context) = (info.decl, info.context.clone());
        // An enumerator may mention its own enumeration; the empty list ends that recursion.
        self.enums[id.index()].values = Some(Rc::new([]));
        let fixed = match &decl.underlying {
            // `enum class` without a type has `int`; a plain one gets the type that its values need.
            None if decl.is_scoped => Some(IntType::Int),
            None => None,
            Some(ty) => {
                let ty = self.in_context(context.clone(), |eval| eval.ty(ty))?;
                match ty.kind {
                    Kind::Int(of) => Some(of),
                    _ => Some(IntType::Int),
                }
            }
        };
        self.enums[id.index()].underlying = fixed;
        let mut values: Vec<Option<i128>> = Vec::new();
        let mut types: Vec<IntType> = Vec::new();
        for (at, (_, value)) in decl
            .enumerators
            .as_deref()
            .unwrap_or_default()
            .iter()
            .enumerate()
        {
            let before = values.last().copied();
            let of_before = types.last().copied().unwrap_or(IntType::Int);
            let (value, of) = match (value, before) {
                (Some(value), _) => {
                    let info = &mut self.enums[id.index()];
                    info.values = Some(values.as_slice().into());
                    info.underway = Some(types.clone());
                    self.in_context(context.clone(), |eval| {
                        eval.see_enumerators(decl, at, &context);
                        eval.enumerator_value(value)
                    })?
                }
                (None, Some(Some(last))) if of_before.holds(last + 1) => {
                    (Some(last + 1), of_before)
                }
                // The value after the largest of its type continues in the next wider type.
                (None, Some(Some(last))) => {
                    let mut wider =
                        [IntType::Unsigned, IntType::Long, IntType::UnsignedLong].into_iter();
                    let wider = wider.find(|of| of.holds(last + 1));
                    (Some(last + 1), wider.unwrap_or(of_before))
                }
                (None, Some(None)) => (None, of_before),
                (None, None) => (Some(0), IntType::Int),
            };
            values.push(value);
            types.push(fixed.unwrap_or(of));
        }
        self.enums[id.index()].underway = None;
        let fits = |of: IntType| values.iter().flatten().all(|&value| of.holds(value));
        // Compilers choose an unsigned type if no value is negative; programs can observe only its size and sign.
        let is_negative = values.iter().flatten().any(|&value| value < 0);
        let candidates = match is_negative {
            true => [IntType::Int, IntType::Long],
            false => [IntType::Unsigned, IntType::UnsignedLong],
        };
        let chosen = candidates.into_iter().find(|&of| fits(of));
        let info = &mut self.enums[id.index()];
        info.underlying = fixed.or(chosen);
        let values: Rc<[Option<i128>]> = values.into();
        info.values = Some(values.clone());
        Ok(values)
    }

    /// Makes the first enumerators of an enumeration local names: those of an `enum class` are seen between its braces
    /// alone, where no lookup from a scope finds them.
    fn see_enumerators(&mut self, decl: &'u Enum, count: usize, context: &Ctx<'u>) {
        let names = decl.enumerators.as_deref().unwrap_or_default();
        for (at, (name, _)) in names.iter().enumerate().take(count) {
            self.add_entity(name, Entity::Enumerator(decl, at as u32), context);
        }
    }

    /// Returns the value that an enumerator is given, and the type of it.
    fn enumerator_value(&mut self, value: &'u Expr) -> Evaluated<(Option<i128>, IntType)> {
        self.constant(|eval| {
            let operand = eval.expr(value)?;
            let operand = match operand.ty.kind {
                Kind::Class(_) => eval.promoted(operand)?,
                _ => eval.decayed(operand)?,
            };
            let of = match operand.ty.kind {
                Kind::Int(of) => of,
                Kind::Enum(id) => eval.underlying(id)?,
                _ => IntType::Int,
            };
            Ok((eval.value_of(&operand)?.known_int(), of))
        })
    }

    /// Returns the spelling of a type in messages.
    pub fn type_name(&self, ty: &Ty) -> String {
        let text = match &ty.kind {
            Kind::Void => "void".to_owned(),
            Kind::Null => "nullptr_t".to_owned(),
            Kind::Int(of) => of.spelling().to_owned(),
            Kind::Float(of) => of.spelling().to_owned(),
            Kind::Enum(id) => self.enums[id.index()].name.to_string(),
            Kind::Class(id) => {
                let info = &self.classes[id.index()];
                self.with_argument_names(&info.name, &info.arguments)
            }
            Kind::Closure(_) => "a lambda".to_owned(),
            Kind::Pointer(of, _) => format!("{}*", self.type_name(of)),
            Kind::Reference(of, false) => format!("{}&", self.type_name(of)),
            Kind::Reference(of, true) => format!("{}&&", self.type_name(of)),
            Kind::Array(of, length) => {
                let length = length.map_or(String::new(), |length| length.to_string());
                format!("{}[{length}]", self.type_name(of))
            }
            Kind::Function(of) => {
                let parameters: Vec<String> =
                    of.parameters.iter().map(|it| self.type_name(it)).collect();
                format!("{}({})", self.type_name(&of.returns), parameters.join(", "))
            }
            Kind::Library(of) => self.with_argument_names(&of.name, &of.arguments),
            Kind::Unknown => "?".to_owned(),
        };
        match ty.is_const {
            true => format!("const {text}"),
            false => text,
        }
    }

    fn with_argument_names(&self, name: &str, arguments: &[TemplateArg]) -> String {
        if arguments.is_empty() {
            return name.to_owned();
        }
        let all: Vec<String> = arguments.iter().map(|it| self.argument_name(it)).collect();
        format!("{name}<{}>", all.join(", "))
    }

    /// Returns the spelling of a template argument in messages.
    pub fn argument_name(&self, argument: &TemplateArg) -> String {
        use super::types::Constant;
        match argument {
            TemplateArg::Type(ty) => self.type_name(ty),
            TemplateArg::Value(ty, Constant::Int(value)) => self.constant_name(ty, *value),
            TemplateArg::Value(_, Constant::Function(id)) => self.function_name(*id).to_string(),
            TemplateArg::Value(_, Constant::Functions(all)) => {
                self.function_name(all[0]).to_string()
            }
            TemplateArg::Value(..) => "nullptr".to_owned(),
            TemplateArg::Template(id) => self.templates[id.index()].name.to_string(),
            TemplateArg::OfLibrary(name) => name.to_string(),
            TemplateArg::Pack(items) => {
                let all: Vec<String> = items.iter().map(|it| self.argument_name(it)).collect();
                all.join(", ")
            }
            TemplateArg::Unknown => "?".to_owned(),
        }
    }

    fn constant_name(&self, ty: &Ty, value: i128) -> String {
        let Kind::Enum(id) = ty.kind else {
            return match ty.kind {
                Kind::Int(IntType::Bool) => (value != 0).to_string(),
                _ => value.to_string(),
            };
        };
        let info = &self.enums[id.index()];
        let values = info.values.as_deref().unwrap_or_default();
        let at = values.iter().position(|own| *own == Some(value));
        let names = info.decl.enumerators.as_deref().unwrap_or_default();
        at.and_then(|at| names.get(at))
            .map_or_else(|| value.to_string(), |(name, _)| name.to_string())
    }
}

/// Returns whether an argument could not be evaluated.
pub(crate) fn is_unknown(argument: &TemplateArg) -> bool {
    match argument {
        TemplateArg::Unknown => true,
        TemplateArg::Type(ty) => ty.kind == Kind::Unknown,
        TemplateArg::Pack(items) => items.iter().any(is_unknown),
        _ => false,
    }
}

/// Returns the declaration of a class that has a body.
fn definition<'u>(entities: &[Entity<'u>]) -> Option<&'u Class> {
    entities.iter().find_map(|entity| match entity {
        Entity::Class(class) if class.members.is_some() && class.template.is_none() => Some(*class),
        _ => None,
    })
}

/// Returns the declaration of a class template that is no specialisation, with a body where there is one.
pub(crate) fn primary<'u>(entities: &[Entity<'u>]) -> Option<&'u Class> {
    let is_primary = |class: &Class| {
        let last = class.path.as_ref().and_then(|path| path.segments.last());
        class.template.is_some() && last.is_some_and(|last| last.arguments.is_none())
    };
    let all = entities.iter().filter_map(|entity| match entity {
        Entity::Class(class) if is_primary(class) => Some(*class),
        _ => None,
    });
    all.max_by_key(|class| class.members.is_some())
}

/// Returns the number of items of a list in braces, which is the length of the array.
fn braces_in(expr: &Expr) -> Option<usize> {
    use crate::syntax::ast::ExprKind;
    match &expr.kind {
        ExprKind::Braces(None, items) => Some(items.len()),
        ExprKind::String(text) => Some(text.len() + 1),
        _ => None,
    }
}

fn integer(kind: IntegerKind) -> IntType {
    match kind {
        IntegerKind::Char => IntType::Char,
        IntegerKind::SignedChar => IntType::SignedChar,
        IntegerKind::UnsignedChar => IntType::UnsignedChar,
        IntegerKind::Short => IntType::Short,
        IntegerKind::UnsignedShort => IntType::UnsignedShort,
        IntegerKind::Int => IntType::Int,
        IntegerKind::Unsigned => IntType::Unsigned,
        IntegerKind::Long => IntType::Long,
        IntegerKind::UnsignedLong => IntType::UnsignedLong,
        IntegerKind::LongLong => IntType::LongLong,
        IntegerKind::UnsignedLongLong => IntType::UnsignedLongLong,
    }
}

/// Types of `<cstdint>` and `<cstddef>`.
fn builtin(name: &str) -> Option<Ty> {
    Some(match name {
        "int8_t" | "int_least8_t" | "int_fast8_t" => IntType::SignedChar.into(),
        "uint8_t" | "uint_least8_t" | "uint_fast8_t" => IntType::UnsignedChar.into(),
        "int16_t" | "int_least16_t" => IntType::Short.into(),
        "uint16_t" | "uint_least16_t" => IntType::UnsignedShort.into(),
        "int32_t" | "int_least32_t" => IntType::Int.into(),
        "uint32_t" | "uint_least32_t" => IntType::Unsigned.into(),
        "int64_t" | "intptr_t" | "ptrdiff_t" | "ssize_t" | "intmax_t" | "int_least64_t"
        | "int_fast16_t" | "int_fast32_t" | "int_fast64_t" => IntType::Long.into(),
        "uint64_t" | "uintptr_t" | "size_t" | "uintmax_t" | "uint_least64_t" | "uint_fast16_t"
        | "uint_fast32_t" | "uint_fast64_t" => IntType::UnsignedLong.into(),
        "nullptr_t" => Kind::Null.into(),
        _ => return None,
    })
}

impl LibraryType {
    /// Returns the library type of this name with these template arguments.
    pub fn of(name: &str, arguments: Vec<TemplateArg>) -> Ty {
        let name = name.into();
        Kind::Library(Rc::new(LibraryType { name, arguments })).into()
    }
}

/// Instances of templates by their arguments.
pub(crate) type Instances = FxHashMap<(TemplateId, Vec<TemplateArg>), Ty>;
