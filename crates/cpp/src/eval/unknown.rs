//! Code that cannot be followed: where it is, and what it may have changed.

use a2lint_ir::StmtKind;
use a2lint_source::text::Span;
use rustc_hash::FxHashSet;

use super::Eval;
use super::lambdas::captured_cells;
use super::memory::Phantom;
use super::names::Local;
use super::types::{Kind, Ty};
use super::values::{CellId, Operand, Place, Pointer, Value};
use crate::library::Evaluated;

/// Maximum number of cells that are visited to find what unknown code can reach.
const MAX_REACHED: usize = 100_000;

impl Eval<'_> {
    /// Notes code that cannot be followed and has received operands: what it can reach through them is not known
    /// afterwards. `what` is a clause.
    pub fn unknown_call(
        &mut self,
        what: &str,
        object: Option<&Operand>,
        arguments: &[Operand],
        span: Span,
    ) -> Evaluated<Operand> {
        self.builder.note_unknown(span, what.to_owned());
        self.forget_received(object, arguments, span)
    }

    /// Evaluates as `unknown_call` does, for a call that is unknown only because of an unknown value that it uses: the
    /// note does not count as a separate cause.
    pub(crate) fn follower_call(
        &mut self,
        what: &str,
        object: Option<&Operand>,
        arguments: &[Operand],
        span: Span,
    ) -> Evaluated<Operand> {
        self.builder.note_follower(span, what.to_owned());
        self.forget_received(object, arguments, span)
    }

    /// Notes a call whose function is not known. An argument without a known type has a cause of its own.
    pub(crate) fn unresolved_call(
        &mut self,
        what: &str,
        object: Option<&Operand>,
        arguments: &[Operand],
        span: Span,
    ) -> Evaluated<Operand> {
        let is_unknown = |operand: &Operand| {
            operand.ty.kind == Kind::Unknown && matches!(operand.place, Place::Value(_))
        };
        match arguments.iter().any(is_unknown) {
            true => self.follower_call(what, object, arguments, span),
            false => self.unknown_call(what, object, arguments, span),
        }
    }

    fn forget_received(
        &mut self,
        object: Option<&Operand>,
        arguments: &[Operand],
        span: Span,
    ) -> Evaluated<Operand> {
        self.library.opaque(object.is_some(), span);
        if self.library.reads_all() {
            self.read_lambdas(arguments, span)?;
        }
        let mut reached = Reached::default();
        for operand in object.into_iter().chain(arguments) {
            self.reach_operand(operand, &mut reached)?;
        }
        // Unknown code may name any variable of a namespace.
        self.reach_globals(&mut reached)?;
        self.forget_reached(reached, span)?;
        self.builder.emit(StmtKind::Opaque)?;
        Ok(Operand::unknown(span))
    }

    /// Evaluates lambdas that unknown code receives, with arguments of which nothing is known.
    fn read_lambdas(&mut self, arguments: &[Operand], span: Span) -> Evaluated<()> {
        for argument in arguments {
            if let Value::Closure(closure) = self.value_of(argument)?
                // A lambda may give itself away.
                && !self.reading.contains(&closure.ty)
            {
                let parameters = self.lambda_of(&closure).parameters.len();
                let unknown = vec![Operand::unknown(span); parameters];
                self.reading.push(closure.ty);
                let result = self.call_closure(&closure, unknown, span);
                self.reading.pop();
                result?;
            }
        }
        Ok(())
    }

    /// Makes an object that stands for one which is not known.
    pub(crate) fn phantom(&mut self, ty: &Ty) -> Evaluated<CellId> {
        let cell = self.temporary(ty)?;
        self.forget_object(cell)?;
        for at in 0..self.cells_of(ty)? {
            self.memory.make_phantom(cell.plus(at));
        }
        Ok(cell)
    }

    /// Creates an object for bytes of another object that are accessed as another type.
    pub(crate) fn part_of(&mut self, object: CellId, ty: &Ty) -> Evaluated<CellId> {
        let cell = self.temporary(ty)?;
        self.forget_object(cell)?;
        for at in 0..self.cells_of(ty)? {
            self.memory.make_part_of(cell.plus(at), object);
        }
        Ok(cell)
    }

    /// Stores a value through a pointer to an object that is not a single known one: all objects of the type become
    /// unknown (other types do not alias it), or the known object whose bytes the pointer may point to; of several
    /// known objects, the one that is meant gets the value.
    pub(crate) fn store_anywhere(
        &mut self,
        phantom: &Phantom,
        of: &Kind,
        value: &Value,
    ) -> Evaluated<()> {
        match phantom {
            Phantom::PartOf(object) => match self.stored_bits(*object, of, value) {
                Some(value) => {
                    self.store_cell(*object, value)?;
                    self.forget_union_siblings(*object)
                }
                None => self.forget_object(*object),
            },
            Phantom::AnyOfItsType => self.forget_all_of(of),
            Phantom::OneOf(choice, _) => self.store_choice(choice, value),
        }
    }

    /// Forgets all objects of a type.
    fn forget_all_of(&mut self, kind: &Kind) -> Evaluated<()> {
        // To look at a cell takes a small part of the time of a step.
        self.charge(1 + self.memory.len() as u32 / 32)?;
        for cell in self.memory.all_of(kind) {
            if let Kind::Class(_) = kind {
                self.forget_object(cell)?;
            } else {
                self.step()?;
                self.store_cell(cell, Value::Unknown)?;
            }
        }
        Ok(())
    }

    /// Evaluates a statement that cannot be followed: it may change everything that it can name.
    pub(crate) fn unknown_statement(&mut self, what: &str, span: Span) -> Evaluated<()> {
        self.builder
            .note_unknown(span, format!("{what} is not understood"));
        self.library.opaque(false, span);
        let mut reached = Reached::default();
        let mut locals: Vec<Local<'_>> = Vec::new();
        locals.extend(self.frame.locals.iter().map(|(_, local)| local.clone()));
        while let Some(local) = locals.pop() {
            match local {
                Local::Object(ty, place) => {
                    let operand = Operand { ty, place, span };
                    self.reach_operand(&operand, &mut reached)?;
                }
                Local::Pack(items) => locals.extend(items.iter().cloned()),
                Local::Type(_) | Local::Entities(..) => {}
            }
        }
        if let Some((cell, ty)) = self.frame.this.clone() {
            self.reach_operand(&Operand::cell(ty, cell, span), &mut reached)?;
        }
        self.reach_globals(&mut reached)?;
        self.forget_reached(reached, span)?;
        self.builder.emit(StmtKind::Opaque)?;
        Ok(())
    }

    /// Adds the variables of namespaces and the static ones that are not `const` to what unknown code can reach.
    fn reach_globals(&mut self, reached: &mut Reached) -> Evaluated<()> {
        let all = self.static_locals.values();
        let all: Vec<CellId> = all
            .filter(|(_, ty)| !ty.is_const)
            .map(|(cell, _)| *cell)
            .collect();
        for cell in all {
            self.reach(cell, true, reached)?;
        }
        Ok(())
    }

    fn reach_operand(&mut self, operand: &Operand, reached: &mut Reached) -> Evaluated<()> {
        match &operand.place {
            Place::Cell(cell) | Place::Moved(cell) | Place::Temporary(cell) => {
                let can_change = !operand.ty.is_const && matches!(operand.place, Place::Cell(_));
                self.reach(*cell, can_change, reached)
            }
            Place::Value(value) => self.reach_value(&value.clone(), &operand.ty, reached),
            Place::Remote(address) => {
                reached.is_anything |= address.is_unknown();
                reached.values.push(address.clone());
                Ok(())
            }
            Place::Braces(items) => {
                for item in items.iter() {
                    self.reach_operand(&item.value.clone(), reached)?;
                }
                Ok(())
            }
            Place::Overloads(_) => Ok(()),
        }
    }

    /// Follows an object and what it points to. `can_change` tells whether the object itself is changed.
    fn reach(&mut self, cell: CellId, can_change: bool, reached: &mut Reached) -> Evaluated<()> {
        let ty = self.memory.get(cell).ty.clone();
        let cells = self.cells_of(&ty)?;
        for at in 0..cells {
            let part = cell.plus(at);
            let own = self.memory.get(part).ty.clone();
            if matches!(own.kind, Kind::Class(_) | Kind::Array(..)) {
                continue;
            }
            if !reached.seen.insert((part, can_change)) || reached.seen.len() > MAX_REACHED {
                continue;
            }
            self.step()?;
            if let Some(choice) = self.choice_of(part) {
                for &one in choice.cells() {
                    let whole = self.whole_array(one);
                    self.nested(|eval| eval.reach(whole, can_change, reached))?;
                }
                continue;
            }
            let value = self.load_cell(part)?;
            if can_change {
                reached.cells.push(part);
            }
            self.nested(|eval| eval.reach_value(&value, &own, reached))?;
        }
        Ok(())
    }

    fn reach_value(&mut self, value: &Value, ty: &Ty, reached: &mut Reached) -> Evaluated<()> {
        match value {
            Value::Pointer(Pointer::To(cell)) => {
                let is_const = ty.pointee().is_some_and(|of| of.is_const)
                    || matches!(&ty.kind, Kind::Reference(of, _) if of.is_const);
                // The whole array can be reached from an element.
                let mut object = *cell;
                if let Some(parent) = self.memory.parent(object)
                    && matches!(self.memory.get(parent).ty.kind, Kind::Array(..))
                {
                    object = parent;
                }
                self.reach(object, !is_const, reached)
            }
            Value::Pointer(Pointer::End(array)) => self.reach(*array, true, reached),
            Value::Closure(closure) => {
                for cell in captured_cells(closure) {
                    self.reach(cell, true, reached)?;
                }
                Ok(())
            }
            Value::Library(library) => {
                for cell in library.cells() {
                    self.reach(cell, true, reached)?;
                }
                reached.values.push(value.clone());
                Ok(())
            }
            Value::Unknown => {
                reached.add_unknown(ty);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn forget_reached(&mut self, reached: Reached, span: Span) -> Evaluated<()> {
        let library = self.library;
        for value in &reached.values {
            // The unknown code may have written the memory of a tensor or address.
            library.havoc(self, value, span)?;
        }
        if reached.is_anything {
            // The library visits all memories, so the cost grows with their number.
            let program = &self.builder.program;
            let memories = program.buffers.len() + program.globals.len();
            self.charge(memories as u32)?;
            library.havoc_all(self, span)?;
        }
        for kind in &reached.kinds {
            self.forget_all_of(kind)?;
        }
        for cell in reached.cells {
            let value = self.load_cell(cell)?;
            let after = match &value {
                Value::Library(_) => library.havoc(self, &value, span)?,
                _ => Value::Unknown,
            };
            self.store_cell(cell, after)?;
        }
        Ok(())
    }
}

/// The cells and values that unknown code can reach.
#[derive(Debug, Default)]
struct Reached {
    seen: FxHashSet<(CellId, bool)>,
    /// Cells that it may change.
    cells: Vec<CellId>,
    /// Values of the library that it has received.
    values: Vec<Value>,
    /// Whether it has received a value that may be a pointer to any memory of the library.
    is_anything: bool,
    /// The types of the objects that pointers which are not known point to.
    kinds: Vec<Kind>,
}

impl Reached {
    /// Adds what a value that is not known may lead to. Numbers lead nowhere.
    fn add_unknown(&mut self, ty: &Ty) {
        match &ty.kind {
            Kind::Pointer(of, _) | Kind::Reference(of, _) => {
                self.is_anything = true;
                if !of.is_const && !self.kinds.contains(&of.kind) {
                    self.kinds.push(of.kind.clone());
                }
            }
            Kind::Library(_) | Kind::Unknown => self.is_anything = true,
            _ => {}
        }
    }
}
