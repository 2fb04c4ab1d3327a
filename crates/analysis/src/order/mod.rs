//! Order for every launch: which accesses may be made while an earlier one, that they have to wait for, is
//! still at work.
//!
//! One symbolic lane of each side is followed along every path (`lane`), with what each pipe, token and
//! handshake does not know to be complete (`state`). What is left are pairs whose instances may meet in one
//! slot (`rings`); linear arithmetic tells whether they touch common bytes at all (`proof`). Between lanes, a
//! theorem about mutexes keeps stores and loads in order (`shared`).
//!
//! What is known of pipes, tokens and handshakes is that of `sync`, which the tracker of runs goes by, too: a
//! hazard that a run can show is among the pairs of [`Order::open`]. Accesses are taken to stay inside of
//! their tensors.

mod handshakes;
mod lane;
mod rings;
mod shared;
mod sites;
mod state;

use std::rc::Rc;

use rustc_hash::FxHashSet;

use super::proof::{Apart, Meeting, Places, Relation};
use super::under::{Answers, weakest};
use super::{Analysis, Course, KernelFacts};
use a2lint_ir::sync::Reading;
use a2lint_ir::{GlobalId, MutexId, Program, StmtId, VariableId};
use a2lint_isa::Side;
use lane::{Kernel, Seen, follow_lane};
use rings::{EARLIER, Instances};
use shared::{Far, turning, unguarded};
use sites::{Memory, Site, Sites};

/// Most accesses of a kernel that is followed.
const MOST_SITES: usize = 1_500;

/// What is known of the order of a kernel's accesses, in any launch.
#[derive(Debug, Default)]
pub struct Order {
    /// Pairs that nothing is known to order.
    pub open: Vec<Open>,
    /// Why the kernel could not be followed, with the place; `open` is not all then.
    pub unfollowed: Option<(String, Option<StmtId>)>,
    /// Parameters that have to be at least 1.
    pub under: Vec<VariableId>,
}

/// Two accesses that nothing is known to order.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Open {
    /// The one that may still be at work.
    pub first: StmtId,
    /// The one that may not wait for it.
    pub second: StmtId,
    /// What is missing.
    pub why: Why,
}

/// What is missing for an order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// Both are made by one lane, and nothing waits, as `auto_sync` is read.
    Pipes(Reading),
    /// Cores may use the same part of the tensor.
    Cores,
    /// Both vec lanes of a core may use the same part of the tensor.
    SubBlocks,
    /// No mutex goes from the side that stores to the side that loads.
    NoMutex,
    /// One of them is made while this mutex is not held.
    NotHeld(MutexId),
    /// Something else may use its flag.
    SharedFlag(MutexId),
    /// Its calls do not alternate.
    Unpaired(MutexId),
    /// It is closed on a pipe that does not follow the access.
    EndPipe(MutexId),
    /// Its depth is not known.
    Depth(MutexId),
    /// It has more tokens than the tensor is known to have slots.
    Slots(MutexId),
}

impl Why {
    /// The reading under which alone it is missing, if there is one.
    pub fn reading(self) -> Option<Reading> {
        match self {
            Why::Pipes(reading) => Some(reading),
            _ => None,
        }
    }

    /// How near it comes to a proof.
    fn rank(self) -> u32 {
        match self {
            Why::Pipes(_) | Why::Cores | Why::SubBlocks | Why::NoMutex => 0,
            Why::NotHeld(_) => 1,
            Why::SharedFlag(_) => 2,
            Why::Unpaired(_) => 3,
            Why::EndPipe(_) => 4,
            Why::Depth(_) => 5,
            Why::Slots(_) => 6,
        }
    }
}

impl Open {
    fn new(first: &Site, second: &Site, why: Why) -> Open {
        Open {
            first: first.stmt,
            second: second.stmt,
            why,
        }
    }
}

