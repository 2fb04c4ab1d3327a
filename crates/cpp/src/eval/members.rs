//! Members of objects, variables of namespaces and classes, and elements of arrays by scalars.

use a2lint_ir as ir;
use a2lint_source::text::Span;

use super::Eval;
use super::exits::Flow;
use super::names::{Ctx, Entity, Found, Scope};
use super::overloads::Chosen;
use super::substitution::Failure;
use super::types::{ClassId, IntType, Kind, TemplateArg, Ty};
use super::values::{CellId, Operand, Overloads, Place, Value};
use crate::library::{Call, Evaluated, Outcome};
use crate::syntax::ast::{BinaryOp, Expr, Init, Path, Variable};

/// Maximum length of an array that a scalar of the program may index.
const MAX_CHOSEN: u64 = 64;

impl<'u> Eval<'u> {
    /// Evaluates the object before `.` or `->`.
    pub(crate) fn member_object(&mut self, object: &'u Expr, is_arrow: bool) -> Evaluated<Operand> {
        let operand = self.expr(object)?;
        if !is_arrow {
            return Ok(operand);
        }
        let span = operand.span;
        let mut operand = operand;
        // `operator->` may return another object with one; a class that returns itself must not loop.
        for _ in 0..8 {
            if !matches!(operand.ty.kind, Kind::Class(_)) {
                break;
            }
            let operands = [operand.clone()];
            match self.overloaded("->", &operands, span)? {
                Some(made) => operand = made,
                None => break,
            }
        }
        // The library takes `->` on its objects as `.`, as it does for pointers to them.
        if let Kind::Library(_) = operand.ty.kind {
            return Ok(operand);
        }
        self.dereferenced(operand, span)
    }

    /// Evaluates `object.member`: a data member, an enumerator, or the overload set of a method.
    pub(crate) fn member(
        &mut self,
        object: Operand,
        member: &'u Path,
        span: Span,
    ) -> Evaluated<Operand> {
        let last = member.segments.last().expect("paths are not empty");
        let Kind::Class(class) = object.ty.kind else {
            return self.library_member(object, member, span);
        };
        let found = match member.segments.len() {
            // An unqualified member name is looked up only in the class, not in the scopes around the expression.
            1 => self.find_in_class(class, &last.name)?,
            _ => Some(self.find_path(member)?),
        };
        let Some(found) = found else {
            self.fails(Failure::IllFormed);
            let what = format!(
                "`{}` has no member `{}`",
                self.type_name(&object.ty),
                last.name
            );
            return Ok(self.unknown(span, what));
        };
        if let Found::Entities(entities, context, _) = &found {
            for entity in entities {
                match *entity {
                    Entity::Variable(variable) if !variable.is_static => {
                        let object = self.qualified_object(object, member, span)?;
                        return self.member_of(object, &last.name, span);
                    }
                    Entity::Variable(_) | Entity::Enumerator(..) => {
                        // Static members and enumerators do not depend on the object.
                        return self.found_value(found, member);
                    }
                    _ => {}
                }
            }
            let _ = context;
        }
        let functions = self.functions_of(&found);
        let arguments = match &last.arguments {
            Some(arguments) => Some(self.template_arguments(arguments)?.into()),
            None => None,
        };
        let overloads = Overloads {
            name: last.name.clone(),
            functions,
            arguments,
            object: Some(object),
            is_library: false,
        };
        let place = Place::Overloads(std::rc::Rc::new(overloads));
        let ty = Ty::unknown();
        Ok(Operand { ty, place, span })
    }

    /// Returns the part of an object whose member a qualified name means: `object.Base::member`.
    fn qualified_object(
        &mut self,
        object: Operand,
        member: &'u Path,
        span: Span,
    ) -> Evaluated<Operand> {
        if member.segments.len() == 1 {
            return Ok(object);
        }
        let Scope::Type(Ty {
            kind: kind @ Kind::Class(_),
            ..
        }) = self.scope_of(member)?
        else {
            return Ok(self.unknown(span, "which member is meant is not known"));
        };
        let is_const = object.ty.is_const;
        self.convert(object, &Ty { kind, is_const }.reference_to(false), true)
    }

