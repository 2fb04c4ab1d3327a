//! Infers omitted arguments: repeats, strides and extents of moves.

use std::convert::Infallible;

use super::builder::{Builder, TooLarge};
use crate::transfer::{self, Arithmetic, RowExtents};
use crate::{
    Arg, ArgSource, ArgValue, BinaryOp, GlobalView, Instr, LocalView, ScalarId, Scalars, StmtKind,
};
use a2lint_isa::{
    CountedIn, DST, DType, DefaultValue, FACTORS, Instruction, Opcode, ParamKind, Place,
    RepeatFrom, RepeatRounding, SRC, SelectMode, StrideRule, infer_strides, param,
};
use a2lint_source::text::Span;

/// The extents of a call that inference has replaced because the call leaves out other extents.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Replaced {
    /// Numbers of the parameters whose arguments have no effect, each with the place of its argument.
    pub given: Vec<(usize, Span)>,
    /// Numbers of the parameters that are left out.
    pub left_out: Vec<usize>,
}

impl Builder {
    /// Infers the arguments that an instruction leaves out, and emits it. Returns the given arguments that
    /// inference has replaced.
    ///
    /// # Errors
    /// The program is too large.
    pub fn instruction(&mut self, mut instr: Instr) -> Result<Option<Replaced>, TooLarge> {
        let replaced = complete(self, &mut instr);
        if let Some(variable) = instr.reads_into() {
            self.unset.remove(&variable);
            self.program.variables[variable.index()].assignments += 1;
        }
        self.noticed += u32::from(instr.concerns_others());
        self.emit(StmtKind::Instr(instr))?;
        Ok(replaced)
    }
}

/// Fills in the arguments that the call leaves to inference.
fn complete(builder: &mut Builder, instr: &mut Instr) -> Option<Replaced> {
    let row = instr.row();
    let signature = builder.program.signature(instr.opcode);
    // Before the loop, which infers the extents that this clears.
    let given = infer_all_of_load(builder, instr);
    for (index, canonical) in row.params().enumerate() {
        let param = signature.param(index).unwrap_or(canonical);
        let left_out =
            param.default == DefaultValue::Inferred && instr.args[index].value == ArgValue::None;
        if !left_out {
            continue;
        }
        let value = match param.kind {
            ParamKind::Repeat => repeat(builder, signature.repeat, instr),
            ParamKind::BlockStride(of) => stride(builder, row, instr, of).map(|(block, _)| block),
            ParamKind::RepeatStride(of) => stride(builder, row, instr, of).map(|(_, rep)| rep),
            ParamKind::Select => {
                instr.args[index] = inferred(ArgValue::Select(select_mode(instr)));
                continue;
            }
            _ => extent(builder, instr, canonical.name),
        };
        if let Some(value) = value {
            instr.args[index] = inferred(ArgValue::Scalar(value));
        }
    }
    // After the loop, since it needs the inferred extents.
    note_loaded(builder, instr);
    replaced(&builder.program.scalars, &given?, instr)
}

/// Clears all extents of a padded load if one of them is left out, where the toolchain infers all of them
/// then. Returns the extents of the call; `None` if nothing is cleared.
fn infer_all_of_load(builder: &Builder, instr: &mut Instr) -> Option<[Arg; 3]> {
    let infers = builder.program.toolchain.lowering.infers_whole_loads;
    let is_meant = infers && instr.row().moves(Place::Gm, Place::UB);
    let is_left_out = |at: usize| instr.args[at].value == ArgValue::None;
    if !is_meant || !LOAD_EXTENTS.into_iter().any(is_left_out) {
        return None;
    }
    Some(LOAD_EXTENTS.map(|at| std::mem::replace(&mut instr.args[at], inferred(ArgValue::None))))
}

