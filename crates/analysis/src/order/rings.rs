//! The slot of a ring that an access picks, as far as two accesses can be compared.
//!
//! `buf[count + 1]` is compared by its distance from `count`, modulo the number of slots: data written as
//! `buf[count]` before `count += 1` is at distance -1 afterwards.

use a2lint_ir::{BinaryOp, Program, Scalar, ScalarId, VariableId};

/// Maximum number of slots that are tracked individually: as many as there are event ids for a queue of buffers.
pub(super) const MOST: i64 = 8;

/// The index that picks a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picks {
    /// A constant.
    Fixed(i64),
    /// A variable plus a constant.
    Counter(VariableId, i64),
    /// Anything.
    Any,
}

/// The way in which an access picks its slot of a ring.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Ring {
    /// Number of slots that are distinguished; 1 if none are.
    pub slots: i64,
    /// The index.
    pub picks: Picks,
}

/// A set of instances of an access, with one bit for each slot. If a counter picks the slot, the bit is the distance
/// of the slot from the current value of the counter. Instances made since the surrounding innermost loop was entered
/// last have their bits in the lower half, older ones in the upper half.
pub(super) type Instances = u16;

/// Index of the first bit of the upper half of [`Instances`], which holds the older instances.
pub(super) const EARLIER: u32 = MOST as u32;
/// The bits of the lower half of [`Instances`]: instances made since the innermost loop was entered last.
const NOW: Instances = (1 << EARLIER) - 1;

impl Ring {
    /// A memory with one slot.
    pub const ONE: Ring = Ring {
        slots: 1,
        picks: Picks::Fixed(0),
    };

    /// Slots that cannot be distinguished.
    pub const ANY: Ring = Ring {
        slots: 1,
        picks: Picks::Any,
    };

    /// Creates a ring of `slots` slots, picked by an index that is taken modulo their number.
    pub fn of(program: &Program, slots: i64, index: ScalarId) -> Ring {
        if slots == 1 {
            return Ring::ONE;
        }
        if !(1..=MOST).contains(&slots) {
            return Ring::ANY;
        }
        let picks = Ring::picked(program, slots, index);
        Ring { slots, picks }
    }

    /// Returns the index that picks one of any number of slots.
    pub fn picked(program: &Program, slots: i64, index: ScalarId) -> Picks {
        if slots < 1 {
            return Picks::Any;
        }
        match picked(program, index, slots) {
            Picks::Fixed(slot) => Picks::Fixed(slot.rem_euclid(slots)),
            Picks::Counter(counter, plus) if wraps_evenly(program, counter, slots) => {
                Picks::Counter(counter, plus.rem_euclid(slots))
            }
            _ => Picks::Any,
        }
    }

    /// Returns the bits of an instance that is made now.
    pub fn made_now(self) -> Instances {
        match self.picks {
            Picks::Fixed(slot) | Picks::Counter(_, slot) => 1 << slot,
            Picks::Any => self.all(),
        }
    }

    fn all(self) -> Instances {
        (1 << self.slots) - 1
    }

    /// Returns the slot that is picked now, if it is known; for a counter, its distance from the current
    /// value.
    pub fn slot(self) -> Option<i64> {
        match self.picks {
            Picks::Fixed(slot) | Picks::Counter(_, slot) => Some(slot),
            Picks::Any => None,
        }
    }

    /// Returns the variable that picks the slot.
    pub fn counter(self) -> Option<VariableId> {
        match self.picks {
            Picks::Counter(counter, _) => Some(counter),
            Picks::Fixed(_) | Picks::Any => None,
        }
    }

    /// Returns whether the slots of two accesses can be compared.
    pub fn is_comparable(self, other: Ring) -> bool {
        self.slots == other.slots
            && match (self.picks, other.picks) {
                (Picks::Fixed(_), Picks::Fixed(_)) => true,
                (Picks::Counter(mine, _), Picks::Counter(theirs, _)) => mine == theirs,
                _ => false,
            }
    }

    /// Returns the subset of the instances of `other` that may be in the slot which this ring picks now.
    pub fn meets(self, other: Ring, instances: Instances) -> Instances {
        match self.is_comparable(other) {
            true => {
                let here = self.made_now();
                instances & (here | here << EARLIER)
            }
            false => instances,
        }
    }

    /// Returns the instances after a variable has grown by a number, or has taken any value (`None`).
    pub fn advance(self, variable: VariableId, by: Option<i64>, instances: Instances) -> Instances {
        let is_mine = matches!(self.picks, Picks::Counter(counter, _) if counter == variable);
        if !is_mine || instances == 0 {
            return instances;
        }
        let turn = |half: Instances| match by {
            _ if half == 0 => 0,
            None => self.all(),
            Some(by) => {
                let by = by.rem_euclid(self.slots);
                // A counter that has grown by n is n nearer to every slot ahead of it, so the distances
                // rotate down by n.
                let rotated = half >> by | half << (self.slots - by);
                rotated & self.all()
            }
        };
        turn(instances & NOW) | turn(instances >> EARLIER) << EARLIER
    }
}

