//! Models handshakes that count tokens: as many as a buffer has slots.

use std::borrow::Cow;
use std::collections::VecDeque;

use super::auto_sync::{Message, Slot};
use crate::SlotKey;

/// The messages of a producer and a consumer of a buffer, by step. A step begins where the producer takes
/// another slot, or a slot that has been read since; the reads of the consumer belong to the youngest step of
/// their slot.
///
/// `C` is the knowledge that a message conveys: a clock in a run; in the analysis, the instructions that may
/// still be running.
#[derive(Clone, Debug, PartialEq)]
pub struct Session<C> {
    /// The steps, youngest first; one for each token.
    steps: VecDeque<Step<C>>,
}

#[derive(Clone, Debug, PartialEq)]
struct Step<C> {
    /// The slot; `None` where it is not known.
    slot: Option<Slot>,
    /// Whether the consumer has read the slot; `None` where paths differ.
    is_read: Option<bool>,
    /// The message of the producer.
    ready: C,
    /// The message of the consumer.
    free: C,
}

/// The knowledge that a message conveys.
pub trait Knowledge: Clone {
    /// Keeps the knowledge that both have (the join of two paths).
    fn keep_common(&mut self, other: &Self);
}

/// Whether a use by the producer begins a new step.
enum Begins {
    Yes,
    No,
    Perhaps,
}

impl<C: Knowledge> Session<C> {
    /// Makes the state before the first step. Its tokens convey no knowledge (`nothing`), since they are set
    /// at the start.
    pub fn new(slots: usize, nothing: &C) -> Self {
        let step = Step {
            slot: None,
            is_read: Some(true),
            ready: nothing.clone(),
            free: nothing.clone(),
        };
        Session {
            steps: vec![step; slots.max(1)].into(),
        }
    }

    /// Returns the message that a use of a slot waits for; `None` if it waits for none. An unknown slot is
    /// `None`.
    pub fn awaited(&self, slot: Option<Slot>, message: Message) -> Option<Cow<'_, C>> {
        let oldest = self.steps.back()?;
        match (message, self.begins(slot)) {
            (Message::Ready, _) => {
                let step = self.step_of(slot).map(|at| &self.steps[at]);
                step.map(|step| Cow::Borrowed(&step.ready))
            }
            (Message::Free, Begins::Yes) => Some(Cow::Borrowed(&oldest.free)),
            (Message::Free, Begins::No) => None,
            // Either the use begins a step and waits for the oldest one, or its step has begun and has waited
            // before. Only the knowledge common to both is certain.
            (Message::Free, Begins::Perhaps) => {
                let mut both = self.steps[0].free.clone();
                both.keep_common(&oldest.free);
                Some(Cow::Owned(both))
            }
        }
    }

    /// Records a use of a slot: `done` is the knowledge of its completion, `nothing` the absence of
    /// knowledge.
    pub fn pass(&mut self, slot: Option<Slot>, message: Message, done: &C, nothing: &C) {
        match (message, self.begins(slot)) {
            (Message::Ready, Begins::Yes) => {
                // The step reuses the token of the oldest step, and with it the knowledge that the token
                // conveyed.
                let before = self.steps.pop_back();
                self.steps.push_front(Step {
                    slot,
                    is_read: Some(false),
                    ready: done.clone(),
                    free: before.map_or_else(|| nothing.clone(), |step| step.free),
                });
            }
            (Message::Ready, Begins::No) => self.steps[0].ready = done.clone(),
            (Message::Ready, Begins::Perhaps) => {
                // Joins both cases, a new step and a further write in the present one. In both the youngest
                // step has this slot and message afterwards.
                let as_it_is = self.clone();
                let before = self.steps.pop_back();
                self.steps.push_front(Step {
                    slot,
                    is_read: Some(false),
                    ready: done.clone(),
                    free: before.map_or_else(|| nothing.clone(), |step| step.free),
                });
                self.join(&as_it_is);
                self.steps[0].slot = slot;
                self.steps[0].is_read = Some(false);
                self.steps[0].ready = done.clone();
            }
            (Message::Free, _) => {
                if let Some(at) = self.step_of(slot) {
                    self.steps[at].free = done.clone();
                    self.steps[at].is_read = Some(true);
                } else if are_same(self.steps[0].slot, slot).is_none() {
                    // The read may belong to the youngest step: it is no longer certain that this one has not
                    // been read.
                    let is_read = &mut self.steps[0].is_read;
                    *is_read = is_read.filter(|&is_read| is_read);
                }
            }
        }
    }

    /// Returns whether a use by the producer begins a step.
    fn begins(&self, slot: Option<Slot>) -> Begins {
        let youngest = &self.steps[0];
        match (youngest.is_read, are_same(youngest.slot, slot)) {
            (Some(true), _) | (_, Some(false)) => Begins::Yes,
            (Some(false), Some(true)) => Begins::No,
            _ => Begins::Perhaps,
        }
    }

    /// Returns the index of the step that a use by the consumer belongs to; `None` where a younger step may
    /// use the slot, or none does.
    fn step_of(&self, slot: Option<Slot>) -> Option<usize> {
        for (at, step) in self.steps.iter().enumerate() {
            match are_same(step.slot, slot) {
                Some(true) => return Some(at),
                Some(false) => {}
                None => return None,
            }
        }
        None
    }

    /// Returns the number of tokens.
    pub fn tokens(&self) -> usize {
        self.steps.len()
    }

    /// Renames the slots of all steps where a variable that selects them changes.
    pub fn rename(&mut self, rename: impl Fn(Slot) -> Option<Slot>) {
        for step in &mut self.steps {
            step.slot = step.slot.and_then(&rename);
        }
    }

    /// Returns the messages of all steps.
    pub fn each(&mut self) -> impl Iterator<Item = &mut C> {
        let steps = self.steps.iter_mut();
        steps.flat_map(|step| [&mut step.ready, &mut step.free])
    }

    /// Joins the state of another path.
    pub fn join(&mut self, other: &Self) {
        for (mine, theirs) in self.steps.iter_mut().zip(&other.steps) {
            mine.ready.keep_common(&theirs.ready);
            mine.free.keep_common(&theirs.free);
            mine.slot = mine.slot.filter(|_| mine.slot == theirs.slot);
            mine.is_read = mine.is_read.filter(|_| mine.is_read == theirs.is_read);
        }
    }
}

