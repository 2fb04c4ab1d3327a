//! Objects: their cells, initialisation, copies and destruction.

use std::rc::Rc;

use a2lint_source::text::Span;

use super::Eval;
use super::types::{ClassId, Kind, Ty};
use super::values::{BraceOperand, CellId, FunctionId, Operand, Place, Value};
use crate::library::{Call, Evaluated, Outcome};
use crate::syntax::ast::Name;

/// Longest array that is filled with values one by one.
const MAX_FILLED: u64 = 1 << 16;

impl<'u> Eval<'u> {
    /// Makes the cells of an object of a type, without values.
    pub fn new_object(&mut self, ty: &Ty, name: &Name, span: Span) -> Evaluated<CellId> {
        let cell = self.allocate(ty, None, false)?;
        if !name.is_empty() {
            self.memory.set_label(cell, name, span);
        }
        Ok(cell)
    }

    /// Makes the cells of an unnamed object.
    pub(crate) fn temporary(&mut self, ty: &Ty) -> Evaluated<CellId> {
        self.allocate(ty, None, false)
    }

    fn allocate(&mut self, ty: &Ty, parent: Option<CellId>, is_base: bool) -> Evaluated<CellId> {
        self.step()?;
        let cell = self.memory.push(ty.clone(), parent, is_base);
        match &ty.kind {
            Kind::Array(of, length) => {
                let length = length.unwrap_or(0);
                // Each element takes a cell, so the length is bounded; the report names this bound.
                if length > MAX_FILLED {
                    let what = format!("arrays of more than {MAX_FILLED} elements are not kept");
                    return Err(super::Abort::Limit(what));
                }
                for _ in 0..length {
                    self.allocate(of, Some(cell), false)?;
                }
            }
            Kind::Class(class) => {
                self.complete(*class)?;
                let info = &self.classes[class.index()];
                let bases: Vec<ClassId> = info.bases.iter().map(|base| base.class).collect();
                let fields: Vec<Ty> = info.fields.iter().map(|field| field.ty.clone()).collect();
                for base in bases {
                    self.allocate(&Kind::Class(base).into(), Some(cell), true)?;
                }
                for field in fields {
                    self.allocate(&field, Some(cell), false)?;
                }
            }
            _ => {}
        }
        Ok(cell)
    }

    /// Returns the cell of an element of an array.
    pub(crate) fn element(&mut self, array: CellId, at: u64) -> Evaluated<Option<CellId>> {
        let Kind::Array(of, length) = self.memory.get(array).ty.kind.clone() else {
            return Ok(None);
        };
        // The address after the last element has no cell; pointer arithmetic represents it.
        if at >= length.unwrap_or(0) {
            return Ok(None);
        }
        let stride = self.cells_of(&of)?;
        // The cell of the array itself comes before those of its elements.
        Ok(Some(array.plus(1 + stride * at as u32)))
    }

    /// Returns the type of the object in a cell.
    pub fn cell_type(&self, cell: CellId) -> Ty {
        self.memory.get(cell).ty.clone()
    }

    /// Returns the cells of the numbers, pointers and library values in an object, in the order of its type.
    pub(super) fn leaves(&mut self, cell: CellId) -> Evaluated<Vec<CellId>> {
        let ty = self.memory.get(cell).ty.clone();
        let cells = self.cells_of(&ty)?;
        let all = (0..cells).map(|at| cell.plus(at));
        let is_leaf = |cell: &CellId| {
            let ty = &self.memory.get(*cell).ty;
            !matches!(ty.kind, Kind::Class(_) | Kind::Array(..))
        };
        Ok(all.filter(is_leaf).collect())
    }

    /// Copies an object bit by bit.
    pub(crate) fn copy_cells(&mut self, to: CellId, from: CellId) -> Evaluated<()> {
        if to == from {
            return Ok(());
        }
        if let Some(choice) = self.choice_of(from) {
            return self.copy_choice(to, &choice);
        }
        let ty = self.memory.get(to).ty.clone();
        let cells = self.cells_of(&ty)?;
        // The cost of copying an array grows with its length, so the copy is charged as several steps.
        self.charge(cells)?;
        for at in 0..cells {
            let source = from.plus(at);
            if matches!(
                self.memory.get(source).ty.kind,
                Kind::Class(_) | Kind::Array(..)
            ) {
                continue;
            }
            let value = self.load_cell(source)?;
            let value = self.copied_value(value)?;
            self.store_cell(to.plus(at), value)?;
        }
        Ok(())
    }

