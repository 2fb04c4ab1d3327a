//! Vector instructions and scalar accesses: what their results are computed from.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::contents::{Contents, Key, Picked};
use super::execution::{Alike, Executed, Execution, Operand, Run};
use super::labels::{Label, Labels, Reduced};
use super::slot::Content;
use super::{Attempt, Here};
use a2lint_analysis::Linear;
use a2lint_ir::{ArgValue, Instr, LocalView, View};
use a2lint_isa::{CompareMode, DType, Opcode, ParamKind, SRC, Walk};

/// Returns whether results have other indices than the source elements that a count selects.
fn renumbers(instr: &Instr) -> bool {
    let mut operands = instr.row().operands();
    operands.any(|(_, it)| matches!(it.walk, Walk::Compacted | Walk::IndexedTotal))
}

impl<'a, 't> Attempt<'a, 't, '_> {
    /// Executes a vector instruction, lane by lane where that is supported. `Err` explains, as a clause, why the effect
    /// of the instruction is not modelled.
    pub(super) fn vector(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let name = self.program.call_name(instr);
        let Some(row) = here.largest() else {
            return Ok(());
        };
        let (mask, is_certain) = self.mask(here.id);
        if here.rows.len() > 1 && (renumbers(instr) || !self.only_repeats(instr, here)) {
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
        let written = self.key(dst, here)?;
        let sources = views.iter().map(|view| match view {
            Some(view) => self.operand(view, dst, &written, here, state),
            None => Ok(Operand::None),
        });
        let sources: Vec<Operand> = sources.collect::<Result<_, _>>()?;
        let number = |kind| {
            let number = instr.scalar(kind).and_then(|id| here.number(id));
            number.map(|number| self.steps(here.lane, &number))
        };
        let (repeats, count) = (number(ParamKind::Repeat), number(ParamKind::Count));
        let cells = (*self.cells(dst, here, state)?).clone();
        let holds = self.holds(instr, here);
        let mut labels = self.labels.borrow_mut();
        let mut execution = Execution::new(&mut labels, cells, sources, holds, is_certain);
        let mut first = 0;
        for alike in flows.iter() {
            for repeat in alike.repeats.clone() {
                // The last repeat takes effect only now: a repeat reads all of its data before it writes.
                execution.commit();
                for run in &alike.runs {
                    let executed = match (&count, &repeats) {
                        (Some(count), _) => Executed::Each(count.get(first..).unwrap_or_default()),
                        (None, Some(repeats)) => {
                            let executed = repeats.get(repeat);
                            Executed::Alike(executed.copied().unwrap_or(Label::NEVER))
                        }
                        (None, None) => Executed::Alike(Label::ALWAYS),
                    };
                    let run = run.after(repeat - alike.repeats.start);
                    execution.run(&run, executed);
                    first += run.count as usize;
                }
            }
        }
        if let Some(undefined) = execution.undefined()
            && let Some(view) = views[undefined]
        {
            return Err(self.undefined(view));
        }
        let cells = Rc::new(execution.end());
        let ring = Rc::make_mut(&mut state.rings[self.memory(dst, here)]);
        ring.replace(&mut labels, written, cells);
        drop(labels);
        self.overwrite_work(instr, here, dst, state)
    }

    /// Makes what a reduction overwrites of its work area undefined, but for its result. `Err` gives the reason why
    /// that part is not known, as a clause.
    fn overwrite_work(
        &self,
        instr: &'t Instr,
        here: &Here,
        dst: &LocalView,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let mut operands = instr.row().operands();
        let work = operands.find(|(_, operand)| operand.walk == Walk::Work);
        let (Some(view), Some(src)) = (work.and_then(|(at, _)| instr.local(at)), instr.local(SRC))
        else {
            return Ok(());
        };
        let name = self.program.call_name(instr);
        let unknown = || format!("which part of its work area {name} overwrites is not known");
        let most = |kind| {
            let id = instr.scalar(kind)?;
            here.number(id)
                .map(|number| number.max)
                .or_else(|| self.program.size(id))
        };
        let repeats = match instr.scalar(ParamKind::Count) {
            Some(_) => most(ParamKind::Count)
                .map(|count| count.saturating_add(src.dtype.lanes() - 1) / src.dtype.lanes()),
            None => most(ParamKind::Repeat),
        };
        let elements = instr
            .row()
            .work_written(repeats.ok_or_else(unknown)?, view.dtype);
        if elements == 0 {
            return Ok(());
        }
        let cells_of = |view: &LocalView, elements: i64| {
            let first = self.cell(view, here)?;
            let granule = self.granules[view.buffer.index()];
            Some(first..first + (view.dtype.bytes_of(elements) / granule).max(1) as usize)
        };
        let overwritten = cells_of(view, elements).ok_or_else(unknown)?;
        // The result is stored last.
        let [key, written] = [self.key(view, here)?, self.key(dst, here)?];
        let is_same = view.buffer == dst.buffer
            && state.rings[self.memory(dst, here)].compare(&key, &written) == Picked::Same;
        let results = if renumbers(instr) { 2 } else { 1 };
        let kept = match is_same {
            true => cells_of(dst, results).ok_or_else(unknown)?,
            false => 0..0,
        };
        let mut cells = (*self.cells(view, here, state)?).clone();
        for at in overwritten.filter(|at| !kept.contains(at)) {
            if cells.has(at) {
                cells.write(at, Label::NEVER, None);
            }
        }
        self.replace(view, here, state, Rc::new(cells))
    }

    /// Returns where an instruction that writes `dst` finds the data of a view.
    fn operand(
        &self,
        view: &LocalView,
        dst: &LocalView,
        written: &Key,
        here: &Here,
        state: &Contents<'a>,
    ) -> Result<Operand, String> {
        let key = self.key(view, here)?;
        let cells = self.cells(view, here, state)?;
        if view.buffer != dst.buffer {
            return Ok(Operand::Other(cells));
        }
        Ok(
            match state.rings[self.memory(view, here)].compare(&key, written) {
                Picked::Same => Operand::Written,
                Picked::Others => Operand::Other(cells),
                Picked::Unknown => Operand::Perhaps(cells),
            },
        )
    }

    /// Returns what the results of an instruction are computed from, with these values of its numbers.
    fn flows(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        row: &[i64],
        views: &[Option<&LocalView>],
        mask: [u64; 2],
    ) -> Result<Rc<Vec<Alike>>, String> {
        // Lane and iterations follow the scalars in a row. They decide which row applies, but not what it means.
        let key = (here.id, mask, row[..here.known.scalars.len()].to_vec());
        if let Some(flows) = self.flows.borrow().get(&key) {
            return Ok(flows.clone());
        }
        let granules: Vec<i64> = views
            .iter()
            .map(|view| view.map_or(1, |view| self.granules[view.buffer.index()]))
            .collect();
        let mut flows: Vec<Alike> = Vec::new();
        let mut is_whole = true;
        let values: Vec<_> = here.values(instr, row).collect();
        self.trial
            .flows(instr, values.into_iter(), mask, &mut |repeats, flow| {
                let Some(one) = Run::of(repeats, &flow, &granules) else {
                    is_whole = false;
                    return;
                };
                match flows.last_mut() {
                    Some(last) if last.repeats == repeats.range => last.add(one),
                    _ => {
                        let mut alike = Alike::new(repeats);
                        alike.add(one);
                        flows.push(alike);
                    }
                }
            })?;
        if !is_whole {
            return Err(format!(
                "{} takes parts of elements",
                self.program.call_name(instr)
            ));
        }
        let flows = Rc::new(flows);
        self.flows.borrow_mut().insert(key, flows.clone());
        Ok(flows)
    }

    /// Formats that no cell that an operand reads is known to be defined.
    pub(super) fn undefined(&self, view: &LocalView) -> String {
        let name = &self.program.buffer(view.buffer).name;
        format!("what is read of `{name}` may be undefined")
    }

    /// Returns whether only the repeats or the count of an instruction vary.
    fn only_repeats(&self, instr: &Instr, here: &Here) -> bool {
        let lengths = [ParamKind::Repeat, ParamKind::Count].map(|kind| instr.scalar(kind));
        let scalars = here.known.scalars.iter();
        scalars
            .filter(|&&id| !lengths.contains(&Some(id)))
            .all(|&id| here.constant(id).is_some())
    }

    /// Executes `GetValueFrom`. `Err` gives the reason why its effect is not modelled, as a clause.
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
                    // A scalar is read unconditionally, so that a condition on its definedness is not
                    // sufficient.
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

    /// Executes `SetValueTo`. `Err` gives the reason why its effect is not modelled, as a clause.
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
            // Some element becomes defined, but it is unknown which one.
            return Ok(());
        };
        let mut cells = (*self.cells(view, here, state)?).clone();
        let granule = self.granules[view.buffer.index()];
        let count = (view.dtype.bytes_of(1) / granule).max(1) as usize;
        // Contents are those of single cells, so an element of several cells has none.
        let value = self.stored_number(instr, here).filter(|_| count == 1);
        for at in at..at + count {
            cells.write(at, Label::ALWAYS, value.map(Content::Int));
        }
        self.replace(view, here, state, Rc::new(cells))
    }

    /// Returns the number that `SetValueTo` stores, if it is one that an element can hold.
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

    /// Returns what is known of the values of an instruction's results.
    fn holds(&self, instr: &'t Instr, here: &Here) -> Holds {
        let dtype = |index| instr.local(index).map(|view| view.dtype);
        let granule = |index| {
            let buffer = instr.local(index)?.buffer;
            Some(self.granules[buffer.index()])
        };
        // Only where a cell is an int32, so that the contents of cells are the values of elements.
        let is_number = |index| {
            dtype(index) == Some(DType::Int) && granule(index) == Some(DType::Int.bytes_of(1))
        };
        let is_mask = |index| granule(index) == Some(1);
        let number = |name| {
            let scalar = instr.scalar_named(name)?;
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
                    let number = self
                        .labels
                        .borrow()
                        .reduced(&number, &self.values(here.lane));
                    Holds::Smaller(Box::new(Smaller {
                        number,
                        more,
                        known: FxHashMap::default(),
                    }))
                })
            }
            Opcode::Select if is_mask(1) => Some(Holds::Selected),
            _ => None,
        };
        held.unwrap_or(Holds::Nothing)
    }

    /// Returns the cell of a view of one element in UB.
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
pub(super) const SELECTED: usize = 2;

