//! Resolves an instruction with symbolic arguments to numbers, for one lane at one moment.

use super::allocate::align;
use super::operation::{
    BlockMove, Cell, Conversion, Drain, FractalLoad, GlobalProduct, MatrixLoad, OperandLoad,
    Operation, Padding, Product, Republish, RowMove, Work,
};
use super::outcome::Illegality;
use super::scalars::Environment;
use super::setup::Setup;
use super::signals::EventRef;
use super::value::{Absence, Value};
use super::views::{tile, window};
use super::{operation::Tile, operation::Window};
use a2lint_ir::transfer::{self, Arithmetic, BlockRows, RowExtents};
use a2lint_ir::{
    Arg, ArgSource, ArgValue, AtomicKind, BinaryOp, BufferId, EventId, Instr, Mutex, Program,
    ScalarId, VariableId, View, fold_int,
};
use a2lint_isa::device::FRACTAL;
use a2lint_isa::{
    Act, BLOCK_BYTES, Channel, Class, DST, Layout, Opcode, ParamKind, Pipe, Route, SRC, param,
};

/// The reason why an instruction cannot be executed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unresolved {
    /// A scalar has no value.
    Absent(Absence),
    /// The argument with this index is missing, unknown or of the wrong kind.
    Argument(usize),
    /// A number that no instruction can encode.
    Range(i64),
    /// The machine does not implement it.
    Unsupported,
    /// A convolution: no document specifies how it walks its window.
    Convolution,
}

impl From<Absence> for Unresolved {
    fn from(absence: Absence) -> Self {
        Unresolved::Absent(absence)
    }
}

impl Unresolved {
    /// Returns whether something is unknown, rather than wrong or unsupported.
    pub fn is_unknown(self) -> bool {
        matches!(
            self,
            Unresolved::Absent(Absence::Unknown) | Unresolved::Argument(_)
        )
    }

    /// Returns whether only the machine lacks something: the instruction itself is complete.
    pub fn is_unsupported(self) -> bool {
        matches!(self, Unresolved::Unsupported | Unresolved::Convolution)
    }

    /// Returns why a scalar has no value, if that is the reason.
    pub fn absence(self) -> Option<Absence> {
        match self {
            Unresolved::Absent(absence) => Some(absence),
            _ => None,
        }
    }

    /// Returns the buffer that does not fit into its memory, if that is the reason.
    pub fn unplaced(self) -> Option<BufferId> {
        match self {
            Unresolved::Absent(absence) => absence.unplaced(),
            _ => None,
        }
    }

    /// Returns the negative length, if that is the reason.
    pub fn negative(self) -> Option<i64> {
        match self {
            Unresolved::Range(value) if value < 0 => Some(value),
            _ => None,
        }
    }

    /// Returns the reason as a clause.
    pub fn reason(self, program: &Program, instr: &Instr) -> String {
        let signature = program.signature(instr.opcode);
        let name = signature.name;
        match self {
            Unresolved::Absent(absence) => absence.reason(program),
            Unresolved::Argument(index) => match signature.param(index) {
                Some(param) => format!("`{}` of {name} is not known", param.name),
                None => format!("an argument of {name} is not known"),
            },
            Unresolved::Range(value) if value < 0 => Illegality::NegativeLength(value).to_string(),
            Unresolved::Range(value) => format!("{value} is beyond what {name} can hold"),
            Unresolved::Unsupported => format!("{name} is not simulated"),
            Unresolved::Convolution => format!(
                "{name} is not simulated: its window, stride, padding and layout are not specified"
            ),
        }
    }
}

/// Largest absolute value of a stride or length.
// Together with `MAX_COUNT` it keeps every address, a stride times a count, far inside of i64.
const MAX_STRIDE: u64 = 1 << 36;
/// Largest number of rows or columns.
const MAX_COUNT: i64 = 1 << 20;

/// Returns the largest part of an extent that is split into steps.
fn step(extent: i64, split: Option<i64>) -> i64 {
    split
        .filter(|&split| split > 0)
        .map_or(extent, |split| extent.min(split))
}

