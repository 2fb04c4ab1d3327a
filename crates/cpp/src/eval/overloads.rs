//! Overload resolution.

use std::rc::Rc;

use super::Eval;
use super::conversions::{BOUND_CONST, ELLIPSIS, EXACT, QUALIFIED, Rank, is_untyped};
use super::functions::{is_specialisation, own_template};
use super::substitution::Failure;
use super::templates::{Bound, Deduction, flattened};
use super::types::{FunctionType, Kind, TemplateArg, Ty};
use super::values::{FunctionId, Operand, Overloads, Place};
use crate::library::Evaluated;
use crate::syntax::NOWHERE;
use crate::syntax::ast::{CallableOn, Function, FunctionKind, Init, Type, TypeKind};

/// The function that overload resolution has chosen, with its own template arguments.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub function: FunctionId,
    pub bound: Bound,
}

/// A function that can be called with the arguments.
#[derive(Debug)]
struct Candidate {
    chosen: Chosen,
    ranks: Vec<Rank>,
    is_template: bool,
    /// The specificity of the parameters of a template.
    weight: u32,
    has_body: bool,
    parameters: Vec<Ty>,
}

/// The outcome of asking whether a function can be called.
enum Tried {
    No,
    Viable(Candidate),
    /// Whether it takes part depends on something that is not known.
    NotKnown,
}

/// Why no function was chosen, as the start of a clause: "… of `f`".
pub(crate) type NoChoice = &'static str;

const NONE: NoChoice = "no overload fits this call";
const SEVERAL: NoChoice = "which overload is meant is not known for this call";

impl<'u> Eval<'u> {
    /// Chooses among functions for arguments.
    pub(crate) fn choose(
        &mut self,
        functions: &[FunctionId],
        explicit: Option<&[TemplateArg]>,
        object: Option<&Operand>,
        arguments: &[Operand],
    ) -> Evaluated<Result<Chosen, NoChoice>> {
        let mut viable: Vec<Candidate> = Vec::new();
        for &function in functions {
            match self.candidate(function, explicit, object, arguments)? {
                Tried::Viable(candidate) => viable.push(candidate),
                Tried::No => {}
                Tried::NotKnown => return Ok(Err(SEVERAL)),
            }
        }
        if viable.is_empty() {
            return Ok(Err(NONE));
        }
        if best_of(&viable).is_none() {
            let (own, library): (Vec<_>, Vec<_>) = viable
                .into_iter()
                .partition(|it| self.info(it.chosen.function).decl.path.span != NOWHERE);
            // The program compiles, so the call is not ambiguous for the compiler: the declarations of the library that
            // are used here may be more general than the real ones. The project's own are exact, so they are taken
            // unless a function of the library fits an argument better.
            let fits_better = |it: &Candidate, own: &Candidate| {
                it.ranks.iter().zip(&own.ranks).any(|(a, b)| a < b)
            };
            let is_rivalled = library
                .iter()
                .any(|it| own.iter().any(|own| fits_better(it, own)));
            viable = if is_rivalled { Vec::new() } else { own };
        }
        let best = best_of(&viable)
            .filter(|&best| !self.library.reads_all() || is_decided(&viable, best, arguments));
        match best {
            Some(best) => Ok(Ok(viable.swap_remove(best).chosen)),
            None => Ok(Err(SEVERAL)),
        }
    }

    /// Records that no function was chosen for a call: where all is known of it, a compiler finds none either.
    pub(super) fn fails_to_choose(
        &mut self,
        why: NoChoice,
        functions: &[FunctionId],
        arguments: &[Operand],
    ) {
        let is_open = |id: &FunctionId| self.info(*id).decl.path.span == NOWHERE;
        let is_unknown = |it: &Operand| it.ty.kind == Kind::Unknown && !is_untyped(it);
        let is_sure =
            why == NONE && !functions.iter().any(is_open) && !arguments.iter().any(is_unknown);
        self.fails(match is_sure {
            true => Failure::IllFormed,
            false => Failure::NotKnown,
        });
    }

