//! Contents of global tensors at the start of a run.
//!
//! Random values come from SplitMix64 and exact arithmetic alone, so they are the same on every
//! machine.

use half::{bf16, f16};

use std::ops::Range;

use super::bound::{BoundGlobal, Contents};
use super::memory::{Element, FRESH, Memory, MemoryImage};
use a2lint_ir::TensorInit;
use a2lint_isa::DType;

/// Bytes that are created together.
// As long as a page of the definedness shadow, which can then be marked as fully defined.
const PAGE: usize = 4096;

/// A global tensor whose contents are created on first access: a launch may pass gigabytes of which a run
/// reads little.
#[derive(Debug)]
pub struct Tensor {
    memory: Memory,
    /// The initial contents.
    source: Source,
    /// Which pages exist; empty if all do.
    present: Vec<bool>,
}

/// A global tensor at one instant.
#[derive(Clone, Debug)]
pub struct TensorImage {
    memory: MemoryImage,
    source: Source,
    present: Vec<bool>,
}

impl TensorImage {
    /// Calls `each` with an identifier of each page, and its size in bytes.
    pub(super) fn pages(&self, each: &mut dyn FnMut(usize, usize)) {
        self.memory.pages(each);
    }
}

/// The contents of a tensor before anything is stored to it.
#[derive(Clone, Debug)]
enum Source {
    /// All bytes are present.
    Given,
    /// All bytes are undefined.
    Fresh,
    /// All bytes are defined, with unknown values.
    Unknown,
    Generated {
        init: TensorInit,
        stream: u64,
        dtype: DType,
        elements: usize,
    },
}

impl Tensor {
    /// Creates a tensor at the start of a launch.
    pub fn of(global: &BoundGlobal) -> Tensor {
        let source = match &global.contents {
            Contents::Bytes(bytes) => {
                return Tensor {
                    memory: Memory::from_bytes(bytes.to_vec()),
                    source: Source::Given,
                    present: Vec::new(),
                };
            }
            Contents::Undefined | Contents::Generated(TensorInit::Empty, _) => Source::Fresh,
            &Contents::Generated(init, stream) => Source::Generated {
                init,
                stream,
                dtype: global.dtype,
                elements: global.shape.iter().product::<i64>() as usize,
            },
        };
        Tensor {
            memory: Memory::vacant(global.bytes),
            source,
            present: vec![false; global.bytes.div_ceil(PAGE)],
        }
    }

    /// Makes the tensor keep exact values beside its floats, and whom to blame for their errors if they are attributed.
    pub fn followed(mut self, is_attributed: bool) -> Tensor {
        self.memory = self.memory.followed(is_attributed);
        self
    }

    /// Returns its memory, of which only pages that were touched are valid.
    pub fn memory(&self) -> &Memory {
        &self.memory
    }

    /// Returns its memory mutably; only pages that were touched are valid.
    pub fn memory_mut(&mut self) -> &mut Memory {
        &mut self.memory
    }

    /// Creates the pages of a range of bytes, clipped to the tensor.
    pub fn touch(&mut self, range: Range<i64>) {
        let last = self.memory.capacity() as i64;
        let (start, end) = (range.start.clamp(0, last), range.end.clamp(0, last));
        if self.present.is_empty() || start >= end {
            return;
        }
        for page in start as usize / PAGE..=(end as usize - 1) / PAGE {
            if !std::mem::replace(&mut self.present[page], true) {
                self.create(page);
            }
        }
    }

    /// Marks all of the tensor as defined, with unknown contents. Returns the number of bytes that had to be
    /// marked.
    pub fn define(&mut self) -> u64 {
        if self.present.is_empty() {
            self.memory.set_defined(0..self.memory.capacity(), true);
            return self.memory.capacity() as u64;
        }
        let mut defined = 0;
        for page in 0..self.present.len() {
            if self.present[page] {
                let range = self.bytes_of(page);
                defined += range.len() as u64;
                self.memory.set_defined(range, true);
            }
        }
        // Pages that are created later have to be defined, too.
        if matches!(self.source, Source::Fresh) {
            self.source = Source::Unknown;
        }
        defined
    }

    /// Copies the contents; pages are shared with an earlier image where they are the same.
    pub(super) fn image(&self, before: Option<&TensorImage>) -> TensorImage {
        let is_there = |page: usize| self.present.get(page).is_none_or(|&is_there| is_there);
        let before = before.map(|before| &before.memory);
        TensorImage {
            memory: self.memory.image(before, is_there),
            source: self.source.clone(),
            present: self.present.clone(),
        }
    }

    /// Restores the contents of an image.
    pub(super) fn restore(&mut self, image: &TensorImage) {
        let present = std::mem::take(&mut self.present);
        let is_there = |page: usize| present.get(page).is_none_or(|&is_there| is_there);
        self.memory.restore(&image.memory, is_there);
        self.source.clone_from(&image.source);
        self.present.clone_from(&image.present);
    }

