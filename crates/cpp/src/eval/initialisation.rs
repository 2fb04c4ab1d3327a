//! Initialisation of objects.

use a2lint_source::text::Span;

use super::Eval;
use super::classes::Field;
use super::objects::Part;
use super::types::{ClassId, Kind, Ty};
use super::values::{BraceOperand, CellId, Operand, Place, Pointer, Value};
use crate::library::Evaluated;
use crate::syntax::ast::{Expr, ExprKind, Init};

impl<'u> Eval<'u> {
    /// Initialises an object as a declaration says.
    pub(crate) fn initialise(
        &mut self,
        cell: CellId,
        ty: &Ty,
        init: &'u Init,
        span: Span,
    ) -> Evaluated<()> {
        match init {
            Init::None => self.default_initialise(cell, ty, span),
            Init::Assign(value) => {
                // A string initialises an array of characters with its bytes; elsewhere it is a pointer.
                if let (Kind::Array(..), ExprKind::String(text)) = (&ty.kind, &value.kind) {
                    return self.initialise_with_text(cell, text);
                }
                let operand = self.expr_for(value, ty)?;
                self.initialise_from(cell, ty, operand)
            }
            Init::Parens(values) => {
                let arguments = self.arguments(values)?;
                self.construct(cell, ty, arguments, span)
            }
            Init::Braces(values) => {
                let items = match values.as_slice() {
                    // Items with designators are one list.
                    [
                        Expr {
                            kind: ExprKind::Braces(None, items),
                            ..
                        },
                    ] if items.iter().any(|item| item.field.is_some()) => {
                        self.brace_items(items)?
                    }
                    _ => self.brace_items_of(values)?,
                };
                self.initialise_with_list(cell, ty, &items, span)
            }
        }
    }

    pub(super) fn initialise_with_text(&mut self, cell: CellId, text: &str) -> Evaluated<()> {
        let mut bytes = text.bytes().map(|byte| byte as i8);
        let mut at = 0;
        while let Some(element) = self.element(cell, at)? {
            // The rest of the array is zero, the terminator among it.
            let byte = bytes.next().unwrap_or(0);
            self.store_cell(element, Value::int(super::IntType::Char, byte.into()))?;
            at += 1;
        }
        Ok(())
    }

    /// Evaluates the items of a list in braces, packs spread out.
    pub(super) fn brace_items_of(&mut self, values: &'u [Expr]) -> Evaluated<Vec<BraceOperand>> {
        let values = self.arguments(values)?;
        let items = values.into_iter();
        Ok(items
            .map(|value| BraceOperand { field: None, value })
            .collect())
    }

    /// Initialises an object without an initialiser.
    pub(crate) fn default_initialise(
        &mut self,
        cell: CellId,
        ty: &Ty,
        span: Span,
    ) -> Evaluated<()> {
        match &ty.kind {
            Kind::Class(class) => self.construct_class(cell, *class, Vec::new(), span),
            Kind::Array(of, length) => {
                // Numbers without an initialiser stay indeterminate, which reads of them are checked for.
                if !matches!(of.kind, Kind::Class(_) | Kind::Array(..) | Kind::Library(_)) {
                    return Ok(());
                }
                let of = of.clone();
                for at in 0..length.unwrap_or(0) {
                    if let Some(element) = self.element(cell, at)? {
                        self.default_initialise(element, &of, span)?;
                    }
                }
                Ok(())
            }
            Kind::Library(_) => self.construct(cell, ty, Vec::new(), span),
            _ => Ok(()),
        }
    }

    /// Initialises an object as `T()` and `T{}` do: numbers are 0.
    pub(crate) fn value_initialise(&mut self, cell: CellId, ty: &Ty, span: Span) -> Evaluated<()> {
        match &ty.kind {
            Kind::Class(class) => {
                self.complete(*class)?;
                let has_own = {
                    let members = &self.classes[class.index()].members;
                    members.constructors.iter().any(|it| !it.is_defaulted)
                };
                if !has_own {
                    // `T()` first sets all members to zero, unless the class has a user-defined constructor.
                    self.zero(cell)?;
                }
                self.construct_class(cell, *class, Vec::new(), span)
            }
            Kind::Array(of, length) => {
                let of = of.clone();
                for at in 0..length.unwrap_or(0) {
                    if let Some(element) = self.element(cell, at)? {
                        self.value_initialise(element, &of, span)?;
                    }
                }
                Ok(())
            }
            Kind::Library(_) => self.construct(cell, ty, Vec::new(), span),
            _ => self.zero(cell),
        }
    }

    /// Makes every number of an object 0.
    pub(super) fn zero(&mut self, cell: CellId) -> Evaluated<()> {
        for leaf in self.leaves(cell)? {
            let ty = self.memory.get(leaf).ty.clone();
            let value = self.zero_of(&ty)?;
            self.store_cell(leaf, value)?;
        }
        Ok(())
    }

