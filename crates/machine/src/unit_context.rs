//! Executes one operation of a unit, with memories, observer and findings at hand.

use super::access::{Access, MemoryId, Rows, Site, Undefined};
use super::allocate::align;
use super::chip::{Chip, CoreMemory};
use super::cube_scratch::CubeScratch;
use super::fractal::Fractals;
use super::loads::ShorterLoad;
use super::memory::Memory;
use super::numerics::{Numerics, Tracer};
use super::observer::{Observer, SyncOp};
use super::operation::{Operation, Tile, Window};
use super::outcome::{Doubt, Illegal, Illegality};
use super::ownership::Claim;
use super::sanitizer::{FindingKind, Findings};
use super::setup::{PerturbedLoads, Setup};
use a2lint_ir::{AtomicKind, GlobalId, GlobalKind, StmtId};
use a2lint_isa::{BLOCK_BYTES, DType, Instruction, Pipe, Position, TypeRule};

/// The observer of a run, and what is recorded beside it.
pub struct Monitor<'o> {
    /// The observer.
    pub observer: &'o mut dyn Observer,
    /// The events that it wants.
    pub wants: Wants,
    /// What is recorded.
    pub seen: &'o mut Seen,
}

/// What has to be computed for the observer, beside the run itself.
#[derive(Clone, Copy, Debug, Default)]
pub struct Wants {
    /// Whether the observer wants accesses.
    pub accesses: bool,
    /// Whether accesses contain what of them is undefined.
    pub definedness: bool,
    /// Whether the observer wants costs.
    pub costs: bool,
    /// Whether operands are only checked and nothing is executed.
    pub only_looks: bool,
}

/// What a run records beside its results.
#[derive(Clone, Debug)]
pub struct Seen {
    /// The findings of the sanitizer.
    pub findings: Findings,
    /// Instructions that break a rule of the hardware and were not executed.
    pub illegal: Vec<Illegal>,
    /// Loads that filled less than they had filled before, one for each statement.
    pub shorter_loads: Vec<ShorterLoad>,
    /// Whether any lane executed a statement, by number.
    pub executed: Vec<bool>,
    /// Whether every value is the one that the device would compute.
    pub faithful: bool,
    /// Statements that were not executed as written.
    pub doubts: Vec<Doubt>,
    /// Whether lanes may have synchronised in code that was not followed.
    pub misses_signals: bool,
    /// Whether a float product was made while HF32 was on.
    pub hf32: bool,
    /// The rounding errors, if they are tracked.
    pub numerics: Option<Numerics>,
}

impl Seen {
    /// Creates an empty record for a program of `statements` statements.
    pub fn new(statements: u32) -> Seen {
        Seen {
            findings: Findings::default(),
            illegal: Vec::new(),
            shorter_loads: Vec::new(),
            executed: vec![false; statements as usize],
            faithful: true,
            doubts: Vec::new(),
            misses_signals: false,
            hf32: false,
            numerics: None,
        }
    }

    /// Returns whether the record does not depend on which cores have run before.
    pub fn stands_alone(&self) -> bool {
        let errors = self.numerics.as_ref();
        let adds_up = errors.is_none_or(|it| !it.attributes_errors());
        !self.misses_signals && !self.findings.is_full() && adds_up
    }

    /// Adds the record of cores that run after these.
    pub fn absorb(&mut self, later: Seen) {
        self.findings.absorb(later.findings);
        let illegal = later.illegal.into_iter();
        illegal.for_each(|illegal| self.add_illegal(illegal));
        let shorter_loads = later.shorter_loads.into_iter();
        shorter_loads.for_each(|shorter_load| self.add_shorter_load(shorter_load));
        let doubts = later.doubts.into_iter();
        doubts.for_each(|doubt| self.add_doubt(doubt.stmt, || doubt.reason));
        for (executed, later) in self.executed.iter_mut().zip(later.executed) {
            *executed |= later;
        }
        self.faithful &= later.faithful;
        if let (Some(numerics), Some(later)) = (&mut self.numerics, later.numerics) {
            numerics.absorb(later);
        }
        self.misses_signals |= later.misses_signals;
        self.hf32 |= later.hf32;
    }

