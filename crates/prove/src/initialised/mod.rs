//! Proves that no undefined byte reaches an output, a scalar or an index.
//!
//! Follows the lanes of one core together, statement by statement. By the proofs of progress and order, this is a
//! possible schedule, and all others compute the same; without these proofs, nothing is proved here. Each cell of
//! memory has a label, the condition under which it is defined, such as that a load has at least that many rows. A
//! result is defined where everything that it is computed from is. A store is legal if every element is defined
//! wherever it is stored. Tensors that a launch passes and the kernel only loads are assumed to be defined, and
//! loads to stay inside of them.

mod addressed;
mod contents;
mod execution;
mod labels;
mod lanes;
mod matrices;
mod preconditions;
mod rows;
mod slot;
mod steps;

use std::cell::RefCell;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::one_row::{has_contents, with_contents};
use super::operands::{Values as Tried, deciding, has_ends, others, types, words};
use super::{Assumption, Precondition, Proof, Proofs, Subject};
use a2lint_analysis::{
    Assigned, Assignments, ControlFacts, Followed, Follower, Given, Linear, Phase, Symbol, Wanted,
    assignments, follow_with, short_loop,
};
use a2lint_ir::sync::side_of;
use a2lint_ir::{
    Buffer, GlobalId, GlobalKind, GlobalView, Instr, LocalView, Program, ScalarId, Stmt, StmtId,
    StmtKind, VariableId, View, assigned,
};
use a2lint_isa::{BLOCK_BYTES, Class, Layout, Opcode, Position, Side};
use a2lint_machine::{Trial, Value, try_out};
use contents::{Contents, Key, Ring};
use execution::Alike;
use labels::{Label, Labels, Values};
use preconditions::{add, weakest_given};
use slot::Cells;
use steps::{Steps, When};

/// Upper bound on the combinations of values of one instruction.
const MOST: usize = 4096;
/// Upper bound on the iterations of nested short loops that are followed one by one.
const MOST_ONE_BY_ONE: usize = 512;

/// Proves the property, given the proofs of operands, order and progress. Loads are assumed to stay inside of
/// their tensors.
pub(super) fn prove(subject: &Subject, proofs: &Proofs) -> Proof {
    let (needed, mut assuming) = match proofs.before_definedness() {
        Ok(needed) => needed,
        Err(open) => return open,
    };
    let mut under: Vec<Given> = Vec::new();
    for size in needed.iter().filter_map(Precondition::size) {
        if add(&mut under, size.given()).is_none() {
            let name = &size.name;
            return Proof::open(format!(
                "no `{name}` satisfies what the other proofs require of it"
            ));
        }
    }
    assuming.extend(started(subject.program));
    let types = match types(subject) {
        Ok(types) => types,
        Err((because, at)) => return Proof::open_at(because, subject.span(at)),
    };
    let program = subject.program;
    let flows = RefCell::default();
    let with_contents = with_contents(subject);
    assuming.extend(with_contents.iter().map(|&id| has_contents(program, id)));
    let with = |given: &[Given], tried: Tried| {
        let outcome = try_out(program, &types, |program, trial| {
            let subject = (subject, &with_contents[..]);
            Attempt::follow(subject, program, trial, &flows, (given, tried))
        });
        outcome.unwrap_or_else(|because| Err((because, None)))
    };
    let attempt = |given: &[Given]| match with(given, Tried::Ends) {
        Err(_) if has_ends(program) => with(given, Tried::All),
        outcome => outcome,
    };
    match weakest_given(&subject.sizes(), &subject.below_one(), under, attempt) {
        Err((because, at)) => Proof::open_at(because, at.and_then(|at| subject.span(at))),
        Ok(under) => Proof::Holds {
            under: under
                .iter()
                .map(|given| Precondition::of(program, given))
                .collect(),
            assuming,
        },
    }
}

