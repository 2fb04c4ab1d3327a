//! Instructions with all arguments resolved to numbers, as the units execute them.

use std::ops::Range;

use smallvec::{SmallVec, smallvec};

use super::VectorCall;
use super::access::Rows;
use super::memory::Exactly;
use super::signals::EventRef;
use super::value::Value;
use a2lint_ir::sync::Route;
use a2lint_ir::{AtomicKind, BufferId, EventId, GlobalId, VariableId};
use a2lint_isa::device::FRACTAL_BYTES;
use a2lint_isa::{DST, DType, FACTORS, Layout, Pipe, Position, SRC};

/// A view of one slot of an on-chip buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tile {
    /// The buffer.
    pub buffer: BufferId,
    /// The memory of the buffer.
    pub position: Position,
    /// Index of the slot among the slots of all buffers.
    pub slot: usize,
    /// The slot index as the source computes it, before it is taken modulo the number of slots.
    pub index: i64,
    /// Byte address of the slot.
    pub base: i64,
    /// Bytes that the slot owns.
    pub bytes: i64,
    /// The byte of the slot at which the tensor ends, where the kernel has given it a length.
    pub end: Option<i64>,
    /// Element type.
    pub dtype: DType,
    /// L1 layout.
    pub layout: Layout,
    /// Storage shape: rows and row pitch in elements.
    pub shape: [i64; 2],
    /// First row and column.
    pub offset: [i64; 2],
    /// Viewed rows and columns.
    pub span: [i64; 2],
    /// Whether it is read transposed.
    pub transposed: bool,
}

impl Tile {
    /// Returns the address at which the tensor ends.
    pub fn last(&self) -> i64 {
        self.base + self.end.map_or(self.bytes, |end| end.min(self.bytes))
    }

    /// Returns the byte address of the first element in a row-major layout.
    pub fn row_major_address(&self) -> i64 {
        self.base
            + self
                .dtype
                .bytes_of(self.offset[0] * self.shape[1] + self.offset[1])
    }
}

/// A view of a global tensor as rows of contiguous elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The tensor.
    pub global: GlobalId,
    /// Element type.
    pub dtype: DType,
    /// Flat index of the first element.
    pub start: i64,
    /// Rows.
    pub rows: i64,
    /// Elements of a row.
    pub columns: i64,
    /// Elements from one row to the next.
    pub pitch: i64,
    /// The first axis on which the view leaves the tensor, if it does.
    pub outside: Option<usize>,
}

impl Window {
    /// Returns its bytes, relative to the tensor.
    pub fn bytes(&self) -> Rows {
        Rows {
            start: self.dtype.bytes_of(self.start),
            length: self.dtype.bytes_of(self.columns),
            pitch: self.dtype.bytes_of(self.pitch),
            count: self.rows,
        }
    }

    /// Returns its elements among the first `elements` of the tensor, row by row; none if an extent is below
    /// 1. Rows outside take no time, however many there are.
    pub fn inside(&self, elements: i64) -> impl Iterator<Item = Range<i64>> + use<> {
        let Window {
            start,
            columns,
            pitch,
            ..
        } = *self;
        let (first, last) = match pitch > 0 && columns > 0 {
            true => (
                (-start - columns).div_euclid(pitch) + 1,
                (elements - 1 - start).div_euclid(pitch) + 1,
            ),
            false => (0, i64::from(columns > 0)),
        };
        (first.max(0)..last.min(self.rows)).filter_map(move |row| {
            let at = start + row * pitch;
            let range = at.max(0)..(at + columns).min(elements);
            (!range.is_empty()).then_some(range)
        })
    }
}

/// Rows between global memory and UB.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowMove {
    /// The global side.
    pub window: Window,
    /// The UB side.
    pub tile: Tile,
    /// Number of rows.
    pub rows: i64,
    /// Bytes of a row.
    pub row_bytes: i64,
    /// Bytes from one row to the next in global memory.
    pub global_pitch: i64,
    /// Bytes from one row to the next in UB.
    pub ub_pitch: i64,
    /// Bytes of padding in UB to the left and right of the data of a row.
    pub margins: [i64; 2],
    /// What a load fills the rest of a row's blocks with.
    pub padding: Padding,
}