/// Returns the extents that inference has replaced by different ones. Two extents that are both symbolic are
/// not compared: they may be equal.
fn replaced(scalars: &Scalars, given: &[Arg; 3], after: &Instr) -> Option<Replaced> {
    let is_number = |id: ScalarId| scalars.as_int(id).is_some();
    let mut replaced = Replaced {
        given: Vec::new(),
        left_out: Vec::new(),
    };
    for (at, given) in LOAD_EXTENTS.into_iter().zip(given) {
        if given.value == ArgValue::None {
            replaced.left_out.push(at);
        }
        let extents = given.value.scalar().zip(after.args[at].value.scalar());
        let differs = extents
            .is_some_and(|(given, used)| given != used && (is_number(given) || is_number(used)));
        if let Some(span) = given.span().filter(|_| differs) {
            replaced.given.push((at, span));
        }
    }
    (!replaced.given.is_empty()).then_some(replaced)
}

/// The parameters of a padded load for the number of rows, their length and the gap between them, in
/// elements.
const LOAD_EXTENTS: [usize; 3] = [
    param!(GmToUbPad.n_burst),
    param!(GmToUbPad.burst_len_element),
    param!(GmToUbPad.src_stride_element),
];

fn inferred(value: ArgValue) -> Arg {
    Arg {
        value,
        source: ArgSource::Inferred,
    }
}

fn select_mode(instr: &Instr) -> SelectMode {
    match instr.view(param!(Select.src2)) {
        Some(_) => SelectMode::TensorTensor,
        None => SelectMode::TensorScalar,
    }
}

/// Returns the inferred repeat count: `ceil(span0 * span1 / elements per repeat)`, or the floor where the
/// signature or the kernel asks for it.
fn repeat(builder: &mut Builder, from: RepeatFrom, instr: &Instr) -> Option<ScalarId> {
    let (operand, per_repeat) = match from {
        RepeatFrom::Nothing => return None,
        RepeatFrom::Operand(at) => (at, instr.local(at)?.dtype.lanes()),
        RepeatFrom::Elements(at, elements) | RepeatFrom::WholeElements(at, elements) => {
            (at, elements)
        }
        RepeatFrom::Wider(at) => (at, wider(instr)?.lanes()),
    };
    let [rows, columns] = instr.local(operand)?.span;
    let elements = builder.binary(BinaryOp::Mul, rows, columns);
    let per_repeat = builder.int(per_repeat);
    let divide = match (from, builder.repeat_rounding) {
        (RepeatFrom::WholeElements(..), _) | (_, RepeatRounding::Down) => BinaryOp::Div,
        (_, RepeatRounding::Up) => BinaryOp::CeilDiv,
    };
    Some(builder.binary(divide, elements, per_repeat))
}

/// Returns the wider of the element types of the first two operands.
fn wider(instr: &Instr) -> Option<DType> {
    let (a, b) = (instr.local(DST)?.dtype, instr.local(SRC)?.dtype);
    Some(if a.bits() >= b.bits() { a } else { b })
}

fn stride(
    builder: &mut Builder,
    row: &Instruction,
    instr: &Instr,
    operand: usize,
) -> Option<(ScalarId, ScalarId)> {
    let Some(view) = instr.local(operand) else {
        // A scalar in the operand's place: strides play no part.
        return Some((builder.int(1), builder.int(8)));
    };
    let (block, repeat) = view_strides(builder, view);
    if row.strides != StrideRule::Cast {
        return Some((block, repeat));
    }
    // A repeat of a cast is 256 bytes of the wider type: 8 blocks there, and proportionally fewer of the
    // narrower type.
    let narrow_share = view.dtype.bits() * 8 / wider(instr)?.bits();
    Some((block, builder.int(narrow_share)))
}