    /// Records an instruction that the hardware does not have; from now on values may differ from the
    /// device's.
    pub(super) fn illegal(&mut self, stmt: StmtId, reason: Illegality) {
        self.add_illegal(Illegal { stmt, reason });
        self.faithful = false;
    }

    /// Keeps only the first reason for each statement: reasons that contain sizes may differ between
    /// iterations.
    fn add_illegal(&mut self, illegal: Illegal) {
        if self.illegal.iter().all(|known| known.stmt != illegal.stmt) {
            self.illegal.push(illegal);
        }
    }

    /// Keeps the first load of a statement with a rest of each kind.
    pub(super) fn add_shorter_load(&mut self, shorter_load: ShorterLoad) {
        let is_known = |known: &ShorterLoad| {
            known.stmt == shorter_load.stmt && known.rest.is_like(shorter_load.rest)
        };
        if !self.shorter_loads.iter().any(is_known) {
            self.shorter_loads.push(shorter_load);
        }
    }

    /// Keeps the first reason why a statement is not executed as written.
    fn add_doubt(&mut self, stmt: StmtId, reason: impl FnOnce() -> String) {
        if self.doubts.iter().all(|doubt| doubt.stmt != stmt) {
            let reason = reason();
            self.doubts.push(Doubt { stmt, reason });
        }
    }
}

impl Monitor<'_> {
    /// Returns the tracker of exact values, if there is one, for the statement of `site`.
    pub fn trace(&mut self, site: &Site) -> Tracer<'_> {
        let numerics = self.seen.numerics.as_mut()?;
        numerics.begin(site);
        Some(numerics)
    }

    /// Records that a statement is not executed as written.
    pub fn doubt(&mut self, stmt: StmtId, reason: impl FnOnce() -> String) {
        self.seen.faithful = false;
        self.seen.add_doubt(stmt, reason);
    }

    /// Records a finding and reports it to the observer.
    pub fn report(
        &mut self,
        site: &Site,
        kind: FindingKind,
        operand: Option<usize>,
        element: Option<i64>,
    ) {
        let of_signals = matches!(
            kind,
            FindingKind::RepeatedSet(_) | FindingKind::LeftSet(_) | FindingKind::FlagOverflow(_)
        );
        // Code that was not followed may have taken tokens, so that a repeated set is not certain.
        if of_signals && self.seen.misses_signals {
            return;
        }
        self.seen.findings.add(site, kind, operand, element);
        self.observer.observed(site, &kind, operand);
    }
}

/// The units of one core, executing one operation of one lane.
pub struct UnitContext<'a, 'o> {
    /// The constant parts of the run.
    pub setup: &'a Setup<'a>,
    /// The memories.
    pub chip: &'a mut Chip,
    /// Scratch space of the cube unit.
    pub scratch: &'a mut CubeScratch,
    /// Observer and record.
    pub monitor: &'a mut Monitor<'o>,
    /// The place in the run.
    pub site: Site<'a>,
    /// The pipe that the operation is issued to.
    pub pipe: Pipe,
    /// The atomic operation that stores to global memory use.
    pub atomic: Option<AtomicKind>,
    /// Whether the instruction has reached outside of an on-chip tensor.
    pub overruns: bool,
    /// Whether the result is computed from the old contents of its destination.
    pub updates: bool,
    /// Whether the operation takes part in the handshake of M and FIX over parts of L0C.
    pub has_unit_flag: bool,
}