/// The contents of the parts of a row's blocks that the loaded data does not fill.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Padding {
    /// Undefined bytes.
    Undefined,
    /// This value.
    Value(f64),
    /// The first element of the row.
    First,
}

/// Rows of whole blocks inside UB.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockMove {
    /// Destination.
    pub dst: Tile,
    /// Source.
    pub src: Tile,
    /// Number of rows.
    pub rows: i64,
    /// Bytes of a row.
    pub row_bytes: i64,
    /// Bytes from one row to the next, in destination and source.
    pub pitches: [i64; 2],
}

/// A matrix from global memory to L1 in NZ layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MatrixLoad {
    /// Destination.
    pub tile: Tile,
    /// Source; `rows`, `columns` and `pitch` are those of the matrix.
    pub window: Window,
    /// Rows that the destination is laid out for.
    pub capacity: i64,
}

/// A matrix from L1 to L0A or L0B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OperandLoad {
    /// Destination.
    pub dst: Tile,
    /// Source.
    pub src: Tile,
    /// Rows and columns that are taken from the source as it is stored.
    pub extent: [i64; 2],
    /// Row capacity of the source's layout; `None` for that of its last load.
    pub capacity: Option<i64>,
}

/// Fractals from L1 to L0A or L0B.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FractalLoad {
    /// Destination.
    pub dst: Tile,
    /// Source.
    pub src: Tile,
    /// Number of fractals, or of squares of several fractals.
    pub count: i64,
    /// The first fractal of the source.
    pub start: i64,
    /// Fractals from the start of one to the start of the next, in destination and source.
    pub steps: [i64; 2],
    /// Whether each of them is transposed.
    pub transposed: bool,
    /// Number of fractals of a square, and from the start of one to the start of the next in the destination.
    pub parts: [i64; 2],
}

impl FractalLoad {
    /// Returns the fractals in the source; those of a square lie one after the other.
    pub fn read(&self) -> Rows {
        Rows {
            start: self.src.row_major_address() + self.start * FRACTAL_BYTES,
            length: self.parts[0] * FRACTAL_BYTES,
            pitch: self.steps[1] * FRACTAL_BYTES,
            count: self.count,
        }
    }

    /// Returns the fractals in the destination: all first parts of squares, then all second ones.
    pub fn written(&self) -> SmallVec<[Rows; 2]> {
        let [parts, step] = self.parts;
        let start = self.dst.row_major_address();
        let of_part = |part: i64| Rows {
            start: start + part * step * FRACTAL_BYTES,
            length: FRACTAL_BYTES,
            pitch: self.steps[0] * FRACTAL_BYTES,
            count: self.count,
        };
        (0..parts).map(of_part).collect()
    }
}

/// A matrix product into L0C.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Product {
    /// Accumulator.
    pub dst: Tile,
    /// Left operand, `[m, k]`.
    pub a: Tile,
    /// Right operand, `[n, k]`.
    pub b: Tile,
    /// Rows of the result.
    pub m: i64,
    /// Columns of the result.
    pub n: i64,
    /// Depth.
    pub k: i64,
    /// Extents of the largest of the steps that it is split into.
    pub step: [i64; 3],
    /// Whether sums start anew instead of being added to.
    pub init: bool,
    /// One value for each column, added where sums start anew.
    pub bias: Option<Tile>,
    /// Its unit flag, 0 for none.
    pub unit_flag: i64,
}

/// A matrix product of global memory into global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GlobalProduct {
    /// The result, `[m, n]`.
    pub dst: Window,
    /// Both factors, as stored.
    pub factors: [Window; 2],
    /// Whether each factor is stored transposed. Otherwise they are `[m, k]` and `[k, n]`.
    pub transposed: [bool; 2],
    /// The bias, one value per column.
    pub bias: Option<Window>,
    /// Whether floats out of the range of a narrow type are clamped.
    pub saturate: bool,
}

impl GlobalProduct {
    /// Returns the inner extent of each factor; a valid product has equal ones.
    pub fn depths(&self) -> [i64; 2] {
        let [a, b] = &self.factors;
        let [is_a, is_b] = self.transposed;
        [
            if is_a { a.rows } else { a.columns },
            if is_b { b.columns } else { b.rows },
        ]
    }

