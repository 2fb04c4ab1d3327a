//! The settings of the vector mask that reach each instruction.
//!
//! Every statement list is a function of the mask: what it makes does not depend on the mask before it,
//! except that it may pass that on. Such functions are composed bottom-up, so loops need no iteration.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::mask::mask_words;
use a2lint_ir::{ArgValue, Instr, Program, Stmt, StmtId, StmtKind};
use a2lint_isa::{Class, ParamKind, Role, SelectMode};

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

/// Follows the mask through a program.
pub(super) fn reach(program: &Program) -> MaskReach {
    let mut walk = Walk {
        effects: FxHashMap::default(),
        found: MaskReach::default(),
    };
    walk.found.at_end = walk.block(&program.body, start());
    walk.found
}

fn start() -> Origins {
    SmallVec::from_slice(&[MaskOrigin::Full])
}

/// The effect of a statement on the mask.
#[derive(Clone, Debug)]
struct Effect {
    /// Masks that it makes, whatever the mask before it.
    made: Origins,
    /// Ways in which the mask before the statement may reach the next statement.
    passes: SmallVec<[Passing; 1]>,
}

/// The state in which a statement passes on the mask before it: unchanged, cleared, or in doubt.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Passing {
    Unchanged,
    Cleared(StmtId),
    Doubted(StmtId),
}

impl Passing {
    fn apply(self, origin: MaskOrigin) -> MaskOrigin {
        match (self, origin) {
            (Passing::Cleared(by), MaskOrigin::Set(set) | MaskOrigin::Doubtful { set, .. }) => {
                MaskOrigin::Cleared { set, by }
            }
            (Passing::Doubted(by), MaskOrigin::Set(set)) => MaskOrigin::Doubtful { set, by },
            _ => origin,
        }
    }

    fn then(self, next: Passing) -> Passing {
        match (self, next) {
            (first, Passing::Unchanged) => first,
            // A clear is certain and outweighs a doubt.
            (Passing::Unchanged | Passing::Doubted(_), next @ Passing::Cleared(_)) => next,
            (Passing::Unchanged, next) => next,
            (first, _) => first,
        }
    }
}

impl Effect {
    fn none() -> Effect {
        Effect {
            made: Origins::new(),
            passes: SmallVec::from_slice(&[Passing::Unchanged]),
        }
    }

    fn makes(origin: MaskOrigin) -> Effect {
        Effect {
            made: SmallVec::from_slice(&[origin]),
            passes: SmallVec::new(),
        }
    }

    fn passes(passing: Passing) -> Effect {
        Effect {
            made: Origins::new(),
            passes: SmallVec::from_slice(&[passing]),
        }
    }

    fn apply(&self, found: &Origins) -> Origins {
        let mut left = self.made.clone();
        for &passing in &self.passes {
            left.extend(found.iter().map(|&origin| passing.apply(origin)));
        }
        sorted(left)
    }

    fn then(&self, next: &Effect) -> Effect {
        let mut passes = SmallVec::new();
        for &first in &self.passes {
            passes.extend(next.passes.iter().map(|&next| first.then(next)));
        }
        passes.sort_unstable();
        passes.dedup();
        Effect {
            made: next.apply(&self.made),
            passes,
        }
    }

    fn or(mut self, other: &Effect) -> Effect {
        self.made.extend(other.made.iter().copied());
        self.made = sorted(self.made);
        self.passes.extend(other.passes.iter().copied());
        self.passes.sort_unstable();
        self.passes.dedup();
        self
    }
}

fn sorted(mut origins: Origins) -> Origins {
    origins.sort_unstable();
    origins.dedup();
    origins
}

struct Walk {
    /// Effects of statement lists, by their address.
    effects: FxHashMap<*const Stmt, Effect>,
    found: MaskReach,
}

impl Walk {
    /// Records the masks that reach the instructions of a list; returns those after it.
    fn block(&mut self, block: &[Stmt], mut origins: Origins) -> Origins {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Instr(instr) => {
                    // The full mask needs no entry: it is the default of `before`.
                    if instr.row().is_vector() && origins[..] != [MaskOrigin::Full] {
                        self.found.before.insert(stmt.id, origins.clone());
                    }
                }
                StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => {
                    let head = self.iterated(body).apply(&origins);
                    self.block(body, head);
                }
                kind => {
                    for nested in kind.blocks() {
                        self.block(nested, origins.clone());
                    }
                }
            }
            origins = self.effect(stmt).apply(&origins);
        }
        origins
    }

    fn effect_of(&mut self, block: &[Stmt]) -> Effect {
        let key = block.as_ptr();
        // All empty lists may have the same address, so they are not cached.
        if block.is_empty() {
            return Effect::none();
        }
        if let Some(effect) = self.effects.get(&key) {
            return effect.clone();
        }
        let effect = block.iter().fold(Effect::none(), |effect, stmt| {
            effect.then(&self.effect(stmt))
        });
        self.effects.insert(key, effect.clone());
        effect
    }

    /// Returns the effect of any number of iterations. Two suffice: the first passes the mask on, the second
    /// clears or doubts what the first has made.
    fn iterated(&mut self, body: &[Stmt]) -> Effect {
        let once = self.effect_of(body);
        let twice = once.then(&once);
        let iterated = Effect::none().or(&once).or(&twice);
        // The masks at a `break` or `continue` are not tracked.
        match body.iter().any(Stmt::leaves_iteration) {
            true => iterated.or(&Effect::makes(MaskOrigin::Unknown)),
            false => iterated,
        }
    }

    fn effect(&mut self, stmt: &Stmt) -> Effect {
        match &stmt.kind {
            StmtKind::Instr(instr) => instr_effect(stmt.id, instr),
            StmtKind::Opaque => Effect::makes(MaskOrigin::Unknown),
            // The loop around accounts for them (`iterated`).
            StmtKind::Break | StmtKind::Continue => Effect::none(),
            StmtKind::Loop { body, .. } | StmtKind::UnknownLoop { body } => self.iterated(body),
            StmtKind::If { arms, otherwise } => {
                let otherwise = self.effect_of(otherwise);
                arms.iter().fold(otherwise, |joined, arm| {
                    let arm = self.effect_of(&arm.body);
                    joined.or(&arm)
                })
            }
            StmtKind::AutoSync { body, .. }
            | StmtKind::Scope { body, .. }
            | StmtKind::Atomic { body, .. } => self.effect_of(body),
            StmtKind::Assign { .. } | StmtKind::Havoc(_) => Effect::none(),
        }
    }
}

fn instr_effect(stmt: StmtId, instr: &Instr) -> Effect {
    match instr.row().role {
        Role::SetsMask => Effect::makes(MaskOrigin::Set(stmt)),
        Role::ResetsMask => Effect::makes(MaskOrigin::Full),
        _ if instr.is_counted() => Effect::passes(Passing::Cleared(stmt)),
        _ if resets_on_hardware(instr) => Effect::passes(Passing::Doubted(stmt)),
        _ => Effect::none(),
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
