//! What is defined of each memory at one place of a kernel.

use std::cell::RefCell;
use std::rc::Rc;

use super::labels::Labels;
use super::slot::{Cells, Slot, both};
use a2lint_analysis::{Linear, PathState};

/// What picks a slot of a ring, or a part of a workspace.
pub(super) type Key = Vec<Linear>;

/// Which slot a key picks beside another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Picked {
    /// The same.
    Same,
    /// Another one.
    Others,
    /// Nobody knows.
    Unknown,
}

/// Slots of one tensor, or parts of a workspace: those that were written last by what picked them, and the
/// rest.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Ring {
    /// What holds for each slot that is not listed.
    rest: Cells,
    listed: Vec<(Key, Cells)>,
    /// Number of slots, where the key is one number that is taken modulo it.
    slots: Option<i64>,
}

impl Ring {
    /// Nothing is defined.
    pub fn new(cells: usize, slots: Option<i64>) -> Ring {
        Ring {
            rest: Rc::new(Slot::undefined(cells)),
            listed: Vec::new(),
            slots,
        }
    }

    fn normal(&self, mut key: Key) -> Key {
        if let (Some(slots), [number]) = (self.slots, &mut key[..])
            && let Some(constant) = number.as_constant()
        {
            *number = Linear::constant(constant.rem_euclid(slots));
        }
        key
    }

    /// Whether two keys certainly pick different slots.
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

    /// Which slot the first key picks beside the second.
    pub fn compare(&self, a: &Key, b: &Key) -> Picked {
        match self.normal(a.clone()) == self.normal(b.clone()) {
            true => Picked::Same,
            false if self.differ(a, b) => Picked::Others,
            false => Picked::Unknown,
        }
    }

    /// What is known of the slot that a key picks.
    pub fn find(&self, labels: &mut Labels, key: Key) -> Cells {
        let key = self.normal(key);
        if let Some((_, cells)) = self.listed.iter().find(|listed| listed.0 == key) {
            return cells.clone();
        }
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

    /// Gives the slot that a key picks new contents.
    pub fn replace(&mut self, labels: &mut Labels, key: Key, cells: Cells) {
        let key = self.normal(key);
        for at in 0..self.listed.len() {
            if self.listed[at].0 != key && !self.differ(&self.listed[at].0, &key) {
                self.listed[at].1 = both(labels, &self.listed[at].1, &cells);
            }
        }
        match self.listed.iter_mut().find(|listed| listed.0 == key) {
            // Whoever has kept the old ones has no second copy of them.
            Some(listed) if listed.1 == cells => {}
            Some(listed) => listed.1 = cells,
            None => {
                self.listed.push((key, cells));
                self.listed.sort_by(|a, b| a.0.cmp(&b.0));
            }
        }
    }

    /// Symbols from a mark on have other values from now on.
    fn forget(&mut self, labels: &mut Labels, mark: u32) {
        let without = |labels: &Labels, cells: &Cells| {
            let changed = cells.without(labels, mark);
            changed.map_or_else(|| cells.clone(), Rc::new)
        };
        self.rest = without(labels, &self.rest);
        let listed = std::mem::take(&mut self.listed);
        for (key, cells) in listed {
            let cells = without(labels, &cells);
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

/// All memories.
#[derive(Clone, Debug)]
pub(super) struct Contents<'s> {
    labels: Rc<RefCell<Labels<'s>>>,
    /// By the number of a memory.
    pub rings: Vec<Rc<Ring>>,
}

impl PartialEq for Contents<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.rings == other.rings
    }
}

impl<'s> Contents<'s> {
    /// Of these memories.
    pub fn new(labels: Rc<RefCell<Labels<'s>>>, rings: Vec<Rc<Ring>>) -> Self {
        Contents { labels, rings }
    }

    /// Symbols from a mark on have other values from now on.
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
