//! The cells of one slot of a tensor: when each is defined, and what some hold.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::labels::{Label, Labels};

/// Labels that are looked at together.
const PART: usize = 32;

/// A slot that several places of a kernel know.
pub(super) type Cells = Rc<Slot>;

/// What a cell is known to hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// An integer.
    Int(i64),
    /// The bits of a packed mask: each is set at most where this holds.
    Bits([Label; 8]),
}

/// Labels of cells. Contents are known of few: of the numbers of columns, and of masks that are made from them.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    labels: Vec<Label>,
    contents: BTreeMap<usize, Content>,
    /// The newest symbol of all this that has other values in other iterations, once somebody has asked.
    newest: Cell<Option<Option<u32>>>,
}

impl PartialEq for Slot {
    fn eq(&self, other: &Self) -> bool {
        self.labels == other.labels && self.contents == other.contents
    }
}

impl Slot {
    fn new(labels: Vec<Label>, contents: BTreeMap<usize, Content>) -> Slot {
        Slot {
            labels,
            contents,
            newest: Cell::default(),
        }
    }

    /// Nothing is defined.
    pub fn undefined(cells: usize) -> Slot {
        Slot::new(vec![Label::NEVER; cells], BTreeMap::new())
    }

    /// When a cell is defined: never where there is none.
    pub fn label(&self, at: usize) -> Label {
        self.labels.get(at).copied().unwrap_or(Label::NEVER)
    }

    /// The same of a cell whose number may not be known.
    pub fn label_at(&self, at: Option<usize>) -> Label {
        at.map_or(Label::NEVER, |at| self.label(at))
    }

    /// Whether there is such a cell.
    pub fn has(&self, at: usize) -> bool {
        at < self.labels.len()
    }

    /// What a cell holds.
    pub fn content(&self, at: usize) -> Option<Content> {
        self.contents.get(&at).copied()
    }

    /// Whether something is known of what a cell holds.
    pub fn has_contents(&self) -> bool {
        !self.contents.is_empty()
    }

    /// The label of cells that are defined alike; `None` where they are not, or not all are there.
    pub fn label_of_all(&self, cells: Range<usize>) -> Option<Label> {
        let (first, others) = self.labels.get(cells)?.split_first()?;
        others.iter().all(|label| label == first).then_some(*first)
    }

    /// Cells are written alike, and nothing is known of what they hold.
    pub fn fill(&mut self, cells: Range<usize>, label: Label) {
        if let Some(labels) = self.labels.get_mut(cells.clone()) {
            labels.fill(label);
        }
        self.newest.take();
        if !self.contents.is_empty() {
            self.contents.retain(|at, _| !cells.contains(at));
        }
    }

    /// A cell is written.
    pub fn write(&mut self, at: usize, label: Label, content: Option<Content>) {
        let Some(cell) = self.labels.get_mut(at) else {
            return;
        };
        *cell = label;
        self.newest.take();
        match content {
            Some(content) => {
                self.contents.insert(at, content);
            }
            None if self.contents.is_empty() => {}
            None => {
                self.contents.remove(&at);
            }
        }
    }

    /// Nothing of it is defined any more.
    pub fn lose(&mut self) {
        *self = Slot::undefined(self.labels.len());
    }

    /// What is known of it where symbols from a mark on have other values; `None` where that is the same.
    pub fn without(&self, labels: &Labels, mark: u32) -> Option<Slot> {
        let newest = self
            .newest
            .get()
            .unwrap_or_else(|| self.find_newest(labels));
        self.newest.set(Some(newest));
        if newest.is_none_or(|newest| newest < mark) {
            return None;
        }
        let is_local = |label: Label| labels.newest(label).is_some_and(|newest| newest >= mark);
        let contents = self.contents.iter().map(|(&at, &content)| {
            let content = match content {
                Content::Bits(bits) => Content::Bits(bits.map(|bit| match is_local(bit) {
                    true => Label::ALWAYS,
                    false => bit,
                })),
                Content::Int(_) => content,
            };
            (at, content)
        });
        // Neighbours are mostly alike.
        let mut last = (Label::ALWAYS, Label::ALWAYS);
        let known = self.labels.iter().map(|&label| {
            if label != last.0 {
                let is_lost = is_local(label);
                last = (label, if is_lost { Label::NEVER } else { label });
            }
            last.1
        });
        Some(Slot::new(known.collect(), contents.collect()))
    }

    fn find_newest(&self, labels: &Labels) -> Option<u32> {
        let bits = self.contents.values().filter_map(|content| match content {
            Content::Bits(bits) => Some(bits),
            Content::Int(_) => None,
        });
        // Neighbours are mostly alike.
        let mut last = Label::ALWAYS;
        let mut newest = None;
        for part in self.labels.chunks(PART) {
            // Without an early end, so that many are compared at once.
            let is_alike = part.iter().fold(true, |all, &label| all & (label == last));
            if is_alike {
                continue;
            }
            for &label in part {
                if std::mem::replace(&mut last, label) != label {
                    newest = newest.max(labels.newest(label));
                }
            }
        }
        let bits = bits.flatten().filter_map(|&label| labels.newest(label));
        newest.max(bits.max())
    }
}

/// What holds of both.
pub(super) fn both(labels: &mut Labels, a: &Cells, b: &Cells) -> Cells {
    if Rc::ptr_eq(a, b) || a == b {
        return a.clone();
    }
    // Neighbours are mostly alike.
    let mut last = (Label::ALWAYS, Label::ALWAYS, Label::ALWAYS);
    let cells = a.labels.iter().zip(&b.labels).map(|(&a, &b)| {
        if (a, b) != (last.0, last.1) {
            last = (a, b, labels.and(a, b));
        }
        last.2
    });
    let cells = cells.collect();
    let contents = a.contents.iter();
    let contents = contents.filter(|(at, content)| b.contents.get(at) == Some(content));
    let contents = contents.map(|(&at, &content)| (at, content)).collect();
    Rc::new(Slot::new(cells, contents))
}