/// A resolved instruction or argument, or the reason why it cannot be executed.
pub type Resolved<T> = Result<T, Unresolved>;

/// Resolves the arguments of one instruction for the lane that is about to execute it.
pub struct Resolver<'a, 'p> {
    /// The parts of the run that do not change.
    pub setup: &'a Setup<'p>,
    /// Variables of the lane.
    pub environment: &'a mut Environment<'p>,
    /// The instruction.
    pub instr: &'p Instr,
    /// Atomic operation of the enclosing scope.
    pub atomic: Option<AtomicKind>,
    /// Whether [`STAND_IN`] was used for an unknown number.
    pub stood_in: bool,
}

/// The value used for an unknown number that affects nothing but values.
const STAND_IN: f64 = 1.0;

impl Resolver<'_, '_> {
    /// Resolves the instruction.
    pub fn work(&mut self) -> Resolved<Work> {
        let row = self.instr.row();
        match (row.class, row.signal()) {
            (Class::Barrier, _) => Ok(Work::Barrier(self.instr.pipe().unwrap_or(Pipe::All))),
            (_, Some((act, channel))) => self.signal(act, channel),
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
            Opcode::SetConstantToL1 => self.fill(),
            Opcode::L1ToL0 => self.load_operand(),
            Opcode::LoadFractals => self.load_fractals(),
            Opcode::L1ToBt => self.load_bias(),
            Opcode::Mmad => self.multiply(),
            Opcode::Matmul => self.multiply_l1(),
            Opcode::MultiplyGm => self.multiply_gm(),
            Opcode::L0cToGmNd => self.drain(Layout::Nd),
            Opcode::L0cToGmNz => self.drain(Layout::Nz),
            Opcode::L0cToL1 => self.republish(),
            Opcode::GetValueFrom => {
                let variable = self.variable()?;
                let cell = self.cell(param!(GetValueFrom.view))?;
                Ok(Operation::ReadScalar(variable, cell))
            }
            Opcode::ReadCount => {
                let queue = self.int(param!(ReadCount.queue))?.unwrap_or(0);
                let queue = usize::try_from(queue).map_err(|_| Unresolved::Range(queue))?;
                Ok(Operation::ReadCount(self.variable()?, queue))
            }
            Opcode::SetValueTo => self.write_scalar(),
            Opcode::SetMask => Ok(Operation::SetMask(
                self.bits(param!(SetMask.mask_high))?,
                self.bits(param!(SetMask.mask_low))?,
            )),
            Opcode::ResetMask => Ok(Operation::ResetMask),
            // The model has no caches, and the deprecated `set_cmpmask` has no effect.
            Opcode::CleanDcache | Opcode::SetCmpMask => Ok(Operation::Nothing),
            Opcode::SetHf32 => {
                // An unknown flag counts as on, which only adds a doubt about later products.
                let is_off = matches!(self.flag(param!(SetHf32.enable)), Ok(false));
                Ok(Operation::SetHf32(!is_off))
            }
            Opcode::Img2Col | Opcode::Conv2d => Err(Unresolved::Convolution),
            _ => match self.instr.row().class {
                Class::Debug => Ok(Operation::Nothing),
                // All moves and products that are not listed above.
                Class::Move | Class::Matmul => Err(Unresolved::Unsupported),
                _ => self.vector(),
            },
        }
    }

    /// Returns the argument at `index`.
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

    /// Returns the scalar at `index`; `None` if the argument is absent.
    pub(super) fn scalar(&mut self, index: usize) -> Resolved<Option<Value>> {
        match self.argument(index)?.value {
            ArgValue::None => Ok(None),
            ArgValue::Scalar(id) => Ok(Some(self.environment.value(id))),
            ArgValue::Bool(value) => Ok(Some(Value::Int(value as i64))),
            _ => Err(Unresolved::Argument(index)),
        }
    }

    /// Returns the integer at `index`; `None` if the argument is absent.
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

