//! From an instruction with symbolic arguments to work in numbers, for one lane at one moment.

use super::allocate::align;
use super::operation::{
    BlockMove, Cell, Conversion, Drain, MatrixLoad, OperandLoad, Operation, Product, Republish,
    RowMove, Work,
};
use super::scalars::{Absence, Environment, Value};
use super::setup::Setup;
use super::signals::EventRef;
use super::views::{tile, window};
use super::{operation::Tile, operation::Window};
use crate::device::FRACTAL;
use crate::ir::{Arg, ArgSource, ArgValue, AtomicKind, EventId, Instr, Program, VariableId, View};
use crate::isa::{BLOCK_BYTES, Class, Layout, Opcode, Pipe};
use crate::sync::Route;

/// Why an instruction cannot be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// A scalar has no value.
    Absent(Absence),
    /// The argument with this index is missing, unknown or of the wrong kind.
    Argument(usize),
    /// A number that no instruction can hold.
    Range(i64),
    /// The machine does not implement it.
    Unsupported,
    /// Convolutions: how they walk their window is not written down anywhere.
    Convolution,
}

impl From<Absence> for Unresolved {
    fn from(absence: Absence) -> Self {
        Unresolved::Absent(absence)
    }
}

impl Unresolved {
    /// Whether something is not known, rather than wrong or beyond the machine.
    pub fn is_unknown(self) -> bool {
        matches!(
            self,
            Unresolved::Absent(Absence::Unknown) | Unresolved::Argument(_)
        )
    }

    /// Whether the machine alone is to blame: the instruction says all that the device needs.
    pub fn is_unsupported(self) -> bool {
        matches!(self, Unresolved::Unsupported | Unresolved::Convolution)
    }

    /// The reason as a clause.
    pub fn reason(self, program: &Program, instr: &Instr) -> String {
        let row = instr.row();
        match self {
            Unresolved::Absent(absence) => absence.reason(program),
            Unresolved::Argument(index) => match row.param(index) {
                Some(param) => format!("`{}` of {} is not known", param.name, row.name),
                None => format!("an argument of {} is not known", row.name),
            },
            Unresolved::Range(value) => format!("{value} is beyond what {} can hold", row.name),
            Unresolved::Unsupported => format!("{} is not simulated", row.name),
            Unresolved::Convolution => format!(
                "{} is not simulated: its window, stride, padding and layout are not specified",
                row.name
            ),
        }
    }
}

/// Largest stride or length that addresses are computed with.
const MAX_STRIDE: u64 = 1 << 36;
/// Largest number of rows or columns.
const MAX_COUNT: i64 = 1 << 20;

/// The largest part of an extent that is cut into steps.
fn step(extent: i64, split: Option<i64>) -> i64 {
    split
        .filter(|&split| split > 0)
        .map_or(extent, |split| extent.min(split))
}

/// The result of resolving something.
pub type Resolved<T> = Result<T, Unresolved>;

/// One instruction and the lane that is about to execute it.
pub struct Resolver<'a, 'p> {
    /// What holds for the whole run.
    pub setup: &'a Setup<'p>,
    /// Variables of the lane.
    pub environment: &'a mut Environment<'p>,
    /// The instruction.
    pub instr: &'p Instr,
    /// Atomic operation of the enclosing scope.
    pub atomic: Option<AtomicKind>,
    /// Whether [`STAND_IN`] was taken for a number that is not known.
    pub stood_in: bool,
}

/// What is calculated with where a number is not known that decides nothing but values.
const STAND_IN: f64 = 1.0;

impl Resolver<'_, '_> {
    /// Resolves the instruction.
    pub fn work(&mut self) -> Resolved<Work> {
        match self.instr.row().class {
            Class::Barrier => Ok(Work::Barrier(self.instr.pipe().unwrap_or(Pipe::All))),
            Class::Event => self.event(),
            Class::CrossFlag => self.cross_flag(),
            Class::Mutex => self.mutex(),
            _ => Ok(Work::Unit(Box::new(self.operation()?), self.atomic)),
        }
    }

