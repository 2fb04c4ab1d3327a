//! Moves between memories.

use a2lint_cpp::eval::{FloatValue, IntValue, Kind, Ty, Value};
use a2lint_ir::build::{Argument, Builder, Region};
use a2lint_ir::{AtomicKind, Branch, NoteKind, ScalarId, View};
use a2lint_isa::{BLOCK_BYTES, DType, Opcode, Position};

use super::cube;
use super::cx::{Cx, Lowered, follows, lost, take};
use super::emission::Emission;
use super::numbers;
use super::objects::{Atomic, Object};
use super::tensors::{InGlobal, Local};

/// Lowers a move; returns `None` for other calls.
pub fn lower(cx: &mut Cx<'_, '_, '_>) -> Option<Lowered> {
    Some(match cx.call.name {
        "DataCopy" => data_copy(cx),
        "DataCopyPad" => data_copy_pad(cx),
        _ => return None,
    })
}

/// The rows of a move: their number, their length, and the gaps between them.
#[derive(Clone, Copy)]
struct Rows {
    count: ScalarId,
    /// Number of elements of a row.
    length: ScalarId,
    /// Number of elements between the end of a row in global memory and the start of the next.
    global_gap: ScalarId,
    /// Number of blocks between the end of a row on the chip, rounded up to a block, and the start of the next.
    local_gap: ScalarId,
    /// The number of elements that the call names, if a row is that number rounded down to blocks.
    asked: Option<ScalarId>,
}

/// One side of a move.
pub enum End {
    /// On the chip.
    Local(Local),
    /// In global memory.
    Global(InGlobal),
}

impl Cx<'_, '_, '_> {
    fn end(&mut self, at: usize) -> Lowered<End> {
        match self.object(at)? {
            Some(Object::Local(_)) => Ok(Ok(End::Local(take!(self.local(at))))),
            Some(Object::Global(_)) => Ok(Ok(End::Global(take!(self.global_of_any_type(at))))),
            _ => follows!("which tensor is moved is not known"),
        }
    }

    /// Returns the rows of a move with `DataCopyParams`, which counts in 32-byte blocks.
    fn block_rows(&mut self, at: usize, dtype: DType) -> Lowered<Rows> {
        let count = take!(self.field(at, "blockCount"));
        let blocks = take!(self.field(at, "blockLen"));
        let (src, dst) = (
            take!(self.field(at, "srcStride")),
            take!(self.field(at, "dstStride")),
        );
        // The same struct serves loads and stores: the direction decides which gap is in global memory.
        let is_load = matches!(self.object(1)?, Some(Object::Global(_)));
        let (global, local) = if is_load { (src, dst) } else { (dst, src) };
        let in_block = dtype.c0();
        let builder = self.builder();
        Ok(Ok(Rows {
            count,
            length: numbers::times(builder, blocks, in_block),
            global_gap: numbers::times(builder, global, in_block),
            local_gap: local,
            asked: None,
        }))
    }

    /// Returns one row of `count` elements, rounded down to whole blocks.
    fn one_row(&mut self, count: ScalarId, dtype: DType) -> Rows {
        let in_block = dtype.c0();
        let builder = self.builder();
        let (one, none) = (builder.int(1), builder.int(0));
        Rows {
            count: one,
            // The device moves whole blocks of 32 bytes and drops the remainder of a count.
            length: numbers::rounded_down(builder, count, in_block),
            global_gap: none,
            local_gap: none,
            asked: Some(count),
        }
    }

    /// Emits a branch on a flag in argument `at` that is known only at run time; `work` emits each arm.
    fn either(
        &mut self,
        condition: ScalarId,
        at: usize,
        mut work: impl FnMut(&mut Self, bool) -> Lowered,
    ) -> Lowered {
        let condition_span = self.span(at);
        let mut arms = Vec::new();
        for truth in [true, false] {
            self.builder().open_device_block();
            let done = work(self, truth);
            let body = self.builder().close_device_block();
            take!(done);
            arms.push(body);
        }
        let otherwise = arms.pop().unwrap_or_default();
        let body = arms.pop().unwrap_or_default();
        let first = Branch {
            condition,
            condition_span,
            body,
        };
        self.builder().branch(first, otherwise)?;
        Ok(Ok(()))
    }

    /// Emits a store in the way that the core is set to.
    pub fn store(&mut self, emission: Emission, stored: DType) -> Lowered {
        let Some(Atomic { kind, dtype }) = take!(self.atomic()) else {
            return self.emit(emission);
        };
        if let Some(of) = dtype.filter(|of| !combines(kind, *of, stored)) {
            let span = self.call.span;
            self.builder()
                .note(span, NoteKind::AtomicType { of, stored });
        }
        // The atomic mode is a register in AscendC, but a region around the store in the program.
        self.builder().open_block();
        let emitted = self.emit(emission);
        let body = self.builder().close_block();
        take!(emitted);
        self.builder().region(Region::Atomic(kind), body)?;
        Ok(Ok(()))
    }
}