    /// Returns the count at `index`, or `default` if it is absent.
    fn count_or(&mut self, index: usize, default: i64) -> Resolved<i64> {
        counted(self.int_or(index, default)?)
    }

    /// Returns the integer at `index`, or `default` if it is absent.
    fn int_or(&mut self, index: usize, default: i64) -> Resolved<i64> {
        Ok(self.int(index)?.unwrap_or(default))
    }

    /// Returns the number at `index`.
    pub(super) fn float(&mut self, index: usize) -> Resolved<f64> {
        let value = self.scalar(index)?.ok_or(Unresolved::Argument(index))?;
        // Such a number decides nothing but values, so the run goes on with a stand-in.
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

    /// Returns the variable that the instruction is a method of.
    fn variable(&self) -> Resolved<VariableId> {
        self.instr.variable().ok_or_else(|| self.no_receiver())
    }

    fn no_receiver(&self) -> Unresolved {
        let receiver = self.instr.row().index_of(ParamKind::Receiver);
        Unresolved::Argument(receiver.unwrap_or_default())
    }

    fn cell(&mut self, index: usize) -> Resolved<Cell> {
        match self.view(index)? {
            View::Local(_) => self.tile(index).map(Cell::Tile),
            View::Global(_) => self.window(index).map(Cell::Window),
        }
    }

    fn write_scalar(&mut self) -> Resolved<Operation> {
        let id = self.variable()?;
        let value = self.environment.variable(id);
        // Fails if the variable has no value.
        value.as_float()?;
        let exact = self.environment.variable_exactly(id);
        Ok(Operation::WriteScalar(
            value,
            exact,
            self.cell(param!(SetValueTo.view))?,
        ))
    }
}

/// Moves.
impl Resolver<'_, '_> {
    fn load_rows(&mut self) -> Resolved<Operation> {
        let (tile, window) = (self.tile(DST)?, self.window(SRC)?);
        let moved = self.row_move(window, tile, DST)?;
        let repeats_first = self.flag(param!(GmToUbPad.pad_with_first))?;
        let padding = match self.argument(param!(GmToUbPad.pad))?.value {
            ArgValue::None if repeats_first => Padding::First,
            ArgValue::None => Padding::Undefined,
            _ => Padding::Value(self.float(param!(GmToUbPad.pad))?),
        };
        let mut margin =
            |at| -> Resolved<i64> { Ok(moved.window.dtype.bytes_of(self.count_or(at, 0)?)) };
        let margins = [
            margin(param!(GmToUbPad.left_padding))?,
            margin(param!(GmToUbPad.right_padding))?,
        ];
        let whole = |margins: i64| align(moved.row_bytes + margins, BLOCK_BYTES);
        let ub_pitch = moved.ub_pitch - whole(0) + whole(margins.iter().sum());
        Ok(Operation::LoadRows(RowMove {
            margins,
            padding,
            ub_pitch,
            ..moved
        }))
    }

    fn store_rows(&mut self) -> Resolved<Operation> {
        let (window, tile) = (self.window(DST)?, self.tile(SRC)?);
        self.row_move(window, tile, SRC).map(Operation::StoreRows)
    }

    /// Resolves the move of rows between a window on global memory and the on-chip operand with this index.
    fn row_move(&mut self, window: Window, tile: Tile, operand: usize) -> Resolved<RowMove> {
        let ub = self.block_rows(&tile, operand, [window.rows, window.columns])?;
        let in_global = if operand == DST { SRC } else { DST };
        let window = self.moved_rows(in_global, &window)?;
        let row_bytes = window.dtype.bytes_of(window.columns);
        Ok(RowMove {
            window,
            tile,
            rows: window.rows,
            row_bytes,
            global_pitch: window.dtype.bytes_of(window.pitch),
            // A row takes whole blocks in UB, and gaps are counted in blocks.
            ub_pitch: align(row_bytes, BLOCK_BYTES) + ub.gap * BLOCK_BYTES,
            margins: [0; 2],
            padding: Padding::Undefined,
        })
    }

