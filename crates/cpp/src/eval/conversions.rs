//! Conversions: which there are, how good they are, and what they make.

use a2lint_source::text::Span;

use super::Eval;
use super::types::{ClassId, IntType, Kind, Ty};
use super::values::{CellId, IntValue, Operand, Place, Pointer, Value};
use crate::library::Evaluated;
use crate::syntax::ast::AddressSpace;

/// The rank of an implicit conversion: a lower rank is better. The hundreds digit is the category of the standard.
pub(crate) type Rank = u32;

/// The type and value categories are the same.
pub(crate) const EXACT: Rank = 0;
/// A reference or pointer gets `const`.
pub(super) const QUALIFIED: Rank = 1;
/// An rvalue is bound to a reference to `const`; a reference to an rvalue would be better.
pub(super) const BOUND_CONST: Rank = 2;
const PROMOTION: Rank = 100;
const CONVERSION: Rank = 200;
const TO_VOID: Rank = 260;
const TO_BOOL: Rank = 280;
const BY_USER: Rank = 300;
/// The argument is passed to an ellipsis (`...`).
pub(crate) const ELLIPSIS: Rank = 400;

impl<'u> Eval<'u> {
    /// Returns the rank of the implicit conversion of an operand to a type; `None` if there is none.
    pub(crate) fn implicit_rank(&mut self, from: &Operand, to: &Ty) -> Evaluated<Option<Rank>> {
        self.rank(from, to, true)
    }

    fn rank(&mut self, from: &Operand, to: &Ty, by_user: bool) -> Evaluated<Option<Rank>> {
        self.step()?;
        // An unknown operand fits every overload equally, so that it does not decide between them.
        if from.ty.kind == Kind::Unknown && !is_untyped(from) || to.kind == Kind::Unknown {
            return Ok(Some(EXACT));
        }
        if let Kind::Reference(of, is_rvalue) = &to.kind {
            let of = of.clone();
            return self.reference_rank(from, &of, *is_rvalue, by_user);
        }
        match &from.place {
            Place::Braces(items) => {
                let items = items.clone();
                return self.list_rank(&items, to);
            }
            Place::Overloads(_) => {
                let is_function = match &to.kind {
                    Kind::Pointer(of, _) => matches!(of.kind, Kind::Function(_)),
                    Kind::Function(_) => true,
                    _ => false,
                };
                return Ok(is_function.then_some(EXACT));
            }
            _ => {}
        }
        self.value_rank(from, to, by_user)
    }

    fn reference_rank(
        &mut self,
        from: &Operand,
        of: &Ty,
        is_rvalue: bool,
        by_user: bool,
    ) -> Evaluated<Option<Rank>> {
        let distance = match (&from.ty.kind, &of.kind) {
            _ if is_untyped(from) => None,
            _ if from.ty.is_like(of) => Some(0),
            (Kind::Class(a), Kind::Class(b)) => {
                self.complete(*a)?;
                self.base_distance(*a, *b)
            }
            _ => None,
        };
        let Some(distance) = distance else {
            // A new object is bound, to a reference that takes one.
            if !is_rvalue && !of.is_const {
                return Ok(None);
            }
            let to = of.clone().unqualified();
            let rank = self.rank(from, &to, by_user)?;
            return Ok(rank.map(|rank| rank + if is_rvalue { 0 } else { BOUND_CONST }));
        };
        let base = match distance {
            0 => EXACT,
            distance => CONVERSION + distance,
        };
        let (is_const, was_const) = (of.holds_constants(), from.ty.holds_constants());
        if was_const && !is_const {
            return Ok(None);
        }
        let qualified = if is_const && !was_const { QUALIFIED } else { 0 };
        Ok(match (from.is_lvalue(), is_rvalue) {
            (true, true) => None,
            (true, false) => Some(base + qualified),
            (false, true) => Some(base + qualified),
            (false, false) if is_const => Some(base + qualified + BOUND_CONST),
            (false, false) => None,
        })
    }