/// Known values of results, as far as they are followed: column numbers, and masks computed from them.
pub(super) enum Holds {
    Nothing,
    /// This number.
    Value(i64),
    /// The source plus this number.
    Sum(i64),
    /// Bits that are set where the source is smaller.
    Smaller(Box<Smaller>),
    /// One of two sources, selected by a mask.
    Selected,
}

/// A comparison with a number: a bit is set where the value plus `more` (0 or 1) is at most the number.
pub(super) struct Smaller {
    number: Reduced,
    more: i64,
    /// The condition by value: most rows hold the same values.
    known: FxHashMap<i64, Label>,
}

impl Smaller {
    /// Returns the condition under which the bit of a value may be set.
    pub fn bit(&mut self, column: i64, labels: &mut Labels) -> Label {
        *self.known.entry(column).or_insert_with(|| {
            let least = column.checked_add(self.more);
            least.map_or(Label::ALWAYS, |least| labels.implied(&self.number, least))
        })
    }
}

impl Holds {
    /// Returns whether only the labels of the results have to be computed.
    pub fn is_nothing(&self, sources: &[Operand]) -> bool {
        match self {
            Holds::Nothing => true,
            Holds::Selected => match sources.get(1) {
                Some(Operand::Other(cells)) => !cells.has_contents(),
                _ => false,
            },
            Holds::Value(_) | Holds::Sum(_) | Holds::Smaller(_) => false,
        }
    }
}

/// Returns whether an element can hold a number.
pub(super) fn is_held(dtype: DType, value: i64) -> bool {
    dtype == DType::Int && i32::try_from(value).is_ok()
}
