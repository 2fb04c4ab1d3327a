//! Calls: arguments are bound to parameters and the body is evaluated in place.

use std::rc::Rc;

use a2lint_source::text::Span;

use super::Eval;
use super::exits::Flow;
use super::frame::{Frame, Returned, inner_path};
use super::functions::Definition;
use super::names::{ContextKind, Ctx, Local};
use super::objects::Part;
use super::overloads::{Chosen, all_arguments};
use super::templates::Bound;
use super::types::{ClassId, Kind, Ty};
use super::values::{CellId, FunctionId, Operand, Place, Pointer, Value};
use crate::library::{Call, Entry, Evaluated, Outcome};
use crate::syntax::NOWHERE;
use crate::syntax::ast::{
    Expr, Function, FunctionKind, Init, Name, Stmt, StmtKind, Type, Variable,
};

/// The inputs of the evaluation of a body.
pub(crate) struct Body<'u> {
    pub context: Ctx<'u>,
    pub parameters: &'u [Variable],
    pub types: Vec<Ty>,
    pub statements: &'u [Stmt],
    pub this: Option<(CellId, Ty)>,
    /// Names that are in sight beside the parameters.
    pub locals: Vec<(Name, Local<'u>)>,
    /// The return type; `None` if it is deduced from `return`.
    pub returns: Option<Ty>,
    /// The pattern of a deduced return type (`auto&`).
    pub placeholder: Option<&'u Type>,
    pub name: Name,
    /// The constructor whose initialisers run before the body.
    pub constructs: Option<(&'u Function, ClassId)>,
}

impl<'u> Eval<'u> {
    /// Calls a function with its own template arguments.
    pub(crate) fn call_function(
        &mut self,
        function: FunctionId,
        bound: Bound,
        object: Option<Operand>,
        arguments: Vec<Operand>,
        spans: (Span, Span),
    ) -> Evaluated<Operand> {
        self.count_call()?;
        let result =
            self.nested(|eval| eval.call_function_inner(function, bound, object, arguments, spans));
        self.limits.calls -= 1;
        result
    }

    fn call_function_inner(
        &mut self,
        function: FunctionId,
        bound: Bound,
        object: Option<Operand>,
        mut arguments: Vec<Operand>,
        (name_span, span): (Span, Span),
    ) -> Evaluated<Operand> {
        let signature = self.signature(function, &bound)?;
        let decl = self.info(function).decl;
        if let (true, Some(returns), true) =
            (self.is_typing, &signature.returns, decl.body.is_some())
        {
            return self.unknown_result(&returns.clone(), span);
        }
        // Defaults are evaluated at each call, in the scope of the declaration.
        self.add_defaults(function, &bound, &signature.parameters, &mut arguments)?;
        let definition = match self.library.takes(decl) {
            true => None,
            false => self.definition(function, &bound)?,
        };
        let Some(definition) = definition else {
            let returns = signature.returns.clone();
            let call = (function, bound, returns);
            return self.call_library(
                call,
                &signature.parameters,
                object,
                arguments,
                (name_span, span),
            );
        };
        if definition.function.is_defaulted || decl.is_deleted {
            return self.call_defaulted(decl, object, arguments, span);
        }
        let Definition {
            function: body,
            context,
        } = definition;
        let this = self.this_of(function, object.as_ref());
        let name = body
            .path
            .segments
            .last()
            .map_or_else(|| "".into(), |it| it.name.clone());
        let placeholder = match &signature.returns {
            Some(_) => None,
            None => body.returns.as_ref(),
        };
        let returns = match (body.kind, signature.returns.clone()) {
            (FunctionKind::Constructor | FunctionKind::Destructor, _) => Some(Ty::void()),
            (_, returns) => returns,
        };
        let template = all_arguments(&bound);
        let owner = self.info(function).class;
        let entry = Entry {
            function: body,
            class: owner.map(|class| Kind::Class(class).into()),
            template: &template,
            types: &signature.parameters,
            arguments: &arguments,
            spans: (name_span, span),
        };
        let library = self.library;
        if !library.enter(self, &entry)? {
            let what = format!("`{name}` is not followed here");
            return self.unknown_call(&what, object.as_ref(), &arguments, span);
        }
        let run = Body {
            context,
            parameters: &body.parameters,
            types: signature.parameters.clone(),
            statements: body.body.as_deref().unwrap_or_default(),
            this,
            locals: Vec::new(),
            returns,
            placeholder,
            name,
            constructs: None,
        };
        let result = self.run_body(run, arguments, span);
        library.leave((name_span, span));
        result
    }

    fn this_of(&self, function: FunctionId, object: Option<&Operand>) -> Option<(CellId, Ty)> {
        let info = self.info(function);
        let class = info.class.filter(|_| !info.decl.is_static)?;
        let cell = object?.object()?;
        let is_own = self.memory.get(cell).ty.class() == Some(class);
        debug_assert!(is_own, "a method runs on an object of its class");
        let ty = Ty {
            kind: Kind::Class(class),
            is_const: info.decl.is_const,
        };
        Some((cell, ty))
    }

    /// Evaluates default arguments for what is left out.
    pub(super) fn add_defaults(
        &mut self,
        function: FunctionId,
        bound: &Bound,
        types: &[Ty],
        arguments: &mut Vec<Operand>,
    ) -> Evaluated<()> {
        if arguments.len() >= types.len() {
            return Ok(());
        }
        let decl = self.info(function).decl;
        let context = super::frame::inner_context(&self.info(function).context, bound);
        for (at, ty) in types.iter().enumerate().skip(arguments.len()) {
            let default = decl.parameters.get(at).map(|it| &it.init);
            let Some(Init::Assign(default)) = default else {
                return Ok(());
            };
            let operand = self.in_context(context.clone(), |eval| eval.expr_for(default, ty))?;
            arguments.push(operand);
        }
        Ok(())
    }

    /// Calls a function without a body: one of the library, or an unknown one.
    fn call_library(
        &mut self,
        (function, bound, returns): (FunctionId, Bound, Option<Ty>),
        types: &[Ty],
        object: Option<Operand>,
        arguments: Vec<Operand>,
        (name_span, span): (Span, Span),
    ) -> Evaluated<Operand> {
        let mut operands = Vec::with_capacity(arguments.len());
        for (at, argument) in arguments.into_iter().enumerate() {
            operands.push(match types.get(at) {
                Some(ty) => self.convert(argument, ty, false)?,
                None => self.decayed(argument)?,
            });
        }
        let name = self.function_name(function);
        let template = match &self.info(function).context.kind {
            // An instance that is called by a pointer.
            ContextKind::Template(arguments) if bound.is_empty() => all_arguments(arguments),
            _ => all_arguments(&bound),
        };
        let call = Call {
            name,
            template: &template,
            operands: &operands,
            function: Some(function),
            returns: returns.as_ref(),
            name_span,
            span,
        };
        let library = self.library;
        let outcome = match &object {
            Some(object) => library.method(self, object, call)?,
            None => library.call(self, call)?,
        };
        match outcome {
            Outcome::Done(operand) => Ok(operand.at(span)),
            Outcome::Unknown(what) => self.unknown_call(&what, object.as_ref(), &operands, span),
            Outcome::Follows(what) => self.follower_call(&what, object.as_ref(), &operands, span),
            Outcome::NotMine => {
                let what = format!("the body of `{name}` is not known");
                let made = self.unknown_call(&what, object.as_ref(), &operands, span)?;
                Ok(match returns {
                    Some(ty) => self.unknown_result(&ty, made.span)?,
                    None => made,
                })
            }
        }
    }

    /// Returns an operand of a known type with an unknown value.
    pub(crate) fn unknown_result(&mut self, ty: &Ty, span: Span) -> Evaluated<Operand> {
        match &ty.kind {
            Kind::Void => Ok(Operand::void(span)),
            Kind::Class(_) => {
                let (cell, operand) = self.class_object(&ty.clone().unqualified(), span)?;
                self.forget_object(cell)?;
                self.forget_temporary(cell);
                Ok(operand)
            }
            Kind::Reference(of, _) => {
                let cell = self.phantom(of)?;
                Ok(Operand::cell(of.as_ref().clone(), cell, span))
            }
            _ => Ok(Operand::unknown_of(ty.clone().unqualified(), span)),
        }
    }

    /// Calls a defaulted (`= default`) constructor or assignment, which copies.
    fn call_defaulted(
        &mut self,
        decl: &'u Function,
        object: Option<Operand>,
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<Operand> {
        let is_assignment = decl
            .path
            .segments
            .last()
            .is_some_and(|it| &*it.name == "operator=");
        match (is_assignment, object, arguments.as_slice()) {
            (true, Some(object), [value]) => self.assign_object(object, value.clone(), span),
            _ => {
                let name = decl.path.segments.last().map_or("", |last| &last.name);
                Ok(self.unknown(span, format!("`{name}` is not defined")))
            }
        }
    }

    /// Runs a constructor on the cells of an object.
    pub(crate) fn run_constructor(
        &mut self,
        cell: CellId,
        chosen: Chosen,
        mut arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<()> {
        let Chosen { function, bound } = chosen;
        let info = self.info(function);
        let (decl, owner) = (info.decl, info.class);
        let object_class = self.memory.get(cell).ty.class();
        let (Some(owner), Some(own)) = (owner, object_class) else {
            return Ok(());
        };
        if owner != own {
            let chosen = Chosen { function, bound };
            return self
                .nested(|eval| eval.run_inherited((cell, own), (chosen, owner), arguments, span));
        }
        if self.is_typing {
            return self.forget_object(cell);
        }
        let signature = self.signature(function, &bound)?;
        self.add_defaults(function, &bound, &signature.parameters, &mut arguments)?;
        let Some(definition) = self.definition(function, &bound)? else {
            let object = Operand::cell(Kind::Class(own).into(), cell, span);
            let call = (function, bound, Some(Ty::void()));
            self.initialise_parts(cell, own, &[], span)?;
            self.call_library(
                call,
                &signature.parameters,
                Some(object),
                arguments,
                (span, span),
            )?;
            return Ok(());
        };
        if definition.function.is_defaulted {
            return match arguments.first() {
                Some(from) => match from.object() {
                    Some(from) => self.copy_cells(cell, from),
                    None => self.forget_object(cell),
                },
                None => self.initialise_parts(cell, own, &[], span),
            };
        }
        let body = definition.function;
        let ty: Ty = Kind::Class(own).into();
        let template = all_arguments(&bound);
        let entry = Entry {
            function: body,
            class: Some(ty.clone()),
            template: &template,
            types: &signature.parameters,
            arguments: &arguments,
            spans: (span, span),
        };
        let library = self.library;
        if !library.enter(self, &entry)? {
            return self.forget_object(cell);
        }
        self.count_call()?;
        let run = Body {
            context: definition.context,
            parameters: &body.parameters,
            types: signature.parameters.clone(),
            statements: body.body.as_deref().unwrap_or_default(),
            this: Some((cell, ty)),
            locals: Vec::new(),
            returns: Some(Ty::void()),
            placeholder: None,
            name: super::classes::class_name(self.classes[own.index()].decl),
            constructs: Some((body, own)),
        };
        let _ = decl;
        self.constructing.push(cell);
        let result = self.nested(|eval| eval.run_body(run, arguments, span));
        self.constructing.pop();
        library.leave((span, span));
        self.limits.calls -= 1;
        result.map(|_| ())
    }

    /// Runs an inherited constructor for the base that declares it; the other bases and the members are initialised by
    /// default.
    fn run_inherited(
        &mut self,
        (cell, own): (CellId, ClassId),
        (chosen, owner): (Chosen, ClassId),
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<()> {
        let bases = self.classes[own.index()].bases.clone();
        let mut call = Some((chosen, arguments));
        for base in bases {
            let part = cell.plus(base.cell);
            let is_of = self.base_offset(base.class, owner).is_some();
            match call.take_if(|_| is_of) {
                Some((chosen, arguments)) => {
                    self.run_constructor(part, chosen, arguments, span)?;
                }
                None => self.default_initialise(part, &Kind::Class(base.class).into(), span)?,
            }
        }
        self.initialise_fields(cell, own, &[], span)
    }

    /// Initialises bases and members as the header of a constructor says.
    fn run_initialisers(
        &mut self,
        decl: &'u Function,
        class: ClassId,
        cell: CellId,
    ) -> Evaluated<()> {
        let mut inits: Vec<(Part, &'u Init, Span)> = Vec::new();
        for initialiser in &decl.initialisers {
            let path = &initialiser.target;
            let last = path.segments.last().expect("paths are not empty");
            let is_plain = path.segments.len() == 1 && last.arguments.is_none();
            if is_plain && self.has_field(class, &last.name) {
                inits.push((Part::Field(last.name.clone()), &initialiser.init, path.span));
                continue;
            }
            let found = self.find_path(path)?;
            let ty = self.found_type(found, last.arguments.as_deref(), path.span)?;
            match ty.and_then(|ty| ty.class()) {
                Some(own) if own == class => {
                    let ty: Ty = Kind::Class(class).into();
                    let arguments = match &initialiser.init {
                        Init::Parens(values) | Init::Braces(values) => self.arguments(values)?,
                        _ => Vec::new(),
                    };
                    return self.construct(cell, &ty, arguments, path.span);
                }
                Some(base) => inits.push((Part::Base(base), &initialiser.init, path.span)),
                None => {
                    let what = format!("what `{}` initialises is not known", last.name);
                    self.builder.note_unknown(path.span, what);
                }
            }
        }
        self.initialise_parts(cell, class, &inits, decl.path.span)
    }

    /// Evaluates a body with arguments.
    pub(crate) fn run_body(
        &mut self,
        body: Body<'u>,
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<Operand> {
        let statement = self.builder.statement;
        // Statements are located by the chain of calls that leads to them; a kernel entry has no caller.
        let is_entry = self.limits.calls <= 1 && self.path == 0;
        let is_prelude = body.statements.first().is_some_and(|it| it.span == NOWHERE);
        let parent = match is_entry || is_prelude {
            // A kernel body has no caller, and statements of the prelude are attributed to the call of the prelude's
            // function.
            true => self.builder.place().0,
            false => self.builder.enter_call(span),
        };
        let path = self.path;
        self.path = inner_path(path, (span.start, body.statements.as_ptr() as usize));
        let mut frame = Frame::new(body.context.clone());
        frame.locals.clone_from(&body.locals);
        frame.this.clone_from(&body.this);
        frame.name = body.name.clone();
        frame.block_depth = self.blocks.len();
        // Arguments are converted in the scope of the call, where nothing depends on names.
        let outer = self.frame_swap(frame);
        let pack_index = self.pack_index.take();
        // Temporaries of the caller live until the end of the caller's expression.
        let temporaries = std::mem::take(&mut self.temporaries);
        let result = self.run_in_frame(&body, arguments, span);
        self.temporaries = temporaries;
        self.pack_index = pack_index;
        self.frame = outer;
        self.path = path;
        self.builder.leave_call(parent);
        self.builder.statement = statement;
        result
    }

    fn frame_swap(&mut self, frame: Frame<'u>) -> Frame<'u> {
        std::mem::replace(&mut self.frame, frame)
    }

    fn run_in_frame(
        &mut self,
        body: &Body<'u>,
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<Operand> {
        self.bind_parameters_to(body, arguments)?;
        self.frame.parameters = self.frame.locals.len();
        let flag = self.flag()?;
        self.frame.returned = Some(flag);
        let mut returns = body.returns.clone();
        if returns.is_none() {
            returns = self.probed_type(body)?;
        }
        match &returns {
            Some(ty) => self.open_result(ty)?,
            None => self.frame.placeholder = body.placeholder,
        }
        if let (Some((decl, class)), Some((cell, _))) = (body.constructs, &body.this) {
            let cell = *cell;
            self.run_initialisers(decl, class, cell)?;
        }
        let flow = self.statements(body.statements)?;
        match flow {
            Flow::Left(_) => {}
            // The paths that have returned have destroyed the objects there.
            Flow::Partly(goes_on, exits) if !self.frame.owned.is_empty() => {
                let key = (self.builder.statement.start, 4, self.path);
                self.guarded(key, (goes_on, exits), |eval| {
                    eval.destroy_from(0)?;
                    Ok(Flow::Normal)
                })?;
            }
            Flow::Normal | Flow::Partly(..) => self.destroy_from(0)?,
        }
        self.frame.owned.clear();
        self.result(span)
    }

    /// Returns the return type of a function declared with `auto`, by evaluating its body and undoing the effects;
    /// `None` if its only `return` is evaluated before the type is needed.
    fn probed_type(&mut self, body: &Body<'u>) -> Evaluated<Option<Ty>> {
        // The type follows from the only `return` before it is needed. Other bodies are evaluated twice: for the type,
        // and for the result.
        if returns_once_at_end(body.statements) {
            return Ok(None);
        }
        let key = (body.statements.as_ptr() as usize, body.types.clone());
        if let Some(known) = self.return_types.get(&key) {
            return Ok(known.clone());
        }
        let placeholder = body.placeholder;
        let ty = self.dry(|eval| {
            eval.frame.placeholder = placeholder;
            eval.frame.probed = Some(None);
            eval.statements(body.statements)?;
            Ok(eval.frame.probed.take().flatten())
        })?;
        let ty = Some(ty.unwrap_or_else(Ty::void));
        self.return_types.insert(key, ty.clone());
        Ok(ty)
    }

    /// Evaluates something for what it tells about types; what it does is undone.
    pub(crate) fn dry<T>(&mut self, work: impl FnOnce(&mut Self) -> Evaluated<T>) -> Evaluated<T> {
        let state = self.state();
        let scope = self.frame.open_scope();
        let temporaries = self.temporaries.len();
        let result = work(self);
        self.roll_back(&state);
        self.leave_state(&state);
        self.temporaries.truncate(temporaries);
        self.close_scope(scope, true)?;
        result
    }

    /// Returns type and value category of an expression without evaluating it: a call has the declared return type of
    /// its function.
    pub(crate) fn typed(&mut self, expr: &'u Expr) -> Evaluated<Operand> {
        // Bodies of functions with a declared type are not evaluated: recursive functions would not terminate here.
        let was_typing = std::mem::replace(&mut self.is_typing, true);
        let result = self.dry(|eval| eval.expr(expr));
        self.is_typing = was_typing;
        result
    }

    /// Evaluates a constant expression, also where types alone are asked for.
    pub(crate) fn constant<T>(
        &mut self,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        // A constant in a type (`T[f()]`) needs the values of its calls, not only their types.
        let was_typing = std::mem::replace(&mut self.is_typing, false);
        let result = work(self);
        self.is_typing = was_typing;
        result
    }

    /// Makes the object that a `return` initialises.
    pub(crate) fn open_result(&mut self, ty: &Ty) -> Evaluated<()> {
        self.frame.returns = Some(ty.clone());
        if ty.kind == Kind::Void {
            return Ok(());
        }
        let ty = ty.clone().unqualified();
        let cell = self.temporary(&ty)?;
        let place = Place::Cell(cell);
        self.frame.result = Some(Returned { ty, place });
        Ok(())
    }

    /// Returns the result of the function.
    fn result(&mut self, span: Span) -> Evaluated<Operand> {
        let Some(Returned { ty, place }) = self.frame.result.take() else {
            return Ok(Operand::void(span));
        };
        let Place::Cell(cell) = place else {
            return Ok(Operand::unknown_of(ty, span));
        };
        Ok(match &ty.kind {
            Kind::Reference(of, is_rvalue) => {
                let of = of.as_ref().clone();
                let value = self.load_cell(cell)?;
                self.referred(value, of, *is_rvalue, span)?
            }
            Kind::Class(_) | Kind::Array(..) => Operand {
                ty,
                place: Place::Temporary(cell),
                span,
            },
            _ => {
                let value = self.load_cell(cell)?;
                Operand::value(ty, value, span)
            }
        })
    }

    /// Returns the object that a reference refers to.
    pub(crate) fn referred(
        &mut self,
        value: Value,
        of: Ty,
        is_rvalue: bool,
        span: Span,
    ) -> Evaluated<Operand> {
        let place = match value {
            Value::Pointer(Pointer::To(to)) if is_rvalue => Place::Moved(to),
            Value::Pointer(Pointer::To(to)) => Place::Cell(to),
            Value::Library(_) => Place::Remote(value),
            Value::Function(id) => Place::Value(Value::Function(id)),
            _ => Place::Cell(self.phantom(&of)?),
        };
        Ok(Operand {
            ty: of,
            place,
            span,
        })
    }

    /// Makes locals of the parameters.
    fn bind_parameters_to(&mut self, body: &Body<'u>, arguments: Vec<Operand>) -> Evaluated<()> {
        let mut rest = arguments.into_iter().enumerate();
        for parameter in body.parameters {
            if !parameter.is_pack {
                let Some((at, argument)) = rest.next() else {
                    break;
                };
                let ty = body.types.get(at).cloned().unwrap_or_else(Ty::unknown);
                let local = self.parameter(parameter, &ty, argument)?;
                self.add_local(&parameter.name, local);
                continue;
            }
            let mut items = Vec::new();
            for (at, argument) in rest.by_ref() {
                let ty = body.types.get(at).cloned().unwrap_or_else(Ty::unknown);
                items.push(self.parameter(parameter, &ty, argument)?);
            }
            self.add_local(&parameter.name, Local::Pack(Rc::from(items)));
        }
        Ok(())
    }

    fn parameter(
        &mut self,
        parameter: &'u Variable,
        ty: &Ty,
        argument: Operand,
    ) -> Evaluated<Local<'u>> {
        if ty.is_reference() {
            let bound = self.convert(argument, ty, false)?;
            let bound = self.materialised(bound)?;
            return Ok(Local::Object(bound.ty, named(bound.place)));
        }
        let ty = match ty.kind {
            Kind::Unknown => argument.ty.clone().unqualified(),
            _ => ty.clone(),
        };
        if let Place::Temporary(cell) = argument.place
            && argument.ty.is_same(&ty)
        {
            self.own(cell, &ty, argument.span);
            return Ok(Local::Object(ty, Place::Cell(cell)));
        }
        let cell = self.new_object(&ty, &parameter.name, parameter.name_span)?;
        self.initialise_from(cell, &ty.clone().unqualified(), argument)?;
        self.own(cell, &ty, parameter.name_span);
        Ok(Local::Object(ty, Place::Cell(cell)))
    }

    /// Returns a function template with its arguments applied, as a separate function.
    pub(crate) fn instance(&mut self, function: FunctionId, bound: Bound) -> FunctionId {
        if bound.is_empty() {
            return function;
        }
        let key = (function, all_arguments(&bound));
        if let Some(&known) = self.function_instances.get(&key) {
            return known;
        }
        let id = self.instantiated(function, &bound);
        self.function_instances.insert(key, id);
        id
    }

    /// Evaluates the arguments of a call, packs spread out.
    pub(crate) fn arguments(&mut self, values: &'u [Expr]) -> Evaluated<Vec<Operand>> {
        use crate::syntax::ast::ExprKind;
        let mut all = Vec::with_capacity(values.len());
        for value in values {
            let ExprKind::PackExpansion(pattern) = &value.kind else {
                all.push(self.expr(value)?);
                continue;
            };
            let mut names = Vec::new();
            super::visit::names_in_expr(pattern, &mut |name| names.push(name.clone()));
            match self.pack_length_of(&names)? {
                Some(length) => {
                    for at in 0..length {
                        let item = self.at_pack_index(at, |eval| eval.expr(pattern))?;
                        all.push(item);
                    }
                }
                None => all.push(self.unknown(value.span, "this pack is not known")),
            }
        }
        Ok(all)
    }
}

/// Returns the place of a named reference, which is an lvalue.
pub(crate) fn named(place: Place) -> Place {
    match place {
        Place::Moved(cell) | Place::Temporary(cell) => Place::Cell(cell),
        place => place,
    }
}

/// Returns whether the only `return` of a body is its last statement.
fn returns_once_at_end(body: &[Stmt]) -> bool {
    let Some((last, rest)) = body.split_last() else {
        return false;
    };
    matches!(last.kind, StmtKind::Return(_)) && !rest.iter().any(has_return)
}

/// Returns whether a statement contains a `return`.
pub(crate) fn has_return(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Block(block) => block.iter().any(has_return),
        StmtKind::If(branch) => {
            has_return(&branch.then) || branch.otherwise.as_ref().is_some_and(has_return)
        }
        StmtKind::Switch(switch) => switch
            .groups
            .iter()
            .any(|group| group.body.iter().any(has_return)),
        StmtKind::For(header) => has_return(&header.body),
        StmtKind::RangeFor(header) => has_return(&header.body),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, _) => has_return(body),
        _ => false,
    }
}
