//! Template arguments: evaluation, binding to parameters, deduction, and choice of specialisations.

use std::rc::Rc;

use super::Eval;
use super::names::{Entity, Found, Local};
use super::resolve::is_unknown;
use super::types::{Constant, Kind, TemplateArg, Ty};
use super::values::{FunctionId, IntValue, Operand, Overloads, Place, Pointer, Value};
use super::visit::{names_in_argument, names_in_type};
use crate::library::Evaluated;
use crate::syntax::ast::{
    Expr, ExprKind, Name, Path, Template, TemplateArgument, TemplateParameterKind, Type, TypeKind,
};

/// Names of template parameters with their arguments.
pub(crate) type Bound = Vec<(Name, TemplateArg)>;

/// A deduction under way: one entry for each parameter.
#[derive(Debug)]
pub(crate) struct Deduction<'u> {
    pub template: &'u Template,
    pub bound: Vec<Option<TemplateArg>>,
    /// Elements of packs, while they are deduced one by one.
    packs: Vec<Vec<TemplateArg>>,
    /// The number of explicit arguments.
    explicit: usize,
    /// Whether the deduction is from the arguments of a call, which may lack a `const` of the parameter.
    pub is_call: bool,
}

impl<'u> Deduction<'u> {
    /// Creates a deduction with the explicit arguments and nothing deduced.
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

    /// Returns whether explicit arguments determine all parameters in a type, so that arguments are converted to it.
    pub fn is_explicit(&self, ty: &Type) -> bool {
        let mut all = self.explicit > 0;
        names_in_type(ty, &mut |name| {
            if let Some(at) = self.parameter(name) {
                all &= at < self.explicit && !self.template.parameters[at].is_pack;
            }
        });
        all
    }

    /// Returns whether a type consists of only a parameter.
    pub fn is_alone(&self, ty: &Type) -> bool {
        matches!(&ty.kind, TypeKind::Path(path) if self.alone(path).is_some())
    }

    /// Returns whether a pack in a type has explicit elements.
    pub fn has_elements_for(&self, ty: &Type) -> bool {
        let mut found = false;
        names_in_type(ty, &mut |name| {
            let at = self.parameter(name);
            found |= at.is_some_and(|at| !self.packs[at].is_empty());
        });
        found
    }

    pub(super) fn parameter(&self, name: &str) -> Option<usize> {
        let parameters = &self.template.parameters;
        parameters.iter().position(|it| &*it.name == name)
    }

    /// Returns the template parameter that a path consists of.
    pub(super) fn alone(&self, path: &Path) -> Option<usize> {
        match path.segments.as_slice() {
            [only] if !path.is_absolute && only.arguments.is_none() => self.parameter(&only.name),
            _ => None,
        }
    }

    /// Returns whether a type mentions a parameter.
    pub fn is_dependent(&self, ty: &Type) -> bool {
        let mut found = false;
        names_in_type(ty, &mut |name| found |= self.parameter(name).is_some());
        found
    }

    /// Returns what each parameter was deduced to be; `None` for those that were not.
    pub(super) fn found(&self) -> Vec<Option<TemplateArg>> {
        let packs = self.packs.iter().zip(&self.template.parameters);
        let packs = packs.map(|(items, it)| {
            (it.is_pack && !items.is_empty()).then(|| TemplateArg::Pack(items.as_slice().into()))
        });
        let bound = self.bound.iter().cloned();
        bound.zip(packs).map(|(one, pack)| one.or(pack)).collect()
    }

