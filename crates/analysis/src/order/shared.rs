//! The premises under which accesses of several lanes to one tensor are in order.
//!
//! The theorem for a store S of one side, a load L of the other and a mutex between them. Let the mutex be
//! opened and closed in turn on both sides; S and L only execute while their side holds it, in a pipe that
//! has waited for it; S is complete where its side passes the data on, and L where its side gives the token
//! back. Then S of handover j precedes L of handover k for j <= k, and L of handover k precedes S of
//! handover j for k + depth <= j. What is left are handovers that are less than `depth` apart: they use
//! different slots, if both sides pick the slot by counters that are equally far ahead of their handovers,
//! modulo at least `depth`. With one token nothing is left.

use super::flags::Apart;
use super::lane::{Guard, Kernel, Seen};
use super::rings::{Picks, Ring};
use super::sites::Site;
use super::{MissingCondition, UnorderedPair, Walk};
use crate::Relation;
use a2lint_ir::sync::{
    Between, Route, Token, calls, may_have_unknown_tokens, order_matters, producer,
};
use a2lint_ir::{
    BinaryOp, GlobalAxis, MutexId, Program, Scalar, ScalarId, SpecialScalar, VariableId,
};
use a2lint_isa::Side;

/// An index that cycles through slots: the counter, what is added to it, and the number of slots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Turning {
    counter: VariableId,
    plus: i64,
    slots: i64,
}

/// Returns the index of an axis, if it is a single number taken modulo another one.
pub(super) fn turning(program: &Program, axis: &GlobalAxis) -> Option<Turning> {
    if axis.is_slice && program.scalars.as_int(axis.span) != Some(1) {
        return None;
    }
    let slots = match program.scalars.get(axis.start) {
        Scalar::Binary(BinaryOp::Mod | BinaryOp::FloorMod, _, modulus) => program.size(modulus)?,
        Scalar::Binary(BinaryOp::BitAnd, _, mask) => program.size(mask)?.checked_add(1)?,
        _ => return None,
    };
    match Ring::picked(program, slots, axis.start) {
        Picks::Counter(counter, plus) => Some(Turning {
            counter,
            plus,
            slots,
        }),
        _ => None,
    }
}

impl Turning {
    /// Returns the slots as a ring.
    pub fn ring(self) -> Ring {
        Ring {
            slots: self.slots,
            picks: Picks::Counter(self.counter, self.plus),
        }
    }

    /// Returns the variable that it follows.
    pub fn counter(self) -> VariableId {
        self.counter
    }
}

/// Returns whether the index of an axis is that of the core.
fn is_core(program: &Program, axis: &GlobalAxis, side: Side) -> bool {
    let is_one = !axis.is_slice || program.scalars.as_int(axis.span) == Some(1);
    is_one && is_core_index(program, axis.start, side)
}

/// Returns whether a scalar is the index of the core, on the lanes of a side.
pub fn is_core_index(program: &Program, id: ScalarId, side: Side) -> bool {
    match program.scalars.get(id) {
        Scalar::Special(SpecialScalar::CubeIdx) => true,
        // On the cube side, both queries return the core.
        Scalar::Special(SpecialScalar::VecIdx) => side == Side::Cube,
        Scalar::Binary(BinaryOp::Div | BinaryOp::FloorDiv, of, by) => {
            // Vec lanes are numbered over all cores, two to a core.
            let is_lane = program.scalars.get(of) == Scalar::Special(SpecialScalar::VecIdx);
            side == Side::Vec && is_lane && program.scalars.as_int(by) == Some(2)
        }
        _ => false,
    }
}

/// Returns the missing premises for lanes that read and write one tensor.
pub(super) fn unguarded(
    kernel: &Kernel,
    seen: &[Walk],
    apart: &dyn DisjointLanes,
) -> Vec<UnorderedPair> {
    let sites = &kernel.sites.all;
    let mut open = Vec::new();
    for (&store, &load) in kernel
        .shared
        .iter()
        .flat_map(|store| kernel.shared.iter().map(move |load| (store, load)))
    {
        let (a, b) = (&sites[store], &sites[load]);
        // A pair of stores is looked at once. A store meets itself on other lanes only if the work is divided wrongly,
        // which `ownership` shows.
        let are_stores = a.part.write && b.part.write;
        let is_pair = a.part.write && (!are_stores || store < load);
        if a.memory != b.memory || !is_pair || !depend_on_order(a, b) {
            continue;
        }
        let on = |side: Side, of: Side| of == side || of == Side::Both;
        for (one, other) in seen
            .iter()
            .flat_map(|one| seen.iter().map(move |other| (one, other)))
        {
            let is_one_reading = one.reading == other.reading;
            if is_one_reading && on(one.side, a.side) && on(other.side, b.side) {
                let (first, mine) = (&one.side, &one.seen);
                let (second, theirs) = (&other.side, &other.seen);
                let mut fails = |why| open.push(UnorderedPair::new(a, b, why));
                let by_flags = |by: Apart| {
                    let sides = [*first, *second];
                    (kernel.flags).order((store, mine), (load, theirs), sides, by)
                };
                let is_core = by_core(kernel.program, [a, b], [*first, *second]);
                if !is_core
                    && !by_flags(Apart::Cores)
                    && !apart.are_apart(store, load, Relation::Cores(*first, *second))
                {
                    fails(MissingCondition::Cores);
                } else if first != second {
                    let handed = match by_flags(Apart::Sides) {
                        true => Ok(()),
                        false => handed_over(kernel, (store, mine), (load, theirs), *first),
                    };
                    // Either of two stores may be the first one.
                    let handed = handed.or_else(|why| {
                        let back = || handed_over(kernel, (load, theirs), (store, mine), *second);
                        if are_stores { back() } else { Err(why) }
                    });
                    if let Err(why) = handed {
                        fails(why);
                    }
                } else if *first == Side::Vec
                    && !by_flags(Apart::SubBlocks)
                    && !apart.are_apart(store, load, Relation::SubBlocks)
                {
                    fails(MissingCondition::SubBlocks);
                }
            }
        }
    }
    open
}