    fn operation(&mut self) -> Resolved<Operation> {
        match self.instr.opcode {
            Opcode::GmToUbPad => self.load_rows(),
            Opcode::UbToGmPad => self.store_rows(),
            Opcode::UbToUb => self.copy_blocks(),
            Opcode::GmToL1Nz => self.load_matrix(),
            Opcode::GmToL1 => self.load_plain(),
            Opcode::SetConstantToL1 => match self.argument(2)?.value {
                ArgValue::None => Ok(Operation::Fill(self.tile(0)?, self.float(1)?)),
                _ => Err(Unresolved::Unsupported),
            },
            Opcode::L1ToL0 => self.load_operand(),
            Opcode::L1ToBt => {
                let (mut dst, mut src) = (self.tile(0)?, self.tile(1)?);
                if let Some(columns) = self.int(2)? {
                    (dst.span[1], src.span[1]) = (columns, columns);
                }
                Ok(Operation::LoadBias(dst, src))
            }
            Opcode::Mmad => self.multiply(),
            Opcode::Matmul => self.multiply_l1(),
            Opcode::L0cToGmNd => self.drain(Layout::Nd),
            Opcode::L0cToGmNz => self.drain(Layout::Nz),
            Opcode::L0cToL1 => self.republish(),
            Opcode::GetValueFrom => Ok(Operation::ReadScalar(self.variable(0)?, self.cell(1)?)),
            Opcode::SetValueTo => self.write_scalar(),
            Opcode::SetMask => Ok(Operation::SetMask(self.bits(0)?, self.bits(1)?)),
            Opcode::ResetMask => Ok(Operation::ResetMask),
            Opcode::CleanDcache | Opcode::SetCmpMask => Ok(Operation::Nothing),
            Opcode::SetHf32 => Ok(Operation::SetHf32(!matches!(self.flag(0), Ok(false)))),
            Opcode::Img2Col | Opcode::Conv2d => Err(Unresolved::Convolution),
            _ => match self.instr.row().class {
                Class::Debug => Ok(Operation::Nothing),
                Class::Move | Class::Matmul => Err(Unresolved::Unsupported),
                _ => self.vector(),
            },
        }
    }

    /// The argument at `index`.
    pub(super) fn argument(&self, index: usize) -> Resolved<&Arg> {
        self.instr
            .args
            .get(index)
            .ok_or(Unresolved::Argument(index))
    }

    pub(super) fn view(&self, index: usize) -> Resolved<&View> {
        self.instr.view(index).ok_or(Unresolved::Argument(index))
    }

    pub(super) fn tile(&mut self, index: usize) -> Resolved<Tile> {
        let view = self.instr.local(index).ok_or(Unresolved::Argument(index))?;
        tile(self.setup, self.environment, view).map_err(Unresolved::from)
    }

    fn window(&mut self, index: usize) -> Resolved<Window> {
        let view = self.instr.view(index).and_then(View::global);
        let view = view.ok_or(Unresolved::Argument(index))?;
        window(self.setup, self.environment, view).map_err(Unresolved::from)
    }

    /// The scalar at `index`; `None` where the argument is absent.
    pub(super) fn scalar(&mut self, index: usize) -> Resolved<Option<Value>> {
        match self.argument(index)?.value {
            ArgValue::None => Ok(None),
            ArgValue::Scalar(id) => Ok(Some(self.environment.value(id))),
            ArgValue::Bool(value) => Ok(Some(Value::Int(value as i64))),
            _ => Err(Unresolved::Argument(index)),
        }
    }

    /// The integer at `index`; `None` where the argument is absent.
    pub(super) fn int(&mut self, index: usize) -> Resolved<Option<i64>> {
        let value = match self.argument(index)?.value {
            ArgValue::Scalar(id) => Some(self.environment.int(id)?),
            _ => self.scalar(index)?.map(Value::as_int).transpose()?,
        };
        match value {
            Some(value) if value.unsigned_abs() > MAX_STRIDE => Err(Unresolved::Range(value)),
            value => Ok(value),
        }
    }

    /// The count at `index`, or what stands in for an absent one; below zero it is zero.
    fn count_or(&mut self, index: usize, default: i64) -> Resolved<i64> {
        match self.int_or(index, default)?.max(0) {
            count if count > MAX_COUNT => Err(Unresolved::Range(count)),
            count => Ok(count),
        }
    }

    /// The integer at `index`, or what stands in for an absent one.
    fn int_or(&mut self, index: usize, default: i64) -> Resolved<i64> {
        Ok(self.int(index)?.unwrap_or(default))
    }

    /// The number at `index`.
    pub(super) fn float(&mut self, index: usize) -> Resolved<f64> {
        let value = self.scalar(index)?.ok_or(Unresolved::Argument(index))?;
        if value == Value::Absent(Absence::Unknown) {
            self.stood_in = true;
            return Ok(STAND_IN);
        }
        Ok(value.as_float()?)
    }

