//! Memories: bytes of a fixed capacity with a definedness shadow.
//!
//! On-chip memories and global tensors alike. Fresh memory is filled with `0xFF`, so it reads as
//! NaN or −1, and undefined. Definedness is kept per byte and, where packed
//! lanes mix in one byte, per bit; it moves with the data. Every range counts bytes from the start
//! of the memory and panics when it leaves the capacity: bounds are for the units to check, which
//! know the statement to blame.

mod definedness;
mod element;
mod exact;
mod image;
mod number;

use a2lint_isa::DType;
pub use definedness::Definedness;
pub use element::{Element, copy_array, copy_piece, decode, encode};
use exact::ExactValues;
pub use exact::Exactly;
pub use image::MemoryImage;
pub use number::number;
use std::ops::Range;

/// The value of every byte of fresh memory.
pub const FRESH: u8 = 0xFF;

/// Number of bytes that [`Memory::defined_window`] and [`Memory::assign_defined`] handle at once.
pub const WINDOW: usize = 64;

/// A memory: bytes, and flags for those that have been written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    bytes: Vec<u8>,
    defined: Definedness,
    /// The exact values of its floats, if they are tracked.
    exact: Option<Box<ExactValues>>,
}

/// The empty memory.
impl Default for Memory {
    fn default() -> Self {
        Memory::new(0)
    }
}

impl Memory {
    /// Creates a fresh, undefined memory of `capacity` bytes.
    pub fn new(capacity: usize) -> Self {
        Memory {
            bytes: vec![FRESH; capacity],
            defined: Definedness::new(capacity, false),
            exact: None,
        }
    }

    /// Creates an undefined memory of `capacity` bytes that takes no room before it is written to. Its bytes
    /// have no meaning yet: they are not [`FRESH`].
    pub fn vacant(capacity: usize) -> Self {
        Memory {
            // The allocator hands out zeroed pages without touching them.
            bytes: vec![0; capacity],
            defined: Definedness::new(capacity, false),
            exact: None,
        }
    }

