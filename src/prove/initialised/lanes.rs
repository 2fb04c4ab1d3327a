//! Vector instructions and scalars: what their results are computed from.

use std::ops::Range;
use std::rc::Rc;

use smallvec::SmallVec;

use super::contents::{Cells, Contents};
use super::labels::Label;
use super::{Attempt, Here};
use crate::ir::{Instr, LocalView, View};
use crate::isa::ParamKind;

impl<'a, 't> Attempt<'a, 't, '_, '_> {
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
        let mut cells: Vec<Label> = (*self.cells(dst, here, state)?).clone();
        // Operands in the slot that is written see what earlier repeats have written.
        let is_own: Vec<bool> = views
            .iter()
            .map(|view| view.is_some_and(|view| view.buffer == dst.buffer))
            .collect();
        let mut pending: Vec<(Span, Label)> = Vec::new();
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
            let mut label = Label::ALWAYS;
            for &(operand, from, to) in &flow.read {
                let Some(source) = &sources[operand as usize] else {
                    continue;
                };
                reads[operand as usize][0] = true;
                for at in from..to {
                    let known = source.get(at as usize).copied().unwrap_or(Label::NEVER);
                    reads[operand as usize][1] |= known != Label::NEVER;
                    label = labels.and(label, known);
                }
            }
            let executed = match (&count, &repeats) {
                (Some(count), _) => count.get(at),
                (None, Some(repeats)) => repeats.get(flow.repeat as usize),
                (None, None) => Some(&Label::ALWAYS),
            };
            let executed = executed.copied().unwrap_or(Label::NEVER);
            let (from, to) = flow.written;
            for at in from..to {
                let old = cells.get(at as usize).copied().unwrap_or(Label::NEVER);
                let mut new = labels.written_if(executed, label, old);
                if !is_certain {
                    new = labels.and(new, old);
                }
                pending.push(((at, at + 1), new));
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
        match instr.view(1) {
            Some(View::Local(view)) => {
                let cells = self.cells(view, here, state)?;
                match self
                    .cell(view, here)
                    .is_some_and(|at| cells.get(at) == Some(&Label::ALWAYS))
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
        let Some(View::Local(view)) = instr.view(1) else {
            return Ok(());
        };
        let Some(at) = self.cell(view, here) else {
            // One of its elements is defined from now on, whichever it is.
            return Ok(());
        };
        let mut cells = (*self.cells(view, here, state)?).clone();
        let granule = self.granules[view.buffer.index()];
        let count = (view.dtype.bytes_of(1) / granule).max(1) as usize;
        cells
            .iter_mut()
            .skip(at)
            .take(count)
            .for_each(|cell| *cell = Label::ALWAYS);
        self.replace(view, here, state, Rc::new(cells))
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

/// The first cell and the one after the last.
type Span = (u32, u32);

/// One result of an instruction: cells that are written, and those that are read, by operand.
#[derive(Debug)]
pub(super) struct CellFlow {
    repeat: u32,
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

fn commit(cells: &mut [Label], pending: &mut Vec<(Span, Label)>) {
    for ((from, to), label) in pending.drain(..) {
        if let Some(cells) = cells.get_mut(from as usize..to as usize) {
            cells.fill(label);
        }
    }
}
