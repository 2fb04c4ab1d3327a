//! Operators.

use a2lint_source::text::Span;

use super::Eval;
use super::arithmetic::common_float;
use super::branches::is_comparison;
use super::conversions::is_untyped;
use super::names::{Found, Local};
use super::types::{FloatType, IntType, Kind, Ty};
use super::values::{CellId, FunctionId, IntValue, Operand, Place, Pointer, Value};
use crate::library::{Call, Evaluated, Outcome};
use crate::syntax::ast::{BinaryOp, Name, UnaryOp};

/// The type of an arithmetic operation over two promoted types.
pub(crate) fn usual(a: &Ty, b: &Ty) -> Ty {
    match (&a.kind, &b.kind) {
        (Kind::Int(a), Kind::Int(b)) => a.common(*b).into(),
        (Kind::Float(a), Kind::Float(b)) => common_float(*a, *b).into(),
        (Kind::Float(a), _) => (*a).into(),
        (_, Kind::Float(b)) => (*b).into(),
        _ => Ty::unknown(),
    }
}

/// How an operator is spelled in the name of its function.
pub(crate) fn spelling(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::And => "&&",
        BinaryOp::Or => "||",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
    }
}

impl<'u> Eval<'u> {
    /// The arithmetic type that an operand of a type takes part with; enumerations without `class` count as numbers.
    pub(crate) fn arithmetic_type(&mut self, ty: &Ty) -> Evaluated<Option<Ty>> {
        Ok(match &ty.kind {
            Kind::Int(_) | Kind::Float(_) => Some(ty.clone().unqualified()),
            Kind::Enum(id) if !self.enums[id.index()].decl.is_scoped => {
                Some(self.underlying(*id)?.into())
            }
            _ => None,
        })
    }

    /// An operand after the conversions of its value: integers are promoted.
    pub(crate) fn promoted(&mut self, operand: Operand) -> Evaluated<Operand> {
        let operand = self.decayed(operand)?;
        if let Kind::Class(class) = operand.ty.kind {
            for of in [IntType::Int, IntType::Bool, IntType::Long] {
                if let Some(made) = self.convert_by_operator(&operand, class, &of.into())? {
                    return Ok(made);
                }
            }
        }
        let of = match &operand.ty.kind {
            Kind::Int(of) => of.promoted(),
            Kind::Enum(id) if !self.enums[id.index()].decl.is_scoped => {
                self.underlying(*id)?.promoted()
            }
            _ => return Ok(operand),
        };
        self.convert(operand, &of.into(), false)
    }

    /// `a op b`, both evaluated.
    pub(crate) fn binary(
        &mut self,
        op: BinaryOp,
        a: Operand,
        b: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        if let Some(made) = self.overloaded(spelling(op), &[a.clone(), b.clone()], span)? {
            return Ok(made);
        }
        let (a, b) = (self.decayed(a)?, self.decayed(b)?);
        let pointers = matches!(
            a.ty.kind,
            Kind::Pointer(..) | Kind::Null | Kind::Function(_)
        ) || matches!(
            b.ty.kind,
            Kind::Pointer(..) | Kind::Null | Kind::Function(_)
        );
        if pointers {
            return self.pointer_operation(op, a, b, span);
        }
        if let (Kind::Enum(x), Kind::Enum(y)) = (&a.ty.kind, &b.ty.kind)
            && x == y
            && is_comparison(op)
        {
            let of: Ty = self.underlying(*x)?.into();
            let (a, b) = (self.convert(a, &of, true)?, self.convert(b, &of, true)?);
            return self.numbers(op, a, b, span);
        }
        self.numbers(op, a, b, span)
    }

