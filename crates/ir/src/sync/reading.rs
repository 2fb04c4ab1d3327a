//! Defines the readings of a toolchain's documentation, whose versions define the handshakes of `auto_sync`
//! differently.

use rustc_hash::{FxHashMap, FxHashSet};

use super::auto_sync::{Key, Slot};
use crate::{BufferId, LocalView, Program, SlotKey, StmtKind, VariableId, View, slot_key};

/// One definition of the handshakes of `auto_sync`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Reading {
    /// One handshake for each buffer and slot expression, as in the manual of easyasc. Expressions that are
    /// known to be equal share a handshake.
    Expressions,
    /// The same, but with variables told apart by name: `t[z]` and `t[0]` have two handshakes, whatever the
    /// value of `z`.
    Names,
    /// As many tokens for each buffer as it has slots, as in the code that an older easyasc generates: the
    /// producer of step k waits for the consumer of step k - slots, whichever slots they use.
    Tokens,
    /// One handshake for each buffer and slot, as in Ascriptor.
    Slots,
}

impl Reading {
    /// Returns the other readings of a kernel's toolchain that may order its accesses less than the first
    /// one.
    pub fn others(program: &Program) -> Vec<Reading> {
        let differs = |reading: &Reading| match reading {
            Reading::Names => has_aliases(program),
            Reading::Tokens => !rings(program).is_empty(),
            Reading::Expressions | Reading::Slots => false,
        };
        let others = program.toolchain.auto_sync.other_readings;
        others.iter().copied().filter(differs).collect()
    }

    /// Returns the readings under which order has to hold for it to be proved. A use that waits under
    /// [`Reading::Names`] also waits under [`Reading::Expressions`], so the former replaces the latter.
    pub fn needed(program: &Program) -> Vec<Reading> {
        let mut needed = vec![program.toolchain.auto_sync.reading];
        for other in Reading::others(program) {
            match other {
                Reading::Names => needed[0] = other,
                other => needed.push(other),
            }
        }
        needed
    }

    /// Returns whether handshakes count tokens, so that the consumer for which a producer waits depends on
    /// the number of steps so far.
    pub fn counts_tokens(self) -> bool {
        self == Reading::Tokens
    }

    /// Returns whether the key of a handshake is a slot rather than the expression in the source.
    pub fn names_slots(self) -> bool {
        matches!(self, Reading::Tokens | Reading::Slots)
    }

    /// Returns the keys of a view, for readings whose keys are expressions in the source.
    pub fn keys(self, program: &Program, view: &LocalView) -> impl Iterator<Item = Key> {
        let buffer = view.buffer;
        let variable = view.index.map(Slot::Variable);
        let is_named = self == Reading::Names && variable.is_some();
        let expression = (!is_named).then(|| Slot::Expression(slot_key(program, view)));
        expression
            .into_iter()
            .chain(variable)
            .map(move |slot| (buffer, slot))
    }

    /// Returns advice for a kernel that is correct except under this reading.
    pub fn advice(self) -> Option<&'static str> {
        match self {
            Reading::Names => Some("pick the slot by the same number or variable in both places"),
            Reading::Tokens => Some(
                "a step waits for the one as many steps before as there are slots: advance the counter by 1 in each \
                 step, and store from another ring than the one that is loaded",
            ),
            Reading::Expressions | Reading::Slots => None,
        }
    }

    /// Returns the condition under which such a kernel is wrong, as a clause: `` where `auto_sync` … ``.
    pub fn clause(self) -> &'static str {
        match self {
            Reading::Expressions => {
                "where `auto_sync` has one handshake for each buffer and slot expression"
            }
            Reading::Names => "where `auto_sync` tells slots apart by the name of the variable",
            Reading::Tokens => {
                "where `auto_sync` counts one token for each slot of a ring (older easyasc)"
            }
            Reading::Slots => "where `auto_sync` has one handshake for each slot",
        }
    }
}

/// Returns the views of on-chip buffers in `auto_sync` regions.
fn in_regions(program: &Program) -> Vec<&LocalView> {
    let mut found = Vec::new();
    program.walk(&mut |stmt| {
        if !matches!(stmt.kind, StmtKind::AutoSync { .. }) {
            return;
        }
        stmt.walk(&mut |inner| {
            if let StmtKind::Instr(instr) = &inner.kind {
                let views = instr.operands().map(|(_, _, view)| view);
                found.extend(views.filter_map(View::local));
            }
        });
    });
    found
}

/// Returns whether a slot is selected by equal expressions with different names.
fn has_aliases(program: &Program) -> bool {
    let mut names: FxHashMap<(BufferId, SlotKey), FxHashSet<Option<VariableId>>> =
        FxHashMap::default();
    for view in in_regions(program) {
        let key = (view.buffer, slot_key(program, view));
        names.entry(key).or_default().insert(view.index);
    }
    names.values().any(|names| names.len() > 1)
}

/// Returns the rings: buffers of several slots whose slot is not always selected by a number in a region. A
/// buffer whose slots are numbered by hand is no ring.
pub(super) fn rings(program: &Program) -> FxHashSet<BufferId> {
    let views = in_regions(program).into_iter();
    let is_picked = |view: &&LocalView| {
        let is_number = matches!(slot_key(program, view), SlotKey::Constant(_));
        program.buffer(view.buffer).slots > 1 && (view.index.is_some() || !is_number)
    };
    views.filter(is_picked).map(|view| view.buffer).collect()
}