    /// Returns the part of global memory that an operand of a move accesses, by its arguments or else by its view.
    fn moved_rows(&mut self, operand: usize, window: &Window) -> Resolved<Window> {
        let view = RowExtents {
            count: window.rows,
            length: window.columns,
            pitch: window.pitch,
        };
        let instr = self.instr;
        let rows = transfer::global_rows(self, (instr, operand), Ok(view))?
            .ok_or(Unresolved::Unsupported)?;
        // Extents that the call gives replace those of the view, so only they can leave the tensor.
        let outside = match window.outside {
            Some(axis) if transfer::gives_global_extents(instr, operand) => {
                self.leaves((operand, axis), &rows, window)?
            }
            outside => outside,
        };
        Ok(Window {
            rows: counted(rows.count)?,
            columns: counted(rows.length)?,
            pitch: rows.pitch,
            outside,
            ..*window
        })
    }

    /// Returns the axis on which the view leaves its tensor, if the rows that the call gives leave it there
    /// as well.
    fn leaves(
        &mut self,
        (operand, axis): (usize, usize),
        rows: &RowExtents<i64>,
        window: &Window,
    ) -> Resolved<Option<usize>> {
        let view = self.instr.view(operand).and_then(View::global);
        let Some((view, axes)) = view.and_then(|view| Some((view, view.row_axes()?))) else {
            return Ok(None);
        };
        let span = match Some(axis) {
            at if at == axes.rows => rows.count,
            at if at == axes.columns => rows.length,
            _ => 1,
        };
        let [start, extent] = [view.axes[axis].start, view.axes[axis].extent];
        let (start, extent) = (self.environment.int(start)?, self.environment.int(extent)?);
        let leaves = span > 0 && (start < 0 || start > extent - span);
        // Rows at another pitch are not those of the view; the check of flat addresses judges them.
        let is_spread = rows.count > 1 && rows.pitch != window.pitch;
        Ok((leaves && !is_spread).then_some(axis))
    }

    /// Returns the blocks that a move with this view touches in an on-chip operand.
    fn block_rows(
        &mut self,
        tile: &Tile,
        operand: usize,
        view: [i64; 2],
    ) -> Resolved<BlockRows<i64>> {
        let call = (self.instr, operand);
        let rows = transfer::block_rows(self, call, tile.dtype, Ok(view), Ok(tile.shape[1]))?;
        let rows = rows.ok_or(Unresolved::Unsupported)?;
        counted(rows.count)?;
        counted(rows.length)?;
        Ok(rows)
    }

    fn copy_blocks(&mut self) -> Resolved<Operation> {
        let (dst, src) = (self.tile(DST)?, self.tile(SRC)?);
        let to = self.block_rows(&dst, DST, dst.span)?;
        // The view of the destination decides how much is copied, also of the source.
        let from = self.block_rows(&src, SRC, dst.span)?;
        let row_bytes = align(dst.dtype.bytes_of(to.length), BLOCK_BYTES);
        Ok(Operation::CopyBlocks(BlockMove {
            dst,
            src,
            rows: to.count,
            row_bytes,
            pitches: [to.gap, from.gap].map(|gap| row_bytes + gap * BLOCK_BYTES),
        }))
    }

    fn load_matrix(&mut self) -> Resolved<Operation> {
        let (tile, window) = (self.tile(DST)?, self.window(SRC)?);
        let window = self.moved_rows(SRC, &window)?;
        let capacity = self.count_or(param!(GmToL1Nz.M_dst), tile.shape[0])?;
        Ok(Operation::LoadMatrix(MatrixLoad {
            tile,
            window,
            capacity,
        }))
    }

    fn load_plain(&mut self) -> Resolved<Operation> {
        let (tile, window) = (self.tile(DST)?, self.window(SRC)?);
        // Explicit extents of this instruction are not modelled.
        if transfer::gives_global_extents(self.instr, SRC) {
            return Err(Unresolved::Unsupported);
        }
        match window.rows.max(window.columns) {
            extent if extent > MAX_COUNT => Err(Unresolved::Range(extent)),
            _ => Ok(Operation::LoadPlain(tile, window)),
        }
    }

