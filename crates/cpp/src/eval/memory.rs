//! Memory: cells, and the way back to former states.
//!
//! An object is a run of cells. The cell of an array or class comes first and holds no value; those of its elements, or
//! of its base subobjects and members, follow in order. So the number of cells follows from the type, references and
//! pointers are numbers of cells, and copies are deep.
//!
//! # Journal
//! While control of the program is being evaluated, each write is journaled, so that the arms of a branch start from
//! the same state and a block can be evaluated again. Cells of static storage that are initialised on first use keep
//! their value: C++ initialises them before the kernel runs.

use std::rc::Rc;

use a2lint_ir::VariableId;
use a2lint_source::text::Span;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::choices::Choice;
use super::types::{Kind, Ty};
use super::values::{CellId, Value};
use crate::syntax::ast::Name;

/// Marks cells of static storage.
const STATIC: u32 = 1 << 31;
/// The parent of an object that is part of none.
const NO_PARENT: CellId = CellId(u32::MAX);
/// Maximum number of cells of one evaluation.
pub(crate) const MAX_CELLS: usize = 1_000_000;

/// One cell.
#[derive(Debug)]
pub(crate) struct Cell {
    pub ty: Ty,
    /// Its value; [`Value::Uninit`] for arrays and classes.
    pub value: Value,
    /// The array or class that it is part of.
    parent: CellId,
    /// Whether it is a base subobject of its parent.
    pub is_base: bool,
    /// The name of the variable, for whole objects.
    pub label: Option<Rc<(Name, Span)>>,
    /// The variables of the program that hold it, while a block of the program that changes it is evaluated.
    pub binding: Option<Rc<Binding>>,
    /// Whether the value has to be read from the variables.
    pub is_stale: bool,
    /// The objects that the cell represents, if it has no object.
    pub phantom: Option<Phantom>,
    /// Whether the variables are out of date; they are assigned at the end of the block.
    pub is_dirty: bool,
}

/// The objects that a cell without an object represents; a store to the cell changes them.
#[derive(Clone, Debug)]
pub(crate) enum Phantom {
    /// Any one cell of its type.
    AnyOfItsType,
    /// Some bytes of an object that has another type.
    PartOf(CellId),
    /// One of several cells, which a scalar of the program chooses, with what they held when they were last read: then
    /// the cell holds what was read.
    OneOf(Rc<Choice>, Option<Rc<[Value]>>),
}

/// Variables of the program that hold a value.
#[derive(Debug)]
pub(crate) struct Binding {
    /// The variables, one for each scalar of the shape.
    pub variables: SmallVec<[VariableId; 2]>,
    /// A value with the shape that the variables hold.
    pub shape: Value,
}

/// A change that can be undone.
#[derive(Debug)]
enum Change {
    Value(CellId, Value, [bool; 2]),
    Binding(CellId, Option<Rc<Binding>>),
    Seen(CellId, Option<Rc<[Value]>>),
}

/// A position in the journal, to undo later changes.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mark {
    journal: usize,
    cells: usize,
}

/// All cells.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    cells: Vec<Cell>,
    statics: Vec<Cell>,
    journal: Vec<Change>,
    /// Whether changes are journaled.
    pub is_journaled: bool,
    /// The number of static initialisations in progress: cells created during one are static.
    pub static_depth: u32,
}

impl CellId {
    pub(crate) fn is_static(self) -> bool {
        self.0 & STATIC != 0
    }

    /// Returns the cell `cells` cells after this one, in the same object.
    pub(crate) fn plus(self, cells: u32) -> CellId {
        CellId(self.0 + cells)
    }
}

impl Memory {
    pub fn get(&self, id: CellId) -> &Cell {
        match id.is_static() {
            true => &self.statics[(id.0 & !STATIC) as usize],
            false => &self.cells[id.0 as usize],
        }
    }

    fn get_mut(&mut self, id: CellId) -> &mut Cell {
        match id.is_static() {
            true => &mut self.statics[(id.0 & !STATIC) as usize],
            false => &mut self.cells[id.0 as usize],
        }
    }

    /// Returns whether a cell exists; cells that a rolled back evaluation made do not.
    pub fn exists(&self, id: CellId) -> bool {
        match id.is_static() {
            true => ((id.0 & !STATIC) as usize) < self.statics.len(),
            false => (id.0 as usize) < self.cells.len(),
        }
    }

    /// Returns the number of cells.
    pub fn len(&self) -> usize {
        self.cells.len() + self.statics.len()
    }

    /// Makes one cell. The parts of an object are pushed in order after it.
    pub fn push(&mut self, ty: Ty, parent: Option<CellId>, is_base: bool) -> CellId {
        let cell = Cell {
            ty,
            value: Value::Uninit,
            parent: parent.unwrap_or(NO_PARENT),
            is_base,
            label: None,
            binding: None,
            is_stale: false,
            phantom: None,
            is_dirty: false,
        };
        match self.static_depth > 0 {
            true => {
                self.statics.push(cell);
                CellId((self.statics.len() - 1) as u32 | STATIC)
            }
            false => {
                self.cells.push(cell);
                CellId((self.cells.len() - 1) as u32)
            }
        }
    }

    /// Makes a cell stand for one that is not known.
    pub fn make_phantom(&mut self, id: CellId) {
        self.get_mut(id).phantom = Some(Phantom::AnyOfItsType);
    }

    /// Makes a cell stand for bytes of an object that has another type.
    pub fn make_part_of(&mut self, id: CellId, object: CellId) {
        self.get_mut(id).phantom = Some(Phantom::PartOf(object));
    }

