//! Expressions.

use std::rc::Rc;

use a2lint_source::text::Span;

use super::Eval;
use super::names::{Entity, Found, Local};
use super::objects::braces;
use super::substitution::{Failure, Special};
use super::types::{IntType, Kind, TemplateArg, Ty};
use super::values::{BraceOperand, Operand, Overloads, Place, Pointer, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{
    BinaryOp, BraceItem, CastKind, Expr, ExprKind, IntSuffix, Name, Path, Type, TypeKind,
};

impl<'u> Eval<'u> {
    /// Evaluates an expression.
    pub(crate) fn expr(&mut self, expr: &'u Expr) -> Evaluated<Operand> {
        self.step()?;
        self.nested(|eval| eval.expr_inner(expr))
    }

    /// Evaluates an expression whose value becomes one of a type.
    pub(crate) fn expr_for(&mut self, expr: &'u Expr, _ty: &Ty) -> Evaluated<Operand> {
        self.expr(expr)
    }

    fn expr_inner(&mut self, expr: &'u Expr) -> Evaluated<Operand> {
        let span = expr.span;
        match &expr.kind {
            ExprKind::Int(value, suffix) => Ok(int_literal(*value, *suffix, span)),
            ExprKind::Float(value, is_single) => Ok(Self::float_literal(*value, *is_single, span)),
            ExprKind::Char(code) => {
                // A code above 127 is negative in a `char`, which is signed on the host and on the device.
                let value = IntType::Char.wrap((*code).into());
                Ok(Operand::value(
                    IntType::Char,
                    Value::int(IntType::Char, value),
                    span,
                ))
            }
            ExprKind::Bool(value) => Ok(Operand::value(IntType::Bool, Value::bool(*value), span)),
            ExprKind::Null => Ok(Operand::value(Kind::Null, Value::Null, span)),
            ExprKind::String(text) => {
                let of: Ty = IntType::Char.into();
                let ty = of.constant().pointer_to();
                Ok(Operand::value(ty, Value::String(text.clone()), span))
            }
            ExprKind::Path(path) => {
                let found = self.find_path(path)?;
                self.found_value(found, path)
            }
            ExprKind::This => Ok(match &self.frame.this {
                Some((cell, ty)) => self.pointer_to(*cell, ty.clone(), span),
                None => Operand::unknown(span),
            }),
            ExprKind::Member {
                object,
                is_arrow,
                member,
            } => {
                let object = self.member_object(object, *is_arrow)?;
                self.member(object, member, span)
            }
            ExprKind::Call { callee, arguments } => self.call(expr, callee, arguments),
            ExprKind::Launch {
                callee,
                configuration,
                arguments,
            } => {
                let configuration = self.arguments(configuration)?;
                let library = self.library;
                // The host starts the kernel here; where the library does not model that, its arguments may be changed
                // by it.
                if library.configure(self, &configuration)? {
                    return self.call(expr, callee, arguments);
                }
                let arguments = self.arguments(arguments)?;
                self.unknown_call("a kernel is launched here", None, &arguments, span)
            }
            ExprKind::Construct(ty, arguments) => {
                let ty = self.ty(ty)?;
                let arguments = self.arguments(arguments)?;
                self.constructed(&ty, arguments, span)
            }
            ExprKind::Braces(None, items) => {
                let items = self.brace_items(items)?;
                Ok(braces(items, span))
            }
            ExprKind::Braces(Some(ty), items) => {
                // `Tile{a, b}`: the arguments of the template are deduced from the items, before the type is known.
                let template = self.open_template(ty)?;
                let items = self.brace_items(items)?;
                let values: Vec<Operand> = items.iter().map(|item| item.value.clone()).collect();
                let deduced = match template {
                    Some(template) => self.deduced_class(template, &values)?,
                    None => None,
                };
                let ty = match deduced {
                    Some(ty) => ty,
                    None => self.ty(ty)?,
                };
                self.listed(&ty, items, span)
            }
            ExprKind::Index(object, indices) => self.index(expr, object, indices),
            ExprKind::Unary(op, operand) => {
                let operand = self.expr(operand)?;
                self.unary(*op, operand, span)
            }
            ExprKind::Step {
                target,
                is_increment,
                is_prefix,
            } => self.step_expr(target, *is_increment, *is_prefix, span),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or), a, b) => {
                let a = self.expr(a)?;
                self.logical(expr, *op, a, b)
            }
            ExprKind::Binary(op, a, b) => {
                let a = self.expr(a)?;
                // `i + i++`: the left value is read before the right side changes it.
                let a = self.evaluated_once(a)?;
                let b = self.expr(b)?;
                self.binary(*op, a, b, span)
            }
            ExprKind::Assign(target, op, value) => self.assignment(expr, target, *op, value),
            ExprKind::Conditional(parts) => self.conditional(expr, parts),
            ExprKind::Comma(a, b) => {
                self.expr(a)?;
                self.expr(b)
            }
            ExprKind::Cast(kind, ty, operand) => self.cast(*kind, ty, operand, span),
            ExprKind::SizeOfType(ty) => {
                let ty = match &ty.kind {
                    // A variable may have the name of a template of another namespace, which the parser takes it for.
                    TypeKind::Path(path) => self.type_of_name(path)?,
                    _ => self.ty(ty)?,
                };
                self.size_operand(&ty, span)
            }
            ExprKind::SizeOf(operand) => {
                let ty = self.type_of_operand(operand)?;
                self.size_operand(&ty, span)
            }
            ExprKind::SizeOfPack(name) => {
                let length = self.pack_length_of(std::slice::from_ref(name))?;
                Ok(match length {
                    Some(length) => {
                        let value = Value::int(IntType::UnsignedLong, length as i128);
                        Operand::value(IntType::UnsignedLong, value, span)
                    }
                    None => self.unknown(span, format!("the pack `{name}` is not known")),
                })
            }
            ExprKind::AlignOf(ty) => {
                let ty = self.ty(ty)?;
                let layout = self.size_and_align(ty.referred())?;
                Ok(self.size_value(layout.map(|(_, align)| align), span))
            }
            ExprKind::Lambda(lambda) => self.closure(lambda, span),
            ExprKind::PackExpansion(_) => Ok(self.unknown(span, "a pack is expanded here")),
            ExprKind::Fold {
                op,
                pack,
                init,
                is_left,
            } => self.fold(expr, *op, pack, init.as_deref(), *is_left),
            ExprKind::MemberPointer { object, member, .. } => {
                let parts = vec![self.expr(object)?, self.expr(member)?];
                self.unknown_call(
                    "a pointer to a member is not understood",
                    None,
                    &parts,
                    span,
                )
            }
            ExprKind::Unknown(what, parts) => {
                let parts = self.arguments(parts)?;
                let what = format!("{what} is not understood");
                self.unknown_call(&what, None, &parts, span)
            }
        }
    }

    /// Returns an operand whose value does not change when later operands of the same expression are evaluated.
    fn evaluated_once(&mut self, operand: Operand) -> Evaluated<Operand> {
        match (&operand.ty.kind, &operand.place) {
            // Objects of class type are passed by their cells: an operator function decides whether it copies them.
            (Kind::Int(_) | Kind::Float(_) | Kind::Enum(_) | Kind::Pointer(..), Place::Cell(_)) => {
                self.decayed(operand)
            }
            _ => Ok(operand),
        }
    }

    /// Evaluates the items of a list in braces.
    pub(crate) fn brace_items(&mut self, items: &'u [BraceItem]) -> Evaluated<Vec<BraceOperand>> {
        let mut all = Vec::with_capacity(items.len());
        for item in items {
            // An item may be a pack expansion, which is several values.
            let values = self.arguments(std::slice::from_ref(&item.value))?;
            for value in values {
                let field = item.field.clone();
                all.push(BraceOperand { field, value });
            }
        }
        Ok(all)
    }

    /// Evaluates `T{…}`.
    pub(crate) fn listed(
        &mut self,
        ty: &Ty,
        items: Vec<BraceOperand>,
        span: Span,
    ) -> Evaluated<Operand> {
        match &ty.kind {
            Kind::Class(_) | Kind::Array(..) | Kind::Library(_) => {
                let (cell, made) = self.class_object(ty, span)?;
                self.initialise_with_list(cell, &made.ty.clone(), &items, span)?;
                Ok(made)
            }
            Kind::Unknown => Ok(Operand::unknown(span)),
            _ => self.convert(braces(items, span), ty, false),
        }
    }

    /// Evaluates `T(…)`.
    pub(crate) fn constructed(
        &mut self,
        ty: &Ty,
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<Operand> {
        match &ty.kind {
            Kind::Class(_) | Kind::Library(_) => {
                // `half(x)` is a conversion of one value; with more arguments the library constructs an object.
                if let [only] = arguments.as_slice()
                    && let Kind::Library(_) = ty.kind
                {
                    return Ok(self.convert(only.clone(), ty, true)?.at(span));
                }
                let (cell, made) = self.class_object(ty, span)?;
                match arguments.is_empty() {
                    // `T()` sets members without an initialiser to zero, unlike `T t;`.
                    true => self.value_initialise(cell, &made.ty.clone(), span)?,
                    false => self.construct(cell, &made.ty.clone(), arguments, span)?,
                }
                Ok(made)
            }
            Kind::Void => Ok(Operand::void(span)),
            Kind::Unknown => Ok(Operand::unknown(span)),
            _ => match arguments.into_iter().next() {
                Some(only) => Ok(self.convert(only, ty, true)?.at(span)),
                None => {
                    let value = self.zero_of(ty)?;
                    Ok(Operand::value(ty.clone().unqualified(), value, span))
                }
            },
        }
    }

    /// Returns the value of the declaration that lookup has found.
    pub(crate) fn found_value(&mut self, found: Found<'u>, path: &'u Path) -> Evaluated<Operand> {
        let last = path.segments.last().expect("paths are not empty");
        let span = path.span;
        match &found {
            Found::Local(Local::Entities(entities, context)) => {
                let found = Found::Entities(entities.clone(), context.clone(), None);
                return self.nested(|eval| eval.found_value(found, path));
            }
            Found::Local(local) => {
                if let Some(operand) = self.local_operand(local, span) {
                    return Ok(operand);
                }
                return Ok(self.unknown(span, format!("`{}` is not a value", last.name)));
            }
            Found::Argument(argument) => {
                let argument = match argument {
                    TemplateArg::Pack(items) => {
                        // In a pack expansion, the name of a pack means the current element.
                        self.pack_index.and_then(|at| items.get(at).cloned())
                    }
                    other => Some(other.clone()),
                };
                let value = argument.as_ref().and_then(Self::argument_value);
                let Some((ty, value)) = value else {
                    return Ok(self.unknown(span, format!("`{}` is not a value", last.name)));
                };
                // A parameter of reference type denotes the referenced object.
                if let (Kind::Class(_), Value::Pointer(Pointer::To(cell))) = (&ty.kind, &value) {
                    return Ok(Operand::cell(ty.clone(), *cell, span));
                }
                let value = match (&ty.kind, value) {
                    (Kind::Enum(id), Value::Int(_, value)) => {
                        // The constant was stored without the type of its values, which may have been unknown at that
                        // time.
                        Value::Int(self.underlying(*id)?, value)
                    }
                    (_, value) => value,
                };
                return Ok(Operand::value(ty, value, span));
            }
            Found::Functions(_) => return self.overload_set(found, path),
            Found::Library(name) => return self.library_value(&name.clone(), path),
            Found::Entities(..) => {}
        }
        let Found::Entities(entities, context, class) = &found else {
            return Ok(Operand::unknown(span));
        };
        for entity in entities {
            match *entity {
                // Which function is meant depends on the arguments of the call, which are evaluated later.
                Entity::Function(_) => return self.overload_set(found, path),
                Entity::Enumerator(decl, at) => {
                    let id = self.enum_of(decl, context);
                    return self.enumerator(id, at, span);
                }
                Entity::Variable(variable) if variable.patterns.is_none() => {
                    if let Some(class) = class {
                        let class = *class;
                        return self.member_variable(class, variable, path);
                    }
                    let context = context.clone();
                    let arguments = match (&variable.template, &last.arguments) {
                        (Some(_), Some(arguments)) => self.template_arguments(arguments)?,
                        _ => Vec::new(),
                    };
                    let entities = entities.clone();
                    let special = self.special_variable(&entities, &context, &arguments)?;
                    let (variable, arguments) = match special {
                        Special::Of(special, bound) => {
                            (special, bound.into_iter().map(|(_, it)| it).collect())
                        }
                        Special::No => (variable, arguments),
                        Special::NotKnown => {
                            let what = format!("which `{}` is meant is not known", last.name);
                            return Ok(self.unknown(span, what));
                        }
                    };
                    return self.global_variable(variable, &context, arguments, span);
                }
                _ => {}
            }
        }
        Ok(self.unknown(span, format!("`{}` is not a value", last.name)))
    }

    fn enumerator(&mut self, id: super::EnumId, at: u32, span: Span) -> Evaluated<Operand> {
        let values = self.enum_values(id)?;
        let known = values.get(at as usize).copied().flatten();
        // Inside its braces, an enumerator has the type of its initialiser, not yet that of the enumeration.
        if let Some(types) = &self.enums[id.index()].underway {
            let of = types.get(at as usize).copied().unwrap_or(IntType::Int);
            let value = known.map_or(Value::Unknown, |value| Value::int(of, value));
            return Ok(Operand::value(of, value, span));
        }
        let of = self.underlying_so_far(id);
        let value = known.map_or(Value::Unknown, |value| Value::int(of, value));
        Ok(Operand::value(Kind::Enum(id), value, span))
    }

    fn underlying_so_far(&self, id: super::EnumId) -> IntType {
        self.enums[id.index()].underlying.unwrap_or(IntType::Int)
    }

    fn overload_set(&mut self, found: Found<'u>, path: &'u Path) -> Evaluated<Operand> {
        let last = path.segments.last().expect("paths are not empty");
        let functions = self.functions_of(&found);
        let arguments = match &last.arguments {
            Some(arguments) => Some(Rc::from(self.template_arguments(arguments)?)),
            None => None,
        };
        let overloads = Overloads {
            name: last.name.clone(),
            functions,
            arguments,
            object: None,
            is_library: false,
        };
        Ok(Operand {
            ty: Ty::unknown(),
            place: Place::Overloads(Rc::new(overloads)),
            span: path.span,
        })
    }

    fn library_value(&mut self, name: &Name, path: &'u Path) -> Evaluated<Operand> {
        let span = path.span;
        let library = self.library;
        if let Some(operand) = library.find_value(self, name, span) {
            return Ok(operand);
        }
        // Functions of the library are looked up last, so that a kernel may declare a function of the same name.
        if library.knows_function(name) {
            let last = path.segments.last().expect("paths are not empty");
            let arguments = match &last.arguments {
                Some(arguments) => Some(Rc::from(self.template_arguments(arguments)?)),
                None => None,
            };
            let overloads = Overloads {
                name: name.clone(),
                functions: Vec::new(),
                arguments,
                object: None,
                is_library: true,
            };
            return Ok(Operand {
                ty: Ty::unknown(),
                place: Place::Overloads(Rc::new(overloads)),
                span,
            });
        }
        // In a template, this removes the candidate from overload resolution (SFINAE) and is no error.
        self.fails(Failure::NotKnown);
        library.undeclared(self, name, false, span);
        Ok(self.unknown(span, format!("`{name}` is not known")))
    }

    /// Evaluates `object[index]`.
    fn index(
        &mut self,
        expr: &'u Expr,
        object: &'u Expr,
        indices: &'u [Expr],
    ) -> Evaluated<Operand> {
        let object = self.expr(object)?;
        let indices = self.arguments(indices)?;
        self.indexed(expr, object, indices)
    }

    /// Evaluates `object[index]` once both operands are evaluated.
    pub(crate) fn indexed(
        &mut self,
        expr: &'u Expr,
        object: Operand,
        mut indices: Vec<Operand>,
    ) -> Evaluated<Operand> {
        let span = expr.span;
        let mut operands = vec![object.clone()];
        operands.extend(indices.iter().cloned());
        // A class may define `operator[]`: that of `LocalTensor` is no element access.
        if let Some(made) = self.overloaded("[]", &operands, span)? {
            return Ok(made);
        }
        let Some(index) = indices.pop() else {
            return Ok(Operand::unknown(span));
        };
        let index = self.promoted(index)?;
        if let (Kind::Array(of, length), Some(array)) = (&object.ty.kind, object.object()) {
            let (of, length) = (of.clone(), length.unwrap_or(0));
            let of = match object.ty.is_const {
                true => of.as_ref().clone().constant(),
                false => of.as_ref().clone(),
            };
            let value = self.value_of(&index)?;
            return match value.known_int() {
                Some(at) => {
                    let at = u64::try_from(at).ok();
                    let element = match at {
                        // A known index picks a cell; only a scalar of the program needs a branch for each element.
                        Some(at) => self.element(array, at)?,
                        None => None,
                    };
                    match element {
                        Some(cell) => Ok(Operand::cell(of, cell, span)),
                        // One past the end is a legal address but no element. The mistake is common and has a message
                        // of its own.
                        None if at == Some(length) => {
                            let what = "this index is past the end of the array";
                            Ok(self.unknown(span, what))
                        }
                        None => Ok(self.unknown(span, "this index is outside of the array")),
                    }
                }
                None => self.element_by_scalar(expr, (array, of, length), &value),
            };
        }
        // `2[p]` is `p[2]`.
        if let Kind::Pointer(..) = index.ty.kind {
            let moved = self.stepped(index, object, false, span)?;
            return self.dereferenced(moved, span);
        }
        let pointer = self.decayed(object)?;
        if !matches!(pointer.ty.kind, Kind::Pointer(..)) {
            let operands: Vec<Operand> = vec![pointer, index];
            let what = "what is indexed here is not known";
            return self.follower_call(what, None, &operands, span);
        }
        if let Some((array, of, length)) = self.pointed_array(&pointer)?
            && self.value_of(&index)?.known_int().is_none()
        {
            let value = self.value_of(&index)?;
            return self.element_by_scalar(expr, (array, of, length), &value);
        }
        let moved = self.stepped(pointer, index, false, span)?;
        self.dereferenced(moved, span)
    }

    /// Returns the array whose first element a pointer points to.
    fn pointed_array(&mut self, pointer: &Operand) -> Evaluated<Option<(super::CellId, Ty, u64)>> {
        use super::values::Pointer;
        let value = self.value_of(pointer)?;
        let Value::Pointer(Pointer::To(cell)) = value else {
            return Ok(None);
        };
        let Some(array) = self
            .memory
            .parent(cell)
            .filter(|array| array.plus(1) == cell)
        else {
            return Ok(None);
        };
        let Kind::Array(of, Some(length)) = self.memory.get(array).ty.kind.clone() else {
            return Ok(None);
        };
        // A pointer that sees the array as one of another type counts other elements.
        let pointee = pointer.ty.pointee().filter(|it| it.is_like(&of));
        Ok(pointee.map(|of| (array, of.as_ref().clone(), length)))
    }

    /// Evaluates `target = value` or `target op= value`.
    fn assignment(
        &mut self,
        expr: &'u Expr,
        target: &'u Expr,
        op: Option<BinaryOp>,
        value: &'u Expr,
    ) -> Evaluated<Operand> {
        let span = expr.span;
        // C++17 evaluates the right side first.
        let value = self.expr(value)?;
        // The target may change what the value was read from: `a[i++] = i`.
        let value = self.evaluated_once(value)?;
        let target = match &target.kind {
            ExprKind::Index(object, indices) => {
                let object = self.expr(object)?;
                let indices = self.arguments(indices)?;
                // An element selected by a scalar has no single cell: the store becomes one branch for each element.
                if let Some(made) = self.assign_by_scalar(expr, (&object, &indices), op, &value)? {
                    return Ok(made);
                }
                self.indexed(target, object, indices)?
            }
            _ => self.expr(target)?,
        };
        self.assign_with(target, op, value, span)
    }

    /// Assigns to an operand, with an operator where there is one.
    pub(crate) fn assign_with(
        &mut self,
        target: Operand,
        op: Option<BinaryOp>,
        value: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        let Some(op) = op else {
            return self.assign(target, value, span);
        };
        let symbol = format!("{}=", super::operators::spelling(op));
        let operands = [target.clone(), value.clone()];
        if let Some(made) = self.overloaded(&symbol, &operands, span)? {
            return Ok(made);
        }
        let computed = self.binary(op, target.clone(), value, span)?;
        let computed = match (&target.ty.kind, &computed.ty.kind) {
            // The result is converted back as by a cast.
            (Kind::Int(_) | Kind::Float(_), Kind::Int(_) | Kind::Float(_)) => {
                self.convert(computed, &target.ty.clone().unqualified(), true)?
            }
            _ => computed,
        };
        self.assign(target, computed, span)
    }

    /// Evaluates `++x`, `x++`, `--x` or `x--`.
    fn step_expr(
        &mut self,
        target: &'u Expr,
        is_increment: bool,
        is_prefix: bool,
        span: Span,
    ) -> Evaluated<Operand> {
        let symbol = if is_increment { "++" } else { "--" };
        let operand = match &target.kind {
            ExprKind::Index(object, indices) => {
                let object = self.expr(object)?;
                let indices = self.arguments(indices)?;
                let op = if is_increment {
                    BinaryOp::Add
                } else {
                    BinaryOp::Sub
                };
                // The old value is read first: the store below may change any element.
                let before = match is_prefix {
                    true => None,
                    false => {
                        let before = self.indexed(target, object.clone(), indices.clone())?;
                        Some(self.evaluated_once(before)?)
                    }
                };
                let one = Operand::value(IntType::Int, Value::int(IntType::Int, 1), span);
                let of = (&object, indices.as_slice());
                if let Some(made) = self.assign_by_scalar(target, of, Some(op), &one)? {
                    return Ok(before.unwrap_or(made));
                }
                match before {
                    Some(before) => before,
                    None => self.indexed(target, object, indices)?,
                }
            }
            _ => self.expr(target)?,
        };
        let mut operands = vec![operand.clone()];
        // The unused `int` parameter distinguishes the postfix operator from the prefix one.
        if !is_prefix {
            operands.push(Operand::value(
                IntType::Int,
                Value::int(IntType::Int, 0),
                span,
            ));
        }
        if let Some(made) = self.overloaded(symbol, &operands, span)? {
            return Ok(made);
        }
        let before = self.decayed(operand.clone())?;
        let one = self.one_of(&operand.ty, span);
        let op = if is_increment {
            BinaryOp::Add
        } else {
            BinaryOp::Sub
        };
        let after = self.assign_with(operand, Some(op), one, span)?;
        Ok(if is_prefix { after } else { before.at(span) })
    }

    fn cast(
        &mut self,
        kind: CastKind,
        ty: &'u Type,
        operand: &'u Expr,
        span: Span,
    ) -> Evaluated<Operand> {
        let ty = self.ty(ty)?;
        let operand = self.expr(operand)?;
        if kind == CastKind::Dynamic {
            return self.dynamic_cast(operand, &ty, span);
        }
        // A cast to a class constructs an object; a cast to a reference only renames one.
        if let (Kind::Class(_), false) = (&ty.kind, ty.is_reference()) {
            return self.constructed(&ty, vec![operand], span);
        }
        if let Some(cell) = operand.object()
            && let Kind::Reference(of, false) = &ty.kind
            && looks_anew(kind, &operand, of)
        {
            let pointer = self.pointer_to(cell, of.as_ref().clone(), span);
            return self.dereferenced(pointer, span);
        }
        Ok(self.convert(operand, &ty, true)?.at(span))
    }

    fn dynamic_cast(&mut self, operand: Operand, ty: &Ty, span: Span) -> Evaluated<Operand> {
        use super::values::Pointer;
        let Some(class) = ty.pointee().and_then(|of| of.class()) else {
            return Ok(self.convert(operand, ty, true)?.at(span));
        };
        let pointer = self.decayed(operand)?;
        let value = self.value_of(&pointer)?;
        let value = match value {
            Value::Pointer(Pointer::To(cell)) => {
                let whole = self.whole_object(cell);
                // The dynamic type is that of the complete object, whatever base the pointer names.
                let own = self.memory.get(whole).ty.class();
                match own.and_then(|own| self.base_offset(own, class)) {
                    Some(offset) => Value::Pointer(Pointer::To(whole.plus(offset))),
                    None => Value::Null,
                }
            }
            Value::Null => Value::Null,
            _ => Value::Unknown,
        };
        Ok(Operand::value(ty.clone(), value, span))
    }

    /// Returns the type of an expression that is not evaluated (`sizeof`); a name may be that of a type.
    pub(crate) fn type_of_operand(&mut self, operand: &'u Expr) -> Evaluated<Ty> {
        if let ExprKind::Path(path) = &operand.kind {
            let found = self.find_path(path)?;
            let last = path.segments.last().expect("paths are not empty");
            if let Some(ty) = self.found_type(found, last.arguments.as_deref(), path.span)? {
                return Ok(ty);
            }
        }
        // A text is an array, which the evaluation of it has already made a pointer.
        if let ExprKind::String(text) = &operand.kind {
            let of: Ty = IntType::Char.into();
            return Ok(Kind::Array(of.constant().into(), Some(text.len() as u64 + 1)).into());
        }
        Ok(self.typed(operand)?.ty)
    }

    /// Returns the type that a name means, or the type of the value that it means.
    fn type_of_name(&mut self, path: &'u Path) -> Evaluated<Ty> {
        let last = path.segments.last().expect("paths are not empty");
        let found = self.find_path(path)?;
        // C++ lets a variable hide a type of the same name, and `sizeof` accepts both.
        let is_value = match &found {
            Found::Local(local) => matches!(local, Local::Object(..)),
            Found::Entities(entities, ..) => matches!(entities.first(), Some(Entity::Variable(_))),
            _ => false,
        };
        match is_value && last.arguments.is_none() {
            true => Ok(self.dry(|eval| eval.found_value(found, path))?.ty),
            false => self.path_type(path),
        }
    }

    /// Returns the type of `decltype(expression)`.
    pub(crate) fn decltype(&mut self, expr: &'u Expr, is_bare: bool) -> Evaluated<Ty> {
        let operand = self.typed(expr)?;
        // `decltype(x)` is the declared type of `x`; `decltype((x))` is that of an lvalue, a reference.
        match is_bare {
            true => self.declared_type(expr, &operand),
            false => self.type_with_category(&operand),
        }
    }

    /// Returns the type that `decltype(auto)` means for an initialiser.
    pub(crate) fn decltype_auto(&mut self, expr: &'u Expr, operand: &Operand) -> Evaluated<Ty> {
        let inner = match &expr.kind {
            ExprKind::Path(path) => path.span,
            ExprKind::Member { object, .. } => object.span,
            _ => expr.span,
        };
        // Parentheses around a name are no part of the syntax tree, but of the place of the expression.
        match inner.start == expr.span.start {
            true => self.declared_type(expr, operand),
            false => self.type_with_category(operand),
        }
    }

    /// Returns the declared type of what an expression names; the type of another expression by its value category.
    fn declared_type(&mut self, expr: &'u Expr, operand: &Operand) -> Evaluated<Ty> {
        let ExprKind::Path(path) = &expr.kind else {
            return match expr.kind {
                ExprKind::Member { .. } if !matches!(operand.place, Place::Overloads(_)) => {
                    Ok(operand.ty.clone())
                }
                _ => self.type_with_category(operand),
            };
        };
        if matches!(operand.place, Place::Overloads(_)) {
            return self.type_with_category(operand);
        }
        let (Place::Cell(cell), [only]) = (&operand.place, path.segments.as_slice()) else {
            return Ok(operand.ty.clone());
        };
        let is_local = matches!(self.find(&only.name)?, Found::Local(_));
        let cell = self.memory.get(*cell);
        let is_own = cell.label.as_ref().is_some_and(|it| it.0 == only.name);
        Ok(match (is_local, is_own, &cell.label) {
            (false, ..) | (_, true, _) => operand.ty.clone(),
            // It is a reference to a variable of another name.
            (true, false, Some(_)) => operand.ty.clone().reference_to(false),
            // A reference, or a part of an object that has a name of its own.
            (true, false, None) => Ty::unknown(),
        })
    }

    fn type_with_category(&mut self, operand: &Operand) -> Evaluated<Ty> {
        let ty = operand.ty.clone();
        Ok(match &operand.place {
            Place::Overloads(overloads) => {
                let overloads = overloads.clone();
                self.only_function(&overloads)?
                    .map_or_else(Ty::unknown, |(_, ty)| ty)
            }
            Place::Cell(_) | Place::Remote(_) => ty.reference_to(false),
            // The standard distinguishes lvalues, xvalues and prvalues here; the variants of `Place` correspond to
            // them.
            Place::Moved(_) => ty.reference_to(true),
            _ => ty,
        })
    }

    fn size_operand(&mut self, ty: &Ty, span: Span) -> Evaluated<Operand> {
        let layout = self.size_and_align(ty.referred())?;
        Ok(self.size_value(layout.map(|(size, _)| size), span))
    }

    fn size_value(&mut self, size: Option<u64>, span: Span) -> Operand {
        let of = IntType::UnsignedLong;
        match size {
            Some(size) => Operand::value(of, Value::int(of, size.into()), span),
            None => {
                let what = "the size of this type is not known";
                self.builder.note_unknown(span, what.to_owned());
                Operand::unknown_of(of.into(), span)
            }
        }
    }

    /// Evaluates a constant expression.
    pub(crate) fn constant_operand(&mut self, expr: &'u Expr) -> Evaluated<Operand> {
        self.constant(|eval| eval.expr(expr))
    }

    /// Evaluates a constant expression to an integer.
    pub(crate) fn constant_int(&mut self, expr: &'u Expr) -> Evaluated<Option<i128>> {
        self.constant(|eval| {
            let operand = eval.expr(expr)?;
            let operand = eval.promoted(operand)?;
            Ok(eval.value_of(&operand)?.known_int())
        })
    }
}