    fn numbers(&mut self, op: BinaryOp, a: Operand, b: Operand, span: Span) -> Evaluated<Operand> {
        let (a, b) = (self.numeric(a)?, self.numeric(b)?);
        let types = (self.arithmetic_type(&a.ty)?, self.arithmetic_type(&b.ty)?);
        let (Some(x), Some(y)) = types else {
            let is_unknown = a.ty.kind == Kind::Unknown || b.ty.kind == Kind::Unknown;
            if is_unknown {
                let ty = match is_comparison(op) {
                    true => IntType::Bool.into(),
                    false => Ty::unknown(),
                };
                return Ok(Operand::unknown_of(ty, span));
            }
            let what = format!(
                "what `{}` does to `{}` and `{}` is not known",
                spelling(op),
                self.type_name(&a.ty),
                self.type_name(&b.ty)
            );
            return Ok(self.unknown(span, what));
        };
        let is_shift = matches!(op, BinaryOp::Shl | BinaryOp::Shr);
        let ty = match is_shift {
            true => match x.kind {
                Kind::Int(of) => of.promoted().into(),
                _ => Ty::unknown(),
            },
            false => usual(&x, &y),
        };
        let a = self.convert(a, &ty, false)?;
        let b = match (is_shift, &y.kind) {
            (true, Kind::Int(of)) => self.convert(b, &of.promoted().into(), false)?,
            _ => self.convert(b, &ty, false)?,
        };
        let result: Ty = match is_comparison(op) {
            true => IntType::Bool.into(),
            false => ty.clone(),
        };
        let (a, b) = (self.value_of(&a)?, self.value_of(&b)?);
        let computed = match (&ty.kind, &a, &b) {
            (_, Value::Unknown, _) | (_, _, Value::Unknown) => Ok(Value::Unknown),
            (Kind::Int(of), Value::Int(_, a), Value::Int(_, b)) => {
                self.int_operation(*of, op, *a, *b)
            }
            (Kind::Float(of), Value::Float(_, a), Value::Float(_, b)) => {
                self.float_operation(*of, op, *a, *b)
            }
            _ => Err("the operands of this operator are not known"),
        };
        Ok(match computed {
            Ok(value) => Operand::value(result, value, span),
            Err(why) => {
                self.builder.note_unknown(span, why.to_owned());
                Operand::unknown_of(result, span)
            }
        })
    }

    /// An operand of class type as the number that its conversion function makes.
    fn numeric(&mut self, operand: Operand) -> Evaluated<Operand> {
        let Kind::Class(class) = operand.ty.kind else {
            return Ok(operand);
        };
        for function in self.conversion_functions(class)? {
            let signature = self.signature(function, &Vec::new())?;
            let Some(returns) = &signature.returns else {
                continue;
            };
            if self.arithmetic_type(returns.referred())?.is_some() {
                let span = operand.span;
                let made = self.call_function(
                    function,
                    Vec::new(),
                    Some(operand),
                    Vec::new(),
                    (span, span),
                )?;
                return self.decayed(made);
            }
        }
        Ok(operand)
    }

    fn pointer_operation(
        &mut self,
        op: BinaryOp,
        a: Operand,
        b: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        match (op, &a.ty.kind, &b.ty.kind) {
            (BinaryOp::Add, Kind::Pointer(..), _) => return self.stepped(a, b, false, span),
            (BinaryOp::Add, _, Kind::Pointer(..)) => return self.stepped(b, a, false, span),
            (BinaryOp::Sub, Kind::Pointer(..), Kind::Int(_) | Kind::Enum(_)) => {
                return self.stepped(a, b, true, span);
            }
            _ => {}
        }
        let (x, y) = (self.value_of(&a)?, self.value_of(&b)?);
        if let (Value::Library(_), _) | (_, Value::Library(_)) = (&x, &y) {
            let name = format!("operator{}", spelling(op));
            return self.library_operator(&name, &[a, b], span);
        }
        let places = (self.position(&x)?, self.position(&y)?);
        let is_null =
            |value: &Value| matches!(value, Value::Null | Value::Int(_, IntValue::Known(0)));
        let known = matches!(x, Value::Pointer(_) | Value::Function(_) | Value::Null)
            && matches!(y, Value::Pointer(_) | Value::Function(_) | Value::Null)
            || is_null(&x) && is_null(&y)
            || is_null(&y) && matches!(x, Value::Pointer(_) | Value::Function(_))
            || is_null(&x) && matches!(y, Value::Pointer(_) | Value::Function(_));
        let is_same = x.is_same(&y) || is_null(&x) && is_null(&y);
        let truth = match (op, places) {
            (BinaryOp::Eq, _) if known => Some(is_same),
            (BinaryOp::Ne, _) if known => Some(!is_same),
            (BinaryOp::Sub, (Some((of, at)), Some((other, to)))) if of == other => {
                let value = Value::int(IntType::Long, at - to);
                return Ok(Operand::value(IntType::Long, value, span));
            }
            (op, (Some((of, at)), Some((other, to)))) if of == other && is_comparison(op) => {
                super::arithmetic::comparison(op).map(|op| op.holds(at.cmp(&to)))
            }
            _ => None,
        };
        Ok(match truth {
            Some(truth) => Operand::value(IntType::Bool, Value::bool(truth), span),
            None => {
                if !x.is_unknown() && !y.is_unknown() {
                    let what = "how these pointers compare is not known";
                    self.builder.note_unknown(span, what.to_owned());
                }
                let ty = match op {
                    BinaryOp::Sub => IntType::Long,
                    _ => IntType::Bool,
                };
                Operand::unknown_of(ty.into(), span)
            }
        })
    }

