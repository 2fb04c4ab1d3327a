//! Lambdas: what they capture, and calls of them.

use std::rc::Rc;

use a2lint_source::text::Span;

use super::Eval;
use super::calls::Body;
use super::frame::inner_context;
use super::names::{Context, ContextKind, Ctx, Local};
use super::templates::{Bound, Deduction};
use super::types::{ClosureId, Kind, Ty};
use super::values::{Captured, CellId, Closure, Operand, Place, Value};
use super::visit::names_in_block;
use crate::library::Evaluated;
use crate::syntax::ast::{CaptureDefault, Lambda, Name};

/// The capture of the object that `this` points to, by copy.
const STAR_THIS: &str = "*this";

/// The type of a lambda expression.
#[derive(Debug)]
pub(crate) struct ClosureInfo<'u> {
    pub lambda: &'u Lambda,
    /// The scope around it, with local types.
    pub context: Ctx<'u>,
}

impl<'u> Eval<'u> {
    /// Returns the scope for declarations inside of the current function, with its local types.
    pub(crate) fn local_context(&mut self) -> Ctx<'u> {
        // A local class can name the types of the enclosing function, but not its variables.
        let is_type = |local: &Local<'u>| matches!(local, Local::Type(_) | Local::Entities(..));
        let types = self.frame.locals.iter().filter(|(_, local)| is_type(local));
        let types: Vec<(Name, Local<'u>)> = types.cloned().collect();
        match types.is_empty() {
            true => self.frame.context.clone(),
            false => Rc::new(Context {
                parent: Some(self.frame.context.clone()),
                kind: ContextKind::Block(types),
            }),
        }
    }

    /// Evaluates a lambda expression to its object.
    pub(crate) fn closure(&mut self, lambda: &'u Lambda, span: Span) -> Evaluated<Operand> {
        let context = self.local_context();
        let ty = ClosureId(self.closures.len() as u32);
        let ty = match self.closure_id(lambda, &context) {
            Some(known) => known,
            None => {
                self.closures.push(ClosureInfo { lambda, context });
                ty
            }
        };
        let mut captures: Vec<(Name, Captured)> = Vec::new();
        let mut this = None;
        match lambda.default {
            CaptureDefault::None => {}
            // All locals are captured by reference: that is free, so the body is not searched for the names that it
            // uses.
            CaptureDefault::ByReference => {
                this = self.frame.this.clone();
                for (name, local) in &self.frame.locals {
                    if let Some(captured) = reference_to(local) {
                        captures.push((name.clone(), captured));
                    }
                }
            }
            CaptureDefault::ByCopy => {
                this = self.frame.this.clone();
                let mut names: Vec<Name> = Vec::new();
                // A copy runs a constructor, so only what the body names is copied.
                names_in_block(&lambda.body, &mut |name| {
                    if !names.contains(name) {
                        names.push(name.clone());
                    }
                });
                for name in names {
                    if let Some(local) = self.frame.find(&name) {
                        let captured = self.copy_of(&local, span)?;
                        captures.extend(captured.map(|captured| (name, captured)));
                    }
                }
            }
        }
        for capture in &lambda.captures {
            if &*capture.name == "this" {
                this = self.frame.this.clone();
                continue;
            }
            if &*capture.name == STAR_THIS {
                this = self.copy_of_this(span)?;
                continue;
            }
            let captured = match (&capture.value, capture.by_reference) {
                (Some(value), by_reference) => {
                    let operand = self.expr(value)?;
                    match by_reference {
                        true => {
                            let operand = self.materialised(operand)?;
                            captured(&operand.ty.clone(), &operand.place)
                        }
                        false => {
                            let operand = self.decayed(operand)?;
                            Some(self.copied(operand)?)
                        }
                    }
                }
                (None, by_reference) => match (self.frame.find(&capture.name), by_reference) {
                    (Some(local), true) => reference_to(&local),
                    (Some(local), false) => self.copy_of(&local, span)?,
                    (None, _) => None,
                },
            };
            captures.extend(captured.map(|captured| (capture.name.clone(), captured)));
        }
        let this = this.map(|(cell, _)| cell);
        let closure = Closure { ty, captures, this };
        let value = Value::Closure(Rc::new(closure));
        Ok(Operand::value(Kind::Closure(ty), value, span))
    }