    fn list_rank(&mut self, items: &[super::BraceOperand], to: &Ty) -> Evaluated<Option<Rank>> {
        match &to.kind {
            Kind::Class(class) => {
                self.complete(*class)?;
                if let [only] = items
                    && only.value.ty.is_same(to)
                {
                    return Ok(Some(EXACT));
                }
                if self.is_aggregate(*class) {
                    let fields = self.classes[class.index()].fields.clone();
                    let bases = self.classes[class.index()].bases.len();
                    // Items beyond the members fit only if brace elision spreads them over arrays or classes.
                    if items.len() > fields.len() + bases && !has_arrays(&fields) {
                        return Ok(None);
                    }
                    let named = items.iter().filter_map(|item| item.field.as_ref());
                    for name in named {
                        if !fields.iter().any(|field| field.name == *name) {
                            return Ok(None);
                        }
                    }
                    return Ok(Some(BY_USER));
                }
                let candidates = self.constructors(*class)?;
                let arguments: Vec<Operand> = items.iter().map(|item| item.value.clone()).collect();
                let none = arguments.is_empty();
                let chosen = self.choose(&candidates, None, None, &arguments)?;
                Ok((none || chosen.is_ok()).then_some(BY_USER))
            }
            Kind::Array(of, _) => {
                let of = of.clone();
                for item in items {
                    if self.rank(&item.value, &of, true)?.is_none() {
                        return Ok(None);
                    }
                }
                Ok(Some(BY_USER))
            }
            Kind::Library(_) => Ok(Some(BY_USER)),
            _ => match items {
                [] => Ok(Some(EXACT)),
                [only] => self.rank(&only.value.clone(), to, false),
                _ => Ok(None),
            },
        }
    }

    fn value_rank(&mut self, from: &Operand, to: &Ty, by_user: bool) -> Evaluated<Option<Rank>> {
        if from.ty.kind == to.kind {
            return Ok(Some(EXACT));
        }
        Ok(match (&from.ty.kind, &to.kind) {
            (Kind::Int(a), Kind::Int(b)) => match a.promoted() == *b && a.bits() < 32 {
                true => Some(PROMOTION),
                false => Some(CONVERSION),
            },
            (Kind::Float(a), Kind::Float(b)) => {
                use super::types::FloatType::{Double, Float};
                match (a, b) {
                    (Float, Double) => Some(PROMOTION),
                    _ => Some(CONVERSION),
                }
            }
            (Kind::Int(_), Kind::Float(_)) | (Kind::Float(_), Kind::Int(_)) => Some(CONVERSION),
            (Kind::Enum(id), Kind::Int(of)) if !self.enums[id.index()].decl.is_scoped => {
                let promoted = self.promoted_enum(*id)?;
                match promoted == *of {
                    true => Some(PROMOTION),
                    false => Some(CONVERSION),
                }
            }
            (Kind::Enum(id), Kind::Float(_)) if !self.enums[id.index()].decl.is_scoped => {
                Some(CONVERSION)
            }
            (Kind::Null, Kind::Pointer(..)) => Some(CONVERSION),
            // Only the literal 0 converts to a pointer; it is worse than `nullptr`, so that overloads can differ.
            (Kind::Int(_), Kind::Pointer(..)) => match &from.place {
                Place::Value(Value::Int(_, IntValue::Known(0))) => Some(CONVERSION + 1),
                _ => None,
            },
            (Kind::Array(of, _), Kind::Pointer(..)) => {
                let decayed = of.as_ref().clone().pointer_to();
                self.pointer_rank(&decayed, to)
            }
            (Kind::Pointer(..), Kind::Pointer(..)) => self.pointer_rank(&from.ty, to),
            (Kind::Function(_), Kind::Pointer(of, _)) => (of.kind == from.ty.kind).then_some(EXACT),
            (Kind::Pointer(..) | Kind::Array(..) | Kind::Null, Kind::Int(IntType::Bool)) => {
                Some(TO_BOOL)
            }
            (Kind::Closure(_), Kind::Pointer(of, _)) => {
                matches!(of.kind, Kind::Function(_)).then_some(BY_USER)
            }
            (Kind::Class(a), Kind::Class(b)) => {
                self.complete(*a)?;
                match self.base_distance(*a, *b) {
                    Some(distance) => Some(CONVERSION + distance),
                    None if by_user => self.user_rank(from, to)?,
                    None => None,
                }
            }
            (Kind::Library(_), _) | (_, Kind::Library(_)) => {
                self.library.converts(&from.ty, to).then_some(BY_USER)
            }
            (Kind::Class(_), _) | (_, Kind::Class(_)) if by_user => self.user_rank(from, to)?,
            _ => None,
        })
    }

