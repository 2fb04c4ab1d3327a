//! The lanes that take part in an instruction: counts, masks of a call, and the mask register.

use a2lint_cpp::eval::{IntType, Pointer, Value};
use a2lint_cpp::library::Evaluated;
use a2lint_ir::{LaneFault, NoteKind, ScalarId};
use a2lint_isa::{DType, Opcode};

use crate::cx::{Cx, Lowered, follows, lost, take};
use crate::emission::Emission;
use crate::numbers;
use crate::objects::Mask;

/// The number of bits of the mask register.
const ALL_LANES: i64 = 128;

/// The lanes that take part in a call.
#[derive(Clone, Copy, Debug)]
pub enum Lanes {
    /// This number of contiguous elements.
    Count(ScalarId),
    /// Repeats with strides, under the mask register.
    Set,
    /// Repeats with strides; only this many first lanes of each repeat are active.
    First(ScalarId),
}
/// Returns whether a form with a mask sets it, by its last template argument.
pub(super) fn sets_mask(cx: &Cx<'_, '_, '_>) -> bool {
    // `isSetMask` is the last template argument of every form that has it, and defaults to true.
    let last = cx.call.template.len().wrapping_sub(1);
    cx.template_int(last) != Some(0)
}

impl Cx<'_, '_, '_> {
    /// Returns the two words of a mask that is passed as an array.
    pub(super) fn words(&mut self, at: usize, is_wide: bool) -> Lowered<[ScalarId; 2]> {
        let value = self.value(at)?;
        let Value::Pointer(Pointer::To(_)) = value else {
            lost!("the mask of `{}` is not known", self.call.name);
        };
        let mut words = Vec::new();
        for index in 0..2 {
            let word = match self.eval.element_at(&value, index)? {
                Some(cell) => self.eval.read(cell)?,
                // For 32-bit lanes, a mask has only one word.
                None if index == 1 && is_wide => Value::int(IntType::UnsignedLong, 0),
                None => Value::Unknown,
            };
            match word {
                Value::Int(..) => words.push(self.eval.scalar(&word)),
                _ => lost!("the mask of `{}` is not known", self.call.name),
            }
        }
        Ok(Ok([words[0], words[1]]))
    }

    /// Returns the lanes of a call whose mask is argument `at`, for elements of `dtype`, and records the mask that the
    /// call leaves set. If it sets no mask (`sets_mask`), the lanes are those of the mask register.
    pub(super) fn lanes(&mut self, at: usize, dtype: DType, sets_mask: bool) -> Lowered<Lanes> {
        let mut core = self.core()?;
        if !sets_mask {
            return self.lanes_of_register(dtype);
        }
        if self.is_array(at) {
            let wide = dtype.bits() >= 32;
            let [low, high] = take!(self.words(at, wide));
            let bits = |cx: &Self, id| cx.eval.builder.program.scalars.as_word(id);
            let known = bits(self, low).zip(match wide {
                true => Some(0),
                false => bits(self, high),
            });
            // A mask of the first lanes becomes a count argument of the instruction, which all analyses handle exactly.
            if let Some(lanes) = known.and_then(|(low, high)| prefix(low, high)) {
                let lanes = self.builder().int(lanes);
                core.mask = self.mask_of_words(high, low);
                // In the program, an instruction with a count resets the register; the API leaves its mask set.
                core.register = Mask::All;
                self.set_core(core)?;
                return Ok(Ok(Lanes::First(lanes)));
            }
            core.mask = self.mask_of_words(high, low);
            self.set_core(core)?;
            return self.lanes_of_register(dtype);
        }
        let lanes = take!(self.number(at));
        // In counter mode the argument is the total number of elements, not a number of lanes per repeat.
        if core.counts {
            core.mask = Mask::Count(lanes);
            self.set_core(core)?;
            return Ok(Ok(Lanes::Count(lanes)));
        }
        core.mask = self.mask_of_lanes(lanes);
        core.register = Mask::All;
        self.set_core(core)?;
        // A repeat has no more lanes; the device treats a larger number as all of them.
        let most = dtype.lanes();
        let lanes = match numbers::known(&self.eval.builder, lanes) {
            Some(known) if known > most => {
                let fault = LaneFault::TooMany {
                    asked: known,
                    lanes: most,
                };
                self.note_lanes(fault);
                self.builder().int(most)
            }
            _ => lanes,
        };
        Ok(Ok(Lanes::First(lanes)))
    }

    /// Reports an argument for lanes that is ignored in part or entirely.
    pub(super) fn note_lanes(&mut self, fault: LaneFault) {
        let span = self.call.span;
        self.builder().note(span, NoteKind::Lanes(fault));
    }

    /// Reports a call in counter mode whose repeats (argument `at`) cover more elements than its mask counts.
    pub(super) fn note_counted(&mut self, lanes: Lanes, at: usize, dtype: DType) -> Lowered {
        let Lanes::Count(count) = lanes else {
            return Ok(Ok(()));
        };
        let repeats = take!(self.number(at));
        let known = |cx: &Self, id| numbers::known(&cx.eval.builder, id);
        if let (Some(elements), Some(repeats)) = (known(self, count), known(self, repeats))
            && repeats > 1
            && elements < repeats.saturating_mul(dtype.lanes())
        {
            self.note_lanes(LaneFault::Counted {
                elements,
                repeats,
                lanes: dtype.lanes(),
            });
        }
        Ok(Ok(()))
    }

    /// Returns the lanes of a form that leaves the mask register as it is, for elements of `dtype`.
    pub(super) fn lanes_of_register(&mut self, dtype: DType) -> Lowered<Lanes> {
        let mut core = self.core()?;
        if core.counts {
            return match core.mask {
                Mask::Count(count) => Ok(Ok(Lanes::Count(count))),
                _ => lost!("how many elements counter mode has is not known"),
            };
        }
        if let Mask::Lanes(lanes) = core.mask
            && core.mask != core.register
            && self.words_of(lanes).is_none()
        {
            // The words of a mask whose length the launch gives are not computed: the instruction counts its lanes.
            core.register = Mask::All;
            self.set_core(core)?;
            let most = self.builder().int(dtype.lanes());
            let lanes = numbers::smaller(self.builder(), lanes, most);
            return Ok(Ok(Lanes::First(lanes)));
        }
        take!(self.set_register());
        Ok(Ok(Lanes::Set))
    }

    /// Makes the mask of the program what the API has it be.
    pub fn set_register(&mut self) -> Lowered {
        let mut core = self.core()?;
        if core.mask == Mask::Unknown {
            follows!("the mask that an earlier call left is not known");
        }
        // Most calls use the mask that is already set: emitting it again would only lengthen programs.
        if core.mask == core.register {
            return Ok(Ok(()));
        }
        let span = self.call.span;
        if core.mask == Mask::Inherited {
            // The simulator starts with all lanes on; the rule for this note reports that a device may not.
            self.builder().note(span, NoteKind::MaskInherited);
            return Ok(Ok(()));
        }
        let emission = match core.mask {
            Mask::All => self.instruction(Opcode::ResetMask),
            Mask::Words(high, low) => self
                .instruction(Opcode::SetMask)
                .number("mask_high", high, span)
                .number("mask_low", low, span),
            // `SetVectorMask(length)` sets two words, which can be computed only for a constant length.
            Mask::Lanes(lanes) => {
                let Some([high, low]) = self.words_of(lanes) else {
                    follows!("the mask that an earlier call left is not known");
                };
                self.instruction(Opcode::SetMask)
                    .number("mask_high", high, span)
                    .number("mask_low", low, span)
            }
            Mask::Count(_) | Mask::Inherited | Mask::Unknown => {
                follows!("the mask that an earlier call left is not known")
            }
        };
        take!(self.emit(emission));
        core.register = core.mask.clone();
        self.set_core(core)?;
        Ok(Ok(()))
    }

    /// Returns the mask of two words: masks that are written in different ways are the same one.
    pub fn mask_of_words(&mut self, high: ScalarId, low: ScalarId) -> Mask {
        let scalars = &self.eval.builder.program.scalars;
        let words = scalars.as_word(low).zip(scalars.as_word(high));
        match words.and_then(|(low, high)| prefix(low, high)) {
            Some(lanes) => {
                let lanes = self.builder().int(lanes);
                self.mask_of_lanes(lanes)
            }
            None => Mask::Words(high, low),
        }
    }

    /// Returns the mask whose first `lanes` lanes are on.
    pub fn mask_of_lanes(&self, lanes: ScalarId) -> Mask {
        match numbers::known(&self.eval.builder, lanes) {
            Some(ALL_LANES..) => Mask::All,
            _ => Mask::Lanes(lanes),
        }
    }

    /// Returns the words of a mask whose first `lanes` lanes are on.
    fn words_of(&mut self, lanes: ScalarId) -> Option<[ScalarId; 2]> {
        let lanes = numbers::known(&self.eval.builder, lanes)?;
        let word = |lanes: i64| match lanes {
            ..=0 => 0,
            64.. => i128::from(u64::MAX),
            _ => (1_i128 << lanes) - 1,
        };
        let scalars = &mut self.eval.builder.program.scalars;
        Some([scalars.whole(word(lanes - 64)), scalars.whole(word(lanes))])
    }

    /// Models the mask after a call with a count: all lanes on, in normal mode.
    pub fn after_count(&mut self) -> Evaluated<()> {
        let mut core = self.core()?;
        core.counts = false;
        core.mask = Mask::All;
        core.register = Mask::All;
        self.set_core(core)
    }

    /// Adds what a form says of lanes to an instruction whose row has both ways to say it.
    pub(super) fn with_lanes(&mut self, emission: Emission, lanes: Lanes, at: usize) -> Emission {
        let span = self.span(at);
        match lanes {
            Lanes::Count(count) => emission.number("count", count, span),
            Lanes::First(lanes) => emission.number("count_per_rep", lanes, span),
            Lanes::Set => emission,
        }
    }
}

/// Returns the number of active lanes of a mask whose first lanes are on and no others; `None` for other masks.
fn prefix(low: u64, high: u64) -> Option<i64> {
    let bits = u128::from(low) | u128::from(high) << 64;
    let lanes = bits.trailing_ones();
    (bits.count_ones() == lanes && lanes > 0).then_some(i64::from(lanes))
}
