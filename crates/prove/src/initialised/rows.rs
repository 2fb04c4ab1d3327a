//! Moves of rows between global memory and UB, and within UB.

use std::rc::Rc;

use super::contents::{Contents, Key};
use super::labels::{Label, Last};
use super::slot::{Cells, Slot};
use super::{Attempt, Here, Number, multiple};
use crate::operands::{Values as Tried, moves_one_row};
use a2lint_analysis::Linear;
use a2lint_ir::{GlobalAxis, GlobalId, GlobalKind, GlobalView, Instr, LocalView, ScalarId, View};
use a2lint_isa::{BLOCK_BYTES, DST, SRC};
use a2lint_machine::Rows;

/// The part of a workspace that a view accesses: its memory and key, the first row and column, and the number of
/// columns.
pub(super) struct Window {
    pub memory: usize,
    pub key: Key,
    pub start: [i64; 2],
    pub columns: i64,
}

impl Window {
    /// Returns the cell of an element, relative to the start of the window.
    pub fn cell(&self, row: i64, column: i64) -> Option<usize> {
        let column = self.start[1] + column;
        let inside = (0..self.columns).contains(&column);
        usize::try_from((self.start[0] + row) * self.columns + column)
            .ok()
            .filter(|_| inside)
    }
}

/// The rows of a move, with their number and length.
struct Moved {
    rows: Rows,
    count: Number,
    length: Number,
    /// Bytes of an element.
    element: i64,
    /// Bytes of a cell, the unit in which definedness is tracked.
    granule: i64,
    /// Possible lengths of a row, in elements.
    lengths: Vec<i64>,
}

impl Moved {
    /// Iterates over the cells of a row up to the end of its last block, with the element that each belongs to.
    fn cells(&self, row: i64) -> impl Iterator<Item = (usize, i64)> + use<> {
        let start = self.rows.start + row * self.rows.pitch;
        let end = start + multiple(self.length.max * self.element, BLOCK_BYTES);
        let (granule, element) = (self.granule, self.element);
        (start..end)
            .step_by(granule as usize)
            .filter_map(move |byte| {
                let cell = usize::try_from(byte / granule).ok()?;
                Some((cell, (byte - start) / element))
            })
    }

    /// Returns, for each element up to the end of the last block, whether it may be padding, for some length of the
    /// row.
    fn padding(&self) -> Vec<bool> {
        let block = (BLOCK_BYTES / self.element.max(1)).max(1);
        let mut may_pad = vec![false; (self.length.max.max(0) + BLOCK_BYTES + 1) as usize];
        for &length in self.lengths.iter().filter(|&&length| length > 0) {
            let padding = length as usize..multiple(length, block) as usize;
            may_pad[padding].fill(true);
        }
        may_pad
    }
}

/// Returns the rows of a load with their margins; `None` if they are not followed. Where the data and the padding are
/// defined alike (`is_even`), a row with margins is a longer row.
fn with_margins(moved: Moved, instr: &Instr, here: &Here, is_even: bool) -> Option<Moved> {
    let margins = ["left_padding", "right_padding"].map(|name| instr.scalar_named(name));
    let is_none = |margin: &Option<ScalarId>| margin.is_none_or(|id| here.constant(id) == Some(0));
    if margins.iter().all(is_none) {
        return Some(moved);
    }
    // A load of nothing does not pad.
    if !is_even || moved.length.min <= 0 {
        return None;
    }
    let mut moved = moved;
    let constant = |id: ScalarId| here.constant(id);
    let fixed: Option<i64> = margins.into_iter().flatten().map(constant).sum();
    let mut parts = vec![instr.scalar_named("burst_len_element")?];
    for id in margins.into_iter().flatten() {
        parts.push(id);
        let margin = here.number(id)?;
        moved.length = Number {
            what: moved.length.what.plus_times(&margin.what, 1)?,
            min: moved.length.min.checked_add(margin.min)?,
            max: moved.length.max.checked_add(margin.max)?,
        };
        if margin.min < 0 {
            return None;
        }
    }
    let at = |id: &ScalarId| here.known.scalars.iter().position(|known| known == id);
    let parts: Vec<usize> = parts.iter().map(at).collect::<Option<_>>()?;
    let length = |row: &&[i64]| parts.iter().map(|&at| row[at]).sum();
    moved.lengths = match fixed {
        Some(fixed) => moved.lengths.iter().map(|length| length + fixed).collect(),
        None => here.rows.iter().map(length).collect(),
    };
    moved.lengths.sort_unstable();
    moved.lengths.dedup();
    Some(moved)
}