/// Returns the inferred block stride and repeat stride of a view, in blocks. They are unknown where an extent
/// is unknown: constants, device variables and extents of one element have different strides.
fn view_strides(builder: &mut Builder, view: &LocalView) -> (ScalarId, ScalarId) {
    let scalars = &builder.program.scalars;
    let [rows, columns] = view.span;
    let mut extents = [rows, columns, view.shape[1]].into_iter();
    if extents.any(|extent| scalars.has_unknown(extent)) {
        return (builder.unknown(), builder.unknown());
    }
    let known = |axis: usize| {
        view.static_span[axis]
            .then(|| scalars.as_int(view.span[axis]))
            .flatten()
    };
    let pitch = scalars.as_int(view.shape[1]);
    let (block, repeat) = infer_strides(view.dtype, known(0), known(1), pitch);
    let repeat = match repeat {
        Some(repeat) => builder.int(repeat),
        None => {
            let c0 = builder.int(view.dtype.c0());
            builder.binary(BinaryOp::Div, view.shape[1], c0)
        }
    };
    (builder.int(block), repeat)
}

/// Computes extents as scalar expressions.
impl Arithmetic for Builder {
    type Number = ScalarId;
    type Fault = Infallible;

    fn constant(&mut self, value: i64) -> ScalarId {
        self.int(value)
    }

    fn scalar(&mut self, id: ScalarId) -> Result<ScalarId, Infallible> {
        Ok(id)
    }

    fn binary(&mut self, op: BinaryOp, a: ScalarId, b: ScalarId) -> Result<ScalarId, Infallible> {
        Ok(Builder::binary(self, op, a, b))
    }

    fn integer_argument(
        &mut self,
        instr: &Instr,
        index: usize,
    ) -> Result<Option<ScalarId>, Infallible> {
        Ok(instr.args[index].value.scalar())
    }
}

/// Returns the rows of a global view; `None` where [`GlobalView::row_axes`] is `None`.
fn rows(builder: &mut Builder, view: &GlobalView) -> Option<RowExtents<ScalarId>> {
    let Ok(rows) = transfer::view_rows(builder, view);
    rows
}

fn blocks(builder: &mut Builder, elements: ScalarId, dtype: DType) -> ScalarId {
    let Ok(blocks) = transfer::blocks(builder, elements, dtype);
    blocks
}

/// Returns the inferred value of a parameter of a move or cube instruction, by the name of the parameter.
fn extent(builder: &mut Builder, instr: &Instr, name: &str) -> Option<ScalarId> {
    let global = instr
        .operands()
        .find_map(|(_, _, view)| view.global().cloned());
    let rows = global.and_then(|view| rows(builder, &view));
    // Rows in global memory that begin at blocks on the chip.
    let is_padded = |operand: &usize| {
        let extents = instr.row().block_extents(*operand);
        extents.is_some_and(|it| it.unit == CountedIn::Elements)
    };
    if let Some(operand) = [DST, SRC].into_iter().find(is_padded) {
        return padded(builder, &rows?, instr.local(operand)?, name);
    }
    match instr.opcode {
        Opcode::UbToUb => block_copy(builder, instr.local(DST)?, instr.local(SRC)?, name),
        Opcode::GmToL1Nz => {
            let rows = rows?;
            Some(match name {
                "M" => rows.count,
                "N" => rows.length,
                "N_src" => rows.pitch,
                _ => instr.local(DST)?.shape[0],
            })
        }
        Opcode::L0cToGmNd | Opcode::L0cToGmNz => {
            let rows = rows?;
            Some(match name {
                "M" => rows.count,
                "N" => rows.length,
                "N_dst" => rows.pitch,
                _ => instr.local(SRC)?.shape[0],
            })
        }
        Opcode::L0cToL1 => {
            let (dst, src) = (instr.local(DST)?, instr.local(SRC)?);
            Some(match name {
                "M" => dst.span[0],
                "N" => dst.span[1],
                "M_dst" => dst.shape[0],
                _ => src.shape[0],
            })
        }
        Opcode::L1ToL0 => {
            let src = instr.local(SRC)?;
            Some(match name {
                "m_dst" => src.span[0],
                "n_dst" => src.span[1],
                "m_src" => src.shape[0],
                _ => src.shape[1],
            })
        }
        Opcode::Mmad | Opcode::Matmul => {
            let [a, b] = FACTORS.map(|at| factor(builder, instr.local(at)?));
            let (a, b) = (a?, b?);
            let rounds = builder.program.toolchain.lowering.rounds_product_extents;
            let direct = instr.opcode == Opcode::Mmad && rounds;
            Some(match name {
                "M" | "m" => align16_if(builder, a[0], direct),
                // The right factor is stored transposed, as N rows of K columns.
                "N" | "n" => align16_if(builder, b[0], direct),
                _ => a[1],
            })
        }
        Opcode::TransData => {
            let tile = builder.int(16);
            Some(builder.binary(BinaryOp::Div, instr.local(SRC)?.shape[1], tile))
        }
        _ => None,
    }
}

