//! The bytes of on-chip buffers that may have been written before they are read.
//!
//! The walk carries two over-approximations. `first` is the state in the first pass through every surrounding
//! loop: an unguarded statement is executed in it, so bytes that are undefined there are certainly read
//! undefined. `any` joins all passes: bytes that are undefined there are undefined in every iteration.

use rustc_hash::{FxHashMap, FxHashSet};

use super::escape::stores_to_workspace;
use super::extents::{OperandExtent, Slots};
use super::footprint::view_bytes;
use super::{Analysis, Gap, Touch, UndefinedRead, slot_key};
use crate::ranges::RangeSet;
use a2lint_ir::{BufferId, Instr, LocalView, Program, Stmt, StmtId, StmtKind, View};
use a2lint_isa::{Access, Class, DST, MaskUse, Position, Role};

/// Computes the definedness of all reads. The destination of an erroneous instruction counts as defined with
/// unknown values, and the instruction makes no accesses.
pub(super) fn analyse<'p>(
    program: &'p Program,
    analysis: &mut Analysis<'p>,
    erroneous: FxHashSet<StmtId>,
) {
    let mut walk = Walk {
        program,
        erroneous,
        analysis,
        written_in: FxHashMap::default(),
        guards: 0,
        blind: FxHashSet::default(),
    };
    let mut state = Pair::default();
    walk.block(&program.body, &mut state);
    let blind = std::mem::take(&mut walk.blind);
    settle_gaps(program, analysis, &blind);
}

/// The bytes of every slot that may be defined, relative to the start of the slot.
#[derive(Clone, Debug, Default)]
struct Defined {
    slots: FxHashMap<(BufferId, u8), RangeSet>,
}

/// The defined bytes in the first pass through all surrounding loops, and those in any pass.
#[derive(Clone, Debug, Default)]
struct Pair {
    first: Defined,
    any: Defined,
}

/// Bytes that may be written in one of some slots.
#[derive(Clone, Debug)]
struct Write {
    buffer: BufferId,
    slots: Slots,
    /// The slots in the first pass through every surrounding loop.
    first_slots: Slots,
    /// `None` for the whole slot.
    bytes: Option<RangeSet>,
}

/// Returns a set that contains every byte of a slot and of its surroundings.
fn everywhere() -> RangeSet {
    // A quarter of the range, so that shifting the set does not overflow.
    RangeSet::span(i64::MIN / 4, i64::MAX / 4)
}

impl Defined {
    fn write(&mut self, buffer: BufferId, slots: Slots, bytes: Option<&RangeSet>) {
        for slot in slots.iter() {
            let entry = self.slots.entry((buffer, slot)).or_default();
            match bytes {
                Some(bytes) => entry.union(bytes),
                None => *entry = everywhere(),
            }
        }
    }

    fn join(&mut self, other: &Defined) {
        for (key, bytes) in &other.slots {
            self.slots.entry(*key).or_default().union(bytes);
        }
    }

    /// Returns the bytes that may be defined in one of some slots.
    fn seen(&self, buffer: BufferId, slots: Slots) -> RangeSet {
        let mut bytes = RangeSet::default();
        for slot in slots.iter() {
            if let Some(written) = self.slots.get(&(buffer, slot)) {
                bytes.union(written);
            }
        }
        bytes
    }
}

struct Walk<'a, 'p> {
    program: &'p Program,
    analysis: &'a mut Analysis<'p>,
    /// Statements whose instruction is erroneous.
    erroneous: FxHashSet<StmtId>,
    /// The possible writes of the body of a loop, by the address of its statement list.
    written_in: FxHashMap<*const Stmt, Vec<Write>>,
    /// Counts the reasons why the current statement may be skipped in a loop's first iteration: enclosing `if`s, and
    /// earlier statements that may leave the iteration.
    guards: u32,
    /// Buffers with a reader of unknown footprint.
    blind: FxHashSet<BufferId>,
}