    fn pointer_rank(&mut self, from: &Ty, to: &Ty) -> Option<Rank> {
        let (Kind::Pointer(a, _), Kind::Pointer(b, _)) = (&from.kind, &to.kind) else {
            return None;
        };
        // A conversion may add `const` to the pointee, but never remove it.
        if a.is_const && !b.is_const {
            return None;
        }
        let qualified = if b.is_const && !a.is_const {
            QUALIFIED
        } else {
            0
        };
        match (&a.kind, &b.kind) {
            (a, b) if a == b => Some(qualified),
            (_, Kind::Void) => Some(TO_VOID + qualified),
            (Kind::Class(a), Kind::Class(b)) => {
                self.complete(*a).ok()?;
                let distance = self.base_distance(*a, *b)?;
                Some(CONVERSION + distance + qualified)
            }
            _ => None,
        }
    }

    /// Returns whether a constructor or conversion function of the sources converts.
    fn user_rank(&mut self, from: &Operand, to: &Ty) -> Evaluated<Option<Rank>> {
        if let Kind::Class(class) = to.kind {
            for function in self.constructors(class)? {
                if self.converts_by(function, from)? {
                    return Ok(Some(BY_USER));
                }
            }
        }
        if let Kind::Class(class) = from.ty.kind {
            for function in self.conversion_functions(class)? {
                let signature = self.signature(function, &Vec::new())?;
                let Some(returns) = &signature.returns else {
                    continue;
                };
                let made = Operand::unknown_of(returns.referred().clone(), from.span);
                if let Some(rank) = self.rank(&made, to, false)? {
                    return Ok(Some(BY_USER + rank / 100));
                }
            }
        }
        Ok(None)
    }

    /// Returns whether a constructor takes one argument that an operand converts to without another conversion of the
    /// sources.
    fn converts_by(
        &mut self,
        function: super::values::FunctionId,
        from: &Operand,
    ) -> Evaluated<bool> {
        let decl = self.info(function).decl;
        // Explicit constructors take part only in direct initialisation.
        if decl.is_explicit {
            return Ok(false);
        }
        let Some(first) = decl.parameters.first() else {
            return Ok(false);
        };
        let has_default =
            |it: &crate::syntax::ast::Variable| !matches!(it.init, crate::syntax::ast::Init::None);
        if !decl.parameters[1..]
            .iter()
            .all(|it| has_default(it) || it.is_pack)
        {
            return Ok(false);
        }
        if super::functions::own_template(decl).is_some() {
            // A constructor that takes anything: `template <typename T> C(T&& value)`.
            let chosen = self.choose(&[function], None, None, std::slice::from_ref(from))?;
            return Ok(chosen.is_ok());
        }
        if first.is_pack {
            return Ok(false);
        }
        let signature = self.signature(function, &Vec::new())?;
        let Some(parameter) = signature.parameters.first().cloned() else {
            return Ok(false);
        };
        Ok(self.rank(from, &parameter, false)?.is_some())
    }

