//! The findings of the machine about a kernel while it runs.

use super::access::Site;
use super::lane_id::LaneId;
use super::scalars::Wrap;
use super::signals::EventRef;
use a2lint_ir::{BufferId, GlobalId, StmtId};
use a2lint_isa::Overlap;

/// A finding, with the first place that showed it and the number of times.
#[derive(Clone, Debug, PartialEq)]
pub struct SanitizerFinding {
    /// The kind of fault.
    pub kind: FindingKind,
    /// The statement.
    pub stmt: StmtId,
    /// Index of the parameter that names the operand, if one is to blame.
    pub operand: Option<usize>,
    /// The lane that saw it first.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, from 0, outermost first.
    pub iterations: Vec<i64>,
    /// Index of the first element concerned, from the start of the operand; for an overrun, from the start of
    /// the tensor.
    pub element: Option<i64>,
    /// Number of executions of the statement that showed it, over all lanes.
    pub count: u64,
}

/// The kinds of findings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Undefined elements are stored to a tensor that the launch passes.
    UndefinedStore(GlobalId),
    /// Undefined lanes enter a reduction together with defined ones.
    UndefinedReduction,
    /// An undefined element is read as a scalar.
    UndefinedScalar,
    /// An undefined element is used as an index or offset.
    UndefinedIndex,
    /// An operand has no defined byte at all.
    UndefinedOperand,
    /// An access reaches past its tensor.
    Overrun {
        /// The tensor.
        buffer: BufferId,
        /// The buffer at the first byte outside, if there is one.
        neighbour: Option<BufferId>,
        /// Bytes past the end (or before the start) of the tensor.
        bytes: i64,
        /// Bytes of the tensor.
        holds: i64,
        /// Whether it writes there.
        write: bool,
    },
    /// An access reaches past the length that the kernel has given its tensor, and stays in the buffer.
    PastLength {
        /// Bytes past the end of the tensor.
        bytes: i64,
        /// Whether it writes there.
        write: bool,
    },
    /// An access leaves the on-chip memory altogether; the instruction was not executed.
    OutsideMemory(BufferId),
    /// An access leaves a global tensor.
    GlobalBounds {
        /// The tensor.
        global: GlobalId,
        /// The axis whose extent is exceeded; `None` if only the flat address is out of bounds.
        axis: Option<usize>,
        /// Whether it writes there.
        write: bool,
    },
    /// Elements of a global tensor that another lane of the same kind has stored get other values.
    Overlap {
        /// The tensor.
        global: GlobalId,
        /// The lane that stored them first.
        other: LaneId,
        /// The statement that stored them.
        stmt: StmtId,
    },
    /// The scalar unit stores into a cache line in which another lane has stored other elements.
    SharedLine {
        /// The tensor.
        global: GlobalId,
        /// The lane that stored there first.
        other: LaneId,
        /// The statement that stored there.
        stmt: StmtId,
    },
    /// An atomic store adds to elements that nothing has written.
    UnseededStore(GlobalId),
    /// A product is added to accumulators that nothing has written.
    UnseededProduct,
    /// A product is added to accumulators that were stored since their sum was started, in another
    /// iteration of a loop.
    StoredAccumulator {
        /// The outermost loop around the statement that has advanced since, counted from the outside.
        depth: usize,
        /// Whether the sum was stored to a tensor of the launch.
        in_output: bool,
    },
    /// A move between an on-chip tensor and a global tensor of another element type. It was not
    /// executed.
    TypeMismatch(GlobalId),
    /// An atomic sum adds data that another lane has computed from the same input and added already.
    DoubleCount {
        /// The tensor.
        global: GlobalId,
        /// The lane that added it first.
        other: LaneId,
    },
    /// A byte offset of an indexed access is no multiple of what it moves.
    OddOffset {
        /// The offset.
        offset: i64,
        /// Bytes that are moved for each offset.
        size: i64,
    },
    /// A source of an instruction shares memory with its destination where it must not.
    SharedOperands {
        /// How it does so.
        overlap: Overlap,
        /// Number of bytes that are written and read.
        bytes: i64,
    },
    /// An operand starts at an address that its kind does not allow.
    Misaligned {
        /// Bytes past the last legal start.
        off_by: i64,
        /// Bytes from one legal start to the next.
        granule: i64,
    },
    /// An event or raw flag is set again before a wait has cleared it.
    RepeatedSet(EventRef),
    /// An event or raw flag is still set when the kernel ends, and the next kernel inherits it.
    LeftSet(EventRef),
    /// An integer has wrapped before it became an address, a size or a number of iterations.
    ScalarOverflow(Wrap),
    /// A flag between lanes has an id that the device does not have.
    FlagId(i64),
    /// A flag between lanes counts beyond what the hardware holds.
    FlagOverflow(i64),
}

/// Maximum number of findings of a run.
// A full list depends on what came before it, so cores on other threads are then run again in order.
const MAX_FINDINGS: usize = 1000;

