//! A deliberately naive vector unit that processes one bit, one lane, one repeat at a time.
//!
//! It is written from the public contract of the vector mask and of vector instructions, and shares only the data
//! types of a call with the unit under test.

mod indexed;
mod lane;
mod total;

use super::numbers::{Value, decode, encode, to_whole};
use a2lint::isa::{DType, Opcode, RoundMode, SelectMode};
use a2lint::machine::vector::VectorEvent;
use a2lint::machine::{VectorCall, VectorLength, VectorOperand};
use lane::{extreme, float, holds, scalar_mode, shift};
use std::collections::BTreeSet;

/// A UB with a definedness flag per bit, and the 256 mask slots.
#[derive(Clone)]
pub struct Model {
    pub bytes: Vec<u8>,
    pub defined: Vec<u8>,
    pub mask: [bool; 256],
    pub saturate: bool,
    /// Computes e^x and ln x of an element, as the unit under test does.
    pub elementary: fn(Opcode, DType, u64) -> u64,
}

/// The accesses and events of an instruction.
#[derive(Default)]
pub struct Trace {
    /// The accessed bytes of each operand.
    pub touched: [BTreeSet<i64>; 5],
    /// For each operand, whether any of the read bits was defined; `None` if nothing was read.
    read: [Option<bool>; 5],
    pub events: Vec<VectorEvent>,
    pub out_of_bounds: bool,
}

/// The execution of one instruction.
struct Run<'a> {
    call: &'a VectorCall,
    model: &'a mut Model,
    start: Model,
    trace: Trace,
}

/// The value of a lane, and whether it is defined.
type Bit = (u64, bool);

/// Executes one instruction, if all of its accesses are inside of the memory.
pub fn execute(call: &VectorCall, model: &mut Model) -> Trace {
    let mut after = model.clone();
    let mut run = Run {
        call,
        model: &mut after,
        start: model.clone(),
        trace: Trace::default(),
    };
    run.dispatch();
    run.report_undefined();
    let trace = run.trace;
    if !trace.out_of_bounds {
        if !matches!(call.length, VectorLength::Repeats(_)) {
            after.mask = [true; 256];
        }
        *model = after;
    }
    trace
}

