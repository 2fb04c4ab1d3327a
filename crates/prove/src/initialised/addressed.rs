//! Instructions of the cube side whose operands the kernel addresses itself: fractals in the bytes of one memory.

use std::ops::Range;
use std::rc::Rc;

use super::contents::Contents;
use super::labels::{Label, Labels, Last};
use super::matrices::has_terms;
use super::slot::{Cells, Slot};
use super::{Attempt, Here, Number, multiple};
use a2lint_ir::{ArgValue, Instr, LocalView, View};
use a2lint_isa::device::{FRACTAL, FRACTAL_BYTES};
use a2lint_isa::{BLOCK_BYTES, DST, FACTORS, Opcode, SRC};

/// Where the elements of a matrix lie: it is cut into strips of columns, and a piece is one row of one strip.
struct Pieces {
    /// Byte of the first piece.
    start: i64,
    /// Elements of a piece.
    width: i64,
    /// Bytes of an element.
    element: i64,
    /// Bytes from one strip to the next.
    strip: i64,
    /// Bytes from one group of sixteen rows to the next.
    block: i64,
    /// Bytes of a cell.
    granule: i64,
}

impl Pieces {
    /// Returns the cells of an element.
    fn cells(&self, row: i64, column: i64) -> Range<usize> {
        let piece = self.width * self.element;
        let in_strip = row / FRACTAL * self.block + row % FRACTAL * piece;
        let in_piece = column % self.width * self.element;
        let byte = self.start + column / self.width * self.strip + in_strip + in_piece;
        cells(byte, self.element, self.granule)
    }
}

/// Returns the cells of an element at a byte.
fn cells(byte: i64, element: i64, granule: i64) -> Range<usize> {
    // Bytes before the memory belong to no cell, and cells past its end are never defined.
    let first = usize::try_from(byte / granule).unwrap_or(usize::MAX / 2);
    first..first + (element / granule).max(1) as usize
}

/// Returns the condition under which all of some cells are defined.
fn label(labels: &mut Labels, slot: &Slot, cells: Range<usize>) -> Label {
    cells.fold(Label::ALWAYS, |all, at| labels.and(all, slot.label(at)))
}

/// Writes an element under a condition.
fn write(labels: &mut Labels, slot: &mut Slot, cells: Range<usize>, [when, content]: [Label; 2]) {
    let mut last = Last::NONE;
    for at in cells {
        let old = slot.label(at);
        let new = last.get([when, content, old], || {
            labels.written_if(when, content, old)
        });
        slot.write(at, new, None);
    }
}

/// Returns a number rounded up to a multiple, if that is the same for all its values.
fn whole(number: &Number, of: i64) -> Option<i64> {
    let [least, most] = [number.min, number.max].map(|value| multiple(value, of));
    (least == most).then_some(most)
}

