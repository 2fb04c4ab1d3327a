//! Random instructions on random memories.

use a2lint::isa::{
    Class, CompareMode, DType, INSTRUCTIONS, Instruction, Opcode, Param, ParamKind, RoundMode,
    SelectMode, TypeRule, casts_from,
};
use a2lint::machine::{VectorCall, VectorLength, VectorOperand};
use proptest::prelude::*;

/// Size of the memory in bytes.
pub const CAPACITY: usize = 16 * 1024;
/// Size in bytes of the slot of an operand.
const SLOT: i64 = 4096;
/// Number of operands of the instruction that has most of them: a merge of four queues.
const MOST_OPERANDS: usize = 5;

/// Maximum number of bytes of offsets that a case reads.
const OFFSET_BYTES: i64 = 640 * 4;

/// An instruction with its memory and mask.
#[derive(Clone, Debug)]
pub struct Case {
    pub call: VectorCall,
    pub mask_words: (u64, u64),
    pub saturate: bool,
    pub undefined: Undefined,
    pub seed: u64,
}

/// Kinds of vector masks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MaskClass {
    Full,
    Empty,
    Prefix,
    /// Whole blocks are on or off.
    Blocks,
    Random,
}

impl MaskClass {
    pub const ALL: [MaskClass; 5] = [
        MaskClass::Full,
        MaskClass::Empty,
        MaskClass::Prefix,
        MaskClass::Blocks,
        MaskClass::Random,
    ];

    /// Makes the high and the low word from random ones.
    fn words(self, (high, low): (u64, u64)) -> (u64, u64) {
        let bytes = |word: u64| {
            (0..8)
                .map(|byte| ((word >> byte & 1) * 0xFF) << (byte * 8))
                .sum()
        };
        match self {
            MaskClass::Full => (u64::MAX, u64::MAX),
            MaskClass::Empty => (0, 0),
            MaskClass::Prefix if high % 2 == 0 => (0, u64::MAX >> (low % 64)),
            MaskClass::Prefix => (u64::MAX >> (low % 64), u64::MAX),
            MaskClass::Blocks => (bytes(high), bytes(low)),
            MaskClass::Random => (high, low),
        }
    }
}

/// Patterns of undefined memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Undefined {
    Nothing,
    Everything,
    /// The end of every 256 bytes is undefined, as after a partial load.
    Tails,
    Bytes,
    /// Single bits of some bytes are undefined, as in the results of packed comparisons.
    Bits,
}

const UNDEFINED: [Undefined; 6] = [
    Undefined::Nothing,
    Undefined::Nothing,
    Undefined::Everything,
    Undefined::Tails,
    Undefined::Bytes,
    Undefined::Bits,
];

/// Returns all vector instructions of a class, with every legal tuple of operand types.
pub fn variants(belongs: impl Fn(&Instruction) -> bool) -> Vec<(Opcode, Vec<DType>)> {
    let rows = INSTRUCTIONS.iter().filter(|row| belongs(row));
    rows.flat_map(|row| types(row).into_iter().map(|types| (row.opcode, types)))
        .collect()
}

fn types(row: &Instruction) -> Vec<Vec<DType>> {
    let operands = row.operands().count().min(MOST_OPERANDS);
    match row.types {
        TypeRule::Same(list) => list.iter().map(|&dtype| vec![dtype; operands]).collect(),
        TypeRule::Rows(rows) => rows
            .iter()
            .map(|row| row[..operands.min(row.len())].to_vec())
            .collect(),
        TypeRule::Cast => DType::ALL
            .iter()
            .flat_map(|&src| casts_from(src).map(move |dst| vec![dst, src]))
            .collect(),
        TypeRule::Equal | TypeRule::Any => vec![vec![DType::Half; operands]],
    }
}

/// The place of an operand.
#[derive(Clone, Copy, Debug)]
struct Place {
    kind: u8,
    jitter: i64,
    block_stride: i64,
    repeat_stride: i64,
}

