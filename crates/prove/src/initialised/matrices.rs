//! Instructions of the cube side: matrices, element by element.

use super::contents::Contents;
use super::labels::{Label, Labels, Last};
use super::slot::Cells;
use super::{Attempt, Here, Number};
use a2lint_ir::{ArgValue, GlobalView, Instr, LocalView, View};
use a2lint_isa::{DST, FACTORS, Layout, Opcode, Position, SRC};

/// The position of a view in its matrix, in elements.
struct Matrix {
    offset: [i64; 2],
    shape: [i64; 2],
    is_transposed: bool,
}

impl Matrix {
    /// Returns a function from the columns of a row, as the instruction sees it, to cells. It returns `None`
    /// outside of the matrix.
    fn row(&self, row: i64) -> impl Fn(i64) -> Option<usize> + use<> {
        let along = usize::from(!self.is_transposed);
        let mut pitches = [self.shape[1], 1];
        let row = self.offset[1 - along] + row;
        let is_inside = (0..self.shape[1 - along]).contains(&row);
        let first = self.offset[along];
        let columns = match is_inside {
            true => -first..self.shape[along] - first,
            false => 0..0,
        };
        pitches.rotate_left(1 - along);
        let [across, step] = pitches;
        let start = row * across + first * step;
        move |column| {
            let is_inside = columns.contains(&column);
            is_inside.then_some((start + column * step) as usize)
        }
    }
}

/// Fails, with the reason as a clause, where a product may have no terms: such an instruction is skipped.
pub(super) fn has_terms(depth: &Number, name: &str) -> Result<(), String> {
    match depth.min >= 1 {
        true => Ok(()),
        false => Err(format!("`{name}` of a product may be 0, which skips it")),
    }
}

