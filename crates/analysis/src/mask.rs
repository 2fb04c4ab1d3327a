//! The vector mask: its state before each statement, and the settings of it that reach each instruction.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::paths::{Followed, Follower, PathState, follow_with};
use a2lint_ir::{ArgValue, Instr, Program, Stmt, StmtId, StmtKind};
use a2lint_isa::{Class, DType, ParamKind, Role, SelectMode, param};

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

/// Returns the words of a `set_mask`, high and low, where they are constant.
pub fn mask_words(program: &Program, instr: &Instr) -> [Option<u64>; 2] {
    let words = [param!(SetMask.mask_high), param!(SetMask.mask_low)];
    words.map(|at| {
        let scalar = instr.args.get(at)?.value.scalar()?;
        program.scalars.as_word(scalar)
    })
}

/// The origin of a vector mask.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MaskOrigin {
    /// The start of the kernel, or a reset: every lane is active.
    Full,
    /// A `set_mask`.
    Set(StmtId),
    /// A `set_mask` that an instruction with a count has replaced by the full mask.
    Cleared {
        /// The `set_mask`.
        set: StmtId,
        /// The instruction.
        by: StmtId,
    },
    /// A `set_mask` before an instruction that resets the mask on hardware.
    Doubtful {
        /// The `set_mask`.
        set: StmtId,
        /// The instruction.
        by: StmtId,
    },
    /// Not known.
    Unknown,
}

/// The masks that reach one place, ascending and without repetition.
pub type Origins = SmallVec<[MaskOrigin; 2]>;

/// The masks that reach instructions.
#[derive(Clone, Debug, Default)]
pub struct MaskReach {
    /// Before each vector instruction, if another mask than the full one reaches it.
    before: FxHashMap<StmtId, Origins>,
    /// At the end of the kernel.
    at_end: Origins,
}

impl MaskReach {
    /// Returns the masks under which an instruction may be executed.
    pub fn before(&self, stmt: StmtId) -> &[MaskOrigin] {
        match self.before.get(&stmt) {
            Some(origins) => origins,
            None => &[MaskOrigin::Full],
        }
    }

    /// Returns the masks with which the kernel may end.
    pub fn at_end(&self) -> &[MaskOrigin] {
        &self.at_end
    }
}

/// The masks with which control may reach one place.
#[derive(Clone, Debug, PartialEq)]
struct Masks {
    known: MaskState,
    origins: Origins,
}

impl Masks {
    fn one(known: MaskState, origin: MaskOrigin) -> Masks {
        let origins = SmallVec::from_slice(&[origin]);
        Masks { known, origins }
    }

    fn full() -> Masks {
        Masks::one(MaskState::Full, MaskOrigin::Full)
    }

    fn unknown() -> Masks {
        Masks::one(MaskState::Unknown, MaskOrigin::Unknown)
    }

    fn add(&mut self, origins: &[MaskOrigin]) {
        self.origins.extend_from_slice(origins);
        self.sort();
    }

    fn change(&mut self, change: impl Fn(&mut MaskOrigin)) {
        self.origins.iter_mut().for_each(change);
        self.sort();
    }

    fn sort(&mut self) {
        self.origins.sort_unstable();
        self.origins.dedup();
    }
}

impl PathState for Masks {
    fn join(&mut self, other: &Masks) {
        self.known = self.known.join(other.known);
        self.add(&other.origins);
    }
}

/// The masks before each statement; full where none is given.
struct Walk<'p> {
    program: &'p Program,
    states: FxHashMap<StmtId, MaskState>,
    reach: MaskReach,
}

/// Follows the mask through a program. Returns the states that differ from [`MaskState::Full`], by statement, and the
/// masks that reach instructions.
pub(super) fn masks(program: &Program) -> (FxHashMap<StmtId, MaskState>, MaskReach) {
    if stays_full(program) {
        let mut reach = MaskReach::default();
        reach.at_end.push(MaskOrigin::Full);
        return (FxHashMap::default(), reach);
    }
    let mut walk = Walk::unknown(program);
    match follow_with(&program.body, Masks::full(), &mut walk) {
        Followed::End(masks) => walk.reach.at_end = masks.origins,
        Followed::Nowhere => {}
        Followed::TooFar => walk = Walk::unknown(program),
    }
    (walk.states, walk.reach)
}

