//! Unit flags: M and FIX take turns at a part of L0C without any event.
//!
//! Each part has a flag. A product with unit flag 2 or 3 waits until it is clear, and 3 sets it at the end; a copy from
//! L0C with 2 or 3 waits until it is set, and 3 clears it. So the last product of a sum has 3, those before it 2, and
//! the copy 3.

use rustc_hash::FxHashSet;

use crate::{ControlFacts, Followed, Follower, PathState, SlotKey, follow_with, slot_key};
use a2lint_ir::{
    BufferId, Instr, LocalView, Program, ScalarId, Stmt, StmtId, StmtKind, VariableId,
};
use a2lint_isa::{Class, DST, Layout, Pipe, Position, SRC};

/// The unit flag of an instruction that waits and leaves the flag as it is.
const KEEPS: i64 = 2;
/// The unit flag of an instruction that waits and changes the flag.
const CHANGES: i64 = 3;

/// A wait for a unit flag that never ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnitFlagFault {
    /// A product waits for a part of L0C that an earlier product has completed and nothing has cleared.
    NotCleared,
    /// A copy waits for a part of L0C that no product has completed.
    NotSet,
}

/// The waits for unit flags of a kernel.
#[derive(Debug, Default)]
pub struct UnitFlags {
    /// Waits that end in no execution that reaches them.
    pub faults: Vec<(StmtId, UnitFlagFault)>,
    /// An instruction that is not known to find its flag as it needs it.
    pub unclear: Option<StmtId>,
}

impl UnitFlags {
    /// Follows the unit flags of a program.
    pub fn of(program: &Program, control: &ControlFacts) -> UnitFlags {
        let mut walk = Walk {
            program,
            control,
            parts: FxHashSet::default(),
            faults: FxHashSet::default(),
            found: UnitFlags::default(),
        };
        if !program
            .instructions()
            .iter()
            .any(|(_, it)| unit_flag(program, it) != Some(0))
        {
            return walk.found;
        }
        let end = follow_with(&program.body, State(Some(FxHashSet::default())), &mut walk);
        let mut found = walk.found;
        // Whether a launch takes the branch around an instruction with this state is not known.
        let is_certain = |&(id, _): &(StmtId, UnitFlagFault)| {
            let mut around = program.ancestors(id);
            !around.any(|stmt| matches!(stmt.kind, StmtKind::If { .. }))
        };
        let doubtful = found.faults.iter().find(|it| !is_certain(it));
        found.unclear = found.unclear.or(doubtful.map(|&(id, _)| id));
        found.faults.retain(is_certain);
        match end {
            Followed::End(State(Some(set))) if set.is_empty() => {}
            Followed::TooFar => {
                found.faults.clear();
                found.unclear = program.instructions().first().map(|(stmt, _)| stmt.id);
            }
            Followed::End(_) | Followed::Nowhere => {
                let uses = program.instructions().into_iter();
                let mut uses = uses.filter(|(_, it)| unit_flag(program, it) != Some(0));
                found.unclear = found.unclear.or(uses.next().map(|(stmt, _)| stmt.id));
            }
        }
        found
    }
}

/// A part of L0C: buffer, slot, start in the slot, rows and columns. The device has a flag for each fractal, so that
/// parts of other extents share some flags and not all.
type Part = (BufferId, SlotKey, i64, [ScalarId; 2]);

/// The parts whose flag is set; `None` if paths differ, or it is not known.
#[derive(Clone, Debug, PartialEq)]
struct State(Option<FxHashSet<Part>>);

impl PathState for State {
    fn join(&mut self, other: &Self) {
        if self.0 != other.0 {
            self.0 = None;
        }
    }
}

struct Walk<'p> {
    program: &'p Program,
    control: &'p ControlFacts,
    /// All parts that were used.
    parts: FxHashSet<Part>,
    faults: FxHashSet<StmtId>,
    found: UnitFlags,
}

