//! Vector instructions and scalars: what their results are computed from.

use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::contents::Contents;
use super::labels::{Label, Labels, Values};
use super::slot::{Cells, Content, Slot};
use super::{Attempt, Here, given};
use crate::analysis::Linear;
use crate::ir::{ArgValue, Instr, LocalView, View};
use crate::isa::{CompareMode, DType, Opcode, ParamKind, SRC};

impl<'a, 't> Attempt<'a, 't, '_> {
    /// A vector instruction: lane by lane where that is followed.
    pub(super) fn vector(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let name = instr.row().name;
        let Some(row) = here.largest() else {
            return Ok(());
        };
        let (mask, is_certain) = self.mask(here.id);
        if here.rows.len() > 1 && !self.only_repeats(instr, here) {
            return Err(format!("what {name} touches depends on sizes"));
        }
        let views: Vec<Option<&LocalView>> = instr
            .row()
            .operands()
            .map(|(index, _)| instr.view(index).and_then(View::local))
            .collect();
        let Some(Some(dst)) = views.first().copied() else {
            return Ok(());
        };
        let flows = self.flows(instr, here, row, &views, mask)?;
        let sources = views.iter().map(|view| match view {
            Some(view) => self.cells(view, here, state).map(Some),
            None => Ok(None),
        });
        let mut sources: Vec<Option<Cells>> = sources.collect::<Result<_, _>>()?;
        let number = |kind| {
            let number = instr.scalar(kind).and_then(|id| here.number(id));
            number.map(|number| self.steps(here.lane, &number))
        };
        let (repeats, count) = (number(ParamKind::Repeat), number(ParamKind::Count));
        let mut cells: Slot = (*self.cells(dst, here, state)?).clone();
        let mut holds = self.holds(instr, here);
        // Operands in the slot that is written see what earlier repeats have written.
        let is_own: Vec<bool> = views
            .iter()
            .map(|view| view.is_some_and(|view| view.buffer == dst.buffer))
            .collect();
        let mut pending: Vec<(usize, Label, Option<Content>)> = Vec::new();
        // By operand: whether it is read, and whether any of that is ever defined.
        let mut reads = vec![[false; 2]; views.len()];
        let mut repeat = 0;
        let labels = &mut *self.labels.borrow_mut();
        for (at, flow) in flows.iter().enumerate() {
            if flow.repeat != repeat {
                repeat = flow.repeat;
                commit(&mut cells, &mut pending);
                if is_own.iter().skip(1).any(|&own| own) {
                    let current: Cells = Rc::new(cells.clone());
                    for (source, _) in sources.iter_mut().zip(&is_own).filter(|(_, own)| **own) {
                        *source = Some(current.clone());
                    }
                }
            }
            let chosen = holds.chosen(flow, &sources);
            let mut label = Label::ALWAYS;
            for &(operand, from, to) in &flow.read {
                let Some(source) = &sources[operand as usize] else {
                    continue;
                };
                reads[operand as usize][0] = true;
                for at in from..to {
                    let mut known = source.label(at as usize);
                    reads[operand as usize][1] |= known != Label::NEVER;
                    if let (SELECTED, Some(bit)) = (operand, chosen) {
                        known = match bit {
                            Label::NEVER => Label::ALWAYS,
                            _ => labels.given(known, bit),
                        };
                    }
                    label = labels.and(label, known);
                }
            }
            let executed = match (&count, &repeats) {
                (Some(count), _) => count.get(at),
                (None, Some(repeats)) => repeats.get(flow.repeat as usize),
                (None, None) => Some(&Label::ALWAYS),
            };
            let executed = executed.copied().unwrap_or(Label::NEVER);
            let is_whole = is_certain && executed == Label::ALWAYS;
            let content = match is_whole {
                true => holds.content(flow, &sources, labels),
                false => None,
            };
            let (from, to) = flow.written;
            for at in from..to {
                let old = cells.label(at as usize);
                let mut new = labels.written_if(executed, label, old);
                if !is_certain {
                    new = labels.and(new, old);
                }
                pending.push((at as usize, new, content.filter(|_| to - from == 1)));
            }
        }
        if let Some(undefined) = reads.iter().position(|&reads| reads == [true, false])
            && let Some(view) = views[undefined]
        {
            return Err(self.undefined(view));
        }
        commit(&mut cells, &mut pending);
        let ring = Rc::make_mut(&mut state.rings[self.memory(dst, here)]);
        ring.replace(labels, self.key(dst, here)?, Rc::new(cells));
        Ok(())
    }

    /// What the results of an instruction are computed from, with these numbers.
    fn flows(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        row: &[i64],
        views: &[Option<&LocalView>],
        mask: [u64; 2],
    ) -> Result<Rc<Vec<CellFlow>>, String> {
        let key = (here.id, mask, row[..here.known.scalars.len()].to_vec());
        if let Some(flows) = self.flows.borrow().get(&key) {
            return Ok(flows.clone());
        }
        let granules: Vec<i64> = views
            .iter()
            .map(|view| view.map_or(1, |view| self.granules[view.buffer.index()]))
            .collect();
        let mut flows = Vec::new();
        let values: Vec<_> = here.values(instr, row).collect();
        self.trial
            .flows(instr, values.into_iter(), mask, &mut |flow| {
                let read = flow.read.iter().map(|(operand, bytes)| {
                    let (from, to) = span(bytes, granules[*operand]);
                    (*operand as u32, from, to)
                });
                flows.push(CellFlow {
                    repeat: flow.repeat as u32,
                    result: flow.result as u32,
                    written: span(&flow.written, granules[0]),
                    read: read.collect(),
                });
            })?;
        let flows = Rc::new(flows);
        self.flows.borrow_mut().insert(key, flows.clone());
        Ok(flows)
    }

    /// That nothing an operand reads is known to be defined.
    pub(super) fn undefined(&self, view: &LocalView) -> String {
        let name = &self.program.buffer(view.buffer).name;
        format!("what is read of `{name}` may be undefined")
    }

    /// Whether the values of an instruction's numbers differ in its repeats, or its count, alone.
    fn only_repeats(&self, instr: &Instr, here: &Here) -> bool {
        let lengths = [ParamKind::Repeat, ParamKind::Count].map(|kind| instr.scalar(kind));
        let scalars = here.known.scalars.iter();
        scalars
            .filter(|&&id| !lengths.contains(&Some(id)))
            .all(|&id| here.constant(id).is_some())
    }

    /// `GetValueFrom`.
    pub(super) fn read_scalar(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &Contents<'a>,
    ) -> Result<(), String> {
        match instr.view(SRC) {
            Some(View::Local(view)) => {
                let cells = self.cells(view, here, state)?;
                match self
                    .cell(view, here)
                    .is_some_and(|at| cells.label(at) == Label::ALWAYS)
                {
                    true => Ok(()),
                    false => Err("a scalar may be read that nothing has written".to_owned()),
                }
            }
            Some(View::Global(view)) if self.is_given(view.global) => Ok(()),
            _ => Err("a scalar is read from what the kernel writes".to_owned()),
        }
    }

    /// `SetValueTo`.
    pub(super) fn write_scalar(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let Some(View::Local(view)) = instr.view(SRC) else {
            return Ok(());
        };
        let Some(at) = self.cell(view, here) else {
            // One of its elements is defined from now on, whichever it is.
            return Ok(());
        };
        let mut cells = (*self.cells(view, here, state)?).clone();
        let granule = self.granules[view.buffer.index()];
        let count = (view.dtype.bytes_of(1) / granule).max(1) as usize;
        let value = self.stored_number(instr, here).filter(|_| count == 1);
        for at in at..at + count {
            cells.write(at, Label::ALWAYS, value.map(Content::Int));
        }
        self.replace(view, here, state, Rc::new(cells))
    }

    /// What `SetValueTo` stores, where that is one number that an element can hold.
    fn stored_number(&self, instr: &Instr, here: &Here) -> Option<i64> {
        let variable = instr.variable()?;
        let scalar = self.program.scalars.variable_id(variable)?;
        let number = here.known.numbers.get(&scalar)?;
        let number = self
            .assigned
            .symbols
            .with_values(number, &self.values(here.lane));
        let view = instr.view(SRC)?.local()?;
        number.as_constant().filter(|&it| is_held(view.dtype, it))
    }

    /// What can be said of the results of a vector instruction beside when they are defined.
    fn holds(&self, instr: &'t Instr, here: &Here) -> Holds {
        let dtype = |index| instr.local(index).map(|view| view.dtype);
        let granule = |index| {
            let buffer = instr.local(index)?.buffer;
            Some(self.granules[buffer.index()])
        };
        let is_number = |index| {
            dtype(index) == Some(DType::Int) && granule(index) == Some(DType::Int.bytes_of(1))
        };
        let is_mask = |index| granule(index) == Some(1);
        let number = |name| {
            let scalar = given(instr, name)?;
            let number = here.known.numbers.get(&scalar).cloned();
            number.or_else(|| Some(Linear::constant(self.program.scalars.as_int(scalar)?)))
        };
        let constant = |name| number(name)?.as_constant();
        let held = match instr.opcode {
            Opcode::Dup if is_number(0) => constant("value").map(Holds::Value),
            Opcode::Adds if is_number(0) && is_number(1) => constant("val").map(Holds::Sum),
            Opcode::CompareScalar if is_mask(0) && is_number(1) => {
                let more = match instr.named("mode").map(|arg| &arg.value) {
                    Some(ArgValue::Compare(CompareMode::Lt)) => Some(1),
                    Some(ArgValue::Compare(CompareMode::Le)) => Some(0),
                    _ => None,
                };
                let bound = number("src2").zip(more);
                bound.map(|(number, more)| {
                    Holds::Smaller(Smaller {
                        number,
                        values: self.values(here.lane),
                        more,
                        known: FxHashMap::default(),
                    })
                })
            }
            Opcode::Select if is_mask(1) => Some(Holds::Selected),
            _ => None,
        };
        held.unwrap_or(Holds::Nothing)
    }

    /// The cell that a view of one element in UB is.
    fn cell(&self, view: &LocalView, here: &Here) -> Option<usize> {
        let pitch = here.constant(view.shape[1])?;
        let [row, column] = [
            here.constant(view.offset[0])?,
            here.constant(view.offset[1])?,
        ];
        let byte = view.dtype.bytes_of(row * pitch + column);
        usize::try_from(byte / self.granules[view.buffer.index()]).ok()
    }
}

