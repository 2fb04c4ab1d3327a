//! Executes a vector instruction on one lane, repeat by repeat, on labels of cells.

use std::ops::Range;

use smallvec::SmallVec;

use super::labels::{Label, Labels, Last};
use super::lanes::{Holds, SELECTED, is_held};
use super::slot::{Cells, Content, Slot};
use a2lint_isa::DType;
use a2lint_machine::vector::{Flow, Repeats};

/// Cells of consecutive results: `width` cells for each, `step` cells apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stretch {
    first: usize,
    width: usize,
    step: usize,
    /// Distance to the cells of the next repeat.
    repeat: usize,
}

/// Repeats with the same results at cells that advance by a constant distance.
#[derive(Debug)]
pub(super) struct Alike {
    /// The repeats.
    pub repeats: Range<usize>,
    /// The results of the first repeat.
    pub runs: Vec<Run>,
}

/// Consecutive results of one repeat that are computed alike.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// Number of results.
    pub count: u32,
    /// Index of the first result in its repeat.
    result: u32,
    written: Stretch,
    /// The cells that are read, by operand.
    read: SmallVec<[(u32, Stretch); 2]>,
}

impl Stretch {
    /// Converts a byte range whose start advances by `repeat` bytes per repeat; `None` if that is not a whole
    /// number of cells.
    fn of(bytes: &Range<i64>, repeat: i64, granule: i64) -> Option<Stretch> {
        let first = usize::try_from(bytes.start / granule).ok()?;
        let end = usize::try_from((bytes.end + granule - 1) / granule).ok()?;
        // The number of cells per repeat has to be whole, or the cells of later repeats would lie elsewhere.
        let is_whole = bytes.start >= 0 && repeat % granule == 0;
        let repeat = usize::try_from(repeat / granule).ok()?;
        is_whole.then_some(Stretch {
            first,
            width: end.saturating_sub(first),
            step: 0,
            repeat,
        })
    }

    /// Returns the distance of the next result from the last of the `count` results in this stretch, if it
    /// continues them.
    fn step_to(&self, next: &Stretch, count: u32) -> Option<usize> {
        // The second result determines the distance, and all others have to keep it.
        let (before, step) = match count {
            1 => (self.first, next.first.checked_sub(self.first)?),
            _ => (self.first + (count as usize - 1) * self.step, self.step),
        };
        (next.width == self.width && before + step == next.first).then_some(step)
    }

    /// Returns the cells in a later repeat.
    fn after(self, repeats: usize) -> Stretch {
        Stretch {
            first: self.first + repeats * self.repeat,
            ..self
        }
    }

    /// Returns the cells of one result.
    fn at(&self, result: usize) -> Range<usize> {
        let first = self.first + result * self.step;
        first..first + self.width
    }

    /// Returns the range from the first to the last cell of `count` results.
    fn hull(&self, count: usize) -> Range<usize> {
        self.first..self.at(count - 1).end
    }
}

impl Alike {
    /// Creates a group of repeats without results.
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
    /// Creates a run of one result; `None` if it accesses parts of cells.
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

    /// Returns the run in a later repeat.
    pub fn after(&self, repeats: usize) -> Run {
        let mut run = self.clone();
        run.written = run.written.after(repeats);
        for (_, stretch) in &mut run.read {
            *stretch = stretch.after(repeats);
        }
        run
    }

    /// Appends the next result and returns `true`, if it continues the run.
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
    /// The operand is absent.
    None,
    /// In cells that the instruction does not write.
    Other(Cells),
    /// In the slot that is written: it sees what earlier repeats have written.
    Written,
    /// In cells that may or may not be the written ones. A value that is read counts as defined only if it is
    /// defined in both cases.
    Perhaps(Cells),
}

/// The condition under which results are computed.
#[derive(Clone, Copy, Debug)]
pub(super) enum Executed<'e> {
    /// One condition for all results.
    Alike(Label),
    /// A condition for each result; results beyond the slice are never computed.
    Each(&'e [Label]),
}

impl Executed<'_> {
    fn of(self, result: usize) -> Label {
        match self {
            Executed::Alike(label) => label,
            Executed::Each(labels) => labels.get(result).copied().unwrap_or(Label::NEVER),
        }
    }

    /// Returns the common condition of the first `count` results, if they have one.
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

/// The execution of an instruction.
pub(super) struct Execution<'l, 's> {
    labels: &'l mut Labels<'s>,
    /// The slot that is written, after the repeats so far.
    cells: Slot,
    sources: Vec<Operand>,
    holds: Holds,
    /// Whether the mask is known.
    is_certain: bool,
    /// Writes of the current repeat, which take effect after all of its reads.
    pending: Vec<Write>,
    /// For each operand, whether it is read, and whether any cell read is ever defined.
    reads: Vec<[bool; 2]>,
}

impl<'l, 's> Execution<'l, 's> {
    /// Starts before the first repeat.
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

    /// Returns the first operand that is read although no cell of it is ever defined.
    pub fn undefined(&self) -> Option<usize> {
        self.reads.iter().position(|&reads| reads == [true, false])
    }

    /// Returns the slot that is written, after the last repeat.
    pub fn end(mut self) -> Slot {
        self.commit();
        self.cells
    }

    /// Executes some results of a repeat.
    pub fn run(&mut self, run: &Run, executed: Executed) {
        if !self.all_alike(run, executed) {
            self.one_by_one(run, executed);
        }
    }

    /// Applies the writes of the current repeat.
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

    /// Executes all results of a run at once, if they have the same labels. Returns whether it did.
    fn all_alike(&mut self, run: &Run, executed: Executed) -> bool {
        let count = run.count as usize;
        // With gaps between the results, the hull would contain cells that are not written.
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
                    // Data that the mask does not select need not be defined.
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
            // Known contents are kept only for cells that are certainly written, and by one result.
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

    /// Returns the label of a cell to which a result is written under a condition.
    fn written(&mut self, executed: Label, label: Label, old: Label) -> Label {
        let new = self.labels.written_if(executed, label, old);
        // With an unknown mask, the cell may keep its old contents.
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

    /// Returns the known content of an operand's cell.
    fn content_of(&self, operand: usize, at: usize) -> Option<Content> {
        match self.sources.get(operand)? {
            Operand::Other(cells) => cells.content(at),
            Operand::Written => self.cells.content(at),
            Operand::None | Operand::Perhaps(_) => None,
        }
    }

    /// Returns the known content of a result.
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

    /// Returns the condition under which the bit that selects a result may be set.
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