    fn fill(&mut self) -> Resolved<Operation> {
        match self.argument(param!(SetConstantToL1.n_blocks))?.value {
            ArgValue::None => {
                let value = param!(SetConstantToL1.value);
                Ok(Operation::Fill(self.tile(DST)?, self.float(value)?))
            }
            _ => Err(Unresolved::Unsupported),
        }
    }

    fn load_bias(&mut self) -> Resolved<Operation> {
        let (mut dst, mut src) = (self.tile(DST)?, self.tile(SRC)?);
        if let Some(columns) = self.int(param!(L1ToBt.n))? {
            (dst.span[1], src.span[1]) = (columns, columns);
        }
        Ok(Operation::LoadBias(dst, src))
    }

    fn load_operand(&mut self) -> Resolved<Operation> {
        let (dst, src) = (self.tile(DST)?, self.tile(SRC)?);
        let rows = self.count_or(param!(L1ToL0.m_dst), src.span[0])?;
        let columns = self.count_or(param!(L1ToL0.n_dst), src.span[1])?;
        let capacity = self.written(param!(L1ToL0.m_src))?;
        let extent = [rows, columns];
        Ok(Operation::LoadOperand(OperandLoad {
            dst,
            src,
            extent,
            capacity,
        }))
    }

    fn load_fractals(&mut self) -> Resolved<Operation> {
        Ok(Operation::LoadFractals(FractalLoad {
            dst: self.tile(DST)?,
            src: self.tile(SRC)?,
            count: self.count_or(param!(LoadFractals.repeat), 1)?,
            start: self.count_or(param!(LoadFractals.start), 0)?,
            steps: [
                self.count_or(param!(LoadFractals.dst_step), 1)?,
                self.count_or(param!(LoadFractals.src_step), 1)?,
            ],
            transposed: self.flag(param!(LoadFractals.transpose))?,
            parts: [
                self.count_or(param!(LoadFractals.parts), 1)?,
                self.count_or(param!(LoadFractals.part_step), 1)?,
            ],
        }))
    }

    /// Returns the integer at `index` if it was written in the source. An inferred row capacity is ignored,
    /// in favour of the one that the matrix was really laid out with.
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
        let (dst, a, b) = (
            self.tile(DST)?,
            self.tile(param!(Mmad.src_a))?,
            self.tile(param!(Mmad.src_b))?,
        );
        let (m, n) = (
            self.extent_or(param!(Mmad.M), a.span[0])?,
            self.extent_or(param!(Mmad.N), b.span[0])?,
        );
        let k = self.int_or(param!(Mmad.K), a.span[1])?;
        let [m, n] = sums_of([m, n], k);
        let init = self.flag(param!(Mmad.is_init))?;
        let bias = self.optional_tile(param!(Mmad.bias))?;
        Ok(Operation::Multiply(Product {
            dst,
            a,
            b,
            m,
            n,
            k,
            // `mmad` is a single step; only `matmul` is split into several.
            step: [m, n, k],
            init,
            bias,
            unit_flag: self.int_or(param!(Mmad.unit_flag), 0)?,
        }))
    }

    fn multiply_l1(&mut self) -> Resolved<Operation> {
        let (dst, a, b) = (
            self.tile(DST)?,
            self.tile(param!(Matmul.l1a))?,
            self.tile(param!(Matmul.l1b))?,
        );
        let [rows, depth] = logical(&a);
        let init = self.flag(param!(Matmul.is_init))?;
        let m = self.extent_or(param!(Matmul.m), rows)?;
        let n = self.extent_or(param!(Matmul.n), logical(&b)[0])?;
        let k = self.int_or(param!(Matmul.k), depth)?;
        let [m, n] = sums_of([m, n], k);
        let bias = self.optional_tile(param!(Matmul.bias))?;
        Ok(Operation::MultiplyL1(Product {
            dst,
            a,
            b,
            m,
            n,
            k,
            step: [
                m,
                step(n, self.int(param!(Matmul.splitn))?),
                step(k, self.int(param!(Matmul.splitk))?),
            ],
            init,
            bias,
            unit_flag: 0,
        }))
    }

