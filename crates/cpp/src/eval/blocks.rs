//! Blocks of the program: which cells they change, and the variables that hold those.
//!
//! A cell that is older than a block of the program (the arm of a branch, the body of a loop) and written inside of it
//! has a value after it, or in the next iteration, that evaluation does not know. Such a cell is *bound*: before the
//! block, variables of the program take its scalars; in the block, a write assigns them as well; after it, and at the
//! start of a loop body, the cell is *stale*: its value is what the variables hold. Between, reads yield what was
//! written last, so that constants stay known along straight-line code.
//!
//! Which cells a block changes is found by evaluating it. A write to an older cell that the block did not declare is
//! recorded; the block is undone and evaluated again with it. Blocks inside of it remember by their place and the calls
//! around them what they have found, so that nesting costs a sum and not a product.

use std::collections::BTreeMap;
use std::rc::Rc;

use a2lint_ir::build::Checkpoint;
use a2lint_ir::{Scalar, ScalarId, ScalarType, VariableKind};
use a2lint_source::text::Span;
use rustc_hash::FxHashSet;
use smallvec::SmallVec;

use super::Eval;
use super::keeps::{Keep, are_apart, as_wide_as, is_widened, widened};
use super::memory::{Binding, Mark, Phantom};
use super::types::{FloatType, IntType, Kind, Ty};
use super::values::{CellId, FloatValue, IntValue, Value};
use crate::library::{Evaluated, LibraryValue, WIDEST};

/// Maximum size and depth of a scalar that becomes part of another one; a larger scalar is stored in a temporary. A
/// scalar of more than 1,024 parts or 192 levels becomes unknown, and substitution replaces a temporary by its value
/// only well below these limits: a C++ expression can hold about twenty such parts.
const LARGEST_PART: u16 = 48;
const DEEPEST_PART: u16 = 12;

/// The cells that a block changes.
pub(crate) type Changes = BTreeMap<CellId, Keep>;

/// Where a block stands: the number of its statement or the place of its expression, which block of that it is, and
/// the calls and unrolled iterations around it.
pub(crate) type BlockKey = (u32, u8, u64);

/// A block of the program that is being evaluated.
#[derive(Debug)]
pub(crate) struct Block {
    /// Cells from this number on are younger.
    age: usize,
    /// The cells that the block changes, as an earlier evaluation found.
    changes: Changes,
    /// Other cells that the current evaluation found to be changed.
    records: Changes,
    /// For cells without variables: their values at the ends of its branches.
    ends: BTreeMap<CellId, Vec<Value>>,
    /// The number of its branches that have been evaluated, and whether it is the body of a loop.
    branches: usize,
    is_loop: bool,
}

/// A saved state of the whole evaluation.
pub(crate) struct State {
    memory: Mark,
    builder: Checkpoint,
    is_journaled: bool,
    temporaries: Vec<(CellId, Ty, Span)>,
    owned: Vec<(CellId, Ty, Span)>,
    locals: usize,
    loops: usize,
}