    /// Binds a parameter; `false` where it is bound to something else.
    pub(super) fn bind(&mut self, at: usize, argument: TemplateArg) -> bool {
        // Elements of a pack are deduced one after the other; each may be another type.
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

/// Returns whether two arguments are the same; types of constants may differ where one was deduced.
pub(super) fn is_same_argument(a: &TemplateArg, b: &TemplateArg) -> bool {
    match (a, b) {
        // `N` deduced from an array bound is a `size_t`, even if the parameter has another type.
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
                    // All packs of one expansion have the same length, so the first pack decides.
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
        // Expansions nest, and the inner one must not see the element of the outer one afterwards.
        let former = self.pack_index.replace(at);
        let result = work(self);
        self.pack_index = former;
        result
    }

    /// Returns the common length of the packs among some names; `None` if none of the names is a pack.
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

    /// Evaluates a name as a template argument: a type, a template or a value.
    pub(super) fn path_argument(&mut self, path: &'u Path, ty: &'u Type) -> Evaluated<TemplateArg> {
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
                // A template without arguments is an argument for a template template parameter.
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

    /// Evaluates an expression as a template argument. What parses as an expression may be a type as well.
    pub(super) fn value_argument(&mut self, expr: &'u Expr) -> Evaluated<TemplateArg> {
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

    /// Returns an operand that is a constant as a template argument.
    pub(crate) fn constant_argument(&mut self, operand: Operand) -> Evaluated<TemplateArg> {
        if matches!(operand.ty.kind, Kind::Class(_))
            && let Some(cell) = operand.object().filter(|cell| cell.is_static())
        {
            return Ok(TemplateArg::Value(operand.ty, Constant::Cell(cell)));
        }
        if let Place::Overloads(overloads) = &operand.place
            && overloads.object.is_none()
            && overloads.arguments.is_none()
            && !overloads.functions.is_empty()
        {
            let overloads = overloads.clone();
            if self.only_function(&overloads)?.is_none() {
                let functions = Constant::Functions(overloads.functions.as_slice().into());
                return Ok(TemplateArg::Value(Ty::unknown(), functions));
            }
        }
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
            // Only an object with static storage has an address that is a constant.
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

    /// Returns the value of a template argument that is a constant.
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
            (Constant::Functions(_), _) => return None,
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
                    // A pack takes all arguments that are left, none included.
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

    /// Returns the default of a parameter.
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

    /// Converts an argument to what a template parameter takes: constants to its type.
    fn fitted_argument(
        &mut self,
        kind: &'u TemplateParameterKind,
        argument: TemplateArg,
        bound: &Bound,
    ) -> Evaluated<TemplateArg> {
        if let (TemplateParameterKind::Value(ty, _), TemplateArg::Value(_, constant)) =
            (kind, &argument)
            && let Constant::Functions(functions) = constant
        {
            let functions = functions.clone();
            return self.function_argument(ty, &functions, bound);
        }
        let (TemplateParameterKind::Value(ty, _), TemplateArg::Value(_, Constant::Int(value))) =
            (kind, &argument)
        else {
            return Ok(argument);
        };
        // `template <auto N>` keeps the type of the argument.
        if Self::is_placeholder(ty) {
            return Ok(argument);
        }
        let ty = self
            .with_arguments(bound, |eval| eval.ty(ty))?
            .unqualified();
        let value = match &ty.kind {
            // The arguments are converted first, so that `Buffer<-1>` with an unsigned parameter names the instance of
            // the converted number.
            Kind::Int(of) => of.wrap(*value),
            _ => *value,
        };
        Ok(match ty.kind {
            Kind::Int(_) | Kind::Enum(_) => TemplateArg::Value(ty, Constant::Int(value)),
            Kind::Unknown => TemplateArg::Unknown,
            _ => argument,
        })
    }

    /// Returns the function among several that a template parameter of a type takes.
    fn function_argument(
        &mut self,
        ty: &'u Type,
        functions: &[FunctionId],
        bound: &Bound,
    ) -> Evaluated<TemplateArg> {
        let ty = self
            .with_arguments(bound, |eval| eval.ty(ty))?
            .unqualified();
        let overloads = Overloads {
            name: self.function_name(functions[0]).into(),
            functions: functions.to_vec(),
            arguments: None,
            object: None,
            is_library: false,
        };
        Ok(match self.function_of_type(&Rc::new(overloads), &ty)? {
            Some(id) if ty.kind != Kind::Unknown => TemplateArg::Value(ty, Constant::Function(id)),
            _ => TemplateArg::Unknown,
        })
    }

    /// Returns the arguments that a deduction has found, with defaults for the rest; `None` if one is missing.
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
                // An unknown argument would make different instances compare equal.
                Some(argument) if !is_unknown(&argument) => {
                    bound.push((parameter.name.clone(), argument));
                }
                _ => return Ok(None),
            }
        }
        Ok(Some(bound))
    }
}

/// Returns arguments with packs expanded.
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

/// Returns the specificity of some patterns, which decides between specialisations: the number of parts that are no
/// parameters, plus the repeated uses of a parameter.
pub(super) fn specificity(patterns: &[TemplateArgument], template: &Template) -> u32 {
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
