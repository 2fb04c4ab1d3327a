//! The state of the vector mask before each statement.

use rustc_hash::FxHashMap;

use a2lint_ir::{Instr, Program, Stmt, StmtId, StmtKind};
use a2lint_isa::{DType, ParamKind, Role, param};

/// What is known of the vector mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskState {
    /// Every lane is active: the state at kernel entry and after `reset_mask`.
    Full,
    /// Two known words.
    Words {
        /// Lanes 64 to 127.
        high: u64,
        /// Lanes 0 to 63.
        low: u64,
        /// The `set_mask` that has set them.
        set_by: StmtId,
    },
    /// Words that are not known, or that differ between paths.
    Unknown,
}

impl MaskState {
    /// Returns whether every lane that an instruction on this type has is known to be active.
    pub fn is_full_for(self, dtype: DType) -> bool {
        match self {
            MaskState::Full => true,
            MaskState::Unknown => false,
            MaskState::Words { high, low, .. } => {
                let low_full = match dtype.lanes() {
                    lanes if lanes >= 64 => low == u64::MAX,
                    // A shift by 64 would overflow.
                    lanes => low & ((1 << lanes) - 1) == (1 << lanes) - 1,
                };
                low_full && (dtype.lanes() <= 64 || high == u64::MAX)
            }
        }
    }

    fn join(self, other: MaskState) -> MaskState {
        if self == other {
            self
        } else {
            MaskState::Unknown
        }
    }
}

/// Returns the states that differ from [`MaskState::Full`], by statement.
pub(super) fn states(program: &Program) -> FxHashMap<StmtId, MaskState> {
    let mut walk = Walk {
        program,
        states: FxHashMap::default(),
        loops: Vec::new(),
    };
    walk.block(&program.body, Some(MaskState::Full), true);
    walk.states
}

/// The state at a place; `None` if control does not reach it.
type At = Option<MaskState>;

/// Returns the state after either of two.
fn join(a: At, b: At) -> At {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(b)),
        (a, b) => a.or(b),
    }
}

/// States with which iterations of a loop are left before their end.
#[derive(Default)]
struct Exits {
    /// At a break.
    out: At,
    /// At a continue.
    on: At,
}

/// Returns the words of a `set_mask`, high and low, where they are constant.
pub fn mask_words(program: &Program, instr: &Instr) -> [Option<u64>; 2] {
    let words = [param!(SetMask.mask_high), param!(SetMask.mask_low)];
    words.map(|at| {
        let scalar = instr.args.get(at)?.value.scalar()?;
        program.scalars.as_word(scalar)
    })
}

/// Returns whether nothing in a block changes the mask.
fn keeps(block: &[Stmt]) -> bool {
    let mut keeps = true;
    let mut visit = |stmt: &Stmt| {
        keeps &= match &stmt.kind {
            StmtKind::Instr(instr) => {
                !instr.row().changes_mask()
                    && instr.scalar(ParamKind::Count).is_none()
                    && instr.scalar(ParamKind::CountPerRepeat).is_none()
            }
            StmtKind::Opaque => false,
            _ => true,
        }
    };
    block.iter().for_each(|stmt| stmt.walk(&mut visit));
    keeps
}

struct Walk<'p> {
    program: &'p Program,
    states: FxHashMap<StmtId, MaskState>,
    /// The surrounding loops, innermost last.
    loops: Vec<Exits>,
}

impl Walk<'_> {
    /// Returns the state after a block; states before its statements are stored if `record` is set.
    /// Unreachable statements are under an unknown mask.
    fn block(&mut self, block: &[Stmt], mut state: At, record: bool) -> At {
        for stmt in block {
            let known = state.unwrap_or(MaskState::Unknown);
            if record && known != MaskState::Full {
                self.states.insert(stmt.id, known);
            }
            state = self.stmt(stmt, state, record);
        }
        state
    }

    fn stmt(&mut self, stmt: &Stmt, state: At, record: bool) -> At {
        match &stmt.kind {
            StmtKind::Instr(instr) => state.map(|state| self.instr(stmt.id, instr, state)),
            StmtKind::Opaque => state.map(|_| MaskState::Unknown),
            // A body that leaves the mask alone needs a single pass.
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } if keeps(body) => {
                self.iteration(body, state, record);
                state
            }
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                // The state at the head joins that before the loop and that at the end of the body. One pass
                // without recording suffices: the state is either the same there or becomes unknown.
                let (end, _) = match record {
                    true if state != Some(MaskState::Unknown) => self.iteration(body, state, false),
                    _ => (Some(MaskState::Unknown), None),
                };
                let head = join(state, end);
                let (end, out) = self.iteration(body, head, record);
                join(join(state, end), out)
            }
            StmtKind::If { arms, otherwise } => {
                let mut joined = self.block(otherwise, state, record);
                for arm in arms {
                    joined = join(joined, self.block(&arm.body, state, record));
                }
                joined
            }
            StmtKind::Break => self.leave(state, |exits| &mut exits.out),
            StmtKind::Continue => self.leave(state, |exits| &mut exits.on),
            StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => self.block(body, state, record),
            StmtKind::Assign { .. } | StmtKind::Havoc(_) => state,
        }
    }

    /// Returns the states at the end of an iteration and at its breaks.
    fn iteration(&mut self, body: &[Stmt], head: At, record: bool) -> (At, At) {
        self.loops.push(Exits::default());
        let end = self.block(body, head, record);
        let exits = self.loops.pop().unwrap_or_default();
        (join(end, exits.on), exits.out)
    }

    /// Adds a state to an exit of the innermost loop; the statement after it is not reached.
    fn leave(&mut self, state: At, exit: impl Fn(&mut Exits) -> &mut At) -> At {
        if let Some(exits) = self.loops.last_mut() {
            let exit = exit(exits);
            *exit = join(*exit, state);
        }
        None
    }

    fn instr(&self, id: StmtId, instr: &Instr, state: MaskState) -> MaskState {
        match instr.row().role {
            Role::ResetsMask => MaskState::Full,
            Role::SetsMask => match mask_words(self.program, instr) {
                [Some(u64::MAX), Some(u64::MAX)] => MaskState::Full,
                [Some(high), Some(low)] => MaskState::Words {
                    high,
                    low,
                    set_by: id,
                },
                _ => MaskState::Unknown,
            },
            // Such a call sets the mask for itself, and leaves every lane active.
            _ if instr.scalar(ParamKind::Count).is_some()
                || instr.scalar(ParamKind::CountPerRepeat).is_some() =>
            {
                MaskState::Full
            }
            _ => state,
        }
    }
}