impl Eval<'_> {
    /// Saves the current state for `roll_back`.
    pub(crate) fn state(&mut self) -> State {
        // A write that is not journaled cannot be undone, so journaling starts with the first saved state.
        let is_journaled = std::mem::replace(&mut self.memory.is_journaled, true);
        State {
            memory: self.memory.mark(),
            builder: self.builder.checkpoint(),
            is_journaled,
            temporaries: self.temporaries.clone(),
            owned: self.frame.owned.clone(),
            locals: self.frame.locals.len(),
            loops: self.frame.loops.len(),
        }
    }

    /// Goes back to a state, in the function that it was taken in.
    pub(crate) fn roll_back(&mut self, state: &State) {
        self.memory.roll_back(state.memory);
        self.builder.roll_back(&state.builder);
        self.note_refused();
        self.temporaries.clone_from(&state.temporaries);
        self.frame.owned.clone_from(&state.owned);
        self.frame.locals.truncate(state.locals);
        self.frame.loops.truncate(state.loops);
    }

    /// Drops a saved state that will not be restored.
    pub(crate) fn leave_state(&mut self, state: &State) {
        self.memory.is_journaled = state.is_journaled;
        // No older state is left: without this, the journal would grow throughout the evaluation.
        if !state.is_journaled {
            self.memory.forget_journal();
        }
    }

    /// Evaluates a construct of blocks until the cells that it changes are known in advance. `work` evaluates all of
    /// its blocks, each with [`Eval::in_block`].
    pub(crate) fn settled<T>(
        &mut self,
        key: BlockKey,
        mut work: impl FnMut(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let state = self.state();
        let age = self.memory.age();
        // An earlier evaluation of an enclosing block recorded these changes, so that this evaluation settles in one
        // pass.
        let mut changes = self.remembered.get(&key).cloned().unwrap_or_default();
        // A rollback reuses cell numbers: a recorded number may now belong to a cell that the block itself creates.
        changes.retain(|id, _| self.memory.is_older(*id, age));
        loop {
            // Each changed cell is visited several times; eight cells cost about one step.
            self.charge(1 + changes.len() as u32 / 8)?;
            let bound = self.bind_all(&mut changes)?;
            self.blocks.push(Block {
                age,
                changes: std::mem::take(&mut changes),
                records: Changes::new(),
                ends: BTreeMap::new(),
                branches: 0,
                is_loop: false,
            });
            let result = work(self);
            let mut block = self.blocks.pop().expect("it was pushed");
            // A branch that is not written, or that leaves the cell as it was, ends in another shape.
            for keep in block.records.values_mut() {
                keep.settle(block.branches.max(2));
            }
            changes = block.changes;
            if block.records.is_empty() {
                let result = result?;
                self.after_construct(&changes, bound, &block.ends);
                self.leave_state(&state);
                return Ok(result);
            }
            for (id, keep) in block.records {
                let known = changes.entry(id).or_insert_with(|| keep.clone());
                *known = keep.joined(known);
            }
            self.remembered.insert(key, changes.clone());
            // A block around this one has to be evaluated again in any case, and this one in it. For the rest of that
            // pass it is enough that nothing is known of what this one changes: were each of N nested blocks evaluated
            // until it is settled, the innermost one would be evaluated N times.
            let is_doomed = self.blocks.iter().any(|block| !block.records.is_empty());
            if is_doomed && result.is_ok() {
                let mut all = self.bind_all(&mut changes)?;
                all.extend(bound);
                self.after_construct(&changes, all, &BTreeMap::new());
                self.leave_state(&state);
                return result;
            }
            self.roll_back(&state);
            // Budgets bound a search that an aborted evaluation would only repeat.
            if let Err(abort) = result {
                self.leave_state(&state);
                return Err(abort);
            }
        }
    }

    /// Evaluates one block of the current construct and restores the memory.
    pub(crate) fn in_block<T>(
        &mut self,
        is_loop: bool,
        work: impl FnOnce(&mut Self) -> Evaluated<T>,
    ) -> Evaluated<T> {
        let mark = self.memory.mark();
        if let Some(block) = self.blocks.last_mut() {
            block.is_loop = is_loop;
            block.branches += 1;
        }
        if is_loop {
            // Every iteration runs the first statement of the body, so the values left by the previous iteration are
            // unknown here.
            let block = self.blocks.last().expect("a construct is open");
            let changes: Vec<(CellId, Keep)> =
                block.changes.iter().map(|(a, b)| (*a, b.clone())).collect();
            for (id, keep) in changes {
                self.spoil(id, &keep);
            }
        }
        let result = work(self);
        if !is_loop && result.is_ok() {
            self.note_ends();
        }
        let flushed = match result {
            Ok(_) => {
                self.record_shapes(mark);
                self.flush_block()
            }
            Err(_) => Ok(()),
        };
        // The other arm starts from the state before the branch. The writes of this arm are in variables, or their
        // cells become unknown.
        self.memory.undo(mark);
        flushed.and(result)
    }

    /// Records how to keep the cells that the current construct was not expected to change and whose values differ in
    /// more than scalars. Without this record, the next evaluation would find the same difference and force another
    /// pass.
    fn record_shapes(&mut self, since: Mark) {
        let Some(block) = self.blocks.last().filter(|block| !block.records.is_empty()) else {
            return;
        };
        let former = self.memory.former_values(since);
        let mut found = Vec::new();
        for (&id, keep) in &block.records {
            let cell = self.memory.get(id);
            let is_plain = matches!(keep, Keep::Variables | Keep::Left { .. });
            let Some(before) = former.get(&id).filter(|_| is_plain) else {
                continue;
            };
            if cell.binding.is_some() || cell.is_stale {
                continue;
            }
            let keep = match shape_of(&cell.ty, before) {
                Some(shape) if !is_number(&shape) && !shape.is_same_shape(&cell.value) => {
                    self.keep_of(&shape, &cell.value)
                }
                None if is_before(before, &cell.value) => self.keep_of(before, &cell.value),
                _ => continue,
            };
            found.push((id, keep));
        }
        for (id, keep) in found {
            let keep = self.keep_of_branch(id, keep);
            self.record(id, keep);
        }
    }

    /// Returns how a cell is kept that the current branch leaves in another shape than before: all branches may leave
    /// it in the same one.
    fn keep_of_branch(&self, id: CellId, keep: Keep) -> Keep {
        let block = self.blocks.last().filter(|block| !block.is_loop);
        let declared = block.map(|block| block.changes.get(&id));
        let Value::Library(value) = &self.memory.get(id).value else {
            return keep;
        };
        let width = match keep {
            Keep::Widened(width) => Some(width),
            Keep::Nothing => None,
            keep => return keep,
        };
        match declared {
            Some(None | Some(Keep::Variables)) => Keep::Left {
                value: value.clone(),
                is_same: self.has_one_value(&**value),
                width,
                branches: 1,
            },
            _ => keep,
        }
    }

    /// Records the values at the end of the current branch of the cells that no variable holds.
    fn note_ends(&mut self) {
        let Some(block) = self.blocks.last_mut() else {
            return;
        };
        for (&id, keep) in &block.changes {
            if matches!(keep, Keep::Nothing) {
                let value = self.memory.get(id).value.clone();
                block.ends.entry(id).or_default().push(value);
            }
        }
    }

    /// Returns the value of a cell after branches that differ in it, if some prepare a library object in the same way
    /// (`InitBuffer`) and all others leave it unprepared: the prepared object, since only paths that have prepared it
    /// use it.
    fn only_end(&self, id: CellId, ends: &[Value]) -> Option<Value> {
        let library = |value: &Value| match value {
            Value::Library(value) => Some(value.clone()),
            _ => None,
        };
        let before = library(&self.memory.get(id).value)?;
        let mut only = before.clone();
        for end in ends {
            let end = library(end)?;
            let is_same = end.is_same_shape(&*only) && end.scalars() == only.scalars();
            if is_same || end.is_before(&*only) {
                continue;
            }
            if !only.is_before(&*end) {
                return None;
            }
            only = end;
        }
        self.has_one_value(&*only).then_some(Value::Library(only))
    }

    /// Returns whether the scalars of a value are the same throughout a kernel.
    fn has_one_value(&self, value: &dyn LibraryValue) -> bool {
        let scalars = value.scalars();
        scalars.iter().all(|(id, _)| self.is_stable(*id))
    }

    /// Returns whether a scalar has one value throughout a kernel.
    fn is_stable(&self, id: ScalarId) -> bool {
        let program = &self.builder.program;
        match program.scalars.get(id) {
            Scalar::Int(_)
            | Scalar::Large(_)
            | Scalar::Float(_)
            | Scalar::Extent(..)
            | Scalar::Special(_) => true,
            // A rollback removes the variables that the undone evaluation declared.
            Scalar::Variable(variable) => program
                .variables
                .get(variable.index())
                .is_some_and(|it| it.kind == VariableKind::Param),
            Scalar::Unary(_, a) => self.is_stable(a),
            Scalar::Binary(_, a, b) | Scalar::Compare(_, a, b) => {
                self.is_stable(a) && self.is_stable(b)
            }
            Scalar::Unknown(_) => false,
        }
    }

    /// Gives variables the values of the cells that the blocks from one on change, before the program leaves these on a
    /// way of its own. Cells that only the blocks around them change are as before.
    pub(crate) fn flush_from(&mut self, first: usize) -> Evaluated<()> {
        for at in first..self.blocks.len() {
            self.flush_changes(at)?;
        }
        Ok(())
    }

    fn flush_block(&mut self) -> Evaluated<()> {
        match self.blocks.len().checked_sub(1) {
            Some(at) => self.flush_changes(at),
            None => Ok(()),
        }
    }

    fn flush_changes(&mut self, at: usize) -> Evaluated<()> {
        let block = &self.blocks[at];
        let kept = block
            .changes
            .iter()
            .filter(|(_, keep)| !matches!(keep, Keep::Nothing));
        let ids: Vec<CellId> = kept
            .map(|(id, _)| *id)
            .chain(block.records.keys().copied())
            .collect();
        for id in ids {
            self.flush(id)?;
        }
        Ok(())
    }

    /// Gives the variables of a cell its value, where they do not hold it; records what they cannot hold.
    fn flush(&mut self, id: CellId) -> Evaluated<()> {
        let cell = self.memory.get(id);
        let Some(binding) = cell.binding.clone().filter(|_| !cell.is_stale) else {
            return Ok(());
        };
        // Variables of numbers are assigned with every store, so they are never out of date.
        if is_number(&binding.shape) {
            return Ok(());
        }
        let (value, is_dirty) = (cell.value.clone(), cell.is_dirty);
        // Nothing is assigned for an unprepared object: paths that leave it unprepared do not use it.
        if is_before(&value, &binding.shape) {
            return Ok(());
        }
        let is_fixed = binding.variables.is_empty();
        if binding.shape.is_same_shape(&value)
            && (!is_fixed || binding.shape.scalars() == value.scalars())
        {
            if is_dirty {
                self.assign_bound(&binding, &value)?;
                self.memory.set_dirty(id, false);
            }
            return Ok(());
        }
        if let Some(wide) = as_wide_as(&binding.shape, &value) {
            if is_dirty {
                self.assign_bound(&binding, &wide)?;
                self.memory.set_dirty(id, false);
            }
            return Ok(());
        }
        let declared = self.blocks.last().and_then(|block| block.changes.get(&id));
        let keep = match (&value, is_fixed && binding.shape.is_same_shape(&value)) {
            (Value::Library(value), true) => match declared {
                Some(Keep::Left { width, .. }) => Keep::Left {
                    value: value.clone(),
                    is_same: false,
                    width: *width,
                    branches: usize::MAX,
                },
                _ => Keep::Given(value.clone()),
            },
            _ => self.keep_of_branch(id, self.keep_of(&binding.shape, &value)),
        };
        self.record(id, keep);
        Ok(())
    }

    /// Returns how a cell is kept whose value has another shape at the end of a block than before it.
    fn keep_of(&self, before: &Value, after: &Value) -> Keep {
        let is_shared = |width: &u8| {
            let wide = widened(before, *width).zip(widened(after, *width));
            wide.is_some_and(|(a, b)| a.is_same_shape(&b))
        };
        if let Some(width) = (1..=WIDEST).find(is_shared) {
            return Keep::Widened(width);
        }
        match after {
            Value::Library(given) if is_before(before, after) => {
                match self.has_one_value(&**given) {
                    true => Keep::Fixed(given.clone()),
                    false => Keep::Given(given.clone()),
                }
            }
            // The object is unprepared again at the end; its variables keep the old value, which no path uses.
            _ if is_before(after, before) => Keep::Variables,
            _ => Keep::Nothing,
        }
    }

    /// Records that the blocks around change a cell that is older than they are.
    fn record(&mut self, id: CellId, keep: Keep) {
        let last = self.blocks.len().wrapping_sub(1);
        for at in (0..self.blocks.len()).rev() {
            // How a branch leaves the cell says little of the blocks around it.
            let keep = match &keep {
                Keep::Left { .. } if at < last => Keep::Variables,
                keep => keep.clone(),
            };
            // Outer blocks are older: the cell is local to them, too.
            if !self.memory.is_older(id, self.blocks[at].age) {
                break;
            }
            let block = &mut self.blocks[at];
            let declared = block.changes.get(&id);
            if declared.is_none_or(|declared| !declared.joined(&keep).is_same(declared)) {
                let record = block.records.entry(id).or_insert_with(|| keep.clone());
                *record = keep.joined(record);
            }
        }
    }

    /// Returns the cells that the current construct is known to change.
    pub(crate) fn changes_of_block(&self) -> FxHashSet<CellId> {
        let block = self.blocks.last();
        let all = block
            .into_iter()
            .flat_map(|block| block.changes.keys().chain(block.records.keys()));
        all.copied().collect()
    }

    /// Makes a cell what its variables hold, or unknown.
    fn spoil(&mut self, id: CellId, keep: &Keep) {
        match keep {
            Keep::Variables
            | Keep::Widened(_)
            | Keep::Fixed(_)
            | Keep::Given(_)
            | Keep::Left { .. } => {
                let value = self.memory.get(id).value.clone();
                self.memory.set(id, value, true);
            }
            Keep::Nothing => self.memory.set(id, Value::Unknown, false),
        }
    }

    /// Binds cells to variables where they are not, or where those cannot hold what the cells are; returns them with
    /// the variables that they had before.
    fn bind_all(&mut self, changes: &mut Changes) -> Evaluated<Vec<(CellId, Former)>> {
        let mut bound = Vec::new();
        for (&id, keep) in changes.iter_mut() {
            if let Keep::Fixed(given) | Keep::Given(given) = keep {
                let given = given.clone();
                *keep = match (given.is_of(&self.builder.program), &keep) {
                    (false, _) => Keep::Nothing,
                    (true, Keep::Fixed(_)) if self.has_one_value(&*given) => Keep::Fixed(given),
                    (true, _) => Keep::Given(given),
                };
            }
            if matches!(keep, Keep::Nothing) {
                continue;
            }
            let former = self.memory.get(id).binding.clone();
            if let Some(binding) = &former {
                // Variables of an enclosing block are reused if they can hold the values of this block.
                let is_wide = match keep {
                    Keep::Variables => true,
                    Keep::Fixed(given) | Keep::Given(given) => {
                        let shape = Value::Library(given.clone());
                        let is_fixed = binding.variables.is_empty();
                        let holds = match keep {
                            Keep::Fixed(_) => {
                                !is_fixed || binding.shape.scalars() == shape.scalars()
                            }
                            _ => !is_fixed,
                        };
                        holds && binding.shape.is_same_shape(&shape)
                    }
                    // Its branches end in another shape.
                    Keep::Left { .. } => false,
                    Keep::Widened(width) => is_widened(&binding.shape, *width),
                    Keep::Nothing => true,
                };
                let cell = self.memory.get(id);
                let fits = is_number(&binding.shape)
                    || cell.is_stale
                    || binding.shape.is_same_shape(&cell.value)
                    || is_before(&cell.value, &binding.shape);
                if is_wide && fits {
                    self.flush(id)?;
                    continue;
                }
                // Another shape inside of the construct has variables of its own.
                let value = self.load_cell(id)?;
                self.memory.set(id, value, false);
            }
            if let Keep::Widened(width) = keep
                && let Some(value) = widened(&self.memory.get(id).value, *width)
            {
                self.memory.set(id, value, false);
            }
            match self.bind(id, keep)? {
                true => {
                    // What a branch leaves unchanged is assigned as well.
                    if matches!(keep, Keep::Left { .. }) {
                        self.memory.set_dirty(id, true);
                    }
                    bound.push((id, former));
                }
                false => *keep = Keep::Nothing,
            }
        }
        Ok(bound)
    }

    /// Binds one cell; `false` where no variables can hold it.
    fn bind(&mut self, id: CellId, keep: &Keep) -> Evaluated<bool> {
        let cell = self.memory.get(id);
        let (ty, value) = (cell.ty.clone(), cell.value.clone());
        let (name, span) = self.label(id);
        // Variables of the program hold the number that an enumerator stands for.
        let number: Ty = match ty.kind {
            Kind::Enum(id) => self.underlying(id)?.into(),
            _ => ty,
        };
        let given = match keep {
            Keep::Fixed(given) | Keep::Given(given) => Some(Value::Library(given.clone())),
            _ => None,
        };
        if let Keep::Left {
            value: left,
            is_same,
            ..
        } = keep
        {
            let shape = Value::Library(left.clone());
            let mut variables = SmallVec::new();
            for (at, (_, of)) in shape.scalars().into_iter().enumerate() {
                if !is_same {
                    let name = if at == 0 { name.as_str() } else { "" };
                    variables.push(self.builder.declare(name, of, None, span)?);
                }
            }
            let binding = Binding { variables, shape };
            self.memory.bind(id, Some(Rc::new(binding)));
            return Ok(true);
        }
        // The variables of an unprepared object are indeterminate, like an uninitialised number.
        let given = given.filter(|given| is_before(&value, given) || given.is_same_shape(&value));
        let is_given = given.is_some();
        let Some(shape) = given.or_else(|| shape_of(&number, &value)) else {
            return Ok(false);
        };
        if is_given && matches!(keep, Keep::Fixed(_)) {
            let is_fixed = !shape.is_same_shape(&value) || shape.scalars() == value.scalars();
            if is_fixed {
                let variables = SmallVec::new();
                self.memory
                    .bind(id, Some(Rc::new(Binding { variables, shape })));
                return Ok(true);
            }
        }
        let is_unset = matches!(value, Value::Uninit) || is_before(&value, &shape);
        let scalars = self.scalars_in_shape(&shape, &value);
        let mut variables = SmallVec::new();
        for (at, (scalar, of)) in scalars.into_iter().enumerate() {
            // An indeterminate number gets no initial assignment; another analysis finds reads of uninitialised
            // variables.
            let initial = scalar.filter(|_| !is_unset);
            let name = match at {
                0 => name.clone(),
                _ => String::new(),
            };
            variables.push(self.builder.declare(&name, of, initial, span)?);
        }
        let binding = Binding { variables, shape };
        self.memory.bind(id, Some(Rc::new(binding)));
        Ok(true)
    }

    /// Returns the scalars of a value that is kept in a given shape. A known number becomes a constant.
    fn scalars_in_shape(
        &mut self,
        shape: &Value,
        value: &Value,
    ) -> SmallVec<[(Option<ScalarId>, ScalarType); 2]> {
        let types = shape.scalars();
        match (shape, value) {
            (Value::Int(..) | Value::Float(..), _) => {
                let scalar = self.number_scalar(value);
                types
                    .into_iter()
                    .map(|(_, of)| (Some(scalar), of))
                    .collect()
            }
            _ if is_before(value, shape) => types.into_iter().map(|(_, of)| (None, of)).collect(),
            _ => {
                let scalars = value.scalars().into_iter();
                scalars.map(|(id, of)| (Some(id), of)).collect()
            }
        }
    }

    /// Returns the scalar of a number, or a new unknown scalar for an unknown number.
    pub(crate) fn number_scalar(&mut self, value: &Value) -> ScalarId {
        match value {
            Value::Int(_, IntValue::Scalar(id)) | Value::Float(_, FloatValue::Scalar(id)) => *id,
            Value::Int(_, IntValue::Known(value)) => self.builder.program.scalars.whole(*value),
            Value::Float(_, FloatValue::Known(value)) => self.builder.program.scalars.float(*value),
            _ => self.builder.unknown(),
        }
    }

    /// Sets the cells that a construct changes to their values after it.
    fn after_construct(
        &mut self,
        changes: &Changes,
        bound: Vec<(CellId, Former)>,
        ends: &BTreeMap<CellId, Vec<Value>>,
    ) {
        for (&id, keep) in changes {
            let end = ends
                .get(&id)
                .filter(|_| matches!(keep, Keep::Nothing))
                .and_then(|ends| self.only_end(id, ends));
            match end {
                Some(end) => self.memory.set(id, end, false),
                None => {
                    let ends = ends.get(&id).map_or(&[][..], Vec::as_slice);
                    self.splits.is_torn |= matches!(keep, Keep::Nothing) && are_apart(ends);
                    self.spoil(id, keep);
                }
            }
        }
        for (id, former) in bound {
            let Some(binding) = self.memory.get(id).binding.clone() else {
                continue;
            };
            // The variables of the enclosing block have not been assigned the value that this construct left.
            let has_former = former.is_some();
            self.memory.bind(id, former);
            // A cell that lost its shape stays unknown.
            let keep = changes.get(&id);
            if keep.is_none_or(|keep| matches!(keep, Keep::Nothing)) {
                continue;
            }
            let held = self.held(&binding);
            self.memory.set(id, held, false);
            if has_former {
                self.memory.set_dirty(id, true);
            }
        }
    }

    /// Reads the variables of a cell. The next assignment to them changes the result: a caller that uses it later must
    /// copy it into a temporary.
    fn held(&mut self, binding: &Binding) -> Value {
        let scalars = &mut self.builder.program.scalars;
        let read = binding.variables.iter();
        let ids: SmallVec<[ScalarId; 2]> = read
            .map(|id| scalars.intern(Scalar::Variable(*id)))
            .collect();
        binding.shape.with_scalars(&ids)
    }

    /// Reads the value of a cell.
    pub(crate) fn load_cell(&mut self, id: CellId) -> Evaluated<Value> {
        // A loop counts only if its body does not change the cells from which the bounds were read.
        if let Some(reads) = &mut self.reads {
            reads.insert(id);
        }
        // A pointer can outlive what it points to: its object ended, or was made on a way that was undone.
        if !self.memory.exists(id) {
            let what = "a pointer is followed whose object is gone".to_owned();
            let place = self.builder.statement;
            self.builder.note_unknown(place, what);
            return Ok(Value::Unknown);
        }
        let cell = self.memory.get(id);
        match cell.phantom.clone() {
            Some(Phantom::PartOf(object)) => {
                let (own, of) = (self.memory.get(object).ty.clone(), cell.ty.clone());
                let bits = self.bits_of(object, &own, &of)?;
                return Ok(bits.unwrap_or(Value::Unknown));
            }
            Some(Phantom::OneOf(choice, seen)) => return self.load_choice(id, &choice, seen),
            Some(Phantom::AnyOfItsType) | None => {}
        }
        if !cell.is_stale {
            return Ok(cell.value.clone());
        }
        let Some(binding) = cell.binding.clone() else {
            return Ok(cell.value.clone());
        };
        if binding.variables.is_empty() {
            let value = binding.shape.clone();
            self.memory.set(id, value.clone(), false);
            return Ok(value);
        }
        // The variables may be reassigned before the value is used, so temporaries capture it.
        let held = self.held(&binding);
        let mut captured: SmallVec<[ScalarId; 2]> = SmallVec::new();
        for (scalar, of) in held.scalars() {
            let temporary = self.builder.temporary(scalar, of)?;
            captured.push(self.builder.read(temporary));
        }
        let value = held.with_scalars(&captured);
        self.memory.set(id, value.clone(), false);
        Ok(value)
    }

    /// Returns a value that later expressions can contain: a large scalar is first stored in a temporary, since the
    /// size of an expression is bounded.
    pub(crate) fn kept(&mut self, value: Value) -> Evaluated<Value> {
        let (id, of) = match &value {
            Value::Int(of, IntValue::Scalar(id)) => (*id, of.scalar()),
            Value::Float(of, FloatValue::Scalar(id)) => match of.scalar() {
                Some(of) => (*id, of),
                None => return Ok(value),
            },
            _ => return Ok(value),
        };
        let scalars = &self.builder.program.scalars;
        if scalars.size(id) <= LARGEST_PART && scalars.depth(id) <= DEEPEST_PART {
            return Ok(value);
        }
        let temporary = self.builder.temporary(id, of)?;
        let read = self.builder.read(temporary);
        Ok(value.with_scalars(&[read]))
    }

    /// Changes what a cell holds, in its variables as well.
    pub(crate) fn store_cell(&mut self, id: CellId, value: Value) -> Evaluated<()> {
        // A phantom represents an unknown object: it may be any object of its type.
        if let Some(phantom) = self.memory.get(id).phantom.clone() {
            let kind = self.memory.get(id).ty.kind.clone();
            return self.store_anywhere(&phantom, &kind, &value);
        }
        // Objects with static storage are initialised before the program: that is no store of what names them first.
        if self.memory.static_depth > 0 {
            self.memory.set(id, value, false);
            return Ok(());
        }
        for (age, is_stored) in &mut self.watches {
            // A store to a cell that the expression itself created is no side effect of the expression.
            *is_stored |= self.memory.is_older(id, *age);
        }
        // Outside of the program's branches and loops, every value is known at trace time.
        if self.blocks.is_empty() {
            self.memory.set(id, value, false);
            return Ok(());
        }
        // The variables already hold an unknown number that has not been read since; a second one would add nothing.
        // Calls of unknown code make all reachable cells unknown again and again.
        let cell = self.memory.get(id);
        if value.is_unknown() && cell.value.is_unknown() && !cell.is_stale {
            return Ok(());
        }
        let binding = self.memory.get(id).binding.clone();
        let is_dirty = binding.as_ref().is_some_and(|it| !is_number(&it.shape));
        let keep = match &binding {
            Some(binding) if !is_dirty => match self.assign_bound(binding, &value)? {
                true => Keep::Variables,
                false => Keep::Nothing,
            },
            _ => Keep::Variables,
        };
        self.record(id, keep);
        self.memory.set(id, value, false);
        if is_dirty {
            self.memory.set_dirty(id, true);
        }
        Ok(())
    }

    /// Assigns a value to the variables of a cell; returns `false` if the value has another shape than they.
    fn assign_bound(&mut self, binding: &Binding, value: &Value) -> Evaluated<bool> {
        let fits = match (&binding.shape, value) {
            (Value::Int(a, _), Value::Int(b, _)) => a == b,
            (Value::Float(a, _), Value::Float(b, _)) => a == b,
            (shape, value) => match is_number(shape) {
                true => value.is_unknown(),
                false => shape.is_same_shape(value),
            },
        };
        if !fits {
            return Ok(false);
        }
        let scalars = self.scalars_in_shape(&binding.shape, value);
        for (&variable, (scalar, _)) in binding.variables.iter().zip(&scalars) {
            if let Some(scalar) = scalar {
                self.builder.assign(variable, *scalar)?;
            }
        }
        Ok(true)
    }

    /// Returns the name of a cell as the source has it, that of the variable or of the member, and the place of the
    /// variable that it is part of.
    pub(crate) fn label(&self, id: CellId) -> (String, Span) {
        let mut at = Some(id);
        let mut member: Option<String> = None;
        while let Some(cell) = at {
            if let Some(label) = &self.memory.get(cell).label {
                return (member.unwrap_or_else(|| label.0.to_string()), label.1);
            }
            at = self.memory.parent(cell);
            member = member.or_else(|| self.member_name(cell, at?));
        }
        (member.unwrap_or_default(), self.builder.statement)
    }

    /// Returns the name of the data member of an object that a cell holds.
    fn member_name(&self, cell: CellId, object: CellId) -> Option<String> {
        let Kind::Class(class) = self.memory.get(object).ty.kind else {
            return None;
        };
        let offset = cell.0.checked_sub(object.0)?;
        let fields = &self.classes[class.index()].fields;
        let field = fields.iter().find(|field| field.cell == offset)?;
        Some(field.name.to_string())
    }
}

