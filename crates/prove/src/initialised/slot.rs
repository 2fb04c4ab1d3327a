//! The cells of one slot: when each is defined, and the known contents of some.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

use super::labels::{Label, Labels};

/// Number of labels that are compared at once.
const PART: usize = 32;

/// A slot that is shared between states.
pub(super) type Cells = Rc<Slot>;

/// The known content of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    /// An integer.
    Int(i64),
    /// The bits of a packed mask. Each is set at most where its condition holds.
    Bits([Label; 8]),
}

/// The labels of cells. Contents are known of few cells: column numbers, and masks computed from them.
#[derive(Clone, Debug)]
pub(super) struct Slot {
    labels: Vec<Label>,
    contents: BTreeMap<usize, Content>,
    /// The newest symbol of the labels that has other values in other iterations, if computed.
    newest: Cell<Option<Option<u32>>>,
}

// `newest` takes no part: it is a cache of what the labels say.
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

    /// Creates a slot without defined cells.
    pub fn undefined(cells: usize) -> Slot {
        Slot::new(vec![Label::NEVER; cells], BTreeMap::new())
    }

    /// Returns the label of a cell; `NEVER` if there is no such cell.
    pub fn label(&self, at: usize) -> Label {
        self.labels.get(at).copied().unwrap_or(Label::NEVER)
    }

    /// Returns the label of a cell; `NEVER` if its index is unknown.
    pub fn label_at(&self, at: Option<usize>) -> Label {
        at.map_or(Label::NEVER, |at| self.label(at))
    }

    /// Returns whether the slot has a cell with this index.
    pub fn has(&self, at: usize) -> bool {
        at < self.labels.len()
    }

    /// Returns the known content of a cell.
    pub fn content(&self, at: usize) -> Option<Content> {
        self.contents.get(&at).copied()
    }

    /// Returns whether the content of some cell is known.
    pub fn has_contents(&self) -> bool {
        !self.contents.is_empty()
    }

    /// Returns the common label of some cells; `None` if they differ or some do not exist.
    pub fn label_of_all(&self, cells: Range<usize>) -> Option<Label> {
        let (first, others) = self.labels.get(cells)?.split_first()?;
        others.iter().all(|label| label == first).then_some(*first)
    }

    /// Writes some cells with one label and unknown contents.
    pub fn fill(&mut self, cells: Range<usize>, label: Label) {
        if let Some(labels) = self.labels.get_mut(cells.clone()) {
            labels.fill(label);
        }
        self.newest.take();
        if !self.contents.is_empty() {
            self.contents.retain(|at, _| !cells.contains(at));
        }
    }

    /// Writes a cell.
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
            // Most slots have no contents, and this is called for every cell.
            None if self.contents.is_empty() => {}
            None => {
                self.contents.remove(&at);
            }
        }
    }

    /// Makes every cell undefined.
    pub fn lose(&mut self) {
        *self = Slot::undefined(self.labels.len());
    }

    /// Returns the slot without what depends on symbols from a mark on; `None` if nothing does.
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
            // A bit may be set wherever its condition held, and that is unknown now. Column numbers have no
            // symbols.
            let content = match content {
                Content::Bits(bits) => Content::Bits(bits.map(|bit| match is_local(bit) {
                    true => Label::ALWAYS,
                    false => bit,
                })),
                Content::Int(_) => content,
            };
            (at, content)
        });
        // A cache of one label, because neighbouring cells are mostly alike.
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
        // A cache of one label, because neighbouring cells are mostly alike.
        let mut last = Label::ALWAYS;
        let mut newest = None;
        for part in self.labels.chunks(PART) {
            // No early exit, so that the compiler can vectorise the comparison.
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

/// Returns what holds in both slots.
pub(super) fn both(labels: &mut Labels, a: &Cells, b: &Cells) -> Cells {
    // Paths mostly share the slots that neither has written, and comparing pointers costs nothing.
    if Rc::ptr_eq(a, b) || a == b {
        return a.clone();
    }
    // A cache of one pair, because neighbouring cells are mostly alike.
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