/// The operand of `select` that is taken where a bit is set.
const SELECTED: u32 = 2;

/// What the results of an instruction hold, as far as that is followed: numbers of columns, and masks made from
/// them.
enum Holds {
    Nothing,
    /// This number.
    Value(i64),
    /// This more than the source.
    Sum(i64),
    /// Bits, set where the source is smaller.
    Smaller(Smaller),
    /// One of two sources.
    Selected,
}

/// That what a column holds and one or nothing more are at most a number.
struct Smaller {
    number: Linear,
    values: Values,
    more: i64,
    /// By what a column holds: rows mostly hold the same.
    known: FxHashMap<i64, Label>,
}

impl Smaller {
    /// Where the bit of a column may be set.
    fn bit(&mut self, column: i64, labels: &mut Labels) -> Label {
        *self.known.entry(column).or_insert_with(|| {
            let least = column.checked_add(self.more);
            least.map_or(Label::ALWAYS, |least| {
                labels.implied(&self.number, &self.values, least)
            })
        })
    }
}

impl Holds {
    /// What a result holds.
    fn content(
        &mut self,
        flow: &CellFlow,
        sources: &[Option<Cells>],
        labels: &mut Labels,
    ) -> Option<Content> {
        let read = |at: u32| match sources[1].as_ref()?.content(at as usize)? {
            Content::Int(value) => Some(value),
            Content::Bits(_) => None,
        };
        match self {
            Holds::Value(value) => Some(Content::Int(*value)),
            Holds::Sum(more) => {
                let [(1, from, _)] = flow.read[..] else {
                    return None;
                };
                let sum = read(from)?.checked_add(*more)?;
                is_held(DType::Int, sum).then_some(Content::Int(sum))
            }
            Holds::Smaller(smaller) => {
                let [(1, from, to)] = flow.read[..] else {
                    return None;
                };
                if to - from != 8 {
                    return None;
                }
                let mut bits = [Label::ALWAYS; 8];
                for (bit, at) in bits.iter_mut().zip(from..to) {
                    if let Some(column) = read(at) {
                        *bit = smaller.bit(column, labels);
                    }
                }
                Some(Content::Bits(bits))
            }
            Holds::Nothing | Holds::Selected => None,
        }
    }