impl<'a, 't> Attempt<'a, 't, '_> {
    /// Executes a move or product of matrices that the kernel addresses itself. `Err` gives the reason why its effect
    /// is not modelled, as a clause.
    pub(super) fn addressed(
        &mut self,
        instr: &'t Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        match instr.opcode {
            Opcode::GmToL1Nz => self.load_strips(instr, here, state),
            Opcode::GmToL1 | Opcode::SetConstantToL1 => self.load_run(instr, here, state),
            Opcode::LoadFractals => self.load_fractals(instr, here, state),
            Opcode::L1ToBt => self.copy_run(instr, here, state),
            Opcode::Mmad => self.multiply_addressed(instr, here, state),
            Opcode::L0cToGmNd => self.drain_strips(instr, here, state),
            Opcode::L0cToL1 => self.republish_strips(instr, here, state),
            _ => Err(format!("{} is not followed", self.program.call_name(instr))),
        }
    }

    /// Returns the first byte of a view.
    fn first_byte(&self, view: &LocalView, here: &Here) -> Result<i64, String> {
        let unknown = || {
            let buffer = self.program.buffer(view.buffer).label();
            format!("which part of `{buffer}` is meant depends on sizes")
        };
        let [row, column] = view.offset.map(|id| here.constant(id));
        let row = row.zip(here.constant(view.shape[1]));
        let row = row.and_then(|(row, pitch)| row.checked_mul(pitch));
        let at = row.zip(column).ok_or_else(unknown)?;
        self.element(view)?;
        Ok(view.dtype.bytes_of(at.0 + at.1))
    }

    /// Returns the bytes of an element of a view.
    fn element(&self, view: &LocalView) -> Result<i64, String> {
        match view.dtype.bits() % 8 {
            0 => Ok(view.dtype.bytes_of(1)),
            _ => Err("elements of half a byte are not followed".to_owned()),
        }
    }

    fn granule(&self, view: &LocalView) -> i64 {
        self.granules[view.buffer.index()]
    }

    /// Returns the layout of a matrix in pieces of `width` elements, whose strips have this number of rows.
    fn strips(
        &self,
        view: &LocalView,
        (width, rows): (i64, i64),
        here: &Here,
    ) -> Result<Pieces, String> {
        let element = self.element(view)?;
        Ok(Pieces {
            start: self.first_byte(view, here)?,
            width,
            element,
            strip: rows * width * element,
            block: FRACTAL * width * element,
            granule: self.granule(view),
        })
    }

    fn named(&self, instr: &Instr, name: &str, here: &Here) -> Result<Number, String> {
        let number = instr.scalar_named(name).and_then(|id| here.number(id));
        number.ok_or_else(|| format!("`{name}` of {} is not known", self.program.call_name(instr)))
    }

    fn named_constant(&self, instr: &Instr, name: &str, here: &Here) -> Result<i64, String> {
        let number = self.named(instr, name, here)?;
        (number.min == number.max)
            .then_some(number.max)
            .ok_or_else(|| {
                format!(
                    "`{name}` of {} depends on sizes",
                    self.program.call_name(instr)
                )
            })
    }

    fn locals<'i>(
        &self,
        instr: &'i Instr,
        operands: [usize; 2],
    ) -> Result<[&'i LocalView; 2], String> {
        match operands.map(|operand| instr.local(operand)) {
            [Some(first), Some(second)] => Ok([first, second]),
            _ => Err("its operands are not known".to_owned()),
        }
    }

    /// Changes the cells of the memory that a view lies in.
    pub(super) fn rewrite(
        &mut self,
        view: &LocalView,
        here: &Here,
        state: &mut Contents<'a>,
        change: impl FnOnce(&mut Labels, &mut Slot),
    ) -> Result<(), String> {
        let mut slot = (*self.cells(view, here, state)?).clone();
        change(&mut self.labels.borrow_mut(), &mut slot);
        self.replace(view, here, state, Rc::new(slot))
    }

    /// Loads rows of a global tensor as strips. The last strip is padded with zeros.
    fn load_strips(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let (Some(View::Local(dst)), Some(View::Global(src))) = (instr.view(DST), instr.view(SRC))
        else {
            return Err("its operands are not known".to_owned());
        };
        let rows = self.named(instr, "M", here)?;
        let columns = self.named(instr, "N", here)?;
        let apart = self.named_constant(instr, "M_dst", here)?;
        let to = self.strips(dst, (dst.dtype.c0(), apart), here)?;
        let source = self.source(src, here, state)?;
        let is_row = self.steps(here.lane, &rows);
        let is_column = self.steps(here.lane, &columns);
        self.rewrite(dst, here, state, |labels, slot| {
            let mut last = Last::NONE;
            for column in 0..multiple(columns.max, to.width) {
                let first = (column - column % to.width) as usize;
                for (row, &is_row) in (0..).zip(is_row.iter()) {
                    let content = match &source {
                        Some((window, cells)) if column < columns.max => {
                            cells.label_at(window.cell(row, column))
                        }
                        _ => Label::ALWAYS,
                    };
                    let when = [is_row, is_column[first]];
                    let when = last.get(when, || labels.and(when[0], when[1]));
                    write(labels, slot, to.cells(row, column), [when, content]);
                }
            }
        })
    }

    /// Loads or fills elements that lie one after the other.
    fn load_run(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let Some(dst) = instr.local(DST) else {
            return Err("its operands are not known".to_owned());
        };
        let source = match instr.view(SRC) {
            Some(View::Global(src)) => self.source(src, here, state)?,
            _ => None,
        };
        let length = self.run_of(dst, here)?;
        self.write_run(
            (dst, self.element(dst)?),
            &length,
            here,
            state,
            |_, at| match &source {
                Some((window, cells)) => cells.label_at(window.cell(0, at)),
                None => Label::ALWAYS,
            },
        )
    }

    /// Writes elements that lie one after the other; `content` gives the condition under which one is defined.
    fn write_run(
        &mut self,
        (dst, element): (&LocalView, i64),
        length: &Number,
        here: &Here,
        state: &mut Contents<'a>,
        content: impl Fn(&mut Labels, i64) -> Label,
    ) -> Result<(), String> {
        let (start, granule) = (self.first_byte(dst, here)?, self.granule(dst));
        let is_element = self.steps(here.lane, length);
        self.rewrite(dst, here, state, |labels, slot| {
            for (at, &when) in (0..).zip(is_element.iter()) {
                let content = content(labels, at);
                let to = cells(start + at * element, element, granule);
                write(labels, slot, to, [when, content]);
            }
        })
    }

    /// Returns the number of elements of a view of one row.
    fn run_of(&self, view: &LocalView, here: &Here) -> Result<Number, String> {
        let rows = here.constant(view.span[0]);
        let length = here.number(view.span[1]).filter(|_| rows == Some(1));
        length.ok_or_else(|| "how much is loaded is not known".to_owned())
    }

    fn load_fractals(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let [dst, src] = self.locals(instr, [DST, SRC])?;
        let count = self.named(instr, "repeat", here)?;
        let names = ["start", "src_step", "dst_step", "parts", "part_step"];
        let [
            Ok(first),
            Ok(from_step),
            Ok(to_step),
            Ok(parts),
            Ok(part_step),
        ] = names.map(|name| self.named_constant(instr, name, here))
        else {
            return Err(format!(
                "which fractals {} copies depends on sizes",
                self.program.call_name(instr)
            ));
        };
        let is_transposed = match instr.named("transpose").map(|arg| &arg.value) {
            Some(ArgValue::Bool(flag)) => *flag,
            Some(ArgValue::Scalar(id)) => match self.program.scalars.as_int(*id) {
                Some(flag) => flag != 0,
                None => return Err("whether fractals are transposed is not known".to_owned()),
            },
            _ => false,
        };
        let element = self.element(src)?;
        let (to, from) = (self.first_byte(dst, here)?, self.first_byte(src, here)?);
        let source = self.cells(src, here, state)?;
        let granules = [dst, src].map(|view| self.granule(view));
        let is_fractal = self.steps(here.lane, &count);
        let in_part = FRACTAL_BYTES / element;
        self.rewrite(dst, here, state, |labels, slot| {
            for (fractal, &when) in (0..).zip(is_fractal.iter()) {
                let from = from + (first + fractal * from_step) * FRACTAL_BYTES;
                let read = |at: i64| cells(from + at * element, element, granules[1]);
                // Where a square of several fractals turns its elements to is not followed: each may be any of them.
                let any = (is_transposed && parts > 1).then(|| {
                    let all = 0..parts * in_part;
                    all.fold(Label::ALWAYS, |any, at| {
                        let own = label(labels, &source, read(at));
                        labels.and(any, own)
                    })
                });
                for at in 0..parts * in_part {
                    let (part, own) = (at / in_part, at % in_part);
                    let to = to + (fractal * to_step + part * part_step) * FRACTAL_BYTES;
                    let turned = match is_transposed && parts == 1 {
                        true => own % FRACTAL * FRACTAL + own / FRACTAL,
                        false => own,
                    };
                    let content = any.unwrap_or_else(|| label(labels, &source, read(at)));
                    let written = cells(to + turned * element, element, granules[0]);
                    write(labels, slot, written, [when, content]);
                }
            }
        })
    }

    /// Copies elements that lie one after the other.
    fn copy_run(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let [dst, src] = self.locals(instr, [DST, SRC])?;
        let length = match instr.scalar_named("n") {
            Some(_) => self.named(instr, "n", here)?,
            None => self.run_of(src, here)?,
        };
        let (from, element) = (self.first_byte(src, here)?, self.element(src)?);
        let (source, granule) = (self.cells(src, here, state)?, self.granule(src));
        self.write_run((dst, element), &length, here, state, |labels, at| {
            label(
                labels,
                &source,
                cells(from + at * element, element, granule),
            )
        })
    }

    /// Executes a product of operands in L0A and L0B. An element is defined where its rows of both operands are.
    fn multiply_addressed(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let [dst, a] = self.locals(instr, [DST, SRC])?;
        let [_, b] = self.locals(instr, [DST, FACTORS[1]])?;
        let m = self.named(instr, "M", here)?;
        let n = self.named(instr, "N", here)?;
        let k = self.named(instr, "K", here)?;
        has_terms(&k, "K")?;
        let unknown = |name: &str| format!("where a matrix lies depends on `{name}`");
        let unit = a.dtype.c0();
        // One row is stored without fractals, several in groups of sixteen rows.
        let mut left = self.strips(a, (unit, FRACTAL), here)?;
        match (m.min, m.max) {
            (1, 1) => left.strip = BLOCK_BYTES,
            (..=1, _) => return Err(unknown("M")),
            _ => {}
        }
        let groups = whole(&k, unit).map(|depth| depth / unit * FRACTAL_BYTES);
        match groups {
            Some(block) => left.block = block,
            None if m.max <= FRACTAL => {}
            None => return Err(unknown("K")),
        }
        let (columns, rows) = (whole(&n, FRACTAL), whole(&m, FRACTAL));
        let columns = columns.or((k.max <= unit).then_some(0));
        let right = (unit, columns.ok_or_else(|| unknown("N"))?);
        let right = self.strips(b, right, here)?;
        let rows = rows.or((n.max <= FRACTAL).then_some(0));
        let sums = (FRACTAL, rows.ok_or_else(|| unknown("M"))?);
        let to = self.strips(dst, sums, here)?;
        let rows_defined = |view, pieces: Pieces, extents| {
            let slot: Cells = self.cells(view, here, state)?;
            let (slot, pieces) = (&slot, &pieces);
            let element =
                |row| move |labels: &mut Labels, at| label(labels, slot, pieces.cells(row, at));
            Ok::<_, String>(self.rows_defined(extents, here, element))
        };
        let left = rows_defined(a, left, (&m, &k))?;
        let right = rows_defined(b, right, (&n, &k))?;
        let bias = instr.row().index_named("bias");
        let bias = match bias.and_then(|index| instr.local(index)) {
            Some(view) => {
                let at = (self.first_byte(view, here)?, self.element(view)?);
                Some((at, self.granule(view), self.cells(view, here, state)?))
            }
            None => None,
        };
        let starts = self.is_init(instr, here);
        let (is_row, is_column) = (self.steps(here.lane, &m), self.steps(here.lane, &n));
        self.rewrite(dst, here, state, |labels, slot| {
            let mut last = Last::NONE;
            for column in 0..multiple(n.max, FRACTAL) {
                let own = right.get(column as usize).copied();
                let bias = match &bias {
                    Some(((start, element), granule, slot)) => label(
                        labels,
                        slot,
                        cells(start + column * element, *element, *granule),
                    ),
                    None => Label::ALWAYS,
                };
                for row in 0..multiple(m.max, FRACTAL) {
                    let at = to.cells(row, column);
                    let factors = left.get(row as usize).copied().zip(own);
                    let Some((left, right)) = factors else {
                        // The padding to whole fractals is written, too, with what no element is computed from.
                        slot.fill(at, Label::NEVER);
                        continue;
                    };
                    let when = [is_row[row as usize], is_column[column as usize]];
                    let old = match starts {
                        true => Label::ALWAYS,
                        // An accumulating product keeps what is undefined in the accumulator.
                        false => label(labels, slot, at.clone()),
                    };
                    let new = last.get([left, right, bias, old, when[0], when[1]], || {
                        let content = labels.and(left, right);
                        let content = labels.and(content, bias);
                        let content = labels.and(content, old);
                        let executed = labels.and(when[0], when[1]);
                        // Where it is not an element of the result, it may be padding.
                        labels.and(executed, content)
                    });
                    slot.fill(at, new);
                }
            }
        })
    }

    fn drain_strips(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let (Some(View::Global(dst)), Some(View::Local(src))) = (instr.view(DST), instr.view(SRC))
        else {
            return Err("its operands are not known".to_owned());
        };
        let rows = self.named(instr, "M", here)?;
        let columns = self.named(instr, "N", here)?;
        let apart = self.named_constant(instr, "M_src", here)?;
        let from = self.strips(src, (FRACTAL, apart), here)?;
        let slot = self.cells(src, here, state)?;
        self.store(
            dst,
            (&rows, &columns),
            here,
            state,
            |labels, row, column| label(labels, &slot, from.cells(row, column)),
        )
    }

    fn republish_strips(
        &mut self,
        instr: &Instr,
        here: &Here,
        state: &mut Contents<'a>,
    ) -> Result<(), String> {
        let [dst, src] = self.locals(instr, [DST, SRC])?;
        let rows = self.named(instr, "M", here)?;
        let columns = self.named(instr, "N", here)?;
        let apart = self.named_constant(instr, "M_src", here)?;
        let from = self.strips(src, (FRACTAL, apart), here)?;
        let apart = self.named_constant(instr, "M_dst", here)?;
        let to = self.strips(dst, (dst.dtype.c0(), apart), here)?;
        let source = self.cells(src, here, state)?;
        let is_row = self.steps(here.lane, &rows);
        let is_column = self.steps(here.lane, &columns);
        self.rewrite(dst, here, state, |labels, slot| {
            for (row, &is_row) in (0..).zip(is_row.iter()) {
                for (column, &is_column) in (0..).zip(is_column.iter()) {
                    let content = label(labels, &source, from.cells(row, column));
                    let when = labels.and(is_row, is_column);
                    write(labels, slot, to.cells(row, column), [when, content]);
                }
            }
        })
    }
}
