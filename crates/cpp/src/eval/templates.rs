//! Template arguments: evaluation, binding to parameters, deduction, and choice of specialisations.

use super::Eval;
use super::names::{Ctx, Entity, Found, Local};
use super::resolve::is_unknown;
use super::types::{Constant, Kind, TemplateArg, Ty};
use super::values::{IntValue, Operand, Pointer, Value};
use super::visit::{names_in_argument, names_in_type};
use crate::library::Evaluated;
use crate::syntax::ast::{
    Class, Expr, ExprKind, Name, Path, Template, TemplateArgument, TemplateParameterKind, Type,
    TypeKind,
};

/// What template parameters stand for.
pub(crate) type Bound = Vec<(Name, TemplateArg)>;

/// A deduction under way: one entry for each parameter.
#[derive(Debug)]
pub(crate) struct Deduction<'u> {
    pub template: &'u Template,
    pub bound: Vec<Option<TemplateArg>>,
    /// Elements of packs, while they are deduced one by one.
    packs: Vec<Vec<TemplateArg>>,
    /// How many arguments are explicit.
    explicit: usize,
    /// Whether arguments of a call are deduced from, which may lack a `const` that the parameter has.
    pub is_call: bool,
}

impl<'u> Deduction<'u> {
    /// Nothing is deduced; some arguments are explicit.
    pub fn new(template: &'u Template, explicit: &[TemplateArg]) -> Deduction<'u> {
        let parameters = &template.parameters;
        let mut bound = vec![None; parameters.len()];
        let mut packs = vec![Vec::new(); parameters.len()];
        for (at, parameter) in parameters.iter().enumerate() {
            if parameter.is_pack {
                packs[at] = explicit.get(at..).unwrap_or_default().to_vec();
                break;
            }
            bound[at] = explicit.get(at).cloned();
        }
        Deduction {
            template,
            bound,
            packs,
            explicit: explicit.len(),
            is_call: false,
        }
    }

    /// Whether explicit arguments tell all parameters in a type, so that arguments are converted to it.
    pub fn is_explicit(&self, ty: &Type) -> bool {
        let mut all = self.explicit > 0;
        names_in_type(ty, &mut |name| {
            if let Some(at) = self.parameter(name) {
                all &= at < self.explicit && !self.template.parameters[at].is_pack;
            }
        });
        all
    }

    /// Whether a type is a parameter alone.
    pub fn is_alone(&self, ty: &Type) -> bool {
        matches!(&ty.kind, TypeKind::Path(path) if self.alone(path).is_some())
    }

    /// Whether a pack in a type has explicit elements.
    pub fn has_elements_for(&self, ty: &Type) -> bool {
        let mut found = false;
        names_in_type(ty, &mut |name| {
            let at = self.parameter(name);
            found |= at.is_some_and(|at| !self.packs[at].is_empty());
        });
        found
    }

    fn parameter(&self, name: &str) -> Option<usize> {
        let parameters = &self.template.parameters;
        parameters.iter().position(|it| &*it.name == name)
    }

    /// The parameter that a path is, alone.
    fn alone(&self, path: &Path) -> Option<usize> {
        match path.segments.as_slice() {
            [only] if !path.is_absolute && only.arguments.is_none() => self.parameter(&only.name),
            _ => None,
        }
    }

    /// Whether a type mentions a parameter.
    pub fn is_dependent(&self, ty: &Type) -> bool {
        let mut found = false;
        names_in_type(ty, &mut |name| found |= self.parameter(name).is_some());
        found
    }

    /// Binds a parameter; `false` where it is bound to something else.
    fn bind(&mut self, at: usize, argument: TemplateArg) -> bool {
        if self.template.parameters[at].is_pack {
            self.packs[at].push(argument);
            return true;
        }
        match &self.bound[at] {
            Some(known) => is_same_argument(known, &argument),
            None => {
                self.bound[at] = Some(argument);
                true
            }
        }
    }
}

/// Whether two arguments are the same; types of constants may differ where one was deduced.
fn is_same_argument(a: &TemplateArg, b: &TemplateArg) -> bool {
    match (a, b) {
        (TemplateArg::Value(_, a), TemplateArg::Value(_, b)) => a == b,
        _ => a == b,
    }
}

impl<'u> Eval<'u> {
    /// Evaluates template arguments.
    pub(crate) fn template_arguments(
        &mut self,
        arguments: &'u [TemplateArgument],
    ) -> Evaluated<Vec<TemplateArg>> {
        let mut all = Vec::with_capacity(arguments.len());
        for argument in arguments {
            match argument {
                TemplateArgument::Pack(pattern) => {
                    let mut names = Vec::new();
                    names_in_argument(pattern, &mut |name| names.push(name.clone()));
                    let length = self.pack_length_of(&names)?.unwrap_or(0);
                    for at in 0..length {
                        let argument =
                            self.at_pack_index(at, |eval| eval.template_argument(pattern))?;
                        all.push(argument);
                    }
                }
                argument => all.push(self.template_argument(argument)?),
            }
        }
        Ok(all)
    }