    fn flag(&mut self, index: usize) -> Resolved<bool> {
        let value = self.scalar(index)?.ok_or(Unresolved::Argument(index))?;
        Ok(value.as_bool()?)
    }

    fn bits(&mut self, index: usize) -> Resolved<u64> {
        let value = self.scalar(index)?.ok_or(Unresolved::Argument(index))?;
        Ok(value.as_word()?)
    }

    fn variable(&self, index: usize) -> Resolved<VariableId> {
        match self.argument(index)?.value {
            ArgValue::Variable(id) => Ok(id),
            _ => Err(Unresolved::Argument(index)),
        }
    }

    fn cell(&mut self, index: usize) -> Resolved<Cell> {
        match self.view(index)? {
            View::Local(_) => self.tile(index).map(Cell::Tile),
            View::Global(_) => self.window(index).map(Cell::Window),
        }
    }

    fn write_scalar(&mut self) -> Resolved<Operation> {
        let id = self.variable(0)?;
        let value = self.environment.variable(id);
        value.as_float()?;
        let exact = self.environment.variable_exactly(id);
        Ok(Operation::WriteScalar(value, exact, self.cell(1)?))
    }
}

/// Moves.
impl Resolver<'_, '_> {
    fn load_rows(&mut self) -> Resolved<Operation> {
        let (tile, window) = (self.tile(0)?, self.window(1)?);
        let (rows, length) = (
            self.count_or(2, window.rows)?,
            self.count_or(3, window.columns)?,
        );
        let gap = self.int_or(4, window.pitch - window.columns)?;
        let blocks = row_gap(&tile, length);
        let blocks = self.int_or(5, blocks)?;
        let pad = match self.argument(6)?.value {
            ArgValue::None => None,
            _ => Some(self.float(6)?),
        };
        Ok(Operation::LoadRows(RowMove {
            pad,
            ..row_move(window, tile, rows, length, gap, blocks)
        }))
    }

    fn store_rows(&mut self) -> Resolved<Operation> {
        let (window, tile) = (self.window(0)?, self.tile(1)?);
        let (rows, length) = (
            self.count_or(2, window.rows)?,
            self.count_or(3, window.columns)?,
        );
        let blocks = row_gap(&tile, length);
        let blocks = self.int_or(4, blocks)?;
        let gap = self.int_or(5, window.pitch - window.columns)?;
        Ok(Operation::StoreRows(row_move(
            window, tile, rows, length, gap, blocks,
        )))
    }

    fn copy_blocks(&mut self) -> Resolved<Operation> {
        let (dst, src) = (self.tile(0)?, self.tile(1)?);
        let rows = self.count_or(2, dst.span[0])?;
        let blocks = self.count_or(3, align(dst.span[1], dst.dtype.c0()) / dst.dtype.c0())?;
        let src_gap = self.int_or(4, row_gap(&src, dst.span[1]))?;
        let dst_gap = self.int_or(5, row_gap(&dst, dst.span[1]))?;
        Ok(Operation::CopyBlocks(BlockMove {
            dst,
            src,
            rows,
            row_bytes: blocks * BLOCK_BYTES,
            pitches: [dst_gap, src_gap].map(|gap| (blocks + gap) * BLOCK_BYTES),
        }))
    }

    fn load_matrix(&mut self) -> Resolved<Operation> {
        let (tile, window) = (self.tile(0)?, self.window(1)?);
        let rows = self.count_or(2, window.rows)?;
        let columns = self.count_or(3, window.columns)?;
        let pitch = self.int_or(4, window.pitch)?;
        let capacity = self.count_or(5, tile.shape[0])?;
        let window = Window {
            rows,
            columns,
            pitch,
            ..window
        };
        Ok(Operation::LoadMatrix(MatrixLoad {
            tile,
            window,
            capacity,
        }))
    }

    fn load_plain(&mut self) -> Resolved<Operation> {
        let (tile, window) = (self.tile(0)?, self.window(1)?);
        // Bursts of its own making are not followed.
        if (2..6).any(|at| !matches!(self.argument(at).map(|arg| &arg.value), Ok(ArgValue::None))) {
            return Err(Unresolved::Unsupported);
        }
        match window.rows.max(window.columns) {
            extent if extent > MAX_COUNT => Err(Unresolved::Range(extent)),
            _ => Ok(Operation::LoadPlain(tile, window)),
        }
    }