impl<'a, 't> Attempt<'a, 't, '_> {
    /// Executes a move or product of matrices. `Err` gives the reason why its effect is not modelled, as a clause.
    pub(super) fn matrix(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        if self.is_addressed(instr) {
            return self.addressed(instr, here, state);
        }
        match instr.opcode {
            Opcode::GmToL1Nz | Opcode::GmToL1 => self.load_matrix(instr, here, state),
            Opcode::SetConstantToL1 => self.fill(instr, here, state),
            Opcode::L1ToL0 | Opcode::L1ToBt | Opcode::L0cToL1 => {
                self.copy_matrix(instr, here, state)
            }
            Opcode::Mmad => self.multiply(instr, ["M", "N", "K"], here, state),
            Opcode::Matmul => self.multiply(instr, ["m", "n", "k"], here, state),
            Opcode::L0cToGmNd => self.drain(instr, here, state),
            _ => Err(format!("{} is not followed", self.program.call_name(instr))),
        }
    }

    /// Returns whether the kernel addresses an operand of the cube itself.
    fn is_addressed(&self, instr: &Instr) -> bool {
        let mut locals = instr.operands().filter_map(|(_, _, view)| view.local());
        locals.any(|view| self.program.buffer(view.buffer).layout == Layout::Linear)
    }

    /// Returns the position of a view; `Err` gives the reason if it depends on sizes, as a clause.
    fn place(&self, view: &LocalView, here: &Here) -> Result<Matrix, String> {
        let buffer = self.program.buffer(view.buffer);
        let unknown = || format!("which part of `{}` is meant depends on sizes", buffer.name);
        let pair = |pair: [a2lint_ir::ScalarId; 2]| {
            Some([here.constant(pair[0])?, here.constant(pair[1])?])
        };
        let own = self.program.constant_pair(buffer.shape);
        let shape = pair(view.shape)
            // A view with another shape than its buffer numbers the elements differently.
            .filter(|&shape| Some(shape) == own)
            .ok_or_else(unknown)?;
        Ok(Matrix {
            offset: pair(view.offset).ok_or_else(unknown)?,
            shape,
            is_transposed: view.transposed,
        })
    }

    /// Returns an extent: the given one, or that of the view.
    fn extent(
        &self,
        instr: &Instr,
        name: &str,
        view: &LocalView,
        axis: usize,
        here: &Here,
    ) -> Result<Number, String> {
        let id = instr.scalar_named(name).unwrap_or(view.span[axis]);
        here.number(id).ok_or_else(|| {
            format!(
                "an extent of {} is not known",
                self.program.call_name(instr)
            )
        })
    }

    fn load_matrix(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let (Some(View::Local(dst)), Some(View::Global(src))) = (instr.view(DST), instr.view(SRC))
        else {
            return Err("its operands are not known".to_owned());
        };
        let (rows, columns) = match instr.opcode {
            Opcode::GmToL1Nz => {
                let extent = |name| instr.scalar_named(name).and_then(|id| here.number(id));
                let extents = extent("M").zip(extent("N"));
                extents.ok_or("how much is loaded is not known")?
            }
            _ => {
                let sliced = src
                    .axes
                    .iter()
                    .rev()
                    .filter(|axis| here.known.numbers.contains_key(&axis.span));
                let mut spans = sliced.map(|axis| here.number(axis.span));
                let (Some(Some(columns)), Some(Some(rows))) = (spans.next(), spans.next()) else {
                    return Err("how much is loaded is not known".to_owned());
                };
                (rows, columns)
            }
        };
        let place = self.place(dst, here)?;
        let source = self.source(src, here, state)?;
        let is_row = self.steps(here.lane, &rows);
        let is_column = self.steps(here.lane, &columns);
        self.rewrite(dst, here, state, |labels, cells| {
            let mut last = Last::NONE;
            for (row, &is_row) in (0..).zip(is_row.iter()) {
                let cell = place.row(row);
                for (column, &is_column) in (0..).zip(is_column.iter()) {
                    let content = match &source {
                        None => Label::ALWAYS,
                        Some((window, cells)) => cells.label_at(window.cell(row, column)),
                    };
                    let Some(at) = cell(column) else { continue };
                    let old = cells.label(at);
                    let label = last.get([is_row, is_column, content, old], || {
                        let executed = labels.and(is_row, is_column);
                        labels.written_if(executed, content, old)
                    });
                    cells.write(at, label, None);
                }
            }
        })
    }

    fn fill(&mut self, instr: &Instr, here: &Here, state: &mut Contents<'a>) -> Result<(), String> {
        let Some(View::Local(dst)) = instr.view(DST) else {
            return Ok(());
        };
        let place = self.place(dst, here)?;
        let extents = dst.span.map(|id| here.constant(id));
        let [Some(rows), Some(columns)] = extents else {
            return Err("how much is filled depends on sizes".to_owned());
        };
        self.rewrite(dst, here, state, |_, cells| {
            for at in (0..rows).flat_map(|row| (0..columns).filter_map(place.row(row))) {
                cells.write(at, Label::ALWAYS, None);
            }
        })
    }

    /// Executes a copy of a matrix of constant extents between on-chip memories. `Err` gives the reason why its effect
    /// is not modelled, as a clause.
    fn copy_matrix(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let (Some(View::Local(dst)), Some(View::Local(src))) = (instr.view(DST), instr.view(SRC))
        else {
            return Err("its operands are not known".to_owned());
        };
        let names = match instr.opcode {
            Opcode::L1ToL0 => ["m_dst", "n_dst"],
            Opcode::L1ToBt => ["m", "n"],
            _ => ["M", "N"],
        };
        let extents = [0, 1].map(|axis| self.extent(instr, names[axis], src, axis, here));
        let [rows, columns] = extents;
        let (rows, columns) = (rows?, columns?);
        if rows.min != rows.max || columns.min != columns.max {
            return Err(format!(
                "how much {} copies depends on sizes",
                self.program.call_name(instr)
            ));
        }
        // L0A and L0B are laid out by the extents of the last load, so earlier contents lose their places.
        let is_operand = matches!(
            self.program.buffer(dst.buffer).position,
            Position::L0A | Position::L0B
        );
        let (mut to, mut from) = (self.place(dst, here)?, self.place(src, here)?);
        // Transposing the source has the same effect as transposing the destination.
        to.is_transposed ^= std::mem::take(&mut from.is_transposed);
        let source = self.cells(src, here, state)?;
        self.rewrite(dst, here, state, |_, cells| {
            if is_operand {
                cells.lose();
            }
            for row in 0..rows.max {
                let (to, from) = (to.row(row), from.row(row));
                for column in 0..columns.max {
                    if let Some(at) = to(column) {
                        cells.write(at, source.label_at(from(column)), None);
                    }
                }
            }
        })
    }

    /// Executes a product. An element is defined where its row of one operand and its row of the other are.
    fn multiply(
        &mut self,
        instr: &Instr,
        [m, n, k]: [&str; 3],
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let views = (instr.local(DST), instr.local(SRC), instr.local(FACTORS[1]));
        let (Some(dst), Some(a), Some(b)) = views else {
            return Err("its operands are not known".to_owned());
        };
        let logical = |view: &LocalView, axis: usize| if view.transposed { 1 - axis } else { axis };
        let rows = self.extent(instr, m, a, logical(a, 0), here)?;
        let columns = self.extent(instr, n, b, logical(b, 0), here)?;
        let depth = self.extent(instr, k, a, logical(a, 1), here)?;
        has_terms(&depth, k)?;
        let left = self.sums(a, (&rows, &depth), here, state)?;
        let right = self.sums(b, (&columns, &depth), here, state)?;
        let bias = instr
            .row()
            .index_named("bias")
            .and_then(|index| instr.local(index));
        let bias = match bias {
            Some(view) => Some((self.place(view, here)?, self.cells(view, here, state)?)),
            None => None,
        };
        let place = self.place(dst, here)?;
        let starts = self.is_init(instr, here);
        let (is_rows, is_columns) = (
            self.steps(here.lane, &rows),
            self.steps(here.lane, &columns),
        );
        self.rewrite(dst, here, state, |labels, cells| {
            let mut last = Last::NONE;
            for (row, &left) in left.iter().enumerate() {
                let is_row = is_rows[row];
                let cell = place.row(row as i64);
                for (column, &right) in (0..).zip(&right) {
                    let Some(at) = cell(column) else { continue };
                    let is_column = is_columns[column as usize];
                    let bias = match &bias {
                        Some((place, cells)) => cells.label_at(place.row(0)(column)),
                        None => Label::ALWAYS,
                    };
                    let old = cells.label(at);
                    let label = last.get([left, right, is_row, is_column, bias, old], || {
                        let content = labels.and(left, right);
                        let mut content = labels.and(content, bias);
                        // An accumulating product keeps what is undefined in the accumulator.
                        if !starts {
                            content = labels.and(content, old);
                        }
                        let executed = labels.and(is_row, is_column);
                        labels.written_if(executed, content, old)
                    });
                    cells.write(at, label, None);
                }
            }
        })
    }

    fn sums(
        &self,
        view: &LocalView,
        extents: (&Number, &Number),
        here: &Here,
        state: &Contents<'a>,
    ) -> Result<Vec<Label>, String> {
        let place = self.place(view, here)?;
        let cells: Cells = self.cells(view, here, state)?;
        Ok(self.rows_defined(extents, here, |row| {
            let cell = place.row(row);
            let cells = &cells;
            move |_: &mut Labels, column| cells.label_at(cell(column))
        }))
    }

    /// Returns, for each row of an operand, the condition under which the part that the product uses is defined.
    /// `row` gives the function from a column to the condition under which its element is.
    pub(super) fn rows_defined<F: Fn(&mut Labels, i64) -> Label>(
        &self,
        (rows, depth): (&Number, &Number),
        here: &Here,
        row: impl Fn(i64) -> F,
    ) -> Vec<Label> {
        let depths = self.steps(here.lane, depth);
        let labels = &mut *self.labels.borrow_mut();
        let sum = |at: i64| {
            let element = row(at);
            let mut last = Last::NONE;
            let columns = (0..).zip(depths.iter());
            columns.fold(Label::ALWAYS, |sum, (column, &takes_part)| {
                let own = element(labels, column);
                last.get([sum, own, takes_part], || {
                    // Elements beyond the depth do not take part and may be undefined.
                    let own = labels.given(own, takes_part);
                    labels.and(sum, own)
                })
            })
        };
        (0..rows.max).map(sum).collect()
    }

    /// Returns whether a product certainly starts a sum.
    pub(super) fn is_init(&self, instr: &Instr, here: &Here) -> bool {
        let flag = instr.named("is_init").map(|arg| &arg.value);
        match flag {
            Some(ArgValue::Bool(value)) => *value,
            Some(ArgValue::Scalar(id)) => {
                let constant = self.program.scalars.as_int(*id).map(|value| value != 0);
                let decided = || self.control.takes(here.id, 0, self.phase);
                constant.or_else(decided) == Some(true)
            }
            _ => false,
        }
    }

    /// Executes `l0c_to_gm_nz2nd`. `Err` gives the reason why its effect is not modelled, as a clause.
    fn drain(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let (Some(View::Global(dst)), Some(View::Local(src))) = (instr.view(DST), instr.view(SRC))
        else {
            return Err("its operands are not known".to_owned());
        };
        let extent = |name| instr.scalar_named(name).and_then(|id| here.number(id));
        let (rows, columns) = extent("M")
            .zip(extent("N"))
            .ok_or("how much is stored is not known")?;
        let place = self.place(src, here)?;
        let cells = self.cells(src, here, state)?;
        self.store(dst, (&rows, &columns), here, state, |_, row, column| {
            cells.label_at(place.row(row)(column))
        })
    }

    /// Stores elements to global memory; `content` gives the condition under which one is defined.
    pub(super) fn store(
        &mut self,
        dst: &GlobalView,
        (rows, columns): (&Number, &Number),
        here: &Here,
        state: &mut Contents<'a>,
        content: impl Fn(&mut Labels, i64, i64) -> Label,
    ) -> Result<(), String> {
        let mut target = self.target(dst, here, state)?;
        let is_row = self.steps(here.lane, rows);
        let is_column = self.steps(here.lane, columns);
        let mut last = Last::NONE;
        for (row, &is_row) in (0..).zip(is_row.iter()) {
            for (column, &is_column) in (0..).zip(is_column.iter()) {
                let content = content(&mut self.labels.borrow_mut(), row, column);
                let labels = [is_row, is_column, content];
                self.put(&mut target, dst.global, (row, column), labels, &mut last)?;
            }
        }
        self.finish(target, state);
        Ok(())
    }
}