    /// Evaluates something for one element of the packs in it.
    pub(crate) fn at_pack_index<T>(
        &mut self,
        at: usize,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let former = self.pack_index.replace(at);
        let result = work(self);
        self.pack_index = former;
        result
    }

    /// The length of the packs among names; `None` where none of them is a pack.
    pub(crate) fn pack_length_of(&mut self, names: &[Name]) -> Evaluated<Option<usize>> {
        for name in names {
            match self.find(name)? {
                Found::Argument(TemplateArg::Pack(items)) => return Ok(Some(items.len())),
                Found::Local(Local::Pack(items)) => return Ok(Some(items.len())),
                _ => {}
            }
        }
        Ok(None)
    }

    fn template_argument(&mut self, argument: &'u TemplateArgument) -> Evaluated<TemplateArg> {
        match argument {
            TemplateArgument::Pack(pattern) => self.template_argument(pattern),
            TemplateArgument::Value(expr) => self.value_argument(expr),
            TemplateArgument::Type(ty) => match &ty.kind {
                TypeKind::Path(path) => self.path_argument(path, ty),
                _ => Ok(TemplateArg::Type(self.ty(ty)?)),
            },
        }
    }

    /// A name as an argument: a type, a template or a value.
    fn path_argument(&mut self, path: &'u Path, ty: &'u Type) -> Evaluated<TemplateArg> {
        let last = path.segments.last().expect("paths are not empty");
        let found = self.find_path(path)?;
        let found = match found {
            Found::Argument(TemplateArg::Pack(items)) => {
                let item = self.pack_index.and_then(|at| items.get(at).cloned());
                Found::Argument(item.unwrap_or(TemplateArg::Unknown))
            }
            found => found,
        };
        match &found {
            Found::Argument(argument @ (TemplateArg::Value(..) | TemplateArg::Unknown)) => {
                return Ok(argument.clone());
            }
            Found::Argument(TemplateArg::Template(id)) if last.arguments.is_none() => {
                return Ok(TemplateArg::Template(*id));
            }
            Found::Entities(entities, context, _) if last.arguments.is_none() => {
                let is_template = entities.iter().any(|entity| match entity {
                    Entity::Class(class) => class.template.is_some(),
                    Entity::Alias(alias) => alias.template.is_some(),
                    _ => false,
                });
                if is_template {
                    return Ok(TemplateArg::Template(self.template_of(entities, context)));
                }
            }
            _ => {}
        }
        let kind = self.found_type(found.clone(), last.arguments.as_deref(), last.span)?;
        if let Some(found) = kind {
            return Ok(TemplateArg::Type(match ty.is_const {
                true => found.constant(),
                false => found,
            }));
        }
        let operand = self.found_value(found, path)?;
        self.constant_argument(operand)
    }

    /// An expression as an argument. What parses as an expression may be a type as well.
    fn value_argument(&mut self, expr: &'u Expr) -> Evaluated<TemplateArg> {
        if let ExprKind::Path(path) = &expr.kind {
            let last = path.segments.last().expect("paths are not empty");
            let found = self.find_path(path)?;
            if let Found::Argument(argument @ (TemplateArg::Value(..) | TemplateArg::Type(_))) =
                &found
            {
                return Ok(argument.clone());
            }
            let ty = self.found_type(found, last.arguments.as_deref(), last.span)?;
            if let Some(ty) = ty {
                return Ok(TemplateArg::Type(ty));
            }
        }
        let operand = self.constant_operand(expr)?;
        self.constant_argument(operand)
    }