impl<'p> Walk<'_, 'p> {
    fn block(&mut self, block: &'p [Stmt], state: &mut Pair) {
        let guards = self.guards;
        for stmt in block {
            self.stmt(stmt, state);
            // The rest of the block is guarded by a conditional `break_()` or `continue_()`.
            self.guards += u32::from(stmt.leaves_iteration());
        }
        self.guards = guards;
    }

    fn stmt(&mut self, stmt: &'p Stmt, state: &mut Pair) {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instr(stmt, instr, state),
            StmtKind::Havoc(views) => {
                for view in views.iter().filter_map(View::local) {
                    state.write(&havoc(self.program, view));
                    self.analysis.obscured.insert(view.buffer);
                    self.analysis.overwritten.insert(view.buffer);
                }
            }
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                let writes = self.writes(body);
                // Earlier passes may have written before any statement of the body; in `first` there is no
                // earlier pass.
                state.any.write_all(&writes);
                self.block(body, state);
                // After the loop, further passes may have been made.
                state.first.write_all(&writes);
            }
            StmtKind::If { arms, otherwise } => {
                let before = state.clone();
                let mut joined: Option<Pair> = None;
                self.guards += 1;
                for body in arms.iter().map(|arm| &arm.body).chain([otherwise]) {
                    let mut path = before.clone();
                    self.block(body, &mut path);
                    match &mut joined {
                        None => joined = Some(path),
                        Some(joined) => {
                            joined.first.join(&path.first);
                            joined.any.join(&path.any);
                        }
                    }
                }
                self.guards -= 1;
                *state = joined.unwrap_or(before);
            }
            StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => self.block(body, state),
            StmtKind::Assign { .. } | StmtKind::Break | StmtKind::Continue | StmtKind::Opaque => {}
        }
    }

    /// Returns everything that a block may write. Cached: each surrounding loop asks for it again.
    fn writes(&mut self, block: &'p [Stmt]) -> Vec<Write> {
        let key = block.as_ptr();
        if let Some(writes) = self.written_in.get(&key) {
            return writes.clone();
        }
        let mut writes = Vec::new();
        for stmt in block {
            match &stmt.kind {
                StmtKind::Instr(instr) => {
                    let legal = !self.erroneous.contains(&stmt.id);
                    writes.extend(self.instr_writes(stmt.id, instr, legal));
                }
                StmtKind::Havoc(views) => {
                    let views = views.iter().filter_map(View::local);
                    writes.extend(views.map(|view| havoc(self.program, view)));
                }
                kind => {
                    for nested in kind.blocks() {
                        writes.extend(self.writes(nested));
                    }
                }
            }
        }
        let merged = merge(writes);
        self.written_in.insert(key, merged.clone());
        merged
    }

    fn instr(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &mut Pair) {
        let legal = !self.erroneous.contains(&stmt.id);
        if legal {
            self.reads(stmt, instr, state);
        } else {
            let touched = instr.operands().filter_map(|(_, _, view)| view.local());
            let buffers = touched.map(|view| view.buffer);
            self.analysis.obscured.extend(buffers);
            let written = instr
                .operands()
                .filter(|(_, operand, _)| operand.access.writes());
            let written = written.filter_map(|(_, _, view)| Some(view.local()?.buffer));
            self.analysis.overwritten.extend(written);
        }
        // The state before the fill: afterwards its own bytes are defined.
        let gap_before = match legal {
            true => self.before_fill(stmt.id, instr, state),
            false => None,
        };
        for write in self.instr_writes(stmt.id, instr, legal) {
            state.write(&write);
        }
        if let Some(before) = gap_before {
            self.gap(stmt, instr, &before);
        }
    }

    fn extent(&self, stmt: StmtId, operand: usize) -> Option<&OperandExtent> {
        self.analysis.extent(stmt, operand)
    }

    /// For a fill, returns the bytes of its destination that may be defined before it in the first pass.
    fn before_fill(&self, stmt: StmtId, instr: &Instr, state: &Pair) -> Option<RangeSet> {
        if instr.row().class != Class::Fill {
            return None;
        }
        let view = instr.local(DST)?;
        let slots = self.extent(stmt, DST)?.first_slots;
        Some(state.first.seen(view.buffer, slots))
    }

    /// Returns the bytes that an instruction may write. Without a bound that is the whole slot; an illegal
    /// instruction leaves defined, unknown values.
    fn instr_writes(&self, stmt: StmtId, instr: &Instr, legal: bool) -> Vec<Write> {
        let written = |buffer| legal && self.program.buffer(buffer).position == Position::Ub;
        instr
            .operands()
            .filter(|(_, operand, _)| operand.access.writes())
            .filter_map(|(index, _, view)| {
                let buffer = view.local()?.buffer;
                let extent = self.extent(stmt, index)?;
                Some(Write {
                    buffer,
                    slots: extent.slots,
                    first_slots: extent.first_slots,
                    bytes: extent.footprint.may().filter(|_| written(buffer)).cloned(),
                })
            })
            .collect()
    }

    fn reads(&mut self, stmt: &'p Stmt, instr: &'p Instr, state: &Pair) {
        for (index, operand, view) in instr.operands() {
            let Some(view) = view.local() else { continue };
            let Some(extent) = self.extent(stmt.id, index) else {
                continue;
            };
            let (slots, first_slots) = (extent.slots, extent.first_slots);
            let touch = Touch {
                stmt,
                instr,
                operand: index,
                access: effective_access(instr, operand.access),
                view,
                footprint: extent.footprint.clone(),
                slots,
            };
            let reads = touch.access.reads();
            let at = self.analysis.add(touch);
            if !reads || !judged(self.program, instr, view.buffer) {
                continue;
            }
            let footprint = &self.analysis.touches[at].footprint;
            if footprint.may().is_none() {
                self.blind.insert(view.buffer);
            }
            // An unguarded statement is executed in the first pass, whose state is the smaller one.
            let defined = match self.guards {
                0 => state.first.seen(view.buffer, first_slots),
                _ => state.any.seen(view.buffer, slots),
            };
            let undefined = match footprint.must() {
                // It may touch some byte, and no byte there is defined.
                must if must.is_empty() && defined.is_empty() => match footprint.may() {
                    Some(may) => may.clone(),
                    None => everywhere(),
                },
                must => must.minus(&defined),
            };
            if undefined.is_empty() {
                continue;
            }
            let entirely = footprint
                .may()
                .map_or(defined.is_empty(), |may| !may.intersects(&defined));
            let under_full_mask = self.analysis.mask_at(stmt.id).is_full_for(view.dtype)
                || instr.row().mask == MaskUse::Ignored
                || instr.row().mask == MaskUse::NotVector;
            let is_judged_here = under_full_mask && !stores_to_workspace(self.program, instr);
            if entirely || is_judged_here {
                self.analysis.undefined_reads.push(UndefinedRead {
                    touch: at,
                    instr,
                    bytes: undefined,
                    entirely,
                });
            }
        }
    }

    fn gap(&mut self, stmt: &'p Stmt, instr: &'p Instr, before: &RangeSet) {
        let Some(view) = instr.local(DST) else { return };
        let (Some(written), Some(wanted)) = (
            self.extent(stmt.id, DST)
                .and_then(|extent| extent.footprint.exact())
                .cloned(),
            view_bytes(self.program, view),
        ) else {
            return;
        };
        let missing = wanted.minus(&written).minus(before);
        if missing.is_empty() {
            return;
        }
        self.analysis.gaps.push(Gap {
            stmt,
            instr,
            view,
            written: wanted.intersection(&written),
            missing,
            readers_known: true,
            readers: Vec::new(),
        });
    }
}

