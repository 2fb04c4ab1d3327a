//! Bitwise instructions. Their definedness is tracked per bit, not per lane: packed comparison masks are
//! combined through integer views, and the tail of one row must not affect its neighbours in the same lane.

use super::VectorFault;
use super::elementwise::{BOTH, ONE, each, pair};
use super::plan::Plan;
use super::shadow;
use crate::memory::Memory;
use a2lint_isa::{DST, Opcode, SRC, param};

/// A byte with its definedness, bit by bit.
#[derive(Clone, Copy)]
struct Bits {
    value: u8,
    defined: u8,
}

pub(super) fn execute(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    // Tracking single bits is slow, and needed only if some bit of a source is undefined.
    let sources = SRC..plan.call.operands.len();
    for index in sources {
        let sweep = plan.regular(index)?;
        if !shadow::all_defined(memory, &sweep, 0..sweep.repeats) {
            return bit_by_bit(plan, memory);
        }
    }
    match plan.call.opcode {
        Opcode::Vand => plan.map::<u32>(memory, BOTH, &|a, b, _| pair(a, b, |a, b| a & b)),
        Opcode::Vor => plan.map::<u32>(memory, BOTH, &|a, b, _| pair(a, b, |a, b| a | b)),
        _ => plan.map::<u32>(memory, ONE, &|a, _, _| each(a, |a: u32| !a)),
    }
}

fn bit_by_bit(plan: &Plan, memory: &mut Memory) -> Result<(), VectorFault> {
    let dst = plan.regular(DST)?;
    let first = plan.regular(SRC)?;
    let second = plan
        .sweep(param!(class Binary.src2))
        .copied()
        .unwrap_or(first);
    for repeat in 0..plan.repeats {
        let bytes = dst.live(repeat).iter().flat_map(|lane| {
            let addresses =
                [&dst, &first, &second].map(|sweep| sweep.address(repeat, lane) as usize);
            (0..dst.bits / 8).map(move |byte| addresses.map(|address| address + byte))
        });
        // All bytes of a repeat are read before any is written, since operands may overlap.
        let results: Vec<(usize, Bits)> = bytes
            .map(|[to, a, b]| {
                (
                    to,
                    combine(plan.call.opcode, Bits::at(memory, a), Bits::at(memory, b)),
                )
            })
            .collect();
        for (address, bits) in results {
            memory.put(address, bits.value);
            memory.set_defined_bits(address, bits.defined);
        }
    }
    Ok(())
}

/// Combines bits. A bit of a conjunction is defined if both sources are, or one is known to be 0; a bit of a
/// disjunction, if one is known to be 1.
fn combine(opcode: Opcode, a: Bits, b: Bits) -> Bits {
    let both = a.defined & b.defined;
    match opcode {
        Opcode::Vand => Bits {
            value: a.value & b.value,
            defined: both | a.defined & !a.value | b.defined & !b.value,
        },
        Opcode::Vor => Bits {
            value: a.value | b.value,
            defined: both | a.defined & a.value | b.defined & b.value,
        },
        _ => Bits {
            value: !a.value,
            defined: a.defined,
        },
    }
}

impl Bits {
    fn at(memory: &Memory, address: usize) -> Self {
        Bits {
            value: memory.get(address),
            defined: memory.defined_bits(address),
        }
    }
}
