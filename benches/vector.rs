//! Throughput of the vector unit on `[64, 128]` tiles, on a single thread, with tracking of defined bytes.

use a2lint::isa::{CompareMode, DType, Opcode, RoundMode, SelectMode};
use a2lint::machine::memory::Memory;
use a2lint::machine::vector::{VectorMask, execute};
use a2lint::machine::{VectorCall, VectorLength, VectorOperand};
use divan::Bencher;
use divan::counter::ItemsCount;

/// Number of elements of a tile.
const TILE: i64 = 64 * 128;
/// Number of bytes for a tile of floats.
const SLOT: i64 = TILE * 4;
const UB: usize = 192 * 1024;

fn main() {
    divan::main();
}

/// Creates a contiguous call whose operands are one slot each.
fn call(opcode: Opcode, operands: &[DType]) -> VectorCall {
    let widest = operands
        .iter()
        .map(|dtype| dtype.bits())
        .max()
        .unwrap_or(32);
    let operand = |(slot, &dtype): (usize, &DType)| {
        Some(VectorOperand {
            address: slot as i64 * SLOT,
            dtype,
            block_stride: 1,
            repeat_stride: 8 * dtype.bits() / widest,
        })
    };
    VectorCall {
        opcode,
        operands: operands.iter().enumerate().map(operand).collect(),
        length: VectorLength::Repeats(TILE * widest / 2048),
        scalar: 1.5,
        exactly: None,
        result_stride: 1,
        round: RoundMode::AwayFromZero,
        compare: CompareMode::Lt,
        select: SelectMode::TensorTensor,
        step: 0.0,
        switch: false,
        integers: vec![],
    }
}

/// Creates a memory of ones that is completely defined.
fn memory(dtype: DType) -> Memory {
    let pattern: &[u8] = match dtype {
        DType::Half => &[0x00, 0x3C],
        _ => &[0x00, 0x00, 0x80, 0x3F],
    };
    Memory::from_bytes(pattern.iter().copied().cycle().take(UB).collect())
}

fn run(bencher: Bencher, call: &VectorCall, mut memory: Memory, mut mask: VectorMask) {
    bencher
        .counter(ItemsCount::new(TILE as usize))
        .bench_local(|| execute(call, &mut memory, &mut mask, &mut |_| {}));
}

fn whole(bencher: Bencher, opcode: Opcode, operands: &[DType]) {
    let memory = memory(operands[operands.len() - 1]);
    run(
        bencher,
        &call(opcode, operands),
        memory,
        VectorMask::default(),
    );
}

#[divan::bench(args = [DType::Float, DType::Half, DType::Int])]
fn add(bencher: Bencher, dtype: &DType) {
    whole(bencher, Opcode::Add, &[*dtype; 3]);
}

#[divan::bench(args = [DType::Float, DType::Half])]
fn muls(bencher: Bencher, dtype: &DType) {
    whole(bencher, Opcode::Muls, &[*dtype; 2]);
}

#[divan::bench(args = [DType::Float, DType::Half])]
fn exp(bencher: Bencher, dtype: &DType) {
    whole(bencher, Opcode::Exp, &[*dtype; 2]);
}

const FLOAT_OPCODES: &[Opcode] = &[
    Opcode::Ln,
    Opcode::Div,
    Opcode::Vmax,
    Opcode::Rsqrt,
    Opcode::Cadd,
    Opcode::Cmax,
];

#[divan::bench(args = FLOAT_OPCODES)]
fn float(bencher: Bencher, opcode: &Opcode) {
    let sources = 1 + opcode.row().operands().count().saturating_sub(2);
    whole(bencher, *opcode, &vec![DType::Float; 1 + sources]);
}

/// Pairs of destination and source type.
const CASTS: &[(DType, DType)] = &[
    (DType::Half, DType::Float),
    (DType::Float, DType::Half),
    (DType::Int, DType::Float),
];

#[divan::bench(args = CASTS)]
fn cast(bencher: Bencher, pair: &(DType, DType)) {
    whole(bencher, Opcode::Cast, &[pair.0, pair.1]);
}

#[divan::bench]
fn compare_scalar(bencher: Bencher) {
    whole(
        bencher,
        Opcode::CompareScalar,
        &[DType::UInt8, DType::Float],
    );
}

#[divan::bench]
fn select(bencher: Bencher) {
    let operands = [DType::Float, DType::UInt8, DType::Float, DType::Float];
    whole(bencher, Opcode::Select, &operands);
}

/// A scalar per row, broadcast over the row with block stride 0.
#[divan::bench]
fn sub_row_broadcast(bencher: Bencher) {
    let mut call = call(Opcode::Sub, &[DType::Float; 3]);
    if let Some(operand) = &mut call.operands[2] {
        (operand.block_stride, operand.repeat_stride) = (0, 1);
    }
    run(bencher, &call, memory(DType::Float), VectorMask::default());
}

#[divan::bench]
fn add_under_a_partial_mask(bencher: Bencher) {
    let mut mask = VectorMask::default();
    mask.set_mask(0, 0x0000_FFFF_FFFF_FFFF);
    run(
        bencher,
        &call(Opcode::Add, &[DType::Float; 3]),
        memory(DType::Float),
        mask,
    );
}

/// The last eight columns of every row are undefined, as after a partial load.
#[divan::bench]
fn add_after_a_partial_load(bencher: Bencher) {
    let mut memory = memory(DType::Float);
    for row in 0..UB / 512 {
        memory.set_defined(row * 512 + 480..(row + 1) * 512, false);
    }
    let call = call(Opcode::Add, &[DType::Float; 3]);
    run(bencher, &call, memory, VectorMask::default());
}