    fn load_operand(&mut self) -> Resolved<Operation> {
        let (dst, src) = (self.tile(0)?, self.tile(1)?);
        let rows = self.count_or(2, src.span[0])?;
        let columns = self.count_or(3, src.span[1])?;
        let capacity = self.written(4)?;
        let extent = [rows, columns];
        Ok(Operation::LoadOperand(OperandLoad {
            dst,
            src,
            extent,
            capacity,
        }))
    }

    /// The integer at `index` if it was written in the source: an inferred row capacity yields to
    /// what the matrix was really laid out for.
    fn written(&mut self, index: usize) -> Resolved<Option<i64>> {
        match self.argument(index)?.source {
            ArgSource::Given(_) => self.count_or(index, 0).map(Some),
            _ => Ok(None),
        }
    }
}

/// Matrix products and their results.
impl Resolver<'_, '_> {
    fn multiply(&mut self) -> Resolved<Operation> {
        let (dst, a, b) = (self.tile(0)?, self.tile(1)?, self.tile(2)?);
        let (m, n) = (self.extent_or(3, a.span[0])?, self.extent_or(4, b.span[0])?);
        let k = self.int_or(5, a.span[1])?;
        let init = self.flag(6)?;
        let bias = self.optional_tile(7)?;
        Ok(Operation::Multiply(Product {
            dst,
            a,
            b,
            m,
            n,
            k,
            step: [m, n, k],
            init,
            bias,
        }))
    }

    fn multiply_l1(&mut self) -> Resolved<Operation> {
        let (dst, a, b) = (self.tile(0)?, self.tile(1)?, self.tile(2)?);
        let [rows, depth] = logical(&a);
        let init = self.flag(5)?;
        let m = self.extent_or(6, rows)?;
        let n = self.extent_or(7, logical(&b)[0])?;
        let k = self.int_or(8, depth)?;
        let bias = self.optional_tile(9)?;
        Ok(Operation::MultiplyL1(Product {
            dst,
            a,
            b,
            m,
            n,
            k,
            step: [m, step(n, self.int(3)?), step(k, self.int(4)?)],
            init,
            bias,
        }))
    }

    /// An extent of a product: as written, or that of the operand rounded up to a fractal.
    fn extent_or(&mut self, index: usize, operand: i64) -> Resolved<i64> {
        let written = self.written(index)?;
        Ok(match written {
            Some(extent) => extent,
            None => align(self.int_or(index, operand)?, FRACTAL),
        })
    }

    fn optional_tile(&mut self, index: usize) -> Resolved<Option<Tile>> {
        match self.argument(index)?.value {
            ArgValue::None => Ok(None),
            _ => self.tile(index).map(Some),
        }
    }

    fn drain(&mut self, layout: Layout) -> Resolved<Operation> {
        if layout == Layout::Nz && !matches!(self.argument(9)?.value, ArgValue::None) {
            return Err(Unresolved::Unsupported);
        }
        let (window, tile) = (self.window(0)?, self.tile(1)?);
        let rows = self.count_or(2, window.rows)?;
        let columns = self.count_or(3, window.columns)?;
        let pitch = self.int_or(4, window.pitch)?;
        let capacity = self.written(5)?;
        let conversion = Conversion {
            relu: self.flag(6)?,
            scale: self
                .scalar(7)?
                .map(Value::as_float)
                .transpose()?
                .map(|value| value as f32),
            offset: self
                .scalar(8)?
                .map(Value::as_float)
                .transpose()?
                .map(|value| value as f32),
            saturate: self.setup.options.saturate,
        };
        let window = Window {
            rows,
            columns,
            pitch,
            ..window
        };
        Ok(Operation::Drain(Drain {
            tile,
            window,
            layout,
            capacity,
            conversion,
        }))
    }

    fn republish(&mut self) -> Resolved<Operation> {
        let (dst, src) = (self.tile(0)?, self.tile(1)?);
        let rows = self.count_or(2, src.span[0])?;
        let columns = self.count_or(3, src.span[1])?;
        let dst_capacity = self.count_or(4, dst.shape[0])?;
        let src_capacity = self.written(5)?;
        let conversion = Conversion {
            relu: self.flag(6)?,
            scale: None,
            offset: None,
            saturate: self.setup.options.saturate,
        };
        let extent = [rows, columns];
        Ok(Operation::Republish(Republish {
            dst,
            src,
            extent,
            dst_capacity,
            src_capacity,
            conversion,
        }))
    }
}