/// Returns whether all statements are reached, and nothing sets the mask.
fn stays_full(program: &Program) -> bool {
    let mut stays = true;
    program.walk(&mut |stmt| {
        stays &= match &stmt.kind {
            StmtKind::Instr(instr) => instr.row().role != Role::SetsMask,
            StmtKind::Opaque | StmtKind::Break | StmtKind::Continue => false,
            _ => true,
        };
    });
    stays
}

impl<'p> Walk<'p> {
    /// Nothing is known: so it stays where no path leads.
    fn unknown(program: &'p Program) -> Walk<'p> {
        let mut walk = Walk {
            program,
            states: FxHashMap::default(),
            reach: MaskReach::default(),
        };
        let masks = Masks::unknown();
        program.walk(&mut |stmt| walk.record(stmt, &masks));
        walk.reach.at_end = masks.origins;
        walk
    }

    /// Records the masks before a statement, in place of those of an earlier visit.
    fn record(&mut self, stmt: &Stmt, masks: &Masks) {
        match masks.known {
            MaskState::Full => self.states.remove(&stmt.id),
            known => self.states.insert(stmt.id, known),
        };
        let StmtKind::Instr(instr) = &stmt.kind else {
            return;
        };
        if instr.row().is_vector() {
            match masks.origins[..] {
                [MaskOrigin::Full] => self.reach.before.remove(&stmt.id),
                _ => self.reach.before.insert(stmt.id, masks.origins.clone()),
            };
        }
    }
}

impl<'p> Follower<'p, Masks> for Walk<'p> {
    fn step(&mut self, stmt: &'p Stmt, masks: &mut Masks) {
        self.record(stmt, masks);
        match &stmt.kind {
            StmtKind::Instr(instr) => execute(self.program, stmt.id, instr, masks),
            StmtKind::Opaque => *masks = Masks::unknown(),
            _ => {}
        }
    }

    fn again(&mut self, stmt: &'p Stmt, masks: &mut Masks) {
        // What reaches the code after a `break` or `continue` is not told: rules are silent there.
        let mut body = stmt.kind.blocks().flatten();
        if body.any(Stmt::leaves_iteration) {
            masks.add(&[MaskOrigin::Unknown]);
        }
    }
}

fn execute(program: &Program, by: StmtId, instr: &Instr, masks: &mut Masks) {
    match instr.row().role {
        Role::ResetsMask => *masks = Masks::full(),
        Role::SetsMask => {
            let known = match mask_words(program, instr) {
                [Some(u64::MAX), Some(u64::MAX)] => MaskState::Full,
                [Some(high), Some(low)] => MaskState::Words {
                    high,
                    low,
                    set_by: by,
                },
                _ => MaskState::Unknown,
            };
            *masks = Masks::one(known, MaskOrigin::Set(by));
        }
        // Such a call sets the mask for itself, and leaves every lane active.
        _ if instr.is_counted() => {
            masks.known = MaskState::Full;
            masks.change(|origin| {
                if let MaskOrigin::Set(set) | MaskOrigin::Doubtful { set, .. } = *origin {
                    *origin = MaskOrigin::Cleared { set, by };
                }
            });
        }
        _ if resets_on_hardware(instr) => masks.change(|origin| {
            if let MaskOrigin::Set(set) = *origin {
                *origin = MaskOrigin::Doubtful { set, by };
            }
        }),
        _ => {}
    }
}

/// Returns whether the hardware is said to activate all lanes after this instruction.
fn resets_on_hardware(instr: &Instr) -> bool {
    let mode = instr.arg(ParamKind::Select).map(|arg| &arg.value);
    match instr.row().class {
        Class::Broadcast | Class::Gather => true,
        Class::Select => mode == Some(&ArgValue::Select(SelectMode::TensorTensor)),
        _ => false,
    }
}

/// Returns the lanes of a repeat, as the mask counts them: those of the widest operand.
pub fn mask_lanes(instr: &Instr) -> Option<i64> {
    instr
        .operands()
        .filter_map(|(_, _, view)| Some(view.local()?.dtype.lanes()))
        .min()
}

/// Returns whether a `set_mask` deactivates some of the first lanes, or may do so with words that are not
/// constant.
pub fn is_partial(program: &Program, set: &Instr, lanes: i64) -> bool {
    let [high, low] = mask_words(program, set);
    let full = |word: Option<u64>, lanes: i64| match lanes {
        64.. => word == Some(u64::MAX),
        lanes => {
            let wanted = (1_u64 << lanes.max(0)) - 1;
            word.is_some_and(|word| word & wanted == wanted)
        }
    };
    !(full(low, lanes) && full(high, lanes - 64))
}