    /// Returns an extent of a product: as written, or that of the operand rounded up to a fractal.
    fn extent_or(&mut self, index: usize, operand: i64) -> Resolved<i64> {
        let written = self.written(index)?;
        Ok(match written {
            Some(extent) => extent,
            None => align(self.int_or(index, operand)?, FRACTAL),
        })
    }

    fn multiply_gm(&mut self) -> Resolved<Operation> {
        const OPERANDS: [usize; 3] = [
            param!(MultiplyGm.dst),
            param!(MultiplyGm.a),
            param!(MultiplyGm.b),
        ];
        let mut windows = Vec::with_capacity(OPERANDS.len());
        for operand in OPERANDS {
            let window = self.window(operand)?;
            windows.push(self.moved_rows(operand, &window)?);
        }
        let [dst, a, b] = windows[..] else {
            return Err(Unresolved::Unsupported);
        };
        let bias = param!(MultiplyGm.bias);
        let bias = match self.argument(bias)?.value {
            ArgValue::None => None,
            _ => Some(self.window(bias)?),
        };
        Ok(Operation::MultiplyGm(Box::new(GlobalProduct {
            dst,
            factors: [a, b],
            transposed: [
                self.flag(param!(MultiplyGm.transpose_a))?,
                self.flag(param!(MultiplyGm.transpose_b))?,
            ],
            bias,
            saturate: self.setup.options.saturate,
        })))
    }

    fn optional_tile(&mut self, index: usize) -> Resolved<Option<Tile>> {
        match self.argument(index)?.value {
            ArgValue::None => Ok(None),
            _ => self.tile(index).map(Some),
        }
    }

    fn drain(&mut self, layout: Layout) -> Resolved<Operation> {
        // A padded row count of the destination is not modelled.
        if layout == Layout::Nz
            && !matches!(
                self.argument(param!(L0cToGmNz.m_pad))?.value,
                ArgValue::None
            )
        {
            return Err(Unresolved::Unsupported);
        }
        let (window, tile) = (self.window(DST)?, self.tile(SRC)?);
        let window = self.moved_rows(DST, &window)?;
        let capacity = self.written(param!(L0cToGmNd | L0cToGmNz.M_src))?;
        let unit_flag = self.int_or(param!(L0cToGmNd | L0cToGmNz.unit_flag), 0)?;
        let unconverted = layout == Layout::Nd && self.flag(param!(L0cToGmNd.unconverted))?;
        let conversion = Conversion {
            relu: self.flag(param!(L0cToGmNd | L0cToGmNz.relu))?,
            scale: self
                .scalar(param!(L0cToGmNd | L0cToGmNz.scale))?
                .map(Value::as_float)
                .transpose()?
                .map(|value| value as f32),
            offset: self
                .scalar(param!(L0cToGmNd | L0cToGmNz.offset))?
                .map(Value::as_float)
                .transpose()?
                .map(|value| value as f32),
            saturate: self.setup.options.saturate,
        };
        Ok(Operation::Drain(Drain {
            tile,
            window,
            layout,
            capacity,
            conversion,
            unit_flag,
            unconverted,
        }))
    }