    /// The constant that an operand is.
    pub(crate) fn constant_argument(&mut self, operand: Operand) -> Evaluated<TemplateArg> {
        let operand = self.decayed(operand)?;
        let value = self.value_of(&operand)?;
        Ok(match value {
            Value::Int(_, IntValue::Known(value)) => {
                TemplateArg::Value(operand.ty.unqualified(), Constant::Int(value))
            }
            Value::Function(id) => {
                TemplateArg::Value(operand.ty.unqualified(), Constant::Function(id))
            }
            Value::Null => TemplateArg::Value(operand.ty.unqualified(), Constant::Null),
            Value::Pointer(Pointer::To(cell)) if cell.is_static() => {
                TemplateArg::Value(operand.ty.unqualified(), Constant::Cell(cell))
            }
            _ => {
                let what = "this template argument is not a constant that is known";
                self.builder.note_unknown(operand.span, what.to_owned());
                TemplateArg::Unknown
            }
        })
    }

    /// The value of a template argument that is a constant.
    pub(crate) fn argument_value(argument: &TemplateArg) -> Option<(Ty, Value)> {
        let TemplateArg::Value(ty, constant) = argument else {
            return None;
        };
        let value = match (constant, &ty.kind) {
            (Constant::Int(value), Kind::Int(of)) => Value::int(*of, *value),
            // The underlying type is put in where the value is used.
            (Constant::Int(value), _) => Value::int(super::types::IntType::LongLong, *value),
            (Constant::Function(id), _) => Value::Function(*id),
            (Constant::Cell(cell), _) => Value::Pointer(Pointer::To(*cell)),
            (Constant::Null, _) => Value::Null,
        };
        Some((ty.clone(), value))
    }

    /// Binds arguments to parameters, with defaults for what is left out; `None` where they do not fit. The scope of
    /// the template is at hand.
    pub(crate) fn bind_parameters(
        &mut self,
        template: &'u Template,
        arguments: Vec<TemplateArg>,
    ) -> Evaluated<Option<Bound>> {
        let mut bound: Bound = Vec::with_capacity(template.parameters.len());
        let mut given = flattened(arguments).into_iter();
        for parameter in &template.parameters {
            let argument = match (parameter.is_pack, given.next()) {
                (true, first) => {
                    let items: Vec<TemplateArg> = first.into_iter().chain(given.by_ref()).collect();
                    let mut fitted = Vec::new();
                    for item in items {
                        fitted.push(self.fitted_argument(&parameter.kind, item, &bound)?);
                    }
                    Some(TemplateArg::Pack(fitted.into()))
                }
                (false, Some(given)) => {
                    Some(self.fitted_argument(&parameter.kind, given, &bound)?)
                }
                (false, None) => self.default_argument(&parameter.kind, &bound)?,
            };
            let Some(argument) = argument else {
                return Ok(None);
            };
            bound.push((parameter.name.clone(), argument));
        }
        Ok(given.next().is_none().then_some(bound))
    }

    /// The default of a parameter.
    fn default_argument(
        &mut self,
        kind: &'u TemplateParameterKind,
        bound: &Bound,
    ) -> Evaluated<Option<TemplateArg>> {
        match kind {
            TemplateParameterKind::Type(Some(default)) => {
                let ty = self.with_arguments(bound, |eval| eval.ty(default))?;
                Ok(Some(TemplateArg::Type(ty)))
            }
            TemplateParameterKind::Value(_, Some(default)) => {
                let argument = self.with_arguments(bound, |eval| eval.value_argument(default))?;
                self.fitted_argument(kind, argument, bound).map(Some)
            }
            TemplateParameterKind::Template(Some(path)) => {
                self.with_arguments(bound, |eval| match eval.find_path(path)? {
                    Found::Entities(entities, context, _) => {
                        let id = eval.template_of(&entities, &context);
                        Ok(Some(TemplateArg::Template(id)))
                    }
                    Found::Argument(argument) => Ok(Some(argument)),
                    _ => Ok(None),
                })
            }
            _ => Ok(None),
        }
    }

