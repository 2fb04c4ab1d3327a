//! One vector instruction on one lane: its results, repeat by repeat.

use std::ops::Range;

use smallvec::SmallVec;

use super::labels::{Label, Labels, Last};
use super::lanes::{Holds, SELECTED, is_held};
use super::slot::{Cells, Content, Slot};
use a2lint_isa::DType;
use a2lint_machine::vector::{Flow, Repeats};

/// Cells of neighbouring results: so many for each, and how far those of the next one are from them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    first: usize,
    width: usize,
    step: usize,
    /// How far they are from those of the repeat before.
    repeat: usize,
}

/// Repeats with the same results, from cells further on.
#[derive(Debug)]
pub(super) struct Alike {
    /// Which ones.
    pub repeats: Range<usize>,
    /// The results of the first one.
    pub runs: Vec<Run>,
}

/// Neighbouring results of one repeat that are computed alike.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// How many there are.
    pub count: u32,
    /// The number of the first one in its repeat.
    result: u32,
    written: Stretch,
    /// By operand.
    read: SmallVec<[(u32, Stretch); 2]>,
}

impl Stretch {
    /// Of bytes that are `repeat` bytes further on in the next repeat; `None` where these are no whole cells.
    fn of(bytes: &Range<i64>, repeat: i64, granule: i64) -> Option<Stretch> {
        let first = usize::try_from(bytes.start / granule).ok()?;
        let end = usize::try_from((bytes.end + granule - 1) / granule).ok()?;
        let is_whole = bytes.start >= 0 && repeat % granule == 0;
        let repeat = usize::try_from(repeat / granule).ok()?;
        is_whole.then_some(Stretch {
            first,
            width: end.saturating_sub(first),
            step: 0,
            repeat,
        })
    }

    /// How far a result's cells are from those of the `count` ones in this stretch, if they belong to it.
    fn step_to(&self, next: &Stretch, count: u32) -> Option<usize> {
        let (before, step) = match count {
            1 => (self.first, next.first.checked_sub(self.first)?),
            _ => (self.first + (count as usize - 1) * self.step, self.step),
        };
        (next.width == self.width && before + step == next.first).then_some(step)
    }

    /// In a later repeat.
    fn after(self, repeats: usize) -> Stretch {
        Stretch {
            first: self.first + repeats * self.repeat,
            ..self
        }
    }

    /// The cells of one of the results.
    fn at(&self, result: usize) -> Range<usize> {
        let first = self.first + result * self.step;
        first..first + self.width
    }

    /// From the first cell to the last.
    fn hull(&self, count: usize) -> Range<usize> {
        self.first..self.at(count - 1).end
    }
}

impl Alike {
    /// None of their results yet.
    pub fn new(repeats: &Repeats) -> Alike {
        Alike {
            repeats: repeats.range.clone(),
            runs: Vec::new(),
        }
    }

    /// Adds a result.
    pub fn add(&mut self, one: Run) {
        let is_joined = self.runs.last_mut().is_some_and(|last| last.join(&one));
        if !is_joined {
            self.runs.push(one);
        }
    }
}

impl Run {
    /// One result; `None` where it takes parts of cells.
    pub fn of(repeats: &Repeats, flow: &Flow, granules: &[i64]) -> Option<Run> {
        let stretch = |operand: usize, bytes: &Range<i64>| {
            Stretch::of(bytes, repeats.steps[operand], granules[operand])
        };
        let read = flow.read.iter();
        let read = read.map(|(operand, bytes)| Some((*operand as u32, stretch(*operand, bytes)?)));
        Some(Run {
            count: 1,
            result: flow.result as u32,
            written: stretch(0, &flow.written)?,
            read: read.collect::<Option<_>>()?,
        })
    }

    /// The same in a later repeat.
    pub fn after(&self, repeats: usize) -> Run {
        let mut run = self.clone();
        run.written = run.written.after(repeats);
        for (_, stretch) in &mut run.read {
            *stretch = stretch.after(repeats);
        }
        run
    }

    /// Adds the next result if it continues these.
    pub fn join(&mut self, next: &Run) -> bool {
        if next.result != self.result + self.count || next.read.len() != self.read.len() {
            return false;
        }
        let Some(written) = self.written.step_to(&next.written, self.count) else {
            return false;
        };
        let mut steps: SmallVec<[usize; 4]> = SmallVec::new();
        for ((operand, mine), (other, theirs)) in self.read.iter().zip(&next.read) {
            match mine.step_to(theirs, self.count) {
                Some(step) if operand == other => steps.push(step),
                _ => return false,
            }
        }
        self.written.step = written;
        for ((_, stretch), step) in self.read.iter_mut().zip(steps) {
            stretch.step = step;
        }
        self.count += 1;
        true
    }
}