/// Returns the assumptions about outputs that the kernel adds to (or stores the maximum and the like to) where it has
/// not stored before: nothing shows that the kernel gives them contents. An output with the name of an input and `_ref`
/// is that input.
fn started(program: &Program) -> impl Iterator<Item = Assumption> {
    let stored = program.stored().into_iter();
    let assigned = assigned(&program.body);
    stored.filter_map(move |global| {
        let tensor = program.global(global);
        let is_own = tensor.kind == GlobalKind::Param && !tensor.name.ends_with("_ref");
        let stores = stores(program, global);
        let is_added_to = stores.iter().any(|&(stmt, added)| {
            let mut before = stores.iter();
            program.is_atomic(stmt)
                && !before.any(|&it| gives_contents(program, &assigned, it, (stmt, added)))
        });
        (is_own && is_added_to).then(|| Assumption::started(&tensor.name))
    })
}

/// Returns the stores to a tensor.
fn stores(program: &Program, global: GlobalId) -> Vec<(StmtId, &GlobalView)> {
    let mut found = Vec::new();
    for (stmt, instr) in program.instructions() {
        for (_, operand, view) in instr.operands() {
            let view = view.global().filter(|view| view.global == global);
            found.extend(
                view.filter(|_| operand.access.writes())
                    .map(|view| (stmt.id, view)),
            );
        }
    }
    found
}

/// Returns whether a plain store is executed right where another store adds, before that and to the same elements,
/// given the variables that the kernel assigns.
fn gives_contents(
    program: &Program,
    assigned: &[VariableId],
    (plain, given): (StmtId, &GlobalView),
    (stmt, added): (StmtId, &GlobalView),
) -> bool {
    let is_before = plain < stmt && !program.is_atomic(plain);
    let is_around = program.loops(stmt).starts_with(program.loops(plain))
        && program
            .guards(plain)
            .iter()
            .all(|it| program.guards(stmt).contains(it));
    // Equal expressions are equal numbers only if nothing is assigned to their variables in between. Both stores are in
    // the same iterations of the loops around the plain one.
    let counters = program.loops(plain).iter().filter_map(|&id| {
        let stmt = program.statement(id)?;
        match stmt.kind {
            StmtKind::Loop { variable, .. } => Some(variable),
            _ => None,
        }
    });
    let counters: Vec<VariableId> = counters.collect();
    let is_fixed = |id: ScalarId| {
        let mut others = assigned.iter().filter(|it| !counters.contains(it));
        !others.any(|&it| program.scalars.mentions(id, it))
    };
    let mut axes = given.axes.iter().zip(&added.axes);
    let is_same = given.axes.len() == added.axes.len()
        && axes.all(|(a, b)| {
            (a.start, a.span) == (b.start, b.span) && is_fixed(a.start) && is_fixed(a.span)
        });
    is_before && is_around && is_same
}

/// The reason why the property is open, and the statement.
type Open = (String, Option<StmtId>);

/// What results are computed from, by instruction, mask and numbers. It is the same in every walk.
type Flows = FxHashMap<(StmtId, [u64; 2], Vec<i64>), Rc<Vec<Alike>>>;

/// One walk through a kernel.
struct Attempt<'a, 't, 'w> {
    program: &'t Program,
    subject: &'a Subject<'a>,
    trial: &'a mut Trial<'t, 'w>,
    assigned: &'a Assigned,
    control: &'a ControlFacts,
    labels: Rc<RefCell<Labels<'a>>>,
    /// The number of bytes in a cell, by buffer in UB. Matrices have one cell for each element.
    granules: Vec<i64>,
    /// Global tensors that the kernel stores to and that are not known to have contents at the start.
    undefined: Vec<GlobalId>,
    /// Which lengths of rows are listed.
    tried: Tried,
    /// The current iterations of the short loops that are followed one by one.
    now: Values,
    phase: Phase,
    flows: &'a RefCell<Flows>,
    steps: Steps,
    /// By instruction, whether its numbers depend on the vec lane.
    by_lane: FxHashMap<StmtId, bool>,
    open: Option<Open>,
}

/// An instruction on one lane, in one iteration of the short loops around it.
struct Here<'a> {
    id: StmtId,
    /// Index of the vec lane in its core, if it matters.
    lane: Option<usize>,
    known: &'a Assignments,
    /// The possible values of the instruction's scalars, one row for each combination.
    rows: Vec<&'a [i64]>,
}

