//! The state of memory at one place of a kernel: which parts are defined.

use std::cell::RefCell;
use std::rc::Rc;

use super::labels::Labels;
use super::slot::{Cells, Slot, both};
use a2lint_analysis::{Linear, PathState};

/// The numbers that pick a slot of a ring, or a part of a workspace.
pub(super) type Key = Vec<Linear>;

/// How the slot of one key relates to the slot of another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picked {
    /// The same slot.
    Same,
    /// The keys pick different slots.
    Others,
    /// Unknown.
    Unknown,
}

/// The slots of one tensor, or the parts of a workspace. Slots are listed by the key that wrote them last; all
/// others share one state.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ring {
    /// The state of every slot that is not listed.
    rest: Cells,
    listed: Vec<(Key, Cells)>,
    /// Number of slots, if the key is one number taken modulo it.
    slots: Option<i64>,
}

impl Ring {
    /// Creates a ring without defined cells.
    pub fn new(cells: usize, slots: Option<i64>) -> Ring {
        Ring {
            rest: Rc::new(Slot::undefined(cells)),
            listed: Vec::new(),
            slots,
        }
    }

    /// Reduces a constant key modulo the number of slots, so that equal slots have equal keys. The remainder of a
    /// symbolic key is unknown, so it is kept.
    fn normal(&self, mut key: Key) -> Key {
        if let (Some(slots), [number]) = (self.slots, &mut key[..])
            && let Some(constant) = number.as_constant()
        {
            *number = Linear::constant(constant.rem_euclid(slots));
        }
        key
    }

    /// Returns whether two keys certainly pick different slots.
    fn differ(&self, a: &Key, b: &Key) -> bool {
        let mut gaps = a
            .iter()
            .zip(b)
            .filter_map(|(a, b)| a.minus(b)?.as_constant());
        gaps.any(|gap| match self.slots {
            Some(slots) => gap.rem_euclid(slots) != 0,
            None => gap != 0,
        })
    }

    /// Compares the slot of the first key with the slot of the second.
    pub fn compare(&self, a: &Key, b: &Key) -> Picked {
        match self.normal(a.clone()) == self.normal(b.clone()) {
            true => Picked::Same,
            false if self.differ(a, b) => Picked::Others,
            false => Picked::Unknown,
        }
    }

    /// Returns the state of the slot that a key picks: what holds in every slot that it may be.
    pub fn find(&self, labels: &mut Labels, key: Key) -> Cells {
        let key = self.normal(key);
        if let Some((_, cells)) = self.listed.iter().find(|listed| listed.0 == key) {
            return cells.clone();
        }
        // If every slot is listed under a constant key, `rest` describes no slot.
        let constants = self
            .listed
            .iter()
            .filter(|(key, _)| key.iter().all(|it| it.as_constant().is_some()));
        let all_listed = self
            .slots
            .is_some_and(|slots| constants.count() as i64 == slots);
        let near = self
            .listed
            .iter()
            .filter(|listed| !self.differ(&listed.0, &key));
        let near = near.map(|listed| &listed.1);
        let rest = Some(&self.rest).filter(|_| !all_listed);
        let mut all = near.chain(rest);
        let Some(first) = all.next() else {
            return self.rest.clone();
        };
        all.fold(first.clone(), |sum, next| both(labels, &sum, next))
    }

    /// Sets the state of the slot that a key picks. Slots that may be the same keep only what holds in both
    /// states.
    pub fn replace(&mut self, labels: &mut Labels, key: Key, cells: Cells) {
        let key = self.normal(key);
        for at in 0..self.listed.len() {
            if self.listed[at].0 != key && !self.differ(&self.listed[at].0, &key) {
                self.listed[at].1 = both(labels, &self.listed[at].1, &cells);
            }
        }
        match self.listed.iter_mut().find(|listed| listed.0 == key) {
            // Equal contents keep their allocation, so that comparisons by pointer succeed later.
            Some(listed) if listed.1 == cells => {}
            Some(listed) => listed.1 = cells,
            None => {
                self.listed.push((key, cells));
                self.listed.sort_by(|a, b| a.0.cmp(&b.0));
            }
        }
    }

    /// Drops what depends on symbols from a mark on, because they get other values.
    fn forget(&mut self, labels: &mut Labels, mark: u32) {
        let without = |labels: &Labels, cells: &Cells| {
            let changed = cells.without(labels, mark);
            changed.map_or_else(|| cells.clone(), Rc::new)
        };
        self.rest = without(labels, &self.rest);
        let listed = std::mem::take(&mut self.listed);
        for (key, cells) in listed {
            let cells = without(labels, &cells);
            // The key means another slot from now on, so that its state applies to any slot.
            match key.iter().any(|number| labels.is_local(number, mark)) {
                true => self.rest = both(labels, &self.rest, &cells),
                false => self.listed.push((key, cells)),
            }
        }
    }

    fn join(&mut self, labels: &mut Labels, other: &Ring) {
        if self == other {
            return;
        }
        let keys = self
            .listed
            .iter()
            .chain(&other.listed)
            .map(|listed| listed.0.clone());
        let mut keys: Vec<Key> = keys.collect();
        keys.sort_unstable();
        keys.dedup();
        let listed = keys.into_iter().map(|key| {
            // A key that only one state lists is looked up in the other, where `rest` may apply.
            let (a, b) = (
                self.find(labels, key.clone()),
                other.find(labels, key.clone()),
            );
            let cells = both(labels, &a, &b);
            (key, cells)
        });
        self.listed = listed.collect();
        self.rest = both(labels, &self.rest, &other.rest);
    }
}

/// The state of all memories.
#[derive(Clone, Debug)]
pub(super) struct Contents<'s> {
    labels: Rc<RefCell<Labels<'s>>>,
    /// The rings by the number of their memory (`Attempt::memory`, `Attempt::global`).
    pub rings: Vec<Rc<Ring>>,
}

impl PartialEq for Contents<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.rings == other.rings
    }
}

impl<'s> Contents<'s> {
    /// Creates the state of these memories.
    pub fn new(labels: Rc<RefCell<Labels<'s>>>, rings: Vec<Rc<Ring>>) -> Self {
        Contents { labels, rings }
    }

    /// Drops what depends on symbols from a mark on, because they get other values.
    pub fn forget(&mut self, mark: u32) {
        let labels = &mut *self.labels.borrow_mut();
        for ring in &mut self.rings {
            Rc::make_mut(ring).forget(labels, mark);
        }
    }
}

impl PathState for Contents<'_> {
    fn join(&mut self, other: &Self) {
        let labels = &mut *self.labels.borrow_mut();
        for (mine, theirs) in self.rings.iter_mut().zip(&other.rings) {
            if !Rc::ptr_eq(mine, theirs) {
                Rc::make_mut(mine).join(labels, theirs);
            }
        }
    }
}