impl UnitContext<'_, '_> {
    /// Executes a move or a cube operation.
    pub fn execute(&mut self, operation: &Operation) {
        if self.is_mistyped(operation) {
            return;
        }
        match operation {
            Operation::LoadRows(load) => self.load_rows(load),
            Operation::StoreRows(store) => self.store_rows(store),
            Operation::CopyBlocks(copy) => self.copy_blocks(copy),
            Operation::LoadMatrix(load) => self.load_matrix(load),
            Operation::LoadPlain(tile, window) => self.load_plain(tile, window),
            Operation::Fill(tile, value) => self.fill(tile, *value),
            Operation::LoadOperand(load) => self.load_operand(load),
            Operation::LoadFractals(load) => self.load_fractals(load),
            Operation::LoadBias(dst, src) => self.load_bias(dst, src),
            Operation::Multiply(product) => self.multiply(product),
            Operation::MultiplyL1(product) => self.multiply_l1(product),
            Operation::MultiplyGm(product) => self.multiply_gm(product),
            Operation::Drain(drain) => self.drain(drain),
            Operation::Republish(republish) => self.republish(republish),
            Operation::Vector(..)
            | Operation::SetMask(..)
            | Operation::ResetMask
            | Operation::ReadScalar(..)
            | Operation::ReadCount(..)
            | Operation::WriteScalar(..)
            | Operation::Nothing
            | Operation::SetHf32(_) => {}
        }
    }

    /// Returns the memories of the executing core.
    pub fn core(&mut self) -> &mut CoreMemory {
        self.chip.core(self.site.lane.core)
    }

    /// Records a finding about an operand.
    pub fn report(&mut self, kind: FindingKind, operand: usize, element: Option<i64>) {
        self.monitor
            .report(&self.site, kind, Some(operand), element);
    }

    /// Reports an access to the observer.
    pub fn access(&mut self, access: Access) {
        if self.monitor.wants.accesses {
            self.monitor.observer.access(&self.site, &access);
        }
    }

    /// Reports an access to a global tensor, and creates the pages that it touches.
    pub fn access_global(&mut self, global: GlobalId, operand: usize, write: bool, rows: &[Rows]) {
        if let Some(footprint) = &mut self.chip.footprint {
            footprint.note(global, write, rows);
        }
        let tensor = &mut self.chip.globals[global.index()];
        for rows in rows {
            for row in 0..rows.count {
                let start = rows.start + row * rows.pitch;
                // For stores, too: the rest of a page that is stored in part has to have its initial
                // contents.
                tensor.touch(start..start + rows.length);
            }
        }
        if !self.monitor.wants.accesses {
            return;
        }
        let undefined = match self.monitor.wants.definedness && !write {
            true => undefined_in(self.chip.globals[global.index()].memory(), rows),
            false => None,
        };
        self.access(Access {
            pipe: self.pipe,
            memory: MemoryId::Global(global),
            slot: None,
            index: 0,
            write,
            atomic: write && self.atomic.is_some(),
            has_unit_flag: false,
            operand,
            rows,
            base: 0,
            end: i64::MAX,
            overruns: self.overruns,
            undefined,
        });
    }

    /// Reports an access to an on-chip tensor.
    pub fn access_tile(
        &mut self,
        pipe: Pipe,
        tile: &Tile,
        operand: usize,
        write: bool,
        rows: &[Rows],
    ) {
        if !self.monitor.wants.accesses {
            return;
        }
        let lane = self.site.lane;
        // A result that is computed from the old contents is as stale as they were.
        if write && !self.updates && self.setup.options.disturb != PerturbedLoads::Nothing {
            self.core().overwrite_loads(tile.slot, lane, rows);
        }
        let undefined = match self.monitor.wants.definedness && !write {
            true => undefined_in(self.core().memory(tile.position, lane), rows),
            false => None,
        };
        self.access(Access {
            pipe,
            memory: MemoryId::Local(tile.position),
            slot: Some(tile.slot),
            index: tile.index,
            write,
            atomic: false,
            has_unit_flag: self.has_unit_flag && tile.position == Position::L0C,
            operand,
            rows,
            base: tile.base,
            end: tile.base + tile.bytes,
            overruns: self.overruns,
            undefined,
        });
    }

    /// Checks an access to an on-chip tensor and reports it. Returns `false` if it must not be executed: it
    /// leaves the memory, or operands are only checked.
    pub fn touch(&mut self, tile: &Tile, operand: usize, write: bool, rows: &[Rows]) -> bool {
        self.touch_on(self.pipe, tile, operand, write, rows)
    }