    /// An argument as a parameter takes it: constants are converted to its type.
    fn fitted_argument(
        &mut self,
        kind: &'u TemplateParameterKind,
        argument: TemplateArg,
        bound: &Bound,
    ) -> Evaluated<TemplateArg> {
        let (TemplateParameterKind::Value(ty, _), TemplateArg::Value(_, Constant::Int(value))) =
            (kind, &argument)
        else {
            return Ok(argument);
        };
        if Self::is_placeholder(ty) {
            return Ok(argument);
        }
        let ty = self
            .with_arguments(bound, |eval| eval.ty(ty))?
            .unqualified();
        let value = match &ty.kind {
            Kind::Int(of) => of.wrap(*value),
            _ => *value,
        };
        Ok(match ty.kind {
            Kind::Int(_) | Kind::Enum(_) => TemplateArg::Value(ty, Constant::Int(value)),
            Kind::Unknown => TemplateArg::Unknown,
            _ => argument,
        })
    }

    /// What a deduction has found, with defaults for the rest; `None` where something is missing.
    pub(crate) fn deduced(&mut self, deduction: Deduction<'u>) -> Evaluated<Option<Bound>> {
        let mut bound: Bound = Vec::new();
        let parameters = &deduction.template.parameters;
        for (at, parameter) in parameters.iter().enumerate() {
            let argument = match (parameter.is_pack, &deduction.bound[at]) {
                (true, _) => Some(TemplateArg::Pack(deduction.packs[at].as_slice().into())),
                (false, Some(known)) => {
                    Some(self.fitted_argument(&parameter.kind, known.clone(), &bound)?)
                }
                (false, None) => self.default_argument(&parameter.kind, &bound)?,
            };
            match argument {
                Some(argument) if !is_unknown(&argument) => {
                    bound.push((parameter.name.clone(), argument));
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(bound))
    }

    /// Deduces parameters from a type; `false` where the pattern cannot be it. What is not dependent is not compared.
    pub(crate) fn deduce(
        &mut self,
        pattern: &'u Type,
        ty: &Ty,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        if !into.is_dependent(pattern) {
            return Ok(true);
        }
        match &pattern.kind {
            TypeKind::Path(path) => self.deduce_path(path, pattern.is_const, ty, into),
            TypeKind::Pointer(of, _) => match &ty.kind {
                Kind::Pointer(to, _) => {
                    let to = to.clone();
                    self.deduce(of, &to, into)
                }
                _ => Ok(false),
            },
            TypeKind::Reference(of) => match &ty.kind {
                Kind::Reference(to, false) => {
                    let to = to.clone();
                    self.deduce(of, &to, into)
                }
                _ => Ok(false),
            },
            TypeKind::RvalueReference(of) => match &ty.kind {
                Kind::Reference(to, true) => {
                    let to = to.clone();
                    self.deduce(of, &to, into)
                }
                _ => Ok(false),
            },
            TypeKind::Array(of, length) => {
                let Kind::Array(element, count) = &ty.kind else {
                    return Ok(false);
                };
                let (element, count) = (element.clone(), *count);
                if let (Some(length), Some(count)) = (length, count)
                    && let ExprKind::Path(path) = &length.kind
                    && let Some(at) = into.alone(path)
                {
                    let of = super::types::IntType::UnsignedLong.into();
                    let constant = TemplateArg::Value(of, Constant::Int(count.into()));
                    if !into.bind(at, constant) {
                        return Ok(false);
                    }
                } else if length.is_some() != count.is_some() {
                    return Ok(false);
                }
                self.deduce(of, &element, into)
            }
            TypeKind::Function(returns, parameters) => {
                let Kind::Function(of) = &ty.kind else {
                    return Ok(false);
                };
                let of = of.clone();
                let mut fits = self.deduce(returns, &of.returns, into)?;
                fits &= parameters.len() == of.parameters.len();
                for (pattern, ty) in parameters.iter().zip(&of.parameters) {
                    fits = fits && self.deduce(pattern, ty, into)?;
                }
                Ok(fits)
            }
            _ => Ok(true),
        }
    }

    fn deduce_path(
        &mut self,
        path: &'u Path,
        is_const: bool,
        ty: &Ty,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        if let Some(at) = into.alone(path) {
            if is_const && !ty.is_const && !into.is_call {
                return Ok(false);
            }
            let argument = match is_const {
                true => ty.clone().unqualified(),
                false => ty.clone(),
            };
            return Ok(into.bind(at, TemplateArg::Type(argument)));
        }
        let last = path.segments.last().expect("paths are not empty");
        let Some(patterns) = &last.arguments else {
            // `typename T::type` is not deduced.
            return Ok(true);
        };
        if is_const && !ty.is_const && !into.is_call {
            return Ok(false);
        }
        let head = match path.segments.as_slice() {
            [only] => into.parameter(&only.name),
            // `typename C<T>::type` is not deduced from either.
            [first, ..] if first.arguments.is_some() => return Ok(true),
            _ => None,
        };
        match &ty.kind {
            Kind::Class(class) => self.deduce_class(path, head, patterns, *class, into),
            Kind::Library(of) if head.is_none() && of.name == last.name => {
                let arguments = of.arguments.clone();
                self.deduce_arguments(patterns, &arguments, into)
            }
            _ => Ok(false),
        }
    }

    /// Deduces from a class or the first of its bases that is an instance of the template.
    fn deduce_class(
        &mut self,
        path: &'u Path,
        head: Option<usize>,
        patterns: &'u [TemplateArgument],
        class: super::types::ClassId,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        let info = &self.classes[class.index()];
        let (template, arguments) = (info.template, info.arguments.clone());
        if let Some(template) = template {
            let is_same = match head {
                Some(at) => into.bind(at, TemplateArg::Template(template)),
                None => match self.find_path(path)? {
                    Found::Entities(entities, context, _) => match entities.first() {
                        Some(Entity::Own(own)) => {
                            self.classes[own.index()].template == Some(template)
                        }
                        _ => self.template_of(&entities, &context) == template,
                    },
                    Found::Argument(TemplateArg::Template(id)) => id == template,
                    _ => false,
                },
            };
            if is_same {
                return self.deduce_arguments(patterns, &arguments, into);
            }
        }
        self.complete(class)?;
        let bases = self.classes[class.index()].bases.clone();
        for base in bases {
            if self.nested(|eval| eval.deduce_class(path, head, patterns, base.class, into))? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn deduce_arguments(
        &mut self,
        patterns: &'u [TemplateArgument],
        arguments: &[TemplateArg],
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        let arguments = flattened(arguments.to_vec());
        let mut rest = arguments.iter();
        for pattern in patterns {
            if let TemplateArgument::Pack(pattern) = pattern {
                for argument in rest.by_ref() {
                    if !self.deduce_argument(pattern, argument, into)? {
                        return Ok(false);
                    }
                }
                return Ok(true);
            }
            let Some(argument) = rest.next() else {
                return Ok(false);
            };
            if !self.deduce_argument(pattern, argument, into)? {
                return Ok(false);
            }
        }
        // A pattern may leave out arguments that have defaults.
        Ok(true)
    }

    fn deduce_argument(
        &mut self,
        pattern: &'u TemplateArgument,
        argument: &TemplateArg,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        match (pattern, argument) {
            (TemplateArgument::Type(pattern), TemplateArg::Type(ty)) => {
                if !into.is_dependent(pattern) {
                    return Ok(self.ty(pattern)? == *ty);
                }
                self.deduce(pattern, ty, into)
            }
            (TemplateArgument::Type(pattern), argument) => match &pattern.kind {
                TypeKind::Path(path) => match into.alone(path) {
                    Some(at) => Ok(into.bind(at, argument.clone())),
                    None => {
                        let known = self.path_argument(path, pattern)?;
                        Ok(is_same_argument(&known, argument))
                    }
                },
                _ => Ok(false),
            },
            (TemplateArgument::Value(pattern), argument) => {
                if let ExprKind::Path(path) = &pattern.kind
                    && let Some(at) = into.alone(path)
                {
                    return Ok(into.bind(at, argument.clone()));
                }
                let mut is_dependent = false;
                super::visit::names_in_expr(pattern, &mut |name| {
                    is_dependent |= into.parameter(name).is_some();
                });
                if is_dependent {
                    return Ok(true);
                }
                let known = self.value_argument(pattern)?;
                Ok(is_same_argument(&known, argument))
            }
            (TemplateArgument::Pack(_), _) => Ok(false),
        }
    }

    /// The specialisation of a class template for arguments, with what its own parameters stand for.
    pub(crate) fn specialisation(
        &mut self,
        entities: &[Entity<'u>],
        context: &Ctx<'u>,
        arguments: &[TemplateArg],
    ) -> Evaluated<Option<(&'u Class, Bound)>> {
        let mut best: Option<(u32, &'u Class, Bound)> = None;
        for entity in entities {
            let Entity::Class(class) = *entity else {
                continue;
            };
            let last = class.path.as_ref().and_then(|path| path.segments.last());
            let (Some(patterns), Some(template)) = (
                last.and_then(|last| last.arguments.as_deref()),
                &class.template,
            ) else {
                continue;
            };
            let fitting = self.in_context(context.clone(), |eval| {
                let had_failed = std::mem::take(&mut eval.has_failed);
                let state = eval.state();
                let mut deduction = Deduction::new(template, &[]);
                let mut fits = eval.deduce_arguments(patterns, arguments, &mut deduction)?;
                let mut bound = None;
                if fits {
                    bound = eval.deduced(deduction)?;
                }
                if let Some(bound) = &bound {
                    // Parts that are not deduced, `enable_if_t<…>` among them, have to be the arguments as well.
                    let whole =
                        eval.with_arguments(bound, |eval| eval.template_arguments(patterns))?;
                    let whole = flattened(whole);
                    let given = flattened(arguments.to_vec());
                    fits = !eval.has_failed
                        && whole.len() <= given.len()
                        && whole
                            .iter()
                            .zip(&given)
                            .all(|(a, b)| is_same_argument(a, b));
                }
                // Notes of what does not fit are not of the program.
                eval.roll_back(&state);
                eval.leave_state(&state);
                eval.has_failed = had_failed;
                Ok(bound.filter(|_| fits))
            })?;
            if let Some(bound) = fitting {
                let weight = specificity(patterns, template);
                if best.as_ref().is_none_or(|(known, ..)| weight > *known) {
                    best = Some((weight, class, bound));
                }
            }
        }
        Ok(best.map(|(_, class, bound)| (class, bound)))
    }
}

/// Arguments with packs spread out.
pub(crate) fn flattened(arguments: Vec<TemplateArg>) -> Vec<TemplateArg> {
    if !arguments
        .iter()
        .any(|it| matches!(it, TemplateArg::Pack(_)))
    {
        return arguments;
    }
    let mut all = Vec::new();
    for argument in arguments {
        match argument {
            TemplateArg::Pack(items) => all.extend(items.iter().cloned()),
            other => all.push(other),
        }
    }
    all
}

/// How special patterns are: each part that is no parameter counts, and parameters that occur twice.
fn specificity(patterns: &[TemplateArgument], template: &Template) -> u32 {
    let mut parts = 0;
    let mut seen: Vec<Name> = Vec::new();
    let is_parameter = |name: &Name| template.parameters.iter().any(|it| it.name == *name);
    for pattern in patterns {
        parts += structure(pattern);
        names_in_argument(pattern, &mut |name| {
            if !is_parameter(name) || seen.contains(name) {
                parts += 2;
            } else {
                seen.push(name.clone());
            }
        });
        if !matches!(pattern, TemplateArgument::Pack(_)) {
            parts += 1;
        }
    }
    parts
}

fn structure(pattern: &TemplateArgument) -> u32 {
    match pattern {
        TemplateArgument::Type(ty) => type_structure(ty),
        TemplateArgument::Value(_) => 0,
        TemplateArgument::Pack(pattern) => structure(pattern),
    }
}

fn type_structure(ty: &Type) -> u32 {
    let own = u32::from(ty.is_const);
    own + match &ty.kind {
        TypeKind::Pointer(of, _)
        | TypeKind::Reference(of)
        | TypeKind::RvalueReference(of)
        | TypeKind::Array(of, _) => 2 + type_structure(of),
        TypeKind::Path(path) => {
            let arguments = path
                .segments
                .iter()
                .filter_map(|part| part.arguments.as_ref());
            arguments.flatten().map(|it| 1 + structure(it)).sum()
        }
        TypeKind::Function(returns, parameters) => {
            2 + type_structure(returns) + parameters.iter().map(type_structure).sum::<u32>()
        }
        _ => 4,
    }
}