/// Returns the instances after the innermost loop is entered again.
pub(super) fn grown_old(instances: Instances) -> Instances {
    (instances | instances << EARLIER) & !NOW
}

/// Returns the index that picks a slot, modulo the number of slots.
fn picked(program: &Program, index: ScalarId, slots: i64) -> Picks {
    match program.scalars.get(index) {
        Scalar::Int(slot) => Picks::Fixed(slot),
        Scalar::Variable(counter) => Picks::Counter(counter, 0),
        Scalar::Binary(BinaryOp::Add, a, b) => {
            match (picked(program, a, slots), picked(program, b, slots)) {
                (Picks::Counter(counter, plus), Picks::Fixed(more))
                | (Picks::Fixed(more), Picks::Counter(counter, plus)) => {
                    shifted(counter, plus, more)
                }
                _ => Picks::Any,
            }
        }
        Scalar::Binary(BinaryOp::Sub, a, b) => {
            match (picked(program, a, slots), picked(program, b, slots)) {
                (Picks::Counter(counter, plus), Picks::Fixed(less)) => less
                    .checked_neg()
                    .map_or(Picks::Any, |more| shifted(counter, plus, more)),
                _ => Picks::Any,
            }
        }
        // A remainder is congruent to the dividend, whatever its sign.
        Scalar::Binary(BinaryOp::Mod | BinaryOp::FloorMod, a, modulus) => {
            match program.scalars.as_int(modulus) {
                Some(modulus) if modulus > 0 && modulus % slots == 0 => picked(program, a, slots),
                _ => Picks::Any,
            }
        }
        Scalar::Binary(BinaryOp::BitAnd, a, mask) => match program.scalars.as_int(mask) {
            Some(mask)
                if (1..1 << 30).contains(&mask) && is_low_bits(mask) && (mask + 1) % slots == 0 =>
            {
                picked(program, a, slots)
            }
            _ => Picks::Any,
        },
        _ => Picks::Any,
    }
}

fn is_low_bits(mask: i64) -> bool {
    (mask + 1) & mask == 0
}

fn shifted(counter: VariableId, plus: i64, more: i64) -> Picks {
    plus.checked_add(more)
        .map_or(Picks::Any, |plus| Picks::Counter(counter, plus))
}

/// Returns whether a variable keeps its distances modulo the number of slots when it wraps. That one of 32
/// bits does not wrap is proved on its own.
fn wraps_evenly(program: &Program, variable: VariableId, slots: i64) -> bool {
    let Some(dtype) = program.variable(variable).dtype else {
        return false;
    };
    // A narrow type wraps at a power of two, of which only powers of two are divisors.
    !dtype.is_float() && (dtype.bits() >= 32 || slots.count_ones() == 1)
}

/// Returns the number by which an assignment changes its own variable, or `None` if it is not constant.
pub(super) fn step(program: &Program, variable: VariableId, value: ScalarId) -> Option<i64> {
    let number = |id| program.scalars.as_int(id);
    match program.scalars.get(value) {
        Scalar::Variable(same) if same == variable => Some(0),
        // Several steps in one iteration are several sums.
        Scalar::Binary(BinaryOp::Add, a, b) => match (number(a), number(b)) {
            (_, Some(by)) => step(program, variable, a)?.checked_add(by),
            (Some(by), None) => step(program, variable, b)?.checked_add(by),
            (None, None) => None,
        },
        Scalar::Binary(BinaryOp::Sub, a, b) => step(program, variable, a)?.checked_sub(number(b)?),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ring(slots: i64, plus: i64) -> Ring {
        Ring {
            slots,
            picks: Picks::Counter(VariableId(0), plus),
        }
    }

    /// Every slot, step and distance against arithmetic.
    #[test]
    fn distances_follow_the_counter() {
        for slots in 1..=MOST {
            let all = (0..MOST.pow(3)).map(|n| (n % MOST, n / MOST % MOST, n / MOST.pow(2)));
            for (made, seen, step) in all {
                let first = ring(slots, made % slots);
                let instances = first.advance(VariableId(0), Some(step), first.made_now());
                let meets = ring(slots, seen % slots).meets(first, instances) != 0;
                // The counter has grown by `step` between both accesses.
                let is_same = (made - (seen + step)).rem_euclid(slots) == 0;
                assert_eq!(meets, is_same, "{slots} slots: {made}, {seen} after {step}");
            }
        }
    }

    #[test]
    fn other_counters_and_unknown_steps_may_meet() {
        let first = ring(2, 0);
        let unknown = first.advance(VariableId(0), None, first.made_now());
        assert_eq!(ring(2, 1).meets(first, unknown), 0b10);
        let other = Ring {
            slots: 2,
            picks: Picks::Counter(VariableId(1), 1),
        };
        assert_eq!(other.meets(first, 0b01), 0b01);
        assert_eq!(first.advance(VariableId(1), None, 0b01), 0b01);
    }

    #[test]
    fn instances_of_earlier_passes_stay_apart() {
        let old = grown_old(0b0010);
        assert_eq!(old, 0b10 << EARLIER);
        let turned = ring(2, 0).advance(VariableId(0), Some(1), old);
        assert_eq!(turned, 0b1 << EARLIER);
    }
}