    /// Returns a copy of a value. A `mutable` lambda is copied with its captures.
    pub(crate) fn copied_value(&mut self, value: Value) -> Evaluated<Value> {
        match value {
            Value::Closure(closure) if self.closures[closure.ty.index()].lambda.is_mutable => {
                self.copied_closure(&closure).map(Value::Closure)
            }
            other => Ok(other),
        }
    }

    /// Makes every value of an object unknown.
    pub(crate) fn forget_object(&mut self, cell: CellId) -> Evaluated<()> {
        let leaves = self.leaves(cell)?;
        self.charge(leaves.len() as u32)?;
        for leaf in leaves {
            self.store_cell(leaf, Value::Unknown)?;
        }
        Ok(())
    }

    /// Evaluates something in the scope of the class of an object, which is `this`.
    pub(crate) fn with_this<T>(
        &mut self,
        object: CellId,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let ty = self.memory.get(object).ty.clone();
        let Kind::Class(class) = ty.kind else {
            return work(self);
        };
        let context = self.classes[class.index()].context.clone();
        self.in_context(context, |eval| {
            // Constructors and destructors may modify members of a `const` object.
            eval.frame.this = Some((object, ty.unqualified()));
            work(eval)
        })
    }

    /// Copies an object of class type, by its constructors where it has such.
    pub(super) fn copy_object(
        &mut self,
        cell: CellId,
        class: ClassId,
        from: CellId,
        operand: &Operand,
    ) -> Evaluated<()> {
        // If no part has a copy constructor, copying the cells is all that a copy does.
        if !self.classes[class.index()].layout.copies {
            return self.copy_cells(cell, from);
        }
        let members = self.classes[class.index()].members.clone();
        // A user-defined copy constructor may have any effect, such as reference counting.
        if members.copies {
            let ty = Ty {
                kind: Kind::Class(class),
                is_const: operand.ty.is_const,
            };
            let place = match operand.place {
                Place::Cell(_) => Place::Cell(from),
                // A temporary binds to the move constructor if the class has one.
                _ => Place::Moved(from),
            };
            let span = operand.span;
            let argument = Operand { ty, place, span };
            let candidates = self.constructors(class)?;
            return self.call_constructor(cell, &candidates, vec![argument], span);
        }
        let info = &self.classes[class.index()];
        let (bases, fields) = (info.bases.clone(), info.fields.clone());
        for base in bases {
            self.copy_object(
                cell.plus(base.cell),
                base.class,
                from.plus(base.cell),
                operand,
            )?;
        }
        for field in fields {
            let (to, from) = (cell.plus(field.cell), from.plus(field.cell));
            match field.ty.kind {
                Kind::Class(class) => self.copy_object(to, class, from, operand)?,
                _ => self.copy_cells(to, from)?,
            }
        }
        Ok(())
    }

    /// Copies an object out of memory that the library knows, member by member.
    pub(super) fn copy_remote(
        &mut self,
        cell: CellId,
        class: ClassId,
        operand: &Operand,
    ) -> Evaluated<()> {
        let fields = self.classes[class.index()].fields.clone();
        for field in fields {
            let part = self.member_of(operand.clone(), &field.name, operand.span)?;
            self.initialise_from(cell.plus(field.cell), &field.ty, part)?;
        }
        Ok(())
    }

    /// Initialises an object of class type from something of another type: a constructor or conversion.
    pub(super) fn convert_into(
        &mut self,
        cell: CellId,
        class: ClassId,
        operand: Operand,
    ) -> Evaluated<()> {
        if let Some(from) = operand.ty.class() {
            let to: Ty = Kind::Class(class).into();
            // A conversion function of the source is preferred, as it gives the object itself and needs no copy.
            if let Some(converted) = self.convert_by_operator(&operand, from, &to)? {
                return self.initialise_from(cell, &to, converted);
            }
        }
        let span = operand.span;
        self.construct_class(cell, class, vec![operand], span)
    }