/// Returns an integer literal; its type is the first in the list of C++ that can hold the value.
fn int_literal(value: u128, suffix: IntSuffix, span: Span) -> Operand {
    use IntType::*;
    let all: &[IntType] = match (suffix.is_unsigned, suffix.longs, suffix.is_decimal) {
        (true, 0, _) => &[Unsigned, UnsignedLong],
        (true, 1, _) => &[UnsignedLong],
        (true, _, _) => &[UnsignedLongLong],
        (false, 0, true) => &[Int, Long],
        (false, 0, false) => &[Int, Unsigned, Long, UnsignedLong],
        (false, 1, true) => &[Long],
        (false, 1, false) => &[Long, UnsignedLong],
        (false, _, true) => &[LongLong],
        (false, _, false) => &[LongLong, UnsignedLongLong],
    };
    let value = i128::try_from(value).unwrap_or(i128::MAX);
    match all.iter().find(|of| of.holds(value)) {
        Some(&of) => Operand::value(of, Value::int(of, value), span),
        None => Operand::unknown_of(UnsignedLong.into(), span),
    }
}

/// Returns whether a cast to a reference looks at an object as one of another type, instead of binding to a new object
/// or to a part of it.
fn looks_anew(kind: CastKind, operand: &Operand, of: &Ty) -> bool {
    let is_class = matches!(of.kind, Kind::Class(_)) || operand.ty.class().is_some();
    // Pointers are addresses, whatever they point to.
    let are_pointers = of.pointee().is_some() && operand.ty.pointee().is_some();
    let is_known = of.kind != Kind::Unknown && operand.ty.kind != Kind::Unknown;
    let is_so = match kind {
        CastKind::Reinterpret => true,
        CastKind::CStyle => !of.is_const,
        _ => false,
    };
    is_so
        && is_known
        && !is_class
        && !are_pointers
        && operand.is_lvalue()
        && !operand.ty.is_like(of)
}