/// A number of an instruction, with its range.
#[derive(Clone, Debug)]
struct Number {
    what: Linear,
    min: i64,
    max: i64,
}

impl Here<'_> {
    /// Returns a scalar whose values are listed.
    fn number(&self, id: ScalarId) -> Option<Number> {
        let at = self.known.scalars.iter().position(|&scalar| scalar == id)?;
        let values = self.rows.iter().map(|row| row[at]);
        Some(Number {
            what: self.known.numbers.get(&id)?.clone(),
            min: values.clone().min()?,
            max: values.max()?,
        })
    }

    /// Returns a scalar that has one value.
    fn constant(&self, id: ScalarId) -> Option<i64> {
        let number = self.number(id)?;
        (number.min == number.max).then_some(number.max)
    }

    /// Returns the largest values of the scalars, in lexicographic order.
    fn largest(&self) -> Option<&[i64]> {
        self.rows.iter().copied().max()
    }

    fn values<'s>(
        &'s self,
        instr: &'s Instr,
        row: &'s [i64],
    ) -> impl Iterator<Item = (ScalarId, Value)> + 's {
        let listed = self.known.scalars.iter().zip(row);
        others(instr).chain(listed.map(|(&id, &value)| (id, Value::Int(value))))
    }
}

impl<'a, 't, 'w> Attempt<'a, 't, 'w> {
    /// Executes the kernel symbolically; `Err` gives the reason, and the statement if known, why definedness stays
    /// unproved.
    fn follow(
        (subject, with_contents): (&'a Subject, &[GlobalId]),
        program: &'t Program,
        trial: &'a mut Trial<'t, 'w>,
        flows: &'a RefCell<Flows>,
        (given, tried): (&[Given], Tried),
    ) -> Result<(), Open> {
        let ask = |_, instr: &Instr| {
            let mut wanted = deciding(program, instr, tried);
            for id in followed(program, instr) {
                if wanted.iter().all(|known| known.0 != id) {
                    // Their linear expression is enough. Listing their values would multiply the combinations of the
                    // instruction.
                    wanted.push((id, Wanted::None));
                }
            }
            wanted
        };
        let assigned = assignments(program, given, MOST, &ask);
        let positive: Vec<VariableId> = given.iter().map(|known| known.parameter).collect();
        let control = ControlFacts::of(program, &positive);
        let labels = Rc::new(RefCell::new(Labels::new(&assigned.symbols)));
        let granules = granules(program);
        let rings = rings(program, &granules)?;
        let stored = program.stored().into_iter();
        let mut attempt = Attempt {
            program,
            subject,
            trial,
            assigned: &assigned,
            control: &control,
            labels: labels.clone(),
            granules,
            undefined: stored
                .filter(|global| !with_contents.contains(global))
                .collect(),
            tried,
            now: Values::new(),
            phase: Phase::ANY,
            flows,
            steps: Steps::default(),
            by_lane: FxHashMap::default(),
            open: None,
        };
        let start = Contents::new(labels, rings);
        let end = follow_with(&program.body, start, &mut attempt);
        match (attempt.open, end) {
            (Some(open), _) => Err(open),
            (None, Followed::TooFar) => Err(("it takes too long to follow".to_owned(), None)),
            (None, _) => Ok(()),
        }
    }
}

/// Returns the numbers that are followed symbolically: slots, parts of workspaces, and values that are stored or
/// compared.
fn followed(program: &Program, instr: &Instr) -> Vec<ScalarId> {
    let mut numbers = Vec::new();
    for (_, _, view) in instr.operands() {
        match view {
            View::Local(view) => numbers.push(view.slot),
            View::Global(view) => {
                numbers.extend(view.axes.iter().flat_map(|axis| [axis.start, axis.span]));
            }
        }
    }
    match instr.opcode {
        Opcode::CompareScalar => numbers.extend(instr.scalar_named("src2")),
        Opcode::SetValueTo => {
            let variable = instr.variable();
            numbers.extend(variable.and_then(|id| program.scalars.variable_id(id)));
        }
        _ => {}
    }
    numbers
}

/// Returns the bytes in a cell of each buffer: those of the smallest element that any view of it has.
fn granules(program: &Program) -> Vec<i64> {
    let of = |buffer: &Buffer| match buffer.layout {
        // Such a buffer is a whole memory, and its own type is that of bytes.
        Layout::Linear => BLOCK_BYTES,
        Layout::Nz | Layout::Nd => buffer.dtype.bytes_of(1).max(1),
    };
    let mut granules: Vec<i64> = program.buffers.iter().map(of).collect();
    for (_, instr) in program.instructions() {
        for view in instr.operands().filter_map(|(_, _, view)| view.local()) {
            // A view of a smaller type can define a part of an element, so the smallest type decides.
            let granule = &mut granules[view.buffer.index()];
            *granule = (*granule).min(view.dtype.bytes_of(1).max(1));
        }
    }
    granules
}

/// Creates the initial state: two rings for each buffer, one for each vec lane, then one for each workspace.
fn rings(program: &Program, granules: &[i64]) -> Result<Vec<Rc<Ring>>, Open> {
    let mut rings = Vec::new();
    for (buffer, granule) in program.buffers.iter().zip(granules) {
        let shape = program.constant_pair(buffer.shape);
        let Some([rows, columns]) = shape else {
            return Err((
                "the size of a buffer depends on the launch".to_owned(),
                None,
            ));
        };
        let elements = rows.max(0).saturating_mul(columns.max(0));
        let cells = match (buffer.position, buffer.layout) {
            (Position::Ub | Position::Bt, _) | (_, Layout::Linear) => {
                multiple(buffer.dtype.bytes_of(elements), BLOCK_BYTES) / granule
            }
            _ => elements,
        };
        let ring = Rc::new(Ring::new(cells as usize, Some(buffer.slots.into())));
        // One for each vec lane, which has a UB of its own. The lanes share the cells until one of them is written.
        rings.push(ring.clone());
        rings.push(ring);
    }
    for global in &program.globals {
        // The last two axes are one part of a workspace; the axes before them select the part.
        let extents = global.shape.iter().rev().take(2);
        let extents: Option<Vec<i64>> = extents.map(|&id| program.size(id)).collect();
        let cells = match (global.kind, extents) {
            (GlobalKind::Workspace, Some(extents)) => {
                extents.into_iter().fold(1, i64::saturating_mul)
            }
            _ => 0,
        };
        // Labels are kept for each element, so that the size of a workspace bounds time and memory.
        if cells > 1 << 22 {
            return Err(("a workspace is too large to follow".to_owned(), None));
        }
        rings.push(Rc::new(Ring::new(cells.max(0) as usize, None)));
    }
    Ok(rings)
}

impl<'a, 't> Follower<'t, Contents<'a>> for Attempt<'a, 't, '_> {
    fn control(&self) -> Option<&ControlFacts> {
        Some(self.control)
    }

