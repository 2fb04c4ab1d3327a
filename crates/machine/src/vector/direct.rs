//! Float tiles of adjacent lanes, computed in one pass from memory to memory.
//!
//! Most instructions of a kernel are of this kind: whole tiles, no mask, everything defined. All others are
//! executed in chunks by the engine.

use pulp::{Arch, NullaryFnOnce};

use super::VectorFault;
use super::number::canonical;
use super::plan::Plan;
use crate::memory::Memory;
use a2lint_isa::DType;
use std::ops::Range;

impl Plan<'_> {
    /// Combines two sources of float arithmetic lane by lane; returns whether that was possible in one pass.
    pub(super) fn zip_directly(
        &self,
        memory: &mut Memory,
        f: impl Fn(f32, f32) -> f32,
    ) -> Result<bool, VectorFault> {
        let mut ranges: [Range<usize>; 3] = Default::default();
        for (operand, range) in ranges.iter_mut().enumerate() {
            let tensor = self.tensor(operand)?;
            let run = tensor.sweep.single_run();
            match run.and_then(|run| run.range(memory.capacity())) {
                Some(bytes) if tensor.dtype == DType::Float => *range = bytes,
                _ => return Ok(false),
            }
        }
        let [written, read @ ..] = ranges.clone();
        if !read.into_iter().all(|range| memory.all_defined(range)) {
            return Ok(false);
        }
        // Operands that overlap have to be executed repeat by repeat.
        let Some(lanes) = memory.disjoint_mut(ranges) else {
            return Ok(false);
        };
        let [dst, a, b] = lanes.map(|bytes| bytes.as_chunks_mut::<4>().0);
        Arch::new().dispatch(Pass { dst, a, b, f });
        memory.set_defined(written, true);
        Ok(true)
    }
}

/// One pass over two sources. Not a closure, for the same reason as the products of the cube unit
/// (`kernel.rs`).
struct Pass<'m, F> {
    dst: &'m mut [[u8; 4]],
    a: &'m [[u8; 4]],
    b: &'m [[u8; 4]],
    f: F,
}

impl<F: Fn(f32, f32) -> f32> NullaryFnOnce for Pass<'_, F> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        for ((dst, a), b) in self.dst.iter_mut().zip(self.a).zip(self.b) {
            let value = (self.f)(f32::from_le_bytes(*a), f32::from_le_bytes(*b));
            *dst = canonical(value).to_le_bytes();
        }
    }
}