    fn library_member(
        &mut self,
        object: Operand,
        member: &'u Path,
        span: Span,
    ) -> Evaluated<Operand> {
        let last = member.segments.last().expect("paths are not empty");
        if object.ty.kind == Kind::Unknown {
            return Ok(Operand::unknown(span));
        }
        let arguments = match &last.arguments {
            Some(arguments) => Some(self.template_arguments(arguments)?.into()),
            None => None,
        };
        let overloads = Overloads {
            name: last.name.clone(),
            functions: Vec::new(),
            arguments,
            object: Some(object),
            is_library: true,
        };
        let place = Place::Overloads(std::rc::Rc::new(overloads));
        let ty = Ty::unknown();
        Ok(Operand { ty, place, span })
    }

    /// Returns a data member of an object by its name.
    pub fn member_of(&mut self, object: Operand, name: &str, span: Span) -> Evaluated<Operand> {
        let Kind::Class(class) = object.ty.kind else {
            return Ok(Operand::unknown(span));
        };
        let Some(field) = self.field(class, name)? else {
            let what = format!("`{}` has no member `{name}`", self.type_name(&object.ty));
            return Ok(self.unknown(span, what));
        };
        // A member of a `const` object is `const`, but the target of a reference member is not.
        let ty = match object.ty.is_const {
            true => field.ty.clone().constant(),
            false => field.ty.clone(),
        };
        let within = match object.object() {
            // The pointer may be of a base or derived class, or of an unrelated one after a cast.
            Some(cell) => self.object_as(cell, class)?,
            None => None,
        };
        let place = match (object.place, within) {
            (Place::Cell(_), Some(within)) => Place::Cell(within.plus(field.cell)),
            (Place::Moved(_) | Place::Temporary(_), Some(within)) => {
                Place::Moved(within.plus(field.cell))
            }
            (Place::Cell(_) | Place::Moved(_) | Place::Temporary(_), None) => {
                let what = "an object is used as one of another type here";
                self.builder.note_unknown(span, what.to_owned());
                let of = ty.referred().clone();
                // A store to the phantom changes bytes of the accessed object, whichever members they belong to.
                let cell = self.phantom(&of)?;
                return Ok(Operand::cell(of, cell, span));
            }
            (Place::Remote(address), _) => {
                let library = self.library;
                let found =
                    library.member(self, &address, &object.ty, (name, &field.ty), field.byte)?;
                match found {
                    Some(address) => Place::Remote(address),
                    None => Place::Value(Value::Unknown),
                }
            }
            _ => Place::Value(Value::Unknown),
        };
        // A named reference is an lvalue, whichever kind it is declared as.
        if let (Kind::Reference(of, _), Place::Cell(cell) | Place::Moved(cell)) =
            (&field.ty.kind, &place)
        {
            let of = of.as_ref().clone();
            let value = self.load_cell(*cell)?;
            return self.referred(value, of, false, span);
        }
        Ok(Operand { ty, place, span })
    }

    /// Returns a variable of a class that is named without an object.
    pub(crate) fn member_variable(
        &mut self,
        class: ClassId,
        variable: &'u Variable,
        path: &'u Path,
    ) -> Evaluated<Operand> {
        let span = path.span;
        if variable.is_static {
            let last = path.segments.last().expect("paths are not empty");
            let arguments = match (&variable.template, &last.arguments) {
                (Some(_), Some(arguments)) => self.template_arguments(arguments)?,
                _ => Vec::new(),
            };
            return self.static_member(class, variable, arguments, span);
        }
        match self.this_for(class, span)? {
            Some(object) => self.member_of(object, &variable.name, span),
            // `sizeof(C::member)`, `decltype(C::member)`
            None => {
                let ty = match self.field(class, &variable.name)? {
                    Some(field) => field.ty,
                    None => Ty::unknown(),
                };
                let cell = self.temporary(ty.referred())?;
                Ok(Operand::cell(ty.referred().clone(), cell, span))
            }
        }
    }