    fn enter(&mut self, phase: Phase) {
        self.phase = phase;
    }

    fn iterations(&self, stmt: &'t Stmt) -> Option<usize> {
        let own = short_loop(self.program, stmt)?;
        self.assigned.passes.get(&stmt.id)?;
        // Nested loops multiply: each level divides the limit by 8.
        let around = self.now.len() as u32;
        let most = MOST_ONE_BY_ONE >> (around * 3).min(16);
        (own <= most).then_some(own)
    }

    fn begin(&mut self, stmt: &'t Stmt, iteration: usize) {
        if let Some(pass) = self.assigned.passes.get(&stmt.id)
            && let Some(symbol) = pass.number.symbols().next()
        {
            set(&mut self.now, symbol, iteration as i64);
        }
    }

    fn again(&mut self, stmt: &'t Stmt, state: &mut Contents<'a>) {
        // The symbols of the loop have other values in the next iteration.
        if let Some(pass) = self.assigned.passes.get(&stmt.id) {
            state.forget(pass.mark);
        }
    }

    fn leave(&mut self, stmt: &'t Stmt, state: &mut Contents<'a>) {
        if let Some(pass) = self.assigned.passes.get(&stmt.id) {
            state.forget(pass.mark);
            pass.number.symbols().for_each(|symbol| {
                self.now.retain(|known| known.0 != symbol);
            });
        }
    }

