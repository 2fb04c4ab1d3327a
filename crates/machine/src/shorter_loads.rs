//! Loads that fill less of their place than the same statement has filled before.
//!
//! Bytes beside such a load belong to an older tile: they are *stale*. That is harmless as long as no result
//! depends on them, which is tested by a second run in which loads change stale bytes ([`super::PerturbedLoads`]).
//! Stale bytes that an instruction has overwritten with something else are left alone; a new value that it
//! has computed from them is still stale.

use super::access::Rows;
use super::loads::{Filled, Rest, ShorterLoad};
use super::memory::Memory;
use super::operation::Tile;
use super::setup::PerturbedLoads;
use super::unit_context::UnitContext;
use a2lint_isa::DType;

impl UnitContext<'_, '_> {
    /// Records what a load fills. Its accesses have been reported, so bytes of its destination that it does
    /// not fill are left over from earlier loads.
    pub(super) fn shorter_load(&mut self, tile: &Tile, filled: Filled, rows: &[Rows]) {
        let (stmt, lane) = (self.site.stmt, self.site.lane);
        let disturb = self.setup.options.disturb;
        let core = self.chip.core(lane.core);
        let first = self.setup.first_alike[stmt.index()];
        let place = core.place(tile.slot, lane, first, filled.start);
        let before = core.loads.note(place, filled);
        if let Some(before) = before {
            self.note_rest(filled.extent, Rest::Older(before));
        }
        if disturb == PerturbedLoads::Nothing {
            return;
        }
        let core = self.chip.core(lane.core);
        let leftovers = core.loads.leftovers(place, rows);
        if disturb.concerns(stmt, Rest::Older(filled.extent)) {
            let memory = core.memory_mut(tile.position, lane);
            for (start, end) in leftovers {
                change(memory, start as usize..end as usize, tile.dtype);
            }
        }
    }

    /// Records what is beside the data of the current load.
    pub(super) fn note_rest(&mut self, extent: [i64; 2], rest: Rest) {
        self.monitor.seen.add_shorter_load(ShorterLoad {
            stmt: self.site.stmt,
            lane: self.site.lane,
            iterations: self.site.iterations.to_vec(),
            extent,
            rest,
        });
    }
}

/// Changes elements to values of about the same magnitude: floats get another sign and leading digit,
/// integers another low bit. Values that are not finite stay.
fn change(memory: &mut Memory, range: std::ops::Range<usize>, dtype: DType) {
    let size = dtype.bytes_of(1).max(1) as usize;
    let (flip, exponent): (u64, u64) = match dtype {
        DType::Half => (0x8200, 0x7C00),
        DType::BFloat16 => (0x8040, 0x7F80),
        DType::Float => (0x8040_0000, 0x7F80_0000),
        // Offsets of gathers stay multiples of their element's size.
        _ if size >= 4 => (4, 0),
        _ => (1, 0),
    };
    for element in memory.bytes_mut(range).chunks_exact_mut(size) {
        let mut word = [0; 8];
        word[..size].copy_from_slice(element);
        let bits = u64::from_le_bytes(word);
        if exponent == 0 || bits & exponent != exponent {
            element.copy_from_slice(&(bits ^ flip).to_le_bytes()[..size]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changed_values_stay_finite_and_differ() {
        let values = [1.0_f32, 0.0, -1.75e38, f32::INFINITY];
        let mut memory = Memory::new(16);
        memory.write(0, &values);
        change(&mut memory, 0..16, DType::Float);
        let mut changed = [0.0_f32; 4];
        memory.read(0, &mut changed);
        assert_eq!((changed[0], changed[3]), (-1.5, f32::INFINITY));
        assert!(
            changed[..3]
                .iter()
                .zip(values)
                .all(|(new, old)| new.is_finite() && *new != old)
        );
    }
}