impl Run<'_> {
    fn dispatch(&mut self) {
        use Opcode::*;
        match self.call.opcode {
            Cadd | Cmax | Cmin => self.reduce(self.lanes()),
            Cgadd | Cgmax | Cgmin => self.reduce(self.lanes() / 8),
            Cpadd => self.reduce(2),
            CmaxIndex | CminIndex | CmaxWhere | CminWhere => self.reduce_index(),
            ReduceSum | ReduceMax | ReduceMin | ReduceMaxIndex | ReduceMinIndex => {
                self.reduce_all();
            }
            VecIndex => self.sequence(),
            GatherMask => self.compact(),
            Vand | Vor | Vnot => self.bitwise(),
            Brcb => self.broadcast(),
            Compare | CompareScalar => self.compare(),
            Select | MaskedSelect => self.select(),
            Gather | MaskedGather => self.gather(),
            GatherBlock => self.gather_block(),
            Scatter => self.scatter(),
            Sort32 => self.sort(),
            MergeSort4 => self.merge_four(),
            MergeSort2 => self.merge_queues(),
            MergeQueues => self.merge_queues(),
            MergeUntil => self.merge_until(),
            TransData => self.transpose(),
            _ => self.elementwise(),
        }
    }

    // Shape.

    fn operand(&self, index: usize) -> VectorOperand {
        self.call.operands[index].unwrap()
    }

    fn bits(&self, index: usize) -> i64 {
        self.operand(index).dtype.bits()
    }

    /// Returns the number of lanes of a repeat.
    fn lanes(&self) -> i64 {
        use Opcode::*;
        let widest = match self.call.opcode {
            Cast | Axpy | MulAddDst => self.bits(0).max(self.bits(1)),
            Compare | CompareScalar | Scatter | CmaxWhere | CminWhere => self.bits(1),
            _ => self.bits(0),
        };
        2048 / widest
    }

    fn repeats(&self) -> i64 {
        match self.call.length {
            VectorLength::Repeats(repeats) => repeats,
            VectorLength::CountPerRepeat { repeats, .. } => repeats,
            VectorLength::Count(count) => (count + self.lanes() - 1) / self.lanes(),
        }
    }

    fn live(&self, repeat: i64, lane: i64) -> bool {
        match self.call.length {
            VectorLength::Repeats(_) => self.model.mask[lane as usize],
            VectorLength::CountPerRepeat { lanes, .. } => lane < lanes,
            VectorLength::Count(count) => repeat * self.lanes() + lane < count,
        }
    }

    /// The lanes of a repeat that an instruction works on.
    fn obeyed(&self, repeat: i64) -> Vec<i64> {
        let obeys = self.call.opcode.row().mask.consumes();
        let lanes = (0..self.lanes()).filter(|&lane| !obeys || self.live(repeat, lane));
        lanes.collect()
    }

    /// Bit address of a lane under the strides of the operand.
    fn lane(&self, index: usize, repeat: i64, lane: i64) -> i64 {
        let operand = self.operand(index);
        let bits = operand.dtype.bits();
        let c0 = 256 / bits;
        let block_stride = match self.call.opcode {
            Opcode::Gather
            | Opcode::MaskedGather
            | Opcode::Scatter
            | Opcode::VecIndex
            | Opcode::ReduceSum
            | Opcode::ReduceMax
            | Opcode::ReduceMin
            | Opcode::ReduceMaxIndex
            | Opcode::ReduceMinIndex => 1,
            Opcode::Brcb => operand.block_stride.max(1),
            _ => operand.block_stride,
        };
        let element = match self.call.length {
            VectorLength::Count(_) => repeat * self.lanes() + lane,
            _ => (repeat * operand.repeat_stride + lane / c0 * block_stride) * c0 + lane % c0,
        };
        operand.address * 8 + element * bits
    }

    /// Returns the bit address of an element of a contiguous operand.
    fn element(&self, index: usize, element: i64) -> i64 {
        self.operand(index).address * 8 + element * self.bits(index)
    }

    // Memory.

    fn inside(&mut self, index: usize, at: i64, width: i64) -> bool {
        self.trace.touched[index].extend(at.div_euclid(8)..=(at + width - 1).div_euclid(8));
        let inside = at >= 0 && at + width <= self.model.bytes.len() as i64 * 8;
        self.trace.out_of_bounds |= !inside;
        inside
    }

    /// Reads a lane, and whether all of its bits are defined.
    fn read(&mut self, index: usize, at: i64, width: i64) -> Bit {
        if !self.inside(index, at, width) {
            return (0, false);
        }
        let gathered = index == 1
            && matches!(
                self.call.opcode,
                Opcode::Gather | Opcode::MaskedGather | Opcode::GatherBlock
            );
        let (mut value, mut all) = (0, true);
        for bit in 0..width {
            let (byte, shift) = (((at + bit) / 8) as usize, (at + bit) % 8);
            value |= u64::from(self.model.bytes[byte] >> shift & 1) << bit;
            all &= self.model.defined[byte] >> shift & 1 == 1;
            let seen = if gathered { &*self.model } else { &self.start };
            let defined = seen.defined[byte] >> shift & 1 == 1;
            let any = &mut self.trace.read[index];
            *any = Some(any.unwrap_or(false) | defined);
        }
        (value, all)
    }

    fn write(&mut self, index: usize, at: i64, width: i64, (value, defined): Bit) {
        if !self.inside(index, at, width) {
            return;
        }
        for bit in 0..width {
            let (byte, shift) = (((at + bit) / 8) as usize, (at + bit) % 8);
            let put =
                |byte: &mut u8, bit: bool| *byte = *byte & !(1 << shift) | u8::from(bit) << shift;
            put(&mut self.model.bytes[byte], value >> bit & 1 == 1);
            put(&mut self.model.defined[byte], defined);
        }
    }

    fn write_all(&mut self, width: i64, lanes: Vec<(i64, Bit)>) {
        for (at, lane) in lanes {
            self.write(0, at, width, lane);
        }
    }

    fn report_undefined(&mut self) {
        for operand in 0..self.call.operands.len() {
            if self.trace.read[operand] == Some(false) {
                self.trace.events.push(VectorEvent::Undefined { operand });
            }
        }
    }

    // Pattern A.

    fn elementwise(&mut self) {
        use Opcode::*;
        let sources: &[usize] = match self.call.opcode {
            Dup => &[],
            MulAddDst | MulAdd | MulAddRelu => &[0, 1, 2],
            Axpy => &[0, 1],
            _ if self.call.operands.len() == 3 => &[1, 2],
            _ => &[1],
        };
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for lane in (0..self.lanes())
                .filter(|&lane| self.live(repeat, lane))
                .collect::<Vec<_>>()
            {
                let mut patterns = vec![];
                let mut defined = true;
                for &source in sources {
                    let at = self.lane(source, repeat, lane);
                    let (pattern, known) = self.read(source, at, self.bits(source));
                    patterns.push(pattern);
                    defined &= known;
                }
                results.push((
                    self.lane(0, repeat, lane),
                    (self.compute(&patterns), defined),
                ));
            }
            self.write_all(self.bits(0), results);
        }
    }

    fn compute(&self, patterns: &[u64]) -> u64 {
        use Opcode::*;
        let dtype = self.operand(0).dtype;
        let source = self
            .call
            .operands
            .get(1)
            .map_or(dtype, |operand| operand.unwrap().dtype);
        match self.call.opcode {
            Dup => encode(
                dtype,
                Value::Float(self.call.scalar),
                scalar_mode(dtype),
                false,
            ),
            Exp | Ln => {
                let pattern = (self.model.elementary)(self.call.opcode, dtype, patterns[0]);
                encode(
                    dtype,
                    decode(dtype, pattern),
                    RoundMode::ToEven,
                    self.model.saturate,
                )
            }
            CopyLanes => patterns[0],
            Cast => self.cast(patterns[0], source, dtype),
            ShiftLs | ShiftRs => shift(self.call, dtype, patterns[0]),
            _ if dtype.is_float() => {
                let types = match self.call.opcode {
                    MulAddDst => [dtype, source, source],
                    Axpy => [dtype, source, source],
                    _ => [source; 3],
                };
                let values: Vec<f32> = patterns
                    .iter()
                    .zip(types)
                    .map(|(&pattern, dtype)| decode(dtype, pattern).float() as f32)
                    .collect();
                let scalar = encode(
                    source,
                    Value::Float(self.call.scalar),
                    RoundMode::ToEven,
                    false,
                );
                let scalar = decode(source, scalar).float() as f32;
                let result = float(self.call.opcode, &values, scalar);
                encode(
                    dtype,
                    Value::Float(result.into()),
                    RoundMode::ToEven,
                    self.model.saturate,
                )
            }
            _ => self.integer(patterns, dtype),
        }
    }

    fn integer(&self, patterns: &[u64], dtype: DType) -> u64 {
        use Opcode::*;
        let value = |pattern: u64| match decode(dtype, pattern) {
            Value::Int(x) => x,
            Value::Float(_) => unreachable!(),
        };
        let scalar = encode(
            dtype,
            Value::Float(self.call.scalar),
            RoundMode::Trunc,
            false,
        );
        let a = value(patterns[0]);
        let b = value(patterns.get(1).copied().unwrap_or(scalar));
        let result = match self.call.opcode {
            Add | Adds => a + b,
            Sub => a - b,
            Mul | Muls => a * b,
            Vmax | Vmaxs => a.max(b),
            Vmin | Vmins => a.min(b),
            Relu => a.max(0),
            AddRelu => wrapped(dtype, a + b).max(0),
            SubRelu => wrapped(dtype, a - b).max(0),
            other => unreachable!("{other:?}"),
        };
        result as u64 & (u64::MAX >> (64 - dtype.bits()))
    }

    fn cast(&self, pattern: u64, source: DType, dtype: DType) -> u64 {
        let value = match decode(source, pattern) {
            Value::Float(x) if dtype == source => Value::Float(to_whole(x, self.call.round)),
            value => value,
        };
        encode(dtype, value, self.call.round, self.model.saturate)
    }

    /// Processes each bit separately, since `0 & x` is 0 and `1 | x` is 1 even if `x` is undefined.
    fn bitwise(&mut self) {
        let width = self.bits(0);
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for lane in (0..self.lanes())
                .filter(|&lane| self.live(repeat, lane))
                .collect::<Vec<_>>()
            {
                for bit in 0..width {
                    let at = self.lane(1, repeat, lane) + bit;
                    let (a, known_a) = self.read(1, at, 1);
                    let (b, known_b) = match self.call.opcode {
                        Opcode::Vnot => (0, true),
                        _ => {
                            let at = self.lane(2, repeat, lane) + bit;
                            self.read(2, at, 1)
                        }
                    };
                    let both = known_a && known_b;
                    let result = match self.call.opcode {
                        Opcode::Vnot => (1 - a, known_a),
                        Opcode::Vand => (a & b, both || known_a && a == 0 || known_b && b == 0),
                        _ => (a | b, both || known_a && a == 1 || known_b && b == 1),
                    };
                    results.push((self.lane(0, repeat, lane) + bit, result));
                }
            }
            self.write_all(1, results);
        }
    }

    // Reductions.

    fn reduce(&mut self, group: i64) {
        use Opcode::*;
        let dtype = self.operand(0).dtype;
        let per_repeat = self.lanes() / group;
        let neutral = match self.call.opcode {
            Cmax | Cgmax => f32::NEG_INFINITY,
            Cmin | Cgmin => f32::INFINITY,
            _ => 0.0,
        };
        let mut first_mixed = None;
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for index in 0..per_repeat {
                let (mut values, mut unknown, mut known) = (vec![], vec![], false);
                for lane in index * group..(index + 1) * group {
                    if !self.live(repeat, lane) {
                        values.push(neutral);
                        continue;
                    }
                    let at = self.lane(1, repeat, lane);
                    let (pattern, defined) = self.read(1, at, self.bits(1));
                    values.push(decode(dtype, pattern).float() as f32);
                    known |= defined;
                    if !defined {
                        unknown.push(repeat * self.lanes() + lane);
                    }
                }
                if known && first_mixed.is_none() {
                    first_mixed = unknown.first().copied();
                }
                let dead =
                    (index * group..(index + 1) * group).all(|lane| !self.live(repeat, lane));
                if dead && self.call.opcode != Cpadd {
                    continue;
                }
                let result = match self.call.opcode {
                    Cadd | Cgadd | Cpadd => self.tree(dtype, &values),
                    _ => extreme(neutral < 0.0, &values),
                };
                let pattern = encode(
                    dtype,
                    Value::Float(result.into()),
                    RoundMode::ToEven,
                    self.model.saturate,
                );
                let element = repeat * self.call.result_stride * per_repeat + index;
                results.push((self.element(0, element), (pattern, unknown.is_empty())));
            }
            self.write_all(self.bits(0), results);
        }
        if let Some(element) = first_mixed {
            let element = element as usize;
            self.trace.events.push(VectorEvent::MixedReduction {
                operand: 1,
                element,
            });
        }
    }

    /// Sums the two halves recursively and adds the sums. Every sum is rounded to the type.
    fn tree(&self, dtype: DType, values: &[f32]) -> f32 {
        if let [value] = values {
            return *value;
        }
        let (left, right) = values.split_at(values.len() / 2);
        let sum = self.tree(dtype, left) + self.tree(dtype, right);
        let pattern = encode(
            dtype,
            Value::Float(sum.into()),
            RoundMode::ToEven,
            self.model.saturate,
        );
        decode(dtype, pattern).float() as f32
    }

    // Mask ignored.

    fn broadcast(&mut self) {
        let (width, c0) = (self.bits(0), 256 / self.bits(0));
        for repeat in 0..self.repeats() {
            let scalars: Vec<Bit> = (0..8)
                .map(|index| {
                    let at = self.element(1, repeat * 8 + index);
                    self.read(1, at, width)
                })
                .collect();
            let lanes = (0..self.lanes())
                .map(|lane| (self.lane(0, repeat, lane), scalars[(lane / c0) as usize]));
            self.write_all(width, lanes.collect());
        }
    }

    fn compare(&mut self) {
        let dtype = self.operand(1).dtype;
        let scalar = match dtype.is_float() {
            true => encode(
                dtype,
                Value::Float(self.call.scalar),
                RoundMode::ToEven,
                false,
            ),
            false => encode(
                dtype,
                Value::Float(self.call.scalar),
                RoundMode::Trunc,
                false,
            ),
        };
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for lane in 0..self.lanes() {
                let at = self.lane(1, repeat, lane);
                let (a, known_a) = self.read(1, at, dtype.bits());
                let (b, known_b) = match self.call.operands.get(2) {
                    Some(_) => {
                        let at = self.lane(2, repeat, lane);
                        self.read(2, at, dtype.bits())
                    }
                    None => (scalar, true),
                };
                let holds = holds(
                    self.call.compare,
                    decode(dtype, a).float(),
                    decode(dtype, b).float(),
                );
                let at = self.operand(0).address * 8 + repeat * self.lanes() + lane;
                results.push((at, (holds.into(), known_a && known_b)));
            }
            self.write_all(1, results);
        }
    }

    fn select(&mut self) {
        let dtype = self.operand(0).dtype;
        let fixed = match (self.call.operands.get(3), self.call.select) {
            (Some(Some(_)), SelectMode::TensorTensor) => None,
            (Some(Some(operand)), SelectMode::TensorScalar) if self.repeats() > 0 => {
                Some(self.read(3, operand.address * 8, dtype.bits()))
            }
            _ => Some((
                encode(
                    dtype,
                    Value::Float(self.call.scalar),
                    scalar_mode(dtype),
                    false,
                ),
                true,
            )),
        };
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for lane in 0..self.lanes() {
                let element = repeat * self.lanes() + lane;
                if matches!(self.call.length, VectorLength::Count(count) if element >= (count + 7) / 8 * 8)
                {
                    continue;
                }
                let at = self.operand(1).address * 8 + element;
                let (bit, decided) = self.read(1, at, 1);
                if !self.obeyed(repeat).contains(&lane) {
                    continue;
                }
                let at = self.lane(2, repeat, lane);
                let first = self.read(2, at, dtype.bits());
                let second = fixed.unwrap_or_else(|| {
                    let at = self.lane(3, repeat, lane);
                    self.read(3, at, dtype.bits())
                });
                let (value, known) = if bit == 1 { first } else { second };
                results.push((self.lane(0, repeat, lane), (value, known && decided)));
            }
            self.write_all(dtype.bits(), results);
        }
    }
}

/// What stays of a number in an integer type.
fn wrapped(dtype: DType, value: i128) -> i128 {
    let rest = 128 - dtype.bits();
    value << rest >> rest
}