    /// The array that a pointer points into, with the index.
    fn position(&mut self, pointer: &Value) -> Evaluated<Option<(CellId, i128)>> {
        Ok(match pointer {
            Value::Pointer(Pointer::End(array)) => {
                let length = match self.memory.get(*array).ty.kind {
                    Kind::Array(_, length) => length.unwrap_or(0),
                    _ => 1,
                };
                Some((*array, length.into()))
            }
            Value::Pointer(Pointer::To(cell)) => {
                let cell = *cell;
                match self.memory.parent(cell) {
                    Some(parent) if matches!(self.memory.get(parent).ty.kind, Kind::Array(..)) => {
                        let ty = self.memory.get(cell).ty.clone();
                        let stride = self.cells_of(&ty)?;
                        Some((parent, i128::from((cell.0 - parent.0 - 1) / stride)))
                    }
                    _ => Some((cell, 0)),
                }
            }
            _ => None,
        })
    }

    /// A pointer moved by a number of elements.
    pub(crate) fn stepped(
        &mut self,
        pointer: Operand,
        by: Operand,
        is_negative: bool,
        span: Span,
    ) -> Evaluated<Operand> {
        let ty = pointer.ty.clone().unqualified();
        let value = self.value_of(&pointer)?;
        if let Value::Library(_) = value {
            let library = self.library;
            let by = self.promoted(by)?;
            let moved = library.offset(self, &value, &ty, &by, is_negative, span)?;
            return Ok(match moved {
                Some(value) => Operand::value(ty, value, span),
                None => {
                    let what = "where this pointer points is not known";
                    self.builder.note_unknown(span, what.to_owned());
                    Operand::unknown_of(ty, span)
                }
            });
        }
        let by = self.promoted(by)?;
        let by = self.value_of(&by)?.known_int();
        let by = by.map(|by| if is_negative { -by } else { by });
        let position = self.position(&value)?;
        let (Some(by), Some((base, at))) = (by, position) else {
            if !value.is_unknown() {
                let what = "where this pointer points is not known";
                self.builder.note_unknown(span, what.to_owned());
            }
            return Ok(Operand::unknown_of(ty, span));
        };
        let to = at + by;
        let pointer = match self.memory.get(base).ty.kind.clone() {
            Kind::Array(of, length) if self.is_in_array(&value, base) => {
                let length = i128::from(length.unwrap_or(0));
                if to == length {
                    Some(Pointer::End(base))
                } else if (0..length).contains(&to) {
                    let stride = self.cells_of(&of)?;
                    Some(Pointer::To(base.plus(1 + stride * to as u32)))
                } else {
                    None
                }
            }
            _ if to == at => match value {
                Value::Pointer(same) => Some(same),
                _ => None,
            },
            _ if to == 1 => Some(Pointer::End(base)),
            _ if to == 0 => Some(Pointer::To(base)),
            _ => None,
        };
        Ok(match pointer {
            Some(pointer) => Operand::value(ty, Value::Pointer(pointer), span),
            None => {
                let what = "this pointer leaves the object that it points into";
                self.builder.note_unknown(span, what.to_owned());
                Operand::unknown_of(ty, span)
            }
        })
    }

    /// Whether a pointer points to an element of an array, or past its last one, and not to the array itself.
    fn is_in_array(&self, pointer: &Value, array: CellId) -> bool {
        match pointer {
            Value::Pointer(Pointer::End(_)) => true,
            Value::Pointer(Pointer::To(cell)) => *cell != array,
            _ => false,
        }
    }

