//! Statements, one after the other, and declarations.

use a2lint_source::text::Span;

use super::Eval;
use super::exits::{Exit, Flow};
use super::names::{Entity, Found, Local, declared, inline_type};
use super::types::{Kind, TemplateArg, Ty};
use super::values::{CellId, Operand, Place, Pointer, Value};
use crate::library::Evaluated;
use crate::syntax::NOWHERE;
use crate::syntax::ast::{
    Expr, ExprKind, Init, Name, NodeId, Path, Stmt, StmtKind, Type, TypeKind, Variable,
};

impl<'u> Eval<'u> {
    /// Evaluates statements of a block whose scope is open.
    pub(crate) fn statements(&mut self, list: &'u [Stmt]) -> Evaluated<Flow> {
        for (at, stmt) in list.iter().enumerate() {
            let rest = &list[at + 1..];
            let splitter = self.splitter(stmt, rest);
            let before = splitter.map(|condition| (condition, self.state()));
            self.splits.is_torn = false;
            let result = self.nested(|eval| eval.statement(stmt, rest));
            let is_torn = std::mem::take(&mut self.splits.is_torn);
            let (flow, has_rest) = match before {
                Some((condition, state)) if is_torn && result.is_ok() => {
                    self.roll_back(&state);
                    self.leave_state(&state);
                    if let Some(flow) = self.followed_apart(&list[at..], condition)? {
                        return Ok(flow);
                    }
                    self.nested(|eval| eval.statement(stmt, rest))?
                }
                before => {
                    if let Some((_, state)) = before {
                        self.leave_state(&state);
                    }
                    result?
                }
            };
            match flow {
                Flow::Normal if !has_rest => {}
                Flow::Partly(goes_on, exits) if !has_rest && !rest.is_empty() => {
                    let key = (stmt.id.0, 1, self.path);
                    return self.guarded(key, (goes_on, exits), |eval| eval.scoped(rest));
                }
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Normal)
    }

    /// Evaluates statements in a scope of their own.
    pub(crate) fn scoped(&mut self, list: &'u [Stmt]) -> Evaluated<Flow> {
        let scope = self.frame.open_scope();
        let flow = self.statements(list)?;
        self.end_scope(scope, flow)
    }

    /// Ends a scope: its objects are destroyed where control goes on.
    pub(crate) fn end_scope(
        &mut self,
        scope: super::frame::OpenScope,
        flow: Flow,
    ) -> Evaluated<Flow> {
        let mut flow = flow;
        if let Flow::Partly(goes_on, exits) = flow
            && self.frame.owns_since(scope)
        {
            let key = (self.builder.statement.start, 2, self.path);
            flow = self.guarded(key, (goes_on, exits), |eval| {
                eval.destroy_from(scope.owned())?;
                Ok(Flow::Normal)
            })?;
            self.close_scope(scope, true)?;
            return Ok(flow);
        }
        self.close_scope(scope, flow.is_left())?;
        Ok(flow)
    }

    /// Sets the source location of the statements that follow. Statements of the prelude have none and keep the
    /// location of the call.
    pub(super) fn stand_at(&mut self, span: Span) {
        if span != NOWHERE {
            self.builder.statement = span;
        }
    }

    /// Evaluates one statement. `rest` follows it in its block; a branch may evaluate it in one of its arms, which the
    /// flag tells.
    fn statement(&mut self, stmt: &'u Stmt, rest: &'u [Stmt]) -> Evaluated<(Flow, bool)> {
        self.step()?;
        if let StmtKind::Block(block) = &stmt.kind {
            return Ok((self.scoped(block)?, false));
        }
        self.stand_at(stmt.span);
        let flow = match &stmt.kind {
            StmtKind::If(branch) => return self.if_statement(stmt, branch, rest),
            StmtKind::Switch(switch) => self.switch(stmt, switch)?,
            StmtKind::For(header) => self.for_loop(stmt, header)?,
            StmtKind::RangeFor(header) => self.range_for(stmt, header)?,
            StmtKind::While(condition, body) => self.while_loop(stmt, condition, body)?,
            StmtKind::DoWhile(body, condition) => self.do_while(stmt, body, condition)?,
            StmtKind::Return(value) => self.return_statement(value.as_ref())?,
            StmtKind::Break => self.exit_statement(Exit::Break)?,
            StmtKind::Continue => self.exit_statement(Exit::Continue)?,
            _ => {
                self.simple(stmt)?;
                Flow::Normal
            }
        };
        Ok((flow, false))
    }

    /// Evaluates a statement that does not change the control flow.
    fn simple(&mut self, stmt: &'u Stmt) -> Evaluated<()> {
        match &stmt.kind {
            StmtKind::Expr(expr) => {
                let temporaries = self.temporaries.len();
                self.expr(expr)?;
                self.end_expression(temporaries)
            }
            StmtKind::Variables(variables) => {
                for variable in variables {
                    self.declare_local(variable)?;
                }
                Ok(())
            }
            StmtKind::Bindings {
                names,
                by_reference,
                value,
            } => self.structured_binding(names, *by_reference, value),
            StmtKind::UsingNamespace(path) => {
                let used = self.namespace_from_here(path)?;
                self.frame.used.extend(used);
                Ok(())
            }
            StmtKind::Using(path) => match path.segments.last() {
                Some(last) => self.use_name(&last.name, path),
                None => Ok(()),
            },
            StmtKind::NamespaceAlias(name, path) => self.use_name(name, path),
            StmtKind::Alias(alias) if alias.template.is_none() => {
                let ty = self.ty(&alias.ty)?;
                self.add_local(&alias.name, Local::Type(ty));
                Ok(())
            }
            StmtKind::Class(_) | StmtKind::Enum(_) | StmtKind::Alias(_) => {
                let context = self.local_context();
                let mut names = Vec::new();
                declared(stmt, &mut |name, entity| names.push((name.clone(), entity)));
                for (name, entity) in names {
                    self.add_entity(&name, entity, &context);
                }
                Ok(())
            }
            StmtKind::Function(function) => {
                let context = self.local_context();
                if let Some(last) = function.path.segments.last() {
                    let entity = Entity::Function(function);
                    self.add_entity(&last.name, entity, &context);
                }
                Ok(())
            }
            // `struct S { … } x;`: the class, then what is declared of it.
            StmtKind::Namespace(names, parts) if names.is_empty() => {
                for part in parts {
                    self.simple(part)?;
                }
                Ok(())
            }
            StmtKind::StaticAssert(condition) => self.static_assert(condition),
            StmtKind::Empty | StmtKind::Instantiate(_) | StmtKind::Namespace(..) => Ok(()),
            StmtKind::Unknown(what) => self.unknown_statement(what, stmt.span),
            _ => Ok(()),
        }
    }

    /// Notes a `static_assert` that does not hold: a compiler refuses the kernel.
    pub(crate) fn static_assert(&mut self, condition: &'u Expr) -> Evaluated<()> {
        let span = condition.span;
        let holds = self.quietly(|eval| {
            let value = eval.constant(|eval| {
                let operand = eval.expr(condition)?;
                eval.condition_of(operand, span)
            })?;
            Ok(value.known_int())
        })?;
        if holds == Some(0) && !self.refused.contains(&span) {
            self.refused.push(span);
        }
        self.note_refused();
        Ok(())
    }

    /// Notes again what a rollback has undone: no way around a `static_assert` makes it hold.
    pub(super) fn note_refused(&mut self) {
        for span in &self.refused {
            let what = "this `static_assert` does not hold".to_owned();
            self.builder.note_unknown(*span, what);
        }
    }

    /// Declares a name in a block for what a path means (`using`). The path is looked up here, since names that the
    /// block declares later do not hide it in this declaration.
    fn use_name(&mut self, name: &Name, path: &'u Path) -> Evaluated<()> {
        match self.find_path(path)? {
            Found::Entities(entities, context, _) => {
                self.add_local(name, Local::Entities(entities, context));
            }
            Found::Local(local) => self.add_local(name, local),
            Found::Argument(TemplateArg::Type(ty)) => self.add_local(name, Local::Type(ty)),
            // Of the library: its names are found without a declaration.
            Found::Argument(_) | Found::Functions(_) | Found::Library(_) => {}
        }
        Ok(())
    }

    /// Declares a variable of a function.
    pub(crate) fn declare_local(&mut self, variable: &'u Variable) -> Evaluated<()> {
        self.step()?;
        let context = self.local_context();
        let mut names = Vec::new();
        inline_type(&variable.ty.kind, &mut |name, entity| {
            names.push((name.clone(), entity))
        });
        for (name, entity) in names {
            self.add_entity(&name, entity, &context);
        }
        // It lives before the program and is initialised once, whichever block names it.
        if variable.is_static {
            return self.declare_static_local(variable);
        }
        let temporaries = self.temporaries.len();
        let local = match Self::is_placeholder(&variable.ty) {
            true => self.deduced_variable(variable)?,
            false => {
                let ty = match self.deduced_variable_class(variable)? {
                    Some(ty) if variable.is_const => ty.constant(),
                    Some(ty) => ty,
                    None => self.variable_type(variable)?,
                };
                self.typed_variable(variable, ty)?
            }
        };
        self.end_expression(temporaries)?;
        if let Local::Object(_, Place::Cell(cell)) = &local {
            let value = self.memory.get(*cell).value.clone();
            self.name_value(variable.name_span, &value);
        }
        match (&local, variable.name.is_empty()) {
            (Local::Object(ty, Place::Cell(cell)), true) => self.see_members(&ty.clone(), *cell)?,
            _ => self.add_local(&variable.name, local),
        }
        Ok(())
    }

    /// Makes the members of an unnamed struct or union local names.
    fn see_members(&mut self, ty: &Ty, object: CellId) -> Evaluated<()> {
        let Kind::Class(class) = ty.kind else {
            return Ok(());
        };
        self.complete(class)?;
        for field in self.classes[class.index()].fields.clone() {
            let place = object.plus(field.cell);
            match field.name.is_empty() {
                true => self.see_members(&field.ty, place)?,
                false => self.add_local(&field.name, Local::Object(field.ty, Place::Cell(place))),
            }
        }
        Ok(())
    }

    fn typed_variable(&mut self, variable: &'u Variable, ty: Ty) -> Evaluated<Local<'u>> {
        let span = variable.name_span;
        if ty.kind == Kind::Unknown {
            // What initialises it is evaluated for what it does.
            if let Init::Assign(value) = &variable.init {
                self.expr(value)?;
            }
            let cell = self.new_object(&ty, &variable.name, span)?;
            self.store_cell(cell, Value::Unknown)?;
            return Ok(Local::Object(ty, Place::Cell(cell)));
        }
        if ty.is_reference() {
            let value = match &variable.init {
                Init::Assign(value) => Some(value),
                Init::Parens(values) | Init::Braces(values) => values.first(),
                Init::None => None,
            };
            let operand = match value {
                Some(value) => self.expr_for(value, &ty)?,
                None => self.unknown(span, "this reference is not initialised"),
            };
            let bound = self.convert(operand, &ty, false)?;
            return self.kept_alive(bound);
        }
        if let (Kind::Class(_), Init::Assign(value)) = (&ty.kind, &variable.init) {
            let operand = self.expr_for(value, &ty)?;
            return self.variable_of_value(variable, ty, operand);
        }
        let cell = self.new_object(&ty, &variable.name, span)?;
        self.initialise(cell, &ty.clone().unqualified(), &variable.init, span)?;
        self.own(cell, &ty, span);
        Ok(Local::Object(ty, Place::Cell(cell)))
    }

    /// Extends the life of a temporary to that of the reference bound to it.
    fn kept_alive(&mut self, bound: Operand) -> Evaluated<Local<'u>> {
        let bound = self.materialised(bound)?;
        if let Place::Temporary(cell) | Place::Moved(cell) = bound.place {
            let owned = self.temporaries.iter().any(|(own, ..)| *own == cell);
            if owned {
                self.forget_temporary(cell);
                self.own(cell, &bound.ty, bound.span);
            }
            return Ok(Local::Object(bound.ty, Place::Cell(cell)));
        }
        Ok(Local::Object(bound.ty, bound.place))
    }

    /// Declares a variable whose type is deduced from its initialiser.
    fn deduced_variable(&mut self, variable: &'u Variable) -> Evaluated<Local<'u>> {
        let span = variable.name_span;
        let value = match &variable.init {
            Init::Assign(value) => Some(value),
            Init::Parens(values) | Init::Braces(values) => values.first(),
            Init::None => None,
        };
        let Some(value) = value else {
            let cell = self.new_object(&Ty::unknown(), &variable.name, span)?;
            return Ok(Local::Object(Ty::unknown(), Place::Cell(cell)));
        };
        let operand = self.expr(value)?;
        let ty = self.deduced_from(&variable.ty, value, &operand)?;
        let ty = match variable.is_const {
            true => ty.constant(),
            false => ty,
        };
        if ty.is_reference() {
            let bound = self.convert(operand, &ty, false)?;
            return self.kept_alive(bound);
        }
        self.variable_of_value(variable, ty, operand)
    }

    /// Makes a variable of what initialises it. An object that a call has made is the variable itself.
    fn variable_of_value(
        &mut self,
        variable: &'u Variable,
        ty: Ty,
        operand: Operand,
    ) -> Evaluated<Local<'u>> {
        let span = variable.name_span;
        let cell = match operand.place {
            Place::Temporary(cell) if operand.ty.is_same(&ty) => {
                self.forget_temporary(cell);
                self.memory.set_label(cell, &variable.name, span);
                cell
            }
            _ => {
                let cell = self.new_object(&ty, &variable.name, span)?;
                self.initialise_from(cell, &ty.clone().unqualified(), operand)?;
                cell
            }
        };
        self.own(cell, &ty, span);
        Ok(Local::Object(ty, Place::Cell(cell)))
    }

    /// Returns the type that a placeholder means for the expression that initialises it.
    fn deduced_from(
        &mut self,
        pattern: &'u Type,
        value: &'u Expr,
        operand: &Operand,
    ) -> Evaluated<Ty> {
        match pattern.kind {
            TypeKind::DecltypeAuto => self.decltype_auto(value, operand),
            _ => self.deduced_type(pattern, operand),
        }
    }

    /// Returns the type that a placeholder such as `auto`, `auto&` or `const auto*` means for an initialiser.
    pub(crate) fn deduced_type(&mut self, pattern: &'u Type, operand: &Operand) -> Evaluated<Ty> {
        let ty = match &pattern.kind {
            TypeKind::Auto => self.decayed_type(operand)?,
            TypeKind::Reference(of) => {
                let mut ty = operand.ty.clone();
                if of.is_const {
                    ty = ty.constant();
                }
                ty.reference_to(false)
            }
            TypeKind::RvalueReference(_) => operand.ty.clone().reference_to(!operand.is_lvalue()),
            TypeKind::Pointer(of, _) => {
                let ty = self.decayed_type(operand)?;
                match (ty.pointee(), of.is_const) {
                    (Some(to), true) => to.as_ref().clone().constant().pointer_to(),
                    _ => ty,
                }
            }
            _ => return self.ty(pattern),
        };
        Ok(match pattern.is_const {
            true => ty.constant(),
            false => ty,
        })
    }

    /// Returns the type of an operand as a value.
    pub(crate) fn decayed_type(&mut self, operand: &Operand) -> Evaluated<Ty> {
        Ok(match &operand.ty.kind {
            Kind::Array(of, _) => match operand.ty.is_const {
                true => of.as_ref().clone().constant().pointer_to(),
                false => of.as_ref().clone().pointer_to(),
            },
            Kind::Function(_) => operand.ty.clone().pointer_to(),
            _ if matches!(operand.place, Place::Overloads(_)) => self.decayed(operand.clone())?.ty,
            _ => operand.ty.clone().unqualified(),
        })
    }

    /// Declares a `static` variable of a function, which is initialised once.
    fn declare_static_local(&mut self, variable: &'u Variable) -> Evaluated<()> {
        let mut arguments = Vec::new();
        super::classes::outer_arguments(&self.frame.context.clone(), &mut arguments);
        let key = (std::ptr::from_ref(variable) as usize, arguments);
        if let Some((cell, ty)) = self.static_locals.get(&key) {
            let local = Local::Object(ty.clone(), Place::Cell(*cell));
            self.add_local(&variable.name, local);
            return Ok(());
        }
        self.memory.static_depth += 1;
        let owned = self.frame.owned.len();
        let local = self.constant(|eval| match Self::is_placeholder(&variable.ty) {
            true => eval.deduced_variable(variable),
            false => {
                let ty = eval.variable_type(variable)?;
                eval.typed_variable(variable, ty)
            }
        });
        self.memory.static_depth -= 1;
        // It lives as long as the program.
        self.frame.owned.truncate(owned);
        let local = local?;
        if let Local::Object(ty, Place::Cell(cell)) = &local {
            self.forget_initial(*cell, ty)?;
            self.static_locals.insert(key, (*cell, ty.clone()));
        }
        self.add_local(&variable.name, local);
        Ok(())
    }

    /// Evaluates `auto [a, b] = value;`.
    fn structured_binding(
        &mut self,
        names: &'u [Name],
        by_reference: bool,
        value: &'u Expr,
    ) -> Evaluated<()> {
        let operand = self.expr(value)?;
        let span = operand.span;
        let ty = operand.ty.clone();
        let object = match (by_reference, operand.object()) {
            (true, Some(cell)) => cell,
            (false, Some(_)) | (_, None) => {
                let ty = ty.clone().unqualified();
                if let Place::Temporary(cell) = operand.place {
                    self.forget_temporary(cell);
                    self.own(cell, &ty, span);
                    cell
                } else {
                    let cell = self.temporary(&ty)?;
                    self.initialise_from(cell, &ty, operand)?;
                    self.own(cell, &ty, span);
                    cell
                }
            }
        };
        let whole = Operand::cell(ty.clone(), object, span);
        for (at, name) in names.iter().enumerate() {
            let part = match &ty.kind {
                Kind::Array(of, _) => {
                    let of = of.as_ref().clone();
                    let element = self.element(object, at as u64)?;
                    element.map(|cell| Operand::cell(of, cell, span))
                }
                Kind::Class(class) => {
                    let names: Vec<Name> = {
                        let fields = &self.classes[class.index()].fields;
                        fields.iter().map(|field| field.name.clone()).collect()
                    };
                    match names.get(at) {
                        Some(field)
                            if names.len() >= 2 || self.tuple_part(&whole, at)?.is_none() =>
                        {
                            Some(self.member_of(whole.clone(), field, span)?)
                        }
                        _ => self.tuple_part(&whole, at)?,
                    }
                }
                _ => None,
            };
            let part = match part {
                Some(part) => part,
                None => self.unknown(span, "the parts of this object are not known"),
            };
            let part = self.materialised(part)?;
            self.add_local(
                name,
                Local::Object(part.ty, super::calls::named(part.place)),
            );
        }
        Ok(())
    }

    /// Evaluates `std::get<at>(object)` of a tuple of the standard prelude.
    fn tuple_part(&mut self, whole: &Operand, at: usize) -> Evaluated<Option<Operand>> {
        let mut whole = whole.clone();
        for _ in 0..at {
            let Some(class) = whole.ty.class() else {
                return Ok(None);
            };
            if self.field(class, "rest_")?.is_none() {
                return Ok(None);
            }
            whole = self.member_of(whole, "rest_", Default::default())?;
        }
        let Some(class) = whole.ty.class() else {
            return Ok(None);
        };
        match self.field(class, "first_")? {
            Some(_) => {
                let span = whole.span;
                self.member_of(whole, "first_", span).map(Some)
            }
            None => Ok(None),
        }
    }

    fn exit_statement(&mut self, exit: Exit) -> Evaluated<Flow> {
        let owned = match exit {
            Exit::Continue => {
                let loops = self.frame.loops.iter().rev();
                let target = loops.into_iter().find(|frame| frame.continued.is_some());
                target.map_or(0, |frame| frame.owned)
            }
            _ => self.frame.loops.last().map_or(0, |frame| frame.owned),
        };
        self.destroy_from(owned)?;
        self.leave(exit)
    }

    fn return_statement(&mut self, value: Option<&'u Expr>) -> Evaluated<Flow> {
        let temporaries = self.temporaries.len();
        match value {
            None => {}
            Some(value) => self.return_value(value)?,
        }
        self.end_expression(temporaries)?;
        self.destroy_from(0)?;
        self.leave(Exit::Return)
    }

    fn return_value(&mut self, value: &'u Expr) -> Evaluated<()> {
        if self.frame.returns.is_none() {
            let operand = self.expr(value)?;
            let ty = match self.frame.placeholder {
                Some(pattern) => self.deduced_from(pattern, value, &operand)?,
                None => self.decayed_type(&operand)?,
            };
            if let Some(probed) = &mut self.frame.probed {
                let is_better = probed
                    .as_ref()
                    .is_none_or(|known| known.kind == Kind::Unknown);
                if is_better {
                    *probed = Some(ty);
                }
                return Ok(());
            }
            self.open_result(&ty)?;
            return self.fill_result(operand);
        }
        let returns = self.frame.returns.clone().unwrap_or_else(Ty::void);
        if returns.kind == Kind::Void {
            self.expr(value)?;
            return Ok(());
        }
        // A local object that is returned by name is the result: compilers construct it there.
        if let (ExprKind::Path(path), Kind::Class(_)) = (&value.kind, &returns.kind)
            && let [only] = path.segments.as_slice()
            && let Some(Local::Object(ty, Place::Cell(cell))) = self.frame.find(&only.name)
            && ty.is_same(&returns)
            && let Some(at) = self.frame.owned.iter().position(|(own, ..)| *own == cell)
            && let Some(result) = self.frame.result.clone()
            && let Place::Cell(to) = result.place
        {
            let is_parameter = self.frame.is_parameter(&only.name);
            if !is_parameter && self.blocks.len() == self.frame.block_depth {
                self.copy_cells(to, cell)?;
                self.frame.owned.remove(at);
                return Ok(());
            }
        }
        let operand = self.expr_for(value, &returns)?;
        self.fill_result(operand)
    }

    fn fill_result(&mut self, operand: Operand) -> Evaluated<()> {
        let Some(result) = self.frame.result.clone() else {
            return Ok(());
        };
        let Place::Cell(cell) = result.place else {
            return Ok(());
        };
        // What is returned by name may be moved from.
        let operand = match (&result.ty.kind, &operand.place) {
            (Kind::Class(_), Place::Cell(own)) if self.is_local_object(*own) => Operand {
                place: Place::Moved(*own),
                ..operand
            },
            _ => operand,
        };
        self.initialise_from(cell, &result.ty, operand)
    }

    fn is_local_object(&self, cell: super::CellId) -> bool {
        self.frame
            .locals
            .iter()
            .any(|(_, local)| matches!(local, Local::Object(_, Place::Cell(own)) if *own == cell))
    }

    /// Returns a pointer to an object as an operand.
    pub(crate) fn pointer_to(
        &self,
        cell: super::CellId,
        of: Ty,
        span: a2lint_source::text::Span,
    ) -> Operand {
        Operand::value(of.pointer_to(), Value::Pointer(Pointer::To(cell)), span)
    }

    /// Returns the key of a block that belongs to an expression.
    pub(crate) fn expression_key(&self, expr: &Expr, tag: u8) -> super::blocks::BlockKey {
        (expr.span.start, 16 + tag, self.path)
    }

    /// Returns the key of a block that belongs to a statement.
    pub(crate) fn statement_key(&self, id: NodeId, tag: u8) -> super::blocks::BlockKey {
        (id.0, 32 + tag, self.path)
    }
}