/// The findings of a run, one for each kind, statement and operand.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<SanitizerFinding>,
}

impl Findings {
    /// Returns the findings so far.
    pub fn so_far(&self) -> &[SanitizerFinding] {
        &self.list
    }

    /// Records a finding.
    pub fn add(
        &mut self,
        site: &Site,
        kind: FindingKind,
        operand: Option<usize>,
        element: Option<i64>,
    ) {
        match self.known(site.stmt, operand, &kind) {
            Some(known) => known.count += 1,
            None => self.push(SanitizerFinding {
                kind,
                stmt: site.stmt,
                operand,
                lane: site.lane,
                iterations: site.iterations.to_vec(),
                element,
                count: 1,
            }),
        }
    }

    /// Returns whether no further finding is kept.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_FINDINGS
    }

    /// Adds the findings of cores that run after these.
    pub fn absorb(&mut self, later: Findings) {
        for finding in later.list {
            match self.known(finding.stmt, finding.operand, &finding.kind) {
                Some(known) => known.count += finding.count,
                None => self.push(finding),
            }
        }
    }

    /// Returns an earlier finding that is the same.
    fn known(
        &mut self,
        stmt: StmtId,
        operand: Option<usize>,
        kind: &FindingKind,
    ) -> Option<&mut SanitizerFinding> {
        let mut list = self.list.iter_mut();
        list.find(|known| {
            known.stmt == stmt && known.operand == operand && known.kind.is_like(kind)
        })
    }

    fn push(&mut self, finding: SanitizerFinding) {
        if !self.is_full() {
            self.list.push(finding);
        }
    }

    /// Returns the findings in the order of their statements.
    pub fn finish(mut self) -> Vec<SanitizerFinding> {
        self.list
            .sort_by_key(|finding| (finding.stmt, finding.operand, finding.kind));
        self.list
    }
}

/// Removes reads of undefined data if none of it reaches an end that matters. Only for a run that has
/// results: the undefined rows of a tail are reduced like all others, and cut off at the store.
pub fn forget_harmless_reads(findings: &mut Vec<SanitizerFinding>) {
    if !findings.iter().any(|seen| seen.kind.is_undefined_end()) {
        findings.retain(|seen| !seen.kind.is_undefined_passage());
    }
}

impl FindingKind {
    /// Returns whether undefined data was used.
    pub fn is_undefined(&self) -> bool {
        matches!(
            self,
            FindingKind::UndefinedStore(_)
                | FindingKind::UndefinedReduction
                | FindingKind::UndefinedScalar
                | FindingKind::UndefinedIndex
                | FindingKind::UndefinedOperand
        )
    }

    /// Returns whether undefined data only went into a result that is then undefined too, and decides nothing
    /// yet.
    pub fn is_undefined_passage(&self) -> bool {
        self.is_undefined() && !self.is_undefined_end()
    }

    /// Returns whether a sum was added to something that no instruction has started, or more than once.
    pub fn is_unseeded(&self) -> bool {
        use FindingKind::{DoubleCount, StoredAccumulator, UnseededProduct, UnseededStore};
        matches!(
            self,
            UnseededStore(_) | UnseededProduct | StoredAccumulator { .. } | DoubleCount { .. }
        )
    }

    /// Returns whether undefined data reached something outside of the tiles that hold it.
    pub fn is_undefined_end(&self) -> bool {
        matches!(
            self,
            FindingKind::UndefinedStore(_)
                | FindingKind::UndefinedScalar
                | FindingKind::UndefinedIndex
        )
    }

    /// Returns whether two findings about an operand are the same, up to amounts.
    pub fn is_like(&self, other: &FindingKind) -> bool {
        // Amounts are those of the first finding; later ones only raise its count.
        match (self, other) {
            (FindingKind::Overrun { write: a, .. }, FindingKind::Overrun { write: b, .. })
            | (
                FindingKind::PastLength { write: a, .. },
                FindingKind::PastLength { write: b, .. },
            ) => a == b,
            (FindingKind::Overlap { global: a, .. }, FindingKind::Overlap { global: b, .. })
            | (
                FindingKind::SharedLine { global: a, .. },
                FindingKind::SharedLine { global: b, .. },
            )
            | (
                FindingKind::DoubleCount { global: a, .. },
                FindingKind::DoubleCount { global: b, .. },
            ) => a == b,
            (FindingKind::OddOffset { .. }, FindingKind::OddOffset { .. })
            | (FindingKind::Misaligned { .. }, FindingKind::Misaligned { .. }) => true,
            (
                FindingKind::SharedOperands { overlap: a, .. },
                FindingKind::SharedOperands { overlap: b, .. },
            ) => a == b,
            (FindingKind::ScalarOverflow(a), FindingKind::ScalarOverflow(b)) => {
                a.scalar == b.scalar
            }
            (a, b) => a == b,
        }
    }
}