    /// Where the bit that selects a result may be set.
    fn chosen(&self, flow: &CellFlow, sources: &[Option<Cells>]) -> Option<Label> {
        let Holds::Selected = self else { return None };
        let &(_, at, _) = flow.read.iter().find(|read| read.0 == 1)?;
        match sources[1].as_ref()?.content(at as usize)? {
            Content::Bits(bits) => Some(bits[flow.result as usize % 8]),
            Content::Int(_) => None,
        }
    }
}

/// Whether an element can hold a number.
fn is_held(dtype: DType, value: i64) -> bool {
    dtype == DType::Int && i32::try_from(value).is_ok()
}

/// The first cell and the one after the last.
type Span = (u32, u32);

/// One result of an instruction: cells that are written, and those that are read, by operand.
#[derive(Debug)]
pub(super) struct CellFlow {
    repeat: u32,
    /// The number of the result in its repeat.
    result: u32,
    written: Span,
    read: SmallVec<[(u32, u32, u32); 2]>,
}

/// The cells of some bytes.
fn span(bytes: &Range<i64>, granule: i64) -> Span {
    let cell = |cell: i64| u32::try_from(cell).unwrap_or(0);
    (
        cell(bytes.start / granule),
        cell((bytes.end + granule - 1) / granule),
    )
}

fn commit(cells: &mut Slot, pending: &mut Vec<(usize, Label, Option<Content>)>) {
    for (at, label, content) in pending.drain(..) {
        cells.write(at, label, content);
    }
}
