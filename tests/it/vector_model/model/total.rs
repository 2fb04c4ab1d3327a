//! Reductions that tell where, reductions of everything, and sequences.

use super::super::numbers::{Value, decode, encode};
use super::lane::{extreme, scalar_mode};
use super::{Run, wrapped};
use a2lint::isa::{DType, Opcode, RoundMode};
use a2lint::machine::VectorLength;
use a2lint::machine::vector::VectorEvent;

/// A lane that was read: its number in all, its value, whether it is defined.
type Seen = (i64, f32, bool);

impl Run<'_> {
    /// The live lanes of a repeat.
    fn seen(&mut self, repeat: i64) -> Vec<Seen> {
        let dtype = self.operand(1).dtype;
        let lanes = self.obeyed(repeat).into_iter();
        lanes
            .map(|lane| {
                let at = self.lane(1, repeat, lane);
                let (pattern, defined) = self.read(1, at, dtype.bits());
                let value = decode(dtype, pattern).float() as f32;
                (repeat * self.lanes() + lane, value, defined)
            })
            .collect()
    }

    fn largest(&self) -> bool {
        use Opcode::*;
        matches!(
            self.call.opcode,
            CmaxIndex | CmaxWhere | ReduceMax | ReduceMaxIndex
        )
    }

    /// The first undefined lane beside defined ones.
    fn mixed(lanes: &[Seen]) -> Option<i64> {
        let first = lanes.iter().find(|lane| !lane.2)?;
        lanes.iter().any(|lane| lane.2).then_some(first.0)
    }

    fn note_mixed(&mut self, element: Option<i64>) {
        if let Some(element) = element {
            self.trace.events.push(VectorEvent::MixedReduction {
                operand: 1,
                element: element as usize,
            });
        }
    }

    fn number(&self, dtype: DType, value: f32) -> u64 {
        let saturate = self.model.saturate;
        encode(
            dtype,
            Value::Float(value.into()),
            RoundMode::ToEven,
            saturate,
        )
    }

    /// The extreme value of lanes and the index of its first occurrence, as they are stored.
    fn found(&self, lanes: &[Seen], first: i64) -> [u64; 2] {
        let values: Vec<f32> = lanes.iter().map(|lane| lane.1).collect();
        let best = extreme(self.largest(), &values);
        let is_it = |lane: &&Seen| lane.1 == best || best.is_nan() && lane.1.is_nan();
        let at = lanes.iter().find(is_it).unwrap().0;
        // Zeros of both signs are equal: the first one is taken as it is.
        let value = lanes.iter().find(is_it).unwrap().1;
        [
            self.number(self.operand(1).dtype, value),
            (at - first) as u64,
        ]
    }

    pub fn reduce_index(&mut self) {
        use Opcode::*;
        let mut mixed = None;
        for repeat in 0..self.repeats() {
            let lanes = self.seen(repeat);
            mixed = mixed.or(Self::mixed(&lanes));
            if lanes.is_empty() {
                continue;
            }
            let defined = lanes.iter().all(|lane| lane.2);
            let [value, at] = self.found(&lanes, repeat * self.lanes());
            let results = match (self.call.opcode, self.call.switch) {
                (CmaxWhere | CminWhere, _) => vec![at],
                (_, false) => vec![value, at],
                (_, true) => vec![at, value],
            };
            let first = repeat * self.call.result_stride * results.len() as i64;
            self.write_results(first, &results, defined);
        }
        self.note_mixed(mixed);
    }

    fn write_results(&mut self, first: i64, results: &[u64], defined: bool) {
        let width = self.bits(0);
        let low = u64::MAX >> (64 - width);
        let results = results.iter().zip(first..);
        let lanes = results
            .map(|(&result, element)| (self.element(0, element), (result & low, defined)))
            .collect();
        self.write_all(width, lanes);
    }

    pub fn reduce_all(&mut self) {
        use Opcode::*;
        let rows: Vec<Vec<Seen>> = (0..self.repeats())
            .map(|repeat| self.seen(repeat))
            .collect();
        let all = rows.concat();
        if all.is_empty() {
            return;
        }
        let defined = all.iter().all(|lane| lane.2);
        let values: Vec<f32> = all.iter().map(|lane| lane.1).collect();
        let dtype = self.operand(0).dtype;
        let results = match (self.call.opcode, self.call.switch) {
            (ReduceSum, _) => vec![self.number(dtype, self.sum(dtype, &rows))],
            (ReduceMax | ReduceMin, _) => {
                vec![self.number(dtype, extreme(self.largest(), &values))]
            }
            (_, false) => self.found(&all, 0).to_vec(),
            (_, true) => self.found(&all, 0).into_iter().rev().collect(),
        };
        self.overwrite_work();
        self.write_results(0, &results, defined);
        self.note_mixed(Self::mixed(&all));
    }

    /// The work area holds nothing that is known afterwards.
    fn overwrite_work(&mut self) {
        use Opcode::*;
        if self.call.operands.get(2).is_none_or(Option::is_none) {
            return;
        }
        let width = self.bits(2);
        let (repeats, lanes, block) = (self.repeats(), self.lanes(), 256 / width);
        let elements = match self.call.opcode {
            ReduceSum => repeats,
            ReduceMax | ReduceMin => 2 * repeats,
            _ if repeats < 2 => 0,
            _ => {
                let (mut end, mut left) = (2 * repeats, repeats);
                while left > 1 {
                    left = (2 * left + lanes - 1) / lanes;
                    end = (end + block - 1) / block * block + 2 * left;
                }
                end
            }
        };
        let unknown = (u64::MAX >> (64 - width), false);
        for element in 0..elements {
            self.write(2, self.element(2, element), width, unknown);
        }
    }

    fn sum(&self, dtype: DType, rows: &[Vec<Seen>]) -> f32 {
        let lanes = self.lanes() as usize;
        let row = |row: &Vec<Seen>| {
            let mut values = vec![0.0; lanes];
            for (element, value, _) in row {
                values[*element as usize % lanes] = *value;
            }
            self.tree(dtype, &values)
        };
        let mut sums: Vec<f32> = rows.iter().map(row).collect();
        if matches!(self.call.length, VectorLength::Count(_)) {
            let add = |a, b| self.tree(dtype, &[a, b]);
            return sums.into_iter().reduce(add).unwrap();
        }
        while sums.len() > 1 {
            sums.resize(sums.len().div_ceil(lanes) * lanes, 0.0);
            sums = sums
                .chunks(lanes)
                .map(|chunk| self.tree(dtype, chunk))
                .collect();
        }
        sums[0]
    }

    /// Chosen elements, one after the other.
    pub fn compact(&mut self) {
        let (width, number) = (self.bits(1), self.call.integers[0]);
        let (mut kept, mut certain) = (0, true);
        for repeat in 0..self.repeats() {
            let lanes = (0..self.lanes()).filter(|&lane| match self.call.length {
                VectorLength::Repeats(_) => true,
                _ => self.live(repeat, lane),
            });
            let lanes: Vec<i64> = lanes.collect();
            let mut results = vec![];
            for lane in lanes {
                let (keeps, decided) = match number {
                    0 => {
                        let bits = match self.call.length {
                            VectorLength::Count(_) => repeat * self.lanes(),
                            _ => repeat * self.operand(2).repeat_stride * 256,
                        };
                        let at = self.operand(2).address * 8 + bits + lane;
                        let (bit, decided) = self.read(2, at, 1);
                        (bit == 1, decided)
                    }
                    1 => (lane % 2 == 0, true),
                    2 => (lane % 2 == 1, true),
                    7 => (true, true),
                    _ => (lane % 4 == number - 3, true),
                };
                certain &= decided;
                let at = self.lane(1, repeat, lane);
                let (value, defined) = self.read(1, at, width);
                if keeps {
                    results.push((self.element(0, kept), (value, defined && certain)));
                    kept += 1;
                }
            }
            self.write_all(width, results);
        }
    }

    pub fn sequence(&mut self) {
        let dtype = self.operand(0).dtype;
        let scalar = |value| {
            let pattern = encode(dtype, Value::Float(value), scalar_mode(dtype), false);
            decode(dtype, pattern)
        };
        let [first, step] = [self.call.scalar, self.call.step].map(scalar);
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for lane in self.obeyed(repeat) {
                let index = repeat * self.lanes() + lane;
                let pattern = match (&first, &step) {
                    (Value::Int(first), Value::Int(step)) => {
                        let value = wrapped(dtype, first + i128::from(index) * step);
                        value as u64 & (u64::MAX >> (64 - dtype.bits()))
                    }
                    _ => {
                        let value = first.float() + index as f64 * step.float();
                        encode(dtype, Value::Float(value), RoundMode::ToEven, false)
                    }
                };
                results.push((self.lane(0, repeat, lane), (pattern, true)));
            }
            self.write_all(dtype.bits(), results);
        }
    }
}
