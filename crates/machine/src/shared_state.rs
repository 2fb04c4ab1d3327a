//! The state that all lanes of a run share.

use std::ops::{ControlFlow, Range};

use super::access::{MemoryId, Rows, Site};
use super::chip::Chip;
use super::cube_scratch::CubeScratch;
use super::inspect::Inspection;
use super::lane::{Halt, Lane};
use super::memory::Exactly;
use super::memory::number;
use super::observer::{Observer, SyncOp, Token};
use super::operation::{BYTES_PER_WORK, Cell, Operation};
use super::ownership::{Claim, LINE};
use super::provenance::Provenance;
use super::sanitizer::FindingKind;
use super::scalars::Wrap;
use super::setup::{PerturbedLoads, Setup};
use super::signals::{EventRef, Flags};
use super::unit_context::{Monitor, Seen, UnitContext, Wants};
use super::value::{Absence, Value};
use super::{cost, inputs, views};
use a2lint_ir::sync::Route;
use a2lint_ir::{AtomicKind, BufferId, GlobalId, GlobalView, Instr, Stmt, StmtId, StmtKind, View};
use a2lint_isa::{BLOCK_BYTES, Class, DST, DType, Pipe};

/// The shared state of a run, with one observer attached.
pub struct ObservedState<'w> {
    /// The memories.
    pub chip: &'w mut Chip,
    /// Flags between lanes.
    pub flags: &'w mut Flags,
    /// The history of data in on-chip memories; tracked only if some store adds atomically.
    pub provenance: &'w mut Provenance,
    /// Scratch space of the cube unit.
    pub scratch: &'w mut CubeScratch,
    /// Observer and record.
    pub monitor: Monitor<'w>,
    /// Statements that the observer watches, by number.
    pub watched: &'w [bool],
    /// The work done so far.
    pub tally: &'w mut Tally,
}

/// The shared state of a run, without an observer.
pub struct SharedState {
    /// The memories.
    pub chip: Chip,
    /// Flags between lanes.
    pub flags: Flags,
    /// The history of data in on-chip memories.
    pub provenance: Provenance,
    /// Scratch space of the cube unit.
    scratch: CubeScratch,
    /// What was recorded during the run.
    pub seen: Seen,
    /// The work done so far.
    pub tally: Tally,
    /// The events that the observer wants.
    wants: Wants,
    watched: Vec<bool>,
}

/// The work of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Number of executed statements.
    pub instructions: u64,
    /// Effort since the last check of the clock, in small statements.
    pub effort: u64,
    /// Work of the units.
    pub work: u64,
}

impl Tally {
    /// Adds the work of other cores.
    pub fn add(&mut self, other: &Tally) {
        self.instructions += other.instructions;
        self.work = self.work.saturating_add(other.work);
    }
}

impl SharedState {
    /// Creates the state before any lane begins, without an observer.
    pub fn new(chip: Chip, statements: u32, only_looks: bool) -> SharedState {
        SharedState {
            chip,
            flags: Flags::default(),
            provenance: Provenance::default(),
            scratch: CubeScratch::default(),
            seen: Seen::new(statements),
            tally: Tally::default(),
            wants: Wants {
                only_looks,
                ..Wants::default()
            },
            watched: vec![false; statements as usize],
        }
    }

    /// Asks an observer which events it wants; the answer holds until the next call.
    pub fn ask(&mut self, setup: &Setup, observer: &dyn Observer) {
        // Accesses tell which leftovers of loads have been overwritten.
        let disturbs = setup.options.disturb != PerturbedLoads::Nothing;
        self.wants = Wants {
            accesses: observer.wants_accesses() || disturbs,
            definedness: observer.wants_definedness(),
            costs: observer.wants_costs(),
            only_looks: setup.options.only_looks,
        };
        self.watched.clear();
        let statements = (0..setup.program.stmt_count).map(StmtId);
        self.watched
            .extend(statements.map(|stmt| observer.watches(stmt)));
    }

    /// Returns the events that the observer wants.
    pub fn wants(&self) -> Wants {
        self.wants
    }

    /// Returns whether the observer watches some statement.
    pub fn is_watched(&self) -> bool {
        self.watched.contains(&true)
    }