    /// Copies the bytes of a range, clipped to the tensor, from a copy of the same tensor.
    pub fn take_over(&mut self, copy: &Tensor, range: Range<i64>) {
        self.touch(range.clone());
        let last = self.memory.capacity() as i64;
        let (start, end) = (range.start.clamp(0, last), range.end.clamp(0, last));
        if start < end {
            let range = start as usize..end as usize;
            self.memory.copy_from(range.start, &copy.memory, range);
        }
    }

    /// Returns the memory with all pages created.
    pub fn complete(mut self) -> Memory {
        self.touch(0..self.memory.capacity() as i64);
        self.memory
    }

    /// Returns the memory as it is; pages that were never touched are not valid.
    pub fn incomplete(self) -> Memory {
        self.memory
    }

    fn bytes_of(&self, page: usize) -> Range<usize> {
        page * PAGE..((page + 1) * PAGE).min(self.memory.capacity())
    }

    fn create(&mut self, page: usize) {
        let range = self.bytes_of(page);
        match self.source {
            Source::Given => {}
            Source::Fresh => self.memory.bytes_mut(range).fill(FRESH),
            Source::Unknown => self.memory.set_defined(range, true),
            Source::Generated {
                init,
                stream,
                dtype,
                elements,
            } => {
                let element = |byte: usize| byte * 8 / dtype.bits() as usize;
                let values = element(range.start)..element(range.end).min(elements);
                let size = dtype.bytes_of(values.len() as i64) as usize;
                let range = range.start..range.start + size;
                let bytes = self.memory.bytes_mut(range.clone());
                generate_part(init, stream, dtype, values, bytes);
                self.memory.set_defined(range, true);
            }
        }
    }
}

/// Returns the bytes of `elements` generated values.
pub fn generate(init: TensorInit, stream: u64, dtype: DType, elements: usize) -> Vec<u8> {
    let mut bytes = vec![0; dtype.bytes_of(elements as i64) as usize];
    generate_part(init, stream, dtype, 0..elements, &mut bytes);
    bytes
}

/// Number of values that are generated before they are encoded together.
const BLOCK: usize = 512;

/// Writes a part of the values that are generated for a tensor; of packed ones it begins with an even
/// element.
fn generate_part(
    init: TensorInit,
    stream: u64,
    dtype: DType,
    elements: Range<usize>,
    bytes: &mut [u8],
) {
    let mut random = Random::new(stream);
    let draws = match init {
        TensorInit::Normal | TensorInit::NormalOf(..) | TensorInit::Computed | TensorInit::Any => {
            NORMAL_DRAWS
        }
        _ => 1,
    };
    // Skipping draws makes a value depend on its index alone, not on which page is created first.
    random.skip(draws * elements.start as u64);
    let mut values = elements.map(|index| match init {
        // Contents that code computes which is not evaluated: normal values take their place.
        TensorInit::Normal | TensorInit::Computed | TensorInit::Any => random.normal(),
        TensorInit::NormalOf(mean, deviation) => mean + deviation * random.normal(),
        TensorInit::Uniform => random.uniform(),
        TensorInit::UniformIn(low, high) => low + (high - low) * random.uniform(),
        TensorInit::Full(value) => value,
        TensorInit::Arange => index as f64,
        TensorInit::Steps(start, step) => start + step * index as f64,
        TensorInit::Integers(low, high) => random.integer(low, high) as f64,
        TensorInit::Empty => 0.0,
    });
    if dtype == DType::Int4 {
        // The element with the even index goes to the low nibble.
        for byte in bytes {
            let [low, high] = [0; 2].map(|_| values.next().unwrap_or(0.0) as i8 as u8);
            *byte = low & 15 | high << 4;
        }
        return;
    }
    let mut block = [0.0; BLOCK];
    for bytes in bytes.chunks_mut(dtype.bytes_of(BLOCK as i64) as usize) {
        for (place, value) in block.iter_mut().zip(&mut values) {
            *place = value;
        }
        write(dtype, &block, bytes);
    }
}

/// Appends a value in its element type, rounded to nearest or saturated; a 4-bit value takes a byte.
pub fn push(bytes: &mut Vec<u8>, dtype: DType, value: f64) {
    let start = bytes.len();
    bytes.resize(start + dtype.bytes_of(1) as usize, 0);
    write(dtype, &[value], &mut bytes[start..]);
}

/// Encodes values in an element type, rounded to nearest or saturated; 4-bit values take a byte each.
fn write(dtype: DType, values: &[f64], bytes: &mut [u8]) {
    match dtype {
        DType::Half => f16::encode_with(values, bytes, |value| f16::from_f32(value as f32)),
        DType::BFloat16 => bf16::encode_with(values, bytes, |value| bf16::from_f32(value as f32)),
        DType::Float => f32::encode_with(values, bytes, |value| value as f32),
        DType::Int => i32::encode_with(values, bytes, |value| value as i32),
        DType::Int8 | DType::Int4 => i8::encode_with(values, bytes, |value| value as i8),
        DType::Int16 => i16::encode_with(values, bytes, |value| value as i16),
        DType::Int64 => i64::encode_with(values, bytes, |value| value as i64),
        DType::UInt8 => u8::encode_with(values, bytes, |value| value as u8),
        DType::UInt16 => u16::encode_with(values, bytes, |value| value as u16),
        DType::UInt32 => u32::encode_with(values, bytes, |value| value as u32),
        DType::UInt64 => u64::encode_with(values, bytes, |value| value as u64),
        DType::Bool => u8::encode_with(values, bytes, |value| (value != 0.0).into()),
    }
}

