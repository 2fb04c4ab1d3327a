//! Order in every launch: the accesses that may be made while an earlier one, for which they have to wait, is
//! still at work.
//!
//! One symbolic lane of each side is followed along every path (`lane`), with what each pipe, token and
//! handshake does not know to be complete (`state`). The result is pairs whose instances may meet in one slot
//! (`rings`); linear arithmetic decides whether they touch common bytes at all (`proof`). Between lanes, a
//! theorem about mutexes keeps stores and loads in order (`shared`), and one about flags set by hand (`flags`).
//!
//! The rules of pipes, tokens and handshakes are those of `sync`, which the tracker of runs follows as well:
//! a hazard that a run can show is among the pairs of [`Order::open`]. Accesses are assumed to stay inside of
//! their tensors.

mod flags;
mod handshakes;
mod lane;
mod rings;
mod shared;
mod sites;
mod state;

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::preconditions::{Answers, weakest_precondition};
use super::proof::{Disjointness, Meeting, Places, Relation};
use super::{Analysis, ControlFacts, KernelFacts};
use a2lint_ir::sync::Reading;
use a2lint_ir::{GlobalId, MutexId, Program, StmtId, VariableId};
use a2lint_isa::Side;
use flags::Flags;
use lane::{Kernel, Seen, follow_lane};
use rings::{EARLIER, Instances};
pub use shared::is_core_index;
use shared::{DisjointLanes, turning, unguarded};
use sites::{Memory, Site, Sites};

/// Maximum number of accesses of a kernel whose order is analysed.
// Accesses are compared in pairs, so the work grows with the square of their number.
const MOST_SITES: usize = 1_500;

/// The order of a kernel's accesses in every launch.
#[derive(Debug, Default)]
pub struct Order {
    /// Pairs that are not shown to be ordered.
    pub open: Vec<UnorderedPair>,
    /// The reason why the kernel could not be followed, with the place; `open` is then incomplete.
    pub unfollowed: Option<(String, Option<StmtId>)>,
    /// Parameters that have to be at least 1.
    pub under: Vec<VariableId>,
}

/// Two accesses that are not shown to be ordered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct UnorderedPair {
    /// The access that may still be at work.
    pub first: StmtId,
    /// The access that may not wait for it.
    pub second: StmtId,
    /// The missing condition.
    pub why: MissingCondition,
}

/// The condition that is missing for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum MissingCondition {
    /// One lane makes both accesses, and nothing waits, under this reading of `auto_sync`.
    Pipes(Reading),
    /// Cores may use the same part of the tensor.
    Cores,
    /// Both vec lanes of a core may use the same part of the tensor.
    SubBlocks,
    /// There is no mutex from the storing to the loading side.
    NoMutex,
    /// There are no flags between these sides that are known to keep both in order, and no mutexes.
    NoFlags,
    /// One of the accesses is made while this mutex is not held.
    NotHeld(MutexId),
    /// Something else may use the flag of this mutex.
    SharedFlag(MutexId),
    /// The calls of this mutex do not alternate.
    Unpaired(MutexId),
    /// This mutex is closed on a pipe that does not follow the access.
    EndPipe(MutexId),
    /// The depth of this mutex is unknown.
    Depth(MutexId),
    /// This mutex has more tokens than the tensor is known to have slots.
    Slots(MutexId),
}

impl MissingCondition {
    /// Returns the reading under which it is missing, if it depends on that.
    pub fn reading(self) -> Option<Reading> {
        match self {
            MissingCondition::Pipes(reading) => Some(reading),
            _ => None,
        }
    }

    /// Returns how near the case is to a proof.
    fn rank(self) -> u32 {
        match self {
            MissingCondition::Pipes(_)
            | MissingCondition::Cores
            | MissingCondition::SubBlocks
            | MissingCondition::NoMutex
            | MissingCondition::NoFlags => 0,
            MissingCondition::NotHeld(_) => 1,
            MissingCondition::SharedFlag(_) => 2,
            MissingCondition::Unpaired(_) => 3,
            MissingCondition::EndPipe(_) => 4,
            MissingCondition::Depth(_) => 5,
            MissingCondition::Slots(_) => 6,
        }
    }
}

impl UnorderedPair {
    fn new(first: &Site, second: &Site, why: MissingCondition) -> UnorderedPair {
        UnorderedPair {
            first: first.stmt,
            second: second.stmt,
            why,
        }
    }
}