    /// Makes a new cell stand for others.
    pub fn set_phantom(&mut self, id: CellId, phantom: Phantom) {
        self.get_mut(id).phantom = Some(phantom);
    }

    /// Records what the cells held of which one is chosen, when they were read.
    pub fn see(&mut self, id: CellId, values: Option<Rc<[Value]>>) {
        let Some(Phantom::OneOf(_, seen)) = &mut self.get_mut(id).phantom else {
            return;
        };
        let former = std::mem::replace(seen, values);
        if self.is_journaled {
            self.journal.push(Change::Seen(id, former));
        }
    }

    /// Records the name of a cell and the place that declares it, for messages.
    pub fn set_label(&mut self, id: CellId, name: &Name, span: Span) {
        self.get_mut(id).label = Some(Rc::new((name.clone(), span)));
    }

    /// Returns the cell that this cell is a part of; `None` for a whole object.
    pub fn parent(&self, id: CellId) -> Option<CellId> {
        Some(self.get(id).parent).filter(|&parent| parent != NO_PARENT)
    }

    /// Returns whether a cell is static, or was created when there were fewer than `than` cells.
    pub fn is_older(&self, id: CellId, than: usize) -> bool {
        id.is_static() || (id.0 as usize) < than
    }

    /// Returns the number of cells that are not static.
    pub fn age(&self) -> usize {
        self.cells.len()
    }

    /// Returns the objects of a type with known contents, without phantoms.
    pub fn all_of(&self, kind: &Kind) -> Vec<CellId> {
        let is_object = matches!(kind, Kind::Class(_));
        let is_wanted = |cell: &Cell| {
            // The value is tested first, since comparing types is more expensive.
            let is_known = is_object || !matches!(cell.value, Value::Uninit);
            is_known && cell.phantom.is_none() && cell.ty.kind == *kind
        };
        let wanted = |cells: &[Cell], mark: u32| -> Vec<CellId> {
            let cells = cells
                .iter()
                .zip(0_u32..)
                .filter(|(cell, _)| is_wanted(cell));
            cells.map(|(_, at)| CellId(at | mark)).collect()
        };
        let mut all = wanted(&self.cells, 0);
        all.extend(wanted(&self.statics, STATIC));
        all
    }

    /// Changes what a cell holds.
    pub fn set(&mut self, id: CellId, value: Value, is_stale: bool) {
        // Static initialisation happens before the program, so leaving the block that first names the object does not
        // undo it.
        let is_journaled = self.is_journaled && self.static_depth == 0;
        let cell = self.get_mut(id);
        let former = std::mem::replace(&mut cell.value, value);
        let was_stale = std::mem::replace(&mut cell.is_stale, is_stale);
        // Each write decides again whether the variables are out of date.
        let was_dirty = std::mem::replace(&mut cell.is_dirty, false);
        if is_journaled {
            self.journal
                .push(Change::Value(id, former, [was_stale, was_dirty]));
        }
    }

    /// Says whether the variables of a cell still have to be given its value.
    pub fn set_dirty(&mut self, id: CellId, is_dirty: bool) {
        let value = self.get(id).value.clone();
        self.set(id, value, false);
        self.get_mut(id).is_dirty = is_dirty;
    }

    /// Changes the variables that hold a cell.
    pub fn bind(&mut self, id: CellId, binding: Option<Rc<Binding>>) {
        let former = std::mem::replace(&mut self.get_mut(id).binding, binding);
        if self.is_journaled {
            self.journal.push(Change::Binding(id, former));
        }
    }

    pub fn mark(&self) -> Mark {
        Mark {
            journal: self.journal.len(),
            cells: self.cells.len(),
        }
    }

    /// Returns what the cells that were written since a mark held before.
    pub fn former_values(&self, since: Mark) -> FxHashMap<CellId, Value> {
        let mut former = FxHashMap::default();
        for change in &self.journal[since.journal..] {
            if let Change::Value(id, value, _) = change {
                // The first write since the mark recorded the oldest value.
                former.entry(*id).or_insert_with(|| value.clone());
            }
        }
        former
    }

    /// Undoes what was written since a mark. The cells that were made since stay.
    pub fn undo(&mut self, to: Mark) {
        // In reverse order, so that a cell that was written twice gets its oldest value.
        for change in self.journal.drain(to.journal..).rev() {
            let (id, cells, statics) = match &change {
                Change::Value(id, ..) | Change::Binding(id, _) | Change::Seen(id, _) => {
                    (*id, &mut self.cells, &mut self.statics)
                }
            };
            let cell = match id.is_static() {
                true => &mut statics[(id.0 & !STATIC) as usize],
                false => &mut cells[id.0 as usize],
            };
            match change {
                Change::Value(_, value, [is_stale, is_dirty]) => {
                    cell.value = value;
                    cell.is_stale = is_stale;
                    cell.is_dirty = is_dirty;
                }
                Change::Binding(_, binding) => cell.binding = binding,
                Change::Seen(_, values) => {
                    if let Some(Phantom::OneOf(_, seen)) = &mut cell.phantom {
                        *seen = values;
                    }
                }
            }
        }
    }

    /// Undoes everything since a mark.
    pub fn roll_back(&mut self, to: Mark) {
        self.undo(to);
        self.cells.truncate(to.cells);
    }

    /// Drops the journal: no earlier state can be restored after this.
    pub fn forget_journal(&mut self) {
        self.journal.clear();
    }
}