/// Returns whether an atomic operation on elements of one type is the one on elements of another. The sum of integers
/// does not depend on their sign.
fn combines(kind: AtomicKind, of: DType, stored: DType) -> bool {
    let are_sums = kind == AtomicKind::Add && !of.is_float() && !stored.is_float();
    of == stored || are_sums && of.bits() == stored.bits()
}

impl Rows {
    /// Returns the number of elements from the first to the last one in global memory.
    fn global_span(&self, builder: &mut Builder) -> ScalarId {
        let pitch = numbers::add(builder, self.length, self.global_gap);
        self.span(builder, pitch)
    }

    /// Returns the number of elements from the first to the last one on the chip.
    fn local_span(&self, builder: &mut Builder, dtype: DType) -> ScalarId {
        let in_block = dtype.c0();
        // On the chip every row starts at a block boundary, even if the row length is not a multiple of a block.
        let row = numbers::rounded_up(builder, self.length, in_block);
        let gap = numbers::times(builder, self.local_gap, in_block);
        let pitch = numbers::add(builder, row, gap);
        self.span(builder, pitch)
    }

    /// Returns the number of rows if it may exceed 1, and the gap between rows in global memory. The device ignores the
    /// gap after a single row.
    fn beyond_one(&self, builder: &mut Builder) -> (Option<ScalarId>, ScalarId) {
        match self.count == builder.int(1) {
            true => (None, builder.int(0)),
            false => (Some(self.count), self.global_gap),
        }
    }

    fn span(&self, builder: &mut Builder, pitch: ScalarId) -> ScalarId {
        cube::extent(builder, self.count, pitch, self.length)
    }
}

/// Lowers `DataCopy(dst, src, count)`, `DataCopy(dst, src, DataCopyParams)`.
fn data_copy(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.end(0)), take!(cx.end(1)));
    for (end, other) in [(&dst, &src), (&src, &dst)] {
        if let (End::Global(tensor), End::Local(local)) = (end, other)
            && local.position(&cx.eval.builder) != Position::Ub
        {
            take!(cx.has_own_type(*tensor));
        }
    }
    // `DataCopy` is overloaded: copies to L1, to the bias table and from L0C are separate instructions.
    if let Some(lowered) = cube::copies::copy(cx, &dst, &src) {
        return lowered;
    }
    let is_count = cx
        .operand(2)
        .is_some_and(|it| matches!(it.ty.kind, Kind::Int(_)));
    if !is_count && cx.is_class(2, "Nd2NzParams") {
        lost!("a copy into the NZ layout is not followed");
    }
    let dtype = match (&dst, &src) {
        (End::Local(it), _) | (_, End::Local(it)) => it.dtype,
        _ => lost!("`DataCopy` does not move from global memory to global memory"),
    };
    let rows = match is_count {
        true => {
            let count = take!(cx.number(2));
            cx.one_row(count, dtype)
        }
        false => take!(cx.block_rows(2, dtype)),
    };
    match (dst, src) {
        (End::Local(dst), End::Global(src)) => load(cx, dst, src, &rows, Padding::default()),
        (End::Global(dst), End::Local(src)) => store(cx, dst, src, &rows),
        (End::Local(dst), End::Local(src)) => {
            let blocks = numbers::divided(cx.builder(), rows.length, dtype.c0());
            // Both gaps of a copy between on-chip tensors are local, so neither is the global gap of `Rows`.
            let [src_gap, dst_gap] = match is_count {
                true => [rows.local_gap, rows.local_gap],
                false => [
                    take!(cx.field(2, "srcStride")),
                    take!(cx.field(2, "dstStride")),
                ],
            };
            between(cx, dst, src, [rows.count, blocks, src_gap, dst_gap])
        }
        _ => lost!("`DataCopy` does not move from global memory to global memory"),
    }
}