    /// `*pointer`
    pub(crate) fn dereferenced(&mut self, pointer: Operand, span: Span) -> Evaluated<Operand> {
        let pointer = self.decayed(pointer)?;
        let Some(of) = pointer.ty.pointee().map(|of| of.as_ref().clone()) else {
            return Ok(Operand::unknown(span));
        };
        let value = self.value_of(&pointer)?;
        let place = match value {
            Value::Pointer(Pointer::To(cell)) => {
                let own = self.memory.get(cell).ty.clone();
                // An object that is read as another type has no value that is known.
                let fits = own.is_same(&of)
                    || matches!((&own.kind, &of.kind), (Kind::Class(_), Kind::Class(_)))
                    || of.kind == Kind::Void;
                if fits {
                    return Ok(Operand::cell(of, cell, span));
                }
                if let (Kind::Array(element, _), true) = (&own.kind, true)
                    && element.is_same(&of)
                {
                    return Ok(Operand::cell(of, cell.plus(1), span));
                }
                let what = "an object is used as one of another type here";
                self.builder.note_unknown(span, what.to_owned());
                None
            }
            Value::Function(id) => return Ok(Operand::value(of, Value::Function(id), span)),
            Value::Library(_) => Some(Place::Remote(value)),
            Value::Unknown => None,
            _ => {
                let what = "this pointer does not point to an object";
                self.builder.note_unknown(span, what.to_owned());
                None
            }
        };
        match place {
            Some(place) => Ok(Operand {
                ty: of,
                place,
                span,
            }),
            None => {
                let cell = self.temporary(&of)?;
                self.forget_object(cell)?;
                Ok(Operand::cell(of, cell, span))
            }
        }
    }

    /// `op a`
    pub(crate) fn unary(&mut self, op: UnaryOp, a: Operand, span: Span) -> Evaluated<Operand> {
        let name = match op {
            UnaryOp::Plus => "+",
            UnaryOp::Minus => "-",
            UnaryOp::Not => "!",
            UnaryOp::Complement => "~",
            UnaryOp::AddressOf => "&",
            UnaryOp::Dereference => "*",
        };
        if let Some(made) = self.overloaded(name, std::slice::from_ref(&a), span)? {
            return Ok(made);
        }
        match op {
            UnaryOp::Dereference => {
                if let Kind::Class(class) = a.ty.kind
                    && let Some(made) = self.convert_to_pointer(&a, class)?
                {
                    return self.dereferenced(made, span);
                }
                self.dereferenced(a, span)
            }
            UnaryOp::AddressOf => self.address_of(a, span),
            UnaryOp::Not => {
                let value = self.condition_of(a, span)?;
                let value = match value {
                    Value::Int(_, IntValue::Known(value)) => Value::bool(value == 0),
                    Value::Int(_, IntValue::Scalar(id)) => {
                        let id = self.negated(id);
                        self.int_of_scalar(IntType::Bool, id)
                    }
                    _ => Value::Unknown,
                };
                Ok(Operand::value(IntType::Bool, value, span))
            }
            UnaryOp::Plus | UnaryOp::Minus | UnaryOp::Complement => {
                let a = self.numeric(a)?;
                let a = self.promoted(a)?;
                let ty = a.ty.clone();
                let value = self.value_of(&a)?;
                let computed = match op {
                    UnaryOp::Plus => Ok(value),
                    UnaryOp::Minus => self.negate(&value),
                    _ => self.complement(&value),
                };
                Ok(match computed {
                    Ok(value) => Operand::value(ty, value, span),
                    Err(why) => {
                        self.builder.note_unknown(span, why.to_owned());
                        Operand::unknown_of(ty, span)
                    }
                })
            }
        }
    }

    fn convert_to_pointer(
        &mut self,
        operand: &Operand,
        class: super::ClassId,
    ) -> Evaluated<Option<Operand>> {
        for function in self.conversion_functions(class)? {
            let signature = self.signature(function, &Vec::new())?;
            let is_pointer = signature
                .returns
                .as_ref()
                .is_some_and(|ty| matches!(ty.referred().kind, Kind::Pointer(..)));
            if is_pointer {
                let span = operand.span;
                let object = Some(operand.clone());
                return self
                    .call_function(function, Vec::new(), object, Vec::new(), (span, span))
                    .map(Some);
            }
        }
        Ok(None)
    }

