//! State of the vector mask before each statement.

use rustc_hash::FxHashMap;

use crate::ir::{Instr, Program, Stmt, StmtId, StmtKind};
use crate::isa::{DType, Opcode, ParamKind};

/// What is known of the vector mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskState {
    /// Every lane is active: the state at kernel entry and after `reset_mask`.
    Full,
    /// Two known words, set by the statement named.
    Words {
        /// Lanes 64 to 127.
        high: u64,
        /// Lanes 0 to 63.
        low: u64,
        /// The `set_mask`.
        set_by: StmtId,
    },
    /// Set, but not to known words, or differently on different paths.
    Unknown,
}

impl MaskState {
    /// Whether every lane an instruction on this type has is known to be active.
    pub fn is_full_for(self, dtype: DType) -> bool {
        match self {
            MaskState::Full => true,
            MaskState::Unknown => false,
            MaskState::Words { high, low, .. } => {
                let low_full = match dtype.lanes() {
                    lanes if lanes >= 64 => low == u64::MAX,
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

/// The states that differ from [`MaskState::Full`], by statement.
pub(super) fn states(program: &Program) -> FxHashMap<StmtId, MaskState> {
    let mut walk = Walk {
        program,
        states: FxHashMap::default(),
    };
    walk.block(&program.body, MaskState::Full, true);
    walk.states
}

struct Walk<'p> {
    program: &'p Program,
    states: FxHashMap<StmtId, MaskState>,
}

impl Walk<'_> {
    /// State behind a block; states before statements are kept when `record` is set.
    fn block(&mut self, block: &[Stmt], mut state: MaskState, record: bool) -> MaskState {
        for stmt in block {
            if record && state != MaskState::Full {
                self.states.insert(stmt.id, state);
            }
            state = self.stmt(stmt, state, record);
        }
        state
    }

    fn stmt(&mut self, stmt: &Stmt, state: MaskState, record: bool) -> MaskState {
        match &stmt.kind {
            StmtKind::Instr(instr) => self.instr(stmt.id, instr, state),
            StmtKind::Opaque => MaskState::Unknown,
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                // What the body leaves behind meets what it found at its next start. One look
                // without recording is enough: the state is either kept or no longer known.
                let end = match record {
                    true if state != MaskState::Unknown => self.block(body, state, false),
                    _ => MaskState::Unknown,
                };
                let head = state.join(end);
                self.block(body, head, record);
                state.join(end)
            }
            StmtKind::If { arms, otherwise } => {
                let mut joined = self.block(otherwise, state, record);
                for arm in arms {
                    joined = joined.join(self.block(&arm.body, state, record));
                }
                joined
            }
            StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => self.block(body, state, record),
            StmtKind::Assign { .. } | StmtKind::Break | StmtKind::Continue | StmtKind::Havoc(_) => {
                state
            }
        }
    }

    fn instr(&self, id: StmtId, instr: &Instr, state: MaskState) -> MaskState {
        match instr.opcode {
            Opcode::ResetMask => MaskState::Full,
            Opcode::SetMask => {
                let word = |at: usize| {
                    let scalar = instr.args.get(at)?.value.scalar()?;
                    self.program.scalars.as_int(scalar).map(|word| word as u64)
                };
                match (word(0), word(1)) {
                    (Some(u64::MAX), Some(u64::MAX)) => MaskState::Full,
                    (Some(high), Some(low)) => MaskState::Words {
                        high,
                        low,
                        set_by: id,
                    },
                    _ => MaskState::Unknown,
                }
            }
            _ if instr.scalar(ParamKind::Count).is_some()
                || instr.scalar(ParamKind::CountPerRepeat).is_some() =>
            {
                MaskState::Full
            }
            _ => state,
        }
    }
}