/// Lowers `DataCopyPad(dst, src, DataCopyExtParams, DataCopyPadExtParams)`, `DataCopyPad(dst, src, DataCopyExtParams)`
/// and the forms with `DataCopyParams`: lengths and distances in global memory are bytes.
fn data_copy_pad(cx: &mut Cx<'_, '_, '_>) -> Lowered {
    let (dst, src) = (take!(cx.end(0)), take!(cx.end(1)));
    let dtype = match (&dst, &src) {
        (End::Local(it), _) | (_, End::Local(it)) => it.dtype,
        _ => lost!("`DataCopyPad` does not move from global memory to global memory"),
    };
    let count = take!(cx.field(2, "blockCount"));
    let bytes = take!(cx.field(2, "blockLen"));
    let (src_gap, dst_gap) = (
        take!(cx.field(2, "srcStride")),
        take!(cx.field(2, "dstStride")),
    );
    let is_load = matches!(src, End::Global(_));
    let (global, local) = if is_load {
        (src_gap, dst_gap)
    } else {
        (dst_gap, src_gap)
    };
    // The gap after a single row is ignored.
    let global_gap = match count == cx.builder().int(1) {
        true => numbers::of_bytes(cx.builder(), global, dtype),
        false => take!(cx.of_bytes("the gap between rows", global, dtype)),
    };
    let rows = Rows {
        count,
        // Unlike in `DataCopyParams`, the length and the gap in global memory are bytes here; the gap in UB is in
        // blocks.
        length: take!(cx.of_bytes("the length of a row", bytes, dtype)),
        global_gap,
        local_gap: local,
        asked: None,
    };
    match (dst, src) {
        (End::Local(dst), End::Global(src)) => {
            let pads = take!(cx.field(3, "isPad"));
            if let Some(pads) = numbers::known(&cx.eval.builder, pads) {
                let pad = take!(padding(cx, pads != 0));
                return load(cx, dst, src, &rows, pad);
            }
            let (with, without) = (take!(padding(cx, true)), take!(padding(cx, false)));
            take!(cx.either(pads, 3, |cx, pads| {
                load(cx, dst, src, &rows, if pads { with } else { without })
            }));
            Ok(Ok(()))
        }
        (End::Global(dst), End::Local(src)) => store(cx, dst, src, &rows),
        _ => lost!("`DataCopyPad` between tensors on the chip is not followed"),
    }
}

/// The padding around each row of a load.
#[derive(Clone, Copy, Debug, Default)]
struct Padding {
    /// The value that fills the margins and the rest of the last block.
    value: Option<ScalarId>,
    /// Numbers of padding elements before and after a row.
    margins: Option<[ScalarId; 2]>,
    /// Whether the first element of a row fills the rest of its last block.
    repeats_first: bool,
}

