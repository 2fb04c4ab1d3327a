//! Reaching definitions: the writes that a read of on-chip memory may find.
//!
//! One walk carries, for every slot, the writes that may have left its bytes. A write replaces bytes only
//! where it certainly writes them; whatever the body of a loop writes may be found at its head. Unknown code
//! and illegal instructions are a source of their own, about which nothing is known.

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::extents::Slots;
use super::ranges::RangeSet;
use super::{Analysis, MaskState, OperandExtent, Touch};
use a2lint_ir::{BufferId, Instr, Program, Stmt, StmtId, StmtKind, View};
use a2lint_isa::MaskUse;

/// Maximum number of sources of one slot that are distinguished; more are joined into one.
const MAX_SOURCES: usize = 24;

/// A source of bytes that a read finds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A written operand, by its position in [`Analysis::touches`].
    Touch(usize),
    /// Any of several sources.
    Join(Vec<SourceId>),
    /// Something about which nothing is known.
    Unknown,
}

/// Position in [`Reaching::sources`].
pub type SourceId = u32;

/// The sources of every read.
#[derive(Clone, Debug, Default)]
pub struct Reaching {
    /// Every source. Joins come after what they join.
    pub sources: Vec<Source>,
    /// Sources by statement and operand; undefined memory has none.
    found: FxHashMap<(StmtId, usize), Vec<SourceId>>,
}

impl Reaching {
    /// Follows the writes of a program whose touches are known.
    pub(super) fn of(program: &Program, analysis: &Analysis) -> Reaching {
        let mut walk = Walk {
            program,
            analysis,
            reaching: Reaching {
                sources: vec![Source::Unknown],
                found: FxHashMap::default(),
            },
            escaped: escaped(program),
            by_touch: FxHashMap::default(),
        };
        walk.block(&program.body, &mut State::default());
        walk.reaching
    }

    /// Returns the sources of what an operand reads.
    pub fn sources_of(&self, stmt: StmtId, operand: usize) -> &[SourceId] {
        self.found.get(&(stmt, operand)).map_or(&[], Vec::as_slice)
    }

    /// Returns the touches whose writes an operand may find, in program order, or `None` if something else
    /// may have written what it reads.
    pub fn writers(&self, stmt: StmtId, operand: usize) -> Option<Vec<usize>> {
        let (writers, are_all) = self.known_writers(stmt, operand);
        are_all.then_some(writers)
    }

    /// Returns the known touches whose writes an operand may find, in program order, and whether nothing else may have
    /// written what it reads.
    pub fn known_writers(&self, stmt: StmtId, operand: usize) -> (Vec<usize>, bool) {
        let mut open = self.sources_of(stmt, operand).to_vec();
        let mut writers = Vec::new();
        let mut are_all = true;
        while let Some(source) = open.pop() {
            match &self.sources[source as usize] {
                Source::Touch(touch) => writers.push(*touch),
                Source::Join(joined) => open.extend(joined),
                Source::Unknown => are_all = false,
            }
        }
        writers.sort_unstable();
        writers.dedup();
        (writers, are_all)
    }
}

const UNKNOWN: SourceId = 0;

/// A source with the bytes of a slot that it may have left; `None` for the whole slot.
type Left = (SourceId, Option<RangeSet>);

/// The contents that every slot may have.
#[derive(Clone, Debug, Default)]
struct State {
    /// Shared between the states of paths until one of them changes it.
    slots: FxHashMap<(BufferId, u8), Rc<Vec<Left>>>,
}