    /// Returns whether the extents of the factors are those of the result.
    pub fn fits(&self) -> bool {
        let [a, b] = &self.factors;
        let [is_a, is_b] = self.transposed;
        let [depth, other] = self.depths();
        let sides = [
            if is_a { a.columns } else { a.rows },
            if is_b { b.rows } else { b.columns },
        ];
        depth == other && sides == [self.dst.rows, self.dst.columns]
    }
}

/// The conversion of accumulators by the fixpipe.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Conversion {
    /// Whether negative values become zero.
    pub relu: bool,
    /// Factor.
    pub scale: Option<f32>,
    /// Summand after scaling.
    pub offset: Option<f32>,
    /// Whether floats out of the range of a narrow type are clamped.
    pub saturate: bool,
}

/// L0C to global memory.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Drain {
    /// Source.
    pub tile: Tile,
    /// Destination; `rows`, `columns` and `pitch` are those of the matrix.
    pub window: Window,
    /// Layout of the destination.
    pub layout: Layout,
    /// Row capacity of the source's layout; `None` for that of its last product.
    pub capacity: Option<i64>,
    /// The conversion.
    pub conversion: Conversion,
    /// Its unit flag, 0 for none.
    pub unit_flag: i64,
    /// Whether the call specifies no conversion although the element types differ.
    pub unconverted: bool,
}

/// L0C to L1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Republish {
    /// Destination.
    pub dst: Tile,
    /// Source.
    pub src: Tile,
    /// Rows and columns.
    pub extent: [i64; 2],
    /// Row capacity of the destination's layout.
    pub dst_capacity: i64,
    /// Row capacity of the source's layout; `None` for that of its last product.
    pub src_capacity: Option<i64>,
    /// The conversion.
    pub conversion: Conversion,
}

/// One element of UB or global memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cell {
    /// In UB.
    Tile(Tile),
    /// In global memory.
    Window(Window),
}

/// Work for a unit.
#[derive(Clone, Debug, PartialEq)]
pub enum Operation {
    /// A vector instruction with the views of its operands, in the order of its row.
    Vector(VectorCall, Vec<Option<Tile>>),
    /// `set_mask`: bits of lanes 64 to 127, bits of lanes 0 to 63.
    SetMask(u64, u64),
    /// `reset_mask`.
    ResetMask,
    /// Global memory to UB.
    LoadRows(RowMove),
    /// UB to global memory.
    StoreRows(RowMove),
    /// UB to UB.
    CopyBlocks(BlockMove),
    /// Global memory to L1, NZ.
    LoadMatrix(MatrixLoad),
    /// Global memory to L1, row-major.
    LoadPlain(Tile, Window),
    /// One value for a whole L1 tensor.
    Fill(Tile, f64),
    /// L1 to L0A or L0B.
    LoadOperand(OperandLoad),
    /// Fractals from L1 to L0A or L0B.
    LoadFractals(FractalLoad),
    /// L1 to the bias table.
    LoadBias(Tile, Tile),
    /// A product of L0A and L0B.
    Multiply(Product),
    /// A product of L1 operands, through L0A and L0B.
    MultiplyL1(Product),
    /// A product of global memory into global memory.
    MultiplyGm(Box<GlobalProduct>),
    /// L0C to global memory.
    Drain(Drain),
    /// L0C to L1.
    Republish(Republish),
    /// Reads an element into a variable.
    ReadScalar(VariableId, Cell),
    /// Reads how much of a queue the last merge has taken into a variable.
    ReadCount(VariableId, usize),
    /// Writes a number to an element.
    WriteScalar(Value, Option<Exactly>, Cell),
    /// An instruction without effect on results.
    Nothing,
    /// Switches the rounding of operands of float products (HF32) on or off.
    SetHf32(bool),
}

/// Number of bytes that one unit of work moves; [`PRODUCTS_PER_WORK`] is that of multiplications.
pub(super) const BYTES_PER_WORK: i64 = 256;
const PRODUCTS_PER_WORK: i64 = 512;