    /// Returns the conversion functions of a class and its bases.
    pub(crate) fn conversion_functions(
        &mut self,
        class: ClassId,
    ) -> Evaluated<Vec<super::values::FunctionId>> {
        self.complete(class)?;
        let info = &self.classes[class.index()];
        let (members, context) = (info.members.clone(), info.context.clone());
        let bases = info.bases.clone();
        let mut all = Vec::new();
        for decl in &members.conversions {
            if super::functions::own_template(decl).is_none() {
                all.push(self.function(decl, &context, Some(class)));
            }
        }
        for base in bases {
            all.extend(self.conversion_functions(base.class)?);
        }
        Ok(all)
    }

    /// Converts an object of class type by a conversion function; `None` where none fits.
    pub(crate) fn convert_by_operator(
        &mut self,
        operand: &Operand,
        class: ClassId,
        to: &Ty,
    ) -> Evaluated<Option<Operand>> {
        let mut best: Option<(Rank, super::values::FunctionId)> = None;
        for function in self.conversion_functions(class)? {
            // A non-`const` conversion function cannot be called on a constant object.
            if operand.ty.is_const && !self.info(function).decl.is_const {
                continue;
            }
            let signature = self.signature(function, &Vec::new())?;
            let Some(returns) = &signature.returns else {
                continue;
            };
            let made = Operand::unknown_of(returns.referred().clone(), operand.span);
            if let Some(rank) = self.rank(&made, to, false)?
                && best.is_none_or(|(known, _)| rank < known)
            {
                best = Some((rank, function));
            }
        }
        let Some((_, function)) = best else {
            return Ok(None);
        };
        let span = operand.span;
        let object = Some(operand.clone());
        let made = self.call_function(function, Vec::new(), object, Vec::new(), (span, span))?;
        self.convert(made, to, false).map(Some)
    }

    /// Converts an operand to a type: implicitly, or as a cast does.
    pub(crate) fn convert(
        &mut self,
        operand: Operand,
        to: &Ty,
        is_explicit: bool,
    ) -> Evaluated<Operand> {
        let span = operand.span;
        if let Kind::Reference(of, is_rvalue) = &to.kind {
            let of = of.clone();
            return self.bind_reference(operand, &of, *is_rvalue, is_explicit);
        }
        if to.kind == Kind::Void {
            return Ok(Operand::void(span));
        }
        if to.kind == Kind::Unknown {
            return self.decayed(operand);
        }
        match &to.kind {
            Kind::Class(class) => {
                // A temporary of the type is the result itself: C++17 makes no copy of it.
                if operand.ty.is_same(to) && matches!(operand.place, Place::Temporary(_)) {
                    return Ok(operand);
                }
                if let (Place::Value(Value::Unknown), true) =
                    (&operand.place, operand.ty.is_same(to))
                {
                    let (cell, made) = self.class_object(to, span)?;
                    self.forget_object(cell)?;
                    return Ok(made);
                }
                self.complete(*class)?;
                let (cell, made) = self.class_object(to, span)?;
                self.initialise_from(cell, &to.clone().unqualified(), operand)?;
                Ok(made)
            }
            Kind::Array(..) => {
                let cell = self.temporary(to)?;
                self.initialise_from(cell, to, operand)?;
                let place = Place::Temporary(cell);
                Ok(Operand {
                    ty: to.clone(),
                    place,
                    span,
                })
            }
            Kind::Library(_) if !operand.ty.is_same(to) => {
                let value = self.value_of(&operand)?;
                // Only the library can convert its pointers and objects to other types.
                if let Value::Library(_) = value {
                    let library = self.library;
                    let converted = library.convert(self, &operand, &value, to, is_explicit)?;
                    if let Some(value) = converted {
                        return Ok(Operand::value(to.clone().unqualified(), value, span));
                    }
                }
                let (cell, made) = self.class_object(to, span)?;
                self.initialise_from(cell, &to.clone().unqualified(), operand)?;
                Ok(made)
            }
            _ => {
                let value = self.converted_value(operand, to, is_explicit)?;
                Ok(Operand::value(to.clone().unqualified(), value, span))
            }
        }
    }

