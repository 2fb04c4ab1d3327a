//! Sets of bytes as sorted, disjoint, non-adjacent half-open ranges.

/// A set of byte offsets.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RangeSet {
    ranges: Vec<(i64, i64)>,
}

impl RangeSet {
    /// The empty set.
    pub const EMPTY: RangeSet = RangeSet { ranges: Vec::new() };

    /// Creates the empty set, with room for `ranges` ranges.
    pub fn with_capacity(ranges: usize) -> Self {
        let ranges = Vec::with_capacity(ranges);
        Self { ranges }
    }

    /// Returns the bytes `start..end`; empty if `end <= start`.
    pub fn span(start: i64, end: i64) -> Self {
        let mut set = Self::default();
        set.insert(start, end);
        set
    }

    /// Returns whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> i64 {
        self.ranges.iter().map(|(start, end)| end - start).sum()
    }

    /// Returns the ranges in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = (i64, i64)> + '_ {
        self.ranges.iter().copied()
    }

    /// Returns the first byte and the byte after the last one.
    pub fn hull(&self) -> Option<(i64, i64)> {
        Some((self.ranges.first()?.0, self.ranges.last()?.1))
    }

    /// Adds `start..end`. Cheap if ranges are added in ascending order.
    #[inline]
    pub fn insert(&mut self, start: i64, end: i64) {
        if end <= start {
            return;
        }
        // Ranges mostly arrive in ascending order, so the last one is looked at first.
        match self.ranges.last_mut() {
            None => self.ranges.push((start, end)),
            Some(last) if start > last.1 => self.ranges.push((start, end)),
            Some(last) if start >= last.0 => last.1 = last.1.max(end),
            Some(_) => self.insert_before_end(start, end),
        }
    }

    fn insert_before_end(&mut self, start: i64, end: i64) {
        let first = self.ranges.partition_point(|range| range.1 < start);
        let after = self.ranges.partition_point(|range| range.0 <= end);
        let merged = match first < after {
            true => (
                start.min(self.ranges[first].0),
                end.max(self.ranges[after - 1].1),
            ),
            false => (start, end),
        };
        self.ranges.splice(first..after, [merged]);
    }

    /// Adds every byte of another set, in linear time.
    pub fn union(&mut self, other: &RangeSet) {
        if self.ranges == other.ranges || other.is_empty() {
            return;
        }
        if self.ranges.is_empty() {
            self.ranges.clone_from(&other.ranges);
            return;
        }
        let (mut ours, mut theirs) = (
            self.ranges.iter().peekable(),
            other.ranges.iter().peekable(),
        );
        let mut merged = RangeSet::default();
        merged
            .ranges
            .reserve(self.ranges.len().max(other.ranges.len()));
        loop {
            let next = match (ours.peek(), theirs.peek()) {
                (Some(a), Some(b)) if a.0 <= b.0 => ours.next(),
                (_, Some(_)) => theirs.next(),
                _ => ours.next(),
            };
            let Some(&(start, end)) = next else { break };
            merged.insert(start, end);
        }
        *self = merged;
    }

    /// Returns the bytes of this set that are not in `other`.
    pub fn minus(&self, other: &RangeSet) -> RangeSet {
        let mut result = RangeSet::default();
        let mut cuts = other.ranges.iter().peekable();
        for &(mut start, end) in &self.ranges {
            while let Some(&&(cut_start, cut_end)) = cuts.peek() {
                if cut_end <= start {
                    cuts.next();
                    continue;
                }
                if cut_start >= end {
                    break;
                }
                result.insert(start, cut_start);
                start = start.max(cut_end);
                if cut_end >= end {
                    break;
                }
                cuts.next();
            }
            result.insert(start, end);
        }
        result
    }

    /// Returns the bytes that are in both sets.
    pub fn intersection(&self, other: &RangeSet) -> RangeSet {
        // Removes what is not in `other`.
        self.minus(&self.minus(other))
    }

    /// Returns the set moved up by a distance.
    pub fn shifted(mut self, distance: i64) -> RangeSet {
        for range in &mut self.ranges {
            *range = (range.0 + distance, range.1 + distance);
        }
        self
    }

    /// Returns every byte that the set covers when it is moved up by some distance from `least` to `most`.
    pub fn swept(&self, least: i64, most: i64) -> RangeSet {
        let mut result = RangeSet::default();
        for (start, end) in self.iter() {
            result.insert(start + least, end + most);
        }
        result
    }

    /// Returns the bytes that the set covers at every distance from `least` to `most`, as far as a single
    /// range covers them.
    pub fn kept(&self, least: i64, most: i64) -> RangeSet {
        let mut result = RangeSet::default();
        for (start, end) in self.iter() {
            // A range shorter than the distance it moves covers nothing; `insert` ignores it.
            result.insert(start + most, end + least);
        }
        result
    }

    /// Returns whether the sets share a byte.
    pub fn intersects(&self, other: &RangeSet) -> bool {
        let (mut a, mut b) = (self.ranges.iter(), other.ranges.iter());
        let (mut x, mut y) = (a.next(), b.next());
        while let (Some(p), Some(q)) = (x, y) {
            if p.0 < q.1 && q.0 < p.1 {
                return true;
            }
            match p.1 <= q.1 {
                true => x = a.next(),
                false => y = b.next(),
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ranges: &[(i64, i64)]) -> RangeSet {
        let mut set = RangeSet::default();
        ranges
            .iter()
            .for_each(|&(start, end)| set.insert(start, end));
        set
    }

    #[test]
    fn insertion_merges_in_any_order() {
        assert_eq!(set(&[(0, 4), (8, 12), (4, 8)]), set(&[(0, 12)]));
        assert_eq!(set(&[(10, 12), (0, 2), (1, 11)]), set(&[(0, 12)]));
        assert_eq!(set(&[(10, 12), (0, 2)]).len(), 4);
    }

    #[test]
    fn difference_and_intersection_agree_with_bytes() {
        let mut seed = 7u32;
        let mut random = |below: i64| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            i64::from(seed >> 8) % below
        };
        for _ in 0..500 {
            let mut pick = || {
                let pairs: Vec<(i64, i64)> = (0..random(5))
                    .map(|_| {
                        let start = random(40);
                        (start, start + random(12))
                    })
                    .collect();
                set(&pairs)
            };
            let (a, b) = (pick(), pick());
            let has = |set: &RangeSet, at: i64| set.iter().any(|(s, e)| s <= at && at < e);
            let (minus, both) = (a.minus(&b), a.intersection(&b));
            for at in 0..60 {
                assert_eq!(has(&minus, at), has(&a, at) && !has(&b, at));
                assert_eq!(has(&both, at), has(&a, at) && has(&b, at));
            }
            assert_eq!(a.intersects(&b), !both.is_empty());
        }
    }
}