/// Where an operand finds its data.
#[derive(Debug)]
pub(super) enum Operand {
    /// There is none.
    None,
    /// In cells that the instruction does not write.
    Other(Cells),
    /// In the slot that is written: it sees what earlier repeats have written.
    Written,
    /// In cells that may be those that are written.
    Perhaps(Cells),
}

/// Under which condition results are made.
#[derive(Clone, Copy, Debug)]
pub(super) enum Executed<'e> {
    /// All under one.
    Alike(Label),
    /// Each under its own; those that are not there are never made.
    Each(&'e [Label]),
}

impl Executed<'_> {
    fn of(self, result: usize) -> Label {
        match self {
            Executed::Alike(label) => label,
            Executed::Each(labels) => labels.get(result).copied().unwrap_or(Label::NEVER),
        }
    }

    /// That of so many results, if they have one in common.
    fn of_all(self, count: usize) -> Option<Label> {
        let Executed::Each(labels) = self else {
            return Some(self.of(0));
        };
        let (first, others) = labels.get(..count)?.split_first()?;
        others.iter().all(|label| label == first).then_some(*first)
    }
}

/// Cells that a repeat writes.
#[derive(Debug)]
struct Write {
    cells: Range<usize>,
    label: Label,
    content: Option<Content>,
}

/// An instruction that is executed.
pub(super) struct Execution<'l, 's> {
    labels: &'l mut Labels<'s>,
    /// The slot that is written, as earlier repeats have left it.
    cells: Slot,
    sources: Vec<Operand>,
    holds: Holds,
    /// Whether the mask is known.
    is_certain: bool,
    /// What this repeat writes: all its reads come before.
    pending: Vec<Write>,
    /// By operand: whether it is read, and whether any of that is ever defined.
    reads: Vec<[bool; 2]>,
}

impl<'l, 's> Execution<'l, 's> {
    /// Before the first repeat.
    pub fn new(
        labels: &'l mut Labels<'s>,
        cells: Slot,
        sources: Vec<Operand>,
        holds: Holds,
        is_certain: bool,
    ) -> Self {
        Execution {
            labels,
            cells,
            reads: vec![[false; 2]; sources.len()],
            sources,
            holds,
            is_certain,
            pending: Vec::new(),
        }
    }

    /// The first operand that is read although nothing of it is ever defined.
    pub fn undefined(&self) -> Option<usize> {
        self.reads.iter().position(|&reads| reads == [true, false])
    }

    /// The slot that is written, at the end.
    pub fn end(mut self) -> Slot {
        self.commit();
        self.cells
    }

    /// Some results of a repeat.
    pub fn run(&mut self, run: &Run, executed: Executed) {
        if !self.all_alike(run, executed) {
            self.one_by_one(run, executed);
        }
    }

    /// What this repeat writes is there.
    pub fn commit(&mut self) {
        for Write {
            cells,
            label,
            content,
        } in self.pending.drain(..)
        {
            match content {
                None => self.cells.fill(cells, label),
                Some(_) => {
                    for at in cells {
                        self.cells.write(at, label, content);
                    }
                }
            }
        }
    }

    /// All results of a run at once, where they have everything in common.
    fn all_alike(&mut self, run: &Run, executed: Executed) -> bool {
        let count = run.count as usize;
        let is_dense = count == 1 || run.written.step == run.written.width;
        if !is_dense || !self.holds.is_nothing(&self.sources) {
            return false;
        }
        let cells = run.written.hull(count);
        let (Some(executed), Some(old)) = (
            executed.of_all(count),
            self.cells.label_of_all(cells.clone()),
        ) else {
            return false;
        };
        let mut known: SmallVec<[(usize, Label); 4]> = SmallVec::new();
        for (operand, stretch) in &run.read {
            let operand = *operand as usize;
            let cells = match &self.sources[operand] {
                Operand::None => continue,
                Operand::Other(cells) => cells,
                Operand::Written => &self.cells,
                Operand::Perhaps(_) => return false,
            };
            match cells.label_of_all(stretch.hull(count)) {
                Some(label) => known.push((operand, label)),
                None => return false,
            }
        }
        let mut label = Label::ALWAYS;
        for (operand, known) in known {
            self.note(operand, known);
            label = self.labels.and(label, known);
        }
        let label = self.written(executed, label, old);
        self.write(cells, label, None);
        true
    }