/// Returns the padding of each row that a call specifies.
fn padding(cx: &mut Cx<'_, '_, '_>, pads: bool) -> Lowered<Padding> {
    let margins = [
        take!(cx.field(3, "leftPadding")),
        take!(cx.field(3, "rightPadding")),
    ];
    let none = cx.builder().int(0);
    // Without margins, the plain form of the instruction is emitted, since its footprint is exact.
    let margins = Some(margins).filter(|it| *it != [none, none]);
    let value = match (pads, cx.core()?.pad_value) {
        (false, value) => value.filter(|_| margins.is_none()),
        _ => Some(take!(cx.field(3, "paddingValue"))),
    };
    Ok(Ok(Padding {
        value,
        margins,
        repeats_first: value.is_none() && margins.is_none(),
    }))
}

fn load(cx: &mut Cx<'_, '_, '_>, dst: Local, src: InGlobal, rows: &Rows, pad: Padding) -> Lowered {
    if dst.position(&cx.eval.builder) != Position::Ub {
        lost!("a load into this memory is not followed");
    }
    let (dst, src, rows, factor) = take!(as_stored(cx, dst, src, rows));
    let rows = &rows;
    let pad = match factor {
        None => pad,
        Some(factor) => take!(padding_of_bits(cx, pad, rows, factor)),
    };
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    let builder = cx.builder();
    let local = rows.local_span(builder, dst.dtype);
    let global = rows.global_span(builder);
    let (dst, src) = (
        dst.view(builder, Some(local), dst_site),
        src.view(builder, global, src_site),
    );
    let (count, global_gap) = rows.beyond_one(builder);
    let emission = cx
        .instruction(Opcode::GmToUbPad)
        .asked(rows.asked)
        .local("dst", dst)
        .view("src", View::Global(src))
        .number_if("n_burst", count, span)
        .number("burst_len_element", rows.length, span)
        .number("src_stride_element", global_gap, span)
        .number("dst_stride", rows.local_gap, span)
        .number_if("pad", pad.value, cx.span(3))
        .number_if("left_padding", pad.margins.map(|it| it[0]), cx.span(3))
        .number_if("right_padding", pad.margins.map(|it| it[1]), cx.span(3));
    let emission = match pad.repeats_first {
        true => emission.with(
            "pad_with_first",
            Argument::Number(a2lint_ir::Number::Int(1)),
            cx.span(3),
        ),
        false => emission,
    };
    cx.emit(emission)
}

/// Returns the ends and the rows of a move in elements of the parameter in global memory, which may hold elements of
/// several types: the same bytes. If it does, the last result is the number of its elements in one of the move.
fn as_stored(
    cx: &mut Cx<'_, '_, '_>,
    local: Local,
    global: InGlobal,
    rows: &Rows,
) -> Lowered<(Local, InGlobal, Rows, Option<i64>)> {
    let own = cx.builder().program.global(global.global).dtype;
    let own = own.unwrap_or(global.dtype);
    let mut all = *rows;
    if own == global.dtype {
        return Ok(Ok((local, global, all, None)));
    }
    if global.dtype != local.dtype || own.bits() < 8 || global.dtype.bits() % own.bits() != 0 {
        take!(cx.has_own_type(global));
    }
    let factor = global.dtype.bits() / own.bits();
    let builder = cx.builder();
    all.length = numbers::times(builder, rows.length, factor);
    all.global_gap = numbers::times(builder, rows.global_gap, factor);
    all.asked = rows
        .asked
        .map(|asked| numbers::times(builder, asked, factor));
    let global = InGlobal {
        offset: numbers::times(builder, global.offset, factor),
        size: numbers::times(builder, global.size, factor),
        dtype: own,
        ..global
    };
    Ok(Ok((
        local.reinterpreted(builder, own),
        global,
        all,
        Some(factor),
    )))
}

