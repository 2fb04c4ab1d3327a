//! The lane that stored each element of a global tensor.
//!
//! If two lanes store different values to one element, either may remain, depending on their order. Equal
//! values do no harm: kernels that do not divide their work among the cores store the same result several
//! times. Atomic stores commute, and a cube lane that hands over to a vec lane waits for it, so only lanes of
//! one kind are compared.
//!
//! The scalar unit stores through a cache of its core, which writes back whole lines. Different elements of one line
//! therefore collide as well.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::lane_id::{LaneId, LaneKind};
use super::memory::Memory;
use a2lint_ir::{GlobalId, StmtId};

/// Number of elements whose owners are kept together.
const PAGE: usize = 512;
/// Bytes of a line of the scalar unit's cache.
pub const LINE: usize = 64;

/// A lane and the statement with which it stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// The cube or vec core that stored.
    pub lane: LaneId,
    /// The statement.
    pub stmt: StmtId,
}

/// One run of a store: bytes of `source` that replace as many of a global tensor.
#[derive(Clone, Copy, Debug)]
pub struct Stored<'a> {
    /// The tensor.
    pub global: GlobalId,
    /// The contents of the tensor before the store.
    pub target: &'a Memory,
    /// Address of the first byte that is replaced.
    pub address: usize,
    /// The memory that the new bytes come from.
    pub source: &'a Memory,
    /// Address of the first new byte.
    pub start: usize,
    /// Number of bytes.
    pub bytes: usize,
    /// Bytes of an element.
    pub size: usize,
}

impl Stored<'_> {
    /// Returns whether an element of the run gets another value; undefined ones may have any.
    fn changes(&self, index: usize) -> bool {
        let at = |start: usize| start + index * self.size..start + (index + 1) * self.size;
        let (old, new) = (at(self.address), at(self.start));
        self.target.bytes(old.clone()) != self.source.bytes(new.clone())
            && self.target.all_defined(old)
            && self.source.all_defined(new)
    }
}

/// The last store to each element of each global tensor.
#[derive(Clone, Debug, Default)]
pub struct Ownership {
    /// For each element, the number of its claim (from 1; 0 for none), by tensor and page. Images of the
    /// machine share pages.
    owners: FxHashMap<(GlobalId, usize), Arc<[u32; PAGE]>>,
    claims: Vec<Claim>,
    numbers: FxHashMap<Claim, u32>,
    /// The cache lines that scalar stores have changed, by tensor and number of the line.
    lines: FxHashMap<(GlobalId, usize), Line>,
}

/// A cache line that scalar stores have changed.
#[derive(Clone, Copy, Debug)]
struct Line {
    /// The last lane that stored to it.
    owner: Claim,
    /// The bytes that have been stored, one bit each.
    stored: u64,
}

impl Ownership {
    /// Claims the elements of a run for a lane. Returns the first of them that is owned by
    /// another lane of its kind and gets another value, counted from the start of the run, with
    /// the claim of that lane.
    pub fn claim(&mut self, claim: Claim, stored: &Stored) -> Option<(usize, Claim)> {
        let number = self.number(claim);
        let first = stored.address / stored.size;
        let last = first + stored.bytes / stored.size;
        let mut found = None;
        let mut element = first;
        while element < last {
            let (page, start) = (element / PAGE, element % PAGE);
            let end = (last - page * PAGE).min(PAGE);
            let owners = self.owners.entry((stored.global, page));
            let owners = owners.or_insert_with(|| Arc::new([0; PAGE]));
            let owners = &mut Arc::make_mut(owners)[start..end];
            let is_free = |owner: u32| owner == 0 || owner == number;
            // Nearly always, a run has no owner or a single one, which one comparison of slices tells.
            let is_settled = found.is_some() || is_free(owners[0]) && is_uniform(owners);
            if !is_settled {
                found = owners
                    .iter()
                    .zip(element - first..)
                    .find_map(|(&owner, index)| {
                        let other = (!is_free(owner)).then(|| self.claims[owner as usize - 1])?;
                        let collides = rivals(other.lane, claim.lane) && stored.changes(index);
                        collides.then_some((index, other))
                    });
            }
            // Only the latest owner of an element is kept, which bounds the memory.
            owners.fill(number);
            element = (page + 1) * PAGE;
        }
        found
    }