/// Number of draws that a normal value takes.
const NORMAL_DRAWS: u64 = 3;

/// The generator SplitMix64.
#[derive(Clone, Debug)]
pub struct Random(u64);

/// The increment of its state.
// The golden ratio in 64 bits: all states are visited before one is repeated, as it is odd.
const STRIDE: u64 = 0x9E37_79B9_7F4A_7C15;

impl Random {
    /// Creates the generator of a stream.
    pub fn new(stream: u64) -> Random {
        // The factor spreads neighbouring stream numbers over all 64 bits of the state.
        Random(stream.wrapping_mul(0xD134_2543_DE82_EF95) ^ 0x0A2A_2A2A)
    }

    /// Skips draws.
    fn skip(&mut self, numbers: u64) {
        // The state is a counter, so any number of draws is skipped by one multiplication.
        self.0 = self.0.wrapping_add(STRIDE.wrapping_mul(numbers));
    }

    /// Returns the next 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STRIDE);
        // The constants are those of the published generator: users quote seeds, so the values must not change.
        let mut bits = self.0;
        bits = (bits ^ bits >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ bits >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ bits >> 31
    }

    /// Returns a uniform number in [0, 1), a multiple of 2⁻²⁴.
    fn uniform(&mut self) -> f64 {
        (self.next() >> 40) as f64 / f64::from(1 << 24)
    }

    /// Returns a value that is close to standard normal: a sum of twelve 16-bit uniforms has variance 1.
    fn normal(&mut self) -> f64 {
        // Two sums of six at once, each in 32 bits of their own.
        const EVEN: u64 = 0x0000_FFFF_0000_FFFF;
        let mut sums = 0;
        for _ in 0..NORMAL_DRAWS {
            let bits = self.next();
            sums += (bits & EVEN) + (bits >> 16 & EVEN);
        }
        let sum = (sums & 0xFFFF_FFFF) + (sums >> 32);
        // Half a step for each of the twelve draws moves it to the middle of its interval; 6 is the mean of
        // the sum.
        (sum as f64 + 6.0) / 65536.0 - 6.0
    }

    /// Returns a uniform integer in [low, high).
    fn integer(&mut self, low: i64, high: i64) -> i64 {
        let width = high.saturating_sub(low).max(1) as u64;
        low.wrapping_add((self.next() % width) as i64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn normal_values_have_mean_zero_and_variance_one() {
        let mut random = Random::new(7);
        let values: Vec<f64> = (0..20_000).map(|_| random.normal()).collect();
        let mean = values.iter().sum::<f64>() / 20_000.0;
        let variance = values.iter().map(|value| value * value).sum::<f64>() / 20_000.0;
        // Three to four standard errors of 20,000 values.
        assert!(mean.abs() < 0.03 && (variance - 1.0).abs() < 0.03);
    }

    #[test]
    fn touched_pages_equal_those_of_a_complete_tensor() {
        let inits = [
            TensorInit::Normal,
            TensorInit::NormalOf(1.0, 0.5),
            TensorInit::Uniform,
            TensorInit::Arange,
            TensorInit::Integers(-7, 8),
            TensorInit::Full(2.0),
        ];
        for (init, dtype) in inits.into_iter().flat_map(|init| {
            [
                DType::Float,
                DType::Half,
                DType::Int8,
                DType::Int4,
                DType::Int64,
            ]
            .map(|dtype| (init, dtype))
        }) {
            let elements = 40_001;
            let global = BoundGlobal {
                name: "x".to_owned(),
                dtype,
                shape: vec![elements],
                bytes: dtype.bytes_of(elements) as usize,
                contents: Contents::Generated(init, 3),
            };
            let whole = generate(init, 3, dtype, elements as usize);
            let mut tensor = Tensor::of(&global);
            // A byte of the second page first: values must not depend on the order of creation.
            tensor.touch(5000..5001);
            tensor.touch(-5..10);
            let memory = tensor.memory();
            assert!(memory.all_defined(0..2 * PAGE) && !memory.any_defined(2 * PAGE..3 * PAGE));
            assert_eq!(memory.bytes(PAGE..2 * PAGE), &whole[PAGE..2 * PAGE]);
            assert_eq!(tensor.complete(), Memory::from_bytes(whole));
        }
    }

    #[test]
    fn four_bit_integers_share_bytes() {
        assert_eq!(
            generate(TensorInit::Arange, 0, DType::Int4, 3),
            [0x10, 0x02]
        );
        assert_eq!(generate(TensorInit::Full(-1.0), 0, DType::Int4, 2), [0xFF]);
    }

    #[test]
    fn streams_differ_and_repeat() {
        let values = |stream| generate(TensorInit::Uniform, stream, DType::Float, 8);
        assert_eq!(values(1), values(1));
        assert_ne!(values(1), values(2));
    }
}