    /// Attaches an observer, for stepping lanes.
    pub fn observed_by<'w>(&'w mut self, observer: &'w mut dyn Observer) -> ObservedState<'w> {
        ObservedState {
            chip: &mut self.chip,
            flags: &mut self.flags,
            provenance: &mut self.provenance,
            scratch: &mut self.scratch,
            monitor: Monitor {
                observer,
                wants: self.wants,
                seen: &mut self.seen,
            },
            watched: &self.watched,
            tally: &mut self.tally,
        }
    }
}

/// Returns the effort of simulating an operation, in small statements.
fn effort(operation: &Operation) -> u64 {
    match operation {
        Operation::Multiply(_) | Operation::MultiplyL1(_) => 64,
        Operation::Nothing
        | Operation::SetHf32(_)
        | Operation::SetMask(..)
        | Operation::ResetMask => 0,
        _ => 3,
    }
}

impl ObservedState<'_> {
    /// Returns whether executing an instruction would show nothing, in a run whose observer does not watch it: it
    /// computes nothing there, orders nothing, and exchanges nothing with scalars.
    pub fn is_out_of_sight(&self, stmt: &Stmt, instr: &Instr) -> bool {
        let row = instr.row();
        self.monitor.wants.only_looks
            && !self.watched[stmt.id.index()]
            && row.signal().is_none()
            && !matches!(row.class, Class::Barrier | Class::Scalar)
    }

    /// Executes one operation of a lane, between calls of the observer if it watches the statement.
    pub fn operate(
        &mut self,
        lane: &mut Lane,
        stmt: &Stmt,
        pipe: Pipe,
        operation: &Operation,
        atomic: Option<AtomicKind>,
    ) -> Result<(), Halt> {
        self.tally.effort += effort(operation);
        if self.monitor.wants.costs {
            let site = lane.site(stmt);
            self.monitor
                .observer
                .spend(&site, &cost::expense(operation, pipe));
        }
        if self.monitor.wants.accesses {
            self.monitor.observer.begin(&lane.site(stmt));
        }
        if !self.watched[stmt.id.index()] {
            self.execute(lane, stmt, pipe, operation, atomic);
            return Ok(());
        }
        // Only once a watched statement is executed: most runs watch none.
        lane.executions.resize(self.watched.len(), 0);
        let execution = lane.executions[stmt.id.index()];
        lane.executions[stmt.id.index()] += 1;
        self.inspect(lane, stmt, operation, |observer, site, inspection| {
            observer.before(site, execution, inspection);
        });
        self.execute(lane, stmt, pipe, operation, atomic);
        let flow = self.inspect(lane, stmt, operation, |observer, site, inspection| {
            observer.after(site, execution, inspection)
        });
        match flow {
            ControlFlow::Continue(()) => Ok(()),
            ControlFlow::Break(()) => Err(Halt::Stopped),
        }
    }

    fn inspect<T>(
        &mut self,
        lane: &mut Lane,
        stmt: &Stmt,
        operation: &Operation,
        look: impl FnOnce(&mut dyn super::Observer, &Site, &mut Inspection) -> T,
    ) -> T {
        let site = Site {
            stmt: stmt.id,
            lane: lane.id,
            iterations: &lane.iterations,
        };
        let mut inspection = Inspection {
            setup: &lane.setup,
            environment: &mut lane.environment,
            chip: self.chip,
            mask: &lane.mask,
            operation,
            lane: lane.id,
        };
        look(&mut *self.monitor.observer, &site, &mut inspection)
    }

    fn execute(
        &mut self,
        lane: &mut Lane,
        stmt: &Stmt,
        pipe: Pipe,
        operation: &Operation,
        atomic: Option<AtomicKind>,
    ) {
        self.tally.work += match self.monitor.wants.only_looks {
            true => 1,
            false => operation.work(),
        };
        self.check_starts(lane, stmt, operation);
        // Histories serve to find data that atomic sums add twice.
        if lane.setup.has_sums {
            self.follow_sums(lane, stmt, operation, atomic);
        }
        if let Operation::Multiply(product) | Operation::MultiplyL1(product) = operation {
            self.monitor.seen.hf32 |= lane.hf32 && product.a.dtype == DType::Float;
        }
        let mut unit_context = UnitContext {
            setup: &lane.setup,
            chip: self.chip,
            scratch: self.scratch,
            monitor: &mut self.monitor,
            site: Site {
                stmt: stmt.id,
                lane: lane.id,
                iterations: &lane.iterations,
            },
            pipe,
            atomic,
            has_unit_flag: operation.has_unit_flag(),
            overruns: false,
            updates: lane.setup.options.disturb != PerturbedLoads::Nothing && operation.updates(),
        };
        match operation {
            Operation::Vector(call, tiles) => {
                let taken = unit_context.vector(call, tiles, &mut lane.mask);
                if call.opcode.row().class == Class::Sort {
                    lane.taken = taken;
                }
            }
            Operation::SetMask(high, low) => lane.mask.set_mask(*high, *low),
            Operation::ResetMask => lane.mask.reset_mask(),
            Operation::ReadScalar(variable, cell) => {
                let (value, exact) = unit_context.read_scalar(cell);
                lane.environment.assign_exactly(*variable, value, exact);
            }
            Operation::ReadCount(variable, queue) => {
                let count = lane.taken.and_then(|taken| taken.get(*queue).copied());
                let value = match count {
                    Some(count) => Value::Int(count.into()),
                    None => Value::Absent(Absence::Unknown),
                };
                lane.environment.assign_exactly(*variable, value, None);
            }
            Operation::WriteScalar(value, exact, cell) => {
                unit_context.write_scalar(*value, *exact, cell);
            }
            Operation::SetHf32(is_on) => lane.hf32 = *is_on,
            operation => unit_context.execute(operation),
        }
    }

    /// Reports operands in UB that start off the grid of their instruction, and matrices in L1 and L0C that
    /// start inside of a strip of columns.
    fn check_starts(&mut self, lane: &Lane, stmt: &Stmt, operation: &Operation) {
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        for (index, tile) in operation.in_strips() {
            let granule = lane.setup.launch.device.alignment(tile.position);
            let off_by = tile.dtype.bytes_of(tile.offset[1]).rem_euclid(granule);
            if off_by != 0 {
                let kind = FindingKind::Misaligned { off_by, granule };
                let site = lane.site(stmt);
                self.monitor.report(&site, kind, Some(index), None);
            }
        }
        for (index, tile) in operation.by_address() {
            let device = lane.setup.launch.device;
            let granule = match instr.row().is_product() && index == DST {
                true => device.alignment_of_sums(),
                false => device.alignment(tile.position),
            };
            let off_by = tile.row_major_address().rem_euclid(granule);
            if off_by != 0 {
                let kind = FindingKind::Misaligned { off_by, granule };
                let site = lane.site(stmt);
                self.monitor.report(&site, kind, Some(index), None);
            }
        }
        for (index, tile) in operation.in_ub() {
            let Some(granule) =
                instr.start_granule(lane.setup.program.toolchain, index, tile.dtype)
            else {
                continue;
            };
            // The scalar unit writes sequences of at most a block of elements, at any address.
            let bytes = tile
                .dtype
                .bytes_of(tile.span[0].saturating_mul(tile.span[1]));
            if instr.row().class == Class::Sequence && bytes <= BLOCK_BYTES {
                continue;
            }
            // Slots start on blocks, so only the offset inside of the slot matters.
            let off_by = (tile.row_major_address() - tile.base).rem_euclid(granule);
            if off_by != 0 {
                let kind = FindingKind::Misaligned { off_by, granule };
                let site = lane.site(stmt);
                self.monitor.report(&site, kind, Some(index), None);
            }
        }
    }

    /// Records the history of data, and reports data that an atomic sum adds twice.
    fn follow_sums(
        &mut self,
        lane: &Lane,
        stmt: &Stmt,
        operation: &Operation,
        atomic: Option<AtomicKind>,
    ) {
        self.provenance.follow(lane.id, operation, &lane.mask);
        if atomic != Some(AtomicKind::Add) {
            return;
        }
        let core = self.chip.core(lane.id.core);
        let counted = self.provenance.add(lane.id, operation, core);
        if let Some((global, other)) = counted {
            let kind = FindingKind::DoubleCount { global, other };
            self.monitor.report(&lane.site(stmt), kind, Some(1), None);
        }
    }

    /// Makes the contents of views defined and unknown, after an erroneous instruction or code that could
    /// not be evaluated. Undefined contents would be reported as further faults of one mistake.
    pub fn havoc(&mut self, lane: &Lane, views: &[View]) {
        for view in views {
            match view {
                View::Local(view) => self.obscure_buffer(lane, view.buffer),
                View::Global(view) => self.obscure_global(view.global),
            }
        }
        self.monitor.seen.faithful = false;
    }

    /// Fills every slot of a buffer with defined zeros.
    pub fn obscure_buffer(&mut self, lane: &Lane, buffer: BufferId) {
        let place = lane.setup.allocation.on(lane.id).place(buffer);
        // The buffers of the other side belong to memories of its own lanes, which execute this statement,
        // too.
        let is_ours = lane.id.kind.uses(place.position);
        if is_ours {
            let core = self.chip.core(lane.id.core);
            let memory = core.memory_mut(place.position, lane.id);
            let end = (place.end().max(0) as usize).min(memory.capacity());
            let range = (place.address.max(0) as usize).min(end)..end;
            self.tally.work += 1 + range.len() as u64 / BYTES_PER_WORK as u64;
            memory.bytes_mut(range.clone()).fill(0);
            memory.set_defined(range, true);
        }
    }

    /// Makes the contents of a global tensor defined and unknown.
    pub fn obscure_global(&mut self, global: GlobalId) {
        let defined = self.chip.globals[global.index()].define();
        self.tally.work += 1 + defined / BYTES_PER_WORK as u64;
    }

    /// Reports that something was not followed or not executed: earlier work may be ordered before later
    /// work.
    pub fn unseen(&mut self, site: &Site, signals: bool) {
        if signals {
            self.monitor.seen.misses_signals = true;
            // Lanes may have synchronised there, which orders their stores.
            self.chip.ownership.forget();
        }
        let operation = SyncOp::Unseen { signals };
        self.monitor.observer.synchronise(site, &operation);
    }

    /// Makes the results of an instruction that is not simulated defined and unknown.
    pub fn define_results(&mut self, lane: &mut Lane, instr: &Instr) {
        let written = instr
            .operands()
            .filter(|(_, operand, _)| operand.access.writes());
        for (_, _, view) in written {
            match view {
                View::Local(view) => self.obscure_buffer(lane, view.buffer),
                View::Global(view) => self.define(lane, view),
            }
        }
    }

    /// Makes a window of a global tensor defined.
    fn define(&mut self, lane: &mut Lane, view: &GlobalView) {
        let Ok(window) = views::window(&lane.setup, &mut lane.environment, view) else {
            return;
        };
        let tensor = &mut self.chip.globals[window.global.index()];
        let capacity = tensor.memory().capacity() as i64;
        for elements in window.inside(capacity * 8 / window.dtype.bits()) {
            let [start, end] = [elements.start, elements.end]
                .map(|element| window.dtype.bytes_of(element).min(capacity));
            tensor.touch(start..end);
            let range = start as usize..end as usize;
            tensor.memory_mut().set_defined(range, true);
        }
    }

    /// Sets a flag between lanes.
    pub fn set_flag(&mut self, site: &Site, route: Route, id: i64, pipe: Pipe) {
        if !self.flags.set(route, id, site.lane) {
            self.monitor
                .report(site, FindingKind::FlagOverflow(id), None, None);
        }
        let operation = SyncOp::Set {
            token: Token::Flag { route, id },
            pipe,
        };
        self.monitor.observer.synchronise(site, &operation);
    }

    /// Records an integer that had wrapped when it was used as an address, a size or a number of iterations.
    pub fn report_wrap(&mut self, site: &Site, wrap: &Wrap) {
        self.monitor
            .report(site, FindingKind::ScalarOverflow(*wrap), None, None);
    }

    /// Records that an event is set while it is still set.
    pub fn report_repeated_set(&mut self, site: &Site, event: EventRef) {
        self.monitor
            .report(site, FindingKind::RepeatedSet(event), None, None);
    }

    /// Records that an event is still set when the kernel ends.
    pub fn report_left_set(&mut self, site: &Site, event: EventRef) {
        self.monitor
            .report(site, FindingKind::LeftSet(event), None, None);
    }
}