    /// Binds a reference to an operand, or to a new object with its value.
    fn bind_reference(
        &mut self,
        operand: Operand,
        of: &Ty,
        is_rvalue: bool,
        is_explicit: bool,
    ) -> Evaluated<Operand> {
        let span = operand.span;
        let ty = of.clone();
        if is_untyped(&operand) {
            if let (Place::Overloads(_), Kind::Function(_)) = (&operand.place, &of.kind) {
                let value = self.converted_value(operand, &of.clone().pointer_to(), false)?;
                return Ok(Operand::value(ty, value, span));
            }
            let made = self.convert(operand, &of.clone().unqualified(), false)?;
            let made = self.materialised(made)?;
            return Ok(Operand { ty, ..made });
        }
        let moved = |place: Place| match (place, is_rvalue && is_explicit) {
            (Place::Cell(cell), true) => Place::Moved(cell),
            (place, _) => place,
        };
        if operand.ty.is_like(of) {
            let bound = self.materialised(operand)?;
            self.read_ahead(&bound, of)?;
            let place = moved(bound.place);
            return Ok(Operand { ty, place, span });
        }
        if operand.ty.kind == Kind::Unknown {
            let place = match operand.place {
                Place::Remote(address) => Place::Remote(address),
                // The cell of an operand without a type is a single one, whatever the type of the reference needs.
                _ => moved(Place::Cell(self.phantom(&ty)?)),
            };
            return Ok(Operand { ty, place, span });
        }
        if let (Kind::Class(from), Kind::Class(to)) = (&operand.ty.kind, &of.kind) {
            let (from, to) = (*from, *to);
            self.complete(from)?;
            if let Some(offset) = self.base_offset(from, to) {
                let place = match operand.place {
                    Place::Cell(cell) => Place::Cell(cell.plus(offset)),
                    Place::Moved(cell) | Place::Temporary(cell) => Place::Moved(cell.plus(offset)),
                    place => place,
                };
                let place = moved(place);
                return Ok(Operand { ty, place, span });
            }
            if is_explicit
                && let Some(cell) = operand.object()
                && let Some(derived) = self.derived_object(cell, to)
            {
                let place = moved(Place::Cell(derived));
                return Ok(Operand { ty, place, span });
            }
        }
        if is_explicit && operand.is_lvalue() && !matches!(of.kind, Kind::Class(_)) {
            // `reinterpret_cast<T&>(x)` looks at the same memory as another type.
            if let Place::Remote(address) = &operand.place {
                let library = self.library;
                let pointer = ty.clone().pointer_to();
                let address = address.clone();
                let moved = library.convert(self, &operand, &address, &pointer, true)?;
                let place = Place::Remote(moved.unwrap_or(Value::Unknown));
                return Ok(Operand { ty, place, span });
            }
        }
        let made = self.convert(operand, &of.clone().unqualified(), is_explicit)?;
        let made = self.materialised(made)?;
        Ok(Operand { ty, ..made })
    }

    /// Returns the object of a class that a cell is, has as a base subobject, or is a base subobject of; `None` where
    /// the object in the cell has nothing to do with the class. Members are found by counting cells, so an object must
    /// never be looked at as one of another layout.
    pub(crate) fn object_as(&mut self, cell: CellId, class: ClassId) -> Evaluated<Option<CellId>> {
        let Some(own) = self.memory.get(cell).ty.class() else {
            return Ok(None);
        };
        self.complete(own)?;
        let base = self.base_offset(own, class).map(|offset| cell.plus(offset));
        Ok(base.or_else(|| self.derived_object(cell, class)))
    }

    /// Returns the object of a derived class that a base subobject belongs to.
    pub(crate) fn derived_object(&self, cell: CellId, class: ClassId) -> Option<CellId> {
        let mut at = cell;
        loop {
            if self.memory.get(at).ty.class() == Some(class) {
                return Some(at);
            }
            if !self.memory.get(at).is_base {
                return None;
            }
            at = self.memory.parent(at)?;
        }
    }