    fn is_done(&self) -> bool {
        self.open.is_some()
    }

    fn step(&mut self, stmt: &'t Stmt, state: &mut Contents<'a>) {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        if instr.operands().next().is_none() {
            return;
        }
        let lanes: &[Option<usize>] = match side_of(self.program, instr) {
            Side::Vec => &[Some(0), Some(1)],
            _ => &[None],
        };
        for &lane in lanes {
            let memories = self.memories(instr, lane);
            // If the numbers do not depend on the lane, both lanes share the remembered effects.
            let own = lane.filter(|_| self.depends_on_lane(stmt.id));
            let when = When::new(stmt.id, own, self.phase, &self.now);
            // Loops are walked until the state settles, so that most instructions find memory that they have
            // seen before.
            if self.steps.repeat(&when, &memories, state) {
                continue;
            }
            let before = Steps::look(&memories, state);
            if let Err(because) = self.instr(stmt, instr, lane, state) {
                self.open.get_or_insert((because, Some(stmt.id)));
                return;
            }
            self.steps.add(when, before, Steps::look(&memories, state));
        }
    }
}

impl<'a, 't> Attempt<'a, 't, '_> {
    fn instr(
        &mut self,
        stmt: &'t Stmt,
        instr: &'t Instr,
        lane: Option<usize>,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let name = self.program.call_name(instr);
        let assigned = self.assigned;
        let Some(Ok(known)) = assigned.of.get(&stmt.id) else {
            return Err(format!("the sizes of {name} are not known"));
        };
        let here = Here {
            id: stmt.id,
            lane,
            known,
            rows: self.rows(known, lane),
        };
        // No combination fits: the instruction is not executed on this lane in these iterations.
        if here.rows.is_empty() {
            return Ok(());
        }
        match instr.opcode {
            Opcode::GmToUbPad => self.load_rows(instr, &here, state),
            Opcode::UbToGmPad => self.store_rows(instr, &here, state),
            Opcode::UbToUb => self.copy_rows(instr, &here, state),
            Opcode::GetValueFrom => self.read_scalar(instr, &here, state),
            Opcode::SetValueTo => self.write_scalar(instr, &here, state),
            // A register has a value.
            Opcode::ReadCount => Ok(()),
            _ => match instr.row().class {
                Class::Move | Class::Matmul | Class::Fixpipe => self.matrix(instr, &here, state),
                // The mask before each instruction is known from the analysis.
                Class::Mask | Class::Debug => Ok(()),
                _ => self.vector(instr, &here, state),
            },
        }
    }

    /// Returns the possible values of an instruction's scalars on a lane, in the current iterations of the short
    /// loops.
    fn rows<'k>(&self, known: &'k Assignments, lane: Option<usize>) -> Vec<&'k [i64]> {
        let first = known.scalars.len();
        let own = |symbol: Symbol| match self.assigned.symbols.is_sub_block(symbol) {
            true => lane.map(|lane| lane as i64),
            false => value_of(&self.now, symbol),
        };
        let is_here = |row: &&[i64]| {
            let mut places = known.places.iter().zip(&row[first..]);
            places.all(|(&symbol, &value)| own(symbol).is_none_or(|own| own == value))
        };
        known
            .rows
            .iter()
            .map(Vec::as_slice)
            .filter(is_here)
            .collect()
    }

    /// Returns whether the numbers of an instruction depend on the vec lane.
    fn depends_on_lane(&mut self, id: StmtId) -> bool {
        let symbols = &self.assigned.symbols;
        let of = &self.assigned.of;
        *self.by_lane.entry(id).or_insert_with(|| {
            let Some(Ok(known)) = of.get(&id) else {
                return true;
            };
            let mut numbers = known.numbers.values();
            let mut places = known.places.iter();
            places.any(|&place| symbols.is_sub_block(place))
                || numbers.any(|number| symbols.depends_on_lane(number))
        })
    }

    /// Returns the numbers of the memories that an instruction accesses on a lane.
    fn memories(&self, instr: &Instr, lane: Option<usize>) -> Vec<usize> {
        let memories = instr.operands().map(|(_, _, view)| match view {
            View::Local(view) => self.buffer(view, lane),
            View::Global(view) => self.global(view.global),
        });
        memories.collect()
    }

    /// Returns the number of a global tensor's memory.
    fn global(&self, global: GlobalId) -> usize {
        2 * self.program.buffers.len() + global.index()
    }

    /// Returns the number of a buffer's memory on a lane.
    fn buffer(&self, view: &LocalView, lane: Option<usize>) -> usize {
        2 * view.buffer.index() + lane.unwrap_or(0)
    }

    /// Returns the number of a buffer's memory on the current lane.
    fn memory(&self, view: &LocalView, here: &Here) -> usize {
        self.buffer(view, here.lane)
    }

    fn key(&self, view: &LocalView, here: &Here) -> Result<Key, String> {
        let buffer = self.program.buffer(view.buffer);
        if buffer.slots == 1 {
            return Ok(vec![Linear::constant(0)]);
        }
        let slot = here.known.numbers.get(&view.slot);
        let slot = slot.ok_or_else(|| format!("the slot of `{}` is not known", buffer.name))?;
        // The counter of a short loop has a constant value here.
        Ok(vec![self.assigned.symbols.with_values(slot, &self.now)])
    }

    /// Returns the state of the slot that a view is in.
    fn cells(&self, view: &LocalView, here: &Here, state: &Contents<'a>) -> Result<Cells, String> {
        let key = self.key(view, here)?;
        let labels = &mut *self.labels.borrow_mut();
        Ok(state.rings[self.memory(view, here)].find(labels, key))
    }

    fn replace(
        &self,
        view: &LocalView,
        here: &Here,
        state: &mut Contents<'a>,
        cells: Cells,
    ) -> Result<(), String> {
        let key = self.key(view, here)?;
        let ring = Rc::make_mut(&mut state.rings[self.memory(view, here)]);
        ring.replace(&mut self.labels.borrow_mut(), key, cells);
        Ok(())
    }

    /// Returns, for each index below the largest value of a count, the condition that the count is larger: the
    /// condition under which an item with that index exists. Indices below the smallest value always do.
    fn steps(&self, lane: Option<usize>, count: &Number) -> Rc<[Label]> {
        let mut labels = self.labels.borrow_mut();
        let values = self.values(lane);
        labels.steps(&count.what, &values, count.min, count.max.max(0))
    }

    /// Returns the known values of symbols on a lane, in the current iterations of the short loops.
    fn values(&self, lane: Option<usize>) -> Values {
        let mut values = self.now.clone();
        if let (Some(lane), Some(symbol)) = (lane, self.assigned.symbols.sub_block()) {
            set(&mut values, symbol, lane as i64);
        }
        values
    }

    /// Returns the words of the vector mask before a statement, and whether they are known.
    fn mask(&self, id: StmtId) -> ([u64; 2], bool) {
        let mask = self.subject.analysis.mask_at(id);
        (words(mask), mask != a2lint_analysis::MaskState::Unknown)
    }
}

/// Returns the value of a symbol, if it is known.
fn value_of(values: &Values, symbol: Symbol) -> Option<i64> {
    let known = values.iter().find(|known| known.0 == symbol);
    known.map(|known| known.1)
}

/// Sets the value of a symbol.
fn set(values: &mut Values, symbol: Symbol, value: i64) {
    values.retain(|known| known.0 != symbol);
    values.push((symbol, value));
    values.sort_unstable();
}

/// Rounds a value up to a multiple.
fn multiple(value: i64, of: i64) -> i64 {
    value
        .saturating_add(of - 1)
        .div_euclid(of)
        .saturating_mul(of)
}