    /// Formats what a call gives, and what functions take instead if its number of arguments is wrong, for the end of a
    /// clause: ` with (LocalTensor<half>, int)`.
    pub(super) fn asked(&self, functions: &[FunctionId], arguments: &[Operand]) -> String {
        let types: Vec<String> = arguments.iter().map(|it| self.type_name(&it.ty)).collect();
        let given = format!(" with ({})", types.join(", "));
        let declared = functions.iter().map(|&function| self.info(function).decl);
        let parameters = declared.map(|decl| &decl.parameters);
        let fits = |count: usize| count == arguments.len();
        if parameters.clone().any(|all| fits(all.len())) {
            return given;
        }
        // The shortest list says most of the parameters that every form has.
        let Some(shortest) = parameters.min_by_key(|all| all.len()) else {
            return given;
        };
        let names: Vec<&str> = shortest.iter().map(|it| &*it.name).collect();
        match names.iter().any(|name| name.is_empty()) {
            true => given,
            false => format!("{given}; it takes ({})", names.join(", ")),
        }
    }

    fn candidate(
        &mut self,
        function: FunctionId,
        explicit: Option<&[TemplateArg]>,
        object: Option<&Operand>,
        arguments: &[Operand],
    ) -> Evaluated<Tried> {
        self.step()?;
        let info = self.info(function);
        let (decl, context) = (info.decl, info.context.clone());
        let is_member = info.class.is_some() && !decl.is_static;
        // Declarations of the library may name what no kernel uses.
        let not_known = match decl.path.span == NOWHERE {
            true => Tried::No,
            false => Tried::NotKnown,
        };
        // Specialisations take no part: the primary template is chosen first, and then specialised.
        if is_specialisation(decl) || decl.is_deleted && decl.kind != FunctionKind::Plain {
            return Ok(Tried::No);
        }
        let needed = decl
            .parameters
            .iter()
            .filter(|it| matches!(it.init, Init::None) && !it.is_pack)
            .count();
        let is_open = decl.is_variadic || decl.parameters.iter().any(|it| it.is_pack);
        if arguments.len() < needed || arguments.len() > decl.parameters.len() && !is_open {
            return Ok(Tried::No);
        }
        let (bound, is_template) = match own_template(decl) {
            None if explicit.is_some_and(|explicit| !explicit.is_empty()) => return Ok(Tried::No),
            None => (Vec::new(), false),
            Some(template) => {
                let explicit = explicit.unwrap_or_default();
                let (bound, failure) = self.tried(|eval| {
                    eval.in_context(context.clone(), |eval| {
                        let mut deduction = Deduction::new(template, explicit);
                        deduction.is_call = true;
                        match eval.deduce_call(decl, arguments, explicit.len(), &mut deduction)? {
                            true => eval.deduced(deduction),
                            false => Ok(None),
                        }
                    })
                })?;
                match (bound, failure) {
                    (Some(bound), Failure::No) => (bound, true),
                    (Some(_), Failure::NotKnown) => return Ok(not_known),
                    _ => return Ok(Tried::No),
                }
            }
        };
        // What substitution makes ill-formed is no candidate.
        let signature = match is_template {
            true => match self.tried(|eval| eval.signature(function, &bound))? {
                (signature, Failure::No) => signature,
                (_, Failure::IllFormed) => return Ok(Tried::No),
                (_, Failure::NotKnown) => return Ok(not_known),
            },
            false => self.signature(function, &bound)?,
        };
        let mut ranks = Vec::with_capacity(arguments.len() + 1);
        if let Some(object) = object.filter(|_| is_member) {
            match object_rank(object, decl) {
                Some(rank) => ranks.push(rank),
                None => return Ok(Tried::No),
            }
        } else if object.is_some() {
            ranks.push(EXACT);
        }
        let parameters = &signature.parameters;
        if arguments.len() > parameters.len() && !decl.is_variadic {
            return Ok(Tried::No);
        }
        for (at, argument) in arguments.iter().enumerate() {
            let rank = match parameters.get(at) {
                Some(ty) => self.implicit_rank(argument, ty)?,
                None => Some(ELLIPSIS),
            };
            match rank {
                Some(rank) => ranks.push(rank),
                None => return Ok(Tried::No),
            }
        }
        let weight = match is_template {
            true => call_weight(decl, arguments.len()),
            false => 0,
        };
        Ok(Tried::Viable(Candidate {
            ranks,
            is_template,
            weight,
            has_body: decl.body.is_some(),
            parameters: signature.parameters.clone(),
            chosen: Chosen { function, bound },
        }))
    }