    /// Converts an operand to a type whose values take one cell, and returns the value.
    fn converted_value(
        &mut self,
        operand: Operand,
        to: &Ty,
        is_explicit: bool,
    ) -> Evaluated<Value> {
        let span = operand.span;
        if let Place::Braces(items) = &operand.place {
            return match &**items {
                [] => self.zero_of(to),
                [only] => {
                    let only = only.value.clone();
                    self.nested(|eval| eval.converted_value(only, to, is_explicit))
                }
                _ => Ok(Value::Unknown),
            };
        }
        if let Place::Overloads(overloads) = &operand.place {
            let overloads = overloads.clone();
            return Ok(match self.function_of_type(&overloads, to)? {
                Some(id) => Value::Function(id),
                None => {
                    let what = format!("which function `{}` is meant is not known", overloads.name);
                    self.builder.note_unknown(span, what);
                    Value::Unknown
                }
            });
        }
        if let Kind::Class(class) = operand.ty.kind {
            return match self.convert_by_operator(&operand, class, to)? {
                Some(made) => self.value_of(&made),
                None => {
                    let text = self.type_name(to);
                    Ok(self.no_conversion(&operand, &text))
                }
            };
        }
        let operand = self.decayed(operand)?;
        let value = self.value_of(&operand)?;
        if value.is_unknown() {
            return Ok(Value::Unknown);
        }
        if let Value::Uninit = value {
            let what = "this value is read before it is initialised";
            self.builder.note_unknown(span, what.to_owned());
            return Ok(Value::Unknown);
        }
        if let Value::Library(_) = value
            && !(operand.ty.is_same(to))
        {
            let library = self.library;
            let converted = library.convert(self, &operand, &value, to, is_explicit)?;
            return Ok(match converted {
                Some(value) => value,
                None => {
                    let text = self.type_name(to);
                    self.no_conversion(&operand, &text)
                }
            });
        }
        let computed = match &to.kind {
            Kind::Int(IntType::Bool) => match &value {
                Value::Null => Ok(Value::bool(false)),
                Value::Pointer(_) | Value::Function(_) | Value::String(_) => Ok(Value::bool(true)),
                value => self.converted_to_int(value, IntType::Bool),
            },
            Kind::Int(of) => match &value {
                Value::Null => Ok(Value::int(*of, 0)),
                Value::Pointer(_) | Value::Function(_) => {
                    Err("an address as a number is not known")
                }
                // An address of the library remains the same library value as an integer.
                Value::Library(_) => Ok(value.clone()),
                value => self.converted_to_int(value, *of),
            },
            Kind::Float(of) => self.converted_to_float(&value, *of),
            Kind::Enum(id) => {
                let of = self.underlying(*id)?;
                self.converted_to_int(&value, of)
            }
            Kind::Pointer(of, space) => {
                let (of, space) = (of.clone(), *space);
                return self.converted_pointer(&operand, value, (&of, space), is_explicit);
            }
            Kind::Null => Ok(Value::Null),
            Kind::Function(_) | Kind::Closure(_) => Ok(value),
            _ => Ok(value),
        };
        Ok(match computed {
            Ok(value) => value,
            Err(why) => {
                self.builder.note_unknown(span, why.to_owned());
                Value::Unknown
            }
        })
    }

    fn no_conversion(&mut self, operand: &Operand, to: &str) -> Value {
        if operand.ty.kind != Kind::Unknown {
            let from = self.type_name(&operand.ty);
            let what = format!("how `{from}` is converted to `{to}` is not known");
            self.builder.note_unknown(operand.span, what);
        }
        Value::Unknown
    }