impl Order {
    /// Analyses a kernel, with the fewest premises of the form `M >= 1` under which no pair is open.
    pub fn of(kernel: &KernelFacts) -> Order {
        let (program, analysis) = (kernel.program(), kernel.analysis());
        let Some(sites) = Sites::of(program, analysis, MOST_SITES) else {
            let because = format!("it has more than {MOST_SITES} accesses");
            return Order::unfollowed(because, None);
        };
        let shared = shared(program, &sites);
        let counters = counters(program, &sites, &shared);
        let flags = Flags::of(program);
        let kernel = Kernel {
            program,
            sites: &sites,
            shared: &shared,
            counters: &counters,
            flags: &flags,
        };
        let mut attempts = Attempts {
            kernel: &kernel,
            analysis,
            answers: Answers::new(program),
            followed: Vec::new(),
        };
        let (order, under) = weakest_precondition(program, |positive| {
            let order = attempts.under(positive);
            (order.is_proved(), order)
        });
        Order { under, ..order }
    }

    fn unfollowed(because: String, at: Option<StmtId>) -> Order {
        Order {
            unfollowed: Some((because, at)),
            ..Order::default()
        }
    }

    /// Returns whether every pair that has to be ordered is.
    pub fn is_proved(&self) -> bool {
        self.open.is_empty() && self.unfollowed.is_none()
    }
}

/// Returns the accesses to global tensors that are both read and written, or stored in ways that need an order.
fn shared(program: &Program, sites: &Sites) -> Vec<usize> {
    let is_shared = |global: GlobalId| {
        let of = sites
            .all
            .iter()
            .filter(|site| site.memory == Memory::Global(global));
        let mut stores = of.clone().filter(|site| site.part.write);
        // Stores that need no order with the first one need none with each other: all are plain stores of one side, or
        // all are sums.
        let Some(first) = stores.next() else {
            return false;
        };
        of.clone().any(|site| !site.part.write)
            || stores.any(|other| shared::depend_on_order(first, other))
    };
    let globals: Vec<bool> = (0..program.globals.len() as u32)
        .map(|global| is_shared(GlobalId(global)))
        .collect();
    let all = sites.all.iter().enumerate();
    all.filter(|(_, site)| matches!(site.memory, Memory::Global(id) if globals[id.index()]))
        .map(|(at, _)| at)
        .collect()
}

/// Returns the variables that pick slots of shared tensors.
fn counters(program: &Program, sites: &Sites, shared: &[usize]) -> Vec<VariableId> {
    let views = shared
        .iter()
        .filter_map(|&site| sites.all[site].view.global());
    let axes = views.flat_map(|view| &view.axes);
    let mut counters: Vec<VariableId> = axes
        .filter_map(|axis| Some(turning(program, axis)?.counter()))
        .collect();
    counters.sort_unstable();
    counters.dedup();
    counters
}

/// Attempts under different preconditions, with their common results.
struct Attempts<'a, 'p> {
    kernel: &'a Kernel<'a, 'p>,
    analysis: &'a Analysis<'p>,
    answers: Answers<Meeting>,
    /// The walks for each set of decisions of control.
    followed: Vec<(ControlFacts, Rc<Sides>)>,
}

/// The observations on one side.
pub(super) struct Walk {
    side: Side,
    /// The reading of `auto_sync`.
    reading: Reading,
    seen: Seen,
}

/// The observations on each side, under each reading that has to be ordered.
type Sides = [Walk];

impl Attempts<'_, '_> {
    /// Computes the order under the assumption that some parameters are at least 1.
    fn under(&mut self, positive: &[VariableId]) -> Order {
        let seen = self.follow(positive);
        let unclear = seen.iter().find_map(|walk| walk.seen.unclear);
        let is_whole = seen.iter().all(|walk| walk.seen.is_whole);
        let unfollowed = match (is_whole, unclear) {
            (false, _) => Some(("its paths are too many to follow".to_owned(), None)),
            (true, Some(_)) => {
                let because = "how many sets of this flag are not awaited yet depends on the path";
                Some((because.to_owned(), unclear))
            }
            (true, None) => None,
        };
        Order {
            open: self.judge(positive, &seen),
            unfollowed,
            under: Vec::new(),
        }
    }

