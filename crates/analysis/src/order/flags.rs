//! Flags between lanes that a kernel sets and awaits by itself: the accesses of several lanes that they keep in order.
//!
//! The theorem for a store S of one lane, a load L of another one, a flag F that the lane of S sets and that of L
//! awaits, and a flag G in the other direction. The n-th wait for a flag ends after the n-th set of it. Let S be
//! complete at every later set of F, and L at every later set of G. Before S, its lane has set F `a` times and
//! awaited G `u` times; before L, its lane has awaited F `w` times and set G `v` times. Then S precedes L if `w > a`,
//! and L precedes S if `u > v`. One of both holds for any instances if `u - a` at S and `w - v` at L are at least 1
//! together: `w <= a` and `u <= v` would mean `w - v <= a - u`. One of the flags alone suffices if `w > a` always
//! holds, or `u > v`.
//!
//! Waits are instructions of the scalar unit, which issues everything after them. A flag whose sets two pipes execute
//! is left out, since its sets may take effect in another order; so is one that something else may set.
//!
//! The theorem presupposes that no counter overflows, which `progress` shows, and that a flag of several lanes counts
//! once all of them have set it.

use rustc_hash::FxHashSet;

use super::lane::Seen;
use a2lint_ir::Program;
use a2lint_ir::sync::{Act, Call, Route, Token, calls, may_have_unknown_tokens, pipe_of};
use a2lint_isa::{Pipe, Side};

/// Bounds outside of `-FURTHEST..=FURTHEST` are not kept, so that walks of loops settle.
const FURTHEST: i64 = 4;
/// Maximum number of flags that are followed. More are left out, which loses proofs and nothing else.
const MOST: usize = 16;

/// The flags of a kernel whose sets and waits are counted.
#[derive(Debug, Default)]
pub(super) struct Flags {
    all: Vec<(Route, i64)>,
}

/// Two lanes, by what sets them apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Apart {
    /// They belong to different cores.
    Cores,
    /// They are the vec lanes of one core.
    SubBlocks,
    /// They are the cube and a vec lane of one core.
    Sides,
}

impl Flags {
    /// Collects the flags of a kernel.
    pub fn of(program: &Program) -> Flags {
        if may_have_unknown_tokens(program) {
            return Flags::default();
        }
        let calls = calls(program);
        let flag = |call: &Call| match call.token {
            Token::Flag(route, id) => Some((route, id)),
            _ => None,
        };
        let sets = || calls.iter().filter(|call| call.act == Act::Set);
        let is_counted = |it: (Route, i64)| {
            let own: FxHashSet<Pipe> = sets()
                .filter(|call| flag(call) == Some(it))
                .map(|call| pipe_of(program, call.instr))
                .collect();
            // A lane has one counter for each id, whatever route its sets take.
            let mut others = calls.iter().filter_map(flag);
            let is_shared =
                others.any(|of| of != it && of.1 == it.1 && of.0.takers() == it.0.takers());
            own.len() == 1 && !is_shared && !Token::Flag(it.0, it.1).is_of_mutex(program)
        };
        let mut all: Vec<(Route, i64)> = Vec::new();
        for it in calls.iter().filter_map(flag) {
            if !all.contains(&it) && is_counted(it) {
                all.push(it);
            }
        }
        all.truncate(MOST);
        Flags { all }
    }

    /// Returns the index of the flag of a call.
    pub fn index(&self, call: &Call) -> Option<usize> {
        let Token::Flag(route, id) = call.token else {
            return None;
        };
        self.all.iter().position(|&it| it == (route, id))
    }

    /// Returns the leads at the start of a kernel.
    pub fn start(&self) -> Leads {
        let side = self.all.len() + 1;
        Leads {
            side,
            least: vec![Some(0); side * side].into(),
        }
    }

    /// Applies the theorem to a store and a load, by index, of two lanes: returns whether flags keep them in order.
    pub fn order(
        &self,
        (store, mine): (usize, &Seen),
        (load, theirs): (usize, &Seen),
        [storing, loading]: [Side; 2],
        apart: Apart,
    ) -> bool {
        let (Some(at_store), Some(at_load)) = (mine.leads.get(&store), theirs.leads.get(&load))
        else {
            return false;
        };
        let goes = |flag: usize, from: Side, to: Side| connects(self.all[flag].0, from, to, apart);
        let flags = 0..self.all.len();
        let forward = flags.clone().filter(|&flag| {
            goes(flag, storing, loading) && !mine.unfinished.contains(&(store, flag))
        });
        let back = flags.clone().filter(|&flag| {
            goes(flag, loading, storing) && !theirs.unfinished.contains(&(load, flag))
        });
        let none = self.all.len();
        let forward: Vec<usize> = forward.chain([none]).collect();
        let back: Vec<usize> = back.chain([none]).collect();
        let mut pairs = forward
            .iter()
            .flat_map(|&set| back.iter().map(move |&returned| (set, returned)));
        pairs.any(|(set, returned)| {
            let lead = at_store.of(returned, set).zip(at_load.of(set, returned));
            lead.is_some_and(|(at_store, at_load)| at_store + at_load >= 1)
        })
    }
}

/// Returns whether a flag that the lane of one side sets is awaited by a lane of the other one.
fn connects(route: Route, from: Side, to: Side, apart: Apart) -> bool {
    let sides = match route {
        Route::CubeToVec => (Side::Cube, Side::Vec),
        Route::VecToCube => (Side::Vec, Side::Cube),
        Route::AllVecs | Route::CoreVecs => (Side::Vec, Side::Vec),
        Route::AllCubes => (Side::Cube, Side::Cube),
    };
    let reaches = match apart {
        Apart::Cores => matches!(route, Route::AllVecs | Route::AllCubes),
        Apart::SubBlocks => matches!(route, Route::AllVecs | Route::CoreVecs),
        Apart::Sides => matches!(route, Route::CubeToVec | Route::VecToCube),
    };
    sides == (from, to) && reaches
}

/// For each pair of flags, the least number by which the waits of a lane for the first exceed its sets of the second;
/// `None` if that has no bound. The index after those of all flags stands for none of them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Leads {
    side: usize,
    least: Box<[Option<i64>]>,
}

impl Leads {
    fn of(&self, awaited: usize, set: usize) -> Option<i64> {
        self.least[awaited * self.side + set]
    }

    /// Counts a set or a wait of a flag.
    pub fn count(&mut self, flag: usize, act: Act) {
        for other in 0..self.side {
            let (at, by) = match act {
                Act::Wait => (flag * self.side + other, 1),
                Act::Set => (other * self.side + flag, -1),
            };
            let least = self.least[at].map(|least| (least + by).min(FURTHEST));
            self.least[at] = least.filter(|&least| least >= -FURTHEST);
        }
    }

    /// Keeps the bounds that hold in both.
    pub fn join(&mut self, other: &Leads) {
        for (mine, theirs) in self.least.iter_mut().zip(&other.least) {
            *mine = mine.zip(*theirs).map(|(mine, theirs)| mine.min(theirs));
        }
    }
}
