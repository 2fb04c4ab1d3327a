//! Vector instructions and scalars: what their results are computed from.

use std::rc::Rc;

use super::contents::{Cells, Contents};
use super::labels::Label;
use super::{Attempt, Here};
use crate::ir::{Instr, LocalView, View};
use crate::isa::ParamKind;
use crate::machine::vector::Flow;

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
        let mut flows: Vec<Flow> = Vec::new();
        let values: Vec<_> = here.values(instr, row).collect();
        self.trial
            .flows(instr, values.into_iter(), mask, &mut |flow| {
                flows.push(flow)
            })?;
        let views: Vec<Option<&LocalView>> = instr
            .row()
            .operands()
            .map(|(index, _)| instr.view(index).and_then(View::local))
            .collect();
        let Some(Some(dst)) = views.first().copied() else {
            return Ok(());
        };
        let sources = views.iter().map(|view| match view {
            Some(view) => self.cells(view, here, state).map(Some),
            None => Ok(None),
        });
        let mut sources: Vec<Option<Cells>> = sources.collect::<Result<_, _>>()?;
        let number = |kind| instr.scalar(kind).and_then(|id| here.number(id));
        let (repeats, count) = (number(ParamKind::Repeat), number(ParamKind::Count));
        let granule = |view: &LocalView| self.granules[view.buffer.index()];
        let mut cells: Vec<Label> = (*self.cells(dst, here, state)?).clone();
        // Operands in the slot that is written see what earlier repeats have written.
        let is_own: Vec<bool> = views
            .iter()
            .map(|view| view.is_some_and(|view| view.buffer == dst.buffer))
            .collect();
        let mut pending: Vec<(usize, usize, Label)> = Vec::new();
        // By operand: whether it is read, and whether any of that is ever defined.
        let mut reads = vec![[false; 2]; views.len()];
        let mut repeat = 0;
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
            for (operand, bytes) in &flow.read {
                let (Some(view), Some(source)) = (views[*operand], &sources[*operand]) else {
                    continue;
                };
                reads[*operand][0] = true;
                for at in span(bytes.start, bytes.end, granule(view)) {
                    let known = source.get(at).copied().unwrap_or(Label::NEVER);
                    reads[*operand][1] |= known != Label::NEVER;
                    label = self.and(label, known);
                }
            }
            let executed = match (&count, &repeats) {
                (Some(count), _) => self.at_least(here.lane, count, at as i64 + 1),
                (None, Some(repeats)) => self.at_least(here.lane, repeats, flow.repeat as i64 + 1),
                (None, None) => Label::ALWAYS,
            };
            for at in span(flow.written.start, flow.written.end, granule(dst)) {
                let old = cells.get(at).copied().unwrap_or(Label::NEVER);
                let mut new = self.labels.borrow_mut().written_if(executed, label, old);
                if !is_certain {
                    new = self.and(new, old);
                }
                pending.push((at, at + 1, new));
            }
        }
        if let Some(undefined) = reads.iter().position(|&reads| reads == [true, false])
            && let Some(view) = views[undefined]
        {
            return Err(self.undefined(view));
        }
        commit(&mut cells, &mut pending);
        self.replace(dst, here, state, Rc::new(cells))
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

/// The cells of some bytes.
pub(super) fn span(start: i64, end: i64, granule: i64) -> std::ops::Range<usize> {
    let cell = |byte: i64| usize::try_from(byte).unwrap_or(0);
    cell(start / granule)..cell((end + granule - 1) / granule)
}

fn commit(cells: &mut [Label], pending: &mut Vec<(usize, usize, Label)>) {
    for (from, to, label) in pending.drain(..) {
        if let Some(cells) = cells.get_mut(from..to) {
            cells.fill(label);
        }
    }
}