/// Returns whether the order of two accesses of different lanes to one place matters.
pub(super) fn depend_on_order(a: &Site, b: &Site) -> bool {
    let between = match a.side == b.side {
        true => Between::Lanes,
        false => Between::Sides,
    };
    order_matters(&a.part, &b.part, between)
}

/// Decides which accesses of different lanes touch nothing in common.
pub(super) trait DisjointLanes {
    /// Returns whether two accesses, by index, touch nothing in common.
    fn are_apart(&self, first: usize, second: usize, relation: Relation) -> bool;
}

/// Returns whether both views have the index of the core on one axis.
fn by_core(program: &Program, sites: [&Site; 2], sides: [Side; 2]) -> bool {
    let [Some(a), Some(b)] = sites.map(|site| site.view.global()) else {
        return false;
    };
    let mut axes = a.axes.iter().zip(&b.axes).enumerate();
    a.axes.len() == b.axes.len()
        && axes.any(|(at, (a, b))| {
            let is_picked = is_core(program, a, sides[0]) && is_core(program, b, sides[1]);
            is_picked && sites.iter().all(|site| site.keeps(at))
        })
}

/// Applies the theorem: succeeds if some mutex keeps a store of one side and a load of the other in order,
/// and else returns the premise that fails for the mutex nearest to a proof.
fn handed_over(
    kernel: &Kernel,
    store: (usize, &Seen),
    load: (usize, &Seen),
    storing: Side,
) -> Result<(), MissingCondition> {
    let program = kernel.program;
    let mut nearest = match program.mutexes.is_empty() {
        true => MissingCondition::NoFlags,
        false => MissingCondition::NoMutex,
    };
    for id in (0..program.mutexes.len() as u32).map(MutexId) {
        if producer(program.mutex(id)) != storing {
            continue;
        }
        match guards(kernel, id, store, load) {
            Ok(()) => return Ok(()),
            Err(why) if why.rank() > nearest.rank() => nearest = why,
            Err(_) => {}
        }
    }
    Err(nearest)
}

fn guards(
    kernel: &Kernel,
    id: MutexId,
    (store, mine): (usize, &Seen),
    (load, theirs): (usize, &Seen),
) -> Result<(), MissingCondition> {
    let program = kernel.program;
    let held = |seen: &Seen, site| -> Option<Guard> {
        seen.guards
            .get(&(site, id))
            .filter(|guard| guard.is_held)
            .cloned()
    };
    let (Some(at_store), Some(at_load)) = (held(mine, store), held(theirs, load)) else {
        return Err(MissingCondition::NotHeld(id));
    };
    if is_shared_flag(program, id) {
        return Err(MissingCondition::SharedFlag(id));
    }
    if mine.unpaired.contains(&id) || theirs.unpaired.contains(&id) {
        return Err(MissingCondition::Unpaired(id));
    }
    if mine.uncovered.contains(&(store, id)) || theirs.uncovered.contains(&(load, id)) {
        return Err(MissingCondition::EndPipe(id));
    }
    let Some(depth) = program.mutex(id).depth else {
        return Err(MissingCondition::Depth(id));
    };
    // With one token the sides alternate, so slots do not matter.
    if depth <= 1 {
        return Ok(());
    }
    let [Some(a), Some(b)] = [store, load].map(|site| kernel.sites.all[site].view.global()) else {
        return Err(MissingCondition::Slots(id));
    };
    let offset = |axis, guard: &Guard| {
        let turning = turning(program, axis)?;
        let at = kernel
            .counters
            .iter()
            .position(|it| *it == turning.counter)?;
        Some((guard.ahead[at]?.checked_add(turning.plus)?, turning.slots))
    };
    let sites = [store, load].map(|site| &kernel.sites.all[site]);
    let axes = a.axes.iter().zip(&b.axes).enumerate();
    let is_apart = axes.into_iter().any(|(at, (a, b))| {
        if !sites.iter().all(|site| site.keeps(at)) {
            return false;
        }
        let pair = offset(a, &at_store).zip(offset(b, &at_load));
        pair.is_some_and(|((a, slots), (b, others))| {
            slots == others && slots >= depth && a.rem_euclid(slots) == b.rem_euclid(slots)
        })
    });
    match is_apart && a.axes.len() == b.axes.len() {
        true => Ok(()),
        false => Err(MissingCondition::Slots(id)),
    }
}

/// Returns whether anything but one mutex may use its flag.
fn is_shared_flag(program: &Program, id: MutexId) -> bool {
    // A flag of unknown number may be any other one.
    let Some(flag) = program.mutex(id).flag_id else {
        return true;
    };
    let all = program.mutexes.iter();
    let same = all.filter(|other| other.flag_id.is_none_or(|other| other == flag));
    let by_hand = calls(program).iter().any(|call| {
        let route = |route| matches!(route, Route::CubeToVec | Route::VecToCube);
        matches!(call.token, Token::Flag(of, number) if route(of) && number == flag)
    });
    same.count() > 1 || by_hand || may_have_unknown_tokens(program)
}