impl<'a, 't> Attempt<'a, 't, '_> {
    /// Executes `gm_to_ub_pad`: the padding of a row is undefined, unless the load fills it. `Err` explains, as a
    /// clause, why the effect of the load is not modelled.
    pub(super) fn load_rows(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let (Some(View::Local(dst)), Some(View::Global(src))) = (instr.view(DST), instr.view(SRC))
        else {
            return Err("its operands are not known".to_owned());
        };
        let Some(moved) = self.moved(instr, here, dst, 0)? else {
            return Ok(());
        };
        let is_filled = instr.fills_rows();
        let source = self.source(src, here, state)?;
        // The value fills the margins as well: all of the row is defined if its data is.
        let is_even = is_filled && source.is_none();
        let Some(moved) = with_margins(moved, instr, here, is_even) else {
            return Err("the padding of rows is not followed".to_owned());
        };
        let mut cells = (*self.cells(dst, here, state)?).clone();
        let is_row = self.steps(here.lane, &moved.count);
        let is_columns = self.steps(here.lane, &moved.length);
        let may_pad = moved.padding();
        let mut labels = self.labels.borrow_mut();
        for (row, &is_row) in (0..).zip(is_row.iter()) {
            // Per row, and apart for padding: the cached label depends on both.
            let mut last = [Last::NONE, Last::NONE];
            for (at, element) in moved.cells(row) {
                if !cells.has(at) {
                    continue;
                }
                let old = cells.label(at);
                let is_column = is_columns.get(element as usize);
                let is_column = is_column.copied().unwrap_or(Label::NEVER);
                let content = match &source {
                    None => Label::ALWAYS,
                    Some((window, cells)) => cells.label_at(window.cell(row, element)),
                };
                let may_pad = may_pad[element as usize];
                let last = &mut last[usize::from(may_pad)];
                // What fills a block is there as soon as the row reaches into it.
                let block = BLOCK_BYTES / moved.element;
                let in_block = is_columns.get((element - element % block) as usize);
                let in_block = in_block.copied().unwrap_or(Label::NEVER);
                let decides = if is_filled && may_pad {
                    in_block
                } else {
                    is_column
                };
                let new = last.get([decides, content, old], || match may_pad {
                    true if is_filled => {
                        let both = labels.and(is_row, in_block);
                        labels.written_if(both, content, old)
                    }
                    true => {
                        let content = labels.and(is_column, content);
                        labels.written_if(is_row, content, old)
                    }
                    false => {
                        let both = labels.and(is_row, is_column);
                        labels.written_if(both, content, old)
                    }
                });
                cells.write(at, new, None);
            }
        }
        drop(labels);
        self.replace(dst, here, state, Rc::new(cells))
    }

    /// Executes `ub_to_gm_pad`. What is stored to an output has to be defined; a workspace keeps its labels. `Err`
    /// gives the reason why that is not shown, as a clause.
    pub(super) fn store_rows(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let (Some(View::Global(dst)), Some(View::Local(src))) = (instr.view(DST), instr.view(SRC))
        else {
            return Err("its operands are not known".to_owned());
        };
        let Some(moved) = self.moved(instr, here, src, 1)? else {
            return Ok(());
        };
        let cells = self.cells(src, here, state)?;
        let mut target = self.target(dst, here, state)?;
        let is_row = self.steps(here.lane, &moved.count);
        let is_column = self.steps(here.lane, &moved.length);
        let mut last = Last::NONE;
        for (row, &is_row) in (0..).zip(is_row.iter()) {
            for (at, element) in moved.cells(row).filter(|cell| cell.1 < moved.length.max) {
                let is_column = is_column[element as usize];
                let content = cells.label(at);
                self.put(
                    &mut target,
                    dst.global,
                    (row, element),
                    [is_row, is_column, content],
                    &mut last,
                )?;
            }
        }
        self.finish(target, state);
        Ok(())
    }

    /// Executes `ub_to_ub`. `Err` gives the reason why its effect is not modelled, as a clause.
    pub(super) fn copy_rows(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let (Some(View::Local(dst)), Some(View::Local(src))) = (instr.view(DST), instr.view(SRC))
        else {
            return Err("its operands are not known".to_owned());
        };
        let [row] = here.rows[..] else {
            return Err("what ub_to_ub copies depends on sizes".to_owned());
        };
        let values: Vec<_> = here.values(instr, row).collect();
        let [Some(to), Some(from)] = self.trial.rows_in_ub(instr, values.into_iter())? else {
            return Ok(());
        };
        let granule = |view: &LocalView| self.granules[view.buffer.index()];
        let (fine, other) = (granule(dst), granule(src));
        if fine != other {
            return Err("ub_to_ub copies between elements of several sizes".to_owned());
        }
        let source = self.cells(src, here, state)?;
        let mut cells = (*self.cells(dst, here, state)?).clone();
        let mut is_defined = to.count <= 0 || to.length <= 0;
        for row in 0..to.count {
            for byte in (0..to.length).step_by(fine as usize) {
                let at = |rows: &Rows| {
                    usize::try_from((rows.start + row * rows.pitch + byte) / fine).ok()
                };
                if let (Some(to), Some(from)) = (at(&to), at(&from)) {
                    let label = source.label(from);
                    is_defined |= cells.has(to) && label != Label::NEVER;
                    cells.write(to, label, source.content(from));
                }
            }
        }
        if !is_defined {
            return Err(self.undefined(src));
        }
        self.replace(dst, here, state, Rc::new(cells))
    }

    /// Returns the rows of a move in UB; `None` if it moves nothing. `Err` gives the reason why they are not known, as
    /// a clause.
    fn moved(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        view: &LocalView,
        operand: usize,
    ) -> Result<Option<Moved>, String> {
        let unknown = || "how many rows are moved is not known".to_owned();
        let count = instr
            .scalar_named("n_burst")
            .and_then(|id| here.number(id))
            .ok_or_else(unknown)?;
        let length = instr
            .scalar_named("burst_len_element")
            .ok_or_else(unknown)?;
        let lengths_at = here
            .known
            .scalars
            .iter()
            .position(|&id| id == length)
            .ok_or_else(unknown)?;
        let length = here.number(length).ok_or_else(unknown)?;
        if view.dtype.bits() < 8 {
            return Err("elements of half a byte are not followed".to_owned());
        }
        let mut found: Option<Rows> = None;
        for row in &here.rows {
            let values: Vec<_> = here.values(instr, row).collect();
            let rows = self.trial.rows_in_ub(instr, values.into_iter())?[operand];
            let Some(rows) = rows else { continue };
            if rows.count <= 0 || rows.length <= 0 {
                continue;
            }
            // The pitch of a single row does not matter.
            let is_same = |known: &Rows| {
                known.start == rows.start
                    && (known.pitch == rows.pitch || rows.count == 1 || known.count == 1)
            };
            match &mut found {
                Some(known) if !is_same(known) => {
                    return Err("where rows lie depends on sizes".to_owned());
                }
                // A single row says nothing about the pitch, so one with several rows is preferred.
                Some(known) if known.count > 1 => {}
                _ => found = Some(rows),
            }
        }
        let Some(rows) = found else { return Ok(None) };
        let mut lengths: Vec<i64> =
            match self.tried == Tried::Ends && moves_one_row(self.program, instr) {
                // Of a single row, only the smallest and the largest length are listed.
                true => {
                    let step = self.assigned.symbols.congruence(&length.what).modulus;
                    let all = length.min..=length.max;
                    all.step_by(step.max(1) as usize).collect()
                }
                false => here.rows.iter().map(|row| row[lengths_at]).collect(),
            };
        lengths.sort_unstable();
        lengths.dedup();
        Ok(Some(Moved {
            rows,
            count,
            length,
            element: view.dtype.bytes_of(1),
            granule: self.granules[view.buffer.index()],
            lengths,
        }))
    }

    /// Returns whether a tensor has contents at the start: a launch gives them, or is assumed to.
    pub(super) fn is_given(&self, global: GlobalId) -> bool {
        let has_data = self.program.global(global).kind == GlobalKind::Param
            || self.program.table(global).is_some();
        let is_undefined =
            self.program.workspaces.contains(&global) || self.program.is_scratch(global);
        has_data && !is_undefined && !self.undefined.contains(&global)
    }

    /// Returns the location of the data that a load reads; `None` for a tensor that the launch gives. `Err` explains,
    /// as a clause, why the location is unknown.
    pub(super) fn source(
        &self,
        view: &GlobalView,
        here: &Here,
        state: &Contents<'a>,
    ) -> Result<Option<(Window, Cells)>, String> {
        if self.is_given(view.global) {
            return Ok(None);
        }
        let global = self.program.global(view.global);
        if self.program.workspaces.contains(&view.global) {
            return Err(format!(
                "`{}` is a workspace, which starts undefined",
                global.name
            ));
        }
        if global.kind == GlobalKind::Param {
            return Err(format!("`{}` is loaded and stored", global.name));
        }
        let window = self.window(view, SRC, here)?;
        let ring = &state.rings[window.memory];
        let cells = ring.find(&mut self.labels.borrow_mut(), window.key.clone());
        Ok(Some((window, cells)))
    }

    /// Returns the location to which a store writes; `None` for a tensor of the launch. `Err` explains, as a clause,
    /// why the location is unknown.
    pub(super) fn target(
        &self,
        view: &GlobalView,
        here: &Here,
        state: &Contents<'a>,
    ) -> Result<Option<(Window, Slot)>, String> {
        if self.program.global(view.global).kind == GlobalKind::Param {
            return Ok(None);
        }
        let window = self.window(view, DST, here)?;
        let ring = &state.rings[window.memory];
        let cells = ring.find(&mut self.labels.borrow_mut(), window.key.clone());
        Ok(Some((window, (*cells).clone())))
    }

    /// Stores an element under the conditions that its row and column exist. `last` caches labels within one
    /// store.
    pub(super) fn put(
        &self,
        target: &mut Option<(Window, Slot)>,
        global: GlobalId,
        (row, column): (i64, i64),
        [is_row, is_column, content]: [Label; 3],
        last: &mut Last<4>,
    ) -> Result<(), String> {
        let labels = &mut *self.labels.borrow_mut();
        let Some((window, cells)) = target else {
            let open = last.get([is_row, is_column, content, Label::ALWAYS], || {
                let executed = labels.and(is_row, is_column);
                labels.given(content, executed)
            });
            return match open {
                Label::ALWAYS => Ok(()),
                _ => {
                    let name = &self.program.global(global).name;
                    Err(format!(
                        "what is stored to `{name}` may be undefined at row {row}, column {column}"
                    ))
                }
            };
        };
        if let Some(at) = window.cell(row, column) {
            let old = cells.label(at);
            let written = last.get([is_row, is_column, content, old], || {
                let executed = labels.and(is_row, is_column);
                let written = labels.written_if(executed, content, old);
                // Other lanes read the workspace, for which conditions on this lane mean something else.
                labels.shared(written)
            });
            cells.write(at, written, None);
        }
        Ok(())
    }

    pub(super) fn finish(&self, target: Option<(Window, Slot)>, state: &mut Contents<'a>) {
        if let Some((window, cells)) = target {
            let ring = Rc::make_mut(&mut state.rings[window.memory]);
            ring.replace(&mut self.labels.borrow_mut(), window.key, Rc::new(cells));
        }
    }

    /// Returns the part of a workspace that a view accesses; `Err` gives the reason why it is not known, as a clause.
    fn window(&self, view: &GlobalView, operand: usize, here: &Here) -> Result<Window, String> {
        let global = self.program.global(view.global);
        let unknown = || format!("which part of `{}` is meant is not known", global.name);
        let touched = self.subject.analysis.global_window(here.id, operand);
        if !touched.is_some_and(|window| window.is_grid) {
            return Err(unknown());
        }
        // A view with other extents maps the same indices to other elements.
        let is_extent = |(axis, &own): (&GlobalAxis, &ScalarId)| {
            let [here, declared] = [axis.extent, own].map(|id| self.program.size(id));
            axis.extent == own || (here.is_some() && here == declared)
        };
        let is_reshaped = view.axes.len() != global.shape.len()
            || !view.axes.iter().zip(&global.shape).all(is_extent);
        if is_reshaped {
            return Err(unknown());
        }
        let values = self.values(here.lane);
        let starts = view.axes.iter().map(|axis| {
            let start = here.known.numbers.get(&axis.start)?;
            Some(self.assigned.symbols.with_values(start, &values))
        });
        let starts: Vec<Linear> = starts.collect::<Option<_>>().ok_or_else(unknown)?;
        let [outer @ .., row, column] = &starts[..] else {
            return Err(unknown());
        };
        let start = [
            row.as_constant().ok_or_else(unknown)?,
            column.as_constant().ok_or_else(unknown)?,
        ];
        let columns = global
            .shape
            .last()
            .and_then(|&id| self.program.size(id))
            .ok_or_else(unknown)?;
        Ok(Window {
            memory: self.global(view.global),
            key: outer.to_vec(),
            start,
            columns,
        })
    }
}