impl Operation {
    /// Returns whether the result is computed from the old contents of its destination.
    pub fn updates(&self) -> bool {
        match self {
            Operation::Vector(call, tiles) => {
                let slot = |tile: &Option<Tile>| tile.map(|tile| tile.slot);
                let [dst, sources @ ..] = &tiles[..] else {
                    return false;
                };
                let mut operands = call.opcode.row().operands();
                let reads = operands.next().is_some_and(|(_, dst)| dst.access.reads());
                // A source in the slot of the destination counts at whatever address it is.
                reads || sources.iter().any(|source| slot(source) == slot(dst))
            }
            Operation::CopyBlocks(copy) => copy.dst.slot == copy.src.slot,
            _ => false,
        }
    }

    /// Returns whether it takes part in the handshake of M and FIX over parts of L0C.
    pub fn has_unit_flag(&self) -> bool {
        match self {
            Operation::Multiply(product) => product.unit_flag != 0,
            Operation::Drain(drain) => drain.unit_flag != 0,
            _ => false,
        }
    }

    /// Returns the operands in UB, each with the index of its parameter; none if nothing is touched.
    pub fn in_ub(&self) -> SmallVec<[(usize, &Tile); 4]> {
        match self {
            Operation::Vector(call, tiles) if !call.is_empty() => {
                let operands = call.opcode.row().operands().zip(tiles);
                let present =
                    operands.filter_map(|((index, _), tile)| Some((index, tile.as_ref()?)));
                present.collect()
            }
            Operation::LoadRows(load) if !load.is_empty() => smallvec![(0, &load.tile)],
            Operation::StoreRows(store) if !store.is_empty() => smallvec![(1, &store.tile)],
            Operation::CopyBlocks(copy) if copy.rows > 0 && copy.row_bytes > 0 => {
                smallvec![(0, &copy.dst), (1, &copy.src)]
            }
            _ => SmallVec::new(),
        }
    }

    /// Returns the matrices in L1 and L0C in a strip layout, each with the index of its parameter; none if
    /// nothing is touched.
    pub fn in_strips(&self) -> SmallVec<[(usize, &Tile); 4]> {
        let mut all = self.in_matrices();
        // Row-major tensors in L1 have no strips.
        all.retain(|(_, tile)| tile.layout == Layout::Nz);
        all
    }

    fn in_matrices(&self) -> SmallVec<[(usize, &Tile); 4]> {
        let of_product = |product: &Product| product.m > 0 && product.n > 0;
        match self {
            Operation::LoadMatrix(load) if load.window.rows > 0 && load.window.columns > 0 => {
                smallvec![(DST, &load.tile)]
            }
            Operation::LoadOperand(load) if load.extent.iter().all(|&extent| extent > 0) => {
                smallvec![(SRC, &load.src)]
            }
            Operation::Multiply(product) if of_product(product) => smallvec![(DST, &product.dst)],
            Operation::MultiplyL1(product) if of_product(product) => smallvec![
                (DST, &product.dst),
                (FACTORS[0], &product.a),
                (FACTORS[1], &product.b),
            ],
            Operation::Drain(drain) if drain.window.rows > 0 && drain.window.columns > 0 => {
                smallvec![(SRC, &drain.tile)]
            }
            Operation::Republish(copy) if copy.extent.iter().all(|&extent| extent > 0) => {
                smallvec![(DST, &copy.dst), (SRC, &copy.src)]
            }
            _ => SmallVec::new(),
        }
    }

    /// Returns the operands on the cube side that start where their address says, each with the index of its
    /// parameter; none if nothing is touched.
    pub fn by_address(&self) -> SmallVec<[(usize, &Tile); 4]> {
        let mut all = self.in_matrices();
        match self {
            Operation::LoadFractals(load) if load.count > 0 => {
                all.extend([(DST, &load.dst), (SRC, &load.src)]);
            }
            Operation::Multiply(product) if product.m > 0 && product.n > 0 => {
                all.extend([(FACTORS[0], &product.a), (FACTORS[1], &product.b)]);
            }
            Operation::LoadPlain(tile, window) if window.rows > 0 && window.columns > 0 => {
                all.push((DST, tile));
            }
            Operation::LoadBias(dst, src) if dst.span[1] > 0 => {
                all.extend([(DST, dst), (SRC, src)]);
            }
            _ => {}
        }
        all.retain(|(_, tile)| tile.layout == Layout::Linear);
        all
    }