    /// Initialises an object with arguments in parentheses.
    pub(crate) fn construct(
        &mut self,
        cell: CellId,
        ty: &Ty,
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<()> {
        match &ty.kind {
            Kind::Class(class) => self.construct_class(cell, *class, arguments, span),
            Kind::Library(of) => {
                if let [only] = arguments.as_slice()
                    // A copy of a handle of the library: no constructor is called.
                    && only.ty.is_same(ty)
                {
                    let value = self.value_of(only)?;
                    return self.store_cell(cell, value);
                }
                let (library, of) = (self.library, of.clone());
                let call = Call {
                    name: &of.name,
                    template: &of.arguments,
                    operands: &arguments,
                    function: None,
                    returns: None,
                    name_span: span,
                    span,
                };
                match library.construct(self, &of, cell, call)? {
                    Outcome::Done(_) => Ok(()),
                    Outcome::Unknown(what) => {
                        // The object exists with unknown contents: later uses of it do not count as separate causes.
                        self.store_cell(cell, Value::Unknown)?;
                        self.unknown_call(&what, None, &arguments, span)?;
                        Ok(())
                    }
                    Outcome::Follows(what) => {
                        self.store_cell(cell, Value::Unknown)?;
                        self.follower_call(&what, None, &arguments, span)?;
                        Ok(())
                    }
                    Outcome::NotMine => {
                        self.store_cell(cell, Value::Unknown)?;
                        let what = format!("how `{}` is constructed is not known", of.name);
                        self.unknown_call(&what, None, &arguments, span)?;
                        Ok(())
                    }
                }
            }
            _ => match <[Operand; 1]>::try_from(arguments) {
                Ok([only]) => self.initialise_from(cell, ty, only),
                Err(none) if none.is_empty() => self.value_initialise(cell, ty, span),
                Err(_) => self.forget_object(cell),
            },
        }
    }

    /// Initialises an object of class type by a constructor.
    pub(crate) fn construct_class(
        &mut self,
        cell: CellId,
        class: ClassId,
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<()> {
        self.complete(class)?;
        if let [only] = arguments.as_slice()
            && let Some(from) = only.ty.class()
            // An object of the class or of a derived class is copied; overload resolution would choose the same
            // constructor.
            && self.base_offset(from, class).is_some()
            && !matches!(only.place, Place::Braces(_))
        {
            let ty: Ty = Kind::Class(class).into();
            let only = only.clone();
            return self.initialise_from(cell, &ty, only);
        }
        let candidates = self.constructors(class)?;
        if candidates.is_empty() {
            return match arguments.is_empty() {
                true => self.initialise_parts(cell, class, &[], span),
                // `T(a, b)` of an aggregate is C++20; what it does is the same as `T{a, b}`.
                false => {
                    let ty: Ty = Kind::Class(class).into();
                    let items = arguments.into_iter();
                    let items = items.map(|value| BraceOperand { field: None, value });
                    let items: Vec<BraceOperand> = items.collect();
                    self.fill_aggregate(cell, &ty, &mut items.into_iter().peekable(), span)
                }
            };
        }
        self.call_constructor(cell, &candidates, arguments, span)
    }

    /// Calls the constructor that fits best.
    fn call_constructor(
        &mut self,
        cell: CellId,
        candidates: &[FunctionId],
        arguments: Vec<Operand>,
        span: Span,
    ) -> Evaluated<()> {
        let chosen = self.choose(candidates, None, None, &arguments)?;
        match chosen {
            Ok(chosen) => self.run_constructor(cell, chosen, arguments, span),
            Err(why) => {
                // The unknown constructor may set every member.
                self.forget_object(cell)?;
                let ty = self.memory.get(cell).ty.clone();
                let what = format!("{why} of constructor `{}`", self.type_name(&ty));
                self.unknown_call(&what, None, &arguments, span)?;
                Ok(())
            }
        }
    }

    /// Ends an object.
    pub(crate) fn destroy(&mut self, cell: CellId, ty: &Ty, span: Span) -> Evaluated<()> {
        if !self.has_destructor(ty) {
            return Ok(());
        }
        match &ty.kind {
            Kind::Library(_) => {
                let library = self.library;
                library.destroy(self, cell, span)
            }
            Kind::Array(of, length) => {
                let of = of.clone();
                // Objects are destroyed in reverse order of construction, which decides the order of the events that
                // they wait for.
                for at in (0..length.unwrap_or(0)).rev() {
                    if let Some(element) = self.element(cell, at)? {
                        self.destroy(element, &of, span)?;
                    }
                }
                Ok(())
            }
            Kind::Class(class) => self.nested(|eval| eval.destroy_class(cell, *class, span)),
            _ => Ok(()),
        }
    }

    fn destroy_class(&mut self, cell: CellId, class: ClassId, span: Span) -> Evaluated<()> {
        let info = &self.classes[class.index()];
        let (members, context) = (info.members.clone(), info.context.clone());
        let (bases, fields) = (info.bases.clone(), info.fields.clone());
        if let Some(decl) = members.destructor.filter(|it| !it.is_defaulted) {
            let function = self.function(decl, &context, Some(class));
            let ty: Ty = Kind::Class(class).into();
            let object = Operand::cell(ty, cell, span);
            self.constructing.push(cell);
            let result =
                self.call_function(function, Vec::new(), Some(object), Vec::new(), (span, span));
            self.constructing.pop();
            result?;
        }
        for field in fields.iter().rev() {
            self.destroy(cell.plus(field.cell), &field.ty, span)?;
        }
        for base in bases.iter().rev() {
            self.destroy(cell.plus(base.cell), &Kind::Class(base.class).into(), span)?;
        }
        Ok(())
    }

    /// Returns an operand as an object: its own, or a new temporary with its value.
    pub(crate) fn materialised(&mut self, operand: Operand) -> Evaluated<Operand> {
        let cell = match &operand.place {
            Place::Cell(_) | Place::Moved(_) | Place::Temporary(_) | Place::Remote(_) => {
                return Ok(operand);
            }
            Place::Value(value) => {
                let cell = self.temporary(&operand.ty)?;
                if let Kind::Class(_) | Kind::Array(..) = operand.ty.kind {
                    self.forget_object(cell)?;
                } else {
                    let value = value.clone();
                    self.store_cell(cell, value)?;
                }
                cell
            }
            Place::Braces(_) | Place::Overloads(_) => self.temporary(&Ty::unknown())?,
        };
        // A temporary is an rvalue for overload resolution, also once it has a cell.
        let place = Place::Moved(cell);
        Ok(Operand { place, ..operand })
    }

    /// Creates an object of class type and returns its cell and an operand for it.
    pub(crate) fn class_object(&mut self, ty: &Ty, span: Span) -> Evaluated<(CellId, Operand)> {
        let cell = self.temporary(ty)?;
        let place = Place::Temporary(cell);
        let ty = ty.clone().unqualified();
        if self.has_destructor(&ty) {
            self.temporaries.push((cell, ty.clone(), span));
        }
        Ok((cell, Operand { ty, place, span }))
    }

    /// Removes a temporary from those destroyed at the end of the expression, since it has a new owner.
    pub(crate) fn forget_temporary(&mut self, cell: CellId) {
        self.temporaries.retain(|(own, ..)| *own != cell);
    }

    /// Destroys the temporaries that an expression has made.
    pub(crate) fn end_expression(&mut self, from: usize) -> Evaluated<()> {
        while self.temporaries.len() > from {
            if let Some((cell, ty, span)) = self.temporaries.pop() {
                self.destroy(cell, &ty, span)?;
            }
        }
        Ok(())
    }
}

/// A part of an object that a constructor initialises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    Base(ClassId),
    Field(Name),
}

/// Items of a list in braces.
pub(crate) fn braces(items: Vec<BraceOperand>, span: Span) -> Operand {
    let place = Place::Braces(Rc::from(items));
    let ty = Ty::unknown();
    Operand { ty, place, span }
}