    fn republish(&mut self) -> Resolved<Operation> {
        let (dst, src) = (self.tile(DST)?, self.tile(SRC)?);
        let rows = self.count_or(param!(L0cToL1.M), src.span[0])?;
        let columns = self.count_or(param!(L0cToL1.N), src.span[1])?;
        let dst_capacity = self.count_or(param!(L0cToL1.M_dst), dst.shape[0])?;
        let src_capacity = self.written(param!(L0cToL1.M_src))?;
        let conversion = Conversion {
            relu: self.flag(param!(L0cToL1.relu))?,
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
    fn signal(&mut self, act: Act, channel: Channel) -> Resolved<Work> {
        Ok(match (channel, act) {
            (Channel::Event, Act::Set) => Work::Set(EventRef::Event(self.event()?)),
            (Channel::Event, Act::Wait) => Work::Wait(EventRef::Event(self.event()?)),
            (Channel::AllOfEvent, Act::Set) => Work::SetAll(self.event()?),
            (Channel::AllOfEvent, Act::Wait) => Work::Release(self.event()?),
            (Channel::Raw, Act::Set) => Work::Set(self.raw_flag()?),
            (Channel::Raw, Act::Wait) => Work::Wait(self.raw_flag()?),
            (Channel::Flag(route), _) => flag(act, route, self.flag_id()?),
            (Channel::Data, _) => {
                let (mutex, id) = self.mutex()?;
                flag(act, mutex.data_route(), id)
            }
            (Channel::Credit, _) => {
                let (mutex, id) = self.mutex()?;
                flag(act, mutex.credit_route(), id)
            }
        })
    }

    fn event(&self) -> Resolved<EventId> {
        self.instr.event().ok_or_else(|| self.no_receiver())
    }

    fn raw_flag(&mut self) -> Resolved<EventRef> {
        let event = param!(SetFlag | WaitFlag.event_id);
        let id = self.int(event)?.ok_or(Unresolved::Argument(event))?;
        let src = self.pipe(param!(SetFlag | WaitFlag.src))?;
        let dst = self.pipe(param!(SetFlag | WaitFlag.dst))?;
        Ok(EventRef::Raw(src, dst, id))
    }

    fn pipe(&self, index: usize) -> Resolved<Pipe> {
        self.instr.pipe_at(index).ok_or(Unresolved::Argument(index))
    }

    fn flag_id(&mut self) -> Resolved<i64> {
        let id = param!(class CrossFlag.flag_id);
        self.int(id)?.ok_or(Unresolved::Argument(id))
    }

    /// Returns the mutex and the number of its flags.
    fn mutex(&self) -> Resolved<(&Mutex, i64)> {
        let mutex = self.instr.mutex().ok_or_else(|| self.no_receiver())?;
        let mutex = self.setup.program.mutex(mutex);
        let id = mutex.flag_id.ok_or_else(|| self.no_receiver())?;
        Ok((mutex, id))
    }
}

fn flag(act: Act, route: Route, id: i64) -> Work {
    match act {
        Act::Set => Work::SetFlag(route, id),
        Act::Wait => Work::WaitFlag(route, id),
    }
}

/// Returns rows and depth of a matmul operand in L1, after transposition.
fn logical(tile: &Tile) -> [i64; 2] {
    match tile.transposed {
        true => [tile.span[1], tile.span[0]],
        false => tile.span,
    }
}

/// Returns a number of rows or columns, if an instruction can have that many.
fn counted(count: i64) -> Resolved<i64> {
    match (0..=MAX_COUNT).contains(&count) {
        true => Ok(count),
        false => Err(Unresolved::Range(count)),
    }
}

impl Arithmetic for Resolver<'_, '_> {
    type Number = i64;
    type Fault = Unresolved;

    fn constant(&mut self, value: i64) -> i64 {
        value
    }

    fn scalar(&mut self, id: ScalarId) -> Resolved<i64> {
        Ok(self.environment.int(id)?)
    }

    fn binary(&mut self, op: BinaryOp, a: i64, b: i64) -> Resolved<i64> {
        fold_int(op, a, b).ok_or(Unresolved::Range(i64::MAX))
    }

    fn integer_argument(&mut self, _: &Instr, index: usize) -> Resolved<Option<i64>> {
        self.int(index)
    }
}

/// Returns the rows and columns that a product computes: none if it has no terms, since the instruction is skipped
/// then.
fn sums_of(extents: [i64; 2], terms: i64) -> [i64; 2] {
    if terms > 0 { extents } else { [0, 0] }
}