    /// Returns the value zero of a type.
    pub(crate) fn zero_of(&mut self, ty: &Ty) -> Evaluated<Value> {
        Ok(match &ty.kind {
            Kind::Int(of) => Value::int(*of, 0),
            Kind::Float(of) => Value::Float(*of, super::FloatValue::Known(0.0)),
            Kind::Enum(id) => Value::int(self.underlying(*id)?, 0),
            Kind::Pointer(..) | Kind::Null => Value::Null,
            // Objects of the library have no zero: they are constructed.
            _ => Value::Uninit,
        })
    }

    /// Initialises an object with a list in braces.
    pub(crate) fn initialise_with_list(
        &mut self,
        cell: CellId,
        ty: &Ty,
        items: &[BraceOperand],
        span: Span,
    ) -> Evaluated<()> {
        match &ty.kind {
            // `T{}` is value initialisation for aggregates, too.
            _ if items.is_empty() => self.value_initialise(cell, ty, span),
            Kind::Class(class) => {
                self.complete(*class)?;
                if let [only] = items
                    && only.field.is_none()
                    && only
                        .value
                        .ty
                        .class()
                        .is_some_and(|own| self.base_offset(own, *class).is_some())
                {
                    // `T{other}` copies `other` rather than initialising the first member with it.
                    return self.initialise_from(cell, ty, only.value.clone());
                }
                match self.is_aggregate(*class) {
                    true => {
                        let rest = items.to_vec();
                        self.fill_aggregate(cell, ty, &mut rest.into_iter().peekable(), span)
                    }
                    false => {
                        let arguments = items.iter().map(|item| item.value.clone()).collect();
                        self.construct_class(cell, *class, arguments, span)
                    }
                }
            }
            Kind::Array(..) => {
                let rest = items.to_vec();
                self.fill_aggregate(cell, ty, &mut rest.into_iter().peekable(), span)
            }
            Kind::Library(_) => {
                let arguments = items.iter().map(|item| item.value.clone()).collect();
                self.construct(cell, ty, arguments, span)
            }
            _ => self.initialise_from(cell, ty, items[0].value.clone()),
        }
    }

    /// Returns whether a class is initialised member by member.
    pub(crate) fn is_aggregate(&self, class: ClassId) -> bool {
        let info = &self.classes[class.index()];
        info.members.constructors.is_empty() && !info.layout.has_virtual
    }

    /// Initialises the parts of an aggregate from items in order; parts without braces of their own take as many as
    /// they need.
    pub(super) fn fill_aggregate(
        &mut self,
        cell: CellId,
        ty: &Ty,
        items: &mut std::iter::Peekable<std::vec::IntoIter<BraceOperand>>,
        span: Span,
    ) -> Evaluated<()> {
        match &ty.kind {
            Kind::Array(of, length) => {
                let of = of.clone();
                for at in 0..length.unwrap_or(0) {
                    let Some(element) = self.element(cell, at)? else {
                        break;
                    };
                    self.fill_part(element, &of, None, items, span)?;
                }
            }
            Kind::Class(class) => {
                let info = &self.classes[class.index()];
                let (bases, fields) = (info.bases.clone(), info.fields.clone());
                let is_union = info.decl.is_union;
                for base in bases {
                    let ty: Ty = Kind::Class(base.class).into();
                    self.fill_part(cell.plus(base.cell), &ty, None, items, span)?;
                }
                for (number, field) in fields.iter().enumerate() {
                    let is_taken = match items.peek() {
                        // Designators are in the order of the members: members between them get their defaults.
                        Some(item) => item.field.as_ref().is_none_or(|name| *name == field.name),
                        None => false,
                    };
                    let part = cell.plus(field.cell);
                    if is_taken {
                        self.fill_part(part, &field.ty, Some((cell, field)), items, span)?;
                    } else if !is_union || number == 0 {
                        self.initialise_field(cell, field, true)?;
                    }
                    if is_union && is_taken {
                        break;
                    }
                }
            }
            _ => {}
        }
        Ok(())
    }