impl Pair {
    fn write(&mut self, write: &Write) {
        let bytes = write.bytes.as_ref();
        self.first.write(write.buffer, write.first_slots, bytes);
        self.any.write(write.buffer, write.slots, bytes);
    }
}

impl Defined {
    fn write_all(&mut self, writes: &[Write]) {
        for write in writes {
            self.write(write.buffer, write.slots, write.bytes.as_ref());
        }
    }
}

/// Returns the write of code that leaves unknown, defined contents in a view.
fn havoc(program: &Program, view: &LocalView) -> Write {
    let slots = Slots::any(program, view);
    Write {
        buffer: view.buffer,
        slots,
        first_slots: slots,
        bytes: None,
    }
}

/// Finds the readers of the bytes that each `dup` leaves out.
fn settle_gaps(program: &Program, analysis: &mut Analysis, blind: &FxHashSet<BufferId>) {
    let mut gaps = std::mem::take(&mut analysis.gaps);
    for gap in &mut gaps {
        gap.readers_known =
            !blind.contains(&gap.view.buffer) && !analysis.obscured.contains(&gap.view.buffer);
        gap.readers = analysis
            .undefined_reads
            .iter()
            .filter(|read| {
                let touch = &analysis.touches[read.touch];
                touch.view.buffer == gap.view.buffer
                    && slot_key(program, touch.view) == slot_key(program, gap.view)
                    && touch.stmt.id > gap.stmt.id
                    && read.bytes.intersects(&gap.missing)
            })
            .map(|read| read.touch)
            .collect();
    }
    analysis.gaps = gaps;
}

/// Returns the access of an operand; accumulation into a fresh tile is a write.
fn effective_access(instr: &Instr, access: Access) -> Access {
    let starts_fresh = instr.row().class == Class::Matmul;
    match access {
        Access::ReadWrite if starts_fresh => Access::Write,
        other => other,
    }
}

/// Returns whether undefined reads of a buffer by an instruction are reported: not those of the bias table,
/// and not those of instructions that set the comparison mask.
fn judged(program: &Program, instr: &Instr, buffer: BufferId) -> bool {
    let position = program.buffer(buffer).position;
    position != Position::Bt && instr.row().role != Role::SetsComparison
}

fn merge(writes: Vec<Write>) -> Vec<Write> {
    let mut places: FxHashMap<(BufferId, Slots), usize> = FxHashMap::default();
    let mut merged: Vec<Write> = Vec::new();
    for write in writes {
        let at = *places
            .entry((write.buffer, write.slots))
            .or_insert(merged.len());
        match merged.get_mut(at) {
            None => merged.push(write),
            Some(have) => match (&mut have.bytes, &write.bytes) {
                (Some(bytes), Some(more)) => bytes.union(more),
                (bytes, _) => *bytes = None,
            },
        }
    }
    merged
}