    /// `&a`
    fn address_of(&mut self, a: Operand, span: Span) -> Evaluated<Operand> {
        let ty = a.ty.clone();
        Ok(match &a.place {
            Place::Cell(cell) | Place::Moved(cell) | Place::Temporary(cell) => {
                self.pointer_to(*cell, ty, span)
            }
            Place::Remote(address) => Operand::value(ty.pointer_to(), address.clone(), span),
            Place::Overloads(_) => self.decayed(a)?.at(span),
            Place::Value(Value::Function(id)) => {
                Operand::value(ty.pointer_to(), Value::Function(*id), span)
            }
            _ => Operand::unknown_of(ty.pointer_to(), span),
        })
    }

    /// Calls the operator function of operands of class or enumeration type; `None` where there is none.
    pub(crate) fn overloaded(
        &mut self,
        symbol: &str,
        operands: &[Operand],
        span: Span,
    ) -> Evaluated<Option<Operand>> {
        let is_own = |operand: &Operand| {
            matches!(
                operand.ty.kind,
                Kind::Class(_) | Kind::Enum(_) | Kind::Library(_)
            )
        };
        if !operands.iter().any(is_own) {
            return Ok(None);
        }
        let name: Name = format!("operator{symbol}").into();
        let mut members = Vec::new();
        if let Kind::Class(class) = operands[0].ty.kind
            && let Some(found) = self.find_in_class(class, &name)?
        {
            members = self.functions_of(&found);
        }
        if !members.is_empty() {
            let chosen = self.choose(&members, None, Some(&operands[0]), &operands[1..])?;
            if let Ok(chosen) = chosen {
                let object = operands[0].clone();
                let arguments = operands[1..].to_vec();
                let made = self.call_method(chosen, object, arguments, true, (span, span))?;
                return Ok(Some(made));
            }
        }
        if let Kind::Library(_) = operands[0].ty.kind
            && let Some(made) = self.library_method(&name, operands, span)?
        {
            return Ok(Some(made));
        }
        let free = self.functions_for(&name, operands)?;
        if !free.is_empty() {
            let chosen = self.choose(&free, None, None, operands)?;
            if let Ok(chosen) = chosen {
                let arguments = operands.to_vec();
                let spans = (span, span);
                let made =
                    self.call_function(chosen.function, chosen.bound, None, arguments, spans)?;
                return Ok(Some(made));
            }
        }
        if operands
            .iter()
            .any(|it| matches!(it.ty.kind, Kind::Library(_)))
        {
            let library = self.library;
            if let Outcome::Done(made) = library.operator(self, &name, operands, span)? {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    fn library_method(
        &mut self,
        name: &str,
        operands: &[Operand],
        span: Span,
    ) -> Evaluated<Option<Operand>> {
        let call = Call {
            name,
            template: &[],
            operands: &operands[1..],
            function: None,
            returns: None,
            name_span: span,
            span,
        };
        let library = self.library;
        Ok(match library.method(self, &operands[0], call)? {
            Outcome::Done(made) => Some(made),
            Outcome::Unknown(what) => {
                Some(self.unknown_call(&what, Some(&operands[0]), &operands[1..], span)?)
            }
            Outcome::NotMine => None,
        })
    }

    fn library_operator(
        &mut self,
        name: &str,
        operands: &[Operand],
        span: Span,
    ) -> Evaluated<Operand> {
        let library = self.library;
        Ok(match library.operator(self, name, operands, span)? {
            Outcome::Done(made) => made,
            Outcome::Unknown(what) => self.unknown(span, what),
            Outcome::NotMine => self.unknown(span, format!("what `{name}` does is not known")),
        })
    }

    /// The functions of a name in sight, and in the namespaces of the operands' types.
    pub(crate) fn functions_for(
        &mut self,
        name: &Name,
        operands: &[Operand],
    ) -> Evaluated<Vec<FunctionId>> {
        let found = match self.find(name)? {
            Found::Local(Local::Entity(entity, context)) => {
                Found::Entities([entity].into_iter().collect(), context, None)
            }
            found => found,
        };
        let mut functions = self.functions_of(&found);
        functions.retain(|id| self.info(*id).class.is_none());
        for operand in operands {
            self.add_associated(name, &operand.ty, &mut functions)?;
        }
        Ok(functions)
    }

    /// Adds the functions of a name in the namespace of a type, and friends.
    pub(crate) fn add_associated(
        &mut self,
        name: &Name,
        ty: &Ty,
        functions: &mut Vec<FunctionId>,
    ) -> Evaluated<()> {
        let context = match &ty.kind {
            Kind::Class(class) => self.classes[class.index()].context.clone(),
            Kind::Enum(id) => self.enums[id.index()].context.clone(),
            Kind::Pointer(of, _) => {
                let of = of.clone();
                return self.add_associated(name, &of, functions);
            }
            _ => return Ok(()),
        };
        let mut at = Some(context);
        while let Some(context) = at {
            if let super::names::ContextKind::Namespace(id) = context.kind {
                let mut found = super::names::Entities::new();
                self.names_in(id, name, &mut found, 0);
                for entity in found {
                    if let super::names::Entity::Function(decl) = entity {
                        let own = self.namespaces[id.0 as usize].context.clone();
                        let function = self.function(decl, &own, None);
                        let is_known = functions
                            .iter()
                            .any(|known| std::ptr::eq(self.info(*known).decl, decl));
                        if !is_known {
                            functions.push(function);
                        }
                    }
                }
                break;
            }
            at = context.parent.clone();
        }
        if let Kind::Class(class) = ty.kind {
            for base in self.classes[class.index()].bases.clone() {
                self.add_associated(name, &Kind::Class(base.class).into(), functions)?;
            }
        }
        Ok(())
    }

    /// `target = value`
    pub(crate) fn assign(
        &mut self,
        target: Operand,
        value: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        if target.ty.kind == Kind::Unknown {
            if let Some(cell) = target.object() {
                self.forget_object(cell)?;
            }
            return Ok(target);
        }
        match &target.ty.kind {
            Kind::Class(_) | Kind::Library(_) => self.assign_object(target, value, span),
            Kind::Array(..) => {
                if let (Some(to), Some(from)) = (target.object(), value.object()) {
                    self.copy_cells(to, from)?;
                }
                Ok(target)
            }
            _ => {
                let ty = target.ty.clone().unqualified();
                let converted = self.convert(value, &ty, false)?;
                let value = self.value_of(&converted)?;
                self.store(&target, value, span)?;
                Ok(target)
            }
        }
    }

    /// Stores a value where an operand is.
    pub(crate) fn store(&mut self, target: &Operand, value: Value, span: Span) -> Evaluated<()> {
        match &target.place {
            Place::Cell(cell) | Place::Moved(cell) | Place::Temporary(cell) => {
                self.store_cell(*cell, value)?;
                self.forget_union_siblings(*cell)
            }
            Place::Remote(address) => {
                let library = self.library;
                if !library.store(self, address, &target.ty, &value, span)? {
                    let what = "what this store reaches is not known";
                    self.unknown_call(what, Some(target), &[], span)?;
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Assigns an object of class type.
    pub(crate) fn assign_object(
        &mut self,
        target: Operand,
        value: Operand,
        span: Span,
    ) -> Evaluated<Operand> {
        if let (Kind::Library(_), Some(cell)) = (&target.ty.kind, target.object()) {
            if value.ty.is_same(&target.ty) && !is_untyped(&value) {
                let value = self.value_of(&value)?;
                self.store_cell(cell, value)?;
                return Ok(target);
            }
            if let Some(made) =
                self.library_method("operator=", &[target.clone(), value.clone()], span)?
            {
                return Ok(made);
            }
            let ty = target.ty.clone().unqualified();
            let converted = self.convert(value, &ty, false)?;
            let value = self.value_of(&converted)?;
            self.store_cell(cell, value)?;
            return Ok(target);
        }
        let (Kind::Class(class), Some(cell)) = (&target.ty.kind, target.object()) else {
            return self.assign_remote(target, value, span);
        };
        let class = *class;
        self.complete(class)?;
        let name: Name = "operator=".into();
        let members = self.classes[class.index()].members.clone();
        if members.names.contains_key(&name) && !self.is_defaulted_assignment(class, &name) {
            let found = self.find_in_class(class, &name)?;
            let functions = found
                .map(|found| self.functions_of(&found))
                .unwrap_or_default();
            let arguments = vec![value.clone()];
            let chosen = self.choose(&functions, None, Some(&target), &arguments)?;
            if let Ok(chosen) = chosen {
                return self.call_method(chosen, target, arguments, true, (span, span));
            }
        }
        let ty = target.ty.clone().unqualified();
        let from = self.convert_to_class(value, class, &ty)?;
        let Some(from) = from else {
            self.forget_object(cell)?;
            return Ok(target);
        };
        self.assign_parts(cell, class, from, span)?;
        Ok(target)
    }

    fn is_defaulted_assignment(&self, class: super::ClassId, name: &Name) -> bool {
        let members = &self.classes[class.index()].members;
        let own = members.names.get(name);
        own.is_some_and(|own| {
            own.iter().all(|entity| match entity {
                super::names::Entity::Function(decl) => decl.is_defaulted,
                _ => false,
            })
        })
    }

    fn convert_to_class(
        &mut self,
        value: Operand,
        class: super::ClassId,
        ty: &Ty,
    ) -> Evaluated<Option<CellId>> {
        if let (Some(from), Some(cell)) = (value.ty.class(), value.object()) {
            self.complete(from)?;
            if let Some(offset) = self.base_offset(from, class) {
                return Ok(Some(cell.plus(offset)));
            }
        }
        let converted = self.convert(value, ty, false)?;
        Ok(converted.object())
    }

    /// Assigns base classes and members one by one.
    fn assign_parts(
        &mut self,
        to: CellId,
        class: super::ClassId,
        from: CellId,
        span: Span,
    ) -> Evaluated<()> {
        if !self.classes[class.index()].layout.assigns {
            return self.copy_cells(to, from);
        }
        let info = &self.classes[class.index()];
        let (bases, fields) = (info.bases.clone(), info.fields.clone());
        for base in bases {
            let ty: Ty = Kind::Class(base.class).into();
            let target = Operand::cell(ty.clone(), to.plus(base.cell), span);
            let value = Operand::cell(ty, from.plus(base.cell), span);
            self.assign_object(target, value, span)?;
        }
        for field in fields {
            let target = Operand::cell(field.ty.clone(), to.plus(field.cell), span);
            let value = Operand::cell(field.ty.clone(), from.plus(field.cell), span);
            match field.ty.kind {
                Kind::Class(_) => self.assign_object(target, value, span)?,
                _ => {
                    self.copy_cells(to.plus(field.cell), from.plus(field.cell))?;
                    target
                }
            };
        }
        Ok(())
    }

    /// Assigns an object in memory that the library knows, member by member.
    fn assign_remote(&mut self, target: Operand, value: Operand, span: Span) -> Evaluated<Operand> {
        let Kind::Class(class) = target.ty.kind else {
            let value = self.value_of(&value)?;
            self.store(&target, value, span)?;
            return Ok(target);
        };
        let ty = target.ty.clone().unqualified();
        let value = self.convert(value, &ty, false)?;
        for field in self.classes[class.index()].fields.clone() {
            let to = self.member_of(target.clone(), &field.name, span)?;
            let from = self.member_of(value.clone(), &field.name, span)?;
            self.assign(to, from, span)?;
        }
        Ok(target)
    }

    /// 1 as a number of the type that a step adds.
    pub(crate) fn one_of(&self, ty: &Ty, span: Span) -> Operand {
        match ty.kind {
            Kind::Float(of) => {
                Operand::value(of, Value::Float(of, super::FloatValue::Known(1.0)), span)
            }
            _ => Operand::value(IntType::Int, Value::int(IntType::Int, 1), span),
        }
    }

    /// A floating type in which a literal is.
    pub(crate) fn float_literal(value: f64, is_single: bool, span: Span) -> Operand {
        let of = if is_single {
            FloatType::Float
        } else {
            FloatType::Double
        };
        let value = super::arithmetic::rounded(of, value);
        Operand::value(of, Value::Float(of, super::FloatValue::Known(value)), span)
    }
}