/// Returns the padding of a load in elements of another type, of which `factor` are one element of the load. Only zeros
/// are the same bits in all types.
fn padding_of_bits(
    cx: &mut Cx<'_, '_, '_>,
    pad: Padding,
    rows: &Rows,
    factor: i64,
) -> Lowered<Padding> {
    let builder = &mut cx.eval.builder;
    let zero = builder.int(0);
    let scalars = &builder.program.scalars;
    let is_zero = pad
        .value
        .is_none_or(|value| scalars.as_float(value).is_some_and(|it| it.to_bits() == 0));
    let length = numbers::known(builder, rows.length);
    // The parameter holds bytes where its elements differ in size.
    let is_whole = length.is_some_and(|length| length % BLOCK_BYTES == 0);
    if !is_zero || pad.repeats_first && factor > 1 && !is_whole {
        lost!("what fills the rows of a tensor with elements of several types is not followed");
    }
    let margins = pad.margins;
    Ok(Ok(Padding {
        value: pad.value.map(|_| zero),
        margins: margins.map(|margins| {
            margins.map(|margin| numbers::times(&mut cx.eval.builder, margin, factor))
        }),
        repeats_first: pad.repeats_first,
    }))
}

fn store(cx: &mut Cx<'_, '_, '_>, dst: InGlobal, src: Local, rows: &Rows) -> Lowered {
    if src.position(&cx.eval.builder) != Position::Ub {
        lost!("a store from this memory is not followed");
    }
    let dtype = src.dtype;
    let (src, dst, rows, factor) = take!(as_stored(cx, src, dst, rows));
    let rows = &rows;
    if factor.is_some() && take!(cx.atomic()).is_some() {
        take!(cx.has_own_type(InGlobal { dtype, ..dst }));
    }
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    let builder = cx.builder();
    let local = rows.local_span(builder, src.dtype);
    let global = rows.global_span(builder);
    let (dst, src) = (
        dst.view(builder, global, dst_site),
        src.view(builder, Some(local), src_site),
    );
    let (count, global_gap) = rows.beyond_one(builder);
    let emission = cx
        .instruction(Opcode::UbToGmPad)
        .asked(rows.asked)
        .view("dst", View::Global(dst))
        .local("src", src)
        .number_if("n_burst", count, span)
        .number("burst_len_element", rows.length, span)
        .number("src_stride", rows.local_gap, span)
        .number("dst_stride_element", global_gap, span);
    cx.store(emission, dtype)
}

/// Lowers a copy inside of UB: `count` rows of `blocks` blocks, with gaps of blocks between the rows.
fn between(
    cx: &mut Cx<'_, '_, '_>,
    dst: Local,
    src: Local,
    [count, blocks, src_gap, dst_gap]: [ScalarId; 4],
) -> Lowered {
    let is_on_ub = [dst, src]
        .into_iter()
        .all(|it| it.position(&cx.eval.builder) == Position::Ub);
    if !is_on_ub {
        lost!("a copy between these memories is not followed");
    }
    let (dst_site, src_site, span) = (cx.span(0), cx.span(1), cx.span(2));
    let builder = cx.builder();
    let in_block = dst.dtype.c0();
    let length = numbers::times(builder, blocks, in_block);
    let extent = |builder: &mut Builder, gap| {
        let rows = Rows {
            count,
            length,
            global_gap: gap,
            local_gap: gap,
            asked: None,
        };
        rows.local_span(builder, dst.dtype)
    };
    let (dst_span, src_span) = (extent(builder, dst_gap), extent(builder, src_gap));
    let (dst, src) = (
        dst.view(builder, Some(dst_span), dst_site),
        src.view(builder, Some(src_span), src_site),
    );
    let emission = cx
        .instruction(Opcode::UbToUb)
        .local("dst", dst)
        .local("src", src)
        .number("n_burst", count, span)
        .number("burst_len", blocks, span)
        .number("src_stride", src_gap, span)
        .number("dst_stride", dst_gap, span);
    cx.emit(emission)
}

/// Returns a scalar of the program as a value of a C++ type.
pub fn number_of(ty: &Ty, id: ScalarId) -> Option<Value> {
    match ty.kind {
        Kind::Int(of) => Some(Value::Int(of, IntValue::Scalar(id))),
        Kind::Float(of) => Some(Value::Float(of, FloatValue::Scalar(id))),
        _ => None,
    }
}
