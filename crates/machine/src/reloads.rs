//! Loads that fill less of their place than the same statement has filled before.
//!
//! What lies beside such a load is of an older tile: it is *stale*. Nothing is wrong with that as long
//! as no result depends on it, which a second run tells whose loads give stale bytes other values
//! ([`super::Disturb`]). Stale bytes that an instruction has overwritten with something else are
//! left alone; those that it has computed a new value of are stale still.

use super::access::Rows;
use super::loads::{Filled, Reload};
use super::memory::Memory;
use super::operation::Tile;
use super::setup::Disturb;
use super::station::Station;
use a2lint_isa::DType;

impl Station<'_, '_> {
    /// Notes what a load fills. Its accesses have been told, so that what it found and does not
    /// fill is left over from earlier ones.
    pub(super) fn reload(&mut self, tile: &Tile, filled: Filled, rows: &[Rows]) {
        let (stmt, lane) = (self.site.stmt, self.site.lane);
        let disturb = self.setup.options.disturb;
        let core = self.chip.core(lane.core);
        let place = core.place(tile.slot, lane, stmt, filled.start);
        if let Some(before) = core.loads.note(place, filled) {
            self.monitor.seen.add_reload(Reload {
                stmt,
                lane,
                iterations: self.site.iterations.to_vec(),
                extent: filled.extent,
                before,
            });
        }
        if disturb == Disturb::Nothing {
            return;
        }
        let leftovers = core.loads.leftovers(place, rows);
        if disturb.concerns(stmt) {
            let memory = core.memory_mut(tile.position, lane);
            for (start, end) in leftovers {
                change(memory, start as usize..end as usize, tile.dtype);
            }
        }
    }
}

/// Gives elements other values of about the same size: floats another sign and first digit, integers
/// another low bit. What is not finite stays.
fn change(memory: &mut Memory, range: std::ops::Range<usize>, dtype: DType) {
    let size = dtype.bytes_of(1).max(1) as usize;
    let (flip, exponent): (u64, u64) = match dtype {
        DType::Half => (0x8200, 0x7C00),
        DType::BFloat16 => (0x8040, 0x7F80),
        DType::Float => (0x8040_0000, 0x7F80_0000),
        // Offsets stay multiples of their elements.
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