impl<'p> Follower<'p, State> for Walk<'p> {
    fn control(&self) -> Option<&ControlFacts> {
        Some(self.control)
    }

    fn step(&mut self, stmt: &'p Stmt, state: &mut State) {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instruction(stmt, instr, state),
            StmtKind::Assign { variable, .. } => self.change(*variable, state),
            StmtKind::Opaque | StmtKind::Havoc(_) => state.0 = None,
            _ => {}
        }
    }

    fn again(&mut self, stmt: &'p Stmt, state: &mut State) {
        if let StmtKind::Loop { variable, .. } = &stmt.kind {
            self.change(*variable, state);
        }
    }
}

impl Walk<'_> {
    /// Forgets the state if a part whose flag is set is named by a variable that changes.
    fn change(&self, variable: VariableId, state: &mut State) {
        let scalars = &self.program.scalars;
        let changes = |id: &ScalarId| scalars.mentions(*id, variable) || scalars.has_unknown(*id);
        let moves = |(_, slot, _, extents): &Part| match slot {
            SlotKey::Symbolic(id) => changes(id) || extents.iter().any(changes),
            SlotKey::Constant(_) => extents.iter().any(changes),
        };
        if state.0.as_ref().is_some_and(|set| set.iter().any(moves)) {
            state.0 = None;
        }
    }

    fn instruction(&mut self, stmt: &Stmt, instr: &Instr, state: &mut State) {
        let flag = unit_flag(self.program, instr);
        if flag == Some(0) {
            return;
        }
        let is_product = instr.row().class == Class::Matmul;
        let view = instr.local(if is_product { DST } else { SRC });
        let known = flag
            .filter(|flag| [KEEPS, CHANGES].contains(flag))
            .zip(view.and_then(|view| self.part(instr, view)));
        let Some(((flag, part), set)) = known.zip(state.0.as_mut()) else {
            state.0 = None;
            self.found.unclear.get_or_insert(stmt.id);
            return;
        };
        let fault = match (is_product, set.contains(&part)) {
            (true, true) => Some(UnitFlagFault::NotCleared),
            (false, false) => Some(UnitFlagFault::NotSet),
            _ => None,
        };
        if let Some(fault) = fault.filter(|_| self.faults.insert(stmt.id)) {
            self.found.faults.push((stmt.id, fault));
        }
        match (is_product, flag == CHANGES) {
            (true, true) => {
                set.insert(part);
            }
            (false, true) => {
                set.remove(&part);
            }
            // One mistake is reported once.
            (true, false) | (false, false) if fault.is_some() => state.0 = None,
            (true, false) | (false, false) => {}
        }
    }

    /// Returns the part of L0C that a view names, if it is the same as others or apart from them.
    fn part(&mut self, instr: &Instr, view: &LocalView) -> Option<Part> {
        let buffer = self.program.buffer(view.buffer);
        let start = match buffer.layout {
            Layout::Linear => self.program.size(view.offset[1])?,
            Layout::Nd | Layout::Nz => return None,
        };
        let extents = [instr.scalar_named("M")?, instr.scalar_named("N")?];
        let part = (view.buffer, slot_key(self.program, view), start, extents);
        // Two expressions may pick one slot, and parts with other starts or extents may share fractals.
        let is_apart = |other: &Part| {
            let is_slot_known = match (other.1, part.1) {
                (SlotKey::Constant(_), SlotKey::Constant(_)) => true,
                (a, b) => a == b,
            };
            let is_as_large = (other.2, other.3) == (part.2, part.3);
            other.0 != part.0 || is_as_large && is_slot_known
        };
        (buffer.position == Position::L0C && self.parts.iter().all(is_apart)).then(|| {
            self.parts.insert(part);
            part
        })
    }
}

/// Returns the unit flag of an instruction, if it is constant; 0 for an instruction without one.
fn unit_flag(program: &Program, instr: &Instr) -> Option<i64> {
    let is_one = instr.row().class == Class::Matmul || instr.pipe() == Some(Pipe::Fix);
    match instr.named("unit_flag").filter(|_| is_one) {
        Some(flag) => flag
            .value
            .scalar()
            .map_or(Some(0), |id| program.scalars.as_int(id)),
        None => Some(0),
    }
}