    pub(super) fn fill_part(
        &mut self,
        part: CellId,
        ty: &Ty,
        field: Option<(CellId, &Field<'u>)>,
        items: &mut std::iter::Peekable<std::vec::IntoIter<BraceOperand>>,
        span: Span,
    ) -> Evaluated<()> {
        self.step()?;
        let Some(item) = items.peek() else {
            return match field {
                Some((object, field)) => self.initialise_field(object, field, true),
                None => self.value_initialise(part, ty, span),
            };
        };
        let is_part = match (&ty.kind, &item.value.place) {
            (_, Place::Braces(_)) => false,
            // Brace elision: the items that follow are elements, unless the next one is an array itself.
            (Kind::Array(..), _) => !matches!(item.value.ty.kind, Kind::Array(..)),
            (Kind::Class(class), _) => {
                self.complete(*class)?;
                let fits = self.implicit_rank(&item.value.clone(), ty)?.is_some();
                self.is_aggregate(*class) && !fits
            }
            _ => false,
        };
        if is_part {
            return self.nested(|eval| eval.fill_aggregate(part, ty, items, span));
        }
        let Some(item) = items.next() else {
            return Ok(());
        };
        self.initialise_from(part, ty, item.value)
    }

    /// Initialises a member without an initialiser of its own: by its default, or else as the object is.
    pub(super) fn initialise_field(
        &mut self,
        object: CellId,
        field: &Field<'u>,
        is_value: bool,
    ) -> Evaluated<()> {
        let part = object.plus(field.cell);
        let span = field.decl.name_span;
        match &field.decl.init {
            Init::None if is_value => self.value_initialise(part, &field.ty, span),
            Init::None => self.default_initialise(part, &field.ty, span),
            // A default may use members that are declared before it.
            init => self.with_this(object, |eval| eval.initialise(part, &field.ty, init, span)),
        }
    }

    /// Initialises an object with a value: `T x = operand`.
    pub(crate) fn initialise_from(
        &mut self,
        cell: CellId,
        ty: &Ty,
        operand: Operand,
    ) -> Evaluated<()> {
        let span = operand.span;
        if let Place::Braces(items) = &operand.place {
            let items = items.clone();
            return self.initialise_with_list(cell, ty, &items, span);
        }
        match &ty.kind {
            Kind::Reference(..) => {
                let bound = self.convert(operand, ty, false)?;
                let value = match bound.place {
                    Place::Cell(to) | Place::Moved(to) | Place::Temporary(to) => {
                        Value::Pointer(Pointer::To(to))
                    }
                    // A reference into memory of the library holds the address itself, since that memory has no cells.
                    Place::Remote(address) => address,
                    _ => Value::Unknown,
                };
                self.store_cell(cell, value)
            }
            Kind::Class(class) => {
                let from = operand.ty.class();
                let offset = match from {
                    Some(from) => {
                        self.complete(from)?;
                        self.base_offset(from, *class)
                    }
                    None => None,
                };
                match (offset, operand.object()) {
                    (Some(offset), Some(from)) => {
                        let from = from.plus(offset);
                        match operand.place {
                            Place::Temporary(_) if offset == 0 => {
                                self.forget_temporary(from);
                                self.copy_cells(cell, from)
                            }
                            _ => self.copy_object(cell, *class, from, &operand),
                        }
                    }
                    (Some(_), None) => self.copy_remote(cell, *class, &operand),
                    (None, _) if operand.ty.kind == Kind::Unknown => self.forget_object(cell),
                    (None, _) => self.convert_into(cell, *class, operand),
                }
            }
            Kind::Array(..) => match operand.object() {
                Some(from) if operand.ty.is_same(ty) => self.copy_cells(cell, from),
                _ => self.forget_object(cell),
            },
            Kind::Library(_) if operand.ty.is_same(ty) => {
                let value = self.value_of(&operand)?;
                self.store_cell(cell, value)
            }
            Kind::Library(_) => self.construct(cell, ty, vec![operand], span),
            _ => {
                let converted = self.convert(operand, ty, false)?;
                let value = self.value_of(&converted)?;
                let value = self.copied_value(value)?;
                self.store_cell(cell, value)
            }
        }
    }

    /// Initialises base classes and members in order: those that `inits` names so, others by default.
    pub(crate) fn initialise_parts(
        &mut self,
        cell: CellId,
        class: ClassId,
        inits: &[(Part, &'u Init, Span)],
        span: Span,
    ) -> Evaluated<()> {
        let bases = self.classes[class.index()].bases.clone();
        for base in bases {
            let ty: Ty = Kind::Class(base.class).into();
            let part = cell.plus(base.cell);
            let init = inits.iter().find(|(of, ..)| *of == Part::Base(base.class));
            match init {
                Some((_, init, span)) => self.initialise(part, &ty, init, *span)?,
                None => self.default_initialise(part, &ty, span)?,
            }
        }
        self.constructing.push(cell);
        let result = self.initialise_fields(cell, class, inits, span);
        self.constructing.pop();
        result
    }

    /// Initialises the members of an object.
    pub(super) fn initialise_fields(
        &mut self,
        cell: CellId,
        class: ClassId,
        inits: &[(Part, &'u Init, Span)],
        span: Span,
    ) -> Evaluated<()> {
        let info = &self.classes[class.index()];
        let fields = info.fields.clone();
        let is_union = info.decl.is_union;
        for field in fields {
            let part = cell.plus(field.cell);
            if let Kind::Class(inner) = field.ty.kind
                && field.name.is_empty()
                && inits.iter().any(|(of, ..)| match of {
                    Part::Field(name) => self.has_field(inner, name),
                    Part::Base(_) => false,
                })
            {
                self.initialise_parts(part, inner, inits, span)?;
                continue;
            }
            let init = inits
                .iter()
                .find(|(of, ..)| *of == Part::Field(field.name.clone()));
            match init {
                Some((_, init, span)) => match init {
                    Init::Parens(values) if values.is_empty() => {
                        self.value_initialise(part, &field.ty, *span)?;
                    }
                    init => self.initialise(part, &field.ty, init, *span)?,
                },
                // At most one member of a union is initialised.
                None if is_union && matches!(field.decl.init, Init::None) => {}
                None => self.initialise_field(cell, &field, false)?,
            }
        }
        Ok(())
    }
}