    /// Returns `*this` as an object of a class, which is that of `this` or one of its bases.
    pub(crate) fn this_for(&mut self, class: ClassId, span: Span) -> Evaluated<Option<Operand>> {
        let Some((cell, ty)) = self.frame.this.clone() else {
            return Ok(None);
        };
        let Some(own) = ty.class() else {
            return Ok(None);
        };
        // Offsets of bases are known once the class is laid out.
        self.complete(own)?;
        Ok(self.base_offset(own, class).map(|offset| {
            let ty = Ty {
                kind: Kind::Class(class),
                is_const: ty.is_const,
            };
            Operand::cell(ty, cell.plus(offset), span)
        }))
    }

    /// Returns a static data member.
    fn static_member(
        &mut self,
        class: ClassId,
        variable: &'u Variable,
        arguments: Vec<TemplateArg>,
        span: Span,
    ) -> Evaluated<Operand> {
        let context = self.classes[class.index()].context.clone();
        let defined = self.outside_variable(class, variable);
        let init = match (&variable.init, defined) {
            // `static` members are declared in the class and may be initialised outside of it.
            (Init::None, Some(defined)) => defined,
            _ => variable,
        };
        self.static_variable(variable, init, &context, arguments, span)
    }

    /// Returns the definition of a static member outside of its class.
    fn outside_variable(&self, class: ClassId, variable: &'u Variable) -> Option<&'u Variable> {
        let name = &self.classes[class.index()].name;
        let all = self.outside_variables.iter();
        all.map(|(variable, _)| *variable).find(|other| {
            let names_class = |path: &Path| path.segments.iter().any(|part| part.name == *name);
            other.name == variable.name && other.owner.as_ref().is_some_and(names_class)
        })
    }

    /// Returns a variable of a namespace.
    pub(crate) fn global_variable(
        &mut self,
        variable: &'u Variable,
        context: &Ctx<'u>,
        arguments: Vec<TemplateArg>,
        span: Span,
    ) -> Evaluated<Operand> {
        let mut defined = variable;
        // An `extern` declaration names a variable that is defined elsewhere in the file.
        if variable.is_extern
            && let super::names::ContextKind::Namespace(id) = context.kind
        {
            let entities = self.namespaces[id.0 as usize].names.get(&variable.name);
            for entity in entities.into_iter().flatten() {
                if let Entity::Variable(other) = entity
                    && !other.is_extern
                {
                    defined = other;
                }
            }
        }
        // Traits of the standard prelude that C++ code cannot express, such as whether a type is a class.
        if let Some(value) = self.intrinsic(&variable.name, &arguments)? {
            return Ok(Operand::value(IntType::Bool, Value::bool(value), span));
        }
        self.static_variable(variable, defined, context, arguments, span)
    }

    /// Returns a variable with static storage. It is created and initialised when it is first named, as if that
    /// happened before the program.
    fn static_variable(
        &mut self,
        variable: &'u Variable,
        defined: &'u Variable,
        context: &Ctx<'u>,
        arguments: Vec<TemplateArg>,
        span: Span,
    ) -> Evaluated<Operand> {
        let mut all = arguments.clone();
        super::classes::outer_arguments(context, &mut all);
        let key = (std::ptr::from_ref(variable) as usize, all);
        if let Some((cell, ty)) = self.static_locals.get(&key) {
            return Ok(Operand::cell(ty.clone(), *cell, span));
        }
        let bound = match &variable.template {
            Some(template) => {
                let bound = self.in_context(context.clone(), |eval| {
                    eval.bind_parameters(template, arguments)
                })?;
                bound.unwrap_or_default()
            }
            None => Vec::new(),
        };
        let inner = super::frame::inner_context(context, &bound);
        // Cells that the initialiser creates live as long as the variable, so no rollback may remove them.
        self.memory.static_depth += 1;
        let result = self.nested(|eval| {
            eval.in_context(inner, |eval| {
                eval.constant(|eval| eval.initialised_static(variable, defined, &key))
            })
        });
        self.memory.static_depth -= 1;
        let (cell, ty) = result?;
        self.static_locals.insert(key, (cell, ty.clone()));
        Ok(Operand::cell(ty, cell, span))
    }

    fn initialised_static(
        &mut self,
        variable: &'u Variable,
        defined: &'u Variable,
        key: &(usize, Vec<TemplateArg>),
    ) -> Evaluated<(CellId, Ty)> {
        let span = variable.name_span;
        let statement = self.builder.statement;
        let temporaries = std::mem::take(&mut self.temporaries);
        let made = if Self::is_placeholder(&variable.ty) {
            let value = match &defined.init {
                Init::Assign(value) => Some(value),
                Init::Parens(values) | Init::Braces(values) => values.first(),
                Init::None => None,
            };
            let operand = match value {
                Some(value) => self.expr(value)?,
                None => Operand::unknown(span),
            };
            let ty = self.deduced_type(&variable.ty, &operand)?;
            let ty = if variable.is_const { ty.constant() } else { ty };
            let cell = self.new_object(&ty.clone().unqualified(), &variable.name, span)?;
            self.initialise_from(cell, &ty.clone().unqualified(), operand)?;
            (cell, ty)
        } else {
            let mut ty = self.variable_type(variable)?;
            if let Kind::Array(_, None) = ty.kind {
                ty = self.variable_type(defined)?;
            }
            let cell = self.new_object(&ty.clone().unqualified(), &variable.name, span)?;
            // Initialisers may name the variable itself.
            self.static_locals.insert(key.clone(), (cell, ty.clone()));
            match &defined.init {
                Init::None => self.value_initialise(cell, &ty, span)?,
                init => self.initialise(cell, &ty.clone().unqualified(), init, span)?,
            }
            (cell, ty)
        };
        self.temporaries = temporaries;
        self.builder.statement = statement;
        self.forget_initial(made.0, &made.1)?;
        Ok(made)
    }

    /// Makes scalars in the cells of a static object unknown: the object exists before the program, where no scalar has
    /// a value.
    pub(super) fn forget_scalars(&mut self, cell: CellId) -> Evaluated<()> {
        let ty = self.memory.get(cell).ty.clone();
        for at in 0..self.cells_of(&ty)? {
            let part = cell.plus(at);
            if !self.memory.get(part).value.scalars().is_empty() {
                self.memory.set(part, Value::Unknown, false);
            }
        }
        Ok(())
    }

    /// Traits that templates cannot tell.
    fn intrinsic(&mut self, name: &str, arguments: &[TemplateArg]) -> Evaluated<Option<bool>> {
        let types: Vec<Ty> = arguments
            .iter()
            .filter_map(|argument| match argument {
                TemplateArg::Type(ty) => Some(ty.clone()),
                _ => None,
            })
            .collect();
        Ok(match (name, types.as_slice()) {
            ("a2_is_class", [ty]) => Some(match ty.kind {
                Kind::Class(id) => !self.classes[id.index()].decl.is_union,
                Kind::Closure(_) | Kind::Library(_) => true,
                _ => false,
            }),
            ("a2_is_enum", [ty]) => Some(matches!(ty.kind, Kind::Enum(_))),
            ("a2_is_function", [ty]) => Some(matches!(ty.kind, Kind::Function(_))),
            ("a2_is_base_of", [base, derived]) => match (base.class(), derived.class()) {
                (Some(base), Some(derived)) => {
                    self.complete(derived)?;
                    Some(self.base_offset(derived, base).is_some())
                }
                _ => Some(false),
            },
            ("a2_is_convertible", [from, to]) => {
                let place = Place::Value(Value::Unknown);
                let span = Span::default();
                let ty = from.referred().clone();
                let operand = Operand { ty, place, span };
                Some(self.implicit_rank(&operand, to)?.is_some())
            }
            _ => None,
        })
    }

    /// Calls a method that overload resolution has chosen.
    pub(crate) fn call_method(
        &mut self,
        chosen: Chosen,
        object: Operand,
        mut arguments: Vec<Operand>,
        is_virtual: bool,
        spans: (Span, Span),
    ) -> Evaluated<Operand> {
        let Chosen {
            mut function,
            bound,
        } = chosen;
        let info = self.info(function);
        if info.decl.is_static {
            return self.call_function(function, bound, None, arguments, spans);
        }
        let (Some(owner), Some(_)) = (info.class, object.ty.class()) else {
            return self.call_function(function, bound, Some(object), arguments, spans);
        };
        let object = self.materialised(object)?;
        let Some(cell) = object.object() else {
            // An object in memory that the library knows is copied for the call.
            let (cell, made) = self.class_object(&object.ty.clone(), spans.1)?;
            self.initialise_from(cell, &made.ty.clone(), object)?;
            return self.call_method(
                Chosen { function, bound },
                made,
                arguments,
                is_virtual,
                spans,
            );
        };
        let mut cell = match self.object_as(cell, owner)? {
            Some(object) => object,
            None => {
                let what = "an object is used as one of another type here";
                self.builder.note_unknown(spans.1, what.to_owned());
                self.phantom(&Kind::Class(owner).into())?
            }
        };
        if is_virtual && bound.is_empty() {
            let (found, part) = self.dispatched(function, cell)?;
            if found != function {
                // Default arguments are those of the function that the call names, not of its overrider.
                let types = self.signature(function, &bound)?.parameters.clone();
                self.add_defaults(function, &bound, &types, &mut arguments)?;
            }
            (function, cell) = (found, part);
        }
        let class = self.info(function).class.unwrap_or(owner);
        let ty = Ty {
            kind: Kind::Class(class),
            is_const: object.ty.is_const,
        };
        let object = Operand::cell(ty, cell, object.span);
        self.call_function(function, bound, Some(object), arguments, spans)
    }

    /// Calls a method of an object of a library type.
    pub(crate) fn call_library_method(
        &mut self,
        overloads: &Overloads,
        object: &Operand,
        arguments: &[Operand],
        (name_span, span): (Span, Span),
    ) -> Evaluated<Operand> {
        let call = Call {
            name: &overloads.name,
            template: overloads.arguments.as_deref().unwrap_or_default(),
            operands: arguments,
            function: None,
            returns: None,
            name_span,
            span,
        };
        let library = self.library;
        match library.method(self, object, call)? {
            Outcome::Done(made) => Ok(made.at(span)),
            Outcome::Unknown(what) => self.unknown_call(&what, Some(object), arguments, span),
            Outcome::Follows(what) => self.follower_call(&what, Some(object), arguments, span),
            Outcome::NotMine => {
                let ty = self.type_name(&object.ty);
                let what = format!("`{}` of `{ty}` is not known", overloads.name);
                self.unknown_call(&what, Some(object), arguments, span)
            }
        }
    }

    /// Returns the element of an array that a scalar selects, by comparing the scalar with each index in turn.
    pub(crate) fn element_by_scalar(
        &mut self,
        expr: &'u Expr,
        (array, of, length): (CellId, Ty, u64),
        index: &Value,
    ) -> Evaluated<Operand> {
        let span = expr.span;
        if !can_be_chosen(&of) || length > MAX_CHOSEN || index.is_unknown() {
            return self.unknown_element(of, index, span);
        }
        self.check_index(index, 0, length, span)?;
        if !matches!(of.kind, Kind::Library(_)) {
            return self.chosen_number((array, of, length), 0, index, span);
        }
        let mut values = Vec::new();
        for at in 0..length {
            if let Some(cell) = self.element(array, at)? {
                values.push(self.load_cell(cell)?);
            }
        }
        // Each element has its own record of the paths that prepare it; none holds for the one that is chosen.
        values.iter_mut().for_each(unmark);
        if !are_alike(&values) {
            return self.unknown_element(of, index, span);
        }
        let first = values.first();
        let same = first.filter(|first| values.iter().all(|value| value.is_same(first)));
        let value = match same {
            Some(same) => same.clone(),
            None => {
                let result = self.temporary(&of)?;
                self.chosen_element(expr, &values, 0, index, result)?;
                self.load_cell(result)?
            }
        };
        // What is stored to it may change any object of its type.
        let cell = self.phantom(&of)?;
        self.memory.set(cell, value, false);
        Ok(Operand::cell(of, cell, span))
    }

    /// Returns the element of an array of numbers that a scalar selects; index 0 of the scalar is element `first`.
    fn chosen_number(
        &mut self,
        (array, of, length): (CellId, Ty, u64),
        first: i128,
        index: &Value,
        span: Span,
    ) -> Evaluated<Operand> {
        let mut cells = Vec::new();
        for at in 0..length {
            cells.extend(self.element(array, at)?);
        }
        // The last element needs no comparison: `check_index` reports an index outside of the array.
        let questions = 0..cells.len().saturating_sub(1);
        let conditions = questions
            .map(|at| self.is_index(index, at as i64 - first as i64))
            .collect();
        match cells.is_empty() {
            true => self.unknown_element(of, index, span),
            false => self.chosen_object(of, conditions, &cells, span),
        }
    }

    /// Returns an element of an array where it is not known which one.
    fn unknown_element(&mut self, of: Ty, index: &Value, span: Span) -> Evaluated<Operand> {
        // A loop over the index may be unrolled instead.
        self.wants_constants = true;
        let what = "which element of this array is meant is not known".to_owned();
        match index.is_unknown() {
            true => self.builder.note_follower(span, what),
            false => self.builder.note_unknown(span, what),
        }
        let cell = self.phantom(&of)?;
        Ok(Operand::cell(of, cell, span))
    }

    fn chosen_element(
        &mut self,
        expr: &'u Expr,
        values: &[Value],
        at: usize,
        index: &Value,
        result: CellId,
    ) -> Evaluated<()> {
        let Some(value) = values.get(at) else {
            return Ok(());
        };
        // The last element needs no comparison: `check_index` reports an index outside of the array.
        if at + 1 == values.len() {
            return self.store_cell(result, value.clone());
        }
        let condition = self.is_index(index, at as i64);
        let key = self.expression_key(expr, 40 + at as u8);
        self.nested(|eval| {
            eval.two_arms(key, (condition, expr.span), |eval, is_then| {
                match is_then {
                    true => eval.store_cell(result, value.clone())?,
                    false => eval.chosen_element(expr, values, at + 1, index, result)?,
                }
                Ok(Flow::Normal)
            })
        })?;
        Ok(())
    }

    /// Emits a check that `index + first` is the index of one of `length` elements.
    fn check_index(
        &mut self,
        index: &Value,
        first: i128,
        length: u64,
        span: Span,
    ) -> Evaluated<()> {
        if self.is_typing || self.memory.static_depth > 0 {
            return Ok(());
        }
        let (Ok(first), Ok(length)) = (i64::try_from(first), i64::try_from(length)) else {
            return Ok(());
        };
        let index = self.number_scalar(index);
        let of = IntType::Long.scalar();
        let scalars = &mut self.builder.program.scalars;
        let [first, length] = [first, length].map(|it| scalars.int(it));
        let at = scalars.binary_as(of, ir::BinaryOp::Add, index, first);
        let checked = scalars.binary_as(of, ir::BinaryOp::Index, at, length);
        if scalars.as_int(checked).is_some() {
            return Ok(());
        }
        let variable = self
            .builder
            .variable(ir::VariableKind::Temporary, "", of, span);
        self.builder.assign(variable, checked)?;
        Ok(())
    }

    fn is_index(&mut self, index: &Value, at: i64) -> ir::ScalarId {
        let of = match index {
            Value::Int(of, _) => of.promoted(),
            _ => IntType::Int,
        };
        let index = self.number_scalar(index);
        let scalars = &mut self.builder.program.scalars;
        let at = scalars.int(at);
        scalars.compare_as(of.scalar(), ir::CompareOp::Eq, index, at)
    }

    /// Evaluates `array[scalar] = value` by comparing the scalar with each index in turn; returns `None` for other
    /// targets.
    pub(crate) fn assign_by_scalar(
        &mut self,
        expr: &'u Expr,
        (object, indices): (&Operand, &[Operand]),
        op: Option<BinaryOp>,
        value: &Operand,
    ) -> Evaluated<Option<Operand>> {
        let [index] = indices else {
            return Ok(None);
        };
        let is_number = matches!(index.ty.kind, Kind::Int(_) | Kind::Enum(_));
        let is_array = matches!(object.ty.kind, Kind::Array(..) | Kind::Pointer(..));
        if !is_number || !is_array {
            return Ok(None);
        }
        let index = self.promoted(index.clone())?;
        let chosen = self.value_of(&index)?;
        if chosen.known_int().is_some() {
            return Ok(None);
        }
        let pointer = self.decayed(object.clone())?;
        let value_of_pointer = self.value_of(&pointer)?;
        let Some((array, first)) = self.position(&value_of_pointer)? else {
            return Ok(None);
        };
        let ty = self.memory.get(array).ty.clone();
        let Kind::Array(of, Some(length)) = &ty.kind else {
            return Ok(None);
        };
        let (of, length) = (of.as_ref().clone(), *length);
        // Elements are counted as those of the pointer, which may see the array as one of another type.
        let is_of = pointer.ty.pointee().is_some_and(|it| it.is_like(&of));
        if !is_of || !can_be_chosen(&of) || length > MAX_CHOSEN || chosen.is_unknown() {
            self.wants_constants = true;
            self.forget_object(array)?;
            let what = "which element of this array is stored is not known".to_owned();
            match chosen.is_unknown() {
                true => self.builder.note_follower(expr.span, what),
                false => self.builder.note_unknown(expr.span, what),
            }
            return Ok(Some(Operand::unknown(expr.span)));
        }
        self.check_index(&chosen, first, length, index.span)?;
        for at in 0..length {
            let Some(cell) = self.element(array, at)? else {
                continue;
            };
            let condition = self.is_index(&chosen, at as i64 - first as i64);
            let key = self.expression_key(expr, 110 + at as u8);
            self.two_arms(key, (condition, index.span), |eval, is_then| {
                if is_then {
                    let element = Operand::cell(of.clone(), cell, index.span);
                    let former = std::mem::replace(&mut eval.is_chosen_store, true);
                    let stored = eval.assign_with(element, op, value.clone(), expr.span);
                    eval.is_chosen_store = former;
                    stored?;
                }
                Ok(Flow::Normal)
            })?;
        }
        match of.kind {
            Kind::Library(_) => Ok(Some(Operand::unknown_of(of, expr.span))),
            _ => self
                .chosen_number((array, of, length), first, &chosen, expr.span)
                .map(Some),
        }
    }

    /// Makes the other members of a union unknown after a store to one, since they share its memory.
    pub(crate) fn forget_union_siblings(&mut self, cell: CellId) -> Evaluated<()> {
        let mut at = cell;
        while let Some(parent) = self.memory.parent(at) {
            if let Kind::Class(class) = self.memory.get(parent).ty.kind
                && self.classes[class.index()].decl.is_union
            {
                let fields = self.classes[class.index()].fields.clone();
                for field in fields {
                    let part = parent.plus(field.cell);
                    if part != at {
                        self.forget_object(part)?;
                    }
                }
            }
            at = parent;
        }
        Ok(())
    }
}

/// Returns whether elements of a type can be chosen by a number of the program: numbers, and objects of the library.
fn can_be_chosen(of: &Ty) -> bool {
    matches!(
        of.kind,
        Kind::Int(_) | Kind::Float(_) | Kind::Enum(_) | Kind::Library(_)
    )
}

/// Takes the record of the paths that prepare an object of the library from its value.
fn unmark(value: &mut Value) {
    if let Value::Library(object) = value
        && let Some(bare) = object.unmarked()
    {
        *object = bare;
    }
}

/// Returns whether values are objects of the library that differ in their scalars at most.
fn are_alike(values: &[Value]) -> bool {
    let objects = values.iter().map(|value| match value {
        Value::Library(object) => Some(object),
        _ => None,
    });
    let Some(objects) = objects.collect::<Option<Vec<_>>>() else {
        return false;
    };
    objects
        .windows(2)
        .all(|pair| pair[0].is_same_shape(&**pair[1]))
}