fn place() -> impl Strategy<Value = Place> {
    let block_stride = prop_oneof![4 => Just(1), 1 => Just(0), 2 => 0..4_i64];
    let repeat_stride = prop_oneof![3 => Just(8), 1 => Just(0), 1 => Just(4), 3 => 0..17_i64];
    (0..32_u8, 0..SLOT, block_stride, repeat_stride).prop_map(
        |(kind, jitter, block_stride, repeat_stride)| Place {
            kind,
            jitter,
            block_stride,
            repeat_stride,
        },
    )
}

impl Place {
    /// Chooses the place: usually a slot of its own, aligned to a block; sometimes elsewhere, or the place of
    /// `first`.
    fn operand(self, index: usize, dtype: DType, first: Option<&VectorOperand>) -> VectorOperand {
        let size = (dtype.bits() / 8).max(1);
        let slot = match index as i64 * SLOT {
            slot if slot < CAPACITY as i64 => slot,
            // The fifth operand is short: it lies behind the first in its slot.
            _ => SLOT / 2,
        };
        let near = first.map_or(slot, |first| first.address);
        let own = VectorOperand {
            address: slot + self.jitter % 512 / 32 * 32,
            dtype,
            block_stride: self.block_stride,
            repeat_stride: self.repeat_stride,
        };
        match (self.kind, first) {
            (0..4, Some(first)) => VectorOperand { dtype, ..*first },
            (4..7, _) => VectorOperand {
                address: near + (self.jitter % 256 - 128) / size * size,
                ..own
            },
            (7, _) => VectorOperand {
                address: slot + self.jitter % 97,
                ..own
            },
            (8..10, _) => VectorOperand {
                address: slot + self.jitter % 256 / size * size,
                ..own
            },
            (10, _) => VectorOperand {
                address: CAPACITY as i64 - self.jitter % 1024,
                ..own
            },
            (11, _) => VectorOperand {
                address: self.jitter % 64 - 64,
                ..own
            },
            _ => own,
        }
    }
}

fn length(row: &'static Instruction, lanes: i64) -> impl Strategy<Value = VectorLength> {
    (0..8_u8, 0..6_i64, 0..3 * lanes, 0..=lanes).prop_map(move |(kind, repeats, count, live)| {
        let has = |kind| row.index_of(kind).is_some();
        match kind {
            0..2 if has(ParamKind::Count) => VectorLength::Count(count),
            2 if has(ParamKind::CountPerRepeat) => VectorLength::CountPerRepeat {
                repeats,
                lanes: live,
            },
            _ => VectorLength::Repeats(repeats),
        }
    })
}

fn scalar() -> impl Strategy<Value = f64> {
    let special = vec![
        0.0,
        -0.0,
        1.0,
        -2.0,
        0.5,
        1e-9,
        65520.0,
        -1e30,
        f64::INFINITY,
        f64::NAN,
        3.0e9,
    ];
    prop_oneof![
        4 => prop::sample::select(special),
        1 => -100.0..100.0,
        2 => (-9..9_i32).prop_map(f64::from),
    ]
}

/// Returns integer parameters that are legal for the instruction.
fn integers(row: &'static Instruction, dtype: DType, raw: &[i64; 5]) -> Vec<i64> {
    let count = row
        .params()
        .filter(|param: &&Param| param.kind == ParamKind::Integer)
        .count();
    let pick = |index: usize, range: i64| raw[index] % range;
    match (row.opcode, count) {
        (Opcode::ShiftLs | Opcode::ShiftRs, _) => vec![pick(0, dtype.bits() + 1)],
        (Opcode::Gather | Opcode::MaskedGather | Opcode::Scatter, _) => vec![pick(0, 3) * 32],
        (Opcode::GatherMask, _) => vec![pick(0, 8)],
        (Opcode::MergeSort4, _) => vec![pick(0, 20), pick(1, 4)],
        (Opcode::MergeSort2, _) => vec![pick(0, 60), pick(1, 60)],
        (Opcode::MergeQueues | Opcode::MergeUntil, _) => {
            vec![pick(0, 60), pick(1, 60), pick(2, 30), pick(3, 30)]
        }
        (Opcode::TransData, _) => {
            vec![
                pick(0, 4),
                pick(1, 5) * 16,
                pick(2, 5) * 16,
                pick(3, 17),
                pick(4, 17),
            ]
        }
        (_, 0) => vec![],
        _ => unreachable!("{} has integer parameters", row.name),
    }
}