    fn one_by_one(&mut self, run: &Run, executed: Executed) {
        let mut last = Last::NONE;
        for result in 0..run.count as usize {
            let bit = self.chosen(run, result);
            let mut label = Label::ALWAYS;
            for (operand, stretch) in &run.read {
                let operand = *operand as usize;
                if matches!(self.sources[operand], Operand::None) {
                    continue;
                }
                for at in stretch.at(result) {
                    let mut known = self.read(operand, at);
                    self.note(operand, known);
                    if let (SELECTED, Some(bit)) = (operand, bit) {
                        known = match bit {
                            Label::NEVER => Label::ALWAYS,
                            _ => self.labels.given(known, bit),
                        };
                    }
                    label = self.labels.and(label, known);
                }
            }
            let executed = executed.of(result);
            let is_whole = self.is_certain && executed == Label::ALWAYS;
            let content = match is_whole && run.written.width == 1 {
                true => self.content(run, result),
                false => None,
            };
            for at in run.written.at(result) {
                let old = self.cells.label(at);
                let written = || self.written(executed, label, old);
                let new = last.get([executed, label, old], written);
                self.write(at..at + 1, new, content);
            }
        }
    }

    fn note(&mut self, operand: usize, label: Label) {
        let [is_read, is_ever_defined] = &mut self.reads[operand];
        *is_read = true;
        *is_ever_defined |= label != Label::NEVER;
    }

    fn read(&mut self, operand: usize, at: usize) -> Label {
        match &self.sources[operand] {
            Operand::None => Label::ALWAYS,
            Operand::Other(cells) => cells.label(at),
            Operand::Written => self.cells.label(at),
            Operand::Perhaps(cells) => self.labels.and(cells.label(at), self.cells.label(at)),
        }
    }

    /// What a cell is where a result is written to it under a condition.
    fn written(&mut self, executed: Label, label: Label, old: Label) -> Label {
        let new = self.labels.written_if(executed, label, old);
        match self.is_certain {
            true => new,
            false => self.labels.and(new, old),
        }
    }

    fn write(&mut self, cells: Range<usize>, label: Label, content: Option<Content>) {
        if let (Some(last), None) = (self.pending.last_mut(), &content)
            && last.content.is_none()
            && last.label == label
            && last.cells.end == cells.start
        {
            last.cells.end = cells.end;
            return;
        }
        self.pending.push(Write {
            cells,
            label,
            content,
        });
    }

    /// What an operand is known to hold in a cell.
    fn content_of(&self, operand: usize, at: usize) -> Option<Content> {
        match self.sources.get(operand)? {
            Operand::Other(cells) => cells.content(at),
            Operand::Written => self.cells.content(at),
            Operand::None | Operand::Perhaps(_) => None,
        }
    }

    /// What a result holds.
    fn content(&mut self, run: &Run, result: usize) -> Option<Content> {
        let read = |at: usize| match self.content_of(1, at)? {
            Content::Int(value) => Some(value),
            Content::Bits(_) => None,
        };
        let cells = match run.read[..] {
            [(1, stretch)] => Some(stretch.at(result)),
            _ => None,
        };
        match &self.holds {
            Holds::Value(value) => Some(Content::Int(*value)),
            Holds::Sum(more) => {
                let sum = read(cells?.start)?.checked_add(*more)?;
                is_held(DType::Int, sum).then_some(Content::Int(sum))
            }
            Holds::Smaller(_) => {
                let cells = cells.filter(|cells| cells.len() == 8)?;
                let columns: SmallVec<[Option<i64>; 8]> = cells.map(read).collect();
                let Holds::Smaller(smaller) = &mut self.holds else {
                    return None;
                };
                let mut bits = [Label::ALWAYS; 8];
                for (bit, column) in bits.iter_mut().zip(columns) {
                    if let Some(column) = column {
                        *bit = smaller.bit(column, self.labels);
                    }
                }
                Some(Content::Bits(bits))
            }
            Holds::Nothing | Holds::Selected => None,
        }
    }

    /// Where the bit that selects a result may be set.
    fn chosen(&self, run: &Run, result: usize) -> Option<Label> {
        let Holds::Selected = self.holds else {
            return None;
        };
        let (_, stretch) = run.read.iter().find(|read| read.0 == 1)?;
        match self.content_of(1, stretch.at(result).start)? {
            Content::Bits(bits) => Some(bits[(run.result as usize + result) % 8]),
            Content::Int(_) => None,
        }
    }
}