impl State {
    /// Returns the sources that an operand may find.
    fn found(&self, buffer: BufferId, extent: &OperandExtent) -> Vec<SourceId> {
        let may = extent.footprint.may();
        let mut found = Vec::new();
        for slot in extent.slots.iter() {
            let left = self.slots.get(&(buffer, slot));
            for (source, bytes) in left.into_iter().flat_map(|left| left.iter()) {
                let meets = match (bytes, may) {
                    (Some(bytes), Some(may)) => bytes.intersects(may),
                    _ => true,
                };
                if meets {
                    found.push(*source);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// Returns the buffers that were passed to unknown code.
fn escaped(program: &Program) -> FxHashSet<BufferId> {
    let mut escaped = FxHashSet::default();
    // Only code that may contain instructions can use a buffer again later.
    if program.hides_instructions() {
        program.walk(&mut |stmt| {
            if let StmtKind::Havoc(views) = &stmt.kind {
                escaped.extend(views.iter().filter_map(View::local).map(|view| view.buffer));
            }
        });
    }
    escaped
}

struct Walk<'a, 'p> {
    program: &'a Program,
    analysis: &'a Analysis<'p>,
    reaching: Reaching,
    /// Buffers that were passed to unknown code, which may keep them.
    escaped: FxHashSet<BufferId>,
    by_touch: FxHashMap<usize, SourceId>,
}

impl Walk<'_, '_> {
    fn block(&mut self, block: &[Stmt], state: &mut State) {
        for stmt in block {
            self.stmt(stmt, state);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, state: &mut State) {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instr(stmt.id, instr, state),
            StmtKind::Havoc(views) => {
                for view in views.iter().filter_map(View::local) {
                    self.obscure(state, view.buffer);
                }
            }
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                // Before the body, since an iteration may find what an earlier one wrote.
                self.written_in(body, state);
                let before = state.clone();
                self.block(body, state);
                // The body may not be executed at all.
                self.join(state, &before);
            }
            StmtKind::If { arms, otherwise } => {
                let before = state.clone();
                self.block(otherwise, state);
                for arm in arms {
                    let mut path = before.clone();
                    self.block(&arm.body, &mut path);
                    self.join(state, &path);
                }
            }
            kind => {
                for body in kind.blocks() {
                    self.block(body, state);
                }
            }
        }
    }

    /// Adds what the body of a loop may have written to the state at its head.
    fn written_in(&mut self, body: &[Stmt], state: &mut State) {
        for stmt in body {
            match &stmt.kind {
                StmtKind::Instr(instr) => {
                    for at in self.analysis.touches_at(stmt.id) {
                        self.write(at, state, false);
                    }
                    self.illegal(stmt.id, instr, state);
                }
                StmtKind::Havoc(views) => {
                    for view in views.iter().filter_map(View::local) {
                        self.obscure(state, view.buffer);
                    }
                }
                kind => {
                    for nested in kind.blocks() {
                        self.written_in(nested, state);
                    }
                }
            }
        }
    }

    fn instr(&mut self, stmt: StmtId, instr: &Instr, state: &mut State) {
        // An instruction reads its operands before it writes.
        for (operand, _, view) in instr
            .operands()
            .filter(|(_, operand, _)| operand.access.reads())
        {
            if let (Some(view), Some(extent)) = (view.local(), self.analysis.extent(stmt, operand))
            {
                let mut found = state.found(view.buffer, extent);
                if self.escaped.contains(&view.buffer) && found.first() != Some(&UNKNOWN) {
                    found.push(UNKNOWN);
                    found.sort_unstable();
                }
                self.reaching.found.insert((stmt, operand), found);
            }
        }
        for at in self.analysis.touches_at(stmt) {
            self.write(at, state, true);
        }
        self.illegal(stmt, instr, state);
    }

    /// Makes the destinations of an instruction without touches unknown.
    fn illegal(&mut self, stmt: StmtId, instr: &Instr, state: &mut State) {
        if !self.analysis.touches_at(stmt).is_empty() {
            return;
        }
        for (_, operand, view) in instr.operands() {
            if let Some(view) = view.local().filter(|_| operand.access.writes()) {
                self.obscure(state, view.buffer);
            }
        }
    }

    /// Adds a write; it replaces the bytes that it certainly writes.
    fn write(&mut self, at: usize, state: &mut State, is_certain: bool) {
        let touch = &self.analysis.touches[at];
        if !touch.access.writes() {
            return;
        }
        let source = *self.by_touch.entry(at).or_insert_with(|| {
            self.reaching.sources.push(Source::Touch(at));
            self.reaching.sources.len() as SourceId - 1
        });
        let taken = (is_certain && writes_all(self.analysis, touch))
            .then(|| touch.slots.only())
            .flatten()
            .map(|slot| (slot, touch.footprint.must()));
        for slot in touch.slots.iter() {
            let left = state.slots.entry((touch.view.buffer, slot)).or_default();
            let left = Rc::make_mut(left);
            left.retain_mut(|(known, bytes)| {
                if let (Some((_, taken)), Some(bytes)) = (taken, bytes.as_mut()) {
                    *bytes = bytes.minus(taken);
                    return !bytes.is_empty() && *known != source;
                }
                *known != source
            });
            left.push((source, touch.footprint.may().cloned()));
            self.reaching.keep_few(left);
        }
        // How much of the old contents is left is unknown.
        if is_masked(touch) && self.analysis.mask_at(touch.stmt.id) == MaskState::Unknown {
            self.obscure(state, touch.view.buffer);
        }
    }

    fn obscure(&mut self, state: &mut State, buffer: BufferId) {
        let slots = self.program.buffer(buffer).slots;
        for slot in Slots::all(slots.into()).iter() {
            let left = state.slots.entry((buffer, slot)).or_default();
            if !left.iter().any(|(source, _)| *source == UNKNOWN) {
                Rc::make_mut(left).push((UNKNOWN, None));
            }
        }
    }

    /// Adds the sources of another state.
    fn join(&mut self, state: &mut State, other: &State) {
        for (key, more) in &other.slots {
            let left = state.slots.entry(*key).or_insert_with(|| more.clone());
            // Paths that wrote nothing share their lists.
            if Rc::ptr_eq(left, more) {
                continue;
            }
            let left = Rc::make_mut(left);
            for (source, bytes) in more.iter() {
                match left.iter_mut().find(|(known, _)| known == source) {
                    None => left.push((*source, bytes.clone())),
                    Some((_, known)) => {
                        *known = match (known.take(), bytes) {
                            (Some(mut a), Some(b)) => {
                                a.union(b);
                                Some(a)
                            }
                            _ => None,
                        };
                    }
                }
            }
            self.reaching.keep_few(left);
        }
    }
}

impl Reaching {
    /// Joins the sources of a slot into one if there are too many.
    fn keep_few(&mut self, left: &mut Vec<Left>) {
        if left.len() <= MAX_SOURCES {
            return;
        }
        let mut bytes = Some(RangeSet::default());
        for (_, more) in left.iter() {
            bytes = match (bytes, more) {
                (Some(mut bytes), Some(more)) => {
                    bytes.union(more);
                    Some(bytes)
                }
                _ => None,
            };
        }
        let joined = left.iter().map(|(source, _)| *source).collect();
        self.sources.push(Source::Join(joined));
        *left = vec![(self.sources.len() as SourceId - 1, bytes)];
    }
}

/// Returns whether a write changes all of the bytes that it must touch: under a mask with inactive lanes it
/// may not.
fn writes_all(analysis: &Analysis, touch: &Touch) -> bool {
    let operands = touch.instr.operands();
    let mut types = operands.filter_map(|(_, _, view)| Some(view.local()?.dtype));
    let mask = analysis.mask_at(touch.stmt.id);
    !is_masked(touch) || types.all(|dtype| mask.is_full_for(dtype))
}

/// Returns whether the vector mask decides which lanes an instruction writes.
fn is_masked(touch: &Touch) -> bool {
    let row = touch.instr.row();
    let is_free = matches!(row.mask, MaskUse::Ignored | MaskUse::NotVector);
    !is_free && !touch.instr.is_counted()
}