impl Order {
    /// Of a kernel, with the fewest premises of the form `M >= 1` under which nothing is left open.
    pub fn of(kernel: &KernelFacts) -> Order {
        let (program, analysis) = (kernel.program(), kernel.analysis());
        let Some(sites) = Sites::of(program, analysis, MOST_SITES) else {
            let because = format!("it has more than {MOST_SITES} accesses");
            return Order::unfollowed(because, None);
        };
        let shared = shared(program, &sites);
        let counters = counters(program, &sites, &shared);
        let kernel = Kernel {
            program,
            sites: &sites,
            shared: &shared,
            counters: &counters,
        };
        let mut attempts = Attempts {
            kernel: &kernel,
            analysis,
            answers: Answers::new(program),
            followed: Vec::new(),
        };
        let (order, under) = weakest(program, |positive| {
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

    /// Whether every pair of accesses that has to be in order is.
    pub fn is_proved(&self) -> bool {
        self.open.is_empty() && self.unfollowed.is_none()
    }
}

/// Accesses to global tensors that are read and written.
fn shared(program: &Program, sites: &Sites) -> Vec<usize> {
    let is_shared = |global: GlobalId| {
        let mut of = sites
            .all
            .iter()
            .filter(|site| site.memory == Memory::Global(global));
        of.clone().any(|site| site.part.write) && of.any(|site| !site.part.write)
    };
    let globals: Vec<bool> = (0..program.globals.len() as u32)
        .map(|global| is_shared(GlobalId(global)))
        .collect();
    let all = sites.all.iter().enumerate();
    all.filter(|(_, site)| matches!(site.memory, Memory::Global(id) if globals[id.index()]))
        .map(|(at, _)| at)
        .collect()
}

/// The variables that pick slots of shared tensors.
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

/// Attempts with more and fewer preconditions, and what they have in common.
struct Attempts<'a, 'p> {
    kernel: &'a Kernel<'a, 'p>,
    analysis: &'a Analysis<'p>,
    answers: Answers<Meeting>,
    /// What was seen on the ways that paths take.
    followed: Vec<(Course, Rc<Sides>)>,
}

/// What was seen of the lanes of a side.
pub(super) struct Walk {
    side: Side,
    /// How `auto_sync` was read.
    reading: Reading,
    seen: Seen,
}

/// What was seen on each side, under each reading that order has to hold under.
type Sides = [Walk];

impl Attempts<'_, '_> {
    /// The order of a kernel in launches that give some parameters at least 1.
    fn under(&mut self, positive: &[VariableId]) -> Order {
        let seen = self.follow(positive);
        let unclear = seen.iter().find_map(|walk| walk.seen.unclear);
        let is_whole = seen.iter().all(|walk| walk.seen.is_whole);
        let unfollowed = match (is_whole, unclear) {
            (false, _) => Some(("its paths are too many to follow".to_owned(), None)),
            (true, Some(_)) => {
                let because = "paths differ in how many tokens of an event are on their way";
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
        let course = Course::of(program, positive);
        let mut followed = self.followed.iter();
        if let Some((_, seen)) = followed.find(|(known, _)| *known == course) {
            return seen.clone();
        }
        let mut sides = vec![Side::Cube, Side::Vec];
        sides.retain(|&side| side == Side::Vec || !program.vec_only);
        let walk = |reading: Reading, side: Side| Walk {
            side,
            reading,
            seen: follow_lane(self.kernel, &course, side, reading),
        };
        let readings = Reading::needed(program).into_iter();
        let walks = readings.flat_map(|reading| sides.iter().map(move |&side| (reading, side)));
        let seen: Rc<Sides> = walks.map(|(reading, side)| walk(reading, side)).collect();
        self.followed.push((course, seen.clone()));
        seen
    }

    /// What is left open.
    fn judge(&self, positive: &[VariableId], seen: &Sides) -> Vec<Open> {
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
            apart: &Apart::new(&places),
            answers: &self.answers,
            positive,
        };
        judge.open(kernel, seen)
    }
}

/// Pairs that may meet, and how.
struct Judge<'a> {
    program: &'a Program,
    sites: &'a Sites<'a>,
    apart: &'a Apart<'a>,
    answers: &'a Answers<Meeting>,
    /// Parameters that are at least 1.
    positive: &'a [VariableId],
}

impl Far for Judge<'_> {
    fn are_apart(&self, first: usize, second: usize, relation: Relation) -> bool {
        let place = |at: usize| (self.sites.all[at].stmt, self.sites.all[at].operand);
        let meeting = (place(first), place(second), relation);
        let is_apart = || self.apart.are_apart(meeting);
        self.answers.ask(meeting, self.positive, is_apart)
    }
}

impl Judge<'_> {
    /// Whether instances of an access that may be at work touch nothing in common with a second one.
    fn is_harmless(&self, first: usize, second: usize, met: Instances) -> bool {
        let (a, b) = (&self.sites.all[first], &self.sites.all[second]);
        let common = self.program.common_loops(a.stmt, b.stmt);
        let is_inner = a.innermost == b.innermost && a.innermost.is_some();
        let (now, earlier) = (met & ((1 << EARLIER) - 1) != 0, met >> EARLIER != 0);
        let mut relations = Vec::new();
        if first != second {
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

    fn open(&self, kernel: &Kernel, seen: &Sides) -> Vec<Open> {
        let mut open = unguarded(kernel, seen, self);
        for walk in seen {
            for (&(first, second), &met) in &walk.seen.meets {
                if !self.is_harmless(first, second, met) {
                    let (a, b) = (&self.sites.all[first], &self.sites.all[second]);
                    open.push(Open::new(a, b, Why::Pipes(walk.reading)));
                }
            }
        }
        // What is missing under the first reading says more.
        let first = kernel.program.toolchain.auto_sync.reading;
        let reading = |open: &Open| open.why.reading().filter(|&reading| reading != first);
        open.sort_unstable_by_key(|open| (reading(open), open.first, open.second, open.why));
        open.dedup();
        open
    }
}