/// Synchronisation.
impl Resolver<'_, '_> {
    fn event(&mut self) -> Resolved<Work> {
        match self.instr.opcode {
            Opcode::EventSet => Ok(Work::Set(EventRef::Event(self.event_id()?))),
            Opcode::EventWait => Ok(Work::Wait(EventRef::Event(self.event_id()?))),
            Opcode::EventSetAll => Ok(Work::SetAll(self.event_id()?)),
            Opcode::EventRelease => Ok(Work::Release(self.event_id()?)),
            Opcode::SetFlag => Ok(Work::Set(self.raw_flag()?)),
            Opcode::WaitFlag => Ok(Work::Wait(self.raw_flag()?)),
            _ => Err(Unresolved::Unsupported),
        }
    }

    fn event_id(&self) -> Resolved<EventId> {
        match self.argument(0)?.value {
            ArgValue::Event(id) => Ok(id),
            _ => Err(Unresolved::Argument(0)),
        }
    }

    fn raw_flag(&mut self) -> Resolved<EventRef> {
        let id = self.int(2)?.ok_or(Unresolved::Argument(2))?;
        Ok(EventRef::Raw(self.pipe(0)?, self.pipe(1)?, id))
    }

    fn pipe(&self, index: usize) -> Resolved<Pipe> {
        match self.argument(index)?.value {
            ArgValue::Pipe(pipe) => Ok(pipe),
            _ => Err(Unresolved::Argument(index)),
        }
    }

    fn cross_flag(&mut self) -> Resolved<Work> {
        let id = self.int(0)?.ok_or(Unresolved::Argument(0))?;
        match self.instr.opcode {
            Opcode::CubeReady => Ok(Work::SetFlag(Route::CubeToVec, id)),
            Opcode::WaitCube => Ok(Work::WaitFlag(Route::CubeToVec, id)),
            Opcode::VecReady => Ok(Work::SetFlag(Route::VecToCube, id)),
            Opcode::WaitVec => Ok(Work::WaitFlag(Route::VecToCube, id)),
            Opcode::AllCubeReady => Ok(Work::SetFlag(Route::AllCubes, id)),
            Opcode::AllCubeWait => Ok(Work::WaitFlag(Route::AllCubes, id)),
            Opcode::AllVecReady => Ok(Work::SetFlag(Route::AllVecs, id)),
            Opcode::AllVecWait => Ok(Work::WaitFlag(Route::AllVecs, id)),
            Opcode::IntraVecReady => Ok(Work::SetFlag(Route::CoreVecs, id)),
            Opcode::IntraVecWait => Ok(Work::WaitFlag(Route::CoreVecs, id)),
            _ => Err(Unresolved::Unsupported),
        }
    }

    fn mutex(&mut self) -> Resolved<Work> {
        let ArgValue::Mutex(id) = self.argument(0)?.value else {
            return Err(Unresolved::Argument(0));
        };
        let mutex = self.setup.program.mutex(id);
        let flag = mutex.flag_id.ok_or(Unresolved::Argument(0))?;
        match self.instr.opcode {
            Opcode::MutexLock => Ok(Work::WaitFlag(mutex.credit_route(), flag)),
            Opcode::MutexReady => Ok(Work::SetFlag(mutex.data_route(), flag)),
            Opcode::MutexWait => Ok(Work::WaitFlag(mutex.data_route(), flag)),
            Opcode::MutexFree => Ok(Work::SetFlag(mutex.credit_route(), flag)),
            _ => Err(Unresolved::Unsupported),
        }
    }
}

/// Rows and depth of a matmul operand in L1, after transposition.
fn logical(tile: &Tile) -> [i64; 2] {
    match tile.transposed {
        true => [tile.span[1], tile.span[0]],
        false => tile.span,
    }
}

/// Blocks between the rows of a UB tensor when `length` elements of each move (decision 8).
fn row_gap(tile: &Tile, length: i64) -> i64 {
    let c0 = tile.dtype.c0();
    align(tile.shape[1], c0) / c0 - align(length, c0) / c0
}

fn row_move(window: Window, tile: Tile, rows: i64, length: i64, gap: i64, blocks: i64) -> RowMove {
    let row_bytes = window.dtype.bytes_of(length);
    RowMove {
        window,
        tile,
        rows,
        row_bytes,
        global_pitch: window.dtype.bytes_of(length + gap),
        ub_pitch: align(row_bytes, BLOCK_BYTES) + blocks * BLOCK_BYTES,
        pad: None,
    }
}