    /// Claims the cache line of one element, which the scalar unit stores. Returns the claim of another lane that has
    /// stored other elements of that line: of the two lines that are written back, one replaces the other. Lanes that
    /// store the same elements do not collide, as in kernels that do not divide their work.
    pub fn claim_line(
        &mut self,
        claim: Claim,
        global: GlobalId,
        element: Range<usize>,
    ) -> Option<Claim> {
        let bits = element
            .clone()
            .fold(0, |bits, byte| bits | 1_u64 << (byte % LINE));
        let line = self.lines.entry((global, element.start / LINE));
        let line = line.or_insert(Line {
            owner: claim,
            stored: bits,
        });
        let collides = rivals(line.owner.lane, claim.lane) && bits & !line.stored != 0;
        line.stored |= bits;
        let before = std::mem::replace(&mut line.owner, claim);
        collides.then_some(before)
    }

    /// Forgets all owners, after lanes of different cores have synchronised.
    pub fn forget(&mut self) {
        self.owners.clear();
        self.lines.clear();
    }

    fn number(&mut self, claim: Claim) -> u32 {
        *self.numbers.entry(claim).or_insert_with(|| {
            self.claims.push(claim);
            self.claims.len() as u32
        })
    }
}

/// Returns whether all elements have the same owner.
fn is_uniform(owners: &[u32]) -> bool {
    owners[1..] == owners[..owners.len() - 1]
}

/// Returns whether nothing orders the stores of two lanes.
fn rivals(a: LaneId, b: LaneId) -> bool {
    let is_cube = |lane: LaneId| lane.kind == LaneKind::Cube;
    a != b && is_cube(a) == is_cube(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rivals_collide_where_values_change() {
        let claim = |core, kind| Claim {
            lane: LaneId { core, kind },
            stmt: StmtId(core),
        };
        let [mut target, source] = [0, 1].map(|value| Memory::from_bytes(vec![value; 32]));
        target.bytes_mut(0..4).fill(1);
        let (first, second) = (claim(0, LaneKind::Vec(0)), claim(1, LaneKind::Vec(1)));
        let mut ownership = Ownership::default();
        let mut store = |claim, elements: std::ops::Range<usize>| {
            ownership.claim(
                claim,
                &Stored {
                    global: GlobalId(1),
                    target: &target,
                    address: 2 * elements.start,
                    source: &source,
                    start: 0,
                    bytes: 2 * elements.len(),
                    size: 2,
                },
            )
        };
        assert_eq!(store(first, 0..8), None);
        assert_eq!(store(first, 0..4), None);
        assert_eq!(store(claim(0, LaneKind::Cube), 6..9), None);
        assert_eq!(store(second, 1..16), Some((1, first)));
    }

    #[test]
    fn other_elements_of_a_line_collide() {
        let claim = |core| Claim {
            lane: LaneId {
                core,
                kind: LaneKind::Vec(0),
            },
            stmt: StmtId(0),
        };
        let [first, second] = [0, 1].map(claim);
        let mut ownership = Ownership::default();
        let mut store = |claim, start| ownership.claim_line(claim, GlobalId(0), start..start + 4);
        assert_eq!(store(first, 0), None);
        assert_eq!(store(second, 64), None);
        assert_eq!(store(second, 0), None);
        assert_eq!(store(first, 60), Some(second));
        ownership.forget();
        assert_eq!(ownership.claim_line(second, GlobalId(0), 4..8), None);
    }
}