/// Returns whether two slots are equal; `None` where it is not known.
fn are_same(a: Option<Slot>, b: Option<Slot>) -> Option<bool> {
    use SlotKey::Constant;
    match (a?, b?) {
        (Slot::Picked(a), Slot::Picked(b)) => Some(a == b),
        (Slot::Expression(Constant(a)), Slot::Expression(Constant(b))) => Some(a == b),
        (Slot::Distance(a, x), Slot::Distance(b, y)) => (a == b).then_some(x == y),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Knowledge for Option<u32> {
        fn keep_common(&mut self, other: &Self) {
            *self = (*self).min(*other);
        }
    }

    /// The knowledge of a message is the number of the last use that it reports.
    fn session(slots: usize) -> Session<Option<u32>> {
        Session::new(slots, &None)
    }

    fn slot(at: usize) -> Option<Slot> {
        Some(Slot::Picked(at))
    }

    /// A producer's and a consumer's use of a slot; what the producer was told.
    fn step(session: &mut Session<Option<u32>>, number: u32, picked: usize) -> Option<u32> {
        let told = session.awaited(slot(picked), Message::Free);
        let told = told.and_then(Cow::into_owned);
        session.pass(slot(picked), Message::Ready, &Some(number), &None);
        session.pass(slot(picked), Message::Free, &Some(number), &None);
        told
    }

    #[test]
    fn a_step_waits_for_the_one_that_many_slots_before() {
        let mut ring = session(2);
        let told: Vec<_> = (0..5).map(|k| step(&mut ring, k, k as usize % 2)).collect();
        assert_eq!(told, [None, None, Some(0), Some(1), Some(2)]);
        // A counter that does not advance uses the same tokens.
        let mut still = session(2);
        let told: Vec<_> = (0..4).map(|k| step(&mut still, k, 0)).collect();
        assert_eq!(told, [None, None, Some(0), Some(1)]);
    }

    #[test]
    fn loads_ahead_and_second_reads_belong_to_their_slot() {
        let mut ring = session(2);
        for at in 0..2 {
            ring.pass(slot(at), Message::Ready, &Some(at as u32), &None);
        }
        for (number, at) in [(10, 0), (11, 1), (12, 0), (13, 1)] {
            ring.pass(slot(at), Message::Free, &Some(number), &None);
        }
        assert_eq!(
            ring.awaited(slot(0), Message::Free).as_deref(),
            Some(&Some(12))
        );
        assert_eq!(
            ring.awaited(slot(1), Message::Ready).as_deref(),
            Some(&Some(1))
        );
    }

    #[test]
    fn unknown_slots_tell_no_more_than_both_ways() {
        let mut ring = session(2);
        step(&mut ring, 0, 0);
        step(&mut ring, 1, 1);
        ring.pass(None, Message::Ready, &Some(2), &None);
        assert_eq!(ring.awaited(slot(0), Message::Ready), None);
        // It is the step that has begun, or the next one.
        assert_eq!(
            ring.awaited(slot(0), Message::Free).as_deref(),
            Some(&Some(0))
        );
        ring.pass(slot(1), Message::Ready, &Some(3), &None);
        assert_eq!(
            ring.awaited(slot(1), Message::Ready).as_deref(),
            Some(&Some(3))
        );
        assert_eq!(ring.awaited(slot(0), Message::Ready), None);
    }
}