    /// Returns the type of a lambda expression that was already evaluated in the same instance of its function.
    fn closure_id(&self, lambda: &'u Lambda, context: &Ctx<'u>) -> Option<ClosureId> {
        let same = |info: &ClosureInfo<'u>| {
            std::ptr::eq(info.lambda, lambda) && is_same_context(&info.context, context)
        };
        // Each evaluation of the expression creates a scope; the type must stay the same for template arguments.
        let at = self.closures.iter().rposition(same)?;
        Some(ClosureId(at as u32))
    }

    /// Copies a local variable for a capture. Static variables are not captured.
    fn copy_of(&mut self, local: &Local<'u>, span: Span) -> Evaluated<Option<Captured>> {
        match local {
            // The body reaches a static variable itself, without a capture.
            Local::Object(_, Place::Cell(cell)) if cell.is_static() => Ok(reference_to(local)),
            Local::Object(ty, place) => {
                let operand = Operand {
                    ty: ty.clone(),
                    place: place.clone(),
                    span,
                };
                self.copied(operand).map(Some)
            }
            Local::Pack(items) => {
                let mut all = Vec::new();
                for item in items.iter() {
                    all.extend(self.copy_of(item, span)?);
                }
                Ok(Some(Captured::Pack(all)))
            }
            Local::Type(_) | Local::Entities(..) => Ok(None),
        }
    }

    /// Copies the object that `[*this]` captures.
    fn copy_of_this(&mut self, span: Span) -> Evaluated<Option<(CellId, Ty)>> {
        let Some((cell, ty)) = self.frame.this.clone() else {
            return Ok(None);
        };
        match self.copied(Operand::cell(ty.clone(), cell, span))? {
            Captured::Cell(copy, _) => Ok(Some((copy, ty))),
            _ => Ok(None),
        }
    }

    fn copied(&mut self, operand: Operand) -> Evaluated<Captured> {
        let ty = operand.ty.clone().unqualified();
        if let Place::Temporary(cell) = operand.place {
            // The closure is the owner of the object now.
            self.forget_temporary(cell);
            return Ok(Captured::Cell(cell, ty));
        }
        let cell = self.temporary(&ty)?;
        self.initialise_from(cell, &ty, operand)?;
        Ok(Captured::Cell(cell, ty))
    }

    /// Copies a `mutable` lambda with its captures.
    pub(crate) fn copied_closure(&mut self, closure: &Rc<Closure>) -> Evaluated<Rc<Closure>> {
        let lambda = self.closures[closure.ty.index()].lambda;
        let mut captures = closure.captures.clone();
        for (name, captured) in &mut captures {
            let explicit = lambda.captures.iter().find(|it| it.name == *name);
            let by_reference = match explicit {
                Some(explicit) => explicit.by_reference,
                None => lambda.default == CaptureDefault::ByReference,
            };
            if let (Captured::Cell(cell, ty), false) = (&mut *captured, by_reference) {
                let copy = self.temporary(ty)?;
                self.copy_cells(copy, *cell)?;
                *cell = copy;
            }
        }
        let mut this = closure.this;
        if let Some(cell) = this
            && lambda.captures.iter().any(|it| &*it.name == STAR_THIS)
        {
            let ty = self.memory.get(cell).ty.clone();
            let copy = self.temporary(&ty)?;
            self.copy_cells(copy, cell)?;
            this = Some(copy);
        }
        Ok(Rc::new(Closure {
            ty: closure.ty,
            captures,
            this,
        }))
    }

    /// Returns the lambda expression that has made a closure.
    pub(super) fn lambda_of(&self, closure: &Closure) -> &'u Lambda {
        self.closures[closure.ty.index()].lambda
    }

    /// Calls a lambda.
    pub(crate) fn call_closure(
        &mut self,
        closure: &Rc<Closure>,
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<Operand> {
        let info = &self.closures[closure.ty.index()];
        let (lambda, context) = (info.lambda, info.context.clone());
        let Some((bound, types)) = self.lambda_types(lambda, &context, &arguments)? else {
            let what = "the arguments of this lambda do not fit";
            return Ok(self.unknown(span, what));
        };
        let context = inner_context(&context, &bound);
        let mut returns = None;
        let mut placeholder = None;
        match &lambda.returns {
            Some(ty) if Eval::is_placeholder(ty) => placeholder = Some(ty),
            Some(ty) => returns = Some(self.in_context(context.clone(), |eval| eval.ty(ty))?),
            None => {}
        }
        let locals = closure.captures.iter();
        let locals = locals.map(|(name, captured)| (name.clone(), local_of(captured)));
        let locals: Vec<(Name, Local<'u>)> = locals.collect();
        let this = closure
            .this
            .map(|cell| (cell, self.memory.get(cell).ty.clone()));
        let mut arguments = arguments;
        for parameter in lambda.parameters.iter().skip(arguments.len()) {
            if let crate::syntax::ast::Init::Assign(default) = &parameter.init {
                let context = context.clone();
                arguments.push(self.in_context(context, |eval| eval.expr(default))?);
            }
        }
        let body = Body {
            context,
            parameters: &lambda.parameters,
            types,
            statements: &lambda.body,
            this,
            locals,
            returns,
            placeholder,
            name: "operator()".into(),
            constructs: None,
        };
        self.count_call()?;
        let result = self.nested(|eval| eval.run_body(body, arguments, span));
        self.limits.calls -= 1;
        result
    }

    /// Returns the parameter types of a lambda for some arguments: `auto` is deduced from each.
    fn lambda_types(
        &mut self,
        lambda: &'u Lambda,
        context: &Ctx<'u>,
        arguments: &[Operand],
    ) -> Evaluated<Option<(Bound, Vec<Ty>)>> {
        let bound = match &lambda.template {
            None => Vec::new(),
            Some(template) => {
                let bound = self.in_context(context.clone(), |eval| {
                    let mut deduction = Deduction::new(template, &[]);
                    deduction.is_call = true;
                    for (parameter, argument) in lambda.parameters.iter().zip(arguments) {
                        let ty = argument.ty.clone().unqualified();
                        let pattern = without_reference(&parameter.ty);
                        if !eval.deduce(pattern, &ty, &mut deduction)? {
                            return Ok(None);
                        }
                    }
                    eval.deduced(deduction)
                })?;
                match bound {
                    Some(bound) => bound,
                    None => return Ok(None),
                }
            }
        };
        let context = inner_context(context, &bound);
        self.in_context(context, |eval| {
            let mut types = Vec::new();
            let mut rest = arguments.iter();
            for parameter in &lambda.parameters {
                if parameter.is_pack {
                    for argument in rest.by_ref() {
                        types.push(eval.deduced_type(&parameter.ty, argument)?);
                    }
                    continue;
                }
                let argument = rest.next();
                types.push(match (Eval::is_placeholder(&parameter.ty), argument) {
                    (true, Some(argument)) => eval.deduced_type(&parameter.ty, argument)?,
                    _ => super::functions::adjusted(eval.ty(&parameter.ty)?),
                });
            }
            Ok(Some((bound, types)))
        })
    }
}

fn without_reference(ty: &crate::syntax::ast::Type) -> &crate::syntax::ast::Type {
    use crate::syntax::ast::TypeKind;
    match &ty.kind {
        TypeKind::Reference(of) | TypeKind::RvalueReference(of) => of,
        _ => ty,
    }
}

fn captured(ty: &Ty, place: &Place) -> Option<Captured> {
    match place {
        Place::Cell(cell) | Place::Moved(cell) | Place::Temporary(cell) => {
            Some(Captured::Cell(*cell, ty.clone()))
        }
        Place::Remote(value) => Some(Captured::Remote(value.clone(), ty.clone())),
        _ => None,
    }
}

fn reference_to(local: &Local<'_>) -> Option<Captured> {
    match local {
        Local::Object(ty, place) => captured(ty, place),
        Local::Pack(items) => Some(Captured::Pack(
            items.iter().filter_map(reference_to).collect(),
        )),
        Local::Type(_) | Local::Entities(..) => None,
    }
}

fn local_of<'u>(captured: &Captured) -> Local<'u> {
    match captured {
        Captured::Cell(cell, ty) => Local::Object(ty.clone(), Place::Cell(*cell)),
        Captured::Remote(value, ty) => Local::Object(ty.clone(), Place::Remote(value.clone())),
        Captured::Pack(items) => Local::Pack(items.iter().map(local_of).collect()),
    }
}

/// Returns whether two scopes are of the same instance of a function.
fn is_same_context<'u>(a: &Ctx<'u>, b: &Ctx<'u>) -> bool {
    if Rc::ptr_eq(a, b) {
        return true;
    }
    let is_same = match (&a.kind, &b.kind) {
        (ContextKind::Namespace(a), ContextKind::Namespace(b)) => return a == b,
        (ContextKind::Class(a), ContextKind::Class(b)) => return a == b,
        (ContextKind::Template(a), ContextKind::Template(b)) => a == b,
        (ContextKind::Block(a), ContextKind::Block(b)) => a.len() == b.len(),
        _ => false,
    };
    is_same
        && match (&a.parent, &b.parent) {
            (Some(a), Some(b)) => is_same_context(a, b),
            (None, None) => true,
            _ => false,
        }
}

/// Returns the cells that a lambda can reach.
pub(crate) fn captured_cells(closure: &Closure) -> Vec<CellId> {
    fn add(captured: &Captured, cells: &mut Vec<CellId>) {
        match captured {
            Captured::Cell(cell, _) => cells.push(*cell),
            Captured::Remote(..) => {}
            Captured::Pack(items) => items.iter().for_each(|item| add(item, cells)),
        }
    }
    let mut cells = Vec::new();
    for (_, captured) in &closure.captures {
        add(captured, &mut cells);
    }
    cells.extend(closure.this);
    cells
}