/// The scalar unit's access to memory.
impl UnitContext<'_, '_> {
    /// Reads one element, with its exact value if that is tracked.
    fn read_scalar(&mut self, cell: &Cell) -> (Value, Option<Exactly>) {
        // Out of bounds has been reported; 0 lets the run continue.
        let Some((memory, dtype, address)) = self.locate(cell, false) else {
            return (Value::Int(0), None);
        };
        let bytes = dtype.bytes_of(1) as usize;
        let memory = match memory {
            MemoryId::Global(id) => self.chip.globals[id.index()].memory(),
            MemoryId::Local(position) => self
                .chip
                .core(self.site.lane.core)
                .memory(position, self.site.lane),
        };
        let value = match dtype {
            DType::Int64 => Value::Int(memory.get(address)),
            DType::UInt64 => Value::whole(memory.get::<u64>(address).into()),
            dtype if dtype.is_float() => Value::Float(number(memory, dtype, address, 0)),
            dtype => Value::Int(number(memory, dtype, address, 0) as i64),
        };
        let exact = memory.exactly(address, dtype);
        if !memory.all_defined(address..address + bytes) {
            self.report(FindingKind::UndefinedScalar, 1, Some(0));
        }
        (value, exact)
    }

    /// Writes one element.
    fn write_scalar(&mut self, value: Value, exact: Option<Exactly>, cell: &Cell) {
        let Some((memory, dtype, address)) = self.locate(cell, true) else {
            return;
        };
        let mut bytes = Vec::with_capacity(8);
        match (value, dtype) {
            // Cut to the size of the type; a double would lose low bits of 64-bit integers.
            (Value::Int(_) | Value::Large(_), dtype) if !dtype.is_float() => {
                let size = dtype.bytes_of(1) as usize;
                let word = value.as_word().unwrap_or(0);
                bytes.extend_from_slice(&word.to_le_bytes()[..size]);
            }
            (value, dtype) => inputs::push(&mut bytes, dtype, value.as_float().unwrap_or(0.0)),
        }
        let lane = self.site.lane;
        let range = address..address + bytes.len();
        if let MemoryId::Global(id) = memory {
            self.claim_line(id, range.clone());
        }
        let memory = match memory {
            MemoryId::Global(id) => self.chip.globals[id.index()].memory_mut(),
            MemoryId::Local(position) => self.chip.core(lane.core).memory_mut(position, lane),
        };
        memory.bytes_mut(range.clone()).copy_from_slice(&bytes);
        memory.set_defined(range, true);
        if let Some(exact) = exact {
            memory.note_exactly(address, dtype, exact);
        }
    }