    /// Deduces template parameters from the arguments of a call.
    pub(super) fn deduce_call(
        &mut self,
        decl: &'u Function,
        arguments: &[Operand],
        explicit: usize,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        let mut rest = arguments.iter();
        for parameter in &decl.parameters {
            if parameter.is_pack {
                let is_given = explicit > 0 && into.has_elements_for(&parameter.ty);
                for argument in rest.by_ref() {
                    if !is_given && !self.deduce_from(&parameter.ty, argument, into)? {
                        return Ok(false);
                    }
                }
                continue;
            }
            let Some(argument) = rest.next() else {
                break;
            };
            if !self.deduce_from(&parameter.ty, argument, into)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub(super) fn deduce_from(
        &mut self,
        pattern: &'u Type,
        argument: &Operand,
        into: &mut Deduction<'u>,
    ) -> Evaluated<bool> {
        if into.is_explicit(pattern) {
            return Ok(true);
        }
        let mut ty = argument.ty.clone();
        match &argument.place {
            Place::Braces(_) => return Ok(true),
            Place::Overloads(overloads) => match self.only_function(&overloads.clone())? {
                Some((_, of)) => ty = of,
                None => return Ok(true),
            },
            _ => {}
        }
        // Deduction from an unknown type could bind a parameter to the wrong type.
        if ty.kind == Kind::Unknown {
            // A parameter that only this argument tells stays unknown, and the call with it.
            return Ok(true);
        }
        match &pattern.kind {
            TypeKind::Reference(of) => {
                let ty = if of.is_const { ty.constant() } else { ty };
                self.deduce(of, &ty, into)
            }
            TypeKind::RvalueReference(of) => {
                let is_forwarding = !of.is_const && into.is_alone(of);
                // `T &&` of a template takes lvalues as well: `T` is a reference then.
                let ty = match is_forwarding && argument.is_lvalue() {
                    true => ty.reference_to(false),
                    false => ty,
                };
                self.deduce(of, &ty, into)
            }
            _ => {
                let ty = match &ty.kind {
                    Kind::Array(of, _) => of.as_ref().clone().pointer_to(),
                    Kind::Function(_) => ty.pointer_to(),
                    _ => ty.unqualified(),
                };
                let ty = if pattern.is_const { ty.constant() } else { ty };
                self.deduce(pattern, &ty, into)
            }
        }
    }

    /// Returns the function of a set that has only one, with its type.
    pub(crate) fn only_function(
        &mut self,
        overloads: &Rc<Overloads>,
    ) -> Evaluated<Option<(FunctionId, Ty)>> {
        let mut found: Option<(FunctionId, Ty)> = None;
        for &function in &overloads.functions {
            let decl = self.info(function).decl;
            let bound = match (own_template(decl), &overloads.arguments) {
                (None, None) => Vec::new(),
                (Some(template), Some(arguments)) => {
                    let context = self.info(function).context.clone();
                    let arguments = arguments.to_vec();
                    let bound =
                        self.in_context(context, |eval| eval.bind_parameters(template, arguments))?;
                    match bound {
                        Some(bound) => bound,
                        None => continue,
                    }
                }
                _ => continue,
            };
            let signature = self.signature(function, &bound)?;
            let ty = Kind::Function(Rc::new(FunctionType {
                returns: signature.returns.clone().unwrap_or_else(Ty::unknown),
                parameters: signature.parameters.clone(),
            }));
            let instance = self.instance(function, bound);
            match &found {
                // Declarations of the same function.
                Some((_, known)) if known.kind == ty => {
                    if decl.body.is_some() {
                        found = Some((instance, ty.into()));
                    }
                }
                Some(_) => return Ok(None),
                None => found = Some((instance, ty.into())),
            }
        }
        Ok(found)
    }

    /// Returns the function of a set that has a given type.
    pub(crate) fn function_of_type(
        &mut self,
        overloads: &Rc<Overloads>,
        to: &Ty,
    ) -> Evaluated<Option<FunctionId>> {
        let of = match &to.kind {
            Kind::Pointer(of, _) | Kind::Reference(of, _) => of.kind.clone(),
            kind => kind.clone(),
        };
        let Kind::Function(of) = of else {
            return Ok(self.only_function(overloads)?.map(|(id, _)| id));
        };
        let arguments: Vec<Operand> = of
            .parameters
            .iter()
            .map(|ty| {
                let span = a2lint_source::text::Span::default();
                let operand = Operand::unknown_of(ty.referred().clone(), span);
                match ty.is_reference() {
                    true => Operand {
                        place: Place::Remote(super::Value::Unknown),
                        ..operand
                    },
                    false => operand,
                }
            })
            .collect();
        let explicit = overloads.arguments.as_deref();
        let chosen = self.choose(&overloads.functions, explicit, None, &arguments)?;
        Ok(match chosen {
            Ok(chosen) => Some(self.instance(chosen.function, chosen.bound)),
            Err(_) => None,
        })
    }
}

/// Returns the index of the candidate that is better than all others.
fn best_of(viable: &[Candidate]) -> Option<usize> {
    let mut best = 0;
    for at in 1..viable.len() {
        if is_better(&viable[at], &viable[best]) {
            best = at;
        }
    }
    let is_best = |at: usize| at == best || is_better(&viable[best], &viable[at]);
    (!viable.is_empty() && (0..viable.len()).all(is_best)).then_some(best)
}

/// Returns whether the types of arguments decide that a candidate is meant: those that are not known could mean others.
fn is_decided(viable: &[Candidate], best: usize, arguments: &[Operand]) -> bool {
    let mut known = arguments.iter().enumerate();
    known.all(|(at, argument)| {
        let of = |candidate: &Candidate| candidate.parameters.get(at).cloned();
        argument.ty.kind != Kind::Unknown
            || !matches!(argument.place, Place::Value(_) | Place::Cell(_))
            || viable.iter().all(|it| of(it) == of(&viable[best]))
    })
}

/// Returns the rank of calling a member function on an object; `None` if it cannot be called on it.
fn object_rank(object: &Operand, decl: &Function) -> Option<Rank> {
    let qualified = match (object.ty.is_const, decl.is_const) {
        (true, false) => return None,
        (false, true) => QUALIFIED,
        _ => EXACT,
    };
    match (decl.callable_on, object.is_lvalue()) {
        (CallableOn::Any, _) | (CallableOn::Lvalues, true) | (CallableOn::Rvalues, false) => {
            Some(qualified)
        }
        (CallableOn::Lvalues, false) => decl.is_const.then_some(qualified + BOUND_CONST),
        (CallableOn::Rvalues, true) => None,
    }
}

/// Returns whether a candidate is better than another one.
fn is_better(a: &Candidate, b: &Candidate) -> bool {
    let pairs = || a.ranks.iter().zip(&b.ranks);
    if pairs().any(|(a, b)| a > b) {
        return false;
    }
    if pairs().any(|(a, b)| a < b) {
        return true;
    }
    match (a.is_template, b.is_template) {
        (false, true) => return true,
        (true, false) => return false,
        _ => {}
    }
    if a.weight != b.weight {
        return a.weight > b.weight;
    }
    // Declarations of the same function; that with a body tells more.
    a.parameters == b.parameters && (a.has_body || !b.has_body)
}

/// Returns the specificity of the parameters that a call uses: the number of parts that are no template parameters.
fn call_weight(decl: &Function, arguments: usize) -> u32 {
    let parameters = decl.parameters.iter();
    parameters
        .take(arguments.max(1))
        .map(|it| type_weight(&it.ty) + if it.is_pack { 0 } else { 1 })
        .sum()
}

fn type_weight(ty: &Type) -> u32 {
    let own = u32::from(ty.is_const);
    own + match &ty.kind {
        TypeKind::Pointer(of, _) => 4 + type_weight(of),
        TypeKind::Reference(of) | TypeKind::RvalueReference(of) => type_weight(of),
        TypeKind::Array(of, length) => 4 + u32::from(length.is_some()) + type_weight(of),
        TypeKind::Path(path) => {
            use crate::syntax::ast::TemplateArgument;
            let arguments = path
                .segments
                .iter()
                .filter_map(|part| part.arguments.as_ref());
            arguments
                .flatten()
                .map(|argument| match argument {
                    TemplateArgument::Type(ty) => 4 + type_weight(ty),
                    TemplateArgument::Value(_) => 4,
                    TemplateArgument::Pack(_) => 3,
                })
                .sum()
        }
        TypeKind::Function(returns, parameters) => {
            4 + type_weight(returns) + parameters.iter().map(type_weight).sum::<u32>()
        }
        _ => 8,
    }
}

/// Returns all template arguments of a function, with packs expanded.
pub(crate) fn all_arguments(bound: &Bound) -> Vec<TemplateArg> {
    flattened(bound.iter().map(|(_, argument)| argument.clone()).collect())
}