    /// Returns roughly how long the operation takes to simulate; see [`super::Options::max_work`].
    pub fn work(&self) -> u64 {
        let moved = |rows: i64, bytes: i64| rows.max(0) * (1 + bytes.max(0) / BYTES_PER_WORK);
        let window = |window: &Window| moved(window.rows, window.dtype.bytes_of(window.columns));
        let work = match self {
            Operation::Vector(call, _) => match call.length {
                super::VectorLength::Repeats(repeats) => repeats,
                // A repeat has 64 lanes of floats, and at most four times as many of others.
                super::VectorLength::Count(count) => count / 64,
                super::VectorLength::CountPerRepeat { repeats, .. } => repeats,
            },
            Operation::LoadRows(row) | Operation::StoreRows(row) => moved(row.rows, row.row_bytes),
            Operation::CopyBlocks(copy) => moved(copy.rows, copy.row_bytes),
            Operation::LoadMatrix(load) => window(&load.window),
            Operation::LoadPlain(_, source) => window(source),
            Operation::Fill(tile, _) => tile.bytes / BYTES_PER_WORK,
            Operation::LoadOperand(load) => {
                let [rows, columns] = load.extent;
                moved(rows, load.dst.dtype.bytes_of(columns))
            }
            Operation::LoadFractals(load) => moved(load.count, load.parts[0] * FRACTAL_BYTES),
            Operation::Multiply(product) | Operation::MultiplyL1(product) => {
                product.m * product.n * product.k / PRODUCTS_PER_WORK
            }
            Operation::MultiplyGm(product) => {
                let [rows, columns] = [product.dst.rows, product.dst.columns];
                let depth = product.depths()[0];
                rows.saturating_mul(columns).saturating_mul(depth) / PRODUCTS_PER_WORK
            }
            Operation::Drain(drain) => window(&drain.window),
            Operation::Republish(republish) => {
                let [rows, columns] = republish.extent;
                moved(rows, 4 * columns)
            }
            _ => 0,
        };
        // Even an instruction that does nothing costs the machine a step.
        1 + work.max(0) as u64
    }
}

/// The effect of an instruction, as its lane carries it out.
#[derive(Clone, Debug, PartialEq)]
pub enum Work {
    /// Work for a unit, with the atomic operation that its stores use.
    Unit(Box<Operation>, Option<AtomicKind>),
    /// Sets an event or raw flag.
    Set(EventRef),
    /// Awaits an event or raw flag.
    Wait(EventRef),
    /// Sets all ids of an event.
    SetAll(EventId),
    /// Clears all ids of an event.
    Release(EventId),
    /// Sets a flag between lanes.
    SetFlag(Route, i64),
    /// Awaits a flag between lanes.
    WaitFlag(Route, i64),
    /// A barrier.
    Barrier(Pipe),
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn rows_far_outside_take_no_time() {
        let window = Window {
            global: GlobalId(0),
            dtype: DType::Float,
            // 2^36 rows lie in front of the tensor: walking over them would take minutes.
            start: -(1 << 50),
            rows: 1 << 36,
            columns: 1 << 20,
            pitch: 1 << 20,
            outside: None,
        };
        assert!(window.inside(4096).eq(std::iter::once(0..4096)));
        let within = Window { start: 8, ..window };
        assert!(within.inside(4096).eq(std::iter::once(8..4096)));
    }

    proptest! {
        #[test]
        fn elements_inside_equal_those_of_a_walk_over_all_rows(
            start in -40_i64..40, rows in -2_i64..12, columns in -5_i64..9, pitch in 1_i64..12, elements in 0_i64..60,
        ) {
            let dtype = DType::Float;
            let window = Window { global: GlobalId(0), dtype, start, rows, columns, pitch, outside: None };
            let walked = (0..rows).flat_map(|row| {
                let first = start + row * pitch;
                first..first + columns
            });
            let walked: Vec<i64> = walked.filter(|at| (0..elements).contains(at)).collect();
            prop_assert_eq!(window.inside(elements).flatten().collect::<Vec<_>>(), walked);
        }
    }
}