/// Generates random cases of one instruction.
pub fn cases(opcode: Opcode, types: Vec<DType>, mask: MaskClass) -> impl Strategy<Value = Case> {
    let row = opcode.row();
    let narrowest = types.iter().map(|dtype| dtype.bits()).max().unwrap_or(32);
    let modes = (
        prop::sample::select(round_modes(&types)),
        prop::sample::select(&CompareMode::ALL[..]),
        prop::sample::select(&SelectMode::ALL[..]),
        any::<[bool; 2]>(),
        0..6_u8,
    );
    let words = any::<(u64, u64)>().prop_map(move |words| mask.words(words));
    (
        (
            prop::collection::vec(place(), MOST_OPERANDS),
            length(row, 2048 / narrowest),
            scalar(),
        ),
        (modes, 0..4_i64, prop::array::uniform5(0..1000_i64)),
        (words, prop::sample::select(&UNDEFINED[..]), any::<u64>()),
    )
        .prop_map(
            move |((places, length, scalar), (modes, stride, raw), (words, undefined, seed))| {
                let (round, compare, select, [flag, second], rare) = modes;
                let mut operands: Vec<Option<VectorOperand>> = vec![];
                for (index, (place, &dtype)) in places.iter().zip(&types).enumerate() {
                    let first = operands.first().cloned().flatten();
                    operands.push(Some(place.operand(index, dtype, first.as_ref())));
                }
                if opcode.row().class == Class::Select && rare == 0 {
                    operands.pop();
                }
                let call = VectorCall {
                    exactly: None,
                    opcode,
                    operands,
                    length,
                    scalar,
                    result_stride: stride,
                    round,
                    compare,
                    select,
                    step: (raw[1] - 500) as f64 / 8.0,
                    switch: flag,
                    integers: integers(row, types[0], &raw),
                };
                let saturate = second && rare < 3;
                Case {
                    call,
                    mask_words: words,
                    saturate,
                    undefined,
                    seed,
                }
            },
        )
}

/// Returns the rounding modes that a pair of types supports; rounding to odd is only for half.
fn round_modes(types: &[DType]) -> Vec<RoundMode> {
    let odd_is_legal = types[0].is_float() && types.get(1) != Some(&types[0]);
    let modes = RoundMode::ALL.iter().copied();
    modes
        .filter(|&mode| mode != RoundMode::Odd || odd_is_legal)
        .collect()
}

/// A pseudo-random generator for memory contents.
pub struct Noise(pub u64);

impl Noise {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn one_in(&mut self, times: u64) -> bool {
        self.next().is_multiple_of(times)
    }

    fn pick<T: Copy>(&mut self, from: &[T]) -> T {
        from[(self.next() % from.len() as u64) as usize]
    }