    /// Checks and reports an access like [`UnitContext::touch`], but on another pipe than that of the operation.
    pub fn touch_on(
        &mut self,
        pipe: Pipe,
        tile: &Tile,
        operand: usize,
        write: bool,
        rows: &[Rows],
    ) -> bool {
        let bounds = rows.iter().filter_map(Rows::bounds);
        let Some((start, end)) = bounds.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) else {
            // It touches nothing, but has its place in the handshakes of `auto_sync`.
            self.access_tile(pipe, tile, operand, write, &[]);
            return true;
        };
        if start < 0 || end > self.setup.launch.device.capacity(tile.position) {
            self.report(FindingKind::OutsideMemory(tile.buffer), operand, None);
            return false;
        }
        // Inside of the memory the access is executed as on the device, where it hits the neighbour.
        if start < tile.base || end > tile.base + tile.bytes {
            self.report_overrun(tile, operand, write, (start, end));
        } else if end > tile.last() {
            let bytes = end - tile.last();
            self.report(FindingKind::PastLength { bytes, write }, operand, None);
        }
        self.access_tile(pipe, tile, operand, write, rows);
        !self.monitor.wants.only_looks
    }

    /// Checks and reports an access like [`UnitContext::touch_on`] to `rows` by `columns` elements of a fractal
    /// matrix.
    pub fn touch_matrix(
        &mut self,
        pipe: Pipe,
        (tile, operand, write): (&Tile, usize, bool),
        fractals: &Fractals,
        [rows, columns]: [i64; 2],
    ) -> bool {
        let runs = matrix_rows(fractals, rows, columns);
        self.touch_on(pipe, tile, operand, write, &runs)
    }

    pub(super) fn report_overrun(
        &mut self,
        tile: &Tile,
        operand: usize,
        write: bool,
        (start, end): (i64, i64),
    ) {
        let last = tile.base + tile.bytes;
        let past = end > last;
        let (bytes, first) = if past {
            (end - last, last)
        } else {
            (tile.base - start, start)
        };
        let neighbour = {
            let layout = self.setup.allocation.on(self.site.lane);
            layout.buffer_at(self.setup.program, tile.buffer, first)
        };
        let buffer = tile.buffer;
        self.overruns = true;
        if write {
            // Before the next core runs, more than the buffers has to be reset.
            self.core().spill();
        }
        let kind = FindingKind::Overrun {
            buffer,
            neighbour,
            bytes,
            holds: tile.bytes,
            write,
        };
        let element = past.then(|| (last - tile.base) * 8 / tile.dtype.bits());
        self.report(kind, operand, element);
    }

    /// Reports an operand without a defined byte, unless that is already explained. In both cases the
    /// destination counts as explained afterwards.
    pub fn report_undefined(&mut self, tile: &Tile, operand: usize, dst: Option<&Tile>) {
        let lane = self.site.lane;
        let core = self.core();
        let excused = core.is_excused(tile.slot, lane);
        if let Some(dst) = dst {
            // The result is undefined for the same reason.
            core.excuse(dst.slot, lane);
        }
        if !excused {
            self.report(FindingKind::UndefinedOperand, operand, None);
        }
    }

    /// Handles a store of undefined elements to global memory: for an output it is reported. A workspace
    /// carries them on, and they are judged where they matter: in an output, a reduction, a scalar, an index or a
    /// mask.
    pub fn store_undefined(&mut self, global: GlobalId, element: i64, rows: &[Rows]) {
        match self.setup.program.global(global).kind {
            GlobalKind::Workspace => {
                let contents = self.chip.globals[global.index()].memory();
                self.chip.carried.note(global, contents, rows);
            }
            GlobalKind::Param => {
                self.report(FindingKind::UndefinedStore(global), 1, Some(element));
            }
        }
    }

    /// Marks a tile that was loaded from global memory as explained, if it contains undefined data that a
    /// lane has stored there.
    pub fn load_carried(&mut self, tile: &Tile, global: GlobalId, rows: &[Rows]) {
        let contents = self.chip.globals[global.index()].memory();
        if self.chip.carried.is_in(global, contents, rows) {
            let lane = self.site.lane;
            self.core().excuse(tile.slot, lane);
        }
    }

    /// Records an instruction that the hardware does not have.
    pub fn illegal(&mut self, reason: String) {
        let reason = Illegality::Other(reason);
        self.monitor.seen.illegal(self.site.stmt, reason);
    }

    /// Fills a slot with defined zeros in place of the result of an instruction that was not executed, so
    /// that one mistake is reported once. The handshakes of its accesses are not known: the
    /// observer is told that earlier work may be ordered before later work.
    pub fn blank(&mut self, tile: &Tile) {
        let unseen = SyncOp::Unseen { signals: false };
        self.monitor.observer.synchronise(&self.site, &unseen);
        let lane = self.site.lane;
        let memory = self.core().memory_mut(tile.position, lane);
        let end = (tile.base + tile.bytes).min(memory.capacity() as i64) as usize;
        let range = (tile.base as usize).min(end)..end;
        memory.bytes_mut(range.clone()).fill(0);
        memory.set_defined(range, true);
    }

    /// Returns whether a move would take elements of one type for those of another, reports that, and fills
    /// its destination with zeros.
    fn is_mistyped(&mut self, operation: &Operation) -> bool {
        let (tile, window, is_load) = match operation {
            Operation::LoadRows(load) => (&load.tile, &load.window, true),
            Operation::StoreRows(store) => (&store.tile, &store.window, false),
            Operation::LoadMatrix(load) => (&load.tile, &load.window, true),
            Operation::LoadPlain(tile, window) => (tile, window, true),
            _ => return false,
        };
        if carries(window.dtype, tile.dtype) {
            return false;
        }
        // Later instructions address the slot in the layout of this load, although its contents are blank.
        if let Operation::LoadMatrix(load) = operation {
            self.core().set_rows(tile.slot, load.capacity);
        }
        // A store leaves its destination, a tensor of the launch, as it is.
        if is_load {
            self.blank(tile);
        }
        let operand = if is_load { 0 } else { 1 };
        self.report_mistyped(window, operand);
        true
    }

    /// Reports a move that was left out because of its element types; `operand` is the on-chip one.
    pub fn report_mistyped(&mut self, window: &Window, operand: usize) {
        self.report(FindingKind::TypeMismatch(window.global), operand, None);
        self.monitor.seen.faithful = false;
    }

    /// Checks the element types of a cube instruction; returns `false`, and reports it, if it has no such
    /// form.
    pub fn has_types(&mut self, row: &Instruction, types: &[DType]) -> bool {
        let legal = takes(row, types);
        if !legal {
            let names: Vec<&str> = types.iter().map(|dtype| dtype.name()).collect();
            let name = self.setup.program.name_of(row.opcode);
            self.illegal(format!("{name} of {}", names.join(", ")));
        }
        legal
    }

    /// Checks the number of bursts of a move; returns `false`, and reports it, if its field cannot hold that.
    pub fn has_bursts(&mut self, bursts: i64) -> bool {
        let limit = self.setup.launch.device.limits.bursts;
        let legal = bursts <= limit;
        if !legal {
            self.illegal(format!("{bursts} bursts in one move; the limit is {limit}"));
        }
        legal
    }

    /// Returns whether stores to a tensor are compared with those of other lanes. Workspaces are passed
    /// between lanes, and elements of half a byte share their bytes, so neither is.
    pub fn claims(&self, window: &Window) -> bool {
        // An instruction with wrong extents stores to elements that are not meant.
        if self.overruns {
            return false;
        }
        let kind = self.setup.program.global(window.global).kind;
        kind == GlobalKind::Param && window.dtype.bits() >= 8
    }

    /// Reports stores over elements of other lanes, and atomic updates of elements that nothing has written.
    pub fn report_clashes(
        &mut self,
        window: &Window,
        overlap: Option<(i64, Claim)>,
        unseeded: Option<i64>,
    ) {
        if self.overruns {
            return;
        }
        let global = window.global;
        if let Some((element, Claim { lane, stmt })) = overlap {
            let kind = FindingKind::Overlap {
                global,
                other: lane,
                stmt,
            };
            self.report(kind, 0, Some(element));
        }
        if let Some(element) = unseeded {
            self.report(FindingKind::UnseededStore(global), 0, Some(element));
        }
    }

    /// Reports a view that leaves its global tensor along an axis, with the element at which it starts. If the
    /// instruction leaves its on-chip tensor too, the extents are wrong, which is reported there.
    pub fn check_axes(&mut self, window: &Window, operand: usize, write: bool) {
        if window.outside.is_some() && !self.overruns {
            let (global, axis) = (window.global, window.outside);
            self.report(
                FindingKind::GlobalBounds {
                    global,
                    axis,
                    write,
                },
                operand,
                Some(window.start),
            );
        }
    }

    /// Reports rows that leave the global tensor although no axis of the view does.
    pub fn report_flat(&mut self, window: &Window, operand: usize, write: bool, element: i64) {
        if window.outside.is_none() && !self.overruns {
            let global = window.global;
            let kind = FindingKind::GlobalBounds {
                global,
                axis: None,
                write,
            };
            self.report(kind, operand, Some(element));
        }
    }
}