    /// Reports a scalar store into a cache line in which another lane has stored other elements.
    fn claim_line(&mut self, global: GlobalId, element: Range<usize>) {
        if let Some(footprint) = &mut self.chip.footprint {
            // Cores that meet in a line have to run one after the other, as if they met in an element.
            let start = element.start / LINE * LINE;
            let end = self.chip.globals[global.index()].memory().capacity();
            let bytes = end.min(start + LINE) - start;
            footprint.note(global, true, &[Rows::run(start as i64, bytes as i64)]);
        }
        let claim = Claim {
            lane: self.site.lane,
            stmt: self.site.stmt,
        };
        if let Some(other) = self.chip.ownership.claim_line(claim, global, element) {
            let kind = FindingKind::SharedLine {
                global,
                other: other.lane,
                stmt: other.stmt,
            };
            self.report(kind, 1, None);
        }
    }

    /// Returns memory, type and byte address of an element, or `None` if it is out of bounds.
    fn locate(&mut self, cell: &Cell, write: bool) -> Option<(MemoryId, DType, usize)> {
        match cell {
            Cell::Tile(tile) => {
                let rows = Rows::run(tile.row_major_address(), tile.dtype.bytes_of(1));
                self.touch(tile, 1, write, &[rows]).then_some((
                    MemoryId::Local(tile.position),
                    tile.dtype,
                    rows.start as usize,
                ))
            }
            Cell::Window(window) => {
                self.check_axes(window, 1, write);
                let rows = Rows::run(
                    window.dtype.bytes_of(window.start),
                    window.dtype.bytes_of(1),
                );
                self.access_global(window.global, 1, write, &[rows]);
                let memory = MemoryId::Global(window.global);
                let capacity = self.chip.globals[window.global.index()].memory().capacity() as i64;
                if rows.start < 0 || rows.start + rows.length > capacity {
                    self.report_flat(window, 1, write, 0);
                    return None;
                }
                Some((memory, window.dtype, rows.start as usize))
            }
        }
    }
}
