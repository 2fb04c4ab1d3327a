//! What the machine finds wrong while it runs a kernel.

use super::access::Site;
use super::lane_id::LaneId;
use super::scalars::Wrap;
use a2lint_ir::{BufferId, EventId, GlobalId, StmtId};

/// One observation, with the first place it was made and how often.
#[derive(Clone, Debug, PartialEq)]
pub struct SanitizerFinding {
    /// What is wrong.
    pub kind: FindingKind,
    /// The statement.
    pub stmt: StmtId,
    /// Index of the parameter that names the operand, where one is to blame.
    pub operand: Option<usize>,
    /// The lane that saw it first.
    pub lane: LaneId,
    /// Iteration numbers of the loops around the statement, from 0, outermost first.
    pub iterations: Vec<i64>,
    /// Index of the first element concerned, counted from the start of the operand; of an overrun,
    /// from the start of the tensor.
    pub element: Option<i64>,
    /// How many executions of the statement showed it, over all lanes.
    pub count: u64,
}

/// Kinds of observations.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FindingKind {
    /// Undefined elements are stored to a tensor that the launch passes.
    UndefinedStore(GlobalId),
    /// Undefined lanes enter a reduction together with defined ones.
    UndefinedReduction,
    /// An undefined element is read as a scalar.
    UndefinedScalar,
    /// An undefined element serves as an index or offset.
    UndefinedIndex,
    /// An operand has no defined byte at all.
    UndefinedOperand,
    /// An access reaches past its tensor.
    Overrun {
        /// The tensor.
        buffer: BufferId,
        /// The tensor that lies there, if any.
        neighbour: Option<BufferId>,
        /// Bytes past the end (or before the start) of the tensor.
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
        /// The axis whose extent is exceeded; `None` where only the flat address is.
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
    /// An atomic store adds to elements that nothing has written.
    UnseededStore(GlobalId),
    /// A product is added to accumulators that nothing has written.
    UnseededProduct,
    /// A product is added to accumulators that were stored since their sum was started, in another
    /// iteration of a loop.
    StoredAccumulator {
        /// The outermost loop around the statement that has gone on, counted from the outside.
        depth: usize,
        /// Whether the sum was stored to a tensor of the launch.
        in_output: bool,
    },
    /// A move between an on-chip tensor and a global tensor of another element type. It was not
    /// executed.
    TypeMismatch(GlobalId),
    /// An atomic sum takes in what another lane has computed of the same data and added already.
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
    /// An operand starts where none of its kind may start.
    Misaligned {
        /// Bytes past the last legal start.
        off_by: i64,
        /// Bytes from one legal start to the next.
        granule: i64,
    },
    /// An event is set while it is still set.
    RepeatedSet(EventId),
    /// An integer has wrapped before it became an address, a size or a number of iterations.
    ScalarOverflow(Wrap),
    /// A flag between lanes counts beyond what the hardware holds.
    FlagOverflow(i64),
}

/// Most findings that are kept.
const MAX_FINDINGS: usize = 1000;

/// Findings of a run, each kind once per statement and operand.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    list: Vec<SanitizerFinding>,
}

impl Findings {
    /// What was recorded up to now.
    pub fn so_far(&self) -> &[SanitizerFinding] {
        &self.list
    }

    /// Records an observation.
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

    /// Whether more could not be kept.
    pub fn is_full(&self) -> bool {
        self.list.len() >= MAX_FINDINGS
    }

    /// Takes in what was found on cores that run after these.
    pub fn absorb(&mut self, later: Findings) {
        for finding in later.list {
            match self.known(finding.stmt, finding.operand, &finding.kind) {
                Some(known) => known.count += finding.count,
                None => self.push(finding),
            }
        }
    }

    /// The same observation, made before.
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

    /// The findings in the order of their statements.
    pub fn finish(mut self) -> Vec<SanitizerFinding> {
        self.list
            .sort_by_key(|finding| (finding.stmt, finding.operand, finding.kind));
        self.list
    }
}

/// Forgets reads of undefined data where none of such data ends up where it matters, for a run that has results: rows
/// of a tail are reduced like the others, and cut at the store.
pub fn forget_harmless_reads(findings: &mut Vec<SanitizerFinding>) {
    if !findings.iter().any(|seen| seen.kind.is_undefined_end()) {
        findings.retain(|seen| !seen.kind.is_undefined_passage());
    }
}

impl FindingKind {
    /// Whether undefined data was used.
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

    /// Whether undefined data goes into a result that is as undefined, and decides about nothing yet.
    pub fn is_undefined_passage(&self) -> bool {
        self.is_undefined() && !self.is_undefined_end()
    }

    /// Whether undefined data ends up where it decides about something outside of the tiles that
    /// hold it.
    pub fn is_undefined_end(&self) -> bool {
        matches!(
            self,
            FindingKind::UndefinedStore(_)
                | FindingKind::UndefinedScalar
                | FindingKind::UndefinedIndex
        )
    }

    /// Whether two observations say the same of an operand; amounts may differ.
    pub fn is_like(&self, other: &FindingKind) -> bool {
        match (self, other) {
            (FindingKind::Overrun { write: a, .. }, FindingKind::Overrun { write: b, .. }) => {
                a == b
            }
            (FindingKind::Overlap { global: a, .. }, FindingKind::Overlap { global: b, .. })
            | (
                FindingKind::DoubleCount { global: a, .. },
                FindingKind::DoubleCount { global: b, .. },
            ) => a == b,
            (FindingKind::OddOffset { .. }, FindingKind::OddOffset { .. })
            | (FindingKind::Misaligned { .. }, FindingKind::Misaligned { .. }) => true,
            (FindingKind::ScalarOverflow(a), FindingKind::ScalarOverflow(b)) => {
                a.scalar == b.scalar
            }
            (a, b) => a == b,
        }
    }
}