/// Returns whether an instruction has a form for these element types.
pub fn takes(row: &Instruction, types: &[DType]) -> bool {
    let TypeRule::Rows(rows) = row.types else {
        return true;
    };
    let fits = |row: &&[DType]| row.iter().zip(types).all(|(a, b)| a == b);
    rows.iter().any(fits)
}

/// Returns whether elements of a tensor of the launch may be read as the type of an on-chip tensor. Hosts
/// have no unsigned and no 4-bit integers, so integers of the same width replace each other, and any
/// integer for 4-bit ones.
fn carries(given: DType, tile: DType) -> bool {
    let are_integers = !given.is_float() && !tile.is_float();
    let has_nibbles = given == DType::Int4 || tile == DType::Int4;
    given == tile || are_integers && (given.bits() == tile.bits() || has_nibbles)
}

/// Returns the undefined bytes among some rows; bytes outside of the memory do not count.
fn undefined_in(memory: &Memory, rows: &[Rows]) -> Option<Undefined> {
    let capacity = memory.capacity() as i64;
    let mut found: Option<Undefined> = None;
    for (start, length) in rows.iter().flat_map(Rows::runs) {
        let end = (start + length).clamp(0, capacity) as usize;
        let range = (start.clamp(0, capacity) as usize).min(end)..end;
        let missing = (range.len() - memory.count_defined(range.clone())) as i64;
        if missing == 0 {
            continue;
        }
        if let Some(found) = &mut found {
            found.bytes += missing;
            continue;
        }
        let first = memory.first(range.clone(), false).unwrap_or(range.start);
        let next = memory.first(first..end, true).unwrap_or(end);
        found = Some(Undefined {
            first: first as i64,
            run: (next - first) as i64,
            bytes: missing,
        });
    }
    found
}

/// Returns the runs of bytes of `rows` by `columns` elements of a fractal matrix.
pub fn matrix_rows(fractals: &Fractals, rows: i64, columns: i64) -> Vec<Rows> {
    if rows <= 0 || columns <= 0 {
        return Vec::new();
    }
    let mut runs = Vec::new();
    let mut row = 0;
    while row < rows {
        // In the ZZ layout, rows of a strip are adjacent only within a group of sixteen.
        let run = fractals.run(rows - row);
        runs.push(Rows {
            start: fractals.at(row, 0),
            length: run * fractals.piece,
            pitch: fractals.strip,
            count: fractals.strips(columns),
        });
        row += run;
    }
    runs
}

/// Rounds a number of bytes up to whole blocks.
pub fn whole_blocks(bytes: i64) -> i64 {
    align(bytes, BLOCK_BYTES)
}