/// Returns the rows and columns of a factor as the cube reads them. For a whole slot of L0 these are the
/// extents of the last load, which may be smaller than the slot; a transposed view swaps its extents.
fn factor(builder: &Builder, view: &LocalView) -> Option<[ScalarId; 2]> {
    let is_whole = view.span == builder.program.buffer(view.buffer).shape;
    let loaded = builder.loaded.get(&view.buffer).filter(|_| is_whole);
    Some(loaded.copied().unwrap_or_else(|| oriented(view, view.span)))
}

/// Returns the extents of a view as the cube reads it: swapped if it is transposed.
fn oriented(view: &LocalView, [rows, columns]: [ScalarId; 2]) -> [ScalarId; 2] {
    match view.transposed {
        true => [columns, rows],
        false => [rows, columns],
    }
}

/// Records the extents of the matrix that a copy from L1 leaves in its L0 buffer: they are the default
/// extents of later products.
fn note_loaded(builder: &mut Builder, instr: &Instr) -> Option<()> {
    if instr.opcode != Opcode::L1ToL0 {
        return None;
    }
    let (dst, src) = (instr.local(DST)?, instr.local(SRC)?);
    let extent = |at: usize| instr.args[at].value.scalar();
    let stored = [extent(param!(L1ToL0.m_dst))?, extent(param!(L1ToL0.n_dst))?];
    builder.loaded.insert(dst.buffer, oriented(src, stored));
    Some(())
}

fn align16_if(builder: &mut Builder, extent: ScalarId, round_up: bool) -> ScalarId {
    match round_up {
        true => {
            let fractal = builder.int(16);
            builder.binary(BinaryOp::AlignUp, extent, fractal)
        }
        false => extent,
    }
}

/// Returns the number of blocks between the end of a row of `length` elements and the next row of `view`.
fn gap(builder: &mut Builder, view: &LocalView, length: ScalarId) -> ScalarId {
    let pitch = blocks(builder, view.shape[1], view.dtype);
    let used = blocks(builder, length, view.dtype);
    builder.binary(BinaryOp::Sub, pitch, used)
}

fn padded(
    builder: &mut Builder,
    rows: &RowExtents<ScalarId>,
    ub: &LocalView,
    name: &str,
) -> Option<ScalarId> {
    Some(match name {
        "n_burst" => rows.count,
        "burst_len_element" => rows.length,
        "src_stride_element" | "dst_stride_element" => {
            builder.binary(BinaryOp::Sub, rows.pitch, rows.length)
        }
        _ => gap(builder, ub, rows.length),
    })
}

fn block_copy(
    builder: &mut Builder,
    dst: &LocalView,
    src: &LocalView,
    name: &str,
) -> Option<ScalarId> {
    Some(match name {
        "n_burst" => dst.span[0],
        "burst_len" => blocks(builder, dst.span[1], dst.dtype),
        "src_stride" => gap(builder, src, dst.span[1]),
        _ => gap(builder, dst, dst.span[1]),
    })
}
