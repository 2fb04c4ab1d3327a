//! Indexed access, sorting and transposition, one element at a time.

use super::super::numbers::decode;
use super::{Bit, Run};
use a2lint::machine::vector::VectorEvent;

impl Run<'_> {
    /// Reads an offset; `None` if it is undefined.
    fn offset(&mut self, element: i64) -> Option<i64> {
        let at = self.element(2, element);
        match self.read(2, at, 32) {
            (offset, true) => Some(offset as i64),
            _ => {
                let seen =
                    |event: &VectorEvent| matches!(event, VectorEvent::UndefinedOffset { .. });
                if !self.trace.events.iter().any(seen) && !self.trace.out_of_bounds {
                    let element = element as usize;
                    self.trace.events.push(VectorEvent::UndefinedOffset {
                        operand: 2,
                        element,
                    });
                }
                None
            }
        }
    }

    pub fn gather(&mut self) {
        let width = self.bits(0);
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for lane in self.obeyed(repeat) {
                let to = self.lane(0, repeat, lane);
                let value = match self.offset(repeat * self.lanes() + lane) {
                    Some(offset) => {
                        let from = self.operand(1).address + self.call.integers[0] + offset;
                        self.read(1, from * 8, width)
                    }
                    None => (self.peek(to, width), false),
                };
                results.push((to, value));
            }
            self.write_all(width, results);
        }
    }

    /// Reads bits without counting as an access of the instruction.
    fn peek(&self, at: i64, width: i64) -> u64 {
        let bit = |bit: i64| {
            let byte = usize::try_from((at + bit).div_euclid(8)).ok();
            let byte = byte
                .and_then(|byte| self.model.bytes.get(byte))
                .copied()
                .unwrap_or(0);
            u64::from(byte >> (at + bit).rem_euclid(8) & 1)
        };
        (0..width).map(|index| bit(index) << index).sum()
    }

    pub fn gather_block(&mut self) {
        let c0 = 256 / self.bits(0);
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for block in 0..8 {
                let to = self.lane(0, repeat, block * c0);
                let from = self
                    .offset(repeat * 8 + block)
                    .map(|offset| self.operand(1).address + offset);
                for bit in 0..256 {
                    let value = match from {
                        Some(from) => self.read(1, from * 8 + bit, 1),
                        None => (self.peek(to + bit, 1), false),
                    };
                    results.push((to + bit, value));
                }
            }
            self.write_all(1, results);
        }
    }

    pub fn scatter(&mut self) {
        let width = self.bits(1);
        for repeat in 0..self.repeats() {
            let mut results = vec![];
            for lane in 0..self.lanes() {
                let at = self.lane(1, repeat, lane);
                let value = self.read(1, at, width);
                if let Some(offset) = self.offset(repeat * self.lanes() + lane) {
                    let to = self.operand(0).address + self.call.integers[0] + offset;
                    results.push((to * 8, value));
                }
            }
            self.write_all(width, results);
        }
    }

    // A record is a list of its 64 bits with their definedness.

    fn record(&mut self, operand: usize, at: i64) -> Vec<Bit> {
        (0..64).map(|bit| self.read(operand, at + bit, 1)).collect()
    }

    fn write_records(&mut self, at: i64, records: &[Vec<Bit>]) {
        let bits = records.iter().flatten().enumerate();
        let lanes: Vec<(i64, Bit)> = bits.map(|(index, &bit)| (at + index as i64, bit)).collect();
        self.write_all(1, lanes);
    }

    pub fn sort(&mut self) {
        let width = self.bits(1);
        for repeat in 0..self.repeats() {
            let mut records: Vec<Vec<Bit>> = vec![];
            for index in repeat * 32..repeat * 32 + 32 {
                let (value, position) = (self.element(1, index), self.element(2, index));
                let mut record: Vec<Bit> =
                    (0..width).map(|bit| self.read(1, value + bit, 1)).collect();
                record.resize(32, (0, true));
                record.extend((0..32).map(|bit| self.read(2, position + bit, 1)));
                // Inserts the record after all records that are at least as large.
                let key = self.key(&record);
                let before = |other: &Vec<Bit>| !larger(key, self.key(other));
                let place = records.iter().take_while(|other| before(other)).count();
                records.insert(place, record);
            }
            self.write_records(self.operand(0).address * 8 + repeat * 2048, &records);
        }
    }

    fn key(&self, record: &[Bit]) -> f64 {
        let width = self.bits(1) as usize;
        let pattern = record[..width]
            .iter()
            .enumerate()
            .map(|(index, bit)| bit.0 << index)
            .sum();
        decode(self.operand(1).dtype, pattern).float()
    }

    fn merge(&self, mut queues: Vec<Vec<Vec<Bit>>>, until_one_ends: bool) -> Vec<Vec<Bit>> {
        let mut merged = vec![];
        while queues.iter().any(|queue| !queue.is_empty()) {
            let mut best: Option<usize> = None;
            for (index, queue) in queues
                .iter()
                .enumerate()
                .filter(|(_, queue)| !queue.is_empty())
            {
                if best.is_none_or(|best| larger(self.key(&queue[0]), self.key(&queues[best][0]))) {
                    best = Some(index);
                }
            }
            merged.push(queues[best.unwrap()].remove(0));
            if until_one_ends && queues[best.unwrap()].is_empty() {
                break;
            }
        }
        merged
    }

    fn queue(&mut self, operand: usize, first: i64, count: i64) -> Vec<Vec<Bit>> {
        let base = self.operand(operand).address * 8;
        (first..first + count)
            .map(|index| self.record(operand, base + index * 64))
            .collect()
    }

    pub fn merge_four(&mut self) {
        let (length, repeats) = (self.call.integers[0], self.call.integers[1]);
        for repeat in 0..repeats {
            let first = repeat * 4 * length;
            let queues = (0..4)
                .map(|index| self.queue(1, first + index * length, length))
                .collect();
            let merged = self.merge(queues, false);
            self.write_records((self.operand(0).address + first * 8) * 8, &merged);
        }
    }

    pub fn merge_queues(&mut self) {
        let sizes = self.call.integers.clone();
        let mut queues = Vec::new();
        for (at, size) in sizes.into_iter().enumerate() {
            queues.push(self.queue(at + 1, 0, size));
        }
        let merged = self.merge(queues, false);
        self.write_records(self.operand(0).address * 8, &merged);
    }

    pub fn merge_until(&mut self) {
        let sizes = self.call.integers.clone().into_iter().enumerate();
        let queues: Vec<_> = sizes
            .map(|(at, size)| self.queue(at + 1, 0, size))
            .collect();
        let merged = self.merge(queues, true);
        self.write_records(self.operand(0).address * 8, &merged);
    }

    pub fn transpose(&mut self) {
        let &[repeats, src_row, dst_row, src_rep, dst_rep] = self.call.integers.as_slice() else {
            unreachable!()
        };
        for repeat in 0..repeats {
            let mut results = vec![];
            for row in 0..16 {
                for column in 0..16 {
                    let from = self.element(1, repeat * src_rep * 16 + column * src_row + row);
                    let to = self.element(0, repeat * dst_rep * 16 + row * dst_row + column);
                    results.push((to, self.read(1, from, 16)));
                }
            }
            self.write_all(16, results);
        }
    }
}

/// Whether a sorting key is strictly before another one: it is larger, or NaN before a number.
fn larger(a: f64, b: f64) -> bool {
    a > b || a.is_nan() && !b.is_nan()
}