    fn converted_pointer(
        &mut self,
        operand: &Operand,
        value: Value,
        (of, space): (&Ty, AddressSpace),
        is_explicit: bool,
    ) -> Evaluated<Value> {
        match value {
            Value::Null | Value::Int(_, IntValue::Known(0)) => Ok(Value::Null),
            Value::Int(..) => {
                let library = self.library;
                let to: Ty = Kind::Pointer(std::rc::Rc::new(of.clone()), space).into();
                let converted = library.convert(self, operand, &value, &to, is_explicit)?;
                Ok(converted.unwrap_or_else(|| {
                    let what = "what memory this number is an address of is not known";
                    self.builder.note_unknown(operand.span, what.to_owned());
                    Value::Unknown
                }))
            }
            Value::Pointer(Pointer::To(cell)) => {
                let from = operand.ty.pointee().and_then(|from| from.class());
                let (Some(from), Some(to)) = (from, of.class()) else {
                    let cell = self.first_of_rows(cell, of);
                    return Ok(Value::Pointer(Pointer::To(cell)));
                };
                self.complete(from)?;
                if let Some(offset) = self.base_offset(from, to) {
                    return Ok(Value::Pointer(Pointer::To(cell.plus(offset))));
                }
                Ok(match self.derived_object(cell, to) {
                    Some(derived) => Value::Pointer(Pointer::To(derived)),
                    None => Value::Pointer(Pointer::To(cell)),
                })
            }
            Value::Closure(_) => match operand.ty.kind {
                Kind::Closure(_) => Ok(value),
                _ => Ok(Value::Unknown),
            },
            other => Ok(other),
        }
    }

    /// Returns an operand as an rvalue: an array becomes a pointer to its first element, and the name of a function
    /// that function.
    pub(crate) fn decayed(&mut self, operand: Operand) -> Evaluated<Operand> {
        let span = operand.span;
        match (&operand.ty.kind, &operand.place) {
            (Kind::Array(of, length), _) if operand.object().is_some() => {
                let (of, array) = (of.clone(), operand.object().unwrap_or(CellId(0)));
                let of = match operand.ty.is_const {
                    true => of.as_ref().clone().constant(),
                    false => of.as_ref().clone(),
                };
                let to = match length {
                    // An array without elements has no first one to point to.
                    Some(0) | None => Pointer::End(array),
                    _ => Pointer::To(array.plus(1)),
                };
                Ok(Operand::value(of.pointer_to(), Value::Pointer(to), span))
            }
            // An array in memory that the library knows begins where its first element does.
            (Kind::Array(of, _), Place::Remote(address)) => {
                let ty = of.as_ref().clone().pointer_to();
                Ok(Operand::value(ty, address.clone(), span))
            }
            (_, Place::Overloads(overloads)) => {
                let overloads = overloads.clone();
                match self.only_function(&overloads)? {
                    Some((id, ty)) => {
                        Ok(Operand::value(ty.pointer_to(), Value::Function(id), span))
                    }
                    None => Ok(operand),
                }
            }
            (Kind::Class(_), _) | (_, Place::Braces(_)) => Ok(operand),
            (_, Place::Value(_)) => Ok(operand),
            _ => {
                let value = self.value_of(&operand)?;
                Ok(Operand::value(
                    operand.ty.clone().unqualified(),
                    value,
                    span,
                ))
            }
        }
    }

    /// Converts an operand to `bool`, as the condition of a statement.
    pub(crate) fn condition_of(&mut self, operand: Operand, span: Span) -> Evaluated<Value> {
        let converted = self.convert(operand, &IntType::Bool.into(), true)?;
        let value = self.value_of(&converted)?;
        Ok(match value {
            Value::Uninit => {
                let what = "this condition is read before it is initialised";
                self.builder.note_unknown(span, what.to_owned());
                Value::Unknown
            }
            value => self.with_assumptions(value),
        })
    }
}

/// Returns whether an operand has no type without a context, such as a list in braces.
pub(crate) fn is_untyped(operand: &Operand) -> bool {
    matches!(operand.place, Place::Braces(_) | Place::Overloads(_))
}

fn has_arrays(fields: &[super::classes::Field<'_>]) -> bool {
    let is_aggregate = |ty: &Ty| matches!(ty.kind, Kind::Array(..) | Kind::Class(_));
    fields.iter().any(|field| is_aggregate(&field.ty))
}