    fn follow(&mut self, positive: &[VariableId]) -> Rc<Sides> {
        let program = self.kernel.program;
        let control = ControlFacts::of(program, positive);
        // Preconditions that decide nothing more about control lead to the same walks.
        let mut followed = self.followed.iter();
        if let Some((_, seen)) = followed.find(|(known, _)| *known == control) {
            return seen.clone();
        }
        let mut sides = vec![Side::Cube, Side::Vec];
        sides.retain(|&side| side == Side::Vec || !program.vec_only);
        let walk = |reading: Reading, side: Side| Walk {
            side,
            reading,
            seen: follow_lane(self.kernel, &control, side, reading),
        };
        let readings = Reading::needed(program).into_iter();
        let walks = readings.flat_map(|reading| sides.iter().map(move |&side| (reading, side)));
        let seen: Rc<Sides> = walks.map(|(reading, side)| walk(reading, side)).collect();
        self.followed.push((control, seen.clone()));
        seen
    }

    /// Returns the open pairs.
    fn judge(&self, positive: &[VariableId], seen: &Sides) -> Vec<UnorderedPair> {
        let kernel = self.kernel;
        let pairs = seen.iter().flat_map(|walk| walk.seen.meets.keys());
        let met = pairs.flat_map(|&(first, second)| [first, second]);
        let wanted: FxHashSet<StmtId> = met
            .chain(kernel.shared.iter().copied())
            .map(|site| kernel.sites.all[site].stmt)
            .collect();
        let places = Places::of(kernel.program, self.analysis, positive, &wanted);
        let judge = Judge {
            program: kernel.program,
            sites: kernel.sites,
            apart: &Disjointness::new(&places),
            answers: &self.answers,
            positive,
        };
        judge.open(kernel, seen)
    }
}

/// Decides which pairs that may meet are open.
struct Judge<'a> {
    program: &'a Program,
    sites: &'a Sites<'a>,
    apart: &'a Disjointness<'a>,
    answers: &'a Answers<Meeting>,
    /// Parameters that are at least 1.
    positive: &'a [VariableId],
}

impl DisjointLanes for Judge<'_> {
    fn are_apart(&self, first: usize, second: usize, relation: Relation) -> bool {
        let place = |at: usize| (self.sites.all[at].stmt, self.sites.all[at].operand);
        let meeting = (place(first), place(second), relation);
        let is_apart = || self.apart.are_apart(meeting);
        self.answers.ask(meeting, self.positive, is_apart)
    }
}

impl Judge<'_> {
    /// Returns whether the instances of an access that may be at work have no byte in common with a second
    /// access.
    fn is_harmless(&self, first: usize, second: usize, met: Instances) -> bool {
        let (a, b) = (&self.sites.all[first], &self.sites.all[second]);
        let common = self.program.common_loops(a.stmt, b.stmt);
        let is_inner = a.innermost == b.innermost && a.innermost.is_some();
        // The low bits are instances of this pass through the innermost loop, the high ones those of earlier
        // passes.
        let (now, earlier) = (met & ((1 << EARLIER) - 1) != 0, met >> EARLIER != 0);
        let mut relations = Vec::new();
        // Sites are in program order: within one iteration of all common loops, the second access cannot precede the
        // first one, and an access does not conflict with itself.
        if first < second {
            relations.push(Relation::SameIteration);
        }
        let across = common.iter().enumerate().filter(|(at, _)| {
            let is_innermost = at + 1 == common.len();
            match is_inner && is_innermost {
                true => now,
                false => !is_inner || earlier,
            }
        });
        relations.extend(across.map(|(_, &id)| Relation::Across(id)));
        relations
            .into_iter()
            .all(|relation| self.are_apart(first, second, relation))
    }

    fn open(&self, kernel: &Kernel, seen: &Sides) -> Vec<UnorderedPair> {
        let mut open = unguarded(kernel, seen, self);
        for walk in seen {
            for (&(first, second), &met) in &walk.seen.meets {
                if !self.is_harmless(first, second, met) {
                    let (a, b) = (&self.sites.all[first], &self.sites.all[second]);
                    open.push(UnorderedPair::new(
                        a,
                        b,
                        MissingCondition::Pipes(walk.reading),
                    ));
                }
            }
        }
        // The first reading comes first: it is the one that the toolchain documents.
        let first = kernel.program.toolchain.auto_sync.reading;
        let reading = |open: &UnorderedPair| open.why.reading().filter(|&reading| reading != first);
        open.sort_unstable_by_key(|open| (reading(open), open.first, open.second, open.why));
        open.dedup();
        open
    }
}
