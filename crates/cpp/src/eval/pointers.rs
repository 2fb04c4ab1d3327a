//! Pointers: steps, comparisons, and what they point to.

use a2lint_ir::{self as ir, ScalarType, UnaryOp};
use a2lint_isa::DType;
use a2lint_source::text::Span;

use super::Eval;
use super::branches::is_comparison;
use super::operators::spelling;
use super::types::{FloatType, IntType, Kind, Ty};
use super::values::{CellId, FloatValue, IntValue, Operand, Place, Pointer, Value};
use crate::library::Evaluated;
use crate::syntax::ast::BinaryOp;

impl<'u> Eval<'u> {
    pub(super) fn pointer_operation(
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
        let (a, b) = self.comparable(a, b)?;
        let (x, y) = (self.value_of(&a)?, self.value_of(&b)?);
        // The library compares addresses of its memory, which has no cells.
        if let (Value::Library(_), _) | (_, Value::Library(_)) = (&x, &y) {
            let name = format!("operator{}", spelling(op));
            return self.library_operator(&name, &[a, b], span);
        }
        let places = (self.position(&x)?, self.position(&y)?);
        let is_null =
            |value: &Value| matches!(value, Value::Null | Value::Int(_, IntValue::Known(0)));
        let is_object = |value: &Value| matches!(value, Value::Pointer(_) | Value::Function(_));
        // Compilers may or may not merge two literals with the same text; no literal is null.
        let is_text = |value: &Value| matches!(value, Value::String(_));
        let known = match (is_null(&x), is_null(&y)) {
            (true, true) => true,
            (true, false) => is_object(&y) || is_text(&y),
            (false, true) => is_object(&x) || is_text(&x),
            (false, false) => is_object(&x) && is_object(&y),
        };
        let is_same = x.is_same(&y) || is_null(&x) && is_null(&y);
        // Which of several objects is meant is known only to the program: it may be that of the other pointer.
        let may_be_same =
            |x: &Value, y: &Value| self.is_chosen(x) && matches!(y, Value::Pointer(_));
        let known = known && (is_same || !may_be_same(&x, &y) && !may_be_same(&y, &x));
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

    /// Converts a pointer to a derived class before it is compared with a pointer to its base: the base subobject may
    /// be in another cell.
    fn comparable(&mut self, a: Operand, b: Operand) -> Evaluated<(Operand, Operand)> {
        let class = |operand: &Operand| operand.ty.pointee().and_then(|of| of.class());
        let (Some(x), Some(y)) = (class(&a), class(&b)) else {
            return Ok((a, b));
        };
        if x == y {
            return Ok((a, b));
        }
        self.complete(x)?;
        self.complete(y)?;
        if self.base_offset(x, y).is_some() {
            let to = b.ty.clone();
            return Ok((self.convert(a, &to, true)?, b));
        }
        if self.base_offset(y, x).is_some() {
            let to = a.ty.clone();
            let b = self.convert(b, &to, true)?;
            return Ok((a, b));
        }
        Ok((a, b))
    }

    /// Returns the array that a pointer points into, and the index in it.
    pub(crate) fn position(&mut self, pointer: &Value) -> Evaluated<Option<(CellId, i128)>> {
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
                    // Other elements of its array are elsewhere for each of the objects.
                    _ if self.choice_of(cell).is_some() => None,
                    _ => Some((cell, 0)),
                }
            }
            _ => None,
        })
    }

    /// Moves a pointer by a number of elements.
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
            if self.value_of(&by)?.is_unknown() {
                let what = "where this pointer points is not known";
                self.builder.note_follower(span, what.to_owned());
                return Ok(Operand::unknown_of(ty, span));
            }
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
        if by == Some(0) {
            return Ok(Operand::value(ty, value, span));
        }
        if let (Value::Pointer(Pointer::To(cell)), Some(by), Some(of)) = (&value, by, ty.pointee())
        {
            let of = of.as_ref().clone();
            if let Some(word) = self.word_after(*cell, &of, by)? {
                return Ok(Operand::value(ty, Value::Pointer(word), span));
            }
        }
        let position = self.position(&value)?;
        let (Some(by), Some((base, at))) = (by, position) else {
            if !value.is_unknown() {
                // A loop over the index may be unrolled instead.
                self.wants_constants |= by.is_none() && matches!(value, Value::Pointer(_));
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
                    // An element of class type takes several cells.
                    let stride = self.cells_of(&of)?;
                    Some(Pointer::To(base.plus(1 + stride * to as u32)))
                } else {
                    self.in_later_row(base, to)?
                }
            }
            _ if to == at => match value {
                Value::Pointer(same) => Some(same),
                _ => None,
            },
            // An object that is no element counts as an array of one.
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

    /// Returns whether a pointer points to an element of an array or just past its end, rather than to the array
    /// itself.
    pub(super) fn is_in_array(&self, pointer: &Value, array: CellId) -> bool {
        match pointer {
            Value::Pointer(Pointer::End(_)) => true,
            Value::Pointer(Pointer::To(cell)) => *cell != array,
            _ => false,
        }
    }

    /// Evaluates `*pointer`.
    pub(crate) fn dereferenced(&mut self, pointer: Operand, span: Span) -> Evaluated<Operand> {
        let pointer = self.decayed(pointer)?;
        let Some(of) = pointer.ty.pointee().map(|of| of.as_ref().clone()) else {
            return Ok(Operand::unknown(span));
        };
        let value = self.value_of(&pointer)?;
        let is_remote = matches!(
            pointer.ty.kind,
            Kind::Pointer(_, space) if space != crate::syntax::ast::AddressSpace::Private
        );
        let place = match value {
            Value::Pointer(Pointer::To(cell)) => {
                let cell = match self.memory.get(cell).ty.class() {
                    Some(_) => match self.word_after(cell, &of, 0)? {
                        Some(Pointer::To(first)) => first,
                        _ => cell,
                    },
                    None => cell,
                };
                let own = self.memory.get(cell).ty.clone();
                // An object that is read as another type has no value that is known.
                if own.is_same(&of) || of.kind == Kind::Void {
                    return Ok(Operand::cell(of, cell, span));
                }
                if let Some(class) = of.class()
                    && let Some(object) = self.object_as(cell, class)?
                {
                    return Ok(Operand::cell(of, object, span));
                }
                if let Kind::Array(element, _) = &own.kind
                    && element.is_same(&of)
                {
                    return Ok(Operand::cell(of, cell.plus(1), span));
                }
                if self.bits_of(cell, &own, &of)?.is_some() {
                    let part = self.part_of(cell, &of)?;
                    return Ok(Operand::cell(of, part, span));
                }
                let what = "an object is used as one of another type here";
                self.builder.note_unknown(span, what.to_owned());
                if let Some(choice) = self.choice_of(cell) {
                    for &one in choice.cells() {
                        let whole = self.whole_array(one);
                        self.forget_object(whole)?;
                    }
                }
                let part = self.part_of(self.whole_array(cell), &of)?;
                return Ok(Operand::cell(of, part, span));
            }
            Value::Pointer(Pointer::End(object)) => {
                // Rows of an array lie side by side.
                let (_, length) = self.position(&value)?.unwrap_or((object, 0));
                if let Some(Pointer::To(cell)) = self.in_later_row(object, length)?
                    && self.memory.get(cell).ty.is_same(&of)
                {
                    return Ok(Operand::cell(of, cell, span));
                }
                let what = "this pointer does not point to an object";
                self.builder.note_unknown(span, what.to_owned());
                let part = self.part_of(self.whole_array(object), &of)?;
                return Ok(Operand::cell(of, part, span));
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
            // A store through the pointer may reach any memory of that space, so it must not be treated as a store to a
            // cell.
            None if is_remote => {
                let place = Place::Remote(Value::Unknown);
                Ok(Operand {
                    ty: of,
                    place,
                    span,
                })
            }
            None => {
                let cell = self.phantom(&of)?;
                Ok(Operand::cell(of, cell, span))
            }
        }
    }

    /// Returns the first element of the innermost array that begins in a cell, if it has elements of a type; else the
    /// cell itself. A pointer to an array of rows that is cast to a pointer to an element points there.
    pub(super) fn first_of_rows(&self, cell: CellId, of: &Ty) -> CellId {
        let mut at = cell;
        loop {
            let own = &self.memory.get(at).ty;
            match &own.kind {
                _ if own.is_like(of) => return at,
                Kind::Array(_, Some(1..)) => at = at.plus(1),
                _ => return cell,
            }
        }
    }

    /// Returns a pointer to what would be element `index` of an array that is a row of another one, if that is an
    /// element of a later row.
    fn in_later_row(&mut self, row: CellId, index: i128) -> Evaluated<Option<Pointer>> {
        let (Kind::Array(_, Some(length)), Some(rows)) =
            (&self.memory.get(row).ty.kind, self.memory.parent(row))
        else {
            return Ok(None);
        };
        let length = i128::from(*length);
        let Kind::Array(of, Some(count)) = self.memory.get(rows).ty.kind.clone() else {
            return Ok(None);
        };
        let stride = self.cells_of(&of)?;
        let own = i128::from((row.0 - rows.0 - 1) / stride.max(1));
        if length == 0 || index < length {
            return Ok(None);
        }
        let (at, element) = (own + index / length, index % length);
        if at >= i128::from(count) {
            return Ok(None);
        }
        let later = rows.plus(1 + stride * at as u32);
        self.element(later, element as u64)
            .map(|cell| cell.map(Pointer::To))
    }

    /// Returns the array that a cell is an element of, or the cell itself.
    pub(super) fn whole_array(&self, cell: CellId) -> CellId {
        let parent = self.memory.parent(cell);
        let array = parent.filter(|&it| matches!(self.memory.get(it).ty.kind, Kind::Array(..)));
        array.unwrap_or(cell)
    }

    /// Returns the value of an object when it is read as one of another type: a number as one of the same size, an
    /// integer as a smaller one, whose bytes come first, and an object of the library as the library says. `None` where
    /// that is not known.
    pub(super) fn bits_of(&mut self, cell: CellId, own: &Ty, of: &Ty) -> Evaluated<Option<Value>> {
        Ok(match (&own.kind, &of.kind) {
            (Kind::Int(a), Kind::Int(b)) if b.bits() == a.bits() => {
                let span = a2lint_source::text::Span::default();
                let operand = Operand::cell(own.clone(), cell, span);
                let converted = self.convert(operand, &of.clone().unqualified(), true)?;
                Some(self.value_of(&converted)?)
            }
            // A byte that is no 0 or 1 is no `bool`.
            (Kind::Int(a), Kind::Int(b)) if b.bits() < a.bits() && *b != IntType::Bool => {
                let value = self.read(cell)?;
                Some(self.low_bits(&value, *a, *b))
            }
            (Kind::Int(a), Kind::Float(b)) if a.bytes() == b.bytes() => {
                let value = self.read(cell)?;
                Some(self.float_of_bits(&value, *b))
            }
            (Kind::Float(a), Kind::Int(b)) if a.bytes() == b.bytes() => {
                let value = self.read(cell)?;
                Some(self.bits_of_float(&value, *b))
            }
            (Kind::Library(_), Kind::Library(_)) => {
                let value = self.read(cell)?;
                let library = self.library;
                library.seen_as(self, &value, of)?
            }
            _ => None,
        })
    }

    /// Returns the integer in the low bytes of a wider one.
    fn low_bits(&mut self, value: &Value, from: IntType, to: IntType) -> Value {
        match value {
            Value::Int(_, IntValue::Known(value)) => Value::int(to, to.wrap(*value)),
            Value::Int(_, IntValue::Scalar(id)) => {
                // Masked and not converted: that the value does not fit is no mistake here.
                let (of, scalars) = (from.scalar(), &mut self.builder.program.scalars);
                let mask = scalars.whole((1_i128 << to.bits()) - 1);
                let mut low = scalars.binary_as(of, ir::BinaryOp::BitAnd, *id, mask);
                if to.is_signed() {
                    let sign = scalars.whole(1_i128 << (to.bits() - 1));
                    low = scalars.binary_as(of, ir::BinaryOp::BitXor, low, sign);
                    low = scalars.binary_as(of, ir::BinaryOp::Sub, low, sign);
                }
                let id = scalars.convert(to.scalar(), low);
                Value::Int(to, IntValue::Scalar(id))
            }
            _ => Value::Unknown,
        }
    }

    /// Returns the floating-point number with the bits of an integer of its size.
    pub(super) fn float_of_bits(&mut self, value: &Value, to: FloatType) -> Value {
        match value {
            Value::Int(_, IntValue::Known(bits)) if to == FloatType::Float => {
                let value = f32::from_bits(*bits as u32);
                Value::Float(to, FloatValue::Known(value.into()))
            }
            Value::Int(_, IntValue::Scalar(id)) if to == FloatType::Float => {
                let of = ScalarType::of(DType::Float);
                let id = self
                    .builder
                    .program
                    .scalars
                    .unary_as(of, UnaryOp::Bits, *id);
                Value::Float(to, FloatValue::Scalar(id))
            }
            Value::Int(..) if to != FloatType::Double => {
                Value::Float(to, FloatValue::Scalar(self.builder.unknown()))
            }
            _ => Value::Unknown,
        }
    }

    /// Returns the integer with the bits of a floating-point number of its size.
    pub(super) fn bits_of_float(&mut self, value: &Value, to: IntType) -> Value {
        match value {
            Value::Float(FloatType::Float, FloatValue::Known(value)) => {
                Value::int(to, to.wrap((*value as f32).to_bits().into()))
            }
            Value::Float(FloatType::Float, FloatValue::Scalar(id)) => {
                let scalars = &mut self.builder.program.scalars;
                let id = scalars.unary_as(to.scalar(), UnaryOp::Bits, *id);
                Value::Int(to, IntValue::Scalar(id))
            }
            // A bfloat16 is the upper half of a float.
            Value::Float(FloatType::BFloat16, FloatValue::Known(value)) => {
                Value::int(to, to.wrap(((*value as f32).to_bits() >> 16).into()))
            }
            Value::Float(FloatType::BFloat16, FloatValue::Scalar(id)) => {
                let (int, scalars) = (IntType::Int.scalar(), &mut self.builder.program.scalars);
                let bits = scalars.unary_as(int, UnaryOp::Bits, *id);
                // The shift keeps the sign, as the conversion to an integer of 16 bits does.
                let by = scalars.int(16);
                let upper = scalars.binary_as(int, ir::BinaryOp::Shr, bits, by);
                let wide = Value::Int(IntType::Int, IntValue::Scalar(upper));
                self.low_bits(&wide, IntType::Int, to)
            }
            Value::Float(FloatType::Half, _) => {
                let id = self.builder.unknown();
                let id = self.builder.program.scalars.convert(to.scalar(), id);
                Value::Int(to, IntValue::Scalar(id))
            }
            _ => Value::Unknown,
        }
    }

    pub(super) fn convert_to_pointer(
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

    /// Evaluates `&a`.
    pub(super) fn address_of(&mut self, a: Operand, span: Span) -> Evaluated<Operand> {
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
}