    /// Creates a memory that holds exactly these bytes, all of them defined.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        let defined = Definedness::new(bytes.len(), true);
        Memory {
            bytes,
            defined,
            exact: None,
        }
    }

    /// Makes the memory track the exact values of its floats from now on, and whom to blame for their errors if they
    /// are attributed.
    pub fn followed(mut self, is_attributed: bool) -> Self {
        let capacity = self.capacity();
        self.exact = Some(Box::new(ExactValues::new(capacity, is_attributed)));
        self
    }

    /// Returns an empty memory of `capacity` bytes that is followed as this one is.
    pub fn of_kind(&self, capacity: usize) -> Memory {
        let memory = Memory::new(capacity);
        match &self.exact {
            Some(values) => memory.followed(values.are_attributed()),
            None => memory,
        }
    }

    /// Returns whether the memory tracks exact values.
    pub fn is_followed(&self) -> bool {
        self.exact.is_some()
    }

    /// Returns the exact value of the float at a byte address, or `None` if the float itself is exact as far
    /// as is known.
    pub fn exactly(&self, address: usize, dtype: DType) -> Option<Exactly> {
        let size = dtype.is_float().then(|| dtype.bytes_of(1) as usize)?;
        self.exact.as_ref()?.get(address, size)
    }

    /// Records the exact value of the float at a byte address, after it has been written.
    pub fn set_exactly(&mut self, address: usize, dtype: DType, exact: Option<Exactly>) {
        let Some(values) = &mut self.exact else {
            return;
        };
        let size = dtype.bytes_of(1) as usize;
        // Even without a new value: the float has been overwritten.
        values.forget(address..address + size);
        if let Some(exact) = exact.filter(|_| dtype.is_float()) {
            values.set(address, size, exact);
        }
    }

    /// Records the exact value of the float at a byte address right after it has been written, when no value
    /// is recorded for these bytes.
    pub fn note_exactly(&mut self, address: usize, dtype: DType, exact: Exactly) {
        if let Some(values) = self.exact.as_mut().filter(|_| dtype.is_float()) {
            values.set(address, dtype.bytes_of(1) as usize, exact);
        }
    }

    /// Records the exact values of adjacent floats from a byte address on, right after they have been written, where
    /// they are other ones and no values are recorded.
    pub fn note_all(&mut self, address: usize, dtype: DType, exact: &[f64], real: &[f64]) {
        if let Some(values) = self.exact.as_mut().filter(|_| dtype.is_float()) {
            values.set_all(address, dtype.bytes_of(1) as usize, exact, real);
        }
    }

    /// Replaces values by the exact ones that are recorded for the floats of a range.
    pub fn replace_by_exact(&self, range: Range<usize>, dtype: DType, values: &mut [f64]) {
        if let Some(exact) = self.exact.as_ref().filter(|_| dtype.is_float()) {
            exact.replace(range, dtype.bytes_of(1) as usize, values);
        }
    }

    /// Calls `each` with the index and the exact value of the floats of a range that have one.
    pub fn each_exactly(
        &self,
        range: Range<usize>,
        dtype: DType,
        each: &mut impl FnMut(usize, Exactly),
    ) {
        if let Some(values) = self.exact.as_ref().filter(|_| dtype.is_float()) {
            values.each(range, dtype.bytes_of(1) as usize, each);
        }
    }

    /// Returns whether some float of a range has an exact value of its own.
    pub fn holds_exact(&self, range: Range<usize>) -> bool {
        self.exact.as_ref().is_some_and(|values| values.any(range))
    }

    #[inline]
    fn forget_exact(&mut self, range: Range<usize>) {
        if let Some(values) = &mut self.exact {
            values.forget(range);
        }
    }

    /// Returns the size in bytes.
    pub fn capacity(&self) -> usize {
        self.bytes.len()
    }

    /// Returns the bytes of a range.
    pub fn bytes(&self, range: Range<usize>) -> &[u8] {
        &self.bytes[range]
    }

    /// Returns the bytes of a range mutably. Definedness stays as it is.
    pub fn bytes_mut(&mut self, range: Range<usize>) -> &mut [u8] {
        self.forget_exact(range.clone());
        &mut self.bytes[range]
    }

    /// Returns the bytes of several ranges mutably, or `None` if two of them overlap. Definedness stays as it
    /// is.
    pub fn disjoint_mut<const N: usize>(
        &mut self,
        ranges: [Range<usize>; N],
    ) -> Option<[&mut [u8]; N]> {
        ranges
            .iter()
            .for_each(|range| self.forget_exact(range.clone()));
        self.bytes.get_disjoint_mut(ranges).ok()
    }

    /// Returns the element at a byte address.
    pub fn get<T: Element>(&self, address: usize) -> T {
        T::from_bytes(&self.bytes[address..address + T::BYTES])
    }

    /// Changes the element at a byte address. Definedness stays as it is.
    pub fn put<T: Element>(&mut self, address: usize, value: T) {
        self.forget_exact(address..address + T::BYTES);
        value.to_bytes(&mut self.bytes[address..address + T::BYTES]);
    }

    /// Reads adjacent elements from a byte address on.
    pub fn read<T: Element>(&self, address: usize, out: &mut [T]) {
        decode(&self.bytes[address..address + out.len() * T::BYTES], out);
    }

    /// Writes adjacent elements from a byte address on. Definedness stays as it is.
    pub fn write<T: Element>(&mut self, address: usize, values: &[T]) {
        let end = address + values.len() * T::BYTES;
        self.forget_exact(address..end);
        encode(values, &mut self.bytes[address..end]);
    }

    /// Returns whether every byte of a range is defined; true for an empty one.
    pub fn all_defined(&self, range: Range<usize>) -> bool {
        self.defined.all(self.checked(range))
    }

    /// Returns whether any bit of a range is defined; false for an empty one.
    pub fn any_defined(&self, range: Range<usize>) -> bool {
        self.defined.any(self.checked(range))
    }

    /// Returns the number of bytes of a range that are defined in all their bits.
    pub fn count_defined(&self, range: Range<usize>) -> usize {
        self.defined.count(self.checked(range))
    }

    /// Returns the first byte of a range that is defined in all its bits or, with `defined` false, the first
    /// that is not.
    pub fn first(&self, range: Range<usize>, defined: bool) -> Option<usize> {
        self.defined.first(self.checked(range), defined)
    }

    /// Makes bytes fresh and undefined.
    pub fn make_fresh(&mut self, range: Range<usize>) {
        if !range.is_empty() {
            self.bytes_mut(range.clone()).fill(FRESH);
            self.set_defined(range, false);
        }
    }

    /// Marks every byte of a range as defined or undefined.
    pub fn set_defined(&mut self, range: Range<usize>, defined: bool) {
        let range = self.checked(range);
        self.defined.set(range, defined);
    }

    /// Returns the defined bits of the byte at `address`: `0xFF`, `0`, or a mixture if packed lanes of both
    /// kinds share the byte.
    pub fn defined_bits(&self, address: usize) -> u8 {
        self.defined.bits(address)
    }

    /// Sets the defined bits of the byte at `address`.
    pub fn set_defined_bits(&mut self, address: usize, bits: u8) {
        self.defined.set_bits(address, bits);
    }

    /// Returns the flags of the [`WINDOW`] bytes from `address` on, the first in the lowest bit; 0 past the
    /// end.
    pub fn defined_window(&self, address: usize) -> u64 {
        self.defined.window(address)
    }

    /// Sets the flag of each byte `address + i` whose bit `i` is set in `select` to bit `i` of `value`.
    pub fn assign_defined(&mut self, address: usize, select: u64, value: u64) {
        debug_assert!(select == 0 || address + select.ilog2() as usize <= self.capacity());
        self.defined.assign(address, select, value);
    }

    /// Copies the definedness of `range` in `source` to the bytes from `address` on.
    pub fn copy_defined_from(&mut self, address: usize, source: &Memory, range: Range<usize>) {
        let range = source.checked(range);
        self.checked(address..address + range.len());
        self.defined.copy_from(address, &source.defined, range);
    }

    /// Copies data and definedness of `range` in `source` to the bytes from `address` on.
    pub fn copy_from(&mut self, address: usize, source: &Memory, range: Range<usize>) {
        self.bytes[address..address + range.len()].copy_from_slice(&source.bytes[range.clone()]);
        self.copy_exact_from(address, source, range.clone());
        self.defined.copy_from(address, &source.defined, range);
    }

    /// Copies the exact values of the floats of `range` in `source`.
    #[inline]
    pub fn copy_exact_from(&mut self, address: usize, source: &Memory, range: Range<usize>) {
        match (&mut self.exact, &source.exact) {
            (Some(values), Some(source)) => values.copy_from(address, source, range),
            (Some(values), None) => values.forget(address..address + range.len()),
            (None, _) => {}
        }
    }

    /// Copies data and definedness of `range` to the bytes from `address` on; the two may overlap.
    pub fn copy_within(&mut self, range: Range<usize>, address: usize) {
        self.bytes.copy_within(range.clone(), address);
        if let Some(values) = &mut self.exact {
            values.copy_within(range.clone(), address);
        }
        self.defined.copy_within(range, address);
    }

    fn checked(&self, range: Range<usize>) -> Range<usize> {
        assert!(
            range.start <= range.end && range.end <= self.capacity(),
            "bytes {range:?} of a memory of {}",
            self.capacity()
        );
        range
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::f16;

    #[test]
    fn fresh_memory_reads_as_nan_and_is_undefined() {
        let memory = Memory::new(64);
        assert!(memory.get::<f32>(0).is_nan() && memory.get::<f16>(2).is_nan());
        assert_eq!(memory.get::<i32>(4), -1);
        assert!(!memory.any_defined(0..64));
    }

    #[test]
    fn elements_are_little_endian() {
        let mut memory = Memory::new(16);
        memory.write(1, &[0x0102_u16, 0x0304]);
        assert_eq!(memory.bytes(1..5), [2, 1, 4, 3]);
        let mut back = [0_u16; 2];
        memory.read(1, &mut back);
        assert_eq!(back, [0x0102, 0x0304]);
        memory.put(8, -2_i64);
        assert_eq!(memory.get::<i64>(8), -2);
    }

    #[test]
    fn copies_carry_definedness() {
        let mut source = Memory::from_bytes((0..100).collect());
        source.set_defined(10..20, false);
        source.set_defined_bits(30, 0x0F);
        let mut memory = Memory::new(200);
        memory.copy_from(3, &source, 5..95);
        assert_eq!(memory.bytes(3..5), [5, 6]);
        assert!(memory.all_defined(3..8) && !memory.any_defined(8..18));
        assert_eq!(memory.defined_bits(28), 0x0F);
        memory.copy_within(0..93, 80);
        assert_eq!(memory.bytes(83..85), [5, 6]);
        assert_eq!(memory.defined_bits(108), 0x0F);
    }
}