    /// Returns an interesting bit pattern of an element type.
    fn pattern(&mut self, dtype: DType) -> u64 {
        const SINGLES: [f32; 24] = [
            0.0,
            -0.0,
            1.0,
            -1.0,
            0.5,
            -0.5,
            1.5,
            2.5,
            -3.5,
            127.5,
            -128.5,
            255.5,
            32767.5,
            65504.0,
            65519.0,
            65520.0,
            -65536.0,
            6.0e-8,
            3.0e-8,
            1.0e-40,
            2147483647.0,
            -3.0e9,
            3.4e38,
            9.3e18,
        ];
        let random = self.next();
        let small = (random >> 32) as i32 % 1000;
        let float = |value: f32| match dtype {
            DType::Half => u64::from(half::f16::from_f32(value).to_bits()),
            DType::BFloat16 => u64::from(half::bf16::from_f32(value).to_bits()),
            _ => u64::from(value.to_bits()),
        };
        match (dtype.is_float(), random % 8) {
            (true, 0) => float(f32::NAN),
            (true, 1) => float(if random & 8 == 0 {
                f32::INFINITY
            } else {
                f32::NEG_INFINITY
            }),
            (true, 2 | 3) => float(self.pick(&SINGLES)),
            (true, 4) => float(small as f32 / 8.0),
            (true, 5) => float(1.0 + small as f32 / 4096.0),
            (false, 0 | 1) => small as u64,
            (false, 2) => self.pick(&[
                0x7FFF,
                0x8000,
                0x7FFF_FFFF,
                0x8000_0000,
                u64::MAX,
                1 << 63,
                1 << 24,
            ]),
            _ => random >> 8,
        }
    }
}

impl Case {
    /// Generates the memory: elements of the source's type, and offsets where offsets belong.
    pub fn bytes(&self) -> Vec<u8> {
        let mut noise = Noise(self.seed);
        let operands = self.call.operands.iter().flatten();
        let dtype = operands
            .clone()
            .nth(1)
            .or(operands.clone().next())
            .map(|operand| operand.dtype);
        let dtype = dtype
            .filter(|dtype| dtype.bits() >= 8)
            .unwrap_or(DType::Int8);
        let size = (dtype.bits() / 8) as usize;
        let mut bytes = vec![0; CAPACITY];
        for element in bytes.chunks_exact_mut(size) {
            element.copy_from_slice(&noise.pattern(dtype).to_le_bytes()[..size]);
        }
        if let (true, Some(Some(offsets))) = (self.has_offsets(), self.call.operands.get(2)) {
            self.place_offsets(offsets.address, &mut bytes, &mut noise);
        }
        bytes
    }

    fn has_offsets(&self) -> bool {
        matches!(
            self.call.opcode,
            Opcode::Gather | Opcode::MaskedGather | Opcode::GatherBlock | Opcode::Scatter
        )
    }

    fn place_offsets(&self, address: i64, bytes: &mut [u8], noise: &mut Noise) {
        let wild = noise.one_in(16);
        for index in 0..OFFSET_BYTES / 4 {
            let start = (address + index * 4).clamp(0, CAPACITY as i64 - 4) as usize;
            let limit = if wild && index % 100 == 7 {
                20_000
            } else {
                2000
            };
            let offset = (noise.next() % limit) as u32;
            bytes[start..start + 4].copy_from_slice(&offset.to_le_bytes());
        }
    }

    /// Generates the definedness of every bit.
    pub fn defined(&self) -> Vec<u8> {
        let mut noise = Noise(!self.seed);
        let tail = 128 + noise.next() as usize % 128;
        let mut byte = |index: usize| match self.undefined {
            Undefined::Nothing => 0xFF,
            Undefined::Everything => 0,
            Undefined::Tails => {
                if index % 256 < tail {
                    0xFF
                } else {
                    0
                }
            }
            Undefined::Bytes => {
                if noise.one_in(8) {
                    0
                } else {
                    0xFF
                }
            }
            Undefined::Bits => {
                if noise.one_in(4) {
                    noise.next() as u8
                } else {
                    0xFF
                }
            }
        };
        let mut defined: Vec<u8> = (0..CAPACITY).map(&mut byte).collect();
        if let (true, Some(Some(offsets))) = (self.has_offsets(), self.call.operands.get(2))
            && self.seed.is_multiple_of(2)
        {
            let at = |address: i64| address.clamp(0, CAPACITY as i64) as usize;
            defined[at(offsets.address)..at(offsets.address + OFFSET_BYTES)].fill(0xFF);
        }
        defined
    }
}