/// The binding of a cell before a loop or branch replaced it, if it had one.
type Former = Option<Rc<Binding>>;

/// Returns whether a shape is a number; variables of numbers are assigned with every write.
fn is_number(shape: &Value) -> bool {
    matches!(shape, Value::Int(..) | Value::Float(..))
}

/// Returns whether `before` is an unprepared state of the object `after`; see [`LibraryValue::is_before`].
fn is_before(before: &Value, after: &Value) -> bool {
    match (before, after) {
        (Value::Library(before), Value::Library(after)) => before.is_before(&**after),
        (Value::Uninit, Value::Library(_)) => true,
        _ => false,
    }
}

/// Returns the shape of the variables that can hold a cell of a type: any number of that type, or the value with other
/// scalars.
fn shape_of(ty: &Ty, value: &Value) -> Option<Value> {
    let none = ScalarId(0);
    let int = |of: IntType| Some(Value::Int(of, IntValue::Scalar(none)));
    let float = |of: FloatType| {
        of.scalar()
            .map(|_| Value::Float(of, FloatValue::Scalar(none)))
    };
    match (&ty.kind, value) {
        (Kind::Int(_), Value::Int(of, _)) => int(*of),
        (Kind::Float(_), Value::Float(of, _)) => float(*of),
        (Kind::Int(of), Value::Uninit | Value::Unknown) => int(*of),
        (Kind::Float(of), Value::Uninit | Value::Unknown) => float(*of),
        (_, Value::Uninit | Value::Unknown) => None,
        _ => Some(value.clone()),
    }
}
